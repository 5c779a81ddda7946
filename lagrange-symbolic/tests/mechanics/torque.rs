//! Couples on bodies, compared with Euler's equations J ω̇ = Rᵀτ − ω × J ω in the body's frame.

use super::{State, assert_close, derive, derived, solve};

type Vector = [f64; 3];
type Matrix = [[f64; 3]; 3];

const ITEM: &str = "struct Body { a: f64, b: f64, c: f64 }";
const MOMENTS: Vector = [0.9, 0.5, 0.3];

fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn inner(a: Vector, b: Vector) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The rotation of a unit quaternion, by its action on the axes: v + 2 u × (u × v + w v).
fn rotated([w, u @ ..]: [f64; 4], v: Vector) -> Vector {
    let inside = cross(u, v);
    let turned = cross(u, [0, 1, 2].map(|k| inside[k] + w * v[k]));
    [0, 1, 2].map(|k| v[k] + 2.0 * turned[k])
}

/// ω̇ in the body's frame under a couple τ in that frame.
fn euler(omega: Vector, couple: Vector) -> Vector {
    let momentum = [0, 1, 2].map(|k| MOMENTS[k] * omega[k]);
    let turned = cross(momentum, omega);
    [0, 1, 2].map(|k| (couple[k] + turned[k]) / MOMENTS[k])
}

/// The quaternion product.
fn times([a, u @ ..]: [f64; 4], [b, v @ ..]: [f64; 4]) -> [f64; 4] {
    let across = cross(u, v);
    let vector = [0, 1, 2].map(|k| a * v[k] + b * u[k] + across[k]);
    [a * b - inner(u, v), vector[0], vector[1], vector[2]]
}

fn pure(vector: Vector) -> [f64; 4] {
    [0.0, vector[0], vector[1], vector[2]]
}

/// q̈ = ½ (q̇ ω + q ω̇), from q̇ = ½ q ω.
#[test]
fn a_couple_on_a_quaternion() {
    let q = [0.5, -0.5, 0.1, 0.7];
    let (omega, couple): (Vector, Vector) = ([0.7, -1.2, 0.4], [0.3, 0.8, -0.5]);
    let v = times(q, pure(omega)).map(|x| x / 2.0);
    let conjugate = [q[0], -q[1], -q[2], -q[3]];
    for (written, in_body) in
        [("[3/10, 8/10, -5/10]", rotated(conjugate, couple)), ("rotation([w, x, y, z])*[3/10, 8/10, -5/10]", couple)]
    {
        for orientation in ["[w, x, y, z]", "rotation([w, x, y, z])"] {
            let block = format!(
                "coordinates w, x, y, z; kinetic = rigid_body_energy(1, [a, b, c], [0, 0, 0], [w, x, y, z]);
                 constraint unit: norm2([w, x, y, z]) == 1; torque {orientation} = {written};"
            );
            let change = euler(omega, in_body);
            let (first, second) = (times(v, pure(omega)), times(q, pure(change)));
            let expected = [0, 1, 2, 3].map(|k| (first[k] + second[k]) / 2.0);
            let derivation = derived(&block, ITEM);
            let state = State { t: 0.0, q: q.to_vec(), v: v.to_vec(), parameters: MOMENTS.to_vec() };
            assert_close(&state.motion(&derivation).0, &expected, &block);
        }
    }
}

/// A rotation about a coordinate axis.
fn about(axis: usize, angle: f64) -> Matrix {
    let (sine, cosine) = angle.sin_cos();
    let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut matrix = [[0.0; 3]; 3];
    matrix[axis][axis] = 1.0;
    matrix[j][j] = cosine;
    matrix[k][k] = cosine;
    matrix[j][k] = -sine;
    matrix[k][j] = sine;
    matrix
}

fn product(a: Matrix, b: Matrix) -> Matrix {
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| (0..3).map(|k| a[i][k] * b[k][j]).sum()))
}

fn applied(a: Matrix, v: Vector) -> Vector {
    a.map(|row| inner(row, v))
}

fn transposed(a: Matrix) -> Matrix {
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| a[j][i]))
}

