//! The derivation as WebAssembly, and what the playground shows of it.
//!
//! The page writes a Rust source file with [`input_word`], calls [`derive_input`], and reads the answer, which is JSON, with [`output_word`].
//! Four bytes pass in a call, so that nothing here needs pointers.

mod answer;
mod brackets;
#[path = "../../../lagrange-cli/src/report/mechanism/equations.rs"]
mod equations;
/// What `equations` uses of the command line's report.
mod report {
    pub(crate) mod page {
        /// Text with the characters escaped that HTML reserves.
        pub(crate) fn escape(text: &str) -> String {
            text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
        }
    }
}

pub use answer::answer;

use std::cell::RefCell;

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static OUTPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Appends four bytes to the source, the lowest first.
#[allow(unsafe_code, reason = "the name is what the page calls")]
#[unsafe(no_mangle)]
pub extern "C" fn input_word(word: u32) {
    INPUT.with_borrow_mut(|input| input.extend(word.to_le_bytes()));
}

/// Derives the first mechanism of the source, which has `length` bytes, and returns the number of bytes of the answer.
#[allow(unsafe_code, reason = "the name is what the page calls")]
#[unsafe(no_mangle)]
pub extern "C" fn derive_input(length: u32) -> u32 {
    let mut bytes = INPUT.take();
    bytes.truncate(length as usize);
    let text = answer(&String::from_utf8_lossy(&bytes)).to_string();
    OUTPUT.replace(text.into_bytes());
    OUTPUT.with_borrow(Vec::len) as u32
}

/// The four bytes of the answer from four times `index`, the lowest first; 0 behind its end.
#[allow(unsafe_code, reason = "the name is what the page calls")]
#[unsafe(no_mangle)]
pub extern "C" fn output_word(index: u32) -> u32 {
    OUTPUT.with_borrow(|output| {
        let byte =
            |offset: usize| u32::from(output.get(index as usize * 4 + offset).copied().unwrap_or(0)) << (8 * offset);
        (0..4).map(byte).sum()
    })
}
