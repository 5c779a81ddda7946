//! Parts and given quantities: what is accepted, and the messages about mistakes.

use expect_test::{Expect, expect};
use lagrange_symbolic::assembly::{Source, check_alone, spec};
use lagrange_symbolic::meaning::elaborate;
use lagrange_symbolic::report::Report;
use lagrange_symbolic::units::check as check_units;
use proc_macro2::{TokenStream, TokenTree};

const LINK: &str = "{ given base[2]: m; const two = 2; coordinates theta; let tip = base + l*[sin(theta), -cos(theta)];
    table wear(x) = spline([0, 1, 2], [0, 2, 3]); kinetic = m*norm2(dot(tip))/two; constraint rope: tip[0] == 0; }
    struct Link { #[unit(kg)] m: f64, #[unit(m)] l: f64 }";

const PLAIN: &str = "{ part; coordinates x; kinetic = m*dot(x)^2/2; force x = u; }
    struct Plain<R> { m: R, #[input] u: R }";

/// The tokens of a mechanism and of its parts from one text of blocks and structs, so that a place can be looked up in it.
fn sources(text: &str) -> Vec<Source> {
    let tokens: TokenStream = text.parse().expect("the test's source is made of tokens");
    let mut sources: Vec<Source> = Vec::new();
    for token in tokens {
        match (&token, sources.last_mut()) {
            (TokenTree::Group(_), Some(last)) if !last.item.to_string().contains('{') => last.item.extend([token]),
            (TokenTree::Group(block), _) => {
                sources.push(Source { block: block.stream(), item: TokenStream::new(), parts: Vec::new() });
            }
            (_, Some(last)) => last.item.extend([token]),
            (_, None) => panic!("the block comes first"),
        }
    }
    sources
}

fn report(text: &str) -> Report {
    let mut sources = sources(text).into_iter();
    let mut whole = sources.next().expect("there is a block");
    whole.parts = sources.map(Some).collect();
    let checked = || {
        let spec = spec(&whole)?;
        if whole.parts.is_empty() {
            return check_alone(spec).map(|()| Report::new());
        }
        let model = elaborate(&spec)?;
        check_units(&spec, &model)?;
        Ok(model.warnings)
    };
    checked().unwrap_or_else(|report| report)
}

/// Each case, a block and a struct, with these parts behind it.
fn check(cases: &[&str], parts: &[&str], expected: Expect) {
    let told = |case: &&str| {
        let source = [&[*case], parts].concat().join(" ");
        format!("{case}\n{}", super::described(&source, &report(&source)))
    };
    expected.assert_eq(&cases.iter().map(told).collect::<String>());
}

#[test]
fn shapes_of_parts_meet() {
    let ball = "{ coordinates x, y, turn; let body = sphere([x, y], r, turn); let spot = [x, y]; kinetic = m*(dot(x)^2 + dot(y)^2 + r^2*dot(turn)^2)/2; }
        struct Ball { m: f64, r: f64 }";
    check(
        &[
            "{ part a[2]: Ball; contact touch: distance(a[0].body, a[1].body) >= 0; contact floor[i in 0..2]: distance(a[i].body, plane([0, 0], [0, 1])) >= 0, friction = mu; } struct A { a: [Ball; 2], mu: f64 }",
            "{ part a: Ball; output d = a.body; } struct A { a: Ball }",
            "{ part a: Ball; contact floor: distance(a.spot, plane([0, 0], [0, 1])) >= 0; } struct A { a: Ball }",
            "{ part a[2]: Ball; contact touch: distance(a[0].body, a[2].body) >= 0; } struct A { a: [Ball; 2] }",
            "{ part a: Ball; contact touch: distance(a.bod, plane([0, 0], [0, 1])) >= 0; } struct A { a: Ball }",
        ],
        &[ball],
        expect![[r#"
            { part a[2]: Ball; contact touch: distance(a[0].body, a[1].body) >= 0; contact floor[i in 0..2]: distance(a[i].body, plane([0, 0], [0, 1])) >= 0, friction = mu; } struct A { a: [Ball; 2], mu: f64 }
                accepted
            { part a: Ball; output d = a.body; } struct A { a: Ball }
                LoneShape «body» `a.body` is a shape, and no quantity
            { part a: Ball; contact floor: distance(a.spot, plane([0, 0], [0, 1])) >= 0; } struct A { a: Ball }
                ShapeNeeded «a.spot» `distance` needs two shapes, found `a.spot`
            { part a[2]: Ball; contact touch: distance(a[0].body, a[2].body) >= 0; } struct A { a: [Ball; 2] }
                UnknownElement «a[2].body» `a[2].body` is not defined
            { part a: Ball; contact touch: distance(a.bod, plane([0, 0], [0, 1])) >= 0; } struct A { a: Ball }
                UnknownOfPart «a.bod» `a.bod` is not known: the part is `Ball`, which has no such name
        "#]],
    );
    // A quantity that a part leaves open is no shape.
    check(
        &["{ part a: Link; let a.base = sphere([0, 0], 1); } struct A { a: Link }"],
        &[LINK],
        expect![[r#"
        { part a: Link; let a.base = sphere([0, 0], 1); } struct A { a: Link }
            LoneShape «base» `a.base` is a shape, and no quantity
    "#]],
    );
}

#[test]
fn a_link_is_used_by_name() {
    let cases = [
        "{ part a: Link; let a.base = [0, 0]; output x = a.tip; } struct A { a: Link }",
        "{ part a: b::Link; let a.base = [a.l, 2*a.l]; output x = [a.kinetic, a.two, multiplier(a.rope)]; } struct A { a: c::Link }",
        "{ part a: Link; let a.base = [0, 0]; output x = a.wear(2); } struct A { a: Link }",
        "{ part a: Link; let a.base = 3; } struct A { a: Link }",
        "{ part a: Link; let a.base = [0, 0, 0]; output x = a.tip[0]; } struct A { a: Link }",
        "{ part a: Link; let a.base[0] = 0; let a.base[1] = 1; } struct A { a: Link }",
        "{ part a: Link; let a.base[i in 0..2] = i; } struct A { a: Link }",
        "{ part a: Link; let a.base: m = [0, 0]; } struct A { a: Link }",
        "{ part a: Link; let a.base = [x, 0]; coordinates x: kg; } struct A { a: Link }",
        "{ part a: Link; } struct A { a: Link }",
        "{ part a: Link; let a.base = [0, 0]; let a.tip = 3; } struct A { a: Link }",
        "{ part a: Link; let a.base = [0, 0]; output x = a.tipp; } struct A { a: Link }",
        "{ part a: Link; let a.base = [0, 0]; output x = a + 1; } struct A { a: Link }",
        "{ part a: Link; let a.base = [0, 0]; output x = a[0].tip; } struct A { a: Link }",
        "{ part a: Link; let a.base = [0, 0]; } struct A { b: f64 }",
        "{ part a: Link; let a.base = [0, 0]; } struct A { a: f64 }",
        "{ part a: Link; let a.base = [0, 0]; } struct A { a: Vec<Link> }",
        "{ part a: Link; let a.base = [0, 0]; } struct A { #[input] a: Link }",
        "{ part a: A; let a.base = [0, 0]; } struct A { a: A }",
        "{ part a: Link; let a.base = [0, 0]; units time = day; } struct A { a: Link }",
        "{ part a: Link; let a.base = [0, 0]; units energy = J; } struct A { a: Link }",
        "{ part a: Link; part a: Link; let a.base = [0, 0]; } struct A { a: Link }",
        "{ part a Link; } struct A { a: Link }",
        "{ part a[1, 2]: Link; } struct A { a: Link }",
        "{ part a: 3; } struct A { a: Link }",
    ];
    check(
        &cases,
        &[LINK],
        expect![[r#"
            { part a: Link; let a.base = [0, 0]; output x = a.tip; } struct A { a: Link }
                accepted
            { part a: b::Link; let a.base = [a.l, 2*a.l]; output x = [a.kinetic, a.two, multiplier(a.rope)]; } struct A { a: c::Link }
                accepted
            { part a: Link; let a.base = [0, 0]; output x = a.wear(2); } struct A { a: Link }
                PartAsQuantity «a» `a` is a part, not a quantity
            { part a: Link; let a.base = 3; } struct A { a: Link }
                GivenShape «3» `a.base` is a vector of 2 components in the part, and the block gives it a scalar
            { part a: Link; let a.base = [0, 0, 0]; output x = a.tip[0]; } struct A { a: Link }
                GivenShape «[0, 0, 0]» `a.base` is a vector of 2 components in the part, and the block gives it a vector of 3 components
            { part a: Link; let a.base[0] = 0; let a.base[1] = 1; } struct A { a: Link }
                GivenShape «0» `a.base` is a vector of 2 components in the part, and the block gives it a component
                GivenShape «1» `a.base` is a vector of 2 components in the part, and the block gives it a component
            { part a: Link; let a.base[i in 0..2] = i; } struct A { a: Link }
                GivenShape «i» `a.base` is a vector of 2 components in the part, and the block gives it a component
            { part a: Link; let a.base: m = [0, 0]; } struct A { a: Link }
                GivenUnit «base» the part states the unit of `a.base`
            { part a: Link; let a.base = [x, 0]; coordinates x: kg; } struct A { a: Link }
                UnitMismatch «[x, 0]» `[x, 0]` has the unit `kg`, where `m` is needed
            { part a: Link; } struct A { a: Link }
                GivenWithoutValue «a» nothing states `a.base`, which `Link` leaves open
            { part a: Link; let a.base = [0, 0]; let a.tip = 3; } struct A { a: Link }
                NotOpen «tip» the part does not leave `a.tip` open
            { part a: Link; let a.base = [0, 0]; output x = a.tipp; } struct A { a: Link }
                UnknownOfPart «a.tipp» `a.tipp` is not known: the part is `Link`, which has no such name
            { part a: Link; let a.base = [0, 0]; output x = a + 1; } struct A { a: Link }
                PartAsQuantity «a» `a` is a part, not a quantity
            { part a: Link; let a.base = [0, 0]; output x = a[0].tip; } struct A { a: Link }
                UnknownOfPart «a[0].tip» `a[0].tip` is not known: the part is `Link`, which has no such name
            { part a: Link; let a.base = [0, 0]; } struct A { b: f64 }
                PartWithoutField «a» part `a` has no field
            { part a: Link; let a.base = [0, 0]; } struct A { a: f64 }
                PartFieldDiffers «a» part `a` is `Link` in the block, and its field has the type `f64`
            { part a: Link; let a.base = [0, 0]; } struct A { a: Vec<Link> }
                PartFieldType «Vec<Link>» field `a` is a part and has the type `Vec<Link>`
            { part a: Link; let a.base = [0, 0]; } struct A { #[input] a: Link }
                HelperOfPart «#[input]» field `a` is a part, and carries an attribute of numbers
            { part a: A; let a.base = [0, 0]; } struct A { a: A }
                CircularPart «a» `A` has itself as its part `a`
            { part a: Link; let a.base = [0, 0]; units time = day; } struct A { a: Link }
                PartUnits «a» part `a` measures the time in s, and the whole in day
            { part a: Link; let a.base = [0, 0]; units energy = J; } struct A { a: Link }
                accepted
            { part a: Link; part a: Link; let a.base = [0, 0]; } struct A { a: Link }
                DuplicateLet «a» `a` is defined twice
            { part a Link; } struct A { a: Link }
                Form «Link» expected `part name: Type;`, found `Link`
            { part a[1, 2]: Link; } struct A { a: Link }
                Form «[1, 2]» expected `part a[5]: Type;`, found 2 lengths
            { part a: 3; } struct A { a: Link }
                Form «3» expected `part name: Type;`, found `3`
        "#]],
    );
}

#[test]
fn links_in_an_array_are_used_by_name_and_index() {
    let cases = [
        "{ part a[2]: Wheel; output x = a[1].x; force a[i in 0..2].x = a[i].m; } struct A { a: [Wheel; 2] }",
        "{ const n = 2; part a[n]: Wheel; output x = sum(i in 0..n, a[i].x^2); } struct A { a: [Wheel; 2] }",
        "{ part a[2]: Wheel; output x = a.x; } struct A { a: [Wheel; 2] }",
        "{ part a[2]: Wheel; output x = a[2].x; } struct A { a: [Wheel; 2] }",
        "{ part a[3]: Wheel; } struct A { a: [Wheel; 2] }",
        "{ part a[n]: Wheel; } struct A { a: [Wheel; 2] }",
        "{ part a: Wheel; } struct A { a: [Wheel; 2] }",
    ];
    let wheel = "{ part; coordinates x; kinetic = m*dot(x)^2; } struct Wheel { m: f64 }";
    check(
        &cases,
        &[wheel],
        expect![[r#"
        { part a[2]: Wheel; output x = a[1].x; force a[i in 0..2].x = a[i].m; } struct A { a: [Wheel; 2] }
            accepted
        { const n = 2; part a[n]: Wheel; output x = sum(i in 0..n, a[i].x^2); } struct A { a: [Wheel; 2] }
            accepted
        { part a[2]: Wheel; output x = a.x; } struct A { a: [Wheel; 2] }
            UnknownOfPart «a.x» `a.x` is not known: the part is `Wheel`, which has no such name
        { part a[2]: Wheel; output x = a[2].x; } struct A { a: [Wheel; 2] }
            IndexBounds «2» index 2 is out of bounds: there are 2 elements
        { part a[3]: Wheel; } struct A { a: [Wheel; 2] }
            PartFieldDiffers «a» part `a` is `[Wheel; 3]` in the block, and its field has the type `[Wheel; 2]`
        { part a[n]: Wheel; } struct A { a: [Wheel; 2] }
            PartFieldDiffers «a» part `a` is `[Wheel; n]` in the block, and its field has the type `[Wheel; 2]`
        { part a: Wheel; } struct A { a: [Wheel; 2] }
            PartFieldDiffers «a» part `a` is `Wheel` in the block, and its field has the type `[Wheel; 2]`
    "#]],
    );
    let worn = "{ part; coordinates x; table wear(x) = spline([0, 1, 2], [0, l, 3]); kinetic = dot(x)^2; potential = wear(x); }
        struct Worn { l: f64 }";
    check(
        &["{ part a: Worn; } struct A { a: Worn }", "{ part a[2]: Worn; } struct A { a: [Worn; 2] }"],
        &[worn],
        expect![[r#"
        { part a: Worn; } struct A { a: Worn }
            accepted
        { part a[2]: Worn; } struct A { a: [Worn; 2] }
            TableOfParts «wear» table `wear` of the parts `a` contains a quantity that each of them has on its own
    "#]],
    );
    let cases = [
        "{ part a[2]: Link; let a[0].base = [0, 0]; } struct A { a: [Link; 2] }",
        "{ part a[2]: Link; let a.base = [0, 0]; } struct A { a: [Link; 2] }",
        "{ part a[2]: Link; let a[i in 0..2].base = [0, 0]; } struct A { a: [Link; 2] }",
        "{ part a[2]: Link; let a[i in 0..2].base[0] = 0; let a[i in 0..2].base[1] = 0; } struct A { a: [Link; 2] }",
    ];
    check(
        &cases,
        &[LINK],
        expect![[r#"
            { part a[2]: Link; let a[0].base = [0, 0]; } struct A { a: [Link; 2] }
                GivenWithoutValue «a» nothing states `a[1].base`, which `Link` leaves open
            { part a[2]: Link; let a.base = [0, 0]; } struct A { a: [Link; 2] }
                GivenWithoutValue «a» nothing states `a.base`, which `Link` leaves open
                NotOpen «base» the part does not leave `a.base` open
            { part a[2]: Link; let a[i in 0..2].base = [0, 0]; } struct A { a: [Link; 2] }
                accepted
            { part a[2]: Link; let a[i in 0..2].base[0] = 0; let a[i in 0..2].base[1] = 0; } struct A { a: [Link; 2] }
                GivenShape «0» `a[0].base` is a vector of 2 components in the part, and the block gives it a component
                GivenShape «0» `a[0].base` is a vector of 2 components in the part, and the block gives it a component
        "#]],
    );
}

#[test]
fn given_quantities_may_depend_on_velocities() {
    let cases = [
        "{ part a: Drag; coordinates x; kinetic = dot(x)^2/2; let a.way = x; let a.speed = dot(x); } struct A { a: Drag }",
        "{ part a: Drag; coordinates x; kinetic = dot(x)^2/2; let a.way = dot(x); let a.speed = dot(x); } struct A { a: Drag }",
        "{ part a: Drag; coordinates x; let a.way = x; let a.speed = dot(dot(x)); } struct A { a: Drag }",
    ];
    let drag = "{ given way, speed; kinetic = m*speed^2/2; dissipation = c*speed^2/2; potential = c*dot(way)^2; force way = -c*speed; }
        struct Drag { c: f64, m: f64 }";
    check(
        &cases,
        &[drag],
        expect![[r#"
        { part a: Drag; coordinates x; kinetic = dot(x)^2/2; let a.way = x; let a.speed = dot(x); } struct A { a: Drag }
            accepted
        { part a: Drag; coordinates x; kinetic = dot(x)^2/2; let a.way = dot(x); let a.speed = dot(x); } struct A { a: Drag }
            SecondDerivative «potential = c*dot(way)^2» a second derivative cannot stand in `potential`
            VelocityInLeft «way» a velocity cannot stand on the left side of `force`
        { part a: Drag; coordinates x; let a.way = x; let a.speed = dot(dot(x)); } struct A { a: Drag }
            SecondDerivative «kinetic = m*speed^2/2» a second derivative cannot stand in `kinetic`
            SecondDerivative «dissipation = c*speed^2/2» a second derivative cannot stand in `dissipation`
            SecondDerivativeInForce «speed» a second derivative cannot stand in a force
    "#]],
    );
}

#[test]
fn a_type_parameter_is_one_of_the_whole_or_a_type() {
    let cases = [
        "{ part a: Plain; } struct A<S> { a: Plain<S> }",
        "{ part a: Plain; } struct A { a: Plain<f32> }",
        "{ part a: Plain; } struct A { a: Plain }",
        "{ part a: Plain; } struct A { a: Plain<Vec<f64>> }",
        "{ part a: Plain; force a.u = 3; } struct A { a: Plain<f64> }",
        "{ part a: Plain; force a.x = a.u; } struct A { a: Plain<f64> }",
    ];
    check(
        &cases,
        &[PLAIN],
        expect![[r#"
        { part a: Plain; } struct A<S> { a: Plain<S> }
            accepted
        { part a: Plain; } struct A { a: Plain<f32> }
            accepted
        { part a: Plain; } struct A { a: Plain }
            PartFieldDiffers «a» part `a` is `Plain<R>` in the block, and its field has the type `Plain`
        { part a: Plain; } struct A { a: Plain<Vec<f64>> }
            PartFieldType «Plain<Vec<f64>>» field `a` is a part and has the type `Plain<Vec<f64>>`
        { part a: Plain; force a.u = 3; } struct A { a: Plain<f64> }
            InputInLeft «a.u» input `a.u` cannot stand on the left side of `force`
        { part a: Plain; force a.x = a.u; } struct A { a: Plain<f64> }
            accepted
    "#]],
    );
}

#[test]
fn a_part_is_checked_alone() {
    let cases = [
        "{ given x; potential = k*x^2; } struct A { k: f64 }",
        "{ given x[2]: m, turned[3][3]; force x = [k, k]; } struct A { k: f64 }",
        "{ given x; potential = k*x^2; verify potential == 3; invariant h = energy; } struct A { k: f64 }",
        "{ given x; potential = k*y^2; } struct A { k: f64 }",
        "{ given x: m; potential = k*x; units energy = J; } struct A { #[unit(N/m)] k: f64 }",
        "{ given x = 3; } struct A { k: f64 }",
        "{ given; } struct A { k: f64 }",
        "{ part; coordinates x; kinetic = dot(x)^2; extern f(x) = crate::f, d(x) = f::d; potential = f(x); } struct A { k: f64 }",
    ];
    check(
        &cases,
        &[],
        expect![[r#"
        { given x; potential = k*x^2; } struct A { k: f64 }
            accepted
        { given x[2]: m, turned[3][3]; force x = [k, k]; } struct A { k: f64 }
            accepted
        { given x; potential = k*x^2; verify potential == 3; invariant h = energy; } struct A { k: f64 }
            ClaimOfOpenPart «verify potential == 3» `verify` stands in a part with given quantities
            ClaimOfOpenPart «invariant h = energy» `invariant` stands in a part with given quantities
        { given x; potential = k*y^2; } struct A { k: f64 }
            UnknownName «y» `y` is not known here
        { given x: m; potential = k*x; units energy = J; } struct A { #[unit(N/m)] k: f64 }
            UnitMismatch «k*x» `k*x` has the unit `kg*m/s^2`, where `kg*m^2/s^2` is needed
        { given x = 3; } struct A { k: f64 }
            Form «=» expected `given base[2];`, found `=`
        { given; } struct A { k: f64 }
            ExpectedName «;» expected a quantity that is given, found `;`
        { part; coordinates x; kinetic = dot(x)^2; extern f(x) = crate::f, d(x) = f::d; potential = f(x); } struct A { k: f64 }
            PartExtern «f» the path `f::d` is not found where the part is used
    "#]],
    );
}

#[test]
fn a_block_alone_has_no_parts() {
    super::blocks(
        &["part a: Link; coordinates x;", "given base; coordinates x;"],
        expect![[r#"
        part a: Link; coordinates x;
            PartElsewhere «a» the block of part `a` is not at hand
            MissingLagrangian «Mechanism» neither `lagrangian` nor `kinetic` is stated
        given base; coordinates x;
            GivenAlone «base» nothing states `base`: a block with given quantities is no mechanism alone
            MissingLagrangian «Mechanism» neither `lagrangian` nor `kinetic` is stated
    "#]],
    );
}

#[test]
fn mistakes_of_a_part_are_not_repeated() {
    let source = "{ part a: Link; output x = a.tip; } struct A { a: Link }";
    let mut whole = sources(source).remove(0);
    whole.parts = vec![None];
    let told = super::described(source, &spec(&whole).expect_err("the part has mistakes"));
    assert_eq!(told, "    PartHasMistakes «a» part `a` has mistakes of its own\n");
}

#[test]
fn what_a_part_allows_holds_for_its_own_quantities() {
    let free = "{ part; allow unused_input; coordinates a; kinetic = dot(a)^2; } struct Free { #[input] f: f64 }";
    check(
        &["{ part one: Free; part two[2]: Free; } struct A { one: Free, two: [Free; 2], #[input] u: f64 }"],
        &[free, free],
        expect![[r#"
            { part one: Free; part two[2]: Free; } struct A { one: Free, two: [Free; 2], #[input] u: f64 }
                UnusedInput «u» input u is never used
        "#]],
    );
}
