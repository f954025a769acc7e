//! How the adapters of cores are joined to a trace module.

use tracewright_sim::pins::{Group, ingress, module};

use super::{Pin, Words};
use crate::unit::pins::{Pins, is_of};
use crate::unit::wires::instance;
use crate::{Assembly, Connection, Generated, Port, Value};

/// What is between the adapters and the trace module.
pub(super) struct Joints<'a> {
    /// The pins of the trace module.
    pub pins: &'a Pins,
    /// The pins of a core.
    pub inputs: &'a [Pin],
    pub words: Words,
    /// The switch lets an adapter hold a block that would be lost for a cycle: the one before it may take the trace module two.
    pub holds: bool,
    /// The registers after each adapter, if there are some.
    pub buffer: Option<&'a Generated>,
}

/// Names of nets, each of which has the suffix of its core.
const DRAINED: &str = "drained";
const RETIRE_STALL: &str = "retire_stall";
/// What a registered adapter says itself begins so.
const SHOWN: &str = "shown_";

impl Joints<'_> {
    /// Joins the adapter of each core, the switch and the trace module. `suffixes` are those of the cores' pins.
    pub fn join(
        &self,
        assembly: &mut Assembly,
        (adapter, switch, trace_module): (&Generated, Option<&Generated>, &Generated),
        suffixes: &[String],
    ) {
        for (core, suffix) in self.pins.suffixes.iter().zip(suffixes) {
            self.stalls(assembly, core);
            instance(assembly, &format!("adapter{core}"), adapter, |assembly, port| {
                self.of_adapter(assembly, port, core, suffix)
            });
            if let Some(buffer) = self.buffer {
                self.split(assembly, core);
                instance(assembly, &format!("retire_buffer{core}"), buffer, |assembly, port| {
                    self.of_buffer(assembly, port, core)
                });
            }
        }
        if let Some(switch) = switch {
            instance(assembly, "adapter_switch", switch, |assembly, port| {
                self.of_switch(assembly, port)
            });
        }
        if self.holds {
            let (drops, lost) =
                (assembly.net(module::DROPS.name, 1), assembly.bit(ingress::MODULE_DROPS.name));
            let free = !assembly.bit(ingress::ADAPTER_HOLDS.name);
            assembly.drive(drops, lost & free);
        }
        instance(assembly, "trace_module", trace_module, |assembly, port| {
            self.of_module(assembly, port, suffixes)
        });
    }

    /// Drives what makes an adapter wait where the trace module does not.
    fn stalls(&self, assembly: &mut Assembly, core: &str) {
        if self.pins.has_stall || !(self.holds || self.words.stalls || self.buffer.is_some()) {
            return;
        }
        let remark = if self.holds {
            "a block that would be lost is held for a cycle, and then shown"
        } else if self.words.stalls {
            "what is not taken is lost, and drops says so"
        } else {
            "what is not taken is lost, and the trace says so"
        };
        let waits = if self.holds {
            assembly.bit(ingress::ADAPTER_HOLDS.name)
        } else {
            Value::constant(1, 0)
        };
        let net = assembly.described(&format!("{RETIRE_STALL}{core}"), 1, remark);
        assembly.drive(net, waits);
    }

    /// The name of a net between an adapter and what is after it.
    fn after_adapter(&self, name: &str, core: &str) -> String {
        match self.buffer {
            Some(_) if name == module::RETIRE_VALID.name => format!("{SHOWN}valid{core}"),
            Some(_) => format!("{SHOWN}{name}{core}"),
            None => format!("{name}{core}"),
        }
    }

    fn of_adapter(
        &self,
        assembly: &mut Assembly,
        port: &Port,
        core: &str,
        suffix: &str,
    ) -> Connection {
        let name = port.name.as_str();
        let of_pin = |pin: &Pin| {
            let low = pin.ports.iter().find(|(of, _)| of == name).map(|(_, low)| *low);
            low.map(|low| (format!("{}{suffix}", pin.name), pin.width, low))
        };
        if let Some((pin, width, low)) = self.inputs.iter().find_map(of_pin) {
            let pin = assembly.net(&pin, width);
            return match pin.width() == port.width {
                true => pin.into(),
                false => pin.value().bits(low, port.width).into(),
            };
        }
        let net = match name {
            _ if is_of(name, Group::Clock) => name.to_owned(),
            _ if name == module::FLUSH.name && self.pins.switches => {
                ingress::ADAPTER_FLUSH.name.to_owned()
            }
            _ if name == module::FLUSH.name => name.to_owned(),
            _ if name == module::STALL.name || name == ingress::LOST.name => {
                format!("{name}{suffix}")
            }
            RETIRE_STALL if self.buffer.is_some() => {
                return (!assembly.bit(&format!("{SHOWN}ready{core}"))).into();
            }
            RETIRE_STALL => format!("{name}{core}"),
            _ => self.after_adapter(name, core),
        };
        assembly.net(&net, port.width).into()
    }

    /// The fields that a registered adapter says or that are said after its registers, the first one highest.
    fn fields(&self, assembly: &mut Assembly, shown: &str, core: &str) -> Value {
        let fields = self.pins.fields.iter().rev();
        let nets = fields
            .map(|pin| assembly.net(&format!("{shown}{}{core}", pin.name), pin.width).value());
        Value::beside(nets.collect::<Vec<_>>())
    }

    /// Gives the bits after the registers the names of what they are.
    fn split(&self, assembly: &mut Assembly, core: &str) {
        let later = assembly.net(&format!("later{core}"), self.pins.field_bits);
        let mut low = 0;
        for pin in self.pins.fields.iter().rev() {
            let net = assembly.net(&format!("{}{core}", pin.name), pin.width);
            assembly.drive(net, later.value().bits(low, pin.width));
            low += pin.width;
        }
    }

    fn of_buffer(&self, assembly: &mut Assembly, port: &Port, core: &str) -> Connection {
        let own = |assembly: &mut Assembly, name: &str| {
            assembly.net(&format!("{name}{core}"), port.width).into()
        };
        match port.name.as_str() {
            name if is_of(name, Group::Clock) => assembly.same(port),
            "shown" => self.fields(assembly, SHOWN, core).into(),
            "later_valid" => own(assembly, module::RETIRE_VALID.name),
            "later_ready" => (!assembly.bit(&format!("{RETIRE_STALL}{core}"))).into(),
            name => own(assembly, name),
        }
    }

    /// All adapters have drained.
    fn drained(&self, assembly: &mut Assembly) -> Value {
        let cores = self.pins.suffixes.iter();
        let nets: Vec<_> = cores.map(|core| assembly.bit(&format!("{DRAINED}{core}"))).collect();
        Value::all(nets)
    }

    /// For a port of the switch, which holds the blocks of an only core.
    fn of_switch(&self, assembly: &mut Assembly, port: &Port) -> Connection {
        match port.name.as_str() {
            name if name == ingress::ALL_DRAINED.name => self.drained(assembly).into(),
            name if name == ingress::ADAPTER_STALL.name => {
                assembly.net(module::STALL.name, port.width).into()
            }
            _ => assembly.same(port),
        }
    }

    /// For a port of the trace module, which is flushed and switched off when what came before that has left the adapters.
    fn of_module(&self, assembly: &mut Assembly, port: &Port, suffixes: &[String]) -> Connection {
        let name = port.name.as_str();
        let of_core = |base: &str| {
            let mut numbers = self.pins.suffixes.iter().zip(suffixes);
            numbers.find(|(core, _)| name.strip_prefix(base) == Some(core.as_str()))
        };
        if of_core(module::RETIRE_VALID.name).is_some() && self.holds {
            let free = !assembly.bit(ingress::ADAPTER_HOLDS.name);
            return (assembly.bit(name) & free).into();
        }
        let other = match name {
            _ if name == module::ENABLE.name => ingress::MODULE_ENABLE.name.into(),
            _ if name == module::DISCARD.name => ingress::MODULE_DISCARD.name.into(),
            _ if name == module::FLUSH.name && self.pins.switches => {
                ingress::MODULE_FLUSH.name.into()
            }
            _ if name == module::FLUSH.name => return self.drained(assembly).into(),
            _ if module::STALL.is_named(name) => name.replacen(module::STALL.name, RETIRE_STALL, 1),
            _ if module::DROPS.is_named(name) && self.holds => ingress::MODULE_DROPS.name.into(),
            _ => match of_core(module::DROPS.name) {
                Some((_, suffix)) => format!("{}{suffix}", module::DROPS.name),
                None => name.into(),
            },
        };
        assembly.net(&other, port.width).into()
    }
}
