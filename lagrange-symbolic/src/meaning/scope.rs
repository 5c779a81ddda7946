//! The names that are in scope, with their values.

use super::declared::Declared;
use super::derived::DerivedNames;
use super::exact::{Known, NumberFault, element_name};
use super::frames::Frames;
use super::order::indexed;
use super::reaction::Rows;
use super::shape::Stated;
use super::value::{Shape, Value};
use super::virtual_displacement::Virtuals;
use crate::graph::{Graph, Id, Node, Symbol};
use crate::meaning::Named;
use crate::parse::{foreign, notation};
use crate::prove::Domain;
use crate::report::{Mistake, Place, Report, did_you_mean};
use crate::syntax::{Expr, ExprKind, Intrinsic, array_of, plain};
use proc_macro2::Ident;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The most steps of evaluation of one block. The steps of nested sums multiply.
const MOST_STEPS: usize = 2_000_000;

/// The names of a block, the graph that holds their values, and the mistakes made with them.
pub(crate) struct Scope<'s> {
    pub(crate) graph: Graph,
    pub(crate) report: Report,
    /// Uses of fields, in the order in which they are read.
    pub(crate) field_uses: Vec<Ident>,
    /// The fields whose rate is asked for by their own name, with the place of the first such use.
    pub(super) rates_of_fields: BTreeMap<String, Place>,
    /// The constants, and the indices around the present expression.
    pub(crate) known: Known,
    /// The functions that the block declares.
    pub(crate) functions: BTreeMap<String, Declared>,
    /// The rows of the constraints, where an expression may name them.
    pub(crate) rows: Option<Rows>,
    /// The contact whose restitution is read, and the symbol that stands for the speed with which its gap closes, once it is used.
    pub(super) approach: Option<(String, Option<Symbol>)>,
    /// The shapes that definitions name, by their indices. `None` if one failed, which is reported already.
    pub(super) bodies: BTreeMap<String, BTreeMap<Vec<i64>, Option<Stated>>>,
    /// Why a distance that was read is no gap of a contact.
    pub(super) no_gap: Option<(Mistake, Place)>,
    /// The quaternions that are used as rotations, as written.
    pub(crate) quaternions: Vec<(Vec<Id>, String, Place)>,
    /// The names of all quantities of the block, bound or not.
    pub(crate) stated: BTreeSet<String>,
    /// The assumptions about parameters, and the expressions that are asserted to be continuous.
    pub(crate) domain: Domain,
    /// The frames, and the points that are placed in them.
    pub(super) frames: Frames,
    names: BTreeMap<String, Binding>,
    /// The names that were reported as unknown.
    unknown: BTreeSet<String>,
    inputs: Vec<String>,
    /// The index of the first hidden coordinate, and the names of the states.
    pub(super) states: (u32, Vec<String>),
    /// The virtual displacements.
    pub(super) virtuals: Virtuals,
    fields: BTreeSet<String>,
    /// The variables of the integrals around the present expression, the innermost last.
    dummies: Vec<(String, Symbol)>,
    steps: usize,
    /// The derived equations, where an expression may name them.
    pub(super) derived: Option<&'s DerivedNames>,
    /// The accelerations and multipliers of the motion, once they are needed.
    pub(super) solution: Option<HashMap<Symbol, Id>>,
}

/// The meaning of a name.
pub(crate) enum Binding {
    Symbol(Symbol),
    /// A definition or an array of symbols. `None` if it failed, which is reported already.
    Value(Option<Value>),
    /// A quantity that is defined element by element.
    Elements(BTreeMap<Vec<i64>, DefinedElement>),
}

/// An element of an array that is defined element by element.
pub(crate) enum DefinedElement {
    /// Its definition was not read yet.
    Stated,
    /// Its value; `None` if it failed, which is reported already.
    Read(Option<Value>),
}

impl DefinedElement {
    fn value(&self) -> Option<&Value> {
        match self {
            Self::Read(value) => value.as_ref(),
            Self::Stated => None,
        }
    }
}

