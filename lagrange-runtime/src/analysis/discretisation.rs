//! Sampled systems that approximate continuous ones, and systems with delays.

use super::AnalysisError;
use super::eigenvalues::eigenvalues_within;
use super::exponential::increment;
use super::matrix::solved;
use super::state_space::{SampledSpace, StateSpace};
use nalgebra::DMatrix;
use std::string::String;

/// The largest number of whole periods of a delay. Each adds a state for each input.
const MAX_DELAY: f64 = 1e4;

fn refused(analysis: &'static str, needs: String) -> AnalysisError {
    AnalysisError::NotApplicable { analysis, needs }
}

/// Checks a period.
fn period(analysis: &'static str, period: f64) -> Result<(), AnalysisError> {
    match period > 0.0 && period.is_finite() {
        true => Ok(()),
        false => Err(refused(analysis, std::format!("a positive and finite period; it is {period}"))),
    }
}

impl StateSpace {
    /// The system by Tustin's rule s = 2 (z − 1)/(h (z + 1)), the trapezoidal rule: with M = (1 − A h/2)⁻¹,
    ///
    /// ```text
    /// A_d = M (1 + A h/2),   B_d = M B h,   C_d = C M,   D_d = D + C M B h/2.
    /// ```
    ///
    /// Use it for a controller or filter that was designed in continuous time. A stable system stays stable. The frequency ω of
    /// the continuous system appears at 2 atan(ω h/2)/h. Source: G. F. Franklin, J. D. Powell, M. Workman, *Digital Control of
    /// Dynamic Systems*, 3rd ed., 6.1.
    ///
    /// # Errors
    /// [`AnalysisError::NotApplicable`] for a period that is not positive, and where 2/h is an eigenvalue of A.
    /// [`AnalysisError::Shape`], [`AnalysisError::NotFinite`].
    ///
    /// ```
    /// use lagrange_runtime::analysis::StateSpace;
    /// use lagrange_runtime::nalgebra::DMatrix;
    ///
    /// // 1/s becomes h (z + 1)/(2 (z − 1)).
    /// let one = DMatrix::<f64>::from_element(1, 1, 1.0);
    /// let integrator = StateSpace::new(&one * 0.0, one.clone())?.with_outputs(one.clone(), &one * 0.0)?;
    /// let rule = integrator.tustin(0.1)?.transfer_function(0, 0)?;
    /// assert!((rule.gain - 0.05).abs() < 1e-16 && (rule.zeros[0].re + 1.0).abs() < 1e-14 && rule.poles[0].re == 1.0);
    /// # Ok::<(), lagrange_runtime::analysis::AnalysisError>(())
    /// ```
    pub fn tustin(&self, period: f64) -> Result<SampledSpace, AnalysisError> {
        self.trapezoidal(period, 0.5 * period)
    }

    /// The system by Tustin's rule with the frequency `omega` in rad/(unit of time) at its own place: s = ω (z − 1)/(tan(ω h/2)
    /// (z + 1)), so that G(iω) is exact there (prewarping).
    ///
    /// # Errors
    /// Those of [`StateSpace::tustin`], and [`AnalysisError::NotApplicable`] for a frequency outside 0 to π/h.
    pub fn tustin_at(&self, period: f64, omega: f64) -> Result<SampledSpace, AnalysisError> {
        let angle = 0.5 * omega * period;
        if !(angle > 0.0 && angle < core::f64::consts::FRAC_PI_2) {
            let needs = std::format!("a frequency between 0 and π/period; it is {omega}");
            return Err(refused("Tustin's rule at a frequency", needs));
        }
        self.trapezoidal(period, angle.tan() / omega)
    }

