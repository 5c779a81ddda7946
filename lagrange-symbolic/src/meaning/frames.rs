//! Frames that turn with rotations, points that are placed in them, and the velocities of these points.
//!
//! A rotation matrix that is made of rotations by angles and by quaternions is a frame. In a product A B, the frame A B turns with B in the frame A. A
//! vector v that has components in A has the components Bᵀv in A B. A point r = a + R c is placed by the point a and by c in the frame
//! R. The velocity u = Fᵀṙ of a point, in a frame F, and the angular velocity ω of F follow from those of the frame before it:
//!
//! ```text
//! ω = Bᵀω_A + ω_B          u = Bᵀu_A + ω × c + ċ
//! ω̇ = Bᵀω̇_A − ω_B × Bᵀω_A + ω̇_B          d/dt(Bᵀu) = Bᵀu̇ − ω_B × Bᵀu
//! ```
//!
//! The rate of the velocity in space has the components w = Fᵀr̈ = u̇ + ω × u, which contain no velocity of a point:
//!
//! ```text
//! w = Bᵀw_A + ω̇ × c + ω × (ω × c + 2ċ) + c̈
//! ```
//!
//! Energies stated by such velocities contain a few of them for each body, whatever the number of bodies before it.

use super::call::ArgumentFault;
use super::rotation::product_velocity;
use super::scope::Scope;
use super::value::{Shape, Value};
use crate::calculus::derivative;
use crate::graph::function::Function;
use crate::graph::{Graph, Id, Node, Symbol, Triple};
use crate::physics::{Bodies, Body, Motion, Point, Slopes};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// All frames and placed points of a block.
#[derive(Debug, Default)]
pub(crate) struct Frames {
    frames: Vec<Frame>,
    by_matrix: HashMap<[Id; 9], usize>,
    placed: HashMap<Triple, Placement>,
    /// The velocity of each point in a frame, as far as it was needed.
    moving: BTreeMap<(usize, Triple), Motion>,
    /// How far points can be from what turns them, and the bounds of the derivatives of their velocities without rotations.
    reaches: HashMap<Triple, (Id, Slopes)>,
    /// The points whose velocities in space are known, by these.
    points: HashMap<Triple, Triple>,
    twins: Vec<[Id; 2]>,
    rows: Vec<[Id; 2]>,
    /// What stands for the position of a point in rows, by its frame and the point.
    open: BTreeMap<(usize, Triple), [Symbol; 3]>,
}

#[derive(Clone, Debug)]
struct Frame {
    matrix: [Id; 9],
    turning: Motion,
    /// The frame A and the rotation B of a product A B.
    factors: Option<[usize; 2]>,
    /// How many frames are before it.
    depth: usize,
}

#[derive(Clone, Debug)]
enum Placement {
    /// R c: the frame and c.
    Turned(usize, Triple),
    /// A sum of points and of vectors, each added or subtracted, and the deepest frame among them.
    Sum(Vec<(Triple, bool)>, usize),
}

impl Placement {
    /// The deepest frame in which something of it is placed.
    fn home(&self) -> usize {
        match self {
            Self::Turned(frame, _) | Self::Sum(_, frame) => *frame,
        }
    }
}

impl Frames {
    fn of(&self, value: &Value) -> Option<usize> {
        let matrix: [Id; 9] = value.entries.as_slice().try_into().ok()?;
        self.by_matrix.get(&matrix).copied()
    }

    /// Whether a frame is `inner` itself or before it.
    fn is_before(&self, frame: usize, inner: usize) -> bool {
        let mut at = inner;
        while at != frame {
            match self.frames[at].factors {
                Some([before, _]) => at = before,
                None => return false,
            }
        }
        true
    }

    /// Whether no energy is stated by velocities in frames.
    pub(super) fn has_no_energy(&self) -> bool {
        self.twins.is_empty()
    }

    /// Whether a point or a vector is placed in a frame.
    pub(super) fn is_placed(&self, point: &Triple) -> bool {
        self.placed.contains_key(point)
    }

    /// The deepest frame in which something of a point is placed.
    pub(super) fn home(&self, point: &Triple) -> Option<usize> {
        self.placed.get(point).map(Placement::home)
    }

