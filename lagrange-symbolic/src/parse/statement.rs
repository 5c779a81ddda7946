//! The statements of the block, read one after the other with recovery at each `;`.

use super::constraint::inequality;
use super::contact::stated_slip;
use super::cursor::Cursor;
use super::expression::{INDEX_FORM, Parser, begins_property};
use super::foreign;
use super::outline;
use crate::report::{Mistake, Place, Report, did_you_mean};
use crate::syntax::{
    Binary, ConstraintKind, CoordinateArray, Energy, Expr, ExprKind, Indexing, StatedUnit, Statement, StatementKind,
    is_name, plain,
};
use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};

/// The words that begin a statement.
const KEYWORDS: [&str; 29] = [
    "coordinates",
    "virtual",
    "let",
    "lagrangian",
    "kinetic",
    "potential",
    "dissipation",
    "force",
    "torque",
    "friction",
    "contact",
    "constraint",
    "nonholonomic",
    "state",
    "mode",
    "output",
    "invariant",
    "symmetry",
    "assume",
    "verify",
    "const",
    "extern",
    "table",
    "crate",
    "max_operations",
    "units",
    "part",
    "given",
    "allow",
];

/// What stands on the left side of a force.
const FORCE_LEFT: &str = "the left side says what the force acts on: a coordinate, a point, an angle";

/// Reads a block with these parts; statements with mistakes are left out and reported.
pub(crate) fn statements(block: TokenStream, parts: &[String]) -> (Vec<Statement>, Report) {
    let coordinates = outline::coordinate_names(&block).into_iter().map(|(name, _)| plain(&name)).collect();
    let mut parser = Parser::of(coordinates, parts.to_vec());
    let mut cursor = Cursor::new(block);
    let mut statements = Vec::new();
    while !cursor.is_empty() {
        if cursor.eat(";") {
            continue;
        }
        match parser.statement(&mut cursor) {
            Some(statement) => {
                statements.push(statement);
                parser.end_of_statement(&mut cursor);
            }
            None => cursor.recover(),
        }
    }
    (statements, parser.report)
}

/// The properties of a friction, in the order of their values.
const FRICTION_PROPERTIES: [&str; 2] = ["smooth", "breakaway"];

impl Parser {
    /// A statement without its `;`.
    fn statement(&mut self, cursor: &mut Cursor) -> Option<Statement> {
        let documentation = self.documentation(cursor)?;
        let place = cursor.place();
        let Some(keyword) = cursor.eat_ident() else {
            if cursor.at("%") || cursor.at("--") {
                return self.fail(Mistake::CommentSign { sign: cursor.found().replace('`', "") }, place);
            }
            return self.fail(Mistake::ExpectedStatement { found: cursor.found() }, place);
        };
        let kind = match keyword.to_string().as_str() {
            "coordinates" | "virtual" => self.coordinates(&keyword.to_string(), cursor)?,
            "let" => {
                let (name, indices, unit, value) = self.definition("let", cursor)?;
                StatementKind::Let { name, indices, unit, value }
            }
            "lagrangian" => self.energy(Energy::Lagrangian, keyword, cursor)?,
            "kinetic" => self.energy(Energy::Kinetic, keyword, cursor)?,
            "potential" => self.energy(Energy::Potential, keyword, cursor)?,
            "dissipation" => self.energy(Energy::Dissipation, keyword, cursor)?,
            "force" | "torque" => self.force(&keyword, cursor)?,
            "friction" => self.friction(cursor)?,
            "contact" => self.contact(cursor)?,
            "constraint" => self.constraint(ConstraintKind::Holonomic, cursor)?,
            "nonholonomic" => self.constraint(ConstraintKind::Nonholonomic, cursor)?,
            "state" => self.state(cursor)?,
            "mode" => self.mode(cursor)?,
            "output" => {
                let (name, indices, unit, value) = self.definition("output", cursor)?;
                StatementKind::Output { name, indices, unit, value }
            }
            "invariant" => {
                let (name, indices, unit, value) = self.definition("invariant", cursor)?;
                StatementKind::Invariant { name, indices, unit, value }
            }
            "symmetry" => self.symmetry(cursor)?,
            "assume" => {
                let fact = self.expression(cursor)?;
                if cursor.at("=") {
                    let (found, form) =
                        (format!("{fact} {}", cursor.found().replace('`', "")), "assume left > right;".to_owned());
                    return self.fail(Mistake::AssumptionForm { found, form }, cursor.place());
                }
                StatementKind::Assume(fact)
            }
            "verify" => {
                let (left, right) = self.sides("verify", "verify", cursor)?;
                StatementKind::Verify { left, right }
            }
            "const" => self.constant(cursor)?,
            "extern" => self.extern_function(cursor)?,
            "table" => self.table(cursor)?,
            "crate" => self.runtime_path(cursor)?,
            "units" => self.units(cursor)?,
            "part" => self.part(cursor)?,
            "given" => self.given(cursor)?,
            "allow" => self.allow(cursor)?,
            "max_operations" => {
                self.equals("`max_operations`", cursor)?;
                StatementKind::MaxOperations(self.expression(cursor)?)
            }
            word => {
                let mistake = not_a_statement(word, cursor);
                return self.fail(mistake, &keyword);
            }
        };
        Some(Statement { kind, documentation, place: place.to(cursor.last()) })
    }

