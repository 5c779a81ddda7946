//! Random scenes, a kind at a time.

use super::reference::motion;
use super::scene::{Act, Body, Coordinate, Item, Samples, Scene, Shape, Slide, Term, Watch, What};
use lagrange_runtime::prelude::Direction;
use lagrange_tests::random::Random;

/// What the scenes of a kind are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Events without maps, of bodies that nothing holds.
    Events,
    /// Events with maps: impacts by hand, kicks, events at the same time. Terminal events.
    Maps,
    /// One ball over a floor at 0.
    Bounce,
    /// One ball over a floor that is far from 0, or almost at 0, alone or with other bodies.
    Level,
    /// Three balls, some of which land together.
    Together,
    /// Events at a contact on the way down, or roundings above it.
    Gaps,
    /// Events of the gap of a contact in both directions, or on the way up. A gap arrives at 0 and grows again.
    Touches,
    /// Events of functions that jump where a contact is hit.
    Jumps,
    /// Forces that are sampled, at random times.
    Samples,
    /// A sample, a stop or an event at an impact, or roundings before or after it.
    Coincidences,
    /// A block that slips and sticks under sampled forces.
    Friction,
    /// All of it.
    Everything,
    /// All of it with a block that breaks away, and a relay.
    Modes,
    /// A ball that bounces, slides and rolls, and a relay.
    Rolling,
    /// All of it with two bodies that are coupled and let go again and again.
    Latches,
}

/// More than this does not happen in a scene.
pub(crate) const LIMIT: usize = 400;

/// How the library sees a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum View {
    /// As it was made.
    Plain,
    /// In other units of length and time.
    Scaled,
    /// From another time than 0 on.
    Shifted,
    /// Backward in time.
    Backward,
}

/// The scene of a seed.
pub(crate) fn scene(kind: Kind, seed: u64, view: View) -> Scene {
    let mut random = Random::new(seed.wrapping_mul(64).wrapping_add(kind as u64));
    let start = if view == View::Shifted { [0.0, 1e3, -1e3, -5.0, 1e-3][seed as usize % 5] } else { 0.0 };
    let scene = make(kind, start, &mut random);
    let mut power = || 10.0_f64.powi(random.below(19) as i32 - 9);
    match view {
        View::Plain => scene,
        View::Scaled => scene.scaled(power(), power()),
        View::Shifted => {
            // Without a start of its own, the motion passes 0, or ends there.
            let start = if start == 0.0 { -scene.t_end / [1.0, 2.0][random.below(2)] } else { start };
            Scene { start, ..scene }
        }
        View::Backward => {
            let t_end = scene.t_end;
            let start = [0.0, t_end, 30.0, -5.0, t_end / 2.0][random.below(5)];
            Scene { start, way: -1.0, ..scene }
        }
    }
}

