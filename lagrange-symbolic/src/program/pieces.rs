//! A linear map in pieces. A piece is short enough for an instruction cache. Pieces hand numbers to each other in slots, and a piece whose arguments are
//! 0 leaves 0 in its slots, so that it may be left out.

use super::bundles::Group;
use super::{Bundles, LinearMap, Operation, OperationCount, Routine, Step, Value};
use crate::graph::SymbolSet;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

/// The operations above which a piece ends. Such a piece takes some 5 kB of machine code.
const LONGEST_PIECE: u32 = 1000;

/// The operations of steps that stay together, if they depend on the same arguments and serve the same outputs.
const TOGETHER: u32 = 120;

/// What a piece costs beside its operations, in operations.
const PASSAGE: u32 = 60;

/// A linear map in pieces.
#[derive(Clone, Debug)]
pub struct Pieces {
    /// The pieces, in order.
    pub pieces: Vec<Piece>,
    /// The slot of each output; `None` for an output that is 0.
    pub outputs: Vec<Option<usize>>,
    /// The number of slots.
    pub slots: usize,
    /// The arguments in the first slots; `None` for a slot without one. An argument on which nothing depends may have no slot.
    pub order: Vec<Option<usize>>,
}

/// A part of a linear map.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The steps. The outputs are what the piece writes.
    pub routine: Routine,
    /// The slots of arguments and of values of earlier pieces that it reads.
    pub reads: Vec<(Value, usize)>,
    /// The slots of the outputs of the routine, in their order.
    pub writes: Range<usize>,
    /// The slots of the arguments on which it depends. Where all of them are 0, all that it writes is 0.
    pub arguments: Vec<Range<usize>>,
    /// The first output that depends on it.
    pub first_output: usize,
}

impl LinearMap {
    /// The map in pieces. `arguments` are the numbers that the arguments of the map have among all arguments of the evaluation, and `bundles` says
    /// which of them come together.
    pub fn pieces(&self, arguments: Range<u32>, bundles: Bundles) -> Pieces {
        let depends = self.dependence(arguments.start);
        let serves = self.first_outputs();
        let groups = bundles.groups(&self.weights(&depends), arguments.len() as u32);
        let order: Vec<Option<usize>> = groups.iter().flat_map(Group::slots).collect();
        let place: HashMap<u32, usize> =
            order.iter().enumerate().filter_map(|(slot, argument)| Some(((*argument)? as u32, slot))).collect();
        // Values that depend on the same arguments and serve the same outputs stand together, and operands stay before what uses them: a value
        // depends on all arguments of its operands, and an operand serves all outputs that the value serves.
        let mut steps: Vec<&Step> = self.map.steps.iter().filter(|step| depends.contains_key(&step.value)).collect();
        let first = |value: &Value| serves.get(value).copied().unwrap_or(usize::MAX);
        steps.sort_by_key(|step| (depends[&step.value].iter().last(), first(&step.value)));
        let is_argument = |step: &&&Step| matches!(step.operation, Operation::Argument(_));
        let mut slots: BTreeMap<Value, usize> = BTreeMap::new();
        for step in steps.iter().filter(is_argument) {
            if let Operation::Argument(index) = step.operation
                && let Some(&slot) = place.get(&(index - arguments.start))
            {
                slots.insert(step.value, slot);
            }
        }
        let computed = steps
            .iter()
            .filter(|step| !is_argument(step))
            .map(|&step| (step, &depends[&step.value], first(&step.value)));
        let parts = cut(computed, &|set, first| groups.iter().filter(|group| group.needs(set, first)).count() as u32);
        let home: HashMap<Value, usize> = parts
            .iter()
            .enumerate()
            .flat_map(|(part, steps)| steps.iter().map(move |step| (step.value, part)))
            .collect();
        let mut handed: BTreeSet<Value> =
            self.map.outputs.iter().copied().filter(|value| home.contains_key(value)).collect();
        for step in &steps {
            let own = home.get(&step.value);
            handed.extend(
                step.operation
                    .operands()
                    .into_iter()
                    .filter(|value| home.contains_key(value) && home.get(value) != own),
            );
        }
        let mut next = order.len();
        let mut writes: Vec<Range<usize>> = Vec::new();
        for steps in &parts {
            let first = next;
            for step in steps.iter().filter(|step| handed.contains(&step.value)) {
                slots.insert(step.value, next);
                next += 1;
            }
            writes.push(first..next);
        }
        let constants: Vec<&Step> = self.map.steps.iter().filter(|step| !depends.contains_key(&step.value)).collect();
        let pieces = parts.iter().zip(writes).map(|(steps, writes)| {
            let own: BTreeSet<Value> = steps.iter().map(|step| step.value).collect();
            let operands: BTreeSet<Value> = steps.iter().flat_map(|step| step.operation.operands()).collect();
            let reads = operands.difference(&own).filter_map(|value| Some((*value, *slots.get(value)?))).collect();
            let outputs = steps.iter().map(|step| step.value).filter(|value| handed.contains(value)).collect();
            let mut set = SymbolSet::default();
            steps.iter().for_each(|step| set.union(&depends[&step.value]));
            let is_used = |value: &Value| operands.contains(value);
            Piece {
                writes,
                routine: Routine {
                    steps: constants.iter().chain(steps).map(|&step| step.clone()).collect(),
                    outputs,
                    layout: self.map.layout.clone(),
                    hoisted: self.map.hoisted.iter().copied().filter(is_used).collect(),
                },
                reads,
                arguments: ranges(set.iter().filter_map(|argument| place.get(&argument).copied()).collect(), &order),
                first_output: own.iter().map(first).min().unwrap_or(usize::MAX),
            }
        });
        Pieces {
            pieces: pieces.collect(),
            outputs: self.map.outputs.iter().map(|value| slots.get(value).copied()).collect(),
            slots: next,
            order,
        }
    }

