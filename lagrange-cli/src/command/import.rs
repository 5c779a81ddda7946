//! `lagrange import`: a robot's file as a Rust file.

use super::Failure;
use clap::ValueEnum;
use std::path::PathBuf;

/// The coordinates of orientations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Free {
    /// Yaw, pitch and roll: no constraint, and singular where the pitch is a right angle
    Angles,
    /// A quaternion, with the constraint that its length is 1
    Quaternion,
}

/// Write a robot's file, URDF or MJCF, as a Rust file with its mechanism
///
/// The Rust file has a struct whose block states the energy of each body by its name, with the numbers of the file. Links that fixed joints hold
/// together become one body. A joint with one coordinate that follows no other joint has an input for its torque or force. A comment lists the elements of the file
/// that have no counterpart in the block. Elements and attributes of MJCF that may change the motion and have no translation are errors, and so are names that MJCF does not have.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  lagrange import arm.urdf
  lagrange import quadruped.urdf --free-base --output src/quadruped.rs --name Quadruped
  lagrange import arm.urdf --tip tool0 --friction
  lagrange import hand.xml --leave-out actuator --leave-out tendon")]
pub struct Arguments {
    /// The robot's file
    file: PathBuf,
    /// The Rust file; the name of the robot's file with `.rs` unless stated, and `-` for the standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace the file where it exists
    #[arg(long)]
    force: bool,
    /// The name of the struct; that of the robot unless stated
    #[arg(long)]
    name: Option<String>,
    /// Let the root of a URDF file move freely
    #[arg(long)]
    free_base: bool,
    /// The coordinates of free bodies and ball joints
    #[arg(long, value_enum, default_value = "angles")]
    free: Free,
    /// A moving link whose position is an output; every one without children unless stated; may be repeated
    #[arg(long, value_name = "LINK")]
    tip: Vec<String>,
    /// Make dry friction of the friction of joints
    #[arg(long)]
    friction: bool,
    /// An element or attribute of MJCF that may change the motion and is left out all the same, such as `actuator`; may be repeated
    #[arg(long, value_name = "NAME")]
    leave_out: Vec<String>,
}

#[cfg(not(feature = "import"))]
pub(super) fn run(_: &Arguments) -> Result<(), Failure> {
    Err(Failure::Usage(
        "this program cannot read robots' files; build it with `--features lagrange-cli/import`".to_owned(),
    ))
}

#[cfg(feature = "import")]
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    use super::output;
    use crate::robot::{self, Options, import};
    let place = arguments.file.display();
    let text = std::fs::read_to_string(&arguments.file)
        .map_err(|error| Failure::Usage(format!("cannot read the robot's file `{place}`: {error}")))?;
    if let Some(name) = arguments.name.as_deref().filter(|name| !robot::is_type_name(name)) {
        return Err(Failure::Usage(format!(
            "`{name}` cannot name a struct; letters, digits and `_` are allowed, first a capital"
        )));
    }
    let options = Options {
        free_base: arguments.free_base,
        free: match arguments.free {
            Free::Angles => robot::Free::Angles,
            Free::Quaternion => robot::Free::Quaternion,
        },
        friction: arguments.friction,
        tips: arguments.tip.clone(),
        leave_out: arguments.leave_out.clone(),
        name: arguments.name.clone(),
    };
    let file = arguments.file.file_name().unwrap_or_default().to_string_lossy();
    let written = import(&text, &file, &options).map_err(|fault| Failure::Usage(format!("{place}:{fault}")))?;
    for doubt in &written.doubts {
        eprintln!("warning: {place}: {doubt}");
    }
    let target = arguments.output.clone().unwrap_or_else(|| arguments.file.with_extension("rs"));
    if target.as_os_str() == "-" {
        return output::print(&written.text);
    }
    output::may_create(&target, arguments.force)?;
    output::new_file(&target, written.text.as_bytes(), arguments.force)?;
    output::print(&format!("{}\n", target.display()))
}

#[cfg(all(test, not(feature = "import")))]
mod tests {
    use super::*;

    #[test]
    fn a_program_without_the_reader_says_how_it_is_built() {
        let arguments = Arguments {
            file: PathBuf::from("robot.urdf"),
            output: None,
            force: false,
            name: None,
            free_base: false,
            free: Free::Angles,
            tip: Vec::new(),
            friction: false,
            leave_out: Vec::new(),
        };
        let failure = run(&arguments).expect_err("it is refused");
        assert!(failure.text().contains("--features lagrange-cli/import"), "{}", failure.text());
    }
}
