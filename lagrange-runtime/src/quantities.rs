//! The results of the evaluations of a system.

use crate::scalar::Scalar;
use nalgebra::{SMatrix, SVector};

/// Momentum and balance: `d/dt p = f + Gᵀλ`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Balance<R: Scalar, const N: usize> {
    /// p = ∂L/∂v.
    pub momentum: SVector<R, N>,
    /// f = ∂L/∂q − ∂D/∂v + Q.
    pub balance: SVector<R, N>,
}

/// [`Balance`] with the mass matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InertialBalance<R: Scalar, const N: usize> {
    /// p = ∂L/∂v.
    pub momentum: SVector<R, N>,
    /// f = ∂L/∂q − ∂D/∂v + Q.
    pub balance: SVector<R, N>,
    /// M = ∂p/∂v.
    pub mass_matrix: SMatrix<R, N, N>,
}

/// [`Balance`] with its derivatives by q and v; row i, column k is the derivative of component i by variable k.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BalanceJacobian<R: Scalar, const N: usize> {
    /// p = ∂L/∂v.
    pub momentum: SVector<R, N>,
    /// f = ∂L/∂q − ∂D/∂v + Q.
    pub balance: SVector<R, N>,
    /// ∂p/∂q.
    pub momentum_q: SMatrix<R, N, N>,
    /// M = ∂p/∂v.
    pub mass_matrix: SMatrix<R, N, N>,
    /// ∂f/∂q.
    pub balance_q: SMatrix<R, N, N>,
    /// ∂f/∂v.
    pub balance_v: SMatrix<R, N, N>,
}

/// The derivatives of p and f by time and inputs; column k is the derivative by input k.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BalanceRates<R: Scalar, const N: usize, const U: usize> {
    /// ∂p/∂t.
    pub momentum_t: SVector<R, N>,
    /// ∂f/∂t.
    pub balance_t: SVector<R, N>,
    /// ∂f/∂u.
    pub balance_u: SMatrix<R, N, U>,
}

/// The parameters of a system: one entry of each list for each parameter, in the order of [`Mechanism::PARAMETERS`](crate::system::Mechanism::PARAMETERS).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters<'a, R> {
    /// Their names.
    pub names: &'static [&'static str],
    /// Their values.
    pub values: &'a [R],
    /// Whether the momentum, and so perhaps the mass matrix, depends on each parameter.
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

/// What acts in a row of [`System::rows`](crate::system::System::rows).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    /// A `friction` statement: a force on its slip with the bound b.
    Friction,
    /// The gap of a `contact` statement: a force N ≥ 0 on the gap where the contact is closed, or N ≥ −a with its adhesion a, and no force where it is open.
    Contact {
        /// The index of the gap among those of [`System::gaps`](crate::system::System::gaps).
        gap: usize,
    },
    /// The slip of a `contact` statement: a friction force with the bound μ N where the contact is closed.
    Slip {
        /// The row of the contact.
        contact: usize,
    },
    /// A component of the slip of a `contact` statement whose slip is a vector: a friction force of at most the length μ N where the contact is closed.
    VectorSlip {
        /// The row of the first component.
        first: usize,
        /// How many components there are, in rows that follow each other.
        size: usize,
        /// The row of the contact.
        contact: usize,
    },
    /// A row of a constraint that modes switch on and off: while it is on, the force that keeps it, with any sign, and no force otherwise.
    Latch {
        /// The index of the row among those of [`System::latches`](crate::system::System::latches).
        latch: usize,
        /// Whether the row is holonomic. Otherwise it has a rate and no position.
        holonomic: bool,
    },
    /// A `friction` statement whose bound contains multipliers: a force on its slip with a bound b(λ).
    Loaded {
        /// The index of the bound among those of [`System::bounds`](crate::system::System::bounds).
        bound: usize,
    },
    /// A component of the slip of a `friction` statement whose slip is a vector. The bound is that of the length of the whole force.
    Vector {
        /// The row of the first component.
        first: usize,
        /// How many components there are, in rows that follow each other.
        size: usize,
        /// The index of the bound among those of [`System::bounds`](crate::system::System::bounds).
        bound: usize,
    },
}

