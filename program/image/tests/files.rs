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
    assert_eq!(image.instruction_set(), InstructionSet::RV64);
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

/// Pages of a memory: one ends in the bytes that the next begins with, and an instruction is in two that touch.
#[test]
fn pages_of_a_memory_are_one_piece() {
    let folder = tempfile::tempdir().expect("a folder");
    let word = 0x0000_0013u32.to_le_bytes();
    let code: Vec<u8> = [1, 0].iter().copied().chain(word.repeat(6)).collect();
    let page = |name: &str, range: std::ops::Range<usize>| {
        let path = folder.path().join(name);
        std::fs::write(&path, &code[range]).expect("written");
        path
    };
    // The first two have two bytes in common, and the third begins in the middle of an instruction.
    let pages = [("a.bin", 0..10), ("b.bin", 8..16), ("c.bin", 16..26)];
    for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0]] {
        let mut image = Image::open(&workload("rv32imac-crc.elf"), 0).expect("a program");
        for number in order {
            let (name, range) = pages[number].clone();
            let address = 0x8000_0000 + range.start as u64;
            image.add(&page(name, range), address).expect("a page");
        }
        for address in (0x8000_0002..0x8000_001a).step_by(4) {
            assert_eq!(
                image.instruction(address).map(|found| found.length),
                Some(4),
                "{address:#x}"
            );
        }
    }
    let mut image = Image::open(&workload("rv32imac-crc.elf"), 0).expect("a program");
    image.add(&page("a.bin", 0..10), 0x8000_0000).expect("a page");
    let other = image.add(&page("d.bin", 1..9), 0x8000_0008).expect_err("other bytes");
    assert!(matches!(other, Error::Overlap { .. }), "{other}");
}

#[test]
fn a_32_bit_program_does_not_go_around() {
    let path = workload("rv32imac-crc.elf");
    let entry = Image::open(&path, 0).expect("a program").entry();
    let error = Image::open(&path, 0xffff_fff0 - entry).expect_err("no room").to_string();
    assert!(error.ends_with("goes beyond the last address"), "{error}");
}

/// Code may end with the last address of 32 bits.
#[test]
fn code_at_the_last_address() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("top.bin");
    std::fs::write(&path, 0x0000_0013u32.to_le_bytes().repeat(16)).expect("written");
    let mut image = Image::open(&workload("rv32imac-crc.elf"), 0).expect("a program");
    image.add(&path, 0xffff_ffc0).expect("room");
    assert_eq!(image.instruction(0xffff_fffc).map(|found| found.length), Some(4));
    let mut image = Image::open(&workload("rv32imac-crc.elf"), 0).expect("a program");
    let error = image.add(&path, 0xffff_ffc4).expect_err("no room").to_string();
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

/// An ELF file for x86-64 with `segments` executable segments over the same bytes, and `symbols` symbols with one name.
fn shared(segments: u16, symbols: u64, name: usize) -> Vec<u8> {
    let number = |file: &mut Vec<u8>, value: u64, bytes: usize| {
        file.extend_from_slice(&value.to_le_bytes()[..bytes]);
    };
    let sections = 64 + 56 * u64::from(segments);
    let names = sections + 3 * 64;
    let table = names + name as u64 + 2;
    let mut file = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0".to_vec();
    for (value, bytes) in [(2, 2), (62, 2), (1, 4), (0, 8), (64, 8), (sections, 8), (0, 4)] {
        number(&mut file, value, bytes);
    }
    for value in [64, 56, segments.into(), 64, 3, 1] {
        number(&mut file, value, 2);
    }
    let size = table + 24 * (symbols + 1);
    for segment in 0..u64::from(segments) {
        number(&mut file, 1, 4);
        number(&mut file, 5, 4);
        for value in [0, segment << 32, segment << 32, size, size, 4096] {
            number(&mut file, value, 8);
        }
    }
    let string_table = [
        (0, 4),
        (3, 4),
        (0, 8),
        (0, 8),
        (names, 8),
        (name as u64 + 2, 8),
        (0, 4),
        (0, 4),
        (1, 8),
        (0, 8),
    ];
    let symbol_table = [
        (0, 4),
        (2, 4),
        (0, 8),
        (0, 8),
        (table, 8),
        (24 * (symbols + 1), 8),
        (1, 4),
        (0, 4),
        (8, 8),
        (24, 8),
    ];
    for (value, bytes) in [(0, 8); 8].into_iter().chain(string_table).chain(symbol_table) {
        number(&mut file, value, bytes);
    }
    file.push(0);
    file.resize(file.len() + name, b'a');
    file.push(0);
    // The first entry of a symbol table is not a symbol.
    for symbol in 0..=symbols {
        for (value, bytes) in [(1, 4), (0x12, 1), (0, 1), (1, 2), (symbol * 16, 8), (16, 8)] {
            number(&mut file, value, bytes);
        }
    }
    file
}

#[test]
fn parts_that_share_their_bytes_are_bounded() {
    let image = open(&shared(2, 3, 100)).expect("a small file");
    assert_eq!(image.functions().count(), 3);
    assert!(
        said(&shared(20_000, 0, 10))
            .starts_with("damaged ELF file: its executable segments together are over 16")
    );
    assert!(
        said(&shared(1, 20_000, 300_000))
            .starts_with("damaged ELF file: its symbol names together are over 16")
    );
}

/// Builds a program from assembly language in which nothing has a type.
#[test]
fn labels_without_a_type_are_functions() {
    let source = tempfile::Builder::new().suffix(".s").tempfile().expect("a temporary file");
    let text = "
        .globl _start
        _start: nop
        .type known, @function
        known: nop
        inside: nop
        .size known, . - known
        trap_vector: nop
        .data
        words: .long 1
    ";
    std::fs::write(source.path(), text).expect("a temporary file");
    let program = tempfile::NamedTempFile::new().expect("a temporary file").into_temp_path();
    let compiler = "riscv64-unknown-elf-gcc";
    let status = std::process::Command::new(compiler)
        .args(["-nostdlib", "-march=rv64i", "-mabi=lp64", "-o"])
        .arg(&program)
        .arg(source.path())
        .status()
        .expect("riscv64-unknown-elf-gcc: apt-get install gcc-riscv64-unknown-elf");
    assert!(status.success());
    let image = Image::open(&program, 0).expect("a program");
    let names: Vec<&str> = image.functions().map(|symbol| &*symbol.name).collect();
    assert_eq!(names, ["_start", "known", "trap_vector"]);
}
