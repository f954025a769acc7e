//! Modules joined to a whole: each port by its row, with direction and width checked, and written as Verilog.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use tracewright_hdl::{Direction, Generated, Port, Storage};

use crate::render::range;

/// What a port is joined to.
#[derive(Clone, Debug)]
pub enum Join {
    /// A net of the port's width.
    Net(String),
    /// The lowest bits of a wider net.
    Low(String),
    /// One bit of a net.
    Bit(String, usize),
    /// Nets of one bit beside each other, the first one lowest.
    Bits(Vec<String>),
    /// The bits of a net from this one on.
    From(String, usize),
    /// 1 where every one of these nets is.
    All(Vec<String>),
    /// The inverse of a net of one bit.
    Not(String),
    /// A constant.
    Constant(u64),
    /// Nothing takes what the port says.
    Open,
}

/// Why modules cannot be joined: a fault of the source.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{instance}.{port} of {top} cannot be joined: {reason}")]
pub struct JoinError {
    /// The module around them.
    pub top: String,
    /// The instance.
    pub instance: String,
    /// Its port.
    pub port: String,
    /// Why not.
    pub reason: &'static str,
}

/// A module in the whole.
struct Instance<'a> {
    name: String,
    module: &'a Generated,
    joins: BTreeMap<&'a str, Join>,
}

/// Modules that are being joined.
pub struct Netlist<'a> {
    top: String,
    ports: Vec<Port>,
    nets: BTreeMap<String, usize>,
    instances: Vec<Instance<'a>>,
    fault: Option<JoinError>,
}

impl<'a> Netlist<'a> {
    /// A whole of this name without ports.
    pub fn new(top: &str) -> Self {
        let (ports, nets, instances) = (Vec::new(), BTreeMap::new(), Vec::new());
        Netlist { top: top.to_owned(), ports, nets, instances, fault: None }
    }

    /// Adds a port, unless it is there.
    pub fn port(&mut self, name: &str, direction: Direction, width: usize) {
        if self.ports.iter().all(|port| port.name != name) {
            self.ports.push(Port { name: name.to_owned(), direction, width });
            self.net(name, width);
        }
    }

    /// Adds a net.
    pub fn net(&mut self, name: &str, width: usize) {
        self.nets.insert(name.to_owned(), width);
    }

    /// Adds an instance of a module, each of whose ports `join` joins.
    pub fn instance(
        &mut self,
        name: &str,
        module: &'a Generated,
        mut join: impl FnMut(&mut Self, &'a Port) -> Join,
    ) {
        let mut joins = BTreeMap::new();
        for port in &module.ports {
            let joined = join(self, port);
            if let Some(reason) = self.refuses(port, &joined) {
                let (top, instance, port) = (self.top.clone(), name.to_owned(), port.name.clone());
                self.fault.get_or_insert(JoinError { top, instance, port, reason });
            }
            joins.insert(port.name.as_str(), joined);
        }
        self.instances.push(Instance { name: name.to_owned(), module, joins });
    }

    /// Why a port cannot be joined so.
    fn refuses(&self, port: &Port, join: &Join) -> Option<&'static str> {
        let width = |net: &String| self.nets.get(net).copied();
        let (is_one_bit, is_output) = (port.width == 1, port.direction == Direction::Output);
        let fits = match join {
            Join::Net(net) => width(net) == Some(port.width),
            Join::Low(net) => width(net).is_some_and(|width| width >= port.width),
            Join::Bit(net, at) => is_one_bit && width(net).is_some_and(|width| *at < width),
            Join::Bits(nets) => {
                nets.len() == port.width && nets.iter().all(|net| width(net) == Some(1))
            }
            Join::From(net, at) => width(net).is_some_and(|width| width == at + port.width),
            Join::All(nets) => is_one_bit && nets.iter().all(|net| width(net) == Some(1)),
            Join::Not(net) => is_one_bit && width(net) == Some(1),
            Join::Constant(_) | Join::Open => true,
        };
        let is_driver = matches!(join, Join::Net(_) | Join::Open);
        match (is_output, join) {
            _ if !fits => Some("the net is not there, or has another width"),
            (true, _) if !is_driver => Some("an output drives one net"),
            (false, Join::Open) => Some("an input is open"),
            _ => None,
        }
    }

    /// Checks that each net has one driver.
    fn undriven(&self) -> Option<JoinError> {
        let of_module = |port: &&Port| port.direction == Direction::Input;
        let inputs = self.ports.iter().filter(of_module);
        let mut driven: BTreeSet<&str> = inputs.map(|port| port.name.as_str()).collect();
        let fault = |instance: &str, port: &str, reason| JoinError {
            top: self.top.clone(),
            instance: instance.to_owned(),
            port: port.to_owned(),
            reason,
        };
        for instance in &self.instances {
            for port in instance.module.ports.iter().filter(|port| !of_module(port)) {
                if let Some(Join::Net(net)) = instance.joins.get(port.name.as_str())
                    && !driven.insert(net)
                {
                    return Some(fault(&instance.name, &port.name, "the net has another driver"));
                }
            }
        }
        let free = self.nets.keys().find(|net| !driven.contains(net.as_str()))?;
        Some(fault("nothing", free, "no output drives the net"))
    }

