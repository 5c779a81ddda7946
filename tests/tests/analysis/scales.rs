//! Linear analyses in any units: of time, of states and of inputs.
//!
//! The numbers of [`plants`] were computed with mpmath 1.3.0 from series of 140 digits (exponentials, and integrals by doubling), and from
//! eigenvectors of the Hamiltonian matrix with 80 digits (gains).

use super::shared::matrix;
use lagrange_runtime::analysis::{AnalysisError, StateSpace, controllability, lqr, lqr_sampled, observability};
use lagrange_runtime::nalgebra::{Complex, DMatrix};
use lagrange_tests::random::Random;

/// A plant, what it becomes over a time, and the gain of its regulator under Q = 1 and R = 1.
struct Plant {
    a: DMatrix<f64>,
    b: DMatrix<f64>,
    time: f64,
    sampled: [DMatrix<f64>; 2],
    gramian: DMatrix<f64>,
    gain: Option<DMatrix<f64>>,
}

fn plants() -> [Plant; 6] {
    [
        // ω = 2000 rad/s at 1 ms.
        Plant {
            a: matrix([[0.0, 1.0], [-4e6, -40.0]]),
            b: matrix([[0.0], [1.0]]),
            time: 1e-3,
            sampled: [
                matrix([
                    [-0.398_903_668_717_089_9, 4.456_887_443_126_314e-4],
                    [-1_782.754_977_250_525_6, -0.416_731_218_489_595_15],
                ]),
                matrix([[3.497_259_171_792_724_7e-7], [4.456_887_443_126_314e-4]]),
            ],
            gramian: matrix([
                [1.447_563_620_505_177e-10, 9.931_922_840_348_507e-8],
                [9.931_922_840_348_507e-8, 3.972_658_038_537_096e-4],
            ]),
            gain: None,
        },
        Plant {
            a: matrix([[-1.0, 1.0], [0.5, -40.0]]),
            b: matrix([[0.0], [1.0]]),
            time: 2.0,
            sampled: [
                matrix([
                    [0.138_803_521_662_630_4, 3.557_895_451_366_322_3e-3],
                    [1.778_947_725_683_161_2e-3, 4.559_905_934_382_789e-5],
                ]),
                matrix([[0.021_712_369_186_987_425], [0.025_270_264_638_353_747]]),
            ],
            gramian: matrix([
                [3.023_257_830_891_022e-4, 3.086_550_931_105_287_6e-4],
                [3.086_550_931_105_287_6e-4, 0.012_503_858_162_672_954],
            ]),
            gain: Some(matrix([[0.012_497_950_509_148_136, 0.012_810_397_434_198_427]])),
        },
        // The fast mode decays by e 800,000 times.
        Plant {
            a: matrix([[-1.0, 1.0], [0.5, -4e5]]),
            b: matrix([[0.0], [1.0]]),
            time: 2.0,
            sampled: [
                matrix([
                    [0.135_335_621_575_666_63, 3.383_398_997_878_587e-7],
                    [1.691_699_498_939_293_6e-7, 4.229_259_320_483_319e-13],
                ]),
                matrix([[2.161_662_802_289_587e-6], [2.500_002_702_077_445_5e-6]]),
            ],
            gramian: matrix([
                [3.067_759_078_323_971e-12, 3.124_996_022_218_2e-12],
                [3.124_996_022_218_2e-12, 1.250_000_000_003_906_2e-6],
            ]),
            gain: Some(matrix([[1.249_999_999_998_046_9e-6, 1.250_003_124_998_046_9e-6]])),
        },
        // A motor: angle, speed, current and the temperature of its winding.
        Plant {
            a: matrix([
                [0.0, 1.0, 0.0, 0.0],
                [0.0, -0.1, 2000.0, 0.0],
                [0.0, -20.0, -1500.0, 0.0],
                [0.0, 0.0, 0.3, -0.005],
            ]),
            b: matrix([[0.0], [0.0], [1000.0], [0.0]]),
            time: 0.5,
            sampled: [
                matrix([
                    [1.0, 0.037_359_855_389_102_39, 0.049_813_139_408_591_86, 0.0],
                    [0.0, 1.226_289_252_571_208_2e-6, 1.665_316_990_608_001_2e-6, 0.0],
                    [0.0, -1.665_316_990_608_001_2e-8, -2.261_522_453_526_233_4e-8, 0.0],
                    [0.0, -1.490_941_383_071_394_5e-4, 7.084_469_545_075_036e-7, 0.997_503_122_397_460_1],
                ]),
                matrix([
                    [23.045_462_214_392_388],
                    [49.813_139_408_591_86],
                    [2.491_489_628_924_897e-3],
                    [7.799_986_833_993_094e-3],
                ]),
            ],
            gramian: matrix([
                [1_102.440_727_811_755, 1_240.674_428_869_903_7, -16.541_218_081_022_712, 0.201_792_039_320_803_6],
                [1_240.674_428_869_903_7, 33_206.586_559_599_83, 1.660_329_328_673_311_6, 4.998_664_351_411_892],
                [-16.541_218_081_022_712, 1.660_329_328_673_311_6, 333.311_195_608_950_85, 1.338_106_904_250_275_7e-5],
                [0.201_792_039_320_803_6, 4.998_664_351_411_892, 1.338_106_904_250_275_7e-5, 7.526_744_338_150_697e-4],
            ]),
            gain: Some(matrix([[1.0, 0.981_405_809_647_569, 1.178_735_381_349_142, 7.835_760_608_667_153e-6]])),
        },
        Plant {
            a: matrix([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]),
            b: matrix([[0.0], [0.0], [1.0]]),
            time: 1e3,
            sampled: [matrix([[1.0, 1e3, 5e5], [0.0, 1.0, 1e3], [0.0, 0.0, 1.0]]), matrix([[1e9 / 6.0], [5e5], [1e3]])],
            gramian: matrix([[5e13, 1.25e11, 1e9 / 6.0], [1.25e11, 1e9 / 3.0, 5e5], [1e9 / 6.0, 5e5, 1e3]]),
            gain: None,
        },
        Plant {
            a: matrix([[0.0, 1.0, 0.0], [9.81, -0.2, 0.3], [0.0, -2.0, -50.0]]),
            b: matrix([[0.0], [0.0], [4.0]]),
            time: 3.0,
            sampled: [
                matrix([
                    [4_558.565_378_914_946, 1_407.168_329_695_78, 7.960_865_532_215_888],
                    [13_804.321_314_315_6, 4_261.209_981_911_358, 24.107_222_297_939_532],
                    [-520.640_605_806_919_1, -160.714_815_319_596_9, -0.909_222_450_063_586_6],
                ]),
                matrix([[10.513_137_800_639_722], [31.843_462_128_863_55], [-1.121_000_689_149_455]]),
            ],
            gramian: matrix([
                [167.426_239_837_325_18, 507.003_040_176_183_6, -19.121_991_288_318_165],
                [507.003_040_176_183_6, 1_535.315_473_723_701_8, -57.904_646_684_790_5],
                [-19.121_991_288_318_165, -57.904_646_684_790_5, 2.343_916_193_199_679],
            ]),
            gain: Some(matrix([[869.625_010_166_928, 268.444_675_293_371_8, 1.554_063_515_368_278_3]])),
        },
    ]
}

