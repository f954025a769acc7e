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
    /// 1 where one of these nets is.
    Any(Vec<String>),
    /// The inverse of a net of one bit.
    Not(String),
    /// 1 where the first net is and the second one is not.
    Without(String, String),
    /// Where the first net is 1 the second one, else the third.
    Choice([String; 3]),
    /// Others beside each other, the first one lowest.
    Beside(Vec<Join>),
    /// A constant.
    Constant(u64),
    /// Nothing takes what the port says.
    Open,
}

impl Join {
    /// The nets that an output drives so; `None` if none can.
    fn driven(&self) -> Option<Vec<&str>> {
        match self {
            Join::Net(net) => Some(vec![net]),
            Join::Open => Some(Vec::new()),
            Join::Beside(joins) => {
                let nets: Option<Vec<_>> = joins.iter().map(Join::driven).collect();
                nets.map(|nets| nets.concat())
            }
            _ => None,
        }
    }
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
    /// Nets that are driven by what is between modules.
    assigned: BTreeMap<String, Join>,
    /// Ports of the whole that nothing reads.
    left: Vec<String>,
    instances: Vec<Instance<'a>>,
    fault: Option<JoinError>,
}

impl<'a> Netlist<'a> {
    /// A whole of this name without ports.
    pub fn new(top: &str) -> Self {
        let (nets, assigned) = (BTreeMap::new(), BTreeMap::new());
        let (ports, left, instances) = (Vec::new(), Vec::new(), Vec::new());
        Netlist { top: top.to_owned(), ports, nets, assigned, left, instances, fault: None }
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

    /// Says of a port of the whole that nothing reads it.
    pub fn leave(&mut self, port: &str) {
        self.left.push(port.to_owned());
    }

    /// Drives a net, which is there, by what is between modules.
    pub fn assign(&mut self, net: &str, join: Join) {
        self.assigned.insert(net.to_owned(), join);
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

    /// The bits that a join gives, where all its nets are there and fit.
    fn width(&self, join: &Join, of_port: usize) -> Option<usize> {
        let width = |net: &String| self.nets.get(net).copied();
        let is_bit = |net: &String| width(net) == Some(1);
        let bit = |fits: bool| fits.then_some(1);
        match join {
            Join::Net(net) => width(net),
            Join::Low(net) => width(net).filter(|width| *width >= of_port).map(|_| of_port),
            Join::Bit(net, at) => bit(width(net).is_some_and(|width| *at < width)),
            Join::Bits(nets) => nets.iter().all(is_bit).then_some(nets.len()),
            Join::From(net, at) => width(net)?.checked_sub(*at),
            Join::Any(nets) => bit(nets.iter().all(is_bit)),
            Join::Not(net) => bit(is_bit(net)),
            Join::Without(one, other) => bit(is_bit(one) && is_bit(other)),
            Join::Choice([is, one, other]) => {
                width(one).filter(|width| is_bit(is) && self.nets.get(other) == Some(width))
            }
            Join::Beside(joins) => joins.iter().map(|join| self.width(join, 0)).sum(),
            Join::Constant(_) | Join::Open => Some(of_port),
        }
    }

    /// Why a port cannot be joined so.
    fn refuses(&self, port: &Port, join: &Join) -> Option<&'static str> {
        let is_output = port.direction == Direction::Output;
        match (is_output, join) {
            _ if self.width(join, port.width) != Some(port.width) => {
                Some("the net is not there, or has another width")
            }
            (true, _) if join.driven().is_none() => Some("an output drives one net"),
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
        for (net, join) in &self.assigned {
            let width = self.nets.get(net).copied();
            if width.is_none_or(|width| self.width(join, width) != Some(width)) {
                return Some(fault("nothing", net, "it has another width than what drives it"));
            }
            driven.insert(net);
        }
        for instance in &self.instances {
            for port in instance.module.ports.iter().filter(|port| !of_module(port)) {
                let join = instance.joins.get(port.name.as_str());
                for net in join.and_then(Join::driven).into_iter().flatten() {
                    if !driven.insert(net) {
                        return Some(fault(
                            &instance.name,
                            &port.name,
                            "the net has another driver",
                        ));
                    }
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
        for port in &self.left {
            let _ = writeln!(text, "    wire _unused_{port} = &{{1'b0, {port}}};");
        }
        for (net, join) in &self.assigned {
            let width = self.nets.get(net).copied().unwrap_or(1);
            let _ = writeln!(text, "\n    assign {net} = {};", expression(join, width));
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
        Join::Any(nets) => nets.join(" | "),
        Join::Not(net) => format!("!{net}"),
        Join::Without(one, other) => format!("{one} & !{other}"),
        Join::Choice([is, one, other]) => format!("{is} ? {one} : {other}"),
        Join::Beside(joins) => {
            let joins: Vec<String> = joins.iter().rev().map(|join| expression(join, 1)).collect();
            format!("{{{}}}", joins.join(", "))
        }
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
