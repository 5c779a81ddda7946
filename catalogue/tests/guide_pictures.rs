//! The pictures of the guide that programs draw, and not commands.

use lagrange_cli::report::plot::{Axis, Chart, Curve, Style, standalone};
use lagrange_runtime::analysis::{
    BranchPoint, Continuation, EquilibriumSearch, Variable, linearize, lqr_sampled, sensitivities,
};
use lagrange_runtime::controller::{Law, Saturated};
use lagrange_runtime::nalgebra::DMatrix;
use lagrange_runtime::prelude::*;
use std::error::Error;
use std::f64::consts::{PI, TAU};
use std::path::PathBuf;

/// The bead of the page on analysis, on a hoop that turns.
#[lagrangian {
    coordinates theta;
    kinetic     = m*r^2*(dot(theta)^2 + w^2*sin(theta)^2)/2;
    potential   = -m*g*r*cos(theta);
    dissipation = c*dot(theta)^2/2;
}]
struct Bead {
    m: f64,
    r: f64,
    w: f64,
    g: f64,
    c: f64,
}

/// The equilibria of the bead over the rate of the hoop: stable and unstable ones.
fn equilibria() -> Result<Chart, Box<dyn Error>> {
    let bead = Bead { m: 1.0, r: 0.3, w: 4.0, g: 9.81, c: 0.05 };
    let rates = Continuation::new("w", 4.0, 9.0).with_max_step(0.01);
    let search = EquilibriumSearch::new([0.0], []);
    let bottom = rates.run(&bead, &search)?;
    let crossing = &bottom.special[0];
    let thrown = rates.switch(&bead, &search, crossing)?;
    let curve = |name, style, points: Vec<_>| {
        let place = |point: &BranchPoint<1, 0, 0>| [point.parameter, point.equilibrium.state.q[0].to_degrees()];
        Curve::new(name, style, points.into_iter().map(place).collect())
    };
    let (mut low, mut high): (Vec<_>, Vec<_>) = bottom.points.iter().partition(|point| point.unstable == 0);
    low.push(&crossing.point);
    high.insert(0, &crossing.point);
    assert!(thrown.points.iter().all(|point| point.unstable == 0 || point.equilibrium.state.q[0].abs() < 1e-3));
    let curves = vec![
        curve("at the bottom, stable", Style::First, low),
        curve("at the bottom, unstable", Style::Second, high),
        curve("thrown out, stable", Style::Third, thrown.points.iter().collect()),
    ];
    Ok(Chart::new(Axis::linear("w (rad/s)").spanning(4.0, 9.0), Axis::linear("θ (°)"), curves))
}

/// The cart and pole of the page on control.
#[lagrangian {
    coordinates p, theta;
    let bob = [p + l*sin(theta), l*cos(theta)];
    kinetic   = cart*dot(p)^2/2 + m*norm2(dot(bob))/2;
    potential = m*g*bob[1];
    force p   = push;
}]
struct CartPole {
    cart: f64,
    m: f64,
    l: f64,
    g: f64,
    #[input]
    push: f64,
}

