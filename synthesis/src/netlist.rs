//! Netlists as Yosys writes them in JSON.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::error::{Error, Result};
use crate::tool;

/// Every module of a netlist.
#[derive(Debug, Deserialize)]
pub(crate) struct Netlist {
    pub(crate) modules: BTreeMap<String, Module>,
}

/// A module.
#[derive(Debug, Deserialize)]
pub(crate) struct Module {
    #[serde(default)]
    attributes: BTreeMap<String, serde_json::Value>,
    #[serde(default)]
    pub(crate) ports: BTreeMap<String, ModulePort>,
    #[serde(default)]
    pub(crate) cells: BTreeMap<String, Cell>,
    #[serde(default)]
    pub(crate) netnames: BTreeMap<String, Named>,
}

/// A net with a name.
#[derive(Debug, Deserialize)]
pub(crate) struct Named {
    /// It is not from the source.
    pub(crate) hide_name: u8,
    pub(crate) bits: Vec<Bit>,
}

/// A port of a module.
#[derive(Debug, Deserialize)]
pub(crate) struct ModulePort {
    pub(crate) direction: String,
    pub(crate) bits: Vec<Bit>,
}

/// A cell.
#[derive(Debug, Deserialize)]
pub(crate) struct Cell {
    #[serde(rename = "type")]
    pub(crate) kind: String,
    #[serde(default)]
    parameters: BTreeMap<String, serde_json::Value>,
    #[serde(default)]
    pub(crate) port_directions: BTreeMap<String, String>,
    pub(crate) connections: BTreeMap<String, Vec<Bit>>,
}

/// A net's number, or the text of a constant.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[serde(untagged)]
pub(crate) enum Bit {
    Net(u64),
    Constant(String),
}

impl Netlist {
    /// Reads what `write_json` wrote about `design`.
    pub(crate) fn read(design: &str, text: &[u8]) -> Result<Netlist> {
        serde_json::from_slice(text).map_err(|error| Error::Output {
            tool: tool::YOSYS.name,
            design: design.to_owned(),
            reason: format!("its netlist: {error}"),
        })
    }

    /// A module that must be there.
    pub(crate) fn module(&self, name: &str) -> Result<&Module> {
        self.modules.get(name).ok_or_else(|| Error::Output {
            tool: tool::YOSYS.name,
            design: name.to_owned(),
            reason: "its netlist has no such module".into(),
        })
    }

    /// How often the design `top` has each module that is no cell of the library.
    pub(crate) fn instances(&self, top: &str) -> BTreeMap<&str, u64> {
        let mut instances = BTreeMap::new();
        if let Some((top, _)) = self.modules.get_key_value(top) {
            self.count(top, &mut instances);
        }
        instances
    }

    /// True for a module of the design, and not a cell of the library.
    pub(crate) fn is_design_module(&self, name: &str) -> bool {
        self.modules.get(name).is_some_and(|module| !module.is_black_box())
    }

    fn count<'a>(&'a self, module: &'a str, instances: &mut BTreeMap<&'a str, u64>) {
        *instances.entry(module).or_default() += 1;
        for cell in self.modules[module].cells.values() {
            let inner = self.modules.get_key_value(&cell.kind);
            if let Some((name, _)) = inner.filter(|(_, inner)| !inner.is_black_box()) {
                self.count(name, instances);
            }
        }
    }
}

impl Module {
    fn is_black_box(&self) -> bool {
        self.attributes.contains_key("blackbox")
    }

    /// The cells that cost something, instances of modules among them.
    pub(crate) fn counted(&self) -> impl Iterator<Item = &Cell> {
        // Newer versions of Yosys remember with such cells what they flattened.
        self.cells.values().filter(|cell| cell.kind != "$scopeinfo")
    }

    /// Flip-flops that are not yet cells of the library.
    pub(crate) fn flip_flops(&self) -> u64 {
        self.cells.values().filter(|cell| cell.is_flip_flop()).count() as u64
    }

    /// The memories.
    pub(crate) fn memories(&self) -> impl Iterator<Item = &Cell> {
        self.cells.values().filter(|cell| cell.is_memory())
    }
}

impl Cell {
    /// True for a memory that is not mapped to gates.
    pub(crate) fn is_memory(&self) -> bool {
        self.kind.starts_with("$mem")
    }

    /// True for a flip-flop of Yosys' own that is not yet one of the library.
    pub(crate) fn is_flip_flop(&self) -> bool {
        self.kind.starts_with("$_") && self.kind.contains("DFF")
    }

    /// A parameter that is a number.
    pub(crate) fn number(&self, name: &str) -> Option<u64> {
        match self.parameters.get(name)? {
            serde_json::Value::Number(number) => number.as_u64(),
            serde_json::Value::String(text) => u64::from_str_radix(text.trim(), 2).ok(),
            _ => None,
        }
    }

    /// A parameter that is a text.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.parameters.get(name)?.as_str()
    }

    /// What a port is connected to.
    pub(crate) fn bits(&self, port: &str) -> &[Bit] {
        self.connections.get(port).map_or(&[], Vec::as_slice)
    }
}
