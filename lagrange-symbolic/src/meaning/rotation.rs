//! Rotations and rigid bodies: matrices from angles and unit quaternions, angular velocities, kinetic energy.
//!
//! A rotation matrix R maps components in the body frame to components in the space frame. A product of elementary
//! rotations and of matrices of quaternions stores its angular velocity: ω = R₂ᵀω₁ + ω₂ in the body frame and ω = ω₁ + R₁ω₂ in the
//! space frame. Any other matrix is differentiated. A quaternion e = [w, x, y, z] stands for the rotation by e/|e|, so that its matrix is a
//! rotation at every e but 0. A constraint must keep |e| at 1, because nothing else determines it.

use super::arithmetic::scalar_needed;
use super::call::{ArgumentFault, fault};
use super::scope::Scope;
use super::value::{AngularVelocity, Shape, Value};
use crate::graph::function::Function;
use crate::graph::{Graph, Id, Node, Rational, Symbol};
use crate::physics::Slopes;
use crate::report::Mistake;
use crate::syntax::Rotation;

impl Scope<'_> {
    pub(crate) fn rotation(
        &mut self,
        rotation: Rotation,
        name: &str,
        values: &[Value],
    ) -> Result<Value, ArgumentFault> {
        match rotation {
            Rotation::About(axis) => {
                let angle = scalar(name, values, 0)?;
                let rotation = self.about_axis(axis, angle);
                self.record_frame(&rotation, None);
                Ok(rotation)
            }
            Rotation::Of => match (values[0].shape, values) {
                (Shape::Vector(4), [quaternion]) => {
                    let rates = self.total_derivative(quaternion).ok();
                    let rotation = of_quaternion(&mut self.graph, &quaternion.entries);
                    let velocity =
                        |rates: Value| quaternion_velocity(&mut self.graph, &quaternion.entries, &rates.entries);
                    let rotation = Value { angular_velocity: rates.map(velocity), ..rotation };
                    let slopes = self.quaternion_slopes(&quaternion.entries);
                    self.record_frame(&rotation, slopes);
                    Ok(rotation)
                }
                (Shape::Vector(3), [axis, _]) => {
                    let angle = scalar(name, values, 1)?;
                    let mut rotation = about(&mut self.graph, &axis.entries, angle);
                    rotation.angular_velocity = self.about_fixed(&axis.entries, angle);
                    self.record_frame(&rotation, None);
                    Ok(rotation)
                }
                _ => {
                    let what = format!("the argument of `{name}`");
                    Err(fault(Mistake::OrientationNeeded { what, found: values[0].shape.to_string() }, Some(0)))
                }
            },
            Rotation::VelocityBody => Ok(Value::vector(self.angular_velocity(name, &values[0], 0)?.body.to_vec())),
            Rotation::VelocitySpace => Ok(Value::vector(self.angular_velocity(name, &values[0], 0)?.space.to_vec())),
            Rotation::Energy => self.rigid_body_energy(name, values),
        }
    }

    /// The rotation about a coordinate axis.
    fn about_axis(&mut self, axis: usize, angle: Id) -> Value {
        // An angle whose rate is not known still gives a rotation. Its angular velocity is reported as unknown when it
        // is used.
        let rate = self.total_derivative(&Value::scalar(angle)).ok().map(|rate| rate.entries[0]);
        let graph = &mut self.graph;
        let (zero, one) = (graph.zero(), graph.one());
        let (sine, cosine) = (graph.call(Function::Sin, &[angle]), graph.call(Function::Cos, &[angle]));
        let minus = graph.neg(sine);
        let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
        let mut entries = vec![zero; 9];
        entries[3 * axis + axis] = one;
        entries[3 * j + j] = cosine;
        entries[3 * k + k] = cosine;
        entries[3 * j + k] = minus;
        entries[3 * k + j] = sine;
        let angular_velocity = rate.map(|rate| {
            let mut omega = [zero; 3];
            omega[axis] = rate;
            AngularVelocity { body: omega, space: omega }
        });
        Value { angular_velocity, ..Value::new(Shape::Matrix(3, 3), entries) }
    }

    /// 2/|e| at |e| = 1, which bounds |∂ω/∂ėᵢ|. `None` where an entry of e is no coordinate.
    fn quaternion_slopes(&mut self, quaternion: &[Id]) -> Option<Slopes> {
        let bound = self.graph.number(Rational::from(2));
        let slope = |&entry: &Id| match self.graph.node(entry) {
            Node::Symbol(Symbol::Coordinate(i)) => Some((*i, bound)),
            _ => None,
        };
        quaternion.iter().map(slope).collect()
    }

    /// The angular velocity of a rotation about an axis whose components are numbers. `None` where their squares do not add up to 1
    /// exactly, or where the rate of the angle is not known.
    fn about_fixed(&mut self, axis: &[Id], angle: Id) -> Option<AngularVelocity> {
        let square = self.graph.inner(axis, axis);
        let is_number = axis.iter().all(|&entry| self.graph.as_number(entry).is_some());
        if !is_number || !self.graph.is_one(square) {
            return None;
        }
        let rate = self.total_derivative(&Value::scalar(angle)).ok()?.entries[0];
        let omega = [0, 1, 2].map(|i| self.graph.mul(axis[i], rate));
        Some(AngularVelocity { body: omega, space: omega })
    }

    /// The angular velocity of a rotation matrix or of a quaternion.
    pub(super) fn angular_velocity(
        &mut self,
        name: &str,
        orientation: &Value,
        argument: usize,
    ) -> Result<AngularVelocity, ArgumentFault> {
        if let Some(angular_velocity) = &orientation.angular_velocity {
            return Ok(angular_velocity.clone());
        }
        match orientation.shape {
            Shape::Vector(4) => {
                let rates = self.total_derivative(orientation)?.entries;
                Ok(quaternion_velocity(&mut self.graph, &orientation.entries, &rates))
            }
            Shape::Matrix(3, 3) => {
                let rates = self.total_derivative(orientation)?.entries;
                Ok(matrix_velocity(&mut self.graph, &orientation.entries, &rates))
            }
            other => {
                let what = format!("an argument of `{name}`");
                Err(fault(Mistake::OrientationNeeded { what, found: other.to_string() }, Some(argument)))
            }
        }
    }

    /// m|ṙ|²/2 + ωᵀJω/2, with the position r of the centre of mass. In the plane r has two components, J is a number
    /// and the orientation is an angle. In space J is a matrix in the body frame, or the vector of its principal
    /// moments.
    fn rigid_body_energy(&mut self, name: &str, values: &[Value]) -> Result<Value, ArgumentFault> {
        let mass = scalar(name, values, 0)?;
        let plane = match values[2].shape {
            Shape::Vector(2) => true,
            Shape::Vector(3) => false,
            other => {
                let mistake = Mistake::PositionNeeded { what: format!("`{name}`"), found: other.to_string() };
                return Err(fault(mistake, Some(2)));
            }
        };
        let velocities = match self.own_velocity(&values[2])? {
            Some(pair) => pair.map(Vec::from),
            None => {
                let velocity = self.total_derivative(&values[2])?.entries;
                [velocity.clone(), velocity]
            }
        };
        let turning = if plane {
            let inertia = scalar(name, values, 1)?;
            let angle = scalar(name, values, 3)?;
            let rate = self.total_derivative(&Value::scalar(angle))?.entries[0];
            let square = self.graph.mul(rate, rate);
            [self.graph.mul(inertia, square); 2]
        } else {
            let omegas = match self.own_turning(&values[3]) {
                Some(pair) => pair,
                None => [self.angular_velocity(name, &values[3], 3)?.body; 2],
            };
            if !matches!(values[1].shape, Shape::Vector(3) | Shape::Matrix(3, 3)) {
                let (what, found) = (format!("the inertia of `{name}`"), values[1].shape.to_string());
                return Err(fault(Mistake::InertiaNeeded { what, found }, Some(1)));
            }
            omegas.map(|omega| turning_energy(&mut self.graph, &values[1], omega))
        };
        let graph = &mut self.graph;
        let squares = velocities.map(|velocity| graph.inner(&velocity, &velocity));
        let moving = squares.map(|square| graph.mul(mass, square));
        let twice = [0, 1].map(|i| graph.add(moving[i], turning[i]));
        let energies = twice.map(|twice| graph.scale(&(Rational::ONE / Rational::from(2)), twice));
        for [part, twin] in [energies, twice, moving, squares, turning] {
            self.record_twin(part, twin);
        }
        Ok(Value::scalar(energies[0]))
    }
}

