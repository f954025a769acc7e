//! Instructions as text.

use tracewright_image::InstructionSet;
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
