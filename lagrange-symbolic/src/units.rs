//! The units of a block's quantities: what is stated, what follows from it, and where statements contradict each other.
//!
//! A unit is a product of powers of independent generators (`unit.rs`), so that its exponents are a vector of exact numbers. A unit that is
//! not stated is an unknown vector (`linear.rs`). Every sum, comparison and statement equates two units (`expression.rs`, `statement.rs`), and
//! exact elimination decides whether all equations hold. Only where they do not, `blame.rs` looks for the term at fault.
//!
//! A block that states no unit is not read at all.

mod blame;
mod call;
mod checker;
mod coherent;
mod conflict;
mod declare;
mod expression;
mod linear;
mod measure;
mod quantity;
mod statement;
mod symbol;
mod unit;

use crate::graph::Rational;
use crate::meaning::{Known, Model, Named, element_name};
use crate::report::{Mistake, Report};
use crate::syntax::{Expr, FunctionUnits, Spec, StatedUnit, StatementKind, plain};
use checker::{Checker, Freed};
pub(crate) use coherent::Coherent;
pub(crate) use measure::{Measure, Unmeasured};
use quantity::Quantity;
use std::collections::{BTreeMap, BTreeSet};
use unit::{Unit, Vocabulary};

/// The units of a mechanism as texts; empty where a unit is neither stated nor determined.
#[derive(Clone, Debug, Default)]
pub struct Units {
    /// The unit of the time.
    pub time: String,
    /// The unit of energies.
    pub energy: String,
    /// The unit of powers.
    pub power: String,
    /// The units of parameters, inputs, coordinates, states and outputs, by the name of each number: `m`, `theta[3]`.
    pub named: BTreeMap<String, String>,
    /// The units of the multipliers, by the name of each row of a constraint.
    pub multipliers: BTreeMap<String, String>,
    /// The names whose units are stated.
    stated: BTreeSet<String>,
    /// The units of the same names as `named`, and not their texts, in which long factors are rounded.
    exact: BTreeMap<String, Unit>,
    /// The unit of the time, if it is determined.
    exact_time: Option<Unit>,
}

impl Units {
    /// The unit of a parameter, an input, a coordinate, a state or an output; empty if it is not known.
    pub fn of(&self, name: &str) -> &str {
        self.named.get(name).map_or("", String::as_str)
    }

    /// Whether the unit of this name is stated, and does not follow from others.
    pub fn is_stated(&self, name: &str) -> bool {
        self.stated.contains(name)
    }

    /// The unit of this name for readers: `kg m²/s²`.
    pub fn readable(&self, name: &str) -> String {
        readable(self.of(name))
    }

    /// The unit of the derivative of this coordinate by the time, of this order; empty where it is not known.
    ///
    /// It is a quotient of texts, because `rad/s` tells readers more than `1/s`, which is the same unit.
    pub fn rate(&self, name: &str, order: usize) -> String {
        let (unit, time) = (self.of(name), &self.time);
        if unit.is_empty() || time.is_empty() {
            return String::new();
        }
        let bracketed =
            |text: &str, signs: &[char]| if text.contains(signs) { format!("({text})") } else { text.to_owned() };
        let power = if order > 1 { format!("^{order}") } else { String::new() };
        format!("{}/{}{power}", bracketed(unit, &['/']), bracketed(time, &['/', '*', '^']))
    }

    /// The unit of the velocity of this coordinate for readers. It is empty if the velocity is a number, or if its unit is not known.
    pub fn readable_rate(&self, name: &str) -> String {
        match (self.of(name), self.time.as_str()) {
            ("1", "1") => "1".to_owned(),
            (unit, "1") => readable(unit),
            _ => readable(&self.rate(name, 1)),
        }
    }

