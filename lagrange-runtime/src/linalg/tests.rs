//! The factorisations are checked by their residuals, against nalgebra's decompositions, and on matrices that are singular by
//! construction.

use super::blocks::{BlockLu, BlockVector, Blocks, Table};
use super::complex::ComplexLu;
use super::indefinite;
use super::ldlt::Ldlt;
use super::lu::Lu;
use super::solve_symmetric;
use crate::error::{PivotOf, SingularMass};
use crate::scalar::reference::Numbers;
use crate::scalar::{DoubleDouble, Dual, Lanes, Scalar};
use nalgebra::{Matrix2, Matrix3, SMatrix, SVector, Vector1, Vector2, Vector3};

fn random<const N: usize, const K: usize>(numbers: &mut Numbers) -> SMatrix<f64, N, K> {
    SMatrix::from_fn(|_, _| numbers.next().unwrap())
}

/// Returns the matrix with each coordinate in its own unit. The units are powers of two, at most 18 decimal orders apart.
fn in_units<const N: usize>(m: SMatrix<f64, N, N>, numbers: &mut Numbers) -> SMatrix<f64, N, N> {
    let units = SVector::<f64, N>::from_fn(|_, _| libm::exp2(libm::round(30.0 * numbers.next().unwrap())));
    SMatrix::from_fn(|i, j| m[(i, j)] * units[i] * units[j])
}

fn hilbert<const N: usize>() -> SMatrix<f64, N, N> {
    SMatrix::from_fn(|i, j| 1.0 / (i + j + 1) as f64)
}

/// Returns the lower triangle, which is all that factorisations may read.
fn lower<const N: usize>(m: &SMatrix<f64, N, N>) -> SMatrix<f64, N, N> {
    SMatrix::from_fn(|i, j| if i >= j { m[(i, j)] } else { 1e30 })
}

/// Returns the largest of |M x − b|, relative to |M||x| + |b|. A backward stable solution gives a few N·ε.
fn residual<const N: usize, const K: usize>(
    m: &SMatrix<f64, N, N>,
    x: &SMatrix<f64, N, K>,
    b: &SMatrix<f64, N, K>,
) -> f64 {
    (m * x - b).abs().component_div(&(m.abs() * x.abs() + b.abs())).max()
}

/// Returns the largest difference between two solutions, relative to the effect of rounding M: |M⁻¹||M||x| ε.
fn difference<const N: usize, const K: usize>(
    m: &SMatrix<f64, N, N>,
    inverse: &SMatrix<f64, N, N>,
    x: &SMatrix<f64, N, K>,
    other: &SMatrix<f64, N, K>,
) -> f64 {
    let sensitivity = inverse.abs() * m.abs() * other.abs() * f64::EPSILON;
    (x - other).abs().component_div(&sensitivity).max()
}

/// Runs a check for each of these sizes, because nalgebra's decompositions are not generic in the size.
macro_rules! for_sizes {
    ($check:ident: $($size:literal)*) => {$(
        $check!($size);
    )*};
}

#[test]
fn positive_definite_matrices_are_solved_without_pivoting() {
    macro_rules! check {
        ($n:literal) => {
            let mut numbers = Numbers($n);
            for _ in 0..100 {
                let a = random::<$n, $n>(&mut numbers);
                let m = in_units(a.transpose() * a + SMatrix::identity() * 0.01, &mut numbers);
                let b = random::<$n, 3>(&mut numbers);
                let x = Ldlt::new(&lower(&m)).unwrap().solve(&b);
                assert!(residual(&m, &x, &b) < 2.0 * f64::from($n) * f64::EPSILON);
                let cholesky = m.cholesky().unwrap();
                assert!(difference(&m, &cholesky.inverse(), &x, &cholesky.solve(&b)) < 4.0 * f64::from($n));
                assert_eq!(solve_symmetric(&m, b), Ok(x));
            }
        };
    }
    for_sizes!(check: 1 2 3 6 12);
}

