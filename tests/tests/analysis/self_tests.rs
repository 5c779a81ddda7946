//! The test of a mechanism's equations against each other: right ones pass, and one wrong number in what is compared is found.

use lagrange_models::{CartesianPendulum, DrivenPendulum};
use lagrange_runtime::analysis::{AnalysisError, Disagreement, SelfTest, self_test};
use lagrange_runtime::error::SingularMass;
use lagrange_runtime::prelude::*;
use lagrange_runtime::scalar::Dual;
use lagrange_runtime::system::{
    Acceleration, AccelerationJacobian, Balance, BalanceJacobian, BalanceRates, Constraint, ConstraintHidden, Energies,
    Equations, Facts, Linearise, Sensors,
};

type Vector = SVector<f64, 2>;
type None = SVector<f64, 0>;

/// A system with two coordinates and one constraint, which adds 1e-6 to one number that it evaluates.
struct Wrong<S> {
    of: S,
    mutant: usize,
}

impl<S> Wrong<S> {
    fn adds(&self, mutant: usize, number: &mut f64) {
        if self.mutant == mutant {
            *number += 1e-6;
        }
    }
}

impl<S: System<f64, 2, 1, 0>> Sensors<f64, 2, 0> for Wrong<S> {
    fn power_names(&self) -> &'static [&'static str] {
        &["no force"]
    }
    fn powers(&self, _: f64, _: &Vector, _: &Vector, _: &None, out: &mut [f64]) {
        out[0] = 0.0;
        self.adds(25, &mut out[0]);
    }
}

impl<S: System<f64, 2, 1, 0>> System<f64, 2, 1, 0> for Wrong<S> {
    fn facts(&self) -> &'static Facts {
        self.of.facts()
    }
    fn coordinates(&self) -> &'static [&'static str] {
        self.of.coordinates()
    }
    fn holonomic_count(&self) -> usize {
        self.of.holonomic_count()
    }
    fn default_inputs(&self) -> None {
        self.of.default_inputs()
    }
    fn balance(&self, t: f64, q: &Vector, v: &Vector, u: &None) -> Balance<f64, 2> {
        let mut found = self.of.balance(t, q, v, u);
        self.adds(0, &mut found.momentum[0]);
        self.adds(1, &mut found.balance[1]);
        found
    }
    fn balance_jacobian(&self, t: f64, q: &Vector, v: &Vector, u: &None) -> BalanceJacobian<f64, 2> {
        let mut found = self.of.balance_jacobian(t, q, v, u);
        self.adds(2, &mut found.momentum_q[(0, 1)]);
        self.adds(3, &mut found.mass_matrix[(1, 1)]);
        self.adds(4, &mut found.balance_q[(1, 0)]);
        self.adds(5, &mut found.balance_v[(0, 0)]);
        found
    }
    fn equations(&self, t: f64, q: &Vector, v: &Vector, u: &None) -> Equations<f64, 2> {
        let mut found = self.of.equations(t, q, v, u);
        self.adds(6, &mut found.mass_matrix[(0, 1)]);
        self.adds(7, &mut found.forcing[0]);
        found
    }
    fn acceleration(&self, t: f64, q: &Vector, v: &Vector, u: &None) -> Result<Acceleration<f64, 2, 1>, SingularMass> {
        let mut found = self.of.acceleration(t, q, v, u)?;
        self.adds(8, &mut found.acceleration[1]);
        self.adds(9, &mut found.multipliers[0]);
        Ok(found)
    }
    fn constraint(&self, t: f64, q: &Vector) -> Constraint<f64, 2, 1> {
        let mut found = self.of.constraint(t, q);
        self.adds(10, &mut found.jacobian[(0, 1)]);
        self.adds(11, &mut found.drift[0]);
        found
    }
    fn constraint_hidden(&self, t: f64, q: &Vector, v: &Vector, l: &SVector<f64, 1>) -> ConstraintHidden<f64, 2, 1> {
        let mut found = self.of.constraint_hidden(t, q, v, l);
        self.adds(12, &mut found.rate[0]);
        self.adds(13, &mut found.curvature[0]);
        self.adds(14, &mut found.rate_q[(0, 1)]);
        self.adds(15, &mut found.reaction[1]);
        self.adds(16, &mut found.reaction_q[(0, 0)]);
        found
    }
    fn energies(&self, t: f64, q: &Vector, v: &Vector, u: &None) -> Energies<f64> {
        self.of.energies(t, q, v, u)
    }
}