fn make(kind: Kind, start: f64, random: &mut Random) -> Scene {
    let shape = match kind {
        Kind::Events | Kind::Maps => Shape::Flight,
        Kind::Bounce | Kind::Gaps | Kind::Touches => Shape::One,
        Kind::Level => [Shape::One, Shape::Yard][random.below(2)],
        Kind::Together => Shape::Trio,
        Kind::Samples | Kind::Coincidences | Kind::Jumps => [Shape::One, Shape::Trio][random.below(2)],
        Kind::Friction => Shape::Yard,
        Kind::Everything => [Shape::One, Shape::Trio, Shape::Flight, Shape::Yard][random.below(4)],
        Kind::Modes => Shape::Plant,
        Kind::Rolling => Shape::Alley,
        Kind::Latches => Shape::Train,
    };
    let all = matches!(kind, Kind::Everything | Kind::Modes | Kind::Rolling | Kind::Latches);
    let levels = kind == Kind::Level || all && random.once_in(3);
    let mut coordinates = coordinates(shape, levels, random);
    let slide = (shape == Shape::Alley).then(|| slide(&mut coordinates, random));
    let mut scene = Scene {
        shape,
        coordinates,
        slide,
        watches: Vec::new(),
        samples: None,
        instants: Vec::new(),
        t_end: random.between(1.0, 8.0),
        units: (1.0, 1.0),
        start,
        way: 1.0,
    };
    if kind == Kind::Together || all && shape == Shape::Trio && random.once_in(2) {
        land_together(&mut scene, random);
    }
    if kind == Kind::Samples || kind == Kind::Friction || all && random.once_in(2) {
        sample(&mut scene, random);
    }
    if matches!(kind, Kind::Events | Kind::Maps | Kind::Samples | Kind::Friction | Kind::Jumps) || all {
        for _ in 0..random.below(4) {
            let watch = watch(&scene, kind == Kind::Jumps, random);
            scene.watches.push(watch);
        }
    }
    if kind == Kind::Maps || all && random.once_in(2) {
        map(&mut scene, random);
    }
    if kind == Kind::Gaps || kind == Kind::Touches || all && random.once_in(3) {
        watch_gap(&mut scene, kind == Kind::Touches, random);
    }
    if kind == Kind::Coincidences || all && random.once_in(2) {
        coincide(&mut scene, random);
    }
    if (matches!(kind, Kind::Maps | Kind::Gaps | Kind::Touches) || all)
        && !scene.watches.is_empty()
        && random.once_in(3)
    {
        let last = random.below(scene.watches.len());
        scene.watches[last].terminal = true;
    }
    let found = motion(&scene, None, LIMIT);
    for item in &found.items {
        if scene.instants.len() < 3 && random.once_in(2) && !matches!(item.what, What::Sample(_)) && item.t > 0.0 {
            scene.instants.push(item.t * (1.0 + roundings(random) * f64::EPSILON));
        }
    }
    // A long list of impacts is cut where enough has happened, so that many scenes take little time.
    let enough = if shape == Shape::Trio { 20 } else { 40 };
    if found.items.len() > enough && !random.once_in(6) {
        let gap = |pair: &[Item]| pair[1].t - pair[0].t;
        let widest = found.items[enough / 2..=enough].windows(2).max_by(|a, b| gap(a).total_cmp(&gap(b)));
        scene.t_end = widest.map_or(scene.t_end, |pair| f64::midpoint(pair[0].t, pair[1].t));
    }
    scene.instants.retain(|&instant| instant < scene.t_end);
    scene
}

/// 0, or 1 to 1000 roundings to either side.
fn roundings(random: &mut Random) -> f64 {
    let count = [0.0, 0.0, 1.0, 10.0, 100.0, 1000.0][random.below(6)];
    if random.once_in(2) { -count } else { count }
}

fn coordinates(shape: Shape, levels: bool, random: &mut Random) -> Vec<Coordinate> {
    let mut ball = |floor: bool| {
        let sign = if random.once_in(2) { -1.0 } else { 1.0 };
        let level = if levels { sign * 10.0_f64.powi(random.below(13) as i32 - 6) } else { 0.0 };
        let e = match random.below(6) {
            0 => 0.0,
            1 => 1.0,
            _ => random.between(0.05, 0.9),
        };
        let v = if random.once_in(2) { 0.0 } else { random.between(-5.0, 5.0) };
        let rests = floor && random.once_in(10);
        let q = if rests { level } else { level + random.between(0.1, 5.0) };
        let (v, share) = (if rests { 0.0 } else { v }, random.between(-1.0, 1.0));
        let body = if floor { Body::Floor { level, e } } else { Body::Free };
        Coordinate { q, v, force: -random.between(1.0, 20.0), share, body }
    };
    let balls: Vec<Coordinate> = match shape {
        Shape::One | Shape::Yard | Shape::Plant | Shape::Train | Shape::Alley => vec![ball(true)],
        Shape::Trio => (0..3).map(|_| ball(true)).collect(),
        Shape::Flight => (0..2).map(|_| ball(false)).collect(),
    };
    let mut all = balls;
    if matches!(shape, Shape::Yard | Shape::Plant) {
        let v = if random.once_in(3) { 0.0 } else { random.between(-5.0, 5.0) };
        let bound = random.between(0.5, 10.0);
        let held = if shape == Shape::Plant { bound * random.between(1.0, 2.0) } else { bound };
        let body = Body::Pad { bound, held };
        let (q, force) = (random.between(-1.0, 1.0), random.between(-5.0, 5.0));
        all.push(Coordinate { q, v, force, share: random.between(-2.0, 2.0), body });
    }
    if shape == Shape::Alley {
        let none = Coordinate { q: 0.0, v: 0.0, force: 0.0, share: 0.0, body: Body::Rolls };
        all.extend([none; 4]);
    } else if shape == Shape::Train {
        for _ in 0..2 {
            let (q, v, force) = (random.between(-1.0, 1.0), random.between(-3.0, 3.0), random.between(-5.0, 5.0));
            all.push(Coordinate { q, v, force, share: random.between(-1.0, 1.0), body: Body::Towed });
        }
    } else if shape != Shape::One {
        let (q, v) = (random.between(-1.0, 1.0), random.between(-3.0, 3.0));
        all.push(Coordinate { q, v, force: 0.0, share: 0.0, body: Body::Free });
    }
    if matches!(shape, Shape::Plant | Shape::Train | Shape::Alley) {
        let mut relay = relay(&all, random);
        if let Body::Relay { thrust, .. } = &mut relay.body
            && shape == Shape::Train
        {
            *thrust = [0.0; 2];
            if relay.v == 1.0 {
                all[2].v = all[1].v;
            }
        }
        if let Body::Relay { thrust, .. } = &mut relay.body
            && shape == Shape::Alley
        {
            *thrust = [thrust[0] + thrust[1], 0.0];
        }
        all.push(relay);
    }
    all
}