    /// The `;` behind a statement, or what stands in its place.
    fn end_of_statement(&mut self, cursor: &mut Cursor) {
        if cursor.eat(";") {
            return;
        }
        let is_keyword = matches!(cursor.peek_second(), Some(TokenTree::Ident(word)) if is_keyword(word));
        if cursor.at(",") && is_keyword {
            cursor.next();
        }
        if begins_property(cursor) {
            let _ = self.finish(cursor);
            cursor.recover();
        } else if cursor.is_empty() {
            self.report.add(Mistake::MissingSemicolon { before: "the end of the block".to_owned() }, cursor.last());
        } else if begins_statement(cursor) {
            // The statement that follows is read as usual.
            self.report.add(Mistake::MissingSemicolon { before: cursor.found() }, cursor.last());
        } else {
            let _ = self.finish(cursor);
            cursor.recover();
        }
    }

    /// Doc comments before a statement.
    fn documentation(&mut self, cursor: &mut Cursor) -> Option<String> {
        let mut lines = Vec::new();
        while cursor.at("#") {
            let start = cursor.place();
            cursor.eat("#");
            if cursor.peek_group(Delimiter::Bracket).is_none() {
                return self.fail(Mistake::CommentSign { sign: "#".to_owned() }, start);
            }
            let line = cursor.eat_group(Delimiter::Bracket).and_then(|group| doc_line(group.stream()));
            match line {
                Some(line) => lines.push(line),
                None => return self.fail(Mistake::BlockAttribute {}, start.to(cursor.last())),
            }
        }
        Some(lines.join("\n"))
    }

    /// `a, theta[8], r[6][3]` behind `coordinates` or `virtual`.
    fn coordinates(&mut self, keyword: &str, cursor: &mut Cursor) -> Option<StatementKind> {
        let is_virtual = keyword == "virtual";
        let stated = names_before_end(cursor);
        let mut names = Vec::new();
        loop {
            let is_foreign =
                matches!(cursor.peek(), Some(TokenTree::Punct(_) | TokenTree::Group(_))) && !cursor.at(";");
            // `coordinates x, kinetic = …`: a comma for a semicolon.
            let is_next = matches!(cursor.peek_second(), Some(TokenTree::Punct(equals)) if equals.as_char() == '=');
            if !names.is_empty() && is_next && begins_statement(cursor) {
                return Some(StatementKind::Coordinates(names));
            }
            if is_foreign && !stated.is_empty() {
                return self.coordinates_form(keyword, &stated, cursor);
            }
            let name = self.name(if is_virtual { "a virtual displacement" } else { "a coordinate" }, cursor)?;
            let mut lengths = Vec::new();
            while let Some(group) = cursor.eat_group(Delimiter::Bracket) {
                let found = self.list(&group)?;
                if found.is_empty() {
                    return self.fail(Mistake::MissingLength { name: plain(&name) }, cursor.last());
                }
                lengths.extend(found);
            }
            let unit = self.behind_colon(cursor)?;
            if is_virtual && cursor.at_word("in") {
                return self.coordinates_form(keyword, &[plain(&name)], cursor);
            }
            let range = self.behind_in(cursor)?;
            names.push(CoordinateArray { name, lengths, unit, range, is_virtual });
            if !(cursor.is_empty() || cursor.at(",") || cursor.at(";") || begins_statement(cursor)) {
                return self.coordinates_form(keyword, &stated, cursor);
            }
            if !cursor.eat(",") || cursor.at(";") {
                return Some(StatementKind::Coordinates(names));
            }
        }
    }

