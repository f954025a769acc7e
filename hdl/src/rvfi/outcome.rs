//! Where an instruction led: the rule.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::Processor;
use tracewright_sim::event::Kind as InstructionKind;
use tracewright_sim::rvfi::{Compressed, Config};

use super::instruction::Held;

packed! {
    /// An instruction and what it did, as it waits in the queue.
    pub Waiting of (address_bits: usize);
    program_counter: address_bits;
    /// an exception: it has trapped, and not retired
    branch_kind: 3;
    call: 1;
    is_return: 1;
    /// it led to the target; of one that has trapped, a flush shows its handler
    taken: 1;
    is_long: 1;
    target: address_bits;
}

block! {
    /// What an instruction did, when the next one comes or a flush does not wait for it.
    pub Outcome("outcome") of (config: &Config, processor: &Processor) {
        let address_bits = processor.instruction_address_bits() as usize;
        let says_next = config.pins.next;
        let has_interrupt = config.pins.interrupt;
        let is_expanded = config.compressed == Compressed::Expanded;
    }
    parameters {
        address_bits,
    }

    in held: Held(config, address_bits);
    /// a flush has shown it already, as one that jumps or does not
    in was_shown: usize::from(says_next);
    in shown_taken: usize::from(says_next);
    /// address of the next instruction, in alignment units
    in next_address: address_bits;
    /// the next instruction is the first of a handler
    in interrupt: usize::from(has_interrupt);
    /// a flush shows where it led, and does not wait for the next instruction
    in alone: 1;
    out waiting: Waiting(address_bits);
    /// the flow was diverted before the next instruction
    out diverted: 1;
    local is_handler: 1;
    /// of one that was shown, what it did then, which only the port's next address leaves open
    local branch_kind: 3;
    local step: address_bits;
    /// bits in which the next address differs from this one
    local differs: address_bits;
    /// those in which it has to, above the step's
    local carries: address_bits;
    local after_long: usize::from(is_expanded);
    /// the next instruction follows
    local follows: 1;
    local at_target: 1;
    /// a branch goes on at the following address
    local goes_on: 1;
    local jumps: 1;
    local taken: 1;
    local target: address_bits;
    constant sequential: 3 = 0;
    constant direct_jump: 3 = InstructionKind::DirectJump.pin_code();
    constant direct_conditional: 3 = InstructionKind::DirectConditional.pin_code();
    constant indirect_jump: 3 = InstructionKind::IndirectJump.pin_code();
    constant exception: 3 = InstructionKind::Exception.pin_code();
    /// units of two and of four bytes
    param short = Word::new(address_bits, 2 >> processor.alignment);
    param long = Word::new(address_bits, 4 >> processor.alignment);
    param says_next = says_next;
    param has_interrupt = has_interrupt;
    param is_expanded = is_expanded;
}

#[kernel]
impl Logic for Outcome {
    fn update(&mut self) {
        is_handler = 0;
        if when(has_interrupt) {
            // After a trap its handler is no other one.
            is_handler = bit(interrupt) & bit(held.branch_kind != exception);
        }
        step = short;
        if when(!is_expanded) {
            if held.is_long {
                step = long;
            }
        }
        // An address differs from one before it by a power of two in that bit, and in each bit above one that differs and is
        // set. This is a sum compared without its carries, which would be on the longest path.
        differs = next_address ^ held.program_counter;
        carries = (differs & held.program_counter) << 1;
        follows = differs == (carries | step);
        if when(is_expanded) {
            // Two bytes, or four.
            after_long = differs == (carries | long);
            if when(says_next) {
                follows = (follows & held.says_short) | (after_long & held.says_long);
            } else {
                follows = follows | after_long;
            }
        }
        at_target = next_address == held.target;
        goes_on = follows & !is_handler;
        jumps = at_target & !is_handler;
        // Of a branch of unknown length to one of the two addresses after it, the target is certain.
        if when(!is_expanded) {
            jumps = jumps & !goes_on;
        }

        branch_kind = held.branch_kind;
        if when(says_next) {
            if was_shown {
                branch_kind = direct_jump;
                if !shown_taken {
                    branch_kind = sequential;
                }
            }
        }
        taken = 1;
        target = held.target;
        diverted = !at_target | is_handler;
        if branch_kind == sequential {
            taken = 0;
            diverted = !follows | is_handler;
        } else if branch_kind == direct_conditional {
            taken = jumps;
            diverted = !(goes_on | jumps);
            if when(says_next) {
                // Where neither is certain the port may say it.
                taken = jumps | (held.says_taken & !goes_on);
                if alone {
                    taken = held.says_taken;
                }
            }
        } else if branch_kind == exception {
            diverted = 1;
            taken = alone;
        } else if branch_kind == indirect_jump {
            if when(says_next) {
                if held.trap_return & !is_handler {
                    diverted = 0;
                    if !alone {
                        target = next_address;
                    }
                }
            } else {
                diverted = is_handler;
                target = next_address;
            }
        }

        waiting = Waiting {
            program_counter: held.program_counter,
            branch_kind: held.branch_kind,
            call: held.call,
            is_return: held.is_return,
            taken,
            is_long: held.is_long,
            target,
        };
    }
}
