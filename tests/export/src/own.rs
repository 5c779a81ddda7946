//! Mechanisms for what those of `models` lack: tables, equations that iterations solve, all functions, a mass matrix that is not definite,
//! arrays, parts, and names that other languages reserve.

use lagrange_runtime::prelude::*;

/// Functions that no mechanism of `models` has, names that C reserves, and one that is no ASCII.
#[lagrangian {
    coordinates x, ψ;
    kinetic   = long*dot(x)^2/2 + lambda*dot(ψ)^2/2;
    potential = short*norm([x, ψ])^3 + sinc(x) + tanh(ψ) + I*exp(-x^2);
    dissipation = int*abs(dot(x))^3/3;
    force x = u[0]*floor(2*t) + max(x, ψ) + mod(t, short) + sign(ψ) + atan2(ψ, x);
    force ψ = if x < ψ && !(t < 1) || ψ < -1 { u[1] } else { -u[1] };
    output speed = norm([dot(x), dot(ψ)]);
    output push  = dot(dot(x)) - dot(dot(ψ));
    output rest  = min(asin(ψ/8), acos(x/8)) + sinh(x) + cosh(ψ) + atan(x) + tan(ψ/4) + ln(1 + x^2) + (1 + x^2)^1.3;
}]
#[derive(Clone, Debug)]
#[allow(non_snake_case)]
pub(crate) struct Functions {
    long: f64,
    short: f64,
    lambda: f64,
    I: f64,
    int: f64,
    #[input]
    u: [f64; 2],
}

impl Default for Functions {
    fn default() -> Self {
        Self { long: 1.5, short: 0.7, lambda: 2.0, I: 0.3, int: 0.2, u: [0.4, -0.9] }
    }
}

/// Tables of numbers with equal and other distances, of parameters, and an inverse.
#[lagrangian {
    coordinates x, y;
    table even(x) = spline([-1, -0.75, -0.5, -0.25, 0, 0.25], [0.3, 1.1, -0.7, 0.2, 0.9, -2]);
    table own(x)  = spline(at, height);
    table rise(x) = spline([-2, -1, 0.5, 1, 3], [-5, -2, 0, 2, 5]);
    kinetic   = m*(dot(x)^2 + dot(y)^2)/2;
    potential = even(x) + own(y) + inverse(rise, x + y)^2;
}]
#[derive(Clone, Debug)]
pub(crate) struct Tables {
    m: f64,
    at: [f64; 4],
    height: [f64; 4],
}

impl Default for Tables {
    fn default() -> Self {
        Self { m: 1.0, at: [-1.0, -0.2, 0.3, 1.5], height: [0.5, -0.1, 0.2, 1.0] }
    }
}

/// Coordinates without inertia, whose rates an iteration finds.
#[lagrangian {
    coordinates x, near, far;
    kinetic   = m*dot(x)^2/2;
    potential = k*(x - near)^2/2 + k*(near - far)^2/2 + k*far^4/4;
    dissipation = a*(dot(near) - dot(far))^4/4 + b*(dot(near) + dot(far))^2/2 + d*abs(dot(far))^3/3;
}]
#[derive(Clone, Debug)]
pub(crate) struct Creep {
    m: f64,
    k: f64,
    a: f64,
    b: f64,
    d: f64,
}

impl Default for Creep {
    fn default() -> Self {
        Self { m: 1.0, k: 3.0, a: 0.5, b: 0.7, d: 0.2 }
    }
}

/// A ball between two walls, with coefficients of restitution that depend on the speed of approach, the place and the time.
#[lagrangian {
    coordinates x, y;
    kinetic   = m*(dot(x)^2 + dot(y)^2)/2;
    potential = m*g*y;
    contact floor: y >= x/4, restitution = exp(-approach(floor)/v0), friction = mu, slip = x + y/4;
    contact wall: l >= x + sin(t)/8, restitution = if approach(wall) < v0 { 0 } else { 1/(1 + x^2) };
}]
#[derive(Clone, Debug)]
pub(crate) struct Walls {
    m: f64,
    g: f64,
    mu: f64,
    l: f64,
    v0: f64,
}

impl Default for Walls {
    fn default() -> Self {
        Self { m: 1.2, g: 9.81, mu: 0.3, l: 2.0, v0: 1.5 }
    }
}

/// A relay whose modes count, and assign to coordinates.
#[lagrangian {
    coordinates x;
    kinetic   = m*dot(x)^2/2;
    potential = if relay > 0 { k*x^2/2 } else { 2*k*x^2 };
    mode relay = when x < -d && dot(x) < 0 { 1 } then count = count + 1
                 when dot(dot(x)) > d || !(t > 1) { -1 } then [x, dot(x)] = [0, -dot(x)/2];
    mode count;
}]
#[derive(Clone, Debug)]
pub(crate) struct CountingRelay {
    m: f64,
    k: f64,
    d: f64,
}

impl Default for CountingRelay {
    fn default() -> Self {
        Self { m: 1.5, k: 2.0, d: 0.3 }
    }
}

/// A regular mass matrix that is not definite.
#[lagrangian {
    coordinates x, y;
    lagrangian = m*dot(x)*dot(y) - k*x*y + m*cos(x)*dot(y)^2/9;
}]
#[derive(Clone, Debug)]
pub(crate) struct Indefinite {
    m: f64,
    k: f64,
}

impl Default for Indefinite {
    fn default() -> Self {
        Self { m: 1.5, k: 2.0 }
    }
}

/// A cart with a filter for its force, which also is a mechanism alone.
#[lagrangian {
    part;
    coordinates x;
    state force: dot(force) == (command - force)/delay;
    let pin = [x, 0];
    kinetic = m*dot(x)^2/2;
    dissipation = c*dot(x)^2/2;
    force x = force;
}]
#[derive(Clone, Debug)]
pub(crate) struct Cart {
    m: f64,
    c: f64,
    delay: f64,
    #[input]
    command: f64,
}

impl Default for Cart {
    fn default() -> Self {
        Self { m: 2.0, c: 0.3, delay: 0.5, command: 1.2 }
    }
}

/// A rod with a mass at its end, on a point that its surroundings give.
#[lagrangian {
    given base[2];
    coordinates theta;
    let tip = base + l*[sin(theta), -cos(theta)];
    kinetic = m*norm2(dot(tip))/2;
    potential = g*m*tip[1] + k*theta^4/4;
    output height = tip[1];
}]
#[derive(Clone, Debug)]
struct Link {
    m: f64,
    l: f64,
    g: f64,
    k: f64,
}

/// Links in a row.
#[lagrangian {
    given pin[2];
    part link[2]: Link;
    let link[0].base = pin;
    let link[1].base = link[0].tip;
    let end = link[1].tip;
}]
#[derive(Clone, Debug)]
struct Arm {
    link: [Link; 2],
}

/// A crane of parts, and of parts of parts, whose arm touches a wall that gives way.
#[lagrangian {
    part cart: Cart;
    part arm: Arm;
    let arm.pin = cart.pin;
    potential = stiffness*max(0, arm.end[0] - wall)^3/3;
    output end = arm.end;
    output share = arm.link[1].kinetic - cart.kinetic;
}]
#[derive(Clone, Debug)]
pub(crate) struct Crane {
    cart: Cart,
    arm: Arm,
    stiffness: f64,
    wall: f64,
}

impl Default for Crane {
    fn default() -> Self {
        let link = |m, l| Link { m, l, g: 9.81, k: 0.4 };
        Self { cart: Cart::default(), arm: Arm { link: [link(0.5, 0.8), link(0.7, 0.3)] }, stiffness: 40.0, wall: 0.2 }
    }
}
