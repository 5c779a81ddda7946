//! Friction that the equations of slips decide: breakaway from rest, against closed forms and the event-driven motion between its turns.

mod breakaway;
