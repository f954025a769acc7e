//! The compressor of one core: blocks in, records out.

use tracewright_elaborate::prelude::*;
use tracewright_sim::traptor::config::Config;

use super::gshare::Gshare;
use super::record_former::RecordFormer;
use super::target_predictor::TargetPredictor;
use super::top::Stage;

/// What is said of a block in single bits, on its way to the record former.
mod flag {
    pub const RETIRE: usize = 0;
    pub const FLUSH: usize = 1;
    pub const CONTROL_FLOW: usize = 2;
    pub const CONDITIONAL: usize = 3;
    pub const INDIRECT: usize = 4;
    pub const EXCEPTION: usize = 5;
    pub const TAKEN: usize = 6;
    pub const CALL: usize = 7;
    pub const RETURN: usize = 8;
    pub const OUTCOME_MISSED: usize = 9;
    pub const PREDICTED: usize = 10;
    /// A flag for every part of the target that is not as predicted.
    pub const DIFFERS: usize = 11;
}

/// Target bits that are compared before the stage of the record former.
const PART_BITS: usize = 8;

/// Predictors and record former.
///
/// A record leaves in the clock of its block, or three clocks later where tables are read through
/// registers: the tables are read in the first clock, what they say is compared part by part in the
/// second, and the record is formed in the third, to leave in the fourth. Either way a block is taken every clock.
#[derive(LogicBlock)]
pub struct Encoder {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
    /// The tables are being cleared.
    pub clear: Wire<In>,
    /// The entry to clear, in its lower bits.
    pub clear_index: Wire<In>,
    /// A block retires; only when `ready`.
    pub retire: Wire<In>,
    /// Its instructions.
    pub count: Wire<In>,
    /// Byte address of its last instruction.
    pub program_counter: Wire<In>,
    /// Length of that instruction in bytes.
    pub length: Wire<In>,
    /// What that instruction is.
    pub branch_kind: Wire<In>,
    /// It leaves a return address.
    pub call: Wire<In>,
    /// It goes back to one.
    pub is_return: Wire<In>,
    /// The flow changed.
    pub taken: Wire<In>,
    /// Where to.
    pub target: Wire<In>,
    /// Make a flush record; only when `ready`, and never together with `retire`.
    pub flush: Wire<In>,
    /// A block or a flush is taken.
    pub ready: Wire<Out>,
    /// No record waits inside.
    pub is_empty: Wire<Out>,
    /// There is a record.
    pub record_valid: Wire<Out>,
    /// The record.
    pub record: Wire<Out>,
    /// It is taken.
    pub record_ready: Wire<In>,
    gshare: Gshare,
    target_predictor: TargetPredictor,
    record_former: RecordFormer,
    read_stage: Opt<Stage>,
    record_stage: Opt<Stage>,
    control_flow: Wire<Local>,
    conditional: Wire<Local>,
    indirect: Wire<Local>,
    exception: Wire<Local>,
    flags: Wire<Local>,
    target_units: Wire<Local>,
    read_flags: Wire<Local>,
    read_count: Wire<Local>,
    read_target: Wire<Local>,
    outcome_missed: Wire<Local>,
    wrong_bits: Wire<Local>,
    wrong_part: Vec<Wire<Local>>,
    differs: Wire<Local>,
    compared_flags: Wire<Local>,
    target_missed: Wire<Local>,
    record_flags: Wire<Local>,
    record_count: Wire<Local>,
    record_target: Wire<Local>,
    formed_valid: Reg,
    formed: Reg,
    is_synchronous: Param,
    at_retire: Param,
    at_flush: Param,
    at_control_flow: Param,
    at_conditional: Param,
    at_indirect: Param,
    at_exception: Param,
    at_taken: Param,
    at_call: Param,
    at_return: Param,
    at_outcome_missed: Param,
    at_predicted: Param,
    at_differs: Param,
    part_bits: Param,
    alignment: Param,
    _target_bits: usize,
    _flag_bits: usize,
    _parts: usize,
}

