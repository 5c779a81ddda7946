//! URDF: links and joints by name.
//!
//! Source: the description of the format, <http://wiki.ros.org/urdf/XML>.

use super::model::{Joint, Kind, Link, Mimic, Options, Place, Robot};
use super::names::{near, shown, suggesting};
use super::space::{Inertia, Pose, Vector, length};
use super::xml::{Element, Fault};
use std::collections::{BTreeMap, BTreeSet};

/// The elements of URDF that are read, each with its attributes and with the names of the elements inside it.
const READ: &[(&str, &[&str], &[&str])] = &[
    ("robot", &["name"], &["link", "joint"]),
    ("link", &["name"], &["inertial"]),
    ("inertial", &[], &["origin", "mass", "inertia"]),
    ("mass", &["value"], &[]),
    ("inertia", &["ixx", "iyy", "izz", "ixy", "ixz", "iyz"], &[]),
    ("origin", &["xyz", "rpy"], &[]),
    ("joint", &["name", "type"], &["parent", "child", "axis", "limit", "dynamics", "mimic", "origin"]),
    ("parent", &["link"], &[]),
    ("child", &["link"], &[]),
    ("axis", &["xyz"], &[]),
    ("limit", &["lower", "upper", "effort", "velocity"], &[]),
    ("dynamics", &["damping", "friction"], &[]),
    ("mimic", &["joint", "multiplier", "offset"], &[]),
];

/// Standard gravity along −z, which the format does not state.
const GRAVITY: Vector = [0.0, 0.0, -9.81];

/// Reads a robot.
///
/// # Errors
/// [`Fault`] names the first element that is wrong.
pub(crate) fn read(root: Element<'_>, options: &Options) -> Result<Robot, Fault> {
    if let Some(macro_) =
        root.descendants().find(|element| element.namespace().is_some_and(|uri| uri.contains("xacro")))
    {
        let text = format!("`xacro:{}` is a macro; expand the file by `xacro` before", macro_.name());
        return Err(macro_.fault(text));
    }
    if let Some(name) = options.leave_out.first() {
        let text = format!(
            "`--leave-out {name}` is for MJCF; elements of URDF that have no translation are listed in the written file"
        );
        return Err(root.fault(text));
    }
    let mut robot = Robot {
        name: root.attribute("name").unwrap_or_default().to_owned(),
        language: "URDF",
        gravity: GRAVITY,
        ..Robot::default()
    };
    let mut links = BTreeMap::new();
    let mut left = LeftOut::default();
    misspelt(root, &mut left)?;
    for element in root.children().filter(|child| child.name() == "link") {
        let link = link(element, &mut left, &mut robot.doubts)?;
        if links.insert(link.name.clone(), robot.links.len()).is_some() {
            return Err(element.fault_at("name", format!("a second link {}; names must differ", shown(&link.name))));
        }
        robot.links.push(link);
    }
    if robot.links.is_empty() {
        return Err(root.fault("`robot` has no `link`".to_owned()));
    }
    let mut joints = BTreeSet::new();
    for element in root.children().filter(|child| child.name() == "joint") {
        let joint = joint(element, &links, options, &mut left)?;
        if !joints.insert(joint.name.clone()) {
            return Err(element.fault_at("name", format!("a second joint {}; names must differ", shown(&joint.name))));
        }
        robot.joints.push(joint);
    }
    for element in root.children().filter(|child| !["link", "joint"].contains(&child.name())) {
        left.add(element);
    }
    robot.left_out = left.sentences();
    Ok(robot)
}

/// Refuses elements and attributes whose names are nearly those that are read, and notes other attributes. Files have some that only their own programs know.
fn misspelt(element: Element<'_>, left: &mut LeftOut) -> Result<(), Fault> {
    let Some((_, attributes, inside)) = READ.iter().find(|(name, ..)| *name == element.name()) else { return Ok(()) };
    for name in element.attributes().filter(|name| !attributes.contains(name)) {
        if near(name, attributes).is_some() {
            let text = suggesting(format!("`{}` has no attribute `{name}`", element.name()), name, attributes);
            return Err(element.fault_at(name, text));
        }
        left.note(&format!("{name} of {}", element.name()), element);
    }
    for child in element.children() {
        if inside.contains(&child.name()) {
            misspelt(child, left)?;
        } else if near(child.name(), inside).is_some() {
            let text = format!("no element `{}` may stand in `{}`", child.name(), element.name());
            return Err(child.fault(suggesting(text, child.name(), inside)));
        }
    }
    Ok(())
}

/// The elements that have no counterpart in a mechanism, by name, with lines.
#[derive(Debug, Default)]
pub(crate) struct LeftOut {
    lines: BTreeMap<String, Vec<u32>>,
}

