//! The C text between the mechanism and the functions of FMI: sizes, names, start values, and calls of the mechanism's functions.

use super::super::rows::{Kind, rows};
use super::super::{File, Writer};
use super::description::TOLERANCE;
use super::slope::Slope;
use super::start::Start;
use super::variable::{Role, Variables, own_switches, title};
use crate::program::Part;
use std::fmt::Write as _;

/// The results of the derivatives of the accelerations, and their numbers of columns by the names of the header.
const JACOBIAN: [(&str, &str); 4] = [("by_q", "VELOCITIES"), ("by_v", "VELOCITIES"), ("by_t", "1"), ("by_u", "INPUTS")];

pub(super) fn files(
    writer: &Writer<'_>,
    variables: &Variables,
    start: &Start,
    slopes: &[Slope],
    (token, has_derivatives): (&str, bool),
) -> [File; 2] {
    [
        File { name: "lagrange_model.h".to_owned(), text: header(writer, variables, start, slopes, has_derivatives) },
        File { name: "lagrange_model.c".to_owned(), text: source(writer, variables, start, slopes, token) },
    ]
}

fn header(
    writer: &Writer<'_>,
    variables: &Variables,
    start: &Start,
    slopes: &[Slope],
    has_derivatives: bool,
) -> String {
    let stem = &writer.names.stem;
    let count = |role: Role| variables.of(role).count();
    let sizes = [
        ("PARAMETERS", start.parameters.len()),
        ("INPUTS", start.inputs.len()),
        ("COORDINATES", start.coordinates.len()),
        ("VELOCITIES", start.velocities.len()),
        ("OUTPUTS", count(Role::Output)),
        ("SLOPES", slopes.len()),
        ("ENERGIES", count(Role::Energy)),
        ("CONSTRAINTS", count(Role::Multiplier)),
        ("SWITCHES", count(Role::Switch)),
        ("ROWS", count(Role::Phase)),
        ("GAPS", writer.evaluations.gaps.as_ref().map_or(0, |routine| routine.layout.range(Part::Constraint).len())),
        ("CHANGES", writer.changed_modes().len()),
        ("HAS_JACOBIAN", usize::from(has_derivatives)),
    ];
    let sizes: String = sizes.iter().map(|(name, size)| format!("#define {name} {size}\n")).collect();
    let columns: String = JACOBIAN
        .iter()
        .map(|(name, columns)| format!("    double {name}[(VELOCITIES + CONSTRAINTS) * {columns} + 1];\n"))
        .collect();
    format!(
        "/* What the functions of FMI need of the mechanism {stem}. */
#ifndef LAGRANGE_MODEL_H
#define LAGRANGE_MODEL_H

#include \"{stem}.h\"
#include <stdbool.h>

/* How many there are of each. The switching functions of the equations are followed by the functions that become positive where the phases of rows end, and by the conditions of changes of modes. Velocities are those of the coordinates, and behind them the states of first order. */
{sizes}#define DEFAULT_TOLERANCE {TOLERANCE}

typedef {stem}_prepared model_prepared;

/* The derivatives of the accelerations and the multipliers, row by row. The last number of each is not used. */
typedef struct {{
{columns}}} Jacobian;

/* The derivatives of outputs, without the derivatives that are 0. Each one has the index of its output, the kind of its variable, and the index of that variable. */
typedef enum {{ BY_COORDINATE, BY_VELOCITY, BY_TIME, BY_INPUT, BY_ACCELERATION, BY_MULTIPLIER }} Kind;
typedef struct {{
    int output;
    Kind by;
    int index;
}} Slope;

/* A row in which the force of a contact or of a dry friction acts, and the index of the gap, or of the row of the contact whose slip it is. */
typedef enum {{ FRICTION, CONTACT, SLIP }} Law;
typedef struct {{
    const char *name;
    Law law;
    int of;
}} Row;

extern const Row contact_rows[];
extern const Slope output_slopes[];
extern const char instantiation_token[];
extern const double start_parameters[], start_inputs[], start_states[], state_nominals[];
/* The names of all variables by their value references, of the states, and of the coordinates and the constraints. */
extern const char *const variable_names[], *const state_names[], *const unknown_names[];
/* The mode of each change. */
extern const char *const change_names[];

/* Returns 0, or 1 + the index of the condition that the parameters break. */
int model_prepare(const double *parameters, model_prepared *prepared);
const char *model_condition(int broken);
/* These return 0, or 1 + the index of the unknown whose pivot vanishes, or -1. */
int model_acceleration(
    const model_prepared *prepared, double t, const double *q, const double *v, const double *u, double *acceleration, double *multipliers);
int model_jacobian(
    const model_prepared *prepared, double t, const double *q, const double *v, const double *u, Jacobian *jacobian);
/* The outputs, and behind them their derivatives. */
void model_outputs(const model_prepared *prepared, double t, const double *q, const double *v, const double *u, double *values);
void model_energies(const model_prepared *prepared, double t, const double *q, const double *v, const double *u, double *values);
/* The switching functions of the equations, and the conditions of changes of modes. The places between them, which belong to the ends of phases, are not written. */
void model_switches(const model_prepared *prepared, double t, const double *q, const double *v, const double *u, double *values);
/* Does a change of a mode, whatever its condition. Returns whether the mode has another value then. */
bool model_change(const model_prepared *prepared, double t, double *q, double *v, const double *u, int index);
/* The mass matrix and the forcing; returns whether the mechanism has them. */
bool model_form(
    const model_prepared *prepared, double t, const double *q, const double *v, const double *u, double *masses, double *forcing);
void model_curvature(const model_prepared *prepared, double t, const double *q, const double *v, double *curvature);
void model_constraint(
    const model_prepared *prepared, double t, const double *q, double *value, double *scale, double *jacobian, double *drift);
/* The mass matrix and the forcing without the forces of the rows; the rates of the rows, their directions as columns, the rest of their
   accelerations, and their bounds or coefficients of friction. */
void model_contact_rows(
    const model_prepared *prepared, double t, const double *q, const double *v, const double *u, double *masses, double *forcing,
    double *rate, double *directions, double *curvature, double *bound);
void model_gaps(const model_prepared *prepared, double t, const double *q, double *value, double *scale, double *restitution);
/* The coefficients of restitution at an impact before which the velocities are v. */
void model_restitutions(
    const model_prepared *prepared, double t, const double *q, const double *v, const double *u, double *restitution);

#endif
"
    )
}

