//! What a clock tree takes, by a rule: there is none in a netlist.

use super::cells::{Cell, Change};

/// How many times its own input's capacitance a buffer drives.
const EFFORT: f64 = 4.0;

/// What a buffer of the tree takes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Buffer {
    /// Farads of its input.
    capacitance: f64,
    /// Joules of both edges of a clock, with its input's capacitance.
    joules: f64,
    /// Watts that leak.
    leakage: f64,
}

/// A tree.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Tree {
    pub(super) buffers: u64,
    /// Joules of a clock cycle, without the pins of flip-flops.
    pub(super) joules: f64,
    /// Watts that leak.
    pub(super) leakage: f64,
}

impl Buffer {
    /// Of a cell with one input and one output; nothing of another one.
    pub(super) fn of(cell: &Cell, volts: f64, slew: f64) -> Option<Buffer> {
        let input = cell.pins.iter().position(|pin| !pin.is_output)?;
        let output = cell.pins.iter().position(|pin| pin.is_output)?;
        let capacitance = cell.pins[input].capacitance;
        if cell.pins.len() != 2 || capacitance <= 0.0 {
            return None;
        }
        let energies = cell.energies(slew, |_| EFFORT * capacitance);
        let internal = |rises: bool| {
            let state = if rises { 0b11 } else { 0 };
            let of = |pin| cell.energy(&energies, &Change { pin, rises, state, changed: 0b11 });
            of(input) + of(output)
        };
        let joules = internal(true) + internal(false) + capacitance * volts * volts;
        let leakage = [0, 0b11].iter().filter_map(|state| cell.leakage(*state)).sum::<f64>() / 2.0;
        Some(Buffer { capacitance, joules, leakage })
    }

    /// A tree of them over pins of so many farads: each drives four times its own input, up to a single one.
    pub(super) fn tree(&self, farads: f64) -> Tree {
        let mut tree = Tree::default();
        let mut load = farads;
        while load > 0.0 {
            let buffers = (load / (EFFORT * self.capacitance)).ceil().max(1.0);
            tree.buffers += buffers as u64;
            tree.joules += buffers * self.joules;
            tree.leakage += buffers * self.leakage;
            load = if buffers > 1.0 { buffers * self.capacitance } else { 0.0 };
        }
        tree
    }
}

/// What a clock gate takes.
#[derive(Clone, Debug)]
pub(super) struct Gate {
    pub(super) name: String,
    /// Farads of its clock pin.
    pub(super) capacitance: f64,
    /// Joules of a cycle in which it is closed, with its clock pin's capacitance.
    closed: f64,
    /// Watts that leak.
    leakage: f64,
}

impl Gate {
    /// Of a cell that is a clock gate by its attributes.
    pub(super) fn of(cell: &Cell, volts: f64, slew: f64) -> Option<Gate> {
        let clock = cell.pins.iter().position(|pin| pin.is_clock)?;
        let capacitance = cell.pins[clock].capacitance;
        let energies = cell.energies(slew, |_| 0.0);
        let edge = |rises: bool| {
            let state = u32::from(rises) << clock;
            cell.energy(&energies, &Change { pin: clock, rises, state, changed: 1 << clock })
        };
        let closed = edge(true) + edge(false) + capacitance * volts * volts;
        let leakage = cell.leakage(0).unwrap_or_default();
        Some(Gate { name: cell.name.clone(), capacitance, closed, leakage })
    }

    /// What so many take in a cycle, without what those that are open drive.
    pub(super) fn all(&self, count: u64) -> Tree {
        let count = count as f64;
        Tree { buffers: 0, joules: count * self.closed, leakage: count * self.leakage }
    }
}
