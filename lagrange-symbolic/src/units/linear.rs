//! Units with unknowns, and the equations between them.
//!
//! The exponents of a unit are linear in those of the unknown units that it contains. An equation between two units is therefore
//! linear, and exact elimination decides whether all equations have a solution.

use super::unit::Unit;
use crate::graph::Rational;
use std::collections::BTreeMap;

/// A unit times powers of unknown units.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Linear {
    pub(super) unit: Unit,
    unknowns: BTreeMap<usize, Rational>,
}

impl Linear {
    /// A unit without unknowns.
    pub(super) fn known(unit: Unit) -> Self {
        Self { unit, unknowns: BTreeMap::new() }
    }

    /// The product with a power of another.
    pub(super) fn times(&self, other: &Self, power: &Rational) -> Self {
        if self.is_one() && *power == Rational::ONE {
            return other.clone();
        }
        let mut product = self.clone();
        product.unit = product.unit.times(&other.unit, power);
        for (unknown, exponent) in &other.unknowns {
            product.add(*unknown, &(exponent * power));
        }
        product
    }

    fn is_one(&self) -> bool {
        self.unit.is_one() && self.unknowns.is_empty()
    }

    /// A power.
    pub(super) fn power(&self, power: &Rational) -> Self {
        if *power == Rational::ONE {
            return self.clone();
        }
        Self::default().times(self, power)
    }

    fn add(&mut self, unknown: usize, power: &Rational) {
        let sum = match self.unknowns.get(&unknown) {
            Some(known) => known + power,
            None => power.clone(),
        };
        if sum == Rational::ZERO {
            self.unknowns.remove(&unknown);
        } else {
            self.unknowns.insert(unknown, sum);
        }
    }
}

/// What is known of the unknown units.
#[derive(Clone, Debug, Default)]
pub(super) struct Equations {
    /// Each unknown by those that no equation determines yet, where one determines it.
    solved: Vec<Option<Linear>>,
    /// Which unknowns are scales without a dimension.
    is_scale: Vec<bool>,
}

impl Equations {
    /// A new unknown unit.
    pub(super) fn unknown(&mut self) -> Linear {
        self.another(false)
    }

    /// A new unknown scale: a unit with the dimension of a number.
    pub(super) fn unknown_scale(&mut self) -> Linear {
        self.another(true)
    }

    fn another(&mut self, is_scale: bool) -> Linear {
        let mut linear = Linear::default();
        linear.add(self.solved.len(), &Rational::ONE);
        self.solved.push(None);
        self.is_scale.push(is_scale);
        linear
    }

    /// The same unit with as few unknowns as the equations allow.
    pub(super) fn resolved(&self, linear: &Linear) -> Linear {
        let mut result = linear.clone();
        // The solution of an unknown contains only unknowns that were open when it was found, so that this ends.
        while let Some((unknown, solution)) =
            result.unknowns.keys().find_map(|unknown| Some((*unknown, self.solved[*unknown].as_ref()?)))
        {
            let power = result.unknowns.remove(&unknown).unwrap_or(Rational::ZERO);
            result = result.times(solution, &power);
        }
        result
    }

    /// The unit, if the equations determine it. An unknown scale counts as 1.
    pub(super) fn determined(&self, linear: &Linear) -> Option<Unit> {
        let resolved = self.resolved(linear);
        resolved.unknowns.keys().all(|unknown| self.is_scale[*unknown]).then_some(resolved.unit)
    }

    /// Whether the equations determine the unit with its scale.
    pub(super) fn exact(&self, linear: &Linear) -> Option<Unit> {
        let resolved = self.resolved(linear);
        resolved.unknowns.is_empty().then_some(resolved.unit)
    }

    /// Takes up the equation of two units. Returns whether it agrees with the others; if it does not, it is left out.
    pub(super) fn equate(&mut self, left: &Linear, right: &Linear) -> bool {
        if left == right {
            return true;
        }
        let mut difference = self.resolved(&left.times(right, &-Rational::ONE));
        let of_kind = |is_scale: bool| {
            let mut unknowns = difference.unknowns.keys().copied();
            unknowns.find(|unknown| self.is_scale[*unknown] == is_scale)
        };
        let Some(unknown) = of_kind(false).or_else(|| of_kind(true).filter(|_| difference.unit.is_scale())) else {
            return difference.is_one();
        };
        let power = difference.unknowns.remove(&unknown).unwrap_or(Rational::ONE);
        self.solved[unknown] = Some(difference.power(&(-Rational::ONE / power)));
        true
    }
}
