//! The equations r(w, a) = 0 as routines, for the iterations that solve them.

use super::{Builder, Layout, Operation, Part, Routine};
use crate::graph::Graph;
use std::collections::{BTreeSet, HashMap};

/// r and K = −∂r/∂w as a routine of w and a. Its arguments are w, and a behind it.
#[derive(Clone, Debug)]
pub struct ImplicitProgram {
    /// The index among [`Graph::implicits`].
    pub index: u32,
    /// The number of components of w.
    pub unknowns: usize,
    /// The number of components of a.
    pub arguments: usize,
    /// Whether the solution is unique even where K is singular.
    pub is_unique: bool,
    /// The operations of the routine. No value is computed in `prepare`.
    pub builder: Builder,
    /// r, and K row by row.
    pub routine: Routine,
}

impl ImplicitProgram {
    /// The programs of all solutions that a builder contains, by index. Their tables of numbers are added to those of the builder.
    pub(super) fn all(graph: &mut Graph, builder: &mut Builder) -> Vec<Self> {
        let index = |operation: &Operation| match operation {
            Operation::Solution(index, _) => Some(*index),
            _ => None,
        };
        let indices: BTreeSet<u32> = builder.operations().iter().filter_map(index).collect();
        indices.into_iter().map(|index| Self::new(graph, index, builder)).collect()
    }

    fn new(graph: &mut Graph, index: u32, main: &mut Builder) -> Self {
        let equations = graph.implicits()[index as usize].clone();
        let slope = equations.slope.concat();
        let mut builder = Builder::new();
        builder.numbers = std::mem::take(&mut main.numbers);
        builder.number_index = std::mem::take(&mut main.number_index);
        builder.plan(graph, &[equations.residual.clone(), slope.clone()].concat());
        let symbols = equations.unknowns.iter().chain(&equations.arguments);
        let bindings: HashMap<_, _> =
            (0..).zip(symbols).map(|(i, &symbol)| (symbol, builder.push(Operation::Argument(i)))).collect();
        builder.bind(bindings);
        let layout = Layout::default()
            .with(Part::Residual, builder.lower_all(graph, &equations.residual))
            .with(Part::Slope, builder.lower_all(graph, &slope));
        let routine = Routine::laid_out(&builder, layout);
        main.numbers = std::mem::take(&mut builder.numbers);
        main.number_index = std::mem::take(&mut builder.number_index);
        Self {
            index,
            unknowns: equations.unknowns.len(),
            arguments: equations.arguments.len(),
            is_unique: equations.is_unique,
            builder,
            routine,
        }
    }
}
