//! Rows of the table of messages: which quantities may stand in which statement.

/// Appends its rows to those that it is given, and passes all of them to the next macro.
macro_rules! physics {
    ($next:ident $($after:ident)*; $($rows:tt)*) => { $next! { $($after)*; $($rows)*

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
        "input `{input}` cannot be combined with velocities in `{statement}`",
        "the momentum would depend on it, and its rate of change would be needed";
    InputInLeft { input: String, statement: String } =>
        "input `{input}` cannot stand on the left side of `{statement}`",
        "the left side is a function of coordinates and t along which the force acts";
    InputRate { input: String } =>
        "the time derivative of input `{input}` is not known",
        "make it a coordinate or a function of t";
    VelocityInLeft { statement: String } =>
        "a velocity cannot stand on the left side of `{statement}`",
        "the left side is a function of coordinates and t along which the force acts; a friction is also stated by its slip rate, `friction name: rate(…) = bound;`";
    ForceOnNothing { left: String } =>
        "`{left}` depends on no coordinate: the force would act on nothing",
        "write a coordinate, a point or an angle on the left side";
    StateLeft { name: String, found: String } =>
        "`{found}` is not the rate of state `{name}`",
        "the left side is `dot({name})` alone: solve the equation for it";
    StateElements { what: String, name: String } =>
        "the elements of {what} `{name}` do not make up an array",
        "each of its indices must begin at 0 and leave none out";
    StateRate { state: String } =>
        "the rate of state `{state}` cannot stand here",
        "`dot({state})` may stand in outputs and in `verify`; elsewhere, name the right side of its equation by `let` and use that name";
    SecondRateOfState { state: String } =>
        "the second derivative of state `{state}` is not known",
        "a state has an equation of first order; one of second order is two states: `state {state}: dot({state}) == w;` and \
         `state w: dot(w) == …;`";
    SecondDerivativeInState { name: String } =>
        "a second derivative cannot stand in the equation of state `{name}`",
        "it may depend on the coordinates, their first derivatives `dot(q)`, the states, inputs, and t";
    ModeTarget { mode: String, found: String } =>
        "a change of mode `{mode}` cannot assign to `{found}`",
        "it assigns to a coordinate `x`, a velocity `dot(x)`, a state or a mode, or to a vector of coordinates or velocities";
    ModeTargetTwice { mode: String, found: String } =>
        "a change of mode `{mode}` assigns to `{found}` twice",
        "all values are those before the change; keep one of the two";
    ModeUnchanged { mode: String } =>
        "mode `{mode}` never changes",
        "state a change, `mode {mode} = when condition {{ value }};`, or assign to it behind `then` of another mode";
    ModeForce { mode: String, part: String } =>
        "`{part}` cannot stand in a condition of mode `{mode}`",
        "beside a contact or a dry friction, accelerations and multipliers depend on its phase, which is not known between the ends of steps; \
         state the condition by coordinates, velocities, states and t";
    TooManyChanges { mode: String, most: usize } =>
        "with the changes of mode `{mode}`, there are more than {most} conditions and assigned values",
        "each `when` counts one for its condition, one for the value of its mode, and one for each component behind `then`";
    ModeInvariant { name: String, mode: String } =>
        "a change of mode `{mode}` may change invariant `{name}`",
        "an invariant keeps its value through every change; state it as an `output`, or in a block without the mode";
    StateInLeft { state: String, statement: String } =>
        "state `{state}` cannot stand on the left side of `{statement}`",
        "the left side is a function of coordinates and t along which the force acts";
    StateInConstraint { state: String, name: String } =>
        "state `{state}` cannot stand in constraint `{name}`",
        "the reaction would act on it; a quantity that constraints hold is a coordinate with inertia, and one that follows from the coordinates is a `let`";
    ContactMoves { name: String, what: String, part: String, help: String } =>
        "`{part}` cannot stand in the {what} of contact `{name}`",
        "it is a function of coordinates, parameters and t{help}";
    ContactInvariant { name: String } =>
        "invariant `{name}` cannot stand beside a `contact`",
        "an impact may change it; state it as an `output`, or in a block without the contact";
    FrictionClaim { kind: String, claim: String, friction: String } =>
        "{kind} `{claim}` cannot stand beside friction `{friction}`, whose slip is a vector or whose bound contains a multiplier",
        "the force of the friction is in no derived equation, so that nothing about the motion can be proved; state it as an \
         `output`, or in a block without the friction";
    RestitutionMoves { name: String, part: String } =>
        "`{part}` cannot stand in the restitution of contact `{name}`",
        "it is a function of parameters, coordinates, t and `approach({name})`, the speed with which the bodies meet, from 0 to 1";
    ApproachOutsideRestitution {} =>
        "`approach` can stand in the `restitution` of a `contact` only",
        "it is the speed with which the gap closes before an impact; elsewhere write the rate of the gap, `dot(left - right)`, which is negative there";
    ApproachOfAnother { found: String, name: String } =>
        "`approach({found})` cannot stand in the restitution of contact `{name}`",
        "a restitution may depend on the speed of its own contact: write `approach({name})`";
    RestitutionRange { name: String, found: String } =>
        "the restitution of contact `{name}` is {found}",
        "it is from 0, where the bodies stay together, to 1, where no energy is lost";
    NegativeAdhesion { name: String, found: String } =>
        "the adhesion `{found}` of contact `{name}` is negative",
        "it is the tensile force up to which the closed contact holds, at least 0";
    TooManyContacts { name: String, most: usize } =>
        "contact `{name}` is one too many",
        "a mechanism has at most {most} of them, where each `friction` counts, each `contact`, and each slip of a `contact`";
    LatchCondition { name: String, part: String } =>
        "`{part}` cannot stand in the condition of constraint `{name}`",
        "a constraint is switched by modes, and its condition contains modes and parameters; state a `mode` that changes where `{part}` does";
    LatchWithoutMode { name: String } =>
        "the condition of constraint `{name}` contains no mode",
        "it would hold always or never; leave it out, or state a `mode` that switches the constraint";
    LatchForce { function: String, name: String } =>
        "`{function}({name})` cannot stand here, because modes switch constraint `{name}`",
        "`multiplier` and `reaction` of it may stand in `output`, and in changes of modes where there is neither a contact nor a dry friction";
    LatchInvariant { name: String, constraint: String } =>
        "invariant `{name}` cannot stand beside constraint `{constraint}`, which modes switch",
        "the impact at which the constraint begins to hold may change it; state it as an `output`";
    FrictionBesideLatch { name: String, constraint: String } =>
        "friction `{name}`, whose slip is a vector or whose bound contains a multiplier, cannot stand beside constraint `{constraint}`, which modes switch",
        "no law gives the impulse of the friction where the constraint begins to hold";
    TooManyLatches { name: String, most: usize } =>
        "row `{name}` of a constraint that modes switch is one too many",
        "a mechanism has at most {most} of them, where each `friction` counts, each `contact`, and each slip of a `contact`";
    TooManyFrictions { name: String, most: usize } =>
        "friction `{name}` is one contact too many",
        "a mechanism has at most {most} rows of contacts: each scalar slip, each component of a vector of slips, each `contact` and its slip";
    SlipComponents { name: String, found: usize, most: usize } =>
        "the slip of `{name}` has {found} components",
        "a slip that is a vector has at most {most} components; several frictions may have more together";
    LoadedAmongMany { name: String, most: usize } =>
        "friction `{name}`, whose bound contains multipliers, is one of more than {most} rows of frictions",
        "beside such a bound all combinations of sticking and slipping are tried: state at most {most} rows, or a bound without multipliers";
    SmoothRange { name: String, found: String } =>
        "the slip rate `{found}` of friction `{name}` is not shown to be positive",
        "`smooth` is a positive number or an expression in parameters; they are positive unless an `assume` says otherwise";
    BreakawayBelow { owner: String, breakaway: String, bound: String } =>
        "the breakaway `{breakaway}` of {owner} is below `{bound}`, the friction of a slip",
        "surfaces at rest hold up to the breakaway, and slip under the friction behind `=`, which is at most as large: exchange the two";
    SmoothBound { name: String, bound: String } =>
        "the bound `{bound}` of friction `{name}` is not shown to be at least 0",
        "a smooth friction with a negative bound would push; state `max({bound}, 0)`, or an `assume` about its parameters";
    FrictionBesideContact { name: String, contact: String } =>
        "friction `{name}`, whose bound contains a multiplier, cannot stand beside contact `{contact}`",
        "an impact at the contact gives the constraints impulses, for which the friction has no law; state its bound without \
         multipliers, or the surfaces of the constraint as a `contact` with friction";
    SlipRate { name: String, part: String } =>
        "`{part}` cannot stand in the slip rate of `{name}`",
        "a slip rate is linear in the velocities, with factors of coordinates, parameters and t; it contains no input, no state, no multiplier and no \
         acceleration, because its derivative says what holds the surfaces together";
    NoSlipRate { name: String, found: String } =>
        "the slip rate `{found}` of `{name}` has a component without a velocity",
        "`rate(…)` is the velocity of two surfaces along each other; a slip that is a displacement stands without `rate`";
    ShapeNeeded { function: String, found: String } =>
        "`{function}` needs two shapes, found `{found}`",
        "a shape is `sphere(centre, radius)`, `plane(point, normal)`, `capsule(end, end, radius)`, `box(centre, half_sizes, orientation)`, a `vertex(shape, index)` or an \
         `edge(shape, index)` of one, or a name of such; the orientation of its body follows where friction needs it";
    ShapePair { one: String, other: String } =>
        "the distance of a {one} from a {other} is not known",
        "known are those of a sphere from any shape, of a capsule from a capsule and a plane, and of a box from a plane; a box meets a box or a capsule by its vertices and edges: state a \
         contact for each vertex, `distance(vertex(one, i), other)`, and in space for each edge, `distance(edge(one, i), rod)`; both have the radius of `box(centre, half_sizes, orientation, radius)`";
    ShapeDimensions { one: String, other: String } =>
        "the {one} and the {other} have positions of different sizes",
        "both are in the plane, with 2 components, or both in space, with 3";
    ShapeOrientation { name: String, form: String } =>
        "the slip needs the orientation of this {name}",
        "write `{form}`: a rotation matrix, a unit quaternion or, in the plane, an angle, from which the velocity of the surface follows; a body that does not turn has a constant one";
    LoneShape { name: String } =>
        "`{name}` is a shape, and no quantity",
        "shapes stand in `distance(…)`, `slip_velocity(…)`, `vertex(…)` and `edge(…)`, and have names by `let`: `let ball = sphere(centre, radius);`";
    FlatShape { name: String, count: usize } =>
        "a {name} that lies flat on a plane touches it in more than one point",
        "state a contact for each of its {count} vertices: `contact floor[i in 0..{count}]: distance(vertex(body, i), plane) >= 0;`; the distance itself may stand in an `output`";
    SharpShapes { one: String, other: String } =>
        "nothing says in which direction a {one} and a {other} press on each other, because both are sharp where they meet",
        "give the sphere or the capsule a radius: `vertex` and `edge` have that of their box, `box(centre, half_sizes, orientation, radius)`; or state the side of a body as a `plane`";
    NoPart { name: String, part: String, number: i64, help: String } =>
        "a {name} has no {part} {number}",
        "{help}";
    FrictionShared { name: String, switch: String } =>
        "another statement switches where the slip rate of friction `{name}` changes its sign",
        "`{switch}` may decide a sign in this friction alone; state both laws as one bound, such as `mu + c*dot(x)^2` for a drag \
         `c*abs(dot(x))*dot(x)` beside it, or as the slip of one relative motion";
    FrictionWithoutBound { name: String } =>
        "friction `{name}` has a bound of 0",
        "it never resists: leave it out, or state its bound as the coefficient times the normal force";
    Jump { part: String, statement: String, smooth: String } =>
        "`{part}` makes `{statement}` jump",
        "an energy must be continuous: at a jump the force would be infinite{smooth}";
    JumpInPosition { part: String, what: String, smooth: String } =>
        "`{part}` makes {what} jump",
        "its rate of change along a motion would be infinite{smooth}";
    ContinuityUndecided { part: String, what: String, smooth: String } =>
        "could not decide whether `{part}` is continuous in {what}",
        "no state was found where it changes its branch and has values on both sides; where it is continuous there, write \
         `assume continuous({part});`{smooth}";
    IntegralFactor { factor: String, dummy: String, form: String } =>
        "the integral over `{dummy}` has no closed form with the factor `{factor}`",
        "ask for quadrature, `{form}`; closed forms are those of sums of P({dummy})·abs(u)^k·sign(u)^j, with P a polynomial and \
         u linear in {dummy}";
    IntegralDegree { dummy: String, limit: usize, form: String } =>
        "the integrand has a degree above {limit} in `{dummy}`",
        "ask for quadrature, `{form}`, which is exact up to degree 2n − 1 for n nodes";
    NodeCount { found: String, limit: usize } =>
        "a quadrature cannot have {found} nodes",
        "it has from 1 to {limit}";
    TooManyCoordinates { name: String, before: usize, limit: usize } =>
        "with `{name}`, there are more than {limit} coordinates",
        "a block has at most {limit}, each element of an array counted; {before} stand before `{name}`";
    OutsideOutput { name: String } =>
        "`{name}` can stand in `output` and `verify` only",
        "it follows from the motion";
    ForceOutsideOutput { name: String } =>
        "`{name}` can stand in `output` only",
        "the force of a contact follows from its phase, which the derived equations do not contain";
    VirtualOutsideOutput { function: String } =>
        "`{function}` of a virtual displacement can stand in `output` only",
        "it follows from the motion";
    NoVirtual { function: String, found: String } =>
        "`{found}` is no virtual displacement",
        "`{function}(s)` takes a name s of `virtual s;`, a displacement that is 0 at all times and stands in the positions or orientations of bodies";
    VirtualAlone { what: String } =>
        "{what} depends on virtual displacements alone, which are 0 at all times",
        "a coordinate must stand in it; a `force` or a `torque` may act along a virtual displacement alone";
    UnknownContact { function: String, name: String, suggestion: String } =>
        "`{name}` has no force `{function}({name})`",
        "{suggestion} `friction(name)` is the force of a `friction`, or of the slip of a `contact`, and `contact(name)` the normal force \
         of a `contact`";
    OutsideBound { name: String } =>
        "`{name}` can stand in `output`, `verify` and the bound of a `friction` only",
        "it follows from the motion; where a `let` would stand for it, write `{name}(…)` itself";
    OutsideVerify { name: String } =>
        "`{name}` can stand in `verify` only",
        "it is a part of the derived equations";
    NoVariable { found: String } =>
        "`{found}` is no variable of the equations",
        "write a coordinate `x`, a velocity `dot(x)`, an input, a parameter, `t`, or a vector of these";
    MultiplierRate {} =>
        "the time derivative of a multiplier, of a reaction, or of the force of a contact, is not known",
        "it is a function of the state: its rate would need third derivatives";
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
        "a reaction is known only for A(q, t)·v + b(q, t) == 0; a speed is kept by a force, or prescribed along a known direction";
    QuaternionLength { quaternion: String } =>
        "nothing keeps the quaternion `{quaternion}` at length 1",
        "write `constraint unit: norm2({quaternion}) == 1;`";
    MovingAssumption { part: String } =>
        "`{part}` is no parameter",
        "an assumption is a fact about parameters, checked when they are given";
    AssumptionForm { found: String, form: String } =>
        "expected a comparison with `>` or `<`, found `{found}`",
        "write `{form}`";
    FalseAssumption { text: String } =>
        "`{text}` is false",
        "";
    ContradictoryAssumption { text: String } =>
        "no parameters meet `{text}` together with the assumptions before it",
        "";
    MovingTable { name: String } =>
        "table `{name}` must be made of numbers and parameters",
        "";
    ShortTable { name: String } =>
        "table `{name}` needs two knots at least",
        "";
    LongTable { name: String, limit: usize } =>
        "the linear table `{name}` has more than {limit} knots",
        "each has a switching function; `pchip` and `spline` have one for all knots, and any number of them";
    TableSlopes { name: String, found: usize } =>
        "table `{name}` needs 2 slopes, found {found}",
        "a spline has two ends: `spline(x, y, [first, last])`";
    TableRows { name: String, needed: String, found: String } =>
        "the values of table `{name}` must be {needed}, found {found}",
        "they have a row for each knot of the first argument, and a column for each knot of the second: `[[f00, f01], [f10, f11]]`";
    LargeTable { name: String, limit: usize } =>
        "table `{name}` has more than {limit} knots along each argument",
        "a table of two arguments is computed as a sum over the knots of one argument; give one of the arguments at most {limit} knots";
    InverseForm { found: String, tables: String } =>
        "`inverse` needs the name of a table of one argument and a value, found {found}",
        "{tables}; `inverse(f, y)` is the x with f(x) = y";
    NoInverse { name: String, why: String, help: String } =>
        "table `{name}` has no inverse: {why}",
        "{help}";
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
    TorqueOnAngle { angle: String, form: String } =>
        "`{angle}` is a number, and `torque` needs a rotation matrix or a quaternion",
        "a couple in the plane acts on an angle: write `{form}`";
    CoupleNeeded { orientation: String, found: String } =>
        "a couple has 3 components in space, found {found}",
        "the couple u about the third axis of the body is `rotation*[0, 0, u]`, with the rotation matrix of `{orientation}`";
    PositionNeeded { what: String, found: String } =>
        "the position in {what} must have 2 or 3 components, found {found}",
        "";
    InertiaNeeded { what: String, found: String } =>
        "{what} must be a 3×3 matrix or 3 principal moments, found {found}",
        "";
    UnknownIndex { name: String, of: String, suggestion: String } =>
        "`{name}` is no index of `{of}`",
        "{suggestion} its indices are the names of coordinates";

    } };
}
