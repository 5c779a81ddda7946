//! Bodies as the text of a Rust file.

mod expression;
mod joint;

use super::model::{Free, Joint, Kind, Options, Robot};
use super::names::{Names, shown, type_name};
use super::space;
use super::tree::Body;
pub(super) use expression::toward;
use expression::{mass_times, moved, number, product};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The file's text.
pub(crate) fn write(robot: &Robot, bodies: &[Body], file: &str, options: &Options) -> String {
    let mut writer = Writer::new(robot, bodies, options);
    for at in 0..bodies.len() {
        writer.body(at);
    }
    for at in 0..bodies.len() {
        writer.tips(at);
    }
    writer.finish(file)
}

/// A body, as expressions of the block.
#[derive(Clone, Debug, Default)]
struct Placed {
    /// Where its origin is; `None` for the origin of space.
    origin: Option<String>,
    /// Its frame; `None` for the axes of space.
    frame: Option<String>,
    /// Whether its frame turns.
    turns: bool,
}

/// A field of the struct.
#[derive(Clone, Debug)]
struct Field {
    name: String,
    kind: &'static str,
    unit: &'static str,
    input: bool,
    documentation: String,
    value: String,
}

struct Writer<'a> {
    robot: &'a Robot,
    bodies: &'a [Body],
    options: &'a Options,
    names: Names,
    /// The names of joints, by those of the file, and whether they slide.
    joints: BTreeMap<&'a str, (String, bool)>,
    /// The name of each body.
    own: Vec<String>,
    placed: Vec<Placed>,
    block: String,
    kinetic: Vec<String>,
    weights: Vec<String>,
    springs: Vec<String>,
    dissipation: Vec<String>,
    /// Statements behind the energies.
    ends: Vec<String>,
    inputs: Vec<Field>,
}

