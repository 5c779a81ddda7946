//! Rows of the table of messages: names that are unknown or collide, statements that are missing or too many.

/// Hands its rows, behind those that are given, to the next macro.
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
        "{suggestion} functions are sin cos tan asin acos atan atan2 sinh cosh tanh exp ln sqrt hypot sinc abs sign floor \
         mod min max smoothstep norm norm2 inner cross transpose dot sum integral rotation_x rotation_y rotation_z rotation \
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

    } };
}
