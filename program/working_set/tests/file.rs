//! The file of a working set: what is damaged is refused, and nothing is believed before it is there.

use std::sync::LazyLock;

use crate::common::{captured, options, program, replayed};
use proptest::prelude::*;
use tracewright_working_set::{Error, WorkingSet, file};

static WORKING_SET: LazyLock<WorkingSet> =
    LazyLock::new(|| captured(&program("rv32imac-words"), &options()).0.working_set);

static FILE: LazyLock<Vec<u8>> =
    LazyLock::new(|| file::write(&WORKING_SET).expect("a small working set"));

/// The file of these contents, with a checksum that is right.
fn file_of(contents: &[u8]) -> Vec<u8> {
    let mut file = b"WSET\x01\0\0\0".to_vec();
    let packed = zstd::bulk::compress(contents, 1).expect("zstd");
    file.extend(crc32fast::hash(&packed).to_le_bytes());
    file.extend((contents.len() as u32).to_le_bytes());
    file.extend(packed);
    file
}

fn contents() -> Vec<u8> {
    zstd::stream::decode_all(&FILE[16..]).expect("zstd")
}

#[test]
fn every_part_of_the_header_is_checked() {
    assert!(file::read(&FILE).expect("a sound file") == *WORKING_SET);
    for length in 0..FILE.len() {
        assert!(file::read(&FILE[..length]).is_err(), "{length} bytes");
    }
    for (place, what) in [
        (0, "magic number"),
        (4, "version"),
        (5, "header"),
        (8, "checksum"),
        (12, "size of the contents"),
    ] {
        let mut damaged = FILE.clone();
        damaged[place] ^= 0x11;
        let error = file::read(&damaged).expect_err("a damaged header").to_string();
        assert!(error.starts_with(what), "{error}");
    }
    let mut longer = FILE.clone();
    longer.push(0);
    let error = file::read(&longer).expect_err("a byte too many").to_string();
    assert!(error.starts_with("checksum"), "{error}");
    let crc = crc32fast::hash(&longer[16..]);
    longer[8..12].copy_from_slice(&crc.to_le_bytes());
    let error = file::read(&longer).expect_err("a byte too many").to_string();
    assert_eq!(error, format!("file at byte {}: expected its end, found 1 more bytes", FILE.len()));
    let mut huge = FILE.clone();
    huge[12..16].copy_from_slice(&u32::MAX.to_le_bytes());
    let error = file::read(&huge).expect_err("4 GB of contents").to_string();
    assert!(error.contains("at most 1073741824 bytes"), "{error}");
}

/// A bomb: the frame holds more than the header says.
#[test]
fn more_contents_than_declared_are_not_unpacked() {
    let mut file = file_of(&vec![0; 1 << 26]);
    file[12..16].copy_from_slice(&100u32.to_le_bytes());
    let error = file::read(&file).expect_err("a bomb").to_string();
    assert_eq!(error, "size of the contents at byte 12: expected 100 bytes, found more");
}

#[test]
fn declared_sizes_are_held_against_what_is_there() {
    let mut some = contents();
    some.truncate(60);
    some.extend([0xff; 8]);
    some.push(0x0f);
    assert!(matches!(file::read(&file_of(&some)), Err(Error::Format { .. })));
}

#[test]
fn the_documentation_has_the_format() {
    let page = include_str!("../../../docs/working_set.md");
    assert!(page.contains(&file::describe()), "docs/working_set.md lacks\n{}", file::describe());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    #[test]
    fn flipped_bits_are_found(place in any::<prop::sample::Index>(), bit in 0u8..8) {
        let mut damaged = FILE.clone();
        let place = place.index(damaged.len());
        damaged[place] ^= 1 << bit;
        prop_assert!(file::read(&damaged).is_err());
    }

    /// Contents that are damaged although the checksum is right: never a panic, nor in a replay.
    #[test]
    fn damaged_contents_never_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..5),
        cut in any::<prop::sample::Index>(),
        cuts in any::<bool>(),
    ) {
        let mut damaged = contents();
        // Most of the contents are lines; what else there is is at both ends.
        let length = damaged.len();
        for (place, byte) in changes {
            let place = place.index(2000);
            let place = if place < 100 { place } else { length - 1 - (place - 100) };
            damaged[place] = byte;
        }
        if cuts {
            damaged.truncate(cut.index(damaged.len()));
        }
        if let Ok(working_set) = file::read(&file_of(&damaged))
            && working_set.totals.instructions < 1_000_000
        {
            let _ = replayed(&working_set);
        }
    }

    #[test]
    fn anything_is_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = file::read(&bytes);
        let _ = file::read(&file_of(&bytes));
    }
}
