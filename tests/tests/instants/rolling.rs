//! The ball that bounces, slides and rolls: its coordinates along the floor and its angles, which the friction of the floor joins.

use super::quadratic::Part;
use super::reference::{Course, Zone};
use super::rounding::window;
use super::scene::{Act, Body, Item, Scene, Slide, What};

/// The error of the direction in which a slip begins.
const BEGINS: f64 = 1e-11;

/// The coordinates that the friction drives.
const DRIVEN: std::ops::Range<usize> = 1..5;

impl Course<'_> {
    /// The slip of the ball, or its derivative.
    fn slip(&self, of: impl Fn(&Part) -> f64) -> [f64; 2] {
        [0, 1].map(|component| Scene::slip(component, |k| of(&self.parts[k])))
    }

    /// When the slip of a ball on the floor ends.
    pub(super) fn slip_ends(&self) -> Option<f64> {
        if self.rolls || !self.parts[0].rests {
            return None;
        }
        let (slip, rate) = (self.slip(|part| part.v), self.slip(|part| part.a));
        let (falls, square) = (slip[0] * rate[0] + slip[1] * rate[1], rate[0] * rate[0] + rate[1] * rate[1]);
        (falls < 0.0).then(|| (self.parts[1].t - falls / square).max(self.now))
    }

    /// The slip of a ball on the floor ends now.
    pub(super) fn stops_to_slip(&mut self) {
        let late = self.late();
        DRIVEN.for_each(|k| self.rebase(k));
        self.end_slip();
        DRIVEN.for_each(|k| self.parts[k].t += late);
        self.roll();
    }

    /// The slip becomes 0, and the impulses of the friction change nothing else.
    fn end_slip(&mut self) {
        let Some(Slide { inertia, .. }) = self.scene.slide else { return };
        let slip = self.slip(|part| part.v);
        let share = inertia / (1.0 + inertia);
        self.parts[1].v -= slip[0] * share;
        self.parts[3].v = self.parts[1].v;
        self.parts[2].v -= slip[1] * share;
        self.parts[4].v = -self.parts[2].v;
        self.rolls = true;
    }

    /// The friction of an impact with the normal impulse `normal`.
    pub(super) fn strike(&mut self, normal: f64) {
        let Some(Slide { mu, inertia, driven, .. }) = self.scene.slide else { return };
        DRIVEN.for_each(|k| self.rebase(k));
        let before: Vec<f64> = self.parts.iter().map(|part| part.v).collect();
        let slip = self.slip(|part| part.v);
        let (speed, most) = (slip[0].hypot(slip[1]), mu * normal * (1.0 + 1.0 / inertia));
        // Rounding turns what is left of a slip, and a force along the line then turns it back.
        let near = if driven { 0.3 } else { 1e-6 };
        if (speed - most).abs() < near * most {
            self.doubt("the friction of an impact hardly ends the slip");
        }
        if speed <= most {
            self.end_slip();
        } else {
            self.rolls = false;
            let [first, second] = slip.map(|slip| -mu * normal * slip / speed);
            self.parts[1].v += first;
            self.parts[3].v -= first / inertia;
            self.parts[2].v += second;
            self.parts[4].v += second / inertia;
        }
        DRIVEN.for_each(|k| self.jumped(k, before[k]));
    }

    /// A map has changed a velocity of the ball: it slips, if it did not just keep what it had.
    pub(super) fn kicked(&mut self) {
        let slip = self.slip(|part| part.v);
        let speed = slip[0].hypot(slip[1]);
        if self.scene.slide.is_some() && speed > 0.0 {
            if speed < 1e-6 * DRIVEN.map(|k| self.parts[k].v.abs()).fold(0.0, f64::max) {
                self.doubt("a map leaves hardly any slip");
            }
            self.rolls = false;
        }
    }

    /// Sets the accelerations along the floor from now on.
    pub(super) fn roll(&mut self) {
        let Some(Slide { mu, held, inertia, .. }) = self.scene.slide else { return };
        for k in DRIVEN {
            if self.parts[k].t < self.now {
                self.rebase(k);
            }
        }
        let normal = if self.parts[0].rests { -self.force(0) } else { 0.0 };
        let forces = [self.force(1), self.force(2)];
        if normal > 0.0 && self.rolls {
            let needed = (forces[0].hypot(forces[1])) * inertia / (1.0 + inertia);
            if (needed - held * normal).abs() < 1e-6 * held * normal {
                self.doubt("a force equals its bound");
            }
            let is_within = self.motion.zones.iter().any(|zone| self.now <= zone.to && zone.to > zone.from);
            if is_within && needed > mu * normal {
                self.doubt("impacts hold what rest holds, or do not");
            }
            self.rolls = needed <= held * normal;
            if !self.rolls {
                // The direction of a slip that has no size yet is known less exactly than by rounding.
                let left = self.scene.t_end - self.now;
                self.motion.blur += BEGINS * needed * left * left;
            }
        }
        let friction = if normal <= 0.0 {
            [0.0; 2]
        } else if self.rolls {
            forces.map(|force| -force * inertia / (1.0 + inertia))
        } else {
            // A slip that begins has the direction of the force.
            let slip = self.slip(|part| part.v);
            let along = if slip == [0.0; 2] { forces } else { slip };
            along.map(|part| -mu * normal * part / along[0].hypot(along[1]))
        };
        let turns = [-friction[0] / inertia, friction[1] / inertia];
        let accelerations = [forces[0] + friction[0], forces[1] + friction[1], turns[0], turns[1]];
        DRIVEN.zip(accelerations).for_each(|(k, a)| self.set_acceleration(k, a));
    }

    /// A map that follows an impact by rounding may be told before it, and changes the friction of the impact.
    pub(super) fn doubt_order(&mut self, act: Act) {
        let within = window(self.scene, self.now, self.landing_slack(0));
        let is_near = |item: &Item| item.what == What::Impact(0) && item.t >= self.now - within;
        if self.scene.slide.is_some() && act != Act::Nothing && self.motion.items.iter().any(is_near) {
            self.doubt("a map beside an impact");
        }
    }

    /// Whether a coordinate belongs to the ball.
    pub(super) fn is_driven(&self, i: usize) -> bool {
        self.scene.coordinates[i].body == Body::Rolls
    }

    /// The last flights, whose impulses are taken for those of the weight. The slip could end during them, and moves in jumps where the reference has it move evenly.
    pub(super) fn take_last_flights(&mut self, weight: f64, zone: &Zone) {
        let Some(Slide { mu, inertia, .. }) = self.scene.slide else { return };
        let length = zone.to - zone.from;
        let slowing = mu * weight * (1.0 + 1.0 / inertia);
        let slip = self.slip(|part| part.v);
        if !self.rolls && slip[0].hypot(slip[1]) <= 4.0 * slowing * length {
            self.doubt("the slip ends during the last impacts");
        }
        self.motion.blur += (slowing + self.force(1).hypot(self.force(2))) * length * length;
    }
}
