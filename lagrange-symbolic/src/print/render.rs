//! The text of nodes in any notation, by one walk with operands first.

use super::arrange::{Factor, Term, terms};
use super::share::named;
use super::style::{Level, Piece, PowerPiece, Style, halves};
use crate::graph::{Graph, Id, Node, for_each_operand};
use std::collections::{HashMap, HashSet};

/// Printed expressions and the shared parts that they name.
pub(super) struct Printed {
    /// One text for each root.
    pub(super) roots: Vec<String>,
    /// The names of shared parts with their definitions, each before its first use.
    pub(super) shared: Vec<(String, String)>,
}

impl Printed {
    pub(super) fn new(graph: &Graph, roots: &[Id], style: &dyn Style, longest: usize) -> Self {
        let named = named(graph, roots, longest);
        let mut printer = Printer { graph, style, named: &named, done: HashMap::new() };
        let mut taken: HashSet<String> = HashSet::new();
        let order = graph.reachable(roots);
        for &id in &order {
            if let Node::Symbol(symbol) = graph.node(id) {
                taken.insert(style.symbol(*symbol).text);
            }
        }
        let mut shared = Vec::new();
        let mut number = 0;
        for &id in &printer.needed(roots, &order) {
            let piece = printer.piece(id);
            if !named.contains(&id) {
                printer.done.insert(id, piece);
                continue;
            }
            let name = loop {
                number += 1;
                let name = style.shared(number);
                if !taken.contains(&name) {
                    break name;
                }
            };
            shared.push((name.clone(), piece.text));
            printer.done.insert(id, Piece::new(name, Level::Atom));
        }
        let roots = roots.iter().map(|root| printer.done[root].text.clone()).collect();
        Self { roots, shared }
    }
}

struct Printer<'a> {
    graph: &'a Graph,
    style: &'a dyn Style,
    named: &'a HashSet<Id>,
    /// The text of finished operands. It is a name for a shared part that has one.
    done: HashMap<Id, Piece>,
}

impl Printer<'_> {
    fn opened(&self, id: Id) -> bool {
        !self.named.contains(&id)
    }

    /// The nodes whose text is needed, in order. Sums and products that are written as part of another node are left
    /// out.
    fn needed(&self, roots: &[Id], order: &[Id]) -> Vec<Id> {
        let mut wanted: HashSet<Id> = roots.iter().copied().collect();
        for &id in order.iter().rev() {
            if !wanted.contains(&id) {
                continue;
            }
            match self.graph.node(id) {
                Node::Sum { .. } | Node::Product(_) => self.want_factors(id, false, &mut wanted),
                node => for_each_operand(node, |operand| {
                    wanted.insert(operand);
                }),
            }
        }
        order.iter().copied().filter(|id| wanted.contains(id)).collect()
    }

    fn want_factors(&self, id: Id, negate: bool, wanted: &mut HashSet<Id>) {
        for term in terms(self.graph, id, negate, &|operand| self.opened(operand)) {
            for factor in term.numerator.iter().chain(&term.denominator) {
                if factor.negated {
                    self.want_factors(factor.base, true, wanted);
                } else {
                    wanted.insert(factor.base);
                }
            }
        }
    }

    /// The text of the node itself; its operands are finished.
    fn piece(&self, id: Id) -> Piece {
        let done = |id: &Id| self.done.get(id).cloned().unwrap_or_else(|| Piece::new("?", Level::Atom));
        match self.graph.node(id) {
            Node::Number(_) | Node::Sum { .. } | Node::Product(_) => self.sum(id, false),
            Node::Pi => self.style.pi(),
            Node::Symbol(symbol) => self.style.symbol(*symbol),
            Node::Power(base, exponent) => self.style.general_power(&done(base), &done(exponent)),
            Node::Call(function, arguments) => {
                let arguments: Vec<Piece> = arguments.iter().map(done).collect();
                self.style.call(*function, &arguments)
            }
            Node::Select(condition, yes, no) => self.style.select(&done(condition), &done(yes), &done(no)),
            Node::Truth(value) => self.style.truth(*value),
            Node::Compare(relation, a, b) => self.style.compare(*relation, &done(a), &done(b)),
            Node::And(a, b) => self.style.and(&done(a), &done(b)),
            Node::Or(a, b) => self.style.or(&done(a), &done(b)),
            Node::Not(a) => self.style.not(&done(a)),
        }
    }

    /// The text of a sum, or of a node that is written like one.
    fn sum(&self, id: Id, negate: bool) -> Piece {
        let terms = terms(self.graph, id, negate, &|operand| self.opened(operand));
        let mut text = String::new();
        let mut level = Level::Sum;
        for (position, term) in terms.iter().enumerate() {
            let piece = self.term(term);
            let written = self.style.at_least(&piece, Level::Product);
            match (position, term.negative) {
                (0, true) => text.push('-'),
                (0, false) if terms.len() == 1 => level = piece.level,
                (0, false) => {}
                (_, true) => text += " - ",
                (_, false) => text += " + ",
            }
            // A single positive term needs no parentheses of its own.
            text += if terms.len() == 1 && !term.negative { &piece.text } else { &written };
        }
        Piece::new(text, level)
    }

    fn term(&self, term: &Term) -> Piece {
        let write = |factors: &[Factor]| -> Vec<Piece> { factors.iter().map(|factor| self.factor(factor)).collect() };
        let (numerator, denominator) = (write(&term.numerator), write(&term.denominator));
        self.style.quotient(halves(&term.coefficient), &numerator, &denominator)
    }

    fn factor(&self, factor: &Factor) -> Piece {
        let base = if factor.negated {
            self.sum(factor.base, true)
        } else {
            self.done.get(&factor.base).cloned().unwrap_or_else(|| Piece::new("?", Level::Atom))
        };
        let call = match self.graph.node(factor.base) {
            Node::Call(function, arguments) if self.opened(factor.base) => {
                let arguments = arguments.iter().filter_map(|argument| self.done.get(argument).cloned()).collect();
                Some((*function, arguments))
            }
            _ => None,
        };
        self.style.power(&PowerPiece { base, exponent: factor.exponent.clone(), call })
    }
}
