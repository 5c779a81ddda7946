//! Notations from SymPy, NumPy, MATLAB, Modelica, Julia and plain Rust. Each mistake has one message at its own tokens,
//! with the notation to write here.

use super::{STRUCT, report, source};
use expect_test::{Expect, expect};
use lagrange_symbolic::report::Mistake;

/// Each case in a block that is valid otherwise: its row, the underlined text, message and help.
fn check(cases: &[&str], around: impl Fn(&str) -> String, expected: Expect) {
    let told = |case: &&str| {
        let text = around(case);
        let report = report(&text);
        let lines = report.entries().iter().map(|(mistake, place)| {
            let underlined = &text[place.first.byte_range().start..place.last.byte_range().end];
            format!("    {} «{underlined}» {} | {}\n", mistake.row(), mistake.message(), mistake.help())
        });
        format!("{case}\n{}", lines.collect::<String>())
    };
    expected.assert_eq(&cases.iter().map(told).collect::<String>());
}

fn in_potential(value: &str) -> String {
    let block = "coordinates x, theta; kinetic = m*dot(x)^2/2; force x = u; let r = [x, theta]; potential =";
    source(&format!("{block} {value};"), STRUCT)
}

fn in_block(statement: &str) -> String {
    source(&format!("coordinates x, theta; kinetic = m*dot(x)^2/2; force x = u; {statement}"), STRUCT)
}

/// Mistakes whose help is a replacement of the underlined text.
const REPLACED: [&str; 48] = [
    "theta_dot^2",
    "thetadot*x",
    "dtheta^2",
    "theta_ddot*0",
    "k*vx^2",
    "PI*x",
    "2*M_PI*x",
    "TAU",
    "e^x",
    "k*e^(-x/l) + x",
    "E",
    "time",
    "dx/dt",
    "d(x)/dt",
    "theta.dot",
    "theta.sin",
    "r.x",
    "r.y^2",
    "np.sin(x)",
    "math.sqrt(x^2 + 1)",
    "np.linalg.norm(r)",
    "np.pi*x",
    "numpy.pi",
    "self.m*x",
    "params.k*x^2",
    "self.l",
    "f64::sin(x)",
    "std::f64::consts::PI*x",
    "f64::hypot(x, theta)",
    "x::cos()",
    "sin x",
    "cos theta*x",
    "sin^2(x)",
    "|x|",
    "k*|x - l|^2",
    "||r||",
    "norm2((x, theta))",
    "inner([1 2; 3 4]*r, r)",
    "inner([1, 2; 3, 4]*r, r)",
    "inner([0; 2], r)",
    "inner(vec![1, 2], r)",
    "x % l*0 + x",
    "if(x < 0, -x, x)",
    ".5*x",
    "r.0",
    "if not (x > 0) { 0 } else { x }",
    "sin^2(x) + x",
    "cos x",
];

/// Writing the help in place of the underlined text removes the mistake.
#[test]
fn what_the_help_says_is_accepted() {
    for case in REPLACED {
        let text = in_potential(case);
        let found = report(&text);
        let [(mistake, place)] = found.entries() else { panic!("{case}: {}", super::texts(&found)) };
        let form = match mistake {
            Mistake::Foreign { form, .. } | Mistake::RateAsName { form, .. } => form,
            Mistake::UnknownFunction { name, .. } if name == "not" => continue,
            _ => panic!("{case}: {}", super::texts(&found)),
        };
        let underlined = place.first.byte_range().start..place.last.byte_range().end;
        let mut mended = text.clone();
        mended.replace_range(underlined, form);
        let left = report(&mended);
        // The replacement of a derivative in the potential is valid notation, although a potential may not contain it.
        let is_mended =
            left.entries().iter().all(|(mistake, _)| mistake.row() == "SecondDerivative" || mistake.row() == "Jump");
        assert!(is_mended, "{case} → {form}: {}", super::texts(&left));
    }
}

