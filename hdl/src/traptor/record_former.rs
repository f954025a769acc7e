//! The branch and instruction counters, and the decision what is recorded.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::mask;
use tracewright_sim::traptor::config::Config;

use crate::target_difference::TargetDifference;

/// Counts every block and forms at most one record a clock.
#[derive(LogicBlock)]
pub struct RecordFormer {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
    /// A block retires.
    pub retire: Wire<In>,
    /// Its instructions.
    pub count: Wire<In>,
    /// Its last instruction may change the flow.
    pub control_flow: Wire<In>,
    /// It is conditional or indirect.
    pub counted: Wire<In>,
    /// It is conditional.
    pub conditional: Wire<In>,
    /// It is indirect.
    pub indirect: Wire<In>,
    /// An exception comes after it.
    pub exception: Wire<In>,
    /// It is taken.
    pub taken: Wire<In>,
    /// Its target in instruction units.
    pub target: Wire<In>,
    /// Its outcome or its target was not predicted.
    pub missed: Wire<In>,
    /// Make a flush record; never together with `retire`.
    pub flush: Wire<In>,
    /// There is a record.
    pub record_valid: Wire<Out>,
    /// The record, as the layout's format has it.
    pub record: Wire<Out>,
    branch_count: Reg,
    instruction_count: Reg,
    target_difference: Opt<TargetDifference>,
    branch_count_next: Wire<Local>,
    total: Wire<Local>,
    mispredicted: Wire<Local>,
    branch_overflow: Wire<Local>,
    clears: Wire<Local>,
    crosses: Wire<Local>,
    upper_half: Wire<Local>,
    instruction_overflow: Wire<Local>,
    overflow_first: Wire<Local>,
    instruction_count_top: Wire<Local>,
    counted_instructions: Wire<Local>,
    has_target: Wire<Local>,
    sends_outcome: Wire<Local>,
    excepts: Wire<Local>,
    record_count: Wire<Local>,
    sent_target: Wire<Local>,
    below: Wire<Local>,
    outcome_bit_for_jumps: Param,
    before_limit: Param,
    half: Param,
    count_top: Param,
    flush_place: Param,
    overflow_first_place: Param,
    instruction_count_overflow_place: Param,
    branch_count_overflow_place: Param,
    exception_place: Param,
    sends_branch_count_place: Param,
    sends_instruction_count_place: Param,
    sends_outcome_place: Param,
    sends_target_place: Param,
    taken_place: Param,
    below_place: Param,
    count_place: Param,
    target_place: Param,
    takes_difference: Param,
    _instruction_bits: usize,
    _half_bits: usize,
    _total_bits: usize,
    _branch_bits: usize,
    _count_bits: usize,
    _record_bits: usize,
}

