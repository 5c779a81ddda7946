//! Systems by their zeros and poles, and the matched sampling of zeros and poles.

use super::AnalysisError;
use super::state_space::{SampledSpace, StateSpace};
use super::transfer_function::TransferFunction;
use nalgebra::{Complex, DMatrix};
use std::string::ToString;
use std::vec::Vec;

impl TransferFunction {
    /// A system in continuous time with this transfer function in s.
    ///
    /// It is a chain of parts with one or two poles, each with the zeros that are nearest to its poles, so that the states do
    /// not cancel. The numbers of a companion matrix, which are coefficients of polynomials, would lose digits.
    ///
    /// # Errors
    /// [`AnalysisError::NotApplicable`] for more zeros than poles, and for complex ones without their conjugates.
    /// [`AnalysisError::NotFinite`].
    ///
    /// ```
    /// use lagrange_runtime::analysis::TransferFunction;
    /// use lagrange_runtime::nalgebra::Complex;
    ///
    /// let pole = |re: f64, im: f64| Complex::new(re, im);
    /// let poles = vec![pole(-1.0, 2.0), pole(-1.0, -2.0), pole(-3.0, 0.0)];
    /// let function = TransferFunction { zeros: vec![pole(-2.0, 0.0)], poles, gain: 7.0 };
    /// let space = function.realised()?;
    /// let (here, there) = (space.response(1.5)?[(0, 0)], function.at(pole(0.0, 1.5)));
    /// assert!((here - there).norm() < 1e-15 * 10.0);
    /// # Ok::<(), lagrange_runtime::analysis::AnalysisError>(())
    /// ```
    pub fn realised(&self) -> Result<StateSpace, AnalysisError> {
        let refused =
            |needs: &str| AnalysisError::NotApplicable { analysis: "a realisation", needs: needs.to_string() };
        let finite = |roots: &[Complex<f64>]| roots.iter().all(|root| root.re.is_finite() && root.im.is_finite());
        if !(finite(&self.zeros) && finite(&self.poles) && self.gain.is_finite()) {
            return Err(AnalysisError::NotFinite { quantity: "a zero, a pole or the gain".to_string() });
        }
        if self.zeros.len() > self.poles.len() {
            return Err(refused("at least as many poles as zeros"));
        }
        let conjugates = "complex zeros and poles in conjugate pairs";
        let zeros = factors(&self.zeros).ok_or_else(|| refused(conjugates))?;
        let poles = factors(&self.poles).ok_or_else(|| refused(conjugates))?;
        let sizes = self.poles.iter().chain(&self.zeros).map(|root| root.norm());
        // The unit of the states' rates.
        let rate = match sizes.fold(0.0, f64::max) {
            0.0 => 1.0,
            largest => 2.0_f64.powi(largest.log2().round() as i32),
        };
        let (mut space, mut gain) = (constant(1.0), self.gain);
        for part in parts(poles, zeros) {
            space = space.followed_by(&part.section(rate));
            gain /= rate.powi(part.size() as i32 - total(&part.zeros) as i32);
        }
        space.c *= gain;
        space.d *= gain;
        space.check()?;
        Ok(space)
    }
}

