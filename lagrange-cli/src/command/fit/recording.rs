//! A recording of a motion as CSV: a row of names, which may have units behind them as in `theta [rad]`, and a row of numbers for each time.

use crate::command::{Failure, output};
use crate::suggest::explain_unknown;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The largest file, in bytes.
const LARGEST: u64 = 1 << 28;
/// The name of the column of times.
const TIME: &str = "t";

/// The times of a recording, and the columns that were read.
#[derive(Debug, PartialEq)]
pub(super) struct Recording {
    pub(super) times: Vec<f64>,
    pub(super) columns: Vec<(String, Vec<f64>)>,
    /// The names of the columns that were not read.
    pub(super) unread: Vec<String>,
}

/// Which columns of a file are read.
pub(super) enum Wanted<'a> {
    /// Those of these names.
    Named(&'a [String]),
    /// Those for which `known` holds. Others that are not `ignored` are an error.
    Known {
        /// Whether a column has the name of a quantity that can be measured.
        known: &'a dyn Fn(&str) -> bool,
        /// Whether a column has a name that this program writes and that is computed from the others.
        ignored: &'a dyn Fn(&str) -> bool,
        /// The names of all quantities, for messages.
        names: &'a [String],
    },
}

/// The unit of a quantity of the mechanism by its name; empty where it is not known.
type Units<'a> = &'a dyn Fn(&str) -> &'static str;

/// Reads the recording in a file. Where the head of a column that is read states a unit, it must be the one that `unit` has for its quantity.
///
/// # Errors
/// [`Failure::Usage`] names the file and the line and the column of what is wrong.
pub(super) fn read(path: &Path, wanted: &Wanted<'_>, unit: Units<'_>) -> Result<Recording, Failure> {
    let shown = output::quoted(path);
    let text = text(path).map_err(|error| Failure::Usage(format!("cannot read the recording {shown}: {error}")))?;
    parse(&text, wanted, unit).map_err(|error| Failure::Usage(format!("the recording {shown}: {error}")))
}

fn text(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    File::open(path)?.take(LARGEST + 1).read_to_string(&mut text)?;
    match u64::try_from(text.len()) {
        Ok(length) if length <= LARGEST => Ok(text),
        _ => Err(io::Error::other("it is larger than 256 MiB")),
    }
}

fn parse(text: &str, wanted: &Wanted<'_>, unit: Units<'_>) -> Result<Recording, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    // Lines are counted from 1.
    let mut lines =
        text.lines().enumerate().map(|(index, line)| (index + 1, line)).filter(|(_, line)| !line.trim().is_empty());
    let (_, head) = lines.next().ok_or("it is empty; its first line must have the names of the columns")?;
    let heads = cells(head).map_err(|error| format!("line 1: {error}"))?;
    let (names, units): (Vec<String>, Vec<Option<&str>>) = heads.iter().map(|head| name_and_unit(head)).unzip();
    if let Some(name) = names.iter().enumerate().find_map(|(place, name)| names[..place].contains(name).then_some(name))
    {
        return Err(format!("two columns are named `{name}`"));
    }
    let all = || names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let time = names.iter().position(|name| name == TIME).ok_or_else(|| {
        let separator =
            if names.len() == 1 && head.contains([';', '\t']) { "; columns are separated by commas" } else { "" };
        format!("no column is named `{TIME}`, the time; there is {}{separator}", all())
    })?;
    let chosen = chosen(&names, wanted)?;
    if chosen.is_empty() {
        return Err(format!("no column but `{TIME}` has a quantity of the mechanism; there is {}", all()));
    }
    for place in chosen.iter().chain([&time]) {
        check_unit(&names[*place], units[*place], unit(&names[*place]))?;
    }
    let unread = names
        .iter()
        .enumerate()
        .filter(|(place, _)| *place != time && !chosen.contains(place))
        .map(|(_, name)| name.clone());
    let mut found = Recording {
        times: Vec::new(),
        columns: chosen.iter().map(|place| (names[*place].clone(), Vec::new())).collect(),
        unread: unread.collect(),
    };
    for (line, text) in lines {
        let row = cells(text).map_err(|error| format!("line {line}: {error}"))?;
        if row.len() != names.len() {
            return Err(format!("line {line} has {} cells, and there are {} names of columns", row.len(), names.len()));
        }
        let value = |place: usize| {
            number(&row[place]).map_err(|error| format!("line {line}, column `{}`: {error}", names[place]))
        };
        let t = value(time)?;
        match found.times.last() {
            None if t < 0.0 => {
                return Err(format!("line {line}: the time {t} is before 0, at which the motion starts"));
            }
            Some(before) if t < *before => {
                return Err(format!("line {line}: the time {t} is before that of the row above it, {before}"));
            }
            _ => found.times.push(t),
        }
        for ((_, values), place) in found.columns.iter_mut().zip(&chosen) {
            values.push(value(*place)?);
        }
    }
    if found.times.is_empty() {
        return Err("it has names of columns and no rows".to_owned());
    }
    Ok(found)
}

