//! MJCF: bodies in bodies, with their joints.
//!
//! Source: the reference of the format, <https://mujoco.readthedocs.io/en/stable/XMLreference.html>.

mod actuator;
mod attributes;
mod compiler;
mod consent;
mod defaults;
mod joint;
mod option;
mod shape;

use super::model::{Joint, Kind, Link, Options, Robot};
use super::names::{Fresh, shown};
use super::space::{Inertia, Pose, scale};
use super::urdf::{checked, needed, place};
use super::xml::{Element, Fault};
use compiler::{Compiler, FromShapes, ORIENTATIONS};
use consent::Consent;
use defaults::Defaults;
use option::World;
use std::collections::BTreeSet;

/// Elements of a file that are left out whole, without a question: they do not change the motion of bodies without contacts.
const HARMLESS: &[&str] = &["asset", "contact", "custom", "keyframe", "sensor", "size", "statistic", "visual"];
/// Elements of a file with another meaning, which are read or refused.
const PARTS: &[&str] = &[
    "actuator",
    "compiler",
    "default",
    "deformable",
    "equality",
    "extension",
    "include",
    "option",
    "tendon",
    "worldbody",
];
/// Elements of a body that do not change its motion.
const MARKS: &[&str] = &["camera", "light", "site"];
/// Other elements of a body, which are read or refused.
const MEMBERS: &[&str] = &[
    "attach",
    "body",
    "composite",
    "flexcomp",
    "frame",
    "freejoint",
    "geom",
    "include",
    "inertial",
    "joint",
    "plugin",
    "replicate",
];

/// Reads a robot.
///
/// # Errors
/// [`Fault`] names the first element that is wrong or has no translation.
pub(crate) fn read(root: Element<'_>, options: &Options) -> Result<Robot, Fault> {
    if options.free_base {
        return Err(root.fault("`--free-base` is for URDF; in MJCF a `freejoint` lets a body move freely".to_owned()));
    }
    let mut consent = Consent::new(&options.leave_out);
    attributes::check(root, &mut consent)?;
    let defaults = Defaults::read(root)?;
    for element in root.children() {
        match element.name() {
            "actuator" => actuator::read(element, &defaults, &mut consent)?,
            "compiler" | "default" | "option" | "worldbody" => {}
            name if HARMLESS.contains(&name) => consent.harmless(element),
            name if PARTS.contains(&name) => consent.refuse(element, name)?,
            _ => return Err(element.fault(attributes::misplaced(root, element, &[HARMLESS, PARTS].concat()))),
        }
    }
    let mut worlds = root.children().filter(|child| child.name() == "worldbody");
    let world = worlds.next().ok_or_else(|| root.fault("`mujoco` has no `worldbody`".to_owned()))?;
    if let Some(second) = worlds.next() {
        return Err(second.fault("a second `worldbody`; one is allowed".to_owned()));
    }
    let stated = |name: &'static str| {
        let named =
            move |element: &Element<'_>| element.name() == name || (name == "joint" && element.name() == "freejoint");
        world.descendants().filter(named).filter_map(|element| element.attribute("name"))
    };
    let rules = World::read(root, &mut consent)?;
    let mut reader = Reader {
        compiler: Compiler::read(root)?,
        body_names: Fresh::beside(stated("body").chain(["world"])),
        joint_names: Fresh::beside(stated("joint")),
        bodies_read: BTreeSet::from(["world".to_owned()]),
        joints_read: BTreeSet::new(),
        defaults,
        options,
        consent,
        robot: Robot {
            name: root.attribute("model").unwrap_or_default().to_owned(),
            language: "MJCF",
            gravity: rules.gravity(),
            ..Robot::default()
        },
        world: rules,
    };
    reader.robot.links.push(Link { name: "world".to_owned(), place: place(world), ..Link::default() });
    reader.inside(world, 0, None)?;
    reader.scale_masses();
    reader.robot.left_out = reader.consent.sentences(root)?;
    Ok(reader.robot)
}

struct Reader<'a> {
    compiler: Compiler,
    world: World,
    defaults: Defaults<'a>,
    options: &'a Options,
    consent: Consent<'a>,
    /// Names for bodies and joints that have none.
    body_names: Fresh,
    joint_names: Fresh,
    /// The names of bodies and joints that have been read.
    bodies_read: BTreeSet<String>,
    joints_read: BTreeSet<String>,
    robot: Robot,
}

impl<'a> Reader<'a> {
    /// Reads what is inside the world or a body. `link` is the link of its frame.
    fn inside(&mut self, element: Element<'a>, link: usize, class: Option<&'a str>) -> Result<(), Fault> {
        for child in element.children() {
            match child.name() {
                "body" => self.body(child, link, class)?,
                "inertial" | "joint" | "freejoint" if link != 0 => {}
                "geom" => self.consent.note("geom (shape and contact)", child),
                name if MARKS.contains(&name) => self.consent.harmless(child),
                name if MEMBERS.contains(&name) => self.consent.refuse(child, name)?,
                _ => return Err(child.fault(attributes::misplaced(element, child, &[MARKS, MEMBERS].concat()))),
            }
        }
        Ok(())
    }

