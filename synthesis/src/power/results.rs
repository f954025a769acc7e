//! What power estimation finds out about a design.

use serde::Serialize;

/// The power of a netlist with the activity of a simulation. Energies are in picojoules of a clock cycle.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Power {
    /// The design.
    pub design: String,
    /// The version of Yosys.
    pub yosys: String,
    /// The cell library.
    pub library: String,
    /// Its supply voltage.
    pub volts: f64,
    /// The transition time at every input, in nanoseconds.
    pub slew_ns: f64,
    /// Cells of the netlist.
    pub cells: u64,
    /// Flip-flops among them.
    pub flip_flops: u64,
    /// Those of them that are bits of memories.
    pub memory_flip_flops: u64,
    /// Clock cycles that were measured, after the warm-up.
    pub cycles: u64,
    /// Instructions that the core has retired in them.
    pub instructions: u64,
    /// Changes of nets in a cycle, that of the clock without its edges.
    pub changes_per_cycle: f64,
    /// All with a clock at every flip-flop.
    pub running: Energy,
    /// All with clock gates at the memories.
    pub gated: Energy,
    /// The same while nothing is traced.
    pub idle: Energy,
    /// While nothing is traced, with clock gates at the memories.
    pub idle_gated: Energy,
    /// What leaks, in microwatts, without clock gates.
    pub leakage_uw: f64,
    /// The same with them.
    pub gated_leakage_uw: f64,
    /// The instances with cells of their own, that with the most energy first.
    pub blocks: Vec<Block>,
    /// Buffers of the clock tree, and those of the tree with clock gates.
    pub clock_buffers: [u64; 2],
    /// The cell of the clock tree; nothing where the library has no buffer, and the tree is left out.
    pub clock_buffer: Option<String>,
    /// Clock gates of memories.
    pub clock_gates: u64,
    /// The cell of the clock gates; nothing where the library has none, and what gates take is left out.
    pub clock_gate: Option<String>,
    /// What the library does not say, so that it is not in the figures.
    pub missing: Vec<String>,
}

/// Where the energy of a cycle goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Energy {
    /// All of it.
    pub total_pj: f64,
    /// Buffers and gates in front of the clock pins.
    pub clock_tree_pj: f64,
    /// Clock pins of the flip-flops of memories.
    pub memory_clocks_pj: f64,
    /// Clock pins of other flip-flops.
    pub register_clocks_pj: f64,
    /// Flip-flops of memories without their clock pins, with the nets that they drive.
    pub memories_pj: f64,
    /// The same of other flip-flops.
    pub registers_pj: f64,
    /// All other cells, with the nets that they drive.
    pub logic_pj: f64,
}

impl Energy {
    /// What it is for, and how many picojoules of it.
    pub fn parts(&self) -> [(&'static str, f64); 6] {
        [
            ("clock tree", self.clock_tree_pj),
            ("clock pins of memories", self.memory_clocks_pj),
            ("clock pins of registers", self.register_clocks_pj),
            ("memories", self.memories_pj),
            ("registers", self.registers_pj),
            ("logic", self.logic_pj),
        ]
    }

    pub(super) fn of(parts: [f64; 6]) -> Energy {
        let [
            clock_tree_pj,
            memory_clocks_pj,
            register_clocks_pj,
            memories_pj,
            registers_pj,
            logic_pj,
        ] = parts.map(|joules| joules * 1e12);
        let total_pj = [
            clock_tree_pj,
            memory_clocks_pj,
            register_clocks_pj,
            memories_pj,
            registers_pj,
            logic_pj,
        ];
        Energy {
            total_pj: total_pj.iter().sum(),
            clock_tree_pj,
            memory_clocks_pj,
            register_clocks_pj,
            memories_pj,
            registers_pj,
            logic_pj,
        }
    }
}

/// An instance, without those in it that have cells of their own.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Block {
    /// Instance names with dots between them; nothing for the top.
    pub instance: String,
    /// Flip-flops.
    pub flip_flops: u64,
    /// With a clock at every flip-flop, without a tree.
    pub running: Energy,
    /// With clock gates at the memories, without a tree.
    pub gated: Energy,
}
