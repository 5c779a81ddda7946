//! One process at a time: what can be known of Symbolica's licence and of other instances before its first use.
//!
//! Without a licence key Symbolica runs in one process at a time on a machine and in one thread of it. It ends a
//! process that is the second one, or that uses it in a second thread. Its public interface has no question for that.
//! So each process of this library locks a file for as long as it lives. A process that does not get the lock waits for
//! a while, and then reports that instead of starting. Another program's instance is not detected.

use ::symbolica::LicenseManager;
use std::fs::{File, TryLockError};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::thread::ThreadId;
use std::time::{Duration, Instant};

/// The environment variable with the licence key.
const KEY: &str = "SYMBOLICA_LICENSE";

/// The file that the one process without a licence locks.
const LOCK: &str = "lagrange-symbolica.lock";

/// The environment variable that states how many seconds a process waits for its turn, and the default.
const WAIT: (&str, u64) = ("LAGRANGE_SYMBOLICA_WAIT", 60);

/// The time between two attempts to take the lock. A process that had to wait also pauses after it got the lock,
/// because the other instance of Symbolica ends slightly later than its lock.
const PAUSE: Duration = Duration::from_millis(50);

/// Whether this process may use Symbolica.
enum State {
    /// Nothing was tried yet.
    New,
    /// An attempt failed after waiting. Further attempts do not wait again.
    Refused,
    /// It has a licence key.
    Licensed,
    /// It has the lock for as long as it lives, and uses Symbolica in this thread.
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
        _ => lock_exclusively(&std::env::temp_dir().join(LOCK), Duration::from_secs(patience))
            .map(|lock| State::Turn { _lock: lock, thread: this }),
    };
    let (next, result) = match tried {
        Ok(next) => (next, Ok(())),
        Err(reason) => (State::Refused, Err(reason)),
    };
    *state = next;
    result
}

/// Takes the lock of the file. It lasts as long as the process.
fn lock_exclusively(path: &Path, patience: Duration) -> Result<File, String> {
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
