//! The generalized-α method: orders of q, v and λ, its damping, changes of the step, singular M, states, and what it refuses.

use crate::slopes;
use lagrange_runtime::evaluator::Evaluator;
use lagrange_runtime::prelude::*;

/// A slider crank with a driven wheel: the angle of the crank, the middle and the angle of the rod, and the slider. M depends on the angles by an eccentric rod.
#[lagrangian {
    coordinates a, x, y, b, s;
    let middle = [x, y];
    let mass = [x + cos(b)/10, y + sin(b)/10];
    kinetic = dot(a)^2/3 + norm2(dot(mass))/2 + dot(b)^2/24 + dot(s)^2/2;
    potential = 9.81*mass[1] + (s - 2)^2;
    dissipation = dot(s)^2/10 + dot(a)^2/20;
    force a = cos(2*t);
    let crank = [cos(a), sin(a)]/2;
    let half = [cos(b), sin(b)];
    constraint joint: middle - half == crank;
    constraint guide: middle + half == [s, 0];
}]
struct SliderCrank {}

/// A consistent start.
fn crank() -> State<f64, 5> {
    let a: f64 = 0.7;
    let b = (-a.sin() / 2.0).asin();
    let q = [a, a.cos() / 2.0 + b.cos(), a.sin() / 2.0 + b.sin(), b, a.cos() / 2.0 + 2.0 * b.cos()];
    let guess = State::new(0.0, q, [1.0, 0.0, 0.0, 0.0, 0.0]);
    let system = SliderCrank {}.prepare::<f64>().expect("regular");
    Projection::default().state(&system, &guess).expect("near").0
}

/// The states and multipliers of steps of these sizes, one after the other.
fn steps<S, const N: usize, const C: usize>(
    system: &S,
    start: State<f64, N>,
    radius: f64,
    sizes: impl Iterator<Item = f64>,
) -> Vec<(State<f64, N>, SVector<f64, C>)>
where
    S: System<f64, N, C, 0>,
{
    let controller = &mut DefaultInputs::of(system);
    let mut evaluator = Evaluator::new(system, controller);
    let mut state = start;
    let mut memory = None;
    let mut found = Vec::new();
    for h in sizes {
        let method = GeneralizedAlpha::new(h, radius);
        let known = memory.unwrap_or_else(|| method.start(&mut evaluator, &state).expect("consistent"));
        let end = state.t + h;
        let trial = method.step(&mut evaluator, &mut (), &state, &known, h, end).expect("it converges");
        state = trial.state;
        memory = Some(trial.memory);
        let shown = method.synchronise(&mut evaluator, &state, &trial.memory).expect("regular");
        found.push((shown, trial.memory.multipliers));
    }
    found
}

/// The largest errors of q, v and λ over the steps, with those of the first steps.
fn errors<S, const N: usize, const C: usize>(
    system: &S,
    start: State<f64, N>,
    end: f64,
    radius: f64,
    (count, pattern): (u32, &[f64]),
) -> [f64; 3]
where
    S: System<f64, N, C, 0>,
{
    let whole: f64 = pattern.iter().sum();
    let sizes = (0..count).flat_map(|_| pattern.iter().map(|part| end * part / whole / f64::from(count)));
    let found = steps(system, start, radius, sizes);
    let mut most = [0.0_f64; 3];
    let options = Options { rtol: 1e-12.into(), ..Options::default() };
    let mut exact = start;
    for (state, multipliers) in found {
        let solution = solve(system, exact, state.t, &Radau9::new(), &options).expect("smooth");
        exact = solution.last().expect("a state");
        let at = system.acceleration(exact.t, &exact.q, &exact.v, &[].into()).expect("regular");
        let now = [(state.q - exact.q).amax(), (state.v - exact.v).amax(), (multipliers - at.multipliers).amax()];
        for (most, now) in most.iter_mut().zip(now) {
            *most = most.max(now);
        }
    }
    most
}

