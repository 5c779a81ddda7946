//! The expression graph: hash-consed nodes, exact rational numbers, canonical constructors.
//!
//! Two expressions that one [`Graph`] builds have the same [`Id`] where its canonical form makes them equal: like terms
//! are collected, constants folded, powers merged, common factors pulled out of sums, and sin² + cos² = 1 and the
//! addition theorems applied. Nothing is ever expanded: what was shared stays shared.

mod decimal;
pub mod engine;
pub mod function;
mod implicit;
mod logic;
mod product;
mod substitute;
mod sum;
mod symbols;
mod trigonometry;
mod triple;
pub mod value;

pub use dashu_ratio::RBig as Rational;
pub(crate) use decimal::finite_decimal;
use engine::{Builtin, Engine};
use function::Function;
pub use implicit::{Defined, Implicit};
use std::collections::HashMap;
pub(crate) use symbols::SymbolSet;
pub use triple::Triple;

/// A node of a [`Graph`]. Operands always have smaller ids than the node that uses them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Id(u32);

impl Id {
    /// Position in the graph, counted from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A quantity that expressions are functions of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Symbol {
    /// qᵢ.
    Coordinate(u32),
    /// vᵢ = q̇ᵢ.
    Velocity(u32),
    /// aᵢ = q̈ᵢ. Outputs may contain it. Derivatives of the equations of motion are taken at constant acceleration.
    Acceleration(u32),
    /// λᵢ, counted over the rows of the holonomic constraints, then of the nonholonomic ones. Outputs may contain it.
    /// Derivatives of the equations of motion are taken at constant λ.
    Multiplier(u32),
    /// The force of the i-th row of contacts. Only outputs contain it.
    Force(u32),
    /// The i-th parameter.
    Parameter(u32),
    /// The i-th input.
    Input(u32),
    /// t.
    Time,
    /// The i-th auxiliary symbol, which is no quantity of the block: the variable of an integral, or a placeholder for
    /// an expression during a derivation. `Graph::scratch_symbols` makes them.
    Dummy(u32),
}

/// The index of the first virtual displacement among coordinates. A block has far fewer coordinates.
pub(crate) const FIRST_VIRTUAL: u32 = 1 << 20;

impl Symbol {
    /// Whether this is a virtual displacement, or a derivative of one.
    pub(crate) const fn is_virtual(self) -> bool {
        matches!(self, Self::Coordinate(index) | Self::Velocity(index) | Self::Acceleration(index) if index >= FIRST_VIRTUAL)
    }
}

/// How two scalars are compared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Relation {
    /// a < b.
    Less,
    /// a ≤ b.
    LessEqual,
    /// a = b.
    Equal,
}

/// One node of the graph.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// An exact number.
    Number(Rational),
    /// π.
    Pi,
    /// A symbol.
    Symbol(Symbol),
    /// Σ cᵢ xᵢ + c. With one term and c = 0 it is a scaled node; the terms are never themselves scaled.
    Sum {
        /// Pairs (xᵢ, cᵢ) in ascending order of xᵢ.
        terms: Box<[(Id, Rational)]>,
        /// c.
        constant: Rational,
    },
    /// Π xᵢ^eᵢ with exact non-zero exponents; √x is x^(1/2). Pairs (xᵢ, eᵢ) in ascending order of xᵢ.
    Product(Box<[(Id, Rational)]>),
    /// A power with a general exponent.
    Power(Id, Id),
    /// A function of its arguments.
    Call(Function, Box<[Id]>),
    /// The second where the first (a condition) holds, else the third.
    Select(Id, Id, Id),
    /// A constant condition.
    Truth(bool),
    /// A comparison.
    Compare(Relation, Id, Id),
    /// Both conditions.
    And(Id, Id),
    /// Either condition.
    Or(Id, Id),
    /// The condition's negation.
    Not(Id),
}

/// How many nodes a graph may have unless [`Graph::limit_nodes`] says otherwise.
const NODES: usize = 1 << 19;

