//! The equations of a mechanism whose inputs keep their default values or follow laws.

use super::feedback::Laws;
use lagrange_runtime::analysis::input_work;
use lagrange_runtime::change::{Change, ChangeRules};
use lagrange_runtime::contact::{ContactRules, WithInputs};
use lagrange_runtime::dense::Interpolant;
use lagrange_runtime::error::SingularMass;
use lagrange_runtime::prelude::*;
use lagrange_runtime::stepper::SwitchRules;
use lagrange_runtime::system::{
    Acceleration, Balance, BalanceJacobian, Bound, Constraint, ConstraintHidden, Energies, Equations, Facts,
    Fingerprint, Gap, InertialBalance, Latch, Law, Parameters, Row,
};

/// A system without inputs, made from a system whose inputs keep their default values or follow laws.
///
/// Code for `System<f64, N, C, 0>` is compiled once for all mechanisms with `N` coordinates and `C`
/// constraints, whatever their numbers of inputs are.
///
/// Derivatives by the state do not contain the slopes of laws. Methods that need them are refused where a law acts between samples.
pub(super) struct ClosedLoop<'a, const N: usize, const C: usize, const U: usize> {
    system: &'a dyn System<f64, N, C, U>,
    facts: &'static Facts,
    inputs: SVector<f64, U>,
    laws: Option<&'a Laws<U>>,
}

impl<'a, const N: usize, const C: usize, const U: usize> ClosedLoop<'a, N, C, U> {
    /// The inputs keep their default values.
    pub(super) fn undriven(system: &'a dyn System<f64, N, C, U>) -> Self {
        Self { system, facts: system.facts(), inputs: system.default_inputs(), laws: None }
    }

    /// The inputs follow laws. `facts` are those of the mechanism that hold with them.
    pub(super) fn new(system: &'a dyn System<f64, N, C, U>, laws: &'a Laws<U>, facts: &'static Facts) -> Self {
        Self { system, facts, inputs: system.default_inputs(), laws: Some(laws) }
    }

    fn u(&self, t: f64, q: Vector<'_, N>, v: Vector<'_, N>) -> SVector<f64, U> {
        match self.laws {
            None => self.inputs,
            Some(laws) => laws.inputs(t, q.as_slice(), v.as_slice()),
        }
    }
}

/// What the balance of energy needs of inputs that follow laws.
pub(super) trait Driven<const N: usize> {
    /// The inputs at a state.
    fn inputs(&self, state: &State<f64, N>) -> Vec<f64>;
    /// h at a state with these inputs.
    fn energy(&self, state: &State<f64, N>, inputs: &[f64]) -> f64;
    /// The work over one step of inputs that change, [`input_work`].
    fn work(&self, step: &Interpolant<f64, N>) -> f64;
}

impl<const N: usize, const C: usize, const U: usize> Driven<N> for ClosedLoop<'_, N, C, U> {
    fn inputs(&self, State { t, q, v }: &State<f64, N>) -> Vec<f64> {
        self.u(*t, q, v).as_slice().to_vec()
    }

    fn energy(&self, State { t, q, v }: &State<f64, N>, inputs: &[f64]) -> f64 {
        self.system.energies(*t, q, v, &SVector::from_fn(|index, _| inputs[index])).energy
    }

    fn work(&self, step: &Interpolant<f64, N>) -> f64 {
        self.laws.map_or(0.0, |_| input_work(self.system, step, |t, q, v| self.u(t, q, v)))
    }
}

/// A reference to all coordinates, all velocities or all momenta.
type Vector<'a, const N: usize> = &'a SVector<f64, N>;

/// A reference to the empty vector of inputs of a system without inputs.
type NoInputs<'a> = &'a SVector<f64, 0>;

