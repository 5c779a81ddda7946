//! `lagrange man DIRECTORY`: the manual pages.

use super::{Failure, output, program_name, with_program_name};
use clap::Command;
use clap_mangen::Man;
use std::path::PathBuf;

/// Write the manual pages of the program and of its commands into a directory
///
/// `man -l DIRECTORY/lagrange.1` shows the first of them.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The directory, which is created if it does not exist
    directory: PathBuf,
    /// Replace the files where they exist
    #[arg(long)]
    force: bool,
}

pub(super) fn run(whole: Command, arguments: &Arguments) -> Result<(), Failure> {
    let directory = &arguments.directory;
    std::fs::create_dir_all(directory)
        .map_err(|error| Failure::output(&format!("the directory `{}`", directory.display()), &error))?;
    let pages = pages(whole, &program_name())?;
    let path = |name: &str| directory.join(format!("{name}.1"));
    // All of them are looked at before the first is written.
    for (name, _) in &pages {
        output::may_create(&path(name), arguments.force)?;
    }
    for (name, page) in &pages {
        output::new_file(&path(name), page, arguments.force)?;
    }
    output::print(&format!("{} pages are in `{}`.\n", pages.len(), directory.display()))
}

/// The pages with their names: that of the program, and one for each command.
fn pages(whole: Command, program: &str) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let mut whole = with_program_name(whole, program).name(program.to_owned()).disable_help_subcommand(true);
    whole.build();
    let named = |command: &Command| match command.get_name() {
        name if name == program => name.to_owned(),
        name => format!("{program}-{name}"),
    };
    let render = |command: &Command| {
        let name = named(command);
        let mut page = Vec::new();
        let man = Man::new(command.clone().name(name.clone())).title(name.clone());
        man.render(&mut page).map_err(|error| Failure::output(&format!("the page `{name}`"), &error))?;
        Ok((name, page))
    };
    std::iter::once(&whole).chain(whole.get_subcommands()).map(render).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn every_command_has_a_page_with_its_options_and_examples() {
        let pages = pages(crate::command::Arguments::command(), "crane").expect("it is written to memory");
        let page = |name: &str| {
            let (_, page) = pages.iter().find(|(known, _)| known == name).unwrap_or_else(|| panic!("no page {name}"));
            String::from_utf8(page.clone()).expect("text")
        };
        assert!(page("crane").contains("crane\\-simulate(1)"), "{}", page("crane"));
        let sweep = page("crane-sweep");
        assert!(sweep.contains("\\-\\-vary") && sweep.contains("crane sweep double\\-pendulum"), "{sweep}");
        assert!(pages.iter().all(|(_, page)| !String::from_utf8_lossy(page).contains("lagrange ")), "the user's name");
        assert_eq!(pages.len(), 1 + crate::command::Arguments::command().get_subcommands().count());
    }
}
