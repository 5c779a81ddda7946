//! Maps: a number for each point of a rectangle, shown by its colour.

use super::Axis;
use super::colour::{blues, viridis};
use super::raster::{Raster, base64};
use super::scale::Scale;
use super::svg::{BOTTOM, LEFT, LEGEND, TOP, grid, labels, opening};
use crate::report::page::escape;
use std::fmt::Write;

/// A number for each point of a grid in a rectangle.
#[derive(Debug)]
pub struct Map {
    /// The horizontal axis. Its range goes from the first to the last column of points.
    pub x: Axis,
    /// The vertical axis. Its range goes from the lowest to the highest row of points.
    pub y: Axis,
    /// The numbers of columns and of rows, each at least 2.
    pub counts: [u32; 2],
    /// The scale of the colours.
    pub colour: Axis,
    /// The colours.
    pub palette: Palette,
    /// The values: those of the first column from the lowest row to the highest, then those of the second one.
    pub values: Vec<f64>,
    /// What points without a number mean. Those of a value that is NaN have the first colour of the palette for such points, and those
    /// of an infinite one the second. Without a name, a colour is not in the legend.
    pub others: [String; 2],
}

/// The colours of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Palette {
    /// From violet to yellow, for any values; grey and red for points without a number.
    Values,
    /// From light to dark blue, for counts; white for points at which nothing was counted.
    Counts,
}

impl Palette {
    /// The colour of a fraction between 0 and 1.
    fn colour(self, fraction: f64) -> [u8; 3] {
        match self {
            Self::Values => viridis(fraction),
            Self::Counts => blues(fraction),
        }
    }

    /// The colours of points without a number.
    fn others(self) -> [[u8; 3]; 2] {
        match self {
            Self::Values => OTHER_COLOURS,
            Self::Counts => [[0xff; 3]; 2],
        }
    }
}

/// A picture as the text of an SVG.
#[derive(Debug)]
pub struct Drawing {
    /// The text. It contains the cells, too.
    pub svg: String,
    /// The cells, for programs that draw an SVG without its embedded pictures.
    pub cells: Option<Cells>,
}

/// The cells of a picture, and where it shows them.
#[derive(Debug)]
pub struct Cells {
    /// The cells.
    pub raster: Raster,
    /// The left and the upper edge, in units of the drawing.
    pub corner: [f64; 2],
    /// The width and the height.
    pub size: [f64; 2],
}

/// The number of colours that stand for numbers.
const COLOURS: u8 = 254;

/// The index of the colours that stand for points without a number.
const OTHERS: [u8; 2] = [COLOURS, COLOURS + 1];

/// These colours: a light grey, and a red that the map of colours does not contain.
const OTHER_COLOURS: [[u8; 3]; 2] = [[0xd3, 0xd7, 0xde], [0xd1, 0x49, 0x5b]];

/// The width and the height of the rectangle, in units of the drawing.
const SIDE: f64 = 520.0;

/// The place of the bar with the colours: its distance from the rectangle, its width, and the width of its labels.
const BAR: [f64; 3] = [26.0, 18.0, 84.0];

/// Draws the map with its axes, the bar of its colours, and a legend of the points without a number.
pub fn map(map: &Map, title: &str) -> Drawing {
    let (width, height) = (LEFT + SIDE + BAR.iter().sum::<f64>(), TOP + SIDE + BOTTOM);
    let mut out = String::new();
    opening([width, height + LEGEND], title, &mut out);
    let colours = scale(map);
    let raster = raster(map, &colours);
    legend(map, &raster, &mut out);
    _ = write!(out, "<g transform=\"translate(0 {LEGEND})\">");
    let count = (SIDE / 65.0) as usize;
    let x = Scale::new(&edges(&map.x, map.counts[0]), std::iter::empty(), [LEFT, LEFT + SIDE], count);
    let y = Scale::new(&edges(&map.y, map.counts[1]), std::iter::empty(), [TOP + SIDE, TOP], count);
    grid(&x, &y, [count; 2], &mut out);
    labels([(&map.x, &x), (&map.y, &y)], height, false, &mut out);
    _ = write!(
        out,
        "<image x=\"{LEFT}\" y=\"{TOP}\" width=\"{SIDE}\" height=\"{SIDE}\" preserveAspectRatio=\"none\" \
         style=\"image-rendering:pixelated\" href=\"data:image/png;base64,{}\"/>",
        base64(&raster.png())
    );
    for (scale, is_horizontal) in [(&x, true), (&y, false)] {
        for tick in scale.ticks(count) {
            let position = scale.position(tick.value);
            _ = match is_horizontal {
                true => write!(out, "<path class=\"frame\" d=\"M{position:.1} {}v4\"/>", y.start),
                false => write!(out, "<path class=\"frame\" d=\"M{} {position:.1}h-4\"/>", x.start),
            };
        }
    }
    if map.values.iter().any(|value| value.is_finite()) {
        bar(map, &colours, &mut out);
    }
    out.push_str("</g></svg>\n");
    let cells = Cells { raster, corner: [LEFT, TOP + LEGEND], size: [SIDE, SIDE] };
    Drawing { svg: out, cells: Some(cells) }
}

/// The axis up to the edges of the outer cells, in whose middle are the outer points.
fn edges(axis: &Axis, count: u32) -> Axis {
    let [low, high] = axis.range.unwrap_or([0.0, 1.0]);
    let steps = f64::from(count.max(2) - 1);
    if axis.logarithmic {
        let half = (high / low).powf(0.5 / steps);
        return Axis::logarithmic(axis.label.clone()).spanning(low / half, high * half);
    }
    let half = (high - low) / (2.0 * steps);
    Axis::linear(axis.label.clone()).spanning(low - half, high + half)
}

