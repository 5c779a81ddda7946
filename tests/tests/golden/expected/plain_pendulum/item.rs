/// A point mass on a rod.
///
/// # Derived equations
///
/// ```text
/// mass[theta, theta] = m*l^2
/// forcing[theta] = -m*l*g*sin(theta)
/// momentum[theta] = m*l^2*dot(theta)
/// energy = m*l*(l*dot(theta)^2/2 - g*cos(theta))
/// ```
///
/// They are solved as `mass * acceleration = forcing`. Operations of each evaluation:
///
/// - `prepare`: 2 additions, 9 multiplications, 1 division, 1 selection
/// - `acceleration`: 1 multiplication, 1 sine/cosine pair
/// - `acceleration_jacobian`: 2 multiplications, 1 sine/cosine pair
/// - `velocity_correction`: 1 multiplication
/// - `equations`: 1 multiplication, 1 sine/cosine pair
/// - `balance`: 2 multiplications, 1 sine/cosine pair
/// - `balance_jacobian`: 3 multiplications, 1 sine/cosine pair
/// - `balance_rates`: no operation
/// - `residual_jacobian`: 1 multiplication, 1 sine/cosine pair
/// - `residual_parameters`: 2 additions, 5 multiplications, 1 sine/cosine pair
/// - `energies`: 1 addition, 3 multiplications, 1 sine/cosine pair
/// - `powers`: no operation
pub struct Pendulum {
    pub m: f64,
    pub l: f64,
    pub g: f64,
}
