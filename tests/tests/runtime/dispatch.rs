//! One code path: systems known at compile time or behind `dyn`, whole integrations or single steps, f64 or f32.

use crate::common::{compound_pendulum, distance, run};
use lagrange_runtime::prelude::*;

fn start() -> State<f64, 2> {
    State::new(0.0, [0.7, -0.2], [0.3, 0.8])
}

fn assert_same<M>(method: &M)
where
    M: Method<f64, 2, 0> + Method<f64, 2, 0>,
{
    let system = compound_pendulum();
    let erased: &dyn System<f64, 2, 0, 0> = &system;
    let known = run(&system, start(), 1.0, method);
    assert_eq!(run(erased, start(), 1.0, method), known);

    let options = Options::default();
    let mut controller = DefaultInputs::of(&system);
    let mut stepper = Stepper::new(&system, start(), 1.0, method, &options, &mut controller).unwrap();
    assert_eq!(stepper.view(false).unwrap().length(), 0.0);
    let mut steps = 0;
    while !stepper.is_finished() {
        let before = stepper.state().unwrap();
        stepper.step().unwrap();
        let view = stepper.view(true).unwrap();
        assert_eq!((view.start, view.end), (before, stepper.state().unwrap()));
        steps += 1;
    }
    assert_eq!(stepper.statistics().steps, steps);
    // Asking for velocities at every step only changes where the iteration for them starts.
    assert!(distance(&stepper.state().unwrap(), &known) < 1e-14);
    stepper.step().unwrap();
    assert_eq!((stepper.time(), stepper.statistics().steps), (1.0, steps));
}

#[test]
fn every_way_gives_the_same_states() {
    assert_same(&Rk4::new(0.01));
    assert_same(&Verlet::new(0.01));
    assert_same(&ImplicitMidpoint::new(0.01));
    assert_same(&Gauss::<f64, 3>::new(0.01));
    assert_same(&VariationalMidpoint::new(0.01));
    assert_same(&VariationalTrapezoid::new(0.01));
    assert_same(&Rkf45::new());
    assert_same(&Tsitouras5::new());
    assert_same(&Dop853::new());
    assert_same(&Verner9::new());
    assert_same(&Extrapolation::new());
}

#[test]
fn single_precision_runs_the_same_code() {
    let single = State::<f32, 2>::new(0.0, [0.7, -0.2], [0.3, 0.8]);
    let double = run(&compound_pendulum(), start(), 2.0, &Rk4::new(0.01));
    let near = |state: State<f32, 2>| {
        let difference = (f64::from(state.q[0]) - double.q[0]).abs().max((f64::from(state.v[1]) - double.v[1]).abs());
        assert!(difference < 1e-3, "{difference}");
        assert_eq!(state.t, 2.0);
    };
    near(run(&compound_pendulum(), single, 2.0, &Rk4::new(0.01)));
    near(run(&compound_pendulum(), single, 2.0, &Verlet::new(0.001)));
    near(run(
        &compound_pendulum(),
        single,
        2.0,
        &Rkf45::new().with_absolute_limit(1e-6, ErrorMeasure::MaximumNorm, StepLaw::Safety),
    ));
}

#[test]
fn a_changed_system_between_integrations_is_a_fresh_one() {
    use crate::common::{Hand, Pendulum};
    let start = State::new(0.0, [1.0], [0.0]);
    let (heavy, light) = (Hand(Pendulum { g: 9.0 }), Hand(Pendulum { g: 1.0 }));
    let options = Options::default();
    let mut state = start;
    let method = Rk4::new(0.01);
    integrate(&heavy, &mut state, 0.5, &method, &options, &mut DefaultInputs::of(&heavy), &mut ()).unwrap();
    integrate(&light, &mut state, 1.0, &method, &options, &mut DefaultInputs::of(&light), &mut ()).unwrap();
    assert_eq!(state, run(&light, run(&heavy, start, 0.5, &method), 1.0, &method));
}

lagrange_runtime::method_choice! {
    /// Methods with different memories and workspaces: stages that are carried, differences of an extrapolation.
    enum Adaptive: f64 {
        Pair(Dop853<f64>),
        Pairs(Tsitouras5<f64>),
        Extrapolation(Extrapolation<f64>),
    }
}

lagrange_runtime::method_choice! {
    /// Methods with momenta and without, and a choice within a choice.
    enum Fixed: f64 {
        Rk4(Rk4<f64>),
        Gauss(Gauss<f64, 3>),
        Composed(Composition<VariationalMidpoint<f64>>),
        Again(Again),
    }
}

lagrange_runtime::method_choice! {
    enum Again: f64 {
        Verlet(Verlet<f64>),
    }
}

/// Asserts that the variant makes the steps, samples and events of its method, bit by bit.
fn assert_is<M: Method<f64, 2, 0>, V: Method<f64, 2, 0>>(method: &M, variant: &V) {
    let system = compound_pendulum();
    let crossing = |_: f64, q: &SVector<f64, 2>, _: &SVector<f64, 2>| q[0];
    let events = [Event::new(&crossing)];
    let options = Options { events: &events, dense_output: true, ..Options::default() };
    let known = solve(&system, start(), 3.0, method, &options).unwrap();
    let chosen = solve(&system, start(), 3.0, variant, &options).unwrap();
    assert!(!known.events.is_empty());
    assert_eq!(chosen.events, known.events);
    assert_eq!(chosen.states().collect::<Vec<_>>(), known.states().collect::<Vec<_>>());
    assert_eq!(chosen.sample(1.234).unwrap(), known.sample(1.234).unwrap());
    assert_eq!(chosen.statistics, known.statistics);
    assert_eq!((variant.name(), variant.order(), variant.error_power()), {
        (method.name(), method.order(), method.error_power())
    });
}

#[test]
fn a_choice_of_methods_is_the_method_of_its_variant() {
    assert_is(&Dop853::new(), &Adaptive::Pair(Dop853::new()));
    assert_is(&Tsitouras5::new(), &Adaptive::Pairs(Tsitouras5::new()));
    assert_is(&Extrapolation::new(), &Adaptive::Extrapolation(Extrapolation::new()));
    assert_is(&Rk4::new(0.01), &Fixed::Rk4(Rk4::new(0.01)));
    assert_is(&Gauss::<_, 3>::new(0.01), &Fixed::Gauss(Gauss::new(0.01)));
    let composed = Composition::suzuki(VariationalMidpoint::new(0.01));
    assert_is(&composed, &Fixed::Composed(composed));
    assert_is(&Verlet::new(0.01), &Fixed::Again(Again::Verlet(Verlet::new(0.01))));
}

#[test]
fn a_checkpoint_of_one_variant_is_refused_by_another() {
    let (system, options) = (compound_pendulum(), Options::default());
    let (first, second) = (Fixed::Rk4(Rk4::new(0.01)), Fixed::Again(Again::Verlet(Verlet::new(0.01))));
    let mut inputs = DefaultInputs::of(&system);
    let mut stepper = Stepper::new(&system, start(), 1.0, &first, &options, &mut inputs).unwrap();
    stepper.step().unwrap();
    let checkpoint = stepper.checkpoint();
    let mut inputs = DefaultInputs::of(&system);
    let error = Stepper::resume(&system, &checkpoint, &second, &options, &mut inputs).unwrap_err();
    assert!(matches!(error.failure, Failure::CheckpointMismatch { .. }), "{error}");
}
