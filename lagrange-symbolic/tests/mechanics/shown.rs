//! What documents show of a mechanism: its statements part by part, and its derived equations with the names of the block.

use super::library::{derived, found, one};
use expect_test::{Expect, expect};
use lagrange_symbolic::assembly::{Source, spec};
use lagrange_symbolic::print::mathml;
use lagrange_symbolic::program::Evaluations;
use lagrange_symbolic::texts::Texts;

fn texts(source: &Source) -> Texts {
    let spec = spec(source).expect("the block is right");
    let mut derivation = derived(source);
    let evaluations = Evaluations::new(&mut derivation.model.graph, &derivation.equations);
    Texts::of(&spec, &mut derivation, &evaluations, source)
}

/// The mechanism with the claim that its equations are what is shown of them.
fn claiming(source: &Source) -> (Source, usize) {
    let text = texts(source).equations;
    let mut claims = 0;
    let (mut block, mut is_definition) = (source.block.to_string(), false);
    for line in text.lines() {
        if line == "where" {
            is_definition = true;
            continue;
        }
        let (left, right) = line.split_once(" = ").expect("an equation has two sides");
        let is_shared = left.strip_prefix('s').is_some_and(|rest| rest.parse::<u32>().is_ok());
        let stem = left.split('[').next().unwrap_or(left);
        if is_definition && is_shared {
            block += &format!(" let {left} = {right};");
        } else if is_definition || ["mass", "forcing", "momentum", "energy"].contains(&stem) {
            block += &format!(" verify {left} == {right};");
            claims += 1;
        }
    }
    (Source { block: block.parse().expect("tokens"), ..source.clone() }, claims)
}

#[track_caller]
fn check(source: &Source, stated: Expect, equations: Expect) {
    let texts = texts(source);
    stated.assert_eq(&texts.stated);
    equations.assert_eq(&texts.equations);
    derived(&claiming(source).0);
}

/// Two arms of links on a cart: parts of parts in arrays. Arrays are shown once, with indices.
fn arms() -> Source {
    let link = one(
        "given base[2]; coordinates theta;
         let tip = base + l*[sin(theta), -cos(theta)];
         kinetic = m*norm2(dot(tip))/2 + sum(i in 0..2, spread[i]*dot(theta)^2)/2;
         potential = g*m*tip[1];
         force theta = torque;",
        "struct Link { #[symbol(\"\\\\mu\")] m: f64, l: f64, g: f64, spread: [f64; 2], #[input] torque: f64 }",
    );
    let arm = one(
        "given pin[2]; part link[3]: Link; let link[0].base = pin; let link[k in 1..3].base = link[k - 1].tip;
         let end = link[2].tip;",
        "struct Arm { link: [Link; 3] }",
    );
    let arm = Source { parts: vec![Some(link)], ..arm };
    let cart = one("part; coordinates x; let pin = [x, 0]; kinetic = m*dot(x)^2/2;", "struct Cart { m: f64 }");
    let whole = one(
        "part cart: Cart; part arm[2]: Arm; const free = 1;
         let arm[j in 0..2].pin = cart.pin;
         potential = if free > 0 { k*norm2(arm[1].end - arm[0].end)/2 } else { 0 };
         constraint held: arm[0].link[1].tip[1] == arm[1].link[1].tip[1];",
        "struct Arms { cart: Cart, arm: [Arm; 2], k: f64 }",
    );
    Source { parts: vec![Some(cart), Some(arm)], ..whole }
}

