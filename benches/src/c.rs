//! Programs in C, where a compiler is present: built once with `-O3 -march=native`, timed by themselves.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

/// A sine and a cosine without branches.
const SINE: &str = include_str!("../c/sine.h");

/// The compiled program.
#[derive(Debug)]
pub struct Program {
    path: PathBuf,
}

impl Program {
    /// Compiles `c/compound_double_pendulum.c`, the closed form with RK4; `None` without a C compiler.
    pub fn compile() -> Option<Self> {
        Self::of("compound_double_pendulum")
    }

    /// Compiles `c/dop853.c`, the closed form with DOP853; `None` without a C compiler.
    pub fn dop853() -> Option<Self> {
        Self::of("dop853")
    }

    /// Compiles `c/ensemble.c`, many closed forms with RK4 in lanes and threads; `None` without a C compiler or OpenMP.
    pub fn ensemble() -> Option<Self> {
        Self::of("ensemble")
    }

    /// Compiles `c/methods.c`, steps of structure-preserving methods and accelerations of chains; `None` without a C compiler.
    pub fn methods() -> Option<Self> {
        Self::of("methods")
    }

    /// Compiles a program that is given as text, in which the line `SINE` stands for `c/sine.h`; `None` without a C compiler.
    pub fn from_text(name: &str, text: &str) -> Option<Self> {
        let source = std::env::temp_dir().join(format!("{name}_{}.c", std::process::id()));
        std::fs::write(&source, text.replace("\nSINE\n", &format!("\n{SINE}\n"))).ok()?;
        let program = Self::compile_file(name, source.to_str()?);
        _ = std::fs::remove_file(source);
        program
    }

    fn of(name: &str) -> Option<Self> {
        Self::compile_file(name, &format!("{}/c/{name}.c", env!("CARGO_MANIFEST_DIR")))
    }

    fn compile_file(name: &str, source: &str) -> Option<Self> {
        let path = std::env::temp_dir().join(format!("{name}_{}", std::process::id()));
        let status = Command::new("cc")
            .args(["-O3", "-march=native", "-std=c11", "-fopenmp", source, "-lm", "-o"])
            .arg(&path)
            .status()
            .ok()?;
        status.success().then_some(Self { path })
    }

    /// Runs one of the program's measurements: the time it took by its own clock, and the final angle.
    pub fn run(&self, what: &str) -> Option<(Duration, f64)> {
        let (time, numbers) = self.run_with(&[what])?;
        Some((time, *numbers.first()?))
    }

    /// Runs the program with arguments: the time it took by its own clock, and the other numbers that it printed.
    pub fn run_with(&self, arguments: &[&str]) -> Option<(Duration, Vec<f64>)> {
        let output = Command::new(&self.path).args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        let numbers: Result<Vec<f64>, _> = text.split_whitespace().map(str::parse).collect();
        let (seconds, rest) = numbers.ok()?.split_first().map(|(seconds, rest)| (*seconds, rest.to_vec()))?;
        Some((Duration::from_secs_f64(seconds), rest))
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // Nothing depends on the file any more; a leftover in the temporary folder harms nobody.
        let _ = std::fs::remove_file(&self.path);
    }
}