/// Also in the first steps, and where the sizes of the steps change.
#[test]
fn the_order_is_2_for_coordinates_velocities_and_multipliers() {
    let system = SliderCrank {}.prepare::<f64>().expect("regular");
    let check = |radius: f64, counts: [u32; 3], pattern: &[f64]| {
        let all = counts.map(|count| errors(&system, crank(), 1.0, radius, (count, pattern)));
        for quantity in 0..3 {
            let points = [0, 1, 2].map(|i| (f64::from(counts[i]).recip(), all[i][quantity]));
            for slope in slopes(&points) {
                assert!((slope - 2.0).abs() < 0.2, "ρ = {radius}: {slope} of {quantity} in {all:?}");
            }
        }
    };
    for radius in [0.0, 0.5, 0.8, 0.95] {
        check(radius, [50, 100, 200], &[1.0]);
    }
    check(0.0, [25, 50, 100], &[1.0, 0.6]);
    check(0.8, [25, 50, 100], &[1.0, 0.6]);
}

#[lagrangian { coordinates x; kinetic = dot(x)^2/2; potential = k*x^2/2; }]
struct Spring {
    k: f64,
}

/// Of a spring that swings 10⁵ times in a step, about the n-th step keeps n² ρⁿ. Where ρ is 1, all of it stays.
#[test]
fn the_spectral_radius_at_infinite_frequency_is_the_users() {
    let system = Spring { k: 4e11 }.prepare::<f64>().expect("regular");
    let after = |radius: f64| {
        let start = State::new(0.0, [1.0], [0.0]);
        let found: Vec<(State<f64, 1>, SVector<f64, 0>)> = steps(&system, start, radius, std::iter::repeat_n(1.0, 400));
        [199, 399].map(|step: usize| found[step].0.q[0].abs())
    };
    for radius in [0.3, 0.6, 0.8, 0.95] {
        let [early, late] = after(radius);
        let measured = (late / early / 4.0).powf(1.0 / 200.0);
        assert!((measured / radius - 1.0).abs() < 0.005, "{measured} instead of {radius}");
    }
    assert!(after(1.0).iter().all(|x| (x - 1.0).abs() < 1e-4), "{:?}", after(1.0));
}

/// Two points on rods, which whirl.
#[lagrangian {
    coordinates x[2], y[2];
    kinetic = (norm2(dot(x)) + norm2(dot(y)))/2;
    potential = 9.81*(x[1] + y[1]);
    constraint upper: norm2(x) == 1;
    constraint lower: norm2(y - x) == 1;
}]
struct Points {}

/// In a long motion the error of the energy is that of the step, of order 2, and what is lost is of order 3.
#[test]
fn the_energy_does_not_drift_away() {
    let system = Points {}.prepare::<f64>().expect("regular");
    let start = State::new(0.0, [1.0, 0.0, 1.0, -1.0], [0.0; 4]);
    let errors = |h: f64| {
        let method = GeneralizedAlpha::new(h, 0.8);
        let solution = solve(&system, start, 100.0, &method, &Options::default()).expect("it converges");
        let error = |state: &State<f64, 4>| system.energies_of(state).energy + 9.81;
        assert!(solution.states().all(|state| system.constraint(state.t, &state.q).value.amax() < 4e-15));
        assert!(solution.states().all(|state| error(&state) < 1e-3), "energy is gained");
        let most = solution.states().map(|state| error(&state).abs()).fold(0.0, f64::max);
        (most, error(&solution.last().expect("a state")).abs())
    };
    let ((coarse, _), (fine, lost)) = (errors(0.01), errors(0.005));
    assert!(coarse < 0.25 && (coarse / fine - 4.0).abs() < 0.5, "{coarse} and {fine}");
    assert!(lost < 0.1, "{lost}");
}

/// A body that turns by a unit quaternion, whose M is singular without the constraint.
#[lagrangian {
    coordinates r[4];
    let w = 2*[r[0]*dot(r[1]) - r[1]*dot(r[0]) - r[2]*dot(r[3]) + r[3]*dot(r[2]),
               r[0]*dot(r[2]) - r[2]*dot(r[0]) - r[3]*dot(r[1]) + r[1]*dot(r[3]),
               r[0]*dot(r[3]) - r[3]*dot(r[0]) - r[1]*dot(r[2]) + r[2]*dot(r[1])];
    kinetic = (w[0]^2 + 2*w[1]^2 + 3*w[2]^2)/2;
    potential = 5*(r[0]^2 - r[1]^2 - r[2]^2 + r[3]^2);
    constraint unit: norm2(r) == 1;
}]
struct Top {}

