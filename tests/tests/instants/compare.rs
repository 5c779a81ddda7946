//! What a scene determines, how exactly, and whether the library found it.

use super::generate::LIMIT;
use super::record::Record;
use super::reference::{Motion, Zone, motion};
use super::rounding::{Noise, joins, window};
use super::run::Roundings;
use super::scene::{Act, Body, Item, Scene, What};
use lagrange_tests::random::Random;

/// The number of motions with random errors.
const NOISY: u64 = 6;

/// The differences between these motions times this number are allowed. The motions have an error at each event, the library has
/// one at each of about ten steps between two events.
const MARGIN: f64 = 32.0;

/// The reference motion, with the tolerances that follow from rounding.
#[derive(Clone, Debug)]
pub(crate) struct Expected {
    pub(crate) motion: Motion,
    /// Of each time of the motion's items.
    times: Vec<f64>,
    /// Of the ends of the zones.
    zones: Vec<f64>,
    t: f64,
    q: Vec<f64>,
    v: Vec<f64>,
}

/// Which list of the same things an item belongs to.
fn group(item: &Item) -> What {
    item.what
}

/// The items of one group, with their places.
fn of(items: &[Item], what: What) -> Vec<(usize, f64)> {
    items.iter().enumerate().filter(|(_, item)| group(item) == what).map(|(place, item)| (place, item.t)).collect()
}

fn groups(items: &[Item]) -> Vec<What> {
    let mut groups: Vec<What> = items.iter().map(group).collect();
    groups.sort_unstable();
    groups.dedup();
    groups
}

/// Returns what a scene must show under a method with these errors, or the reason why rounding leaves it open.
pub(crate) fn expected(scene: &Scene, roundings: Roundings) -> Result<Expected, &'static str> {
    let exact = motion(scene, None, LIMIT);
    if let Some(doubt) = exact.doubt {
        return Err(doubt);
    }
    let size = |i: usize, q: f64| q.abs() + scene.coordinates[i].q.abs();
    let floor = f64::EPSILON * (8.0 + roundings.steps);
    let slacks: Vec<f64> = exact.slacks.iter().map(|slack| 2.0 * (8.0 + roundings.between) * slack).collect();
    let tolerance = |item: Item, slack: f64| {
        let within = window(scene, item.t, slack);
        let joins = match item.what {
            What::Impact(i) | What::Rests(i) => joins((&exact.items, &slacks), (i, item.t), within),
            _ => false,
        };
        floor * scene.clock(item.t) + if joins { within } else { 0.0 }
    };
    // The last flights begin at an impact, whose time rounds.
    let begins = |zone: &Zone, item: &Item| item.what == What::Rests(zone.of) && item.t == zone.from;
    let landing =
        |zone: &Zone| exact.items.iter().position(|item| begins(zone, item)).map_or(0.0, |place| slacks[place]);
    let is_last = |item: &Item| exact.ended_by.is_some_and(|k| item.what == What::Event(k));
    let last = exact.items.iter().rposition(is_last).map_or(0.0, |place| slacks[place]);
    let mut expected = Expected {
        times: exact
            .items
            .iter()
            .zip(exact.slacks.iter().zip(&slacks))
            .map(|(item, (own, slack))| tolerance(*item, *own) + slack)
            .collect(),
        zones: exact.zones.iter().map(|zone| floor * scene.clock(zone.to) + landing(zone)).collect(),
        t: floor * scene.clock(exact.t) + last,
        q: exact
            .q
            .iter()
            .enumerate()
            .map(|(i, &q)| {
                let is_moved = scene.coordinates[i].body == Body::Rolls;
                8.0 * floor * size(i, q) + if is_moved { exact.blur } else { 0.0 }
            })
            .collect(),
        // The time of the end rounds.
        v: exact
            .v
            .iter()
            .zip(&exact.a)
            .map(|(v, a)| 8.0 * floor * v.abs() + a * (floor * scene.clock(exact.t) + last))
            .collect(),
        motion: exact,
    };
    let (mut times, mut zones) = (vec![0.0_f64; expected.times.len()], vec![0.0_f64; expected.zones.len()]);
    let (mut q, mut v) = (vec![0.0_f64; scene.coordinates.len()], vec![0.0_f64; scene.coordinates.len()]);
    let mut end = 0.0_f64;
    for seed in 0..NOISY {
        let noisy = motion(
            scene,
            Some(&mut Noise {
                random: Random::new(seed),
                roundings: 8.0 + roundings.steps,
                at_events: roundings.between,
            }),
            LIMIT,
        );
        let exact = &expected.motion;
        if noisy.doubt.is_some() || noisy.ended_by != exact.ended_by || noisy.zones.len() != exact.zones.len() {
            return Err("rounding decides");
        }
        for what in groups(&exact.items).into_iter().chain(groups(&noisy.items)) {
            let (a, b) = (of(&exact.items, what), of(&noisy.items, what));
            if a.len() != b.len() {
                return Err("rounding decides");
            }
            for (&(place, t), &(_, other)) in a.iter().zip(&b) {
                times[place] = times[place].max((t - other).abs());
            }
        }
        for (k, (a, b)) in exact.zones.iter().zip(&noisy.zones).enumerate() {
            zones[k] = zones[k].max((a.to - b.to).abs());
        }
        for i in 0..scene.coordinates.len() {
            q[i] = q[i].max((exact.q[i] - noisy.q[i]).abs());
            v[i] = v[i].max((exact.v[i] - noisy.v[i]).abs());
        }
        end = end.max((exact.t - noisy.t).abs());
    }
    let add = |to: &mut [f64], from: &[f64]| to.iter_mut().zip(from).for_each(|(to, from)| *to += MARGIN * from);
    add(&mut expected.times, &times);
    add(&mut expected.zones, &zones);
    add(&mut expected.q, &q);
    add(&mut expected.v, &v);
    expected.t += MARGIN * end;
    Ok(expected)
}

