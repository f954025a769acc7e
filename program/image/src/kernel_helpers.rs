//! The functions that Linux gives programs at the end of their address space.
//!
//! 32-bit ARM programs for ARMv5 and older (Debian's armel) call them for atomic operations and for thread-local
//! storage, x86-64 programs with an old or static C library for the time (the page `vsyscall`). QEMU's user mode does
//! what they do without running code, so in a trace each is one instruction that returns.

use std::ops::Range;

use tracewright_sim::code::{Branch, Instruction};
use tracewright_sim::event::Kind;

use crate::instruction_set::InstructionSet;

/// The functions of 32-bit ARM, by address.
const ARM: [(u64, &str); 4] = [
    (0xffff_0f60, "__kuser_cmpxchg64"),
    (0xffff_0fa0, "__kuser_memory_barrier"),
    (0xffff_0fc0, "__kuser_cmpxchg"),
    (0xffff_0fe0, "__kuser_get_tls"),
];

/// Those of x86-64.
const X86_64: [(u64, &str); 3] = [
    (0xffff_ffff_ff60_0000, "vsyscall_gettimeofday"),
    (0xffff_ffff_ff60_0400, "vsyscall_time"),
    (0xffff_ffff_ff60_0800, "vsyscall_getcpu"),
];

fn all(instruction_set: InstructionSet) -> &'static [(u64, &'static str)] {
    match instruction_set {
        InstructionSet::Arm => &ARM,
        InstructionSet::X86_64 => &X86_64,
        _ => &[],
    }
}

/// Where they are; `None` for a processor without any.
pub fn range(instruction_set: InstructionSet) -> Option<Range<u64>> {
    let all = all(instruction_set);
    Some(all.first()?.0..all.last()?.0 + LENGTH)
}

/// Bytes that each counts as.
const LENGTH: u64 = 4;

/// The name of the helper at an address.
pub fn name(instruction_set: InstructionSet, address: u64) -> Option<&'static str> {
    all(instruction_set).iter().find(|(at, _)| *at == address).map(|(_, name)| *name)
}

/// The helper at an address, as the one instruction that it is here.
pub fn instruction(instruction_set: InstructionSet, address: u64) -> Option<Instruction> {
    let branch = Branch { kind: Kind::IndirectJump, call: false, is_return: true, target: 0 };
    let instruction = Instruction { length: LENGTH as u8, branch: Some(branch) };
    name(instruction_set, address).map(|_| instruction)
}
