//! A routine as statements. Each step is a named temporary; a short step with a single use is written where it is used.

use super::expression::{Expression, expression};
use super::implicit;
use super::names::{Naming, local};
use super::spline::{entry, numbers, table};
use crate::graph::Symbol;
use crate::program::{Builder, Layout, LinearMap, Operation, Part, Piece, Routine, Step, Value};
use proc_macro2::{Ident, Literal, TokenStream, TokenTree};
use quote::{format_ident, quote};
use std::collections::{BTreeSet, HashMap};

/// The most operations of an expression that has no name.
const INLINED_OPERATIONS: u32 = 4;

/// The number of statements whose names are declared together in a routine that has more statements. To a debugger the scope of a declaration lies in
/// the scope of the declaration before. The compiler descends into all of these scopes, and its stack does not hold some thousands.
const DECLARED_TOGETHER: usize = 250;

/// A statement of a routine: names for a value or for its parts.
struct Statement {
    names: Vec<Ident>,
    pattern: TokenStream,
    value: TokenStream,
}

impl Statement {
    /// A name for a value.
    fn named(name: Ident, value: TokenStream) -> Self {
        Self { pattern: quote!(#name), names: vec![name], value }
    }
}

/// The statements in their order. In a long routine several names are declared together, and get their values behind the declaration.
fn written(statements: &[Statement]) -> TokenStream {
    let written = |declare: &TokenStream, together: &[Statement]| -> TokenStream {
        together.iter().map(|Statement { pattern, value, .. }| quote!(#declare #pattern = #value;)).collect()
    };
    if statements.len() <= DECLARED_TOGETHER {
        return written(&quote!(let), statements);
    }
    let chunks = statements.chunks(DECLARED_TOGETHER).map(|together| {
        let names = together.iter().flat_map(|statement| &statement.names);
        let assignments = written(&TokenStream::new(), together);
        quote!(let (#(#names,)*); #assignments)
    });
    chunks.collect()
}

/// The source of hoisted values.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Hoisted {
    /// Fields of `self`.
    Fields,
    /// They are computed by this routine.
    Computed,
}

/// Statements, and the expressions of the outputs, which follow them.
pub(super) struct Body {
    pub(super) statements: TokenStream,
    pub(super) outputs: Vec<TokenStream>,
    layout: Layout,
}

impl Body {
    /// The expressions of a part of the outputs; empty where the routine has no such part.
    pub(super) fn part(&self, part: Part) -> &[TokenStream] {
        &self.outputs[self.layout.range(part)]
    }
}

/// An array of expressions. Sums and products get parentheses. All operators have the span of the attribute, so that
/// clippy would otherwise take them for signs after a missing comma.
pub(super) fn array(entries: &[TokenStream]) -> TokenStream {
    let is_operator =
        |token: TokenTree| matches!(token, TokenTree::Punct(punct) if matches!(punct.as_char(), '-' | '*' | '&'));
    let entries = entries.iter().map(|entry| match entry.clone().into_iter().skip(1).any(is_operator) {
        true => quote!((#entry)),
        false => entry.clone(),
    });
    quote!([#(#entries),*])
}

/// Writes a routine as statements and expressions.
pub(super) fn body(builder: &Builder, routine: &Routine, naming: &Naming, hoisted: Hoisted) -> Body {
    let nothing = BTreeSet::new();
    write(builder, routine, Writer::new(naming, &nothing), hoisted)
}

/// Writes a linear map, which reads its factors from the array `factors`. Its arguments and all that depends on them are bundles.
/// `zero` is a bundle of zeros.
pub(super) fn map_body(builder: &Builder, map: &LinearMap, naming: &Naming, zero: &TokenStream) -> Body {
    let writer = Writer::of_map(naming, map);
    let mut body = write(builder, &map.map, writer, Hoisted::Fields);
    for (output, value) in body.outputs.iter_mut().zip(&map.map.outputs) {
        if !map.varying.contains(value) {
            *output = zero.clone();
        }
    }
    body
}

/// Writes a piece of a linear map, which reads and writes the array `slots`.
pub(super) fn piece_body(builder: &Builder, map: &LinearMap, piece: &Piece, naming: &Naming) -> TokenStream {
    let mut writer = Writer::of_map(naming, map);
    for &(value, slot) in &piece.reads {
        let slot = Literal::usize_unsuffixed(slot);
        writer.known.insert(value, Expression::atom(quote!(slots[#slot])));
    }
    let Body { statements, outputs, .. } = write(builder, &piece.routine, writer, Hoisted::Fields);
    let slots = piece.writes.clone().map(Literal::usize_unsuffixed);
    quote! {
        #statements
        #(slots[#slots] = #outputs;)*
    }
}

fn write(builder: &Builder, routine: &Routine, mut writer: Writer<'_>, hoisted: Hoisted) -> Body {
    if hoisted == Hoisted::Fields {
        for &value in &routine.hoisted {
            if let Some(field) = writer.naming.field(value) {
                writer.known.insert(value, Expression::atom(quote!(self.#field)));
            }
        }
    }
    let pair_uses = pair_uses(routine);
    writer.coordinate_pairs(builder, routine, &pair_uses);
    for step in &routine.steps {
        writer.step(builder, step, &pair_uses);
    }
    let outputs = routine.outputs.iter().map(|value| writer.known[value].tokens.clone()).collect();
    Body { statements: written(&writer.statements), outputs, layout: routine.layout.clone() }
}

/// The parts of each sine/cosine pair that are used: (sine, cosine).
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
    /// The values that are bundles.
    bundles: &'a BTreeSet<Value>,
    known: HashMap<Value, Expression>,
    statements: Vec<Statement>,
    next: u32,
}

impl<'a> Writer<'a> {
    fn new(naming: &'a Naming, bundles: &'a BTreeSet<Value>) -> Self {
        Self { naming, bundles, known: HashMap::new(), statements: Vec::new(), next: 0 }
    }

    /// The writer of a linear map, whose factors are known.
    fn of_map(naming: &'a Naming, map: &'a LinearMap) -> Self {
        let mut writer = Self::new(naming, &map.varying);
        for (index, &value) in map.given.iter().enumerate() {
            let index = Literal::usize_unsuffixed(index);
            writer.known.insert(value, Expression::atom(quote!(factors[#index])));
        }
        writer
    }

    /// The sines and cosines of several coordinates in one call, which can then be computed in parallel.
    fn coordinate_pairs(
        &mut self,
        builder: &Builder,
        routine: &Routine,
        pairs: &HashMap<Value, (Option<Value>, Option<Value>)>,
    ) {
        let mut angles = Vec::new();
        for step in &routine.steps {
            let Operation::SineCosine(angle) = step.operation else { continue };
            if let Operation::Symbol(symbol @ Symbol::Coordinate(_)) = builder.operation(angle) {
                angles.push((step.value, angle, *symbol));
            }
        }
        if angles.len() < 2 {
            return;
        }
        let (mut names, mut sines, mut cosines, mut used) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (pair, angle, symbol) in angles {
            let (name, load) = self.naming.load(symbol);
            self.known.insert(angle, Expression::atom(quote!(#name)));
            self.statements.push(Statement::named(name.clone(), load));
            let (sine, cosine) = pair_names(coordinate_name(&name.to_string()));
            let uses = pairs.get(&pair).copied().unwrap_or_default();
            for (value, half) in [(uses.0, &sine), (uses.1, &cosine)] {
                if let Some(value) = value {
                    self.known.insert(value, Expression::atom(quote!(#half)));
                    used.push(half.clone());
                }
            }
            self.known.insert(pair, Expression::atom(TokenStream::new()));
            names.push(name);
            sines.push(if uses.0.is_some() { quote!(#sine) } else { quote!(_) });
            cosines.push(if uses.1.is_some() { quote!(#cosine) } else { quote!(_) });
        }
        let (pattern, value) = (quote!(([#(#sines),*], [#(#cosines),*])), quote!(R::sin_cos_of([#(#names),*])));
        self.statements.push(Statement { names: used, pattern, value });
    }

    fn step(&mut self, builder: &Builder, step: &Step, pairs: &HashMap<Value, (Option<Value>, Option<Value>)>) {
        if self.known.contains_key(&step.value) {
            return;
        }
        match step.operation {
            Operation::Symbol(symbol) => {
                let (name, load) = self.naming.load(symbol);
                self.known.insert(step.value, Expression::atom(quote!(#name)));
                if symbol != Symbol::Time {
                    self.statements.push(Statement::named(name, load));
                }
            }
            Operation::Argument(index) => {
                let (name, load) = self.naming.argument(index);
                self.known.insert(step.value, Expression::atom(quote!(#name)));
                self.statements.push(Statement::named(name, load));
            }
            Operation::SineCosine(angle) => self.pair(builder, step.value, angle, pairs),
            Operation::Sine(_) | Operation::Cosine(_) => {}
            Operation::Numbers(_) | Operation::Table(_) | Operation::Piece(..) | Operation::Entry(..) => {
                self.spline(step);
            }
            Operation::Solution(..) | Operation::Component(..) => self.solution(step),
            _ => {
                let mut operands = step.operation.operands();
                // A bundle is the left factor of a product.
                let is_product = matches!(step.operation, Operation::Multiply(..) | Operation::MultiplyAdd { .. });
                if is_product && self.bundles.contains(&operands[1]) {
                    operands.swap(0, 1);
                }
                let operands: Vec<Expression> = operands.iter().map(|operand| self.known[operand].clone()).collect();
                let mut written = expression(&step.operation, &operands);
                let literal = matches!(
                    step.operation,
                    Operation::Constant(_) | Operation::Pi | Operation::Epsilon | Operation::Truth(_)
                );
                if !literal && (step.uses > 1 || written.size > INLINED_OPERATIONS) {
                    let name = self.fresh();
                    let named = Expression::atom(quote!(#name));
                    self.statements.push(Statement::named(name, written.tokens));
                    written = named;
                }
                self.known.insert(step.value, written);
            }
        }
    }

    /// The sine and cosine from one evaluation, or the one that is used.
    fn pair(
        &mut self,
        builder: &Builder,
        pair: Value,
        angle: Value,
        pairs: &HashMap<Value, (Option<Value>, Option<Value>)>,
    ) {
        // The name of a coordinate begins with no digit, so that a number is no such name.
        let stem = match builder.operation(angle) {
            Operation::Symbol(symbol @ Symbol::Coordinate(_)) => {
                coordinate_name(&self.naming.load(*symbol).0.to_string()).to_owned()
            }
            Operation::Symbol(symbol) => format!("0_{}", self.naming.load(*symbol).0),
            _ => {
                self.next += 1;
                self.next.to_string()
            }
        };
        let (sine, cosine) = pair_names(&stem);
        let receiver = method_receiver(&self.known[&angle]);
        let uses = pairs.get(&pair).copied().unwrap_or_default();
        self.statements.push(match uses {
            (Some(_), Some(_)) => Statement {
                names: vec![sine.clone(), cosine.clone()],
                pattern: quote!((#sine, #cosine)),
                value: quote!(#receiver.sin_cos()),
            },
            (Some(_), None) => Statement::named(sine.clone(), quote!(#receiver.sin())),
            (None, _) => Statement::named(cosine.clone(), quote!(#receiver.cos())),
        });
        for (value, name) in [(uses.0, sine), (uses.1, cosine)] {
            if let Some(value) = value {
                self.known.insert(value, Expression::atom(quote!(#name)));
            }
        }
    }

    /// The data of a spline, the search for its piece, or an entry of the piece.
    fn spline(&mut self, step: &Step) {
        let written = match &step.operation {
            Operation::Numbers(index) => numbers(*index),
            Operation::Entry(index, piece) => {
                let name = entry(&self.known[piece].tokens.to_string(), *index);
                quote!(#name)
            }
            Operation::Piece(data, x) => {
                let (stem, data, x) = (self.fresh(), &self.known[data].tokens, &self.known[x].tokens);
                let names: Vec<Ident> = (0..5).map(|index| entry(&stem.to_string(), index)).collect();
                let (pattern, value) = (quote!([#(#names),*]), quote!(#data.piece(#x)));
                self.statements.push(Statement { names, pattern, value });
                quote!(#stem)
            }
            operation => {
                let operands: Vec<TokenStream> =
                    operation.operands().iter().map(|operand| self.known[operand].tokens.clone()).collect();
                let (name, table) = (self.fresh(), table(&operands));
                let named = quote!(#name);
                self.statements.push(Statement::named(name, table));
                named
            }
        };
        self.known.insert(step.value, Expression::atom(written));
    }

    /// The solution of equations, or a number of it.
    fn solution(&mut self, step: &Step) {
        let written = match &step.operation {
            Operation::Solution(index, arguments) => {
                let arguments: Vec<TokenStream> =
                    arguments.iter().map(|argument| self.known[argument].tokens.clone()).collect();
                let (stem, function, unknowns) = (self.fresh(), implicit::name(*index), self.naming.unknowns(*index));
                let mut names: Vec<Ident> = (0..unknowns).map(|part| part_name(&stem.to_string(), part)).collect();
                let (arguments, found) = (array(&arguments), part_name(&stem.to_string(), unknowns));
                let (pattern, value) = (quote!(([#(#names),*], #found)), quote!(#function(&#arguments)));
                names.push(found);
                self.statements.push(Statement { names, pattern, value });
                quote!(#stem)
            }
            Operation::Component(part, solution) => {
                let name = part_name(&self.known[solution].tokens.to_string(), *part);
                quote!(#name)
            }
            _ => return,
        };
        self.known.insert(step.value, Expression::atom(written));
    }

    fn fresh(&mut self) -> Ident {
        self.next += 1;
        format_ident!("x{}", self.next, span = proc_macro2::Span::mixed_site())
    }
}

/// The name of a coordinate from the local variable with its value.
fn coordinate_name(local: &str) -> &str {
    local.strip_prefix("q_").unwrap_or(local)
}

/// The local variable for a number of a solution.
fn part_name(stem: &str, part: u32) -> Ident {
    local(&format!("{stem}_{part}"))
}

/// Names for the sine and cosine of an angle.
fn pair_names(stem: &str) -> (Ident, Ident) {
    (local(&format!("sin_{stem}")), local(&format!("cos_{stem}")))
}

fn method_receiver(value: &Expression) -> TokenStream {
    let tokens = &value.tokens;
    if value.size == 0 { tokens.clone() } else { quote!((#tokens)) }
}
