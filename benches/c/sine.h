/* A sine and a cosine without branches: reduction by n pi/2 in two parts, one polynomial each on |r| <= pi/4, and selection by the
 * bits of n. The coefficients are those of S. Moshier's Cephes library. */
#include <stdint.h>
#include <string.h>

static inline void sine_cosine(double x, double *sine, double *cosine) {
    const double rounder = 6755399441055744.0;
    double shifted = x * 0.63661977236758134308 + rounder, n = shifted - rounder;
    uint64_t quadrant, s_bits, c_bits;
    memcpy(&quadrant, &shifted, sizeof quadrant);
    double r = (x - n * 1.5707963267948966) - n * 6.123233995736766e-17, z = r * r;
    double s = ((((-1.589543326117556e-10 * z + 2.505073438876572e-08) * z - 2.7557313538511384e-06) * z
            + 0.00019841269829358522) * z - 0.00833333333332184) * z + 0.1666666666666663;
    double c = ((((-1.1358740993056218e-11 * z + 2.0875705255291506e-09) * z - 2.755731421616792e-07) * z
            + 2.480158728899978e-05) * z - 0.001388888888887334) * z + 0.041666666666666595;
    s = r - r * z * s;
    c = 1 - 0.5 * z + z * z * c;
    memcpy(&s_bits, &s, sizeof s_bits);
    memcpy(&c_bits, &c, sizeof c_bits);
    uint64_t exchange = (s_bits ^ c_bits) & -(quadrant & 1);
    s_bits = (s_bits ^ exchange) ^ ((quadrant & 2) << 62);
    c_bits = (c_bits ^ exchange) ^ (((quadrant + 1) & 2) << 62);
    memcpy(sine, &s_bits, sizeof s_bits);
    memcpy(cosine, &c_bits, sizeof c_bits);
}
