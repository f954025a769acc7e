//! Which table predicts an indirect branch's target, and what each learns.

use tracewright_elaborate::prelude::*;
use tracewright_sim::traptor::config::Config;

use super::indirect_branch_target_buffer::IndirectBranchTargetBuffer;
use super::last_value_predictor::LastValuePredictor;
use super::return_address_stack::ReturnAddressStack;

/// The return address stack, the indirect branch target buffer, and the upper bits they share.
#[derive(LogicBlock)]
pub struct TargetPredictor {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
    /// The tables are being cleared.
    pub clear: Wire<In>,
    /// The entry to clear, in its lower bits.
    pub clear_index: Wire<In>,
    /// A conditional or indirect branch retires: the path goes on.
    pub update_path: Wire<In>,
    /// It is taken.
    pub path_taken: Wire<In>,
    /// Its byte address.
    pub program_counter: Wire<In>,
    /// Its length in bytes.
    pub length: Wire<In>,
    /// In the clock in which the tables are read: a control-flow instruction retires.
    pub update: Wire<In>,
    /// In that clock: it is indirect.
    pub indirect: Wire<In>,
    /// In that clock: it leaves a return address.
    pub call: Wire<In>,
    /// In that clock: it goes back to one.
    pub is_return: Wire<In>,
    /// In that clock: it is taken.
    pub taken: Wire<In>,
    /// In that clock: its target in instruction units.
    pub target: Wire<In>,
    /// Some table has a target for it.
    pub predicted: Wire<Out>,
    /// That target, in instruction units.
    pub predicted_target: Wire<Out>,
    return_address_stack: Opt<ReturnAddressStack>,
    indirect_branch_target_buffer: Opt<IndirectBranchTargetBuffer>,
    last_value_predictor: Opt<LastValuePredictor>,
    use_stack: Wire<Local>,
    lower: Wire<Local>,
    path_return_address: Wire<Local>,
    return_address: Wire<Local>,
    read_return_address: Reg,
    is_synchronous: Param,
    has_stack: Param,
    has_buffer: Param,
    has_upper: Param,
    lower_bits: Param,
    alignment: Param,
    _lower_bits: usize,
    _upper_bits: usize,
    _target_bits: usize,
}

impl TargetPredictor {
    /// The tables of `config`, cleared by an index of `clear_bits`.
    pub fn new(config: &Config, clear_bits: usize) -> Self {
        let (has_stack, has_buffer) =
            (config.has_return_address_stack(), config.has_indirect_branch_target_buffer());
        let is_synchronous = config.is_synchronous();
        let upper_bits = config.elided_upper() as usize;
        let lower_bits = config.table_target_bits() as usize;
        let alignment = config.processor.alignment as usize;
        let address_width = config.processor.address_width as usize;
        let target_bits = config.processor.instruction_address_bits() as usize;
        Self {
            kind: Kind::new(
                "target_predictor",
                [
                    ("return_address_stack_depth", config.return_address_stack_depth as usize),
                    ("buffer_entries", config.indirect_branch_target_buffer_entries as usize),
                    ("lower_bits", lower_bits),
                    ("upper_bits", upper_bits),
                    ("alignment", alignment),
                    ("clear_bits", clear_bits),
                    ("synchronous", usize::from(is_synchronous)),
                ],
            ),
            domain: Domain::new(),
            clear: Wire::new(1),
            clear_index: Wire::new(clear_bits),
            update_path: Wire::new(1).describe("a conditional or indirect branch retires"),
            path_taken: Wire::new(1),
            program_counter: Wire::new(address_width).describe("in bytes"),
            length: Wire::new(4).describe("in bytes"),
            update: Wire::new(1).describe("a control-flow instruction is predicted"),
            indirect: Wire::new(1),
            call: Wire::new(1),
            is_return: Wire::new(1),
            taken: Wire::new(1),
            target: Wire::new(target_bits).describe("in instruction units"),
            predicted: Wire::new(1).describe("some table has a target"),
            predicted_target: Wire::new(target_bits).describe("in instruction units"),
            return_address_stack: Opt::new(has_stack, ReturnAddressStack::new(config, clear_bits)),
            indirect_branch_target_buffer: Opt::new(
                has_buffer,
                IndirectBranchTargetBuffer::new(config, clear_bits),
            ),
            last_value_predictor: Opt::new(upper_bits > 0, LastValuePredictor::new(upper_bits)),
            use_stack: Wire::new(1),
            lower: Wire::new(lower_bits),
            path_return_address: Wire::new(lower_bits),
            return_address: Wire::new(lower_bits),
            read_return_address: Reg::new(
                if is_synchronous && has_stack { lower_bits } else { 0 },
                0,
            ),
            is_synchronous: Param::new(usize::from(is_synchronous)),
            has_stack: Param::new(usize::from(has_stack)),
            has_buffer: Param::new(usize::from(has_buffer)),
            has_upper: Param::new(usize::from(upper_bits > 0)),
            lower_bits: Param::new(lower_bits),
            alignment: Param::new(alignment),
            _lower_bits: lower_bits,
            _upper_bits: upper_bits,
            _target_bits: target_bits,
        }
    }
}

