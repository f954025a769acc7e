//! x86, 32 and 64 bits, by iced-x86.

use iced_x86::{Decoder, DecoderOptions, FlowControl, Mnemonic};
use tracewright_sim::code::{Branch, Instruction};
use tracewright_sim::event::Kind;

/// Decodes the instruction with these bytes; `None` for too few bytes, and for bytes that are not an instruction.
pub(crate) fn instruction(is_64_bit: bool, address: u64, bytes: &[u8]) -> Option<Instruction> {
    let bits = if is_64_bit { 64 } else { 32 };
    let mut decoder = Decoder::with_ip(bits, bytes, address, DecoderOptions::NONE);
    if !decoder.can_decode() {
        return None;
    }
    let decoded = decoder.decode();
    if decoded.is_invalid() {
        return None;
    }
    let branch = |kind, call, is_return, target| Some(Branch { kind, call, is_return, target });
    let target = decoded.near_branch_target();
    let branch = match decoded.flow_control() {
        // A system call pushes no return address on the stack.
        FlowControl::Call if is_system_call(decoded.mnemonic()) => {
            branch(Kind::Exception, false, false, 0)
        }
        FlowControl::Next | FlowControl::XbeginXabortXend => None,
        // ud2 and similar instructions never retire.
        FlowControl::Exception => return None,
        FlowControl::UnconditionalBranch => branch(Kind::DirectJump, false, false, target),
        FlowControl::ConditionalBranch => branch(Kind::DirectConditional, false, false, target),
        FlowControl::Call => branch(Kind::DirectJump, true, false, target),
        FlowControl::IndirectBranch => branch(Kind::IndirectJump, false, false, 0),
        FlowControl::IndirectCall => branch(Kind::IndirectJump, true, false, 0),
        FlowControl::Return => branch(Kind::IndirectJump, false, true, 0),
        FlowControl::Interrupt => branch(Kind::Exception, false, false, 0),
    };
    Some(Instruction { length: decoded.len() as u8, branch })
}

fn is_system_call(mnemonic: Mnemonic) -> bool {
    use Mnemonic::{Syscall, Sysenter, Vmcall, Vmmcall};
    matches!(mnemonic, Syscall | Sysenter | Vmcall | Vmmcall)
}

/// True for a string instruction with a REP prefix.
pub(crate) fn repeats(bytes: &[u8]) -> bool {
    let is_prefix = |byte: &u8| matches!(byte, 0x26 | 0x2e | 0x36 | 0x3e | 0x40..=0x4f | 0x64..=0x67 | 0xf0 | 0xf2 | 0xf3);
    let prefixes = bytes.iter().take_while(|byte| is_prefix(byte)).count();
    let repeats = bytes[..prefixes].iter().any(|byte| matches!(byte, 0xf2 | 0xf3));
    let is_string = |opcode: &u8| matches!(opcode, 0x6c..=0x6f | 0xa4..=0xa7 | 0xaa..=0xaf);
    repeats && bytes.get(prefixes).is_some_and(is_string)
}
