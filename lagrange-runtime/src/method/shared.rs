//! The lines that implementations of [`Method`](super::Method) have in common.

/// The items that are the same for all methods with a fixed step `self.h` and no workspace.
macro_rules! fixed_steps {
    () => {
        type Workspace = ();

        const ADAPTIVE: bool = false;
        const MEASURES_ERRORS: bool = false;

        fn workspace(&self) {}

        #[inline(always)]
        fn pace(&self) -> $crate::method::Pace<R> {
            $crate::method::Pace::Fixed(self.h)
        }
    };
}
pub(super) use fixed_steps;

/// The items that are the same for all implicit methods that integrate the forces f of the balance: they hold contacts, and no stiffness limits their steps.
macro_rules! implicit_steps {
    () => {
        #[inline(always)]
        fn holds_contacts(&self) -> bool {
            true
        }

        #[inline(always)]
        fn is_limited_by_stability(&self) -> bool {
            false
        }
    };
}
pub(super) use implicit_steps;
