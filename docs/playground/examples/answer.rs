//! Prints the answer of the playground to a Rust source file: `cargo run --example answer FILE.rs`.

fn main() -> std::io::Result<()> {
    let file = std::env::args().nth(1).unwrap_or_default();
    println!("{}", lagrange_playground::answer(&std::fs::read_to_string(file)?));
    Ok(())
}
