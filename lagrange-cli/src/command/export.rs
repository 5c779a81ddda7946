//! `lagrange export`: a mechanism as a text of another language, or as a functional mock-up unit.

#[cfg(feature = "export")]
mod archive;
#[cfg(feature = "export")]
mod unit;

use crate::parse;
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
    /// A functional mock-up unit of FMI 3.0, for model exchange and co-simulation
    Fmu,
}

/// Write a mechanism as C, JavaScript or Python, or as a functional mock-up unit
///
/// The text has the acceleration with the multipliers, the mass matrix, the forcing, energies, powers, outputs, constraints, switches
/// and derivatives, with the names of the block, and its equations as a comment. A functional mock-up unit has these quantities as its
/// variables, and a method that controls its own steps. A C compiler makes the unit's library: `cc`, or the compiler that the variable CC names.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  lagrange export double-pendulum --to c
  lagrange export src/main.rs Pendulum --to python --output exported
  lagrange export src/main.rs Pendulum --to fmu --start m=1 --start l=0.5 --start g=9.81 --start theta=60deg")]
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
    /// The value of a parameter, an input, a coordinate, a velocity (`x_dot`) or a state with which a functional mock-up unit starts; may be
    /// repeated
    ///
    /// A mechanism of the catalogue has values for all. In a source file parameters have none; the others are 0 there.
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse::assignment, allow_hyphen_values = true)]
    start: Vec<(String, f64)>,
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
        Export, ExportError, Field, Found, Language, Message, UnitError, assembled, export, fmu, mechanism, mechanisms,
    };
    use lagrange_symbolic::program::OperationCount;
    use std::collections::BTreeMap;
    use std::path::Path;

    pub(in crate::command) fn run(catalog: &Catalog, arguments: &Arguments) -> Result<(), Failure> {
        let mut starts = BTreeMap::new();
        let (found, place) = match Path::new(&arguments.mechanism).extension() {
            Some(extension) if extension == "rs" => (of_file(arguments)?, Some(&arguments.mechanism[..])),
            _ => {
                let model = of_catalog(catalog, arguments)?;
                starts = starts_of(model);
                (of_model(model)?, None)
            }
        };
        let language = match arguments.to {
            To::C => Language::C,
            To::Js => Language::JavaScript,
            To::Python => Language::Python,
            To::Fmu => {
                starts.extend(arguments.start.iter().cloned());
                let exported = fmu(&found, &starts).map_err(|error| no_unit(&found, place, error))?;
                warn(place, &exported);
                return write_unit(arguments, &exported);
            }
        };
        if let Some((name, _)) = arguments.start.first() {
            return Err(Failure::Usage(format!(
                "`--start {name}` gives a start value to a functional mock-up unit; a text has no start values"
            )));
        }
        let exported = export(&found, language).map_err(|error| refused(&found, place, error))?;
        warn(place, &exported);
        write(arguments, &exported)
    }

    fn warn(place: Option<&str>, exported: &Export) {
        for warning in &exported.warnings {
            eprintln!("warning: {}", at(place, warning));
        }
    }

    /// The values of a catalogue's mechanism by their names.
    fn starts_of(model: &dyn Model) -> BTreeMap<String, f64> {
        let parameters = model.parameters().into_iter().map(|parameter| (parameter.name.to_owned(), parameter.default));
        let (q, v) = model.initial();
        let coordinates = model.coordinates().iter().map(|name| (*name).to_owned()).zip(q);
        let velocities = model.components().velocities().zip(v);
        parameters.chain(coordinates).chain(velocities).collect()
    }

    /// The struct of a source file.
    fn of_file(arguments: &Arguments) -> Result<Found, Failure> {
        let file = &arguments.mechanism;
        let source = std::fs::read_to_string(file)
            .map_err(|error| Failure::Usage(format!("cannot read the source file `{file}`: {error}")))?;
        let found = mechanisms(&source)
            .map_err(|error| Failure::Usage(format!("this is no Rust source: {}", at(Some(file), &error))))?;
        let names: Vec<String> =
            found.iter().filter(|found| !found.is_open()).map(|found| found.name.clone()).collect();
        let Some(wanted) = &arguments.name else {
            let whole: Vec<Found> = found.into_iter().filter(|found| !found.is_open()).collect();
            return match <[Found; 1]>::try_from(whole) {
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
        Ok(export(&found, language))
    }

    /// A mechanism of the catalogue, by its name.
    fn of_catalog(catalog: &Catalog, arguments: &Arguments) -> Result<&'static dyn Model, Failure> {
        if let Some(name) = &arguments.name {
            return Err(Failure::Usage(format!("`{name}` names a struct, which only a source file has")));
        }
        Ok(catalog.find(&arguments.mechanism)?)
    }

    /// The operations of each evaluation of a mechanism, as a table in text.
    ///
    /// # Errors
    /// [`Failure`] of a block that cannot be read, or whose equations call functions that only Rust has.
    pub(in crate::command) fn operations(model: &dyn Model) -> Result<String, Failure> {
        let found = of_model(model)?;
        let exported = export(&found, Language::C).map_err(|error| refused(&found, None, error))?;
        let row = |(name, count): &(&str, OperationCount)| format!("  {name:<22}{:>6}   {count}\n", count.total());
        let rows: String = exported.operations.iter().filter(|(_, count)| count.total() > 0).map(row).collect();
        Ok(format!("Operations of each evaluation; `prepare` computes once what depends on parameters alone:\n{rows}"))
    }

    /// A mechanism of a catalogue, from its block and the names of its parameters.
    fn of_model(model: &dyn Model) -> Result<Found, Failure> {
        let unread =
            |error: Message| Failure::Work(format!("the block of `{}` cannot be read: {}", model.name(), error.text));
        if !model.whole().is_empty() {
            return assembled(model.whole()).map_err(unread);
        }
        let fields = model.parameters().into_iter().map(|parameter| Field {
            name: parameter.name,
            is_input: parameter.input,
            documentation: parameter.description,
            range: model.ranges().iter().find(|(name, _)| *name == parameter.name).map(|(_, range)| *range),
        });
        mechanism(&type_name(model), model.summary(), model.block(), fields).map_err(unread)
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

    fn no_unit(found: &Found, place: Option<&str>, error: UnitError) -> Failure {
        Failure::Usage(match error {
            UnitError::Export(error) => return refused(found, place, error),
            UnitError::Incomplete(missing) => format!(
                "a functional mock-up unit of `{}` would not move as it does; not exported are:\n- {}",
                found.name,
                missing.join("\n- ")
            ),
            UnitError::Starts(text) => {
                format!("{text}; `--start NAME=VALUE` gives a start value to a functional mock-up unit")
            }
        })
    }

    /// Writes the archive of a unit.
    fn write_unit(arguments: &Arguments, exported: &Export) -> Result<(), Failure> {
        let path = directory(arguments)?.join(format!("{}.fmu", exported.stem));
        output::may_create(&path, arguments.force)?;
        let (bytes, about) = super::unit::unit(exported)?;
        output::new_file(&path, &bytes, arguments.force)?;
        output::print(&format!("{}: {about}\n", path.display()))
    }

    /// The directory of the files, which is made if it does not exist.
    fn directory(arguments: &Arguments) -> Result<&Path, Failure> {
        let directory = &arguments.output;
        std::fs::create_dir_all(directory)
            .map_err(|error| Failure::output(&format!("the directory `{}`", directory.display()), &error))?;
        Ok(directory)
    }

    /// Writes the files, none of them unless all may be written.
    fn write(arguments: &Arguments, exported: &Export) -> Result<(), Failure> {
        let directory = directory(arguments)?;
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
            start: Vec::new(),
        };
        let failure = run(&crate::Catalog::new(&[]), &arguments).expect_err("it is refused");
        assert!(failure.text().contains("--features lagrange-cli/export"), "{}", failure.text());
    }
}
