//! More than eight rows of contacts and frictions, against closed forms of statics and of impacts.

mod chains;
mod pyramid;
mod stack;
mod table;
mod time_stepping;

use lagrange_runtime::prelude::*;

fn at<const N: usize>(tolerance: f64) -> Options<'static, f64, N> {
    Options { rtol: tolerance.into(), atol: tolerance.into(), ..Options::default() }
}
