//! The bodies that move: links that fixed joints hold together are one body.

use super::model::{Joint, Kind, Options, Place, Robot};
use super::names::{Fresh, shown};
use super::space::{Inertia, Pose};
use super::xml::Fault;
use std::collections::{BTreeMap, BTreeSet};

/// A body that a joint moves.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Body {
    /// The joint. Its pose is that on the body before it.
    pub(crate) joint: Joint,
    /// The body before it; `None` for the base.
    pub(crate) parent: Option<usize>,
    /// The inertia of all its links, in its own frame.
    pub(crate) inertia: Inertia,
    /// The links that it consists of and their poses in its frame, first the one that the joint moves.
    pub(crate) links: Vec<(usize, Pose)>,
    /// The links, among these, whose positions are outputs.
    pub(crate) tips: Vec<(usize, Pose)>,
}

/// Makes bodies of links, each behind the body before it.
///
/// # Errors
/// [`Fault`] names links and joints that form no tree, or that nothing could move.
pub(crate) fn bodies(robot: &Robot, options: &Options) -> Result<Vec<Body>, Fault> {
    let root = root(robot)?;
    let mut outward: Vec<Vec<&Joint>> = vec![Vec::new(); robot.links.len()];
    for joint in &robot.joints {
        outward[joint.parent].push(joint);
    }
    let tips = tips(robot, options, &outward)?;
    let mut bodies: Vec<Body> = Vec::new();
    let mut seen = BTreeSet::new();
    // What is to be gathered: a link, its pose, the body that it belongs to or stands on, and the joint that moves it on this body.
    let base = options.free_base.then(|| free_base(robot, root));
    let mut waiting = vec![(root, Pose::default(), None, base)];
    while let Some((link, mut pose, mut body, joint)) = waiting.pop() {
        seen.insert(link);
        if let Some(joint) = joint {
            bodies.push(Body::new(Joint { pose, ..joint }, body));
            (pose, body) = (Pose::default(), Some(bodies.len() - 1));
        }
        if let Some(body) = body.and_then(|body: usize| bodies.get_mut(body)) {
            body.inertia = body.inertia.with(&robot.links[link].inertia.seen_from(&pose));
            body.links.push((link, pose));
            if tips.contains(&link) {
                body.tips.push((link, pose));
            }
        }
        let mut found = Vec::new();
        for joint in &outward[link] {
            let moving = (joint.kind != Kind::Fixed).then(|| (*joint).clone());
            found.push((joint.child, pose.then(&joint.pose), body, moving));
        }
        waiting.extend(found.into_iter().rev());
    }
    if let Some(lost) = (0..robot.links.len()).find(|link| !seen.contains(link)) {
        let link = &robot.links[lost];
        let text = format!("the joints before the link {} form a circle; a tree is allowed", shown(&link.name));
        return Err(link.place.fault(text));
    }
    if bodies.is_empty() {
        let text = "no joint of the robot moves; one that is not `fixed` is needed";
        return Err(robot.links[root].place.fault(text.to_owned()));
    }
    check_tips(robot, options, &tips, &bodies)?;
    check_finite(&bodies)?;
    let leaders = leaders(&bodies)?;
    check_inertia(&bodies, &leaders)?;
    Ok(bodies)
}

impl Body {
    fn new(joint: Joint, parent: Option<usize>) -> Self {
        Self { joint, parent, inertia: Inertia::default(), links: Vec::new(), tips: Vec::new() }
    }
}

/// The link that no joint moves.
fn root(robot: &Robot) -> Result<usize, Fault> {
    let mut before: BTreeMap<usize, &Joint> = BTreeMap::new();
    for joint in &robot.joints {
        if let Some(other) = before.insert(joint.child, joint) {
            let text = format!(
                "the joints {} and {} both move the link {}; one joint is allowed, because loops need constraints",
                shown(&other.name),
                shown(&joint.name),
                shown(&robot.links[joint.child].name)
            );
            return Err(joint.place.fault(text));
        }
    }
    let mut roots = (0..robot.links.len()).filter(|link| !before.contains_key(link));
    match (roots.next(), roots.next()) {
        (Some(root), None) => Ok(root),
        (Some(root), Some(other)) => {
            let (root, other) = (&robot.links[root], &robot.links[other]);
            let text = format!("no joint moves {} or {}; one root is allowed", shown(&root.name), shown(&other.name));
            Err(other.place.fault(text))
        }
        (None, _) => {
            let text = "every link is moved by a joint, so that the joints form a circle; one root is needed";
            Err(robot.links.first().map_or(Place { line: 1, column: 1 }, |link| link.place).fault(text.to_owned()))
        }
    }
}

/// The joint of a root link that moves freely, with a name of its own.
fn free_base(robot: &Robot, root: usize) -> Joint {
    let name = Fresh::beside(robot.joints.iter().map(|joint| &joint.name[..])).name("base");
    Joint::new(&name, robot.links[root].place, Kind::Floating, [root, root], Pose::default())
}

