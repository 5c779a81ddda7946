//! Which term is wrong where units conflict.
//!
//! A conflict is a property of all statements together. The term at fault is one that could have another unit so that the fewest
//! conflicts remain: the check is repeated with each term left open. Where several terms of one statement could be at fault, the place
//! is the stretch that contains them.

use super::checker::{Checker, Freed, Named, Visited};
use super::conflict::{Conflict, Side};
use super::quantity::Quantity;
use super::unit::Vocabulary;
use crate::meaning::Known;
use crate::report::{Mistake, Place, Report};
use crate::syntax::{Expr, ExprKind, Measured, Spec, StatedUnit, StatementKind, plain};

/// The most mistakes that are reported at once.
const MOST_MISTAKES: usize = 8;

/// The most expressions that all checks for one mistake read together. They bound the time that a message takes.
const MOST_VISITS: usize = 300_000;

/// The least number of terms that may be left open, one after the other.
const LEAST_TERMS: usize = 60;

/// The mistakes in the units of a block.
pub(super) fn mistakes(spec: &Spec, known: &Known, vocabulary: &Vocabulary) -> Report {
    let mut report = Report::new();
    let mut freed = Freed::default();
    for _ in 0..MOST_MISTAKES {
        let checker = checked(spec, known, freed.clone(), true);
        let Some(conflict) = checker.conflicts.first() else { break };
        let blamed = Blame { spec, known, vocabulary, freed: &freed }.find(&checker, conflict);
        report.add(blamed.mistake, blamed.place);
        match blamed.open {
            Some(term) => freed.terms.push(term),
            None => break,
        }
    }
    report
}

/// A check of a block with some terms left open.
fn checked<'s>(spec: &'s Spec, known: &'s Known, freed: Freed<'s>, is_recorded: bool) -> Checker<'s> {
    let mut checker = Checker::new(spec, known, freed, is_recorded);
    checker.run();
    checker
}

/// A mistake, where it is, and the term without which the next one is looked for.
struct Blamed<'s> {
    mistake: Mistake,
    place: Place,
    open: Option<&'s Expr>,
}

struct Blame<'s, 'b> {
    spec: &'s Spec,
    known: &'s Known,
    vocabulary: &'b Vocabulary,
    freed: &'b Freed<'s>,
}