/// The name in the head of a column, and the unit in brackets behind a space. `tip[0]` is a name.
fn name_and_unit(head: &str) -> (String, Option<&str>) {
    let split = || head.strip_suffix(']')?.rsplit_once(" [");
    match split() {
        Some((name, unit)) => (name.trim_end().to_owned(), Some(unit.trim())),
        None => (head.to_owned(), None),
    }
}

/// Fails if the head of a column states another unit than the mechanism has. Nothing is converted.
fn check_unit(name: &str, stated: Option<&str>, known: &str) -> Result<(), String> {
    match stated {
        Some(stated) if !known.is_empty() && spelled(stated) != known => Err(format!(
            "the column `{name}` is in `{stated}`, and the mechanism's `{name}` in `{known}`; convert the numbers and state `{name} [{known}]`"
        )),
        _ => Ok(()),
    }
}

/// A unit as this program writes it: `kg*m^2/s^2` as `kg m²/s²`.
fn spelled(unit: &str) -> String {
    let mut text = String::new();
    let mut is_power = false;
    for sign in unit.chars() {
        is_power = sign == '^' || is_power && (sign == '-' || sign.is_ascii_digit());
        match sign {
            '^' => {}
            '*' | '·' => text.push(' '),
            '-' if is_power => text.push('⁻'),
            digit if is_power => {
                text.push(['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'][digit as usize - '0' as usize]);
            }
            sign => text.push(sign),
        }
    }
    text
}

/// The places of the columns to read.
fn chosen(names: &[String], wanted: &Wanted<'_>) -> Result<Vec<usize>, String> {
    match wanted {
        Wanted::Named(wanted) => {
            let place = |name: &String| {
                names.iter().position(|known| known == name).ok_or_else(|| explain_unknown("column", name, names))
            };
            wanted.iter().map(place).collect()
        }
        Wanted::Known { known, ignored, names: quantities } => {
            let mut places = Vec::new();
            for (place, name) in names.iter().enumerate().filter(|(_, name)| *name != TIME) {
                if known(name) {
                    places.push(place);
                } else if !ignored(name) {
                    let text = explain_unknown("quantity", name, quantities);
                    return Err(format!(
                        "{text}; --measured names the columns to use, where others are to be left out"
                    ));
                }
            }
            Ok(places)
        }
    }
}

/// A finite number.
fn number(cell: &str) -> Result<f64, String> {
    const HELP: &str = "leave the row out, or choose other columns by --measured";
    match cell.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        Ok(_) => Err(format!("`{cell}` is no finite number; {HELP}")),
        Err(_) if cell.is_empty() => Err(format!("the cell is empty; {HELP}")),
        Err(_) => Err(format!("`{cell}` is not a number; {HELP}")),
    }
}