/// The motion of the ball along the floor: with a slip in any direction and no force but that of the friction, or with forces along the line of the slip, and rolling across it.
fn slide(coordinates: &mut [Coordinate], random: &mut Random) -> Slide {
    let mu = random.between(0.02, 1.0);
    let held = mu * random.between(1.0, 2.0);
    let slide = Slide { mu, held, inertia: random.between(0.1, 1.0), driven: random.once_in(3) };
    let mut speed = || random.between(-5.0, 5.0);
    let [x, y] = [speed(), speed()];
    let [across, along] = [speed(), speed()];
    let rolls = random.once_in(3);
    let velocities = if slide.driven {
        let angle = random.between(0.0, std::f64::consts::TAU);
        let (sine, cosine) = angle.sin_cos();
        let (slip, force, share) = (if rolls { 0.0 } else { x }, random.between(-8.0, 8.0), random.between(-1.0, 1.0));
        for (k, part) in [(1, cosine), (2, sine)] {
            (coordinates[k].force, coordinates[k].share) = (force * part, share * part);
        }
        // It rolls with (across, along) in any direction, and slips along the line beside it.
        [across + slip * cosine, along + slip * sine, across, -along]
    } else if rolls {
        [x, y, x, -y]
    } else {
        [x, y, across, along]
    };
    for (coordinate, v) in coordinates[1..5].iter_mut().zip(velocities) {
        coordinate.v = v;
    }
    slide
}

/// A relay that watches the ball, the block or the free body, and drives the ball or the block or both. It may start with either value between its thresholds.
fn relay(all: &[Coordinate], random: &mut Random) -> Coordinate {
    let of = random.below(3);
    let q = all[of].q;
    let (first, second) = (q + random.between(-1.5, 1.5), q + random.between(-1.5, 1.5));
    let (above, below) = (first.max(second), first.min(second));
    let v = match (q > above, q < below) {
        (true, _) => 1.0,
        (_, true) => 0.0,
        _ => random.below(2) as f64,
    };
    let mut thrust = [0.0; 2];
    let driven = random.below(2);
    thrust[driven] = random.between(-15.0, 15.0);
    if random.once_in(3) {
        thrust[1 - driven] = random.between(-15.0, 15.0);
    }
    Coordinate { q: 0.0, v, force: 0.0, share: 0.0, body: Body::Relay { of, above, below, thrust } }
}

/// Balls that land with the first one, or roundings before or after it.
fn land_together(scene: &mut Scene, random: &mut Random) {
    let first = scene.coordinates[0];
    let Body::Floor { level, .. } = first.body else { return };
    for i in 1..3 {
        let Body::Floor { level: own, e } = scene.coordinates[i].body else { continue };
        if random.once_in(4) {
            continue;
        }
        let height = (first.q - level) * (1.0 + roundings(random) * f64::EPSILON);
        let e = if random.once_in(2) { e } else { 1.0 };
        let body = Body::Floor { level: own, e };
        scene.coordinates[i] = Coordinate { q: own + height, body, ..first };
    }
}

fn sample(scene: &mut Scene, random: &mut Random) {
    let forces = (0..1 + random.below(12)).map(|_| random.between(-20.0, 20.0)).collect();
    scene.samples = Some(Samples { period: random.between(0.05, 1.0), forces });
}

fn direction(random: &mut Random) -> Direction {
    [Direction::Any, Direction::Rising, Direction::Falling][random.below(3)]
}

