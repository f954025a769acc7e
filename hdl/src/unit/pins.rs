//! The pins of a trace module by what they are for.

use serde::Serialize;
use tracewright_sim::config::{ResetStyle, TracePort};
use tracewright_sim::pins::{Group, Pin, module};
use tracewright_sim::scheme::Design;

use crate::{Error, Generated, Port};

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

/// A pin that the cores share.
#[derive(Clone, Debug, Serialize)]
pub struct SharedPin {
    /// Its name.
    pub name: String,
    /// Its width in bits.
    pub width: usize,
    /// It goes into the module.
    pub is_input: bool,
    /// What an input is where nobody is interested in it.
    pub idle: u64,
}

impl SharedPin {
    /// The pins of these groups that a module has, group by group.
    fn of(generated: &Generated, groups: &[Group]) -> Vec<SharedPin> {
        let of_groups = in_groups(generated, groups);
        let pins = of_groups.map(|(port, pin)| SharedPin {
            name: port.name.clone(),
            width: port.width,
            is_input: pin.is_input(),
            idle: pin.idle,
        });
        pins.collect()
    }
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
    /// The trace is made of packets, or begins anew on request: the module has the pins `sync_request` and `synchronised`.
    pub has_packets: bool,
    /// The inputs of the filter, in the order of the ports; 0 on all of them traces everything. With them there is the
    /// pin `filtered`.
    pub filter: Vec<SharedPin>,
    /// The pins that switch tracing.
    pub switch: Vec<SharedPin>,
    /// The pins of synchronisations.
    pub sync: Vec<SharedPin>,
    /// What a rule of docs/hardware.md is about beside the pins of cores: switches, the flush, the trace.
    pub ruled: Vec<SharedPin>,
    /// Width of the pin `timestamp`, 0 where there is none.
    pub timestamp_width: usize,
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
        let find = |pin: &Pin| generated.ports.iter().find(|port| pin.is_named(&port.name));
        let named = |name: &str| generated.ports.iter().any(|port| port.name == name);
        let width = |pin: &Pin| {
            let missing = || Error::MissingPort { design: design.name.clone(), port: pin.name };
            find(pin).map(|port| port.width).ok_or_else(missing)
        };
        let valid = if design.traces_data() { module::DATA_VALID } else { module::RETIRE_VALID };
        let numbered = !named(valid.name);
        let suffixes = (0..design.cores())
            .map(|core| if numbered { format!("_{core}") } else { String::new() });
        let suffixes: Vec<String> = suffixes.collect();
        let (mut fields, mut field_bits) = (Vec::new(), 0);
        for pin in module::all().filter(|pin| is_shown(pin) && pin.name != valid.name) {
            let name = format!("{}{}", pin.name, suffixes[0]);
            let Some(port) = generated.ports.iter().find(|port| port.name == name) else {
                continue;
            };
            fields.push(CorePin { name: pin.name.into(), width: port.width, low: field_bits });
            field_bits += port.width;
        }
        let is_of_core = |pin: &Pin| named(&format!("{}{}", pin.name, suffixes[0]));
        let (drops, has_stall) = (is_of_core(&module::DROPS), is_of_core(&module::STALL));
        let reset = reset(design);
        Ok(Pins {
            valid: valid.name,
            fields,
            field_bits,
            drops,
            has_stall,
            switches: find(&module::ENABLE).is_some(),
            has_packets: find(&module::SYNC_REQUEST).is_some(),
            filter: SharedPin::of(generated, &[Group::Filter]),
            switch: SharedPin::of(generated, &[Group::Switch]),
            sync: SharedPin::of(generated, &[Group::Sync]),
            ruled: SharedPin::of(generated, &[Group::Switch, Group::Flush, Group::Trace]),
            timestamp_width: find(&module::TIMESTAMP).map_or(0, |port| port.width),
            suffixes,
            trace_width: width(&module::TRACE_DATA)?,
            level_width: width(&module::BUFFERED_WORDS)?,
            clock_enable: find(&module::CLOCK_ENABLE).is_some(),
            reset,
            reset_level: if design.port().reset == ResetStyle::Synchronous { 1 } else { 0 },
        })
    }

    /// The width of a pin of a core, 0 where there is none.
    pub fn width(&self, pin: &Pin) -> usize {
        self.fields.iter().find(|field| field.name == pin.name).map_or(0, |pin| pin.width)
    }
}

/// True for what a core says of a block or an access.
fn is_shown(pin: &Pin) -> bool {
    matches!(pin.group, Group::Block | Group::State | Group::Loss | Group::Access)
}

/// The name of the reset of a design.
pub(crate) fn reset(design: &Design) -> &'static str {
    reset_of(design.port())
}

/// The name of the reset of this style.
pub(crate) fn reset_of(style: &TracePort) -> &'static str {
    match style.reset {
        ResetStyle::Asynchronous => module::RESET_N.name,
        ResetStyle::Synchronous => module::RESET.name,
    }
}

/// True if a port of a module around or in front of a trace module is a pin of this group, passed on.
pub fn is_of(port: &str, group: Group) -> bool {
    module::find(port).is_some_and(|pin| pin.group == group)
}

/// The ports of a module that are pins of these groups, group by group, in the order of the ports.
pub fn in_groups<'a>(
    generated: &'a Generated,
    groups: &[Group],
) -> impl Iterator<Item = (&'a Port, &'static Pin)> {
    groups.iter().flat_map(move |group| {
        let pins =
            generated.ports.iter().filter_map(|port| Some((port, module::find(&port.name)?)));
        pins.filter(move |(_, pin)| pin.group == *group)
    })
}

/// True for the inputs that say what is traced.
pub(crate) fn is_of_filter(port: &str) -> bool {
    is_of(port, Group::Filter)
}
