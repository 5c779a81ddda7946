//! Dual numbers over any arithmetic: derivatives that are independent of the graph. Kinks and jumps are undefined.

use lagrange_symbolic::graph::function::Function;
use lagrange_symbolic::graph::value::Arithmetic;
use lagrange_symbolic::graph::{Rational, Relation};

/// Pairs (value, derivative).
pub(crate) struct Dual<A>(pub(crate) A);

impl<A: Arithmetic> Dual<A> {
    fn zero(&mut self) -> Option<A::Value> {
        self.0.rational(&Rational::ZERO)
    }

    fn is_zero(&mut self, x: &A::Value) -> Option<bool> {
        let zero = self.zero()?;
        self.0.compare(Relation::Equal, x, &zero)
    }

    fn inverse(&mut self, x: &A::Value) -> Option<A::Value> {
        self.0.power_rational(x, &Rational::NEG_ONE)
    }

    fn scale(&mut self, factor: i64, x: &A::Value) -> Option<A::Value> {
        let factor = self.0.rational(&Rational::from(factor))?;
        self.0.mul(&factor, x)
    }

    /// a + b x².
    fn square_plus(&mut self, a: i64, b: i64, x: &A::Value) -> Option<A::Value> {
        let square = self.0.mul(x, x)?;
        let scaled = self.scale(b, &square)?;
        let constant = self.0.rational(&Rational::from(a))?;
        self.0.add(&constant, &scaled)
    }

    /// The derivative of a function of one argument.
    fn slope(&mut self, function: Function, x: &A::Value, value: &A::Value) -> Option<A::Value> {
        let argument = std::slice::from_ref(x);
        let half = Rational::ONE / Rational::from(2);
        match function {
            Function::Sin => self.0.call(Function::Cos, argument),
            Function::Cos => {
                let sine = self.0.call(Function::Sin, argument)?;
                self.scale(-1, &sine)
            }
            Function::Tan => self.square_plus(1, 1, value),
            Function::Tanh => self.square_plus(1, -1, value),
            Function::Asin | Function::Acos => {
                let square = self.square_plus(1, -1, x)?;
                let slope = self.0.power_rational(&square, &-half)?;
                self.scale(if function == Function::Asin { 1 } else { -1 }, &slope)
            }
            Function::Atan => {
                let square = self.square_plus(1, 1, x)?;
                self.inverse(&square)
            }
            Function::Sinh => self.0.call(Function::Cosh, argument),
            Function::Cosh => self.0.call(Function::Sinh, argument),
            Function::Exp => Some(value.clone()),
            Function::Ln => self.inverse(x),
            Function::Abs | Function::Sign | Function::RecipOrZero if self.is_zero(x)? => None,
            Function::Abs => self.0.call(Function::Sign, argument),
            Function::Floor if self.0.compare(Relation::Equal, x, value)? => None,
            Function::Sign | Function::Floor => self.zero(),
            Function::RecipOrZero => {
                let square = self.0.mul(value, value)?;
                self.scale(-1, &square)
            }
            Function::Sinc(order) => self.0.call(Function::Sinc(order + 1), argument),
            Function::Mod
            | Function::Atan2
            | Function::Min
            | Function::Max
            | Function::Norm
            | Function::Spline { .. }
            | Function::Implicit { .. }
            | Function::Extern { .. } => None,
        }
    }
}

impl<A: Arithmetic> Arithmetic for Dual<A> {
    type Value = (A::Value, A::Value);

    fn rational(&mut self, value: &Rational) -> Option<Self::Value> {
        Some((self.0.rational(value)?, self.zero()?))
    }

    fn pi(&mut self) -> Option<Self::Value> {
        Some((self.0.pi()?, self.zero()?))
    }

    fn add(&mut self, a: &Self::Value, b: &Self::Value) -> Option<Self::Value> {
        Some((self.0.add(&a.0, &b.0)?, self.0.add(&a.1, &b.1)?))
    }