/// A state of a filter, forces that depend on the time, M that changes.
#[lagrangian {
    coordinates x;
    kinetic = dot(x)^2*(1 + x^2)/2;
    potential = x^2 + z*x;
    force x = cos(t);
    state z: dot(z) == (sin(x) - z)/tau;
}]
struct Filtered {
    tau: f64,
}

#[test]
fn singular_mass_matrices_and_states_have_the_order_too() {
    fn check<const N: usize, const C: usize>(system: &impl System<f64, N, C, 0>, start: State<f64, N>, known: usize) {
        let all = [50, 100, 200].map(|count| errors(system, start, 1.0, 0.8, (count, &[1.0])));
        for quantity in 0..known {
            let points = [0, 1, 2].map(|i| (0.5_f64.powi(i), all[i as usize][quantity]));
            assert!(slopes(&points).iter().all(|slope| (slope - 2.0).abs() < 0.2), "{all:?}");
        }
    }
    let top = Top {}.prepare::<f64>().expect("regular");
    check(&top, State::new(0.0, [1.0, 0.0, 0.0, 0.0], [0.0, 0.3, 0.2, 1.5]), 3);
    let filtered = Filtered { tau: 0.3 }.prepare::<f64>().expect("regular");
    check(&filtered, State::new(0.0, [0.5, 0.0], [0.2, 0.9]), 2);
    // What is fast is damped, in long steps.
    let fast = Filtered { tau: 1e-9 }.prepare::<f64>().expect("regular");
    let found = solve(
        &fast,
        State::new(0.0, [0.5, 0.0], [0.2, 0.9]),
        10.0,
        &GeneralizedAlpha::new(0.05, 0.8),
        &Options::default(),
    );
    let found = found.expect("it converges").last().expect("a state");
    assert!((found.v[1] - found.q[0].sin()).abs() < 1e-8, "{found:?}");
}

/// A bob on a rod, and one that hangs from it on a spring so stiff that steps of Newton's method from the guess alone would not converge.
#[test]
fn a_stiff_spring_acts_as_a_rod() {
    #[lagrangian {
        coordinates x[2], y[2];
        kinetic = (norm2(dot(x)) + norm2(dot(y)))/2;
        potential = 9.81*(x[1] + y[1]) + 1e9*(norm(y - x) - 1)^2/2;
        constraint rod: norm2(x) == 1;
    }]
    struct Hanging {}
    let start = State::new(0.0, [0.6, -0.8, 1.2, -1.6], [0.0; 4]);
    let system = Hanging {}.prepare::<f64>().expect("regular");
    let rods = Points {}.prepare::<f64>().expect("regular");
    let options = Options { rtol: 1e-10.into(), ..Options::default() };
    let exact = solve(&rods, start, 2.0, &Radau9::new(), &options).expect("smooth").last().expect("a state");
    let points = [0.01, 0.005, 0.0025].map(|h| {
        let found = solve(&system, start, 2.0, &GeneralizedAlpha::new(h, 0.8), &options).expect("it converges");
        let energies = found.states().map(|state| (system.energies_of(&state).energy + 9.81 * 2.4).abs());
        assert!(energies.fold(0.0, f64::max) < 0.05);
        (h, (found.last().expect("a state").q - exact.q).amax())
    });
    assert!(slopes(&points).iter().all(|slope| (slope - 2.0).abs() < 0.2), "{points:?}");
}

