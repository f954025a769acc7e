//! Good ELF files and bad ones: what is found in the first, and what is said of the others.

use std::path::{Path, PathBuf};

use tracewright_image::{Error, Image, InstructionSet};
use tracewright_sim::code::Code;
use tracewright_sim::event::{Isa, Machine};

fn workload(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../workloads").join(name)
}

/// An image of these bytes.
fn open(bytes: &[u8]) -> Result<Image, Error> {
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    std::fs::write(file.path(), bytes).expect("a temporary file");
    Image::open(file.path(), 0)
}

fn sort() -> Vec<u8> {
    std::fs::read(workload("rv64imac-sort.elf")).expect("a workload")
}

/// What is said of these bytes, without the name of the file.
fn said(bytes: &[u8]) -> String {
    let said = open(bytes).expect_err("a bad file").to_string();
    let (_, said) = said.split_once(": ").expect("a file name first");
    said.to_owned()
}

#[test]
fn a_program_has_its_functions() {
    let image = Image::open(&workload("rv64imac-sort.elf"), 0).expect("a program");
    assert_eq!(image.instruction_set(), InstructionSet::RiscV64);
    let machine = Machine { isa: Isa::RiscV, alignment: 1, address_bits: 64 };
    assert_eq!(image.machine(), machine);
    assert!(image.instruction(image.entry()).is_some());
    let main = image.functions().find(|symbol| symbol.name == "main").expect("a main function");
    assert!(main.size > 0);
    let inside = main.address + main.size - 2;
    assert_eq!(image.function_at(inside).map(|symbol| &*symbol.name), Some("main"));
    let behind = image.function_at(main.address + main.size);
    assert!(behind.is_none_or(|symbol| symbol.name != "main"));
}

#[test]
fn a_program_is_where_it_was_loaded() {
    let load_address = 0x40_0000_0000;
    let path = workload("rv64imac-sort.elf");
    let (here, there) = (Image::open(&path, 0), Image::open(&path, load_address));
    let (here, there) = (here.expect("a program"), there.expect("a program"));
    assert_eq!(there.entry(), here.entry() + load_address);
    assert_eq!(there.regions()[0].start, here.regions()[0].start + load_address);
    assert!(there.instruction(here.entry()).is_none());
    let name = |image: &Image, address| image.function_at(address).map(|s| s.name.clone());
    assert_eq!(name(&there, there.entry()), name(&here, here.entry()));
}

#[test]
fn two_files_are_one_image() {
    let path = workload("rv64imac-sort.elf");
    let mut image = Image::open(&path, 0).expect("a program");
    image.add(&workload("rv64imac-crc.elf"), 0x4000_0000).expect("room for another one");
    assert_eq!(image.files().len(), 2);
    let second = image.entry() + 0x4000_0000;
    assert!(image.file_at(second).expect("a file").path.ends_with("rv64imac-crc.elf"));
    let overlap = image.add(&path, 0).expect_err("no room");
    assert!(matches!(overlap, Error::Overlap { .. }), "{overlap}");
    let mixed = image.add(&workload("rv32imac-crc.elf"), 0x8000_0000).expect_err("other code");
    assert!(mixed.to_string().contains("has 32-bit RISC-V code, but"), "{mixed}");
}

#[test]
fn a_32_bit_program_does_not_go_around() {
    let path = workload("rv32imac-crc.elf");
    let entry = Image::open(&path, 0).expect("a program").entry();
    let error = Image::open(&path, 0xffff_fff0 - entry).expect_err("no room").to_string();
    assert!(error.ends_with("goes beyond the last address"), "{error}");
}

#[test]
fn what_is_no_program() {
    assert_eq!(said(b""), "expected an ELF file, found one that begins with nothing");
    assert_eq!(
        said(b"#!/bin/sh\n"),
        "expected an ELF file, found one that begins with 23 21 2f 62"
    );
    let missing = Image::open(Path::new("not/there"), 0).expect_err("no file").to_string();
    assert_eq!(missing, "cannot read not/there: No such file or directory (os error 2)");
    // Byte 18 of the header is the processor, byte 5 the byte order.
    let mut other = sort();
    other[18] = 8;
    assert_eq!(said(&other), "expected RISC-V, ARM or x86 code, found ELF machine 8");
    let mut data_only = sort();
    let table = u64::from_le_bytes(data_only[32..40].try_into().expect("8 bytes")) as usize;
    let count = usize::from(data_only[56]);
    for header in 0..count {
        data_only[table + 56 * header + 4] &= !1;
    }
    assert_eq!(said(&data_only), "the ELF file has no executable segment");
}

#[test]
fn a_truncated_file_says_so() {
    let whole = sort();
    let image = open(&whole).expect("a program");
    let code: Vec<_> = image.regions();
    let mut truncated = 0;
    for length in (0..whole.len()).step_by(97) {
        match open(&whole[..length]) {
            // Only symbols and sections are after the code.
            Ok(cut) => assert_eq!(cut.regions(), code, "{length} bytes"),
            Err(Error::Truncated { found, expected, .. }) => {
                assert_eq!(found, length as u64);
                assert!(expected > found);
                truncated += 1;
            }
            Err(Error::NotElf { .. } | Error::Damaged { .. }) => {}
            Err(other) => panic!("{length} bytes: {other}"),
        }
    }
    assert!(truncated > 10, "{truncated}");
}

#[test]
fn damage_is_refused_or_harmless() {
    let whole = sort();
    for place in 0..0x200.min(whole.len()) {
        for bit in 0..8 {
            let mut damaged = whole.clone();
            damaged[place] ^= 1 << bit;
            if let Ok(image) = open(&damaged) {
                let _ = image.instruction(image.entry());
                let _ = image.function_at(image.entry());
            }
        }
    }
}