fn source(writer: &Writer<'_>, variables: &Variables, start: &Start, slopes: &[Slope], token: &str) -> String {
    let stem = &writer.names.stem;
    let mut text = "/* See lagrange_model.h. */\n#include \"lagrange_model.h\"\n#include <string.h>\n\n".to_owned();
    _ = writeln!(text, "const char instantiation_token[] = \"{token}\";");
    let states: Vec<f64> = start.coordinates.iter().chain(&start.velocities).copied().collect();
    for (name, values) in [("parameters", &start.parameters), ("inputs", &start.inputs), ("states", &states)] {
        _ = writeln!(text, "const double start_{name}[] = {{{}}};", numbers(values));
    }
    let nominals: Vec<f64> =
        variables.of(Role::State).map(|place| variables.all[place].nominal().unwrap_or(1.0)).collect();
    _ = writeln!(text, "const double state_nominals[] = {{{}}};", numbers(&nominals));
    let of_states: Vec<&str> = variables.of(Role::State).map(|place| &variables.all[place].name[..]).collect();
    let all: Vec<&str> = variables.all.iter().map(|variable| &variable.name[..]).collect();
    let unknowns = writer.unknown_names();
    let unknowns: Vec<&str> = unknowns.iter().map(String::as_str).collect();
    let changed = writer.changed_modes();
    let changed: Vec<&str> = if changed.is_empty() { vec![""] } else { changed.iter().map(String::as_str).collect() };
    for (name, names) in [("variable", all), ("state", of_states), ("unknown", unknowns), ("change", changed)] {
        let lines: String = names.iter().map(|name| format!("    {},\n", quoted(name))).collect();
        _ = write!(text, "const char *const {name}_names[] = {{\n{lines}}};\n");
    }
    let rows = slopes.iter().map(|slope| {
        let (by, index) = slope.kind();
        format!("    {{{}, {by}, {index}}},\n", slope.output)
    });
    let rows: String = if slopes.is_empty() { "    {0, BY_TIME, 0},\n".to_owned() } else { rows.collect() };
    _ = write!(text, "const Slope output_slopes[] = {{\n{rows}}};\n");
    text.push_str(&laws(writer));
    let fields: String = writer
        .names
        .parameters
        .iter()
        .enumerate()
        .map(|(place, name)| format!("    own.{name} = parameters[{place}];\n"))
        .collect();
    let own = match fields.is_empty() {
        true => format!("    const {stem}_parameters own = {{0}};\n    (void)parameters;\n"),
        false => format!("    {stem}_parameters own;\n{fields}"),
    };
    _ = write!(
        text,
        "\nint model_prepare(const double *parameters, model_prepared *prepared)\n{{\n{own}    return {stem}_prepare(&own, prepared);\n}}\n\n\
         const char *model_condition(int broken)\n{{\n    return {stem}_conditions[broken - 1];\n}}\n\n"
    );
    text.push_str(&solved(writer));
    for (name, results) in [("outputs", &["outputs"][..]), ("energies", &["energy", "kinetic", "potential"])] {
        text.push_str(&listed(writer, name, results));
    }
    text.push_str(&switches(writer));
    text.push_str(&form(writer));
    text.push_str(&constraint(writer));
    text.push_str(&contacts(writer));
    text
}

