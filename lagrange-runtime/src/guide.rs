//! A guide to the library. The code of every page is compiled and run as a test.
//!
//! | page | about |
//! |---|---|
//! | [`first_mechanism`] | from `cargo new` to equations, a solution and a check, in five minutes |
//! | [`energies`] | from energies to equations: the mathematics, the forms, the Jacobians |
//! | [`units`] | units of quantities: what is stated, what follows, and what is refused |
//! | [`constraints`] | multipliers, consistent states, drift and its cures, redundancy, singular positions |
//! | [`friction`] | dissipation functions, dry friction, and what happens where it sticks |
//! | [`contacts`] | bodies that meet, rest on each other, slide and part: impacts, rest, friction |
//! | [`states`] | quantities with equations of first order: heat, filters, controllers, coordinates without inertia, rockets |
//! | [`symmetries`] | changes that L does not notice, their momenta, and what changes these |
//! | [`modes`] | quantities that keep their value until a condition holds: relays, latches, gears, counters |
//! | [`parts`] | mechanisms made of mechanisms: links, motors, branches of circuits; a library of parts |
//! | [`inputs`] | default values, functions of time, feedback, sampled systems, delays |
//! | [`events`] | zeros along a motion, impacts, switches, events at the same time |
//! | [`choosing`] | which method and which tolerance, by measured costs |
//! | [`analysis`] | linearisation, equilibria, modes, and what can be asked of a motion |
//! | [`sensitivities`] | derivatives of a motion by its start, parameters and inputs; estimates |
//! | [`control`] | from a mechanism to a feedback that a small computer runs |
//! | `ensembles` | many trajectories at once, over threads and lanes; only with the feature `ensemble` |
//! | [`cluster`] | a sweep on one core, on all cores and on several machines; under Slurm |
//! | [`circuits`] | charges as coordinates: the Lagrange–Maxwell equations |
//! | [`results`] | tables, CSV files, pandas, and pictures from a program of your own |
//! | [`rigid_bodies`] | orientations by angles and by quaternions |
//! | [`flexible`] | bodies that bend: assumed shapes, elements of beams and cables, and which method suits |
//! | [`manipulators`] | arms and walking robots: torques, Jacobians of hands, the inertia of a hand, reactions of joints, momenta |
//! | [`robots`] | a robot's file as a mechanism: what is written, what is left out, what is refused |
//! | [`large_systems`] | how the size of equations grows, limits, compile time |
//! | [`leaving_rust`] | a mechanism as C, JavaScript and Python, with the same digits; a module of Python |
//! | [`microcontrollers`] | without std, in single precision, on the stack |
//! | [`methods`] | a method of one's own |
//! | [`verified`] | which claim is tested against what, and how to check your own results |
//! | [`coming_from`] | for users of SymPy, MATLAB, Modelica and Julia |
//!
//! The crate `lagrange-cli` gives a program commands for its own mechanisms: lists, simulations, analyses, plots and reports.
//! Its documentation shows how, from `cargo new` to the report.
//!
//! The reference of the block is the documentation of the attribute [`lagrangian`](macro@crate::lagrangian).

#[cfg(feature = "std")]
#[doc = include_str!("guide/analysis.md")]
#[doc = "\n# Where the bead stays\n\nThe equilibria of the bead over the rate of the hoop. At the branch point the bottom becomes unstable, and two stable places lead away from it, one on each side. The picture was made by a program: `Continuation::run` follows the bottom, and `Continuation::switch` the other branch.\n\n<div>\n"]
#[doc = include_str!("guide/pictures/analysis.svg")]
#[doc = "\n</div>"]
pub mod analysis {}

#[cfg(feature = "std")]
#[doc = include_str!("guide/choosing.md")]
pub mod choosing {}

#[doc = include_str!("guide/circuits.md")]
#[doc = "\n# The charge and the cone of a loudspeaker\n\nThe cone of a loudspeaker is pushed in and released. The picture was made by `lagrange plot loudspeaker --t-end 0.05`.\n\n<div>\n"]
#[doc = include_str!("guide/pictures/circuits.svg")]
#[doc = "\n</div>"]
pub mod circuits {}

#[cfg(feature = "std")]
#[doc = include_str!("guide/cluster.md")]
pub mod cluster {}

#[cfg(feature = "std")]
#[doc = include_str!("guide/coming_from.md")]
pub mod coming_from {}

#[cfg(feature = "std")]
#[doc = include_str!("guide/constraints.md")]
#[doc = "\n# The multiplier of a rod\n\nThe multiplier of the rod of a pendulum that is released horizontally. It is the negative tension of the rod. The picture was made by `lagrange plot cartesian-pendulum --t-end 5 --y 'multiplier(rod)'`.\n\n<div>\n"]
#[doc = include_str!("guide/pictures/constraints.svg")]
#[doc = "\n</div>\n\n# The spin of a rattleback\n\nSpun in the sense that it does not keep, it stands after 3 s, and turns round. The picture was made by `lagrange plot rattleback --t-end 10 --y rate`.\n\n<div>\n"]
#[doc = include_str!("guide/pictures/rattleback.svg")]
#[doc = "\n</div>"]
pub mod constraints {}