/// Units of the states, of the input and of time.
struct Units {
    states: Vec<f64>,
    input: f64,
    time: f64,
}

impl Units {
    fn of(random: &mut Random, size: usize) -> Self {
        let mut unit = || 10.0_f64.powi(random.below(25) as i32 - 12);
        Self { states: (0..size).map(|_| unit()).collect(), input: unit(), time: unit() }
    }

    /// x = s x', t = τ t': s_i⁻¹ x_ij s_j.
    fn similar(&self, matrix: &DMatrix<f64>) -> DMatrix<f64> {
        DMatrix::from_fn(matrix.nrows(), matrix.ncols(), |i, j| matrix[(i, j)] * self.states[j] / self.states[i])
    }

    /// A column of an input.
    fn column(&self, matrix: &DMatrix<f64>) -> DMatrix<f64> {
        DMatrix::from_fn(matrix.nrows(), matrix.ncols(), |i, k| matrix[(i, k)] * self.input / self.states[i])
    }

    fn space(&self, a: &DMatrix<f64>, b: &DMatrix<f64>) -> StateSpace {
        StateSpace::new(self.similar(a) * self.time, self.column(b) * self.time).expect("finite")
    }

    /// A weight of the states.
    fn weight(&self, q: &DMatrix<f64>) -> DMatrix<f64> {
        DMatrix::from_fn(q.nrows(), q.ncols(), |i, j| q[(i, j)] * self.states[i] * self.states[j])
    }

