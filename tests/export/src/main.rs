//! Exports every mechanism of `models`, and some of this crate, to C, JavaScript and Python, runs the texts at random states, and compares each number with what
//! the code that Rust compiles computes there.
//!
//! `export-tests DIRECTORY` writes and runs everything in that directory. Two numbers agree if they differ by no more than 4 roundings, or 8 where
//! NumPy computes one of them.
//! A rounding is ε·|x| + change, where `change` is by how much roundings change x, or ε times the largest entry of the
//! vector or matrix, whichever is larger: where entries cancel, libraries whose sines differ in the last digit differ by the latter.

mod drivers;
mod guide;
mod mechanisms;
mod own;
mod reference;

use lagrange_runtime::prelude::Mechanism;
use lagrange_symbolic::export::{Export, Found, Language, assembled, export};
use reference::{Arguments, Random, Reference, with_changes};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The number of states at which a mechanism is compared.
const STATES: usize = 100;

/// The most roundings by which two numbers may differ.
const ROUNDINGS: f64 = 4.0;

/// The most roundings by which a result of NumPy may differ. A sine or cosine of NumPy may be wrong by two roundings and more; a sine or cosine of
/// the C library is wrong by half a rounding.
const ROUNDINGS_OF_NUMPY: f64 = 8.0;

/// The most roundings by which two numbers may differ in single precision. There the change by roundings is estimated coarsely, from doubles.
const ROUNDINGS_IN_SINGLE: f64 = 64.0;

const WARNINGS: &[&str] = &["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic"];

/// The results of an evaluation, each with its change by roundings of the arguments.
type Changes = Vec<(f64, f64)>;

/// What one mechanism is compared with.
struct Expected {
    name: String,
    arguments: Vec<Arguments>,
    exports: [Export; 3],
    /// For each state the values and changes of all evaluations; `None` where an evaluation means something else.
    values: Vec<Vec<(&'static str, Option<Changes>)>>,
}

fn main() {
    let directory = std::env::args_os().nth(1).map(PathBuf::from).expect("usage: export-tests DIRECTORY");
    let mechanisms = mechanisms::all();
    let exported: Vec<_> =
        mechanisms.into_iter().map(|(found, reference)| (exports(&found), found.name, reference)).collect();
    same_from_the_program(&exported);
    let expected = in_parallel(&exported, |(exports, name, reference)| expect(exports, name, &**reference));
    for (name, _) in [("c", 0), ("javascript", 1), ("python", 2)] {
        std::fs::create_dir_all(directory.join(name)).expect("a directory for the texts");
    }
    for mechanism in &expected {
        write_arguments(&directory, mechanism);
        for (export, name) in mechanism.exports.iter().zip(["c", "javascript", "python"]) {
            for file in &export.files {
                write(&directory.join(name).join(&file.name), &file.text);
            }
        }
    }
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
    guide::check(&directory.join("guide"), &python);
    let mut worst = Vec::new();
    for program in ["gcc", "clang"] {
        worst.push((program, in_parallel(&expected, |mechanism| compiled(&directory.join("c"), program, mechanism))));
    }
    for (index, (name, program, driver)) in
        [("javascript", "node", drivers::javascript()), ("python", &python[..], drivers::python())]
            .into_iter()
            .enumerate()
    {
        let place = directory.join(name);
        let file = if name == "python" { "driver.py" } else { "driver.mjs" };
        let of = |mechanism: &Expected| (mechanism.name.clone(), mechanism.exports[index + 1].clone());
        write(&place.join("manifest.json"), &drivers::manifest(&expected.iter().map(of).collect::<Vec<_>>()));
        write(&place.join(file), &driver);
        run(Command::new(program).arg(file).current_dir(&place));
        let compared = expected.iter().map(|mechanism| {
            let out = std::fs::read_to_string(place.join(format!("{}.out", mechanism.name))).expect("results");
            compare(name, mechanism, &out, 1.0, if name == "python" { ROUNDINGS_OF_NUMPY } else { ROUNDINGS })
        });
        worst.push((program, compared.collect()));
    }
    for (program, differences) in worst {
        let largest = differences.iter().fold(0.0_f64, |largest, difference| largest.max(*difference));
        let (count, states) = (differences.len(), STATES);
        println!(
            "{program}: {count} mechanisms at {states} states agree; the largest difference is {largest:.1} roundings"
        );
    }
}

/// The tokens of a mechanism of parts that a program contains give the texts that its source file gives.
fn same_from_the_program(exported: &[([Export; 3], String, Box<dyn Reference + Sync>)]) {
    let whole = assembled(own::Crane::WHOLE).expect("the tokens of the mechanism");
    let (of_file, ..) = exported.iter().find(|(_, name, _)| *name == whole.name).expect("the file has the mechanism");
    for (program, file) in exports(&whole).iter().zip(of_file) {
        assert_eq!(program.files, file.files);
    }
}

/// The results of a function for each item, by two threads.
fn in_parallel<T: Sync, U: Send>(items: &[T], function: impl Fn(&T) -> U + Sync) -> Vec<U> {
    let (next, results) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some((index, item)) = {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    items.get(index).map(|item| (index, item))
                } {
                    let result = function(item);
                    results.lock().expect("no thread fails").push((index, result));
                }
            });
        }
    });
    let mut results = results.into_inner().expect("no thread fails");
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

