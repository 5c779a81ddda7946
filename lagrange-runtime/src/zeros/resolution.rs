//! What nine values of a function over a part of a step say about its zeros there.

/// The number of values.
pub(crate) const NODES: usize = 9;

/// The weights of the values at the even nodes in the polynomial of degree 4 through them, at each odd node. The second half follows by
/// symmetry.
const WEIGHTS: [[f64; 5]; 2] = [
    [
        0.628_417_436_515_731,
        0.441_341_716_182_545,
        -0.103_553_390_593_273_8,
        0.058_658_283_817_455_1,
        -0.024_864_045_922_457_2,
    ],
    [
        -0.187_075_720_333_186_1,
        0.711_939_766_255_643_4,
        0.603_553_390_593_273_8,
        -0.211_939_766_255_643_4,
        0.083_522_329_739_912_3,
    ],
];

/// Between nodes, a function deviates from its values by less than this multiple of the error at the odd nodes. That error is of the fifth
/// order in the length of the part, and the deviation from all nine values of the ninth, so that the multiple is on the safe side.
const SAFE: f64 = 4.0;

/// The error at the odd nodes, as a part of the range of the values, at which the place of a least value is known well enough to divide the
/// part there.
const SHAPED: f64 = 1.0 / 64.0;

/// The course of a function over a part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Course {
    /// It does not change its sign.
    Clear,
    /// Its first zero is between the node of this index and the one before it, where no other zero is.
    Crosses(usize),
    /// The values do not tell. The part is to be divided at this place, between 0 and 1.
    Unresolved(f64),
}

/// The values of a function at the nodes of a part, with the sign that makes them positive before the first zero.
pub(crate) struct Part {
    heights: [f64; NODES],
    /// The largest difference between a value at an odd node and the polynomial through the even nodes.
    error: f64,
}

impl Part {
    /// The places of the nodes, (1 − cos(πk/8))/2. Equidistant nodes would see a fast oscillation as a slow one, if it makes almost
    /// whole periods between them.
    pub(crate) const PLACES: [f64; NODES] = [
        0.0,
        0.038_060_233_744_356_63,
        0.146_446_609_406_726_24,
        0.308_658_283_817_455_1,
        0.5,
        0.691_341_716_182_544_9,
        0.853_553_390_593_273_8,
        0.961_939_766_255_643_4,
        1.0,
    ];

    /// The part with these values. The first one is not negative.
    pub(crate) fn new(heights: [f64; NODES]) -> Self {
        let predicted = |odd: usize| {
            let weights = WEIGHTS[if odd < 4 { odd / 2 } else { (7 - odd) / 2 }];
            (0..5).fold(0.0, |sum, even| {
                let weight = weights[if odd < 4 { even } else { 4 - even }];
                sum + weight * heights[2 * even]
            })
        };
        let error = [1, 3, 5, 7].into_iter().fold(0.0, |error, odd| {
            let difference = (predicted(odd) - heights[odd]).abs();
            // A difference that is no number must not pass.
            if difference <= error { error } else { difference }
        });
        Self { heights, error }
    }

    /// The course by the signs of the values alone.
    pub(super) fn by_signs(&self) -> Course {
        self.crossing().map_or(Course::Clear, Course::Crosses)
    }

    /// The course, where values below `rounding` are not distinguished.
    pub(crate) fn course(&self, rounding: f64) -> Course {
        let heights = &self.heights;
        if heights.iter().all(|height| *height == 0.0) {
            return Course::Clear;
        }
        let resolved = self.error <= SAFE * rounding;
        let margin = if resolved { -rounding } else { SAFE * self.error };
        let is_above = |k: usize| resolved || heights[k] > margin;
        let crossing = self.crossing();
        let last = crossing.unwrap_or(NODES) - 1;
        for k in 0..=last {
            if let Some((place, value)) = self.turn(k)
                && value <= margin
                && !(crossing.is_some() && place >= Self::PLACES[last])
            {
                let is_shaped = self.error <= SHAPED * self.range() && place > 0.01 && place < 0.99;
                return Course::Unresolved(if is_shaped { place } else { 0.5 });
            }
        }
        // A value near 0 is that of a start or an end at a zero, if the value next to it is not near 0.
        if !is_above(0) && last > 0 && !is_above(1) || !is_above(last) && last > 0 && !is_above(last - 1) {
            return Course::Unresolved(0.5);
        }
        if (1..last).any(|k| !is_above(k)) {
            return Course::Unresolved(0.5);
        }
        match crossing {
            None => Course::Clear,
            Some(k) if resolved || heights[k - 1] - heights[k] > margin => Course::Crosses(k),
            Some(k) => Course::Unresolved(Self::PLACES[if k > 1 { k - 1 } else { k }]),
        }
    }

