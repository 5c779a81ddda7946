//! An allocator that counts the requests of each thread, for tests that assert that nothing allocates.
//!
//! A test binary installs it with `#[global_allocator] static ALLOCATOR: Counting = Counting;`.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static REQUESTS: Cell<u64> = const { Cell::new(0) };
}

/// The system's allocator, which counts every request for memory, new or enlarged.
#[derive(Clone, Copy, Debug)]
pub struct Counting;

#[expect(unsafe_code, reason = "an allocator can be written in no other way")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// How many requests `work` makes on this thread; 0 for any work where [`Counting`] is not installed.
pub fn allocations(work: impl FnOnce()) -> u64 {
    let before = REQUESTS.with(Cell::get);
    work();
    REQUESTS.with(Cell::get) - before
}

fn count() {
    REQUESTS.with(|requests| requests.set(requests.get() + 1));
}
