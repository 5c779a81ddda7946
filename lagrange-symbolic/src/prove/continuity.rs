//! Whether an expression is continuous, decided at the boundary of each of its switches.
//!
//! A kink, such as that of abs(x) or of a spring that only pushes, is no jump. A boundary is examined in each branch of
//! the other selections in which the value depends on it. Branches whose conditions exclude each other are skipped.

use super::boundary::{excludes, sides_agree};
use super::bounds::Bounds;
use super::branches::{Branch, Branches};
use super::domain::Domain;
use super::limit::{Limit, OneSided, PrecisePoint};
use super::motion::Motion;
use super::range::Range;
use super::search::{Line, Search};
use super::switch::{Goal, Switch, goal_form, jumping, routes};
use crate::graph::function::Function;
use crate::graph::value::{Real, decimal, is_zero};
use crate::graph::{Graph, Id, Node, Rational, Relation, Symbol, for_each_operand};
use dashu_base::Sign;
use std::collections::{HashMap, HashSet};

/// How many points of a boundary are examined: where there are few boundaries, and where there are many.
const POINTS: (u32, u32) = (3, 1);

/// The number of boundaries above which there are many.
const MANY: usize = 24;

/// The direction of a motion at a boundary is evaluated at 2 to this power beyond it.
const PAST_BOUNDARY: isize = -320;

/// Lines that are tried to find points of a boundary. In a branch there are fewer, because the formulas of a branch
/// that is not reached are compared elsewhere on the boundary.
const LINES: usize = 18;
const LINES_IN_BRANCH: usize = 6;

/// What is known of the continuity of an expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Continuity {
    /// The formulas on both sides of each boundary are proved to be equal on it.
    Continuous,
    /// Both sides have the same limit at so many points of boundaries, in more than 100 digits.
    Checked {
        /// How many points.
        points: u32,
    },
    /// The limits differ at a point; the values of the symbols there, in decimal.
    Jumps(Vec<(Symbol, String)>),
    /// No point of the boundary of this node was found, or no limit.
    Undecided(Id),
}

impl Continuity {
    /// Whether the expression may be taken to be continuous: proved or checked.
    pub fn holds(&self) -> bool {
        matches!(self, Self::Continuous | Self::Checked { .. })
    }
}

/// Whether an expression is continuous while the given kind of symbols moves and all others stay.
pub fn continuity(graph: &Graph, id: Id, domain: &Domain, moving: &dyn Fn(Symbol) -> bool) -> Continuity {
    decide(graph, id, domain, moving, Allowed::Nothing)
}

/// Whether an expression is continuous up to jumps by multiples of π, while the given kind of symbols moves and all
/// others stay. Such jumps of an angle leave its rate continuous.
pub fn continuity_of_angle(graph: &Graph, id: Id, domain: &Domain, moving: &dyn Fn(Symbol) -> bool) -> Continuity {
    decide(graph, id, domain, moving, Allowed::HalfTurns)
}

/// Whether an expression is continuous along every motion. Boundaries that no motion crosses are ignored.
pub fn continuity_along(graph: &Graph, id: Id, domain: &Domain, motion: &Motion) -> Continuity {
    let moving = |symbol: Symbol| matches!(symbol, Symbol::Coordinate(_) | Symbol::Velocity(_) | Symbol::Time);
    decide(graph, id, domain, &moving, Allowed::Uncrossed(motion))
}

/// Jumps that are permitted.
#[derive(Clone, Copy)]
enum Allowed<'m> {
    Nothing,
    HalfTurns,
    /// Jumps at boundaries that no motion crosses.
    Uncrossed(&'m Motion),
}

fn decide(graph: &Graph, id: Id, domain: &Domain, moving: &dyn Fn(Symbol) -> bool, allowed: Allowed<'_>) -> Continuity {
    let mut switches = jumping(graph, id, moving);
    switches.retain(|switch| !switch.has_one_side(graph, domain.parameters.bounds()));
    if switches.is_empty() {
        return Continuity::Continuous;
    }
    let inside = nodes_with_switches(graph, id, &switches);
    let mut parts = Vec::new();
    split(graph, id, Rational::ONE, &inside, &mut parts);
    let Some(routes) = routes(graph, id, &inside) else {
        let open = switches.iter().find(|switch| !domain.continuous.contains(&switch.node));
        return open.map_or(Continuity::Checked { points: 0 }, |switch| Continuity::Undecided(switch.node));
    };
    let mut roots = vec![id];
    if let Allowed::Uncrossed(motion) = allowed {
        roots.extend(
            motion.mass.iter().chain(&motion.jacobian).flatten().chain(&motion.forcing).chain(&motion.curvature),
        );
    }
    let mut search = Search::new(graph, domain, &roots);
    if let Allowed::Uncrossed(motion) = allowed {
        let coordinates = 0..motion.mass.len() as u32;
        search.include(coordinates.flat_map(|i| [Symbol::Coordinate(i), Symbol::Velocity(i)]));
        search.include([Symbol::Time]);
    }
    let mut boundary = Boundary {
        graph,
        parts: &parts,
        domain,
        moving,
        allowed,
        search,
        one_sided: OneSided::new(graph, domain),
        points: if switches.len() > MANY { POINTS.1 } else { POINTS.0 },
    };
    let few = switches.len() <= MANY;
    let (mut undecided, mut points) = (None, 0);
    for switch in &switches {
        let with_boundary = matches!(allowed, Allowed::Uncrossed(_));
        if few && sides_agree(graph, &parts, switch, domain.signs(), with_boundary) {
            continue;
        }
        for branch in branches_at(graph, &parts, switch, domain, &routes) {
            match boundary.in_branch(switch, &branch) {
                Continuity::Continuous => {}
                Continuity::Checked { points: more } => points += more,
                Continuity::Undecided(node) if domain.continuous.contains(&node) => {}
                Continuity::Undecided(node) => undecided = undecided.or(Some(node)),
                jump @ Continuity::Jumps(_) => return jump,
            }
        }
    }
    match undecided {
        Some(node) => Continuity::Undecided(node),
        None if points > 0 => Continuity::Checked { points },
        None => Continuity::Continuous,
    }
}

