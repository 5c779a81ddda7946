//! Where two shapes are nearest to each other.

use super::{Kind, Stated, axes, difference, scaled};
use crate::graph::function::Function;
use crate::graph::{Graph, Id};

/// The unit vector from the second shape to the first, and for each shape the way from its point to the place at which it touches the other.
type Touching = (Vec<Id>, [Vec<Id>; 2]);

/// Two shapes beside each other.
pub(super) struct Near {
    pub(super) distance: Id,
    /// Where they touch. `None` for a shape that may lie flat on a plane.
    pub(super) touching: Option<Touching>,
}

/// Where two shapes are nearest to each other. `None` for pairs whose distance has no such formula.
pub(super) fn near(graph: &mut Graph, [first, second]: &[Stated; 2]) -> Option<Near> {
    use Kind::{Box, Capsule, Plane, Sphere};
    let found = match (first.kind, second.kind) {
        (Sphere, Sphere) => {
            let ways = [first, second].map(|shape| scaled(graph, &shape.point.entries, None));
            round(graph, [first, second], ways)
        }
        (Sphere, Capsule) => {
            let ways =
                [scaled(graph, &first.point.entries, None), nearest_on_axis(graph, &first.point.entries, second)];
            round(graph, [first, second], ways)
        }
        (Sphere, Box) => {
            let ways = [scaled(graph, &first.point.entries, None), nearest_in_box(graph, &first.point.entries, second)];
            // A sphere meets the whole box with sharp edges. Its radius counts in its vertices and edges, and in its distance from a plane.
            let whole = Stated { radius: graph.zero(), ..second.clone() };
            round(graph, [first, &whole], ways)
        }
        (Capsule, Capsule) => {
            let ways = nearest_on_axes(graph, [first, second]);
            round(graph, [first, second], ways)
        }
        (Sphere, Plane) => {
            let (normal, height) = height(graph, &first.point.entries, second);
            let distance = graph.sub(height, first.radius);
            let way = difference(graph, &first.point.entries, &second.point.entries);
            let minus = graph.neg(first.radius);
            let foot = scaled(graph, &normal, Some(height));
            let levers = [scaled(graph, &normal, Some(minus)), difference(graph, &way, &foot)];
            Near { distance, touching: Some((normal, levers)) }
        }
        (Capsule, Plane) => {
            let heights = [&first.point.entries, &first.second].map(|end| height(graph, end, second).1);
            let lower = graph.call(Function::Min, &heights);
            Near { distance: graph.sub(lower, first.radius), touching: None }
        }
        (Box, Plane) => {
            // A box whose vertices have the radius r reaches towards the plane by r + Σ (hₖ − r) |n·eₖ|.
            let (normal, mut distance) = height(graph, &first.point.entries, second);
            for (axis, &half) in axes(graph, first.orientation.as_ref()).iter().zip(&first.second) {
                let along = graph.inner(&normal, axis);
                let along = graph.call(Function::Abs, &[along]);
                let half = graph.sub(half, first.radius);
                let reach = graph.mul(half, along);
                distance = graph.sub(distance, reach);
            }
            Near { distance: graph.sub(distance, first.radius), touching: None }
        }
        (Capsule | Box, Sphere) | (Plane, Sphere | Capsule | Box) => {
            let Near { distance, touching } = near(graph, &[second.clone(), first.clone()])?;
            let touching = touching
                .map(|(normal, [one, other])| (normal.iter().map(|&entry| graph.neg(entry)).collect(), [other, one]));
            Near { distance, touching }
        }
        (Plane, Plane) | (Box, Capsule | Box) | (Capsule, Box) => return None,
    };
    Some(found)
}

/// The unit normal of a plane, and how high a point is over it.
fn height(graph: &mut Graph, point: &[Id], plane: &Stated) -> (Vec<Id>, Id) {
    let length = graph.call(Function::Norm, &plane.second);
    let normal: Vec<Id> = plane.second.iter().map(|&entry| graph.div(entry, length)).collect();
    let way = difference(graph, point, &plane.point.entries);
    let height = graph.inner(&normal, &way);
    (normal, height)
}

/// A number between 0 and 1: the nearest one.
fn within(graph: &mut Graph, part: Id) -> Id {
    let (zero, one) = (graph.zero(), graph.one());
    let part = graph.call(Function::Max, &[zero, part]);
    graph.call(Function::Min, &[one, part])
}

