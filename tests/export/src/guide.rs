//! The page of the guide about other languages: its programs print the digits that it says.

use crate::{WARNINGS, run, write};
use lagrange_symbolic::export::{Language, export, mechanisms};
use std::path::Path;
use std::process::Command;

const PAGE: &str = include_str!("../../../lagrange-runtime/src/guide/leaving_rust.md");

/// The only block of code of a language.
fn code(language: &str) -> &'static str {
    let (_, rest) = PAGE.split_once(&format!("```{language}\n")).expect("the page has the language");
    rest.split_once("```").expect("the block has an end").0
}

/// Exports the mechanism of the page, and runs its programs.
pub(crate) fn check(directory: &Path, python: &str) {
    std::fs::create_dir_all(directory).expect("a directory for the programs");
    // The statements behind the struct are no items.
    let source = format!("fn page() {{ {} }}", code("rust"));
    let [found] = &mechanisms(&source).expect("the page has Rust")[..] else { panic!("the page has one mechanism") };
    for language in [Language::C, Language::JavaScript, Language::Python] {
        for file in export(found, language).expect("an export").files {
            write(&directory.join(&file.name), &file.text);
        }
    }
    for (language, name) in [("c", "main.c"), ("js", "main.mjs"), ("python", "main.py")] {
        write(&directory.join(name), code(language));
    }
    let in_place =
        |program: &str, arguments: &[&str]| run(Command::new(program).args(arguments).current_dir(directory));
    in_place("gcc", &[WARNINGS, &["-O2", "-o", "main", "main.c", "pendulum.c", "-lm"]].concat());
    let program = directory.join("main").canonicalize().expect("a program");
    let printed = [run(&mut Command::new(program)), in_place("node", &["main.mjs"]), in_place(python, &["main.py"])];
    for text in printed {
        assert_eq!(text, code("text"), "the page of the guide prints other digits");
    }
    assert!(code("rust").contains(code("text").trim()), "the program in Rust has the same digits");
}
