//! The rules for the contacts of a system whose inputs are functions of its state.

use super::ContactForces;
use super::rules::{At, ContactRules, Inputs, Known, Margins, Reached, Settled};
use super::step::{ContactStep, ContactStepped};
use crate::error::{Failure, SingularMass};
use crate::quantities::Acceleration;
use crate::scalar::Scalar;
use crate::set::Set;
use crate::state::State;
use nalgebra::{SMatrix, SVector};

/// Inputs u(t, q, v).
type Law<'a, R, const N: usize, const U: usize> = dyn Fn(R, &SVector<R, N>, &SVector<R, N>) -> SVector<R, U> + 'a;

/// The [rules](ContactRules) of a system without inputs that is another system whose inputs follow a law u(t, q, v). A wrapper gives them in
/// [`System::contact_rules`](crate::system::System::contact_rules), from those of the system that it wraps. They compute what the rules of the
/// wrapped system compute, and are not compiled again for each wrapper.
pub struct WithInputs<'a, R: Scalar, const N: usize, const C: usize, const U: usize> {
    rules: &'a dyn ContactRules<R, N, C, U>,
    law: &'a Law<'a, R, N, U>,
}

impl<'a, R: Scalar, const N: usize, const C: usize, const U: usize> WithInputs<'a, R, N, C, U> {
    /// The `rules` of a system whose inputs follow a law.
    #[allow(clippy::type_complexity, reason = "the type of a closure that a caller writes")]
    pub fn new(
        rules: &'a dyn ContactRules<R, N, C, U>,
        law: &'a dyn Fn(R, &SVector<R, N>, &SVector<R, N>) -> SVector<R, U>,
    ) -> Self {
        Self { rules, law }
    }

    /// Calls `ask` with the law as the controller of the wrapped system.
    fn driven<T>(&self, ask: impl FnOnce(&dyn ContactRules<R, N, C, U>, &mut Inputs<'_, R, N, U>) -> T) -> T {
        ask(self.rules, &mut |t, q, v| (self.law)(t, q, v))
    }
}

impl<R: Scalar, const N: usize, const C: usize, const U: usize> ContactRules<R, N, C, 0>
    for WithInputs<'_, R, N, C, U>
{
    fn room(&self) -> usize {
        self.rules.room()
    }

    fn forces(&self, (t, q, v, _): At<'_, R, N, 0>) -> Result<ContactForces<R>, SingularMass> {
        self.rules.forces((t, q, v, &(self.law)(t, q, v)))
    }

    fn solved(&self, known: Known<R, N>, (t, q, v, _): At<'_, R, N, 0>) -> Result<Acceleration<R, N, C>, SingularMass> {
        self.rules.solved(known, (t, q, v, &(self.law)(t, q, v)))
    }

    fn forcing(
        &self,
        known: Known<R, N>,
        (t, q, v, _): At<'_, R, N, 0>,
        slopes: &mut [&mut SMatrix<R, N, N>],
    ) -> Result<(SVector<R, N>, SVector<R, N>), SingularMass> {
        self.rules.forcing(known, (t, q, v, &(self.law)(t, q, v)), slopes)
    }

    fn signs(&self, known: Known<R, N>, (t, q, v, _): At<'_, R, N, 0>) -> (Option<u64>, Set) {
        self.rules.signs(known, (t, q, v, &(self.law)(t, q, v)))
    }

    fn check(&self, known: Known<R, N>, state: &State<R, N>, _: &SVector<R, 0>) -> Result<(), Failure> {
        self.rules.check(known, state, &(self.law)(state.t, &state.q, &state.v))
    }

    fn check_start(&self, state: &State<R, N>, _: &SVector<R, 0>, whole: f64) -> Result<(), Failure> {
        self.rules.check_start(state, &(self.law)(state.t, &state.q, &state.v), whole)
    }

    fn stepped(&self, _: &SVector<R, 0>, step: &ContactStep<'_, R, N>) -> Result<ContactStepped<R, N>, Failure> {
        let State { t, q, v } = &step.place;
        self.rules.stepped(&(self.law)(*t, q, v), step)
    }

    fn settle(
        &self,
        known: &mut Known<R, N>,
        _: &mut Inputs<'_, R, N, 0>,
        state: &State<R, N>,
        reached: Reached,
    ) -> Result<Settled<R, N>, Failure> {
        self.driven(|rules, inputs| rules.settle(known, inputs, state, reached))
    }

    fn turns(&self, known: Known<R, N>, _: &mut Inputs<'_, R, N, 0>, states: [&State<R, N>; 2], blind: bool) -> bool {
        self.driven(|rules, inputs| rules.turns(known, inputs, states, blind))
    }

    fn margins(&self, known: Known<R, N>, _: &mut Inputs<'_, R, N, 0>, state: &State<R, N>, out: &mut Margins) {
        self.driven(|rules, inputs| rules.margins(known, inputs, state, out));
    }

    fn open_gaps(&self, known: Known<R, N>, _: &mut Inputs<'_, R, N, 0>, state: &State<R, N>, out: &mut [Option<f64>]) {
        self.driven(|rules, inputs| rules.open_gaps(known, inputs, state, out));
    }

    fn reached(
        &self,
        known: Known<R, N>,
        _: &mut Inputs<'_, R, N, 0>,
        states: [&State<R, N>; 2],
        crossed: (u64, R, f64),
    ) -> Result<State<R, N>, Failure> {
        self.driven(|rules, inputs| rules.reached(known, inputs, states, crossed))
    }

    fn hold(
        &self,
        known: Known<R, N>,
        _: &mut Inputs<'_, R, N, 0>,
        state: &State<R, N>,
        ends: bool,
    ) -> Result<State<R, N>, Failure> {
        self.driven(|rules, inputs| rules.hold(known, inputs, state, ends))
    }
}
