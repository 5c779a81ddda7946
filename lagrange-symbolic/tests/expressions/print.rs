//! Expressions and equations as text and LaTeX.

use crate::language::Language;
use expect_test::{Expect, expect};
use lagrange_symbolic::graph::{Graph, Symbol};
use lagrange_symbolic::print::{Equation, Equations, Kept, Names, Naming, kept, latex, text, tidied};
use lagrange_symbolic::prove::{Verdict, equal};

impl Names for Language {
    fn symbol(&self, symbol: Symbol) -> String {
        self.name(symbol)
    }

    fn function(&self, index: u32) -> String {
        ["f", "lift_2"][index as usize].to_owned()
    }

    fn table(&self, index: u32) -> String {
        format!("table{index}")
    }
}

/// Equations with their names.
fn printed<'a>(graph: &'a Graph, list: &'a [Equation], names: &'a dyn Names, longest: usize) -> Equations<'a> {
    Equations { graph, list, definitions: &[], names, longest }
}

/// Each expression as text and LaTeX; the text must read back as an equal expression.
#[track_caller]
fn check(expressions: &[&str], expected: Expect) {
    let mut printed = String::new();
    for expression in expressions {
        let mut language = Language::default();
        let id = language.read(expression);
        let plain = text(&language.graph, id, &language);
        printed += &format!("{plain}\n    {}\n", latex(&language.graph, id, &language));
        if !plain.contains(['{', '[', '\'']) {
            let back = language.read(&plain);
            assert_eq!(equal(&language.graph, id, back), Verdict::Proved, "{expression} printed as {plain}");
        }
    }
    expected.assert_eq(&printed);
}

