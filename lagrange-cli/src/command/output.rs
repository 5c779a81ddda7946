//! Where results go: the standard output, or a file.

use super::Failure;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Writes text to the standard output.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(|error| Failure::output("the standard output", &error))
}

/// Creates a file and lets `write` fill it.
pub fn file(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let name = || format!("`{}`", path.display());
    let file = File::create(path).map_err(|error| Failure::output(&name(), &error))?;
    let mut out = BufWriter::new(file);
    write(&mut out).and_then(|()| out.flush()).map_err(|error| Failure::output(&name(), &error))
}
