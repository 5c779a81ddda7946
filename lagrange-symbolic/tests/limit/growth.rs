//! The growth of the derivation with the size of the block, in nodes, operations and characters of code.

use lagrange_symbolic::program::Evaluations;
use lagrange_symbolic::{derivation, expand, parse};

/// The size of a mechanism: nodes of its graph, operations of all evaluations, characters of its code.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    pub(crate) nodes: usize,
    pub(crate) operations: usize,
    pub(crate) code: usize,
}

pub(crate) fn size(block: &str, item: &str) -> Size {
    let spec = parse::parse(super::parse(block), super::parse(item)).unwrap_or_else(|report| panic!("{report:?}"));
    let mut derived = derivation(&spec).unwrap_or_else(|report| panic!("{report:?}"));
    let nodes = derived.model.graph.len();
    let evaluations = Evaluations::new(&mut derived.model.graph, &derived.equations);
    let operations = evaluations.counts().into_iter().map(|(_, count)| count.total() as usize).sum();
    Size { nodes, operations, code: expand(super::parse(block), super::parse(item)).to_string().len() }
}

/// The sizes of a family for n and 2n; each must grow by no more than the factor.
fn assert_growth(family: &dyn Fn(usize) -> (String, String), n: usize, factor: f64) {
    let [small, large] = [n, 2 * n].map(|n| {
        let (block, item) = family(n);
        size(&block, &item)
    });
    let pairs = [(small.nodes, large.nodes), (small.operations, large.operations), (small.code, large.code)];
    for (small, large) in pairs {
        assert!(large as f64 <= factor * small as f64, "{n}: {small} grows to {large}");
    }
}

const ITEM: &str = "struct Chain { m: f64, k: f64, b: f64 }";

/// Masses in a row between nonlinear springs (Fermi, Pasta, Ulam, Tsingou).
fn springs(n: usize) -> (String, String) {
    let block = format!(
        "const n = {n};
        coordinates x[n];
        let d[0] = x[0];
        let d[i in 1..n] = x[i] - x[i - 1];
        let d[n] = -x[n - 1];
        kinetic = m*sum(i in 0..n, dot(x[i])^2)/2;
        potential = sum(i in 0..n + 1, k*d[i]^2/2 + b*d[i]^4/4);"
    );
    (block, ITEM.to_owned())
}

#[test]
fn a_chain_of_springs_costs_in_proportion_to_its_length() {
    assert_growth(&springs, 100, 2.05);
    assert_growth(&springs, 200, 2.05);
}

/// A nest of selections whose branches have a coordinate each. The constraint requires every Jacobian.
fn nest(n: usize, function: &str) -> (String, String) {
    let block = format!(
        "coordinates x[{n}];
        let s[0] = x[0]^3;
        let s[i in 1..{n}] = {};
        kinetic = m*sum(i in 0..{n}, dot(x[i])^2)/2;
        potential = k*s[{}];
        constraint wall: x[0] == b;",
        function.replace("OLD", "s[i - 1]").replace("NEW", "x[i]^3"),
        n - 1
    );
    (block, ITEM.to_owned())
}

/// The Hessian of a nest has one entry for each branch. Each entry is one selection under the conditions of all
/// branches before it, and these conjunctions share their beginnings. Nested selections would make k of them for the
/// branch at depth k.
#[test]
fn nests_of_selections_cost_in_proportion_to_their_depth() {
    for function in ["max(OLD, NEW)", "min(OLD, NEW)", "max(NEW, OLD)", "if OLD < NEW { NEW } else { OLD }"] {
        let [small, large] = [24, 48].map(|n| {
            let (block, item) = nest(n, function);
            size(&block, &item)
        });
        assert!(large.operations < 22 * small.operations / 10, "{function}: {small:?} grows to {large:?}");
    }
}