impl Encoder {
    /// The compressor of `config`, which is valid, with a clear index of `clear_bits`.
    pub fn new(config: &Config, clear_bits: usize) -> Self {
        let address_width = config.processor.address_width as usize;
        let target_bits = config.processor.instruction_address_bits() as usize;
        let count_bits = config.processor.retire_count_bits as usize;
        let is_synchronous = config.is_synchronous();
        let record_bits = config.format().bits() as usize;
        let parts = target_bits.div_ceil(PART_BITS);
        let flag_bits = flag::DIFFERS + parts;
        let stage = || Opt::new(is_synchronous, Stage::new(flag_bits, count_bits, target_bits));
        Self {
            kind: Kind::plain("encoder"),
            domain: Domain::new(),
            clear: Wire::new(1),
            clear_index: Wire::new(clear_bits),
            retire: Wire::new(1).describe("a block retires; only when ready"),
            count: Wire::new(count_bits),
            program_counter: Wire::new(address_width),
            length: Wire::new(4),
            branch_kind: Wire::new(3),
            call: Wire::new(1),
            is_return: Wire::new(1),
            taken: Wire::new(1),
            target: Wire::new(address_width),
            flush: Wire::new(1).describe("make a flush record; only when ready"),
            ready: Wire::new(1),
            is_empty: Wire::new(1),
            record_valid: Wire::new(1),
            record: Wire::new(record_bits),
            record_ready: Wire::new(1),
            gshare: Gshare::new(config, clear_bits),
            target_predictor: TargetPredictor::new(config, clear_bits),
            record_former: RecordFormer::new(config),
            read_stage: stage(),
            record_stage: stage(),
            control_flow: Wire::new(1),
            conditional: Wire::new(1),
            indirect: Wire::new(1),
            exception: Wire::new(1),
            flags: Wire::new(flag_bits),
            target_units: Wire::new(target_bits).describe("in instruction units"),
            read_flags: Wire::new(flag_bits).describe("the block whose entries are read"),
            read_count: Wire::new(count_bits),
            read_target: Wire::new(target_bits),
            outcome_missed: Wire::new(1),
            wrong_bits: Wire::new(target_bits).describe("of the predicted target"),
            wrong_part: (0..parts).map(|_| Wire::new(PART_BITS)).collect(),
            differs: Wire::new(parts).describe("parts with wrong bits"),
            compared_flags: Wire::new(flag_bits),
            target_missed: Wire::new(1),
            record_flags: Wire::new(flag_bits).describe("the block that is recorded"),
            record_count: Wire::new(count_bits),
            record_target: Wire::new(target_bits),
            formed_valid: Reg::new(usize::from(is_synchronous), 0),
            formed: Reg::new(if is_synchronous { record_bits } else { 0 }, 0),
            is_synchronous: Param::new(usize::from(is_synchronous)),
            at_retire: Param::new(flag::RETIRE),
            at_flush: Param::new(flag::FLUSH),
            at_control_flow: Param::new(flag::CONTROL_FLOW),
            at_conditional: Param::new(flag::CONDITIONAL),
            at_indirect: Param::new(flag::INDIRECT),
            at_exception: Param::new(flag::EXCEPTION),
            at_taken: Param::new(flag::TAKEN),
            at_call: Param::new(flag::CALL),
            at_return: Param::new(flag::RETURN),
            at_outcome_missed: Param::new(flag::OUTCOME_MISSED),
            at_predicted: Param::new(flag::PREDICTED),
            at_differs: Param::new(flag::DIFFERS),
            part_bits: Param::new(PART_BITS),
            alignment: Param::new(config.processor.alignment as usize),
            _target_bits: target_bits,
            _flag_bits: flag_bits,
            _parts: parts,
        }
    }
}

