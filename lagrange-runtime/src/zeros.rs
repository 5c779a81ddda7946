//! The zeros of one function along one step.

mod resolution;
#[cfg(test)]
mod tests;

pub(crate) use resolution::{Course, NODES, Part};

use crate::scalar::Real;
use crate::state::time_rounding;

/// A function of time along a step.
pub(crate) trait Along<R> {
    /// The function's value at a time.
    fn value(&mut self, t: R) -> R;

    /// The magnitude of the rounding of the value at a time. Values that differ by less are not distinguished.
    fn rounding(&mut self, t: R) -> f64;
}

/// How often a part of a step may be divided. The shortest part is a millionth of a millionth of the step.
const DEPTH: usize = 40;

/// The most parts of a step in which one function is examined. A function that needs more is searched by its signs at the nodes of the parts
/// that are left, and the search counts as coarse.
const MOST: u32 = 2_000;

/// The shortest part whose nodes are all different times, in roundings of the time.
const SHORTEST: f64 = 64.0;

/// The motion shows the side to which it leaves a zero after this many roundings of the time: more than from how far a zero counts as reached.
const RESOLVABLE: f64 = 4.0;

/// A search for the zeros of a function of time over one step.
///
/// The step is divided until nine values in each part either exclude a zero between them or enclose a single one ([`Part::course`]).
/// So the zeros that are found depend on the function, and not on the length of the step.
pub(crate) struct Search<'a, R> {
    function: &'a mut dyn Along<R>,
    /// Where the search starts and ends.
    span: [R; 2],
    /// The sign of the function before the step: −1, 1, or 0 where it has had none yet.
    pub(crate) side: R,
    /// Whether the step starts at a zero, up to rounding. The motion then goes from it to `side`. After the search, it is set if the
    /// span was too short for the motion to leave the zero.
    pub(crate) fresh: bool,
    /// The number of equal parts into which the step is divided at first.
    parts: u32,
    /// How many parts may still be examined.
    left: u32,
    /// The rounding of the function, once it has been asked for.
    rounding: Option<f64>,
    /// The first time at which the function was found to be NaN.
    pub(crate) undefined: Option<R>,
}

/// A zero: the last time before the change of sign and the first time after it. They differ by a rounding of the time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Zero<R> {
    pub(crate) before: R,
    pub(crate) after: R,
    /// The sign after the zero.
    pub(crate) to: R,
}

impl<R: Real> Zero<R> {
    /// A zero between two times, which are constants also on dual numbers.
    fn new(before: R, after: R, to: R) -> Self {
        Self { before: before.without_derivatives(), after: after.without_derivatives(), to }
    }
}

/// A time, and the function's value there.
#[derive(Clone, Copy)]
struct Sample<R> {
    t: R,
    value: R,
}

/// How the motion leaves a zero at the start of a search.
enum Departure<R> {
    /// The part is too short to tell.
    NotYet,
    /// To the side that the function has.
    ToSide,
    /// To the side that the function has, on which this sample is the first. What is before the sample is rounding.
    At(Sample<R>),
    /// To the other side.
    Across,
}

impl<'a, R: Real> Search<'a, R> {
    /// A search over the span between two times, of a function that is on the given side before it.
    pub(crate) fn new(function: &'a mut dyn Along<R>, span: [R; 2], side: R, parts: u32) -> Self {
        let parts = parts.max(1);
        Self { function, span, side, fresh: false, parts, left: MOST.max(2 * parts), rounding: None, undefined: None }
    }

    /// The search that starts at a zero where an event acted.
    pub(crate) fn leaving_zero(self, fresh: bool) -> Self {
        Self { fresh, ..self }
    }

    /// Whether the function needed more parts than are examined.
    pub(crate) fn is_coarse(&self) -> bool {
        self.left == 0
    }

    /// The first zero for which `wanted` holds. After the call, `side` is the side of the function before that zero; without
    /// such a zero it is the side at the span's end.
    pub(crate) fn first(&mut self, wanted: &mut dyn FnMut(Zero<R>) -> bool) -> Option<Zero<R>> {
        let [from, to] = self.span;
        let mut left = self.at(from);
        for k in 1..=self.parts {
            let end = if k == self.parts {
                to
            } else {
                from + (to - from) * R::from_f64(f64::from(k) / f64::from(self.parts))
            };
            match self.first_until(left, end, wanted) {
                Ok(sample) => left = sample,
                Err(zero) => return Some(zero),
            }
        }
        None
    }

