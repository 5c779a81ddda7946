//! Shapes of bodies: their distances, and the velocities with which they slip on each other.
//!
//! The gap between two shapes is the distance of the points in which they touch where it is 0. The slip is the relative velocity of the two material points there, across the
//! normal of the surfaces. A material point moves with its body: v = ṗ + ω × (x − p), where p is a point of the body that the shape states, and ω follows from the
//! orientation of the body.

use super::arithmetic::scalar_needed;
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
}

impl Kind {
    fn named(name: &str) -> Option<Self> {
        match name {
            "sphere" => Some(Self::Sphere),
            "plane" => Some(Self::Plane),
            "capsule" => Some(Self::Capsule),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Sphere => "sphere",
            Self::Plane => "plane",
            Self::Capsule => "capsule",
        }
    }

    /// How the shape is written with the orientation of its body.
    fn form(self) -> &'static str {
        match self {
            Self::Sphere => "sphere(centre, radius, orientation)",
            Self::Plane => "plane(point, normal, orientation)",
            Self::Capsule => "capsule(end, end, radius, orientation)",
        }
    }
}

/// A shape as it is stated.
struct Stated {
    kind: Kind,
    /// The centre of a sphere, a point of a plane, the first end of a capsule's axis.
    point: Value,
    /// The normal of a plane, the second end of a capsule's axis; empty for a sphere.
    second: Vec<Id>,
    /// The radius of a sphere or a capsule.
    radius: Id,
    orientation: Option<Value>,
    place: Place,
}

