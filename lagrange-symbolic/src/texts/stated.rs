//! What a block states, as mathematics: its statements as they are written, part by part.

use crate::assembly::Source;
use crate::meaning::{Known, constants};
use crate::parse::{last_name, part_paths};
use crate::print::formula::{Context, formula, quantity, range};
use crate::print::written;
use crate::report::Report;
use crate::syntax::{
    Binary, CoordinateArray, Energy, Expr, ExprKind, Group, Indexing, Spec, Statement, StatementKind, Unary, plain,
};
use proc_macro2::Ident;
use std::collections::{BTreeMap, BTreeSet};

/// The letters of the indices of parts.
const LETTERS: [&str; 6] = ["i", "j", "k", "n", "r", "s"];

/// One aligned block of LaTeX with the statements of a block. Those of a part stand below a line with its name, and those of the whole at the end.
pub(super) fn stated(spec: &Spec) -> String {
    let known = constants(spec, &mut Report::new());
    let functions = spec.statements.iter().filter_map(|statement| match &statement.kind {
        StatementKind::Extern(function) => Some(plain(&function.name)),
        StatementKind::Table { name, .. } => Some(plain(name)),
        _ => None,
    });
    let symbols = spec.item.fields.iter().filter_map(|field| Some((plain(&field.ident), field.symbol.clone()?)));
    let names = Names {
        known,
        functions: functions.collect(),
        symbols: symbols.collect(),
        declared: declared(spec),
        letters: letters(&spec.groups),
    };
    let mut lines = Vec::new();
    // The innermost part of each statement.
    let innermost = |index: usize| spec.groups.iter().rposition(|group| group.statements.contains(&index));
    let owners: Vec<Option<usize>> = (0..spec.statements.len()).map(innermost).collect();
    let groups = (0..spec.groups.len()).map(Some).chain([None]);
    for owner in groups {
        let own = spec.statements.iter().zip(&owners).filter(|(_, of)| **of == owner).map(|(statement, _)| statement);
        let of_group: Vec<String> = own.flat_map(|statement| lines_of(statement, &names)).collect();
        if of_group.is_empty() {
            continue;
        }
        match owner {
            Some(owner) => lines.push(heading(&spec.groups[owner])),
            None if spec.groups.is_empty() => {}
            None => lines.push("\\text{The whole}".to_owned()),
        }
        lines.extend(of_group);
    }
    let lines: Vec<String> = lines.into_iter().map(|line| format!("  {line}")).collect();
    format!("\\begin{{aligned}}\n{}\n\\end{{aligned}}", lines.join(" \\\\\n"))
}

/// The blocks of the parts, each below the names of the parts that have it, and the block of the whole. `None` without parts.
pub(super) fn stated_text(source: &Source) -> Option<String> {
    let mut blocks: Vec<(Vec<String>, String)> = Vec::new();
    blocks_of_parts(source, "", &mut blocks);
    if blocks.is_empty() {
        return None;
    }
    blocks.push((vec!["The whole".to_owned()], written(&source.block)));
    let text = blocks.into_iter().map(|(names, block)| {
        let lines = block.lines().map(|line| if line.is_empty() { "\n".to_owned() } else { format!("    {line}\n") });
        format!("{}\n{}", names.join(", "), lines.collect::<String>())
    });
    Some(text.collect())
}

/// Adds the blocks of the parts whose names begin with `path`. Parts with the same block share it.
fn blocks_of_parts(source: &Source, path: &str, blocks: &mut Vec<(Vec<String>, String)>) {
    for ((name, of_type), part) in part_paths(&source.block).into_iter().zip(&source.parts) {
        let Some(part) = part else { continue };
        let type_name = last_name(&of_type).map(|name| plain(&name)).unwrap_or_default();
        let (name, block) = (format!("{path}{}", plain(&name)), written(&part.block));
        let entry = format!("{name}: {type_name}");
        match blocks.iter_mut().find(|(_, other)| *other == block) {
            Some((names, _)) => names.push(entry),
            None => blocks.push((vec![entry], block)),
        }
        blocks_of_parts(part, &format!("{name}."), blocks);
    }
}

/// `crane_i.link_j: Link, i = 0, …, 1, j = 0, …, 4`
fn heading(group: &Group) -> String {
    let (mut path, mut ranges) = (Vec::new(), String::new());
    let mut letters = LETTERS.iter();
    for (name, length) in &group.path {
        let name = name.replace('_', "\\_");
        path.push(match (length, letters.as_slice().first()) {
            (Some(length), Some(letter)) => {
                letters.next();
                ranges += &format!(",\\quad {letter} = 0, \\ldots, {}", length.saturating_sub(1));
                format!("\\text{{{name}}}_{{{letter}}}")
            }
            _ => format!("\\text{{{name}}}"),
        });
    }
    format!("{}\\text{{: {}}}{ranges}", path.join("\\text{.}"), group.type_name.replace('_', "\\_"))
}