#[cfg(feature = "std")]
#[doc = include_str!("guide/control.md")]
#[doc = "\n# The swing-up\n\nThe pole of the last program above: 1 − cos θ is 2 where it hangs and 0 where it stands. The cart pumps once in each direction, catches the pole after 1.8 s, and comes back to the middle.\n\n<div>\n"]
#[doc = include_str!("guide/pictures/control.svg")]
#[doc = "\n</div>"]
pub mod control {}

#[cfg(feature = "std")]
#[doc = include_str!("guide/energies.md")]
pub mod energies {}

#[cfg(feature = "ensemble")]
#[doc = include_str!("guide/ensembles.md")]
#[doc = "\n# When a double pendulum turns over\n\nThe time at which the lower rod of a double pendulum first turns over, if it is released at rest at two angles. Those of grey cells do not turn over in 5 s. The picture was made by `lagrange sweep double-pendulum --vary theta1=-3..3:60 --vary theta2=-3..3:60 --initial theta1_dot=0 --initial theta2_dot=0 --t-end 5 --method rk4 --step 0.05 --until '|theta2|=180deg' --plot ensembles.svg`.\n\n<div>\n"]
#[doc = include_str!("guide/pictures/ensembles.svg")]
#[doc = "\n</div>\n\n# Where a magnetic pendulum comes to rest\n\nThe direction of the magnet, of three, over which a pendulum comes to rest that is released at rest at a point of the map. The boundaries between the colours are fractal. The picture was made by `lagrange sweep magnetic-pendulum --vary x=-2..2:100 --vary y=-2..2:100 --t-end 40 --method tsitouras5 --rtol 1e-6 --show direction --plot basins.svg`.\n\n<div>\n"]
#[doc = include_str!("guide/pictures/basins.svg")]
#[doc = "\n</div>\n\n# How a driven pendulum becomes chaotic\n\nThe angular velocity of a damped pendulum at one phase of its drive, over the amplitude of the drive, after 40 periods. A motion that repeats after one period has one dot, after two periods two; chaos fills a range. The picture was made by `lagrange sweep driven-pendulum --vary drive=1..1.5:200 --every 9.42477796076938 --after 377 --t-end 2262 --show theta_dot --plot bifurcation.svg`.\n\n<div>\n"]
#[doc = include_str!("guide/pictures/bifurcation.svg")]
#[doc = "\n</div>\n\n# Where a double pendulum is chaotic\n\nThe largest Lyapunov exponent of a double pendulum that is released at rest at two angles. Neighbours of a motion in the dark region stay together; those of a motion in the bright one part by a factor e in about a second. The picture was made by `lagrange sweep double-pendulum --vary theta1=-3..3:48 --vary theta2=-3..3:48 --initial theta1_dot=0 --initial theta2_dot=0 --t-end 50 --after 5 --lyapunov --show lyapunov --plot exponents.svg`.\n\n<div>\n"]
#[doc = include_str!("guide/pictures/exponents.svg")]
#[doc = "\n</div>\n\n# How an uncertain start spreads\n\nThe angle of the driven pendulum, if its start is known to 0.01. The picture was made by `lagrange sweep driven-pendulum --sample 'theta=normal(0.2,0.01)' --count 300 --every 0.2 --t-end 40 --plot bands.svg`.\n\n<div>\n"]
#[doc = include_str!("guide/pictures/bands.svg")]
#[doc = "\n</div>"]
pub mod ensembles {}

#[cfg(feature = "std")]
#[doc = include_str!("guide/events.md")]
pub mod events {}

#[cfg(feature = "std")]
#[doc = include_str!("guide/contacts.md")]
#[doc = "\n# A ball that comes to rest\n\nA ball bounces infinitely many times until 2.56 s, and rests. The picture was made by `lagrange plot bouncing-ball --t-end 3`.\n\n<div>\n"]
#[doc = include_str!("guide/pictures/contacts.svg")]
#[doc = "\n</div>\n\n# A ball that yields\n\nIts first bounces take most of its energy, and later ones ever less. The picture was made by `lagrange plot yielding-ball --t-end 3`.\n\n<div>\n"]
#[doc = include_str!("guide/pictures/yielding_ball.svg")]
#[doc = "\n</div>\n\n# A marble that leaves a bar\n\nThe height of a marble that rolls off a bar, flies, and rolls on the floor. The picture was made by `lagrange plot marble-on-bar --t-end 1.5 --y y`.\n\n<div>\n"]
#[doc = include_str!("guide/pictures/marble.svg")]
#[doc = "\n</div>\n\n# A slice that tips over an edge\n\nThe angle of a slice of toast: it turns about the edge of the table, falls with a constant angular velocity, and comes to rest on the floor upside down. The picture was made by `lagrange plot tumbling-toast --t-end 1.5 --y turn`.\n\n<div>\n"]
#[doc = include_str!("guide/pictures/toast.svg")]
#[doc = "\n</div>\n\n# A pad that sticks\n\nThe force of the spring that pulls a sticky pad off a plate, and presses it on again. Where the pad lets go, the force falls within a few milliseconds, and then oscillates while the damper takes the energy. The picture was made by `lagrange plot sticky-pad --t-end 6 --y pull`.\n\n<div>\n"]
#[doc = include_str!("guide/pictures/sticky_pad.svg")]
#[doc = "\n</div>"]
pub mod contacts {}

