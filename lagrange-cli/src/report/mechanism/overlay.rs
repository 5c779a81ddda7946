//! Motions over each other: all of them at the times of all.

use super::data::{BesideMotion, MechanismReport, SeriesRow};

/// The report with all motions at the times of all of them.
///
/// Between its own samples a motion is on the straight lines between these, so that no curve changes. Where a motion has ended, its values
/// are NaN. A time at which some motion has two samples, because it jumps, stands twice.
pub(super) fn joined(report: &MechanismReport) -> MechanismReport {
    let t = report.beside.iter().fold(report.t.clone(), |all, beside| union(&all, &beside.t));
    let main = Places::new(&report.t, &t);
    let rows = |rows: &[SeriesRow], places: &Places| -> Vec<SeriesRow> {
        rows.iter().map(|row| SeriesRow { name: row.name.clone(), series: places.values(&row.series) }).collect()
    };
    let all = |all: &[Vec<f64>], places: &Places| all.iter().map(|series| places.values(series)).collect();
    let beside = report.beside.iter().map(|beside| {
        let places = Places::new(&beside.t, &t);
        BesideMotion {
            name: beside.name.clone(),
            q: all(&beside.q, &places),
            v: all(&beside.v, &places),
            states: rows(&beside.states, &places),
            energy: places.values(&beside.energy),
            outputs: rows(&beside.outputs, &places),
            t: t.clone(),
        }
    });
    let whole = report.whole.filter(|whole| *whole < report.t.len());
    let mut joined = MechanismReport {
        beside: beside.collect(),
        whole: whole.map(|whole| t.partition_point(|time| *time < report.t[whole])),
        q: all(&report.q, &main),
        v: all(&report.v, &main),
        states: rows(&report.states, &main),
        kinetic: report.kinetic.as_ref().map(|series| main.values(series)),
        potential: report.potential.as_ref().map(|series| main.values(series)),
        energy: main.values(&report.energy),
        constraints: rows(&report.constraints, &main),
        multipliers: rows(&report.multipliers, &main),
        outputs: rows(&report.outputs, &main),
        ..report.clone()
    };
    for power in &mut joined.powers {
        power.series = main.values(&power.series);
    }
    joined.t = t;
    joined
}

/// The times of two lists in order, each as often as the list has it that has it more often.
fn union(first: &[f64], second: &[f64]) -> Vec<f64> {
    let (mut first, mut second) = (first.iter().copied().peekable(), second.iter().copied().peekable());
    let mut all = Vec::new();
    loop {
        match (first.peek().copied(), second.peek().copied()) {
            (None, None) => return all,
            (Some(time), other) if other.is_none_or(|other| time <= other) => {
                second.next_if(|other| *other == time);
                first.next();
                all.push(time);
            }
            (_, Some(time)) => {
                second.next();
                all.push(time);
            }
            (Some(_), None) => return all,
        }
    }
}

/// For each time of a longer list the place among the samples of a motion: the sample at it or before it, and the part of the way to the
/// next one. `None` is before the start or behind the end.
struct Places {
    places: Vec<Option<(usize, f64)>>,
    samples: usize,
}

impl Places {
    /// `own` are the times of the motion, which are among `all`.
    fn new(own: &[f64], all: &[f64]) -> Self {
        let mut next = 0;
        let mut last = None;
        let place = |time: &f64| {
            if own.get(next) == Some(time) {
                last = Some(next);
                next += 1;
                return Some((next - 1, 0.0));
            }
            let last: usize = last?;
            if own[last] == *time {
                return Some((last, 0.0));
            }
            let end = own.get(next)?;
            Some((last, (time - own[last]) / (end - own[last])))
        };
        Self { places: all.iter().map(place).collect(), samples: own.len() }
    }

    /// The values at all times. A series of another length than the motion has stays as it is, and is left out of plots.
    fn values(&self, series: &[f64]) -> Vec<f64> {
        if series.len() != self.samples {
            return series.to_vec();
        }
        let value = |place: &Option<(usize, f64)>| match *place {
            None => f64::NAN,
            Some((index, 0.0)) => series[index],
            Some((index, part)) => series[index] + (series[index + 1] - series[index]) * part,
        };
        self.places.iter().map(value).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_times_are_there_and_lines_stay() {
        let times = union(&[0.0, 1.0, 1.0, 3.0], &[0.0, 0.5, 1.0, 2.0]);
        assert_eq!(times, [0.0, 0.5, 1.0, 1.0, 2.0, 3.0]);
        // A jump from 4 to −2 at 1.
        let values = Places::new(&[0.0, 1.0, 1.0, 3.0], &times).values(&[0.0, 4.0, -2.0, 2.0]);
        assert_eq!(values, [0.0, 2.0, 4.0, -2.0, 0.0, 2.0]);
        // The other one does not jump there, and ends at 2.
        let values = Places::new(&[0.0, 0.5, 1.0, 2.0], &times).values(&[0.0, 1.0, 5.0, 7.0]);
        assert_eq!(values[..5], [0.0, 1.0, 5.0, 5.0, 7.0]);
        assert!(values[5].is_nan());
    }

    #[test]
    fn a_report_has_all_motions_at_all_times() {
        let report = MechanismReport {
            t: vec![0.0, 2.0],
            q: vec![vec![0.0, 4.0]],
            energy: vec![1.0, 3.0],
            beside: vec![BesideMotion {
                t: vec![0.0, 1.0, 2.0],
                q: vec![vec![1.0, 5.0, 1.0]],
                ..BesideMotion::default()
            }],
            ..MechanismReport::default()
        };
        let joined = joined(&report);
        assert_eq!((&joined.t, &joined.q[0]), (&vec![0.0, 1.0, 2.0], &vec![0.0, 2.0, 4.0]));
        assert_eq!((&joined.energy, &joined.beside[0].q[0]), (&vec![1.0, 2.0, 3.0], &vec![1.0, 5.0, 1.0]));
    }
}