impl StateSpace {
    /// The sampled system of one input and one output whose zeros and poles are exp(h · those of the continuous one) (matched
    /// zeros and poles).
    ///
    /// All zeros at infinity but one come to z = −1. |G| is right at ω = 0 or, where there is a pole or a zero at 0, at the
    /// frequency `omega` in rad/(unit of time). Source: G. F. Franklin, J. D. Powell, M. Workman, *Digital Control of Dynamic
    /// Systems*, 3rd ed., 6.2.
    ///
    /// # Errors
    /// [`AnalysisError::NotApplicable`] for a period that is not positive, and where neither ω = 0 nor `omega` serves. Those of
    /// [`StateSpace::transfer_function`]. [`AnalysisError::Shape`] unless there is one input and one output.
    ///
    /// ```
    /// use lagrange_runtime::analysis::StateSpace;
    /// use lagrange_runtime::nalgebra::DMatrix;
    ///
    /// // 1/(s + 2) becomes (1 − p)/(2 (z − p)), p = exp(−2h).
    /// let one = DMatrix::<f64>::from_element(1, 1, 1.0);
    /// let low_pass = StateSpace::new(&one * -2.0, one.clone())?.with_outputs(one.clone(), &one * 0.0)?;
    /// let matched = low_pass.matched(0.1, 1.0)?.transfer_function(0, 0)?;
    /// assert!(matched.zeros.is_empty() && (matched.poles[0].re - (-0.2_f64).exp()).abs() < 1e-15);
    /// assert!((matched.gain - (1.0 - (-0.2_f64).exp()) / 2.0).abs() < 1e-15);
    /// # Ok::<(), lagrange_runtime::analysis::AnalysisError>(())
    /// ```
    pub fn matched(&self, period: f64, omega: f64) -> Result<SampledSpace, AnalysisError> {
        let refused = |needs| AnalysisError::NotApplicable { analysis: "matched sampling", needs };
        self.check()?;
        if (self.c.nrows(), self.b.ncols()) != (1, 1) {
            return Err(AnalysisError::shape("a system (outputs × inputs)", (1, 1), (self.c.nrows(), self.b.ncols())));
        }
        if !(period > 0.0 && period.is_finite()) {
            return Err(refused(std::format!("a positive and finite period; it is {period}")));
        }
        let continuous = self.transfer_function(0, 0)?;
        let map = |roots: &[Complex<f64>]| roots.iter().map(|root| (root * period).exp()).collect::<Vec<_>>();
        let at_infinity = continuous.poles.len().saturating_sub(continuous.zeros.len());
        let mut zeros = map(&continuous.zeros);
        zeros.extend(core::iter::repeat_n(Complex::new(-1.0, 0.0), at_infinity.saturating_sub(1)));
        let mut found = TransferFunction { zeros, poles: map(&continuous.poles), gain: 1.0 };
        let serves = |value: Complex<f64>| value.norm() > 0.0 && value.norm().is_finite();
        found.gain = match continuous.gain {
            0.0 => 0.0,
            gain => [0.0, omega]
                .into_iter()
                .find_map(|omega| {
                    let wanted = continuous.at(Complex::new(0.0, omega));
                    let has = found.at(Complex::from_polar(1.0, omega * period));
                    (serves(wanted) && serves(has)).then(|| gain.signum() * wanted.norm() / has.norm())
                })
                .ok_or_else(|| {
                    refused(std::format!("a frequency at which G is neither 0 nor infinite; it is {omega}"))
                })?,
        };
        let StateSpace { a, b, c, d } = found.realised()?;
        Ok(SampledSpace { a, b, c, d, period })
    }

    /// The chain of two systems: the outputs of this one are the inputs of `next`. The states are those of both, in this order.
    fn followed_by(&self, next: &Self) -> Self {
        let (first, second) = (self.a.nrows(), next.a.nrows());
        let mut a = DMatrix::zeros(first + second, first + second);
        a.view_mut((0, 0), (first, first)).copy_from(&self.a);
        a.view_mut((first, 0), (second, first)).copy_from(&(&next.b * &self.c));
        a.view_mut((first, first), (second, second)).copy_from(&next.a);
        let mut b = DMatrix::zeros(first + second, self.b.ncols());
        b.view_mut((0, 0), self.b.shape()).copy_from(&self.b);
        b.view_mut((first, 0), (second, self.b.ncols())).copy_from(&(&next.b * &self.d));
        let mut c = DMatrix::zeros(next.c.nrows(), first + second);
        c.view_mut((0, 0), (next.c.nrows(), first)).copy_from(&(&next.d * &self.c));
        c.view_mut((0, first), next.c.shape()).copy_from(&next.c);
        Self { a, b, c, d: &next.d * &self.d }
    }
}

fn constant(value: f64) -> StateSpace {
    let one = DMatrix::from_element(1, 1, value);
    StateSpace { a: DMatrix::zeros(0, 0), b: DMatrix::zeros(0, 1), c: DMatrix::zeros(1, 0), d: one }
}

/// A real root, or a complex one of positive imaginary part that stands for its pair.
type Factor = Complex<f64>;