#[test]
fn polynomials() {
    check(
        &[
            "m*dot(theta1)^2*l^2/2",
            "l^2*(m1 + 3*(m2 + m3))/3",
            "-x",
            "-x + y",
            "x - (y - a)/2",
            "-(x + y)*a/2",
            "(x - y)*(a + b)^2",
            "1 - x^2",
            "x^2 - 1",
            "9.8*m*x",
            "0.001*x + x^2/1000000",
            "2*x/5 - 7/3",
            "-x^2*y - 2/3*x",
            "x/(a*b)",
            "x/(y/a)",
            "1/(x + y)^2",
            "-1/(2*a)",
            "a*(-(x - y))",
        ],
        expect![[r#"
            m*l^2*dot(theta1)^2/2
                \frac{m l^{2} \dot{\theta}_{1}^{2}}{2}
            l^2*(m1 + 3*(m2 + m3))/3
                \frac{l^{2} \left(m_{1} + 3 \left(m_{2} + m_{3}\right)\right)}{3}
            -x
                -x
            y - x
                y - x
            x + (a - y)/2
                x + \frac{a - y}{2}
            -a*(x + y)/2
                -\frac{a \left(x + y\right)}{2}
            (a + b)^2*(x - y)
                \left(a + b\right)^{2} \left(x - y\right)
            1 - x^2
                1 - x^{2}
            x^2 - 1
                x^{2} - 1
            9.8*m*x
                9.8 m x
            x*(0.000001*x + 0.001)
                x \left(0.000001 x + 0.001\right)
            2*x/5 - 7/3
                \frac{2 x}{5} - \frac{7}{3}
            -x*(x*y + 2/3)
                -x \left(x y + \frac{2}{3}\right)
            x/(a*b)
                \frac{x}{a b}
            a*x/y
                \frac{a x}{y}
            1/(x + y)^2
                \frac{1}{\left(x + y\right)^{2}}
            -1/(2*a)
                -\frac{1}{2 a}
            a*(y - x)
                a \left(y - x\right)
        "#]],
    );
}

#[test]
fn functions() {
    check(
        &[
            "sqrt(x)",
            "1/sqrt(x^2 + 1)",
            "x^(3/2)/a^(1/3)",
            "(x + 1)^(2/3)",
            "2^(1/2)*x",
            "a^x",
            "(x + y)^(t - 1)",
            "(a^x)^2",
            "cos(theta2 - theta1)*l1*l2*dot(dot(theta2))",
            "sin(theta1)^2*g",
            "abs(x)^3*exp(-t)/3",
            "norm(x, y)",
            "recip_or_zero(x)*x",
            "if(x < 0, -x, x^2)*2",
            "if(x <= 0, 1, 2)",
            "pi*l_rod*torque",
            "-sin(x)*cos(y)",
            "sin(-x)/2",
            "min(x, -y) + u",
            "floor(x + 1/3)*a",
            "mod(x + y, a*b)*2 + mod(x, y)",
        ],
        expect![[r#"
            sqrt(x)
                \sqrt{x}
            1/sqrt(x^2 + 1)
                \frac{1}{\sqrt{x^{2} + 1}}
            x^(3/2)/a^(1/3)
                \frac{x^{3/2}}{a^{1/3}}
            (x + 1)^(2/3)
                \left(x + 1\right)^{2/3}
            sqrt(2)*x
                \sqrt{2} x
            a^x
                a^{x}
            (x + y)^(t - 1)
                \left(x + y\right)^{t - 1}
            (a^x)^2
                \left(a^{x}\right)^{2}
            l1*l2*dot(dot(theta2))*cos(theta2 - theta1)
                l_{1} l_{2} \ddot{\theta}_{2} \cos\left(\theta_{2} - \theta_{1}\right)
            g*sin(theta1)^2
                g \sin^{2}\left(\theta_{1}\right)
            abs(x)^3*exp(-t)/3
                \frac{\left|x\right|^{3} \exp\left(-t\right)}{3}
            norm([x, y])
                \left\lVert\left(x, y\right)\right\rVert
            x*recip_or_zero(x)
                x \left(x\right)^{+}
            2*(if x < 0 { -x } else { x^2 })
                2 \left(\begin{cases} -x & \text{if } x < 0 \\ x^{2} & \text{otherwise} \end{cases}\right)
            if x <= 0 { 1 } else { 2 }
                \begin{cases} 1 & \text{if } x \le 0 \\ 2 & \text{otherwise} \end{cases}
            pi*l_rod*torque
                \pi l_{\mathrm{rod}} \mathrm{torque}
            -sin(x)*cos(y)
                -\sin\left(x\right) \cos\left(y\right)
            -sin(x)/2
                -\frac{\sin\left(x\right)}{2}
            min(x, -y) + u
                \min\left(x, -y\right) + u
            a*floor(x + 1/3)
                a \left\lfloor x + \frac{1}{3}\right\rfloor
            2*mod(x + y, a*b) + mod(x, y)
                2 \left(\left(x + y\right) \bmod \left(a b\right)\right) + \left(x \bmod y\right)
        "#]],
    );
}

/// The derived equations of the compound double pendulum, as documentation shows them.
#[test]
fn equations() {
    let mut language = Language::default();
    let lines = [
        ("mass[theta1, theta1]", "(m1 + 3*(m2 + m3))*l1^2/3"),
        ("mass[theta1, theta2]", "(m2 + 2*m3)*l1*l2*cos(theta2 - theta1)/2"),
        (
            "forcing[theta1]",
            "-(m1/2 + m2 + m3)*l1*g*sin(theta1) + (m2/2 + m3)*l1*l2*dot(theta2)^2*sin(theta2 - theta1)",
        ),
        ("dot(theta1)", "dot(theta1)"),
    ];
    let equations: Vec<Equation> =
        lines.into_iter().map(|(left, right)| Equation::new(left, language.read(right))).collect();
    let lines = printed(&language.graph, &equations, &language, 240).text_lines();
    expect![[r#"
        mass[theta1, theta1] = l1^2*(m1 + 3*(m2 + m3))/3
        mass[theta1, theta2] = l1*l2*(m2 + 2*m3)*cos(theta2 - theta1)/2
        forcing[theta1] = l1*(l2*(m2/2 + m3)*dot(theta2)^2*sin(theta2 - theta1) - g*(m1/2 + m2 + m3)*sin(theta1))
        dot(theta1) = dot(theta1)"#]]
    .assert_eq(&lines.join("\n"));
    expect![[r#"
        \begin{aligned}
          M_{\theta_{1},\theta_{1}} &= \frac{l_{1}^{2} \left(m_{1} + 3 \left(m_{2} + m_{3}\right)\right)}{3} \\
          M_{\theta_{1},\theta_{2}} &= \frac{l_{1} l_{2} \left(m_{2} + 2 m_{3}\right) \cos\left(\theta_{2} - \theta_{1}\right)}{2} \\
          F_{\theta_{1}} &= l_{1} \left(l_{2} \left(\frac{m_{2}}{2} + m_{3}\right) \dot{\theta}_{2}^{2} \sin\left(\theta_{2} - \theta_{1}\right) - g \left(\frac{m_{1}}{2} + m_{2} + m_{3}\right) \sin\left(\theta_{1}\right)\right) \\
          \dot{\theta}_{1} &= \dot{\theta}_{1}
        \end{aligned}"#]].assert_eq(&printed(&language.graph, &equations, &language, 1_000).latex());
}

/// 2^60 characters without names.
#[test]
fn shared_parts_are_written_once() {
    let mut language = Language::default();
    let mut id = language.read("s1 + x");
    for _ in 0..60 {
        let sine = language.graph.call(lagrange_symbolic::graph::function::Function::Sin, &[id]);
        let root = language.graph.sqrt(id);
        id = language.graph.add(sine, root);
    }
    let lines = printed(&language.graph, &[Equation::new("f", id)], &language, 200).text_lines();
    let length: usize = lines.iter().map(String::len).sum();
    assert!(length < 6_000, "{length}");
    expect![[r#"
        f = sin(s31) + sqrt(s31)
        where
        s2 = sin(s1 + x) + sqrt(s1 + x)
        s3 = sin(sin(s2) + sqrt(s2)) + sqrt(sin(s2) + sqrt(s2))"#]]
    .assert_eq(&lines[..4].join("\n"));

    let short = printed(&language.graph, &[Equation::new("f", id)], &language, usize::MAX).text_lines();
    assert_eq!(short.len(), lines.len(), "a length that saturates is still too long");
}

#[test]
fn nothing_to_print() {
    let mut graph = Graph::new();
    let zero = graph.zero();
    let language = Language::default();
    assert_eq!(text(&graph, zero, &language), "0");
    assert_eq!(printed(&graph, &[], &language, 10).latex(), "\\begin{aligned}\n\n\\end{aligned}");
}

/// An element of an array, by whatever symbol.
struct Element;

impl Names for Element {
    fn symbol(&self, _: Symbol) -> String {
        "r[2][0]".to_owned()
    }

    fn function(&self, _: u32) -> String {
        "f".to_owned()
    }

    fn table(&self, _: u32) -> String {
        "table".to_owned()
    }
}

/// The indices of an element are its subscripts, in derived quantities behind those of the quantity.
#[test]
fn indices_of_arrays() {
    let mut language = Language::default();
    let id = language.read("x");
    assert_eq!(latex(&language.graph, id, &Element), "r_{2,0}");
    let equations = [Equation::new("dot(omega[3])", id), Equation::new("mass[theta[0], y]", id)];
    let lines = printed(&language.graph, &equations, &Element, 100).latex();
    for told in ["\\dot{\\omega}_{3} &= r_{2,0}", "M_{"] {
        assert!(lines.contains(told), "{lines}");
    }
}

/// Like terms are combined, and branches that are never taken are left out.
#[test]
fn shown_expressions_are_tidy() {
    let tidy = |text_of: &str| {
        let mut language = Language::default();
        let id = language.read(text_of);
        let id = tidied(&mut language.graph, &[id])[0];
        text(&language.graph, id, &language)
    };
    assert_eq!(tidy("2*m*x^2 - m*(x^2 + y^2)/2 + m*y^2"), "m*(3*x^2/2 + y^2/2)");
    assert_eq!(tidy("sin(x) + 2*y^2 - (y^2 + 3*a)"), "sin(x) + y^2 - 3*a");
}

/// What the user named is written as its name where it is long, as a factor and in powers too, with its definition below.
#[test]
fn names_of_the_block_are_kept() {
    let mut language = Language::default();
    let named = [
        ("reach", "sqrt(a^2*sin(theta1)^2 + b^2*cos(theta2)^2)"),
        ("side", "-b*sin(theta1)*sqrt(1 + x^2)"),
        ("short", "a*x"),
    ];
    let named = named.map(|(name, value)| (name.to_owned(), language.read(value)));
    let roots = [
        "m*a*x/(a^2*sin(theta1)^2 + b^2*cos(theta2)^2)^(3/2)",
        "a^2*sin(theta1)^2 + b^2*cos(theta2)^2 + b*y*sin(theta1)*sqrt(1 + x^2)/2",
        "x",
    ];
    let roots = roots.map(|root| language.read(root));
    let Kept { roots, definitions } = kept(&mut language.graph, &roots, &named);
    let list: Vec<Equation> = roots.iter().map(|root| Equation::new("mass[x, x]", *root)).collect();
    let mut names = Naming { parameters: language.parameters.clone(), ..Naming::default() };
    names.coordinates = ["theta1", "theta2", "x", "y"].map(str::to_owned).to_vec();
    let mut defined = Vec::new();
    for (symbol, name, value) in definitions {
        let Symbol::Dummy(index) = symbol else { panic!("{symbol:?} stands for {name}") };
        defined.push(Equation::definition(&name, value));
        names.quantities.insert(index, name);
    }
    let equations =
        Equations { graph: &language.graph, list: &list, definitions: &defined, names: &names, longest: usize::MAX };
    expect![[r#"
        mass[x, x] = a*m*x/reach^3
        mass[x, x] = a^2*sin(theta1)^2 + b^2*cos(theta2)^2 - side*y/2
        mass[x, x] = x
        where
        reach = sqrt(a^2*sin(theta1)^2 + b^2*cos(theta2)^2)
        side = -b*sin(theta1)*sqrt(x^2 + 1)
        \begin{aligned}
          M_{x,x} &= \frac{a m x}{\mathrm{reach}^{3}} \\
          M_{x,x} &= a^{2} \sin^{2}\left(\theta_{1}\right) + b^{2} \cos^{2}\left(\theta_{2}\right) - \frac{\mathrm{side} y}{2} \\
          M_{x,x} &= x \\
          \text{where} \\
          \mathrm{reach} &= \sqrt{a^{2} \sin^{2}\left(\theta_{1}\right) + b^{2} \cos^{2}\left(\theta_{2}\right)} \\
          \mathrm{side} &= -b \sin\left(\theta_{1}\right) \sqrt{x^{2} + 1}
        \end{aligned}"#]].assert_eq(&(equations.text_lines().join("\n") + "\n" + &equations.latex()));
}
