//! What the user can ask for, one command a file.

mod analyse;
mod angle;
mod compare;
mod completions;
mod export;
mod failure;
mod fit;
mod import;
mod interrupt;
mod list;
mod man;
mod motion;
mod output;
mod plot;
mod progress;
mod report;
mod section;
mod settings;
mod setup;
mod sheet;
mod show;
mod simulate;
pub mod sweep;

pub use failure::Failure;
pub use output::{file, print};

use crate::catalog::Catalog;
use clap::{CommandFactory, Parser, Subcommand};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Mechanisms from their energies: equations derived at compile time, and simulated.
#[derive(Debug, Parser)]
#[command(version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// The commands that every catalogue has.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the mechanisms with their coordinates, parameters and inputs
    List,
    /// Show a mechanism's derived equations, as text and as LaTeX
    Show(show::Arguments),
    /// Simulate a mechanism, and write its motion as CSV
    Simulate(simulate::Arguments),
    /// Simulate a mechanism from many starts or with many parameters, and write the ends of its motions
    Sweep(Box<sweep::Arguments>),
    /// Find an equilibrium, whether it is stable, and how the mechanism oscillates about it
    Analyse(analyse::Arguments),
    /// Estimate parameters and initial values from a recording of the motion, with their standard errors
    Fit(Box<fit::Arguments>),
    /// Integrate one motion by several methods, and compare their errors and their cost
    Compare(compare::Arguments),
    /// Write a page with the equations, the motion and its balance
    Report(report::Arguments),
    /// Draw quantities of a motion as an SVG file
    Plot(plot::Arguments),
    /// Record one motion where a quantity crosses a value, and draw the recorded states as dots: a Poincaré section
    Section(section::Arguments),
    /// Write a mechanism as C, JavaScript or Python
    Export(export::Arguments),
    /// Write a robot's file, URDF or MJCF, as a Rust file with its mechanism
    Import(import::Arguments),
    /// Print the completions for a shell
    Completions(completions::Arguments),
    /// Write the manual pages into a directory
    Man(man::Arguments),
}

impl Command {
    /// Carries the command out on these mechanisms. `P` describes the whole command line of the program, for the completions.
    ///
    /// # Errors
    /// [`Failure`] says what was wrong with the command line, or what went wrong in the work.
    pub fn run<P: CommandFactory>(&self, catalog: &Catalog) -> Result<(), Failure> {
        match self {
            Self::List => list::run(catalog),
            Self::Show(arguments) => show::run(catalog, arguments),
            Self::Simulate(arguments) => simulate::run(catalog, arguments),
            Self::Sweep(arguments) => sweep::run(catalog, arguments),
            Self::Analyse(arguments) => analyse::run(catalog, arguments),
            Self::Fit(arguments) => fit::run(catalog, arguments),
            Self::Compare(arguments) => compare::run(catalog, arguments),
            Self::Report(arguments) => report::run(catalog, arguments),
            Self::Plot(arguments) => plot::run(catalog, arguments),
            Self::Section(arguments) => section::run(catalog, arguments),
            Self::Export(arguments) => export::run(catalog, arguments),
            Self::Import(arguments) => import::run(arguments),
            Self::Completions(arguments) => completions::run(P::command(), catalog, arguments),
            Self::Man(arguments) => man::run(P::command(), arguments),
        }
    }
}

/// Parses the process's command line and carries it out; a failure is written to the standard error.
pub fn run(catalog: &Catalog) -> ExitCode {
    exit_code(parse::<Arguments>().and_then(|arguments| arguments.command.run::<Arguments>(catalog)))
}

/// Parses the process's command line, with the settings of a file that it names. Help and wrong arguments end the process.
///
/// # Errors
/// [`Failure::Usage`] says what is wrong with the file.
pub fn parse<P: Parser>() -> Result<P, Failure> {
    let arguments = expand::<P>(std::env::args_os().collect())?;
    parse_from(arguments).map_err(|error| error.exit())
}

/// Returns these arguments of a command line, the first of which is the program, with the settings of a file that `--settings` names.
///
/// # Errors
/// [`Failure::Usage`] says what is wrong with the file.
pub fn expand<P: CommandFactory>(arguments: Vec<OsString>) -> Result<Vec<OsString>, Failure> {
    settings::expand(&P::command(), arguments)
}

/// Parses arguments that [`expand`] has returned.
///
/// # Errors
/// The error has the help, if it is asked for, or says what is wrong.
pub fn parse_from<P: Parser>(arguments: Vec<OsString>) -> Result<P, clap::Error> {
    let command = with_program_name(P::command(), &program_name());
    P::from_arg_matches(&command.try_get_matches_from(arguments)?)
}

/// The name by which this program was started, as its user types it.
fn program_name() -> String {
    let program = std::env::args_os().next().map(PathBuf::from);
    let name = program.as_deref().and_then(Path::file_stem).and_then(OsStr::to_str);
    name.unwrap_or("lagrange").to_owned()
}

/// Writes the program's name into the examples of the commands' help, which say `lagrange`.
fn with_program_name(command: clap::Command, program: &str) -> clap::Command {
    let names: Vec<String> = command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    names.iter().fold(command, |command, name| {
        command.mut_subcommand(name, |subcommand| {
            let Some(help) = subcommand.get_after_help().map(ToString::to_string) else { return subcommand };
            let renamed =
                |help: String, name: &String| help.replace(&format!("lagrange {name}"), &format!("{program} {name}"));
            subcommand.after_help(names.iter().fold(help, renamed))
        })
    })
}

/// The exit code of an outcome; a failure is written to the standard error.
pub fn exit_code(result: Result<(), Failure>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn help_names_the_program_of_the_user() {
        let mut command = with_program_name(Arguments::command(), "crane");
        for subcommand in command.get_subcommands_mut() {
            let help = subcommand.render_long_help().to_string();
            assert!(!help.contains("lagrange "), "{help}");
            let has_examples = help.contains("Examples:");
            assert!(!has_examples || help.contains(&format!("crane {} ", subcommand.get_name())), "{help}");
        }
    }
}
