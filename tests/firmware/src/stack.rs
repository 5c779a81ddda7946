//! How many bytes of the stack a call takes: the stack below is painted before it, and what has lost its paint is counted after it.

/// Bytes that are painted; a call that takes more is reported to take these.
const PAINTED: usize = 256 << 10;

/// The bytes next to the caller's frame that are left alone, since the painter and the counter have frames there.
const SPARED: usize = 256;

const PAINT: u8 = 0xa5;

/// Calls `work`, and returns its result and the bytes of stack that it took.
#[inline(never)]
pub fn used_by<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let here = 0_u8;
    let top = (&raw const here).addr() - SPARED;
    paint(top);
    let result = call(work);
    (result, used_below(top))
}

/// Keeps the call's variables in a frame of its own, below the paint's top.
#[inline(never)]
fn call<T>(work: impl FnOnce() -> T) -> T {
    work()
}

#[inline(never)]
fn paint(top: usize) {
    for distance in 0..PAINTED {
        // SAFETY: the stack below the frames of running functions is writable and belongs to no object.
        unsafe { core::ptr::with_exposed_provenance_mut::<u8>(top - distance).write_volatile(PAINT) };
    }
}

#[inline(never)]
fn used_below(top: usize) -> u64 {
    let lost = |distance: &usize| {
        // SAFETY: as in `paint`, which has initialised these bytes.
        unsafe { core::ptr::with_exposed_provenance::<u8>(top - distance).read_volatile() != PAINT }
    };
    (0..PAINTED).rev().find(lost).map_or(0, |distance| (SPARED + distance) as u64)
}
