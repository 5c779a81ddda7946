//! `lagrange list`.

use super::{Failure, output};
use crate::catalog::{Catalog, Model, Parameter};
use crate::report::number;
use lagrange_runtime::error::Number;

use std::fmt::Write;

pub(super) fn run(catalog: &Catalog) -> Result<(), Failure> {
    let entries: Vec<String> = catalog.models().iter().map(|model| entry(*model)).collect();
    output::print(&entries.join("\n"))
}

fn entry(model: &dyn Model) -> String {
    let list = |input: bool| -> String {
        let parameters = model.parameters();
        let texts: Vec<String> = parameters
            .iter()
            .filter(|parameter| parameter.input == input)
            .map(|Parameter { name, default, description, .. }| {
                let meaning = if description.is_empty() { String::new() } else { format!(": {description}") };
                format!("{name} = {}{meaning}", Number(*default))
            })
            .collect();
        texts.join(&format!("\n  {:<11}", ""))
    };
    let mut text = format!("{}\n  {}\n", model.name(), model.summary());
    let initial = model.initial();
    let state = |(name, z): (&&str, &f64)| format!("{name} = {}", number::text(*z, 7));
    let coordinates: Vec<String> = model
        .coordinates()
        .iter()
        .zip(initial.0.iter().zip(&initial.1))
        .map(|(name, (q, v))| format!("{name} = {}, {name}_dot = {}", number::text(*q, 7), number::text(*v, 7)))
        .chain(model.states().iter().zip(&initial.1[initial.0.len()..]).map(state))
        .collect();
    for (title, value) in [("initial", coordinates.join(", ")), ("parameters", list(false)), ("inputs", list(true))] {
        if !value.is_empty() {
            _ = writeln!(text, "  {title:<11}{value}");
        }
    }
    if !model.source().is_empty() {
        _ = writeln!(text, "  {:<11}{}", "source", model.source());
    }
    text
}
