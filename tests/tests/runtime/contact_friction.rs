//! Contacts with friction: impacts, rest, and states at which the laws leave no motion or several.

use super::common::solve_hidden;
use super::contacts::{at, stepped};
use lagrange_runtime::contact;
use lagrange_runtime::prelude::*;

/// A block of half width b and half height h on a slope of angle a. Its corners touch the ground.
#[lagrangian {
    coordinates x, y, theta;
    let left  = [x, y] + [-b*cos(theta) + h*sin(theta), -b*sin(theta) - h*cos(theta)];
    let right = [x, y] + [b*cos(theta) + h*sin(theta), b*sin(theta) - h*cos(theta)];
    kinetic   = m*(dot(x)^2 + dot(y)^2)/2 + m*(b^2 + h^2)/3*dot(theta)^2/2;
    potential = m*g*(y*cos(a) - x*sin(a));
    contact left:  left[1] >= 0, friction = mu, slip = left[0];
    contact right: right[1] >= 0, friction = mu, slip = right[0];
}]
#[derive(Clone, Debug)]
struct Block {
    m: f64,
    g: f64,
    b: f64,
    h: f64,
    a: f64,
    mu: f64,
}

/// A point over a slope of angle a.
#[lagrangian {
    coordinates s, n;
    kinetic   = m*(dot(s)^2 + dot(n)^2)/2;
    potential = m*g*(n*cos(a) - s*sin(a));
    contact slope: n >= 0, friction = mu, slip = s;
}]
#[derive(Clone, Debug)]
pub(super) struct Slope {
    pub(super) m: f64,
    pub(super) g: f64,
    pub(super) a: f64,
    pub(super) mu: f64,
}

/// A uniform rod of length 2 l whose lower end touches the floor.
#[lagrangian {
    coordinates x, y, theta;
    kinetic   = m*(dot(x)^2 + dot(y)^2)/2 + m*l^2/3*dot(theta)^2/2;
    potential = m*g*y;
    contact tip: y - l*sin(theta) >= 0, restitution = e, friction = mu, slip = x - l*cos(theta);
}]
#[derive(Clone, Debug)]
struct Rod {
    m: f64,
    g: f64,
    l: f64,
    e: f64,
    mu: f64,
}

#[test]
fn a_rocking_block_loses_speed_as_housner_says() {
    let (b, h) = (0.2_f64, 0.6_f64);
    let system = Block { m: 1.3, g: 9.81, b, h, a: 0.0, mu: 5.0 }.prepare::<f64>().expect("valid");
    // It stands on its right corner, tilted by 0.1.
    let (sin, cos) = (-0.1_f64).sin_cos();
    let start = State::new(0.0, [-b * cos - h * sin, -b * sin + h * cos, -0.1], [0.0; 3]);
    // ω⁺/ω⁻ = 1 − (3/2) sin² α, where tan α = b/h. Source: G. W. Housner, Bull. Seism. Soc. America 53, 1963.
    let ratio = 1.0 - 1.5 * (b / h).atan().sin().powi(2);
    // Energy is conserved between impacts, so that the greatest kinetic energies between them fall by the ratio squared.
    let (mut impacts, mut energies) = (0, vec![system.energies_of(&start).energy]);
    stepped(&system, start, 2.2, |state, statistics| {
        let energy = system.energies_of(state).energy;
        // Each impact opens one contact and closes the other; the state before it ends a step.
        if statistics.impacts > impacts {
            impacts = statistics.impacts;
            energies.push(energy);
        }
    });
    let standing = 1.3 * 9.81 * h;
    assert!(energies.len() >= 6 && impacts as usize == energies.len() - 1, "{energies:?}");
    for pair in energies.windows(2) {
        let found = ((pair[1] - standing) / (pair[0] - standing)).sqrt();
        assert!((found - ratio).abs() < 1e-8, "{found} instead of {ratio}");
    }
    // The impacts follow each other ever faster, and end with the block at rest on both corners.
    let last = solve_hidden(&system, start, 10.0, &DormandPrince5::new(), &at(1e-8)).expect("it comes to rest");
    let state = last.last().expect("steps");
    assert!(state.q[2].abs() < 1e-12 && state.v.amax() < 1e-12, "{state:?}");
    assert!(last.statistics.steps < 3_000, "{:?}", last.statistics);
}

