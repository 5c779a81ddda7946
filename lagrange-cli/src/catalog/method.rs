//! The methods of integration: one table with their names, kinds and constructors.
//!
//! A row adds a method to the command line, its help, the simulation of every mechanism and the diagrams of work and precision.

use super::integration::Integration;
use clap::ValueEnum;
use lagrange_runtime::prelude::*;
use lagrange_runtime::system::Facts;

/// What a method needs of a mechanism, and which settings it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A fixed step of (q, v); under constraints each step is projected.
    Fixed,
    /// A step that adapts; under constraints each step is projected.
    Adaptive,
    /// A step that adapts, for accelerations without velocities and without constraints.
    AdaptiveNystrom,
    /// A fixed step of (q, p), also under holonomic constraints.
    Canonical,
    /// As [`Kind::Canonical`]; a [`Scheme`](super::Scheme) may raise the order.
    Composable,
    /// A fixed step for L = T(v) − V(q) without constraints.
    Separable,
    /// As [`Kind::Separable`]; a [`Scheme`](super::Scheme) may raise the order.
    SeparableComposable,
}

impl Kind {
    /// Whether the step adapts to tolerances.
    pub fn is_adaptive(self) -> bool {
        matches!(self, Self::Adaptive | Self::AdaptiveNystrom)
    }

    /// Whether a [`Scheme`](super::Scheme) may raise the order.
    pub fn is_composable(self) -> bool {
        matches!(self, Self::Composable | Self::SeparableComposable)
    }

    /// Whether methods of this kind apply to a mechanism of which `facts` are proved.
    pub fn fits(self, facts: &Facts) -> bool {
        match self {
            Self::Fixed | Self::Adaptive => true,
            Self::AdaptiveNystrom => facts.unconstrained && facts.velocity_free_acceleration,
            Self::Canonical | Self::Composable => facts.holonomic,
            Self::Separable | Self::SeparableComposable => {
                facts.unconstrained && facts.separable && facts.velocity_free_acceleration
            }
        }
    }
}