    fn body(&mut self, element: Element<'a>, parent: usize, class: Option<&'a str>) -> Result<(), Fault> {
        let class = self.defaults.inside(element, class)?;
        let name = match element.attribute("name").filter(|name| !name.trim().is_empty()) {
            Some(name) => {
                if !self.bodies_read.insert(name.to_owned()) {
                    return Err(element.fault_at("name", format!("a second body {}; names must differ", shown(name))));
                }
                name.to_owned()
            }
            None => self.body_names.name(&format!("body{}", self.robot.links.len())),
        };
        let mut pose = self.compiler.pose(&self.defaults.styled(element, class)?)?;
        let joints: Vec<Element<'a>> =
            element.children().filter(|child| ["joint", "freejoint"].contains(&child.name())).collect();
        // Each joint moves a link of its own, which stands where the joint is; the last one is that of the body, unless the joint is elsewhere.
        let mut before = parent;
        for (at, &joint) in joints.iter().enumerate() {
            let (mut stated, anchor) = self.joint(joint, element, &name, class)?;
            if stated.kind == Kind::Floating {
                if joints.len() > 1 || parent != 0 {
                    let text = "a free joint must be the only joint of a body in `worldbody`";
                    return Err(joint.fault(text.to_owned()));
                }
                pose = Pose::default();
            }
            let last = at + 1 == joints.len();
            let here = if last { name.clone() } else { format!("{name}_{}", stated.name) };
            stated.pose = pose.then(&Pose { position: anchor, ..Pose::default() });
            stated.parent = before;
            stated.child = self.link(element, here, !last);
            before = stated.child;
            self.robot.joints.push(stated);
            pose = Pose { position: scale(-1.0, anchor), ..Pose::default() };
        }
        let link = if joints.is_empty() || pose.position.map(f64::abs) != [0.0; 3] {
            let own = if joints.is_empty() { name.clone() } else { format!("{name}_own") };
            let link = self.link(element, own.clone(), !joints.is_empty());
            if !joints.is_empty() {
                self.robot.links[before].frame = Some(link);
            }
            let name = format!("{own}_fixed");
            self.robot.joints.push(Joint::new(&name, place(element), Kind::Fixed, [before, link], pose));
            link
        } else {
            before
        };
        self.robot.links[link].inertia = self.inertia(element, &name, class)?;
        self.inside(element, link, class)
    }

    /// A new link, whose name the file states or not.
    fn link(&mut self, element: Element<'_>, name: String, generated: bool) -> usize {
        self.robot.links.push(Link { name, generated, place: place(element), ..Link::default() });
        self.robot.links.len() - 1
    }

    /// The inertia of a body: what `inertial` states, or the inertia of its shapes. Shapes without mass do not replace an `inertial`.
    fn inertia(&mut self, body: Element<'a>, name: &str, class: Option<&'a str>) -> Result<Inertia, Fault> {
        let stated = body.only("inertial")?;
        let mut inertia = Inertia::default();
        let from_shapes = match self.compiler.from_shapes {
            FromShapes::Auto => stated.is_none(),
            FromShapes::Always => true,
            FromShapes::Never => false,
        };
        for shape in body.children().filter(|child| from_shapes && child.name() == "geom") {
            inertia = inertia.with(&shape::inertia(&self.defaults.styled(shape, class)?, &self.compiler)?);
        }
        let Some(stated) = stated.filter(|_| inertia.is_zero()) else { return Ok(inertia) };
        stated.required("pos")?;
        let pose = self.compiler.pose(&self.defaults.styled(stated, class)?)?;
        let inertia = Inertia { mass: needed(stated, "mass")?, center: [0.0; 3], tensor: tensor(stated)? };
        self.robot.doubts.extend(checked(stated, name, &inertia)?);
        Ok(inertia.seen_from(&pose))
    }

    /// Gives all bodies together the mass that the file states.
    fn scale_masses(&mut self) {
        let total: f64 = self.robot.links.iter().map(|link| link.inertia.mass).sum();
        let Some(wanted) = self.compiler.total_mass.filter(|_| total > 0.0) else { return };
        for link in &mut self.robot.links {
            link.inertia.mass *= wanted / total;
            link.inertia.tensor = link.inertia.tensor.map(|row| scale(wanted / total, row));
        }
    }
}

/// The tensor of an `inertial`, along its own axes.
fn tensor(element: Element<'_>) -> Result<[[f64; 3]; 3], Fault> {
    let full: Option<[f64; 6]> = element.numbers("fullinertia")?;
    match (full, element.numbers("diaginertia")?) {
        (Some(_), Some(_)) => {
            let text = "`inertial` has both `diaginertia` and `fullinertia`; one of them is allowed";
            Err(element.fault_at("fullinertia", text.to_owned()))
        }
        (Some([xx, yy, zz, xy, xz, yz]), None) => {
            if let Some(name) = ORIENTATIONS.iter().find(|name| element.attribute(name).is_some()) {
                let text = format!("`inertial` has both `fullinertia` and `{name}`; one of them is allowed");
                return Err(element.fault_at(name, text));
            }
            Ok([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        }
        (None, Some([xx, yy, zz])) => Ok([[xx, 0.0, 0.0], [0.0, yy, 0.0], [0.0, 0.0, zz]]),
        (None, None) => Err(element.fault("`inertial` needs `diaginertia` or `fullinertia`".to_owned())),
    }
}