    /// The unit of the multiplier of this row for readers. Forces and torques in SI units have their names.
    pub fn readable_multiplier(&self, row: &str) -> String {
        match self.multipliers.get(row).map_or("", String::as_str) {
            "kg*m/s^2" => "N".to_owned(),
            "kg*m^2/s^2" => "N m".to_owned(),
            unit => readable(unit),
        }
    }

    /// The unit of a parameter, an input, a coordinate, a state or an output as exponents and a factor.
    pub(crate) fn measure(&self, name: &str) -> Result<Measure, Unmeasured> {
        Measure::of(self.exact.get(name).ok_or(Unmeasured::Undetermined)?)
    }

    /// The unit of the velocity of a coordinate as exponents and a factor.
    pub(crate) fn measure_of_rate(&self, name: &str) -> Result<Measure, Unmeasured> {
        let (unit, time) = self.exact.get(name).zip(self.exact_time.as_ref()).ok_or(Unmeasured::Undetermined)?;
        Measure::of(&unit.clone().times(time, &-Rational::ONE))
    }

    /// The unit of the time as exponents and a factor.
    pub(crate) fn measure_of_time(&self) -> Result<Measure, Unmeasured> {
        Measure::of(self.exact_time.as_ref().ok_or(Unmeasured::Undetermined)?)
    }

    /// The doc comment of a field as one line, with its unit at the end.
    pub fn described(&self, field: &Named) -> String {
        let text = field.documentation.split_whitespace().collect::<Vec<_>>().join(" ");
        let unit = self.readable(&field.name);
        // A struct that is made from descriptions has the units in its doc comments already.
        if matches!(unit.as_str(), "" | "1") || text == unit || text.ends_with(&format!(", {unit}.")) {
            return text;
        }
        match text.trim_end_matches('.') {
            "" => unit,
            text => format!("{text}, {unit}."),
        }
    }

    /// The units of times, frequencies, rates, energies and powers for readers. Those of a block without units, or whose quantities are numbers,
    /// are empty.
    pub fn of_the_whole(&self) -> [String; 5] {
        let time = readable(&self.time);
        let (frequency, rate) = match time.as_str() {
            "" | "1" => (String::new(), String::new()),
            "s" => ("Hz".to_owned(), "1/s".to_owned()),
            time => (format!("1/{time}"), format!("1/{time}")),
        };
        let (energy, power) = match self.energy.as_str() {
            "" | "1" => ("", ""),
            "kg*m^2/s^2" => ("J", "W"),
            energy => (energy, self.power.as_str()),
        };
        let time = if time == "1" { String::new() } else { time };
        [time, frequency, rate, readable(energy), readable(power)]
    }
}

/// Checks the units of a block. A block that states none has none.
///
/// # Errors
/// Symbols that are no units, and terms whose units contradict others.
pub fn check(spec: &Spec, model: &Model) -> Result<Units, Report> {
    let stated = stated(spec);
    if stated.is_empty() {
        return Ok(Units::default());
    }
    let vocabulary = vocabulary(&stated)?;
    let mut checker = Checker::new(spec, &model.vocabulary.known, Freed::default(), false);
    checker.run();
    if !checker.conflicts.is_empty() {
        return Err(blame::mistakes(spec, &model.vocabulary.known, &vocabulary));
    }
    Ok(found(spec, model, &checker, &vocabulary))
}

/// All units that a block and its struct state.
fn stated(spec: &Spec) -> Vec<&StatedUnit> {
    let mut units: Vec<&StatedUnit> = Vec::new();
    units.extend(spec.item.fields.iter().filter_map(|field| field.unit.as_ref()));
    for statement in &spec.statements {
        match &statement.kind {
            StatementKind::Coordinates(declared) => {
                units.extend(declared.iter().filter_map(|declared| declared.unit.as_ref()));
            }
            StatementKind::Let { unit, .. }
            | StatementKind::State { unit, .. }
            | StatementKind::Output { unit, .. }
            | StatementKind::Invariant { unit, .. } => units.extend(unit),
            StatementKind::Units(stated) => units.extend(stated.iter().map(|(_, unit)| unit)),
            StatementKind::Extern(function) => units.extend(of_function(&function.units)),
            StatementKind::Table { units: of, .. } => units.extend(of_function(of)),
            _ => {}
        }
        for expr in statement.kind.expressions() {
            expr.walk(&mut |part: &Expr| units.extend(part.unit.as_deref()));
        }
    }
    units
}

