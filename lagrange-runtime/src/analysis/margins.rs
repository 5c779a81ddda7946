//! Margins of feedback loops.

use super::AnalysisError;
use super::state_space::{SampledSpace, StateSpace};
use super::system_norms::{between, cuts};
use super::zeros::invariant_zeros;
use core::f64::consts::TAU;
use nalgebra::{Complex, DMatrix};
use std::vec::Vec;

/// The number of halvings of an interval of frequencies. The last interval has the size of the rounding.
const HALVINGS: usize = 100;
/// A function that changes its sign by more than this at once has a jump there, and no zero.
const JUMP: f64 = 1e-3;

/// A frequency at which the loop's response is real and negative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GainMargin {
    /// The factor of the loop's gain that brings an eigenvalue of the closed loop to iω: 1/|L|.
    pub factor: f64,
    /// The frequency in rad/(unit of time). It may be 0 or, for a loop with feedthrough, infinite.
    pub omega: f64,
}

/// A frequency at which the loop's response has the magnitude 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PhaseMargin {
    /// The angle in rad, from −π to π, by which the loop may lag more until an eigenvalue of the closed loop is iω: π + arg L.
    pub angle: f64,
    /// The frequency in rad/(unit of time).
    pub omega: f64,
    /// The delay of the loop that brings an eigenvalue of the closed loop to iω, in units of time. It is not negative.
    pub delay: f64,
}

/// The margins of a loop L under negative feedback, 1 + L = 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Margins {
    /// The frequencies at which L is real and negative, in order.
    pub gain: Vec<GainMargin>,
    /// The frequencies at which |L| = 1, in order.
    pub phase: Vec<PhaseMargin>,
    /// The least distance |1 + L| from the critical point over all frequencies, which is the reciprocal of the largest
    /// sensitivity. It is 0 where the closed loop has an eigenvalue on the axis.
    pub modulus: f64,
    /// Whether the closed loop is stable. If it is not, the margins say how far the loop is from becoming stable or less stable.
    pub is_stable: bool,
}

impl Margins {
    /// The least factor above 1 that brings the closed loop to its limit of stability. `None` if there is none.
    #[must_use]
    pub fn gain_up(&self) -> Option<GainMargin> {
        let above = self.gain.iter().filter(|margin| margin.factor > 1.0);
        above.min_by(|a, b| a.factor.total_cmp(&b.factor)).copied()
    }

    /// The largest factor below 1 that brings the closed loop to its limit of stability. `None` if there is none.
    #[must_use]
    pub fn gain_down(&self) -> Option<GainMargin> {
        let below = self.gain.iter().filter(|margin| margin.factor < 1.0);
        below.max_by(|a, b| a.factor.total_cmp(&b.factor)).copied()
    }

    /// The phase margin of least size. `None` if |L| is nowhere 1.
    #[must_use]
    pub fn least_phase(&self) -> Option<PhaseMargin> {
        self.phase.iter().min_by(|a, b| a.angle.abs().total_cmp(&b.angle.abs())).copied()
    }

    /// The least delay that brings the closed loop to its limit of stability. `None` if |L| is nowhere 1.
    #[must_use]
    pub fn least_delay(&self) -> Option<PhaseMargin> {
        self.phase.iter().min_by(|a, b| a.delay.total_cmp(&b.delay)).copied()
    }
}

