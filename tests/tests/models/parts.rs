//! Mechanisms made of parts: an arm of links from another crate against the same arm written as one block.

use lagrange_runtime::prelude::*;
use lagrange_tests::parts::{Link, curvature, slope, softened};

mod cart {
    use lagrange_runtime::prelude::*;

    /// A cart, as a part that is a mechanism alone, with numbers of any type.
    #[lagrangian {
        part;
        coordinates x: m;
        let pin = [x, 0];
        kinetic = m*dot(x)^2/2;
        potential = k*x^2/2;
        state heat: J, dot(heat) == c*dot(x)^2;
        dissipation = c*dot(x)^2/2;
        verify mass[x, x] == m;
        invariant all = energy + heat;
    }]
    #[derive(Clone, Debug)]
    pub(crate) struct Cart<R> {
        #[unit(kg)]
        pub m: R,
        #[unit(N/m)]
        pub k: R,
        #[unit(kg/s)]
        pub c: R,
    }
}

/// A cart with two links on it: a part of its own, in which parts are.
#[lagrangian {
    part;
    part cart: cart::Cart;
    part link[2]: lagrange_tests::parts::Link;
    let link[0].base = cart.pin;
    let link[1].base = link[0].tip;
    output tip = link[1].tip;
    output swing: J = link[0].kinetic + link[1].kinetic;
    let span = norm(link[1].tip - cart.pin);
}]
#[derive(Clone, Debug)]
struct Crane {
    link: [Link; 2],
    cart: cart::Cart<f32>,
}

/// The same in one block.
#[lagrangian {
    coordinates x: m, theta[2]: rad;
    let first = [x, 0] + l[0]*[sin(theta[0]), -cos(theta[0])];
    let second = first + l[1]*[sin(theta[1]), -cos(theta[1])];
    extern softened(x) = softened, d(x) = slope, d(x, x) = curvature;
    state heat: J, dot(heat) == c*dot(x)^2;
    let swing = m[0]*norm2(dot(first))/2 + m[1]*norm2(dot(second))/2;
    kinetic = mass_of_cart*dot(x)^2/2 + swing;
    potential = k*x^2/2 + g[0]*m[0]*first[1] + g[1]*m[1]*second[1]
              + stiffness[0]*softened(theta[0]) + stiffness[1]*softened(theta[1]);
    dissipation = c*dot(x)^2/2;
    force theta = torque;
    output height[0] = first[1];
    output height[1] = second[1];
    output tip = second;
    output swing: J = swing;
}]
#[derive(Clone, Debug)]
struct Flat {
    #[unit(kg)]
    m: [f64; 2],
    #[unit(m)]
    l: [f64; 2],
    #[unit(m/s^2)]
    g: [f64; 2],
    #[unit(N*m)]
    stiffness: [f64; 2],
    #[input]
    #[unit(N*m)]
    torque: [f64; 2],
    #[unit(kg)]
    mass_of_cart: f64,
    #[unit(N/m)]
    k: f64,
    #[unit(kg/s)]
    c: f64,
}

/// Two cranes that a spring couples: parts of parts of parts.
#[lagrangian {
    part crane[2]: Crane;
    potential = spring*(crane[1].cart.x - crane[0].cart.x)^2/2;
    constraint rope: crane[0].link[1].tip[1] == crane[1].link[1].tip[1];
    output span[i in 0..2] = crane[i].span;
    output tension = multiplier(rope);
}]
struct Yard {
    crane: [Crane; 2],
    #[unit(N/m)]
    spring: f64,
}

fn crane() -> Crane {
    let link = |m: f64, l: f64| Link { m, l, g: 9.81, stiffness: 2.0, torque: 0.25 };
    Crane { link: [link(0.5, 0.8), link(0.75, 0.3)], cart: cart::Cart { m: 2.0, k: 3.0, c: 0.5 } }
}

