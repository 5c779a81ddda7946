//! Evaluation in plain f64: the reference that emitted code is tested against.

use super::evaluate::{Arithmetic, evaluate};
use crate::graph::function::Function;
use crate::graph::{Graph, Id, Rational, Relation, Symbol};

/// The values of the expressions in f64, NaN where one is undefined or is a condition.
pub fn numeric(graph: &Graph, roots: &[Id], symbol: &dyn Fn(Symbol) -> f64) -> Vec<f64> {
    let order = graph.reachable(roots);
    let values = evaluate(&mut Plain, graph, &order, &mut |wanted| Some(symbol(wanted)));
    let value = |root: &Id| values.get(root.index())?.as_ref()?.real().copied();
    roots.iter().map(|root| value(root).unwrap_or(f64::NAN)).collect()
}

/// IEEE double precision; what is undefined is NaN or infinite.
#[derive(Clone, Copy, Debug)]
pub struct Plain;

impl Arithmetic for Plain {
    type Value = f64;

    fn rational(&mut self, value: &Rational) -> Option<f64> {
        Some(value.to_f64().value())
    }

    fn pi(&mut self) -> Option<f64> {
        Some(std::f64::consts::PI)
    }

    fn add(&mut self, a: &f64, b: &f64) -> Option<f64> {
        Some(a + b)
    }

    fn mul(&mut self, a: &f64, b: &f64) -> Option<f64> {
        Some(a * b)
    }

    fn power_rational(&mut self, a: &f64, exponent: &Rational) -> Option<f64> {
        let numerator = i32::try_from(exponent.numerator()).ok();
        let denominator = u32::try_from(exponent.denominator()).ok();
        Some(match (numerator, denominator) {
            (Some(power), Some(1)) => a.powi(power),
            (Some(power), Some(2)) => a.sqrt().powi(power),
            _ => a.powf(exponent.to_f64().value()),
        })
    }

    fn power(&mut self, a: &f64, b: &f64) -> Option<f64> {
        Some(a.powf(*b))
    }

    fn call(&mut self, function: Function, arguments: &[f64]) -> Option<f64> {
        function.value(arguments)
    }

    fn compare(&mut self, relation: Relation, a: &f64, b: &f64) -> Option<bool> {
        Some(match relation {
            Relation::Less => a < b,
            Relation::LessEqual => a <= b,
            Relation::Equal => a == b,
        })
    }
}
