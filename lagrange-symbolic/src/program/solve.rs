//! M x = b by LDLᵀ without pivoting, as straight-line operations. Structural zeros cost nothing, and values that depend
//! on parameters alone are hoisted. M may have a border: [M Gᵀ; G 0] has N positive and C negative pivots where M is
//! positive definite and the rows of G are independent, if each row of G comes after the unknowns that it contains.

use super::{Builder, Level, Operation, Value};
use crate::graph::function::Function;
use crate::graph::{Rational, Relation, rational};

/// A factored symmetric matrix.
#[derive(Clone, Debug)]
pub struct Factor {
    /// Rows of L below the diagonal.
    lower: Vec<Vec<Value>>,
    /// 1/dᵢ.
    inverse_pivots: Vec<Value>,
    /// aₙₙ/dₙ₋₁, where aₙₙ is the last diagonal entry before the elimination of the last unknown but one, and dₙ₋₁ is
    /// the pivot of that unknown.
    corner: Option<Value>,
    /// A mask that is true where the factorisation is accurate. Each positive pivot exceeds N·ε times its diagonal
    /// entry, or √ε times it if there is a border, so that M is positive definite. Each pivot of the border is negative
    /// by as much, relative to its diagonal entry of −G M⁻¹ Gᵀ.
    pub safe: Value,
}

impl Builder {
    /// Factors a symmetric matrix that is given by its lower triangle. The rows that `is_border` names are a border, whose
    /// diagonal entries are zero.
    pub fn factor(&mut self, matrix: &[Vec<Value>], is_border: impl Fn(usize) -> bool) -> Factor {
        let n = matrix.len();
        let tolerance = if (0..n).any(&is_border) { self.tolerance_with_border() } else { self.tolerance(n) };
        let mut lower: Vec<Vec<Value>> = Vec::with_capacity(n);
        let mut inverse_pivots: Vec<Value> = Vec::with_capacity(n);
        let mut checks: Vec<Value> = Vec::with_capacity(n);
        let mut corner = None;
        for (i, entries) in matrix.iter().enumerate() {
            // uᵢⱼ = Mᵢⱼ − Σ_k uᵢₖ Lⱼₖ, Lᵢⱼ = uᵢⱼ/dⱼ, dᵢ = Mᵢᵢ − Σ uᵢⱼ Lᵢⱼ.
            let mut scaled: Vec<Value> = Vec::with_capacity(i);
            let mut row: Vec<Value> = Vec::with_capacity(i);
            for j in 0..i {
                let mut entry = entries[j];
                for k in 0..j {
                    let product = self.multiply(scaled[k], lower[j][k]);
                    entry = self.subtract(entry, product);
                }
                scaled.push(entry);
                row.push(self.multiply(entry, inverse_pivots[j]));
            }
            // The magnitude of the pivot. Pivots of the border are negative: −dᵢ = Σ uᵢⱼ Lᵢⱼ.
            let border = is_border(i);
            let (mut pivot, mut scale) = (entries[i], entries[i]);
            // The scale of a pivot of the border is the sum of the terms of coordinates.
            let mut is_partial = false;
            for (j, (u, l)) in scaled.iter().zip(&row).enumerate() {
                if i + 1 == n && j + 1 == i && !self.is_zero(*l) {
                    let ratio = self.multiply(pivot, inverse_pivots[j]);
                    corner = Some(if border { self.negate(ratio) } else { ratio });
                }
                let product = self.multiply(*u, *l);
                pivot = if border { self.add(pivot, product) } else { self.subtract(pivot, product) };
                if border && is_border(j) {
                    is_partial |= !self.is_zero(product);
                } else if border {
                    scale = if is_partial { self.add(scale, product) } else { pivot };
                }
            }
            checks.push(self.exceeds(pivot, scale, tolerance));
            let inverse = self.reciprocal(pivot);
            inverse_pivots.push(if border { self.negate(inverse) } else { inverse });
            lower.push(row);
        }
        let safe = self.all(&checks);
        Factor { lower, inverse_pivots, corner, safe }
    }

    /// N·ε.
    pub(super) fn tolerance(&mut self, n: usize) -> Value {
        let epsilon = self.push(Operation::Epsilon);
        let count = self.constant(rational(n as i64, 1));
        self.multiply(count, epsilon)
    }

