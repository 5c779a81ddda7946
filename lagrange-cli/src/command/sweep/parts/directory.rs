//! The directory of a sweep in parts: its files, and which run may write to it.

use super::manifest::Manifest;
use crate::command::Failure;
use crate::command::output::{self, quoted};
use std::collections::HashSet;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

/// The file of the settings.
const MANIFEST: &str = "manifest.json";
/// The file of the sums over all members.
const TOTALS: &str = "totals.json";
/// The file that a run locks.
const LOCK: &str = "lock";
/// The directory of the tables.
const ROWS: &str = "rows";
/// The directory of the counters and remarks, which has a file for each block.
const WORK: &str = "work";

/// A directory with a table in parts.
pub(super) struct Directory {
    path: PathBuf,
    /// The end of the names of the tables.
    extension: &'static str,
}

/// A directory that is ready to be written to. No other run can open it until this value is dropped.
#[derive(Debug)]
pub struct Opened {
    /// `None` if the file system has no locks.
    _lock: Option<Lock>,
    missing: Vec<u64>,
}

/// A locked file.
#[derive(Debug)]
struct Lock(File);

impl Drop for Lock {
    /// Unlocks the file. Closing it would leave it locked while a process that another thread starts still has a copy of the open file.
    fn drop(&mut self) {
        // If the file cannot be unlocked, the system unlocks it once nobody has it open.
        let _ = self.0.unlock();
    }
}

impl Opened {
    /// The numbers of the blocks that are not complete.
    pub fn missing(&self) -> &[u64] {
        &self.missing
    }
}

impl Directory {
    pub(super) fn new(path: &Path, extension: &'static str) -> Self {
        Self { path: path.to_owned(), extension }
    }

    /// The directory as messages name it.
    pub(super) fn name(&self) -> String {
        quoted(&self.path)
    }

    /// The table of a block.
    pub(super) fn rows(&self, number: u64) -> PathBuf {
        self.path.join(ROWS).join(format!("part-{number:06}.{}", self.extension))
    }

    /// Returns the file for the counters and remarks of a block.
    pub(super) fn work(&self, number: u64) -> PathBuf {
        self.path.join(WORK).join(format!("part-{number:06}.json"))
    }

    /// The file of the sums over all members.
    pub(super) fn totals(&self) -> PathBuf {
        self.path.join(TOTALS)
    }

    /// Makes the directory ready, and finds which of `count` blocks are not complete.
    ///
    /// # Errors
    /// [`Failure::Usage`] if the directory has other files or those of other settings, [`Failure::Work`] if another run writes to it
    /// or the file system refuses something.
    pub(super) fn open(&self, manifest: &Manifest, count: u64) -> Result<Opened, Failure> {
        if self.path.exists() && !self.path.is_dir() {
            return Err(Failure::Usage(format!("{} is a file; --parts needs a directory", self.name())));
        }
        self.check_others()?;
        for name in [ROWS, WORK] {
            let path = self.path.join(name);
            fs::create_dir_all(&path).map_err(|error| Failure::output(&quoted(&path), &error))?;
        }
        let lock = self.lock()?;
        let path = self.path.join(MANIFEST);
        match fs::read_to_string(&path) {
            Ok(text) => self.compare(manifest, &text)?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                output::own_file(&path, manifest.text().as_bytes())?;
            }
            Err(error) => return Err(Failure::Work(format!("cannot read {}: {error}", quoted(&path)))),
        }
        let missing = self.missing(count)?;
        Ok(Opened { _lock: lock, missing })
    }

    /// The text of the settings that the directory has now, if it has any.
    pub(super) fn manifest(&self) -> Option<String> {
        fs::read_to_string(self.path.join(MANIFEST)).ok()
    }

    /// The numbers of the blocks, of `count`, that are not complete.
    ///
    /// # Errors
    /// [`Failure::Work`] if the directory cannot be read.
    pub(super) fn missing(&self, count: u64) -> Result<Vec<u64>, Failure> {
        let [rows, work] = [self.names(ROWS)?, self.names(WORK)?];
        let is_there = |names: &HashSet<PathBuf>, path: PathBuf| {
            path.file_name().is_some_and(|name| names.contains(Path::new(name)))
        };
        let is_complete = |number| is_there(&rows, self.rows(number)) && is_there(&work, self.work(number));
        Ok((0..count).filter(|number| !is_complete(*number)).collect())
    }

    /// The names of the files in a directory of the parts.
    fn names(&self, directory: &str) -> Result<HashSet<PathBuf>, Failure> {
        let path = self.path.join(directory);
        let failed = |error| Failure::Work(format!("cannot read {}: {error}", quoted(&path)));
        let entries = fs::read_dir(&path).map_err(failed)?;
        entries.map(|entry| entry.map(|entry| entry.file_name().into()).map_err(failed)).collect()
    }

    /// Refuses a directory that has other files, and no settings.
    fn check_others(&self) -> Result<(), Failure> {
        let Ok(entries) = fs::read_dir(&self.path) else { return Ok(()) };
        let names: Vec<String> =
            entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        let is_ours = |name: &&String| name.starts_with(MANIFEST) || [LOCK, ROWS, WORK].contains(&&name[..]);
        if names.iter().any(|name| name == MANIFEST) {
            return Ok(());
        }
        match names.iter().find(|name| !is_ours(name)) {
            Some(other) => Err(Failure::Usage(format!(
                "{} has no {MANIFEST}, but other files, for example `{other}`; name a new or an empty directory",
                self.name()
            ))),
            None => Ok(()),
        }
    }

    /// Locks the directory. The system removes the lock of a process that ends, however it ends.
    fn lock(&self) -> Result<Option<Lock>, Failure> {
        let path = self.path.join(LOCK);
        let file = File::options().create(true).append(true).open(&path);
        let file = file.map_err(|error| Failure::output(&quoted(&path), &error))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Lock(file))),
            Err(TryLockError::WouldBlock) => {
                let text = "another run writes to it now, since it has locked";
                Err(Failure::Work(format!("cannot write to {}: {text} {}", self.name(), quoted(&path))))
            }
            // A file system without locks.
            Err(TryLockError::Error(_)) => Ok(None),
        }
    }

    /// Compares the settings with those of the text.
    fn compare(&self, manifest: &Manifest, text: &str) -> Result<(), Failure> {
        let path = quoted(&self.path.join(MANIFEST));
        let differences = manifest.differences(text).map_err(|error| {
            Failure::Usage(format!(
                "{path} cannot be taken for the settings of a sweep: {error}; name another directory"
            ))
        })?;
        if differences.is_empty() {
            return Ok(());
        }
        Err(Failure::Usage(format!(
            "{} has parts of a sweep with other settings: {}; give the same settings, or name another directory",
            self.name(),
            differences.join(", ")
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dropped_lock_is_free_even_while_a_new_process_has_a_copy_of_the_file() {
        let path = std::env::temp_dir().join(format!("lagrange-lock-{}", std::process::id()));
        fs::create_dir_all(&path).expect("writable");
        let directory = Directory::new(&path, "csv");
        let lock = directory.lock().expect("nobody else").expect("the file system has locks");
        // A process that is being started has such a copy until its program replaces this one.
        let copy = lock.0.try_clone().expect("possible");
        assert!(directory.lock().is_err(), "it is locked");
        drop(lock);
        assert!(directory.lock().expect("it is free").is_some());
        drop(copy);
        fs::remove_dir_all(path).expect("ours");
    }
}
