//! The derivation against a second one that shares nothing with it: hundreds of random mechanisms, each written as a
//! block, derived, lowered to routines and run, compared with derivatives of L, D and the forces on jets.
//!
//! `LAGRANGE_MECHANISMS` raises the number of mechanisms, `LAGRANGE_SEED` sets the first seed.

mod blocks;
mod bodies;
mod bounded;
mod compare;
mod contacts;
mod evaluate;
mod expressions;
mod facts;
mod generate;
mod interpret;
mod jet;
mod linear;
mod loops;
mod moving;
mod overflow;
mod quadrature;
mod reference;
mod series;
mod shrink;
mod touching;
mod tree;
mod variation;
mod varied;
mod without_inertia;

use compare::{Difference, Worst, compare, derive};
use reference::Reference;
use tree::Mechanism;

/// How many mechanisms are compared.
const MECHANISMS: u64 = 80;

/// How many points are tried for one that is smooth, in every domain, and has a regular M.
const POINTS: u64 = 12;

/// How many points each mechanism is compared at.
const COMPARED: usize = 2;

/// What comparing a mechanism gave.
enum Outcome {
    Agrees(Worst),
    /// No point was usable.
    Skipped,
    Differs(Difference),
}

fn outcome(mechanism: &Mechanism, seed: u64) -> Outcome {
    let usable: Vec<_> = (0..POINTS)
        .map(|k| generate::point(mechanism, seed.wrapping_mul(POINTS).wrapping_add(k)))
        .filter_map(|point| Reference::at(mechanism, &point).map(|reference| (point, reference)))
        .take(COMPARED)
        .collect();
    if usable.is_empty() {
        return Outcome::Skipped;
    }
    let (evaluations, claimed) = match derive(mechanism) {
        Ok(derived) => derived,
        // The rate of what has a kink jumps, and no energy may.
        Err(difference) if is_jump(&difference.detail) && mechanism.has_rate_of_kink() => {
            return Outcome::Skipped;
        }
        Err(difference) => return Outcome::Differs(difference),
    };
    // Facts are compared at other states too, which costs as much as several points.
    if let Err(difference) = facts::check(mechanism, &claimed, &usable[0].0, seed) {
        return Outcome::Differs(difference);
    }
    let mut worst = Worst::default();
    for (point, reference) in &usable {
        match compare(&evaluations, point, reference) {
            Ok(here) if here.ratio > worst.ratio => worst = here,
            Ok(_) => {}
            Err(mut difference) => {
                difference.detail += &format!("\nat {point:?}");
                return Outcome::Differs(difference);
            }
        }
    }
    Outcome::Agrees(worst)
}

/// Whether a mechanism was refused because it jumps, or because that could not be decided.
fn is_jump(refusal: &str) -> bool {
    refusal.starts_with("Jump") || refusal.starts_with("ContinuityUndecided")
}

/// The smallest mechanism that differs in the same quantity, as text.
fn report(mechanism: Mechanism, seed: u64, difference: &Difference) -> String {
    let quantity = |mechanism: &Mechanism| match outcome(mechanism, seed) {
        Outcome::Differs(difference) => Some(difference),
        _ => None,
    };
    let full = mechanism.to_string();
    let small = shrink::shrink(mechanism, |candidate| {
        quantity(candidate).is_some_and(|found| found.quantity == difference.quantity)
    });
    let detail = quantity(&small).map_or(String::new(), |found| found.detail);
    format!(
        "seed {seed}, {}: {}\n{full}\nsmallest that still differs:\n{small}{}\n{detail}\n",
        difference.quantity,
        difference.detail,
        small.item()
    )
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn random_mechanisms_agree_with_an_independent_derivation() {
    let (count, first) = (setting("LAGRANGE_MECHANISMS", MECHANISMS), setting("LAGRANGE_SEED", 0));
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let shares: Vec<(u64, Worst, Vec<String>)> = std::thread::scope(|scope| {
        let share =
            |offset: u64| move || compare_share((first + offset..).step_by(threads as usize), count.div_ceil(threads));
        let workers: Vec<_> = (0..threads).map(|offset| scope.spawn(share(offset))).collect();
        workers.into_iter().map(|worker| worker.join().expect("a worker ends")).collect()
    });
    let compared: u64 = shares.iter().map(|(compared, ..)| compared).sum();
    let failures: Vec<String> = shares.iter().flat_map(|(.., failures)| failures.clone()).collect();
    let worst = shares.into_iter().map(|(_, worst, _)| worst).max_by(|a, b| a.ratio.total_cmp(&b.ratio));
    if let Some(Worst { ratio, quantity }) = worst {
        println!("{compared} mechanisms compared; largest difference {ratio:.1e} of the bound, in {quantity}");
    }
    assert!(failures.is_empty(), "{} of {compared} mechanisms differ\n{}", failures.len(), failures.join("\n"));
    assert!(compared >= count);
}

/// Compares so many mechanisms with a usable point: how many, the largest difference, and what differs.
fn compare_share(seeds: impl Iterator<Item = u64>, count: u64) -> (u64, Worst, Vec<String>) {
    let (mut compared, mut worst, mut failures) = (0, Worst::default(), Vec::new());
    for seed in seeds {
        let mechanism = generate::mechanism(seed);
        match outcome(&mechanism, seed) {
            Outcome::Skipped => continue,
            Outcome::Agrees(here) => {
                if here.ratio > worst.ratio {
                    worst = here;
                }
            }
            Outcome::Differs(difference) => failures.push(report(mechanism, seed, &difference)),
        }
        compared += 1;
        if compared == count || failures.len() == 3 {
            break;
        }
    }
    (compared, worst, failures)
}
