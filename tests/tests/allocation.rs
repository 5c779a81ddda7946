//! No evaluation and no step of derived mechanisms allocates.

use lagrange_models::{
    CartesianPendulum, CompoundDoublePendulum, CompoundDoublePendulumWithDrag, FourBarLinkage, Kepler, KnifeEdge,
    Parallelogram, RollingDisc,
};
use lagrange_runtime::controller::{
    Delayed, EstimateFeedback, IntegralFeedback, ObservedModel, Pid, Quantised, Saturated, StateFeedback,
};
use lagrange_runtime::prelude::*;
use lagrange_runtime::system::Acceleration;
use lagrange_tests::allocations::{Counting, allocations};
use std::ops::ControlFlow;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn evaluations_do_not_allocate<S: Linearise<f64, 2, 0, U>, const U: usize>(system: &S) {
    let (q, v, u) = (SVector::from([0.3, -0.7]), SVector::from([1.1, 0.4]), system.default_inputs());
    let mut columns = [Acceleration { acceleration: SVector::<f64, 2>::zeros(), multipliers: SVector::zeros() }; 8];
    let mut powers = [0.0; 4];
    let count = allocations(|| {
        let balance = system.balance(0.1, &q, &v, &u);
        let jacobian = system.balance_jacobian(0.1, &q, &v, &u);
        let acceleration = system.acceleration(0.1, &q, &v, &u).map(|found| found.acceleration[0]);
        let slopes = system.acceleration_jacobian(0.1, &q, &v, &u).map(|found| found.acceleration_q[0]);
        let parameters = system.acceleration_parameters(0.1, &q, &v, &u, &mut columns);
        let velocity = system.velocity_correction(0.1, &q, &v, &balance.momentum);
        let energies = system.energies(0.1, &q, &v, &u);
        system.powers(0.1, &q, &v, &u, &mut powers);
        let valid = acceleration.is_ok_and(f64::is_finite)
            && slopes.is_ok_and(f64::is_finite)
            && velocity.is_ok_and(|velocity| (velocity - v).norm() < 1e-12)
            && parameters.is_ok()
            && (jacobian.momentum - balance.momentum).norm() < 1e-12
            && energies.energy.is_finite();
        assert!(valid, "the evaluations themselves must be right");
    });
    assert_eq!(count, 0);
}

fn steps_do_not_allocate<S, M, const U: usize>(system: &S, method: &M)
where
    S: System<f64, 2, 0, U> + ?Sized,
    M: Method<f64, 2, 0>,
{
    let mut state = State::new(0.0, [0.7, -0.2], [0.1, 0.3]);
    let mut controller = DefaultInputs::of(system);
    let mut finished = false;
    let count = allocations(|| {
        let options = Options::default();
        finished = integrate(system, &mut state, 1.0, method, &options, &mut controller, &mut ()).is_ok();
    });
    assert!(finished && state.t == 1.0, "{} must reach the end", method.name());
    assert_eq!(count, 0, "{}", method.name());
}

/// Interpolants at every step, samples on them, events told, mapped and terminal, and stops.
fn events_and_samples_do_not_allocate<S, M, const C: usize>(system: &S, start: State<f64, 2>, method: &M)
where
    S: System<f64, 2, C, 0> + ?Sized,
    M: Method<f64, 2, C>,
{
    type Pair = SVector<f64, 2>;
    let crossing = |_: f64, q: &Pair, _: &Pair| q[0] - 0.1;
    let wall = |_: f64, q: &Pair, _: &Pair| q[0] + 0.2;
    let bounce = |state: &State<f64, 2>| State { v: -state.v, ..*state };
    let late = |t: f64, _: &Pair, _: &Pair| t - 1.9;
    let events = [Event::new(&crossing), Event::new(&wall).mapping(&bounce), Event::new(&late).terminal()];
    let (stops, times) = ([0.3, 1.1], [0.05, 0.31, 0.77, 1.5, 1.8]);
    let options = Options { events: &events, stops: &stops, ..Options::default() };
    let (mut state, mut inputs) = (start, DefaultInputs::of(system));
    let (mut sampled, mut seen, mut outcome) = (0, 0, None);
    let count = allocations(|| {
        let receive = |_: &State<f64, 2>| {
            sampled += 1;
            ControlFlow::Continue(())
        };
        let mut observer = (AtTimes::new(&times, receive), Counter(&mut seen));
        outcome = integrate(system, &mut state, 2.5, method, &options, &mut inputs, &mut observer).ok();
    });
    let outcome = outcome.map(|report| report.outcome);
    assert_eq!((outcome, sampled), (Some(Outcome::Event(2)), 5), "{}: {state:?}", method.name());
    assert!(seen >= 3, "{} events by {}", seen, method.name());
    assert_eq!(count, 0, "{}", method.name());
}

