//! The power of designs: a netlist of a library's cells, and what the activity of its simulation takes.
//!
//! [`PowerMeter::netlist`] maps a design to cells, each module by itself, with memories made of flip-flops.
//! What it gives has Verilog of the same ports for a simulation that writes waves, from which
//! [`GateLevel::measure`] adds up the energies of every cell. docs/power.md says what is counted and how.

mod activity;
mod cells;
mod clock;
mod flat;
mod function;
mod results;
mod table;
mod units;
mod vcd;
mod verilog;

use std::collections::BTreeSet;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use tracewright_cache::Cache;
use tracewright_hdl::Generated;

pub use self::results::{Block, Energy, Power};

use self::activity::{Meter, Spent};
use self::cells::Cell;
use self::clock::{Buffer, Gate, Tree};
use self::flat::{Flat, Local};
use self::units::Units;
use self::verilog::Form;
use crate::error::{Error, Result};
use crate::liberty::syntax::{self, Item};
use crate::liberty::{Library, LibraryOptions};
use crate::netlist::Netlist;
use crate::store::Store;
use crate::tool::{self, Tool};
use crate::wrapper;
use crate::yosys::{Flow, MEMORY, Run};

/// Every module by itself, so that it is known what each takes.
const FLOW: Flow = Flow { flatten: false, map_memories: true, abc: MEMORY };

/// What the kept netlists depend on besides their inputs.
const SOURCES: &str = include_str!("../yosys.rs");

/// How power is estimated.
#[derive(Clone, Debug, Default)]
pub struct PowerOptions {
    /// The Yosys to run; that of the search path if not given.
    pub yosys: Option<PathBuf>,
    /// The files of the cell library.
    pub liberty: Vec<PathBuf>,
    /// What is taken of these files. Its driving cell is that of the clock tree.
    pub library: LibraryOptions,
    /// The transition time at every input, in nanoseconds; that of the clock tree's buffer before four of its inputs if
    /// not given.
    pub slew_ns: Option<f64>,
}

/// Estimates the power of designs.
#[derive(Debug)]
pub struct PowerMeter {
    options: PowerOptions,
    yosys: Tool,
    library: Library,
    store: Store,
}

/// A design as cells of a library.
#[derive(Debug)]
pub struct GateLevel {
    design: String,
    yosys: String,
    library: Library,
    netlist: Netlist,
    kinds: Vec<Cell>,
    units: Units,
    slew: f64,
    buffer: Option<(String, Buffer)>,
    gate: Option<Gate>,
    top: String,
    clock: String,
}

/// The waves of a simulation of [`GateLevel::simulated`].
#[derive(Clone, Copy, Debug)]
pub struct Waves<'a> {
    /// The scopes around and with the outermost module.
    pub scopes: &'a [&'a str],
    /// The file of what is measured.
    pub running: &'a Path,
    /// The file of cycles in which nothing is traced.
    pub idle: &'a Path,
    /// Instructions that retire in the first one.
    pub instructions: u64,
}

impl PowerMeter {
    /// Finds Yosys and reads the library; netlists are kept in `cache`.
    ///
    /// # Errors
    /// When Yosys is missing or the library is none.
    pub fn new(options: PowerOptions, cache: &Cache) -> Result<PowerMeter> {
        let library = Library::load(&options.liberty, &options.library)?;
        let yosys = Tool::find(tool::YOSYS, options.yosys.as_deref())?;
        Ok(PowerMeter { options, yosys, library, store: Store::of(cache) })
    }

    /// The design as cells.
    ///
    /// # Errors
    /// When Yosys fails, or the library has not what its cells' power needs.
    pub fn netlist(&self, design: &str, verilog: &Generated) -> Result<GateLevel> {
        let mut inputs = vec![SOURCES, self.yosys.version.as_str(), &self.library.text];
        inputs.extend(verilog.files.iter().flat_map(|(name, text)| [name.as_str(), text]));
        let text: String = self.store.get_or_make("netlist", &inputs, || {
            let run = Run::flow(&self.yosys, &self.library, FLOW, &verilog.top, &verilog.files)?;
            run.text("after.json")
        })?;
        let netlist = Netlist::read(design, text.as_bytes())?;
        let of = (verilog.top.as_str(), wrapper::clock(verilog));
        GateLevel::of(
            (design, &self.yosys.version),
            of,
            netlist,
            &self.library,
            self.options.slew_ns,
        )
    }
}

