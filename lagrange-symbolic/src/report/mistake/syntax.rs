//! Rows of the table of messages: statements, expressions and structs that cannot be read.

/// Appends its rows to those that it is given, and passes all of them to the next macro.
macro_rules! syntax {
    ($next:ident $($after:ident)*; $($rows:tt)*) => { $next! { $($after)*; $($rows)*

    // Statements
    ExpectedStatement { found: String } =>
        "expected a statement, found {found}",
        "a statement begins with a word: coordinates virtual let lagrangian kinetic potential dissipation force torque friction contact \
         constraint nonholonomic state mode output invariant symmetry assume verify const extern table crate max_operations units part given allow";
    UnknownStatement { word: String, help: String } =>
        "`{word}` begins no statement",
        "{help}";
    UnknownLint { name: String, help: String } =>
        "there is no warning `{name}`",
        "{help}";
    MissingLet { name: String, help: String } =>
        "`{name} = …` is not a statement",
        "to name an intermediate quantity, write `let {name} = …;`{help}";
    PropertyAsStatement { word: String, form: String } =>
        "`{word}` is a property, not a statement",
        "it stands behind a `,` in the statement of which it is one: `{form}`";
    CommentSign { sign: String } =>
        "`{sign}` begins no comment",
        "a comment is written `// …`";
    MissingComma { before: String } =>
        "a `,` is missing before {before}",
        "the properties of a statement follow it behind commas";
    MissingSemicolon { before: String } =>
        "a `;` is missing before {before}",
        "every statement ends in `;`";
    ExpectedName { what: String, found: String } =>
        "expected {what}, found {found}",
        "names are letters, digits and underscores, do not begin with a digit, and are no keywords of Rust";
    ExpectedEquals { after: String, found: String, form: String } =>
        "expected `=` after {after}, found {found}",
        "write `{form}`";
    EqualityInDefinition {} =>
        "`==` where `=` is meant",
        "a definition is written with `=`; `==` stands in `verify`, `constraint` and `nonholonomic`";
    AssignmentInEquality { form: String } =>
        "`=` where `==` is meant",
        "write `{form}`";
    MissingEquality { keyword: String, form: String, found: String } =>
        "expected `==` in `{keyword}`, found {found}",
        "write `{form}`";
    ConstraintName { keyword: String, form: String } =>
        "a `{keyword}` needs a name and `:` before its equation",
        "write `{form}`";
    InequalityConstraint { form: String } =>
        "an inequality in `constraint`",
        "a constraint is an equation; what bodies reach and leave again is a contact: write `{form}`";
    DampingAsFriction { form: String } =>
        "`friction` without a slip",
        "it states dry friction, the slip of two surfaces on the left and the bound of its force on the right: `friction name: x = mu*n;`; \
         a force in proportion to a velocity is a dissipation: `{form}`";
    ContactForm { form: String, found: String, why: String } =>
        "a `contact` needs an inequality with `>=`, found {found}",
        "write `{form}`: {why}";
    ContactProperty { name: String, found: String } =>
        "contact `{name}` has no property {found}",
        "its properties are `restitution = e`, `friction = mu` together with `slip = x`, beside these `breakaway = held`, the coefficient at rest, and `adhesion = f`, a tensile force";
    FrictionProperty { name: String, found: String } =>
        "friction `{name}` has no property {found}",
        "its properties are `breakaway = held`, the bound of the force at rest, and `smooth = v0`, a slip rate: the force is then \
         -bound*tanh(rate/v0), without phases";
    FrictionPropertyTwice { name: String, property: String } =>
        "`{property}` of friction `{name}` is stated twice",
        "keep one of the two";
    BreakawaySmooth { name: String } =>
        "friction `{name}` has both `smooth` and `breakaway`",
        "a smooth friction creeps under every force and never sticks, so that no force breaks it away; keep one of the two";
    ContactPropertyTwice { name: String, property: String } =>
        "`{property}` of contact `{name}` is stated twice",
        "";
    ContactFriction { name: String, stated: String, missing: String } =>
        "contact `{name}` has `{stated}` and no `{missing}`",
        "the slip is the displacement of the surfaces along each other; state both: `friction = mu, slip = x`";
    StateForm { form: String } =>
        "a `state` needs a name, `:` and the equation of its rate",
        "write `{form}`";
    ModeForm { form: String, found: String } =>
        "expected `{form}`, found {found}",
        "the mode keeps its value until a condition holds; `mode name;` is one that only other modes change, behind `then`";
    Form { form: String, found: String, why: String } =>
        "expected `{form}`, found {found}",
        "{why}";
    MissingLength { name: String } =>
        "array `{name}` needs a length",
        "write `{name}[4]`";
    MissingIndex { name: String } =>
        "`{name}` needs an index between the brackets",
        "write `{name}[0]` or `{name}[i in 0..4]`";
    BlockAttribute {} =>
        "only doc comments may stand before a statement",
        "attributes such as `#[input]` and `#[skip]` stand before the fields of the struct";

    // Expressions
    ExpectedExpression { found: String } =>
        "expected an expression, found {found}",
        "an expression is made of numbers, names, calls `f(x)`, vectors `[a, b]`, parentheses `( )` and \
         `+ - * / ^`";
    Unexpected { found: String } =>
        "unexpected {found}",
        "an operator or the end of the expression was expected";
    MissingOperator { found: String } =>
        "an operator is missing before {found}",
        "products are written with `*`; elements and arguments are separated by `,`";
    Foreign { found: String, form: String } =>
        "`{found}` is not understood here",
        "write `{form}`";
    DoubleStar {} =>
        "powers are written with `^`",
        "write `x^2` instead of `x**2`";
    ImplicitProduct { left: String, right: String } =>
        "a `*` is missing between `{left}` and `{right}`",
        "write `{left}*{right}`";
    NumberWithUnit { number: String, unit: String } =>
        "`{number} {unit}` is a number with a unit, which is not an expression",
        "write `{number}[{unit}]`, with the unit between brackets; a product needs a `*`";
    TypedNumber { number: String, suffix: String } =>
        "numbers carry no type",
        "write `{number}`: it is exact, and rounded once to the number type of the solution";
    NumberRange { number: String } =>
        "`{number}` is outside the range of numbers",
        "the largest number is about 1.8e308";
    NotDecimal { found: String } =>
        "`{found}` is not a decimal number",
        "numbers are written like 2, 0.1 or 1e-3";
    FieldAccess { found: String } =>
        "a function and its parentheses are expected after `.`, found {found}",
        "write `x.dot()` for a function, `v[0]` for an element; parameters are written without `self`";
    RangeForm { form: String, found: String } =>
        "expected `{form}`, found {found}",
        "bounds are separated by `..`, the upper one is left out of indices";
    RangeInExpression {} =>
        "a range cannot stand in an expression",
        "ranges index whole statements: `let p[i in 1..8] = …;`, or the left side of a force; sums are written \
         `sum(i in 0..8, term)`";
    ComparisonChain { form: String } =>
        "comparisons cannot be chained",
        "write `{form}`; a `contact` and an `assume` state one comparison each";
    EqualityCondition {} =>
        "conditions compare with `<`, `<=`, `>`, `>=`",
        "equality of real numbers is not a condition that a motion can meet";
    ExpectedBraces { found: String } =>
        "expected `{{`, found {found}",
        "a choice is written `if condition {{ a }} else {{ b }}`";
    IfWithoutElse {} =>
        "`if` without `else`",
        "a choice is written `if condition {{ a }} else {{ b }}`";
    TooDeep { limit: usize } =>
        "this expression is nested more than {limit} deep",
        "name parts of it with `let`";
    TooLong { limit: usize } =>
        "this expression has more than {limit} terms",
        "name parts of it with `let`";

    // The struct
    NotAStruct { found: String } =>
        "a mechanism is described on a struct, found {found}",
        "put `#[lagrangian {{ … }}]` on a struct whose fields are the parameters";
    ItemSyntax { error: String } =>
        "{error}",
        "";
    TupleStruct { name: String } =>
        "the parameters of `{name}` need names",
        "write `struct {name} {{ m: f64, … }}`";
    FieldType { field: String, help: String } =>
        "the type of field `{field}` is not a number",
        "{help}";
    NoElements { field: String } =>
        "field `{field}` has no elements",
        "an array has one element at least; leave the field out, or mark it `#[skip]`";
    ArraySize { field: String, limit: usize } =>
        "field `{field}` has more than {limit} numbers",
        "";
    ArrayLength { field: String } =>
        "the length of field `{field}` is not known to the macro",
        "a macro sees no values of constants: write it as a number, `[f64; 8]`";
    TwoTypeParameters { first: String, second: String } =>
        "parameters have the types `{first}` and `{second}`",
        "one type parameter serves all of them";
    ConditionalField { field: String } =>
        "field `{field}` depends on a configuration",
        "the equations need every parameter; mark the field `#[skip]` or take `cfg` off";
    HelperArguments { helper: String } =>
        "`#[{helper}]` takes no arguments",
        "";
    HelperTwice { helper: String, field: String } =>
        "field `{field}` carries `#[{helper}]` twice",
        "";
    InputAndSkip { field: String } =>
        "field `{field}` is an input and skipped",
        "an input is a number that a controller sets, a skipped field is not seen by the equations";

    } };
}
