//! The functions that a block declares, and the `extern` statement.

use super::arithmetic::scalar_needed;
use super::scope::Scope;
use super::table::{Surface, Table};
use super::value::Value;
use crate::graph::function::{Function, Orders};
use crate::meaning::Extern;
use crate::report::{Mistake, Place};
use crate::syntax::{Expr, ExternFunction, plain};

/// A function of the block's own.
#[derive(Clone, Debug)]
pub(crate) enum Declared {
    /// A function of an `extern` statement, by its position among them.
    Extern { index: u32, arity: usize },
    /// The function of a `table` statement.
    Table(Table),
    /// The function of a `table` statement of two arguments.
    Surface(Surface),
    /// A function whose declaration failed. The mistake is reported already.
    Failed,
}

/// The most arguments of an `extern` function, and the most derivatives of it in one declaration.
const MOST_ARGUMENTS: usize = 8;

impl Scope<'_> {
    /// A call of a function that the block declares.
    pub(crate) fn call_declared(
        &mut self,
        name: &str,
        declared: &Declared,
        arguments: &[Expr],
        place: Place,
    ) -> Option<Value> {
        let values: Vec<Option<Value>> = arguments.iter().map(|argument| self.value(argument)).collect();
        let arity = match declared {
            Declared::Extern { arity, .. } => *arity,
            Declared::Table(_) => 1,
            Declared::Surface(_) => 2,
            Declared::Failed => return None,
        };
        if arguments.len() != arity {
            let expected = if arity == 1 { "1 argument".to_owned() } else { format!("{arity} arguments") };
            let mistake = Mistake::ArgumentCount {
                function: name.to_owned(),
                expected,
                found: arguments.len(),
                help: String::new(),
            };
            self.report.add(mistake, place);
            return None;
        }
        let mut ids = Vec::new();
        for (value, argument) in values.into_iter().collect::<Option<Vec<_>>>()?.iter().zip(arguments) {
            let scalar = value.as_scalar().ok_or_else(|| scalar_needed(&format!("the argument of `{name}`"), value));
            ids.push(self.checked(scalar, argument.place)?);
        }
        Some(Value::scalar(match declared {
            Declared::Extern { index, .. } => {
                self.graph.call(Function::Extern { index: *index, orders: Orders::NONE }, &ids)
            }
            Declared::Table(table) => table.at(&mut self.graph, ids[0]),
            Declared::Surface(surface) => surface.at(&mut self.graph, [ids[0], ids[1]]),
            Declared::Failed => return None,
        }))
    }

    /// The number of tables of one argument that the tables declared so far consist of.
    pub(super) fn table_count(&self) -> u32 {
        let count = |declared: &Declared| match declared {
            Declared::Table(_) => 1,
            Declared::Surface(surface) => surface.names().count() as u32,
            Declared::Extern { .. } | Declared::Failed => 0,
        };
        self.functions.values().map(count).sum()
    }

    /// Declares a function of the user's own.
    pub(crate) fn declare_extern(&mut self, function: &ExternFunction, externs: &mut Vec<Extern>) -> Declared {
        let name = plain(&function.name);
        let arity = function.arguments.len();
        if arity == 0 || arity > MOST_ARGUMENTS {
            self.report.add(Mistake::ExternArguments { name, limit: MOST_ARGUMENTS }, &function.name);
            return Declared::Failed;
        }
        let arguments: Vec<String> = function.arguments.iter().map(plain).collect();
        for (position, argument) in arguments.iter().enumerate() {
            if arguments[..position].contains(argument) {
                let mistake = Mistake::ExternArgumentTwice { argument: argument.clone(), name };
                self.report.add(mistake, &function.arguments[position]);
                return Declared::Failed;
            }
        }
        let mut derivatives: Vec<(Orders, proc_macro2::TokenStream)> = Vec::new();
        for (by, path) in &function.derivatives {
            let mut orders = Orders::NONE;
            for argument in by {
                let Some(position) = arguments.iter().position(|known| *known == plain(argument)) else {
                    let mistake =
                        Mistake::UnknownArgument { argument: plain(argument), name, arguments: arguments.join(", ") };
                    self.report.add(mistake, argument);
                    return Declared::Failed;
                };
                orders = orders.with(position);
            }
            let is_known = orders == Orders::NONE || derivatives.iter().any(|(other, _)| *other == orders);
            if let (true, Some(first)) = (is_known, by.first()) {
                let by = by.iter().map(plain).collect::<Vec<_>>().join(", ");
                self.report.add(Mistake::ExternDerivativeTwice { by, name }, first);
                return Declared::Failed;
            }
            derivatives.push((orders, path.clone()));
        }
        let index = externs.len() as u32;
        externs.push(Extern {
            name,
            ident: function.name.clone(),
            arguments,
            path: function.path.clone(),
            derivatives,
        });
        Declared::Extern { index, arity }
    }
}
