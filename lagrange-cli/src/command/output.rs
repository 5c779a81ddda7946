//! Where results go: the standard output, or a file.
//!
//! A file gets its name once it is complete. Until then it is written under its name with `.partial` added, in the same
//! directory. Runs that may replace a file write under a name of their own each, `NAME.PROCESS.partial`: of several that end, the file is
//! that of the last one, as a whole.

use super::Failure;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes text to the standard output.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(|error| Failure::output("the standard output", &error))
}

/// Writes a file by `write`. A file of this name is replaced as a whole, or stays as it is where something fails.
///
/// # Errors
/// [`Failure`] names the file that could not be written; one of this name from before remains as it was.
pub fn file(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    // The curves fit into memory, so their text does too: it is written in one piece.
    let mut bytes = Vec::new();
    write(&mut bytes).map_err(|error| Failure::output(&quoted(path), &error))?;
    new_file(path, &bytes, true)
}

/// Writes a file in one piece.
///
/// # Errors
/// As [`may_create`]; [`Failure::Work`] where it cannot be written.
pub(super) fn new_file(path: &Path, bytes: &[u8], replace: bool) -> Result<(), Failure> {
    whole(NewFile::create(path, replace)?, bytes)
}

/// Writes a file in one piece into a directory in which no other process writes, and replaces what a run left there that was cut short.
///
/// # Errors
/// [`Failure::Work`] where it cannot be written.
pub(super) fn own_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let partial = partial(path);
    let file = File::create(&partial).map_err(|error| Failure::output(&quoted(path), &error))?;
    whole(NewFile { path: path.to_owned(), partial: Some(partial), replace: true, file, length: 0 }, bytes)
}

fn whole(mut file: NewFile, bytes: &[u8]) -> Result<(), Failure> {
    let path = file.path.clone();
    match file.write(bytes) {
        Ok(()) => file.finish(),
        Err(error) => {
            file.discard();
            Err(Failure::output(&quoted(&path), &error))
        }
    }
}

/// Fails where a new file may not be written under this name, before anything is done for it.
///
/// # Errors
/// [`Failure::Usage`] where it exists, or where a run that was cut short left it partly written, and `replace` is not set.
pub(super) fn may_create(path: &Path, replace: bool) -> Result<(), Failure> {
    if path.is_dir() {
        return Err(Failure::Usage(format!("cannot write {}: it is a directory", quoted(path))));
    }
    if replace || written_in_place(path) {
        return Ok(());
    }
    if path.exists() {
        return Err(Failure::Usage(format!("{} exists; add --force to replace it", quoted(path))));
    }
    let partial = partial(path);
    if partial.exists() {
        let text =
            "exists, from a run that was cut short or still goes on; remove it, or add --force to write beside it";
        return Err(Failure::Usage(format!("{} {text}", quoted(&partial))));
    }
    Ok(())
}

/// A file that is being written: it gets its own name only once it is complete.
#[derive(Debug)]
pub(super) struct NewFile {
    path: PathBuf,
    /// The name until then; `None` for a device or a pipe, which is written directly.
    partial: Option<PathBuf>,
    replace: bool,
    file: File,
    /// How many bytes were written whole.
    length: u64,
}

impl NewFile {
    /// Creates the file under its partial name.
    ///
    /// # Errors
    /// As [`may_create`]; [`Failure::Work`] where the place cannot be written to.
    pub(super) fn create(path: &Path, replace: bool) -> Result<Self, Failure> {
        may_create(path, replace)?;
        let created = if written_in_place(path) {
            OpenOptions::new().write(true).open(path).map(|file| (None, file))
        } else if replace {
            // Two processes of one number, on two machines that share a directory, or two files of one process.
            (0..)
                .map(|attempt| own_partial(path, attempt))
                .map(create_new)
                .find(|created| match created {
                    Err(error) => error.kind() != io::ErrorKind::AlreadyExists,
                    Ok(_) => true,
                })
                .unwrap_or_else(|| create_new(partial(path)))
        } else {
            create_new(partial(path))
        };
        let (partial, file) = created.map_err(|error| Failure::output(&quoted(path), &error))?;
        Ok(Self { path: path.to_owned(), partial, replace, file, length: 0 })
    }

    /// Appends these bytes, all of them or none.
    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self.file.write_all(bytes) {
            Ok(()) => {
                self.length += bytes.len() as u64;
                Ok(())
            }
            Err(error) => {
                // On a full disk a part of the bytes may have been written, and is removed again. From a pipe it cannot be removed.
                _ = self.file.set_len(self.length);
                Err(error)
            }
        }
    }

    /// Gives the file its own name.
    ///
    /// # Errors
    /// [`Failure::Work`] where the disk refuses it, or a file of this name appeared meanwhile and may not be replaced.
    pub(super) fn finish(self) -> Result<(), Failure> {
        let Some(partial) = &self.partial else { return Ok(()) };
        let failed = |error: &io::Error| Failure::output(&quoted(&self.path), error).with(&kept(partial));
        self.file.sync_all().map_err(|error| failed(&error))?;
        if !self.replace && self.path.exists() {
            return Err(Failure::Work(format!("{} appeared meanwhile", quoted(&self.path))).with(&kept(partial)));
        }
        // A link keeps pointing to the file that is replaced.
        let place = fs::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone());
        fs::rename(partial, place).map_err(|error| failed(&error))
    }

    /// Leaves the file under its partial name, and says so in a sentence; none where it has no such name.
    pub(super) fn keep(self) -> Option<String> {
        self.partial.as_deref().map(kept)
    }

    /// Removes the file.
    pub(super) fn discard(self) {
        if let Some(partial) = &self.partial {
            // A file that cannot be removed keeps its partial name, so that nobody takes it for complete.
            _ = fs::remove_file(partial);
        }
    }
}

