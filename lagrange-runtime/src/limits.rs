//! How many events, switching functions and rows of contacts an integration takes.

/// The largest number of events of an integration.
pub const MAX_EVENTS: usize = 256;

/// The largest number of switching functions of a system whose steps end at switches
/// ([`Options::locate_switches`](crate::options::Options::locate_switches)).
pub const MAX_SWITCHES: usize = 256;

/// How many outputs and switching functions of a system can serve as events.
pub const MAX_FUNCTIONS: usize = 64;

/// The largest number of values that the changes of the modes of a system have: the condition of each change, and each value that it assigns.
pub const MAX_CHANGE_VALUES: usize = 128;

/// The largest number of rows of the contacts of a mechanism ([`System::row_count`](crate::system::System::row_count)).
pub const MAX_ROWS: usize = 64;
