//! Ctrl-C, so that a run can end in order.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the user asked to break off.
#[derive(Clone, Debug, Default)]
pub(super) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens to Ctrl-C and to the signals that ask to terminate. A second one ends the process at once.
    ///
    /// Where the program has a handler of its own, that handler remains, and this value stays false.
    pub(super) fn listen() -> Self {
        let interrupt = Self::default();
        let flag = interrupt.clone();
        _ = ctrlc::set_handler(move || {
            if flag.0.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        });
        interrupt
    }

    /// The flag that is set when it happens.
    pub(super) fn flag(&self) -> &AtomicBool {
        &self.0
    }

    /// Whether it happened.
    pub(super) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