    /// The first wanted zero between a sample and a time, as an error; without one, the sample at that time.
    fn first_until(
        &mut self,
        mut left: Sample<R>,
        end: R,
        wanted: &mut dyn FnMut(Zero<R>) -> bool,
    ) -> Result<Sample<R>, Zero<R>> {
        // The ends of the parts that contain the current one: the last is that of the current part.
        let (mut ends, mut depth) = ([end; DEPTH + 1], 0);
        loop {
            let right = ends[depth];
            let mut nodes = self.nodes(left, right);
            self.drop_roundings(&mut nodes);
            if self.side == R::ZERO {
                let signs = nodes.iter().map(|node| node.value.sign());
                self.side = signs.fold(R::ZERO, |side, sign| if side == R::ZERO { sign } else { side });
            }
            if self.side * nodes[0].value < R::ZERO || self.fresh {
                // The function is 0 here up to rounding. The motion leaves the zero to `side`, or crosses it at once.
                match self.departure(&mut nodes) {
                    Departure::NotYet => return Ok(Sample { t: right, value: R::ZERO }),
                    Departure::ToSide => {}
                    Departure::At(sample) => {
                        (left, self.fresh) = (sample, false);
                        continue;
                    }
                    Departure::Across => {
                        let zero = Zero::new(left.t, left.t, -self.side);
                        if wanted(zero) {
                            return Err(zero);
                        }
                        self.side = -self.side;
                    }
                }
            }
            self.fresh = false;
            match self.course(&nodes, depth < DEPTH) {
                Course::Clear => {
                    left = nodes[NODES - 1];
                    if depth == 0 {
                        return Ok(left);
                    }
                    depth -= 1;
                }
                Course::Unresolved(part) => {
                    depth += 1;
                    ends[depth] = left.t + (right - left.t) * R::from_f64(part);
                }
                Course::Crosses(k) => {
                    let zero = self.between(self.side, nodes[k - 1], nodes[k]);
                    if wanted(zero) {
                        return Err(zero);
                    }
                    self.side = -self.side;
                    left = nodes[k];
                    if k == NODES - 1 {
                        if depth == 0 {
                            return Ok(left);
                        }
                        depth -= 1;
                    }
                }
            }
        }
    }

    /// The course of the function over a part. A part that cannot or may not be divided counts by the signs at its nodes.
    fn course(&mut self, nodes: &[Sample<R>; NODES], may_divide: bool) -> Course {
        let side = self.side;
        let part = Part::new(nodes.map(|node| (side * node.value).to_f64()));
        let [first, .., last] = nodes;
        let too_short = (last.t - first.t).abs() <= R::from_f64(SHORTEST) * time_rounding(first.t, last.t);
        if !may_divide || too_short || self.left == 0 || self.undefined.is_some() {
            return part.by_signs();
        }
        match part.course(0.0) {
            Course::Unresolved(_) => {
                self.left -= 1;
                part.course(self.rounding_near(nodes))
            }
            course => course,
        }
    }

    /// Replaces values behind the zero that are rounding by 0.
    fn drop_roundings(&mut self, nodes: &mut [Sample<R>; NODES]) {
        let side = self.side;
        if side != R::ZERO && nodes.iter().all(|node| side * node.value >= R::ZERO) {
            return;
        }
        let rounding = R::from_f64(self.rounding_near(nodes));
        for node in nodes.iter_mut().filter(|node| side * node.value <= R::ZERO && node.value.abs() <= rounding) {
            node.value = R::ZERO;
        }
    }

    /// The rounding of the function, computed once at the node where its value is nearest to 0.
    fn rounding_near(&mut self, nodes: &[Sample<R>; NODES]) -> f64 {
        let function = &mut *self.function;
        *self.rounding.get_or_insert_with(|| {
            let nearer =
                |low: Sample<R>, node: &Sample<R>| if node.value.abs() < low.value.abs() { *node } else { low };
            let rounding = function.rounding(nodes.iter().fold(nodes[0], nearer).t);
            if rounding >= 0.0 { rounding } else { 0.0 }
        })
    }

