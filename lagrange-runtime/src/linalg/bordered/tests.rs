use super::super::orthogonal::PivotedQr;
use super::{NullSpace, Singular, solve};
use crate::scalar::{Dual, Lanes, Scalar};
use nalgebra::{Matrix3, Matrix4, RowVector3, SMatrix, SVector, Vector3};

/// Returns a deterministic number in (−1, 1).
fn entry(index: usize) -> f64 {
    libm::sin(1.7 * ((index + 1) * (index + 1)) as f64)
}

/// Returns a matrix of full rank that is close to the unit matrix.
fn mixed() -> Matrix4<f64> {
    Matrix4::from_fn(|i, j| if i == j { 1.5 } else { 0.0 } + entry(4 * i + j) / 2.0)
}

/// Returns a matrix of the given rank, and two constraints that make the bordered matrix regular.
fn example(rank: usize) -> (Matrix4<f64>, SMatrix<f64, 2, 4>) {
    let factor = Matrix4::from_fn(|i, j| if i < rank { mixed()[(i, j)] } else { 0.0 });
    (factor.transpose() * factor, SMatrix::from_fn(|i, j| entry(20 + 4 * i + j)))
}

fn residual<const K: usize>(
    (mass, border): &(Matrix4<f64>, SMatrix<f64, 2, 4>),
    (x, multipliers): &(SMatrix<f64, 4, K>, SMatrix<f64, 2, K>),
    right: &SMatrix<f64, 4, K>,
    prescribed: &SMatrix<f64, 2, K>,
) -> f64 {
    (mass * x - border.transpose() * multipliers - right).norm() + (border * x - prescribed).norm()
}

#[test]
fn both_ways_solve_the_bordered_equations() {
    let (right, prescribed) =
        (SMatrix::<f64, 4, 3>::from_fn(|i, j| entry(40 + 3 * i + j)), SMatrix::from_fn(|i, j| entry(60 + 3 * i + j)));
    for rank in [4, 3, 2] {
        let blocks = example(rank);
        let found = solve(&blocks.0, &blocks.1, &right, &prescribed).expect("regular");
        assert!(residual(&blocks, &found, &right, &prescribed) < 1e-12, "rank {rank}");
        let split = NullSpace::new(&blocks.0, &blocks.1).expect("regular").solve(&right, &prescribed);
        assert!(residual(&blocks, &split, &right, &prescribed) < 1e-12, "rank {rank}, by the free motions");
        assert!((found.0 - split.0).norm() + (found.1 - split.1).norm() < 1e-11);
    }
}

#[test]
fn an_indefinite_matrix_is_no_obstacle() {
    let mass = Matrix3::new(0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, -2.0);
    let border = RowVector3::new(0.0, 0.0, 1.0);
    let (right, prescribed) = (Vector3::new(1.0, 2.0, 3.0), SVector::from([0.5]));
    let (x, multipliers) = solve(&mass, &border, &right, &prescribed).expect("regular");
    assert!((x - Vector3::new(2.0, 1.0, 0.5)).norm() < 1e-15 && (multipliers[0] + 4.0).abs() < 1e-15);
}

#[test]
fn what_is_singular_is_named() {
    // The second coordinate moves freely and has no inertia.
    let mass = Matrix3::from_diagonal(&Vector3::new(1.0, 0.0, 1e-8));
    let border = RowVector3::new(1.0, 0.0, 1.0);
    let error = solve(&mass, &border, &Vector3::zeros(), &SVector::from([0.0])).expect_err("singular");
    assert!(matches!(error, Singular::Coordinate { coordinate: 1, .. }), "{error:?}");
    // This constraint determines the second coordinate. The bordered matrix is regular, however small the other inertia is.
    let border = RowVector3::new(1.0, 1.0, 0.0);
    assert!(solve(&mass, &border, &Vector3::zeros(), &SVector::from([0.0])).is_ok());
    // The motion (1, −1, 0), which is not along one coordinate, has no inertia.
    let mass = Matrix3::new(1.0, 1.0, 0.3, 1.0, 1.0, 0.3, 0.3, 0.3, 2.0);
    let border = RowVector3::new(0.1, 0.1, 0.7);
    let error = solve(&mass, &border, &Vector3::zeros(), &SVector::from([0.0])).expect_err("singular");
    assert!(matches!(error, Singular::Coordinate { coordinate: 0 | 1, .. }), "{error:?}");
    // The two constraints have parallel rows.
    let mass = Matrix3::identity();
    let border = SMatrix::<f64, 2, 3>::new(1.0, 2.0, 3.0, 0.1, 0.2, 0.3);
    let error = solve(&mass, &border, &Vector3::zeros(), &SVector::from([0.0, 0.0])).expect_err("redundant");
    assert!(matches!(error, Singular::Constraint { remainder, .. } if remainder < 1e-14), "{error:?}");
    // The second constraint is a row of zeros.
    let border = SMatrix::<f64, 2, 3>::new(1.0, 2.0, 3.0, 0.0, 0.0, 0.0);
    let error = solve(&mass, &border, &Vector3::zeros(), &SVector::from([0.0, 0.0])).expect_err("nothing held");
    assert_eq!(error, Singular::Constraint { constraint: 1, remainder: 0.0 });
}

