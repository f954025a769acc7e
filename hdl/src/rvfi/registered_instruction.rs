//! What the pins say of an instruction, with registers between the steps in which it is found.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::{CallLength, Processor};
use tracewright_sim::event::Kind as InstructionKind;
use tracewright_sim::rvfi::{Compressed, Config, Trapped, Xlen};

use super::classifier::{Classifier, stated};
use super::instruction::{Distance, Held};
use super::offset::{OFFSET_BITS, Offset};
use super::order::Shown;

packed! {
    /// What the word of an instruction says.
    pub Class of (near_bits: usize, says_next: usize);
    branch_kind: 3;
    call: 1;
    is_return: 1;
    trap_return: says_next;
    is_long: 1;
    /// a direct call of two bytes could lead to the target
    is_near: near_bits;
}

block! {
    /// Says two cycles later what `Instruction` says: the word is classified in the first one, and the target of a direct
    /// jump or branch is found in the second one.
    pub RegisteredInstruction("registered_instruction") of (config: &Config, processor: &Processor) {
        let byte_bits = processor.address_width as usize;
        let address_bits = processor.instruction_address_bits() as usize;
        let alignment = processor.alignment as usize;
        let says_next = config.pins.next;
        let traps_are_there = config.pins.trap;
        let checks_trap = config.trap == Trapped::Checked;
        let is_expanded = config.compressed == Compressed::Expanded;
        let says_where = says_next && (is_expanded || checks_trap);
        let near_calls = is_expanded && CallLength::of(processor) == CallLength::Expanded32;
        let shown_bits = Shown::<View>::new(config, byte_bits).width();
        let near_bits = usize::from(near_calls);
        let class_bits = Class::<View>::new(near_bits, usize::from(says_next)).width();
    }
    parameters {
        xlen = if config.xlen == Xlen::Rv32 { 32 } else { 64 },
        address_width = byte_bits,
        ..stated(config.extensions),
    }

    in valid: 1;
    in pins: Shown(config, byte_bits);
    /// what came two cycles before
    out later_valid: 1;
    out later: shown_bits;
    out held: Held(config, address_bits);
    /// an instruction comes, or is on its way
    out arrives: 1;
    block classifier: Classifier(config.xlen, config.extensions);
    block offset: Offset();
    reg first_valid: 1;
    reg first_shown: shown_bits = undefined;
    reg first_class: class_bits = undefined;
    reg first_half_words: OFFSET_BITS = undefined;
    reg second_valid: 1;
    reg second_shown: shown_bits = undefined;
    reg second_class: class_bits = undefined;
    reg second_target: address_bits = undefined;
    view first: Shown(config, byte_bits);
    view shown: Shown(config, byte_bits);
    local found: Class(near_bits, usize::from(says_next));
    view known: Class(near_bits, usize::from(says_next));
    /// the bits of the offset that a call of two bytes does not have, and its sign
    local upper: if near_calls { 10 } else { 0 };
    /// in alignment units, as all below
    local first_address: address_bits;
    /// from the instruction to its target
    local distance: Distance(address_bits, alignment);
    local program_counter: address_bits;
    local next_address: if says_next { address_bits } else { 0 };
    local direct_target: address_bits;
    local target: address_bits;
    /// kind of the instruction; an exception if it traps
    local branch_kind: 3;
    local is_long: 1;
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

#[kernel]
impl Logic for RegisteredInstruction {
    fn update(&mut self) {
        // What the word says.
        classifier.insn = pins.insn;
        offset.insn = pins.insn;
        found = Class {
            branch_kind: classifier.branch_kind,
            call: classifier.call,
            is_return: classifier.is_return,
            is_long: classifier.is_long,
        };
        if when(says_next) {
            found.trap_return = classifier.trap_return;
        }
        if when(near_calls) {
            upper = resized(offset.half_words >> 10, 10);
            found.is_near = !bit(upper) | upper.all();
        }
        first_valid.d = valid;
        first_shown.d = pins;
        first_class.d = found;
        first_half_words.d = offset.half_words;

        // Where a direct jump or branch leads.
        first = first_shown.q;
        first_address = resized(first.pc >> alignment);
        distance = Distance { zero: 0, low: fitted(first_half_words.q >> offset_shift), sign: 0 };
        if first_half_words.q.get_bit(sign) {
            distance.sign = !resized(0);
        }
        second_valid.d = first_valid.q;
        second_shown.d = first_shown.q;
        second_class.d = first_class.q;
        second_target.d = first_address + distance;

        // Where the instruction led.
        shown = second_shown.q;
        known = second_class.q;
        program_counter = resized(shown.pc >> alignment);
        direct_target = second_target.q;
        branch_kind = known.branch_kind;
        is_long = known.is_long;
        if when(is_expanded) {
            // As encoder and decoder take a call.
            is_long = branch_kind == direct_jump;
            if when(near_calls) {
                is_long = bit(branch_kind == direct_jump) & !known.is_near;
            }
        } else if when(!is_raw) {
            is_long = !shown.compressed;
        }
        crate::rvfi::instruction::leads!();

        held = Held {
            program_counter,
            branch_kind,
            call: known.call,
            is_return: known.is_return,
            trap_return: known.trap_return,
            is_long,
            target,
        };
        later_valid = second_valid.q;
        later = second_shown.q;
        arrives = valid | first_valid.q | second_valid.q;
    }
}
