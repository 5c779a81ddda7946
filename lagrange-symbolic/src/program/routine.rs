//! A routine: the operations of one evaluation in order, and the hoisted values that it reads.

use super::{Builder, Layout, Level, Operation, OperationCount, Value};
use std::collections::{BTreeMap, BTreeSet};

/// One operation of a routine.
#[derive(Clone, Debug)]
pub struct Step {
    /// The value it computes.
    pub value: Value,
    /// The operation. A product that has only one use is fused into its sum.
    pub operation: Operation,
    /// The level at which it is known.
    pub level: Level,
    /// How many operations and outputs of this routine use it.
    pub uses: u32,
}

/// An evaluation: straight-line steps from arguments and hoisted values to outputs.
#[derive(Clone, Debug)]
pub struct Routine {
    /// The steps, by level, and within a level in the order in which they were built.
    pub steps: Vec<Step>,
    /// The results.
    pub outputs: Vec<Value>,
    /// The parts of the outputs; empty where the outputs are a plain list.
    pub layout: Layout,
    /// Values that `prepare` computes for this routine.
    pub hoisted: BTreeSet<Value>,
}

impl Routine {
    /// The routine that computes the outputs. Values that depend on parameters alone are read from `prepare`.
    pub fn new(builder: &Builder, outputs: &[Value]) -> Self {
        Self::collect(builder, outputs, |value| is_hoisted(builder, value))
    }

    /// The routine that computes outputs in parts. Values that depend on parameters alone are read from `prepare`.
    pub fn laid_out(builder: &Builder, layout: Layout) -> Self {
        Self { layout: layout.clone(), ..Self::new(builder, layout.outputs()) }
    }

    /// The routine that computes hoisted values from parameters.
    pub fn preparation(builder: &Builder, hoisted: &BTreeSet<Value>) -> Self {
        let outputs: Vec<Value> = hoisted.iter().copied().collect();
        Self::from_parameters(builder, &outputs)
    }

    /// The routine that computes values from parameters without reading hoisted values.
    pub fn from_parameters(builder: &Builder, outputs: &[Value]) -> Self {
        Self::collect(builder, outputs, |_| false)
    }

    /// The routine that computes outputs from given values.
    pub(super) fn from_given(builder: &Builder, outputs: &[Value], given: &BTreeSet<Value>) -> Self {
        let mut routine = Self::collect(builder, outputs, |value| given.contains(&value) || is_hoisted(builder, value));
        routine.hoisted.retain(|value| !given.contains(value));
        routine
    }

    fn collect(builder: &Builder, outputs: &[Value], given: impl Fn(Value) -> bool) -> Self {
        let mut hoisted = BTreeSet::new();
        let mut needed: BTreeSet<Value> = BTreeSet::new();
        let mut pending: Vec<Value> = outputs.to_vec();
        while let Some(value) = pending.pop() {
            if given(value) {
                hoisted.insert(value);
            } else if needed.insert(value) {
                pending.extend(builder.operation(value).operands());
            }
        }
        let mut steps: Vec<Step> = needed
            .into_iter()
            .map(|value| Step {
                value,
                operation: builder.operation(value).clone(),
                level: builder.level(value),
                uses: 0,
            })
            .collect();
        steps.sort_by_key(|step| (step.level, step.value));
        let mut routine = Self { steps, outputs: outputs.to_vec(), layout: Layout::default(), hoisted };
        routine.count_uses();
        routine.divide_once();
        routine.fuse();
        routine
    }

    /// The operation count of all steps.
    pub fn count(&self) -> OperationCount {
        OperationCount::of(&self.steps)
    }

    fn count_uses(&mut self) {
        let mut uses: BTreeMap<Value, u32> = BTreeMap::new();
        for output in &self.outputs {
            *uses.entry(*output).or_default() += 1;
        }
        for step in &self.steps {
            for operand in step.operation.operands() {
                *uses.entry(operand).or_default() += 1;
            }
        }
        for step in &mut self.steps {
            step.uses = uses.get(&step.value).copied().unwrap_or(0);
        }
        self.steps.retain(|step| step.uses > 0);
    }

    /// Turns a product with a reciprocal into a division. The product must be the only use of the reciprocal, and the
    /// other factor must be known no later than the reciprocal.
    fn divide_once(&mut self) {
        let reciprocals: BTreeMap<Value, (Value, Level)> = self
            .steps
            .iter()
            .filter(|step| step.uses == 1)
            .filter_map(|step| match step.operation {
                Operation::Reciprocal(divisor) => Some((step.value, (divisor, step.level))),
                _ => None,
            })
            .collect();
        let levels: BTreeMap<Value, Level> = self.steps.iter().map(|step| (step.value, step.level)).collect();
        let mut changed = false;
        for step in &mut self.steps {
            let Operation::Multiply(a, b) = step.operation else { continue };
            for (numerator, inverse) in [(a, b), (b, a)] {
                if let Some((divisor, level)) = reciprocals.get(&inverse)
                    && levels.get(&numerator).is_none_or(|known| known <= level)
                {
                    step.operation = Operation::Divide(numerator, *divisor);
                    changed = true;
                    break;
                }
            }
        }
        if changed {
            self.count_uses();
        }
    }

    /// Fuses a product into a sum that is its only use. If both operands are such products, the one with the later
    /// level is fused.
    fn fuse(&mut self) {
        let products: BTreeMap<Value, (Value, Value, Level)> = self
            .steps
            .iter()
            .filter(|step| step.uses == 1)
            .filter_map(|step| match step.operation {
                Operation::Multiply(a, b) => Some((step.value, (a, b, step.level))),
                _ => None,
            })
            .collect();
        let mut fused: BTreeSet<Value> = BTreeSet::new();
        for step in &mut self.steps {
            let (a, b, subtract) = match step.operation {
                Operation::Add(a, b) => (a, b, false),
                Operation::Subtract(a, b) => (a, b, true),
                _ => continue,
            };
            let candidate = |value: Value| products.get(&value).filter(|_| a != b).copied();
            let first_wins = match (candidate(a), candidate(b)) {
                (Some((.., first)), Some((.., second))) => first > second,
                (Some(_), None) => true,
                (None, Some(_)) => false,
                (None, None) => continue,
            };
            let (product, addend) = if first_wins { (a, b) } else { (b, a) };
            let Some((factor, multiplier, _)) = candidate(product) else { continue };
            fused.insert(product);
            step.operation = Operation::MultiplyAdd {
                factor,
                multiplier,
                addend,
                negate_product: subtract && !first_wins,
                negate_addend: subtract && first_wins,
            };
        }
        self.steps.retain(|step| !fused.contains(&step.value));
    }
}

impl Builder {
    /// The cost of evaluating the expressions, in units of an addition. Values that depend on parameters alone are
    /// free.
    pub fn weight_of(graph: &mut crate::graph::Graph, ids: &[crate::graph::Id]) -> u32 {
        let mut builder = Self::new();
        builder.plan(graph, ids);
        let outputs = builder.lower_all(graph, ids);
        Routine::new(&builder, &outputs).count().weight()
    }
}

/// Whether `prepare` computes a value.
fn is_hoisted(builder: &Builder, value: Value) -> bool {
    builder.level(value) <= Level::Parameter && !is_literal(builder.operation(value))
}

/// Whether an operation is repeated wherever it is used.
fn is_literal(operation: &Operation) -> bool {
    matches!(
        operation,
        Operation::Constant(_) | Operation::Pi | Operation::Epsilon | Operation::Truth(_) | Operation::Numbers(_)
    )
}