impl<'s> Scope<'s> {
    pub(crate) fn new(graph: Graph, derived: Option<&'s DerivedNames>) -> Self {
        Self {
            graph,
            report: Report::new(),
            field_uses: Vec::new(),
            rates_of_fields: BTreeMap::new(),
            known: Known::default(),
            functions: BTreeMap::new(),
            rows: None,
            approach: None,
            bodies: BTreeMap::new(),
            no_gap: None,
            quaternions: Vec::new(),
            stated: BTreeSet::new(),
            domain: Domain::default(),
            frames: Frames::default(),
            names: BTreeMap::new(),
            unknown: BTreeSet::new(),
            inputs: Vec::new(),
            states: (u32::MAX, Vec::new()),
            virtuals: Virtuals::default(),
            fields: BTreeSet::new(),
            dummies: Vec::new(),
            steps: 0,
            derived,
            solution: None,
        }
    }

    /// Gives a name its meaning. A name keeps its first meaning.
    pub(crate) fn bind(&mut self, name: String, binding: Binding) {
        self.names.entry(name).or_insert(binding);
    }

    /// Binds a name whose definition failed, unless it has a meaning already. The mistake is reported already.
    pub(crate) fn bind_failed(&mut self, name: String) {
        if name != "t" && name != "pi" && !self.known.constants.contains_key(&name) {
            self.bind(name, Binding::Value(None));
        }
    }

    /// Gives an element of an array its value. Without indices the name itself gets the value.
    pub(crate) fn bind_element(&mut self, name: String, indices: Vec<i64>, value: Option<Value>) {
        if indices.is_empty() {
            return self.bind(name, Binding::Value(value));
        }
        let binding = self.names.entry(name).or_insert_with(|| Binding::Elements(BTreeMap::new()));
        if let Binding::Elements(elements) = binding {
            elements.insert(indices, DefinedElement::Read(value));
        }
    }

    /// Declares an element whose value is read later.
    pub(crate) fn declare_element(&mut self, name: String, indices: Vec<i64>) {
        let binding = self.names.entry(name).or_insert_with(|| Binding::Elements(BTreeMap::new()));
        if let Binding::Elements(elements) = binding {
            elements.entry(indices).or_insert(DefinedElement::Stated);
        }
    }

    /// Binds names to the symbols 0, 1, … of one kind. The elements of an array make up its value together.
    pub(crate) fn bind_symbols(&mut self, named: &[Named], symbol: impl Fn(u32) -> Symbol) {
        let mut arrays: BTreeMap<String, Vec<(&[usize], Id)>> = BTreeMap::new();
        for (index, named) in (0..).zip(named) {
            let symbol = symbol(index);
            let name = plain(&named.ident);
            if let Symbol::Input(_) = symbol {
                self.inputs.push(named.name.clone());
            }
            if named.number.is_some() {
                self.fields.insert(name.clone());
            }
            if named.indices.is_empty() {
                self.bind(name, Binding::Symbol(symbol));
            } else {
                let id = self.graph.symbol(symbol);
                arrays.entry(name).or_default().push((&named.indices, id));
            }
        }
        for (name, elements) in arrays {
            let binding = array(&elements);
            self.bind(name, binding);
        }
    }

    /// Records a rate `dot(m)` or `dot(m[i])` of a field `m`, which is 0. A definition that is equal to a field is not recorded, because it may
    /// stand for what changes elsewhere.
    pub(super) fn record_rate_of_field(&mut self, argument: &Expr, value: &Value) {
        let of = match &argument.kind {
            ExprKind::Index { of, .. } => of,
            _ => argument,
        };
        let ExprKind::Name(ident) = &of.kind else { return };
        let name = plain(ident);
        let constant = |entry: &Id| matches!(self.graph.node(*entry), Node::Symbol(Symbol::Parameter(_)));
        if self.fields.contains(&name) && !self.is_local(&name) && value.entries.iter().all(constant) {
            self.rates_of_fields.entry(name).or_insert(argument.place);
        }
    }

    /// The value of a name.
    pub(crate) fn name(&mut self, ident: &Ident) -> Option<Value> {
        let name = plain(ident);
        if let Some((_, symbol)) = self.dummies.iter().rev().find(|(dummy, _)| *dummy == name) {
            let symbol = *symbol;
            return Some(Value::scalar(self.graph.symbol(symbol)));
        }
        if let Some(number) = self.known.number(&name) {
            return number.map(|number| Value::scalar(self.graph.number(number)));
        }
        if self.fields.contains(&name) {
            self.field_uses.push(ident.clone());
        }
        match self.names.get(&name) {
            Some(Binding::Symbol(symbol)) => Some(Value::scalar(self.graph.symbol(*symbol))),
            Some(Binding::Value(value)) => value.clone(),
            Some(Binding::Elements(elements)) => match assembled(elements) {
                Ok(value) => value,
                Err(()) => {
                    self.report.add(Mistake::ElementsAsArray { name }, ident);
                    None
                }
            },
            None if self.bodies.contains_key(&name) => {
                self.lone_shape(&name, ident.into());
                None
            }
            None => self.other_name(&name, ident),
        }
    }

