/// A point mass on a rod, in Cartesian coordinates.
///
/// # Derived equations
///
/// ```text
/// mass[x, x] = m
/// mass[y, y] = m
/// forcing[x] = 0
/// forcing[y] = -m*g
/// momentum[x] = m*dot(x)
/// momentum[y] = m*dot(y)
/// energy = m*((dot(x)^2 + dot(y)^2)/2 + g*y)
/// constraint[rod] = norm([x, y]) - l
/// ```
///
/// The change `[0, 1]` with the gauge `-m*g*t` is a symmetry of L that is not stated (proved). Its momentum `m*(dot(y) + g*t)` changes by `rod` alone.
///
/// The change `[t, 0]` with the gauge `m*x` is a symmetry of L that is not stated (proved). Its momentum `m*(t*dot(x) - x)` changes by `rod` alone.
///
/// The change `[0, t]` with the gauge `m*(y - g*t^2/2)` is a symmetry of L that is not stated (proved). Its momentum `m*(g*t^2/2 - y + t*dot(y))` changes by `rod` alone.
///
/// They are solved as `mass * acceleration = forcing + transpose(G) * multipliers`, with the constraints zero. Operations of each evaluation:
///
/// - `prepare`: 3 additions, 4 multiplications, 2 divisions, 3 selections
/// - `acceleration`: 8 additions, 20 multiplications, 1 division, 1 other function, 2 selections
/// - `acceleration_jacobian`: 30 additions, 78 multiplications, 1 division, 1 other function, 2 selections
/// - `velocity_correction`: 2 multiplications
/// - `equations`: no operation
/// - `balance`: 2 multiplications
/// - `balance_jacobian`: 2 multiplications
/// - `balance_rates`: no operation
/// - `residual_jacobian`: 13 additions, 39 multiplications, 1 other function, 1 selection
/// - `residual_parameters`: 1 addition
/// - `energies`: 2 additions, 4 multiplications
/// - `powers`: no operation
/// - `constraint`: 2 additions, 2 multiplications, 1 other function, 1 selection
/// - `constraint_hidden`: 10 additions, 31 multiplications, 1 other function, 1 selection
/// - `outputs`: 1 addition
pub struct Pendulum {
    pub m: f64,
    pub l: f64,
    pub g: f64,
}
