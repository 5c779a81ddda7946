//! The process that hands out the blocks. It computes blocks too.

use crate::channel::{self, Channel, LEADER, PAUSE, Subject};
use crate::{Command, Program};
use lagrange_cli::catalog::Catalog;
use lagrange_cli::command::sweep::{Opened, Parts};
use lagrange_cli::command::{self, Failure};
use mpi::Rank;
use std::ffi::{OsStr, OsString};
use std::iter;
use std::os::unix::ffi::OsStrExt;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Carries out the command line together with the followers, and returns the exit code.
pub(crate) fn run(catalog: &Catalog, arguments: Vec<OsString>, channel: &Channel) -> u8 {
    let code = match parsed(arguments) {
        Ok((expanded, program)) => match sweep(catalog, &expanded, &program, channel) {
            Ok(()) => 0,
            Err(failure) => {
                failure.report();
                failure.code()
            }
        },
        Err(code) => {
            channel.send_to_followers(Subject::Arguments, &[]);
            code
        }
    };
    channel.send_to_followers(Subject::Code, &[code]);
    code
}

/// Parses the command line, and returns it with the settings of its file. If it asks for help or is wrong, the user is told, and the
/// exit code is returned.
fn parsed(arguments: Vec<OsString>) -> Result<(Vec<OsString>, Program), u8> {
    let expanded = command::expand::<Program>(arguments).map_err(|failure| {
        failure.report();
        failure.code()
    })?;
    match command::parse_from(expanded.clone()) {
        Ok(program) => Ok((expanded, program)),
        Err(error) => {
            // A closed standard error leaves the exit code.
            _ = error.print();
            Err(u8::try_from(error.exit_code()).unwrap_or(2))
        }
    }
}

/// Carries out a sweep.
fn sweep(catalog: &Catalog, expanded: &[OsString], program: &Program, channel: &Channel) -> Result<(), Failure> {
    let Command::Sweep(arguments) = &program.command;
    let begun = Parts::new(catalog, arguments).and_then(|parts| Ok((parts.open()?, parts)));
    let (opened, parts) = begun.inspect_err(|_| channel.send_to_followers(Subject::Arguments, &[]))?;
    let separated: Vec<&[u8]> = expanded.iter().map(|argument| OsStr::as_bytes(argument)).collect();
    channel.send_to_followers(Subject::Arguments, &separated.join(&0));
    channel.send_to_followers(Subject::Settings, parts.manifest().as_bytes());
    compute(&parts, &opened, channel).map_err(|failure| failure.with(&parts.kept()))?;
    parts.finish(opened)
}

/// Has all blocks computed that are missing.
fn compute(parts: &Parts, opened: &Opened, channel: &Channel) -> Result<(), Failure> {
    let blocks = Blocks(Mutex::new(opened.missing().iter()));
    thread::scope(|scope| {
        let own = scope.spawn(|| parts.compute(iter::from_fn(|| blocks.next())).inspect_err(|_| blocks.stop()));
        let mut waiting = channel.followers().count();
        let mut failures: Vec<(Rank, Failure)> = Vec::new();
        while waiting > 0 || !own.is_finished() {
            while let Some((rank, _)) = channel.take(Subject::Want) {
                channel.send(rank, Subject::Block, &channel::of_block(blocks.next()));
            }
            while let Some((rank, end)) = channel.take(Subject::End) {
                waiting -= 1;
                if let Err(failure) = channel::to_end(&end) {
                    blocks.stop();
                    failures.push((rank, failure));
                }
            }
            break_off(parts, &failures, channel);
            thread::sleep(PAUSE);
        }
        if let Err(failure) = own.join().unwrap_or_else(|_| Err(channel::panicked())) {
            failures.push((LEADER, failure));
        }
        first(failures)
    })
}

/// Ends all processes if the user, the system, or MPI after the loss of a process has asked one of them to end. Without followers, the
/// computation ends by itself.
fn break_off(parts: &Parts, failures: &[(Rank, Failure)], channel: &Channel) {
    let told = failures.iter().find(|(_, failure)| matches!(failure, Failure::Interrupted(_)));
    let text = match told {
        _ if parts.is_interrupted() && channel.followers().next().is_some() => {
            "broken off: by the user, at a limit of time, or because a process was lost".to_owned()
        }
        Some((rank, _)) => format!("process {rank} was asked to end"),
        None => return,
    };
    let failure = Failure::Interrupted(text).with(&parts.kept());
    channel.send_to_followers(Subject::Code, &[failure.code()]);
    failure.report();
    channel.abort(&failure);
}

/// Returns the failure of the process of the lowest rank, with the number of the others.
fn first(mut failures: Vec<(Rank, Failure)>) -> Result<(), Failure> {
    failures.sort_by_key(|(rank, _)| *rank);
    let others = failures.len().saturating_sub(1);
    let Some((_, failure)) = failures.into_iter().next() else { return Ok(()) };
    Err(match others {
        0 => failure,
        _ => failure.with(&format!("{others} more of the processes failed")),
    })
}

/// The blocks that are left, in their order. The thread that computes and the one that hears the followers share them.
struct Blocks<'a>(Mutex<std::slice::Iter<'a, u64>>);

impl Blocks<'_> {
    fn next(&self) -> Option<u64> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).next().copied()
    }

    /// Hands out no more.
    fn stop(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = [].iter();
    }
}
