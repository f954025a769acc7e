//! A program with Zcmp: what its ELF file says of its extensions, and traces of it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tracewright_image::{Error, Image};
use tracewright_sim::code::{Branch, Code};
use tracewright_sim::encode::bit_packer::{BitPacker, BitUnpacker};
use tracewright_sim::event::{Event, Kind};
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::program::Program;
use tracewright_sim::rvfi::Extensions;
use tracewright_sim::scheme::{self, Design, Encoder};
use tracewright_sim::{scheme::DesignError, trace_io};

const ZCMP: Extensions = Extensions { zcmp: true, zcmt: false };
const ZCMT: Extensions = Extensions { zcmp: false, zcmt: true };

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../workloads/zcmp").join(name)
}

fn program() -> Vec<u8> {
    std::fs::read(file("calls.elf")).expect("a program")
}

fn open(bytes: &[u8]) -> Result<Image, Error> {
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    std::fs::write(file.path(), bytes).expect("a temporary file");
    Image::open(file.path(), 0)
}

fn extensions(bytes: &[u8]) -> Extensions {
    open(bytes).expect("a program").instruction_set().extensions()
}

/// Where the program header of the attributes is.
const SEGMENT: usize = 52 + 5 * 32;

/// Where the header of the file says where its sections are.
const SECTIONS: usize = 32;

fn put(bytes: &mut [u8], at: usize, value: usize) {
    bytes[at..at + 4].copy_from_slice(&(value as u32).to_le_bytes());
}

/// The program with other attributes.
fn with_attributes(attributes: &[u8]) -> Vec<u8> {
    let mut bytes = program();
    let offset = bytes.len();
    bytes.extend(attributes);
    put(&mut bytes, SEGMENT + 4, offset);
    put(&mut bytes, SEGMENT + 16, attributes.len());
    put(&mut bytes, SECTIONS, 0);
    bytes
}

/// The attributes of an architecture, after the alignment of its stack.
fn attributes(vendor: &str, arch: &str) -> Vec<u8> {
    let of_file = [&[4, 16, 5][..], arch.as_bytes(), &[0]].concat();
    let size = (of_file.len() as u32 + 5).to_le_bytes();
    let part = [vendor.as_bytes(), &[0, 1], &size, &of_file].concat();
    let size = (part.len() as u32 + 4).to_le_bytes();
    [&b"A"[..], &size, &part].concat()
}

#[test]
fn the_architecture_names_the_extensions() {
    for (arch, expected) in [
        ("rv32i2p1_m2p0_a2p1_zmmul1p0_zca1p0_zcb1p0_zcmp1p0", ZCMP),
        ("rv32ima_zca_zcmp", ZCMP),
        ("rv32imazcmp_zicsr", ZCMP),
        ("RV32IMAZca_Zcmt2", ZCMT),
        ("rv64i2p1_zcmp1p0_zcmt1p0", Extensions::ALL),
        ("rv32imc_zce", Extensions::ALL),
        ("rv32i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_zicsr2p0_zve32x1p0_zvl32b1p0", Extensions::NONE),
        ("rv32i2p1_xzcmp1p0_zcmpx1p0", Extensions::NONE),
        ("", Extensions::NONE),
    ] {
        assert_eq!(extensions(&with_attributes(&attributes("riscv", arch))), expected, "{arch}");
    }
    let of_others = attributes("gnu", "rv32i_zcmp");
    assert_eq!(extensions(&with_attributes(&of_others)), Extensions::NONE);
}

#[test]
fn attributes_are_a_segment_or_a_section() {
    assert_eq!(extensions(&program()), ZCMP);
    let mut of_section = program();
    put(&mut of_section, SEGMENT, 0);
    assert_eq!(extensions(&of_section), ZCMP);
    let mut of_segment = program();
    put(&mut of_segment, SECTIONS, 0);
    assert_eq!(extensions(&of_segment), ZCMP);
    let mut stripped = of_segment;
    put(&mut stripped, SEGMENT, 0);
    let mut image = open(&stripped).expect("a program");
    assert_eq!(image.instruction_set().extensions(), Extensions::NONE);
    image.add_extensions(ZCMT);
    image.add_extensions(ZCMP);
    assert_eq!(image.instruction_set().extensions(), Extensions::ALL);
    // A segment without the attributes that were there.
    assert_eq!(extensions(&with_attributes(&[0; 16])), Extensions::NONE);
}

