//! Numbers that record their operations, for derivatives computed backward.

use super::{Dual, Real, Scalar};
use core::cmp::Ordering;
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};
use std::cell::RefCell;
use std::vec::Vec;

/// The node of a number that depends on no variable.
const CONSTANT: u32 = u32::MAX;

std::thread_local! {
    /// The operations that [`Tape`] records in this thread. It is empty while there is no [`Tape`].
    static NODES: RefCell<Vec<Node>> = const { RefCell::new(Vec::new()) };
}

/// An operation on two numbers that vary: their nodes, and the partial derivatives by these.
#[derive(Clone, Copy, Debug)]
struct Node {
    arguments: [u32; 2],
    slopes: [f64; 2],
}

impl Node {
    /// Records the operation. Returns its number.
    #[inline]
    fn record(self) -> u32 {
        let push = |nodes: &RefCell<Vec<Self>>| {
            let mut nodes = nodes.borrow_mut();
            let node = u32::try_from(nodes.len()).unwrap_or(CONSTANT);
            nodes.push(self);
            node
        };
        // While a thread ends, nothing is recorded any more.
        NODES.try_with(push).unwrap_or(CONSTANT)
    }
}

/// A double that records the operations from which it results.
///
/// [`adjoint_gradient`](crate::analysis::adjoint_gradient) runs a method's steps on such numbers and then goes through the
/// operations backward. So one pass gives the derivatives of one result by all variables, however many there are. [`Dual`] gives
/// the derivatives of all results by a few variables instead.
///
/// Users write constants alone, such as the step of a method: `Rk4::new(Taped::constant(1e-3))`. The derivatives of each function
/// are those of [`Dual`]. Comparisons use the values. An operation on two numbers that vary takes 24 bytes until the step that it
/// belongs to has been differentiated; other operations take none. Numbers of one thread have no meaning in another.
///
/// Source: A. Griewank, A. Walther, *Evaluating Derivatives*, 2nd ed., 3.2 and 4.1.
#[derive(Clone, Copy, Debug)]
pub struct Taped {
    value: f64,
    /// The derivative by the result of `node`.
    slope: f64,
    node: u32,
}

impl Taped {
    /// Returns a number that depends on no variable.
    #[inline]
    #[must_use]
    pub const fn constant(value: f64) -> Self {
        Self { value, slope: 0.0, node: CONSTANT }
    }

    /// f(self). It depends on the node on which `self` depends, so that nothing is recorded.
    #[inline]
    fn unary(self, function: impl FnOnce(Dual<f64, 1>) -> Dual<f64, 1>) -> Self {
        let Dual { value, derivatives: [slope] } = function(Dual { value: self.value, derivatives: [self.slope] });
        Self { value, slope, node: self.node }
    }

    /// f(self, other).
    #[inline]
    fn binary(self, other: Self, function: impl FnOnce(Dual<f64, 2>, Dual<f64, 2>) -> Dual<f64, 2>) -> Self {
        let first = Dual { value: self.value, derivatives: [self.slope, 0.0] };
        let second = Dual { value: other.value, derivatives: [0.0, other.slope] };
        let Dual { value, derivatives: slopes } = function(first, second);
        let arguments = [self.node, other.node];
        match arguments {
            [node, CONSTANT] => Self { value, slope: slopes[0], node },
            [CONSTANT, node] => Self { value, slope: slopes[1], node },
            [node, same] if node == same => Self { value, slope: slopes[0] + slopes[1], node },
            _ => Self { value, slope: 1.0, node: Node { arguments, slopes }.record() },
        }
    }
}

/// The record of a thread's operations, from which derivatives are computed backward.
///
/// [`Tape::sweep`] applies the chain rule to the operations after a mark, the last one first. What it finds for the numbers
/// before the mark is kept, so that the operations of many steps need not be kept at once.
#[derive(Debug)]
pub(crate) struct Tape {
    /// The number of operations that an outer tape has recorded.
    base: usize,
    /// The derivatives of the result by the numbers of the nodes from `base`.
    adjoints: Vec<f64>,
}

