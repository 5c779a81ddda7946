//! What the user can ask for, one command a file.

mod failure;
mod list;
mod output;
mod parse;
mod reproduce;
mod show;
mod simulate;

use clap::{Parser, Subcommand};
use failure::Failure;
use std::process::ExitCode;

/// Mechanisms from their energies: equations derived at compile time, simulated, and compared with published studies.
#[derive(Debug, Parser)]
#[command(name = "lagrange", version, about, after_help = "Without a command: reproduce.")]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Reproduce the published studies: a table here, figures and data in a directory
    Reproduce(reproduce::Arguments),
    /// List the mechanisms with their coordinates, parameters and inputs
    List,
    /// Show a mechanism's derived equations, as text and as LaTeX
    Show(show::Arguments),
    /// Simulate a mechanism, and write its motion as CSV
    Simulate(simulate::Arguments),
}

/// Parses the command line and carries it out; a failure is told on the standard error.
pub(crate) fn run() -> ExitCode {
    let arguments = Arguments::parse();
    let result = match arguments.command.unwrap_or(Command::Reproduce(reproduce::Arguments::default())) {
        Command::Reproduce(arguments) => reproduce::run(&arguments),
        Command::List => list::run(),
        Command::Show(arguments) => show::run(&arguments),
        Command::Simulate(arguments) => simulate::run(&arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }
}
