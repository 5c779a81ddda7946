//! Charts: curves over axes, and their drawing as SVG.

mod scale;
mod svg;

pub(crate) use svg::render;

/// Curves in one pair of axes.
#[derive(Debug)]
pub(crate) struct Chart {
    /// The horizontal axis.
    pub(crate) x: Axis,
    /// The vertical axis.
    pub(crate) y: Axis,
    /// The curves, the first at the back.
    pub(crate) curves: Vec<Curve>,
    /// Height over width.
    pub(crate) aspect: f64,
}

/// An axis.
#[derive(Debug)]
pub(crate) struct Axis {
    /// The quantity with its unit.
    pub(crate) label: &'static str,
    /// Whether it is logarithmic.
    pub(crate) logarithmic: bool,
    /// The ends; those of the curves, rounded outward, where not given.
    pub(crate) range: Option<[f64; 2]>,
}

/// One curve.
#[derive(Debug)]
pub(crate) struct Curve {
    /// Its name in the legend.
    pub(crate) name: &'static str,
    /// The points, thinned for drawing.
    pub(crate) points: Vec<[f64; 2]>,
    /// How it is drawn.
    pub(crate) style: Style,
}

/// How a curve is drawn: each has its own colour in both themes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
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
}

impl Style {
    /// The colours in order, for charts of many curves.
    pub(crate) const ALL: [Self; 9] = [
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
    pub(crate) fn linear(label: &'static str) -> Self {
        Self { label, logarithmic: false, range: None }
    }

    /// A logarithmic axis that fits the curves.
    pub(crate) fn logarithmic(label: &'static str) -> Self {
        Self { label, logarithmic: true, range: None }
    }

    /// The same with given ends.
    pub(crate) fn spanning(mut self, low: f64, high: f64) -> Self {
        self.range = Some([low, high]);
        self
    }
}

impl Curve {
    /// A curve through `points`.
    pub(crate) fn new(name: &'static str, style: Style, points: Vec<[f64; 2]>) -> Self {
        Self { name, points, style }
    }
}

impl Chart {
    /// A chart of the usual shape.
    pub(crate) fn new(x: Axis, y: Axis, curves: Vec<Curve>) -> Self {
        Self { x, y, curves, aspect: 0.36 }
    }

    /// The same with another height over width.
    pub(crate) fn with_aspect(mut self, aspect: f64) -> Self {
        self.aspect = aspect;
        self
    }
}
