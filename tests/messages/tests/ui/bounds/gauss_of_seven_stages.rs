use lagrange_runtime::prelude::*;

fn main() {
    let _ = Gauss::<f64, 7>::new(0.1);
}