/// The branches of the other switches in which a boundary matters. Where there are many, the comparisons that lead to
/// the switch through selections stand for them.
fn branches_at(
    graph: &Graph,
    parts: &[(Id, Rational)],
    switch: &Switch,
    domain: &Domain,
    routes: &HashMap<Id, Vec<Vec<Goal>>>,
) -> Vec<Branch> {
    let holds = |part: &Id| graph.reachable(&[*part]).binary_search(&switch.node).is_ok();
    let own: Vec<Id> = parts.iter().map(|(id, _)| *id).filter(holds).collect();
    Branches::at_boundary(graph, &own, switch, domain.parameters.bounds()).unwrap_or_else(|| {
        let routes = routes.get(&switch.node).into_iter().flatten();
        let side = |holds: bool| if holds { -1 } else { 1 };
        routes.map(|goals| goals.iter().map(|(id, holds)| (*id, side(*holds))).collect()).collect()
    })
}

/// The nodes of an expression that contain one of the switches.
fn nodes_with_switches(graph: &Graph, id: Id, switches: &[Switch]) -> HashSet<Id> {
    let own: HashSet<Id> = switches.iter().map(|switch| switch.node).collect();
    let mut inside = HashSet::new();
    for node in graph.reachable(&[id]) {
        let mut holds = own.contains(&node);
        for_each_operand(graph.node(node), |operand| holds |= inside.contains(&operand));
        if holds {
            inside.insert(node);
        }
    }
    inside
}

/// Collects the terms of a sum that contain a switch. The other terms are continuous.
fn split(graph: &Graph, id: Id, scale: Rational, inside: &HashSet<Id>, parts: &mut Vec<(Id, Rational)>) {
    match graph.node(id) {
        _ if !inside.contains(&id) => {}
        Node::Sum { terms, .. } => {
            for (term, coefficient) in terms {
                split(graph, *term, &scale * coefficient, inside, parts);
            }
        }
        _ => parts.push((id, scale)),
    }
}

struct Boundary<'g> {
    graph: &'g Graph,
    /// The terms that may jump, with their coefficients.
    parts: &'g [(Id, Rational)],
    domain: &'g Domain,
    moving: &'g dyn Fn(Symbol) -> bool,
    allowed: Allowed<'g>,
    search: Search<'g>,
    one_sided: OneSided<'g>,
    points: u32,
}

