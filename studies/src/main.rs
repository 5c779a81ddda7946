//! Reproduces the published studies: a table on the standard output, and a page with figures in a directory.

mod reproduce;
mod statements;
mod study;

use lagrange_cli::command::{exit_code, parse};
use std::process::ExitCode;

fn main() -> ExitCode {
    exit_code(parse::<reproduce::Arguments>().and_then(|arguments| reproduce::run(&arguments)))
}
