//! The equations of motion in the space of outputs: the operational-space inertia of a hand, its acceleration, and the motion of the joints for it.

use crate::error::{PivotOf, SingularMass};
use crate::linalg::ldlt::Ldlt;
use crate::linalg::{bordered, solve_symmetric};
use crate::scalar::{Mask, Real, Scalar};
use crate::system::{Linearise, OutputRow};
use core::fmt;
use nalgebra::{SMatrix, SVector};

/// How many roundings of a pivot are left of it where the outputs move dependently: at least four digits of Λ are right above it.
const ROUNDINGS: f64 = 1e4;

/// K outputs y(t, q, u) of a system at a state, and how they move: ÿ = J a + J̇ v with M a = F + Gᵀλ.
///
/// ```text
/// Λ = (J W Jᵀ)⁻¹,     J̄ = W Jᵀ Λ,     W = M⁻¹ without constraints
/// ```
///
/// Λ is the inertia that a force on the outputs meets, and J̄ the dynamically consistent inverse of J: of all accelerations a with a given ÿ, a = J̄ (ÿ − J̇ v)
/// has the least aᵀM a, and torques that keep ÿ are those that J̄ᵀ maps to 0. With constraints, W is the upper left block of the inverse of [M Gᵀ; G 0]:
/// the outputs move as the constraints allow. M is factored and never inverted. A closed contact and friction that sticks are no constraints here: Λ is the
/// inertia of the mechanism without them.
///
/// Source: O. Khatib, *A unified approach for motion and force control of robot manipulators: the operational space formulation*, IEEE Journal of
/// Robotics and Automation 3, 1987.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OperationalSpace<R: Scalar, const N: usize, const K: usize> {
    /// y.
    pub value: SVector<R, K>,
    /// ẏ = J v + ∂y/∂t.
    pub rate: SVector<R, K>,
    /// J = ∂y/∂q, a row for each output.
    pub jacobian: SMatrix<R, K, N>,
    /// J̇ v, or ÿ − J a where y depends on the time too.
    pub bias: SVector<R, K>,
    /// Λ, in the unit of a force on one output divided by that of the acceleration of the other.
    pub inertia: SMatrix<R, K, K>,
    /// W Jᵀ: column k is the acceleration of the coordinates by a force of 1 on output k.
    pub responses: SMatrix<R, N, K>,
    /// The accelerations of least aᵀM a that the constraints demand, G a = −γ; 0 without constraints.
    pub demanded: SVector<R, N>,
}

/// Why a state has no operational-space inertia.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OperationalError {
    /// The mass matrix, or the mass matrix bordered by the constraints, is singular.
    SingularMass(SingularMass),
    /// The state is a singular configuration: a combination of the outputs does not move.
    Singular {
        /// The output that no motion changes independently of those before it.
        output: &'static str,
        /// The part of its mobility that is independent of those before it, from 0 to 1.
        independent: f64,
    },
    /// An output depends on velocities, accelerations or forces, so that it has no Jacobian J with ẏ = J v.
    NotAPosition {
        /// The output.
        output: &'static str,
    },
    /// There is no output of this index.
    NoOutput {
        /// The index.
        index: usize,
        /// How many outputs there are.
        outputs: usize,
    },
}

impl fmt::Display for OperationalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SingularMass(singular) => write!(f, "{singular}"),
            Self::Singular { output, independent } => write!(
                f,
                "the configuration is singular: no motion changes the output `{output}` independently of the outputs before it, of its mobility only the part \
                 {independent:e} is independent; leave the output away, or damp the inverse"
            ),
            Self::NotAPosition { output } => write!(
                f,
                "the output `{output}` is no function of the time and the coordinates alone, so that it has no operational-space inertia"
            ),
            Self::NoOutput { index, outputs } => {
                write!(f, "there is no output of index {index}: the system has {outputs}")
            }
        }
    }
}

impl core::error::Error for OperationalError {}

