//! Checks that energies, and expressions that are differentiated by positions, do not jump.

use super::scope::Scope;
use super::value::{Shape, Value};
use crate::graph::{Graph, Id, Symbol};
use crate::prove::{Continuity, Domain};
use crate::report::Mistake;
use crate::syntax::{Binary, Expr, ExprKind, plain};

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
    jump: impl Fn(String, String) -> Mistake,
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
    let (text, smooth) = (part.to_string(), smooth_form(part).unwrap_or_default());
    let mistake = match jumps {
        true => jump(text, smooth),
        false => Mistake::ContinuityUndecided { part: text, what: what.to_owned(), smooth },
    };
    scope.report.add(mistake, part.place);
    false
}

/// What to write instead of a choice that avoids 0/0 at a point, such as `if y > 1e-8 { sin(y)/y } else { 1 }`.
fn smooth_form(expr: &Expr) -> Option<String> {
    let ExprKind::If { then, otherwise, .. } = &expr.kind else {
        return expr.parts().into_iter().find_map(smooth_form);
    };
    let (found, form) = quotient(then).or_else(|| quotient(otherwise))?;
    Some(match form {
        Some(form) => format!(
            "; instead of a choice that avoids 0/0, write `{form}`: it is `{found}` with all derivatives, also where that is 0/0"
        ),
        None => format!(
            "; if the choice avoids 0/0 in `{found}`, write the quotient by functions that are smooth there: `sinc(y)` is sin(y)/y, \
             `sinc(y/2)^2/2` is (1 - cos(y))/y^2"
        ),
    })
}

/// A quotient in an expression, and the same by `sinc`, where it is known.
fn quotient(expr: &Expr) -> Option<(String, Option<String>)> {
    let inside = || expr.parts().into_iter().find_map(quotient);
    let ExprKind::Binary(Binary::Divide, above, below) = &expr.kind else { return inside() };
    if matches!(below.kind, ExprKind::Number(_)) {
        return inside();
    }
    let argument = |call: &Expr, name: &str| match &call.kind {
        ExprKind::Call { function, arguments } if plain(function) == name => arguments.first().map(ToString::to_string),
        _ => None,
    };
    let divisor = below.to_string();
    let half = |u: &str| {
        if u.chars().all(|c| c.is_alphanumeric() || c == '_') { format!("{u}/2") } else { format!("({u})/2") }
    };
    let versine = match &above.kind {
        ExprKind::Binary(Binary::Subtract, one, cosine) if one.to_string() == "1" => argument(cosine, "cos"),
        _ => None,
    };
    let form = match (argument(above, "sin"), argument(above, "tan"), versine) {
        (Some(u), ..) if u == divisor => Some(format!("sinc({u})")),
        (_, Some(u), _) if u == divisor => Some(format!("sinc({u})/cos({u})")),
        (.., Some(u)) if format!("{u}^2") == divisor || format!("({u})^2") == divisor => {
            Some(format!("sinc({})^2/2", half(&u)))
        }
        _ => None,
    };
    Some((expr.to_string(), form))
}
