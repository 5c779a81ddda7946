//! `lagrange export` as a user meets it: files, and what is said about mistakes.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn export(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lagrange")).arg("export").args(arguments).output().expect("the program starts")
}

fn error(arguments: &[&str]) -> String {
    let output = export(arguments);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    String::from_utf8(output.stderr).expect("messages are text")
}

/// An empty directory of this test's own.
fn directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a directory");
    path
}

/// A source file with this text.
fn source(name: &str, text: &str) -> String {
    let path = directory(name).join("main.rs");
    std::fs::write(&path, text).expect("a file");
    path.to_str().expect("the path is text").to_owned()
}

#[test]
fn a_mechanism_by_name_and_by_its_source_has_the_same_code() {
    let directory = directory("export_both");
    let to = |name: &str| directory.join(name).to_str().expect("the path is text").to_owned();
    let file = format!("{}/../models/src/double_pendulum.rs", env!("CARGO_MANIFEST_DIR"));
    for (language, name) in
        [("c", "double_pendulum.c"), ("js", "double_pendulum.mjs"), ("python", "double_pendulum.py")]
    {
        for (mechanism, place) in [("double-pendulum", "by_name"), (&file[..], "by_source")] {
            let output = export(&[mechanism, "--to", language, "--output", &to(place)]);
            assert!(output.status.success(), "{output:?}");
            assert!(String::from_utf8_lossy(&output.stdout).contains(name), "{output:?}");
        }
        // The summaries of the list and of the struct differ, and stand in the first lines.
        let code = |place: &str| {
            let text = std::fs::read_to_string(directory.join(place).join(name)).expect("the file is there");
            text.lines().skip(2).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(code("by_name"), code("by_source"));
    }
    let output = export(&["double-pendulum", "--to", "c", "--output", &to("by_name")]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("exists; add --force to replace it"), "{output:?}");
}

#[test]
fn a_file_is_refused_with_what_it_has() {
    let none = source("export_none", "struct Pendulum { m: f64 }");
    assert!(error(&[&none, "--to", "c"]).contains("has no struct with the attribute `#[lagrangian { … }]`"));
    let block = "#[lagrangian { coordinates x; kinetic = m*dot(x)^2/2; }]";
    let two = source("export_two", &format!("{block} struct Pendulum {{ m: f64 }} {block} struct Wheel {{ m: f64 }}"));
    let message = error(&[&two, "--to", "c"]);
    assert!(message.contains("name one of them behind the file: Pendulum, Wheel"), "{message}");
    let message = error(&[&two, "Pendulm", "--to", "c"]);
    assert!(message.contains("no mechanism `Pendulm`; did you mean `Pendulum`?"), "{message}");
    let message = error(&["missing.rs", "--to", "c"]);
    assert!(message.contains("cannot read the source file `missing.rs`"), "{message}");
    let message = error(&["double-pendulm", "--to", "c"]);
    assert!(message.contains("did you mean `double-pendulum`?"), "{message}");
    let message = error(&["double-pendulum", "Pendulum", "--to", "c"]);
    assert!(message.contains("only a source file has"), "{message}");
}

#[test]
fn mistakes_are_told_with_file_line_and_column() {
    let syntax = source("export_syntax", "struct Pendulum {\n    m: f64;\n}\n");
    let message = error(&[&syntax, "--to", "c"]);
    assert!(message.contains(&format!("{syntax}:2:11: ")), "{message}");
    let block = source(
        "export_block",
        "#[lagrangian {\n    coordinates x;\n    kinetic = n*dot(x)^2/2;\n}]\nstruct Mass {\n    m: f64,\n}\n",
    );
    let message = error(&[&block, "--to", "python"]);
    assert!(message.contains(&format!("{block}:3:15: ")) && message.contains("`n`"), "{message}");
    let own = source(
        "export_own",
        "#[lagrangian { coordinates x; extern lift(x) = lift, d(x) = slope; kinetic = m*dot(x)^2/2; force x = lift(x); }]
         struct Wing { m: f64 }",
    );
    let message = error(&[&own, "--to", "c"]);
    assert!(message.contains("`Wing` calls functions that only Rust has, by `extern`: lift"), "{message}");
}

#[test]
fn a_unit_starts_with_the_values_of_the_catalogue_or_of_the_command() {
    let directory = directory("export_unit");
    let to = directory.to_str().expect("the path is text");
    let unit = |arguments: &[&str]| {
        let output = export(&[arguments, &["--to", "fmu", "--output", to, "--force"]].concat());
        assert!(output.status.success(), "{output:?}");
        let said = String::from_utf8(output.stdout).expect("it is text");
        let (path, about) = said.split_once(": ").expect("a path and what is in it");
        assert!(about.contains("sources"), "{about}");
        // The archive is not compressed.
        String::from_utf8_lossy(&std::fs::read(path).expect("the file is there")).into_owned()
    };
    let pendulum = unit(&["double-pendulum", "--start", "theta1=90deg"]);
    assert!(pendulum.starts_with("PK\u{3}\u{4}"), "an archive");
    for (name, start) in [("m1", "1.0"), ("theta1", "1.5707963267948966"), ("der(theta2)", "6.0")] {
        let line =
            pendulum.lines().find(|line| line.contains(&format!("<Float64 name=\"{name}\""))).expect("a variable");
        assert!(line.contains(&format!("start=\"{start}\"")), "{line}");
    }
    let block = "#[lagrangian { coordinates x; kinetic = m*dot(x)^2/2; }] struct Mass { m: f64 }";
    let file = source("export_unit_file", block);
    assert!(unit(&[&file, "--start", "m=2", "--start", "x_dot=3"]).contains("{2.0}"));
    let message = error(&[&file, "--to", "fmu", "--output", to]);
    assert!(message.contains("a start value is missing of the parameters `m`; `--start NAME=VALUE`"), "{message}");
    let message = error(&["double-pendulum", "--to", "c", "--start", "m1=2"]);
    assert!(message.contains("a text has no start values"), "{message}");
    let block = "#[lagrangian { coordinates x, y; kinetic = (dot(x)^2 + dot(y)^2)/2; friction rail: [x, y] = m; }] struct Puck { m: f64 }";
    let puck = source("export_unit_puck", block);
    let message = error(&[&puck, "--to", "fmu", "--output", to, "--start", "m=1"]);
    assert!(message.contains("a `friction` has a slip that is a vector"), "{message}");
}