    /// The element of a name that is defined element by element, and how many of the indices it takes.
    ///
    /// `None` if the name has no elements; `Some(None)` if a mistake was reported.
    pub(crate) fn element(&mut self, ident: &Ident, indices: &[&Expr], place: Place) -> Option<Option<(Value, usize)>> {
        let name = plain(ident);
        if self.is_local(&name) {
            return None;
        }
        let Some(Binding::Elements(elements)) = self.names.get(&name) else { return None };
        let rank = elements.keys().next().map_or(0, Vec::len);
        if indices.len() < rank {
            return None;
        }
        if self.fields.contains(&name) {
            self.field_uses.push(ident.clone());
        }
        let mut values = Vec::new();
        for index in &indices[..rank] {
            match self.known.whole(index) {
                Ok(value) => values.push(value),
                Err(fault) => {
                    self.fault(fault);
                    return Some(None);
                }
            }
        }
        match elements.get(&values) {
            Some(element) => Some(element.value().map(|value| (value.clone(), rank))),
            None => {
                let known = listed(&name, elements);
                let mistake = Mistake::UnknownElement { element: element_name(&name, &values), known };
                self.report.add(mistake, place);
                Some(None)
            }
        }
    }

    /// Reports why the value of a number is not known.
    pub(crate) fn fault(&mut self, fault: NumberFault) {
        if let Some(fault) = fault {
            self.report.add(fault.0, fault.1);
        }
    }

    /// Counts a step of evaluation. `false` if there were too many, which is reported once.
    pub(crate) fn step(&mut self, place: Place) -> bool {
        self.steps += 1;
        if self.steps == MOST_STEPS {
            self.report.add(Mistake::TooMuchWork { limit: MOST_STEPS }, place);
        }
        self.steps < MOST_STEPS
    }

    /// Reads an expression with indices in scope.
    pub(crate) fn with_indices<T>(&mut self, locals: &[(String, i64)], read: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.known.indices.len();
        self.known.indices.extend_from_slice(locals);
        let result = read(self);
        self.known.indices.truncate(before);
        result
    }

    fn is_local(&self, name: &str) -> bool {
        self.dummies.iter().any(|(dummy, _)| dummy == name) || self.known.number(name).is_some()
    }

    fn other_name(&mut self, name: &str, ident: &Ident) -> Option<Value> {
        match name {
            "t" => return Some(Value::scalar(self.graph.symbol(Symbol::Time))),
            "pi" => return Some(Value::scalar(self.graph.pi())),
            _ => {}
        }
        if let Some(value) = self.derived_quantity(name) {
            return Some(value);
        }
        // A name that is unknown is reported once, however often it is used.
        if !self.unknown.insert(name.to_owned()) {
            return None;
        }
        if let Some(form) = foreign::constant(name) {
            self.report.add(notation::foreign(name, form), ident);
            return None;
        }
        if let Some(form) = foreign::rate(name, |name| self.moves(name)) {
            self.report.add(Mistake::RateAsName { name: name.to_owned(), form }, ident);
            return None;
        }
        let mistake = if self.rows.as_ref().is_some_and(|rows| rows.contains(name)) {
            Mistake::ConstraintAsQuantity { name: name.to_owned() }
        } else if Intrinsic::names().any(|function| function == name) || self.functions.contains_key(name) {
            Mistake::FunctionAsQuantity { name: name.to_owned() }
        } else if name == "acceleration" {
            Mistake::OutsideOutput { name: name.to_owned() }
        } else if DerivedNames::NAMES.contains(&name) {
            let name = name.to_owned();
            if self.derived.is_some() {
                Mistake::DerivedAbsent { name }
            } else {
                let help = match name.as_str() {
                    "mass" | "forcing" | "momentum" | "balance" => {
                        format!(
                            "a parameter is a field of the struct: add `{name}: f64`, or use {}",
                            self.listed_names()
                        )
                    }
                    _ => "to use a quantity twice, name it by `let`".to_owned(),
                };
                Mistake::DerivedElsewhere { name, help }
            }
        } else {
            let known: Vec<&str> = self.known_names();
            let suggestion = did_you_mean(name, known);
            let help = [suggestion, format!("known here are {}", self.listed_names())];
            Mistake::UnknownName { name: name.to_owned(), help: help.join(" ").trim().to_owned() }
        };
        self.report.add(mistake, ident);
        None
    }

