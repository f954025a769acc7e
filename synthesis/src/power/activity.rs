//! What the changes of nets take, cell by cell.

use super::cells::{Cell, Change};
use super::flat::{CONSTANTS, Flat, Placed};
use super::vcd::Changes;

/// Leakage is looked at once in so many times, of which a clock has two: one when it is high, the next when it is low.
const SAMPLE: u64 = 63;

/// Flip-flops that share a clock gate at least: words of a memory that are beside each other, where one has fewer.
const GATED: usize = 16;

/// Energies in joules of a block, for all that was seen.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Spent {
    /// Clock pins of flip-flops of memories.
    pub(super) table_clocks: f64,
    /// The same if a memory's words had clocks only when they change.
    pub(super) gated_table_clocks: f64,
    /// Clock pins of other flip-flops.
    pub(super) register_clocks: f64,
    /// What else flip-flops of memories take, with the nets that they drive.
    pub(super) tables: f64,
    /// The same of other flip-flops.
    pub(super) registers: f64,
    /// All other cells, with the nets that they drive.
    pub(super) logic: f64,
}

/// A cell in its place, with what it needs while waves are read.
struct Watched<'a> {
    cell: &'a Cell,
    placed: &'a Placed,
    /// Joules of each group, for its loads.
    energies: Vec<[f64; 2]>,
    /// Joules of a change of each pin's net: of outputs all that they drive, of clocks the pin.
    switching: Vec<f64>,
    state: u32,
    before: u32,
    /// The time of the last change.
    touched: u64,
}

/// The energies of a netlist while its waves are read.
pub(super) struct Meter<'a> {
    watched: Vec<Watched<'a>>,
    /// The pins at each net.
    pins: Vec<Vec<(u32, u8)>>,
    values: Vec<bool>,
    clock: usize,
    time: u64,
    touched: Vec<usize>,
    /// The clock's edge at this time, if it has one.
    edge: Option<bool>,
    /// The clock gate of each memory word.
    gate_of: Vec<usize>,
    gates: Vec<Gated>,
    pub(super) spent: Vec<Spent>,
    /// Clocks.
    pub(super) cycles: u64,
    /// Changes of nets.
    pub(super) changes: u64,
    leaked: f64,
    samples: u64,
}

/// Flip-flops of a memory that would share a clock gate.
#[derive(Clone, Copy, Default)]
struct Gated {
    block: usize,
    /// What their clock pins take at this time.
    clocks: f64,
    /// Some of them change.
    changes: bool,
    /// The gate is open, up to the next rising edge.
    is_open: bool,
}

/// The clock gate of each word, and the block of each gate.
fn gates(flat: &Flat) -> (Vec<usize>, Vec<Gated>) {
    let mut bits = vec![0; flat.words.len()];
    flat.cells.iter().filter_map(|cell| cell.word).for_each(|word| bits[word] += 1);
    let mut order: Vec<usize> = (0..bits.len()).collect();
    order.sort_by_key(|word| &flat.words[*word]);
    let (mut gate_of, mut gates) = (vec![0; bits.len()], Vec::new());
    let mut last: Option<((usize, &str), usize)> = None;
    for word in order {
        let (block, memory, _) = &flat.words[word];
        let memory = (*block, memory.as_str());
        let so_far = match last {
            Some((of, bits)) if of == memory && bits < GATED => bits,
            _ => {
                gates.push(Gated { block: *block, ..Gated::default() });
                0
            }
        };
        gate_of[word] = gates.len() - 1;
        last = Some((memory, so_far + bits[word]));
    }
    (gate_of, gates)
}

impl<'a> Meter<'a> {
    /// Of a flat netlist with this clock, at a supply voltage and a transition time. `loads` has the farads of each net.
    pub(super) fn new(
        (flat, kinds): (&'a Flat, &'a [Cell]),
        clock: usize,
        (volts, slew): (f64, f64),
        loads: &[f64],
    ) -> Meter<'a> {
        let mut pins: Vec<Vec<(u32, u8)>> = vec![Vec::new(); flat.nets];
        let mut watched = Vec::new();
        for (number, placed) in flat.cells.iter().enumerate() {
            let cell = &kinds[placed.kind];
            for (pin, net) in placed.nets.iter().enumerate() {
                pins[net.unwrap_or(CONSTANTS[0])].push((number as u32, pin as u8));
            }
            let load = |pin: usize| {
                let all = placed.nets[pin].map_or(0.0, |net| loads[net]);
                cell.pins[pin].most_load.map_or(all, |most| all.min(most))
            };
            let switching = cell.pins.iter().enumerate().map(|(pin, of)| {
                let driven =
                    if of.is_output { placed.nets[pin].map_or(0.0, |net| loads[net]) } else { 0.0 };
                let own = if of.is_clock { of.capacitance } else { 0.0 };
                (driven + own) * volts * volts / 2.0
            });
            let switching = switching.collect();
            let energies = cell.energies(slew, load);
            let ones =
                placed.nets.iter().enumerate().filter(|(_, net)| **net == Some(CONSTANTS[1]));
            let state = ones.map(|(pin, _)| 1 << pin).sum();
            watched.push(Watched {
                cell,
                placed,
                energies,
                switching,
                state,
                before: 0,
                touched: 0,
            });
        }
        // Nothing is told of the nets of constants.
        for constant in CONSTANTS {
            pins[constant].clear();
        }
        let (gate_of, gates) = gates(flat);
        Meter {
            watched,
            pins,
            values: vec![false; flat.nets],
            clock,
            time: 0,
            touched: Vec::new(),
            edge: None,
            gate_of,
            gates,
            spent: vec![Spent::default(); flat.blocks.len()],
            cycles: 0,
            changes: 0,
            leaked: 0.0,
            samples: 0,
        }
    }

    /// Clock gates that memories would have.
    pub(super) fn gate_count(&self) -> usize {
        self.gates.len()
    }

    /// Watts that leak, the mean of the times that were looked at.
    pub(super) fn leakage(&self) -> f64 {
        self.leaked / self.samples.max(1) as f64
    }

    /// Adds what memories would take if their gates opened in cycles in which something that they clock changes.
    fn clock_gates(&mut self, rises: bool) {
        for gate in &mut self.gates {
            if rises {
                gate.is_open = gate.changes;
            }
            if gate.is_open {
                self.spent[gate.block].gated_table_clocks += gate.clocks;
            }
            (gate.clocks, gate.changes) = (0.0, false);
        }
    }

    fn sample_leakage(&mut self) {
        let leaks = self.watched.iter().filter_map(|it| it.cell.leakage(it.state));
        self.leaked += leaks.sum::<f64>();
        self.samples += 1;
    }
}