impl Tape {
    /// An empty tape.
    pub(crate) fn new() -> Self {
        Self { base: Self::length(), adjoints: Vec::new() }
    }

    /// A new variable.
    pub(crate) fn variable(&self, value: f64) -> Taped {
        Taped { value, slope: 1.0, node: Node { arguments: [CONSTANT; 2], slopes: [0.0; 2] }.record() }
    }

    /// The number of operations so far.
    pub(crate) fn length() -> usize {
        NODES.try_with(|nodes| nodes.borrow().len()).unwrap_or(0)
    }

    /// Adds `amount` to the derivative of the result by `number`.
    pub(crate) fn add(&mut self, number: Taped, amount: f64) {
        self.adjoints.resize(Self::length().saturating_sub(self.base), 0.0);
        if let Some(adjoint) = self.at(number.node) {
            *adjoint += amount * number.slope;
        }
    }

    /// Carries the derivatives from the operations after `mark` to the numbers on which they depend.
    pub(crate) fn sweep(&mut self, mark: usize) {
        self.adjoints.resize(Self::length().saturating_sub(self.base), 0.0);
        let back = |nodes: &RefCell<Vec<Node>>| {
            let nodes = nodes.borrow();
            for (index, node) in nodes.iter().enumerate().skip(mark.max(self.base)).rev() {
                let adjoint = self.adjoints.get(index - self.base).copied().unwrap_or(0.0);
                if adjoint == 0.0 {
                    continue;
                }
                for (&argument, &slope) in node.arguments.iter().zip(&node.slopes) {
                    // As with dual numbers, a slope may be infinite where its argument does not vary.
                    if slope != 0.0
                        && let Some(sum) = self.at(argument)
                    {
                        *sum += adjoint * slope;
                    }
                }
            }
        };
        NODES.try_with(back).unwrap_or(());
    }

    /// The derivative of the result by a variable, after the sweep.
    pub(crate) fn adjoint(&mut self, number: Taped) -> f64 {
        self.at(number.node).map_or(0.0, |adjoint| *adjoint)
    }

    /// Forgets the operations after `mark`.
    pub(crate) fn rewind(&mut self, mark: usize) {
        self.adjoints.truncate(mark.saturating_sub(self.base));
        NODES.try_with(|nodes| nodes.borrow_mut().truncate(mark.max(self.base))).unwrap_or(());
    }

    fn at(&mut self, node: u32) -> Option<&mut f64> {
        self.adjoints.get_mut((node as usize).checked_sub(self.base)?)
    }
}

impl Drop for Tape {
    fn drop(&mut self) {
        self.rewind(self.base);
    }
}

impl PartialEq for Taped {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl PartialOrd for Taped {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.value.partial_cmp(&other.value)
    }
}

impl Neg for Taped {
    type Output = Self;
    fn neg(self) -> Self {
        self.unary(|x| -x)
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident $assigning:ident $assign:ident $operator:tt;)*) => {$(
        impl $trait for Taped {
            type Output = Self;
            #[inline]
            fn $method(self, other: Self) -> Self {
                self.binary(other, |x, y| x $operator y)
            }
        }
        impl $assigning for Taped {
            #[inline]
            fn $assign(&mut self, other: Self) {
                *self = *self $operator other;
            }
        }
    )*};
}

operators! {
    Add add AddAssign add_assign +;
    Sub sub SubAssign sub_assign -;
    Mul mul MulAssign mul_assign *;
    Div div DivAssign div_assign /;
}

macro_rules! functions {
    (unary $($unary:ident)*; binary $($binary:ident)*) => {
        $(
            fn $unary(self) -> Self {
                self.unary(Scalar::$unary)
            }
        )*
        $(
            fn $binary(self, other: Self) -> Self {
                self.binary(other, Scalar::$binary)
            }
        )*
    };
}

impl Real for Taped {}

impl Scalar for Taped {
    type Mask = bool;
    type Magnitude = f64;
    const LANES: usize = 1;
    const ZERO: Self = Self::constant(0.0);
    const ONE: Self = Self::constant(1.0);
    const EPSILON: f64 = f64::EPSILON;
    const DERIVATIVE_ORDER: u32 = 1;

