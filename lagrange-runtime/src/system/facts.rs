//! What the derivation proved about a mechanism.

/// What the derivation proved about a mechanism, for decisions at run time.
///
/// The marker traits of the same names give the facts to the compiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// ∂L/∂t, ∂D/∂t, ∂Q/∂t, g_t and b_t vanish, and there is no input.
    pub autonomous: bool,
    /// L_t = 0, D = 0, Q = 0, g_t = 0, b = 0: Jacobi's integral is constant.
    pub conservative: bool,
    /// ∂²L/∂v² depends on parameters alone.
    pub constant_mass: bool,
    /// L = T(v) − V(q).
    pub separable: bool,
    /// The acceleration does not depend on v.
    pub velocity_free_acceleration: bool,
    /// F = f − (∂p/∂q) v − ∂p/∂t does not depend on v. With constraints the acceleration may still depend on v.
    pub velocity_free_forcing: bool,
    /// L is quadratic in v: the momentum is affine in v.
    pub quadratic: bool,
    /// M is positive definite at every state.
    pub positive_mass: bool,
    /// M is regular at every state: the momentum determines the velocity.
    pub regular_momentum: bool,
    /// M is singular at every state. The equations can be solved where the constraints make [M Gᵀ; G 0] regular.
    pub singular_mass: bool,
    /// There is no constraint.
    pub unconstrained: bool,
    /// Every constraint is holonomic.
    pub holonomic: bool,
    /// Names of the coordinates q with ∂L/∂q = 0.
    pub cyclic: &'static [&'static str],
}

impl Facts {
    /// No fact is known.
    pub const NONE: Self = Self {
        autonomous: false,
        conservative: false,
        constant_mass: false,
        separable: false,
        velocity_free_acceleration: false,
        velocity_free_forcing: false,
        quadratic: false,
        positive_mass: false,
        regular_momentum: false,
        singular_mass: false,
        unconstrained: false,
        holonomic: false,
        cyclic: &[],
    };
}

macro_rules! markers {
    ($($(#[doc = $doc:literal])* $name:ident: $message:literal;)*) => {$(
        $(#[doc = $doc])*
        #[diagnostic::on_unimplemented(message = $message)]
        pub trait $name {}
    )*};
}

markers! {
    /// ∂L/∂t, ∂D/∂t, ∂Q/∂t, g_t and b_t vanish, and there is no input.
    Autonomous: "this method needs a mechanism that does not depend on time or inputs";
    /// L_t = 0, D = 0, Q = 0, g_t = 0, b = 0: the energy h is constant.
    Conservative: "this method needs a mechanism without dissipation, force, input or explicit time";
    /// The mass matrix depends on parameters alone.
    ConstantMass: "this method needs a constant mass matrix";
    /// L = T(v) − V(q).
    Separable: "this method needs a separable Lagrangian, L = T(v) − V(q)";
    /// The acceleration does not depend on the velocity.
    VelocityFreeAcceleration: "this method needs an acceleration that does not depend on the velocity";
    /// The mass matrix is positive definite at every state.
    PositiveMass: "this method needs a mass matrix that is proved positive definite";
    /// The momentum determines the velocity at every state.
    RegularMomentum: "this method needs a mass matrix that is proved regular";
    /// The mechanism has no constraint.
    Unconstrained: "this method needs a mechanism without constraints";
    /// Every constraint is holonomic.
    Holonomic: "this method needs constraints that are holonomic";
}
