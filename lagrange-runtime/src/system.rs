//! The contract between derived code and methods.
//!
//! Notation: q coordinates, v = q̇, p = ∂L/∂v momenta, u inputs, λ multipliers; `N` coordinates,
//! `C` constraints, `U` inputs. Every evaluation is one fused program with its own common
//! subexpressions; none allocates or panics.

mod fingerprint;

pub use fingerprint::Fingerprint;
pub(crate) use fingerprint::Fnv;

use crate::error::{PrepareError, SingularMass, UnknownParameter};
use crate::scalar::Scalar;
use crate::state::State;
use nalgebra::{SMatrix, SVector};

/// What the derivation proved about a mechanism, for decisions at run time.
///
/// The marker traits of the same names say it to the compiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// ∂L/∂t, ∂D/∂t, ∂Q/∂t, g_t and b_t vanish, and there is no input.
    pub autonomous: bool,
    /// L_t = 0, D = 0, Q = 0, g_t = 0, b = 0: Jacobi's integral is constant.
    pub conservative: bool,
    /// ∂²L/∂v² depends on parameters alone.
    pub constant_mass: bool,
    /// L = T(v) − V(q).
    pub separable: bool,
    /// The acceleration does not depend on v.
    pub velocity_free_acceleration: bool,
    /// F = f − (∂p/∂q) v − ∂p/∂t does not depend on v. With constraints the acceleration may all the same.
    pub velocity_free_forcing: bool,
    /// L is quadratic in v: the momentum is affine in v.
    pub quadratic: bool,
    /// M is positive definite at every state.
    pub positive_mass: bool,
    /// M is regular at every state: the momentum determines the velocity.
    pub regular_momentum: bool,
    /// M is singular at every state. Constraints make up for it where [M Gᵀ; G 0] is regular.
    pub singular_mass: bool,
    /// There is no constraint.
    pub unconstrained: bool,
    /// Every constraint is holonomic.
    pub holonomic: bool,
    /// Names of the coordinates q with ∂L/∂q = 0.
    pub cyclic: &'static [&'static str],
}

impl Facts {
    /// Nothing is known.
    pub const NONE: Self = Self {
        autonomous: false,
        conservative: false,
        constant_mass: false,
        separable: false,
        velocity_free_acceleration: false,
        velocity_free_forcing: false,
        quadratic: false,
        positive_mass: false,
        regular_momentum: false,
        singular_mass: false,
        unconstrained: false,
        holonomic: false,
        cyclic: &[],
    };
}

