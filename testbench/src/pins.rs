//! The pins of a trace module, as `docs/hardware.md` has them.

use crate::error::Result;
use crate::library::{InputPort, Library, OutputPort};
use crate::model::Model;
use crate::port::mask;
use crate::stimulus::Block;

/// Where the pins of a trace module are.
#[derive(Clone, Debug)]
pub(crate) struct Pins {
    pub(crate) retire_valid: InputPort,
    retire_count: InputPort,
    retire_pc: InputPort,
    retire_length: InputPort,
    retire_kind: InputPort,
    retire_call: InputPort,
    retire_return: InputPort,
    retire_taken: InputPort,
    retire_target: InputPort,
    pub(crate) trace_ready: InputPort,
    pub(crate) flush: InputPort,
    pub(crate) stall: OutputPort,
    pub(crate) trace_data: OutputPort,
    pub(crate) trace_valid: OutputPort,
    pub(crate) flushed: OutputPort,
    pub(crate) buffered_words: OutputPort,
    /// The most instructions of a block.
    pub(crate) most_retired: u64,
    /// Ones in the bits of an address.
    pub(crate) address_mask: u64,
    /// Bits of a beat of the trace.
    pub(crate) trace_port_width: u32,
}

impl Pins {
    /// Finds every pin.
    pub(crate) fn find(library: &Library) -> Result<Pins> {
        let (retire_count, count_width) = library.input_of_any_width("retire_count")?;
        let (retire_pc, address_width) = library.input_of_any_width("retire_pc")?;
        let (trace_data, trace_port_width) = library.output_of_any_width("trace_data")?;
        Ok(Pins {
            retire_valid: library.input("retire_valid", 1)?,
            retire_count,
            retire_pc,
            retire_length: library.input("retire_length", 4)?,
            retire_kind: library.input("retire_kind", 3)?,
            retire_call: library.input("retire_call", 1)?,
            retire_return: library.input("retire_return", 1)?,
            retire_taken: library.input("retire_taken", 1)?,
            retire_target: library.input("retire_target", address_width)?,
            trace_ready: library.input("trace_ready", 1)?,
            flush: library.input("flush", 1)?,
            stall: library.output("stall", 1)?,
            trace_data,
            trace_valid: library.output("trace_valid", 1)?,
            flushed: library.output("flushed", 1)?,
            buffered_words: library.output_of_any_width("buffered_words")?.0,
            most_retired: mask(count_width),
            address_mask: mask(address_width),
            trace_port_width,
        })
    }

    /// Bits of a trace word: the smallest multiple of the port's width that has at least 8.
    pub(crate) fn word_bits(&self) -> u64 {
        u64::from(self.trace_port_width) * u64::from(8u32.div_ceil(self.trace_port_width))
    }

    /// Shows a block, with noise where the block says nothing.
    #[inline]
    pub(crate) fn show(&self, model: &mut Model, block: &Block, noise: u64) {
        model.set(self.retire_valid, 1);
        model.set(self.retire_count, block.count);
        model.set(self.retire_pc, block.program_counter);
        model.set(self.retire_length, if block.call { block.length } else { noise >> 7 });
        model.set(self.retire_kind, block.kind);
        // Only a branch says these: kinds 1 to 4.
        let branch = (1..=4).contains(&block.kind);
        model.set(self.retire_call, if branch { block.call.into() } else { noise >> 36 });
        model.set(self.retire_return, if branch { block.is_return.into() } else { noise >> 37 });
        model.set(self.retire_taken, if branch { block.taken.into() } else { noise >> 38 });
        model.set(self.retire_target, if block.taken { block.target } else { noise });
    }

    /// Shows no block: noise on every pin but `retire_valid`.
    #[inline]
    pub(crate) fn show_none(&self, model: &mut Model, noise: u64) {
        model.set(self.retire_valid, 0);
        model.set(self.retire_count, noise >> 13);
        model.set(self.retire_pc, noise);
        model.set(self.retire_length, noise >> 29);
        model.set(self.retire_kind, noise >> 33);
        model.set(self.retire_call, noise >> 36);
        model.set(self.retire_return, noise >> 37);
        model.set(self.retire_taken, noise >> 38);
        model.set(self.retire_target, noise.rotate_left(23));
    }
}
