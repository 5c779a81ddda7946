//! Contacts and latches: balls that bounce, a block that rocks, a bridge of diodes, a marble that leaves a bar, a block that catches a bullet, and bodies that roll and slip.

use lagrange_models::{
    BallisticPendulum, BouncingBall, FullWaveRectifier, MarbleOnBar, Rattleback, RockingBlock, TippeTop, YieldingBall,
};
use lagrange_runtime::analysis::power_audit;
use lagrange_runtime::instant::{Cause, Phase};
use lagrange_runtime::prelude::*;

#[test]
fn the_ball_rests_when_its_bounces_are_over() {
    let ball = BouncingBall { m: 0.3, ..BouncingBall::default() };
    let system = ball.prepare::<f64>().expect("valid");
    let start = BouncingBall::dropped();
    let solution = solve(&system, start, 4.0, &DormandPrince5::new(), &Options::default()).expect("it rests");
    let last = solution.states().filter(|state| state.v[0] != 0.0).last().expect("it falls");
    assert!((last.t - ball.rests_at(start.q[0])).abs() < 1e-9, "{last:?}");
    assert_eq!(solution.last().expect("steps").q[0], 0.0);
}

#[test]
fn each_impact_of_the_rocking_block_has_housners_ratio() {
    let block = RockingBlock { m: 3.0, b: 0.25, ..RockingBlock::default() };
    let system = block.prepare::<f64>().expect("valid");
    let options = Options { rtol: 1e-11.into(), atol: 1e-11.into(), dense_output: true, ..Options::default() };
    let solution = solve(&system, block.tilted(0.2), 3.0, &Dop853::new(), &options).expect("regular");
    let steps = solution.dense.as_ref().expect("asked for");
    let mut impacts = 0;
    for pair in steps.windows(2) {
        let (before, after) = (pair[0].end().v[2], pair[1].start().v[2]);
        if (after - before).abs() > 1e-2 {
            impacts += 1;
            assert!((after / before - block.ratio()).abs() < 1e-8, "{before} {after}");
        }
    }
    assert!(impacts > 4, "{:?}", solution.statistics);
    // The audit finds what the impacts took.
    let audit = power_audit(&system, &solution, |_, _, _| SVector::from([])).expect("dense");
    assert!(audit.residual.abs() < 1e-8 * audit.impacts.abs() && audit.impacts < 0.0, "{audit:?}");
}

#[test]
fn the_bridge_conducts_in_pulses_of_the_closed_form() {
    let bridge = FullWaveRectifier::default();
    let system = bridge.prepare::<f64>().expect("valid");
    let options = Options { rtol: 1e-10.into(), atol: 1e-10.into(), ..Options::default() };
    let current = |t: f64| {
        let solution = solve(&system, FullWaveRectifier::at_rest(), t, &Dop853::new(), &options).expect("regular");
        system.outputs_of(&solution.last().expect("steps"))[0].1
    };
    let begun = bridge.conducts_from();
    assert_eq!(current(0.999 * begun), 0.0);
    for t in [1.5 * begun, 2.0 * begun, 4.0 * begun] {
        assert!((current(t) - bridge.pulse(t)).abs() < 1e-7, "{} at {t}", current(t));
        // The other half of the period has the same pulse the other way, which the bridge turns.
        let half = std::f64::consts::PI / bridge.omega;
        assert!((current(t + half) - bridge.pulse(t)).abs() < 1e-7, "{} at {t}", current(t + half));
    }
}

#[test]
fn the_tippe_top_stands_upside_down_with_jelletts_spin() {
    let top = TippeTop { mu: 0.15, ..TippeTop::default() };
    let system = top.prepare::<f64>().expect("valid");
    let (lean, spin) = (0.2, 155.0);
    let options = Options { rtol: 1e-9.into(), atol: 1e-9.into(), ..Options::default() };
    let method = Projected::new(Dop853::new());
    let last = solve(&system, top.spun(lean, spin), 3.0, &method, &options).expect("regular").last().expect("steps");
    let outputs = system.outputs_of(&last);
    let (up, jellett) = (outputs[0].1, outputs[1].1);
    assert!((jellett / top.jellett(lean, spin) - 1.0).abs() < 1e-7, "{outputs:?}");
    // It leans by 4 degrees, and spins as fast as Jellett's integral says, but for the part that turns with the leaning axis.
    let q = last.q.fixed_rows::<4>(3);
    let rate = last.v.fixed_rows::<4>(3);
    let about_vertical = 2.0 * (q[0] * rate[3] - q[3] * rate[0] + q[1] * rate[2] - q[2] * rate[1]);
    assert!(up < -0.99, "{up}");
    assert!((about_vertical / top.spin_inverted(lean, spin) - 1.0).abs() < 0.02, "{about_vertical}");
}