fn order(factor: &Factor) -> usize {
    if factor.im == 0.0 { 1 } else { 2 }
}

/// The roots of each real factor. `None` for a complex root without its conjugate.
fn factors(roots: &[Complex<f64>]) -> Option<Vec<Factor>> {
    let mut below: Vec<Complex<f64>> = roots.iter().copied().filter(|root| root.im < 0.0).collect();
    let mut factors = Vec::new();
    for root in roots.iter().filter(|root| root.im >= 0.0) {
        if root.im > 0.0 {
            let place = below.iter().position(|other| *other == root.conj())?;
            below.swap_remove(place);
        }
        factors.push(*root);
    }
    below.is_empty().then_some(factors)
}

/// The number of roots that factors stand for.
fn total(factors: &[Factor]) -> usize {
    factors.iter().map(order).sum()
}

/// A part of a chain: a pair of complex poles, or one or two real ones, with at most as many zeros.
struct Part {
    poles: Vec<Factor>,
    zeros: Vec<Factor>,
}

/// The parts with these poles. Each zero comes to the part with the nearest pole that has room, pairs first: every part but one
/// has two poles.
fn parts(poles: Vec<Factor>, zeros: Vec<Factor>) -> Vec<Part> {
    let (real, pairs): (Vec<_>, Vec<_>) = poles.into_iter().partition(|pole| pole.im == 0.0);
    let mut parts: Vec<Part> =
        pairs.into_iter().map(|pair| Part { poles: std::vec![pair], zeros: Vec::new() }).collect();
    parts.extend(real.chunks(2).map(|poles| Part { poles: poles.to_vec(), zeros: Vec::new() }));
    let (real, pairs): (Vec<_>, Vec<_>) = zeros.into_iter().partition(|zero| zero.im == 0.0);
    for zero in pairs.into_iter().chain(real) {
        let has_room = |part: &&mut Part| part.size() - total(&part.zeros) >= order(&zero);
        let nearest = parts.iter_mut().filter(has_room).min_by(|a, b| a.distance(zero).total_cmp(&b.distance(zero)));
        if let Some(part) = nearest {
            part.zeros.push(zero);
        }
    }
    parts
}

/// The coefficients of s and 1 of the polynomial s² + … or s + …, from its roots.
fn coefficients(roots: &[Factor]) -> Vec<f64> {
    match roots {
        [] => Vec::new(),
        [pair] if pair.im != 0.0 => std::vec![-2.0 * pair.re, pair.norm_sqr()],
        [one] => std::vec![-one.re],
        [one, other, ..] => std::vec![-(one.re + other.re), one.re * other.re],
    }
}

impl Part {
    fn size(&self) -> usize {
        total(&self.poles)
    }

    /// The distance of a zero from the nearest pole.
    fn distance(&self, zero: Factor) -> f64 {
        self.poles.iter().map(|pole| (pole - zero).norm()).fold(f64::INFINITY, f64::min)
    }

    /// Π (s − zero)/Π (s − pole), times `rate` for each pole more than there are zeros, so that the states have the unit of the
    /// input.
    fn section(&self, rate: f64) -> StateSpace {
        let size = self.size();
        let (bottom, top) = (coefficients(&self.poles), coefficients(&self.zeros));
        let power = |exponent: usize| rate.powi(exponent as i32);
        // ẋ₁ = rate x₂, and the last equation contains the denominator and the input.
        let a = DMatrix::from_fn(size, size, |i, j| match (i + 1 == size, j == i + 1) {
            (true, _) => -bottom[size - 1 - j] / power(size - 1 - j),
            (false, true) => rate,
            (false, false) => 0.0,
        });
        let b = DMatrix::from_fn(size, 1, |i, _| if i + 1 == size { rate } else { 0.0 });
        let full = top.len() == size;
        let c = DMatrix::from_fn(1, size, |_, j| match top.len().checked_sub(j + 1) {
            Some(place) if full => (top[place] - bottom[place]) / power(place + 1),
            Some(place) => top[place] / power(place + 1),
            None => f64::from(u8::from(j == top.len())),
        });
        StateSpace { a, b, c, d: DMatrix::from_element(1, 1, f64::from(u8::from(full))) }
    }
}