/// The way from the first end of a capsule's axis to the point of this axis that is nearest to a centre.
fn nearest_on_axis(graph: &mut Graph, centre: &[Id], capsule: &Stated) -> Vec<Id> {
    let axis = difference(graph, &capsule.second, &capsule.point.entries);
    let way = difference(graph, centre, &capsule.point.entries);
    let (along, square) = (graph.inner(&way, &axis), graph.inner(&axis, &axis));
    let part = graph.div(along, square);
    let part = within(graph, part);
    scaled(graph, &axis, Some(part))
}

/// The ways from the first ends of two axes p + s a and q + u b to the points of the axes that are nearest to each other.
///
/// On the lines, (a·a)(b·b) − (a·b)² times s is (a·b)(b·w) − (b·b)(a·w) with w = p − q. With this s between 0 and 1, the nearest u for this s, and then the nearest s for
/// this u, are the solution (C. Ericson, *Real-Time Collision Detection*, 2005, 5.1.9). Where the axes are parallel, any first s leads to nearest points, and 0 is taken.
fn nearest_on_axes(graph: &mut Graph, [first, second]: [&Stated; 2]) -> [Vec<Id>; 2] {
    let [a, b] = [first, second].map(|capsule| difference(graph, &capsule.second, &capsule.point.entries));
    let way = difference(graph, &first.point.entries, &second.point.entries);
    let (aa, bb, ab) = (graph.inner(&a, &a), graph.inner(&b, &b), graph.inner(&a, &b));
    let (aw, bw) = (graph.inner(&a, &way), graph.inner(&b, &way));
    let [plus, minus] = [graph.mul(ab, bw), graph.mul(bb, aw)];
    let over = graph.sub(plus, minus);
    let [plus, minus] = [graph.mul(aa, bb), graph.mul(ab, ab)];
    let under = graph.sub(plus, minus);
    let under = graph.call(Function::RecipOrZero, &[under]);
    let s = graph.mul(over, under);
    let s = within(graph, s);
    let along = graph.mul(ab, s);
    let along = graph.add(along, bw);
    let u = graph.div(along, bb);
    let u = within(graph, u);
    let along = graph.mul(ab, u);
    let along = graph.sub(along, aw);
    let s = graph.div(along, aa);
    let s = within(graph, s);
    [scaled(graph, &a, Some(s)), scaled(graph, &b, Some(u))]
}

/// The way from the centre of a box to its point that is nearest to another centre: along each axis, the part between −h and h.
fn nearest_in_box(graph: &mut Graph, centre: &[Id], solid: &Stated) -> Vec<Id> {
    let way = difference(graph, centre, &solid.point.entries);
    let mut nearest = scaled(graph, &way, None);
    for (axis, &half) in axes(graph, solid.orientation.as_ref()).iter().zip(&solid.second) {
        let along = graph.inner(&way, axis);
        let minus = graph.neg(half);
        let along = graph.call(Function::Max, &[minus, along]);
        let along = graph.call(Function::Min, &[half, along]);
        let part = scaled(graph, axis, Some(along));
        nearest = nearest.iter().zip(part).map(|(&entry, part)| graph.add(entry, part)).collect();
    }
    nearest
}

/// Two round shapes about the points that are these ways from the points of the shapes.
fn round(graph: &mut Graph, shapes: [&Stated; 2], ways: [Vec<Id>; 2]) -> Near {
    let [one, other] = [0, 1].map(|i| -> Vec<Id> {
        shapes[i].point.entries.iter().zip(&ways[i]).map(|(&entry, &way)| graph.add(entry, way)).collect()
    });
    let between = difference(graph, &one, &other);
    let length = graph.call(Function::Norm, &between);
    // As the gradient of the length, the normal is 0 where the points coincide.
    let over = graph.call(Function::RecipOrZero, &[length]);
    let normal: Vec<Id> = between.iter().map(|&entry| graph.mul(entry, over)).collect();
    let apart = graph.sub(length, shapes[0].radius);
    let distance = graph.sub(apart, shapes[1].radius);
    let minus = graph.neg(shapes[0].radius);
    let levers = [(&ways[0], minus), (&ways[1], shapes[1].radius)].map(|(way, radius)| {
        let beyond = scaled(graph, &normal, Some(radius));
        way.iter().zip(beyond).map(|(&way, beyond)| graph.add(way, beyond)).collect()
    });
    Near { distance, touching: Some((normal, levers)) }
}
