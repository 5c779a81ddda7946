//! The library on a scene, with its steps cut in different ways.

use super::mechanisms::{Alley, Flight, One, Plant, Train, Trio, Yard};
use super::record::{Record, Recorder};
use super::scene::{Act, Body, Scene, Shape, Slide, Watch};
use lagrange_runtime::controller::Sampled;
use lagrange_runtime::instant::Instant;
use lagrange_runtime::observer::AtTimes;
use lagrange_runtime::prelude::*;
use std::cell::RefCell;
use std::ops::ControlFlow;

lagrange_runtime::method_choice! {
    /// The methods that adapt their steps.
    pub(crate) enum Adaptive: f64 {
        BogackiShampine3(BogackiShampine3<f64>),
        DormandPrince5(DormandPrince5<f64>),
        Tsitouras5(Tsitouras5<f64>),
        Rkf45(Rkf45<f64>),
        Verner6(Verner6<f64>),
        Dop853(Dop853<f64>),
        Verner9(Verner9<f64>),
        Extrapolation(Extrapolation<f64>),
        Radau5(Radau5),
        Esdirk4(Esdirk4),
    }
}

lagrange_runtime::method_choice! {
    /// The implicit methods that carry momenta, with steps of one size.
    pub(crate) enum Canonical: f64 {
        Gauss(Gauss<f64, 2>),
        VariationalMidpoint(VariationalMidpoint<f64>),
        GeneralizedAlpha(GeneralizedAlpha<f64>),
        EnergyPreserving(EnergyPreserving<f64, 2>),
        Rattle(Rattle<f64>),
    }
}

/// The errors of a method under a constant acceleration, in roundings.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Roundings {
    /// Of the states at the ends of steps.
    pub(crate) steps: f64,
    /// Of the states between.
    pub(crate) between: f64,
}

/// These errors of each method, in the order of [`Run::method`]. A test measures them.
pub(crate) const ROUNDINGS: [Roundings; METHODS] = [
    Roundings { steps: 8.0, between: 12.0 },
    Roundings { steps: 2.0, between: 4.0 },
    Roundings { steps: 4.0, between: 8.0 },
    Roundings { steps: 16.0, between: 25.0 },
    Roundings { steps: 2.0, between: 6.0 },
    Roundings { steps: 70.0, between: 160.0 },
    Roundings { steps: 10.0, between: 20.0 },
    Roundings { steps: 2.0, between: 4.0 },
    Roundings { steps: 2.0, between: 80.0 },
    Roundings { steps: 16.0, between: 25.0 },
    Roundings { steps: 2.0, between: 10.0 },
    Roundings { steps: 2.0, between: 4.0 },
    Roundings { steps: 2.0, between: 4.0 },
    Roundings { steps: 2.0, between: 4.0 },
    Roundings { steps: 2.0, between: 4.0 },
    Roundings { steps: 2.0, between: 4.0 },
];

/// The number of methods.
pub(crate) const METHODS: usize = 16;

/// The number of the first of them that do not carry momenta, without `Esdirk4`.
pub(crate) const FIRST_METHODS: usize = 10;

/// The index of `Extrapolation`.
pub(crate) const EXTRAPOLATION: usize = 8;

/// A way to run a scene.
#[derive(Clone, Debug, Default)]
pub(crate) struct Run {
    /// The index of the method: 0 is RK4.
    pub(crate) method: usize,
    pub(crate) stops: Vec<f64>,
    pub(crate) t_eval: Vec<f64>,
    pub(crate) max_step: Option<f64>,
    /// Times at which an integration ends, and the next begins.
    pub(crate) ends: Vec<f64>,
    /// The observer breaks off after each step for whose number this holds: number % n < m.
    pub(crate) breaks: Option<(u64, u64)>,
    /// Whether the integration is resumed there from a checkpoint.
    pub(crate) resumes: bool,
}