/// What is known of the names of a block.
struct Names {
    known: Known,
    functions: BTreeSet<String>,
    symbols: BTreeMap<String, String>,
    /// The quantities.
    declared: BTreeSet<String>,
    /// The letters of the variables that number parts.
    letters: BTreeMap<String, &'static str>,
}

/// The names of all quantities.
fn declared(spec: &Spec) -> BTreeSet<String> {
    let of_statement = |statement: &Statement| match &statement.kind {
        StatementKind::Coordinates(declared) => {
            declared.iter().map(|CoordinateArray { name, .. }| plain(name)).collect()
        }
        StatementKind::Let { name, .. }
        | StatementKind::Const { name, .. }
        | StatementKind::Friction { name, .. }
        | StatementKind::Contact { name, .. }
        | StatementKind::Constraint { name, .. }
        | StatementKind::Mode { name, .. }
        | StatementKind::State { name, .. }
        | StatementKind::Table { name, .. }
        | StatementKind::Invariant { name, .. }
        | StatementKind::Symmetry { name, .. }
        | StatementKind::Output { name, .. } => vec![plain(name)],
        StatementKind::Extern(function) => vec![plain(&function.name)],
        _ => Vec::new(),
    };
    let fields = spec.item.fields.iter().map(|field| plain(&field.ident));
    spec.statements.iter().flat_map(of_statement).chain(fields).collect()
}

/// The letters of the variables that number parts: the first for arrays in the whole, the next for arrays in parts of arrays.
fn letters(groups: &[Group]) -> BTreeMap<String, &'static str> {
    let mut letters = BTreeMap::new();
    for group in groups {
        let Some(((name, Some(_)), around)) = group.path.split_last() else { continue };
        let path: String = around.iter().map(|(name, _)| format!("{name}.")).collect();
        let depth = around.iter().filter(|(_, length)| length.is_some()).count();
        letters.extend(LETTERS.get(depth).map(|letter| (format!("{path}in.{name}"), *letter)));
    }
    letters
}

impl Context for Names {
    fn name(&self, name: &Ident) -> String {
        let name = plain(name);
        if self.declared.contains(&name) {
            return name;
        }
        if let Some(letter) = self.letters.get(&name) {
            return (*letter).to_owned();
        }
        // A variable of a range or of an integral in a part.
        match name.rsplit_once('.') {
            Some((_, own)) if self.letters.values().any(|letter| *letter == own) => format!("{own}1"),
            Some((_, own)) => own.to_owned(),
            None => name,
        }
    }

    fn symbol(&self, name: &str) -> Option<&str> {
        self.symbols.get(name).map(String::as_str)
    }

    fn is_function(&self, name: &str) -> bool {
        self.functions.contains(name)
    }

