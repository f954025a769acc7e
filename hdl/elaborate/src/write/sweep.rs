//! Memories that are cleared while they are used.

use super::Writer;
use super::expression::{bits_of, constant};
use crate::collect::MEMORY_SWEEP;
use crate::expression::{Bits, SignalId};
use crate::fault::FaultKind;
use crate::signal::address_width;
use crate::table::{MemoryBlock, Sweep};

/// The bits of the index in the input of the sweep begin here.
const INDEX_PLACE: usize = 2;

impl Writer<'_> {
    /// The read ports. The sweep looks at its entry through the first one, because nothing else reads then.
    pub(super) fn swept_memory_reads(&mut self, memory: usize) -> Vec<String> {
        let MemoryBlock { reads, sweep, depth, width, .. } = &self.table.memories[memory];
        let Some(sweep) = sweep.clone() else { return Vec::new() };
        let (reads, width) = (reads.clone(), *width);
        let above = self.table.scope.sweep_bits - INDEX_PLACE - address_width(*depth);
        let is_inside = match above {
            0 => String::new(),
            _ => format!(" && {} == {above}'d0", self.in_sweep(address_width(*depth), above)),
        };
        let mut lines = vec![format!("assign {} = {MEMORY_SWEEP}[1]{is_inside};", sweep.comes)];
        for (port, (address, data)) in reads.into_iter().enumerate() {
            let cell = (!self.is_wrapped(&self.table.memories[memory])).then(|| match port {
                0 => self.swept_cell(memory, &sweep.comes, address),
                _ => self.memory_cell(memory, address),
            });
            let (word, data) = (&sweep.words[port], &self.table.signals[data].name);
            let entry = bits_of(word, width + 1, Bits::Some { low: 0, width });
            let cleared = constant(&sweep.cleared);
            lines.extend(cell.map(|cell| format!("assign {word} = {cell};")));
            let is_of_epoch = format!("{word}[{width}] == {MEMORY_SWEEP}[0]");
            let data = data.clone();
            let is_of_epoch = self.with_fault(&data, FaultKind::StuckAtOne, &is_of_epoch);
            lines.push(format!("assign {data} = {is_of_epoch} ? {entry} : {cleared};"));
        }
        lines
    }

    /// The write port: its condition and its data. The sweep writes only what was not written in this epoch, and only
    /// where nothing else writes.
    pub(super) fn swept_memory_write(&mut self, memory: usize, sweep: &Sweep) -> (String, String) {
        let MemoryBlock { width, write_enable, write_data, .. } = &self.table.memories[memory];
        let (width, enable, data) = (*width, *write_enable, *write_data);
        let (comes, word) = (&sweep.comes, &sweep.words[0]);
        let (enable, data) = (self.value(enable), self.value(data));
        let cleared = constant(&sweep.cleared);
        let is_older = format!("{word}[{width}] != {MEMORY_SWEEP}[0]");
        let is_older = self.with_fault(word, FaultKind::StuckAtOne, &is_older);
        let epoch = self.with_fault(word, FaultKind::Inverted, &format!("{MEMORY_SWEEP}[0]"));
        let condition = format!("{comes} ? {is_older} : {enable}");
        (condition, format!("{{{epoch}, {comes} ? {cleared} : {data}}}"))
    }

    /// The entry of the sweep while it comes, and that of an address while not.
    pub(super) fn swept_cell(&mut self, memory: usize, comes: &str, address: SignalId) -> String {
        let name = self.table.memories[memory].name.clone();
        match self.swept_address(memory, comes, address) {
            Some(address) => format!("{name}[{address}]"),
            None => name,
        }
    }

    /// The index of the sweep while it comes, and an address while not; none where there is one entry.
    pub(super) fn swept_address(
        &mut self,
        memory: usize,
        comes: &str,
        address: SignalId,
    ) -> Option<String> {
        let index_bits = address_width(self.table.memories[memory].depth);
        (index_bits > 0).then(|| {
            let index = self.in_sweep(0, index_bits);
            format!("{comes} ? {index} : {}", self.value(address))
        })
    }

    /// Bits of the index of the sweep.
    fn in_sweep(&self, low: usize, width: usize) -> String {
        let bits = Bits::Some { low: INDEX_PLACE + low, width };
        bits_of(MEMORY_SWEEP, self.table.scope.sweep_bits, bits)
    }
}
