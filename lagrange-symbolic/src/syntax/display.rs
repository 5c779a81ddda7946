//! Expressions back as text: as a user would write them, or fully parenthesised.

use crate::graph::finite_decimal;
use crate::syntax::{Binary, Expr, ExprKind, Unary, element, plain};
use proc_macro2::Ident;
use std::fmt::{self, Display, Formatter, Write};

/// Binding strength of a sign: looser than a power, tighter than a product.
const UNARY: u32 = 6;
/// Binding strength of what needs no parentheses anywhere.
const OPERAND: u32 = 9;
/// The most decimal places of a number that is written as a decimal.
const PLACES: usize = 12;

impl Display for Expr {
    /// With the parentheses that precedence asks for; `{:#}` puts them around every operation.
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let every = formatter.alternate();
        write_expr(self, formatter, 0, every)
    }
}

fn level(expr: &Expr) -> u32 {
    match &expr.kind {
        ExprKind::Binary(operator, ..) => operator.level(),
        ExprKind::Unary(..) => UNARY,
        // A fraction such as 0.1 is written as a decimal where it is one, else as a quotient.
        ExprKind::Number(value) if finite_decimal(value, PLACES).is_none() => Binary::Divide.level(),
        _ => OPERAND,
    }
}

fn write_expr(expr: &Expr, out: &mut Formatter<'_>, outer: u32, every: bool) -> fmt::Result {
    let own = level(expr);
    let parentheses = own < outer || (every && outer > 0 && own < OPERAND);
    if parentheses {
        out.write_char('(')?;
    }
    match &expr.kind {
        ExprKind::Number(value) => match finite_decimal(value, PLACES) {
            Some(text) => out.write_str(&text)?,
            None => write!(out, "{}/{}", value.numerator(), value.denominator())?,
        },
        ExprKind::Name(name) => out.write_str(&plain(name))?,
        ExprKind::Call { function, arguments } => {
            write!(out, "{}(", plain(function))?;
            write_list(arguments, out, every)?;
            out.write_char(')')?;
        }
        ExprKind::Vector(elements) => {
            out.write_char('[')?;
            write_list(elements, out, every)?;
            out.write_char(']')?;
        }
        ExprKind::Index { of, indices } => {
            if let Some((name, indices)) = expr.named().map(|(name, indices)| (plain(name), indices))
                && name.contains("[]")
            {
                let indices: Vec<String> = indices.into_iter().map(ToString::to_string).collect();
                return out.write_str(&element(&name, &indices));
            }
            write_expr(of, out, OPERAND, every)?;
            out.write_char('[')?;
            write_list(indices, out, every)?;
            out.write_char(']')?;
        }
        ExprKind::Unary(sign, operand) => {
            out.write_char(if *sign == Unary::Negate { '-' } else { '!' })?;
            write_expr(operand, out, UNARY, every)?;
        }
        ExprKind::Binary(Binary::Power, base, exponent) => {
            write_expr(base, out, Binary::Power.level() + 1, every)?;
            out.write_char('^')?;
            write_expr(exponent, out, UNARY, every)?;
        }
        ExprKind::Binary(operator, left, right) => {
            write_expr(left, out, own, every)?;
            match operator {
                Binary::Multiply | Binary::Divide => out.write_str(operator.symbol())?,
                _ => write!(out, " {} ", operator.symbol())?,
            }
            write_expr(right, out, own + 1, every)?;
        }
        ExprKind::If { condition, then, otherwise } => {
            out.write_str("if ")?;
            write_expr(condition, out, 0, every)?;
            out.write_str(" { ")?;
            write_expr(then, out, 0, every)?;
            out.write_str(" } else { ")?;
            write_expr(otherwise, out, 0, every)?;
            out.write_str(" }")?;
        }
        ExprKind::Integral { dummy, from, to, integrand, nodes } => {
            write_range("integral", dummy, [from, to, integrand], out, every)?;
            if let Some(nodes) = nodes {
                out.write_str(", nodes = ")?;
                write_expr(nodes, out, 0, every)?;
            }
            out.write_char(')')?;
        }
        ExprKind::Sum { range, term } => {
            write_range("sum", &range.variable, [&range.from, &range.to, term], out, every)?;
            out.write_char(')')?;
        }
    }
    if let Some(unit) = &expr.unit {
        write!(out, "[{}]", unit.text)?;
    }
    if parentheses {
        out.write_char(')')?;
    }
    Ok(())
}

/// Writes `function(variable in from..to, inner`. The caller writes the closing parenthesis.
fn write_range(
    function: &str,
    variable: &Ident,
    [from, to, inner]: [&Expr; 3],
    out: &mut Formatter<'_>,
    every: bool,
) -> fmt::Result {
    write!(out, "{function}({} in ", plain(variable))?;
    write_expr(from, out, 0, every)?;
    out.write_str("..")?;
    write_expr(to, out, 0, every)?;
    out.write_str(", ")?;
    write_expr(inner, out, 0, every)
}

fn write_list(elements: &[Expr], out: &mut Formatter<'_>, every: bool) -> fmt::Result {
    for (i, element) in elements.iter().enumerate() {
        if i > 0 {
            out.write_str(", ")?;
        }
        write_expr(element, out, 0, every)?;
    }
    Ok(())
}
