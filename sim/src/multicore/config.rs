//! The parameters of several modules: those of a module, and what all of them share.

use super::module::Module;
use super::sharing::Sharing;
use crate::bound::MostBits;
use crate::config::{Processor, Protocol, TracePort, require};
use crate::configuration::Configuration;
use crate::parameter::{Parameter, ParameterError, Parameters, Value};

/// A configuration of several modules of configuration `M`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Config<M> {
    /// Each module's, the processor of its core and the port of all included.
    pub module: M,
    /// What they share.
    pub sharing: Sharing,
}

impl<M: Module> Config<M> {
    /// Clocks with records that the order queue remembers: never more than there are records.
    pub fn order_queue_depth(&self) -> u32 {
        self.sharing.cores * (self.port().record_queue_depth + self.module.blocks_in_flight())
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
    fn processor(&self) -> &Processor {
        self.module.processor()
    }

    fn processor_mut(&mut self) -> &mut Processor {
        self.module.processor_mut()
    }

    fn port(&self) -> &TracePort {
        self.module.port()
    }

    fn protocol(&self) -> &Protocol {
        self.module.protocol()
    }

    fn piece_most_bits(&self) -> u32 {
        self.format().piece_most_bits(self.port().is_parallel())
    }

    fn numbers_cores(&self) -> bool {
        true
    }

    fn validate(&self) -> Result<(), ParameterError> {
        let cores = self.sharing.cores;
        require((1..=8).contains(&cores), "cores", cores, || "from 1 to 8".into())?;
        let is_alone = cores == 1 && !self.sharing.time_stamps;
        require(is_alone || !self.protocol().has_packets(), "framing", "packets", || {
            "packets are for one core without time stamps".into()
        })?;
        self.encoded_module().validate()
    }

    /// A module's, with the core's index before each of two records. With time stamps a core that rests sends how long.
    fn most_bits_of_event(&self) -> Option<MostBits> {
        let most = self.encoded_module().most_bits_of_event()?;
        let thread_bits = self.sharing.thread_bits();
        (!self.sharing.time_stamps).then(|| most.with_prefixes(thread_bits))
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

    fn blocks_in_flight(&self) -> u32 {
        self.module.blocks_in_flight()
    }

    fn elided_bits(&self) -> Option<u32> {
        self.module.elided_bits()
    }

    fn set_elided_bits(&mut self, bits: u32) {
        self.module.set_elided_bits(bits);
    }

    fn predicts_returns(&self) -> bool {
        self.module.predicts_returns()
    }
}