impl RecordFormer {
    /// The record former of `config`.
    pub fn new(config: &Config) -> Self {
        let format = config.format();
        let place = |name: &str| Param::new(format.place(name) as usize);
        let count_bits = format.width("count") as usize;
        let branch_bits = config.branch_count_bits as usize;
        let instruction_bits = config.instruction_count_bits as usize;
        let target_bits = format.width("target") as usize;
        let takes_difference = config.port.is_parallel();
        let retired_bits = config.processor.retire_count_bits as usize;
        let outcome_bit_for_jumps = usize::from(config.outcome_bit_for_jumps);
        Self {
            kind: Kind::new(
                "record_former",
                [
                    ("branch_count_bits", branch_bits),
                    ("instruction_count_bits", instruction_bits),
                    ("retire_count_bits", retired_bits),
                    ("target_bits", target_bits),
                    ("outcome_bit_for_jumps", outcome_bit_for_jumps),
                    ("takes_difference", usize::from(takes_difference)),
                ],
            ),
            domain: Domain::new(),
            retire: Wire::new(1).describe("a block retires"),
            count: Wire::new(retired_bits).describe("its instructions"),
            control_flow: Wire::new(1).describe("its last instruction may change the flow"),
            counted: Wire::new(1).describe("conditional or indirect"),
            conditional: Wire::new(1),
            indirect: Wire::new(1),
            exception: Wire::new(1),
            taken: Wire::new(1),
            target: Wire::new(target_bits).describe("in instruction units"),
            missed: Wire::new(1).describe("outcome or target was not predicted"),
            flush: Wire::new(1).describe("make a flush record"),
            record_valid: Wire::new(1),
            record: Wire::new(format.bits() as usize),
            branch_count: Reg::new(branch_bits, 0),
            instruction_count: Reg::new(instruction_bits, 0),
            target_difference: Opt::new(takes_difference, TargetDifference::new(&config.processor)),
            branch_count_next: Wire::new(branch_bits),
            total: Wire::new(instruction_bits + 1),
            mispredicted: Wire::new(1),
            branch_overflow: Wire::new(1),
            clears: Wire::new(1),
            crosses: Wire::new(1),
            upper_half: Wire::new(1),
            instruction_overflow: Wire::new(1),
            overflow_first: Wire::new(1),
            instruction_count_top: Wire::new(1),
            counted_instructions: Wire::new(instruction_bits),
            has_target: Wire::new(1),
            sends_outcome: Wire::new(1),
            excepts: Wire::new(1),
            record_count: Wire::new(count_bits),
            sent_target: Wire::new(target_bits),
            below: Wire::new(1),
            outcome_bit_for_jumps: Param::new(outcome_bit_for_jumps),
            before_limit: Param::new(Word::new(branch_bits, mask(config.branch_count_bits) - 1)),
            half: Param::new(instruction_bits - 1),
            count_top: Param::new(instruction_bits),
            flush_place: place("flush"),
            overflow_first_place: place("overflow_first"),
            instruction_count_overflow_place: place("instruction_count_overflow"),
            branch_count_overflow_place: place("branch_count_overflow"),
            exception_place: place("exception"),
            sends_branch_count_place: place("sends_branch_count"),
            sends_instruction_count_place: place("sends_instruction_count"),
            sends_outcome_place: place("sends_outcome"),
            sends_target_place: place("sends_target"),
            taken_place: place("taken"),
            below_place: if takes_difference { place("below") } else { Param::new(0) },
            count_place: place("count"),
            target_place: place("target"),
            takes_difference: Param::new(usize::from(takes_difference)),
            _instruction_bits: instruction_bits,
            _half_bits: instruction_bits - 1,
            _total_bits: instruction_bits + 1,
            _branch_bits: branch_bits,
            _count_bits: count_bits,
            _record_bits: format.bits() as usize,
        }
    }
}

