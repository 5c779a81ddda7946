//! The traits that derived code implements for methods: [`System`] has what the steps of an integration need, [`Sensors`] what
//! sensors need, and [`Linearise`] what linearisation needs.
//!
//! Notation: q are the coordinates, v = q̇, p = ∂L/∂v the momenta, u the inputs and λ the multipliers. There are `N`
//! coordinates, `C` constraints and `U` inputs. Every evaluation is one program that computes its common subexpressions once.
//! No evaluation allocates or panics.

mod facts;
mod fingerprint;
mod linearise;
mod mechanism;
mod rows;
mod sensors;
mod symmetry;
mod units;

pub use crate::quantities::{
    Acceleration, AccelerationJacobian, Balance, BalanceJacobian, BalanceRates, Bound, Constraint, ConstraintHidden,
    Energies, Equations, Gap, InertialBalance, Latch, Law, OutputRow, Parameters, Row,
};
pub use facts::{
    Autonomous, Conservative, ConstantMass, Facts, Holonomic, PositiveMass, RegularMomentum, Separable, Unconstrained,
    VelocityFreeAcceleration,
};
pub use fingerprint::Fingerprint;
pub(crate) use fingerprint::Fnv;
pub use linearise::Linearise;
pub use mechanism::Mechanism;
pub use sensors::Sensors;
pub use symmetry::{FoundSymmetry, Symmetry};
pub use units::Units;

use crate::change::{Change, ChangeRules};
use crate::contact::ContactRules;
use crate::error::SingularMass;
use crate::linalg::solve_symmetric;
use crate::scalar::Scalar;
use crate::state::State;
use crate::switching::SwitchRules;
use nalgebra::{SMatrix, SVector};

/// Equations of motion with their parameters fixed. Every method takes them.
///
/// The trait is dyn-compatible at fixed `R`, `N`, `C`, `U`. States that are not finite give results that are not finite;
/// methods report them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no equations of motion in this number type with this number of coordinates, constraints and inputs",
    label = "not what `prepare` returns",
    note = "a mechanism is prepared first: `let system = mechanism.prepare::<f64>()?;`"
)]
pub trait System<R: Scalar, const N: usize, const C: usize, const U: usize>: Sensors<R, N, U> + Send + Sync {
    /// What the derivation proved, for decisions at run time.
    fn facts(&self) -> &'static Facts;

