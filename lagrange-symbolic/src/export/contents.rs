//! Which evaluations are exported, what they take and what they give, and what is left out and why.

use super::names::Names;
use crate::derivation::Derivation;
use crate::graph::Symbol;
use crate::graph::function::Function;
use crate::mechanics::Law;
use crate::program::{Builder, Evaluations, Operation, Part, Routine};

/// What the functions leave to their reader where the block has modes.
const UNCHANGED: &str = "The search for changes of modes: a mode keeps the value that v has for it. `change_values` gives the conditions of all \
     changes, each of which is positive where it holds, and behind them the values that each change assigns. `change` assigns \
     them.";

/// What an evaluation takes besides what `prepare` has computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Argument {
    /// The time.
    Time,
    /// q.
    Coordinates,
    /// v.
    Velocities,
    /// The inputs; absent where the mechanism has none.
    Inputs,
    /// λ, in the order of the constraints.
    Multipliers,
}

impl Argument {
    /// Its name in exported texts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Time => "t",
            Self::Coordinates => "q",
            Self::Velocities => "v",
            Self::Inputs => "u",
            Self::Multipliers => "multipliers",
        }
    }
}

/// The shape of a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// A number.
    Scalar,
    /// So many numbers.
    Vector(usize),
    /// So many rows of so many columns.
    Matrix(usize, usize),
}

/// A result of an evaluation.
#[derive(Clone, Debug)]
pub struct Quantity {
    /// Its name, which is that of the field of the runtime's struct.
    pub name: &'static str,
    /// Its shape.
    pub shape: Shape,
    /// Its place among the outputs of the routine; `None` where it is all of them.
    pub(super) part: Option<Part>,
}

/// How an evaluation is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// By its routine.
    Plain,
    /// By its routine, whose pivots must be safe; else by the matrix form, where there is one.
    Solved,
    /// By its routine, which takes a and λ.
    AfterSolution,
}

/// An exported evaluation.
#[derive(Clone, Debug)]
pub struct Exported {
    /// The name of the evaluation: the name of the same method of the runtime's `System`, or another one where contacts, friction or modes give the
    /// evaluation another meaning.
    pub name: &'static str,
    /// What it is, in a sentence.
    pub about: String,
    /// What it takes, in order.
    pub arguments: Vec<Argument>,
    /// What it gives, in order.
    pub results: Vec<Quantity>,
    /// Whether it can fail because the equations are singular.
    pub is_fallible: bool,
    pub(super) kind: Kind,
}

/// What the functions of a mechanism leave out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lack {
    /// The search for changes of modes.
    Changes,
    /// The search for the phases of rows of contacts and dry friction, whose equations are exported.
    Phases,
    /// The terms of dh/dt.
    Powers,
    /// What no reader can replace.
    Other,
}

/// Something that is left out, and a sentence about it.
pub(super) struct Missing {
    pub(super) lack: Lack,
    pub(super) text: String,
}

/// Everything that is exported of a mechanism.
pub(super) struct Contents<'a> {
    /// The evaluations with their routines. An acceleration that a loop solves for has none.
    pub(super) evaluations: Vec<(Exported, Option<&'a Routine>)>,
    /// The functions and the forces that the exported texts do not have, and why.
    pub(super) missing: Vec<Missing>,
    /// The name of the acceleration, and whether the matrix form can solve for it where a pivot is not safe.
    pub(super) acceleration: Option<&'static str>,
    pub(super) has_matrix_form: bool,
    /// The numbers of coordinates, rows of constraints and inputs.
    pub(super) n: usize,
    pub(super) c: usize,
    pub(super) u: usize,
}

/// What contacts and dry friction make of the acceleration.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Contact {
    /// There is none.
    None,
    /// Frictions with bounds of their own, which the derived equations contain as b·sign(s).
    Sliding,
    /// Contacts, which the derived equations contain as open.
    Open,
    /// Frictions that no derived equation contains.
    Unknown,
    /// Constraints that modes switch, which no derived equation contains.
    Switched,
}

impl Contact {
    fn of(derivation: &Derivation) -> Self {
        let contacts = &derivation.equations.contacts;
        let holds = |wanted: fn(&Law) -> bool| contacts.laws.iter().any(wanted);
        if contacts.is_empty() {
            Self::None
        } else if holds(|law| matches!(law, Law::Latch { .. })) {
            Self::Switched
        } else if holds(|law| matches!(law, Law::Loaded(_) | Law::Vector { .. } | Law::VectorSlip { .. })) {
            Self::Unknown
        } else if holds(|law| matches!(law, Law::Contact(_) | Law::Slip(_))) {
            Self::Open
        } else {
            Self::Sliding
        }
    }
}

