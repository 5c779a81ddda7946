//! The `lagrange` command line: reproduces the published studies, shows mechanisms, and simulates them.

mod catalog;
mod reproduce;
mod study;

use catalog::CATALOG;
use clap::{Parser, Subcommand};
use lagrange_cli::command::{self, exit_code};
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
    #[command(flatten)]
    OfCatalog(Box<command::Command>),
}

fn main() -> ExitCode {
    exit_code(command::parse::<Arguments>().and_then(|arguments| {
        match arguments.command.unwrap_or(Command::Reproduce(reproduce::Arguments::default())) {
            Command::Reproduce(arguments) => reproduce::run(&arguments),
            Command::OfCatalog(command) => command.run::<Arguments>(&CATALOG),
        }
    }))
}
