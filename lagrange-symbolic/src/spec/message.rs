//! The one table of messages: what is said about each mistake, and what is allowed instead.
//!
//! A row is a mistake with the names at fault, its message, and its help. `{field}` is replaced by the row's field
//! of that name. The warnings stand last.

macro_rules! table {
    ($($row:ident { $($field:ident : $type:ty),* } => $message:literal, $help:literal;)*) => {
        /// A mistake in a block, or a warning about it.
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub enum Mistake {
            $(
                #[doc = $message]
                $row {
                    $(
                        #[doc = concat!("What the message calls `", stringify!($field), "`.")]
                        $field: $type,
                    )*
                },
            )*
        }

        impl Mistake {
            /// The names of all rows of the table.
            pub const ROWS: &[&str] = &[$(stringify!($row)),*];

            /// Row by row the message, with `{field}` where something is filled in.
            pub const MESSAGES: &[&str] = &[$($message),*];

            /// The name of this row.
            pub fn row(&self) -> &'static str {
                match self {
                    $(Self::$row { .. } => stringify!($row),)*
                }
            }

            /// What is wrong, in one sentence.
            #[allow(unused_variables, reason = "a text names the fields that it needs")]
            pub fn message(&self) -> String {
                match self {
                    $(Self::$row { $($field),* } => format!($message),)*
                }
            }

            /// What to write instead; may be empty.
            #[allow(unused_variables, reason = "a text names the fields that it needs")]
            pub fn help(&self) -> String {
                match self {
                    $(Self::$row { $($field),* } => format!($help),)*
                }
            }
        }
    };
}

