//! The classifier of images and that of the RVFI adapter say the same of every instruction that there is.

use tracewright_image::InstructionSet;
use tracewright_sim::event::Kind;
use tracewright_sim::rvfi::{Extensions, Xlen, classify};

const WIDTHS: [(InstructionSet, Xlen); 2] =
    [(InstructionSet::RV32, Xlen::Rv32), (InstructionSet::RV64, Xlen::Rv64)];

/// Compares both on a word; gives whether it is a jump or a branch.
fn compare(word: u32, extensions: Extensions) -> bool {
    let mut any = false;
    for (set, xlen) in WIDTHS {
        let set = set.with(extensions);
        let Some(instruction) = set.instruction(0x1000, &[], &word.to_le_bytes()) else { continue };
        // The adapter sees a system call only if it traps, from another pin.
        let branch = instruction.branch.filter(|branch| branch.kind != Kind::Exception);
        let found = branch.map(|branch| (branch.kind, branch.call, branch.is_return));
        let class = classify(word, xlen, extensions);
        let expected = class.kind.map(|kind| (kind, class.call, class.is_return));
        assert_eq!(found, expected, "{word:#010x} of {set}");
        assert_eq!(instruction.length, class.length, "{word:#010x} of {set}");
        any |= branch.is_some();
    }
    any
}

#[test]
fn every_compressed_instruction() {
    let jumps = |extensions| {
        let words = (0..=u16::MAX).map(u32::from).filter(|word| word & 3 != 3);
        words.filter(|word| compare(*word, extensions)).count()
    };
    let plain = jumps(Extensions::NONE);
    assert!(plain > 8_000);
    // Two returns with 12 lists of registers and four distances each, and 256 places of the table.
    assert_eq!(jumps(Extensions { zcmp: true, zcmt: false }), plain + 2 * 12 * 4);
    assert_eq!(jumps(Extensions { zcmp: false, zcmt: true }), plain + 256);
    assert_eq!(jumps(Extensions::ALL), plain + 2 * 12 * 4 + 256);
}

#[test]
fn every_opcode_with_every_register() {
    let mut jumps = 0;
    for opcode in (0..32u32).map(|opcode| opcode << 2 | 3) {
        for function in 0..8u32 {
            // Reserved encodings.
            if opcode == 0x67 && function != 0 || opcode == 0x63 && matches!(function, 2 | 3) {
                continue;
            }
            for registers in 0..1024u32 {
                let (destination, source) = (registers & 31, registers >> 5);
                for upper in [0x000, 0x001, 0x002, 0x102, 0x302, 0x303, 0x702, 0x7b2, 0x800, 0xfff]
                {
                    let word =
                        upper << 20 | source << 15 | function << 12 | destination << 7 | opcode;
                    jumps += usize::from(compare(word, Extensions::ALL));
                }
            }
        }
    }
    assert!(jumps > 10_000);
}
