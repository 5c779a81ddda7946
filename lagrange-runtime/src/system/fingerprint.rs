//! The fingerprint of a mechanism with its parameters.

use crate::scalar::Scalar;

/// A fingerprint that distinguishes prepared equations from others: two hashes (FNV-1a, 64 bits).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Fingerprint {
    /// The hash of the mechanism's block and struct.
    pub mechanism: u64,
    /// The hash of the values of its parameters and default inputs.
    pub parameters: u64,
}

impl Fingerprint {
    /// The fingerprint of a mechanism with these values of its parameters and default inputs. Of several lanes, the first
    /// counts.
    #[must_use]
    pub fn of<R: Scalar>(mechanism: u64, parameters: &[R], inputs: &[R]) -> Self {
        let mut hash = Fnv::new();
        for value in parameters.iter().chain(inputs) {
            hash.write(&value.to_f64().to_bits().to_le_bytes());
        }
        Self { mechanism, parameters: hash.0 }
    }

    pub(super) fn of_names(coordinates: &[&str], constraints: &[&str]) -> Self {
        let mut hash = Fnv::new();
        for name in coordinates.iter().chain(constraints) {
            hash.write(name.as_bytes());
            hash.write(&[0]);
        }
        Self { mechanism: hash.0, parameters: 0 }
    }
}

/// The hash FNV-1a by G. Fowler, L. C. Noll and K.-P. Vo.
pub(crate) struct Fnv(pub(crate) u64);

impl Fnv {
    pub(crate) fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}
