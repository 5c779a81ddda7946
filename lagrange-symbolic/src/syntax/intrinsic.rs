//! The functions that a block may call, by name: the elementary ones of `graph/function.rs`, and those of the table here, whose
//! meaning stands in `meaning/call.rs`.

use crate::graph::function::Function;

/// What a function's name means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Intrinsic {
    /// A function of one scalar.
    Elementary(Function),
    Atan2,
    Sqrt,
    Hypot,
    /// x − y·floor(x/y).
    Modulo,
    /// The smallest or largest of its arguments.
    Extreme(Function),
    Norm,
    /// inner(v, v).
    Norm2,
    Inner,
    Cross,
    /// The total time derivative.
    Dot,
    /// The smooth step: 0 for x ≤ 0, 1 for x ≥ 1, and twice continuously differentiable.
    SmoothStep,
    Transpose,
    /// A function about rotations and rigid bodies.
    Rotation(Rotation),
}

/// The functions besides the elementary ones, by name.
const FUNCTIONS: [(&str, Intrinsic); 20] = [
    ("atan2", Intrinsic::Atan2),
    ("mod", Intrinsic::Modulo),
    ("sqrt", Intrinsic::Sqrt),
    ("hypot", Intrinsic::Hypot),
    ("min", Intrinsic::Extreme(Function::Min)),
    ("max", Intrinsic::Extreme(Function::Max)),
    ("norm", Intrinsic::Norm),
    ("norm2", Intrinsic::Norm2),
    ("inner", Intrinsic::Inner),
    ("cross", Intrinsic::Cross),
    ("dot", Intrinsic::Dot),
    ("smoothstep", Intrinsic::SmoothStep),
    ("transpose", Intrinsic::Transpose),
    ("rotation_x", Intrinsic::Rotation(Rotation::About(0))),
    ("rotation_y", Intrinsic::Rotation(Rotation::About(1))),
    ("rotation_z", Intrinsic::Rotation(Rotation::About(2))),
    ("rotation", Intrinsic::Rotation(Rotation::Of)),
    ("angular_velocity_body", Intrinsic::Rotation(Rotation::VelocityBody)),
    ("angular_velocity_space", Intrinsic::Rotation(Rotation::VelocitySpace)),
    ("rigid_body_energy", Intrinsic::Rotation(Rotation::Energy)),
];

/// Functions with a grammar or arguments of their own.
const SPECIAL: [&str; 21] = [
    "integral",
    "sum",
    "multiplier",
    "reaction",
    "momentum",
    "friction",
    "contact",
    "approach",
    "distance",
    "slip_velocity",
    "sphere",
    "plane",
    "capsule",
    "box",
    "vertex",
    "edge",
    "partial",
    "inverse",
    "constraint_jacobian",
    "constraint_drift",
    "constraint_curvature",
];

impl Intrinsic {
    /// The function of this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let elementary = Function::elementary().find(|function| function.name() == name).map(Self::Elementary);
        elementary.or_else(|| FUNCTIONS.iter().find(|(known, _)| *known == name).map(|(_, intrinsic)| *intrinsic))
    }

    /// The names of all functions.
    pub(crate) fn names() -> impl Iterator<Item = &'static str> {
        Function::elementary().map(Function::name).chain(FUNCTIONS.iter().map(|(name, _)| *name)).chain(SPECIAL)
    }

    /// The numbers of arguments it takes, in words and as bounds.
    pub(crate) fn arguments(self) -> (&'static str, usize, usize) {
        match self {
            Self::Atan2 | Self::Modulo | Self::Hypot | Self::Inner | Self::Cross => ("2 arguments", 2, 2),
            Self::Extreme(_) => ("2 arguments or more", 2, usize::MAX),
            Self::Rotation(rotation) => rotation.arguments(),
            _ => ("1 argument", 1, 1),
        }
    }
}

/// A function about rotations and rigid bodies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rotation {
    /// `rotation_x(angle)` and its relatives, by the axis.
    About(usize),
    /// `rotation(quaternion)`, or `rotation(axis, angle)` with an axis of length 1.
    Of,
    /// `angular_velocity_body(rotation)`, of a matrix or of a quaternion.
    VelocityBody,
    /// `angular_velocity_space(rotation)`.
    VelocitySpace,
    /// `rigid_body_energy(mass, inertia, position, orientation)`.
    Energy,
}

impl Rotation {
    /// The numbers of arguments it takes, in words and as bounds.
    pub(crate) fn arguments(self) -> (&'static str, usize, usize) {
        match self {
            Self::About(_) | Self::VelocityBody | Self::VelocitySpace => ("1 argument", 1, 1),
            Self::Of => ("1 or 2 arguments", 1, 2),
            Self::Energy => ("4 arguments", 4, 4),
        }
    }
}
