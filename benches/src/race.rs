//! Contenders timed in turn, round after round.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// How often a run is repeated at most because the core had other work.
const REPEATS: usize = 200;

/// The time of the probe on a core without other work is at most this multiple of its least time.
const QUIET: f64 = 1.12;

/// Runs that count only if a probe right before and right after them found the core free of other work.
///
/// A core may have two hardware threads, and on a rented machine the other one belongs to somebody else, whose work no load average shows.
/// It slows a program that executes many independent operations at a time by half, and hardly one that waits for each of its results. So the
/// ratio of two such programs depends on it. The probe is a loop of independent sums, which such work slows, too. The probe runs in this
/// process. If a run starts another program, that program may be on another core, unless `taskset` keeps all on one. Work that begins and
/// ends during a run is not noticed.
#[derive(Clone, Copy, Debug)]
pub struct Quiet {
    least: f64,
    /// How many runs were not counted.
    pub repeated: usize,
    /// How many runs were counted without a probe, because the core always had other work.
    pub loud: usize,
}

impl Default for Quiet {
    fn default() -> Self {
        Self::new()
    }
}

impl Quiet {
    /// Looks for the least time of the probe.
    pub fn new() -> Self {
        let least = (0..100).map(|_| probe()).fold(f64::MAX, f64::min);
        Self { least, repeated: 0, loud: 0 }
    }

    /// Repeats a run until the probe took at most 12 % more than its least time before and after it. If it never does, a last run counts.
    pub fn run<T>(&mut self, mut run: impl FnMut() -> T) -> T {
        for _ in 0..REPEATS {
            let before = probe();
            let result = run();
            let after = probe();
            self.least = self.least.min(before).min(after);
            if before.max(after) < QUIET * self.least {
                return result;
            }
            self.repeated += 1;
            // Other people's work comes and goes within milliseconds.
            std::thread::sleep(Duration::from_millis(5));
        }
        self.loud += 1;
        run()
    }
}

/// The time of sums that do not wait for each other.
#[inline(never)]
fn probe() -> f64 {
    let mut sums = black_box([1_u64, 2, 3, 4, 5, 6]);
    let start = Instant::now();
    for i in 0..black_box(300_000_u64) {
        for sum in &mut sums {
            *sum = black_box(sum.wrapping_add(i));
        }
    }
    let time = start.elapsed();
    black_box(sums);
    time.as_secs_f64()
}

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

/// The median times of two contenders, and the least, the median and the largest ratio of the first time to the second one, of runs in
/// turn that [`Quiet`] counts. `None` if one of them cannot run.
pub fn ratio(
    quiet: &mut Quiet,
    rounds: usize,
    mut ours: impl FnMut() -> Option<f64>,
    mut other: impl FnMut() -> Option<f64>,
) -> Option<[f64; 5]> {
    let (mut ratios, mut times) = (Vec::new(), [Vec::new(), Vec::new()]);
    for round in 0..=rounds {
        let pair = [quiet.run(&mut ours)?, quiet.run(&mut other)?];
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

/// The name of the processor with its family and model, by which it is known where the name is general. Empty where the system does not say.
pub fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let value = |key: &str| {
        let of_line = |line: &str| {
            let (name, value) = line.split_once(':')?;
            (name.trim() == key).then(|| value.trim().to_owned())
        };
        text.lines().find_map(of_line)
    };
    match (value("model name"), value("cpu family"), value("model")) {
        (Some(name), Some(family), Some(model)) => format!("{name}, family {family}, model {model}"),
        (name, ..) => name.unwrap_or_default(),
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