/// A struct with a `#[lagrangian]` attribute: names, parameters, and the way to runnable equations.
pub trait Mechanism<const N: usize, const C: usize, const U: usize> {
    /// What the derivation proved.
    const FACTS: Facts;
    /// A struct with a field for each coordinate, named as the coordinate is.
    type Index: Copy + core::fmt::Debug + Send + Sync + 'static;
    /// The index of each coordinate in q, and of its velocity in v: `state.q[Pendulum::INDEX.theta]`. Of an array of
    /// coordinates it holds an array of indices.
    const INDEX: Self::Index;
    /// The coordinates' names, in the order of q.
    const COORDINATES: [&'static str; N];
    /// The constraints' names, in the order of λ.
    const CONSTRAINTS: [&'static str; C];
    /// The inputs' names, in the order of u.
    const INPUTS: [&'static str; U];
    /// The parameters' names, in the order of [`Mechanism::prepare_from`].
    const PARAMETERS: &'static [&'static str];

    /// The derived equations as text, a line each, in the language of the block.
    const EQUATIONS_TEXT: &'static str;
    /// The derived equations as LaTeX.
    const EQUATIONS_LATEX: &'static str;

    /// The equations with their parameters fixed, in the scalar `R`.
    type Prepared<R: Scalar>: System<R, N, C, U>;

    /// The value of a parameter or input by name.
    fn parameter(&self, name: &str) -> Result<f64, UnknownParameter>;

    /// Sets a parameter or input by name.
    fn set_parameter(&mut self, name: &str, value: f64) -> Result<(), UnknownParameter>;

    /// Computes all that depends on parameters alone, once.
    ///
    /// # Errors
    /// A parameter that is not finite, or breaks a sign that the derivation used, is named.
    fn prepare<R: Scalar>(&self) -> Result<Self::Prepared<R>, PrepareError>;

    /// The same from parameter values and default inputs as scalars (dual numbers, lanes, sweeps).
    ///
    /// # Errors
    /// As [`Mechanism::prepare`]; also where `parameters` is not as long as [`Mechanism::PARAMETERS`].
    fn prepare_from<R: Scalar>(parameters: &[R], inputs: &SVector<R, U>) -> Result<Self::Prepared<R>, PrepareError>;
}

/// Momentum and balance: `d/dt p = f + Gᵀλ`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Balance<R: Scalar, const N: usize> {
    /// p = ∂L/∂v.
    pub momentum: SVector<R, N>,
    /// f = ∂L/∂q − ∂D/∂v + Q.
    pub balance: SVector<R, N>,
}

/// [`Balance`] with its partial derivatives; row i, column k is the derivative of component i by variable k.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BalanceJacobian<R: Scalar, const N: usize, const U: usize> {
    /// p = ∂L/∂v.
    pub momentum: SVector<R, N>,
    /// f = ∂L/∂q − ∂D/∂v + Q.
    pub balance: SVector<R, N>,
    /// ∂p/∂q.
    pub momentum_q: SMatrix<R, N, N>,
    /// M = ∂p/∂v.
    pub mass_matrix: SMatrix<R, N, N>,
    /// ∂p/∂t.
    pub momentum_t: SVector<R, N>,
    /// ∂f/∂q.
    pub balance_q: SMatrix<R, N, N>,
    /// ∂f/∂v.
    pub balance_v: SMatrix<R, N, N>,
    /// ∂f/∂t.
    pub balance_t: SVector<R, N>,
    /// ∂f/∂u.
    pub balance_u: SMatrix<R, N, U>,
}

/// The parameters of a system: one entry of each list for each parameter, in the order of [`Mechanism::PARAMETERS`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters<'a, R> {
    /// Their names.
    pub names: &'static [&'static str],
    /// Their values.
    pub values: &'a [R],
    /// Whether the momentum depends on each, and so perhaps the mass matrix.
    pub inertial: &'static [bool],
}

/// The equations in the form M a = F + Gᵀλ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Equations<R: Scalar, const N: usize> {
    /// M = ∂²L/∂v².
    pub mass_matrix: SMatrix<R, N, N>,
    /// F = f − (∂p/∂q) v − ∂p/∂t.
    pub forcing: SVector<R, N>,
}

/// The solution of M a = F + Gᵀλ, G a + γ = 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Acceleration<R: Scalar, const N: usize, const C: usize> {
    /// a = q̈.
    pub acceleration: SVector<R, N>,
    /// λ; Gᵀλ is the reaction on the coordinates.
    pub multipliers: SVector<R, C>,
}

/// The constraints at (t, q), a row each: holonomic rows g(q, t) = 0 first, then nonholonomic rows A(q, t) v + b(q, t) = 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constraint<R: Scalar, const N: usize, const C: usize> {
    /// g; 0 for a nonholonomic row, which holds no coordinate.
    pub value: SVector<R, C>,
    /// The magnitudes of the terms that cancel in g, summed: what its rounding is relative to; 0 for a nonholonomic row.
    pub scale: SVector<R, C>,
    /// G: ∂g/∂q, or A.
    pub jacobian: SMatrix<R, C, N>,
    /// ∂g/∂t, or b: the hidden constraint is G v + drift = 0.
    pub drift: SVector<R, C>,
}

