//! Study 1: the compound double pendulum.

use super::{Statement, statements};

statements! { 1;
    ENERGIES: "§3.1, equations 14 to 16",
        "The kinetic energy, the potential energy and the Lagrangian of the two rods with the bob.",
        "The energies that the mechanism states agree with the printed ones at every compared state, to rounding.";
    EQUATIONS: "§3.1, equations 17 to 20",
        "Lagrange's equations have the matrix form A x = b with the printed A and b.",
        "The derived mass matrix and forcing are A and b, to rounding; `verify` proves the same when the mechanism is compiled.";
    CRAMER: "§3.1, equation 21",
        "Cramer's rule gives both accelerations.",
        "It gives the accelerations that the derived equations give, to rounding.";
    DRAG: "§3.2, equations 22 to 31",
        "The air acts on an element of a rod with −μ (v·n)³/|v·n|, and its generalised forces add to b.",
        "Where the rods move, the printed integrals give the derived forces. At rest the printed quotient is 0/0: equations 22, 24 and 28 \
         have no value at the paper's own start, where both rods are at rest. The derived equations have −μ |v·n| (v·n), which is 0 there.";
    NO_DRAG: "§3.3",
        "The motion without air is the special case μ = 0, which the program with drag computes.",
        "Both programs agree if the drag is written as −μ |v·n| (v·n). With the printed quotient the case has no value at rest, for μ = 0 as \
         for any other μ: 0 times 0/0 is no number.";
    NO_DRAG_ROUNDING: "§3.3",
        "In double precision μ = 0 still brings in a small, undetermined drag.",
        "The product of 0 and a finite double is exactly 0, so that no drag is left along the motion. The printed quotient at rest gives no \
         small drag either, but no number at all.";
    NO_DRAG_ACCUMULATION: "§3.3",
        "The error of μ = 0 does not accumulate, and does not affect the result seriously.",
        "The two programs round differently, and the difference of the angles grows with time, so that it does accumulate. It stays far below \
         anything that a figure shows, so that the result is not affected.";
    EULER: "§4.1",
        "The Euler and the Euler–Cromer method may accumulate errors until the result is wrong, because the curve in phase space need not be \
         closed.",
        "Euler's energy leaves the pendulum's own range, and that of Euler–Cromer is wrong by more than Verlet's. The reason is the order of \
         the methods and not the shape of the curve: RK4 follows the same curve.";
    VERLET: "§4.1",
        "Verlet's method converges better than both.",
        "Its order is one more than theirs.";
    ERROR_OF_STATES: "§4.3",
        "For different angles and velocities the error of a step differs by several orders of magnitude.",
        "It does from both of the paper's starts, and far more from (180°, 179°).";
    ORDER_4: "§4.3",
        "The Runge–Kutta method of order 4 converges with order 4, and its error in one step is O(h⁵).",
        "The slopes of the measured errors say so, for RK4 as for the propagated solution of RKF45.";
    ORDER_5: "§4.3",
        "A Runge–Kutta method of order 5 has an error of O(h⁶) in one step.",
        "The slope says so for a method of order 5. Nothing in the statement depends on the formula.";
    COEFFICIENTS: "§4.3",
        "The coefficients of the Runge–Kutta–Fehlberg pair.",
        "All of them are those of Fehlberg's report.";
    FACTOR: "§4.3, equation 39",
        "q = |Δ₀/2Δ|^(1/5) = 0.87 |Δ₀/Δ|^(1/5).",
        "(1/2)^(1/5) rounds to 0.87.";
    SINE: "§4.4",
        "In C's library a trigonometric function takes more than a thousand times as long as an addition.",
        "Measured by a clock, a sine takes less than a hundred times as long as an addition.";
    SHARED_SINES: "§4.4",
        "Trigonometric values that are computed once before each evaluation make the program faster.",
        "Equations 19 and 20 call six trigonometric functions with four different values.";
    POWER: "§4.4",
        "A general power may be slower than repeated multiplication.",
        "It is, by a clock; the derived code multiplies.";
    NO_SOLUTION: "§5.1 and §5.2",
        "For general starts the motion has no solution in elementary functions.",
        "A computation can neither confirm nor refute that.";
    PERIOD: "§5.1",
        "With light rods, small equal angles and l = 2 m the pendulum is a simple one: T = 2π√(l/g) = 2.8385 s and f = 0.3523 Hz.",
        "The period and the frequency of the integrated motion round to both.";
    PERIOD_READ: "§5.1, figures 6 and 8",
        "The simulated pendulum's period, read off the curves, is T = 2.84 s.",
        "The periods by Verlet and by RK4 round to it.";
    PEAK: "§5.1, figure 9",
        "The peak of the FFT stands at f = 0.351 Hz.",
        "An FFT shows multiples of the record's inverse. For records of 2¹⁶, 2¹⁷ or 2¹⁸ samples at 1 ms the multiple next to the frequency rounds to \
         0.351 Hz; the paper does not print its record.";
    PEAK_NEAR: "§5.1, figure 9",
        "The peak is close to the theoretical frequency of 0.3523 Hz.",
        "The printed peak misses the frequency by less than a hundredth. Interpolated between the multiples of the record's inverse it stands at \
         the frequency.";
    SINGLE_PEAK: "§5.1, figure 9",
        "The FFT has a single peak whose half width is very small, so that the motion is sinusoidal.",
        "No second line reaches a thousandth of the peak. The peak is as narrow as that of a sinusoid in a record of that length, with Hann's window and \
         without a window; what is left of its width in the figure is leakage, because the record holds no whole number of periods.";
    RK4_MORE_PRECISE: "§5.1",
        "The Runge–Kutta method is the more precise one.",
        "Its energy error is some thousand times smaller.";
    CHAOS: "§5.2, figure 10",
        "From (45°, 0°) the motion may be chaotic.",
        "A deviation of the start grows in proportion to time, as in a quasi-periodic motion; in a chaotic one the growth in 500 s would be about the \
         square of that in 250 s.";
    STRONG_LINES: "§5.2, figure 11",
        "The FFT shows two strong frequencies.",
        "Counted from a fifth of the highest amplitude there are two, in both angles.";
    HARMONICS: "§5.2, figure 11",
        "At high frequencies there are harmonics.",
        "There are lines above both strong ones, and one of them stands at an odd multiple of the first strong frequency.";
    EIGENFREQUENCIES: "§5.2, figure 11",
        "The two strong frequencies are like the two eigenfrequencies of a double pendulum.",
        "There are two as there are two eigenfrequencies. The lower one is within a hundredth of that of small swings; the upper one is lower by more than a \
         quarter, because at 45° the swing is not small.";
    MANY_LINES: "§5.2, figure 11",
        "Near the two strong frequencies there are a great many further frequencies.",
        "Above 0.2 % of the highest line there are a handful. Down to a hundred thousandth there are more; they stand apart, as lines do. An \
         FFT without a window adds the leakage of the strong lines, which fills a figure around its peaks.";
    BECAUSE_OF_RODS: "§5.2, figure 11",
        "The further frequencies appear because this is no ideal double pendulum of point masses.",
        "The ideal double pendulum of two point masses from the same start has such lines too, though fewer: they come from the large angles. The rods change how \
         many there are.";
    BROAD_PEAKS: "§5.2, figure 11",
        "The peaks of the two strong frequencies are broadened.",
        "They are as narrow as those of a sinusoid, in 500 s with Hann's window as in a record of 2¹⁸ samples without a window. The width in the figure is \
         leakage: the record has a finite length and holds no whole number of periods, and a sinusoid shows the same.";
    ORDERS_OF_BOTH: "§5.3",
        "RK4 converges with order 5 and Verlet with order 2.",
        "Verlet's order is 2. That of RK4 is 4, as §4.3 itself has it: 5 is the order of its error in one step, where Verlet has 3.";
    FOUR_TO_FIVE: "§5.3, result 1, figures 12 and 13",
        "Verlet's error of the energy is larger than RK4's by 4 to 5 orders of magnitude.",
        "The ratio of the largest errors in 500 s lies between.";
    VERLET_ACCUMULATES: "§5.3, result 2, figure 12",
        "Verlet's error of the energy clearly accumulates.",
        "After 500 s the energy has moved away by several times the range over which it swings in the first 50 s. RATTLE, which accumulates nothing, does not.";
    DRIFTS: "§5.3, result 2, figures 12 and 13",
        "RK4's accumulated error is smaller by 4 to 5 orders of magnitude.",
        "The ratio of the slopes of the straight lines through the energies lies between.";
    MEAN_STEP: "§5.4, figure 16",
        "With Δ₀ = 10⁻¹⁰ J the mean step from (45°, 0°) is 2.468002 ms.",
        "The printed Δ₀ and q give longer steps. Another measure of the error comes near the printed one: a maximum norm of 10⁻¹¹, within a \
         thousandth if steps with errors above Δ₀ are accepted too. No rule that was tried gives all its digits.";
    STEP_ABOVE: "§5.4",
        "The mean step is longer than 1 ms from both starts.",
        "It is, by the rule with the printed Δ₀ and q.";
    TIMES: "§5.4",
        "The computing times of 500 s are 2.458842 s (RK4) and 1.757877 s (RKF45) from (45°, 0°), 2.480281 s and 3.097844 s from (180°, 179°).",
        "A time says something about a machine, and the paper's is unknown.";
    FASTER: "§5.4",
        "From (45°, 0°) RKF45 needs less time than RK4, 0.715 times as much.",
        "Counted in accelerations and energies it needs less.";
    LESS_ACCURATE: "§5.4, figures 14 and 15",
        "From (45°, 0°) RKF45 is less accurate than RK4, because Δ₀ decides its accuracy and not the motion.",
        "Its energy error is some ten times larger.";
    SLOWER: "§5.4",
        "From (180°, 179°) RKF45 needs more time than RK4, 1.249 times as much.",
        "Counted in accelerations and energies it needs more.";
    SAME_COST: "§5.4",
        "RK4's cost does not depend on the start.",
        "Its number of evaluations is the same from both starts.";
    MEAN_STEP_TOP: "§5.4, figure 19",
        "From (180°, 179°) the mean step is 1.380723 ms.",
        "The motion is chaotic: starts that differ by rounding have mean steps that differ in the second digit, so that no computation gives the printed digits again. \
         The rules with a maximum norm reach it within this spread; that with the printed Δ₀ and q does not.";
    SAME_ACCURACY: "§5.4, figure 18",
        "From (180°, 179°) RKF45's accuracy hardly changes.",
        "Its largest energy error stays within half an order of that from (45°, 0°).";
    JUMPS: "§5.4, figure 18",
        "At extreme states the energy by RKF45 jumps, but the jumps stay within the accuracy.",
        "It jumps. The jumps exceed the accuracy Δ₀ many times, from some starts a hundred times: Δ₀ bounds the difference of two solutions' energies, and \
         the energies of both are off by more than they differ.";
    RK4_LOSES: "§5.4, figure 17",
        "From (180°, 179°) RK4's error is larger by more than 4 orders of magnitude.",
        "The error of a single step is. The largest error of the energy in 500 s, by which the paper compares everything else, grows by less \
         than 4 orders.";
    RK4_ACCUMULATES: "§5.4, figure 17",
        "From (180°, 179°) RK4's errors clearly accumulate.",
        "They do: after 500 s the energy has moved away by many times the largest step, and by more than it swings. RATTLE, which accumulates nothing, does \
         not.";
    NO_ACCUMULATION: "§5.4, and §7, result 2",
        "RKF45 avoids the accumulated errors, and is globally the more accurate in long and extreme motions.",
        "Its largest energy error is smaller than RK4's by two orders.";
    ENERGY_FALLS: "§6, figures 20 and 22",
        "With drag the energy falls throughout.",
        "It never rises from one step to a later one, for both drags.";
    ENVELOPE: "§6, figures 21 and 23",
        "The envelope of the motion shrinks.",
        "The largest angle of each stretch of 50 s is smaller than that of the one before, for both drags.";
    LARGER_DRAG: "§6",
        "The larger the drag, the faster the energy and the envelope fall.",
        "After 500 s both are smaller with μ = 0.1 than with μ = 0.01.";
    SLOW_MOTION: "§6, figure 23",
        "Slow motion is hardly affected by the drag and is close to that without air.",
        "The share of the energy that a stretch of 50 s loses is several times smaller at the end than at the start.";
    VERLET_LIMITS: "§7, result 1",
        "In long or extreme motions RK4 is more accurate than Verlet and accumulates far less error.",
        "From (180°, 179°) Verlet's largest energy error is larger by three orders or more.";
    TENDS_TO_REST: "§7, result 3",
        "With drag the energy falls ever more slowly towards the energy at rest, and its rate tends to 0.",
        "Each stretch of 50 s loses less than the one before, and the energy above rest falls like a power of time, whose exponent goes towards −2: it tends to 0 \
         as its rate does, and reaches 0 at no time.";
}
