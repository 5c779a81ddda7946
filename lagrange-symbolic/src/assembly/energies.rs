//! The energies of the whole, which are the sums of the energies that the block and its parts state.

use crate::report::{Place, Report};
use crate::syntax::{Binary, Energy, Expr, ExprKind, Spec, Statement, StatementKind};
use proc_macro2::Ident;
use std::collections::BTreeMap;

/// The energies of the parts.
#[derive(Debug, Default)]
pub(super) struct Energies {
    terms: BTreeMap<Energy, Vec<Expr>>,
}

impl Energies {
    /// Adds the energy of a part.
    pub(super) fn push(&mut self, energy: Energy, term: Expr) {
        self.terms.entry(energy).or_default().push(term);
    }

    /// Adds the energies of the parts to those that the block states. If the block or a part states L, the whole does.
    pub(super) fn add(mut self, spec: &mut Spec, report: &mut Report) {
        let own = |spec: &Spec, of: Energy| {
            spec.statements
                .iter()
                .position(|it| matches!(&it.kind, StatementKind::Energy { energy, .. } if *energy == of))
        };
        let states_parts = own(spec, Energy::Kinetic).or(own(spec, Energy::Potential));
        if own(spec, Energy::Lagrangian).is_some() && states_parts.is_some() || !report.is_empty() {
            // The check of the whole reports that L stands beside T or V.
            return;
        }
        if own(spec, Energy::Lagrangian).is_some() || self.terms.contains_key(&Energy::Lagrangian) {
            self.as_lagrangian(spec, own);
        }
        for (energy, terms) in self.terms {
            let index = own(spec, energy);
            match index {
                Some(index) => {
                    let StatementKind::Energy { value, .. } = &mut spec.statements[index].kind else { continue };
                    *value = sum(Some(value.clone()), terms);
                }
                None => {
                    let Some(first) = terms.first() else { continue };
                    let place = first.place;
                    let keyword = Ident::new(energy.keyword(), place.first);
                    let kind = StatementKind::Energy { energy, keyword, value: sum(None, terms) };
                    spec.statements.push(Statement { kind, documentation: String::new(), place });
                }
            }
        }
    }

    /// T and V as terms of L.
    fn as_lagrangian(&mut self, spec: &mut Spec, own: impl Fn(&Spec, Energy) -> Option<usize>) {
        for of in [Energy::Kinetic, Energy::Potential] {
            let mut terms = Vec::new();
            if let Some(index) = own(spec, of)
                && let StatementKind::Energy { value, .. } = spec.statements.remove(index).kind
            {
                terms.push(value);
            }
            terms.extend(self.terms.remove(&of).into_iter().flatten());
            for term in terms {
                let place = term.place;
                let term = match of {
                    Energy::Potential => {
                        Expr::new(ExprKind::Unary(crate::syntax::Unary::Negate, Box::new(term)), place)
                    }
                    _ => term,
                };
                self.push(Energy::Lagrangian, term);
            }
        }
    }
}

/// A sum of terms, in the place of the first.
fn sum(first: Option<Expr>, terms: Vec<Expr>) -> Expr {
    let mut terms = first.into_iter().chain(terms);
    let zero = || Expr::new(ExprKind::Number(crate::graph::Rational::ZERO), Place::at(proc_macro2::Span::call_site()));
    let Some(start) = terms.next() else { return zero() };
    terms.fold(start, |sum, term| {
        let place = sum.place;
        Expr::new(ExprKind::Binary(Binary::Add, Box::new(sum), Box::new(term)), place)
    })
}