    /// The placed points by their components. Sums and products are components; a function of an angle says more than its name as a component.
    pub(super) fn by_component(&self, graph: &Graph) -> HashMap<Id, Triple> {
        let mut found: HashMap<Id, Triple> = HashMap::new();
        for &point in self.placed.keys() {
            for entry in
                point.into_iter().filter(|&entry| matches!(graph.node(entry), Node::Sum { .. } | Node::Product(_)))
            {
                // Points with the same component: the first one, whatever the order of the map.
                found.entry(entry).and_modify(|known| *known = point.min(*known)).or_insert(point);
            }
        }
        found
    }

    /// The parts of a point whose positions stand for themselves in a row; `None` where the point itself does: its velocity in a frame follows
    /// from that in the frame before it.
    pub(super) fn parts_to_open(&self, point: Triple) -> Option<Vec<(Triple, bool)>> {
        let Some(Placement::Sum(parts, home)) = self.placed.get(&point) else { return None };
        let placed: Vec<usize> = parts.iter().filter_map(|(part, _)| self.home(part)).collect();
        let is_chain = placed.iter().all(|&frame| self.is_before(frame, *home));
        let has_one_frame = parts.iter().all(|(part, _)| match self.placed.get(part) {
            Some(Placement::Turned(frame, _)) => frame == home,
            Some(Placement::Sum(..)) => false,
            None => true,
        });
        (!is_chain || has_one_frame).then(|| parts.clone())
    }

    /// The placeholders of a point in a frame.
    pub(super) fn open(&mut self, graph: &mut Graph, frame: usize, point: Triple) -> [Symbol; 3] {
        *self.open.entry((frame, point)).or_insert_with(|| {
            let fresh = graph.scratch_symbols(3);
            [fresh[0], fresh[1], fresh[2]]
        })
    }

    /// Records a row, and the same row in placeholders.
    pub(super) fn record_row(&mut self, row: Id, twin: Id) {
        self.rows.push([row, twin]);
    }

    /// The frames with the velocities that are known in them.
    pub(crate) fn bodies(&self) -> Bodies {
        let frames = self.frames.iter();
        let mut bodies: Vec<Body> =
            frames.map(|frame| Body { turning: frame.turning.clone(), points: Vec::new() }).collect();
        for (&(frame, position), moving) in &self.moving {
            let (axes, placeholders) = (self.frames[frame].matrix, self.open.get(&(frame, position)).copied());
            bodies[frame].points.push(Point { moving: moving.clone(), position, axes, placeholders });
        }
        Bodies { bodies, twins: self.twins.clone(), rows: self.rows.clone() }
    }
}