/// Runs the library on a scene.
pub(crate) fn run(scene: &Scene, run: &Run) -> Record {
    let part = |index: usize| &scene.coordinates[index];
    let floor = |index: usize| match part(index).body {
        Body::Floor { level, e } => (level, e),
        _ => unreachable!("each ball has its floor"),
    };
    let invalid = "a scene's parameters are valid";
    match scene.shape {
        Shape::One => {
            let (level, e) = floor(0);
            let system = One { f: part(0).force, share: part(0).share, level, e, u: 0.0 };
            by_method::<1>(scene, run, &system.prepare::<f64>().expect(invalid))
        }
        Shape::Trio => {
            let of = |value: fn(f64, f64, f64, f64) -> f64| {
                core::array::from_fn(|i| value(part(i).force, part(i).share, floor(i).0, floor(i).1))
            };
            let system = Trio {
                f: of(|f, _, _, _| f),
                share: of(|_, share, _, _| share),
                level: of(|_, _, level, _| level),
                e: of(|_, _, _, e| e),
                u: 0.0,
            };
            by_method::<4>(scene, run, &system.prepare::<f64>().expect(invalid))
        }
        Shape::Flight => {
            let (f, share) = ([part(0).force, part(1).force], [part(0).share, part(1).share]);
            let system = Flight { f, share, u: 0.0 };
            by_method::<3>(scene, run, &system.prepare::<f64>().expect(invalid))
        }
        Shape::Yard => {
            let (level, e) = floor(0);
            let Body::Pad { bound, .. } = part(1).body else { unreachable!("the block has its pad") };
            let (f, share) = ([part(0).force, part(1).force], [part(0).share, part(1).share]);
            let system = Yard { f, share, level, e, bound, u: 0.0 };
            by_method::<3>(scene, run, &system.prepare::<f64>().expect(invalid))
        }
        Shape::Plant => {
            let (level, e) = floor(0);
            let (Body::Pad { bound, held }, Body::Relay { of, above, below, thrust }) = (part(1).body, part(3).body)
            else {
                unreachable!("the block has its pad, and the relay is the last one")
            };
            let (f, share) = ([part(0).force, part(1).force], [part(0).share, part(1).share]);
            let pick = core::array::from_fn(|i| f64::from(u8::from(i == of)));
            let system = Plant { f, share, thrust, pick, above, below, level, e, bound, held, u: 0.0 };
            by_method::<4>(scene, run, &system.prepare::<f64>().expect(invalid))
        }
        Shape::Train => {
            let (level, e) = floor(0);
            let Body::Relay { of, above, below, .. } = part(3).body else { unreachable!("the relay is the last one") };
            let (f, share) = ([0, 1, 2].map(|i| part(i).force), [0, 1, 2].map(|i| part(i).share));
            let pick = core::array::from_fn(|i| f64::from(u8::from(i == of)));
            let system = Train { f, share, pick, above, below, level, e, u: 0.0 };
            by_method::<4>(scene, run, &system.prepare::<f64>().expect(invalid))
        }
        Shape::Alley => {
            let (level, e) = floor(0);
            let (Some(slide), Body::Relay { of, above, below, thrust: [thrust, _] }) = (scene.slide, part(5).body)
            else {
                unreachable!("the ball slides, and the relay is the last one")
            };
            let Slide { mu, held, inertia, .. } = slide;
            let (f, share) = ([0, 1, 2].map(|i| part(i).force), [0, 1, 2].map(|i| part(i).share));
            let pick = core::array::from_fn(|i| f64::from(u8::from(i == of)));
            let system = Alley { f, share, thrust, inertia, pick, above, below, level, e, mu, held, u: 0.0 };
            by_method::<6>(scene, run, &system.prepare::<f64>().expect(invalid))
        }
    }
}

type Stored<const N: usize, M> = Checkpoint<f64, N, 0, <M as Method<f64, N, 0>>::Memory>;

