//! A process that computes the blocks which the leader hands out.

use crate::channel::{self, Channel, LEADER, PAUSE, Subject};
use crate::{Command, Program};
use lagrange_cli::catalog::Catalog;
use lagrange_cli::command::sweep::Parts;
use lagrange_cli::command::{self, Failure};
use std::cell::Cell;
use std::ffi::OsString;
use std::iter;
use std::os::unix::ffi::OsStringExt;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// The time within which the leader answers when the job is broken off.
const GRACE: Duration = Duration::from_millis(300);

/// The time within which a file that the leader has written can be seen on a file system of a network.
const VISIBLE: Duration = Duration::from_secs(10);

/// Computes blocks as the leader says, and returns the exit code.
pub(crate) fn run(catalog: &Catalog, channel: &Channel) -> u8 {
    let arguments = channel.wait(Subject::Arguments, || {});
    if arguments.is_empty() {
        return code(channel, || {});
    }
    let settings = channel.wait(Subject::Settings, || {});
    let arguments = arguments.split(|byte| *byte == 0).map(|bytes| OsString::from_vec(bytes.to_vec())).collect();
    let program = match command::parse_from::<Program>(arguments) {
        Ok(program) => program,
        Err(error) => return end(channel, &Err(named(channel, &Failure::Usage(error.to_string()))), || {}),
    };
    let Command::Sweep(arguments) = &program.command;
    let parts = match Parts::new(catalog, arguments) {
        Ok(parts) => parts,
        Err(failure) => return end(channel, &Err(named(channel, &failure)), || {}),
    };
    let watch = Watch { parts: &parts, channel, since: Cell::new(None), answered: Cell::new(false) };
    let result = agree(&parts, &settings).and_then(|()| compute(&parts, channel, &watch));
    end(channel, &result.map_err(|failure| named(channel, &failure)), || watch.look())
}

/// Tells the leader how this process has ended, and waits for the exit code.
fn end(channel: &Channel, result: &Result<(), Failure>, watch: impl FnMut()) -> u8 {
    channel.send(LEADER, Subject::End, &channel::of_end(result));
    code(channel, watch)
}

fn code(channel: &Channel, watch: impl FnMut()) -> u8 {
    channel.wait(Subject::Code, watch).first().copied().unwrap_or(1)
}

/// The failure with the rank and the machine of this process.
fn named(channel: &Channel, failure: &Failure) -> Failure {
    let machine = mpi::environment::processor_name().unwrap_or_default();
    let text = format!("process {} on `{machine}`: {}", channel.rank(), failure.text());
    match failure {
        Failure::Usage(_) => Failure::Usage(text),
        Failure::Work(_) => Failure::Work(text),
        Failure::Interrupted(_) => Failure::Interrupted(text),
    }
}

/// Checks that this process computes what the leader computes, and sees its files.
fn agree(parts: &Parts, settings: &[u8]) -> Result<(), Failure> {
    if parts.manifest().as_bytes() != settings {
        let text = "this program has other mechanisms or another version than that of process 0; start the same one everywhere";
        return Err(Failure::Work(text.to_owned()));
    }
    let start = Instant::now();
    while !parts.is_opened() {
        if start.elapsed() > VISIBLE || parts.is_interrupted() {
            let text = "the files of process 0 cannot be seen in the directory of --parts, which must be on a file system that \
                        all machines share";
            return Err(Failure::Work(text.to_owned()));
        }
        thread::sleep(Duration::from_millis(100));
    }
    Ok(())
}

/// Computes one block after the other. Another thread computes; this one speaks with the leader.
fn compute(parts: &Parts, channel: &Channel, watch: &Watch) -> Result<(), Failure> {
    let (want, wanted) = mpsc::channel();
    let (give, given) = mpsc::channel::<Option<u64>>();
    thread::scope(|scope| {
        let blocks = iter::from_fn(move || {
            want.send(()).ok()?;
            given.recv().ok()?
        });
        let own = scope.spawn(move || parts.compute(blocks));
        while !own.is_finished() {
            if wanted.try_recv().is_ok() {
                channel.send(LEADER, Subject::Want, &[]);
                let block = channel.wait(Subject::Block, || watch.look());
                // If the computation has ended meanwhile, nobody wants the block.
                _ = give.send(channel::to_block(&block));
            }
            watch.look();
            thread::sleep(PAUSE);
        }
        own.join().unwrap_or_else(|_| Err(channel::panicked()))
    })
}

/// Watches whether the job is broken off while the leader no longer answers, as when the leader itself was lost.
struct Watch<'a> {
    parts: &'a Parts<'a>,
    channel: &'a Channel<'a>,
    /// When this process was asked to end.
    since: Cell<Option<Instant>>,
    /// Whether the leader has said that the job is broken off.
    answered: Cell<bool>,
}

impl Watch<'_> {
    /// Ends all processes if the leader does not answer in time. One process tells why. If the leader answers, it ends all processes
    /// itself.
    fn look(&self) {
        if !self.parts.is_interrupted() || self.answered.get() {
            return;
        }
        if self.channel.take(Subject::Code).is_some() {
            self.answered.set(true);
            return;
        }
        let since = self.since.get().unwrap_or_else(Instant::now);
        self.since.set(Some(since));
        if since.elapsed() < GRACE {
            return;
        }
        let text = "broken off, and process 0, which hands out the work, does not answer";
        let failure = Failure::Interrupted(text.to_owned()).with(&self.parts.kept());
        if self.channel.rank() == LEADER + 1 {
            failure.report();
        }
        self.channel.abort(&failure);
    }
}
