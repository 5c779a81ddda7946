//! C99: a header with the types and the functions, and a source. Nothing is allocated, and nothing but the mathematical library is
//! needed.

use super::body::Body;
use super::contents::{Argument, Exported, Kind, Quantity, Shape};
use super::{File, Writer, commented, helpers, indented, wrapped};
use crate::program::{Operation, Part, Routine, Value};
use std::fmt::Write as _;

pub(super) fn files(writer: &Writer<'_>) -> Vec<File> {
    let stem = &writer.names.stem;
    vec![
        File { name: format!("{stem}.h"), text: header(writer) },
        File { name: format!("{stem}.c"), text: source(writer) },
    ]
}

/// The type and the name of an argument.
fn declared(argument: Argument) -> String {
    match argument {
        Argument::Time => "lagrange_real t".to_owned(),
        other => format!("const lagrange_real *{}", other.name()),
    }
}

fn signature(stem: &str, exported: &Exported) -> String {
    let arguments: Vec<String> = exported.arguments.iter().map(|&argument| declared(argument)).collect();
    let (result, name) = (if exported.is_fallible { "int" } else { "void" }, exported.name);
    format!(
        "{result} {stem}_{name}(\n    const {stem}_prepared *prepared, {}, {stem}_{name}_result *result)",
        arguments.join(", ")
    )
}

fn step_signature(writer: &Writer<'_>) -> String {
    let stem = &writer.names.stem;
    let inputs = if writer.contents.u > 0 { "const lagrange_real *u, " } else { "" };
    format!(
        "int {stem}_step(\n    const {stem}_prepared *prepared, lagrange_real t, lagrange_real h, {inputs}lagrange_real *q, \
         lagrange_real *v)"
    )
}

fn header(writer: &Writer<'_>) -> String {
    let stem = &writer.names.stem;
    let usage = format!(
        "Compile {stem}.c with a C99 compiler and link libm. LAGRANGE_SINGLE selects single precision in all files.\n\
         Call {stem}_prepare once, and then the other functions with what it computed. Nothing is allocated or kept.\n"
    );
    let guard = format!("{}_H", stem.to_uppercase());
    let mut text = format!("/*\n{}*/\n", commented(&indented(&writer.header(&usage), 0)));
    _ = write!(
        text,
        "#ifndef {guard}\n#define {guard}\n\n#ifndef LAGRANGE_REAL\n#define LAGRANGE_REAL\n#ifdef LAGRANGE_SINGLE\n\
         typedef float lagrange_real;\n#else\ntypedef double lagrange_real;\n#endif\n#endif\n\n"
    );
    let fields = writer
        .derivation
        .model
        .parameters
        .iter()
        .zip(&writer.names.parameters)
        .map(|(field, name)| (format!("lagrange_real {name}"), writer.derivation.units.described(field)));
    text.push_str(&structure(&format!("{stem}_parameters"), "The parameters.", fields));
    let body = writer.preparing(&writer.evaluations.preparation);
    let fields = writer.prepared(&body).map(|(name, value, _, about)| (field(writer, name, value), about.to_owned()));
    text.push_str(&structure(&format!("{stem}_prepared"), "What depends on parameters alone.", fields));
    let conditions = writer.conditions();
    _ = write!(
        text,
        "/* Computes what depends on parameters alone. Returns 0, or 1 + the index of the condition that the parameters break. */\n\
         int {stem}_prepare(const {stem}_parameters *parameters, {stem}_prepared *prepared);\n\n\
         /* The conditions: every parameter must be finite{}. */\n\
         extern const char *const {stem}_conditions[{}];\n\n",
        conditions.iter().map(|condition| format!("; {}", commented(condition))).collect::<String>(),
        conditions.len() + 1
    );
    for (exported, routine) in &writer.contents.evaluations {
        let fields = exported.results.iter().map(|quantity| (shaped(quantity), String::new()));
        let about = writer.about(exported, *routine);
        text.push_str(&structure(&format!("{stem}_{}_result", exported.name), &about, fields));
        if exported.is_fallible {
            text.push_str(
                "/* Returns 0, or 1 + the index of the coordinate or, behind these, the constraint whose pivot vanished, or -1 where a \
                 pivot is\n   not safe and no other solution is exported. */\n",
            );
        }
        _ = write!(text, "{};\n\n", signature(stem, exported));
    }
    text.push_str(&writer.change_declared());
    if writer.has_step() {
        _ = write!(
            text,
            "/* One step h of the classical method of Runge and Kutta from the time t, with constant inputs; q and v are replaced. \
             Returns 0, or\n   the failure of {stem}_acceleration, and then q and v are unchanged. */\n{};\n\n",
            step_signature(writer)
        );
    }
    text.push_str("#endif\n");
    text
}

