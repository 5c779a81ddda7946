//! Arrays, indexed statements, sums and constants: their meaning, and the messages about mistakes in them.

use super::{blocks, model, source, structs, texts, tokens, values};
use expect_test::expect;
use lagrange_symbolic::meaning::elaborate;
use lagrange_symbolic::parse::parse;
use lagrange_symbolic::print;

/// Each definition of a block as text.
fn lets(block: &str) -> String {
    let model = model(&format!("{block}; kinetic = dot(x)^2; force x = u;"));
    let names = |list: &[lagrange_symbolic::meaning::Named]| list.iter().map(|named| named.name.clone()).collect();
    let naming = print::Naming {
        coordinates: names(&model.coordinates),
        parameters: names(&model.parameters),
        inputs: names(&model.inputs),
        ..print::Naming::default()
    };
    let line = |definition: &lagrange_symbolic::meaning::Let| {
        let values: Vec<String> = definition.values.iter().map(|id| print::text(&model.graph, *id, &naming)).collect();
        format!("{} = {}\n", definition.name, values.join(", "))
    };
    model.lets.iter().map(line).collect()
}

#[test]
fn elements() {
    expect![[r#"
        p[1] = l*(sin(theta[0]) + sin(theta[1])), -l*(cos(theta[0]) + cos(theta[1]))
        p[2] = l*(sin(theta[0]) + sin(theta[1]) + sin(theta[2])), -l*(cos(theta[0]) + cos(theta[1]) + cos(theta[2]))
        p[0] = l*sin(theta[0]), -l*cos(theta[0])
        tip = l*(sin(theta[0]) + sin(theta[1]) + sin(theta[2]))
        velocity = l*(dot(theta[0])*cos(theta[0]) + dot(theta[1])*cos(theta[1])), l*(dot(theta[0])*sin(theta[0]) + dot(theta[1])*sin(theta[1]))
        all = theta[0], theta[1], theta[2]
        whole = theta[0]^2 + theta[1]^2 + theta[2]^2 + r[0][0]^2 + r[0][1]^2 + r[0][2]^2 + r[1][0]^2 + r[1][1]^2 + r[1][2]^2
        matrix[0][0] = 0
        matrix[0][1] = x
        matrix[1][0] = 1
        matrix[1][1] = x + 1
        entry = 2*x + 1
        none = 0
        nested = 3*theta[0] + 2*theta[1]
    "#]].assert_eq(&lets(
        "const n = 3; coordinates x, theta[n], r[2][3];
         let p[i in 1..n] = p[i - 1] + l*[sin(theta[i]), -cos(theta[i])];
         let p[0] = l*[sin(theta[0]), -cos(theta[0])];
         let tip = p[n - 1][0];
         let velocity = dot(p)[1];
         let all = theta;
         let whole = inner(theta, theta) + sum(i in 0..2, norm2(r[i]));
         let matrix[i in 0..2][j in 0..2] = i + j*x;
         let entry = matrix[1][1] + matrix[0, 1];
         let none = sum(i in 2..2, x/0.5);
         let nested = sum(i in 0..3, sum(j in 0..i, i*theta[j]))",
    ));
}

/// Lengths add up over a statement, and multiply within an array.
#[test]
fn arrays_of_several_ranks_up_to_the_limit() {
    let names = |statement: &str| -> Vec<String> {
        let model = model(&format!("{statement} kinetic = dot(a[0])^2; force a[0] = u;").replace("a[0]", "first"));
        model.coordinates.iter().map(|named| named.name.clone()).collect()
    };
    for (statement, count) in [
        ("coordinates first, a[40], b[30];", 71),
        ("coordinates first, a[40], b[30]; coordinates c, d[25];", 97),
        ("coordinates a[999], first;", 1000),
        ("coordinates first, a[9][111];", 1000),
        ("coordinates first, a[500], b[10][10], c[3][133];", 1000),
        ("coordinates first, a[1], b[1][1], c[1][1][1], d[2][2][2], e[2];", 14),
    ] {
        assert_eq!(names(statement).len(), count, "{statement}");
    }
    assert_eq!(
        names("const n = 2; coordinates a[n], first, b[n][n - 1], c[1][1][n];"),
        ["a[0]", "a[1]", "first", "b[0][0]", "b[1][0]", "c[0][0][0]", "c[0][0][1]"]
    );
}

