//! Derived equations against published ones: proved on the graph, and met by the compiled code. `expansions.rs` compares whole
//! expansions with committed files. `UPDATE_EXPECT=1 cargo test -p lagrange-tests --test golden` writes them anew.

mod expansions;

use expect_test::expect;
use lagrange_runtime::prelude::*;
use lagrange_symbolic::graph::Id;
use lagrange_symbolic::program::Evaluations;
use lagrange_symbolic::prove::{Verdict, equal};
use lagrange_symbolic::{Derivation, derivation, parse};

/// A mechanism for the compiler, and the same block as text for the derivation.
macro_rules! mechanism {
    ($text:ident, $name:ident { $($field:ident),* }, { $($block:tt)* }) => {
        const $text: (&str, &str) = (stringify!($($block)*), stringify!(struct $name { $($field: f64),* }));

        #[lagrangian { $($block)* }]
        #[derive(Clone, Debug)]
        struct $name {
            $($field: f64),*
        }
    };
}

// The published equations stand in the block as quantities of their own: a11, …, b2.
mechanism!(COMPOUND, Compound { m1, m2, m3, l1, l2, g }, {
    coordinates theta1, theta2;

    let elbow = [l1*sin(theta1), -l1*cos(theta1)];
    let com1  = elbow/2;
    let com2  = elbow + [l2*sin(theta2), -l2*cos(theta2)]/2;
    let tip   = elbow + [l2*sin(theta2), -l2*cos(theta2)];

    kinetic   = m1*norm2(dot(com1))/2 + m1*l1^2*dot(theta1)^2/24
              + m2*norm2(dot(com2))/2 + m2*l2^2*dot(theta2)^2/24
              + m3*norm2(dot(tip))/2;
    potential = g*(m1*com1[1] + m2*com2[1] + m3*tip[1]);
});

/// Equations (19) and (20) of Zhan Yangping's study of the compound double pendulum: the mass matrix's lower triangle, then the forcing.
const COMPOUND_PUBLISHED: [&str; 5] = [
    "(m1 + 3*(m2 + m3))*l1^2/3",
    "(m2 + 2*m3)*l1*l2*cos(theta2 - theta1)/2",
    "(m2 + 3*m3)*l2^2/3",
    "-(m1/2 + m2 + m3)*l1*g*sin(theta1) + (m2/2 + m3)*l1*l2*dot(theta2)^2*sin(theta2 - theta1)",
    "-l2*(m2/2 + m3)*(g*sin(theta2) + l1*dot(theta1)^2*sin(theta2 - theta1))",
];

mechanism!(POINTS, Points { m1, m2, l1, l2, g }, {
    coordinates theta1, theta2;
    let first  = [l1*sin(theta1), -l1*cos(theta1)];
    let second = first + [l2*sin(theta2), -l2*cos(theta2)];
    kinetic   = m1*norm2(dot(first))/2 + m2*norm2(dot(second))/2;
    potential = g*(m1*first[1] + m2*second[1]);
});

/// Landau and Lifshitz, Mechanics, §5, problem 1, differentiated.
const POINTS_PUBLISHED: [&str; 5] = [
    "(m1 + m2)*l1^2",
    "m2*l1*l2*cos(theta1 - theta2)",
    "m2*l2^2",
    "-m2*l1*l2*dot(theta2)^2*sin(theta1 - theta2) - (m1 + m2)*g*l1*sin(theta1)",
    "m2*l1*l2*dot(theta1)^2*sin(theta1 - theta2) - m2*g*l2*sin(theta2)",
];

fn derive(block: &str, item: &str) -> Derivation {
    let spec = parse::parse(block.parse().unwrap(), item.parse().unwrap()).unwrap();
    derivation(&spec).unwrap_or_else(|report| panic!("{:?}", report.entries()))
}

