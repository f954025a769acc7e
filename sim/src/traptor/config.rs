//! T-raptor's parameters, their constraints, and what they make the module store.

use crate::bound::MostBits;
use crate::config::{MemoryStyle, Processor, Protocol, TracePort, index_bits, require};
use crate::configuration::{Configuration, shared_parameters};
use crate::encode::variable_length::Chunks;
use crate::parameter::ParameterError;
use crate::{parameters, words};

words! {
    /// Which way of a set of the indirect branch target buffer takes a new target.
    pub enum Replacement {
        /// The least recently used one: a bit for every pair of ways in every set.
        LeastRecentlyUsed = "least-recently-used",
        /// The ways in turn: one counter for all sets, which a miss advances.
        RoundRobin = "round-robin",
    }
}

parameters! {
    /// A T-raptor configuration (paper C, section 5.1).
    pub struct Config {
        groups {
            /// The processor that is traced.
            processor: Processor,
            /// The way out.
            port: TracePort,
            /// Packets.
            protocol: Protocol,
        }
        /// Two-bit counters of the gshare outcome predictor; a power of two.
        gshare_entries: u32 = 512, in 1 ..= 65536;
        /// Branch outcomes in gshare's history register (BHR); auto: as many as its index has bits.
        gshare_history_bits: Option<u32> = None, in 0 ..= 16;
        /// Lowest address bit that gshare, the path history and the target buffer's index use.
        pc_shift: u32 = 4, in 0 ..= 8;
        /// Entries of the return address stack (RAS); 0 leaves it out. A power of two.
        return_address_stack_depth: u32 = 8, in 0 ..= 256;
        /// Entries of the indirect branch target buffer (iBTB), all ways together; 0 leaves it out.
        indirect_branch_target_buffer_entries: u32 = 64, in 0 ..= 4096;
        /// Ways of the indirect branch target buffer; the sets are a power of two.
        indirect_branch_target_buffer_ways: u32 = 2, in 1 ..= 8;
        /// Tag bits of an entry of the indirect branch target buffer.
        indirect_branch_target_buffer_tag_bits: u32 = 8, in 0 ..= 24;
        /// Lowest address bit that the tag uses; from address_width on, the tag is the path history alone.
        indirect_branch_target_buffer_tag_shift: u32 = 10, in 0 ..= 64;
        /// Way that takes a new target; round-robin is smaller.
        indirect_branch_target_buffer_replacement: Replacement = Replacement::LeastRecentlyUsed;
        /// Bits of the path history (PIR); auto: tag and index together.
        path_history_bits: Option<u32> = None, in 1 ..= 40;
        /// Upper target bits kept once in the last value predictor and not in the tables; auto: those above 48.
        elided_upper_bits: Option<u32> = None, in 0 ..= 60;
        /// Width of the branch counter (bCnt).
        branch_count_bits: u32 = 11, in 2 ..= 32;
        /// First chunk of a branch count (i0); auto: the best measured, by alignment and tables.
        branch_count_first_chunk: Option<u32> = None, in 1 ..= 16;
        /// Later chunks of a branch count (i1); auto: the best measured, by alignment and tables.
        branch_count_next_chunk: Option<u32> = None, in 1 ..= 16;
        /// Width of the instruction counter (iCnt).
        instruction_count_bits: u32 = 17, in 8 ..= 48;
        /// First chunk of an instruction count.
        instruction_count_first_chunk: u32 = 2, in 1 ..= 16;
        /// Later chunks of an instruction count.
        instruction_count_next_chunk: u32 = 2, in 1 ..= 16;
        /// First chunk of a target difference (j0); auto: the best measured, by alignment and tables.
        target_first_chunk: Option<u32> = None, in 1 ..= 32;
        /// Later chunks of a target difference (j1); auto: the best measured, by alignment and tables.
        target_next_chunk: Option<u32> = None, in 1 ..= 32;
        /// The outcome bit is sent for unconditional indirect branches too, as paper C does; paper E leaves it out.
        outcome_bit_for_jumps: bool = true;
        /// How gshare and the target buffer are read; synchronous costs four cycles of latency and registers.
        memory_style: MemoryStyle = MemoryStyle::Asynchronous;
    }
}

impl Config {
    /// Bits of gshare's index.
    pub fn gshare_index_bits(&self) -> u32 {
        index_bits(self.gshare_entries)
    }

