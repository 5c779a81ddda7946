//! Programs that call an export for each line of arguments, and print what it computes.

use crate::reference::STEP;
use lagrange_symbolic::export::{Argument, Export, Exported, Shape};
use std::fmt::Write as _;

/// The names of what is compared.
pub(crate) fn names(export: &Export) -> Vec<&'static str> {
    let names = export.evaluations.iter().map(|exported| exported.name);
    let changes = (!export.changes.is_empty()).then_some("change");
    names.chain(export.has_step.then_some("step")).chain(changes).collect()
}

/// The numbers of each result of what is compared, in the order of [`names`].
pub(crate) fn sizes(export: &Export) -> Vec<Vec<usize>> {
    let of = |exported: &Exported| exported.results.iter().map(|result| size(result.shape)).collect();
    let [n, ..] = export.size;
    let changes = (!export.changes.is_empty()).then(|| vec![n; 2 * export.changes.len()]);
    export.evaluations.iter().map(of).chain(export.has_step.then(|| vec![n, n])).chain(changes).collect()
}

fn size(shape: Shape) -> usize {
    match shape {
        Shape::Scalar => 1,
        Shape::Vector(size) => size,
        Shape::Matrix(rows, columns) => rows * columns,
    }
}

/// The C program for one mechanism.
pub(crate) fn c(export: &Export) -> String {
    let (stem, [n, c, u]) = (&export.stem, export.size);
    let mut text = format!(
        "#include \"{stem}.h\"
#include <math.h>
#include <stdio.h>
#include <string.h>

static int numbers(lagrange_real *out, int count)
{{
    for (int i = 0; i < count; i += 1) {{
        double number;
        if (scanf(\"%lf\", &number) != 1) return 0;
        out[i] = (lagrange_real)number;
    }}
    return 1;
}}

static void print(const void *result, size_t size, int failure)
{{
    for (size_t i = 0; i < size / sizeof(lagrange_real); i += 1) {{
        lagrange_real number;
        memcpy(&number, (const char *)result + i * sizeof number, sizeof number);
        printf(\"%.17g \", failure ? (double)NAN : (double)number);
    }}
}}

int main(void)
{{
    {stem}_parameters parameters;
    {stem}_prepared prepared;
    lagrange_real t, q[{n}], v[{n}], u[{u} + 1], multipliers[{c} + 1];
    memset(&parameters, 0, sizeof parameters);
    if (!numbers((lagrange_real *)(void *)&parameters, {p})) return 1;
    const int broken = {stem}_prepare(&parameters, &prepared);
    if (broken) {{
        puts({stem}_conditions[broken - 1]);
        return 1;
    }}
    while (numbers(&t, 1) && numbers(q, {n}) && numbers(v, {n}) && numbers(u, {u}) && numbers(multipliers, {c})) {{
        (void)multipliers;
",
        p = export.parameters.len()
    );
    for exported in &export.evaluations {
        let arguments: Vec<&str> = exported.arguments.iter().map(|argument| argument.name()).collect();
        let call = format!("{stem}_{}(&prepared, {}, &result)", exported.name, arguments.join(", "));
        _ = writeln!(text, "        {{\n            {stem}_{}_result result;", exported.name);
        _ = match exported.is_fallible {
            true => writeln!(text, "            const int failure = {call};"),
            false => writeln!(text, "            const int failure = 0;\n            {call};"),
        };
        _ = writeln!(text, "            print(&result, sizeof result, failure);\n        }}");
    }
    if export.has_step {
        let inputs = if u > 0 { "u, " } else { "" };
        _ = write!(
            text,
            "        const int failure = {stem}_step(&prepared, t, (lagrange_real){STEP:?}, {inputs}q, v);\n\
             \x20       print(q, sizeof q, failure);\n        print(v, sizeof v, failure);\n"
        );
    }
    if !export.changes.is_empty() {
        _ = write!(
            text,
            "        {stem}_change_values_result changes;\n        {stem}_change_values(&prepared, t, q, v, {}&changes);\n\
             \x20       for (int i = 0; i < {}; i += 1) {{\n            lagrange_real new_q[{n}], new_v[{n}];\n\
             \x20           memcpy(new_q, q, sizeof q);\n            memcpy(new_v, v, sizeof v);\n\
             \x20           {stem}_change(i, &changes, new_q, new_v);\n\
             \x20           print(new_q, sizeof new_q, 0);\n            print(new_v, sizeof new_v, 0);\n        }}\n",
            if u > 0 { "u, " } else { "" },
            export.changes.len()
        );
    }
    text.push_str("        puts(\"\");\n    }\n    return 0;\n}\n");
    text
}

/// What the drivers of the other languages know of each mechanism, as JSON.
pub(crate) fn manifest(exports: &[(String, Export)]) -> String {
    let list = |entries: Vec<String>| format!("[{}]", entries.join(", "));
    let evaluation = |exported: &Exported| {
        let size: usize = exported.results.iter().map(|result| size(result.shape)).sum();
        let arguments = exported.arguments.iter().map(|argument: &Argument| format!("{:?}", argument.name()));
        format!("{{\"name\": {:?}, \"size\": {size}, \"arguments\": {}}}", exported.name, list(arguments.collect()))
    };
    let mechanism = |(name, export): &(String, Export)| {
        let [n, c, u] = export.size;
        format!(
            "{{\"name\": {name:?}, \"stem\": {:?}, \"n\": {n}, \"c\": {c}, \"u\": {u}, \"step\": {}, \"changes\": {}, \"evaluations\": {}}}",
            export.stem,
            export.has_step,
            export.changes.len(),
            list(export.evaluations.iter().map(evaluation).collect())
        )
    };
    list(exports.iter().map(mechanism).collect()) + "\n"
}

/// The JavaScript program for all mechanisms.
pub(crate) fn javascript() -> String {
    format!(
        "import {{ readFileSync, writeFileSync }} from \"node:fs\";

for (const mechanism of JSON.parse(readFileSync(\"manifest.json\"))) {{
    const module = await import(`./${{mechanism.stem}}.mjs`);
    const [first, ...lines] = readFileSync(`../${{mechanism.name}}.in`, \"utf8\").trimEnd().split(\"\\n\");
    const numbers = (line) => line.split(\" \").filter((word) => word !== \"\").map(Number);
    const values = numbers(first);
    const prepared = module.prepare(Object.fromEntries(module.PARAMETERS.map((name, i) => [name, values[i]])));
    const {{ n, c, u: inputs }} = mechanism;
    const results = lines.map((line) => {{
        const [t, ...rest] = numbers(line);
        const take = (count) => rest.splice(0, count);
        const state = {{ t, q: take(n), v: take(n), u: take(inputs), multipliers: take(c) }};
        const out = [];
        for (const {{ name, size, arguments: taken }} of mechanism.evaluations) {{
            try {{
                const result = module[name](prepared, ...taken.map((argument) => state[argument]));
                out.push(...Object.values(result).flat(Infinity));
            }} catch (error) {{
                if (!/singular|pivot/.test(error.message)) throw error;
                out.push(...Array(size).fill(NaN));
            }}
        }}
        if (mechanism.step) {{
            const end = module.step(prepared, t, {STEP:?}, state.q, state.v, state.u);
            out.push(...end.q, ...end.v);
        }}
        for (let i = 0; i < mechanism.changes; i += 1) {{
            const changes = module.change_values(prepared, t, state.q, state.v, state.u);
            const end = module.change(i, changes, state.q, state.v) ?? state;
            out.push(...end.q, ...end.v);
        }}
        return out.join(\" \");
    }});
    writeFileSync(`${{mechanism.name}}.out`, results.join(\"\\n\") + \"\\n\");
}}
"
    )
}

/// The Python program for all mechanisms.
pub(crate) fn python() -> String {
    format!(
        "import importlib
import json

import numpy as np

for mechanism in json.load(open(\"manifest.json\")):
    module = importlib.import_module(mechanism[\"stem\"])
    first, *lines = open(f\"../{{mechanism['name']}}.in\").read().splitlines()
    prepared = module.prepare(**dict(zip(module.PARAMETERS, map(float, first.split()))))
    n, c, inputs = mechanism[\"n\"], mechanism[\"c\"], mechanism[\"u\"]
    with open(f\"{{mechanism['name']}}.out\", \"w\") as out:
        for line in lines:
            t, *rest = map(float, line.split())
            q, v, u, multipliers = np.split(np.array(rest), np.cumsum([n, n, inputs]))
            state = {{\"t\": t, \"q\": q, \"v\": v, \"u\": u, \"multipliers\": multipliers}}
            results = []
            for evaluation in mechanism[\"evaluations\"]:
                try:
                    result = getattr(module, evaluation[\"name\"])(prepared, *(state[name] for name in evaluation[\"arguments\"]))
                    results += [np.ravel(part) for part in result]
                except ArithmeticError:
                    results.append(np.full(evaluation[\"size\"], np.nan))
            if mechanism[\"step\"]:
                results += module.step(prepared, t, {STEP:?}, q, v, *([u] if inputs else []))
            for i in range(mechanism[\"changes\"]):
                changes = module.change_values(prepared, t, q, v, *([u] if inputs else []))
                results += module.change(i, changes, q, v) or (q, v)
            print(*np.concatenate(results), file=out)
"
    )
}
