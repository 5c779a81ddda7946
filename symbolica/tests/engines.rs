//! Both engines on every mechanism. The test is one process and one thread, because Symbolica without a licence key
//! allows no other.

use lagrange_symbolic::calculus::{Symbolica, derivative};
use lagrange_symbolic::graph::engine::{Builtin, Engine};
use lagrange_symbolic::graph::{Graph, Id, Symbol};
use lagrange_symbolic::meaning::elaborate_by;
use lagrange_symbolic::parse::parse;
use lagrange_symbolic::{Conserved, Derivation, derivation_by};
use lagrange_symbolica::magnitude::{Valued, valued};
use lagrange_symbolica::mechanism::{Mechanism, mechanisms};
use lagrange_symbolica::quantity::quantities;
use lagrange_symbolica::random::Random;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The largest difference between the engines, relative to the sum of absolute terms.
const TOLERANCE: f64 = 1e-12;

/// The number of points at which each quantity is compared. The first one is at rest in the origin.
const POINTS: u64 = 9;

fn repository(folder: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join(folder)
}

fn derived(engine: &'static dyn Engine, mechanism: &Mechanism) -> Derivation {
    let fail = |report: lagrange_symbolic::report::Report| -> ! {
        let texts: Vec<String> = report.entries().iter().map(|(mistake, _)| mistake.text()).collect();
        panic!("{} by {engine:?}: {}", mechanism.name, texts.join("\n"))
    };
    let spec = parse(mechanism.block.clone(), mechanism.item.clone()).unwrap_or_else(|report| fail(report));
    derivation_by(engine, &spec).unwrap_or_else(|report| fail(report))
}

/// The number of comparisons, and the largest difference relative to the sum of absolute terms.
#[derive(Default, Debug)]
struct Comparison {
    mechanisms: usize,
    quantities: usize,
    points: usize,
    largest: f64,
}

impl Comparison {
    fn add(&mut self, mechanism: &Mechanism) {
        let (ours, theirs) = (derived(&Builtin, mechanism), derived(&Symbolica, mechanism));
        let name = &mechanism.name;
        assert_eq!(verdicts(&ours), verdicts(&theirs), "{name}");
        facts_agree(&ours, &theirs, name);
        let (left, right) = (quantities(&ours.equations), quantities(&theirs.equations));
        let names = |list: &[(String, Id)]| list.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&left), names(&right), "{name}");
        self.mechanisms += 1;
        self.quantities += left.len();
        let mut seen = vec![false; left.len()];
        for seed in 0..POINTS {
            let point = |symbol: Symbol| value(seed, symbol);
            let all = |graph: &Graph, list: &[(String, Id)]| {
                valued(graph, &list.iter().map(|(_, id)| *id).collect::<Vec<_>>(), &point)
            };
            let (a, b) = (all(&ours.model.graph, &left), all(&theirs.model.graph, &right));
            for (position, (a, b)) in a.iter().zip(&b).enumerate() {
                let what = &left[position].0;
                match (a, b) {
                    (Some(a), Some(b)) => {
                        let difference = relative(a, b);
                        assert!(difference <= TOLERANCE, "{name}: {what} is {a:?} and {b:?}");
                        self.largest = self.largest.max(difference);
                        self.points += 1;
                        seen[position] = true;
                    }
                    (None, None) => {}
                    _ => panic!("{name}: {what} is {a:?} and {b:?}"),
                }
            }
        }
        let unseen: Vec<&String> =
            left.iter().zip(&seen).filter(|(_, seen)| !**seen).map(|((name, _), _)| name).collect();
        assert!(unseen.is_empty(), "{name}: nowhere defined: {unseen:?}");
    }
}

/// The verdict on each invariant. How many points decided one depends on the form in which an engine states the rate.
fn verdicts(derivation: &Derivation) -> Vec<(&str, &'static str)> {
    let verdict = |conserved: &Conserved| match conserved {
        Conserved::Proved => "proved",
        Conserved::Checked { .. } => "checked",
    };
    derivation.invariants.iter().map(|(name, conserved)| (name.as_str(), verdict(conserved))).collect()
}

/// The facts are equal. One engine may find a cyclic coordinate that the other does not find; both are then correct.
fn facts_agree(ours: &Derivation, theirs: &Derivation, name: &str) {
    let (mut a, mut b) = (ours.equations.facts.clone(), theirs.equations.facts.clone());
    let seen: Vec<u32> = a.cyclic.drain(..).chain(b.cyclic.drain(..)).collect();
    assert_eq!(a, b, "{name}");
    let mut graph = ours.model.graph.clone();
    for index in seen {
        let slope = derivative(&mut graph, &[ours.equations.lagrangian], Symbol::Coordinate(index))[0];
        for seed in 0..POINTS {
            let slope = valued(&graph, &[slope], &|symbol| value(seed, symbol))[0].expect("L is differentiable");
            assert!(slope.value.abs() <= TOLERANCE * slope.magnitude, "{name}: coordinate {index} is not cyclic");
        }
    }
}

