//! The quantities that a part leaves open: their units in the whole, and the check of the part without it.

use super::exchange::relative_path;
use crate::graph::Rational;
use crate::meaning::elaborate;
use crate::report::{Mistake, Report};
use crate::syntax::{Energy, Expr, ExprKind, Spec, StatedUnit, Statement, StatementKind, plain};
use crate::units;
use proc_macro2::Ident;

/// Gives a definition of the whole the unit that the part states.
pub(super) fn give_unit(statements: &mut [Statement], of: &str, stated: &StatedUnit, report: &mut Report) {
    for statement in statements {
        let StatementKind::Let { name, unit, .. } = &mut statement.kind else { continue };
        if plain(name) != of {
            continue;
        }
        if unit.is_some() {
            report.add(Mistake::GivenUnit { quantity: of.replace("[]", "[i]") }, &*name);
        }
        *unit = Some(stated.clone());
    }
}

/// Checks what a mechanism that may be a part must have beside what every mechanism has; and one with open quantities in whole, with these
/// quantities as coordinates, because it is derived within others only.
///
/// # Errors
/// Every mistake in it.
pub fn check_alone(mut spec: Spec) -> Result<(), Report> {
    let mut report = Report::new();
    let has_given = spec.statements.iter().any(|it| matches!(it.kind, StatementKind::Given(_)));
    for statement in &mut spec.statements {
        match &mut statement.kind {
            StatementKind::Given(given) => statement.kind = StatementKind::Coordinates(std::mem::take(given)),
            StatementKind::Extern(function) => {
                let paths = std::iter::once(&function.path).chain(function.derivatives.iter().map(|(_, path)| path));
                for (path, first) in paths.filter_map(relative_path) {
                    report.add(Mistake::PartExtern { path }, &first);
                }
            }
            StatementKind::Verify { .. } if has_given => {
                report.add(Mistake::ClaimOfOpenPart { keyword: "verify".to_owned() }, statement.place);
            }
            StatementKind::Invariant { .. } if has_given => {
                report.add(Mistake::ClaimOfOpenPart { keyword: "invariant".to_owned() }, statement.place);
            }
            StatementKind::Symmetry { .. } if has_given => {
                report.add(Mistake::ClaimOfOpenPart { keyword: "symmetry".to_owned() }, statement.place);
            }
            _ => {}
        }
    }
    report.propagate(())?;
    if !has_given {
        return Ok(());
    }
    let states = |of: Energy| {
        spec.statements.iter().any(|it| matches!(&it.kind, StatementKind::Energy { energy, .. } if *energy == of))
    };
    if !states(Energy::Lagrangian) && !states(Energy::Kinetic) {
        let place = (&spec.item.item.ident).into();
        let value = Expr::new(ExprKind::Number(Rational::ZERO), place);
        let keyword = Ident::new(Energy::Kinetic.keyword(), place.first);
        let kind = StatementKind::Energy { energy: Energy::Kinetic, keyword, value };
        spec.statements.push(Statement { kind, documentation: String::new(), place });
    }
    let model = elaborate(&spec)?;
    units::check(&spec, &model).map(|_| ())
}