/// A struct. One without fields gets one, because C has no empty struct.
fn structure(name: &str, about: &str, fields: impl Iterator<Item = (String, String)>) -> String {
    let mut text = format!("/* {} */\ntypedef struct {{\n", wrapped(&commented(about), "   "));
    let mut is_empty = true;
    for (field, about) in fields {
        is_empty = false;
        _ = match about.is_empty() {
            true => writeln!(text, "    {field};"),
            false => writeln!(text, "    {field}; /* {} */", commented(&about)),
        };
    }
    if is_empty {
        text.push_str("    int none; /* There is nothing here. */\n");
    }
    _ = write!(text, "}} {name};\n\n");
    text
}

/// The declaration of a prepared value.
fn field(writer: &Writer<'_>, name: &str, value: Value) -> String {
    match writer.evaluations.builder.operation(value) {
        Operation::Table(_) => format!("lagrange_real {name}[{}]", 5 * writer.source().knots(value)),
        operation if operation.is_mask() => format!("int {name}"),
        _ => format!("lagrange_real {name}"),
    }
}

fn shaped(quantity: &Quantity) -> String {
    match quantity.shape {
        Shape::Scalar => format!("lagrange_real {}", quantity.name),
        Shape::Vector(size) => format!("lagrange_real {}[{size}]", quantity.name),
        Shape::Matrix(rows, columns) => format!("lagrange_real {}[{rows}][{columns}]", quantity.name),
    }
}

fn source(writer: &Writer<'_>) -> String {
    let stem = &writer.names.stem;
    let mut functions = String::new();
    for (index, numbers) in writer.tables() {
        let rows: String = numbers.chunks(5).map(|row| format!("    {},\n", row.join(", "))).collect();
        _ = write!(functions, "static const real table_{}[{}] = {{\n{rows}}};\n\n", index + 1, numbers.len());
    }
    functions.push_str(&implicit(writer));
    functions.push_str(&preparation(writer));
    // Powers and outputs call the acceleration, which calls the matrix form.
    for (exported, routine) in &writer.contents.evaluations {
        functions.push_str(&evaluation(writer, exported, *routine));
    }
    functions.push_str(&writer.change());
    if writer.has_step() {
        functions.push_str(&step(writer));
    }
    let size = writer.contents.n + writer.contents.c;
    let unknowns = writer.evaluations.implicits.iter().map(|program| program.unknowns).max().unwrap_or(0);
    let mut text = format!("/* {}: see {stem}.h. */\n#include \"{stem}.h\"\n", writer.derivation.model.item.ident);
    text.push_str("#include <float.h>\n#include <math.h>\n#include <string.h>\n\ntypedef lagrange_real real;\n\n");
    text.push_str(
        "#ifdef LAGRANGE_SINGLE\n#define FN(name) name##f\n#define EPSILON FLT_EPSILON\n#define SMALLEST FLT_MIN\n",
    );
    text.push_str("#else\n#define FN(name) name\n#define EPSILON DBL_EPSILON\n#define SMALLEST DBL_MIN\n#endif\n");
    let helpers = helpers::called(super::Language::C, &functions);
    if helpers.contains("[SIZE") {
        _ = writeln!(text, "#define SIZE {size}");
    }
    if helpers.contains("[UNKNOWNS") {
        _ = writeln!(text, "#define UNKNOWNS {unknowns}");
    }
    format!("{text}\n{helpers}{}\n", functions.trim_end())
}

/// The equations that iterations solve.
fn implicit(writer: &Writer<'_>) -> String {
    let mut text = String::new();
    for program in &writer.evaluations.implicits {
        let body = writer.equations(program);
        let index = program.index + 1;
        _ = write!(
            text,
            "static void equations_{index}(const real *w, const real *a, real *r, real *k)\n{{\n    (void)w;\n    (void)a;\n{}",
            indented(&body.statements, 1)
        );
        for (name, part) in [("r", Part::Residual), ("k", Part::Slope)] {
            for (place, value) in body.part(part).iter().enumerate() {
                _ = writeln!(text, "    {name}[{place}] = {value};");
            }
        }
        _ = write!(
            text,
            "}}\n\nstatic void solution_{index}(const real *a, real *w)\n{{\n    solve_implicit({}, {}, equations_{index}, a, w);\n}}\n\n",
            program.unknowns,
            u8::from(program.is_unique)
        );
    }
    text
}

