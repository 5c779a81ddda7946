//! Splines as operations. The piece that contains the argument is found once for all orders of derivative; a polynomial
//! of its coefficients follows.

use super::{Builder, Evaluations, Operation, Value};
use crate::graph::function::spline::{Data, split};
use crate::graph::{Graph, Id, Rational, rational};

/// A spline whose data are numbers. There is a row for each knot: the knot, and the coefficients by ascending powers of
/// the distance from it. A row is valid up to the next knot.
#[derive(Clone, Debug)]
pub struct Numbers {
    /// The rows.
    pub rows: Vec<[Rational; 5]>,
    /// The distance between neighbouring knots, if all are equidistant.
    pub spacing: Option<Rational>,
}

/// The indices of the tables of numbers that an evaluation, `prepare` or its checks read.
pub fn used_tables(evaluations: &Evaluations) -> Vec<u32> {
    let mut used: Vec<u32> = evaluations
        .routines()
        .map(|(_, routine)| routine)
        .chain([&evaluations.preparation, &evaluations.checks])
        .chain(evaluations.implicits.iter().map(|program| &program.routine))
        .flat_map(|routine| &routine.steps)
        .filter_map(|step| match step.operation {
            Operation::Numbers(index) => Some(index),
            _ => None,
        })
        .collect();
    used.sort_unstable();
    used.dedup();
    used
}

impl Builder {
    /// A derivative of a spline.
    pub(super) fn lower_spline(&mut self, graph: &mut Graph, order: u8, arguments: &[Id]) -> Value {
        let Some((&x, data)) = split(arguments) else { return self.constant(Rational::ZERO) };
        let table = match self.number_table(graph, &arguments[1..], &data) {
            Some(index) => self.push(Operation::Numbers(index)),
            None => {
                let data = self.lower_all(graph, &arguments[1..]).into();
                self.push(Operation::Table(data))
            }
        };
        let x = self.lower(graph, x);
        let piece = self.push(Operation::Piece(table, x));
        let entry = |builder: &mut Self, index: u8| builder.push(Operation::Entry(index, piece));
        let origin = entry(self, 0);
        let offset = self.subtract(x, origin);
        let mut total = self.constant(Rational::ZERO);
        for power in (order..4).rev() {
            // The factor p!/(p − order)! of the derivative of xᵖ.
            let factor: i64 = (power - order + 1..=power).map(i64::from).product();
            let factor = self.constant(rational(factor, 1));
            let coefficient = entry(self, 1 + power);
            let coefficient = self.multiply(factor, coefficient);
            let product = self.multiply(total, offset);
            total = self.add(product, coefficient);
        }
        total
    }

    /// The index of a spline whose data are all numbers.
    fn number_table(&mut self, graph: &Graph, arguments: &[Id], data: &Data<'_, Id>) -> Option<u32> {
        if let Some(&index) = self.number_index.get(arguments) {
            return Some(index);
        }
        let exact = |ids: &[Id]| ids.iter().map(|&id| graph.as_number(id).cloned()).collect::<Option<Vec<Rational>>>();
        let (x, y, m) = (exact(data.knots)?, exact(data.values)?, exact(data.second_derivatives)?);
        let index = self.numbers.len() as u32;
        self.numbers.push(rows(&x, &y, &m));
        self.number_index.insert(arguments.to_vec(), index);
        Some(index)
    }
}

/// The pieces from x, y and y″ at the knots. The spline continues as a straight line beyond the last knot.
fn rows(x: &[Rational], y: &[Rational], m: &[Rational]) -> Numbers {
    let sixth = rational(1, 6);
    let mut rows = Vec::new();
    for i in 0..x.len() - 1 {
        let width = &x[i + 1] - &x[i];
        // A knot that stands twice has a second derivative for each side.
        if width.is_zero() {
            continue;
        }
        let secant = (&y[i + 1] - &y[i]) / &width;
        let slope = &secant - &width * (rational(2, 1) * &m[i] + &m[i + 1]) * &sixth;
        let cubic = (&m[i + 1] - &m[i]) / &width * &sixth;
        rows.push([x[i].clone(), y[i].clone(), slope, &m[i] * rational(1, 2), cubic]);
        if i + 2 == x.len() {
            let slope = secant + width * (&m[i] + rational(2, 1) * &m[i + 1]) * &sixth;
            rows.push([x[i + 1].clone(), y[i + 1].clone(), slope, Rational::ZERO, Rational::ZERO]);
        }
    }
    let spacing = &rows[1][0] - &rows[0][0];
    let is_even = rows.windows(2).all(|pair: &[[Rational; 5]]| &pair[1][0] - &pair[0][0] == spacing);
    Numbers { rows, spacing: is_even.then_some(spacing) }
}
