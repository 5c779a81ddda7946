//! The content of a mechanism's page, as plain data.

use crate::catalog::Units;
use crate::report::live::Live;

/// A mechanism and one of its motions, for the page.
///
/// Each series of the motion has one value for each time of `t`. The page leaves out every part without data.
#[derive(Clone, Debug, Default)]
pub struct MechanismReport {
    /// The name of the mechanism.
    pub name: String,
    /// What the mechanism is, in a sentence or a paragraph.
    pub summary: String,
    /// Where the mechanism comes from: a publication or a file.
    pub source: String,
    /// The `#[lagrangian]` block as written.
    pub block: String,
    /// `Mechanism::EQUATIONS_LATEX`: an `aligned` block.
    pub equations_latex: String,
    /// `Mechanism::STATED_LATEX`: what the block states, as one `aligned` block of LaTeX.
    pub stated_latex: String,
    /// `Mechanism::EQUATIONS_TEXT`: the same equations as text.
    pub equations_text: String,
    /// Facts about the mechanism, as clauses with a subject, e.g. "it conserves its energy".
    pub facts: Vec<String>,
    /// The parameters and inputs.
    pub parameters: Vec<ParameterRow>,
    /// The method with its settings and the reason for its choice.
    pub method: String,
    /// Labels and values of the integration, e.g. ("steps", "1 204").
    pub statistics: Vec<(String, String)>,
    /// The warnings that a reader must know before they trust the motion.
    pub warnings: Vec<String>,
    /// The units of times, energies and rates.
    pub units: Units,
    /// The units of the quantities, in the orders of the series; those that are not known are empty or missing.
    pub quantity_units: lagrange_runtime::system::Units,
    /// The names of the coordinates.
    pub coordinates: Vec<String>,
    /// The sample times, in increasing order. Fewer than two times, or times out of order, leave out all plots over
    /// time and the animation. Where a quantity jumps, its time stands twice.
    pub t: Vec<f64>,
    /// How many samples there are from the start between which straight lines keep to the motion; `None` if those are all. Phase
    /// planes and the animation show these, and plots over time show the extremes of the others.
    pub whole: Option<usize>,
    /// One series for each coordinate.
    pub q: Vec<Vec<f64>>,
    /// The velocities: one series for each coordinate.
    pub v: Vec<Vec<f64>>,
    /// The values of each coordinate and of each velocity below which they are rounding, as far as that is known.
    pub rounding: [Vec<f64>; 2],
    /// The states.
    pub states: Vec<SeriesRow>,
    /// The kinetic energy, where the mechanism states it.
    pub kinetic: Option<Vec<f64>>,
    /// The potential energy, where the mechanism states it.
    pub potential: Option<Vec<f64>>,
    /// The energy h = v·p − L.
    pub energy: Vec<f64>,
    /// The terms of the power balance.
    pub powers: Vec<PowerRow>,
    /// E(end) − E(start) minus all works.
    pub balance_residual: f64,
    /// The residual of each constraint.
    pub constraints: Vec<SeriesRow>,
    /// The Lagrange multipliers.
    pub multipliers: Vec<SeriesRow>,
    /// All components of the outputs, named like `tip[0]`.
    pub outputs: Vec<SeriesRow>,
    /// The inputs, if they follow laws, at the times of [`MechanismReport::input_times`].
    pub inputs: Vec<SeriesRow>,
    /// The times of the inputs. Where an input jumps, its time stands twice.
    pub input_times: Vec<f64>,
    /// The laws of the inputs, in words.
    pub laws: Vec<String>,
    /// The values by which this motion differs from the motions drawn over it, e.g. "k = 2".
    pub label: String,
    /// Motions that are drawn over this one.
    pub beside: Vec<BesideMotion>,
    /// Sentences about the motions that are drawn over this one.
    pub comparisons: Vec<String>,
    /// What happened at instants, in order; perhaps only the first ones.
    pub instants: Vec<InstantRow>,
    /// How many instants there were, with those that `instants` leaves out.
    pub instant_count: u64,
    /// How often what happened, in clauses, e.g. "12 impacts at floor".
    pub instant_clauses: Vec<String>,
    /// Time and size of each step, both in the unit of times. Long runs list a part of their steps.
    pub steps: Vec<[f64; 2]>,
    /// The spectra of coordinates.
    pub spectra: Vec<SpectrumRow>,
    /// The modes of the motion linearised at the equilibrium.
    pub modes: Vec<ModeRow>,
    /// A sentence about the equilibrium and its stability.
    pub equilibrium: Option<String>,
    /// The mechanism that the page computes itself; `None` where `--live` is not given.
    pub live: Option<Live>,
}

/// A motion that is drawn over that of the page.
///
/// Series that are empty, or whose length differs from that of `t`, are left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BesideMotion {
    /// The values by which this motion differs from the motion of the page, e.g. "k = 3".
    pub name: String,
    /// The times, as [`MechanismReport::t`] has them.
    pub t: Vec<f64>,
    /// One series for each coordinate.
    pub q: Vec<Vec<f64>>,
    /// The velocities: one series for each coordinate.
    pub v: Vec<Vec<f64>>,
    /// The states.
    pub states: Vec<SeriesRow>,
    /// The energy h.
    pub energy: Vec<f64>,
    /// All components of the outputs.
    pub outputs: Vec<SeriesRow>,
}

/// A parameter or an input.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ParameterRow {
    /// The name of the field.
    pub name: String,
    /// Its value.
    pub value: f64,
    /// Its doc comment, often with the unit.
    pub description: String,
    /// Whether it is an input, which may change during the motion.
    pub input: bool,
}

