//! The properties. Each module has one, and a test for each kind of scene.

use super::compare::{Expected, expected};
use super::generate::{Kind, View, scene};
use super::run::{EXTRAPOLATION, FIRST_METHODS, METHODS, ROUNDINGS, Run, run};
use super::scene::{Scene, Shape};
use lagrange_tests::random::Random;
use std::collections::BTreeMap;

/// How a scene is checked. The error says what differs.
type Check = fn(&Scene, &Expected, usize, &mut Random) -> Result<(), String>;

fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}

/// Checks so many scenes of a kind that determine what happens.
fn check(kind: Kind, count: u64, view: View, check: Check) {
    let count = setting("LAGRANGE_SCENES").unwrap_or(count);
    let first = setting("LAGRANGE_SEED").unwrap_or(0);
    let (mut checked, mut failures, mut skipped) = (0, Vec::new(), BTreeMap::new());
    for seed in first.. {
        if checked == count {
            break;
        }
        let scene = scene(kind, seed, view);
        let method = seed as usize % METHODS;
        let expected = match expected(&scene, ROUNDINGS[method]) {
            Ok(expected) => expected,
            Err(doubt) => {
                *skipped.entry(doubt).or_insert(0_u64) += 1;
                assert!(
                    skipped.values().sum::<u64>() < 20 + 3 * (checked + 1),
                    "too few scenes are certain: {skipped:?}"
                );
                continue;
            }
        };
        checked += 1;
        let mut random = Random::new(seed);
        if let Err(difference) = check(&scene, &expected, method, &mut random) {
            failures.push((seed, method, difference, scene, expected));
        }
    }
    println!("{kind:?}: {} of {checked} scenes fail; not determined: {skipped:?}", failures.len());
    let shown = |(seed, method, difference, scene, expected): &(u64, usize, String, Scene, Expected)| {
        let seeds = format!("{kind:?}, seed {seed}, method {method}: {difference}");
        if setting("LAGRANGE_SHOW") == Some(*seed) {
            let items: Vec<String> =
                expected.motion.items.iter().map(|item| format!("  {} {:?}\n", item.t, item.what)).collect();
            return format!("{seeds}\n{scene:#?}\n{}", items.concat());
        }
        seeds
    };
    let texts: Vec<String> = failures.iter().take(8).map(shown).collect();
    let rest: Vec<u64> = failures.iter().skip(8).map(|failure| failure.0).collect();
    assert!(
        failures.is_empty(),
        "{} of {checked} scenes fail:\n{}\nmore seeds: {rest:?}\n(LAGRANGE_SEED=n LAGRANGE_SCENES=1 LAGRANGE_SHOW=n shows the scene n)",
        failures.len(),
        texts.join("\n")
    );
}

/// Compares a run with the reference. A difference that has nothing to do with the way it was cut says so.
fn compare(scene: &Scene, expected: &Expected, way: Run) -> Result<(), String> {
    let found = run(scene, &way);
    if setting("LAGRANGE_SHOW").is_some() {
        found.items.iter().for_each(|item| println!("  {} {:?}", item.t, item.what));
    }
    expected.check(scene, &found).map_err(|difference| {
        let plain = Run { method: way.method, ..Run::default() };
        let whole = expected.check(scene, &run(scene, &plain));
        let also = if whole.is_err() { " (uncut too)" } else { "" };
        format!("{difference}{also}; {way:?}")
    })
}

/// Compares a run bit by bit with the run that was not interrupted.
fn compare_bits(scene: &Scene, way: Run) -> Result<(), String> {
    let (whole, cut) = (run(scene, &Run { method: way.method, ..Run::default() }), run(scene, &way));
    if whole.error.is_some() && cut.error.is_some() {
        return Ok(());
    }
    if let Some((a, b)) = whole.items.iter().zip(&cut.items).find(|(a, b)| a != b) {
        return Err(format!("{b:?}, not {a:?}; {way:?}"));
    }
    if whole.items.len() != cut.items.len() {
        return Err(format!("{} items, not {}: {:?}; {way:?}", cut.items.len(), whole.items.len(), cut.error));
    }
    let (a, b) = ((whole.t, &whole.q, &whole.v), (cut.t, &cut.q, &cut.v));
    if a == b && whole.error == cut.error {
        Ok(())
    } else {
        Err(format!("ends at {b:?} {:?}, not {a:?}; {way:?}", cut.error))
    }
}