    /// A gain back in the first units.
    fn gain_back(&self, gain: &DMatrix<f64>) -> DMatrix<f64> {
        DMatrix::from_fn(gain.nrows(), gain.ncols(), |k, j| gain[(k, j)] * self.input / self.states[j])
    }
}

/// Whether no entry differs by more than this part of the rows' and columns' magnitudes.
fn near(found: &DMatrix<f64>, expected: &DMatrix<f64>, tolerance: f64) {
    for (i, j) in (0..found.nrows()).flat_map(|i| (0..found.ncols()).map(move |j| (i, j))) {
        let scale = expected[(i, j)].abs();
        let error = (found[(i, j)] - expected[(i, j)]).abs();
        assert!(error <= tolerance * scale, "{i} {j}: error {error:e}\nfound {found:e}expected {expected:e}");
    }
}

#[test]
fn sampled_plants_have_their_exponentials_in_any_units() {
    let mut random = Random::new(1);
    for (index, plant) in plants().iter().enumerate() {
        for _ in 0..20 {
            let units = Units::of(&mut random, plant.a.nrows());
            let found = units.space(&plant.a, &plant.b).sampled(plant.time / units.time).expect("finite");
            let [a, b] = &plant.sampled;
            // An entry of A that is the difference of 1 and its decay has the rounding of the 1.
            let error = found.a - units.similar(a);
            for (i, j) in (0..a.nrows()).flat_map(|i| (0..a.nrows()).map(move |j| (i, j))) {
                let unit = units.states[j] / units.states[i];
                let scale =
                    unit * a[(i, j)].abs().max((a[(i, i)] * a[(j, j)]).abs().sqrt()).max(f64::from(u8::from(i == j)));
                assert!(error[(i, j)].abs() <= 1e-12 * scale, "{index} {i} {j}: {:e} {scale:e}", error[(i, j)]);
            }
            near(&found.b, &units.column(b), 1e-12);
        }
    }
}

/// Beyond the largest double, the error says so; a decay to 0 is no error.
#[test]
fn an_overflow_is_named() {
    let one = |rate: f64| StateSpace::new(matrix([[rate]]), matrix([[1.0]])).expect("finite");
    let error = one(5e5).sampled(1e-2).expect_err("exp(5000)");
    assert!(error.to_string().contains("a shorter period; over 1e-2"), "{error}");
    let error = one(5e5).controllability_gramian_over(1e-2).expect_err("exp(5000)");
    assert!(error.to_string().contains("a shorter time; over 1e-2"), "{error}");
    for time in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(one(1.0).controllability_gramian_over(time), Err(AnalysisError::NotApplicable { .. })));
    }
    // L/R = 2 µs at 10 ms.
    let settled = one(-5e5).sampled(1e-2).expect("finite");
    assert!(settled.a[(0, 0)] == 0.0 && (settled.b[(0, 0)] - 2e-6).abs() < 1e-20, "{settled:?}");
    assert!(one(5e4).sampled(1e-2).expect("below the largest double").a[(0, 0)] > 1e217);
}

#[test]
fn gramians_have_their_values_in_any_units() {
    let mut random = Random::new(2);
    for plant in plants() {
        for _ in 0..20 {
            let units = Units::of(&mut random, plant.a.nrows());
            let found = units.space(&plant.a, &plant.b).controllability_gramian_over(plant.time / units.time);
            let factor = units.input * units.input * units.time;
            let expected = DMatrix::from_fn(plant.a.nrows(), plant.a.nrows(), |i, j| {
                plant.gramian[(i, j)] * factor / (units.states[i] * units.states[j])
            });
            near(&found.expect("finite"), &expected, 1e-11);
        }
    }
}

