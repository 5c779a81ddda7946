//! JavaScript: an ES module.

use super::body::Body;
use super::contents::{Exported, Kind, Quantity, Shape};
use super::{File, Language, Writer, commented, helpers, indented, wrapped};
use crate::program::{Part, Routine};
use std::fmt::Write as _;

pub(super) fn files(writer: &Writer<'_>) -> Vec<File> {
    let usage = "Call prepare once, and then the other functions with what it returned. Vectors are arrays, matrices arrays of rows.\n";
    let mut text = format!("/*\n{}*/\n\n", commented(&indented(&writer.header(usage), 0)));
    let mut functions = String::new();
    for (index, numbers) in writer.tables() {
        let rows: String = numbers.chunks(5).map(|row| format!("    {},\n", row.join(", "))).collect();
        _ = write!(functions, "const table_{} = [\n{rows}];\n\n", index + 1);
    }
    functions.push_str(&implicit(writer));
    functions.push_str(&preparation(writer));
    for (exported, routine) in &writer.contents.evaluations {
        functions.push_str(&evaluation(writer, exported, *routine));
    }
    functions.push_str(&writer.change());
    functions.push_str(&writer.rows_in_javascript());
    if writer.has_step() {
        functions.push_str(&step(writer));
    }
    let list = |names: &[String]| names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ");
    _ = write!(
        text,
        "/** The names of the parameters. */\nexport const PARAMETERS = [{}];\n/** The names of the unknowns: coordinates, then \
         constraints. */\nexport const UNKNOWNS = [{}];\n\n",
        list(&writer.names.parameters),
        list(&writer.unknown_names())
    );
    text.push_str(&helpers::called(Language::JavaScript, &functions));
    text.push_str(functions.trim_end());
    text.push('\n');
    vec![File { name: format!("{}.mjs", writer.names.stem), text }]
}

/// The equations that iterations solve.
fn implicit(writer: &Writer<'_>) -> String {
    let mut text = String::new();
    for program in &writer.evaluations.implicits {
        let body = writer.equations(program);
        let rows: Vec<String> = body.part(Part::Slope).chunks(program.unknowns).map(array).collect();
        let index = program.index + 1;
        _ = write!(
            text,
            "function equations_{index}(w, a) {{\n{}    return [{}, {}];\n}}\n\nconst solution_{index} = (a) => \
             solve_implicit({}, {}, equations_{index}, a);\n\n",
            indented(&body.statements, 1),
            array(body.part(Part::Residual)),
            array(&rows),
            program.unknowns,
            program.is_unique
        );
    }
    text
}

fn preparation(writer: &Writer<'_>) -> String {
    let mut text = String::from("function check(parameters) {\n    for (const name of PARAMETERS) {\n");
    text.push_str(
        "        if (!Number.isFinite(parameters[name])) throw new Error(`parameter ${name} must be a finite number`);\n    }\n    \
         for (const name of Object.keys(parameters)) {\n        if (!PARAMETERS.includes(name)) {\n            throw new Error(`there is \
         no parameter ${name}; the parameters are ${PARAMETERS.join(\", \")}`);\n        }\n    }\n",
    );
    let body = writer.preparing(&writer.evaluations.checks);
    text.push_str(&indented(&body.statements, 1));
    for (fails, condition) in writer.failures(&body).iter().zip(writer.conditions()) {
        _ = writeln!(text, "    if ({fails}) throw new Error({condition:?});");
    }
    let body = writer.preparing(&writer.evaluations.preparation);
    _ = write!(
        text,
        "}}\n\n/** What depends on parameters alone, for the other functions. An Error names the condition that the parameters break. */\n\
         export function prepare(parameters) {{\n    check(parameters);\n{}    return {{\n",
        indented(&body.statements, 1)
    );
    for (name, _, expression, about) in writer.prepared(&body) {
        _ = writeln!(text, "        {name}: {expression}, // {}", about.replace('\n', " "));
    }
    text.push_str("    };\n}\n\n");
    text
}

fn signature(exported: &Exported) -> String {
    let arguments: Vec<&str> = exported.arguments.iter().map(|argument| argument.name()).collect();
    format!("{}(prepared, {})", exported.name, arguments.join(", "))
}