/// The couple as the sum of its parts about the axes of the three turns, and ω̇ of the accelerations that follow.
#[test]
fn a_couple_on_a_product_of_turns() {
    let (angles, rates): (Vector, Vector) = ([0.4, 1.1, -0.7], [0.9, -0.3, 0.6]);
    let couple = [0.3, 0.8, -0.5];
    // The axes in space about which the three angles turn.
    let (first, second) = (about(2, angles[0]), about(0, angles[1]));
    let axes = [[0.0, 0.0, 1.0], applied(first, [1.0, 0.0, 0.0]), applied(product(first, second), [0.0, 0.0, 1.0])];
    let turned = product(product(first, second), about(2, angles[2]));
    let to_body = transposed(turned);
    let spin = [0, 1, 2].map(|k| (0..3).map(|i| axes[i][k] * rates[i]).sum());
    let omega = applied(to_body, spin);
    // dω/dt in space: Σ axisᵢ q̈ᵢ + Σ (ω of the turns before i × axisᵢ) q̇ᵢ.
    let before =
        [[0.0; 3], axes[0].map(|x| x * rates[0]), [0, 1, 2].map(|k| axes[0][k] * rates[0] + axes[1][k] * rates[1])];
    let drift = (0..3).fold([0.0; 3], |sum: Vector, i| {
        let turning = cross(before[i], axes[i]);
        [0, 1, 2].map(|k| sum[k] + turning[k] * rates[i])
    });
    for (written, in_body) in [
        ("[3/10, 8/10, -5/10]", applied(to_body, couple)),
        ("turned*[3/10, 8/10, -5/10]", couple),
        ("2*[3/10, 8/10, -5/10] - [3/10, 8/10, -5/10]", applied(to_body, couple)),
    ] {
        let change = applied(turned, euler(omega, in_body));
        let rows = (0..3).map(|k| vec![axes[0][k], axes[1][k], axes[2][k], change[k] - drift[k]]).collect();
        let expected = solve(rows);
        for orientation in ["turned", "rotation([0, 0, 1], p)*rotation([1, 0, 0], q)*rotation([0, 0, 1], s)"] {
            let block = format!(
                "coordinates p, q, s; let turned = rotation_z(p)*rotation_x(q)*rotation_z(s);
                 kinetic = rigid_body_energy(1, [a, b, c], [0, 0, 0], turned); torque {orientation} = {written};"
            );
            let derivation = derived(&block, ITEM);
            let state = State { t: 0.0, q: angles.to_vec(), v: rates.to_vec(), parameters: MOMENTS.to_vec() };
            assert_close(&state.motion(&derivation).0, &expected, &block);
        }
    }
}

/// A turn that the time prescribes does its work too, but only the coordinates take part in Q.
#[test]
fn a_couple_on_a_turntable() {
    let block = "coordinates q; let turned = rotation_z(c*t)*rotation_x(q);
        kinetic = a*dot(q)^2/2; torque turned = [b, 2*b, 3*b];
        verify balance[q] == b*(cos(c*t) + 2*sin(c*t)) + partial(kinetic, q);";
    derived(block, ITEM);
    let wrong = block.replace("2*sin", "3*sin");
    assert!(derive(&wrong, ITEM).is_err());
}

/// Opposite couples on two bodies act on their relative turn, and indexed couples on each body.
#[test]
fn couples_add() {
    let block = "coordinates a1[2], b1[2];
        let body[i in 0..2] = rotation_z(a1[i])*rotation_x(b1[i]);
        kinetic = sum(i in 0..2, a*dot(a1[i])^2/2 + b*dot(b1[i])^2/2);
        torque body[0] = [0, 0, c]; torque body[1] = -[0, 0, c];
        verify balance[a1[0]] == c; verify balance[a1[1]] == -c; verify balance[b1[0]] == 0;";
    derived(block, ITEM);
    let indexed = "coordinates a1[2]; kinetic = sum(i in 0..2, a*dot(a1[i])^2/2);
        torque rotation_y(a1[i in 0..2]) = [0, (i + 1)*c, 0]; verify balance[a1[1]] == 2*c; verify balance[a1[0]] == c;";
    derived(indexed, ITEM);
}