/// Inputs that jump at samples: the forces do too, and the auxiliary accelerations start anew.
#[test]
fn inputs_may_jump() {
    #[lagrangian {
        coordinates x, y;
        kinetic = (dot(x)^2 + dot(y)^2)/2;
        potential = 9.81*y;
        force x = push;
        constraint rod: x^2 + y^2 == 1;
    }]
    struct Pushed {
        #[input]
        push: f64,
    }
    let system = Pushed { push: 0.0 }.prepare::<f64>().expect("regular");
    let law = |t: f64, q: &SVector<f64, 2>, v: &SVector<f64, 2>| SVector::from([3.0 * (7.0 * t).sin() - q[0] - v[0]]);
    fn end<M: Method<f64, 2, 1>>(
        system: &impl System<f64, 2, 1, 1>,
        method: &M,
        controller: &mut impl Controller<f64, 2, 1>,
    ) -> State<f64, 2> {
        let options = Options { rtol: 1e-11.into(), ..Options::default() };
        let start = State::new(0.0, [0.6, -0.8], [0.0; 2]);
        solve_with(system, start, 2.0, method, &options, controller).expect("it converges").last().expect("a state")
    }
    let exact = end(&system, &Radau9::new(), &mut Sampled::new(0.1, law));
    // The last step before each sample is shorter than the others.
    let points = [0.03, 0.015, 0.0075].map(|h| {
        let found = end(&system, &GeneralizedAlpha::new(h, 0.7), &mut Sampled::new(0.1, law));
        (h, (found.q - exact.q).amax().max((found.v - exact.v).amax()))
    });
    assert!(slopes(&points).iter().all(|slope| (slope - 2.0).abs() < 0.25), "{points:?}");
}

#[test]
fn what_it_does_not_take_is_refused_by_name() {
    fn text<const N: usize, const C: usize>(system: &impl System<f64, N, C, 0>, radius: f64) -> String {
        let start = State::new(0.0, [1.0; N], [0.0; N]);
        let options = Options::default();
        let refused = solve(system, start, 1.0, &GeneralizedAlpha::new(0.1, radius), &options).expect_err("refused");
        refused.error.failure.to_string()
    }
    let spring = Spring { k: 1.0 }.prepare::<f64>().expect("regular");
    for radius in [-0.1, 1.1, f64::NAN] {
        assert_eq!(text(&spring, radius), "the method generalized-α needs a spectral radius ρ from 0 to 1");
    }
    #[lagrangian { coordinates x, y; kinetic = (dot(x)^2 + dot(y)^2)/2; constraint same: x == y; }]
    struct Tied {}
    let needs = "the method generalized-α needs a spectral radius ρ below 1 under constraints, where it is not stable without damping";
    assert_eq!(text(&Tied {}.prepare::<f64>().expect("regular"), 1.0), needs);
    #[lagrangian { coordinates x, y, a; kinetic = (dot(x)^2 + dot(y)^2 + dot(a)^2)/2; nonholonomic blade: dot(x)*sin(a) == dot(y)*cos(a); }]
    struct Blade {}
    let needs = "the method generalized-α needs constraints that are holonomic";
    assert_eq!(text(&Blade {}.prepare::<f64>().expect("regular"), 0.8), needs);
}

/// The table of the guide page on constraints.
#[test]
fn amplitudes_of_fast_and_slow_vibrations() {
    let amplitude = |omega: f64, radius: f64, count: usize| {
        let system = Spring { k: omega * omega }.prepare::<f64>().expect("regular");
        let start = State::new(0.0, [1.0], [0.0]);
        let found: Vec<(State<f64, 1>, SVector<f64, 0>)> =
            steps(&system, start, radius, std::iter::repeat_n(1.0, count));
        let (last, _) = found.last().expect("a step");
        last.q[0].hypot(last.v[0] / omega)
    };
    for (radius, fast, slow) in
        [(1.0, 1.0, 1.0), (0.9, 0.788, 0.99995), (0.8, 0.0106, 0.99957), (0.5, 7.5e-12, 0.9884), (0.0, 0.0, 0.739)]
    {
        let (found_fast, found_slow) = (amplitude(1e3, radius, 50), amplitude(0.1, radius, 6283));
        assert!((found_fast - fast).abs() <= 0.01 * fast + 1e-30, "{radius}: {found_fast}");
        assert!((found_slow - slow).abs() < 1e-3 * slow, "{radius}: {found_slow}");
    }
}
