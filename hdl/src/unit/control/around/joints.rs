//! How the registers are joined to a trace module and to what is beside it.

use tracewright_sim::control::filter::{SELECTION, enables, fields_of_pin};
use tracewright_sim::control::timestamp;
use tracewright_sim::control::trigger::{ACTIONS, EVENTS};
use tracewright_sim::pins::{control as pins, ingress, module, sinks};

use super::{Beside, Surroundings};
use crate::unit::control::sink_joints::{of_memory, of_ring};
use crate::unit::pins::is_of_filter;
use crate::unit::sink;
use crate::unit::wires::{half_period, has_half_period, instance};
use crate::{Assembly, Connection, Port, Value};

/// Names of nets that are no pins and no fields of registers.
const TRIGGER_NOTIFIES: &str = "trigger_notifies";
const SYNC_IS_DUE: &str = "sync_is_due";
const BEAT_VALID: &str = "beat_valid";
const BEAT_READY: &str = "beat_ready";
const ALL_HAS_LEFT: &str = "all_has_left";

impl Surroundings<'_> {
    /// Joins all.
    pub(super) fn join(&self, assembly: &mut Assembly, beside: &Beside) {
        instance(assembly, "registers", &beside.registers, Assembly::same);
        self.assign(assembly);
        if let Some(unit) = &beside.timestamp_unit {
            instance(assembly, "timestamp_unit", unit, |assembly, port| {
                of_timestamp_unit(assembly, port)
            });
        }
        instance(assembly, "trace_switch", &beside.switch, |assembly, port| {
            self.of_switch(assembly, port)
        });
        if let Some(gate) = &beside.bridge_gate {
            instance(assembly, "bridge_gate", gate, |assembly, port| {
                self.of_bridge_gate(assembly, port)
            });
        }
        let triggers = [
            ("trigger_inputs", &beside.trigger_inputs),
            ("trigger_outputs", &beside.trigger_outputs),
        ];
        for (name, block) in triggers {
            if let Some(block) = block {
                instance(assembly, name, block, |assembly, port| self.of_triggers(assembly, port));
            }
        }
        if let Some(sink) = &beside.sink {
            let name =
                if self.control.ram_sink.is_some() { "ram_sink" } else { "system_memory_sink" };
            instance(assembly, name, sink, |assembly, port| self.of_sink(assembly, port));
        }
        let period = has_half_period(self.inner).then(|| half_period(assembly, 1));
        let period: Vec<_> = period.into_iter().collect();
        assembly.instance("trace_module", self.inner.instantiated(), &period, |assembly, port| {
            self.of_module(assembly, port)
        });
    }

    /// What is between registers and pins.
    fn assign(&self, assembly: &mut Assembly) {
        if self.control.shared_sink.is_some() {
            let pairs = [
                (&pins::SOURCE_DISCARDS, &module::DISCARD),
                (&pins::SOURCE_IS_EMPTY, &module::FLUSHED),
            ];
            for (source, of_module) in pairs {
                let value = assembly.bit(of_module.name);
                let source = assembly.net(source.name, 1);
                assembly.drive(source, value);
            }
        }
        if self.design.protocol().time_bits > 0 {
            let is_active = assembly.known("trTeActive");
            let value = assembly.net("trTsActive_value", 1);
            assembly.drive(value, is_active);
        }
        let time = self.inner.ports.iter().find(|port| port.name == module::TIMESTAMP.name);
        if let Some(time) = time.filter(|_| self.unit_bits() > 0) {
            let time = assembly.net(&time.name, time.width);
            let mut low = 0;
            for field in timestamp::COUNTER.map(|name| format!("{name}_value")) {
                if let Some(field) = assembly.find(&field) {
                    assembly.drive(field, time.value().bits(low, field.width()));
                    low += field.width();
                }
            }
        }
        let filters = self.inner.ports.iter().filter(|port| is_of_filter(&port.name));
        for port in filters {
            if let Some(fields) = fields_of_pin(&port.name, port.width) {
                let value = assembly.known_beside(&fields);
                let pin = assembly.net(&port.name, port.width);
                assembly.drive(pin, value);
            }
        }
    }

    /// The gate where a port is one, which is always high without one; otherwise what has the port's name.
    fn of_gate(&self, assembly: &mut Assembly, port: &Port) -> Connection {
        match self.gate {
            Some(gate) if port.name == "runs" || port.name == module::CLOCK_ENABLE.name => {
                assembly.net(gate, 1).into()
            }
            _ => assembly.same(port),
        }
    }

    fn of_switch(&self, assembly: &mut Assembly, port: &Port) -> Connection {
        let ranges = self.design.protocol().filter_ranges;
        let net = match port.name.as_str() {
            "active" => "trTeActive",
            "tracing" => "trTeInstTracing",
            "mode" => "trTeInstMode",
            "sink_enable" if self.control.trace_bus => "trAtbBridgeEnable",
            "sink_enable" if self.control.shared_sink.is_some() => pins::SINK_ENABLE.name,
            "sink_enable" => "trRamEnable",
            "sync_mode" => "trTeInstSyncMode",
            "sync_max" => "trTeInstSyncMax",
            "filters" => SELECTION,
            "filter_enables" => return assembly.known_beside(&enables(ranges)).into(),
            "answers" => {
                let pins: Vec<_> =
                    self.answers().into_iter().map(|pin| assembly.bit(pin)).collect();
                return Value::beside(pins).into();
            }
            "is_empty" => "trTeEmpty_value",
            "takes_blocks" => "twTakesBlocks_value",
            "lacks_room" => "trTeInstStallOrOverflow_set",
            name if name == module::ENABLE.name => "trTeEnable",
            name if name == ingress::MODULE_ENABLE.name => module::ENABLE.name,
            name if name == ingress::MODULE_DISCARD.name => module::DISCARD.name,
            _ => return self.of_gate(assembly, port),
        };
        assembly.net(net, port.width).into()
    }

    fn of_bridge_gate(&self, assembly: &mut Assembly, port: &Port) -> Connection {
        let net = match port.name.as_str() {
            "is_empty" => "trTeEmpty_value",
            "bridge_is_empty" => "trAtbBridgeEmpty_value",
            _ => return self.of_gate(assembly, port),
        };
        assembly.net(net, port.width).into()
    }

    fn of_triggers(&self, assembly: &mut Assembly, port: &Port) -> Connection {
        let numbered = |names: &[&'static str], prefix| {
            let number: usize = port.name.strip_prefix(prefix)?.parse().ok()?;
            names.get(number).copied()
        };
        let field = numbered(&ACTIONS, "action_").or_else(|| numbered(&EVENTS, "event_"));
        let net = match port.name.as_str() {
            _ if field.is_some() => field.unwrap_or_default(),
            "may_switch" => "trTeInstTrigEnable",
            "is_tracing" => module::ENABLE.name,
            "starts" => "trTeInstTracing_set",
            "stops" => "trTeInstTracing_clear",
            "notifies" => TRIGGER_NOTIFIES,
            "tracing" => "trTeInstTracing",
            "lacks_room" => "trTeInstStallOrOverflow_set",
            _ => return self.of_gate(assembly, port),
        };
        assembly.net(net, port.width).into()
    }

    /// For a port of the sink with registers, which does not wait for the gate.
    fn of_sink(&self, assembly: &mut Assembly, port: &Port) -> Connection {
        let of_fields = match self.control.ram_sink {
            Some(_) => of_ring(assembly, port),
            None => of_memory(assembly, port, self.reset),
        };
        if let Some(connection) = of_fields {
            return connection;
        }
        match (port.name.as_str(), self.gate) {
            (name, _) if name == module::CLOCK_ENABLE.name => Value::constant(1, 1).into(),
            (name, Some(gate)) if name == module::TRACE_VALID.name => {
                (assembly.bit(name) & assembly.bit(gate)).into()
            }
            (name, _) if name == sinks::RAM_SOURCE_IS_EMPTY.name => {
                assembly.net(module::FLUSHED.name, 1).into()
            }
            _ => assembly.same(port),
        }
    }

    /// For a port of the trace module, or of that with its adapters and with a sink that makes it the source of a trace bus, whose
    /// gate stands between it and the bus.
    fn of_module(&self, assembly: &mut Assembly, port: &Port) -> Connection {
        let name = port.name.as_str();
        let requests = [module::SYNC_REQUEST.name, sinks::SYNCREQ.name];
        if let Some(clock) = sink::clock_or_reset(assembly, name, self.reset) {
            return clock;
        }
        if requests.contains(&name) {
            let asked = assembly.bit(name) | assembly.bit(SYNC_IS_DUE);
            return match self.control.triggers.inputs {
                0 => asked.into(),
                _ => (asked | assembly.bit(TRIGGER_NOTIFIES)).into(),
            };
        }
        let net = match name {
            _ if name == module::FLUSH.name => match self.control.shared_sink {
                Some(sink) if sink.flushes => pins::SINK_FLUSH.name,
                _ => return Value::constant(1, 0).into(),
            },
            _ if !self.control.trace_bus => name,
            _ if name == sinks::TRACE_ID.name => "trAtbBridgeID",
            _ if name == sinks::ATVALID.name => BEAT_VALID,
            _ if name == sinks::ATREADY.name => BEAT_READY,
            _ if name == sinks::AFREADY.name => ALL_HAS_LEFT,
            _ => name,
        };
        assembly.net(net, port.width).into()
    }
}

fn of_timestamp_unit(assembly: &mut Assembly, port: &Port) -> Connection {
    let done = format!("{}_clear", timestamp::RESET);
    let net = match port.name.as_str() {
        "active" => "trTeActive",
        "counts" => timestamp::COUNT,
        "resets" => timestamp::RESET,
        "prescale" => timestamp::PRESCALE,
        "reset_done" => &done,
        _ => return assembly.same(port),
    };
    assembly.net(net, port.width).into()
}
