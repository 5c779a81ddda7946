//! The interface between the derivation and an engine that differentiates for it.

use lagrange_symbolic::derivation_by;
use lagrange_symbolic::graph::engine::{Builtin, Engine};
use lagrange_symbolic::graph::{Graph, Id, Rational};
use lagrange_symbolic::parse::parse;
use lagrange_symbolic::syntax::Spec;
use std::sync::atomic::{AtomicUsize, Ordering};

const BLOCK: &str = "coordinates theta; let x = l*sin(theta); let y = -l*cos(theta);
    kinetic = m*(dot(x)^2 + dot(y)^2)/2; potential = m*g*y; dissipation = k*dot(theta)^2/2;
    verify forcing[theta] == -m*g*x - k*dot(theta);
    verify mass[theta, theta]*(theta + 1)^2 == m*l^2*(theta^2 + 2*theta + 1);";

fn spec() -> Spec {
    let item = "struct Pendulum { m: f64, l: f64, g: f64, k: f64 }";
    parse(BLOCK.parse().expect("tokens"), item.parse().expect("tokens")).expect("the block is right")
}

/// The built-in engine, with a counter of its calls.
#[derive(Debug)]
struct Counting {
    partials: AtomicUsize,
    proofs: AtomicUsize,
}

impl Engine for Counting {
    fn start(&self) -> Result<(), String> {
        Builtin.start()
    }

    fn operands(&self, graph: &mut Graph, id: Id) -> Vec<Id> {
        Builtin.operands(graph, id)
    }

    fn partials(
        &self,
        graph: &mut Graph,
        id: Id,
        wanted: &dyn Fn(&Graph, Id) -> bool,
        visit: &mut dyn FnMut(&mut Graph, Id, Id),
    ) {
        Builtin.partials(graph, id, wanted, &mut |graph, operand, partial| {
            self.partials.fetch_add(1, Ordering::Relaxed);
            visit(graph, operand, partial);
        });
    }

    fn proves_zero(&self, graph: &Graph, sum: &[(Id, Rational)]) -> bool {
        self.proofs.fetch_add(1, Ordering::Relaxed);
        Builtin.proves_zero(graph, sum)
    }
}

static COUNTING: Counting = Counting { partials: AtomicUsize::new(0), proofs: AtomicUsize::new(0) };

#[test]
fn derivatives_and_proofs_are_the_engine_s() {
    let ours = derivation_by(&Builtin, &spec()).expect("it derives");
    let theirs = derivation_by(&COUNTING, &spec()).expect("it derives");
    assert_eq!(ours.equations.forcing, theirs.equations.forcing);
    assert_eq!(ours.model.graph.len(), theirs.model.graph.len());
    assert!(COUNTING.partials.load(Ordering::Relaxed) > 20);
    // The claim, and the claim again with parameters of any sign.
    assert!(COUNTING.proofs.load(Ordering::Relaxed) == 2);
}

/// An engine that cannot be started.
#[derive(Debug)]
struct Absent;

impl Engine for Absent {
    fn start(&self) -> Result<(), String> {
        Err("it is away".to_owned())
    }

    fn operands(&self, _: &mut Graph, _: Id) -> Vec<Id> {
        Vec::new()
    }

    fn partials(&self, _: &mut Graph, _: Id, _: &dyn Fn(&Graph, Id) -> bool, _: &mut dyn FnMut(&mut Graph, Id, Id)) {}

    fn proves_zero(&self, _: &Graph, _: &[(Id, Rational)]) -> bool {
        false
    }
}

#[test]
fn an_engine_that_cannot_be_used_is_an_error_in_words() {
    let report = derivation_by(&Absent, &spec()).expect_err("the engine is away");
    let texts: Vec<String> = report.entries().iter().map(|(mistake, _)| mistake.message()).collect();
    assert_eq!(texts, ["the feature `symbolica` is on, but Symbolica cannot be used: it is away"]);
}
