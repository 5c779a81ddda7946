//! Notations of other languages, recognised where an expression cannot be read.

use super::cursor::Cursor;
use super::expression::Parser;
use super::foreign;
use crate::report::{Mistake, Place};
use crate::syntax::{Binary, Expr, ExprKind, Intrinsic, plain};
use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};

/// A notation of another language and what is written here.
pub(crate) fn foreign(found: impl Into<String>, form: impl Into<String>) -> Mistake {
    Mistake::Foreign { found: found.into(), form: form.into() }
}

/// Names by which programs speak of the struct of parameters.
const OWNERS: [&str; 8] = ["self", "params", "param", "par", "p", "this", "model", "sys"];

impl Parser {
    /// Reports what stands behind a complete expression where it is an operator of another language.
    pub(crate) fn foreign_operator(&mut self, left: &Expr, cursor: &mut Cursor) -> Option<()> {
        let place = cursor.place();
        if cursor.eat("?") {
            let (then, otherwise) = (self.chosen(cursor)?, if cursor.eat(":") { self.chosen(cursor) } else { None });
            let otherwise = otherwise.unwrap_or_else(|| "…".to_owned());
            let form = format!("if {left} {{ {then} }} else {{ {otherwise} }}");
            return self.fail(foreign("?", form), place);
        }
        if cursor.eat_word("as") {
            cursor.next();
            return self.fail(foreign("as", left.to_string()), place.to(cursor.last()));
        }
        let logic = [("and", "&&"), ("or", "||")];
        let word = logic.into_iter().find(|(word, _)| cursor.at_word(word));
        let sign = [("&", "&&"), ("|", "||")].into_iter().find(|(sign, _)| cursor.at(sign));
        if let Some((found, operator)) = word.or(sign) {
            cursor.next();
            let right = self.chosen(cursor)?;
            return self.fail(foreign(found, format!("{left} {operator} {right}")), place);
        }
        if cursor.at_word("if") {
            cursor.next();
            let condition = self.chosen(cursor)?;
            let otherwise = if cursor.eat_word("else") { self.chosen(cursor)? } else { "…".to_owned() };
            return self.fail(foreign("if", format!("if {condition} {{ {left} }} else {{ {otherwise} }}")), place);
        }
        Some(())
    }

    fn chosen(&mut self, cursor: &mut Cursor) -> Option<String> {
        self.chain(cursor, 1).map(|expr| expr.to_string())
    }

    /// `x % y`
    pub(crate) fn percent(&mut self, left: &Expr, cursor: &mut Cursor) -> Option<Expr> {
        cursor.eat("%");
        let right = self.power(cursor)?;
        let place = left.place.to(right.place);
        self.fail(foreign(format!("{left} % {right}"), format!("mod({left}, {right})")), place)
    }

    /// `|x|`
    pub(crate) fn bars(&mut self, cursor: &mut Cursor) -> Option<Expr> {
        let place = cursor.place();
        let double = cursor.at("||");
        let (bar, function) = if double { ("||", "norm") } else { ("|", "abs") };
        cursor.eat(bar);
        let inner = self.chain(cursor, Binary::Add.level())?;
        if !cursor.eat(bar) {
            return self.fail(Mistake::ExpectedExpression { found: format!("`{bar}`") }, place);
        }
        let place = place.to(cursor.last());
        self.fail(foreign(format!("{bar}{inner}{bar}"), format!("{function}({inner})")), place)
    }

    /// What follows a name in another language's way: a path, a macro, an argument without parentheses.
    pub(crate) fn foreign_name(&mut self, name: &Ident, cursor: &mut Cursor) -> Option<()> {
        let place = Place::from(name);
        let word = plain(name);
        if cursor.at("::") {
            return self.path_of_rust(name, cursor);
        }
        let is_function = Intrinsic::names().any(|known| known == word);
        let is_operand = matches!(cursor.peek(), Some(TokenTree::Ident(_) | TokenTree::Literal(_)));
        if (is_function || word == "not") && is_operand && !cursor.at_word("if") && !cursor.at_word("else") {
            let operand = if word == "not" { self.chain(cursor, Binary::Less.level())? } else { self.power(cursor)? };
            let form = if word == "not" { format!("!({operand})") } else { format!("{word}({operand})") };
            return self.fail(foreign(format!("{word} {operand}"), form), place.to(operand.place));
        }
        if let (true, [TokenTree::Punct(_), TokenTree::Literal(power), TokenTree::Group(group), ..]) =
            (is_function && cursor.at("^"), cursor.rest())
        {
            let (found, form) = (format!("{word}^{power}{group}"), format!("{word}{group}^{power}"));
            let place = place.to(Place::of(&TokenTree::from(group.clone())));
            return self.fail(foreign(found, form), place);
        }
        if let (true, [TokenTree::Punct(_), TokenTree::Group(group), ..]) = (cursor.at("!"), cursor.rest()) {
            let form = format!("[{}]", tidy(group.stream()));
            let place = place.to(Place::of(&TokenTree::from(group.clone())));
            return self.fail(foreign(format!("{word}!"), form), place);
        }
        Some(())
    }

