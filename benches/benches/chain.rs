//! What does a chain of n point pendulums cost, from the block to one acceleration?
//!
//! `cargo bench -p lagrange-benches --bench chain`; sizes may follow after `--`.

use lagrange_benches::chain::{Workspace, block, item};
use lagrange_symbolic::program::Evaluations;
use lagrange_symbolic::{derivation, parse};

fn main() {
    let named: Vec<usize> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    let sizes = if named.is_empty() { vec![2, 4, 8, 16, 32] } else { named };
    let workspace = Workspace::write(&sizes).expect("the target folder can be written");
    println!(
        "derivation: unoptimised; crate: rustc in release, macro unoptimised; acceleration: best of many, dependent"
    );
    println!("{:>4} {:>14} {:>12} {:>10} {:>16}", "n", "derivation ms", "operations", "crate s", "acceleration ns");
    for &n in &sizes {
        let operations = operations(n);
        let acceleration = operations.iter().find(|(name, _)| *name == "acceleration").map(|(_, total)| *total);
        let text = |value: Option<f64>, digits: usize| value.map_or("-".into(), |value| format!("{value:.digits$}"));
        println!(
            "{n:>4} {:>14} {:>12} {:>10} {:>16}",
            text(workspace.derivation(n), 1),
            text(acceleration.map(f64::from), 0),
            text(workspace.compilation(n).map(|time| time.as_secs_f64()), 2),
            text(workspace.acceleration(n), 0),
        );
        let others: Vec<String> = operations.iter().map(|(name, total)| format!("{name} {total}")).collect();
        println!("     {}", others.join(", "));
    }
}

/// The operations of each evaluation.
fn operations(n: usize) -> Vec<(&'static str, u32)> {
    let (block, item) = (block(n).parse(), item(n).parse());
    let (block, item) = (block.expect("the block is Rust tokens"), item.expect("the struct is Rust tokens"));
    let spec = parse::parse(block, item).expect("the block is well formed");
    let mut derived = derivation(&spec).expect("the block has equations");
    let evaluations = Evaluations::new(&mut derived.model.graph, &derived.equations);
    evaluations.counts().into_iter().map(|(name, count)| (name, count.total())).collect()
}
