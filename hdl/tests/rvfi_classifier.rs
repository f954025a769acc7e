//! The classifier of instruction words, in RustHDL's simulation, against its twin in the golden model: every compressed
//! word, and words of four bytes with the opcodes and registers that matter, for each set of extensions.

use tracewright_elaborate::prelude::*;
use tracewright_hdl::rvfi::classifier::Classifier;
use tracewright_sim::rvfi::{Class, Extensions, TRAP_RETURNS, Xlen, classify};

/// The registers of return addresses, and others.
const REGISTERS: [u32; 4] = [0, 1, 5, 6];

fn full_words() -> impl Iterator<Item = u32> {
    let registers = REGISTERS.into_iter().flat_map(|one| REGISTERS.map(|other| (one, other)));
    let jumps = registers.flat_map(|(one, other)| {
        [0x6f, 0x63, 0x67, 0x13].map(|opcode| other << 15 | one << 7 | opcode)
    });
    let uppers = TRAP_RETURNS.into_iter().flat_map(|upper| [upper, upper ^ 1, upper ^ 0x800]);
    let system = uppers.flat_map(|upper| [0x73, 0xf3, 0x13].map(|low| upper << 20 | low));
    // lpad, sspush, sspopchk, ssrdp and ssamoswap.w, of Zicfilp and Zicfiss.
    jumps.chain(system).chain([0x17, 0x1_2017, 0xce10_4073, 0xcdc0_c073, 0xcdc0_4073, 0x4800_202f])
}

fn compare(xlen: Xlen, extensions: Extensions) {
    let mut hardware = Simulator::new(Classifier::new(xlen, extensions)).unwrap();
    let compressed = (0..=u16::MAX).map(u32::from).filter(|word| word & 3 != 3);
    for word in compressed.chain(full_words()) {
        hardware.poke(|block| block.insn.next = Word::new(32, word.into()));
        let found = hardware.peek(|block| {
            let bit = |signal: Word| signal.to_u64() == 1;
            (
                block.branch_kind.val().to_u64(),
                bit(block.call.val()),
                bit(block.is_return.val()),
                bit(block.is_long.val()),
                bit(block.trap_return.val()),
            )
        });
        let Class { kind, call, is_return, length, trap_return } = classify(word, xlen, extensions);
        let kind = kind.map_or(0, |kind| kind.pin_code());
        let expected = (kind, call, is_return, length == 4, trap_return);
        assert_eq!(found, expected, "{word:#010x} of {xlen:?} with {extensions}");
    }
}

#[test]
fn every_compressed_word_with_every_set_of_extensions() {
    for (zcmp, zcmt) in [(false, false), (true, false), (false, true), (true, true)] {
        for xlen in [Xlen::Rv32, Xlen::Rv64] {
            compare(xlen, Extensions { zcmp, zcmt });
        }
    }
}