fn relative(a: &Valued, b: &Valued) -> f64 {
    let difference = (a.value - b.value).abs();
    if difference == 0.0 { 0.0 } else { difference / a.magnitude.max(b.magnitude) }
}

/// The value of a symbol at a point. Parameters are positive.
fn value(seed: u64, symbol: Symbol) -> f64 {
    let (kind, index) = match symbol {
        Symbol::Coordinate(i) => (1, i),
        Symbol::Velocity(i) => (2, i),
        Symbol::Acceleration(i) => (3, i),
        Symbol::Multiplier(i) => (4, i),
        Symbol::Parameter(i) => (5, i),
        Symbol::Input(i) => (6, i),
        Symbol::Time => (7, 0),
        Symbol::Dummy(i) => (8, i),
        Symbol::Force(i) => (9, i),
    };
    if seed == 0 && kind <= 2 {
        return 0.0;
    }
    let mut random = Random::new(seed << 40 | kind << 32 | u64::from(index));
    if kind == 5 { random.between(0.5, 2.0) } else { random.between(-1.5, 1.5) }
}

/// All comparisons are in one test, because each test has a thread of its own.
#[test]
fn both_engines_agree() {
    if std::env::var_os(SECOND).is_some() {
        return refused();
    }
    every_model_is_derived_alike();
    every_tested_mechanism_is_derived_alike();
    every_function_is_derived_alike();
    a_long_chain_keeps_its_sharing();
    its_normal_form_knows_sines_and_quotients();
    every_model_is_emitted();
    if std::env::var_os("SYMBOLICA_LICENSE").is_none() {
        a_second_process_is_refused_in_words();
        a_second_thread_is_refused_in_words();
    }
}

fn every_model_is_derived_alike() {
    let mut comparison = Comparison::default();
    for mechanism in mechanisms(&repository("models/src")) {
        comparison.add(&mechanism);
    }
    println!("models: {comparison:?}");
    assert!(comparison.mechanisms >= 20, "{comparison:?}");
}

/// The features that the models do not use: arrays, tables, integrals, selections, the user's own functions, rotations.
fn every_tested_mechanism_is_derived_alike() {
    let mut comparison = Comparison::default();
    for place in [
        "contract.rs",
        "features.rs",
        "language/main.rs",
        "language/tables.rs",
        "structure/mechanisms.rs",
        "structure/near_integrable.rs",
        "constraints/mechanisms.rs",
    ] {
        for mechanism in mechanisms(&repository("tests/tests").join(place)) {
            comparison.add(&mechanism);
        }
    }
    println!("tests: {comparison:?}");
    assert!(comparison.mechanisms >= 25, "{comparison:?}");
}

fn mechanism(name: &str, block: &str, item: &str) -> Mechanism {
    let [block, item] = [block, item].map(|text| text.parse().expect("tokens"));
    Mechanism { name: name.to_owned(), block, item }
}

/// Each function that may occur in a block, and numbers of more than 64 bits.
fn every_function_is_derived_alike() {
    let functions = [
        "sin(x*y) + cos(x - 2*y) + tan(x/2)",
        "asin(x*y/3) + acos(y/2) + atan(x*y) + atan2(x + 3, 1 + y^2)",
        "sinh(x*y) + cosh(y) + tanh(x)*exp(y/2)",
        "ln(2 + x)*sqrt(3 + y) + (2 + x*y/2)^(2/3) + (x^2 + y^2 + 1)^(-3/2)",
        "(2 + x)^y + (x^2*y^2 + 1)^x + exp(x)*exp(2*y)",
        "hypot(x, y)*norm([x + 1, y, 2]) + norm([x, 2*y])^3",
        "sinc(x*y) + abs(x + y)^3 + abs(y)*y^2 + smoothstep(x)",
        "min(x^2, y + 1) + max(x*y, y^2)^2 + if x < y { (y - x)^2*sin(x) } else { (x - y)^3 }",
        "m*123456789012345678901234567890.5*x^2*y + 0.00000000000000000000000000000000012345*y^3",
        "integral(s in 0..m, abs(s*x + y)^3) + integral(s in 0..1, sin(s*x)*y, nodes = 4)",
    ];
    let mut comparison = Comparison::default();
    for function in functions {
        let block = format!("coordinates x, y; lagrangian = m*dot(x)^2/2 + x^2*dot(y)^2 + dot(y)^2 - ({function});");
        comparison.add(&mechanism(function, &block, "struct Function { m: f64 }"));
    }
    println!("functions: {comparison:?}");
}

