//! The times at which a coordinate passes through zero.

use lagrange_runtime::prelude::*;
use std::ops::ControlFlow;

/// An observer that finds where a coordinate passes through zero upward, on the interpolant of the step.
#[derive(Clone, Debug, Default)]
pub struct UpwardCrossings {
    coordinate: usize,
    times: Vec<f64>,
}

impl UpwardCrossings {
    /// Watches the coordinate of this index.
    pub fn of(coordinate: usize) -> Self {
        Self { coordinate, times: Vec::new() }
    }

    /// The mean time between neighbouring crossings, with how many periods it is the mean of.
    pub fn period(&self) -> Option<(f64, usize)> {
        let (first, last) = (self.times.first()?, self.times.last()?);
        let periods = self.times.len() - 1;
        (periods > 0).then(|| ((last - first) / periods as f64, periods))
    }
}

impl<const N: usize> Observer<f64, N> for UpwardCrossings {
    fn wants(&self, _: u64, _: f64, _: f64) -> Wants {
        Wants::Interpolation
    }

    fn observe(&mut self, step: &StepView<f64, N>) -> ControlFlow<()> {
        let index = self.coordinate;
        if step.start.q[index] < 0.0
            && step.end.q[index] >= 0.0
            && let Some(interpolant) = step.interpolant
        {
            self.times.push(bisect(step.start.t, step.end.t, |t| interpolant.sample(t).q[index]));
        }
        ControlFlow::Continue(())
    }
}

/// The zero of `value`, which is negative at `low` and not negative at `high`.
fn bisect(mut low: f64, mut high: f64, value: impl Fn(f64) -> f64) -> f64 {
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return high;
        }
        if value(middle) < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bisection_reaches_the_rounding() {
        assert!((bisect(1.0, 2.0, |x| x * x - 2.0) - 2.0_f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn one_crossing_gives_no_period() {
        let crossings = UpwardCrossings { coordinate: 0, times: vec![1.0] };
        assert_eq!(crossings.period(), None);
        let crossings = UpwardCrossings { coordinate: 0, times: vec![1.0, 2.5, 4.0] };
        assert_eq!(crossings.period(), Some((1.5, 2)));
    }
}
