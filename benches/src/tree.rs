//! Trees of bodies whose times are compared: arms, a biped and a humanoid, each link with a full inertia tensor.

use std::fmt::Write as _;

/// A tree of bodies on revolute joints.
pub struct Tree {
    /// Its name in the table.
    pub name: String,
    /// Whether the base has six degrees of freedom of its own: three positions and three angles. Otherwise it is the ground.
    pub is_free: bool,
    joints: Vec<Joint>,
}

struct Joint {
    /// The joint that carries this one; none for the base.
    parent: Option<usize>,
    axis: char,
    /// Whether a limb begins here, beside the axis of its parent. Other joints are at the end of their parent.
    begins: bool,
}

/// A number for each index, between 0 and 1. The timed programs make the other parameters by the same formula.
fn spread(k: usize) -> f64 {
    ((k * 7919 + 13) % 101) as f64 / 101.0
}

impl Tree {
    /// A serial arm.
    pub fn arm(n: usize) -> Self {
        let mut tree = Self { name: format!("arm of {n} joints"), is_free: false, joints: Vec::new() };
        let axes: String = "zyyxyx".chars().cycle().take(n).collect();
        tree.chain(None, &axes, false);
        tree
    }

    /// Two legs of six joints on a free base.
    pub fn biped() -> Self {
        let mut tree = Self { name: "biped of 12 joints, free".to_owned(), is_free: true, joints: Vec::new() };
        for _ in 0..2 {
            tree.chain(None, "zxyyyx", true);
        }
        tree
    }

    /// Two legs of six joints, a waist and a neck of two, two arms of seven, on a free base.
    pub fn humanoid() -> Self {
        let mut tree = Self { name: "humanoid of 30 joints, free".to_owned(), ..Self::biped() };
        let chest = tree.chain(None, "zy", false);
        for axes in ["yxzyzyx", "yxzyzyx", "zy"] {
            tree.chain(chest, axes, true);
        }
        tree
    }

    /// Adds joints in a row, and returns the last one.
    fn chain(&mut self, mut parent: Option<usize>, axes: &str, begins: bool) -> Option<usize> {
        for (k, axis) in axes.chars().enumerate() {
            self.joints.push(Joint { parent, axis, begins: begins && k == 0 });
            parent = Some(self.joints.len() - 1);
        }
        parent
    }

    /// The number of coordinates.
    pub fn coordinates(&self) -> usize {
        self.joints.len() + if self.is_free { 6 } else { 0 }
    }

    fn bodies(&self) -> usize {
        self.joints.len() + usize::from(self.is_free)
    }

    /// The body that carries a joint.
    fn carrier(&self, joint: &Joint) -> Option<usize> {
        match joint.parent {
            Some(parent) => Some(parent + usize::from(self.is_free)),
            None => self.is_free.then_some(0),
        }
    }

    fn length(body: usize) -> f64 {
        0.3 + 0.2 * spread(body + 50)
    }

    /// How far a limb begins beside the axis and above the joint of its parent.
    fn side(limb: usize) -> [f64; 2] {
        [if limb.is_multiple_of(2) { 0.1 } else { -0.1 } * (1.0 + spread(limb + 70)), 0.2 * spread(limb + 90)]
    }

    /// A program: the mechanism, its parameters, and `rest` with the function `main`.
    pub fn program(&self, rest: &str) -> String {
        let limbs = self.joints.iter().filter(|joint| joint.begins).count();
        let (n, bodies, driven) = (self.coordinates(), self.bodies(), self.joints.len());
        // A field has one element at least, also where no limb begins.
        let sides: Vec<[f64; 2]> = (0..limbs.max(1)).map(Self::side).collect();
        let lengths: Vec<f64> = (0..bodies).map(Self::length).collect();
        format!(
            "use lagrange_runtime::prelude::*;\n\n#[lagrangian {{\n    {}\n}}]\n\
             struct Tree {{ m: [f64; {bodies}], l: [f64; {bodies}], side: [[f64; 2]; {}], com: [[f64; 3]; {bodies}], \
             j: [[[f64; 3]; 3]; {bodies}], g: f64, #[input] tau: [f64; {driven}] }}\n\n\
             const N: usize = {n};\nconst U: usize = {driven};\nconst LENGTHS: [f64; {bodies}] = {lengths:?};\n\
             const SIDES: [[f64; 2]; {}] = {sides:?};\n\n{}\n{rest}",
            self.block(),
            sides.len(),
            sides.len(),
            include_str!("bodies/made.rs")
        )
    }

    fn block(&self) -> String {
        let (n, bodies, first) = (self.coordinates(), self.bodies(), usize::from(self.is_free));
        let mut block = format!("coordinates q[{n}];\n    allow unused_field;\n    max_operations = 100000;\n");
        if self.is_free {
            block += "    let r[0] = rotation_z(q[3])*rotation_y(q[4])*rotation_x(q[5]);\n    let x[0] = [q[0], q[1], q[2]];\n";
        }
        let mut limbs = 0;
        for (k, joint) in self.joints.iter().enumerate() {
            let (body, coordinate) = (k + first, k + n - self.joints.len());
            let carrier = self.carrier(joint);
            let frame = carrier.map_or(String::new(), |parent| format!("r[{parent}]*"));
            let place = match carrier {
                None => "[0, 0, 0]".to_owned(),
                Some(parent) if joint.begins => {
                    format!("x[{parent}] + r[{parent}]*[0, side[{limbs}][0], side[{limbs}][1]]")
                }
                Some(parent) => format!("x[{parent}] + r[{parent}]*[0, 0, l[{parent}]]"),
            };
            limbs += usize::from(joint.begins);
            let _ = writeln!(block, "    let r[{body}] = {frame}rotation_{}(q[{coordinate}]);", joint.axis);
            let _ = writeln!(block, "    let x[{body}] = {place};");
        }
        for body in 0..bodies {
            let _ = writeln!(block, "    let c[{body}] = x[{body}] + r[{body}]*com[{body}];");
        }
        let _ = write!(
            block,
            "    kinetic = sum(i in 0..{bodies}, rigid_body_energy(m[i], j[i], c[i], r[i]));
    potential = g*sum(i in 0..{bodies}, m[i]*c[i][2]);
    force q[i in {}..{n}] = tau[i - {}];",
            n - self.joints.len(),
            n - self.joints.len()
        );
        block
    }

    /// The arguments of the program that uses Pinocchio.
    pub fn arguments(&self) -> Vec<String> {
        let mut arguments = vec![usize::from(self.is_free).to_string()];
        let mut limbs = 0;
        for joint in &self.joints {
            let [_, y, z] = match self.carrier(joint) {
                None => [0.0; 3],
                Some(_) if joint.begins => {
                    let [beside, above] = Self::side(limbs);
                    [0.0, beside, above]
                }
                Some(parent) => [0.0, 0.0, Self::length(parent)],
            };
            limbs += usize::from(joint.begins);
            let parent = joint.parent.map_or("-1".to_owned(), |parent| parent.to_string());
            arguments.push(format!("{parent}:{}:0:{y:?}:{z:?}", joint.axis));
        }
        arguments
    }
}
