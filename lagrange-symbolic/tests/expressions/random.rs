//! Random expressions: the results of the graph's constructors and derivatives against the expression as written.

use crate::dual::Dual;
use crate::language::Language;
use crate::tree::{Random, SYMBOLS, Tree};
use lagrange_symbolic::calculus::{derivative, directional, gradient};
use lagrange_symbolic::graph::function::Function;
use lagrange_symbolic::graph::value::{Arithmetic, Plain, Precise, Real, evaluate, numeric};
use lagrange_symbolic::graph::{Graph, Id, Rational, Relation, Symbol};
use lagrange_symbolic::print::{Equation, Equations, Kept, kept, tidied};
use lagrange_symbolic::prove::vanishes;
use std::collections::HashMap;

/// The precision in bits, and how many bits must agree, relative to the larger one of the value and 1.
const BITS: usize = 256;
const AGREEING: i64 = 90;

fn known(point: &[Rational], arithmetic: &mut Precise) -> Vec<Real> {
    point.iter().map(|value| arithmetic.rational(value).expect("a number")).collect()
}

fn in_graph(graph: &Graph, root: Id, point: &[Real], arithmetic: &mut Precise) -> Option<Real> {
    let order = graph.reachable(&[root]);
    let mut symbol = |wanted: Symbol| SYMBOLS.iter().position(|&known| known == wanted).map(|at| point[at].clone());
    let values = evaluate(arithmetic, graph, &order, &mut symbol);
    values[root.index()].as_ref()?.real().cloned()
}

/// Whether two numbers agree up to rounding.
fn agree(a: &Real, b: &Real, arithmetic: &mut Precise) -> bool {
    let size =
        |x: &Real| if *x == Real::ZERO { i64::MIN } else { x.repr().exponent() as i64 + x.repr().digits() as i64 };
    arithmetic.subtract(a, b).is_some_and(|difference| size(&difference) < size(a).max(0) - AGREEING)
}

/// The value of the tree as written. It is undefined where only rounding makes it finite, as in 1/sin(π).
fn as_written(tree: &Tree, point: &[Rational]) -> Option<Real> {
    let mut values = Vec::new();
    for bits in [BITS, 2 * BITS] {
        let mut arithmetic = Precise::new(bits);
        let known = known(point, &mut arithmetic);
        values.push(tree.value(&mut arithmetic, &known)?);
    }
    agree(&values[0], &values[1], &mut Precise::new(BITS)).then(|| values.swap_remove(0))
}

/// A factor for the number of cases: the environment variable `LAGRANGE_TEST_EFFORT`, or 1.
fn effort() -> usize {
    std::env::var("LAGRANGE_TEST_EFFORT").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}

/// A check of a tree at some points. It returns a description of the first error.
type Fails<'a> = &'a dyn Fn(&Tree, &[Vec<Rational>]) -> Option<String>;

/// Runs a check on many random trees; shrinks and reports the first tree that fails.
fn for_random_trees(seed: u64, count: usize, depth: u32, fails: Fails) {
    let mut random = Random(seed);
    for _ in 0..count {
        let tree = random.tree(depth);
        let points: Vec<Vec<Rational>> = (0..3).map(|_| random.point()).collect();
        if fails(&tree, &points).is_some() {
            let smallest = tree.shrink(&mut |candidate| fails(candidate, &points).is_some());
            panic!("{smallest:?}: {}", fails(&smallest, &points).unwrap_or_default());
        }
    }
}

fn nodes(graph: &Graph, root: Id) -> Vec<String> {
    graph.reachable(&[root]).iter().map(|&id| format!("{id:?} {:?}", graph.node(id))).collect()
}

/// The canonical constructors never change a value where the expression as written has one.
fn built_value_differs(tree: &Tree, points: &[Vec<Rational>]) -> Option<String> {
    let mut graph = Graph::new();
    let root = tree.build(&mut graph);
    let mut arithmetic = Precise::new(BITS);
    for point in points {
        let Some(written) = as_written(tree, point) else { continue };
        let values = known(point, &mut arithmetic);
        match in_graph(&graph, root, &values, &mut arithmetic) {
            Some(built) if agree(&written, &built, &mut arithmetic) => {}
            built => {
                let built = built.map(|value| value.to_f64().value());
                let shown: Vec<String> = point.iter().map(ToString::to_string).collect();
                return Some(format!(
                    "{} became {built:?} at {shown:?}: {:?}",
                    written.to_f64().value(),
                    nodes(&graph, root)
                ));
            }
        }
    }
    None
}

#[test]
fn constructors_keep_values() {
    for_random_trees(1, 600 * effort(), 3, &built_value_differs);
    for_random_trees(2, 300 * effort(), 4, &built_value_differs);
    for_random_trees(3, 40 * effort(), 6, &built_value_differs);
}

