//! Times at an error, from times at tolerances.

/// The error and the seconds of one tolerance.
pub(crate) type Point = (f64, f64);

/// The relative tolerances; the absolute ones are a millionth of these.
pub(crate) fn tolerances() -> impl Iterator<Item = f64> {
    (6..=26).map(|half| 10.0_f64.powf(-0.5 * f64::from(half)))
}

/// A contender with its points, from loose to tight tolerances.
pub(crate) struct Curve {
    pub(crate) name: &'static str,
    pub(crate) points: Vec<Point>,
}

/// The most seconds that one integration may take before tighter tolerances are left out.
const PATIENCE: f64 = 2.0;

/// The least seconds of some integrations: at most twenty, and no more once they have taken a tenth of a second.
const ROUNDS: usize = 20;

impl Curve {
    /// Measures a contender: from a tolerance to its error and its seconds, where it gets to the end.
    pub(crate) fn measure(name: &'static str, run: impl Fn(f64) -> Option<Point>) -> Self {
        let mut points = Vec::new();
        for rtol in tolerances() {
            let Some((error, mut least)) = run(rtol) else { continue };
            let mut total = least;
            for _ in 1..ROUNDS {
                if total > 0.1 {
                    break;
                }
                let Some((_, seconds)) = run(rtol) else { break };
                total += seconds;
                least = least.min(seconds);
            }
            points.push((error, least));
            if least > PATIENCE {
                break;
            }
        }
        Self { name, points }
    }

    /// The least time at which an error is reached: on straight lines between points, in logarithms, or at a point that is more exact at less cost.
    pub(crate) fn time_at(&self, error: f64) -> Option<f64> {
        let mut least: Option<f64> = None;
        let mut take = |time: f64| least = Some(least.map_or(time, |least| least.min(time)));
        for pair in self.points.windows(2) {
            let [(e, s), (f, t)] = [pair[0], pair[1]].map(|(error, time)| (error.max(1e-17).ln(), time.ln()));
            let part = (error.ln() - e) / (f - e);
            if (0.0..=1.0).contains(&part) {
                take((s + (t - s) * part).exp());
            }
        }
        self.points.iter().filter(|point| point.0 <= error).for_each(|point| take(point.1));
        least
    }
}

/// The least time of several curves at an error.
pub(crate) fn best_at(curves: &[Curve], error: f64) -> Option<f64> {
    curves.iter().filter_map(|curve| curve.time_at(error)).min_by(f64::total_cmp)
}
