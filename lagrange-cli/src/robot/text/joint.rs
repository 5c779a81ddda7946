//! A joint: its coordinates, and what acts along them.

use super::expression::{about, along, number, toward, vector};
use super::{Field, Free, Joint, Kind, Writer, shown, space};

/// The endings that are added to the name of a joint in the names of its coordinates, inputs and frictions.
pub(crate) const ENDINGS: &[&str] = &[
    "_dot",
    "_torque",
    "_force",
    "_friction",
    "_x",
    "_y",
    "_z",
    "_x_dot",
    "_y_dot",
    "_z_dot",
    "_yaw",
    "_pitch",
    "_roll",
    "_yaw_dot",
    "_pitch_dot",
    "_roll_dot",
    "_turn",
    "_unit",
];

/// How a joint moves what stands on it, in its own frame.
#[derive(Clone, Debug, Default)]
pub(crate) struct Moving {
    /// The shift.
    pub(crate) slide: Option<String>,
    /// The rotations.
    pub(crate) turns: Vec<String>,
}

/// The units of a joint with one coordinate.
struct Units {
    coordinate: &'static str,
    /// Torque or force.
    effort: &'static str,
    damping: &'static str,
    armature: &'static str,
    stiffness: &'static str,
    input: &'static str,
}

const TURNING: Units =
    Units { coordinate: "rad", effort: "N*m", damping: "N*m*s", armature: "kg*m^2", stiffness: "N*m", input: "torque" };
const SLIDING: Units =
    Units { coordinate: "m", effort: "N", damping: "N*s/m", armature: "kg", stiffness: "N/m", input: "force" };

fn units(kind: Kind) -> &'static Units {
    if kind == Kind::Prismatic { &SLIDING } else { &TURNING }
}