/// The cells of a line, without spaces around them. A cell in quotes may contain commas, and two quotes for one.
fn cells(line: &str) -> Result<Vec<String>, String> {
    let mut cells = Vec::new();
    let mut rest = line;
    loop {
        let trimmed = rest.trim_start();
        let Some(mut inside) = trimmed.strip_prefix('"') else {
            match rest.split_once(',') {
                Some((cell, after)) => {
                    cells.push(cell.trim().to_owned());
                    rest = after;
                    continue;
                }
                None => {
                    cells.push(rest.trim().to_owned());
                    return Ok(cells);
                }
            }
        };
        let mut cell = String::new();
        loop {
            let (part, after) = inside.split_once('"').ok_or("a quote is not closed")?;
            cell.push_str(part);
            match after.strip_prefix('"') {
                Some(after) => {
                    cell.push('"');
                    inside = after;
                }
                None => {
                    inside = after.trim_start();
                    break;
                }
            }
        }
        cells.push(cell);
        match inside.strip_prefix(',') {
            Some(after) => rest = after,
            None if inside.is_empty() => return Ok(cells),
            None => return Err(format!("`{inside}` follows a closing quote")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(name: &str) -> &'static str {
        match name {
            "x" => "m",
            "x_dot" => "kg m⁻²/s¹⁰",
            "t" => "s",
            _ => "",
        }
    }

    fn parsed(text: &str) -> Result<Recording, String> {
        let wanted = Wanted::Known {
            known: &|name| ["x", "x_dot", "tip[0]"].contains(&name),
            ignored: &|name| name == "energy",
            names: &["x", "x_dot", "tip[0]"].map(str::to_owned),
        };
        parse(text, &wanted, &unit)
    }

    #[test]
    fn columns_are_found_by_their_names() {
        let found = parsed("\u{feff} x_dot ,t,energy,\"tip[0]\"\r\n1,0,nan,3\r\n\r\n-1e-3, 0.5 ,,\"4\"\r\n")
            .expect("it is right");
        assert_eq!(found.times, [0.0, 0.5]);
        assert_eq!(found.columns, [("x_dot".to_owned(), vec![1.0, -1e-3]), ("tip[0]".to_owned(), vec![3.0, 4.0])]);
        assert_eq!(found.unread, ["energy"]);
        let named =
            parse("t,x,comment\n0,1,start\n", &Wanted::Named(&["x".to_owned()]), &unit).expect("others are not read");
        assert_eq!((named.columns[0].1[0], &named.unread[..]), (1.0, &["comment".to_owned()][..]));
    }

    #[test]
    fn units_behind_names_must_be_those_of_the_mechanism() {
        // A unit that the mechanism does not know is taken as it is, and so is that of a column that is not read.
        let found =
            parsed("t [s],x [m],x_dot [kg*m^-2/s^10],tip[0] [V],energy [cal]\n0,1,2,3,4\n").expect("it is right");
        let plain = parsed("t,x,x_dot,tip[0],energy\n0,1,2,3,4\n").expect("it is right");
        assert_eq!(found, plain);
    }

    #[test]
    fn each_mistake_is_named_with_its_place() {
        for (text, told) in [
            ("", "it is empty"),
            ("t,x\n", "no rows"),
            (
                "t,x [mm]\n0,1\n",
                "the column `x` is in `mm`, and the mechanism's `x` in `m`; convert the numbers and state `x [m]`",
            ),
            ("t [ms],x\n0,1\n", "the column `t` is in `ms`"),
            ("t,x,x [m]\n0,1,1\n", "two columns are named `x`"),
            ("time,x\n0,1\n", "no column is named `t`, the time; there is `time`, `x`"),
            ("t;x\n0;1\n", "columns are separated by commas"),
            ("t,x,x\n0,1,1\n", "two columns are named `x`"),
            ("t,energy\n0,1\n", "no column but `t` has a quantity of the mechanism"),
            ("t,x_dto\n0,1\n", "no quantity `x_dto`; did you mean `x_dot`?"),
            ("t,x_dto\n0,1\n", "--measured"),
            ("t,x\n0,1\n1\n", "line 3 has 1 cells, and there are 2 names"),
            ("t,x\n0,1,2\n", "line 2 has 3 cells"),
            ("t,x\n0,1\n\n1,NaN\n", "line 4, column `x`: `NaN` is no finite number"),
            ("t,x\n0,inf\n", "line 2, column `x`: `inf` is no finite number"),
            ("t,x\n0,\n", "line 2, column `x`: the cell is empty; leave the row out"),
            ("t,x\n0,1.2.3\n", "line 2, column `x`: `1.2.3` is not a number"),
            ("t,x\nnan,1\n", "line 2, column `t`: `nan` is no finite number"),
            ("t,x\n-1,1\n", "line 2: the time -1 is before 0, at which the motion starts"),
            ("t,x\n1,1\n0.5,1\n", "line 3: the time 0.5 is before that of the row above it, 1"),
            ("t,\"x\n0,1\n", "line 1: a quote is not closed"),
            ("t,x\n0,\"1\"2\n", "line 2: `2` follows a closing quote"),
        ] {
            assert!(parsed(text).is_err_and(|error| error.contains(told)), "{text:?}: {:?}", parsed(text));
        }
        let missing = parse("t,x\n0,1\n", &Wanted::Named(&["y".to_owned()]), &unit).expect_err("there is none");
        assert!(missing.contains("no column `y`") && missing.contains("known: `t`, `x`"), "{missing}");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_file_without_an_end_or_without_text_is_refused() {
        for path in ["/dev/zero", "/dev/urandom", "/", "/nowhere.csv"] {
            let error = read(Path::new(path), &Wanted::Named(&[]), &unit).expect_err("no recording");
            assert!(error.text().contains("cannot read the recording"), "{error:?}");
        }
    }
}
