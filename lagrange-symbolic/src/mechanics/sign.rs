//! The sign of an expression by its structure, with parameters taken to be positive; and what was so taken.

use crate::expr::{Graph, Id, Node, Rational, Symbol};
use crate::function::Function;
use dashu_base::Sign as NumberSign;
use std::collections::BTreeSet;

/// What is known of an expression's sign.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Sign {
    /// ≥ 0.
    NotNegative,
    /// > 0.
    Positive,
}

/// What signs are read off against: parameters are positive unless an assumption says otherwise.
#[derive(Clone, Debug, Default)]
pub(super) struct Signs {
    /// Expressions that the block assumes to be positive.
    assumed: Vec<Id>,
    /// Parameters that it assumes to be negative.
    negative: BTreeSet<Symbol>,
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
        }
        signs
    }

    /// The sign of an expression, where its structure shows that it is not negative. The largest parts that depend on
    /// parameters alone are added to `used`.
    pub(super) fn of(&self, graph: &Graph, id: Id, used: &mut Vec<(Id, Sign)>) -> Option<Sign> {
        let fixed = !graph.contains(id, |symbol| !matches!(symbol, Symbol::Parameter(_)));
        let constant = graph.symbols(id).next().is_none();
        let sign = self.structural(graph, id, if fixed { None } else { Some(used) })?;
        if fixed && !constant {
            used.push((id, sign));
        }
        Some(sign)
    }

    /// The sign by structure; without `used`, parts are not recorded.
    fn structural(&self, graph: &Graph, id: Id, mut used: Option<&mut Vec<(Id, Sign)>>) -> Option<Sign> {
        if self.assumed.contains(&id) {
            return Some(Sign::Positive);
        }
        let mut part = |operand: Id| match used.as_deref_mut() {
            Some(used) => self.of(graph, operand, used),
            None => self.structural(graph, operand, None),
        };
        match graph.node(id) {
            Node::Number(value) if value.is_zero() => Some(Sign::NotNegative),
            Node::Number(value) => (value.sign() == NumberSign::Positive).then_some(Sign::Positive),
            Node::Pi => Some(Sign::Positive),
            Node::Symbol(symbol @ Symbol::Parameter(_)) => (!self.negative.contains(symbol)).then_some(Sign::Positive),
            Node::Sum { terms, constant } => {
                let mut total = match constant.sign() {
                    _ if constant.is_zero() => Sign::NotNegative,
                    NumberSign::Positive => Sign::Positive,
                    NumberSign::Negative => return None,
                };
                for (term, coefficient) in terms {
                    if coefficient.sign() == NumberSign::Negative {
                        return None;
                    }
                    total = total.max(part(*term)?);
                }
                Some(total)
            }
            Node::Product(factors) => {
                let mut total = Sign::Positive;
                for (base, exponent) in factors {
                    let sign = match part(*base) {
                        Some(sign) => sign,
                        None if is_even(exponent) => Sign::NotNegative,
                        None => return None,
                    };
                    total = total.min(sign);
                }
                Some(total)
            }
            Node::Power(base, _) => part(*base).filter(|&sign| sign == Sign::Positive),
            Node::Call(Function::Exp | Function::Cosh, _) => Some(Sign::Positive),
            Node::Call(Function::Abs | Function::Norm, _) => Some(Sign::NotNegative),
            Node::Call(Function::Min, arguments) => Some(part(arguments[0])?.min(part(arguments[1])?)),
            Node::Call(Function::Max, arguments) => Some(part(arguments[0])?.max(part(arguments[1])?)),
            Node::Select(_, yes, no) => Some(part(*yes)?.min(part(*no)?)),
            _ => None,
        }
    }
}

/// Whether a power with this exponent is never negative.
pub(super) fn is_even(exponent: &Rational) -> bool {
    i64::try_from(exponent.numerator()).is_ok_and(|numerator| numerator % 2 == 0)
}
