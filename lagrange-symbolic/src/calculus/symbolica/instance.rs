//! One process at a time: what can be known of Symbolica's licence and of other instances before its first use.
//!
//! Without a licence key Symbolica runs in one process at a time on a machine and in one thread of it, and ends a process
//! that is the second one, or that uses it in a second thread. Its public interface has no question for that, so processes
//! of this library ask each other: each holds a lock on a file for as long as it lives, and one that does not get it waits
//! for a while, and then says so instead of starting. Another program's instance is not seen by that.

use ::symbolica::LicenseManager;
use std::fs::{File, TryLockError};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::thread::ThreadId;
use std::time::{Duration, Instant};

/// Where a licence key is looked for.
const KEY: &str = "SYMBOLICA_LICENSE";

/// The file that the one process without a licence locks.
const LOCK: &str = "lagrange-symbolica.lock";

/// Where it is stated how many seconds a process waits for its turn, and how many it does else.
const WAIT: (&str, u64) = ("LAGRANGE_SYMBOLICA_WAIT", 60);

/// Between two looks at the lock, and after another process has ended: its instance ends with it, not before.
const PAUSE: Duration = Duration::from_millis(50);

/// How far this process has come.
enum State {
    /// Nothing was tried.
    New,
    /// It had no success, and waited for it; what is tried again does not wait.
    Refused,
    /// It has a licence key.
    Licensed,
    /// It has its turn, for as long as it lives, in one thread.
    Turn { _lock: File, thread: ThreadId },
}

static STATE: Mutex<State> = Mutex::new(State::New);

/// Sets the licence key, or makes sure that no other process of this library uses Symbolica without one.
pub(super) fn start() -> Result<(), String> {
    let mut state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
    let this = std::thread::current().id();
    let patience = match &*state {
        State::Licensed => return Ok(()),
        State::Turn { thread, .. } if *thread == this => return Ok(()),
        State::Turn { .. } => {
            return Err(format!("another thread has used it, and without a licence key in {KEY} it stays in one"));
        }
        State::Refused => 0,
        State::New => std::env::var(WAIT.0).ok().and_then(|text| text.parse().ok()).unwrap_or(WAIT.1),
    };
    let tried = match std::env::var(KEY) {
        Ok(key) if !key.is_empty() => LicenseManager::set_license_key(&key)
            .map(|()| State::Licensed)
            .map_err(|error| format!("the licence key in {KEY} was refused: {}", in_one_line(&error))),
        _ => alone(&std::env::temp_dir().join(LOCK), Duration::from_secs(patience))
            .map(|lock| State::Turn { _lock: lock, thread: this }),
    };
    let (next, result) = match tried {
        Ok(next) => (next, Ok(())),
        Err(reason) => (State::Refused, Err(reason)),
    };
    *state = next;
    result
}

/// The lock, which lasts as long as the process.
fn alone(path: &Path, patience: Duration) -> Result<File, String> {
    let open = File::open(path).or_else(|_| File::create(path));
    let file = open.map_err(|error| format!("{} cannot be opened: {error}", path.display()))?;
    let start = Instant::now();
    let mut has_waited = false;
    loop {
        match file.try_lock() {
            Ok(()) => {
                if has_waited {
                    std::thread::sleep(PAUSE);
                }
                return Ok(file);
            }
            Err(TryLockError::Error(error)) => return Err(format!("{} cannot be locked: {error}", path.display())),
            Err(TryLockError::WouldBlock) if start.elapsed() >= patience => {
                return Err(format!(
                    "another process on this machine derives by it, and without a licence key in {KEY} there may be \
                     one at a time"
                ));
            }
            Err(TryLockError::WouldBlock) => {
                has_waited = true;
                std::thread::sleep(PAUSE);
            }
        }
    }
}

/// A message without the box that is drawn around it.
fn in_one_line(message: &str) -> String {
    let is_box = |c: char| ('\u{2500}'..='\u{257f}').contains(&c);
    let lines =
        message.lines().map(|line| line.trim_matches(|c| is_box(c) || c == ' ')).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" ")
}
