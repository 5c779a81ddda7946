//! What happens at the instants of a motion.

use super::Request;
use super::simulate::own;
use lagrange_runtime::instant::{self, Cause, Phase};
use lagrange_runtime::prelude::*;
use std::ops::ControlFlow;

/// Something that happened at an instant of a motion, as [`lagrange_runtime::instant::Instant`] describes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Instant<'a> {
    /// The time.
    pub t: f64,
    /// What happened.
    pub cause: Cause,
    /// The name of the contact or of the mode, the text of the switching function, or the condition of the event as the user wrote it. It is empty
    /// for a change of the inputs.
    pub name: &'a str,
    /// The impulse of an impact; 0 for other causes.
    pub impulse: f64,
    /// q before it, and v followed by the states.
    pub before: [&'a [f64]; 2],
    /// q after it, and v followed by the states.
    pub after: [&'a [f64]; 2],
}

impl Instant<'_> {
    /// Returns the word for what happened: `impact`, `closes`, `slips`, …
    pub fn what(&self) -> &'static str {
        match self.cause {
            Cause::Event(_) => "event",
            Cause::Switch(_) => "switch",
            Cause::Impact(_) => "impact",
            Cause::Phase(_, Phase::Closed) => "closes",
            Cause::Phase(_, Phase::Open) => "opens",
            Cause::Phase(_, Phase::Sticks) => "sticks",
            Cause::Phase(_, Phase::Slips) => "slips",
            Cause::Phase(_, Phase::SlipsBackward) => "slips backward",
            Cause::Mode(_) => "changes",
            Cause::Inputs => "inputs",
            _ => "change",
        }
    }
}

/// How often the same thing happened during a motion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstantCount {
    /// What happened, as [`Instant::cause`] of the first instant.
    pub cause: Cause,
    /// [`Instant::what`].
    pub what: &'static str,
    /// [`Instant::name`].
    pub name: String,
    /// How often it happened.
    pub count: u64,
}

/// Returns a clause for each kind of instants: `12 impacts at floor`, `3 changes of phase: 2 at floor, 1 at wall`.
pub fn describe_counts(counts: &[InstantCount]) -> Vec<String> {
    type Kind = (fn(&Cause) -> bool, [&'static str; 2], &'static str);
    const KINDS: [Kind; 6] = [
        (|cause| matches!(cause, Cause::Event(_)), ["event", "events"], "at"),
        (|cause| matches!(cause, Cause::Switch(_)), ["switch", "switches"], "of"),
        (|cause| matches!(cause, Cause::Impact(_)), ["impact", "impacts"], "at"),
        (|cause| matches!(cause, Cause::Phase(..)), ["change of phase", "changes of phase"], "at"),
        (|cause| matches!(cause, Cause::Mode(_)), ["change of mode", "changes of mode"], "of"),
        (|cause| matches!(cause, Cause::Inputs), ["change of the inputs", "changes of the inputs"], "at"),
    ];
    KINDS.iter().filter_map(|kind| clause(counts, kind)).collect()
}

/// The clause for one kind of instants, if there are any.
fn clause(
    counts: &[InstantCount],
    (is_kind, [one, many], at): &(fn(&Cause) -> bool, [&'static str; 2], &'static str),
) -> Option<String> {
    /// The names that are listed. A mechanism may have very many switching functions.
    const LISTED: usize = 5;
    let mut names: Vec<(&str, u64)> = Vec::new();
    for InstantCount { name, count, .. } in counts.iter().filter(|found| is_kind(&found.cause)) {
        match names.iter_mut().find(|(known, _)| known == name) {
            Some((_, sum)) => *sum += count,
            None => names.push((name, *count)),
        }
    }
    let all = names.iter().map(|(_, count)| count).sum::<u64>();
    let head = format!("{all} {}", if all == 1 { one } else { many });
    match &names[..] {
        [] => None,
        [("", _)] => Some(head),
        [(name, _)] => Some(format!("{head} {at} {name}")),
        _ => {
            let mut parts: Vec<String> =
                names.iter().take(LISTED).map(|(name, count)| format!("{count} {at} {name}")).collect();
            let others = names.get(LISTED..).unwrap_or_default();
            if !others.is_empty() {
                let sum = others.iter().map(|(_, count)| count).sum::<u64>();
                parts.push(format!("{sum} {at} {} others", others.len()));
            }
            Some(format!("{head}: {}", parts.join(", ")))
        }
    }
}

/// The names of what may happen to a mechanism.
pub(super) struct Names<'r> {
    /// The conditions of the events, in their order.
    events: Vec<&'r str>,
    /// The switching functions.
    switches: &'static [&'static str],
}

