//! Friction: breakaway from rest, and bodies that slip and roll, against closed forms and against the event-driven motion between turns.

mod breakaway;
mod early_rest;
mod in_space;
mod rolling;
mod shapes;
mod spinning;
