//! The list of runs of the regression.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use tracewright_sim::config::CallLength;
use tracewright_sim::event::Machine;
use tracewright_sim::event_limit::EventLimit;
use tracewright_sim::preset;
use tracewright_sim::scheme::{Design, Scheme};
use tracewright_sim::synthetic::Options;
use tracewright_testbench::stimulus::{Pace, Ready, Stimulus};

use super::packets::packets;
use super::sinks::sinks;
use super::{Run, Subject};
use crate::error::{Error, Result};
use crate::progress::Progress;
use crate::source::{Source, Workload};
use crate::trace;

/// Events of one synthetic program.
pub(super) const SYNTHETIC_EVENTS: u64 = 3_000;

/// Percentages of instructions that access memory, one for each program in turn.
const DATA_ACCESSES: [u8; 4] = [5, 15, 30, 60];

/// Events of a workload in the quick regression.
pub(super) const QUICK_EVENTS: u64 = 20_000;

/// The most synthetic programs, and the most random designs of a scheme, in the quick regression.
const QUICK_COUNTS: (u64, u64) = (6, 1);

/// Synthetic programs that every random design runs.
pub(super) const PROGRAMS_PER_DESIGN: usize = 3;

/// The size of the regression.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// Synthetic programs that every preset runs.
    pub synthetic: u64,
    /// Random designs of every scheme, on three synthetic programs each.
    pub random: u64,
    /// A part that takes about a minute: every preset on the beginning of one workload, a random design of every
    /// scheme, and a few with packets or sinks.
    pub quick: bool,
    /// Only designs whose traces are made of packets, and sinks.
    pub packets_only: bool,
}

impl Extent {
    pub(super) fn synthetic(&self) -> u64 {
        if self.quick { self.synthetic.min(QUICK_COUNTS.0) } else { self.synthetic }
    }

    fn random(&self) -> u64 {
        if self.quick { self.random.min(QUICK_COUNTS.1) } else { self.random }
    }
}

/// Every run in the order of the summary: presets on the traces in `folder` and on synthetic programs, then random
/// designs, then designs with packets, then sinks.
///
/// # Errors
/// When the folder has no traces, or one of them is bad.
pub fn plan(folder: &Path, extent: &Extent) -> Result<Vec<Run>> {
    let mut runs = Vec::new();
    if !extent.packets_only {
        runs.extend(presets(folder, extent)?);
        runs.extend(random_designs(extent)?);
    }
    runs.extend(packets(extent)?);
    runs.extend(sinks(extent)?);
    Ok(runs)
}

fn presets(folder: &Path, extent: &Extent) -> Result<Vec<Run>> {
    let presets = preset::all().map(|preset| Design::preset(preset.name));
    let presets: Vec<Design> = presets.collect::<Result<_, _>>()?;
    let first = extent.quick.then_some(QUICK_EVENTS);
    let limit = EventLimit::default();
    let mut sources: Vec<Source> =
        traces(folder)?.into_iter().map(|path| Source::trace(path, first, limit)).collect();
    let cores: BTreeSet<u32> = presets.iter().map(Design::cores).collect();
    let programs =
        cores.iter().flat_map(|cores| (0..extent.synthetic()).map(|seed| program(seed, *cores)));
    sources.extend(programs);
    let workloads = learn(sources)?;

    let mut runs = Vec::new();
    for preset in &presets {
        for (seed, workload) in workloads_of(preset, &workloads, extent, runs.len()) {
            let design = fit(preset, workload.machine())?;
            let stimulus = stimulus(seed, &design);
            let group = preset.name.clone();
            runs.push(Run {
                group,
                design,
                workload: workload.clone(),
                stimulus,
                subject: Subject::Design,
            });
        }
    }
    Ok(runs)
}