#[test]
fn constants() {
    expect![[r#"
        value = 25*x/6
        power = x^(3/2)
        far = -x
    "#]].assert_eq(&lets(
        "coordinates x; const b = 2*a^2 - 1/3; const a = 1.5; let value = b*x; let power = x^a; let far = (-1)^1000001*x",
    ));
}

#[test]
fn names_of_elements() {
    let (block, item) = tokens(&source(
        "const n = 2; coordinates x, r[n][2]; kinetic = m[1]*dot(x)^2 + J[1][0][2]*norm2(dot(r[1])); force x = u[1];",
        "struct Body { m: [f64; 2], J: [[[f64; 3]; 3]; 2], #[input] u: [f64; 2] }",
    ));
    let model =
        parse(block, item).and_then(|spec| elaborate(&spec)).unwrap_or_else(|report| panic!("{}", texts(&report)));
    let names = |list: &[lagrange_symbolic::meaning::Named]| {
        list.iter().map(|named| &named.name[..]).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(names(&model.coordinates), "x r[0][0] r[0][1] r[1][0] r[1][1]");
    assert_eq!(names(&model.inputs), "u[0] u[1]");
    assert!(names(&model.parameters).starts_with("m[0] m[1] J[0][0][0] J[0][0][1] J[0][0][2] J[0][1][0]"));
    assert_eq!(model.parameters.len(), 20);
    assert_eq!(texts(&model.warnings).lines().next(), Some("input u[0] is never used"));
    assert_eq!(model.field_uses.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "), "m J u");
}

#[test]
fn mistakes_in_elements() {
    let cases = [
        "coordinates x[0]; kinetic = 1;",
        "coordinates x[]; kinetic = 1;",
        "coordinates x[m]; kinetic = 1;",
        "coordinates x[1.5]; kinetic = 1;",
        "coordinates x[1001]; kinetic = 1;",
        "coordinates x[600], y[600]; kinetic = 1;",
        "coordinates x[40], y[30][33]; kinetic = 1;",
        "coordinates x[1000], y; kinetic = 1;",
        "coordinates x; coordinates y[10][10], z[30][30]; kinetic = 1;",
        "coordinates x[1000][1000][1000][1000][1000][1000][1000]; kinetic = 1;",
        "coordinates x[n]; const n = 2; kinetic = dot(x[n])^2; force x[0] = u;",
        "coordinates x; let p[0] = x; let p[0] = x; kinetic = 1; force x = u;",
        "coordinates x; let p = x; let p[0] = x; kinetic = 1; force x = u;",
        "coordinates x; let p[0] = x; let p[0][1] = x; kinetic = 1; force x = u;",
        "coordinates x; let p[] = x; kinetic = 1; force x = u;",
        "coordinates x; let p[i in 0..3] = p[i - 1]; kinetic = 1; force x = u;",
        "coordinates x; let p[i in 0..3] = p[2 - i]; kinetic = 1; force x = u;",
        "coordinates x; let p[i in 0..3] = x*y[i]; kinetic = 1; force x = u;",
        "coordinates x; let p[i in 0..3] = x; let q = p[3]; kinetic = 1; force x = u;",
        "coordinates x; let p[i in 1..3] = x; let q = dot(p); kinetic = 1; force x = u;",
        "coordinates x; let p[i in 0..2] = x; let q = p[x]; kinetic = 1; force x = u;",
        "coordinates x; let p[m in 0..2] = x; kinetic = 1; force x = u;",
        "coordinates x; let p[t in 0..2] = x; kinetic = 1; force x = u;",
        "coordinates x; let p[i in 0..2][i in 0..2] = x; kinetic = 1; force x = u;",
        "coordinates x; let p[i in 0..100000] = x; kinetic = 1; force x = u;",
        "coordinates x; let p[i in 0..9000][j in 0..9000] = x; kinetic = 1; force x = u;",
        "coordinates x; kinetic = sum(i in 0..9000, sum(j in 0..9000, sum(o in 0..9000, x))); force x = u;",
        "coordinates x[3]; kinetic = dot(x[0])^2; force x[i in 0..4] = u;",
        "coordinates x[3]; kinetic = dot(x[j in 0..3])^2; force x[0] = u;",
        "coordinates x[3]; kinetic = dot(x[0])^2; force x[i 0..3] = u;",
        "coordinates x; const n = m; kinetic = 1; force x = u;",
        "coordinates x; const n = 1/0; kinetic = 1; force x = u;",
        "coordinates x; const n = 2^0.5; kinetic = 1; force x = u;",
        "coordinates x; const n = 9^9^9; kinetic = n; force x = u;",
        "coordinates x; const n = 0^(-1); kinetic = n; force x = u;",
        "coordinates x; const a = b; const b = a; kinetic = a*dot(x)^2; force x = u;",
        "coordinates x; const x = 2; const m = 2; const n = 1; const n = 2; kinetic = 1; force x = u;",
        "coordinates x; const n = 2; let n = x; kinetic = 1; force x = u;",
    ];
    blocks(
        &cases,
        expect![[r#"
            coordinates x[0]; kinetic = 1;
                LengthRange «0» array `x` cannot have length 0
            coordinates x[]; kinetic = 1;
                MissingLength «[]» array `x` needs a length
            coordinates x[m]; kinetic = 1;
                NotConstant «m» `m` is not known at compile time
            coordinates x[1.5]; kinetic = 1;
                NotWhole «1.5» `1.5` is not a whole number
            coordinates x[1001]; kinetic = 1;
                LengthRange «1001» array `x` cannot have length 1001
            coordinates x[600], y[600]; kinetic = 1;
                TooManyCoordinates «y» with `y`, there are more than 1000 coordinates
            coordinates x[40], y[30][33]; kinetic = 1;
                TooManyCoordinates «y» with `y`, there are more than 1000 coordinates
            coordinates x[1000], y; kinetic = 1;
                TooManyCoordinates «y» with `y`, there are more than 1000 coordinates
            coordinates x; coordinates y[10][10], z[30][30]; kinetic = 1;
                TooManyCoordinates «z» with `z`, there are more than 1000 coordinates
            coordinates x[1000][1000][1000][1000][1000][1000][1000]; kinetic = 1;
                TooManyCoordinates «x» with `x`, there are more than 1000 coordinates
            coordinates x[n]; const n = 2; kinetic = dot(x[n])^2; force x[0] = u;
                IndexBounds «n» index 2 is out of bounds: there are 2 elements
            coordinates x; let p[0] = x; let p[0] = x; kinetic = 1; force x = u;
                DuplicateLet «p» `p[0]` is defined twice
            coordinates x; let p = x; let p[0] = x; kinetic = 1; force x = u;
                DuplicateLet «p» `p` is defined twice
            coordinates x; let p[0] = x; let p[0][1] = x; kinetic = 1; force x = u;
                DuplicateLet «p» `p` is defined twice
            coordinates x; let p[] = x; kinetic = 1; force x = u;
                MissingIndex «[]» `p` needs an index between the brackets
            coordinates x; let p[i in 0..3] = p[i - 1]; kinetic = 1; force x = u;
                UnknownElement «p[i - 1]» `p[-1]` is not defined
            coordinates x; let p[i in 0..3] = p[2 - i]; kinetic = 1; force x = u;
                CyclicLet «p» a definition needs itself: `p[0]` → `p[2]` → `p[0]`
            coordinates x; let p[i in 0..3] = x*y[i]; kinetic = 1; force x = u;
                UnknownName «y» `y` is not known here
            coordinates x; let p[i in 0..3] = x; let q = p[3]; kinetic = 1; force x = u;
                UnknownElement «p[3]» `p[3]` is not defined
            coordinates x; let p[i in 1..3] = x; let q = dot(p); kinetic = 1; force x = u;
                ElementsAsArray «p» the elements of `p` make up no vector
            coordinates x; let p[i in 0..2] = x; let q = p[x]; kinetic = 1; force x = u;
                NotConstant «x» `x` is not known at compile time
            coordinates x; let p[m in 0..2] = x; kinetic = 1; force x = u;
                IndexIsQuantity «m» index `m` hides a quantity of the block
            coordinates x; let p[t in 0..2] = x; kinetic = 1; force x = u;
                ReservedName «t» `t` is reserved
            coordinates x; let p[i in 0..2][i in 0..2] = x; kinetic = 1; force x = u;
                DuplicateRangeVariable «i» index `i` stands twice in one statement
            coordinates x; let p[i in 0..100000] = x; kinetic = 1; force x = u;
                TooManyElements «0..100000» this range has more than 10000 elements
            coordinates x; let p[i in 0..9000][j in 0..9000] = x; kinetic = 1; force x = u;
                TooManyElements «j in 0..9000» this range has more than 10000 elements
            coordinates x; kinetic = sum(i in 0..9000, sum(j in 0..9000, sum(o in 0..9000, x))); force x = u;
                TooMuchWork «x» the sums of this block take more than 2000000 steps to write out
            coordinates x[3]; kinetic = dot(x[0])^2; force x[i in 0..4] = u;
                IndexBounds «i in 0..4» index 3 is out of bounds: there are 3 elements
            coordinates x[3]; kinetic = dot(x[j in 0..3])^2; force x[0] = u;
                RangeInExpression «j in 0..3» a range cannot stand in an expression
            coordinates x[3]; kinetic = dot(x[0])^2; force x[i 0..3] = u;
                MissingOperator «0» an operator is missing before `0`
            coordinates x; const n = m; kinetic = 1; force x = u;
                NotConstant «m» `m` is not known at compile time
            coordinates x; const n = 1/0; kinetic = 1; force x = u;
                DivisionByZero «1/0» division by zero
            coordinates x; const n = 2^0.5; kinetic = 1; force x = u;
                ConstantPower «2^0.5» the power of a constant needs a whole exponent
            coordinates x; const n = 9^9^9; kinetic = n; force x = u;
                ConstantSize «9^9^9» this number has more than 4096 bits
            coordinates x; const n = 0^(-1); kinetic = n; force x = u;
                DivisionByZero «0^(-1)» division by zero
            coordinates x; const a = b; const b = a; kinetic = a*dot(x)^2; force x = u;
                CyclicLet «a» a definition needs itself: `a`, `b`
            coordinates x; const x = 2; const m = 2; const n = 1; const n = 2; kinetic = 1; force x = u;
                ConstIsTaken «x» `const x` hides the coordinate `x`
                ConstIsTaken «m» `const m` hides the field `m`
                ConstIsTaken «n» `const n` hides the constant `n`
            coordinates x; const n = 2; let n = x; kinetic = 1; force x = u;
                DuplicateLet «n» `n` is defined twice
        "#]],
    );
}

#[test]
fn mistakes_in_sums() {
    values(
        &[
            "sum(i in 0..3, x^i)",
            "sum(i in 0..x, x)",
            "sum(i in 0..3, z)",
            "sum(i in 0..3, [x, y][i])",
            "sum(m in 0..3, x)",
            "sum(pi in 0..3, x)",
            "sum(x)",
            "x.sum(i in 0..3)",
            "sum(i in 0..3, x, y)",
            "sum(i in 0..2, if i < 1 { [x, y] } else { [y, x] })",
            "x[i in 0..3]",
        ],
        expect![[r#"
            sum(i in 0..3, x^i)
                accepted
            sum(i in 0..x, x)
                NotConstant «x» `x` is not known at compile time
            sum(i in 0..3, z)
                UnknownName «z» `z` is not known here
            sum(i in 0..3, [x, y][i])
                IndexBounds «i» index 2 is out of bounds: there are 2 elements
            sum(m in 0..3, x)
                IndexIsQuantity «m» index `m` hides a quantity of the block
            sum(pi in 0..3, x)
                ReservedName «pi» `pi` is reserved
            sum(x)
                RangeForm «)» expected `sum(i in a..b, term)`, found `)`
            x.sum(i in 0..3)
                RangeForm «sum» expected `sum(i in a..b, term)`, found `.sum`
            sum(i in 0..3, x, y)
                MissingOperator «y» an operator is missing before `y`
            sum(i in 0..2, if i < 1 { [x, y] } else { [y, x] })
                accepted
            x[i in 0..3]
                RangeInExpression «i in 0..3» a range cannot stand in an expression
        "#]],
    );
}

#[test]
fn fields() {
    structs(
        &[
            "struct A { m: [f64; 2] }",
            "struct A { m: [[f32; 2]; 3] }",
            "struct A<T> { m: [T; 2] }",
            "struct A<const N: usize> { m: [f64; N] }",
            "struct A { m: [f64; 0] }",
            "struct A { m: [f64; 20000] }",
            "struct A { m: [u8; 2] }",
        ],
        expect![[r#"
            struct A { m: [f64; 2] }
                accepted
            struct A { m: [[f32; 2]; 3] }
                accepted
            struct A<T> { m: [T; 2] }
                accepted
            struct A<const N: usize> { m: [f64; N] }
                ArrayLength «N» the length of field `m` is not known to the macro
            struct A { m: [f64; 0] }
                NoElements «0» field `m` has no elements
            struct A { m: [f64; 20000] }
                ArraySize «[f64; 20000]» field `m` has more than 10000 numbers
            struct A { m: [u8; 2] }
                FieldType «[u8; 2]» the type of field `m` is not a number
        "#]],
    );
}
