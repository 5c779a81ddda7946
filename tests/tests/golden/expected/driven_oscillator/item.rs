/// A mass on a spring whose other end shakes, with a damper and a force.
///
/// # Derived equations
///
/// ```text
/// mass[x, x] = m
/// forcing[x] = push - c*dot(x) + k*(a*sin(w*t) - x)
/// momentum[x] = m*dot(x)
/// energy = (m*dot(x)^2 + k*(x - a*sin(w*t))^2)/2
/// ```
///
/// They are solved as `mass * acceleration = forcing`. Operations of each evaluation:
///
/// - `prepare`: 7 additions, 7 multiplications, 1 division, 1 selection
/// - `acceleration`: 3 additions, 5 multiplications, 1 sine/cosine pair
/// - `acceleration_jacobian`: 3 additions, 6 multiplications, 1 sine/cosine pair
/// - `velocity_correction`: 1 multiplication
/// - `equations`: 3 additions, 4 multiplications, 1 sine/cosine pair
/// - `balance`: 3 additions, 5 multiplications, 1 sine/cosine pair
/// - `balance_jacobian`: 3 additions, 5 multiplications, 1 sine/cosine pair
/// - `balance_rates`: 2 multiplications, 1 sine/cosine pair
/// - `residual_jacobian`: 2 multiplications, 1 sine/cosine pair
/// - `residual_parameters`: 1 addition, 5 multiplications, 1 sine/cosine pair
/// - `energies`: 2 additions, 6 multiplications, 1 sine/cosine pair
/// - `powers`: 1 addition, 7 multiplications, 1 sine/cosine pair
pub struct Oscillator {
    pub m: f64,
    pub k: f64,
    pub c: f64,
    pub a: f64,
    pub w: f64,
    pub push: f64,
}