#[test]
fn derivatives_and_lanes_pass_through() {
    type D = Dual<f64, 1>;
    let (mass, border) = example(3);
    let (right, prescribed) = (SVector::<f64, 4>::from_fn(|i, _| entry(40 + i)), SVector::<f64, 2>::from([0.3, 0.7]));
    let solved = |shift: f64| {
        let mass = mass + Matrix4::identity() * shift;
        solve(&mass, &border, &right, &prescribed).expect("regular")
    };
    let dual_mass =
        Matrix4::<D>::from_fn(|i, j| Dual { value: mass[(i, j)], derivatives: [if i == j { 1.0 } else { 0.0 }] });
    let lift = D::constant;
    let dual = NullSpace::new(&dual_mass, &border.map(lift)).expect("regular");
    let (x, multipliers) = dual.solve(&right.map(lift), &prescribed.map(lift));
    // The derivative solves K ∂(x, −λ) = −(x, 0).
    let exact = solve(&mass, &border, &-solved(0.0).0, &SVector::<f64, 2>::zeros()).expect("regular");
    assert!((x.map(|x| x.derivatives[0]) - exact.0).norm() < 1e-12);
    assert!((multipliers.map(|x| x.derivatives[0]) - exact.1).norm() < 1e-12);

    let (mass, border) = example(4);
    let lane = |x: f64| Lanes([x, f64::from_f64(x)]);
    let broken = Matrix4::from_fn(|i, j| Lanes([mass[(i, j)], 0.0]));
    let (x, _) = solve(&broken, &border.map(lane), &right.map(lane), &prescribed.map(lane)).expect("lanes never fail");
    let single = solve(&mass, &border, &right, &prescribed).expect("regular").0;
    let close = |(lanes, one): (&Lanes<f64, 2>, &f64)| (lanes.0[0] - one).abs() < 1e-13 * (1.0 + one.abs());
    assert!(x.iter().zip(&single).all(close) && x.iter().all(|lanes| lanes.0[1].is_nan()), "{x:?} {single}");
}

#[test]
fn the_orthogonal_factors_tell_rank_and_least_norm() {
    // The matrix has three columns in two dimensions. One column has other units.
    let columns = SMatrix::<f64, 2, 3>::new(1.0, 1e9, 2.0, 1.0, -1e9, 2.0);
    let qr = PivotedQr::new(&columns, 1e-12);
    assert_eq!((qr.rank(), qr.dependent().count()), (2, 1));
    assert_ne!(qr.dependent().next(), Some(1), "the column in other units is independent");
    let tall = SMatrix::<f64, 4, 2>::from_fn(|i, j| entry(i + 4 * j));
    let qr = PivotedQr::new(&tall, 1e-12);
    let unit = Matrix4::<f64>::identity();
    assert!((qr.rotate_back(qr.rotate(unit)) - unit).norm() < 1e-15);
    let x = qr.least_norm(&SVector::<f64, 2>::from([1.0, -2.0]));
    assert!((tall.transpose() * x - SVector::<f64, 2>::from([1.0, -2.0])).norm() < 1e-14);
    // The solution is in the span of the columns.
    let coefficients = (tall.transpose() * tall).try_inverse().expect("regular") * (tall.transpose() * x);
    assert!((tall * coefficients - x).norm() < 1e-13);
    let broken = PivotedQr::new(&tall.map(|_| f64::NAN), 1e-12).least_norm(&SVector::<f64, 2>::zeros());
    assert!(broken.iter().all(|x| x.is_nan()));
}

/// The inertia of a ball that a quaternion turns, which no rate of its length has, at orientations near the unit one: there the rates of the
/// real part, of x and of y leave small pivots one after the other, and the pivot of z is rounding that these magnify.
#[test]
fn rounding_behind_several_small_pivots_is_no_pivot() {
    for exponent in 0..400 {
        let t = libm::exp2(-f64::from(exponent) / 10.0);
        let (x, y, z) = (0.3 * t, 0.1 * t * t, 0.05 * t * t * t);
        let w = libm::sqrt(1.0 - x * x - y * y - z * z);
        let turn = SMatrix::<f64, 3, 4>::from_row_slice(&[-x, w, z, -y, -y, -z, w, x, -z, y, -x, w]);
        let (mass, border) = (turn.transpose() * turn, SMatrix::<f64, 1, 4>::new(w, x, y, z));
        let (right, prescribed) = (SVector::<f64, 4>::new(0.1, 0.4, -0.7, 0.2), SVector::<f64, 1>::new(-0.9));
        let solution = solve(&mass, &border, &right, &prescribed).expect("a regular matrix");
        let (rest, fixed) =
            (mass * solution.0 - border.transpose() * solution.1 - right, border * solution.0 - prescribed);
        assert!(rest.amax() + fixed.amax() < 1e-7, "{exponent}: {rest} {fixed}");
    }
}
