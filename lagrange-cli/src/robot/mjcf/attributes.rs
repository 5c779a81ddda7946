//! The attributes that elements of MJCF may have. Each one is read, has no effect on the motion here, or is refused.
//!
//! The names stand in the schema that MuJoCo 4.0.0 prints; some are names of older versions.

use super::consent::Consent;
use crate::robot::names::suggesting;
use crate::robot::xml::{Element, Fault};

/// The attributes and inner elements of some elements of MJCF, with what the reader does about each of them.
struct Known {
    /// The elements with these attributes.
    elements: &'static [&'static str],
    /// Attributes that the reader asks for.
    read: &'static [&'static str],
    /// Attributes without effect on the motion here: of shapes and contacts, of limits, of the solver, of files and pictures.
    harmless: &'static [&'static str],
    /// Attributes that change the motion, unless they are 0 or this word.
    refused: &'static [(&'static str, &'static str)],
    /// The elements that may be inside it, where they are not asked for one by one.
    inside: Option<&'static [&'static str]>,
}

/// The drives of `actuator`. In a class they state attributes of one drive together.
pub(super) const DRIVES: &[&str] = &[
    "adhesion",
    "cylinder",
    "damper",
    "dcmotor",
    "general",
    "intvelocity",
    "motor",
    "muscle",
    "orientation",
    "pid",
    "plugin",
    "position",
    "velocity",
];

const TABLE: &[Known] = &[
    Known { elements: &["mujoco"], read: &["model"], harmless: &[], refused: &[], inside: None },
    Known {
        elements: &["compiler"],
        read: &[
            "alignfree",
            "angle",
            "balanceinertia",
            "coordinate",
            "eulerseq",
            "inertiafromgeom",
            "inertiagrouprange",
            "settotalmass",
        ],
        harmless: &[
            "assetdir",
            "autolimits",
            "conflict",
            "convexhull",
            "discardvisual",
            "exactmeshinertia",
            "fitaabb",
            "fusestatic",
            "meshdir",
            "passthrough",
            "savecanonical",
            "savecompiled",
            "saveinertial",
            "strippath",
            "texturedir",
            "usethread",
        ],
        refused: &[("boundinertia", ""), ("boundmass", "")],
        inside: Some(&["lengthrange"]),
    },
    Known {
        elements: &["option"],
        read: &["gravity"],
        harmless: &[
            "actuatorgroupdisable",
            "apirate",
            "ccd_iterations",
            "ccd_tolerance",
            "collision",
            "cone",
            "impratio",
            "integrator",
            "iterations",
            "jacobian",
            "ls_iterations",
            "ls_tolerance",
            "magnetic",
            "mpr_iterations",
            "mpr_tolerance",
            "noslip_iterations",
            "noslip_tolerance",
            "o_friction",
            "o_margin",
            "o_solimp",
            "o_solref",
            "sdf_initpoints",
            "sdf_iterations",
            "sleep_tolerance",
            "solver",
            "timestep",
            "tolerance",
            "wind",
        ],
        refused: &[("density", ""), ("viscosity", "")],
        inside: Some(&["flag"]),
    },
    Known {
        elements: &["flag"],
        read: &["constraint", "damper", "frictionloss", "gravity", "passive", "spring"],
        harmless: &[
            "actuation",
            "autoreset",
            "clampctrl",
            "contact",
            "diagexact",
            "energy",
            "equality",
            "eulerdamp",
            "filterparent",
            "fwdinv",
            "invdiscrete",
            "ipc",
            "island",
            "limit",
            "midphase",
            "multiccd",
            "nativeccd",
            "override",
            "refsafe",
            "sensor",
            "sensornoise",
            "sleep",
            "speculative",
            "warmstart",
        ],
        refused: &[],
        inside: Some(&[]),
    },
    Known {
        elements: &["default"],
        read: &["class"],
        harmless: &[],
        refused: &[],
        inside: Some(&[
            "adhesion",
            "camera",
            "cylinder",
            "damper",
            "dcmotor",
            "default",
            "equality",
            "general",
            "geom",
            "intvelocity",
            "joint",
            "light",
            "material",
            "mesh",
            "motor",
            "muscle",
            "orientation",
            "pair",
            "pid",
            "position",
            "site",
            "tendon",
            "texture",
            "velocity",
        ]),
    },
    Known { elements: &["worldbody"], read: &[], harmless: &[], refused: &[], inside: None },
    Known {
        elements: &["body"],
        read: &["axisangle", "childclass", "euler", "name", "pos", "quat", "xyaxes", "zaxis"],
        harmless: &["fuse", "simple", "sleep", "user"],
        refused: &[("gravcomp", ""), ("mocap", "false")],
        inside: None,
    },
    Known {
        elements: &["inertial"],
        read: &["axisangle", "diaginertia", "euler", "fullinertia", "mass", "pos", "quat", "xyaxes", "zaxis"],
        harmless: &[],
        refused: &[],
        inside: Some(&[]),
    },
    Known {
        elements: &["joint"],
        read: &[
            "armature",
            "axis",
            "class",
            "damping",
            "frictionloss",
            "limited",
            "name",
            "pos",
            "range",
            "ref",
            "springref",
            "stiffness",
            "type",
        ],
        harmless: &[
            "actuatorfrclimited",
            "actuatorfrcrange",
            "actuatorgravcomp",
            "group",
            "margin",
            "solimpfriction",
            "solimplimit",
            "solreffriction",
            "solreflimit",
            "user",
        ],
        refused: &[("springdamper", ""), ("springyield", "")],
        inside: Some(&[]),
    },
    Known { elements: &["freejoint"], read: &["align", "name"], harmless: &["group"], refused: &[], inside: Some(&[]) },
    Known {
        elements: &["geom"],
        read: &[
            "axisangle",
            "class",
            "density",
            "euler",
            "fromto",
            "group",
            "mass",
            "mesh",
            "name",
            "pos",
            "quat",
            "shellinertia",
            "size",
            "type",
            "xyaxes",
            "zaxis",
        ],
        harmless: &[
            "adhesion",
            "castshadow",
            "conaffinity",
            "condim",
            "contype",
            "fitscale",
            "fluidcoef",
            "fluidshape",
            "friction",
            "gap",
            "hfield",
            "margin",
            "material",
            "priority",
            "rgba",
            "solimp",
            "solmix",
            "solref",
            "surfacevel",
            "user",
        ],
        refused: &[],
        inside: Some(&["plugin"]),
    },
    Known {
        elements: &["motor", "general"],
        read: &[
            "actrange",
            "armature",
            "biastype",
            "class",
            "ctrlrange",
            "damping",
            "dyntype",
            "ffrange",
            "forcerange",
            "gaintype",
            "inheritrange",
            "input",
            "velrange",
        ],
        harmless: &[
            "actdim",
            "actearly",
            "actlimited",
            "biasprm",
            "body",
            "cranklength",
            "cranksite",
            "ctrllimited",
            "delay",
            "dynprm",
            "forcelimited",
            "gainprm",
            "gear",
            "group",
            "interp",
            "joint",
            "jointinparent",
            "lengthrange",
            "name",
            "nsample",
            "refsite",
            "site",
            "slidersite",
            "tendon",
            "user",
        ],
        refused: &[],
        inside: Some(&[]),
    },
];

