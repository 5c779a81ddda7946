//! Phases along paths against all combinations of phases, and against the laws themselves.

use super::super::phases::Phases;
use super::super::reduced::{Bounds, Motion, Reduced};
use crate::error::{PivotOf, SingularMass};
use crate::quantities::{Bound, Law, Row};
use nalgebra::{SMatrix, SVector};

/// Numbers from 0 to 1 that look random.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A number from −1 to 1.
    fn signed(&mut self) -> f64 {
        2.0 * self.next() - 1.0
    }

    fn below(&mut self, count: usize) -> usize {
        (self.next() * count as f64) as usize
    }
}

/// No bound contains multipliers.
struct Unloaded;

impl<const W: usize> Bounds<f64, 0, W> for Unloaded {
    fn bounds(&self, _: &SVector<f64, 0>) -> [Bound<f64, 0>; W] {
        [Bound::NONE; W]
    }

    fn breakaway_rows(&self) -> &'static [usize] {
        &[]
    }

    fn breakaways(&self, _: &SVector<f64, 0>) -> [Bound<f64, 0>; W] {
        [Bound::NONE; W]
    }
}

/// Rows with these laws at masses of 1: the directions, the bounds, and the motion without their forces.
fn reduced<const N: usize, const W: usize>(
    laws: &[Law],
    directions: &[SVector<f64, N>],
    bounds: &[f64],
    (acceleration, curvature): (SVector<f64, N>, &[f64]),
) -> Reduced<'static, f64, N, 0, W> {
    let count = laws.len();
    let mut rows = [Row::NONE; W];
    for (k, row) in rows.iter_mut().enumerate().take(count) {
        *row = Row { rate: 0.0, direction: directions[k], curvature: curvature[k], bound: bounds[k] };
    }
    let accelerations = SMatrix::from_fn(|i, column: usize| match column.checked_sub(1) {
        None => acceleration[i],
        Some(k) => rows[k].direction[i],
    });
    let mut reduced = Reduced {
        count,
        rows,
        laws: Vec::leak(laws.to_vec()),
        forcing: acceleration,
        accelerations,
        multipliers: SMatrix::from_fn(|_, _| 0.0),
        bounds: &Unloaded,
        firm: 0,
        free: [0.0; W],
        compliance: [[0.0; W]; W],
        cancelled: None,
    };
    for k in 0..count {
        reduced.free[k] = directions[k].dot(&acceleration) + curvature[k];
        for l in 0..count {
            reduced.compliance[k][l] = directions[k].dot(&directions[l]);
        }
    }
    reduced
}

const NAMES: [&str; 64] = ["row"; 64];

/// Random laws of `count` rows, with the bound of each.
fn laws(random: &mut Random, count: usize, friction: f64) -> (Vec<Law>, Vec<f64>) {
    let gaps = 1 + random.below(count);
    let slips = random.below(1 + gaps.min(count - gaps));
    let (mut laws, mut bounds) = (Vec::new(), Vec::new());
    for gap in 0..gaps {
        laws.push(Law::Contact { gap });
        bounds.push(0.0);
    }
    for contact in 0..slips {
        laws.push(Law::Slip { contact });
        bounds.push(friction * random.next());
    }
    while laws.len() < count {
        let is_latch = random.next() < 0.2;
        bounds.push(if is_latch { 0.0 } else { random.next() });
        laws.push(if is_latch { Law::Latch { latch: laws.len(), holonomic: true } } else { Law::Friction });
    }
    (laws, bounds)
}

/// Random directions. A `part` of them follow from the first `rank`.
fn directions<const N: usize>(random: &mut Random, count: usize, rank: usize) -> Vec<SVector<f64, N>> {
    let mut found: Vec<SVector<f64, N>> = Vec::new();
    for k in 0..count {
        let scale = 10.0_f64.powf(random.signed());
        let own = SVector::from_fn(|_, _| scale * random.signed());
        let of_others = (0..rank.min(k)).fold(SVector::zeros(), |sum, l| sum + found[l] * random.signed());
        found.push(if k < rank { own } else { of_others });
    }
    found
}

