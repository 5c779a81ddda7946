//! Reads settings from a TOML file and turns them into arguments of the command line.

use super::Failure;
use super::output::quoted;
use crate::suggest::explain_unknown;
use clap::Command;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use toml::de::{DeTable, DeValue};
use toml::{Table, Value};

/// The option that names the file.
const OPTION: &str = "--settings";

/// The key that names the mechanism. On the command line the mechanism is an argument without an
/// option.
const MODEL: &str = "model";

/// The option `--settings`. It is declared here so that a command accepts it and lists it in its
/// help. [`expand`] reads the file before the arguments are parsed.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Settings {
    /// Take the mechanism and the options that are not given here from a TOML file
    ///
    /// Its keys are the names of the options, and `model`. Options that change values by name are tables.
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,
}

/// Returns `arguments` with those of the file that `--settings` names. `arguments` begins with the
/// program and a command of `program`.
///
/// An option on the command line replaces the same option of the file. If the option takes
/// `NAME=VALUE`, only values with the same name are replaced. The mechanism of the file is used
/// unless the command is followed by a mechanism.
///
/// # Errors
/// [`Failure::Usage`] names the file that cannot be read, the place of an error in it, or a key
/// that the command does not have.
pub(super) fn expand(program: &Command, arguments: Vec<OsString>) -> Result<Vec<OsString>, Failure> {
    let Some(path) = file(&arguments)? else { return Ok(arguments) };
    let Some(command) = arguments.get(1).and_then(|name| program.find_subcommand(name)) else { return Ok(arguments) };
    let shown = quoted(&path);
    let text = read(&path).map_err(|error| Failure::Usage(format!("cannot read the settings {shown}: {error}")))?;
    let table: Table = text.parse().map_err(|error: toml::de::Error| {
        let hint = unquoted(&text, error.span().map_or(0, |span| span.start)).unwrap_or_default();
        Failure::Usage(format!("the settings {shown}: {error}{hint}"))
    })?;
    let (head, given) = arguments.split_at(2);
    let mut expanded = head.to_vec();
    for (key, value) in &table {
        let failed = |text: String| Failure::Usage(format!("the settings {shown}: {text}"));
        if key == MODEL {
            let Value::String(model) = value else { return Err(failed(format!("`{MODEL}` must be a name in quotes"))) };
            if given.first().is_none_or(|first| first.to_string_lossy().starts_with('-')) {
                expanded.insert(2, model.into());
            }
            continue;
        }
        let option = key.replace('_', "-");
        let known = known(command);
        if !known.contains(&option) {
            let text = explain_unknown("setting", &option, &known);
            return Err(failed(format!("{text}{}", place_of(&option, &known))));
        }
        let entries = match value {
            Value::Table(entries) => in_order(&text, key, entries),
            _ => Vec::new(),
        };
        expanded.extend(converted(&option, value, &entries, given).map_err(failed)?.into_iter().map(OsString::from));
    }
    expanded.extend_from_slice(given);
    Ok(expanded)
}

/// The largest file of settings, in bytes.
const LARGEST: u64 = 1 << 20;

/// Reads a file of settings. What is larger than [`LARGEST`], or has no end, is no such file.
fn read(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    File::open(path)?.take(LARGEST + 1).read_to_string(&mut text)?;
    match u64::try_from(text.len()) {
        Ok(length) if length <= LARGEST => Ok(text),
        _ => Err(io::Error::other("it is larger than 1 MiB, and settings are some lines of text")),
    }
}

/// Returns the file that `--settings` names, or `None` if this option is not given.
///
/// # Errors
/// [`Failure::Usage`] if the option is given twice.
fn file(arguments: &[OsString]) -> Result<Option<PathBuf>, Failure> {
    let mut found: Option<PathBuf> = None;
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let path = match argument.to_str().and_then(|text| text.strip_prefix(OPTION)) {
            Some("") => rest.next().map(PathBuf::from),
            Some(value) => value.strip_prefix('=').map(PathBuf::from),
            None => None,
        };
        if let Some(path) = path
            && let Some(first) = found.replace(path)
        {
            return Err(Failure::Usage(format!("{OPTION} is given twice, first as {}", quoted(Path::new(&first)))));
        }
    }
    Ok(found)
}

/// Returns the keys that a file of settings for this command may have.
fn known(command: &Command) -> Vec<String> {
    let options = command.get_arguments().filter_map(|argument| argument.get_long()).map(str::to_owned);
    let options = options.filter(|name| !["settings", "help", "version"].contains(&name.as_str()));
    std::iter::once(MODEL.to_owned()).chain(options).collect()
}

/// Returns the hint that follows the message about an unknown `key`. It says where the value
/// belongs, if the key looks like a name for the mechanism, or if the command takes parameters and
/// initial values. Otherwise it is empty.
fn place_of(key: &str, known: &[String]) -> String {
    let has = |name: &str| known.iter().any(|known| known == name);
    match key {
        "mechanism" | "system" | "name" => format!("; the name of the mechanism is the value of `{MODEL}`"),
        _ if has("set") && has("initial") => {
            "; parameters and inputs belong in a table [set], initial values in a table [initial]".to_owned()
        }
        _ => String::new(),
    }
}

