//! Quantities of the crate [`uom`] as the numbers of a mechanism, and back (feature `uom`).
//!
//! A block that states units gives its struct the constant [`Quantified::QUANTITIES`]. It has a field for each name, with two methods:
//! `number` converts a quantity into the number that the mechanism needs, in the unit that the block states or that follows from the
//! others, and `quantity` converts a number into a quantity. A quantity of another dimension does not compile. The kinds that `uom`
//! adds to dimensions are not compared, because `rad` is 1 in a block: `number` takes an
//! `Angle` and a `Ratio` where a number is needed, and a `Torque` and an `Energy` where N m is.
//!
//! A temperature is a number of kelvins: `number` of a `ThermodynamicTemperature` of 20 °C is 293.15, and that of a
//! `TemperatureInterval` of 20 °C is 20. The block decides which of both a name means; the types cannot.
//!
//! The page [units](crate::guide::units) of the guide has an example.

use core::fmt;
use core::marker::PhantomData;

/// A mechanism that states units (feature `uom`). The attribute implements this.
pub trait Quantified {
    /// A struct with the fields `time`, `fields`, `coordinates`, `velocities` and `outputs`. All but the first are structs with a field for
    /// each name: parameters and inputs, coordinates and states, the velocities of coordinates, and outputs. A part is a field with such a
    /// struct, and an array is one field, because its elements have one unit.
    type Quantities: Copy + core::fmt::Debug + Send + Sync + 'static;
    /// What converts quantities into numbers and back, by name. See [the module](self).
    const QUANTITIES: Self::Quantities;
}

/// A quantity of `uom` with the dimension of the unit `Unit`, whatever the quantity's kind. The attribute implements this trait for
/// each unit of a block, and the unit is a type with its name: `kg_m2_per_s2` for `kg*m^2/s^2`.
#[diagnostic::on_unimplemented(
    message = "a quantity with the dimension of `{Unit}` is needed here",
    label = "this is not a quantity in `{Unit}`"
)]
pub trait QuantityIn<Unit> {
    /// The number of this quantity in the unit.
    fn number(self) -> f64;
    /// The quantity of a number in the unit.
    fn quantity(number: f64) -> Self;
}

/// A name whose numbers are in the unit `Unit`.
pub struct In<Unit>(PhantomData<fn() -> Unit>);

impl<Unit> In<Unit> {
    /// This value.
    pub const ALL: Self = Self(PhantomData);

    /// The number of a quantity in this unit.
    pub fn number<Q: QuantityIn<Unit>>(self, quantity: Q) -> f64 {
        quantity.number()
    }

    /// The quantity of a number in this unit.
    pub fn quantity<Q: QuantityIn<Unit>>(self, number: f64) -> Q {
        Q::quantity(number)
    }
}

impl<Unit> Clone for In<Unit> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<Unit> Copy for In<Unit> {}

impl<Unit> fmt::Debug for In<Unit> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("In")
    }
}

/// A unit that no quantity of `uom` has: its type, the trait that nothing implements, what rustc says, and why.
macro_rules! refused {
    ($($ty:ident $of:ident $message:literal $note:literal;)*) => {$(
        #[doc = concat!("A name where ", $message, ".")]
        #[derive(Clone, Copy, Debug)]
        pub struct $ty;

        impl $ty {
            /// This value.
            pub const ALL: Self = Self;

            /// Does not compile, because no quantity has this unit.
            pub fn number<Q: $of>(self, quantity: Q) -> f64 {
                quantity.number()
            }

            /// Does not compile, because no quantity has this unit.
            pub fn quantity<Q: $of>(self, number: f64) -> Q {
                Q::quantity(number)
            }
        }

        #[doc = concat!("No type has this trait, because ", $message, ".")]
        #[diagnostic::on_unimplemented(message = $message, label = "no quantity can be converted here", note = $note)]
        pub trait $of {
            /// The number.
            fn number(self) -> f64;
            /// The quantity.
            fn quantity(number: f64) -> Self;
        }
    )*};
}

refused! {
    Undetermined OfUndetermined "nothing in the block determines the unit of this name"
        "state its unit in the block, as in `#[unit(kg)]`";
    Broken OfBroken "the unit of this name has a broken exponent, which `uom` cannot state"
        "pass the number itself, in the unit that the block states";
    Solar OfSolar "the unit of this name contains `Msun`, which is no exact number of kilograms"
        "pass the number itself, in the unit that the block states";
    Beyond OfBeyond "the factor or an exponent of this name's unit is too large for a number"
        "pass the number itself, in the unit that the block states";
    Several OfSeveral "the elements of this array have several units"
        "pass the numbers themselves, in the units that the block states";
}

/// What the attribute calls for a struct whose block states units.
#[doc(hidden)]
#[macro_export]
macro_rules! __quantities {
    (
        [$($generics:tt)*] [$($name:tt)*] [$($bounds:tt)*]
        [$($unit:ident $text:literal [$($exponent:ident)*] [$factor:expr] [$divisor:expr];)*]
        [$(struct $group:ident { $($documentation:literal $field:ident: $ty:ty,)* })*]
        [$time:ty] [$fields:ident] [$coordinates:ident] [$velocities:ident] [$outputs:ident]
    ) => {
        impl $($generics)* $crate::quantity::Quantified for $($name)* $($bounds)* {
            type Quantities = __quantities::Quantities;
            const QUANTITIES: __quantities::Quantities = __quantities::Quantities::ALL;
        }

        mod __quantities {
            // The crate may have no prelude.
            use ::core::prelude::rust_2024::*;

            /// The units, in a module without other names.
            pub mod units {
                $(
                    #[doc = $text]
                    #[derive(::core::fmt::Debug)]
                    pub struct $unit;
                )*
            }

            $(
                impl<__Kind: ?Sized> $crate::quantity::QuantityIn<units::$unit> for $crate::uom::si::Quantity<
                    $crate::uom::si::ISQ<$($crate::uom::typenum::$exponent,)* __Kind>,
                    $crate::uom::si::SI<f64>,
                    f64,
                >
                where
                    $crate::uom::si::ISQ<$($crate::uom::typenum::$exponent,)* __Kind>: $crate::uom::si::Dimension,
                {
                    fn number(self) -> f64 {
                        self.value * $divisor / $factor
                    }

                    fn quantity(number: f64) -> Self {
                        Self {
                            dimension: ::core::marker::PhantomData,
                            units: ::core::marker::PhantomData,
                            value: number * $factor / $divisor,
                        }
                    }
                }
            )*

            $(
                /// The units of some names.
                #[derive(Clone, Copy, Debug)]
                pub struct $group {
                    $(#[doc = $documentation] pub $field: $ty,)*
                }

                impl $group {
                    pub(super) const ALL: Self = Self { $($field: <$ty>::ALL,)* };
                }
            )*

            /// The units of all names.
            #[derive(Clone, Copy, Debug)]
            pub struct Quantities {
                /// The unit of the time.
                pub time: $time,
                /// The units of the parameters and inputs.
                pub fields: $fields,
                /// The units of the coordinates and states.
                pub coordinates: $coordinates,
                /// The units of the velocities of the coordinates.
                pub velocities: $velocities,
                /// The units of the outputs.
                pub outputs: $outputs,
            }

            impl Quantities {
                pub(super) const ALL: Self = Self {
                    time: <$time>::ALL,
                    fields: $fields::ALL,
                    coordinates: $coordinates::ALL,
                    velocities: $velocities::ALL,
                    outputs: $outputs::ALL,
                };
            }
        }
    };
}