    fn coordinates_form(&mut self, keyword: &str, stated: &[String], cursor: &Cursor) -> Option<StatementKind> {
        let form = format!("{keyword} {};", stated.join(", "));
        let why = match keyword {
            "virtual" => "a virtual displacement is 0 at all times; an array of them is `r[3]`",
            _ => "the initial state gives values; an array of coordinates is `r[3]`",
        };
        let why = why.to_owned();
        self.fail(Mistake::Form { form, found: cursor.found(), why }, cursor.place())
    }

    /// `name[indices] = value`, `name[indices]: unit = value`
    fn definition(
        &mut self,
        keyword: &str,
        cursor: &mut Cursor,
    ) -> Option<(Ident, Vec<Indexing>, Option<StatedUnit>, Expr)> {
        let form = |form: String, why: &str, found: String| Mistake::Form { form, found, why: why.to_owned() };
        if cursor.at_word("mut") {
            let (found, place) = (cursor.found(), cursor.place());
            cursor.next();
            let name = cursor.peek().map_or_else(|| "name".to_owned(), ToString::to_string);
            let why = "a name stands for one quantity throughout the block";
            return self.fail(form(format!("{keyword} {name} = …;"), why, found), place);
        }
        if cursor.at("=") && !cursor.at("==") {
            return self.fail(form(format!("{keyword} name = …;"), "", cursor.found()), cursor.place());
        }
        if matches!(cursor.peek(), Some(TokenTree::Group(_))) {
            let why = "a statement names one quantity, which may be a vector";
            return self.fail(form(format!("{keyword} name = …;"), why, cursor.found()), cursor.place());
        }
        let mut name = self.name("a name", cursor)?;
        let mut indices = self.indexing(&name, cursor)?;
        if keyword == "let" && self.parts.contains(&plain(&name)) {
            (name, indices) = self.given_by_whole(name, indices, cursor)?;
        }
        if cursor.peek_group(Delimiter::Parenthesis).is_some() {
            let why = "a quantity depends on what it is made of; a Rust function is named by `extern`";
            let mistake = form(format!("{keyword} {} = …;", plain(&name)), why, cursor.found());
            return self.fail(mistake, cursor.place());
        }
        let unit = self.behind_colon(cursor)?;
        self.equals(&format!("`{keyword} {}`", plain(&name)), cursor)?;
        let value = self.expression(cursor)?;
        Some((name, indices, unit, value))
    }

    /// `[0]`, `[i in 1..8]`, or several of them, behind the name of a statement.
    pub(super) fn indexing(&mut self, name: &Ident, cursor: &mut Cursor) -> Option<Vec<Indexing>> {
        let mut indices = Vec::new();
        while let Some(group) = cursor.eat_group(Delimiter::Bracket) {
            let found = self.elements(&group, |parser, cursor| {
                let is_range = matches!(cursor.peek_second(), Some(TokenTree::Ident(word)) if word == "in");
                if is_range {
                    parser.range(INDEX_FORM, cursor).map(Indexing::Range)
                } else {
                    parser.expression(cursor).map(Indexing::Element)
                }
            })?;
            if found.is_empty() {
                return self.fail(Mistake::MissingIndex { name: plain(name) }, cursor.last());
            }
            indices.extend(found);
        }
        Some(indices)
    }

    /// A force or a couple; the ranges between the brackets of its left side index it.
    fn force(&mut self, keyword: &Ident, cursor: &mut Cursor) -> Option<StatementKind> {
        let is_torque = keyword == "torque";
        if cursor.at("=") && !cursor.at("==") {
            let (form, why) = match self.coordinates.first() {
                _ if is_torque => {
                    ("torque orientation = …;".to_owned(), "the left side is a rotation matrix or a unit quaternion")
                }
                Some(name) => (format!("force {name} = …;"), FORCE_LEFT),
                None => ("force x = …;".to_owned(), FORCE_LEFT),
            };
            let why = why.to_owned();
            return self.fail(Mistake::Form { form, found: cursor.found(), why }, cursor.place());
        }
        self.ranges = Some(Vec::new());
        let left = self.expression(cursor);
        let ranges = self.ranges.take().unwrap_or_default();
        let left = left?;
        self.equals(&format!("`{keyword} {left}`"), cursor)?;
        let right = self.expression(cursor)?;
        let indices = ranges.into_iter().map(Indexing::Range).collect();
        Some(match is_torque {
            true => StatementKind::Torque { indices, left, right },
            false => StatementKind::Force { indices, left, right },
        })
    }

