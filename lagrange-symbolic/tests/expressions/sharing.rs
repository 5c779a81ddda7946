//! Shared parts stay shared: the derivatives of deep graphs cost a small multiple of what is differentiated.

use lagrange_symbolic::calculus::{derivative, gradient};
use lagrange_symbolic::graph::function::Function;
use lagrange_symbolic::graph::{Graph, Id, Symbol};

/// x ↦ sin(x)·x + y, repeated. Written out, it would have 2^depth characters.
fn deep(graph: &mut Graph, depth: usize) -> Id {
    let (mut value, other) = (graph.symbol(Symbol::Coordinate(0)), graph.symbol(Symbol::Coordinate(1)));
    for _ in 0..depth {
        let sine = graph.call(Function::Sin, &[value]);
        let product = graph.mul(sine, value);
        value = graph.add(product, other);
    }
    value
}

#[test]
fn derivatives_grow_linearly() {
    for depth in [40, 80, 160] {
        let mut graph = Graph::new();
        let root = deep(&mut graph, depth);
        let own = graph.len();
        derivative(&mut graph, &[root], Symbol::Coordinate(0));
        let forward = graph.len() - own;
        gradient(&mut graph, root, &[Symbol::Coordinate(0), Symbol::Coordinate(1)]);
        let reverse = graph.len() - own - forward;
        assert!(forward < 8 * depth && reverse < 14 * depth, "{depth}: {forward} and {reverse} new nodes");
    }
}

/// Sums and products of hundreds of operands are built quickly.
#[test]
fn long_sums_are_built_quickly() {
    let start = std::time::Instant::now();
    let mut graph = Graph::new();
    let mut total = graph.zero();
    for i in 0..300 {
        let (parameter, coordinate) = (graph.symbol(Symbol::Parameter(i)), graph.symbol(Symbol::Coordinate(i % 7)));
        let sine = graph.call(Function::Sin, &[coordinate]);
        let square = graph.power_integer(sine, 2);
        let term = graph.mul_all(&[parameter, square]);
        total = graph.add(total, term);
    }
    let all: Vec<Symbol> = (0..300).map(Symbol::Parameter).collect();
    let slopes = gradient(&mut graph, total, &all);
    let sum = graph.add_all(&slopes);
    assert!(graph.reachable(&[sum]).len() < 2_000);
    assert!(start.elapsed().as_secs_f64() < 5.0, "{:?}", start.elapsed());
}
