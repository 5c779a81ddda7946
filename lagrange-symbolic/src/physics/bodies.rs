//! Frames that turn, and points whose velocities are known in them.

use crate::graph::{Graph, Id, Node, Symbol, Triple};
use std::collections::BTreeMap;

/// A bound of |∂x/∂vᵢ| for each coordinate i on which a velocity x depends.
pub type Slopes = BTreeMap<u32, Id>;

/// A velocity whose components are those in a frame.
#[derive(Clone, Debug)]
pub struct Motion {
    /// Its components.
    pub components: Triple,
    /// The rates of the components, with accelerations.
    pub rates: Triple,
    /// The components of its rate in space: the rates, and ω × the components. No velocity of a point is in them.
    pub in_space: Triple,
    /// The bounds of its derivatives by velocities.
    pub slopes: Slopes,
    /// What stands for the components in [`Bodies::twins`], if an energy contains them.
    pub placeholders: Option<[Symbol; 3]>,
}

/// A frame, and the points whose velocities are known in it.
#[derive(Clone, Debug)]
pub struct Body {
    /// The angular velocity of the frame.
    pub turning: Motion,
    /// The points.
    pub points: Vec<Point>,
}

/// A point whose velocity is known in a frame.
#[derive(Clone, Debug)]
pub struct Point {
    /// Its velocity.
    pub moving: Motion,
    /// The position in space.
    pub position: Triple,
    /// The rotation matrix of the frame, row by row.
    pub axes: [Id; 9],
    /// What stands for the components of the position in [`Bodies::rows`], if a constraint contains them.
    pub placeholders: Option<[Symbol; 3]>,
}

/// The frames that turn with rotations by angles.
#[derive(Clone, Debug, Default)]
pub struct Bodies {
    /// Each frame with the velocities of points that are known in it.
    pub bodies: Vec<Body>,
    /// Parts of energies, each with the same part in which placeholders stand for the components of velocities. The graph's rules for
    /// products and sums cannot take the components apart there. The velocity of a point is in them only as its square.
    pub twins: Vec<[Id; 2]>,
    /// Holonomic rows, each with the same row in which placeholders stand for positions of points.
    pub rows: Vec<[Id; 2]>,
}

impl Bodies {
    /// All expressions.
    pub(crate) fn expressions(&mut self) -> impl Iterator<Item = &mut Id> {
        let bodies = self.bodies.iter_mut().flat_map(|body| {
            let points = body.points.iter_mut().flat_map(|point| {
                let Point { moving, position, axes, placeholders: _ } = point;
                moving.expressions().chain(position).chain(axes)
            });
            body.turning.expressions().chain(points)
        });
        bodies.chain(self.twins.iter_mut().chain(&mut self.rows).flatten())
    }
}

impl Point {
    /// The components of the position that have placeholders, with these. A component that is a number or a symbol has none.
    pub(crate) fn open(&self, graph: &Graph) -> Vec<(Symbol, usize)> {
        let placeholders = self.placeholders.into_iter().flatten().zip(0..);
        placeholders.filter(|&(_, i): &(Symbol, usize)| is_quantity(graph, self.position[i])).collect()
    }
}

/// Whether a component of a position is neither a number nor a symbol.
pub(crate) fn is_quantity(graph: &Graph, entry: Id) -> bool {
    graph.as_number(entry).is_none() && !matches!(graph.node(entry), Node::Symbol(_))
}

impl Motion {
    pub(crate) fn expressions(&mut self) -> impl Iterator<Item = &mut Id> {
        self.components.iter_mut().chain(&mut self.rates).chain(&mut self.in_space).chain(self.slopes.values_mut())
    }

    /// The components with their placeholders. A component that is a number has none.
    pub(crate) fn open(&self, graph: &Graph) -> Vec<(Symbol, usize)> {
        let placeholders = self.placeholders.into_iter().flatten().zip(0..);
        placeholders.filter(|&(_, i): &(Symbol, usize)| graph.as_number(self.components[i]).is_none()).collect()
    }
}
