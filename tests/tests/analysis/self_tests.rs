//! The test of a mechanism's equations against each other: right ones pass, and one wrong number in what is compared is found.

use lagrange_models::*;
use lagrange_runtime::analysis::{AnalysisError, Disagreement, SelfTest, self_test, self_test_by_parameters};
use lagrange_runtime::error::SingularMass;
use lagrange_runtime::prelude::*;
use lagrange_runtime::scalar::Dual;
use lagrange_runtime::system::{
    Acceleration, AccelerationJacobian, Balance, BalanceJacobian, BalanceRates, Constraint, ConstraintHidden, Energies,
    Equations, Facts, Linearise, OutputRow, Sensors,
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
    fn output_names(&self) -> &'static [&'static str] {
        self.of.output_names()
    }
    fn outputs(&self, t: f64, q: &Vector, v: &Vector, u: &None, out: &mut [f64]) {
        self.of.outputs(t, q, v, u, out);
        if let Some(first) = out.first_mut() {
            self.adds(30, first);
        }
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
    fn inverse_dynamics(&self, t: f64, q: &Vector, v: &Vector, a: &Vector, u: &None) -> Vector {
        let mut found = self.of.inverse_dynamics(t, q, v, a, u);
        self.adds(28, &mut found[1]);
        found
    }
    fn switch_count(&self) -> usize {
        1
    }
    fn switches(&self, _: f64, _: &Vector, _: &Vector, _: &None, out: &mut [f64]) {
        out[0] = 0.0;
        self.adds(29, &mut out[0]);
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
        self.adds(27, &mut found.value[0]);
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
        let mut found = self.of.energies(t, q, v, u);
        self.adds(26, &mut found.energy);
        found
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
    fn output_jacobian(
        &self,
        t: f64,
        q: &Vector,
        v: &Vector,
        u: &None,
        outputs: &[usize],
        rows: &mut [OutputRow<f64, 2, 0>],
    ) {
        self.of.output_jacobian(t, q, v, u, outputs, rows);
        let Some(row) = rows.first_mut() else { return };
        self.adds(31, &mut row.value);
        self.adds(32, &mut row.q[1]);
        self.adds(33, &mut row.v[0]);
        self.adds(34, &mut row.t);
        self.adds(35, &mut row.drift);
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
    const MUTANTS: usize = 36;
    for mutant in 0..MUTANTS {
        assert!(!of_mutant(mutant).is_empty(), "mutant {mutant} is not found");
    }
    let none = of_mutant(MUTANTS);
    assert!(none.is_empty(), "{}", none[0]);
}

/// A mass of a gram and one of a tonne on a rod. The rows of its equations differ in size by a million.
#[lagrangian {
    coordinates x, y;
    kinetic = heavy*dot(x)^2/2 + light*dot(y)^2/2;
    potential = heavy*x^2/2 + light*y^2/2;
    constraint rod: (x - 9)^2 + y^2 == l^2;
}]
struct GramBesideTonne {
    heavy: f64,
    light: f64,
    l: f64,
}

/// The numbers of the light row are of the size 1e-3, beside 1e3 in the heavy row.
#[test]
fn wrong_numbers_of_a_light_body_are_found() {
    let pair = GramBesideTonne { heavy: 1e3, light: 1e-3, l: 8.0 };
    let system = || pair.prepare::<f64>().unwrap();
    let duals = pair.prepare::<Dual<f64, 1>>().unwrap();
    let test = SelfTest::about(State::new(0.0, [2.0, 2.0], [0.0, 0.0]));
    // f, M and ∂f/∂q of the light row, and M between the two.
    for mutant in [1, 3, 6, 4] {
        let wrong = self_test(&Wrong { of: system(), mutant }, &duals, &test).unwrap();
        assert!(!wrong.is_empty(), "mutant {mutant} is not found");
    }
    let none = self_test(&system(), &duals, &test).unwrap();
    assert!(none.is_empty(), "{}", none[0]);
}

/// What disagrees in a mechanism at a few states around a motion's start.
fn of_mechanism<M, const N: usize, const C: usize, const U: usize>(
    mechanism: &M,
    start: State<f64, N>,
) -> Result<Vec<Disagreement>, AnalysisError>
where
    M: Mechanism<N, C, U>,
{
    let near = |values: SVector<f64, N>| values.map(|value| 0.1 * value.abs().max(0.1));
    let test = SelfTest { coordinates: near(start.q), velocities: near(start.v), states: 3, ..SelfTest::about(start) };
    test.run(mechanism)
}

/// Each mechanism with its start, and whether the test applies to it: contacts and sticking friction have no equations that can be compared.
macro_rules! mechanisms {
    ($($mechanism:ident $start:ident $applies:literal;)*) => {
        [$((stringify!($mechanism), of_mechanism(&$mechanism::default(), $mechanism::$start()), $applies)),*]
    };
}