/// Derived against published, entry by entry.
fn verdicts((block, item): (&str, &str), published: &[&str; 5]) -> Vec<Verdict> {
    let claims: Vec<String> =
        published.iter().enumerate().map(|(i, claim)| format!("let published{i} = {claim};")).collect();
    let Derivation { model, equations, .. } = derive(&format!("{block} {}", claims.join(" ")), item);
    let claimed: Vec<Id> =
        model.lets.iter().filter(|value| value.name.starts_with("published")).map(|value| value.values[0]).collect();
    let (mass, forcing) = (&equations.mass, &equations.forcing);
    let derived = [mass[0][0], mass[1][0], mass[1][1], forcing[0], forcing[1]];
    assert_eq!(claimed.len(), derived.len());
    derived.into_iter().zip(claimed).map(|(derived, claimed)| equal(&model.graph, derived, claimed)).collect()
}

#[test]
fn the_printed_equations_are_proved() {
    assert_eq!(verdicts(COMPOUND, &COMPOUND_PUBLISHED), vec![Verdict::Proved; 5]);
}

#[test]
fn the_textbooks_equations_are_proved() {
    assert_eq!(verdicts(POINTS, &POINTS_PUBLISHED), vec![Verdict::Proved; 5]);
}

/// A wrong factor, and a wrong sign that shows only where a velocity is not zero.
#[test]
fn a_wrong_equation_is_refuted() {
    let mut wrong = COMPOUND_PUBLISHED;
    wrong[0] = "(m1 + 3*(m2 + m3))*l1^2/2";
    wrong[4] = "-l2*(m2/2 + m3)*(g*sin(theta2) - l1*dot(theta1)^2*sin(theta2 - theta1))";
    let verdicts = verdicts(COMPOUND, &wrong);
    for (i, verdict) in verdicts.iter().enumerate() {
        let refuted = matches!(verdict, Verdict::Refuted(_));
        assert_eq!(refuted, i == 0 || i == 4, "{i}: {verdict:?}");
    }
}

/// Evenly spread numbers in [0, 1): the multiples of irrational roots (Weyl).
fn spread(index: usize, dimension: usize) -> f64 {
    let roots = [2.0_f64, 3.0, 5.0, 7.0, 11.0, 13.0, 17.0, 19.0, 23.0, 29.0];
    (index as f64 * roots[dimension].sqrt()).fract()
}

/// Fails unless the compiled entry is the sum of the published terms, to 1e-13 of their sizes.
fn assert_sum(ours: f64, terms: &[f64], what: &str) {
    let (sum, size) = terms.iter().fold((0.0, 0.0), |(sum, size), term| (sum + term, size + term.abs()));
    assert!((ours - sum).abs() <= 1e-13 * size, "{what}: compiled {ours:e}, published {sum:e}");
}

#[test]
fn compiled_compound_pendulum_meets_the_printed_numbers() {
    for i in 1..=1000 {
        let x = |dimension| spread(i, dimension);
        let [m1, m2, m3, l1, l2, g] = [0, 1, 2, 3, 4, 5].map(|d| 0.1 + 3.0 * x(d));
        let [q1, q2, w1, w2] = [6, 7, 8, 9].map(|d| 20.0 * x(d) - 10.0);
        let system = Compound { m1, m2, m3, l1, l2, g }.prepare::<f64>().unwrap();
        let (q, v, u) = (SVector::from([q1, q2]), SVector::from([w1, w2]), SVector::from([]));
        let ours = system.equations(0.0, &q, &v, &u);
        // A difference of angles is only as good as the angles.
        let (sine, cosine) = (q2 - q1).sin_cos();
        let scale = 1.0 + q1.abs() + q2.abs();
        let coupling = (m2 + 2.0 * m3) * l1 * l2 / 2.0;
        assert_sum(ours.mass_matrix[(0, 0)], &[m1 * l1 * l1 / 3.0, (m2 + m3) * l1 * l1], "A11");
        assert_sum(ours.mass_matrix[(1, 0)], &[coupling * cosine, coupling * scale, -coupling * scale], "A21");
        assert_eq!(ours.mass_matrix[(0, 1)], ours.mass_matrix[(1, 0)]);
        assert_sum(ours.mass_matrix[(1, 1)], &[m2 * l2 * l2 / 3.0, m3 * l2 * l2], "A22");
        let weights = [-(m1 / 2.0 + m2 + m3) * l1 * g * q1.sin(), -(m2 / 2.0 + m3) * l2 * g * q2.sin()];
        let centrifugal = [coupling * w2 * w2, -coupling * w1 * w1];
        for row in 0..2 {
            let c = centrifugal[row];
            assert_sum(ours.forcing[row], &[weights[row], c * sine, c * scale, -c * scale], "b");
        }
    }
}

