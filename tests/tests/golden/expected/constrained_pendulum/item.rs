/// A point mass on a rod, in Cartesian coordinates.
///
#[cfg_attr(
    doc,
    doc = " # Statements\n \n <div style=\"overflow-x:auto;padding-left:3em;text-indent:-3em;line-height:2.2\">\n <div><math displaystyle=\"true\"><mi>T</mi><mo>=</mo><mfrac><mrow><mi>m</mi><mrow><mo stretchy=\"false\">(</mo><msup><mover accent=\"true\"><mi>x</mi><mo>˙</mo></mover><mn>2</mn></msup><mo form=\"infix\">+</mo><msup><mover accent=\"true\"><mi>y</mi><mo>˙</mo></mover><mn>2</mn></msup><mo stretchy=\"false\">)</mo></mrow></mrow><mn>2</mn></mfrac></math></div>\n <div><math displaystyle=\"true\"><mi>V</mi><mo>=</mo><mi>m</mi><mi>g</mi><mi>y</mi></math></div>\n <div><math displaystyle=\"true\"><mtext>constraint\u{a0}</mtext><mi>rod</mi><mspace width=\"1em\"></mspace><mrow><mo>‖</mo><mrow><mo>(</mo><mtable><mtr><mtd><mi>x</mi></mtd></mtr><mtr><mtd><mi>y</mi></mtd></mtr></mtable><mo>)</mo></mrow><mo>‖</mo></mrow><mo>=</mo><mi>l</mi></math></div>\n <div><math displaystyle=\"true\"><mi>tension</mi><mo>=</mo><mo form=\"prefix\">−</mo><msub><mi>λ</mi><mi>rod</mi></msub></math></div>\n </div>\n \n <details><summary>The block</summary>\n \n ```text\n coordinates x, y;\n kinetic = m*(dot(x)^2 + dot(y)^2)/2;\n potential = m*g*y;\n constraint rod: norm([x, y]) == l;\n output tension = -multiplier(rod);\n ```\n \n </details>\n "
)]
/// # Derived equations
///
#[cfg_attr(
    doc,
    doc = " <div style=\"overflow-x:auto;padding-left:3em;text-indent:-3em;line-height:2.2\">\n <div><math displaystyle=\"true\"><msub><mi>M</mi><mrow><mi>x</mi><mo>,</mo><mi>x</mi></mrow></msub><mo>=</mo><mi>m</mi></math></div>\n <div><math displaystyle=\"true\"><msub><mi>M</mi><mrow><mi>y</mi><mo>,</mo><mi>y</mi></mrow></msub><mo>=</mo><mi>m</mi></math></div>\n <div><math displaystyle=\"true\"><msub><mi>F</mi><mi>x</mi></msub><mo>=</mo><mn>0</mn></math></div>\n <div><math displaystyle=\"true\"><msub><mi>F</mi><mi>y</mi></msub><mo>=</mo><mo form=\"prefix\">−</mo><mi>m</mi><mi>g</mi></math></div>\n <div><math displaystyle=\"true\"><msub><mi>p</mi><mi>x</mi></msub><mo>=</mo><mi>m</mi><mover accent=\"true\"><mi>x</mi><mo>˙</mo></mover></math></div>\n <div><math displaystyle=\"true\"><msub><mi>p</mi><mi>y</mi></msub><mo>=</mo><mi>m</mi><mover accent=\"true\"><mi>y</mi><mo>˙</mo></mover></math></div>\n <div><math displaystyle=\"true\"><mi>h</mi><mo>=</mo><mi>m</mi><mrow><mo>(</mo><mfrac><mrow><msup><mover accent=\"true\"><mi>x</mi><mo>˙</mo></mover><mn>2</mn></msup><mo form=\"infix\">+</mo><msup><mover accent=\"true\"><mi>y</mi><mo>˙</mo></mover><mn>2</mn></msup></mrow><mn>2</mn></mfrac><mo form=\"infix\">+</mo><mi>g</mi><mi>y</mi><mo>)</mo></mrow></math></div>\n <div><math displaystyle=\"true\"><msub><mi>constraint</mi><mi>rod</mi></msub><mo>=</mo><mrow><mo stretchy=\"false\">‖</mo><mrow><mo stretchy=\"false\">(</mo><mi>x</mi><mo>,</mo><mi>y</mi><mo stretchy=\"false\">)</mo></mrow><mo stretchy=\"false\">‖</mo></mrow></math><wbr><math displaystyle=\"true\"><mo form=\"infix\">−</mo><mi>l</mi></math></div>\n </div>\n \n <details><summary>As text</summary>\n "
)]
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
#[cfg_attr(doc, doc = " \n </details>\n ")]
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