/// Sums and products of numbers in the file may be beyond the range of doubles.
fn check_finite(bodies: &[Body]) -> Result<(), Fault> {
    for body in bodies {
        let pose = body.joint.pose.position.iter().chain(&body.inertia.center);
        let tips = body.tips.iter().flat_map(|(_, pose)| &pose.position);
        let mut all = pose.chain(body.inertia.tensor.iter().flatten()).chain([&body.inertia.mass]).chain(tips);
        if all.any(|number| !number.is_finite()) {
            let text =
                format!("a place or an inertia of what the joint {} moves is too large", shown(&body.joint.name));
            return Err(body.joint.place.fault(text));
        }
    }
    Ok(())
}

/// The links whose positions are outputs.
fn tips(robot: &Robot, options: &Options, outward: &[Vec<&Joint>]) -> Result<BTreeSet<usize>, Fault> {
    if options.tips.is_empty() {
        return Ok((0..robot.links.len()).filter(|&link| outward[link].is_empty()).collect());
    }
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    // A name of the file comes before one that only looks like it.
    for generated in [false, true] {
        for (number, link) in robot.links.iter().enumerate().filter(|(_, link)| link.generated == generated) {
            numbers.entry(&link.name).or_insert(number);
        }
    }
    let find = |wanted: &String| match numbers.get(&wanted[..]) {
        Some(&number) => Ok(robot.links[number].frame.unwrap_or(number)),
        None => {
            let names: Vec<String> = robot.links.iter().map(|link| link.name.clone()).collect();
            let text = crate::suggest::explain_unknown("link", wanted, &names);
            Err(Place { line: 1, column: 1 }.fault(text))
        }
    };
    options.tips.iter().map(find).collect()
}

/// Every link that the user names must move.
fn check_tips(robot: &Robot, options: &Options, tips: &BTreeSet<usize>, bodies: &[Body]) -> Result<(), Fault> {
    if options.tips.is_empty() {
        return Ok(());
    }
    let moving: BTreeSet<usize> = bodies.iter().flat_map(|body| &body.tips).map(|(link, _)| *link).collect();
    match tips.difference(&moving).next() {
        Some(&still) => {
            let link = &robot.links[still];
            let text = format!(
                "the link {} does not move, so that its position is no output; `--tip` needs one that moves",
                shown(&link.name)
            );
            Err(link.place.fault(text))
        }
        None => Ok(()),
    }
}

/// For each body the one whose joint determines its own: the body itself, or the end of a chain of joints that follow each other.
fn leaders(bodies: &[Body]) -> Result<Vec<usize>, Fault> {
    let numbers: BTreeMap<&str, usize> =
        bodies.iter().enumerate().map(|(number, body)| (&body.joint.name[..], number)).collect();
    let mut leaders: Vec<Option<usize>> = vec![None; bodies.len()];
    for start in 0..bodies.len() {
        let (mut chain, mut at) = (Vec::new(), start);
        let leader = loop {
            let joint = &bodies[at].joint;
            let Some(mimic) = &joint.mimic else { break at };
            if let Some(known) = leaders[at] {
                break known;
            }
            chain.push(at);
            let name = shown(&mimic.joint);
            let Some(&next) = numbers.get(&mimic.joint[..]) else {
                return Err(mimic.place.fault(format!("no joint {name} moves, which {} follows", shown(&joint.name))));
            };
            if !matches!(bodies[next].joint.kind, Kind::Revolute | Kind::Prismatic) {
                let text = format!("{name} has several coordinates; a joint that others follow has one");
                return Err(mimic.place.fault(text));
            }
            if chain.len() > bodies.len() {
                return Err(mimic
                    .place
                    .fault("joints follow each other in a circle; one of them must move itself".into()));
            }
            at = next;
        };
        leaders[start] = Some(leader);
        for follower in chain {
            leaders[follower] = Some(leader);
        }
    }
    Ok(leaders.into_iter().enumerate().map(|(number, leader)| leader.unwrap_or(number)).collect())
}

/// Every joint must move something that has inertia: else its acceleration is not determined.
fn check_inertia(bodies: &[Body], leaders: &[usize]) -> Result<(), Fault> {
    // Mass and moments of what each joint moves, bodies behind it included: a body stands behind its parent.
    let mut moved: Vec<(bool, bool)> = bodies
        .iter()
        .map(|body| (body.inertia.mass > 0.0, body.inertia.tensor != [[0.0; 3]; 3] || body.joint.armature > 0.0))
        .collect();
    for at in (0..bodies.len()).rev() {
        if let Some(parent) = bodies[at].parent {
            moved[parent] = (moved[parent].0 || moved[at].0, moved[parent].1 || moved[at].1);
        }
    }
    let mut enough = vec![false; bodies.len()];
    for (at, body) in bodies.iter().enumerate() {
        enough[leaders[at]] |= match body.joint.kind {
            Kind::Revolute | Kind::Ball | Kind::Fixed => moved[at].0 || moved[at].1,
            Kind::Prismatic | Kind::Planar | Kind::Floating => moved[at].0 || body.joint.armature > 0.0,
        };
    }
    for (at, body) in bodies.iter().enumerate() {
        if leaders[at] == at && !enough[at] {
            let text =
                format!("the joint {} moves nothing that has inertia; a mass is needed", shown(&body.joint.name));
            return Err(body.joint.place.fault(text));
        }
    }
    Ok(())
}
