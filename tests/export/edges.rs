//! Mechanisms that `units.py` exports from this file: switches within a step, states without rates, coordinates that constraints hold at rest.

/// A force that acts for 10 ms: from rest, m v = 100 · 0.01.
#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    force x = if (t - 5)*(t - 5.01) < 0 { 100 } else { 0 };
}]
struct Gate {
    m: f64,
}

/// An oscillator with a stop that it meets at the end of its swing.
#[lagrangian {
    coordinates x;
    kinetic   = m*dot(x)^2/2;
    potential = x^2/2;
    force x = if x > 0.99 { -1e4*(x - 0.99) } else { 0 };
}]
struct Stop {
    m: f64,
}

/// A relativistic mass, whose velocity stays below 1: under a constant push v = p/√(1 + p²), p = push t/m.
#[lagrangian {
    coordinates x;
    lagrangian = -m*sqrt(1 - dot(x)^2);
    force x = push;
}]
struct Fast {
    m: f64,
    #[input]
    push: f64,
}

/// A tank that drains: √z falls by t/2, until z = 0 at t = 2, and there are no real rates beyond.
#[lagrangian {
    coordinates y;
    state z: dot(z) == -sqrt(z);
    kinetic = m*dot(y)^2/2;
}]
struct Tank {
    m: f64,
}

/// Two constraints hold x and y, and z moves: 2/3 z″ = −z + (x − z), m = 1.
#[lagrangian {
    coordinates x, y, z;
    kinetic   = m*dot(x)^2/2 + m*dot(y)^2/2 + m*dot(z)^2/3;
    potential = (x - z)^2/2 + m*9.81*y + z^2/2;
    constraint one: 3*x == 0.1 + 0.7*y;
    constraint other: y + x/7 == 1/3;
}]
struct Lock {
    m: f64,
}

/// A room whose heater a thermostat switches: exponentials towards 0 and 50 degrees.
#[lagrangian {
    coordinates x;
    state temperature: dot(temperature) == -temperature/10 + 5*heating;
    mode heating = when temperature < 18 { 1 } when temperature > 22 { 0 };
    kinetic = m*dot(x)^2/2;
}]
struct Room {
    m: f64,
}

/// A mass on a spring that is four times as stiff on one side: half a period is π, or π/2.
#[lagrangian {
    coordinates x;
    kinetic   = m*dot(x)^2/2;
    potential = if soft > 1/2 { x^2/2 } else { 2*x^2 };
    mode soft = when x > 0 { 1 } when x < 0 { 0 };
}]
struct TwoSprings {
    m: f64,
}

/// Modes that change each other without end from x = 1 on.
#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    mode first = when x > 1 && second < 1/2 { 1 } when second > 1/2 { 0 };
    mode second = when first > 1/2 { 1 } when first < 1/2 { 0 };
}]
struct Circle {
    m: f64,
}

/// Changes that follow each other at t = 1, at rest before: the last one pushes the mass off with the speed 3.
#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    mode third = when second > 1/2 { 1 } then dot(x) = 3;
    mode second = when first > 1/2 { 1 };
    mode first = when t > 1 { 1 };
}]
struct Chain {
    m: f64,
}

/// A ball that a change of a mode throws back with 0.7 of its speed.
#[lagrangian {
    coordinates h;
    kinetic   = m*dot(h)^2/2;
    potential = m*9.81*h;
    mode bounces = when h < 0 && dot(h) < 0 { bounces + 1 } then dot(h) = -0.7*dot(h);
}]
struct Bouncer {
    m: f64,
}

/// A mass that a controller pushes.
#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    force x = push;
}]
struct Driven {
    m: f64,
    #[input]
    push: f64,
}
