//! Constraints that depend on others: named at run time, and solved by least norm.

use super::mechanisms::RedundantBead;
use lagrange_models::{FourBarLinkage, Parallelogram};
use lagrange_runtime::prelude::*;

const NONE: [f64; 0] = [];

#[test]
fn a_redundant_crank_is_named_and_shares_the_load() {
    let model = Parallelogram::default();
    let system = model.prepare::<f64>().expect("valid");
    let State { t, q, v } = Parallelogram::released();
    let rank = Rank::at(&system, t, &q, 1e-10);
    assert_eq!((rank.rank, rank.redundant().len()), (2, 1));
    let names = system.constraints();
    assert!(names.contains(&rank.redundant()[0]) && rank.remainder < 1e-15);

    let refused = system.acceleration(t, &q, &v, &SVector::from(NONE)).expect_err("one crank too many");
    assert!(matches!(refused.of, PivotOf::Constraint { name, .. } if names.contains(&name)), "{refused}");
    let failure =
        solve(&system, Parallelogram::released(), 1.0, &Rk4::new(1e-2), &Options::default()).expect_err("same");
    assert!(failure.to_string().contains("redundant"), "{failure}");

    let shared = LeastNorm::new(&system, 1e-10);
    let found = shared.acceleration(t, &q, &v, &SVector::from(NONE)).expect("consistent");
    let (sin, cos) = 1.0_f64.sin_cos();
    let along = -model.g * sin;
    let exact = SVector::from([along * cos, along * sin, 0.0]);
    assert!((found.acceleration - exact).norm() < 1e-14, "{}", found.acceleration);
    // By symmetry each crank carries a third of m g cos θ.
    let share = -model.m * model.g * cos / 3.0;
    assert!(found.multipliers.iter().all(|multiplier| (multiplier - share).abs() < 1e-14), "{}", found.multipliers);
    // Out of the level position all three count.
    assert_eq!(Rank::at(&system, 0.0, &SVector::from([0.8, -0.6, 0.1]), 1e-10).rank, 3);
}

#[test]
fn a_redundant_set_moves_like_a_pendulum() {
    let model = Parallelogram::default();
    let system = model.prepare::<f64>().expect("valid");
    let shared = LeastNorm::new(&system, 1e-8);
    let method = Projected::new(Rk4::new(1e-3));
    let pendulum = lagrange_models::CartesianPendulum { l: model.r, ..Default::default() };
    let period = pendulum.period(1.0);
    let solution = solve(&shared, Parallelogram::released(), period, &method, &Options::default()).expect("consistent");
    let last = solution.last().expect("there are steps");
    assert!((last.q - Parallelogram::released().q).norm() < 1e-10, "{}", last.q);
    assert!(last.q[2].abs() < 1e-14);
}

#[test]
fn contradictions_are_told_from_redundancy() {
    // The platform's middle has a shorter crank than its ends: with φ = 0 the three constraints contradict each other.
    let system = Parallelogram::default().prepare::<f64>().expect("valid");
    let (sin, cos) = 1.0_f64.sin_cos();
    let turning = SVector::from([cos, sin, 0.5]);
    let q = SVector::from([sin, -cos, 0.0]);
    let shared = LeastNorm::new(&system, 1e-10);
    let refused = shared.acceleration(0.0, &q, &turning, &SVector::from(NONE)).expect_err("γ is not in G's range");
    assert!(matches!(refused.of, PivotOf::Constraint { .. }) && refused.pivot.abs() > 1e-3, "{refused}");
}

#[test]
fn a_linkage_at_its_dead_point_is_named() {
    // A parallelogram of a = c and b = base, flat: it may continue as a parallelogram or crossed.
    let model = FourBarLinkage { a: 0.3, b: 0.6, c: 0.3, base: 0.6, ..Default::default() };
    let system = model.prepare::<f64>().expect("valid");
    let flat = SVector::from([0.0, 0.0, 0.0]);
    let rank = Rank::at(&system, 0.0, &flat, 1e-10);
    assert_eq!(rank.rank, 1);
    assert_eq!(rank.redundant(), ["closure[0]"]);
    let refused = system.acceleration(0.0, &flat, &flat, &SVector::from([1.0])).expect_err("singular");
    assert!(matches!(refused.of, PivotOf::Constraint { name: "closure[0]", .. }), "{refused}");
    assert_eq!(Rank::at(&system, 0.0, &SVector::from([0.5, 0.0, 0.5]), 1e-10).rank, 2);
}

