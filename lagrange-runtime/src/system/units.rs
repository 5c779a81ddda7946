//! The units of a mechanism's quantities, as texts.

/// The units that a block states, and those that follow from them, as texts for readers: `kg m²/s²`.
///
/// A unit that is neither stated nor determined is an empty text, and so are all units of a block that states none. The unit of a number is
/// `1`. No number is converted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Units {
    /// The unit of times.
    pub time: &'static str,
    /// The unit of frequencies.
    pub frequency: &'static str,
    /// The unit of rates that are no frequencies.
    pub rate: &'static str,
    /// The unit of energies and works.
    pub energy: &'static str,
    /// The unit of powers.
    pub power: &'static str,
    /// The units of the parameters, in the order of [`Mechanism::PARAMETERS`](super::Mechanism::PARAMETERS), and then of the inputs.
    pub fields: &'static [&'static str],
    /// The units of the coordinates, in the order of [`Mechanism::COORDINATES`](super::Mechanism::COORDINATES), and then of the states.
    pub coordinates: &'static [&'static str],
    /// The units of the velocities, in the order of the coordinates: those of the coordinates over [`Units::time`]. States have no velocities.
    pub velocities: &'static [&'static str],
    /// The units of the outputs, in the order of [`Sensors::output_names`](super::Sensors::output_names).
    pub outputs: &'static [&'static str],
    /// The units of the multipliers, in the order of [`Mechanism::CONSTRAINTS`](super::Mechanism::CONSTRAINTS): an energy over the unit of a
    /// holonomic constraint, and a power over that of a nonholonomic one.
    pub multipliers: &'static [&'static str],
}

impl Units {
    /// The units of a block that states none.
    pub const UNSTATED: Self = Self {
        time: "",
        frequency: "",
        rate: "",
        energy: "",
        power: "",
        fields: &[],
        coordinates: &[],
        velocities: &[],
        outputs: &[],
        multipliers: &[],
    };
}
