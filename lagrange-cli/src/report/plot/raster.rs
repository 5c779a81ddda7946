//! Pictures of coloured cells, as PNG.

/// Cells of at most 256 colours, row by row from the top.
#[derive(Clone, Debug)]
pub struct Raster {
    /// The number of cells in a row.
    pub columns: u32,
    /// The number of rows.
    pub rows: u32,
    /// The index of each cell's colour.
    pub cells: Vec<u8>,
    /// The colours, as red, green and blue. There is one at least, and 256 at most.
    pub palette: Vec<[u8; 3]>,
}

impl Raster {
    /// Returns the colour of the cell in this column and row, or `None` outside.
    pub fn colour(&self, column: u32, row: u32) -> Option<[u8; 3]> {
        if column >= self.columns {
            return None;
        }
        let cell = self.cells.get(row as usize * self.columns as usize + column as usize)?;
        self.palette.get(usize::from(*cell)).copied()
    }

    /// Returns the bytes of a PNG file, in which each cell is a dot. They are not compressed.
    pub fn png(&self) -> Vec<u8> {
        let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
        // Eight bits for each dot, which are an index of the palette.
        let mut header = [self.columns.to_be_bytes(), self.rows.to_be_bytes()].concat();
        header.extend([8, 3, 0, 0, 0]);
        chunk(*b"IHDR", &header, &mut out);
        chunk(*b"PLTE", &self.palette.concat(), &mut out);
        let mut lines = Vec::with_capacity(self.cells.len() + self.rows as usize);
        for row in self.cells.chunks(self.columns.max(1) as usize) {
            // The filter of the line: none.
            lines.push(0);
            lines.extend_from_slice(row);
        }
        chunk(*b"IDAT", &zlib(&lines), &mut out);
        chunk(*b"IEND", &[], &mut out);
        out
    }
}

/// Appends a chunk of a PNG file.
fn chunk(kind: [u8; 4], data: &[u8], out: &mut Vec<u8>) {
    out.extend((data.len() as u32).to_be_bytes());
    let start = out.len();
    out.extend(kind);
    out.extend_from_slice(data);
    let sum = crc32(&out[start..]);
    out.extend(sum.to_be_bytes());
}

/// The check sum of a chunk.
fn crc32(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut index = 0;
        while index < 256 {
            let mut value = index as u32;
            let mut bit = 0;
            while bit < 8 {
                value = if value & 1 == 1 { 0xedb8_8320 ^ (value >> 1) } else { value >> 1 };
                bit += 1;
            }
            table[index] = value;
            index += 1;
        }
        table
    };
    !bytes.iter().fold(!0, |sum: u32, byte| TABLE[usize::from(sum as u8 ^ byte)] ^ (sum >> 8))
}

/// Wraps bytes into the format of zlib, in blocks that are stored as they are.
fn zlib(bytes: &[u8]) -> Vec<u8> {
    const BLOCK: usize = 0xffff;
    let mut out = vec![0x78, 0x01];
    let count = bytes.len().div_ceil(BLOCK).max(1);
    for index in 0..count {
        let block = &bytes[index * BLOCK..bytes.len().min((index + 1) * BLOCK)];
        let length = block.len() as u16;
        out.push(u8::from(index + 1 == count));
        out.extend(length.to_le_bytes());
        out.extend((!length).to_le_bytes());
        out.extend_from_slice(block);
    }
    let (low, high) = bytes.iter().fold((1, 0), |(low, high), byte| {
        let low = (low + u32::from(*byte)) % 65521;
        (low, (high + low) % 65521)
    });
    out.extend((high << 16 | low).to_be_bytes());
    out
}

/// Returns bytes as text in base 64.
pub(super) fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let at = |index: usize| u32::from(three.get(index).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for place in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * place)) as usize & 63];
            text.push(if place <= three.len() { char::from(digit) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sums_and_digits_are_those_of_their_standards() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        assert_eq!(zlib(b"Wikipedia")[16..], 0x11e6_0398_u32.to_be_bytes());
        assert_eq!(
            ["", "f", "fo", "foo", "foob"].map(|text| base64(text.as_bytes())),
            ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg=="]
        );
    }

    /// A decoder of others reads the file, also where its data have more than one block.
    #[cfg(feature = "png")]
    #[test]
    fn a_decoder_reads_every_cell() {
        let (columns, rows) = (300, 301);
        let cells: Vec<u8> = (0..columns * rows).map(|index| (index % 7) as u8).collect();
        let palette: Vec<[u8; 3]> = (0..7).map(|index| [index, 2 * index, 255 - index]).collect();
        let raster = Raster { columns, rows, cells, palette };
        let dots = resvg::tiny_skia::Pixmap::decode_png(&raster.png()).expect("it is a PNG");
        assert_eq!((dots.width(), dots.height()), (columns, rows));
        for (column, row) in [(0, 0), (299, 0), (1, 300), (299, 300), (17, 221)] {
            let dot = dots.pixel(column, row).map(|dot| [dot.red(), dot.green(), dot.blue()]);
            assert_eq!(dot, raster.colour(column, row));
        }
    }
}
