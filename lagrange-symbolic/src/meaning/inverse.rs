//! `inverse(f, y)`: the argument at which a table has a value.

use super::arithmetic::scalar_needed;
use super::declared::Declared;
use super::scope::Scope;
use super::table::{Form, Table};
use super::value::Value;
use crate::graph::function::Function;
use crate::graph::function::spline::split;
use crate::graph::{Defined, Graph, Id, Implicit, Rational, rational};
use crate::report::{Mistake, Place};
use crate::syntax::{Expr, ExprKind, plain};

/// The inverse of a table that rises or falls everywhere.
#[derive(Clone, Debug)]
pub(crate) enum Inverse {
    /// The inverse of lines, which consists of lines. Where the table falls, these lines are a function of −y.
    Lines { table: Table, falls: bool },
    /// The inverse of cubic pieces: the w that the equation 0 = ±(y − f(w)) defines.
    Root(Implicit),
}

/// Why a table has no inverse.
enum Fault {
    /// Its numbers depend on parameters.
    Parameters,
    /// Its slope vanishes or changes its sign behind this knot.
    Turns(Rational),
}

impl Scope<'_> {
    /// `inverse(f, y)`.
    pub(super) fn inverse(&mut self, arguments: &[Expr], place: Place) -> Option<Value> {
        let found = match arguments {
            [table, argument] => match &table.kind {
                ExprKind::Name(name) => return self.inverse_of(&plain(name), table.place, argument),
                _ => format!("`{table}`"),
            },
            [_] => "1 argument".to_owned(),
            _ => format!("{} arguments", arguments.len()),
        };
        self.not_a_table(found, place);
        None
    }

    fn not_a_table(&mut self, found: String, place: Place) {
        let is_table = |(_, declared): &(&String, &Declared)| matches!(declared, Declared::Table(_));
        let names: Vec<String> = self.functions.iter().filter(is_table).map(|(name, _)| format!("`{name}`")).collect();
        let tables = match names.len() {
            0 => "the block has no table of one argument".to_owned(),
            _ => format!("tables of one argument are {}", names.join(" ")),
        };
        self.report.add(Mistake::InverseForm { found, tables }, place);
    }

    fn inverse_of(&mut self, name: &str, place: Place, argument: &Expr) -> Option<Value> {
        let inverse = match self.functions.get(name) {
            Some(Declared::Table(table)) => match &table.inverse {
                Some(inverse) => (**inverse).clone(),
                None => {
                    let table = table.clone();
                    let inverse = self.new_inverse(name, &table, place)?;
                    let known = Table { inverse: Some(Box::new(inverse.clone())), ..table };
                    self.functions.insert(name.to_owned(), Declared::Table(known));
                    inverse
                }
            },
            Some(Declared::Failed) => return None,
            Some(Declared::Surface(_) | Declared::Extern { .. }) | None => {
                self.not_a_table(format!("`{name}`"), place);
                return None;
            }
        };
        let value = self.value(argument)?;
        let scalar = value.as_scalar().ok_or_else(|| scalar_needed("the second argument of `inverse`", &value));
        let y = self.checked(scalar, argument.place)?;
        Some(Value::scalar(inverse.at(&mut self.graph, y)))
    }

    fn new_inverse(&mut self, name: &str, table: &Table, place: Place) -> Option<Inverse> {
        match Inverse::of(&mut self.graph, name, table) {
            Ok(inverse) => Some(inverse),
            Err(fault) => {
                let (why, help) = match fault {
                    Fault::Parameters => (
                        "its numbers depend on parameters".to_owned(),
                        "the inverse of straight lines through increasing values is the table with its arrays exchanged".to_owned(),
                    ),
                    Fault::Turns(knot) => (
                        format!(
                            "its slope is 0 or changes its sign behind the knot {}",
                            knot.to_f64().value()
                        ),
                        "beyond its ends a table goes on as a straight line with its slope there; between them `pchip` rises \
                         or falls where its values do"
                            .to_owned(),
                    ),
                };
                self.report.add(Mistake::NoInverse { name: name.to_owned(), why, help }, place);
                None
            }
        }
    }
}

impl Inverse {
    fn of(graph: &mut Graph, name: &str, table: &Table) -> Result<Self, Fault> {
        match &table.form {
            Form::Linear { start, bends } => Self::of_lines(graph, table.index, *start, bends),
            Form::Cubic(data) => Self::of_pieces(graph, name, table.index, data),
        }
    }

