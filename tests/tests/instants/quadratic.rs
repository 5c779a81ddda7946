//! Quadratic functions of the time, and their roots.

/// A coordinate from the time `t` on, at which it had the values q and v.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub(crate) t: f64,
    pub(crate) q: f64,
    pub(crate) v: f64,
    pub(crate) a: f64,
    pub(crate) rests: bool,
}

impl Part {
    pub(crate) fn at(&self, t: f64) -> (f64, f64) {
        let since = t - self.t;
        (self.q + (self.v + self.a * since / 2.0) * since, self.v + self.a * since)
    }
}

/// The root of a τ² + b τ + c at which the slope has the sign of `slope`, and whether the function hardly crosses 0 there.
pub(crate) fn root(a: f64, b: f64, c: f64, slope: f64) -> Option<(f64, bool)> {
    let square = b * b - 4.0 * a * c;
    let terms = b * b + (4.0 * a * c).abs();
    if square < 0.0 || terms == 0.0 {
        // A function that almost reaches 0 has its two roots at its extremum, if it has been there.
        return (terms > 0.0 && -square < 1e-9 * terms).then(|| (-b / (2.0 * a), true));
    }
    let sign = if b < 0.0 { -1.0 } else { 1.0 };
    let w = -(b + sign * square.sqrt()) / 2.0;
    // At c/w the slope has the sign of b, at w/a the other one.
    let root = if slope == sign { c / w } else { w / a };
    root.is_finite().then_some((root, square < 1e-9 * terms))
}
