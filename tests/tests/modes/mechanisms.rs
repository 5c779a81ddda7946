//! The mechanisms of these tests.

use lagrange_runtime::prelude::*;

/// A room whose heater a thermostat switches.
#[lagrangian {
    state temperature: dot(temperature) == (outside - temperature)/tau + power*heating;
    mode heating = when temperature < low { 1 } when temperature > high { 0 };
}]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    pub outside: f64,
    pub tau: f64,
    pub power: f64,
    pub low: f64,
    pub high: f64,
}

impl Room {
    pub(crate) const COLD: Self = Self { outside: 0.0, tau: 10.0, power: 5.0, low: 18.0, high: 22.0 };

    /// From 10 degrees, without heating.
    pub(crate) fn start() -> State<f64, 2> {
        State::new(0.0, [0.0; 2], [10.0, 0.0])
    }

    /// When the heater is switched: on at the start, off at 22 degrees, on at 18, and so on, by the exponentials towards 0 and 50 degrees.
    pub(crate) fn switched(count: usize) -> Vec<f64> {
        let mut times = vec![0.0, 10.0 * f64::ln(40.0 / 28.0)];
        while times.len() < count {
            let length = if times.len() % 2 == 0 { f64::ln(22.0 / 18.0) } else { f64::ln(32.0 / 28.0) };
            times.push(times[times.len() - 1] + 10.0 * length);
        }
        times
    }
}

/// A mass on a spring that is four times as stiff on one side.
#[lagrangian {
    coordinates x;
    kinetic   = m*dot(x)^2/2;
    potential = if soft > 1/2 { k*x^2/2 } else { 4*k*x^2/2 };
    mode soft = when x > 0 { 1 } when x < 0 { 0 };
}]
#[derive(Clone, Copy, Debug)]
pub(crate) struct TwoSprings {
    pub m: f64,
    pub k: f64,
}

/// A mass under a relay with hysteresis, whose force is 1 or -1.
#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    force x = f*relay;
    mode relay = when x < -d { 1 } when x > d { -1 };
}]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Relay {
    pub m: f64,
    pub f: f64,
    pub d: f64,
}

/// A ball that counts its bounces, each of which halves its horizontal speed.
#[lagrangian {
    coordinates x, y;
    kinetic   = m*(dot(x)^2 + dot(y)^2)/2;
    potential = m*g*y;
    mode bounces = when y < 0 && dot(y) < 0 { bounces + 1 } then dot(y) = -e*dot(y), dot(x) = dot(x)/2;
}]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ball {
    pub m: f64,
    pub g: f64,
    pub e: f64,
}

/// A pendulum on a rod that breaks at a tension.
#[lagrangian {
    coordinates x, y;
    kinetic   = m*(dot(x)^2 + dot(y)^2)/2;
    potential = m*g*y;
    constraint rod: norm([x, y]) == l;
    mode overloaded = when -multiplier(rod) > limit { 1 };
}]
#[derive(Clone, Copy, Debug)]
pub(crate) struct LoadedRod {
    pub m: f64,
    pub g: f64,
    pub l: f64,
    pub limit: f64,
}

/// A pendulum on a rod that is struck where it passes its lowest place, by a change that the rod must be brought back to.
#[lagrangian {
    coordinates x, y;
    kinetic   = m*(dot(x)^2 + dot(y)^2)/2;
    potential = m*g*y;
    constraint rod: norm([x, y]) == l;
    mode struck = when x > 0 { 1 } then [dot(x), dot(y)] = [dot(x) + 1, dot(y) + 1];
}]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Struck {
    pub m: f64,
    pub g: f64,
    pub l: f64,
}

/// A chain of modes of which each brings about the next: a timer, a gear and a counter that only the gear changes.
#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    force x = gear;
    mode late = when t > start { 1 };
    mode gear = when late > 1/2 && dot(x) < 1 { 1 } then shifts = shifts + 1
                when dot(x) > top { 2 } then shifts = shifts + 1;
    mode shifts;
}]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gears {
    pub m: f64,
    pub start: f64,
    pub top: f64,
}

/// Two modes of which each undoes the other.
#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    mode first = when x > 0 && second < 1/2 { 1 } when second > 1/2 { 0 };
    mode second = when first > 1/2 { 1 } when first < 1/2 { 0 };
}]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Circle {
    pub m: f64,
}

/// A ball on a floor, with a mode that says whether it rises.
#[lagrangian {
    coordinates y;
    kinetic   = m*dot(y)^2/2;
    potential = m*g*y;
    contact floor: y >= 0, restitution = e;
    mode rises = when dot(y) > 0 { 1 } when dot(y) < 0 { 0 };
}]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rising {
    pub m: f64,
    pub g: f64,
    pub e: f64,
}

/// A mass under a sampled force, with a latch that a large force closes.
#[lagrangian {
    coordinates x;
    kinetic   = m*dot(x)^2/2;
    potential = k*latched*x^2/2;
    force x = push;
    mode latched = when push > 1 { 1 };
}]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Latch {
    pub m: f64,
    pub k: f64,
    #[input]
    pub push: f64,
}

/// A block that friction holds against a growing force until it is kicked.
#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    force x = slope*t;
    friction pad: x = bound;
    mode kicked = when t > 1 { 1 } then dot(x) = speed;
}]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kicked {
    pub m: f64,
    pub slope: f64,
    pub bound: f64,
    pub speed: f64,
}