    /// `name[indices]: slip = bound, breakaway = held` or `name[indices]: slip = bound, smooth = v0`
    fn friction(&mut self, cursor: &mut Cursor) -> Option<StatementKind> {
        if !is_named(cursor) {
            return self.unnamed_friction(cursor);
        }
        let name = self.name("a name", cursor)?;
        let indices = self.indexing(&name, cursor)?;
        cursor.eat(":");
        let slip = self.expression(cursor)?;
        self.equals(&format!("`friction {}: {slip}`", plain(&name)), cursor)?;
        let (slip, is_rate) = stated_slip(slip);
        let bound = self.expression(cursor)?;
        let [smooth, breakaway] = self.friction_properties(&name, cursor)?;
        Some(StatementKind::Friction { name, indices, slip, is_rate, bound, smooth, breakaway })
    }

    /// `, smooth = v0` and `, breakaway = held`, where they are there.
    fn friction_properties(&mut self, name: &Ident, cursor: &mut Cursor) -> Option<[Option<Expr>; 2]> {
        let mut stated = [None, None];
        while cursor.eat(",") {
            if cursor.is_empty() || cursor.at(";") {
                break;
            }
            let (found, place) = (cursor.found(), cursor.place());
            let word = cursor.eat_ident().map(|word| word.to_string());
            let index = word.as_ref().and_then(|word| FRICTION_PROPERTIES.iter().position(|known| word == known));
            let (Some(property), Some(index)) = (word, index) else {
                return self.fail(Mistake::FrictionProperty { name: plain(name), found }, place);
            };
            self.equals(&format!("`{property}`"), cursor)?;
            let value = self.expression(cursor)?;
            if stated[index].replace(value).is_some() {
                return self.fail(Mistake::FrictionPropertyTwice { name: plain(name), property }, place);
            }
        }
        if stated.iter().all(Option::is_some) {
            return self.fail(Mistake::BreakawaySmooth { name: plain(name) }, name);
        }
        Some(stated)
    }

    /// A friction without a name: reports it with the form that it should have.
    fn unnamed_friction(&mut self, cursor: &mut Cursor) -> Option<StatementKind> {
        let (start, mut ahead, mut scratch) = (cursor.place(), cursor.clone(), Self::default());
        if cursor.at("=") && !cursor.at("==") && ahead.eat("=") {
            return match scratch.expression(&mut ahead).as_ref().and_then(damper) {
                Some(damper) => {
                    let form = format!("dissipation = {damper};");
                    self.fail(Mistake::DampingAsFriction { form }, start.to(ahead.last()))
                }
                None => self.fail(property_as_statement("friction", cursor), cursor.last()),
            };
        }
        let slip = scratch.expression(&mut ahead);
        let bound = if ahead.eat("=") { scratch.expression(&mut ahead) } else { None };
        let place = if slip.is_some() { start.to(ahead.last()) } else { start };
        let text = |side: Option<Expr>, missing: &str| side.map_or(missing.to_owned(), |side| side.to_string());
        let form = format!("friction name: {} = {};", text(slip, "slip"), text(bound, "bound"));
        self.fail(Mistake::ConstraintName { keyword: "friction".to_owned(), form }, place)
    }

    fn energy(&mut self, energy: Energy, keyword: Ident, cursor: &mut Cursor) -> Option<StatementKind> {
        self.equals(&format!("`{}`", energy.keyword()), cursor)?;
        let value = self.expression(cursor)?;
        Some(StatementKind::Energy { energy, keyword, value })
    }

