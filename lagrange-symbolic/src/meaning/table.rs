//! The `table` statement: splines, monotone cubic pieces and straight lines through stated values of one argument or of two.

use super::declared::Declared;
use super::inverse::Inverse;
use super::scope::Scope;
use super::value::{Shape, Value};
use crate::graph::function::Function;
use crate::graph::{Graph, Id, Rational, Relation, Symbol};
use crate::report::Mistake;
use crate::syntax::{Expr, Interpolation, plain};
use dashu_base::BitTest as _;
use dashu_int::UBig;
use proc_macro2::Ident;

/// A function of one argument through stated values.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    /// Its position among the tables.
    pub(crate) index: u32,
    pub(super) form: Form,
    /// Its inverse, once the block has called it.
    pub(super) inverse: Option<Box<Inverse>>,
}

/// A function of two arguments through the values at the knots of a grid.
///
/// An interpolation that is linear in the values is a sum of products of tables of one argument. With the values zᵢⱼ at (xᵢ, yⱼ)
///
/// ```text
/// f(x, y) = Σ cᵢ(x) gᵢ(y),   cᵢ(xₖ) = 1 where i = k, else 0,   gᵢ(yⱼ) = zᵢⱼ,
/// ```
///
/// and the same by columns. The shorter sum is taken. Of splines it is the natural bicubic one, twice continuously differentiable everywhere,
/// and of lines the bilinear one (C. de Boor, A Practical Guide to Splines, chapter XVII).
#[derive(Clone, Debug)]
pub(crate) struct Surface {
    /// Whether the terms belong to the knots of the second argument.
    is_by_column: bool,
    /// The tables of each term, those of the knot's argument first, with their names.
    terms: Vec<[(Table, String); 2]>,
}

#[derive(Clone, Debug)]
pub(super) enum Form {
    /// All arguments of the call of a spline except the first: knots, values, and second derivatives at the knots. An inner knot
    /// stands twice where the second derivatives on its two sides differ.
    Cubic(Vec<Id>),
    /// Lines: the first knot, the value and the slope there, and each inner knot with the change of the slope at it.
    Linear { start: [Id; 3], bends: Vec<(Id, Id)> },
}

/// The parts of a `table` statement.
pub(super) struct Stated<'s> {
    pub(super) arguments: &'s [Ident],
    pub(super) knots: &'s [Expr],
    pub(super) values: &'s Expr,
    pub(super) interpolation: Interpolation,
    pub(super) slopes: Option<&'s Expr>,
}

/// The most knots of a linear table. Each has a switching function of its own.
const MOST_LINEAR: usize = 64;

/// The most terms of a table of two arguments: the knots of the argument that has fewer.
const MOST_TERMS: usize = 40;

/// Second derivatives with longer numerators and denominators than this are rounded to so many bits. That is far below
/// the precision of every proof. Exact numbers would have a length in proportion to the table's.
const BITS: usize = 512;

/// The distances of the knots, and the slopes of the lines between them.
fn secants(graph: &mut Graph, x: &[Id], y: &[Id]) -> (Vec<Id>, Vec<Id>) {
    let steps: Vec<Id> = x.windows(2).map(|pair| graph.sub(pair[1], pair[0])).collect();
    let rises = y.windows(2).zip(&steps).map(|(pair, step)| {
        let rise = graph.sub(pair[1], pair[0]);
        graph.div(rise, *step)
    });
    let slopes = rises.collect();
    (steps, slopes)
}

