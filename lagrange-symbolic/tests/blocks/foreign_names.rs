//! Names of rates and functions in other languages.

use lagrange_symbolic::parse::foreign::{function, rate};

#[test]
fn rates_are_told_from_names() {
    let moves = |name: &str| ["theta", "theta1", "x", "q", "phi_1"].contains(&name);
    let of = |name: &str| rate(name, moves).unwrap_or_default();
    for name in ["theta_dot", "thetadot", "dtheta", "d_theta", "thetad", "theta_d", "dot_theta", "theta\u{307}"] {
        assert_eq!(of(name), "dot(theta)", "{name}");
    }
    for name in ["theta_ddot", "thetaddot", "thetadotdot", "ddtheta", "thetadd", "d2theta", "theta\u{308}"] {
        assert_eq!(of(name), "dot(dot(theta))", "{name}");
    }
    assert_eq!([of("theta_dot1"), of("theta1_dot"), of("thetadot_1")], ["dot(theta1)"; 3]);
    assert_eq!([of("phi_1_dot"), of("phi_dot_1")], ["dot(phi_1)"; 2]);
    assert_eq!([of("ẋ"), of("vx"), of("v_x"), of("qd")], ["dot(x)", "dot(x)", "dot(x)", "dot(q)"]);
    assert_eq!([of("ẍ"), of("qdd")], ["dot(dot(x))", "dot(dot(q))"]);
    for name in ["mass", "d", "dm", "dot", "thta", "omega", "ddot", "v"] {
        assert_eq!(of(name), "", "{name}");
    }
}

#[test]
fn functions_of_other_languages() {
    let of = |name: &str, arguments: &[&str]| {
        let arguments: Vec<String> = arguments.iter().map(|text| (*text).to_owned()).collect();
        function(name, &arguments).unwrap_or_default()
    };
    assert_eq!(of("ddot", &["x"]), "write `dot(dot(x))`");
    assert_eq!(of("diff", &["x", "t", "2"]), "write `dot(dot(x))`");
    assert_eq!(of("Derivative", &["x", "t"]), "write `dot(x)`");
    assert_eq!(of("Sin", &["x"]), "write `sin(x)`");
    assert_eq!(of("pow", &["x + 1", "2"]), "write `(x + 1)^2`");
    assert_eq!(of("where", &["x < 0", "a", "b"]), "write `if x < 0 { a } else { b }`");
    assert_eq!(of("Matrix", &["[a, b]"]), "write `[a, b]`");
    assert_eq!(of("Vec3", &["a", "b", "c"]), "write `[a, b, c]`");
    assert_eq!(of("ceil", &["x + 1"]), "write `-floor(-(x + 1))`");
    assert_eq!(of("bessel", &["x"]), "");
}
