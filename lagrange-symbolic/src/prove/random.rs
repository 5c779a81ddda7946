//! A fixed pseudo-random sequence (SplitMix64: Steele, Lea & Flood 2014).

/// The state of the sequence.
#[derive(Clone, Debug)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A whole number in 0 … `bound` − 1.
    pub(crate) fn below(&mut self, bound: i64) -> i64 {
        (self.next() % bound.unsigned_abs().max(1)) as i64
    }

    /// A number between 0 and 1.
    pub(crate) fn fraction(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}
