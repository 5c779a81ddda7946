//! The rules for contacts that a system gives.

use super::System;
use crate::scalar::Scalar;
use core::any::Any;
use core::fmt;

/// The rules for the contacts of a system, made by [`contact_rules`](crate::evaluator::contact_rules).
///
/// Only the driver of integrations knows what is in them. The contract between systems and methods does not.
pub struct ContactRules<'a, R: Scalar, const N: usize, const C: usize, const U: usize> {
    system: &'a dyn System<R, N, C, U>,
    rules: &'static (dyn Any + Send + Sync),
}

impl<'a, R: Scalar, const N: usize, const C: usize, const U: usize> ContactRules<'a, R, N, C, U> {
    pub(crate) fn new(system: &'a dyn System<R, N, C, U>, rules: &'static (dyn Any + Send + Sync)) -> Self {
        Self { system, rules }
    }

    pub(crate) fn system(&self) -> &'a dyn System<R, N, C, U> {
        self.system
    }

    /// The rules, if they are of the type `T`.
    pub(crate) fn rules<T: Any>(&self) -> Option<&'static T> {
        self.rules.downcast_ref()
    }
}

impl<R: Scalar, const N: usize, const C: usize, const U: usize> fmt::Debug for ContactRules<'_, R, N, C, U> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ContactRules").finish_non_exhaustive()
    }
}
