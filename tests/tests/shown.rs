//! Every message of the derivation is shown by a case in `tests/messages`.

use lagrange_symbolic::report::Mistake;
use std::path::{Path, PathBuf};

const KINDS: [&str; 7] = ["names", "parts", "shapes", "syntax", "units", "physics", "proofs"];

/// What the second engine alone says is shown by its own tests, in `symbolica`. What is said of a block that is read without the compiler is
/// shown by the tests of the derivation.
const ELSEWHERE: [&str; 3] = ["EngineUnavailable", "PartElsewhere", "GivenAlone"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("messages/tests/ui")
}

#[test]
fn every_message_has_a_case() {
    let mut shown: Vec<String> = Vec::new();
    for kind in KINDS {
        for entry in folder().join(kind).read_dir().expect("each kind has a folder") {
            let path = entry.expect("the folder can be read").path();
            if path.extension().is_some_and(|extension| extension == "stderr") {
                let text = std::fs::read_to_string(&path).expect("an expected message is text");
                shown.extend(text.lines().filter(|line| !line.contains('|')).map(ToOwned::to_owned));
            }
        }
    }
    let missing: Vec<&str> = Mistake::ROWS
        .iter()
        .zip(Mistake::MESSAGES)
        .filter(|(row, _)| !ELSEWHERE.contains(row))
        .filter(|(_, message)| !shown.iter().any(|line| fits(line, message)))
        .map(|(row, _)| *row)
        .collect();
    assert!(missing.is_empty(), "no case in tests/messages shows {missing:?}");
}

/// Whether a line is a message: its constant parts in their order, the first at the start, the last at the end.
fn fits(line: &str, message: &str) -> bool {
    let Some(line) = line.strip_prefix("error: ") else { return false };
    let line = match line.strip_prefix("use of deprecated constant") {
        Some(warning) => warning.split_once("`: ").map_or("", |(_, text)| text),
        None => line,
    };
    let braces = |text: &str| text.replace('\u{1}', "{").replace('\u{2}', "}");
    let message = message.replace("{{", "\u{1}").replace("}}", "\u{2}");
    let (first, holes) = message.split_once('{').unwrap_or((&message, ""));
    let Some(mut rest) = line.strip_prefix(&braces(first)) else { return false };
    let mut parts = holes.split('{').filter_map(|part| part.split_once('}')).map(|(_, constant)| braces(constant));
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        let Some((_, behind)) = rest.split_once(&part) else { return false };
        rest = behind;
    }
    rest.ends_with(&last)
}
