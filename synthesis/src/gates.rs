//! Gates: the logic by Yosys with the memories as black boxes, the memories by their bits.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use tracewright_hdl::Generated;

use crate::error::{Error, Result};
use crate::levels::{Levels, MemoryLevels, levels};
use crate::liberty::{Library, LibraryOptions};
use crate::memory::Shape;
use crate::netlist::{Cell, Netlist};
use crate::results::{Area, Gates, ModuleGates, Structure, Totals};
use crate::store::Store;
use crate::timing::Timer;
use crate::tool::{self, Tool};
use crate::yosys::{Flow, LOGIC, MEMORY, Run};
use tracewright_cache::Cache;

/// What the kept results depend on besides their inputs.
const SOURCES: &str = concat!(
    include_str!("gates.rs"),
    include_str!("levels.rs"),
    include_str!("memory.rs"),
    include_str!("netlist.rs"),
    include_str!("results.rs"),
    include_str!("timing.rs"),
    include_str!("yosys.rs"),
);

const FLAT: Flow = Flow { flatten: true, map_memories: false, abc: LOGIC };
const BY_MODULE: Flow = Flow { flatten: false, ..FLAT };
const FLIP_FLOPS: Flow = Flow { flatten: true, map_memories: true, abc: MEMORY };

/// How gates are counted.
#[derive(Clone, Debug)]
pub struct GateOptions {
    /// The Yosys to run; that of the search path if not given.
    pub yosys: Option<PathBuf>,
    /// The files of the cell library; one of gate equivalents if none is given.
    pub liberty: Vec<PathBuf>,
    /// Those of its slow corner, in which a netlist must be fast enough; the files above if none is given.
    pub slow: Vec<PathBuf>,
    /// Those of its fast corner, in which data must not come too early; the files above if none is given.
    pub fast: Vec<PathBuf>,
    /// What is taken of these files.
    pub library: LibraryOptions,
    /// The clock to report the slack of.
    pub clock_mhz: Option<f64>,
    /// GE for a bit of a memory.
    pub storage_ge_per_bit: f64,
}

impl Default for GateOptions {
    fn default() -> Self {
        Self {
            yosys: None,
            liberty: Vec::new(),
            slow: Vec::new(),
            fast: Vec::new(),
            library: LibraryOptions::default(),
            clock_mhz: None,
            storage_ge_per_bit: 1.5,
        }
    }
}

/// Counts the gates of designs.
#[derive(Debug)]
pub struct GateCounter {
    options: GateOptions,
    yosys: Tool,
    library: Library,
    /// What the slack is found with.
    timer: Option<Timer>,
    /// What the library's area of 1 GE is.
    nand_area: f64,
    store: Store,
}

/// What a memory costs when it is made of flip-flops.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct MemoryCost {
    area: f64,
    read_levels: u64,
    write_levels: u64,
}

impl GateCounter {
    /// Finds the tools and reads the library; results are kept in `cache`.
    ///
    /// # Errors
    /// When a tool is missing or the library is none.
    pub fn new(options: GateOptions, cache: &Cache) -> Result<GateCounter> {
        let library = Library::load(&options.liberty, &options.library)?;
        let yosys = Tool::find(tool::YOSYS, options.yosys.as_deref())?;
        let corner = |paths: &[PathBuf]| match paths {
            [] => Ok(library.clone()),
            paths => Library::load(paths, &options.library),
        };
        let timer = |clock_mhz| -> Result<Timer> {
            let opensta = Tool::find(tool::OPENSTA, None)?;
            let (slow, fast) = (corner(&options.slow)?, corner(&options.fast)?);
            Ok(Timer { opensta, clock_mhz, slow, fast })
        };
        let timer = options.clock_mhz.map(timer).transpose()?;
        let store = Store::of(cache);
        let mut counter = GateCounter { options, yosys, library, timer, nand_area: 1.0, store };
        counter.nand_area = counter.nand_area()?;
        Ok(counter)
    }

    /// The version of Yosys.
    pub fn yosys(&self) -> &str {
        &self.yosys.version
    }

    /// The gates of a design.
    ///
    /// # Errors
    /// When a tool fails on the design or the library.
    pub fn count(&self, design: &str, verilog: &Generated) -> Result<Gates> {
        let weight = self.options.storage_ge_per_bit.to_string();
        let has_area = if self.library.path.is_some() { "area" } else { "GE" };
        let mut inputs: Vec<&str> = self.inputs().to_vec();
        inputs.extend([design, &weight, has_area]);
        inputs.extend(verilog.files.iter().flat_map(|(name, text)| [name.as_str(), text]));
        let mut gates =
            self.store.get_or_make("gates", &inputs, || self.synthesize(design, verilog))?;
        if let Some(timer) = &self.timer {
            let of_timer = timer.inputs();
            inputs.extend(of_timer.iter().map(String::as_str));
            let measure = || timer.measure(&self.yosys, verilog);
            gates.timing = Some(self.store.get_or_make("timing", &inputs, measure)?);
        }
        Ok(gates)
    }