/// sin and cos of x + k π/2, which have no multiple of π/2 in their arguments, and of x + π/3.
#[test]
fn quarter_turns_keep_values() {
    for sixths in (-12..=12).map(|k| 3 * k).chain([2]) {
        for function in [Function::Sin, Function::Cos] {
            let mut graph = Graph::new();
            let (x, pi) = (graph.symbol(SYMBOLS[0]), graph.pi());
            let turn = graph.scale(&(Rational::from(sixths) / Rational::from(6)), pi);
            let angle = graph.add(x, turn);
            let root = graph.call(function, &[angle]);
            let exact = 0.4 + f64::from(sixths) * std::f64::consts::FRAC_PI_6;
            let exact = if function == Function::Sin { exact.sin() } else { exact.cos() };
            let built = numeric(&graph, &[root], &|_| 0.4)[0];
            assert!((built - exact).abs() < 1e-14, "{sixths} {function:?}: {built} is not {exact}");
            let is_turned = nodes(&graph, root).iter().any(|node| node.contains("Pi"));
            assert_eq!(is_turned, sixths == 2, "{sixths} {function:?}: {:?}", nodes(&graph, root));
        }
    }
}

/// Evaluation of the graph in f64 against evaluation of the tree in f64. Only large differences count, because every
/// rewriting rounds differently.
#[test]
fn plain_values_are_the_same_but_for_rounding() {
    for_random_trees(4, 300 * effort(), 4, &|tree, points| {
        let mut graph = Graph::new();
        let root = tree.build(&mut graph);
        for point in points {
            let exact = as_written(tree, point)?.to_f64().value();
            let plain: Vec<f64> = point.iter().map(|value| value.to_f64().value()).collect();
            let written = tree.value(&mut Plain, &plain)?;
            let symbol = |wanted| SYMBOLS.iter().position(|&known| known == wanted).map_or(f64::NAN, |at| plain[at]);
            let built = numeric(&graph, &[root], &symbol)[0];
            let size = exact.abs().max(1.0);
            // Where the expression as written is well conditioned in f64, the built one must be right.
            if size < 1e3 && (written - exact).abs() < 1e-15 * size && (built - exact).abs() > 1e-9 * size {
                return Some(format!("{exact} became {built}: {:?}", nodes(&graph, root)));
            }
        }
        None
    });
}

/// The value and derivative of the tree as written, along a direction.
fn dual_value(tree: &Tree, point: &[Rational], direction: &[Rational]) -> Option<(Real, Real)> {
    let mut found = Vec::new();
    for bits in [BITS, 2 * BITS] {
        let mut dual = Dual(Precise::new(bits));
        let along: Vec<(Real, Real)> =
            known(point, &mut dual.0).into_iter().zip(known(direction, &mut dual.0)).collect();
        found.push(tree.value(&mut dual, &along)?);
    }
    let stable = agree(&found[0].1, &found[1].1, &mut Precise::new(BITS));
    stable.then(|| found.swap_remove(0))
}

/// Compares one expression of the graph with the expected value at a point.
fn differs(graph: &Graph, root: Id, point: &[Rational], wanted: &Real, what: &str) -> Option<String> {
    let mut arithmetic = Precise::new(BITS);
    let values = known(point, &mut arithmetic);
    let found = in_graph(graph, root, &values, &mut arithmetic);
    if found.as_ref().is_some_and(|found| agree(wanted, found, &mut arithmetic)) {
        return None;
    }
    let found = found.map(|value| value.to_f64().value());
    let shown: Vec<String> = point.iter().map(ToString::to_string).collect();
    let wanted = wanted.to_f64().value();
    Some(format!("{what}: {found:?}, not {wanted}, at {shown:?}: {:?}", nodes(graph, root)))
}

/// Forward, directional and reverse derivatives against dual numbers over the tree as written.
fn derivatives_differ(tree: &Tree, points: &[Vec<Rational>]) -> Option<String> {
    let mut graph = Graph::new();
    let root = tree.build(&mut graph);
    let reverse = gradient(&mut graph, root, &SYMBOLS);
    let forward: Vec<Id> = SYMBOLS.iter().map(|&symbol| derivative(&mut graph, &[root], symbol)[0]).collect();
    let direction: Vec<Rational> = [2, -3, 5].into_iter().map(Rational::from).collect();
    let along: Vec<(Symbol, Id)> =
        SYMBOLS.iter().zip(&direction).map(|(&symbol, value)| (symbol, graph.number(value.clone()))).collect();
    let directed = directional(&mut graph, &[root], &along)[0];
    for point in points {
        if let Some((_, slope)) = dual_value(tree, point, &direction)
            && let Some(message) = differs(&graph, directed, point, &slope, "directional")
        {
            return Some(message);
        }
        for which in 0..SYMBOLS.len() {
            let unit: Vec<Rational> =
                (0..SYMBOLS.len()).map(|i| if i == which { Rational::ONE } else { Rational::ZERO }).collect();
            let Some((_, slope)) = dual_value(tree, point, &unit) else { continue };
            let found = differs(&graph, forward[which], point, &slope, "forward")
                .or_else(|| differs(&graph, reverse[which], point, &slope, "reverse"));
            if found.is_some() {
                return found;
            }
        }
    }
    None
}