#[test]
fn compiled_double_pendulum_meets_the_textbooks_numbers() {
    for i in 1..=1000 {
        let x = |dimension| spread(i, dimension);
        let [m1, m2, l1, l2, g] = [0, 1, 2, 3, 4].map(|d| 0.1 + 3.0 * x(d));
        let [q1, q2, w1, w2] = [5, 6, 7, 8].map(|d| 20.0 * x(d) - 10.0);
        let system = Points { m1, m2, l1, l2, g }.prepare::<f64>().unwrap();
        let (q, v, u) = (SVector::from([q1, q2]), SVector::from([w1, w2]), SVector::from([]));
        let ours = system.equations(0.0, &q, &v, &u);
        let (sine, cosine) = (q1 - q2).sin_cos();
        let scale = 1.0 + q1.abs() + q2.abs();
        let coupling = m2 * l1 * l2;
        assert_sum(ours.mass_matrix[(0, 0)], &[m1 * l1 * l1, m2 * l1 * l1], "M11");
        assert_sum(ours.mass_matrix[(1, 0)], &[coupling * cosine, coupling * scale, -coupling * scale], "M21");
        assert_sum(ours.mass_matrix[(1, 1)], &[m2 * l2 * l2], "M22");
        let weights = [-(m1 + m2) * g * l1 * q1.sin(), -m2 * g * l2 * q2.sin()];
        let centrifugal = [-coupling * w2 * w2, coupling * w1 * w1];
        for row in 0..2 {
            let c = centrifugal[row];
            assert_sum(ours.forcing[row], &[weights[row], c * sine, c * scale, -c * scale], "F");
        }
    }
}

/// More operations than here are a loss of speed that somebody has to want.
#[test]
fn operations_of_the_compound_pendulum() {
    let Derivation { mut model, equations, .. } = derive(COMPOUND.0, COMPOUND.1);
    let counts = Evaluations::new(&mut model.graph, &equations).counts();
    let text: String = counts.iter().map(|(name, count)| format!("{name}: {count}\n")).collect();
    expect![[r#"
        prepare: 19 additions, 41 multiplications, 2 divisions, 3 selections
        acceleration: 7 additions, 22 multiplications, 1 division, 2 sine/cosine pairs, 1 selection
        acceleration_jacobian: 20 additions, 56 multiplications, 1 division, 2 sine/cosine pairs, 1 selection
        velocity_correction: 10 additions, 16 multiplications, 1 division, 2 sine/cosine pairs, 1 selection
        equations: 4 additions, 15 multiplications, 2 sine/cosine pairs
        balance: 6 additions, 15 multiplications, 2 sine/cosine pairs
        inertial_balance: 6 additions, 16 multiplications, 2 sine/cosine pairs
        balance_jacobian: 8 additions, 28 multiplications, 2 sine/cosine pairs
        balance_rates: no operation
        residual_jacobian: 8 additions, 21 multiplications, 2 sine/cosine pairs
        residual_parameters: 21 additions, 39 multiplications, 2 sine/cosine pairs
        energies: 5 additions, 11 multiplications, 2 sine/cosine pairs
        powers: no operation
    "#]]
    .assert_eq(&text);
}
