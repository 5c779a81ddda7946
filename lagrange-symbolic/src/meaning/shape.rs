//! Shapes of bodies: their distances, and the velocities with which they slip on each other.
//!
//! The gap between two shapes is the distance of the points in which they touch where it is 0. The slip is the relative velocity of the two material points there, across the
//! normal of the surfaces. A material point moves with its body: v = ṗ + ω × (x − p), where p is a point of the body that the shape states, and ω follows from the
//! orientation of the body. `shape/near.rs` has the points.

mod near;

use super::arithmetic::scalar_needed;
use super::exact::element_name;
use super::order::{Definition, indexed};
use super::rotation::of_quaternion;
use super::scope::Scope;
use super::value::{Shape, Value};
use crate::graph::function::Function;
use crate::graph::{Graph, Id, Symbol};
use crate::report::{Mistake, Place};
use crate::syntax::{Expr, ExprKind, plain};

/// What a body looks like near a contact.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Sphere,
    Plane,
    Capsule,
    Box,
}

impl Kind {
    const ALL: [Self; 4] = [Self::Sphere, Self::Plane, Self::Capsule, Self::Box];

    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    fn name(self) -> &'static str {
        match self {
            Self::Sphere => "sphere",
            Self::Plane => "plane",
            Self::Capsule => "capsule",
            Self::Box => "box",
        }
    }

    /// How the shape is written with the orientation of its body.
    fn form(self) -> &'static str {
        match self {
            Self::Sphere => "sphere(centre, radius, orientation)",
            Self::Plane => "plane(point, normal, orientation)",
            Self::Capsule => "capsule(end, end, radius, orientation)",
            Self::Box => "box(centre, half_sizes, orientation, radius)",
        }
    }

    /// The number of arguments without the orientation, and without the radius of a box after it. A box always has an orientation.
    fn needed(self) -> usize {
        if self == Self::Capsule { 3 } else { 2 }
    }

    /// The numbers of arguments, in words and as bounds.
    fn arguments(self) -> (String, [usize; 2]) {
        let needed = self.needed();
        match self {
            Self::Box => ("3 or 4 arguments".to_owned(), [3, 4]),
            _ => (format!("{needed} or {} arguments", needed + 1), [needed, needed + 1]),
        }
    }
}

/// A shape as it is stated.
#[derive(Clone)]
pub(super) struct Stated {
    kind: Kind,
    /// The centre of a sphere or a box, a point of a plane, the first end of a capsule's axis.
    point: Value,
    /// The normal of a plane, the second end of a capsule's axis, half of the sizes of a box; empty for a sphere.
    second: Vec<Id>,
    /// The radius of a sphere, of a capsule, or of the vertices and edges of a box; 0 for a plane.
    radius: Id,
    orientation: Option<Value>,
    place: Place,
}

