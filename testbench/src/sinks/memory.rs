//! A memory on an AXI4 bus that takes writes at an uneven pace, answers some of them with errors, and checks what the
//! protocol says of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use tracewright_sim::pins::Pin;
use tracewright_sim::pins::sinks as pins;
use tracewright_sim::system_memory_sink::{Burst, Config};

use crate::error::Result;
use crate::library::{InputPort, Library, OutputPort};
use crate::model::Model;

/// The bytes that no burst may leave.
const BOUNDARY: u64 = 4096;

/// Responses of AXI4: good, and the two errors.
const RESPONSES: [u8; 3] = [0, 2, 3];

/// How often something happens, in percent.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// An address or data is taken, or a response is given.
    pub ready: u32,
    /// A response is an error.
    pub errors: u32,
}

/// What happens in a cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Happening {
    /// A burst has come whole: its address and all of its words.
    Burst(Burst),
    /// It has been answered.
    Response(u8),
}

/// An address that waits or was taken: of the first byte, and beats less one.
type Address = (u64, u64);

struct Ports {
    address: OutputPort,
    length: OutputPort,
    address_valid: OutputPort,
    address_ready: InputPort,
    data: OutputPort,
    last: OutputPort,
    data_valid: OutputPort,
    data_ready: InputPort,
    response: InputPort,
    response_valid: InputPort,
    response_ready: OutputPort,
    /// Outputs that never change, with their values.
    constants: Vec<(OutputPort, u64, &'static str)>,
}

/// The memory.
pub struct Memory {
    /// What was written, by the address of each word.
    pub words: BTreeMap<u64, u64>,
    ports: Ports,
    config: Config,
    /// An address and data are taken in this cycle.
    is_ready: (bool, bool),
    /// What was shown in the last cycle and not taken.
    held_address: Option<Address>,
    held_data: Option<(u64, u64)>,
    /// The burst on its way.
    address: Option<Address>,
    data: Vec<u64>,
    has_last: bool,
    is_whole: bool,
    answers: Option<u8>,
    /// The ring of the last cycle: the addresses of its first and its last word.
    ring: (u64, u64),
}

impl Memory {
    /// An empty memory at the bus of a sink.
    ///
    /// # Errors
    /// When the hardware has no such bus.
    pub fn new(library: &Arc<Library>, config: &Config) -> Result<Memory> {
        let output = |pin: &Pin<Config>| library.output(pin.name, pin.bits(config));
        let input = |pin: &Pin<Config>| library.input(pin.name, pin.bits(config));
        let bytes = config.bus.word_bytes();
        let constants = [
            (&pins::MEMORY_AWSIZE, bytes.ilog2().into()),
            (&pins::MEMORY_AWBURST, 1),
            (&pins::MEMORY_AWCACHE, 3),
            (&pins::MEMORY_AWPROT, 0),
            (&pins::MEMORY_WSTRB, (1 << bytes) - 1),
        ];
        let constant = |(pin, value): (&Pin<Config>, u64)| Ok((output(pin)?, value, pin.name));
        Ok(Memory {
            words: BTreeMap::new(),
            ports: Ports {
                address: output(&pins::MEMORY_AWADDR)?,
                length: output(&pins::MEMORY_AWLEN)?,
                address_valid: output(&pins::MEMORY_AWVALID)?,
                address_ready: input(&pins::MEMORY_AWREADY)?,
                data: output(&pins::MEMORY_WDATA)?,
                last: output(&pins::MEMORY_WLAST)?,
                data_valid: output(&pins::MEMORY_WVALID)?,
                data_ready: input(&pins::MEMORY_WREADY)?,
                response: input(&pins::MEMORY_BRESP)?,
                response_valid: input(&pins::MEMORY_BVALID)?,
                response_ready: output(&pins::MEMORY_BREADY)?,
                constants: constants.into_iter().map(constant).collect::<Result<_>>()?,
            },
            config: *config,
            is_ready: (false, false),
            held_address: None,
            held_data: None,
            address: None,
            data: Vec::new(),
            has_last: false,
            is_whole: false,
            answers: None,
            ring: (0, 0),
        })
    }

    /// True if a burst is on its way.
    pub fn is_busy(&self) -> bool {
        self.held_address.is_some() || self.held_data.is_some() || self.has_begun()
    }

    fn has_begun(&self) -> bool {
        self.address.is_some() || !self.data.is_empty()
    }

