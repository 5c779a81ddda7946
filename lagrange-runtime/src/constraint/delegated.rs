//! The evaluations that a wrapper of a system delegates to it, where the wrapper changes only the accelerations.

/// Delegates to the system in a field what a wrapper of it does not change: every evaluation of
/// [`System`](crate::system::System) except the acceleration and the tolerance for redundancy.
macro_rules! delegated {
    ($system:ident) => {
        fn facts(&self) -> &'static Facts {
            self.$system.facts()
        }
        fn coordinates(&self) -> &'static [&'static str] {
            self.$system.coordinates()
        }
        #[inline(always)]
        fn state_count(&self) -> usize {
            self.$system.state_count()
        }
        #[inline(always)]
        fn without_inertia_count(&self) -> usize {
            self.$system.without_inertia_count()
        }
        fn constraints(&self) -> &'static [&'static str] {
            self.$system.constraints()
        }
        fn fingerprint(&self) -> Fingerprint {
            self.$system.fingerprint()
        }
        fn parameters(&self) -> $crate::system::Parameters<'_, R> {
            self.$system.parameters()
        }
        fn holonomic_count(&self) -> usize {
            self.$system.holonomic_count()
        }
        fn nominal_ranges(&self) -> &'static [Option<[f64; 2]>] {
            self.$system.nominal_ranges()
        }
        fn units(&self) -> &'static $crate::system::Units {
            self.$system.units()
        }
        fn input_names(&self) -> &'static [&'static str] {
            self.$system.input_names()
        }
        fn default_inputs(&self) -> SVector<R, U> {
            self.$system.default_inputs()
        }
        fn balance(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>) -> Balance<R, N> {
            self.$system.balance(t, q, v, u)
        }
        fn inertial_balance(
            &self,
            t: R,
            q: &SVector<R, N>,
            v: &SVector<R, N>,
            u: &SVector<R, U>,
        ) -> $crate::system::InertialBalance<R, N> {
            self.$system.inertial_balance(t, q, v, u)
        }
        fn balance_jacobian(
            &self,
            t: R,
            q: &SVector<R, N>,
            v: &SVector<R, N>,
            u: &SVector<R, U>,
        ) -> BalanceJacobian<R, N> {
            self.$system.balance_jacobian(t, q, v, u)
        }
        fn balance_by_time(
            &self,
            t: R,
            q: &SVector<R, N>,
            v: &SVector<R, N>,
            u: &SVector<R, U>,
        ) -> Option<Balance<R, N>> {
            self.$system.balance_by_time(t, q, v, u)
        }
        fn equations(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>) -> Equations<R, N> {
            self.$system.equations(t, q, v, u)
        }
        fn mass_matrix(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>) -> SMatrix<R, N, N> {
            self.$system.mass_matrix(t, q, v, u)
        }

        fn inverse_dynamics(
            &self,
            t: R,
            q: &SVector<R, N>,
            v: &SVector<R, N>,
            a: &SVector<R, N>,
            u: &SVector<R, U>,
        ) -> SVector<R, N> {
            self.$system.inverse_dynamics(t, q, v, a, u)
        }
        fn constraint(&self, t: R, q: &SVector<R, N>) -> Constraint<R, N, C> {
            self.$system.constraint(t, q)
        }
        fn constraint_hidden(
            &self,
            t: R,
            q: &SVector<R, N>,
            v: &SVector<R, N>,
            multipliers: &SVector<R, C>,
        ) -> ConstraintHidden<R, N, C> {
            self.$system.constraint_hidden(t, q, v, multipliers)
        }
        fn velocity_correction(
            &self,
            t: R,
            q: &SVector<R, N>,
            v: &SVector<R, N>,
            p: &SVector<R, N>,
        ) -> Result<SVector<R, N>, SingularMass> {
            self.$system.velocity_correction(t, q, v, p)
        }
        fn energies(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>) -> Energies<R> {
            self.$system.energies(t, q, v, u)
        }
        fn switch_count(&self) -> usize {
            self.$system.switch_count()
        }
        #[inline(always)]
        fn mode_count(&self) -> usize {
            self.$system.mode_count()
        }
        fn changes(&self) -> &'static [$crate::change::Change] {
            self.$system.changes()
        }
        fn change_values(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>, out: &mut [R]) {
            self.$system.change_values(t, q, v, u, out);
        }
        fn change_rules(&self) -> Option<&'static dyn $crate::change::ChangeRules<R, N>> {
            self.$system.change_rules()
        }
        fn gap_count(&self) -> usize {
            self.$system.gap_count()
        }
        fn latch_count(&self) -> usize {
            self.$system.latch_count()
        }
        fn bound_count(&self) -> usize {
            self.$system.bound_count()
        }
        fn breakaway_rows(&self) -> &'static [usize] {
            self.$system.breakaway_rows()
        }
        fn switch_rules(&self) -> Option<&'static dyn SwitchRules<R, N>> {
            self.$system.switch_rules()
        }
        fn switch_names(&self) -> &'static [&'static str] {
            self.$system.switch_names()
        }
        fn switches(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>, out: &mut [R]) {
            self.$system.switches(t, q, v, u, out);
        }
    };
}

/// Delegates the sensors to the system in a field.
macro_rules! sensors {
    ($system:ident) => {
        fn power_names(&self) -> &'static [&'static str] {
            self.$system.power_names()
        }
        fn powers(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>, out: &mut [R]) {
            self.$system.powers(t, q, v, u, out);
        }
        fn output_names(&self) -> &'static [&'static str] {
            self.$system.output_names()
        }
        fn outputs_of_forces(&self) -> &'static [usize] {
            self.$system.outputs_of_forces()
        }
        fn outputs(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>, out: &mut [R]) {
            self.$system.outputs(t, q, v, u, out);
        }
    };
}

/// Delegates the derivatives of p and f by t and u, and those of outputs, to the system in a field.
macro_rules! derivatives {
    ($system:ident) => {
        fn balance_rates(
            &self,
            t: R,
            q: &SVector<R, N>,
            v: &SVector<R, N>,
            u: &SVector<R, U>,
        ) -> BalanceRates<R, N, U> {
            self.$system.balance_rates(t, q, v, u)
        }

        fn output_jacobian(
            &self,
            t: R,
            q: &SVector<R, N>,
            v: &SVector<R, N>,
            u: &SVector<R, U>,
            outputs: &[usize],
            rows: &mut [OutputRow<R, N, U>],
        ) {
            self.$system.output_jacobian(t, q, v, u, outputs, rows);
        }
    };
}

pub(super) use {delegated, derivatives, sensors};