/// Counts events.
struct Counter<'a>(&'a mut u32);

impl Observer<f64, 2> for Counter<'_> {
    fn event(&mut self, _: &Occurrence<f64, 2>) -> ControlFlow<()> {
        *self.0 += 1;
        ControlFlow::Continue(())
    }

    fn observe(&mut self, _: &StepView<f64, 2>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

#[test]
fn pairs_events_and_interpolants_do_not_allocate() {
    let model = CompoundDoublePendulum::default().prepare::<f64>().expect("the parameters are valid");
    let system: &dyn System<f64, 2, 0, 0> = &model;
    let start = State::new(0.0, [0.7, -0.2], [0.1, 0.3]);
    macro_rules! check {
        ($($method:expr),*) => {$(
            steps_do_not_allocate(system, &$method);
            events_and_samples_do_not_allocate(system, start, &$method);
        )*};
    }
    check!(
        BogackiShampine3::new(),
        DormandPrince5::new(),
        Tsitouras5::new(),
        Verner6::new(),
        Dop853::new(),
        Verner9::new(),
        Extrapolation::new()
    );
    events_and_samples_do_not_allocate(system, start, &Rk4::new(1e-2));
    events_and_samples_do_not_allocate(system, start, &Gauss::<f64, 2>::new(1e-2));
    let planet = Kepler::default().prepare::<f64>().expect("the parameters are valid");
    steps_do_not_allocate(&planet, &Nystrom8::new(&planet));
    let model = CartesianPendulum::default().prepare::<f64>().expect("the parameters are valid");
    let rod: &dyn System<f64, 2, 1, 0> = &model;
    events_and_samples_do_not_allocate(rod, CartesianPendulum::released(), &Projected::new(Dop853::new()));
    events_and_samples_do_not_allocate(rod, CartesianPendulum::released(), &Projected::new(Extrapolation::new()));
}

fn check<S: Linearise<f64, 2, 0, U>, const U: usize>(system: &S) {
    evaluations_do_not_allocate(system);
    steps_do_not_allocate(system, &Rk4::new(1e-2));
    steps_do_not_allocate(system, &Verlet::new(1e-2));
    steps_do_not_allocate(system, &ImplicitMidpoint::new(1e-2));
    steps_do_not_allocate(system, &Rkf45::new());
    steps_do_not_allocate(system, &Rkf45::new().with_energy_limit(1e-8));
}

/// A body on a spring with a light damper of third degree, whose rate an iteration finds.
#[lagrangian {
    coordinates body, damper;
    kinetic     = m*dot(body)^2/2;
    potential   = k*(body - damper)^2/2;
    dissipation = c*abs(dot(damper))^3/3;
}]
#[derive(Clone, Debug)]
struct Damped {
    m: f64,
    k: f64,
    c: f64,
}

#[test]
fn iterations_for_rates_do_not_allocate() {
    let system = Damped { m: 1.2, k: 5.0, c: 0.8 }.prepare::<f64>().expect("the parameters are positive");
    evaluations_do_not_allocate(&system);
    steps_do_not_allocate(&system, &Rk4::new(1e-2));
    steps_do_not_allocate(&system, &Dop853::new());
    steps_do_not_allocate(&system, &Gauss::<f64, 2>::new(1e-2));
}

#[test]
fn nothing_allocates() {
    check(&CompoundDoublePendulum::default().prepare::<f64>().expect("the parameters are valid"));
    check(&CompoundDoublePendulumWithDrag::default().prepare::<f64>().expect("the parameters are valid"));
}