/// Returns the hint to put a value into quotes. The value is that of the line of `text` which
/// contains the byte `position`. There is no hint if it begins with anything but a letter, a
/// digit, a sign or a point: it then has quotes, or another mistake.
fn unquoted(text: &str, position: usize) -> Option<String> {
    let start = text.get(..position)?.rfind('\n').map_or(0, |end| end + 1);
    let line = text.get(start..)?.lines().next()?;
    let (key, value) = line.split('#').next()?.split_once('=')?;
    let (key, value) = (key.trim(), value.trim());
    let is_plain = value.starts_with(|first: char| first.is_alphanumeric() || ['-', '+', '.'].contains(&first));
    is_plain.then(|| format!("a name, or a number with a unit, stands in quotes: {key} = \"{value}\""))
}

/// Returns the entries of the table `key` in the order in which the `text` of the file has them. The
/// order counts for options such as `--vary`.
fn in_order<'a>(text: &str, key: &str, entries: &'a Table) -> Vec<(&'a String, &'a Value)> {
    let mut entries: Vec<(&String, &Value)> = entries.iter().collect();
    // The text has been read before, so that reading it again does not fail.
    if let Ok(file) = DeTable::parse(text)
        && let Some(DeValue::Table(places)) = file.get_ref().get(key).map(toml::Spanned::get_ref)
    {
        let place = |name: &str| places.get_key_value(name).map_or(0, |(name, _)| name.span().start);
        entries.sort_by_key(|(name, _)| place(name));
    }
    entries
}

/// Returns the arguments for the key `option` of the file and its value, of which `entries` are
/// those of a table. Values that the `given` arguments of the command line replace are left out.
///
/// # Errors
/// The text says which types of values are allowed.
fn converted(
    option: &str,
    value: &Value,
    entries: &[(&String, &Value)],
    given: &[OsString],
) -> Result<Vec<String>, String> {
    let flag = format!("--{option}");
    let is_given = given.iter().any(|argument| {
        argument
            .to_str()
            .and_then(|text| text.strip_prefix(&flag))
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
    });
    match value {
        Value::Table(_) => {
            let mut arguments = Vec::new();
            for (name, value) in entries {
                if !replaces(given, &flag, name) {
                    arguments.push(format!("{flag}={name}={}", scalar_or_list(name, value)?));
                }
            }
            Ok(arguments)
        }
        _ if is_given => Ok(Vec::new()),
        Value::Boolean(true) => Ok(vec![flag]),
        Value::Boolean(false) => Ok(Vec::new()),
        Value::Array(values) => values.iter().map(|value| Ok(format!("{flag}={}", scalar(option, value)?))).collect(),
        value => Ok(vec![format!("{flag}={}", scalar(option, value)?)]),
    }
}

/// Whether the command line gives the option `flag` a value for this `name`, as `NAME=VALUE`.
fn replaces(given: &[OsString], flag: &str, name: &str) -> bool {
    let names = |text: &str| text.split_once('=').is_some_and(|(known, _)| known.trim() == name);
    given.iter().enumerate().any(|(index, argument)| {
        let Some(rest) = argument.to_str().and_then(|text| text.strip_prefix(flag)) else { return false };
        match rest {
            "" => given.get(index + 1).and_then(|next| next.to_str()).is_some_and(names),
            _ => rest.strip_prefix('=').is_some_and(names),
        }
    })
}

/// Returns a number, a text or a list of them as it is written on the command line.
///
/// # Errors
/// The text says what `key` must have.
fn scalar_or_list(key: &str, value: &Value) -> Result<String, String> {
    match value {
        Value::Array(values) => {
            let values: Vec<String> = values.iter().map(|value| scalar(key, value)).collect::<Result<_, _>>()?;
            Ok(format!("[{}]", values.join(",")))
        }
        value => scalar(key, value),
    }
}

