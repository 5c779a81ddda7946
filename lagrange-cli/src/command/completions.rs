//! `lagrange completions SHELL`.

use super::{Failure, output};
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
    let program = std::env::args_os().next().map(std::path::PathBuf::from);
    let name =
        program.as_deref().and_then(|path| path.file_stem()).and_then(|name| name.to_str()).unwrap_or("lagrange");
    clap_complete::generate(arguments.shell, &mut whole, name, &mut text);
    output::print(&String::from_utf8_lossy(&text))
}