    fn from_f64(value: f64) -> Self {
        Self::constant(value)
    }
    fn from_parts(high: f64, _low: f64) -> Self {
        Self::constant(high)
    }
    fn to_f64(self) -> f64 {
        self.value
    }
    #[inline(always)]
    fn magnitude(self) -> f64 {
        f64::abs(self.to_f64())
    }
    fn without_derivatives(self) -> Self {
        Self::constant(self.value)
    }

    functions! {
        unary recip sqrt cbrt exp ln tan asin acos atan sinh cosh tanh abs sign floor;
        binary powf atan2 hypot modulo
    }

    fn powi(self, exponent: i32) -> Self {
        self.unary(|x| x.powi(exponent))
    }
    fn sin_cos(self) -> (Self, Self) {
        (self.unary(Scalar::sin), self.unary(Scalar::cos))
    }
    fn sinc(self, order: u32) -> Self {
        self.unary(|x| x.sinc(order))
    }

    fn lt(self, other: Self) -> bool {
        self.value < other.value
    }
    fn le(self, other: Self) -> bool {
        self.value <= other.value
    }
    fn equals(self, other: Self) -> bool {
        self.value == other.value
    }
    fn select(mask: bool, yes: Self, no: Self) -> Self {
        if mask { yes } else { no }
    }
    fn is_finite(self) -> bool {
        self.value.is_finite()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The gradient backward is that of dual numbers, function by function.
    #[test]
    fn derivatives_backward_are_those_forward() {
        fn of<R: Real>(x: R, y: R) -> R {
            let (sine, cosine) = (x * y).sin_cos();
            let smooth = sine.exp() - cosine.sinh() + x.powi(3) * y.cbrt() + (x / y).atan() - y.recip().tanh();
            let rest = x.hypot(y).ln() + y.atan2(-x) + x.powf(y) + (x * R::from_f64(0.1)).asin() + y.sinc(1);
            let kinks = (x - y).abs() + x.min(y) * x.max(y) + (x * R::from_f64(7.0)).modulo(y) + x.floor() + y.sign();
            smooth * rest + kinks - R::ONE
        }
        for (x, y) in [(0.3, 1.7), (1.2, 0.4), (2.5, 2.6)] {
            let forward = of(Dual::<f64, 2>::variable(x, 0), Dual::variable(y, 1));
            let mut tape = Tape::new();
            let variables = [tape.variable(x), tape.variable(y)];
            let backward = of(variables[0], variables[1]);
            assert_eq!(backward.to_f64(), forward.value);
            tape.add(backward, 1.0);
            tape.sweep(0);
            for (variable, expected) in variables.into_iter().zip(forward.derivatives) {
                let found = tape.adjoint(variable);
                assert!((found - expected).abs() <= 1e-14 * (1.0 + expected.abs()), "{found} {expected}");
            }
        }
        assert_eq!(Tape::length(), 0, "a tape leaves nothing");
    }

    /// Parts of a calculation are swept one after another, from the last to the first.
    #[test]
    fn parts_are_forgotten_once_they_are_swept() {
        let mut tape = Tape::new();
        let x = tape.variable(3.0);
        let square = x * x;
        let mark = Tape::length();
        let part = tape.variable(9.0) * square;
        tape.add(part, 2.0);
        tape.sweep(mark);
        tape.rewind(mark);
        assert_eq!(Tape::length(), mark);
        tape.sweep(0);
        assert_eq!(tape.adjoint(x), 2.0 * 9.0 * 6.0);
    }

    #[test]
    fn what_depends_on_nothing_is_not_recorded() {
        let _tape = Tape::new();
        let three = Taped::constant(1.0) + Taped::ONE * Taped::from_f64(2.0);
        assert_eq!((three.to_f64(), Tape::length()), (3.0, 0));
        // The derivative of √(0 · x) at a constant 0 is 0, as with dual numbers.
        let mut tape = Tape::new();
        let x = tape.variable(4.0);
        let root = (x * Taped::ZERO).sqrt();
        tape.add(root, 1.0);
        tape.sweep(0);
        assert_eq!(tape.adjoint(x), 0.0);
    }
}
