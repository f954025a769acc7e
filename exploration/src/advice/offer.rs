//! A design with all that it costs.

use std::path::PathBuf;

use tracewright_sim::encode::dynamics::BURST_CYCLES;
use tracewright_sim::event_limit::EventLimit;
use tracewright_sim::parameter::Value;
use tracewright_sim::scheme::Design;
use tracewright_verification::Progress;
use tracewright_verification::measurement::{Measured, measure};

use super::choice::{By, Memories};
use super::survey::{Finalist, STANDARD};
use crate::error::Result;
use crate::store::Figures;

/// Of the windows in which bursts are looked for, the one of 4,096 cycles.
const WINDOW: usize = 2;

/// The gates of a design, in gate equivalents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gates {
    /// With memories at some gate equivalents per bit.
    pub dense: f64,
    /// With memories made of flip-flops.
    pub flip_flops: f64,
}

/// The load of a design's output, at one instruction per cycle: the worst of the traces.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Load {
    /// Bits that the output FIFO has to hold so that nothing stalls.
    pub needed_bits: u64,
    /// Cycles in which the processor waits, of the trace that has the most of them for its length.
    pub stall_cycles: u64,
    /// The share of these cycles in all cycles of that trace.
    pub stall_share: f64,
    /// The most bits per cycle in a window of [`Load::WINDOW_CYCLES`].
    pub worst_bits_per_cycle: f64,
}

impl Load {
    /// Cycles of the window of the worst burst.
    pub const WINDOW_CYCLES: u64 = BURST_CYCLES[WINDOW];

    fn of(measured: &[Measured]) -> Self {
        let share = |one: &Measured| {
            let cycles = one.stall_cycles.saturating_add(one.instructions).max(1);
            one.stall_cycles as f64 / cycles as f64
        };
        let by_share = |one: &&Measured, other: &&Measured| share(one).total_cmp(&share(other));
        let worst = measured.iter().max_by(by_share);
        let bursts = measured.iter().map(|one| one.dynamics.worst_bits_per_cycle()[WINDOW]);
        Load {
            needed_bits: measured.iter().map(|one| one.fifo_needed_bits).max().unwrap_or(0),
            stall_cycles: worst.map_or(0, |one| one.stall_cycles),
            stall_share: worst.map_or(0.0, share),
            worst_bits_per_cycle: bursts.fold(0.0, f64::max),
        }
    }
}

/// A design with its bits and its gates.
#[derive(Clone, Debug)]
pub struct Offer {
    /// The design.
    pub design: Design,
    /// The candidate that it is, or is a neighbour of.
    pub of: Design,
    /// Its bits on every trace, in their order.
    pub by_trace: Vec<Figures>,
    /// What it costs.
    pub gates: Gates,
    /// The papers' estimate.
    pub estimated_gates: u32,
    /// The load of its output.
    pub load: Load,
}

/// The finalists with their gates and, measured once more, the load of their outputs.
///
/// # Errors
/// When a trace is bad.
pub fn offers(
    finalists: Vec<Finalist>,
    gates: &[Gates],
    traces: &[PathBuf],
    limit: EventLimit,
    progress: &Progress,
) -> Result<Vec<Offer>> {
    let designs: Vec<Design> = finalists.iter().map(|one| one.design.clone()).collect();
    let measured = measure(&designs, traces, limit, progress)?;
    let loads = measured.chunks(traces.len().max(1)).map(Load::of);
    let all = finalists.into_iter().zip(gates).zip(loads);
    let offer = |((finalist, gates), load): ((Finalist, &Gates), Load)| Offer {
        design: finalist.design,
        of: finalist.of,
        by_trace: finalist.row.by_trace,
        gates: *gates,
        estimated_gates: finalist.row.gates,
        load,
    };
    let mut offers: Vec<Offer> = all.map(offer).collect();
    offers.sort_by(|one, other| {
        let gates = one.gates.dense.total_cmp(&other.gates.dense);
        gates.then_with(|| one.design.name.cmp(&other.design.name))
    });
    Ok(offers)
}

impl Offer {
    /// True for a neighbour of a candidate.
    pub fn is_neighbour(&self) -> bool {
        self.design.name != self.of.name
    }

    /// True if decoders of a standard read its traces.
    pub fn is_standard(&self) -> bool {
        self.design.scheme.name() == STANDARD
    }

    /// Its gate equivalents.
    pub fn ge(&self, memories: Memories) -> f64 {
        match memories {
            Memories::Dense => self.gates.dense,
            Memories::FlipFlops => self.gates.flip_flops,
        }
    }

    /// Bits per instruction of all traces together.
    pub fn total_bits(&self) -> f64 {
        By::Total.bits(&self.by_trace, None)
    }

    /// Bits per instruction of the trace that has the most.
    pub fn worst_bits(&self) -> f64 {
        By::Worst.bits(&self.by_trace, None)
    }

    /// The number of the trace that has the most bits per instruction.
    pub fn worst_trace(&self) -> usize {
        let bits = |trace: &usize| self.by_trace[*trace].bits_per_instruction();
        let traces = (0..self.by_trace.len()).rev();
        traces.max_by(|one, other| bits(one).total_cmp(&bits(other))).unwrap_or(0)
    }

    /// The preset that it begins with, with true, or the scheme whose defaults it begins with, with false.
    ///
    /// # Errors
    /// Never with designs of this version.
    pub fn base(&self) -> Result<(Design, bool)> {
        match Design::preset(&self.of.name) {
            Ok(preset) if preset.scheme.name() == self.design.scheme.name() => Ok((preset, true)),
            _ => Ok((Design::of_scheme(&self.of.name, self.design.scheme.name())?, false)),
        }
    }

    /// The parameters that differ from its base.
    ///
    /// # Errors
    /// Never with designs of this version.
    pub fn parameters(&self) -> Result<Vec<(&'static str, Value)>> {
        let before = self.base()?.0.values();
        let pairs = self.design.values().into_iter();
        Ok(pairs.filter(|pair| !before.contains(pair)).collect())
    }

    /// The design as a TOML file that `generate` takes.
    ///
    /// # Errors
    /// Never with designs of this version.
    pub fn toml(&self) -> Result<String> {
        let (base, is_preset) = self.base()?;
        let mut toml = match is_preset {
            true => format!("preset = \"{}\"\n", base.name),
            false => format!("scheme = \"{}\"\n", base.scheme.name()),
        };
        toml += &format!("name = \"{}\"\n", self.design.name);
        for (name, value) in self.parameters()? {
            toml += &match value {
                Value::Word(word) => format!("{name} = \"{word}\"\n"),
                other => format!("{name} = {other}\n"),
            };
        }
        Ok(toml)
    }
}
