//! The `lagrange` command line: reproduces the published studies, shows mechanisms, and simulates them.

mod analysis;
mod command;
mod report;
mod study;

use std::process::ExitCode;

fn main() -> ExitCode {
    command::run()
}