    /// Branch outcomes in gshare's history register.
    pub fn gshare_history(&self) -> u32 {
        self.gshare_history_bits.unwrap_or_else(|| self.gshare_index_bits())
    }

    /// True where there is a return address stack.
    pub fn has_return_address_stack(&self) -> bool {
        self.return_address_stack_depth > 0
    }

    /// True where there is an indirect branch target buffer.
    pub fn has_indirect_branch_target_buffer(&self) -> bool {
        self.indirect_branch_target_buffer_entries > 0
    }

    /// True where some table predicts targets.
    pub fn has_target_predictor(&self) -> bool {
        self.has_return_address_stack() || self.has_indirect_branch_target_buffer()
    }

    /// Sets of the indirect branch target buffer, 0 without one.
    pub fn indirect_branch_target_buffer_sets(&self) -> u32 {
        self.indirect_branch_target_buffer_entries / self.indirect_branch_target_buffer_ways
    }

    /// Bits of the path history register.
    pub fn path_history(&self) -> u32 {
        self.path_history_bits.unwrap_or_else(|| {
            let set_bits = index_bits(self.indirect_branch_target_buffer_sets());
            (self.indirect_branch_target_buffer_tag_bits + set_bits).max(1)
        })
    }

    /// Upper target bits that only the last value predictor keeps; 0 where no table predicts targets.
    pub fn elided_upper(&self) -> u32 {
        match self.elided_upper_bits {
            _ if !self.has_target_predictor() => 0,
            Some(bits) => bits,
            None => self.processor.address_width.saturating_sub(48),
        }
    }

    /// Target bits a table entry keeps.
    pub fn table_target_bits(&self) -> u32 {
        self.processor.instruction_address_bits() - self.elided_upper()
    }

    /// Bits of one entry of the indirect branch target buffer: tag and target.
    pub fn indirect_branch_target_buffer_entry_bits(&self) -> u32 {
        self.indirect_branch_target_buffer_tag_bits + self.table_target_bits()
    }

    /// Recency bits of one set: one for every pair of ways, none where the ways are replaced in turn.
    pub fn recency_bits(&self) -> u32 {
        let ways = self.indirect_branch_target_buffer_ways;
        match self.indirect_branch_target_buffer_replacement {
            Replacement::LeastRecentlyUsed => ways * (ways - 1) / 2,
            Replacement::RoundRobin => 0,
        }
    }

    /// Bits of the counter of the way to replace next, where the ways are replaced in turn.
    pub fn victim_bits(&self) -> u32 {
        match self.indirect_branch_target_buffer_replacement {
            Replacement::LeastRecentlyUsed => 0,
            Replacement::RoundRobin => index_bits(self.indirect_branch_target_buffer_ways),
        }
    }

    /// Clocks after reset until every table is clear.
    pub fn clear_clocks(&self) -> u32 {
        self.gshare_entries
            .max(self.return_address_stack_depth)
            .max(self.indirect_branch_target_buffer_sets())
    }

    /// True where the hardware's instruction counter is wide enough to number the entries of the clear sweep too: no
    /// number reaches its upper half before the last one. It counts instructions during a sweep in the background.
    pub fn sweeps_by_instruction_count(&self) -> bool {
        index_bits(self.clear_clocks()) < self.instruction_count_bits
            && !self.protocol.clears_in_background()
    }

    /// The best chunk sizes measured: i0, i1, j0, j1.
    ///
    /// Paper C searches them over its benchmarks for each configuration (section 5.2) and its Table 4
    /// is not readable, so these are searched the same way, over 32-bit instructions (alignment 2)
    /// and over compressed ones apart; docs/traptor.md has the figures.
    fn best_chunks(&self) -> [u32; 4] {
        let aligned = self.processor.alignment == 2;
        match (self.has_indirect_branch_target_buffer(), self.has_return_address_stack(), aligned) {
            (true, _, true) if self.gshare_entries > 512 => [3, 1, 8, 7],
            (true, _, true) => [3, 1, 5, 5],
            (true, _, false) => [3, 2, 3, 7],
            (false, true, true) => [2, 1, 5, 5],
            (false, true, false) => [3, 1, 1, 7],
            (false, false, true) => [2, 1, 3, 3],
            (false, false, false) => [3, 2, 3, 7],
        }
    }

    /// How a branch count is cut.
    pub fn branch_count_chunks(&self) -> Chunks {
        let [first, next, ..] = self.best_chunks();
        Chunks::new(
            self.branch_count_first_chunk.unwrap_or(first),
            self.branch_count_next_chunk.unwrap_or(next),
            self.branch_count_bits,
        )
    }

