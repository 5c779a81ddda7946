/// A light body on a spring that sinks in water.
///
/// # Derived equations
///
/// ```text
/// 0 = -weight - k*x - c*dot(x)*abs(dot(x))
/// energy = x*(weight + k*x/2)
/// ```
///
/// Without inertia: `x`. Their rates above follow from their equations, and their values stand among the velocities of a state.
///
/// They are solved as `mass * acceleration = forcing`. Operations of each evaluation:
///
/// - `prepare`: 3 additions, 4 multiplications, 1 division
/// - `acceleration`: 1 addition, 1 multiplication, 1 division, 1 other function, 3 selections
/// - `acceleration_jacobian`: 1 addition, 3 multiplications, 2 divisions, 1 other function, 4 selections
/// - `velocity_correction`: 3 additions, 1 multiplication, 1 division, 1 other function, 3 selections
/// - `equations`: 1 addition, 1 multiplication, 1 other function, 2 selections
/// - `balance`: 1 addition, 1 multiplication, 1 other function
/// - `inertial_balance`: 1 addition, 1 multiplication, 1 other function, 2 selections
/// - `balance_jacobian`: 1 addition, 1 multiplication, 1 division, 1 other function, 3 selections
/// - `balance_rates`: no operation
/// - `residual_jacobian`: 1 addition, 1 multiplication, 1 division, 1 other function, 1 selection
/// - `residual_parameters`: 1 addition, 5 multiplications, 1 division, 1 other function, 1 selection
/// - `energies`: 1 addition, 2 multiplications
/// - `powers`: 1 addition, 4 multiplications, 1 other function, 1 selection
/// - `switches`: 1 addition, 1 multiplication, 1 other function
pub struct Body {
    pub weight: f64,
    pub k: f64,
    pub c: f64,
}