/// Every path of a constrained motion: written out, pivoted, redundant, projected, stabilised.
#[test]
fn nothing_allocates_under_constraints() {
    let linkage = FourBarLinkage::default().prepare::<f64>().expect("the parameters are valid");
    let platform = Parallelogram::default().prepare::<f64>().expect("the parameters are valid");
    let mut ends = [None, None, None];
    let count = allocations(|| {
        let (u, keep) = (SVector::from([0.3]), Projection::default().keep(FourBarLinkage::INDEX.crank));
        let found = initialise(&linkage, &FourBarLinkage::guess(), &u, &keep, None);
        let options = Options::default();
        let end = |system: &dyn System<f64, 3, 2, 1>, mut state| {
            let (method, mut inputs) = (Projected::new(Rk4::new(1e-2)), DefaultInputs::of(system));
            integrate(system, &mut state, 0.2, &method, &options, &mut inputs, &mut ()).ok().map(|_| state.q[0])
        };
        ends[0] = found.ok().and_then(|found| end(&linkage, found.state));
        ends[1] = end(&Baumgarte::new(&linkage, 5.0, 5.0), FourBarLinkage::cranked());
        let shared = LeastNorm::new(&platform, 1e-8);
        let (mut state, mut inputs) = (Parallelogram::released(), DefaultInputs::of(&shared));
        let method = Projected::new(Rkf45::new());
        let report = integrate(&shared, &mut state, 0.2, &method, &options, &mut inputs, &mut ());
        ends[2] = report.ok().map(|_| state.q[0]);
        assert!(platform.acceleration(0.0, &state.q, &state.v, &SVector::from([])).is_err());
    });
    let [Some(projected), Some(stabilised), Some(_)] = ends else { panic!("all must reach the end: {ends:?}") };
    assert!((projected - stabilised).abs() < 1e-6, "{projected} {stabilised}");
    assert_eq!(count, 0);
}

/// Controllers inside one another, in continuous and in sampled time.
#[test]
fn controllers_do_not_allocate() {
    let system = CompoundDoublePendulumWithDrag::default().prepare::<f64>().expect("valid");
    let feedback = StateFeedback::new(SMatrix::from([[0.5], [0.2]]), SMatrix::from([[0.1], [0.1]]));
    let bounds = [SVector::from([-0.4]), SVector::from([0.4])];
    let mut count = 0;
    let mut run = |controller: &mut dyn Controller<f64, 2, 1>| {
        let mut state = State::new(0.0, [0.7, -0.2], [0.1, 0.3]);
        let mut finished = false;
        count += allocations(|| {
            let options = Options::default();
            finished = integrate(&system, &mut state, 1.0, &Rkf45::new(), &options, controller, &mut ()).is_ok();
        });
        assert!(finished && state.t == 1.0);
    };
    run(&mut Saturated::new(feedback, bounds[0], bounds[1]));
    let limited = Saturated::new(feedback, bounds[0], bounds[1]);
    let sensor = Quantised::new(limited, SVector::from([1e-3, 1e-3]), SVector::from([0.0, 0.0]));
    run(&mut Sampled::of(0.01, Delayed::<_, f64, 2, 3>::new(sensor)));
    let pid = Pid::new(1, 0).with_gains(0.5, 0.2, 0.1).with_filter(0.02).with_bounds(-0.4, 0.4);
    run(&mut Sampled::of(0.01, pid));
    let seen = [SMatrix::from([[1.0], [0.0]]), SMatrix::from([[0.0], [0.0]])];
    let integral = IntegralFeedback::new(feedback, seen, SMatrix::from([[0.3]]), 0.01);
    run(&mut Sampled::of(0.01, integral.with_bounds(bounds[0], bounds[1])));
    let model = ObservedModel {
        a: SMatrix::from([[1.0, 0.0], [0.01, 1.0]]),
        b: SMatrix::from([[5e-5, 0.01]]),
        c: SMatrix::from([[1.0], [0.0]]),
        d: SMatrix::from([[0.0]]),
    };
    let angle = |_: f64, q: &SVector<f64, 2>, _: &SVector<f64, 2>| SVector::from([q[0]]);
    let observer = EstimateFeedback::new(model, SMatrix::from([[0.3, 2.0]]), SMatrix::from([[0.5], [0.1]]), angle);
    run(&mut Sampled::of(0.01, observer));
    assert_eq!(count, 0);
}

