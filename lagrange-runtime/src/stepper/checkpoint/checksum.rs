//! A checksum over everything that serde writes of a value.

use crate::system::Fnv;
use core::fmt::{self, Error, Write};
use serde::ser::{
    SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple, SerializeTupleStruct,
    SerializeTupleVariant,
};
use serde::{Serialize, Serializer};

/// Precedes each part of a value, and a value that is there.
const PART: u8 = 1;

/// Follows the last part of a value, and stands for a value that is not there.
const END: u8 = 0;

/// Follows the last byte of a text. No text contains it.
const END_OF_TEXT: u8 = 0xff;

/// The checksum of `value`: the hash FNV-1a of its numbers, bit by bit, and of the form that they have.
///
/// The hash is a bijection of what it was before a byte and injective in the byte, so that a change of a single byte always changes
/// it. Other changes do so with a probability of 1 − 2⁻⁶⁴.
///
/// # Errors
/// Those of the value's own `Serialize`.
pub(super) fn checksum<T: Serialize>(value: &T) -> Result<u64, Error> {
    let mut checksum = Checksum(Fnv::new());
    value.serialize(&mut checksum)?;
    Ok(checksum.0.0)
}

/// A serializer that keeps nothing but the hash of what it gets.
struct Checksum(Fnv);

impl Checksum {
    fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.0.write(bytes);
        Ok(())
    }

    /// Opens the variant of an enumeration.
    fn variant(&mut self, index: u32) -> Result<&mut Self, Error> {
        self.write(&index.to_le_bytes())?;
        Ok(self)
    }
}

impl Write for Checksum {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.write(text.as_bytes())
    }
}

macro_rules! numbers {
    ($($method:ident: $Number:ty),*) => {
        $(
            fn $method(self, number: $Number) -> Result<(), Error> {
                self.write(&number.to_le_bytes())
            }
        )*
    };
}

impl<'a> Serializer for &'a mut Checksum {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = &'a mut Checksum;
    type SerializeTuple = &'a mut Checksum;
    type SerializeTupleStruct = &'a mut Checksum;
    type SerializeTupleVariant = &'a mut Checksum;
    type SerializeMap = &'a mut Checksum;
    type SerializeStruct = &'a mut Checksum;
    type SerializeStructVariant = &'a mut Checksum;

    numbers!(serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64, serialize_i128: i128);
    numbers!(serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64, serialize_u128: u128);
    numbers!(serialize_f32: f32, serialize_f64: f64);

    fn is_human_readable(&self) -> bool {
        false
    }

    fn serialize_bool(self, value: bool) -> Result<(), Error> {
        self.write(&[u8::from(value)])
    }

    fn serialize_char(self, value: char) -> Result<(), Error> {
        self.serialize_u32(value.into())
    }

    fn serialize_str(self, text: &str) -> Result<(), Error> {
        self.collect_str(text)
    }

    fn collect_str<T: fmt::Display + ?Sized>(self, text: &T) -> Result<(), Error> {
        write!(self, "{text}")?;
        self.write(&[END_OF_TEXT])
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<(), Error> {
        self.write(&(bytes.len() as u64).to_le_bytes())?;
        self.write(bytes)
    }

    fn serialize_none(self) -> Result<(), Error> {
        self.write(&[END])
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        self.write(&[PART])?;
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Error> {
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Error> {
        Ok(())
    }

    fn serialize_unit_variant(self, _: &'static str, index: u32, _: &'static str) -> Result<(), Error> {
        self.variant(index).map(|_| ())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        index: u32,
        _: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        value.serialize(self.variant(index)?)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self, Error> {
        Ok(self)
    }

    fn serialize_tuple(self, _: usize) -> Result<Self, Error> {
        Ok(self)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self, Error> {
        Ok(self)
    }

    fn serialize_tuple_variant(self, _: &'static str, index: u32, _: &'static str, _: usize) -> Result<Self, Error> {
        self.variant(index)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self, Error> {
        Ok(self)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, Error> {
        Ok(self)
    }

    fn serialize_struct_variant(self, _: &'static str, index: u32, _: &'static str, _: usize) -> Result<Self, Error> {
        self.variant(index)
    }
}

/// The traits through which a value of several parts hands them over, with what names a part.
macro_rules! parts {
    ($($Trait:ident: $($method:ident($($name:ty)?)),+;)*) => {
        $(
            impl $Trait for &mut Checksum {
                type Ok = ();
                type Error = Error;

                $(
                    fn $method<T: Serialize + ?Sized>(&mut self, $(_: $name,)? part: &T) -> Result<(), Error> {
                        self.write(&[PART])?;
                        part.serialize(&mut **self)
                    }
                )+

                fn end(self) -> Result<(), Error> {
                    self.write(&[END])
                }
            }
        )*
    };
}

parts! {
    SerializeSeq: serialize_element();
    SerializeTuple: serialize_element();
    SerializeTupleStruct: serialize_field();
    SerializeTupleVariant: serialize_field();
    SerializeMap: serialize_key(), serialize_value();
    SerializeStruct: serialize_field(&'static str);
    SerializeStructVariant: serialize_field(&'static str);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    enum Form {
        Nothing,
        One(f64),
        Two(u8, i128),
        Named { at: f32, last: bool },
    }

    fn of<T: Serialize>(value: T) -> u64 {
        checksum(&value).expect("numbers are written")
    }

    #[test]
    fn every_bit_of_a_number_counts() {
        for number in [0.0, -1.5, f64::INFINITY, f64::NAN, f64::from_bits(0x7ff0_0000_0000_0001)] {
            for bit in 0..64 {
                let flipped = f64::from_bits(number.to_bits() ^ 1 << bit);
                assert_ne!(of((1.0, number, 2)), of((1.0, flipped, 2)), "bit {bit} of {number}");
            }
        }
        for bit in 0..32 {
            assert_ne!(of(f32::NAN), of(f32::from_bits(f32::NAN.to_bits() ^ 1 << bit)));
            assert_ne!(of(7_u32), of(7_u32 ^ 1 << bit));
        }
        for bit in 0..128 {
            assert_ne!(of(Form::Two(3, -9)), of(Form::Two(3, -9 ^ 1 << bit)));
        }
        // Two flipped signs do not cancel.
        assert_ne!(of([1.0, 2.0, 3.0]), of([-1.0, -2.0, 3.0]));
    }

    #[test]
    fn values_of_different_form_differ() {
        // Only values of one type can take each other's place in a checkpoint.
        let options = [None, Some(None), Some(Some(0_u8))].map(of);
        let slices = [[1_usize, 2], [2, 1], [0, 3]].map(|[a, b]| of((&[0_u8; 3][..a], &[0_u8; 3][..b])));
        let texts = [("a", "bc"), ("ab", "c"), ("", "abc")].map(of);
        let forms = [
            of(Form::Nothing),
            of(Form::One(0.0)),
            of(Form::Named { at: 0.0, last: false }),
            of(Form::Named { at: 0.0, last: true }),
        ];
        for sums in [&options[..], &slices[..], &texts[..], &forms[..]] {
            for (index, sum) in sums.iter().enumerate() {
                assert!(!sums[..index].contains(sum), "{index}");
            }
        }
    }
}
