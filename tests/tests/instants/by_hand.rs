//! The reference itself, against motions that are computed by hand.

use super::compare::expected;
use super::generate::LIMIT;
use super::quadratic::root;
use super::reference::{Motion, motion};
use super::run::Roundings;
use super::scene::{Act, Body, Coordinate, Item, Samples, Scene, Shape, Slide, Watch, What};
use lagrange_runtime::prelude::Direction;

fn scene(shape: Shape, coordinates: Vec<Coordinate>, t_end: f64) -> Scene {
    Scene {
        shape,
        coordinates,
        slide: None,
        watches: Vec::new(),
        samples: None,
        instants: Vec::new(),
        t_end,
        units: (1.0, 1.0),
        start: 0.0,
        way: 1.0,
    }
}

/// A ball that falls from rest at g = 10.
fn ball(height: f64, level: f64, e: f64) -> Coordinate {
    Coordinate { q: level + height, v: 0.0, force: -10.0, share: 1.0, body: Body::Floor { level, e } }
}

fn block(v: f64, force: f64, bound: f64) -> Coordinate {
    Coordinate { q: 0.0, v, force, share: 1.0, body: Body::Pad { bound, held: bound } }
}

const FREE: Coordinate = Coordinate { q: 0.0, v: 3.0, force: 0.0, share: 0.0, body: Body::Free };

fn times(motion: &Motion, what: What) -> Vec<f64> {
    motion.items.iter().filter(|item| item.what == what).map(|item| item.t).collect()
}

#[track_caller]
fn assert_near(found: &[f64], right: &[f64]) {
    let near = found.len() == right.len() && found.iter().zip(right).all(|(a, b)| (a - b).abs() < 1e-12);
    assert!(near, "{found:?}, not {right:?}");
}

#[test]
fn roots_are_chosen_by_their_slopes() {
    // (x − 1)(x − 3)
    assert_eq!((root(1.0, -4.0, 3.0, -1.0), root(1.0, -4.0, 3.0, 1.0)), (Some((1.0, false)), Some((3.0, false))));
    assert_eq!((root(-1.0, 4.0, -3.0, 1.0), root(-1.0, 4.0, -3.0, -1.0)), (Some((1.0, false)), Some((3.0, false))));
    assert_eq!((root(0.0, 2.0, -4.0, 1.0), root(0.0, 2.0, -4.0, -1.0)), (Some((2.0, false)), None));
    assert_eq!((root(1.0, 0.0, 1.0, 1.0), root(0.0, 0.0, 1.0, 1.0)), (None, None));
    // x² − 10⁸ x + 1: no digit of the small root is lost.
    assert_eq!(root(1.0, -1e8, 1.0, -1.0).map(|(root, _)| root), Some(1e-8 * (1.0 + 1e-16)));
    assert!(root(1.0, -2.0, 1.0, 1.0).is_some_and(|(_, grazes)| grazes));
}

#[test]
fn a_ball_bounces_and_rests() {
    // From 5 m it lands after 1 s at 10 m/s. The flights take 1, 1/2, 1/4, … s, so that it rests after 3 s.
    let found = motion(&scene(Shape::One, vec![ball(5.0, -1.0, 0.5)], 4.0), None, LIMIT);
    let right: Vec<f64> = (0..20).map(|n| 3.0 - 2.0 * 0.5_f64.powi(n)).collect();
    assert_near(&times(&found, What::Impact(0))[..20], &right);
    assert!(found.zones.len() == 1 && (found.zones[0].to - 3.0).abs() < 1e-12, "{:?}", found.zones);
    assert_eq!((found.q[0], found.v[0], found.doubt), (-1.0, 0.0, None));
    // After 2.25 s it is at the top of its second flight: 0.25 s after the impact at 2.5 m/s.
    let found = motion(&scene(Shape::One, vec![ball(5.0, -1.0, 0.5)], 2.25), None, LIMIT);
    assert_near(&[found.q[0], found.v[0]], &[-1.0 + 5.0 / 16.0, 0.0]);
    // Without restitution it rests at once. With e = 1 it lands every 2 s.
    let found = motion(&scene(Shape::One, vec![ball(5.0, 0.0, 0.0)], 4.0), None, LIMIT);
    assert_near(&times(&found, What::Rests(0)), &[1.0]);
    let found = motion(&scene(Shape::One, vec![ball(5.0, 0.0, 1.0)], 8.0), None, LIMIT);
    assert_near(&times(&found, What::Impact(0)), &[1.0, 3.0, 5.0, 7.0]);
    assert_near(&[found.q[0], found.v[0]], &[5.0, 0.0]);
}

