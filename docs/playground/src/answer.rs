//! What the playground shows of a source: mistakes with their places, or equations, facts and the exported program.

use crate::brackets::unmatched;
use crate::equations;
use lagrange_symbolic::export::{About, Export, ExportError, Found, Language, Message, Named, export, mechanisms};
use serde_json::{Value, json};

/// The answer to a Rust source file: the mistakes in its first mechanism, or what is derived of it.
pub fn answer(source: &str) -> Value {
    let found = match mechanisms(source) {
        Ok(found) => found.into_iter().next(),
        Err(error) => return refused(&[unparsed(source, &error)]),
    };
    let answer = match found {
        Some(found) => of_mechanism(&found),
        None => {
            refused(&[message("there is no struct with the attribute `#[lagrangian { … }]`", [1, 1], [1, 2], None)])
        }
    };
    // The places of all tokens since the last call are kept by the library of tokens until they are dropped here.
    #[cfg(target_arch = "wasm32")]
    proc_macro2::extra::invalidate_current_thread_spans();
    answer
}

/// The message about a source that is not Rust: a bracket without its partner, or else the error of the Rust parser.
fn unparsed(source: &str, error: &Message) -> Value {
    match unmatched(source) {
        Some(found) => message(found.text, [found.line, found.column], [found.line, found.column + 1], None),
        None => shown(error),
    }
}

fn of_mechanism(found: &Found) -> Value {
    match export(found, Language::JavaScript) {
        Ok(export) => derived(found, export),
        Err(ExportError::Mistakes(messages)) => refused(&messages.iter().map(shown).collect::<Vec<_>>()),
        Err(ExportError::OwnFunctions(names)) => {
            let text = format!("the block calls functions that only Rust has: {}", names.join(", "));
            refused(&[message(&text, [1, 1], [1, 2], None)])
        }
    }
}

fn derived(found: &Found, export: Export) -> Value {
    let (computes, has_outputs) = (export.has_motion(), export.has("outputs"));
    let Export { about, warnings, missing, files, .. } = export;
    let mut equations = String::new();
    equations::render(&about.latex, &mut equations);
    let ranges: serde_json::Map<_, _> = about.ranges.iter().map(|(name, range)| (name.clone(), json!(range))).collect();
    json!({
        "name": found.name,
        "summary": about.summary,
        "messages": warnings.iter().map(shown).collect::<Vec<_>>(),
        "equations": equations,
        "facts": facts(&about),
        "module": files.into_iter().next().filter(|_| computes).map(|file| file.text),
        "missing": missing,
        "coordinates": about.coordinates,
        "states": about.states,
        "constraints": about.constraints,
        "outputs": if has_outputs { about.outputs } else { Vec::new() },
        "parameters": rows(&about.parameters),
        "inputs": rows(&about.inputs),
        "ranges": ranges,
        "units": { "time": about.units[0], "energy": about.units[1] },
    })
}

fn rows(list: &[Named]) -> Vec<Value> {
    list.iter().map(|row| json!({ "name": row.name, "unit": row.unit })).collect()
}

/// The facts as sentences.
fn facts(about: &About) -> Vec<String> {
    let facts = &about.facts;
    let proved = [
        (facts.autonomous, "The mechanism does not depend on time."),
        (facts.conservative, "The mechanism conserves its energy."),
        (facts.constant_mass, "The mechanism has a constant mass matrix."),
        (facts.separable, "The mechanism is separable, L = T(v) − V(q)."),
        (facts.velocity_free_acceleration, "The accelerations do not depend on velocities."),
        (facts.positive_mass, "The mass matrix is positive definite at every state."),
    ];
    let mut sentences: Vec<String> =
        proved.iter().filter(|(holds, _)| *holds).map(|(_, text)| (*text).to_owned()).collect();
    let names = about.coordinates.iter().chain(&about.states).collect::<Vec<_>>();
    let cyclic = facts.cyclic.iter().filter_map(|index| names.get(*index as usize));
    sentences.extend(cyclic.map(|name| format!("L does not depend on {name}.")));
    sentences.extend(about.invariants.iter().map(|(name, is_proved)| match is_proved {
        true => format!("{name} is conserved (proved)."),
        false => format!("{name} is conserved (checked at many states, not proved)."),
    }));
    sentences
}

fn refused(messages: &[Value]) -> Value {
    json!({ "messages": messages })
}

fn shown(found: &Message) -> Value {
    message(&found.text, [found.line, found.column], found.end, found.lint)
}

fn message(text: &str, start: [usize; 2], end: [usize; 2], lint: Option<&str>) -> Value {
    json!({ "text": text, "start": start, "end": end, "warning": lint.is_some(), "lint": lint })
}
