//! Lines and columns of places in a text.

/// How many characters one stored place serves, so that finding a place costs no more in a long line than in a short one.
const STRIDE: u32 = 256;

/// Where the lines of a text begin, and places inside long lines.
#[derive(Clone, Debug)]
pub(crate) struct Places<'a> {
    text: &'a str,
    /// Bytes, in increasing order, each with its line and its column.
    known: Vec<(usize, u32, u32)>,
}

impl<'a> Places<'a> {
    /// Reads a text once.
    pub(crate) fn new(text: &'a str) -> Self {
        let mut known = vec![(0, 1, 1)];
        let (mut line, mut column) = (1_u32, 1_u32);
        for (at, letter) in text.char_indices() {
            if letter == '\n' {
                (line, column) = (line.saturating_add(1), 1);
                known.push((at + 1, line, column));
            } else {
                column = column.saturating_add(1);
                if column % STRIDE == 0 {
                    known.push((at + letter.len_utf8(), line, column));
                }
            }
        }
        Self { text, known }
    }

    /// The line and the column of a byte that begins a character, both from 1.
    pub(crate) fn of(&self, at: usize) -> (u32, u32) {
        let before = self.known.partition_point(|(start, ..)| *start <= at).saturating_sub(1);
        let (start, line, column) = self.known[before];
        let letters = self.text.get(start..at).map_or(0, |between| between.chars().count());
        (line, column.saturating_add(u32::try_from(letters).unwrap_or(u32::MAX)))
    }
}

#[cfg(test)]
mod tests {
    use super::{Places, STRIDE};

    /// Against counting from the beginning of the text, at every character of lines that are short, empty and longer than the stride.
    #[test]
    fn places_are_those_of_counting() {
        let text = format!("é\n\n{}\nab{}\n", "ö<".repeat(400), "c".repeat(255));
        let places = Places::new(&text);
        for (at, _) in text.char_indices().chain([(text.len(), ' ')]) {
            let line = text[..at].matches('\n').count() as u32 + 1;
            let column = text[..at].chars().rev().take_while(|letter| *letter != '\n').count() as u32 + 1;
            assert_eq!(places.of(at), (line, column), "{at}");
        }
        // A place is found by counting over one stride of characters, of two bytes here, at most.
        assert!(places.known.windows(2).all(|pair| pair[1].0 - pair[0].0 <= 2 * STRIDE as usize));
    }
}
