//! Bodies of the animation: outputs that are lists of points, drawn by their names.

use super::data::MovingPoint;

/// How the points of an output are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A line through the points.
    Rod,
    /// A coil from each point to the next.
    Spring,
    /// An area with the points as its corners.
    Body,
    /// A line that is hatched on its right side, on the way from the first point to the last.
    Floor,
}

/// The words of names, and what they draw.
const WORDS: [(&str, Kind); 12] = [
    ("rod", Kind::Rod),
    ("bar", Kind::Rod),
    ("beam", Kind::Rod),
    ("link", Kind::Rod),
    ("line", Kind::Rod),
    ("rope", Kind::Rod),
    ("spring", Kind::Spring),
    ("body", Kind::Body),
    ("box", Kind::Body),
    ("floor", Kind::Floor),
    ("ground", Kind::Floor),
    ("wall", Kind::Floor),
];

impl Kind {
    /// The name in the data of the page.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Rod => "rod",
            Self::Spring => "spring",
            Self::Body => "body",
            Self::Floor => "floor",
        }
    }
}

/// A shape, and its points by their places among all points.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Shape<'r> {
    /// The name of the output: `rod`, `left_spring`, `rod[2]`.
    pub(super) name: &'r str,
    pub(super) kind: Kind,
    pub(super) points: Vec<usize>,
}

/// The shapes among points, in the order of their first point. The points `rod[0]` and `rod[1]` are those of the output `rod`. A word of the
/// name, which digits may follow, says how it is drawn; of several words the last one. An area needs three points, others two.
pub(super) fn shapes<'r>(points: &[MovingPoint<'r>]) -> Vec<Shape<'r>> {
    let mut found: Vec<Shape<'r>> = Vec::new();
    for (place, point) in points.iter().enumerate() {
        let Some((name, _)) = point.name.rsplit_once('[') else { continue };
        let Some(kind) = kind(name) else { continue };
        match found.iter_mut().find(|shape| shape.name == name) {
            Some(shape) => shape.points.push(place),
            None => found.push(Shape { name, kind, points: vec![place] }),
        }
    }
    found.retain(|shape| shape.points.len() >= if shape.kind == Kind::Body { 3 } else { 2 });
    found
}

fn kind(name: &str) -> Option<Kind> {
    let own = name.rsplit('.').next().unwrap_or_default();
    let stem = own.split('[').next().unwrap_or_default();
    let mut words = stem.split('_').map(|word| word.trim_end_matches(|sign: char| sign.is_ascii_digit()));
    words
        .rfind(|word| !word.is_empty())
        .and_then(|last| WORDS.iter().find(|(word, _)| *word == last.to_lowercase()).map(|(_, kind)| *kind))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::mechanism::{MechanismReport, SeriesRow};
    use lagrange_runtime::prelude::*;

    #[lagrangian {
        coordinates x, theta;
        let hinge = [x, 0];
        let tip = hinge + [l*sin(theta), -l*cos(theta)];
        kinetic = m*norm2(dot(hinge))/2 + m*norm2(dot(tip))/2;
        output rod = [hinge, tip];
        output tip = tip;
        output floor = [[-1, 0], [1, 0]];
    }]
    #[derive(Clone)]
    struct Crane {
        m: f64,
        l: f64,
    }

    #[test]
    fn a_block_states_bodies_as_lists_of_points() {
        let system = Crane { m: 1.0, l: 1.0 }.prepare::<f64>().expect("positive");
        let row = |name: &&str| SeriesRow { name: (*name).to_owned(), series: vec![0.0, 1.0] };
        let outputs = system.output_names().iter().map(row).collect();
        let report = MechanismReport { t: vec![0.0, 1.0], outputs, ..MechanismReport::default() };
        let points = report.points();
        let found: Vec<(&str, Kind)> = shapes(&points).iter().map(|shape| (shape.name, shape.kind)).collect();
        assert_eq!(found, [("rod", Kind::Rod), ("floor", Kind::Floor)], "{:?}", system.output_names());
        assert_eq!(points.len(), 5);
    }

    fn found(names: &[&'static str]) -> Vec<(&'static str, Kind, Vec<usize>)> {
        let points: Vec<MovingPoint<'static>> =
            names.iter().map(|name| MovingPoint { name, components: Vec::new() }).collect();
        shapes(&points).into_iter().map(|shape| (shape.name, shape.kind, shape.points)).collect()
    }

    #[test]
    fn names_say_how_lists_of_points_are_drawn() {
        let names = ["tip", "rod[0]", "rod[1]", "left_spring2[0]", "left_spring2[1]", "Box[0]", "Box[1]", "Box[2]"];
        let expected = [
            ("rod", Kind::Rod, vec![1, 2]),
            ("left_spring2", Kind::Spring, vec![3, 4]),
            ("Box", Kind::Body, vec![5, 6, 7]),
        ];
        assert_eq!(found(&names), expected);
        assert_eq!(
            found(&["floor[0]", "floor[1]", "rod[0][0]", "rod[0][1]", "rod[1][0]", "rod[1][1]"]),
            [("floor", Kind::Floor, vec![0, 1]), ("rod[0]", Kind::Rod, vec![2, 3]), ("rod[1]", Kind::Rod, vec![4, 5]),]
        );
    }

    #[test]
    fn other_points_stay_points() {
        assert_eq!(
            found(&[
                "rod",
                "planets[0]",
                "planets[1]",
                "wall[0]",
                "body[0]",
                "body[1]",
                "springboard[0]",
                "springboard[1]"
            ]),
            []
        );
    }
}
