//! Functional mock-up units (FMI 3.0): the C text of a mechanism, the functions of the standard around it, and the description of its variables.

mod description;
mod independence;
mod model;
mod slope;
mod start;
mod variable;

use super::contents::Lack;
use super::{Export, ExportError, File, Found, Language, Writer, c, written};
use independence::are_independent;

use slope::Slope;
use start::Start;
use std::collections::BTreeMap;
use variable::Variables;

/// The files of C that are the same for all units.
const LIBRARY: [(&str, &str); 12] = [
    ("lagrange_absent.c", include_str!("library/fmu/lagrange_absent.c")),
    ("lagrange_advance.c", include_str!("library/fmu/lagrange_advance.c")),
    ("lagrange_fmi3.h", include_str!("library/fmu/lagrange_fmi3.h")),
    ("lagrange_functions.c", include_str!("library/fmu/lagrange_functions.c")),
    ("lagrange_impacts.c", include_str!("library/fmu/lagrange_impacts.c")),
    ("lagrange_modes.c", include_str!("library/fmu/lagrange_modes.c")),
    ("lagrange_rows.c", include_str!("library/fmu/lagrange_rows.c")),
    ("lagrange_rows.h", include_str!("library/fmu/lagrange_rows.h")),
    ("lagrange_search.c", include_str!("library/fmu/lagrange_search.c")),
    ("lagrange_solve.c", include_str!("library/fmu/lagrange_solve.c")),
    ("lagrange_unit.c", include_str!("library/fmu/lagrange_unit.c")),
    ("lagrange_unit.h", include_str!("library/fmu/lagrange_unit.h")),
];

/// Why a mechanism has no functional mock-up unit.
#[derive(Clone, Debug)]
pub enum UnitError {
    /// It has no export at all.
    Export(ExportError),
    /// The unit would move otherwise than the mechanism: what is not exported, in sentences.
    Incomplete(Vec<String>),
    /// Start values of names that nothing has, values that are not finite, or parameters without a value, in a sentence.
    Starts(String),
}

impl From<ExportError> for UnitError {
    fn from(error: ExportError) -> Self {
        Self::Export(error)
    }
}

/// Derives the equations of a block on a struct, and writes the files of a functional mock-up unit of FMI 3.0 for model exchange and
/// co-simulation. Their names are the places in the archive; a compiled library is not among them.
///
/// `starts` has the values at which the importing tool finds parameters, inputs, coordinates (`theta`), velocities (`theta_dot`) and states. A
/// parameter without one is a mistake; the others are then 0.
///
/// # Errors
/// As [`export`](super::export()); [`UnitError::Incomplete`] for what the unit would compute otherwise; [`UnitError::Starts`].
pub fn fmu(found: &Found, starts: &BTreeMap<String, f64>) -> Result<Export, UnitError> {
    written(found, Language::C, slope::append, |writer, slopes| {
        // The unit changes modes and finds phases, which the text leaves to its reader, and has no powers.
        let missing = writer.contents.missing.iter().filter(|missing| missing.lack == Lack::Other);
        let missing: Vec<String> = missing.map(|missing| missing.text.clone()).collect();
        if !missing.is_empty() {
            return Err(UnitError::Incomplete(missing));
        }
        let start = Start::new(&writer.derivation.model, starts).map_err(UnitError::Starts)?;
        Ok(files(writer, &start, &slopes))
    })
}

fn files(writer: &Writer<'_>, start: &Start, slopes: &[Slope]) -> Vec<File> {
    let variables = Variables::new(writer, start);
    let mut sources = c::files(writer);
    let fixed = LIBRARY.map(|(name, text)| File { name: name.to_owned(), text: text.to_owned() });
    sources.extend(fixed);
    let token = token(&sources, &variables);
    let has_derivatives = description::has_jacobian(writer) && are_independent(writer.derivation, start);
    sources.extend(model::files(writer, &variables, start, slopes, (&token, has_derivatives)));
    let stem = &writer.names.stem;
    let compiled: Vec<&str> = sources.iter().map(|file| &file.name[..]).filter(|name| name.ends_with(".c")).collect();
    let mut files = vec![
        File {
            name: "modelDescription.xml".to_owned(),
            text: description::description(writer, &variables, (&token, has_derivatives)),
        },
        File { name: "sources/buildDescription.xml".to_owned(), text: description::build(stem, &compiled) },
    ];
    files.extend(sources.into_iter().map(|file| File { name: format!("sources/{}", file.name), text: file.text }));
    files
}

/// A token that tells this unit from others: two sums of 64 bits over everything that it is made of (Fowler, Noll, Vo: FNV-1a).
fn token(sources: &[File], variables: &Variables) -> String {
    let starts =
        variables.all.iter().map(|variable| format!("{} {:?};", variable.name, variable.start)).collect::<String>();
    let texts = sources.iter().map(|file| &file.text[..]).chain([&starts[..]]);
    let bytes: Vec<u8> = texts.flat_map(str::bytes).collect();
    let sum = |seed: u64| bytes.iter().fold(seed, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3));
    format!("{{{:016x}-{:016x}}}", sum(0xcbf2_9ce4_8422_2325), sum(0x6c62_272e_07bb_0142))
}