impl<R: Real, const N: usize, const K: usize> OperationalSpace<R, N, K> {
    /// The outputs with these indices, in the order of [`Sensors::output_names`](crate::system::Sensors::output_names), at (t, q, v, u). It neither
    /// allocates nor panics.
    ///
    /// # Errors
    /// [`OperationalError::Singular`] names the first output that does not move independently of those before it, where fewer than four digits of Λ would be
    /// right. The other errors name the output, or the coordinate or constraint at which M is singular.
    ///
    /// ```
    /// use lagrange_runtime::operational::{OperationalError, OperationalSpace};
    /// use lagrange_runtime::prelude::*;
    ///
    /// #[lagrangian {
    ///     coordinates a, b;
    ///     let elbow = [l*cos(a), l*sin(a)];
    ///     let tip   = elbow + [l*cos(a + b), l*sin(a + b)];
    ///     kinetic = m*norm2(dot(elbow))/2 + m*norm2(dot(tip))/2;
    ///     output hand = tip;
    /// }]
    /// struct Arm {
    ///     m: f64,
    ///     l: f64,
    /// }
    ///
    /// let arm = Arm { m: 2.0, l: 0.5 }.prepare::<f64>()?;
    /// let (v, u) = (SVector::from([0.4, -0.2]), SVector::from([]));
    /// let hand = OperationalSpace::<f64, 2, 2>::of(&arm, 0.0, &[0.3, 1.2].into(), &v, &u, [0, 1])?;
    /// // The acceleration of the joints for a wanted one of the hand.
    /// let wanted = SVector::from([1.0, -2.0]);
    /// let a = hand.acceleration(&wanted);
    /// assert!((hand.jacobian * a + hand.bias - wanted).norm() < 1e-12);
    ///
    /// // The stretched arm cannot move its hand along itself.
    /// let stretched = OperationalSpace::<f64, 2, 2>::of(&arm, 0.0, &[0.0, 0.0].into(), &v, &u, [0, 1]);
    /// assert!(matches!(stretched, Err(OperationalError::Singular { output: "hand[0]", .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of<S, const C: usize, const U: usize>(
        system: &S,
        t: R,
        q: &SVector<R, N>,
        v: &SVector<R, N>,
        u: &SVector<R, U>,
        outputs: [usize; K],
    ) -> Result<Self, OperationalError>
    where
        S: Linearise<R, N, C, U> + ?Sized,
    {
        let names = system.output_names();
        let mut rows = [OutputRow::<R, N, U>::undefined(); K];
        system.output_jacobian(t, q, v, u, &outputs, &mut rows);
        for (&index, row) in outputs.iter().zip(&rows) {
            let Some(&output) = names.get(index) else {
                return Err(OperationalError::NoOutput { index, outputs: names.len() });
            };
            // A state that is not finite makes the value NaN too.
            if row.value.is_finite().all() && !row.bias.is_finite().all() {
                return Err(OperationalError::NotAPosition { output });
            }
        }
        let jacobian = SMatrix::<R, K, N>::from_fn(|k, i| rows[k].q[i]);
        let mass = system.mass_matrix(t, q, v, u);
        let (responses, demanded) = responses(system, (t, q, v), &mass, &jacobian)?;
        let mobility = product(&jacobian, &responses);
        let singular = |at: usize, independent| {
            let output = outputs.get(at).and_then(|&index| names.get(index)).copied().unwrap_or("output");
            OperationalError::Singular { output, independent }
        };
        let factors = Ldlt::new(&mobility).map_err(|found| match found.of {
            PivotOf::Coordinate(at) => singular(at, 0.0),
            _ => OperationalError::SingularMass(found),
        })?;
        let least = ROUNDINGS * (N.max(K) as f64) * R::EPSILON;
        if let Some((at, independent)) =
            factors.relative_pivots(&mobility).into_iter().enumerate().find(|(_, part)| *part < least)
        {
            return Err(singular(at, independent));
        }
        let identity = SMatrix::<R, K, K>::from_fn(|i, j| if i == j { R::ONE } else { R::ZERO });
        Ok(Self {
            value: SVector::from_fn(|k, _| rows[k].value),
            rate: SVector::from_fn(|k, _| rows[k].drift),
            jacobian,
            bias: SVector::from_fn(|k, _| rows[k].bias),
            inertia: factors.solve(&identity),
            responses,
            demanded,
        })
    }

    /// J̄ = W Jᵀ Λ.
    #[must_use]
    pub fn consistent_inverse(&self) -> SMatrix<R, N, K> {
        product(&self.responses, &self.inertia)
    }

    /// The accelerations of the coordinates for these of the outputs: of all that the constraints allow, those of least aᵀM a.
    /// [`System::inverse_dynamics`](crate::system::System::inverse_dynamics) gives the forces for them.
    #[must_use]
    pub fn acceleration(&self, wanted: &SVector<R, K>) -> SVector<R, N> {
        let present = product(&self.jacobian, &self.demanded);
        let missing = SVector::from_fn(|k, _| wanted[k] - self.bias[k] - present[k]);
        let moved = product(&self.responses, &product(&self.inertia, &missing));
        SVector::from_fn(|i, _| self.demanded[i] + moved[i])
    }

    /// Jᵀ times forces on the outputs: the generalized forces that do the same work.
    #[must_use]
    pub fn generalized(&self, forces: &SVector<R, K>) -> SVector<R, N> {
        SVector::from_fn(|i, _| (0..K).fold(R::ZERO, |sum, k| sum + self.jacobian[(k, i)] * forces[k]))
    }
}

/// W Jᵀ, and the accelerations that the constraints demand.
#[allow(clippy::type_complexity, reason = "a name for the pair would be used once")]
fn responses<R: Real, S, const N: usize, const C: usize, const U: usize, const K: usize>(
    system: &S,
    (t, q, v): (R, &SVector<R, N>, &SVector<R, N>),
    mass: &SMatrix<R, N, N>,
    jacobian: &SMatrix<R, K, N>,
) -> Result<(SMatrix<R, N, K>, SVector<R, N>), OperationalError>
where
    S: Linearise<R, N, C, U> + ?Sized,
{
    let (forces, none) = (jacobian.transpose(), SVector::<R, N>::repeat(R::ZERO));
    if C == 0 {
        return Ok((solve_symmetric(mass, forces).map_err(OperationalError::SingularMass)?, none));
    }
    let border = system.constraint(t, q).jacobian;
    let curvature = system.constraint_hidden(t, q, v, &SVector::repeat(R::ZERO)).curvature;
    let named = |singular: bordered::Singular| OperationalError::SingularMass(singular.named(system.constraints()));
    let (responses, _) =
        bordered::solve(mass, &border, &forces, &SMatrix::<R, C, K>::repeat(R::ZERO)).map_err(named)?;
    let (demanded, _) = bordered::solve(mass, &border, &none, &-curvature).map_err(named)?;
    Ok((responses, demanded))
}

/// A B.
fn product<R: Scalar, const I: usize, const J: usize, const K: usize>(
    left: &SMatrix<R, I, J>,
    right: &SMatrix<R, J, K>,
) -> SMatrix<R, I, K> {
    SMatrix::from_fn(|i, k| (0..J).fold(R::ZERO, |sum, j| sum + left[(i, j)] * right[(j, k)]))
}
