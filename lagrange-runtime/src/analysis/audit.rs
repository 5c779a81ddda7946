//! The balance of a motion's energy, and the drift of a constant of the motion.

use super::AnalysisError;
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
    /// h at the end minus h at the start.
    pub change: f64,
    /// `change` minus all works and `impacts`. It contains the errors of the method and of the quadrature, and jumps of a
    /// potential's inputs.
    pub residual: f64,
}

/// The work of each power over `solution`, which must have dense output. `inputs` gives the u(t, q, v) of the motion: the controller itself,
/// or [`Solution::held_inputs`] where it holds them between samples.
///
/// ```text
/// h(end) − h(start) = Σ ∫ P_k dt + impacts + residual,    dh/dt = Σ P_k = Q·v − v·∂D/∂v − ∂L/∂t − λ·drift.
/// ```
///
/// Each step's interpolant is integrated by Gauss's quadrature of degree 9. The residual shows how well the numbers meet the
/// equations' balance; it decreases with the step size.
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
    let mut energy = |state: &State<f64, N>| {
        let State { t, q, v } = state;
        system.energies(*t, q, v, &inputs(*t, q, v)).energy
    };
    // Impacts at contacts and changes of modes are no events. They are the jumps between the steps, which contain those of maps too.
    let impacts = match system.gap_count() + system.mode_count() {
        0 => solution.events.iter().map(|event| energy(&event.after) - energy(&event.before)).sum(),
        _ => segments.windows(2).map(|pair| energy(pair[1].start()) - energy(pair[0].end())).sum(),
    };
    let ends = (segments.first().map(Interpolant::start), segments.last().map(Interpolant::end));
    let change = match ends {
        (Some(start), Some(end)) => energy(end) - energy(start),
        _ => 0.0,
    };
    if let Some((name, _)) = names.iter().zip(&works).find(|(_, work)| !work.is_finite()) {
        return Err(AnalysisError::NotFinite { quantity: std::format!("the work of `{name}`") });
    }
    let residual = change - works.iter().sum::<f64>() - impacts;
    Ok(PowerAudit { works: names.iter().copied().zip(works).collect(), impacts, change, residual })
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
        let State { t, q, v } = step.sample(middle + half * node);
        system.powers(t, &q, &v, &inputs(t, &q, &v), powers);
        for (work, power) in works.iter_mut().zip(powers.iter()) {
            *work += half * weight * power;
        }
    }
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