/// What the constraints hide: their derivatives along the motion, and how they push.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConstraintHidden<R: Scalar, const N: usize, const C: usize> {
    /// G v + drift, which vanishes.
    pub rate: SVector<R, C>,
    /// γ: d/dt (G v + drift) = G a + γ, which vanishes.
    pub curvature: SVector<R, C>,
    /// ∂(G v + drift)/∂q.
    pub rate_q: SMatrix<R, C, N>,
    /// Gᵀλ, the reaction on the coordinates.
    pub reaction: SVector<R, N>,
    /// ∂(Gᵀλ)/∂q.
    pub reaction_q: SMatrix<R, N, N>,
}

/// [`Acceleration`] with its partial derivatives; row i, column k is the derivative of aᵢ or λᵢ by variable k.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AccelerationJacobian<R: Scalar, const N: usize, const C: usize, const U: usize> {
    /// a = q̈.
    pub acceleration: SVector<R, N>,
    /// λ.
    pub multipliers: SVector<R, C>,
    /// ∂a/∂q.
    pub acceleration_q: SMatrix<R, N, N>,
    /// ∂a/∂v.
    pub acceleration_v: SMatrix<R, N, N>,
    /// ∂a/∂t.
    pub acceleration_t: SVector<R, N>,
    /// ∂a/∂u.
    pub acceleration_u: SMatrix<R, N, U>,
    /// ∂λ/∂q.
    pub multipliers_q: SMatrix<R, C, N>,
    /// ∂λ/∂v.
    pub multipliers_v: SMatrix<R, C, N>,
    /// ∂λ/∂t.
    pub multipliers_t: SVector<R, C>,
    /// ∂λ/∂u.
    pub multipliers_u: SMatrix<R, C, U>,
}

/// The energies of a state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Energies<R: Scalar> {
    /// T, where the mechanism states it apart.
    pub kinetic: Option<R>,
    /// V, where the mechanism states it apart.
    pub potential: Option<R>,
    /// h = v·p − L, Jacobi's integral: equal to T + V only where T is quadratic and free of time.
    pub energy: R,
}

/// Equations of motion with their parameters fixed: what methods take.
///
/// Dyn-compatible at fixed `R`, `N`, `C`, `U`. States that are not finite give results that are not
/// finite; methods report them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no equations of motion in this number type with this number of coordinates, constraints and inputs",
    label = "not what `prepare` returns",
    note = "a mechanism is prepared first: `let system = mechanism.prepare::<f64>()?;`"
)]
pub trait System<R: Scalar, const N: usize, const C: usize, const U: usize>: Send + Sync {
    /// What the derivation proved, for decisions at run time.
    fn facts(&self) -> &'static Facts;