#[test]
fn indefinite_matrices_are_solved_with_pivoting() {
    macro_rules! check {
        ($n:literal) => {
            let mut numbers = Numbers(100 + $n);
            for round in 0..100 {
                let a = random::<$n, $n>(&mut numbers);
                let mut m = a + a.transpose();
                if round % 2 == 0 {
                    m.fill_diagonal(0.0);
                }
                let b = random::<$n, 3>(&mut numbers);
                let x = indefinite::solve(&lower(&m), b).unwrap();
                let (inverse, other) = (m.full_piv_lu().try_inverse().unwrap(), m.full_piv_lu().solve(&b).unwrap());
                assert!((m * x - b).norm() < 4.0 * f64::from($n) * f64::EPSILON * m.norm() * x.norm());
                assert!((x - other).norm() < f64::from($n) * f64::EPSILON * m.norm() * inverse.norm() * x.norm());
                // A change of units multiplies the solution by powers of two. The pivots may differ.
                let scaled = in_units(m, &mut numbers);
                let unit = |i: usize| scaled.column(i).abs().max();
                let x = solve_symmetric(&scaled, SVector::from_fn(|i, _| unit(i))).unwrap();
                let worst = (0..$n)
                    .map(|i| ((scaled.row(i) * x)[0] - unit(i)).abs() / scaled.row(i).abs().dot(&x.abs().transpose()));
                assert!(worst.fold(0.0, f64::max) < 1e-12);
            }
        };
    }
    for_sizes!(check: 2 3 4 7 12);
}

#[test]
fn coupled_velocities_without_squares() {
    // The Lagrangian L = m ẋẏ − … has M = [[0, m], [m, 0]].
    for mass in [3.0, -2.0, 1e-200, 1e200] {
        let m = Matrix2::new(0.0, mass, mass, 0.0);
        let x = solve_symmetric(&m, Vector2::new(mass, 5.0 * mass)).unwrap();
        assert!((x - Vector2::new(5.0, 1.0)).abs().max() < 2e-15);
    }
}

#[test]
fn both_kinds_of_pivots_in_one_matrix() {
    let m = Matrix3::new(0.0, 1.0, 2.0, 1.0, 0.0, 3.0, 2.0, 3.0, 4.0);
    let x = Vector3::new(1.0, -2.0, 3.0);
    let solution = solve_symmetric(&m, m * x).unwrap();
    assert!((solution - x).abs().max() < 1e-14);
}

#[test]
fn the_vanishing_coordinate_is_named() {
    let named = |m: Matrix3<f64>| solve_symmetric(&m, Vector3::new(1.0, 2.0, 3.0)).unwrap_err().of;
    assert_eq!(named(Matrix3::from_diagonal(&Vector3::new(0.0, 5.0, 1.0))), PivotOf::Coordinate(0));
    assert_eq!(named(Matrix3::from_diagonal(&Vector3::new(2.0, 0.0, 1.0))), PivotOf::Coordinate(1));
    assert_eq!(named(Matrix3::from_diagonal(&Vector3::new(1e-300, 1e300, 0.0))), PivotOf::Coordinate(2));
    // Of the first two coordinates only the sum has inertia. The second coordinate has no pivot of its own.
    assert_eq!(named(Matrix3::new(1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 7.0)), PivotOf::Coordinate(1));
    // This matrix is indefinite and singular.
    assert_eq!(named(Matrix3::new(0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0)), PivotOf::Coordinate(2));
    assert_eq!(named(Matrix3::zeros()), PivotOf::Coordinate(0));
}

#[test]
fn the_vanishing_pivot_is_told_in_the_matrix_units() {
    let m = Matrix2::new(1e8, 1e8, 1e8, 1e8 * (1.0 + f64::EPSILON));
    let SingularMass { of, pivot } = solve_symmetric(&m, Vector2::zeros()).unwrap_err();
    // Complete pivoting begins with the larger diagonal entry.
    assert_eq!(of, PivotOf::Coordinate(0));
    assert!(pivot.abs() < 1e8 * 4.0 * f64::EPSILON && pivot != 0.0);
}

