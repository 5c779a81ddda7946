//! The search for symmetries that a block does not state: δq = A q + b + c t with numbers that are the same for all parameters.
//!
//! The condition δL = dK/dt is linear in A, b, c and in the coefficients of K. So it is a system of linear equations at random states, whose
//! solutions are guesses: each one is decided like a symmetry that is stated, and dropped where it does not hold.

use super::{Effort, changed_by, defects, gauge, jump, momentum, powers, slopes};
use crate::calculus::{is_new, kernel, recognised, reduced, unit};
use crate::derivation::claims::domain;
use crate::derivation::conserved::Conserved;
use crate::graph::value::numeric;
use crate::graph::{Graph, Id, Rational, Symbol};
use crate::meaning::Model;
use crate::mechanics::Equations;
use crate::print;
use crate::prove::{Domain, Freedom, Random, Verdict};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// The most coordinates of a mechanism in which symmetries are looked for. The unknowns grow as their square.
const MOST_COORDINATES: usize = 6;

/// The most nodes that the search evaluates, so that it stays a small part of a derivation.
const MOST_EVALUATIONS: usize = 100_000;

/// The most nodes that decisions about guesses evaluate in many digits, beside those that normal forms or doubles decide.
const MOST_COMPARED: usize = 400_000;

/// How many states there are beyond the unknowns, so that no guess is an accident of few.
const MORE_STATES: usize = 6;

/// With different parameters a guess must have the same A, b and c.
const PARAMETER_SETS: usize = 2;

/// A symmetry of L that the block does not state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundSymmetry {
    /// δq, as the statement `symmetry` has it.
    pub change: String,
    /// K, as the statement has it; `0` where L does not change.
    pub gauge: String,
    /// J = p·δq − K.
    pub momentum: String,
    /// How δL = dK/dt was established.
    pub how: Conserved,
    /// What changes J, as for a symmetry that is stated.
    pub changed_by: Vec<String>,
}

/// What a search found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::derivation) struct Searched {
    /// The symmetries.
    pub(in crate::derivation) found: Vec<FoundSymmetry>,
    /// Whether the search ended before it was done, or was not begun, because the mechanism is too large for it.
    pub(in crate::derivation) is_cut: bool,
}

/// The symmetries of L that are affine in q and t, without those that are stated, and without the shifts of single coordinates that L does not
/// contain. A copy of the model is used, so that the search changes no expression that is emitted.
pub(in crate::derivation) fn search(model: &Model, equations: &Equations, stated: &[Vec<Id>]) -> Searched {
    let n = model.mechanical();
    if n == 0 {
        return Searched::default();
    }
    let cut = Searched { found: Vec::new(), is_cut: true };
    if n > MOST_COORDINATES {
        return cut;
    }
    let guesses = match guesses(model, equations, stated) {
        Guesses::Known(guesses) if guesses.is_empty() => return Searched::default(),
        Guesses::Known(guesses) => guesses,
        Guesses::Undefined => return Searched::default(),
        Guesses::TooDear => return cut,
    };
    let mut model = model.clone();
    // What holds for parameters of any sign needs no check of them.
    let domain = domain(&model, equations);
    let parameters = (0..model.parameters.len() as u32).map(Symbol::Parameter);
    let free: Vec<_> = parameters.filter(|symbol| domain.presumes_positive(*symbol)).collect();
    let domain = domain.freed(&model.graph, &free.iter().map(|symbol| (*symbol, Freedom::AnySign)).collect::<Vec<_>>());
    let mut searched = Searched::default();
    let mut effort = Effort { left: MOST_COMPARED };
    for guess in &guesses {
        match decided(&mut model, equations, &domain, guess, &mut effort) {
            Decided::Holds(symmetry) => searched.found.push(*symmetry),
            Decided::Fails => {}
            Decided::TooDear => searched.is_cut = true,
        }
    }
    searched
}

/// The coefficients of a guess: b, then the rows of A, then c.
type Guess = Vec<Rational>;