fn its_normal_form_knows_sines_and_quotients() {
    let vanishes = |text: &str| {
        let block = format!("coordinates x, y; lagrangian = m*dot(x)^2 + dot(y)^2 - ({text});");
        let Mechanism { block, item, .. } = mechanism(text, &block, "struct Claim { m: f64, k: f64 }");
        let mut model = elaborate_by(&Symbolica, &parse(block, item).expect("it parses")).expect("it has a meaning");
        let at_rest = [Symbol::Velocity(0), Symbol::Velocity(1)].map(|symbol| (symbol, model.graph.zero()));
        let left = model.graph.substitute(&[model.physics.lagrangian], &at_rest.into())[0];
        assert!(!model.graph.is_zero(left), "the graph knows by itself: {text}");
        Symbolica.vanishes(&model.graph, &[(left, 1.into())])
    };
    for text in [
        "(sin(x)*(1 + y))^2 + cos(x)^2*(1 + 2*y + y^2) - (1 + y)^2",
        "sin(x)^4 + 2*sin(x)^2*cos(x)^2 + cos(x)^4 - 1",
        "sin(x + y)^2 - (sin(x)*cos(y))^2 - (cos(x)*sin(y))^2 - 2*sin(x)*cos(x)*sin(y)*cos(y)",
        "(k + x)*cos(2*x - y) - (k + x)*(1 - 2*sin(x)^2)*cos(y) - 2*(k + x)*sin(x)*cos(x)*sin(y)",
        "tan(x)*cos(x)*m - sin(x)*m",
        "1/(m + x^2) - 1/(k + y^2) - (k + y^2 - m - x^2)/((m + x^2)*(k + y^2))",
        "(x + y)^3 - x^3 - 3*x^2*y - 3*x*y^2 - y^3",
    ] {
        assert!(vanishes(text), "{text}");
    }
    for text in
        ["sin(x)^2 + cos(y)^2 - 1", "tan(x) - x", "(x + y)^2 - x^2 - y^2", "sin(2*x) - 2*sin(x)", "1/(1 + x) - 1 + x"]
    {
        assert!(!vanishes(text), "{text}");
    }
}

/// The expansion of every model is valid Rust.
fn every_model_is_emitted() {
    for Mechanism { name, block, item } in mechanisms(&repository("models/src")) {
        let text = lagrange_symbolic::expand(block, item).to_string();
        assert!(!text.contains("compile_error"), "{name}: {text}");
        assert!(text.contains("fn acceleration"), "{name}");
        syn::parse_str::<syn::File>(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

/// A chain of 32 pendulums. Shared parts stay shared, since the longest evaluation would be too long otherwise, and the
/// equations are those of the built-in engine.
fn a_long_chain_keeps_its_sharing() {
    let block = "const n = 32; coordinates theta[n];
        let p[0] = l[0]*[sin(theta[0]), -cos(theta[0])];
        let p[i in 1..n] = p[i - 1] + l[i]*[sin(theta[i]), -cos(theta[i])];
        kinetic = sum(i in 0..n, m[i]*norm2(dot(p[i]))/2);
        potential = g*sum(i in 0..n, m[i]*p[i][1]); max_operations = 8000;";
    let item = "pub struct Chain { pub m: [f64; 32], pub l: [f64; 32], pub g: f64 }";
    let chain = mechanism("Chain", block, item);
    let mut comparison = Comparison::default();
    comparison.add(&chain);
    println!("chain: {comparison:?}");
    let text = lagrange_symbolic::expand(chain.block, chain.item).to_string();
    assert!(!text.contains("compile_error"), "{}", &text[..text.len().min(2000)]);
}

/// The environment variable that marks the second process.
const SECOND: &str = "LAGRANGE_SECOND";

fn kepler() -> Mechanism {
    mechanisms(&repository("models/src/kepler.rs")).remove(0)
}

/// The test in the second process.
fn refused() {
    let Mechanism { block, item, .. } = kepler();
    println!("{}", lagrange_symbolic::expand(block, item));
}

/// While this process uses Symbolica, an expansion in another process reports that, and the other process continues.
fn a_second_process_is_refused_in_words() {
    let output = Command::new(std::env::current_exe().expect("the test has a path"))
        .args(["both_engines_agree", "--exact", "--nocapture"])
        .envs([(SECOND, "1"), ("LAGRANGE_SYMBOLICA_WAIT", "0")])
        .output()
        .expect("the test can be started");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{output:?}");
    assert!(text.contains("compile_error") && text.contains("another process on this machine derives by it"), "{text}");
}

fn a_second_thread_is_refused_in_words() {
    let expansion = std::thread::spawn(|| {
        let Mechanism { block, item, .. } = kepler();
        lagrange_symbolic::expand(block, item).to_string()
    });
    let text = expansion.join().expect("it does not panic");
    assert!(text.contains("compile_error") && text.contains("another thread has used it"), "{text}");
}
