//! The measure of lengths along a branch.

use super::Way;
use super::curve::Curve;
use crate::analysis::AnalysisError;
use crate::analysis::matrix::least_directions;
use nalgebra::DVector;
use std::string::ToString;
use std::vec::Vec;

/// The smallest scale of an unknown, as a fraction of its magnitude, and as a fraction of the largest scale in the units that balance the
/// equations.
const LEAST_SCALE: f64 = 1e-6;
/// The part of the largest step in μ that gives the first scales.
const FIRST: f64 = 0.1;
/// The largest part of the range of μ from which the first scales are taken.
const LARGEST_FIRST: f64 = 0.02;

/// The powers of four by which the units of the unknowns are multiplied on the way to another branch. Where μ does not enter an equation along
/// the known branch, as in a straight column, the equations do not relate the unit of the unknown to the unit of μ. Trials then find the unit.
const UNIT_POWERS: core::ops::Range<i32> = -50..70;
/// The first and the last of these powers where the branch knows what it spans.
const KNOWN_POWERS: core::ops::Range<i32> = -12..1;
/// A step leads to another branch if the corrections after it are below this part of it.
const SWITCHED: f64 = 0.1;
/// The smallest cosine of the angle between the other branch and its chord from the branch point.
const LEAST_COSINE: f64 = 0.955;
/// A branch bends within a step if the corrections are above this part of it, or 1 − cos of that angle is.
const BENDS: f64 = 1e-3;

/// A step to another branch.
struct Attempt {
    /// Whether the other branch bends within the step.
    bends: bool,
    /// The number of equations at the end of which only rounding is left.
    lost: usize,
    found: DVector<f64>,
    /// The tangent of the other branch, in the units of the unknowns.
    tangent: DVector<f64>,
    units: Vec<f64>,
}

/// The scales of the unknowns and of μ: what the branch has spanned in each.
#[derive(Clone, Debug)]
pub(crate) struct Metric {
    low: DVector<f64>,
    high: DVector<f64>,
    /// The units that balance the equations at the start.
    units: Vec<f64>,
}

impl Metric {
    /// The metric at the first point: what a short step along the tangent spans, at first towards larger μ. Returns the tangent as well, in
    /// the units of the unknowns. Where the curve knows what it will span, these are the first scales.
    pub(crate) fn at(
        family: &impl Curve,
        x: &DVector<f64>,
        max_step: f64,
    ) -> Result<(Self, DVector<f64>), AnalysisError> {
        let spans = family.spans(x)?;
        let units = match &spans {
            Some(spans) => spans.clone(),
            None => family.units(x)?,
        };
        let last = x.len() - 1;
        let mut upward = DVector::zeros(last + 1);
        upward[last] = 1.0;
        let scaled = match family.tangent(x, &units, &upward) {
            Ok(tangent) => tangent,
            // At a fold the tangent has no part along μ.
            Err(_) => family.across(x, &units)?,
        };
        let tangent = DVector::from_fn(last + 1, |j, _| scaled[j] * units[j]);
        let length = FIRST * max_step.min(LARGEST_FIRST);
        let high = DVector::from_fn(last + 1, |j, _| match &spans {
            Some(spans) => x[j] + spans[j],
            None => x[j] + length * tangent[j].abs(),
        });
        Ok((Self { low: x.clone(), high, units }, tangent))
    }

