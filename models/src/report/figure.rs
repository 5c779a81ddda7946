//! The page's content: sections with figures and animations.

use super::plot::Chart;

/// One experiment.
#[derive(Debug, Default)]
pub(crate) struct Section {
    /// The anchor.
    pub(crate) id: &'static str,
    /// The study that it belongs to, with the mechanism's name.
    pub(crate) study: &'static str,
    /// The heading.
    pub(crate) title: String,
    /// The mechanism, its parameters and the method, in a sentence or two.
    pub(crate) setup: String,
    /// The derived equations as text; shown folded.
    pub(crate) equations: Option<&'static str>,
    /// An animation.
    pub(crate) animation: Option<Animation>,
    /// The figures.
    pub(crate) figures: Vec<Figure>,
}

/// Charts that belong together, with what they show.
#[derive(Debug)]
pub(crate) struct Figure {
    /// The title.
    pub(crate) title: String,
    /// The charts, side by side where there is room.
    pub(crate) charts: Vec<Chart>,
    /// What the document says.
    pub(crate) paper: String,
    /// What we find.
    pub(crate) ours: String,
}

/// Hinged bars in series that move: the positions of their ends in time.
#[derive(Debug)]
pub(crate) struct Animation {
    /// The anchor of its data.
    pub(crate) id: &'static str,
    /// What it shows.
    pub(crate) caption: String,
    /// Seconds between frames.
    pub(crate) step: f64,
    /// What is shown: from −`reach` to `reach` across and from `low` to `high` upward, m.
    pub(crate) reach: f64,
    /// The lower edge, m.
    pub(crate) low: f64,
    /// The upper edge, m.
    pub(crate) high: f64,
    /// (x, y) of the bars' ends at each frame, from the hinge outward, y upward, m.
    pub(crate) frames: Vec<Vec<[f64; 2]>>,
    /// How long the tip's trail stays, s.
    pub(crate) trail: f64,
}