#[test]
fn derivatives_are_those_of_dual_numbers() {
    for_random_trees(5, 200 * effort(), 2, &derivatives_differ);
    for_random_trees(6, 150 * effort(), 3, &derivatives_differ);
    for_random_trees(7, 15 * effort(), 5, &derivatives_differ);
}

/// ∂²/∂x∂y, built as a gradient of a derivative, against dual numbers of dual numbers.
#[test]
fn second_derivatives_are_those_of_dual_numbers() {
    for_random_trees(8, 200 * effort(), 3, &|tree, points| {
        let mut graph = Graph::new();
        let root = tree.build(&mut graph);
        let first = derivative(&mut graph, &[root], SYMBOLS[0])[0];
        let second = gradient(&mut graph, first, &SYMBOLS[1..2])[0];
        for point in points {
            let mut arithmetic = Dual(Dual(Precise::new(BITS)));
            let mut seeded = Vec::new();
            for (which, value) in point.iter().enumerate() {
                let mut number = |value: Rational| arithmetic.0.0.rational(&value);
                let (value, zero) = (number(value.clone())?, number(Rational::ZERO)?);
                let (x, y) =
                    (number(Rational::from(i32::from(which == 0)))?, number(Rational::from(i32::from(which == 1)))?);
                seeded.push(((value, x), (y, zero)));
            }
            let Some((_, (_, wanted))) = tree.value(&mut arithmetic, &seeded) else { continue };
            if dual_value(tree, point, &[Rational::ONE, Rational::ONE, Rational::ZERO]).is_none() {
                continue;
            }
            if let Some(message) = differs(&graph, second, point, &wanted, "second") {
                return Some(message);
            }
        }
        None
    });
}

/// Substituting expressions and evaluating equals evaluating at the values of these expressions.
#[test]
fn substitution_is_composition() {
    let mut random = Random(9);
    for _ in 0..300 * effort() {
        let (outer, inner) = (random.tree(3), random.tree(2));
        let point = random.point();
        let mut graph = Graph::new();
        let (root, replacement) = (outer.build(&mut graph), inner.build(&mut graph));
        let replaced = graph.substitute(&[root], &HashMap::from([(SYMBOLS[0], replacement)]))[0];
        let mut arithmetic = Precise::new(BITS);
        let mut values = known(&point, &mut arithmetic);
        let own = values.clone();
        let Some(value) = inner.value(&mut arithmetic, &own) else { continue };
        values[0] = value;
        let Some(wanted) = outer.value(&mut arithmetic, &values) else { continue };
        if as_written(&inner, &point).is_none() {
            continue;
        }
        let found = in_graph(&graph, replaced, &own, &mut arithmetic);
        let close = found.is_some_and(|found| agree(&wanted, &found, &mut arithmetic));
        assert!(close, "{outer:?} with {inner:?} for the first symbol: {:?}", nodes(&graph, replaced));
    }
}

/// Expressions that are proved equal have equal values. Each tree is compared with its variations, which often differ
/// only at a kink.
#[test]
fn expressions_that_are_proved_equal_have_equal_values() {
    let mut proved = 0;
    let mut random = Random(10);
    for _ in 0..150 * effort() {
        let tree = random.tree(3);
        let points: Vec<Vec<Rational>> = (0..6).map(|_| random.point()).collect();
        for other in tree.smaller().into_iter().chain([random.tree(1)]) {
            let mut graph = Graph::new();
            let (left, right) = (tree.build(&mut graph), other.build(&mut graph));
            let difference = graph.sub(left, right);
            if left == right || !vanishes(&graph, difference) {
                continue;
            }
            proved += 1;
            for point in &points {
                let (Some(a), Some(b)) = (as_written(&tree, point), as_written(&other, point)) else { continue };
                let equal = agree(&a, &b, &mut Precise::new(BITS));
                let (a, b) = (a.to_f64().value(), b.to_f64().value());
                assert!(equal, "{tree:?} and {other:?} are {a} and {b} at {point:?}: {:?}", nodes(&graph, difference));
            }
        }
    }
    assert!(proved > 20, "only {proved} proofs were tried");
}