fn all(count: usize) -> u64 {
    if count == 64 { u64::MAX } else { (1 << count) - 1 }
}

/// The accelerations under the forces of a motion.
fn accelerations<const N: usize, const W: usize>(
    reduced: &Reduced<'_, f64, N, 0, W>,
    motion: &Motion<f64, W>,
) -> SVector<f64, N> {
    reduced.acceleration(&motion.forces).acceleration
}

fn compare<const N: usize>(random: &mut Random, count: usize, rank: usize, friction: f64) -> Option<Result<(), bool>> {
    let (laws, bounds) = laws(random, count, friction);
    let directions = directions::<N>(random, count, rank);
    // Dependent rows contradict each other where they have curvatures of their own.
    let still = rank < count;
    let curvature: Vec<f64> = (0..count).map(|_| if still { 0.0 } else { random.signed() }).collect();
    let acceleration = SVector::from_fn(|_, _| random.signed());
    let reduced = reduced::<N, 9>(&laws, &directions, &bounds, (acceleration, &curvature));
    let level = reduced.motion_level();
    let phases = Phases::default();
    let tried = reduced.decide_by_trial(phases, all(count), &level, &NAMES);
    let found = reduced.decide_by_path(phases, all(count), &level, &NAMES);
    match (tried, found) {
        (Ok(tried), Ok(found)) => {
            let (a, b) = (accelerations(&reduced, &tried), accelerations(&reduced, &found));
            let size = reduced.motion_level().terms.iter().fold(a.amax().max(1.0), |most, term| most.max(*term));
            assert!((a - b).amax() <= 1e-7 * size, "{laws:?} {tried:?} {found:?}");
            if tried.phases == found.phases {
                let largest = tried.forces.iter().fold(1.0, |most: f64, force| most.max(force.abs()));
                let difference = tried.forces.iter().zip(found.forces).fold(0.0, |d: f64, (a, b)| d.max((a - b).abs()));
                assert!(difference <= 1e-9 * largest, "{tried:?} {found:?}");
            }
            Some(Ok(()))
        }
        (Err(SingularMass { of: PivotOf::Contact { several: true, .. }, .. }), Ok(_)) => Some(Err(true)),
        (Err(_), Ok(found)) => panic!("a motion that no combination of phases has: {laws:?} {found:?}"),
        (Err(_), Err(_)) => None,
        (Ok(tried), Err(error)) => {
            eprintln!("missed: {laws:?} {tried:?} {error}");
            Some(Err(false))
        }
    }
}

#[test]
fn paths_lead_to_the_motion_that_all_combinations_have() {
    let mut random = Random(1);
    let (mut alike, mut several, mut missed, mut neither) = (0, 0, 0, 0);
    for case in 0..400 {
        let count = 2 + random.below(7);
        let rank = if case % 3 == 0 { 1 + random.below(count) } else { count };
        let friction = [0.0, 0.3, 1.0][case % 3];
        let outcome = match case % 2 {
            0 => compare::<10>(&mut random, count, rank, friction),
            _ => compare::<8>(&mut random, count, rank, friction),
        };
        match outcome {
            Some(Ok(())) => alike += 1,
            Some(Err(true)) => several += 1,
            Some(Err(false)) => missed += 1,
            None => neither += 1,
        }
    }
    assert!(alike > 300 && missed == 0, "{alike} alike, {several} several, {missed} missed, {neither} neither");
}

