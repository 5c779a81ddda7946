//! Constraints, outputs, assumptions, functions and settings: their meaning, and the messages about mistakes in them.

use super::{model, source, values};
use expect_test::expect;
use lagrange_symbolic::graph::{Id, Symbol};
use lagrange_symbolic::print;

const POINTS: &str = "coordinates x, y; kinetic = m*(dot(x)^2 + dot(y)^2)/2; force x = u;";

fn text(block: &str, list: impl Fn(&lagrange_symbolic::meaning::Model) -> Vec<(String, Id)>) -> String {
    let model = model(&format!("{POINTS} {block}"));
    let names = |list: &[lagrange_symbolic::meaning::Named]| list.iter().map(|named| named.name.clone()).collect();
    let naming = print::Naming {
        coordinates: names(&model.coordinates),
        parameters: names(&model.parameters),
        inputs: names(&model.inputs),
        ..print::Naming::default()
    };
    list(&model).iter().map(|(name, id)| format!("{name}: {}\n", print::text(&model.graph, *id, &naming))).collect()
}

#[test]
fn constraints_and_outputs() {
    expect![[r#"
        rod[1]: norm([r[1][0] - r[0][0], r[1][1] - r[0][1]]) - l
        rod[2]: norm([r[2][0] - r[1][0], r[2][1] - r[1][1]]) - l
        at[0]: x - r[0][0]
        at[1]: y - r[0][1]
        edge: dot(x)*sin(y) - dot(y)*cos(x) - t
        force: lambda2
        all[0]: lambda1
        all[1]: lambda2
        pull: -lambda5*cos(x) - lambda4
        acceleration[0][0]: dot(dot(r[0][0]))
        acceleration[0][1]: dot(dot(r[0][1]))
        acceleration[1][0]: dot(dot(r[1][0]))
        acceleration[1][1]: dot(dot(r[1][1]))
        matrix[0][0]: x
        matrix[0][1]: y
        matrix[1][0]: u
        matrix[1][1]: t
    "#]]
    .assert_eq(&text(
        "coordinates r[3][2];
         nonholonomic edge: dot(x)*sin(y) - dot(y)*cos(x) == t;
         constraint rod[i in 1..3]: norm(r[i] - r[i - 1]) == l;
         constraint at: [x, y] == r[0];
         output force = multiplier(rod[2]);
         output all = multiplier(rod);
         output pull = reaction(edge)[y] + reaction(at)[r[0][1]];
         output acceleration[i in 0..2] = dot(dot(r[i]));
         output matrix = [[x, y], [u, t]];",
        |model| {
            let rows = model
                .physics
                .constraints
                .iter()
                .chain(&model.physics.nonholonomic)
                .map(|row| (row.name.clone(), row.value));
            rows.chain(model.physics.outputs.iter().map(|output| (output.name.clone(), output.value))).collect()
        },
    ));
}

#[test]
fn assumptions() {
    expect![[r#"
        l > 2*m: l - 2*m
        k < 1: 1 - k
        the knots of table `lift` increase: k
        the knots of table `lift` increase: 2 - k
    "#]]
    .assert_eq(&text("assume l > 2*m; assume k < 1; table lift(x) = spline([0, k, 2], [1, 2, 3]);", |model| {
        model.physics.assumptions.iter().map(|fact| (fact.text.clone(), fact.value)).collect()
    }));
}

#[test]
fn settings() {
    let model = model(&format!("{POINTS} crate = ::mine::runtime; max_operations = 300;"));
    assert_eq!(model.runtime.map(|path| path.to_string()).as_deref(), Some(":: mine :: runtime"));
    assert_eq!(model.max_operations, Some(300));
}

/// The natural spline through (0, 0), (1, 1), (2, 0) has the second derivatives 0, −3, 0 at its knots.
#[test]
fn tables_are_natural_splines() {
    let model = model(&format!(
        "{POINTS} table bump(x) = spline([0, 1, 2], [0, 1, 0]); let value = bump(x); let slope = dot(bump(x));"
    ));
    let at = |x: f64| {
        let roots = [model.lets[0].values[0], model.lets[1].values[0]];
        lagrange_symbolic::graph::value::numeric(&model.graph, &roots, &|symbol| match symbol {
            Symbol::Coordinate(0) => x,
            _ => 1.0,
        })
    };
    // On [0, 1] it is (3x − x³)/2; for x < 0 it is a straight line.
    for (x, value, slope) in [
        (-2.0, -3.0, 1.5),
        (0.0, 0.0, 1.5),
        (0.5, 0.6875, 1.125),
        (1.0, 1.0, 0.0),
        (1.5, 0.6875, -1.125),
        (4.0, -3.0, -1.5),
    ] {
        assert_eq!(at(x), [value, slope], "at {x}");
    }
}

#[test]
fn mistakes_in_constraints() {
    let cases = [
        "constraint rod: x^2 + y^2 == l^2;",
        "constraint rod = x;",
        "constraint rod: x = l;",
        "constraint rod: x;",
        "constraint rod: x >= l;",
        "constraint rod: l == m;",
        "constraint rod: [x, l] == [l, m];",
        "constraint rod: dot(x) == l;",
        "constraint rod: x == u;",
        "constraint rod: dot(dot(x)) == l;",
        "constraint rod: x == [l, l];",
        "constraint rod: x == l; constraint rod: y == l;",
        "constraint rod[i in 0..2]: x == i; constraint rod[1]: y == l;",
        "nonholonomic edge: dot(x) == t*x;",
        "nonholonomic edge: dot(x) + y*dot(y)^2 == 0;",
        "nonholonomic edge: dot(x)*sin(dot(y)) == 0;",
        "nonholonomic edge: sqrt(dot(x)^2) == 0;",
        "nonholonomic edge: x == y;",
        "nonholonomic edge: dot(x) == u;",
        "nonholonomic edge: dot(x)/(1 + dot(x)) == 1 - 1/(1 + dot(x)); ",
    ];
    super::check(
        &cases,
        |case| source(&format!("{POINTS} {case}"), super::STRUCT),
        expect![[r#"
            constraint rod: x^2 + y^2 == l^2;
                accepted
            constraint rod = x;
                ConstraintName «rod = x» a `constraint` needs a name and `:` before its equation
            constraint rod: x = l;
                AssignmentInEquality «=» `=` where `==` is meant
            constraint rod: x;
                MissingEquality «;» expected `==` in `constraint`, found `;`
            constraint rod: x >= l;
                InequalityConstraint «x >= l» an inequality in `constraint`
            constraint rod: l == m;
                ConstraintOnNothing «l == m» constraint `rod` depends on no coordinate
            constraint rod: [x, l] == [l, m];
                ConstraintOnNothing «[x, l] == [l, m]» constraint `rod[1]` depends on no coordinate
            constraint rod: dot(x) == l;
                VelocityInConstraint «dot(x)» a velocity cannot stand in the holonomic constraint `rod`
            constraint rod: x == u;
                InputInConstraint «u» input `u` cannot stand in constraint `rod`
            constraint rod: dot(dot(x)) == l;
                AccelerationInConstraint «dot(dot(x))» a second derivative cannot stand in constraint `rod`
            constraint rod: x == [l, l];
                Shapes «x == [l, l]» a constraint needs equal shapes: the left is a scalar, the right a vector of 2 components
            constraint rod: x == l; constraint rod: y == l;
                DuplicateConstraint «rod» constraint `rod` is stated twice
            constraint rod[i in 0..2]: x == i; constraint rod[1]: y == l;
                DuplicateConstraint «rod» constraint `rod[1]` is stated twice
            nonholonomic edge: dot(x) == t*x;
                accepted
            nonholonomic edge: dot(x) + y*dot(y)^2 == 0;
                NonlinearInVelocities «dot(y)^2» `dot(y)^2` is not linear in the velocities, as the nonholonomic constraint `edge` must be
            nonholonomic edge: dot(x)*sin(dot(y)) == 0;
                NonlinearInVelocities «sin(dot(y))» `sin(dot(y))` is not linear in the velocities, as the nonholonomic constraint `edge` must be
            nonholonomic edge: sqrt(dot(x)^2) == 0;
                NonlinearInVelocities «dot(x)^2» `dot(x)^2` is not linear in the velocities, as the nonholonomic constraint `edge` must be
            nonholonomic edge: x == y;
                NoVelocity «x == y» nonholonomic constraint `edge` depends on no velocity
            nonholonomic edge: dot(x) == u;
                InputInConstraint «u» input `u` cannot stand in constraint `edge`
            nonholonomic edge: dot(x)/(1 + dot(x)) == 1 - 1/(1 + dot(x)); 
                NonlinearInVelocities «dot(x)/(1 + dot(x))» `dot(x)/(1 + dot(x))` is not linear in the velocities, as the nonholonomic constraint `edge` must be
        "#]],
    );
}

#[test]
fn mistakes_in_outputs() {
    let cases = [
        "constraint rod: x == l; output force = multiplier(rot);",
        "constraint rod: x == l; output force = multiplier(rod, rod);",
        "constraint rod: x == l; output force = multiplier(rod[1]);",
        "constraint rod: x == l; output force = multiplier(rod[m]);",
        "constraint rod: x == l; output force = reaction(x + y);",
        "constraint rod: x == l; output force = reaction(rod)[z];",
        "constraint rod: x == l; output force = rod;",
        "constraint rod: x == l; force x = multiplier(rod);",
        "output a = x; output a = y;",
        "output a = x < y;",
        "output a = dot(dot(dot(x)));",
        "output a = acceleration[z];",
        "force x = acceleration[x];",
        "constraint rod: x == l; output a = dot(multiplier(rod));",
        "constraint rod: x == l; output a = constraint_drift(rod);",
        "constraint rod: x == l; force x = constraint_jacobian(rod)[x];",
        "output a = partial(x, x);",
        "verify partial(x, 2*y) == 0;",
        "verify partial(x, dot(dot(y))) == 0;",
        "verify partial(x) == 0;",
        "verify partial(mass, [x, y]) == 0;",
        "invariant a = acceleration[x];",
        "constraint rod: x == l; invariant a = multiplier(rod);",
    ];
    super::check(
        &cases,
        |case| source(&format!("{POINTS} {case}"), super::STRUCT),
        expect![[r#"
            constraint rod: x == l; output force = multiplier(rot);
                UnknownConstraint «rot» there is no constraint `rot`
            constraint rod: x == l; output force = multiplier(rod, rod);
                ArgumentCount «multiplier(rod, rod)» `multiplier` takes 1 argument, found 2
            constraint rod: x == l; output force = multiplier(rod[1]);
                UnknownConstraint «rod[1]» there is no constraint `rod[1]`
            constraint rod: x == l; output force = multiplier(rod[m]);
                NotConstant «m» `m` is not known at compile time
            constraint rod: x == l; output force = reaction(x + y);
                UnknownConstraint «x + y» there is no constraint `x + y`
            constraint rod: x == l; output force = reaction(rod)[z];
                UnknownIndex «z» `z` is no index of `reaction`
            constraint rod: x == l; output force = rod;
                ConstraintAsQuantity «rod» `rod` is a constraint, not a quantity
            constraint rod: x == l; force x = multiplier(rod);
                OutsideBound «multiplier(rod)» `multiplier` can stand in `output`, `verify` and the bound of a `friction` only
            output a = x; output a = y;
                DuplicateOutput «a» output `a` is stated twice
            output a = x < y;
                ScalarNeeded «x < y» `output a` must be a scalar, found a condition
            output a = dot(dot(dot(x)));
                ThirdDerivative «dot(dot(dot(x)))» third time derivatives are not part of the equations of motion
            output a = acceleration[z];
                UnknownIndex «z» `z` is no index of `acceleration`
            force x = acceleration[x];
                OutsideOutput «acceleration» `acceleration` can stand in `output` and `verify` only
            constraint rod: x == l; output a = dot(multiplier(rod));
                MultiplierRate «multiplier(rod)» the time derivative of a multiplier, of a reaction, or of the force of a contact, is not known
            constraint rod: x == l; output a = constraint_drift(rod);
                OutsideVerify «constraint_drift(rod)» `constraint_drift` can stand in `verify` only
            constraint rod: x == l; force x = constraint_jacobian(rod)[x];
                OutsideVerify «constraint_jacobian(rod)» `constraint_jacobian` can stand in `verify` only
            output a = partial(x, x);
                OutsideVerify «partial(x, x)» `partial` can stand in `verify` only
            verify partial(x, 2*y) == 0;
                NoVariable «2*y» `2*y` is no variable of the equations
            verify partial(x, dot(dot(y))) == 0;
                NoVariable «dot(dot(y))» `dot(dot(y))` is no variable of the equations
            verify partial(x) == 0;
                ArgumentCount «partial(x)» `partial` takes 2 arguments, found 1
            verify partial(mass, [x, y]) == 0;
                VectorNeeded «mass» the first argument of `partial` by a vector must be a vector, found a 2×2 matrix
            invariant a = acceleration[x];
                OutsideOutput «acceleration» `acceleration` can stand in `output` and `verify` only
            constraint rod: x == l; invariant a = multiplier(rod);
                OutsideBound «multiplier(rod)» `multiplier` can stand in `output`, `verify` and the bound of a `friction` only
        "#]],
    );
}

#[test]
fn mistakes_in_declarations() {
    let cases = [
        "assume l;",
        "assume l >= m;",
        "assume x > 0;",
        "assume l + dot(x) > 0;",
        "assume 0 > 1;",
        "assume [l, l] > 0;",
        "assume l < 0; assume m > 0; assume l > 1;",
        "assume continuous(l, m);",
        "assume continuous(l < m);",
        "table f(x) = spline([0, 1], [0, 1]); let value = f(x) + f([x, y]) + f(x, y);",
        "table f(x) = spline([0, 1], [0, 1]); table f(y) = spline([0, 1], [0, 1]); let value = f;",
        "table f(x) = spline([0, 1, 1], [0, 1, 2]);",
        "table f(x) = spline([0, 1], [0, 1, 2]);",
        "table f(x) = spline([0], [0]);",
        "table f(x) = spline([0, x], [0, 1]);",
        "table f(x) = spline(0, [0, 1]);",
        "table f(x, y) = spline([0, 1], [0, 1]);",
        "table f(x) = spline([0, 1]);",
        "table sin(x) = spline([0, 1], [0, 1]);",
        "extern f(x) = a::b; let value = f(x) + f(x, y);",
        "extern f() = a::b;",
        "extern f(a, b, c, d, e, f, g, h, i) = a::b;",
        "extern f(x, x) = a::b;",
        "extern f(x) = a::b, d(y) = a::c;",
        "extern f(x, y) = a::b, d(x, y) = a::c, d(y, x) = a::d;",
        "extern f(x) = 3;",
        "extern f(x) = a::b, e(x) = a::c;",
        "extern f(x) = a::b, d() = a::c;",
        "max_operations = 0;",
        "max_operations = 10; max_operations = 20;",
        "table f(x) = akima([0, 1], [0, 1]);",
        "table f(x) = pchip([0, 1], [0, 1], [0, 1]);",
        "table f(x) = spline([0, 1], [0, 1], [0]);",
        "table f(x, y) = pchip([0, 1], [0, 1], [[0, 1], [1, 2]]);",
        "table f(s) = pchip([0, 1], [0, 1]); let value = inverse(f(x), 1) + inverse(g, 1) + inverse(f);",
        "let value = inverse(x, 1);",
        "table f(s) = pchip([0, 1, 2], [0, 1, 0]); let value = inverse(f, 1);",
        "table f(s) = spline([0, 1, 2, 3], [0, 0.1, 5, 5.2]); let value = inverse(f, 1);",
        "table f(s) = linear([0, 1, 2], [0, 1, 1]); let value = inverse(f, 1);",
        "table f(s) = linear([0, m], [0, 1]); let value = inverse(f, 1);",
        "table f(s) = pchip([0, 1], [0, 2]); let value = inverse(f, [x, y]);",
        "table f(x, y) = spline([0, 1], [0, 1]);",
        "table f(x, y) = spline([0, 1], [0, 1], [[0, 1], [1, 2]], [0, 1]);",
        "table f(x, y) = spline([0, 1], [0, 1], [0, 1]);",
        "table f(x, y) = spline([0, 1, 2], [0, 1], [[0, 1, 2], [1, 2, 3]]);",
        "table f(x, y) = linear([0, 1], [1, 0], [[0, 1], [1, 2]]);",
        "table f(x, y) = linear([0, 1], [0, 1], [[0, 1], [1, x]]);",
        "table f(x, y, z) = spline([0, 1], [0, 1], [0, 1], [0, 1]);",
        "table f(x, y) = spline([0, 1], [0, 1], [[0, 1], [1, 2]]); let value = f(x);",
        "table f(x) = include(\"f.csv\");",
        "table f(x) = include_str!(\"f.csv\");",
        "torque x = u;",
        "torque rotation_x(x) = u;",
        "torque [x, y] = [0, 0, u];",
        "torque rotation_x(dot(x)) = [0, 0, u];",
        "torque = [0, 0, u];",
        "friction pad: x = m smooth = l;",
        "smooth = l;",
        "friction = m;",
        "max_operations = m;",
        "crate = 3;",
        "crate = a; crate = b;",
        "invariant h = energy; invariant h = x;",
        "invariant h = dot(dot(x));",
        "invariant h = u;",
        "invariant h = x < y;",
        "symmetry turn: [-y, x]; symmetry turn: [-y, x];",
        "symmetry turn: [-y, u];",
        "symmetry turn: [-y, dot(dot(x))];",
        "symmetry turn: [1];",
        "symmetry turn: x < y;",
        "symmetry turn: [-y, x], gauge = [x, y];",
        "symmetry turn = [-y, x];",
        "symmetry turn: [-y, x], [0];",
    ];
    super::check(
        &cases,
        |case| source(&format!("{POINTS} {case}"), super::STRUCT),
        expect![[r#"
            assume l;
                AssumptionForm «l» expected a comparison with `>` or `<`, found `l`
            assume l >= m;
                AssumptionForm «l >= m» expected a comparison with `>` or `<`, found `l >= m`
            assume x > 0;
                MovingAssumption «x» `x` is no parameter
            assume l + dot(x) > 0;
                MovingAssumption «x» `x` is no parameter
            assume 0 > 1;
                FalseAssumption «0 > 1» `0 > 1` is false
            assume [l, l] > 0;
                ScalarNeeded «[l, l]» a side of an assumption must be a scalar, found a vector of 2 components
            assume l < 0; assume m > 0; assume l > 1;
                ContradictoryAssumption «assume l > 1» no parameters meet `l > 1` together with the assumptions before it
            assume continuous(l, m);
                AssumptionForm «continuous(l, m)» expected a comparison with `>` or `<`, found `continuous(l, m)`
            assume continuous(l < m);
                ScalarNeeded «l < m» what is continuous must be a scalar, found a condition
            table f(x) = spline([0, 1], [0, 1]); let value = f(x) + f([x, y]) + f(x, y);
                ScalarNeeded «[x, y]» the argument of `f` must be a scalar, found a vector of 2 components
                ArgumentCount «f(x, y)» `f` takes 1 argument, found 2
            table f(x) = spline([0, 1], [0, 1]); table f(y) = spline([0, 1], [0, 1]); let value = f;
                FunctionIsTaken «f» a function `f` exists already
                FunctionAsQuantity «f» `f` is a function and needs its argument
            table f(x) = spline([0, 1, 1], [0, 1, 2]);
                UnorderedTable «[0, 1, 1]» the knots of table `f` do not increase
            table f(x) = spline([0, 1], [0, 1, 2]);
                Lengths «[0, 1], [0, 1, 2]» a table needs vectors of equal length: the left has length 2, the right 3
            table f(x) = spline([0], [0]);
                ShortTable «[0]» table `f` needs two knots at least
            table f(x) = spline([0, x], [0, 1]);
                MovingTable «[0, x]» table `f` must be made of numbers and parameters
            table f(x) = spline(0, [0, 1]);
                VectorNeeded «0» the knots of a table must be a vector, found a scalar
            table f(x, y) = spline([0, 1], [0, 1]);
                Form «spline([0, 1], [0, 1])» expected `table f(x, y) = spline([x0, x1, …], [y0, y1, …], [[f00, f01, …], [f10, f11, …], …]);`, found 2 arguments
            table f(x) = spline([0, 1]);
                Form «spline([0, 1])» expected `table f(x) = spline([x0, x1, …], [y0, y1, …]);`, found 1 argument
            table sin(x) = spline([0, 1], [0, 1]);
                FunctionIsTaken «sin» a function `sin` exists already
            extern f(x) = a::b; let value = f(x) + f(x, y);
                ArgumentCount «f(x, y)» `f` takes 1 argument, found 2
            extern f() = a::b;
                ExternArguments «f» function `f` needs from 1 to 8 arguments
            extern f(a, b, c, d, e, f, g, h, i) = a::b;
                ExternArguments «f» function `f` needs from 1 to 8 arguments
            extern f(x, x) = a::b;
                ExternArgumentTwice «x» argument `x` of `f` is named twice
            extern f(x) = a::b, d(y) = a::c;
                UnknownArgument «y» `y` is no argument of `f`
            extern f(x, y) = a::b, d(x, y) = a::c, d(y, x) = a::d;
                ExternDerivativeTwice «y» the derivative of `f` by y, x is given twice
            extern f(x) = 3;
                Form «3» expected `extern f(x, y) = path::f, d(x) = path::fx, d(y) = path::fy;`, found `3`
            extern f(x) = a::b, e(x) = a::c;
                Form «e» expected `extern f(x, y) = path::f, d(x) = path::fx, d(y) = path::fy;`, found `e`
            extern f(x) = a::b, d() = a::c;
                Form «()» expected `extern f(x, y) = path::f, d(x) = path::fx, d(y) = path::fy;`, found `d()`
            max_operations = 0;
                OperationLimit «0» `max_operations` must be a whole number from 1 on
            max_operations = 10; max_operations = 20;
                DuplicateSetting «max_operations = 20» `max_operations` is set twice
            table f(x) = akima([0, 1], [0, 1]);
                Form «akima([0, 1], [0, 1])» expected `table f(x) = spline([x0, x1, …], [y0, y1, …]);`, found `akima([0, 1], [0, 1])`
            table f(x) = pchip([0, 1], [0, 1], [0, 1]);
                Form «pchip([0, 1], [0, 1], [0, 1])» expected `table f(x) = spline([x0, x1, …], [y0, y1, …]);`, found 3 arguments
            table f(x) = spline([0, 1], [0, 1], [0]);
                TableSlopes «[0]» table `f` needs 2 slopes, found 1
            table f(x, y) = pchip([0, 1], [0, 1], [[0, 1], [1, 2]]);
                Form «pchip([0, 1], [0, 1], [[0, 1], [1, 2]])» expected `table f(x, y) = spline([x0, x1, …], [y0, y1, …], [[f00, f01, …], [f10, f11, …], …]);`, found `pchip`
            table f(s) = pchip([0, 1], [0, 1]); let value = inverse(f(x), 1) + inverse(g, 1) + inverse(f);
                InverseForm «inverse(f(x), 1)» `inverse` needs the name of a table of one argument and a value, found `f(x)`
                InverseForm «g» `inverse` needs the name of a table of one argument and a value, found `g`
                InverseForm «inverse(f)» `inverse` needs the name of a table of one argument and a value, found 1 argument
            let value = inverse(x, 1);
                InverseForm «x» `inverse` needs the name of a table of one argument and a value, found `x`
            table f(s) = pchip([0, 1, 2], [0, 1, 0]); let value = inverse(f, 1);
                NoInverse «f» table `f` has no inverse: its slope is 0 or changes its sign behind the knot 0
            table f(s) = spline([0, 1, 2, 3], [0, 0.1, 5, 5.2]); let value = inverse(f, 1);
                NoInverse «f» table `f` has no inverse: its slope is 0 or changes its sign behind the knot 0
            table f(s) = linear([0, 1, 2], [0, 1, 1]); let value = inverse(f, 1);
                NoInverse «f» table `f` has no inverse: its slope is 0 or changes its sign behind the knot 1
            table f(s) = linear([0, m], [0, 1]); let value = inverse(f, 1);
                NoInverse «f» table `f` has no inverse: its numbers depend on parameters
            table f(s) = pchip([0, 1], [0, 2]); let value = inverse(f, [x, y]);
                ScalarNeeded «[x, y]» the second argument of `inverse` must be a scalar, found a vector of 2 components
            table f(x, y) = spline([0, 1], [0, 1]);
                Form «spline([0, 1], [0, 1])» expected `table f(x, y) = spline([x0, x1, …], [y0, y1, …], [[f00, f01, …], [f10, f11, …], …]);`, found 2 arguments
            table f(x, y) = spline([0, 1], [0, 1], [[0, 1], [1, 2]], [0, 1]);
                Form «spline([0, 1], [0, 1], [[0, 1], [1, 2]], [0, 1])» expected `table f(x, y) = spline([x0, x1, …], [y0, y1, …], [[f00, f01, …], [f10, f11, …], …]);`, found 4 arguments
            table f(x, y) = spline([0, 1], [0, 1], [0, 1]);
                TableRows «[0, 1]» the values of table `f` must be a 2×2 matrix, found a vector of 2 components
            table f(x, y) = spline([0, 1, 2], [0, 1], [[0, 1, 2], [1, 2, 3]]);
                TableRows «[[0, 1, 2], [1, 2, 3]]» the values of table `f` must be a 3×2 matrix, found a 2×3 matrix
            table f(x, y) = linear([0, 1], [1, 0], [[0, 1], [1, 2]]);
                UnorderedTable «[1, 0]» the knots of table `f` do not increase
            table f(x, y) = linear([0, 1], [0, 1], [[0, 1], [1, x]]);
                MovingTable «[[0, 1], [1, x]]» table `f` must be made of numbers and parameters
            table f(x, y, z) = spline([0, 1], [0, 1], [0, 1], [0, 1]);
                Form «(x, y, z)» expected `table f(x) = spline([x0, x1, …], [y0, y1, …]);`, found 3 arguments
            table f(x, y) = spline([0, 1], [0, 1], [[0, 1], [1, 2]]); let value = f(x);
                ArgumentCount «f(x)» `f` takes 2 arguments, found 1
            table f(x) = include("f.csv");
                Form «include» expected `table f(x) = spline([x0, x1, …], [y0, y1, …]);`, found `include`
            table f(x) = include_str!("f.csv");
                Form «include_str» expected `table f(x) = spline([x0, x1, …], [y0, y1, …]);`, found `include_str`
            torque x = u;
                TorqueOnAngle «x» `x` is a number, and `torque` needs a rotation matrix or a quaternion
            torque rotation_x(x) = u;
                CoupleNeeded «u» a couple has 3 components in space, found a scalar
            torque [x, y] = [0, 0, u];
                OrientationNeeded «[x, y]» the left side of `torque` must be a 3×3 rotation matrix or a quaternion, found a vector of 2 components
            torque rotation_x(dot(x)) = [0, 0, u];
                VelocityInLeft «dot(x)» a velocity cannot stand on the left side of `torque`
            torque = [0, 0, u];
                Form «=» expected `torque orientation = …;`, found `=`
            friction pad: x = m smooth = l;
                MissingComma «smooth» a `,` is missing before `smooth`
            smooth = l;
                PropertyAsStatement «smooth» `smooth` is a property, not a statement
            friction = m;
                PropertyAsStatement «friction» `friction` is a property, not a statement
            max_operations = m;
                NotConstant «m» `m` is not known at compile time
            crate = 3;
                Form «3» expected `crate = path;`, found `3`
            crate = a; crate = b;
                DuplicateSetting «crate = b» `crate` is set twice
            invariant h = energy; invariant h = x;
                DuplicateInvariant «h» invariant `h` is stated twice
            invariant h = dot(dot(x));
                AccelerationInInvariant «dot(dot(x))» a second derivative cannot stand in an invariant
            invariant h = u;
                InputInInvariant «u» input `u` cannot stand in an invariant
            invariant h = x < y;
                ScalarNeeded «x < y» `invariant h` must be a scalar, found a condition
            symmetry turn: [-y, x]; symmetry turn: [-y, x];
                DuplicateSymmetry «turn» symmetry `turn` has the name of another symmetry or of an output
            symmetry turn: [-y, u];
                SymmetryContent «u» input `u` cannot stand in symmetry `turn`
            symmetry turn: [-y, dot(dot(x))];
                SymmetryContent «dot(dot(x))» a second derivative cannot stand in symmetry `turn`
            symmetry turn: [1];
                SymmetryShape «[1]» symmetry `turn` needs a component for each coordinate, and has 1
            symmetry turn: x < y;
                SymmetryShape «x < y» symmetry `turn` needs a component for each coordinate, and has 1
            symmetry turn: [-y, x], gauge = [x, y];
                ScalarNeeded «[x, y]» the `gauge` of `symmetry turn` must be a scalar, found a vector of 2 components
            symmetry turn = [-y, x];
                Form «turn» expected `symmetry name: [1, 0];`, found `turn`
            symmetry turn: [-y, x], [0];
                Form «[0]» expected `symmetry turn: [-y, x], gauge = …;`, found `[`
        "#]],
    );
}

#[test]
fn mistakes_in_functions() {
    values(
        &[
            "smoothstep(x)",
            "smoothstep([x, y])",
            "transpose([[x, y], [1, 2]])",
            "transpose(x)",
            "rotation_x(x)*[1, 2, 3]",
            "rotation_z([x])",
            "rotation([x, y, 0, 1])",
            "rotation([1, 0, 0], x)",
            "rotation([1, 0], x)",
            "rotation(x)",
            "angular_velocity_body(rotation_x(x)*rotation_y(y))",
            "angular_velocity_space(x)",
            "rigid_body_energy(m, k, [x, y], x)",
            "rigid_body_energy(m, [k, k, l], [x, y, 0], rotation_z(x))",
            "rigid_body_energy(m, k, x, x)",
            "rigid_body_energy(m, k, [x, y, 0], rotation_z(x))",
            "rigid_body_energy(m, [k, k, k], [x, y, 0], x)",
            "integral(s in 0..1, sin(s*x), nodes = 4)",
            "integral(s in 0..1, sin(s*x), nodes = 0)",
            "integral(s in 0..1, sin(s*x), nodes = 65)",
            "integral(s in 0..1, sin(s*x), nodes = x)",
            "integral(s in 0..1, sin(s*x), nodes 4)",
            "integral(s in 0..1, sin(s*x), 4)",
        ],
        expect![[r#"
            smoothstep(x)
                accepted
            smoothstep([x, y])
                ScalarNeeded «[x, y]» the argument of `smoothstep` must be a scalar, found a vector of 2 components
            transpose([[x, y], [1, 2]])
                accepted
            transpose(x)
                MatrixNeeded «x» the argument of `transpose` must be a matrix, found a scalar
            rotation_x(x)*[1, 2, 3]
                accepted
            rotation_z([x])
                ScalarNeeded «[x]» this argument of `rotation_z` must be a scalar, found a vector of 1 component
            rotation([x, y, 0, 1])
                accepted
            rotation([1, 0, 0], x)
                accepted
            rotation([1, 0], x)
                OrientationNeeded «[1, 0]» the argument of `rotation` must be a 3×3 rotation matrix or a quaternion, found a vector of 2 components
            rotation(x)
                OrientationNeeded «x» the argument of `rotation` must be a 3×3 rotation matrix or a quaternion, found a scalar
            angular_velocity_body(rotation_x(x)*rotation_y(y))
                accepted
            angular_velocity_space(x)
                OrientationNeeded «x» an argument of `angular_velocity_space` must be a 3×3 rotation matrix or a quaternion, found a scalar
            rigid_body_energy(m, k, [x, y], x)
                accepted
            rigid_body_energy(m, [k, k, l], [x, y, 0], rotation_z(x))
                accepted
            rigid_body_energy(m, k, x, x)
                PositionNeeded «x» the position in `rigid_body_energy` must have 2 or 3 components, found a scalar
            rigid_body_energy(m, k, [x, y, 0], rotation_z(x))
                InertiaNeeded «k» the inertia of `rigid_body_energy` must be a 3×3 matrix or 3 principal moments, found a scalar
            rigid_body_energy(m, [k, k, k], [x, y, 0], x)
                OrientationNeeded «x» an argument of `rigid_body_energy` must be a 3×3 rotation matrix or a quaternion, found a scalar
            integral(s in 0..1, sin(s*x), nodes = 4)
                accepted
            integral(s in 0..1, sin(s*x), nodes = 0)
                NodeCount «0» a quadrature cannot have 0 nodes
            integral(s in 0..1, sin(s*x), nodes = 65)
                NodeCount «65» a quadrature cannot have 65 nodes
            integral(s in 0..1, sin(s*x), nodes = x)
                NotConstant «x» `x` is not known at compile time
            integral(s in 0..1, sin(s*x), nodes 4)
                ExpectedEquals «4» expected `=` after `nodes`, found `4`
            integral(s in 0..1, sin(s*x), 4)
                MissingOperator «4» an operator is missing before `4`
        "#]],
    );
}

/// The mistakes of a block with this statement.
fn mistakes(statement: &str) -> Option<Vec<&'static str>> {
    let block = format!("{POINTS} {statement}");
    let tokens = |text: &str| text.parse().expect("the block is made of tokens");
    let item = "struct Mechanism { m: f64, #[input] u: f64 }";
    let read = lagrange_symbolic::parse::parse(tokens(&block), tokens(item));
    let derived = read.and_then(|spec| lagrange_symbolic::derivation(&spec));
    derived.err().map(|report| report.entries().iter().map(|(mistake, _)| mistake.row()).collect())
}

/// The numbers from 0 on, so many.
fn numbers(count: usize) -> String {
    let numbers: Vec<String> = (0..count).map(|number| number.to_string()).collect();
    format!("[{}]", numbers.join(", "))
}

#[test]
fn a_linear_table_has_a_limit() {
    let rows = |knots: usize| {
        let list = numbers(knots);
        mistakes(&format!("table f(x) = linear({list}, {list}); force y = f(x);"))
    };
    assert_eq!(rows(64), None);
    assert_eq!(rows(65).as_deref(), Some(&["LongTable"][..]));
}

/// A table of two arguments is a sum over the knots of that with fewer.
#[test]
fn a_table_of_two_arguments_has_a_limit() {
    let of = |rows: usize, columns: usize| {
        let values = vec![numbers(columns); rows].join(", ");
        let (x, y) = (numbers(rows), numbers(columns));
        mistakes(&format!("table f(x, y) = spline({x}, {y}, [{values}]); force y = f(x, y);"))
    };
    assert_eq!((of(3, 60), of(60, 3)), (None, None));
    assert_eq!(of(41, 41).as_deref(), Some(&["LargeTable"][..]));
}
