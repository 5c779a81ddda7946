//! Conditions and selection.

use super::{Graph, Id, Node, Relation};
use std::cmp::Reverse;
use std::collections::BTreeMap;

impl Graph {
    /// A constant condition.
    pub fn truth(&mut self, value: bool) -> Id {
        self.intern(Node::Truth(value))
    }

    /// The comparison `a relation b`, decided where both are numbers.
    pub fn compare(&mut self, relation: Relation, a: Id, b: Id) -> Id {
        if let (Some(x), Some(y)) = (self.as_number(a), self.as_number(b)) {
            let value = match relation {
                Relation::Less => x < y,
                Relation::LessEqual => x <= y,
                Relation::Equal => x == y,
            };
            return self.truth(value);
        }
        if a == b {
            return self.truth(relation != Relation::Less);
        }
        self.intern(Node::Compare(relation, a, b))
    }

    /// Both conditions.
    pub fn and(&mut self, a: Id, b: Id) -> Id {
        match (self.node(a), self.node(b)) {
            (Node::Truth(true), _) => b,
            (_, Node::Truth(true)) => a,
            (Node::Truth(false), _) | (_, Node::Truth(false)) => self.truth(false),
            _ if a == b => a,
            _ => self.intern(Node::And(a.min(b), a.max(b))),
        }
    }

    /// Either condition.
    pub fn or(&mut self, a: Id, b: Id) -> Id {
        match (self.node(a), self.node(b)) {
            (Node::Truth(false), _) => b,
            (_, Node::Truth(false)) => a,
            (Node::Truth(true), _) | (_, Node::Truth(true)) => self.truth(true),
            _ if a == b => a,
            _ => self.intern(Node::Or(a.min(b), a.max(b))),
        }
    }

    /// The negation.
    pub fn not(&mut self, a: Id) -> Id {
        match *self.node(a) {
            Node::Truth(value) => self.truth(!value),
            Node::Not(inner) => inner,
            _ => self.intern(Node::Not(a)),
        }
    }

    /// `yes` where the condition is true, else `no`.
    ///
    /// A selection that is 0 outside its branch and stands in a branch of another one that is 0 elsewhere becomes one
    /// selection under both conditions. So the derivative of a nest of n selections by what one branch alone contains is
    /// one selection, and not n.
    pub fn select(&mut self, condition: Id, yes: Id, no: Id) -> Id {
        match *self.node(condition) {
            Node::Truth(true) => return yes,
            Node::Truth(false) => return no,
            _ if yes == no => return yes,
            Node::Not(inner) if !self.is_zero(no) => return self.select(inner, no, yes),
            _ => {}
        }
        let yes = self.taken(condition, yes, true);
        let no = self.taken(condition, no, false);
        if self.is_zero(no)
            && let Some((inner, value)) = self.masked(yes)
        {
            let both = self.conjunction(condition, inner);
            return self.select(both, value, no);
        }
        if self.is_zero(yes)
            && let Some((inner, value)) = self.masked(no)
        {
            let outside = self.not(condition);
            let both = self.conjunction(outside, inner);
            return self.select(both, value, yes);
        }
        if yes == no { yes } else { self.intern(Node::Select(condition, yes, no)) }
    }

    /// Simplifies `branch` for the case that the condition is known to be true or false.
    fn taken(&self, condition: Id, branch: Id, holds: bool) -> Id {
        match *self.node(branch) {
            Node::Select(same, yes, no) if same == condition => {
                if holds {
                    yes
                } else {
                    no
                }
            }
            _ => branch,
        }
    }

    /// (condition, value) of a node that is the value where the condition holds, and 0 elsewhere.
    fn masked(&mut self, id: Id) -> Option<(Id, Id)> {
        match *self.node(id) {
            Node::Select(condition, value, rest) if self.is_zero(rest) => Some((condition, value)),
            Node::Select(condition, rest, value) if self.is_zero(rest) => Some((self.not(condition), value)),
            _ => None,
        }
    }

    /// The conjunction of two conditions, in an order that the branches of one nest share: conditions on later nodes
    /// come first.
    fn conjunction(&mut self, a: Id, b: Id) -> Id {
        let mut parts = BTreeMap::new();
        let mut pending = vec![a, b];
        while let Some(id) = pending.pop() {
            match *self.node(id) {
                Node::And(first, second) => pending.extend([first, second]),
                _ => {
                    parts.insert((Reverse(self.latest(id)), id), id);
                }
            }
        }
        parts.into_values().fold(self.truth(true), |all, part| self.and(all, part))
    }

    /// The latest node that a condition compares.
    fn latest(&self, condition: Id) -> Id {
        match *self.node(condition) {
            Node::Not(inner) => self.latest(inner),
            Node::Compare(_, a, b) => a.max(b),
            _ => condition,
        }
    }
}
