//! Rows of the table of messages: units, ranges and symbols of quantities.

/// Appends its rows to those that it is given, and passes all of them to the next macro.
macro_rules! units {
    ($next:ident $($after:ident)*; $($rows:tt)*) => { $next! { $($after)*; $($rows)*

    UnitForm { found: String } =>
        "expected a unit, found {found}",
        "a unit is made of symbols with `*`, `/` and `^`: `kg*m^2/s^2`, `N*m`, `rad`; a quantity without a unit has `1`";
    UnitsForm { found: String, suggestion: String } =>
        "`units` states the units of `time` and of `energy`, found {found}",
        "{suggestion} write `units time = day, energy = Msun*AU^2/day^2;`";
    UnknownUnit { symbol: String, help: String } =>
        "there is no unit `{symbol}`",
        "{help}";
    UnitOfSkipped { field: String } =>
        "field `{field}` is skipped and has a unit",
        "the block does not see a field with `#[skip]`: take off one of the attributes";
    NominalForm { found: String } =>
        "expected a nominal range of two numbers, found {found}",
        "a range has two finite numbers and `..` between them: `#[range(0.1..10)]` on a field, `coordinates theta: rad in -3..3;`";
    NominalOrder { low: String, high: String } =>
        "the nominal range `{low}..{high}` is empty",
        "the lower number stands first, and the other one is larger: `0.1..10`";
    NominalOfSkipped { field: String } =>
        "field `{field}` is skipped and has a range",
        "the block does not see a field with `#[skip]`: take off one of the attributes";
    SymbolForm { found: String } =>
        "expected a symbol as LaTeX, found {found}",
        "write `#[symbol(\"M\")]`, `#[symbol(\"\\\\omega_0\")]` or `#[symbol(r\"\\omega_0\")]`: what stands for the field in a formula";
    SymbolOfSkipped { field: String } =>
        "field `{field}` is skipped and has a symbol",
        "no formula contains a field with `#[skip]`: take off one of the attributes";
    UnitMismatch { term: String, found: String, needed: String, why: String } =>
        "`{term}` has the unit `{found}`, where `{needed}` is needed",
        "{why}";
    UnitsDiffer { left: String, found: String, right: String, needed: String, why: String } =>
        "`{left}` has the unit `{found}`, and {right} has `{needed}`",
        "{why}";
    StatedUnitMismatch { name: String, stated: String, needed: String } =>
        "`{name}` is stated in `{stated}`, but its uses need `{needed}`",
        "no number is converted: state the unit of the numbers that are given";

    } };
}
