//! Functions that the block declares: `table` and `extern`.

use super::arithmetic::scalar_needed;
use super::scope::Scope;
use super::value::{Shape, Value};
use crate::graph::function::{Function, Orders};
use crate::graph::{Graph, Id, Rational};
use crate::meaning::Extern;
use crate::report::{Mistake, Place};
use crate::syntax::{Expr, ExternFunction, plain};
use dashu_base::BitTest as _;
use dashu_int::UBig;
use proc_macro2::Ident;

/// A function of the block's own.
#[derive(Clone, Debug)]
pub(crate) enum Declared {
    /// `extern`, by its position among them.
    Extern { index: u32, arity: usize },
    /// `table`
    Table(Table),
    /// One whose declaration failed, which is reported already.
    Failed,
}

/// A natural cubic spline: the arguments of its call but for the first.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    /// Its position among the tables.
    pub(crate) index: u32,
    /// Its knots, its values there, its second derivatives there.
    data: Vec<Id>,
}

/// The most arguments of an `extern` function, and the most derivatives of it in one declaration.
const MOST_ARGUMENTS: usize = 8;

/// Numbers of more bits are rounded to so many, which every proof's precision is far below: exact ones would have a
/// length in proportion to the table's.
const BITS: usize = 512;

impl Table {
    /// The natural cubic spline through the given values; beyond the ends it goes on straight, so that the function
    /// is twice continuously differentiable everywhere.
    ///
    /// With hᵢ = xᵢ₊₁ − xᵢ and the second derivatives mᵢ at the knots, m₀ = mₙ = 0 and (de Boor, A Practical Guide to
    /// Splines, chapter IV)
    ///
    /// ```text
    /// hᵢ₋₁ mᵢ₋₁ + 2 (hᵢ₋₁ + hᵢ) mᵢ + hᵢ mᵢ₊₁ = 6 ((yᵢ₊₁ − yᵢ)/hᵢ − (yᵢ − yᵢ₋₁)/hᵢ₋₁)
    /// ```
    ///
    /// The system is diagonally dominant and is eliminated without pivots, on the graph: the mᵢ are numbers, or expressions
    /// in parameters that `prepare` evaluates.
    pub(crate) fn natural_spline(graph: &mut Graph, index: u32, x: &[Id], y: &[Id]) -> Self {
        let zero = graph.zero();
        let steps: Vec<Id> = x.windows(2).map(|pair| graph.sub(pair[1], pair[0])).collect();
        let slopes: Vec<Id> = y
            .windows(2)
            .zip(&steps)
            .map(|(pair, step)| {
                let rise = graph.sub(pair[1], pair[0]);
                graph.div(rise, *step)
            })
            .collect();
        let last = x.len() - 1;
        // Row i after elimination: mᵢ + above[i] mᵢ₊₁ = right[i].
        let mut above = vec![zero; last + 1];
        let mut right = vec![zero; last + 1];
        for i in 1..last {
            let both = graph.add(steps[i - 1], steps[i]);
            let twice = graph.scale(&Rational::from(2), both);
            let filled = graph.mul(steps[i - 1], above[i - 1]);
            let pivot = graph.sub(twice, filled);
            above[i] = graph.div(steps[i], pivot);
            above[i] = shortened(graph, above[i]);
            let bend = graph.sub(slopes[i], slopes[i - 1]);
            let bend = graph.scale(&Rational::from(6), bend);
            let before = graph.mul(steps[i - 1], right[i - 1]);
            let rest = graph.sub(bend, before);
            right[i] = graph.div(rest, pivot);
            right[i] = shortened(graph, right[i]);
        }
        let mut bends = vec![zero; last + 1];
        for i in (1..last).rev() {
            let next = graph.mul(above[i], bends[i + 1]);
            bends[i] = graph.sub(right[i], next);
            bends[i] = shortened(graph, bends[i]);
        }
        Self { index, data: [x, y, &bends].concat() }
    }

    /// The value at x.
    fn at(&self, graph: &mut Graph, x: Id) -> Id {
        graph.call(Function::Spline { table: self.index, order: 0 }, &[&[x], &self.data[..]].concat())
    }
}

/// A number of no more than [`BITS`] bits; anything else as it is.
fn shortened(graph: &mut Graph, id: Id) -> Id {
    let Some(number) = graph.as_number(id) else { return id };
    let (numerator, denominator) = (number.numerator().bit_len(), number.denominator().bit_len());
    let shift = (BITS + denominator).saturating_sub(numerator);
    if denominator <= BITS || shift == 0 {
        return id;
    }
    let scaled = (number.numerator().clone() << shift) / number.denominator().clone();
    let rounded = Rational::from_parts(scaled, UBig::ONE << shift);
    graph.number(rounded)
}

