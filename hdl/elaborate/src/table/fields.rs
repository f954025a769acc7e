//! The signals and symbols that each field of a block adds.

use super::names::verilog_name;
use super::{
    Child, Constant, Interface, MemoryBlock, Register, Role, Signal, Sweep, Symbol, Table,
};
use crate::collect::readable;
use crate::error::Error;
use crate::expression::SignalId;
use crate::signal::{Offer, Reads};
use crate::word::{Sizing, Word};
use rust_hdl::core::atom::AtomKind;

impl Table {
    pub(super) fn add_field(&mut self, key: &str, offer: &Offer) -> Result<(), Error> {
        match offer {
            Offer::Wire { direction, width, description, label } => {
                let role = self.role(key, direction)?;
                let name = label.clone().unwrap_or_else(|| verilog_name(key));
                self.add(key.to_owned(), name, *width, role, description);
            }
            Offer::Packed { direction, is_assembled, parts, description } => {
                let role = self.role(key, direction)?;
                let width = parts.iter().map(|(_, width)| width).sum();
                let word = self.add(key.to_owned(), verilog_name(key), width, role, description);
                self.add_parts(key, word, *is_assembled, parts);
            }
            Offer::Bundle(members) => {
                self.bundles.push((key.to_owned(), members.clone()));
                self.symbols.insert(key.to_owned(), Symbol::Bundle(members.clone()));
            }
            Offer::Register { width, reset, description, label } => {
                let name = label.clone().unwrap_or_else(|| verilog_name(key));
                let now = self.add(
                    format!("{key}$q"),
                    name.clone(),
                    *width,
                    Role::RegisterNow,
                    description,
                );
                let name = self.fresh(&format!("{name}_next"));
                let next = self.add(format!("{key}$d"), name, *width, Role::RegisterNext, "");
                let is_reset = reset.is_some();
                let reset = match reset {
                    Some(reset) => self.reset_value(key, reset, *width)?,
                    None => Word::zero(*width),
                };
                self.registers.push(Register { now, next, reset, is_reset });
            }
            Offer::Through { width } => {
                let name = self.fresh(&verilog_name(key));
                let signal = self.add(format!("{key}$d"), name, *width, Role::Local, "");
                self.symbols.insert(format!("{key}$q"), Symbol::Signal(signal));
            }
            Offer::Memory { depth, width, reads, synchronous, cleared, description } => {
                let shape = (*depth, *width);
                self.add_memory(key, shape, *reads, (*synchronous, *cleared), description)?
            }
            Offer::Parameter(value) => {
                self.symbols.insert(key.to_owned(), Symbol::Parameter(value.clone()));
            }
            Offer::Constant { value, description } => self.add_constant(key, value, description),
            Offer::Kind { .. } => {}
        }
        Ok(())
    }

    /// Verilog's names of constants are in capitals.
    fn add_constant(&mut self, key: &str, value: &Word, description: &str) {
        let name = self.fresh(&verilog_name(key).to_uppercase());
        let (value, description) = (value.clone(), description.to_owned());
        self.constants.push(Constant { name, value: value.clone(), description });
        let number = u16::try_from(self.constants.len()).unwrap_or(0);
        self.symbols.insert(key.to_owned(), Symbol::Parameter(value.named(number)));
    }

    fn role(&self, key: &str, direction: &AtomKind) -> Result<Role, Error> {
        match direction {
            AtomKind::InputParameter => Ok(Role::Input),
            AtomKind::OutputParameter => Ok(Role::Output),
            AtomKind::LocalSignal => Ok(Role::Local),
            _ => {
                let construct = format!("the direction of {}", readable(key));
                Err(Error::Unsupported { block: self.path.clone(), construct })
            }
        }
    }

    fn reset_value(&self, key: &str, reset: &Word, width: usize) -> Result<Word, Error> {
        let signal = || self.path_of(key);
        match reset.sizing() {
            Sizing::Exact if reset.bits() != width => {
                let value = format!("{reset:?}");
                Err(Error::AssignedWidth {
                    signal: signal(),
                    width,
                    value,
                    value_width: reset.bits(),
                })
            }
            Sizing::Literal if width > 0 && reset.significant_bits() > width => {
                Err(Error::NumberTooWide { signal: signal(), value: format!("{reset:#x}"), width })
            }
            _ => Ok(reset.clone().fitted(width)),
        }
    }