impl<const N: usize, const C: usize, const U: usize> System<f64, N, C, 0> for ClosedLoop<'_, N, C, U> {
    fn facts(&self) -> &'static Facts {
        self.facts
    }

    fn coordinates(&self) -> &'static [&'static str] {
        self.system.coordinates()
    }

    #[inline(always)]
    fn state_count(&self) -> usize {
        self.system.state_count()
    }

    #[inline(always)]
    fn without_inertia_count(&self) -> usize {
        self.system.without_inertia_count()
    }

    fn constraints(&self) -> &'static [&'static str] {
        self.system.constraints()
    }

    fn holonomic_count(&self) -> usize {
        self.system.holonomic_count()
    }

    fn redundancy_tolerance(&self) -> f64 {
        self.system.redundancy_tolerance()
    }

    fn nominal_ranges(&self) -> &'static [Option<[f64; 2]>] {
        self.system.nominal_ranges()
    }

    fn units(&self) -> &'static lagrange_runtime::system::Units {
        self.system.units()
    }

    fn fingerprint(&self) -> Fingerprint {
        self.system.fingerprint()
    }

    fn parameters(&self) -> Parameters<'_, f64> {
        self.system.parameters()
    }

    fn default_inputs(&self) -> SVector<f64, 0> {
        SVector::repeat(0.0)
    }

    fn balance(&self, t: f64, q: Vector<'_, N>, v: Vector<'_, N>, _: NoInputs<'_>) -> Balance<f64, N> {
        self.system.balance(t, q, v, &self.u(t, q, v))
    }

    fn inertial_balance(&self, t: f64, q: Vector<'_, N>, v: Vector<'_, N>, _: NoInputs<'_>) -> InertialBalance<f64, N> {
        self.system.inertial_balance(t, q, v, &self.u(t, q, v))
    }

    fn balance_jacobian(&self, t: f64, q: Vector<'_, N>, v: Vector<'_, N>, _: NoInputs<'_>) -> BalanceJacobian<f64, N> {
        self.system.balance_jacobian(t, q, v, &self.u(t, q, v))
    }

    fn balance_by_time(&self, t: f64, q: Vector<'_, N>, v: Vector<'_, N>, _: NoInputs<'_>) -> Option<Balance<f64, N>> {
        self.system.balance_by_time(t, q, v, &self.u(t, q, v))
    }

    fn equations(&self, t: f64, q: Vector<'_, N>, v: Vector<'_, N>, _: NoInputs<'_>) -> Equations<f64, N> {
        self.system.equations(t, q, v, &self.u(t, q, v))
    }

    fn acceleration(
        &self,
        t: f64,
        q: Vector<'_, N>,
        v: Vector<'_, N>,
        _: NoInputs<'_>,
    ) -> Result<Acceleration<f64, N, C>, SingularMass> {
        self.system.acceleration(t, q, v, &self.u(t, q, v))
    }

    fn constraint(&self, t: f64, q: Vector<'_, N>) -> Constraint<f64, N, C> {
        self.system.constraint(t, q)
    }

    fn constraint_hidden(
        &self,
        t: f64,
        q: Vector<'_, N>,
        v: Vector<'_, N>,
        multipliers: &SVector<f64, C>,
    ) -> ConstraintHidden<f64, N, C> {
        self.system.constraint_hidden(t, q, v, multipliers)
    }

    fn velocity_correction(
        &self,
        t: f64,
        q: Vector<'_, N>,
        v: Vector<'_, N>,
        p: Vector<'_, N>,
    ) -> Result<SVector<f64, N>, SingularMass> {
        self.system.velocity_correction(t, q, v, p)
    }

    fn energies(&self, t: f64, q: Vector<'_, N>, v: Vector<'_, N>, _: NoInputs<'_>) -> Energies<f64> {
        self.system.energies(t, q, v, &self.u(t, q, v))
    }

    fn switch_count(&self) -> usize {
        self.system.switch_count()
    }

    fn switch_rules(&self) -> Option<&'static dyn SwitchRules<f64, N>> {
        self.system.switch_rules()
    }

    fn switch_names(&self) -> &'static [&'static str] {
        self.system.switch_names()
    }

    fn switches(&self, t: f64, q: Vector<'_, N>, v: Vector<'_, N>, _: NoInputs<'_>, out: &mut [f64]) {
        self.system.switches(t, q, v, &self.u(t, q, v), out);
    }

    #[inline(always)]
    fn mode_count(&self) -> usize {
        self.system.mode_count()
    }

    fn changes(&self) -> &'static [Change] {
        self.system.changes()
    }

    fn change_values(&self, t: f64, q: Vector<'_, N>, v: Vector<'_, N>, _: NoInputs<'_>, out: &mut [f64]) {
        self.system.change_values(t, q, v, &self.u(t, q, v), out);
    }

    fn change_rules(&self) -> Option<&'static dyn ChangeRules<f64, N>> {
        self.system.change_rules()
    }

    fn row_count(&self) -> usize {
        self.system.row_count()
    }

    fn contact_rules(&self, ask: &mut dyn FnMut(&dyn ContactRules<f64, N, C, 0>)) {
        let inputs = |t: f64, q: Vector<'_, N>, v: Vector<'_, N>| self.u(t, q, v);
        self.system.contact_rules(&mut |rules| ask(&WithInputs::new(rules, &inputs)));
    }

    fn row_names(&self) -> &'static [&'static str] {
        self.system.row_names()
    }

    fn row_switches(&self) -> &'static [usize] {
        self.system.row_switches()
    }

    fn row_laws(&self) -> &'static [Law] {
        self.system.row_laws()
    }

    fn gap_count(&self) -> usize {
        self.system.gap_count()
    }

    fn gaps(&self, t: f64, q: &SVector<f64, N>, out: &mut [Gap<f64>]) {
        self.system.gaps(t, q, out);
    }

    fn adheres(&self) -> bool {
        self.system.adheres()
    }

    fn latch_count(&self) -> usize {
        self.system.latch_count()
    }

    fn latches(&self, t: f64, q: &SVector<f64, N>, v: &SVector<f64, N>, out: &mut [Latch<f64>]) {
        self.system.latches(t, q, v, out);
    }

    fn restitutions(&self, t: f64, q: Vector<'_, N>, v: Vector<'_, N>, _: NoInputs<'_>, out: &mut [f64]) {
        self.system.restitutions(t, q, v, &self.u(t, q, v), out);
    }

    fn bound_count(&self) -> usize {
        self.system.bound_count()
    }

    fn bounds(
        &self,
        t: f64,
        q: Vector<'_, N>,
        v: Vector<'_, N>,
        _: NoInputs<'_>,
        multipliers: &SVector<f64, C>,
        out: &mut [Bound<f64, C>],
    ) {
        self.system.bounds(t, q, v, &self.u(t, q, v), multipliers, out);
    }

    fn breakaway_rows(&self) -> &'static [usize] {
        self.system.breakaway_rows()
    }

    fn breakaways(
        &self,
        t: f64,
        q: Vector<'_, N>,
        v: Vector<'_, N>,
        _: NoInputs<'_>,
        multipliers: &SVector<f64, C>,
        out: &mut [Bound<f64, C>],
    ) {
        self.system.breakaways(t, q, v, &self.u(t, q, v), multipliers, out);
    }

    fn rows(
        &self,
        t: f64,
        q: Vector<'_, N>,
        v: Vector<'_, N>,
        _: NoInputs<'_>,
        out: &mut [Row<f64, N>],
    ) -> Equations<f64, N> {
        self.system.rows(t, q, v, &self.u(t, q, v), out)
    }
}

impl<const N: usize, const C: usize, const U: usize> Sensors<f64, N, 0> for ClosedLoop<'_, N, C, U> {
    fn power_names(&self) -> &'static [&'static str] {
        self.system.power_names()
    }

    fn powers(&self, t: f64, q: Vector<'_, N>, v: Vector<'_, N>, _: NoInputs<'_>, out: &mut [f64]) {
        self.system.powers(t, q, v, &self.u(t, q, v), out);
    }

    fn output_names(&self) -> &'static [&'static str] {
        self.system.output_names()
    }

    fn outputs_of_forces(&self) -> &'static [usize] {
        self.system.outputs_of_forces()
    }

    fn outputs(&self, t: f64, q: Vector<'_, N>, v: Vector<'_, N>, _: NoInputs<'_>, out: &mut [f64]) {
        self.system.outputs(t, q, v, &self.u(t, q, v), out);
    }
}