    /// `left == right` behind `head`.
    pub(super) fn sides(&mut self, keyword: &str, head: &str, cursor: &mut Cursor) -> Option<(Expr, Expr)> {
        let left = self.expression(cursor)?;
        if !cursor.eat("==") {
            let name = head.strip_prefix("constraint ").and_then(|rest| rest.strip_suffix(':'));
            if let Some(mistake) = name.and_then(|name| inequality(keyword, name, &left)) {
                return self.fail(mistake, left.place);
            }
            if cursor.at("=") {
                let mut ahead = cursor.clone();
                ahead.eat("=");
                let right =
                    Self::default().expression(&mut ahead).map_or("right".to_owned(), |right| right.to_string());
                let form = format!("{head} {left} == {right};");
                return self.fail(Mistake::AssignmentInEquality { form }, cursor.place());
            }
            self.sides_only(cursor)?;
            let form = format!("{head} {left} == {};", if keyword == "verify" { "right" } else { "0" });
            let mistake = Mistake::MissingEquality { keyword: keyword.to_owned(), form, found: cursor.found() };
            return self.fail(mistake, cursor.place());
        }
        let right = self.expression(cursor)?;
        Some((left, right))
    }

    /// Reports what follows the left side, unless `==` or the end of the statement follows.
    fn sides_only(&mut self, cursor: &Cursor) -> Option<()> {
        if cursor.is_empty() || cursor.at(";") { Some(()) } else { self.finish(cursor) }
    }

    pub(crate) fn name(&mut self, what: &str, cursor: &mut Cursor) -> Option<Ident> {
        let place = cursor.place();
        let found = cursor.found();
        match cursor.eat_ident().filter(is_name) {
            Some(name) => Some(name),
            None => self.fail(Mistake::ExpectedName { what: what.to_owned(), found }, place),
        }
    }

    /// The `=` of a definition.
    pub(crate) fn equals(&mut self, after: &str, cursor: &mut Cursor) -> Option<()> {
        if cursor.at("==") {
            let second = cursor.peek_second().map_or(cursor.place(), Place::of);
            return self.fail(Mistake::EqualityInDefinition {}, cursor.place().to(second));
        }
        if cursor.eat("=") {
            return Some(());
        }
        let found = cursor.found();
        let is_operator = [":", "+", "-", "*", "/"].into_iter().any(|operator| cursor.at(operator));
        let head = after.replace('`', "");
        let mistake = if is_operator {
            let mut ahead = cursor.clone();
            let is_colon = ahead.eat(":");
            let mut right = if is_colon { Self::default().expression(&mut ahead) } else { None };
            let is_typed = is_colon && right.is_some() && ahead.eat("=");
            if is_typed {
                right = Self::default().expression(&mut ahead);
            }
            let why = match found.as_str() {
                "`+=`" | "`-=`" => "the parts are added with `+` in one statement",
                _ if is_typed => "numbers carry no type",
                _ => "",
            };
            let right = right.map_or("…".to_owned(), |right| right.to_string());
            Mistake::Form { form: format!("{head} = {right};"), found, why: why.to_owned() }
        } else {
            Mistake::ExpectedEquals { after: after.to_owned(), found, form: format!("{head} = …;") }
        };
        self.fail(mistake, cursor.place())
    }
}

/// What is wrong with a word that begins no statement.
fn not_a_statement(word: &str, cursor: &Cursor) -> Mistake {
    let word = word.to_owned();
    let is_definition = cursor.at("=") && !cursor.at("==");
    let suggestion = did_you_mean(&word, KEYWORDS);
    let known = foreign::statement(&word);
    if is_definition && matches!(word.as_str(), "restitution" | "slip" | "smooth" | "breakaway") {
        return property_as_statement(&word, cursor);
    }
    if is_definition && suggestion.is_empty() {
        return Mistake::MissingLet { name: word, help: known.map(|known| format!("; {known}")).unwrap_or_default() };
    }
    let is_equation = matches!(cursor.peek(), Some(TokenTree::Group(_)))
        || ["*", "/", "+", "-", "^", "=="].into_iter().any(|operator| cursor.at(operator));
    let statements = || format!("{suggestion} statements are {}", KEYWORDS.join(" ")).trim().to_owned();
    let help = match known {
        Some(known) if suggestion.is_empty() => known.to_owned(),
        None if is_equation && suggestion.is_empty() => {
            let of_first_order = rate_equation(&word, cursor).unwrap_or_default();
            format!(
                "equations of motion are derived, not stated: write energies, forces and constraints{of_first_order}"
            )
        }
        _ => statements(),
    };
    Mistake::UnknownStatement { word, help }
}