/// ωᵀJω, with the matrix J or the vector of the principal moments.
fn turning_energy(graph: &mut Graph, inertia: &Value, omega: [Id; 3]) -> Id {
    let angular_momentum = match inertia.shape {
        Shape::Vector(3) => inertia.entries.iter().zip(omega).map(|(j, w)| graph.mul(*j, w)).collect(),
        _ => product(graph, &inertia.entries, &omega),
    };
    graph.inner(&omega, &angular_momentum)
}

/// The angular velocity of a product of rotations, if both factors store theirs.
pub(crate) fn product_velocity(graph: &mut Graph, left: &Value, right: &Value) -> Option<AngularVelocity> {
    let (first, second) = (left.angular_velocity.as_ref()?, right.angular_velocity.as_ref()?);
    let seen = product(graph, &transposed(&right.entries), &first.body);
    let turned = product(graph, &left.entries, &second.space);
    let body = [0, 1, 2].map(|i| graph.add(seen[i], second.body[i]));
    let space = [0, 1, 2].map(|i| graph.add(first.space[i], turned[i]));
    Some(AngularVelocity { body, space })
}

/// The angular velocity of a transposed rotation: the negative one, with the frames exchanged.
pub(crate) fn transposed_velocity(graph: &mut Graph, value: &Value) -> Option<AngularVelocity> {
    let angular_velocity = value.angular_velocity.as_ref()?;
    let mut reversed = |omega: [Id; 3]| omega.map(|entry| graph.neg(entry));
    Some(AngularVelocity { body: reversed(angular_velocity.space), space: reversed(angular_velocity.body) })
}