    /// `f64::sin(x)`, `std::f64::consts::PI`, `path::function(x)`
    fn path_of_rust(&mut self, first: &Ident, cursor: &mut Cursor) -> Option<()> {
        let mut found = plain(first);
        let mut last = found.clone();
        while cursor.eat("::") {
            let Some(next) = cursor.eat_ident() else { break };
            last = plain(&next);
            found += &format!("::{last}");
        }
        let path = found.clone();
        let group = cursor.eat_group(Delimiter::Parenthesis);
        let place = Place::from(first).to(cursor.last());
        let Some(group) = group else {
            let form = foreign::constant(&last).unwrap_or(&last);
            return self.fail(foreign(found, form), place);
        };
        let arguments: Vec<String> = self.list(&group)?.iter().map(ToString::to_string).collect();
        let arguments_text = arguments.join(", ");
        found += &format!("({arguments_text})");
        if Intrinsic::names().any(|known| known == last) {
            // `x::sin()` is a method without its point.
            let inside = if arguments.is_empty() { plain(first) } else { arguments_text };
            return self.fail(foreign(found, format!("{last}({inside})")), place);
        }
        if let Some(advice) = foreign::function(&last, &arguments) {
            return self.fail(Mistake::UnknownFunction { name: path, help: advice }, place);
        }
        let names = ["x", "y", "z", "a", "b", "c"];
        let names: Vec<&str> = (0..arguments.len()).map(|i| names.get(i).copied().unwrap_or("w")).collect();
        let slopes: String = names.iter().map(|name| format!(", d({name}) = path_of_its_derivative")).collect();
        let help = format!(
            "declare it, `extern {last}({}) = {path}{slopes};`, and write `{last}({arguments_text})`",
            names.join(", ")
        );
        self.fail(Mistake::UnknownFunction { name: path, help }, place)
    }

    /// `self.m`, `np.pi`, `x.sin`, `v.x`, `a.b.c(x)`
    pub(crate) fn field(&mut self, base: &Expr, field: &Ident, cursor: &mut Cursor) -> Option<Expr> {
        let mut last = plain(field);
        let mut found = format!("{base}.{last}");
        while cursor.at(".")
            && let Some(TokenTree::Ident(next)) = cursor.peek_second()
        {
            last = plain(next);
            found += &format!(".{last}");
            cursor.next();
            cursor.next();
        }
        let group = cursor.eat_group(Delimiter::Parenthesis);
        let place = base.place.to(cursor.last());
        if let Some(group) = group {
            let arguments: Vec<String> = self.list(&group)?.iter().map(ToString::to_string).collect();
            let arguments = arguments.join(", ");
            return self.fail(foreign(format!("{found}({arguments})"), format!("{last}({arguments})")), place);
        }
        let owner = base.to_string();
        let is_owner = OWNERS.contains(&owner.as_str()) || foreign::is_module(&owner);
        let component = ["x", "y", "z"].into_iter().position(|name| name == last);
        let form = match (component, foreign::constant(&last)) {
            (Some(index), _) if !is_owner => format!("{base}[{index}]"),
            (_, Some(constant)) => constant.to_owned(),
            _ if last == "T" && !is_owner => format!("transpose({base})"),
            _ if last == "ddot" => format!("dot(dot({base}))"),
            _ if Intrinsic::names().any(|known| known == last) => format!("{last}({base})"),
            _ => last,
        };
        self.fail(foreign(found, form), place)
    }

