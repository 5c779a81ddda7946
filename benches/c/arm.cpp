// The arm of `benches/src/arm.rs` in Pinocchio: nanoseconds of an acceleration (the faster one of its two conventions), of all its derivatives
// by q, v and the torques, and of inverse dynamics. The first line has the accelerations.
#include <pinocchio/fwd.hpp>
#include <pinocchio/multibody.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/rnea.hpp>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

using namespace pinocchio;

static double spread(int k) { return double((k * 7919 + 13) % 101) / 101.0; }

int main(int, char **arguments) {
    int n = std::atoi(arguments[1]);
    Model model;
    JointIndex parent = 0;
    double before = 0;
    for (int i = 0; i < n; ++i) {
        SE3 placement = SE3::Identity();
        placement.translation() << 0, 0, before;
        std::string name = "q" + std::to_string(i);
        JointIndex joint;
        switch ("zyyxyx"[i % 6]) {
        case 'z': joint = model.addJoint(parent, JointModelRZ(), placement, name); break;
        case 'y': joint = model.addJoint(parent, JointModelRY(), placement, name); break;
        default: joint = model.addJoint(parent, JointModelRX(), placement, name);
        }
        Eigen::Vector3d centre;
        Eigen::Matrix3d inertia;
        for (int a = 0; a < 3; ++a) {
            centre[a] = 0.1 * spread(3 * i + a + 7) + (a == 2 ? 0.1 : 0.0);
            for (int b = 0; b < 3; ++b)
                inertia(a, b) = a == b ? 0.1 + 0.05 * spread(i * 3 + a) : 0.01 * (spread(i * 5 + a + b) - 0.5);
        }
        model.appendBodyToJoint(joint, Inertia(1.0 + spread(i), centre, inertia), SE3::Identity());
        before = 0.3 + 0.2 * spread(i + 50);
        parent = joint;
    }
    model.gravity.linear() << 0, 0, -9.81;
    Data data(model);
    Eigen::VectorXd q(n), v(n), u(n);
    for (int i = 0; i < n; ++i) {
        q[i] = 0.3 + 0.7 * std::sin(i);
        v[i] = 0.5 * std::cos(1.3 * i);
        u[i] = 0.2 * i;
    }
    aba(model, data, q, v, u, Convention::LOCAL);
    for (int i = 0; i < n; ++i) std::printf("%.12e ", data.ddq[i]);
    std::printf("\n");
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
    double inverse = time([&](auto &at) { return rnea(model, data, at, v, u)[0]; });
    std::printf("%.1f %.1f %.1f\n", std::min(local, world), derivatives, inverse);
}
