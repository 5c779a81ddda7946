//! A position in a list of tokens.

use crate::report::Place;
use proc_macro2::{Delimiter, Group, Ident, Spacing, Span, TokenStream, TokenTree};

/// Reads the tokens of a block or of a delimited group one after the other.
#[derive(Clone)]
pub(crate) struct Cursor {
    tokens: Vec<TokenTree>,
    position: usize,
    /// What to underline where a token is missing at the end, and what stands there.
    end: (Place, &'static str),
}

impl Cursor {
    /// Over the tokens of a block.
    pub(crate) fn new(stream: TokenStream) -> Self {
        let tokens: Vec<TokenTree> = stream.into_iter().collect();
        let end = tokens.last().map_or(Place::at(Span::call_site()), Place::of);
        Self { tokens, position: 0, end: (end, "the end of the block") }
    }

    /// Over tokens of which `end` is underlined where one is missing.
    pub(crate) fn within(stream: TokenStream, end: Place) -> Self {
        Self { tokens: stream.into_iter().collect(), position: 0, end: (end, "`)`") }
    }

    /// Over what stands between the delimiters of a group.
    pub(crate) fn inside(group: &Group) -> Self {
        let end = match group.delimiter() {
            Delimiter::Parenthesis => "`)`",
            Delimiter::Brace => "`}`",
            Delimiter::Bracket => "`]`",
            Delimiter::None => "the end",
        };
        Self { tokens: group.stream().into_iter().collect(), position: 0, end: (Place::at(group.span_close()), end) }
    }

    /// Whether all tokens are read.
    pub(crate) fn is_empty(&self) -> bool {
        self.position == self.tokens.len()
    }

    /// The next token.
    pub(crate) fn peek(&self) -> Option<&TokenTree> {
        self.tokens.get(self.position)
    }

    /// The token after the next.
    pub(crate) fn peek_second(&self) -> Option<&TokenTree> {
        self.tokens.get(self.position + 1)
    }

    /// The tokens that are not read yet.
    pub(crate) fn rest(&self) -> &[TokenTree] {
        &self.tokens[self.position..]
    }

    /// Reads a token.
    pub(crate) fn next(&mut self) -> Option<TokenTree> {
        let token = self.tokens.get(self.position).cloned();
        self.position += usize::from(token.is_some());
        token
    }

    /// Place of the next token, or of the end.
    pub(crate) fn place(&self) -> Place {
        self.peek().map_or(self.end.0, Place::of)
    }

    /// Place of the token read last.
    pub(crate) fn last(&self) -> Place {
        self.position.checked_sub(1).and_then(|before| self.tokens.get(before)).map_or(self.end.0, Place::of)
    }

    /// Whether the next tokens are these punctuation characters, written without spaces between.
    pub(crate) fn at(&self, symbol: &str) -> bool {
        let count = symbol.chars().count();
        symbol.chars().enumerate().all(|(i, c)| match self.tokens.get(self.position + i) {
            Some(TokenTree::Punct(punct)) => {
                punct.as_char() == c && (i + 1 == count || punct.spacing() == Spacing::Joint)
            }
            _ => false,
        })
    }

    /// Reads these punctuation characters if they are next.
    pub(crate) fn eat(&mut self, symbol: &str) -> bool {
        let found = self.at(symbol);
        if found {
            self.position += symbol.chars().count();
        }
        found
    }

    /// Whether the next token is this word.
    pub(crate) fn at_word(&self, word: &str) -> bool {
        matches!(self.peek(), Some(TokenTree::Ident(ident)) if ident == word)
    }

    /// Reads this word if it is next.
    pub(crate) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        self.position += usize::from(found);
        found
    }

    /// Reads a name if one is next.
    pub(crate) fn eat_ident(&mut self) -> Option<Ident> {
        let Some(TokenTree::Ident(ident)) = self.peek() else { return None };
        let ident = ident.clone();
        self.position += 1;
        Some(ident)
    }

    /// The next token if it is a group with this delimiter.
    pub(crate) fn peek_group(&self, delimiter: Delimiter) -> Option<&Group> {
        match self.peek() {
            Some(TokenTree::Group(group)) if group.delimiter() == delimiter => Some(group),
            _ => None,
        }
    }

    /// Reads a group with this delimiter if one is next.
    pub(crate) fn eat_group(&mut self, delimiter: Delimiter) -> Option<Group> {
        let group = self.peek_group(delimiter)?.clone();
        self.position += 1;
        Some(group)
    }

    /// Skips past the next `;`.
    pub(crate) fn recover(&mut self) {
        while !self.is_empty() && !self.eat(";") {
            self.position += 1;
        }
    }

    /// Skips to the next `,` or to the end, for lists whose elements are reported one by one.
    pub(crate) fn recover_in_list(&mut self) {
        while !self.is_empty() && !self.at(",") {
            self.position += 1;
        }
    }

    /// The next token in words.
    pub(crate) fn found(&self) -> String {
        let Some(token) = self.peek() else { return self.end.1.to_owned() };
        match token {
            TokenTree::Group(group) => match group.delimiter() {
                Delimiter::Parenthesis => "`(`".to_owned(),
                Delimiter::Brace => "`{`".to_owned(),
                Delimiter::Bracket => "`[`".to_owned(),
                Delimiter::None => group.stream().to_string(),
            },
            TokenTree::Punct(first) => {
                let mut text = String::from(first.as_char());
                if let (Spacing::Joint, Some(TokenTree::Punct(second))) = (first.spacing(), self.peek_second())
                    && !matches!(second.as_char(), ';' | ',')
                {
                    text.push(second.as_char());
                }
                format!("`{text}`")
            }
            other => format!("`{other}`"),
        }
    }
}