/// A set of expressions over shared nodes.
#[derive(Clone, Debug)]
pub struct Graph {
    nodes: Vec<Node>,
    ids: HashMap<Node, Id>,
    symbols: Vec<SymbolSet>,
    symbol_order: Vec<Symbol>,
    symbol_index: HashMap<Symbol, u32>,
    /// How many symbols [`Graph::scratch_symbols`] has given out.
    scratch: u32,
    /// The largest number of nodes.
    limit: usize,
    /// Whether more nodes than `limit` were asked for.
    exhausted: bool,
    /// The nodes of 0 and 1, once they exist.
    small: [Option<Id>; 2],
    engine: &'static dyn Engine,
    /// A description of the first result of the engine that the graph has no expression for, if there was one.
    refused: Option<String>,
    /// The number of nodes that each expression has when it is written as a tree, without sharing. Symbolica, whose
    /// expressions are trees, extends this list as far as it needs.
    #[cfg(feature = "symbolica")]
    pub(crate) tree_sizes: Vec<u32>,
    pub(crate) derivatives: HashMap<(Id, Symbol), Id>,
    /// Total time derivatives.
    pub(crate) rates: HashMap<Id, Id>,
    /// The functions that equations define.
    implicits: Vec<Implicit>,
    /// Gradients by root and symbols.
    pub(crate) gradients: HashMap<(Id, Vec<Symbol>), Vec<Id>>,
    /// The index of the first velocity that is a mode.
    first_mode: u32,
}

impl Default for Graph {
    fn default() -> Self {
        Self::new()
    }
}

/// A rational from small integers; the denominator must not be zero.
pub(crate) fn rational(numerator: i64, denominator: u64) -> Rational {
    Rational::from_parts(numerator.into(), denominator.max(1).into())
}

impl Graph {
    /// An empty graph with the built-in engine.
    pub fn new() -> Self {
        Self::with_engine(&Builtin)
    }

    /// An empty graph whose expressions an engine differentiates and brings to its normal form.
    pub fn with_engine(engine: &'static dyn Engine) -> Self {
        Self {
            nodes: Vec::new(),
            ids: HashMap::new(),
            symbols: Vec::new(),
            symbol_order: Vec::new(),
            symbol_index: HashMap::new(),
            scratch: 0,
            limit: NODES,
            exhausted: false,
            small: [None; 2],
            engine,
            refused: None,
            #[cfg(feature = "symbolica")]
            tree_sizes: Vec::new(),
            derivatives: HashMap::new(),
            rates: HashMap::new(),
            implicits: Vec::new(),
            gradients: HashMap::new(),
            first_mode: u32::MAX,
        }
    }

    /// Declares that the velocities from this index on are modes, which are constant along a motion and jump where they change.
    pub(crate) fn set_first_mode(&mut self, index: u32) {
        self.first_mode = index;
    }

    /// Whether a symbol is a mode.
    pub(crate) fn is_mode(&self, symbol: Symbol) -> bool {
        matches!(symbol, Symbol::Velocity(index) if (self.first_mode..FIRST_VIRTUAL).contains(&index))
    }

    /// The node behind an id.
    pub fn node(&self, id: Id) -> &Node {
        &self.nodes[id.index()]
    }