    /// What follows a `.` that is neither a field nor a method.
    pub(crate) fn behind_a_point(&mut self, base: &Expr, point: Place, cursor: &mut Cursor) -> Option<Expr> {
        let place = cursor.place();
        match cursor.peek() {
            Some(TokenTree::Literal(index)) => {
                let (found, form) = (format!("{base}.{index}"), format!("{base}[{index}]"));
                self.fail(foreign(found, form), base.place.to(place))
            }
            Some(TokenTree::Punct(operator)) if "^*/".contains(operator.as_char()) => {
                let operator = operator.as_char();
                self.fail(foreign(format!(".{operator}"), operator.to_string()), point.to(place))
            }
            _ => self.fail(Mistake::FieldAccess { found: cursor.found() }, place),
        }
    }

    /// `(x, y)`: a tuple, or the arguments of `if(c, a, b)`.
    pub(crate) fn tuple(&mut self, group: &Group, place: Place, is_choice: bool) -> Option<Expr> {
        let elements: Vec<String> = self.list(group)?.iter().map(ToString::to_string).collect();
        let (found, form) = match elements.as_slice() {
            [condition, then, otherwise] if is_choice => {
                (format!("if({})", elements.join(", ")), format!("if {condition} {{ {then} }} else {{ {otherwise} }}"))
            }
            _ => (format!("({})", elements.join(", ")), format!("[{}]", elements.join(", "))),
        };
        self.fail(foreign(found, form), place)
    }

    /// `[1, 2; 3, 4]` and `[0; 3]`
    pub(crate) fn rows(&mut self, group: &Group, place: Place) -> Option<Expr> {
        let rows: Vec<String> = parts(group, ';');
        let row = |text: &String| {
            let elements: Vec<&str> = text.split([',', ' ']).filter(|element| !element.is_empty()).collect();
            format!("[{}]", elements.join(", "))
        };
        let is_simple = rows.iter().all(|row| !row.contains(['+', '-', '*', '(', '[']));
        let form = match rows.as_slice() {
            [element, count] if count.parse::<usize>().is_ok_and(|count| count <= 8) && !element.contains(',') => {
                let count = count.parse().unwrap_or(1);
                format!("[{}]", vec![element.as_str(); count].join(", "))
            }
            _ if is_simple => format!("[{}]", rows.iter().map(row).collect::<Vec<_>>().join(", ")),
            _ => "[[a, b], [c, d]]".to_owned(),
        };
        self.fail(foreign(format!("[{}]", rows.join("; ")), form), place)
    }
}

/// Whether a delimited group has this character between its tokens.
pub(crate) fn has(group: &Group, mark: char) -> bool {
    group.stream().into_iter().any(|token| matches!(token, TokenTree::Punct(punct) if punct.as_char() == mark))
}

/// The tokens of a group between such characters, as text.
fn parts(group: &Group, mark: char) -> Vec<String> {
    let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
    tokens
        .split(|token| matches!(token, TokenTree::Punct(punct) if punct.as_char() == mark))
        .map(|part| tidy(part.iter().cloned().collect()))
        .collect()
}

/// Tokens as text, without spaces before commas.
fn tidy(tokens: TokenStream) -> String {
    tokens.to_string().replace(" ,", ",")
}

/// An operation that is written otherwise here, although each of its parts could be read: `e^x`, `dx/dt`.
pub(crate) fn foreign_operation(expr: &Expr, is_known: impl Fn(&str) -> bool) -> Option<Mistake> {
    let ExprKind::Binary(operator, left, right) = &expr.kind else { return None };
    let name = |expr: &Expr| match &expr.kind {
        ExprKind::Name(name) => Some(plain(name)).filter(|name| !is_known(name)),
        _ => None,
    };
    match operator {
        Binary::Power => {
            matches!(name(left)?.as_str(), "e" | "E").then(|| foreign(expr.to_string(), format!("exp({right})")))
        }
        Binary::Divide if name(right)? == "dt" => match &left.kind {
            ExprKind::Call { function, arguments } if function == "d" && arguments.len() == 1 => {
                Some(foreign(expr.to_string(), format!("dot({})", arguments[0])))
            }
            _ => {
                let of = name(left)?.strip_prefix('d')?.to_owned();
                is_known(&of).then(|| foreign(expr.to_string(), format!("dot({of})")))
            }
        },
        _ => None,
    }
}