    /// The arguments on which each value of the map depends, for values that depend on one.
    fn dependence(&self, first: u32) -> HashMap<Value, SymbolSet> {
        let mut depends: HashMap<Value, SymbolSet> = HashMap::new();
        for step in &self.map.steps {
            if !self.varying.contains(&step.value) {
                continue;
            }
            let mut set = SymbolSet::default();
            if let Operation::Argument(index) = step.operation {
                set.insert(index - first);
            }
            for operand in step.operation.operands() {
                if let Some(known) = depends.get(&operand) {
                    set.union(known);
                }
            }
            depends.insert(step.value, set);
        }
        depends
    }

    /// The first output that depends on each value.
    fn first_outputs(&self) -> HashMap<Value, usize> {
        let mut first: HashMap<Value, usize> = HashMap::new();
        for (index, &output) in self.map.outputs.iter().enumerate() {
            first.entry(output).or_insert(index);
        }
        for step in self.map.steps.iter().rev() {
            let Some(&own) = first.get(&step.value) else { continue };
            for operand in step.operation.operands() {
                first.entry(operand).and_modify(|known| *known = own.min(*known)).or_insert(own);
            }
        }
        first
    }

    /// Sets of arguments, each with the operations of what depends on it.
    fn weights(&self, depends: &HashMap<Value, SymbolSet>) -> Vec<(SymbolSet, u32)> {
        let mut weights: BTreeMap<Vec<u32>, (SymbolSet, u32)> = BTreeMap::new();
        for step in &self.map.steps {
            if let Some(set) = depends.get(&step.value) {
                let (_, weight) = weights.entry(set.iter().collect()).or_insert_with(|| (set.clone(), 0));
                *weight += OperationCount::of([step]).total();
            }
        }
        weights.into_values().collect()
    }
}

/// Successive steps that stay together.
struct Block<'s> {
    steps: Vec<&'s Step>,
    arguments: &'s SymbolSet,
    first_output: usize,
    length: u32,
}

/// Steps, with the arguments on which they depend and the first outputs that they serve, in the parts that take the least operations. `runs` is the
/// number of bundles that need what depends on a set of arguments and serves outputs from the first one on.
fn cut<'s>(
    steps: impl Iterator<Item = (&'s Step, &'s SymbolSet, usize)>,
    runs: &dyn Fn(&SymbolSet, usize) -> u32,
) -> Vec<Vec<&'s Step>> {
    let mut blocks: Vec<Block<'s>> = Vec::new();
    for (step, arguments, first_output) in steps {
        let length = OperationCount::of([step]).total();
        match blocks.last_mut() {
            Some(block)
                if block.length < TOGETHER && block.first_output == first_output && block.arguments == arguments =>
            {
                block.steps.push(step);
                block.length += length;
            }
            _ => blocks.push(Block { steps: vec![step], arguments, first_output, length }),
        }
    }
    // The least cost of the first blocks, and where the last part of them begins.
    let mut best: Vec<(u64, usize)> = vec![(0, 0)];
    for end in 1..=blocks.len() {
        let (mut set, mut first, mut length) = (SymbolSet::default(), usize::MAX, 0);
        let mut found = (u64::MAX, end - 1);
        for start in (0..end).rev() {
            let block = &blocks[start];
            length += block.length;
            if length > LONGEST_PIECE && start + 1 < end {
                break;
            }
            set.union(block.arguments);
            first = first.min(block.first_output);
            let cost = best[start].0 + u64::from(length + PASSAGE) * u64::from(runs(&set, first));
            found = found.min((cost, start));
        }
        best.push(found);
    }
    let (mut parts, mut end) = (Vec::new(), blocks.len());
    while end > 0 {
        let start = best[end].1;
        parts.push(blocks[start..end].iter().flat_map(|block| block.steps.iter().copied()).collect());
        end = start;
    }
    parts.reverse();
    parts
}

/// Slots as ranges. Slots without an argument belong to the range before them, where another one follows.
fn ranges(slots: BTreeSet<usize>, order: &[Option<usize>]) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for slot in slots {
        match ranges.last_mut() {
            Some(range) if order[range.end..slot].iter().all(Option::is_none) => range.end = slot + 1,
            _ => ranges.push(slot..slot + 1),
        }
    }
    ranges
}