impl Scope<'_> {
    /// `distance(a, b)`, or `slip_velocity(a, b)`, of two shapes.
    pub(super) fn shapes(&mut self, name: &str, arguments: &[Expr], place: Place) -> Option<Value> {
        let [first, second] = arguments else {
            let (function, expected) = (name.to_owned(), "2 arguments".to_owned());
            let help = format!("write `{name}(sphere(centre, radius), plane(point, normal))`");
            self.report.add(Mistake::ArgumentCount { function, expected, found: arguments.len(), help }, place);
            return None;
        };
        let (first, second) = (self.stated_shape(name, first), self.stated_shape(name, second));
        let shapes = [first?, second?];
        let [one, other] = [0, 1].map(|i| shapes[i].kind.name().to_owned());
        let sizes = [0, 1].map(|i| shapes[i].point.entries.len());
        if sizes[0] != sizes[1] {
            self.report.add(Mistake::ShapeDimensions { one, other }, place);
            return None;
        }
        let Some(near) = near::near(&mut self.graph, &shapes) else {
            self.report.add(Mistake::ShapePair { one, other }, place);
            return None;
        };
        let touching = near.touching.ok_or_else(|| self.flat(&shapes));
        let has_point = |shape: &Stated| match shape.kind {
            Kind::Plane => false,
            Kind::Box => true,
            Kind::Sphere | Kind::Capsule => self.graph.is_zero(shape.radius),
        };
        let is_sharp = shapes.iter().all(has_point);
        let touching = if is_sharp { Err(Mistake::SharpShapes { one, other }) } else { touching };
        match (name, touching) {
            ("distance", touching) => {
                self.no_gap = self.no_gap.take().or(touching.err().map(|mistake| (mistake, place)));
                Some(Value::scalar(near.distance))
            }
            (_, Err(mistake)) => {
                self.report.add(mistake, place);
                None
            }
            (_, Ok((normal, levers))) => {
                let [first, second] = [0, 1].map(|i| self.material_velocity(&shapes[i], &levers[i]));
                Some(slip(&mut self.graph, &normal, (&first?, &second?)))
            }
        }
    }

    /// The mistake in a contact of a shape that may lie flat on a plane.
    fn flat(&self, shapes: &[Stated; 2]) -> Mistake {
        let index = usize::from(shapes[0].kind == Kind::Plane);
        let name = shapes[index].kind.name().to_owned();
        Mistake::FlatShape { name, count: Part::Vertex.count(&shapes[index]) }
    }

    /// A shape stands in `distance`, `slip_velocity`, `vertex`, `edge` and `let` only.
    pub(super) fn lone_shape(&mut self, name: &str, place: Place) {
        self.report.add(Mistake::LoneShape { name: name.to_owned() }, place);
    }

    /// Whether an expression states a shape, and so is no quantity.
    pub(super) fn is_shape(&self, expr: &Expr) -> bool {
        let ExprKind::Call { function, .. } = &expr.kind else { return false };
        let name = plain(function);
        (Kind::named(&name).is_some() || Part::named(&name).is_some()) && !self.functions.contains_key(&name)
    }

    /// Gives a name to a shape. Without one its mistake is reported already.
    pub(super) fn bind_shape(&mut self, definition: &Definition<'_>, shape: Option<Stated>) {
        let elements = self.bodies.entry(plain(definition.name)).or_default();
        elements.entry(definition.indices.clone()).or_insert(shape);
    }

    /// The shape that a definition states.
    pub(super) fn defined_shape(&mut self, definition: &Definition<'_>) -> Option<Stated> {
        self.with_indices(&definition.locals, |scope| scope.stated_shape("let", definition.value))
    }

    fn stated_shape(&mut self, function: &str, expr: &Expr) -> Option<Stated> {
        match &expr.kind {
            ExprKind::Call { function: name, arguments } if self.is_shape(expr) => {
                let name = plain(name);
                match (Kind::named(&name), Part::named(&name)) {
                    (Some(kind), _) => self.written_shape(kind, arguments, expr.place),
                    (None, Some(part)) => self.part(part, arguments, expr.place),
                    (None, None) => None,
                }
            }
            _ => self.named_shape(function, expr),
        }
    }

    /// A shape that a `let` names.
    fn named_shape(&mut self, function: &str, expr: &Expr) -> Option<Stated> {
        let (base, indices) = indexed(expr);
        let ExprKind::Name(name) = &base.kind else {
            let mistake = Mistake::ShapeNeeded { function: function.to_owned(), found: expr.to_string() };
            self.report.add(mistake, expr.place);
            return None;
        };
        let name = plain(name);
        let Some(elements) = self.bodies.get(&name) else {
            // A name that nothing states is reported as such.
            if self.is_quantity(&name) {
                let mistake = Mistake::ShapeNeeded { function: function.to_owned(), found: expr.to_string() };
                self.report.add(mistake, expr.place);
            } else {
                self.value(base);
            }
            return None;
        };
        let mut values = Vec::new();
        for index in indices {
            match self.known.whole(index) {
                Ok(value) => values.push(value),
                Err(fault) => {
                    self.fault(fault);
                    return None;
                }
            }
        }
        match elements.get(&values) {
            Some(shape) => shape.clone().map(|shape| Stated { place: expr.place, ..shape }),
            None => {
                let known: Vec<String> =
                    elements.keys().map(|indices| format!("`{}`", element_name(&name, indices))).collect();
                let known = format!("there is {}", known.join(", "));
                let mistake = Mistake::UnknownElement { element: element_name(&name, &values), known };
                self.report.add(mistake, expr.place);
                None
            }
        }
    }

    fn written_shape(&mut self, kind: Kind, arguments: &[Expr], place: Place) -> Option<Stated> {
        let (expected, [least, most]) = kind.arguments();
        if !(least..=most).contains(&arguments.len()) {
            let function = kind.name().to_owned();
            let help = match kind {
                Kind::Box => format!("write `{}`, where the radius may be missing", kind.form()),
                _ => format!("write `{}`, where the orientation may be missing without friction", kind.form()),
            };
            let mistake = Mistake::ArgumentCount { function, expected, found: arguments.len(), help };
            self.report.add(mistake, place);
            return None;
        }
        let values: Vec<Value> = arguments.iter().map(|argument| self.value(argument)).collect::<Option<_>>()?;
        let what = |part: &str| format!("the {part} of `{}`", kind.name());
        let position = |found: &Value| Mistake::PositionNeeded {
            what: format!("`{}`", kind.name()),
            found: found.shape.to_string(),
        };
        let Shape::Vector(size @ (2 | 3)) = values[0].shape else {
            self.report.add(position(&values[0]), arguments[0].place);
            return None;
        };
        if kind != Kind::Sphere && values[1].shape != Shape::Vector(size) {
            self.report.add(position(&values[1]), arguments[1].place);
            return None;
        }
        let needed = kind.needed();
        let at = match kind {
            Kind::Plane => None,
            Kind::Box => Some(needed + 1).filter(|&at| at < values.len()),
            Kind::Sphere | Kind::Capsule => Some(needed - 1),
        };
        let radius = match at.map(|at| (at, values[at].as_scalar())) {
            None => self.graph.zero(),
            Some((_, Some(radius))) => radius,
            Some((at, None)) => {
                let mistake = scalar_needed(&what("radius"), &values[at]);
                self.report.add(mistake, arguments[at].place);
                return None;
            }
        };
        let orientation = values.get(needed).cloned();
        if let Some(turned) = &orientation {
            let fits = match size {
                2 => turned.shape == Shape::Scalar,
                _ => matches!(turned.shape, Shape::Vector(4) | Shape::Matrix(3, 3)),
            };
            if !fits {
                let mistake = match size {
                    2 => scalar_needed(&what("orientation"), turned),
                    _ => Mistake::OrientationNeeded { what: what("orientation"), found: turned.shape.to_string() },
                };
                self.report.add(mistake, arguments[needed].place);
                return None;
            }
            if turned.shape == Shape::Vector(4) {
                let text = &arguments[needed];
                self.quaternions.push((turned.entries.clone(), text.to_string(), text.place));
            }
        }
        let second = if kind == Kind::Sphere { Vec::new() } else { values[1].entries.clone() };
        Some(Stated { kind, point: values[0].clone(), second, radius, orientation, place })
    }

    /// `vertex(shape, i)` or `edge(shape, i)`.
    fn part(&mut self, part: Part, arguments: &[Expr], place: Place) -> Option<Stated> {
        let name = part.name();
        let [shape, index] = arguments else {
            let (function, expected) = (name.to_owned(), "2 arguments".to_owned());
            let help = format!("write `{name}(shape, index)`");
            self.report.add(Mistake::ArgumentCount { function, expected, found: arguments.len(), help }, place);
            return None;
        };
        let shape = self.stated_shape(name, shape)?;
        let number = match self.known.whole(index) {
            Ok(number) => number,
            Err(fault) => {
                self.fault(fault);
                return None;
            }
        };
        let count = part.count(&shape);
        let Some(which) = usize::try_from(number).ok().filter(|&which| which < count) else {
            let help = match (count, part) {
                (0, Part::Vertex) => "vertices are those of a box, and the two ends of a capsule".to_owned(),
                (0, Part::Edge) => "edges are those of a box".to_owned(),
                _ => format!("it has {count}, from 0 to {}", count - 1),
            };
            let name = shape.kind.name().to_owned();
            self.report.add(Mistake::NoPart { name, part: part.name().to_owned(), number, help }, place);
            return None;
        };
        let graph = &mut self.graph;
        let (kind, point, second) = match (part, shape.kind) {
            (Part::Vertex, Kind::Capsule) => {
                let end = if which == 0 { &shape.point.entries } else { &shape.second };
                (Kind::Sphere, end.clone(), Vec::new())
            }
            (Part::Vertex, _) => (Kind::Sphere, corner(graph, &shape, which), Vec::new()),
            (Part::Edge, _) => {
                let [start, end] = ends(which, shape.second.len());
                (Kind::Capsule, corner(graph, &shape, start), corner(graph, &shape, end))
            }
        };
        Some(Stated { kind, point: Value::vector(point), second, place, ..shape })
    }

    /// The velocity of the material point of a shape that is `lever` away from the point of the shape.
    fn material_velocity(&mut self, shape: &Stated, lever: &[Id]) -> Option<Vec<Id>> {
        let velocity = match self.total_derivative(&shape.point) {
            Ok(rate) => rate.entries,
            Err(fault) => {
                self.report.add(fault.0, shape.place);
                return None;
            }
        };
        let Some(orientation) = &shape.orientation else {
            let moves = |symbol| !matches!(symbol, Symbol::Parameter(_));
            let mut parts = shape.point.entries.iter().chain(&shape.second);
            let is_still = match shape.kind {
                Kind::Plane => !parts.any(|&part| self.graph.contains(part, moves)),
                // A point has no other material point than itself.
                Kind::Sphere => self.graph.is_zero(shape.radius),
                Kind::Capsule | Kind::Box => false,
            };
            if is_still {
                return Some(velocity);
            }
            let (name, form) = (shape.kind.name().to_owned(), shape.kind.form().to_owned());
            self.report.add(Mistake::ShapeOrientation { name, form }, shape.place);
            return None;
        };
        let orientation = orientation.clone();
        let turning = match orientation.shape {
            Shape::Scalar => self.total_derivative(&orientation).map(|rate| rate.entries),
            _ => self.angular_velocity(shape.kind.name(), &orientation, 0).map(|velocity| velocity.space.to_vec()),
        };
        let turning = match turning {
            Ok(turning) => turning,
            Err(fault) => {
                self.report.add(fault.0, shape.place);
                return None;
            }
        };
        let graph = &mut self.graph;
        let turned = match turning[..] {
            [rate] => {
                let minus = graph.neg(lever[1]);
                vec![graph.mul(rate, minus), graph.mul(rate, lever[0])]
            }
            _ => (0..3)
                .map(|i| {
                    let (j, k) = ((i + 1) % 3, (i + 2) % 3);
                    let (plus, minus) = (graph.mul(turning[j], lever[k]), graph.mul(turning[k], lever[j]));
                    graph.sub(plus, minus)
                })
                .collect(),
        };
        Some(velocity.iter().zip(turned).map(|(&own, turned)| graph.add(own, turned)).collect())
    }
}

