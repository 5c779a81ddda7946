//! The `table` statement: a natural cubic spline through stated values.

use super::declared::Declared;
use super::scope::Scope;
use super::value::Shape;
use crate::graph::function::Function;
use crate::graph::{Graph, Id, Rational, Symbol};
use crate::report::Mistake;
use crate::syntax::{Expr, plain};
use dashu_base::BitTest as _;
use dashu_int::UBig;
use proc_macro2::Ident;

/// A natural cubic spline: all arguments of its call except the first.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    /// Its position among the tables.
    pub(crate) index: u32,
    /// Its knots, its values, and its second derivatives at the knots.
    data: Vec<Id>,
}

/// Second derivatives with longer numerators and denominators than this are rounded to so many bits. That is far below
/// the precision of every proof. Exact numbers would have a length in proportion to the table's.
const BITS: usize = 512;

impl Table {
    /// The natural cubic spline through the given values. It continues as a straight line beyond both ends, so that the
    /// function is twice continuously differentiable everywhere.
    ///
    /// With hᵢ = xᵢ₊₁ − xᵢ and the second derivatives mᵢ at the knots, m₀ = mₙ = 0 and (de Boor, A Practical Guide to
    /// Splines, chapter IV)
    ///
    /// ```text
    /// hᵢ₋₁ mᵢ₋₁ + 2 (hᵢ₋₁ + hᵢ) mᵢ + hᵢ mᵢ₊₁ = 6 ((yᵢ₊₁ − yᵢ)/hᵢ − (yᵢ − yᵢ₋₁)/hᵢ₋₁)
    /// ```
    ///
    /// The system is diagonally dominant. It is eliminated without pivoting on the graph, so that the mᵢ are numbers,
    /// or expressions in parameters that `prepare` evaluates.
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
            let rise = graph.sub(slopes[i], slopes[i - 1]);
            let rise = graph.scale(&Rational::from(6), rise);
            let before = graph.mul(steps[i - 1], right[i - 1]);
            let rest = graph.sub(rise, before);
            right[i] = graph.div(rest, pivot);
            right[i] = shortened(graph, right[i]);
        }
        let mut second_derivatives = vec![zero; last + 1];
        for i in (1..last).rev() {
            let next = graph.mul(above[i], second_derivatives[i + 1]);
            second_derivatives[i] = graph.sub(right[i], next);
            second_derivatives[i] = shortened(graph, second_derivatives[i]);
        }
        Self { index, data: [x, y, &second_derivatives].concat() }
    }

    /// The value at x.
    pub(super) fn at(&self, graph: &mut Graph, x: Id) -> Id {
        graph.call(Function::Spline { table: self.index, order: 0 }, &[&[x], &self.data[..]].concat())
    }
}

/// The number rounded to [`BITS`] bits if it is longer. Other expressions are returned unchanged.
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
    /// Declares a table. Calls `assume(right, left)` for each pair of knots with right > left as a condition on
    /// parameters.
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
            let is_moving = |symbol| !matches!(symbol, Symbol::Parameter(_));
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
}
