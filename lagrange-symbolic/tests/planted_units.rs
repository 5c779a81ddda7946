//! Units on the mechanisms of `models`: none has a false alarm, and every planted mistake is found.
//!
//! A mistake is one factor of one term that is another: a parameter that is squared, a parameter in the place of another one, an exponent
//! that is one too large. Every fourth of the changes of all blocks that change the dimension
//! of a term is tried. The check must underline one stretch, which contains it.

use lagrange_symbolic::meaning::elaborate;
use lagrange_symbolic::parse::parse;
use lagrange_symbolic::report::Report;
use lagrange_symbolic::syntax::{Binary, Expr, ExprKind, Spec, StatementKind};
use lagrange_symbolic::units::check;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;

/// The sources of the mechanisms.
fn sources() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/src");
    let files = std::fs::read_dir(folder).expect("the mechanisms are there");
    let read = |path: &Path| std::fs::read_to_string(path).expect("the file can be read");
    let mut sources: Vec<(String, String)> = files
        .map(|file| file.expect("the folder can be read").path())
        .filter(|path| read(path).contains("#[lagrangian {"))
        .map(|path| (path.file_name().expect("it is a file").to_string_lossy().into_owned(), read(&path)))
        .collect();
    sources.sort();
    sources
}

/// The blocks with their structs in a file.
fn blocks(source: &str) -> Vec<(TokenStream, TokenStream)> {
    let tokens: Vec<TokenTree> = source.parse::<TokenStream>().expect("the file is Rust").into_iter().collect();
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let TokenTree::Group(attribute) = token else { continue };
        let inside: Vec<TokenTree> = attribute.stream().into_iter().collect();
        let [TokenTree::Ident(name), TokenTree::Group(block)] = inside.as_slice() else { continue };
        if name != "lagrangian" {
            continue;
        }
        let is_end = |token: &TokenTree| matches!(token, TokenTree::Group(g) if g.delimiter() == Delimiter::Brace);
        let length = tokens[at + 1..].iter().position(is_end).expect("a struct follows") + 1;
        found.push((block.stream(), tokens[at + 1..][..length].iter().cloned().collect()));
    }
    found
}

fn spec((block, item): (TokenStream, TokenStream)) -> Result<Spec, Report> {
    parse(block, item)
}

/// The mistakes in the units of a block, or else in what comes before them.
fn report(spec: &Spec) -> Report {
    elaborate(spec).and_then(|model| check(spec, &model)).err().unwrap_or_default()
}

#[test]
fn no_mechanism_has_a_false_alarm_and_each_has_units() {
    let mut count = 0;
    for (file, source) in sources() {
        for block in blocks(&source) {
            let spec = spec(block).unwrap_or_else(|_| panic!("{file} is read"));
            let name = &spec.item.item.ident;
            let texts: Vec<String> = report(&spec).entries().iter().map(|(mistake, _)| mistake.text()).collect();
            assert!(texts.is_empty(), "{name}: {texts:?}");
            let model = elaborate(&spec).unwrap_or_else(|_| panic!("{name} has a meaning"));
            let units = check(&spec, &model).unwrap_or_default();
            for number in model.parameters.iter().chain(&model.inputs).chain(&model.coordinates) {
                assert!(!units.of(&number.name).is_empty(), "{name}: `{}` has no unit", number.name);
            }
            for output in &model.physics.outputs {
                assert!(!units.of(&output.name).is_empty(), "{name}: output `{}` has no unit", output.name);
            }
            count += 1;
        }
    }
    assert!(count >= 36, "{count}");
}

/// A planted mistake: what stands in the place of a stretch of the source.
struct Planted {
    place: Range<usize>,
    text: String,
}

/// The units of the fields that have a dimension, by name.
fn fields(spec: &Spec) -> BTreeMap<String, String> {
    let has_dimension = |unit: &str| !matches!(unit, "1" | "rad");
    let fields = spec.item.fields.iter().filter(|field| field.lengths.is_empty());
    let fields = fields.filter_map(|field| Some((field.ident.to_string(), field.unit.as_ref()?.text.clone())));
    fields.filter(|(_, unit)| has_dimension(unit)).collect()
}

/// The expressions of a block whose units are determined by something else than themselves. The gap of a contact has any unit.
fn checked_expressions(spec: &Spec) -> Vec<&Expr> {
    let of = |kind| match kind {
        &StatementKind::Let { ref value, ref unit, .. }
        | &StatementKind::Output { ref value, ref unit, .. }
        | &StatementKind::Invariant { ref value, ref unit, .. } => unit.as_ref().map(|_| value).into_iter().collect(),
        StatementKind::Energy { value, .. } => vec![value],
        StatementKind::Force { right, .. }
        | StatementKind::Verify { right, .. }
        | StatementKind::State { right, .. } => {
            vec![right]
        }
        StatementKind::Friction { bound, .. } => vec![bound],
        StatementKind::Constraint { left, right, .. } => vec![left, right],
        _ => Vec::new(),
    };
    spec.statements.iter().flat_map(|statement| of(&statement.kind)).collect()
}