/// Over a long time, the Gramian of a stable plant is that of an infinite time, which solves Lyapunov's equation. For the stiff plant
/// A = [−1 1; 1/2 −k] it is known: with s = trace and d = determinant, W = (d B Bᵀ + (A − s) B Bᵀ (A − s)ᵀ)/(−2 s d).
#[test]
fn gramians_of_an_infinite_time_are_the_limit() {
    let mut random = Random::new(3);
    for stiff in [40.0, 4e5, 4e9] {
        let (a, b) = (matrix([[-1.0, 1.0], [0.5, -stiff]]), matrix([[0.0], [1.0]]));
        let (trace, determinant) = (-1.0 - stiff, stiff - 0.5);
        let moved = matrix([[1.0], [1.0]]); // (A − s) B = [1; 1].
        let expected = (&b * b.transpose() * determinant + &moved * moved.transpose()) / (-2.0 * trace * determinant);
        for _ in 0..20 {
            let units = Units::of(&mut random, 2);
            let space = units.space(&a, &b);
            let factor = units.input * units.input * units.time;
            let expected =
                DMatrix::from_fn(2, 2, |i, j| expected[(i, j)] * factor / (units.states[i] * units.states[j]));
            near(&space.controllability_gramian().expect("stable"), &expected, 1e-11);
            near(&space.controllability_gramian_over(100.0 / units.time).expect("finite"), &expected, 1e-11);
        }
    }
}

/// Every mode of the plants is reached, in any units, and a state that nothing drives is not, with its own rate.
#[test]
fn ranks_do_not_depend_on_units_or_on_other_rates() {
    let mut random = Random::new(4);
    for plant in plants() {
        let size = plant.a.nrows();
        for _ in 0..20 {
            let units = Units::of(&mut random, size + 1);
            let space = units.space(&plant.a, &plant.b);
            let reach = controllability(&space.a, &space.b).expect("finite");
            assert_eq!((reach.rank, reach.missed.len()), (size, 0), "{:e} {reach:?}", space.a);
            let reach = observability(&space.a.transpose(), &space.b.transpose()).expect("finite");
            assert_eq!((reach.rank, reach.missed.len()), (size, 0), "{reach:?}");
            // A mode beside the plant, which acts on all its states.
            let rate = -3e-4;
            let mut a = DMatrix::zeros(size + 1, size + 1);
            a.view_mut((0, 0), (size, size)).copy_from(&plant.a);
            (0..size).for_each(|i| a[(i, size)] = 0.7 + i as f64);
            a[(size, size)] = rate;
            let b = plant.b.clone().insert_row(size, 0.0);
            let space = units.space(&a, &b);
            let reach = controllability(&space.a, &space.b).expect("finite");
            assert_eq!((reach.rank, reach.missed.len()), (size, 1), "{reach:?}");
            let missed = reach.missed[0] / units.time;
            assert!((missed.re - rate).abs() < 1e-14 && missed.im == 0.0, "{reach:?}");
        }
    }
}

/// Two equal plants under one input: their difference is out of reach, whatever combination of them the states are.
#[test]
fn differences_of_equal_plants_are_out_of_reach_in_any_units() {
    let mut random = Random::new(5);
    for plant in plants() {
        let size = plant.a.nrows();
        for _ in 0..10 {
            let units = Units::of(&mut random, 2 * size);
            let mut a = DMatrix::zeros(2 * size, 2 * size);
            let mut b = DMatrix::zeros(2 * size, 1);
            for half in [0, size] {
                a.view_mut((half, half), (size, size)).copy_from(&plant.a);
                b.view_mut((half, 0), (size, 1)).copy_from(&plant.b);
            }
            // y = x₁ + m x₂ and z = x₂: the same plants in mixed states.
            let mixed = 0.5 + random.between(0.0, 1.0);
            let mut mix = DMatrix::identity(2 * size, 2 * size);
            (0..size).for_each(|i| mix[(i, size + i)] = mixed);
            let back = mix.clone().try_inverse().expect("triangular");
            let space = units.space(&(&mix * a * back), &(&mix * b));
            let reach = controllability(&space.a, &space.b).expect("finite");
            assert_eq!((reach.rank, reach.missed.len()), (size, size), "{:e} {reach:?}", space.a);
        }
    }
}

#[test]
fn regulators_have_their_gains_in_any_units() {
    let mut random = Random::new(6);
    for plant in plants() {
        let Some(gain) = &plant.gain else { continue };
        for _ in 0..20 {
            let size = plant.a.nrows();
            let units = Units::of(&mut random, size);
            let space = units.space(&plant.a, &plant.b);
            let weight = matrix([[units.input * units.input]]);
            let found = lqr(&space, &units.weight(&DMatrix::identity(size, size)), &weight).expect("stabilisable");
            // K' = K s_j/input.
            let back = DMatrix::from_fn(1, size, |_, j| found.gain[(0, j)] * units.input / units.states[j]);
            near(&back, gain, 1e-9);
        }
    }
}

