//! Numbers from which members are made: the points of a grid, and random numbers.

use core::ops::Range;

/// An axis of a grid: its first value, its last value, and the number of its values. They are evenly
/// spaced. An axis with one value has only the first value.
pub type Axis = (f64, f64, u32);

/// Returns the points of a rectangular grid. The last axis varies fastest.
///
/// ```
/// use lagrange_runtime::sampling::grid;
///
/// let points: Vec<[f64; 2]> = grid([(0.0, 1.0, 2), (-1.0, 1.0, 3)]).collect();
/// assert_eq!(points[..3], [[0.0, -1.0], [0.0, 0.0], [0.0, 1.0]]);
/// assert_eq!(points.len(), 6);
/// ```
pub fn grid<const D: usize>(axes: [Axis; D]) -> impl Iterator<Item = [f64; D]> + Clone + Send {
    let count = axes.iter().map(|axis| u64::from(axis.2)).product::<u64>();
    (0..count).map(move |index| {
        let mut point = [0.0; D];
        grid_point(&axes, index, &mut point);
        point
    })
}

/// Writes the point with this `index` of the grid of these `axes` into `point`, which has one number
/// for each axis. Use it instead of [`grid`] if the number of axes is known only at run time.
///
/// ```
/// use lagrange_runtime::sampling::grid_point;
///
/// let mut point = [0.0; 2];
/// grid_point(&[(0.0, 1.0, 2), (-1.0, 1.0, 3)], 5, &mut point);
/// assert_eq!(point, [1.0, 1.0]);
/// ```
pub fn grid_point(axes: &[Axis], mut index: u64, point: &mut [f64]) {
    for (value, &(first, last, count)) in point.iter_mut().zip(axes).rev() {
        let place = index.checked_rem(u64::from(count)).unwrap_or(0);
        index = index.checked_div(u64::from(count)).unwrap_or(0);
        *value = match place {
            0 => first,
            // Rounding must not move the end of the axis.
            _ if place + 1 == u64::from(count) => last,
            _ => first + (last - first) * (place as f64 / f64::from(count - 1)),
        };
    }
}

/// A generator of random numbers for one member. They depend only on the seed and on the member's
/// index. A member therefore gets the same numbers in whatever order the members are made.
///
/// The generator is SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, *Fast splittable pseudorandom number generators*, OOPSLA
/// 2014). It is not for cryptography.
///
/// ```
/// use lagrange_runtime::sampling::Random;
///
/// let mut random = Random::new(1, 17);
/// let (angle, push) = (random.uniform(-3.0..3.0), random.normal());
/// assert!((-3.0..3.0).contains(&angle) && push.is_finite());
/// assert_eq!(Random::new(1, 17).uniform(-3.0..3.0), angle);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Random(u64);

impl Random {
    /// Returns the generator for the member with this `index`, under this `seed`.
    #[must_use]
    pub fn new(seed: u64, index: u64) -> Self {
        let mut start = Self(seed);
        let offset = start.bits();
        Self(offset.wrapping_add(index.wrapping_mul(0xd1b5_4a32_d192_ed03)))
    }

    /// Returns the next 64 random bits.
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number that is uniformly distributed over `range`.
    pub fn uniform(&mut self, range: Range<f64>) -> f64 {
        let part = (self.bits() >> 11) as f64 / (1_u64 << 53) as f64;
        range.start + (range.end - range.start) * part
    }

    /// Returns a number of the normal distribution with mean 0 and variance 1, by the method of Box
    /// and Muller.
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.uniform(0.0..1.0)).ln()).sqrt();
        radius * (core::f64::consts::TAU * self.uniform(0.0..1.0)).cos()
    }
}