/// The rows of contacts and dry friction; one where there are none, because no array of C is empty.
fn laws(writer: &Writer<'_>) -> String {
    let rows = rows(writer.derivation);
    let mut lines: String = rows
        .iter()
        .map(|row| {
            let (law, of) = match row.kind {
                Kind::Friction => ("FRICTION", 0),
                Kind::Contact(gap) => ("CONTACT", gap),
                Kind::Slip(contact) => ("SLIP", contact),
            };
            format!("    {{{}, {law}, {of}}},\n", quoted(&title(row)))
        })
        .collect();
    if lines.is_empty() {
        lines.push_str("    {\"\", FRICTION, 0},\n");
    }
    format!("const Row contact_rows[] = {{\n{lines}}};\n")
}

/// The equations without the forces of contacts and dry friction, the gaps, and the coefficients of restitution.
fn contacts(writer: &Writer<'_>) -> String {
    let copied = |names: &[(&str, &str)]| -> String {
        let copy = |(to, from): &(&str, &str)| format!("    memcpy({to}, result.{from}, sizeof result.{from});\n");
        names.iter().map(copy).collect()
    };
    let stem = &writer.names.stem;
    let unused = if writer.contents.u > 0 { "" } else { "    (void)u;\n" };
    let results = [
        ("masses", "mass_matrix"),
        ("forcing", "forcing"),
        ("rate", "rate"),
        ("directions", "directions"),
        ("curvature", "curvature"),
        ("bound", "bound"),
    ];
    let rows = match is_exported(writer, "contact_rows") {
        true => format!(
            "    {stem}_contact_rows_result result;\n{unused}    {};\n{}",
            call(writer, "contact_rows"),
            copied(&results)
        ),
        false => format!(
            "{UNUSED}    (void)masses, (void)forcing, (void)rate, (void)directions, (void)curvature, (void)bound;\n"
        ),
    };
    let gaps = match is_exported(writer, "gaps") {
        true => format!(
            "    {stem}_gaps_result result;\n    {stem}_gaps(prepared, t, q, &result);\n{}",
            copied(&["value", "scale", "restitution"].map(|name| (name, name)))
        ),
        false => "    (void)prepared, (void)t, (void)q, (void)value, (void)scale, (void)restitution;\n".to_owned(),
    };
    let restitutions = match (is_exported(writer, "restitutions"), is_exported(writer, "gaps")) {
        (true, _) => format!(
            "    {stem}_restitutions_result result;\n{unused}    {};\n{}",
            call(writer, "restitutions"),
            copied(&[("restitution", "restitution")])
        ),
        (false, true) => format!(
            "    {stem}_gaps_result result;\n    (void)v, (void)u;\n    {stem}_gaps(prepared, t, q, &result);\n{}",
            copied(&[("restitution", "restitution")])
        ),
        (false, false) => format!("{UNUSED}    (void)restitution;\n"),
    };
    format!(
        "\nvoid model_contact_rows(\n    {ARGUMENTS}, double *masses, double *forcing,\n    double *rate, double *directions, double \
         *curvature, double *bound)\n{{\n{rows}}}\n\nvoid model_gaps(const model_prepared *prepared, double t, const double *q, double *value, \
         double *scale, double *restitution)\n{{\n{gaps}}}\n\nvoid model_restitutions(\n    {ARGUMENTS}, double *restitution)\n{{\n{restitutions}}}\n"
    )
}

