//! What a reader of `cargo expand` sees, in files of `expected/`: whole expansions of small mechanisms, a digest of a large one. The
//! folder of a new mechanism is created by hand.

mod digest;
mod parts;

use expect_test::expect_file;
use lagrange_symbolic::expand;

fn expansion(block: &str, item: &str) -> syn::File {
    syn::parse2(expand(block.parse().unwrap(), item.parse().unwrap())).unwrap()
}

/// Compares each part of an expansion with the file of its name in a folder.
macro_rules! assert_expansion {
    ($folder:literal, $block:expr, $item:expr) => {
        let parts = parts::of(expansion($block, $item));
        expect_file![concat!("expected/", $folder, "/item.rs")].assert_eq(&parts.item());
        expect_file![concat!("expected/", $folder, "/mechanism.rs")].assert_eq(&parts.mechanism());
        expect_file![concat!("expected/", $folder, "/prepared.rs")].assert_eq(&parts.prepared());
        expect_file![concat!("expected/", $folder, "/methods.rs")].assert_eq(&parts.methods());
        expect_file![concat!("expected/", $folder, "/system.rs")].assert_eq(&parts.system());
        expect_file![concat!("expected/", $folder, "/evaluations.rs")].assert_eq(&parts.evaluations());
        expect_file![concat!("expected/", $folder, "/markers.rs")].assert_eq(&parts.markers());
    };
}

#[test]
fn plain_pendulum() {
    assert_expansion!(
        "plain_pendulum",
        "coordinates theta;
        kinetic = m*l^2*dot(theta)^2/2;
        potential = -m*g*l*cos(theta);",
        "/// A point mass on a rod.
        pub struct Pendulum { pub m: f64, pub l: f64, pub g: f64 }"
    );
}

#[test]
fn constrained_pendulum() {
    assert_expansion!(
        "constrained_pendulum",
        "coordinates x, y;
        kinetic = m*(dot(x)^2 + dot(y)^2)/2;
        potential = m*g*y;
        constraint rod: norm([x, y]) == l;
        output tension = -multiplier(rod);",
        "/// A point mass on a rod, in Cartesian coordinates.
        pub struct Pendulum { pub m: f64, pub l: f64, pub g: f64 }"
    );
}

/// An input, dissipation and explicit time.
#[test]
fn driven_oscillator() {
    assert_expansion!(
        "driven_oscillator",
        "coordinates x;
        kinetic = m*dot(x)^2/2;
        potential = k*(x - a*sin(w*t))^2/2;
        dissipation = c*dot(x)^2/2;
        force x = push;",
        "/// A mass on a spring whose other end shakes, with a damper and a force.
        pub struct Oscillator { pub m: f64, pub k: f64, pub c: f64, pub a: f64, pub w: f64, #[input] pub push: f64 }"
    );
}

/// The rows of contacts: a friction with a scalar slip and one with a vector, and a contact that opens and closes.
#[test]
fn contacts() {
    let puck = parts::of(expansion(
        "coordinates x, y;
        kinetic = m*(dot(x)^2 + dot(y)^2)/2;
        friction pad: [x - speed*t, y] = b*(1 + exp(-abs(dot(y))));
        friction rail: x = c;
        output force = friction(pad);",
        "pub struct Puck { pub m: f64, pub speed: f64, pub b: f64, pub c: f64 }",
    ));
    expect_file!["expected/contacts/vector_friction.rs"].assert_eq(&puck.evaluations());
    let ball = parts::of(expansion(
        "coordinates x, y;
        kinetic = m*(dot(x)^2 + dot(y)^2)/2;
        potential = m*g*y;
        contact floor: y >= r, restitution = e, friction = mu, slip = x;
        output load = contact(floor);",
        "pub struct Ball { pub m: f64, pub g: f64, pub r: f64, pub e: f64, pub mu: f64 }",
    ));
    expect_file!["expected/contacts/contact.rs"].assert_eq(&ball.evaluations());
}

/// A rate that an iteration finds.
#[test]
fn sinking_body() {
    assert_expansion!(
        "sinking_body",
        "coordinates x;
        kinetic = 0;
        potential = weight*x + k*x^2/2;
        dissipation = c*abs(dot(x))^3/3;",
        "/// A light body on a spring that sinks in water.
        pub struct Body { pub weight: f64, pub k: f64, pub c: f64 }"
    );
}

#[test]
fn chain_of_eight_pendulums() {
    let expansion = expansion(
        "const n = 8;
        coordinates theta[n];
        let p[0] = l[0]*[sin(theta[0]), -cos(theta[0])];
        let p[i in 1..n] = p[i - 1] + l[i]*[sin(theta[i]), -cos(theta[i])];
        kinetic = sum(i in 0..n, m[i]*norm2(dot(p[i]))/2);
        potential = g*sum(i in 0..n, m[i]*p[i][1]);",
        "pub struct Chain { pub m: [f64; 8], pub l: [f64; 8], pub g: f64 }",
    );
    expect_file!["expected/chain_of_eight_pendulums.txt"].assert_eq(&parts::of(expansion).digest());
}