#[test]
fn a_body_on_a_slope_slides_or_sticks_after_its_impact() {
    let (g, a) = (9.81_f64, 0.4_f64);
    for mu in [0.2, 0.6] {
        let system = Slope { m: 2.0, g, a, mu }.prepare::<f64>().expect("valid");
        // The impulse of friction is μ times that of the slope, as long as the body slips.
        let fall = (2.0 * 0.5 / (g * a.cos())).sqrt();
        let first = 1.0 + g * a.sin() * fall - mu * g * a.cos() * fall;
        let rate = g * (a.sin() - mu * a.cos());
        let exact = if rate > 0.0 { first + rate * (3.0 - fall) } else { 0.0 };
        let solution = solve_hidden(&system, State::new(0.0, [0.0, 0.5], [1.0, 0.0]), 3.0, &Dop853::new(), &at(1e-11));
        let solution = solution.expect("regular");
        let last = solution.last().expect("steps");
        assert!((last.v[0] - exact).abs() < 1e-10 && last.q[1].abs() < 1e-14, "{mu}: {last:?} instead of {exact}");
        let found = contact::forces(&system, &last, &SVector::from([])).expect("regular");
        let holding = if rate > 0.0 { mu * g * a.cos() } else { g * a.sin() };
        assert!((found.forces[0] - 2.0 * g * a.cos()).abs() < 1e-10 && (found.forces[1] + 2.0 * holding).abs() < 1e-10);
        let powers = system.powers_of(&last);
        assert!(powers[0] == ("slope", 0.0) && powers[1].0 == "slope.slip", "{powers:?}");
        assert!((powers[1].1 + 2.0 * holding * exact).abs() < 1e-9, "{powers:?}");
    }
}

#[test]
fn a_block_on_two_feet_slides_or_sticks_as_a_point_does() {
    // Two feet that stick fix one sliding motion twice.
    for (mu, exact) in [(0.5, 0.0), (0.35, 0.0), (0.2, 10.0 * (0.3_f64.sin() - 0.2 * 0.3_f64.cos()) * 2.0)] {
        let block = Block { m: 2.0, g: 10.0, b: 0.5, h: 0.3, a: 0.3, mu };
        let system = block.prepare::<f64>().expect("valid");
        let solution =
            solve_hidden(&system, State::new(0.0, [0.0, 0.3, 0.0], [0.0; 3]), 2.0, &Dop853::new(), &at(1e-9));
        let solution = solution.unwrap_or_else(|failed| panic!("{mu}: {failed}"));
        let last = solution.last().expect("steps");
        assert!((last.v[0] - exact).abs() < 1e-9 && last.q[2].abs() < 1e-12, "{mu}: {last:?}");
        let found = contact::forces(&system, &last, &SVector::from([])).expect("regular");
        assert!((found.forces[0] + found.forces[1] - 20.0 * 0.3_f64.cos()).abs() < 1e-9, "{found:?}");
        // Both feet land at once from a level fall, so that the block does not turn.
        let level = State::new(0.0, [0.0, 0.5, 0.0], [1.0, 0.0, 0.0]);
        let landed = solve_hidden(&system, level, 1.0, &Dop853::new(), &at(1e-9)).expect("regular");
        assert!(landed.q.iter().all(|q| q[2].abs() < 1e-12) && landed.statistics.impacts == 2, "{mu}: {landed:?}");
        // It also comes to rest from a fall onto an edge.
        let fallen =
            solve_hidden(&system, State::new(0.0, [0.0, 0.8, 0.2], [1.0, 0.0, 0.0]), 4.0, &Dop853::new(), &at(1e-9));
        let last = fallen.unwrap_or_else(|failed| panic!("{mu}: {failed}")).last().expect("steps");
        assert!((last.q[1] - 0.3).abs() < 1e-12 && (mu < 0.3 || last.v.amax() < 1e-12), "{mu}: {last:?}");
    }
}