/// A part of a shape, which is a shape itself.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// A vertex of a box as a sphere of its radius, or an end of a capsule.
    Vertex,
    /// An edge of a box as a capsule of its radius.
    Edge,
}

impl Part {
    fn named(name: &str) -> Option<Self> {
        [Self::Vertex, Self::Edge].into_iter().find(|part| part.name() == name)
    }

    fn name(self) -> &'static str {
        match self {
            Self::Vertex => "vertex",
            Self::Edge => "edge",
        }
    }

    /// How many of these parts a shape has.
    fn count(self, shape: &Stated) -> usize {
        let size = shape.second.len();
        match (self, shape.kind) {
            (_, Kind::Sphere | Kind::Plane) | (Self::Edge, Kind::Capsule) => 0,
            (Self::Vertex, Kind::Capsule) => 2,
            (Self::Vertex, Kind::Box) => 1 << size,
            (Self::Edge, Kind::Box) => size << (size - 1),
        }
    }
}

/// The centre of a vertex of a box, at the distance of the radius from each side. Bit k of the number says on which side along axis k it lies.
fn corner(graph: &mut Graph, solid: &Stated, which: usize) -> Vec<Id> {
    let axes = axes(graph, solid.orientation.as_ref());
    let mut point = solid.point.entries.clone();
    for (k, (axis, &half)) in axes.iter().zip(&solid.second).enumerate() {
        let half = graph.sub(half, solid.radius);
        let half = if which >> k & 1 == 1 { half } else { graph.neg(half) };
        let way = scaled(graph, axis, Some(half));
        point = point.iter().zip(way).map(|(&entry, way)| graph.add(entry, way)).collect();
    }
    point
}

