//! The limit on the size of a graph: beyond it the graph stops growing, and every phase ends with an error. What grows below the limit.

#[path = "limit/growth.rs"]
mod growth;
#[path = "limit/scopes.rs"]
mod scopes;

use lagrange_symbolic::graph::Graph;
use lagrange_symbolic::program::Evaluations;
use lagrange_symbolic::{derivation, expand, parse};
use proc_macro2::TokenStream;

const ITEM: &str = "struct Arm { m: f64, l: f64, k: f64, g: f64 }";

/// A block with sums, products, powers, conditions, norms and forces. Every phase must end at the limit.
fn block(limit: Option<usize>) -> String {
    let limit = limit.map_or(String::new(), |limit| format!("max_operations = {limit};"));
    format!(
        "coordinates a, b, s;
        let elbow = (l + s)*[sin(a), -cos(a)];
        let tip = elbow + l*[sin(b), -cos(b)];
        kinetic = m*norm2(dot(elbow))/2 + m*norm2(dot(tip))/2 + exp(s)*dot(s)^2;
        potential = g*m*(elbow[1] + tip[1]) + k*s^2/2 + (if s > 0 {{ s^3 }} else {{ 0 }}) + min(s, 0)^2;
        dissipation = k*abs(dot(a) - dot(b))^3/3;
        force tip = [k*sin(t), sqrt(l + s^2)];
        {limit}"
    )
}

fn parse(text: &str) -> TokenStream {
    text.parse().expect("the text is Rust tokens")
}

#[test]
fn every_limit_ends_in_a_message_or_in_equations() {
    let mut derived = 0;
    for limit in (1..40).chain((40..400).step_by(23)) {
        let spec = parse::parse(parse(&block(Some(limit))), parse(ITEM)).expect("the block is well formed");
        let equations = derivation(&spec);
        let expansion = expand(parse(&block(Some(limit))), parse(ITEM)).to_string();
        let refused = expansion.contains("takes more than");
        assert!(refused || equations.is_ok(), "{limit}");
        derived += usize::from(!refused);
        assert!(limit > 20 || refused, "{limit}");
    }
    assert!(derived > 0, "the largest limits suffice");
    assert!(!expand(parse(&block(None)), parse(ITEM)).to_string().contains("takes more than"));
}

#[test]
fn an_exhausted_graph_stays_as_it_is() {
    let mut graph = Graph::new();
    graph.limit_nodes(10);
    let mut x = graph.pi();
    for i in 0..1000 {
        let number = graph.integer(i);
        let sum = graph.add(x, number);
        x = graph.mul(sum, sum);
    }
    assert!(graph.is_exhausted() && graph.len() <= 10);
    let spec = parse::parse(parse(&block(None)), parse(ITEM)).expect("the block is well formed");
    let mut derived = derivation(&spec).expect("the block has equations");
    derived.model.graph.limit_nodes(derived.model.graph.len());
    Evaluations::new(&mut derived.model.graph, &derived.equations);
    assert!(derived.model.graph.is_exhausted());
}