/// The argument at `at`, which must be a scalar.
fn scalar(name: &str, values: &[Value], at: usize) -> Result<Id, ArgumentFault> {
    let value = &values[at];
    value.as_scalar().ok_or_else(|| fault(scalar_needed(&format!("this argument of `{name}`"), value), Some(at)))
}

/// R = cos α·1 + sin α·[n]× + (1 − cos α) n nᵀ (Rodrigues), for |n| = 1.
fn about(graph: &mut Graph, axis: &[Id], angle: Id) -> Value {
    let (sine, cosine) = (graph.call(Function::Sin, &[angle]), graph.call(Function::Cos, &[angle]));
    let one = graph.one();
    let versine = graph.sub(one, cosine);
    let mut entries = Vec::with_capacity(9);
    for i in 0..3 {
        for j in 0..3 {
            let plane = graph.mul(axis[i], axis[j]);
            let mut entry = graph.mul(versine, plane);
            if i == j {
                entry = graph.add(entry, cosine);
            } else {
                let across = graph.mul(sine, axis[3 - i - j]);
                // [n]× has −n_k where (i, j, k) is an even permutation.
                let sign = if (i + 1) % 3 == j { Rational::NEG_ONE } else { Rational::ONE };
                let across = graph.scale(&sign, across);
                entry = graph.add(entry, across);
            }
            entries.push(entry);
        }
    }
    Value::new(Shape::Matrix(3, 3), entries)
}