impl StateSpace {
    /// The gain, phase and delay margins of the loop L = C (s − A)⁻¹ B + D of one input and one output, closed by u = −y.
    ///
    /// The frequencies of |L| = 1 are imaginary zeros of 1 − L(−s) L(s), and those of real L are imaginary zeros of L(s) −
    /// L(−s). The signs of
    /// |L| − 1 and of Im L between two candidates say whether there is a crossing. So no crossing is lost between the points of a grid,
    /// and no tolerance decides what lies on the axis. A crossing counts where the sign changes: a curve that only touches does
    /// not. A loop that is real at all frequencies has no gain margin except at 0 and ∞. Source: K. J. Åström, R. M. Murray,
    /// *Feedback Systems*, 2nd ed., 10.3.
    ///
    /// # Errors
    /// [`AnalysisError::Shape`] unless there is one input and one output. [`AnalysisError::NotFinite`],
    /// [`AnalysisError::NotConverged`].
    ///
    /// ```
    /// use lagrange_runtime::analysis::StateSpace;
    /// use lagrange_runtime::nalgebra::DMatrix;
    ///
    /// // L = 4/(s + 1)³ is −1/2 at √3, and has the magnitude 1 at √(4^(2/3) − 1).
    /// let a = DMatrix::from_row_slice(3, 3, &[-1.0, 0.0, 0.0, 1.0, -1.0, 0.0, 0.0, 1.0, -1.0]);
    /// let (b, c) = (DMatrix::from_column_slice(3, 1, &[4.0, 0.0, 0.0]), DMatrix::from_row_slice(1, 3, &[0.0, 0.0, 1.0]));
    /// let margins = StateSpace::new(a, b)?.with_outputs(c, DMatrix::zeros(1, 1))?.margins()?;
    /// let gain = margins.gain_up().unwrap();
    /// assert!((gain.factor - 2.0).abs() < 1e-12 && (gain.omega - 3.0_f64.sqrt()).abs() < 1e-12);
    /// let phase = margins.least_phase().unwrap();
    /// assert!((phase.omega - (16.0_f64.cbrt() - 1.0).sqrt()).abs() < 1e-12);
    /// assert!((phase.angle.to_degrees() - 27.14).abs() < 0.01 && margins.is_stable);
    /// # Ok::<(), lagrange_runtime::analysis::AnalysisError>(())
    /// ```
    pub fn margins(&self) -> Result<Margins, AnalysisError> {
        self.check()?;
        single(&self.b, &self.c)?;
        let closed = self.sensitivity()?;
        let is_stable = match &closed {
            Some(closed) => closed.poles()?.iter().all(|pole| pole.re < 0.0),
            None => false,
        };
        margins(self, closed.as_ref(), is_stable, |omega| omega)
    }

    /// 1/(1 + L). `None` for D = −1, with which the loop has no solution.
    fn sensitivity(&self) -> Result<Option<Self>, AnalysisError> {
        let difference = 1.0 + self.d[(0, 0)];
        if difference.abs() <= f64::EPSILON {
            return Ok(None);
        }
        let b = &self.b / difference;
        let closed = Self {
            a: &self.a - &b * &self.c,
            c: -(&self.c / difference),
            d: DMatrix::from_element(1, 1, 1.0 / difference),
            b,
        };
        closed.check()?;
        Ok(Some(closed))
    }
}

impl SampledSpace {
    /// The gain, phase and delay margins of the loop of one input and one output, closed by u = −y: as [`StateSpace::margins`],
    /// with frequencies up to π/`period`.
    ///
    /// # Errors
    /// Those of [`StateSpace::margins`], and [`AnalysisError::NotApplicable`] for a loop with a pole at z = −1.
    pub fn margins(&self) -> Result<Margins, AnalysisError> {
        self.check()?;
        single(&self.b, &self.c)?;
        let space = self.bilinear()?;
        let closed = space.sensitivity()?;
        // The bilinear map keeps which eigenvalues are inside.
        let is_stable = match &closed {
            Some(closed) => closed.poles()?.iter().all(|pole| pole.re < 0.0),
            None => false,
        };
        margins(&space, closed.as_ref(), is_stable, |omega| 2.0 * omega.atan() / self.period)
    }
}

fn single(b: &DMatrix<f64>, c: &DMatrix<f64>) -> Result<(), AnalysisError> {
    match (c.nrows(), b.ncols()) {
        (1, 1) => Ok(()),
        found => Err(AnalysisError::shape("the loop (outputs × inputs; take one by `channel`)", (1, 1), found)),
    }
}

/// The margins of a loop, whose frequencies are shown by `shown`.
fn margins(
    space: &StateSpace,
    closed: Option<&StateSpace>,
    is_stable: bool,
    shown: impl Fn(f64) -> f64,
) -> Result<Margins, AnalysisError> {
    let at = |omega: f64| Ok::<_, AnalysisError>(space.response(omega)?[(0, 0)]);
    let poles = space.poles()?;
    let cut = |zeros: Vec<Complex<f64>>| cuts(zeros.iter().chain(&poles).flat_map(|root| [root.im.abs(), root.norm()]));
    let mut gain = Vec::new();
    let mut real = |omega: f64, value: f64| {
        if value < 0.0 {
            gain.push(GainMargin { factor: -1.0 / value, omega: shown(omega) });
        }
    };
    if let Ok(value) = at(0.0) {
        real(0.0, value.re);
    }
    for omega in crossings(&cut(space.difference_zeros()?), |omega| Ok(sine(at(omega)?))) {
        real(omega, at(omega)?.re);
    }
    real(f64::INFINITY, space.d[(0, 0)]);
    let mut phase = Vec::new();
    for omega in crossings(&cut(space.unit_zeros()?), |omega| Ok(at(omega)?.norm().ln())) {
        let value = at(omega)?;
        let (angle, omega) = ((-value).arg(), shown(omega));
        phase.push(PhaseMargin { angle, omega, delay: angle.rem_euclid(TAU) / omega });
    }
    let modulus = match closed {
        Some(closed) if closed.poles()?.iter().all(|pole| pole.re != 0.0) => 1.0 / closed.peak()?.gain,
        _ => 0.0,
    };
    Ok(Margins { gain, phase, modulus, is_stable })
}

