//! Claims about the motion: accelerations, multipliers, rows of constraints and partial derivatives.

use lagrange_symbolic::{Derivation, derivation, parse, report};

const ITEM: &str = "struct Mechanism { m: f64, k: f64, l: f64, g: f64, c: f64, w: f64, #[input] u: f64 }";

/// The derivation of a block, or the messages.
fn derive(block: &str, item: &str) -> Result<Derivation, String> {
    let tokens = |text: &str| text.parse().expect("the test's source is made of tokens");
    let text = |report: report::Report| {
        report.entries().iter().map(|(mistake, _)| mistake.text()).collect::<Vec<_>>().join("\n")
    };
    parse::parse(tokens(block), tokens(item)).and_then(|spec| derivation(&spec)).map_err(text)
}

/// Each claim is accepted, and refuted if its right side is doubled and shifted.
#[track_caller]
fn check(block: &str, claims: &[(&str, &str)]) {
    for (left, right) in claims {
        if let Err(messages) = derive(&format!("{block} verify {left} == {right};"), ITEM) {
            panic!("{left} == {right}\n{messages}");
        }
        let wrong = format!("{block} verify {left} == 2*({right}) + 1;");
        let messages = derive(&wrong, ITEM).expect_err(&wrong);
        assert!(messages.contains("this does not hold"), "{messages}");
    }
}

const OSCILLATOR: &str = "coordinates x; kinetic = m*dot(x)^2/2; potential = k*x^2/2; dissipation = c*dot(x)^2/2;
    force x = u*cos(w*t);";

#[test]
fn an_oscillator() {
    let acceleration = "(u*cos(w*t) - c*dot(x) - k*x)/m";
    check(
        OSCILLATOR,
        &[
            ("acceleration[x]", acceleration),
            ("dot(dot(x))", acceleration),
            ("dot(dot(x^2/2))", &format!("dot(x)^2 + x*{acceleration}")),
            ("dot(momentum[x])", "balance[x]"),
            // The power balance.
            ("dot(energy)", "u*cos(w*t)*dot(x) - c*dot(x)^2"),
            ("partial(acceleration[x], x)", "-k/m"),
            ("partial(acceleration[x], dot(x))", "-c/m"),
            ("partial(acceleration[x], t)", "-u*w*sin(w*t)/m"),
            ("partial(acceleration[x], u)", "cos(w*t)/m"),
            ("partial(dot(dot(x)), k)", "-x/m"),
            ("partial(acceleration[x], m)", &format!("-{acceleration}/m")),
            ("partial(balance[x], dot(x))", "-c"),
            ("partial(momentum[x], dot(x))", "m"),
        ],
    );
}

#[test]
fn a_counterexample_states_no_acceleration() {
    let messages = derive(&format!("{OSCILLATOR} verify dot(dot(x)) == k*x/m;"), ITEM).expect_err("the sign is wrong");
    assert!(messages.contains("this does not hold: `dot(dot(x))` is"), "{messages}");
    let point = messages.split("derived:").next().unwrap_or_default();
    assert!(!point.contains("dot(dot(x)) ="), "{messages}");
    assert!(messages.contains("derived: dot(dot(x)) = "), "{messages}");
}

#[test]
fn the_double_pendulum_of_the_textbooks() {
    let block = "coordinates a, b;
        let elbow = [l*sin(a), -l*cos(a)];
        let tip = elbow + [k*sin(b), -k*cos(b)];
        kinetic = m*norm2(dot(elbow))/2 + c*norm2(dot(tip))/2;
        potential = g*(m*elbow[1] + c*tip[1]);";
    check(
        block,
        &[
            (
                "acceleration[a]",
                "(-g*(2*m + c)*sin(a) - c*g*sin(a - 2*b) - 2*sin(a - b)*c*(dot(b)^2*k + dot(a)^2*l*cos(a - b)))
                    /(l*(2*m + c - c*cos(2*a - 2*b)))",
            ),
            (
                "acceleration[b]",
                "2*sin(a - b)*(dot(a)^2*l*(m + c) + g*(m + c)*cos(a) + dot(b)^2*k*c*cos(a - b))
                    /(k*(2*m + c - c*cos(2*a - 2*b)))",
            ),
        ],
    );
    // Matrices and vectors as a whole: M = ∂p/∂v, and M ∂a/∂x = ∂F/∂x − ∂M/∂x a.
    for claim in [
        "partial(momentum, [dot(a), dot(b)]) == mass",
        "mass*acceleration == forcing",
        "mass*partial(acceleration, a) == partial(forcing, a) - partial(mass, a)*acceleration",
        "mass*partial(acceleration, dot(b)) == partial(forcing, dot(b))",
        "partial(energy, [a, b]) == [partial(energy, a), partial(energy, b)]",
    ] {
        if let Err(messages) = derive(&format!("{block} verify {claim};"), ITEM) {
            panic!("{claim}\n{messages}");
        }
    }
}

