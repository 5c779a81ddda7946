//! A linear map in pieces. A piece is short enough for an instruction cache, and one piece is applied to many arguments before the next one
//! is. Pieces hand numbers to each other in slots, and a piece whose arguments are 0 leaves 0 in its slots, so that it may be left out.

use super::{LinearMap, Operation, OperationCount, Routine, Step, Value};
use crate::graph::SymbolSet;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

/// The operations above which a piece ends. Such a piece takes some 5 kB of machine code.
const LONGEST_PIECE: u32 = 1000;

/// A linear map in pieces.
#[derive(Clone, Debug)]
pub struct Pieces {
    /// The pieces, in order.
    pub pieces: Vec<Piece>,
    /// The slot of each output; `None` for an output that is 0. The arguments have the first slots.
    pub outputs: Vec<Option<usize>>,
    /// The number of slots.
    pub slots: usize,
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
    /// The arguments on which it depends. Where all of them are 0, all that it writes is 0.
    pub arguments: Vec<Range<usize>>,
}

impl LinearMap {
    /// The map in pieces. `arguments` are the numbers that the arguments of the map have among all arguments of the evaluation.
    pub fn pieces(&self, arguments: Range<u32>) -> Pieces {
        let count = arguments.len();
        let depends = self.dependence(arguments.start);
        // Values that depend on the same arguments stand together, and operands stay before what uses them: a value depends on all arguments
        // of its operands.
        let mut steps: Vec<&Step> = self.map.steps.iter().filter(|step| depends.contains_key(&step.value)).collect();
        let last = |step: &Step| depends[&step.value].iter().last();
        steps.sort_by_key(|step| last(step));
        let is_argument = |step: &&&Step| matches!(step.operation, Operation::Argument(_));
        let mut slots: BTreeMap<Value, usize> = BTreeMap::new();
        for step in steps.iter().filter(is_argument) {
            if let Operation::Argument(index) = step.operation {
                slots.insert(step.value, (index - arguments.start) as usize);
            }
        }
        let parts = cut(steps.iter().filter(|step| !is_argument(step)).copied());
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
        let mut next = count;
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
                arguments: ranges(&set),
            }
        });
        Pieces {
            pieces: pieces.collect(),
            outputs: self.map.outputs.iter().map(|value| slots.get(value).copied()).collect(),
            slots: next,
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
}

/// Steps in parts of similar length.
fn cut<'s>(steps: impl Iterator<Item = &'s Step> + Clone) -> Vec<Vec<&'s Step>> {
    let total = OperationCount::of(steps.clone()).total();
    let longest = total / total.div_ceil(LONGEST_PIECE).max(1);
    let (mut parts, mut length) = (vec![Vec::new()], 0);
    for step in steps {
        if length > longest {
            parts.push(Vec::new());
            length = 0;
        }
        length += OperationCount::of([step]).total();
        if let Some(part) = parts.last_mut() {
            part.push(step);
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// A set as ranges.
fn ranges(set: &SymbolSet) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for index in set.iter().map(|index| index as usize) {
        match ranges.last_mut() {
            Some(range) if range.end == index => range.end += 1,
            _ => ranges.push(index..index + 1),
        }
    }
    ranges
}