fn preparation(writer: &Writer<'_>) -> String {
    let stem = &writer.names.stem;
    let mut conditions = vec!["every parameter must be finite".to_owned()];
    conditions.extend(writer.conditions());
    let listed: String = conditions.iter().map(|condition| format!("    {condition:?},\n")).collect();
    let mut text = format!("const char *const {stem}_conditions[{}] = {{\n{listed}}};\n\n", conditions.len());
    _ = write!(text, "static int check(const {stem}_parameters *parameters)\n{{\n");
    if writer.names.parameters.is_empty() {
        text.push_str("    (void)parameters;\n");
    }
    for name in &writer.names.parameters {
        _ = writeln!(text, "    if (!isfinite(parameters->{name})) return 1;");
    }
    let body = writer.preparing(&writer.evaluations.checks);
    text.push_str(&indented(&body.statements, 1));
    for (index, fails) in writer.failures(&body).iter().enumerate() {
        _ = writeln!(text, "    if ({fails}) return {};", index + 2);
    }
    text.push_str("    return 0;\n}\n\n");
    let body = writer.preparing(&writer.evaluations.preparation);
    _ = write!(
        text,
        "int {stem}_prepare(const {stem}_parameters *parameters, {stem}_prepared *prepared)\n{{\n    const int broken = check(parameters);\n\
         \x20   if (broken) return broken;\n{}",
        indented(&body.statements, 1)
    );
    let mut is_empty = true;
    for (name, value, expression, _) in writer.prepared(&body) {
        is_empty = false;
        _ = match writer.evaluations.builder.operation(value) {
            Operation::Table(_) => {
                writeln!(text, "    memcpy(prepared->{name}, {expression}, sizeof prepared->{name});")
            }
            _ => writeln!(text, "    prepared->{name} = {expression};"),
        };
    }
    if is_empty {
        text.push_str("    prepared->none = 0;\n");
    }
    text.push_str("    return 0;\n}\n\n");
    text
}

/// The definition of an evaluation.
fn evaluation(writer: &Writer<'_>, exported: &Exported, routine: Option<&Routine>) -> String {
    let stem = &writer.names.stem;
    let about = wrapped(&commented(&writer.about(exported, routine)), "   ");
    let mut text = format!("/* {about} */\n{}\n{{\n", signature(stem, exported));
    let Some(routine) = routine else {
        _ = write!(text, "{}}}\n\n", pivoted(writer));
        return text;
    };
    let body = writer.body(routine);
    let is_solved = exported.kind == Kind::Solved;
    let safe = body.part(Part::Safe).first();
    let has_fallback = is_solved && exported.name != "acceleration_jacobian" && writer.contents.has_matrix_form;
    let calls = exported.kind == Kind::AfterSolution || (has_fallback && safe.is_some_and(|safe| safe != "1"));
    if !calls {
        let names = ["prepared"].into_iter().chain(exported.arguments.iter().map(|argument| argument.name()));
        for unused in names.filter(|name| !body.reads.contains(name)) {
            _ = writeln!(text, "    (void){unused};");
        }
    }
    if exported.kind == Kind::AfterSolution {
        text.push_str(&solution(writer, exported, &body));
    }
    text.push_str(&indented(&body.statements, 1));
    if let Some(safe) = safe.filter(|safe| is_solved && *safe != "1") {
        let other = if has_fallback { pivoted(writer) } else { "    return -1;\n".to_owned() };
        _ = write!(text, "    if (!({safe})) {{\n{}    }}\n", indented(&other, 1));
    }
    for quantity in &exported.results {
        text.push_str(&assigned(quantity, &body));
    }
    text.push_str(if exported.is_fallible { "    return 0;\n}\n\n" } else { "}\n\n" });
    text
}

/// The assignments of a result. Matrices are listed column by column.
fn assigned(quantity: &Quantity, body: &Body) -> String {
    let values = quantity.part.map_or(&body.outputs[..], |part| body.part(part));
    let mut text = String::new();
    for (index, value) in values.iter().enumerate() {
        let place = match quantity.shape {
            Shape::Scalar => String::new(),
            Shape::Vector(_) => format!("[{index}]"),
            Shape::Matrix(rows, _) => format!("[{}][{}]", index % rows, index / rows),
        };
        _ = writeln!(text, "    result->{}{place} = {value};", quantity.name);
    }
    text
}

