//! The adapter between a core's RISC-V formal interface and a trace module.
//!
//! An instruction is classified as it comes and waits in a queue. Sequential ones are only counted; a
//! jump or branch is a block, and a diversion of the flow one in the clock of the sequential instruction
//! behind it. So an instruction every clock is kept up with. Only a diversion right to a jump takes a
//! clock more, which a core has in that place: the queue holds what comes nevertheless.

pub mod classifier;

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::Processor;
use tracewright_sim::rvfi::{Config, Xlen};

use crate::encode::fifo::Fifo;
use classifier::Classifier;

/// What RVFI says of each instruction, as the blocks of a trace module (docs/hardware.md).
#[derive(LogicBlock)]
pub struct Rvfi {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
    /// An instruction retires.
    pub rvfi_valid: Wire<In>,
    /// Its word.
    pub rvfi_insn: Wire<In>,
    /// It ended in a trap.
    pub rvfi_trap: Wire<In>,
    /// It is the first of a handler.
    pub rvfi_intr: Wire<In>,
    /// Its address.
    pub rvfi_pc_rdata: Wire<In>,
    /// The address of the next one.
    pub rvfi_pc_wdata: Wire<In>,
    /// The core is to stop retiring.
    pub stall: Wire<Out>,
    /// An instruction came when there was no place for it: the trace is wrong from there on.
    pub lost: Wire<Out>,
    /// The trace is to end, a level.
    pub flush: Wire<In>,
    /// So it is, and the trace module has everything from before.
    pub drained: Wire<Out>,
    /// There is a block for the trace module.
    pub retire_valid: Wire<Out>,
    /// Its instructions.
    pub retire_count: Wire<Out>,
    /// Byte address of its last instruction.
    pub retire_pc: Wire<Out>,
    /// Length of that in bytes.
    pub retire_length: Wire<Out>,
    /// What it is.
    pub retire_kind: Wire<Out>,
    /// It leaves a return address.
    pub retire_call: Wire<Out>,
    /// It goes back to one.
    pub retire_return: Wire<Out>,
    /// The flow changed.
    pub retire_taken: Wire<Out>,
    /// Where to.
    pub retire_target: Wire<Out>,
    /// The trace module does not take the block.
    pub retire_stall: Wire<In>,
    classifier: Classifier,
    queue: Fifo,
    // At the pins.
    expected: Reg,
    expects: Reg,
    lost_any: Reg,
    program_counter: Wire<Local>,
    next: Wire<Local>,
    branch_kind: Wire<Local>,
    fall_through: Wire<Local>,
    step: Wire<Local>,
    jumps: Wire<Local>,
    taken: Wire<Local>,
    diverted: Wire<Local>,
    // Behind the queue.
    instructions: Reg,
    last_program_counter: Reg,
    diversion_shown: Reg,
    drained_once: Reg,
    returned: Reg,
    return_target: Reg,
    word: Wire<Local>,
    out_kind: Wire<Local>,
    out_program_counter: Wire<Local>,
    out_target: Wire<Local>,
    out_diverted: Wire<Local>,
    out_interrupt: Wire<Local>,
    out_trap_return: Wire<Local>,
    shown_program_counter: Wire<Local>,
    shown_target: Wire<Local>,
    takes: Wire<Local>,
    shows: Wire<Local>,
    is_sequential: Wire<Local>,
    alignment: Param,
    before_most: Param,
    counts: Param,
    stall_level: Param,
    kind_place: Param,
    call_place: Param,
    return_place: Param,
    taken_place: Param,
    long_place: Param,
    diverted_place: Param,
    interrupt_place: Param,
    trap_return_place: Param,
    target_place: Param,
    _address_bits: usize,
    _byte_bits: usize,
    _word_bits: usize,
    _count_bits: usize,
}