    fn trapezoidal(&self, period: f64, half: f64) -> Result<SampledSpace, AnalysisError> {
        const RULE: &str = "Tustin's rule";
        self.check()?;
        self::period(RULE, period)?;
        let Self { a, b, c, d } = self;
        let size = a.nrows();
        let pole = || refused(RULE, std::format!("another period; {:e} is an eigenvalue of A", 1.0 / half));
        let identity = DMatrix::identity(size, size);
        let scaled = a * half;
        let terms = &identity + scaled.abs();
        if eigenvalues_within(&(&identity - &scaled), &terms)?.iter().any(|found| found.value.norm() <= found.error) {
            return Err(pole());
        }
        let resolvent = solved(&identity - &scaled, &identity).ok_or_else(pole)?;
        let by_b = &resolvent * b * half;
        // M (1 + A h/2) − 1 = M A h keeps the digits of slow modes.
        let a = identity + &resolvent * scaled * 2.0;
        let sampled = SampledSpace { a, d: d + c * &by_b, b: by_b * 2.0, c: c * resolvent, period };
        sampled.check()?;
        Ok(sampled)
    }

    /// The system under a first-order hold: the inputs are straight lines between samples, which are `period` apart.
    ///
    /// The states x(k) of the result are those of the motion, less Γ u(k). Inputs that are straight lines between samples have
    /// exact outputs. A computer cannot hold so, because the line needs the next sample; use it to simulate, or for filters.
    /// Source: G. F. Franklin, J. D. Powell, M. Workman, *Digital Control of Dynamic Systems*, 3rd ed., 6.3.2.
    ///
    /// # Errors
    /// Those of [`StateSpace::sampled`].
    ///
    /// ```
    /// use lagrange_runtime::analysis::StateSpace;
    /// use lagrange_runtime::nalgebra::DMatrix;
    ///
    /// // The integral of straight lines is the trapezoidal rule.
    /// let one = DMatrix::<f64>::from_element(1, 1, 1.0);
    /// let integrator = StateSpace::new(&one * 0.0, one.clone())?.with_outputs(one.clone(), &one * 0.0)?;
    /// let held = integrator.first_order_hold(0.1)?;
    /// assert!((held.b[(0, 0)] - 0.1).abs() < 1e-16 && (held.d[(0, 0)] - 0.05).abs() < 1e-16);
    /// # Ok::<(), lagrange_runtime::analysis::AnalysisError>(())
    /// ```
    pub fn first_order_hold(&self, period: f64) -> Result<SampledSpace, AnalysisError> {
        const HOLD: &str = "a first-order hold";
        self.check()?;
        self::period(HOLD, period)?;
        let (states, inputs) = self.b.shape();
        // ẋ = A x + B u, u̇ = w/period, ẇ = 0.
        let mut generator = DMatrix::zeros(states + 2 * inputs, states + 2 * inputs);
        generator.view_mut((0, 0), (states, states)).copy_from(&self.a);
        generator.view_mut((0, states), (states, inputs)).copy_from(&self.b);
        let slope = DMatrix::from_diagonal_element(inputs, inputs, 1.0 / period);
        generator.view_mut((states, states + inputs), (inputs, inputs)).copy_from(&slope);
        let flow = increment(&generator, period).ok_or_else(|| {
            refused(HOLD, std::format!("a shorter period; over {period:e} the fastest growing mode overflows"))
        })?;
        let change = flow.view((0, 0), (states, states)).into_owned();
        let constant = flow.view((0, states), (states, inputs)).into_owned();
        let ramp = flow.view((0, states + inputs), (states, inputs)).into_owned();
        // Γ_0 − Γ_1 + A_d Γ_1.
        let b = constant + &change * &ramp;
        let a = DMatrix::identity(states, states) + change;
        Ok(SampledSpace { a, b, c: self.c.clone(), d: &self.d + &self.c * ramp, period })
    }