    /// The samples of a part: its start, which is known, and the others up to its end.
    fn nodes(&mut self, first: Sample<R>, end: R) -> [Sample<R>; NODES] {
        let mut nodes = [first; NODES];
        for (node, place) in nodes.iter_mut().zip(Part::PLACES).skip(1) {
            let t = if place == 1.0 { end } else { first.t + (end - first.t) * R::from_f64(place) };
            *node = self.at(t);
        }
        nodes
    }

    /// Evaluates the function at a time. The first time with NaN is remembered.
    fn at(&mut self, t: R) -> Sample<R> {
        let value = self.function.value(t);
        if value.partial_cmp(&value).is_none() {
            self.undefined.get_or_insert(t);
        }
        Sample { t, value }
    }

    /// How the motion leaves the zero at the first node. Where it leaves to `side`, nodes at which that cannot be resolved become 0.
    fn departure(&mut self, nodes: &mut [Sample<R>; NODES]) -> Departure<R> {
        let (side, from) = (self.side, nodes[0]);
        let resolvable = R::from_f64(RESOLVABLE) * time_rounding(from.t, nodes[NODES - 1].t);
        let is_resolved = |node: &Sample<R>| (node.t - from.t).abs() > resolvable;
        let Some(first) = nodes.iter().position(is_resolved) else {
            return if self.fresh { Departure::NotYet } else { Departure::Across };
        };
        let to = nodes[first];
        if side * to.value > R::ZERO {
            nodes[..first].iter_mut().filter(|node| side * node.value < R::ZERO).for_each(|node| node.value = R::ZERO);
            return Departure::ToSide;
        }
        let mut part = R::from_f64(0.5);
        loop {
            let t = from.t + (to.t - from.t) * part;
            if (t - from.t).abs() <= resolvable || part < R::from_f64(1e-18) {
                let stays = from.value == R::ZERO && to.value == R::ZERO;
                return if stays { Departure::ToSide } else { Departure::Across };
            }
            let sample = self.at(t);
            if side * sample.value > R::ZERO {
                return Departure::At(sample);
            }
            part *= R::from_f64(0.5);
        }
    }

    /// The zero between a sample without the other sign and a sample with it, by Ridders' method, to the rounding of the time.
    fn between(&mut self, side: R, from: Sample<R>, to: Sample<R>) -> Zero<R> {
        let (mut a, mut b) = (from, to);
        let half = R::from_f64(0.5);
        for _ in 0..200 {
            let resolution = R::from_f64(0.25) * time_rounding(a.t, b.t);
            if (b.t - a.t).abs() <= resolution {
                break;
            }
            let t = a.t + (b.t - a.t) * half;
            if t == a.t || t == b.t {
                break;
            }
            let middle = self.at(t);
            let root = (middle.value * middle.value - a.value * b.value).sqrt();
            let guess = t + (t - a.t) * side * middle.value / root;
            narrow(side, middle, &mut a, &mut b);
            if strictly_between(guess, a.t, b.t) {
                let sample = self.at(guess);
                narrow(side, sample, &mut a, &mut b);
                // The zero is near the guess. A point a little beyond it moves the other end of the bracket close to it.
                let (near, far) = if sample.t == a.t { (a.t, b.t) } else { (b.t, a.t) };
                let beyond = near + if far > near { resolution } else { -resolution };
                if strictly_between(beyond, a.t, b.t) {
                    let sample = self.at(beyond);
                    narrow(side, sample, &mut a, &mut b);
                }
            }
        }
        Zero::new(a.t, b.t, -side)
    }
}

/// Replaces one end of a bracket by a sample: the end whose sign the sample has.
fn narrow<R: Real>(side: R, sample: Sample<R>, a: &mut Sample<R>, b: &mut Sample<R>) {
    if side * sample.value >= R::ZERO {
        *a = sample;
    } else {
        *b = sample;
    }
}

fn strictly_between<R: Real>(t: R, a: R, b: R) -> bool {
    t > a && t < b || t < a && t > b
}