impl Rvfi {
    /// The adapter of `config` for a trace module of this processor.
    pub fn new(config: &Config, processor: &Processor) -> Self {
        let byte_bits = processor.address_width as usize;
        let address_bits = processor.instruction_address_bits() as usize;
        let count_bits = processor.retire_count_bits as usize;
        let depth = config.queue_depth as usize;
        let slack = config.slack as usize;
        let word_bits = 2 * address_bits + 10;
        let flag = |at: usize| Param::new(address_bits + at);
        Self {
            kind: Kind::new(
                "rvfi",
                [
                    ("xlen", if config.xlen == Xlen::Rv32 { 32 } else { 64 }),
                    ("address_width", byte_bits),
                    ("queue_depth", depth),
                    ("slack", slack),
                ],
            ),
            domain: Domain::new(),
            rvfi_valid: Wire::new(1).describe("an instruction retires in this clock"),
            rvfi_insn: Wire::new(32),
            rvfi_trap: Wire::new(1),
            rvfi_intr: Wire::new(1),
            rvfi_pc_rdata: Wire::new(byte_bits),
            rvfi_pc_wdata: Wire::new(byte_bits),
            stall: Wire::new(1).describe(format!("stop retiring: room for {slack} more")),
            lost: Wire::new(1).describe("sticky: an instruction found no place"),
            flush: Wire::new(1).describe("level: end the trace here"),
            drained: Wire::new(1).describe("the trace module is to see flush"),
            retire_valid: Wire::new(1),
            retire_count: Wire::new(count_bits),
            retire_pc: Wire::new(byte_bits),
            retire_length: Wire::new(4),
            retire_kind: Wire::new(3),
            retire_call: Wire::new(1),
            retire_return: Wire::new(1),
            retire_taken: Wire::new(1),
            retire_target: Wire::new(byte_bits),
            retire_stall: Wire::new(1).describe("the trace module's stall"),
            classifier: Classifier::new(config.xlen),
            queue: Fifo::new(depth, word_bits),
            expected: Reg::new(address_bits, 0),
            expects: Reg::new(1, 0),
            lost_any: Reg::new(1, 0),
            program_counter: Wire::new(address_bits).describe("in alignment units, as all below"),
            next: Wire::new(address_bits),
            branch_kind: Wire::new(3).describe("what traps does not branch"),
            fall_through: Wire::new(address_bits),
            step: Wire::new(3).describe("bytes of the instruction"),
            jumps: Wire::new(1),
            taken: Wire::new(1),
            diverted: Wire::new(1).describe("before this instruction"),
            instructions: Reg::new(count_bits, 0),
            last_program_counter: Reg::new(address_bits, 0),
            diversion_shown: Reg::new(1, 0),
            drained_once: Reg::new(1, 0),
            returned: Reg::new(1, 0),
            return_target: Reg::new(address_bits, 0),
            word: Wire::new(word_bits),
            out_kind: Wire::new(3),
            out_program_counter: Wire::new(address_bits),
            out_target: Wire::new(address_bits),
            out_diverted: Wire::new(1).describe("and not shown yet"),
            out_interrupt: Wire::new(1),
            out_trap_return: Wire::new(1),
            shown_program_counter: Wire::new(address_bits),
            shown_target: Wire::new(address_bits),
            takes: Wire::new(1).describe("the instruction leaves the queue"),
            shows: Wire::new(1).describe("there is a block"),
            is_sequential: Wire::new(1),
            alignment: Param::new(processor.alignment as usize),
            before_most: Param::new((1usize << count_bits) - 2),
            counts: Param::new(usize::from(count_bits > 1)),
            stall_level: Param::new(depth - slack),
            kind_place: flag(0),
            call_place: flag(3),
            return_place: flag(4),
            taken_place: flag(5),
            long_place: flag(6),
            diverted_place: flag(7),
            interrupt_place: flag(8),
            trap_return_place: flag(9),
            target_place: flag(10),
            _address_bits: address_bits,
            _byte_bits: byte_bits,
            _word_bits: word_bits,
            _count_bits: count_bits,
        }
    }
}