    fn mul(&mut self, a: &Self::Value, b: &Self::Value) -> Option<Self::Value> {
        let (left, right) = (self.0.mul(&a.1, &b.0)?, self.0.mul(&a.0, &b.1)?);
        Some((self.0.mul(&a.0, &b.0)?, self.0.add(&left, &right)?))
    }

    fn power_rational(&mut self, a: &Self::Value, exponent: &Rational) -> Option<Self::Value> {
        let value = self.0.power_rational(&a.0, exponent)?;
        let less = exponent - Rational::ONE;
        let power = if less.is_zero() { self.0.rational(&less)? } else { self.0.power_rational(&a.0, &less)? };
        let power = if less.is_zero() { self.0.rational(&Rational::ONE)? } else { power };
        let factor = self.0.rational(exponent)?;
        let slope = self.0.mul(&factor, &power)?;
        Some((value, self.0.mul(&slope, &a.1)?))
    }

    fn power(&mut self, a: &Self::Value, b: &Self::Value) -> Option<Self::Value> {
        // a^b = exp(b ln a).
        let logarithm = self.call(Function::Ln, std::slice::from_ref(a))?;
        let exponent = self.mul(b, &logarithm)?;
        self.call(Function::Exp, &[exponent])
    }

    fn call(&mut self, function: Function, arguments: &[Self::Value]) -> Option<Self::Value> {
        let values: Vec<A::Value> = arguments.iter().map(|argument| argument.0.clone()).collect();
        let value = self.0.call(function, &values)?;
        let slope = match function {
            Function::Min | Function::Max => {
                let first = self.0.compare(Relation::Less, &values[0], &values[1])?;
                if !first && !self.0.compare(Relation::Less, &values[1], &values[0])? {
                    return None;
                }
                let taken = if first == (function == Function::Min) { 0 } else { 1 };
                arguments[taken].1.clone()
            }
            Function::Mod => {
                // mod(x, y) jumps where it is 0. Elsewhere y·floor(x/y) is x minus the value.
                if self.is_zero(&value)? {
                    return None;
                }
                let ((x, x_change), (y, y_change)) = (&arguments[0], &arguments[1]);
                let minus = self.scale(-1, &value)?;
                let whole = self.0.add(x, &minus)?;
                let inverse = self.inverse(y)?;
                let turns = self.0.mul(&whole, &inverse)?;
                let turned = self.0.mul(&turns, y_change)?;
                let turned = self.scale(-1, &turned)?;
                self.0.add(x_change, &turned)?
            }
            Function::Norm => {
                if self.is_zero(&value)? {
                    return None;
                }
                let mut total = self.zero()?;
                for (x, change) in arguments {
                    let product = self.0.mul(x, change)?;
                    total = self.0.add(&total, &product)?;
                }
                let inverse = self.inverse(&value)?;
                self.0.mul(&total, &inverse)?
            }
            Function::Atan2 => {
                let ((y, y_change), (x, x_change)) = (&arguments[0], &arguments[1]);
                let (left, right) = (self.0.mul(x, y_change)?, self.0.mul(y, x_change)?);
                let right = self.scale(-1, &right)?;
                let cross = self.0.add(&left, &right)?;
                let (x, y) = (self.0.mul(x, x)?, self.0.mul(y, y)?);
                let square = self.0.add(&x, &y)?;
                let inverse = self.inverse(&square)?;
                self.0.mul(&cross, &inverse)?
            }
            _ => {
                let slope = self.slope(function, &values[0], &value)?;
                self.0.mul(&slope, &arguments[0].1)?
            }
        };
        Some((value, slope))
    }

    fn compare(&mut self, relation: Relation, a: &Self::Value, b: &Self::Value) -> Option<bool> {
        // A selection jumps where both sides are equal.
        if self.0.compare(Relation::Equal, &a.0, &b.0)? {
            return None;
        }
        self.0.compare(relation, &a.0, &b.0)
    }
}
