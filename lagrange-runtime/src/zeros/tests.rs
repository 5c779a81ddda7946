//! Functions with known zeros: narrow dips, fast oscillations, kinks, jumps, touches and noise.

use super::{Along, Search};

/// A function with the rounding of its values.
struct Function<F>(F, f64);

impl<F: FnMut(f64) -> f64> Along<f64> for Function<F> {
    fn value(&mut self, t: f64) -> f64 {
        (self.0)(t)
    }

    fn rounding(&mut self, _: f64) -> f64 {
        self.1
    }
}

/// All zeros from 0 to `end` of a function that starts on its own side, and whether the search was coarse.
fn zeros(end: f64, rounding: f64, function: impl FnMut(f64) -> f64) -> (Vec<f64>, bool) {
    let mut function = Function(function, rounding);
    let side = function.value(0.0).signum();
    let mut found = Vec::new();
    let mut search = Search::new(&mut function, [0.0, end], side, 1);
    let none = search.first(&mut |zero| {
        found.push(zero.after);
        false
    });
    assert_eq!(none, None);
    let is_coarse = search.is_coarse();
    (found, is_coarse)
}

fn assert_zeros(name: &str, (found, is_coarse): (Vec<f64>, bool), expected: &[f64]) {
    let near = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-6;
    let same = found.len() == expected.len() && found.iter().zip(expected).all(near);
    assert!(same && !is_coarse, "{name}: {found:?} instead of {expected:?}");
}

#[test]
fn a_narrow_dip_is_found_wherever_it_is() {
    for end in [0.44, 1.0, 5.0, 31.0] {
        for half in [1e-1, 1e-2, 1e-4, 1e-6] {
            for part in 1..40 {
                let middle = end * f64::from(part) / 40.0;
                let name = format!("half a width of {half} at {middle} of {end}");
                let expected: Vec<f64> =
                    [middle - half, middle + half].into_iter().filter(|t| *t > 0.0 && *t < end).collect();
                if expected.len() == 2 {
                    let dip = |t: f64| (t - middle) * (t - middle) - half * half;
                    assert_zeros(&name, zeros(end, 1e-14, dip), &expected);
                    let other = |t: f64| -(t - middle) * (t - middle) + half * half;
                    assert_zeros(&name, zeros(end, 1e-14, other), &expected);
                }
            }
        }
    }
}

#[test]
fn no_zero_of_a_fast_oscillation_is_missed() {
    for frequency in [3.0, 17.0, 81.7, 251.3, 1000.0] {
        for offset in [0.0, 0.5, 0.99, 0.999_99, 1.000_01] {
            let oscillation = |t: f64| offset + (frequency * t + 0.3).sin();
            let (found, is_coarse) = zeros(1.0, 1e-15, oscillation);
            let turns = (frequency + 0.3) / core::f64::consts::TAU;
            let down = core::f64::consts::PI + offset.min(1.0).asin();
            let expected = (0..).map(|k| core::f64::consts::TAU * f64::from(k)).flat_map(|turn| {
                [turn + down, turn + 3.0 * core::f64::consts::PI - down].map(|phase| (phase - 0.3) / frequency)
            });
            let expected: Vec<f64> = match offset > 1.0 {
                true => Vec::new(),
                false => expected.take(2 * turns as usize + 2).filter(|t| *t < 1.0).collect(),
            };
            assert_zeros(&format!("{frequency} {offset}"), (found, is_coarse), &expected);
        }
    }
}

#[test]
fn kinks_and_jumps_cross_once() {
    for place in [0.01, 0.123, 0.5, 0.777] {
        assert_zeros("kink", zeros(1.0, 0.0, |t| (t - place).abs() - 1e-3), &[place - 1e-3, place + 1e-3]);
        assert_zeros("jump", zeros(1.0, 0.0, |t| if t < place { 1.0 } else { -1.0 }), &[place]);
        assert_zeros("no jump over 0", zeros(1.0, 0.0, |t| if t < place { 1.0 } else { 1e-3 }), &[]);
    }
}

#[test]
fn touches_and_noise_cross_nowhere() {
    for place in [0.1, 0.43, 0.9] {
        assert_zeros("a square", zeros(1.0, 1e-16, |t| (t - place) * (t - place)), &[]);
        assert_zeros("a magnitude", zeros(1.0, 0.0, |t| (t - place).abs()), &[]);
        let mut bits = 1_u64;
        let noise = |t: f64| {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let noise = (bits >> 11) as f64 / (1_u64 << 52) as f64 - 1.0;
            (place - t).max(0.0) + 1e-15 * noise
        };
        assert_zeros("a level with noise", zeros(1.0, 2e-15, noise), &[]);
    }
}

#[test]
fn a_function_without_an_end_of_its_noise_is_said_to_be_coarse() {
    let mut bits = 1_u64;
    let noise = |_: f64| {
        bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        1.0 + (bits >> 11) as f64 / (1_u64 << 53) as f64
    };
    let (found, is_coarse) = zeros(1.0, 0.0, noise);
    assert!(found.is_empty() && is_coarse);
}

#[test]
fn a_motion_that_leaves_a_zero_to_the_other_side_crosses_it_at_once() {
    // The motion starts at a zero and is to leave it to `side`. It is on the other side by a rounding, and then stays at 0: it has not left
    // to that side.
    for side in [1.0, -1.0] {
        for end in [0.3, 1.0, 20.0] {
            let mut function = Function(|t: f64| if t == 0.0 { -1e-20 * side } else { 0.0 }, 0.0);
            let mut search = Search::new(&mut function, [0.0, end], side, 1).leaving_zero(true);
            let found = search.first(&mut |_| true).map(|zero| (zero.after, zero.to));
            assert_eq!(found, Some((0.0, -side)), "{side}, {end}");
        }
    }
}

#[test]
fn a_smooth_zero_takes_few_evaluations() {
    // The value at its zero has a small relative error, so that only the time rounds.
    for place in [0.1234_f64, 0.3, 0.9] {
        for sharpness in [0.1, 1.0, 3.0] {
            let mut evaluations = 0;
            let (found, is_coarse) = zeros(1.0, 0.0, |t| {
                evaluations += 1;
                (place - t) * (sharpness * t).exp()
            });
            assert_zeros("a smooth zero", (found, is_coarse), &[place]);
            // It takes 38 at most. By halves, 48 follow the 9 nodes of one part.
            assert!(evaluations <= 40, "{place}, {sharpness}: {evaluations} evaluations");
        }
    }
}