impl Logic for TargetPredictor {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, domain, read_return_address);
        self.use_stack.next = 0.into();
        self.lower.next = 0.into();
        self.predicted.next = 0.into();
        self.path_return_address.next = 0.into();
        self.return_address.next = 0.into();
        if self.has_stack.val() == 1 {
            self.use_stack.next = self.is_return.val();
            self.path_return_address.next =
                bits_to(self.program_counter.val() >> self.alignment.val(), self._lower_bits)
                    + bits_to(self.length.val() >> self.alignment.val(), self._lower_bits);
            self.return_address.next = self.path_return_address.val();
            if self.is_synchronous.val() == 1 {
                self.read_return_address.d.next = self.path_return_address.val();
                self.return_address.next = self.read_return_address.q.val();
            }
        }

        if self.has_buffer.val() == 1 {
            self.indirect_branch_target_buffer.domain.next = self.domain.val();
            self.indirect_branch_target_buffer.clear.next = self.clear.val();
            self.indirect_branch_target_buffer.clear_index.next = self.clear_index.val();
            self.indirect_branch_target_buffer.update_path.next = self.update_path.val();
            self.indirect_branch_target_buffer.learn.next =
                self.update.val() & self.indirect.val() & self.taken.val() & !self.use_stack.val();
            self.indirect_branch_target_buffer.program_counter.next = self.program_counter.val();
            self.indirect_branch_target_buffer.taken.next = self.path_taken.val();
            self.indirect_branch_target_buffer.target.next =
                bits_to(self.target.val(), self._lower_bits);
            self.predicted.next = self.indirect_branch_target_buffer.hit.val();
            self.lower.next = self.indirect_branch_target_buffer.predicted_target.val();
        }

        if self.has_stack.val() == 1 {
            self.return_address_stack.domain.next = self.domain.val();
            self.return_address_stack.clear.next = self.clear.val();
            self.return_address_stack.clear_index.next = self.clear_index.val();
            self.return_address_stack.pop.next =
                self.update.val() & self.is_return.val() & self.taken.val();
            self.return_address_stack.push.next =
                self.update.val() & self.call.val() & self.taken.val();
            self.return_address_stack.return_address.next = self.return_address.val();
            if self.use_stack.val().any() {
                self.predicted.next = 1.into();
                self.lower.next = self.return_address_stack.top.val();
            }
        }

        self.predicted_target.next = bits_to(self.lower.val(), self._target_bits);
        if self.has_upper.val() == 1 {
            self.last_value_predictor.domain.next = self.domain.val();
            self.last_value_predictor.update.next =
                self.update.val() & self.indirect.val() & self.taken.val();
            self.last_value_predictor.target_upper.next =
                bits_to(self.target.val() >> self.lower_bits.val(), self._upper_bits);
            self.predicted_target.next =
                (bits_to(self.last_value_predictor.predicted_upper.val(), self._target_bits)
                    << self.lower_bits.val())
                    | bits_to(self.lower.val(), self._target_bits);
        }
    }
}