/// A row: what the help says; the kind; the name, in diagrams and messages too; the constructor, of a step where it is fixed.
macro_rules! methods {
    ($($(#[$help:meta])+ $kind:ident $name:ident($label:literal) = $new:expr;)+) => {
        /// A method of integration, as the command line names it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
        pub enum MethodName {
            $($(#[$help])+ $name,)+
        }

        impl MethodName {
            /// Returns the method's name in diagrams and messages.
            pub const fn label(self) -> &'static str {
                match self {
                    $(Self::$name => $label,)+
                }
            }

            /// Returns what this method needs of a mechanism, and which settings it has.
            pub fn kind(self) -> Kind {
                match self {
                    $(Self::$name => Kind::$kind,)+
                }
            }
        }

        /// Integrates without constraints.
        pub(super) fn free<const N: usize, const U: usize>(
            integration: Integration<'_, '_, N, 0, U>,
        ) -> Result<Report, SolveError<f64, N>> {
            match integration.method() {
                $(MethodName::$name => free!($kind, integration, $new),)+
            }
        }

        /// Integrates under constraints, from a state that meets them.
        pub(super) fn constrained<const N: usize, const C: usize, const U: usize>(
            integration: Integration<'_, '_, N, C, U>,
        ) -> Result<Report, SolveError<f64, N>> {
            match integration.method() {
                $(MethodName::$name => constrained!($kind, integration, $new),)+
            }
        }
    };
}

/// The integration by a method of a kind, without constraints.
macro_rules! free {
    (Adaptive, $integration:ident, $new:expr) => {
        $integration.alone(&$new())
    };
    (AdaptiveNystrom, $integration:ident, $new:expr) => {
        $integration.alone(&$new())
    };
    (Composable, $integration:ident, $new:expr) => {
        $integration.composed($new)
    };
    (SeparableComposable, $integration:ident, $new:expr) => {
        $integration.composed($new)
    };
    ($fixed:ident, $integration:ident, $new:expr) => {
        $integration.stepped($new)
    };
}

/// The integration by a method of a kind, under constraints.
macro_rules! constrained {
    (Fixed, $integration:ident, $new:expr) => {
        $integration.stepped(|step| Projected::new($new(step)))
    };
    (Adaptive, $integration:ident, $new:expr) => {
        $integration.alone(&Projected::new($new()))
    };
    (Canonical, $integration:ident, $new:expr) => {
        $integration.stepped($new)
    };
    (Composable, $integration:ident, $new:expr) => {
        $integration.composed($new)
    };
    ($unconstrained:ident, $integration:ident, $new:expr) => {
        Err($integration.refusal())
    };
}

methods! {
    /// Classical Runge–Kutta, order 4, fixed step
    Fixed Rk4("Runge–Kutta 4") = Rk4::new;
    /// Predictor–corrector Verlet, order 2, fixed step
    Fixed Verlet("Verlet, predicted") = Verlet::new;
    /// Bogacki–Shampine 3(2), adaptive step, for loose tolerances
    Adaptive BogackiShampine3("Bogacki–Shampine 3(2)") = BogackiShampine3::new;
    /// Runge–Kutta–Fehlberg 4(5), adaptive step
    Adaptive Rkf45("Runge–Kutta–Fehlberg 4(5)") = Rkf45::new;
    /// Dormand–Prince 5(4), adaptive step
    Adaptive DormandPrince5("Dormand–Prince 5(4)") = DormandPrince5::new;
    /// Tsitouras 5(4), adaptive step
    Adaptive Tsitouras5("Tsitouras 5(4)") = Tsitouras5::new;
    /// Verner 6(5), adaptive step
    Adaptive Verner6("Verner 6(5)") = Verner6::new;
    /// Dormand–Prince 8(5,3), adaptive step, for tight tolerances
    Adaptive Dop853("DOP853") = Dop853::new;
    /// Verner 9(8), adaptive step, for the tightest tolerances
    Adaptive Verner9("Verner 9(8)") = Verner9::new;
    /// Gragg–Bulirsch–Stoer extrapolation of variable order, adaptive step
    Adaptive Extrapolation("extrapolation") = Extrapolation::new;
    /// Nyström pair 8(6), adaptive step, for accelerations without velocities
    AdaptiveNystrom Nystrom8("Dormand–El-Mikkawy–Prince 8(6)") = Nystrom8::unproved;
    /// Implicit midpoint rule on (q, p), order 2, symplectic, fixed step
    Canonical ImplicitMidpoint("implicit midpoint") = ImplicitMidpoint::new;
    /// Gauss collocation with 2 stages, order 4, symplectic, fixed step
    Canonical Gauss2("Gauss, 2 stages") = Gauss::<f64, 2>::new;
    /// Gauss collocation with 3 stages, order 6
    Canonical Gauss3("Gauss, 3 stages") = Gauss::<f64, 3>::new;
    /// Gauss collocation with 4 stages, order 8
    Canonical Gauss4("Gauss, 4 stages") = Gauss::<f64, 4>::new;
    /// Gauss collocation with 5 stages, order 10
    Canonical Gauss5("Gauss, 5 stages") = Gauss::<f64, 5>::new;
    /// Gauss collocation with 6 stages, order 12
    Canonical Gauss6("Gauss, 6 stages") = Gauss::<f64, 6>::new;
    /// Variational integrator by the midpoint rule, order 2, symplectic, fixed step
    Composable VariationalMidpoint("variational midpoint") = VariationalMidpoint::new;
    /// Variational integrator by the trapezoidal rule, order 2, symplectic, fixed step
    Composable VariationalTrapezoid("variational trapezoid") = VariationalTrapezoid::new;
    /// RATTLE, order 2, symplectic under constraints too, fixed step
    Composable Rattle("RATTLE") = Rattle::new;
    /// SHAKE, RATTLE with the momentum projected for output only
    Composable Shake("SHAKE") = Rattle::shake;
    /// Störmer–Verlet for L = T(v) − V(q), order 2, symplectic, fixed step
    SeparableComposable StormerVerlet("Störmer–Verlet") = StormerVerlet::unproved;
    /// Symplectic Euler for L = T(v) − V(q), order 1, fixed step
    Separable SymplecticEuler("symplectic Euler") = SymplecticEuler::unproved;
}
