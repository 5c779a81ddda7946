//! A functional mock-up unit as a file: the sources, and a library where a C compiler is found.

use super::archive::archive;
use crate::command::Failure;
use lagrange_symbolic::export::Export;
use std::ffi::OsString;
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
        None => "no C compiler is found, so that it has sources only; the variable CC names a compiler".to_owned(),
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

/// The library, or `None` where there is no compiler.
fn compiled(exported: &Export) -> Result<Option<Vec<u8>>, Failure> {
    let directory = std::env::temp_dir().join(format!("lagrange-{}-{}", exported.stem, std::process::id()));
    let failed = |error: std::io::Error| Failure::output(&format!("the directory `{}`", directory.display()), &error);
    std::fs::create_dir(&directory).map_err(failed)?;
    let scratch = Scratch(directory.clone());
    let mut sources: Vec<PathBuf> = Vec::new();
    for file in &exported.files {
        let Some(name) = file.name.strip_prefix("sources/") else { continue };
        let path = scratch.0.join(name);
        std::fs::write(&path, &file.text).map_err(failed)?;
        sources.extend(name.ends_with(".c").then_some(path));
    }
    let library = scratch.0.join(format!("library{}", ending()));
    let compiler = std::env::var_os("CC").unwrap_or_else(|| OsString::from("cc"));
    let output = match arguments(Command::new(&compiler), &sources, &library).output() {
        Ok(output) => output,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Failure::output(&format!("the compiler `{}`", compiler.display()), &error)),
    };
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(Failure::Work(format!("the compiler `{}` refuses the unit:\n{said}", compiler.display())));
    }
    std::fs::read(&library).map(Some).map_err(failed)
}

/// The command that compiles. Products and sums stay apart, so that the numbers are the same on all machines.
fn arguments(mut command: Command, sources: &[PathBuf], library: &Path) -> Command {
    command.args(["-std=c99", "-O2", "-fPIC", "-shared", "-fvisibility=hidden", "-ffp-contract=off", "-o"]);
    command.arg(library).args(sources).arg("-lm");
    command
}
