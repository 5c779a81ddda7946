//! The balance of a motion's energy, and the drift of a constant of the motion.

use super::AnalysisError;
use crate::contact;
use crate::dense::Interpolant;
use crate::solution::Solution;
use crate::state::State;
use crate::system::System;
use nalgebra::SVector;
use std::string::ToString;
use std::vec;
use std::vec::Vec;

/// Gauss's quadrature of degree 9 on [−1, 1]: nodes and weights (M. Abramowitz, I. Stegun, *Handbook of Mathematical Functions*, 25.4.29).
const QUADRATURE: [(f64, f64); 5] = [
    (-0.906_179_845_938_664, 0.236_926_885_056_189_1),
    (-0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
    (0.0, 0.568_888_888_888_888_9),
    (0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
    (0.906_179_845_938_664, 0.236_926_885_056_189_1),
];

/// The balance of energy over a motion.
#[derive(Clone, Debug, PartialEq)]
pub struct PowerAudit {
    /// The work of each power, by name, in the unit of energy. It is positive where the power added to h.
    pub works: Vec<(&'static str, f64)>,
    /// The energy that impacts at contacts, changes of modes and events with a map of the state added.
    pub impacts: f64,
    /// The energy that changes of the potential's inputs added: ∫ ∂h/∂u·u̇ dt, and the jumps of h where inputs jump.
    pub inputs: f64,
    /// h at the end minus h at the start.
    pub change: f64,
    /// `change` minus all works, `impacts` and `inputs`. It contains the errors of the method and of the quadratures.
    pub residual: f64,
}

/// The work of each power over `solution`, which must have dense output. `inputs` gives the u(t, q, v) of the motion: the controller itself,
/// or [`Solution::held_inputs`] where it holds them between samples.
///
/// ```text
/// h(end) − h(start) = Σ ∫ P_k dt + impacts + inputs + residual,    Σ P_k = Q·v − v·∂D/∂v − ∂L/∂t − λ·drift.
/// ```
///
/// Each step's interpolant is integrated by Gauss's quadrature of degree 9, and the work of inputs by [`input_work`]. The residual shows how
/// well the numbers meet the equations' balance; it decreases with the step size.
///
/// # Errors
/// [`AnalysisError::NotApplicable`] for a solution without dense output. [`AnalysisError::NotFinite`] names the power that has
/// no finite value.
///
/// ```
/// use lagrange_runtime::analysis::power_audit;
/// use lagrange_runtime::prelude::*;
///
/// #[lagrangian {
///     coordinates x;
///     kinetic = m*dot(x)^2/2;
///     dissipation = c*dot(x)^2/2;
/// }]
/// struct Slider {
///     m: f64,
///     c: f64,
/// }
///
/// let system = Slider { m: 2.0, c: 1.0 }.prepare::<f64>()?;
/// let options = Options { dense_output: true, ..Options::default() };
/// let solution = solve(&system, State::new(0.0, [0.0], [3.0]), 1.0, &Dop853::new(), &options)?;
/// let audit = power_audit(&system, &solution, |_, _, _| SVector::from([]))?;
/// let (name, work) = audit.works[0];
/// assert_eq!(name, "dissipation");
/// assert!((work + 9.0 * (1.0 - (-1.0_f64).exp())).abs() < 1e-6); // of m v²/2 = 9, exp(−c t/m)² is left
/// assert!(audit.residual.abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn power_audit<const N: usize, const C: usize, const U: usize>(
    system: &(impl System<f64, N, C, U> + ?Sized),
    solution: &Solution<f64, N, U>,
    mut inputs: impl FnMut(f64, &SVector<f64, N>, &SVector<f64, N>) -> SVector<f64, U>,
) -> Result<PowerAudit, AnalysisError> {
    let Some(segments) = &solution.dense else {
        return Err(AnalysisError::NotApplicable {
            analysis: "a power audit",
            needs: "a solution with dense output; set `dense_output` of the options".to_string(),
        });
    };
    let names = system.power_names();
    let (mut works, mut powers) = (vec![0.0; names.len()], vec![0.0; names.len()]);
    for segment in segments {
        add_works(system, segment, &mut inputs, &mut powers, &mut works);
    }
    let mut energy = |state: &State<f64, N>, beside: f64| {
        let State { t, q, v } = state;
        // Where inputs jump, the value on the side of `beside` counts.
        let within = if beside > *t { t.next_up() } else { t.next_down() };
        let u = inputs(within, q, v);
        (system.energies(*t, q, v, &u).energy, u)
    };
    let [mut impacts, mut jumps, mut change] = [0.0; 3];
    let ends: Vec<_> = segments
        .iter()
        .map(|segment| [energy(segment.start(), segment.end().t), energy(segment.end(), segment.start().t)])
        .collect();
    for (pair, energies) in segments.windows(2).zip(ends.windows(2)) {
        let State { t, q, v } = pair[1].start();
        let ((before, u), (after, _)) = (energies[0][1], energies[1][0]);
        let between = system.energies(*t, q, v, &u).energy;
        impacts += between - before;
        jumps += after - between;
    }
    if let (Some([(start, _), _]), Some([_, (end, u)]), Some(last)) = (ends.first(), ends.last(), segments.last()) {
        // An event that ends the motion may map its last state, behind which there is no step.
        let mapped = solution.events.last().map(|event| event.after).filter(|after| after.t == last.end().t);
        let after = mapped.map_or(*end, |State { t, q, v }| system.energies(t, &q, &v, u).energy);
        impacts += after - end;
        change = after - start;
    }
    if let Some((name, _)) = names.iter().zip(&works).find(|(_, work)| !work.is_finite()) {
        return Err(AnalysisError::NotFinite { quantity: std::format!("the work of `{name}`") });
    }
    let inputs = jumps + segments.iter().map(|segment| input_work(system, segment, &mut inputs)).sum::<f64>();
    let residual = change - works.iter().sum::<f64>() - impacts - inputs;
    Ok(PowerAudit { works: names.iter().copied().zip(works).collect(), impacts, inputs, change, residual })
}

/// Adds the work of each power over one step to `works`, by Gauss's quadrature of degree 9 on the step's interpolant.
///
/// Use it for a running balance of energy, in an [`Observer`](crate::observer::Observer) that wants interpolation; for a stored
/// solution there is [`power_audit`]. `inputs` gives the u(t, q, v) of the motion. `powers` is memory for one evaluation. Both
/// slices have an element for each of the system's `power_names`, in that order; further elements are unchanged.
///
/// ```
/// use core::ops::ControlFlow;
/// use lagrange_runtime::analysis::add_works;
/// use lagrange_runtime::prelude::*;
///
/// #[lagrangian {
///     coordinates x;
///     kinetic = m*dot(x)^2/2;
///     dissipation = c*dot(x)^2/2;
/// }]
/// struct Slider {
///     m: f64,
///     c: f64,
/// }
///
/// /// The work of the friction of a slider, J.
/// struct Work<'a, S>(&'a S, f64);
///
/// impl<S: System<f64, 1, 0, 0>> Observer<f64, 1> for Work<'_, S> {
///     fn wants(&self, _: u64, _: f64, _: f64) -> Wants {
///         Wants::Interpolation
///     }
///
///     fn observe(&mut self, step: &StepView<f64, 1>) -> ControlFlow<()> {
///         if let Some(interpolant) = &step.interpolant {
///             let mut work = [0.0];
///             add_works(self.0, interpolant, |_, _, _| SVector::from([]), &mut [0.0], &mut work);
///             self.1 += work[0];
///         }
///         ControlFlow::Continue(())
///     }
/// }
///
/// let system = Slider { m: 2.0, c: 1.0 }.prepare::<f64>()?;
/// let (mut state, mut work) = (State::new(0.0, [0.0], [3.0]), Work(&system, 0.0));
/// let (method, options) = (Dop853::new(), Options::default());
/// integrate(&system, &mut state, 1.0, &method, &options, &mut DefaultInputs::of(&system), &mut work)?;
/// assert!((work.1 + 9.0 * (1.0 - (-1.0_f64).exp())).abs() < 1e-6); // of m v²/2 = 9, exp(−c t/m)² is left
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn add_works<const N: usize, const C: usize, const U: usize>(
    system: &(impl System<f64, N, C, U> + ?Sized),
    step: &Interpolant<f64, N>,
    mut inputs: impl FnMut(f64, &SVector<f64, N>, &SVector<f64, N>) -> SVector<f64, U>,
    powers: &mut [f64],
    works: &mut [f64],
) {
    let (start, end) = (step.start().t, step.end().t);
    let (middle, half) = (0.5 * (start + end), 0.5 * (end - start));
    for (node, weight) in QUADRATURE {
        let t = middle + half * node;
        let State { t, q, v } = contact::sample(system, step, t, &mut inputs).unwrap_or_else(|_| step.sample(t));
        system.powers(t, &q, &v, &inputs(t, &q, &v), powers);
        for (work, power) in works.iter_mut().zip(powers.iter()) {
            *work += half * weight * power;
        }
    }
}

/// The work over one step of inputs that change while they stand in the potential, ∫ ∂h/∂u·u̇ dt.
///
/// The energies of a mechanism are functions of its inputs too, so that dh/dt has this term besides the powers of the balance. It is 0 where
/// inputs are constant or do not stand in the potential. `inputs` gives the u(t, q, v) of the motion. No derivative is needed: each part of the
/// step adds h at its middle with the inputs at its end minus h there with the inputs at its start. The error of that sum has even
/// powers of the length of the parts alone, of which 1, 2, 4 and 8 parts eliminate three (Romberg). Jumps of inputs between steps are not
/// contained; [`power_audit`] adds them.
///
/// ```
/// use lagrange_runtime::analysis::power_audit;
/// use lagrange_runtime::prelude::*;
///
/// // A mass on a spring whose other end, u, is moved.
/// #[lagrangian {
///     coordinates x;
///     kinetic = dot(x)^2/2;
///     potential = (x - u)^2/2;
/// }]
/// struct Pulled {
///     #[input]
///     u: f64,
/// }
///
/// let system = Pulled { u: 0.0 }.prepare::<f64>()?;
/// let options = Options { dense_output: true, ..Options::default() };
/// let mut hand = |t: f64, _: &SVector<f64, 1>, _: &SVector<f64, 1>| SVector::from([t]);
/// let solution = solve_with(&system, State::new(0.0, [0.0], [0.0]), 3.0, &Dop853::new(), &options, &mut hand)?;
/// let audit = power_audit(&system, &solution, hand)?;
/// assert!((audit.inputs - (1.0 - 3.0_f64.cos())).abs() < 1e-6); // x = t − sin t, ∫ (u − x) u̇ dt = 1 − cos t
/// assert!(audit.residual.abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn input_work<const N: usize, const C: usize, const U: usize>(
    system: &(impl System<f64, N, C, U> + ?Sized),
    step: &Interpolant<f64, N>,
    mut inputs: impl FnMut(f64, &SVector<f64, N>, &SVector<f64, N>) -> SVector<f64, U>,
) -> f64 {
    /// Twice the largest number of parts, so that the middles of the smallest parts are points too.
    const POINTS: usize = 16;
    if U == 0 {
        return 0.0;
    }
    let (start, end) = (step.start().t, step.end().t);
    let mut states = [*step.start(); POINTS + 1];
    let mut known = [SVector::<f64, U>::zeros(); POINTS + 1];
    for (index, (state, u)) in states.iter_mut().zip(&mut known).enumerate() {
        // Inputs may jump at the ends of the step, whose values on the step's side count.
        let t = match index {
            0 if start < end => start.next_up(),
            0 => start.next_down(),
            POINTS if start < end => end.next_down(),
            POINTS => end.next_up(),
            _ => start + (end - start) * (index as f64 / POINTS as f64),
        };
        *state = step.sample(t);
        *u = inputs(t, &state.q, &state.v);
    }
    if known.iter().all(|u| u == &known[0]) {
        return 0.0;
    }
    let energy = |State { t, q, v }: &State<f64, N>, u| system.energies(*t, q, v, u).energy;
    let mut sums = [8, 4, 2, 1].map(|parts| {
        let half = POINTS / (2 * parts);
        let part = |middle: usize| {
            energy(&states[middle], &known[middle + half]) - energy(&states[middle], &known[middle - half])
        };
        (0..parts).map(|index| part((2 * index + 1) * half)).sum::<f64>()
    });
    for (order, power) in [4.0, 16.0, 64.0].into_iter().enumerate() {
        for index in 0..3 - order {
            sums[index] += (sums[index] - sums[index + 1]) / (power - 1.0);
        }
    }
    sums[0]
}

/// The drift along a motion of a quantity that should be constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drift {
    /// The quantity's value at the start.
    pub start: f64,
    /// The largest deviation from the value at the start, with its sign.
    pub deviation: f64,
    /// The slope of the straight line of least squares, in the quantity's unit over that of t. The energy of a symplectic
    /// method oscillates with a slope near 0; that of other methods drifts.
    pub slope: f64,
    /// The root mean square of the deviation from that line.
    pub oscillation: f64,
}

