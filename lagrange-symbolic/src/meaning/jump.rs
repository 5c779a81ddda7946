//! Checks that energies, and expressions that are differentiated by positions, do not jump.

use super::scope::Scope;
use super::value::{Shape, Value};
use crate::graph::{Graph, Id, Symbol};
use crate::prove::{Continuity, Domain};
use crate::report::Mistake;
use crate::syntax::Expr;

/// A decision about the continuity of one expression.
type Decision = fn(&Graph, Id, &Domain, &dyn Fn(Symbol) -> bool) -> Continuity;

/// Reports the innermost part that jumps while the given kind of symbols moves, or whose continuity is undecided.
/// `what` names what the part is in; `by` decides about one expression. Returns whether there is no such part.
pub(crate) fn is_continuous(
    scope: &mut Scope<'_>,
    expr: &Expr,
    entries: &[Id],
    what: &str,
    (by, moving): (Decision, fn(Symbol) -> bool),
    jump: impl Fn(String) -> Mistake,
) -> bool {
    let decide = |scope: &Scope<'_>, id: &Id| by(&scope.graph, *id, &scope.domain, &moving);
    let Some(found) = entries.iter().map(|id| decide(scope, id)).find(|found| !found.holds()) else {
        return true;
    };
    let jumps = matches!(found, Continuity::Jumps(_));
    let part = scope.innermost(expr, &mut |scope, value: &Value| {
        value.shape != Shape::Condition
            && value.entries.iter().map(|id| decide(scope, id)).any(|found| match found {
                Continuity::Jumps(_) => true,
                Continuity::Undecided(_) => !jumps,
                _ => false,
            })
    });
    let text = part.to_string();
    let mistake = if jumps { jump(text) } else { Mistake::ContinuityUndecided { part: text, what: what.to_owned() } };
    scope.report.add(mistake, part.place);
    false
}
