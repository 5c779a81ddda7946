//! Python: a module that needs NumPy only.

use super::body::Body;
use super::contents::{Argument, Exported, Kind, Quantity, Shape};
use super::javascript::value;
use super::{File, Language, Writer, helpers, indented, wrapped};
use crate::program::{Part, Routine};
use std::fmt::Write as _;

pub(super) fn files(writer: &Writer<'_>) -> Vec<File> {
    let stem = &writer.names.stem;
    let rhs =
        if writer.has_rhs() { "rhs(t, y, prepared) with y = [*q, *v] is for scipy.integrate.solve_ivp.\n" } else { "" };
    let usage = format!(
        "import {stem}; prepared = {stem}.prepare(...), and then the other functions with it. One state at a time.\n{rhs}"
    );
    let mut text = writer.syntax.comment(&writer.header(&usage));
    text.push_str("from collections import namedtuple\nfrom types import SimpleNamespace\n\nimport numpy as np\n\n");
    let mut functions = String::new();
    for (index, numbers) in writer.tables() {
        let rows: String = numbers.chunks(5).map(|row| format!("    {},\n", row.join(", "))).collect();
        _ = write!(functions, "table_{} = [\n{rows}]\n\n\n", index + 1);
    }
    functions.push_str(&implicit(writer));
    functions.push_str(&preparation(writer));
    for (exported, routine) in &writer.contents.evaluations {
        functions.push_str(&evaluation(writer, exported, *routine));
    }
    functions.push_str(&writer.change());
    functions.push_str(&steps(writer));
    let list = |names: &[String]| names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ");
    _ = write!(
        text,
        "# The names of the parameters.\nPARAMETERS = [{}]\n# The names of the unknowns: coordinates, then constraints.\nUNKNOWNS = [{}]\n\
         EPSILON = float(np.finfo(float).eps)\n# Values that are not finite are results, not warnings.\n\
         ieee = np.errstate(all=\"ignore\")\n\n\n",
        list(&writer.names.parameters),
        list(&writer.unknown_names())
    );
    text.push_str(&helpers::called(Language::Python, &functions));
    text.push_str(functions.trim_end());
    text.push('\n');
    vec![File { name: format!("{stem}.py"), text }]
}

impl Writer<'_> {
    /// Whether the right-hand side of a system of first order is exported.
    fn has_rhs(&self) -> bool {
        self.contents.acceleration == Some("acceleration")
    }
}

/// The equations that iterations solve.
fn implicit(writer: &Writer<'_>) -> String {
    let mut text = String::new();
    for program in &writer.evaluations.implicits {
        let body = writer.equations(program);
        let rows: Vec<String> =
            body.part(Part::Slope).chunks(program.unknowns).map(|row| format!("[{}]", row.join(", "))).collect();
        let index = program.index + 1;
        _ = write!(
            text,
            "def equations_{index}(w, a):\n{}    return [{}], [{}]\n\n\ndef solution_{index}(a):\n    return solve_implicit({}, {}, \
             equations_{index}, a)\n\n\n",
            indented(&body.statements, 1),
            body.part(Part::Residual).join(", "),
            rows.join(", "),
            program.unknowns,
            writer.syntax.truths[usize::from(program.is_unique)]
        );
    }
    text
}