#[test]
fn a_block_stops_sticks_and_slips_again() {
    // It slows down from 3 m/s by 1 + 2 m/s², sticks after 1 s at 1.5 m, and is pushed by 1 − 4 from the sample after 2 s on.
    let mut scene = scene(Shape::Yard, vec![ball(1.0, 0.0, 0.0), block(3.0, -1.0, 2.0), FREE], 4.0);
    scene.samples = Some(Samples { period: 2.0, forces: vec![0.0, -2.0] });
    let found = motion(&scene, None, LIMIT);
    assert_near(&times(&found, What::Rests(1)), &[1.0]);
    assert_near(&times(&found, What::Leaves(1)), &[2.0]);
    // From there on the acceleration is −3 + 2.
    assert_near(&[found.q[1], found.v[1], found.q[2]], &[1.5 - 2.0, -2.0, 12.0]);
    // A force above the bound turns the block around without rest: −5 − 2, then −5 + 2.
    scene.coordinates[1] = block(7.0, -5.0, 2.0);
    scene.samples = None;
    scene.t_end = 2.0;
    let found = motion(&scene, None, LIMIT);
    assert_near(&[found.q[1], found.v[1]], &[3.5 - 1.5, -3.0]);
    assert_near(&times(&found, What::Rests(1)), &[]);
}

#[test]
fn a_sample_lifts_a_ball_from_its_floor() {
    let mut scene = scene(Shape::One, vec![ball(5.0, 2.0, 0.0)], 3.5);
    scene.samples = Some(Samples { period: 1.5, forces: vec![0.0, 12.0, 0.0] });
    let found = motion(&scene, None, LIMIT);
    assert_near(&times(&found, What::Leaves(0)), &[1.5]);
    // It rises with 2 m/s² for 1.5 s to 2.25 m at 3 m/s, and flies freely for 0.5 s.
    assert_near(&[found.q[0], found.v[0]], &[2.0 + 2.25 + 1.5 - 1.25, -2.0]);
}

#[test]
fn events_map_in_the_order_of_the_options() {
    let body = Coordinate { body: Body::Free, ..ball(10.0, 0.0, 0.0) };
    let mut scene = scene(Shape::Flight, vec![body, body, FREE], 2.0);
    let (double, kick) = (Act::Scale { of: 0, by: 2.0 }, Act::Kick { of: 0, by: 1.0 });
    scene.watches = vec![Watch { act: double, ..Watch::time(1.0) }, Watch { act: kick, ..Watch::time(1.0) }];
    let found = motion(&scene, None, LIMIT);
    // −10 becomes −20, then −19. The other body falls on.
    assert_near(&[found.v[0], found.v[1]], &[-29.0, -20.0]);
    scene.watches.swap(0, 1);
    assert_near(&motion(&scene, None, LIMIT).v[..1], &[-28.0]);
    // An impact by hand: from 10 m at 5 m after 1 s, and at e = 1 every 2 s again.
    scene.watches = vec![
        Watch { act: Act::Scale { of: 0, by: -1.0 }, ..Watch::place(0, 5.0, Direction::Falling) },
        Watch::place(0, 7.5, Direction::Rising),
        Watch::speed(1, -15.0, Direction::Any),
    ];
    scene.t_end = 5.5;
    let found = motion(&scene, None, LIMIT);
    assert_near(&times(&found, What::Event(0)), &[1.0, 3.0, 5.0]);
    // It rises through half of its flight where 10 s − 5 s² = 2.5.
    let rise = 1.0 - 0.5_f64.sqrt();
    assert_near(&times(&found, What::Event(1)), &[1.0 + rise, 3.0 + rise, 5.0 + rise]);
    assert_near(&times(&found, What::Event(2)), &[1.5]);
    scene.watches[1].terminal = true;
    let found = motion(&scene, None, LIMIT);
    assert_eq!(found.ended_by, Some(1));
    assert_near(&[found.t, found.q[0]], &[1.0 + rise, 7.5]);
}