/// Returns a number or a text as it is written on the command line.
///
/// # Errors
/// The text says that `key` must have a number or a text.
fn scalar(key: &str, value: &Value) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Integer(number) => Ok(number.to_string()),
        Value::Float(number) => Ok(format!("{number:?}")),
        _ => Err(format!("`{key}` must be a number or a text in quotes")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::Arguments;
    use clap::{CommandFactory, Parser};

    /// Returns the expanded arguments after the command, for a file with `text`. A message of an
    /// error has `FILE` in place of the path.
    fn expanded(name: &str, text: &str, given: &[&str]) -> Result<Vec<String>, String> {
        let path = std::env::temp_dir().join(format!("lagrange-settings-{}-{name}.toml", std::process::id()));
        std::fs::write(&path, text).expect("the temporary directory is writable");
        let file = format!("{OPTION}={}", path.display());
        let arguments = ["lagrange", "simulate"].iter().chain(given).map(OsString::from).chain([OsString::from(file)]);
        let result = expand(&Arguments::command(), arguments.collect());
        std::fs::remove_file(&path).expect("ours");
        match result {
            Ok(all) => {
                Arguments::try_parse_from(&all).map_err(|error| error.to_string())?;
                let count = all.len();
                let all = all.into_iter().map(|argument| argument.into_string().expect("all are texts"));
                Ok(all.take(count - 1).skip(2).collect())
            }
            Err(Failure::Usage(text)) => Err(text.replace(&path.display().to_string(), "FILE")),
            Err(other) => panic!("{other:?}"),
        }
    }

    const WHOLE: &str = "\
model = 'double-pendulum'
t-end = 10
method = 'rk4'
step = 1e-3
json = true
project = false
[set]
m1 = 2
m2 = 0.5
[initial]
theta1 = '45deg'
";

    #[test]
    fn a_file_stands_for_the_arguments() {
        let found = expanded("whole", WHOLE, &[]).expect("all keys are known");
        let expected = [
            "double-pendulum",
            "--initial=theta1=45deg",
            "--json",
            "--method=rk4",
            "--set=m1=2",
            "--set=m2=0.5",
            "--step=0.001",
            "--t-end=10",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn the_command_line_replaces_what_the_file_says() {
        let given = ["kepler", "--t-end", "3", "--set", "m1=7", "--initial=theta1=1"];
        let found = expanded("replaced", WHOLE, &given).expect("all keys are known");
        let expected = [
            "--json",
            "--method=rk4",
            "--set=m2=0.5",
            "--step=0.001",
            "kepler",
            "--t-end",
            "3",
            "--set",
            "m1=7",
            "--initial=theta1=1",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_table_keeps_its_order() {
        let text = "model = 'kepler'\nt-end = 3\n[initial]\ny = 2\nx = 1\n'dot(y)' = 4\n";
        let found = expanded("order", text, &[]).expect("all keys are known");
        assert_eq!(found, ["kepler", "--initial=y=2", "--initial=x=1", "--initial=dot(y)=4", "--t-end=3"]);
    }

    #[test]
    fn mistakes_in_the_file_are_named_with_their_place() {
        let error = expanded("unknown", "model = 'kepler'\nt_en = 3\n", &[]).expect_err("no such option");
        assert!(error.starts_with("the settings `FILE`: no setting `t-en`; did you mean `t-end`?"), "{error}");
        let error = expanded("syntax", "t-end = \n", &[]).expect_err("a value is missing");
        assert!(error.contains("FILE") && error.contains("line 1"), "{error}");
        let error = expanded("table", "model = 'kepler'\n[parameters]\nm = 3\n", &[]).expect_err("no such table");
        assert!(error.contains("no setting `parameters`") && error.contains("a table [set]"), "{error}");
        let error = expanded("name", "mechanism = 'kepler'\n", &[]).expect_err("no such key");
        assert!(error.contains("no setting `mechanism`") && error.contains("the value of `model`"), "{error}");
        let error = expanded("unit", "[initial]\ntheta1 = 30deg\n", &[]).expect_err("no number");
        assert!(error.ends_with("stands in quotes: theta1 = \"30deg\""), "{error}");
        let error = expanded("quotes", "model = kepler\n", &[]).expect_err("no quotes");
        assert!(error.ends_with("stands in quotes: model = \"kepler\""), "{error}");
        let error = expanded("shape", "t-end = 1979-05-27\n", &[]).expect_err("a date");
        assert_eq!(error, "the settings `FILE`: `t-end` must be a number or a text in quotes");
        let error = expanded("missing", "model = 'kepler'\n", &[]).expect_err("no end time");
        assert!(error.contains("--t-end"), "{error}");
    }

    #[test]
    fn an_array_of_parameters_is_a_list() {
        let text = "model = 'kepler'\nt-end = 3\n[set]\ntau = [1, 2.5, 'pi/2']\n";
        let found = expanded("array", text, &[]).expect("lists are known");
        assert_eq!(found, ["kepler", "--set=tau=[1,2.5,pi/2]", "--t-end=3"]);
        let error = expanded("nested", "[set]\ntau = [[1], 2]\n", &[]).expect_err("too deep");
        assert!(error.contains("`tau` must be a number or a text in quotes"), "{error}");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_file_without_an_end_is_refused() {
        let error = |path: &str| {
            let arguments = ["lagrange", "simulate", "kepler", OPTION, path].map(OsString::from);
            expand(&Arguments::command(), arguments.to_vec()).expect_err("no settings").text().to_owned()
        };
        assert!(error("/dev/zero").contains("`/dev/zero`: it is larger than 1 MiB"), "{}", error("/dev/zero"));
        assert!(error("/dev/urandom").contains("cannot read the settings `/dev/urandom`"), "{}", error("/dev/urandom"));
        assert!(error("/").contains("cannot read the settings"), "{}", error("/"));
    }

    #[test]
    fn a_file_that_is_not_there_is_named() {
        let arguments = ["lagrange", "simulate", "kepler", OPTION, "nowhere.toml"].map(OsString::from);
        let error = expand(&Arguments::command(), arguments.to_vec()).expect_err("no such file");
        assert!(matches!(&error, Failure::Usage(text) if text.contains("nowhere.toml")), "{error:?}");
    }
}