/// The dissipation of a force `c*dot(x)` or `dot(x)*c`: `c*dot(x)^2/2`.
fn damper(force: &Expr) -> Option<String> {
    let ExprKind::Binary(Binary::Multiply, left, right) = &force.kind else { return None };
    let is_rate = |side: &Expr| side.to_string().starts_with("dot(") && !matches!(side.kind, ExprKind::Binary(..));
    match (is_rate(left), is_rate(right)) {
        (false, true) => Some(format!("{left}*{right}^2/2")),
        (true, false) => Some(format!("{right}*{left}^2/2")),
        _ => None,
    }
}

/// A property of a contact or a friction in place of a statement. The cursor is at its `=`.
fn property_as_statement(word: &str, cursor: &Cursor) -> Mistake {
    let mut ahead = cursor.clone();
    ahead.eat("=");
    let value = Parser::default().expression(&mut ahead).map_or("…".to_owned(), |value| value.to_string());
    let form = match word {
        "smooth" | "breakaway" => format!("friction name: slip = bound, {word} = {value};"),
        "friction" => format!("contact name: left >= right, friction = {value}, slip = x;"),
        "slip" => format!("contact name: left >= right, friction = mu, slip = {value};"),
        _ => format!("contact name: left >= right, {word} = {value};"),
    };
    Mistake::PropertyAsStatement { word: word.to_owned(), form }
}

/// How `dot(z) = rate` is stated where it is meant as an equation of first order.
fn rate_equation(word: &str, cursor: &Cursor) -> Option<String> {
    let group = cursor.peek_group(Delimiter::Parenthesis).filter(|_| word == "dot")?;
    let (mut ahead, mut scratch) = (cursor.clone(), Parser::default());
    let name = scratch.expression(&mut Cursor::inside(group)).filter(|name| matches!(name.kind, ExprKind::Name(_)))?;
    ahead.eat_group(Delimiter::Parenthesis);
    let rate = if ahead.eat("==") || ahead.eat("=") { scratch.expression(&mut ahead)? } else { return None };
    Some(format!("; a quantity with an equation of first order is a state: `state {name}: dot({name}) == {rate};`"))
}

/// Whether a name and a `:` come next.
pub(super) fn is_named(cursor: &Cursor) -> bool {
    let [TokenTree::Ident(_), rest @ ..] = cursor.rest() else { return false };
    let is_index =
        |token: &&TokenTree| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket);
    let behind = &rest[rest.iter().take_while(is_index).count()..];
    match behind {
        [TokenTree::Punct(first), TokenTree::Punct(second), ..] if first.as_char() == ':' => second.as_char() != ':',
        [TokenTree::Punct(first), ..] => first.as_char() == ':',
        _ => false,
    }
}

/// The names up to the end of a statement, without their types.
fn names_before_end(cursor: &Cursor) -> Vec<String> {
    fn collect(tokens: impl Iterator<Item = TokenTree>, names: &mut Vec<String>) {
        for token in tokens {
            match token {
                TokenTree::Ident(name) if !matches!(name.to_string().as_str(), "f64" | "f32" | "t" | "time") => {
                    names.push(plain(&name));
                }
                TokenTree::Group(group) => collect(group.stream().into_iter(), names),
                _ => {}
            }
        }
    }
    let is_end = |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ';');
    let mut names = Vec::new();
    collect(cursor.rest().iter().take_while(|token| !is_end(token)).cloned(), &mut names);
    names
}

/// Whether a keyword and something that can follow it come next.
fn begins_statement(cursor: &Cursor) -> bool {
    matches!(cursor.peek(), Some(TokenTree::Ident(word)) if is_keyword(word))
}

fn is_keyword(word: &Ident) -> bool {
    KEYWORDS.contains(&word.to_string().as_str())
}

/// The text of `doc = "text"`.
fn doc_line(attribute: TokenStream) -> Option<String> {
    let meta: syn::MetaNameValue = syn::parse2(attribute).ok()?;
    match meta.value {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) if meta.path.is_ident("doc") => {
            Some(text.value().trim().to_owned())
        }
        _ => None,
    }
}
