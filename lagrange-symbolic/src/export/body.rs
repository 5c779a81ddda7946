//! A routine as statements: one walk for all languages. Each step is a named local; a short step with a single use is written where it
//! is used.

use super::Language;
use super::expression::{Binding, Expression, expression};
use super::names::Names;
use super::syntax::Syntax;
use crate::graph::Symbol;
use crate::program::{Builder, Layout, Numbers, Operation, Part, Routine, Step, Value};
use std::collections::{BTreeSet, HashMap};

/// The most operations of an expression that has no name.
const INLINED_OPERATIONS: u32 = 4;

/// Statements, and the expressions of the outputs, which follow them.
pub(super) struct Body {
    pub(super) statements: String,
    pub(super) outputs: Vec<String>,
    /// The arguments that the statements read.
    pub(super) reads: BTreeSet<&'static str>,
    layout: Layout,
}

impl Body {
    /// The expressions of a part of the outputs; empty where the routine has no such part.
    pub(super) fn part(&self, part: Part) -> &[String] {
        &self.outputs[self.layout.range(part)]
    }
}

/// What a routine is written from.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) builder: &'a Builder,
    /// The tables of numbers of the mechanism.
    pub(super) tables: &'a [Numbers],
    pub(super) syntax: &'a Syntax,
    pub(super) names: &'a Names,
    /// The number of unknowns of each system of equations, by index.
    pub(super) unknowns: &'a HashMap<u32, usize>,
}

impl Source<'_> {
    /// The number of knots of a spline.
    pub(super) fn knots(&self, data: Value) -> usize {
        match self.builder.operation(data) {
            Operation::Table(data) => data.len() / 3,
            Operation::Numbers(index) => self.tables.get(*index as usize).map_or(0, |numbers| numbers.rows.len()),
            _ => 0,
        }
    }
}

/// Writes a routine. Where `is_prepared`, values that depend on parameters alone are read from what `prepare` has computed.
pub(super) fn body(source: Source<'_>, routine: &Routine, is_prepared: bool) -> Body {
    let Source { builder, syntax, names, unknowns, .. } = source;
    let mut writer = Writer {
        source,
        builder,
        syntax,
        names,
        unknowns,
        known: HashMap::new(),
        statements: String::new(),
        reads: BTreeSet::new(),
        next: 0,
    };
    if is_prepared {
        for &value in &routine.hoisted {
            if let Some(field) = names.prepared(value) {
                writer.known.insert(value, Expression::atom(format!("{}{field}", syntax.prepared)));
                writer.reads.insert("prepared");
            }
        }
    }
    let pairs = pair_uses(routine);
    for step in &routine.steps {
        writer.step(step, &pairs);
    }
    let outputs = routine.outputs.iter().map(|value| writer.known[value].text.clone()).collect();
    Body { statements: writer.statements, outputs, reads: writer.reads, layout: routine.layout.clone() }
}

/// For each pair of sine and cosine the values that are used: (sine, cosine).
fn pair_uses(routine: &Routine) -> HashMap<Value, (Option<Value>, Option<Value>)> {
    let mut uses: HashMap<Value, (Option<Value>, Option<Value>)> = HashMap::new();
    for step in &routine.steps {
        match step.operation {
            Operation::Sine(pair) => uses.entry(pair).or_default().0 = Some(step.value),
            Operation::Cosine(pair) => uses.entry(pair).or_default().1 = Some(step.value),
            _ => {}
        }
    }
    uses
}

struct Writer<'a> {
    source: Source<'a>,
    builder: &'a Builder,
    syntax: &'a Syntax,
    names: &'a Names,
    /// The number of unknowns of each system of equations, by index.
    unknowns: &'a HashMap<u32, usize>,
    known: HashMap<Value, Expression>,
    statements: String,
    reads: BTreeSet<&'static str>,
    next: u32,
}