impl LeftOut {
    /// Notes an element.
    pub(crate) fn add(&mut self, element: Element<'_>) {
        self.note(element.name(), element);
    }

    /// Notes something that an element states.
    pub(crate) fn note(&mut self, what: &str, element: Element<'_>) {
        self.lines.entry(what.to_owned()).or_default().push(element.line());
    }

    /// One sentence for each name.
    pub(crate) fn sentences(&self) -> Vec<String> {
        let sentence = |(name, lines): (&String, &Vec<u32>)| {
            let mut shown_lines: Vec<String> = lines.iter().take(5).map(u32::to_string).collect();
            if lines.len() > shown_lines.len() {
                shown_lines.push("…".to_owned());
            }
            let noun = if lines.len() == 1 { "line" } else { "lines" };
            format!("{}, {} times ({noun} {})", shown(name), lines.len(), shown_lines.join(", "))
                .replace(", 1 times (", " (")
        };
        self.lines.iter().map(sentence).collect()
    }
}

/// Where an element stands.
pub(crate) fn place(element: Element<'_>) -> Place {
    let Fault { line, column, .. } = element.fault(String::new());
    Place { line, column }
}

fn link(element: Element<'_>, left: &mut LeftOut, doubts: &mut Vec<String>) -> Result<Link, Fault> {
    let name = element.required("name")?.to_owned();
    let inertia = match element.only("inertial")? {
        Some(inertial) => inertia(inertial, &name, left, doubts)?,
        None => Inertia::default(),
    };
    for child in element.children().filter(|child| child.name() != "inertial") {
        left.add(child);
    }
    Ok(Link { name, place: place(element), inertia, ..Link::default() })
}

