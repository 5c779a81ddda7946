//! The page's content: studies, their sections, and the figures and animations in them.

use super::plot::Chart;

/// A published document. Its sections and its rows have its number.
#[derive(Clone, Copy, Debug)]
pub struct Study {
    /// The document's number, or 0 for what goes beyond the documents.
    pub number: u32,
    /// The anchor.
    pub id: &'static str,
    /// A name for headings and for the navigation.
    pub name: &'static str,
    /// Author, title, place and year; empty where there is no document.
    pub document: &'static str,
    /// What the document does, in a sentence or two.
    pub summary: &'static str,
}

/// One experiment.
#[derive(Debug, Default)]
pub struct Section {
    /// The anchor.
    pub id: &'static str,
    /// The number of the study that it belongs to.
    pub study: u32,
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