/// A term of the power balance.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PowerRow {
    /// The name of the term, e.g. "dissipation".
    pub name: String,
    /// Its work over the whole motion. It is positive where the term gives energy to the mechanism.
    pub work: f64,
    /// Its power. It is empty where the work is done at instants, as that of impacts.
    pub series: Vec<f64>,
}

/// A named quantity over the motion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SeriesRow {
    /// The name.
    pub name: String,
    /// The values.
    pub series: Vec<f64>,
}

/// Something that happened at an instant of the motion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InstantRow {
    /// The time.
    pub t: f64,
    /// What happened: "impact", "sticks", …
    pub what: String,
    /// The name of the contact, the text of the switching function, or the condition of the event.
    pub name: String,
    /// The impulse of an impact; 0 for other causes.
    pub impulse: f64,
    /// The coordinates, velocities and states before it.
    pub before: Vec<f64>,
    /// The coordinates, velocities and states after it.
    pub after: Vec<f64>,
}

/// The spectrum of a coordinate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpectrumRow {
    /// The name of the coordinate.
    pub name: String,
    /// The distance between neighbouring frequencies. The first amplitude is at 0.
    pub resolution: f64,
    /// The amplitude at each frequency, in the unit of the coordinate.
    pub amplitudes: Vec<f64>,
}

/// A mode of the linearised motion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModeRow {
    /// The natural frequency |λ|/2π.
    pub frequency: f64,
    /// The ratio of damping to critical damping. It is negative where the mode grows.
    pub damping_ratio: f64,
    /// The component of the shape for each coordinate.
    pub shape: Vec<f64>,
}

/// A point that moves in a plane or in space.
#[derive(Clone, Debug, PartialEq)]
pub struct MovingPoint<'r> {
    /// The name of the output without the index of its components: `tip`, `bob[2]`.
    pub name: &'r str,
    /// Two or three series of equal length: x, y and, in space, z.
    pub components: Vec<&'r [f64]>,
}

/// The components of an output, each with its index.
type Components<'r> = Vec<(usize, &'r [f64])>;

impl MechanismReport {
    /// Whether there is a motion to show: two sample times or more, finite and in order.
    pub(super) fn moves(&self) -> bool {
        draws(&self.t)
    }

    /// The outputs with two or three components, in the order of their first component.
    ///
    /// A point needs the components `name[0]`, `name[1]` and perhaps `name[2]`, and nothing beyond. Other outputs are
    /// left out: scalars, longer vectors, and series whose length differs from that of `t`.
    pub fn points(&self) -> Vec<MovingPoint<'_>> {
        let mut groups: Vec<(&str, Components<'_>)> = Vec::new();
        for row in &self.outputs {
            let Some((stem, index)) = component(&row.name) else { continue };
            match groups.iter_mut().find(|(name, _)| *name == stem) {
                Some((_, found)) => found.push((index, &row.series)),
                None => groups.push((stem, vec![(index, &row.series)])),
            }
        }
        groups.into_iter().filter_map(|(name, found)| self.point(name, found)).collect()
    }

    fn point<'r>(&self, name: &'r str, mut found: Components<'r>) -> Option<MovingPoint<'r>> {
        found.sort_by_key(|(index, _)| *index);
        let complete = found.iter().enumerate().all(|(place, (index, _))| place == *index);
        let sampled = found.iter().all(|(_, series)| series.len() == self.t.len() && !series.is_empty());
        let components: Vec<&[f64]> = found.into_iter().map(|(_, series)| series).collect();
        let suits = complete && sampled && matches!(components.len(), 2 | 3);
        suits.then_some(MovingPoint { name, components })
    }
}

/// Whether curves can be drawn over these abscissas.
pub(super) fn draws(x: &[f64]) -> bool {
    x.len() >= 2 && x.is_sorted() && x[0] < x[x.len() - 1] && x.iter().all(|x| x.is_finite())
}

/// The stem and the last index of a name: `tip[1]` is (`tip`, 1), `bob[2][0]` is (`bob[2]`, 0).
fn component(name: &str) -> Option<(&str, usize)> {
    let (stem, index) = name.strip_suffix(']')?.rsplit_once('[')?;
    Some((stem, index.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(outputs: &[&str]) -> MechanismReport {
        let row = |name: &&str| SeriesRow { name: (*name).to_owned(), series: vec![1.0, 2.0] };
        MechanismReport { t: vec![0.0, 1.0], outputs: outputs.iter().map(row).collect(), ..MechanismReport::default() }
    }

    fn check(outputs: &[&str], points: &[(&str, usize)]) {
        let report = report(outputs);
        let found: Vec<_> = report.points().iter().map(|point| (point.name, point.components.len())).collect();
        assert_eq!(found, points);
    }

    #[test]
    fn components_form_points() {
        check(&["elbow[0]", "elbow[1]", "speed", "tip[0]", "tip[1]"], &[("elbow", 2), ("tip", 2)]);
        check(&["r[0]", "r[1]", "r[2]"], &[("r", 3)]);
        check(&["bob[0][0]", "bob[0][1]", "bob[1][0]", "bob[1][1]"], &[("bob[0]", 2), ("bob[1]", 2)]);
        check(&["tip[1]", "tip[0]"], &[("tip", 2)]);
    }

    #[test]
    fn other_outputs_are_no_points() {
        check(&["a[0]", "a[1]", "a[2]", "a[3]"], &[]);
        check(&["a[0]"], &[]);
        check(&["a[1]", "a[2]"], &[]);
        check(&["speed", "a[x]", "a]"], &[]);
    }

    #[test]
    fn a_series_of_another_length_is_no_point() {
        let mut report = report(&["tip[0]", "tip[1]"]);
        report.outputs[1].series.push(3.0);
        assert!(report.points().is_empty());
    }
}
