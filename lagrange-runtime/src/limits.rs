//! How many events, switching functions and contacts an integration takes.

/// The largest number of events of an integration.
pub const MAX_EVENTS: usize = 256;

/// The largest number of switching functions of a system whose steps end at switches
/// ([`Options::locate_switches`](crate::options::Options::locate_switches)).
pub const MAX_SWITCHES: usize = 256;

/// How many outputs and switching functions of a system can serve as events.
pub const MAX_FUNCTIONS: usize = 64;

/// The largest number of contacts with dry friction of a mechanism.
pub const MAX_CONTACTS: usize = 8;
