//! The same closed form in C, where a compiler is present: built once with `-O3 -march=native`, timed by itself.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

/// The compiled program.
#[derive(Debug)]
pub struct Program {
    path: PathBuf,
}

impl Program {
    /// Compiles `c/compound_double_pendulum.c`; `None` without a C compiler.
    pub fn compile() -> Option<Self> {
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/c/compound_double_pendulum.c");
        let path = std::env::temp_dir().join(format!("compound_double_pendulum_{}", std::process::id()));
        let status = Command::new("cc")
            .args(["-O3", "-march=native", "-std=c11", source, "-lm", "-o"])
            .arg(&path)
            .status()
            .ok()?;
        status.success().then_some(Self { path })
    }

    /// Runs one of the program's measurements: the time it took by its own clock, and the final angle.
    pub fn run(&self, what: &str) -> Option<(Duration, f64)> {
        let output = Command::new(&self.path).arg(what).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        let mut words = text.split_whitespace();
        let seconds: f64 = words.next()?.parse().ok()?;
        let angle: f64 = words.next()?.parse().ok()?;
        Some((Duration::from_secs_f64(seconds), angle))
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // Nothing depends on the file any more; a leftover in the temporary folder harms nobody.
        let _ = std::fs::remove_file(&self.path);
    }
}