#[test]
fn the_yielding_ball_follows_its_closed_form() {
    let ball = YieldingBall { u: 0.3, m: 0.2, ..YieldingBall::default() };
    let system = ball.prepare::<f64>().expect("valid");
    let options = Options { rtol: 1e-11.into(), atol: 1e-12.into(), ..Options::default() };
    let solution = solve(&system, YieldingBall::dropped(), 4.0, &Dop853::new(), &options).expect("it bounces");
    let first = (2.0 * ball.g).sqrt();
    let mut count = 0;
    for (n, impact) in (1..).zip(solution.instants.iter().filter(|instant| instant.cause == Cause::Impact("floor"))) {
        assert!((impact.after.v[0] - ball.speed(first, n)).abs() < 1e-9, "{n}: {impact:?}");
        assert!((impact.after.t - ball.lands_at(1.0, n)).abs() < 1e-9, "{n}: {impact:?}");
        count = n;
    }
    // The last ones have the speed u and a constant time between them.
    assert!(count > 40 && (ball.speed(first, count) - ball.u).abs() < 1e-4, "{count}");
}

#[test]
fn the_block_that_catches_a_bullet_tells_its_speed() {
    let pendulum = BallisticPendulum { bullet: 0.02, l: 1.3, ..BallisticPendulum::default() };
    let system = pendulum.prepare::<f64>().expect("valid");
    let (way, speed) = (2.0, 250.0);
    let down = |_: f64, _: &SVector<f64, 5>, v: &SVector<f64, 5>| v[2];
    let turns = [Event::new(&down).going(Direction::Falling).terminal()];
    let options =
        Options { rtol: 1e-11.into(), atol: 1e-12.into(), events: &turns, dense_output: true, ..Options::default() };
    let solution = solve(&system, pendulum.aimed(way, speed), 5.0, &Dop853::new(), &options).expect("it turns");
    let caught = solution.instants.iter().find(|instant| matches!(instant.cause, Cause::Impact(_))).expect("an impact");
    let common = pendulum.caught_speed(speed);
    assert!((caught.after.t - way / speed).abs() < 1e-11, "{caught:?}");
    assert!((caught.after.v[0] - common).abs() < 1e-9 && (caught.after.v[2] * pendulum.l - common).abs() < 1e-9);
    let turned = solution.last().expect("an end");
    assert!((system.outputs_of(&turned)[0].1 - pendulum.rise(common)).abs() < 1e-9, "{turned:?}");
    let audit = power_audit(&system, &solution, |_, _, _| SVector::zeros()).expect("dense");
    let lost = pendulum.lost([speed, pendulum.g * way / speed]);
    assert!((audit.impacts + lost).abs() < 1e-9 * lost && audit.residual.abs() < 1e-9 * lost, "{audit:?}");
}