impl Writer<'_> {
    /// The comment before a body.
    pub(crate) fn describe(&mut self, at: usize) {
        let body = &self.bodies[at];
        let joint = &body.joint;
        let link = |number: usize| shown(&self.robot.links[number].name);
        let how = match joint.kind {
            Kind::Fixed => "is fixed",
            Kind::Revolute => "turns",
            Kind::Prismatic => "slides",
            Kind::Planar => "moves in a plane",
            Kind::Ball => "turns about a point",
            Kind::Floating => "moves freely",
        };
        let base = if joint.parent == joint.child { "space".to_owned() } else { link(joint.parent) };
        let mut text = format!("// {} {how} on {base}, by the joint {}", link(joint.child), shown(&joint.name));
        if let Some([lower, upper]) = joint.range {
            text.push_str(&format!(", from {} to {} {}", number(lower), number(upper), units(joint.kind).coordinate));
        }
        if let Some(velocity) = joint.velocity {
            text.push_str(&format!(", at most {} {}/s", number(velocity), units(joint.kind).coordinate));
        }
        text.push('.');
        self.line(&text);
        let held: Vec<String> = body.links.iter().skip(1).map(|&(number, _)| link(number)).collect();
        if !held.is_empty() {
            self.line(&format!("// Fixed to it: {}.", held.join(", ")));
        }
    }

    /// States the coordinates of a joint, and what acts along them.
    pub(crate) fn joint(&mut self, joint: &Joint) -> Moving {
        let name = self.joints[&joint.name[..]].0.clone();
        match joint.kind {
            Kind::Fixed => Moving::default(),
            Kind::Revolute | Kind::Prismatic => self.single(joint, &name),
            Kind::Planar => {
                self.line(&format!("coordinates {name}_x: m, {name}_y: m, {name}_yaw: rad;"));
                let slide = if along(joint.axis) == Some((2, false)) {
                    format!("[{name}_x, {name}_y, 0]")
                } else {
                    let (yaw, pitch) = toward(joint.axis);
                    let columns = space::Pose { angles: [0.0, pitch, yaw], ..Default::default() }.matrix();
                    let column = |j: usize| vector([columns[0][j], columns[1][j], columns[2][j]]);
                    format!("({name}_x*{} + {name}_y*{})", column(0), column(1))
                };
                Moving { slide: Some(slide), turns: about(joint.axis, &format!("{name}_yaw")) }
            }
            Kind::Ball => Moving { slide: None, turns: self.orientation(&name) },
            Kind::Floating => {
                self.line(&format!("coordinates {name}_x: m, {name}_y: m, {name}_z: m;"));
                let slide = format!("[{name}_x, {name}_y, {name}_z]");
                Moving { slide: Some(slide), turns: self.orientation(&name) }
            }
        }
    }

    /// The coordinates of an orientation, and its rotations.
    fn orientation(&mut self, name: &str) -> Vec<String> {
        match self.options.free {
            Free::Angles => {
                self.line(&format!("coordinates {name}_yaw: rad, {name}_pitch: rad, {name}_roll: rad;"));
                vec![
                    format!("rotation_z({name}_yaw)"),
                    format!("rotation_y({name}_pitch)"),
                    format!("rotation_x({name}_roll)"),
                ]
            }
            Free::Quaternion => {
                self.line(&format!("coordinates {name}_turn[4]: 1;"));
                self.line(&format!("constraint {name}_unit: norm2({name}_turn) == 1;"));
                vec![format!("rotation({name}_turn)")]
            }
        }
    }

    /// A joint with one coordinate.
    fn single(&mut self, joint: &Joint, name: &str) -> Moving {
        let units = units(joint.kind);
        let with_unit = |value: f64, unit: &str| format!("{}[{unit}]", number(value));
        let length = |value: f64| if joint.kind == Kind::Prismatic { with_unit(value, "m") } else { number(value) };
        match &joint.mimic {
            Some(mimic) => self.follow(joint, name, mimic),
            None => {
                self.line(&format!("coordinates {name}: {};", units.coordinate));
                self.input(joint, name);
            }
        }
        if joint.armature > 0.0 {
            self.kinetic.push(format!("{}*dot({name})^2/2", with_unit(joint.armature, units.armature)));
        }
        if joint.damping > 0.0 {
            self.dissipation.push(format!("{}*dot({name})^2/2", with_unit(joint.damping, units.damping)));
        }
        if let Some([stiffness, rest]) = joint.spring {
            let stretch = if rest == 0.0 { name.to_owned() } else { format!("({name} - {})", length(rest)) };
            self.springs.push(format!("{}*{stretch}^2/2", with_unit(stiffness, units.stiffness)));
        }
        if joint.friction > 0.0 && self.options.friction {
            self.ends.push(format!("friction {name}_friction: {name} = {};", with_unit(joint.friction, units.effort)));
        }
        let by = if joint.reference == 0.0 { name.to_owned() } else { format!("{name} - {}", length(joint.reference)) };
        if joint.kind == Kind::Revolute {
            return Moving { slide: None, turns: about(joint.axis, &by) };
        }
        let by = if joint.reference == 0.0 { by } else { format!("({by})") };
        let slide = match along(joint.axis) {
            Some((at, against)) => {
                let mut entries = ["0".to_owned(), "0".to_owned(), "0".to_owned()];
                entries[at] = if against { format!("-{by}") } else { by };
                format!("[{}]", entries.join(", "))
            }
            None => format!("({by}*{})", vector(joint.axis)),
        };
        Moving { slide: Some(slide), turns: Vec::new() }
    }

    /// A coordinate that follows another one.
    fn follow(&mut self, joint: &Joint, name: &str, mimic: &super::super::model::Mimic) {
        let slides = |kind: Kind| kind == Kind::Prismatic;
        let (other, leader_slides) = &self.joints[&mimic.joint[..]];
        let unit = match (slides(joint.kind), *leader_slides) {
            (true, false) => "[m]",
            (false, true) => "[1/m]",
            _ => "",
        };
        let mut text = match (unit, mimic.factor) {
            ("", 1.0) => other.clone(),
            _ => format!("{}{unit}*{other}", number(mimic.factor)),
        };
        if mimic.offset != 0.0 {
            let offset_unit = if slides(joint.kind) { "[m]" } else { "" };
            text.push_str(&format!(" + {}{offset_unit}", number(mimic.offset)));
        }
        self.line(&format!("let {name}: {} = {text};", units(joint.kind).coordinate));
    }

    /// The input of a joint.
    fn input(&mut self, joint: &Joint, name: &str) {
        let units = units(joint.kind);
        let field = format!("{name}_{}", units.input);
        self.line(&format!("force {name} = {field};"));
        let shown_name = shown(&joint.name);
        let limit = joint.effort.map_or_else(String::new, |effort| {
            format!(", at most {} {}", number(effort), units.effort.replace('*', " "))
        });
        self.inputs.push(Field {
            name: field,
            kind: "f64",
            unit: units.effort,
            input: true,
            documentation: format!("The {} of the joint {shown_name}{limit}.", units.input),
            value: "0.0".to_owned(),
        });
    }
}
