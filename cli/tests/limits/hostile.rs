//! Files that are small and describe much.

use std::io::Write;

use tracewright_sim::event::{Isa, Machine};
use tracewright_working_set::{Input, Line, Registers, Totals, What, WorkingSet, file};

/// A PET1 trace in which every event is another branch, which is not taken.
pub fn trace_of_blocks(events: usize) -> Vec<u8> {
    let mut bytes = b"PET1\0\x02\x20".to_vec();
    bytes.resize(16, 0);
    // One instruction, a direct conditional, four bytes after the last one.
    let record = [1, 1, 8];
    bytes.extend(record.into_iter().cycle().take(record.len() * events));
    bytes
}

/// Where the programs begin.
const BASE: u32 = 0x1_0000;

/// Bytes of an ELF header and of an entry of its two tables.
const HEADER: u32 = 52;
const PROGRAM_HEADER: u32 = 32;
const SECTION_HEADER: u16 = 40;

/// A section of an image.
struct Section {
    /// Offset of the name in the first section, which has the names.
    name: u32,
    kind: u32,
    flags: u32,
    bytes: Vec<u8>,
    link: u32,
    entry_bytes: u32,
}

/// An image for RV32 with this code, and sections after the one of their names.
fn image(code: &[u32], sections: &[Section]) -> Vec<u8> {
    let code: Vec<u8> = code.iter().flat_map(|word| word.to_le_bytes()).collect();
    let begin = HEADER + PROGRAM_HEADER;
    let mut offset = begin + code.len() as u32;
    let mut table = vec![0; SECTION_HEADER.into()];
    let mut contents = Vec::new();
    for section in sections {
        let size = section.bytes.len() as u32;
        let words = [
            section.name,
            section.kind,
            section.flags,
            0,
            offset,
            size,
            section.link,
            0,
            1,
            section.entry_bytes,
        ];
        table.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        contents.extend_from_slice(&section.bytes);
        offset += size;
    }
    let mut image = b"\x7fELF\x01\x01\x01".to_vec();
    image.resize(16, 0);
    let short = |image: &mut Vec<u8>, value: u16| image.extend_from_slice(&value.to_le_bytes());
    // An executable for RISC-V.
    short(&mut image, 2);
    short(&mut image, 243);
    for word in [1, BASE, HEADER, offset, 0] {
        image.extend_from_slice(&u32::to_le_bytes(word));
    }
    let count = sections.len() as u16 + 1;
    for value in [HEADER as u16, PROGRAM_HEADER as u16, 1, SECTION_HEADER, count, 1] {
        short(&mut image, value);
    }
    let size = code.len() as u32;
    // A segment to load, readable and executable.
    for word in [1, begin, BASE, BASE, size, size, 5, 4] {
        image.extend_from_slice(&u32::to_le_bytes(word));
    }
    [image, code, contents, table].concat()
}

/// The section of the sections' names.
fn names(text: &[u8]) -> Section {
    Section { name: 0, kind: 3, flags: 0, bytes: text.to_vec(), link: 0, entry_bytes: 0 }
}

/// An image with this many functions, which share one long name.
pub fn image_of_symbols(count: u32, name_bytes: usize) -> Vec<u8> {
    let mut symbols = vec![0; 16];
    for index in 0..count {
        for word in [1, BASE + 4 * index, 4] {
            symbols.extend_from_slice(&u32::to_le_bytes(word));
        }
        // A global function of the third section, which need not be there.
        symbols.extend_from_slice(&[0x12, 0, 3, 0]);
    }
    let name = [vec![0], vec![b'f'; name_bytes], vec![0]].concat();
    let strings = Section { bytes: name, ..names(b"") };
    let table = Section { name: 1, kind: 2, flags: 0, bytes: symbols, link: 2, entry_bytes: 16 };
    image(&vec![0x13; count as usize], &[names(b"\0.symtab\0"), strings, table])
}

/// An image with compressed line numbers, which are zeros.
pub fn image_with_lines(bytes: u32) -> Vec<u8> {
    let mut section: Vec<u8> =
        [2, bytes, 1].iter().flat_map(|word: &u32| word.to_le_bytes()).collect();
    let mut encoder = zstd::Encoder::new(&mut section, 1).expect("an encoder");
    for _ in 0..bytes >> 20 {
        encoder.write_all(&[0; 1 << 20]).expect("compressed");
    }
    encoder.finish().expect("compressed");
    let lines = Section { name: 1, kind: 1, flags: 0x800, bytes: section, link: 0, entry_bytes: 0 };
    image(&[0x13, 0x6f], &[names(b"\0.debug_line\0"), lines])
}

/// A program that reads the clock for ever.
pub fn polling_program() -> Vec<u8> {
    // lui a0, 0x10000; lw a1, 0x14(a0); j .-4
    image(&[0x1000_0537, 0x0145_2583, 0xffdf_f06f], &[])
}

fn working_set(instructions: u64, inputs: Vec<Input>) -> Vec<u8> {
    let jump_to_itself = [0x6f, 0, 0, 0].repeat(8);
    let working_set = WorkingSet {
        machine: Machine { isa: Isa::RiscV, alignment: 1, address_bits: 32 },
        line_bytes: 32,
        registers: Registers::after_reset(BASE.into()),
        lines: vec![Line { address: BASE.into(), bytes: jump_to_itself }],
        inputs,
        totals: Totals { instructions, ..Totals::default() },
    };
    file::write(&working_set).expect("a working set")
}

/// A run of more instructions than anybody can wait for.
pub fn endless_working_set() -> Vec<u8> {
    working_set(1 << 60, Vec::new())
}

/// A run with this many inputs.
pub fn working_set_of_inputs(count: u64) -> Vec<u8> {
    let inputs = (0..count).map(|time| Input { time, what: What::Value(0) });
    working_set(count, inputs.collect())
}
