//! Elements of an XML file with their places, and attributes as numbers.

use super::places::Places;
use roxmltree::{Document, Error, Node, ParsingOptions};
use std::fmt;

/// A mistake in a robot's file, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// The line, from 1.
    pub(crate) line: u32,
    /// The column, from 1.
    pub(crate) column: u32,
    /// The message: the mistake, and what is allowed in its place.
    pub(crate) text: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.text)
    }
}

/// How deep elements may be nested, far beyond any robot: reading a tree needs stack for each level.
const DEPTH: usize = 200;
/// How many elements and texts a file may have.
const NODES: u32 = 2_000_000;

/// Reads a document. Document types are refused, so that no entity can make a small file large.
///
/// # Errors
/// [`Fault`] names the first place that is no XML.
pub(crate) fn document(text: &str) -> Result<Document<'_>, Fault> {
    if let Some(fault) = too_deep(text) {
        return Err(fault);
    }
    let options = ParsingOptions { allow_dtd: false, nodes_limit: NODES, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).map_err(|error| {
        if matches!(error, Error::DtdDetected) {
            let (line, column) = Places::new(text).of(text.find("<!DOCTYPE").unwrap_or_default());
            let text = "`<!DOCTYPE` begins a document type; it is not allowed, because its entities can make a small file large";
            return Fault { line, column, text: text.to_owned() };
        }
        let place = error.pos();
        // The library's text ends with the place, which stands before the message here.
        let text = error.to_string();
        let text = text.split(&format!(" at {place}")).next().unwrap_or_default();
        Fault { line: place.row, column: place.col, text: format!("this is no XML: {text}") }
    })
}

/// Refuses tags that are nested too deep before a tree is made of them. What is no XML is left to the reader of the tree.
fn too_deep(text: &str) -> Option<Fault> {
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(found) = text[at..].find('<') {
        let start = at + found;
        let rest = &text[start..];
        let behind = |end: &str| rest.find(end).map_or(rest.len(), |found| found + end.len());
        let length = if rest.starts_with("<!--") {
            behind("-->")
        } else if rest.starts_with("<![CDATA[") {
            behind("]]>")
        } else if rest.starts_with("</") {
            depth = depth.saturating_sub(1);
            behind(">")
        } else if rest.starts_with("<?") || rest.starts_with("<!") {
            behind(">")
        } else {
            let length = tag_length(rest);
            depth += usize::from(!rest[..length].ends_with("/>"));
            length
        };
        if depth > DEPTH {
            let (line, column) = Places::new(text).of(start);
            return Some(Fault { line, column, text: format!("elements are nested deeper than {DEPTH}") });
        }
        at = start + length;
    }
    None
}

