/// A mass on a spring whose other end shakes, with a damper and a force.
///
#[cfg_attr(
    doc,
    doc = " # Statements\n \n <div style=\"overflow-x:auto;padding-left:3em;text-indent:-3em;line-height:2.2\">\n <div><math displaystyle=\"true\"><mi>T</mi><mo>=</mo><mfrac><mrow><mi>m</mi><msup><mover accent=\"true\"><mi>x</mi><mo>˙</mo></mover><mn>2</mn></msup></mrow><mn>2</mn></mfrac></math></div>\n <div><math displaystyle=\"true\"><mi>V</mi><mo>=</mo><mfrac><mrow><mi>k</mi><msup><mrow><mo stretchy=\"false\">(</mo><mi>x</mi><mo form=\"infix\">−</mo><mi>a</mi><mspace width=\"0.17em\"></mspace><mi>sin</mi><mrow><mo stretchy=\"false\">(</mo><mi>w</mi><mi>t</mi><mo stretchy=\"false\">)</mo></mrow><mo stretchy=\"false\">)</mo></mrow><mn>2</mn></msup></mrow><mn>2</mn></mfrac></math></div>\n <div><math displaystyle=\"true\"><mi>D</mi><mo>=</mo><mfrac><mrow><mi>c</mi><msup><mover accent=\"true\"><mi>x</mi><mo>˙</mo></mover><mn>2</mn></msup></mrow><mn>2</mn></mfrac></math></div>\n <div><math displaystyle=\"true\"><mtext>force\u{a0}on\u{a0}</mtext><mi>x</mi><mo>=</mo><mi>push</mi></math></div>\n </div>\n \n <details><summary>The block</summary>\n \n ```text\n coordinates x;\n kinetic = m*dot(x)^2/2;\n potential = k*(x - a*sin(w*t))^2/2;\n dissipation = c*dot(x)^2/2;\n force x = push;\n ```\n \n </details>\n "
)]
/// # Derived equations
///
#[cfg_attr(
    doc,
    doc = " <div style=\"overflow-x:auto;padding-left:3em;text-indent:-3em;line-height:2.2\">\n <div><math displaystyle=\"true\"><msub><mi>M</mi><mrow><mi>x</mi><mo>,</mo><mi>x</mi></mrow></msub><mo>=</mo><mi>m</mi></math></div>\n <div><math displaystyle=\"true\"><msub><mi>F</mi><mi>x</mi></msub><mo>=</mo><mi>push</mi></math><wbr><math displaystyle=\"true\"><mo form=\"infix\">−</mo><mi>c</mi><mover accent=\"true\"><mi>x</mi><mo>˙</mo></mover></math><wbr><math displaystyle=\"true\"><mo form=\"infix\">+</mo><mi>k</mi><mrow><mo stretchy=\"false\">(</mo><mi>a</mi><mspace width=\"0.17em\"></mspace><mi>sin</mi><mrow><mo stretchy=\"false\">(</mo><mi>w</mi><mi>t</mi><mo stretchy=\"false\">)</mo></mrow><mo form=\"infix\">−</mo><mi>x</mi><mo stretchy=\"false\">)</mo></mrow></math></div>\n <div><math displaystyle=\"true\"><msub><mi>p</mi><mi>x</mi></msub><mo>=</mo><mi>m</mi><mover accent=\"true\"><mi>x</mi><mo>˙</mo></mover></math></div>\n <div><math displaystyle=\"true\"><mi>h</mi><mo>=</mo><mfrac><mrow><mi>m</mi><msup><mover accent=\"true\"><mi>x</mi><mo>˙</mo></mover><mn>2</mn></msup><mo form=\"infix\">+</mo><mi>k</mi><msup><mrow><mo stretchy=\"false\">(</mo><mi>x</mi><mo form=\"infix\">−</mo><mi>a</mi><mspace width=\"0.17em\"></mspace><mi>sin</mi><mrow><mo stretchy=\"false\">(</mo><mi>w</mi><mi>t</mi><mo stretchy=\"false\">)</mo></mrow><mo stretchy=\"false\">)</mo></mrow><mn>2</mn></msup></mrow><mn>2</mn></mfrac></math></div>\n </div>\n \n <details><summary>As text</summary>\n "
)]
/// ```text
/// mass[x, x] = m
/// forcing[x] = push - c*dot(x) + k*(a*sin(w*t) - x)
/// momentum[x] = m*dot(x)
/// energy = (m*dot(x)^2 + k*(x - a*sin(w*t))^2)/2
/// ```
#[cfg_attr(doc, doc = " \n </details>\n ")]
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
