//! Nets by their names.

use super::{Assembly, Connection, Net, Value};
use crate::options::{Direction, Port};

impl Assembly {
    /// The net of this name, a port or a wire, which is made where there is none.
    pub fn net(&mut self, name: &str, width: usize) -> Net {
        self.described(name, width, "")
    }

    /// The same; what it is for stands beside a new one.
    pub fn described(&mut self, name: &str, width: usize, description: &str) -> Net {
        match self.nets.get(name) {
            Some(net) => *net,
            None => self.wire(name, width, description),
        }
    }

    /// The value of the net of one bit of this name.
    pub fn bit(&mut self, name: &str) -> Value {
        self.net(name, 1).value()
    }

    /// The net of this name, if there is one.
    pub fn find(&self, name: &str) -> Option<Net> {
        self.nets.get(name).copied()
    }

    /// The value of the net of this name, which is there.
    pub fn known(&self, name: &str) -> Value {
        self.find(name).map_or(Value(None), Net::value)
    }

    /// The values of nets that are there beside each other, the first one highest.
    pub fn known_beside(&self, names: &[&str]) -> Value {
        Value::beside(names.iter().rev().map(|name| self.known(name)))
    }

    /// The net that has the name of a port.
    pub fn same(&mut self, port: &Port) -> Connection {
        self.net(&port.name, port.width).into()
    }

    /// A port like that of another module, unless there is one of this name.
    pub fn port(&mut self, port: &Port) -> Net {
        match (self.nets.get(&port.name), port.direction) {
            (Some(net), _) => *net,
            (None, Direction::Input) => self.input(&port.name, port.width, ""),
            (None, Direction::Output) => self.output(&port.name, port.width, ""),
        }
    }
}