    fn decided(&self, condition: &Expr) -> Option<bool> {
        match &condition.kind {
            ExprKind::Unary(Unary::Not, inner) => self.decided(inner).map(|holds| !holds),
            ExprKind::Binary(Binary::And, a, b) => match (self.decided(a), self.decided(b)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (a, b) => Some(a? && b?),
            },
            ExprKind::Binary(Binary::Or, a, b) => match (self.decided(a), self.decided(b)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (a, b) => Some(a? || b?),
            },
            ExprKind::Binary(operator, a, b) => {
                let (a, b) = (self.known.rational(a).ok()?, self.known.rational(b).ok()?);
                match operator {
                    Binary::Less => Some(a < b),
                    Binary::LessEqual => Some(a <= b),
                    Binary::Greater => Some(a > b),
                    Binary::GreaterEqual => Some(a >= b),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// The lines of a statement. Claims about the derived equations, and what has no mathematics, have none.
fn lines_of(statement: &Statement, names: &Names) -> Vec<String> {
    let write = |expr: &Expr| formula(expr, names);
    let line = |name: &Ident, indices: &[Indexing], value: &Expr| {
        let left = element(name, indices, names);
        format!("{left} &= {}{}", write(value), ranges(indices, names))
    };
    let said = |word: &str, name: &Ident, indices: &[Indexing], what: String| {
        format!("\\text{{{word} }}{} & {what}{}", element(name, indices, names), ranges(indices, names))
    };
    match &statement.kind {
        // `output tip = tip;` says nothing new.
        StatementKind::Output { name, value: Expr { kind: ExprKind::Name(of), .. }, .. } if name == of => Vec::new(),
        StatementKind::Let { name, indices, value, .. } | StatementKind::Output { name, indices, value, .. } => {
            vec![line(name, indices, value)]
        }
        StatementKind::Const { name, value } => vec![format!("{} &= {}", quantity(name, &[], names), write(value))],
        StatementKind::Energy { energy, value, .. } => {
            let letter = match energy {
                Energy::Lagrangian => "L",
                Energy::Kinetic => "T",
                Energy::Potential => "V",
                Energy::Dissipation => "D",
            };
            vec![format!("{letter} &= {}", write(value))]
        }
        StatementKind::Force { indices, left, right } => {
            vec![format!("\\text{{force on }}{} &= {}{}", write(left), write(right), ranges(indices, names))]
        }
        StatementKind::Torque { indices, left, right } => {
            vec![format!("\\text{{couple on }}{} &= {}{}", write(left), write(right), ranges(indices, names))]
        }
        StatementKind::Constraint { name, indices, left, right, when, .. } => {
            let when = when.as_ref().map(|when| format!("\\quad \\text{{when }}{}", write(when))).unwrap_or_default();
            vec![said("constraint", name, indices, format!("{} = {}{when}", write(left), write(right)))]
        }
        StatementKind::State { indices, left, right, .. } => {
            vec![format!("{} &= {}{}", write(left), write(right), ranges(indices, names))]
        }
        StatementKind::Invariant { name, indices, value, .. } => {
            vec![said("constant", name, indices, format!("= {}", write(value)))]
        }
        StatementKind::Symmetry { name, indices, change, gauge } => {
            let gauge = gauge.as_ref().map(|gauge| format!(",\\quad K = {}", write(gauge))).unwrap_or_default();
            vec![said("symmetry", name, indices, format!("\\delta q = {}{gauge}", write(change)))]
        }
        StatementKind::Friction { name, indices, slip, is_rate, bound, breakaway, smooth } => {
            let rate = if *is_rate { "\\text{ of the slip rate }" } else { "\\text{ of the slip }" };
            let more = |word: &str, value: &Option<Expr>| {
                value.as_ref().map(|value| format!(",\\quad \\text{{{word} }}{}", write(value))).unwrap_or_default()
            };
            let more = format!("{}{}", more("at rest", breakaway), more("smooth over", smooth));
            vec![said("friction", name, indices, format!("\\le {}{rate}{}{more}", write(bound), write(slip)))]
        }
        StatementKind::Contact { name, indices, sides, restitution, friction, is_rate, breakaway, adhesion } => {
            let mut text = format!("{} \\ge {}", write(&sides.0), write(&sides.1));
            if let Some(restitution) = restitution {
                text += &format!(",\\quad \\text{{restitution }}{}", write(restitution));
            }
            if let Some(friction) = friction {
                let rate = if *is_rate { "\\text{ of the slip rate }" } else { "\\text{ of the slip }" };
                text += &format!(",\\quad \\text{{friction }}{}{rate}{}", write(&friction.1), write(&friction.0));
            }
            if let Some(breakaway) = breakaway {
                text += &format!(",\\quad \\text{{at rest }}{}", write(breakaway));
            }
            if let Some(adhesion) = adhesion {
                text += &format!(",\\quad \\text{{adhesion }}{}", write(adhesion));
            }
            vec![said("contact", name, indices, text)]
        }
        StatementKind::Mode { name, indices, changes } => {
            let change = |change: &crate::syntax::When| {
                let then: String = change
                    .then
                    .iter()
                    .map(|(left, right)| format!(",\\quad {} := {}", write(left), write(right)))
                    .collect();
                let what = format!(":= {}{then}\\text{{ when }}{}", write(&change.value), write(&change.condition));
                said("mode", name, indices, what)
            };
            changes.iter().map(change).collect()
        }
        StatementKind::Assume(condition) if !matches!(condition.kind, ExprKind::Name(_)) => {
            vec![format!("\\text{{assumed}} & {}", write(condition))]
        }
        _ => Vec::new(),
    }
}

/// What a statement defines, with its indices.
fn element(name: &Ident, indices: &[Indexing], names: &Names) -> String {
    let variables: Vec<Expr> = indices
        .iter()
        .map(|index| match index {
            Indexing::Element(index) => index.clone(),
            Indexing::Range(range) => Expr::new(ExprKind::Name(range.variable.clone()), (&range.variable).into()),
        })
        .collect();
    quantity(name, &variables.iter().collect::<Vec<_>>(), names)
}

/// The values of the indices. Those of arrays of parts stand in the line with the name of the part.
fn ranges(indices: &[Indexing], names: &Names) -> String {
    let stated = indices.iter().filter_map(|index| match index {
        Indexing::Range(own) if !is_of_parts(&own.variable) => Some(format!(",\\quad {}", range(own, names))),
        _ => None,
    });
    stated.collect()
}

/// Whether a variable numbers the parts of an array.
fn is_of_parts(variable: &Ident) -> bool {
    plain(variable).split('.').rev().nth(1) == Some("in")
}
