//! Instructions as text.

use tracewright_image::InstructionSet;
use tracewright_sim::rvfi::Extensions;
use tracewright_view::disassembly::Disassembler;

#[test]
fn it_blocks_have_their_conditions() {
    let mut disassembler = Disassembler::new(InstructionSet::Arm);
    // ite le; mov.w r0, #1; mov.w r0, #2; mov.w r0, #3
    let code = [0xd4, 0xbf, 0x4f, 0xf0, 0x01, 0x00, 0x4f, 0xf0, 0x02, 0x00, 0x4f, 0xf0, 0x03, 0x00];
    let mut text = |at: usize, length: usize| {
        disassembler.text(0x1_0001 + at as u64, &code[..at], &code[at..at + length])
    };
    assert_eq!(text(0, 2), "ite le");
    assert_eq!(text(2, 4), "movle.w r0, #1");
    assert_eq!(text(6, 4), "movgt.w r0, #2");
    assert_eq!(text(10, 4), "mov.w r0, #3");
}

#[test]
fn every_slot_of_an_it_block_has_its_own() {
    // ittet eq, then four times mov.n r0, r1, and one after the block.
    let code = [0x05, 0xbf, 0x08, 0x46, 0x08, 0x46, 0x08, 0x46, 0x08, 0x46, 0x08, 0x46];
    let of = |at: usize| InstructionSet::Arm.condition(0x1_0001 + at as u64, &code[..at]);
    let conditions: Vec<Option<u8>> = (0..6).map(|slot| of(2 * slot)).collect();
    assert_eq!(conditions, [None, Some(0), Some(0), Some(1), Some(0), None]);
    assert_eq!(InstructionSet::Arm.condition(0x1_0002, &code[..2]), None);
}

#[test]
fn what_the_disassembler_does_not_know_is_a_number() {
    let mut riscv = Disassembler::new(InstructionSet::RV64);
    // vsetvli t0, a0, e32, m1
    assert_eq!(riscv.text(0x1_0000, &[], &[0xd7, 0x72, 0x05, 0x0d]), ".insn 4, 0xd0572d7");
    assert_eq!(riscv.text(0x1_0000, &[], &[0x13, 0x05, 0x10, 0x00]), "addi a0, zero, 1");
    let mut arm = Disassembler::new(InstructionSet::Arm);
    // vadd.f32 q0, q1, q2, and vrinta.f32 s0, s1 of ARMv8
    assert_eq!(arm.text(0x1_0000, &[], &[0x44, 0x0d, 0x02, 0xf2]), "vadd.f32 q0, q1, q2");
    assert_eq!(arm.text(0x1_0000, &[], &[0x60, 0x0a, 0xb8, 0xfe]), "vrinta.f32 s0, s1");
}

/// As llvm-objdump 19 prints them, with the names of registers of the listing.
#[test]
fn instructions_of_extensions() {
    let text = |set: InstructionSet, code: u32| {
        let length = if code & 3 == 3 { 4 } else { 2 };
        Disassembler::new(set).text(0x1_0000, &[], &code.to_le_bytes()[..length])
    };
    let with_all = InstructionSet::RV32.with(Extensions::ALL);
    for (code, expected) in [
        (0xb842, "cm.push {ra}, -16"),
        (0xb85e, "cm.push {ra, s0}, -64"),
        (0xba42, "cm.pop {ra}, 16"),
        (0xbc42, "cm.popretz {ra}, 16"),
        (0xbe92, "cm.popret {ra, s0-s4}, 32"),
        (0xbefe, "cm.popret {ra, s0-s11}, 112"),
        (0xac26, "cm.mvsa01 s0, s1"),
        (0xac7e, "cm.mva01s s0, s7"),
        (0xa002, "cm.jt 0"),
        (0xa07e, "cm.jt 31"),
        (0xa082, "cm.jalt 32"),
        (0xa3fe, "cm.jalt 255"),
        (0x17, "lpad 0x0"),
        (0x5017, "lpad 0x5"),
        (0xce10_4073, "sspush ra"),
        (0xce50_4073, "sspush t0"),
        (0xcdc0_c073, "sspopchk ra"),
        (0xcdc2_c073, "sspopchk t0"),
        (0xcdc0_4573, "ssrdp a0"),
        (0x48b6_252f, "ssamoswap.w a0, a1, (a2)"),
        (0x6081, "c.sspush ra"),
        (0x6281, "c.sspopchk t0"),
        (0x7020_0073, "mnret"),
        (0x7b20_0073, "dret"),
        // Reserved, and those of others.
        (0xb832, "c.fsdsp fa2, 0x30(sp)"),
        (0x6085, "c.lui ra, 1"),
        (0x0097, "auipc ra, 0"),
        (0x3020_0073, "mret"),
    ] {
        assert_eq!(text(with_all, code), expected);
    }
    assert_eq!(
        text(InstructionSet::RV64.with(Extensions::ALL), 0xbefe),
        "cm.popret {ra, s0-s11}, 160"
    );
    assert_eq!(text(InstructionSet::RV64, 0xbefe), "c.fsdsp ft11, 0x178(sp)");
}
