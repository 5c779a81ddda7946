//! Coordinates without inertia: their rates, and the change of their rates along the motion.

use super::{State, assert_close, derived};
use lagrange_symbolic::graph::Symbol;
use lagrange_symbolic::graph::value::numeric;

/// c ẏ = k (x − y)·f(x, t). Its derivative along the motion contains that by the coordinates with inertia, by y and by t.
#[test]
fn the_second_derivative_is_that_of_the_rate() {
    let block = "coordinates z, x, y; kinetic = m*(dot(x)^2 + dot(z)^2)/2; potential = k*z^2/2;
        dissipation = c*dot(y)^2/2; force y = k*(x - y)*(1 + z^2)*cos(t);
        output change = dot(dot(y)); output rate = dot(y);";
    let derivation = derived(block, "struct Body { m: f64, k: f64, c: f64 }");
    let ([z, x, y], [vz, vx]): ([f64; 3], [f64; 2]) = ([0.3, 0.7, -0.4], [1.1, -0.6]);
    let (t, k, c): (f64, f64, f64) = (0.8, 2.5, 1.7);
    // y stands at the place of its velocity.
    let state = State { t, q: vec![z, x, f64::NAN], v: vec![vz, vx, y], parameters: vec![1.3, k, c] };
    let rate = k / c * (x - y) * (1.0 + z * z) * t.cos();
    let change = k / c
        * ((vx - rate) * (1.0 + z * z) * t.cos() + (x - y) * 2.0 * z * vz * t.cos()
            - (x - y) * (1.0 + z * z) * t.sin());
    // ẏ stands at the place of its acceleration.
    let symbol = |symbol| match symbol {
        Symbol::Acceleration(2) => rate,
        Symbol::Coordinate(i) => state.q[i as usize],
        Symbol::Velocity(i) => state.v[i as usize],
        Symbol::Parameter(i) => state.parameters[i as usize],
        Symbol::Time => state.t,
        symbol => panic!("{symbol:?} is not part of a state"),
    };
    let found = numeric(&derivation.model.graph, &derivation.equations.outputs, &symbol);
    assert_close(&found, &[change, rate], "d²y/dt² and dy/dt");
}
