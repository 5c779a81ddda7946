//! The variables of a unit, in the order of their value references.

use super::super::Writer;
use super::super::rows::{Kind, Row, rows};
use super::start::Start;
use crate::graph::{Symbol, SymbolSet};
use crate::meaning::Named;
use crate::program::{Operation, Routine, Value};
use std::collections::{BTreeSet, HashMap};

/// What a variable is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    Time,
    Parameter,
    Input,
    /// A coordinate, its velocity or a state of first order.
    State,
    /// The derivative of a velocity or of a state of first order.
    Rate,
    Output,
    Energy,
    Multiplier,
    /// A switching function, the end of the phase of a row, or the condition of a change of a mode.
    Switch,
    /// The phase of a row of contacts and dry friction.
    Phase,
}

/// A variable. Its value reference is its place in the list.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) role: Role,
    pub(super) name: String,
    pub(super) description: String,
    /// The text of the unit; empty where it is not known.
    pub(super) unit: String,
    /// The ends of its nominal range, if one is stated.
    pub(super) range: Option<[f64; 2]>,
    /// The value at the start, of variables that can be set.
    pub(super) start: Option<f64>,
    /// The value reference of the variable of which this is the derivative.
    pub(super) derivative_of: Option<usize>,
    /// The value references on which an output depends; `None` where all states and inputs may count.
    pub(super) depends_on: Option<Vec<usize>>,
}

impl Variable {
    /// The size of its values: of the nominal range, or of a state at the start. A nominal range is no bound, so that it gives no `min` and
    /// no `max`.
    pub(super) fn nominal(&self) -> Option<f64> {
        let of_start = self.start.filter(|start| self.role == Role::State && *start != 0.0).map(f64::abs);
        let of_range = self.range.map(|[low, high]| low.abs().max(high.abs()));
        of_range.or(of_start)
    }
}

/// All variables of a unit.
pub(super) struct Variables {
    pub(super) all: Vec<Variable>,
    /// The value references of the derivatives of the states, in the order of the states.
    pub(super) derivatives: Vec<usize>,
    /// Whether all names follow the convention `structured` of FMI.
    pub(super) is_structured: bool,
}

impl Variables {
    pub(super) fn new(writer: &Writer<'_>, start: &Start) -> Self {
        let model = &writer.derivation.model;
        let units = &writer.derivation.units;
        let mut list = List::default();
        list.add(Role::Time, "time", "The time", &units.time, None);
        for (field, &value) in model.parameters.iter().zip(&start.parameters) {
            list.add(Role::Parameter, &indexed(&field.name), &about(field), units.of(&field.name), Some(value)).range =
                field.range;
        }
        for (field, &value) in model.inputs.iter().zip(&start.inputs) {
            list.add(Role::Input, &indexed(&field.name), &about(field), units.of(&field.name), Some(value)).range =
                field.range;
        }
        let first = list.all.len();
        let (own, states) = model.coordinates.split_at(model.mechanical());
        for (named, &value) in own.iter().zip(&start.coordinates) {
            list.add(Role::State, &indexed(&named.name), &about(named), units.of(&named.name), Some(value)).range =
                named.range;
        }
        let mut rates = Vec::new();
        for (place, (named, &value)) in own.iter().chain(states).zip(&start.velocities).enumerate() {
            let (name, unit) = (indexed(&named.name), units.of(&named.name));
            let is_velocity = place < own.len();
            if is_velocity {
                let name = format!("der({name})");
                let text = format!("The velocity of {}", named.name);
                list.add(Role::State, &name, &text, &units.rate(&named.name, 1), Some(value)).derivative_of =
                    Some(first + place);
            } else {
                list.add(Role::State, &name, &about(named), unit, Some(value));
            }
            rates.push(match is_velocity {
                true => (
                    format!("der({name},2)"),
                    format!("The acceleration of {}", named.name),
                    units.rate(&named.name, 2),
                ),
                false => (format!("der({name})"), format!("The rate of {}", named.name), units.rate(&named.name, 1)),
            });
        }
        let velocities = first + own.len();
        let accelerations = list.all.len();
        let count = rates.len();
        for (place, (name, description, unit)) in rates.into_iter().enumerate() {
            list.add(Role::Rate, &name, &description, &unit, None).derivative_of = Some(velocities + place);
        }
        let routine = writer.evaluations.outputs.as_ref();
        for (place, output) in model.physics.outputs.iter().enumerate() {
            let depends_on = routine.and_then(|routine| reads(routine, routine.outputs[place]));
            let depends_on = depends_on.map(|read| {
                let reference = |symbol: &Symbol| match *symbol {
                    Symbol::Input(i) => Some(first - model.inputs.len() + i as usize),
                    Symbol::Coordinate(i) => Some(first + i as usize),
                    Symbol::Velocity(i) => Some(velocities + i as usize),
                    Symbol::Time => Some(0),
                    _ => None,
                };
                read.iter().filter_map(reference).collect::<BTreeSet<_>>().into_iter().collect()
            });
            let name = indexed(&output.name);
            list.add(Role::Output, &name, "", units.of(&output.name), None).depends_on = depends_on;
        }
        list.add_energies(writer);
        for row in model.physics.rows() {
            let text = format!("The multiplier of the constraint {}", row.name);
            list.add(Role::Multiplier, &format!("multiplier.{}", indexed(&row.name)), &text, "", None);
        }
        list.add_events(writer);
        let is_structured = list.all.iter().all(|variable| variable.name.is_ascii());
        // The derivative of a coordinate is its velocity, and that of a velocity the acceleration.
        let derivatives = (velocities..velocities + own.len()).chain(accelerations..accelerations + count).collect();
        Self { all: list.all, derivatives, is_structured }
    }