    /// Sets the inputs of the next cycle.
    pub fn drive(&mut self, model: &mut Model, pace: Pace, random: &mut ChaCha8Rng) {
        let mut happens = |percent: u32| random.random_range(0..100) < percent;
        self.is_ready = (happens(pace.ready), happens(pace.ready));
        model.set(self.ports.address_ready, self.is_ready.0.into());
        model.set(self.ports.data_ready, self.is_ready.1.into());
        if self.answers.is_none() && self.is_whole && happens(pace.ready) {
            let kind = usize::from(happens(pace.errors)) * (1 + usize::from(happens(50)));
            self.answers = Some(RESPONSES[kind]);
        }
        model.set(self.ports.response_valid, self.answers.is_some().into());
        // What is no response is anything.
        let response = self.answers.unwrap_or_else(|| random.random_range(0..4));
        model.set(self.ports.response, response.into());
    }

    /// Takes what was there in the cycle, in which the ring was this one. A burst that begins has to be in the ring of
    /// the cycle before.
    ///
    /// # Errors
    /// What breaks a rule.
    pub fn clock(
        &mut self,
        model: &Model,
        ring: (u64, u64),
    ) -> std::result::Result<Option<Happening>, String> {
        for (port, value, name) in &self.ports.constants {
            if model.get(*port) != *value {
                return Err(format!("{name} is {:#x}", model.get(*port)));
            }
        }
        let is_high = |port| model.get(port) == 1;
        let answered = self.answers.filter(|_| is_high(self.ports.response_ready));
        self.take_address(model)?;
        self.take_data(model)?;
        self.ring = ring;
        if let Some(response) = answered {
            (self.answers, self.is_whole) = (None, false);
            return Ok(Some(Happening::Response(response)));
        }
        let Some((address, length)) = self.address else { return Ok(None) };
        if !self.has_last {
            return Ok(None);
        }
        if self.data.len() as u64 != length + 1 {
            return Err(format!("{} beats in a burst of {}", self.data.len(), length + 1));
        }
        (self.address, self.has_last, self.is_whole) = (None, false, true);
        let words = std::mem::take(&mut self.data);
        let bytes = u64::from(self.config.bus.word_bytes());
        let places = (0..).map(|beat| address + beat * bytes);
        self.words.extend(places.zip(words.iter().copied()));
        Ok(Some(Happening::Burst(Burst { address, words })))
    }

    fn take_address(&mut self, model: &Model) -> std::result::Result<(), String> {
        let is_valid = model.get(self.ports.address_valid) == 1;
        let shown = (model.get(self.ports.address), model.get(self.ports.length));
        match self.held_address {
            Some(held) if !is_valid || held != shown => return Err("the address changes".into()),
            None if is_valid => self.check_burst(shown)?,
            _ => {}
        }
        self.held_address = (is_valid && !self.is_ready.0).then_some(shown);
        if is_valid && self.is_ready.0 {
            self.address = Some(shown);
        }
        Ok(())
    }

    fn check_burst(&self, (address, length): Address) -> std::result::Result<(), String> {
        let bytes = u64::from(self.config.bus.word_bytes());
        let last = address.wrapping_add(length * bytes);
        let what = format!("a burst of {} from {address:#x}", length + 1);
        if self.address.is_some() || self.is_whole {
            return Err(format!("{what} before the last one is answered"));
        }
        let is_good = address.is_multiple_of(bytes)
            && length < u64::from(self.config.bus.burst_beats)
            && address / BOUNDARY == (last + bytes - 1) / BOUNDARY;
        let (start, limit) = self.ring;
        if !is_good || address < start || last > limit || last < address {
            return Err(format!("{what} in the ring {start:#x} to {limit:#x}"));
        }
        Ok(())
    }

    fn take_data(&mut self, model: &Model) -> std::result::Result<(), String> {
        let is_valid = model.get(self.ports.data_valid) == 1;
        let shown = (model.get(self.ports.data), model.get(self.ports.last));
        if self.held_data.is_some_and(|held| !is_valid || held != shown) {
            return Err("the data changes".into());
        }
        if is_valid && (self.has_last || self.is_whole) {
            return Err("data after the last beat".into());
        }
        self.held_data = (is_valid && !self.is_ready.1).then_some(shown);
        if is_valid && self.is_ready.1 {
            self.data.push(shown.0);
            self.has_last = shown.1 == 1;
        }
        Ok(())
    }
}