/// Whether `method` reaches 0.2 s from `state`, without an allocation.
fn reaches_the_end<S, M, const N: usize, const C: usize, const U: usize>(system: &S, state: State<f64, N>, method: &M)
where
    S: System<f64, N, C, U>,
    M: Method<f64, N, C>,
{
    let (mut state, mut inputs, mut finished) = (state, DefaultInputs::of(system), false);
    let count = allocations(|| {
        let options = Options::default();
        finished = integrate(system, &mut state, 0.2, method, &options, &mut inputs, &mut ()).is_ok();
    });
    assert!(finished && state.t == 0.2, "{} must reach the end", method.name());
    assert_eq!(count, 0, "{}", method.name());
}

#[test]
fn no_method_that_takes_constraints_allocates() {
    let linkage = FourBarLinkage::default().prepare::<f64>().expect("the parameters are valid");
    let (start, h) = (FourBarLinkage::cranked(), 1e-2);
    reaches_the_end(&linkage, start, &Rattle::new(h));
    reaches_the_end(&linkage, start, &Rattle::shake(h).without_history());
    reaches_the_end(&linkage, start, &ImplicitMidpoint::new(h));
    reaches_the_end(&linkage, start, &Gauss::<f64, 3>::new(h).with_iteration(Iteration::Newton));
    reaches_the_end(&linkage, start, &Gauss::<f64, 2>::new(1e-3).with_iteration(Iteration::FixedPoint));
    reaches_the_end(&linkage, start, &VariationalMidpoint::new(h));
    reaches_the_end(&linkage, start, &VariationalTrapezoid::new(h));
    reaches_the_end(&linkage, start, &Composition::suzuki(Rattle::new(h)));
    reaches_the_end(&linkage, start, &Impulses::new(Gauss::<f64, 2>::new(h)));
    reaches_the_end(&linkage, start, &Composition::kahan_li(Impulses::new(VariationalTrapezoid::new(h))));
    reaches_the_end(&linkage, start, &Projected::new(Rk4::new(h)));
    reaches_the_end(&linkage, start, &Projected::new(Dop853::new()));
    reaches_the_end(&Baumgarte::new(&linkage, 5.0, 5.0), start, &Rk4::new(h));
}

#[test]
fn nothing_allocates_under_constraints_on_velocities() {
    let knife = KnifeEdge::default().prepare::<f64>().expect("the parameters are valid");
    reaches_the_end(&knife, KnifeEdge::turning(), &Projected::new(Rk4::new(1e-2)));
    reaches_the_end(&Baumgarte::new(&knife, 5.0, 5.0), KnifeEdge::turning(), &Rk4::new(1e-2));
    let disc = RollingDisc::default().prepare::<f64>().expect("the parameters are valid");
    reaches_the_end(&disc, RollingDisc::rolling(), &Projected::new(Rkf45::new()));
    reaches_the_end(&Baumgarte::new(&disc, 5.0, 5.0), RollingDisc::rolling(), &DormandPrince5::new());
}

#[test]
fn the_counter_sees_an_allocation() {
    assert_eq!(allocations(|| drop(std::hint::black_box(Box::new(1)))), 1);
}

#[test]
fn steps_that_resolve_contacts_do_not_allocate() {
    #[lagrangian {
        coordinates x, y, turn;
        kinetic   = rigid_body_energy(m, m*r^2, [x, y], turn);
        potential = m*g*y;
        contact floor: y >= r, friction = mu, slip = x + r*turn, restitution = e;
    }]
    struct Hoop {
        m: f64,
        r: f64,
        g: f64,
        mu: f64,
        e: f64,
    }
    let system = Hoop { m: 2.0, r: 0.1, g: 10.0, mu: 0.3, e: 0.5 }.prepare::<f64>().expect("valid");
    let during = allocations(|| {
        let mut state = State::new(0.0, [0.0, 0.3, 0.0], [1.0, 0.0, 20.0]);
        let (method, options) = (MoreauJean::new(1e-2), Options::default());
        let mut inputs = DefaultInputs::of(&system);
        let report = integrate(&system, &mut state, 3.0, &method, &options, &mut inputs, &mut ()).expect("resolved");
        assert!(report.statistics.impacts > 1 && report.statistics.phases > 3);
    });
    assert_eq!(during, 0);
}