    /// The value references of the variables with a role.
    pub(super) fn of(&self, role: Role) -> impl Iterator<Item = usize> {
        self.all.iter().enumerate().filter(move |(_, variable)| variable.role == role).map(|(reference, _)| reference)
    }
}

/// The places of the switching functions that belong to no row.
pub(super) fn own_switches(writer: &Writer<'_>, rows: &[Row]) -> Vec<usize> {
    let count = writer.evaluations.switches.as_ref().map_or(0, |routine| routine.outputs.len());
    (0..count).filter(|place| rows.iter().all(|row| row.switch != *place)).collect()
}

/// What a row is, with its name.
pub(super) fn title(row: &Row) -> String {
    let kind = match row.kind {
        Kind::Friction => "friction",
        Kind::Contact(_) => "contact",
        Kind::Slip(_) => "slip",
    };
    format!("{kind} {}", row.name)
}

/// The variables so far, each with a name of its own.
#[derive(Default)]
struct List {
    all: Vec<Variable>,
}

impl List {
    fn add(&mut self, role: Role, name: &str, description: &str, unit: &str, start: Option<f64>) -> &mut Variable {
        let mut name = name.to_owned();
        let prefix = match role {
            Role::Output => "output",
            Role::Energy => "energies",
            _ => "lagrange",
        };
        // A block may give an output the name of a coordinate, or a parameter the name `energy`.
        while self.all.iter().any(|known| known.name == name) {
            name = format!("{prefix}.{name}");
        }
        let (description, unit) = (description.to_owned(), unit.to_owned());
        self.all.push(Variable {
            role,
            name,
            description,
            unit,
            range: None,
            start,
            derivative_of: None,
            depends_on: None,
        });
        let last = self.all.len() - 1;
        &mut self.all[last]
    }

    /// The energy, and T and V where the block states them.
    fn add_energies(&mut self, writer: &Writer<'_>) {
        for result in writer
            .contents
            .evaluations
            .iter()
            .filter(|(exported, _)| exported.name == "energies")
            .flat_map(|(exported, _)| &exported.results)
        {
            let (name, text) = match result.name {
                "kinetic" => ("kinetic_energy", "The kinetic energy T"),
                "potential" => ("potential_energy", "The potential energy V"),
                name => (name, "The energy h = v·p − L"),
            };
            self.add(Role::Energy, name, text, &writer.derivation.units.energy, None);
        }
    }

    /// The switching functions, the ends of the phases of rows, and the conditions of changes of modes; and the phases.
    fn add_events(&mut self, writer: &Writer<'_>) {
        let rows = rows(writer.derivation);
        for place in own_switches(writer, &rows) {
            let text = "Where it changes its sign, the equations change their formula";
            self.add(Role::Switch, &format!("switch[{place}]"), text, "", None);
        }
        for row in &rows {
            let text = format!("It becomes positive where the phase of the {} ends", title(row));
            self.add(Role::Switch, &format!("end.{}", indexed(&row.name)), &text, "", None);
        }
        for (place, mode) in writer.changed_modes().iter().enumerate() {
            let text = format!("The condition of a change of the mode {mode}: it holds where this is positive");
            self.add(Role::Switch, &format!("change[{place}]"), &text, "", None);
        }
        for row in &rows {
            let text = match row.kind {
                Kind::Contact(_) => "0 where it is closed, 1 where it is open",
                _ => "0 where it sticks, otherwise the sign of its rate",
            };
            let text = format!("The phase of the {}: {text}", title(row));
            self.add(Role::Phase, &format!("phase.{}", indexed(&row.name)), &text, "", None);
        }
    }
}

/// `r[1][2]` as FMI writes elements of arrays: `r[1,2]`.
fn indexed(name: &str) -> String {
    name.replace("][", ",")
}

/// A doc comment as one line.
fn about(named: &Named) -> String {
    named.documentation.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The symbols that an output of a routine reads; `None` where it takes accelerations or multipliers, which depend on everything.
fn reads(routine: &Routine, output: Value) -> Option<Vec<Symbol>> {
    let mut symbols: Vec<Symbol> = Vec::new();
    let mut depends: HashMap<Value, SymbolSet> = HashMap::new();
    for step in &routine.steps {
        let mut found = SymbolSet::default();
        match &step.operation {
            Operation::Symbol(symbol) => {
                found.insert(symbols.len() as u32);
                symbols.push(*symbol);
            }
            Operation::Argument(_) => {
                found.insert(symbols.len() as u32);
                symbols.push(Symbol::Acceleration(0));
            }
            operation => {
                for operand in operation.operands() {
                    // Hoisted values depend on parameters alone.
                    if let Some(known) = depends.get(&operand) {
                        found.union(known);
                    }
                }
            }
        }
        depends.insert(step.value, found);
    }
    let read: Vec<Symbol> =
        depends.get(&output).into_iter().flat_map(SymbolSet::iter).map(|index| symbols[index as usize]).collect();
    let is_solved =
        |symbol: &Symbol| matches!(symbol, Symbol::Acceleration(_) | Symbol::Multiplier(_) | Symbol::Force(_));
    (!read.iter().any(is_solved)).then_some(read)
}