#[test]
fn an_event_of_a_gap_happens_before_the_impact_and_once() {
    for (direction, count) in [(Direction::Falling, 2), (Direction::Any, 2), (Direction::Rising, 0)] {
        let mut scene = scene(Shape::One, vec![ball(5.0, 0.0, 1.0)], 4.0);
        scene.watches = vec![Watch::place(0, 0.0, direction)];
        let found = motion(&scene, None, LIMIT);
        assert_near(&times(&found, What::Event(0)), &[1.0, 3.0][..count]);
        let first = found.items[0];
        assert_eq!(matches!(first, Item { what: What::Event(0), .. }), count > 0, "{first:?}");
    }
    // The speed jumps from −10 to 10 at the impact. It is −2 once on the way down, and 2 once on the way up.
    let mut scene = scene(Shape::One, vec![ball(5.0, 0.0, 1.0)], 2.5);
    scene.watches = vec![Watch::speed(0, -2.0, Direction::Any), Watch::speed(0, 2.0, Direction::Any)];
    let found = motion(&scene, None, LIMIT);
    assert_near(&times(&found, What::Event(0)), &[0.2, 2.2]);
    assert_near(&times(&found, What::Event(1)), &[1.8]);
}

#[test]
fn tolerances_after_some_impacts_are_some_thousand_roundings() {
    let exact =
        expected(&scene(Shape::One, vec![ball(5.0, 0.0, 1.0)], 8.0), Roundings { steps: 10.0, between: 1600.0 })
            .expect("it is certain");
    let (time, q, v) = exact.largest();
    assert!(time < 3e-12 && v < 5e-11, "{time:e}, {v:e}");
    // It is at the top of its fifth flight, where errors of times do not count. Errors δq and δv at an impact raise the top by δq + v δv/g,
    // and v = g · 1 s. They are uniform in ±18 roundings of the terms of q = q₀ + v₀ t + a t²/2 and of v = v₀ + a t: in m and m/s,
    // 20 and 20 of the fall, 80 and 30 of each of three flights, 25 of the last rise. Six motions are drawn, and the largest error counts
    // 32-fold: about as much as the standard deviation.
    let squares = 20.0_f64.powi(2) * 2.0 + 3.0 * (80.0_f64.powi(2) + 30.0_f64.powi(2)) + 25.0_f64.powi(2);
    let deviation = 32.0 * 18.0 * f64::EPSILON * (squares / 3.0).sqrt();
    assert!(q > deviation / 2.0 && q < deviation * 2.0, "{q:e}, {deviation:e}");
}

