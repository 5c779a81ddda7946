//! A simulation of any mechanism by any method, compiled once for each shape.

use super::balance::{Balance, Ledger, violations};
use super::closed_loop::Driven;
use super::error::in_options;
use super::feedback::{Drive, InputSample};
use super::instant::{AtJumps, Instant, InstantCount, Instants, Names};
use super::integration::{self, Integration};
use super::quantity::Crossings;
use super::resolved::Resolved;
use super::scales::{NEGLIGIBLE, Scales};
use super::{FailedRun, MethodName, Moved, Request, RequestError, States, Units, with_unit};
use crate::report::number;
use lagrange_runtime::error::Number;
use lagrange_runtime::prelude::*;
use lagrange_runtime::system::Energies;
use std::cell::RefCell;
use std::ops::ControlFlow;

/// A state, with its energies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample<'a> {
    /// The time.
    pub t: f64,
    /// q.
    pub q: &'a [f64],
    /// v, and then the states.
    pub v: &'a [f64],
    /// T, V and h.
    pub energies: Energies<f64>,
    /// The components of the outputs.
    pub outputs: &'a [f64],
    /// The terms of the power balance.
    pub powers: &'a [f64],
    /// g of each holonomic constraint, and G v + b of each nonholonomic one.
    pub violations: &'a [f64],
    /// The multipliers of the constraints; NaN where they are not determined.
    pub multipliers: &'a [f64],
    /// The inputs.
    pub inputs: &'a [f64],
    /// The values of each coordinate and of each velocity below which they are rounding beside the kinetic energy of the motion so far;
    /// 0 where that says nothing, and if no curves are taken.
    pub rounding: [&'a [f64]; 2],
    /// Whether it is none of the states that were asked for, and is passed because of [`Output::takes_curves`].
    pub between: bool,
}

/// How a simulation went.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// The work.
    pub statistics: Statistics,
    /// How it ended: [`Outcome::Stopped`] if the output broke it off, and [`Outcome::Event`] with an index of [`Request::until`]
    /// if that value was crossed. The indices of [`Request::watched`] follow those.
    pub outcome: Outcome,
    /// The last time.
    pub t: f64,
    /// The last q.
    pub q: Vec<f64>,
    /// The last v, and then the last states.
    pub v: Vec<f64>,
    /// The components of the outputs at the end.
    pub outputs: Vec<f64>,
    /// The initial values that were moved onto the constraints.
    pub moved: Vec<Moved>,
    /// h at the start and at the end.
    pub energy: [f64; 2],
    /// The method with its settings, and why it was chosen.
    pub method: String,
    /// The scale of each coordinate and of each velocity of the motion, if the request asks for the balance: its largest absolute value
    /// or, where that is rounding, the size that the kinetic energy gives it.
    pub sizes: [Vec<f64>; 2],
    /// The largest |z| of each state, if the request asks for the balance.
    pub state_sizes: Vec<f64>,
    /// The balance of energy, if the request asks for it.
    pub balance: Option<Balance>,
    /// The end and the length of steps, if the request asks for the balance. Of long runs every second, fourth, … step is kept.
    pub steps: Vec<[f64; 2]>,
    /// The largest Lyapunov exponent, if the request asks for it and if the motion has one. A warning says why it has none.
    pub exponent: Option<f64>,
    /// The samples of inputs that follow sampled laws, and perhaps only the first ones.
    pub input_samples: Vec<InputSample>,
    /// How many samples of inputs there were.
    pub input_sample_count: u64,
    /// What happened at instants and how often, in the order in which it happened first.
    pub instants: Vec<InstantCount>,
    /// The reasons to doubt the result, in sentences.
    pub warnings: Vec<String>,
}

/// A way to simulate mechanisms of one shape.
///
/// Its last argument sees the steps of the integration, too.
pub(super) type Run<const N: usize, const C: usize> = fn(
    &dyn System<f64, N, C, 0>,
    State<f64, N>,
    Asked<'_, N>,
    Receiver<'_>,
    &mut dyn Observer<f64, N>,
) -> Result<Summary, RequestError>;

