//! Failures that derived mechanisms meet on their way: each ends in a stated way, with what was computed kept.

use lagrange_models::CartesianPendulum;
use lagrange_runtime::prelude::*;

/// A coordinate whose inertia vanishes at t = 1.
#[lagrangian {
    coordinates x, y;
    kinetic = dot(x)^2/2 + (c - t)*dot(y)^2/2;
}]
#[derive(Clone, Debug)]
struct Fading {
    c: f64,
}

/// A bob on a rod that is drawn in.
#[lagrangian {
    coordinates x, y;
    kinetic   = (dot(x)^2 + dot(y)^2)/2;
    potential = g*y;
    constraint rod: x^2 + y^2 == 1 - t;
}]
#[derive(Clone, Debug)]
struct Drawn {
    g: f64,
}

#[track_caller]
fn assert_kept<const N: usize>(failed: &PartialSolution<f64, N>, start: State<f64, N>) {
    assert_eq!(failed.solution.outcome, Outcome::Failed);
    assert_eq!(failed.solution.state(0), Some(start));
    assert_eq!(failed.solution.last(), Some(failed.error.state), "{failed}");
    assert_eq!(failed.solution.statistics, failed.error.statistics);
}

#[test]
fn a_mass_matrix_that_becomes_singular_names_the_coordinate() {
    let system = Fading { c: 1.0 }.prepare::<f64>().expect("valid");
    // The velocity of `y` is 0, so the motion is regular at all times but t = 1, at which one of these steps ends.
    let start = State::new(0.0, [0.0, 1.0], [1.0, 0.0]);
    let failed = solve(&system, start, 2.0, &Rk4::new(0.25), &Options::default()).expect_err("singular at 1 s");
    assert!(
        matches!(failed.error.failure, Failure::SingularMass(SingularMass { of: PivotOf::Coordinate(1), .. })),
        "{failed}"
    );
    assert!(failed.to_string().contains("coordinate `y`"), "{failed}");
    assert_eq!(failed.error.state.t, 0.75);
    assert_eq!(failed.solution.t, [0.0, 0.25, 0.5, 0.75]);
    assert_kept(&failed, start);
    // With a momentum, the velocity grows without bound: ẏ = p/(1 − t).
    let start = State::new(0.0, [0.0, 1.0], [1.0, 1.0]);
    let options = Options { max_steps: Some(10_000), ..Options::default() };
    macro_rules! check {
        ($($method:expr),*) => {$(
            let failed = solve(&system, start, 2.0, &$method, &options).expect_err("infinite at 1 s");
            let told = matches!(
                failed.error.failure,
                Failure::SingularMass(SingularMass { of: PivotOf::Coordinate(1), .. })
                    | Failure::StepTooSmall { .. }
                    | Failure::NotFinite { .. }
            );
            assert!(told, "{failed}");
            assert_kept(&failed, start);
            let last = failed.error.state;
            assert!((last.t - 1.0).abs() < 1e-6, "{failed}");
            let early = failed.solution.states().find(|state| state.t > 0.5).expect("states on the way");
            assert!((early.v[1] * (1.0 - early.t) - 1.0).abs() < 1e-4, "{early:?}");
        )*};
    }
    check!(DormandPrince5::new(), Dop853::new(), Verner9::new(), Extrapolation::new());
}

#[test]
fn a_constraint_that_cannot_be_met_any_more_is_named() {
    let system = Drawn { g: 9.81 }.prepare::<f64>().expect("valid");
    // d/dt (x² + y²) = −1: the bob hangs and is drawn in at half of that.
    let start = State::new(0.0, [0.0, -1.0], [0.6, 0.5]);
    let options = Options { max_steps: Some(20_000), ..Options::default() };
    macro_rules! check {
        ($($method:expr, $before:literal);*) => {$(
            let failed = solve(&system, start, 2.0, &$method, &options).expect_err("there is no rod after 1 s");
            let told = matches!(
                failed.error.failure,
                Failure::ConstraintFailed { constraint: "rod", .. }
                    | Failure::SingularMass(SingularMass { of: PivotOf::Constraint { name: "rod", .. }, .. })
                    | Failure::StepTooSmall { .. }
                    | Failure::NewtonFailed { .. }
                    | Failure::NotFinite { .. }
            );
            assert!(told, "{failed}");
            assert_kept(&failed, start);
            let last = failed.error.state;
            assert!(last.t > $before && last.t <= 1.0, "{failed}");
            // What was computed holds the constraint.
            for state in failed.solution.states() {
                assert!((state.q.norm_squared() - (1.0 - state.t)).abs() < 1e-9, "{state:?}");
            }
        )*};
    }
    check!(Projected::new(Tsitouras5::new()), 0.9; Projected::new(Rk4::new(0.03)), 0.5; Gauss::<f64, 2>::new(0.03), 0.5);
    let failed = solve(&system, start, 2.0, &Projected::new(Rk4::new(0.3)), &options).expect_err("a step across");
    let Failure::ConstraintFailed { constraint, .. } = failed.error.failure else { panic!("{failed}") };
    assert_eq!(constraint, "rod");
    assert!(failed.to_string().contains("constraint `rod` could not be met"), "{failed}");
}

#[test]
fn an_initial_state_off_the_constraints_is_named() {
    let system = CartesianPendulum::default().prepare::<f64>().expect("valid");
    let off = State::new(0.0, [1.1, 0.0], [0.0, 0.0]);
    let failed =
        solve(&system, off, 1.0, &Projected::new(Dop853::new()), &Options::default()).expect_err("off the rod");
    let Failure::InconsistentInitialState { constraint, hidden, .. } = failed.error.failure else { panic!("{failed}") };
    assert_eq!((constraint, hidden), ("rod", false));
    assert_kept_nothing(&failed, off);
    let moving = State::new(0.0, [1.0, 0.0], [0.1, 0.0]);
    let failed =
        solve(&system, moving, 1.0, &Projected::new(Dop853::new()), &Options::default()).expect_err("off the rod");
    assert!(matches!(failed.error.failure, Failure::InconsistentInitialState { hidden: true, .. }), "{failed}");
}

#[track_caller]
fn assert_kept_nothing<const N: usize>(failed: &PartialSolution<f64, N>, start: State<f64, N>) {
    assert!(failed.solution.is_empty());
    assert_eq!(failed.error.state, start);
}

#[test]
fn a_map_that_cannot_be_made_consistent_keeps_the_state_before_it() {
    let system = CartesianPendulum::default().prepare::<f64>().expect("valid");
    let lowest = |_: f64, q: &SVector<f64, 2>, _: &SVector<f64, 2>| q[0];
    for (bad, finite) in [(f64::NAN, false), (0.0, true)] {
        // At the hinge, the rod has no direction.
        let lose = move |state: &State<f64, 2>| State { q: SVector::from([bad, bad]), ..*state };
        let events = [Event::new(&lowest).mapping(&lose)];
        let options = Options { events: &events, ..Options::default() };
        let start = CartesianPendulum::released();
        let failed =
            solve(&system, start, 3.0, &Projected::new(Tsitouras5::new()), &options).expect_err("no rod at the hinge");
        let told = match failed.error.failure {
            Failure::NotFinite { .. } => !finite,
            Failure::VanishingGradient { constraint } => finite && constraint == "rod",
            _ => false,
        };
        assert!(told, "{failed}");
        assert!(failed.error.state.q[0].abs() < 1e-12 && failed.error.state.t > 0.5, "{failed}");
        assert_kept(&failed, start);
    }
}