/// Where two shapes are nearest to each other.
struct Near {
    distance: Id,
    /// The unit vector from the second shape to the first.
    normal: Vec<Id>,
    /// For each shape, the way from its point to the place at which it touches the other.
    levers: [Vec<Id>; 2],
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
        let sizes = [0, 1].map(|i| shapes[i].point.entries.len());
        if sizes[0] != sizes[1] {
            let [one, other] = [0, 1].map(|i| shapes[i].kind.name().to_owned());
            self.report.add(Mistake::ShapeDimensions { one, other }, place);
            return None;
        }
        let Some(near) = self.near(&shapes) else {
            let [one, other] = [0, 1].map(|i| shapes[i].kind.name().to_owned());
            self.report.add(Mistake::ShapePair { one, other }, place);
            return None;
        };
        if name == "distance" {
            return Some(Value::scalar(near.distance));
        }
        let velocities = [0, 1].map(|i| self.material_velocity(&shapes[i], &near.levers[i]));
        let [first, second] = velocities;
        Some(slip(&mut self.graph, &near.normal, (&first?, &second?)))
    }

    /// A shape stands in `distance` and `slip_velocity` only.
    pub(super) fn lone_shape(&mut self, name: &str, place: Place) {
        self.report.add(Mistake::LoneShape { name: name.to_owned() }, place);
    }

    fn stated_shape(&mut self, function: &str, expr: &Expr) -> Option<Stated> {
        let stated = match &expr.kind {
            ExprKind::Call { function, arguments } => Kind::named(&plain(function)).map(|kind| (kind, arguments)),
            _ => None,
        };
        let Some((kind, arguments)) = stated else {
            let mistake = Mistake::ShapeNeeded { function: function.to_owned(), found: expr.to_string() };
            self.report.add(mistake, expr.place);
            return None;
        };
        let needed = if kind == Kind::Capsule { 3 } else { 2 };
        if !(needed..=needed + 1).contains(&arguments.len()) {
            let (function, expected) = (kind.name().to_owned(), format!("{needed} or {} arguments", needed + 1));
            let help = format!("write `{}`, where the orientation may be missing without friction", kind.form());
            let mistake = Mistake::ArgumentCount { function, expected, found: arguments.len(), help };
            self.report.add(mistake, expr.place);
            return None;
        }
        let values: Vec<Value> = arguments.iter().map(|argument| self.value(argument)).collect::<Option<_>>()?;
        let what = |part: &str| format!("the {part} of `{}`", kind.name());
        let size = match values[0].shape {
            Shape::Vector(size @ (2 | 3)) => size,
            other => {
                let mistake = Mistake::PositionNeeded { what: format!("`{}`", kind.name()), found: other.to_string() };
                self.report.add(mistake, arguments[0].place);
                return None;
            }
        };
        if kind != Kind::Sphere && values[1].shape != Shape::Vector(size) {
            let mistake =
                Mistake::PositionNeeded { what: format!("`{}`", kind.name()), found: values[1].shape.to_string() };
            self.report.add(mistake, arguments[1].place);
            return None;
        }
        let radius = match kind {
            Kind::Plane => self.graph.zero(),
            Kind::Sphere | Kind::Capsule => match values[needed - 1].as_scalar() {
                Some(radius) => radius,
                None => {
                    let mistake = scalar_needed(&what("radius"), &values[needed - 1]);
                    self.report.add(mistake, arguments[needed - 1].place);
                    return None;
                }
            },
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
        Some(Stated { kind, point: values[0].clone(), second, radius, orientation, place: expr.place })
    }

    /// Where two shapes are nearest to each other. `None` for pairs whose distance has no such formula.
    fn near(&mut self, [first, second]: &[Stated; 2]) -> Option<Near> {
        let graph = &mut self.graph;
        match (first.kind, second.kind) {
            (Kind::Sphere, Kind::Sphere) => {
                let origin = scaled(graph, &second.point.entries, None);
                Some(from_point(graph, first, (second, origin)))
            }
            (Kind::Sphere, Kind::Capsule) => {
                let on_axis = nearest_on_axis(graph, &first.point.entries, second);
                Some(from_point(graph, first, (second, on_axis)))
            }
            (Kind::Sphere, Kind::Plane) => {
                let length = graph.call(Function::Norm, &second.second);
                let normal: Vec<Id> = second.second.iter().map(|&entry| graph.div(entry, length)).collect();
                let way = difference(graph, &first.point.entries, &second.point.entries);
                let height = graph.inner(&normal, &way);
                let distance = graph.sub(height, first.radius);
                let minus = graph.neg(first.radius);
                let foot = scaled(graph, &normal, Some(height));
                let levers = [scaled(graph, &normal, Some(minus)), difference(graph, &way, &foot)];
                Some(Near { distance, normal, levers })
            }
            (Kind::Plane | Kind::Capsule, Kind::Sphere) => {
                let Near { distance, normal, levers: [one, other] } = self.near_reversed(first, second)?;
                let normal = normal.iter().map(|&entry| self.graph.neg(entry)).collect();
                Some(Near { distance, normal, levers: [other, one] })
            }
            _ => None,
        }
    }

    /// [`Scope::near`] of a sphere, which is stated second.
    fn near_reversed(&mut self, first: &Stated, second: &Stated) -> Option<Near> {
        let again = |shape: &Stated| Stated {
            kind: shape.kind,
            point: shape.point.clone(),
            second: shape.second.clone(),
            radius: shape.radius,
            orientation: None,
            place: shape.place,
        };
        self.near(&[again(second), again(first)])
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
                Kind::Capsule => false,
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

/// a − b.
fn difference(graph: &mut Graph, a: &[Id], b: &[Id]) -> Vec<Id> {
    a.iter().zip(b).map(|(&a, &b)| graph.sub(a, b)).collect()
}

/// A vector times a number; the zero vector without one.
fn scaled(graph: &mut Graph, vector: &[Id], by: Option<Id>) -> Vec<Id> {
    let by = by.unwrap_or_else(|| graph.zero());
    vector.iter().map(|&entry| graph.mul(entry, by)).collect()
}

/// The way from the first end of a capsule's axis to the point of this axis that is nearest to a centre.
fn nearest_on_axis(graph: &mut Graph, centre: &[Id], capsule: &Stated) -> Vec<Id> {
    let axis = difference(graph, &capsule.second, &capsule.point.entries);
    let way = difference(graph, centre, &capsule.point.entries);
    let (along, square) = (graph.inner(&way, &axis), graph.inner(&axis, &axis));
    let part = graph.div(along, square);
    let (zero, one) = (graph.zero(), graph.one());
    let part = graph.call(Function::Max, &[zero, part]);
    let part = graph.call(Function::Min, &[one, part]);
    scaled(graph, &axis, Some(part))
}

/// A sphere and a round shape about the point that is `way` from the point of this shape.
fn from_point(graph: &mut Graph, sphere: &Stated, (round, way): (&Stated, Vec<Id>)) -> Near {
    let between = difference(graph, &sphere.point.entries, &round.point.entries);
    let between = difference(graph, &between, &way);
    let length = graph.call(Function::Norm, &between);
    let normal: Vec<Id> = between.iter().map(|&entry| graph.div(entry, length)).collect();
    let apart = graph.sub(length, sphere.radius);
    let minus = graph.neg(sphere.radius);
    let beyond = scaled(graph, &normal, Some(round.radius));
    let lever = way.iter().zip(beyond).map(|(&way, beyond)| graph.add(way, beyond)).collect();
    let distance = graph.sub(apart, round.radius);
    let levers = [scaled(graph, &normal, Some(minus)), lever];
    Near { distance, normal, levers }
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