impl Form {
    /// The cubic spline through the given values. It continues as a straight line beyond both ends. Without stated slopes at
    /// the ends it is the natural one, which is twice continuously differentiable everywhere.
    ///
    /// With hᵢ = xᵢ₊₁ − xᵢ, the secants δᵢ = (yᵢ₊₁ − yᵢ)/hᵢ and the second derivatives mᵢ at the knots (de Boor, A Practical Guide to
    /// Splines, chapter IV)
    ///
    /// ```text
    /// hᵢ₋₁ mᵢ₋₁ + 2 (hᵢ₋₁ + hᵢ) mᵢ + hᵢ mᵢ₊₁ = 6 (δᵢ − δᵢ₋₁)
    /// ```
    ///
    /// and m₀ = mₙ = 0, or with the slopes a and b at the ends 2 h₀ m₀ + h₀ m₁ = 6 (δ₀ − a), hₙ₋₁ mₙ₋₁ + 2 hₙ₋₁ mₙ = 6 (b − δₙ₋₁).
    ///
    /// The system is diagonally dominant. It is eliminated without pivoting on the graph, so that the mᵢ are numbers,
    /// or expressions in parameters that `prepare` evaluates.
    fn spline(graph: &mut Graph, x: &[Id], y: &[Id], ends: Option<[Id; 2]>) -> Self {
        let zero = graph.zero();
        let (steps, slopes) = secants(graph, x, y);
        let last = x.len() - 1;
        // Row i after elimination: mᵢ + above[i] mᵢ₊₁ = right[i].
        let mut above = vec![zero; last + 1];
        let mut right = vec![zero; last + 1];
        let range = if ends.is_some() { 0..=last } else { 1..=last - 1 };
        for i in range {
            let before = if i > 0 { steps[i - 1] } else { zero };
            let after = if i < last { steps[i] } else { zero };
            let both = graph.add(before, after);
            let twice = graph.scale(&Rational::from(2), both);
            let (lower, known) = if i > 0 { (above[i - 1], right[i - 1]) } else { (zero, zero) };
            let filled = graph.mul(before, lower);
            let pivot = graph.sub(twice, filled);
            above[i] = graph.div(after, pivot);
            above[i] = shortened(graph, above[i]);
            let slope_before = if i > 0 { slopes[i - 1] } else { ends.map_or(zero, |ends| ends[0]) };
            let slope_after = if i < last { slopes[i] } else { ends.map_or(zero, |ends| ends[1]) };
            let rise = graph.sub(slope_after, slope_before);
            let rise = graph.scale(&Rational::from(6), rise);
            let known = graph.mul(before, known);
            let rest = graph.sub(rise, known);
            right[i] = graph.div(rest, pivot);
            right[i] = shortened(graph, right[i]);
        }
        let mut second_derivatives = right;
        for i in (0..last).rev() {
            let next = graph.mul(above[i], second_derivatives[i + 1]);
            second_derivatives[i] = graph.sub(second_derivatives[i], next);
            second_derivatives[i] = shortened(graph, second_derivatives[i]);
        }
        Self::Cubic([x, y, &second_derivatives].concat())
    }

    /// Cubic pieces with the slopes of Fritsch and Butland (A method for constructing local monotone piecewise cubic
    /// interpolants, SIAM J. Sci. Stat. Comput. 5, 1984) at the inner knots:
    ///
    /// ```text
    /// dᵢ = (w + w′) δᵢ₋₁ δᵢ/(w δᵢ + w′ δᵢ₋₁),  w = 2 hᵢ + hᵢ₋₁, w′ = hᵢ + 2 hᵢ₋₁,  where δᵢ₋₁ δᵢ > 0, else dᵢ = 0
    /// ```
    ///
    /// The slopes at the ends are those of the parabola through three knots, limited to 0 and 3 δ. The function is monotone where
    /// the values are, and has a continuous slope. It continues as a straight line beyond both ends.
    fn monotone(graph: &mut Graph, x: &[Id], y: &[Id]) -> Self {
        let (steps, secants) = secants(graph, x, y);
        let last = x.len() - 1;
        let mut slopes = Vec::with_capacity(last + 1);
        for i in 0..=last {
            let slope = match i {
                _ if last == 1 => secants[0],
                0 => end_slope(graph, [steps[0], steps[1]], [secants[0], secants[1]]),
                _ if i == last => end_slope(graph, [steps[i - 1], steps[i - 2]], [secants[i - 1], secants[i - 2]]),
                _ => inner_slope(graph, [steps[i - 1], steps[i]], [secants[i - 1], secants[i]]),
            };
            slopes.push(slope);
        }
        let (mut knots, mut values, mut bends) = (Vec::new(), Vec::new(), Vec::new());
        for i in 0..last {
            // The second derivatives at the two ends of a cubic piece.
            let [left, right] =
                [(slopes[i], slopes[i + 1], 1), (slopes[i + 1], slopes[i], -1)].map(|(near, far, sign)| {
                    let parts = [(secants[i], 6), (near, -4), (far, -2)].map(|(id, c)| (id, Rational::from(c * sign)));
                    let bend = graph.sum(parts.to_vec(), Rational::ZERO);
                    graph.div(bend, steps[i])
                });
            knots.extend([x[i], x[i + 1]]);
            values.extend([y[i], y[i + 1]]);
            bends.extend([left, right]);
        }
        Self::Cubic([knots, values, bends].concat())
    }

    /// Straight lines, the first and the last of which continue beyond the ends.
    fn linear(graph: &mut Graph, x: &[Id], y: &[Id]) -> Self {
        let (_, slopes) = secants(graph, x, y);
        let bends = x[1..].iter().zip(slopes.windows(2)).map(|(&knot, pair)| (knot, graph.sub(pair[1], pair[0])));
        Self::Linear { bends: bends.collect(), start: [x[0], y[0], slopes[0]] }
    }
}

