//! Robot files: links and joints from URDF or MJCF, as a Rust file with a mechanism.
//!
//! `urdf` and `mjcf` read a file into `Robot`, `tree` makes bodies that move of its links, and `text` writes them.

mod mjcf;
mod model;
mod names;
mod places;
mod space;
#[cfg(test)]
mod tests;
mod text;
mod tree;
mod urdf;
mod xml;

pub(crate) use model::{Free, Options};
pub(crate) use names::is_type_name;
pub(crate) use xml::Fault;

/// A robot's file as a Rust file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Imported {
    /// The text of the Rust file.
    pub(crate) text: String,
    /// The doubts about numbers of the robot's file, a sentence each, with the line of the number.
    pub(crate) doubts: Vec<String>,
}

/// Reads a robot's file, and writes it as a Rust file. `file` is its name in comments.
///
/// # Errors
/// [`Fault`] names the first place in the file that is wrong or has no translation.
pub(crate) fn import(text: &str, file: &str, options: &Options) -> Result<Imported, Fault> {
    let document = xml::document(text)?;
    let places = places::Places::new(text);
    let root = xml::Element::root(&document, &places);
    let robot = match root.name() {
        "robot" => urdf::read(root, options)?,
        "mujoco" => mjcf::read(root, options)?,
        other => {
            return Err(root.fault(format!(
                "`{other}` is no root of a robot's file; `robot` (URDF) and `mujoco` (MJCF) are allowed"
            )));
        }
    };
    let bodies = tree::bodies(&robot, options)?;
    Ok(Imported { text: text::write(&robot, &bodies, file, options), doubts: robot.doubts })
}
