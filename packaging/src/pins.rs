//! The pins of a trace module by what they are for.

use serde::Serialize;
use tracewright_hdl::{Direction, Generated, Port};
use tracewright_sim::config::ResetStyle;
use tracewright_sim::event::{Access, ExecutionState};
use tracewright_sim::packet::time::TimeCode;
use tracewright_sim::scheme::Design;
use tracewright_testbench::stimulus::Block;

use crate::Error;

/// The time at which all of a stand-alone testbench happens, as far as a pin `timestamp` says.
pub(crate) const TESTBENCH_TIME: u64 = 0x0123_4567_89ab_cdef;

/// A pin of a core that describes what retires.
#[derive(Clone, Debug, Serialize)]
pub struct CorePin {
    /// Its name without the core's number.
    pub name: String,
    /// Its width in bits.
    pub width: usize,
    /// Where its bits are in a line of the vectors.
    pub low: usize,
}

/// A pin of the filter.
#[derive(Clone, Debug, Serialize)]
pub struct FilterPin {
    /// Its name.
    pub name: String,
    /// Its width in bits.
    pub width: usize,
}

/// The pins of a trace module by what they are for.
#[derive(Clone, Debug, Serialize)]
pub struct Pins {
    /// `retire_valid` or `data_valid`.
    pub valid: &'static str,
    /// The other pins of a core, in the order of the ports.
    pub fields: Vec<CorePin>,
    /// Bits of all of these.
    pub field_bits: usize,
    /// The suffix of each core's pin names, such as `_0`; empty if the only core has no number.
    pub suffixes: Vec<String>,
    /// The module has the pin `stall`.
    pub has_stall: bool,
    /// Blocks that are not taken and do not wait are lost: the module has the pin `drops`.
    pub drops: bool,
    /// Tracing is switched off and on: the module has the pins `enable` and `discard`.
    pub switches: bool,
    /// The trace is made of packets: the module has the pins `sync_request` and `synchronised`.
    pub has_packets: bool,
    /// The inputs of the filter, in the order of the ports; 0 on all of them traces everything. With them there is the
    /// pin `filtered`.
    pub filter: Vec<FilterPin>,
    /// Width of the pin `timestamp`, 0 where there is none.
    pub timestamp_width: usize,
    /// What the testbench shows there, in hexadecimal digits.
    pub timestamp: String,
    /// Width of `trace_data`.
    pub trace_width: usize,
    /// Width of `buffered_words`.
    pub level_width: usize,
    /// Registers and memories change only while the pin `clock_enable` is high.
    pub clock_enable: bool,
    /// The reset port.
    pub reset: &'static str,
    /// Its level in reset.
    pub reset_level: u8,
}

impl Pins {
    /// Sorts the ports of a design.
    ///
    /// # Errors
    /// When a port is missing, or is none of those of docs/hardware.md.
    pub fn find(design: &Design, generated: &Generated) -> Result<Pins, Error> {
        let find = |name: &str| generated.ports.iter().find(|port| port.name == name);
        let width = |name: &'static str| {
            let missing = || Error::MissingPort { design: design.name.clone(), port: name };
            find(name).map(|port| port.width).ok_or_else(missing)
        };
        let (prefix, valid) = if design.traces_data() {
            ("data_", "data_valid")
        } else {
            ("retire_", "retire_valid")
        };
        let numbered = find(valid).is_none();
        let suffixes = (0..design.cores())
            .map(|core| if numbered { format!("_{core}") } else { String::new() });
        let suffixes: Vec<String> = suffixes.collect();
        let (mut fields, mut field_bits) = (Vec::new(), 0);
        for port in &generated.ports {
            let Some(name) = of_first_core(port, &suffixes[0]) else { continue };
            if name.starts_with(prefix) && name != valid {
                fields.push(CorePin { name: name.into(), width: port.width, low: field_bits });
                field_bits += port.width;
            }
        }
        let (reset, reset_level) =
            if find("reset_n").is_some() { ("reset_n", 0) } else { ("reset", 1) };
        Ok(Pins {
            valid,
            fields,
            field_bits,
            drops: find(&format!("drops{}", suffixes[0])).is_some(),
            has_stall: find(&format!("stall{}", suffixes[0])).is_some(),
            switches: find("enable").is_some(),
            has_packets: find("sync_request").is_some(),
            filter: generated
                .ports
                .iter()
                .filter(|port| is_of_filter(&port.name))
                .map(|port| FilterPin { name: port.name.clone(), width: port.width })
                .collect(),
            timestamp_width: find("timestamp").map_or(0, |port| port.width),
            timestamp: format!("{:x}", TimeCode::new(design.protocol()).encode(TESTBENCH_TIME)),
            suffixes,
            trace_width: width("trace_data")?,
            level_width: width("buffered_words")?,
            clock_enable: find("clock_enable").is_some(),
            reset,
            reset_level,
        })
    }

    /// The width of a pin of a core, 0 where there is none.
    pub fn width(&self, name: &str) -> usize {
        self.fields.iter().find(|pin| pin.name == name).map_or(0, |pin| pin.width)
    }
}

/// The reset port, the edges beside the clock's at which registers change, and the condition of the reset.
pub(crate) fn resets(design: &Design) -> [&'static str; 3] {
    match design.port().reset {
        ResetStyle::Asynchronous => ["reset_n", " or negedge reset_n", "!reset_n"],
        ResetStyle::Synchronous => ["reset", "", "reset"],
    }
}

/// True for the inputs that say what is traced.
pub(crate) fn is_of_filter(port: &str) -> bool {
    port.starts_with("filter_")
}

/// The name without the number of the first core, if it is an input of that.
fn of_first_core<'a>(port: &'a Port, suffix: &str) -> Option<&'a str> {
    (port.direction == Direction::Input).then_some(port.name.strip_suffix(suffix)).flatten()
}

/// Something that can be on the pins of a core.
pub trait Shown {
    /// The value of a pin; `None` if the pin is not known.
    fn value(&self, pin: &str) -> Option<u64>;
}

/// A block, and the state in which the execution goes on after it.
pub type Retired = (Block, ExecutionState);

impl Shown for Retired {
    fn value(&self, pin: &str) -> Option<u64> {
        let (block, state) = self;
        Some(match pin {
            "retire_count" => block.count,
            "retire_pc" => block.program_counter,
            "retire_length" => block.length,
            "retire_kind" => block.kind,
            "retire_call" => block.call.into(),
            "retire_return" => block.is_return.into(),
            "retire_taken" => block.taken.into(),
            "retire_target" => block.target,
            "retire_context" => state.context,
            "retire_privilege" => state.privilege.into(),
            "retire_cause" => state.cause.unwrap_or(0),
            // Nothing is lost in front of the module.
            "retire_lost" | "retire_lost_count" => 0,
            _ => return None,
        })
    }
}

impl Shown for Access {
    fn value(&self, pin: &str) -> Option<u64> {
        Some(match pin {
            "data_pc" => self.site.program_counter,
            "data_address" => self.address,
            "data_store" => self.site.store.into(),
            _ => return None,
        })
    }
}
