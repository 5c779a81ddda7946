//! A scene: bodies that move under piecewise constant accelerations, and all that may happen to them.

use lagrange_runtime::prelude::Direction;

/// What a coordinate may meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Body {
    /// Nothing.
    Free,
    /// A floor at q = `level`, with the coefficient of restitution `e`.
    Floor { level: f64, e: f64 },
    /// Dry friction of `bound` while it slips, and of at most `held` at rest.
    Pad { bound: f64, held: f64 },
    /// Nothing, but it is a coordinate of the rolling ball, whose slip the friction of the floor slows down.
    Rolls,
    /// Nothing, but while the relay has the value 1, it has the velocity of the other coordinate that is towed.
    Towed,
    /// No body but a relay, whose value is the velocity: it becomes 1 where the coordinate `of` exceeds `above`, and 0 where it falls below `below`.
    Relay { of: usize, above: f64, below: f64, thrust: [f64; 2] },
}

/// A coordinate of mass 1: its initial state, its constant force, and its share of the input u.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Coordinate {
    pub(crate) q: f64,
    pub(crate) v: f64,
    pub(crate) force: f64,
    pub(crate) share: f64,
    pub(crate) body: Body,
}

/// A factor with an offset: factor·(x − offset).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Term {
    pub(crate) factor: f64,
    pub(crate) offset: f64,
}

impl Term {
    pub(crate) const NONE: Self = Self { factor: 0.0, offset: 0.0 };

    pub(crate) fn at(offset: f64) -> Self {
        Self { factor: 1.0, offset }
    }

    pub(crate) fn of(self, x: f64) -> f64 {
        if self.factor == 0.0 { 0.0 } else { self.factor * (x - self.offset) }
    }
}

/// What an event does to the state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Act {
    Nothing,
    /// The velocity of coordinate `of` becomes `by` times as large.
    Scale {
        of: usize,
        by: f64,
    },
    /// The velocity of coordinate `of` grows by `by`.
    Kick {
        of: usize,
        by: f64,
    },
}

impl Act {
    /// Changes the velocities.
    pub(crate) fn apply(self, v: &mut [f64]) {
        match self {
            Self::Nothing => {}
            Self::Scale { of, by } => v[of] *= by,
            Self::Kick { of, by } => v[of] += by,
        }
    }
}

/// An event: the zeros of the sum of three terms, of the coordinate `of`, its velocity and the time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watch {
    pub(crate) of: usize,
    pub(crate) q: Term,
    pub(crate) v: Term,
    pub(crate) t: Term,
    pub(crate) direction: Direction,
    pub(crate) act: Act,
    pub(crate) terminal: bool,
}

impl Watch {
    /// The event at q = `at` of a coordinate.
    pub(crate) fn place(of: usize, at: f64, direction: Direction) -> Self {
        let (act, none) = (Act::Nothing, Term::NONE);
        Self { of, q: Term::at(at), v: none, t: none, direction, act, terminal: false }
    }

    /// The event at v = `at` of a coordinate.
    pub(crate) fn speed(of: usize, at: f64, direction: Direction) -> Self {
        Self { q: Term::NONE, v: Term::at(at), ..Self::place(of, 0.0, direction) }
    }

    /// The event at t = `at`.
    pub(crate) fn time(at: f64) -> Self {
        Self { q: Term::NONE, t: Term::at(at), ..Self::place(0, 0.0, Direction::Any) }
    }

    pub(crate) fn value(&self, t: f64, q: f64, v: f64) -> f64 {
        self.q.of(q) + self.v.of(v) + self.t.of(t)
    }

    /// The magnitude of the terms of a function of several variables, for a coordinate of the size of `q` up to a time, or 0: a
    /// function of one variable is as exact as this variable.
    pub(crate) fn magnitude(&self, q: f64, t_end: f64) -> f64 {
        let terms = [(self.q, q), (self.v, 0.0), (self.t, t_end)];
        if terms.iter().filter(|(term, _)| term.factor != 0.0).count() < 2 {
            return 0.0;
        }
        terms.iter().map(|(term, x)| (term.factor * x).abs() + (term.factor * term.offset).abs()).sum()
    }

    /// Whether the function is a multiple of the gap of the coordinate's contact.
    pub(crate) fn is_gap(&self, scene: &Scene) -> bool {
        let level = match scene.coordinates[self.of].body {
            Body::Floor { level, .. } => level,
            _ => return false,
        };
        self.q.factor != 0.0 && self.v.factor == 0.0 && self.t.factor == 0.0 && self.q.offset == level
    }
}

/// Forces that are held between samples: sample n has the force `forces[n]`, and the last one from then on.
#[derive(Clone, Debug)]
pub(crate) struct Samples {
    pub(crate) period: f64,
    pub(crate) forces: Vec<f64>,
}

impl Samples {
    pub(crate) fn force(&self, number: usize) -> f64 {
        self.forces[number.min(self.forces.len() - 1)]
    }
}

