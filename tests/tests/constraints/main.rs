//! Constraints: their derived equations against exact solutions and dual numbers, the signs of design §2, and what is
//! refused at run time.

mod derivatives;
mod mechanisms;
mod motion;
mod outputs;
mod signs;
