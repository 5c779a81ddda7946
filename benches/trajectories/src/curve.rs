//! The tolerance at which a contender meets an error.

use crate::{CHECK, Numbers};

/// One way to integrate: from a tolerance and an end time to the state there, where it gets so far.
pub(crate) struct Way<'a> {
    pub(crate) name: String,
    pub(crate) run: Box<dyn Fn(f64, f64) -> Option<Numbers> + 'a>,
}

impl<'a> Way<'a> {
    pub(crate) fn new(name: impl Into<String>, run: impl Fn(f64, f64) -> Option<Numbers> + 'a) -> Self {
        Self { name: name.into(), run: Box::new(run) }
    }
}

/// The tolerance whose error is `wanted`: by the straight line, of least squares, through log error against log tolerance of
/// the grid's points within a factor of 30 of it.
pub(crate) fn calibrated(way: &Way<'_>, exact: &Numbers, wanted: f64) -> Option<f64> {
    let grid = (8..=56).map(|quarter| 10.0_f64.powf(-0.25 * f64::from(quarter)));
    let points: Vec<[f64; 2]> = grid
        .filter_map(|tolerance| {
            let found = (way.run)(tolerance, CHECK)?;
            let error = found.iter().zip(exact).map(|(found, exact)| (found - exact).abs()).fold(0.0, f64::max);
            let near = error < 30.0 * wanted && error > wanted / 30.0;
            near.then(|| [tolerance.log10(), error.log10()])
        })
        .collect();
    if points.len() < 3 {
        return None;
    }
    let count = points.len() as f64;
    let [x, y] = points.iter().fold([0.0; 2], |[x, y], point| [x + point[0] / count, y + point[1] / count]);
    let slope = points.iter().map(|point| (point[0] - x) * (point[1] - y)).sum::<f64>()
        / points.iter().map(|point| (point[0] - x) * (point[0] - x)).sum::<f64>();
    (slope > 0.0).then(|| 10.0_f64.powf(x + (wanted.log10() - y) / slope))
}
