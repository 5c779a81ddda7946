//! Switches: the nodes at which expressions change their formula or jump, and the conditions under which each matters.

use super::bounds::Bounds;
use super::linear::Form;
use crate::graph::function::{Boundary, Function};
use crate::graph::value::{Arithmetic, Evaluated, node_value};
use crate::graph::{Graph, Id, Node, Rational, Relation, Symbol, for_each_operand};
use std::collections::{HashMap, HashSet};

/// The most combinations of conditions that are listed for one switch.
const MOST_ROUTES: usize = 48;

/// A node that changes its formula, or jumps, where its switching function vanishes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Switch {
    /// The node.
    pub(super) node: Id,
    boundary: Boundary,
    first: Id,
    second: Option<Id>,
    /// Whether the node is undefined at the boundary. Such a pole may have no change of sign.
    pub(super) is_pole: bool,
}

/// A requirement on a point. For a comparison: whether it is true. For another switch: whether its switching function
/// is negative.
pub(super) type Goal = (Id, bool);

impl Switch {
    /// The switch of a node that has different formulas on its two sides.
    pub(super) fn of_formulas(graph: &Graph, node: Id) -> Option<Self> {
        let (boundary, first, second) = match graph.node(node) {
            Node::Compare(_, a, b) if graph.tells_found(*a) || graph.tells_found(*b) => return None,
            Node::Compare(_, a, b) => (Boundary::Order, *a, Some(*b)),
            Node::Call(function, arguments) => {
                let boundary = function.boundary()?.0;
                (boundary, *arguments.first()?, arguments.get(1).copied())
            }
            _ => return None,
        };
        (boundary == Boundary::Order).then_some(Self { node, boundary, first, second, is_pole: false })
    }

    /// The switches of a node whose value may jump.
    pub(super) fn of_jumps(graph: &Graph, node: Id) -> Vec<Self> {
        let switch = |boundary, first, second, is_pole| Self { node, boundary, first, second, is_pole };
        match graph.node(node) {
            Node::Compare(_, a, b) if graph.tells_found(*a) || graph.tells_found(*b) => Vec::new(),
            Node::Compare(_, a, b) => {
                let ends = Self { node, boundary: Boundary::Order, first: *a, second: Some(*b), is_pole: false };
                ends.factors(graph)
            }
            Node::Call(function, arguments) => match function.boundary() {
                Some((boundary, true)) => {
                    let is_pole = boundary == Boundary::Poles || *function == Function::RecipOrZero;
                    switch(boundary, arguments[0], arguments.get(1).copied(), is_pole).factors(graph)
                }
                _ => Vec::new(),
            },
            Node::Product(factors) => factors
                .iter()
                .filter(|(_, exponent)| *exponent < Rational::ZERO)
                .filter_map(|(base, exponent)| match graph.node(*base) {
                    // The reciprocal 1/|x| has no change of sign, but x/|x| has one.
                    Node::Call(Function::Abs, arguments) => Some(arguments[0]),
                    _ => exponent.is_int().then_some(*base),
                })
                .map(|base| switch(Boundary::Order, base, None, true))
                .collect(),
            _ => Vec::new(),
        }
    }

    /// This switch, or one for each factor with a change of sign where the switching function is a product.
    fn factors(self, graph: &Graph) -> Vec<Self> {
        let form = self.form(graph);
        let product = form.as_ref().and_then(|form| match form.terms[..] {
            [(term, _)] if form.constant.is_zero() => Some(graph.node(term)),
            _ => None,
        });
        let Some(Node::Product(factors)) = product else { return vec![self] };
        let is_odd = |exponent: &Rational| i64::try_from(exponent.numerator()).is_ok_and(|power| power % 2 != 0);
        let odd = factors.iter().filter(|(_, exponent)| is_odd(exponent));
        odd.map(|(base, _)| Self { first: *base, second: None, ..self }).collect()
    }

    /// The expressions that determine the side.
    pub(super) fn operands(&self) -> impl Iterator<Item = Id> {
        [self.first].into_iter().chain(self.second)
    }

    /// The expression that must be negative for the boundary to exist.
    pub(super) fn abscissa(&self) -> Option<Id> {
        self.second.filter(|_| self.boundary == Boundary::Axis)
    }

