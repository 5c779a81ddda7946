//! The lines that the implementations of all methods with a fixed step have in common.

/// The items of [`Method`](super::Method) that are the same for all methods with a fixed step `self.h` and no workspace.
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

/// The items of [`Method`](super::Method) that are the same for all implicit methods with a fixed step `self.h` that carry the momentum: what brings a slip or a gap to rest is an
/// impulse to them, and no stiffness limits their steps.
macro_rules! fixed_implicit_steps {
    () => {
        $crate::method::fixed::fixed_steps!();

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
pub(super) use fixed_implicit_steps;