table! {
    // Statements
    ExpectedStatement { found: String } =>
        "expected a statement, found {found}",
        "a statement begins with a word: coordinates let lagrangian kinetic potential dissipation force constraint \
         nonholonomic output invariant assume verify const extern table crate max_operations";
    UnknownStatement { word: String, suggestion: String } =>
        "`{word}` begins no statement",
        "{suggestion} statements are coordinates let lagrangian kinetic potential dissipation force constraint nonholonomic \
         output invariant assume verify const extern table crate max_operations";
    MissingLet { name: String } =>
        "`{name} = …` is not a statement",
        "to name an intermediate quantity, write `let {name} = …;`";
    MissingSemicolon { before: String } =>
        "a `;` is missing before {before}",
        "every statement ends in `;`";
    ExpectedName { what: String, found: String } =>
        "expected {what}, found {found}",
        "names are letters, digits and underscores, do not begin with a digit, and are no keywords of Rust";
    ExpectedEquals { after: String, found: String } =>
        "expected `=` after {after}, found {found}",
        "";
    EqualityInDefinition {} =>
        "`==` where `=` is meant",
        "a definition is written with `=`; `==` stands in `verify`, `constraint` and `nonholonomic`";
    AssignmentInEquality { form: String } =>
        "`=` where `==` is meant",
        "write `{form}`";
    MissingEquality { keyword: String, form: String, found: String } =>
        "expected `==` in `{keyword}`, found {found}",
        "write `{form}`";
    ConstraintName { form: String, found: String } =>
        "expected `:` after the name of a constraint, found {found}",
        "write `{form}`";
    Form { form: String, found: String } =>
        "expected `{form}`, found {found}",
        "";
    MissingLength { name: String } =>
        "array `{name}` needs a length",
        "write `{name}[4]`";
    MissingIndex { name: String } =>
        "`{name}` needs an index between the brackets",
        "write `{name}[0]` or `{name}[i in 0..4]`";
    BlockAttribute {} =>
        "only doc comments may stand before a statement",
        "";

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
        "products are written with `*`";
    DoubleStar {} =>
        "powers are written with `^`",
        "write `x^2` instead of `x**2`";
    ImplicitProduct { left: String, right: String } =>
        "a `*` is missing between `{left}` and `{right}`",
        "write `{left}*{right}`";
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
    ComparisonChain {} =>
        "comparisons cannot be chained",
        "write `a < b && b < c`";
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
    FieldType { field: String } =>
        "the type of field `{field}` is not a number",
        "a parameter is `f64`, `f32` or a type parameter of the struct; mark other fields `#[skip]`";
    ArraySize { field: String, limit: usize } =>
        "field `{field}` has more than {limit} numbers",
        "";
    ArrayLength { field: String } =>
        "the length of field `{field}` is not known to the macro",
        "write it as a number: `[f64; 8]`";
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

    // Names
    ReservedName { name: String } =>
        "`{name}` is reserved",
        "`t` is the time and `pi` is π; choose another name";
    DuplicateCoordinate { name: String } =>
        "coordinate `{name}` is stated twice",
        "";
    DuplicateLet { name: String } =>
        "`{name}` is defined twice",
        "a name stands for one quantity throughout the block";
    CoordinateIsField { name: String } =>
        "`{name}` is a coordinate and a field",
        "coordinates belong to the state, fields are parameters: take `{name}` out of one of them";
    LetIsField { name: String } =>
        "`let {name}` hides the field `{name}`",
        "choose another name";
    LetIsCoordinate { name: String } =>
        "`let {name}` hides the coordinate `{name}`",
        "choose another name";
    ConstIsTaken { name: String, other: String } =>
        "`const {name}` hides the {other} `{name}`",
        "choose another name";
    FunctionIsTaken { name: String } =>
        "a function `{name}` exists already",
        "choose another name";
    DuplicateConstraint { name: String } =>
        "constraint `{name}` is stated twice",
        "";
    DuplicateOutput { name: String } =>
        "output `{name}` is stated twice",
        "";
    DuplicateInvariant { name: String } =>
        "invariant `{name}` is stated twice",
        "";
    UnknownConstraint { name: String, suggestion: String } =>
        "there is no constraint `{name}`",
        "{suggestion} write the name of a `constraint` or `nonholonomic` statement";
    ConstraintAsQuantity { name: String } =>
        "`{name}` is a constraint, not a quantity",
        "its multiplier is `multiplier({name})`, its force on the coordinates `reaction({name})`";
    UnknownName { name: String, suggestion: String } =>
        "`{name}` is not known here",
        "{suggestion} names are coordinates, fields of the struct, `let` and `const` definitions, `t` and `pi`";
    UnknownFunction { name: String, suggestion: String } =>
        "there is no function `{name}`",
        "{suggestion} functions are sin cos tan asin acos atan atan2 sinh cosh tanh exp ln sqrt hypot sinc abs sign min \
         max smoothstep norm norm2 inner cross transpose dot sum integral rotation_x rotation_y rotation_z rotation \
         angular_velocity_body angular_velocity_space rigid_body_energy multiplier reaction";
    QuantityAsFunction { name: String } =>
        "`{name}` is a quantity, not a function",
        "write `{name}*(…)` for a product";
    FunctionAsQuantity { name: String } =>
        "`{name}` is a function and needs its argument",
        "write `{name}(…)`";
    DerivedElsewhere { name: String } =>
        "`{name}` is derived from the block and can stand in `verify` only",
        "";
    DerivedAbsent { name: String } =>
        "`{name}` is not stated in this block",
        "";
    CyclicLet { cycle: String } =>
        "a definition needs itself: {cycle}",
        "";

    // Statements that are missing or too many
    MissingCoordinates {} =>
        "no coordinates are stated",
        "write `coordinates theta;` with the names of the generalized coordinates";
    MissingLagrangian {} =>
        "neither `lagrangian` nor `kinetic` is stated",
        "write `lagrangian = …;`, or `kinetic = …; potential = …;` for L = T − V";
    LagrangianAndParts { part: String } =>
        "`lagrangian` and `{part}` are both stated",
        "state either L, or T and V";
    PotentialAlone {} =>
        "`potential` is stated without `kinetic`",
        "write `kinetic = …;` as well: L = T − V";
    DuplicateSetting { keyword: String } =>
        "`{keyword}` is set twice",
        "";
    DuplicateStatement { keyword: String } =>
        "`{keyword}` is stated twice",
        "add the parts with `+` in one statement";

    // Shapes
    ArgumentCount { function: String, expected: String, found: usize } =>
        "`{function}` takes {expected}, found {found}",
        "";
    TwoArgumentDot {} =>
        "`dot` takes one argument: the total time derivative",
        "the scalar product is `inner(a, b)`";
    Lengths { operation: String, left: usize, right: usize } =>
        "{operation} needs vectors of equal length: the left has length {left}, the right {right}",
        "";
    Shapes { operation: String, left: String, right: String } =>
        "{operation} needs equal shapes: the left is {left}, the right {right}",
        "";
    ScalarNeeded { what: String, found: String } =>
        "{what} must be a scalar, found {found}",
        "";
    MatrixNeeded { what: String, found: String } =>
        "{what} must be a matrix, found {found}",
        "";
    VectorNeeded { what: String, found: String } =>
        "{what} must be a vector, found {found}",
        "";
    ConditionNeeded { what: String, found: String } =>
        "{what} must be a condition, found {found}",
        "conditions compare two scalars with `<`, `<=`, `>` or `>=`";
    VectorProduct { left: String, right: String } =>
        "`*` is not defined between {left} and {right}",
        "write `inner(a, b)` for the scalar product, `cross(a, b)` for the vector product";
    MatrixProduct { columns: usize, found: String } =>
        "a matrix of {columns} columns cannot multiply {found}",
        "";
    VectorDivisor { found: String } =>
        "cannot divide by {found}",
        "";
    VectorPower { found: String } =>
        "a power needs a scalar base, found {found}",
        "write `norm2(v)` for the square of a vector's length";
    EmptyVector {} =>
        "a vector needs at least one component",
        "";
    RaggedRows { row: usize, expected: String, found: String } =>
        "element {row} of this vector is {found}, the first is {expected}",
        "the elements of a vector have one shape; a matrix is a vector of rows";
    CrossLength { length: usize } =>
        "`cross` needs vectors of 2 or 3 components, found {length}",
        "";
    IndexedScalar {} =>
        "a scalar has no elements",
        "";
    NotConstant { found: String } =>
        "`{found}` is not known at compile time",
        "indices, lengths and bounds are made of numbers, `const` definitions and indices";
    NotWhole { found: String } =>
        "`{found}` is not a whole number",
        "the first element of `v` is `v[0]`";
    ConstantPower {} =>
        "the power of a constant needs a whole exponent",
        "";
    ConstantSize {} =>
        "this number has more than 4096 bits",
        "";
    TooManyElements { limit: i64 } =>
        "this range has more than {limit} elements",
        "";
    TooMuchWork { limit: usize } =>
        "the sums of this block take more than {limit} steps to write out",
        "";
    LengthRange { name: String, found: String } =>
        "array `{name}` cannot have length {found}",
        "a length is a whole number from 1 on";
    UnknownElement { element: String, known: String } =>
        "`{element}` is not defined",
        "{known}";
    ElementsAsArray { name: String } =>
        "the elements of `{name}` make up no vector",
        "they are read one at a time: `{name}[i]`; a vector has elements of one shape, without gaps from index 0";
    DuplicateRangeVariable { name: String } =>
        "index `{name}` stands twice in one statement",
        "";
    IndexIsQuantity { name: String } =>
        "index `{name}` hides a quantity of the block",
        "choose another name";
    IndexBounds { index: String, length: usize } =>
        "index {index} is out of bounds: there are {length} elements",
        "the first element has index 0";
    IndexCount { shape: String, expected: String, found: usize } =>
        "{shape} takes {expected}, found {found}",
        "";

    // What may stand where
    DivisionByZero {} =>
        "division by zero",
        "";
    SecondDerivative { statement: String } =>
        "a second derivative cannot stand in `{statement}`",
        "it may depend on the coordinates, their first derivatives `dot(q)`, and t";
    SecondDerivativeInForce {} =>
        "a second derivative cannot stand in a force",
        "it may depend on the coordinates, their first derivatives `dot(q)`, inputs, and t";
    ThirdDerivative {} =>
        "third time derivatives are not part of the equations of motion",
        "";
    InputInKinetic { input: String } =>
        "input `{input}` cannot stand in the kinetic energy",
        "its rate of change would be needed; inputs may stand in potential, dissipation and the right side of force";
    InputWithVelocity { input: String, statement: String } =>
        "input `{input}` cannot stand beside velocities in `{statement}`",
        "the momentum would depend on it, and its rate of change would be needed";
    InputInLeft { input: String } =>
        "input `{input}` cannot stand on the left side of `force`",
        "the left side is a function of coordinates and t along which the force acts";
    InputRate { input: String } =>
        "the time derivative of input `{input}` is not known",
        "make it a coordinate or a function of t";
    VelocityInLeft {} =>
        "a velocity cannot stand on the left side of `force`",
        "the left side is a function of coordinates and t along which the force acts";
    ForceOnNothing { left: String } =>
        "`{left}` depends on no coordinate: the force would act on nothing",
        "write a coordinate, a point or an angle on the left side";
    Jump { part: String, statement: String } =>
        "`{part}` makes `{statement}` jump",
        "an energy must be continuous: at a jump the force would be infinite";
    IntegralFactor { factor: String, dummy: String } =>
        "the integral over `{dummy}` has no closed form with the factor `{factor}`",
        "an integrand is a sum of terms P({dummy})·abs(u)^k·sign(u)^j, with P a polynomial and u linear in {dummy}";
    IntegralDegree { dummy: String, limit: usize } =>
        "the integrand has a degree above {limit} in `{dummy}`",
        "";
    NodeCount { found: String, limit: usize } =>
        "a quadrature cannot have {found} nodes",
        "it has from 1 to {limit}";
    TooManyCoordinates { limit: usize } =>
        "there are more than {limit} coordinates",
        "";
    OutsideOutput { name: String } =>
        "`{name}` can stand in `output` only",
        "the force of a constraint follows from the motion";
    VelocityInConstraint { name: String } =>
        "a velocity cannot stand in the holonomic constraint `{name}`",
        "a condition on velocities is written `nonholonomic {name}: left == right;`";
    AccelerationInConstraint { name: String } =>
        "a second derivative cannot stand in constraint `{name}`",
        "";
    InputInConstraint { input: String, name: String } =>
        "input `{input}` cannot stand in constraint `{name}`",
        "its rate of change would be needed; make it a coordinate or a function of t";
    ConstraintOnNothing { row: String } =>
        "constraint `{row}` depends on no coordinate",
        "";
    NoVelocity { row: String } =>
        "nonholonomic constraint `{row}` depends on no velocity",
        "a condition on coordinates is written `constraint name: left == right;`";
    NonlinearInVelocities { part: String, name: String } =>
        "`{part}` is not linear in the velocities, as the nonholonomic constraint `{name}` must be",
        "";
    MovingAssumption { part: String } =>
        "`{part}` is no parameter",
        "an assumption is a fact about parameters, checked when they are given";
    AssumptionForm { found: String } =>
        "expected a comparison with `>` or `<`, found `{found}`",
        "write `assume left > right;`";
    FalseAssumption { text: String } =>
        "`{text}` is false",
        "";
    MovingTable { name: String } =>
        "table `{name}` must be made of numbers and parameters",
        "";
    ShortTable { name: String } =>
        "table `{name}` needs two knots at least",
        "";
    UnorderedTable { name: String } =>
        "the knots of table `{name}` do not increase",
        "";
    ExternArguments { name: String, limit: usize } =>
        "function `{name}` needs from 1 to {limit} arguments",
        "";
    ExternArgumentTwice { argument: String, name: String } =>
        "argument `{argument}` of `{name}` is named twice",
        "";
    UnknownArgument { argument: String, name: String, arguments: String } =>
        "`{argument}` is no argument of `{name}`",
        "its arguments are {arguments}";
    ExternDerivativeTwice { by: String, name: String } =>
        "the derivative of `{name}` by {by} is given twice",
        "";
    MissingDerivative { name: String, by: String } =>
        "the equations need the derivative of `{name}` by {by}",
        "add `d({by}) = path::function` to its `extern` statement";
    OperationLimit {} =>
        "`max_operations` must be a whole number from 1 on",
        "";
    OrientationNeeded { what: String, found: String } =>
        "{what} must be a 3×3 rotation matrix or a quaternion, found {found}",
        "`rotation` also takes an axis of 3 components and an angle";
    PositionNeeded { what: String, found: String } =>
        "the position in {what} must have 2 or 3 components, found {found}",
        "";
    InertiaNeeded { what: String, found: String } =>
        "{what} must be a 3×3 matrix or 3 principal moments, found {found}",
        "";
    UnknownIndex { name: String, of: String, suggestion: String } =>
        "`{name}` is no index of `{of}`",
        "{suggestion} its indices are the names of coordinates";

    // The derived equations
    NoInertia { coordinate: String } =>
        "coordinate `{coordinate}` has no inertia: its row of the mass matrix vanishes",
        "the kinetic energy must depend on `dot({coordinate})`";
    MotionWithoutInertia { motion: String } =>
        "the mass matrix is singular: the motion {motion} has no inertia",
        "the kinetic energy must depend on the rate of every motion that the constraints allow";
    RedundantConstraints { names: String } =>
        "the constraints {names} are not independent",
        "leave one of them out: it follows from the others, or contradicts them";
    TooLarge { what: String, limit: usize } =>
        "{what} takes more than {limit} operations",
        "name what is used more than once with `let`, or allow more: `max_operations = {limit}0;`";
    EngineUnavailable { reason: String } =>
        "the feature `symbolica` is on, but Symbolica cannot be used: {reason}",
        "build with one job, `cargo build -j 1`, and end whatever else runs Symbolica, an editor's server for macros too; or \
         set a licence key; or leave the feature off";
    ClaimRefuted { left: String, right: String, derived: String, claimed: String, point: String } =>
        "this does not hold: {left} is {derived}, {right} is {claimed}",
        "at {point}";
    AccelerationInInvariant {} =>
        "a second derivative cannot stand in an invariant",
        "it is a function of the coordinates, their first derivatives, and t";
    InputInInvariant { input: String } =>
        "input `{input}` cannot stand in an invariant",
        "its rate of change is not known";
    NotConserved { name: String, rate: String, point: String } =>
        "`{name}` is not conserved: its rate of change is {rate}",
        "at {point}";
    ClaimUndecided { left: String, right: String } =>
        "could not decide whether {left} equals {right}",
        "at no tried point were both sides defined";

    // Warnings
    InvariantUndecided { name: String } =>
        "could not decide whether {name} is conserved",
        "at no tried state was its rate of change defined";
    UnusedInput { input: String } =>
        "input {input} is never used",
        "it stands in no force, potential or dissipation";
    HolonomicInDisguise { constraint: String } =>
        "nonholonomic {constraint} is holonomic in disguise",
        "it restricts the coordinates themselves (Frobenius); state it as a `constraint` between coordinates, so that they \
         cannot drift off it";
}

impl Mistake {
    /// Whether the block is accepted in spite of it.
    pub fn is_warning(&self) -> bool {
        matches!(self, Self::UnusedInput { .. } | Self::HolonomicInDisguise { .. } | Self::InvariantUndecided { .. })
    }

    /// Message and help as shown by the compiler.
    pub fn text(&self) -> String {
        let help = self.help();
        match help.trim() {
            "" => self.message(),
            help => format!("{}\n  help: {help}", self.message()),
        }
    }

    /// The message as a name that the compiler's own text can carry.
    pub(crate) fn headline(&self) -> String {
        let mut name: String = self.message().chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
        if name.starts_with(|c: char| c.is_ascii_digit()) {
            name.insert(0, '_');
        }
        name
    }
}