impl Expected {
    /// The largest tolerances of times, coordinates and velocities.
    pub(crate) fn largest(&self) -> (f64, f64, f64) {
        let largest = |all: &[f64]| all.iter().copied().fold(0.0, f64::max);
        (largest(&self.times), largest(&self.q), largest(&self.v))
    }

    /// The first difference of what the library found.
    ///
    /// # Errors
    /// Says what differs.
    pub(crate) fn check(&self, scene: &Scene, found: &Record) -> Result<(), String> {
        if let Some(error) = &found.error {
            return Err(format!("it fails: {error}"));
        }
        let exact = &self.motion;
        if found.ended_by != exact.ended_by {
            return Err(format!(
                "ends by event {:?} at {}, not {:?} at {}",
                found.ended_by, found.t, exact.ended_by, exact.t
            ));
        }
        if let Some(disorder) = &found.disorder {
            return Err(disorder.clone());
        }
        let ours = self.compared(&exact.items, scene);
        let theirs = self.compared(&found.items, scene);
        let mut both: Vec<Item> = ours.iter().map(|&(item, _)| item).collect();
        both.extend(theirs.iter().map(|&(item, _)| item));
        for what in groups(&both) {
            let times = |list: &[(Item, usize)]| -> Vec<(usize, f64)> {
                list.iter().filter(|(item, _)| item.what == what).map(|&(item, place)| (place, item.t)).collect()
            };
            let (a, b) = (times(&ours), times(&theirs));
            for (&(place, t), &(_, found)) in a.iter().zip(&b) {
                let (low, high) = self.allowed(what, t, place);
                if !(found >= low && found <= high) {
                    let (error, allowed) = (found - t, if found < t { t - low } else { high - t });
                    return Err(format!("{what:?} at {found}, not {t}: off by {error:e}, allowed {allowed:e}"));
                }
            }
            if a.len() != b.len() {
                let short: Vec<f64> = a.iter().map(|&(_, t)| t).collect();
                let found: Vec<f64> = b.iter().map(|&(_, t)| t).collect();
                let first = short.iter().zip(&found).take_while(|(a, b)| (*a - *b).abs() < 1e-6 * scene.t_end).count();
                return Err(format!(
                    "{what:?} {} times, not {}; from number {first} on at {:?}, not {:?}",
                    found.len(),
                    short.len(),
                    &found[first..found.len().min(first + 3)],
                    &short[first..short.len().min(first + 3)],
                ));
            }
        }
        self.check_end(scene, found)
    }

