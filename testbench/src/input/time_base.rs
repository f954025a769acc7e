//! The time that headers of packets, or payloads without packets, say.

use tracewright_sim::config::{Protocol, TimeSource};
use tracewright_sim::packet::time::TimeCode;
use tracewright_sim::pins::module;
use tracewright_sim::session::Session;

use crate::error::Result;
use crate::library::{InputPort, Library};
use crate::model::Model;
use crate::pins::optional_input;

/// Drives the pin `timestamp`, if there is one, and knows the time that the module sees.
pub(super) struct TimeBase {
    pin: Option<InputPort>,
    source: TimeSource,
    code: TimeCode,
    time: u64,
    now: u64,
    /// What the registers of a Gray code hold, the first one first.
    samples: [u64; 2],
}

impl TimeBase {
    /// A time base that begins at 0 after reset.
    pub(super) fn find(library: &Library, protocol: &Protocol) -> Result<Self> {
        let (source, code) = (protocol.time_source, TimeCode::new(protocol));
        let pin = optional_input(library, &module::TIMESTAMP)?;
        Ok(Self { pin, source, code, time: 0, now: 0, samples: [0; 2] })
    }

    /// The same for a module without packets, if its payloads say the time, of which the golden encoder is told.
    pub(super) fn alone(library: &Library, golden: &impl Session) -> Result<Option<Self>> {
        let protocol = golden.terms().protocol;
        let tells = protocol.told_time_bits() > 0;
        tells.then(|| TimeBase::find(library, &protocol)).transpose()
    }

    /// Shows the time of the coming cycle: mostly the next one, sometimes the same or a later one.
    pub(super) fn show(&mut self, model: &mut Model, cycle: u64, noise: u64) {
        let step = match noise >> 9 & 31 {
            0 => noise,
            1..5 => 0,
            _ => 1,
        };
        self.time = self.time.wrapping_add(step);
        if let Some(pin) = self.pin {
            model.set(pin, self.code.encode(self.time));
        }
        self.now = match self.source {
            TimeSource::Counter => cycle,
            TimeSource::Binary | TimeSource::Unit => self.time,
            TimeSource::Gray => self.samples[1],
        };
        self.samples = [self.time, self.samples[0]];
    }

    /// When a block of this cycle retires.
    pub(super) fn now(&self) -> u64 {
        self.now
    }
}