#[test]
fn matrices_of_deficient_rank_are_singular() {
    let mut numbers = Numbers(7);
    for _ in 0..100 {
        // Four combinations of six coordinates have inertia. The entries are small integers, so that products are exact.
        let mut a = random::<4, 6>(&mut numbers).map(|entry| libm::round(3.0 * entry));
        a.fixed_columns_mut::<4>(0).fill_with_identity();
        let m = in_units(a.transpose() * a, &mut numbers);
        let SingularMass { of, .. } = Ldlt::new(&m).unwrap_err();
        assert_eq!(of, PivotOf::Coordinate(4));
        assert!(solve_symmetric(&m, SVector::repeat(1.0)).is_err());
        let mut signs = SMatrix::<f64, 4, 4>::identity();
        signs[(0, 0)] = -1.0;
        let m = in_units(a.transpose() * signs * a, &mut numbers);
        assert!(solve_symmetric(&m, SVector::repeat(1.0)).is_err());
    }
}

#[test]
fn ill_conditioned_matrices_are_solved_until_rounding_hides_them() {
    let ones = SVector::repeat(1.0);
    let m = hilbert::<8>();
    assert!(residual(&m, &solve_symmetric(&m, ones).unwrap(), &ones) < 8.0 * f64::EPSILON);
    assert!(solve_symmetric(&hilbert::<16>(), SVector::repeat(1.0)).is_err());
    // With more digits the same matrix is regular.
    let wide = SMatrix::<DoubleDouble, 16, 16>::from_fn(|i, j| DoubleDouble::from_f64((i + j + 1) as f64).recip());
    let x = solve_symmetric(&wide, SVector::repeat(DoubleDouble::ONE)).unwrap();
    // The entries of the inverse Hilbert matrix sum to N².
    let sum = x.iter().fold(DoubleDouble::ZERO, |sum, &entry| sum + entry);
    assert!((sum.to_f64() - 256.0).abs() < 1e-3);
}

#[test]
fn what_is_not_finite_stays_so_without_an_error() {
    for value in [f64::NAN, f64::INFINITY] {
        for m in [Matrix2::new(1.0, value, value, 2.0), Matrix2::new(value, 0.0, 0.0, 1.0), Matrix2::repeat(value)] {
            let x = solve_symmetric(&m, Vector2::new(1.0, 1.0)).unwrap();
            assert!(x.iter().any(|entry| !entry.is_finite() || *entry == 0.0));
            assert!(indefinite::solve(&m, Vector2::new(1.0, 1.0)).unwrap()[0].is_nan());
            let x = Lu::new(m).unwrap().solve(&Vector2::new(1.0, 1.0));
            assert!(x.iter().any(|entry| entry.is_nan() || *entry == 0.0));
        }
    }
}

#[test]
fn a_failed_lane_is_not_a_number_and_leaves_the_others_alone() {
    let lanes = [
        Matrix2::new(2.0, 1.0, 1.0, 3.0),
        Matrix2::new(1.0, 1.0, 1.0, 1.0),
        Matrix2::new(0.0, 1.0, 1.0, 0.0),
        Matrix2::new(5.0, 0.0, 0.0, 1e-9),
    ];
    let right = Vector2::new(1.0, 2.0);
    let m = Matrix2::from_fn(|i, j| Lanes(lanes.map(|lane| lane[(i, j)])));
    let x = solve_symmetric(&m, right.map(Lanes::<f64, 4>::from_f64)).unwrap();
    for (lane, matrix) in lanes.iter().enumerate() {
        let found = x.map(|entry| entry.0[lane]);
        match Ldlt::new(matrix) {
            Ok(factors) => assert_eq!(found, factors.solve(&right)),
            Err(_) => assert!(found.iter().all(|entry| entry.is_nan()), "lane {lane}: {found}"),
        }
    }
    assert!(Ldlt::new(&lanes[1]).is_err() && Ldlt::new(&lanes[2]).is_err());
}