/// The slope at an inner knot, from the steps and secants on its two sides.
fn inner_slope(graph: &mut Graph, steps: [Id; 2], secants: [Id; 2]) -> Id {
    let weight = |graph: &mut Graph, near: Id, far: Id| {
        graph.sum(vec![(near, Rational::from(2)), (far, Rational::ONE)], Rational::ZERO)
    };
    let weights = [weight(graph, steps[1], steps[0]), weight(graph, steps[0], steps[1])];
    let (both, product) = (graph.add(weights[0], weights[1]), graph.mul(secants[0], secants[1]));
    let (first, second) = (graph.mul(weights[0], secants[1]), graph.mul(weights[1], secants[0]));
    let below = graph.add(first, second);
    let above = graph.mul(both, product);
    let zero = graph.zero();
    let rises = graph.compare(Relation::Less, zero, product);
    let slope = graph.div(above, below);
    graph.select(rises, slope, zero)
}

/// The slope at an end, from the steps and secants of the two pieces next to it, the nearest first.
fn end_slope(graph: &mut Graph, steps: [Id; 2], secants: [Id; 2]) -> Id {
    let twice = graph.sum(vec![(steps[0], Rational::from(2)), (steps[1], Rational::ONE)], Rational::ZERO);
    let (near, far) = (graph.mul(twice, secants[0]), graph.mul(steps[0], secants[1]));
    let (rise, width) = (graph.sub(near, far), graph.add(steps[0], steps[1]));
    let slope = graph.div(rise, width);
    let limit = graph.scale(&Rational::from(3), secants[0]);
    let zero = graph.zero();
    // |d| > 3 |δ| where δ and the next secant differ in sign: d − 3 δ has the sign of δ.
    let over = graph.sub(slope, limit);
    let [with_secant, with_next, beyond] = [slope, secants[1], over].map(|other| graph.mul(secants[0], other));
    let turns = graph.compare(Relation::Less, with_next, zero);
    let exceeds = graph.compare(Relation::Less, zero, beyond);
    let limited = graph.and(turns, exceeds);
    let held = graph.select(limited, limit, slope);
    let rises = graph.compare(Relation::Less, zero, with_secant);
    graph.select(rises, held, zero)
}

impl Surface {
    /// The value at a point.
    pub(super) fn at(&self, graph: &mut Graph, [x, y]: [Id; 2]) -> Id {
        let [own, other] = if self.is_by_column { [y, x] } else { [x, y] };
        let product = |[(table, _), (row, _)]: &[(Table, String); 2]| {
            let (weight, value) = (table.at(graph, own), row.at(graph, other));
            graph.mul(weight, value)
        };
        let terms: Vec<Id> = self.terms.iter().map(product).collect();
        graph.add_all(&terms)
    }

    /// The tables of one argument that it consists of: their positions among the tables, and their names.
    pub(super) fn names(&self) -> impl Iterator<Item = (u32, String)> + '_ {
        self.terms.iter().flatten().map(|(table, name)| (table.index, name.clone()))
    }
}

impl Table {
    pub(super) fn new(index: u32, form: Form) -> Self {
        Self { index, form, inverse: None }
    }

    /// The value at x.
    pub(super) fn at(&self, graph: &mut Graph, x: Id) -> Id {
        match &self.form {
            Form::Cubic(data) => {
                graph.call(Function::Spline { table: self.index, order: 0 }, &[&[x], &data[..]].concat())
            }
            Form::Linear { start: [knot, value, slope], bends } => {
                let zero = graph.zero();
                let distance = graph.sub(x, *knot);
                let rise = graph.mul(*slope, distance);
                let mut terms = vec![*value, rise];
                for (knot, bend) in bends {
                    let distance = graph.sub(x, *knot);
                    let beyond = graph.call(Function::Max, &[distance, zero]);
                    terms.push(graph.mul(*bend, beyond));
                }
                graph.add_all(&terms)
            }
        }
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
        stated: &Stated<'_>,
        assume: &mut dyn FnMut(Id, Id),
    ) -> Declared {
        let mut axes = Vec::new();
        for knots in stated.knots {
            let Some(x) = self.knots(name, knots, stated.interpolation, assume) else { return Declared::Failed };
            axes.push(x);
        }
        let declared = match &axes[..] {
            [x] => self.curve(name, stated, x).map(Declared::Table),
            [x, y] => self.surface(name, stated, [x, y]).map(Declared::Surface),
            _ => None,
        };
        declared.unwrap_or(Declared::Failed)
    }

    /// The knots of one argument. They increase.
    fn knots(
        &mut self,
        name: &Ident,
        knots: &Expr,
        interpolation: Interpolation,
        assume: &mut dyn FnMut(Id, Id),
    ) -> Option<Vec<Id>> {
        let x = self.data(name, knots, "the knots of a table")?.entries;
        if x.len() < 2 {
            self.report.add(Mistake::ShortTable { name: plain(name) }, knots.place);
            return None;
        }
        for pair in x.windows(2) {
            let step = self.graph.sub(pair[1], pair[0]);
            match self.graph.as_number(step) {
                Some(step) if *step > Rational::ZERO => {}
                Some(_) => {
                    self.report.add(Mistake::UnorderedTable { name: plain(name) }, knots.place);
                    return None;
                }
                None => assume(pair[1], pair[0]),
            }
        }
        if interpolation == Interpolation::Linear && x.len() > MOST_LINEAR {
            self.report.add(Mistake::LongTable { name: plain(name), limit: MOST_LINEAR }, knots.place);
            return None;
        }
        Some(x)
    }