/// The definition of an evaluation.
fn evaluation(writer: &Writer<'_>, exported: &Exported, routine: Option<&Routine>) -> String {
    let about = wrapped(&commented(&writer.about(exported, routine)), "    ");
    let mut text = format!("/** {about} */\nexport function {} {{\n", signature(exported));
    let Some(routine) = routine else {
        _ = write!(text, "{}}}\n\n", pivoted(writer));
        return text;
    };
    let body = writer.body(routine);
    if exported.kind == Kind::AfterSolution {
        text.push_str(&solution(writer, exported, &body));
    }
    text.push_str(&indented(&body.statements, 1));
    let safe = body.part(Part::Safe).first().filter(|safe| exported.kind == Kind::Solved && *safe != "true");
    if let Some(safe) = safe {
        let has_fallback = exported.name != "acceleration_jacobian" && writer.contents.has_matrix_form;
        let other = match has_fallback {
            true => pivoted(writer),
            false => "    throw new Error(\"a pivot is not safe, and no other solution is exported\");\n".to_owned(),
        };
        _ = write!(text, "    if (!({safe})) {{\n{}    }}\n", indented(&other, 1));
    }
    let results =
        exported.results.iter().map(|quantity| format!("        {}: {},\n", quantity.name, value(quantity, &body)));
    _ = write!(text, "    return {{\n{}    }};\n}}\n\n", results.collect::<String>());
    text
}

fn array(entries: &[String]) -> String {
    format!("[{}]", entries.join(", "))
}

/// A result. Matrices are listed column by column.
pub(super) fn value(quantity: &Quantity, body: &Body) -> String {
    let values = quantity.part.map_or(&body.outputs[..], |part| body.part(part));
    match quantity.shape {
        Shape::Scalar => values.join(""),
        Shape::Vector(_) => array(values),
        Shape::Matrix(rows, columns) => {
            let row = |i: usize| array(&(0..columns).map(|j| values[i + j * rows].clone()).collect::<Vec<_>>());
            array(&(0..rows).map(row).collect::<Vec<_>>())
        }
    }
}

/// The acceleration and the multipliers that an evaluation needs; NaN where the equations are singular.
fn solution(writer: &Writer<'_>, exported: &Exported, body: &Body) -> String {
    let arguments: Vec<&str> = exported.arguments.iter().map(|argument| argument.name()).collect();
    let mut text = format!(
        "    let [a, multipliers] = [Array({}).fill(NaN), Array({}).fill(NaN)];\n    try {{\n\
         \x20       ({{ acceleration: a, multipliers }} = {}(prepared, {}));\n    }} catch {{\n\
         \x20       // The equations are singular here.\n    }}\n",
        writer.contents.n,
        writer.contents.c,
        writer.contents.acceleration.unwrap_or_default(),
        arguments.join(", ")
    );
    if !body.reads.contains("multipliers") {
        text = text
            .replace("let [a, multipliers]", "let [a]")
            .replace(&format!(", Array({}).fill(NaN)]", writer.contents.c), "]");
        text = text.replace("acceleration: a, multipliers", "acceleration: a");
    }
    text
}

/// The acceleration and the multipliers by the matrix form.
fn pivoted(writer: &Writer<'_>) -> String {
    let (n, c) = (writer.contents.n, writer.contents.c);
    let inputs = if writer.contents.u > 0 { ", u" } else { "" };
    let form = format!("    const form = equations(prepared, t, q, v{inputs});\n");
    if c == 0 {
        return format!("{form}    return {{ acceleration: solve_symmetric(form.mass_matrix, form.forcing) }};\n");
    }
    format!(
        "{form}    const rows = constraint(prepared, t, q).jacobian;
    const {{ curvature }} = constraint_hidden(prepared, t, q, v, Array({c}).fill(0));
    const matrix = [
        ...form.mass_matrix.map((row, i) => [...row, ...rows.map((gradient) => gradient[i])]),
        ...rows.map((gradient) => [...gradient, ...Array({c}).fill(0)]),
    ];
    const solved = solve_symmetric(matrix, [...form.forcing, ...curvature.map((value) => -value)]);
    return {{ acceleration: solved.slice(0, {n}), multipliers: solved.slice({n}).map((value) => -value) }};
"
    )
}

/// The classical method of Runge and Kutta.
fn step(writer: &Writer<'_>) -> String {
    let inputs = if writer.contents.u > 0 { ", u" } else { "" };
    format!(
        "/** One step h of the classical method of Runge and Kutta from the time t, with constant inputs: the new q and v. */
export function step(prepared, t, h, q, v{inputs}) {{
    let [slopes, rates] = [q.map(() => 0), v.map(() => 0)];
    const [sumQ, sumV] = [q.map(() => 0), v.map(() => 0)];
    [0, 0.5, 0.5, 1].forEach((node, stage) => {{
        const stageQ = q.map((value, i) => value + node * h * slopes[i]);
        const stageV = v.map((value, i) => value + node * h * rates[i]);
        [slopes, rates] = [stageV, acceleration(prepared, t + node * h, stageQ, stageV{inputs}).acceleration];
        const weight = stage === 0 || stage === 3 ? 1 : 2;
        slopes.forEach((slope, i) => (sumQ[i] += weight * slope));
        rates.forEach((rate, i) => (sumV[i] += weight * rate));
    }});
    return {{ q: q.map((value, i) => value + (h / 6) * sumQ[i]), v: v.map((value, i) => value + (h / 6) * sumV[i]) }};
}}

"
    )
}
