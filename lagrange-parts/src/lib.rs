//! Parts of mechanisms: rods, bodies, joints, springs, gears, motors, circuits.
//!
//! Each part is a struct whose fields are its parameters, and a block with its energies. `part rod: UniformRod;` in the block of a mechanism
//! puts it there, and `let rod.start = …;` states what it leaves open. The guide's page `parts` of `lagrange-runtime` teaches how.
//!
//! | family | what its parts are given | what joins them |
//! |---|---|---|
//! | [`plane`] | points `[x, y]` and angles | a joint gives a place and an angle, a body on it gives its tip |
//! | [`space`] | points `[x, y, z]` and rotation matrices | a joint gives a place and a frame, a body on it gives its tip |
//! | [`line`](mod@line) | lengths and angles | springs and dampers between any two quantities |
//! | [`drive`] | angles | a gear gives the angle that it drives |
//! | [`circuit`] | the charge that has flowed through a branch | branches with the same charge are in series |
//!
//! # Conventions
//!
//! - SI units, as the attributes `#[unit]` say. Angles are in radians, counterclockwise, from the x axis.
//! - `gravity` is the acceleration of free fall, a vector: `[0, -g]` where y points upward. It may depend on the time, and on nothing else.
//! - A charge is what has flowed through a branch in its own direction, and its rate is the current.
//! - `multiplier(part.pin)` is the force on the part that is named first, as in every mechanism: the constraint is `left == right`.
//! - The energies of a part are `part.kinetic` and `part.potential`, where it has them.
//!
//! # Pictures
//!
//! A report draws the outputs `rod` and `spring` of a part as a rod and as a spring, and its other points as points.

#![no_std]

pub mod circuit;
pub mod drive;
pub mod line;
pub mod plane;
pub mod space;
