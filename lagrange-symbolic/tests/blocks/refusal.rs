//! Messages about statements without a meaning: the statement, the row of the table, the underlined text, the message.

use super::{STRUCT, blocks, claims, source, texts, tokens, values};
use expect_test::expect;
use lagrange_symbolic::meaning::elaborate;
use lagrange_symbolic::parse::parse;
use lagrange_symbolic::report::Mistake;

#[test]
fn names() {
    blocks(
        &[
            "coordinates x, x; kinetic = dot(x)^2; force x = u;",
            "coordinates x, k; kinetic = dot(x)^2; force x = u;",
            "coordinates t; let pi = 3; kinetic = 1; force x = u;",
        ],
        expect![[r#"
            coordinates x, x; kinetic = dot(x)^2; force x = u;
                DuplicateCoordinate «x» coordinate `x` is stated twice
            coordinates x, k; kinetic = dot(x)^2; force x = u;
                CoordinateIsField «k» `k` is a coordinate and a field
            coordinates t; let pi = 3; kinetic = 1; force x = u;
                ReservedName «t» `t` is reserved
                ReservedName «pi» `pi` is reserved
                UnknownName «x» `x` is not known here
        "#]],
    );
    values(
        &[
            "1; let value = 2; let m = 3; let y = 4",
            "lenght*thta + valeu",
            "K + xx + U",
            "sin",
            "sine(x) + log(x) + foo(x) + y(x + 1)",
            "energy + mass[x, y]",
            "a; let a = b + 1; let b = [c]; let c = a*x; let d = b",
            "value",
            "unknown; let after = value + 1; let again = after*value",
            "integral(t in 0..1, t)",
            "integral(s in 0..s, s)",
        ],
        expect![[r#"
            1; let value = 2; let m = 3; let y = 4
                DuplicateLet «value» `value` is defined twice
                LetIsField «m» `let m` hides the field `m`
                LetIsCoordinate «y» `let y` hides the coordinate `y`
            lenght*thta + valeu
                UnknownName «lenght» `lenght` is not known here
                UnknownName «thta» `thta` is not known here
                UnknownName «valeu» `valeu` is not known here
            K + xx + U
                UnknownName «K» `K` is not known here
                UnknownName «xx» `xx` is not known here
                UnknownName «U» `U` is not known here
            sin
                FunctionAsQuantity «sin» `sin` is a function and needs its argument
            sine(x) + log(x) + foo(x) + y(x + 1)
                UnknownFunction «sine» there is no function `sine`
                UnknownFunction «log» there is no function `log`
                UnknownFunction «foo» there is no function `foo`
                QuantityAsFunction «y» `y` is a quantity, not a function
            energy + mass[x, y]
                DerivedElsewhere «energy» `energy` is not known here; the derived `energy` stands in `verify` and `invariant` alone
                DerivedElsewhere «mass» `mass` is not known here; the derived `mass` stands in `verify` and `invariant` alone
            a; let a = b + 1; let b = [c]; let c = a*x; let d = b
                CyclicLet «a» a definition needs itself: `a` → `b` → `c` → `a`
            value
                CyclicLet «value» a definition needs itself: `value` → `value`
            unknown; let after = value + 1; let again = after*value
                UnknownName «unknown» `unknown` is not known here
            integral(t in 0..1, t)
                ReservedName «t» `t` is reserved
            integral(s in 0..s, s)
                UnknownName «s» `s` is not known here
        "#]],
    );
}

#[test]
fn missing_and_too_many() {
    blocks(
        &[
            "",
            "kinetic = m;",
            "coordinates x; force x = u;",
            "coordinates x; potential = x*u;",
            "coordinates x; lagrangian = dot(x)^2; kinetic = dot(x)^2; potential = u*x;",
            "coordinates x; lagrangian = dot(x)^2; potential = u*x;",
            "coordinates x; kinetic = dot(x)^2; kinetic = 1; dissipation = u*dot(x); dissipation = 2;",
        ],
        expect![[r#"

                MissingCoordinates «Mechanism» no coordinates are stated
                MissingLagrangian «Mechanism» neither `lagrangian` nor `kinetic` is stated
            kinetic = m;
                MissingCoordinates «Mechanism» no coordinates are stated
            coordinates x; force x = u;
                MissingLagrangian «Mechanism» neither `lagrangian` nor `kinetic` is stated
            coordinates x; potential = x*u;
                PotentialAlone «potential» `potential` is stated without `kinetic`
            coordinates x; lagrangian = dot(x)^2; kinetic = dot(x)^2; potential = u*x;
                LagrangianAndParts «kinetic» `lagrangian` and `kinetic` are both stated
            coordinates x; lagrangian = dot(x)^2; potential = u*x;
                LagrangianAndParts «potential» `lagrangian` and `potential` are both stated
            coordinates x; kinetic = dot(x)^2; kinetic = 1; dissipation = u*dot(x); dissipation = 2;
                DuplicateStatement «kinetic» `kinetic` is stated twice
                DuplicateStatement «dissipation» `dissipation` is stated twice
        "#]],
    );
}

#[test]
fn shapes() {
    blocks(
        &[
            "coordinates x; kinetic = [dot(x)]; force x = u;",
            "coordinates x; kinetic = dot(x)^2; force [x, 2*x] = [u, 1, 2];",
            "coordinates x; kinetic = dot(x)^2; force [x, 2*x] = u;",
        ],
        expect![[r#"
            coordinates x; kinetic = [dot(x)]; force x = u;
                ScalarNeeded «[dot(x)]» `kinetic` must be a scalar, found a vector of 1 component
            coordinates x; kinetic = dot(x)^2; force [x, 2*x] = [u, 1, 2];
                Lengths «[x, 2*x] = [u, 1, 2]» a force needs vectors of equal length: the left has length 2, the right 3
            coordinates x; kinetic = dot(x)^2; force [x, 2*x] = u;
                Shapes «[x, 2*x] = u» a force needs equal shapes: the left is a vector of 2 components, the right a scalar
        "#]],
    );
    values(
        &[
            "[1, 2] + [1, 2, 3]",
            "x + y + [1, 2] + 1",
            "[1, 2]*[3, 4]",
            "[[1, 2], [3, 4]]*[1, 2, 3]",
            "x/[1, 2]",
            "[1, 2]^2",
            "2^[1, 2]",
            "sin([1, 2])",
            "norm2(x < y)",
            "inner(1, 2) + inner([1], [2, 3])",
            "cross([1, 2, 3, 4], [1, 2, 3, 4])",
            "dot(x, y) + [x].dot([y])",
            "sin() + min(1) + atan2(1, 2, 3)",
            "[]",
            "[1, [2]]",
            "[[[1]]]",
            "x[0] + [1, 2][2] + [1, 2][x] + [1, 2][-1] + [1, 2][0.5] + [1, 2][0, 1] + [1, 2][]",
            "x < y",
            "1 + (x < y) && !x || [x] < y",
            "if x { 1 } else { 2 }",
            "if x < 1 { 1 } else { [2] }",
            "integral(s in [0]..1, s < 2)",
        ],
        expect![[r#"
            [1, 2] + [1, 2, 3]
                Lengths «[1, 2] + [1, 2, 3]» an addition needs vectors of equal length: the left has length 2, the right 3
            x + y + [1, 2] + 1
                Shapes «x + y + [1, 2]» an addition needs equal shapes: the left is a scalar, the right a vector of 2 components
            [1, 2]*[3, 4]
                VectorProduct «[1, 2]*[3, 4]» `*` is not defined between a vector of 2 components and a vector of 2 components
            [[1, 2], [3, 4]]*[1, 2, 3]
                MatrixProduct «[[1, 2], [3, 4]]*[1, 2, 3]» a matrix of 2 columns cannot multiply a vector of 3 components
            x/[1, 2]
                VectorDivisor «[1, 2]» cannot divide by a vector of 2 components
            [1, 2]^2
                VectorPower «[1, 2]» a power needs a scalar base, found a vector of 2 components
            2^[1, 2]
                ScalarNeeded «[1, 2]» an exponent must be a scalar, found a vector of 2 components
            sin([1, 2])
                ScalarNeeded «[1, 2]» the argument of `sin` must be a scalar, found a vector of 2 components
            norm2(x < y)
                VectorNeeded «x < y» the argument of `norm2` must be a vector, found a condition
            inner(1, 2) + inner([1], [2, 3])
                VectorNeeded «1» an argument of `inner` must be a vector, found a scalar
                Lengths «inner([1], [2, 3])» `inner` needs vectors of equal length: the left has length 1, the right 2
            cross([1, 2, 3, 4], [1, 2, 3, 4])
                CrossLength «cross([1, 2, 3, 4], [1, 2, 3, 4])» `cross` needs vectors of 2 or 3 components, found 4
            dot(x, y) + [x].dot([y])
                TwoArgumentDot «dot(x, y)» `dot` takes one argument: the total time derivative
                TwoArgumentDot «[x].dot([y])» `dot` takes one argument: the total time derivative
            sin() + min(1) + atan2(1, 2, 3)
                ArgumentCount «sin()» `sin` takes 1 argument, found 0
                ArgumentCount «min(1)» `min` takes 2 arguments or more, found 1
                ArgumentCount «atan2(1, 2, 3)» `atan2` takes 2 arguments, found 3
            []
                EmptyVector «[]» a vector needs at least one component
            [1, [2]]
                RaggedRows «[2]» element 1 of this vector is a vector of 1 component, the first is a scalar
            [[[1]]]
                ScalarNeeded «[[1]]» an element of a vector must be a scalar, found a 1×1 matrix
            x[0] + [1, 2][2] + [1, 2][x] + [1, 2][-1] + [1, 2][0.5] + [1, 2][0, 1] + [1, 2][]
                IndexedScalar «x[0]» a scalar has no elements
                IndexBounds «2» index 2 is out of bounds: there are 2 elements
                NotConstant «x» `x` is not known at compile time
                IndexBounds «-1» index -1 is out of bounds: there are 2 elements
                NotWhole «0.5» `0.5` is not a whole number
                IndexCount «[1, 2][0, 1]» a vector of 2 components takes 1 index, found 2
                MissingIndex «[1, 2][]» `[1, 2]` needs an index between the brackets
            x < y
                ScalarNeeded «x < y» `let value` must be a scalar, found a condition
            1 + (x < y) && !x || [x] < y
                Shapes «1 + (x < y)» an addition needs equal shapes: the left is a scalar, the right a condition
                ConditionNeeded «x» the operand of `!` must be a condition, found a scalar
                ScalarNeeded «[x]» a side of a comparison must be a scalar, found a vector of 1 component
            if x { 1 } else { 2 }
                ConditionNeeded «x» what follows `if` must be a condition, found a scalar
            if x < 1 { 1 } else { [2] }
                Shapes «if x < 1 { 1 } else { [2] }» a choice needs equal shapes: the left is a scalar, the right a vector of 1 component
            integral(s in [0]..1, s < 2)
                ScalarNeeded «[0]» the lower bound of an integral must be a scalar, found a vector of 1 component
                ScalarNeeded «s < 2» an integrand must be a scalar, found a condition
        "#]],
    );
}

#[test]
fn what_may_stand_where() {
    blocks(
        &[
            "coordinates x; kinetic = m*dot(x)^2 + m*x*dot(dot(x)); force x = u;",
            "coordinates x; let a = dot(dot(x)); lagrangian = m*a*x; force x = u;",
            "coordinates x; kinetic = dot(x)^2; dissipation = dot(dot(x)); force x = u + dot(dot(x));",
            "coordinates x; kinetic = u*dot(x)^2;",
            "coordinates x; lagrangian = dot(x)^2/2 - u*x;",
            "coordinates x; lagrangian = dot(x)^2/2 - u*x*dot(x);",
            "coordinates x; kinetic = dot(x)^2; potential = u*dot(x);",
            "coordinates x; kinetic = dot(x)^2; force 2*dot(x) = u;",
            "coordinates x; kinetic = dot(x)^2; force x*u = 1;",
            "coordinates x; kinetic = dot(x)^2; force m*t = u;",
            "coordinates x; kinetic = dot(x)^2; potential = k*x^2 + m*sign(x - l)*g; force x = u;",
            "coordinates x; lagrangian = dot(x)^2 - if x > 50 { 1 } else { g*x }; force x = u;",
            "coordinates x; lagrangian = dot(x)^2 - if x > 0 { k*x^2 } else { 0 }; force x = u;",
            "coordinates x; kinetic = dot(x)^2; potential = k*abs(x) + sign(x)*x^2 + max(x, u); force x = u;",
            "coordinates x; kinetic = dot(x)^2; potential = integral(s in 0..l, abs(s - x)^3); force x = u;",
            "coordinates x; kinetic = dot(x)^2; dissipation = sign(dot(x))*dot(x); force x = u + sign(x);",
            "coordinates x; kinetic = dot(x)^2; potential = k*mod(x, l) + 2*u*x;",
            "coordinates x; kinetic = (1 + floor(2*x))*dot(x)^2; force x = u;",
            "coordinates x; kinetic = dot(x)^2; potential = k*mod(x, l)*(l - mod(x, l)) + floor(m)*u*x;",
            "coordinates x; kinetic = dot(x)^2; dissipation = mod(t, l)*dot(x)^2; force x = u*floor(x) + mod(t, 2) + if mod(t, 4) < 1 { g } else { 0 };",
            "coordinates x; kinetic = dot(x)^2; force m*sign(x - l) = u;",
            "coordinates x; kinetic = dot(x)^2; constraint rod: x + sign(t)*l == 0; force x = u;",
            "extern f(s) = ground::f; coordinates x; kinetic = dot(x)^2; potential = k*if f(x) > 0 { x } else { 0 }; force x = u;",
        ],
        expect![[r#"
            coordinates x; kinetic = m*dot(x)^2 + m*x*dot(dot(x)); force x = u;
                SecondDerivative «dot(dot(x))» a second derivative cannot stand in `kinetic`
            coordinates x; let a = dot(dot(x)); lagrangian = m*a*x; force x = u;
                SecondDerivative «a» a second derivative cannot stand in `lagrangian`
            coordinates x; kinetic = dot(x)^2; dissipation = dot(dot(x)); force x = u + dot(dot(x));
                SecondDerivative «dot(dot(x))» a second derivative cannot stand in `dissipation`
                SecondDerivativeInForce «dot(dot(x))» a second derivative cannot stand in a force
            coordinates x; kinetic = u*dot(x)^2;
                InputInKinetic «u» input `u` cannot stand in the kinetic energy
            coordinates x; lagrangian = dot(x)^2/2 - u*x;
                accepted
            coordinates x; lagrangian = dot(x)^2/2 - u*x*dot(x);
                InputWithVelocity «u*x*dot(x)» input `u` cannot be combined with velocities in `lagrangian`
            coordinates x; kinetic = dot(x)^2; potential = u*dot(x);
                InputWithVelocity «u*dot(x)» input `u` cannot be combined with velocities in `potential`
            coordinates x; kinetic = dot(x)^2; force 2*dot(x) = u;
                VelocityInLeft «dot(x)» a velocity cannot stand on the left side of `force`
            coordinates x; kinetic = dot(x)^2; force x*u = 1;
                InputInLeft «u» input `u` cannot stand on the left side of `force`
            coordinates x; kinetic = dot(x)^2; force m*t = u;
                ForceOnNothing «m*t» `m*t` depends on no coordinate: the force would act on nothing
            coordinates x; kinetic = dot(x)^2; potential = k*x^2 + m*sign(x - l)*g; force x = u;
                Jump «sign(x - l)» `sign(x - l)` makes `potential` jump
            coordinates x; lagrangian = dot(x)^2 - if x > 50 { 1 } else { g*x }; force x = u;
                Jump «if x > 50 { 1 } else { g*x }» `if x > 50 { 1 } else { g*x }` makes `lagrangian` jump
            coordinates x; lagrangian = dot(x)^2 - if x > 0 { k*x^2 } else { 0 }; force x = u;
                accepted
            coordinates x; kinetic = dot(x)^2; potential = k*abs(x) + sign(x)*x^2 + max(x, u); force x = u;
                accepted
            coordinates x; kinetic = dot(x)^2; potential = integral(s in 0..l, abs(s - x)^3); force x = u;
                accepted
            coordinates x; kinetic = dot(x)^2; dissipation = sign(dot(x))*dot(x); force x = u + sign(x);
                accepted
            coordinates x; kinetic = dot(x)^2; potential = k*mod(x, l) + 2*u*x;
                Jump «mod(x, l)» `mod(x, l)` makes `potential` jump
            coordinates x; kinetic = (1 + floor(2*x))*dot(x)^2; force x = u;
                Jump «floor(2*x)» `floor(2*x)` makes `kinetic` jump
            coordinates x; kinetic = dot(x)^2; potential = k*mod(x, l)*(l - mod(x, l)) + floor(m)*u*x;
                accepted
            coordinates x; kinetic = dot(x)^2; dissipation = mod(t, l)*dot(x)^2; force x = u*floor(x) + mod(t, 2) + if mod(t, 4) < 1 { g } else { 0 };
                accepted
            coordinates x; kinetic = dot(x)^2; force m*sign(x - l) = u;
                JumpInPosition «sign(x - l)» `sign(x - l)` makes the left side of `force` jump
            coordinates x; kinetic = dot(x)^2; constraint rod: x + sign(t)*l == 0; force x = u;
                JumpInPosition «sign(t)» `sign(t)` makes constraint `rod` jump
            extern f(s) = ground::f; coordinates x; kinetic = dot(x)^2; potential = k*if f(x) > 0 { x } else { 0 }; force x = u;
                ContinuityUndecided «if f(x) > 0 { x } else { 0 }» could not decide whether `if f(x) > 0 { x } else { 0 }` is continuous in `potential`
        "#]],
    );
    values(
        &[
            "1/0 + x/(2 - 2) + (1 - 1)^-1",
            "dot(dot(dot(x)))",
            "dot(x*u)",
            "integral(s in 0..l, m*abs(s*dot(x))*sin(s))",
            "integral(s in 0..l, abs(s - x)*abs(s - y))",
            "integral(s in 0..l, abs(s^2 - x))",
            "integral(s in 0..l, s/(s + 1))",
            "integral(s in 0..l, sqrt(s))",
            "integral(s in 0..l, s^40)",
            "integral(s in 0..l, s^1000000000)",
        ],
        expect![[r#"
            1/0 + x/(2 - 2) + (1 - 1)^-1
                DivisionByZero «0» division by zero
                DivisionByZero «(2 - 2)» division by zero
                DivisionByZero «(1 - 1)^-1» division by zero
            dot(dot(dot(x)))
                ThirdDerivative «dot(dot(dot(x)))» third time derivatives are not part of the equations of motion
            dot(x*u)
                InputRate «x*u» the time derivative of input `u` is not known
            integral(s in 0..l, m*abs(s*dot(x))*sin(s))
                IntegralFactor «sin(s)» the integral over `s` has no closed form with the factor `sin(s)`
            integral(s in 0..l, abs(s - x)*abs(s - y))
                IntegralFactor «abs(s - x)*abs(s - y)» the integral over `s` has no closed form with the factor `abs(s - x)*abs(s - y)`
            integral(s in 0..l, abs(s^2 - x))
                IntegralFactor «abs(s^2 - x)» the integral over `s` has no closed form with the factor `abs(s^2 - x)`
            integral(s in 0..l, s/(s + 1))
                IntegralFactor «s/(s + 1)» the integral over `s` has no closed form with the factor `s/(s + 1)`
            integral(s in 0..l, sqrt(s))
                IntegralFactor «sqrt(s)» the integral over `s` has no closed form with the factor `sqrt(s)`
            integral(s in 0..l, s^40)
                IntegralDegree «s^40» the integrand has a degree above 32 in `s`
            integral(s in 0..l, s^1000000000)
                IntegralDegree «s^1000000000» the integrand has a degree above 32 in `s`
        "#]],
    );
}

#[test]
fn what_is_claimed() {
    claims(
        &[
            "verify mass[x, z] == 0; verify momentum[X] == 1;",
            "verify mass[2, x] == 0; verify mass[m, x] == 0;",
            "verify momentum == [1, 2, 3]; verify energy == [1];",
            "verify dissipation == 0;",
            "verify masss[x, x] == 0;",
            "verify energy[x] == 0;",
        ],
        expect![[r#"
            verify mass[x, z] == 0; verify momentum[X] == 1;
                UnknownIndex «z» `z` is no index of `mass`
                UnknownIndex «X» `X` is no index of `momentum`
            verify mass[2, x] == 0; verify mass[m, x] == 0;
                IndexBounds «2» index 2 is out of bounds: there are 2 elements
                UnknownIndex «m» `m` is no index of `mass`
            verify momentum == [1, 2, 3]; verify energy == [1];
                Lengths «momentum == [1, 2, 3]» a claim needs vectors of equal length: the left has length 2, the right 3
                Shapes «energy == [1]» a claim needs equal shapes: the left is a scalar, the right a vector of 1 component
            verify dissipation == 0;
                DerivedAbsent «dissipation» `dissipation` is not stated in this block
            verify masss[x, x] == 0;
                UnknownName «masss» `masss` is not known here
            verify energy[x] == 0;
                IndexedScalar «energy[x]» a scalar has no elements
        "#]],
    );
}

#[test]
fn help_names_what_is_allowed() {
    let texts = |block: &str| {
        let (block, item) = tokens(&source(block, STRUCT));
        texts(&parse(block, item).and_then(|spec| elaborate(&spec)).expect_err("the block is wrong"))
    };
    expect![[r#"
        `coordinate` begins no statement
          help: did you mean `coordinates`? statements are coordinates virtual let lagrangian kinetic potential dissipation force torque friction contact constraint nonholonomic state mode output invariant symmetry assume verify const extern table crate max_operations units part given allow
        `kinetik` begins no statement
          help: did you mean `kinetic`? statements are coordinates virtual let lagrangian kinetic potential dissipation force torque friction contact constraint nonholonomic state mode output invariant symmetry assume verify const extern table crate max_operations units part given allow
        expected a statement, found `3x`
          help: a statement begins with a word: coordinates virtual let lagrangian kinetic potential dissipation force torque friction contact constraint nonholonomic state mode output invariant symmetry assume verify const extern table crate max_operations units part given allow
    "#]].assert_eq(&texts("coordinate x; kinetik = 1; 3x;"));
    expect![[r#"
        `thta` is not known here
          help: did you mean `theta`? known here are g k l m theta u t pi
        there is no function `log`
          help: write `ln(k)`
    "#]]
    .assert_eq(&texts("coordinates theta; kinetic = m*dot(thta)^2*log(k);"));
    expect![[r#"
        `lagrangian` and `kinetic` are both stated
          help: state either L, or T and V
        `l` depends on no coordinate: the force would act on nothing
          help: write a coordinate, a point or an angle on the left side
    "#]]
    .assert_eq(&texts("coordinates theta; lagrangian = m*dot(theta)^2; kinetic = 0; force l = u;"));
}

/// Rows about derived equations, which other tests show.
const ELSEWHERE: [&str; 31] = [
    "NoInertia",
    "MotionUndetermined",
    "WithoutInertiaFirst",
    "ContactWithoutInertia",
    "NonlinearVelocity",
    "JumpingVelocity",
    "MotionWithoutInertia",
    "RedundantConstraints",
    "TooLarge",
    "OddDissipation",
    "GivingDissipation",
    "MomentumJumps",
    "DenseMass",
    "HolonomicInDisguise",
    "HolonomicCombination",
    "HolonomicTogether",
    "FrictionShared",
    "SmoothBound",
    "ContactInvariant",
    "LatchInvariant",
    "ModeInvariant",
    "FrictionClaim",
    "ClaimRefuted",
    "ClaimUndecided",
    "MissingDerivative",
    "NotConserved",
    "InvariantJumps",
    "InvariantUndecided",
    "NotSymmetric",
    "SymmetryUndecided",
    "EngineUnavailable",
];

#[test]
fn every_row_has_a_case() {
    let files = [
        "syntax.rs",
        "refusal.rs",
        "array.rs",
        "statement.rs",
        "contact.rs",
        "friction.rs",
        "state.rs",
        "latch.rs",
        "mode.rs",
        "foreign.rs",
        "unit.rs",
        "part.rs",
        "lint.rs",
        "virtual_displacement.rs",
    ];
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/blocks");
    let read = |file: &&str| std::fs::read_to_string(folder.join(file)).expect("the tests' own sources are there");
    let cases: String = files.iter().map(read).collect();
    let shown = |row: &&str| cases.contains(&format!("{row} «")) || cases.contains(&format!("&[\"{row}\"]"));
    let missing: Vec<&str> =
        Mistake::ROWS.iter().copied().filter(|row| !ELSEWHERE.contains(row) && !shown(row)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
