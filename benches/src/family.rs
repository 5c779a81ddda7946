//! Mechanisms of any size, whose expansion is to cost in proportion to it.

/// Makes the block and the struct of a size.
pub type Make = fn(usize) -> (String, String);

/// The families: a name, what makes a member, and sizes.
pub const FAMILIES: [(&str, Make, &[usize]); 4] = [
    ("net of n × n points on rods", net, &[4, 6, 8, 12]),
    ("table with n parameters as values", values, &[75, 150, 300]),
    ("table with n parameters as knots", knots, &[75, 150, 300]),
    ("integral with a kink, n bounds", integral, &[1]),
];

/// Points in the plane, each of which hangs on the one above it.
fn net(n: usize) -> (String, String) {
    let block = format!(
        "const n = {n}; coordinates p[n][n][2];
        kinetic = m*sum(i in 0..n, sum(j in 0..n, norm2(dot(p[i][j]))))/2;
        potential = m*g*sum(i in 0..n, sum(j in 0..n, p[i][j][1]));
        constraint hang[j in 0..n]: norm(p[0][j] - [l*j, l]) == l;
        constraint rod[i in 1..n, j in 0..n]: norm(p[i][j] - p[i - 1][j]) == l;"
    );
    (block, "struct Net { m: f64, g: f64, l: f64 }".to_owned())
}

fn values(n: usize) -> (String, String) {
    let knots: Vec<String> = (0..n).map(|i| i.to_string()).collect();
    (table(&format!("[{}]", knots.join(", "))), format!("struct Table {{ m: f64, y: [f64; {n}] }}"))
}

fn knots(n: usize) -> (String, String) {
    (table("x"), format!("struct Table {{ m: f64, x: [f64; {n}], y: [f64; {n}] }}"))
}

fn table(knots: &str) -> String {
    format!("coordinates z; table f(s) = spline({knots}, y); kinetic = m*dot(z)^2/2; potential = f(z);")
}

/// An energy whose continuity is examined at poles that lie outside their branch.
fn integral(_: usize) -> (String, String) {
    let block = "coordinates x; kinetic = m*dot(x)^2/2; potential = integral(s in 0..l, abs(s*sin(x) - cos(x)));";
    (block.to_owned(), "struct Kink { m: f64, l: f64 }".to_owned())
}
