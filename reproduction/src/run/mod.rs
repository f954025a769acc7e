//! Measures what the tables and figures need.

pub mod cores;
pub mod predictions;
pub mod software;
pub mod statistics;

use std::path::PathBuf;

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use tracewright_comparators::Comparator;
use tracewright_sim::event::Item;
use tracewright_sim::event_limit::EventLimit;
use tracewright_sim::scheme::{Design, DesignError, Scheme};
use tracewright_verification::Progress;
use tracewright_verification::comparison::{self, Compared, Contender};
use tracewright_verification::measurement::{Measured, measure};
use tracewright_verification::trace::{self, Addresses, Blocks};

use crate::error::{Error, Result};
use crate::program::{self, Program};
use cores::OnCores;
use predictions::Predictions;
use software::{COMPRESSORS, Software};
use statistics::Statistics;

/// What every design is measured with.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Parameters that every design takes, by name and text.
    pub parameters: Vec<(String, String)>,
    /// The addresses of all traces: no design leaves out upper bits of targets that differ.
    pub addresses: Addresses,
}

impl Settings {
    /// Sets the parameters, and fits the design to the traces.
    ///
    /// # Errors
    /// When the design does not have one, or not with that value.
    pub fn apply(&self, design: &mut Design) -> Result<(), DesignError> {
        self.parameters.iter().try_for_each(|(name, value)| design.set(name, value))?;
        *design = self.addresses.keep_targets(design.clone());
        Ok(())
    }

    /// Bits of an address in the formats of comparators: those of a design with these parameters.
    fn address_width(&self) -> Result<u32> {
        let mut design = Design::preset("nexs")?;
        self.apply(&mut design)?;
        Ok(design.processor().address_width)
    }
}

/// What the tables and figures need to be measured.
#[derive(Clone, Debug, Default)]
pub struct Needs {
    designs: Vec<Design>,
    comparators: Vec<&'static str>,
    /// Streams, and branches by kind.
    pub statistics: bool,
    /// T-raptor's predictors in the configurations of paper C.
    pub predictions: bool,
    /// Compressors on the addresses of instructions.
    pub instruction_software: bool,
    /// Compressors on the addresses of data.
    pub data_software: bool,
    /// The programs on several cores.
    pub cores: bool,
}

impl Needs {
    /// A design that is measured, under this name.
    ///
    /// # Errors
    /// When the preset does not exist or a parameter is illegal.
    pub fn design(&mut self, name: &str, preset: &str, settings: &[(&str, &str)]) -> Result<()> {
        if self.designs.iter().any(|design| design.name == name) {
            return Ok(());
        }
        let mut design = Design::preset(preset)?.renamed(name)?;
        settings.iter().try_for_each(|(parameter, value)| design.set(parameter, value))?;
        self.designs.push(design);
        Ok(())
    }

    /// A comparator that is measured.
    pub fn comparator(&mut self, name: &'static str) {
        if !self.comparators.contains(&name) {
            self.comparators.push(name);
        }
    }

    /// One design or more of those that follow the regions of a program's code, as they are measured.
    ///
    /// # Errors
    /// When a preset does not exist or cannot have the parameters.
    pub(crate) fn eliding(&self, settings: &Settings) -> Result<Vec<Design>> {
        let mut designs = self.designs.clone();
        if self.predictions {
            designs.extend(
                paper_c_presets()
                    .map(|name| Design::preset(&name))
                    .collect::<Result<Vec<_>, _>>()?,
            );
        }
        if self.cores {
            designs.push(Design::preset("mctraptor-large-n1")?);
        }
        designs.retain(|design| design.elided_upper_bits().is_some());
        designs.iter_mut().try_for_each(|design| settings.apply(design))?;
        Ok(designs)
    }

    fn reads_traces(&self) -> bool {
        self.statistics || self.predictions || self.instruction_software || self.data_software
    }

    /// How often the traces are read; the bar of a command counts so many times their bytes.
    pub fn passes(&self) -> u64 {
        let measured = if self.designs.is_empty() { 0 } else { 2 };
        let compared = if self.comparators.is_empty() { 0 } else { 2 };
        let cores = if self.cores { 1 + cores::CORES.len() as u64 } else { 0 };
        measured + compared + u64::from(self.reads_traces()) + cores
    }
}

/// What a pass over a trace finds.
#[derive(Clone, Debug)]
pub struct Pass {
    /// Streams, and branches by kind.
    pub statistics: Statistics,
    /// The predictors of paper C's configurations, by preset.
    pub predictions: Vec<(String, Predictions)>,
    /// Compression ratios of [`COMPRESSORS`] on the addresses of instructions.
    pub instruction_software: Option<[f64; COMPRESSORS.len()]>,
    /// Compression ratios of [`COMPRESSORS`] on the addresses of data.
    pub data_software: Option<[f64; COMPRESSORS.len()]>,
}

/// Everything that was measured.
#[derive(Clone, Debug)]
pub struct Results {
    /// The programs, in the order of the traces.
    pub programs: Vec<Program>,
    measured: FxHashMap<String, Vec<Measured>>,
    compared: FxHashMap<String, Vec<Compared>>,
    /// What a pass over each trace found; empty if nothing needed it.
    pub passes: Vec<Pass>,
    /// Every program on 1, 2, 4 and 8 cores; empty if nothing needed it.
    pub cores: Vec<Vec<OnCores>>,
}

