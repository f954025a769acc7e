//! The functions that Linux gives every 32-bit ARM program at the end of its address space.
//!
//! Programs for ARMv5 and older (Debian's armel) call them for atomic operations and for thread-local storage. QEMU's
//! user mode does what they do without running code, so in a trace each is one instruction that returns.

use std::ops::Range;

use tracewright_sim::code::{Branch, Instruction};
use tracewright_sim::event::Kind;

/// `__kuser_cmpxchg64`, `__kuser_memory_barrier`, `__kuser_cmpxchg`, `__kuser_get_tls`.
pub const ENTRIES: [u64; 4] = [0xffff_0f60, 0xffff_0fa0, 0xffff_0fc0, 0xffff_0fe0];

/// Where they are.
pub const RANGE: Range<u64> = 0xffff_0f60..0xffff_0fe4;

/// The helper at an address, as the one instruction that it is here.
pub fn instruction(address: u64) -> Option<Instruction> {
    let branch = Branch { kind: Kind::IndirectJump, call: false, is_return: true, target: 0 };
    ENTRIES.contains(&address).then_some(Instruction { length: 4, branch: Some(branch) })
}