const ARGUMENTS: &str = "const model_prepared *prepared, double t, const double *q, const double *v, const double *u";
const UNUSED: &str = "    (void)prepared, (void)t, (void)q, (void)v, (void)u;\n";

/// The arguments of a call of a function of the mechanism.
fn call(writer: &Writer<'_>, name: &str) -> String {
    let inputs = if writer.contents.u > 0 { "u, " } else { "" };
    format!("{}_{name}(prepared, t, q, v, {inputs}&result)", writer.names.stem)
}

fn is_exported(writer: &Writer<'_>, name: &str) -> bool {
    writer.contents.evaluations.iter().any(|(exported, _)| exported.name == name)
}

/// The accelerations and their derivatives.
fn solved(writer: &Writer<'_>) -> String {
    let stem = &writer.names.stem;
    let unused = if writer.contents.u > 0 { "" } else { "    (void)u;\n" };
    let name = writer.contents.acceleration.unwrap_or("acceleration");
    let multipliers = match writer.contents.c {
        0 => "    (void)multipliers;\n",
        _ => "    memcpy(multipliers, result.multipliers, sizeof result.multipliers);\n",
    };
    let mut text = format!(
        "int model_acceleration(\n    {ARGUMENTS}, double *acceleration, double *multipliers)\n{{\n    {stem}_{name}_result result;\n\
         {unused}    const int vanished = {};\n    if (vanished) return vanished;\n    memcpy(acceleration, result.acceleration, sizeof \
         result.acceleration);\n{multipliers}    return 0;\n}}\n\n",
        call(writer, name)
    );
    _ = write!(text, "int model_jacobian({ARGUMENTS}, Jacobian *jacobian)\n{{\n");
    let Some((exported, _)) =
        writer.contents.evaluations.iter().find(|(exported, _)| exported.name == "acceleration_jacobian")
    else {
        _ = write!(text, "{UNUSED}    (void)jacobian;\n    return -1;\n}}\n\n");
        return text;
    };
    _ = write!(
        text,
        "    {stem}_acceleration_jacobian_result result;\n{unused}    const int vanished = {};\n    if (vanished) return vanished;\n",
        call(writer, "acceleration_jacobian")
    );
    for (name, _) in JACOBIAN {
        if exported.results.iter().any(|result| result.name == name) {
            _ = writeln!(text, "    memcpy(jacobian->{name}, result.{name}, sizeof result.{name});");
        }
    }
    text.push_str("    return 0;\n}\n\n");
    text
}

/// A function whose results are a list of values.
fn listed(writer: &Writer<'_>, name: &str, results: &[&str]) -> String {
    let mut text = format!("void model_{name}({ARGUMENTS}, double *values)\n{{\n");
    let evaluation = writer.contents.evaluations.iter().find(|(exported, _)| exported.name == name);
    let Some((exported, _)) = evaluation else {
        _ = write!(text, "{UNUSED}    (void)values;\n}}\n\n");
        return text;
    };
    let unused = if writer.contents.u > 0 { "" } else { "    (void)u;\n" };
    _ = write!(text, "    {}_{name}_result result;\n{unused}    {};\n", writer.names.stem, call(writer, name));
    let known = exported.results.iter().filter(|result| results.contains(&result.name));
    for (place, result) in known.enumerate() {
        let address = if name == "energies" { "&" } else { "" };
        _ = writeln!(text, "    memcpy(values + {place}, {address}result.{0}, sizeof result.{0});", result.name);
    }
    text.push_str("}\n\n");
    text
}