    fn add_memory(
        &mut self,
        key: &str,
        (depth, width): (usize, usize),
        reads: Reads,
        (synchronous, cleared): (bool, Option<u64>),
        description: &str,
    ) -> Result<(), Error> {
        let missing = match (depth, reads) {
            (0, _) => Some("entries"),
            (_, Reads::Many(0)) => Some("read ports"),
            _ => None,
        };
        if let Some(missing) = missing {
            return Err(Error::EmptyMemory { signal: self.path_of(key), missing });
        }
        let address = crate::signal::address_width(depth);
        let ports = match reads {
            Reads::One => vec![String::new()],
            Reads::Many(count) => (0..count).map(|port| format!("${port}")).collect(),
        };
        let mut add = |field: &str, width, role| {
            let key = format!("{key}${field}");
            let name = self.fresh(&verilog_name(&key));
            self.add(key, name, width, role, "")
        };
        let reads = ports
            .iter()
            .map(|port| {
                let from = add(&format!("read_address{port}"), address, Role::MemoryInput);
                (from, add(&format!("read_data{port}"), width, Role::MemoryOutput))
            })
            .collect();
        let write_enable = add("write_enable", 1, Role::MemoryInput);
        let write_address = add("write_address", address, Role::MemoryInput);
        let write_data = add("write_data", width, Role::MemoryInput);
        let name = self.fresh(&format!("{}_cells", verilog_name(key)));
        let sweep = match cleared.filter(|_| self.scope.sweep_bits > 0 && width > 0) {
            Some(cleared) => Some(self.sweep(key, (depth, width), &ports, synchronous, cleared)?),
            None => None,
        };
        let description = description.to_owned();
        self.memories.push(MemoryBlock {
            name,
            depth,
            width,
            reads,
            synchronous,
            write_enable,
            write_address,
            write_data,
            sweep,
            description,
        });
        Ok(())
    }

    /// What a memory has that is cleared while it is used, with these suffixes of its read ports.
    fn sweep(
        &mut self,
        key: &str,
        (depth, width): (usize, usize),
        ports: &[String],
        synchronous: bool,
        cleared: u64,
    ) -> Result<Sweep, Error> {
        // The sweep reads before it writes, and reaches every entry.
        let construct = if synchronous {
            format!("the sweep of {}, which is synchronous", readable(key))
        } else if self.scope.sweep_bits < 2 + crate::signal::address_width(depth) {
            format!("a sweep that is too narrow for {}", readable(key))
        } else {
            let cleared = self.reset_value(key, &Word::from(cleared), width)?;
            let word = |port| format!("{}_read_word{port}", verilog_name(key));
            let words = ports.iter().map(|port| self.fresh(&verilog_name(&word(port)))).collect();
            let comes = self.fresh(&format!("sweep_comes_to_{}", verilog_name(key)));
            return Ok(Sweep { cleared, words, comes });
        };
        Err(Error::Unsupported { block: self.path.clone(), construct })
    }

    pub(super) fn add_child(&mut self, key: &str, label: Option<&str>, interface: Interface) {
        let name = label.map_or_else(|| verilog_name(key), str::to_owned);
        let mut ports = Vec::new();
        for port in &interface.ports {
            let role = if port.is_output { Role::ChildOutput } else { Role::ChildInput };
            let wire = self.fresh(&format!("{name}_{}", port.name));
            let port_key = format!("{key}${}", port.key);
            let signal = self.add(port_key.clone(), wire, port.width, role, "");
            self.add_slices(&port_key, signal, &port.parts);
            ports.push(signal);
        }
        for (bundle, members) in &interface.bundles {
            self.symbols.insert(format!("{key}${bundle}"), Symbol::Bundle(members.clone()));
        }
        self.children.push(Child {
            name,
            interface,
            ports,
            given: Vec::new(),
            first_fault: Some(0),
        });
    }

    pub(crate) fn add(
        &mut self,
        key: String,
        name: String,
        width: usize,
        role: Role,
        description: &str,
    ) -> SignalId {
        let signal = self.signals.len();
        self.symbols.insert(key.clone(), Symbol::Signal(signal));
        self.signals.push(Signal { key, name, width, role, description: description.to_owned() });
        signal
    }
}
