//! The projection onto the constraints by the least weighted change: positions onto g = 0, velocities onto the hidden
//! constraint.

use super::{
    ROUND_OFF, beyond, mechanical, name, position_rounding, rates_beyond_rounding, row_weights, scales, vanishing,
    worst,
};
use crate::error::Failure;
use crate::linalg::orthogonal::PivotedQr;
use crate::linalg::singular_values::smooth_least_norm;
use crate::scalar::{Real, Scalar};
use crate::state::State;
use crate::system::{Constraint, System};
use nalgebra::{SMatrix, SVector};

/// The largest number of Newton steps for the positions.
const MAX_ITERATIONS: u32 = 50;

/// How a state is brought onto its constraints: by the change δ of least Σ (δᵢ/mᵢ)², where mᵢ are the coordinates' mobilities.
///
/// Positions take Newton steps q − δ with G δ = g, each of least norm. Velocities take one correction, because the hidden
/// constraint is linear in v. Constraints may be redundant if they are consistent. All mobilities are 1 by default; give
/// coordinates of different units mobilities in their units. Source: E. Hairer, C. Lubich, G. Wanner, *Geometric Numerical
/// Integration*, 2nd ed., IV.4.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Projection<R: Real, const N: usize> {
    position: SVector<R, N>,
    velocity: SVector<R, N>,
}

impl<R: Real, const N: usize> Default for Projection<R, N> {
    fn default() -> Self {
        Self { position: SVector::repeat(R::ONE), velocity: SVector::repeat(R::ONE) }
    }
}

impl<R: Real, const N: usize> Projection<R, N> {
    /// Returns this projection with its mobilities converted to the type `S`.
    pub(crate) fn lift<S: Real>(&self) -> Projection<S, N> {
        let lifted = |mobilities: &SVector<R, N>| mobilities.map(|mobility| S::from_f64(mobility.to_f64()));
        Projection { position: lifted(&self.position), velocity: lifted(&self.velocity) }
    }

    /// Keeps the value and the velocity of coordinate `index`. An index without a coordinate changes nothing.
    #[must_use]
    pub fn keep(self, index: usize) -> Self {
        self.keep_position(index).keep_velocity(index)
    }

    /// Keeps the value of coordinate `index`.
    #[must_use]
    pub fn keep_position(mut self, index: usize) -> Self {
        if let Some(mobility) = self.position.get_mut(index) {
            *mobility = R::ZERO;
        }
        self
    }

    /// Keeps the velocity of coordinate `index`.
    #[must_use]
    pub fn keep_velocity(mut self, index: usize) -> Self {
        if let Some(mobility) = self.velocity.get_mut(index) {
            *mobility = R::ZERO;
        }
        self
    }

    /// Sets the mobilities of all coordinates, for positions and velocities. Each is at least 0; a coordinate with 0 does not
    /// change.
    #[must_use]
    pub fn mobilities(mut self, mobilities: impl Into<SVector<R, N>>) -> Self {
        self.position = mobilities.into();
        self.velocity = self.position;
        self
    }

    /// Brings q onto the holonomic constraints at time t. Returns it with the number of Newton steps.
    ///
    /// # Errors
    /// [`Failure::ConstraintFailed`] names the constraint that remains broken most: q is too far away, the coordinates that may
    /// move cannot meet it, or the other constraints contradict it. [`Failure::VanishingGradient`] names a constraint that no
    /// multiplier can enforce. [`Failure::NotFinite`] means that the constraints have no finite value.
    pub fn positions<S, const C: usize, const U: usize>(
        &self,
        system: &S,
        t: R,
        q: SVector<R, N>,
    ) -> Result<(SVector<R, N>, u32), Failure>
    where
        S: System<R, N, C, U> + ?Sized,
    {
        // Without constraints the rest is not compiled.
        if const { C == 0 } {
            return Ok((q, 0));
        }
        let holonomic = system.holonomic_count();
        if holonomic == 0 {
            return Ok((q, 0));
        }
        let mut q = q;
        let mut last = f64::INFINITY;
        for iteration in 0..=MAX_ITERATIONS {
            let at = system.constraint(t, &q);
            let scales = scales(&at.jacobian, &q, &at.scale);
            let value = SVector::<R, C>::from_fn(|row, _| if row < holonomic { at.value[row] } else { R::ZERO });
            let Some((row, remainder, relative)) = worst(&value, &scales) else { return Ok((q, iteration)) };
            if !remainder.is_finite() {
                return Err(Failure::NotFinite { component: None });
            }
            // Near round-off, the iteration ends at the first step that gains nothing.
            let near = relative <= ROUND_OFF * R::EPSILON
                || worst(&beyond(value, &position_rounding(&at, t, &mechanical(&q, system.state_count()))), &scales)
                    .is_none();
            if relative <= 4.0 * R::EPSILON || (near && relative >= 0.5 * last) {
                return Ok((q, iteration));
            }
            if iteration == MAX_ITERATIONS {
                return Err(match vanishing(system, t, &q) {
                    Some(constraint) => Failure::VanishingGradient { constraint },
                    None => Failure::ConstraintFailed { constraint: name(system, row), residual: remainder },
                });
            }
            last = relative;
            q -= step(&at.jacobian, holonomic, &self.position, &value);
        }
        Ok((q, MAX_ITERATIONS))
    }

