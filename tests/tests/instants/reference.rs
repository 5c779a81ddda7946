//! The motion of a scene, from event to event. Between two events each coordinate is a quadratic function of the time, so that
//! all times are roots of quadratic equations. Infinitely many impacts are summed in closed form.
//!
//! Nothing here is shared with the library.

use super::quadratic::{Part, root};
use super::rounding::Noise;
use super::scene::{Body, Coordinate, Item, Scene, Term, Watch, What};

/// From impacts to rest: the flights after the impact at `from` rise by less than is compared. They end at `to`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Zone {
    pub(crate) of: usize,
    pub(crate) from: f64,
    pub(crate) to: f64,
    /// How high the first of these flights rises, and how long it takes.
    pub(crate) rise: f64,
    pub(crate) flight: f64,
}

/// The motion of a scene.
#[derive(Clone, Debug)]
pub(crate) struct Motion {
    pub(crate) items: Vec<Item>,
    pub(crate) zones: Vec<Zone>,
    pub(crate) t: f64,
    pub(crate) q: Vec<f64>,
    pub(crate) v: Vec<f64>,
    /// The magnitude of the acceleration at the end, or just before it.
    pub(crate) a: Vec<f64>,
    /// The terminal event.
    pub(crate) ended_by: Option<usize>,
    /// How much a rounding of the terms of an event's function changes the time of each item.
    pub(crate) slacks: Vec<f64>,
    /// How far the last flights, which the reference does not follow one by one, move a ball along the floor.
    pub(crate) blur: f64,
    /// Why the scene does not determine what happens, if it does not.
    pub(crate) doubt: Option<&'static str>,
}

pub(super) struct Course<'a> {
    pub(super) scene: &'a Scene,
    pub(super) noise: Option<&'a mut Noise>,
    pub(super) now: f64,
    pub(super) u: f64,
    pub(super) sample: usize,
    pub(super) parts: Vec<Part>,
    /// Whether the ball that slides does not slip.
    pub(super) rolls: bool,
    /// When the acceleration of each coordinate changed last from a value other than 0, and from which.
    changed: Vec<(f64, f64)>,
    /// The error of each event's function.
    pub(super) biases: Vec<f64>,
    /// The side of 0 on which each event's function is, and when it last arrived at 0.
    pub(super) sides: Vec<f64>,
    pub(super) acted: Vec<f64>,
    pub(super) motion: Motion,
}

/// What happens next. The order is that of things at the same time.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Next {
    Event(usize),
    Meets(usize),
    Switches(usize),
    Sample,
    End,
}

/// The motion of a scene, with random errors of a few roundings if there is a stream for them. At most `limit` things happen.
pub(crate) fn motion(scene: &Scene, noise: Option<&mut Noise>, limit: usize) -> Motion {
    let mut course = Course::new(scene, noise);
    while course.motion.items.len() < limit {
        let (t, next) = course.next();
        course.now = t;
        match next {
            Next::Event(k) => {
                if course.event(k) {
                    break;
                }
            }
            Next::Meets(i) => course.meets(i),
            Next::Switches(i) => course.switches(i),
            Next::Sample => course.take_sample(),
            Next::End => break,
        }
    }
    course.finish(limit)
}