    /// The system under a zero-order hold whose inputs act after `delay`, which may be any multiple of the period, as the time
    /// that a computer needs.
    ///
    /// With delay = (l − f) h, 0 ≤ f < 1, the states are x(k), u(k − 1), …, u(k − l), in this order:
    ///
    /// ```text
    /// x(k+1) = exp(A h) x(k) + exp(A f h) ∫₀^(1−f)h exp(A s) ds B u(k − l) + ∫₀^fh exp(A s) ds B u(k − l + 1).
    /// ```
    ///
    /// Source: K. J. Åström, B. Wittenmark, *Computer-Controlled Systems*, 3rd ed., 2.3.
    ///
    /// # Errors
    /// Those of [`StateSpace::sampled`], and [`AnalysisError::NotApplicable`] for a delay that is negative, not finite, or more
    /// than 10⁴ periods.
    ///
    /// ```
    /// use lagrange_runtime::analysis::StateSpace;
    /// use lagrange_runtime::nalgebra::DMatrix;
    ///
    /// // An integral whose input acts after a quarter of the period: x(k+1) = x(k) + (3 u(k) + u(k−1))/4.
    /// let one = DMatrix::<f64>::from_element(1, 1, 1.0);
    /// let late = StateSpace::new(&one * 0.0, one)?.sampled_with_delay(1.0, 0.25)?;
    /// assert_eq!((late.a[(0, 1)], late.b[(0, 0)], late.b[(1, 0)]), (0.25, 0.75, 1.0));
    /// # Ok::<(), lagrange_runtime::analysis::AnalysisError>(())
    /// ```
    pub fn sampled_with_delay(&self, period: f64, delay: f64) -> Result<SampledSpace, AnalysisError> {
        const DELAY: &str = "a delay";
        let held = self.sampled(period)?;
        let periods = delay / period;
        if !(0.0..=MAX_DELAY).contains(&periods) {
            let needs = std::format!("a delay of 0 to 10⁴ periods; it is {delay}, and the period {period}");
            return Err(refused(DELAY, needs));
        }
        let count = periods.ceil() as usize;
        if count == 0 {
            return Ok(held);
        }
        let (states, inputs) = self.b.shape();
        let rest = period * (count as f64 - periods);
        // The older input acts first, for the time period − rest, and the newer one for the rest.
        let older = self.sampled(period - rest)?.b;
        let (carried, newer) = match rest > 0.0 {
            true => {
                let after = self.sampled(rest)?;
                (&after.a * older, after.b)
            }
            false => (older, DMatrix::zeros(states, inputs)),
        };
        let size = states + count * inputs;
        let (mut a, mut b) = (DMatrix::zeros(size, size), DMatrix::zeros(size, inputs));
        let mut c = DMatrix::zeros(self.c.nrows(), size);
        let block = |index: usize| states + index * inputs;
        a.view_mut((0, 0), (states, states)).copy_from(&held.a);
        c.view_mut((0, 0), self.c.shape()).copy_from(&self.c);
        a.view_mut((0, block(count - 1)), (states, inputs)).copy_from(&carried);
        match count {
            1 => b.view_mut((0, 0), (states, inputs)).copy_from(&newer),
            _ => a.view_mut((0, block(count - 2)), (states, inputs)).copy_from(&newer),
        }
        let identity = DMatrix::identity(inputs, inputs);
        b.view_mut((states, 0), (inputs, inputs)).copy_from(&identity);
        for index in 1..count {
            a.view_mut((block(index), block(index - 1)), (inputs, inputs)).copy_from(&identity);
        }
        // At a sample, the input of the interval before the sample acts, unless the delay is a whole number of periods.
        c.view_mut((0, block(count - 1)), self.d.shape()).copy_from(&self.d);
        Ok(SampledSpace { a, b, c, d: DMatrix::zeros(self.d.nrows(), inputs), period })
    }
}

impl SampledSpace {
    /// The continuous system of the same response with z = (1 + w)/(1 − w). The unit circle becomes the imaginary axis, its
    /// inside the left.
    pub(crate) fn bilinear(&self) -> Result<StateSpace, AnalysisError> {
        const MAP: &str = "this analysis of a sampled system";
        self::period(MAP, self.period)?;
        let Self { a, b, c, d, .. } = self;
        let size = a.nrows();
        let pole = || refused(MAP, "a system without an eigenvalue of A at z = −1".into());
        let identity = DMatrix::identity(size, size);
        let shifted = a + &identity;
        if eigenvalues_within(&shifted, &(a.abs() + &identity))?.iter().any(|found| found.value.norm() <= found.error) {
            return Err(pole());
        }
        let resolvent = solved(shifted, &identity).ok_or_else(pole)?;
        let by_b = &resolvent * b;
        let root = 2.0_f64.sqrt();
        let space =
            StateSpace { a: &resolvent * (a - identity), d: d - c * &by_b, b: by_b * root, c: c * resolvent * root };
        space.check()?;
        Ok(space)
    }
}
