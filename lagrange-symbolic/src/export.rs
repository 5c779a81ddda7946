//! Programs as text of other languages: C99, JavaScript and Python with NumPy.
//!
//! The text is the same program that [`emit`](crate::emit) writes as Rust: it has the same operations in the same order, and the same
//! prepared values. A text needs nothing but the mathematical library of its language, and Python also needs NumPy.

mod about;
mod body;
mod c;
mod change;
mod contents;
mod expression;
mod fmu;
mod helpers;
mod javascript;
mod names;
mod parts;
mod python;
mod rows;
mod source;
mod syntax;

pub use about::{About, Named};
pub use contents::{Argument, Exported, Quantity, Shape};
pub use fmu::{UnitError, fmu};
pub use source::{Field, Found, Message, assembled, mechanism, mechanisms};

use crate::assembly;
use crate::derivation::Derivation;
use crate::expand::evaluations;
use crate::program::{Evaluations, ImplicitProgram, OperationCount, Routine};
use crate::report::Report;
use crate::syntax::Spec;
use crate::texts::{Check, Texts};
use body::{Body, Source, body};
use contents::Contents;
use names::Names;

use std::collections::HashMap;
use syntax::Syntax;

/// A language of exported texts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Language {
    /// C99: a header and a source.
    C,
    /// JavaScript: an ES module.
    JavaScript,
    /// Python with NumPy: a module.
    Python,
}

/// A file of an export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its name, without a directory.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// A mechanism in another language.
#[derive(Clone, Debug)]
pub struct Export {
    /// Its files.
    pub files: Vec<File>,
    /// The beginning of the names of all files of the mechanism. In C, names of functions and types begin with it too.
    pub stem: String,
    /// Its parameters, in the order of the struct, as the language writes them.
    pub parameters: Vec<String>,
    /// Its evaluations.
    pub evaluations: Vec<Exported>,
    /// The numbers of coordinates, of rows of constraints and of inputs.
    pub size: [usize; 3],
    /// How many operations each evaluation takes, by the name of the evaluation in Rust. What is computed from parameters alone is in `prepare`.
    pub operations: Vec<(&'static str, OperationCount)>,
    /// Whether steps of the method of Runge and Kutta are exported.
    pub has_step: bool,
    /// The mode of each change that the text can do, in the order of the conditions that `change_values` gives. None where a condition or a value
    /// cannot be exported.
    pub changes: Vec<String>,
    has_modes: bool,
    /// Sentences that name each evaluation without an export, with the reason.
    pub missing: Vec<String>,
    /// Warnings about the block.
    pub warnings: Vec<Message>,
    /// The names of its quantities, its equations and its facts.
    pub about: About,
}

impl Export {
    /// Whether the text has an evaluation.
    pub fn has(&self, name: &str) -> bool {
        self.evaluations.iter().any(|evaluation| evaluation.name == name)
    }