impl Logic for Rvfi {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            domain,
            expected,
            expects,
            lost_any,
            instructions,
            last_program_counter,
            diversion_shown,
            drained_once,
            returned,
            return_target
        );
        self.queue.domain.next = self.domain.val();

        // The instruction at the pins.
        self.classifier.insn.next = self.rvfi_insn.val();
        self.program_counter.next =
            bits_to(self.rvfi_pc_rdata.val() >> self.alignment.val(), self._address_bits);
        self.next.next =
            bits_to(self.rvfi_pc_wdata.val() >> self.alignment.val(), self._address_bits);
        self.branch_kind.next = self.classifier.branch_kind.val();
        if self.rvfi_trap.val().any() {
            self.branch_kind.next = 0.into();
        }
        self.step.next = 2.into();
        if self.classifier.is_long.val().any() {
            self.step.next = 4.into();
        }
        self.fall_through.next = self.program_counter.val()
            + bits_to(self.step.val() >> self.alignment.val(), self._address_bits);
        self.jumps.next =
            bits_to(self.branch_kind.val() == 1, 1) | bits_to(self.branch_kind.val() == 3, 1);
        self.taken.next = self.jumps.val();
        if self.branch_kind.val() == 2 && self.next.val() != self.fall_through.val() {
            self.taken.next = 1.into();
        }
        self.diverted.next = self.rvfi_intr.val() | !self.expects.q.val();
        if self.program_counter.val() != self.expected.q.val() {
            self.diverted.next = 1.into();
        }
        if self.rvfi_valid.val().any() {
            self.expects.d.next = !self.rvfi_trap.val();
            self.expected.d.next = self.fall_through.val();
            if self.taken.val().any() {
                self.expected.d.next = self.next.val();
            }
        }

        // The queue.
        self.queue.in_valid.next = self.rvfi_valid.val();
        self.queue.in_word.next = bits_to(self.program_counter.val(), self._word_bits)
            | (bits_to(self.branch_kind.val(), self._word_bits) << self.kind_place.val())
            | (bits_to(self.classifier.call.val(), self._word_bits) << self.call_place.val())
            | (bits_to(self.classifier.is_return.val(), self._word_bits)
                << self.return_place.val())
            | (bits_to(self.taken.val(), self._word_bits) << self.taken_place.val())
            | (bits_to(self.classifier.is_long.val(), self._word_bits) << self.long_place.val())
            | (bits_to(self.diverted.val(), self._word_bits) << self.diverted_place.val())
            | (bits_to(self.rvfi_intr.val(), self._word_bits) << self.interrupt_place.val())
            | (bits_to(self.classifier.trap_return.val() & !self.rvfi_trap.val(), self._word_bits)
                << self.trap_return_place.val())
            | (bits_to(self.next.val(), self._word_bits) << self.target_place.val());
        if self.rvfi_valid.val() > self.queue.in_ready.val() {
            self.lost_any.d.next = 1.into();
        }
        self.lost.next = self.lost_any.q.val();
        // A core that goes on would not let the flush come.
        self.stall.next =
            bits_to(self.queue.level.val() >= self.stall_level.val(), 1) | self.flush.val();

        // The oldest instruction.
        self.word.next = self.queue.out_word.val();
        self.out_program_counter.next = bits_to(self.word.val(), self._address_bits);
        self.out_kind.next = bits_to(self.word.val() >> self.kind_place.val(), 3);
        self.out_target.next =
            bits_to(self.word.val() >> self.target_place.val(), self._address_bits);
        self.out_diverted.next = bits_to(self.word.val() >> self.diverted_place.val(), 1)
            & !self.diversion_shown.q.val();
        self.out_interrupt.next = bits_to(self.word.val() >> self.interrupt_place.val(), 1);
        self.out_trap_return.next = bits_to(self.word.val() >> self.trap_return_place.val(), 1);

        // The block.
        self.is_sequential.next = bits_to(self.out_kind.val() == 0, 1);
        self.shows.next = 0.into();
        self.takes.next = self.queue.out_valid.val();
        self.retire_kind.next = 0.into();
        self.retire_count.next = self.instructions.q.val();
        self.shown_program_counter.next = self.last_program_counter.q.val();
        self.shown_target.next = self.out_target.val();
        if self.returned.q.val().any() {
            // Where a return from a trap went the instruction behind it says, if there is one.
            self.shows.next =
                self.queue.out_valid.val() | (self.flush.val() & !self.rvfi_valid.val());
            self.takes.next = 0.into();
            self.retire_kind.next = 3.into();
            self.shown_target.next = self.return_target.q.val();
            if self.queue.out_valid.val() > self.out_interrupt.val() {
                self.shown_target.next = self.out_program_counter.val();
                self.takes.next = self.is_sequential.val() & self.counts.val();
            }
        } else if !self.queue.out_valid.val().any() {
            // Those that are only counted, at the end.
            self.shows.next = self.flush.val() & bits_to(self.instructions.q.val().any(), 1);
        } else if self.out_diverted.val().any() {
            self.shows.next = 1.into();
            self.retire_kind.next = 5.into();
            self.shown_target.next = self.out_program_counter.val();
            // A sequential instruction behind it is only counted, where that is possible.
            self.takes.next = self.is_sequential.val() & self.counts.val();
        } else {
            self.retire_kind.next = self.out_kind.val();
            self.retire_count.next = self.instructions.q.val() + 1;
            self.shown_program_counter.next = self.out_program_counter.val();
            self.shows.next = !self.is_sequential.val();
            // As many as a block can have.
            if self.instructions.q.val() == self.before_most.val() {
                self.shows.next = 1.into();
            }
            if self.out_trap_return.val().any() {
                self.shows.next = 0.into();
            }
        }
        self.retire_valid.next = self.shows.val();
        self.retire_pc.next =
            bits_to(self.shown_program_counter.val(), self._byte_bits) << self.alignment.val();
        self.retire_target.next =
            bits_to(self.shown_target.val(), self._byte_bits) << self.alignment.val();
        self.retire_call.next =
            bits_to(self.word.val() >> self.call_place.val(), 1) & !self.returned.q.val();
        self.retire_return.next =
            bits_to(self.word.val() >> self.return_place.val(), 1) & !self.returned.q.val();
        self.retire_taken.next =
            bits_to(self.word.val() >> self.taken_place.val(), 1) | self.returned.q.val();
        self.retire_length.next = 2.into();
        if bits_to(self.word.val() >> self.long_place.val(), 1).any() {
            self.retire_length.next = 4.into();
        }

        // What is shown waits for the trace module; what is only counted does not.
        if self.shows.val().any() && self.retire_stall.val().any() {
            self.takes.next = 0.into();
        } else {
            if self.shows.val().any() {
                self.instructions.d.next = 0.into();
            }
            if self.returned.q.val().any() {
                // Behind the return is where the flow has gone on, unless that is a handler.
                self.diversion_shown.d.next =
                    self.queue.out_valid.val() & !self.out_interrupt.val();
            } else if self.out_diverted.val().any() {
                self.diversion_shown.d.next = self.queue.out_valid.val();
            }
            if self.shows.val().any() {
                self.returned.d.next = 0.into();
            }
        }
        if self.takes.val().any() {
            self.diversion_shown.d.next = 0.into();
            self.last_program_counter.d.next = self.out_program_counter.val();
            self.returned.d.next = self.out_trap_return.val();
            self.return_target.d.next = self.out_target.val();
            if !self.shows.val().any() {
                self.instructions.d.next = self.instructions.q.val() + 1;
            } else if self.out_diverted.val().any() || self.returned.q.val().any() {
                self.instructions.d.next = 1.into();
            }
        }
        self.queue.out_ready.next = self.takes.val();

        // A flush waits for what came before it, and lasts until it is lowered.
        self.drained.next = 0.into();
        if self.flush.val().any() {
            self.drained.next = self.drained_once.q.val();
            if !self.queue.out_valid.val().any()
                && !self.instructions.q.val().any()
                && !self.rvfi_valid.val().any()
            {
                self.drained.next = 1.into();
            }
        }
        self.drained_once.d.next = self.drained.val();
    }
}
