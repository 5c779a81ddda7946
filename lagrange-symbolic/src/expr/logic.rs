//! Conditions and selection.

use super::{Graph, Id, Node, Relation};

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

    /// `yes` where the condition holds, else `no`.
    pub fn select(&mut self, condition: Id, yes: Id, no: Id) -> Id {
        match *self.node(condition) {
            Node::Truth(true) => yes,
            Node::Truth(false) => no,
            _ if yes == no => yes,
            Node::Not(inner) => self.select(inner, no, yes),
            _ => self.intern(Node::Select(condition, yes, no)),
        }
    }
}