/// A parallelogram of a = c and b = base without gravity or torque: as a parallelogram, crank and rocker turn alike, and the
/// coupler moves without turning. Its kinetic energy is then that of a constant rate.
fn folding() -> FourBarLinkage {
    FourBarLinkage { a: 0.3, b: 0.6, c: 0.3, base: 0.6, ..Default::default() }
}

#[test]
fn a_linkage_passes_its_dead_points_into_the_branch_along_which_it_came() {
    let system = folding().prepare::<f64>().expect("valid");
    let shared = LeastNorm::new(&system, 1e-4);
    let (start, rate, end) = (0.5, 5.0, 20.0);
    let initial = State::new(0.0, [start, 0.0, start], [rate, 0.0, rate]);
    let exact = SVector::from([start + rate * end, 0.0, start + rate * end]);
    // 32 dead points. The evaluations are those of a smooth motion.
    let fixed = solve(&shared, initial, end, &Projected::new(Rk4::new(1e-3)), &Options::default()).expect("passes");
    let last = fixed.last().expect("there are steps");
    assert!((last.q - exact).norm() < 1e-9, "{}", last.q - exact);
    let options = Options { rtol: 1e-9.into(), atol: 1e-9.into(), ..Options::default() };
    let adaptive = solve(&shared, initial, end, &Projected::new(Dop853::new()), &options).expect("passes");
    let last = adaptive.last().expect("there are steps");
    assert!((last.q - exact).norm() < 1e-6, "{}", last.q - exact);
    assert!(adaptive.statistics.evaluations < 5_000, "{:?}", adaptive.statistics);
}

#[test]
fn accelerations_are_smooth_where_constraints_lose_rank() {
    // States through the dead point, off their branch by as little as steps leave: accelerations of neighbours differ little.
    let system = folding().prepare::<f64>().expect("valid");
    let tolerance = 1e-4;
    let shared = LeastNorm::new(&system, tolerance);
    let at = |angle: f64| {
        let (q, v) = (SVector::from([angle, 1e-14, angle]), SVector::from([5.0, 0.0, 5.0]));
        shared.acceleration(0.0, &q, &v, &SVector::from([1.0])).expect("consistent").acceleration
    };
    let steps = 4000;
    let angle = |k: i32| 20.0 * tolerance * f64::from(k) / f64::from(steps);
    let size = at(0.5).norm();
    for k in -steps..steps {
        let change = (at(angle(k + 1)) - at(angle(k))).norm();
        assert!(change < 0.02 * size, "{change:e} of {size:e} at {:e}", angle(k));
    }
    // Far from it, the constraints are met to rounding.
    let q = SVector::from([0.5, 0.0, 0.5]);
    let v = SVector::from([5.0, 0.0, 5.0]);
    let exact = system.acceleration(0.0, &q, &v, &SVector::from([1.0])).expect("regular");
    let found = shared.acceleration(0.0, &q, &v, &SVector::from([1.0])).expect("regular");
    assert!((found.acceleration - exact.acceleration).norm() < 1e-13 * size, "{}", found.acceleration);
    assert!((found.multipliers - exact.multipliers).norm() < 1e-12 * exact.multipliers.norm());
}

/// Beads on circles in planes of all directions, with units of length and time from 1e-9 to 1e9, and the unit of time.
fn beads() -> impl Iterator<Item = (RedundantBead, f64)> {
    let planes = [(0.0, 0.0), (1.3, 0.0), (0.0, 1.3), (0.7, 2.1), (2.4, -0.9)];
    let units = [(1.0, 1.0), (1e-9, 1.0), (1e9, 1.0), (1.0, 1e-9), (1.0, 1e9), (1e9, 1e-9), (1e-9, 1e9)];
    planes.into_iter().flat_map(move |(turn, tilt)| {
        units.into_iter().map(move |(length, time)| {
            let along = [f64::cos(turn), f64::sin(turn), 0.0];
            let beside = [-f64::sin(turn) * f64::cos(tilt), f64::cos(turn) * f64::cos(tilt), f64::sin(tilt)];
            let g = 9.81 * length / (time * time);
            (RedundantBead { m: 2.0, g, l: length, shift: 0.0, along, beside }, time)
        })
    })
}