    /// The coordinates' names, in the order of q.
    fn coordinates(&self) -> &'static [&'static str];

    /// The names of the rows of the constraints, in the order of λ: holonomic rows first.
    fn constraints(&self) -> &'static [&'static str] {
        &[]
    }

    /// How many rows are holonomic.
    fn holonomic_count(&self) -> usize {
        0
    }

    /// The singular value of G, with rows scaled to unit length, below which the system leaves a direction to its inertia instead of
    /// its constraints: 0 for all systems but [`LeastNorm`](crate::constraint::LeastNorm). Projections of velocities follow it.
    fn redundancy_tolerance(&self) -> f64 {
        0.0
    }

    /// What tells this mechanism and its parameters from others: a [`Checkpoint`](crate::stepper::Checkpoint) is resumed by the system that
    /// wrote it and by no other. The default knows the coordinates and the constraints alone, by their names.
    fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of_names(self.coordinates(), self.constraints())
    }

    /// The parameters, for messages; none where the system does not know them.
    fn parameters(&self) -> Parameters<'_, R> {
        Parameters { names: &[], values: &[], inertial: &[] }
    }

    /// The values of the `#[input]` fields: u where no controller is given.
    fn default_inputs(&self) -> SVector<R, U>;

    /// p and f at (t, q, v, u).
    fn balance(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>) -> Balance<R, N>;

    /// p, f and their derivatives by q, v, t, u.
    fn balance_jacobian(
        &self,
        t: R,
        q: &SVector<R, N>,
        v: &SVector<R, N>,
        u: &SVector<R, U>,
    ) -> BalanceJacobian<R, N, U>;

    /// M and F.
    fn equations(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>) -> Equations<R, N>;

    /// a and λ.
    ///
    /// # Errors
    /// [`SingularMass`] names the coordinate whose pivot vanished, or the constraint that the others make redundant.
    /// Lanes that fail are NaN instead.
    fn acceleration(
        &self,
        t: R,
        q: &SVector<R, N>,
        v: &SVector<R, N>,
        u: &SVector<R, U>,
    ) -> Result<Acceleration<R, N, C>, SingularMass>;

    /// a, λ and their derivatives by q, v, t, u, from M ∂a − Gᵀ∂λ = ∂F − ∂M a + ∂Gᵀλ, G ∂a = −∂γ − ∂G a.
    ///
    /// # Errors
    /// As [`System::acceleration`].
    fn acceleration_jacobian(
        &self,
        t: R,
        q: &SVector<R, N>,
        v: &SVector<R, N>,
        u: &SVector<R, U>,
    ) -> Result<AccelerationJacobian<R, N, C, U>, SingularMass>;

    /// g, G and ∂g/∂t or b. The default is that of a mechanism without constraints.
    fn constraint(&self, t: R, q: &SVector<R, N>) -> Constraint<R, N, C> {
        let _ = (t, q);
        let unknown = R::from_f64(f64::NAN);
        Constraint {
            value: SVector::repeat(unknown),
            scale: SVector::repeat(unknown),
            jacobian: SMatrix::repeat(unknown),
            drift: SVector::repeat(unknown),
        }
    }

    /// The hidden constraint, γ, the reaction of the given λ, and derivatives by q. The default is that of a mechanism
    /// without constraints.
    fn constraint_hidden(
        &self,
        t: R,
        q: &SVector<R, N>,
        v: &SVector<R, N>,
        multipliers: &SVector<R, C>,
    ) -> ConstraintHidden<R, N, C> {
        let _ = (t, q, v, multipliers);
        let unknown = R::from_f64(f64::NAN);
        let reaction = if C == 0 { R::ZERO } else { unknown };
        ConstraintHidden {
            rate: SVector::repeat(unknown),
            curvature: SVector::repeat(unknown),
            rate_q: SMatrix::repeat(unknown),
            reaction: SVector::repeat(reaction),
            reaction_q: SMatrix::repeat(reaction),
        }
    }

    /// How many columns [`System::acceleration_parameters`] writes: one per parameter.
    fn parameter_count(&self) -> usize;

    /// Writes ∂a/∂(parameter k) and ∂λ/∂(parameter k) into `columns[k]`, in the order of [`Mechanism::PARAMETERS`].
    ///
    /// # Errors
    /// As [`System::acceleration`]. Columns beyond [`System::parameter_count`] are left alone; missing ones are dropped.
    fn acceleration_parameters(
        &self,
        t: R,
        q: &SVector<R, N>,
        v: &SVector<R, N>,
        u: &SVector<R, U>,
        columns: &mut [Acceleration<R, N, C>],
    ) -> Result<(), SingularMass>;

    /// v + M⁻¹ (p − ∂L/∂v(q, v, t)): one Newton step towards the velocity of momentum p, exact where L is quadratic in v.
    /// Where M is singular and constraints make up for it, the step to the velocity that meets the hidden constraint.
    ///
    /// # Errors
    /// As [`System::acceleration`].
    fn velocity_correction(
        &self,
        t: R,
        q: &SVector<R, N>,
        v: &SVector<R, N>,
        p: &SVector<R, N>,
    ) -> Result<SVector<R, N>, SingularMass>;

    /// T, V and h.
    fn energies(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>) -> Energies<R>;

    /// T, V and h of a state, with the default inputs; under a controller, [`System::energies`] takes its u(t, q, v).
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

    /// a and λ of a state, with the default inputs; under a controller, [`System::acceleration`] takes its u(t, q, v).
    ///
    /// # Errors
    /// As [`System::acceleration`].
    fn acceleration_of(&self, state: &State<R, N>) -> Result<Acceleration<R, N, C>, SingularMass> {
        let State { t, q, v } = state;
        self.acceleration(*t, q, v, &self.default_inputs())
    }

    /// The terms of dh/dt of a state by their names, with the default inputs; under a controller, [`System::powers`] takes its
    /// u(t, q, v).
    #[cfg(feature = "std")]
    fn powers_of(&self, state: &State<R, N>) -> std::vec::Vec<(&'static str, R)> {
        let State { t, q, v } = state;
        let mut values = std::vec![R::ZERO; self.power_names().len()];
        self.powers(*t, q, v, &self.default_inputs(), &mut values);
        self.power_names().iter().copied().zip(values).collect()
    }

    /// The sensors of a state by their names, with the default inputs; under a controller, [`System::outputs`] takes its
    /// u(t, q, v).
    #[cfg(feature = "std")]
    fn outputs_of(&self, state: &State<R, N>) -> std::vec::Vec<(&'static str, R)> {
        let State { t, q, v } = state;
        let mut values = std::vec![R::ZERO; self.output_names().len()];
        self.outputs(*t, q, v, &self.default_inputs(), &mut values);
        self.output_names().iter().copied().zip(values).collect()
    }

    /// The names of what [`System::powers`] writes: one per `force`, then `dissipation`, then `time`, then one per
    /// constraint that does work.
    fn power_names(&self) -> &'static [&'static str];

    /// Writes each term of dh/dt = Q·v − v·∂D/∂v − ∂L/∂t − λ·drift, in the order of [`System::power_names`]; NaN for a
    /// constraint's where the equations cannot be solved for λ.
    fn powers(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>, out: &mut [R]);

    /// The names of what [`System::outputs`] writes, one per component.
    fn output_names(&self) -> &'static [&'static str] {
        &[]
    }

    /// Writes the sensors, in the order of [`System::output_names`]; NaN for one of accelerations, multipliers or
    /// reactions where the equations cannot be solved for them.
    fn outputs(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>, out: &mut [R]) {
        let _ = (t, q, v, u, out);
    }

    /// How many switching functions [`System::switches`] writes.
    fn switch_count(&self) -> usize {
        0
    }

    /// The switching functions as text, for messages; none where the system does not name them.
    fn switch_names(&self) -> &'static [&'static str] {
        &[]
    }

    /// Writes the switching functions: each changes sign where the equations change their branch.
    fn switches(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>, out: &mut [R]) {
        let _ = (t, q, v, u, out);
    }
}

