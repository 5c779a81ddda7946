//! The command line of the program `studies`. It reproduces the studies, prints a table of the
//! results, and writes them to a directory with figures and data.

use crate::study;
use lagrange_cli::command::{Failure, file, print};
use lagrange_cli::report::row::Origin;
use lagrange_cli::report::statement::tally;
use lagrange_cli::report::{Report, json, page, table, truth};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The command that writes the page of truth in the documentation.
const TRUTH: &str = "cargo run --release -p lagrange-studies -- --study 1 --study 2 --study 3 --study 4 --study 5 --truth docs/studies.md";

/// Reproduce the published studies: print a table, and write figures and data to a directory
#[derive(Debug, clap::Parser)]
#[command(name = "studies", version)]
pub(crate) struct Arguments {
    /// The directory for the page, the results and the curves
    #[arg(long, value_name = "DIRECTORY", default_value = "report")]
    output: PathBuf,
    /// Only this study, 1 to 5, or 0 for what goes beyond them; may be repeated [default: all]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(0..=5))]
    study: Vec<u32>,
    /// Also write the page that lists every statement of the documents with what was computed, the verdict and the reason
    #[arg(long, value_name = "FILE")]
    truth: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let directory = &arguments.output;
    // The directory is created before the work, so that an error is reported at once.
    std::fs::create_dir_all(directory)
        .map_err(|error| Failure::output(&format!("the directory `{}`", directory.display()), &error))?;
    let start = Instant::now();
    let mut progress = |number: usize, count: usize, name: &str| {
        // If the standard error is closed, the work goes on without messages.
        _ = writeln!(std::io::stderr(), "[{number}/{count}] {name}");
    };
    let report = study::reproduce(&arguments.study, &mut progress).map_err(|error| Failure::Work(error.to_string()))?;
    let seconds = start.elapsed().as_secs_f64();
    write(&report, directory, seconds)?;
    let colours = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    if let Some(path) = &arguments.truth {
        file(path, |out| out.write_all(truth::render(&report, TRUTH).as_bytes()))?;
    }
    let [recomputed, expected] =
        [Origin::Recomputed, Origin::Expected].map(|origin| table::score(&report.rows, origin));
    let [holding, failing, partly, unjudged] = tally(report.statements.iter(), &report.rows);
    print(&format!(
        "\n{}\nOf {} statements {holding} hold, {failing} do not, {partly} hold in part, and {unjudged} are not judged. Not printed by a \
         document: {} of {} recomputed values hold, and {} of {} expected ones. Computed in {seconds:.1} s.\n\
         Figures: {}\nResults: {}\n",
        table::render(&report.rows, colours),
        report.statements.len(),
        recomputed.0,
        recomputed.1,
        expected.0,
        expected.1,
        directory.join("index.html").display(),
        directory.join("results.json").display(),
    ))
}

/// Writes the results, the data of the curves and the page to `directory`.
fn write(report: &Report, directory: &Path, seconds: f64) -> Result<(), Failure> {
    let text = |name: &str, content: &str| file(&directory.join(name), |out| out.write_all(content.as_bytes()));
    let results = json::results(&report.rows);
    text("results.json", &format!("{results:#}\n"))?;
    for series in &report.series {
        file(&directory.join(format!("{}.csv", series.name)), |out| series.write(out))?;
    }
    text("index.html", &page::render(report, seconds))
}