impl<S: Linearise<f64, 2, 1, 0>> Linearise<f64, 2, 1, 0> for Wrong<S> {
    fn balance_rates(&self, t: f64, q: &Vector, v: &Vector, u: &None) -> BalanceRates<f64, 2, 0> {
        let mut found = self.of.balance_rates(t, q, v, u);
        self.adds(17, &mut found.momentum_t[0]);
        self.adds(18, &mut found.balance_t[1]);
        found
    }
    fn acceleration_jacobian(
        &self,
        t: f64,
        q: &Vector,
        v: &Vector,
        u: &None,
    ) -> Result<AccelerationJacobian<f64, 2, 1, 0>, SingularMass> {
        let mut found = self.of.acceleration_jacobian(t, q, v, u)?;
        self.adds(19, &mut found.acceleration_q[(0, 1)]);
        self.adds(20, &mut found.acceleration_v[(1, 0)]);
        self.adds(21, &mut found.acceleration_t[0]);
        self.adds(22, &mut found.multipliers_q[(0, 0)]);
        self.adds(23, &mut found.multipliers_v[(0, 1)]);
        self.adds(24, &mut found.multipliers_t[0]);
        Ok(found)
    }
    fn parameter_count(&self) -> usize {
        0
    }
    fn acceleration_parameters(
        &self,
        _: f64,
        _: &Vector,
        _: &Vector,
        _: &None,
        _: &mut [Acceleration<f64, 2, 1>],
    ) -> Result<(), SingularMass> {
        Ok(())
    }
}

/// What disagrees in the Cartesian pendulum with this mutant, away from the pivot.
fn of_mutant(mutant: usize) -> Vec<Disagreement> {
    let pendulum = CartesianPendulum::default();
    let wrong = Wrong { of: pendulum.prepare::<f64>().unwrap(), mutant };
    let centre = State::new(0.0, [2.0, 2.0], [0.0, 0.0]);
    self_test(&wrong, &pendulum.prepare::<Dual<f64, 1>>().unwrap(), &SelfTest::about(centre)).unwrap()
}

#[test]
fn each_wrong_number_is_found() {
    const MUTANTS: usize = 26;
    for mutant in 0..MUTANTS {
        assert!(!of_mutant(mutant).is_empty(), "mutant {mutant} is not found");
    }
    let none = of_mutant(MUTANTS);
    assert!(none.is_empty(), "{}", none[0]);
}

#[test]
fn a_mechanism_with_time_agrees_with_itself_only() {
    // At t = 0 the rate of the drive vanishes, and a stronger one could not be told.
    let driven = DrivenPendulum::default();
    let system = driven.prepare::<f64>().unwrap();
    let test = SelfTest::about(State { t: 1.0, ..DrivenPendulum::released() });
    let wrong = self_test(&system, &driven.prepare::<Dual<f64, 1>>().unwrap(), &test).unwrap();
    assert!(wrong.is_empty(), "{}", wrong[0]);
    let stronger = DrivenPendulum { drive: driven.drive + 0.1, ..driven };
    let wrong = self_test(&system, &stronger.prepare::<Dual<f64, 1>>().unwrap(), &test).unwrap();
    assert!(wrong.iter().any(|wrong| wrong.equation == "∂f/∂t"), "{wrong:?}");
}

/// A load whose mass leaks away, and which is dropped where it swings far: p depends on a state and on a mode.
#[lagrangian {
    coordinates x;
    state z: dot(z) == -z;
    mode loaded = when x > 9 { 1 };
    kinetic = (m + z^2 + loaded)*dot(x)^2/2;
    potential = x^2/2;
}]
struct Leaking {
    m: f64,
}

#[test]
fn momenta_that_depend_on_states() {
    let leaking = Leaking { m: 2.0 };
    let (system, duals) = (leaking.prepare::<f64>().unwrap(), leaking.prepare::<Dual<f64, 1>>().unwrap());
    let test = SelfTest::about(State::new(0.0, [0.0, 0.0, 0.0], [0.0, 0.5, 1.0]));
    let wrong = self_test(&system, &duals, &test).unwrap();
    assert!(wrong.is_empty(), "{}", wrong[0]);
    let heavier = Leaking { m: 2.1 }.prepare::<Dual<f64, 1>>().unwrap();
    assert!(!self_test(&system, &heavier, &test).unwrap().is_empty());
}

#[test]
fn sizes_and_tolerances_must_be_numbers() {
    let driven = DrivenPendulum::default();
    let (system, duals) = (driven.prepare::<f64>().unwrap(), driven.prepare::<Dual<f64, 1>>().unwrap());
    let test = SelfTest::about(DrivenPendulum::released());
    for bad in [
        SelfTest { states: 0, ..test },
        SelfTest { tolerance: f64::NAN, ..test },
        SelfTest { velocities: SVector::from([-1.0]), ..test },
    ] {
        assert!(matches!(self_test(&system, &duals, &bad), Err(AnalysisError::NotApplicable { .. })), "{bad:?}");
    }
}
