//! The serde format of a checkpoint: its contents, and a checksum that is compared where they are read.

use super::checksum::checksum;
use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[derive(Serialize, Deserialize)]
struct Sealed<T> {
    contents: T,
    checksum: u64,
}

pub(super) fn serialize<T: Serialize, S: Serializer>(contents: &T, serializer: S) -> Result<S::Ok, S::Error> {
    let checksum = checksum(contents).map_err(S::Error::custom)?;
    Sealed { contents, checksum }.serialize(serializer)
}

pub(super) fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: Serialize + Deserialize<'de>,
    D: Deserializer<'de>,
{
    let Sealed { contents, checksum: written } = Sealed::<T>::deserialize(deserializer)?;
    let found = checksum(&contents).map_err(D::Error::custom)?;
    if found != written {
        return Err(D::Error::custom(format_args!(
            "the checkpoint was altered after it was written, or its format does not keep numbers exactly (its checksum is {written}, \
             that of its contents {found}); resume from another one, or store it in another format"
        )));
    }
    Ok(contents)
}