impl Logic for Encoder {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, domain, formed_valid, formed);
        self.gshare.domain.next = self.domain.val();
        self.target_predictor.domain.next = self.domain.val();

        self.ready.next = self.record_ready.val();
        self.control_flow.next = bits_to(self.branch_kind.val().any(), 1);
        self.conditional.next =
            bits_to(self.branch_kind.val() == 2, 1) | bits_to(self.branch_kind.val() == 4, 1);
        self.indirect.next =
            bits_to(self.branch_kind.val() == 3, 1) | bits_to(self.branch_kind.val() == 4, 1);
        self.exception.next = bits_to(self.branch_kind.val() == 5, 1);
        self.target_units.next =
            bits_to(self.target.val() >> self.alignment.val(), self._target_bits);
        self.flags.next = (bits_to(self.retire.val(), self._flag_bits) << self.at_retire.val())
            | (bits_to(self.flush.val(), self._flag_bits) << self.at_flush.val())
            | (bits_to(self.control_flow.val(), self._flag_bits) << self.at_control_flow.val())
            | (bits_to(self.conditional.val(), self._flag_bits) << self.at_conditional.val())
            | (bits_to(self.indirect.val(), self._flag_bits) << self.at_indirect.val())
            | (bits_to(self.exception.val(), self._flag_bits) << self.at_exception.val())
            | (bits_to(self.taken.val(), self._flag_bits) << self.at_taken.val())
            | (bits_to(self.call.val(), self._flag_bits) << self.at_call.val())
            | (bits_to(self.is_return.val(), self._flag_bits) << self.at_return.val());

        // The tables' addresses.
        self.gshare.clear.next = self.clear.val();
        self.gshare.clear_index.next = self.clear_index.val();
        self.gshare.update.next = self.retire.val() & self.conditional.val();
        self.gshare.program_counter.next = self.program_counter.val();
        self.gshare.taken.next = self.taken.val();
        self.target_predictor.clear.next = self.clear.val();
        self.target_predictor.clear_index.next = self.clear_index.val();
        self.target_predictor.update_path.next =
            self.retire.val() & (self.conditional.val() | self.indirect.val());
        self.target_predictor.path_taken.next = self.taken.val();
        self.target_predictor.program_counter.next = self.program_counter.val();
        self.target_predictor.length.next = self.length.val();

        // What they say, and what they learn.
        if self.is_synchronous.val() == 1 {
            self.read_stage.domain.next = self.domain.val();
            self.read_stage.flags.next = self.flags.val();
            self.read_stage.count.next = self.count.val();
            self.read_stage.target.next = self.target_units.val();
            self.read_flags.next = self.read_stage.later_flags.val();
            self.read_count.next = self.read_stage.later_count.val();
            self.read_target.next = self.read_stage.later_target.val();
        } else {
            self.read_flags.next = self.flags.val();
            self.read_count.next = self.count.val();
            self.read_target.next = self.target_units.val();
        }
        self.gshare.learn.next = bits_to(self.read_flags.val() >> self.at_retire.val(), 1)
            & bits_to(self.read_flags.val() >> self.at_conditional.val(), 1);
        self.gshare.outcome.next = bits_to(self.read_flags.val() >> self.at_taken.val(), 1);
        self.target_predictor.update.next =
            bits_to(self.read_flags.val() >> self.at_retire.val(), 1)
                & bits_to(self.read_flags.val() >> self.at_control_flow.val(), 1)
                & !bits_to(self.read_flags.val() >> self.at_exception.val(), 1);
        self.target_predictor.indirect.next =
            bits_to(self.read_flags.val() >> self.at_indirect.val(), 1);
        self.target_predictor.call.next = bits_to(self.read_flags.val() >> self.at_call.val(), 1);
        self.target_predictor.is_return.next =
            bits_to(self.read_flags.val() >> self.at_return.val(), 1);
        self.target_predictor.taken.next = bits_to(self.read_flags.val() >> self.at_taken.val(), 1);
        self.target_predictor.target.next = self.read_target.val();
        self.outcome_missed.next = bits_to(self.read_flags.val() >> self.at_conditional.val(), 1)
            & (self.gshare.predicted_taken.val()
                ^ bits_to(self.read_flags.val() >> self.at_taken.val(), 1));
        self.wrong_bits.next =
            self.target_predictor.predicted_target.val() ^ self.read_target.val();
        self.differs.next = 0.into();
        for part in 0..self._parts {
            self.wrong_part[part].next =
                unsigned_cast_to_fit(self.wrong_bits.val() >> (part * self.part_bits.val()));
            if self.wrong_part[part].val().any() {
                self.differs.next = self.differs.val().replace_bit(part, true);
            }
        }
        self.compared_flags.next = self.read_flags.val()
            | (bits_to(self.outcome_missed.val(), self._flag_bits) << self.at_outcome_missed.val())
            | (bits_to(self.target_predictor.predicted.val(), self._flag_bits)
                << self.at_predicted.val())
            | (bits_to(self.differs.val(), self._flag_bits) << self.at_differs.val());

        // The record.
        if self.is_synchronous.val() == 1 {
            self.record_stage.domain.next = self.domain.val();
            self.record_stage.flags.next = self.compared_flags.val();
            self.record_stage.count.next = self.read_count.val();
            self.record_stage.target.next = self.read_target.val();
            self.record_flags.next = self.record_stage.later_flags.val();
            self.record_count.next = self.record_stage.later_count.val();
            self.record_target.next = self.record_stage.later_target.val();
            self.is_empty.next = !(bits_to(self.read_flags.val() >> self.at_retire.val(), 1)
                | bits_to(self.read_flags.val() >> self.at_flush.val(), 1)
                | bits_to(self.record_flags.val() >> self.at_retire.val(), 1)
                | bits_to(self.record_flags.val() >> self.at_flush.val(), 1)
                | self.formed_valid.q.val());
        } else {
            self.record_flags.next = self.compared_flags.val();
            self.record_count.next = self.read_count.val();
            self.record_target.next = self.read_target.val();
            self.is_empty.next = 1.into();
        }
        self.record_former.retire.next =
            bits_to(self.record_flags.val() >> self.at_retire.val(), 1);
        self.record_former.count.next = self.record_count.val();
        self.record_former.control_flow.next =
            bits_to(self.record_flags.val() >> self.at_control_flow.val(), 1);
        self.record_former.counted.next =
            bits_to(self.record_flags.val() >> self.at_conditional.val(), 1)
                | bits_to(self.record_flags.val() >> self.at_indirect.val(), 1);
        self.record_former.conditional.next =
            bits_to(self.record_flags.val() >> self.at_conditional.val(), 1);
        self.record_former.indirect.next =
            bits_to(self.record_flags.val() >> self.at_indirect.val(), 1);
        self.record_former.exception.next =
            bits_to(self.record_flags.val() >> self.at_exception.val(), 1);
        self.record_former.taken.next = bits_to(self.record_flags.val() >> self.at_taken.val(), 1);
        self.record_former.target.next = self.record_target.val();
        self.target_missed.next = bits_to(self.record_flags.val() >> self.at_indirect.val(), 1)
            & bits_to(self.record_flags.val() >> self.at_taken.val(), 1);
        if bits_to(self.record_flags.val() >> self.at_predicted.val(), 1).any()
            && !bits_to(self.record_flags.val() >> self.at_differs.val(), self._parts).any()
        {
            self.target_missed.next = 0.into();
        }
        self.record_former.missed.next = self.target_missed.val()
            | bits_to(self.record_flags.val() >> self.at_outcome_missed.val(), 1);
        self.record_former.flush.next = bits_to(self.record_flags.val() >> self.at_flush.val(), 1);
        self.record_valid.next = self.record_former.record_valid.val();
        self.record.next = self.record_former.record.val();
        if self.is_synchronous.val() == 1 {
            self.formed_valid.d.next = self.record_former.record_valid.val();
            self.formed.d.next = self.record_former.record.val();
            self.record_valid.next = self.formed_valid.q.val();
            self.record.next = self.formed.q.val();
        }
    }
}
