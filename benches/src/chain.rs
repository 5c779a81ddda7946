//! A chain of n point pendulums in absolute angles, as a crate of its own: what a user's build sees.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// The block, for n links.
pub fn block(n: usize) -> String {
    format!(
        "const n = {n};
    coordinates theta[n];
    let p[0] = l[0]*[sin(theta[0]), -cos(theta[0])];
    let p[i in 1..n] = p[i - 1] + l[i]*[sin(theta[i]), -cos(theta[i])];
    kinetic = sum(i in 0..n, m[i]*norm2(dot(p[i]))/2);
    potential = g*sum(i in 0..n, m[i]*p[i][1]);"
    )
}

/// The struct that carries the block.
pub fn item(n: usize) -> String {
    format!("pub struct Chain {{ pub m: [f64; {n}], pub l: [f64; {n}], pub g: f64 }}")
}

/// A folder with a workspace of generated crates, whose profiles are Cargo's own: the macro is not optimised.
#[derive(Debug)]
pub struct Workspace {
    root: PathBuf,
}

impl Workspace {
    /// Writes the crates `derivation`, and `chain<n>` for each n.
    ///
    /// # Errors
    /// What the file system says.
    pub fn write(sizes: &[usize]) -> std::io::Result<Self> {
        let repository = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).canonicalize()?;
        let root = repository.join("target/chain");
        let mut members = vec!["derivation".to_owned()];
        members.extend(sizes.iter().map(|n| format!("chain{n}")));
        std::fs::create_dir_all(&root)?;
        std::fs::write(root.join("Cargo.toml"), format!("[workspace]\nresolver = \"3\"\nmembers = {members:?}\n"))?;
        std::fs::copy(repository.join("Cargo.lock"), root.join("Cargo.lock"))?;
        let dependency = |name: &str| format!("{name} = {{ path = {:?} }}\n", repository.join(name));
        let crate_of = |name: &str, dependencies: &str, main: &str| {
            std::fs::create_dir_all(root.join(name).join("src"))?;
            let manifest = format!(
                "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[dependencies]\n{dependencies}"
            );
            std::fs::write(root.join(name).join("Cargo.toml"), manifest)?;
            std::fs::write(root.join(name).join("src/main.rs"), main)
        };
        let dependencies = dependency("lagrange-symbolic") + "proc-macro2 = \"1\"\n";
        crate_of("derivation", &dependencies, include_str!("chain/derivation.rs"))?;
        for &n in sizes {
            let main = format!(
                "use lagrange_runtime::prelude::*;\n\n#[lagrangian {{\n    {}\n}}]\n{}\n\nconst N: usize = {n};\n\n{}",
                block(n),
                item(n),
                include_str!("chain/acceleration.rs")
            );
            crate_of(&format!("chain{n}"), &dependency("lagrange-runtime"), &main)?;
        }
        Ok(Self { root })
    }

    /// Milliseconds from the block to the operations of all evaluations, in an unoptimised build: the best of several.
    pub fn derivation(&self, n: usize) -> Option<f64> {
        self.cargo(&["build", "--quiet", "--package", "derivation"])?;
        self.output("debug/derivation", &[&block(n), &item(n)])
    }

    /// How long rustc takes for the crate in a release build, expansion and linking included; dependencies are built before.
    pub fn compilation(&self, n: usize) -> Option<Duration> {
        let package = format!("chain{n}");
        let build = ["build", "--quiet", "--release", "--package", &package];
        self.cargo(&build)?;
        let source = self.root.join(&package).join("src/main.rs");
        std::fs::write(&source, std::fs::read(&source).ok()?).ok()?;
        let start = Instant::now();
        self.cargo(&build)?;
        Some(start.elapsed())
    }

    /// Nanoseconds of one acceleration that waits for the one before: the best of several runs.
    pub fn acceleration(&self, n: usize) -> Option<f64> {
        self.output(&format!("release/chain{n}"), &[])
    }

    fn cargo(&self, arguments: &[&str]) -> Option<()> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let status = Command::new(cargo)
            .args(arguments)
            .current_dir(&self.root)
            .env("CARGO_TARGET_DIR", self.root.join("target"))
            .status()
            .ok()?;
        status.success().then_some(())
    }

    fn output(&self, program: &str, arguments: &[&str]) -> Option<f64> {
        let output = Command::new(self.root.join("target").join(program)).args(arguments).output().ok()?;
        String::from_utf8(output.stdout).ok()?.trim().parse().ok()
    }
}
