//! Which arguments of a linear map come together in a bundle. A bundle runs through all that depends on one of its arguments.

use crate::graph::SymbolSet;

/// The arguments of the widest bundle of the runtime. Narrower ones are halves of it.
pub(super) const WIDTH: usize = 8;

/// What a bundle costs beside the operations of the map, in operations.
const ENTRY: u32 = 100;

/// Which arguments come together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bundles {
    /// The next ones.
    InTurn,
    /// Those on which the same operations depend: of a tree, coordinates of one branch.
    ByBranch,
    /// The next ones, and the outputs up to the last of them are needed alone: the map is symmetric.
    Symmetric,
}

/// The arguments of a bundle.
pub(super) struct Group {
    arguments: Vec<u32>,
    set: SymbolSet,
    /// How many outputs are needed.
    outputs: usize,
    is_padded: bool,
}

impl Group {
    /// The arguments in their slots.
    pub(super) fn slots(&self) -> impl Iterator<Item = Option<usize>> {
        let padding = if self.is_padded { WIDTH - self.arguments.len() } else { 0 };
        self.arguments.iter().map(|&argument| Some(argument as usize)).chain(std::iter::repeat_n(None, padding))
    }

    /// Whether what depends on a set of arguments and serves outputs from the first one on is needed.
    pub(super) fn needs(&self, arguments: &SymbolSet, first_output: usize) -> bool {
        first_output < self.outputs && self.set.meets(arguments)
    }
}

impl Bundles {
    /// The bundles of `count` arguments, from sets of arguments with the operations of what depends on them.
    pub(super) fn groups(self, weights: &[(SymbolSet, u32)], count: u32) -> Vec<Group> {
        if self == Self::ByBranch {
            return by_branch(weights, count);
        }
        let all: Vec<u32> = (0..count).collect();
        let chunks = all.chunks(WIDTH).map(|arguments| Group {
            arguments: arguments.to_vec(),
            set: set_of(arguments),
            outputs: match (self, arguments) {
                (Self::Symmetric, [.., last]) => *last as usize + 1,
                _ => usize::MAX,
            },
            is_padded: false,
        });
        chunks.collect()
    }
}

fn set_of(arguments: &[u32]) -> SymbolSet {
    let mut set = SymbolSet::default();
    arguments.iter().for_each(|&argument| set.insert(argument));
    set
}

/// Joins the two groups that save most operations, until nothing is saved. The shortest bundles come first. Arguments on which nothing depends are in
/// none.
fn by_branch(weights: &[(SymbolSet, u32)], count: u32) -> Vec<Group> {
    let cost = |set: &SymbolSet| -> u32 {
        ENTRY + weights.iter().filter(|(own, _)| own.meets(set)).map(|(_, weight)| weight).sum::<u32>()
    };
    let used = (0..count).filter(|&argument| weights.iter().any(|(set, _)| set.contains(argument)));
    let mut groups: Vec<(Vec<u32>, SymbolSet, u32)> = used
        .map(|argument| {
            let set = set_of(&[argument]);
            let cost = cost(&set);
            (vec![argument], set, cost)
        })
        .collect();
    let saving = |one: &(Vec<u32>, SymbolSet, u32), other: &(Vec<u32>, SymbolSet, u32)| {
        if one.0.len() + other.0.len() > WIDTH {
            return 0;
        }
        let mut both = one.1.clone();
        both.union(&other.1);
        (one.2 + other.2).saturating_sub(cost(&both))
    };
    let mut savings: Vec<Vec<u32>> =
        (0..groups.len()).map(|i| (0..i).map(|j| saving(&groups[i], &groups[j])).collect()).collect();
    loop {
        let pairs = savings
            .iter()
            .enumerate()
            .flat_map(|(i, row)| row.iter().enumerate().map(move |(j, &saved)| (saved, i, j)));
        // Of equal savings, the first pair.
        let Some((_, i, j)) =
            pairs.filter(|pair| pair.0 > 0).max_by_key(|&(saved, i, j)| (saved, std::cmp::Reverse((i, j))))
        else {
            break;
        };
        let (arguments, set, _) = groups.remove(i);
        savings.remove(i);
        savings.iter_mut().skip(i).for_each(|row| {
            row.remove(i);
        });
        groups[j].0.extend(arguments);
        groups[j].1.union(&set);
        groups[j].2 = cost(&groups[j].1);
        for k in 0..groups.len() {
            if k != j {
                savings[k.max(j)][k.min(j)] = saving(&groups[k], &groups[j]);
            }
        }
    }
    groups.sort_by_key(|&(_, _, cost)| cost);
    let groups = groups.into_iter().map(|(mut arguments, set, _)| {
        arguments.sort_unstable();
        Group { arguments, set, outputs: usize::MAX, is_padded: true }
    });
    groups.collect()
}
