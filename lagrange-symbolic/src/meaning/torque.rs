//! The statement `torque`: a couple on a body.
//!
//! The couple τ does the work τ·ω, where ω is the angular velocity of the orientation, which is affine in the velocities. Its
//! generalized force on the coordinate qᵢ is Qᵢ = ∂ω/∂vᵢ·τ. Both ω and τ have components in space.

use super::restrict;
use super::scope::Scope;
use super::value::{Shape, Value};
use crate::calculus::derivative;
use crate::graph::{Id, Symbol};
use crate::physics::Force;
use crate::report::Mistake;
use crate::syntax::Expr;

/// Reads `torque orientation = couple;`. `name` is the text of the orientation.
pub(super) fn torque(scope: &mut Scope<'_>, name: String, (left, right): (&Expr, &Expr)) -> Option<Force> {
    let (orientation, couple) = (scope.value(left), scope.value(right));
    let (orientation, couple) = (orientation?, couple?);
    let found = orientation.shape.to_string();
    match orientation.shape {
        Shape::Scalar => {
            let form = format!("force {left} = …;");
            scope.report.add(Mistake::TorqueOnAngle { angle: left.to_string(), form }, left.place);
            return None;
        }
        Shape::Vector(4) => scope.quaternions.push((orientation.entries.clone(), left.to_string(), left.place)),
        Shape::Matrix(3, 3) => {}
        _ => {
            let what = "the left side of `torque`".to_owned();
            scope.report.add(Mistake::OrientationNeeded { what, found }, left.place);
            return None;
        }
    }
    if couple.shape != Shape::Vector(3) {
        let (found, orientation) = (couple.shape.to_string(), left.to_string());
        scope.report.add(Mistake::CoupleNeeded { orientation, found }, right.place);
        return None;
    }
    let accepted = restrict::force_left(scope, "torque", left, &orientation);
    if !(restrict::force_right(scope, right, &couple) && accepted) {
        return None;
    }
    let omega = scope.angular_velocity("torque", &orientation, 0).ok()?.space;
    let (left, right) = generalized(scope, &omega, &couple);
    Some(Force { name, left, right })
}

/// The coordinates of which ω contains the velocity, and the generalized force on each.
fn generalized(scope: &mut Scope<'_>, omega: &[Id; 3], couple: &Value) -> (Vec<Id>, Vec<Id>) {
    let mut moving: Vec<u32> = omega
        .iter()
        .flat_map(|&entry| scope.graph.symbols(entry))
        .filter_map(|symbol| if let Symbol::Velocity(i) = symbol { Some(i) } else { None })
        .collect();
    moving.sort_unstable();
    moving.dedup();
    let forces = moving.iter().map(|&i| {
        let turned = derivative(&mut scope.graph, omega, Symbol::Velocity(i));
        scope.graph.inner(&turned, &couple.entries)
    });
    let forces = forces.collect();
    (moving.into_iter().map(|i| scope.graph.symbol(Symbol::Coordinate(i))).collect(), forces)
}
