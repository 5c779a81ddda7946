//! The page's content: sections with figures and animations.

use super::plot::Chart;

/// One experiment.
#[derive(Debug, Default)]
pub struct Section {
    /// The anchor.
    pub id: &'static str,
    /// The study that it belongs to, with the mechanism's name.
    pub study: &'static str,
    /// The heading.
    pub title: String,
    /// The mechanism, its parameters and the method, in a sentence or two.
    pub setup: String,
    /// The derived equations as text; shown folded.
    pub equations: Option<&'static str>,
    /// An animation.
    pub animation: Option<Animation>,
    /// The figures.
    pub figures: Vec<Figure>,
}

/// Charts that belong together, with what they show.
#[derive(Debug)]
pub struct Figure {
    /// The title.
    pub title: String,
    /// The charts, side by side where there is room.
    pub charts: Vec<Chart>,
    /// What the document says.
    pub paper: String,
    /// What we find.
    pub ours: String,
}

/// Hinged bars in series that move: the positions of their ends in time.
#[derive(Debug)]
pub struct Animation {
    /// The anchor of its data.
    pub id: &'static str,
    /// What it shows.
    pub caption: String,
    /// Seconds between frames.
    pub step: f64,
    /// What is shown: from −`reach` to `reach` across and from `low` to `high` upward, m.
    pub reach: f64,
    /// The lower edge, m.
    pub low: f64,
    /// The upper edge, m.
    pub high: f64,
    /// (x, y) of the bars' ends at each frame, from the hinge outward, y upward, m.
    pub frames: Vec<Vec<[f64; 2]>>,
    /// How long the tip's trail stays, s.
    pub trail: f64,
}