#[test]
fn the_tension_of_a_rod() {
    // Newton's law in the direction of the rod: −m v²/l = −m g y/l + λ.
    let multiplier = "m*(g*y - norm2(dot([x, y])))/l";
    check(
        "coordinates x, y; kinetic = m*norm2(dot([x, y]))/2; potential = m*g*y; constraint rod: norm([x, y]) == l;",
        &[
            ("multiplier(rod)", multiplier),
            ("reaction(rod)[y]", &format!("{multiplier}*y/l")),
            ("acceleration[x]", &format!("{multiplier}*x/(l*m)")),
            ("partial(multiplier(rod), m)", &format!("{multiplier}/m")),
            ("constraint_jacobian(rod)[x]", "x/l"),
            ("constraint_curvature(rod)", "norm2(dot([x, y]))/l"),
            ("inner(constraint_jacobian(rod), acceleration) + constraint_curvature(rod)", "0"),
        ],
    );
}

#[test]
fn rows_of_constraints() {
    check(
        "coordinates x, y; kinetic = m*norm2(dot([x, y]))/2; constraint hoop: x*sin(w*t) == y*cos(w*t);",
        &[
            ("constraint_jacobian(hoop)[y]", "-cos(w*t)"),
            ("constraint_drift(hoop)", "w*(x*cos(w*t) + y*sin(w*t))"),
            // A free point on a rotating line has r̈ = w² r, so that the second rate of r²/2 is w² r² + ṙ².
            ("dot(dot(hypot(x, y)^2/2))", "w^2*(x^2 + y^2) + (x*dot(x) + y*dot(y))^2/(x^2 + y^2)"),
        ],
    );
    check(
        "coordinates x, y, angle; kinetic = m*norm2(dot([x, y]))/2 + c*dot(angle)^2/2;
         nonholonomic wheels[0]: dot(x)*sin(angle) == dot(y)*cos(angle);
         nonholonomic wheels[1]: dot(angle) == w;",
        &[
            ("constraint_jacobian(wheels)[0][x]", "sin(angle)"),
            ("constraint_jacobian(wheels[1])[angle]", "1"),
            ("constraint_drift(wheels)[1]", "-w"),
            ("constraint_curvature(wheels[0])", "dot(angle)*(dot(x)*cos(angle) + dot(y)*sin(angle))"),
            ("acceleration[angle]", "0"),
        ],
    );
}

#[test]
fn an_indefinite_mass_matrix() {
    check("coordinates x, y; lagrangian = m*dot(x)*dot(y) - k*x*y;", &[("acceleration[x]", "-k*x/m")]);
}

#[test]
fn too_many_accelerations_are_undecided() {
    let messages = derive(
        "coordinates x[25]; kinetic = m*norm2(dot(x))/2; potential = k*norm2(x)/2;
         verify acceleration[x[3]] == -k*x[3]/m;",
        ITEM,
    )
    .expect_err("25 unknowns are too many");
    assert!(messages.contains("could not decide") && messages.contains("accelerations"), "{messages}");
}

#[test]
fn an_output_shows_accelerations() {
    let block = format!("{OSCILLATOR} output a = acceleration[x]; output b = dot(dot(x));");
    let outputs = derive(&block, ITEM).expect("both are accelerations").model.physics.outputs;
    assert_eq!(outputs[0].value, outputs[1].value);
}

#[test]
fn a_parameter_may_be_called_acceleration() {
    let item = "struct Ball { m: f64, acceleration: f64 }";
    let block = "coordinates x; kinetic = m*dot(x)^2/2; potential = m*acceleration*x;
        verify acceleration[x] == -acceleration;";
    if let Err(messages) = derive(block, item) {
        panic!("{messages}");
    }
}