impl<'a> Course<'a> {
    fn new(scene: &'a Scene, mut noise: Option<&'a mut Noise>) -> Self {
        let mut error = |scale: f64| noise.as_mut().map_or(0.0, |noise| noise.of(scale));
        let u = scene.samples.as_ref().map_or(0.0, |samples| samples.force(0));
        let mut parts = Vec::new();
        for coordinate in &scene.coordinates {
            let (q, v) = (coordinate.q, coordinate.v);
            let rests = match coordinate.body {
                Body::Free | Body::Rolls | Body::Towed => false,
                Body::Floor { level, .. } => q == level && v == 0.0,
                Body::Pad { .. } => v == 0.0,
                Body::Relay { .. } => true,
            };
            let (q, v) = if rests { (q, v) } else { (q + error(q), v + error(v)) };
            parts.push(Part { t: 0.0, q, v, a: 0.0, rests });
        }
        let items: Vec<Item> = scene.samples.iter().map(|_| Item { t: 0.0, what: What::Sample(0) }).collect();
        let motion = Motion {
            slacks: vec![0.0; items.len()],
            items,
            zones: Vec::new(),
            t: 0.0,
            q: Vec::new(),
            v: Vec::new(),
            a: Vec::new(),
            ended_by: None,
            blur: 0.0,
            doubt: None,
        };
        let (sides, acted) = (Vec::new(), vec![f64::NEG_INFINITY; scene.watches.len()]);
        let bias =
            |watch: &Watch| error(watch.magnitude(scene.coordinates[watch.of].q, scene.t_end + scene.start.abs()));
        let biases = scene.watches.iter().map(bias).collect();
        let changed = vec![(f64::NEG_INFINITY, 0.0); parts.len()];
        let rolls = scene.slide.is_some() && [0, 1].map(|i| Scene::slip(i, |k| scene.coordinates[k].v)) == [0.0; 2];
        let mut course =
            Self { scene, noise, now: 0.0, u, sample: 0, parts, rolls, changed, biases, sides, acted, motion };
        for i in 0..scene.coordinates.len() {
            course.drive(i);
        }
        for k in 0..scene.watches.len() {
            let value = course.value(k);
            course.sides.push(value.signum());
            if value == 0.0 {
                course.doubt("an event starts at 0");
            }
        }
        course
    }

    /// The rounding of the time of an impact, or of a stop on a pad.
    pub(super) fn late(&mut self) -> f64 {
        let scale = 4.0 * f64::EPSILON * self.scene.clock(self.now);
        self.noise.as_mut().map_or(0.0, |noise| noise.random.between(-scale, scale))
    }

    pub(super) fn doubt(&mut self, why: &'static str) {
        self.motion.doubt.get_or_insert(why);
    }

    pub(super) fn push(&mut self, what: What) {
        let slack = match what {
            What::Event(k) => self.slack(k),
            What::Impact(i) => self.landing_slack(i),
            _ => 0.0,
        };
        self.push_within(slack, what);
    }

    pub(super) fn push_within(&mut self, slack: f64, what: What) {
        self.motion.slacks.push(slack);
        self.motion.items.push(Item { t: self.now, what });
    }

    pub(super) fn value(&self, k: usize) -> f64 {
        let watch = &self.scene.watches[k];
        let (q, v) = self.parts[watch.of].at(self.now);
        watch.value(self.now, q, v) + self.biases[k]
    }

    /// The time in which a ball passes a rounding of its height and of the level of its floor.
    pub(super) fn landing_slack(&self, i: usize) -> f64 {
        let Body::Floor { level, .. } = self.scene.coordinates[i].body else { return 0.0 };
        let (q, v) = self.parts[i].at(self.now);
        if v == 0.0 { 0.0 } else { f64::EPSILON * (q.abs() + level.abs()) / v.abs() }
    }

    fn slack(&self, k: usize) -> f64 {
        let watch = &self.scene.watches[k];
        let part = &self.parts[watch.of];
        let (q, v) = part.at(self.now);
        let of = |term: Term, x: f64| term.factor.abs() * (x.abs() + term.offset.abs());
        let slope = watch.q.factor * v + watch.v.factor * part.a + watch.t.factor;
        let blur = if self.is_driven(watch.of) { watch.q.factor.abs() * self.motion.blur } else { 0.0 };
        let terms = of(watch.q, q) + of(watch.v, v) + of(watch.t, self.now + self.scene.start.abs());
        (f64::EPSILON * terms + blur) / slope.abs()
    }

    /// The coefficients of an event's function in the time since its coordinate's part began.
    pub(super) fn polynomial(&self, k: usize) -> (f64, f64, f64) {
        let watch = &self.scene.watches[k];
        let part = &self.parts[watch.of];
        let a = watch.q.factor * part.a / 2.0;
        let b = watch.q.factor * part.v + watch.v.factor * part.a + watch.t.factor;
        (a, b, watch.value(part.t, part.q, part.v) + self.biases[k])
    }

