//! What the names in a block stand for.

use super::builtin::Builtin;
use super::claim::DerivedNames;
use super::message::Mistake;
use super::report::Report;
use super::suggest::did_you_mean;
use super::syntax::{Expr, plain};
use super::value::{Shape, Value};
use crate::expr::{Graph, Symbol};
use crate::model::Named;
use proc_macro2::Ident;
use std::collections::BTreeMap;

/// The names of a block, the graph that holds their values, and the mistakes made with them.
pub(crate) struct Scope<'s> {
    pub(crate) graph: Graph,
    pub(crate) report: Report,
    /// Uses of fields, in the order in which they are read.
    pub(crate) field_uses: Vec<Ident>,
    names: BTreeMap<String, Binding>,
    /// The variables of the integrals around the present expression, the innermost last.
    dummies: Vec<(String, Symbol)>,
    dummy_count: u32,
    /// The derived equations, where they may be spoken of.
    derived: Option<&'s DerivedNames>,
}

/// What a name stands for.
pub(crate) enum Binding {
    Symbol(Symbol),
    /// A definition; `None` if it failed, which is reported already.
    Let(Option<Value>),
}

impl<'s> Scope<'s> {
    pub(crate) fn new(graph: Graph, derived: Option<&'s DerivedNames>) -> Self {
        Self {
            graph,
            report: Report::new(),
            field_uses: Vec::new(),
            names: BTreeMap::new(),
            dummies: Vec::new(),
            dummy_count: 0,
            derived,
        }
    }

    /// Gives a name its meaning, unless it has one already.
    pub(crate) fn bind(&mut self, name: String, binding: Binding) {
        self.names.entry(name).or_insert(binding);
    }

    /// Gives names the symbols 0, 1, …, of one kind.
    pub(crate) fn bind_symbols(&mut self, named: &[Named], symbol: fn(u32) -> Symbol) {
        for (index, named) in (0..).zip(named) {
            self.bind(named.name.clone(), Binding::Symbol(symbol(index)));
        }
    }

    /// The value of a name.
    pub(crate) fn name(&mut self, ident: &Ident) -> Option<Value> {
        let name = plain(ident);
        if let Some((_, symbol)) = self.dummies.iter().rev().find(|(dummy, _)| *dummy == name) {
            let symbol = *symbol;
            return Some(Value::scalar(self.graph.symbol(symbol)));
        }
        match self.names.get(&name) {
            Some(Binding::Symbol(symbol)) => {
                if matches!(symbol, Symbol::Parameter(_) | Symbol::Input(_)) {
                    self.field_uses.push(ident.clone());
                }
                Some(Value::scalar(self.graph.symbol(*symbol)))
            }
            Some(Binding::Let(value)) => value.clone(),
            None => self.other_name(&name, ident),
        }
    }

    fn other_name(&mut self, name: &str, ident: &Ident) -> Option<Value> {
        match name {
            "t" => return Some(Value::scalar(self.graph.symbol(Symbol::Time))),
            "pi" => return Some(Value::scalar(self.graph.pi())),
            _ => {}
        }
        if let Some(value) = self.derived.and_then(|derived| derived.value(name)) {
            return Some(value);
        }
        let mistake = if Builtin::names().any(|function| function == name) {
            Mistake::FunctionAsQuantity { name: name.to_owned() }
        } else if DerivedNames::NAMES.contains(&name) {
            let name = name.to_owned();
            if self.derived.is_some() { Mistake::DerivedAbsent { name } } else { Mistake::DerivedElsewhere { name } }
        } else {
            let known = self.names.keys().chain(self.dummies.iter().map(|(dummy, _)| dummy)).map(String::as_str);
            let known = known.chain(self.derived.iter().flat_map(|_| DerivedNames::NAMES));
            Mistake::UnknownName { name: name.to_owned(), suggestion: did_you_mean(name, known) }
        };
        self.report.add(mistake, ident);
        None
    }

    /// The derived vector or matrix that an indexed name means: a scalar of the same name cannot be indexed.
    pub(crate) fn derived(&mut self, expr: &Expr) -> Option<(String, Value)> {
        let super::syntax::ExprKind::Name(ident) = &expr.kind else { return None };
        let name = plain(ident);
        let hidden = match self.names.get(&name) {
            Some(Binding::Symbol(_)) | None => false,
            Some(Binding::Let(value)) => value.as_ref().is_none_or(|value| value.shape != Shape::Scalar),
        };
        let value = self.derived?.value(&name).filter(|value| value.shape != Shape::Scalar && !hidden)?;
        Some((name, value))
    }

    /// Position of a coordinate of this name.
    pub(crate) fn coordinate(&self, name: &str) -> Option<usize> {
        match self.names.get(name) {
            Some(Binding::Symbol(Symbol::Coordinate(index))) => usize::try_from(*index).ok(),
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
        let is_it = |binding: &Binding| matches!(binding, Binding::Symbol(Symbol::Input(i)) if *i == index);
        self.names.iter().find(|(_, binding)| is_it(binding)).map(|(name, _)| name.clone()).unwrap_or_default()
    }

    /// Whether a name stands for a quantity here.
    pub(crate) fn is_quantity(&self, name: &str) -> bool {
        name == "t"
            || name == "pi"
            || self.names.contains_key(name)
            || self.dummies.iter().any(|(dummy, _)| dummy == name)
    }

    /// Reads with a new variable in scope.
    pub(crate) fn with_dummy<T>(&mut self, name: String, read: impl FnOnce(&mut Self, Symbol) -> T) -> T {
        let symbol = Symbol::Dummy(self.dummy_count);
        self.dummy_count += 1;
        self.dummies.push((name, symbol));
        let result = read(self, symbol);
        self.dummies.pop();
        result
    }
}