/// A nest inside its own branches has the shape of a smooth recursion, and is shared like one.
#[test]
fn a_nest_in_both_branches_is_shared() {
    let family = |n: usize| {
        let block = format!(
            "coordinates x, y;
            let s[0] = x;
            let s[i in 1..{n}] = max(s[i - 1]*x + y, s[i - 1]*y + x);
            kinetic = (m + s[{}]^2)*(dot(x)^2 + dot(y)^2)/2;
            potential = k*s[{}]^2;",
            n - 1,
            n - 1
        );
        (block, ITEM.to_owned())
    };
    assert_growth(&family, 10, 2.1);
    assert_growth(&family, 20, 2.1);
}

/// A table of numbers with equidistant knots or with others.
fn table(n: usize, even: bool) -> (String, String) {
    let x = (0..n).map(|i| if even { format!("{i}e-1") } else { format!("{}.{}", i, i * i % 7) });
    let (x, y): (Vec<String>, Vec<String>) = x.zip((0..n).map(|i| format!("0.{}", i * i * 37 % 1009))).unzip();
    let block = format!(
        "coordinates x;
        table f(x) = spline([{}], [{}]);
        kinetic = m*dot(x)^2/2;
        potential = k*f(x);",
        x.join(", "),
        y.join(", ")
    );
    (block, ITEM.to_owned())
}

#[test]
fn a_table_of_numbers_costs_in_proportion_to_its_length() {
    for even in [true, false] {
        assert_growth(&|n| table(n, even), 100, 2.2);
        let [small, large] = [20, 200].map(|n| table(n, even)).map(|(block, item)| size(&block, &item).operations);
        assert_eq!(small, large);
    }
}

/// The second derivatives at the knots are sums in which each contains the next one. They stay so, also in what is shown.
#[test]
fn a_table_of_parameters_costs_in_proportion_to_its_length() {
    let family = |n: usize| {
        let knots: Vec<String> = (0..n).map(|i| i.to_string()).collect();
        let block = format!(
            "coordinates x; table f(x) = spline([{}], y); kinetic = m*dot(x)^2/2; potential = f(x);",
            knots.join(", ")
        );
        (block, format!("struct Table {{ m: f64, y: [f64; {n}] }}"))
    };
    assert_growth(&family, 60, 2.7);
}

#[test]
fn equations_that_couple_all_velocities_are_warned_of() {
    let rope = |n: usize| {
        let chain = format!(
            "coordinates a[{n}]; let p[0] = l*[sin(a[0]), -cos(a[0])]; let p[i in 1..{n}] = p[i-1] + l*[sin(a[i]), -cos(a[i])]; \
             kinetic = sum(i in 0..{n}, m*norm2(dot(p[i]))/2); potential = sum(i in 0..{n}, m*g*p[i][1]);"
        );
        let pairs = format!(
            "coordinates a[{n}]; kinetic = sum(i in 0..{n}, sum(j in 0..{n}, \
             m*l^2*dot(a[i])*dot(a[j])*cos(a[i] - a[j])*min({n} - i, {n} - j)/2)); \
             potential = -sum(i in 0..{n}, m*g*({n} - i)*l*cos(a[i]));"
        );
        [chain, pairs]
    };
    let is_warned = |block: &str| {
        let item = "struct Rope { m: f64, l: f64, g: f64 }";
        expand(super::parse(block), super::parse(item)).to_string().contains("couples most velocities")
    };
    let [chain, pairs] = rope(30);
    assert!(is_warned(&pairs));
    assert!(!is_warned(&chain));
    // Masses that attract each other are coupled by forces and not by inertia.
    let bodies = "coordinates r[30][3]; kinetic = sum(i in 0..30, m*norm2(dot(r[i])))/2; \
                  potential = -sum(i in 0..30, sum(j in 0..i, g*m^2*l/norm(r[i] - r[j])));";
    assert!(!is_warned(bodies));
    let ([_, few], [long, _]) = (rope(12), rope(200));
    assert!(!is_warned(&few) && !is_warned(&long));
}