/// How many coefficients a change of `n` coordinates has.
fn width(n: usize) -> usize {
    n * n + 2 * n
}

/// δq of a guess.
fn change(graph: &mut Graph, n: usize, guess: &Guess) -> Vec<Id> {
    let time = graph.symbol(Symbol::Time);
    (0..n)
        .map(|i| {
            let mut terms: Vec<(Id, Rational)> =
                (0..n).map(|j| (graph.symbol(Symbol::Coordinate(j as u32)), guess[n + i * n + j].clone())).collect();
            terms.push((time, guess[n + n * n + i].clone()));
            graph.sum(terms, guess[i].clone())
        })
        .collect()
}

/// What became of a guess.
enum Decided {
    Holds(Box<FoundSymmetry>),
    Fails,
    TooDear,
}

/// Decides a guess.
fn decided(model: &mut Model, equations: &Equations, domain: &Domain, guess: &Guess, effort: &mut Effort) -> Decided {
    let n = model.mechanical();
    let change = change(&mut model.graph, n, guess);
    let (graph, physics) = (&mut model.graph, &model.physics);
    let gauge = gauge(graph, physics, equations, &change);
    let mut how = Conserved::Proved;
    for defect in defects(graph, physics, equations, (&change, gauge)) {
        let Some(verdict) = effort.verdict(graph, defect, domain) else { return Decided::TooDear };
        match verdict {
            Verdict::Proved => {}
            Verdict::Checked { points } => how = Conserved::Checked { points },
            Verdict::Refuted(_) | Verdict::Undecided(_) => return Decided::Fails,
        }
    }
    let momentum = momentum(graph, equations, (&change, gauge));
    if jump(model, domain, "", momentum).is_some() {
        return Decided::Fails;
    }
    let powers = powers(model, equations, &change);
    let Some(changed_by) = changed_by(model, domain, &powers, momentum, effort) else { return Decided::TooDear };
    let names = model.naming();
    let text = |value: Id| print::text(&model.graph, value, &names);
    let change = change.iter().map(|value| text(*value)).collect::<Vec<_>>().join(", ");
    let (change, gauge, momentum) = (format!("[{change}]"), text(gauge), text(momentum));
    Decided::Holds(Box::new(FoundSymmetry { change, gauge, momentum, how, changed_by }))
}

/// The guesses of symmetries.
enum Guesses {
    Known(Vec<Guess>),
    /// L is not defined at random states.
    Undefined,
    /// The values at random states would cost too much.
    TooDear,
}

fn guesses(model: &Model, equations: &Equations, stated: &[Vec<Id>]) -> Guesses {
    let n = model.mechanical();
    let mut known = stated_directions(model, stated);
    let cyclic = equations.facts.cyclic.iter().map(|&i| unit(width(n), i as usize));
    known.extend(cyclic);
    let condition = match condition(model, equations) {
        Ok(Some(condition)) => condition,
        Ok(None) => return Guesses::Undefined,
        Err(TooDear) => return Guesses::TooDear,
    };
    let found = reduced(kernel(&condition, width(n)));
    let mut guesses = Vec::new();
    for direction in found {
        if !is_new(&known, &direction) {
            continue;
        }
        if let Some(guess) = direction.iter().map(|&x| recognised(x)).collect::<Option<Guess>>() {
            guesses.push(with_usual_sign(guess, n));
            known.push(direction);
        }
    }
    Guesses::Known(guesses)
}

/// What would evaluate too many nodes.
struct TooDear;

