//! LaTeX, for mathematical mode.

use super::Names;
use super::name;
use super::style::{Level, Piece, PowerPiece, Style};
use crate::graph::function::Function;
use crate::graph::{Relation, Symbol, rational};

/// LaTeX without packages beyond amsmath.
pub(super) struct Latex<'n> {
    pub(super) names: &'n dyn Names,
}

/// The function's LaTeX operator, if it has an upright name.
fn operator(function: Function) -> Option<String> {
    match function {
        Function::Sinc(0) => Some("\\operatorname{sinc}".into()),
        Function::Sinc(order) => Some(format!("\\operatorname{{sinc}}^{{({order})}}")),
        _ => function.row().latex.map(ToOwned::to_owned),
    }
}

fn list(arguments: &[Piece]) -> String {
    let arguments: Vec<&str> = arguments.iter().map(|piece| piece.text.as_str()).collect();
    arguments.join(", ")
}

impl Latex<'_> {
    /// Factors next to each other. A dot separates two factors whose digits would otherwise form one number.
    fn side_by_side(&self, number: Option<&str>, pieces: &[Piece]) -> Piece {
        let mut text = number.unwrap_or_default().to_string();
        if let ([single], None) = (pieces, number) {
            return single.clone();
        }
        for piece in pieces {
            let next = self.at_least(piece, Level::Power);
            if !text.is_empty() {
                text += if next.starts_with(|c: char| c.is_ascii_digit()) { " \\cdot " } else { " " };
            }
            text += &next;
        }
        if text.is_empty() {
            text.push('1');
        }
        Piece::new(text, if pieces.is_empty() { Level::Atom } else { Level::Product })
    }
}

impl Style for Latex<'_> {
    fn symbol(&self, symbol: Symbol) -> Piece {
        let text = match symbol {
            Symbol::Velocity(i) => match self.names.state(i) {
                Some(state) => name::symbol(&state),
                None => name::derivative(&self.names.symbol(Symbol::Coordinate(i)), "\\dot"),
            },
            Symbol::Acceleration(i) => {
                let (name, dots) = match self.names.state(i) {
                    Some(state) => (state, "\\dot"),
                    None => (self.names.symbol(Symbol::Coordinate(i)), "\\ddot"),
                };
                name::derivative(&name, dots)
            }
            Symbol::Time => "t".to_string(),
            other => match self.names.given(other) {
                Some(given) => name::given(given),
                None => name::symbol(&self.names.symbol(other)),
            },
        };
        Piece::new(text, Level::Atom)
    }

    fn pi(&self) -> Piece {
        Piece::new("\\pi", Level::Atom)
    }

    fn shared(&self, number: usize) -> String {
        format!("s_{{{number}}}")
    }

    fn parentheses(&self, text: &str) -> String {
        format!("\\left({text}\\right)")
    }

    fn power(&self, power: &PowerPiece) -> Piece {
        if power.exponent.is_one() {
            return power.base.clone();
        }
        if power.exponent == rational(1, 2) {
            return Piece::new(format!("\\sqrt{{{}}}", power.base.text), Level::Atom);
        }
        if let Some((function, arguments)) = &power.call
            && let Some(operator) = operator(*function)
            && !operator.contains('^')
        {
            let text = format!("{operator}^{{{}}}{}", power.exponent, self.parentheses(&list(arguments)));
            return Piece::new(text, Level::Power);
        }
        Piece::new(format!("{}^{{{}}}", self.at_least(&power.base, Level::Atom), power.exponent), Level::Power)
    }

    fn general_power(&self, base: &Piece, exponent: &Piece) -> Piece {
        Piece::new(format!("{}^{{{}}}", self.at_least(base, Level::Atom), exponent.text), Level::Power)
    }

    fn quotient(&self, halves: (Option<String>, Option<String>), numerator: &[Piece], denominator: &[Piece]) -> Piece {
        let top = self.side_by_side(halves.0.as_deref(), numerator);
        if halves.1.is_none() && denominator.is_empty() {
            return top;
        }
        let bottom = self.side_by_side(halves.1.as_deref(), denominator);
        Piece::new(format!("\\frac{{{}}}{{{}}}", top.text, bottom.text), Level::Power)
    }

    fn call(&self, function: Function, arguments: &[Piece]) -> Piece {
        let inside = list(arguments);
        let text = match function {
            Function::Abs => format!("\\left|{inside}\\right|"),
            Function::Floor => format!("\\left\\lfloor {inside}\\right\\rfloor"),
            Function::Mod => {
                let operands: Vec<String> =
                    arguments.iter().map(|argument| self.at_least(argument, Level::Atom)).collect();
                return Piece::new(operands.join(" \\bmod "), Level::Sum);
            }
            Function::Norm => format!("\\left\\lVert\\left({inside}\\right)\\right\\rVert"),
            // r(x) = 1/x with r(0) = 0 is written as the pseudo-inverse of x.
            Function::RecipOrZero => {
                return Piece::new(format!("\\left({inside}\\right)^{{+}}"), Level::Power);
            }
            Function::Extern { index, orders } => {
                let by: String = orders.arguments().map(|argument| (argument + 1).to_string()).collect();
                let by = if by.is_empty() { by } else { format!("_{{,{by}}}") };
                let name = name::symbol(&self.names.function(index));
                format!("{name}{by}{}", self.parentheses(&inside))
            }
            Function::Implicit { index, part } => {
                format!("{}{}", name::symbol(&self.names.solution(index, part)), self.parentheses(&inside))
            }
            Function::Spline { table, order } => {
                let (name, argument) = (name::symbol(&self.names.table(table)), list(&arguments[..1]));
                format!("{name}{}{}", "'".repeat(usize::from(order)), self.parentheses(&argument))
            }
            _ => format!("{}{}", operator(function).unwrap_or_default(), self.parentheses(&inside)),
        };
        Piece::new(text, Level::Atom)
    }

    fn select(&self, condition: &Piece, yes: &Piece, no: &Piece) -> Piece {
        let text = format!(
            "\\begin{{cases}} {} & \\text{{if }} {} \\\\ {} & \\text{{otherwise}} \\end{{cases}}",
            yes.text, condition.text, no.text
        );
        Piece::new(text, Level::Or)
    }

    fn truth(&self, value: bool) -> Piece {
        Piece::new(if value { "\\text{true}" } else { "\\text{false}" }, Level::Atom)
    }

    fn compare(&self, relation: Relation, a: &Piece, b: &Piece) -> Piece {
        let sign = match relation {
            Relation::Less => "<",
            Relation::LessEqual => "\\le",
            Relation::Equal => "=",
        };
        let (a, b) = (self.at_least(a, Level::Sum), self.at_least(b, Level::Sum));
        Piece::new(format!("{a} {sign} {b}"), Level::Comparison)
    }

    fn and(&self, a: &Piece, b: &Piece) -> Piece {
        let (a, b) = (self.at_least(a, Level::And), self.at_least(b, Level::And));
        Piece::new(format!("{a} \\land {b}"), Level::And)
    }

    fn or(&self, a: &Piece, b: &Piece) -> Piece {
        Piece::new(format!("{} \\lor {}", a.text, b.text), Level::Or)
    }

    fn not(&self, a: &Piece) -> Piece {
        Piece::new(format!("\\lnot {}", self.at_least(a, Level::Atom)), Level::Atom)
    }
}