/// Every change of one factor that changes a dimension.
fn planted(spec: &Spec, source: &str) -> Vec<Planted> {
    let fields = fields(spec);
    let has_time = !source.contains("units time = 1");
    let mut all = Vec::new();
    // The bases of powers change by their exponents alone.
    let mut bases: BTreeSet<usize> = BTreeSet::new();
    let mut open = checked_expressions(spec);
    while let Some(expr) = open.pop() {
        let place = expr.place.first.byte_range().start..expr.place.last.byte_range().end;
        match &expr.kind {
            ExprKind::Binary(Binary::Power, base, exponent) => {
                let changes = match &base.kind {
                    ExprKind::Name(name) => fields.contains_key(&name.to_string()),
                    ExprKind::Call { function, .. } => function == "dot" && has_time,
                    _ => false,
                };
                let end = exponent.place.first.byte_range();
                if let (true, Ok(power)) = (changes, source[end.clone()].parse::<u32>()) {
                    all.push(Planted { place: end, text: (power + 1).to_string() });
                }
                bases.insert(base.place.first.byte_range().start);
                open.push(base);
            }
            ExprKind::Name(name) => {
                let Some(unit) = fields.get(&name.to_string()) else { continue };
                if !bases.contains(&place.start) {
                    all.push(Planted { place: place.clone(), text: format!("{name}^2") });
                }
                if let Some((other, _)) = fields.iter().find(|(_, known)| *known != unit) {
                    all.push(Planted { place, text: other.clone() });
                }
            }
            ExprKind::Number(_) => {}
            ExprKind::Call { arguments, .. } => open.extend(arguments),
            ExprKind::Vector(elements) => open.extend(elements),
            ExprKind::Index { of, .. } => open.push(of),
            ExprKind::Unary(_, operand) => open.push(operand),
            ExprKind::Binary(_, left, right) => open.extend([left, right].map(|side| &**side)),
            ExprKind::If { then, otherwise, .. } => open.extend([then, otherwise].map(|side| &**side)),
            ExprKind::Integral { integrand: inner, .. } | ExprKind::Sum { term: inner, .. } => open.push(inner),
        }
    }
    all
}

/// Every how many planted mistakes one is tried. The test takes a minute with 1.
const EVERY: usize = 4;

#[test]
fn planted_mistakes_are_underlined() {
    let (mut found, mut missed, mut number) = (0, Vec::new(), 0_usize);
    for (file, source) in sources() {
        for index in 0..blocks(&source).len() {
            let original = spec(blocks(&source).swap_remove(index)).unwrap_or_else(|_| panic!("{file} is read"));
            for Planted { place, text } in planted(&original, &source) {
                number += 1;
                if !number.is_multiple_of(EVERY) {
                    continue;
                }
                let changed = [&source[..place.start], &text, &source[place.end..]].concat();
                let spec = spec(blocks(&changed).swap_remove(index)).unwrap_or_else(|_| panic!("{file} is read"));
                let report = report(&spec);
                let contains = report.entries().iter().any(|(mistake, underlined)| {
                    let (first, last) = (underlined.first.byte_range(), underlined.last.byte_range());
                    let is_unit = ["UnitMismatch", "UnitsDiffer"].contains(&mistake.row());
                    is_unit && first.start <= place.start && place.start + text.len() <= last.end
                });
                if contains && report.entries().len() == 1 {
                    found += 1;
                    continue;
                }
                let line = changed[..place.start].matches('\n').count() + 1;
                let told: Vec<String> = report
                    .entries()
                    .iter()
                    .map(|(mistake, place)| {
                        let place = place.first.byte_range().start..place.last.byte_range().end;
                        format!("{} «{}» {}", mistake.row(), &changed[place], mistake.message())
                    })
                    .collect();
                let shown = changed.lines().nth(line - 1).unwrap_or_default().trim();
                missed.push(format!(
                    "{file}:{line} `{}` as `{text}`: {shown}\n    {}",
                    &source[place],
                    told.join("\n    ")
                ));
            }
        }
    }
    assert!(missed.is_empty(), "{found} found, {} missed:\n{}", missed.len(), missed.join("\n"));
    assert!(found >= 200, "{found}");
}
