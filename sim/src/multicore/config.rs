//! What N trace modules share, beside the parameters of the module itself.

use crate::config::{Processor, TracePort, index_bits, require};
use crate::encode::record::RecordFormat;
use crate::encode::variable_length::Chunks;
use crate::parameter::{Parameter, ParameterError, Parameters, Value};
use crate::preset::Preset;
use crate::scheme::Configuration;
use crate::{parameters, words};

use super::layout::Layout;
use super::module::Module;

words! {
    /// Which chunks numbers are cut into where a parameter is `auto` (paper E, section 4).
    pub enum Encoding {
        /// Those of TR_b and NX_b: bytes, and targets in halves of a word.
        Fixed = "fixed",
        /// Those of TR_e: small ones, found over benchmarks.
        Variable = "variable",
    }
}

parameters! {
    /// What the trace modules of several cores share (paper E, section 3).
    pub struct Sharing {
        /// Processor cores, a trace module each.
        cores: u32 = 2, in 1 ..= 8;
        /// Every record says when it was made.
        time_stamps: bool = false;
        /// The chunks of all numbers whose chunks are auto.
        encoding: Encoding = Encoding::Variable;
        /// Width of the clock counters; a counter that is full makes a record.
        time_stamp_bits: u32 = 32, in 4 ..= 48;
        /// First chunk of a time stamp; auto: as the encoding says.
        time_stamp_first_chunk: Option<u32> = None, in 1 ..= 16;
        /// Later chunks of a time stamp; auto: as the encoding says.
        time_stamp_next_chunk: Option<u32> = None, in 1 ..= 16;
    }
}

impl Sharing {
    /// Bits of the core's index in a record (Ti).
    pub fn thread_bits(&self) -> u32 {
        index_bits(self.cores)
    }

    /// How a time stamp is cut (h0, h1).
    pub fn time_stamp_chunks(&self) -> Chunks {
        let (first, next) = match self.encoding {
            Encoding::Fixed => (8, 8),
            Encoding::Variable => (4, 2),
        };
        Chunks::new(
            self.time_stamp_first_chunk.unwrap_or(first),
            self.time_stamp_next_chunk.unwrap_or(next),
            self.time_stamp_bits,
        )
    }

    /// The most clocks that a time stamp says.
    pub fn most_clocks(&self) -> u64 {
        crate::config::mask(self.time_stamp_bits)
    }
}

/// A configuration of several modules of configuration `M`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Config<M> {
    /// Each module's, the processor of its core and the port of all included.
    pub module: M,
    /// What they share.
    pub sharing: Sharing,
}

impl<M: Module> Config<M> {
    /// The module's records with what a core's queue holds beside them.
    pub fn queued_format(&self) -> RecordFormat {
        Layout::new(&self.sharing).queued_format(&self.encoded_module().format())
    }

    /// The records on their way out, thread and clocks in front of the module's.
    pub fn format(&self) -> RecordFormat {
        Layout::new(&self.sharing).format(&self.encoded_module().format())
    }

    /// Clocks with records that the order queue remembers: never more than there are records.
    pub fn order_queue_depth(&self) -> u32 {
        self.sharing.cores * self.port().record_queue_depth
    }

    /// A module's configuration, its `auto` chunks as the encoding says.
    pub fn encoded_module(&self) -> M {
        self.module.encoded(self.sharing.encoding)
    }
}

impl<M: Module> Default for Config<M> {
    fn default() -> Self {
        let sharing = Sharing { encoding: M::ENCODING, ..Sharing::default() };
        Self { module: M::one_of_several(), sharing }
    }
}

impl<M: Module> Parameters for Config<M> {
    fn table() -> Vec<Parameter> {
        let mut table = M::table();
        table.extend(Sharing::table());
        // The defaults are those of the whole, not of the parts.
        for (parameter, (_, value)) in table.iter_mut().zip(Self::default().values()) {
            parameter.default = value.to_string();
        }
        table
    }

    fn values(&self) -> Vec<(&'static str, Value)> {
        let mut values = self.module.values();
        values.extend(self.sharing.values());
        values
    }

    fn try_set(&mut self, name: &str, text: &str) -> Result<bool, ParameterError> {
        Ok(self.module.try_set(name, text)? || self.sharing.try_set(name, text)?)
    }
}

impl<M: Module> Configuration for Config<M> {
    const NAME: &'static str = M::SCHEME;

    fn processor(&self) -> &Processor {
        self.module.processor()
    }

    fn processor_mut(&mut self) -> &mut Processor {
        self.module.processor_mut()
    }

    fn port(&self) -> &TracePort {
        self.module.port()
    }

    fn validate(&self) -> Result<(), ParameterError> {
        let cores = self.sharing.cores;
        require((1..=8).contains(&cores), "cores", cores, || "from 1 to 8".into())?;
        require(self.module.blocks_in_flight() == 0, "memory_style", "synchronous", || {
            "asynchronous: the records of several cores are ordered by the clock of their blocks"
                .into()
        })?;
        self.encoded_module().validate()
    }

    fn resolved(&self) -> Self {
        let time_stamp = self.sharing.time_stamp_chunks();
        Self {
            module: self.encoded_module().resolved(),
            sharing: Sharing {
                time_stamp_first_chunk: Some(time_stamp.first),
                time_stamp_next_chunk: Some(time_stamp.next),
                ..self.sharing.clone()
            },
        }
    }

    /// Storage of all modules together, tables before registers.
    fn storage(&self) -> Vec<(&'static str, u32)> {
        let (cores, port) = (self.sharing.cores, self.port());
        let time_bits = if self.sharing.time_stamps { self.sharing.time_stamp_bits } else { 0 };
        let mut storage: Vec<_> = self
            .module
            .storage()
            .into_iter()
            .map(|(name, bits)| match name {
                "output_fifo" => (name, bits),
                // One encoder of all cores takes the differences.
                "serial_difference" => (name, self.format().difference_memory_bits()),
                _ => (name, cores * bits),
            })
            .collect();
        storage.push(("clock_counters", cores * time_bits));
        if let Some((_, bits)) = storage.iter_mut().find(|(name, _)| *name == "record_queue") {
            *bits = cores * port.record_queue_depth * self.queued_format().bits();
        }
        if cores > 1 {
            storage.push(("order_queue", self.order_queue_depth() * cores));
        }
        storage.retain(|(_, bits)| *bits > 0);
        storage
    }

    /// A module's tables as often as there are cores, and the one buffer (paper E, section 6.4).
    fn estimated_storage(&self) -> Vec<(&'static str, u32)> {
        let of_module = self.module.estimated_storage().into_iter();
        let of_all = |(name, bits)| match name {
            "output_fifo" => (name, bits),
            _ => (name, self.sharing.cores * bits),
        };
        of_module.map(of_all).collect()
    }

    fn cores(&self) -> u32 {
        self.sharing.cores
    }

    fn arbitrary(random: &mut impl rand::Rng, alignment: u32, address_bits: u32) -> Self {
        loop {
            let module = M::arbitrary(random, alignment, address_bits);
            let config = super::arbitrary::config(random, module);
            if config.validate().is_ok() {
                return config;
            }
        }
    }

    fn presets() -> Vec<(Preset, Self)> {
        M::presets_of_several()
    }
}