#[test]
fn damaged_attributes_are_an_error() {
    let attributes = attributes("riscv", "rv32i_zcmp");
    for end in 1..attributes.len() {
        match open(&with_attributes(&attributes[..end])) {
            Ok(image) => {
                assert_eq!((end, image.instruction_set().extensions()), (1, Extensions::NONE))
            }
            Err(error) => assert!(matches!(error, Error::Damaged { .. }), "{end}: {error}"),
        }
    }
}

#[test]
fn what_the_instructions_do() {
    let branch = |address: u64| {
        let image = Image::open(&file("calls.elf"), 0).expect("a program");
        image.instruction(address).expect("an instruction").branch
    };
    // cm.push and cm.mvsa01, and cm.popret.
    assert_eq!((branch(0x1_0012), branch(0x1_0018)), (None, None));
    let returns = Branch { kind: Kind::IndirectJump, call: false, is_return: true, target: 0 };
    assert_eq!(branch(0x1_003a), Some(returns));
}

#[derive(Debug, thiserror::Error)]
enum Failed {
    #[error(transparent)]
    Decode(#[from] tracewright_sim::decode::error::DecodeError),
    #[error(transparent)]
    Design(#[from] DesignError),
}

/// The trace of the program as it ran, which another emulator wrote, comes back whole from each scheme.
#[test]
fn traces_are_decoded_whole() {
    let reader = trace_io::open(file("calls.txt.zst")).expect("a trace");
    let machine = reader.machine();
    let events: Vec<Event> = reader.map(|event| event.expect("an event")).collect();
    let (calls, returns) = (|event: &&Event| event.call, |event: &&Event| event.is_return);
    let count = |is: fn(&&Event) -> bool| events.iter().filter(is).count();
    assert_eq!((events.len(), count(calls), count(returns)), (192, 70, 70));
    let image = Arc::new(Image::open(&file("calls.elf"), 0).expect("a program"));
    let program = Program::of_code(machine, image, None).expect("little code");
    for preset in [
        "traptor-m4",
        "traptor-s0",
        "talon-m",
        "talon-a",
        "stream-base-128",
        "stream-rbase-128",
        "ntuple-32x4",
        "mctraptor-small-n1",
        "nexus-n1",
        "nexs",
        "etrace-base",
        "etrace-full",
        "ntrace-htm",
    ] {
        let mut design = Design::preset(preset).expect("a preset");
        design.set("alignment", "1").expect("a parameter");
        let (mut encoder, mut bits) = (Encoder::new(&design).expect("a design"), BitPacker::new());
        for event in &events {
            encoder.event(&program.with_length(*event), &mut bits).expect("an event");
        }
        encoder.flush(&mut bits);
        let bytes = bits.finish();
        let mut found = Vec::new();
        scheme::decode(&design, &program, &mut BitUnpacker::new(&*bytes), 731, |event| {
            found.push(Event { length: 0, ..event });
            Ok::<(), Failed>(())
        })
        .unwrap_or_else(|error| panic!("{preset}: {error}"));
        let expected = events.iter().map(|event| Event { length: 0, ..*event });
        assert!(found.into_iter().eq(expected), "{preset}");
    }
}

/// `cm.jt 2`, and `cm.jalt 32`, at the beginning of the code, with a table that begins there too.
#[test]
fn a_table_of_jumps_is_direct_if_its_place_is_known() {
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    let mut bytes = program();
    let code = 0x1000;
    bytes[code..code + 4].copy_from_slice(&[0x0a, 0xa0, 0x82, 0xa0]);
    // The third entry.
    put(&mut bytes, code + 8, 0x1_0013);
    std::fs::write(file.path(), bytes).expect("a temporary file");
    let mut image = Image::open(file.path(), 0).expect("a program");
    let branch = |image: &Image, address| image.instruction(address).expect("code").branch;
    image.add_extensions(ZCMT);
    let indirect = Branch { kind: Kind::IndirectJump, call: false, is_return: false, target: 0 };
    assert_eq!(branch(&image, 0x1_0000), Some(indirect));
    assert_eq!(branch(&image, 0x1_0002), Some(Branch { call: true, ..indirect }));
    image.set_jump_table(0x1_0000).expect("a table");
    let direct = Branch { kind: Kind::DirectJump, target: 0x1_0012, ..indirect };
    assert_eq!(branch(&image, 0x1_0000), Some(direct));
    // Its entry is after the end of the code.
    assert_eq!(branch(&image, 0x1_0002), Some(Branch { call: true, ..indirect }));
    let error = image.set_jump_table(0x2_0000).expect_err("no table");
    assert!(matches!(error, Error::JumpTable { address: 0x2_0000 }));
}