    /// The names of quantities that are in scope, derived quantities included where they may be named.
    fn known_names(&self) -> Vec<&str> {
        let locals = self.dummies.iter().map(|(dummy, _)| dummy);
        let numbers = self.known.constants.keys().chain(self.known.indices.iter().map(|(index, _)| index));
        let mut known: Vec<&str> =
            self.names.keys().chain(self.bodies.keys()).chain(locals).chain(numbers).map(String::as_str).collect();
        known.extend(self.derived_names());
        known
    }

    /// The names of the derived quantities that an expression may name.
    fn derived_names(&self) -> Vec<&'static str> {
        let acceleration = self.rows.is_some().then_some("acceleration");
        self.derived.into_iter().flat_map(DerivedNames::names).chain(acceleration).collect()
    }

    /// The names of quantities for a message. A long list is cut.
    fn listed_names(&self) -> String {
        const MOST: usize = 32;
        let known = self.known_names();
        if known.len() > MOST {
            let derived = self.derived_names();
            let derived =
                if derived.is_empty() { String::new() } else { format!(", the derived {}", derived.join(" ")) };
            return format!("coordinates, fields of the struct, `let` and `const` definitions, t and pi{derived}");
        }
        [known, vec!["t", "pi"]].concat().join(" ")
    }

    /// Whether a name is a quantity that depends on the motion.
    pub(crate) fn moves(&self, name: &str) -> bool {
        let is_coordinate = |symbol| matches!(symbol, Symbol::Coordinate(_));
        match self.names.get(name) {
            Some(Binding::Symbol(symbol)) => is_coordinate(*symbol),
            Some(Binding::Value(Some(value))) => value.entries.iter().any(|id| self.graph.contains(*id, is_coordinate)),
            Some(Binding::Elements(_)) => true,
            _ => false,
        }
    }

    /// Whether a name is a derived quantity here.
    pub(crate) fn is_derived(&self, name: &str) -> bool {
        self.derived_names().contains(&name)
    }

    /// Whether a name is an input.
    pub(crate) fn is_input(&self, name: &str) -> bool {
        self.inputs.iter().any(|input| array_of(input).0 == name)
    }

    /// Whether a name has several components.
    pub(crate) fn is_array(&self, name: &str) -> bool {
        match self.names.get(name) {
            Some(Binding::Value(Some(value))) => value.shape != Shape::Scalar,
            Some(Binding::Elements(_)) => true,
            _ => false,
        }
    }

    /// The derived vector or matrix that an indexed name means. A scalar quantity with the same name cannot be indexed,
    /// so that there is no conflict.
    pub(crate) fn derived(&mut self, expr: &Expr) -> Option<(String, Value)> {
        let ExprKind::Name(ident) = &expr.kind else { return None };
        let name = plain(ident);
        let hidden = match self.names.get(&name) {
            Some(Binding::Symbol(_)) | None => false,
            Some(Binding::Value(value)) => value.as_ref().is_none_or(|value| value.shape != Shape::Scalar),
            Some(Binding::Elements(_)) => true,
        };
        let value = self.derived_quantity(&name).filter(|value| value.shape != Shape::Scalar && !hidden)?;
        Some((name, value))
    }

    /// Position of the coordinate that an index names: `theta`, or `theta[3]`.
    pub(crate) fn coordinate(&self, index: &Expr) -> Option<usize> {
        let (base, indices) = indexed(index);
        let ExprKind::Name(name) = &base.kind else { return None };
        let binding = self.names.get(&plain(name))?;
        let mut values = Vec::new();
        for index in indices {
            values.push(self.known.whole(index).ok()?);
        }
        let id = match binding {
            Binding::Symbol(Symbol::Coordinate(position)) if values.is_empty() => {
                return usize::try_from(*position).ok();
            }
            Binding::Value(Some(value)) => value.element(&values)?,
            Binding::Elements(elements) => elements.get(&values)?.value()?.as_scalar()?,
            Binding::Symbol(_) | Binding::Value(None) => return None,
        };
        match self.graph.node(id) {
            Node::Symbol(Symbol::Coordinate(position)) => usize::try_from(*position).ok(),
            _ => None,
        }
    }

    /// Names of the coordinates.
    pub(crate) fn coordinate_names(&self) -> impl Iterator<Item = &str> {
        self.names
            .iter()
            .filter(|(_, binding)| matches!(binding, Binding::Symbol(Symbol::Coordinate(_))))
            .map(|(name, _)| name.as_str())
    }

    /// The name of an input.
    pub(crate) fn input_name(&self, index: u32) -> String {
        self.inputs.get(index as usize).cloned().unwrap_or_default()
    }

    /// Whether a name is a quantity here.
    pub(crate) fn is_quantity(&self, name: &str) -> bool {
        name == "t" || name == "pi" || self.names.contains_key(name) || self.is_local(name)
    }

    /// Reads an expression with a new variable in scope.
    pub(crate) fn with_dummy<T>(&mut self, name: String, read: impl FnOnce(&mut Self, Symbol) -> T) -> T {
        let symbol = self.graph.scratch_symbols(1)[0];
        self.dummies.push((name, symbol));
        let result = read(self, symbol);
        self.dummies.pop();
        result
    }
}

