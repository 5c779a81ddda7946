//! Whether an expression jumps: its value on both sides of each switch, found by bisection between random states.
//!
//! A kink, such as that of abs(x) or of a spring that only pushes, is no jump. A switch that no path crosses is let
//! pass: this check refuses only what it has seen.

use crate::expr::{Graph, Id, Node, Symbol};
use crate::function::Function;
use crate::prove::numeric;

/// Paths tried for each switch; every third is ten times longer than the one before.
const PATHS: u64 = 24;

/// Bisections of a path: its ends stay apart by many times the spacing of numbers, clear of the switch itself.
const BISECTIONS: u32 = 36;

/// Relative change across a switch that counts as a jump.
const TOLERANCE: f64 = 1e-6;

/// Whether the value jumps somewhere while coordinates, velocities, inputs and time move and parameters stay.
pub(crate) fn jumps(graph: &Graph, id: Id) -> bool {
    switches(graph, id).into_iter().any(|switch| (0..PATHS).any(|path| jumps_on_path(graph, id, switch, path)))
}

/// What decides a branch.
#[derive(Clone, Copy)]
enum Switch {
    /// The order of two quantities.
    Order(Id, Id),
    /// The sign of one.
    Sign(Id),
    /// The whole number below one.
    Floor(Id),
    /// The whole number below a quotient.
    Turns(Id, Id),
}

impl Switch {
    /// The quantities that decide.
    fn operands(self) -> [Id; 2] {
        match self {
            Self::Order(left, right) | Self::Turns(left, right) => [left, right],
            Self::Sign(x) | Self::Floor(x) => [x, x],
        }
    }

    /// A number that is the same on one side of a switch and differs between its sides.
    fn side(self, left: f64, right: f64) -> f64 {
        match self {
            Self::Order(..) => f64::from(left > right),
            Self::Sign(_) => f64::from(left > 0.0),
            Self::Floor(_) => left.floor(),
            Self::Turns(..) => (left / right).floor(),
        }
    }
}

/// What decides the branches of an expression.
fn switches(graph: &Graph, id: Id) -> Vec<Switch> {
    let switch = |node: Id| match graph.node(node) {
        Node::Compare(_, left, right) => Some(Switch::Order(*left, *right)),
        Node::Call(Function::Sign, arguments) => Some(Switch::Sign(arguments[0])),
        Node::Call(Function::Floor, arguments) => Some(Switch::Floor(arguments[0])),
        Node::Call(Function::Mod, arguments) => Some(Switch::Turns(arguments[0], arguments[1])),
        _ => None,
    };
    graph.reachable(&[id]).into_iter().filter_map(switch).collect()
}

fn jumps_on_path(graph: &Graph, id: Id, switch: Switch, path: u64) -> bool {
    let [left, right] = switch.operands();
    let length = [2.0, 20.0, 200.0][(path % 3) as usize];
    let at = |fraction: f64| {
        let symbol = |symbol: Symbol| match symbol {
            Symbol::Parameter(_) => 0.5 + 1.5 * random(symbol, 2 * path),
            moving => {
                let start = random(moving, 2 * path) - 0.5;
                let end = random(moving, 2 * path + 1) - 0.5;
                length * (start + fraction * (end - start))
            }
        };
        let values = numeric(graph, &[left, right, id], &symbol);
        (switch.side(values[0], values[1]), values[2])
    };
    let (mut low, mut high) = (0.0, 1.0);
    let side = at(low).0;
    if at(high).0 == side {
        return false;
    }
    for _ in 0..BISECTIONS {
        let middle = 0.5 * (low + high);
        if at(middle).0 == side {
            low = middle;
        } else {
            high = middle;
        }
    }
    let (before, after) = (at(low).1, at(high).1);
    (before - after).abs() > TOLERANCE * (1.0 + before.abs())
}

/// A number between 0 and 1 that depends on the symbol and the path alone (SplitMix64's finalizer).
fn random(symbol: Symbol, path: u64) -> f64 {
    let (kind, index) = match symbol {
        Symbol::Coordinate(index) => (1, index),
        Symbol::Velocity(index) => (2, index),
        Symbol::Acceleration(index) => (3, index),
        Symbol::Multiplier(index) => (4, index),
        Symbol::Parameter(index) => (5, index),
        Symbol::Input(index) => (6, index),
        Symbol::Dummy(index) => (7, index),
        Symbol::Time => (8, 0),
    };
    let mut bits = (path << 40 | u64::from(index) << 8 | kind).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((bits ^ (bits >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}