#[test]
fn friction_that_leaves_no_motion_or_several_is_an_error() {
    let rod = Rod { m: 1.0, g: 10.0, l: 1.0, e: 0.0, mu: 2.0 };
    let sliding = |v: f64, omega: f64| {
        let theta = 1.0_f64;
        State::new(0.0, [0.0, theta.sin(), theta], [v - theta.sin() * omega, omega * theta.cos(), omega])
    };
    // Painlevé: at μ > 4/3 the rod that slides towards its lean has no motion, or two.
    let failed = |rod: &Rod, start| {
        let system = rod.prepare::<f64>().expect("valid");
        solve_hidden(&system, start, 0.1, &Dop853::new(), &at(1e-9)).map_err(|failed| failed.error.failure)
    };
    let named = |failure: &Failure, several: bool| match failure {
        Failure::SingularMass(singular) => singular.of == PivotOf::Contact { index: 0, name: "tip", several },
        _ => false,
    };
    let none = failed(&rod, sliding(-3.0, 0.0)).expect_err("no motion");
    assert!(named(&none, false) && none.to_string().contains("`tip`"), "{none}");
    let several = failed(&rod, sliding(-3.0, 4.0)).expect_err("several motions");
    assert!(named(&several, true) && several.to_string().contains("several"), "{several}");
    failed(&rod, sliding(3.0, 0.0)).expect("the other way there is one motion");
    failed(&Rod { mu: 0.5, ..rod.clone() }, sliding(-3.0, 0.0)).expect("with little friction there is one motion");
}

/// A point over a slope, with two cables that rub, and sensors of all forces.
#[lagrangian {
    coordinates s, n, z;
    kinetic   = m*(dot(s)^2 + dot(n)^2 + dot(z)^2)/2;
    potential = m*g*(n*cos(a) - s*sin(a)) + k*z^2/2;
    contact slope: n >= 0, friction = mu, slip = s;
    friction cable[i in 0..2]: z + i*s/8 = rub*(i + 1);
    output normal = contact(slope);
    output sliding = friction(slope);
    output cables = friction(cable);
    output mixed = 2*friction(cable[1]) + x*contact(slope);
    let x = s;
}]
#[derive(Clone, Debug)]
struct Sensed {
    m: f64,
    g: f64,
    k: f64,
    a: f64,
    mu: f64,
    rub: f64,
}

