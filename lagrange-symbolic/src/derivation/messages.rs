//! Mistakes that only the derivation shows, and warnings.

use crate::graph::{Rational, Symbol};
use crate::meaning::{DerivedNames, Model};
use crate::mechanics::{Degenerate, Equations, Integrable};
use crate::physics::Row;
use crate::print::text;
use crate::prove::{Continuity, continuity};
use crate::report::{Mistake, Report};
use crate::syntax::{Spec, StatementKind, plain};
use dashu_base::Sign;
use proc_macro2::Ident;

/// The sentence that says how to overrule a finding that is not proved.
fn otherwise(proved: bool) -> String {
    if proved {
        return String::new();
    }
    "; seen at every state that was tried, but not proved: where it does not hold, state `assume regular;`".to_owned()
}

/// The mistakes that make the equations singular at every state.
pub(super) fn degeneracies(model: &Model, reasons: &[Degenerate]) -> Report {
    let mut report = Report::new();
    for reason in reasons {
        match reason {
            Degenerate::WithoutInertia { coordinate } => {
                let (name, place) = named(model, *coordinate);
                report.add(Mistake::NoInertia { coordinate: name }, place);
            }
            Degenerate::Early { coordinate, other } => {
                let ((coordinate, place), (other, _)) = (named(model, *coordinate), named(model, *other));
                report.add(Mistake::WithoutInertiaFirst { coordinate, other }, place);
            }
            Degenerate::InContact { coordinate, contact } => {
                let (coordinate, place) = named(model, *coordinate);
                report.add(Mistake::ContactWithoutInertia { coordinate, contact: contact.clone() }, place);
            }
            Degenerate::NonlinearVelocity { coordinate, jumps } => {
                let (name, place) = named(model, *coordinate);
                let mistake = match jumps {
                    true => Mistake::JumpingVelocity { coordinate: name },
                    false => Mistake::NonlinearVelocity { coordinate: name },
                };
                report.add(mistake, place);
            }
            Degenerate::Undetermined { rates } => {
                let first = &model.coordinates[rates.first().map_or(0, |(index, _)| *index as usize)];
                let mistake = match rates.len() {
                    1 => Mistake::NoInertia { coordinate: first.name.clone() },
                    _ => Mistake::MotionUndetermined { motion: motion(model, rates) },
                };
                report.add(mistake, &first.ident);
            }
            Degenerate::Motion { rates, proved } => {
                let motion = motion(model, rates);
                let first = rates.first().map_or(0, |(index, _)| *index as usize);
                report.add(
                    Mistake::MotionWithoutInertia { motion, otherwise: otherwise(*proved) },
                    &model.coordinates[first].ident,
                );
            }
            Degenerate::Redundant { rows, proved } => {
                let all: Vec<&Row> = model.physics.rows().collect();
                let names: Vec<String> = rows.iter().map(|&row| format!("`{}`", all[row as usize].name)).collect();
                if let Some(&last) = rows.last() {
                    let mistake =
                        Mistake::RedundantConstraints { names: names.join(" and "), otherwise: otherwise(*proved) };
                    report.add(mistake, model.places.rows[last as usize]);
                }
            }
        }
    }
    report
}

/// The name of a coordinate, and where it is stated.
fn named(model: &Model, coordinate: u32) -> (String, &Ident) {
    let coordinate = &model.coordinates[coordinate as usize];
    (coordinate.name.clone(), &coordinate.ident)
}

/// A motion as text: the rates of its coordinates.
fn motion(model: &Model, rates: &[(u32, Option<f64>)]) -> String {
    let parts = rates.iter().map(|(index, rate)| {
        let name = &model.coordinates[*index as usize].name;
        rate.map_or_else(|| format!("dot({name})"), |rate| format!("dot({name}) = {rate}"))
    });
    format!("`{}`", parts.collect::<Vec<_>>().join(", "))
}

/// Fails where a friction shares the sign of its slip rate with another statement, or where the bound or the slip rate of a smooth one
/// may have the wrong sign.
pub(super) fn unsuitable_frictions(model: &Model, equations: &Equations) -> Result<(), Report> {
    let (physics, places, names) = (&model.physics, &model.places, model.naming());
    let written = |id| text(&model.graph, id, &names);
    let mut report = Report::new();
    let contacts = &equations.contacts;
    let kinds = [
        (&contacts.shared, &physics.frictions, &places.frictions),
        (&contacts.shared_loads, &physics.loaded, &places.loaded),
    ];
    for (shared, frictions, places) in kinds {
        for &(index, switch) in shared {
            let name = frictions[index].name.clone();
            // A force of 0 switches nowhere.
            let mistake = match model.graph.is_zero(frictions[index].slip.bound) {
                true => Mistake::FrictionWithoutBound { name },
                false => Mistake::FrictionShared { name, switch: written(switch) },
            };
            report.add(mistake, places[index]);
        }
    }
    report.propagate(())?;
    let mut report = Report::new();
    for ((friction, places), [bound, width]) in physics.smooth.iter().zip(&places.smooth).zip(&equations.unsigned) {
        let name = || friction.name.clone();
        if *bound {
            report.add(Mistake::SmoothBound { name: name(), bound: written(friction.bound) }, places[0]);
        }
        if *width {
            report.add(Mistake::SmoothRange { name: name(), found: written(friction.width) }, places[1]);
        }
    }
    report.propagate(())
}

