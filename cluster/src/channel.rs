//! Messages between the processes of a job.
//!
//! The process of rank 0 leads, and the others follow. Messages go between the leader and a follower only.

use lagrange_cli::command::Failure;
use mpi::point_to_point::{MatchedReceiveVec, Message, Status};
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, Destination, Source};
use mpi::{Rank, Tag};
use std::time::Duration;

/// The rank of the process that leads.
pub(crate) const LEADER: Rank = 0;

/// The time between two checks for a message. MPI's own way of waiting would keep a core busy, which motions need.
pub(crate) const PAUSE: Duration = Duration::from_millis(1);

/// The subject of a message: its receiver, and the meaning of its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    /// To a follower: the arguments of the command line. If there is none, the follower has nothing to do.
    Arguments = 1,
    /// To a follower: the text of the settings that decide every digit.
    Settings,
    /// To the leader: a block is wanted.
    Want,
    /// To a follower: the number of the block that it shall compute. If there is no number, no block is left.
    Block,
    /// To the leader: how the follower has ended.
    End,
    /// To a follower: the exit code.
    Code,
}

/// Sends and takes the messages of this process.
pub(crate) struct Channel<'a>(&'a SimpleCommunicator);

impl<'a> Channel<'a> {
    pub(crate) fn new(world: &'a SimpleCommunicator) -> Self {
        Self(world)
    }

    /// The rank of this process.
    pub(crate) fn rank(&self) -> Rank {
        self.0.rank()
    }

    /// The ranks of the followers.
    pub(crate) fn followers(&self) -> impl Iterator<Item = Rank> + use<> {
        LEADER + 1..self.0.size()
    }

    pub(crate) fn send(&self, rank: Rank, subject: Subject, bytes: &[u8]) {
        self.0.process_at_rank(rank).send_with_tag(bytes, subject as Tag);
    }

    pub(crate) fn send_to_followers(&self, subject: Subject, bytes: &[u8]) {
        for rank in self.followers() {
            self.send(rank, subject, bytes);
        }
    }

    /// Takes a message about this subject that has arrived, if there is one, with the rank of its sender.
    pub(crate) fn take(&self, subject: Subject) -> Option<(Rank, Vec<u8>)> {
        let found: Option<(Message, Status)> = self.0.any_process().immediate_matched_probe_with_tag(subject as Tag);
        let (bytes, status) = found?.matched_receive_vec();
        Some((status.source_rank(), bytes))
    }

    /// Waits for a message about this subject. Calls `watch` again and again until there is one.
    pub(crate) fn wait(&self, subject: Subject, mut watch: impl FnMut()) -> Vec<u8> {
        loop {
            if let Some((_, bytes)) = self.take(subject) {
                return bytes;
            }
            watch();
            std::thread::sleep(PAUSE);
        }
    }

    /// Ends all processes of the job at once.
    pub(crate) fn abort(&self, failure: &Failure) -> ! {
        self.0.abort(failure.code().into())
    }
}

/// Returns the bytes of a message with the number of a block, or with none.
pub(crate) fn of_block(number: Option<u64>) -> Vec<u8> {
    number.map_or_else(Vec::new, |number| number.to_le_bytes().to_vec())
}

/// Returns the number of the block in such a message.
pub(crate) fn to_block(bytes: &[u8]) -> Option<u64> {
    bytes.try_into().ok().map(u64::from_le_bytes)
}

/// Returns the bytes of a message with the result of a follower.
pub(crate) fn of_end(end: &Result<(), Failure>) -> Vec<u8> {
    end.as_ref().err().map_or_else(Vec::new, |failure| [&[failure.code()], failure.text().as_bytes()].concat())
}

/// Returns the result in such a message.
pub(crate) fn to_end(bytes: &[u8]) -> Result<(), Failure> {
    let Some((code, text)) = bytes.split_first() else { return Ok(()) };
    let text = String::from_utf8_lossy(text).into_owned();
    let kinds = [Failure::Usage, Failure::Interrupted];
    let mut failures = kinds.into_iter().map(|kind| kind(text.clone()));
    Err(failures.find(|failure| failure.code() == *code).unwrap_or(Failure::Work(text)))
}

/// The failure of a thread that has panicked.
pub(crate) fn panicked() -> Failure {
    Failure::Work("a thread panicked; its message is on the standard error".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_come_back() {
        for number in [None, Some(0), Some(u64::MAX)] {
            assert_eq!(to_block(&of_block(number)), number);
        }
        assert!(to_end(&of_end(&Ok(()))).is_ok());
        let text = || "a text with\na second line".to_owned();
        for failure in [Failure::Usage(text()), Failure::Work(text()), Failure::Interrupted(text())] {
            let found = to_end(&of_end(&Err(failure))).expect_err("a failure");
            assert_eq!(found.text(), text());
        }
        assert_eq!(to_end(&of_end(&Err(Failure::Interrupted(text())))).expect_err("a failure").code(), 130);
    }
}