impl Law {
    /// The row of the contact, of the slip of a `contact` statement.
    pub(crate) fn contact(self) -> Option<usize> {
        match self {
            Self::Slip { contact } | Self::VectorSlip { contact, .. } => Some(contact),
            _ => None,
        }
    }

    /// The row of the first component and the number of components, of a slip that is a vector.
    pub(crate) fn vector(self) -> Option<(usize, usize)> {
        match self {
            Self::Vector { first, size, .. } | Self::VectorSlip { first, size, .. } => Some((first, size)),
            _ => None,
        }
    }
}

/// The bound of a friction force as a function of the multipliers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound<R: Scalar, const C: usize> {
    /// b(λ).
    pub value: R,
    /// ∂b/∂λ.
    pub slope: SVector<R, C>,
}

impl<R: Scalar, const C: usize> Bound<R, C> {
    /// A bound that is 0.
    pub const NONE: Self =
        Self { value: R::ZERO, slope: SVector::from_array_storage(nalgebra::ArrayStorage([[R::ZERO; C]])) };
}

/// The gap of a contact that opens and closes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gap<R> {
    /// The gap, left minus right of the `contact` statement, which is at least 0.
    pub value: R,
    /// The sum of the magnitudes of the terms that cancel in the gap. The rounding of the gap is relative to it.
    pub scale: R,
    /// The coefficient of restitution e, from 0 to 1. It is 0 where e depends on the speed of approach, with which
    /// [`System::restitutions`](crate::system::System::restitutions) has it.
    pub restitution: R,
}

impl<R: Scalar> Gap<R> {
    /// A gap that is 0.
    pub const NONE: Self = Self { value: R::ZERO, scale: R::ZERO, restitution: R::ZERO };
}

/// A row of a constraint that modes switch on and off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Latch<R> {
    /// Left minus right, which is 0 while the row is on. It is 0 for a nonholonomic row.
    pub value: R,
    /// The sum of the magnitudes of the terms that cancel in the value.
    pub scale: R,
    /// 1 where the modes switch the row on, and 0 elsewhere.
    pub on: R,
}

impl<R: Scalar> Latch<R> {
    /// A row that is off.
    pub const NONE: Self = Self { value: R::ZERO, scale: R::ZERO, on: R::ZERO };

    /// Whether the row is on.
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.on.to_f64() > 0.5
    }
}

/// A row of the contacts: a scalar relative motion with the position x(q, t), which is a slip or a gap. The force of the row acts
/// along the gradient of x.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row<R: Scalar, const N: usize> {
    /// The slip rate, or the rate of the gap: s = W v + ∂x/∂t.
    pub rate: R,
    /// W = ∂x/∂q.
    pub direction: SVector<R, N>,
    /// The part of ds/dt without accelerations: ds/dt = W a + curvature.
    pub curvature: R,
    /// The bound b of a friction force: −b sign(s) where the contact slips, and at most b in magnitude where it sticks. For the
    /// slip of a `contact` it is the coefficient of friction μ, and the bound is μ N, or μ (N + a) with the adhesion a of the contact. For a gap it is a: the
    /// closed contact bears N ≥ −a. It is 0 where the bound is one of
    /// [`System::bounds`](crate::system::System::bounds).
    pub bound: R,
}

impl<R: Scalar, const N: usize> Row<R, N> {
    /// A row that does not move and has no friction.
    pub const NONE: Self = Self {
        rate: R::ZERO,
        direction: SVector::from_array_storage(nalgebra::ArrayStorage([[R::ZERO; N]])),
        curvature: R::ZERO,
        bound: R::ZERO,
    };
}