fn times(scene: &Scene, count: usize, random: &mut Random) -> Vec<f64> {
    let mut times = scene.instants.clone();
    times.extend((0..count).map(|_| random.between(0.0, scene.t_end)));
    times.sort_by(f64::total_cmp);
    times.dedup();
    times
}

/// Makes a module with one test for each kind of scene.
macro_rules! property {
    ($(#[doc = $doc:literal])* $name:ident, $count:literal, $view:ident, $check:expr) => {
        $(#[doc = $doc])*
        mod $name {
            use super::*;

            const CHECK: Check = $check;

            #[test]
            fn events() { check(Kind::Events, $count, View::$view, CHECK); }
            #[test]
            fn maps() { check(Kind::Maps, $count, View::$view, CHECK); }
            #[test]
            fn bounce() { check(Kind::Bounce, $count, View::$view, CHECK); }
            #[test]
            fn level() { check(Kind::Level, $count, View::$view, CHECK); }
            #[test]
            fn together() { check(Kind::Together, $count, View::$view, CHECK); }
            #[test]
            fn gaps() { check(Kind::Gaps, $count, View::$view, CHECK); }
            #[test]
            fn touches() { check(Kind::Touches, $count, View::$view, CHECK); }
            #[test]
            fn jumps() { check(Kind::Jumps, $count, View::$view, CHECK); }
            #[test]
            fn samples() { check(Kind::Samples, $count, View::$view, CHECK); }
            #[test]
            fn coincidences() { check(Kind::Coincidences, $count, View::$view, CHECK); }
            #[test]
            fn friction() { check(Kind::Friction, $count, View::$view, CHECK); }
            #[test]
            fn everything() { check(Kind::Everything, $count, View::$view, CHECK); }
            #[test]
            fn modes() { check(Kind::Modes, $count, View::$view, CHECK); }
            #[test]
            fn rolling() { check(Kind::Rolling, $count, View::$view, CHECK); }
            #[test]
            fn latches() { check(Kind::Latches, $count, View::$view, CHECK); }
        }
    };
}

property! {
    /// The library finds what the reference finds, at the same times.
    reference, 16, Plain, |scene, expected, method, _| compare(scene, expected, Run { method, ..Run::default() })
}

property! {
    /// So they do in other units.
    scales, 5, Scaled, |scene, expected, method, _| compare(scene, expected, Run { method, ..Run::default() })
}

property! {
    /// Stops change nothing.
    stops, 5, Plain, |scene, expected, method, random| {
        let stops = times(scene, random.below(5), random);
        compare(scene, expected, Run { method, stops, ..Run::default() })
    }
}

property! {
    /// A limit to the steps changes nothing.
    steps, 3, Plain, |scene, expected, method, random| {
        let max_step = Some(scene.t_end * 10.0_f64.powf(random.between(-2.0, 0.0)));
        compare(scene, expected, Run { method, max_step, ..Run::default() })
    }
}

property! {
    /// Integrations to times between, one after the other, find what one integration finds.
    ends, 5, Plain, |scene, expected, method, random| {
        let ends = times(scene, random.below(3), random);
        compare(scene, expected, Run { method, ends, ..Run::default() })
    }
}

property! {
    /// Nor does the time at which the motion starts.
    shifted, 5, Shifted, |scene, expected, method, random| {
        let (stops, ends) = (times(scene, 2, random), times(scene, 1, random));
        let whole = Run { method, ..Run::default() };
        let ways = [whole.clone(), Run { stops, ..whole.clone() }, Run { ends, ..whole }];
        compare(scene, expected, ways[random.below(3)].clone())
    }
}

property! {
    /// Backward in time the same happens, where nothing is lost: without contacts, friction and modes. With them, the error names the end.
    backward, 5, Backward, |scene, expected, method, random| {
        let (stops, ends) = (times(scene, 2, random), times(scene, 1, random));
        let whole = Run { method, ..Run::default() };
        if scene.shape != Shape::Flight {
            let error = run(scene, &whole).error.unwrap_or_default();
            let reasons = ["dry friction and impacts", "the changes of modes"];
            let named = error.contains("t_end")
                && reasons.iter().any(|reason| error.contains(&format!("{reason} do not determine the motion before it")));
            return if named { Ok(()) } else { Err(format!("not refused: {error}")) };
        }
        let ways = [whole.clone(), Run { stops, ..whole.clone() }, Run { ends, ..whole }];
        compare(scene, expected, ways[random.below(3)].clone())
    }
}

property! {
    /// Output at given times changes no bit. Only `Extrapolation` makes shorter steps where it is interpolated.
    outputs, 9, Plain, |scene, expected, method, random| {
        let t_eval = times(scene, 5, random);
        let way = Run { method, t_eval, ..Run::default() };
        if method == EXTRAPOLATION { compare(scene, expected, way) } else { compare_bits(scene, way) }
    }
}

property! {
    /// An observer that breaks off changes no bit.
    breaks, 3, Plain, |scene, _, method, random| {
        let n = 1 + random.below(5) as u64;
        let breaks = Some((n, 1 + random.below(n as usize) as u64));
        compare_bits(scene, Run { method, breaks, ..Run::default() })
    }
}

property! {
    /// A checkpoint changes no bit.
    checkpoints, 3, Plain, |scene, _, method, random| {
        // Two methods write their checkpoints as text.
        let method = [method, 0, 6][random.below(3)];
        let n = 1 + random.below(5) as u64;
        let breaks = Some((n, 1 + random.below(n as usize) as u64));
        compare_bits(scene, Run { method, breaks, resumes: true, ..Run::default() })
    }
}

/// Scenes in which events were lost or came twice, or a time was wrong: an event a dozen roundings of the time behind an impact, contacts that close together, an
/// event whose map stops the motion just before an impact, zeros that are rounding at the end of an integration, an integration that begins
/// a few roundings before an impact, events at one time of which the first maps the state, and a contact that has just opened while another
/// one closes, an event that the end of an integration meets up to rounding while another one maps the state there, a slip that is past its rest by
/// rounding where a stop divides the motion, contacts that close together because the second one may be found early, and a ball whose last impact had the friction of the
/// flight that is too short to follow it.
#[test]
fn scenes_in_which_events_were_lost() {
    let whole: Check = |scene, expected, method, _| compare(scene, expected, Run { method, ..Run::default() });
    let divided: Check = |scene, expected, method, random| {
        let ends = times(scene, random.below(3), random);
        compare(scene, expected, Run { method, ends, ..Run::default() })
    };
    let stopped: Check = |scene, expected, method, random| {
        let stops = times(scene, random.below(5), random);
        compare(scene, expected, Run { method, stops, ..Run::default() })
    };
    let found = [
        (Kind::Gaps, View::Plain, [100_031, 100_802, 100_993].as_slice(), whole),
        (Kind::Everything, View::Plain, &[100_125, 100_188, 100_310, 100_581, 100_825, 100_947], whole),
        (Kind::Everything, View::Scaled, &[200_614], whole),
        (Kind::Maps, View::Plain, &[100_118, 100_469, 100_738, 100_785], divided),
        (Kind::Gaps, View::Plain, &[100_905, 200_312], divided),
        (Kind::Everything, View::Plain, &[100_290, 100_947, 200_010, 200_269], divided),
        (Kind::Friction, View::Plain, &[200_698], divided),
        (Kind::Rolling, View::Plain, &[138, 359, 379], whole),
        (Kind::Friction, View::Plain, &[200_698], stopped),
    ];
    for (kind, view, seeds, check) in found {
        for &seed in seeds {
            let (scene, method) = (scene(kind, seed, view), seed as usize % FIRST_METHODS);
            let expected = expected(&scene, ROUNDINGS[method]).expect("rounding does not decide");
            check(&scene, &expected, method, &mut Random::new(seed))
                .unwrap_or_else(|difference| panic!("{kind:?}, seed {seed}: {difference}"));
        }
    }
}