    /// The first node behind a zero.
    fn crossing(&self) -> Option<usize> {
        self.heights.iter().position(|height| *height < 0.0).map(|k| k.max(1))
    }

    /// The least value inside the part where the function falls and rises again, as a part of the range of all values.
    pub(crate) fn depth(&self) -> Option<f64> {
        let least = (1..NODES - 1).filter_map(|k| self.turn(k)).map(|(_, value)| value).reduce(f64::min)?;
        Some(least / self.range())
    }

    fn range(&self) -> f64 {
        let (low, high) = self
            .heights
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), height| (low.min(*height), high.max(*height)));
        high - low
    }

    /// The place and the value of the least value near node `k`, if this node is lower than its neighbours. A node at an end of the part
    /// counts if the least value is between it and the next node.
    fn turn(&self, k: usize) -> Option<(f64, f64)> {
        let heights = &self.heights;
        let is_end = k == 0 || k == NODES - 1;
        if !is_end && (heights[k - 1] < heights[k] || heights[k + 1] < heights[k]) {
            return None;
        }
        let middle = k.clamp(1, NODES - 2);
        let mut points = [middle - 1, middle, middle + 1].map(|node| (Self::PLACES[node], heights[node]));
        let (low, high) = match k {
            0 => (points[0].0, points[1].0),
            _ if is_end => (points[1].0, points[2].0),
            _ => (points[0].0, points[2].0),
        };
        let mut least: Option<(f64, f64)> = None;
        for _ in 0..TURNS {
            let Some(place) = lowest(points).filter(|place| *place > low && *place < high) else { break };
            let value = self.between(place);
            if least.is_some_and(|(_, known)| known <= value) {
                break;
            }
            least = Some((place, value));
            // The next parabola goes through the new point and the two points nearest to it.
            let distance = |point: &(f64, f64)| (point.0 - place).abs();
            let farthest = points.iter().map(distance).fold(0.0, f64::max);
            let Some(point) = points.iter_mut().find(|point| distance(point) >= farthest) else { break };
            *point = (place, value);
            points.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        }
        least.filter(|(_, value)| !is_end || *value < heights[k])
    }

    /// The polynomial of degree 8 through all values, at a place that is no node. Source: J.-P. Berrut, L. N. Trefethen, *Barycentric
    /// Lagrange interpolation*, SIAM Review 46, 2004, (5.4).
    fn between(&self, place: f64) -> f64 {
        let (mut sum, mut weights) = (0.0, 0.0);
        for (k, (height, node)) in self.heights.iter().zip(Self::PLACES).enumerate() {
            let half = if k == 0 || k == NODES - 1 { 0.5 } else { 1.0 };
            let sign = if k % 2 == 0 { half } else { -half };
            let weight = sign / (place - node);
            (sum, weights) = (sum + weight * height, weights + weight);
        }
        sum / weights
    }
}

/// The parabolas by which a least value is approached.
const TURNS: u32 = 4;

/// The place of the least value of the parabola through three points, of which the places differ.
fn lowest([(x, a), (y, b), (z, c)]: [(f64, f64); 3]) -> Option<f64> {
    let (first, second) = ((b - a) / (y - x), (c - b) / (z - y));
    let bend = (second - first) / (z - x);
    // a + first (s − x) + bend (s − x)(s − y).
    (bend > 0.0).then(|| (x + y) / 2.0 - first / (2.0 * bend))
}
