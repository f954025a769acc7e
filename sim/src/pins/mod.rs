//! Every pin of a trace unit, once: its name, direction, width, group, meaning, and where it is there once, for each core,
//! each lane or each range.
//!
//! The ports of the trace modules in `tracewright-hdl`, the pins that a co-simulation looks for, the modules that
//! `tracewright-packaging` puts around a trace module, and the tables of docs/hardware.md follow from it. Elsewhere a pin
//! is known by the constant of its row:
//!
//! ```
//! use tracewright_sim::pins::module;
//! use tracewright_sim::scheme::Design;
//!
//! let interface = Design::preset("traptor-m4")?.interface();
//! assert_eq!(module::RETIRE_PC.name, "retire_pc");
//! assert_eq!(interface.bits(&module::RETIRE_PC), 32);
//! assert_eq!(interface.bits(&module::ENABLE), 0); // it is not there
//! # Ok::<(), tracewright_sim::scheme::DesignError>(())
//! ```

pub mod control;
pub mod ingress;
pub mod module;
pub mod sinks;

use crate::config::{Processor, Protocol, TracePort};
use crate::configuration::Configuration;

/// Which way a pin goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Into the module.
    Input,
    /// Out of the module.
    Output,
}

/// How often a pin is there, which decides what follows its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Each {
    /// Once: nothing.
    Module,
    /// Once for every core: its number, in a design for several cores.
    Core,
    /// Once for every range of the filter: its number.
    Range,
    /// Once for every lane of a core: `_lane` and its number, if there are several.
    Lane,
    /// Once for every source of a funnel: its number.
    Source,
}

/// What a pin belongs to. Modules around a trace module pass a whole group on, or serve it as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Group {
    /// Clock, reset and clock enable.
    Clock,
    /// A block that retires.
    Block,
    /// In what the execution goes on after the block.
    State,
    /// What was lost in front of the module.
    Loss,
    /// A memory access.
    Access,
    /// Whether the module takes what a core shows.
    Answer,
    /// What is traced.
    Filter,
    /// What the filter says of a block.
    Filtered,
    /// Tracing off and on.
    Switch,
    /// The end of the trace.
    Flush,
    /// Synchronisation.
    Sync,
    /// The time.
    Time,
    /// The trace.
    Trace,
    /// What waits in the module.
    Level,
    /// The port that a core has itself, in front of an adapter.
    Ingress,
    /// The side of a sink on which the trace leaves.
    Sink,
    /// A bus with registers, or what else controls a trace unit.
    Control,
}

/// A row of the table. `C` is what widths depend on.
#[derive(Clone, Copy, Debug)]
pub struct Pin<C = Interface> {
    /// Its name in the Verilog, without a number.
    pub name: &'static str,
    /// Which way it goes.
    pub direction: Direction,
    /// One line: what it means, beside the port in the Verilog.
    pub meaning: &'static str,
    /// What docs/hardware.md says in its place; empty for the same.
    pub page: &'static str,
    /// What it belongs to.
    pub group: Group,
    /// How often it is there.
    pub each: Each,
    /// Its width in bits; 0 where it is not there.
    pub width: fn(&C) -> u32,
    /// The width as docs/hardware.md has it.
    pub width_text: &'static str,
    /// When it is there, as docs/hardware.md has it; empty for always.
    pub when: &'static str,
    /// The value of an input in whose function nobody is interested.
    pub idle: u64,
    /// Modules that trace control flow have it without a remark: a handshake that its name explains.
    pub is_plain: bool,
}

impl<C> Pin<C> {
    /// What a row has of which it says nothing else: one bit.
    pub const ROW: Pin<C> = Pin {
        name: "",
        direction: Direction::Input,
        meaning: "",
        page: "",
        group: Group::Trace,
        each: Each::Module,
        width: |_| 1,
        width_text: "1",
        when: "",
        idle: 0,
        is_plain: false,
    };

    /// The width in bits; 0 where it is not there.
    pub fn bits(&self, of: &C) -> u32 {
        (self.width)(of)
    }

    /// The width in bits where it is the same in every configuration in which the pin is there.
    pub fn fixed_bits(&self) -> Option<u32> {
        self.width_text.parse().ok()
    }

    /// True for an input.
    pub fn is_input(&self) -> bool {
        self.direction == Direction::Input
    }

    /// True if `name` is that of this pin, with or without a number.
    pub fn is_named(&self, name: &str) -> bool {
        name.strip_prefix(self.name).is_some_and(|rest| match rest.strip_prefix('_') {
            None => rest.is_empty(),
            Some(number) => {
                let number = if self.each == Each::Lane { lane_number(number) } else { number };
                self.each != Each::Module
                    && !number.is_empty()
                    && number.bytes().all(|byte| byte.is_ascii_digit())
            }
        })
    }

    /// The name with a number, that of a range or of a source.
    pub fn numbered(&self, number: usize) -> String {
        format!("{}_{number}", self.name)
    }

    /// The name in a lane; the only lane has no number.
    pub fn in_lane(&self, lane: usize, lanes: usize) -> String {
        if lanes == 1 { self.name.to_owned() } else { format!("{}_lane{lane}", self.name) }
    }
}

/// The number of a lane, without what is before it.
fn lane_number(text: &str) -> &str {
    text.strip_prefix("lane").unwrap_or("")
}