/// The request for a simulation, with the units of its output and the inputs.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a, const N: usize> {
    pub(super) request: &'a Request,
    pub(super) units: Units,
    /// The inputs.
    pub(super) drive: &'a dyn Drive,
    /// The energies as functions of the inputs, if some follow laws.
    pub(super) driven: Option<&'a dyn Driven<N>>,
}

/// What receives the states of a simulation that are asked for, and may break it off.
///
/// A closure `FnMut(&Sample) -> ControlFlow<()>` is one; `()` takes nothing.
pub trait Output {
    /// Called with each state asked for; `Break` ends the simulation.
    fn receive(&mut self, sample: &Sample<'_>) -> ControlFlow<()>;

    /// Called with all that happens at an instant, in the order in which it happens; `Break` ends the simulation. The states until then
    /// are passed before.
    fn instant(&mut self, instant: &Instant<'_>) -> ControlFlow<()> {
        let _ = instant;
        ControlFlow::Continue(())
    }

    /// Returns whether to pass states at all. If it is `false`, nothing is evaluated for them.
    fn takes_states(&self) -> bool {
        true
    }

    /// Returns whether to pass, between the states asked for, those before and after each jump and so many others that straight lines
    /// keep to the motion: coordinates, velocities, states and outputs are missed by at most 1/2000 of the extent that they have so far.
    ///
    /// States that are asked for by [`States::Points`] or [`States::Every`] are completed in this way; for others only jumps are.
    fn takes_curves(&self) -> bool {
        false
    }

    /// Returns whether to end the simulation. It is asked at the time `t` of every step, also where no state is passed.
    fn is_interrupted(&self, t: f64) -> bool {
        let _ = t;
        false
    }
}

impl<F: FnMut(&Sample<'_>) -> ControlFlow<()>> Output for F {
    fn receive(&mut self, sample: &Sample<'_>) -> ControlFlow<()> {
        self(sample)
    }
}

impl Output for () {
    fn receive(&mut self, _: &Sample<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn takes_states(&self) -> bool {
        false
    }
}

type Receiver<'a> = &'a mut dyn Output;

/// Without constraints, by every method.
pub(super) fn free<const N: usize>(
    system: &dyn System<f64, N, 0, 0>,
    initial: State<f64, N>,
    asked: Asked<'_, N>,
    output: Receiver<'_>,
    beside: &mut dyn Observer<f64, N>,
) -> Result<Summary, RequestError> {
    run(system, initial, asked, (output, beside), integration::free)
}

/// Under constraints, from a state that meets them, by every method but those for L = T(v) − V(q). If constraints are redundant
/// there, the multipliers are those of least norm.
pub(super) fn constrained<const N: usize, const C: usize>(
    system: &dyn System<f64, N, C, 0>,
    initial: State<f64, N>,
    asked: Asked<'_, N>,
    output: Receiver<'_>,
    beside: &mut dyn Observer<f64, N>,
) -> Result<Summary, RequestError> {
    /// A projected position errs by about 1e-15; divided by the square of this tolerance, that error is still small.
    const TOLERANCE: f64 = 1e-4;
    /// A row of G is dependent if less than this part of its norm remains after projection onto the others.
    const REDUNDANT: f64 = 1e-8;
    if Rank::at(system, initial.t, &initial.q, REDUNDANT).rank < C {
        let system = LeastNorm::new(system, TOLERANCE);
        return run(&system, initial, asked, (output, beside), integration::constrained);
    }
    run(system, initial, asked, (output, beside), integration::constrained)
}

/// Integrates to the end that the request asks for, by the method that it asks for.
type Integrate<const N: usize, const C: usize> = fn(Integration<'_, '_, N, C>) -> Result<Report, SolveError<f64, N>>;

fn run<const N: usize, const C: usize>(
    system: &dyn System<f64, N, C, 0>,
    initial: State<f64, N>,
    Asked { request, units, drive, driven }: Asked<'_, N>,
    (output, beside): (Receiver<'_>, &mut dyn Observer<f64, N>),
    integrate: Integrate<N, C>,
) -> Result<Summary, RequestError> {
    // Both observers of the integration ask it: the one that gives states, and the one that ends it.
    let output = RefCell::new(output);
    let mut sensed = vec![0.0; system.output_names().len()];
    let mut powers = vec![0.0; system.power_names().len()];
    let mut inputs = Vec::new();
    let takes_states = output.borrow().takes_states();
    let takes_curves = takes_states && output.borrow().takes_curves();
    let mut scales = Scales::new(system.state_count());
    let give = RefCell::new(|state: &State<f64, N>, between: bool| {
        let State { t, q, v } = state;
        system.outputs(*t, q, v, &SVector::zeros(), &mut sensed);
        system.powers(*t, q, v, &SVector::zeros(), &mut powers);
        let violations = violations(system, state);
        let multipliers = match system.acceleration_of(state) {
            Ok(found) => found.multipliers,
            Err(_) => SVector::repeat(f64::NAN),
        };
        if takes_curves {
            scales.see(system, state);
        }
        inputs.clear();
        drive.write(*t, q.as_slice(), v.as_slice(), &mut inputs);
        let rounding = scales.rounding();
        let rounding = rounding.each_ref().map(|each| own(each.as_slice(), system.state_count()));
        output.borrow_mut().receive(&Sample {
            t: *t,
            q: own(q.as_slice(), system.state_count()),
            v: v.as_slice(),
            energies: system.energies_of(state),
            outputs: &sensed,
            powers: &powers,
            violations: violations.as_slice(),
            multipliers: multipliers.as_slice(),
            inputs: &inputs,
            rounding,
            between,
        })
    });
    let asked = |state: &State<f64, N>| (give.borrow_mut())(state, false);
    let end = EndWhen(|t| output.borrow().is_interrupted(t));
    // Every state after a jump is asked for together with those at all steps' ends.
    let every = matches!(request.states, States::EveryStep);
    let at_jump = |state: &State<f64, N>| (give.borrow_mut())(state, !every);
    let times = request.times()?;
    let (mut name, mut reason) = request.method.or_chosen(system.facts());
    let section = match &request.states {
        States::Section { from, .. } => Some(*from),
        _ => None,
    };
    let crossings = Crossings::of(system, request)?;
    let events = crossings.events(request);
    let mut options = Options { events: &events, ..request.method.options(name, request.max_steps, system) };
    if request.method.scales_tolerances() && name.kind().is_adaptive() {
        let pilot = pilot(system, initial, (request, drive), &options, integrate);
        options.atol = pilot.atol;
        let takes_derivatives = request.feedback.check(MethodName::Radau9).is_ok();
        // Radau's methods need constraints that are independent.
        let fits = system.redundancy_tolerance() == 0.0;
        if pilot.is_stiff && takes_derivatives && fits {
            (name, reason) = (MethodName::Radau9, Some("the equations are stiff"));
        }
    }
    let mut state = initial;
    // Samples that a pilot took are not those at the start.
    drive.restart();
    let start = system.energies_of(&initial).energy;
    let mut ledger = Ledger::new(system, driven);
    let found = RefCell::new(Vec::new());
    let samples: &mut dyn Observer<f64, N> = match (&times, section) {
        _ if !takes_states => &mut ((), end),
        (Some(times), _) if takes_curves => {
            let at_times = AtTimes::new(times, |state: &State<f64, N>| {
                found.borrow_mut().push(*state);
                ControlFlow::Continue(())
            });
            &mut (Resolved::new(system, at_times, &found, |state, asked| (give.borrow_mut())(state, !asked)), end)
        }
        (Some(times), _) => &mut (AtTimes::new(times, asked), end),
        (None, Some(after)) => {
            // Its event is the last one.
            let event = request.until.len() + request.watched.len();
            &mut (AtSection { event, start: request.t_start, after, receive: asked }, end)
        }
        (None, None) => &mut (EveryState(asked), end),
    };
    // The states at all steps' ends, which are asked for or complete the curves, are those before jumps as well.
    let with_before = !every && (times.is_none() || !takes_curves);
    let mut jumps = AtJumps { with_before, last: None, receive: at_jump };
    let jumps: &mut dyn Observer<f64, N> = if takes_curves || every && takes_states { &mut jumps } else { &mut () };
    let names = Names::new(request, system.switch_names());
    let mut instants = Instants::new(names, system.state_count(), |instant| output.borrow_mut().instant(instant));
    let mut observer = All([beside, if request.audit { &mut ledger } else { &mut () }, samples, jumps, &mut instants]);
    let observer = &mut observer;
    let report =
        integrate(Integration { name, system, state: &mut state, request, options: &options, observer, drive });
    let motion = Motion {
        system,
        start,
        asked: Asked { request, units, drive, driven },
        method: (name, reason),
        ledger: &ledger,
        instants: &instants.counts,
    };
    match report {
        Ok(report) => Ok(motion.summary(report.statistics, report.outcome, &state)),
        Err(error) => {
            let last = motion.summary(error.statistics, Outcome::Stopped, &error.state);
            Err(RequestError::Failed(FailedRun { text: in_options(&error.to_string()), last: Some(Box::new(last)) }))
        }
    }
}

/// A motion that was integrated, and what was seen of it.
struct Motion<'m, 's, const N: usize, const C: usize> {
    system: &'m (dyn System<f64, N, C, 0> + 's),
    /// h at the start.
    start: f64,
    asked: Asked<'m, N>,
    /// The method, and the reason for which it was chosen.
    method: (MethodName, Option<&'static str>),
    ledger: &'m Ledger<'m, 's, N, C>,
    instants: &'m [InstantCount],
}

impl<const N: usize, const C: usize> Motion<'_, '_, N, C> {
    /// How the motion went until `state`.
    fn summary(&self, statistics: Statistics, outcome: Outcome, state: &State<f64, N>) -> Summary {
        let Self { system, start, asked: Asked { request, units, drive, .. }, method, ledger, instants } = *self;
        let balance = request.audit.then(|| ledger.balance());
        let mut outputs = vec![0.0; system.output_names().len()];
        system.outputs(state.t, &state.q, &state.v, &SVector::zeros(), &mut outputs);
        let (input_samples, input_sample_count) = drive.samples();
        Summary {
            statistics,
            outcome,
            t: state.t,
            q: own(state.q.as_slice(), system.state_count()).to_vec(),
            v: state.v.as_slice().to_vec(),
            outputs,
            moved: Vec::new(),
            energy: [start, system.energies_of(state).energy],
            method: request.method.describe(method, units),
            sizes: ledger.scales.each().map(|each| own(each.as_slice(), system.state_count()).to_vec()),
            state_sizes: ledger.v.as_slice()[N.saturating_sub(system.state_count())..].to_vec(),
            warnings: self.warnings(&statistics, balance.as_ref()),
            balance,
            steps: ledger.steps.kept.clone(),
            exponent: None,
            input_samples,
            input_sample_count,
            instants: instants.to_vec(),
        }
    }

    /// The reasons to doubt the motion.
    fn warnings(&self, statistics: &Statistics, balance: Option<&Balance>) -> Vec<String> {
        let Self { system, asked: Asked { request, units, .. }, method: (name, _), ledger, .. } = *self;
        let mut warnings: Vec<String> = statistics.warnings().map(|warning| in_options(&warning.to_string())).collect();
        warnings.extend(request.method.too_long(name, request.t_end - request.t_start, units));
        warnings.extend(balance.and_then(|balance| unbalanced(balance, name, units)));
        if name.kind().is_adaptive() && request.audit {
            warnings.extend(match request.method.scales_tolerances() {
                true => negligible(system.coordinates(), ledger),
                false => {
                    let atol = request.method.options(name, None, system).atol;
                    coarse((system.coordinates(), system.state_count()), ledger, &atol)
                }
            });
        }
        warnings
    }
}

/// A balance that misses more than this part of the energy that was exchanged makes the result doubtful.
const UNBALANCED: f64 = 1e-4;

/// The warning for a motion whose balance of energy is off.
fn unbalanced(balance: &Balance, name: MethodName, units: Units) -> Option<String> {
    let part = balance.relative();
    let remedy = if name.kind().is_adaptive() {
        "a smaller --rtol"
    } else {
        "a smaller --step, or a method with an adaptive step"
    };
    // NaN is off, too.
    (part > UNBALANCED || part.is_nan()).then(|| {
        format!(
            "the balance of energy misses {}, {part:.1e} of the largest energy that was exchanged; do not trust this motion, try {remedy}",
            with_unit(number::text(balance.residual, 3), units.energy),
        )
    })
}

/// An absolute tolerance above this part of a component's size makes that component inaccurate.
const COARSE: f64 = 1e-3;

/// The warning for an absolute tolerance that is large beside a component.
fn coarse<const N: usize, const C: usize>(
    (coordinates, states): (&[&str], usize),
    ledger: &Ledger<'_, '_, N, C>,
    atol: &Tolerance<f64, N>,
) -> Option<String> {
    let (sizes, [least, _]) = (ledger.scales.q, ledger.scales.rounding());
    let is_coarse = |index: &usize| sizes[*index] * COARSE < atol.of_coordinate(*index);
    let position = (0..N).find(|index| sizes[*index] > least[*index] && is_coarse(index));
    let first = N.saturating_sub(states);
    let of_state = |index: &usize| ledger.v[*index] > 0.0 && ledger.v[*index] * COARSE < atol.of_velocity(*index);
    let (index, size, atol) = match position {
        Some(index) => (index, sizes[index], atol.of_coordinate(index)),
        None => (first..N).find(of_state).map(|index| (index, ledger.v[index], atol.of_velocity(index)))?,
    };
    Some(format!(
        "`{}` is at most {}, so that the absolute tolerance {} leaves few digits of it; choose a smaller --atol",
        coordinates[index],
        number::text(size, 3),
        Number(atol)
    ))
}

/// The warning for a coordinate that is taken for rounding, though it may be small instead.
fn negligible<const N: usize, const C: usize>(coordinates: &[&str], ledger: &Ledger<'_, '_, N, C>) -> Option<String> {
    /// Rounding that nothing enlarged is below this part of a coordinate's scale.
    const PLAIN: f64 = 1e-12;
    let (sizes, [natural, _]) = (ledger.scales.q, ledger.scales.natural());
    let range = |index: usize| PLAIN * natural[index]..NEGLIGIBLE * natural[index];
    let index = (0..N).find(|&index| range(index).contains(&sizes[index]))?;
    Some(format!(
        "`{}` is at most {}, and is taken for rounding beside the energy of the motion; if it is not, choose an --atol",
        coordinates[index],
        number::text(sizes[index], 3),
    ))
}

/// Absolute tolerances in proportion to the scale of each component, which a first, coarse integration of at most 2000 steps finds. If
/// that one fails, the scales until then count. A tolerance in proportion to rounding would make steps as short as they can be, so that
/// a component that is zero but for rounding gets one in proportion to the scale that the kinetic energy gives it. A component without a
/// scale has stayed 0, and needs no absolute tolerance. Where all that moved is rounding, the tolerances follow the motion.
fn pilot<const N: usize, const C: usize>(
    system: &dyn System<f64, N, C, 0>,
    initial: State<f64, N>,
    (request, drive): (&Request, &dyn Drive),
    fine: &Options<'_, f64, N>,
    integrate: Integrate<N, C>,
) -> Pilot<N> {
    const COARSE_RTOL: f64 = 1e-4;
    /// The first part of the motion shows the sizes.
    const STEPS: u64 = 2000;
    let (name, _) = request.method.or_chosen(system.facts());
    // The tolerances of the coarse integration follow what it reaches, whatever its units are.
    let atol = Tolerance::Following { most: f64::MAX };
    // A bound on the steps of the motion must not change its tolerances.
    let options = Options { rtol: COARSE_RTOL.into(), atol, max_steps: None, ..*fine };
    let mut ledger = Ledger::new(system, None);
    let mut state = initial;
    let mut enough = Every::new(STEPS, |_: &StepView<f64, N>| ControlFlow::Break(()));
    let observer = &mut All([&mut ledger, &mut enough]);
    // Any other failure shows again in the integration itself.
    let is_stiff =
        match integrate(Integration { name, system, state: &mut state, request, options: &options, observer, drive }) {
            Ok(report) => report.statistics.stiff_checks > 0,
            Err(error) => matches!(error.failure, Failure::Stiff { .. }),
        };
    let Tolerance::Uniform(rtol) = fine.rtol else { return Pilot { atol: fine.atol, is_stiff } };
    if ledger.scales.kinetic <= NEGLIGIBLE * NEGLIGIBLE * ledger.balance().scale {
        // What moved is rounding, as where everything is held, and says nothing about sizes.
        return Pilot { atol, is_stiff };
    }
    let scaled = |scale: f64| if scale.is_finite() { rtol * scale } else { 0.0 };
    let [q, mut v] = ledger.scales.each().map(|scales| scales.map(scaled));
    // The states have units of their own, so that none is rounding beside another.
    for index in N.saturating_sub(system.state_count())..N {
        v[index] = scaled(ledger.v[index]);
    }
    Pilot { atol: Tolerance::Each { q, v }, is_stiff }
}

/// What the first part of a motion shows.
struct Pilot<const N: usize> {
    /// The absolute tolerances.
    atol: Tolerance<f64, N>,
    /// Whether the equations are stiff.
    is_stiff: bool,
}

/// The coordinates without the hidden ones of the states, which are the last.
pub(super) fn own(q: &[f64], states: usize) -> &[f64] {
    &q[..q.len().saturating_sub(states)]
}

/// Observers behind references, of which an earlier one sees a step before the later ones.
struct All<'a, const N: usize, const COUNT: usize>([&'a mut dyn Observer<f64, N>; COUNT]);

impl<const N: usize, const COUNT: usize> Observer<f64, N> for All<'_, N, COUNT> {
    fn start(&mut self, initial: &State<f64, N>) -> ControlFlow<()> {
        self.0.iter_mut().try_for_each(|observer| observer.start(initial))
    }

