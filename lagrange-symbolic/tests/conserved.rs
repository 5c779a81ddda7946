//! Constants of the motion that are proved, checked or refuted.

#[path = "conserved/assumptions.rs"]
mod assumptions;
#[path = "conserved/branches.rs"]
mod branches;
#[path = "conserved/continuity.rs"]
mod continuity;
#[path = "conserved/false_claims.rs"]
mod false_claims;
#[path = "conserved/noether.rs"]
mod noether;
#[path = "conserved/unstated.rs"]
mod unstated;

use lagrange_symbolic::{Conserved, derivation, parse, report};
use proc_macro2::TokenStream;

fn tokens(text: &str) -> TokenStream {
    text.parse().expect("the text is made of tokens")
}

/// How each invariant of a block was established, or the messages.
fn known(block: &str) -> Result<Vec<(String, Conserved)>, String> {
    let item = "struct Mechanism { m: f64, M: f64, k: f64, l: f64, g: f64, a: f64, c: f64, B: f64, w: f64 }";
    let spec = parse::parse(tokens(block), tokens(item)).and_then(|spec| derivation(&spec));
    let text = |report: report::Report| report.entries().iter().map(|(mistake, _)| mistake.text() + "\n").collect();
    spec.map(|derivation| derivation.invariants).map_err(text)
}

#[track_caller]
fn proved(block: &str, names: &[&str]) {
    let expected: Vec<(String, Conserved)> = names.iter().map(|name| ((*name).to_owned(), Conserved::Proved)).collect();
    assert_eq!(known(block), Ok(expected));
}

#[track_caller]
fn refuted(block: &str) {
    let messages = known(block).expect_err("the claim is wrong");
    assert!(messages.contains("is not conserved: its rate of change is"), "{messages}");
}

#[test]
fn symmetries() {
    // A planet: energy and angular momentum.
    proved(
        "coordinates x, y;
         lagrangian = m*(dot(x)^2 + dot(y)^2)/2 + k/hypot(x, y);
         invariant energy_of_planet = energy;
         invariant spin = m*(x*dot(y) - y*dot(x));",
        &["energy_of_planet", "spin"],
    );
    // No symmetry of the plane gives its axis. The normal form does not prove it, so it is checked.
    let axis = "coordinates x, y;
         lagrangian = m*(dot(x)^2 + dot(y)^2)/2 + k/hypot(x, y);
         invariant axis = [dot(y), -dot(x)]*m*(x*dot(y) - y*dot(x)) - k*[x, y]/hypot(x, y);";
    let found = known(axis).expect("both components are constant");
    assert!(found.iter().all(|(_, how)| matches!(how, Conserved::Checked { points } if *points >= 20)), "{found:?}");
    // A top in Euler's angles: two momenta and the energy.
    proved(
        "coordinates phi, theta, psi;
         let turned = rotation_z(phi)*rotation_x(theta)*rotation_z(psi);
         kinetic = rigid_body_energy(m, [a, a, c], turned*[0, 0, l], turned);
         potential = m*g*l*cos(theta);
         invariant vertical = momentum[phi];
         invariant own = momentum[psi];
         invariant h = energy;",
        &["vertical", "own", "h"],
    );
    // A charge in a magnetic field: h is its kinetic energy. The centre of its circle is constant, and the canonical
    // momentum is not.
    proved(
        "coordinates x, y;
         lagrangian = m*(dot(x)^2 + dot(y)^2)/2 + B*(x*dot(y) - y*dot(x))/2;
         invariant h = energy;
         invariant center = [m*dot(x) - B*y, m*dot(y) + B*x];",
        &["h", "center[0]", "center[1]"],
    );
}

#[test]
fn an_indefinite_mass_matrix_is_no_obstacle() {
    proved(
        "coordinates x, y;
         lagrangian = m*dot(x)*dot(y) - k*x*y;
         invariant h = energy;
         invariant other = m*dot(x)^2 + k*x^2;",
        &["h", "other"],
    );
}

#[test]
fn constraints() {
    // On the sphere the energy and the vertical angular momentum are constant. The energy of a bead on a rotating hoop
    // is not.
    proved(
        "coordinates x, y, z;
         lagrangian = m*(dot(x)^2 + dot(y)^2 + dot(z)^2)/2 - m*g*z;
         constraint rod: norm([x, y, z]) == l;
         invariant h = energy;",
        &["h"],
    );
    let block = "coordinates x, y, z;
         lagrangian = m*(dot(x)^2 + dot(y)^2 + dot(z)^2)/2 - m*g*z;
         constraint rod: x^2 + y^2 + z^2 == l^2;
         invariant spin = x*dot(y) - y*dot(x);
         invariant length = x^2 + y^2 + z^2;";
    let found = known(block).expect("both hold");
    assert_eq!(found[0], ("spin".to_owned(), Conserved::Proved));
    // 2 q·v vanishes only on the hidden constraint. It is no identity, but it is zero at every allowed state.
    assert!(matches!(found[1], (_, Conserved::Checked { points }) if points >= 20), "{:?}", found[1]);
    refuted(
        "coordinates x, y, z;
         lagrangian = m*(dot(x)^2 + dot(y)^2 + dot(z)^2)/2 - m*g*z;
         constraint rod: norm([x, y, z]) == l;
         constraint hoop: x*sin(w*t) == y*cos(w*t);
         invariant h = energy;",
    );
    // A knife edge keeps its angular velocity, because the momentum of an angle without force is constant.
    proved(
        "coordinates x, y, angle;
         kinetic = m*(dot(x)^2 + dot(y)^2)/2 + a*dot(angle)^2/2;
         nonholonomic edge: dot(x)*sin(angle) == dot(y)*cos(angle);
         invariant turning = dot(angle);
         invariant h = energy;",
        &["turning", "h"],
    );
}

#[test]
fn what_is_not_conserved() {
    refuted("coordinates x; lagrangian = m*dot(x)^2/2 - k*x^2/2; invariant h = m*dot(x)^2/2 - k*x^2/2;");
    refuted("coordinates x; lagrangian = m*dot(x)^2/2 - k*x^2/2; dissipation = c*dot(x)^2/2; invariant h = energy;");
    refuted("coordinates x; lagrangian = m*dot(x)^2/2 - k*x*cos(w*t); invariant h = energy;");
    refuted("coordinates x; kinetic = m*dot(x)^2/2; invariant h = x - t;");
}

#[test]
fn assumptions_are_kept_to() {
    // √(k²) is k for a positive k, and −k for a negative one. Parameters are positive unless the block says otherwise.
    proved("coordinates x; lagrangian = m*dot(x)^2/2; invariant p = m*dot(x) + x*(sqrt(k^2) - k);", &["p"]);
    let negative = "coordinates x; assume k < 0; lagrangian = m*dot(x)^2/2; invariant p = dot(x) + x*(sqrt(k^2) + k);";
    proved(negative, &["p"]);
    refuted("coordinates x; assume k < 0; lagrangian = m*dot(x)^2/2; invariant p = dot(x) + x*(sqrt(k^2) - k);");
}
