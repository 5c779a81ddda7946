//! Closed forms of integrals and their derivatives against quadrature: with a change of sign, at rest, and where the
//! selection switches.

use super::model;
use lagrange_symbolic::calculus::derivative;
use lagrange_symbolic::graph::value::numeric;
use lagrange_symbolic::graph::{Graph, Id, Symbol};

const VELOCITIES: [Symbol; 2] = [Symbol::Velocity(0), Symbol::Velocity(1)];

/// D = ∫ integrand over s from `from` to `to`, where the integrand depends on the velocities `v` and `w`.
fn dissipation(integrand: &str, from: &str, to: &str) -> (Graph, Id) {
    let block = format!(
        "coordinates x, y; kinetic = dot(x)^2; force x = u; let v = dot(x); let w = dot(y);
         dissipation = integral(s in {from}..{to}, {integrand});"
    );
    let model = model(&block);
    (model.graph, model.physics.dissipation.expect("it is stated"))
}

/// The values of the symbols: v and w as given, the others fixed.
fn at(v: f64, w: f64) -> impl Fn(Symbol) -> f64 {
    move |symbol| match symbol {
        Symbol::Velocity(0) => v,
        Symbol::Velocity(_) => w,
        Symbol::Parameter(i) => 0.7 + 0.3 * f64::from(i),
        _ => 0.9,
    }
}

/// Gauss–Legendre quadrature with three nodes on panels of [from, to], broken at `kink` if that lies inside.
fn quadrature(integrand: impl Fn(f64) -> f64, from: f64, to: f64, kink: f64) -> f64 {
    const PANELS: i32 = 50;
    let kink = if from < kink && kink < to { kink } else { from };
    let part = |from: f64, to: f64| {
        let width = (to - from) / f64::from(PANELS);
        let panel = |i: i32| {
            let middle = from + (f64::from(i) + 0.5) * width;
            let offset = 0.5 * width * 0.6f64.sqrt();
            (5.0 * integrand(middle - offset) + 8.0 * integrand(middle) + 5.0 * integrand(middle + offset)) * width
                / 18.0
        };
        (0..PANELS).map(panel).sum::<f64>()
    };
    part(from, kink) + part(kink, to)
}

/// Compares D, ∂D/∂v and ∂²D/∂v∂v with the integrals of the integrand's own derivatives.
fn check(integrand: &str, u: impl Fn(f64, f64, f64) -> f64, weight: impl Fn(f64) -> f64, power: i32, sign: bool) {
    let (mut graph, value) = dissipation(integrand, "-1/2", "l");
    let gradient = VELOCITIES.map(|v| derivative(&mut graph, &[value], v)[0]);
    let hessian = VELOCITIES.map(|v| derivative(&mut graph, &gradient, v));
    let (from, to) = (-0.5, 1.3);
    let outer = |x: f64, order: i32| {
        let factor: f64 = (0..order).map(|i| f64::from(power - i)).product();
        let magnitude = if power - order < 0 { 0.0 } else { x.abs().powi(power - order) };
        let odd = (order % 2 == 1) != sign;
        let direction = if x == 0.0 { 0.0 } else { x.signum() };
        factor * magnitude * if odd { direction } else { 1.0 }
    };
    for (v, w) in [(0.4, 1.1), (0.4, -1.1), (-0.3, 0.2), (-1.0, 1.5), (0.0, 0.7), (0.6, 0.0), (1.0, -0.999), (0.0, 0.0)]
    {
        let roots = [value, gradient[0], gradient[1], hessian[0][0], hessian[0][1], hessian[1][0], hessian[1][1]];
        let found = numeric(&graph, &roots, &at(v, w));
        assert!(found.iter().all(|value| value.is_finite()), "{integrand} at {v}, {w}: {found:?}");
        // u is linear in v and w, so that its derivatives are its values at unit velocities.
        let part = |slot: usize, s: f64| if slot == 0 { u(1.0, 0.0, s) } else { u(0.0, 1.0, s) };
        let moments = |order: i32, slots: &[usize]| {
            let product = |s: f64| slots.iter().map(|slot| part(*slot, s)).product::<f64>();
            let kink = u(v, w, 0.0) / (u(v, w, 0.0) - u(v, w, 1.0));
            quadrature(|s| weight(s) * outer(u(v, w, s), order) * product(s), from, to, kink)
        };
        let expected = [
            moments(0, &[]),
            moments(1, &[0]),
            moments(1, &[1]),
            moments(2, &[0, 0]),
            moments(2, &[0, 1]),
            moments(2, &[1, 0]),
            moments(2, &[1, 1]),
        ];
        // The second derivative of |u|¹ is a spike at the zero of u, which quadrature does not see.
        let compared = if power + i32::from(sign) > 1 && power > 1 { 7 } else { 3 };
        for (found, expected) in found.iter().zip(&expected).take(compared) {
            assert!(
                (found - expected).abs() < 1e-11,
                "{integrand} at {v}, {w}: {found} by the form, {expected} by quadrature"
            );
        }
    }
}

