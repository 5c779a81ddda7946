//! How a command fails: what is said, and with which exit code.

use crate::catalog::RequestError;
use std::io::{self, Write};
use std::process::ExitCode;

/// Why a command was not carried out.
#[derive(Debug)]
pub enum Failure {
    /// The command line asks for what does not exist or is not allowed: exit code 2, as for its syntax.
    Usage(String),
    /// The work itself failed: exit code 1.
    Work(String),
    /// The user broke off, by Ctrl-C or by a signal that asks to terminate: exit code 130, as shells have it.
    Interrupted(String),
}

impl Failure {
    /// An output that could not be written.
    pub fn output(place: &str, error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::Work(format!("{place} was closed before everything was written")),
            _ => Self::Work(format!("cannot write {place}: {error}")),
        }
    }

    /// This failure with a further sentence after its text.
    #[must_use]
    pub fn with(self, sentence: &str) -> Self {
        let joined = |text: String| format!("{text}\n{sentence}");
        match self {
            Self::Usage(text) => Self::Usage(joined(text)),
            Self::Work(text) => Self::Work(joined(text)),
            Self::Interrupted(text) => Self::Interrupted(joined(text)),
        }
    }

    /// This failure of what `place` asks for.
    #[must_use]
    pub fn inside(self, place: &str) -> Self {
        let placed = |text: String| format!("{place}: {text}");
        match self {
            Self::Usage(text) => Self::Usage(placed(text)),
            Self::Work(text) => Self::Work(placed(text)),
            Self::Interrupted(text) => Self::Interrupted(placed(text)),
        }
    }

    /// Returns the message that the user is told.
    pub fn text(&self) -> &str {
        match self {
            Self::Usage(text) | Self::Work(text) | Self::Interrupted(text) => text,
        }
    }

    /// The exit code of a program that ends for this reason.
    pub fn code(&self) -> u8 {
        match self {
            Self::Usage(_) => 2,
            Self::Work(_) => 1,
            Self::Interrupted(_) => 130,
        }
    }

    /// Writes the failure to the standard error, and gives the exit code.
    pub fn report(&self) -> ExitCode {
        // Where the standard error is closed too, only the exit code reports the failure.
        _ = writeln!(io::stderr(), "error: {}", self.text());
        ExitCode::from(self.code())
    }
}

impl From<RequestError> for Failure {
    fn from(error: RequestError) -> Self {
        match error {
            RequestError::Failed(failed) => Self::Work(failed.text),
            usage => Self::Usage(usage.to_string()),
        }
    }
}
