//! The module around a funnel with its registers.

use std::collections::BTreeMap;

use minijinja::context;
use tracewright_hdl::control::{ControlPart, Owner, generate_control_part};
use tracewright_hdl::{Direction, Generated, Port, Storage};
use tracewright_sim::config::TracePort;
use tracewright_sim::control::funnel::component;
use tracewright_sim::funnel::Config;
use tracewright_sim::pins::{module, sinks};

use super::around::beside;
use super::registers::{bus_ports, hardware_ports, header, register_file};
use super::table::Map;
use super::{Bus, package};
use crate::Error;
use crate::pins::reset_of;
use crate::render::{range, render};
use crate::sink::clock_or_reset;
use crate::wires::{self, TemplatePort, port};

const TEMPLATE: &str = include_str!("../../templates/funnel_control.v");

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
    fn owner(&self) -> Owner<'_> {
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
        let (registers, switch) = (self.register_file()?, self.switch()?);
        let kept = self.kept_pins(inner);
        let text = self.text(inner, &registers, &switch, &kept)?;
        let (top, header) = (format!("{}_control", inner.top), header(self.owner()));
        let clocks = [module::CLOCK.name, reset_of(self.style)];
        let clocks = clocks.map(|name| port(name, Direction::Input, 1));
        let added = [("control", &switch), ("registers", &registers)];
        let added_storage = added
            .map(|(instance, part)| Storage { instance: instance.into(), bits: part.storage_bits });
        let bits: usize = added_storage.iter().map(|part| part.bits).sum();
        let files = registers.files.iter().chain(&switch.files).cloned();
        Ok(Generated {
            ports: wires::ports(&[&clocks, &bus_ports(self.bus), &kept]),
            files: files.chain([(format!("{top}.v"), text)]).collect(),
            memory_files: Vec::new(),
            header: header.clone(),
            top_header: header,
            storage: inner.storage.iter().cloned().chain(added_storage).collect(),
            storage_bits: inner.storage_bits + bits,
            memory_bits: inner.memory_bits,
            faults: Vec::new(),
            top,
        })
    }

    /// The files beside the Verilog, by their names: SystemRDL, CMSIS-SVD and the register map for people, a FuseSoC core
    /// and an IP-XACT component of the whole, a driver in C and a fragment of a device tree. `sources` are the names of the
    /// Verilog files of the funnel, and `added` those that [`around`](Self::around) gave.
    ///
    /// # Errors
    /// When the funnel breaks a constraint.
    pub fn package(
        &self,
        whole: &Generated,
        sources: &[&str],
        added: &[&str],
    ) -> Result<BTreeMap<String, String>, Error> {
        let (owner, names) = (self.owner(), (sources, added));
        package::files_of_funnel(owner, whole, &self.map()?, self.bus, names, self.config.sources)
    }

    fn switch(&self) -> Result<Generated, Error> {
        let part = ControlPart::FunnelSwitch(self.config.sources);
        Ok(generate_control_part(self.owner(), part)?)
    }

    /// The pins of the funnel, which are those of the whole beside the bus.
    fn kept_pins(&self, inner: &Generated) -> Vec<TemplatePort> {
        let reset = reset_of(self.style);
        let is_kept = |port: &&Port| clock_or_reset(&port.name, reset).is_none();
        inner.ports.iter().filter(is_kept).map(wires::passed).collect()
    }

    /// The pins of this kind of all sources, the last one first, as one word.
    fn of_sources(&self, numbered: impl Fn(usize) -> String) -> String {
        let names: Vec<_> = (0..self.config.sources as usize).rev().map(numbered).collect();
        beside(&names.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// What is connected to a port of what switches the funnel.
    fn of_switch(&self, name: &str) -> String {
        let connection = match name {
            "active" => "trFunnelActive",
            "disabled" => "trFunnelDisInput",
            "is_empty" => "trFunnelEmpty_value",
            "offered" => return self.of_sources(|source| sinks::SOURCE_VALID.numbered(source)),
            "accepted" => return self.of_sources(|source| sinks::SOURCE_READY.numbered(source)),
            _ if name == module::ENABLE.name => "trFunnelEnable",
            _ => name,
        };
        connection.to_owned()
    }

    /// What is connected to a port of the funnel.
    fn of_funnel(&self, name: &str) -> String {
        let is = |pin: &dyn Fn(usize) -> String| {
            (0..self.config.sources as usize).find(|source| pin(*source) == name)
        };
        if let Some(source) = is(&|source| sinks::SOURCE_VALID.numbered(source)) {
            return format!("shown[{source}]");
        }
        if let Some(source) = is(&|source| sinks::SOURCE_READY.numbered(source)) {
            return format!("room[{source}]");
        }
        let connection = if name == module::FLUSH.name { "funnel_flush" } else { name };
        connection.to_owned()
    }

    fn text(
        &self,
        inner: &Generated,
        registers: &Generated,
        switch: &Generated,
        kept: &[TemplatePort],
    ) -> Result<String, Error> {
        let connected = |of: &Generated, connection: &dyn Fn(&str) -> String| -> Vec<_> {
            of.ports.iter().map(|port| (port.name.clone(), connection(&port.name))).collect()
        };
        let gate = inner.ports.iter().find(|port| port.name == module::CLOCK_ENABLE.name);
        render(
            "funnel_control",
            TEMPLATE,
            context! {
                header => header(self.owner()), name => inner.top, bus_ports => bus_ports(self.bus), kept,
                register_ports => hardware_ports(&self.map()?), reset => reset_of(self.style),
                gate => gate.map(|port| &port.name), sources_range => range(self.config.sources as usize),
                switch_module => switch.top, of_switch => connected(switch, &|name| self.of_switch(name)),
                registers_module => registers.top, of_funnel => connected(inner, &|name| self.of_funnel(name)),
            },
        )
    }
}
