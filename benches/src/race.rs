//! Contenders timed in turn, round after round.

use std::time::{Duration, Instant};

/// One contender: a name, and a run that gives its time.
pub struct Contender<'a> {
    name: String,
    run: Box<dyn FnMut() -> Option<Duration> + 'a>,
}

impl<'a> Contender<'a> {
    /// A contender that times itself; `None` takes it out of the race.
    pub fn self_timed(name: &str, run: impl FnMut() -> Option<Duration> + 'a) -> Self {
        Self { name: name.to_owned(), run: Box::new(run) }
    }

    /// A contender timed from outside.
    pub fn new(name: &str, mut run: impl FnMut() + 'a) -> Self {
        Self::self_timed(name, move || {
            let start = Instant::now();
            run();
            Some(start.elapsed())
        })
    }
}

/// The ratios of the second time to the first one, of runs in turn: the least, the median and the largest. `None` if one of them cannot
/// run.
pub fn ratio(
    rounds: usize,
    mut ours: impl FnMut() -> Option<f64>,
    mut other: impl FnMut() -> Option<f64>,
) -> Option<[f64; 5]> {
    let (mut ratios, mut times) = (Vec::new(), [Vec::new(), Vec::new()]);
    for round in 0..=rounds {
        let pair = [ours()?, other()?];
        // The first round warms up.
        if round > 0 {
            ratios.push(pair[0] / pair[1]);
            times.iter_mut().zip(pair).for_each(|(times, time)| times.push(time));
        }
    }
    let middle = median(&mut ratios);
    let [ours, other] = times.map(|mut times| median(&mut times));
    Some([ours, other, ratios[0], middle, ratios[ratios.len() - 1]])
}

/// Runs all contenders in turn and prints, for each, the median time and the median ratio to the first one,
/// `unit_count` being how many units of work a run does.
pub fn race(title: &str, unit: &str, unit_count: f64, rounds: usize, mut contenders: Vec<Contender<'_>>) {
    println!("\n{title} ({rounds} interleaved rounds, medians; {})", target());
    let mut times: Vec<Vec<f64>> = vec![Vec::new(); contenders.len()];
    for round in 0..=rounds {
        for (contender, times) in contenders.iter_mut().zip(&mut times) {
            let time = (contender.run)();
            // The first round warms up.
            if round > 0
                && let Some(time) = time
            {
                times.push(time.as_secs_f64());
            }
        }
    }
    let reference = times.first().cloned().unwrap_or_default();
    println!("  {:<66} {:>12} {:>14} {:>24}", "", "ms", &format!("ns per {unit}"), "ratio (min … max)");
    for (contender, times) in contenders.iter().zip(&times) {
        if times.is_empty() {
            println!("  {:<66} {:>12}", contender.name, "not here");
            continue;
        }
        let mut ratios: Vec<f64> = times.iter().zip(&reference).map(|(time, reference)| time / reference).collect();
        let time = median(&mut times.clone());
        let ratio = median(&mut ratios);
        println!(
            "  {:<66} {:>12.3} {:>14.2} {:>8.3} ({:.3} … {:.3})",
            contender.name,
            time * 1e3,
            time * 1e9 / unit_count,
            ratio,
            ratios.first().copied().unwrap_or(f64::NAN),
            ratios.last().copied().unwrap_or(f64::NAN),
        );
    }
}

/// What the Rust side was compiled for.
pub fn target() -> &'static str {
    if cfg!(target_feature = "fma") {
        "Rust for this processor"
    } else {
        "Rust for its default target; RUSTFLAGS=\"-C target-cpu=native\" for this processor"
    }
}

/// The median; sorts the values.
fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => values[n / 2],
        n => f64::midpoint(values[n / 2 - 1], values[n / 2]),
    }
}