impl Watched<'_> {
    /// Sets what is not at a net: outputs that nothing is connected to, and what is kept.
    fn complete(&mut self) {
        let (cell, placed) = (self.cell, self.placed);
        let count = cell.pins.len();
        if cell.kept.is_some() {
            // An output that is connected says what is kept: it is one of the two variables.
            for kept in [false, true] {
                let variables = if kept { 1 << count } else { 2 << count };
                let state = self.state & !(3 << count) | variables;
                let fits = cell
                    .pins
                    .iter()
                    .enumerate()
                    .filter(|(pin, of)| of.is_output && placed.nets[*pin].is_some());
                if fits.clone().all(|(pin, of)| {
                    of.function
                        .as_ref()
                        .is_none_or(|function| function.value(state) == (state >> pin & 1 != 0))
                }) {
                    self.state = state;
                    break;
                }
            }
        }
        for (pin, of) in cell.pins.iter().enumerate() {
            if of.is_output
                && placed.nets[pin].is_none()
                && let Some(function) = &of.function
            {
                let value = u32::from(function.value(self.state));
                self.state = self.state & !(1 << pin) | value << pin;
            }
        }
    }

    fn changes_output(&self) -> bool {
        let changed = self.before ^ self.state;
        self.cell.pins.iter().enumerate().any(|(pin, of)| of.is_output && changed >> pin & 1 != 0)
    }

    /// What its changes take: those of its clock, and all others.
    fn spent(&self) -> [f64; 2] {
        let changed = self.before ^ self.state;
        let mut spent = [0.0; 2];
        for (pin, of) in
            self.cell.pins.iter().enumerate().filter(|(pin, _)| changed >> pin & 1 != 0)
        {
            let rises = self.state >> pin & 1 != 0;
            // What a clock takes depends on what was there before its edge.
            let state = if of.is_clock { self.before ^ 1 << pin } else { self.state };
            let change = Change { pin, rises, state, changed };
            let energy = self.cell.energy(&self.energies, &change) + self.switching[pin];
            spent[usize::from(!of.is_clock)] += energy;
        }
        spent
    }
}

impl Changes for Meter<'_> {
    fn change(&mut self, net: usize, value: bool) {
        if self.values[net] == value && self.time > 0 {
            return;
        }
        let toggles = self.values[net] != value;
        self.values[net] = value;
        if net == self.clock && self.time > 0 {
            self.edge = Some(value);
            self.cycles += u64::from(value);
        }
        self.changes += u64::from(self.time > 0);
        for (cell, pin) in &self.pins[net] {
            let watched = &mut self.watched[*cell as usize];
            if self.time > 0 && watched.touched != self.time {
                watched.touched = self.time;
                watched.before = watched.state;
                self.touched.push(*cell as usize);
            }
            watched.state ^= u32::from(toggles) << pin;
        }
    }

    fn end_of_time(&mut self) {
        if self.time == 0 {
            self.watched.iter_mut().for_each(Watched::complete);
            self.time = 1;
            return;
        }
        for number in std::mem::take(&mut self.touched) {
            let watched = &mut self.watched[number];
            watched.complete();
            let [clock, other] = watched.spent();
            let spent = &mut self.spent[watched.placed.block];
            match (watched.placed.word, &watched.cell.kept) {
                (Some(word), _) => {
                    let gate = &mut self.gates[self.gate_of[word]];
                    gate.clocks += clock;
                    gate.changes |= watched.changes_output();
                    spent.table_clocks += clock;
                    spent.tables += other;
                }
                (None, Some(_)) => {
                    spent.register_clocks += clock;
                    spent.registers += other;
                }
                (None, None) => spent.logic += clock + other,
            }
        }
        if let Some(rises) = self.edge.take() {
            self.clock_gates(rises);
        }
        if self.time.is_multiple_of(SAMPLE) || self.time == 1 {
            self.sample_leakage();
        }
        self.time += 1;
    }
}