    /// The coordinates' names, in the order of q, and then those of the states.
    fn coordinates(&self) -> &'static [&'static str];

    /// The number of states, one for each coordinate without inertia and for each `state` statement. State k of K is the velocity v[N − K + k], and the coordinate
    /// q[N − K + k] is hidden: it is the integral of the state, and nothing depends on it.
    #[inline(always)]
    fn state_count(&self) -> usize {
        0
    }

    /// The number of coordinates without inertia. They are the first of the states: the coordinate's value is a velocity,
    /// v[N − K + k], and its velocity follows from its equation.
    #[inline(always)]
    fn without_inertia_count(&self) -> usize {
        0
    }

    /// The names of the rows of the constraints, in the order of λ: holonomic rows first.
    fn constraints(&self) -> &'static [&'static str] {
        &[]
    }

    /// The number of holonomic rows.
    fn holonomic_count(&self) -> usize {
        0
    }

    /// The singular value of G, with rows scaled to unit length, below which a direction follows its inertia instead of the
    /// constraints. It is 0 for all systems but [`LeastNorm`](crate::constraint::LeastNorm). Projections of velocities use it
    /// too.
    fn redundancy_tolerance(&self) -> f64 {
        0.0
    }

    /// A fingerprint that distinguishes this mechanism and its parameters from others. A
    /// [`Checkpoint`](crate::stepper::Checkpoint) is resumed only by a system with the fingerprint of the one that wrote it.
    /// The default uses only the names of the coordinates and of the constraints.
    fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of_names(self.coordinates(), self.constraints())
    }

    /// The parameters, for messages. The default has none.
    fn parameters(&self) -> Parameters<'_, R> {
        Parameters { names: &[], values: &[], inertial: &[] }
    }

    /// The units of the quantities, as far as the block states them or they follow. The default states none.
    fn units(&self) -> &'static Units {
        &Units::UNSTATED
    }

    /// The nominal range of each coordinate, in the order of q, as far as the block states them; empty if it states none. See
    /// [`Mechanism::RANGES`], which has those of parameters too.
    fn nominal_ranges(&self) -> &'static [Option<[f64; 2]>] {
        &[]
    }

    /// The names of the `#[input]` fields, in the order of u.
    fn input_names(&self) -> &'static [&'static str] {
        &[]
    }

    /// The values of the `#[input]` fields, which are u where no controller is given.
    fn default_inputs(&self) -> SVector<R, U>;

    /// p and f at (t, q, v, u).
    fn balance(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>) -> Balance<R, N>;

    /// p, f and M at (t, q, v, u). The default calls [`System::balance`] and [`System::equations`].
    fn inertial_balance(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>) -> InertialBalance<R, N> {
        let Balance { momentum, balance } = self.balance(t, q, v, u);
        InertialBalance { momentum, balance, mass_matrix: self.equations(t, q, v, u).mass_matrix }
    }

    /// p, f and their derivatives by q and v.
    fn balance_jacobian(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>) -> BalanceJacobian<R, N>;

    /// ∂p/∂t and ∂f/∂t at constant q, v and u, for [`Rodas5P`](crate::method::Rodas5P). `None` means that they are not known. The default is 0 where the
    /// facts say that the equations do not depend on the time, and `None` elsewhere; derived code gives them for all mechanisms without constraints.
    fn balance_by_time(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>) -> Option<Balance<R, N>> {
        let (_, none) = ((t, q, v, u), SVector::repeat(R::ZERO));
        self.facts().autonomous.then_some(Balance { momentum: none, balance: none })
    }

    /// M and F.
    fn equations(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>) -> Equations<R, N>;

    /// M alone. For trees of bodies it is that of composite bodies, with a number of operations proportional to n times the depth of the tree.
    /// The default calls [`System::equations`]; derived code has its own where M and F together are long.
    fn mass_matrix(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>) -> SMatrix<R, N, N> {
        self.equations(t, q, v, u).mass_matrix
    }

    /// M a − F: the generalized forces that must act in addition to F, so that the acceleration is `a`. In robotics they are called inverse
    /// dynamics: the torques of the joints for a stated motion.
    ///
    /// Forces of constraints, and those of contacts and of friction that sticks, are not part of F. A generalized force has the unit of power
    /// divided by that of the coordinate's velocity: N for a length, N m for an angle. For trees of bodies the number of operations is
    /// proportional to that of the bodies. The default computes M and F.
    fn inverse_dynamics(
        &self,
        t: R,
        q: &SVector<R, N>,
        v: &SVector<R, N>,
        a: &SVector<R, N>,
        u: &SVector<R, U>,
    ) -> SVector<R, N> {
        let Equations { mass_matrix, forcing } = self.equations(t, q, v, u);
        SVector::from_fn(|i, _| (0..N).fold(-forcing[i], |sum, j| sum + mass_matrix[(i, j)] * a[j]))
    }

    /// a and λ.
    ///
    /// # Errors
    /// [`SingularMass`] names the coordinate whose pivot vanished, or the constraint that the others make redundant.
    /// A lane that fails is NaN instead.
    fn acceleration(
        &self,
        t: R,
        q: &SVector<R, N>,
        v: &SVector<R, N>,
        u: &SVector<R, U>,
    ) -> Result<Acceleration<R, N, C>, SingularMass>;

    /// g, G and ∂g/∂t or b. A system without constraints need not implement it. A system with constraints that lacks it does
    /// not compile.
    fn constraint(&self, t: R, q: &SVector<R, N>) -> Constraint<R, N, C> {
        const { assert!(C == 0, "a system with constraints implements `System::constraint`") };
        let _ = (t, q);
        let none = SVector::repeat(R::ZERO);
        Constraint { value: none, scale: none, jacobian: SMatrix::repeat(R::ZERO), drift: none }
    }

    /// The hidden constraint, γ, the reaction of the given λ, and derivatives by q. A system without constraints need not
    /// implement it. A system with constraints that lacks it does not compile.
    fn constraint_hidden(
        &self,
        t: R,
        q: &SVector<R, N>,
        v: &SVector<R, N>,
        multipliers: &SVector<R, C>,
    ) -> ConstraintHidden<R, N, C> {
        const { assert!(C == 0, "a system with constraints implements `System::constraint_hidden`") };
        let _ = (t, q, v, multipliers);
        let none = SVector::repeat(R::ZERO);
        ConstraintHidden {
            rate: none,
            curvature: none,
            rate_q: SMatrix::repeat(R::ZERO),
            reaction: SVector::repeat(R::ZERO),
            reaction_q: SMatrix::repeat(R::ZERO),
        }
    }

    /// v + M⁻¹ (p − ∂L/∂v(q, v, t)): one Newton step towards the velocity of momentum p, exact where L is quadratic in v. If M is
    /// also constant, derived code may start at v = 0 instead, so that the result depends on the given v by rounding at most. Where M is
    /// singular and only M with the constraints is regular, the step goes to the velocity that also meets the hidden constraint.
    ///
    /// # Errors
    /// Those of [`System::acceleration`].
    fn velocity_correction(
        &self,
        t: R,
        q: &SVector<R, N>,
        v: &SVector<R, N>,
        p: &SVector<R, N>,
    ) -> Result<SVector<R, N>, SingularMass> {
        // Neither the momentum nor the mass matrix depends on inputs.
        let u = self.default_inputs();
        let missing = p - self.balance(t, q, v, &u).momentum;
        Ok(v + solve_symmetric(&self.equations(t, q, v, &u).mass_matrix, missing)?)
    }

    /// T, V and h.
    fn energies(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>) -> Energies<R>;

    /// T, V and h of a state, with the default inputs. Under a controller, call [`System::energies`] with its u(t, q, v).
    ///
    /// ```
    /// use lagrange_runtime::prelude::*;
    ///
    /// #[lagrangian {
    ///     coordinates x;
    ///     kinetic = m*dot(x)^2/2;
    ///     potential = k*x^2/2;
    /// }]
    /// struct Oscillator {
    ///     m: f64,
    ///     k: f64,
    /// }
    ///
    /// let system = Oscillator { m: 1.0, k: 4.0 }.prepare::<f64>()?;
    /// let solution = solve(&system, State::new(0.0, [1.0], [0.0]), 1.0, &Rk4::new(1e-3), &Options::default())?;
    /// for state in solution.states() {
    ///     assert!((system.energies_of(&state).energy - 2.0).abs() < 1e-9);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn energies_of(&self, state: &State<R, N>) -> Energies<R> {
        let State { t, q, v } = state;
        self.energies(*t, q, v, &self.default_inputs())
    }

    /// a and λ of a state, with the default inputs. Under a controller, call [`System::acceleration`] with its u(t, q, v).
    ///
    /// # Errors
    /// Those of [`System::acceleration`].
    fn acceleration_of(&self, state: &State<R, N>) -> Result<Acceleration<R, N, C>, SingularMass> {
        let State { t, q, v } = state;
        self.acceleration(*t, q, v, &self.default_inputs())
    }

    /// The terms of dh/dt at a state, with their names, for the default inputs. Under a controller, call [`Sensors::powers`]
    /// with its u(t, q, v).
    #[cfg(feature = "std")]
    fn powers_of(&self, state: &State<R, N>) -> std::vec::Vec<(&'static str, R)> {
        let State { t, q, v } = state;
        let mut values = std::vec![R::ZERO; self.power_names().len()];
        self.powers(*t, q, v, &self.default_inputs(), &mut values);
        self.power_names().iter().copied().zip(values).collect()
    }

    /// The sensors at a state, with their names, for the default inputs. Under a controller, call [`Sensors::outputs`] with its
    /// u(t, q, v).
    #[cfg(feature = "std")]
    fn outputs_of(&self, state: &State<R, N>) -> std::vec::Vec<(&'static str, R)> {
        let State { t, q, v } = state;
        let mut values = std::vec![R::ZERO; self.output_names().len()];
        self.outputs(*t, q, v, &self.default_inputs(), &mut values);
        self.output_names().iter().copied().zip(values).collect()
    }

    /// The number of switching functions that [`System::switches`] writes.
    fn switch_count(&self) -> usize {
        0
    }

    /// The switching functions as text, for messages. The default names none.
    fn switch_names(&self) -> &'static [&'static str] {
        &[]
    }

    /// Writes the switching functions. Each changes its sign where the equations change their branch.
    fn switches(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>, out: &mut [R]) {
        let _ = (t, q, v, u, out);
    }

    /// The rules by which steps end at the switches, where the switching functions are 0. A system with switching functions gives
    /// `Some(&Switches)`, by [`Switches`](crate::stepper::Switches). The default is `None`, so that programs whose systems have no switching
    /// functions do not contain the rules. An integration that is to locate switches refuses a system that gives none.
    fn switch_rules(&self) -> Option<&'static dyn SwitchRules<R, N>> {
        None
    }

    /// The number of modes, which are the last of the states. The default is 0.
    #[inline(always)]
    fn mode_count(&self) -> usize {
        0
    }

    /// The changes of the modes, in the order of the block. The default is none.
    fn changes(&self) -> &'static [Change] {
        &[]
    }

    /// Writes the conditions of all changes, each of which is positive where it holds, and behind them the values that each change assigns, in the
    /// order of its [`targets`](Change::targets).
    fn change_values(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>, out: &mut [R]) {
        let _ = (t, q, v, u, out);
    }

    /// The rules by which modes change. A system with modes gives `Some(&Changes)`, by [`Changes`](crate::change::Changes). The default is `None`,
    /// so that programs whose systems have no modes do not contain the rules.
    fn change_rules(&self) -> Option<&'static dyn ChangeRules<R, N>> {
        None
    }

    /// The number of rows of contacts: one for each `friction` statement, then one for the gap of each `contact` statement, then
    /// one for the slip of each `contact` statement that has one, then those of `friction` statements that are not among the first ones:
    /// one for each component of a slip that is a vector, and one for a bound that contains multipliers. It is at most [`MAX_ROWS`](crate::contact::MAX_ROWS).
    #[inline(always)]
    fn row_count(&self) -> usize {
        0
    }

    /// Calls `ask` with the rules by which an integration treats the contacts. A system with three rows gives them by
    /// `ask(&Ruled::<Self, 4>::new(self))` ([`Ruled`](crate::contact::Ruled)). The default calls nothing, so that programs whose systems have no
    /// contacts do not contain the rules. A method refuses a system with contacts that gives none.
    fn contact_rules(&self, ask: &mut dyn FnMut(&dyn ContactRules<R, N, C, U>)) {
        let _ = ask;
    }

    /// The names of the rows. The slip of the contact `floor` is `floor.slip`. The components of a vector have the same name.
    fn row_names(&self) -> &'static [&'static str] {
        &[]
    }

    /// The law of each row. It is empty where each row is that of a `friction` statement.
    fn row_laws(&self) -> &'static [Law] {
        &[]
    }

    /// For each row, the index of its switching function: the slip rate, the length of a vector of slip rates, or the gap.
    fn row_switches(&self) -> &'static [usize] {
        &[]
    }

    /// Writes the rows of the contacts, and returns M and the forcing F without the forces of friction. The other evaluations
    /// contain the friction of `friction` statements as the force −b sign(s), except where the bound is one of [`System::bounds`]. They
    /// contain no such force, and no force of `contact` statements.
    fn rows(
        &self,
        t: R,
        q: &SVector<R, N>,
        v: &SVector<R, N>,
        u: &SVector<R, U>,
        out: &mut [Row<R, N>],
    ) -> Equations<R, N> {
        let _ = out;
        self.equations(t, q, v, u)
    }

    /// The number of contacts that open and close, one for each `contact` statement.
    #[inline(always)]
    fn gap_count(&self) -> usize {
        0
    }

    /// Writes the gap of each contact that opens and closes.
    fn gaps(&self, t: R, q: &SVector<R, N>, out: &mut [Gap<R>]) {
        let _ = (t, q, out);
    }

    /// Whether a contact may have adhesion. Then accelerations jump where it opens.
    #[inline(always)]
    fn adheres(&self) -> bool {
        false
    }

    /// The number of rows of constraints that modes switch on and off.
    #[inline(always)]
    fn latch_count(&self) -> usize {
        0
    }

    /// Writes the rows of constraints that modes switch on and off. Their forces are in no other evaluation, as those of contacts.
    fn latches(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, out: &mut [Latch<R>]) {
        let _ = (t, q, v, out);
    }

    /// Writes the coefficient of restitution of each contact that opens and closes, for an impact at (t, q) before which the velocities are v and
    /// the inputs u. Where the gap of a contact does not close at v, its number has no meaning.
    fn restitutions(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>, out: &mut [R]) {
        let _ = (v, u);
        let mut gaps = [Gap::NONE; crate::limits::MAX_ROWS];
        self.gaps(t, q, &mut gaps);
        for (out, gap) in out.iter_mut().zip(gaps) {
            *out = gap.restitution;
        }
    }

    /// The number of `friction` statements whose slips are vectors or whose bounds contain multipliers.
    #[inline(always)]
    fn bound_count(&self) -> usize {
        0
    }

    /// Writes the bounds of the friction forces that are in no other evaluation.
    fn bounds(
        &self,
        t: R,
        q: &SVector<R, N>,
        v: &SVector<R, N>,
        u: &SVector<R, U>,
        multipliers: &SVector<R, C>,
        out: &mut [Bound<R, C>],
    ) {
        let _ = (t, q, v, u, multipliers, out);
    }

    /// The rows of the frictions that hold at rest up to a static bound, which is at least the bound under which they slip. The row of a vector
    /// is that of its first component. The default is none.
    #[inline(always)]
    fn breakaway_rows(&self) -> &'static [usize] {
        &[]
    }

    /// Writes the static bounds, in the order of [`System::breakaway_rows`]. For the slip of a `contact` it is the static coefficient of
    /// friction μₛ, and the static bound is μₛ N. Only bounds of rows with [`Law::Loaded`], and those of vectors, may depend on
    /// the multipliers.
    fn breakaways(
        &self,
        t: R,
        q: &SVector<R, N>,
        v: &SVector<R, N>,
        u: &SVector<R, U>,
        multipliers: &SVector<R, C>,
        out: &mut [Bound<R, C>],
    ) {
        let _ = (t, q, v, u, multipliers, out);
    }
}