#[test]
fn a_relay_drives_a_block_that_breaks_away() {
    // The free body is at 3 after 1 s, where the relay switches on and pushes with 5, more than the block's 4 at rest and than its 3 in motion. Nothing
    // is below −1 any more, so that it stays on.
    let body = Body::Relay { of: 2, above: 3.0, below: -1.0, thrust: [0.0, 5.0] };
    let relay = Coordinate { q: 0.0, v: 0.0, force: 0.0, share: 0.0, body };
    let held = Coordinate { body: Body::Pad { bound: 3.0, held: 4.0 }, ..block(0.0, 0.0, 3.0) };
    let coordinates = vec![ball(5.0, 0.0, 1.0), held, FREE, relay];
    let found = motion(&scene(Shape::Plant, coordinates, 1.8), None, LIMIT);
    assert_near(&times(&found, What::Switches(3)), &[1.0]);
    assert_near(&times(&found, What::Leaves(1)), &[1.0]);
    assert_near(&[found.q[1], found.v[1], found.v[3]], &[0.64, 1.6, 1.0]);
    // With 3.5 in place of 5 it stays, and a block that slips with the kinetic bound stops and stays.
    for (v, force, rests) in [(0.0, 3.5, 0.0), (3.0, -1.0, 0.75)] {
        let block = Coordinate { v, force, ..held };
        let found = motion(&scene(Shape::Plant, vec![ball(5.0, 0.0, 1.0), block, FREE, relay], 0.9), None, LIMIT);
        let stops: &[f64] = if v == 0.0 { &[] } else { &[rests] };
        assert_near(&times(&found, What::Rests(1)), stops);
        assert_near(&[found.v[1]], &[0.0]);
    }
}

#[test]
fn a_ball_slides_and_rolls() {
    // With μ g = 2 and an inertia of m r²/2 the slip (3, 4) falls by 6 in each second. It ends after 5/6 s, and a third of it is taken from the velocity.
    let along = |v: f64, force: f64| Coordinate { q: 0.0, v, force, share: 0.0, body: Body::Rolls };
    let relay = Body::Relay { of: 0, above: 1e3, below: -1e3, thrust: [0.0; 2] };
    let still = Coordinate { q: 0.0, v: 0.0, force: 0.0, share: 0.0, body: relay };
    let slides = |height: f64, coordinates: [Coordinate; 4], driven: bool, t_end: f64| {
        let mut all = vec![ball(height, 0.0, 0.5)];
        all.extend(coordinates);
        all.push(still);
        let slide = Slide { mu: 0.2, held: 0.3, inertia: 0.5, driven };
        motion(&Scene { slide: Some(slide), ..scene(Shape::Alley, all, t_end) }, None, LIMIT)
    };
    let found = slides(0.0, [along(4.0, 0.0), along(3.0, 0.0), along(1.0, 0.0), along(1.0, 0.0)], false, 1.0);
    let time = 5.0 / 6.0;
    let place = |v: f64, slip: f64| v * time - 0.6 * slip / 3.0 * time * time + (v - slip / 3.0) / 6.0;
    assert_near(&found.v[1..5], &[3.0, 3.0 - 4.0 / 3.0, 3.0, -3.0 + 4.0 / 3.0]);
    assert_near(&found.q[1..3], &[place(4.0, 3.0), place(3.0, 4.0)]);
    // From 5 m it lands at 10 m/s: the impulse of 15 slows the slip of 20 by 9, and the second one of 7.5 by 4.5.
    let found = slides(5.0, [along(20.0, 0.0), along(0.0, 0.0), along(0.0, 0.0), along(0.0, 0.0)], false, 2.1);
    assert_near(&found.v[1..5], &[20.0 - 3.0 - 1.5, 0.0, 6.0 + 3.0, 0.0]);
    // All flights end after 3 s, and their friction is that of the weight from the first impact on, and of the speed there.
    let found = slides(5.0, [along(20.0, 0.0), along(0.0, 0.0), along(0.0, 0.0), along(0.0, 0.0)], false, 3.1);
    assert!((found.v[1] - (20.0 - 0.2 * (10.0 + 10.0 * 2.1))).abs() < 1e-9, "{:?}", found.v);
    // It rolls under a force of 8, of which friction bears a third: 2.7 of at most 3. A force of 10 breaks it away, against 2.
    for (force, v) in [(8.0, 16.0 / 3.0), (10.0, 8.0)] {
        let found = slides(0.0, [along(0.0, force), along(0.0, 0.0), along(0.0, 0.0), along(0.0, 0.0)], true, 1.0);
        assert_near(&found.v[1..2], &[v]);
    }
}