/// The numbers of the vertices at the ends of edge `which` of a box with `size` axes. The edges along axis 0 come first. Among the edges along one axis, each
/// bit of the number says on which side along one of the other axes the edge lies, in the order of these axes.
fn ends(which: usize, size: usize) -> [usize; 2] {
    let (along, others) = (which >> (size - 1), which & ((1 << (size - 1)) - 1));
    let below = others & ((1 << along) - 1);
    let start = (others >> along) << (along + 1) | below;
    [start, start | 1 << along]
}

/// The directions of the axes of a body, in space.
fn axes(graph: &mut Graph, orientation: Option<&Value>) -> Vec<Vec<Id>> {
    let Some(orientation) = orientation else { return Vec::new() };
    match (orientation.shape, &orientation.entries[..]) {
        (Shape::Scalar, &[angle]) => {
            let [sine, cosine] = [Function::Sin, Function::Cos].map(|function| graph.call(function, &[angle]));
            vec![vec![cosine, sine], vec![graph.neg(sine), cosine]]
        }
        (Shape::Vector(4), quaternion) => {
            let matrix = of_quaternion(graph, quaternion);
            axes(graph, Some(&matrix))
        }
        (_, matrix) => (0..3).map(|k| (0..3).map(|i| matrix[3 * i + k]).collect()).collect(),
    }
}

