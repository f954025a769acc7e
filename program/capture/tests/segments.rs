//! Load addresses, from program headers as linkers write them.

use tracewright_capture::Segment;

/// A 64-bit ELF file with these segments: offset, address, size, executable.
fn elf(segments: &[(u64, u64, u64, bool)]) -> Vec<u8> {
    let mut file = vec![0x7f, b'E', b'L', b'F', 2, 1, 1];
    file.resize(16, 0);
    file.extend([3, 0, 62, 0, 1, 0, 0, 0]);
    let words: [u64; 3] = [0, 64, 0];
    file.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    file.extend([0, 0, 0, 0, 64, 0, 56, 0, segments.len() as u8, 0, 0, 0, 0, 0, 0, 0]);
    for (offset, address, size, is_code) in segments {
        let flags = if *is_code { 5u32 } else { 4 };
        file.extend(1u32.to_le_bytes());
        file.extend(flags.to_le_bytes());
        for word in [offset, address, address, size, size, &0x1000] {
            file.extend(word.to_le_bytes());
        }
    }
    let end = segments.iter().map(|(offset, _, size, _)| offset + size).max();
    file.resize(end.unwrap_or(0) as usize, 0x90);
    file
}

/// The load address that follows from an instruction of each executable segment's first and last byte.
fn load_addresses(segments: &[(u64, u64, u64, bool)], load_address: u64) -> Vec<Option<u64>> {
    let code = Segment::parse(&elf(segments)).expect("an ELF file");
    let mut found = Vec::new();
    for (offset, address, size, _) in segments.iter().filter(|segment| segment.3) {
        let mapped_at = (load_address + address).wrapping_sub(*offset);
        for instruction in [*address, address + size - 1] {
            let instruction = load_address + instruction;
            found.push(Segment::load_address(&code, mapped_at, instruction));
        }
    }
    found
}

#[test]
fn a_page_of_two_segments() {
    // lld and mold: segments follow each other in the file, and each has pages of its own in memory.
    let lld =
        [(0, 0, 0x1c24, false), (0x1c24, 0x2c24, 0x1200, true), (0x2e24, 0x4e24, 0x200, false)];
    assert_eq!(load_addresses(&lld, 0x40_0000_0000), [Some(0x40_0000_0000); 2]);
    // Two executable segments share the page at 0x2000 of the file.
    let two = [(0, 0, 0x800, false), (0x800, 0x1800, 0x1900, true), (0x2100, 0x4100, 0x100, true)];
    assert_eq!(load_addresses(&two, 0x5_5555_0000), [Some(0x5_5555_0000); 4]);
}

#[test]
fn segments_with_pages_of_their_own() {
    // GNU ld with -z separate-code, and gold: code in the first segment.
    let separate =
        [(0, 0, 0x680, false), (0x1000, 0x1000, 0x1d5, true), (0x2000, 0x2000, 0x100, false)];
    assert_eq!(load_addresses(&separate, 0x1000), [Some(0x1000); 2]);
    let gold = [(0, 0x40_0000, 0x1800, true), (0x1800, 0x40_2800, 0x100, false)];
    assert_eq!(load_addresses(&gold, 0), [Some(0); 2]);
}

#[test]
fn what_is_no_code_has_no_load_address() {
    let code = Segment::parse(&elf(&[(0, 0, 0x1000, false), (0x1000, 0x1000, 0x10, true)]));
    let code = code.expect("an ELF file");
    assert_eq!(Segment::load_address(&code, 0x7000, 0x7800), None);
    assert_eq!(Segment::load_address(&code, 0x7000, 0x8010), None);
    assert_eq!(Segment::load_address(&code, 0x7000, 0x800f), Some(0x7000));
    assert_eq!(Segment::parse(b"#!/bin/sh\n"), None);
}