impl Writer<'_> {
    fn push(&mut self, statement: &str) {
        self.statements.push_str(statement);
        self.statements.push('\n');
    }

    fn fresh(&mut self) -> String {
        self.next += 1;
        format!("x{}", self.next)
    }

    fn step(&mut self, step: &Step, pairs: &HashMap<Value, (Option<Value>, Option<Value>)>) {
        match &step.operation {
            Operation::Symbol(symbol) => {
                let load = self.names.load(*symbol);
                self.reads.insert(argument_name(*symbol));
                self.load(step.value, load);
            }
            Operation::Argument(index) => {
                let load = self.names.argument(*index);
                self.reads.insert("a");
                self.load(step.value, load);
            }
            Operation::SineCosine(angle) => self.pair(step.value, *angle, pairs),
            Operation::Sine(_) | Operation::Cosine(_) => {}
            Operation::Numbers(index) => {
                self.known.insert(step.value, Expression::atom(format!("table_{}", index + 1)));
            }
            Operation::Table(data) => self.table(step.value, data),
            Operation::Piece(data, x) => self.piece(step.value, *data, *x),
            Operation::Entry(index, of) => {
                let entry = format!("{}[{index}]", self.known[of].text);
                self.known.insert(step.value, Expression::atom(entry));
            }
            Operation::Component(part, of) => {
                let entry = format!("{}[{part}]", self.known[of].text);
                self.known.insert(step.value, Expression::atom(entry));
            }
            Operation::Solution(index, arguments) => {
                let arguments: Vec<String> = self.texts(arguments);
                let name = self.fresh();
                let length = self.unknowns.get(index).copied().unwrap_or(0) + 1;
                let (function, arguments) = (format!("solution_{}", index + 1), self.syntax.list(&arguments));
                let statement = self.syntax.define_list(&name, length, &function, &arguments);
                self.push(&statement);
                self.known.insert(step.value, Expression::atom(name));
            }
            operation => {
                let operands: Vec<Expression> =
                    operation.operands().iter().map(|operand| self.known[operand].clone()).collect();
                let written = self.arithmetic(step, &operands);
                self.known.insert(step.value, written);
            }
        }
    }

    /// Loads a component of an argument into a local. The time is an argument itself.
    fn load(&mut self, value: Value, (name, source): (String, String)) {
        if name != source {
            let statement = self.syntax.define(false, &name, &source);
            self.push(&statement);
        }
        self.known.insert(value, Expression::atom(name));
    }

    fn arithmetic(&mut self, step: &Step, operands: &[Expression]) -> Expression {
        // An infinite bound is 1/0, which is an error in Python.
        if let Operation::Reciprocal(divisor) = step.operation
            && self.builder.is_zero(divisor)
        {
            return Expression::atom(self.syntax.infinity);
        }
        let written = expression(self.syntax, &step.operation, operands);
        let is_literal =
            matches!(step.operation, Operation::Constant(_) | Operation::Pi | Operation::Epsilon | Operation::Truth(_));
        if is_literal || (step.uses <= 1 && written.size <= INLINED_OPERATIONS) {
            return written;
        }
        let name = self.fresh();
        let statement = self.syntax.define(step.operation.is_mask(), &name, &written.text);
        self.push(&statement);
        Expression::atom(name)
    }

    /// The sine and the cosine of an angle, or the one of them that is used.
    fn pair(&mut self, pair: Value, angle: Value, pairs: &HashMap<Value, (Option<Value>, Option<Value>)>) {
        let stem = match self.builder.operation(angle) {
            Operation::Symbol(Symbol::Coordinate(_)) => self.known[&angle].text.trim_start_matches("q_").to_owned(),
            Operation::Symbol(_) => {
                format!("0_{}", self.known[&angle].text.replace([']', '['], "_").replace(['.', '-', '>'], ""))
            }
            _ => {
                self.next += 1;
                self.next.to_string()
            }
        };
        let mut angle = self.known[&angle].clone();
        let (sine, cosine) = pairs.get(&pair).copied().unwrap_or_default();
        if sine.is_some() && cosine.is_some() && angle.binding != Binding::Atom {
            let name = format!("angle_{stem}");
            let statement = self.syntax.define(false, &name, &angle.text);
            self.push(&statement);
            angle = Expression::atom(name);
        }
        for (value, function) in [(sine, "sin"), (cosine, "cos")] {
            if let Some(value) = value {
                let name = format!("{function}_{stem}");
                let call = self.syntax.library_call(function, std::slice::from_ref(&angle.text));
                let statement = self.syntax.define(false, &name, &call);
                self.push(&statement);
                self.known.insert(value, Expression::atom(name));
            }
        }
    }

    /// The rows of a spline whose data depend on parameters: knots, values and second derivatives.
    fn table(&mut self, value: Value, data: &[Value]) {
        let knots = data.len() / 3;
        let lists: Vec<String> = data.chunks(knots).map(|values| self.syntax.list(&self.texts(values))).collect();
        let name = self.fresh();
        let mut arguments = lists.join(", ");
        if self.syntax.language == Language::C {
            arguments = format!("{knots}, {arguments}");
        }
        let statement = self.syntax.define_list(&name, 5 * knots, "spline", &arguments);
        self.push(&statement);
        self.known.insert(value, Expression::atom(name));
    }

    /// The row of a spline that contains an argument: a knot, then four coefficients.
    fn piece(&mut self, value: Value, data: Value, x: Value) {
        let (rows, x) = (self.known[&data].text.clone(), self.known[&x].text.clone());
        let name = self.fresh();
        let arguments = match (self.syntax.language, self.source.knots(data)) {
            (Language::C, knots) => format!("{knots}, {rows}, {x}"),
            _ => format!("{rows}, {x}"),
        };
        let statement = self.syntax.define_list(&name, 5, "piece", &arguments);
        self.push(&statement);
        self.known.insert(value, Expression::atom(name));
    }

    fn texts(&self, values: &[Value]) -> Vec<String> {
        values.iter().map(|value| self.known[value].text.clone()).collect()
    }
}

/// The argument of an evaluation that a symbol is read from.
fn argument_name(symbol: Symbol) -> &'static str {
    match symbol {
        Symbol::Coordinate(_) => "q",
        Symbol::Velocity(_) => "v",
        Symbol::Acceleration(_) => "a",
        Symbol::Input(_) => "u",
        Symbol::Parameter(_) => "parameters",
        Symbol::Multiplier(_) | Symbol::Dummy(_) => "multipliers",
        Symbol::Force(_) => "forces",
        Symbol::Time => "t",
    }
}
