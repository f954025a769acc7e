//! What traces are of, and which designs can trace it.

use std::path::PathBuf;

use rayon::prelude::*;
use tracewright_sim::event::{Isa, Item, Machine};
use tracewright_sim::event_limit::EventLimit;
use tracewright_sim::preset;
use tracewright_sim::scheme::Design;
use tracewright_verification::trace;
use tracewright_verification::{Error as Unfit, Progress};

use crate::error::{Error, Result};

/// The numbers of cores that presets are for.
const CORES: [u32; 4] = [1, 2, 4, 8];

/// What some traces are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subject {
    /// The processor of the trace with the finest alignment.
    pub machine: Machine,
    /// True if every trace is of RISC-V.
    pub is_riscv: bool,
    /// The cores of the presets that can trace every thread.
    pub cores: u32,
    /// True if a trace has memory accesses.
    pub has_data: bool,
}

impl Subject {
    /// Reads the traces once. `progress` is in bytes.
    ///
    /// # Errors
    /// When there is no trace, one cannot be read, or one has no instruction.
    pub fn of(traces: &[PathBuf], limit: EventLimit, progress: &Progress) -> Result<Self> {
        let of_trace = |path: &PathBuf| {
            let mut reader = trace::open(path, limit, progress)?;
            let mut threads = 0;
            while let Some(item) = reader.next_item()? {
                if let Item::Event(event) = item {
                    threads = threads.max(u32::from(event.thread) + 1);
                }
            }
            if reader.instructions() == 0 {
                return Err(Error::Empty(path.clone()));
            }
            let machine = reader.machine();
            let cores = CORES.into_iter().find(|cores| *cores >= threads).unwrap_or(threads);
            Ok(Subject {
                machine,
                is_riscv: machine.isa == Isa::RiscV,
                cores,
                has_data: reader.accesses() > 0,
            })
        };
        let each: Vec<Subject> = traces.par_iter().map(of_trace).collect::<Result<_>>()?;
        each.into_iter().reduce(Self::and).ok_or(Error::NoTraces)
    }

    fn and(self, other: Self) -> Self {
        let is_finer = other.machine.alignment < self.machine.alignment;
        Self {
            machine: if is_finer { other.machine } else { self.machine },
            is_riscv: self.is_riscv && other.is_riscv,
            cores: self.cores.max(other.cores),
            has_data: self.has_data || other.has_data,
        }
    }

    /// The presets that trace this control flow: for the number of cores, without those for FPGAs, and E-Trace for
    /// RISC-V alone. N-Trace takes the gates of E-Trace and more bits.
    pub fn designs(&self) -> Vec<Design> {
        let several = ["mctraptor-", "nexus-"];
        let is_usual = |name: &str| {
            let is_of_several = several.iter().any(|beginning| name.starts_with(beginning));
            !name.ends_with("-fpga")
                && !name.ends_with("-timed")
                && is_of_several == (self.cores > 1)
                && (self.is_riscv || !name.starts_with("etrace-"))
                && !name.starts_with("ntrace-")
        };
        let names = preset::all().map(|preset| preset.name).filter(|name| is_usual(name));
        let designs = names.filter_map(|name| Design::preset(name).ok());
        designs.filter(|design| design.cores() == self.cores && !design.traces_data()).collect()
    }

    /// The design as one piece of hardware for all traces, whose parameters say what it took from them: its alignment,
    /// address width and elided upper bits are set.
    ///
    /// # Errors
    /// When an alignment was set that is too coarse for the traces.
    pub fn pinned(&self, design: &Design) -> Result<Design> {
        let fitted = design
            .for_machine(self.machine)
            .map_err(|source| Unfit::Machine { design: design.name.clone(), source })?;
        let mut pinned = fitted.clone();
        for name in ["alignment", "address_width", "elided_upper_bits"] {
            let value = fitted.values().into_iter().find(|(other, _)| *other == name);
            value.map_or(Ok(()), |(_, value)| pinned.set(name, &value.to_string()))?;
        }
        pinned.validate()?;
        Ok(pinned)
    }

    /// Checks that a design traces what the traces are of.
    ///
    /// # Errors
    /// When it traces memory accesses, or fewer cores than there are threads.
    pub fn check(&self, design: &Design) -> Result<()> {
        if design.traces_data() {
            return Err(Error::TracesData { design: design.name.clone() });
        }
        match design.cores() < self.cores {
            true => Err(Error::Cores {
                design: design.name.clone(),
                has: design.cores(),
                needed: self.cores,
            }),
            false => Ok(()),
        }
    }
}