#[test]
fn solutions_carry_derivatives() {
    // If M(s) = M₀ + s M₁ and M x = b, then M x′ = −M₁ x. One matrix is definite and the other is not.
    let slope = Matrix2::new(1.0, 0.5, 0.5, -2.0);
    for m in [Matrix2::new(4.0, 1.0, 1.0, 3.0), Matrix2::new(0.0, 2.0, 2.0, 0.0)] {
        let b = Vector2::new(1.0, 2.0);
        let dual = Matrix2::from_fn(|i, j| Dual { value: m[(i, j)], derivatives: [slope[(i, j)]] });
        let x = solve_symmetric(&dual, b.map(Dual::<f64, 1>::from_f64)).unwrap();
        let values = solve_symmetric(&m, b).unwrap();
        let derivatives = solve_symmetric(&m, -(slope * values)).unwrap();
        assert!((x.map(|entry| entry.value) - values).abs().max() < 1e-15);
        assert!((x.map(|entry| entry.derivatives[0]) - derivatives).abs().max() < 1e-14);
    }
}

#[test]
fn general_matrices_are_solved() {
    macro_rules! check {
        ($n:literal) => {
            let mut numbers = Numbers(200 + $n);
            for _ in 0..100 {
                let a = random::<$n, $n>(&mut numbers);
                let b = random::<$n, 2>(&mut numbers);
                let x = Lu::new(a).unwrap().solve(&b);
                let other = a.lu();
                assert!((a * x - b).norm() < f64::from($n) * f64::EPSILON * a.norm() * x.norm());
                assert!(difference(&a, &other.try_inverse().unwrap(), &x, &other.solve(&b).unwrap()) < 40.0);
            }
        };
    }
    for_sizes!(check: 1 2 3 6 12);
}

#[test]
fn units_do_not_make_a_general_matrix_singular() {
    let m = Matrix2::new(1.0, 1e20, 0.0, 1.0);
    assert_eq!(Lu::new(m).unwrap().solve(&Vector2::new(1e20, 1.0)), Vector2::new(0.0, 1.0));
    let m = Matrix2::new(0.0, 1e-150, 1e150, 0.0);
    assert_eq!(Lu::new(m).unwrap().solve(&Vector2::new(1e-150, 1e150)), Vector2::new(1.0, 1.0));
}

#[test]
fn the_undetermined_unknown_is_named() {
    let m = Matrix3::new(1.0, 2.0, 1.0, 3.0, 6.0, 0.0, -1.0, -2.0, 5.0);
    assert_eq!(Lu::new(m).unwrap_err().of, PivotOf::Coordinate(1));
    assert_eq!(Lu::new(Matrix3::<f64>::zeros()).unwrap_err(), SingularMass::at(0, 0.0));
    let nearly = Matrix2::new(0.1, 0.2, 0.3, 0.6);
    let error = Lu::new(nearly).unwrap_err();
    assert_eq!(error.of, PivotOf::Coordinate(1));
    assert!(error.pivot.abs() < 1e-15);
}

#[test]
fn nothing_to_solve_is_solved() {
    let empty = SMatrix::<f64, 0, 0>::zeros();
    assert_eq!(solve_symmetric(&empty, SVector::<f64, 0>::zeros()), Ok(SVector::zeros()));
    assert!(Lu::new(empty).is_ok());
}

#[test]
fn blocks_are_solved_as_the_matrix_that_they_make() {
    let mut numbers = Numbers(17);
    for _ in 0..50 {
        let matrix: SMatrix<f64, 7, 7> = random(&mut numbers);
        let right: SVector<f64, 7> = random(&mut numbers);
        let blocks = Blocks::<f64, 2, 3, 1> {
            core: core::array::from_fn(|i| core::array::from_fn(|j| matrix.fixed_view::<2, 2>(2 * i, 2 * j).into())),
            right: core::array::from_fn(|i| matrix.fixed_view::<2, 1>(2 * i, 6).into()),
            below: core::array::from_fn(|j| matrix.fixed_view::<1, 2>(6, 2 * j).into()),
            corner: matrix.fixed_view::<1, 1>(6, 6).into(),
        };
        let core = core::array::from_fn(|i| right.fixed_rows::<2>(2 * i).into());
        let solution = BlockLu::new(blocks).unwrap().solve(&BlockVector { core, border: Vector1::new(right[6]) });
        let flat =
            SVector::<f64, 7>::from_fn(|i, _| if i < 6 { solution.core[i / 2][i % 2] } else { solution.border[0] });
        assert!(residual(&matrix, &flat, &right) < 1e-13);
        assert!((flat - Lu::new(matrix).unwrap().solve(&right)).amax() <= 1e-9 * flat.amax());
    }
}

