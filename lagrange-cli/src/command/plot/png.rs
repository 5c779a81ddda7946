//! Figures of dots.

use crate::command::Failure;
use crate::report::plot::{Cells, Drawing};
use resvg::{tiny_skia, usvg};
use std::sync::Arc;

/// The dots in a unit of the SVG.
const SCALE: f32 = 2.0;

/// Families without serifs, of which the first that the system has is taken.
const FAMILIES: [&str; 7] =
    ["DejaVu Sans", "Liberation Sans", "Noto Sans", "Arial", "Helvetica Neue", "Helvetica", "Segoe UI"];

/// Draws a picture on white, and returns the bytes of a PNG file.
///
/// # Errors
/// [`Failure::Work`] where the system has no font for the labels, or the figure is too large.
pub(super) fn draw(drawing: &Drawing) -> Result<Vec<u8>, Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure::Work(format!("cannot draw the figure as PNG: {error}"));
    let mut options = usvg::Options::default();
    let fonts = Arc::make_mut(&mut options.fontdb);
    fonts.load_system_fonts();
    let Some(family) = family(fonts) else {
        return Err(Failure::Work(
            "no font is installed, so a PNG would have no labels; install one, or write an .svg file".to_owned(),
        ));
    };
    fonts.set_sans_serif_family(family);
    let tree = usvg::Tree::from_str(&drawing.svg, &options).map_err(|error| failed(&error))?;
    let size = tree.size();
    let [width, height] = [size.width(), size.height()].map(|length| (length * SCALE).ceil() as u32);
    let mut dots = tiny_skia::Pixmap::new(width, height).ok_or_else(|| failed(&"it is too large"))?;
    dots.fill(tiny_skia::Color::WHITE);
    resvg::render(&tree, tiny_skia::Transform::from_scale(SCALE, SCALE), &mut dots.as_mut());
    // The library is built without the formats of embedded pictures.
    if let Some(cells) = &drawing.cells {
        paint(cells, &mut dots);
    }
    dots.encode_png().map_err(|error| failed(&error))
}

/// Paints the cells of a picture. A dot has the colour of the cell in which its middle is.
fn paint(Cells { raster, corner, size }: &Cells, dots: &mut tiny_skia::Pixmap) {
    let counts = [raster.columns, raster.rows];
    let width = dots.width() as usize;
    for (index, dot) in dots.pixels_mut().iter_mut().enumerate() {
        let place = [index % width, index / width].map(|place| (place as f64 + 0.5) / f64::from(SCALE));
        let [column, row] = [0, 1].map(|axis| f64::from(counts[axis]) * (place[axis] - corner[axis]) / size[axis]);
        if column < 0.0 || row < 0.0 {
            continue;
        }
        let colour = raster.colour(column as u32, row as u32);
        let colour =
            colour.and_then(|[red, green, blue]| tiny_skia::PremultipliedColorU8::from_rgba(red, green, blue, 255));
        if let Some(colour) = colour {
            *dot = colour;
        }
    }
}

/// The family for the labels.
fn family(fonts: &usvg::fontdb::Database) -> Option<String> {
    let has = |name: &str| fonts.faces().any(|face| face.families.iter().any(|(family, _)| family == name));
    let known = FAMILIES.iter().find(|name| has(name)).map(|name| (*name).to_owned());
    known.or_else(|| fonts.faces().find_map(|face| face.families.first().map(|(family, _)| family.clone())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::plot::Raster;

    #[test]
    fn a_figure_has_its_curve_and_its_label_on_white() {
        let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100\" height=\"40\" viewBox=\"0 0 100 40\">\
                   <style>text{font:13px system-ui,sans-serif}.c1{stroke:#ff0000;stroke-width:4}</style>\
                   <path class=\"c1\" d=\"M0 35H100\"/><text x=\"10\" y=\"20\">label</text></svg>";
        // Two cells in the upper right corner, the left one blue and the right one green.
        let raster = Raster { columns: 2, rows: 1, cells: vec![1, 0], palette: vec![[0, 255, 0], [0, 0, 255]] };
        let cells = Some(Cells { raster, corner: [80.0, 0.0], size: [20.0, 10.0] });
        let png = draw(&Drawing { svg: svg.to_owned(), cells }).expect("the system has a font");
        let dots = tiny_skia::Pixmap::decode_png(&png).expect("it is a PNG");
        assert_eq!((dots.width(), dots.height()), (200, 80));
        let at = |x, y| dots.pixel(x, y).map(|dot| (dot.red(), dot.green(), dot.blue()));
        assert_eq!(at(100, 70), Some((255, 0, 0)), "the curve");
        assert_eq!(at(1, 1), Some((255, 255, 255)), "the ground");
        assert_eq!([at(161, 1), at(178, 18), at(199, 0)], [Some((0, 0, 255)), Some((0, 0, 255)), Some((0, 255, 0))]);
        assert_eq!(at(170, 21), Some((255, 255, 255)), "below the cells");
        let dark = (0..60).any(|y| (0..200).any(|x| at(x, y).is_some_and(|(red, ..)| red < 128)));
        assert!(dark, "the label");
    }
}