/// The value of an array of symbols: a vector, a matrix, or matrices one by one.
fn array(elements: &[(&[usize], Id)]) -> Binding {
    let rank = elements.first().map_or(0, |(indices, _)| indices.len());
    let entries: Vec<Id> = elements.iter().map(|(_, id)| *id).collect();
    let length = |axis: usize| elements.iter().map(|(indices, _)| indices[axis] + 1).max().unwrap_or(0);
    match rank {
        1 => Binding::Value(Some(Value::vector(entries))),
        2 => Binding::Value(Some(Value::new(Shape::Matrix(length(0), length(1)), entries))),
        _ => {
            let (rows, columns) = (length(rank - 2), length(rank - 1));
            let matrices = elements.chunks(rows * columns).map(|chunk| {
                let indices = chunk[0].0[..rank - 2].iter().map(|&index| index as i64).collect();
                let entries = chunk.iter().map(|(_, id)| *id).collect();
                (indices, DefinedElement::Read(Some(Value::new(Shape::Matrix(rows, columns), entries))))
            });
            Binding::Elements(matrices.collect())
        }
    }
}

/// All elements as one vector or matrix. `Ok(None)` if one of them failed; the error means that they do not make up
/// one.
fn assembled(elements: &BTreeMap<Vec<i64>, DefinedElement>) -> Result<Option<Value>, ()> {
    let mut values = Vec::new();
    for (expected, (indices, element)) in (0..).zip(elements) {
        if *indices != [expected] {
            return Err(());
        }
        let Some(value) = element.value() else { return Ok(None) };
        values.push(value);
    }
    let shape = values.first().map(|value| value.shape);
    if values.iter().any(|value| Some(value.shape) != shape) {
        return Err(());
    }
    let shape = match shape {
        Some(Shape::Scalar) => Shape::Vector(values.len()),
        Some(Shape::Vector(width)) => Shape::Matrix(values.len(), width),
        _ => return Err(()),
    };
    Ok(Some(Value::new(shape, values.into_iter().flat_map(|value| value.entries.iter().copied()).collect())))
}

/// The elements that exist, for a message.
fn listed(name: &str, elements: &BTreeMap<Vec<i64>, DefinedElement>) -> String {
    let first = elements.keys().next().map(|indices| element_name(name, indices)).unwrap_or_default();
    let last = elements.keys().next_back().map(|indices| element_name(name, indices)).unwrap_or_default();
    let count = elements.len();
    let noun = if count == 1 { "is one element" } else { "are elements" };
    match count {
        1 => format!("there {noun}: `{first}`"),
        2 => format!("there {noun} `{first}` and `{last}`"),
        _ => format!("there {noun} from `{first}` to `{last}`, {count} in all"),
    }
}