/// The largest violation of a law by any row, as a part of the scale of the quantity that the law bounds. It is computed from the forces and the accelerations
/// alone.
fn violation<const N: usize, const W: usize>(
    (laws, directions, bounds): (&[Law], &[SVector<f64, N>], &[f64]),
    reduced: &Reduced<'_, f64, N, 0, W>,
    motion: &Motion<f64, W>,
) -> f64 {
    let f = &motion.forces;
    let a = accelerations(reduced, motion);
    let (most_force, most_motion) = (f.iter().fold(1.0, |most: f64, force| most.max(force.abs())), a.amax().max(1.0));
    let w = |k: usize| directions[k].dot(&a) / directions[k].norm();
    let between = |k: usize, bound: f64| {
        // |f| ≤ b, and the force is against a slip.
        let beyond = (f[k].abs() - bound) / most_force;
        let along =
            if w(k).abs() > 1e-9 * most_motion { (f[k] + bound * w(k).signum()).abs() / most_force } else { 0.0 };
        beyond.max(along)
    };
    (0..laws.len()).fold(0.0, |worst: f64, k| {
        let own = match laws[k] {
            Law::Contact { .. } => {
                let product = (f[k] / most_force).min(w(k) / most_motion).abs();
                product.max(-f[k] / most_force).max(-w(k) / most_motion)
            }
            Law::Slip { contact } => between(k, bounds[k] * f[contact]),
            Law::Latch { .. } => w(k).abs() / most_motion,
            _ => between(k, bounds[k]),
        };
        worst.max(own)
    })
}

#[test]
fn sixty_four_rows_obey_their_laws() {
    let mut random = Random(2);
    for case in 0..30 {
        let count = if case == 0 { 64 } else { 9 + random.below(56) };
        // Fewer directions than rows: most rows depend on others.
        let rank = if case % 2 == 0 { count } else { 10 };
        let (laws, bounds) = laws(&mut random, count, [0.0, 0.5, 1.0][case % 3]);
        let directions = directions::<40>(&mut random, count, rank);
        let acceleration = SVector::from_fn(|_, _| random.signed());
        let reduced = reduced::<40, 65>(&laws, &directions, &bounds, (acceleration, &[0.0; 64]));
        let level = reduced.motion_level();
        let motion = reduced.decide_all(Phases::default(), all(count), &level, &NAMES).expect("a motion");
        let worst = violation((&laws, &directions, &bounds), &reduced, &motion);
        assert!(worst < 1e-8, "{case}: {worst:e}");
    }
}

/// Rows that do not act on each other are decided as if they were alone, by all combinations: here 20 contacts with friction of 20 bodies.
#[test]
fn bodies_that_do_not_touch_are_groups_of_their_own() {
    let laws: Vec<Law> =
        (0..20).map(|gap| Law::Contact { gap }).chain((0..20).map(|contact| Law::Slip { contact })).collect();
    let directions: Vec<SVector<f64, 40>> =
        (0..40).map(|k| SVector::from_fn(|i, _| f64::from(u8::from(i == k)))).collect();
    let bounds: Vec<f64> = (0..40).map(|k| if k < 20 { 0.0 } else { 0.5 }).collect();
    // Body i presses on its floor by 1, and is drawn along it by i/20.
    let acceleration = SVector::from_fn(|i, _| if i < 20 { -1.0 } else { (i - 20) as f64 / 20.0 });
    let reduced = reduced::<40, 41>(&laws, &directions, &bounds, (acceleration, &[0.0; 40]));
    let motion = reduced.decide_all(Phases::default(), all(40), &reduced.motion_level(), &NAMES).expect("a motion");
    for i in 0..20 {
        let drawn = i as f64 / 20.0;
        assert!((motion.forces[i] - 1.0).abs() < 1e-12 && (motion.forces[20 + i] + drawn.min(0.5)).abs() < 1e-12);
        assert_eq!(motion.phases.sticks(20 + i), drawn <= 0.5, "{i}");
    }
    // Painlevé's rod among the bodies is an error, because its combinations are all tried.
    let mut jammed = directions;
    jammed[0] = SVector::from_fn(|i, _| [1.0, 0.9][usize::from(i == 20)] * f64::from(u8::from(i == 0 || i == 20)));
    let bounds: Vec<f64> = bounds.iter().map(|bound| 8.0 * bound).collect();
    let mut slipping = Phases::default();
    slipping.slide(20, false);
    let reduced = self::reduced::<40, 41>(&laws, &jammed, &bounds, (acceleration, &[0.0; 40]));
    let without = all(40) & !(1 << 20);
    let failed = reduced.decide_all(slipping, without, &reduced.motion_level(), &NAMES).expect_err("no motion");
    assert!(matches!(failed.of, PivotOf::Contact { index: 0, .. }), "{failed:?}");
}
