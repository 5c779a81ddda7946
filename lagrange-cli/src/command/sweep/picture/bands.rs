//! The spread of random members: bands around the median, over the time or over one quantity.

use super::{Shown, axis, check_count};
use crate::catalog::{Request, States, label};
use crate::command::Failure;
use crate::command::sweep::members::Members;
use crate::command::sweep::row::{End, Row};
use crate::report::plot::{Axis, Chart, Curve, Drawing, Style, standalone};

/// The bands: how they are called, and the part of the members that is below and above.
const BANDS: [(&str, f64); 2] = [("nine tenths of the members", 0.05), ("half of them", 0.25)];

/// The values of the members at each place of the horizontal axis.
pub(super) struct Bands {
    shown: Shown,
    x: Axis,
    /// The places.
    across: Vec<f64>,
    /// The values at each place.
    values: Vec<Vec<f64>>,
    /// The number of consecutive members of which the last values belong to one place; `None` if the recorded values of each member
    /// belong to all places.
    run: Option<u64>,
    members: u64,
    failed: u64,
}

impl Bands {
    /// Bands over the times at which states are recorded, in this unit.
    ///
    /// # Errors
    /// [`Failure::Usage`] if the values are too many.
    pub(super) fn over_time(
        members: &Members,
        (request, unit): (&Request, &str),
        shown: Shown,
    ) -> Result<Self, Failure> {
        let times = match &request.states {
            States::Every { .. } => request.times()?.unwrap_or_default(),
            _ => Vec::new(),
        };
        check_count(members.total.saturating_mul(times.len() as u64), "values")?;
        let ends = [times.first(), times.last()].map(|time| time.copied().unwrap_or_default());
        let x = Axis::linear(label("time", unit)).spanning(ends[0].min(ends[1]), ends[0].max(ends[1]));
        Ok(Self::new(shown, x, times, None))
    }

    /// Bands over the one quantity of --vary.
    ///
    /// # Errors
    /// [`Failure::Usage`] if the values are too many.
    pub(super) fn over_range(members: &Members, shown: Shown) -> Result<Self, Failure> {
        check_count(members.total, "members")?;
        let range = members.ranges()[0];
        let across = (0..range.count).map(|index| range.value(index)).collect();
        Ok(Self::new(shown, axis(members, 0), across, Some(members.total / u64::from(range.count))))
    }

    fn new(shown: Shown, x: Axis, across: Vec<f64>, run: Option<u64>) -> Self {
        Self { shown, x, values: vec![Vec::new(); across.len()], across, run, members: 0, failed: 0 }
    }

    /// Adds the next member. The values of a member that failed are left out.
    pub(super) fn add(&mut self, row: &Row) {
        let index = self.members;
        self.members += 1;
        if matches!(row.end, End::Failed(_)) {
            self.failed += 1;
            return;
        }
        match self.run {
            Some(run) => {
                if let Some(values) = self.values.get_mut((index / run) as usize) {
                    values.push(row.last[self.shown.place]);
                }
            }
            None => {
                for (values, recorded) in self.values.iter_mut().zip(&row.recorded) {
                    values.push(recorded[self.shown.place]);
                }
            }
        }
    }

    /// # Errors
    /// [`Failure::Work`] if there is no value.
    pub(super) fn draw(&self) -> Result<Drawing, Failure> {
        let mut places: Vec<(f64, Vec<f64>)> = self.across.iter().copied().zip(self.values.iter().cloned()).collect();
        places.iter_mut().for_each(|(_, values)| values.retain(|value| value.is_finite()));
        places.retain(|(_, values)| !values.is_empty());
        if places.is_empty() {
            return Err(Failure::Work("no member has a value to draw; see --every and --after".to_owned()));
        }
        places.iter_mut().for_each(|(_, values)| values.sort_by(f64::total_cmp));
        let at = |part: f64| places.iter().map(move |(x, values)| [*x, quantile(values, part)]);
        let mut curves: Vec<Curve> = BANDS
            .iter()
            .zip([Style::Band, Style::InnerBand])
            .map(|((name, part), style)| {
                let back: Vec<[f64; 2]> = at(1.0 - part).collect();
                Curve::new(*name, style, at(*part).chain(back.into_iter().rev()).collect())
            })
            .collect();
        let failed = if self.failed > 0 { format!("; {} failed", self.failed) } else { String::new() };
        curves.push(Curve::new(format!("median of {} members{failed}", self.members), Style::First, at(0.5).collect()));
        let y = Axis::linear(self.shown.label.clone());
        let chart = Chart::new(self.x.clone(), y, curves).with_aspect(0.5);
        Ok(Drawing { svg: standalone(&chart, &self.shown.title), cells: None })
    }
}

/// The value below which a part of the sorted values is, between two of them by a straight line. Source: R. J. Hyndman, Y. Fan,
/// *Sample quantiles in statistical packages*, Am. Stat. 50, 1996, definition 7.
fn quantile(sorted: &[f64], part: f64) -> f64 {
    let place = part * (sorted.len() - 1) as f64;
    let (below, rest) = (place.floor(), place.fract());
    let [low, high] = [below, place.ceil()].map(|place| sorted[place as usize]);
    low + (high - low) * rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_definition() {
        let sorted = [1.0, 2.0, 4.0, 8.0];
        assert_eq!([0.0, 0.5, 1.0].map(|part| quantile(&sorted, part)), [1.0, 3.0, 8.0]);
        assert!((quantile(&sorted, 0.25) - 1.75).abs() < 1e-15 && (quantile(&sorted, 0.9) - 6.8).abs() < 1e-14);
        assert_eq!(quantile(&[5.0], 0.3), 5.0);
    }
}
