//! Charts: curves over axes, maps by colours, and their drawing as SVG.

mod colour;
mod map;
mod raster;
mod scale;
mod svg;

pub use map::{Cells, Drawing, Map, Palette, map};
pub use raster::Raster;
pub use svg::{render, standalone};

use std::borrow::Cow;

/// Curves in one pair of axes.
#[derive(Debug)]
pub struct Chart {
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The curves, the first at the back.
    pub curves: Vec<Curve>,
    /// Height over width.
    pub aspect: f64,
}

/// An axis.
#[derive(Clone, Debug)]
pub struct Axis {
    /// The quantity with its unit.
    pub label: Cow<'static, str>,
    /// Whether it is logarithmic.
    pub logarithmic: bool,
    /// The ends; those of the curves, rounded outward, where not given.
    pub range: Option<[f64; 2]>,
}

/// One curve.
#[derive(Debug)]
pub struct Curve {
    /// Its name in the legend.
    pub name: Cow<'static, str>,
    /// The points, thinned for drawing.
    pub points: Vec<[f64; 2]>,
    /// How it is drawn.
    pub style: Style,
    /// Whether the points are drawn as dots, and not as a line through them.
    pub dotted: bool,
}

/// How a curve is drawn: each has its own colour in both themes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// The first colour.
    First,
    /// The second colour.
    Second,
    /// The third colour.
    Third,
    /// The fourth colour.
    Fourth,
    /// The fifth colour.
    Fifth,
    /// The sixth colour.
    Sixth,
    /// The seventh colour.
    Seventh,
    /// The eighth colour.
    Eighth,
    /// The ninth colour.
    Ninth,
    /// Grey and dashed: for what the others are compared with.
    Reference,
    /// A light area, whose edge the points go around.
    Band,
    /// An area within one of [`Style::Band`].
    InnerBand,
}

impl Style {
    /// The colours in order, for charts of many curves.
    pub const ALL: [Self; 9] = [
        Self::First,
        Self::Second,
        Self::Third,
        Self::Fourth,
        Self::Fifth,
        Self::Sixth,
        Self::Seventh,
        Self::Eighth,
        Self::Ninth,
    ];
}

impl Axis {
    /// A linear axis that fits the curves.
    pub fn linear(label: impl Into<Cow<'static, str>>) -> Self {
        Self { label: label.into(), logarithmic: false, range: None }
    }

    /// A logarithmic axis that fits the curves.
    pub fn logarithmic(label: impl Into<Cow<'static, str>>) -> Self {
        Self { label: label.into(), logarithmic: true, range: None }
    }

    /// The same with given ends.
    pub fn spanning(mut self, low: f64, high: f64) -> Self {
        self.range = Some([low, high]);
        self
    }
}

impl Curve {
    /// A curve through `points`.
    pub fn new(name: impl Into<Cow<'static, str>>, style: Style, points: Vec<[f64; 2]>) -> Self {
        Self { name: name.into(), points, style, dotted: false }
    }

    /// A dot at each of `points`.
    pub fn dots(name: impl Into<Cow<'static, str>>, style: Style, points: Vec<[f64; 2]>) -> Self {
        Self { dotted: true, ..Self::new(name, style, points) }
    }
}

impl Chart {
    /// A chart of the usual shape.
    pub fn new(x: Axis, y: Axis, curves: Vec<Curve>) -> Self {
        Self { x, y, curves, aspect: 0.36 }
    }

    /// The same with another height over width.
    pub fn with_aspect(mut self, aspect: f64) -> Self {
        self.aspect = aspect;
        self
    }
}