fn inertia(element: Element<'_>, link: &str, left: &mut LeftOut, doubts: &mut Vec<String>) -> Result<Inertia, Fault> {
    let mass = match element.only("mass")? {
        Some(mass) => needed(mass, "value")?,
        None => return Err(element.fault("`inertial` has no `mass`".to_owned())),
    };
    let tensor = match element.only("inertia")? {
        Some(tensor) => {
            let [xx, yy, zz] = [needed(tensor, "ixx")?, needed(tensor, "iyy")?, needed(tensor, "izz")?];
            let entry = |name| Ok::<f64, Fault>(tensor.number(name)?.unwrap_or(0.0));
            let (xy, xz, yz) = (entry("ixy")?, entry("ixz")?, entry("iyz")?);
            [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
        }
        None => [[0.0; 3]; 3],
    };
    for child in element.children().filter(|child| !["mass", "inertia", "origin"].contains(&child.name())) {
        left.add(child);
    }
    let inertia = Inertia { mass, center: [0.0; 3], tensor };
    doubts.extend(checked(element, link, &inertia)?);
    Ok(inertia.seen_from(&origin(element)?))
}

/// Refuses a negative mass and a negative moment about an axis of the frame. A tensor that has a negative moment about another
/// direction is doubtful: files have such tensors by rounding, or by mistake.
pub(crate) fn checked(element: Element<'_>, link: &str, inertia: &Inertia) -> Result<Option<String>, Fault> {
    if inertia.mass < 0.0 {
        return Err(element.fault(format!("the mass {} is negative; 0 or more is allowed", inertia.mass)));
    }
    if let Some(moment) = (0..3).map(|i| inertia.tensor[i][i]).find(|moment| *moment < 0.0) {
        return Err(element.fault(format!("the moment of inertia {moment} is negative; 0 or more is allowed")));
    }
    let text = "the tensor of inertia has a negative moment about some direction, as no body has";
    Ok((!inertia.is_possible()).then(|| format!("{} (line {}): {text}", shown(link), element.line())))
}

/// A number that must be there.
pub(crate) fn needed(element: Element<'_>, name: &str) -> Result<f64, Fault> {
    element.required(name)?;
    element.number(name)?.ok_or_else(|| element.fault(format!("`{}` has no attribute `{name}`", element.name())))
}

/// The pose that the `origin` of an element states.
fn origin(element: Element<'_>) -> Result<Pose, Fault> {
    let Some(origin) = element.only("origin")? else { return Ok(Pose::default()) };
    Ok(Pose {
        position: origin.numbers("xyz")?.unwrap_or_default(),
        angles: origin.numbers("rpy")?.unwrap_or_default(),
    })
}

fn joint(
    element: Element<'_>,
    links: &BTreeMap<String, usize>,
    options: &Options,
    left: &mut LeftOut,
) -> Result<Joint, Fault> {
    let name = element.required("name")?.to_owned();
    let kind = kind(element)?;
    let end = |role: &str| {
        let end =
            element.only(role)?.ok_or_else(|| element.fault(format!("the joint {} has no `{role}`", shown(&name))))?;
        let link = end.required("link")?;
        links.get(link).copied().ok_or_else(|| {
            let known: Vec<String> = links.keys().cloned().collect();
            end.fault_at("link", crate::suggest::explain_unknown("link", link, &known))
        })
    };
    let (parent, child) = (end("parent")?, end("child")?);
    let axis = match kind {
        Kind::Fixed | Kind::Floating | Kind::Ball => [0.0, 0.0, 1.0],
        Kind::Revolute | Kind::Prismatic | Kind::Planar => match element.only("axis")? {
            Some(axis) => direction(axis, "xyz", [1.0, 0.0, 0.0])?,
            None => [1.0, 0.0, 0.0],
        },
    };
    let limit = element.only("limit")?;
    let range = match limit {
        Some(limit) if element.attribute("type") != Some("continuous") => {
            Some([limit.number("lower")?.unwrap_or(0.0), limit.number("upper")?.unwrap_or(0.0)])
        }
        _ => None,
    };
    let of_limit = |name| limit.map_or(Ok(None), |limit| limit.number(name));
    let dynamics = element.only("dynamics")?;
    let of_dynamics = |name: &str| {
        let Some(dynamics) = dynamics else { return Ok(0.0) };
        not_negative(dynamics, name)
    };
    let (damping, friction) = (of_dynamics("damping")?, of_dynamics("friction")?);
    let has_one = matches!(kind, Kind::Revolute | Kind::Prismatic);
    if kind != Kind::Fixed && !has_one && (damping != 0.0 || friction != 0.0) {
        let text = "`dynamics` of a joint with several coordinates; `revolute`, `continuous` and `prismatic` joints may have it";
        return Err(element.fault(text.to_owned()));
    }
    if let Some(dynamics) = dynamics.filter(|_| friction != 0.0 && !options.friction && has_one) {
        left.note("friction", dynamics);
    }
    let mimic = mimic(element, kind)?;
    let known = ["parent", "child", "axis", "limit", "dynamics", "mimic", "origin"];
    for inner in element.children().filter(|inner| !known.contains(&inner.name())) {
        left.add(inner);
    }
    Ok(Joint {
        axis,
        range,
        effort: of_limit("effort")?,
        velocity: of_limit("velocity")?,
        damping,
        friction,
        mimic,
        ..Joint::new(&name, place(element), kind, [parent, child], origin(element)?)
    })
}

/// How a joint moves.
fn kind(joint: Element<'_>) -> Result<Kind, Fault> {
    Ok(match joint.required("type")? {
        "fixed" => Kind::Fixed,
        "revolute" | "continuous" => Kind::Revolute,
        "prismatic" => Kind::Prismatic,
        "planar" => Kind::Planar,
        "floating" => Kind::Floating,
        other => {
            let known = "`revolute`, `continuous`, `prismatic`, `fixed`, `floating` and `planar` are allowed";
            return Err(joint.fault_at("type", format!("`{other}` is no type of a joint; {known}")));
        }
    })
}

/// The joint that a joint of this kind follows.
fn mimic(joint: Element<'_>, kind: Kind) -> Result<Option<Mimic>, Fault> {
    let Some(mimic) = joint.only("mimic")? else { return Ok(None) };
    match kind {
        Kind::Revolute | Kind::Prismatic => Ok(Some(Mimic {
            joint: mimic.required("joint")?.to_owned(),
            factor: mimic.number("multiplier")?.unwrap_or(1.0),
            offset: mimic.number("offset")?.unwrap_or(0.0),
            place: place(mimic),
        })),
        Kind::Fixed => Ok(None),
        Kind::Planar | Kind::Ball | Kind::Floating => {
            let text = "`mimic` of a joint with several coordinates; `revolute`, `continuous` and `prismatic` joints may have it";
            Err(mimic.fault(text.to_owned()))
        }
    }
}

/// A number that must not be negative, and is 0 where it is missing.
pub(crate) fn not_negative(element: Element<'_>, name: &str) -> Result<f64, Fault> {
    let value = element.number(name)?.unwrap_or(0.0);
    if value < 0.0 {
        let text = format!("`{name}` of `{}` is {value}; 0 or more is allowed", element.name());
        return Err(element.fault_at(name, text));
    }
    Ok(value)
}

/// A direction of length 1.
pub(crate) fn direction(element: Element<'_>, name: &str, default: Vector) -> Result<Vector, Fault> {
    let axis = element.numbers(name)?.unwrap_or(default);
    let size = length(axis);
    if size == 0.0 || !size.is_finite() {
        let text = format!("`{name}` of `{}` has the length {size}; it must give a direction", element.name());
        return Err(element.fault_at(name, text));
    }
    Ok(axis.map(|entry| entry / size))
}