/// The acceleration and the multipliers that an evaluation needs; NaN where the equations are singular.
fn solution(writer: &Writer<'_>, exported: &Exported, body: &Body) -> String {
    let stem = &writer.names.stem;
    let acceleration = writer.contents.acceleration.unwrap_or_default();
    let arguments: Vec<&str> = exported.arguments.iter().map(|argument| argument.name()).collect();
    let (n, c) = (writer.contents.n, writer.contents.c);
    let mut text = format!(
        "    {stem}_{acceleration}_result solved;\n    if ({stem}_{acceleration}(prepared, {}, &solved) != 0) {{\n\
         \x20       for (int i = 0; i < {n}; i += 1) solved.acceleration[i] = (real)NAN;\n",
        arguments.join(", ")
    );
    if c > 0 {
        _ = writeln!(text, "        for (int i = 0; i < {c}; i += 1) solved.multipliers[i] = (real)NAN;");
    }
    text.push_str("    }\n");
    if body.reads.contains("a") {
        text.push_str("    const real *const a = solved.acceleration;\n");
    }
    if body.reads.contains("multipliers") {
        text.push_str("    const real *const multipliers = solved.multipliers;\n");
    }
    text
}

/// The acceleration and the multipliers by the matrix form.
fn pivoted(writer: &Writer<'_>) -> String {
    let stem = &writer.names.stem;
    let (n, c) = (writer.contents.n, writer.contents.c);
    let inputs = if writer.contents.u > 0 { "u, " } else { "" };
    let mut text = format!(
        "    {stem}_equations_result form;\n    real matrix[{0} * {0}] = {{0}}, right[{0}];\n\
         \x20   {stem}_equations(prepared, t, q, v, {inputs}&form);\n",
        n + c
    );
    if c > 0 {
        _ = write!(
            text,
            "    const real zero[{c}] = {{0}};\n    {stem}_constraint_result rows;\n    {stem}_constraint_hidden_result hidden;\n\
             \x20   {stem}_constraint(prepared, t, q, &rows);\n    {stem}_constraint_hidden(prepared, t, q, v, zero, &hidden);\n"
        );
    }
    _ = write!(
        text,
        "    for (int i = 0; i < {n}; i += 1) {{\n        right[i] = form.forcing[i];\n\
         \x20       for (int j = 0; j < {n}; j += 1) matrix[i * {0} + j] = form.mass_matrix[i][j];\n    }}\n",
        n + c
    );
    if c > 0 {
        _ = write!(
            text,
            "    for (int i = 0; i < {c}; i += 1) {{\n        right[{n} + i] = -hidden.curvature[i];\n\
             \x20       for (int j = 0; j < {n}; j += 1) {{\n\
             \x20           matrix[({n} + i) * {0} + j] = matrix[j * {0} + {n} + i] = rows.jacobian[i][j];\n        }}\n    }}\n",
            n + c
        );
    }
    _ = write!(
        text,
        "    const int vanished = solve_symmetric({}, matrix, right);\n\
         \x20   for (int i = 0; i < {n}; i += 1) result->acceleration[i] = right[i];\n",
        n + c
    );
    if c > 0 {
        _ = writeln!(text, "    for (int i = 0; i < {c}; i += 1) result->multipliers[i] = -right[{n} + i];");
    }
    text.push_str("    return vanished;\n");
    text
}

/// The classical method of Runge and Kutta.
fn step(writer: &Writer<'_>) -> String {
    let (stem, n) = (&writer.names.stem, writer.contents.n);
    let inputs = if writer.contents.u > 0 { "u, " } else { "" };
    format!(
        "{}
{{
    static const real nodes[4] = {{(real)0.0, (real)0.5, (real)0.5, (real)1.0}};
    static const real weights[4] = {{1, 2, 2, 1}};
    real slopes[{n}] = {{0}}, rates[{n}] = {{0}}, sum_q[{n}] = {{0}}, sum_v[{n}] = {{0}}, stage_q[{n}], stage_v[{n}];
    for (int stage = 0; stage < 4; stage += 1) {{
        {stem}_acceleration_result solved;
        for (int i = 0; i < {n}; i += 1) {{
            stage_q[i] = q[i] + nodes[stage] * h * slopes[i];
            stage_v[i] = v[i] + nodes[stage] * h * rates[i];
        }}
        const int failure = {stem}_acceleration(prepared, t + nodes[stage] * h, stage_q, stage_v, {inputs}&solved);
        if (failure) return failure;
        for (int i = 0; i < {n}; i += 1) {{
            slopes[i] = stage_v[i];
            rates[i] = solved.acceleration[i];
            sum_q[i] += weights[stage] * slopes[i];
            sum_v[i] += weights[stage] * rates[i];
        }}
    }}
    for (int i = 0; i < {n}; i += 1) {{
        q[i] += h / 6 * sum_q[i];
        v[i] += h / 6 * sum_v[i];
    }}
    return 0;
}}

",
        step_signature(writer)
    )
}