#[test]
fn parts_are_shown_part_by_part() {
    expect![[r#"
        \begin{aligned}
          \text{cart}\text{: Cart} \\
          \mathrm{pin}_{\mathrm{cart}} &= \begin{pmatrix} x_{\mathrm{cart}} \\ 0 \end{pmatrix} \\
          T_{\mathrm{cart}} &= \frac{m_{\mathrm{cart}} \dot{x}_{\mathrm{cart}}^{2}}{2} \\
          \text{arm}_{i}\text{: Arm},\quad i = 0, \ldots, 1 \\
          \mathrm{base}_{\mathrm{arm},i,\mathrm{link},0} &= \mathrm{pin}_{\mathrm{arm},i} \\
          \mathrm{base}_{\mathrm{arm},i,\mathrm{link},k} &= \mathrm{tip}_{\mathrm{arm},i,\mathrm{link},k - 1},\quad k = 1, \ldots, 2 \\
          \mathrm{end}_{\mathrm{arm},i} &= \mathrm{tip}_{\mathrm{arm},i,\mathrm{link},2} \\
          T_{\mathrm{arm},i} &= \sum_{j=0}^{2} T_{\mathrm{arm},i,\mathrm{link},j} \\
          V_{\mathrm{arm},i} &= \sum_{j=0}^{2} V_{\mathrm{arm},i,\mathrm{link},j} \\
          \text{arm}_{i}\text{.}\text{link}_{j}\text{: Link},\quad i = 0, \ldots, 1,\quad j = 0, \ldots, 2 \\
          \mathrm{tip}_{\mathrm{arm},i,\mathrm{link},j} &= \mathrm{base}_{\mathrm{arm},i,\mathrm{link},j} + l_{\mathrm{arm},i,\mathrm{link},j} \begin{pmatrix} \sin\left(\theta_{\mathrm{arm},i,\mathrm{link},j}\right) \\ -\cos\left(\theta_{\mathrm{arm},i,\mathrm{link},j}\right) \end{pmatrix} \\
          T_{\mathrm{arm},i,\mathrm{link},j} &= \frac{\mu_{\mathrm{arm},i,\mathrm{link},j} \left\lVert \dot{\mathrm{tip}}_{\mathrm{arm},i,\mathrm{link},j}\right\rVert^{2}}{2} + \frac{\sum_{i_{1}=0}^{1} \mathrm{spread}_{\mathrm{arm},i,\mathrm{link},j,i_{1}} \dot{\theta}_{\mathrm{arm},i,\mathrm{link},j}^{2}}{2} \\
          V_{\mathrm{arm},i,\mathrm{link},j} &= g_{\mathrm{arm},i,\mathrm{link},j} \mu_{\mathrm{arm},i,\mathrm{link},j} \mathrm{tip}_{\mathrm{arm},i,\mathrm{link},j,1} \\
          \text{force on }\theta_{\mathrm{arm},i,\mathrm{link},j} &= \mathrm{torque}_{\mathrm{arm},i,\mathrm{link},j} \\
          \text{The whole} \\
          \mathrm{free} &= 1 \\
          \mathrm{pin}_{\mathrm{arm},j} &= \mathrm{pin}_{\mathrm{cart}},\quad j = 0, \ldots, 1 \\
          V &= \frac{k \left\lVert \mathrm{end}_{\mathrm{arm},1} - \mathrm{end}_{\mathrm{arm},0}\right\rVert^{2}}{2} + \sum_{i=0}^{1} V_{\mathrm{arm},i} \\
          \text{constraint }\mathrm{held} & \mathrm{tip}_{\mathrm{arm},0,\mathrm{link},1,1} = \mathrm{tip}_{\mathrm{arm},1,\mathrm{link},1,1} \\
          T &= T_{\mathrm{cart}} + \sum_{i=0}^{1} T_{\mathrm{arm},i}
        \end{aligned}"#]].assert_eq(&texts(&arms()).stated);
}

#[test]
fn the_text_of_statements_has_the_blocks_of_parts() {
    expect![[r#"
        cart: Cart
            part; coordinates x; let pin = [x, 0]; kinetic = m*dot(x)^2/2;
        arm: Arm
            given pin[2]; part link[3]: Link; let link[0].base = pin; let link[k in 1..3].base = link[k - 1].tip;
            let end = link[2].tip;
        arm.link: Link
            given base[2]; coordinates theta;
            let tip = base + l*[sin(theta), -cos(theta)];
            kinetic = m*norm2(dot(tip))/2 + sum(i in 0..2, spread[i]*dot(theta)^2)/2;
            potential = g*m*tip[1];
            force theta = torque;
        The whole
            part cart: Cart; part arm[2]: Arm; const free = 1;
            let arm[j in 0..2].pin = cart.pin;
            potential = if free > 0 { k*norm2(arm[1].end - arm[0].end)/2 } else { 0 };
            constraint held: arm[0].link[1].tip[1] == arm[1].link[1].tip[1];
    "#]]
    .assert_eq(&texts(&arms()).stated_text.unwrap_or_default());
    let flat = one("coordinates x; kinetic = m*dot(x)^2/2;", "struct Flat { m: f64 }");
    assert_eq!(texts(&flat).stated_text, None);
}

#[test]
fn a_flat_block_is_shown_as_it_is_written() {
    let source = one(
        "coordinates r, phi;
         let distance = sqrt(r^2 + a^2*cos(phi)^2 + b^2*sin(phi)^2);
         kinetic = m*(dot(r)^2 + r^2*dot(phi)^2)/2;
         potential = -mu/distance + if 2 < 1 { r } else { k*r^2/2 };
         dissipation = integral(x in 0..a, c*(x*dot(phi))^2/2);
         force [r*cos(phi), r*sin(phi)] = [0, u];
         friction pad: r = mu*m, breakaway = 2*mu*m;
         output twist = dot(r*phi)^2;
         assume a > 0;",
        "struct Flat { #[symbol(\"m_0\")] m: f64, a: f64, b: f64, mu: f64, k: f64, c: f64, #[input] u: f64 }",
    );
    check(
        &source,
        expect![[r#"
            \begin{aligned}
              \mathrm{distance} &= \sqrt{r^{2} + a^{2} \cos^{2}\left(\phi\right) + b^{2} \sin^{2}\left(\phi\right)} \\
              T &= \frac{m_0 \left(\dot{r}^{2} + r^{2} \dot{\phi}^{2}\right)}{2} \\
              V &= -\frac{\mu}{\mathrm{distance}} + \frac{k r^{2}}{2} \\
              D &= \int_{0}^{a} \frac{c \left(x \dot{\phi}\right)^{2}}{2} \, dx \\
              \text{force on }\begin{pmatrix} r \cos\left(\phi\right) \\ r \sin\left(\phi\right) \end{pmatrix} &= \begin{pmatrix} 0 \\ u \end{pmatrix} \\
              \text{friction }\mathrm{pad} & \le \mu m_0\text{ of the slip }r,\quad \text{at rest }2 \mu m_0 \\
              \mathrm{twist} &= \left(\frac{d}{dt} \left(r \phi\right)\right)^{2} \\
              \text{assumed} & a > 0
            \end{aligned}"#]],
        expect![[r#"
        mass[r, r] = m
        mass[phi, phi] = m*r^2
        forcing[r] = u*sin(phi) - m*mu*sign(dot(r)) + r*(m*dot(phi)^2 - k - mu/distance^3)
        forcing[phi] = u*r*cos(phi) - a^3*c*dot(phi)/3 - 2*m*r*dot(r)*dot(phi) + mu*(a^2 - b^2)*cos(phi)*sin(phi)/distance^3
        momentum[r] = m*dot(r)
        momentum[phi] = m*r^2*dot(phi)
        energy = m*(dot(r)^2 + r^2*dot(phi)^2)/2 + k*r^2/2 - mu/distance
        breakaway[pad] = 2*m*mu
        where
        distance = sqrt(r^2 + a^2*cos(phi)^2 + b^2*sin(phi)^2)"#]],
    );
}

/// What the energy subtracts is subtracted, also where it stands in sums of sums.
#[test]
fn energies_are_no_differences_of_equal_terms() {
    let source = one(
        "coordinates r[2][2]; kinetic = m*(norm2(dot(r[0])) + norm2(dot(r[1])))/2; potential = m*g*(r[0][1] + r[1][1]);",
        "struct Pair { m: f64, g: f64 }",
    );
    let equations = texts(&source).equations;
    let energy = equations.lines().find(|line| line.starts_with("energy")).expect("an energy");
    expect![
        "energy = m*(dot(r[0][0])^2/2 + dot(r[0][1])^2/2 + dot(r[1][0])^2/2 + dot(r[1][1])^2/2 + g*(r[0][1] + r[1][1]))"
    ]
    .assert_eq(energy);
}

/// The equations that are shown of a mechanism are its equations: each is claimed of the mechanism and decided.
#[test]
fn shown_equations_are_the_derived_ones() {
    let mut claims = 0;
    for (file, name) in [
        ("compound_double_pendulum_with_drag", "CompoundDoublePendulumWithDrag"),
        ("triple_pendulum", "TriplePendulum"),
        ("rolling_disc", "RollingDisc"),
        ("four_bar_linkage", "FourBarLinkage"),
        ("coupled_circuits", "CoupledCircuits"),
        ("heavy_top", "HeavyTop"),
    ] {
        let source = found(&format!("models/src/{file}.rs"), name);
        all_is_mathematics(&texts(&source));
        let (source, count) = claiming(&source);
        derived(&source);
        claims += count;
    }
    let (source, count) = claiming(&arms());
    derived(&source);
    assert!(claims + count > 60, "{claims} and {count} claims");
}

/// The elements of HTML that nothing closes.
const VOID: [&str; 1] = ["wbr"];

/// Checks that each element is closed in the order of HTML, and that no character of a text counts as HTML.
#[track_caller]
fn assert_well_formed(html: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut pieces = html.split('<');
    assert!(!pieces.next().unwrap_or_default().contains('>'), "{html}");
    for piece in pieces {
        let (tag, text) = piece.split_once('>').expect("a tag ends");
        let name = tag.split(' ').next().unwrap_or_default();
        match name.strip_prefix('/') {
            Some(closed) => assert_eq!(open.pop(), Some(closed), "{html}"),
            None if VOID.contains(&name) => {}
            None => {
                assert!(name.bytes().all(|letter| letter.is_ascii_lowercase()), "<{tag}> in {html}");
                open.push(name);
            }
        }
        assert!(
            !text.contains('>') && !text.replace("&lt;", "").replace("&gt;", "").replace("&amp;", "").contains('&'),
            "{html}"
        );
    }
    assert_eq!(open, [""; 0], "{html}");
}

/// Statements and equations are drawn in whole: no command is shown as it is, and no empty line ends the HTML in Markdown.
fn all_is_mathematics(texts: &Texts) {
    for latex in [&texts.stated, &texts.latex] {
        let html = mathml(latex).expect("it is not nested deeply");
        assert_well_formed(&html);
        assert!(!html.contains('\\') && !html.contains("\n\n"), "{html}");
        assert_eq!(html.matches("\n<div>").count(), latex.lines().count() - 2, "{html}");
    }
}

#[test]
fn parts_are_mathematics() {
    let texts = texts(&arms());
    all_is_mathematics(&texts);
    let html = mathml(&texts.stated).expect("it is not nested deeply");
    for text in ["<mtext>arm</mtext>", "<mtext>:\u{a0}Link</mtext>", "<mtext>The\u{a0}whole</mtext>"] {
        assert!(html.contains(text), "{text} in {html}");
    }
}

fn line(latex: &str) -> String {
    let html = mathml(&format!("\\begin{{aligned}}\n  {latex}\n\\end{{aligned}}")).expect("it is not nested deeply");
    assert_well_formed(&html);
    let (_, line) = html.split_once("\n<div>").expect("there is a line");
    let line = line.strip_suffix("</div>\n</div>").expect("there is one line");
    line.replace("<math displaystyle=\"true\">", "‹").replace("</math>", "›")
}

#[test]
fn latex_becomes_mathml() {
    let check = |latex, expected: Expect| expected.assert_eq(&line(latex));
    check(
        "T &= \\frac{m_{1} \\dot{x}^{2}}{2} - a \\sin^{2}\\left(x\\right) b",
        expect![[
            r#"‹<mi>T</mi><mo>=</mo><mfrac><mrow><msub><mi>m</mi><mn>1</mn></msub><msup><mover accent="true"><mi>x</mi><mo>˙</mo></mover><mn>2</mn></msup></mrow><mn>2</mn></mfrac>›<wbr>‹<mo form="infix">−</mo><mi>a</mi><mspace width="0.17em"></mspace><msup><mi>sin</mi><mn>2</mn></msup><mrow><mo stretchy="false">(</mo><mi>x</mi><mo stretchy="false">)</mo></mrow><mspace width="0.17em"></mspace><mi>b</mi>›"#
        ]],
    );
    check(
        "\\mathrm{pin}_{\\mathrm{arm},j} &= -x \\mathrm{ez}",
        expect![[
            r#"‹<msub><mi>pin</mi><mrow><mi>arm</mi><mo>,</mo><mi>j</mi></mrow></msub><mo>=</mo><mo form="prefix">−</mo><mi>x</mi><mspace width="0.17em"></mspace><mi>ez</mi>›"#
        ]],
    );
    check(
        "a &= \\left(\\sqrt{x + 1}\\right)^{+} + \\left|x\\right|",
        expect![[
            r#"‹<mi>a</mi><mo>=</mo><msup><mrow><mo>(</mo><msqrt><mrow><mi>x</mi><mo form="infix">+</mo><mn>1</mn></mrow></msqrt><mo>)</mo></mrow><mo form="prefix">+</mo></msup>›<wbr>‹<mo form="infix">+</mo><mrow><mo stretchy="false">|</mo><mi>x</mi><mo stretchy="false">|</mo></mrow>›"#
        ]],
    );
    check(
        "a &= \\begin{cases} x & \\text{if } x < y \\\\ -y & \\text{otherwise} \\end{cases}",
        expect![[
            r#"‹<mi>a</mi><mo>=</mo><mrow><mo>{</mo><mtable style="text-align:left"><mtr><mtd><mi>x</mi></mtd><mtd><mtext>if </mtext><mi>x</mi><mo>&lt;</mo><mi>y</mi></mtd></mtr><mtr><mtd><mo form="prefix">−</mo><mi>y</mi></mtd><mtd><mtext>otherwise</mtext></mtd></mtr></mtable></mrow>›"#
        ]],
    );
    check(
        "V &= \\sum_{i=0}^{4} c_{i} \\begin{pmatrix} a & b \\\\ 0 & f'\\left(x\\right) \\end{pmatrix}",
        expect![[
            r#"‹<mi>V</mi><mo>=</mo><munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>0</mn></mrow><mn>4</mn></munderover><msub><mi>c</mi><mi>i</mi></msub><mrow><mo>(</mo><mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr><mtr><mtd><mn>0</mn></mtd><mtd><msup><mi>f</mi><mo>′</mo></msup><mrow><mo stretchy="false">(</mo><mi>x</mi><mo stretchy="false">)</mo></mrow></mtd></mtr></mtable><mo>)</mo></mrow>›"#
        ]],
    );
    check(
        "\\text{constraint }\\mathrm{rod} & \\left|x\\right| = 9.81\\,\\mathrm{m}/\\mathrm{s}^{2}",
        expect![[
            r#"‹<mtext>constraint </mtext><mi>rod</mi><mspace width="1em"></mspace><mrow><mo stretchy="false">|</mo><mi>x</mi><mo stretchy="false">|</mo></mrow><mo>=</mo><mn>9.81</mn><mspace width="0.17em"></mspace><mi mathvariant="normal">m</mi><mo>/</mo><msup><mi mathvariant="normal">s</mi><mn>2</mn></msup>›"#
        ]],
    );
}

/// A symbol that a struct states may be any LaTeX, which is no HTML, and may be unknown or wrong.
#[test]
fn stated_symbols_are_no_html() {
    for latex in
        ["<b>x</b> &amp; y", "\\foo{<script>}", "\\right) \\end{x} } _ ^", "x^{", "\\left", "{m^*}_{0}^{2}", "\\"]
    {
        let html = line(latex);
        assert!(!html.contains("<b>") && !html.contains("<script>"), "{html}");
    }
    expect![[r#"‹<mtext>\foo</mtext><msub><mi>x</mi><mn>1</mn></msub>›"#]].assert_eq(&line("\\foo x_{1}"));
    let deep = |depth: usize| mathml(&format!("{}x{}", "\\sqrt{".repeat(depth), "}".repeat(depth)));
    assert!(deep(30).is_some());
    assert_eq!(deep(100_000), None);
}

/// A page shows mathematics before the text, and an editor, which draws no MathML, gets none.
#[test]
fn documentation_of_pages_and_editors() {
    let source = one(
        "coordinates x; kinetic = m*dot(x)^2/2; potential = k*x^2/2;",
        "struct Oscillator { #[symbol(\"m_<\")] m: f64, k: f64 }",
    );
    let documentation = texts(&source).documentation;
    let of = |for_pages: bool| {
        let lines = documentation.iter().filter(|lines| for_pages || !lines.is_for_pages);
        lines.map(|lines| lines.text.as_str()).collect::<Vec<_>>().join("\n")
    };
    let (page, editor) = (of(true), of(false));
    assert!(!editor.contains('<'), "{editor}");
    assert_eq!(page.matches("<details>").count(), page.matches("</details>").count());
    assert!(page.find("<mi>F</mi>") < page.find("forcing[x] = -k*x"), "{page}");
    expect![[r#"

        # Derived equations

        ```text
        mass[x, x] = m
        forcing[x] = -k*x
        momentum[x] = m*dot(x)
        energy = (m*dot(x)^2 + k*x^2)/2
        ```

        They are solved as `mass * acceleration = forcing`. "#]]
    .assert_eq(editor.split("Operations").next().unwrap_or_default());
    let expansion = lagrange_symbolic::expand(source.block, source.item).to_string();
    assert_eq!(expansion.matches("cfg_attr (doc ,").count(), 3);
}