fn preparation(writer: &Writer<'_>) -> String {
    let mut text = String::from("@ieee\ndef prepare(**parameters):\n");
    let listed = writer.derivation.model.parameters.iter().zip(&writer.names.parameters);
    let listed: String = listed
        .map(|(field, name)| {
            let about = writer.derivation.units.described(field);
            if about.is_empty() { format!("    {name}\n") } else { format!("    {name}: {about}\n") }
        })
        .collect();
    let docstring = format!(
        "What depends on parameters alone, for the other functions. A ValueError names the condition that the parameters break.\n\n\
         {}",
        listed.replace('\\', "/").replace("\"\"\"", "'''")
    );
    _ = write!(text, "{}", indented(&format!("\"\"\"{}\n\"\"\"\n", docstring.trim_end()), 1));
    text.push_str(
        "    for name in parameters:
        if name not in PARAMETERS:
            raise TypeError(f\"there is no parameter {name}; the parameters are {', '.join(PARAMETERS)}\")
    for name in PARAMETERS:
        if name not in parameters:
            raise TypeError(f\"parameter {name} is missing\")
        parameters[name] = np.float64(parameters[name])
        if not np.isfinite(parameters[name]):
            raise ValueError(f\"parameter {name} must be finite\")
    check(parameters)
",
    );
    let body = writer.preparing(&writer.evaluations.preparation);
    text.push_str(&indented(&body.statements, 1));
    text.push_str("    return SimpleNamespace(\n");
    for (name, _, expression, about) in writer.prepared(&body) {
        _ = writeln!(text, "        {name}={expression},  # {}", about.replace('\n', " "));
    }
    text.push_str("    )\n\n\ndef check(parameters):\n");
    let body = writer.preparing(&writer.evaluations.checks);
    text.push_str(&indented(&body.statements, 1));
    for (fails, condition) in writer.failures(&body).iter().zip(writer.conditions()) {
        _ = write!(text, "    if {fails}:\n        raise ValueError({condition:?})\n");
    }
    text.push_str("    return None\n\n\n");
    text
}

/// `energies` as `Energies`.
fn class(name: &str) -> String {
    let parts = name.split('_').map(|part| part[..1].to_uppercase() + &part[1..]);
    parts.collect::<String>() + "Result"
}

/// The definition of an evaluation.
fn evaluation(writer: &Writer<'_>, exported: &Exported, routine: Option<&Routine>) -> String {
    let class = class(exported.name);
    let fields: Vec<String> = exported.results.iter().map(|quantity| format!("{:?}", quantity.name)).collect();
    let arguments: Vec<&str> = exported.arguments.iter().map(|argument| argument.name()).collect();
    let mut text = format!(
        "{class} = namedtuple(\"{class}\", [{}])\n\n\n@ieee\ndef {}(prepared, {}):\n    \"\"\"{}\"\"\"\n",
        fields.join(", "),
        exported.name,
        arguments.join(", "),
        wrapped(&writer.about(exported, routine).replace('\\', "/").replace("\"\"\"", "'''"), "    ")
    );
    for argument in &exported.arguments {
        _ = match argument {
            Argument::Time => writeln!(text, "    t = np.float64(t)"),
            other => writeln!(text, "    {0} = np.asarray({0}, dtype=float)", other.name()),
        };
    }
    let Some(routine) = routine else {
        _ = write!(text, "{}\n\n", pivoted(writer, &class));
        return text;
    };
    let body = writer.body(routine);
    if exported.kind == Kind::AfterSolution {
        text.push_str(&solution(writer, &arguments));
    }
    text.push_str(&indented(&body.statements, 1));
    let safe = body.part(Part::Safe).first().filter(|safe| exported.kind == Kind::Solved && *safe != "True");
    if let Some(safe) = safe {
        let has_fallback = exported.name != "acceleration_jacobian" && writer.contents.has_matrix_form;
        let other = match has_fallback {
            true => pivoted(writer, &class),
            false => {
                "    raise ArithmeticError(\"a pivot is not safe, and no other solution is exported\")\n".to_owned()
            }
        };
        _ = write!(text, "    if not ({safe}):\n{}", indented(&other, 1));
    }
    let results = exported.results.iter().map(|quantity| format!("        {},\n", numbers(quantity, &body)));
    _ = write!(text, "    return {class}(\n{}    )\n\n\n", results.collect::<String>());
    text
}

/// A result as a number or as an array.
fn numbers(quantity: &Quantity, body: &Body) -> String {
    match quantity.shape {
        Shape::Scalar => value(quantity, body),
        Shape::Vector(_) | Shape::Matrix(..) => format!("np.array({}, dtype=float)", value(quantity, body)),
    }
}

/// The acceleration and the multipliers that an evaluation needs; NaN where the equations are singular.
fn solution(writer: &Writer<'_>, arguments: &[&str]) -> String {
    let (n, c) = (writer.contents.n, writer.contents.c);
    let multipliers = if c > 0 { "solved.multipliers" } else { "()" };
    format!(
        "    try:
        solved = {}(prepared, {})
        a, multipliers = solved.acceleration, {multipliers}
    except ArithmeticError:
        a, multipliers = np.full({n}, np.nan), np.full({c}, np.nan)
",
        writer.contents.acceleration.unwrap_or_default(),
        arguments.join(", ")
    )
}

/// The acceleration and the multipliers by the matrix form.
fn pivoted(writer: &Writer<'_>, class: &str) -> String {
    let (n, c) = (writer.contents.n, writer.contents.c);
    let inputs = if writer.contents.u > 0 { ", u" } else { "" };
    let form = format!("    form = equations(prepared, t, q, v{inputs})\n");
    if c == 0 {
        return format!("{form}    return {class}(solve_symmetric(form.mass_matrix, form.forcing))\n");
    }
    format!(
        "{form}    rows = constraint(prepared, t, q).jacobian
    curvature = constraint_hidden(prepared, t, q, v, np.zeros({c})).curvature
    matrix = np.block([[form.mass_matrix, rows.T], [rows, np.zeros(({c}, {c}))]])
    solved = solve_symmetric(matrix, np.concatenate([form.forcing, -curvature]))
    return {class}(solved[:{n}], -solved[{n}:])
"
    )
}

/// The right-hand side of a system of first order, and the classical method of Runge and Kutta.
fn steps(writer: &Writer<'_>) -> String {
    let (inputs, default) = if writer.contents.u > 0 { (", u", ", u") } else { ("", "") };
    let mut text = String::new();
    if writer.has_rhs() {
        _ = write!(
            text,
            "def rhs(t, y, prepared{default}):
    \"\"\"The rates of y = [*q, *v].\"\"\"
    q, v = np.split(np.asarray(y, dtype=float), 2)
    return np.concatenate([v, acceleration(prepared, t, q, v{inputs}).acceleration])


"
        );
    }
    if writer.has_step() {
        _ = write!(
            text,
            "@ieee
def step(prepared, t, h, q, v{default}):
    \"\"\"One step h of the classical method of Runge and Kutta from the time t, with constant inputs: the new q and v.\"\"\"
    q, v = np.asarray(q, dtype=float), np.asarray(v, dtype=float)
    slopes, rates, sum_q, sum_v = 0.0 * q, 0.0 * v, 0.0 * q, 0.0 * v
    for node, weight in [(0.0, 1), (0.5, 2), (0.5, 2), (1.0, 1)]:
        stage_q, stage_v = q + node * h * slopes, v + node * h * rates
        slopes, rates = stage_v, acceleration(prepared, t + node * h, stage_q, stage_v{inputs}).acceleration
        sum_q, sum_v = sum_q + weight * slopes, sum_v + weight * rates
    return q + h / 6 * sum_q, v + h / 6 * sum_v


"
        );
    }
    text
}
