//! Friction: breakaway from rest, bodies that slip and roll, and shapes, against closed forms and against the event-driven motion between turns.

mod breakaway;
mod early_rest;
mod in_space;
mod rolling;
mod rounded;
mod rows_of_bodies;
mod shapes;
mod solids;
mod spinning;
