//! Modules joined to a whole, where what a port is joined to is said by the names of nets.

use tracewright_sim::pins::is_clock;

use crate::unit::sink::is_any_reset;
use crate::{Assembly, Connection, Direction, Error, Generated, Options, Port, Storage, Value};

/// What a port is joined to.
#[derive(Clone, Debug)]
pub enum Join {
    /// A net of the port's width.
    Net(String),
    /// The lowest bits of a wider net.
    Low(String),
    /// One bit of a net.
    Bit(String, usize),
    /// Nets beside each other, the first one lowest.
    Bits(Vec<String>),
    /// The bits of a net from this one on.
    From(String, usize),
    /// 1 where the first net is and the second one is not.
    Without(String, String),
    /// A constant.
    Constant(u64),
    /// What was joined already.
    Made(Connection),
    /// Nothing takes what the port says.
    Open,
}

/// Modules that are being joined.
pub struct Netlist<'a> {
    assembly: Assembly,
    /// The instances, by their names.
    instances: Vec<(String, &'a Generated)>,
}

impl<'a> Netlist<'a> {
    /// A whole of this name without ports; `faults` is for one with an input `fault_select`.
    pub fn new(top: &str, faults: bool) -> Self {
        let assembly = Assembly::new(&Options { faults, ..Options::new(top) });
        Netlist { assembly, instances: Vec::new() }
    }

    /// What it is put together by.
    pub fn assembly(&mut self) -> &mut Assembly {
        &mut self.assembly
    }

    /// Adds a port, unless it is there.
    pub fn port(&mut self, name: &str, direction: Direction, width: usize) {
        if self.assembly.find(name).is_some() {
            return;
        }
        if is_clock(name) || is_any_reset(name) {
            self.assembly.clock(name, "");
        } else {
            self.assembly.port(&Port { name: name.to_owned(), direction, width });
        }
    }

    /// Adds a net, unless it is there.
    pub fn net(&mut self, name: &str, width: usize) {
        self.assembly.net(name, width);
    }

    /// Drives a net, which is there, by what is between modules.
    pub fn assign(&mut self, net: &str, join: Join) {
        if let Some(net) = self.assembly.find(net) {
            let value = self.value(&join, net.width());
            self.assembly.drive(net, value);
        }
    }

    /// Adds an instance of a module, each of whose ports `join` joins.
    pub fn instance(
        &mut self,
        name: &str,
        module: &'a Generated,
        mut join: impl FnMut(&mut Self, &'a Port) -> Join,
    ) {
        let connected = |port: &'a Port| {
            let join = join(self, port);
            self.connection(port, join)
        };
        let mut connections = module.ports.iter().map(connected).collect::<Vec<_>>().into_iter();
        self.assembly.instance(name, module.instantiated(), &[], |_, _| {
            connections.next().unwrap_or(Connection::Open)
        });
        self.instances.push((name.to_owned(), module));
    }

    fn connection(&self, port: &Port, join: Join) -> Connection {
        match join {
            Join::Open => Connection::Open,
            Join::Made(connection) => connection,
            Join::Net(net) => match self.assembly.find(&net) {
                Some(net) => net.into(),
                None => self.assembly.known(&net).into(),
            },
            join => self.value(&join, port.width).into(),
        }
    }

    /// What a join gives to something of so many bits.
    fn value(&self, join: &Join, width: usize) -> Value {
        let known = |net: &String| self.assembly.known(net);
        let bit = |net: &String, at| known(net).bits(at, 1);
        match join {
            Join::Net(net) => known(net),
            Join::Low(net) => known(net).bits(0, width),
            Join::Bit(net, at) => bit(net, *at),
            Join::Bits(nets) => Value::beside(nets.iter().map(known)),
            Join::From(net, at) => known(net).bits(*at, width),
            Join::Without(one, other) => known(one) & !known(other),
            Join::Constant(value) => Value::constant(width, *value),
            Join::Made(_) | Join::Open => Value::constant(0, 0),
        }
    }

    /// The whole with every file of its modules, whose names are their own; `header` begins its file.
    ///
    /// # Errors
    /// The first port that cannot be joined as it was.
    pub fn whole(self, header: &str, title: &str) -> Result<Generated, Error> {
        let top = self.assembly.top().to_owned();
        let made = crate::unit::wires::made(self.assembly, header, title)?;
        let mut whole = Generated {
            top_header: header.to_owned(),
            header: header.to_owned(),
            files: Vec::new(),
            memory_files: Vec::new(),
            ports: made.ports,
            storage_bits: 0,
            storage: Vec::new(),
            memory_bits: 0,
            faults: made.faults,
            top,
        };
        for (name, module) in self.instances {
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
        whole.files.push(made.file);
        Ok(whole)
    }
}
