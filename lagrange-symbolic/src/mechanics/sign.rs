//! The sign of an expression by its structure, with positive parameters, and the conditions on parameters that the
//! proof used.
//!
//! A proof asks each part for no more than it needs: a square is not negative whatever is squared, and of a sum of
//! parts that are not negative, one must be positive. So `prepare` checks exactly what the proof used.

use crate::graph::function::Function;
use crate::graph::{Graph, Id, Node, Rational, Symbol};
use dashu_base::Sign as NumberSign;
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

/// A claim about an expression's sign.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Sign {
    /// > 0.
    Positive,
    /// ≥ 0.
    NotNegative,
    /// < 0.
    Negative,
    /// ≤ 0.
    NotPositive,
}

impl Sign {
    /// Whether zero is excluded.
    pub(super) fn is_strict(self) -> bool {
        matches!(self, Self::Positive | Self::Negative)
    }

    fn is_upward(self) -> bool {
        matches!(self, Self::Positive | Self::NotNegative)
    }

    fn new(upward: bool, strict: bool) -> Self {
        match (upward, strict) {
            (true, true) => Self::Positive,
            (true, false) => Self::NotNegative,
            (false, true) => Self::Negative,
            (false, false) => Self::NotPositive,
        }
    }

    fn opposite(self) -> Self {
        Self::new(!self.is_upward(), self.is_strict())
    }

    fn with_zero(self) -> Self {
        Self::new(self.is_upward(), false)
    }
}

/// The conditions on expressions in parameters that a proof used.
pub(super) type Used = Vec<(Id, Sign)>;

/// The known signs of parameters. A parameter is positive unless an assumption says otherwise.
#[derive(Clone, Debug, Default)]
pub(super) struct Signs {
    /// Expressions that the block assumes to be positive.
    assumed: Vec<Id>,
    /// Parameters that the block assumes to be negative.
    negative: BTreeSet<Symbol>,
    /// Parameters that the block allows to be zero or negative.
    unsigned: BTreeSet<Symbol>,
    known: RefCell<HashMap<(Id, Sign), Option<Used>>>,
}

impl Signs {
    pub(super) fn new(graph: &Graph, assumptions: &[Id]) -> Self {
        let mut signs = Self::default();
        for &assumption in assumptions {
            let (scale, rest) = graph.split_scale(assumption);
            match graph.node(rest) {
                Node::Symbol(symbol) if scale.sign() == NumberSign::Negative => {
                    signs.negative.insert(*symbol);
                }
                _ => signs.assumed.push(assumption),
            }
            // An assumption such as a + 1 > 0 allows a to be negative.
            if let Node::Sum { terms, constant } = graph.node(assumption)
                && let [(term, coefficient)] = &**terms
                && let Node::Symbol(symbol) = graph.node(*term)
                && *coefficient > Rational::ZERO
                && *constant > Rational::ZERO
            {
                signs.unsigned.insert(*symbol);
            }
        }
        signs
    }

    /// Whether structure proves the sign of an expression. The conditions on parameters that the proof uses are
    /// appended to `used`; each is about a largest part that depends on parameters alone.
    pub(super) fn prove(&self, graph: &Graph, id: Id, sign: Sign, used: &mut Used) -> bool {
        let known = self.known.borrow().get(&(id, sign)).cloned();
        let found = known.unwrap_or_else(|| {
            let mut own = Used::new();
            let found = self.by_structure(graph, id, sign, &mut own).then_some(own).map(|own| {
                let is_fixed = !graph.contains(id, |symbol| !matches!(symbol, Symbol::Parameter(_)));
                if is_fixed && sign.is_upward() && !own.is_empty() { vec![(id, sign)] } else { own }
            });
            self.known.borrow_mut().insert((id, sign), found.clone());
            found
        });
        let is_proved = found.is_some();
        used.extend(found.into_iter().flatten());
        is_proved
    }