    /// The first thing after now. A thing that rounding puts before now happens now.
    fn next(&self) -> (f64, Next) {
        let mut first = (self.scene.t_end, Next::End);
        let mut propose = |t: Option<f64>, next: Next| {
            if let Some(t) = t
                && (t < first.0 || t == first.0 && first.1 == Next::End)
            {
                first = (t, next);
            }
        };
        for k in 0..self.scene.watches.len() {
            propose(self.crossing(k), Next::Event(k));
        }
        for i in 0..self.parts.len() {
            propose(self.meeting(i), Next::Meets(i));
            propose(self.switching(i).map(|(t, _)| t), Next::Switches(i));
        }
        if let Some(samples) = &self.scene.samples {
            propose(Some((self.sample + 1) as f64 * samples.period), Next::Sample);
        }
        first
    }

    /// Two roots of a function in the same direction are further apart than this.
    pub(super) fn near(&self) -> f64 {
        1e-8 * self.scene.t_end
    }

    fn ahead(&self, t: f64) -> Option<f64> {
        (t >= self.now - self.near()).then_some(t.max(self.now))
    }

    /// When a coordinate meets its floor, or stops on its pad.
    pub(super) fn meeting(&self, i: usize) -> Option<f64> {
        let part = &self.parts[i];
        match self.scene.coordinates[i].body {
            Body::Free | Body::Towed | Body::Relay { .. } => None,
            _ if part.rests => None,
            Body::Floor { level, .. } => {
                let (since, _) = root(part.a / 2.0, part.v, part.q - level, -1.0)?;
                self.ahead(part.t + since)
            }
            Body::Pad { .. } => (part.v * part.a < 0.0).then(|| (part.t - part.v / part.a).max(self.now)),
            // The slip of the ball is a matter of all its coordinates, and is the meeting of the first of them.
            Body::Rolls if i == 1 => self.slip_ends(),
            Body::Rolls => None,
        }
    }

    /// When a relay changes its value, and whether its coordinate hardly reaches the threshold.
    pub(super) fn switching(&self, i: usize) -> Option<(f64, bool)> {
        let Body::Relay { of, above, below, .. } = self.scene.coordinates[i].body else { return None };
        let (threshold, slope) = if self.parts[i].v == 0.0 { (above, 1.0) } else { (below, -1.0) };
        let part = &self.parts[of];
        let (since, grazes) = root(part.a / 2.0, part.v, part.q - threshold, slope)?;
        Some((self.ahead(part.t + since)?, grazes))
    }

    /// When the function of an event changes its sign.
    pub(super) fn crossing(&self, k: usize) -> Option<f64> {
        let watch = &self.scene.watches[k];
        let (part, side) = (&self.parts[watch.of], self.sides[k]);
        if watch.is_gap(self.scene) {
            // The gap arrives at 0 when its contact is reached.
            return if side == watch.q.factor.signum() { self.meeting(watch.of) } else { None };
        }
        let (a, b, c) = self.polynomial(k);
        let (since, _) = root(a, b, c, -side)?;
        self.ahead(part.t + since)
    }

    /// Starts a new part of a coordinate's motion now.
    pub(super) fn rebase(&mut self, i: usize) {
        self.rebase_with(i, Noise::of);
    }

    /// Starts it at an event, where the state is interpolated.
    pub(super) fn rebase_at_event(&mut self, i: usize) {
        self.rebase_with(i, Noise::at_event);
    }

    fn rebase_with(&mut self, i: usize, error: fn(&mut Noise, f64) -> f64) {
        let part = self.parts[i];
        let (q, v) = part.at(self.now);
        let since = self.now - part.t;
        if part.rests {
            self.parts[i].t = self.now;
            return;
        }
        // The times of the library round, and with them the lengths of its steps.
        let since = since + self.scene.start.abs();
        let q_scale =
            q.abs() + (part.v * since).abs() + (v * since).abs() + (part.a * (self.now - part.t) * since).abs();
        let v_scale = v.abs() + (part.a * since).abs();
        let mut error = |scale| self.noise.as_mut().map_or(0.0, |noise| error(noise, scale));
        let (q, v) = (q + error(q_scale), v + error(v_scale));
        self.parts[i] = Part { t: self.now, q, v, ..part };
    }

