//! The names that belong to a mechanism, for the options that take one.

use crate::catalog::{Catalog, Model, Quantity};
use clap_complete::Shell;
use std::fmt::Write;

/// What an option names.
#[derive(Clone, Copy)]
enum Named {
    /// A parameter or an input.
    Parameter,
    /// An initial coordinate or velocity.
    Initial,
    /// An input, behind which a law is written.
    Input,
    /// A parameter, an input, or an initial coordinate or velocity, with a value.
    Varied,
    /// A parameter, an input, or an initial coordinate or velocity, without a value.
    Estimated,
    /// A coordinate, a velocity or an output, without a value.
    Measured,
    /// A coordinate, a velocity or an output.
    Quantity,
    /// A coordinate, a velocity, an output, the time or the energy, without a value behind the name.
    Shown,
}

/// An option that takes names.
#[derive(Clone, Copy)]
struct Naming {
    /// The only command for which this holds. Rows for one command stand before those for all.
    command: Option<&'static str>,
    option: &'static str,
    named: Named,
}

/// The options that take names.
const OPTIONS: [Naming; 14] = [
    Naming { command: Some("fit"), option: "vary", named: Named::Estimated },
    Naming { command: Some("fit"), option: "measured", named: Named::Measured },
    Naming::everywhere("set", Named::Parameter),
    Naming::everywhere("initial", Named::Initial),
    Naming::everywhere("input", Named::Input),
    Naming::everywhere("beside", Named::Varied),
    Naming::everywhere("vary", Named::Varied),
    Naming::everywhere("sample", Named::Varied),
    Naming::everywhere("until", Named::Quantity),
    Naming::everywhere("section", Named::Quantity),
    Naming::everywhere("at", Named::Quantity),
    Naming::everywhere("show", Named::Shown),
    Naming::everywhere("x", Named::Shown),
    Naming::everywhere("y", Named::Shown),
];

impl Naming {
    const fn everywhere(option: &'static str, named: Named) -> Self {
        Self { command: None, option, named }
    }
}

impl Named {
    /// The names that `model` has of this kind, each with what the user writes behind it.
    fn of(self, model: &dyn Model) -> Vec<String> {
        let parameters = || model.parameters().into_iter().map(|parameter| parameter.name.to_owned());
        let quantities = |outputs: &[&str]| Quantity::names(model.components(), outputs);
        let assigned = |names: Vec<String>| names.into_iter().map(|name| format!("{name}="));
        match self {
            Self::Parameter => assigned(parameters().collect()).collect(),
            Self::Input => {
                let inputs = model.parameters().into_iter().filter(|parameter| parameter.input);
                assigned(inputs.map(|parameter| parameter.name.to_owned()).collect()).collect()
            }
            Self::Initial => assigned(quantities(&[])).collect(),
            Self::Varied => assigned(parameters().chain(quantities(&[])).collect()).collect(),
            Self::Estimated => parameters().chain(quantities(&[])).collect(),
            Self::Measured => quantities(model.outputs()),
            Self::Quantity => assigned(quantities(model.outputs())).collect(),
            Self::Shown => {
                let names = quantities(model.outputs()).into_iter();
                std::iter::once("t".to_owned()).chain(names).chain(["energy".to_owned()]).collect()
            }
        }
    }
}

/// Adds the names to the completions that were generated for a shell. Other shells than bash, zsh and fish get none.
pub(super) fn add(shell: Shell, program: &str, catalog: &Catalog, script: String) -> String {
    match shell {
        Shell::Bash => bash(program, catalog, script),
        Shell::Zsh => zsh(program, catalog, &script),
        Shell::Fish => fish(program, catalog, script),
        _ => script,
    }
}

/// The mechanisms as a pattern of the shell: `a|b|c`.
fn pattern(catalog: &Catalog) -> String {
    let names: Vec<&str> = catalog.models().iter().map(|model| model.name()).collect();
    names.join("|")
}

/// Each mechanism with each option and the names that it takes.
fn entries(catalog: &Catalog) -> impl Iterator<Item = (&'static str, Naming, Vec<String>)> {
    let of = |model: &&'static dyn Model| {
        let model = *model;
        OPTIONS.into_iter().map(move |naming| (model.name(), naming, naming.named.of(model)))
    };
    catalog.models().iter().flat_map(of)
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("'{name}'")).collect::<Vec<_>>().join(" ")
}

