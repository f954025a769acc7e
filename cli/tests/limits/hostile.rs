//! Files that are small and describe much.

use std::io::Write;

use tracewright_sim::event::{Isa, Machine};
use tracewright_working_set::{Input, Layout, Line, Registers, Totals, What, WorkingSet, file};

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

/// An image with this many program headers, all of the same range of code.
pub fn image_of_headers(count: u16, code_bytes: u32) -> Vec<u8> {
    let begin = HEADER + PROGRAM_HEADER * u32::from(count);
    let mut image = image(&[], &[])[..HEADER as usize].to_vec();
    // The file has no sections.
    image[32..36].fill(0);
    image[44..46].copy_from_slice(&count.to_le_bytes());
    image[48..52].fill(0);
    for _ in 0..count {
        let words = [1, begin, BASE, BASE, code_bytes, code_bytes, 5, 4];
        image.extend(words.iter().flat_map(|word: &u32| word.to_le_bytes()));
    }
    image.extend([0x13, 0, 0, 0].into_iter().cycle().take(code_bytes as usize));
    image
}

/// An encoded file whose trailer claims this many instructions and events.
pub fn with_claim(mut file: Vec<u8>, claimed: u64) -> Vec<u8> {
    const TRAILER: usize = 48;
    let at = file.len() - TRAILER;
    file[at + 20..at + 28].copy_from_slice(&claimed.to_le_bytes());
    file[at + 28..at + 36].copy_from_slice(&claimed.to_le_bytes());
    let mut check = crc32fast::Hasher::new();
    check.update(&(at as u64).to_le_bytes());
    check.update(&0u32.to_le_bytes());
    check.update(&file[at + 4..at + TRAILER - 4]);
    file[at + TRAILER - 4..].copy_from_slice(&check.finalize().to_le_bytes());
    file
}

/// A zstd frame of these bytes, and then of one byte so many times.
pub fn zstd_of_one_byte(first: &[u8], byte: u8, count: u64) -> Vec<u8> {
    const MOST: u64 = 1 << 17;
    // Without a size of the content, and with a window of 128 KiB.
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38];
    let mut header = |is_last: u32, kind: u32, size: u64| {
        let word = is_last | kind << 1 | (size as u32) << 3;
        frame.extend_from_slice(&word.to_le_bytes()[..3]);
        match kind {
            0 => frame.extend_from_slice(first),
            _ => frame.push(byte),
        }
    };
    header(0, 0, first.len() as u64);
    (0..count / MOST).for_each(|_| header(0, 1, MOST));
    header(1, 1, count % MOST);
    frame
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
        layout: Layout::default(),
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