/// The length of a tag, whose attributes may contain `>` between quotes.
fn tag_length(rest: &str) -> usize {
    let mut quote = None;
    for (at, letter) in rest.char_indices() {
        match (quote, letter) {
            (None, '"' | '\'') => quote = Some(letter),
            (Some(open), letter) if open == letter => quote = None,
            (None, '>') => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// An element with what its readers ask for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Element<'a> {
    node: Node<'a, 'a>,
    places: &'a Places<'a>,
}

impl<'a> Element<'a> {
    /// The root of a document.
    pub(crate) fn root(document: &'a Document<'a>, places: &'a Places<'a>) -> Self {
        Self { node: document.root_element(), places }
    }

    /// Its name, without the prefix of a name space.
    pub(crate) fn name(self) -> &'a str {
        self.node.tag_name().name()
    }

    /// The name space, which `xacro` uses.
    pub(crate) fn namespace(self) -> Option<&'a str> {
        self.node.tag_name().namespace()
    }

    /// The elements inside it.
    pub(crate) fn children(self) -> impl Iterator<Item = Self> {
        self.node.children().filter(Node::is_element).map(move |node| Self { node, places: self.places })
    }

    /// Every element inside it, at any depth.
    pub(crate) fn descendants(self) -> impl Iterator<Item = Self> {
        self.node.descendants().filter(Node::is_element).skip(1).map(move |node| Self { node, places: self.places })
    }

    /// The one element of this name inside it, or none.
    ///
    /// # Errors
    /// [`Fault`] at the second element of this name.
    pub(crate) fn only(self, name: &str) -> Result<Option<Self>, Fault> {
        let mut found = self.children().filter(|child| child.name() == name);
        let first = found.next();
        match found.next() {
            Some(second) => Err(second.fault(format!("a second `{name}` in `{}`; one is allowed", self.name()))),
            None => Ok(first),
        }
    }

    /// An attribute's text.
    pub(crate) fn attribute(self, name: &str) -> Option<&'a str> {
        self.node.attribute(name)
    }

    /// The names of its attributes, without those of name spaces.
    pub(crate) fn attributes(self) -> impl Iterator<Item = &'a str> {
        self.node.attributes().filter(|attribute| attribute.namespace().is_none()).map(|attribute| attribute.name())
    }

    /// One of these words, by its place among them.
    ///
    /// # Errors
    /// [`Fault`] at another word.
    pub(crate) fn choice(self, name: &str, allowed: &[&str]) -> Result<Option<usize>, Fault> {
        let Some(value) = self.attribute(name) else { return Ok(None) };
        if let Some(at) = allowed.iter().position(|allowed| *allowed == value) {
            return Ok(Some(at));
        }
        let known: Vec<String> = allowed.iter().map(|value| format!("`{value}`")).collect();
        let text = format!("`{name}` of `{}` is `{value}`; {} may stand there", self.name(), known.join(" or "));
        Err(self.fault_at(name, text))
    }

    /// An attribute's text, which must not be missing or empty.
    ///
    /// # Errors
    /// [`Fault`] names what is missing.
    pub(crate) fn required(self, name: &str) -> Result<&'a str, Fault> {
        match self.attribute(name) {
            Some(text) if !text.trim().is_empty() => Ok(text),
            Some(_) => Err(self.fault(format!("the attribute `{name}` of `{}` is empty", self.name()))),
            None => Err(self.fault(format!("`{}` has no attribute `{name}`", self.name()))),
        }
    }

    /// An attribute as a number, which must be finite.
    ///
    /// # Errors
    /// [`Fault`] names what is no number.
    pub(crate) fn number(self, name: &str) -> Result<Option<f64>, Fault> {
        Ok(self.numbers(name)?.map(|[number]: [f64; 1]| number))
    }

    /// An attribute as N numbers, which must be finite.
    ///
    /// # Errors
    /// [`Fault`] names what is no number, or how many there are.
    pub(crate) fn numbers<const N: usize>(self, name: &str) -> Result<Option<[f64; N]>, Fault> {
        let Some(list) = self.list(name)? else { return Ok(None) };
        match <[f64; N]>::try_from(list) {
            Ok(numbers) => Ok(Some(numbers)),
            Err(list) => {
                let needed = if N == 1 { "1 number".to_owned() } else { format!("{N} numbers") };
                let text = format!("`{name}` of `{}` has {} numbers; it needs {needed}", self.name(), list.len());
                Err(self.fault_at(name, text))
            }
        }
    }

    /// An attribute as any count of numbers, which must be finite.
    ///
    /// # Errors
    /// [`Fault`] names what is no number.
    pub(crate) fn list(self, name: &str) -> Result<Option<Vec<f64>>, Fault> {
        let Some(text) = self.attribute(name) else { return Ok(None) };
        let number = |word: &str| match word.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(number),
            _ => {
                let text = format!("`{word}` in `{name}` of `{}` is no finite number", self.name());
                Err(self.fault_at(name, text))
            }
        };
        text.split_whitespace().map(number).collect::<Result<Vec<f64>, Fault>>().map(Some)
    }

    /// The line of its first character.
    pub(crate) fn line(self) -> u32 {
        self.places.of(self.node.range().start).0
    }

    /// Something is wrong with this element.
    pub(crate) fn fault(self, text: String) -> Fault {
        self.at(self.node.range().start, text)
    }

    /// Something is wrong with an attribute of this element.
    pub(crate) fn fault_at(self, attribute: &str, text: String) -> Fault {
        let start = self.node.attribute_node(attribute).map_or(self.node.range().start, |found| found.range().start);
        self.at(start, text)
    }

    fn at(self, start: usize, text: String) -> Fault {
        let (line, column) = self.places.of(start);
        Fault { line, column, text }
    }
}