/// A function around the generated one, which answers what it leaves to the names of files.
fn bash(program: &str, catalog: &Catalog, mut script: String) -> String {
    let function = format!("_{}_names", program.replace('-', "_"));
    let generated = script.rsplit("complete -F ").next().and_then(|rest| rest.split_whitespace().next()).unwrap_or("");
    let generated = generated.to_owned();
    let options: Vec<String> = OPTIONS.iter().map(|naming| format!("--{}", naming.option)).collect();
    _ = write!(
        script,
        "\n{function}() {{\n    local cur=\"${{COMP_WORDS[COMP_CWORD]}}\" option=\"${{COMP_WORDS[COMP_CWORD-1]}}\" word model=\"\" names=()\n    \
         case \"$option\" in\n        {}) ;;\n        *) {generated} \"$@\"; return ;;\n    esac\n    \
         for word in \"${{COMP_WORDS[@]:2}}\"; do\n        case \"$word\" in {}) model=\"$word\"; break ;; esac\n    done\n    \
         case \"${{COMP_WORDS[1]}} $model $option\" in\n",
        options.join("|"),
        pattern(catalog)
    );
    for (model, Naming { command, option, .. }, names) in entries(catalog) {
        let command = command.map_or("*".to_owned(), |command| format!("\"{command}\""));
        _ = writeln!(script, "        {command}\" {model} --{option}\") names=({}) ;;", quoted(&names));
    }
    _ = write!(
        script,
        "    esac\n    COMPREPLY=()\n    for word in \"${{names[@]}}\"; do\n        \
         case \"$word\" in \"$cur\"*) COMPREPLY+=(\"$word\") ;; esac\n    done\n    compopt -o nospace\n}}\n\
         complete -F {function} -o nosort -o bashdefault -o default {program}\n"
    );
    script
}

/// A function that the generated one calls where it would offer files.
fn zsh(program: &str, catalog: &Catalog, script: &str) -> String {
    let function = format!("_{}_names", program.replace('-', "_"));
    let mut definition = format!(
        "{function}() {{\n    local word model\n    for word in $words; do\n        case $word in ({}) model=$word; break ;; esac\n    done\n    \
         case \"$words[1] $model $1\" in\n",
        pattern(catalog)
    );
    // In the function of a command, the first of the words is that command.
    for (model, Naming { command, option, .. }, names) in entries(catalog) {
        let command = command.map_or("*".to_owned(), |command| format!("\"{command}\""));
        _ = writeln!(definition, "    ({command}\" {model} {option}\") compadd -S '' -- {} ;;", quoted(&names));
    }
    definition.push_str("    esac\n}\n\n");
    let mut out = String::with_capacity(script.len() + definition.len());
    let mut lines = script.lines();
    // The function stands behind the line that tells zsh which command the file completes.
    out.extend(lines.next().map(|line| format!("{line}\n\n{definition}")));
    for line in lines {
        let begins = |option: &str| {
            let begin = line.trim_start().trim_start_matches(['\'', '*']);
            begin
                .strip_prefix("--")
                .and_then(|rest| rest.strip_prefix(option))
                .is_some_and(|rest| rest.starts_with("=["))
        };
        match OPTIONS.iter().find(|naming| begins(naming.option)) {
            Some(Naming { option, .. }) => out.push_str(&line.replace(":_default'", &format!(":{function} {option}'"))),
            None => out.push_str(line),
        }
        out.push('\n');
    }
    out
}

fn fish(program: &str, catalog: &Catalog, mut script: String) -> String {
    let others = |option: &str| OPTIONS.iter().find(|naming| naming.option == option).and_then(|naming| naming.command);
    for (model, Naming { command, option, .. }, names) in entries(catalog) {
        let of_command = match (command, others(option)) {
            (Some(command), _) => format!("contains -- {command} (commandline -opc); and "),
            (None, Some(other)) => format!("not contains -- {other} (commandline -opc); and "),
            (None, None) => String::new(),
        };
        _ = writeln!(
            script,
            "complete -c {program} -n \"{of_command}contains -- {model} (commandline -opc)\" -l {option} -x -a \"{}\"",
            names.join(" ")
        );
    }
    script
}
