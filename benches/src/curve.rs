//! What accuracy costs: a method's runs from coarse to fine, and its cost at a given error.

/// One run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Run {
    /// What it missed by.
    pub error: f64,
    /// How long it took.
    pub seconds: f64,
    /// How many evaluations of the equations it made.
    pub evaluations: f64,
}

/// A contender: its name, and a run at a fineness, twice as fine from each whole number to the next.
pub struct Contender<'a> {
    name: &'static str,
    first: i32,
    run: Box<dyn Fn(i32) -> Option<Run> + 'a>,
}

impl<'a> Contender<'a> {
    /// A contender whose runs begin at the fineness `first`; `None` from a run that did not reach its end.
    pub fn new(name: &'static str, first: i32, run: impl Fn(i32) -> Option<Run> + 'a) -> Self {
        Self { name, first, run: Box::new(run) }
    }

    /// Runs from coarse to fine until the error is below `least`, no longer falls, or a run takes more than `longest` seconds.
    fn curve(&self, least: f64, longest: f64) -> Vec<Run> {
        let mut curve: Vec<Run> = Vec::new();
        for level in self.first..self.first + 16 {
            let Some(run) = (self.run)(level) else { continue };
            let stagnates = curve.last().is_some_and(|last| run.error > last.error && run.error < 1e3 * least);
            curve.push(run);
            if run.error < least || stagnates || run.seconds > longest {
                break;
            }
        }
        curve
    }
}

/// The cost at `error` between the two runs around it, along a straight line of the logarithms.
pub fn at(curve: &[Run], error: f64) -> Option<Run> {
    let pair = curve.windows(2).find(|pair| pair[0].error >= error && pair[1].error <= error)?;
    let part = (error / pair[0].error).ln() / (pair[1].error / pair[0].error).ln();
    let between = |of: fn(&Run) -> f64| of(&pair[0]) * (of(&pair[1]) / of(&pair[0])).powf(part);
    Some(Run { error, seconds: between(|run| run.seconds), evaluations: between(|run| run.evaluations) })
}

/// Runs all contenders and prints, for each of the `errors`, the largest first, what they cost in `units` of motion, and
/// in ratio to the contender named `reference`.
pub fn compare(title: &str, unit: &str, units: f64, errors: &[f64], reference: &str, contenders: &[Contender<'_>]) {
    /// A run that takes this long, in seconds, is a method's last; that of the reference may take longer.
    const LONGEST: [f64; 2] = [0.8, 3.0];
    println!("\n{title} ({})", crate::race::target());
    let least = errors.iter().copied().fold(f64::INFINITY, f64::min);
    let longest = |contender: &Contender<'_>| LONGEST[usize::from(contender.name == reference)];
    let curves: Vec<Vec<Run>> = contenders.iter().map(|contender| contender.curve(least, longest(contender))).collect();
    let of_reference = contenders.iter().position(|contender| contender.name == reference);
    for &error in errors {
        println!(
            "  {:<46} {:>9} {:>18} {:>8}",
            format!("at {error:.0e}"),
            "ms",
            format!("evaluations/{unit}"),
            "ratio"
        );
        let base = of_reference.and_then(|index| at(&curves[index], error));
        for (contender, curve) in contenders.iter().zip(&curves) {
            match at(curve, error) {
                Some(cost) => println!(
                    "  {:<46} {:>9.1} {:>18.1} {:>8}",
                    contender.name,
                    cost.seconds * 1e3,
                    cost.evaluations / units,
                    base.map_or_else(|| "–".to_owned(), |base| format!("{:.3}", cost.seconds / base.seconds)),
                ),
                None => println!("  {:<46} {}", contender.name, outside(curve, error)),
            }
        }
    }
}

/// Why there is no cost at an error.
fn outside(curve: &[Run], error: f64) -> String {
    match (curve.first(), curve.last()) {
        (Some(first), _) if first.error < error => {
            format!("better from the start: {:.0e} in {:.1} ms", first.error, first.seconds * 1e3)
        }
        (_, Some(last)) => format!("not reached: {:.0e} in {:.1} ms", last.error, last.seconds * 1e3),
        _ => "no run reached its end".to_owned(),
    }
}
