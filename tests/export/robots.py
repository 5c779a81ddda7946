"""Imports public robots, derives their equations, and compares accelerations with those of Pinocchio and MuJoCo.

Usage: robots.py PROGRAM DIRECTORY [NAME …]. The files come from the packages `example-robot-data` and `gymnasium`. Without names, all are
compared. A row has the largest difference of an acceleration, relative to the largest acceleration of the state.
"""

import os
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import gymnasium
import numpy as np
import pinocchio as pin
from imported import Imported
from robots_mujoco import MujocoPair

STATES = 20
# A relative difference. Right angles of eleven digits, which are exact in the block, make 2e-11 of it.
ALLOWED = 1e-10
# The robots: the file, and whether its root moves freely.
ROBOTS = {
    "double_pendulum": ("double_pendulum_description/urdf/double_pendulum.urdf", False),
    "finger_edu": ("finger_edu_description/robots/finger_edu.urdf", False),
    "ur5": ("ur_description/urdf/ur5_robot.urdf", False),
    "kinova": ("kinova_description/robots/kinova.urdf", False),
    "so101": ("so_arm_description/urdf/so101.urdf", False),
    "z1": ("z1_description/urdf/z1.urdf", False),
    "xarm7": ("xarm_description/urdf/xarm7.urdf", False),
    "panda": ("panda_description/urdf/panda.urdf", False),
    "talos_left_arm": ("talos_data/robots/talos_left_arm.urdf", False),
    "allegro": ("allegro_hand_description/urdf/allegro_left_hand.urdf", False),
    "bolt": ("bolt_description/robots/bolt.urdf", True),
    "solo12": ("solo_description/robots/solo12.urdf", True),
    "a1": ("a1_description/urdf/a1.urdf", True),
    "anymal_c": ("anymal_c_simple_description/urdf/anymal.urdf", True),
    "baxter": ("baxter_description/urdf/baxter.urdf", False),
    "simple_humanoid": ("simple_humanoid_description/urdf/simple_humanoid.urdf", True),
}
# Files of MJCF from the package `gymnasium`, and what is left out of them in both libraries.
BODIES = {
    "ant": [],
    "half_cheetah": [],
    "hopper": [],
    "humanoid": ["tendon"],
    "inverted_double_pendulum": [],
    "pusher": [],
    "reacher": [],
    "swimmer": ["density", "viscosity"],
    "walker2d": [],
}


def mimics(root):
    """Followers: joint to the leading joint, the factor and the offset."""
    return {
        joint.get("name"): (found.get("joint"), float(found.get("multiplier", 1)), float(found.get("offset", 0)))
        for joint in root.iter("joint")
        for found in joint.findall("mimic")
    }


def dampings(root):
    return {
        joint.get("name"): float(found.get("damping", 0)) for joint in root.iter("joint") for found in joint.findall("dynamics")
    }


def model_of(path, free):
    """Pinocchio's model, on a base with the same coordinates: a translation, and then yaw, pitch and roll."""
    if not free:
        return pin.buildModelFromUrdf(str(path))
    root = pin.JointModelComposite(2)
    root.addJoint(pin.JointModelTranslation())
    root.addJoint(pin.JointModelSphericalZYX())
    return pin.buildModelFromUrdf(str(path), root)


class PinocchioPair(Imported):
    """A robot of URDF, and Pinocchio's model of it."""

    def __init__(self, program, directory, name, path, free):
        super().__init__(program, directory, name, path, ["--free-base"] if free else [])
        self.prepared = self.module.prepare(gravity=9.81)
        self.model = model_of(path, free)
        self.data = self.model.createData()
        root = ElementTree.parse(path).getroot()
        self.mimics, self.dampings = mimics(root), dampings(root)

    def column(self, joint):
        """The coordinate of a joint as a factor of one of ours, and an offset."""
        factor, offset = 1.0, 0.0
        while joint in self.mimics:
            joint, by, more = self.mimics[joint]
            factor, offset = factor * by, offset + factor * more
        [name] = self.names[joint]
        return self.order.index(name), factor, offset

    def difference(self, random):
        """The largest relative difference at a state."""
        model, count = self.model, len(self.order)
        q = random.uniform(-2.5, 2.5, count)
        if "base" in self.names:
            q[self.order.index("base_pitch")] *= 0.4
        v, u = random.normal(size=count), np.zeros(count)
        full_q, select = pin.neutral(model), np.zeros((model.nv, count))
        damping = np.zeros(count)
        for number in range(1, model.njoints):
            joint, name = model.joints[number], model.names[number]
            if joint.nv > 1:
                for k, name in enumerate(self.names["base"]):
                    full_q[joint.idx_q + k] = q[self.order.index(name)]
                    select[joint.idx_v + k, self.order.index(name)] = 1
                continue
            at, factor, offset = self.column(name)
            value = factor * q[at] + offset
            full_q[joint.idx_q : joint.idx_q + joint.nq] = [np.cos(value), np.sin(value)] if joint.nq == 2 else value
            select[joint.idx_v, at] = factor
            damping[at] += factor**2 * self.dampings.get(name, 0.0)
            if name not in self.mimics:
                u[at] = random.normal()
        ours = self.acceleration(q, v, self.torques(u))
        torque, full_v = u - damping * v, select @ v
        if model.nv == count:
            theirs = select.T @ pin.aba(model, self.data, full_q, full_v, select @ torque)
        else:
            mass = pin.crba(model, self.data, full_q)
            mass = np.triu(mass) + np.triu(mass, 1).T
            rest = pin.nonLinearEffects(model, self.data, full_q, full_v)
            theirs = np.linalg.solve(select.T @ mass @ select, torque - select.T @ rest)
        return np.max(np.abs(ours - theirs)) / np.max(np.abs(theirs))

    def torques(self, u):
        """The inputs, in our order: one for each coordinate of a joint with one."""
        return np.array([u[at] for at, name in enumerate(self.order) if name not in self.names.get("base", [])])


def pair(program, directory, name):
    """A robot in both libraries."""
    if name in BODIES:
        path = Path(gymnasium.__file__).parent / f"envs/mujoco/assets/{name}.xml"
        return MujocoPair(program, directory, name, path, BODIES[name])
    path, free = ROBOTS[name]
    return PinocchioPair(program, directory, name, Path(pin.__file__).parents[4] / "share/example-robot-data/robots" / path, free)


def main():
    program, directory = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    names = sys.argv[3:] or [*ROBOTS, *BODIES]
    directory.mkdir(parents=True, exist_ok=True)
    # MuJoCo writes its log where it runs.
    os.chdir(directory)
    failed = 0
    print(f"{'robot':<26}{'coordinates':>12}{'operations':>12}{'derivation, s':>15}{'difference':>12}")
    for name in names:
        both = pair(program, directory, name)
        random = np.random.default_rng(7)
        difference = max(both.difference(random) for _ in range(STATES))
        good = difference <= ALLOWED
        failed += not good
        remark = "" if good else "  TOO LARGE"
        print(f"{name:<26}{len(both.order):>12}{both.operations:>12}{both.seconds:>15.2f}{difference:>12.1e}{remark}")
    print(f"{len(names) - failed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