/// a − b.
fn difference(graph: &mut Graph, a: &[Id], b: &[Id]) -> Vec<Id> {
    a.iter().zip(b).map(|(&a, &b)| graph.sub(a, b)).collect()
}

/// A vector times a number; the zero vector without one.
fn scaled(graph: &mut Graph, vector: &[Id], by: Option<Id>) -> Vec<Id> {
    let by = by.unwrap_or_else(|| graph.zero());
    vector.iter().map(|&entry| graph.mul(entry, by)).collect()
}

/// The relative velocity across the normal: along the surface in the plane, and in space its components, of which those that are always 0 are left out.
fn slip(graph: &mut Graph, normal: &[Id], (first, second): (&[Id], &[Id])) -> Value {
    let relative = difference(graph, first, second);
    if let [x, y] = normal {
        let (along, across) = (graph.mul(*x, relative[1]), graph.mul(*y, relative[0]));
        return Value::scalar(graph.sub(along, across));
    }
    let approach = graph.inner(normal, &relative);
    let lost = scaled(graph, normal, Some(approach));
    let mut across = difference(graph, &relative, &lost);
    across.retain(|&entry| !graph.is_zero(entry));
    match across[..] {
        [] => Value::scalar(graph.zero()),
        [only] => Value::scalar(only),
        _ => Value::vector(across),
    }
}
