//! A routine as statements: loads, one named temporary a step, short single-use steps written where they are used.

use super::expression::{Expression, expression};
use super::names::{Naming, local};
use crate::expr::Symbol;
use crate::program::{Builder, Operation, Routine, Step, Value};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use std::collections::HashMap;

/// Longer expressions get a name.
const INLINED_OPERATIONS: u32 = 4;

/// Where hoisted values are read from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Hoisted {
    /// Fields of `self`.
    Fields,
    /// Nowhere: they are what is computed.
    Computed,
}

/// Statements, and the expressions of the outputs after them.
pub(super) struct Body {
    pub(super) statements: TokenStream,
    pub(super) outputs: Vec<TokenStream>,
}

impl Body {
    /// The outputs as consecutive groups of `n`.
    pub(super) fn take(&self, from: usize, count: usize) -> &[TokenStream] {
        &self.outputs[from..from + count]
    }
}

/// Writes a routine out.
pub(super) fn body(builder: &Builder, routine: &Routine, naming: &Naming, hoisted: Hoisted) -> Body {
    let mut writer = Writer { naming, known: HashMap::new(), statements: TokenStream::new(), next: 0 };
    if hoisted == Hoisted::Fields {
        for &value in &routine.hoisted {
            if let Some(field) = naming.field(value) {
                writer.known.insert(value, Expression::atom(quote!(self.#field)));
            }
        }
    }
    let pair_uses = pair_uses(routine);
    for step in &routine.steps {
        writer.step(builder, step, &pair_uses);
    }
    let outputs = routine.outputs.iter().map(|value| writer.known[value].tokens.clone()).collect();
    Body { statements: writer.statements, outputs }
}

/// Which halves of each sine/cosine pair are used: (sine, cosine).
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
    naming: &'a Naming,
    known: HashMap<Value, Expression>,
    statements: TokenStream,
    next: u32,
}

impl Writer<'_> {
    fn step(&mut self, builder: &Builder, step: &Step, pairs: &HashMap<Value, (Option<Value>, Option<Value>)>) {
        match step.operation {
            Operation::Symbol(symbol) => {
                let (name, load) = self.naming.load(symbol);
                if symbol != Symbol::Time {
                    self.statements.extend(quote!(let #name = #load;));
                }
                self.known.insert(step.value, Expression::atom(quote!(#name)));
            }
            Operation::Argument(index) => {
                let (name, load) = self.naming.argument(index);
                self.statements.extend(quote!(let #name = #load;));
                self.known.insert(step.value, Expression::atom(quote!(#name)));
            }
            Operation::SineCosine(angle) => self.pair(builder, step.value, angle, pairs),
            Operation::Sine(_) | Operation::Cosine(_) => {}
            _ => {
                let operands: Vec<Expression> =
                    step.operation.operands().iter().map(|operand| self.known[operand].clone()).collect();
                let mut written = expression(&step.operation, &operands);
                let literal = matches!(
                    step.operation,
                    Operation::Constant(_) | Operation::Pi | Operation::Epsilon | Operation::Truth(_)
                );
                if !literal && (step.uses > 1 || written.size > INLINED_OPERATIONS) {
                    let name = self.fresh();
                    let tokens = &written.tokens;
                    self.statements.extend(quote!(let #name = #tokens;));
                    written = Expression::atom(quote!(#name));
                }
                self.known.insert(step.value, written);
            }
        }
    }

    /// Both halves from one evaluation, or the one that is used.
    fn pair(
        &mut self,
        builder: &Builder,
        pair: Value,
        angle: Value,
        pairs: &HashMap<Value, (Option<Value>, Option<Value>)>,
    ) {
        let stem = match builder.operation(angle) {
            Operation::Symbol(symbol) => self.naming.load(*symbol).0.to_string(),
            _ => self.fresh().to_string(),
        };
        let stem = stem.strip_prefix("q_").unwrap_or(&stem);
        let (sine, cosine) = (local(&format!("sin_{stem}")), local(&format!("cos_{stem}")));
        let receiver = method_receiver(&self.known[&angle]);
        let uses = pairs.get(&pair).copied().unwrap_or_default();
        self.statements.extend(match uses {
            (Some(_), Some(_)) => quote!(let (#sine, #cosine) = #receiver.sin_cos();),
            (Some(_), None) => quote!(let #sine = #receiver.sin();),
            (None, _) => quote!(let #cosine = #receiver.cos();),
        });
        for (value, name) in [(uses.0, sine), (uses.1, cosine)] {
            if let Some(value) = value {
                self.known.insert(value, Expression::atom(quote!(#name)));
            }
        }
    }

    fn fresh(&mut self) -> Ident {
        self.next += 1;
        format_ident!("x{}", self.next, span = proc_macro2::Span::mixed_site())
    }
}

fn method_receiver(value: &Expression) -> TokenStream {
    let tokens = &value.tokens;
    if value.size == 0 { tokens.clone() } else { quote!((#tokens)) }
}