    /// The force of a relay on a coordinate.
    fn thrust(&self, i: usize) -> f64 {
        let of = |(relay, part): (&Coordinate, &Part)| match relay.body {
            Body::Relay { thrust, .. } => thrust.get(i).map_or(0.0, |thrust| thrust * part.v),
            _ => 0.0,
        };
        self.scene.coordinates.iter().zip(&self.parts).map(of).sum()
    }

    /// Sets the acceleration of a coordinate whose part starts now.
    pub(super) fn drive(&mut self, i: usize) {
        let coordinate = &self.scene.coordinates[i];
        if coordinate.body == Body::Rolls {
            return self.roll();
        }
        let force = self.force(i);
        let part = &mut self.parts[i];
        let rested = part.rests;
        part.rests = match coordinate.body {
            Body::Free | Body::Rolls | Body::Towed => false,
            Body::Floor { .. } => rested && force <= 0.0,
            Body::Pad { held, .. } => part.v == 0.0 && force.abs() <= held,
            Body::Relay { .. } => true,
        };
        let (rests, a) = match coordinate.body {
            _ if part.rests => (true, 0.0),
            Body::Pad { bound, .. } if part.v == 0.0 => (false, force - bound * force.signum()),
            Body::Pad { bound, .. } => (false, force - bound * part.v.signum()),
            _ => (false, force),
        };
        self.set_acceleration(i, a);
        if rested && !rests {
            self.push(What::Leaves(i));
        }
        if let Body::Pad { held, .. } = coordinate.body
            && (force.abs() - held).abs() < 1e-6 * held
        {
            self.doubt("a force equals its bound");
        }
        if i == 0 && self.scene.slide.is_some() {
            self.roll();
        }
    }

    /// The force on a coordinate without its friction. Two coupled coordinates have the mean of their forces.
    pub(super) fn force(&self, i: usize) -> f64 {
        let own = |i: usize| {
            let coordinate = &self.scene.coordinates[i];
            coordinate.force + coordinate.share * self.u + self.thrust(i)
        };
        match self.coupled() {
            Some(pair) if pair.contains(&i) => f64::midpoint(own(pair[0]), own(pair[1])),
            _ => own(i),
        }
    }

    /// The coordinates that a tow couples now.
    pub(super) fn coupled(&self) -> Option<[usize; 2]> {
        self.scene.towed().filter(|_| self.parts.last().is_some_and(|relay| relay.v == 1.0))
    }

    pub(super) fn set_acceleration(&mut self, i: usize, a: f64) {
        if self.parts[i].a != 0.0 {
            self.changed[i] = (self.now, self.parts[i].a);
        }
        self.parts[i].a = a;
    }

    fn finish(mut self, limit: usize) -> Motion {
        let terminal = self.motion.ended_by.is_some();
        for i in 0..self.parts.len() {
            if terminal {
                self.rebase_at_event(i);
            } else {
                self.rebase(i);
            }
        }
        let near = 1e-6 * self.scene.t_end;
        if !terminal && self.motion.items.iter().any(|item| (item.t - self.now).abs() < near)
            || self.motion.zones.iter().any(|zone| zone.from < self.now && self.now < zone.to + near)
        {
            self.doubt("something happens at the end");
        }
        if self.motion.items.len() >= limit {
            self.doubt("too much happens");
        }
        self.motion.t = self.now;
        self.motion.q = self.parts.iter().map(|part| part.q).collect();
        self.motion.v = self.parts.iter().map(|part| part.v).collect();
        let before = |(t, a): (f64, f64)| if self.now - t < near { a.abs() } else { 0.0 };
        self.motion.a =
            self.parts.iter().zip(&self.changed).map(|(part, &changed)| part.a.abs().max(before(changed))).collect();
        self.motion
    }
}