#[test]
fn outputs_show_the_forces_of_contacts() {
    let (m, g, a, mu) = (2.0, 9.81, 0.4_f64, 0.6);
    let system = Sensed { m, g, k: 3.0, a, mu, rub: 0.2 }.prepare::<f64>().expect("valid");
    assert_eq!(system.output_names(), ["normal", "sliding", "cables[0]", "cables[1]", "mixed"]);
    assert_eq!(system.outputs_of_forces(), [0, 1, 2, 3, 4]);
    assert_eq!(system.row_names(), ["cable[0]", "cable[1]", "slope", "slope.slip"]);
    let (mut phases, mut signs) = ([0; 3], [0; 2]);
    let start = State::new(0.0, [0.0, 0.5, 1.0], [2.0, 0.0, 0.0]);
    stepped(&system, start, 8.0, |state, _| {
        let mut values = [f64::NAN; 5];
        system.outputs(state.t, &state.q, &state.v, &SVector::from([]), &mut values);
        let found = contact::forces(&system, state, &SVector::from([])).expect("regular");
        let mixed = 2.0 * found.forces[1] + state.q[0] * found.forces[2];
        assert_eq!(values, [found.forces[2], found.forces[3], found.forces[0], found.forces[1], mixed]);
        // The power of each force is the force times its rate, on a surface at rest.
        for (k, (name, power)) in system.powers_of(state).into_iter().take(4).enumerate() {
            assert!((power - found.forces[k] * found.rates[k]).abs() < 1e-12, "{name}: {power} {found:?}");
        }
        // By hand: in flight no force, then N = m g cos α, and the friction of the slope is μ N while the body slides.
        let [normal, sliding, _, second, _] = values;
        let phase = usize::from(normal != 0.0) + usize::from(found.sticks[3]);
        phases[phase] += 1;
        signs[usize::from(values[2] > 0.0)] += 1;
        let exact = match phase {
            0 => [0.0, 0.0],
            1 => [m * g * a.cos(), -mu * m * g * a.cos()],
            _ => [m * g * a.cos(), -m * g * a.sin() - second / 8.0],
        };
        assert!((normal - exact[0]).abs() < 1e-10 && (sliding - exact[1]).abs() < 1e-10, "{values:?} {exact:?}");
    });
    assert!(phases.iter().chain(&signs).all(|&count| count > 2), "{phases:?} {signs:?}");
    // Between the ends of steps the phase is not known, so that no event may depend on such an output.
    let events = [Event::of(EventFunction::Output(1))];
    let options = Options { events: &events, ..at(1e-9) };
    let failed = solve_hidden(&system, start, 1.0, &Dop853::new(), &options).unwrap_err();
    assert!(matches!(failed.error.failure, Failure::BadOption { option: "events", .. }), "{failed}");
}

#[test]
fn an_impact_that_would_add_energy_is_an_error() {
    // Kane: Newton's law restores the rate of the gap, while the tip that slips before the impact sticks after it.
    let (theta, e, mu) = (0.8_f64, 1.0, 0.5);
    let rod = Rod { m: 1.0, g: 10.0, l: 1.0, e, mu };
    let start = State::new(0.0, [0.0, theta.sin(), theta], [0.0, -2.0, 3.0]);
    let landing = |rod: &Rod| {
        let system = rod.prepare::<f64>().expect("valid");
        solve_hidden(&system, start, 0.01, &Dop853::new(), &at(1e-9)).map_err(|failed| failed.error.failure)
    };
    let failed = landing(&rod).expect_err("energy is added");
    let Failure::ImpactEnergy { contact: "tip", gain, t } = failed else { panic!("{failed}") };
    // Impulses that stop the slip and reverse the rate of the gap, by hand: with c = cos θ, s = sin θ and I = 1/3.
    let (c, s) = (theta.cos(), theta.sin());
    let (normal, mixed, along) = (1.0 + 3.0 * c * c, -3.0 * c * s, 1.0 + 3.0 * s * s);
    let (gap, slip) = (-2.0 - 3.0 * c, 3.0 * s);
    let (lift, stop) = (-2.0 * gap, -slip);
    let determinant = normal * along - mixed * mixed;
    let impulse = (normal * stop - mixed * lift) / determinant;
    // The rate of the gap is reversed, so that its impulse has no work.
    assert!((gain - impulse * slip / 2.0).abs() < 1e-12 && gain > 1.0 && t == 0.0, "{gain}");
    // So it is at any speed.
    for speed in [1e-9, 1e-3, 1e3, 1e9] {
        let system = rod.prepare::<f64>().expect("valid");
        let start = State { v: start.v * speed, ..start };
        let failed =
            solve_hidden(&system, start, 1e-6 / speed, &Dop853::new(), &at(1e-9)).expect_err("energy is added");
        let Failure::ImpactEnergy { gain: found, .. } = failed.error.failure else { panic!("{speed:e}: {failed}") };
        assert!((found / (speed * speed) - gain).abs() < 1e-9, "{speed:e}: {found:e}");
    }
    landing(&Rod { mu: 0.0, ..rod.clone() }).expect("without friction no impact adds energy");
    landing(&Rod { e: 0.0, ..rod }).expect("without restitution no impact adds energy");
}