/// 2/|e|².
fn twice_per_square(graph: &mut Graph, quaternion: &[Id]) -> Id {
    let square = graph.inner(quaternion, quaternion);
    let inverse = graph.product(vec![(square, Rational::NEG_ONE)]);
    graph.scale(&Rational::from(2), inverse)
}

/// The rotation matrix of the quaternion e = (w, u): with s = 2/|e|², the diagonal entries are 1 − s (|u|² − uᵢ²), and the others those of
/// s (u uᵀ + w [u]×).
pub(super) fn of_quaternion(graph: &mut Graph, quaternion: &[Id]) -> Value {
    let twice = twice_per_square(graph, quaternion);
    let [w, u] = [&quaternion[..1], &quaternion[1..]];
    let one = graph.one();
    let mut entries = Vec::with_capacity(9);
    for i in 0..3 {
        for j in 0..3 {
            if i == j {
                let (y, z) = (u[(i + 1) % 3], u[(i + 2) % 3]);
                let across = graph.inner(&[y, z], &[y, z]);
                let across = graph.mul(twice, across);
                entries.push(graph.sub(one, across));
            } else {
                let plane = graph.mul_all(&[twice, u[i], u[j]]);
                let across = graph.mul_all(&[twice, w[0], u[3 - i - j]]);
                let sign = if (i + 1) % 3 == j { Rational::NEG_ONE } else { Rational::ONE };
                let across = graph.scale(&sign, across);
                entries.push(graph.add(plane, across));
            }
        }
    }
    Value::new(Shape::Matrix(3, 3), entries)
}

/// 2(w u̇ − ẇ u ∓ u × u̇)/|e|²: minus in the body frame, plus in the space frame.
fn quaternion_velocity(graph: &mut Graph, quaternion: &[Id], rates: &[Id]) -> AngularVelocity {
    let twice = twice_per_square(graph, quaternion);
    let half = |graph: &mut Graph, i: usize, sign: i32| {
        let (j, k) = ((i + 1) % 3 + 1, (i + 2) % 3 + 1);
        let products = [
            (quaternion[0], rates[i + 1], 1),
            (rates[0], quaternion[i + 1], -1),
            (quaternion[j], rates[k], sign),
            (quaternion[k], rates[j], -sign),
        ];
        let terms = products.map(|(a, b, sign)| (graph.mul(a, b), Rational::from(sign)));
        let sum = graph.sum(terms.to_vec(), Rational::ZERO);
        graph.mul(twice, sum)
    };
    let body = [0, 1, 2].map(|i| half(graph, i, -1));
    let space = [0, 1, 2].map(|i| half(graph, i, 1));
    AngularVelocity { body, space }
}

/// The axial vectors of RᵀṘ and ṘRᵀ: half the difference of opposite entries.
fn matrix_velocity(graph: &mut Graph, matrix: &[Id], rates: &[Id]) -> AngularVelocity {
    let half = Rational::ONE / Rational::from(2);
    let mut axial = |left: &[Id], right: &[Id]| {
        [0usize, 1, 2].map(|i| {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            let mut terms = Vec::new();
            for m in 0..3 {
                terms.push((graph.mul(left[3 * k + m], right[3 * m + j]), half.clone()));
                terms.push((graph.mul(left[3 * j + m], right[3 * m + k]), -half.clone()));
            }
            graph.sum(terms, Rational::ZERO)
        })
    };
    let turned = transposed(matrix);
    AngularVelocity { body: axial(&turned, rates), space: axial(rates, &turned) }
}

fn transposed(matrix: &[Id]) -> Vec<Id> {
    (0..9).map(|entry| matrix[entry % 3 * 3 + entry / 3]).collect()
}

/// A 3×3 matrix times a vector.
fn product(graph: &mut Graph, matrix: &[Id], vector: &[Id; 3]) -> Vec<Id> {
    matrix.chunks(3).map(|row| graph.inner(row, vector)).collect()
}