    fn by_structure(&self, graph: &Graph, id: Id, sign: Sign, used: &mut Used) -> bool {
        if self.assumed.contains(&id) && sign.is_upward() {
            return true;
        }
        let upward = sign.is_upward();
        match graph.node(id) {
            Node::Number(value) if value.is_zero() => !sign.is_strict(),
            Node::Number(value) => (*value > Rational::ZERO) == upward,
            Node::Pi => upward,
            Node::Symbol(symbol @ Symbol::Parameter(_)) if upward => {
                used.push((id, sign));
                !self.negative.contains(symbol) && !self.unsigned.contains(symbol)
            }
            Node::Symbol(symbol) => self.negative.contains(symbol) && !upward,
            Node::Sum { terms, constant } => self.sum(graph, terms, constant, sign, used),
            Node::Product(factors) => self.product(graph, factors, sign, used),
            Node::Power(base, _) => upward && self.prove(graph, *base, Sign::Positive, used),
            Node::Call(Function::Exp | Function::Cosh, _) => upward,
            Node::Call(Function::Abs | Function::Norm, arguments) => {
                upward && (!sign.is_strict() || arguments.iter().any(|&part| self.is_not_zero(graph, part, used)))
            }
            // One positive argument makes a maximum positive, and one negative argument makes a minimum negative.
            Node::Call(function @ (Function::Min | Function::Max), arguments) => {
                let mut parts = arguments.iter();
                if (*function == Function::Max) == upward {
                    parts.any(|&part| self.prove(graph, part, sign, used))
                } else {
                    parts.all(|&part| self.prove(graph, part, sign, used))
                }
            }
            Node::Select(_, yes, no) => self.prove(graph, *yes, sign, used) && self.prove(graph, *no, sign, used),
            _ => false,
        }
    }

    /// A sum has the sign if all terms have it or vanish. Where zero is excluded, at least one term must not vanish.
    fn sum(&self, graph: &Graph, terms: &[(Id, Rational)], constant: &Rational, sign: Sign, used: &mut Used) -> bool {
        if !constant.is_zero() && (*constant > Rational::ZERO) != sign.is_upward() {
            return false;
        }
        let of = |coefficient: &Rational, sign: Sign| {
            if coefficient.sign() == NumberSign::Negative { sign.opposite() } else { sign }
        };
        let is_strict = !sign.is_strict() || !constant.is_zero();
        let decisive = (!is_strict).then(|| {
            terms.iter().position(|(term, coefficient)| self.prove(graph, *term, of(coefficient, sign), used))
        });
        if decisive == Some(None) {
            return false;
        }
        terms.iter().enumerate().all(|(position, (term, coefficient))| {
            decisive == Some(Some(position)) || self.prove(graph, *term, of(coefficient, sign.with_zero()), used)
        })
    }

    /// Even powers and roots are not negative. A product is positive if an even number of its other factors is
    /// negative.
    fn product(&self, graph: &Graph, factors: &[(Id, Rational)], sign: Sign, used: &mut Used) -> bool {
        let is_strict = sign.is_strict();
        let mut upward = true;
        for (base, exponent) in factors {
            let proved = if is_even(exponent) {
                !is_strict || self.is_not_zero(graph, *base, used)
            } else if !exponent.is_int() {
                !is_strict || self.prove(graph, *base, Sign::Positive, used)
            } else if self.prove(graph, *base, Sign::new(true, is_strict), used) {
                true
            } else {
                upward = !upward;
                self.prove(graph, *base, Sign::new(false, is_strict), used)
            };
            if !proved {
                return false;
            }
        }
        upward == sign.is_upward()
    }

    fn is_not_zero(&self, graph: &Graph, id: Id, used: &mut Used) -> bool {
        self.prove(graph, id, Sign::Positive, used) || self.prove(graph, id, Sign::Negative, used)
    }
}

/// Whether a power with this exponent is never negative.
fn is_even(exponent: &Rational) -> bool {
    i64::try_from(exponent.numerator()).is_ok_and(|numerator| numerator % 2 == 0)
}