    fn wants(&self, number: u64, from: f64, to: f64) -> Wants {
        self.0.iter().map(|observer| observer.wants(number, from, to)).max().unwrap_or(Wants::Nothing)
    }

    fn event(&mut self, occurrence: &Occurrence<f64, N>) -> ControlFlow<()> {
        self.0.iter_mut().try_for_each(|observer| observer.event(occurrence))
    }

    fn instant(&mut self, instant: &lagrange_runtime::instant::Instant<f64, N>) -> ControlFlow<()> {
        self.0.iter_mut().try_for_each(|observer| observer.instant(instant))
    }

    fn observe(&mut self, step: &StepView<f64, N>) -> ControlFlow<()> {
        let (number, from, to) = (step.number, step.start.t, step.end.t);
        let mut asking = self.0.iter_mut().filter(|observer| observer.wants(number, from, to) > Wants::Nothing);
        asking.try_for_each(|observer| observer.observe(step))
    }
}

/// Gives a closure the states at the occurrences of an event, from a time after the start on.
struct AtSection<F> {
    /// The index of the event.
    event: usize,
    start: f64,
    /// The time after the start from which crossings count.
    after: f64,
    receive: F,
}

impl<F: FnMut(&State<f64, N>) -> ControlFlow<()>, const N: usize> Observer<f64, N> for AtSection<F> {
    fn wants(&self, _: u64, _: f64, _: f64) -> Wants {
        Wants::Nothing
    }

    fn event(&mut self, occurrence: &Occurrence<f64, N>) -> ControlFlow<()> {
        if occurrence.event == self.event && (occurrence.before.t - self.start).abs() >= self.after {
            (self.receive)(&occurrence.before)?;
        }
        ControlFlow::Continue(())
    }

    fn observe(&mut self, _: &StepView<f64, N>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Gives a closure the initial state and that at every step's end.
struct EveryState<F>(F);

impl<F: FnMut(&State<f64, N>) -> ControlFlow<()>, const N: usize> Observer<f64, N> for EveryState<F> {
    fn start(&mut self, initial: &State<f64, N>) -> ControlFlow<()> {
        (self.0)(initial)
    }

    fn observe(&mut self, step: &StepView<f64, N>) -> ControlFlow<()> {
        (self.0)(&step.end)
    }
}

/// Ends an integration at the first step at which a closure says so.
struct EndWhen<F>(F);

impl<F: Fn(f64) -> bool, const N: usize> Observer<f64, N> for EndWhen<F> {
    fn wants(&self, _: u64, from: f64, _: f64) -> Wants {
        if (self.0)(from) { Wants::States } else { Wants::Nothing }
    }

    fn observe(&mut self, _: &StepView<f64, N>) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}