#[test]
fn every_mechanism_of_the_catalogue_agrees_with_itself() {
    let all = mechanisms! {
        CompoundDoublePendulum released_at_45_degrees true;
        CompoundDoublePendulumWithDrag released_at_45_degrees true;
        DoublePendulum demo true;
        SphericalPendulum pushed true;
        SphericalPendulumCartesian pushed true;
        CartesianPendulum released true;
        RigidPendulum spinning true;
        BeadOnRotatingHoop released true;
        KnifeEdge turning true;
        RollingDisc rolling true;
        FourBarLinkage cranked true;
        Kepler eccentric true;
        HeavyTop nodding true;
        HeavyTopQuaternion nodding true;
        LcPlate released true;
        RlcPlate released true;
        TriplePendulum released true;
        TriplePendulumCartesian released true;
        CoupledCircuits charged true;
        Loudspeaker pushed_in true;
        MagneticLevitation let_go true;
        MotorPendulum released true;
        ChargeInFields crossing true;
        BlockWithFriction pulled true;
        BouncingBall dropped false;
        YieldingBall dropped false;
        BeltBlock carried false;
        StickyPad stuck false;
        TumblingToast let_go false;
        MarbleOnBar rolling_off false;
        BallisticPendulum shot false;
        RockingBlock let_go false;
        Rattleback reversing true;
        TippeTop spinning false;
        SpinningBeam at_rest true;
        HangingCable released true;
        FlexibleLink bent true;
        FlexibleSliderCrank stretched_out true;
        FullWaveRectifier at_rest false;
        BimetalThermostat heating true;
        ControlledMotor at_rest true;
        HenonHeiles mixed true;
        DrivenPendulum released true;
        MagneticPendulum released true;
        Rocket fuelled true;
        PointVortices disturbed_triangle true;
        OuterSolarSystem on_5_september_1994 true;
    };
    for (name, found, applies) in all {
        match found {
            Ok(wrong) => assert!(applies && wrong.is_empty(), "{name}: {:?}", wrong.first().map(ToString::to_string)),
            Err(AnalysisError::NotApplicable { .. }) => assert!(!applies, "{name}"),
            Err(error) => panic!("{name}: {error}"),
        }
    }
}

/// Its constraints are redundant where all of them hold, and contradict each other at random states beside that.
#[test]
fn redundant_constraints_are_tested_where_they_hold() {
    // The platform stays level.
    let [coordinates, velocities] = [0.1, 1.0].map(|size| SVector::from([size, size, 0.0]));
    let test = SelfTest { coordinates, velocities, ..SelfTest::about(Parallelogram::released()) };
    let wrong = |found: Parallelogram, expected: Parallelogram| {
        let (system, duals) = (found.prepare::<f64>().unwrap(), expected.prepare::<Dual<f64, 1>>().unwrap());
        self_test(&LeastNorm::new(&system, 1e-4), &LeastNorm::new(&duals, 1e-4), &test).unwrap()
    };
    let none = wrong(Parallelogram::default(), Parallelogram::default());
    assert!(none.is_empty(), "{}", none[0]);
    let turned = wrong(Parallelogram::default(), Parallelogram { i: 0.4, ..Parallelogram::default() });
    assert!(turned.iter().any(|wrong| wrong.equation == "∂p/∂v = M"), "{turned:?}");
    // The constraints of longer cranks have other gradients.
    let longer = wrong(Parallelogram::default(), Parallelogram { d: 0.9, ..Parallelogram::default() });
    assert!(longer.iter().any(|wrong| wrong.equation == "G = ∂g/∂q"), "{longer:?}");
}

#[test]
fn derivatives_by_parameters_are_those_of_the_mechanism() {
    let rigid = RigidPendulum::default();
    let test = SelfTest { coordinates: SVector::repeat(0.1), ..SelfTest::about(RigidPendulum::spinning()) };
    assert_eq!(self_test_by_parameters(&rigid.prepare::<f64>().unwrap(), &rigid, &test).unwrap(), []);
    let pendulum = SphericalPendulumCartesian::default();
    let test = SelfTest { coordinates: SVector::repeat(0.1), ..SelfTest::about(SphericalPendulumCartesian::pushed()) };
    let by_parameters = |other: &SphericalPendulumCartesian| {
        self_test_by_parameters(&pendulum.prepare::<f64>().unwrap(), other, &test).unwrap()
    };
    assert_eq!(by_parameters(&pendulum), []);
    let wrong = by_parameters(&SphericalPendulumCartesian { m: 1.001 * pendulum.m, ..pendulum.clone() });
    let named =
        |equation: &str| wrong.iter().filter(|wrong| wrong.equation == equation).map(|wrong| wrong.entry.1).max();
    assert!(named("∂λ/∂(parameter)").is_some_and(|last| last > 0), "{wrong:?}");
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