    /// The logic and the storage of a design, which take a fraction of the time of [`count`](Self::count).
    ///
    /// # Errors
    /// When a tool fails on the design or the library.
    pub fn totals(&self, design: &str, verilog: &Generated) -> Result<Totals> {
        let weight = self.options.storage_ge_per_bit.to_string();
        let mut inputs: Vec<&str> = self.inputs().to_vec();
        inputs.extend([design, &weight]);
        inputs.extend(verilog.files.iter().flat_map(|(name, text)| [name.as_str(), text]));
        self.store.get_or_make("totals", &inputs, || {
            let (before, after) = self.netlists(design, verilog, FLAT)?;
            let memories = before.module(&verilog.top)?.memories();
            let each = memories.map(|cell| Ok(self.storage_ge(Shape::of(design, cell)?.bits())));
            let storage_ge = each.sum::<Result<f64>>()?;
            let logic_ge = self.ge(self.area(after.module(&verilog.top)?.counted())?);
            Ok(Totals { yosys: self.yosys.version.clone(), logic_ge, storage_ge })
        })
    }

    /// What every result depends on.
    fn inputs(&self) -> [&str; 3] {
        [SOURCES, &self.yosys.version, &self.library.text]
    }

    fn synthesize(&self, design: &str, verilog: &Generated) -> Result<Gates> {
        let netlists = |flow| self.netlists(design, verilog, flow);
        let (flat, by_module) = rayon::join(|| netlists(FLAT), || netlists(BY_MODULE));
        let ((before, after), by_module) = (flat?, by_module?);
        let flat = before.module(&verilog.top)?;
        let memories = flat.memories().map(|cell| Ok((cell, Shape::of(design, cell)?)));
        let memories: Vec<(&Cell, Shape)> = memories.collect::<Result<_>>()?;
        let costs = self.memory_costs(memories.iter().map(|(_, shape)| shape))?;

        let mut structures: Vec<Structure> =
            memories.iter().map(|(cell, shape)| self.structure(cell, shape, &costs)).collect();
        structures.sort_by(|one, other| one.name.cmp(&other.name));
        let storage_bits = structures.iter().map(|structure| structure.bits).sum();
        let storage_ge = structures.iter().map(|structure| structure.storage_ge).sum();
        let memory_flip_flops: f64 =
            structures.iter().map(|structure| structure.flip_flop_implementation_ge).sum();

        let logic_area = self.area(after.module(&verilog.top)?.counted())?;
        let gate_area = self.area(flat.counted().filter(|cell| !cell.is_flip_flop()))?;
        let logic_ge = self.ge(logic_area);
        let modules = self.modules(&verilog.top, &by_module.0, &by_module.1)?;
        let by_itself: f64 = modules.iter().map(|module| module.logic_ge).sum();
        let Levels { to_output, to_register } = levels(design, flat, |cell| {
            let cost = &costs[&Shape::of(design, cell)?];
            Ok(MemoryLevels { read: cost.read_levels, write: cost.write_levels })
        })?;
        Ok(Gates {
            design: design.to_owned(),
            yosys: self.yosys.version.clone(),
            library: self.library.name.clone(),
            storage_ge_per_bit: self.options.storage_ge_per_bit,
            storage_bits,
            storage_ge,
            logic_ge,
            total_ge: round(logic_ge + storage_ge),
            flip_flop_ge: self.ge(logic_area - gate_area),
            flip_flops: flat.flip_flops(),
            flip_flop_implementation_ge: round(logic_ge + memory_flip_flops),
            gate_levels: to_output.max(to_register),
            modules,
            across_modules_ge: round(logic_ge - by_itself),
            structures,
            area: self.library.path.as_ref().map(|_| Area {
                logic_um2: round(logic_area),
                storage_um2: round(storage_ge * self.nand_area),
                nand_um2: self.nand_area,
            }),
            timing: None,
        })
    }

    /// What a flow makes of a design, before and after its gates are cells of the library.
    fn netlists(
        &self,
        design: &str,
        verilog: &Generated,
        flow: Flow,
    ) -> Result<(Netlist, Netlist)> {
        let run = Run::flow(&self.yosys, &self.library, flow, &verilog.top, &verilog.files)?;
        Ok((run.netlist(design, "before.json")?, run.netlist(design, "after.json")?))
    }