    fn check_end(&self, scene: &Scene, found: &Record) -> Result<(), String> {
        let exact = &self.motion;
        if (found.t - exact.t).abs() > self.t {
            return Err(format!("ends at {}, not {}: allowed {:e}", found.t, exact.t, self.t));
        }
        for i in 0..scene.coordinates.len() {
            let (q, v) = (found.q[i] - exact.q[i], found.v[i] - exact.v[i]);
            // Where a terminal event coincides with an impact or another event with a map, the state may be the one before it or after it.
            let maps = |item: &Item| match item.what {
                What::Impact(of) => of == i || scene.coordinates[i].body == Body::Rolls,
                What::Event(k) => {
                    exact.ended_by != Some(k)
                        && matches!(scene.watches[k].act, Act::Scale { of, .. } | Act::Kick { of, .. } if of == i)
                }
                _ => false,
            };
            let strikes = |item: &Item| maps(item) && (item.t - exact.t).abs() < 1e-6 * scene.t_end;
            let open = exact.ended_by.is_some() && exact.items.iter().chain(&found.items).any(strikes);
            // A relay has a value, and no place.
            let is_relay = matches!(scene.coordinates[i].body, Body::Relay { .. });
            let place = if is_relay { f64::INFINITY } else { self.q[i] };
            let tolerances = (place, if open { f64::INFINITY } else { self.v[i] });
            if q.is_nan() || q.abs() > tolerances.0 {
                let (is, at) = (found.q[i], exact.q[i]);
                return Err(format!("q[{i}] = {is}, not {at}: off by {q:e}, allowed {:e}", tolerances.0));
            }
            if v.is_nan() || v.abs() > tolerances.1 {
                let (is, at) = (found.v[i], exact.v[i]);
                return Err(format!("v[{i}] = {is}, not {at}: off by {v:e}, allowed {:e}", tolerances.1));
            }
        }
        Ok(())
    }

    /// The interval in which an item of the reference is to be found.
    fn allowed(&self, what: What, t: f64, place: usize) -> (f64, f64) {
        let tolerance = self.times[place];
        let zone =
            self.motion.zones.iter().enumerate().find(|(_, zone)| what == What::Rests(zone.of) && zone.from == t);
        let end = zone.map_or(t + tolerance, |(k, zone)| zone.to + self.zones[k]);
        (t - tolerance, end)
    }

    /// The items that are compared, with their places. The last impacts of a ball are not, nor is what happens at the end of an
    /// integration that an event ends: there the library may stop first.
    fn compared(&self, items: &[Item], scene: &Scene) -> Vec<(Item, usize)> {
        let terminal = self.motion.ended_by;
        let is_gap = |k: usize, of: usize| scene.watches[k].of == of && scene.watches[k].is_gap(scene);
        let hidden = |item: &Item| {
            let within = |(k, zone): (usize, &Zone)| {
                let is_of = match item.what {
                    What::Impact(of) => of == zone.of,
                    What::Event(k) => is_gap(k, zone.of),
                    _ => false,
                };
                is_of
                    && zone.to > zone.from
                    && item.t > zone.from + zone.flight / 2.0
                    && item.t <= zone.to + zone.flight + self.zones[k]
            };
            let at_end =
                terminal.is_some_and(|k| item.what != What::Event(k)) && item.t >= self.motion.t - 1e-6 * scene.t_end;
            at_end || self.motion.zones.iter().enumerate().any(within)
        };
        let is_moment = |a: &Item, b: &Item| match (a.what, b.what) {
            (What::Rests(i), What::Leaves(j)) => i == j && (a.t - b.t).abs() < 1e-9 * scene.t_end,
            _ => false,
        };
        let all = items.iter().copied().enumerate().map(|(place, item)| (item, place));
        let moment = |item: &Item| items.iter().any(|other| is_moment(item, other) || is_moment(other, item));
        all.filter(|(item, _)| !hidden(item) && !moment(item)).collect()
    }
}
