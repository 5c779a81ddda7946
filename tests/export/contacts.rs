//! Mechanisms that `units_contacts.py` exports from this file: contacts and dry friction with forces that change while they are at rest.

/// A body at rest whose driving force grows.
#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    force x = f*sin(w*t)*t/(1 + t);
    friction pad: x = b;
}]
struct Swelling {
    m: f64,
    f: f64,
    w: f64,
    b: f64,
}

/// Two bodies at rest on each other, of which the lower one is pulled more and more.
#[lagrangian {
    coordinates x, y;
    kinetic = m*dot(x)^2/2 + n*dot(y)^2/2;
    force x = f*t;
    friction lower: x = b1;
    friction upper: x - y = b2;
}]
struct Ramp {
    m: f64,
    n: f64,
    f: f64,
    b1: f64,
    b2: f64,
}

/// A body on a rough slope, on which a drag with a sign of its own acts, and a pull that grows.
#[lagrangian {
    coordinates x, y;
    kinetic   = m*(dot(x)^2 + dot(y)^2)/2;
    potential = m*g*y;
    contact floor: y - s*x >= 0, restitution = e, friction = mu, slip = x + s*y;
    force x = -c*dot(x)*abs(dot(x)) - r*t;
    force y = -c*dot(y)*abs(dot(y));
}]
struct Dragged {
    m: f64,
    g: f64,
    e: f64,
    mu: f64,
    s: f64,
    c: f64,
    r: f64,
}

/// A block on rough ground that a push of the importing tool moves.
#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    force x = push;
    friction ground: x = b;
}]
struct Pushed {
    m: f64,
    b: f64,
    #[input]
    push: f64,
}

/// A ball that loses more of a fast impact.
#[lagrangian {
    coordinates y;
    kinetic   = m*dot(y)^2/2;
    potential = m*g*y;
    contact floor: y >= 0, restitution = c*exp(-approach(floor)/v0);
}]
struct Fading {
    m: f64,
    g: f64,
    c: f64,
    v0: f64,
}

/// A ball that gets heavier when it rebounds: a mode changes at the instant of the impact.
#[lagrangian {
    coordinates y;
    mode heavy = when dot(y) > 1/10 { 1 };
    kinetic   = m*dot(y)^2/2;
    potential = m*g*y*(1 + heavy);
    contact floor: y >= 0, restitution = e;
}]
struct Heavier {
    m: f64,
    g: f64,
    e: f64,
}
