//! An instruction at the pins: what it does to the flow as far as the port says, before the next one comes.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::{CallLength, Processor};
use tracewright_sim::event::Kind as InstructionKind;
use tracewright_sim::rvfi::{Compressed, Config, Trapped, Xlen};

use super::classifier::{Classifier, stated};
use super::offset::{OFFSET_BITS, Offset};
use super::order::Shown;

packed! {
    /// An instruction until the next one says where it led.
    pub Held of (config: &Config, address_bits: usize) {
        let says_next = usize::from(config.pins.next);
        let says_length = usize::from(config.pins.next && config.compressed == Compressed::Expanded);
    }
    program_counter: address_bits;
    /// an exception: it has trapped, and not retired
    branch_kind: 3;
    call: 1;
    is_return: 1;
    trap_return: says_next;
    /// it has four bytes, not two; of a call of which that is not known, as a decoder takes it
    is_long: 1;
    /// the port says that a branch led to its target
    says_taken: says_next;
    /// the port says that it led to the address after two bytes
    says_short: says_length;
    /// the port says that it led to the address after four bytes
    says_long: says_length;
    /// where it goes if it jumps, as far as word and port say
    target: address_bits;
}

packed! {
    /// The offset of a direct jump or branch, in alignment units with as many bits as an address.
    pub Distance of (address_bits: usize, alignment: usize) {
        let zeros = usize::from(alignment == 0);
        let low_bits = if alignment == 2 { OFFSET_BITS - 1 } else { OFFSET_BITS };
    }
    zero: zeros;
    low: low_bits;
    sign: address_bits - low_bits - zeros;
}

block! {
    /// What the pins say of an instruction.
    pub Instruction("instruction") of (config: &Config, processor: &Processor) {
        let byte_bits = processor.address_width as usize;
        let address_bits = processor.instruction_address_bits() as usize;
        let alignment = processor.alignment as usize;
        let says_next = config.pins.next;
        let traps_are_there = config.pins.trap;
        let checks_trap = config.trap == Trapped::Checked;
        let is_expanded = config.compressed == Compressed::Expanded;
        let says_where = says_next && (is_expanded || checks_trap);
        let near_calls = is_expanded && CallLength::of(processor) == CallLength::Expanded32;
    }
    parameters {
        xlen = if config.xlen == Xlen::Rv32 { 32 } else { 64 },
        address_width = byte_bits,
        ..stated(config.extensions),
    }

    in shown: Shown(config, byte_bits);
    out held: Held(config, address_bits);
    block classifier: Classifier(config.xlen, config.extensions);
    block offset: Offset();
    /// in alignment units, as all below
    local program_counter: address_bits;
    local next_address: if says_next { address_bits } else { 0 };
    /// from the instruction to its target
    local distance: Distance(address_bits, alignment);
    local direct_target: address_bits;
    local target: address_bits;
    /// kind of the instruction; an exception if it traps
    local branch_kind: 3;
    local is_long: 1;
    /// a direct call of two bytes could lead to the target
    local is_near: usize::from(is_expanded);
    /// the bits of the offset that a call of two bytes does not have, and its sign
    local upper: if near_calls { 10 } else { 0 };
    local says_taken: usize::from(says_next);
    /// the port says that it led to the following address
    local says_short: usize::from(says_where);
    local says_long: usize::from(says_where);
    local says_following: usize::from(checks_trap);
    /// the port says that it led where it can lead
    local leads: usize::from(checks_trap);
    constant sequential: 3 = 0;
    constant direct_jump: 3 = InstructionKind::DirectJump.pin_code();
    constant direct_conditional: 3 = InstructionKind::DirectConditional.pin_code();
    constant indirect_jump: 3 = InstructionKind::IndirectJump.pin_code();
    constant exception: 3 = InstructionKind::Exception.pin_code();
    param alignment = alignment;
    /// units of two and of four bytes
    param short = Word::new(address_bits, 2 >> alignment);
    param long = Word::new(address_bits, 4 >> alignment);
    param offset_shift = usize::from(alignment == 2);
    param sign = OFFSET_BITS - 1;
    param traps_are_there = traps_are_there;
    param checks_trap = checks_trap;
    param says_next = says_next;
    param says_where = says_where;
    param says_length = says_next && is_expanded;
    param is_raw = config.compressed == Compressed::Raw;
    param is_expanded = is_expanded;
    param near_calls = near_calls;
}

/// Where an instruction led, as far as the port says.
#[piece]
pub(crate) fn leads() {
    target = direct_target;
    if when(says_next) {
        next_address = resized(shown.next_pc >> alignment);
        says_taken = next_address == direct_target;
        held.says_taken = says_taken;
    }
    if when(says_where) {
        says_short = next_address == program_counter + short;
        says_long = next_address == program_counter + long;
    }
    if when(says_length) {
        held.says_short = says_short;
        held.says_long = says_long;
    }
    if when(traps_are_there) {
        if when(checks_trap) {
            says_following = says_long;
            if when(is_expanded) {
                says_following = says_short | says_long;
            } else if !is_long {
                says_following = says_short;
            }
            leads = 1;
            if branch_kind == sequential {
                leads = says_following;
            } else if branch_kind == direct_jump {
                leads = says_taken;
            } else if branch_kind == direct_conditional {
                leads = says_taken | says_following;
            }
            if shown.trap & !leads {
                branch_kind = exception;
            }
        } else if shown.trap {
            branch_kind = exception;
        }
    }
    if when(says_next) {
        if branch_kind == indirect_jump || branch_kind == exception {
            target = next_address;
        }
    }
}

#[kernel]
impl Logic for Instruction {
    fn update(&mut self) {
        classifier.insn = shown.insn;
        offset.insn = shown.insn;
        program_counter = resized(shown.pc >> alignment);
        distance = Distance { zero: 0, low: fitted(offset.half_words >> offset_shift), sign: 0 };
        if offset.half_words.get_bit(sign) {
            distance.sign = !resized(0);
        }
        direct_target = program_counter + distance;

        branch_kind = classifier.branch_kind;
        is_long = classifier.is_long;
        if when(is_expanded) {
            // As encoder and decoder take a call.
            is_near = 0;
            if when(near_calls) {
                upper = resized(offset.half_words >> 10, 10);
                is_near = !bit(upper) | upper.all();
            }
            is_long = bit(branch_kind == direct_jump) & !is_near;
        } else if when(!is_raw) {
            is_long = !shown.compressed;
        }

        crate::rvfi::instruction::leads!();

        held = Held {
            program_counter,
            branch_kind,
            call: classifier.call,
            is_return: classifier.is_return,
            trap_return: classifier.trap_return,
            is_long,
            target,
        };
    }
}
