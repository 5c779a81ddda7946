fn main() -> Result<(), Box<dyn std::error::Error>> {
    let system = made().prepare::<f64>()?;
    let solution = solve(&system, start(), 0.1, &Rk4::new(0.01), &Options::default())?;
    println!("{:?}", solution.last());
    Ok(())
}
