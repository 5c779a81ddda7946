//! `lagrange export`: a mechanism as a text of another language.

use clap::ValueEnum;
use std::path::PathBuf;

/// The language of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum To {
    /// C99: a header and a source, without allocation, in double or single precision
    C,
    /// JavaScript: an ES module
    Js,
    /// Python: a module that needs NumPy
    Python,
}

/// Write a mechanism as C, JavaScript or Python
///
/// The text has the acceleration with the multipliers, the mass matrix, the forcing, energies, powers, outputs, constraints, switches
/// and derivatives, with the names of the block, and its equations as a comment.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  lagrange export double-pendulum --to c
  lagrange export src/main.rs Pendulum --to python --output exported")]
pub struct Arguments {
    /// The mechanism, as `list` names it, or a Rust source file, whose name ends in `.rs`
    mechanism: String,
    /// The struct in the source file; not needed if the file has one mechanism
    name: Option<String>,
    /// The language
    #[arg(long, value_enum)]
    to: To,
    /// The directory of the files, which is created if it does not exist
    #[arg(short, long, value_name = "DIRECTORY", default_value = ".")]
    output: PathBuf,
    /// Replace the files where they exist
    #[arg(long)]
    force: bool,
}

#[cfg(not(feature = "export"))]
pub(super) fn run(_: &crate::Catalog, _: &Arguments) -> Result<(), super::Failure> {
    Err(super::Failure::Usage(
        "this program does not contain the derivation, by which `export` writes; build it with `--features lagrange-cli/export`"
            .to_owned(),
    ))
}

/// The operations of each evaluation of a mechanism, as a table in text.
#[cfg(not(feature = "export"))]
pub(super) fn operations(_: &dyn crate::catalog::Model) -> Result<String, super::Failure> {
    Err(super::Failure::Usage(
        "this program does not contain the derivation, which counts operations; build it with `--features lagrange-cli/export`"
            .to_owned(),
    ))
}

#[cfg(feature = "export")]
pub(super) use with_derivation::{exported, operations, run};

#[cfg(feature = "export")]
mod with_derivation {
    use super::{Arguments, To};
    use crate::catalog::{Catalog, Model};
    use crate::command::{Failure, output};
    use crate::suggest::explain_unknown;
    use lagrange_symbolic::export::{
        Export, ExportError, Field, Found, Language, Message, export, mechanism, mechanisms,
    };
    use lagrange_symbolic::program::OperationCount;
    use std::path::Path;

    pub(in crate::command) fn run(catalog: &Catalog, arguments: &Arguments) -> Result<(), Failure> {
        let (found, place) = match Path::new(&arguments.mechanism).extension() {
            Some(extension) if extension == "rs" => (of_file(arguments)?, Some(&arguments.mechanism[..])),
            _ => (of_catalog(catalog, arguments)?, None),
        };
        let language = match arguments.to {
            To::C => Language::C,
            To::Js => Language::JavaScript,
            To::Python => Language::Python,
        };
        let exported = export(&found.block, &found.item, language).map_err(|error| refused(&found, place, error))?;
        for warning in &exported.warnings {
            eprintln!("warning: {}", at(place, warning));
        }
        write(arguments, &exported)
    }

    /// The struct of a source file.
    fn of_file(arguments: &Arguments) -> Result<Found, Failure> {
        let file = &arguments.mechanism;
        let source = std::fs::read_to_string(file)
            .map_err(|error| Failure::Usage(format!("cannot read the source file `{file}`: {error}")))?;
        let found = mechanisms(&source)
            .map_err(|error| Failure::Usage(format!("this is no Rust source: {}", at(Some(file), &error))))?;
        let names: Vec<String> = found.iter().map(|found| found.name.clone()).collect();
        let Some(wanted) = &arguments.name else {
            return match <[Found; 1]>::try_from(found) {
                Ok([found]) => Ok(found),
                Err(none) if none.is_empty() => {
                    Err(Failure::Usage(format!("`{file}` has no struct with the attribute `#[lagrangian {{ … }}]`")))
                }
                Err(_) => Err(Failure::Usage(format!(
                    "`{file}` has several mechanisms; name one of them behind the file: {}",
                    names.join(", ")
                ))),
            };
        };
        let mut named: Vec<Found> = found.into_iter().filter(|found| found.name == *wanted).collect();
        match (named.len(), named.pop()) {
            (1, Some(found)) => Ok(found),
            (0, _) => Err(Failure::Usage(format!(
                "{}, among the structs of `{file}` with the attribute `lagrangian`",
                explain_unknown("mechanism", wanted, &names)
            ))),
            _ => Err(Failure::Usage(format!("`{file}` has several structs `{wanted}`, in different modules"))),
        }
    }