fn by_method<const N: usize>(scene: &Scene, run: &Run, system: &dyn System<f64, N, 0, 1>) -> Record {
    let h = scene.t_end / 40.0;
    let canonical = |method: Canonical| with(scene, run, system, &method, &|checkpoint| *checkpoint);
    let method = match run.method {
        0 => return with(scene, run, system, &Rk4::new(h), &through_text::<N, Rk4<f64>>),
        6 => return with(scene, run, system, &Dop853::new(), &through_text::<N, Dop853<f64>>),
        1 => Adaptive::BogackiShampine3(BogackiShampine3::new()),
        2 => Adaptive::DormandPrince5(DormandPrince5::new()),
        3 => Adaptive::Tsitouras5(Tsitouras5::new()),
        4 => Adaptive::Rkf45(Rkf45::new()),
        5 => Adaptive::Verner6(Verner6::new()),
        7 => Adaptive::Verner9(Verner9::new()),
        EXTRAPOLATION => Adaptive::Extrapolation(Extrapolation::new()),
        9 => Adaptive::Radau5(Radau5::new()),
        10 => Adaptive::Esdirk4(Esdirk4::new()),
        11 => return canonical(Canonical::Gauss(Gauss::new(h))),
        12 => return canonical(Canonical::VariationalMidpoint(VariationalMidpoint::new(h))),
        13 => return canonical(Canonical::GeneralizedAlpha(GeneralizedAlpha::new(h, 0.8))),
        14 => return canonical(Canonical::EnergyPreserving(EnergyPreserving::new(h))),
        _ => return canonical(Canonical::Rattle(Rattle::new(h))),
    };
    with(scene, run, system, &method, &|checkpoint| *checkpoint)
}

fn through_text<const N: usize, M>(checkpoint: &Stored<N, M>) -> Stored<N, M>
where
    M: Method<f64, N, 0>,
    M::Memory: serde::Serialize + serde::de::DeserializeOwned,
{
    let text = serde_json::to_string(checkpoint).expect("a checkpoint is made of numbers");
    serde_json::from_str(&text).expect("a checkpoint reads as it was written")
}

fn value<const N: usize>(scene: &Scene, watch: Watch) -> impl Fn(f64, &SVector<f64, N>, &SVector<f64, N>) -> f64 + '_ {
    move |t, q, v| watch.value(scene.since(t), q[watch.of], scene.way * v[watch.of])
}

fn map<const N: usize>(way: f64, watch: Watch) -> impl Fn(&State<f64, N>) -> State<f64, N> {
    move |state| {
        let mut state = *state;
        state.v *= way;
        watch.act.apply(state.v.as_mut_slice());
        state.v *= way;
        state
    }
}