#[test]
fn parts_have_names() {
    assert_eq!(Crane::COORDINATES, ["cart.x", "link[0].theta", "link[1].theta", "cart.heat"]);
    assert_eq!(Crane::INPUTS, ["link[0].torque", "link[1].torque"]);
    assert_eq!(Crane::PARAMETERS[0], "link[0].m");
    assert_eq!(Crane::PARAMETERS[8..], ["cart.m", "cart.k", "cart.c"]);
    let index = Crane::INDEX;
    assert_eq!([index.cart.x, index.link[0].theta, index.link[1].theta, index.cart.heat], [0, 1, 2, 3]);
    assert_eq!(Yard::INDEX.crane[1].link[0].theta, 4);
    assert_eq!(Yard::COORDINATES[4], "crane[1].link[0].theta");
    assert_eq!(Yard::CONSTRAINTS, ["rope"]);
    assert_eq!(Crane::UNITS.coordinates, ["m", "rad", "rad", "J"]);
    assert!(
        Crane::EQUATIONS_LATEX.contains(
            r"M_{\theta_{\mathrm{link},0},x_{\mathrm{cart}}} &= l_{\mathrm{link},0} \left(m_{\mathrm{link},0}"
        ),
        "{}",
        Crane::EQUATIONS_LATEX
    );
    let mut crane = crane();
    crane.set_parameter("link[1].l", 0.375).expect("there is such a parameter");
    crane.set_parameter("cart.k", 4.0).expect("there is such a parameter");
    crane.set_parameter("link[0].torque", 1.5).expect("there is such an input");
    assert_eq!((crane.link[1].l, crane.cart.k, crane.link[0].torque), (0.375, 4.0, 1.5));
    assert_eq!(crane.parameter("link[0].l").ok(), Some(0.8));
    assert!(crane.set_parameter("l", 1.0).is_err());
}

#[test]
fn a_crane_of_parts_moves_as_the_flat_one() {
    let crane = crane();
    let flat = Flat {
        m: [0.5, 0.75],
        l: [0.8, 0.3],
        g: [9.81; 2],
        stiffness: [2.0; 2],
        torque: [0.25; 2],
        mass_of_cart: 2.0,
        k: 3.0,
        c: 0.5,
    };
    let (crane, flat) = (crane.prepare::<f64>().expect("it is sound"), flat.prepare::<f64>().expect("it is sound"));
    let start = State::new(0.0, [0.25, 0.5, -0.75, 0.0], [0.125, -1.0, 2.0, 0.0]);
    let options = Options::default();
    let motions = [
        solve(&crane, start, 2.0, &Dop853::new(), &options).expect("the crane moves").last(),
        solve(&flat, start, 2.0, &Dop853::new(), &options).expect("the crane moves").last(),
    ];
    assert_eq!(motions[0], motions[1]);
    let names: Vec<&str> = crane.outputs_of(&start).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["link[0].height", "link[1].height", "tip[0]", "tip[1]", "swing"]);
    let values = |outputs: Vec<(&str, f64)>| outputs.into_iter().map(|(_, value)| value).collect::<Vec<_>>();
    assert_eq!(values(crane.outputs_of(&start)), values(flat.outputs_of(&start)));
}

#[test]
fn cranes_in_a_yard_keep_their_constraint() {
    let yard = Yard { crane: [crane(), crane()], spring: 1.0 }.prepare::<f64>().expect("it is sound");
    let mut start = State::new(0.0, [0.0; 8], [0.0; 8]);
    for (crane, angle) in [(Yard::INDEX.crane[0], 0.5), (Yard::INDEX.crane[1], -0.5)] {
        start.q[crane.link[0].theta] = angle;
        start.q[crane.link[1].theta] = 0.25;
    }
    // The constraint drifts by the error of the motion.
    let options = Options { rtol: 1e-11.into(), atol: 1e-11.into(), ..Options::default() };
    let end = solve(&yard, start, 0.5, &Dop853::new(), &options).expect("the cranes move").last();
    let end = end.expect("it has states");
    let outputs = yard.outputs_of(&end);
    let value = |name: &str| outputs.iter().find(|(known, _)| *known == name).expect("there is such a sensor").1;
    // Both carts leave their place, the tips keep their common height, and the rope pulls.
    assert!(end.q[Yard::INDEX.crane[0].cart.x].abs() > 1e-3 && end.q[Yard::INDEX.crane[1].cart.x].abs() > 1e-3);
    let lift = value("crane[0].link[1].height") - value("crane[1].link[1].height");
    assert!(lift.abs() < 1e-9, "{lift}");
    assert!(value("tension").abs() > 1e-3 && value("span[0]") > 0.5);
}
