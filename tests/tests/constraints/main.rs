//! Constraints: their derived equations against exact solutions and dual numbers, the signs of design §2, consistent
//! states, projection, redundancy, and the mechanisms of the catalog against their known solutions.

mod consistent;
mod derivatives;
mod known;
mod mechanisms;
mod motion;
mod outputs;
mod redundancy;
mod scaled;
mod signs;
mod squeezer;
mod stable;
