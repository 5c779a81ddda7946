//! Rows of the table of messages: parts of mechanisms, and the quantities that a part leaves open.

/// Appends its rows to those that it is given, and passes all of them to the next macro.
macro_rules! parts {
    ($next:ident $($after:ident)*; $($rows:tt)*) => { $next! { $($after)*; $($rows)*

    // Parts
    PartFieldType { field: String, found: String } =>
        "field `{field}` is a part and has the type `{found}`",
        "a part is a struct or an array of them, its length a number: `Pendulum`, `[Link; 5]`, `Pendulum<R>`";
    HelperOfPart { field: String } =>
        "field `{field}` is a part, and carries an attribute of numbers",
        "attributes of numbers stand on the fields of the part's own struct";
    PartWithoutField { name: String, form: String } =>
        "part `{name}` has no field",
        "its parameters stand in a field of the struct: add `{name}: {form}`";
    PartFieldDiffers { name: String, found: String, form: String } =>
        "part `{name}` is `{form}` in the block, and its field has the type `{found}`",
        "";
    CircularPart { name: String, type_name: String } =>
        "`{type_name}` has itself as its part `{name}`",
        "a struct cannot contain itself";
    PartHasMistakes { name: String, type_name: String } =>
        "part `{name}` has mistakes of its own",
        "they are reported where `{type_name}` is defined";
    UnknownOfPart { quantity: String, type_name: String, help: String } =>
        "`{quantity}` is not known: the part is `{type_name}`, which has no such name",
        "{help}";
    PartAsQuantity { name: String, known: String } =>
        "`{name}` is a part, not a quantity",
        "its quantities are used by name: {known}";
    NotOpen { quantity: String, help: String } =>
        "the part does not leave `{quantity}` open",
        "{help}";
    GivenWithoutValue { quantity: String, type_name: String, form: String } =>
        "nothing states `{quantity}`, which `{type_name}` leaves open",
        "write `let {form} = …;`";
    GivenShape { quantity: String, expected: String, found: String, help: String } =>
        "`{quantity}` is {expected} in the part, and the block gives it {found}",
        "{help}";
    GivenUnit { quantity: String } =>
        "the part states the unit of `{quantity}`",
        "leave the unit out here; the value is checked against it";
    ClaimOfOpenPart { keyword: String } =>
        "`{keyword}` stands in a part with given quantities",
        "such a part is no mechanism alone, so that its claims cannot be decided: state it where the part is used";
    PartUnits { part: String, measured: String, found: String, expected: String } =>
        "part `{part}` measures the {measured} in {found}, and the whole in {expected}",
        "state the same `units` in both";
    TableOfParts { table: String, part: String } =>
        "table `{table}` of the parts `{part}` contains a quantity that each of them has on its own",
        "all parts of an array share their tables: write numbers into the table, or scale its argument and its value";
    PartExtern { path: String } =>
        "the path `{path}` is not found where the part is used",
        "a part writes the whole path, `crate::module::function` or `::name_of_the_crate::function`";
    PartElsewhere { name: String } =>
        "the block of part `{name}` is not at hand",
        "write the parts into the same file, or export the mechanism by its name from a program that lists it with `catalog!`";
    GivenAlone { name: String } =>
        "nothing states `{name}`: a block with given quantities is no mechanism alone",
        "use it as a part of another: `part name: Type; let name.{name} = …;`";

    } };
}