/// The switching functions with the conditions of the changes of modes behind them, and the changes.
fn switches(writer: &Writer<'_>) -> String {
    let stem = &writer.names.stem;
    let unused = if writer.contents.u > 0 { "" } else { "    (void)u;\n" };
    let own = own_switches(writer, &rows(writer.derivation));
    let mut body = String::new();
    if !own.is_empty() {
        let copies: String = own
            .iter()
            .enumerate()
            .map(|(place, switch)| format!("    values[{place}] = own.switches[{switch}];\n"))
            .collect();
        let call = call(writer, "switches").replace("&result", "&own");
        _ = write!(body, "    {stem}_switches_result own;\n    {call};\n{copies}");
    }
    let mut change = "bool model_change(const model_prepared *prepared, double t, double *q, double *v, const double *u, int index)\n{\n"
        .to_owned();
    if writer.changed_modes().is_empty() {
        _ = write!(change, "{UNUSED}    (void)index;\n    return false;\n}}\n\n");
    } else {
        let call = call(writer, "change_values");
        _ = write!(
            change,
            "    {stem}_change_values_result result;\n{unused}    {call};\n    result.change_values[index] = 1.0;\n    \
             return {stem}_change(index, &result, q, v);\n}}\n\n"
        );
        _ = write!(
            body,
            "    {stem}_change_values_result result;\n    {call};\n    for (int i = 0; i < CHANGES; i += 1) {{\n        \
             double moved_q[VELOCITIES], moved_v[VELOCITIES];\n        memcpy(moved_q, q, sizeof moved_q);\n        \
             memcpy(moved_v, v, sizeof moved_v);\n        const bool is_idle = !model_change(prepared, t, moved_q, moved_v, u, i);\n        \
             values[SWITCHES - CHANGES + i] = is_idle ? -1.0 : result.change_values[i];\n    }}\n"
        );
    }
    let unused = if body.is_empty() { UNUSED.to_owned() + "    (void)values;\n" } else { unused.to_owned() };
    format!("{change}void model_switches({ARGUMENTS}, double *values)\n{{\n{unused}{body}}}\n\n")
}

fn form(writer: &Writer<'_>) -> String {
    let mut text = format!("bool model_form(\n    {ARGUMENTS}, double *masses, double *forcing)\n{{\n");
    if !is_exported(writer, "equations") {
        _ = write!(text, "{UNUSED}    (void)masses, (void)forcing;\n    return false;\n}}\n\n");
        return text;
    }
    let unused = if writer.contents.u > 0 { "" } else { "    (void)u;\n" };
    _ = write!(
        text,
        "    {}_equations_result result;\n{unused}    {};\n    memcpy(masses, result.mass_matrix, sizeof result.mass_matrix);\n    \
         memcpy(forcing, result.forcing, sizeof result.forcing);\n    \
         return true;\n}}\n\n",
        writer.names.stem,
        call(writer, "equations")
    );
    text
}

/// The constraints, and the curvature of G a + curvature = 0.
fn constraint(writer: &Writer<'_>) -> String {
    let of_rows = "void model_constraint(\n    const model_prepared *prepared, double t, const double *q, double *value, double *scale, double \
                   *jacobian, double *drift)\n{\n";
    let of_curvature = "void model_curvature(const model_prepared *prepared, double t, const double *q, const double *v, double \
                        *curvature)\n{\n";
    if !is_exported(writer, "constraint") {
        return format!(
            "{of_rows}    (void)prepared, (void)t, (void)q, (void)value, (void)scale, (void)jacobian, (void)drift;\n}}\n\n\
             {of_curvature}    (void)prepared, (void)t, (void)q, (void)v, (void)curvature;\n}}\n"
        );
    }
    let stem = &writer.names.stem;
    let copied = |name: &str| format!("    memcpy({name}, result.{name}, sizeof result.{name});\n");
    let rows = ["value", "scale", "jacobian", "drift"].map(copied).concat();
    format!(
        "{of_rows}    {stem}_constraint_result result;\n    {stem}_constraint(prepared, t, q, &result);\n{rows}}}\n\n\
         {of_curvature}    const double none[CONSTRAINTS] = {{0}};\n    {stem}_constraint_hidden_result result;\n    \
         {stem}_constraint_hidden(prepared, t, q, v, none, &result);\n{}}}\n",
        copied("curvature")
    )
}

/// Numbers of C; one where there are none, because no array of C is empty.
fn numbers(values: &[f64]) -> String {
    if values.is_empty() {
        return "0.0".to_owned();
    }
    values.iter().map(|value| format!("{value:?}")).collect::<Vec<_>>().join(", ")
}

/// A text of C, in the characters that every compiler reads; others are written as their bytes.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => quoted.extend(['\\', byte as char]),
            b' '..=b'~' => quoted.push(byte as char),
            // Three octal digits end by themselves.
            byte => _ = write!(quoted, "\\{byte:03o}"),
        }
    }
    quoted.push('"');
    quoted
}
