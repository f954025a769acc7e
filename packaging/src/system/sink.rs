//! What takes the trace of all harts of a system: a ring of its own, or one in the memory of the system.

use tracewright_hdl::{Generated, Port};
use tracewright_sim::control::table::Component;
use tracewright_sim::control::{ram, system_memory};
use tracewright_sim::pins::{Pin, sinks};
use tracewright_sim::scheme::Design;
use tracewright_sim::{ram_sink, system_memory_sink};

use crate::Error;
use crate::netlist::{Join, Netlist};

/// Width of the funnel's trace port.
const PORT_BITS: u32 = 8;

/// What takes the trace of all harts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SystemSink {
    /// A ring of so many bytes.
    Ring(u32),
    /// A ring in the memory of the system, over this bus.
    Memory(system_memory_sink::Bus),
}

/// The same with its tail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SystemSinkConfig {
    /// The ring.
    Ring(ram_sink::Config),
    /// What writes to the memory of the system.
    Memory(system_memory_sink::Config),
}

impl SystemSink {
    /// What it is, after an article.
    pub fn phrase(&self) -> String {
        match self {
            SystemSink::Ring(bytes) => format!("ring of {bytes} bytes"),
            SystemSink::Memory(_) => "ring in the memory of the system".to_owned(),
        }
    }

    /// The sink after harts out of which so many bytes may come once tracing is switched off, a power of two.
    pub(super) fn after(self, tail_bytes: u32) -> Result<SystemSinkConfig, Error> {
        Ok(match self {
            SystemSink::Ring(bytes) => {
                let tail_words = (tail_bytes / 4).min(bytes / 8).max(1);
                let config = ram_sink::Config { bytes, port_bits: PORT_BITS, tail_words };
                config.validate()?;
                SystemSinkConfig::Ring(config)
            }
            SystemSink::Memory(bus) => {
                let config = system_memory_sink::Config::before(tail_bytes, bus, PORT_BITS);
                config.validate()?;
                SystemSinkConfig::Memory(config)
            }
        })
    }
}

impl SystemSinkConfig {
    /// Its registers.
    pub(super) fn component(&self) -> Component {
        match self {
            SystemSinkConfig::Ring(config) => ram::component(config),
            SystemSinkConfig::Memory(config) => system_memory::component(&config.bus),
        }
    }

    /// Its hardware.
    pub(super) fn generate(&self, style: &Design) -> Result<Generated, Error> {
        Ok(match self {
            SystemSinkConfig::Ring(config) => tracewright_hdl::generate_ram_sink(style, config)?,
            SystemSinkConfig::Memory(config) => {
                tracewright_hdl::generate_system_memory_sink(style, config)?
            }
        })
    }

    /// Nets and pins of its bus.
    pub(super) fn nets(&self, netlist: &mut Netlist<'_>, port: impl Fn(&str) -> Option<Port>) {
        if let SystemSinkConfig::Memory(_) = self {
            for port in sinks::SYSTEM_MEMORY.iter().filter_map(|pin| port(pin.name)) {
                netlist.port(&port.name, port.direction, port.width);
            }
        }
    }

    /// A pin that AXI wants low from the first moment of a reset, which takes effect at the next edge of the clock only.
    pub(super) fn gated(&self, name: &str, is_high: bool) -> Option<String> {
        let gated = [sinks::MEMORY_AWVALID.name, sinks::MEMORY_WVALID.name];
        let is_gated = matches!(self, SystemSinkConfig::Memory(_)) && is_high;
        (is_gated && gated.contains(&name)).then(|| format!("sink_{name}"))
    }

    /// Joins a port to the field of the registers that it is of; `None` where it is of none.
    pub(super) fn joined(&self, name: &str) -> Option<Join> {
        let (clear, fields): (_, &[(&str, &str)]) = match self {
            SystemSinkConfig::Ring(_) => (&sinks::RAM_CLEAR.name, &RING),
            SystemSinkConfig::Memory(_) => (&sinks::MEMORY_CLEAR.name, &MEMORY),
        };
        if name == *clear {
            return Some(Join::Not("trRamActive".to_owned()));
        }
        if let SystemSinkConfig::Memory(config) = self
            && config.bus.address_bits > 32
            && let Some(join) = joined_high(name)
        {
            return Some(join);
        }
        let field = fields.iter().find(|(pin, _)| *pin == name);
        field.map(|(_, field)| Join::Net((*field).to_owned()))
    }
}