/// The equations for the coefficients, a row for each state: the columns of b, A and c, and for each set of parameters those of K. `None` where L
/// is not defined at random states.
fn condition(model: &Model, equations: &Equations) -> Result<Option<Vec<Vec<f64>>>, TooDear> {
    let n = model.mechanical();
    let mut graph = model.graph.clone();
    let slope = slopes(&mut graph, &model.physics, equations);
    let roots: Vec<Id> = slope.iter().chain(&equations.momentum[..n]).copied().collect();
    let gauges = 2 * n + 2;
    let columns = width(n) + PARAMETER_SETS * gauges;
    let states = columns.div_ceil(PARAMETER_SETS) + MORE_STATES;
    if graph.reachable(&roots).len() * states * PARAMETER_SETS > MOST_EVALUATIONS {
        return Err(TooDear);
    }
    let random = RefCell::new(Random(0));
    let mut rows = Vec::new();
    for set in 0..PARAMETER_SETS {
        let fixed = RefCell::new(BTreeMap::new());
        let mut tries = 2 * states;
        let mut made = 0;
        while made < states {
            if tries == 0 {
                return Ok(None);
            }
            tries -= 1;
            let moving = RefCell::new(BTreeMap::new());
            let value = |symbol: Symbol| {
                let next = || random.borrow_mut().fraction();
                match symbol {
                    Symbol::Parameter(_) => *fixed.borrow_mut().entry(symbol).or_insert_with(|| 0.5 + next()),
                    _ => *moving.borrow_mut().entry(symbol).or_insert_with(|| 2.0 * next() - 1.0),
                }
            };
            let values = numeric(&graph, &roots, &value);
            if values.iter().any(|value| !value.is_finite()) {
                continue;
            }
            made += 1;
            let (slope, momentum) = values.split_at(n);
            let q = |i: usize| value(Symbol::Coordinate(i as u32));
            let v = |i: usize| value(Symbol::Velocity(i as u32));
            let t = value(Symbol::Time);
            let mut row = vec![0.0; columns];
            for i in 0..n {
                row[i] = slope[i];
                for j in 0..n {
                    row[n + i * n + j] = slope[i] * q(j) + momentum[i] * v(j);
                }
                row[n + n * n + i] = slope[i] * t + momentum[i];
            }
            // dK/dt of K = t, t², and qᵢ and t qᵢ of each coordinate.
            let own = &mut row[width(n) + set * gauges..][..gauges];
            (own[0], own[1]) = (1.0, 2.0 * t);
            for i in 0..n {
                (own[2 + i], own[2 + n + i]) = (v(i), q(i) + t * v(i));
            }
            rows.push(row);
        }
    }
    Ok(Some(rows))
}

/// The changes that are stated, as far as they are affine with numbers.
fn stated_directions(model: &Model, stated: &[Vec<Id>]) -> Vec<Vec<f64>> {
    let n = model.mechanical();
    let at = |change: &[Id], one: Option<Symbol>| {
        numeric(&model.graph, change, &|symbol| match symbol {
            Symbol::Coordinate(_) | Symbol::Time => f64::from(u8::from(Some(symbol) == one)),
            _ => f64::NAN,
        })
    };
    let direction = |change: &Vec<Id>| {
        let origin = at(change, None);
        let mut direction = vec![0.0; width(n)];
        direction[..n].copy_from_slice(&origin);
        for j in 0..=n {
            let one = if j < n { Symbol::Coordinate(j as u32) } else { Symbol::Time };
            for (i, value) in at(change, Some(one)).iter().enumerate() {
                direction[if j < n { n + i * n + j } else { n + n * n + i }] = value - origin[i];
            }
        }
        direction
    };
    let directions = stated.iter().filter(|change| change.len() == n).map(direction);
    directions.filter(|direction| direction.iter().all(|x| x.is_finite())).collect()
}

/// The guess with the sign in which a shift is positive, and in a turn the last coordinate that moves.
fn with_usual_sign(guess: Guess, n: usize) -> Guess {
    let (shift, rest) = guess.split_at(n);
    let leading = shift.iter().chain(rest.iter().rev()).find(|x| !x.is_zero());
    match leading {
        Some(leading) if leading.sign() == dashu_base::Sign::Negative => guess.into_iter().map(|x| -x).collect(),
        _ => guess,
    }
}
