//! Brackets that do not match, for which the parser of Rust has no message of its own.

/// A bracket without its partner: what is said about it, its line and its column, counted from 1.
pub(crate) struct Unmatched {
    pub(crate) text: &'static str,
    pub(crate) line: usize,
    pub(crate) column: usize,
}

/// The first bracket without a partner, outside comments and texts in quotes.
pub(crate) fn unmatched(source: &str) -> Option<Unmatched> {
    let mut open: Vec<(char, usize, usize)> = Vec::new();
    let (mut line, mut column) = (1, 0);
    let mut characters = source.chars().peekable();
    let (mut in_comment, mut in_text) = (false, false);
    while let Some(character) = characters.next() {
        column += 1;
        if character == '\n' {
            (line, column, in_comment) = (line + 1, 0, false);
            continue;
        }
        if in_comment {
            continue;
        }
        if in_text {
            if character == '\\' {
                characters.next();
                column += 1;
            }
            in_text = character != '"';
            continue;
        }
        match character {
            '/' if characters.peek() == Some(&'/') => in_comment = true,
            '"' => in_text = true,
            '(' | '[' | '{' => open.push((character, line, column)),
            ')' | ']' | '}' => {
                let wanted = match character {
                    ')' => '(',
                    ']' => '[',
                    _ => '{',
                };
                match open.pop() {
                    Some((found, ..)) if found == wanted => {}
                    Some(_) => return Some(Unmatched { text: "mismatched closing delimiter", line, column }),
                    None => return Some(Unmatched { text: "unexpected closing delimiter", line, column }),
                }
            }
            _ => {}
        }
    }
    let (_, line, column) = open.pop()?;
    Some(Unmatched { text: "this file contains an unclosed delimiter", line, column })
}