macro_rules! markers {
    ($($(#[doc = $doc:literal])* $name:ident: $message:literal;)*) => {$(
        $(#[doc = $doc])*
        #[diagnostic::on_unimplemented(message = $message)]
        pub trait $name {}
    )*};
}

markers! {
    /// ∂L/∂t, ∂D/∂t, ∂Q/∂t, g_t and b_t vanish, and there is no input.
    Autonomous: "this method needs a mechanism that does not depend on time or inputs";
    /// L_t = 0, D = 0, Q = 0, g_t = 0, b = 0: the energy h is constant.
    Conservative: "this method needs a mechanism without dissipation, force, input or explicit time";
    /// The mass matrix depends on parameters alone.
    ConstantMass: "this method needs a constant mass matrix";
    /// L = T(v) − V(q).
    Separable: "this method needs a separable Lagrangian, L = T(v) − V(q)";
    /// The acceleration does not depend on the velocity.
    VelocityFreeAcceleration: "this method needs an acceleration that does not depend on the velocity";
    /// The mass matrix is positive definite at every state.
    PositiveMass: "this method needs a mass matrix that is proved positive definite";
    /// The momentum determines the velocity at every state.
    RegularMomentum: "this method needs a mass matrix that is proved regular";
    /// The mechanism has no constraint.
    Unconstrained: "this method needs a mechanism without constraints";
    /// Every constraint is holonomic.
    Holonomic: "this method needs constraints that are holonomic";
}