    /// A point of the curve that crosses a known one at `origin`, with its tangent in the units of the unknowns, and the metric there. `way` is
    /// that of the known curve.
    ///
    /// At the origin [F_x F_μ] has two null directions. A step goes along the one across the known curve, and corrections lead to the other
    /// curve unless they lead back to the known one. A known curve on which an unknown does not move gives no scale of it. So units of all
    /// sizes are tried, and the largest ones count from which all smaller ones, down to rounding, lead to the other curve as well: larger
    /// ones may lead to a curve that does not cross. The known units count where the other curve does not bend. Where all digits of an unknown
    /// are lost, an equation is rounding, and any step seems to lead straight on; such steps do not count.
    ///
    /// # Errors
    /// [`AnalysisError::NotApplicable`] where no step leads to another curve.
    pub(crate) fn across(
        family: &impl Curve,
        origin: &DVector<f64>,
        way: &Way,
        max_step: f64,
    ) -> Result<(DVector<f64>, DVector<f64>, Self), AnalysisError> {
        let last = origin.len() - 1;
        let known: Vec<f64> = way.spans.iter().copied().collect();
        let scaled = |x: &DVector<f64>, units: &[f64]| DVector::from_fn(x.len(), |j, _| x[j] / units[j]);
        let along = scaled(&way.direction, &known).normalize();
        let (_, directions) = least_directions(&family.scaled_jacobian(origin, &known)?)?;
        let rest = |k: usize| directions.column(k) - &along * along.dot(&directions.column(k));
        let mut rests: Vec<DVector<f64>> = (0..directions.ncols().min(2)).map(rest).collect();
        rests.sort_by(|a, b| b.norm().total_cmp(&a.norm()));
        let Some(across) = rests.first() else { return Err(no_other_branch()) };
        let across = DVector::from_fn(last + 1, |j, _| across[j] * known[j]);
        let attempt = |power: i32, sign: f64| {
            let factor = 4.0_f64.powi(power);
            let units: Vec<f64> = (0..=last).map(|j| if j < last { known[j] * factor } else { known[j] }).collect();
            let direction = scaled(&across, &units).normalize() * sign;
            let guess = DVector::from_fn(last + 1, |j, _| origin[j] + max_step * direction[j] * units[j]);
            let found = family.correct(&guess, &units).ok()?;
            let [low, high] = family.range();
            if !(low..=high).contains(&found[last]) {
                return None;
            }
            let chord = scaled(&(&found - origin), &units).normalize();
            let tangent = family.tangent(&found, &units, &chord).ok()?;
            let (correction, cosine) = (scaled(&(&found - &guess), &units).norm() / max_step, tangent.dot(&chord));
            let tangent = DVector::from_fn(last + 1, |j, _| tangent[j] * units[j]);
            let bends = correction > BENDS || 1.0 - cosine > BENDS;
            let (_, jacobian) = family.evaluate(&found).ok()?;
            let lost = jacobian.row_iter().filter(|row| row.amax() == 0.0).count();
            let attempt = Attempt { bends, lost, found, tangent, units };
            (correction <= SWITCHED && cosine >= LEAST_COSINE).then_some(attempt)
        };
        let spans = family.spans(origin)?;
        let powers = if spans.is_some() { KNOWN_POWERS } else { UNIT_POWERS };
        for sign in [1.0, -1.0] {
            let attempts = powers.clone().map(|power| (power, attempt(power, sign))).collect();
            if let Some(Attempt { found, tangent, units, .. }) = chosen(attempts) {
                let mut metric = Self { low: origin.clone(), high: origin.clone(), units };
                if let Some(spans) = spans {
                    metric.include(&(origin + DVector::from_vec(spans)));
                }
                metric.include(&found);
                return Ok((found, tangent, metric));
            }
        }
        Err(no_other_branch())
    }

    /// Takes a further point into account.
    pub(crate) fn include(&mut self, x: &DVector<f64>) {
        for j in 0..x.len() {
            (self.low[j], self.high[j]) = (self.low[j].min(x[j]), self.high[j].max(x[j]));
        }
    }

    /// The scales at x.
    pub(crate) fn scales(&self, x: &DVector<f64>) -> Vec<f64> {
        let spans = &self.high - &self.low;
        let largest = spans.iter().zip(&self.units).fold(0.0_f64, |largest, (span, unit)| largest.max(span / unit));
        (0..x.len())
            .map(|j| spans[j].max(LEAST_SCALE * x[j].abs()).max(LEAST_SCALE * largest * self.units[j]))
            .collect()
    }
}

/// Chooses the step to another branch from `attempts`. Beside each attempt is its exponent k: its units are the known units times 4^k. The
/// exponents increase. The longest run of consecutive successful attempts counts. Its last attempt is chosen if the other branch bends there.
/// Otherwise its attempt in the known units (k = 0) is chosen, and where the run has no such attempt, its last one.
fn chosen(mut attempts: Vec<(i32, Option<Attempt>)>) -> Option<Attempt> {
    let least = attempts.iter().filter_map(|(_, attempt)| attempt.as_ref()).map(|attempt| attempt.lost).min();
    for (_, attempt) in &mut attempts {
        attempt.take_if(|attempt| Some(attempt.lost) > least);
    }
    let runs = attempts.chunk_by_mut(|(_, a), (_, b)| a.is_some() == b.is_some());
    let longest = runs.filter(|run| run.iter().all(|(_, attempt)| attempt.is_some())).max_by_key(|run| run.len())?;
    let bends = longest.last()?.1.as_ref()?.bends;
    let known = longest.iter().position(|(power, _)| *power == 0 && !bends);
    longest.get_mut(known.unwrap_or(longest.len() - 1))?.1.take()
}

/// The error of a point at which no other branch is found.
fn no_other_branch() -> AnalysisError {
    let needs = "a branch point; no step from this point leads to another branch".to_string();
    AnalysisError::NotApplicable { analysis: "a switch of branches", needs }
}