/// Of ẍ = u with Q = diag(q₁, q₂) and R = r: K = [√(q₁/r), √(q₂/r + 2 √(q₁/r))], for weights that are many decades apart.
#[test]
fn weights_may_be_decades_apart() {
    let (a, b) = (matrix([[0.0, 1.0], [0.0, 0.0]]), matrix([[0.0], [1.0]]));
    let mut random = Random::new(7);
    for exponents in [[0, 12, 0], [12, 0, 0], [0, 20, 0], [-12, 0, 12], [0, 0, 24], [24, 0, -12], [-24, 12, 0]] {
        let [first, second, input] = exponents.map(|exponent| 10.0_f64.powi(exponent));
        let (place, speed) = ((first / input).sqrt(), (second / input + 2.0 * (first / input).sqrt()).sqrt());
        for _ in 0..10 {
            let units = Units::of(&mut random, 2);
            let space = units.space(&a, &b);
            let weight = units.weight(&matrix([[first, 0.0], [0.0, second]]));
            let found = lqr(&space, &weight, &matrix([[input * units.input * units.input]])).expect("stabilisable");
            near(&units.gain_back(&found.gain), &matrix([[place, speed]]), 1e-12);
            // s² + k₂ s + k₁: the product and the sum of the poles.
            let (sum, product) = (found.poles[0] + found.poles[1], found.poles[0] * found.poles[1]);
            let unit = units.time;
            assert!((sum.re / unit + speed).abs() <= 1e-12 * speed, "{found:?}");
            assert!((product.re / (unit * unit) - place).abs() <= 1e-11 * place, "{found:?} {place}");
        }
    }
}

/// A sampled regulator of a stiff plant in any units: it obeys Bellman's equation X = Q + Kᵀ R K + (A − B K)ᵀ X (A − B K).
#[test]
fn sampled_regulators_obey_their_equation_in_any_units() {
    let mut random = Random::new(8);
    for plant in plants() {
        let size = plant.a.nrows();
        let first = StateSpace::new(plant.a.clone(), plant.b.clone()).and_then(|space| space.sampled(plant.time));
        let (q, r) = (DMatrix::identity(size, size), matrix([[1.0]]));
        let reference = lqr_sampled(&first.expect("finite"), &q, &r).expect("stabilisable");
        let [a, b] = &plant.sampled;
        let closed = a - b * &reference.gain;
        let x = &reference.cost;
        let expected = &q + reference.gain.transpose() * &reference.gain + closed.transpose() * x * &closed;
        for (i, j) in (0..size).flat_map(|i| (0..size).map(move |j| (i, j))) {
            let scale = (x[(i, i)] * x[(j, j)]).sqrt();
            assert!((x[(i, j)] - expected[(i, j)]).abs() <= 1e-8 * scale, "{x} {expected}");
        }
        for _ in 0..10 {
            let units = Units::of(&mut random, size);
            let sampled = units.space(&plant.a, &plant.b).sampled(plant.time / units.time).expect("finite");
            let weight = matrix([[units.input * units.input]]);
            let found = lqr_sampled(&sampled, &units.weight(&q), &weight).expect("stabilisable");
            let back = DMatrix::from_fn(1, size, |_, j| found.gain[(0, j)] * units.input / units.states[j]);
            let largest = |k: usize| reference.gain[(0, k)].abs();
            for k in 0..size {
                assert!((back[(0, k)] - reference.gain[(0, k)]).abs() <= 1e-8 * largest(k), "{back} {reference:?}");
            }
        }
    }
}

/// Poles of circles of states with rates many decades apart: each is exact in its own scale.
#[test]
fn slow_poles_beside_fast_ones_keep_their_digits() {
    let mut random = Random::new(9);
    // s² + (k + 1) s + k − 1/2: the slow root without cancellation.
    for stiff in [40.0_f64, 4e5, 4e9, 4e12] {
        let (half, determinant) = (0.5 * (stiff + 1.0), stiff - 0.5);
        let fast = -half - (half * half - determinant).sqrt();
        for _ in 0..20 {
            let units = Units::of(&mut random, 2);
            let space = units.space(&matrix([[-1.0, 1.0], [0.5, -stiff]]), &matrix([[0.0], [1.0]]));
            let poles = space.poles().expect("finite");
            let expected = [determinant / fast, fast].map(|rate| Complex::new(rate, 0.0));
            for (pole, expected) in poles.iter().zip(expected) {
                assert!((pole / units.time - expected).norm() <= 1e-13 * expected.norm(), "{poles:?} {expected}");
            }
        }
    }
}

