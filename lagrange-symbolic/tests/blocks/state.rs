//! `state` statements: their meaning, what may stand in them, where states may stand, and the messages about mistakes.

use super::source;
use expect_test::expect;

const POINTS: &str = "coordinates x, y; kinetic = m*(dot(x)^2 + dot(y)^2)/2; force x = u;";

#[test]
fn states_have_an_equation_of_first_order() {
    let cases = [
        "state z: dot(z) == -k*z + u*dot(x) + y + t;",
        "state z: z.dot() == -k*z;",
        "state z[i in 0..3]: dot(z[i]) == -k*z[i];",
        "state z[0]: dot(z[0]) == u; state z[i in 1..3]: dot(z[i]) == z[i-1] - z[i];",
        "state z[i in 0..2][j in 0..2]: dot(z[i][j]) == -z[j][i];",
        "state z: dot(z) == if x > 0 { k } else { 0 };",
        "state z: dot(z) == w; state w: dot(w) == -z;",
        "state z: dot(z) == -rate; let rate = k*z;",
        "state z: dot(z) == -z; verify dot(z) == -z; invariant e = z*exp(t);",
        "state z: k*dot(z) == -z;",
        "state z: z == x;",
        "state z: dot(x) == z;",
        "state z: dot(z) == [x, y];",
        "state z: dot(z) == dot(dot(x));",
        "state z: dot(z) == dot(w); state w: dot(w) == z;",
        "state z: dot(z) == multiplier(rod); constraint rod: y == l;",
        "state z: dot(z) == z; state z: dot(z) == k;",
        "state z[i in 1..3]: dot(z[i]) == k;",
        "state z[0]: dot(z[0]) == k; state z: dot(z) == k;",
        "state z[i in 0..2]: dot(z[0]) == k;",
        "state z[i in 0..999]: dot(z[i]) == k;",
        "state x: dot(x) == k;",
        "state m: dot(m) == k;",
        "state t: dot(t) == k;",
        "let z = 2; state z: dot(z) == k;",
        "const z = 2; state z: dot(z) == k;",
        "state z = k;",
        "state z: k;",
        "state z: dot(z) = k;",
        "state dot(z) == k;",
        "state z;",
    ];
    super::check(
        &cases,
        |case| source(&format!("{POINTS} {case}"), super::STRUCT),
        expect![[r#"
        state z: dot(z) == -k*z + u*dot(x) + y + t;
            accepted
        state z: z.dot() == -k*z;
            accepted
        state z[i in 0..3]: dot(z[i]) == -k*z[i];
            accepted
        state z[0]: dot(z[0]) == u; state z[i in 1..3]: dot(z[i]) == z[i-1] - z[i];
            accepted
        state z[i in 0..2][j in 0..2]: dot(z[i][j]) == -z[j][i];
            accepted
        state z: dot(z) == if x > 0 { k } else { 0 };
            accepted
        state z: dot(z) == w; state w: dot(w) == -z;
            accepted
        state z: dot(z) == -rate; let rate = k*z;
            accepted
        state z: dot(z) == -z; verify dot(z) == -z; invariant e = z*exp(t);
            accepted
        state z: k*dot(z) == -z;
            StateLeft «k*dot(z)» `k*dot(z)` is not the rate of state `z`
        state z: z == x;
            StateLeft «z» `z` is not the rate of state `z`
        state z: dot(x) == z;
            StateLeft «dot(x)» `dot(x)` is not the rate of state `z`
        state z: dot(z) == [x, y];
            Shapes «dot(z) == [x, y]» a state needs equal shapes: the left is a scalar, the right a vector of 2 components
        state z: dot(z) == dot(dot(x));
            SecondDerivativeInState «dot(dot(x))» a second derivative cannot stand in the equation of state `z`
        state z: dot(z) == dot(w); state w: dot(w) == z;
            StateRate «dot(w)» the rate of state `w` cannot stand here
        state z: dot(z) == multiplier(rod); constraint rod: y == l;
            OutsideBound «multiplier(rod)» `multiplier` can stand in `output`, `verify` and the bound of a `friction` only
        state z: dot(z) == z; state z: dot(z) == k;
            DuplicateState «z» state `z` is stated twice
        state z[i in 1..3]: dot(z[i]) == k;
            StateElements «z» the elements of state `z` do not make up an array
        state z[0]: dot(z[0]) == k; state z: dot(z) == k;
            StateElements «z» the elements of state `z` do not make up an array
        state z[i in 0..2]: dot(z[0]) == k;
            StateLeft «dot(z[0])» `dot(z[0])` is not the rate of state `z[1]`
        state z[i in 0..999]: dot(z[i]) == k;
            TooManyCoordinates «z» with `z`, there are more than 1000 coordinates
        state x: dot(x) == k;
            StateIsTaken «x» state `x` has the name of a coordinate
        state m: dot(m) == k;
            StateIsTaken «m» state `m` has the name of a field
        state t: dot(t) == k;
            ReservedName «t» `t` is reserved
        let z = 2; state z: dot(z) == k;
            LetIsState «z» `let z` hides the state `z`
        const z = 2; state z: dot(z) == k;
            ConstIsTaken «z» `const z` hides the state `z`
        state z = k;
            StateForm «z» a `state` needs a name, `:` and the equation of its rate
        state z: k;
            MissingEquality «;» expected `==` in `state`, found `;`
        state z: dot(z) = k;
            AssignmentInEquality «=» `=` where `==` is meant
        state dot(z) == k;
            StateForm «dot» a `state` needs a name, `:` and the equation of its rate
        state z;
            StateForm «z» a `state` needs a name, `:` and the equation of its rate
    "#]],
    );
}

#[test]
fn states_may_stand_where_no_reaction_acts_on_them() {
    let cases = [
        "force y = -k*z;",
        "force y = -k*dot(z);",
        "force y*z = k;",
        "potential = k*y^2*z + z^2;",
        "dissipation = z^2*dot(y)^2/2;",
        "potential = k*z*dot(y) - k*z^2*dot(x)^2;",
        "potential = k*sign(z);",
        "dissipation = k*dot(z)^2;",
        "constraint rod: y == z;",
        "nonholonomic rod: dot(y) == z;",
        "friction pad: y = m*abs(z);",
        "friction pad: y*z = m;",
        "output rate = dot(z) + reaction(rod); constraint rod: y == l;",
        "output rate = dot(dot(z));",
        "let z2 = z^2; force y = dot(z2);",
    ];
    let block = |case: &str| source(&format!("{POINTS} state z: dot(z) == k - z; {case}"), super::STRUCT);
    super::check(
        &cases,
        block,
        expect![[r#"
        force y = -k*z;
            accepted
        force y = -k*dot(z);
            StateRate «dot(z)» the rate of state `z` cannot stand here
        force y*z = k;
            StateInLeft «z» state `z` cannot stand on the left side of `force`
        potential = k*y^2*z + z^2;
            accepted
        dissipation = z^2*dot(y)^2/2;
            accepted
        potential = k*z*dot(y) - k*z^2*dot(x)^2;
            accepted
        potential = k*sign(z);
            Jump «sign(z)» `sign(z)` makes `potential` jump
        dissipation = k*dot(z)^2;
            StateRate «dot(z)» the rate of state `z` cannot stand here
        constraint rod: y == z;
            StateInConstraint «z» state `z` cannot stand in constraint `rod`
        nonholonomic rod: dot(y) == z;
            StateInConstraint «z» state `z` cannot stand in constraint `rod`
        friction pad: y = m*abs(z);
            accepted
        friction pad: y*z = m;
            StateInLeft «z» state `z` cannot stand on the left side of `friction`
        output rate = dot(z) + reaction(rod); constraint rod: y == l;
            Shapes «dot(z) + reaction(rod)» an addition needs equal shapes: the left is a scalar, the right a vector of 2 components
        output rate = dot(dot(z));
            SecondRateOfState «dot(dot(z))» the second derivative of state `z` is not known
        let z2 = z^2; force y = dot(z2);
            StateRate «dot(z2)» the rate of state `z` cannot stand here
    "#]],
    );
}

#[test]
fn a_block_of_states_needs_no_energy() {
    let cases = [
        "state z: dot(z) == k;",
        "state z: dot(z) == k; potential = z^2;",
        "state z: dot(z) == k; coordinates x;",
        "state z: dot(z) == k; kinetic = 0; potential = k*z^2/2;",
    ];
    super::check(
        &cases,
        |case| source(case, super::STRUCT),
        expect![[r#"
        state z: dot(z) == k;
            UnusedInput «u» input u is never used
        state z: dot(z) == k; potential = z^2;
            PotentialAlone «potential» `potential` is stated without `kinetic`
        state z: dot(z) == k; coordinates x;
            MissingLagrangian «Mechanism» neither `lagrangian` nor `kinetic` is stated
        state z: dot(z) == k; kinetic = 0; potential = k*z^2/2;
            UnusedInput «u» input u is never used
    "#]],
    );
}
