//! The examples of the playground are the mechanisms of the catalogue that pages can compute, and so are the types of the module of Python. `UPDATE_EXPECT=1` writes both
//! files anew.

#[path = "../../python/src/stubs.rs"]
mod stubs;

use lagrange_catalogue::CATALOG;
use lagrange_cli::catalog::{Model, Parameter};
use std::fmt::Write;

/// Pages do not compute these: the friction of the top needs an iteration, the bullet a constraint that is switched, the block a bound of friction at rest, and the pad an adhesion.
const REFUSED: [&str; 4] = ["tippe-top", "ballistic-pendulum", "belt-block", "sticky-pad"];

/// The lengths of the motions that the playground shows at first, in the units of the mechanisms; ten for all others.
const LENGTHS: [(&str, f64); 17] = [
    ("bimetal-thermostat", 30.0),
    ("charge-in-fields", 60.0),
    ("controlled-motor", 2.0),
    ("coupled-circuits", 0.05),
    ("double-pendulum", 20.0),
    ("driven-pendulum", 60.0),
    ("flexible-slider-crank", 0.02),
    ("heavy-top", 3.0),
    ("heavy-top-quaternion", 3.0),
    ("henon-heiles", 100.0),
    ("kepler", 40.0),
    ("lc-plate", 0.5),
    ("loudspeaker", 0.05),
    ("motor-pendulum", 0.5),
    ("outer-solar-system", 40_000.0),
    ("rlc-plate", 0.5),
    ("rolling-disc", 30.0),
];

/// The name of the struct: `double-pendulum` as `DoublePendulum`.
fn type_name(name: &str) -> String {
    name.split('-').map(|word| word[..1].to_uppercase() + &word[1..]).collect()
}

/// The fields of the struct. The elements of an array follow each other, the last one last.
fn fields(parameters: &[Parameter]) -> String {
    let mut fields: Vec<(&Parameter, &str, Vec<usize>)> = Vec::new();
    for parameter in parameters {
        let (base, indices) = parameter.name.split_once('[').unwrap_or((parameter.name, ""));
        let lengths: Vec<usize> =
            indices.split(['[', ']']).filter_map(|index| index.parse::<usize>().ok()).map(|index| index + 1).collect();
        match fields.last_mut() {
            Some((_, known, longest)) if !lengths.is_empty() && *known == base => *longest = lengths,
            _ => fields.push((parameter, base, lengths)),
        }
    }
    let mut text = String::new();
    for (parameter, base, lengths) in fields {
        let number = lengths.iter().rev().fold("f64".to_owned(), |inner, length| format!("[{inner}; {length}]"));
        let input = if parameter.input { "#[input] " } else { "" };
        let comment = if parameter.description.is_empty() { "" } else { " // " };
        _ = writeln!(text, "    {input}{base}: {number},{comment}{}", parameter.description);
    }
    text
}

fn example(model: &dyn Model) -> String {
    let (q, v) = model.initial();
    let length = LENGTHS.iter().find(|(name, _)| *name == model.name()).map_or(10.0, |(_, length)| *length);
    let block: String = model.block().trim_matches('\n').lines().map(|line| format!("    {line}\n")).collect();
    let source = format!(
        "/// {}\n#[lagrangian {{\n{block}}}]\nstruct {} {{\n{}}}\n",
        model.summary(),
        type_name(model.name()),
        fields(&model.parameters())
    );
    let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"));
    let values: Vec<String> =
        model.parameters().iter().map(|row| format!("{}: {:?}", quoted(row.name), row.default)).collect();
    format!(
        "{{\"name\": {}, \"length\": {length:?}, \"q\": {:?}, \"v\": {:?}, \"values\": {{{}}}, \"source\": {}}}",
        quoted(model.name()),
        &q[..model.coordinates().len()],
        v,
        values.join(", "),
        quoted(&source)
    )
}

#[test]
fn the_examples_are_those_of_the_catalogue() {
    let models = CATALOG.models().iter().filter(|model| !REFUSED.contains(&model.name()));
    let rows: Vec<String> = models.map(|model| example(*model)).collect();
    let text = format!("[\n{}\n]\n", rows.join(",\n"));
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/playground/examples.json");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path, &text).expect("the file can be written");
    }
    let known = std::fs::read_to_string(path).expect("the file exists");
    assert!(known == text, "the examples have changed: write them by UPDATE_EXPECT=1");
}

#[test]
fn the_types_of_the_module_of_python_are_the_mechanisms_of_the_catalogue() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../python/lagrange.pyi");
    let text = stubs::stubs(CATALOG.models());
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path, &text).expect("the file is written");
    }
    let written = std::fs::read_to_string(path).expect("the file of types is there");
    assert!(written == text, "python/lagrange.pyi is not what the catalogue says: write it anew by UPDATE_EXPECT=1");
}