/// The sine of the phase.
fn sine(value: Complex<f64>) -> f64 {
    if value.norm() > 0.0 { value.im / value.norm() } else { 0.0 }
}

impl StateSpace {
    /// The zeros of 1 − L(−s) L(s).
    fn unit_zeros(&self) -> Result<Vec<Complex<f64>>, AnalysisError> {
        let Self { a, b, c, d } = self;
        let size = a.nrows();
        let mut joint = DMatrix::zeros(2 * size, 2 * size);
        joint.view_mut((0, 0), (size, size)).copy_from(a);
        joint.view_mut((size, 0), (size, size)).copy_from(&-(c.transpose() * c));
        joint.view_mut((size, size), (size, size)).copy_from(&-a.transpose());
        let mut input = DMatrix::zeros(2 * size, 1);
        input.view_mut((0, 0), (size, 1)).copy_from(b);
        input.view_mut((size, 0), (size, 1)).copy_from(&-(c.transpose() * d));
        let mut output = DMatrix::zeros(1, 2 * size);
        output.view_mut((0, 0), (1, size)).copy_from(&(d.transpose() * c));
        output.view_mut((0, size), (1, size)).copy_from(&b.transpose());
        let feedthrough = DMatrix::from_element(1, 1, d[(0, 0)] * d[(0, 0)] - 1.0);
        invariant_zeros([&joint, &input, &output, &feedthrough], true)
    }

    /// The zeros of L(s) − L(−s).
    fn difference_zeros(&self) -> Result<Vec<Complex<f64>>, AnalysisError> {
        let Self { a, b, c, .. } = self;
        let size = a.nrows();
        let mut joint = DMatrix::zeros(2 * size, 2 * size);
        joint.view_mut((0, 0), (size, size)).copy_from(a);
        joint.view_mut((size, size), (size, size)).copy_from(&-a);
        let input = DMatrix::from_fn(2 * size, 1, |i, _| b[(i % size.max(1), 0)]);
        let output = DMatrix::from_fn(1, 2 * size, |_, i| c[(0, i % size.max(1))]);
        invariant_zeros([&joint, &input, &output, &DMatrix::zeros(1, 1)], true)
    }
}

/// The frequencies at which a function changes its sign without a jump. Between two of the `cuts` it has no zero.
fn crossings(cuts: &[f64], function: impl Fn(f64) -> Result<f64, AnalysisError>) -> Vec<f64> {
    let mut found = Vec::new();
    let mut before: Option<(f64, f64)> = None;
    for omega in between(cuts) {
        // A response that is not defined, because a pole is as near as rounding, is as good as one in the next interval.
        let Ok(value) = function(omega) else { continue };
        if value == 0.0 {
            continue;
        }
        if let Some((low, at_low)) = before
            && (at_low < 0.0) != (value < 0.0)
        {
            found.extend(crossing([low, omega], [at_low, value], &function));
        }
        before = Some((omega, value));
    }
    found
}

/// The zero of a function in an interval at whose ends it has different signs. `None` where it jumps, as at a pole.
fn crossing(
    [mut low, mut high]: [f64; 2],
    [mut at_low, mut at_high]: [f64; 2],
    function: &impl Fn(f64) -> Result<f64, AnalysisError>,
) -> Option<f64> {
    for _ in 0..HALVINGS {
        let middle = low.sqrt() * high.sqrt();
        if middle <= low || middle >= high {
            break;
        }
        let Ok(value) = function(middle) else { return None };
        match (value < 0.0) == (at_low < 0.0) {
            true => (low, at_low) = (middle, value),
            false => (high, at_high) = (middle, value),
        }
    }
    let nearer = if at_low.abs() < at_high.abs() { low } else { high };
    ((at_low - at_high).abs() < JUMP).then_some(nearer)
}
