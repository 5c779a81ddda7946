//! What happens to the bodies of a scene at an instant: maps, impacts, rest, samples.

use super::quadratic::{Part, root};
use super::reference::{Course, Zone};
use super::rounding::{CLOSED, joins, window};
use super::scene::{Act, Body, Samples, What};
use lagrange_runtime::prelude::Direction;

impl Course<'_> {
    /// The function of an event changes its sign. Returns whether the motion ends there.
    pub(super) fn event(&mut self, k: usize) -> bool {
        let watch = self.scene.watches[k];
        self.doubt_tangents(k);
        self.sides[k] = -self.sides[k];
        self.acted[k] = self.now;
        let admitted = match watch.direction {
            Direction::Any => true,
            Direction::Rising => self.sides[k] > 0.0,
            Direction::Falling => self.sides[k] < 0.0,
        };
        if !admitted {
            return false;
        }
        self.push(What::Event(k));
        self.doubt_order(watch.act);
        self.doubt_couplings(k);
        match watch.act {
            Act::Nothing => {}
            Act::Scale { of, by } => self.change(of, |v| by * v),
            Act::Kick { of, by } => self.change(of, |v| v + by),
        }
        if watch.terminal {
            self.motion.ended_by = Some(k);
        }
        watch.terminal
    }

    /// A map of a coupled body is followed by an impact of the coupling, unless another map comes first or the motion ends.
    fn doubt_couplings(&mut self, k: usize) {
        let Some(pair) = self.coupled() else { return };
        let maps = |k: usize| match self.scene.watches[k].act {
            Act::Nothing => false,
            Act::Scale { of, .. } | Act::Kick { of, .. } => pair.contains(&of),
        };
        let is_now = |t: f64| (t - self.now).abs() < self.near();
        let others = |j: usize| j != k && (is_now(self.acted[j]) || self.crossing(j).is_some_and(is_now));
        let all = 0..self.scene.watches.len();
        let ends = |j: usize| self.scene.watches[j].terminal && (j == k || others(j));
        if maps(k) && all.clone().any(|j| maps(j) && others(j)) || all.clone().any(maps) && all.clone().any(ends) {
            self.doubt("maps of coupled bodies together, or at the end");
        }
    }

    fn doubt_tangents(&mut self, k: usize) {
        let (a, b, c) = self.polynomial(k);
        let (rises, falls) = (root(a, b, c, 1.0), root(a, b, c, -1.0));
        // A ball that leaves its floor slowly may pass such an event twice within what counts as one time.
        let are_near =
            |((first, _), (second, _)): ((f64, bool), (f64, bool))| (first - second).abs() < 2.0 * self.near();
        let is_near = self.scene.slide.is_some() && rises.zip(falls).is_some_and(are_near);
        if is_near || rises.is_some_and(|(_, grazes)| grazes) {
            self.doubt("an event's function touches 0");
        }
    }

    /// A map changes a velocity.
    fn change(&mut self, of: usize, map: impl Fn(f64) -> f64) {
        if self.motion.zones.iter().any(|zone| zone.of == of && self.now < zone.to && self.now > zone.from) {
            self.doubt("a map during the last impacts");
        }
        // The library restarts the whole motion from the interpolated state.
        (0..self.parts.len()).for_each(|i| self.rebase_at_event(i));
        let before = self.parts[of].v;
        let part = &mut self.parts[of];
        part.v = map(before);
        if part.rests && part.v != 0.0 {
            part.rests = false;
            self.push(What::Leaves(of));
        }
        if self.is_driven(of) {
            self.kicked();
        }
        if let Some(pair) = self.coupled().filter(|pair| pair.contains(&of)) {
            return self.couple(pair, (of, before));
        }
        self.drive(of);
        self.jumped(of, before);
    }

    /// Coordinates that are coupled take the mean of their velocities, and of their forces. The velocity of the coordinate `of` was `before`.
    fn couple(&mut self, pair: [usize; 2], (of, before): (usize, f64)) {
        let were = pair.map(|i| if i == of { before } else { self.parts[i].v });
        let mean = f64::midpoint(self.parts[pair[0]].v, self.parts[pair[1]].v);
        for (i, was) in pair.into_iter().zip(were) {
            self.parts[i].v = mean;
            self.drive(i);
            self.jumped(i, was);
        }
    }

    /// The velocity of a coordinate jumped from `before`. Decides on which sides the events are.
    pub(super) fn jumped(&mut self, i: usize, before: f64) {
        for k in 0..self.scene.watches.len() {
            let watch = &self.scene.watches[k];
            let part = &self.parts[watch.of];
            if watch.of != i || watch.q.factor == 0.0 && watch.v.factor == 0.0 {
                continue;
            }
            if watch.v.factor != 0.0 {
                let (was, is) = (watch.value(self.now, part.q, before), self.value(k));
                let scale = watch.v.factor.abs() * (before.abs() + part.v.abs());
                let arrived = self.acted[k] == self.now;
                self.sides[k] = is.signum();
                if is.abs() < 1e-6 * scale || !arrived && was.abs() < 1e-6 * scale {
                    self.doubt("an event's function jumps from 0 or to 0");
                }
            } else if self.acted[k] == self.now {
                // It is at 0, and goes on to the side that the motion has now.
                let slope = watch.q.factor * part.v + watch.t.factor;
                self.sides[k] = if slope == 0.0 { watch.q.factor.signum() } else { slope.signum() };
            }
        }
    }

    /// A coordinate meets its floor, or stops on its pad.
    pub(super) fn meets(&mut self, i: usize) {
        if self.is_driven(i) {
            return self.stops_to_slip();
        }
        self.rebase(i);
        let (level, e) = match self.scene.coordinates[i].body {
            Body::Floor { level, e } => (level, e),
            _ => {
                let late = self.late();
                self.parts[i] = Part { t: self.now + late, v: 0.0, ..self.parts[i] };
                self.drive(i);
                if self.parts[i].rests {
                    self.push(What::Rests(i));
                }
                return;
            }
        };
        let Part { q, v: before, a, .. } = self.parts[i];
        // The gap is q − level. With the errors δ q and δ' level, its zero moves by (δ |q| + δ' |level|)/|v| to first order, and until
        // then the motion goes on accelerating.
        let landing = self.noise.as_mut().map_or(0.0, |noise| noise.of(q.abs() + level.abs())) / before.abs();
        let landing = if landing.is_finite() { landing } else { 0.0 };
        let before = before + a * landing;
        let slack = self.landing_slack(i);
        let within = window(self.scene, self.now, slack);
        let joins = joins((&self.motion.items, &self.motion.slacks), (i, self.now), within) || self.is_joined(i);
        self.push(What::Impact(i));
        let late = if joins && self.noise.is_some() { within / 8.0 } else { 0.0 } + self.late() + landing;
        self.parts[i] = Part { t: self.now + late, q: level, v: -e * before, a, rests: false };
        if before * before < 1e-9 * (a * (self.scene.coordinates[i].q - level)).abs() && e == 1.0 {
            self.doubt("a contact is touched");
        }
        let v = self.parts[i].v;
        let (rise, flight) = (v * v / (2.0 * -a), 2.0 * v / -a);
        let lowest = 8192.0 * f64::EPSILON * 2.0 * level.abs();
        let shortest = 32768.0 * f64::EPSILON * (self.scene.t_end + self.scene.start.abs());
        if a < 0.0 && e < 1.0 && (rise <= lowest || flight <= shortest) {
            // Each flight is e times as long as the one before it.
            let zone = Zone { of: i, from: self.now, to: self.now + flight / (1.0 - e), rise, flight };
            // Until it rests, the impulses of the flights are those of the weight.
            self.strike(before.abs());
            self.take_last_flights(-a, &zone);
            self.motion.zones.push(zone);
            self.parts[i] = Part { t: self.now, q: level, v: 0.0, a: 0.0, rests: true };
            // It rests from the impact on, whose time rounds.
            self.push_within(slack, What::Rests(i));
            self.doubt_events_of(&zone, v);
        } else {
            self.strike(before.abs() * (1.0 + e));
        }
        self.jumped(i, before);
        self.roll();
    }

    /// A relay changes its value. The library restarts the whole motion from the interpolated state.
    pub(super) fn switches(&mut self, i: usize) {
        let Body::Relay { of, above, below, thrust } = self.scene.coordinates[i].body else { return };
        if self.switching(i).is_some_and(|(_, grazes)| grazes) {
            self.doubt("a coordinate touches a threshold");
        }
        let threshold = if self.parts[i].v == 0.0 { above } else { below };
        let (q, v) = self.parts[of].at(self.now);
        self.push_within(f64::EPSILON * (q.abs() + threshold.abs()) / v.abs(), What::Switches(i));
        (0..self.parts.len()).for_each(|k| self.rebase_at_event(k));
        self.parts[i].v = 1.0 - self.parts[i].v;
        match (self.scene.towed(), self.coupled()) {
            (Some(pair), Some(_)) => self.couple(pair, (pair[0], self.parts[pair[0]].v)),
            (Some(pair), None) => pair.into_iter().for_each(|i| self.drive(i)),
            _ => {}
        }
        for k in (0..thrust.len()).filter(|&k| thrust[k] != 0.0) {
            if self.motion.zones.iter().any(|zone| zone.of == k && self.now < zone.to && self.now > zone.from) {
                self.doubt("a relay switches during the last impacts");
            }
            self.drive(k);
        }
    }

    /// Whether the contact of another coordinate, which is reached later, may be found now, and takes this one with it.
    fn is_joined(&self, of: usize) -> bool {
        let others =
            (0..self.parts.len()).filter(|&i| i != of && matches!(self.scene.coordinates[i].body, Body::Floor { .. }));
        others.into_iter().any(|i| self.meeting(i).is_some_and(|t| t - self.now <= CLOSED * self.landing_slack(i)))
    }

    /// Events that a ball might meet during its last impacts.
    fn doubt_events_of(&mut self, zone: &Zone, v: f64) {
        for k in 0..self.scene.watches.len() {
            let watch = &self.scene.watches[k];
            let moves = (watch.q.factor * zone.rise).abs() + (watch.v.factor * v).abs();
            if watch.of == zone.of && !watch.is_gap(self.scene) && moves > 0.0 {
                let moves = 4.0 * (moves + (watch.t.factor * zone.flight).abs());
                if self.value(k).abs() < moves {
                    self.doubt("an event during the last impacts");
                }
            }
        }
    }

    pub(super) fn take_sample(&mut self) {
        self.sample += 1;
        self.push(What::Sample(self.sample));
        let force = |samples: &Samples| samples.force(self.sample);
        let u = self.scene.samples.as_ref().map_or(0.0, force);
        if u == self.u {
            return;
        }
        self.u = u;
        for i in 0..self.parts.len() {
            if self.scene.coordinates[i].share != 0.0 {
                if self.motion.zones.iter().any(|zone| zone.of == i && self.now < zone.to && self.now > zone.from) {
                    self.doubt("a sample during the last impacts");
                }
                self.rebase(i);
                self.drive(i);
            }
        }
    }
}
