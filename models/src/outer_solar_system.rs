//! The outer solar system.

use lagrange_runtime::prelude::*;

/// The Sun (with the inner planets), Jupiter, Saturn, Uranus, Neptune and Pluto, each drawn to each. Masses relative to the Sun's,
/// lengths in astronomical units, time in days.
///
/// Known quantities: energy, total momentum and total angular momentum are constant. [`OuterSolarSystem::after_20_000_days`] was
/// computed in 36 digits by a program of its own. Source of the data: E. Hairer, C. Lubich, G. Wanner, *Geometric Numerical
/// Integration*, 2nd ed., I.2.4, table 2.2, after *Ahnerts Kalender für Sternfreunde 1994*: 5 September 1994, 0 h.
#[lagrangian {
    units time = d;
    coordinates r[6][3]: AU;

    kinetic   = sum(i in 0..6, m[i]*norm2(dot(r[i])))/2;
    potential = -g*sum(i in 1..6, sum(j in 0..i, m[i]*m[j]/norm(r[i] - r[j])));

    invariant total: Msun*AU^2/d^2 = energy;
    invariant drift: Msun*AU/d = sum(i in 0..6, m[i]*dot(r[i]));
    invariant spin: Msun*AU^2/d = sum(i in 0..6, m[i]*cross(r[i], dot(r[i])));

    output body[i in 0..6]: AU = r[i];
}]
#[derive(Clone, Debug, PartialEq)]
pub struct OuterSolarSystem {
    /// Masses, the Sun's first, in the order of the distances from it.
    #[unit(Msun)]
    pub m: [f64; 6],
    /// Gravitational constant.
    #[unit(AU^3/(d^2*Msun))]
    pub g: f64,
}

/// The published masses.
impl Default for OuterSolarSystem {
    fn default() -> Self {
        Self {
            m: [
                1.000_005_976_82,
                0.000_954_786_104_043,
                0.000_285_583_733_151,
                0.000_043_727_316_454_6,
                0.000_051_775_913_844_9,
                1.0 / 1.3e8,
            ],
            g: 2.959_122_082_86e-4,
        }
    }
}

impl OuterSolarSystem {
    /// The published positions and velocities.
    #[rustfmt::skip]
    pub fn on_5_september_1994() -> State<f64, 18> {
        State::new(
            0.0,
            [
                0.0, 0.0, 0.0, // the Sun
                -3.502_365_3, -3.816_984_7, -1.550_796_3, // Jupiter
                9.075_531_4, -3.045_835_3, -1.648_370_8, // Saturn
                8.310_142_0, -16.290_108_6, -7.252_127_8, // Uranus
                11.470_766_6, -25.729_482_9, -10.816_945_6, // Neptune
                -15.538_735_7, -25.222_559_4, -3.190_238_2, // Pluto
            ],
            [
                0.0, 0.0, 0.0,
                0.005_654_29, -0.004_124_90, -0.001_905_89,
                0.001_683_18, 0.004_835_25, 0.001_924_62,
                0.003_541_78, 0.001_371_02, 0.000_550_29,
                0.002_889_30, 0.001_145_27, 0.000_396_77,
                0.002_767_25, -0.001_707_02, -0.001_365_04,
            ],
        )
    }

    /// The state 20 000 days later: Störmer's method extrapolated in steps of 100 days to order 28, in 36 digits.
    #[rustfmt::skip]
    pub fn after_20_000_days() -> State<f64, 18> {
        State::new(
            20_000.0,
            [
                0.123_332_212_414_226_8, -0.058_616_808_987_360_33, -0.028_723_538_220_436_225,
                -0.771_778_371_878_183_1, 4.610_553_890_044_759, 1.994_233_730_131_660_8,
                3.905_129_228_943_534, -8.565_631_984_033_054, -3.706_141_337_200_349,
                -17.492_834_464_533_91, 4.343_534_522_694_276, 2.148_260_692_500_113,
                18.051_465_002_804_88, 22.146_025_676_860_077, 8.613_482_003_039_68,
                37.285_949_448_705_71, -10.728_138_680_006_204, -14.554_583_801_118_437,
            ],
            [
                1.215_360_810_896_040_1e-05, -2.035_851_983_821_677_3e-06, -1.159_628_992_553_581_8e-06,
                -0.007_523_187_121_658_664, -0.000_950_471_566_677_578_9, -0.000_224_315_281_980_971_66,
                0.004_869_814_448_954_702, 0.002_011_447_885_244_103_3, 0.000_621_150_016_196_076_9,
                -0.001_077_448_028_672_503_8, -0.003_648_047_365_938_506, -0.001_582_568_537_296_269_9,
                -0.002_519_836_985_931_469_4, 0.001_740_845_238_354_981_8, 0.000_775_196_252_874_776_9,
                0.001_439_617_242_863_6, 0.002_172_144_522_421_196, 0.000_245_522_914_626_593_2,
            ],
        )
    }
}
