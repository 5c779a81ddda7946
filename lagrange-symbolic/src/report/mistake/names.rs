//! Rows of the table of messages: names that are unknown or collide, statements that are missing or too many.

/// Appends its rows to those that it is given, and passes all of them to the next macro.
macro_rules! names {
    ($next:ident $($after:ident)*; $($rows:tt)*) => { $next! { $($after)*; $($rows)*

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
    StateIsTaken { what: String, name: String, other: String } =>
        "{what} `{name}` has the name of a {other}",
        "choose another name";
    LetIsState { name: String, what: String } =>
        "`let {name}` hides the {what} `{name}`",
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
    DuplicateState { name: String } =>
        "state `{name}` is stated twice",
        "a state has one equation: add the terms on its right side";
    DuplicateMode { name: String } =>
        "mode `{name}` is stated twice",
        "a mode has one statement: list its changes one after the other, `when … {{ … }} when … {{ … }}`";
    DuplicateContact { name: String } =>
        "contact `{name}` is stated twice",
        "";
    DuplicateFriction { name: String } =>
        "friction `{name}` is stated twice",
        "";
    DuplicateOutput { name: String } =>
        "output `{name}` is stated twice",
        "";
    DuplicateInvariant { name: String } =>
        "invariant `{name}` is stated twice",
        "";
    DuplicateSymmetry { name: String } =>
        "symmetry `{name}` has the name of another symmetry or of an output",
        "its momentum is an output of that name";
    UnknownConstraint { name: String, suggestion: String } =>
        "there is no constraint `{name}`",
        "{suggestion} write the name of a `constraint` or `nonholonomic` statement";
    ConstraintAsQuantity { name: String } =>
        "`{name}` is a constraint, not a quantity",
        "its multiplier is `multiplier({name})`, its force on the coordinates `reaction({name})`";
    UnknownName { name: String, help: String } =>
        "`{name}` is not known here",
        "{help}";
    RateAsName { name: String, form: String } =>
        "`{name}` is not known here: a rate has no name of its own",
        "write `{form}`";
    UnknownFunction { name: String, help: String } =>
        "there is no function `{name}`",
        "{help}";
    QuantityAsFunction { name: String, help: String } =>
        "`{name}` is a quantity, not a function",
        "{help}";
    FunctionAsQuantity { name: String } =>
        "`{name}` is a function and needs its argument",
        "write `{name}(…)`";
    DerivedElsewhere { name: String, help: String } =>
        "`{name}` is not known here; the derived `{name}` stands in `verify` and `invariant` alone",
        "{help}";
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
        "write `kinetic = …;` as well: L = T − V; it is 0 where nothing has inertia";
    DuplicateSetting { keyword: String } =>
        "`{keyword}` is set twice",
        "";
    DuplicateStatement { keyword: String } =>
        "`{keyword}` is stated twice",
        "add the parts with `+` in one statement";

    } };
}
