//! The serde format of the past stages: one sequence, step after step.

use super::DEPTH;
use core::fmt;
use core::marker::PhantomData;
use nalgebra::SVector;
use serde::de::{Error, SeqAccess, Visitor};
use serde::ser::SerializeTuple;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

type Table<R, const N: usize, const S: usize> = [[SVector<R, N>; S]; DEPTH];

pub(super) fn serialize<R, T, const N: usize, const S: usize>(
    table: &Table<R, N, S>,
    serializer: T,
) -> Result<T::Ok, T::Error>
where
    T: Serializer,
    SVector<R, N>: Serialize,
{
    let mut sequence = serializer.serialize_tuple(DEPTH * S)?;
    for velocity in table.iter().flatten() {
        sequence.serialize_element(velocity)?;
    }
    sequence.end()
}

pub(super) fn deserialize<'de, R, D, const N: usize, const S: usize>(
    deserializer: D,
) -> Result<Table<R, N, S>, D::Error>
where
    R: crate::scalar::Real,
    D: Deserializer<'de>,
    SVector<R, N>: Deserialize<'de>,
{
    deserializer.deserialize_tuple(DEPTH * S, Stages(PhantomData))
}

struct Stages<R, const N: usize, const S: usize>(PhantomData<R>);

impl<'de, R, const N: usize, const S: usize> Visitor<'de> for Stages<R, N, S>
where
    R: crate::scalar::Real,
    SVector<R, N>: Deserialize<'de>,
{
    type Value = Table<R, N, S>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} velocities", DEPTH * S)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Self::Value, A::Error> {
        let mut table = [[SVector::repeat(R::ZERO); S]; DEPTH];
        for (index, velocity) in table.iter_mut().flatten().enumerate() {
            *velocity = sequence.next_element()?.ok_or_else(|| A::Error::invalid_length(index, &self))?;
        }
        Ok(table)
    }
}