/// An input that reaches a mode through rounding only does not stabilise it: the mode is named.
#[test]
fn a_mode_within_rounding_of_the_axis_is_no_regulator() {
    // The integrator of the difference of two equal states.
    let third = 1.0 / 3.0;
    let a = matrix([[-1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.1 + 0.2, -0.3, 0.0]]);
    let b = matrix([[third], [third], [0.0]]);
    let space = StateSpace::new(a, b).expect("finite");
    let error = lqr(&space, &DMatrix::identity(3, 3), &matrix([[1.0]])).expect_err("5.6e-17 is rounding");
    assert!(matches!(error, AnalysisError::NotStabilisable { eigenvalue } if eigenvalue.norm() < 1e-15), "{error}");
}

/// Q is judged in its own units: an eigenvalue of −1 % beside a weight 10²⁴ times larger is still negative.
#[test]
fn weights_are_judged_in_their_own_units() {
    let mut random = Random::new(10);
    let (a, b) = (matrix([[0.0, 1.0], [0.0, 0.0]]), matrix([[0.0], [1.0]]));
    for (weight, is_allowed) in [
        (matrix([[1.0, 0.9], [0.9, 1.0]]), true),
        (matrix([[1.0, 1.0], [1.0, 1.0]]), true),
        (matrix([[1.0, 1.01], [1.01, 1.0]]), false),
        (matrix([[1.0, 0.0], [0.0, -0.01]]), false),
        (matrix([[1.0, 0.1], [0.2, 1.0]]), false),
    ] {
        for _ in 0..20 {
            let units = Units::of(&mut random, 2);
            let input = matrix([[units.input * units.input]]);
            match lqr(&units.space(&a, &b), &units.weight(&weight), &input) {
                Ok(_) => assert!(is_allowed, "{weight}"),
                Err(error) => assert!(!is_allowed && matches!(error, AnalysisError::NotPositive { .. }), "{error}"),
            }
        }
    }
}

/// A slow pair of states that drive each other, beside fast ones under the same input: the slow modes are reached as well as the fast
/// ones, because each is judged beside its own rates.
#[test]
fn slow_modes_are_reached_beside_fast_ones() {
    let mut random = Random::new(13);
    for slow in [1e-3, 1e-6, 1e-12, 1e-15] {
        for fast in [1, 6] {
            let mut a = DMatrix::from_fn(fast + 2, fast + 2, |i, j| if i == j { -(i as f64) } else { 0.0 });
            a.view_mut((0, 0), (2, 2)).copy_from(&matrix([[-slow, slow], [slow, -2.0 * slow]]));
            for (push, missed) in [(slow, 0), (0.0, 2)] {
                let b = DMatrix::from_fn(fast + 2, 1, |i, _| [0.0, push, 1.0][i.min(2)]);
                for _ in 0..20 {
                    let units = Units::of(&mut random, fast + 2);
                    let space = units.space(&a, &b);
                    let reach = controllability(&space.a, &space.b).expect("finite");
                    assert_eq!(
                        (reach.rank, reach.missed.len()),
                        (fast + 2 - missed, missed),
                        "{slow} {:e} {reach:?}",
                        space.a
                    );
                }
            }
        }
    }
}

