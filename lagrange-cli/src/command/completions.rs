//! `lagrange completions SHELL`.

mod names;

use super::{Failure, output, program_name};
use crate::catalog::Catalog;
use clap::Command;
use clap::builder::PossibleValuesParser;
use clap_complete::Shell;

/// Print the completions for a shell
///
/// They complete the names of the mechanisms. For bash, zsh and fish they also complete the names of the parameters, coordinates and outputs of
/// the mechanism on the line.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub(super) fn run(whole: Command, catalog: &Catalog, arguments: &Arguments) -> Result<(), Failure> {
    output::print(&script(whole, catalog, arguments.shell, &program_name()))
}

/// The completions, with the mechanisms of the catalogue at every argument that names one, and the names that belong to each mechanism.
fn script(whole: Command, catalog: &Catalog, shell: Shell, program: &str) -> String {
    let models: Vec<&str> = catalog.models().iter().map(|model| model.name()).collect();
    let mut whole = whole.mut_subcommands(|command| {
        let takes_model = command.get_arguments().any(|argument| argument.get_id() == "model");
        let named = || PossibleValuesParser::new(models.clone());
        if takes_model { command.mut_arg("model", |argument| argument.value_parser(named())) } else { command }
    });
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut whole, program, &mut text);
    names::add(shell, program, catalog, String::from_utf8_lossy(&text).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Entry;
    use clap::CommandFactory;
    use lagrange_runtime::prelude::*;

    #[lagrangian {
        coordinates x;
        kinetic = mass*dot(x)^2/2;
        output height = x;
        force x = push;
    }]
    #[derive(Clone, Debug)]
    struct Body {
        mass: f64,
        #[input]
        push: f64,
    }

    static CATALOG: Catalog = Catalog::new(&[
        &Entry::free("light-body", || Body { mass: 0.1, push: 0.0 }, || State::new(0.0, [0.0], [0.0])),
        &Entry::free("heavy-body", || Body { mass: 9.0, push: 0.0 }, || State::new(0.0, [0.0], [0.0])),
    ]);

    fn written(shell: Shell) -> String {
        script(crate::command::Arguments::command(), &CATALOG, shell, "crane")
    }

    /// The scripts for other shells complete no values of arguments without a name.
    #[test]
    fn bash_and_zsh_complete_mechanisms() {
        for shell in [Shell::Bash, Shell::Zsh] {
            assert!(written(shell).contains("heavy-body"), "{shell}");
        }
    }

    /// What bash offers for the last of these words.
    fn offered(words: &[&str]) -> Vec<String> {
        let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
        // The function that bash calls, as `complete` was told last.
        let call = format!(
            "{}\nCOMP_WORDS=({}); COMP_CWORD={}; compopt() {{ :; }}\n\
             name=$(complete -p crane | sed 's/.*-F \\([^ ]*\\).*/\\1/')\n\
             \"$name\" crane \"${{COMP_WORDS[COMP_CWORD]}}\" \"${{COMP_WORDS[COMP_CWORD-1]}}\"\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"",
            written(Shell::Bash),
            quoted.join(" "),
            words.len() - 1
        );
        let output = std::process::Command::new("bash").args(["-c", &call]).output().expect("there is a bash");
        assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
    }

    #[test]
    fn bash_offers_the_names_that_belong_to_the_mechanism() {
        let simulate = ["crane", "simulate", "heavy-body", "--t-end", "1"];
        let after = |option: &str, begun: &str| offered(&[&simulate[..], &[option, begun]].concat());
        assert_eq!(after("--set", ""), ["mass=", "push="]);
        assert_eq!(after("--set", "m"), ["mass="]);
        assert_eq!(after("--initial", ""), ["x=", "x_dot="]);
        assert_eq!(after("--until", ""), ["x=", "x_dot=", "height="]);
        let sweep = ["crane", "sweep", "light-body", "--show", ""];
        assert_eq!(offered(&sweep), ["t", "x", "x_dot", "height", "energy"]);
        assert_eq!(offered(&["crane", "sweep", "light-body", "--vary", "p"]), ["push="]);
        // `fit` takes the names alone.
        assert_eq!(offered(&["crane", "fit", "light-body", "--vary", ""]), ["mass", "push", "x", "x_dot"]);
        assert_eq!(offered(&["crane", "fit", "light-body", "--measured", "h"]), ["height"]);
        assert_eq!(after("--input", ""), ["push="]);
        // What names nothing of a mechanism is completed as before.
        assert_eq!(offered(&["crane", "simulate", "h"]), ["heavy-body"]);
        // Without a mechanism there are no names: an empty line.
        assert_eq!(offered(&["crane", "simulate", "--set", ""]), [""]);
    }

    #[test]
    fn zsh_and_fish_have_the_names_of_each_mechanism() {
        let zsh = written(Shell::Zsh);
        assert!(zsh.contains("(*\" heavy-body set\") compadd -S '' -- 'mass=' 'push=' ;;"), "{zsh}");
        assert!(zsh.contains("(\"fit\"\" heavy-body vary\") compadd -S '' -- 'mass' 'push'"), "{zsh}");
        assert!(zsh.contains(":NAME=VALUE:_crane_names set'"), "{zsh}");
        let definition = zsh.find("_crane_names() {").expect("defined");
        assert!(definition < zsh.find("funcstack").expect("the call at the end"), "defined before it is used");
        let fish = written(Shell::Fish);
        assert!(fish.contains("contains -- heavy-body (commandline -opc)\" -l set -x -a \"mass= push=\""), "{fish}");
    }
}