    /// How an instruction count is cut.
    pub fn instruction_count_chunks(&self) -> Chunks {
        let (first, next) = (self.instruction_count_first_chunk, self.instruction_count_next_chunk);
        Chunks::new(first, next, self.instruction_count_bits)
    }

    /// How a target difference is cut.
    pub fn target_chunks(&self) -> Chunks {
        let [_, _, first, next] = self.best_chunks();
        Chunks::new(
            self.target_first_chunk.unwrap_or(first),
            self.target_next_chunk.unwrap_or(next),
            self.processor.instruction_address_bits(),
        )
    }
}

impl Configuration for Config {
    shared_parameters!();

    fn validate(&self) -> Result<(), ParameterError> {
        self.protocol.validate(&self.processor, self.payloads())?;
        self.protocol.validate_tables(self.memory_style)?;
        let entries = self.gshare_entries;
        require(entries.is_power_of_two(), "gshare_entries", entries, || {
            "it is a power of two".into()
        })?;
        let history = self.gshare_history();
        require(history <= self.gshare_index_bits(), "gshare_history_bits", history, || {
            format!("at most the index's {} bits", self.gshare_index_bits())
        })?;
        let depth = self.return_address_stack_depth;
        require(
            depth == 0 || depth.is_power_of_two(),
            "return_address_stack_depth",
            depth,
            || "it is 0 or a power of two".into(),
        )?;
        if self.has_indirect_branch_target_buffer() {
            let (entries, ways) = (
                self.indirect_branch_target_buffer_entries,
                self.indirect_branch_target_buffer_ways,
            );
            require(
                entries % ways == 0 && (entries / ways).is_power_of_two(),
                "indirect_branch_target_buffer_entries",
                entries,
                || format!("it is a power of two times the {ways} ways"),
            )?;
        }
        let (elided, address) = (self.elided_upper(), self.processor.instruction_address_bits());
        require(elided < address, "elided_upper_bits", elided, || {
            format!("an entry keeps at least one of the {address} target bits")
        })?;
        let retired = self.processor.retire_count_bits;
        require(retired < self.instruction_count_bits, "retire_count_bits", retired, || {
            format!("less than instruction_count_bits = {}", self.instruction_count_bits)
        })
    }

    fn resolved(&self) -> Self {
        let (branch_count, target) = (self.branch_count_chunks(), self.target_chunks());
        Config {
            port: self.port.resolved(),
            protocol: self.protocol.resolved(),
            gshare_history_bits: Some(self.gshare_history()),
            path_history_bits: Some(self.path_history()),
            elided_upper_bits: Some(self.elided_upper()),
            branch_count_first_chunk: Some(branch_count.first),
            branch_count_next_chunk: Some(branch_count.next),
            target_first_chunk: Some(target.first),
            target_next_chunk: Some(target.next),
            ..self.clone()
        }
    }

    fn blocks_in_flight(&self) -> u32 {
        match self.memory_style {
            MemoryStyle::Asynchronous => 0,
            MemoryStyle::Synchronous => 4,
        }
    }

    fn most_bits_of_event(&self) -> Option<MostBits> {
        Some(self.most_bits())
    }

    fn elided_bits(&self) -> Option<u32> {
        self.has_target_predictor().then(|| self.elided_upper())
    }

    fn set_elided_bits(&mut self, bits: u32) {
        self.elided_upper_bits = Some(bits);
    }

    fn predicts_returns(&self) -> bool {
        self.has_return_address_stack()
    }

    /// Paper C's tables and buffer (section 5.4), entries with the stack's pointer and a recency bit for
    /// every pair of ways; all other registers are in the constant.
    fn estimated_storage(&self) -> Vec<(&'static str, u32)> {
        let mut storage = vec![("gshare", 2 * self.gshare_entries)];
        if self.has_return_address_stack() {
            let depth = self.return_address_stack_depth;
            let bits = depth * self.table_target_bits() + index_bits(depth);
            storage.push(("return_address_stack", bits));
        }
        if self.has_indirect_branch_target_buffer() {
            let bits = self.indirect_branch_target_buffer_entries
                * self.indirect_branch_target_buffer_entry_bits()
                + self.indirect_branch_target_buffer_sets() * self.recency_bits();
            storage.push(("indirect_branch_target_buffer", bits));
        }
        storage.push(("output_fifo", self.port.fifo_bits));
        storage
    }
}
