//! A block as it is written.

use proc_macro2::{Delimiter, LineColumn, Spacing, TokenStream, TokenTree};

/// Returns the text of tokens in the lines and columns of their source, without comments, with at most one empty line
/// between two lines, and without the indentation that all lines share. Where the positions are not known, as for tokens that
/// a macro made, all of it is one line.
pub fn written(tokens: &TokenStream) -> String {
    let mut page = Page::default();
    page.stream(tokens);
    // The first line may stand beside the brace that opens the block.
    let smallest = page.lines.iter().skip(1).map(|(indent, _)| *indent).min().unwrap_or(0);
    let line = |index: usize, (indent, text): &(usize, String)| match index {
        0 => text.clone(),
        _ => format!("{:1$}{text}", "", indent - smallest),
    };
    let mut out = String::new();
    for (index, entry) in page.lines.iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        if page.after_gap.contains(&index) {
            out.push('\n');
        }
        out.push_str(&line(index, entry));
    }
    out
}

/// Lines of text with their indentation.
#[derive(Default)]
struct Page {
    lines: Vec<(usize, String)>,
    /// The lines before which the source has an empty line or a comment.
    after_gap: Vec<usize>,
    /// The place in the source where the last token ended.
    end: Option<LineColumn>,
    /// Whether the last token is joined to the next one.
    joint: bool,
}

impl Page {
    fn stream(&mut self, tokens: &TokenStream) {
        for token in tokens.clone() {
            match token {
                TokenTree::Group(group) => {
                    let (open, close) = match group.delimiter() {
                        Delimiter::Parenthesis => ("(", ")"),
                        Delimiter::Brace => ("{", "}"),
                        Delimiter::Bracket => ("[", "]"),
                        Delimiter::None => ("", ""),
                    };
                    self.token(open, group.span_open().start(), group.span_open().end());
                    self.stream(&group.stream());
                    self.token(close, group.span_close().start(), group.span_close().end());
                }
                TokenTree::Punct(punct) => {
                    self.token(&punct.as_char().to_string(), punct.span().start(), punct.span().end());
                    self.joint = punct.spacing() == Spacing::Joint;
                }
                other => self.token(&other.to_string(), other.span().start(), other.span().end()),
            }
        }
    }

    fn token(&mut self, text: &str, start: LineColumn, end: LineColumn) {
        if text.is_empty() {
            return;
        }
        let joint = std::mem::replace(&mut self.joint, false);
        match (self.end, self.lines.last_mut()) {
            (Some(last), Some((_, line))) if start.line <= last.line => {
                // Spaces that align statements are kept; without positions there is one between two tokens.
                let gap = match start.column.checked_sub(last.column) {
                    Some(gap) if start.line == last.line && start.line > 0 => gap,
                    _ => usize::from(!joint),
                };
                line.push_str(&" ".repeat(gap));
                line.push_str(text);
            }
            (last, _) => {
                if last.is_some_and(|last| start.line > last.line + 1) {
                    self.after_gap.push(self.lines.len());
                }
                self.lines.push((start.column, text.to_owned()));
            }
        }
        self.end = Some(end);
    }
}