/// A rod of half length h that touches the floor with both tips.
#[lagrangian {
    coordinates x, y, th;
    kinetic   = m*(dot(x)^2 + dot(y)^2)/2 + m*h^2/3*dot(th)^2/2;
    potential = m*g*y;
    contact a: y + h*sin(th) >= 0, friction = mu, slip = x + h*cos(th);
    contact b: y - h*sin(th) >= 0, friction = mu, slip = x - h*cos(th);
}]
#[derive(Clone, Debug)]
struct Tips {
    m: f64,
    h: f64,
    g: f64,
    mu: f64,
}

#[test]
fn a_rod_that_lands_flat_on_two_rough_tips_rests() {
    let mut seed = 3_u64;
    let mut random = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1_u64 << 53) as f64
    };
    for case in 0..200 {
        let (m, h, g) = (0.5 + random(), 0.5 + random(), 9.81);
        let system = Tips { m, h, g, mu: 0.3 + random() }.prepare::<f64>().expect("valid");
        let (th, y) = (random() - 0.5, 0.6 * h + random());
        // The last cases have a rate of rotation that is next to nothing.
        let size = if case < 150 { 1.0 } else { 1e-8 };
        let (th, y) = if case < 150 { (th, y) } else { (0.0, 0.0) };
        let start = State::new(0.0, [0.0, y, th], [2.0 * random() - 1.0, -1e-10, size * (2.0 * random() - 1.0)]);
        let solution = solve_hidden(&system, start, 8.0, &Dop853::new(), &at(1e-9))
            .unwrap_or_else(|failed| panic!("case {case}: {failed}"));
        let before = system.energies_of(&start).energy;
        assert!(solution.states().all(|state| system.energies_of(&state).energy <= before * (1.0 + 1e-8) + 1e-12));
        let last = solution.last().expect("steps");
        assert!(last.v.amax() < 1e-12 && last.q[1].abs() < 1e-12 && last.q[2].sin().abs() < 1e-12, "{case}: {last:?}");
        let found = contact::forces(&system, &last, &SVector::from([])).expect("regular");
        assert!((found.forces[0] + found.forces[1] - m * g).abs() < 1e-9 * m * g, "{case}: {found:?}");
    }
}

/// A point between a floor and a ceiling that falls onto it with the acceleration `a`.
#[lagrangian {
    coordinates y;
    kinetic   = dot(y)^2/2;
    potential = g*y;
    contact floor: y >= 0;
    contact ceiling: -y - a*t^2/2 >= 0;
}]
#[derive(Clone, Debug)]
struct Squeezed {
    g: f64,
    a: f64,
}

#[test]
fn contacts_that_contradict_each_other_are_an_error() {
    for a in [1.0, 1e-3, 1e-6] {
        let system = Squeezed { g: 9.81, a }.prepare::<f64>().expect("valid");
        let solved = solve_hidden(&system, State::new(0.0, [0.0], [0.0]), 1.0, &Dop853::new(), &at(1e-9));
        assert!(matches!(solved.map_err(|failed| failed.error.failure), Err(Failure::SingularMass(_))), "{a}");
    }
}

/// A block on a rough floor that warms by its slip.
#[lagrangian {
    coordinates x, y;
    kinetic   = m*(dot(x)^2 + dot(y)^2)/2;
    potential = m*g*y;
    contact floor: y >= 0, friction = mu, slip = x;
    state heat: dot(heat) == abs(dot(x));
    state lead: dot(lead) == max(dot(x), 0);
}]
#[derive(Clone, Debug)]
struct Warm {
    m: f64,
    g: f64,
    mu: f64,
}

