//! Derivatives along motions on which the error of the motion says nothing about that of its derivatives.

mod differences;
mod rest;