    /// What memories of these shapes cost, each worked out once.
    fn memory_costs<'a>(
        &self,
        shapes: impl Iterator<Item = &'a Shape>,
    ) -> Result<BTreeMap<Shape, MemoryCost>> {
        let shapes: BTreeSet<&Shape> = shapes.collect();
        let cost = |shape: &&Shape| Ok(((*shape).clone(), self.memory_cost(shape)?));
        shapes.par_iter().map(cost).collect()
    }

    fn memory_cost(&self, shape: &Shape) -> Result<MemoryCost> {
        let verilog = shape.verilog();
        let inputs: Vec<&str> = self.inputs().into_iter().chain([verilog.as_str()]).collect();
        self.store.get_or_make("memory", &inputs, || {
            let files = [("memory.v".to_owned(), verilog.clone())];
            let run = Run::flow(&self.yosys, &self.library, FLIP_FLOPS, "memory", &files)?;
            let before = run.netlist("memory", "before.json")?;
            let after = run.netlist("memory", "after.json")?;
            // There is no memory left in it.
            let none = |_: &Cell| Ok(MemoryLevels { read: 0, write: 0 });
            let Levels { to_output, to_register } =
                levels("memory", before.module("memory")?, none)?;
            let area = self.area(after.module("memory")?.counted())?;
            Ok(MemoryCost { area, read_levels: to_output, write_levels: to_register })
        })
    }

    fn structure(
        &self,
        cell: &Cell,
        shape: &Shape,
        costs: &BTreeMap<Shape, MemoryCost>,
    ) -> Structure {
        Structure {
            name: cell.text("MEMID").unwrap_or_default().trim().trim_start_matches('\\').to_owned(),
            depth: shape.depth,
            width: shape.width,
            bits: shape.bits(),
            storage_ge: self.storage_ge(shape.bits()),
            flip_flop_implementation_ge: self.ge(costs[shape].area),
        }
    }

    /// The modules of a design that was not flattened, the top first.
    fn modules(&self, top: &str, before: &Netlist, after: &Netlist) -> Result<Vec<ModuleGates>> {
        let mut modules = Vec::new();
        for (name, instances) in after.instances(top) {
            let module = after.module(name)?;
            let own = module.counted().filter(|cell| !after.is_design_module(&cell.kind));
            let each = self.ge(self.area(own)?);
            let bits = module.memories().map(|cell| Ok(Shape::of(name, cell)?.bits()));
            let bits = bits.sum::<Result<u64>>()?;
            let inner = name.strip_prefix(top).and_then(|rest| rest.strip_prefix('_'));
            let gates = ModuleGates {
                module: inner.unwrap_or(name).to_owned(),
                instances,
                logic_ge_each: each,
                logic_ge: round(each * instances as f64),
                flip_flops: instances * before.module(name)?.flip_flops(),
                storage_bits: instances * bits,
            };
            let place = if name == top { 0 } else { modules.len() };
            modules.insert(place, gates);
        }
        Ok(modules)
    }

    /// The area of mapped cells, memories left out.
    fn area<'a>(&self, cells: impl Iterator<Item = &'a Cell>) -> Result<f64> {
        let area = |cell: &Cell| {
            let area = self.library.areas.get(&cell.kind).copied();
            area.ok_or_else(|| self.library.error(format!("it has no cell for {}", cell.kind)))
        };
        cells.filter(|cell| !cell.is_memory()).map(area).sum()
    }

    fn storage_ge(&self, bits: u64) -> f64 {
        round(bits as f64 * self.options.storage_ge_per_bit)
    }

    fn ge(&self, area: f64) -> f64 {
        round(area / self.nand_area)
    }

    /// The area of a NAND gate and, on the way, whether the library has what designs need.
    fn nand_area(&self) -> Result<f64> {
        let verilog = "module probe(input wire clock, input wire a, input wire b, output wire y, output reg q);\n\
                       assign y = ~(a & b);\nalways @(posedge clock) q <= a;\nendmodule\n";
        self.store.get_or_make("nand", &self.inputs(), || {
            let files = [("probe.v".to_owned(), verilog.to_owned())];
            let run = Run::flow(&self.yosys, &self.library, FLAT, "probe", &files);
            let run = run.map_err(|error| match error {
                Error::ToolFailed { message, .. } => self.library.error(format!(
                    "{} says: {message}; another one may read it",
                    self.yosys.version
                )),
                other => other,
            })?;
            let before = run.netlist("probe", "before.json")?;
            self.area(run.netlist("probe", "after.json")?.module("probe")?.counted())?;
            let gates = before.module("probe")?.counted().filter(|cell| !cell.is_flip_flop());
            match self.area(gates)? {
                area if area > 0.0 => Ok(area),
                _ => Err(self.library.error("its NAND gate has no area")),
            }
        })
    }
}

/// Rounds to two digits after the point, which is more than synthesis is accurate to.
fn round(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}