impl Scope<'_> {
    /// A call of a function that the block declares.
    pub(crate) fn call_declared(
        &mut self,
        name: &str,
        declared: &Declared,
        arguments: &[Expr],
        place: Place,
    ) -> Option<Value> {
        let values: Vec<Option<Value>> = arguments.iter().map(|argument| self.value(argument)).collect();
        let arity = match declared {
            Declared::Extern { arity, .. } => *arity,
            Declared::Table(_) => 1,
            Declared::Failed => return None,
        };
        if arguments.len() != arity {
            let expected = if arity == 1 { "1 argument".to_owned() } else { format!("{arity} arguments") };
            let mistake = Mistake::ArgumentCount {
                function: name.to_owned(),
                expected,
                found: arguments.len(),
                help: String::new(),
            };
            self.report.add(mistake, place);
            return None;
        }
        let mut ids = Vec::new();
        for (value, argument) in values.into_iter().collect::<Option<Vec<_>>>()?.iter().zip(arguments) {
            let scalar = value.as_scalar().ok_or_else(|| scalar_needed(&format!("the argument of `{name}`"), value));
            ids.push(self.checked(scalar, argument.place)?);
        }
        Some(Value::scalar(match declared {
            Declared::Extern { index, .. } => {
                self.graph.call(Function::Extern { index: *index, orders: Orders::NONE }, &ids)
            }
            Declared::Table(table) => table.at(&mut self.graph, ids[0]),
            Declared::Failed => return None,
        }))
    }

    /// Declares a table; what it needs of parameters is given to `assume`.
    pub(crate) fn declare_table(
        &mut self,
        name: &Ident,
        (knots, values): (&Expr, &Expr),
        assume: &mut dyn FnMut(Id, Id),
    ) -> Declared {
        let sides = [(knots, "the knots of a table"), (values, "the values of a table")].map(|(side, what)| {
            let value = self.value(side)?;
            if !matches!(value.shape, Shape::Vector(_)) {
                let mistake = Mistake::VectorNeeded { what: what.to_owned(), found: value.shape.to_string() };
                self.report.add(mistake, side.place);
                return None;
            }
            let is_moving = |symbol| !matches!(symbol, crate::graph::Symbol::Parameter(_));
            if value.entries.iter().any(|id| self.graph.contains(*id, is_moving)) {
                self.report.add(Mistake::MovingTable { name: plain(name) }, side.place);
                return None;
            }
            Some(value.entries)
        });
        let [Some(x), Some(y)] = sides else { return Declared::Failed };
        if x.len() != y.len() {
            let operation = "a table".to_owned();
            self.report
                .add(Mistake::Lengths { operation, left: x.len(), right: y.len() }, knots.place.to(values.place));
            return Declared::Failed;
        }
        if x.len() < 2 {
            self.report.add(Mistake::ShortTable { name: plain(name) }, knots.place);
            return Declared::Failed;
        }
        for pair in x.windows(2) {
            let step = self.graph.sub(pair[1], pair[0]);
            match self.graph.as_number(step) {
                Some(step) if *step > Rational::ZERO => {}
                Some(_) => {
                    self.report.add(Mistake::UnorderedTable { name: plain(name) }, knots.place);
                    return Declared::Failed;
                }
                None => assume(pair[1], pair[0]),
            }
        }
        let index = self.functions.values().filter(|declared| matches!(declared, Declared::Table(_))).count() as u32;
        Declared::Table(Table::natural_spline(&mut self.graph, index, &x, &y))
    }

    /// Declares a function of the user's own.
    pub(crate) fn declare_extern(&mut self, function: &ExternFunction, externs: &mut Vec<Extern>) -> Declared {
        let name = plain(&function.name);
        let arity = function.arguments.len();
        if arity == 0 || arity > MOST_ARGUMENTS {
            self.report.add(Mistake::ExternArguments { name, limit: MOST_ARGUMENTS }, &function.name);
            return Declared::Failed;
        }
        let arguments: Vec<String> = function.arguments.iter().map(plain).collect();
        for (position, argument) in arguments.iter().enumerate() {
            if arguments[..position].contains(argument) {
                let mistake = Mistake::ExternArgumentTwice { argument: argument.clone(), name };
                self.report.add(mistake, &function.arguments[position]);
                return Declared::Failed;
            }
        }
        let mut derivatives: Vec<(Orders, proc_macro2::TokenStream)> = Vec::new();
        for (by, path) in &function.derivatives {
            let mut orders = Orders::NONE;
            for argument in by {
                let Some(position) = arguments.iter().position(|known| *known == plain(argument)) else {
                    let mistake =
                        Mistake::UnknownArgument { argument: plain(argument), name, arguments: arguments.join(", ") };
                    self.report.add(mistake, argument);
                    return Declared::Failed;
                };
                orders = orders.with(position);
            }
            let is_known = orders == Orders::NONE || derivatives.iter().any(|(other, _)| *other == orders);
            if let (true, Some(first)) = (is_known, by.first()) {
                let by = by.iter().map(plain).collect::<Vec<_>>().join(", ");
                self.report.add(Mistake::ExternDerivativeTwice { by, name }, first);
                return Declared::Failed;
            }
            derivatives.push((orders, path.clone()));
        }
        let index = externs.len() as u32;
        externs.push(Extern {
            name,
            ident: function.name.clone(),
            arguments,
            path: function.path.clone(),
            derivatives,
        });
        Declared::Extern { index, arity }
    }
}
