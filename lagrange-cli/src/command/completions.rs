//! `lagrange completions SHELL`.

use super::{Failure, output, program_name};
use crate::catalog::Catalog;
use clap::Command;
use clap::builder::PossibleValuesParser;
use clap_complete::Shell;

/// Print the completions for a shell
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub(super) fn run(whole: Command, catalog: &Catalog, arguments: &Arguments) -> Result<(), Failure> {
    output::print(&script(whole, catalog, arguments.shell))
}

/// The completions, with the mechanisms of the catalogue at every argument that names one.
fn script(whole: Command, catalog: &Catalog, shell: Shell) -> String {
    let names: Vec<&str> = catalog.models().iter().map(|model| model.name()).collect();
    let mut whole = whole.mut_subcommands(|command| {
        let takes_model = command.get_arguments().any(|argument| argument.get_id() == "model");
        let named = || PossibleValuesParser::new(names.clone());
        if takes_model { command.mut_arg("model", |argument| argument.value_parser(named())) } else { command }
    });
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut whole, program_name(), &mut text);
    String::from_utf8_lossy(&text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Entry;
    use clap::CommandFactory;
    use lagrange_runtime::prelude::*;

    #[lagrangian { coordinates x; kinetic = dot(x)^2/2; }]
    #[derive(Clone, Debug)]
    struct Body;

    static CATALOG: Catalog = Catalog::new(&[&Entry::free("heavy-body", || Body, || State::new(0.0, [0.0], [0.0]))]);

    /// The scripts for other shells complete no values of arguments without a name.
    #[test]
    fn bash_and_zsh_complete_mechanisms() {
        for shell in [Shell::Bash, Shell::Zsh] {
            assert!(script(crate::command::Arguments::command(), &CATALOG, shell).contains("heavy-body"), "{shell}");
        }
    }
}