/// The functions of the user's own that an evaluation calls, by their names in the block.
pub(super) fn own_functions(derivation: &Derivation, evaluations: &Evaluations) -> Vec<String> {
    let programs = evaluations.implicits.iter().map(|program| &program.builder);
    let mut names = Vec::new();
    for operation in programs.chain([&evaluations.builder]).flat_map(Builder::operations) {
        if let Operation::Call(Function::Extern { index, .. }, _) = operation {
            let name = derivation.model.externs[*index as usize].name.clone();
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}

impl<'a> Contents<'a> {
    pub(super) fn new(derivation: &Derivation, evaluations: &'a Evaluations, names: &Names) -> Self {
        let (n, u) = (names.coordinates.len(), names.inputs.len());
        let c = derivation.model.physics.rows().count();
        let has_matrix_form = evaluations.equations.is_some();
        let mut contents =
            Self { evaluations: Vec::new(), missing: Vec::new(), acceleration: None, has_matrix_form, n, c, u };
        contents.solved(derivation, evaluations);
        contents.forms(evaluations);
        contents.observed(derivation, evaluations);
        contents
    }

    fn lacks(&mut self, lack: Lack, text: impl Into<String>) {
        self.missing.push(Missing { lack, text: text.into() });
    }

    fn add(&mut self, exported: Exported, routine: Option<&'a Routine>) {
        let results = exported
            .results
            .into_iter()
            .filter(|result| !matches!(result.shape, Shape::Vector(0) | Shape::Matrix(0, _) | Shape::Matrix(_, 0)));
        self.evaluations.push((Exported { results: results.collect(), ..exported }, routine));
    }

    /// (t, q, v, u).
    fn state(&self) -> Vec<Argument> {
        let mut arguments = vec![Argument::Time, Argument::Coordinates, Argument::Velocities];
        if self.u > 0 {
            arguments.push(Argument::Inputs);
        }
        arguments
    }

    fn plain(&mut self, name: &'static str, about: &str, results: Vec<Quantity>, routine: Option<&'a Routine>) {
        let (arguments, about) = (self.state(), about.to_owned());
        if routine.is_some() {
            let exported = Exported { name, about, arguments, results, is_fallible: false, kind: Kind::Plain };
            self.add(exported, routine);
        }
    }

    /// The name of the function for accelerations and what it computes, as far as contacts allow it; `None` if no function can. It notes what such a
    /// function leaves out.
    fn accelerated(&mut self, derivation: &Derivation, has_modes: bool) -> Option<(&'static str, &'static str)> {
        let phases = super::rows::described(derivation).map_or(Lack::Other, |_| Lack::Phases);
        Some(match Contact::of(derivation) {
            Contact::None if has_modes => (
                "acceleration_in_mode",
                "The acceleration while no mode changes, and the multipliers of the constraints.",
            ),
            Contact::None => ("acceleration", "The acceleration, and the multipliers of the constraints."),
            Contact::Sliding => {
                self.lacks(
                    phases,
                    "Sticking: each `friction` acts as if it slides, with the force −bound·sign(slip). At rest this force is 0. A \
                     block that would stick chatters about rest instead.",
                );
                (
                    "sliding_acceleration",
                    "The acceleration where every friction slides, and the multipliers of the constraints.",
                )
            }
            Contact::Open => {
                let search = match phases {
                    Lack::Phases => ", and `contact_rows` has what a search for the forces needs",
                    _ => "",
                };
                self.lacks(
                    phases,
                    format!(
                        "Forces of contacts and impacts: `open_acceleration` is right only while every `contact` is open. The function \
                         `gaps` tells when one closes{search}."
                    ),
                );
                (
                    "open_acceleration",
                    "The acceleration where every contact is open, and the multipliers of the constraints.",
                )
            }
            Contact::Switched => {
                self.lacks(
                    Lack::Other,
                    format!(
                        "The acceleration: modes switch the constraint `{}`, whose force is found by a search that is not exported.",
                        derivation.model.physics.contacts.iter().find(|row| row.latch.is_some()).map_or("", |row| &row.name)
                    ),
                );
                return None;
            }
            Contact::Unknown => {
                self.lacks(
                    Lack::Other,
                    "The acceleration: a `friction` has a slip that is a vector, or a bound that contains multipliers, and its force \
                     is found by an iteration that is not exported.",
                );
                return None;
            }
        })
    }

    /// The acceleration and its derivatives.
    fn solved(&mut self, derivation: &Derivation, evaluations: &'a Evaluations) {
        let (n, c, u) = (self.n, self.c, self.u);
        let has_modes = !derivation.model.physics.changes.is_empty();
        if has_modes {
            let lack = if evaluations.changes.is_some() { Lack::Changes } else { Lack::Other };
            self.lacks(lack, UNCHANGED);
        }
        if evaluations.breakaways.is_some() {
            self.lacks(Lack::Other, "The friction of surfaces at rest, by `breakaway`: no function contains it.");
        }
        let rows = derivation.equations.contacts.switches.len();
        if rows > super::rows::MOST_ROWS {
            self.lacks(
                Lack::Other,
                format!(
                    "The search for the phases of {rows} rows of contacts and frictions: it is exported for at most {} rows.",
                    super::rows::MOST_ROWS
                ),
            );
        }
        if derivation.equations.contacts.adheres {
            self.lacks(Lack::Other, "The tension of contacts, by `adhesion`: no function contains it.");
        }
        let Some((name, about)) = self.accelerated(derivation, has_modes) else { return };
        if evaluations.acceleration.is_none() && !self.has_matrix_form {
            self.lacks(
                Lack::Other,
                "The acceleration: the mechanism is so large that its mass matrix is not written out, and neither is the solution.",
            );
            return;
        }
        self.acceleration = Some(name);
        let vectors = vec![vector("acceleration", n, Part::Acceleration), vector("multipliers", c, Part::Multipliers)];
        let solved = |about: &str, name, results, arguments| Exported {
            name,
            about: about.to_owned(),
            arguments,
            results,
            is_fallible: true,
            kind: Kind::Solved,
        };
        let arguments = self.state();
        self.add(solved(about, name, vectors, arguments), evaluations.acceleration.as_ref());
        if let Some(routine) = &evaluations.acceleration_jacobian {
            let rows = n + c;
            let results = vec![
                vector("acceleration", n, Part::Acceleration),
                vector("multipliers", c, Part::Multipliers),
                matrix("by_q", rows, n, Part::ByQ),
                matrix("by_v", rows, n, Part::ByV),
                vector("by_t", rows, Part::ByT),
                matrix("by_u", rows, u, Part::ByU),
            ];
            let about = "The acceleration and the multipliers, and their derivatives by q, v, t and u: in the first rows of the \
                         acceleration, in the rows below of the multipliers.";
            let arguments = self.state();
            self.add(solved(about, "acceleration_jacobian", results, arguments), Some(routine));
        }
    }

    /// The forms of the equations.
    fn forms(&mut self, evaluations: &'a Evaluations) {
        let (n, u) = (self.n, self.u);
        self.plain(
            "equations",
            "The mass matrix M and the forcing F of M a = F + Gᵀλ.",
            vec![matrix("mass_matrix", n, n, Part::Mass), vector("forcing", n, Part::Forcing)],
            evaluations.equations.as_ref(),
        );
        let balance = vec![vector("momentum", n, Part::Momentum), vector("balance", n, Part::Balance)];
        self.plain(
            "balance",
            "The momentum p and the balance f of dp/dt = f + Gᵀλ.",
            balance.clone(),
            Some(&evaluations.balance),
        );
        let mut jacobian = balance;
        jacobian.extend([
            matrix("momentum_q", n, n, Part::MomentumByQ),
            matrix("mass_matrix", n, n, Part::Mass),
            matrix("balance_q", n, n, Part::BalanceByQ),
            matrix("balance_v", n, n, Part::BalanceByV),
        ]);
        let about = "The momentum and the balance, and their derivatives by q and v.";
        self.plain("balance_jacobian", about, jacobian, evaluations.balance_jacobian.as_ref());
        let rates = vec![
            vector("momentum_t", n, Part::MomentumByT),
            vector("balance_t", n, Part::BalanceByT),
            matrix("balance_u", n, u, Part::BalanceByU),
        ];
        let about = "The derivatives of the momentum and the balance by t and u.";
        self.plain("balance_rates", about, rates, evaluations.balance_rates.as_ref());
    }

    /// Energies, powers, outputs, constraints, switches and gaps.
    fn observed(&mut self, derivation: &Derivation, evaluations: &'a Evaluations) {
        let (n, c) = (self.n, self.c);
        let equations = &derivation.equations;
        let mut energies = vec![scalar("energy", Part::Energy)];
        energies.extend(equations.kinetic.map(|_| scalar("kinetic", Part::Kinetic)));
        energies.extend(equations.potential.map(|_| scalar("potential", Part::Potential)));
        let about = "The energy h = v·p − L, and T and V where the block states them.";
        self.plain("energies", about, energies, Some(&evaluations.energies));
        let powers: Vec<&str> = equations.powers.iter().map(|power| &power.name[..]).collect();
        self.listed("powers", "The terms of dh/dt", &powers, Some(&evaluations.powers), derivation);
        let outputs: Vec<&str> = derivation.model.physics.outputs.iter().map(|output| &output.name[..]).collect();
        self.listed("outputs", "The outputs", &outputs, evaluations.outputs.as_ref(), derivation);
        self.sliding_outputs(derivation, evaluations, &outputs);
        let rows: Vec<&str> = derivation.model.physics.rows().map(|row| &row.name[..]).collect();
        if let (Some(constraint), Some(hidden)) = (&evaluations.constraint, &evaluations.constraint_hidden) {
            let results = vec![
                vector("value", c, Part::Constraint),
                vector("scale", c, Part::Scale),
                matrix("jacobian", c, n, Part::Gradient),
                vector("drift", c, Part::Drift),
            ];
            let about = format!(
                "The constraints g = 0, the sizes of their terms, their Jacobian G, and ∂g/∂t, or b of nonholonomic ones. Rows: {}.",
                rows.join(", ")
            );
            let arguments = vec![Argument::Time, Argument::Coordinates];
            let exported =
                Exported { name: "constraint", about, arguments, results, is_fallible: false, kind: Kind::Plain };
            self.add(exported, Some(constraint));
            let mut results = vec![vector("rate", c, Part::Rate), vector("curvature", c, Part::Curvature)];
            let mut about = "The rates G v + b of the constraints, γ of G a + γ = 0, and the reaction Gᵀλ.";
            if evaluations.has_hidden_slopes() {
                about =
                    "The rates G v + b of the constraints, γ of G a + γ = 0, the reaction Gᵀλ, and derivatives by q.";
                results.push(matrix("rate_q", c, n, Part::RateByQ));
            }
            results.push(vector("reaction", n, Part::Reaction));
            if evaluations.has_hidden_slopes() {
                results.push(matrix("reaction_q", n, n, Part::ReactionByQ));
            }
            let arguments = vec![Argument::Time, Argument::Coordinates, Argument::Velocities, Argument::Multipliers];
            let exported = Exported {
                name: "constraint_hidden",
                about: about.to_owned(),
                arguments,
                results,
                is_fallible: false,
                kind: Kind::Plain,
            };
            self.add(exported, Some(hidden));
        }
        if let Some(routine) = &evaluations.switches {
            let about = "The switching functions: where one changes its sign, the equations change their formula.";
            self.plain("switches", about, vec![all("switches", routine)], Some(routine));
        }
        let conditions = derivation.model.physics.changes.iter().map(|change| &change.mode[..]).collect::<Vec<_>>();
        let about =
            "The conditions of the changes of modes, and behind them the values that each assigns; the modes are";
        self.listed("change_values", about, &conditions, evaluations.changes.as_ref(), derivation);
        if let (Some(routine), Some((rows, words))) = (&evaluations.contacts, super::rows::described(derivation)) {
            let results = vec![
                matrix("mass_matrix", n, n, Part::Mass),
                vector("forcing", n, Part::Forcing),
                vector("rate", rows, Part::Rate),
                matrix("directions", n, rows, Part::Gradient),
                vector("curvature", rows, Part::Curvature),
                vector("bound", rows, Part::Bound),
            ];
            let about = format!(
                "M and F without the forces of contacts and frictions, and the rows in which these act: the rate s of each gap or slip, its \
                 direction W, a column, with ds/dt = W·a + curvature, and the bound of a friction, or the coefficient of friction of a slip. A \
                 force f in a row acts as W f. Rows: {words}."
            );
            self.plain("contact_rows", &about, results, Some(routine));
        }
        if let Some(routine) = &evaluations.gaps {
            let gaps = routine.layout.range(Part::Constraint).len();
            let results = vec![
                vector("value", gaps, Part::Constraint),
                vector("scale", gaps, Part::Scale),
                vector("restitution", gaps, Part::Bound),
            ];
            let about =
                "The gaps of the contacts, the sizes of their terms, and the coefficients of restitution.".to_owned();
            let arguments = vec![Argument::Time, Argument::Coordinates];
            let exported = Exported { name: "gaps", about, arguments, results, is_fallible: false, kind: Kind::Plain };
            self.add(exported, Some(routine));
        }
        if let Some(routine) = &evaluations.restitutions {
            let results = vec![vector("restitution", routine.layout.range(Part::Bound).len(), Part::Bound)];
            let about = "The coefficients of restitution at an impact before which the velocities are v, in place of those of `gaps`.";
            self.plain("restitutions", about, results, Some(routine));
        }
    }

    /// A list of values, which may need a and λ. A list that needs the forces of contacts is left out.
    /// Names the outputs that are computed as if every friction slides.
    fn sliding_outputs(&mut self, derivation: &Derivation, evaluations: &Evaluations, names: &[&str]) {
        let is_exported = self.evaluations.iter().any(|(exported, _)| exported.name == "outputs");
        let Some(routine) = evaluations.outputs.as_ref().filter(|_| is_exported) else { return };
        if !matches!(Contact::of(derivation), Contact::Sliding) {
            return;
        }
        let solved = |value| is_solved(&Routine::new(&evaluations.builder, &[value]));
        let outputs = names.iter().zip(&routine.outputs).filter(|(_, value)| solved(**value));
        let outputs: Vec<&str> = outputs.map(|(name, _)| *name).collect();
        if !outputs.is_empty() {
            let which = if outputs.len() == 1 { "output" } else { "outputs" };
            let names = outputs.join(", ");
            self.lacks(
                Lack::Other,
                format!(
                    "The {which} {names} while a `friction` sticks: `outputs` takes the acceleration, or the multipliers, with which every \
                     `friction` slides."
                ),
            );
        }
    }

    fn listed(
        &mut self,
        name: &'static str,
        about: &str,
        names: &[&str],
        routine: Option<&'a Routine>,
        derivation: &Derivation,
    ) {
        let Some(routine) = routine else { return };
        let is_solved = is_solved(routine);
        let contact = Contact::of(derivation);
        let is_of_contacts = matches!(contact, Contact::Open | Contact::Unknown) && (is_solved || name == "powers");
        let is_force = |operation: &Operation| matches!(operation, Operation::Symbol(Symbol::Force(_)));
        let takes_forces = routine.steps.iter().any(|step| is_force(&step.operation));
        if is_of_contacts || takes_forces || (is_solved && self.acceleration.is_none()) {
            let lack = if name == "powers" { Lack::Powers } else { Lack::Other };
            self.lacks(lack, format!("The {name}: they contain accelerations or forces that are not exported."));
            return;
        }
        let exported = Exported {
            name,
            about: format!("{about}: {}.", names.join(", ")),
            arguments: self.state(),
            results: vec![all(name, routine)],
            is_fallible: false,
            kind: if is_solved { Kind::AfterSolution } else { Kind::Plain },
        };
        self.add(exported, Some(routine));
    }
}

/// Whether a routine needs accelerations or multipliers.
fn is_solved(routine: &Routine) -> bool {
    let is_of_solution =
        |operation: &Operation| matches!(operation, Operation::Argument(_) | Operation::Symbol(Symbol::Multiplier(_)));
    routine.steps.iter().any(|step| is_of_solution(&step.operation))
}

fn scalar(name: &'static str, part: Part) -> Quantity {
    Quantity { name, shape: Shape::Scalar, part: Some(part) }
}

fn vector(name: &'static str, size: usize, part: Part) -> Quantity {
    Quantity { name, shape: Shape::Vector(size), part: Some(part) }
}

fn matrix(name: &'static str, rows: usize, columns: usize, part: Part) -> Quantity {
    Quantity { name, shape: Shape::Matrix(rows, columns), part: Some(part) }
}

fn all(name: &'static str, routine: &Routine) -> Quantity {
    Quantity { name, shape: Shape::Vector(routine.outputs.len()), part: None }
}