/// The swing-up of that page: angle, place of the cart, push.
fn swing_up() -> Result<Chart, Box<dyn Error>> {
    let plant = CartPole { cart: 1.0, m: 0.2, l: 0.5, g: 9.81, push: 0.0 };
    let system = plant.prepare::<f64>()?;
    let near = linearize(&system, &State::new(0.0, [0.0; 2], [0.0; 2]), &SVector::from([0.0]))?;
    let sampled = near.space().sampled(0.01)?;
    let mut feedback =
        lqr_sampled(&sampled, &DMatrix::identity(4, 4), &DMatrix::from_element(1, 1, 0.1))?.feedback(&near)?;
    let CartPole { cart, m, l, g, .. } = plant;
    let law = move |t: f64, q: &SVector<f64, 2>, v: &SVector<f64, 2>| {
        let angle = (q[1] + PI).rem_euclid(TAU) - PI;
        if angle.abs() < 0.35 && v[1].abs() < 2.5 {
            return feedback.sample(t, &SVector::from([q[0], angle]), v);
        }
        let (sin, cos) = angle.sin_cos();
        let energy = 0.5 * m * l * l * v[1] * v[1] + m * g * l * (cos - 1.0);
        let wanted = 5.0 * energy * v[1] * cos - 2.0 * (q[0] + v[0]);
        SVector::from([(cart + m * sin * sin) * wanted + m * g * sin * cos - m * l * v[1] * v[1] * sin])
    };
    let mut controller = Sampled::of(0.01, Saturated::new(law, [-20.0].into(), [20.0].into()));
    let times: Vec<f64> = (0..=800).map(|k| 0.01 * f64::from(k)).collect();
    let options = Options { t_eval: Some(&times), ..Options::default() };
    let hanging = State::new(0.0, [0.0, PI - 0.01], [0.0, 0.0]);
    let motion = solve_with(&system, hanging, 8.0, &Dop853::new(), &options, &mut controller)?;
    let curve = |name, style, value: &dyn Fn(&State<f64, 2>) -> f64| {
        Curve::new(name, style, motion.states().map(|state| [state.t, value(&state)]).collect())
    };
    let curves = vec![
        curve("1 − cos θ", Style::First, &|state| 1.0 - state.q[1].cos()),
        curve("p (m)", Style::Second, &|state| state.q[0]),
    ];
    Ok(Chart::new(Axis::linear("time (s)").spanning(0.0, 8.0), Axis::linear(""), curves))
}

/// The pendulum of the page on sensitivities.
#[lagrangian {
    coordinates theta;
    kinetic     = m*l^2*dot(theta)^2/2;
    potential   = -m*g*l*cos(theta);
    dissipation = c*dot(theta)^2/2;
}]
struct Pendulum {
    m: f64,
    l: f64,
    g: f64,
    c: f64,
}

/// The derivatives of its angle by its length and its friction.
fn derivatives() -> Result<Chart, Box<dyn Error>> {
    let pendulum = Pendulum { m: 1.0, l: 1.0, g: 9.81, c: 0.1 };
    let variables = ["l", "c"].map(|name| Variable::named(&pendulum, name).expect("a known name"));
    let options = SharedOptions { rtol: 1e-12, atol: 1e-12, ..SharedOptions::default() };
    let times: Vec<f64> = (0..=1200).map(|k| 0.05 * f64::from(k)).collect();
    let start = State::new(0.0, [1.0], [0.0]);
    let found = sensitivities(&pendulum, &start, &times, &Dop853::new(), &options, &variables)?;
    let curve = |name, style, column| {
        let points = times.iter().zip(&found.derivatives).map(|(t, derivative)| [*t, derivative[(0, column)]]);
        Curve::new(name, style, points.collect())
    };
    let curves = vec![curve("∂θ/∂l (rad/m)", Style::First, 0), curve("∂θ/∂c (rad/(N m s))", Style::Second, 1)];
    Ok(Chart::new(Axis::linear("time (s)").spanning(0.0, 60.0), Axis::linear(""), curves))
}

/// The pictures are those that these programs draw. With the variable `UPDATE_EXPECT` this test writes them.
#[test]
fn the_pictures_of_programs_are_current() -> Result<(), Box<dyn Error>> {
    for (name, title, chart) in [
        ("analysis", "Equilibria of a bead on a turning hoop", equilibria()?),
        ("control", "Swing-up of a pole on a cart", swing_up()?),
        ("sensitivities", "Derivatives of a pendulum's angle", derivatives()?),
    ] {
        let made = standalone(&chart, title);
        let kept = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("../docs/guide/pictures/{name}.svg"));
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&kept, &made)?;
        }
        assert!(std::fs::read_to_string(&kept).is_ok_and(|kept| kept == made), "{name} differs; set UPDATE_EXPECT=1");
    }
    Ok(())
}