fn of_function(units: &FunctionUnits) -> impl Iterator<Item = &StatedUnit> {
    units.arguments.iter().flatten().chain(&units.value)
}

/// The symbols in which messages are written.
fn vocabulary(stated: &[&StatedUnit]) -> Result<Vocabulary, Report> {
    let mut vocabulary = Vocabulary::default();
    let mut report = Report::new();
    for unit in stated {
        if let Err((symbol, help)) = symbol::read(unit) {
            let name = plain(&symbol);
            report.add(Mistake::UnknownUnit { symbol: name, help }, &symbol);
            continue;
        }
        for (symbol, _) in &unit.factors {
            let name = plain(symbol);
            if let Some(unit) = symbol::named(&name) {
                vocabulary.add(&name, unit);
            }
        }
    }
    report.propagate(vocabulary)
}

/// The units of everything that has a name outside the block.
fn found(spec: &Spec, model: &Model, checker: &Checker<'_>, vocabulary: &Vocabulary) -> Units {
    let (mut named, mut stated, mut exact) = (BTreeMap::new(), BTreeSet::new(), BTreeMap::new());
    let texts = as_written(spec, &model.vocabulary.known);
    for number in model.parameters.iter().chain(&model.inputs).chain(&model.coordinates) {
        let name = plain(&number.ident);
        let written = texts.get(&number.name).or_else(|| texts.get(&name));
        stated.extend(written.map(|_| number.name.clone()));
        let of_all = checker.names.get(&name).cloned();
        let one = |quantity: Quantity, index: &usize| quantity.element(Some(*index), &checker.equations);
        let unit = of_all.and_then(|of_all| unit(&number.indices.iter().fold(of_all, one), checker));
        let text = written.cloned().or_else(|| Some(vocabulary.text(unit.as_ref()?)));
        named.extend(text.map(|text| (number.name.clone(), text)));
        exact.extend(unit.map(|unit| (number.name.clone(), unit)));
    }
    // The momenta of symmetries become outputs once they are derived.
    let momenta = spec.statements.iter().flat_map(|statement| match &statement.kind {
        StatementKind::Symmetry { name, indices, .. } => {
            let elements = model.vocabulary.known.elements(indices).unwrap_or_default();
            elements.into_iter().map(|element| element_name(&plain(name), &element.indices)).collect()
        }
        _ => Vec::new(),
    });
    for output in model.physics.outputs.iter().map(|output| output.name.clone()).chain(momenta) {
        // An element is stated under its own name or under that of its array. What follows are indices of its components.
        let ends = output.match_indices('[').map(|(at, _)| at).chain([output.len()]);
        let mut prefixes = ends.map(|end| output.split_at(end)).collect::<Vec<_>>().into_iter().rev();
        let stated = prefixes.find_map(|(name, rest)| Some((name, rest, checker.outputs.get(name)?)));
        let Some((name, rest, (rank, quantity))) = stated else { continue };
        let component = rest.split(['[', ']']).filter_map(|index| index.parse().ok()).skip(*rank);
        let component =
            component.fold(quantity.clone(), |quantity, index| quantity.element(Some(index), &checker.equations));
        let unit = unit(&component, checker);
        let text = texts.get(name).cloned().or_else(|| Some(vocabulary.text(unit.as_ref()?)));
        named.extend(text.map(|text| (output.clone(), text)));
        exact.extend(unit.map(|unit| (output.clone(), unit)));
    }
    let multipliers = multipliers(model, checker, vocabulary);
    let of = |unit| text(&Quantity::scalar(unit), checker, vocabulary).unwrap_or_default();
    let power = checker.energy.times(&checker.time, &-Rational::ONE);
    let exact_time = checker.equations.exact(&checker.time);
    let [time, energy, power] = [checker.time.clone(), checker.energy.clone(), power].map(of);
    Units { time, energy, power, named, multipliers, stated, exact, exact_time }
}

