//! The notation of the language itself.

use super::Names;
use super::style::{Level, Piece, PowerPiece, Style};
use crate::graph::function::Function;
use crate::graph::{Relation, Symbol, rational};

/// Text that the parser reads back.
pub(super) struct Text<'n> {
    pub(super) names: &'n dyn Names,
}

impl Style for Text<'_> {
    fn symbol(&self, symbol: Symbol) -> Piece {
        let text = match symbol {
            Symbol::Velocity(i) => {
                self.names.state(i).unwrap_or_else(|| format!("dot({})", self.names.symbol(Symbol::Coordinate(i))))
            }
            Symbol::Acceleration(i) => match self.names.state(i) {
                Some(state) => format!("dot({state})"),
                None => format!("dot(dot({}))", self.names.symbol(Symbol::Coordinate(i))),
            },
            Symbol::Time => "t".to_string(),
            other => self.names.symbol(other),
        };
        Piece::new(text, Level::Atom)
    }

    fn pi(&self) -> Piece {
        Piece::new("pi", Level::Atom)
    }

    fn shared(&self, number: usize) -> String {
        format!("s{number}")
    }

    fn parentheses(&self, text: &str) -> String {
        format!("({text})")
    }

    fn power(&self, power: &PowerPiece) -> Piece {
        if power.exponent.is_one() {
            return power.base.clone();
        }
        if power.exponent == rational(1, 2) {
            return Piece::new(format!("sqrt({})", power.base.text), Level::Atom);
        }
        let exponent =
            if power.exponent.is_int() { power.exponent.to_string() } else { format!("({})", power.exponent) };
        Piece::new(format!("{}^{exponent}", self.at_least(&power.base, Level::Atom)), Level::Power)
    }

    fn general_power(&self, base: &Piece, exponent: &Piece) -> Piece {
        let (base, exponent) = (self.at_least(base, Level::Atom), self.at_least(exponent, Level::Atom));
        Piece::new(format!("{base}^{exponent}"), Level::Power)
    }

    fn quotient(&self, halves: (Option<String>, Option<String>), numerator: &[Piece], denominator: &[Piece]) -> Piece {
        let (above, below) = halves;
        let write = |number: Option<String>, pieces: &[Piece]| -> Vec<Piece> {
            number.map(|number| Piece::new(number, Level::Atom)).into_iter().chain(pieces.iter().cloned()).collect()
        };
        let (above, below) = (write(above, numerator), write(below, denominator));
        let join = |pieces: &[Piece]| -> String {
            let pieces: Vec<String> = pieces.iter().map(|piece| self.at_least(piece, Level::Power)).collect();
            pieces.join("*")
        };
        let top = match above.as_slice() {
            [] => Piece::new("1", Level::Atom),
            [single] => single.clone(),
            several => Piece::new(join(several), Level::Product),
        };
        match below.as_slice() {
            [] => top,
            [single] => {
                let bottom = self.at_least(single, Level::Power);
                Piece::new(format!("{}/{bottom}", self.at_least(&top, Level::Product)), Level::Product)
            }
            several => {
                Piece::new(format!("{}/({})", self.at_least(&top, Level::Product), join(several)), Level::Product)
            }
        }
    }

    fn call(&self, function: Function, arguments: &[Piece]) -> Piece {
        let arguments: Vec<&str> = arguments.iter().map(|piece| piece.text.as_str()).collect();
        let argument = arguments.first().copied().unwrap_or_default();
        let arguments = arguments.join(", ");
        let text = match function {
            Function::Norm => format!("norm([{arguments}])"),
            Function::Sinc(order) if order > 0 => format!("sinc{}({arguments})", "'".repeat(order as usize)),
            Function::Extern { index, orders } => {
                let by: String = orders.arguments().map(|argument| (argument + 1).to_string()).collect();
                let by = if by.is_empty() { by } else { format!("_{by}") };
                format!("{}{by}({arguments})", self.names.function(index))
            }
            Function::Implicit { index, part } => format!("{}({arguments})", self.names.solution(index, part)),
            Function::Spline { table, order } => {
                format!("{}{}({argument})", self.names.table(table), "'".repeat(usize::from(order)))
            }
            _ => format!("{}({arguments})", function.name()),
        };
        Piece::new(text, Level::Atom)
    }

    fn select(&self, condition: &Piece, yes: &Piece, no: &Piece) -> Piece {
        Piece::new(format!("if {} {{ {} }} else {{ {} }}", condition.text, yes.text, no.text), Level::Or)
    }

    fn truth(&self, value: bool) -> Piece {
        Piece::new(if value { "true" } else { "false" }, Level::Atom)
    }

    fn compare(&self, relation: Relation, a: &Piece, b: &Piece) -> Piece {
        let sign = match relation {
            Relation::Less => "<",
            Relation::LessEqual => "<=",
            Relation::Equal => "==",
        };
        let (a, b) = (self.at_least(a, Level::Sum), self.at_least(b, Level::Sum));
        Piece::new(format!("{a} {sign} {b}"), Level::Comparison)
    }

    fn and(&self, a: &Piece, b: &Piece) -> Piece {
        let (a, b) = (self.at_least(a, Level::And), self.at_least(b, Level::And));
        Piece::new(format!("{a} && {b}"), Level::And)
    }

    fn or(&self, a: &Piece, b: &Piece) -> Piece {
        Piece::new(format!("{} || {}", a.text, b.text), Level::Or)
    }

    fn not(&self, a: &Piece) -> Piece {
        Piece::new(format!("!{}", self.at_least(a, Level::Atom)), Level::Atom)
    }
}