    /// Brings v onto the hidden constraint at (t, q).
    ///
    /// # Errors
    /// [`Failure::ConstraintFailed`] names the constraint whose hidden constraint remains broken most: the velocities that may
    /// change cannot meet it, or the other constraints contradict it. [`Failure::NotFinite`] means that it has no finite value.
    pub fn velocities<S, const C: usize, const U: usize>(
        &self,
        system: &S,
        t: R,
        q: &SVector<R, N>,
        v: SVector<R, N>,
    ) -> Result<SVector<R, N>, Failure>
    where
        S: System<R, N, C, U> + ?Sized,
    {
        if const { C == 0 } {
            return Ok(v);
        }
        let at = system.constraint(t, q);
        let rate = |v: &SVector<R, N>| {
            SVector::<R, C>::from_fn(|row, _| (0..N).fold(at.drift[row], |sum, i| sum + at.jacobian[(row, i)] * v[i]))
        };
        let mut v = v;
        let tolerance = system.redundancy_tolerance();
        // The second correction removes the rounding that the first leaves.
        for _ in 0..2 {
            v -= match tolerance > 0.0 {
                true => {
                    let rates = system.constraint_hidden(t, q, &v, &SVector::repeat(R::ZERO)).rate_q;
                    smooth_step(&at, &rates, &self.velocity, &v, &rate(&v), tolerance)
                }
                false => step(&at.jacobian, C, &self.velocity, &rate(&v)),
            };
        }
        let terms = scales(&at.jacobian, &v, &at.drift);
        match worst(&rates_beyond_rounding(system, (t, q), (&v, rate(&v), &at.jacobian)), &terms) {
            Some((_, remainder, _)) if !remainder.is_finite() => Err(Failure::NotFinite { component: None }),
            Some((row, remainder, relative)) if relative > tolerance.max(Scalar::sqrt(R::EPSILON)) => {
                Err(Failure::ConstraintFailed { constraint: name(system, row), residual: remainder })
            }
            _ => Ok(v),
        }
    }

    /// Brings a state onto the constraints, first its positions and then its velocities. Returns it with the number of Newton
    /// steps.
    ///
    /// # Errors
    /// Those of [`Projection::positions`] and [`Projection::velocities`].
    pub fn state<S, const C: usize, const U: usize>(
        &self,
        system: &S,
        state: &State<R, N>,
    ) -> Result<(State<R, N>, u32), Failure>
    where
        S: System<R, N, C, U> + ?Sized,
    {
        let (q, iterations) = self.positions(system, state.t, state.q)?;
        let v = self.velocities(system, state.t, &q, state.v)?;
        Ok((State { t: state.t, q, v }, iterations))
    }
}

/// The δ of least Σ (δᵢ/mᵢ)² with G δ = `value`, for the first `rows` rows.
fn step<R: Real, const N: usize, const C: usize>(
    jacobian: &SMatrix<R, C, N>,
    rows: usize,
    mobility: &SVector<R, N>,
    value: &SVector<R, C>,
) -> SVector<R, N> {
    let columns =
        SMatrix::<R, N, C>::from_fn(|i, row| if row < rows { mobility[i] * jacobian[(row, i)] } else { R::ZERO });
    // A row that depends on others to this precision would amplify rounding. It is left out, because the others imply it.
    let factors = PivotedQr::new(&columns, Scalar::sqrt(R::EPSILON));
    factors.least_norm(value).zip_map(mobility, |change, mobility| change * mobility)
}

/// The δ of least Σ (δᵢ/mᵢ)² that solves G δ = `value` for all rows, but does not change a velocity in a direction in which G
/// nearly loses rank. In a direction with the singular value s, a position error ε turns the tangent space of the constraints
/// by ε/s, so that a correction would itself be an error.
fn smooth_step<R: Real, const N: usize, const C: usize>(
    at: &Constraint<R, N, C>,
    rates: &SMatrix<R, C, N>,
    mobility: &SVector<R, N>,
    v: &SVector<R, N>,
    value: &SVector<R, C>,
    tolerance: f64,
) -> SVector<R, N> {
    let weighted = |rows: &SMatrix<R, C, N>| SMatrix::<R, N, C>::from_fn(|i, row| mobility[i] * rows[(row, i)]);
    let columns = weighted(&at.jacobian);
    let square = (0..N).map(|i| v[i] * mobility[i].recip_or_zero()).fold(R::ZERO, |sum, x| sum + x * x);
    let weights = row_weights(&columns, &weighted(rates), &at.scale, square.sqrt());
    smooth_least_norm(&columns, &weights, value, tolerance).zip_map(mobility, |change, mobility| change * mobility)
}
