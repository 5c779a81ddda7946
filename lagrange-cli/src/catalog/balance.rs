//! The balance of energy and the constraints along a motion.

use super::closed_loop::Driven;
use super::scales::Scales;
use lagrange_runtime::analysis::add_works;
use lagrange_runtime::prelude::*;
use std::ops::ControlFlow;

/// Rounding changes the balance by up to about this many units in the last place of the energies.
const ROUNDINGS: f64 = 64.0;

/// The balance of energy of a motion, and the largest violation of each constraint.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Balance {
    /// The work of each power; for a mechanism with contacts or modes the energy that impacts and changes added; and the energy that laws of
    /// inputs added by changing inputs in the potential, where it is not 0.
    pub works: Vec<(&'static str, f64)>,
    /// The energy at the end minus that at the start and minus all works. Without errors it is 0.
    pub residual: f64,
    /// The largest |h(t) − h(0) − works until t| of the motion.
    pub largest: f64,
    /// The largest energy that was exchanged: of ½ vᵀM v, of the works, of the change of h. Where nothing has inertia and
    /// nothing does work, it is the largest |h|.
    pub scale: f64,
    /// The change of the balance that rounding can cause.
    pub rounding: f64,
    /// The largest |g| of each holonomic constraint, and the largest |G v + b| of each nonholonomic one.
    pub violations: Vec<(&'static str, f64)>,
}

impl Balance {
    /// The largest part of [`Balance::scale`] that was missing in the balance at a time of the motion; 0 within rounding.
    pub fn relative(&self) -> f64 {
        if self.largest <= self.rounding { 0.0 } else { self.largest / self.scale }
    }
}

/// An observer that keeps the balance of a motion, and the size of each component.
pub(super) struct Ledger<'r, 's, const N: usize, const C: usize> {
    system: &'r (dyn System<f64, N, C, 0> + 's),
    powers: Vec<f64>,
    works: Vec<f64>,
    /// The energies as functions of the inputs, if some follow laws.
    driven: Option<&'r dyn Driven<N>>,
    /// The energy that impacts at contacts and changes of modes added.
    impacts: f64,
    /// The energy that inputs in the potential added by changing.
    changed: f64,
    start: f64,
    end: f64,
    /// The inputs at the end of the last step, if some follow laws.
    inputs: Vec<f64>,
    /// The largest |h|, |T| and |V|.
    size: f64,
    largest: f64,
    violations: SVector<f64, C>,
    /// The end and the length of steps.
    pub(super) steps: Steps,
    /// The scales of coordinates and velocities.
    pub(super) scales: Scales<N>,
    /// The largest |v| of each coordinate, and the largest |z| of each state.
    pub(super) v: SVector<f64, N>,
}

impl<'r, 's, const N: usize, const C: usize> Ledger<'r, 's, N, C> {
    pub(super) fn new(system: &'r (dyn System<f64, N, C, 0> + 's), driven: Option<&'r dyn Driven<N>>) -> Self {
        let count = system.power_names().len();
        Self {
            system,
            powers: vec![0.0; count],
            works: vec![0.0; count],
            driven,
            impacts: 0.0,
            changed: 0.0,
            start: 0.0,
            end: 0.0,
            inputs: Vec::new(),
            size: 0.0,
            largest: 0.0,
            violations: SVector::repeat(0.0),
            steps: Steps::default(),
            scales: Scales::new(system.state_count()),
            v: SVector::repeat(0.0),
        }
    }

    /// The balance of the motion so far.
    pub(super) fn balance(&self) -> Balance {
        let work = self.added();
        let change = self.end - self.start;
        let exchanged = self
            .works
            .iter()
            .chain([&self.impacts, &self.changed])
            .fold(self.scales.kinetic.max(change.abs()), |most, work| most.max(work.abs()));
        let jumps = match (self.system.gap_count() + self.system.latch_count(), self.system.mode_count()) {
            (0, 0) => None,
            (_, 0) => Some("impacts"),
            (0, _) => Some("changes of modes"),
            _ => Some("impacts and changes of modes"),
        };
        let impacts = jumps.map(|jumps| (jumps, self.impacts));
        let changed = (self.changed != 0.0).then_some(("inputs in the potential", self.changed));
        Balance {
            works: self
                .system
                .power_names()
                .iter()
                .copied()
                .zip(self.works.iter().copied())
                .chain(impacts)
                .chain(changed)
                .collect(),
            residual: change - work,
            largest: self.largest,
            scale: if self.scales.kinetic == 0.0 && self.works.iter().chain([&self.changed]).all(|work| *work == 0.0) {
                self.size
            } else {
                exchanged
            },
            rounding: ROUNDINGS * f64::EPSILON * self.size,
            violations: self.system.constraints().iter().copied().zip(self.violations.iter().copied()).collect(),
        }
    }

    /// The energy that powers, impacts and changing inputs added.
    fn added(&self) -> f64 {
        self.works.iter().sum::<f64>() + self.impacts + self.changed
    }

    /// Books the energy that was added between the end of the last step and the start of the next one.
    fn jump(&mut self, start: &State<f64, N>) {
        let has_impacts = self.system.gap_count() + self.system.mode_count() != 0;
        if !has_impacts && self.driven.is_none() {
            return;
        }
        let after = self.system.energies_of(start).energy;
        // An impact, or a change of a mode, comes before the sample of a law.
        let between = match self.driven {
            Some(driven) if has_impacts => driven.energy(start, &self.inputs),
            Some(_) => self.end,
            None => after,
        };
        self.impacts += between - self.end;
        self.changed += after - between;
    }

    fn see(&mut self, state: &State<f64, N>) {
        let energies = self.system.energies_of(state);
        self.end = energies.energy;
        if let Some(driven) = self.driven {
            self.inputs = driven.inputs(state);
        }
        self.scales.see(self.system, state);
        let parts = [Some(energies.energy), energies.kinetic, energies.potential];
        self.size = parts.into_iter().flatten().fold(self.size, |most, part| most.max(part.abs()));
        self.v = self.v.zip_map(&state.v, |most, value| most.max(value.abs()));
        self.violations = self.violations.zip_map(&violations(self.system, state), |most, now| most.max(now.abs()));
    }
}

