//! The `lagrange` command line: lists mechanisms, shows their equations, and simulates, sweeps, analyses, compares, plots and reports them.

mod catalog;

fn main() -> std::process::ExitCode {
    lagrange_cli::run(&catalog::CATALOG)
}
