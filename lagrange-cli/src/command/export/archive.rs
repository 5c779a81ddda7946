//! An archive of files in the format ZIP, without compression: an importing tool unpacks it once.

/// The first of January 1980, the earliest date of the format. The same files give the same archive at every time.
const DATE: u16 = 0x21;
/// The files are stored; names are UTF-8.
const FLAGS: u16 = 0x0800;
/// The version of the format that knows directories.
const VERSION: u16 = 20;
const OF_FILE: u32 = 0x0403_4b50;
const OF_ENTRY: u32 = 0x0201_4b50;
const OF_END: u32 = 0x0605_4b50;

/// The archive of these files, each with its name; `/` separates directories. `None` beyond the sizes of the format, 4 GiB and 65,535 files.
pub(super) fn archive(files: &[(String, Vec<u8>)]) -> Option<Vec<u8>> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for (name, content) in files {
        let start = u32::try_from(bytes.len()).ok()?;
        let size = u32::try_from(content.len()).ok()?;
        let mut about = Vec::new();
        for number in [VERSION, FLAGS, 0, 0, DATE] {
            about.extend(number.to_le_bytes());
        }
        for number in [sum(content), size, size] {
            about.extend(number.to_le_bytes());
        }
        about.extend(u16::try_from(name.len()).ok()?.to_le_bytes());
        // No extra field.
        about.extend([0; 2]);
        bytes.extend(OF_FILE.to_le_bytes());
        bytes.extend(&about);
        bytes.extend(name.bytes());
        bytes.extend(content);
        directory.extend(OF_ENTRY.to_le_bytes());
        directory.extend(VERSION.to_le_bytes());
        directory.extend(&about);
        // No comment, the first disk, no attributes.
        directory.extend([0; 10]);
        directory.extend(start.to_le_bytes());
        directory.extend(name.bytes());
    }
    let (start, size) = (u32::try_from(bytes.len()).ok()?, u32::try_from(directory.len()).ok()?);
    let count = u16::try_from(files.len()).ok()?;
    bytes.extend(directory);
    bytes.extend(OF_END.to_le_bytes());
    bytes.extend([0; 4]);
    bytes.extend([count.to_le_bytes(), count.to_le_bytes()].concat());
    bytes.extend([size.to_le_bytes(), start.to_le_bytes()].concat());
    bytes.extend([0; 2]);
    Some(bytes)
}

/// The cyclic redundancy check of the format: the polynomial 0xedb88320 with its bits in reverse.
fn sum(content: &[u8]) -> u32 {
    let step = |sum: u32| if sum & 1 == 1 { (sum >> 1) ^ 0xedb8_8320 } else { sum >> 1 };
    !content.iter().fold(!0, |sum, byte| (0..8).fold(sum ^ u32::from(*byte), |sum, _| step(sum)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_archive_has_the_sums_and_places_of_its_files() {
        // The check value of this sum: https://reveng.sourceforge.io/crc-catalogue/17plus.htm, CRC-32/ISO-HDLC.
        assert_eq!(sum(b"123456789"), 0xcbf4_3926);
        let files = [("a".to_owned(), b"one".to_vec()), ("b/c".to_owned(), Vec::new())];
        let bytes = archive(&files).expect("small files");
        // Two files with heads of 30 bytes, two entries of 46, and the end of 22.
        assert_eq!(bytes.len(), (30 + 1 + 3) + (30 + 3) + (46 + 1) + (46 + 3) + 22);
        assert_eq!(bytes[bytes.len() - 6..bytes.len() - 2], 67_u32.to_le_bytes(), "the place of the directory");
        let second = &bytes[67 + 47..];
        assert_eq!(second[42..46], 34_u32.to_le_bytes(), "the place of the second file");
    }
}
