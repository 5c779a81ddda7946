//! Sets of symbols, one per node, so that dependence is known without a search.

/// A set of small integers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SymbolSet {
    words: Vec<u64>,
}

impl SymbolSet {
    pub(crate) fn insert(&mut self, index: u32) {
        let word = (index / 64) as usize;
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (index % 64);
    }

    pub(crate) fn union(&mut self, other: &Self) {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        for (word, more) in self.words.iter_mut().zip(&other.words) {
            *word |= more;
        }
    }

    pub(crate) fn meets(&self, other: &Self) -> bool {
        self.words.iter().zip(&other.words).any(|(word, more)| word & more != 0)
    }

    pub(crate) fn contains(&self, index: u32) -> bool {
        self.words.get((index / 64) as usize).is_some_and(|word| word >> (index % 64) & 1 == 1)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.iter().enumerate().flat_map(|(position, &word)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| position as u32 * 64 + bit)
        })
    }
}