    /// The whole with every file of its modules, whose names are their own; `header` begins its file.
    ///
    /// # Errors
    /// The first port that cannot be joined as it was.
    pub fn whole(self, header: String) -> Result<Generated, JoinError> {
        if let Some(fault) = self.fault.clone().or_else(|| self.undriven()) {
            return Err(fault);
        }
        let text = format!("{header}\n{}", self.text());
        let Netlist { top, ports, instances, .. } = self;
        let mut whole = Generated {
            top_header: header.clone(),
            header,
            files: Vec::new(),
            memory_files: Vec::new(),
            ports,
            storage_bits: 0,
            storage: Vec::new(),
            memory_bits: 0,
            faults: Vec::new(),
            top,
        };
        for Instance { name, module, .. } in instances {
            whole.files.extend(module.files.iter().cloned());
            whole.memory_files.extend(module.memory_files.iter().cloned());
            whole.storage_bits += module.storage_bits;
            whole.memory_bits += module.memory_bits;
            let storage = module.storage.iter().map(|part| Storage {
                instance: format!("{name}.{}", part.instance),
                bits: part.bits,
            });
            whole.storage.extend(storage);
        }
        whole.files.push((format!("{}.v", whole.top), text));
        Ok(whole)
    }

    fn text(&self) -> String {
        let port = |port: &Port| {
            let direction = if port.direction == Direction::Input { "input " } else { "output" };
            format!("    {direction} wire {}{}", range(port.width), port.name)
        };
        let ports: Vec<String> = self.ports.iter().map(port).collect();
        let mut text = format!("module {} (\n{}\n);\n\n", self.top, ports.join(",\n"));
        let is_port = |name: &str| self.ports.iter().any(|port| port.name == name);
        for (net, width) in self.nets.iter().filter(|(net, _)| !is_port(net)) {
            let _ = writeln!(text, "    wire {}{net};", range(*width));
        }
        for Instance { name, module, joins } in &self.instances {
            let mut joined = Vec::new();
            for port in &module.ports {
                let join = joins.get(port.name.as_str()).unwrap_or(&Join::Open);
                let net = match join {
                    Join::Open => {
                        // Tools know by its name that nothing takes it.
                        let net = format!("_unused_{name}_{}", port.name);
                        let _ = writeln!(text, "    wire {}{net};", range(port.width));
                        net
                    }
                    _ => expression(join, port.width),
                };
                joined.push(format!("        .{} ({net})", port.name));
            }
            let _ = writeln!(text, "\n    {} {name} (\n{}\n    );", module.top, joined.join(",\n"));
        }
        text + "\nendmodule\n"
    }
}

/// What a port is joined to, in Verilog.
fn expression(join: &Join, width: usize) -> String {
    match join {
        Join::Net(net) => net.clone(),
        Join::Low(net) => format!("{net}[{}:0]", width - 1),
        Join::Bit(net, at) => format!("{net}[{at}]"),
        Join::Bits(nets) => {
            let nets: Vec<&str> = nets.iter().rev().map(String::as_str).collect();
            format!("{{{}}}", nets.join(", "))
        }
        Join::From(net, at) => format!("{net}[{}:{at}]", at + width - 1),
        Join::All(nets) => format!("&{{{}}}", nets.join(", ")),
        Join::Not(net) => format!("!{net}"),
        Join::Constant(value) => format!("{width}'d{value}"),
        Join::Open => String::new(),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn module(ports: &[(&str, Direction, usize)]) -> Generated {
        let port = |(name, direction, width): &(&str, Direction, usize)| Port {
            name: (*name).to_owned(),
            direction: *direction,
            width: *width,
        };
        let mut netlist = Netlist::new("part");
        netlist.ports = ports.iter().map(port).collect();
        netlist.whole(String::new()).unwrap()
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let part = module(&[("a", Direction::Input, 2), ("b", Direction::Output, 2)]);
        let refused = |joins: [Join; 2], width: usize| {
            let mut netlist = Netlist::new("whole");
            netlist.port("in", Direction::Input, width);
            netlist.port("out", Direction::Output, 2);
            let mut joins = joins.into_iter();
            netlist.instance("one", &part, |_, _| joins.next().unwrap());
            netlist.whole(String::new()).map(|_| ()).map_err(|error| error.reason)
        };
        let net = |name: &str| Join::Net(name.to_owned());
        assert_eq!(refused([net("in"), net("out")], 2), Ok(()));
        assert_eq!(refused([Join::Low("in".into()), net("out")], 3), Ok(()));
        let width = Err("the net is not there, or has another width");
        assert_eq!(refused([net("in"), net("out")], 3), width);
        assert_eq!(refused([net("nowhere"), net("out")], 2), width);
        assert_eq!(refused([Join::Open, net("out")], 2), Err("an input is open"));
        assert_eq!(refused([net("in"), Join::Constant(0)], 2), Err("an output drives one net"));
        assert_eq!(refused([net("in"), Join::Open], 2), Err("no output drives the net"));
        assert_eq!(refused([net("in"), net("in")], 2), Err("the net has another driver"));
    }
}