/// The end and the length of steps, of which at most [`Steps::MOST`] are kept.
#[derive(Clone, Debug)]
pub(super) struct Steps {
    pub(super) kept: Vec<[f64; 2]>,
    /// The distance between two steps that are kept: 1 if all are.
    stride: u64,
    count: u64,
}

impl Default for Steps {
    fn default() -> Self {
        Self { kept: Vec::new(), stride: 1, count: 0 }
    }
}

impl Steps {
    /// The largest number of steps that are kept.
    const MOST: usize = 4096;

    fn add(&mut self, step: [f64; 2]) {
        if self.count.is_multiple_of(self.stride) {
            if self.kept.len() == Self::MOST {
                let mut index = 0;
                self.kept.retain(|_| {
                    index += 1;
                    index % 2 == 1
                });
                self.stride *= 2;
            }
            if self.count.is_multiple_of(self.stride) {
                self.kept.push(step);
            }
        }
        self.count += 1;
    }
}

/// g of each holonomic constraint, and G v + b of each nonholonomic one.
pub(super) fn violations<const N: usize, const C: usize>(
    system: &dyn System<f64, N, C, 0>,
    State { t, q, v }: &State<f64, N>,
) -> SVector<f64, C> {
    if C == 0 {
        return SVector::repeat(0.0);
    }
    let at = system.constraint(*t, q);
    let rate = system.constraint_hidden(*t, q, v, &SVector::repeat(0.0)).rate;
    SVector::from_fn(|row, _| if row < system.holonomic_count() { at.value[row] } else { rate[row] })
}

impl<const N: usize, const C: usize> Observer<f64, N> for Ledger<'_, '_, N, C> {
    fn start(&mut self, initial: &State<f64, N>) -> ControlFlow<()> {
        self.see(initial);
        self.start = self.end;
        ControlFlow::Continue(())
    }

    fn wants(&self, _: u64, _: f64, _: f64) -> Wants {
        if self.works.is_empty() && self.driven.is_none() { Wants::States } else { Wants::Interpolation }
    }

    fn observe(&mut self, step: &StepView<f64, N>) -> ControlFlow<()> {
        self.jump(&step.start);
        if let (Some(interpolant), Some(driven)) = (&step.interpolant, self.driven) {
            self.changed += driven.work(interpolant);
        }
        if let Some(interpolant) = step.interpolant.as_ref().filter(|_| !self.works.is_empty()) {
            add_works(self.system, interpolant, |_, _, _| SVector::zeros(), &mut self.powers, &mut self.works);
        }
        self.steps.add([step.end.t, step.length().abs()]);
        self.see(&step.end);
        let missing = (self.end - self.start - self.added()).abs();
        // NaN stays: it is no balance.
        self.largest = if missing.is_nan() { missing } else { self.largest.max(missing) };
        ControlFlow::Continue(())
    }
}