impl Boundary<'_> {
    /// Decides continuity at the boundary of a switch, in a branch of the other switches.
    fn in_branch(&mut self, switch: &Switch, branch: &Branch) -> Continuity {
        let own = switch.form(self.graph).map(|form| form.normalized().0);
        let is_own = |id: Id| {
            let form = Switch::of_formulas(self.graph, id).and_then(|switch| switch.form(self.graph));
            id == switch.node || own.as_ref().zip(form).is_some_and(|(own, form)| *own == form.normalized().0)
        };
        let mut goals: Vec<Goal> = branch.iter().map(|(id, side)| (*id, *side < 0)).collect();
        goals.retain(|(id, _)| !is_own(*id));
        goals.sort_unstable();
        // Goals that depend on the switch itself are different on both sides of its boundary.
        let depends = |id: &Id| self.graph.reachable(&[*id]).into_iter().any(is_own);
        let others: Vec<Goal> = goals.iter().copied().filter(|(id, _)| !depends(id)).collect();
        if !self.may_be_reached(switch, &others) {
            return Continuity::Continuous;
        }
        let attempts = if goals.is_empty() { LINES } else { LINES_IN_BRANCH };
        let found = match self.count_without_jump(switch, &goals, attempts) {
            Err(jump) => return jump,
            // No point of the boundary was found in this branch. Its formulas may still have equal limits elsewhere on
            // the boundary.
            Ok(0) if !switch.is_pole && !goals.is_empty() => {
                self.one_sided.sides = goals.iter().map(|(id, holds)| (*id, if *holds { -1 } else { 1 })).collect();
                let found = self.count_without_jump(switch, &[], LINES_IN_BRANCH);
                self.one_sided.sides.clear();
                found.unwrap_or(0)
            }
            Ok(found) => found,
        };
        match found {
            // A pole at which the switching function does not change its sign has no sides.
            0 if switch.is_pole => Continuity::Continuous,
            0 => Continuity::Undecided(switch.node),
            points => Continuity::Checked { points },
        }
    }

    /// Counts the points of a boundary that satisfy the goals and at which there is no jump. The error is the first
    /// jump.
    fn count_without_jump(&mut self, switch: &Switch, goals: &[Goal], attempts: usize) -> Result<u32, Continuity> {
        let mut found = 0;
        for attempt in 0..attempts {
            for line in self.search.lines(switch, goals, self.moving, attempt) {
                match self.limit_on_line(switch, &line) {
                    Limit::Equal => found += 1,
                    Limit::Infinite if switch.is_pole => found += 1,
                    Limit::Different(_) | Limit::Infinite => {
                        return Err(Continuity::Jumps(
                            self.one_sided.boundary(switch, &line).as_ref().map(text).unwrap_or_default(),
                        ));
                    }
                    Limit::Unknown => {}
                }
            }
            if found >= self.points {
                break;
            }
        }
        Ok(found)
    }

    /// How the two one-sided limits compare where a line crosses a boundary.
    fn limit_on_line(&mut self, switch: &Switch, line: &Line) -> Limit {
        let directed = self.one_sided.boundary(switch, line).zip(self.one_sided.direction(line));
        let Some((point, mut direction)) = directed else { return Limit::Unknown };
        if let Allowed::Uncrossed(motion) = self.allowed {
            // The forces may jump there too, so the acceleration is evaluated on one side of the boundary.
            let accelerated = self
                .one_sided
                .shifted(&point, &direction, PAST_BOUNDARY, true)
                .and_then(|near| motion.direction(&mut self.one_sided.arithmetic, self.graph, &near));
            let Some(accelerated) = accelerated else { return Limit::Unknown };
            direction = accelerated;
            if !self.crosses(switch, &point, &direction) {
                return Limit::Equal;
            }
        }
        let limit = self.one_sided.limit(self.parts, &point, &direction, switch.is_pole);
        let is_crossed =
            matches!(self.allowed, Allowed::Uncrossed(_)) && self.sides_of_motion(switch, &point, &direction).is_some();
        if limit == Limit::Equal && is_crossed && has_own_value(self.graph, switch) {
            return self.one_sided.on_boundary(self.parts, &point, switch);
        }
        match limit {
            Limit::Different(angle)
                if matches!(self.allowed, Allowed::HalfTurns) && self.one_sided.is_half_turns(&angle) =>
            {
                Limit::Equal
            }
            limit => limit,
        }
    }

    /// Whether ranges and proofs leave room for a point of the boundary that satisfies the goals.
    fn may_be_reached(&self, switch: &Switch, goals: &[Goal]) -> bool {
        let mut bounds: Bounds = self.domain.parameters.bounds().clone();
        for goal in goals {
            if let Some(form) = goal_form(self.graph, *goal) {
                bounds.assume(form, true);
            }
        }
        if let Some(form) = switch.form(self.graph) {
            if let [operand] = switch.operands().collect::<Vec<_>>()[..] {
                bounds.limit(operand, Range::point(0.0));
            }
            bounds.assume(form.opposite(), false);
            bounds.assume(form, false);
        }
        bounds.narrow(self.graph)
            && !bounds.contradict(self.graph)
            && !excludes(self.graph, switch, goals, self.domain.signs())
    }

    /// Whether a motion changes the side of the switch at a point of its boundary.
    fn crosses(&mut self, switch: &Switch, point: &PrecisePoint, direction: &[(Symbol, Real)]) -> bool {
        self.sides_of_motion(switch, point, direction).is_none_or(|(before, after)| before != after)
    }

    /// Whether the switching function is positive before and after a point of its boundary. `None` for a motion along the boundary.
    fn sides_of_motion(
        &mut self,
        switch: &Switch,
        point: &PrecisePoint,
        direction: &[(Symbol, Real)],
    ) -> Option<(bool, bool)> {
        const DISTANCE: isize = -128;
        let mut side = |forward| {
            let there = self.one_sided.shifted(point, direction, DISTANCE, forward)?;
            let value = self.one_sided.switching(switch, &there)?;
            (!is_zero(&value)).then_some(value.sign() == Sign::Positive)
        };
        side(false).zip(side(true))
    }
}

/// Whether a switch has a value on its boundary that it has on neither side.
fn has_own_value(graph: &Graph, switch: &Switch) -> bool {
    matches!(graph.node(switch.node), Node::Call(Function::Sign, _) | Node::Compare(Relation::Equal, ..))
}

/// The values of a point in decimal.
fn text(point: &PrecisePoint) -> Vec<(Symbol, String)> {
    const DIGITS: usize = 6;
    let mut values: Vec<(Symbol, String)> =
        point.iter().map(|(symbol, value)| (*symbol, decimal(value, DIGITS))).collect();
    values.sort_unstable();
    values
}