/// What the pins of a trace module depend on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interface {
    /// The processor that is traced.
    pub processor: Processor,
    /// Packets, filters, switches.
    pub protocol: Protocol,
    /// The output.
    pub port: TracePort,
    /// The cores whose pins have a number; none if the only core has no number.
    pub numbered_cores: Option<u32>,
    /// Memory accesses are traced instead of control flow.
    pub traces_data: bool,
}

/// A pin that a module has.
#[derive(Clone, Debug)]
pub struct Placed {
    /// Its row.
    pub pin: &'static Pin,
    /// Its name with its number.
    pub name: String,
    /// Its width in bits.
    pub width: u32,
}

impl Interface {
    /// The pins of the module of a configuration.
    pub fn of(config: &impl Configuration) -> Interface {
        Interface {
            processor: config.processor().clone(),
            protocol: config.protocol().clone(),
            port: config.port().clone(),
            numbered_cores: config.numbers_cores().then(|| config.cores()),
            traces_data: config.traces_data(),
        }
    }

    /// Cores that have pins.
    pub fn cores(&self) -> u32 {
        self.numbered_cores.unwrap_or(1)
    }

    /// What a pin, or a group of pins, is called at a core.
    pub fn of_core(&self, name: &str, core: u32) -> String {
        self.numbered_cores.map_or_else(|| name.to_owned(), |_| format!("{name}_{core}"))
    }

    /// The width of a pin in bits; 0 if the module does not have it.
    pub fn bits(&self, pin: &Pin) -> u32 {
        pin.bits(self)
    }

    /// What the Verilog says beside a port.
    pub fn remark(&self, pin: &Pin) -> &'static str {
        if pin.is_plain && !self.traces_data { "" } else { pin.meaning }
    }

    /// The width of something that only a module for control flow has.
    pub(crate) fn of_block(&self, width: u32) -> u32 {
        if self.traces_data { 0 } else { width }
    }

    /// The width of something that only a module for data addresses has.
    fn of_access(&self, width: u32) -> u32 {
        if self.traces_data { width } else { 0 }
    }

    /// Every pin of the module, in the order of its ports.
    pub fn pins(&self) -> Vec<Placed> {
        let mut placed = Vec::new();
        for run in module::runs() {
            let count = match (run[0].each, self.numbered_cores) {
                (Each::Core, Some(cores)) => Some(cores),
                (Each::Range, _) => Some(self.protocol.filter_ranges),
                _ => None,
            };
            for number in 0..count.unwrap_or(1) {
                for pin in run.iter().filter(|pin| self.bits(pin) > 0) {
                    let name = match count {
                        Some(_) => pin.numbered(number as usize),
                        None => pin.name.to_owned(),
                    };
                    placed.push(Placed { pin, name, width: self.bits(pin) });
                }
            }
        }
        placed
    }
}

/// The names of all pins of trace modules, of adapters, and of what is around them.
pub fn names() -> Vec<&'static str> {
    fn of<C>(pins: &'static [Pin<C>]) -> impl Iterator<Item = &'static str> {
        pins.iter().map(|pin| pin.name)
    }
    let switch = of(ingress::SWITCH);
    let around = of(ingress::RVFI).chain(of(ingress::TIP)).chain(of(ingress::ADAPTER));
    let streams =
        of(sinks::AXI_STREAM_CLOCKS).chain(of(sinks::AXI_STREAM)).chain(of(sinks::SINK_SOURCE));
    let buses = of(sinks::ATB_CLOCKS).chain(of(sinks::ATB)).chain(of(sinks::CHIP_PINS));
    let buses = buses.chain(of(sinks::CHIP_PERIOD));
    let control = of(control::APB).chain(of(control::AXI_LITE)).chain(of(control::TRIGGERS));
    let control = control.chain(of(control::UART)).chain(of(control::UART_PERIOD));
    let others = of(sinks::SOURCE).chain(of(sinks::SYSTEM_MEMORY)).chain(of(sinks::COMBINED));
    let module = module::all().map(|pin| pin.name);
    module
        .chain(around)
        .chain(switch)
        .chain(streams)
        .chain(buses)
        .chain(control)
        .chain(others)
        .collect()
}

/// True if `name` is that of the clock of a trace module, or of one with a sink around it.
pub fn is_clock(name: &str) -> bool {
    [module::CLOCK.name, sinks::ACLK.name, sinks::ATCLK.name].contains(&name)
}

/// Declares the constants of a table's rows, and a list of them. A row has its meaning, its constant, its direction, its name
/// after the list's prefix and, in braces, other fields of [`Pin`]; what it says nothing of is that of the list's first row.
#[macro_export]
macro_rules! pins {
    (
        $list:ident of $config:ty, $row:expr, $prefix:literal;
        $($(#[doc = $meaning:literal])* $pin:ident: $direction:tt $name:ident $(as $label:tt)? { $($details:tt)* })*
    ) => {
        $(
            $(#[doc = $meaning])*
            pub const $pin: $crate::pins::Pin<$config> = $crate::pins::Pin {
                name: concat!($prefix, $crate::pins!(@name $name $($label)?)),
                direction: $crate::pins!(@direction $direction),
                meaning: concat!($($meaning,)* "").trim_ascii(),
                $($details)*
                ..$row
            };
        )*

        /// The rows.
        pub static $list: &[$crate::pins::Pin<$config>] = &[$($pin),*];
    };
    (@name $name:ident) => { stringify!($name) };
    (@name $name:ident $label:tt) => { stringify!($label) };
    (@direction in) => { $crate::pins::Direction::Input };
    (@direction out) => { $crate::pins::Direction::Output };
}
