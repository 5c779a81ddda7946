//! No evaluation and no step allocates.

use crate::common::{compound_pendulum, oscillator};
use lagrange_runtime::prelude::*;
use lagrange_tests::allocations::{Counting, allocations};
use std::ops::ControlFlow;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn assert_none<M: Method<f64, 2, 0>>(method: &M) {
    let system = compound_pendulum();
    let system: &dyn System<f64, 2, 0, 0> = &system;
    let mut state = State::new(0.0, [1.0, 0.5], [0.0, 0.0]);
    let times = [0.1, 0.12345, 0.9];
    let mut seen = 0;
    let during = allocations(|| {
        let receive = |_: &State<f64, 2>| {
            seen += 1;
            ControlFlow::Continue(())
        };
        let mut observer =
            (AtTimes::new(&times, receive), Every::new(3, |_: &StepView<f64, 2>| ControlFlow::Continue(())));
        let mut controller = DefaultInputs::of(system);
        let options = Options::default();
        integrate(system, &mut state, 1.0, method, &options, &mut controller, &mut observer).unwrap();
    });
    assert_eq!((during, seen, state.t), (0, 3, 1.0), "{}", method.name());
}

#[test]
fn the_allocator_counts() {
    assert_eq!(allocations(|| drop(std::hint::black_box(vec![1_u8]))), 1);
}

#[test]
fn no_step_allocates() {
    assert_none(&Rk4::new(1e-2));
    assert_none(&Verlet::new(1e-2));
    assert_none(&ImplicitMidpoint::new(1e-2));
    assert_none(&Gauss::<f64, 3>::new(1e-2));
    assert_none(&Gauss::<f64, 3>::new(1e-2).with_iteration(Iteration::FixedPoint).without_history());
    assert_none(&VariationalMidpoint::new(1e-2));
    assert_none(&Composition::suzuki(VariationalTrapezoid::new(1e-2)));
    assert_none(&Rkf45::new());
    assert_none(&Tsitouras5::new());
    assert_none(&Verner6::new());
    assert_none(&Dop853::new());
    assert_none(&Verner9::new());
    assert_none(&Extrapolation::new());
    assert_none(&GeneralizedAlpha::new(1e-2, 0.8));
    assert_none(&EnergyPreserving::<f64, 4>::new(1e-2));
    assert_none(&MoreauJean::new(1e-2));
    assert_none(&Radau5::new());
    assert_none(&Radau13::new());
    assert_none(&VariableRadau::new());
    assert_none(&Rodas5P::new());
    assert_none(&Esdirk4::new());
    assert_none(&Rkf45::new().with_energy_limit(1e-10));
}

#[test]
fn stiff_steps_under_constraints_do_not_allocate() {
    #[lagrangian {
        coordinates x, y;
        kinetic = (dot(x)^2 + dot(y)^2)/2;
        potential = 9.81*y;
        constraint rod: x^2 + y^2 == 1;
    }]
    struct Rod {}
    let system = Rod {}.prepare::<f64>().expect("no parameters");
    fn none<M: Method<f64, 2, 1>>(system: &impl System<f64, 2, 1, 0>, method: &M) {
        let during = allocations(|| {
            let mut state = State::new(0.0, [1.0, 0.0], [0.0; 2]);
            let options = Options { rtol: 1e-8.into(), ..Options::default() };
            let report = integrate(system, &mut state, 5.0, method, &options, &mut DefaultInputs::of(system), &mut ());
            assert!(report.expect("a smooth motion").statistics.steps > 10);
        });
        assert_eq!(during, 0, "{}", method.name());
    }
    none(&system, &Radau9::new());
    none(&system, &GeneralizedAlpha::new(1e-2, 0.8));
}

#[test]
fn neither_samples_nor_failures_allocate() {
    let system = oscillator();
    let during = allocations(|| {
        let law = |_: f64, q: &SVector<f64, 1>, _: &SVector<f64, 1>| -q * 0.5;
        let mut state = State::new(0.0, [1.0], [0.0]);
        let options = Options { max_steps: Some(100), ..Options::default() };
        let mut controller = Sampled::new(0.1, law);
        let result = integrate(&system, &mut state, 5.0, &Rk4::new(0.01), &options, &mut controller, &mut ());
        assert!(result.is_err());
    });
    assert_eq!(during, 0);
}