    fn of_lines(graph: &mut Graph, index: u32, start: [Id; 3], bends: &[(Id, Id)]) -> Result<Self, Fault> {
        let number = |id: Id| graph.as_number(id).cloned().ok_or(Fault::Parameters);
        let [mut knot, mut value, mut slope] = [number(start[0])?, number(start[1])?, number(start[2])?];
        let falls = slope < Rational::ZERO;
        let side = if falls { Rational::NEG_ONE } else { Rational::ONE };
        let is_steep = |slope: &Rational| slope * &side > Rational::ZERO;
        if !is_steep(&slope) {
            return Err(Fault::Turns(knot));
        }
        let first = [&value * &side, knot.clone(), Rational::ONE / (&slope * &side)];
        let mut turned = Vec::new();
        for (next, bend) in bends {
            let (next, after) = (number(*next)?, &slope + number(*bend)?);
            value += &slope * (&next - &knot);
            if !is_steep(&after) {
                return Err(Fault::Turns(next));
            }
            turned.push((&value * &side, Rational::ONE / (&after * &side) - Rational::ONE / (&slope * &side)));
            (knot, slope) = (next, after);
        }
        let mut id = |number: Rational| graph.number(number);
        let start = first.map(&mut id);
        let bends = turned.into_iter().map(|(knot, bend)| (id(knot), id(bend))).collect();
        Ok(Self::Lines { table: Table::new(index, Form::Linear { start, bends }), falls })
    }

    fn of_pieces(graph: &mut Graph, name: &str, index: u32, data: &[Id]) -> Result<Self, Fault> {
        let falls = falls(graph, data)?;
        let symbols = graph.scratch_symbols(2);
        let (w, y) = (graph.symbol(symbols[0]), graph.symbol(symbols[1]));
        let mut call = |order| graph.call(Function::Spline { table: index, order }, &[&[w], data].concat());
        let (value, slope) = (call(0), call(1));
        let (residual, positive) =
            if falls { (graph.sub(value, y), graph.neg(slope)) } else { (graph.sub(y, value), slope) };
        let one = graph.one();
        let by_value = graph.div(one, slope);
        Ok(Self::Root(Implicit {
            of: Defined::Inverse(name.to_owned()),
            unknowns: vec![symbols[0]],
            arguments: vec![symbols[1]],
            residual: vec![residual],
            slope: vec![vec![positive]],
            by_argument: vec![vec![by_value]],
            is_unique: true,
        }))
    }

    /// The argument at which the table has the value y.
    fn at(&self, graph: &mut Graph, y: Id) -> Id {
        match self {
            Self::Lines { table, falls } => {
                let y = if *falls { graph.neg(y) } else { y };
                table.at(graph, y)
            }
            Self::Root(implicit) => graph.define_implicit(implicit.clone(), &[y]).0[0],
        }
    }
}

/// Whether the cubic pieces fall everywhere; otherwise they rise everywhere.
fn falls(graph: &Graph, data: &[Id]) -> Result<bool, Fault> {
    let exact: Option<Vec<Rational>> = data.iter().map(|&id| graph.as_number(id).cloned()).collect();
    let exact = exact.ok_or(Fault::Parameters)?;
    // The argument of a call stands before the data.
    let arguments = [&[Rational::ZERO], &exact[..]].concat();
    let Some((_, data)) = split(&arguments) else { return Err(Fault::Parameters) };
    let mut direction: Option<bool> = None;
    for i in 0..data.knots.len() - 1 {
        let width = &data.knots[i + 1] - &data.knots[i];
        if width.is_zero() {
            continue;
        }
        let secant = (&data.values[i + 1] - &data.values[i]) / &width;
        let (first, second) = (&data.second_derivatives[i], &data.second_derivatives[i + 1]);
        // On the piece the slope is left + bend t + half t², with t from 0 to 1.
        let left = &secant - &width * (rational(2, 1) * first + second) * rational(1, 6);
        let right = &secant + &width * (first + rational(2, 1) * second) * rational(1, 6);
        let (bend, half) = (&width * first, &width * (second - first) * rational(1, 2));
        let mut slopes = vec![left.clone(), right];
        if !half.is_zero() {
            let turn = -&bend / (rational(2, 1) * &half);
            if turn > Rational::ZERO && turn < Rational::ONE {
                slopes.push(left - &bend * &bend / (rational(4, 1) * half));
            }
        }
        let falling = slopes[0] < Rational::ZERO;
        let is_other = |slope: &Rational| slope.is_zero() || (*slope < Rational::ZERO) != falling;
        if slopes.iter().any(is_other) || direction.is_some_and(|direction| direction != falling) {
            return Err(Fault::Turns(data.knots[i].clone()));
        }
        direction = Some(falling);
    }
    direction.ok_or(Fault::Parameters)
}
