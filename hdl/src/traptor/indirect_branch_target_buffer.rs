//! The indirect branch target buffer: set-associative, tagged by the path that led to the branch.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::traptor::config::Config;

use super::top::PredictorTable;
use crate::recency::Recency;

/// Predicts and learns the target of one indirect branch a clock.
#[derive(LogicBlock)]
pub struct IndirectBranchTargetBuffer {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
    /// The table is being cleared.
    pub clear: Wire<In>,
    /// The set to clear, in its lower bits.
    pub clear_index: Wire<In>,
    /// A conditional or indirect branch retires: the path goes on.
    pub update_path: Wire<In>,
    /// The branch's address.
    pub program_counter: Wire<In>,
    /// Its outcome.
    pub taken: Wire<In>,
    /// In the clock in which the tables are read: a taken branch that uses the buffer retires.
    pub learn: Wire<In>,
    /// In that clock: its target, the bits that an entry keeps.
    pub target: Wire<In>,
    /// In that clock: some way's tag matches.
    pub hit: Wire<Out>,
    /// The target that way holds.
    pub predicted_target: Wire<Out>,
    path_history: Reg,
    read_tag: Reg,
    set: Wire<Local>,
    path_tag: Wire<Local>,
    tag: Wire<Local>,
    matching: Wire<Local>,
    used: Wire<Local>,
    recency: Recency,
    order: PredictorTable,
    ways: Vec<PredictorTable>,
    is_synchronous: Param,
    pc_shift: Param,
    tag_shift: Param,
    tag_bits: Param,
    target_bits: Param,
    _set_bits: usize,
    _tag_bits: usize,
    _target_bits: usize,
    _entry_bits: usize,
    _path_bits: usize,
    _ways: usize,
}

impl IndirectBranchTargetBuffer {
    /// The buffer of `config`, cleared by an index of `clear_bits`.
    pub fn new(config: &Config, clear_bits: usize) -> Self {
        let sets = config.indirect_branch_target_buffer_sets().max(1);
        let ways = config.indirect_branch_target_buffer_ways as usize;
        let set_bits = index_bits(sets) as usize;
        let tag_bits = config.indirect_branch_target_buffer_tag_bits as usize;
        let target_bits = config.table_target_bits() as usize;
        let address_width = config.processor.address_width as usize;
        let path_bits = config.path_history() as usize;
        let is_synchronous = config.is_synchronous();
        let table = |width| PredictorTable::new(sets as usize, width, config.memory_style);
        let (pc_shift, tag_shift) =
            (config.pc_shift as usize, config.indirect_branch_target_buffer_tag_shift as usize);
        Self {
            kind: Kind::new(
                "indirect_branch_target_buffer",
                [
                    ("sets", sets as usize),
                    ("ways", ways),
                    ("tag_bits", tag_bits),
                    ("target_bits", target_bits),
                    ("path_bits", path_bits),
                    ("pc_shift", pc_shift),
                    ("tag_shift", tag_shift),
                    ("address_width", address_width),
                    ("clear_bits", clear_bits),
                    ("synchronous", usize::from(is_synchronous)),
                ],
            ),
            domain: Domain::new(),
            clear: Wire::new(1),
            clear_index: Wire::new(clear_bits),
            update_path: Wire::new(1).describe("a conditional or indirect branch retires"),
            program_counter: Wire::new(address_width),
            taken: Wire::new(1),
            learn: Wire::new(1).describe("a taken branch that uses the buffer is predicted"),
            target: Wire::new(target_bits),
            hit: Wire::new(1),
            predicted_target: Wire::new(target_bits),
            path_history: Reg::new(path_bits, 0),
            read_tag: Reg::new(if is_synchronous { tag_bits } else { 0 }, 0),
            set: Wire::new(set_bits),
            path_tag: Wire::new(tag_bits),
            tag: Wire::new(tag_bits),
            matching: Wire::new(ways),
            used: Wire::new(ways),
            recency: Recency::new(ways),
            order: table(config.recency_bits() as usize),
            ways: (0..ways).map(|_| table(tag_bits + target_bits)).collect(),
            is_synchronous: Param::new(usize::from(is_synchronous)),
            pc_shift: Param::new(pc_shift),
            tag_shift: Param::new(tag_shift),
            tag_bits: Param::new(tag_bits),
            target_bits: Param::new(target_bits),
            _set_bits: set_bits,
            _tag_bits: tag_bits,
            _target_bits: target_bits,
            _entry_bits: tag_bits + target_bits,
            _path_bits: path_bits,
            _ways: ways,
        }
    }
}

impl Logic for IndirectBranchTargetBuffer {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, domain, path_history, read_tag);
        self.set.next = bits_to(self.path_history.q.val() >> self.tag_bits.val(), self._set_bits)
            ^ bits_to(self.program_counter.val() >> self.pc_shift.val(), self._set_bits);
        self.path_tag.next = bits_to(self.path_history.q.val(), self._tag_bits)
            ^ bits_to(self.program_counter.val() >> self.tag_shift.val(), self._tag_bits);
        self.tag.next = self.path_tag.val();
        if self.is_synchronous.val() == 1 {
            self.read_tag.d.next = self.path_tag.val();
            self.tag.next = self.read_tag.q.val();
        }

        // The first way that matches wins: after reset several may hold tag 0.
        self.matching.next = 0.into();
        self.predicted_target.next = 0.into();
        for way in 0..self._ways {
            self.ways[way].domain.next = self.domain.val();
            self.ways[way].clear.next = self.clear.val();
            self.ways[way].clear_index.next = unsigned_cast_to_fit(self.clear_index.val());
            self.ways[way].clear_entry.next = 0.into();
            self.ways[way].index.next = self.set.val();
            if !self.matching.val().any()
                && unsigned_cast_to_fit(self.ways[way].entry.val() >> self.target_bits.val())
                    == self.tag.val()
            {
                self.matching.next = self.matching.val().replace_bit(way, true);
                self.predicted_target.next = unsigned_cast_to_fit(self.ways[way].entry.val());
            }
        }
        self.hit.next = bits_to(self.matching.val().any(), 1);

        self.order.domain.next = self.domain.val();
        self.order.clear.next = self.clear.val();
        self.order.clear_index.next = bits_to(self.clear_index.val(), self._set_bits);
        self.order.clear_entry.next = 0.into();
        self.order.index.next = self.set.val();
        self.recency.order.next = self.order.entry.val();
        self.used.next = self.matching.val();
        if !self.matching.val().any() {
            self.used.next = self.recency.oldest.val();
        }
        self.recency.used.next = self.used.val();
        self.order.learn.next = self.learn.val();
        self.order.learned.next = self.recency.order_next.val();
        for way in 0..self._ways {
            self.ways[way].learn.next = 0.into();
            if self.used.val().get_bit(way) {
                self.ways[way].learn.next = self.learn.val();
            }
            self.ways[way].learned.next = (bits_to(self.tag.val(), self._entry_bits)
                << self.target_bits.val())
                | bits_to(self.target.val(), self._entry_bits);
        }

        if self.update_path.val().any() {
            self.path_history.d.next = ((self.path_history.q.val() << 2)
                ^ bits_to(self.program_counter.val() >> self.pc_shift.val(), self._path_bits))
                | bits_to(self.taken.val(), self._path_bits);
        }
    }
}
