//! Quantities that the user named, as their names in the expressions that contain them.

use super::share::lengths;
use crate::graph::{Graph, Id, Node, Rational, Symbol};
use std::collections::{BTreeMap, HashMap};

/// A shorter quantity, in characters, is written out rather than as its name.
const WORTH_ITS_NAME: u64 = 30;

/// Expressions in which quantities stand as symbols.
#[derive(Clone, Debug)]
pub struct Kept {
    /// The expressions.
    pub roots: Vec<Id>,
    /// The quantities in them and in each other, in the order in which they are stated: the symbol, the name and the definition.
    pub definitions: Vec<(Symbol, String, Id)>,
}

/// A quantity scale·core.
struct Quantity {
    symbol: Symbol,
    scale: Rational,
    core: Id,
    /// The factors of the core, if it is a product.
    factors: Vec<(Id, Rational)>,
}

/// Writes the long ones of named quantities as symbols wherever an expression contains them, or a product of them. The symbols are
/// new ones, which the definitions name.
pub fn kept(graph: &mut Graph, roots: &[Id], named: &[(String, Id)]) -> Kept {
    let quantities = quantities(graph, named);
    let values: Vec<Id> = quantities.values().map(|quantity| quantity.core).collect();
    let mut new: HashMap<Id, Id> = HashMap::new();
    let mut defined: HashMap<Id, Id> = HashMap::new();
    for id in graph.reachable(&[roots, &values].concat()) {
        let own = quantities.get(&id);
        let mut result = with_quantities(graph, id, &quantities, &new);
        if let Some(Quantity { symbol, scale, .. }) = own {
            defined.insert(id, graph.scale(scale, result));
            result = standing_for(graph, *symbol, scale);
        }
        if result != id {
            new.insert(id, result);
        }
    }
    let roots: Vec<Id> = roots.iter().map(|root| new.get(root).copied().unwrap_or(*root)).collect();
    let mut used = vec![false; named.len()];
    let mut waiting = roots.clone();
    let mut places: HashMap<Symbol, usize> = HashMap::new();
    for (place, (_, value)) in named.iter().enumerate() {
        let quantity = quantities.get(&graph.split_scale(*value).1);
        quantity.map(|quantity| places.entry(quantity.symbol).or_insert(place));
    }
    while let Some(root) = waiting.pop() {
        for place in graph.symbols(root).filter_map(|symbol| places.get(&symbol).copied()) {
            if !std::mem::replace(&mut used[place], true) {
                let (_, core) = graph.split_scale(named[place].1);
                waiting.push(defined[&core]);
            }
        }
    }
    let definition = |(name, value): &(String, Id)| {
        let (_, core) = graph.split_scale(*value);
        Some((quantities.get(&core)?.symbol, name.clone(), defined[&core]))
    };
    let definitions =
        named.iter().zip(used).filter(|(_, used)| *used).filter_map(|(named, _)| definition(named)).collect();
    Kept { roots, definitions }
}

/// The quantities that are worth their names, by their cores. The first name of a value is the one that is kept.
fn quantities(graph: &mut Graph, named: &[(String, Id)]) -> BTreeMap<Id, Quantity> {
    let all: Vec<Id> = named.iter().map(|(_, value)| *value).collect();
    let order = graph.reachable(&all);
    let lengths = lengths(graph, &order);
    let mut quantities = BTreeMap::new();
    for &value in &all {
        let (scale, core) = graph.split_scale(value);
        if lengths[&core] < WORTH_ITS_NAME || quantities.contains_key(&core) {
            continue;
        }
        let factors = match graph.node(core) {
            Node::Product(factors) => factors.to_vec(),
            _ => Vec::new(),
        };
        let symbol = graph.scratch_symbols(1)[0];
        quantities.insert(core, Quantity { symbol, scale, core, factors });
    }
    quantities
}

/// The core of a quantity by its symbol.
fn standing_for(graph: &mut Graph, symbol: Symbol, scale: &Rational) -> Id {
    let symbol = graph.symbol(symbol);
    graph.scale(&(Rational::ONE / scale), symbol)
}

/// A node with new operands. In a product, factors that make a quantity are written as its symbol.
fn with_quantities(graph: &mut Graph, id: Id, quantities: &BTreeMap<Id, Quantity>, new: &HashMap<Id, Id>) -> Id {
    let Node::Product(factors) = graph.node(id) else { return graph.with_operands(id, new) };
    let mut rest = factors.to_vec();
    let mut inside = Vec::new();
    let others = quantities.values().filter(|quantity| quantity.core != id && !quantity.factors.is_empty());
    for quantity in others {
        if let Some(power) = power_of(quantity, &rest) {
            rest.retain(|(base, _)| !quantity.factors.iter().any(|(factor, _)| factor == base));
            let core = standing_for(graph, quantity.symbol, &quantity.scale);
            inside.push((core, power));
        }
    }
    if inside.is_empty() {
        return graph.with_operands(id, new);
    }
    let rest = rest.into_iter().map(|(base, exponent)| (new.get(&base).copied().unwrap_or(base), exponent));
    let factors = rest.chain(inside).collect();
    graph.product(factors)
}

/// The power of the quantity that some of the factors make: 1 for several factors, and any whole number for a single one that is no whole
/// power of its base in either.
fn power_of(quantity: &Quantity, factors: &[(Id, Rational)]) -> Option<Rational> {
    if quantity.factors.iter().all(|factor| factors.contains(factor)) {
        return Some(Rational::ONE);
    }
    let [(base, exponent)] = &quantity.factors[..] else { return None };
    let (_, found) = factors.iter().find(|(other, _)| other == base)?;
    let power = found / exponent;
    (power.is_int() && (exponent.is_int() || !found.is_int())).then_some(power)
}
