/// A point mass on a rod.
///
#[cfg_attr(
    doc,
    doc = " # Statements\n \n <div style=\"overflow-x:auto;padding-left:3em;text-indent:-3em;line-height:2.2\">\n <div><math displaystyle=\"true\"><mi>T</mi><mo>=</mo><mfrac><mrow><mi>m</mi><msup><mi>l</mi><mn>2</mn></msup><msup><mover accent=\"true\"><mi>θ</mi><mo>˙</mo></mover><mn>2</mn></msup></mrow><mn>2</mn></mfrac></math></div>\n <div><math displaystyle=\"true\"><mi>V</mi><mo>=</mo><mo form=\"prefix\">−</mo><mi>m</mi><mi>g</mi><mi>l</mi><mspace width=\"0.17em\"></mspace><mi>cos</mi><mrow><mo stretchy=\"false\">(</mo><mi>θ</mi><mo stretchy=\"false\">)</mo></mrow></math></div>\n </div>\n \n <details><summary>The block</summary>\n \n ```text\n coordinates theta;\n kinetic = m*l^2*dot(theta)^2/2;\n potential = -m*g*l*cos(theta);\n ```\n \n </details>\n "
)]
/// # Derived equations
///
#[cfg_attr(
    doc,
    doc = " <div style=\"overflow-x:auto;padding-left:3em;text-indent:-3em;line-height:2.2\">\n <div><math displaystyle=\"true\"><msub><mi>M</mi><mrow><mi>θ</mi><mo>,</mo><mi>θ</mi></mrow></msub><mo>=</mo><mi>m</mi><msup><mi>l</mi><mn>2</mn></msup></math></div>\n <div><math displaystyle=\"true\"><msub><mi>F</mi><mi>θ</mi></msub><mo>=</mo><mo form=\"prefix\">−</mo><mi>m</mi><mi>l</mi><mi>g</mi><mspace width=\"0.17em\"></mspace><mi>sin</mi><mrow><mo stretchy=\"false\">(</mo><mi>θ</mi><mo stretchy=\"false\">)</mo></mrow></math></div>\n <div><math displaystyle=\"true\"><msub><mi>p</mi><mi>θ</mi></msub><mo>=</mo><mi>m</mi><msup><mi>l</mi><mn>2</mn></msup><mover accent=\"true\"><mi>θ</mi><mo>˙</mo></mover></math></div>\n <div><math displaystyle=\"true\"><mi>h</mi><mo>=</mo><mi>m</mi><mi>l</mi><mrow><mo>(</mo><mfrac><mrow><mi>l</mi><msup><mover accent=\"true\"><mi>θ</mi><mo>˙</mo></mover><mn>2</mn></msup></mrow><mn>2</mn></mfrac><mo form=\"infix\">−</mo><mi>g</mi><mspace width=\"0.17em\"></mspace><mi>cos</mi><mrow><mo stretchy=\"false\">(</mo><mi>θ</mi><mo stretchy=\"false\">)</mo></mrow><mo>)</mo></mrow></math></div>\n </div>\n \n <details><summary>As text</summary>\n "
)]
/// ```text
/// mass[theta, theta] = m*l^2
/// forcing[theta] = -m*l*g*sin(theta)
/// momentum[theta] = m*l^2*dot(theta)
/// energy = m*l*(l*dot(theta)^2/2 - g*cos(theta))
/// ```
#[cfg_attr(doc, doc = " \n </details>\n ")]
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
