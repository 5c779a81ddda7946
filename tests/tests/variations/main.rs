//! Derivatives along motions on which the error of the motion says nothing about that of its derivatives: at rest, across switches, across
//! events that map the state, changes of modes and impacts, and in all units.

mod differences;
mod impacts;
mod modes;
mod rest;
mod switches;
mod units;