/// Several equal plants under one input, and one critically damped oscillator that acts on them and that nothing drives: rounding splits its
/// double pole, and hides neither it nor the differences of the plants.
#[test]
fn multiple_modes_are_missed_as_often_as_they_are_there() {
    let mut random = Random::new(16);
    // Plants and mixtures of few binary digits, so that no rounding connects what is not connected.
    for (copies, plant) in [(3, 1), (3, 2), (2, 4), (4, 1)] {
        let Plant { a: part, b: push, .. } = &plants()[plant];
        let size = part.nrows();
        let total = copies * size + 2;
        let mut a = DMatrix::zeros(total, total);
        let mut b = DMatrix::zeros(total, 1);
        for copy in 0..copies {
            a.view_mut((copy * size, copy * size), (size, size)).copy_from(part);
            b.view_mut((copy * size, 0), (size, 1)).copy_from(push);
            // Alike on all, so that the differences do not see it.
            (0..size).for_each(|i| a[(copy * size + i, total - 2)] = 0.25 + i as f64);
        }
        a.view_mut((total - 2, total - 2), (2, 2)).copy_from(&matrix([[0.0, 1.0], [-0.49, -1.4]]));
        for _ in 0..5 {
            let mut mix = DMatrix::identity(total, total);
            for (i, j) in (0..copies).flat_map(|i| (0..i).map(move |j| (i, j))) {
                let factor = [-1.0, -0.5, 0.5, 1.0][random.below(4)];
                (0..size).for_each(|k| mix[(i * size + k, j * size + k)] = factor);
            }
            let back = mix.clone().try_inverse().expect("triangular");
            let units = Units::of(&mut random, total);
            let space = units.space(&(&mix * &a * back), &(&mix * &b));
            let reach = controllability(&space.a, &space.b).expect("finite");
            assert_eq!((reach.rank, reach.missed.len()), (size, total - size), "{copies} {plant}: {reach:?}");
        }
    }
}

/// Under a weight of 10⁻⁴⁰, the regulator leaves the mode of eigenvalue 0 where it is, up to rounding: it does not stabilise the plant.
#[test]
fn a_regulator_that_moves_a_pole_by_rounding_is_refused() {
    let (a, b) = (matrix([[-1.0, 1.0], [1.0, -1.0]]), matrix([[1.0], [0.0]]));
    let mut random = Random::new(14);
    for (weight, is_stabilised) in [(1.0, true), (1e-20, true), (1e-40, false)] {
        for _ in 0..20 {
            let units = Units::of(&mut random, 2);
            let q = units.weight(&(DMatrix::identity(2, 2) * weight));
            match lqr(&units.space(&a, &b), &q, &matrix([[units.input * units.input]])) {
                Ok(found) => assert!(is_stabilised && found.poles[0].re < 0.0, "{weight} {found:?}"),
                Err(error) => assert!(!is_stabilised, "{weight} {error}"),
            }
        }
    }
}

/// Three states in a circle with rates of 1, 10⁶ and 10¹². The poles were computed with mpmath 1.3.0 and 60 digits.
#[test]
fn poles_of_one_circle_keep_their_digits() {
    let mut random = Random::new(15);
    let a = matrix([[-2.0, 1.0, 3.0], [1e6, -5e6, 1e6], [4e11, 1e11, -7e11]]);
    let expected = [0.176_470_571_442_599_4, -4_857_142.328_069_522, -700_000_142_859.848_4];
    for _ in 0..50 {
        let units = Units::of(&mut random, 3);
        let poles = units.space(&a, &matrix([[1.0], [0.0], [0.0]])).poles().expect("finite");
        for (pole, expected) in poles.iter().zip(expected) {
            assert!((pole / units.time - expected).norm() <= 1e-13 * f64::abs(expected), "{poles:?} {expected}");
        }
    }
}

/// The frequency response of a random system is the same in any units of its states.
#[test]
fn frequency_responses_do_not_depend_on_units() {
    let mut random = Random::new(11);
    for case in 0..4000 {
        let size = 2 + case % 5;
        let mut entry = || random.between(-1.0, 1.0);
        let a = DMatrix::from_fn(size, size, |i, j| match entry() {
            part if i == j => -10.0_f64.powf(3.0 * part),
            part if j > i || part > 0.0 => entry(),
            _ => 0.0,
        });
        let (b, c) = (DMatrix::from_fn(size, 1, |_, _| entry()), DMatrix::from_fn(1, size, |_, _| entry()));
        let omega = 10.0_f64.powf(3.0 * entry());
        let first = StateSpace::new(a.clone(), b.clone())
            .and_then(|space| space.with_outputs(c.clone(), matrix([[0.0]])))
            .expect("of like size");
        let expected = first.response(omega).expect("no pole")[(0, 0)];
        let units = Units::of(&mut random, size);
        let c = DMatrix::from_fn(1, size, |_, j| c[(0, j)] * units.states[j]);
        let space = units.space(&a, &b).with_outputs(c, matrix([[0.0]])).expect("of like size");
        let found = space.response(omega * units.time).expect("no pole")[(0, 0)] / units.input;
        assert!((found - expected).norm() <= 1e-11 * expected.norm(), "{omega} {found} {expected}");
    }
}