#[cfg(feature = "std")]
#[doc = include_str!("guide/flexible.md")]
#[doc = "\n# A beam that trails behind its hub\n\nThe deflection of the tip of a beam that is spun up within 15 s. The picture was made by `lagrange plot spinning-beam --t-end 20 --y across --method radau9`.\n\n<div>\n"]
#[doc = include_str!("guide/pictures/flexible.svg")]
#[doc = "\n</div>"]
pub mod flexible {}

#[cfg(feature = "std")]
#[doc = include_str!("guide/first_mechanism.md")]
pub mod first_mechanism {}

#[cfg(feature = "std")]
#[doc = include_str!("guide/friction.md")]
#[doc = "\n# A block that sticks\n\nA block on a spring slides on a rough rail until it sticks. The picture was made by `lagrange plot block-with-friction --t-end 3`.\n\n<div>\n"]
#[doc = include_str!("guide/pictures/friction.svg")]
#[doc = "\n</div>\n\n# A block that breaks away\n\nA belt carries a block until its spring is as strong as the friction at rest; then it slips back under the smaller friction of a slip. The picture was made by `lagrange plot belt-block --t-end 5`.\n\n<div>\n"]
#[doc = include_str!("guide/pictures/belt_block.svg")]
#[doc = "\n</div>\n\n# A top that turns over\n\nThe vertical component of the axis of a tippe top, which turns upside down while it slips, and then rolls. The picture was made by `lagrange plot tippe-top --t-end 4 --y axis_up`.\n\n<div>\n"]
#[doc = include_str!("guide/pictures/tippe_top.svg")]
#[doc = "\n</div>"]
pub mod friction {}

#[cfg(feature = "std")]
#[doc = include_str!("guide/inputs.md")]
pub mod inputs {}

#[cfg(feature = "std")]
#[doc = include_str!("guide/large_systems.md")]
pub mod large_systems {}

#[cfg(feature = "std")]
#[doc = include_str!("guide/leaving_rust.md")]
pub mod leaving_rust {}

#[cfg(feature = "std")]
#[doc = include_str!("guide/methods.md")]
pub mod methods {}

#[cfg(feature = "std")]
#[doc = include_str!("guide/microcontrollers.md")]
pub mod microcontrollers {}

#[cfg(feature = "std")]
#[doc = include_str!("guide/manipulators.md")]
pub mod manipulators {}

#[cfg(feature = "std")]
#[doc = include_str!("guide/modes.md")]
#[doc = "\n# A block that catches a bullet\n\nThe angle of a block on cords that catches a bullet of 300 m/s after a hundredth of a second. The picture was made by `lagrange plot ballistic-pendulum --t-end 4 --y theta`.\n\n<div>\n"]
#[doc = include_str!("guide/pictures/modes.svg")]
#[doc = "\n</div>"]
pub mod modes {}

#[doc = include_str!("guide/parts.md")]
pub mod parts {}

#[cfg(feature = "std")]
#[doc = include_str!("guide/results.md")]
pub mod results {}

#[cfg(feature = "std")]
#[doc = include_str!("guide/rigid_bodies.md")]
#[doc = "\n# The quaternion of a heavy top\n\nThe four components of the orientation of a heavy top that nods. The picture was made by `lagrange plot heavy-top-quaternion --t-end 5`.\n\n<div>\n"]
#[doc = include_str!("guide/pictures/rigid_bodies.svg")]
#[doc = "\n</div>"]
pub mod rigid_bodies {}

#[doc = include_str!("guide/robots.md")]
pub mod robots {}

#[cfg(feature = "std")]
#[doc = include_str!("guide/sensitivities.md")]
#[doc = "\n# How long a change is felt\n\nThe derivatives of the pendulum above by its length and its friction, over a minute. Both grow while the motion falls out of step, and die away with it.\n\n<div>\n"]
#[doc = include_str!("guide/pictures/sensitivities.svg")]
#[doc = "\n</div>"]
pub mod sensitivities {}

#[cfg(feature = "std")]
#[doc = include_str!("guide/states.md")]
pub mod states {}

#[cfg(feature = "std")]
#[doc = include_str!("guide/symmetries.md")]
pub mod symmetries {}

#[cfg(feature = "std")]
#[doc = include_str!("guide/units.md")]
pub mod units {}

#[cfg(feature = "std")]
#[doc = include_str!("guide/verified.md")]
pub mod verified {}
