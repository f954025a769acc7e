//! What synthesis finds out about a design.

use serde::{Deserialize, Serialize};

/// The logic and the storage of a design, in GE.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Totals {
    /// The version of Yosys.
    pub yosys: String,
    /// The logic, registers included.
    pub logic_ge: f64,
    /// The memories.
    pub storage_ge: f64,
}

/// The gates of a design; GE are gate equivalents, a two-input NAND gate being 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gates {
    /// The design.
    pub design: String,
    /// The version of Yosys, whose versions differ by some per cent.
    pub yosys: String,
    /// The cell library.
    pub library: String,
    /// GE counted for a bit of a memory.
    pub storage_ge_per_bit: f64,
    /// Bits of the memories.
    pub storage_bits: u64,
    /// GE of the memories.
    pub storage_ge: f64,
    /// GE of everything else, registers included, the memories being black boxes.
    pub logic_ge: f64,
    /// Logic and storage.
    pub total_ge: f64,
    /// GE of the flip-flops among the logic.
    pub flip_flop_ge: f64,
    /// Flip-flops among the logic.
    pub flip_flops: u64,
    /// GE of the whole design with the memories made of flip-flops and gates too.
    pub flip_flop_implementation_ge: f64,
    /// Cells on the longest path from a register, memory or input to another, without the flip-flops.
    pub gate_levels: u64,
    /// Every module, the top first, optimized by itself.
    pub modules: Vec<ModuleGates>,
    /// What optimization across the borders of modules adds to the sum of the modules: mostly negative.
    pub across_modules_ge: f64,
    /// Every memory.
    pub structures: Vec<Structure>,
    /// Area, where the library has one in square micrometres.
    pub area: Option<Area>,
    /// Timing, where a clock was asked for.
    pub timing: Option<Timing>,
}

/// A module's own cells, without those of the modules in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModuleGates {
    /// The module's name without the design's in front of it; the top is the design's.
    pub module: String,
    /// How often the design has it.
    pub instances: u64,
    /// GE of one instance, memories left out.
    pub logic_ge_each: f64,
    /// GE of all instances.
    pub logic_ge: f64,
    /// Flip-flops of all instances.
    pub flip_flops: u64,
    /// Memory bits of all instances.
    pub storage_bits: u64,
}

/// A memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Structure {
    /// Where it is in the design: instance names with dots between them.
    pub name: String,
    /// Words.
    pub depth: u64,
    /// Bits of a word.
    pub width: u64,
    /// Bits in all.
    pub bits: u64,
    /// What they count.
    pub storage_ge: f64,
    /// GE of the memory made of flip-flops and gates.
    pub flip_flop_implementation_ge: f64,
}

/// Silicon area before placement, in square micrometres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Area {
    /// Cells of the logic.
    pub logic_um2: f64,
    /// Memories, at the library's NAND gate for a GE.
    pub storage_um2: f64,
    /// The library's NAND gate.
    pub nand_um2: f64,
}

/// Static timing before placement, by OpenSTA, the memories being made of flip-flops, of a netlist that is as fast as it
/// gets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// The version of OpenSTA.
    pub opensta: String,
    /// The clock asked for.
    pub clock_mhz: f64,
    /// What the slowest path has to spare, in nanoseconds; negative where it is too slow.
    pub slack_ns: f64,
    /// By how much the shortest path from a register to another is long enough, in nanoseconds, all registers having
    /// their clock at once; nothing where there is no such path.
    pub hold_slack_ns: Option<f64>,
    /// The fastest clock.
    pub fmax_mhz: f64,
}

/// A design in an FPGA.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fpga {
    /// The design.
    pub design: String,
    /// `ice40` or `ecp5`.
    pub family: String,
    /// The device it was routed in.
    pub device: String,
    /// The version of Yosys.
    pub yosys: String,
    /// The version of nextpnr.
    pub nextpnr: String,
    /// Look-up tables with four inputs, those included that are memory.
    pub luts: u64,
    /// Flip-flops.
    pub flip_flops: u64,
    /// Block RAMs (iCE40 4 kbit, ECP5 18 kbit).
    pub block_rams: u64,
    /// Look-up tables that are memory.
    pub distributed_ram_luts: u64,
    /// The fastest clock after routing, the module's pins at registers, the best of the seeds; nothing where
    /// the design does not fit the device, or no place in it is found.
    pub fmax_mhz: Option<f64>,
    /// Why there is no clock: what the device has too little of, or that time ran out.
    pub not_placed: Option<String>,
    /// True if there is no clock because time ran out. Such a result is not kept.
    #[serde(skip)]
    pub timed_out: bool,
}