#[test]
fn a_state_beside_a_slip_goes_on_where_the_slip_sticks() {
    for (v, mu) in [(1.0_f64, 0.3_f64), (-2.0, 0.5), (0.3, 1.2), (0.0, 0.4)] {
        let system = Warm { m: 1.7, g: 9.81, mu }.prepare::<f64>().expect("valid");
        let start = State::new(0.0, [0.0; 4], [v, 0.0, 0.0, 0.0]);
        // x'' = −μ g: the slipped distance is v²/(2 μ g).
        let exact = v * v / (2.0 * mu * 9.81);
        for last in [
            solve_hidden(&system, start, 3.0, &Dop853::new(), &at(1e-10)),
            solve_hidden(&system, start, 3.0, &Tsitouras5::new(), &at(1e-10)),
            solve_hidden(&system, start, 3.0, &Rk4::new(0.01), &at(1e-10)),
        ]
        .map(|solved| solved.unwrap_or_else(|failed| panic!("{v}: {failed}")).last().expect("steps"))
        {
            assert!((last.v[2] - exact).abs() < 1e-9, "{v}: {last:?} instead of {exact}");
            assert!((last.v[3] - if v > 0.0 { exact } else { 0.0 }).abs() < 1e-9, "{v}: {last:?}");
            assert!(last.v[0].abs() < 1e-30 && (last.q[0] - v.signum() * exact).abs() < 1e-9, "{v}: {last:?}");
        }
    }
}

/// A body on a rough floor that vibrates.
#[lagrangian {
    coordinates x, y;
    kinetic   = m*(dot(x)^2 + dot(y)^2)/2;
    potential = m*g*y;
    contact floor: y >= h*sin(w*t), restitution = 0, friction = mu, slip = x;
}]
#[derive(Clone, Debug)]
struct Lifted {
    m: f64,
    g: f64,
    mu: f64,
    h: f64,
    w: f64,
}

#[test]
fn friction_at_rest_does_not_keep_a_contact_from_opening() {
    let (g, h) = (10.0_f64, 0.2);
    for (m, mu, w) in [(1.0, 0.3, 8.0_f64), (5.0, 0.2, 11.5), (0.7, 0.9, 8.2)] {
        let system = Lifted { m, g, mu, h, w }.prepare::<f64>().expect("valid");
        // The body leaves the floor where this falls with g, while friction holds x with no force but rounding.
        let opens = (g / (h * w * w)).asin() / w;
        let (end, flight) = (opens + 0.05, 0.05);
        let start = State::new(0.0, [0.0; 2], [0.0, h * w]);
        let solved =
            solve_hidden(&system, start, end, &Dop853::new(), &at(1e-9)).unwrap_or_else(|e| panic!("{w}: {e}"));
        let last = solved.last().expect("steps");
        let exact = h * w * (w * opens).cos() - g * flight;
        assert!((last.v[1] - exact).abs() < 1e-7, "{w}: {last:?} instead of {exact}");
        assert!(last.q[1] > h * (w * end).sin() && last.v[0].abs() < 1e-12, "{w}: {last:?}");
    }
}

/// A block on a spring and a rough floor whose friction is larger at rest.
#[lagrangian {
    coordinates x;
    kinetic   = dot(x)^2/2;
    potential = 2*x^2;
    friction pad: x = if abs(dot(x)) > 0 { 1/2 } else { r };
}]
#[derive(Clone, Debug)]
struct Breakaway {
    r: f64,
}

#[test]
fn a_bound_that_is_larger_at_rest_holds_only_at_rest() {
    for (r, end) in [(1.5, 0.3), (2.1, 0.3), (2.3, -0.55)] {
        let (system, start) = (Breakaway { r }.prepare::<f64>().expect("valid"), State::new(0.0, [1.3], [0.0]));
        for solved in [
            solve_hidden(&system, start, 9.0, &Dop853::new(), &at(1e-10)),
            solve_hidden(&system, start, 9.0, &Tsitouras5::new(), &at(1e-10)),
            solve_hidden(&system, start, 9.0, &Rk4::new(0.01), &at(1e-10)),
        ] {
            // The turns of x'' = −4 x ∓ 1/2 are at −1.05, 0.8, −0.55, 0.3.
            let last = solved.unwrap_or_else(|failed| panic!("{r}: {failed}")).last().expect("steps");
            assert!((last.q[0] - end).abs() < 1e-7 && last.v[0] == 0.0, "{r}: {last:?} instead of {end}");
        }
    }
}
