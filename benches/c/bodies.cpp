// A tree of bodies of `benches/src/tree.rs` in Pinocchio: nanoseconds of an acceleration (the faster one of its two conventions), of all its derivatives
// by q, v and the torques, and of inverse dynamics. The first line has the accelerations.
//
// Arguments: whether the base is free (0 or 1), then `parent:axis:x:y:z` for each joint, with the place of the joint in its parent (-1: the base or the
// ground). The accelerations of a free base are those of three prismatic and three revolute joints, which have the coordinates of the compared program. The times
// are those of a free-flyer, after a check that both have the same accelerations of the other joints.
#include <pinocchio/fwd.hpp>
#include <pinocchio/multibody.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/kinematics.hpp>
#include <pinocchio/algorithm/rnea.hpp>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

using namespace pinocchio;

struct Link {
    int parent;
    char axis;
    double x, y, z;
};

static double spread(int k) { return double((k * 7919 + 13) % 101) / 101.0; }

static Inertia body(int i) {
    Eigen::Vector3d centre;
    Eigen::Matrix3d inertia;
    for (int a = 0; a < 3; ++a) {
        centre[a] = 0.1 * spread(3 * i + a + 7) + (a == 2 ? 0.1 : 0.0);
        for (int b = 0; b < 3; ++b)
            inertia(a, b) = a == b ? 0.1 + 0.05 * spread(i * 3 + a) : 0.01 * (spread(i * 5 + a + b) - 0.5);
    }
    return Inertia(1.0 + spread(i), centre, inertia);
}

static JointIndex revolute(Model &model, JointIndex parent, char axis, const SE3 &place, const std::string &name) {
    switch (axis) {
    case 'z': return model.addJoint(parent, JointModelRZ(), place, name);
    case 'y': return model.addJoint(parent, JointModelRY(), place, name);
    default: return model.addJoint(parent, JointModelRX(), place, name);
    }
}

static Model tree(const std::vector<Link> &joints, bool is_free, bool has_flyer) {
    Model model;
    JointIndex base = 0;
    if (is_free && has_flyer) {
        base = model.addJoint(0, JointModelFreeFlyer(), SE3::Identity(), "base");
    } else if (is_free) {
        base = model.addJoint(base, JointModelPX(), SE3::Identity(), "base_x");
        base = model.addJoint(base, JointModelPY(), SE3::Identity(), "base_y");
        base = model.addJoint(base, JointModelPZ(), SE3::Identity(), "base_z");
        for (char axis : {'z', 'y', 'x'}) base = revolute(model, base, axis, SE3::Identity(), std::string("turn_") + axis);
    }
    if (is_free) model.appendBodyToJoint(base, body(0), SE3::Identity());
    std::vector<JointIndex> indices;
    for (size_t k = 0; k < joints.size(); ++k) {
        const Link &joint = joints[k];
        SE3 place = SE3::Identity();
        place.translation() << joint.x, joint.y, joint.z;
        JointIndex parent = joint.parent < 0 ? base : indices[joint.parent];
        indices.push_back(revolute(model, parent, joint.axis, place, "q" + std::to_string(k)));
        model.appendBodyToJoint(indices.back(), body(int(k) + is_free), SE3::Identity());
    }
    model.gravity.linear() << 0, 0, -9.81;
    return model;
}

int main(int count, char **arguments) {
    bool is_free = std::atoi(arguments[1]);
    std::vector<Link> joints;
    for (int k = 2; k < count; ++k) {
        Link joint;
        std::sscanf(arguments[k], "%d:%c:%lf:%lf:%lf", &joint.parent, &joint.axis, &joint.x, &joint.y, &joint.z);
        joints.push_back(joint);
    }
    Model by_angles = tree(joints, is_free, false), model = tree(joints, is_free, true);
    Data first(by_angles), data(model);
    int n = by_angles.nv, driven = int(joints.size());
    Eigen::VectorXd q(n), v(n), u = Eigen::VectorXd::Zero(n);
    for (int i = 0; i < n; ++i) {
        q[i] = 0.3 + 0.7 * std::sin(i);
        v[i] = 0.5 * std::cos(1.3 * i);
    }
    for (int i = 0; i < driven; ++i) u[n - driven + i] = 0.2 * i;
    aba(by_angles, first, q, v, u, Convention::LOCAL);
    for (int i = 0; i < n; ++i) std::printf("%.12e ", first.ddq[i]);
    std::printf("\n");
    if (is_free) {
        forwardKinematics(by_angles, first, q, v);
        Eigen::VectorXd place(model.nq), rate = v;
        Eigen::Quaterniond turn(first.oMi[6].rotation());
        place << first.oMi[6].translation(), turn.coeffs(), q.tail(driven);
        rate.head(6) = first.v[6].toVector();
        q = place;
        v = rate;
    }
    aba(model, data, q, v, u, Convention::LOCAL);
    double difference = (data.ddq - first.ddq).tail(driven).cwiseAbs().maxCoeff();
    if (!(difference < 1e-9 * first.ddq.cwiseAbs().maxCoeff())) {
        std::fprintf(stderr, "the free-flyer differs by %g\n", difference);
        return 1;
    }
    auto time = [&](auto work) {
        double best = INFINITY;
        for (int round = 0; round < 20; ++round) {
            Eigen::VectorXd at = q;
            int count = 2000;
            auto start = std::chrono::steady_clock::now();
            for (int k = 0; k < count; ++k) at[0] += 1e-9 * work(at);
            std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
            best = std::min(best, taken.count() * 1e9 / count);
        }
        return best;
    };
    double local = time([&](auto &at) { return aba(model, data, at, v, u, Convention::LOCAL)[0]; });
    double world = time([&](auto &at) { return aba(model, data, at, v, u, Convention::WORLD)[0]; });
    double derivatives = time([&](auto &at) {
        computeABADerivatives(model, data, at, v, u);
        return data.ddq_dq(0, 0);
    });
    Eigen::VectorXd a = 0.2 * Eigen::VectorXd::LinSpaced(n, 0, n - 1);
    double inverse = time([&](auto &at) { return rnea(model, data, at, v, a)[0]; });
    std::printf("%.1f %.1f %.1f\n", std::min(local, world), derivatives, inverse);
}