impl<'a> Writer<'a> {
    fn new(robot: &'a Robot, bodies: &'a [Body], options: &'a Options) -> Self {
        let mut names = Names::new();
        let joints = bodies
            .iter()
            .map(|Body { joint, .. }| {
                (&joint.name[..], (names.claim(&joint.name, joint::ENDINGS), joint.kind == Kind::Prismatic))
            })
            .collect();
        let endings: &'static [&'static str] = &["_frame", "_center", "_position"];
        let own = bodies.iter().map(|body| names.claim_link(&robot.links[body.joint.child].name, endings)).collect();
        Self {
            robot,
            bodies,
            options,
            names,
            joints,
            own,
            placed: Vec::new(),
            block: String::new(),
            kinetic: Vec::new(),
            weights: Vec::new(),
            springs: Vec::new(),
            dissipation: Vec::new(),
            ends: Vec::new(),
            inputs: Vec::new(),
        }
    }

    /// Adds a line to the block.
    fn line(&mut self, text: &str) {
        self.block.push_str("    ");
        self.block.push_str(text);
        self.block.push('\n');
    }

    /// What stands in the file about a body: its joint, where it is, and its energy.
    fn body(&mut self, at: usize) {
        let bodies = self.bodies;
        let body = &bodies[at];
        let own = self.own[at].clone();
        if at > 0 {
            self.block.push('\n');
        }
        self.describe(at);
        let moving = self.joint(&body.joint);
        let before = body.parent.map_or_else(Placed::default, |parent| self.placed[parent].clone());
        let mut terms: Vec<String> = before.origin.iter().cloned().collect();
        terms.extend(moved(before.frame.as_deref(), body.joint.pose.position));
        let mut factors: Vec<String> = before.frame.iter().cloned().collect();
        factors.extend(expression::turned(body.joint.pose.angles));
        // What slides is stated in the frame of the joint, which needs a name where it is a product.
        if let Some(slide) = &moving.slide {
            if factors.len() > 1 {
                let frame = if moving.turns.is_empty() {
                    format!("{own}_frame")
                } else {
                    self.names.claim(&format!("{own}_mount"), &[])
                };
                self.line(&format!("let {frame} = {};", product(&factors)));
                factors = vec![frame];
            }
            terms.push(factors.first().map_or_else(|| slide.clone(), |frame| format!("{frame}*{slide}")));
        }
        let turns = before.turns || !moving.turns.is_empty();
        let already = factors.len() == 1;
        let new = !moving.turns.is_empty();
        factors.extend(moving.turns);
        let frame = match &factors[..] {
            [] => None,
            [one] if already && !new => Some(one.clone()),
            _ => {
                self.line(&format!("let {own}_frame = {};", product(&factors)));
                Some(format!("{own}_frame"))
            }
        };
        let origin = match &terms[..] {
            [] => None,
            [one] if before.origin.as_ref() == Some(one) => Some(one.clone()),
            _ => {
                self.line(&format!("let {own}: m = {};", terms.join(" + ")));
                Some(own.clone())
            }
        };
        let placed = Placed { origin, frame, turns };
        self.energy(body, &own, &placed);
        self.placed.push(placed);
    }

    /// The energies of a body.
    fn energy(&mut self, body: &Body, own: &str, placed: &Placed) {
        let inertia = &body.inertia;
        if inertia.is_zero() {
            return;
        }
        let mut terms: Vec<String> = placed.origin.iter().cloned().collect();
        terms.extend(moved(placed.frame.as_deref(), inertia.center));
        let center = match &terms[..] {
            [] => "[0, 0, 0]".to_owned(),
            [one] if placed.origin.as_ref() == Some(one) => one.clone(),
            _ => {
                self.line(&format!("let {own}_center: m = {};", terms.join(" + ")));
                format!("{own}_center")
            }
        };
        let mass = format!("{}[kg]", number(inertia.mass));
        let has_tensor = inertia.tensor != [[0.0; 3]; 3];
        if let (true, true, Some(frame)) = (placed.turns, has_tensor, &placed.frame) {
            let tensor = expression::tensor(&inertia.tensor);
            self.kinetic.push(format!("rigid_body_energy({mass}, {tensor}, {center}, {frame})"));
        } else if inertia.mass > 0.0 && center != "[0, 0, 0]" {
            self.kinetic.push(format!("{mass}*norm2(dot({center}))/2"));
        }
        if inertia.mass > 0.0 && center != "[0, 0, 0]" {
            self.weights.push(mass_times(&mass, &center, !self.has_vertical_gravity()));
        }
    }

    /// Whether gravity acts along −z, as almost always.
    fn has_vertical_gravity(&self) -> bool {
        self.robot.gravity[0] == 0.0 && self.robot.gravity[1] == 0.0
    }

    /// The outputs of a body.
    fn tips(&mut self, at: usize) {
        for (link, pose) in &self.bodies[at].tips {
            let own = self.bodies[at].joint.child;
            let name = if *link == own || self.robot.links[own].frame == Some(*link) {
                self.own[at].clone()
            } else {
                self.names.claim_link(&self.robot.links[*link].name, &["_position"])
            };
            let placed = &self.placed[at];
            let mut terms: Vec<String> = placed.origin.iter().cloned().collect();
            terms.extend(moved(placed.frame.as_deref(), pose.position));
            if terms.is_empty() && !self.options.tips.is_empty() {
                terms.push("1[m]*[0, 0, 0]".to_owned());
            }
            if !terms.is_empty() {
                self.ends.push(format!("output {name}_position: m = {};", terms.join(" + ")));
            }
        }
    }

    fn finish(self, file: &str) -> String {
        let mut text = String::new();
        let robot = self.robot;
        let name = self.options.name.clone().unwrap_or_else(|| type_name(&robot.name));
        let (what, file) = (shown(&robot.name), shown(file));
        // Writing to a text cannot fail.
        _ = writeln!(text, "//! The robot {what}, which `lagrange import` wrote from {file} ({}).", robot.language);
        text.push_str("//!\n//! Lengths are in m, angles in rad, masses in kg. Vectors and tensors of a link are in its own frame.\n");
        if !robot.left_out.is_empty() {
            text.push_str("//!\n//! The file also has, without a counterpart here:\n");
            for sentence in &robot.left_out {
                _ = writeln!(text, "//! - {sentence}");
            }
        }
        if !robot.doubts.is_empty() {
            text.push_str("//!\n//! Doubtful in the file:\n");
            for sentence in &robot.doubts {
                _ = writeln!(text, "//! - {sentence}");
            }
        }
        text.push_str("\nuse lagrange_runtime::prelude::*;\n\n");
        _ = writeln!(text, "/// The robot {what}.\n#[lagrangian {{");
        text.push_str(&self.block);
        text.push('\n');
        text.push_str(&statement("kinetic", &self.kinetic, "+ "));
        text.push_str(&self.potential());
        text.push_str(&statement("dissipation", &self.dissipation, "+ "));
        if !self.ends.is_empty() {
            text.push('\n');
        }
        for end in &self.ends {
            _ = writeln!(text, "    {end}");
        }
        _ = writeln!(text, "}}]\n#[derive(Clone, Debug, PartialEq)]\npub struct {name} {{");
        let mut fields = Vec::new();
        if !self.weights.is_empty() {
            fields.push(self.gravity());
        }
        fields.extend(self.inputs);
        for field in &fields {
            _ = writeln!(text, "    /// {}", field.documentation);
            _ = writeln!(text, "    #[unit({})]", field.unit);
            if field.input {
                text.push_str("    #[input]\n");
            }
            _ = writeln!(text, "    pub {}: {},", field.name, field.kind);
        }
        _ = writeln!(text, "}}\n\nimpl Default for {name} {{\n    fn default() -> Self {{\n        Self {{");
        for field in &fields {
            _ = writeln!(text, "            {}: {},", field.name, field.value);
        }
        text.push_str("        }\n    }\n}\n");
        text
    }

    /// The potential energy of weights and springs.
    fn potential(&self) -> String {
        let mut terms = Vec::new();
        if !self.weights.is_empty() {
            let sum = self.weights.join("\n            + ");
            terms.push(if self.has_vertical_gravity() {
                format!("gravity*({sum})")
            } else {
                format!("-inner(gravity, {sum})")
            });
        }
        terms.extend(self.springs.iter().cloned());
        statement("potential", &terms, "+ ")
    }

    /// The field of gravity.
    fn gravity(&self) -> Field {
        let gravity = self.robot.gravity;
        let (kind, documentation, value) = if self.has_vertical_gravity() {
            ("f64", "The acceleration of free fall, along −z.", rust(-gravity[2]))
        } else {
            let entries: Vec<String> = gravity.iter().copied().map(rust).collect();
            ("[f64; 3]", "The acceleration of free fall.", format!("[{}]", entries.join(", ")))
        };
        Field {
            name: "gravity".to_owned(),
            kind,
            unit: "m/s^2",
            input: false,
            documentation: documentation.to_owned(),
            value,
        }
    }
}

/// A number as a literal of Rust.
fn rust(value: f64) -> String {
    format!("{:?}", if value == 0.0 { 0.0 } else { value })
}

/// A statement of terms, one a line; nothing where there are none.
fn statement(name: &str, terms: &[String], sign: &str) -> String {
    match terms {
        [] => String::new(),
        [one] => format!("    {name} = {one};\n"),
        _ => format!("    {name} = {};\n", terms.join(&format!("\n        {sign}"))),
    }
}