/// Larger blocks are eliminated column by column, without the columns that a row with zeros leaves as they are.
#[test]
fn larger_blocks_are_solved_as_the_matrix_that_they_make() {
    fn check<const N: usize, const S: usize, const C: usize, const SIZE: usize>(numbers: &mut Numbers, filled: f64) {
        let full: SMatrix<f64, SIZE, SIZE> = random(numbers);
        let kept: SMatrix<f64, SIZE, SIZE> = random(numbers);
        let matrix =
            SMatrix::<f64, SIZE, SIZE>::from_fn(
                |i, j| {
                    if i == j || kept[(i, j)].abs() < filled { full[(i, j)] } else { 0.0 }
                },
            );
        let right: SVector<f64, SIZE> = random(numbers);
        let Ok(lu) = Lu::new(matrix) else { return };
        let blocks = Blocks::<f64, N, S, C> {
            core: core::array::from_fn(|i| core::array::from_fn(|j| matrix.fixed_view::<N, N>(N * i, N * j).into())),
            right: core::array::from_fn(|i| matrix.fixed_view::<N, C>(N * i, N * S).into()),
            below: core::array::from_fn(|j| matrix.fixed_view::<C, N>(N * S, N * j).into()),
            corner: matrix.fixed_view::<C, C>(N * S, N * S).into(),
        };
        let vector = |x: &SVector<f64, SIZE>| BlockVector {
            core: core::array::from_fn(|i| x.fixed_rows::<N>(N * i).into()),
            border: x.fixed_rows::<C>(N * S).into(),
        };
        let flat = |x: &BlockVector<f64, N, S, C>| SVector::<f64, SIZE>::from_fn(|i, _| x.get(i));
        let exact = lu.solve(&right);
        let solution = flat(&BlockLu::new(blocks).unwrap().solve(&vector(&right)));
        assert!(residual(&matrix, &solution, &right) < 1e-13);
        assert!((solution - exact).amax() <= 1e-9 * exact.amax(), "{solution} instead of {exact}");
    }
    let mut numbers = Numbers(23);
    for filled in [0.1, 0.3, 1.0] {
        for _ in 0..50 {
            check::<5, 1, 0, 5>(&mut numbers, filled);
            check::<8, 1, 0, 8>(&mut numbers, filled);
            check::<13, 1, 2, 15>(&mut numbers, filled);
            check::<5, 3, 1, 16>(&mut numbers, filled);
        }
    }
}

#[test]
fn sparse_complex_matrices_are_solved() {
    let mut numbers = Numbers(29);
    for filled in [0.1, 0.3, 1.0] {
        for _ in 0..50 {
            let [full, kept]: [SMatrix<f64, 9, 9>; 2] = [random(&mut numbers), random(&mut numbers)];
            let im: SMatrix<f64, 9, 9> = random(&mut numbers);
            let is_kept = |i: usize, j: usize| i == j || kept[(i, j)].abs() < filled;
            let [re, im] =
                [full, im].map(|m| SMatrix::<f64, 9, 9>::from_fn(|i, j| if is_kept(i, j) { m[(i, j)] } else { 0.0 }));
            let [x, y]: [SVector<f64, 9>; 2] = [random(&mut numbers), random(&mut numbers)];
            let [right_re, right_im] = [re * x - im * y, re * y + im * x];
            let block = |m: &SMatrix<f64, 9, 9>| Blocks::<f64, 7, 1, 2> {
                core: [[m.fixed_view::<7, 7>(0, 0).into()]],
                right: [m.fixed_view::<7, 2>(0, 7).into()],
                below: [m.fixed_view::<2, 7>(7, 0).into()],
                corner: m.fixed_view::<2, 2>(7, 7).into(),
            };
            let vector = |x: &SVector<f64, 9>| BlockVector {
                core: [x.fixed_rows::<7>(0).into()],
                border: x.fixed_rows::<2>(7).into(),
            };
            let factors = ComplexLu::weighted([block(&re), block(&im)], Table::new(1.0)).unwrap();
            let [found_re, found_im] = factors.solve([vector(&right_re), vector(&right_im)]);
            for i in 0..9 {
                let off = (found_re.get(i) - x[i]).abs() + (found_im.get(i) - y[i]).abs();
                assert!(off < 1e-8, "{filled}: {off:e}");
            }
        }
    }
}

