//! The choice of the number of columns and of the next step size of the extrapolation.

/// The number of substeps of the midpoint rule for each row of the table.
pub(super) const SUBSTEPS: [u32; COLUMNS] = [2, 4, 6, 8, 10, 12, 14, 16, 18];

/// The number of columns for which the table has space.
pub(super) const COLUMNS: usize = 9;

/// The fewest columns a step aims at.
pub(super) const LEAST: u8 = 2;

/// The most columns a step aims at. The table must have space for one more.
pub(super) const MOST: u8 = COLUMNS as u8 - 1;

/// The decision about an attempt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Decision {
    pub(super) accepted: bool,
    /// The number of columns that the next attempt aims at.
    pub(super) columns: u8,
    /// The size of the next attempt, relative to the size of this one.
    pub(super) factor: f64,
}

/// The power of the step size in the error of the interpolant's velocity.
const INTERPOLANT_POWER: f64 = 7.0;

/// The safety factor on the largest step size that the interpolant's error allows.
const SAFETY: f64 = 0.8;

/// Returns the next step size, relative to this one, for an interpolant with the scaled error `error`.
pub(super) fn interpolation_factor(error: f64) -> f64 {
    let factor = SAFETY * libm::pow(error, -1.0 / INTERPOLANT_POWER);
    // NaN and overflow give the smallest factor.
    if factor >= 0.1 { factor } else { 0.1 }
}

/// Returns the number of columns that the first step aims at, for a relative tolerance.
pub(super) fn first(rtol: f64) -> u8 {
    let digits = if rtol > 0.0 { -libm::log10(rtol) } else { 16.0 };
    let columns = 0.6 * digits + 0.5;
    columns.clamp(f64::from(LEAST), f64::from(MOST)) as u8
}

/// The columns of one attempt. For each column it contains the step size that the error of the column allows.
///
/// If k columns are aimed at, decisions are made at the columns k − 1, k and k + 1. Each column j to come is expected to reduce
/// the error by the factor (n₁/nⱼ)², with nⱼ its number of substeps. If the error at column k + 1 is then expected to be too
/// large, the attempt is rejected at once.
pub(super) struct Ladder {
    aim: usize,
    /// Whether the attempt before was rejected. If so, neither the step size nor the order may increase.
    retried: bool,
    /// For each column, the largest step size, relative to this one, whose error is within the tolerance.
    sizes: [f64; COLUMNS + 1],
}

impl Ladder {
    pub(super) fn new(aim: u8, retried: bool) -> Self {
        Self { aim: usize::from(aim), retried, sizes: [f64::INFINITY; COLUMNS + 1] }
    }

    /// Returns the number of evaluations for the first `count` columns.
    fn work(count: usize) -> f64 {
        1.0 + SUBSTEPS.iter().take(count).map(|&substeps| f64::from(substeps)).sum::<f64>()
    }

    /// Returns the work for a unit of time.
    fn cost(&self, count: usize) -> f64 {
        Self::work(count) / self.sizes[count]
    }

    /// Decides about the attempt after column `count`, at least 2, with its scaled error. `None` asks for another column.
    pub(super) fn judge(&mut self, count: usize, error: f64) -> Option<Decision> {
        let exponent = 1.0 / (2.0 * count as f64 - 1.0);
        let least = libm::pow(0.02, exponent);
        let wanted = 0.94 * libm::pow(0.65 / error, exponent);
        // NaN and overflow give the smallest factor.
        self.sizes[count] = if wanted >= least / 4.0 { wanted.min(1.0 / least) } else { least / 4.0 };
        let aim = self.aim;
        if count + 1 < aim {
            return None;
        }
        if error <= 1.0 {
            return Some(self.accept(count));
        }
        let ahead = |column: usize| {
            let ratio = f64::from(SUBSTEPS[(column - 1).min(COLUMNS - 1)]) / f64::from(SUBSTEPS[0]);
            ratio * ratio
        };
        let bound = match count + 1 {
            next if next == aim => ahead(aim) * ahead(aim + 1),
            next if next == aim + 1 => ahead(aim + 1),
            _ => return Some(self.reject(aim)),
        };
        if error <= bound { None } else { Some(self.reject(count)) }
    }

    /// Returns the cheapest number of columns and step size after a step that converged at column `count`.
    fn accept(&self, count: usize) -> Decision {
        let (least, most) = (usize::from(LEAST), usize::from(MOST));
        let cheaper = |fewer: usize, more: usize, part: f64| self.cost(fewer) < part * self.cost(more);
        let mut columns = count;
        if count == least {
            columns = least + 1;
        } else if count <= self.aim {
            if cheaper(count - 1, count, 0.8) {
                columns = count - 1;
            } else if cheaper(count, count - 1, 0.9) {
                columns = count + 1;
            }
        } else {
            columns = count - 1;
            if columns > least && cheaper(columns - 1, columns, 0.8) {
                columns -= 1;
            }
            if cheaper(count, columns, 0.9) {
                columns = count;
            }
        }
        let mut columns = columns.clamp(least, most);
        if self.retried {
            columns = columns.min(count.max(least));
        }
        let factor = if columns <= count {
            self.sizes[columns]
        } else {
            // One more column is expected to allow a step that is longer in the ratio of the work.
            self.sizes[count] * Self::work(columns) / Self::work(count)
        };
        let factor = if self.retried { factor.min(1.0) } else { factor };
        Decision { accepted: true, columns: columns as u8, factor }
    }

    /// Reduces the next step size to `allowed`, the factor that the interpolant's error allows, if the columns allow a larger
    /// one. The next step then aims at one column more than it needs. Its error is thus first judged at the column in which
    /// convergence is expected.
    pub(super) fn bound(&self, decision: Decision, allowed: f64) -> Decision {
        if allowed >= decision.factor {
            return decision;
        }
        let (least, most) = (usize::from(LEAST), usize::from(decision.columns));
        let needed = (least..most).find(|&columns| self.sizes[columns] >= allowed).unwrap_or(most);
        let columns = (needed + 1).min(most) as u8;
        Decision { accepted: decision.accepted && allowed >= SAFETY, columns, factor: allowed }
    }

    /// Returns the number of columns and the step size for another attempt. Errors are known up to column `count`.
    fn reject(&self, count: usize) -> Decision {
        let least = usize::from(LEAST);
        let mut columns = count.clamp(least, usize::from(MOST));
        if columns > least && self.cost(columns - 1) < 0.9 * self.cost(columns) {
            columns -= 1;
        }
        Decision { accepted: false, columns: columns as u8, factor: self.sizes[columns].min(0.9) }
    }
}
