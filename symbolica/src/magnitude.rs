//! Evaluation in f64 together with the sum of absolute terms, to which rounding errors are proportional.

use lagrange_symbolic::graph::function::Function;
use lagrange_symbolic::graph::value::{Arithmetic, Plain, evaluate};
use lagrange_symbolic::graph::{Graph, Id, Rational, Relation, Symbol};

/// A value, and the value of the same expression with every sum replaced by the sum of its terms' magnitudes.
#[derive(Clone, Copy, Debug)]
pub struct Valued {
    /// The value.
    pub value: f64,
    /// The sum of absolute terms.
    pub magnitude: f64,
}

/// The values of the expressions; `None` where one is undefined or infinite.
pub fn valued(graph: &Graph, roots: &[Id], symbol: &dyn Fn(Symbol) -> f64) -> Vec<Option<Valued>> {
    let order = graph.reachable(roots);
    let mut exact = |wanted| Some(Valued::of(symbol(wanted)));
    let values = evaluate(&mut Magnitude, graph, &order, &mut exact);
    let value = |root: &Id| values.get(root.index())?.as_ref()?.real().copied();
    roots.iter().map(|root| value(root).filter(|valued| valued.value.is_finite())).collect()
}

impl Valued {
    fn of(value: f64) -> Self {
        Self { value, magnitude: value.abs() }
    }
}

struct Magnitude;

impl Arithmetic for Magnitude {
    type Value = Valued;

    fn rational(&mut self, value: &Rational) -> Option<Valued> {
        Plain.rational(value).map(Valued::of)
    }

    fn pi(&mut self) -> Option<Valued> {
        Plain.pi().map(Valued::of)
    }

    fn add(&mut self, a: &Valued, b: &Valued) -> Option<Valued> {
        Some(Valued { value: a.value + b.value, magnitude: a.magnitude + b.magnitude })
    }

    fn mul(&mut self, a: &Valued, b: &Valued) -> Option<Valued> {
        Some(Valued { value: a.value * b.value, magnitude: a.magnitude * b.magnitude })
    }

    fn power_rational(&mut self, a: &Valued, exponent: &Rational) -> Option<Valued> {
        let value = Plain.power_rational(&a.value, exponent)?;
        // A cancellation in the base makes a relative error of the power.
        Some(Valued { value, magnitude: value.abs() * cancelled(a) })
    }

    fn power(&mut self, a: &Valued, b: &Valued) -> Option<Valued> {
        let value = Plain.power(&a.value, &b.value)?;
        Some(Valued { value, magnitude: value.abs() * cancelled(a) })
    }

    fn call(&mut self, function: Function, arguments: &[Valued]) -> Option<Valued> {
        let values: Vec<f64> = arguments.iter().map(|argument| argument.value).collect();
        if let Function::Extern { index, orders } = function {
            // Both engines treat the function as opaque, so that any values serve. Each function and each derivative
            // has its own.
            let place =
                orders.arguments().fold(f64::from(index) + 1.0, |place, argument| 3.0 * place + argument as f64);
            let sum: f64 = values.iter().zip(1..).map(|(value, weight)| value * f64::from(weight)).sum();
            return Some(Valued::of((place + sum).sin()));
        }
        Plain.call(function, &values).map(Valued::of)
    }

    fn compare(&mut self, relation: Relation, a: &Valued, b: &Valued) -> Option<bool> {
        Plain.compare(relation, &a.value, &b.value)
    }
}

/// The ratio of the sum of absolute terms to the value; 1 for a single term.
fn cancelled(a: &Valued) -> f64 {
    if a.value == 0.0 { 1.0 } else { a.magnitude / a.value.abs() }
}