fn exports(found: &Found) -> [Export; 3] {
    [Language::C, Language::JavaScript, Language::Python]
        .map(|language| export(found, language).unwrap_or_else(|error| panic!("{}: {error:?}", found.name)))
}

fn expect(exports: &[Export; 3], name: &str, reference: &dyn Reference) -> Expected {
    let mut random = Random(name.len() as u64);
    let arguments: Vec<Arguments> = (0..STATES).map(|_| reference.arguments(&mut random)).collect();
    let values = arguments.iter().map(|at| {
        let names = drivers::names(&exports[0]).into_iter();
        names.map(|name| (name, with_changes(reference, name, at, &mut random))).collect()
    });
    Expected { name: name.to_owned(), values: values.collect(), arguments, exports: exports.clone() }
}

fn write(path: &Path, text: &str) {
    std::fs::write(path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

fn write_arguments(directory: &Path, mechanism: &Expected) {
    let line = |numbers: &[f64]| numbers.iter().map(|number| format!("{number:?} ")).collect::<String>() + "\n";
    let mut text = line(&mechanism.arguments[0].parameters);
    mechanism.arguments.iter().for_each(|at| text.push_str(&line(&at.listed())));
    write(&directory.join(format!("{}.in", mechanism.name)), &text);
}

/// Runs a program and returns its output.
fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{command:?}:\n{}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

/// Compiles the C text in both precisions with warnings as errors, runs it, and returns the largest difference in double precision.
fn compiled(place: &Path, compiler: &str, mechanism: &Expected) -> f64 {
    let (export, name) = (&mechanism.exports[0], &mechanism.name);
    let stem = &export.stem;
    let driver = format!("{stem}_{compiler}_main.c");
    write(&place.join(&driver), &drivers::c(export));
    let results = |precision: &str, flags: &[&str]| {
        let (object, program) = (format!("{stem}_{compiler}_{precision}.o"), format!("{stem}_{compiler}_{precision}"));
        let compile = || {
            let mut command = Command::new(compiler);
            command.args(WARNINGS).args(flags).current_dir(place);
            command
        };
        // Nothing in a text in single precision may be computed in double precision.
        run(compile().args(["-Wdouble-promotion", "-c", "-o", &object]).arg(format!("{stem}.c")));
        let symbols = run(Command::new("nm").arg("-u").arg(&object).current_dir(place));
        let foreign: Vec<&str> = symbols.split_whitespace().filter(|symbol| !is_allowed(symbol)).collect();
        assert!(foreign.is_empty(), "{name} calls {foreign:?}");
        run(compile().args(["-o", &program, &driver, &object, "-lm"]));
        let input = std::fs::File::open(place.join(format!("../{name}.in"))).expect("arguments");
        run(Command::new(place.join(&program).canonicalize().expect("a program")).stdin(input))
    };
    let double = compare(compiler, mechanism, &results("double", &["-O1"]), 1.0, ROUNDINGS);
    let single = results("single", &["-Os", "-DLAGRANGE_SINGLE"]);
    let unit = f64::from(f32::EPSILON) / f64::EPSILON;
    compare(&format!("{compiler} in single precision"), mechanism, &single, unit, ROUNDINGS_IN_SINGLE);
    double
}

/// Whether a text in C may need a symbol: functions of libm, and copies of memory.
fn is_allowed(symbol: &str) -> bool {
    let functions = [
        "sin", "cos", "sincos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "log", "sqrt",
        "pow", "fmod", "floor", "frexp", "ldexp", "fabs",
    ];
    let support = ["U", "memcpy", "memset", "_GLOBAL_OFFSET_TABLE_", "__stack_chk_fail"];
    support.contains(&symbol)
        || functions.contains(&symbol.strip_suffix('f').unwrap_or(symbol))
        || functions.contains(&symbol)
}

/// The sum of what was compared.
#[derive(Default)]
struct Tally {
    largest: f64,
    compared: usize,
    finite: usize,
}

/// Compares the output of a program with the reference, and returns the largest difference in roundings. `unit` is the size of a rounding of the
/// program's numbers, divided by a rounding of doubles. `allowed` is the most roundings of the program's numbers by which two numbers may differ.
fn compare(language: &str, mechanism: &Expected, output: &str, unit: f64, allowed: f64) -> f64 {
    let name = &mechanism.name;
    assert_eq!(output.lines().count(), STATES, "{language}: {name} has one line of results a state");
    let (sizes, mut tally) = (drivers::sizes(&mechanism.exports[0]), Tally::default());
    for ((line, expected), at) in output.lines().zip(&mechanism.values).zip(&mechanism.arguments) {
        let numbers: Vec<f64> = line.split_whitespace().map(number).collect();
        let mut rest = &numbers[..];
        for ((evaluation, expected), sizes) in expected.iter().zip(&sizes) {
            let count = sizes.iter().sum();
            assert!(rest.len() >= count, "{language}: {name} gives too few numbers");
            let (ours, others) = rest.split_at(count);
            rest = others;
            let is_refused = *evaluation == "acceleration_jacobian" && ours.iter().all(|number| number.is_nan());
            match expected {
                Some(expected) if !is_refused => {
                    assert_eq!(expected.len(), count, "{name}, {evaluation}");
                    let mut start = 0;
                    for size in sizes {
                        let part = start..start + size;
                        let agrees = compare_part(&ours[part.clone()], &expected[part], unit, allowed, &mut tally);
                        assert!(agrees.is_ok(), "{language}: {name}, {evaluation}[{start}..]: {agrees:?} at {at:?}");
                        start += size;
                    }
                }
                // Its solution with pivots is not exported.
                Some(_) | None => {}
            }
        }
        assert!(rest.is_empty(), "{language}: {name} gives too many numbers");
    }
    let Tally { largest, compared, finite } = tally;
    assert!(10 * finite >= 9 * compared, "{language}: {name} has values at {finite} of {compared} places only");
    largest
}

/// Compares the entries of one vector or matrix. The error has ours, the value, and the difference in roundings.
fn compare_part(
    ours: &[f64],
    expected: &[(f64, f64)],
    unit: f64,
    allowed: f64,
    tally: &mut Tally,
) -> Result<(), (f64, f64, f64)> {
    let largest = expected.iter().fold(0.0_f64, |largest, (value, _)| largest.max(value.abs()));
    for (&ours, &(value, change)) in ours.iter().zip(expected) {
        tally.compared += 1;
        if value.is_nan() && (ours.is_nan() || unit > 1.0) || ours == value {
            tally.finite += usize::from(ours.is_finite());
            continue;
        }
        if unit > 1.0 && ours.is_nan() {
            // Equations that are almost singular are singular in single precision.
            continue;
        }
        tally.finite += 1;
        let of_entry = (ours - value).abs() / (unit * (f64::EPSILON * value.abs() + change));
        let of_largest = (ours - value).abs() / (unit * f64::EPSILON * largest);
        let difference = of_entry.min(of_largest);
        // A NaN is no difference that is small.
        if difference <= allowed {
            tally.largest = tally.largest.max(difference);
        } else {
            return Err((ours, value, difference));
        }
    }
    Ok(())
}

/// A number as C, JavaScript or Python writes it.
fn number(word: &str) -> f64 {
    match word.trim_start_matches('-') {
        "nan" | "NaN" => f64::NAN,
        _ => word.parse().unwrap_or_else(|_| panic!("{word} is no number")),
    }
}