/// The units of the multipliers of all rows, by the names of the rows: `rod`, `link[2]`, `hinge[1][0]`.
fn multipliers(model: &Model, checker: &Checker<'_>, vocabulary: &Vocabulary) -> BTreeMap<String, String> {
    let of_row = |name: &str| {
        let mut ends = name.match_indices('[').map(|(at, _)| at).chain([name.len()]);
        let (row, rest) = ends.find_map(|end| Some((checker.rows.get(&name[..end])?, &name[end..])))?;
        // Behind the indices of the statement are those of the components of its sides.
        let component = rest.split(['[', ']']).filter_map(|index| index.parse().ok()).skip(row.rank);
        let of_all = checker.conjugate(&checker.displacement_of(row));
        let quantity = component.fold(of_all, |quantity, index| quantity.element(Some(index), &checker.equations));
        text(&quantity, checker, vocabulary)
    };
    let rows = model.physics.constraints.iter().map(|row| &row.name);
    rows.filter_map(|name| Some((name.clone(), of_row(name)?))).collect()
}

/// A unit as readers of reports see it: `kg*m^2/s^2` as `kg m²/s²`.
pub(crate) fn readable(unit: &str) -> String {
    let superscript = |sign: char| match sign {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        digit => digit.to_digit(10).and_then(|digit| char::from_u32(0x2070 + digit)).unwrap_or(digit),
    };
    let mut text = String::new();
    let mut signs = unit.chars().peekable();
    while let Some(sign) = signs.next() {
        let is_whole = sign == '^' && signs.peek().is_some_and(|next| *next == '-' || next.is_ascii_digit());
        match sign {
            '^' if is_whole => {
                while let Some(digit) = signs.next_if(|next| *next == '-' || next.is_ascii_digit()) {
                    text.push(superscript(digit));
                }
            }
            '*' => text.push(' '),
            sign => text.push(sign),
        }
    }
    text.replace("Msun", "M☉").replace("ohm", "Ω")
}

/// A unit that is determined, as text.
fn text(quantity: &Quantity, checker: &Checker<'_>, vocabulary: &Vocabulary) -> Option<String> {
    Some(vocabulary.text(&unit(quantity, checker)?))
}

/// A unit that is determined.
fn unit(quantity: &Quantity, checker: &Checker<'_>) -> Option<Unit> {
    checker.equations.exact(quantity.leaves().into_iter().next()?)
}

/// The units of names as they are written.
fn as_written(spec: &Spec, known: &Known) -> BTreeMap<String, String> {
    let mut texts = BTreeMap::new();
    let mut add = |name: String, unit: &Option<StatedUnit>| {
        let text = unit.as_ref().map(|unit| unit.text.clone());
        // Elements of an array that are stated one by one may have several units.
        let known = texts.entry(name).or_insert_with(|| text.clone());
        if *known != text {
            *known = None;
        }
    };
    for field in &spec.item.fields {
        add(plain(&field.ident), &field.unit);
    }
    for statement in &spec.statements {
        match &statement.kind {
            StatementKind::Coordinates(declared) => {
                declared.iter().for_each(|one| add(plain(&one.name), &one.unit));
            }
            StatementKind::State { name, indices, unit, .. } | StatementKind::Output { name, indices, unit, .. } => {
                add(statement::element(name, indices, known).0, unit);
            }
            _ => {}
        }
    }
    texts.into_iter().filter_map(|(name, text)| Some((name, text?))).collect()
}