/// The scale of the colours, along the bar. It goes from the smallest to the largest value.
fn scale(map: &Map) -> Scale {
    let finite = || map.values.iter().copied().filter(|value| value.is_finite());
    let (low, high) = finite().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
    let axis = Axis { label: map.colour.label.clone(), logarithmic: map.colour.logarithmic, range: map.colour.range };
    let axis = if axis.range.is_none() && low < high { axis.spanning(low, high) } else { axis };
    Scale::new(&axis, finite(), [TOP + SIDE, TOP], 6)
}

/// The cells with their colours.
fn raster(map: &Map, colours: &Scale) -> Raster {
    let [columns, rows] = map.counts;
    let last = f64::from(COLOURS - 1);
    let palette = (0..COLOURS).map(|index| map.palette.colour(f64::from(index) / last));
    let palette = palette.chain(map.palette.others()).collect();
    let cell = |value: f64| match value {
        value if value.is_nan() => OTHERS[0],
        value if value.is_infinite() => OTHERS[1],
        value => {
            let fraction = (colours.position(value) - colours.start) / (colours.end - colours.start);
            (last * fraction.clamp(0.0, 1.0)).round() as u8
        }
    };
    let cells = (0..rows).rev().flat_map(|row| (0..columns).map(move |column| (column, row)));
    let value = |(column, row): (u32, u32)| map.values.get(column as usize * rows as usize + row as usize);
    let cells = cells.map(|point| value(point).map_or(OTHERS[0], |value| cell(*value))).collect();
    Raster { columns, rows, cells, palette }
}

/// The names of the points without a number, if there are any.
fn legend(map: &Map, raster: &Raster, out: &mut String) {
    let mut left = LEFT;
    for ((name, index), [red, green, blue]) in map.others.iter().zip(OTHERS).zip(map.palette.others()) {
        if !name.is_empty() && raster.cells.contains(&index) {
            _ = write!(
                out,
                "<rect x=\"{left}\" y=\"10\" width=\"16\" height=\"16\" fill=\"#{red:02x}{green:02x}{blue:02x}\"/>\
                 <text x=\"{}\" y=\"23\">{}</text>",
                left + 23.0,
                escape(name)
            );
            // About the width of the text.
            left += 50.0 + 7.5 * name.chars().count() as f64;
        }
    }
}

/// The bar with the colours and their values.
fn bar(Map { colour: axis, palette, .. }: &Map, colours: &Scale, out: &mut String) {
    const STOPS: u8 = 32;
    let (left, right) = (LEFT + SIDE + BAR[0], LEFT + SIDE + BAR[0] + BAR[1]);
    out.push_str("<linearGradient id=\"colours\" x1=\"0\" y1=\"1\" x2=\"0\" y2=\"0\">");
    for stop in 0..=STOPS {
        let fraction = f64::from(stop) / f64::from(STOPS);
        let [red, green, blue] = palette.colour(fraction);
        _ = write!(out, "<stop offset=\"{fraction}\" stop-color=\"#{red:02x}{green:02x}{blue:02x}\"/>");
    }
    _ = write!(
        out,
        "</linearGradient><rect x=\"{left}\" y=\"{TOP}\" width=\"{}\" height=\"{SIDE}\" fill=\"url(#colours)\"/>",
        BAR[1]
    );
    for tick in colours.fine_ticks(6) {
        let Some(label) = tick.label else { continue };
        let position = colours.position(tick.value);
        _ = write!(
            out,
            "<path class=\"frame\" d=\"M{right} {position:.1}h5\"/><text x=\"{}\" y=\"{:.1}\">{label}</text>",
            right + 8.0,
            position + 4.0
        );
    }
    let name = match colours.base() {
        Some(base) => escape(&format!("{}, difference from {base}", axis.label)),
        None => escape(&axis.label),
    };
    _ = write!(
        out,
        "<text class=\"name\" transform=\"translate({} {}) rotate(-90)\">{name}</text>",
        right + BAR[2] - 18.0,
        TOP + SIDE / 2.0
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example(values: Vec<f64>) -> Map {
        Map {
            x: Axis::linear("x").spanning(0.0, 2.0),
            y: Axis::linear("y").spanning(0.0, 1.0),
            counts: [3, 2],
            colour: Axis::linear("t (s)"),
            palette: Palette::Values,
            values,
            others: ["no event".to_owned(), "failed".to_owned()],
        }
    }

    /// Values x + 10 y at (0, 0), (0, 1), (1, 0), …: the upper row of the picture is that of y = 1.
    #[test]
    fn a_cell_is_at_its_place_and_has_its_colour() {
        let Drawing { svg, cells: Some(Cells { raster, .. }) } =
            map(&example(vec![0.0, 10.0, 1.0, 11.0, f64::NAN, 12.0]), "example")
        else {
            panic!("a map has cells")
        };
        let shade = |value: f64| (253.0 * value / 12.0).round() as u8;
        assert_eq!(raster.cells, [shade(10.0), shade(11.0), 253, 0, shade(1.0), 254]);
        assert_eq!(raster.colour(0, 1), Some(viridis(0.0)));
        assert_eq!(raster.colour(2, 0), Some(viridis(1.0)));
        assert!(svg.contains("no event") && !svg.contains("failed") && svg.contains("t (s)"), "{svg}");
    }

    #[test]
    fn a_map_without_a_number_has_no_bar() {
        let Drawing { svg, .. } = map(&example(vec![f64::INFINITY; 6]), "example");
        assert!(svg.contains("failed") && !svg.contains("t (s)") && !svg.contains("NaN"), "{svg}");
        // All values are equal.
        assert!(map(&example(vec![3.0; 6]), "example").svg.contains("t (s)"));
    }
}