#[test]
fn units_of_lengths_and_multipliers_decide_about_no_pivot() {
    // A point in a groove s y = x²/2 and a follower of 2 x, all of mass 1: multipliers of the first row are forces over s.
    let bordered = |rows: [[f64; 3]; 2]| {
        let border = SMatrix::<f64, 2, 3>::from_fn(|k, i| rows[k][i]);
        Blocks::<f64, 3, 1, 2> {
            core: [[SMatrix::identity()]],
            right: [-border.transpose()],
            below: [border],
            corner: SMatrix::repeat(0.0),
        }
    };
    for s in [1e-24, 1e-12, 1.0, 1e12, 1e18, 1e24] {
        for x in [0.0, 1e-3 * s, 0.1 * s, s] {
            let rows = [[-x, s, 0.0], [-2.0, 0.0, 1.0]];
            let (moved, multipliers) = ([1.5 * s, -0.5 * s, 2.5 * s], [0.75, -1.25 * s]);
            let pushed = |i: usize| moved[i] - rows[0][i] * multipliers[0] - rows[1][i] * multipliers[1];
            let rates = rows.map(|row| (0..3).map(|i| row[i] * moved[i]).sum::<f64>());
            let right = BlockVector { core: [SVector::from_fn(|i, _| pushed(i))], border: rates.into() };
            let found = BlockLu::new(bordered(rows)).unwrap().solve(&right);
            let off = found.core[0] / s - SVector::from(moved) / s;
            assert!(off.amax() < 1e-14, "{s:e}, {x:e}: {off}");
            let off = [found.border[0] - multipliers[0], (found.border[1] - multipliers[1]) / s];
            assert!(off.iter().all(|off| off.abs() < 1e-14), "{s:e}, {x:e}: {off:?}");
            // A multiple of the first row, in any unit, depends on it.
            for by in [1e-20, 3.0, 1e20] {
                let error = BlockLu::new(bordered([rows[0], rows[0].map(|entry| entry * by)])).unwrap_err();
                assert!(matches!(error.of, PivotOf::Coordinate(3 | 4)), "{s:e}, {x:e}, {by:e}: {error:?}");
            }
        }
    }
}

#[test]
fn blocks_of_deficient_rank_name_the_unknown_within_its_block() {
    let ones = SMatrix::<f64, 2, 2>::repeat(1.0);
    let identity = SMatrix::<f64, 2, 2>::identity();
    let zero = SMatrix::<f64, 2, 2>::repeat(0.0);
    let error = BlockLu::new(Blocks::<f64, 2, 2, 0>::of([[identity, zero], [zero, ones]])).unwrap_err();
    assert_eq!((error.of, error.pivot), (PivotOf::Coordinate(1), 0.0));
    let border = BlockLu::new(Blocks::<f64, 2, 1, 1>::of([[identity]])).unwrap_err();
    assert_eq!((border.of, border.pivot), (PivotOf::Coordinate(2), 0.0));
    let unknown = BlockLu::new(Blocks::<f64, 2, 2, 0>::of([[identity * f64::NAN, zero], [zero, ones]])).unwrap();
    let right = BlockVector { core: [Vector2::repeat(1.0); 2], border: SVector::repeat(0.0) };
    assert!(unknown.solve(&right).core[1][0].is_nan());
}