/// Printed text parses to the expression that was printed.
#[test]
fn printed_text_reads_back() {
    for_random_trees(11, 400 * effort(), 3, &|tree, points| {
        let mut language = Language::default();
        let root = tree.build(&mut language.graph);
        let list = [Equation::new("f", root)];
        let equations =
            Equations { graph: &language.graph, list: &list, definitions: &[], names: &language, longest: usize::MAX };
        let lines = equations.text_lines();
        let text = lines[0].strip_prefix("f = ")?;
        if text.contains(['{', '[', '\'']) {
            return None;
        }
        let back = language.read(text);
        for point in points {
            as_written(tree, point)?;
            let mut arithmetic = Precise::new(BITS);
            let values = known(point, &mut arithmetic);
            let wanted = in_graph(&language.graph, root, &values, &mut arithmetic)?;
            if let Some(message) = differs(&language.graph, back, point, &wanted, text) {
                return Some(message);
            }
        }
        None
    });
}

/// Quantities as symbols, and their definitions, have together the value of the expression that contains the quantities.
#[test]
fn named_quantities_keep_values() {
    let mut replaced = 0;
    let mut random = Random(13);
    for _ in 0..250 * effort() {
        let (a, b, c) = (random.tree(3), random.tree(3), random.tree(2));
        let root = Tree::Sum(vec![
            Tree::Product(vec![a.clone(), c.clone(), Tree::Power(Box::new(b.clone()), -3, 2)]),
            Tree::Product(vec![Tree::Number(-2, 3), a.clone(), b.clone()]),
            Tree::Call(Function::Sin, vec![Tree::Power(Box::new(b.clone()), 3, 2)]),
        ]);
        let named = [a.clone(), Tree::Power(Box::new(b.clone()), 1, 2), Tree::Product(vec![Tree::Number(-2, 1), b, a])];
        let mut graph = Graph::new();
        let id = root.build(&mut graph);
        let named: Vec<(String, Id)> = named.iter().map(|tree| (String::new(), tree.build(&mut graph))).collect();
        let Kept { roots, definitions } = kept(&mut graph, &[id], &named);
        replaced += definitions.len();
        // A definition contains quantities of smaller height only, so that this ends.
        let map: HashMap<Symbol, Id> = definitions.into_iter().map(|(symbol, _, value)| (symbol, value)).collect();
        let mut back = roots[0];
        while graph.contains(back, |symbol| map.contains_key(&symbol)) {
            back = graph.substitute(&[back], &map)[0];
        }
        for point in (0..3).map(|_| random.point()) {
            let Some(wanted) = as_written(&root, &point) else { continue };
            assert_eq!(differs(&graph, back, &point, &wanted, "with names"), None, "{root:?}");
        }
    }
    assert!(replaced > 100, "only {replaced} quantities stood as symbols");
}

/// What is shown of expressions has their values. In the trees a selection stands in both branches of another one with the same condition.
#[test]
fn tidied_expressions_keep_values() {
    let mut removed = 0;
    let mut random = Random(12);
    for _ in 0..250 * effort() {
        let (a, b, c) = (random.tree(2), random.tree(2), random.tree(2));
        let relation = [Relation::Less, Relation::LessEqual][random.below(2)];
        let select =
            |yes: &Tree, no: &Tree| Tree::Select(relation, vec![a.clone(), b.clone(), yes.clone(), no.clone()]);
        let inner = select(&b, &c);
        let outer = select(
            &Tree::Sum(vec![inner.clone(), c.clone(), Tree::Sum(vec![inner.clone(), a.clone()])]),
            &Tree::Product(vec![a.clone(), inner.clone()]),
        );
        let sum = Tree::Difference(
            Box::new(Tree::Sum(vec![outer, a.clone(), c.clone()])),
            Box::new(Tree::Quotient(Box::new(Tree::Sum(vec![a.clone(), c])), Box::new(Tree::Number(2, 1)))),
        );
        let points: Vec<Vec<Rational>> = (0..3).map(|_| random.point()).collect();
        let mut graph = Graph::new();
        let root = sum.build(&mut graph);
        let tidy = tidied(&mut graph, &[root])[0];
        removed += usize::from(tidy != root);
        let again = tidied(&mut graph, &[tidy])[0];
        assert_eq!(nodes(&graph, again), nodes(&graph, tidy), "tidied twice");
        for point in &points {
            let Some(wanted) = as_written(&sum, point) else { continue };
            assert_eq!(differs(&graph, tidy, point, &wanted, "tidied"), None, "{sum:?}");
        }
    }
    assert!(removed > 100, "only {removed} expressions changed");
}
