//! The colours of a map.

/// Returns the colour of a fraction between 0 and 1, as red, green and blue.
///
/// The colours are those of the map *viridis* of Matplotlib (S. van der Walt, N. Smith, 2015), by a polynomial of degree 6. Equal
/// differences of the fraction look equally different, also to readers who do not tell red from green, and in print.
pub(super) fn viridis(fraction: f64) -> [u8; 3] {
    const COEFFICIENTS: [[f64; 3]; 7] = [
        [0.277_727_327_223_418, 0.005_407_344_544_967, 0.334_099_805_335_306],
        [0.105_093_043_108_577, 1.404_613_529_898_575, 1.384_590_162_594_685],
        [-0.330_861_828_725_556, 0.214_847_559_468_213, 0.095_095_163_028_237],
        [-4.634_230_498_983_486, -5.799_100_973_351_585, -19.332_440_956_279_87],
        [6.228_269_936_347_081, 14.179_933_366_805_09, 56.690_552_600_681_05],
        [4.776_384_997_670_288, -13.745_145_377_746_01, -65.353_032_633_372_34],
        [-5.435_455_855_934_631, 4.645_852_612_178_535, 26.312_435_249_583_2],
    ];
    let x = fraction.clamp(0.0, 1.0);
    std::array::from_fn(|channel| {
        let value = COEFFICIENTS.iter().rev().fold(0.0, |sum, power| sum * x + power[channel]);
        (255.0 * value.clamp(0.0, 1.0)).round() as u8
    })
}

/// Returns the colour of a fraction between 0 and 1 on the way from a light to a dark blue.
pub(super) fn blues(fraction: f64) -> [u8; 3] {
    const ENDS: [[f64; 3]; 2] = [[143.0, 180.0, 227.0], [11.0, 31.0, 77.0]];
    let x = fraction.clamp(0.0, 1.0);
    std::array::from_fn(|channel| (ENDS[0][channel] * (1.0 - x) + ENDS[1][channel] * x).round() as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// CIE L*a*b* of a colour of sRGB, under D65.
    fn lab(colour: [u8; 3]) -> [f64; 3] {
        let linear = colour.map(|value| {
            let value = f64::from(value) / 255.0;
            if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        });
        let sum = |row: [f64; 3]| row.iter().zip(linear).map(|(a, b)| a * b).sum::<f64>();
        let [x, y, z] = [
            sum([0.4124, 0.3576, 0.1805]) / 0.9505,
            sum([0.2126, 0.7152, 0.0722]),
            sum([0.0193, 0.1192, 0.9505]) / 1.089,
        ]
        .map(f64::cbrt);
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    #[test]
    fn equal_differences_look_equal_and_the_lightness_increases() {
        let colours: Vec<[f64; 3]> = (0..=16).map(|index| lab(viridis(f64::from(index) / 16.0))).collect();
        assert!(colours.windows(2).all(|pair| pair[1][0] > pair[0][0] + 3.0), "{colours:?}");
        let distance = |pair: &[[f64; 3]]| (0..3).map(|i| (pair[1][i] - pair[0][i]).powi(2)).sum::<f64>().sqrt();
        let distances: Vec<f64> = colours.windows(2).map(distance).collect();
        let mean = distances.iter().sum::<f64>() / 16.0;
        assert!(distances.iter().all(|distance| (0.5..2.0).contains(&(distance / mean))), "{distances:?}");
        assert_eq!(viridis(f64::NAN).len(), 3);
        assert!(colours[0][0] < 20.0 && colours[16][0] > 88.0);
    }
}
