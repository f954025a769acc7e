//! The module around a funnel with its registers.

use tracewright_sim::config::TracePort;
use tracewright_sim::control::Bus;
use tracewright_sim::control::funnel::component;
use tracewright_sim::control::table::Map;
use tracewright_sim::funnel::Config;
use tracewright_sim::pins::{module, sinks};

use super::registers::{bus_ports, header, register_file};
use crate::control::{ControlPart, Owner, generate_control_part};
use crate::unit::pins::reset_of;
use crate::unit::sink::is_clock_or_reset;
use crate::unit::wires::{self, clock_and_reset, instance, made, storage};
use crate::{Assembly, Connection, Error, Generated, Port, Value};

/// A funnel with registers.
#[derive(Clone, Copy, Debug)]
pub struct FunnelControl<'a> {
    /// The name of the funnel.
    pub name: &'a str,
    /// Its size.
    pub config: &'a Config,
    /// Of which reset, clock enable and memories count.
    pub style: &'a TracePort,
    /// The bus by which the registers are read and written.
    pub bus: Bus,
}

impl FunnelControl<'_> {
    /// Whose registers they are.
    pub fn owner(&self) -> Owner<'_> {
        Owner::Funnel { name: self.name, style: self.style }
    }

    /// The registers.
    ///
    /// # Errors
    /// When the funnel breaks a constraint.
    pub fn map(&self) -> Result<Map, Error> {
        self.config.validate()?;
        Ok(Map { components: vec![component(self.config)] })
    }

    /// The register file alone: the bus on one side, the fields on the other.
    ///
    /// # Errors
    /// When the funnel breaks a constraint, or the name cannot be a module's.
    pub fn register_file(&self) -> Result<Generated, Error> {
        register_file(self.owner(), &self.map()?, self.bus)
    }

    /// What is added to `inner`, the Verilog of the funnel: the module `NAME_control` around it, and what it instantiates
    /// beside it. Ports and storage are those of the whole.
    ///
    /// # Errors
    /// Those of [`register_file`](Self::register_file).
    pub fn around(&self, inner: &Generated) -> Result<Generated, Error> {
        self.module(inner, false)
    }

    /// The same with an input `fault_select`, whose value N puts the fault of that number into how its parts are joined.
    ///
    /// # Errors
    /// Those of [`register_file`](Self::register_file).
    pub fn around_with_faults(&self, inner: &Generated) -> Result<Generated, Error> {
        self.module(inner, true)
    }

    fn module(&self, inner: &Generated, faults: bool) -> Result<Generated, Error> {
        let (registers, switch) = (self.register_file()?, self.switch()?);
        let (top, header) = (format!("{}_control", inner.top), header(self.owner()));
        let reset = reset_of(self.style);
        let is_kept = |port: &&Port| !is_clock_or_reset(&port.name, reset);
        let kept = inner.ports.iter().filter(is_kept).cloned();
        let ports = clock_and_reset(reset).into_iter().chain(bus_ports(self.bus)).chain(kept);
        let mut assembly = wires::around(&top, &ports.collect::<Vec<_>>(), faults);
        instance(&mut assembly, "registers", &registers, Assembly::same);
        instance(&mut assembly, "funnel_switch", &switch, |assembly, port| {
            self.of_switch(assembly, port)
        });
        instance(&mut assembly, "funnel", inner, |assembly, port| self.of_funnel(assembly, port));
        let made = made(assembly, &header, &title(inner))?;
        let added = [("control", &switch), ("registers", &registers)];
        let added_storage = added.map(|(instance, part)| storage(instance, part.storage_bits));
        let bits: usize = added_storage.iter().map(|part| part.bits).sum();
        let files = registers.files.iter().chain(&switch.files).cloned();
        Ok(Generated {
            ports: made.ports,
            files: files.chain([made.file]).collect(),
            memory_files: Vec::new(),
            header: header.clone(),
            top_header: header,
            storage: inner.storage.iter().cloned().chain(added_storage).collect(),
            storage_bits: inner.storage_bits + bits,
            memory_bits: inner.memory_bits,
            faults: made.faults,
            top,
        })
    }

    fn switch(&self) -> Result<Generated, Error> {
        let part = ControlPart::FunnelSwitch(self.config.sources);
        generate_control_part(self.owner(), part)
    }

    /// The pins of this kind of all sources beside each other.
    fn of_sources(
        &self,
        assembly: &mut Assembly,
        numbered: impl Fn(usize) -> String,
    ) -> Connection {
        let sources = 0..self.config.sources as usize;
        let pins: Vec<_> = sources.map(|source| assembly.bit(&numbered(source))).collect();
        Value::beside(pins).into()
    }

    /// What is joined to a port of what switches the funnel.
    fn of_switch(&self, assembly: &mut Assembly, port: &Port) -> Connection {
        let net = match port.name.as_str() {
            "active" => "trFunnelActive",
            "disabled" => "trFunnelDisInput",
            "is_empty" => "trFunnelEmpty_value",
            "offered" => {
                return self.of_sources(assembly, |source| sinks::SOURCE_VALID.numbered(source));
            }
            "room" => return self.of_sources(assembly, room),
            "accepted" => {
                let accepted = assembly.net("accepted", port.width);
                for source in 0..port.width {
                    let pin = assembly.net(&sinks::SOURCE_READY.numbered(source), 1);
                    assembly.drive(pin, accepted.value().bits(source, 1));
                }
                return accepted.into();
            }
            name if name == module::ENABLE.name => "trFunnelEnable",
            _ => return assembly.same(port),
        };
        assembly.net(net, port.width).into()
    }

    /// What is joined to a port of the funnel.
    fn of_funnel(&self, assembly: &mut Assembly, port: &Port) -> Connection {
        let sources = self.config.sources as usize;
        let is = |pin: &dyn Fn(usize) -> String| (0..sources).find(|one| pin(*one) == port.name);
        if let Some(source) = is(&|source| sinks::SOURCE_VALID.numbered(source)) {
            return assembly.net("shown", sources).value().bits(source, 1).into();
        }
        if let Some(source) = is(&|source| sinks::SOURCE_READY.numbered(source)) {
            return assembly.net(&room(source), 1).into();
        }
        match port.name == module::FLUSH.name {
            true => assembly.net("funnel_flush", 1).into(),
            false => assembly.same(port),
        }
    }
}

/// The net that says that the funnel has room for a byte of a source.
fn room(source: usize) -> String {
    format!("room_{source}")
}

/// What the module is.
fn title(inner: &Generated) -> String {
    let gate = inner.ports.iter().find(|port| port.name == module::CLOCK_ENABLE.name);
    let of_gate = gate.map(|gate| {
        format!(
            "Registers and bus do not wait for {}; what they say has an effect on the funnel in the next cycle in which it is high.\n",
            gate.name
        )
    });
    format!(
        "{} with the registers of a Trace Funnel of the RISC-V Trace Control Interface, which switch it (docs/control.md).\n{}",
        inner.top,
        of_gate.unwrap_or_default()
    )
}