    /// A table of one argument.
    fn curve(&mut self, name: &Ident, stated: &Stated<'_>, x: &[Id]) -> Option<Table> {
        let &Stated { knots, values, interpolation, slopes, .. } = stated;
        let y = self.data(name, values, "the values of a table")?.entries;
        if x.len() != y.len() {
            let operation = "a table".to_owned();
            let mistake = Mistake::Lengths { operation, left: x.len(), right: y.len() };
            self.report.add(mistake, knots[0].place.to(values.place));
            return None;
        }
        let ends = match slopes {
            None => None,
            Some(slopes) => {
                let stated = self.data(name, slopes, "the slopes of a table")?.entries;
                let Ok(ends) = <[Id; 2]>::try_from(stated.as_slice()) else {
                    let mistake = Mistake::TableSlopes { name: plain(name), found: stated.len() };
                    self.report.add(mistake, slopes.place);
                    return None;
                };
                Some(ends)
            }
        };
        let form = match interpolation {
            Interpolation::Linear => Form::linear(&mut self.graph, x, &y),
            Interpolation::Monotone => Form::monotone(&mut self.graph, x, &y),
            Interpolation::Spline => Form::spline(&mut self.graph, x, &y, ends),
        };
        Some(Table::new(self.table_count(), form))
    }

    /// A table of two arguments.
    fn surface(&mut self, name: &Ident, stated: &Stated<'_>, axes: [&[Id]; 2]) -> Option<Surface> {
        let &Stated { arguments, values, interpolation, .. } = stated;
        let value = self.value(values)?;
        let shape = Shape::Matrix(axes[0].len(), axes[1].len());
        if value.shape != shape {
            let (name, needed, found) = (plain(name), shape.to_string(), value.shape.to_string());
            self.report.add(Mistake::TableRows { name, needed, found }, values.place);
            return None;
        }
        self.still(name, &value, values)?;
        let (zero, one) = (self.graph.zero(), self.graph.one());
        let is_by_column = axes[1].len() < axes[0].len();
        let [own, other] = if is_by_column { [1, 0] } else { [0, 1] };
        let count = axes[own].len();
        if count > MOST_TERMS {
            self.report.add(Mistake::LargeTable { name: plain(name), limit: MOST_TERMS }, values.place);
            return None;
        }
        let (mut index, mut terms) = (self.table_count(), Vec::with_capacity(count));
        for k in 0..count {
            let unit: Vec<Id> = (0..count).map(|i| if i == k { one } else { zero }).collect();
            let entry = |l: usize| if is_by_column { (l, k) } else { (k, l) };
            let line = (0..axes[other].len()).map(|l| {
                let (row, column) = entry(l);
                value.entries[row * axes[1].len() + column]
            });
            let line: Vec<Id> = line.collect();
            let mut table = |x: &[Id], y: &[Id], axis: usize| {
                let form = match interpolation {
                    Interpolation::Linear => Form::linear(&mut self.graph, x, y),
                    Interpolation::Spline | Interpolation::Monotone => Form::spline(&mut self.graph, x, y, None),
                };
                index += 1;
                let name = format!("{}_{}{}", plain(name), plain(&arguments[axis]), k + 1);
                (Table::new(index - 1, form), name)
            };
            terms.push([table(axes[own], &unit, own), table(axes[other], &line, other)]);
        }
        Some(Surface { is_by_column, terms })
    }

    /// The numbers of a table, which may depend on parameters.
    fn data(&mut self, name: &Ident, side: &Expr, what: &str) -> Option<Value> {
        let value = self.value(side)?;
        if !matches!(value.shape, Shape::Vector(_)) {
            let mistake = Mistake::VectorNeeded { what: what.to_owned(), found: value.shape.to_string() };
            self.report.add(mistake, side.place);
            return None;
        }
        self.still(name, &value, side)?;
        Some(value)
    }

    /// Reports numbers of a table that depend on more than parameters.
    fn still(&mut self, name: &Ident, value: &Value, side: &Expr) -> Option<()> {
        let is_moving = |symbol| !matches!(symbol, Symbol::Parameter(_));
        if value.entries.iter().any(|id| self.graph.contains(*id, is_moving)) {
            self.report.add(Mistake::MovingTable { name: plain(name) }, side.place);
            return None;
        }
        Some(())
    }
}