/// The workloads that a preset runs, with the seed of each. In the quick regression it is one, because each kind of
/// machine needs a model, and `turn` gives presets different ones.
fn workloads_of<'a>(
    preset: &Design,
    workloads: &'a [Workload],
    extent: &Extent,
    turn: usize,
) -> impl Iterator<Item = (u64, &'a Workload)> + use<'a> {
    let fits = |workload: &&Workload| {
        workload.fits(preset) && (workload.learned().accesses > 0 || !preset.traces_data())
    };
    let every: Vec<(u64, &Workload)> = (0..).zip(workloads.iter().filter(fits)).collect();
    let begin = turn % every.len().max(1);
    let count = if extent.quick { 1 } else { every.len() };
    every.into_iter().cycle().skip(begin).take(count)
}

fn random_designs(extent: &Extent) -> Result<Vec<Run>> {
    let mut sources = Vec::new();
    let mut drawn = Vec::new();
    for scheme in Scheme::all() {
        for seed in 0..extent.random() {
            // Programs for one machine: a model takes longer to build than its runs.
            let machine = Options::from_seed(first_program(seed)).machine;
            let mut generator = ChaCha8Rng::seed_from_u64(seed);
            let parameters = scheme.arbitrary(
                &mut generator,
                machine.alignment.into(),
                machine.address_bits.into(),
            );
            let design = Design::new(&format!("random-{}-{seed}", scheme.name()), parameters)?;
            let design = in_any_style(design, seed)?;
            let programs = (first_program(seed)..)
                .filter(|program| Options::from_seed(*program).machine == machine);
            for program_seed in programs.take(PROGRAMS_PER_DESIGN) {
                sources.push(program(program_seed, design.cores()));
                drawn.push((design.clone(), stimulus(generator.random(), &design)));
            }
        }
    }
    let runs = learn(sources)?.into_iter().zip(drawn).map(|(workload, (design, stimulus))| {
        let group = format!("random {}", design.scheme.name());
        Run { group, design, workload, stimulus, subject: Subject::Design }
    });
    Ok(runs.collect())
}

/// Every third design with a clock enable, every other one with its memories in modules of their own, and the rest with
/// what its scheme has of tables in memories.
pub(super) fn in_any_style(mut design: Design, seed: u64) -> Result<Design> {
    design.set("clock_enable", &seed.is_multiple_of(3).to_string())?;
    design.set("memories", if seed.is_multiple_of(2) { "wrappers" } else { "inferred" })?;
    let clears_in_background = design.protocol().clears_in_background();
    if matches!(design.scheme, Scheme::Ntuple(_)) && seed % 5 < 3 && !clears_in_background {
        design.set("tuple_search", "sequential")?;
        design.set("tuples_per_cycle", ["1", "2", "3", "4", "7", "32"][seed as usize % 6])?;
    }
    Ok(design)
}

/// The first synthetic program of a random design; it decides the machine.
pub(super) fn first_program(seed: u64) -> u64 {
    1000 + 100 * seed
}

/// The traces of a folder, in the order of their names.
pub(super) fn traces(folder: &Path) -> Result<Vec<PathBuf>> {
    let unreadable = |source| Error::Folder { path: folder.into(), source };
    let entries = folder.read_dir().map_err(unreadable)?;
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.to_string_lossy().ends_with(".pet.zst"))
        .collect();
    paths.sort();
    if paths.is_empty() {
        return Err(Error::NoTraces(folder.into()));
    }
    Ok(paths)
}

pub(super) fn program(seed: u64, cores: u32) -> Source {
    let data_accesses = DATA_ACCESSES[seed as usize % DATA_ACCESSES.len()];
    let options =
        Options { events: SYNTHETIC_EVENTS, data_accesses, ..Options::from_seed(seed).shaped() };
    Source::Synthetic(Box::new(options)).for_cores(cores)
}

pub(super) fn learn(sources: Vec<Source>) -> Result<Vec<Workload>> {
    sources.into_par_iter().map(|source| source.learn(&Progress::silent())).collect()
}

/// The design for a machine, with addresses as wide as the machine's need.
pub(super) fn fit(design: &Design, machine: Machine) -> Result<Design> {
    let mut design = design.clone();
    // The 64-bit workloads in this project have 32-bit addresses; synthetic programs use all 64 bits.
    if machine.address_bits == 64 {
        design.set("address_width", "64")?;
    }
    trace::design_for(&design, machine)
}

/// Every combination of pace, stalls and gaps in turn, and all else as it is drawn.
pub(super) fn stimulus(seed: u64, design: &Design) -> Stimulus {
    Stimulus {
        seed,
        pace: if seed % 5 == 4 { Pace::OneInstructionPerCycle } else { Pace::Dense },
        ready: [Ready::Random, Ready::Bursts, Ready::Always][seed as usize % 3],
        bubble_percent: [0, 20, 60][(seed / 3) as usize % 3],
        instruction_bytes: 1 << design.processor().alignment,
        every_length: design.reads_lengths(),
        call_length: CallLength::of(design.processor()),
        ..Stimulus::default()
    }
    .varied(seed)
}
