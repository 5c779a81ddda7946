//! Messages about statements that cannot be read: the statement, the row of the table, the underlined text, the
//! message.

use super::{blocks, rows, structs, values};
use expect_test::expect;

#[test]
fn statements() {
    blocks(
        &[
            "kinetik = 1;",
            "coordinate x; kinetic = dot(x)^2",
            "com = [0, 1];",
            "spring x;",
            "= 2;",
            "coordinates x, 2;",
            "coordinates x[4];",
            "let p[0] = 1; let p[i in 1..8] = p[i-1];",
            "constraint rod: x == 1; output z = 2; const n = 8;",
            "let a 3;",
            "let a == 3;",
            "let a: f64 = 3;",
            "let = 3;",
            "verify a = b;",
            "verify a;",
            "verify a b;",
            "force x;",
            "#[cfg(test)] let a = 1;",
            "coordinates x let y = 2; let z = 3 kinetic = 4; potential = ;",
            "let a = 1, b = 2;",
        ],
        expect![[r#"
            kinetik = 1;
                UnknownStatement «kinetik» `kinetik` begins no statement
            coordinate x; kinetic = dot(x)^2
                UnknownStatement «coordinate» `coordinate` begins no statement
                MissingSemicolon «2» a `;` is missing before the end of the block
            com = [0, 1];
                MissingLet «com» `com = …` is not a statement
            spring x;
                UnknownStatement «spring» `spring` begins no statement
            = 2;
                ExpectedStatement «=» expected a statement, found `=`
            coordinates x, 2;
                ExpectedName «2» expected a coordinate, found `2`
            coordinates x[4];
                MissingLagrangian «Mechanism» neither `lagrangian` nor `kinetic` is stated
            let p[0] = 1; let p[i in 1..8] = p[i-1];
                MissingCoordinates «Mechanism» no coordinates are stated
                MissingLagrangian «Mechanism» neither `lagrangian` nor `kinetic` is stated
            constraint rod: x == 1; output z = 2; const n = 8;
                MissingCoordinates «Mechanism» no coordinates are stated
                MissingLagrangian «Mechanism» neither `lagrangian` nor `kinetic` is stated
                UnknownName «x» `x` is not known here
            let a 3;
                ExpectedEquals «3» expected `=` after `let a`, found `3`
            let a == 3;
                EqualityInDefinition «==» `==` where `=` is meant
            let a: f64 = 3;
                Form «:» expected `let a = 3;`, found `:`
            let = 3;
                Form «=» expected `let name = …;`, found `=`
            verify a = b;
                AssignmentInEquality «=» `=` where `==` is meant
            verify a;
                MissingEquality «;» expected `==` in `verify`, found `;`
            verify a b;
                MissingOperator «b» an operator is missing before `b`
            force x;
                ExpectedEquals «;» expected `=` after `force x`, found `;`
            #[cfg(test)] let a = 1;
                BlockAttribute «#[cfg(test)]» only doc comments may stand before a statement
            coordinates x let y = 2; let z = 3 kinetic = 4; potential = ;
                MissingSemicolon «x» a `;` is missing before `let`
                MissingSemicolon «3» a `;` is missing before `kinetic`
                ExpectedExpression «;» expected an expression, found `;`
            let a = 1, b = 2;
                Unexpected «,» unexpected `,`
        "#]],
    );
}

#[test]
fn expressions() {
    values(
        &[
            "2x",
            "2(x + y)",
            "(x)(y)",
            "2 x",
            "x y",
            "9.81 m/s^2",
            "2 kg*m^-2*x",
            "9.81m/s",
            "90deg",
            "2m*x",
            "2m/x",
            "3 s(x)",
            "x**2",
            "1.5f64",
            "0x10",
            "1e999",
            "\"text\"",
            "x +",
            "x + * y",
            "(x + )",
            "()",
            "{x}",
            "self.m",
            "[x, y].0",
            "x % 2",
            "x = 2",
            "[x +, y y, 2x]",
            "sum(i in 0..3, x)",
            "integral(s, 0, l)",
            "integral(s in 0..=l, s)",
            "integral(s in 0, l, s)",
            "integral(s in 0..l s)",
            "integral(s in 0..l, sin(s), nodes = 8)",
            "x.integral()",
            "if x < 0 { 1 }",
            "if x < 0 1 else 2",
            "if x == 0 { 1 } else { 2 }",
            "0 < x < 1",
        ],
        expect![[r#"
            2x
                ImplicitProduct «2x» a `*` is missing between `2` and `x`
            2(x + y)
                ImplicitProduct «2(x + y)» a `*` is missing between `2` and `(…)`
            (x)(y)
                MissingOperator «(y)» an operator is missing before `(`
            2 x
                MissingOperator «x» an operator is missing before `x`
            x y
                MissingOperator «y» an operator is missing before `y`
            9.81 m/s^2
                NumberWithUnit «9.81 m/s^2» `9.81 m/s^2` is a number with a unit, which is not an expression
            2 kg*m^-2*x
                NumberWithUnit «2 kg*m^-2» `2 kg*m^-2` is a number with a unit, which is not an expression
            9.81m/s
                NumberWithUnit «9.81m/s» `9.81 m/s` is a number with a unit, which is not an expression
            90deg
                NumberWithUnit «90deg» `90 deg` is a number with a unit, which is not an expression
            2m*x
                ImplicitProduct «2m» a `*` is missing between `2` and `m`
            2m/x
                ImplicitProduct «2m» a `*` is missing between `2` and `m`
            3 s(x)
                MissingOperator «s» an operator is missing before `s`
            x**2
                DoubleStar «**» powers are written with `^`
            1.5f64
                TypedNumber «1.5f64» numbers carry no type
            0x10
                NotDecimal «0x10» `0x10` is not a decimal number
            1e999
                NumberRange «1e999» `1e999` is outside the range of numbers
            "text"
                ExpectedExpression «"text"» expected an expression, found "text"
            x +
                ExpectedExpression «;» expected an expression, found `;`
            x + * y
                ExpectedExpression «*» expected an expression, found `*`
            (x + )
                ExpectedExpression «)» expected an expression, found `)`
            ()
                ExpectedExpression «)» expected an expression, found `)`
            {x}
                ExpectedExpression «{x}» expected an expression, found `{`
            self.m
                Foreign «self.m» `self.m` is not understood here
            [x, y].0
                Foreign «[x, y].0» `[x, y].0` is not understood here
            x % 2
                Foreign «x % 2» `x % 2` is not understood here
            x = 2
                Unexpected «=» unexpected `=`
            [x +, y y, 2x]
                ExpectedExpression «,» expected an expression, found `,`
                MissingOperator «y» an operator is missing before `y`
                ImplicitProduct «2x» a `*` is missing between `2` and `x`
            sum(i in 0..3, x)
                accepted
            integral(s, 0, l)
                RangeForm «,» expected `integral(x in a..b, integrand)`, found `,`
            integral(s in 0..=l, s)
                RangeForm «.» expected `integral(x in a..b, integrand)`, found `..=`
            integral(s in 0, l, s)
                RangeForm «,» expected `integral(x in a..b, integrand)`, found `,`
            integral(s in 0..l s)
                RangeForm «s» expected `integral(x in a..b, integrand)`, found `s`
            integral(s in 0..l, sin(s), nodes = 8)
                accepted
            x.integral()
                RangeForm «integral» expected `integral(x in a..b, integrand)`, found `.integral`
            if x < 0 { 1 }
                IfWithoutElse «if x < 0 { 1 }» `if` without `else`
            if x < 0 1 else 2
                ExpectedBraces «1» expected `{`, found `1`
            if x == 0 { 1 } else { 2 }
                EqualityCondition «=» conditions compare with `<`, `<=`, `>`, `>=`
            0 < x < 1
                ComparisonChain «<» comparisons cannot be chained
        "#]],
    );
}

#[test]
fn bounds_on_size() {
    let check = |expression: &str, expected: &[&str]| {
        let block = format!("coordinates x, y; kinetic = dot(x)^2; force x = u; let value = {expression};");
        assert_eq!(rows(&block), expected, "{}", &expression[..expression.len().min(40)]);
    };
    check(&format!("{}x{}", "(".repeat(300), ")".repeat(300)), &["TooDeep"]);
    check(&format!("{}x", "-".repeat(5000)), &["TooDeep"]);
    check(&format!("x{}", "[0]".repeat(5000)), &["TooDeep"]);
    check(&vec!["x"; 5000].join(" + "), &["TooLong"]);
    check(&vec!["x"; 5000].join("^"), &["TooDeep"]);
    check("9^9^9^9", &[]);
    check(&vec!["x"; 1999].join(" + "), &[]);
    check(&vec!["x"; 1999].join("*"), &[]);
    let calls = (0..60).fold("x".to_owned(), |inner, _| format!("({inner}){}", ".sin()".repeat(33)));
    check(&calls, &["TooDeep"]);
    let sums = (0..60).fold("x".to_owned(), |inner, _| format!("({inner}{})", " + y".repeat(1900)));
    check(&sums, &["TooLong"]);
}

#[test]
fn the_struct() {
    structs(
        &[
            "enum Mechanism { A }",
            "fn mechanism() {}",
            "struct Mechanism(f64);",
            "struct Mechanism;",
            "struct Mechanism { m: f64, n: u32, name: &'static str, }",
            "struct Mechanism { m: [f64; 3] }",
            "struct Mechanism<T, U> { m: T, #[skip] n: U, }",
            "struct Mechanism<T, U> { m: T, n: U }",
            "struct Mechanism { #[input] #[skip] m: f64 }",
            "struct Mechanism { #[input(1)] m: f64, #[skip] #[skip] n: u8 }",
            "struct Mechanism { #[cfg(unix)] m: f64 }",
            "struct Mechanism { m f64 }",
            "struct Mechanism { t: f64, x: f64 }",
            "struct Mechanism { #[input] torque: f64 }",
        ],
        expect![[r#"
            enum Mechanism { A }
                NotAStruct «Mechanism» a mechanism is described on a struct, found an enum
            fn mechanism() {}
                NotAStruct «mechanism» a mechanism is described on a struct, found a function
            struct Mechanism(f64);
                TupleStruct «(f64)» the parameters of `Mechanism` need names
            struct Mechanism;
                accepted
            struct Mechanism { m: f64, n: u32, name: &'static str, }
                FieldType «u32» the type of field `n` is not a number
                FieldType «&'static str» the type of field `name` is not a number
            struct Mechanism { m: [f64; 3] }
                accepted
            struct Mechanism<T, U> { m: T, #[skip] n: U, }
                accepted
            struct Mechanism<T, U> { m: T, n: U }
                TwoTypeParameters «n» parameters have the types `T` and `U`
            struct Mechanism { #[input] #[skip] m: f64 }
                InputAndSkip «m» field `m` is an input and skipped
            struct Mechanism { #[input(1)] m: f64, #[skip] #[skip] n: u8 }
                HelperArguments «#[input(1)]» `#[input]` takes no arguments
                HelperTwice «#[skip]» field `n` carries `#[skip]` twice
            struct Mechanism { #[cfg(unix)] m: f64 }
                ConditionalField «#[cfg(unix)]» field `m` depends on a configuration
            struct Mechanism { m f64 }
                ItemSyntax «f64» expected `:`
            struct Mechanism { t: f64, x: f64 }
                ReservedName «t» `t` is reserved
                CoordinateIsField «x» `x` is a coordinate and a field
            struct Mechanism { #[input] torque: f64 }
                UnusedInput «torque» input torque is never used
        "#]],
    );
}