/// A path as messages show it.
pub(super) fn quoted(path: &Path) -> String {
    format!("`{}`", path.display())
}

fn kept(partial: &Path) -> String {
    format!("the complete rows until then are in {}", quoted(partial))
}

/// The name of a file that is not complete, and that may not replace another one.
fn partial(path: &Path) -> PathBuf {
    with_ending(path, ".partial")
}

/// The name of a file that is not complete, and that no other process writes.
fn own_partial(path: &Path, attempt: u32) -> PathBuf {
    let process = std::process::id();
    with_ending(
        path,
        &if attempt == 0 { format!(".{process}.partial") } else { format!(".{process}-{attempt}.partial") },
    )
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name: OsString = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// Creates a file of this name, where there is none.
fn create_new(name: PathBuf) -> io::Result<(Option<PathBuf>, File)> {
    let file = OpenOptions::new().write(true).create_new(true).open(&name)?;
    Ok((Some(name), file))
}

/// Whether a path is there and is no regular file: a device or a pipe, which cannot be replaced by another file.
fn written_in_place(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A directory of the test's own, which did not exist before.
    fn directory(name: &str) -> PathBuf {
        let directory = std::env::temp_dir().join(format!("lagrange-output-{}-{name}", std::process::id()));
        fs::create_dir_all(&directory).expect("the temporary directory is writable");
        directory
    }

    fn names(directory: &Path) -> Vec<String> {
        let entries = fs::read_dir(directory).expect("the directory is there");
        entries.map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn a_file_has_its_name_only_once_it_is_complete() {
        let directory = directory("complete");
        let path = directory.join("motion.csv");
        let mut file = NewFile::create(&path, false).expect("nothing is there");
        file.write(b"t,x\n").expect("writable");
        assert_eq!(names(&directory), ["motion.csv.partial"]);
        file.finish().expect("nothing prevents it");
        assert_eq!(names(&directory), ["motion.csv"]);
        assert_eq!(fs::read(&path).expect("there"), b"t,x\n");
        fs::remove_dir_all(directory).expect("ours");
    }

    #[test]
    fn nothing_is_replaced_unasked() {
        let directory = directory("unasked");
        let path = directory.join("motion.csv");
        fs::write(&path, "old").expect("writable");
        let refused = NewFile::create(&path, false).expect_err("it exists");
        assert!(matches!(&refused, Failure::Usage(text) if text.contains("add --force")), "{refused:?}");
        assert_eq!(names(&directory), ["motion.csv"]);

        let cut = NewFile::create(&path, true).expect("asked for");
        assert!(cut.keep().is_some_and(|text| text.contains(".partial`")));
        assert_eq!(fs::read(&path).expect("there"), b"old", "a run that was cut short leaves it");
        fs::write(directory.join("motion.csv.partial"), "rows").expect("writable");
        fs::remove_file(&path).expect("ours");
        let refused = NewFile::create(&path, false).expect_err("the rows of the cut run are there");
        assert!(matches!(&refused, Failure::Usage(text) if text.contains(".partial` exists")), "{refused:?}");

        // A file that appears during the run is not replaced either.
        let file = NewFile::create(&directory.join("other.csv"), false).expect("nothing is there");
        fs::write(directory.join("other.csv"), "another's").expect("writable");
        assert!(matches!(file.finish(), Err(Failure::Work(text)) if text.contains("appeared meanwhile")));
        assert_eq!(fs::read(directory.join("other.csv")).expect("there"), b"another's");
        fs::remove_dir_all(directory).expect("ours");
    }

    #[test]
    fn runs_into_one_file_do_not_mix() {
        let directory = directory("mixed");
        let path = directory.join("motion.csv");
        let mut runs: Vec<NewFile> = (0..3).map(|_| NewFile::create(&path, true).expect("asked for")).collect();
        for _ in 0..50 {
            for (run, row) in runs.iter_mut().zip(["a\n", "b\n", "c\n"]) {
                run.write(row.as_bytes()).expect("writable");
            }
        }
        let [first, second, third] = runs.try_into().expect("three");
        second.finish().expect("nothing prevents it");
        assert_eq!(fs::read(&path).expect("there"), b"b\n".repeat(50));
        assert!(third.keep().is_some());
        first.finish().expect("the last one wins");
        assert_eq!(fs::read(&path).expect("there"), b"a\n".repeat(50));
        assert_eq!(names(&directory).len(), 2, "the run that was cut short keeps its rows");
        fs::remove_dir_all(directory).expect("ours");
    }

    #[test]
    fn a_report_is_replaced_whole_or_not_at_all() {
        let directory = directory("report");
        let path = directory.join("results.json");
        for text in ["first", "second"] {
            file(&path, |out| out.write_all(text.as_bytes())).expect("writable");
            assert_eq!(fs::read(&path).expect("there"), text.as_bytes());
        }
        let failed = file(&path, |out| out.write_all(b"half").and(Err(io::Error::other("no more"))));
        assert!(matches!(failed, Err(Failure::Work(text)) if text.contains("no more")));
        assert_eq!(fs::read(&path).expect("there"), b"second");
        assert_eq!(names(&directory), ["results.json"]);
        fs::remove_dir_all(directory).expect("ours");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_device_is_written_in_place_and_a_full_disk_is_told() {
        let mut file = NewFile::create(Path::new("/dev/full"), false).expect("devices are written as they are");
        assert!(file.write(b"t,x\n").is_err());
        assert_eq!(file.keep(), None);
        assert!(Path::new("/dev/full").exists());
    }
}
