//! Rows of the table of messages: shapes, indices and constants.

/// Appends its rows to those that it is given, and passes all of them to the next macro.
macro_rules! shapes {
    ($next:ident $($after:ident)*; $($rows:tt)*) => { $next! { $($after)*; $($rows)*

    ArgumentCount { function: String, expected: String, found: usize, help: String } =>
        "`{function}` takes {expected}, found {found}",
        "{help}";
    TwoArgumentDot { help: String } =>
        "`dot` takes one argument: the total time derivative",
        "{help}";
    Lengths { operation: String, left: usize, right: usize } =>
        "{operation} needs vectors of equal length: the left has length {left}, the right {right}",
        "";
    Shapes { operation: String, left: String, right: String } =>
        "{operation} needs equal shapes: the left is {left}, the right {right}",
        "";
    ScalarNeeded { what: String, found: String, help: String } =>
        "{what} must be a scalar, found {found}",
        "{help}";
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
    LengthRange { name: String, found: String, limit: usize } =>
        "array `{name}` cannot have length {found}",
        "a length is a whole number from 1 to {limit}";
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

    } };
}