impl<'s> Blame<'s, '_> {
    fn find(&self, checker: &Checker<'s>, conflict: &Conflict<'s>) -> Blamed<'s> {
        let visited = checker.visited.as_deref().unwrap_or_default();
        let (least, mut candidates) = self.candidates(visited, conflict);
        if let Some(blamed) = self.statement_of_unit(least) {
            return blamed;
        }
        if least >= checker.conflicts.len() {
            candidates.clear();
        }
        let inside = |index: &usize| visited[*index].statement == conflict.statement;
        let definition = self.definition(visited, &candidates, conflict);
        if let Some(definition) = definition {
            candidates.retain(|index| visited[*index].statement == definition);
        } else if candidates.iter().any(inside) {
            candidates.retain(inside);
        } else if let Some(first) = candidates.first().map(|index| visited[*index].statement) {
            candidates.retain(|index| visited[*index].statement == first);
        }
        match candidates.as_slice() {
            [single] => self.single(visited[*single].expr, conflict),
            several => {
                let terms: Vec<&'s Expr> = several.iter().map(|index| visited[*index].expr).collect();
                self.several(checker, &terms, conflict)
            }
        }
    }

    /// The outermost terms that resolve most conflicts when they are left open, and the number of conflicts that remain.
    fn candidates(&self, visited: &[Visited<'s>], conflict: &Conflict<'s>) -> (usize, Vec<usize>) {
        // The terms of the same statement and of definitions come first. The others matter only if none of these resolves all conflicts.
        let distance = |of: &Visited<'_>| match self.spec.statements[of.statement].kind {
            _ if of.statement == conflict.statement => 0,
            StatementKind::Let { .. } => 1,
            _ => 2,
        };
        // Nobody writes a derived quantity by mistake, and a number has no unit to be wrong.
        let is_certain = |expr: &Expr| match &expr.kind {
            ExprKind::Number(_) => expr.unit.is_none(),
            ExprKind::Index { of, .. } => matches!(&of.kind, ExprKind::Name(name) if is_derived(&plain(name))),
            _ => false,
        };
        let mut counts: Vec<(usize, usize)> = Vec::new();
        let most = (MOST_VISITS / visited.len().max(1)).max(LEAST_TERMS);
        for near in 0..=2 {
            if near == 2 && counts.iter().any(|(_, count)| *count == 0) {
                break;
            }
            let terms = visited.iter().enumerate().filter(|(_, of)| distance(of) == near && !is_certain(of.expr));
            for (index, of) in terms.take(most.saturating_sub(counts.len())) {
                let mut freed = self.freed.clone();
                freed.terms.push(of.expr);
                counts.push((index, checked(self.spec, self.known, freed, false).conflicts.len()));
            }
        }
        counts.sort_unstable();
        let least = counts.iter().map(|(_, count)| *count).min().unwrap_or(usize::MAX);
        let best: Vec<usize> = counts.iter().filter(|(_, count)| *count == least).map(|(index, _)| *index).collect();
        let is_outermost = |index: &usize| {
            let mut around = visited[*index].parent;
            while let Some(outer) = around {
                if best.contains(&outer) {
                    return false;
                }
                around = visited[outer].parent;
            }
            true
        };
        (least, best.iter().copied().filter(is_outermost).collect())
    }

    /// The statement of a definition, if what could be at fault in the statement of the conflict is its name alone, and it could be at
    /// fault itself.
    fn definition(&self, visited: &[Visited<'s>], candidates: &[usize], conflict: &Conflict<'s>) -> Option<usize> {
        let mut inside = candidates.iter().filter(|index| visited[**index].statement == conflict.statement);
        let (Some(index), None) = (inside.next(), inside.next()) else { return None };
        let ExprKind::Name(used) = &visited[*index].expr.kind else { return None };
        let defines = |statement: usize| matches!(&self.spec.statements[statement].kind, StatementKind::Let { name, .. } if plain(name) == plain(used));
        candidates.iter().map(|index| visited[*index].statement).find(|statement| defines(*statement))
    }

    /// The stated unit of a name, of the time or of energies, if it alone explains more conflicts than any term.
    fn statement_of_unit(&self, least: usize) -> Option<Blamed<'s>> {
        if least == 0 {
            return None;
        }
        let (stated, unit, checker) = self.stated().into_iter().find_map(|(stated, unit)| {
            let freed = Freed { terms: self.freed.terms.clone(), stated: Some(stated.clone()) };
            let checker = checked(self.spec, self.known, freed, false);
            (checker.conflicts.len() < least).then_some((stated, unit, checker))
        })?;
        let (name, quantity) = match stated {
            Named::Measured(Measured::Time) => ("time".to_owned(), Quantity::scalar(checker.time.clone())),
            Named::Measured(Measured::Energy) => ("energy".to_owned(), Quantity::scalar(checker.energy.clone())),
            Named::Name(name) => {
                let quantity = checker.names.get(&name).cloned()?;
                (name, quantity)
            }
        };
        let needed = self.text(&checker, &quantity)?;
        let mistake = Mistake::StatedUnitMismatch { name, stated: unit.text.clone(), needed };
        Some(Blamed { mistake, place: unit.place, open: None })
    }

    /// The stated units of the time, of energies, fields and coordinates.
    fn stated(&self) -> Vec<(Named, &'s StatedUnit)> {
        let mut all = Vec::new();
        let fields = self.spec.item.fields.iter();
        all.extend(fields.filter_map(|field| Some((Named::Name(plain(&field.ident)), field.unit.as_ref()?))));
        for statement in &self.spec.statements {
            match &statement.kind {
                StatementKind::Coordinates(declared) => all.extend(
                    declared.iter().filter_map(|one| Some((Named::Name(plain(&one.name)), one.unit.as_ref()?))),
                ),
                // One of these concerns every statement, so that it is tried first.
                StatementKind::Units(stated) => {
                    all.splice(0..0, stated.iter().map(|(of, unit)| (Named::Measured(*of), unit)));
                }
                _ => {}
            }
        }
        all
    }

    /// One term is at fault: what its unit is, and what would resolve the conflict.
    fn single(&self, term: &'s Expr, conflict: &Conflict<'s>) -> Blamed<'s> {
        let mut freed = self.freed.clone();
        freed.terms.push(term);
        let checker = checked(self.spec, self.known, freed, false);
        let units = checker.replaced.last().and_then(Option::as_ref).and_then(|[own, needed]| {
            let mut differing = own.pairs(needed).into_iter().filter_map(|(own, needed)| {
                let (own, needed) = (checker.equations.determined(own)?, checker.equations.determined(needed)?);
                (own != needed).then_some([own, needed])
            });
            differing.next()
        });
        let other = conflict.sides.iter().find(|side| !side.is(term)).and_then(Side::term);
        let is_side = conflict.sides.iter().any(|side| side.is(term));
        let other = other.filter(|_| is_side).map(|other| format!("`{other}`"));
        let why = conflict.why.text(other.as_deref());
        match units {
            Some(units) => {
                let [found, needed] = units.map(|unit| self.vocabulary.text(&unit));
                let mistake = Mistake::UnitMismatch { term: term.to_string(), found, needed, why };
                Blamed { mistake, place: term.place, open: Some(term) }
            }
            None => Blamed { open: Some(term), ..self.two_sides(&checker, term.place, conflict) },
        }
    }

    /// Several terms could be at fault: the stretch from the first to the last.
    fn several(&self, checker: &Checker<'s>, terms: &[&'s Expr], conflict: &Conflict<'s>) -> Blamed<'s> {
        let sides = conflict.sides.iter().filter_map(Side::term);
        let mut all: Vec<&'s Expr> = if terms.is_empty() { sides.collect() } else { terms.to_vec() };
        all.sort_by_key(|term| span_start(term));
        let place = match (all.first(), all.last()) {
            (Some(first), Some(last)) => first.place.to(last.place),
            _ => self.spec.statements[conflict.statement].place,
        };
        Blamed { open: terms.first().copied(), ..self.two_sides(checker, place, conflict) }
    }

    fn two_sides(&self, checker: &Checker<'s>, place: Place, conflict: &Conflict<'s>) -> Blamed<'s> {
        let text = |unit| self.text(checker, &Quantity::scalar(unit)).unwrap_or_else(|| "another unit".to_owned());
        let [found, needed] = conflict.units.clone().map(text);
        let named = |term: Option<&Expr>| term.map(ToString::to_string);
        let [left, right] = [0, 1].map(|side| named(conflict.sides[side].term()));
        let why = conflict.why.text(None);
        let mistake = match (left, right) {
            (Some(left), Some(right)) => {
                let right = if left == right { "another component of it".to_owned() } else { format!("`{right}`") };
                Mistake::UnitsDiffer { left, found, right, needed, why }
            }
            (term, _) => Mistake::UnitMismatch { term: term.unwrap_or_default(), found, needed, why },
        };
        Blamed { mistake, place, open: None }
    }

    fn text(&self, checker: &Checker<'_>, quantity: &Quantity) -> Option<String> {
        let unit = quantity.leaves().into_iter().next().and_then(|unit| checker.equations.determined(unit))?;
        Some(self.vocabulary.text(&unit))
    }
}

/// Whether an element of this name is a derived quantity, if no quantity of the block has the name.
fn is_derived(name: &str) -> bool {
    matches!(name, "mass" | "forcing" | "balance" | "momentum" | "acceleration")
}

/// Where an expression begins, for the order of terms in a statement.
fn span_start(expr: &Expr) -> usize {
    expr.place.first.byte_range().start
}