fn with<const N: usize, M: Method<f64, N, 0>>(
    scene: &Scene,
    run: &Run,
    system: &dyn System<f64, N, 0, 1>,
    method: &M,
    store: &dyn Fn(&Stored<N, M>) -> Stored<N, M>,
) -> Record {
    let values: Vec<_> = scene.watches.iter().map(|&watch| value::<N>(scene, watch)).collect();
    let maps: Vec<_> = scene.watches.iter().map(|&watch| map::<N>(scene.way, watch)).collect();
    let event = |k: usize| {
        let watch = &scene.watches[k];
        let event = Event { terminal: watch.terminal, ..Event::new(&values[k]).going(watch.direction) };
        if watch.act == Act::Nothing { event } else { event.mapping(&maps[k]) }
    };
    let events: Vec<_> = (0..scene.watches.len()).map(event).collect();
    let (length, time) = scene.units;
    // Two times of the scene may be one of the library.
    let times = |of: &[f64]| -> Vec<f64> {
        let mut times: Vec<f64> = of.iter().map(|&t| scene.time(t)).collect();
        times.dedup();
        times
    };
    let (stops, t_eval) = (times(&run.stops), times(&run.t_eval));
    let options = Options {
        rtol: 1e-9.into(),
        atol: Tolerance::Each { q: SVector::repeat(1e-12 * length), v: SVector::repeat(1e-12 * length / time) },
        max_step: run.max_step.unwrap_or(f64::INFINITY),
        max_steps: Some(20_000),
        stops: &stops,
        events: &events,
        ..Options::default()
    };
    let start = State {
        t: scene.start,
        q: SVector::from_fn(|i, _| scene.coordinates[i].q),
        v: SVector::from_fn(|i, _| scene.way * scene.coordinates[i].v),
    };
    let recorder = RefCell::new(Recorder::new(scene, &start));
    let law = |t: f64, _: &SVector<f64, N>, _: &SVector<f64, N>| {
        SVector::from([scene.samples.as_ref().map_or(0.0, |samples| {
            let number = (scene.since(t) / samples.period).round() as usize;
            recorder.borrow_mut().sample(t, number);
            samples.force(number)
        })])
    };
    let period = scene.samples.as_ref().map_or(1.0, |samples| samples.period);
    let mut sampled = Sampled::new(period, law);
    let mut constant = DefaultInputs::of(system);
    let ends = times(&run.ends).into_iter().chain([scene.time(scene.t_end)]);
    let mut state = start;
    let mut checkpoint: Option<Stored<N, M>> = None;
    for end in ends {
        loop {
            let outcome = {
                let controller: &mut dyn Controller<f64, N, 1> =
                    if scene.samples.is_some() { &mut sampled } else { &mut constant };
                let made = match checkpoint.take() {
                    Some(checkpoint) => Stepper::resume(system, &checkpoint, method, &options, controller),
                    None => Stepper::new(system, state, end, method, &options, controller),
                };
                let mut stepper = match made {
                    Ok(stepper) => stepper,
                    Err(error) => return recorder.into_inner().finish(Err(error.to_string())),
                };
                loop {
                    let see = |view: &StepView<f64, N>| {
                        let broken = run.breaks.is_some_and(|(n, m)| view.number % n < m);
                        if broken { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                    };
                    let times = AtTimes::new(&t_eval, |state: &State<f64, N>| {
                        recorder.borrow_mut().output(state);
                        ControlFlow::Continue(())
                    })
                    .until(end);
                    let mut observer = (Watching(&recorder), (see, times));
                    let plain = run.t_eval.is_empty();
                    let outcome =
                        if plain { stepper.run(&mut (Watching(&recorder), see)) } else { stepper.run(&mut observer) };
                    match outcome {
                        Ok(Outcome::Stopped) if run.resumes => {
                            checkpoint = Some(store(&stepper.checkpoint()));
                            break None;
                        }
                        Ok(Outcome::Stopped) => {}
                        Ok(outcome) => {
                            state = stepper.state().expect("velocities are carried");
                            recorder.borrow_mut().end(&state);
                            break Some(outcome);
                        }
                        Err(error) => return recorder.into_inner().finish(Err(error.to_string())),
                    }
                }
            };
            match outcome {
                None => {
                    let (origin, value) = (sampled.origin(), sampled.value().copied());
                    sampled = Sampled::new(period, law).resumed(origin, value);
                }
                Some(Outcome::Event(k)) => return recorder.into_inner().finish(Ok(Some(k))),
                Some(_) => break,
            }
        }
    }
    recorder.into_inner().finish(Ok(None))
}

/// The recorder as an observer.
struct Watching<'a, 's, const N: usize>(&'a RefCell<Recorder<'s, N>>);

impl<const N: usize> Observer<f64, N> for Watching<'_, '_, N> {
    fn instant(&mut self, instant: &Instant<f64, N>) -> ControlFlow<()> {
        self.0.borrow_mut().instant(instant);
        ControlFlow::Continue(())
    }

    fn observe(&mut self, step: &StepView<f64, N>) -> ControlFlow<()> {
        self.0.borrow_mut().step(step);
        ControlFlow::Continue(())
    }
}