    /// √ε. The tolerance with a border is large, because the caller has a pivoted factorisation for pivots that are mostly rounding errors.
    pub(super) fn tolerance_with_border(&mut self) -> Value {
        let epsilon = self.push(Operation::Epsilon);
        self.push(Operation::SquareRoot(epsilon))
    }

    /// Whether a pivot is positive by more than rounding errors, relative to its diagonal entry.
    pub(super) fn exceeds(&mut self, pivot: Value, diagonal: Value, tolerance: Value) -> Value {
        if let Operation::Constant(number) = self.operation(pivot) {
            let positive = *number > Rational::ZERO;
            return self.push(Operation::Truth(positive));
        }
        let bound = if pivot == diagonal {
            self.constant(Rational::ZERO)
        } else {
            let magnitude = self.push(Operation::Call(Function::Abs, Box::new([diagonal])));
            self.multiply(tolerance, magnitude)
        };
        self.push(Operation::Compare(Relation::Less, bound, pivot))
    }

    /// Whether all checks of pivots hold.
    ///
    /// Checks that depend on parameters alone are made in `prepare`. Their result moves into the bound of another check, if
    /// that bound is computed in `prepare`, too: the bound is infinite where one of them fails, so that nothing exceeds it.
    /// An evaluation then tests nothing for them.
    pub(super) fn all(&mut self, checks: &[Value]) -> Value {
        let (fixed, varying): (Vec<Value>, Vec<Value>) =
            checks.iter().partition(|check| self.level(**check) <= Level::Parameter);
        let mut prepared = self.push(Operation::Truth(true));
        for check in fixed {
            prepared = self.both(prepared, check);
        }
        let mut safe = self.push(Operation::Truth(true));
        let needs_place = !matches!(self.operation(prepared), Operation::Truth(_));
        let mut is_placed = false;
        for check in varying {
            let mut check = check;
            if let Operation::Compare(Relation::Less, bound, pivot) = *self.operation(check)
                && needs_place
                && !is_placed
                && self.level(bound) <= Level::Parameter
            {
                let zero = self.constant(Rational::ZERO);
                let infinite = self.push(Operation::Reciprocal(zero));
                let bound = self.push(Operation::Select(prepared, bound, infinite));
                check = self.push(Operation::Compare(Relation::Less, bound, pivot));
                is_placed = true;
            }
            safe = self.both(safe, check);
        }
        if is_placed { safe } else { self.both(prepared, safe) }
    }

    fn both(&mut self, a: Value, b: Value) -> Value {
        match (self.operation(a), self.operation(b)) {
            (Operation::Truth(true), _) => b,
            (_, Operation::Truth(true)) => a,
            (Operation::Truth(false), _) => a,
            (_, Operation::Truth(false)) => b,
            _ if a == b => a,
            _ => self.push(Operation::And(a, b)),
        }
    }

    /// Solves with a factored matrix. The last two unknowns do not wait for each other: x₁ = (c r₁ − L r₂)/d₂ and x₂ =
    /// (r₂ − L r₁)/d₂, where c is `corner`.
    pub fn solve(&mut self, factor: &Factor, right: &[Value]) -> Vec<Value> {
        let n = right.len();
        let mut z: Vec<Value> = right.to_vec();
        let mut last_but_one = None;
        for i in 0..n {
            for k in 0..i {
                if let (Some(corner), true) = (factor.corner, i + 1 == n && k + 1 == i) {
                    let (straight, crossed) = (self.multiply(corner, z[k]), self.multiply(factor.lower[i][k], z[i]));
                    let difference = self.subtract(straight, crossed);
                    last_but_one = Some(self.multiply(difference, factor.inverse_pivots[i]));
                }
                let product = self.multiply(factor.lower[i][k], z[k]);
                z[i] = self.subtract(z[i], product);
            }
        }
        for (value, inverse) in z.iter_mut().zip(&factor.inverse_pivots) {
            *value = self.multiply(*value, *inverse);
        }
        for i in (0..n).rev() {
            if let (Some(known), true) = (last_but_one, i + 2 == n) {
                z[i] = known;
                continue;
            }
            for k in i + 1..n {
                let product = self.multiply(factor.lower[k][i], z[k]);
                z[i] = self.subtract(z[i], product);
            }
        }
        z
    }
}