    /// The switching function, which changes its sign at the boundary.
    pub(super) fn value<A: Arithmetic>(
        &self,
        arithmetic: &mut A,
        operand: &mut dyn FnMut(&mut A, Id) -> Option<A::Value>,
    ) -> Option<A::Value> {
        let first = operand(arithmetic, self.first)?;
        match (self.boundary, self.second) {
            (Boundary::Poles, _) => arithmetic.call(Function::Cos, &[first]),
            (Boundary::Steps, second) => {
                let turns = match second {
                    Some(second) => {
                        let second = operand(arithmetic, second)?;
                        let inverse = arithmetic.power_rational(&second, &Rational::NEG_ONE)?;
                        arithmetic.mul(&first, &inverse)?
                    }
                    None => first,
                };
                let pi = arithmetic.pi()?;
                let angle = arithmetic.mul(&pi, &turns)?;
                arithmetic.call(Function::Sin, &[angle])
            }
            (Boundary::Axis, _) | (_, None) => Some(first),
            (_, Some(second)) => {
                let second = operand(arithmetic, second)?;
                let minus = arithmetic.rational(&Rational::NEG_ONE)?;
                let opposite = arithmetic.mul(&minus, &second)?;
                arithmetic.add(&first, &opposite)
            }
        }
    }

    /// The switching function as a linear form, where it is a difference.
    pub(super) fn form(&self, graph: &Graph) -> Option<Form> {
        self.form_by(graph, &|_| None)
    }

    /// The switching function as a linear form in a branch, where `formula` says what nodes are there.
    pub(super) fn form_by(&self, graph: &Graph, formula: &dyn Fn(Id) -> Option<(Id, bool)>) -> Option<Form> {
        (self.boundary == Boundary::Order).then(|| Form::difference_by(graph, self.first, self.second, formula))
    }

    /// Whether ranges prove that the boundary is empty or never crossed.
    pub(super) fn has_one_side(&self, graph: &Graph, bounds: &Bounds) -> bool {
        match self.boundary {
            Boundary::Order => self.form(graph).is_some_and(|form| {
                let range = bounds.form(graph, &form);
                range.low >= 0.0 || range.high <= 0.0
            }),
            Boundary::Axis => {
                self.second.is_some_and(|abscissa| bounds.range(graph, abscissa).low >= 0.0) || {
                    let range = bounds.range(graph, self.first);
                    range.low >= 0.0 || range.high <= 0.0
                }
            }
            Boundary::Steps => {
                let range = bounds.range(graph, self.first);
                self.second.is_none() && range.low.floor() == range.high.floor()
            }
            Boundary::Poles => {
                let range = bounds.range(graph, self.first);
                range.low > -1.57 && range.high < 1.57
            }
        }
    }

    /// Whether the side depends on a symbol for which `test` is true.
    pub(super) fn depends_on(&self, graph: &Graph, test: &dyn Fn(Symbol) -> bool) -> bool {
        // A mode is constant along a motion.
        self.operands().any(|operand| graph.contains(operand, |symbol| test(symbol) && !graph.is_mode(symbol)))
    }
}

/// The value of a switch by the formula of one of its sides, or on its boundary if `side` is 0. The side of a floor, or of a remainder, is
/// the whole number that the floor is.
pub(super) fn forced_value<'v, A: Arithmetic>(
    arithmetic: &mut A,
    node: &Node,
    side: i64,
    value: &impl Fn(Id) -> Option<&'v Evaluated<A::Value>>,
) -> Option<Evaluated<A::Value>>
where
    A::Value: 'v,
{
    let sign = Rational::from(side.signum());
    let number = match node {
        Node::Compare(relation, ..) => {
            return Some(Evaluated::Truth(match relation {
                Relation::Less => side < 0,
                Relation::LessEqual => side <= 0,
                Relation::Equal => side == 0,
            }));
        }
        Node::Call(Function::Sign, _) => arithmetic.rational(&sign)?,
        Node::Call(Function::Abs, arguments) => {
            let sign = arithmetic.rational(&sign)?;
            arithmetic.mul(&sign, value(arguments[0])?.real()?)?
        }
        Node::Call(function @ (Function::Min | Function::Max), arguments) => {
            let first = (side < 0) == (*function == Function::Min);
            value(arguments[usize::from(!first)])?.real()?.clone()
        }
        Node::Call(Function::Floor, _) => arithmetic.rational(&Rational::from(side))?,
        Node::Call(Function::Mod, arguments) => {
            let (first, second) = (value(arguments[0])?.real()?.clone(), value(arguments[1])?.real()?.clone());
            let turns = arithmetic.rational(&Rational::from(-side))?;
            let whole = arithmetic.mul(&turns, &second)?;
            arithmetic.add(&first, &whole)?
        }
        _ => return node_value(arithmetic, node, value),
    };
    Some(Evaluated::Real(number))
}