impl Results {
    /// Measures what is needed.
    ///
    /// # Errors
    /// When a trace is bad or a design cannot trace it.
    pub fn measure(
        needs: Needs,
        settings: &Settings,
        traces: &[PathBuf],
        limit: EventLimit,
        progress: &Progress,
    ) -> Result<Results> {
        let programs = program::all(traces);
        let reads_traces = needs.reads_traces();
        let Needs { mut designs, predictions, cores, .. } = needs.clone();
        designs.iter_mut().try_for_each(|design| settings.apply(design))?;
        let mut measured = FxHashMap::default();
        if !designs.is_empty() {
            let all = measure(&designs, traces, limit, progress)?;
            for (design, of_design) in designs.iter().zip(all.chunks(traces.len().max(1))) {
                measured.insert(design.name.clone(), of_design.to_vec());
            }
        }
        let mut compared = FxHashMap::default();
        if !needs.comparators.is_empty() {
            let named = |name: &&str| Comparator::named(name).map(Contender::Comparator);
            let contenders = needs.comparators.iter().map(named).collect::<Result<Vec<_>, _>>()?;
            let width = settings.address_width()?;
            let all = comparison::compare(&contenders, traces, width, limit, progress)?;
            for one in all.chunks(traces.len().max(1)) {
                compared.insert(one[0].name.clone(), one.to_vec());
            }
        }
        let configured = match predictions {
            true => paper_c_configurations(settings)?,
            false => Vec::new(),
        };
        let passes = match reads_traces {
            true => programs
                .par_iter()
                .map(|program| pass(program, &needs, &configured, limit, progress))
                .collect::<Result<_>>()?,
            false => Vec::new(),
        };
        let cores = match cores {
            true => programs
                .iter()
                .map(|program| cores::run(program, settings, limit, progress))
                .collect::<Result<_>>()?,
            false => Vec::new(),
        };
        Ok(Results { programs, measured, compared, passes, cores })
    }

    /// A design on a program.
    pub fn measured(&self, design: &str, program: usize) -> Option<&Measured> {
        self.measured.get(design)?.get(program)
    }

    /// Bits per instruction of a design or comparator on a program; `None` if it cannot trace it.
    pub fn bits_per_instruction(&self, name: &str, program: usize) -> Option<f64> {
        match self.compared.get(name) {
            Some(compared) => compared.get(program)?.bits_per_instruction,
            None => Some(self.measured(name, program)?.bits_per_instruction),
        }
    }

    /// Instructions of a program that was measured or compared.
    pub fn instructions(&self, program: usize) -> Option<u64> {
        let measured = self.measured.values().filter_map(|all| all.get(program));
        let compared = self.compared.values().filter_map(|all| all.get(program));
        let instructions = measured.map(|one| one.instructions);
        instructions.chain(compared.map(|one| one.instructions)).next()
    }

    /// A design on all programs.
    pub fn all_measured(&self, design: &str) -> &[Measured] {
        self.measured.get(design).map_or(&[], Vec::as_slice)
    }
}

/// The names of T-raptor's configurations in paper C.
pub fn paper_c_presets() -> impl Iterator<Item = String> {
    let sizes = ["s", "m", "b"].into_iter();
    sizes.flat_map(|size| (0..=4).map(move |targets| format!("traptor-{size}{targets}")))
}

fn paper_c_configurations(settings: &Settings) -> Result<Vec<Design>> {
    let design = |name: String| {
        let mut design = Design::preset(&name)?;
        settings.apply(&mut design)?;
        Ok(design)
    };
    paper_c_presets().map(design).collect()
}

/// Reads a trace once.
fn pass(
    program: &Program,
    needs: &Needs,
    configurations: &[Design],
    limit: EventLimit,
    progress: &Progress,
) -> Result<Pass> {
    let open = || trace::open(&program.trace, limit, progress).map_err(Error::from);
    let (calls, reader) = trace::open_for_encoding(&program.trace, &Progress::silent(), open)?;
    let machine = reader.machine();
    let mut predictions = Vec::new();
    for design in configurations {
        let design = trace::design_for(design, machine)?;
        if let Scheme::Traptor(config) = &design.scheme {
            predictions.push((design.name.clone(), Predictions::new(config)));
        }
    }
    let mut statistics = Statistics::new();
    let mut instruction_software = needs.instruction_software.then(Software::new);
    let mut data_software = needs.data_software.then(Software::new);
    let mut blocks = Blocks::prepared(reader, calls);
    while let Some(block) = blocks.next_block()? {
        for item in block {
            match item {
                Item::Event(event) => {
                    statistics.event(event);
                    predictions.iter_mut().for_each(|(_, predictions)| predictions.event(event));
                    let software = instruction_software.as_mut().filter(|one| !one.is_full());
                    if let Some(software) = software {
                        software::instruction_addresses(event, machine)
                            .try_for_each(|address| software.address(address))?;
                    }
                }
                Item::State(_) | Item::Cycles(_) => {}
                Item::Access(access) => {
                    if let Some(software) = &mut data_software {
                        software.address(access.address)?;
                    }
                }
            }
        }
    }
    let finish = |software: Option<Software>| match software {
        Some(software) => software.finish(),
        None => Ok(None),
    };
    Ok(Pass {
        statistics,
        predictions,
        instruction_software: finish(instruction_software)?,
        data_software: finish(data_software)?,
    })
}
