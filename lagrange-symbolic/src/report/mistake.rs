//! The one table of messages: what is said about each mistake, and what is allowed instead.
//!
//! A row is a mistake with the names at fault, its message, and its help. `{field}` is replaced by the row's field of
//! that name. There is one file of rows for each kind of mistake. Each file is a macro that appends its rows to those
//! that it is given and passes all of them to the next macro; warnings come last.

#[macro_use]
mod derived;
#[macro_use]
mod names;
#[macro_use]
mod parts;
#[macro_use]
mod physics;
#[macro_use]
mod shapes;
#[macro_use]
mod syntax;
#[macro_use]
mod units;

macro_rules! table {
    (; $($row:ident { $($field:ident : $type:ty),* } => $message:literal, $help:literal;)*) => {
        /// A mistake in a block, or a warning about it.
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub enum Mistake {
            $(
                #[doc = $message]
                $row {
                    $(
                        #[doc = concat!("What the message calls `", stringify!($field), "`.")]
                        $field: $type,
                    )*
                },
            )*
        }

        impl Mistake {
            /// The names of all rows of the table.
            pub const ROWS: &[&str] = &[$(stringify!($row)),*];

            /// Row by row the message, with `{field}` where something is filled in.
            pub const MESSAGES: &[&str] = &[$($message),*];

            /// Row by row the help, with `{field}` where something is filled in. It may be empty.
            pub const HELPS: &[&str] = &[$($help),*];

            /// The name of this row.
            pub fn row(&self) -> &'static str {
                match self {
                    $(Self::$row { .. } => stringify!($row),)*
                }
            }

            /// What is wrong, in one sentence.
            #[allow(unused_variables, reason = "a text names the fields that it needs")]
            pub fn message(&self) -> String {
                match self {
                    $(Self::$row { $($field),* } => format!($message),)*
                }
            }

            /// What to write instead; may be empty.
            #[allow(unused_variables, reason = "a text names the fields that it needs")]
            pub fn help(&self) -> String {
                match self {
                    $(Self::$row { $($field),* } => format!($help),)*
                }
            }
        }
    };
}

syntax! { names parts shapes units physics derived table; }

impl Mistake {
    /// Whether this is a warning: the block is accepted in spite of it.
    pub fn is_warning(&self) -> bool {
        self.lint().is_some()
    }

    /// Message and help as shown by the compiler. A warning says how a block allows it.
    pub fn text(&self) -> String {
        let help = self.help();
        let allowed = self.lint().map(|lint| format!("if it is meant, state `allow {lint};`"));
        let parts: Vec<&str> =
            [help.trim()].into_iter().chain(allowed.as_deref()).filter(|part| !part.is_empty()).collect();
        match parts[..] {
            [] => self.message(),
            _ => format!("{}\n  help: {}", self.message(), parts.join("; ")),
        }
    }

    /// The message as a name that the compiler's own text can carry.
    pub(crate) fn headline(&self) -> String {
        let mut name: String = self.message().chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
        if name.starts_with(|c: char| c.is_ascii_digit()) {
            name.insert(0, '_');
        }
        name
    }
}