impl Logic for RecordFormer {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, domain, branch_count, instruction_count);
        self.mispredicted.next = self.retire.val() & self.missed.val();

        // The counters.
        self.branch_count_next.next = self.branch_count.q.val()
            + bits_to(self.retire.val() & self.counted.val(), self._branch_bits);
        self.total.next = bits_to(self.instruction_count.q.val(), self._total_bits);
        if self.retire.val().any() {
            self.total.next = bits_to(self.instruction_count.q.val(), self._total_bits)
                + bits_to(self.count.val(), self._total_bits);
        }
        self.branch_overflow.next = 0.into();
        if self.branch_count.q.val() == self.before_limit.val() {
            self.branch_overflow.next =
                self.retire.val() & self.counted.val() & !self.mispredicted.val();
        }
        self.clears.next = self.mispredicted.val()
            | self.branch_overflow.val()
            | (self.retire.val() & self.exception.val())
            | self.flush.val();
        // A sequential instruction that leaves the range takes half of it off. The last one of a
        // block that ends in a branch is not sequential: reaching the range with it crosses nothing.
        self.crosses.next = 0.into();
        if self.total.val().get_bit(self.count_top.val()) {
            self.crosses.next = self.retire.val();
            if self.control_flow.val().any() && !self.exception.val().any() {
                self.crosses.next = self.retire.val()
                    & bits_to(bits_to(self.total.val(), self._instruction_bits).any(), 1);
            }
        }
        // So does a control-flow instruction without another record, in the upper half.
        self.upper_half.next = bits_to(self.total.val() >> self.half.val(), 1)
            | bits_to(self.total.val() >> self.count_top.val(), 1);
        self.instruction_overflow.next = self.retire.val()
            & self.upper_half.val()
            & self.control_flow.val()
            & !self.clears.val();
        self.overflow_first.next =
            self.crosses.val() & (self.clears.val() | self.instruction_overflow.val());
        if self.crosses.val().any() && !self.control_flow.val().any() {
            self.instruction_overflow.next = 1.into();
            self.overflow_first.next = 0.into();
        }

        // What is taken off are whole halves, so that only the top bit of the count depends on it.
        self.instruction_count_top.next = self.upper_half.val();
        if self.instruction_overflow.val().any() && self.control_flow.val().any() {
            self.instruction_count_top.next =
                bits_to(self.total.val() >> self.count_top.val(), 1) & !self.crosses.val();
        }
        self.counted_instructions.next =
            (bits_to(self.instruction_count_top.val(), self._instruction_bits) << self.half.val())
                | bits_to(bits_to(self.total.val(), self._half_bits), self._instruction_bits);
        self.branch_count.d.next = self.branch_count_next.val();
        self.instruction_count.d.next = self.counted_instructions.val();
        if self.clears.val().any() {
            self.branch_count.d.next = 0.into();
            self.instruction_count.d.next = 0.into();
        }

        // The record.
        self.excepts.next = self.retire.val() & self.exception.val();
        self.record_valid.next = self.clears.val() | self.instruction_overflow.val();
        self.sends_outcome.next = self.mispredicted.val() & self.indirect.val();
        if self.outcome_bit_for_jumps.val() == 0 {
            self.sends_outcome.next =
                self.mispredicted.val() & self.indirect.val() & self.conditional.val();
        }
        self.has_target.next =
            (self.mispredicted.val() & self.indirect.val() & self.taken.val()) | self.excepts.val();
        self.record_count.next = bits_to(self.counted_instructions.val(), self._count_bits);
        if self.mispredicted.val().any() {
            self.record_count.next = bits_to(self.branch_count_next.val(), self._count_bits);
        }

        // A serial encoder takes the difference itself.
        self.sent_target.next = self.target.val();
        self.below.next = 0.into();
        if self.takes_difference.val() == 1 {
            self.target_difference.domain.next = self.domain.val();
            self.target_difference.target.next = self.target.val();
            self.target_difference.send.next = self.has_target.val();
            self.sent_target.next = self.target_difference.magnitude.val();
            self.below.next = self.target_difference.below.val();
        }

        self.record.next = (bits_to(self.overflow_first.val(), self._record_bits)
            << self.overflow_first_place.val())
            | (bits_to(self.flush.val(), self._record_bits) << self.flush_place.val())
            | (bits_to(self.instruction_overflow.val(), self._record_bits)
                << self.instruction_count_overflow_place.val())
            | (bits_to(self.branch_overflow.val(), self._record_bits)
                << self.branch_count_overflow_place.val())
            | (bits_to(self.excepts.val(), self._record_bits) << self.exception_place.val())
            | (bits_to(self.mispredicted.val(), self._record_bits)
                << self.sends_branch_count_place.val())
            | (bits_to(self.excepts.val() | self.flush.val(), self._record_bits)
                << self.sends_instruction_count_place.val())
            | (bits_to(self.sends_outcome.val(), self._record_bits)
                << self.sends_outcome_place.val())
            | (bits_to(self.has_target.val(), self._record_bits) << self.sends_target_place.val())
            | (bits_to(self.taken.val(), self._record_bits) << self.taken_place.val())
            | (bits_to(self.record_count.val(), self._record_bits) << self.count_place.val())
            | (bits_to(self.sent_target.val(), self._record_bits) << self.target_place.val())
            | (bits_to(self.below.val(), self._record_bits) << self.below_place.val());
    }
}