/// The point of the bead's plane with the coordinates x and y, displaced across the plane by z.
fn point(model: &RedundantBead, [x, y, z]: [f64; 3]) -> SVector<f64, 3> {
    let (along, beside) = (SVector::from(model.along), SVector::from(model.beside));
    (along * x + beside * y + along.cross(&beside) * z) * model.l
}

#[test]
fn stages_off_a_redundant_constraint_are_not_refused_in_any_plane() {
    let (sin, cos) = 0.5_f64.sin_cos();
    for (model, time) in beads() {
        let system = model.prepare::<f64>().expect("valid");
        let shared = LeastNorm::new(&system, 1e-4);
        let velocity = [sin * 1.3, cos * 1.3, 0.0];
        let off = [cos + 1e-7 * velocity[0], -sin + 1e-7 * velocity[1], 1e-8];
        let (q, v) = (point(&model, off), point(&model, velocity) / time);
        let found = shared.acceleration(0.0, &q, &v, &SVector::from(NONE)).unwrap_or_else(|e| panic!("{model:?}: {e}"));
        // a = −(v² − g y) r − g ŷ on the circle. The state is off by 1.3e-7, and so the terms of a, of size 10, are.
        let normal = -(1.3_f64.powi(2) + 9.81 * sin);
        let exact = [normal * cos, -normal * sin - 9.81, 0.0];
        let error = (found.acceleration - point(&model, exact) / (time * time)).norm() * time * time / model.l;
        assert!(error < 3e-6, "{model:?}: {error:e}");
    }
}

#[test]
fn a_redundant_bead_moves_like_a_pendulum_in_any_plane_and_unit() {
    // One value by a pendulum of the same length, whose two coordinates have no constraint.
    let right = [-0.864_070_558_553, -0.503_370_708_168, 0.0];
    for (model, time) in beads() {
        let system = model.prepare::<f64>().expect("valid");
        let shared = LeastNorm::new(&system, 1e-4);
        let start = State { t: 0.0, q: point(&model, [0.5_f64.cos(), -0.5_f64.sin(), 0.0]), v: SVector::zeros() };
        let (length, speed) = (1e-10 * model.l, 1e-10 * model.l / time);
        let atol = Tolerance::Each { q: SVector::repeat(length), v: SVector::repeat(speed) };
        let options = Options { rtol: 1e-10.into(), atol, ..Options::default() };
        let solution = solve(&shared, start, time, &Projected::new(Dop853::new()), &options)
            .unwrap_or_else(|failed| panic!("{model:?}: {failed}"));
        let end = solution.last().expect("there are steps").q;
        let error = (end - point(&model, right)).norm() / model.l;
        assert!(error < 1e-8, "{model:?}: {error:e}");
        assert!(solution.statistics.steps < 60, "{model:?}: {} steps", solution.statistics.steps);
        solve(&shared, start, time, &Projected::new(Rk4::new(1e-3 * time)), &Options::default())
            .unwrap_or_else(|failed| panic!("{model:?}: {failed}"));
    }
}

#[test]
fn a_redundant_bead_whose_constraints_contradict_each_other_is_refused_in_any_plane_and_unit() {
    for (mut model, time) in beads() {
        model.shift = model.l / (time * time);
        let system = model.prepare::<f64>().expect("valid");
        let q = point(&model, [0.5_f64.cos(), -0.5_f64.sin(), 0.0]);
        let refused = LeastNorm::new(&system, 1e-4)
            .acceleration(0.0, &q, &SVector::zeros(), &SVector::from(NONE))
            .expect_err("the third row asks for another acceleration across the plane");
        assert!(matches!(refused.of, PivotOf::Constraint { .. }), "{model:?}: {refused}");
    }
}