/// The solution of M a = F + Gᵀλ, G a + γ = 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Acceleration<R: Scalar, const N: usize, const C: usize> {
    /// a = q̈.
    pub acceleration: SVector<R, N>,
    /// λ; Gᵀλ is the reaction on the coordinates.
    pub multipliers: SVector<R, C>,
}

/// The constraints at (t, q), one row each. First come the holonomic rows g(q, t) = 0, then the nonholonomic rows A(q, t) v +
/// b(q, t) = 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constraint<R: Scalar, const N: usize, const C: usize> {
    /// g; 0 for a nonholonomic row, which restricts no coordinate.
    pub value: SVector<R, C>,
    /// The sum of the magnitudes of the terms that cancel in g. The rounding of g is relative to it. It is 0 for a nonholonomic
    /// row.
    pub scale: SVector<R, C>,
    /// G: ∂g/∂q, or A.
    pub jacobian: SMatrix<R, C, N>,
    /// ∂g/∂t, or b. The hidden constraint is G v + drift = 0.
    pub drift: SVector<R, C>,
}

/// The hidden constraints, which are the derivatives of the constraints along the motion, and the reaction of given
/// multipliers.
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

impl<R: Scalar, const N: usize, const C: usize, const U: usize> AccelerationJacobian<R, N, C, U> {
    /// a and λ that depend on nothing.
    pub(crate) fn constant(solved: &Acceleration<R, N, C>) -> Self {
        let (none, row) = (SMatrix::repeat(R::ZERO), SMatrix::repeat(R::ZERO));
        Self {
            acceleration: solved.acceleration,
            multipliers: solved.multipliers,
            acceleration_q: none,
            acceleration_v: none,
            acceleration_t: SVector::repeat(R::ZERO),
            acceleration_u: SMatrix::repeat(R::ZERO),
            multipliers_q: row,
            multipliers_v: row,
            multipliers_t: SVector::repeat(R::ZERO),
            multipliers_u: SMatrix::repeat(R::ZERO),
        }
    }
}

/// An output y(t, q, v, u) with its partial derivatives, and what its rates contain without accelerations:
///
/// ```text
/// ẏ = ∂y/∂v a + drift,        drift = ∂y/∂q v + ∂y/∂t
/// ÿ = ∂y/∂q a + bias          of an output y(t, q, u)
/// ```
///
/// at constant inputs. For the position of the hand of an arm, the rows `q` are its Jacobian J, and the bias is J̇ v.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutputRow<R: Scalar, const N: usize, const U: usize> {
    /// y.
    pub value: R,
    /// ∂y/∂q.
    pub q: SVector<R, N>,
    /// ∂y/∂v.
    pub v: SVector<R, N>,
    /// ∂y/∂t.
    pub t: R,
    /// ∂y/∂u.
    pub u: SVector<R, U>,
    /// The part of ẏ without ∂y/∂v a. For an output y(t, q, u) it is ẏ.
    pub drift: R,
    /// The part of ÿ without ∂y/∂q a. It is NaN for an output of velocities, accelerations or forces.
    pub bias: R,
}

impl<R: Scalar, const N: usize, const U: usize> OutputRow<R, N, U> {
    /// A row in which every number is NaN: what stands in a slice before an evaluation writes into it.
    pub fn undefined() -> Self {
        let nan = R::from_f64(f64::NAN);
        let (all, of_inputs) = (SVector::repeat(nan), SVector::repeat(nan));
        Self { value: nan, q: all, v: all, t: nan, u: of_inputs, drift: nan, bias: nan }
    }
}

/// The energies of a state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Energies<R: Scalar> {
    /// T, if the mechanism states it separately.
    pub kinetic: Option<R>,
    /// V, if the mechanism states it separately.
    pub potential: Option<R>,
    /// h = v·p − L, Jacobi's integral. It equals T + V only where T is quadratic in v and does not depend on time.
    pub energy: R,
}
