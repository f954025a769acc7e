//! The longest path through a flat netlist, in cells.

use std::collections::HashMap;

use crate::error::{Error, Result};
use crate::netlist::{Bit, Cell, Module};
use crate::tool;

/// Cells on the longest paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Levels {
    /// To an output.
    pub(crate) to_output: u64,
    /// To a register or memory.
    pub(crate) to_register: u64,
}

/// Cells that a path through a memory meets in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MemoryLevels {
    /// From an address to what is read.
    pub(crate) read: u64,
    /// From what is written to where it is kept.
    pub(crate) write: u64,
}

/// Something that makes nets from nets: a cell, or the port of a memory that reads.
struct Node<'a> {
    inputs: Vec<&'a [Bit]>,
    levels: u64,
}

/// Paths begin at inputs and registers.
#[derive(Default)]
struct Graph<'a> {
    nodes: Vec<Node<'a>>,
    driver: HashMap<u64, usize>,
    /// Where paths end in registers and memories, and the levels there.
    ends: Vec<(&'a [Bit], u64)>,
}

/// The longest paths of a module that has cells of a library, flip-flops of Yosys' own and memories,
/// whose levels `memory` knows.
pub(crate) fn levels(
    name: &str,
    module: &Module,
    memory: impl Fn(&Cell) -> Result<MemoryLevels>,
) -> Result<Levels> {
    let mut graph = Graph::default();
    for cell in module.counted() {
        if cell.is_memory() {
            graph.add_memory(cell, memory(cell)?);
        } else if cell.is_flip_flop() {
            let inputs = cell.connections.iter().filter(|(port, _)| *port != "Q");
            graph.ends.extend(inputs.map(|(_, bits)| (bits.as_slice(), 0)));
        } else {
            graph.add_cell(cell);
        }
    }
    let arrivals = graph.arrivals().ok_or_else(|| Error::Output {
        tool: tool::YOSYS.name,
        design: name.to_owned(),
        reason: "its netlist has a combinational loop".into(),
    })?;
    let outputs = module.ports.values().filter(|port| port.direction == "output");
    let to_output = outputs.map(|port| graph.latest(&arrivals, &port.bits)).max();
    let to_register =
        graph.ends.iter().map(|(bits, levels)| graph.latest(&arrivals, bits) + levels).max();
    Ok(Levels { to_output: to_output.unwrap_or(0), to_register: to_register.unwrap_or(0) })
}

impl<'a> Graph<'a> {
    fn add(&mut self, node: Node<'a>, outputs: impl IntoIterator<Item = &'a Bit>) {
        for bit in outputs {
            if let Bit::Net(net) = bit {
                self.driver.insert(*net, self.nodes.len());
            }
        }
        self.nodes.push(node);
    }

    fn add_cell(&mut self, cell: &'a Cell) {
        let is_output =
            |port: &String| cell.port_directions.get(port).is_some_and(|it| it == "output");
        let of = |output: bool| {
            let ports = cell.connections.iter().filter(move |(port, _)| is_output(port) == output);
            ports.map(|(_, bits)| bits.as_slice())
        };
        self.add(Node { inputs: of(false).collect(), levels: 1 }, of(true).flatten());
    }

    fn add_memory(&mut self, cell: &'a Cell, levels: MemoryLevels) {
        // A port's address is no business of another port's.
        let data = cell.bits("RD_DATA").chunks(cell.number("WIDTH").unwrap_or(1).max(1) as usize);
        let address =
            cell.bits("RD_ADDR").chunks(cell.number("ABITS").unwrap_or(1).max(1) as usize);
        for (data, address) in data.zip(address) {
            self.add(Node { inputs: vec![address], levels: levels.read }, data);
        }
        let written = ["WR_ADDR", "WR_DATA", "WR_EN"].map(|port| (cell.bits(port), levels.write));
        self.ends.extend(written);
    }

    /// When each node's outputs are there, in cells; nothing where there is a loop.
    fn arrivals(&self) -> Option<Vec<u64>> {
        let mut followers = vec![Vec::new(); self.nodes.len()];
        let mut waits = vec![0u32; self.nodes.len()];
        for (number, node) in self.nodes.iter().enumerate() {
            for driver in node.inputs.iter().flat_map(|bits| self.drivers(bits)) {
                followers[driver].push(number);
                waits[number] += 1;
            }
        }
        let mut ready: Vec<usize> = (0..waits.len()).filter(|number| waits[*number] == 0).collect();
        let mut latest_input = vec![0; self.nodes.len()];
        let mut arrivals = vec![0; self.nodes.len()];
        let mut done = 0;
        while let Some(number) = ready.pop() {
            done += 1;
            arrivals[number] = latest_input[number] + self.nodes[number].levels;
            for follower in &followers[number] {
                latest_input[*follower] = arrivals[number].max(latest_input[*follower]);
                waits[*follower] -= 1;
                if waits[*follower] == 0 {
                    ready.push(*follower);
                }
            }
        }
        (done == self.nodes.len()).then_some(arrivals)
    }

    fn drivers(&self, bits: &'a [Bit]) -> impl Iterator<Item = usize> {
        bits.iter().filter_map(|bit| match bit {
            Bit::Net(net) => self.driver.get(net).copied(),
            Bit::Constant(_) => None,
        })
    }

    fn latest(&self, arrivals: &[u64], bits: &'a [Bit]) -> u64 {
        self.drivers(bits).map(|driver| arrivals[driver]).max().unwrap_or(0)
    }
}
