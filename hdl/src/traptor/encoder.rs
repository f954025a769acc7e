//! The compressor of one core: blocks in, records out.

use tracewright_elaborate::prelude::*;
use tracewright_sim::traptor::config::Config;

use super::gshare::Gshare;
use super::record_former::RecordFormer;
use super::target_predictor::TargetPredictor;

/// Predictors and record former; a record leaves in the clock of its block.
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
    control_flow: Wire<Local>,
    conditional: Wire<Local>,
    indirect: Wire<Local>,
    exception: Wire<Local>,
    counted: Wire<Local>,
    target_units: Wire<Local>,
    alignment: Param,
    _target_bits: usize,
}

impl Encoder {
    /// The compressor of `config`, which is valid, with a clear index of `clear_bits`.
    pub fn new(config: &Config, clear_bits: usize) -> Self {
        let address_width = config.processor.address_width as usize;
        let target_bits = config.processor.instruction_address_bits() as usize;
        Self {
            kind: Kind::plain("encoder"),
            domain: Domain::new(),
            clear: Wire::new(1),
            clear_index: Wire::new(clear_bits),
            retire: Wire::new(1).describe("a block retires; only when ready"),
            count: Wire::new(config.processor.retire_count_bits as usize),
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
            record: Wire::new(config.format().bits() as usize),
            record_ready: Wire::new(1),
            gshare: Gshare::new(config, clear_bits),
            target_predictor: TargetPredictor::new(config, clear_bits),
            record_former: RecordFormer::new(config),
            control_flow: Wire::new(1),
            conditional: Wire::new(1),
            indirect: Wire::new(1),
            exception: Wire::new(1),
            counted: Wire::new(1),
            target_units: Wire::new(target_bits).describe("in instruction units"),
            alignment: Param::new(config.processor.alignment as usize),
            _target_bits: target_bits,
        }
    }
}

impl Logic for Encoder {
    #[hdl_gen]
    fn update(&mut self) {
        self.gshare.domain.next = self.domain.val();
        self.target_predictor.domain.next = self.domain.val();
        self.record_former.domain.next = self.domain.val();

        self.ready.next = self.record_ready.val();
        self.is_empty.next = 1.into();
        self.control_flow.next = bits_to(self.branch_kind.val().any(), 1);
        self.conditional.next =
            bits_to(self.branch_kind.val() == 2, 1) | bits_to(self.branch_kind.val() == 4, 1);
        self.indirect.next =
            bits_to(self.branch_kind.val() == 3, 1) | bits_to(self.branch_kind.val() == 4, 1);
        self.exception.next = bits_to(self.branch_kind.val() == 5, 1);
        self.counted.next = self.conditional.val() | self.indirect.val();
        self.target_units.next =
            bits_to(self.target.val() >> self.alignment.val(), self._target_bits);

        self.gshare.clear.next = self.clear.val();
        self.gshare.clear_index.next = self.clear_index.val();
        self.gshare.update.next = self.retire.val() & self.conditional.val();
        self.gshare.program_counter.next = self.program_counter.val();
        self.gshare.taken.next = self.taken.val();

        self.target_predictor.clear.next = self.clear.val();
        self.target_predictor.clear_index.next = self.clear_index.val();
        self.target_predictor.update.next =
            self.retire.val() & self.control_flow.val() & !self.exception.val();
        self.target_predictor.counted.next = self.counted.val();
        self.target_predictor.indirect.next = self.indirect.val();
        self.target_predictor.call.next = self.call.val();
        self.target_predictor.is_return.next = self.is_return.val();
        self.target_predictor.taken.next = self.taken.val();
        self.target_predictor.program_counter.next = self.program_counter.val();
        self.target_predictor.length.next = self.length.val();
        self.target_predictor.target.next = self.target_units.val();

        self.record_former.retire.next = self.retire.val();
        self.record_former.count.next = self.count.val();
        self.record_former.control_flow.next = self.control_flow.val();
        self.record_former.counted.next = self.counted.val();
        self.record_former.conditional.next = self.conditional.val();
        self.record_former.indirect.next = self.indirect.val();
        self.record_former.exception.next = self.exception.val();
        self.record_former.taken.next = self.taken.val();
        self.record_former.target.next = self.target_units.val();
        self.record_former.predicted_taken.next = self.gshare.predicted_taken.val();
        self.record_former.predicted.next = self.target_predictor.predicted.val();
        self.record_former.predicted_target.next = self.target_predictor.predicted_target.val();
        self.record_former.flush.next = self.flush.val();
        self.record_valid.next = self.record_former.record_valid.val();
        self.record.next = self.record_former.record.val();
    }
}
