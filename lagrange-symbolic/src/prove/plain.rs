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
        let x = *arguments.first()?;
        let second = || arguments.get(1).copied();
        Some(match function {
            Function::Sin => x.sin(),
            Function::Cos => x.cos(),
            Function::Tan => x.tan(),
            Function::Asin => x.asin(),
            Function::Acos => x.acos(),
            Function::Atan => x.atan(),
            Function::Atan2 => x.atan2(second()?),
            Function::Sinh => x.sinh(),
            Function::Cosh => x.cosh(),
            Function::Tanh => x.tanh(),
            Function::Exp => x.exp(),
            Function::Ln => x.ln(),
            Function::Abs => x.abs(),
            Function::Sign if x == 0.0 => 0.0,
            Function::Sign => x.signum(),
            Function::Floor => x.floor(),
            Function::Mod => modulo(x, second()?),
            Function::Min => x.min(second()?),
            Function::Max => x.max(second()?),
            Function::Norm => {
                // Scaled by the largest, so that squares neither overflow nor vanish.
                let largest = arguments.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
                if largest == 0.0 || !largest.is_finite() {
                    return Some(largest);
                }
                largest * arguments.iter().map(|value| (value / largest).powi(2)).sum::<f64>().sqrt()
            }
            Function::RecipOrZero if x == 0.0 => 0.0,
            Function::RecipOrZero => x.recip(),
            Function::Sinc(order) => sinc(order, x),
            Function::Spline { .. } | Function::Extern { .. } => return None,
        })
    }

    fn compare(&mut self, relation: Relation, a: &f64, b: &f64) -> Option<bool> {
        Some(match relation {
            Relation::Less => a < b,
            Relation::LessEqual => a <= b,
            Relation::Equal => a == b,
        })
    }
}

/// x − y·floor(x/y), with one rounding.
fn modulo(x: f64, y: f64) -> f64 {
    let rest = x % y;
    if rest != 0.0 && (rest < 0.0) != (y < 0.0) { rest + y } else { rest }
}

/// The k-th derivative of sin(x)/x.
fn sinc(order: u32, x: f64) -> f64 {
    let k = f64::from(order);
    if x.abs() > 1.0 + k {
        // From x s = sin x, differentiated k times: x s⁽ᵏ⁾ + k s⁽ᵏ⁻¹⁾ = sin(x + k π/2).
        let mut value = x.sin() / x;
        for n in 1..=order {
            let wave = match n % 4 {
                0 => x.sin(),
                1 => x.cos(),
                2 => -x.sin(),
                _ => -x.cos(),
            };
            value = (wave - f64::from(n) * value) / x;
        }
        return value;
    }
    // Σ (−1)ⁿ x^(2n−k) / ((2n+1) (2n−k)!) over 2n ≥ k.
    let first = order.div_ceil(2);
    let (mut power, mut total) = (if order.is_multiple_of(2) { 1.0 } else { x }, 0.0);
    for n in first..first + 40 {
        let sign = if n % 2 == 0 { 1.0 } else { -1.0 };
        total += sign * power / f64::from(2 * n + 1);
        let next = f64::from(2 * n - order);
        power *= x * x / ((next + 1.0) * (next + 2.0));
    }
    total
}
