//! Which integration wrote a checkpoint.

use crate::error::{CheckpointPart, Failure};
use crate::method::{Method, Pace};
use crate::scalar::Real;
use crate::system::{Fingerprint, Fnv};

/// What must be the same where a checkpoint is written and where it is resumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Origin {
    /// A hash of the library's version.
    version: u64,
    system: Fingerprint,
    /// A hash of the method's name and order.
    method: u64,
    /// A hash of the method's step size or step control.
    step: u64,
}

impl Origin {
    /// The origin of checkpoints of an integration of the system with this fingerprint by `method`.
    pub(super) fn of<M, R, const N: usize, const C: usize>(system: Fingerprint, method: &M) -> Self
    where
        M: Method<R, N, C>,
        R: Real,
    {
        let step = match method.pace() {
            Pace::Fixed(h) => hash(&[&h.to_f64().to_bits().to_le_bytes()]),
            Pace::Adaptive(control) => control.hash(),
        };
        Self {
            version: hash(&[env!("CARGO_PKG_VERSION").as_bytes()]),
            system,
            method: hash(&[method.name().as_bytes(), &method.order().to_le_bytes()]),
            step,
        }
    }

    /// Fails where `self`, the origin of a checkpoint, differs from `resuming`, the origin of the integration that resumes it.
    pub(super) fn check(&self, resuming: &Self) -> Result<(), Failure> {
        let parts = [
            (CheckpointPart::Version, self.version == resuming.version),
            (CheckpointPart::Mechanism, self.system.mechanism == resuming.system.mechanism),
            (CheckpointPart::Parameters, self.system.parameters == resuming.system.parameters),
            (CheckpointPart::Method, self.method == resuming.method),
            (CheckpointPart::Step, self.step == resuming.step),
        ];
        match parts.into_iter().find(|(_, same)| !same) {
            Some((of, _)) => Err(Failure::CheckpointMismatch { of }),
            None => Ok(()),
        }
    }
}

/// A hash of byte strings, in this order.
pub(crate) fn hash(parts: &[&[u8]]) -> u64 {
    let mut hash = Fnv::new();
    for part in parts {
        hash.write(part);
    }
    hash.0
}