    /// What differentiates the graph's expressions.
    pub fn engine(&self) -> &'static dyn Engine {
        self.engine
    }

    /// Records that the engine returned a result for which the graph has no expression. The whole derivation is then
    /// invalid.
    #[cfg(feature = "symbolica")]
    pub(crate) fn refuse(&mut self, what: String) {
        self.refused.get_or_insert(what);
    }

    /// The first result of the engine for which the graph has no expression, if there was one.
    pub(crate) fn refused(&self) -> Option<&str> {
        self.refused.as_deref()
    }

    /// The node at a position.
    #[cfg(feature = "symbolica")]
    pub(crate) fn id_at(&self, index: usize) -> Id {
        Id(u32::try_from(index.min(self.nodes.len().saturating_sub(1))).unwrap_or(u32::MAX))
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Sets the largest number of nodes. Beyond it no node is added, and a constructor returns an older node instead,
    /// so that a derivation that grows too large ends soon. [`Graph::is_exhausted`] then says that all results are
    /// invalid.
    pub fn limit_nodes(&mut self, limit: usize) {
        self.limit = limit;
    }

    /// How many nodes may be added.
    pub(crate) fn room(&self) -> usize {
        self.limit.saturating_sub(self.nodes.len())
    }

    /// Whether more nodes were asked for than there may be.
    pub fn is_exhausted(&self) -> bool {
        self.exhausted
    }

    /// The id of a node that is already in canonical form.
    pub(crate) fn intern(&mut self, node: Node) -> Id {
        if let Some(&id) = self.ids.get(&node) {
            return id;
        }
        if self.nodes.len() >= self.limit && !self.nodes.is_empty() && !matches!(node, Node::Symbol(_)) {
            self.exhausted = true;
            return self.small[0].unwrap_or(Id(0));
        }
        let id = Id(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        let mut set = SymbolSet::default();
        if let Node::Symbol(symbol) = node {
            let next = self.symbol_order.len() as u32;
            self.symbol_order.push(symbol);
            self.symbol_index.insert(symbol, next);
            set.insert(next);
        } else {
            for_each_operand(&node, |operand| set.union(&self.symbols[operand.index()]));
        }
        self.symbols.push(set);
        self.nodes.push(node.clone());
        self.ids.insert(node, id);
        id
    }

    /// An exact number.
    pub fn number(&mut self, value: Rational) -> Id {
        self.intern(Node::Number(value))
    }

    /// An integer.
    pub fn integer(&mut self, value: i64) -> Id {
        self.number(rational(value, 1))
    }

    /// The quotient of two small integers.
    pub fn ratio(&mut self, numerator: i64, denominator: u32) -> Id {
        self.number(rational(numerator, u64::from(denominator)))
    }

    /// 0.
    pub fn zero(&mut self) -> Id {
        self.small(0)
    }

    /// 1.
    pub fn one(&mut self) -> Id {
        self.small(1)
    }

    fn small(&mut self, value: usize) -> Id {
        match self.small[value] {
            Some(id) => id,
            None => {
                let id = self.integer(value as i64);
                self.small[value] = Some(id);
                id
            }
        }
    }

    /// π.
    pub fn pi(&mut self) -> Id {
        self.intern(Node::Pi)
    }

    /// A symbol.
    pub fn symbol(&mut self, symbol: Symbol) -> Id {
        self.intern(Node::Symbol(symbol))
    }

    /// Makes `count` symbols that nothing else uses.
    pub(crate) fn scratch_symbols(&mut self, count: usize) -> Vec<Symbol> {
        let first = self.scratch;
        self.scratch = first.saturating_add(u32::try_from(count).unwrap_or(u32::MAX));
        (first..self.scratch).map(Symbol::Dummy).collect()
    }

    /// Makes a symbol that nothing else uses.
    pub(crate) fn scratch_symbol(&mut self) -> Symbol {
        self.scratch = self.scratch.saturating_add(1);
        Symbol::Dummy(self.scratch - 1)
    }

    /// The quantities of which a total time derivative was taken, each with its derivative, in the order of the graph.
    pub(crate) fn known_rates(&self) -> Vec<(Id, Id)> {
        let mut rates: Vec<(Id, Id)> = self.rates.iter().map(|(&quantity, &rate)| (quantity, rate)).collect();
        rates.sort_unstable();
        rates
    }

    /// Remembers a total time derivative in a form that is shorter than that of the rules.
    pub(crate) fn know_rate(&mut self, quantity: Id, rate: Id) {
        if self.as_number(quantity).is_none() {
            self.rates.entry(quantity).or_insert(rate);
        }
    }

    /// The node of a symbol, where there is one.
    pub(crate) fn find_symbol(&self, symbol: Symbol) -> Option<Id> {
        self.ids.get(&Node::Symbol(symbol)).copied()
    }

    /// A function of its arguments, folded where the function's own rules allow.
    pub fn call(&mut self, function: Function, arguments: &[Id]) -> Id {
        match function.fold(self, arguments) {
            Some(id) => id,
            None => self.intern(Node::Call(function, arguments.into())),
        }
    }

    /// The exact value of a number node.
    pub fn as_number(&self, id: Id) -> Option<&Rational> {
        match self.node(id) {
            Node::Number(value) => Some(value),
            _ => None,
        }
    }

    /// Whether the node is the number 0.
    pub fn is_zero(&self, id: Id) -> bool {
        self.as_number(id).is_some_and(Rational::is_zero)
    }

    /// Whether the node is the number 1.
    pub fn is_one(&self, id: Id) -> bool {
        self.as_number(id).is_some_and(Rational::is_one)
    }

    /// Whether the expression contains the symbol.
    pub fn depends_on(&self, id: Id, symbol: Symbol) -> bool {
        self.symbol_index.get(&symbol).is_some_and(|&index| self.symbols[id.index()].contains(index))
    }

    /// A set of symbols, to be asked for with [`Graph::touches`].
    pub(crate) fn symbol_set(&self, symbols: impl IntoIterator<Item = Symbol>) -> SymbolSet {
        let mut set = SymbolSet::default();
        symbols.into_iter().filter_map(|symbol| self.symbol_index.get(&symbol)).for_each(|&index| set.insert(index));
        set
    }

    /// Whether the expression contains a symbol of the set.
    pub(crate) fn touches(&self, id: Id, set: &SymbolSet) -> bool {
        self.symbols[id.index()].meets(set)
    }

    /// The symbols that the expression contains, in the order of their first use.
    pub fn symbols(&self, id: Id) -> impl Iterator<Item = Symbol> + '_ {
        self.symbols[id.index()].iter().map(|index| self.symbol_order[index as usize])
    }

    /// Whether the expression contains a symbol for which `test` holds.
    pub fn contains(&self, id: Id, test: impl Fn(Symbol) -> bool) -> bool {
        self.symbols(id).any(test)
    }

    /// All nodes that the given ones are built from, themselves included, operands first.
    pub fn reachable(&self, roots: &[Id]) -> Vec<Id> {
        let mut seen = vec![false; self.nodes.len()];
        let mut pending: Vec<Id> = roots.to_vec();
        let mut found = Vec::new();
        while let Some(id) = pending.pop() {
            if std::mem::replace(&mut seen[id.index()], true) {
                continue;
            }
            found.push(id);
            for_each_operand(self.node(id), |operand| pending.push(operand));
        }
        found.sort_unstable();
        found
    }

    /// Splits c·x into (c, x); any other node is (1, itself).
    pub(crate) fn split_scale(&self, id: Id) -> (Rational, Id) {
        match self.node(id) {
            Node::Sum { terms, constant } if terms.len() == 1 && constant.is_zero() => (terms[0].1.clone(), terms[0].0),
            _ => (Rational::ONE, id),
        }
    }

    /// The factors of a node as pairs (base, exponent); a node that is no product is its own single factor.
    pub(crate) fn factors(&self, id: Id) -> Vec<(Id, Rational)> {
        match self.node(id) {
            Node::Product(factors) => factors.to_vec(),
            _ => vec![(id, Rational::ONE)],
        }
    }
}

/// Calls `visit` with each operand of a node.
pub fn for_each_operand(node: &Node, mut visit: impl FnMut(Id)) {
    match node {
        Node::Number(_) | Node::Pi | Node::Symbol(_) | Node::Truth(_) => {}
        Node::Sum { terms, .. } => terms.iter().for_each(|(id, _)| visit(*id)),
        Node::Product(factors) => factors.iter().for_each(|(id, _)| visit(*id)),
        Node::Power(a, b) | Node::Compare(_, a, b) | Node::And(a, b) | Node::Or(a, b) => {
            visit(*a);
            visit(*b);
        }
        Node::Call(_, arguments) => arguments.iter().for_each(|id| visit(*id)),
        Node::Select(condition, yes, no) => {
            visit(*condition);
            visit(*yes);
            visit(*no);
        }
        Node::Not(a) => visit(*a),
    }
}
