//! A functional mock-up unit as a file: the sources, and a library where a C compiler is found.

use super::archive::archive;
use crate::command::Failure;
use lagrange_symbolic::export::Export;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The archive of a unit, and what is said about its library.
pub(super) fn unit(exported: &Export) -> Result<(Vec<u8>, String), Failure> {
    let mut files: Vec<(String, Vec<u8>)> =
        exported.files.iter().map(|file| (file.name.clone(), file.text.clone().into_bytes())).collect();
    let about = match compiled(exported)? {
        Some(library) => {
            let platform = platform();
            files.push((format!("binaries/{platform}/{}{}", exported.stem, ending()), library));
            format!("it has a library for {platform}, and its sources")
        }
        None => {
            let (compiler, _) = compiler();
            format!(
                "no C compiler `{compiler}` is found, so that it has sources only; the variable CC names a compiler"
            )
        }
    };
    let bytes = archive(&files).ok_or_else(|| Failure::Work("the unit is larger than 4 GiB".to_owned()))?;
    Ok((bytes, about))
}

/// The platform as FMI names it: `x86_64-linux`.
fn platform() -> String {
    let system = if std::env::consts::OS == "macos" { "darwin" } else { std::env::consts::OS };
    format!("{}-{system}", std::env::consts::ARCH)
}

fn ending() -> &'static str {
    match std::env::consts::OS {
        "macos" => ".dylib",
        "windows" => ".dll",
        _ => ".so",
    }
}

/// A directory that is removed at the end.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        // What stays in the directory of temporary files is no failure of the export.
        _ = std::fs::remove_dir_all(&self.0);
    }
}

/// How many directories are tried that another run may have left.
const MOST_DIRECTORIES: u32 = 100;

impl Scratch {
    /// A new directory. A run that was stopped may have left one with the number of this process.
    fn new(stem: &str) -> Result<Self, Failure> {
        let mut number = 0;
        loop {
            let name = format!("lagrange-{stem}-{}-{number}", std::process::id());
            let directory = std::env::temp_dir().join(name);
            match std::fs::create_dir(&directory) {
                Ok(()) => return Ok(Self(directory)),
                Err(error) if error.kind() == ErrorKind::AlreadyExists && number < MOST_DIRECTORIES => number += 1,
                Err(error) => {
                    return Err(Failure::output(&format!("the directory `{}`", directory.display()), &error));
                }
            }
        }
    }
}

/// The compiler, and arguments of its own: the words of the variable `CC`, or `cc`. A path with spaces that exists is one word.
fn compiler() -> (String, Vec<String>) {
    let text = std::env::var("CC").unwrap_or_default();
    let mut words = text.split_whitespace().map(str::to_owned);
    match words.next() {
        None => ("cc".to_owned(), Vec::new()),
        Some(_) if Path::new(&text).is_file() => (text, Vec::new()),
        Some(first) => (first, words.collect()),
    }
}

/// The library, or `None` where there is no compiler.
fn compiled(exported: &Export) -> Result<Option<Vec<u8>>, Failure> {
    let scratch = Scratch::new(&exported.stem)?;
    let failed = |error: std::io::Error| Failure::output(&format!("the directory `{}`", scratch.0.display()), &error);
    let mut sources: Vec<PathBuf> = Vec::new();
    for file in &exported.files {
        let Some(name) = file.name.strip_prefix("sources/") else { continue };
        let path = scratch.0.join(name);
        std::fs::write(&path, &file.text).map_err(failed)?;
        sources.extend(name.ends_with(".c").then_some(path));
    }
    let library = scratch.0.join(format!("library{}", ending()));
    let (compiler, own) = compiler();
    let output = match arguments(Command::new(&compiler).args(own), &sources, &library).output() {
        Ok(output) => output,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Failure::output(&format!("the compiler `{compiler}`"), &error)),
    };
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(Failure::Work(format!("the compiler `{compiler}` refuses the unit:\n{said}")));
    }
    std::fs::read(&library).map(Some).map_err(failed)
}

/// The command that compiles. Products and sums stay apart, so that the numbers are the same on all machines.
fn arguments<'c>(command: &'c mut Command, sources: &[PathBuf], library: &Path) -> &'c mut Command {
    command.args(["-std=c99", "-O2", "-fPIC", "-shared", "-fvisibility=hidden", "-ffp-contract=off", "-o"]);
    command.arg(library).args(sources).arg("-lm")
}

#[cfg(test)]
mod tests {
    use super::Scratch;

    #[test]
    fn a_directory_that_another_run_has_left_is_passed_by() {
        let left = Scratch::new("left").expect("a directory");
        let own = Scratch::new("left").expect("a directory");
        assert_ne!(left.0, own.0);
        assert!(own.0.is_dir());
    }
}
