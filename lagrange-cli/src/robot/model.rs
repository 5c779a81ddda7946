//! What a robot's file states: links, and joints between them.

use super::space::{Inertia, Pose, Vector};
use super::xml::Fault;

/// How coordinates of free bodies are chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Free {
    /// Yaw, pitch and roll, which are singular at a pitch of a right angle.
    #[default]
    Angles,
    /// A quaternion with the constraint that its length is 1.
    Quaternion,
}

/// What a user may choose.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Options {
    /// Whether the root link of a URDF file moves freely.
    pub(crate) free_base: bool,
    /// The coordinates of orientations that three angles or a quaternion describe.
    pub(crate) free: Free,
    /// Whether the friction of joints becomes dry friction.
    pub(crate) friction: bool,
    /// The links whose positions are outputs; empty for every moving link without children.
    pub(crate) tips: Vec<String>,
    /// The elements of the file that may be left out although they change the motion.
    pub(crate) leave_out: Vec<String>,
    /// The name of the struct; `None` for that of the robot.
    pub(crate) name: Option<String>,
}

/// A robot, in the words of its file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Robot {
    /// Its name.
    pub(crate) name: String,
    /// The language of the file.
    pub(crate) language: &'static str,
    /// The acceleration of free fall, in m/s².
    pub(crate) gravity: Vector,
    /// The links.
    pub(crate) links: Vec<Link>,
    /// The joints.
    pub(crate) joints: Vec<Joint>,
    /// The elements that have no counterpart in the written block, a sentence for each name, with its lines.
    pub(crate) left_out: Vec<String>,
    /// The inertias that no body can have and that the equations contain all the same, a sentence each, with the line.
    pub(crate) doubts: Vec<String>,
}

/// Where something stands in the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    /// The line, from 1.
    pub(crate) line: u32,
    /// The column, from 1.
    pub(crate) column: u32,
}

impl Place {
    /// Something is wrong there.
    pub(crate) fn fault(self, text: String) -> Fault {
        Fault { line: self.line, column: self.column, text }
    }
}

/// A link.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Link {
    /// Its name.
    pub(crate) name: String,
    /// Where it stands in the file.
    pub(crate) place: Place,
    /// Its inertia in its own frame.
    pub(crate) inertia: Inertia,
    /// Whether the file has no such name: the link is one of those that several joints of a body need.
    pub(crate) generated: bool,
    /// The link that is the frame of the body in the file, by its number, where this one stands at the joint instead.
    pub(crate) frame: Option<usize>,
}

/// How a joint moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Not at all.
    Fixed,
    /// It turns about its axis.
    Revolute,
    /// It slides along its axis.
    Prismatic,
    /// It slides at right angles to its axis, and turns about it.
    Planar,
    /// It turns about a point.
    Ball,
    /// It moves freely.
    Floating,
}

/// A joint between two links.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Joint {
    /// Its name.
    pub(crate) name: String,
    /// Where it stands in the file.
    pub(crate) place: Place,
    /// How it moves.
    pub(crate) kind: Kind,
    /// The link that it stands on, by its number.
    pub(crate) parent: usize,
    /// The link that it moves, by its number.
    pub(crate) child: usize,
    /// Where it stands on its parent.
    pub(crate) pose: Pose,
    /// The axis, of length 1, in the frame of the joint.
    pub(crate) axis: Vector,
    /// The range of its coordinate, in rad or m.
    pub(crate) range: Option<[f64; 2]>,
    /// The largest torque or force, in N m or N.
    pub(crate) effort: Option<f64>,
    /// The largest velocity, in rad/s or m/s.
    pub(crate) velocity: Option<f64>,
    /// The factor of the velocity in the torque against it, in N m s/rad or N s/m.
    pub(crate) damping: f64,
    /// The bound of the dry friction, in N m or N.
    pub(crate) friction: f64,
    /// The inertia of the drive, seen by the joint, in kg m² or kg.
    pub(crate) armature: f64,
    /// The stiffness of its spring in N m/rad or N/m, and the coordinate at its rest.
    pub(crate) spring: Option<[f64; 2]>,
    /// The coordinate at which the links stand as the file states.
    pub(crate) reference: f64,
    /// Another joint whose coordinate determines this one.
    pub(crate) mimic: Option<Mimic>,
}

impl Joint {
    /// A joint along whose coordinate nothing acts.
    pub(crate) fn new(name: &str, place: Place, kind: Kind, links: [usize; 2], pose: Pose) -> Self {
        let [parent, child] = links;
        Self {
            name: name.to_owned(),
            place,
            kind,
            parent,
            child,
            pose,
            axis: [0.0, 0.0, 1.0],
            range: None,
            effort: None,
            velocity: None,
            damping: 0.0,
            friction: 0.0,
            armature: 0.0,
            spring: None,
            reference: 0.0,
            mimic: None,
        }
    }
}

/// coordinate = factor · (coordinate of the joint) + offset.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Mimic {
    /// The other joint, by its name.
    pub(crate) joint: String,
    /// The factor.
    pub(crate) factor: f64,
    /// The offset, in rad or m.
    pub(crate) offset: f64,
    /// Where it is stated.
    pub(crate) place: Place,
}
