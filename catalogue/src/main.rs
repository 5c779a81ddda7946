//! The `lagrange` command line: lists mechanisms, shows their equations, and simulates, sweeps, analyses, compares, plots and reports them.

fn main() -> std::process::ExitCode {
    lagrange_cli::run(&lagrange_catalogue::CATALOG)
}