/// The transition time of a buffer before four of its own inputs.
fn settled_slew(buffer: &Cell) -> Option<f64> {
    let input = buffer.pins.iter().find(|pin| !pin.is_output)?.capacitance;
    let output = buffer.pins.iter().position(|pin| pin.is_output)?;
    // A buffer makes nearly the same of any transition, so it settles at once.
    (0..8).try_fold(0.0, |slew, _| buffer.transition(output, slew, 4.0 * input))
}

/// The smallest clock gate of a library without pins for a test.
fn clock_gate<'a>(library: &'a Item<'a>) -> Option<&'a Item<'a>> {
    let is_plain =
        |item: &&Item<'_>| item.value("clock_gating_integrated_cell") == Some("latch_posedge");
    let area =
        |item: &Item<'_>| item.value("area").and_then(|area| area.trim().parse::<f64>().ok());
    let gates = library.all("cell").filter(is_plain).filter_map(|item| Some((area(item)?, item)));
    gates.min_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, item)| item)
}

impl GateLevel {
    /// A netlist of a design, which a version of Yosys has made, with an outermost module and its clock.
    fn of(
        (design, yosys): (&str, &str),
        (top, clock): (&str, &str),
        netlist: Netlist,
        library: &Library,
        slew_ns: Option<f64>,
    ) -> Result<GateLevel> {
        let wrong = |reason: String| library.error(reason);
        let parsed = syntax::library(&library.text, syntax::TABLES).map_err(wrong)?;
        let units = Units::of(&parsed).map_err(wrong)?;
        let modules = netlist.modules.iter().filter(|(name, _)| netlist.is_design_module(name));
        let used = modules.flat_map(|(_, module)| module.cells.values());
        let used: BTreeSet<&str> = used.map(|cell| cell.kind.as_str()).collect();
        let read = |item: &Item<'_>| {
            Cell::read(item, &parsed, &units)
                .map_err(|reason| wrong(format!("cell {}: {reason}", item.argument())))
        };
        let kinds = parsed.all("cell").filter(|item| used.contains(item.argument()));
        let kinds: Vec<Cell> = kinds.map(read).collect::<Result<_>>()?;
        for Cell { name, pins, .. } in &kinds {
            if let Some(pin) = pins.iter().find(|pin| pin.is_output && pin.function.is_none()) {
                return Err(wrong(format!(
                    "cell {name}: expected a function at its pin {}",
                    pin.name
                )));
            }
        }
        let around = library.around.as_ref().map(|around| around.driving_cell.as_str());
        let buffer = parsed.all("cell").find(|item| Some(item.argument()) == around);
        let buffer = buffer.map(read).transpose()?;
        let slew = slew_ns.map(|slew| slew * 1e-9).or(buffer.as_ref().and_then(settled_slew));
        let slew = slew.ok_or_else(|| {
            wrong("expected a buffer in it with tables of transition times, or --slew".into())
        })?;
        let of_buffer =
            |cell: Cell| Some((cell.name.clone(), Buffer::of(&cell, units.volts, slew)?));
        let gate = clock_gate(&parsed).map(read).transpose()?;
        Ok(GateLevel {
            design: design.to_owned(),
            yosys: yosys.to_owned(),
            library: library.clone(),
            kinds,
            slew,
            buffer: buffer.and_then(of_buffer),
            gate: gate.and_then(|cell| Gate::of(&cell, units.volts, slew)),
            units,
            top: top.to_owned(),
            clock: clock.to_owned(),
            netlist,
        })
    }

    /// Verilog with the same ports and modules, for a simulation without models of cells.
    pub fn simulated(&self) -> Vec<(String, String)> {
        let text = verilog::modules(&self.netlist, &self.kinds, Form::Functions);
        vec![(format!("{}.v", self.top), text)]
    }

    /// The library's cells as one Liberty file, and Verilog of them, with the same names of nets.
    pub fn cells(&self) -> (&str, String) {
        (&self.library.text, verilog::modules(&self.netlist, &self.kinds, Form::Cells))
    }

    /// The energy and the leakage of a simulation.
    ///
    /// # Errors
    /// When the waves cannot be read or are not of this netlist.
    pub fn measure(&self, waves: &Waves<'_>) -> Result<Power> {
        let flat = Flat::of(&self.netlist, &self.top, &self.kinds);
        let loads = self.loads(&flat);
        let clock = flat.local.get("").and_then(|top| top.get(&Local::Port(self.clock.clone(), 0)));
        let clock = *clock.ok_or_else(|| self.output("its netlist has no clock"))?;
        let run = |path: &Path| -> Result<Meter<'_>> {
            let file =
                BufReader::with_capacity(1 << 20, File::open(path).map_err(Error::file(path))?);
            let electrical = (self.units.volts, self.slew);
            let mut meter = Meter::new((&flat, &self.kinds), clock, electrical, &loads);
            vcd::read(file, waves.scopes, &flat, &mut meter).map_err(Error::file(path))?;
            match meter.cycles {
                0 => Err(self.output("its waves have no cycle of the clock")),
                _ => Ok(meter),
            }
        };
        let (running, idle) = (run(waves.running)?, run(waves.idle)?);
        Ok(self.power(&flat, (&running, &idle), waves.instructions))
    }

    fn output(&self, reason: &str) -> Error {
        Error::Output { tool: tool::YOSYS.name, design: self.design.clone(), reason: reason.into() }
    }

    /// The farads at each net, of the inputs at it; those of clocks are counted with their cells.
    fn loads(&self, flat: &Flat) -> Vec<f64> {
        let mut loads = vec![0.0; flat.nets];
        for cell in &flat.cells {
            for (pin, net) in self.kinds[cell.kind].pins.iter().zip(&cell.nets) {
                if let Some(net) = net.filter(|_| !pin.is_output && !pin.is_clock) {
                    loads[net] += pin.capacitance;
                }
            }
        }
        loads
    }

    fn power(
        &self,
        flat: &Flat,
        (running, idle): (&Meter<'_>, &Meter<'_>),
        instructions: u64,
    ) -> Power {
        let is_kept = |cell: &&flat::Placed| self.kinds[cell.kind].kept.is_some();
        let pins = |is_memory: bool| -> f64 {
            let cells =
                flat.cells.iter().filter(is_kept).filter(|it| it.word.is_some() == is_memory);
            let pins = cells.flat_map(|cell| self.kinds[cell.kind].pins.iter());
            pins.filter(|pin| pin.is_clock).map(|pin| pin.capacitance).sum()
        };
        let gates = running.gate_count() as u64;
        let of_gates = self.gate.as_ref().map_or(Tree::default(), |gate| gate.all(gates));
        let of_gates_farads =
            self.gate.as_ref().map_or(0.0, |gate| gate.capacitance) * gates as f64;
        let tree = |farads| self.buffer.as_ref().map_or(Tree::default(), |(_, it)| it.tree(farads));
        let (whole, gated) = (tree(pins(true) + pins(false)), tree(pins(false) + of_gates_farads));
        let sum = |meter: &Meter<'_>| {
            meter.spent.iter().fold(Spent::default(), |one, other| one.plus(other))
        };
        let energies = |meter: &Meter<'_>| {
            let spent = sum(meter);
            [
                spent.energy(meter.cycles, whole.joules, false),
                spent.energy(meter.cycles, gated.joules + of_gates.joules, true),
            ]
        };
        let ([all, all_gated], [idle_all, idle_gated]) = (energies(running), energies(idle));
        let per_cycle = running.changes as f64 / running.cycles as f64 - 2.0;
        Power {
            design: self.design.clone(),
            yosys: self.yosys.clone(),
            library: self.library.name.clone(),
            volts: self.units.volts,
            slew_ns: self.slew * 1e9,
            cells: flat.cells.len() as u64,
            flip_flops: flat.cells.iter().filter(is_kept).count() as u64,
            memory_flip_flops: flat.cells.iter().filter(|cell| cell.word.is_some()).count() as u64,
            cycles: running.cycles,
            instructions,
            changes_per_cycle: per_cycle,
            running: all,
            gated: all_gated,
            idle: idle_all,
            idle_gated,
            leakage_uw: (running.leakage() + whole.leakage) * 1e6,
            gated_leakage_uw: (running.leakage() + gated.leakage + of_gates.leakage) * 1e6,
            blocks: self.blocks(flat, running),
            clock_buffers: [whole.buffers, gated.buffers],
            clock_buffer: self.buffer.as_ref().map(|(name, _)| name.clone()),
            clock_gates: gates,
            clock_gate: self.gate.as_ref().map(|gate| gate.name.clone()),
            missing: self.missing(),
        }
    }

    /// What each instance takes.
    fn blocks(&self, flat: &Flat, running: &Meter<'_>) -> Vec<Block> {
        let mut blocks: Vec<Block> = flat
            .blocks
            .iter()
            .enumerate()
            .map(|(number, instance)| {
                let own = flat
                    .cells
                    .iter()
                    .filter(|cell| cell.block == number)
                    .filter(|cell| self.kinds[cell.kind].kept.is_some());
                Block {
                    instance: instance.clone(),
                    flip_flops: own.count() as u64,
                    running: running.spent[number].energy(running.cycles, 0.0, false),
                    gated: running.spent[number].energy(running.cycles, 0.0, true),
                }
            })
            .collect();
        blocks.sort_by(|one, other| other.running.total_pj.total_cmp(&one.running.total_pj));
        blocks
    }

    /// What the library does not say of the cells in the netlist.
    fn missing(&self) -> Vec<String> {
        let names = |lacks: fn(&Cell) -> bool| {
            let names: Vec<&str> = self
                .kinds
                .iter()
                .filter(|cell| lacks(cell))
                .map(|cell| cell.name.as_str())
                .collect();
            (!names.is_empty()).then(|| names.join(", "))
        };
        let power =
            names(|cell| !cell.has_power()).map(|names| format!("internal power of {names}"));
        let leakage =
            names(|cell| cell.leakage(0).is_none()).map(|names| format!("leakage of {names}"));
        let tree = self.buffer.is_none().then(|| "a buffer for the clock tree".to_owned());
        let gate =
            self.gate.is_none().then(|| "a clock gate (clock_gating_integrated_cell)".to_owned());
        [power, leakage, tree, gate].into_iter().flatten().collect()
    }
}

impl Spent {
    fn plus(self, other: &Spent) -> Spent {
        Spent {
            table_clocks: self.table_clocks + other.table_clocks,
            gated_table_clocks: self.gated_table_clocks + other.gated_table_clocks,
            register_clocks: self.register_clocks + other.register_clocks,
            tables: self.tables + other.tables,
            registers: self.registers + other.registers,
            logic: self.logic + other.logic,
        }
    }

    /// The mean of a cycle, with a clock tree that takes this.
    fn energy(&self, cycles: u64, tree: f64, is_gated: bool) -> Energy {
        let tables = if is_gated { self.gated_table_clocks } else { self.table_clocks };
        let spent = [tables, self.register_clocks, self.tables, self.registers, self.logic];
        let [tables, registers, kept, others, logic] = spent.map(|joules| joules / cycles as f64);
        Energy::of([tree, tables, registers, kept, others, logic])
    }
}

#[cfg(test)]
mod tests;