/// The angle, the speed and the spin with which a marble leaves a round end, where it slips from the angle on at which the friction no longer holds it: by Runge's method for v, r ω and φ.
fn leaves_slipping(marble: &MarbleOnBar, speed: f64) -> [f64; 3] {
    let (MarbleOnBar { g, mu, .. }, reach) = (marble, marble.r + marble.b);
    let square = |phi: f64| speed * speed + 10.0 / 7.0 * g * reach * (1.0 - phi.cos());
    let pressed = |phi: f64, v: f64| g * phi.cos() - v * v / reach;
    // Rolling needs the friction 2/7 g sin φ.
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let phi: f64 = (low + high) / 2.0;
        let holds = 2.0 / 7.0 * g * phi.sin() <= mu * pressed(phi, square(phi).sqrt());
        if holds { low = phi } else { high = phi }
    }
    let slope = |[phi, v, _]: [f64; 3]| {
        let friction = mu * pressed(phi, v);
        [v / reach, g * phi.sin() - friction, 2.5 * friction]
    };
    let (mut state, mut h) = ([low, square(low).sqrt(), square(low).sqrt()], 1e-4);
    while h > 1e-13 {
        let add = |a: [f64; 3], b: [f64; 3], h: f64| std::array::from_fn(|i| a[i] + h * b[i]);
        let k1 = slope(state);
        let k2 = slope(add(state, k1, h / 2.0));
        let k3 = slope(add(state, k2, h / 2.0));
        let k4 = slope(add(state, k3, h));
        let next: [f64; 3] = std::array::from_fn(|i| state[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
        if pressed(next[0], next[1]) > 0.0 { state = next } else { h /= 2.0 }
    }
    state
}

#[test]
fn the_marble_leaves_the_bar_and_rolls_on_the_floor() {
    let options = Options { rtol: 1e-11.into(), atol: 1e-11.into(), ..Options::default() };
    for (mu, speed) in [(1e7, 0.2), (0.6, 0.2), (0.15, 0.35)] {
        let marble = MarbleOnBar { mu, ..MarbleOnBar::default() };
        let system = marble.prepare::<f64>().expect("valid");
        let solution = solve(&system, marble.rolled(speed), 3.0, &Dop853::new(), &options).expect("it rolls");
        let first = |cause: Cause| solution.instants.iter().find(|instant| instant.cause == cause).expect("it happens");
        let leaves = first(Cause::Phase("bar", Phase::Open)).after;
        let (cos, fast) = (leaves.q[1] / (marble.r + marble.b), leaves.v[0].hypot(leaves.v[1]));
        let [phi, v, surface] = match mu > 1.0 {
            true => {
                let cos = marble.cos_leaving(speed);
                let v = (marble.g * (marble.r + marble.b) * cos).sqrt();
                [cos.acos(), v, v]
            }
            false => leaves_slipping(&marble, speed),
        };
        let within = if mu > 1.0 { 1e-6 } else { 1e-8 };
        assert!((cos - phi.cos()).abs() < within && (fast - v).abs() < within, "μ = {mu}: {cos} {fast}");
        assert!((-leaves.v[2] * marble.r - surface).abs() < within, "μ = {mu}: {leaves:?} and {surface}");
        // It flies along a parabola to the floor, and rolls in the end.
        let lands = first(Cause::Impact("floor")).before;
        let fallen = leaves.q[1] + marble.h - marble.r;
        let t = (leaves.v[1] + (leaves.v[1].powi(2) + 2.0 * marble.g * fallen).sqrt()) / marble.g;
        assert!((lands.q[0] - leaves.q[0] - leaves.v[0] * t).abs() < 1e-8, "{lands:?}");
        let last = solution.last().expect("states");
        assert!((last.v[0] - marble.rolling(lands.v[0], lands.v[2])).abs() < 1e-8, "μ = {mu}: {last:?}");
        assert!((last.v[0] + marble.r * last.v[2]).abs() < 1e-9, "μ = {mu}: {last:?}");
    }
}

#[test]
fn the_rattleback_turns_round_in_one_sense() {
    let system = Rattleback::default().prepare::<f64>().expect("valid");
    let options = Options { rtol: 1e-11.into(), atol: 1e-12.into(), ..Options::default() };
    // Degrees that it has turned and its spin after 1, 5 and 10 s, by the equations of Newton and Euler about the point of contact, integrated by SciPy's DOP853 to 1e-12.
    let known = [
        (-5.0, [(1.0, -237.05039799, -2.57781851), (5.0, -88.13631256, 3.4293043), (10.0, 868.82599234, 2.85428393)]),
        (5.0, [(1.0, 291.58892052, 4.95077542), (5.0, 1268.67846993, 3.60692702), (10.0, 2118.24152923, 2.38430381)]),
    ];
    let aside = 0.5_f64.to_radians();
    for (spin, rows) in known {
        let start = Rattleback::default().spun(aside, aside, spin);
        for (t, turned, rate) in rows {
            let method = Projected::new(Dop853::new());
            let last = solve(&system, start, t, &method, &options).expect("it rolls").last().expect("states");
            let [gamma, alpha, beta] = [2, 3, 4].map(|i| last.q[i]);
            assert!((gamma.to_degrees() - turned).abs() < 1e-4, "{spin} {t}: {}", gamma.to_degrees());
            // The third component in the body: ω₃ = γ̇ cos α cos β + α̇ sin β.
            let own = last.v[2] * alpha.cos() * beta.cos() + last.v[3] * beta.sin();
            assert!((own - rate).abs() < 1e-5, "{spin} {t}: {own}");
        }
    }
    // Without air the energy is constant.
    let system = Rattleback { sigma: 0.0, ..Rattleback::default() }.prepare::<f64>().expect("valid");
    let start = Rattleback::reversing();
    let last =
        solve(&system, start, 6.0, &Projected::new(Dop853::new()), &options).expect("it rolls").last().expect("states");
    let [before, after] = [start, last].map(|state| system.energies_of(&state).energy);
    assert!((after / before - 1.0).abs() < 1e-9 && last.v[2] > 4.0, "{before} {after} {last:?}");
}