/// An event somewhere. Only where it `jumps`, it may depend on the velocity of a ball that has a floor.
fn watch(scene: &Scene, jumps: bool, random: &mut Random) -> Watch {
    let of = random.below(scene.bodies());
    let (q, direction) = (scene.coordinates[of].q, direction(random));
    let is_ball = matches!(scene.coordinates[of].body, Body::Floor { .. } | Body::Rolls);
    match random.below(4) {
        1 | 3 if is_ball && !jumps => Watch::place(of, q + random.between(-4.0, 2.0), direction),
        0 => Watch::place(of, q + random.between(-4.0, 2.0), direction),
        1 => Watch::speed(of, random.between(-5.0, 5.0), direction),
        2 => Watch::time(random.between(0.0, scene.t_end)),
        _ => {
            let mut term = |offset: f64| Term { factor: random.between(-2.0, 2.0), offset };
            let (q, v, t) = (term(q - 1.0), term(1.0), term(0.7));
            Watch { q, v, t, ..Watch::place(of, 0.0, direction) }
        }
    }
}

/// Events with maps: an impact by hand, a change of a velocity, or two at the same time.
fn map(scene: &mut Scene, random: &mut Random) {
    let is_driven = scene.slide.is_some_and(|slide| slide.driven);
    let of = if is_driven { 0 } else { random.below(scene.bodies() - usize::from(scene.bodies() > 1)) };
    let (q, free) = (scene.coordinates[of].q, scene.coordinates[of].body == Body::Free);
    if free && random.once_in(2) {
        let act = Act::Scale { of, by: if random.once_in(4) { -1.0 } else { -random.between(0.7, 1.0) } };
        scene.watches.push(Watch { act, ..Watch::place(of, q - random.between(0.5, 8.0), Direction::Falling) });
    }
    let watch = Watch::time(random.between(0.0, scene.t_end));
    let scale = Act::Scale { of, by: random.between(0.2, 1.5) };
    let kick = Act::Kick { of, by: random.between(0.1, 3.0) };
    match random.below(3) {
        0 => scene.watches.push(Watch { act: kick, ..watch }),
        1 => scene.watches.push(Watch { act: scale, ..watch }),
        _ => {
            let (first, second) = if random.once_in(2) { (scale, kick) } else { (kick, scale) };
            scene.watches.push(Watch { act: first, ..watch });
            scene.watches.push(Watch { act: second, ..watch });
            scene.watches.push(watch);
        }
    }
}

/// An event at the gap of a contact, or roundings above it.
fn watch_gap(scene: &mut Scene, touches: bool, random: &mut Random) {
    for of in 0..scene.coordinates.len() {
        let Body::Floor { level, .. } = scene.coordinates[of].body else { continue };
        if of > 0 && random.once_in(2) {
            continue;
        }
        let above = if touches { 0.0 } else { roundings(random).abs() };
        let direction = match above {
            0.0 if touches => [Direction::Any, Direction::Rising][random.below(2)],
            0.0 | 1.0 | 10.0 => Direction::Falling,
            _ => direction(random),
        };
        let first = motion(scene, None, LIMIT).items.into_iter().find(|item| item.what == What::Impact(of));
        let Some(Item { t, .. }) = first else { continue };
        let unit = f64::EPSILON * level.abs().max((t + scene.start.abs()) * 5.0);
        scene.watches.push(Watch::place(of, level + above * unit, direction));
    }
}

/// A sample or an event at an impact, or roundings before or after it.
fn coincide(scene: &mut Scene, random: &mut Random) {
    let is_impact = |item: &&Item| matches!(item.what, What::Impact(_) | What::Rests(_)) && item.t > 0.0;
    let found: Vec<Item> = motion(scene, None, LIMIT).items.iter().filter(is_impact).take(4).copied().collect();
    if found.is_empty() {
        return;
    }
    let Item { t, what: What::Impact(of) | What::Rests(of) } = found[random.below(found.len())] else { return };
    let at = t * (1.0 + roundings(random) * f64::EPSILON);
    scene.instants.push(at);
    if random.once_in(2) && scene.samples.is_none() {
        // The forces before it are 0, so that the impact stays where it is.
        let count = 1 + random.below(3);
        let mut forces = vec![0.0; count];
        forces.extend((0..random.below(4)).map(|_| random.between(-20.0, 20.0)));
        scene.samples = Some(Samples { period: at / count as f64, forces });
    } else {
        let act = if random.once_in(2) { Act::Nothing } else { Act::Scale { of, by: random.between(0.2, 1.5) } };
        scene.watches.push(Watch { act, ..Watch::time(at) });
    }
}
