//! `lagrange completions SHELL`.

use super::{Failure, output, program_name};
use clap::Command;
use clap_complete::Shell;

/// Print the completions for a shell
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub(super) fn run(mut whole: Command, arguments: &Arguments) -> Result<(), Failure> {
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut whole, program_name(), &mut text);
    output::print(&String::from_utf8_lossy(&text))
}
