//! Outputs with the forces of contacts on the command line.

use super::Program;
use crate::catalog::{Catalog, Entry};
use crate::command::Failure;
use clap::Parser;
use lagrange_runtime::prelude::*;

/// A block on a spring, on rough ground.
#[lagrangian {
    coordinates x;
    kinetic   = dot(x)^2/2;
    potential = x^2/2;
    friction pad: x = mu;
    output rubbing = friction(pad);
}]
#[derive(Clone, Debug)]
struct Block {
    mu: f64,
}

static CATALOG: Catalog =
    Catalog::new(&[&Entry::free("block", || Block { mu: 0.1 }, || State::new(0.0, [1.05], [0.0]))]);

fn run(arguments: &[&str]) -> Result<(), Failure> {
    let all = [&["program"], arguments].concat();
    let program = Program::try_parse_from(all).map_err(|error| Failure::Usage(error.to_string()))?;
    program.command.run::<Program>(&CATALOG)
}

#[test]
fn the_table_has_the_force_of_each_phase() {
    let path = std::env::temp_dir().join(format!("lagrange-forces-{}.csv", std::process::id()));
    let text = path.to_str().expect("text").to_owned();
    run(&["simulate", "block", "--t-end", "20", "--points", "21", "--csv", &text, "--force"]).expect("it sticks");
    let table = std::fs::read_to_string(&path).expect("it was written");
    std::fs::remove_file(&path).expect("it was written");
    let mut lines = table.lines().filter(|line| !line.starts_with('#'));
    assert_eq!(lines.next(), Some("t,x,x_dot,kinetic,potential,energy,rubbing"));
    let mut count = 0;
    for line in lines {
        let row: Vec<f64> = line.split(',').map(|value| value.parse().expect("a number")).collect();
        // It sticks from t = 5π on, at x = −0.05, where the friction bears the spring.
        let exact = match row[0] {
            t if t > 5.0 * std::f64::consts::PI => -0.05,
            // At the start it is at rest, and begins to slip backward.
            0.0 => 0.1,
            _ => -0.1 * row[2].signum(),
        };
        assert!((row[6] - exact).abs() < 1e-6, "{line}");
        count += 1;
    }
    assert_eq!(count, 21);
    let failed = run(&["simulate", "block", "--t-end", "20", "--until", "rubbing=-0.05"]);
    assert!(failed.is_err(), "the force is known at the ends of steps only");
}
