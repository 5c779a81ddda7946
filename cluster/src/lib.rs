#![doc = include_str!("../README.md")]

mod channel;
mod follow;
mod lead;

use channel::Channel;
use clap::{Parser, Subcommand};
use lagrange_cli::catalog::Catalog;
use lagrange_cli::command::Failure;
use lagrange_cli::command::sweep;
use mpi::Threading;
use std::ffi::OsString;
use std::process::ExitCode;

/// Simulate mechanisms many times, on several machines.
#[derive(Debug, Parser)]
#[command(version, about)]
struct Program {
    #[command(subcommand)]
    command: Command,
}

/// The commands that several processes share.
#[derive(Debug, Subcommand)]
enum Command {
    /// Simulate a mechanism from many starts or with many parameters, and write the ends of its motions in parts
    Sweep(Box<sweep::Arguments>),
}

/// Carries out the process's command line, `sweep MODEL … --parts DIRECTORY`, together with the other processes of the MPI job. All
/// of them call this function, with the same mechanisms.
///
/// The command line is that of the process of rank 0. It writes the messages, the sums and the picture. All processes return its exit
/// code.
pub fn run(catalog: &Catalog) -> ExitCode {
    run_from(catalog, std::env::args_os().collect())
}

/// Carries out these arguments, the first of which is the program, as [`run`] carries out those of the process.
pub fn run_from(catalog: &Catalog, arguments: Vec<OsString>) -> ExitCode {
    let Some((universe, threading)) = mpi::initialize_with_threading(Threading::Funneled) else {
        return Failure::Work("this process has already begun to use MPI".to_owned()).report();
    };
    if threading < Threading::Funneled {
        return Failure::Work("this MPI library does not allow threads".to_owned()).report();
    }
    let world = universe.world();
    let channel = Channel::new(&world);
    let code = if channel.rank() == channel::LEADER {
        lead::run(catalog, arguments, &channel)
    } else {
        follow::run(catalog, &channel)
    };
    ExitCode::from(code)
}
