//! The oscillator of van der Pol, which `units.py` exports from this file: x″ = μ (1 − x²) x′ − x.

/// A mass on a spring whose damping is negative where the deflection is small.
#[lagrangian {
    coordinates x;
    kinetic   = dot(x)^2/2;
    potential = x^2/2;
    force x = mu*(1 - x^2)*dot(x) + push;
    output square = x^2*dot(dot(x));
}]
struct Oscillator {
    /// The size of the damping.
    mu: f64,
    #[input]
    push: f64,
}