/// The mechanism of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A ball over a floor.
    One,
    /// Three balls over floors of their own, and a coordinate without forces.
    Trio,
    /// Two coordinates and one without forces. Nothing holds them.
    Flight,
    /// A ball over a floor, a block on a pad, and a coordinate without forces.
    Yard,
    /// The same with more friction at rest than in motion, and a relay that drives the ball and the block.
    Plant,
    /// A ball over a floor, two bodies that a tow couples, and the relay that switches it on and off.
    Train,
    /// A ball that bounces, slides and rolls on a floor, and a relay that drives it up and down.
    Alley,
}

/// The slip of a ball on its floor: a vector whose direction never turns, because the forces along the floor are those of the friction alone, or all along one line with the slip.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slide {
    /// The coefficients of friction of a slip, and at rest.
    pub(crate) mu: f64,
    pub(crate) held: f64,
    /// The moment of inertia over m r².
    pub(crate) inertia: f64,
    /// Whether forces act along the floor.
    pub(crate) driven: bool,
}

/// A scene, from t = 0 to `t_end`. The library sees it at the times [`Scene::time`].
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    pub(crate) shape: Shape,
    pub(crate) coordinates: Vec<Coordinate>,
    pub(crate) slide: Option<Slide>,
    pub(crate) watches: Vec<Watch>,
    pub(crate) samples: Option<Samples>,
    /// Times that something else happens at, or almost: the cuts of the properties are there too.
    pub(crate) instants: Vec<f64>,
    pub(crate) t_end: f64,
    /// The units of length and time in which the scene was made.
    pub(crate) units: (f64, f64),
    /// The time at which the library starts.
    pub(crate) start: f64,
    /// −1 where the library integrates backward, and 1 otherwise.
    pub(crate) way: f64,
}

impl Scene {
    /// How many coordinates are no relays. These are the first ones.
    pub(crate) fn bodies(&self) -> usize {
        self.coordinates.iter().filter(|coordinate| !matches!(coordinate.body, Body::Relay { .. })).count()
    }

    /// The two coordinates that a tow couples.
    pub(crate) fn towed(&self) -> Option<[usize; 2]> {
        (self.shape == Shape::Train).then_some([1, 2])
    }

    /// A component of the slip of the ball that slides, by the velocities of the coordinates: that of the first or of the second coordinate along the floor.
    pub(crate) fn slip(component: usize, velocity: impl Fn(usize) -> f64) -> f64 {
        if component == 0 { velocity(1) - velocity(3) } else { velocity(2) + velocity(4) }
    }

    /// The library's time at a time of the scene.
    pub(crate) fn time(&self, t: f64) -> f64 {
        self.start + self.way * t
    }

    /// The scene's time at a time of the library.
    pub(crate) fn since(&self, time: f64) -> f64 {
        self.way * (time - self.start)
    }

    /// What the rounding of the library's time is relative to. A time in a step is its start plus a part of its length, and is cut at its end:
    /// it rounds with |t₀| + |t₁ − t₀| + |t₁|, which is at most twice the time and the length of a step.
    pub(crate) fn clock(&self, t: f64) -> f64 {
        2.0 * (t + self.start.abs()) + self.t_end
    }

    /// The scene in other units: each length times `length`, each time times `time`.
    pub(crate) fn scaled(&self, length: f64, time: f64) -> Self {
        let (speed, force) = (length / time, length / time / time);
        let mut scene = self.clone();
        for coordinate in &mut scene.coordinates {
            if let Body::Relay { above, below, thrust, .. } = &mut coordinate.body {
                (*above, *below) = (*above * length, *below * length);
                *thrust = thrust.map(|each| each * force);
                continue;
            }
            coordinate.q *= length;
            coordinate.v *= speed;
            coordinate.force *= force;
            match &mut coordinate.body {
                Body::Free | Body::Rolls | Body::Towed | Body::Relay { .. } => {}
                Body::Floor { level, .. } => *level *= length,
                Body::Pad { bound, held } => (*bound, *held) = (*bound * force, *held * force),
            }
        }
        for watch in &mut scene.watches {
            // The value stays the same number.
            for (term, unit) in [(&mut watch.q, length), (&mut watch.v, speed), (&mut watch.t, time)] {
                *term = Term { factor: term.factor / unit, offset: term.offset * unit };
            }
            if let Act::Kick { by, .. } = &mut watch.act {
                *by *= speed;
            }
        }
        if let Some(samples) = &mut scene.samples {
            samples.period *= time;
            samples.forces.iter_mut().for_each(|each| *each *= force);
        }
        scene.instants.iter_mut().for_each(|instant| *instant *= time);
        scene.t_end *= time;
        scene.start *= time;
        scene.units = (scene.units.0 * length, scene.units.1 * time);
        scene
    }
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum What {
    /// An event of this index.
    Event(usize),
    /// The contact of this coordinate was hit.
    Impact(usize),
    /// The coordinate came to rest on its floor or its pad.
    Rests(usize),
    /// The coordinate left its rest.
    Leaves(usize),
    /// The relay of this coordinate changed its value.
    Switches(usize),
    /// The sample of this number.
    Sample(usize),
}

/// What happened, and when.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Item {
    pub(crate) t: f64,
    pub(crate) what: What,
}
