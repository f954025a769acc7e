//! A64 as printed, and the space of its branches, word by word.

use capstone::Capstone;
use capstone::arch::{BuildsCapstone, arm64};
use tracewright_image::InstructionSet;
use tracewright_sim::code::Branch;
use tracewright_sim::event::Kind;

use super::{Line, branch, number};

pub fn reading(line: &Line) -> Option<Option<Branch>> {
    let Line { mnemonic, operands, .. } = line;
    let conditional = || branch(Kind::DirectConditional, false, false, number(operands));
    match mnemonic.as_str() {
        "udf" => None,
        text if text.starts_with('.') => None,
        "b" | "b.al" | "b.nv" | "bc.al" | "bc.nv" => {
            branch(Kind::DirectJump, false, false, number(operands))
        }
        "bl" => branch(Kind::DirectJump, true, false, number(operands)),
        "cbz" | "cbnz" | "tbz" | "tbnz" => conditional(),
        text if text.starts_with("b.") || text.starts_with("bc.") => conditional(),
        "br" | "braa" | "brab" | "braaz" | "brabz" | "eret" | "eretaa" | "eretab" | "drps" => {
            branch(Kind::IndirectJump, false, false, 0)
        }
        "blr" | "blraa" | "blrab" | "blraaz" | "blrabz" => {
            branch(Kind::IndirectJump, true, false, 0)
        }
        "ret" | "retaa" | "retab" => branch(Kind::IndirectJump, false, true, 0),
        "svc" | "hvc" | "smc" | "brk" | "hlt" | "dcps1" | "dcps2" | "dcps3" => {
            branch(Kind::Exception, false, false, 0)
        }
        _ => Some(None),
    }
}

/// Where the words are taken to be.
const ADDRESS: u64 = 0x7f_1234_5678;

fn classified(word: u32) -> Option<Option<Branch>> {
    let found = InstructionSet::AArch64.instruction(ADDRESS, &[], &word.to_le_bytes())?;
    assert_eq!(found.length, 4);
    Some(found.branch)
}

/// True for a branch that capstone 5 does not know: `cb` (FEAT_CMPBR), and returns that authenticate by the address of an
/// instruction (FEAT_PAuth_LR).
fn is_newer(word: u32) -> bool {
    let compares = word & 0x7e00_0000 == 0x7400_0000;
    let has_address = word & 0xffc0_001f == 0x5500_001f;
    let has_register = word & 0xffff_fbe0 == 0xd65f_0be0 && word & 31 != 31;
    compares || has_address || has_register
}

/// Words that are branches and their neighbours: every value of the bits that say what an instruction is, each with
/// `each` values of the others.
fn words(each: usize) -> Vec<u32> {
    let mut words = Vec::new();
    let mut seed = 1u32;
    let mut random = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        seed.rotate_left(16)
    };
    let direct = (0x14..=0x17).chain(0x94..=0x97).chain(0x34..=0x37).chain(0xb4..=0xb7);
    for top in direct.chain([0x54, 0x55, 0x74, 0x75, 0xf4, 0xf5]) {
        words.extend((0..512 * each).map(|_| top << 24 | random() >> 8));
    }
    // By a register: all but the register, which most of them have.
    for fixed in 0..1u32 << 20 {
        if fixed >> 11 & 31 == 31 || fixed % 61 == 0 {
            let word = 0xd600_0000 | fixed >> 5 << 10 | fixed & 31;
            words.extend((0..each).map(|_| word | (random() & 31) << 5));
        }
    }
    // Exceptions: three bits above the number, five below it.
    for fixed in 0..1u32 << 8 {
        let word = 0xd400_0000 | fixed >> 5 << 21 | fixed & 31;
        words.extend((0..4 * each).map(|_| word | (random() & 0xffff) << 5));
    }
    // Undefined ones, and what is none of these.
    words.extend((0..1024 * each).map(|_| random() >> 16));
    words.extend((0..4096 * each).map(|_| random()));
    words
}

/// Every word is what capstone 5.0.6 says.
pub fn sweep(each: usize) {
    let words = words(each);
    let mode = arm64::ArchMode::Arm;
    let mut capstone = Capstone::new().arm64().mode(mode).build().expect("capstone");
    capstone.set_skipdata(true).expect("capstone");
    let (mut branches, mut unknown) = (0, 0);
    for word in &words {
        let code = word.to_le_bytes();
        let found = capstone.disasm_count(&code, ADDRESS, 1).expect("capstone");
        let first = found.first().expect("an instruction");
        let line = Line {
            address: ADDRESS,
            length: 4,
            mnemonic: first.mnemonic().unwrap_or("").to_owned(),
            operands: first.op_str().unwrap_or("").to_owned(),
        };
        if is_newer(*word) {
            unknown += 1;
            continue;
        }
        let expected = match reading(&line) {
            // Neither is what is not assigned.
            None if word >> 16 != 0 => Some(None),
            expected => expected,
        };
        assert_eq!(classified(*word), expected, "{word:08x} {line:?}");
        branches += usize::from(expected.flatten().is_some());
    }
    eprintln!("{} words, {branches} branches, {unknown} unknown to capstone", words.len());
    assert!(branches > words.len() / 10);
}

/// Newer branches, in the words that LLVM 22 makes of them (`zig cc` 0.17.1), and neighbours that it makes of none.
#[test]
fn newer_branches() {
    let conditional = |offset: i64| {
        let target = ADDRESS.wrapping_add_signed(offset);
        Some(Branch { kind: Kind::DirectConditional, call: false, is_return: false, target })
    };
    let is_return =
        Some(Branch { kind: Kind::IndirectJump, call: false, is_return: true, target: 0 });
    let always = conditional(8).map(|branch| Branch { kind: Kind::DirectJump, ..branch });
    for (word, expected) in [
        // bc.eq, bc.al
        (0x5400_0050, conditional(8)),
        (0x5400_005e, always),
        // cbgt of words and of double words, cbge, cbhi, cbhs, cbeq, cbne
        (0x7402_0041, conditional(8)),
        (0xf402_3fc1, conditional(-8)),
        (0x7422_0041, conditional(8)),
        (0x7442_0041, conditional(8)),
        (0x7462_0041, conditional(8)),
        (0x74c2_0041, conditional(8)),
        (0x74e2_0041, conditional(8)),
        // cbbgt, cbbne, cbhgt, cbhne
        (0x7402_8041, conditional(8)),
        (0x74e2_8041, conditional(8)),
        (0x7402_c041, conditional(8)),
        (0x74e2_c041, conditional(8)),
        // With a number: cbgt, cblt, cbhi, cblo, cbeq, cbne
        (0x7502_8041, conditional(8)),
        (0x7522_8041, conditional(8)),
        (0x7542_8041, conditional(8)),
        (0xf562_8041, conditional(8)),
        (0x75df_8041, conditional(8)),
        (0xf5e2_bfc1, conditional(-8)),
        // retaasppc, retabsppc, retaasppcr, retabsppcr
        (0x5500_005f, is_return),
        (0x5520_005f, is_return),
        (0xd65f_0be3, is_return),
        (0xd65f_0fe3, is_return),
        // Conditions, sizes and returns that are not there.
        (0x7482_0041, None),
        (0x7402_4041, None),
        (0xf402_8041, None),
        (0x7502_c041, None),
        (0x5540_005f, None),
    ] {
        assert_eq!(classified(word), Some(expected), "{word:08x}");
    }
}
