//! How many columns a step of the extrapolation takes, and how long the next one is.

/// How many substeps the midpoint rule makes for each row.
pub(super) const SUBSTEPS: [u32; COLUMNS] = [2, 4, 6, 8, 10, 12, 14, 16, 18];

/// How many columns the table has room for.
pub(super) const COLUMNS: usize = 9;

/// The fewest columns a step aims at.
pub(super) const LEAST: u8 = 2;

/// The most columns a step aims at: one more must have room.
pub(super) const MOST: u8 = COLUMNS as u8 - 1;

/// What becomes of an attempt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Decision {
    pub(super) accepted: bool,
    /// How many columns the next attempt aims at.
    pub(super) columns: u8,
    /// Its size relative to this one's.
    pub(super) factor: f64,
}

/// The power of the step's length in the error of its interpolant's velocity.
const INTERPOLANT_POWER: f64 = 7.0;

/// How far below the largest step that the interpolant's error allows the next one stays.
const SAFETY: f64 = 0.8;

/// The next step's size relative to this one's for an interpolant with this scaled error.
pub(super) fn interpolation_factor(error: f64) -> f64 {
    let factor = SAFETY * libm::pow(error, -1.0 / INTERPOLANT_POWER);
    // A NaN, or an overflow, takes the smallest.
    if factor >= 0.1 { factor } else { 0.1 }
}

/// The columns to aim at first under a relative tolerance.
pub(super) fn first(rtol: f64) -> u8 {
    let digits = if rtol > 0.0 { -libm::log10(rtol) } else { 16.0 };
    let columns = 0.6 * digits + 0.5;
    columns.clamp(f64::from(LEAST), f64::from(MOST)) as u8
}

/// One attempt's columns so far: their errors as the factors of the step that they allow.
///
/// With k the columns aimed at, the decisions fall at k − 1, k and k + 1; convergence is expected of one more column where
/// the error is below the square of the ratios of substeps still to come.
pub(super) struct Ladder {
    aim: usize,
    /// Whether the attempt before was rejected: then neither step nor order grow.
    retried: bool,
    /// For each column, the largest step relative to this one whose error would be within the tolerance.
    sizes: [f64; COLUMNS + 1],
}

impl Ladder {
    pub(super) fn new(aim: u8, retried: bool) -> Self {
        Self { aim: usize::from(aim), retried, sizes: [f64::INFINITY; COLUMNS + 1] }
    }

    /// Evaluations for the first `count` columns.
    fn work(count: usize) -> f64 {
        1.0 + SUBSTEPS.iter().take(count).map(|&substeps| f64::from(substeps)).sum::<f64>()
    }

    /// Work for a unit of the way.
    fn cost(&self, count: usize) -> f64 {
        Self::work(count) / self.sizes[count]
    }

    /// Takes column `count`, at least 2, with its scaled error.
    pub(super) fn judge(&mut self, count: usize, error: f64) -> Option<Decision> {
        let exponent = 1.0 / (2.0 * count as f64 - 1.0);
        let least = libm::pow(0.02, exponent);
        let wanted = 0.94 * libm::pow(0.65 / error, exponent);
        // A NaN, or an overflow, takes the smallest.
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

    /// The columns and the size that cost least after a step that converged at column `count`.
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
            // The next column would allow the longer step that makes its work pay.
            self.sizes[count] * Self::work(columns) / Self::work(count)
        };
        let factor = if self.retried { factor.min(1.0) } else { factor };
        Decision { accepted: true, columns: columns as u8, factor }
    }

    /// Shortens the next step to what the interpolant's error allows, if `allowed`, a factor on this step's size, is less than what
    /// the columns allow. The shorter step then aims at one column more than it needs, so that its error is first judged at the
    /// column in which convergence is expected.
    pub(super) fn bound(&self, decision: Decision, allowed: f64) -> Decision {
        if allowed >= decision.factor {
            return decision;
        }
        let (least, most) = (usize::from(LEAST), usize::from(decision.columns));
        let needed = (least..most).find(|&columns| self.sizes[columns] >= allowed).unwrap_or(most);
        let columns = (needed + 1).min(most) as u8;
        Decision { accepted: decision.accepted && allowed >= SAFETY, columns, factor: allowed }
    }

    /// The columns and the size for another attempt, with errors known up to column `count`.
    fn reject(&self, count: usize) -> Decision {
        let least = usize::from(LEAST);
        let mut columns = count.clamp(least, usize::from(MOST));
        if columns > least && self.cost(columns - 1) < 0.9 * self.cost(columns) {
            columns -= 1;
        }
        Decision { accepted: false, columns: columns as u8, factor: self.sizes[columns].min(0.9) }
    }
}
