"""A robot of MJCF, and MuJoCo's model of it."""

import mujoco
import numpy as np
from imported import Imported

# The step along the imaginary axis by which a function is differentiated: without cancellation, any tiny number serves.
TINY = 1e-30


def turning(angles, rates):
    """The angular velocity in the body, with yaw, pitch and roll: R = R_z R_y R_x."""
    (_, pitch, roll), (yaw_rate, pitch_rate, roll_rate) = angles, rates
    return np.array([
        roll_rate - yaw_rate * np.sin(pitch),
        pitch_rate * np.cos(roll) + yaw_rate * np.cos(pitch) * np.sin(roll),
        yaw_rate * np.cos(pitch) * np.cos(roll) - pitch_rate * np.sin(roll),
    ])


def quaternion(yaw, pitch, roll):
    result = np.zeros(4)
    mujoco.mju_euler2Quat(result, np.array([yaw, pitch, roll]), "zyx")
    return result


class MujocoPair(Imported):
    """Accelerations of MuJoCo: M a = torques + actuators at no control + passive forces - bias, without contacts, limits and tendons."""

    def __init__(self, program, directory, name, path, leave_out):
        options = [word for what in leave_out for word in ("--leave-out", what)]
        super().__init__(program, directory, name, path, options)
        self.model = mujoco.MjModel.from_xml_path(str(path))
        if "actuator" in leave_out:
            # Their armature and damping, too.
            spec = mujoco.MjSpec.from_file(str(path))
            for actuator in spec.actuators:
                spec.delete(actuator)
            self.model = spec.compile()
        falls = not self.model.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_GRAVITY
        gravity = falls * self.model.opt.gravity
        upright = "gravity" in self.module.PARAMETERS
        values = {"gravity": -gravity[2]} if upright else {f"gravity_{k}": gravity[k] for k in range(3)}
        self.prepared = self.module.prepare(**values)
        self.model.opt.density = self.model.opt.viscosity = 0
        self.model.dof_frictionloss[:] = 0
        self.data = mujoco.MjData(self.model)

    def joints(self):
        """The joints in our order, each with its coordinates there."""
        return [(self.model.joint(number), self.names_of(number)) for number in range(self.model.njnt)]

    def names_of(self, number):
        """The coordinates of a joint: by its name, or, without one, by its place, which is the same in both."""
        name = self.model.joint(number).name
        return self.names[name] if name else list(self.names.values())[number]

    def difference(self, random):
        """The largest relative difference at a state."""
        count = len(self.order)
        q, v, u = random.uniform(-2.5, 2.5, count), random.normal(size=count), random.normal(size=count)
        driven, applied = [], np.zeros(self.model.nv)
        for joint, names in self.joints():
            at = [self.order.index(name) for name in names]
            place, dof = joint.qposadr[0], joint.dofadr[0]
            if len(at) > 1:
                # A ball joint has three angles, a free one a shift before them.
                shift, angles = at[:-3], at[-3:]
                q[angles[1]] *= 0.4
                self.data.qpos[place : place + len(at) + 1] = [*q[shift], *quaternion(*q[angles])]
                self.data.qvel[dof : dof + len(at)] = [*v[shift], *turning(q[angles], v[angles])]
            else:
                self.data.qpos[place], self.data.qvel[dof] = q[at[0]], v[at[0]]
                applied[dof] = u[at[0]]
                driven.append(at[0])
        mujoco.mj_forward(self.model, self.data)
        mass = np.zeros((self.model.nv, self.model.nv))
        for row, unit in zip(mass, np.eye(self.model.nv)):
            mujoco.mj_mulM(self.model, self.data, row, unit)
        force = applied + self.data.qfrc_actuator + self.data.qfrc_passive - self.data.qfrc_bias
        theirs = np.linalg.solve(mass, force)
        ours, a = np.zeros(self.model.nv), self.acceleration(q, v, u[sorted(driven)])
        for joint, names in self.joints():
            at, dof = [self.order.index(name) for name in names], joint.dofadr[0]
            if len(at) > 1:
                shift, angles = at[:-3], at[-3:]
                ahead = turning(q[angles] + 1j * TINY * v[angles], v[angles] + 1j * TINY * a[angles])
                ours[dof : dof + len(at)] = [*a[shift], *(ahead.imag / TINY)]
            else:
                ours[dof] = a[at[0]]
        return np.max(np.abs(ours - theirs)) / np.max(np.abs(theirs))