    /// Whether the text has all that motions need: the acceleration, or the rows of contacts and frictions; and the changes of modes where there
    /// are modes. With rows, no output may contain the acceleration, because the text computes it for frictions that slip.
    pub fn has_motion(&self) -> bool {
        let is_solved = |evaluation: &Exported| evaluation.kind == contents::Kind::AfterSolution;
        let outputs_are_right =
            !self.evaluations.iter().any(|evaluation| evaluation.name == "outputs" && is_solved(evaluation));
        let modes_are_right = !self.has_modes || !self.changes.is_empty();
        self.has("acceleration")
            || self.has("acceleration_in_mode") && modes_are_right
            || self.has("contact_rows") && outputs_are_right && modes_are_right
    }
}

/// Why a mechanism has no export.
#[derive(Clone, Debug)]
pub enum ExportError {
    /// The block or the struct has mistakes.
    Mistakes(Vec<Message>),
    /// The equations call Rust functions of the user's own, which another language does not have: their names in the block.
    OwnFunctions(Vec<String>),
}

/// Derives the equations of a mechanism, and writes them in another language.
///
/// # Errors
/// Every mistake of the first phase that finds one; or the functions that only Rust has.
pub fn export(found: &Found, language: Language) -> Result<Export, ExportError> {
    written(
        found,
        language,
        |_| (),
        |writer, ()| {
            Ok(match language {
                Language::C => c::files(writer),
                Language::JavaScript => javascript::files(writer),
                Language::Python => python::files(writer),
            })
        },
    )
}

/// The export of a block whose files `files` writes. `extend` may add outputs to those of the block.
fn written<T, E: From<ExportError>>(
    found: &Found,
    language: Language,
    extend: impl FnOnce(&mut Derivation) -> T,
    files: impl FnOnce(&Writer<'_>, T) -> Result<Vec<File>, E>,
) -> Result<Export, E> {
    let source = found.source().map_err(|missing| ExportError::Mistakes(vec![missing]))?;
    let (spec, mut derivation, evaluations, extended) =
        derived(&source, extend).map_err(|report| ExportError::Mistakes(Message::all(&report)))?;
    let own = contents::own_functions(&derivation, &evaluations);
    if !own.is_empty() {
        return Err(ExportError::OwnFunctions(own).into());
    }
    let texts = Texts::of(&spec, &mut derivation, &evaluations, &source);
    let names = Names::new(&derivation, &evaluations, language);
    let contents = Contents::new(&derivation, &evaluations, &names);
    let unknowns = evaluations.implicits.iter().map(|program| (program.index, program.unknowns)).collect();
    let writer = Writer {
        derivation: &derivation,
        evaluations: &evaluations,
        texts: &texts,
        syntax: language.syntax(),
        unknowns,
        names: &names,
        contents: &contents,
    };
    Ok(Export {
        files: files(&writer, extended)?,
        has_step: writer.has_step(),
        changes: writer.changed_modes(),
        has_modes: !derivation.model.physics.changes.is_empty(),
        operations: evaluations.counts(),
        size: [contents.n, contents.c, contents.u],
        evaluations: contents.evaluations.iter().map(|(exported, _)| exported.clone()).collect(),
        missing: contents.missing.iter().map(|missing| missing.text.clone()).collect(),
        stem: names.stem.clone(),
        parameters: names.parameters.clone(),
        warnings: Message::all(&derivation.model.warnings),
        about: About::new(&derivation, &texts),
    })
}

/// The derivation of a block, and what is evaluated of it.
fn derived<T>(
    source: &assembly::Source,
    extend: impl FnOnce(&mut Derivation) -> T,
) -> Result<(Spec, Derivation, Evaluations, T), Report> {
    let spec = assembly::spec(source)?;
    let mut derivation = crate::derivation(&spec)?;
    let extended = extend(&mut derivation);
    let evaluations = evaluations(&mut derivation)?;
    Ok((spec, derivation, evaluations, extended))
}

/// Everything that an exported text is made from.
struct Writer<'a> {
    derivation: &'a Derivation,
    evaluations: &'a Evaluations,
    texts: &'a Texts,
    syntax: &'static Syntax,
    /// The number of unknowns of each system of equations, by index.
    unknowns: HashMap<u32, usize>,
    names: &'a Names,
    contents: &'a Contents<'a>,
}

impl Writer<'_> {
    fn source(&self) -> Source<'_> {
        let builder = &self.evaluations.builder;
        let Self { syntax, names, unknowns, .. } = self;
        Source { builder, tables: builder.numbers(), syntax, names, unknowns }
    }

    /// The equations r(w, a) = 0 that an iteration solves.
    fn equations(&self, program: &ImplicitProgram) -> Body {
        let names = Names::of_equations(program.unknowns, self.syntax.language);
        body(Source { builder: &program.builder, names: &names, ..self.source() }, &program.routine, false)
    }

    /// A routine that reads prepared values.
    fn body(&self, routine: &Routine) -> Body {
        body(self.source(), routine, true)
    }

    /// A routine that computes everything from parameters.
    fn preparing(&self, routine: &Routine) -> Body {
        body(self.source(), routine, false)
    }

    /// What stands at the beginning of a file: the mechanism, what is missing, and the equations.
    fn header(&self, usage: &str) -> String {
        let model = &self.derivation.model;
        let mut text = format!("{}: {}\n\n", model.item.ident, self.texts.summary);
        if self.texts.summary.is_empty() {
            text = format!("{}\n\n", model.item.ident);
        }
        text.push_str(&format!(
            "Equations of motion, derived and written by lagrange {}. Do not edit this file: export it again.\n\n",
            env!("CARGO_PKG_VERSION")
        ));
        text.push_str(usage);
        let of = |title: &str, names: &[String]| {
            if names.is_empty() { String::new() } else { format!("{title}: {}.\n", names.join(", ")) }
        };
        let names = |list: &[crate::meaning::Named]| list.iter().map(|named| named.name.clone()).collect::<Vec<_>>();
        let mechanical = model.mechanical();
        let coordinates = names(&model.coordinates);
        text.push_str(&of("\nq, v and the acceleration, in this order", &coordinates[..mechanical]));
        text.push_str(&of(
            "States, which stand behind the coordinates: v has the state, the acceleration its rate, and q is not used",
            &coordinates[mechanical..],
        ));
        text.push_str(&of("Inputs u", &names(&model.inputs)));
        let rows: Vec<String> = model.physics.rows().map(|row| row.name.clone()).collect();
        text.push_str(&of("Multipliers", &rows));
        if !self.contents.missing.is_empty() {
            text.push_str("\nNot exported:\n");
            for missing in &self.contents.missing {
                text.push_str(&format!("- {}\n", missing.text));
            }
        }
        text.push_str(&format!("\nThe derived equations:\n\n{}\n", self.texts.equations));
        text
    }

    /// The conditions that `prepare` checks, as sentences: first the assumptions of the block, then the conditions that proofs used.
    fn conditions(&self) -> Vec<String> {
        let condition = |check: &Check| match check {
            Check::Assumption(text) => format!("the block assumes {text}"),
            Check::Positive { expression, strictly: true } => format!("{expression} must be positive"),
            Check::Positive { expression, strictly: false } => format!("{expression} must not be negative"),
        };
        self.texts.checks.iter().map(condition).collect()
    }

    /// For each condition an expression that is true where it fails, NaN included.
    fn failures(&self, body: &Body) -> Vec<String> {
        let fails = |(check, value): (&Check, &String)| {
            let sign = if matches!(check, Check::Positive { strictly: false, .. }) { ">=" } else { ">" };
            format!("{}(({value}) {sign} 0)", self.syntax.not)
        };
        self.texts.checks.iter().zip(&body.outputs).map(fails).collect()
    }

    /// The names and the expressions of prepared values.
    fn prepared<'b>(
        &'b self,
        body: &'b Body,
    ) -> impl Iterator<Item = (&'b str, crate::program::Value, &'b str, &'b str)> {
        let values = self.evaluations.hoisted.iter().zip(&body.outputs).zip(&self.texts.hoisted);
        values.filter_map(|((&value, expression), about)| {
            Some((self.names.prepared(value)?, value, &expression[..], about.trim_matches('`')))
        })
    }

    /// The names of the unknowns: coordinates, then constraints.
    fn unknown_names(&self) -> Vec<String> {
        let model = &self.derivation.model;
        let coordinates = model.coordinates.iter().map(|named| named.name.clone());
        coordinates.chain(model.physics.rows().map(|row| format!("constraint {}", row.name))).collect()
    }

    /// The tables of numbers: their index, and the numbers row by row.
    fn tables(&self) -> Vec<(u32, Vec<String>)> {
        crate::program::used_tables(self.evaluations)
            .into_iter()
            .map(|index| {
                let rows = &self.evaluations.builder.numbers()[index as usize].rows;
                (index, rows.iter().flatten().map(|number| self.syntax.constant(number)).collect())
            })
            .collect()
    }

    /// The comment on an evaluation: the sentence about it, and its count of operations.
    fn about(&self, exported: &Exported, routine: Option<&Routine>) -> String {
        match routine {
            Some(routine) => format!("{} Operations: {}.", exported.about, routine.count()),
            None => format!("{} The equations are solved by pivoting.", exported.about),
        }
    }

    /// Whether steps of the method of Runge and Kutta are exported: without constraints, which they would leave, and without contacts.
    fn has_step(&self) -> bool {
        self.contents.acceleration == Some("acceleration") && self.contents.c == 0
    }
}

/// A text in lines of about 120 characters, each behind a margin but the first.
fn wrapped(text: &str, margin: &str) -> String {
    let (mut lines, mut length) = (String::new(), 0);
    for word in text.split(' ') {
        let width = word.chars().count() + 1;
        if length > 0 && length + width > 120 {
            lines.push('\n');
            lines.push_str(margin);
            length = 0;
        } else if length > 0 {
            lines.push(' ');
        }
        lines.push_str(word);
        length += width;
    }
    lines
}

/// Moves lines to the right by so many levels.
fn indented(text: &str, levels: usize) -> String {
    let margin = "    ".repeat(levels);
    text.lines().map(|line| if line.is_empty() { "\n".to_owned() } else { format!("{margin}{line}\n") }).collect()
}

/// Text in a comment between marks of a language: its end must not stand in it.
fn commented(text: &str) -> String {
    text.replace("*/", "* /")
}
