//! Inertias of shapes of uniform density.

use super::compiler::{Compiler, aligned};
use super::defaults::Styled;
use crate::robot::names::shown;
use crate::robot::space::{Inertia, Pose, Vector, add, length, scale};
use crate::robot::xml::Fault;
use std::f64::consts::PI;

/// The density where none is stated, in kg/m³.
const DENSITY: f64 = 1000.0;

/// The volume below which MuJoCo gives a shape no mass, in m³: a constant of its compiler, found by bisection of sizes of five kinds of shapes in version 4.0.0.
const SMALLEST: f64 = 1e-14;

/// The inertia of a shape, in the frame of its body.
///
/// # Errors
/// [`Fault`] at a shape whose inertia is not known here.
pub(crate) fn inertia(shape: &Styled<'_>, compiler: &Compiler) -> Result<Inertia, Fault> {
    let group = shape.of("group").number("group")?.unwrap_or(0.0);
    if !(compiler.groups[0]..=compiler.groups[1]).contains(&group) {
        return Ok(Inertia::default());
    }
    let mass = shape.of("mass").number("mass")?;
    let density = shape.of("density").number("density")?.unwrap_or(DENSITY);
    let kind = shape.of("type").attribute("type").unwrap_or("sphere");
    if mass == Some(0.0) || (mass.is_none() && density == 0.0) || ["plane", "hfield"].contains(&kind) {
        return Ok(Inertia::default());
    }
    if mass.unwrap_or(density) < 0.0 {
        let name = if mass.is_some() { "mass" } else { "density" };
        return Err(shape.of(name).fault_at(name, format!("`{name}` of `geom` is negative; 0 or more is allowed")));
    }
    if !["sphere", "capsule", "cylinder", "box", "ellipsoid"].contains(&kind) {
        let text = format!(
            "the inertia of a `{kind}` is not known here; state the inertia of its body by `inertial`, or its `mass` as 0"
        );
        return Err(shape.element().fault(text));
    }
    if let Some(mesh) = shape.of("mesh").attribute("mesh") {
        let text = format!(
            "a `{kind}` with `mesh` has the size of the mesh {}, which is not read; state the inertia of its body by `inertial`, or its `mass` as 0",
            shown(mesh)
        );
        return Err(shape.of("mesh").fault_at("mesh", text));
    }
    let shell = shape.of("shellinertia");
    if shell.choice("shellinertia", &["false", "true"])? == Some(1) {
        let text = "`shellinertia` has no translation; state the inertia of its body by `inertial`";
        return Err(shell.fault_at("shellinertia", text.to_owned()));
    }
    let (pose, half) = placed(shape, kind, compiler)?;
    let size = sizes(shape, kind, half)?;
    let volume = volume(kind, size);
    if mass.is_some() && volume < SMALLEST {
        let text = format!(
            "a `{kind}` of {volume:e} m³ has no mass in MuJoCo, whatever it states, because it is smaller than {SMALLEST:e} m³; state the inertia of its body by `inertial`"
        );
        return Err(shape.of("mass").fault_at("mass", text));
    }
    let mass = mass.unwrap_or(density * volume);
    let moments = moments(kind, size, volume).map(|moment| mass * moment);
    let tensor = [0, 1, 2].map(|i| [0, 1, 2].map(|j| if i == j { moments[i] } else { 0.0 }));
    Ok(Inertia { mass, center: [0.0; 3], tensor }.seen_from(&pose))
}

/// Where a shape stands, and half its length if its ends are stated. They determine its orientation, too.
fn placed(shape: &Styled<'_>, kind: &str, compiler: &Compiler) -> Result<(Pose, Option<f64>), Fault> {
    let element = shape.of("fromto");
    let Some([a, b, c, d, e, f]) = element.numbers("fromto")? else { return Ok((compiler.pose(shape)?, None)) };
    if kind == "sphere" {
        let text = "a `sphere` has no ends; `fromto` of `capsule`, `cylinder`, `box` and `ellipsoid` is allowed";
        return Err(element.fault_at("fromto", text.to_owned()));
    }
    let stating = shape.of("pos");
    if stating.numbers("pos")?.is_some_and(|position| position != [0.0; 3]) {
        let text = "`geom` has both `pos` and `fromto`; one of them is allowed";
        return Err(stating.fault_at("pos", text.to_owned()));
    }
    let (from, to): (Vector, Vector) = ([a, b, c], [d, e, f]);
    let way = add(to, scale(-1.0, from));
    let angles = aligned(way)
        .ok_or_else(|| element.fault_at("fromto", "both ends of `fromto` are the same point".to_owned()))?;
    Ok((Pose { position: scale(0.5, add(from, to)), angles }, Some(0.5 * length(way))))
}

/// The half sizes along the axes, or radius and half length; `half` is half the length between stated ends.
fn sizes(shape: &Styled<'_>, kind: &str, half: Option<f64>) -> Result<Vector, Fault> {
    let element = shape.of("size");
    let list = element.list("size")?.unwrap_or_default();
    let needed = match (kind, half) {
        ("sphere", _) | (_, Some(_)) => 1,
        ("capsule" | "cylinder", None) => 2,
        _ => 3,
    };
    if list.len() < needed || list.iter().take(needed).any(|entry| *entry <= 0.0) {
        let text = format!("`size` of a `{kind}` needs {needed} numbers above 0 here");
        return Err(element.fault_at("size", text));
    }
    Ok(match (kind, half) {
        ("sphere", _) => [list[0]; 3],
        ("capsule" | "cylinder", _) => [list[0], list[0], half.unwrap_or_else(|| list[1])],
        (_, Some(half)) => [list[0], list[0], half],
        (_, None) => [list[0], list[1], list[2]],
    })
}

fn volume(kind: &str, [a, b, c]: Vector) -> f64 {
    match kind {
        "box" => 8.0 * a * b * c,
        "cylinder" => 2.0 * PI * a * a * c,
        "capsule" => 2.0 * PI * a * a * c + 4.0 / 3.0 * PI * a * a * a,
        _ => 4.0 / 3.0 * PI * a * b * c,
    }
}

/// The principal moments of a unit of mass. A capsule is a cylinder and two half balls, whose centres are 3 r/8 beyond its ends.
fn moments(kind: &str, [a, b, c]: Vector, volume: f64) -> Vector {
    let [x, y, z] = [a * a, b * b, c * c];
    match kind {
        "box" => [(y + z) / 3.0, (x + z) / 3.0, (x + y) / 3.0],
        "cylinder" => [x / 4.0 + z / 3.0, x / 4.0 + z / 3.0, x / 2.0],
        "capsule" => {
            let middle = 2.0 * PI * x * c / volume;
            let ends = 1.0 - middle;
            let across = middle * (x / 4.0 + z / 3.0) + ends * (0.4 * x + z + 0.75 * a * c);
            [across, across, middle * x / 2.0 + ends * 0.4 * x]
        }
        _ => [(y + z) / 5.0, (x + z) / 5.0, (x + y) / 5.0],
    }
}
