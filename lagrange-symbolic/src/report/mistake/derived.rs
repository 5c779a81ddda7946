//! Rows of the table of messages: the derived equations, and warnings.

/// Appends its rows to those that it is given, and passes all of them to the next macro.
macro_rules! derived {
    ($next:ident $($after:ident)*; $($rows:tt)*) => { $next! { $($after)*; $($rows)*

    // The derived equations
    NoInertia { coordinate: String } =>
        "coordinate `{coordinate}` has no inertia, and no force determines its velocity",
        "give it an energy such as `m*dot({coordinate})^2/2`, a dissipation such as `c*dot({coordinate})^2/2`, or a term of L that \
         is linear in velocities; or a constraint that contains it; or state its rate: `state {coordinate}: dot({coordinate}) == …;`";
    WithoutInertiaFirst { coordinate: String, other: String } =>
        "coordinate `{coordinate}` has no inertia, and is declared before `{other}`, which has some",
        "declare it last, `coordinates …, {other}, {coordinate};`: its value stands among the velocities of a state, behind those of \
         the coordinates with inertia";
    ContactWithoutInertia { coordinate: String, contact: String } =>
        "coordinate `{coordinate}` has no inertia, and stands in contact `{contact}`",
        "bodies that meet need an inertia: give it an energy such as `m*dot({coordinate})^2/2`; or state a stiff force for the contact, \
         such as `force {coordinate} = k*max(-{coordinate}, 0);`";
    MotionUndetermined { motion: String } =>
        "the motion {motion} has no inertia, and no force determines its rate",
        "a dissipation must resist the rate of every motion without inertia, as one that is quadratic in it does; or give the coordinates an inertia, or \
         connect them by constraints";
    NonlinearVelocity { coordinate: String } =>
        "the forces on coordinates without inertia are not linear in their velocities, and that on `{coordinate}` is free of \
         `dot({coordinate})`, so that their velocities do not follow from them",
        "a dissipation that is strictly convex in `dot({coordinate})`, such as `c*dot({coordinate})^2/2`, determines it; or solve the \
         equation for the velocity and state it, `state {coordinate}: dot({coordinate}) == …;`, or give it an inertia";
    JumpingVelocity { coordinate: String } =>
        "`{coordinate}` has no inertia, and the force on it jumps where `dot({coordinate})` changes, so that no velocity may balance the \
         other forces",
        "dry friction needs an inertia, such as `m*dot({coordinate})^2/2`; or round the jump, as `f*tanh(dot({coordinate})/v0)` does";
    MotionWithoutInertia { motion: String, otherwise: String } =>
        "the mass matrix is singular: the motion {motion} has no inertia",
        "the energy must be quadratic in the rate of every motion that the constraints allow, as `norm2(dot(r))` is{otherwise}";
    RedundantConstraints { names: String, otherwise: String } =>
        "the constraints {names} are not independent",
        "leave one of them out: it follows from the others, or contradicts them; of a vector, state the components that are \
         independent as constraints of their own. Constraints that depend on each other only where all of them hold are accepted, and \
         `LeastNorm` solves them{otherwise}";
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
        "its rate of change is not known; a quantity that is constant is a parameter: leave `#[input]` off its field";
    NotConserved { name: String, rate: String, point: String } =>
        "`{name}` is not conserved: its rate of change is {rate}",
        "at {point}";
    InvariantJumps { name: String, point: String } =>
        "`{name}` is not conserved: it jumps along a motion",
        "at {point}";
    SymmetryContent { name: String, what: String } =>
        "{what} cannot stand in symmetry `{name}`",
        "it changes the coordinates by functions of the coordinates, their first derivatives, t and parameters";
    SymmetryShape { name: String, found: usize, coordinates: String } =>
        "symmetry `{name}` needs a component for each coordinate, and has {found}",
        "the coordinates are `{coordinates}`; one that does not change has the component 0";
    SymmetryWithoutInertia { name: String } =>
        "symmetry `{name}` changes nothing: no coordinate of this mechanism has an inertia",
        "a symmetry changes coordinates with inertia; a quantity that this mechanism conserves is stated by `invariant`";
    NotSymmetric { name: String, what: String, rate: String, point: String } =>
        "`{name}` is no symmetry: {what} is {rate} and not 0",
        "at {point}. A symmetry changes L by δL = ∂L/∂q·δq + ∂L/∂v·d(δq)/dt, which must be dK/dt of a K(q, v, t), stated as `, gauge = K`";
    ClaimUndecided { left: String, right: String, reason: String } =>
        "could not decide whether {left} equals {right}",
        "{reason}";

    // Warnings
    InvariantUndecided { name: String, reason: String } =>
        "could not decide whether {name} is conserved",
        "{reason}";
    SymmetryUndecided { name: String, reason: String } =>
        "could not decide whether {name} is a symmetry",
        "{reason}";
    UnusedInput { input: String } =>
        "input {input} is never used",
        "it stands in no force, potential or dissipation";
    RateOfField { field: String } =>
        "the rate of field {field} is 0",
        "a field keeps its value along a motion; what changes is a coordinate, a state or a function of t";
    UnusedField { field: String } =>
        "field {field} is never used",
        "no statement names it: mark it `#[skip]` if it is none of the physics";
    UnusedDefinition { keyword: String, name: String } =>
        "{keyword} {name} is never used",
        "no other statement names it; one whose name begins with `_` has no warning";
    IdleForce { force: String } =>
        "the force on {force} is 0 at every state",
        "it does no work in any motion, because it is 0 or its components cancel";
    IdleFriction { friction: String } =>
        "friction {friction} has a bound of 0",
        "it never resists; the bound of a dry friction is its coefficient times the normal force";
    IdleDissipation { term: String } =>
        "the term {term} of the dissipation does not depend on velocities",
        "its force −∂D/∂q̇ is 0; a damper is `c*dot(x)^2/2`";
    ConstantTerm { energy: String, term: String } =>
        "the term {term} of `{energy}` adds nothing to the equations",
        "it depends on no coordinate and no state, so that its derivatives by them are 0";
    UncoupledCoordinate { coordinate: String } =>
        "coordinate {coordinate} is coupled with nothing: its acceleration is 0 whatever the others do",
        "nothing but an inertia of its own contains it; a potential, a force, a constraint or a common energy would act on it";
    OddDissipation { term: String } =>
        "the term {term} of the dissipation is odd in the velocities",
        "in one direction it gives as much energy as it takes in the other; a damper is `c*dot(x)^2/2`, air drag `c*abs(dot(x))^3/3`, \
         and a force is stated by `force`";
    GivingDissipation { coordinate: String } =>
        "the dissipation gives energy to {coordinate}",
        "along this velocity it is below its value at rest, so that its force −∂D/∂q̇ drives the motion; a damper is `c*dot(x)^2/2` with c > 0, \
         and what drives a motion is stated by `force`";
    MomentumJumps { coordinate: String } =>
        "the momentum of {coordinate} jumps where a velocity changes a branch of the Lagrangian",
        "the equations hold on either side of the jump, and say nothing at it: round the kink off, as in \
         sqrt(dot(x)^2 + w^2) for abs(dot(x)), or end the motion there by an event; friction is stated by `dissipation`";
    DenseMass { coordinates: usize, operations: u32, each: u32 } =>
        "one evaluation of these {coordinates} coordinates takes {operations} operations, {each} for each of them",
        "the energy couples most velocities with most others, and no velocity was found of which others are made, as in a chain \
         of bodies: compiling takes long. State each point by the one before it, `let p[i in 1..{coordinates}] = p[i - 1] + …;`, \
         and the energy by `norm2(dot(p[i]))`: some 60 operations for each coordinate are enough then";
    HolonomicInDisguise { constraint: String } =>
        "nonholonomic {constraint} is holonomic in disguise",
        "it restricts the coordinates themselves (Frobenius); state it as a `constraint` between coordinates, so that they \
         cannot drift off it";

    HolonomicCombination { combination: String } =>
        "the combination {combination} of nonholonomic rows is holonomic in disguise",
        "it restricts the coordinates themselves (Frobenius); state its integral as a `constraint` between coordinates, in place \
         of one of these rows, so that they cannot drift off it";

    HolonomicTogether { constraints: String } =>
        "nonholonomic {constraints} can be integrated beside the other constraints",
        "with all other constraints they restrict the coordinates themselves (Frobenius, at random states); state them as a \
         `constraint` between coordinates, so that these cannot drift off it";

    } };
}
