//! MJCF: bodies in bodies, with their joints.
//!
//! Source: the reference of the format, <https://mujoco.readthedocs.io/en/stable/XMLreference.html>.

mod compiler;
mod defaults;
mod shape;

use super::model::{Joint, Kind, Link, Options, Robot};
use super::names::shown;
use super::space::{Inertia, Pose, scale};
use super::urdf::{LeftOut, checked, direction, needed, not_negative, place};
use super::xml::{Element, Fault};
use compiler::{Compiler, FromShapes};
use defaults::{Defaults, Styled};

/// Elements of a file that are left out whole, without a question: they do not change the motion of bodies that no control drives. Actuators are the
/// exception: their `armature` and `damping`, and the forces of `position`, `velocity` and `damper` at no control, are left out too.
const HARMLESS: &[&str] =
    &["actuator", "asset", "contact", "custom", "keyframe", "sensor", "size", "statistic", "visual"];
/// Elements of a body that do not change its motion.
const MARKS: &[&str] = &["camera", "light", "site"];

/// Reads a robot.
///
/// # Errors
/// [`Fault`] names the first element that is wrong or has no translation.
pub(crate) fn read(root: Element<'_>, options: &Options) -> Result<Robot, Fault> {
    if options.free_base {
        return Err(root.fault("`--free-base` is for URDF; in MJCF a `freejoint` lets a body move freely".to_owned()));
    }
    let mut reader = Reader {
        compiler: Compiler::read(root)?,
        defaults: Defaults::read(root)?,
        options,
        left: LeftOut::default(),
        robot: Robot {
            name: root.attribute("model").unwrap_or_default().to_owned(),
            language: "MJCF",
            gravity: [0.0, 0.0, -9.81],
            ..Robot::default()
        },
    };
    for element in root.children() {
        match element.name() {
            "compiler" | "default" | "worldbody" => {}
            "option" => reader.option(element)?,
            name if HARMLESS.contains(&name) => reader.left.add(element),
            name => reader.refuse(element, name)?,
        }
    }
    let mut worlds = root.children().filter(|child| child.name() == "worldbody");
    let world = worlds.next().ok_or_else(|| root.fault("`mujoco` has no `worldbody`".to_owned()))?;
    if let Some(second) = worlds.next() {
        return Err(second.fault("a second `worldbody`; one is allowed".to_owned()));
    }
    reader.robot.links.push(Link { name: "world".to_owned(), place: place(world), ..Link::default() });
    reader.inside(world, 0, None)?;
    reader.scale_masses();
    reader.robot.left_out = reader.left.sentences();
    Ok(reader.robot)
}

struct Reader<'a> {
    compiler: Compiler,
    defaults: Defaults<'a>,
    options: &'a Options,
    left: LeftOut,
    robot: Robot,
}

impl<'a> Reader<'a> {
    /// Something that changes the motion and has no translation: an error, unless the user lets it be left out.
    fn refuse(&mut self, element: Element<'_>, what: &str) -> Result<(), Fault> {
        if self.options.leave_out.iter().any(|name| name == what) {
            self.left.note(what, element);
            return Ok(());
        }
        let text = format!(
            "{} may change the motion, and has no translation; `--leave-out {what}` leaves it out",
            shown(what)
        );
        Err(element.fault(text))
    }

    fn option(&mut self, element: Element<'_>) -> Result<(), Fault> {
        if let Some(gravity) = element.numbers("gravity")? {
            self.robot.gravity = gravity;
        }
        for name in ["density", "viscosity"] {
            if element.number(name)?.unwrap_or(0.0) != 0.0 {
                self.refuse(element, name)?;
            }
        }
        for flag in element.children().filter(|child| child.name() == "flag") {
            if flag.attribute("gravity") == Some("disable") {
                self.robot.gravity = [0.0; 3];
            }
            for name in ["passive", "spring", "damper"] {
                if flag.attribute(name) == Some("disable") {
                    self.refuse(flag, name)?;
                }
            }
        }
        Ok(())
    }

    /// Reads what is inside the world or a body. `link` is the link of its frame.
    fn inside(&mut self, element: Element<'a>, link: usize, class: Option<&'a str>) -> Result<(), Fault> {
        for child in element.children() {
            match child.name() {
                "body" => self.body(child, link, class)?,
                "inertial" | "joint" | "freejoint" if link != 0 => {}
                "geom" => self.left.note("geom (shape and contact)", child),
                name if MARKS.contains(&name) => self.left.add(child),
                name => self.refuse(child, name)?,
            }
        }
        Ok(())
    }

    fn body(&mut self, element: Element<'a>, parent: usize, class: Option<&'a str>) -> Result<(), Fault> {
        let class = self.defaults.inside(element, class)?;
        if element.attribute("mocap") == Some("true") {
            self.refuse(element, "mocap")?;
        }
        if element.number("gravcomp")?.unwrap_or(0.0) != 0.0 {
            self.refuse(element, "gravcomp")?;
        }
        let name = match element.attribute("name") {
            Some(name) if !name.trim().is_empty() => name.to_owned(),
            _ => format!("body{}", self.robot.links.len()),
        };
        if self.robot.links.iter().any(|link| link.name == name) {
            return Err(element.fault_at("name", format!("a second body {}; names must differ", shown(&name))));
        }
        let mut pose = self.compiler.pose(&self.defaults.styled(element, class)?)?;
        let joints: Vec<Element<'a>> =
            element.children().filter(|child| ["joint", "freejoint"].contains(&child.name())).collect();
        // Each joint moves a link of its own, which stands where the joint is; the last one is that of the body, unless the joint is elsewhere.
        let mut before = parent;
        for (at, &joint) in joints.iter().enumerate() {
            let (mut stated, anchor) = self.joint(joint, &name, class)?;
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
            stated.child = self.link(element, here);
            before = stated.child;
            self.robot.joints.push(stated);
            pose = Pose { position: scale(-1.0, anchor), ..Pose::default() };
        }
        let link = if joints.is_empty() || pose.position.map(f64::abs) != [0.0; 3] {
            let own = if joints.is_empty() { name.clone() } else { format!("{name}_own") };
            let link = self.link(element, own.clone());
            let name = format!("{own}_fixed");
            self.robot.joints.push(Joint::new(&name, place(element), Kind::Fixed, [before, link], pose));
            link
        } else {
            before
        };
        self.robot.links[link].inertia = self.inertia(element, &name, class)?;
        self.inside(element, link, class)
    }