const fn of<C>(pin: &Pin<C>, field: &'static str) -> (&'static str, &'static str) {
    (pin.name, field)
}

/// The ring's ports that are fields of its registers.
const RING: [(&str, &str); 17] = [
    of(&sinks::RAM_ENABLE, "trRamEnable"),
    of(&sinks::RAM_STOP_WHEN_FULL, "trRamStopOnWrap"),
    of(&sinks::RAM_LIMIT, "trRamLimitLow"),
    of(&sinks::RAM_STOPPED, "trRamEnable_clear"),
    of(&sinks::RAM_IS_EMPTY, "trRamEmpty_value"),
    of(&sinks::RAM_LOAD_WRITE_POINTER, "trRamWPLow_load"),
    of(&sinks::RAM_LOADED_WRITE_POINTER, "trRamWPLow_loaded"),
    of(&sinks::RAM_WRITE_POINTER, "trRamWPLow_value"),
    of(&sinks::RAM_LOAD_WRAPPED, "trRamWrap_load"),
    of(&sinks::RAM_LOADED_WRAPPED, "trRamWrap_loaded"),
    of(&sinks::RAM_WRAPPED, "trRamWrap_value"),
    of(&sinks::RAM_LOAD_READ_POINTER, "trRamRPLow_load"),
    of(&sinks::RAM_LOADED_READ_POINTER, "trRamRPLow_loaded"),
    of(&sinks::RAM_READ_POINTER, "trRamRPLow_value"),
    of(&sinks::RAM_READ, "trRamData_read"),
    of(&sinks::RAM_READ_WORD, "trRamData_value"),
    of(&sinks::RAM_READ_READY, "trRamData_ready"),
];

/// The ports of what writes to the memory of the system that are fields of its registers, with addresses of 32 bits.
const MEMORY: [(&str, &str); 13] = [
    of(&sinks::MEMORY_ENABLE, "trRamEnable"),
    of(&sinks::MEMORY_STOP_WHEN_FULL, "trRamStopOnWrap"),
    of(&sinks::MEMORY_START, "trRamStartLow"),
    of(&sinks::MEMORY_LIMIT, "trRamLimitLow"),
    of(&sinks::MEMORY_STOPPED, "trRamEnable_clear"),
    of(&sinks::MEMORY_IS_EMPTY, "trRamEmpty_value"),
    of(&sinks::MEMORY_LOAD_WRITE_POINTER, "trRamWPLow_load"),
    of(&sinks::MEMORY_LOADED_WRITE_POINTER, "trRamWPLow_loaded"),
    of(&sinks::MEMORY_WRITE_POINTER, "trRamWPLow_value"),
    of(&sinks::MEMORY_LOAD_WRAPPED, "trRamWrap_load"),
    of(&sinks::MEMORY_LOADED_WRAPPED, "trRamWrap_loaded"),
    of(&sinks::MEMORY_WRAPPED, "trRamWrap_value"),
    of(&sinks::MEMORY_ERROR_RESPONSE, "twRamResponse_value"),
];

/// Joins a port whose value is in two registers.
fn joined_high(name: &str) -> Option<Join> {
    let net = |net: &str| Join::Net(net.to_owned());
    // What is not written stays as it is.
    let loaded = |of: &str| {
        Join::Choice([format!("{of}_load"), format!("{of}_loaded"), format!("{of}_value")])
    };
    Some(match name {
        _ if name == sinks::MEMORY_START.name => {
            Join::Beside(vec![net("trRamStartLow"), net("trRamStartHigh")])
        }
        _ if name == sinks::MEMORY_LIMIT.name => {
            Join::Beside(vec![net("trRamLimitLow"), net("trRamLimitHigh")])
        }
        _ if name == sinks::MEMORY_LOAD_WRITE_POINTER.name => {
            Join::Any(vec!["trRamWPLow_load".to_owned(), "trRamWPHigh_load".to_owned()])
        }
        _ if name == sinks::MEMORY_LOADED_WRITE_POINTER.name => {
            Join::Beside(vec![loaded("trRamWPLow"), loaded("trRamWPHigh")])
        }
        _ if name == sinks::MEMORY_WRITE_POINTER.name => {
            Join::Beside(vec![net("trRamWPLow_value"), net("trRamWPHigh_value")])
        }
        _ => return None,
    })
}