impl Scope<'_> {
    /// Records a rotation, or its transpose, as a frame. `slopes` bounds the derivatives of the angular velocity where it is given.
    pub(super) fn record_frame(&mut self, rotation: &Value, slopes: Option<Slopes>) {
        let (Some(velocity), Ok(matrix)) = (&rotation.angular_velocity, rotation.entries.as_slice().try_into()) else {
            return;
        };
        let components = velocity.body;
        if let Ok(rates) = self.rate(components) {
            let slopes = slopes.unwrap_or_else(|| self.slopes_of(components, Symbol::Velocity));
            let turning = Motion { components, rates, in_space: rates, slopes, placeholders: None };
            self.new_frame(Frame { matrix, turning, factors: None, depth: 0 });
        }
    }

    fn new_frame(&mut self, frame: Frame) {
        let frames = &mut self.frames;
        frames.by_matrix.entry(frame.matrix).or_insert(frames.frames.len());
        frames.frames.push(frame);
    }

    /// Records what a product is: a frame in a frame, or a vector in a frame. Returns it with its angular velocity.
    pub(super) fn record_product(&mut self, left: &Value, right: &Value, mut product: Value) -> Value {
        match (left.as_scalar(), right.as_scalar()) {
            (Some(factor), None) => self.record_scaled(factor, right, &product),
            (None, Some(factor)) => self.record_scaled(factor, left, &product),
            _ => {}
        }
        product.angular_velocity = product_velocity(&mut self.graph, left, right);
        let Some(first) = self.frames.of(left) else { return product };
        if let (Ok(place), Ok(local)) = (product.entries.as_slice().try_into(), right.entries.as_slice().try_into()) {
            self.frames.placed.entry(place).or_insert(Placement::Turned(first, local));
        }
        if let (Some(second), Ok(matrix)) = (self.frames.of(right), product.entries.as_slice().try_into()) {
            let (outer, inner) = (self.frames.frames[first].clone(), self.frames.frames[second].clone());
            let seen = self.turned_moving([outer.turning.components, outer.turning.rates, outer.turning.rates], second);
            let components = self.graph.add_triples(seen[0], inner.turning.components);
            let rates = self.graph.add_triples(seen[1], inner.turning.rates);
            for (&quantity, &rate) in components.iter().zip(&rates) {
                self.graph.know_rate(quantity, rate);
            }
            if let Some(velocity) = &mut product.angular_velocity {
                velocity.body = components;
            }
            let (depth, mut slopes) = (outer.depth + 1, outer.turning.slopes);
            self.add_slopes(&mut slopes, inner.turning.slopes);
            let turning = Motion { components, rates, in_space: rates, slopes, placeholders: None };
            self.new_frame(Frame { matrix, turning, factors: Some([first, second]), depth });
        }
        product
    }

    /// Records a multiple of R c.
    fn record_scaled(&mut self, factor: Id, value: &Value, product: &Value) {
        let (Ok(of), Ok(place)) = (<Triple>::try_from(value.entries.as_slice()), product.entries.as_slice().try_into())
        else {
            return;
        };
        if let Some(&Placement::Turned(frame, local)) = self.frames.placed.get(&of) {
            let local = local.map(|entry| self.graph.mul(factor, entry));
            self.frames.placed.entry(place).or_insert(Placement::Turned(frame, local));
        }
    }

    /// Records a sum of vectors in space of which some are placed in frames.
    pub(super) fn record_sum(&mut self, terms: &[(Value, bool)], sum: &Value) {
        let Ok(place) = sum.entries.as_slice().try_into() else { return };
        let mut parts: Vec<(Triple, bool)> = Vec::new();
        for (value, added) in terms {
            let Ok(part) = value.entries.as_slice().try_into() else { return };
            parts.push((part, *added));
        }
        let homes = parts.iter().filter_map(|(part, _)| self.frames.placed.get(part).map(Placement::home));
        let Some(home) = homes.max_by_key(|&home| (self.frames.frames[home].depth, home)) else { return };
        if parts.iter().all(|(part, _)| *part != place) {
            self.frames.placed.entry(place).or_insert(Placement::Sum(parts, home));
        }
    }

    /// Records the velocity of a point in space.
    pub(super) fn record_rate(&mut self, point: &Value, rate: &Value) {
        if let (Ok(point), Ok(rate)) = (point.entries.as_slice().try_into(), rate.entries.as_slice().try_into())
            && self.frames.placed.contains_key(&point)
        {
            self.frames.points.insert(rate, point);
        }
    }

    /// The point whose velocity in space this is, if it is placed in a frame.
    pub(super) fn point_of_rate(&self, rate: &Value) -> Option<Value> {
        let rate: Triple = rate.entries.as_slice().try_into().ok()?;
        Some(Value::vector(self.frames.points.get(&rate)?.to_vec()))
    }

    /// The velocity of a point in the frame in which it is placed, and placeholders for its components. `None` where it is placed in none.
    pub(super) fn own_velocity(&mut self, point: &Value) -> Result<Option<[Triple; 2]>, ArgumentFault> {
        let Ok(point) = <Triple>::try_from(point.entries.as_slice()) else { return Ok(None) };
        let Some(home) = self.frames.placed.get(&point).map(Placement::home) else { return Ok(None) };
        self.velocity(point, home)?;
        let moving = self.frames.moving.get_mut(&(home, point));
        Ok(moving.map(|moving| with_placeholders(&mut self.graph, moving)))
    }

    /// The angular velocity of a frame, and placeholders for its components.
    pub(super) fn own_turning(&mut self, orientation: &Value) -> Option<[Triple; 2]> {
        let frame = self.frames.of(orientation)?;
        Some(with_placeholders(&mut self.graph, &mut self.frames.frames[frame].turning))
    }

    /// Records a part of an energy, and the same part in placeholders.
    pub(super) fn record_twin(&mut self, part: Id, twin: Id) {
        if part != twin {
            self.frames.twins.push([part, twin]);
        }
    }

    /// The velocity of a point in a frame, the rate of its components, and the components of its rate in space.
    pub(super) fn velocity(&mut self, point: Triple, frame: usize) -> Result<[Triple; 3], ArgumentFault> {
        if let Some(known) = self.frames.moving.get(&(frame, point)) {
            return Ok([known.components, known.rates, known.in_space]);
        }
        let placement = self.frames.placed.get(&point).cloned();
        let home = placement.as_ref().map(Placement::home);
        let found = match placement {
            Some(Placement::Turned(own, local)) if own == frame => self.carried(local, frame)?,
            Some(Placement::Sum(parts, own)) if own == frame => {
                let mut sum = [[self.graph.zero(); 3]; 3];
                for (part, is_added) in parts {
                    let moving = self.velocity(part, frame)?;
                    for (sum, part) in sum.iter_mut().zip(moving) {
                        let join = if is_added { Graph::add_triples } else { Graph::subtract_triples };
                        *sum = join(&mut self.graph, *sum, part);
                    }
                }
                sum
            }
            _ => match (home, self.frames.frames[frame].factors) {
                // A point of a frame further out, or beside this one: its velocity comes in from there.
                (Some(home), factors) if !self.frames.is_before(home, frame) => {
                    if self.frames.is_before(frame, home) {
                        self.brought_in(point, frame, home)?
                    } else {
                        match factors {
                            Some([before, inner]) => self.brought_out(point, before, inner)?,
                            None => self.brought_from_space(point, frame)?,
                        }
                    }
                }
                (_, Some([before, inner])) => self.brought_out(point, before, inner)?,
                (_, None) => self.brought_from_space(point, frame)?,
            },
        };
        let [components, rates, in_space] = found;
        for (&quantity, &rate) in components.iter().zip(&rates) {
            self.graph.know_rate(quantity, rate);
        }
        let slopes = self.point_slopes(point);
        self.frames.moving.insert((frame, point), Motion { components, rates, in_space, slopes, placeholders: None });
        Ok(found)
    }

    /// The bounds of the derivatives of a point's velocity. Those by the rate of a rotation are the same for all rotations: the length of
    /// all vectors that place the point.
    fn point_slopes(&mut self, point: Triple) -> Slopes {
        let (lever, mut slopes) = self.reach(point);
        if let Some(home) = self.frames.placed.get(&point).map(Placement::home) {
            for (i, turn) in self.frames.frames[home].turning.slopes.clone() {
                let slope = self.graph.mul(turn, lever);
                self.add_slopes(&mut slopes, [(i, slope)].into());
            }
        }
        slopes
    }

    /// How far a point can be from what turns it, and the bounds of the derivatives of its velocity without rotations.
    fn reach(&mut self, point: Triple) -> (Id, Slopes) {
        if let Some(known) = self.frames.reaches.get(&point) {
            return known.clone();
        }
        let zero = self.graph.zero();
        let found = match self.frames.placed.get(&point).cloned() {
            Some(Placement::Turned(_, local)) => {
                (length(&mut self.graph, local), self.slopes_of(local, Symbol::Coordinate))
            }
            Some(Placement::Sum(parts, _)) => {
                let (mut lever, mut straight) = (zero, Slopes::new());
                for (part, _) in parts {
                    let (length, slopes) = self.reach(part);
                    lever = self.graph.add(lever, length);
                    self.add_slopes(&mut straight, slopes);
                }
                (lever, straight)
            }
            None => (zero, self.slopes_of(point, Symbol::Coordinate)),
        };
        self.frames.reaches.insert(point, found.clone());
        found
    }

    /// |∂vector/∂symbol| for each symbol of a kind that the vector contains.
    fn slopes_of(&mut self, vector: Triple, kind: fn(u32) -> Symbol) -> Slopes {
        let symbols = vector.iter().flat_map(|&entry| self.graph.symbols(entry));
        let wanted: BTreeSet<u32> = symbols
            .filter_map(|symbol| match symbol {
                Symbol::Coordinate(i) | Symbol::Velocity(i) if symbol == kind(i) => Some(i),
                _ => None,
            })
            .collect();
        let mut slopes = Slopes::new();
        for i in wanted {
            let slope = derivative(&mut self.graph, &vector, kind(i));
            slopes.insert(i, length(&mut self.graph, [slope[0], slope[1], slope[2]]));
        }
        slopes
    }

    fn add_slopes(&mut self, to: &mut Slopes, others: Slopes) {
        for (i, slope) in others {
            let sum = match to.get(&i) {
                Some(&known) => self.graph.add(known, slope),
                None => slope,
            };
            to.insert(i, sum);
        }
    }

    /// ω × c + ċ for the vector c in the frame, the rate of its components, and w.
    fn carried(&mut self, local: Triple, frame: usize) -> Result<[Triple; 3], ArgumentFault> {
        let Motion { components: omega, rates: omega_rate, .. } = self.frames.frames[frame].turning.clone();
        let drift = self.rate(local)?;
        let second = self.rate(drift)?;
        let graph = &mut self.graph;
        let swept = graph.cross(omega, local);
        let velocity = graph.add_triples(swept, drift);
        let [turning, moving] = [graph.cross(omega_rate, local), graph.cross(omega, drift)];
        let rate = graph.add_triples(turning, moving);
        let rate = graph.add_triples(rate, second);
        let swept_rate = graph.cross(omega, velocity);
        Ok([velocity, rate, graph.add_triples(rate, swept_rate)])
    }

    /// The velocity in the frame `before`·`inner`, from that in the frame `before`.
    fn brought_out(&mut self, point: Triple, before: usize, inner: usize) -> Result<[Triple; 3], ArgumentFault> {
        let moving = self.velocity(point, before)?;
        Ok(self.turned_moving(moving, inner))
    }

    /// The velocity in a frame that does not turn with another one, from that in space.
    fn brought_from_space(&mut self, point: Triple, frame: usize) -> Result<[Triple; 3], ArgumentFault> {
        let velocity = self.rate(point)?;
        let rate = self.rate(velocity)?;
        Ok(self.turned_moving([velocity, rate, rate], frame))
    }

    /// The velocity in a frame, from that in the frame `home` further out.
    fn brought_in(&mut self, point: Triple, frame: usize, home: usize) -> Result<[Triple; 3], ArgumentFault> {
        let mut moving = self.velocity(point, home)?;
        let mut at = home;
        while at != frame {
            let Some([before, inner]) = self.frames.frames[at].factors else { break };
            let Frame { matrix, turning: Motion { components: omega, .. }, .. } = self.frames.frames[inner].clone();
            let graph = &mut self.graph;
            let drag = graph.cross(omega, moving[0]);
            let rate = graph.add_triples(moving[1], drag);
            moving = [moving[0], rate, moving[2]].map(|vector| times(graph, &matrix, vector));
            at = before;
        }
        Ok(moving)
    }

    /// Components, their rates, and the components of the rate in space after a rotation of the frame.
    fn turned_moving(&mut self, moving: [Triple; 3], rotation: usize) -> [Triple; 3] {
        let [velocity, rate, in_space] = moving.map(|vector| self.turned(vector, rotation));
        let graph = &mut self.graph;
        let drag = graph.cross(velocity, self.frames.frames[rotation].turning.components);
        [velocity, graph.add_triples(rate, drag), in_space]
    }

    /// Bᵀv, by one rotation after the other where B is a product.
    fn turned(&mut self, vector: Triple, rotation: usize) -> Triple {
        match self.frames.frames[rotation].factors {
            Some([first, second]) => {
                let between = self.turned(vector, first);
                self.turned(between, second)
            }
            None => {
                let matrix = self.frames.frames[rotation].matrix;
                let graph = &mut self.graph;
                [0, 1, 2].map(|i| graph.inner(&[matrix[i], matrix[3 + i], matrix[6 + i]], &vector))
            }
        }
    }

    /// The total time derivative of three components.
    fn rate(&mut self, vector: Triple) -> Result<Triple, ArgumentFault> {
        let rate = self.total_derivative(&Value::new(Shape::Vector(3), vector.to_vec()))?;
        Ok([rate.entries[0], rate.entries[1], rate.entries[2]])
    }
}

/// The components of a velocity, and the same with placeholders for those that are no numbers.
fn with_placeholders(graph: &mut Graph, motion: &mut Motion) -> [Triple; 2] {
    motion.placeholders.get_or_insert_with(|| {
        let fresh = graph.scratch_symbols(3);
        [fresh[0], fresh[1], fresh[2]]
    });
    let mut twin = motion.components;
    for (symbol, i) in motion.open(graph) {
        twin[i] = graph.symbol(symbol);
    }
    [motion.components, twin]
}

/// |a|.
fn length(graph: &mut Graph, a: Triple) -> Id {
    let open: Vec<Id> = a.into_iter().filter(|&entry| !graph.is_zero(entry)).collect();
    match open[..] {
        [] => graph.zero(),
        [single] => graph.call(Function::Abs, &[single]),
        _ => graph.call(Function::Norm, &open),
    }
}

/// A matrix of three rows times a vector.
fn times(graph: &mut Graph, matrix: &[Id], vector: Triple) -> Triple {
    [0, 1, 2].map(|i| graph.inner(&matrix[3 * i..3 * i + 3], &vector))
}