    /// A new link.
    fn link(&mut self, element: Element<'_>, name: String) -> usize {
        self.robot.links.push(Link { name, place: place(element), ..Link::default() });
        self.robot.links.len() - 1
    }

    /// A joint without its links, and where it is in the frame of its body.
    fn joint(&mut self, element: Element<'a>, body: &str, class: Option<&'a str>) -> Result<(Joint, [f64; 3]), Fault> {
        let is_free = element.name() == "freejoint";
        let styled = self.defaults.styled(element, class)?;
        let kind = match styled.of("type").attribute("type") {
            _ if is_free => Kind::Floating,
            None | Some("hinge") => Kind::Revolute,
            Some("slide") => Kind::Prismatic,
            Some("ball") => Kind::Ball,
            Some("free") => Kind::Floating,
            Some(other) => {
                let text = format!("`{other}` is no type of a joint; `hinge`, `slide`, `ball` and `free` are allowed");
                return Err(styled.of("type").fault_at("type", text));
            }
        };
        let name = match element.attribute("name") {
            Some(name) if !name.trim().is_empty() => name.to_owned(),
            _ => format!("{body}_joint{}", self.robot.joints.len()),
        };
        if self.robot.joints.iter().any(|joint| joint.name == name) {
            return Err(element.fault_at("name", format!("a second joint {}; names must differ", shown(&name))));
        }
        let mut joint = Joint::new(&name, place(element), kind, [0, 0], Pose::default());
        if is_free {
            return Ok((joint, [0.0; 3]));
        }
        self.along(&mut joint, &styled)?;
        // What slides or moves freely does so alike from every point.
        let turns = matches!(kind, Kind::Revolute | Kind::Ball);
        let anchor = if turns { styled.of("pos").numbers("pos")? } else { None };
        Ok((joint, anchor.unwrap_or_default()))
    }

    /// What acts along a joint, and its limits.
    fn along(&mut self, joint: &mut Joint, styled: &Styled<'a>) -> Result<(), Fault> {
        let one = matches!(joint.kind, Kind::Revolute | Kind::Prismatic);
        let stiffness = not_negative(styled.of("stiffness"), "stiffness")?;
        joint.damping = not_negative(styled.of("damping"), "damping")?;
        joint.friction = not_negative(styled.of("frictionloss"), "frictionloss")?;
        joint.armature = not_negative(styled.of("armature"), "armature")?;
        if !one {
            for (name, value) in [
                ("stiffness", stiffness),
                ("damping", joint.damping),
                ("armature", joint.armature),
                ("frictionloss", joint.friction),
            ] {
                if value != 0.0 {
                    self.refuse(styled.of(name), name)?;
                }
            }
            (joint.damping, joint.armature, joint.friction) = (0.0, 0.0, 0.0);
            return Ok(());
        }
        if joint.friction != 0.0 && !self.options.friction {
            self.left.note("frictionloss", styled.element());
        }
        joint.axis = direction(styled.of("axis"), "axis", [0.0, 0.0, 1.0])?;
        let unit = if joint.kind == Kind::Revolute { self.compiler.radians } else { 1.0 };
        joint.reference = unit * styled.of("ref").number("ref")?.unwrap_or(0.0);
        let rest = unit * styled.of("springref").number("springref")?.unwrap_or(0.0);
        joint.spring = (stiffness != 0.0).then_some([stiffness, rest]);
        let range: Option<[f64; 2]> = styled.of("range").numbers("range")?;
        let limited = styled.of("limited").attribute("limited") != Some("false");
        joint.range = range.filter(|range| limited && range[0] < range[1]).map(|range| range.map(|end| unit * end));
        Ok(())
    }

    fn inertia(&mut self, body: Element<'a>, name: &str, class: Option<&'a str>) -> Result<Inertia, Fault> {
        let stated = body.only("inertial")?;
        if let Some(stated) = stated.filter(|_| self.compiler.from_shapes != FromShapes::Always) {
            let pose = self.compiler.pose(&self.defaults.styled(stated, class)?)?;
            let inertia = Inertia { mass: needed(stated, "mass")?, center: [0.0; 3], tensor: tensor(stated)? };
            self.robot.doubts.extend(checked(stated, name, &inertia)?);
            return Ok(inertia.seen_from(&pose));
        }
        let mut inertia = Inertia::default();
        if self.compiler.from_shapes != FromShapes::Never {
            for shape in body.children().filter(|child| child.name() == "geom") {
                inertia = inertia.with(&shape::inertia(&self.defaults.styled(shape, class)?, &self.compiler)?);
            }
        }
        Ok(inertia)
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
        (Some([xx, yy, zz, xy, xz, yz]), None) => Ok([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]),
        (None, Some([xx, yy, zz])) => Ok([[xx, 0.0, 0.0], [0.0, yy, 0.0], [0.0, 0.0, zz]]),
        (None, None) => Err(element.fault("`inertial` needs `diaginertia` or `fullinertia`".to_owned())),
    }
}
