//! The equations of motion by finite differences of a numeric Lagrangian, as the MATLAB program in the double pendulum's source has
//! them.

use lagrange_runtime::prelude::*;
use lagrange_runtime::system::{Acceleration, Balance, BalanceJacobian, Energies, Equations, Facts};

/// The document's `h` and `h2`: the distance over which L is differenced, in radians and rad/s.
const STEP: f64 = 1e-5;

/// A system whose mass matrix and forcing come from central differences of L = T − V, and all else from the derived one.
///
/// Σⱼ ∂²L/∂vᵢ∂vⱼ aⱼ = ∂L/∂qᵢ − Σⱼ ∂²L/∂vᵢ∂qⱼ vⱼ. The document calls functions `D_i` and `D2_ij` that it does not print;
/// its own difference quotient goes half a step to each side, and so do these. They show what differences cost against derived
/// equations; do not simulate with them.
#[derive(Debug)]
pub struct FiniteDifferences<'a, S> {
    derived: &'a S,
}

impl<'a, S: System<f64, 2, 0, 0>> FiniteDifferences<'a, S> {
    /// The differences of the derived system's energies.
    pub fn new(derived: &'a S) -> Self {
        Self { derived }
    }

    /// L at x = (q₁, q₂, v₁, v₂).
    fn lagrangian(&self, t: f64, x: &[f64; 4]) -> f64 {
        let (q, v) = (SVector::from([x[0], x[1]]), SVector::from([x[2], x[3]]));
        let energies = self.derived.energies(t, &q, &v, &SVector::zeros());
        energies.kinetic.unwrap_or(f64::NAN) - energies.potential.unwrap_or(f64::NAN)
    }

    fn first(&self, t: f64, x: &[f64; 4], i: usize) -> f64 {
        let at = |shift: f64| self.lagrangian(t, &shifted(x, i, shift));
        (at(STEP / 2.0) - at(-STEP / 2.0)) / STEP
    }

    fn second(&self, t: f64, x: &[f64; 4], i: usize, j: usize) -> f64 {
        let at = |a: f64, b: f64| self.lagrangian(t, &shifted(&shifted(x, i, a), j, b));
        let half = STEP / 2.0;
        (at(half, half) - at(half, -half) - at(-half, half) + at(-half, -half)) / (STEP * STEP)
    }
}

fn shifted(x: &[f64; 4], index: usize, shift: f64) -> [f64; 4] {
    let mut moved = *x;
    moved[index] += shift;
    moved
}

type Pair = SVector<f64, 2>;
type NoInputs = SVector<f64, 0>;

impl<S: System<f64, 2, 0, 0>> System<f64, 2, 0, 0> for FiniteDifferences<'_, S> {
    fn facts(&self) -> &'static Facts {
        self.derived.facts()
    }

    fn coordinates(&self) -> &'static [&'static str] {
        self.derived.coordinates()
    }

    fn default_inputs(&self) -> NoInputs {
        self.derived.default_inputs()
    }

    fn balance(&self, t: f64, q: &Pair, v: &Pair, u: &NoInputs) -> Balance<f64, 2> {
        self.derived.balance(t, q, v, u)
    }

    fn balance_jacobian(&self, t: f64, q: &Pair, v: &Pair, u: &NoInputs) -> BalanceJacobian<f64, 2> {
        self.derived.balance_jacobian(t, q, v, u)
    }

    fn equations(&self, t: f64, q: &Pair, v: &Pair, _: &NoInputs) -> Equations<f64, 2> {
        let x = [q[0], q[1], v[0], v[1]];
        Equations {
            mass_matrix: SMatrix::from_fn(|i, j| self.second(t, &x, i.min(j) + 2, i.max(j) + 2)),
            forcing: SVector::from_fn(|i, _| {
                let convective: f64 = (0..2).map(|j| self.second(t, &x, i + 2, j) * v[j]).sum();
                self.first(t, &x, i) - convective
            }),
        }
    }

    fn acceleration(&self, t: f64, q: &Pair, v: &Pair, u: &NoInputs) -> Result<Acceleration<f64, 2, 0>, SingularMass> {
        let Equations { mass_matrix, forcing } = self.equations(t, q, v, u);
        match mass_matrix.try_inverse() {
            Some(inverse) => Ok(Acceleration { acceleration: inverse * forcing, multipliers: SVector::zeros() }),
            None => Err(SingularMass::at(0, mass_matrix.determinant())),
        }
    }

    fn velocity_correction(&self, t: f64, q: &Pair, v: &Pair, p: &Pair) -> Result<Pair, SingularMass> {
        self.derived.velocity_correction(t, q, v, p)
    }

    fn energies(&self, t: f64, q: &Pair, v: &Pair, u: &NoInputs) -> Energies<f64> {
        self.derived.energies(t, q, v, u)
    }
}

impl<S: System<f64, 2, 0, 0>> Sensors<f64, 2, 0> for FiniteDifferences<'_, S> {
    fn power_names(&self) -> &'static [&'static str] {
        self.derived.power_names()
    }

    fn powers(&self, t: f64, q: &Pair, v: &Pair, u: &NoInputs, out: &mut [f64]) {
        self.derived.powers(t, q, v, u, out);
    }
}