impl<'r> Names<'r> {
    pub(super) fn new(request: &'r Request, switches: &'static [&'static str]) -> Self {
        Self { events: request.crossings().map(|(until, _)| until.label.as_str()).collect(), switches }
    }

    fn of(&self, cause: Cause) -> &'r str {
        match cause {
            Cause::Event(index) => self.events.get(index).copied().unwrap_or_default(),
            Cause::Switch(index) => self.switches.get(index).copied().unwrap_or_default(),
            Cause::Impact(name) | Cause::Phase(name, _) | Cause::Mode(name) => name,
            _ => "",
        }
    }
}

/// An observer that counts what happens at instants, and passes it on.
pub(super) struct Instants<'r, P> {
    names: Names<'r>,
    /// How many states the mechanism has. Their hidden coordinates are not passed on.
    states: usize,
    pass: P,
    pub(super) counts: Vec<InstantCount>,
}

impl<'r, P: FnMut(&Instant<'_>) -> ControlFlow<()>> Instants<'r, P> {
    pub(super) fn new(names: Names<'r>, states: usize, pass: P) -> Self {
        Self { names, states, pass, counts: Vec::new() }
    }
}

impl<P: FnMut(&Instant<'_>) -> ControlFlow<()>, const N: usize> Observer<f64, N> for Instants<'_, P> {
    fn wants(&self, _: u64, _: f64, _: f64) -> Wants {
        Wants::Nothing
    }

    fn instant(&mut self, found: &instant::Instant<f64, N>) -> ControlFlow<()> {
        let instant::Instant { before, after, .. } = found;
        let instant = Instant {
            t: after.t,
            cause: found.cause,
            name: self.names.of(found.cause),
            impulse: found.impulse,
            before: [own(before.q.as_slice(), self.states), before.v.as_slice()],
            after: [own(after.q.as_slice(), self.states), after.v.as_slice()],
        };
        let (what, name) = (instant.what(), instant.name);
        match self.counts.iter_mut().find(|known| known.what == what && known.name == name) {
            Some(known) => known.count += 1,
            None => self.counts.push(InstantCount { cause: found.cause, what, name: name.to_owned(), count: 1 }),
        }
        (self.pass)(&instant)
    }

    fn observe(&mut self, _: &StepView<f64, N>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Gives a closure the states after each jump, and those before it where asked for.
pub(super) struct AtJumps<F, const N: usize> {
    pub(super) with_before: bool,
    pub(super) last: Option<State<f64, N>>,
    pub(super) receive: F,
}

impl<F: FnMut(&State<f64, N>) -> ControlFlow<()>, const N: usize> Observer<f64, N> for AtJumps<F, N> {
    fn wants(&self, _: u64, _: f64, _: f64) -> Wants {
        Wants::Nothing
    }

    fn instant(&mut self, instant: &instant::Instant<f64, N>) -> ControlFlow<()> {
        let instant::Instant { before, after, .. } = instant;
        // Several things at one instant may have one state before or after them.
        if before == after || self.last.as_ref() == Some(after) {
            return ControlFlow::Continue(());
        }
        if self.with_before && self.last.as_ref() != Some(before) {
            (self.receive)(before)?;
        }
        self.last = Some(*after);
        (self.receive)(after)
    }

    fn observe(&mut self, _: &StepView<f64, N>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(cause: Cause, what: &'static str, name: &str, count: u64) -> InstantCount {
        InstantCount { cause, what, name: name.to_owned(), count }
    }

    #[test]
    fn each_kind_has_one_clause() {
        let counts = [
            count(Cause::Impact("floor"), "impact", "floor", 12),
            count(Cause::Phase("floor", Phase::Closed), "closes", "floor", 2),
            count(Cause::Phase("floor", Phase::Open), "opens", "floor", 1),
            count(Cause::Phase("pad", Phase::Sticks), "sticks", "pad", 1),
            count(Cause::Event(0), "event", "y=1", 1),
        ];
        assert_eq!(
            describe_counts(&counts),
            ["1 event at y=1", "12 impacts at floor", "4 changes of phase: 3 at floor, 1 at pad"]
        );
        assert_eq!(describe_counts(&[]), [""; 0]);
    }

    #[test]
    fn many_names_are_cut_short() {
        let counts: Vec<_> =
            (0..8).map(|index| count(Cause::Switch(index), "switch", &format!("x[{index}]"), 2)).collect();
        let clauses = describe_counts(&counts);
        assert_eq!(clauses, ["16 switches: 2 of x[0], 2 of x[1], 2 of x[2], 2 of x[3], 2 of x[4], 6 of 3 others"]);
    }
}