/// A combination of rows as text: `left - 1/2*right`.
fn combination(names: &[String], terms: &[(u32, Rational)]) -> String {
    let mut text = String::new();
    for (row, factor) in terms {
        let name = &names[*row as usize];
        let size = if factor.sign() == Sign::Negative { -factor.clone() } else { factor.clone() };
        let sign = match (text.is_empty(), factor.sign()) {
            (true, Sign::Positive) => "",
            (true, Sign::Negative) => "-",
            (false, Sign::Positive) => " + ",
            (false, Sign::Negative) => " - ",
        };
        let times = if size.is_one() { String::new() } else { format!("{size}*") };
        text += &format!("{sign}{times}{name}");
    }
    text
}

/// Warns of nonholonomic rows that can be integrated.
pub(super) fn warn_of_constraints(model: &mut Model, equations: &Equations) {
    let rows: Vec<String> = model.physics.rows().map(|row| row.name.clone()).collect();
    let name = |row: u32| rows[row as usize].clone();
    for found in &equations.integrable {
        let (mistake, first) = match found {
            Integrable::Row(row) => (Mistake::HolonomicInDisguise { constraint: name(*row) }, *row),
            Integrable::Combination(terms) => {
                (Mistake::HolonomicCombination { combination: combination(&rows, terms) }, terms[0].0)
            }
            Integrable::Together(all) => {
                let constraints = all.iter().map(|terms| combination(&rows, terms)).collect::<Vec<_>>().join(", ");
                (Mistake::HolonomicTogether { constraints }, all[0][0].0)
            }
        };
        model.warnings.add(mistake, model.places.rows[first as usize]);
    }
}

/// Warns of the first coordinate whose momentum jumps because L has a kink in the velocities.
pub(super) fn warn_of_kinks(model: &mut Model, equations: &Equations) {
    let moving = |symbol: Symbol| matches!(symbol, Symbol::Coordinate(_) | Symbol::Velocity(_) | Symbol::Time);
    let jumping = equations.kinked.iter().copied().find(|&coordinate| {
        let momentum = equations.momentum[coordinate as usize];
        matches!(continuity(&model.graph, momentum, &model.domain, &moving), Continuity::Jumps(_))
    });
    if let Some(coordinate) = jumping {
        let coordinate = &model.coordinates[coordinate as usize];
        model.warnings.add(Mistake::MomentumJumps { coordinate: coordinate.name.clone() }, &coordinate.ident);
    }
}

/// Fails at an invariant beside contacts, whose impacts may change what the equations of motion conserve, and at claims about the motion
/// beside a friction whose bound contains multipliers, or whose slip is a vector. No derived equation contains its force.
pub(super) fn claims_without_laws(spec: &Spec, model: &Model) -> Result<(), Report> {
    let mut report = Report::new();
    let invariants = spec.statements.iter().filter_map(|statement| match &statement.kind {
        StatementKind::Invariant { name, .. } if !model.physics.contacts.is_empty() => Some(name),
        _ => None,
    });
    let latch = model.physics.contacts.first().filter(|contact| contact.latch.is_some());
    invariants.for_each(|name| {
        let mistake = match latch {
            Some(latch) => Mistake::LatchInvariant { name: plain(name), constraint: latch.name.clone() },
            None => Mistake::ContactInvariant { name: plain(name) },
        };
        report.add(mistake, name);
    });
    report.propagate(())?;
    let mut report = Report::new();
    let Some(friction) = model.physics.loaded.first() else { return Ok(()) };
    for statement in &spec.statements {
        let (kind, claim) = match &statement.kind {
            StatementKind::Invariant { name, .. } => ("invariant", plain(name)),
            StatementKind::Verify { left, right, .. } => {
                let claim = format!("{left} == {right}");
                if !DerivedNames::OF_THE_MOTION.iter().any(|name| claim.contains(name)) {
                    continue;
                }
                ("claim", claim)
            }
            _ => continue,
        };
        let mistake = Mistake::FrictionClaim { kind: kind.to_owned(), claim, friction: friction.name.clone() };
        report.add(mistake, statement.place);
    }
    report.propagate(())
}