impl Drift {
    /// The drift of `quantity` over the stored states; `None` where there are fewer than two times.
    ///
    /// ```
    /// use lagrange_runtime::analysis::Drift;
    /// use lagrange_runtime::prelude::*;
    ///
    /// #[lagrangian {
    ///     coordinates x;
    ///     kinetic = m*dot(x)^2/2;
    ///     potential = k*x^2/2;
    /// }]
    /// struct Oscillator {
    ///     m: f64,
    ///     k: f64,
    /// }
    ///
    /// let system = Oscillator { m: 1.0, k: 1.0 }.prepare::<f64>()?;
    /// let start = State::new(0.0, [1.0], [0.0]);
    /// let run = |method: &Gauss<f64, 1>| solve(&system, start, 100.0, method, &Options::default());
    /// let drift = Drift::of(&run(&Gauss::new(0.1))?, |state| system.energies_of(state).energy).unwrap();
    /// assert!(drift.start == 0.5 && drift.slope.abs() < 1e-15); // quadratic invariants are kept
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of<const N: usize, const U: usize>(
        solution: &Solution<f64, N, U>,
        mut quantity: impl FnMut(&State<f64, N>) -> f64,
    ) -> Option<Self> {
        let points: Vec<[f64; 2]> = solution.states().map(|state| [state.t, quantity(&state)]).collect();
        let &[_, start] = points.first()?;
        let count = points.len() as f64;
        let mean = |of: &dyn Fn(&[f64; 2]) -> f64| points.iter().map(of).sum::<f64>() / count;
        let time = mean(&|point| point[0]);
        let value = mean(&|point| point[1] - start);
        let spread = mean(&|point| (point[0] - time).powi(2));
        if spread == 0.0 {
            return None;
        }
        let slope = mean(&|point| (point[0] - time) * (point[1] - start - value)) / spread;
        let oscillation = mean(&|point| (point[1] - start - value - slope * (point[0] - time)).powi(2)).sqrt();
        let largest = |most: f64, point: &[f64; 2]| {
            let deviation = point[1] - start;
            if deviation.abs() > most.abs() { deviation } else { most }
        };
        Some(Self { start, deviation: points.iter().fold(0.0, largest), slope, oscillation })
    }
}
