//! Modules put together to a new one, whose text is that of any other.
//!
//! What each port is joined to is checked: its direction, its width, and that each net has one driver.

mod nets;
mod value;

pub use value::{Connection, Net, Value};

use crate::expression::{Expression, SignalId};
use crate::fault::{self, Fault};
use crate::lower::Statement;
use crate::names::objection;
use crate::options::{Direction, Options, Port};
use crate::process::{Plan, Process};
use crate::table::{Child, Clocking, Interface, InterfacePort, Role, Table};
use crate::word::Word;
use crate::write::{OWN_NAME, ParameterText, Style, placeholder, write};
use std::collections::{BTreeMap, BTreeSet};

/// Why modules cannot be put together: a fault of the source.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{at} of {top} cannot be joined: {reason}")]
pub struct AssemblyError {
    /// The module around them.
    pub top: String,
    /// The net, or the instance and its port.
    pub at: String,
    /// Why not.
    pub reason: &'static str,
}

/// A module as those around it see it.
#[derive(Clone, Copy, Debug)]
pub struct Instantiated<'a> {
    /// Its name.
    pub module: &'a str,
    /// Its ports. One of the name `fault_select` is not joined to anything: it gets the number of the fault.
    pub ports: &'a [Port],
    /// What its port `fault_select` can switch on.
    pub faults: &'a [Fault],
}

/// The text of a module that others were put together to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assembled {
    /// The whole file.
    pub text: String,
    /// The ports.
    pub ports: Vec<Port>,
    /// What its port `fault_select` can switch on: first what those of the instances can, in their order.
    pub faults: Vec<Fault>,
}

/// Modules that are being put together.
pub struct Assembly {
    top: String,
    style: Style,
    table: Table,
    plan: Plan,
    nets: BTreeMap<String, Net>,
    driven: BTreeSet<SignalId>,
    /// The clocks and the resets.
    clocks: BTreeSet<SignalId>,
    parameters: Vec<ParameterText>,
    modules: Vec<String>,
    /// The faults of the instances.
    faults: Vec<Fault>,
    error: Option<AssemblyError>,
}

impl Assembly {
    /// A module without ports, whose name, style and header the options say.
    pub fn new(options: &Options) -> Self {
        let error = objection(&options.top).map(|reason| AssemblyError {
            top: options.top.clone(),
            at: options.top.clone(),
            reason,
        });
        Self {
            top: options.top.clone(),
            style: Style::of(options),
            table: Table::empty(&options.top),
            plan: Plan::default(),
            nets: BTreeMap::new(),
            driven: BTreeSet::new(),
            clocks: BTreeSet::new(),
            parameters: Vec::new(),
            modules: Vec::new(),
            faults: Vec::new(),
            error,
        }
    }

    /// The name of the module.
    pub fn top(&self) -> &str {
        &self.top
    }

    fn refuse(&mut self, at: &str, reason: &'static str) {
        let (top, at) = (self.top.clone(), at.to_owned());
        self.error.get_or_insert(AssemblyError { top, at, reason });
    }

    fn add(&mut self, name: &str, width: usize, role: Role, description: &str) -> Net {
        if name == self.top {
            self.refuse(
                name,
                "a net cannot have the name of the module: expected another name of the module",
            );
        } else if self.table.claim(name, None).is_err() {
            self.refuse(name, "it cannot have this name, or something else has it");
        }
        let signal = self.table.add(name.to_owned(), name.to_owned(), width, role, description);
        let net = Net { signal, width };
        self.nets.insert(name.to_owned(), net);
        net
    }

    /// A port into the module.
    pub fn input(&mut self, name: &str, width: usize, description: &str) -> Net {
        let net = self.add(name, width, Role::Input, description);
        self.driven.insert(net.signal);
        net
    }

    /// A port into the module for a clock or a reset, which no fault changes.
    pub fn clock(&mut self, name: &str, description: &str) -> Net {
        let net = self.input(name, 1, description);
        self.clocks.insert(net.signal);
        net
    }

    /// A port out of the module, which is to be driven.
    pub fn output(&mut self, name: &str, width: usize, description: &str) -> Net {
        self.add(name, width, Role::Output, description)
    }

    /// A net inside of the module, which is to be driven.
    pub fn wire(&mut self, name: &str, width: usize, description: &str) -> Net {
        self.add(name, width, Role::Local, description)
    }

    /// A parameter of so many bits that an integrator may set.
    pub fn parameter(&mut self, name: &str, width: usize, value: u64, description: &str) -> Net {
        let net = self.add(name, width, Role::Part, "");
        self.driven.insert(net.signal);
        let text = ParameterText::new(name, &Word::new(width, value), description);
        self.parameters.push(text);
        net
    }

    /// Drives a net by what is between modules.
    pub fn drive(&mut self, net: Net, value: impl Into<Value>) {
        let name = self.table.signals[net.signal].name.clone();
        let value = value.into().0.filter(|value| value.width() == net.width);
        let Some(value) = value else {
            return self.refuse(&name, "it has another width than what drives it");
        };
        if !self.driven.insert(net.signal) {
            return self.refuse(&name, "the net has another driver");
        }
        self.assign(net.signal, value);
    }

    fn assign(&mut self, target: SignalId, value: Expression) {
        let statements = vec![Statement::Assign { target, value }];
        self.plan.processes.push(Process { targets: BTreeSet::from([target]), statements });
    }