    /// A mechanism of a catalogue in another language.
    ///
    /// # Errors
    /// A block that cannot be read. Inside, why it has no export.
    pub(in crate::command) fn exported(
        model: &dyn Model,
        language: Language,
    ) -> Result<Result<Export, ExportError>, Failure> {
        let found = of_model(model)?;
        Ok(export(&found.block, &found.item, language))
    }

    /// A mechanism of the catalogue, by its name.
    fn of_catalog(catalog: &Catalog, arguments: &Arguments) -> Result<Found, Failure> {
        if let Some(name) = &arguments.name {
            return Err(Failure::Usage(format!("`{name}` names a struct, which only a source file has")));
        }
        of_model(catalog.find(&arguments.mechanism)?)
    }

    /// The operations of each evaluation of a mechanism, as a table in text.
    ///
    /// # Errors
    /// [`Failure`] of a block that cannot be read, or whose equations call functions that only Rust has.
    pub(in crate::command) fn operations(model: &dyn Model) -> Result<String, Failure> {
        let found = of_model(model)?;
        let exported = export(&found.block, &found.item, Language::C).map_err(|error| refused(&found, None, error))?;
        let row = |(name, count): &(&str, OperationCount)| format!("  {name:<22}{:>6}   {count}\n", count.total());
        let rows: String = exported.operations.iter().filter(|(_, count)| count.total() > 0).map(row).collect();
        Ok(format!("Operations of each evaluation; `prepare` computes once what depends on parameters alone:\n{rows}"))
    }

    /// A mechanism of a catalogue, from its block and the names of its parameters.
    fn of_model(model: &dyn Model) -> Result<Found, Failure> {
        let fields = model.parameters().into_iter().map(|parameter| Field {
            name: parameter.name,
            is_input: parameter.input,
            documentation: parameter.description,
        });
        mechanism(&type_name(model), model.summary(), model.block(), fields)
            .map_err(|error| Failure::Work(format!("the block of `{}` cannot be read: {}", model.name(), error.text)))
    }

    /// `double-pendulum` as `DoublePendulum`.
    fn type_name(model: &dyn Model) -> String {
        let words = model.name().split(['-', '_']);
        words.map(|word| word[..1].to_uppercase() + &word[1..]).collect()
    }

    /// A message with the place in the source file that it points at.
    fn at(file: Option<&str>, message: &Message) -> String {
        match file {
            Some(file) => format!("{file}:{}:{}: {}", message.line, message.column, message.text),
            None => message.text.clone(),
        }
    }

    fn refused(found: &Found, place: Option<&str>, error: ExportError) -> Failure {
        Failure::Usage(match error {
            ExportError::Mistakes(messages) => {
                let texts: Vec<String> = messages.iter().map(|message| at(place, message)).collect();
                format!("`{}` has mistakes:\n{}", found.name, texts.join("\n"))
            }
            ExportError::OwnFunctions(names) => format!(
                "`{}` calls functions that only Rust has, by `extern`: {}; state them in the block, or as tables, to export it",
                found.name,
                names.join(", ")
            ),
        })
    }

    /// Writes the files, none of them unless all may be written.
    fn write(arguments: &Arguments, exported: &Export) -> Result<(), Failure> {
        let directory = &arguments.output;
        std::fs::create_dir_all(directory)
            .map_err(|error| Failure::output(&format!("the directory `{}`", directory.display()), &error))?;
        let path = |name: &str| directory.join(name);
        for file in &exported.files {
            output::may_create(&path(&file.name), arguments.force)?;
        }
        let mut text = String::new();
        for file in &exported.files {
            output::new_file(&path(&file.name), file.text.as_bytes(), arguments.force)?;
            text.push_str(&format!("{}\n", path(&file.name).display()));
        }
        for missing in &exported.missing {
            text.push_str(&format!("not exported: {missing}\n"));
        }
        output::print(&text)
    }
}

#[cfg(all(test, not(feature = "export")))]
mod tests {
    use super::*;

    #[test]
    fn a_program_without_the_derivation_says_how_it_is_built() {
        let arguments = Arguments {
            mechanism: "pendulum".to_owned(),
            name: None,
            to: To::C,
            output: PathBuf::from("."),
            force: false,
        };
        let failure = run(&crate::Catalog::new(&[]), &arguments).expect_err("it is refused");
        assert!(failure.text().contains("--features lagrange-cli/export"), "{}", failure.text());
    }
}