/// For each node the sets of goals under which the root depends on it, one set for each path through selections. Only
/// nodes in `inside` are examined. `None` where there are more than [`MOST_ROUTES`] sets.
pub(super) fn routes(graph: &Graph, root: Id, inside: &HashSet<Id>) -> Option<HashMap<Id, Vec<Vec<Goal>>>> {
    let mut routes: HashMap<Id, Vec<Vec<Goal>>> = HashMap::from([(root, vec![Vec::new()])]);
    for id in graph.reachable(&[root]).into_iter().rev() {
        let Some(own) = routes.get(&id).cloned() else { continue };
        let mut give = |operand: Id, goals: &[Vec<Goal>]| {
            if !inside.contains(&operand) {
                return true;
            }
            let known = routes.entry(operand).or_default();
            for ways in &own {
                for more in goals {
                    let mut way = ways.clone();
                    way.extend(more);
                    way.sort_unstable();
                    way.dedup();
                    let excluded = way.windows(2).any(|pair| pair[0].0 == pair[1].0);
                    if !excluded && !known.iter().any(|shorter| shorter.iter().all(|goal| way.contains(goal))) {
                        known.retain(|longer| !way.iter().all(|goal| longer.contains(goal)));
                        known.push(way);
                    }
                }
            }
            known.len() <= MOST_ROUTES
        };
        let anyhow = [Vec::new()];
        let fits = match *graph.node(id) {
            Node::Select(condition, yes, no) => {
                give(condition, &anyhow)
                    && give(yes, &alternatives(graph, condition, true))
                    && give(no, &alternatives(graph, condition, false))
            }
            Node::And(a, b) => give(a, &alternatives(graph, b, true)) && give(b, &alternatives(graph, a, true)),
            Node::Or(a, b) => give(a, &alternatives(graph, b, false)) && give(b, &alternatives(graph, a, false)),
            _ => {
                let mut fits = true;
                for_each_operand(graph.node(id), |operand| fits &= give(operand, &anyhow));
                fits
            }
        };
        if !fits {
            return None;
        }
    }
    Some(routes)
}

/// The sets of goals each of which makes a condition true, or false where `holds` is false.
pub(super) fn alternatives(graph: &Graph, condition: Id, holds: bool) -> Vec<Vec<Goal>> {
    match *graph.node(condition) {
        Node::Truth(value) => {
            if value == holds {
                vec![Vec::new()]
            } else {
                Vec::new()
            }
        }
        Node::Not(inner) => alternatives(graph, inner, !holds),
        Node::And(a, b) if holds => both(graph, a, b, holds),
        Node::Or(a, b) if !holds => both(graph, a, b, holds),
        Node::And(a, b) | Node::Or(a, b) => {
            let mut either = alternatives(graph, a, holds);
            either.extend(alternatives(graph, b, holds));
            either.truncate(MOST_ROUTES);
            either
        }
        _ => vec![vec![(condition, holds)]],
    }
}

fn both(graph: &Graph, a: Id, b: Id, holds: bool) -> Vec<Vec<Goal>> {
    let (first, second) = (alternatives(graph, a, holds), alternatives(graph, b, holds));
    let mut pairs = Vec::new();
    for one in &first {
        for other in &second {
            pairs.push(one.iter().chain(other).copied().collect());
        }
    }
    pairs.truncate(MOST_ROUTES);
    pairs
}

/// The form that is positive where a goal is satisfied (or zero, where a comparison is not strict).
pub(super) fn goal_form(graph: &Graph, (node, holds): Goal) -> Option<Form> {
    let form = Switch::of_formulas(graph, node)?.form(graph)?;
    let is_equality = matches!(graph.node(node), Node::Compare(Relation::Equal, ..));
    (!is_equality).then(|| if holds { form.opposite() } else { form })
}

/// The switches at which an expression may jump while the given symbols move. Poles with equal boundaries are listed
/// once.
pub(super) fn jumping(graph: &Graph, root: Id, moving: &dyn Fn(Symbol) -> bool) -> Vec<Switch> {
    let mut seen = HashSet::new();
    let mut list = Vec::new();
    let order = graph.reachable(&[root]);
    let smooth = choosing_an_extreme(graph, &order);
    for node in order {
        if smooth.contains(&node) {
            continue;
        }
        for switch in Switch::of_jumps(graph, node) {
            let key = (switch.is_pole, switch.boundary, switch.first, switch.second);
            if switch.depends_on(graph, moving) && (!switch.is_pole || seen.insert(key)) {
                list.push(switch);
            }
        }
    }
    list
}

/// The comparisons a < b that select between a and b themselves and are used nowhere else. Such a selection is a
/// minimum or a maximum, which is continuous.
fn choosing_an_extreme(graph: &Graph, order: &[Id]) -> HashSet<Id> {
    let (mut choosing, mut otherwise) = (HashSet::new(), HashSet::new());
    for &id in order {
        let extreme = match *graph.node(id) {
            Node::Select(condition, yes, no) => match *graph.node(condition) {
                Node::Compare(_, a, b) if (yes, no) == (a, b) || (yes, no) == (b, a) => Some(condition),
                _ => None,
            },
            _ => None,
        };
        for_each_operand(graph.node(id), |operand| {
            if extreme == Some(operand) {
                choosing.insert(operand);
            } else {
                otherwise.insert(operand);
            }
        });
    }
    choosing.retain(|condition| !otherwise.contains(condition));
    choosing
}
