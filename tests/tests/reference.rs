//! The language reference against the table of messages: every message, statement and function is in it.
//!
//! `UPDATE_EXPECT=1 cargo test -p lagrange-tests --test reference` writes the page of messages again.

use lagrange_symbolic::report::Mistake;
use quote::quote;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The headings of the page of messages, each with the first row of the table that stands under it.
const GROUPS: [(&str, &str); 10] = [
    ("Statements", "ExpectedStatement"),
    ("The text of expressions", "ExpectedExpression"),
    ("Fields of the struct", "NotAStruct"),
    ("Names", "ReservedName"),
    ("Statements that are missing or too many", "MissingCoordinates"),
    ("Shapes, indices and numbers", "ArgumentCount"),
    ("Units", "UnitForm"),
    ("What may stand where", "DivisionByZero"),
    ("The derived equations", "NoInertia"),
    ("Warnings", "InvariantUndecided"),
];

const INTRODUCTION: &str = "# Messages

Each message names what is wrong where it stands, and what to write instead. Names in braces stand for names and expressions of the
block; `{help}` and `{suggestion}` depend on them. A test writes this section from the table of messages in `lagrange-symbolic`.

Failures of `prepare` and of an integration are values: [`PrepareError`](../lagrange_runtime/error/enum.PrepareError.html) and
[`Failure`](../lagrange_runtime/error/enum.Failure.html), whose `remedy` says what to do.
";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../lagrange-macros/src")
}

fn read(name: &str) -> String {
    std::fs::read_to_string(folder().join(name)).expect("a page of the reference is text")
}

/// A text of the table of messages as a cell of a table of Markdown.
fn cell(text: &str) -> String {
    text.replace("{{", "{").replace("}}", "}").replace('|', "\\|")
}

#[test]
fn the_page_of_messages_is_the_table_of_messages() {
    let mut page = INTRODUCTION.to_owned();
    let mut groups = GROUPS.iter().peekable();
    for ((row, message), help) in Mistake::ROWS.iter().zip(Mistake::MESSAGES).zip(Mistake::HELPS) {
        if let Some((title, _)) = groups.next_if(|(_, first)| first == row) {
            let _ = write!(page, "\n## {title}\n\n| message | remedy |\n|---|---|\n");
        }
        let _ = writeln!(page, "| {} | {} |", cell(message), cell(help));
    }
    assert!(groups.next().is_none(), "a group begins with a row that does not exist");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(folder().join("language/messages.md"), &page).expect("the page can be written");
    }
    assert!(read("language/messages.md") == page, "the page is out of date: run this test with UPDATE_EXPECT=1");
}

/// The words that a help lists behind `before`, up to the end or to `after`.
fn listed(help: &str, before: &str, after: &str) -> Vec<String> {
    let (_, rest) = help.split_once(before).expect("the help lists words");
    let list = rest.split_once(after).map_or(rest, |(list, _)| list);
    list.split_whitespace().map(ToOwned::to_owned).collect()
}

#[test]
fn every_statement_is_described() {
    let position = Mistake::ROWS.iter().position(|row| *row == "ExpectedStatement").expect("a row of the table");
    let page = read("language/statements.md");
    for word in listed(Mistake::HELPS[position], "begins with a word: ", "\n") {
        assert!(page.contains(&format!("`{word}")), "`{word}` is not described");
    }
}

#[test]
fn every_warning_is_described() {
    let page = read("language/statements.md");
    for (name, _) in Mistake::LINTS {
        assert!(page.contains(&format!("`{name}`")), "`{name}` is not described");
    }
}

#[test]
fn every_function_is_described() {
    let block = quote!(coordinates x; kinetic = nofunctionhasthisname(x)*dot(x)^2;);
    let item = quote!(
        struct Nameless {}
    );
    let message = lagrange_symbolic::expand(block, item).to_string();
    let pages = [read("language/expressions.md"), read("language/derived.md")].concat();
    for word in listed(&message, "functions are ", ";") {
        let described = pages.split(['`', ' ', '(', ',']).any(|part| part == word);
        assert!(described, "the function `{word}` is not described");
    }
}

#[test]
fn every_page_of_the_guide_is_in_its_index() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../lagrange-runtime/src");
    let index = std::fs::read_to_string(source.join("guide.rs")).expect("the index is text");
    for entry in source.join("guide").read_dir().expect("the guide has a folder") {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            continue;
        }
        let page = path.file_stem().expect("a page has a name").to_string_lossy().into_owned();
        // A page that only a feature brings is named without a link, which would lead nowhere without the feature.
        let listed = [format!("| [`{page}`] |"), format!("| `{page}` |")].iter().any(|row| index.contains(row));
        assert!(listed, "`guide.rs` has no row for `{page}`");
        for part in [format!("guide/{page}.md"), format!("pub mod {page} {{}}")] {
            assert!(index.contains(&part), "`guide.rs` lacks `{part}`");
        }
    }
}
