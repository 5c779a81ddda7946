/// A light body on a spring that sinks in water.
///
#[cfg_attr(
    doc,
    doc = " # Statements\n \n <div style=\"overflow-x:auto;padding-left:3em;text-indent:-3em;line-height:2.2\">\n <div><math displaystyle=\"true\"><mi>T</mi><mo>=</mo><mn>0</mn></math></div>\n <div><math displaystyle=\"true\"><mi>V</mi><mo>=</mo><mi>weight</mi><mspace width=\"0.17em\"></mspace><mi>x</mi></math><wbr><math displaystyle=\"true\"><mo form=\"infix\">+</mo><mfrac><mrow><mi>k</mi><msup><mi>x</mi><mn>2</mn></msup></mrow><mn>2</mn></mfrac></math></div>\n <div><math displaystyle=\"true\"><mi>D</mi><mo>=</mo><mfrac><mrow><mi>c</mi><msup><mrow><mo stretchy=\"false\">|</mo><mover accent=\"true\"><mi>x</mi><mo>˙</mo></mover><mo stretchy=\"false\">|</mo></mrow><mn>3</mn></msup></mrow><mn>3</mn></mfrac></math></div>\n </div>\n \n <details><summary>The block</summary>\n \n ```text\n coordinates x;\n kinetic = 0;\n potential = weight*x + k*x^2/2;\n dissipation = c*abs(dot(x))^3/3;\n ```\n \n </details>\n "
)]
/// # Derived equations
///
#[cfg_attr(
    doc,
    doc = " <div style=\"overflow-x:auto;padding-left:3em;text-indent:-3em;line-height:2.2\">\n <div><math displaystyle=\"true\"><mn>0</mn><mo>=</mo><mo form=\"prefix\">−</mo><mi>weight</mi></math><wbr><math displaystyle=\"true\"><mo form=\"infix\">−</mo><mi>k</mi><mi>x</mi></math><wbr><math displaystyle=\"true\"><mo form=\"infix\">−</mo><mi>c</mi><mover accent=\"true\"><mi>x</mi><mo>˙</mo></mover><mrow><mo stretchy=\"false\">|</mo><mover accent=\"true\"><mi>x</mi><mo>˙</mo></mover><mo stretchy=\"false\">|</mo></mrow></math></div>\n <div><math displaystyle=\"true\"><mi>h</mi><mo>=</mo><mi>x</mi><mrow><mo>(</mo><mi>weight</mi><mo form=\"infix\">+</mo><mfrac><mrow><mi>k</mi><mi>x</mi></mrow><mn>2</mn></mfrac><mo>)</mo></mrow></math></div>\n </div>\n \n <details><summary>As text</summary>\n "
)]
/// ```text
/// 0 = -weight - k*x - c*dot(x)*abs(dot(x))
/// energy = x*(weight + k*x/2)
/// ```
#[cfg_attr(doc, doc = " \n </details>\n ")]
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