#[test]
fn powers_of_a_modulus() {
    check("abs(v + s*w)", |v, w, s| v + s * w, |_| 1.0, 1, false);
    check("abs(v + s*w)^2", |v, w, s| v + s * w, |_| 1.0, 2, false);
    check("abs(v + s*w)^3", |v, w, s| v + s * w, |_| 1.0, 3, false);
    check("abs(v + s*w)^5", |v, w, s| v + s * w, |_| 1.0, 5, false);
}

#[test]
fn a_polynomial_beside_the_modulus() {
    check("(1 + s - 3*s^2)*abs(v + s*w)^3", |v, w, s| v + s * w, |s| 1.0 + s - 3.0 * s * s, 3, false);
    check("s^2*abs(v*(1 - s) - w)^3/2", |v, w, s| v * (1.0 - s) - w, |s| s * s / 2.0, 3, false);
    check("m*k*s*abs(v + s*w)^2*abs(v + s*w)", |v, w, s| v + s * w, |s| 0.7 * s, 3, false);
}

#[test]
fn signs() {
    check("abs(v + s*w)^2*sign(v + s*w)", |v, w, s| v + s * w, |_| 1.0, 2, true);
    check("(v + s*w)*sign(v + s*w)", |v, w, s| v + s * w, |_| 1.0, 1, false);
    check("abs(v + s*w)^3*sign(v + s*w)", |v, w, s| v + s * w, |_| 1.0, 3, true);
}

#[test]
fn a_rod_about_its_end() {
    // ∫₀^l μ|s v|³/3 ds = μ l⁴ |v|³/12: no split, since u vanishes at the pivot.
    let (graph, value) = dissipation("m*abs(s*v)^3/3", "0", "l");
    for v in [-1.2, 0.0, 0.8] {
        let found = numeric(&graph, &[value], &at(v, 0.0))[0];
        assert!((found - 0.7 * 1.3f64.powi(4) * v.abs().powi(3) / 12.0).abs() < 1e-15);
    }
    assert!(
        !graph
            .reachable(&[value])
            .iter()
            .any(|id| matches!(graph.node(*id), lagrange_symbolic::graph::Node::Select(..)))
    );
}

#[test]
fn the_derivative_at_the_switch_is_one_sided_from_both_sides() {
    // u = v at one end, w at the other: D = ∫₀¹ |v(1−s) + w s| ds has ∂D/∂v = 1/2 sign(w) at v = 0.
    let (mut graph, value) = dissipation("abs(v*(1 - s) + w*s)", "0", "1");
    let slope = derivative(&mut graph, &[value], VELOCITIES[0])[0];
    for w in [-2.0, 0.5] {
        for v in [-1e-9, 0.0, 1e-9] {
            let found = numeric(&graph, &[slope], &at(v, w))[0];
            assert!((found - 0.5 * w.signum()).abs() < 1e-8, "at {v}, {w}: {found}");
        }
    }
}

#[test]
fn polynomials() {
    let (graph, value) = dissipation("(s + 1)^3 + v*s", "-m", "2*m");
    let (v, m) = (0.3, 0.7f64);
    let found = numeric(&graph, &[value], &at(v, 0.0))[0];
    let expected = ((2.0 * m + 1.0).powi(4) - (1.0 - m).powi(4)) / 4.0 + v * (4.0 - 1.0) * m * m / 2.0;
    assert!((found - expected).abs() < 1e-14);
}

#[test]
fn bounds_that_move_follow_leibniz() {
    // d/dy ∫₀^y s² ds = y².
    let model = model("coordinates x, y; kinetic = dot(x)^2; force x = u; potential = integral(s in 0..y, s^2);");
    let mut graph = model.graph;
    let slope = derivative(&mut graph, &[model.physics.potential.expect("it is stated")], Symbol::Coordinate(1))[0];
    let y = graph.symbol(Symbol::Coordinate(1));
    assert_eq!(slope, graph.power_integer(y, 2));
}