/// Checks the attributes of every element that is read, in a whole file. What stands inside other elements is left to their readers, or left out.
///
/// # Errors
/// [`Fault`] at the first attribute that is not known, or that changes the motion and has no translation.
pub(super) fn check(root: Element<'_>, consent: &mut Consent<'_>) -> Result<(), Fault> {
    own(root, false, consent)?;
    for element in root.children() {
        match element.name() {
            "compiler" | "option" | "default" => within(element, false, consent)?,
            "worldbody" => bodies(element, consent)?,
            _ => {}
        }
    }
    Ok(())
}

/// Checks an element and what is inside it. In a class nothing has a name or another class.
fn within(element: Element<'_>, in_class: bool, consent: &mut Consent<'_>) -> Result<(), Fault> {
    own(element, in_class, consent)?;
    for child in element.children() {
        within(child, element.name() == "default" && child.name() != "default", consent)?;
    }
    Ok(())
}

/// Checks the world or a body, and the bodies inside it.
fn bodies(element: Element<'_>, consent: &mut Consent<'_>) -> Result<(), Fault> {
    own(element, false, consent)?;
    for child in element.children() {
        match child.name() {
            "body" => bodies(child, consent)?,
            "inertial" | "joint" | "freejoint" | "geom" => own(child, false, consent)?,
            _ => {}
        }
    }
    Ok(())
}

/// Checks the attributes of one element, and the names of the elements inside it.
pub(super) fn own(element: Element<'_>, in_class: bool, consent: &mut Consent<'_>) -> Result<(), Fault> {
    let Some(known) = TABLE.iter().find(|known| known.elements.contains(&element.name())) else { return Ok(()) };
    for name in element.attributes() {
        if let Some((_, neutral)) = known.refused.iter().find(|(refused, _)| *refused == name) {
            let value = element.attribute(name).unwrap_or_default();
            if value != *neutral
                && element.list(name).map_or(true, |list| list.unwrap_or_default().iter().any(|entry| *entry != 0.0))
            {
                consent.refuse(element, name)?;
            }
            continue;
        }
        let allowed = known.read.contains(&name) || known.harmless.contains(&name);
        if !allowed || (in_class && ["name", "class"].contains(&name)) {
            return Err(element.fault_at(name, unknown(known, element, name)));
        }
    }
    let Some(inside) = known.inside else { return Ok(()) };
    match element.children().find(|child| !inside.contains(&child.name())) {
        Some(child) => Err(child.fault(misplaced(element, child, inside))),
        None => Ok(()),
    }
}

fn unknown(known: &Known, element: Element<'_>, name: &str) -> String {
    let all = known.read.iter().chain(known.harmless).copied().chain(known.refused.iter().map(|(name, _)| *name));
    let all: Vec<&str> = all.collect();
    suggesting(format!("`{}` has no attribute `{name}`", element.name()), name, &all)
}

/// Says that an element may not stand inside another one.
pub(super) fn misplaced(around: Element<'_>, element: Element<'_>, known: &[&str]) -> String {
    suggesting(format!("no element `{}` may stand in `{}`", element.name(), around.name()), element.name(), known)
}
