//! The derivation room by room: blocks as input, trees and messages as output.

mod array;
mod contact;
mod foreign;
mod foreign_names;
mod friction;
mod integral;
mod latch;
mod lint;
mod meaning;
mod mode;
mod number;
mod outline;
mod parse;
mod part;
mod quadrature;
mod refusal;
mod robust;
mod state;
mod statement;
mod suggest;
mod syntax;
mod unit;
mod virtual_displacement;
mod written;

use expect_test::Expect;
use lagrange_symbolic::calculus::derivative;
use lagrange_symbolic::graph::{Id, Symbol};
use lagrange_symbolic::meaning::{DerivedNames, Model, elaborate, elaborate_claims};
use lagrange_symbolic::parse::parse;
use lagrange_symbolic::prove::Motion;
use lagrange_symbolic::report::{Mistake, Place, Report};
use lagrange_symbolic::syntax::Spec;
use lagrange_symbolic::units::check as check_units;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::HashMap;

/// The struct of most tests' blocks.
const STRUCT: &str = "struct Mechanism { m: f64, k: f64, l: f64, g: f64, #[input] u: f64 }";

/// The tokens of a block and of a struct from one source text, so that a place can be looked up in it.
fn tokens(source: &str) -> (TokenStream, TokenStream) {
    let all: TokenStream = source.parse().expect("the test's source is made of tokens");
    let mut all = all.into_iter();
    let Some(TokenTree::Group(block)) = all.next() else { panic!("the block comes first") };
    assert_eq!(block.delimiter(), Delimiter::Brace);
    (block.stream(), all.collect())
}

fn source(block: &str, item: &str) -> String {
    format!("{{ {block} }} {item}")
}

fn spec(block: &str) -> Spec {
    let (block, item) = tokens(&source(block, STRUCT));
    parse(block, item).unwrap_or_else(|report| panic!("{}", texts(&report)))
}

fn model(block: &str) -> Model {
    elaborate(&spec(block)).unwrap_or_else(|report| panic!("{}", texts(&report)))
}

fn texts(report: &Report) -> String {
    report.entries().iter().map(|(mistake, _)| mistake.text() + "\n").collect()
}

/// One line for each mistake: the row of the table, the underlined text, the message.
fn described(source: &str, report: &Report) -> String {
    if report.is_empty() {
        return "    accepted\n".to_owned();
    }
    let line = |(mistake, place): &(Mistake, Place)| {
        let underlined = &source[place.first.byte_range().start..place.last.byte_range().end];
        format!("    {} «{underlined}» {}\n", mistake.row(), mistake.message())
    };
    report.entries().iter().map(line).collect()
}

/// The mistakes in a block, claims included, or else the warnings about it.
fn report(source: &str) -> Report {
    let (block, item) = tokens(source);
    let checked = || {
        let spec = parse(block, item)?;
        let mut model = elaborate(&spec)?;
        check_units(&spec, &model)?;
        if model.coordinates.len() == 2 {
            let names = derived(&mut model);
            elaborate_claims(&spec, &mut model, &names)?;
        }
        Ok(model.warnings)
    };
    checked().unwrap_or_else(|report| report)
}

/// The rows of the mistakes in a block.
fn rows(block: &str) -> Vec<&'static str> {
    report(&source(block, STRUCT)).entries().iter().map(|(mistake, _)| mistake.row()).collect()
}

/// Each case inserted into a source, with the report about it.
fn check(cases: &[&str], around: impl Fn(&str) -> String, expected: Expect) {
    let told = |case: &&str| {
        let source = around(case);
        format!("{case}\n{}", described(&source, &report(&source)))
    };
    expected.assert_eq(&cases.iter().map(told).collect::<String>());
}

/// Checks whole blocks.
fn blocks(cases: &[&str], expected: Expect) {
    check(cases, |block| source(block, STRUCT), expected);
}

/// Checks values of a definition in a block that is valid otherwise.
fn values(cases: &[&str], expected: Expect) {
    let block = "coordinates x, y; kinetic = dot(x)^2; force x = u; let value =";
    check(cases, |value| source(&format!("{block} {value};"), STRUCT), expected);
}

/// Checks claims in a block that is valid otherwise.
fn claims(cases: &[&str], expected: Expect) {
    let block = "coordinates x, y; kinetic = m*dot(x)^2/2; force x = u;";
    check(cases, |claim| source(&format!("{block} {claim}"), STRUCT), expected);
}

/// Checks structs with a valid block.
fn structs(cases: &[&str], expected: Expect) {
    check(cases, |item| source("coordinates x; kinetic = dot(x)^2;", item), expected);
}

/// The derived quantities of a model whose mass matrix is constant and diagonal and whose potential is −F·q.
fn derived(model: &mut Model) -> DerivedNames {
    let velocities: Vec<Symbol> = (0..2).map(Symbol::Velocity).collect();
    let graph = &mut model.graph;
    let momentum: Vec<Id> = velocities.iter().map(|v| derivative(graph, &[model.physics.lagrangian], *v)[0]).collect();
    let mass: Vec<Vec<Id>> = velocities.iter().map(|v| derivative(graph, &momentum, *v)).collect();
    let forcing: Vec<Id> =
        (0..2).map(|i| derivative(graph, &[model.physics.lagrangian], Symbol::Coordinate(i))[0]).collect();
    let energy = graph.add(
        model.physics.kinetic.unwrap_or(model.physics.lagrangian),
        model.physics.potential.unwrap_or(model.physics.lagrangian),
    );
    DerivedNames {
        momentum,
        energy,
        kinetic: model.physics.kinetic,
        potential: model.physics.potential,
        dissipation: model.physics.dissipation,
        lagrangian: model.physics.lagrangian,
        motion: Motion { mass: mass.clone(), forcing: forcing.clone(), jacobian: Vec::new(), curvature: Vec::new() },
        drift: Vec::new(),
        rates: HashMap::new(),
        mass,
        balance: forcing.clone(),
        forcing,
    }
}
