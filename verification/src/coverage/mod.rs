//! Coverage of the Verilog: designs of every scheme, co-simulated by models that record coverage.

mod designs;
mod expected;

use std::collections::BTreeMap;

use rayon::prelude::*;
use tracewright_hdl::Generated;
use tracewright_interrupt::Temporary;
use tracewright_sim::config::CallLength;
use tracewright_sim::event::{Isa, Machine};
use tracewright_sim::scheme::{Design, Scheme};
use tracewright_sim::synthetic::Options;
use tracewright_testbench::coverage::{Coverage, Kind, Point, Summary};
use tracewright_testbench::stimulus::{Pace, Ready, Stimulus};

use crate::cosimulation::{Cosimulated, Setup, cosimulate};
use crate::error::{Error, Result};
use crate::progress::Progress;
use crate::source::{Source, Workload};

use designs::DESIGNS;
pub use expected::{Expected, Shortfall};

/// Events of a synthetic program for a design; models that record coverage are slow.
fn events(design: &Design) -> u64 {
    match design.scheme {
        Scheme::DataStride(_) | Scheme::TalonData(_) => 100,
        // An exception at the target of a jump, of which no instruction has retired, is rare.
        Scheme::ETrace(_) => 15_000,
        _ => 1_500,
    }
}

/// The coverage of all designs together.
#[derive(Debug, Default)]
pub struct Measured {
    /// By the kind of module.
    pub modules: BTreeMap<String, Summary>,
    /// Branches that were never taken, with the number of copies of each.
    pub untaken: BTreeMap<Side, u64>,
}

/// One side of a branch in the Verilog.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Side {
    /// The kind of module.
    pub module: String,
    /// The line of Verilog with the condition.
    pub code: String,
    /// `if` or `else`.
    pub side: String,
}

/// The number of designs whose coverage is measured.
pub const fn designs() -> u64 {
    DESIGNS.len() as u64
}

/// Runs every design of E-Trace on `programs` synthetic programs, and the others on half as many. Without `toggles`, for
/// which most of the time goes, lines and branches are counted. `progress` is in runs, [`designs`] for each program.
///
/// # Errors
/// When a tool is missing, or a run fails.
pub fn measure(programs: u64, toggles: bool, progress: &Progress) -> Result<Measured> {
    let each: Vec<(Generated, Coverage)> = DESIGNS
        .par_iter()
        .map(|(preset, changes)| {
            let mut design = Design::preset(preset)?;
            for (name, value) in *changes {
                design.set(name, value)?;
            }
            let generated = tracewright_hdl::generate(&design)?;
            Ok((generated, run(&design, programs, toggles, progress)?))
        })
        .collect::<Result<_>>()?;
    let mut measured = Measured::default();
    for (generated, coverage) in &each {
        measured.add(generated, coverage);
    }
    Ok(measured)
}

impl Measured {
    /// Adds the coverage of one design.
    fn add(&mut self, generated: &Generated, coverage: &Coverage) {
        for (module, summary) in coverage.modules() {
            let total = self.modules.entry(kind_of_module(&generated.top, module)).or_default();
            total.lines.add(summary.lines);
            total.branches.add(summary.branches);
            total.toggles.add(summary.toggles);
        }
        for (point, count) in coverage.points() {
            if point.kind == Kind::Branch && count == 0 {
                *self.untaken.entry(side(generated, point)).or_default() += 1;
            }
        }
    }
}

/// Co-simulates a design on every program and adds up the coverage.
fn run(design: &Design, programs: u64, toggles: bool, progress: &Progress) -> Result<Coverage> {
    let folder = Temporary::folder().map_err(Error::Temporary)?;
    let path = folder.path().join("coverage.dat");
    let mut coverage = Coverage::default();
    // What is rare in E-Trace needs them all.
    let needed = match design.scheme {
        Scheme::ETrace(_) => programs,
        _ => programs.div_ceil(2),
    };
    progress.add(programs - needed);
    for seed in 0..needed {
        let workload = program(seed, design)?;
        let stimulus = stimulus(seed, design);
        let setup = Setup { stimulus, coverage: Some(&path), toggles, ..Setup::default() };
        let Cosimulated { failure, .. } =
            cosimulate(&setup, design, &workload, &Progress::silent())
                .map_err(Error::of_run(&design.name, workload.name()))?;
        if let Some(failure) = failure {
            let (design, trace) = (design.name.clone(), workload.name());
            return Err(Error::Failed { design, trace, failure });
        }
        coverage.add(&path)?;
        progress.add(1);
    }
    Ok(coverage)
}

/// Every combination of stalls, gaps and flushes in turn.
fn stimulus(seed: u64, design: &Design) -> Stimulus {
    Stimulus {
        seed,
        // Long programs take many cycles by single instructions, and cover no more.
        pace: if seed % 3 == 2 && seed < 6 { Pace::OneInstructionPerCycle } else { Pace::Dense },
        ready: [Ready::Random, Ready::Bursts, Ready::Always][seed as usize % 3],
        bubble_percent: [0, 20, 60][(seed / 2) as usize % 3],
        flush_interval: (seed % 2 == 1).then_some(100),
        sync_requests: seed % 3 == 1,
        instruction_bytes: 1 << design.processor().alignment,
        every_length: design.reads_lengths(),
        call_length: CallLength::of(design.processor()),
        ..Stimulus::default()
    }
}

/// A program for the machine of the design, whose code can be at any of its addresses.
fn program(seed: u64, design: &Design) -> Result<Workload> {
    let chosen = Options::from_seed(seed);
    let code_base = [0, 0x1_0000, 0x0804_8000, 0x7fff_f000, 0xa000_0000, 0xfff0_0000];
    let code_base: u64 = code_base[seed as usize % code_base.len()];
    let options = Options {
        machine: Machine { isa: Isa::Arm, alignment: 2, address_bits: 32 },
        events: events(design),
        predicated: true,
        code_base,
        code_span: chosen.code_span.min(u64::from(u32::MAX) - code_base),
        data_accesses: if design.traces_data() { [60, 15, 30][seed as usize % 3] } else { 0 },
        ..chosen
    };
    Source::Synthetic(Box::new(options)).for_cores(design.cores()).learn(&Progress::silent())
}

/// The kind of a module: `traptor_m4_fifo_depth2_width65` of `traptor_m4` is a `fifo`; the top itself is the `top`.
pub fn kind_of_module(top: &str, module: &str) -> String {
    let Some(rest) = module.strip_prefix(top).and_then(|rest| rest.strip_prefix('_')) else {
        return "top".into();
    };
    let is_parameter = |word: &&str| word.ends_with(|last: char| last.is_ascii_digit());
    rest.split('_').take_while(|word| !is_parameter(word)).collect::<Vec<_>>().join("_")
}

fn side(generated: &Generated, point: &Point) -> Side {
    let file = format!("{}.v", point.module);
    let text = generated.files.iter().find(|(name, _)| *name == file).map(|(_, text)| text);
    let line = text.and_then(|text| text.lines().nth(point.line as usize - 1)).unwrap_or_default();
    Side {
        module: kind_of_module(&generated.top, &point.module),
        code: line.trim().into(),
        side: point.what.clone(),
    }
}