/// Functions of other languages. Each is one mistake with the form to write.
#[test]
fn functions_of_other_languages() {
    check(
        &[
            "ddot(x)",
            "diff(x, t)^2",
            "diff(k*x^2, x)",
            "x.diff(t)",
            "Derivative(x, t)",
            "der(x)",
            "pow(x + 1, 2)",
            "x.powi(2)",
            "log(1 + x^2)",
            "arctan2(x, l)",
            "Sqrt(x^2 + 1)",
            "heaviside(x)",
            "where(x < 0, 0, x)",
            "Piecewise((0, x < 0), (x, True))",
            "Sum(x, (i, 0, 3))",
            "integrate(x, (s, 0, l))",
            "ceil(x) + fmod(x, l)",
            "crate::stiffness(x)*x",
            "r.len()",
            "bessel(x)",
            "x(t)^2",
            "u(t)*x",
            "k(x + 1)",
            "r(0)",
            "norm(x, theta)",
            "atan(x, l)",
            "dot(x, t)",
            "dot(r, r)",
        ],
        in_potential,
        expect![[r#"
            ddot(x)
                UnknownFunction «ddot» there is no function `ddot` | write `dot(dot(x))`
            diff(x, t)^2
                UnknownFunction «diff» there is no function `diff` | write `dot(x)`
            diff(k*x^2, x)
                UnknownFunction «diff» there is no function `diff` | partial derivatives are taken by the derivation; `dot(…)` is the total time derivative
            x.diff(t)
                UnknownFunction «diff» there is no function `diff` | write `dot(x)`
            Derivative(x, t)
                UnknownFunction «Derivative» there is no function `Derivative` | write `dot(x)`
            der(x)
                UnknownFunction «der» there is no function `der` | write `dot(x)`
            pow(x + 1, 2)
                UnknownFunction «pow» there is no function `pow` | write `(x + 1)^2`
            x.powi(2)
                UnknownFunction «powi» there is no function `powi` | write `x^2`
            log(1 + x^2)
                UnknownFunction «log» there is no function `log` | write `ln(1 + x^2)`
            arctan2(x, l)
                UnknownFunction «arctan2» there is no function `arctan2` | write `atan2(x, l)`
            Sqrt(x^2 + 1)
                UnknownFunction «Sqrt» there is no function `Sqrt` | write `sqrt(x^2 + 1)`
            heaviside(x)
                UnknownFunction «heaviside» there is no function `heaviside` | write `if x < 0 { 0 } else { 1 }`
            where(x < 0, 0, x)
                UnknownFunction «where» there is no function `where` | write `if x < 0 { 0 } else { x }`
            Piecewise((0, x < 0), (x, True))
                UnknownFunction «Piecewise» there is no function `Piecewise` | write `if condition { a } else { b }`
            Sum(x, (i, 0, 3))
                UnknownFunction «Sum» there is no function `Sum` | write `sum(i in a..b, term)`
            integrate(x, (s, 0, l))
                UnknownFunction «integrate» there is no function `integrate` | write `integral(x in a..b, integrand)`
            ceil(x) + fmod(x, l)
                UnknownFunction «ceil» there is no function `ceil` | write `-floor(-x)`
                UnknownFunction «fmod» there is no function `fmod` | write `mod(x, l)`
            crate::stiffness(x)*x
                UnknownFunction «crate::stiffness(x)» there is no function `crate::stiffness` | declare it, `extern stiffness(x) = crate::stiffness, d(x) = path_of_its_derivative;`, and write `stiffness(x)`
            r.len()
                UnknownFunction «len» there is no function `len` | a length is a constant of the block: `const n = 8;`
            bessel(x)
                UnknownFunction «bessel» there is no function `bessel` | functions are sin cos tan asin acos atan sinh cosh tanh exp ln abs sign floor sinc atan2 mod sqrt hypot min max norm norm2 inner cross dot smoothstep transpose rotation_x rotation_y rotation_z rotation angular_velocity_body angular_velocity_space rigid_body_energy integral sum multiplier reaction momentum friction contact approach distance slip_velocity sphere plane capsule box vertex edge partial inverse constraint_jacobian constraint_drift constraint_curvature; one of your own is declared by `extern f(x) = path::f, d(x) = path::fx;`
            x(t)^2
                QuantityAsFunction «x» `x` is a quantity, not a function | write `x`: it depends on the time as it stands
            u(t)*x
                QuantityAsFunction «u» `u` is a quantity, not a function | write `u`: the controller gives its value at every time
            k(x + 1)
                QuantityAsFunction «k» `k` is a quantity, not a function | write `k*(x + 1)` for a product
            r(0)
                QuantityAsFunction «r» `r` is a quantity, not a function | write `r[0]` for an element
            norm(x, theta)
                ArgumentCount «norm(x, theta)» `norm` takes 1 argument, found 2 | write `norm([x, theta])`
            atan(x, l)
                ArgumentCount «atan(x, l)» `atan` takes 1 argument, found 2 | write `atan2(x, l)`
            dot(x, t)
                TwoArgumentDot «dot(x, t)» `dot` takes one argument: the total time derivative | write `dot(x)`
            dot(r, r)
                TwoArgumentDot «dot(r, r)» `dot` takes one argument: the total time derivative | the scalar product is `inner(r, r)`
        "#]],
    );
}

#[test]
fn operators_of_other_languages() {
    check(
        &[
            "if x > 0 and theta > 0 { x } else { 0 }",
            "if x > 0 & theta > 0 { x } else { 0 }",
            "if x > 0 or x < -1 { x } else { 0 }",
            "if not x > 0 { 0 } else { x }",
            "if x = 0 { 0 } else { x }",
            "if x > 0 then x else 0",
            "x > 0 ? x : 0",
            "x if x > 0 else 0",
            "x as f64",
            "x.^2",
            "r.*r",
            "r[0..1]",
            "r[:]",
            "r[-1]",
            "x != 0",
            "x += 1",
            "1.0_f64*x",
            "\"text\"",
            "x!",
            "mass*g*x",
            "M*x + M",
            "thta",
            "theta_dot^2 + theta_dot",
            "x.(2)",
        ],
        in_potential,
        expect![[r#"
            if x > 0 and theta > 0 { x } else { 0 }
                Foreign «and» `and` is not understood here | write `x > 0 && theta > 0`
            if x > 0 & theta > 0 { x } else { 0 }
                Foreign «&» `&` is not understood here | write `x > 0 && theta > 0`
            if x > 0 or x < -1 { x } else { 0 }
                Foreign «or» `or` is not understood here | write `x > 0 || x < -1`
            if not x > 0 { 0 } else { x }
                Foreign «not x > 0» `not x > 0` is not understood here | write `!(x > 0)`
            if x = 0 { 0 } else { x }
                EqualityCondition «=» conditions compare with `<`, `<=`, `>`, `>=` | equality of real numbers is not a condition that a motion can meet
            if x > 0 then x else 0
                ExpectedBraces «then» expected `{`, found `then` | a choice is written `if condition { a } else { b }`
            x > 0 ? x : 0
                Foreign «?» `?` is not understood here | write `if x > 0 { x } else { 0 }`
            x if x > 0 else 0
                Foreign «if» `if` is not understood here | write `if x > 0 { x } else { 0 }`
            x as f64
                Foreign «as f64» `as` is not understood here | write `x`
            x.^2
                Foreign «.^» `.^` is not understood here | write `^`
            r.*r
                Foreign «.*» `.*` is not understood here | write `*`
            r[0..1]
                RangeInExpression «0..» a range cannot stand in an expression | ranges index whole statements: `let p[i in 1..8] = …;`, or the left side of a force; sums are written `sum(i in 0..8, term)`
            r[:]
                RangeInExpression «:» a range cannot stand in an expression | ranges index whole statements: `let p[i in 1..8] = …;`, or the left side of a force; sums are written `sum(i in 0..8, term)`
            r[-1]
                IndexBounds «-1» index -1 is out of bounds: there are 2 elements | the first element has index 0
            x != 0
                EqualityCondition «!» conditions compare with `<`, `<=`, `>`, `>=` | equality of real numbers is not a condition that a motion can meet
            x += 1
                Unexpected «+» unexpected `+=` | an operator or the end of the expression was expected
            1.0_f64*x
                TypedNumber «1.0_f64» numbers carry no type | write `1.0`: it is exact, and rounded once to the number type of the solution
            "text"
                ExpectedExpression «"text"» expected an expression, found "text" | an expression is made of numbers, names, calls `f(x)`, vectors `[a, b]`, parentheses `( )` and `+ - * / ^`
            x!
                Unexpected «!» unexpected `!` | an operator or the end of the expression was expected
            mass*g*x
                DerivedElsewhere «mass» `mass` is not known here; the derived `mass` stands in `verify` and `invariant` alone | a parameter is a field of the struct: add `mass: f64`, or use g k l m r theta u x t pi
            M*x + M
                UnknownName «M» `M` is not known here | did you mean `m`? known here are g k l m r theta u x t pi
            thta
                UnknownName «thta» `thta` is not known here | did you mean `theta`? known here are g k l m r theta u x t pi
            theta_dot^2 + theta_dot
                RateAsName «theta_dot» `theta_dot` is not known here: a rate has no name of its own | write `dot(theta)`
            x.(2)
                FieldAccess «(2)» a function and its parentheses are expected after `.`, found `(` | write `x.dot()` for a function, `v[0]` for an element; parameters are written without `self`
        "#]],
    );
}

#[test]
fn statements_of_other_languages() {
    check(
        &[
            "# a comment",
            "% a comment",
            "#[input] torque;",
            "let v: f64 = 3;",
            "let mut v = 3;",
            "let f(x) = x^2;",
            "let (a, b) = r;",
            "let v := 3;",
            "let moving = dot(x) > 0;",
            "pub let v = 3;",
            "force theta: u;",
            "force = u;",
            "force theta += u;",
            "torque theta = u;",
            "constraint x^2 + theta^2 - 1;",
            "constraint x^2 + theta^2 = 1;",
            "constraint x == 1;",
            "constraint rod = x - l;",
            "constraint rod x == theta;",
            "constraint rod: x - theta;",
            "constraint rod: x = theta;",
            "nonholonomic dot(x) == 0;",
            "nonholonomic n: norm([dot(x), dot(theta)]) == 1;",
            "potential += k*x;",
            "V = k*x^2/2;",
            "m*dot(dot(x)) = -k*x;",
            "der(x) = theta;",
            "for i in 0..3 { let a = 1; }",
            "use std::f64;",
            "println!(\"{}\", x);",
            "fn f(x: f64) -> f64 { x }",
            "output = x;",
            "output x;",
            "assume m >= 0;",
            "assume m == 1;",
            "verify mass(x, x) == m;",
            "verify Mass[x, x] == m;",
            "invariant h = energi;",
            "output h = energy;",
        ],
        in_block,
        expect![[r##"
            # a comment
                CommentSign «#» `#` begins no comment | a comment is written `// …`
            % a comment
                CommentSign «%» `%` begins no comment | a comment is written `// …`
            #[input] torque;
                BlockAttribute «#[input]» only doc comments may stand before a statement | attributes such as `#[input]` and `#[skip]` stand before the fields of the struct
            let v: f64 = 3;
                Form «:» expected `let v = 3;`, found `:` | numbers carry no type
            let mut v = 3;
                Form «mut» expected `let v = …;`, found `mut` | a name stands for one quantity throughout the block
            let f(x) = x^2;
                Form «(x)» expected `let f = …;`, found `(` | a quantity depends on what it is made of; a Rust function is named by `extern`
            let (a, b) = r;
                Form «(a, b)» expected `let name = …;`, found `(` | a statement names one quantity, which may be a vector
            let v := 3;
                Form «:» expected `let v = …;`, found `:=` | 
            let moving = dot(x) > 0;
                ScalarNeeded «dot(x) > 0» `let moving` must be a scalar, found a condition | write it where it decides: `if dot(x) > 0 { a } else { b }`
            pub let v = 3;
                UnknownStatement «pub» `pub` begins no statement | write the statement without it
            force theta: u;
                Form «:» expected `force theta = u;`, found `:` | 
            force = u;
                Form «=» expected `force x = …;`, found `=` | the left side says what the force acts on: a coordinate, a point, an angle
            force theta += u;
                Form «+» expected `force theta = …;`, found `+=` | the parts are added with `+` in one statement
            torque theta = u;
                TorqueOnAngle «theta» `theta` is a number, and `torque` needs a rotation matrix or a quaternion | a couple in the plane acts on an angle: write `force theta = …;`
            constraint x^2 + theta^2 - 1;
                ConstraintName «x^2 + theta^2 - 1» a `constraint` needs a name and `:` before its equation | write `constraint name: x^2 + theta^2 - 1 == 0;`
            constraint x^2 + theta^2 = 1;
                ConstraintName «x^2 + theta^2 = 1» a `constraint` needs a name and `:` before its equation | write `constraint name: x^2 + theta^2 == 1;`
            constraint x == 1;
                ConstraintName «x == 1» a `constraint` needs a name and `:` before its equation | write `constraint name: x == 1;`
            constraint rod = x - l;
                ConstraintName «rod = x - l» a `constraint` needs a name and `:` before its equation | write `constraint rod: x - l == 0;`
            constraint rod x == theta;
                ConstraintName «rod x == theta» a `constraint` needs a name and `:` before its equation | write `constraint rod: x == theta;`
            constraint rod: x - theta;
                MissingEquality «;» expected `==` in `constraint`, found `;` | write `constraint rod: x - theta == 0;`
            constraint rod: x = theta;
                AssignmentInEquality «=» `=` where `==` is meant | write `constraint rod: x == theta;`
            nonholonomic dot(x) == 0;
                ConstraintName «dot(x) == 0» a `nonholonomic` needs a name and `:` before its equation | write `nonholonomic name: dot(x) == 0;`
            nonholonomic n: norm([dot(x), dot(theta)]) == 1;
                NonlinearInVelocities «norm([dot(x), dot(theta)])» `norm([dot(x), dot(theta)])` is not linear in the velocities, as the nonholonomic constraint `n` must be | a reaction is known only for A(q, t)·v + b(q, t) == 0; a speed is kept by a force, or prescribed along a known direction
            potential += k*x;
                Form «+» expected `potential = …;`, found `+=` | the parts are added with `+` in one statement
            V = k*x^2/2;
                MissingLet «V» `V = …` is not a statement | to name an intermediate quantity, write `let V = …;`; the potential energy is stated by `potential = …;`
            m*dot(dot(x)) = -k*x;
                UnknownStatement «m» `m` begins no statement | equations of motion are derived, not stated: write energies, forces and constraints
            der(x) = theta;
                UnknownStatement «der» `der` begins no statement | equations of motion are derived, not stated: write energies, forces and constraints
            for i in 0..3 { let a = 1; }
                UnknownStatement «for» `for` begins no statement | indexed statements are written `let p[i in 0..8] = …;`, sums `sum(i in 0..8, term)`
            use std::f64;
                UnknownStatement «use» `use` begins no statement | a block needs no imports; a Rust function is named by `extern`
            println!("{}", x);
                UnknownStatement «println» `println` begins no statement | what is to be seen is stated by `output name = …;`
            fn f(x: f64) -> f64 { x }
                UnknownStatement «fn» `fn` begins no statement | a quantity is named by `let`, a Rust function by `extern`
            output = x;
                Form «=» expected `output name = …;`, found `=` | 
            output x;
                ExpectedEquals «;» expected `=` after `output x`, found `;` | write `output x = …;`
            assume m >= 0;
                AssumptionForm «m >= 0» expected a comparison with `>` or `<`, found `m >= 0` | write `assume m > 0;`
            assume m == 1;
                AssumptionForm «=» expected a comparison with `>` or `<`, found `m ==` | write `assume left > right;`
            verify mass(x, x) == m;
                QuantityAsFunction «mass» `mass` is a quantity, not a function | write `mass[x, x]` for an element
            verify Mass[x, x] == m;
                UnknownName «Mass» `Mass` is not known here | did you mean `mass`? known here are g k l m theta u x mass forcing momentum balance energy kinetic potential lagrangian acceleration t pi
            invariant h = energi;
                UnknownName «energi» `energi` is not known here | did you mean `energy`? known here are g k l m theta u x mass forcing momentum balance energy kinetic potential lagrangian t pi
            output h = energy;
                DerivedElsewhere «energy» `energy` is not known here; the derived `energy` stands in `verify` and `invariant` alone | to use a quantity twice, name it by `let`
        "##]],
    );
    check(
        &[
            "coordinates: theta; kinetic = dot(theta)^2; force theta = u;",
            "coordinates x theta; kinetic = dot(x)^2; force x = u;",
            "coordinates x(t); kinetic = dot(x)^2; force x = u;",
            "coordinates x: f64; kinetic = dot(x)^2; force x = u;",
            "coords x; kinetic = dot(x)^2; force x = u;",
            "coordinates x, kinetic = dot(x)^2; force x = u;",
            "coordinates x; kinetic = dot(x)^2, potential = k*x; force x = u;",
            "coordinates x; kinetic = dot(x)^2; force x = u; initial x = 1;",
            "coordinates x[3000]; kinetic = dot(x[0])^2; force x[0] = u;",
            "coordinates x; kinetic: dot(x)^2; force x = u;",
            "coordinates q[4]; kinetic = rigid_body_energy(m, [k, k, k], [0, 0, 0], q); force q[0] = u;",
            "coordinates q[4]; constraint unit: norm2(q) == 1; kinetic = k*norm2(angular_velocity_body(q)); force q[0] = u;",
            "coordinates q[4]; kinetic = norm2(dot(q)); potential = rotation(q/norm(q))[0][2]; force q[0] = u;",
        ],
        |block| source(block, STRUCT),
        expect![[r#"
            coordinates: theta; kinetic = dot(theta)^2; force theta = u;
                Form «:» expected `coordinates theta;`, found `:` | the initial state gives values; an array of coordinates is `r[3]`
            coordinates x theta; kinetic = dot(x)^2; force x = u;
                Form «theta» expected `coordinates x, theta;`, found `theta` | the initial state gives values; an array of coordinates is `r[3]`
            coordinates x(t); kinetic = dot(x)^2; force x = u;
                Form «(t)» expected `coordinates x;`, found `(` | the initial state gives values; an array of coordinates is `r[3]`
            coordinates x: f64; kinetic = dot(x)^2; force x = u;
                Form «:» expected `coordinates x;`, found `:` | the initial state gives values; an array of coordinates is `r[3]`
            coords x; kinetic = dot(x)^2; force x = u;
                UnknownStatement «coords» `coords` begins no statement | coordinates are stated by `coordinates x, y;`
            coordinates x, kinetic = dot(x)^2; force x = u;
                MissingSemicolon «,» a `;` is missing before `kinetic` | every statement ends in `;`
            coordinates x; kinetic = dot(x)^2, potential = k*x; force x = u;
                MissingSemicolon «,» a `;` is missing before `potential` | every statement ends in `;`
            coordinates x; kinetic = dot(x)^2; force x = u; initial x = 1;
                UnknownStatement «initial» `initial` begins no statement | the initial state is given where the motion is solved: `State::new(t, q, v)`
            coordinates x[3000]; kinetic = dot(x[0])^2; force x[0] = u;
                LengthRange «3000» array `x` cannot have length 3000 | a length is a whole number from 1 to 1000
            coordinates x; kinetic: dot(x)^2; force x = u;
                Form «:» expected `kinetic = dot(x)^2;`, found `:` | 
            coordinates q[4]; kinetic = rigid_body_energy(m, [k, k, k], [0, 0, 0], q); force q[0] = u;
                QuaternionLength «q» nothing keeps the quaternion `q` at length 1 | write `constraint unit: norm2(q) == 1;`
            coordinates q[4]; constraint unit: norm2(q) == 1; kinetic = k*norm2(angular_velocity_body(q)); force q[0] = u;
            coordinates q[4]; kinetic = norm2(dot(q)); potential = rotation(q/norm(q))[0][2]; force q[0] = u;
        "#]],
    );
}

#[test]
fn structs_of_other_shapes() {
    check(
        &[
            "struct A { m: [f64; 0] }",
            "struct A { m: [f64; N] }",
            "struct A { m: Vec<f64> }",
            "struct A { m: Option<f64> }",
            "struct A { n: usize }",
            "struct A { r: Vector3<f64> }",
            "struct A<'a> { m: &'a f64 }",
            "struct A { m: Real }",
        ],
        |item| source("coordinates x; kinetic = dot(x)^2;", item),
        expect![[r#"
            struct A { m: [f64; 0] }
                NoElements «0» field `m` has no elements | an array has one element at least; leave the field out, or mark it `#[skip]`
            struct A { m: [f64; N] }
                ArrayLength «N» the length of field `m` is not known to the macro | a macro sees no values of constants: write it as a number, `[f64; 8]`
            struct A { m: Vec<f64> }
                FieldType «Vec<f64>» the type of field `m` is not a number | an array has a fixed length, `[f64; 8]`; a parameter is `f64`, `f32` or a type parameter of the struct; mark other fields `#[skip]`
            struct A { m: Option<f64> }
                FieldType «Option<f64>» the type of field `m` is not a number | a parameter always has a value: `f64`; a parameter is `f64`, `f32` or a type parameter of the struct; mark other fields `#[skip]`
            struct A { n: usize }
                FieldType «usize» the type of field `n` is not a number | write `f64`; a parameter is `f64`, `f32` or a type parameter of the struct; mark other fields `#[skip]`
            struct A { r: Vector3<f64> }
                FieldType «Vector3<f64>» the type of field `r` is not a number | a vector is an array, `[f64; 3]`; a parameter is `f64`, `f32` or a type parameter of the struct; mark other fields `#[skip]`
            struct A<'a> { m: &'a f64 }
                FieldType «&'a f64» the type of field `m` is not a number | the struct owns its numbers; a parameter is `f64`, `f32` or a type parameter of the struct; mark other fields `#[skip]`; a macro does not see what an alias stands for
            struct A { m: Real }
                FieldType «Real» the type of field `m` is not a number | a parameter is `f64`, `f32` or a type parameter of the struct; mark other fields `#[skip]`; a macro does not see what an alias stands for
        "#]],
    );
}