    /// Adds an instance of a module, each of whose ports `join` joins. It has the parameters of this module that are given,
    /// by their names.
    pub fn instance(
        &mut self,
        name: &str,
        of: Instantiated<'_>,
        parameters: &[Net],
        mut join: impl FnMut(&mut Self, &Port) -> Connection,
    ) {
        if self.table.claim(name, None).is_err() {
            self.refuse(name, "it cannot have this name, or something else has it");
        }
        let (mut ports, mut signals) = (Vec::new(), Vec::new());
        let mut first_fault = None;
        for port in of.ports {
            if port.name == fault::FAULT_SELECT {
                first_fault = Some(self.faults.len());
                continue;
            }
            let connection = join(self, port);
            let at = format!("{name}.{}", port.name);
            let is_output = port.direction == Direction::Output;
            signals.push(self.joined(&at, port, connection));
            ports.push(InterfacePort::plain(&port.name, port.width, is_output));
        }
        self.faults.extend(of.faults.iter().cloned());
        let clocking = Clocking::default();
        let interface = Interface { ports, bundles: vec![], clocking, module: self.modules.len() };
        self.modules.push(of.module.to_owned());
        let given = parameters.iter().map(|net| self.table.signals[net.signal].name.clone());
        let given = given.collect();
        let child = Child { name: name.to_owned(), interface, ports: signals, given, first_fault };
        self.table.children.push(child);
    }

    /// The signal at a port of an instance.
    fn joined(&mut self, at: &str, port: &Port, connection: Connection) -> SignalId {
        let name = at.replace('.', "_");
        let is_output = port.direction == Direction::Output;
        let role = if is_output { Role::ChildOutput } else { Role::ChildInput };
        let own_name = if is_output { self.table.fresh(&name) } else { name };
        let signal = self.table.add(at.to_owned(), own_name, port.width, role, "");
        match connection {
            Connection::Net(net) if net.width != port.width => {
                self.refuse(at, "the net has another width");
            }
            Connection::Net(net) if is_output => {
                if !self.driven.insert(net.signal) {
                    self.refuse(at, "the net has another driver");
                }
                self.plan.direct.insert(signal, net.signal);
            }
            Connection::Net(net) => {
                self.plan.inline.insert(signal, Expression::read(net.signal, net.width));
            }
            Connection::Value(_) if is_output => self.refuse(at, "an output drives one net"),
            Connection::Value(value) => match value.0 {
                Some(value) if value.width() == port.width => {
                    self.plan.inline.insert(signal, value);
                }
                _ => self.refuse(at, "the value has another width, or parts that do not fit"),
            },
            Connection::Open if !is_output => self.refuse(at, "an input is open"),
            Connection::Open => {}
        }
        signal
    }

    /// Makes the outputs that instances drive read what they say, so that a fault can be between the two.
    fn read_outputs(&mut self) {
        let is_output = |net: &SignalId| self.table.signals[*net].role == Role::Output;
        let (outputs, inner) =
            std::mem::take(&mut self.plan.direct).into_iter().partition(|(_, net)| is_output(net));
        self.plan.direct = inner;
        let outputs: BTreeMap<SignalId, SignalId> = outputs;
        for (source, net) in outputs {
            self.assign(net, Expression::read(source, self.table.signals[source].width));
        }
    }

    /// The module, with `header` and `title`, each of whole comment lines, above it.
    ///
    /// # Errors
    /// The first port that cannot be joined as it was, or a net that nothing drives.
    pub fn finish(mut self, header: &str, title: &str) -> Result<Assembled, AssemblyError> {
        let needs = |role| matches!(role, Role::Output | Role::Local);
        let free = |(signal, one): &(usize, &crate::table::Signal)| {
            needs(one.role) && !self.driven.contains(signal)
        };
        let free = self.table.signals.iter().enumerate().find(free);
        if let Some(name) = free.map(|(_, one)| one.name.clone()) {
            self.refuse(&name, "nothing drives the net");
        }
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        let faults = self.style.faults.then(|| {
            self.read_outputs();
            fault::put_in(&mut self.plan, &mut self.table, Some(&self.clocks))
        });
        let body = write(&mut self.table, &self.plan, faults, self.style);
        let mut text = ParameterText::put_before_ports(body.text, self.parameters.iter());
        text = text.replace(OWN_NAME, &self.top);
        let below = format!("{}'d{}", fault::FAULT_BITS, self.faults.len());
        text = text.replace(fault::BEFORE_FIRST, &below);
        for (number, module) in self.modules.iter().enumerate() {
            text = text.replace(&placeholder(number), module);
        }
        let mut all = self.faults;
        all.extend(body.faults.iter().map(|site| site.named(&self.top)));
        let ports = ports(&self.table, self.style.faults);
        Ok(Assembled { text: format!("{header}{title}\n{text}"), ports, faults: all })
    }
}

/// The ports of a module as others see them.
fn ports(table: &Table, faults: bool) -> Vec<Port> {
    let (direction, width) = (Direction::Input, fault::FAULT_BITS);
    let select = Port { name: fault::FAULT_SELECT.into(), direction, width };
    let own = table.signals.iter().filter_map(|signal| {
        let direction = match signal.role {
            Role::Input => Direction::Input,
            Role::Output => Direction::Output,
            _ => return None,
        };
        Some(Port { name: signal.name.clone(), direction, width: signal.width })
    });
    faults.then_some(select).into_iter().chain(own).collect()
}
