//! One design on one trace: hardware against model, then decoded trace against trace.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use tracewright_hdl::Generated;
use tracewright_sim::encode::bit_packer::{BitPacker, BitUnpacker};
use tracewright_sim::event::Event;
use tracewright_sim::field::Account;
use tracewright_sim::scheme::{self, Design, Encoder};
use tracewright_testbench::cosim::{self, AnyError, Failure, Report};
use tracewright_testbench::stimulus::Stimulus;
use tracewright_testbench::{BuildOptions, design as models};

use super::events::Learned;
use super::progress::Progress;
use super::source::{Events, Source};

/// Clocks before a failure that are written as waves.
const WAVE_CYCLES: u64 = 1000;

/// Events after which the progress moves.
const PROGRESS_EVENTS: u64 = 1 << 16;

/// How to co-simulate.
#[derive(Clone, Debug)]
pub struct Setup<'a> {
    /// What the hardware is shown.
    pub stimulus: Stimulus,
    /// Where to write waves after a failure.
    pub waves: Option<&'a Path>,
    /// The folder of generated folders to take the Verilog from, instead of generating it.
    pub verilog: Option<&'a Path>,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Cosimulated {
    /// What the testbench found.
    pub report: Report,
    /// Its failure in the terms of the trace.
    pub failure: Option<String>,
    /// Bits of the model's trace, padding not counted.
    pub bits: u64,
    /// True if the model's trace decodes to the input.
    pub decoded_equal: bool,
}

/// Co-simulates `design`, which is for the machine of the trace.
///
/// # Errors
/// When a tool is missing or the trace is bad; a difference is not an error.
pub fn cosimulate(
    setup: &Setup<'_>,
    design: &Design,
    source: &Source,
    learned: &Arc<Learned>,
    progress: &Progress,
) -> Result<Cosimulated> {
    let build = BuildOptions { waves: setup.waves.is_some(), ..BuildOptions::default() };
    let library = models::source(&verilog(setup, design)?).build(&build)?;
    let options = cosim::Options { stimulus: setup.stimulus.clone(), ..cosim::Options::default() };
    let start = || {
        Ok::<_, anyhow::Error>((Encoder::new(design)?, watched(source.events(learned)?, progress)))
    };
    let report = match setup.waves {
        None => {
            let (encoder, events) = start()?;
            cosim::run(&library, encoder, events, &options)?
        }
        Some(path) => {
            let make =
                || start().map_err(|error| tracewright_testbench::Error::Events(error.into()));
            cosim::run_with_waves(&library, make, &options, path.into(), WAVE_CYCLES)?
        }
    };
    let failure = match &report.failure {
        None => None,
        Some(failure) => Some(describe(setup, failure, design, source, learned)?),
    };
    let (bits, decoded_equal) = decode(design, source, learned)?;
    Ok(Cosimulated { report, failure, bits, decoded_equal })
}

/// The design's Verilog, generated or from a folder.
fn verilog(setup: &Setup<'_>, design: &Design) -> Result<Generated> {
    let mut generated = tracewright_hdl::generate(design)?;
    if let Some(folder) = setup.verilog {
        for (name, text) in &mut generated.files {
            let path = folder.join(&design.name).join(&*name);
            *text = fs::read_to_string(&path)
                .with_context(|| format!("cannot read {}", path.display()))?;
        }
    }
    Ok(generated)
}

/// The events, with the progress of going through them.
fn watched(events: Events, progress: &Progress) -> Events {
    let (progress, mut count) = (progress.clone(), 0u64);
    Box::new(events.inspect(move |_| {
        count += 1;
        if count.is_multiple_of(PROGRESS_EVENTS) {
            progress.add(PROGRESS_EVENTS);
        }
    }))
}

/// The failure in the terms of the trace.
fn describe(
    setup: &Setup<'_>,
    failure: &Failure,
    design: &Design,
    source: &Source,
    learned: &Arc<Learned>,
) -> Result<String> {
    let Failure::Mismatch(mismatch) = failure else {
        return Ok(failure.to_string());
    };
    let explanation =
        models::explain(design, source.events(learned)?, setup.stimulus.flush_interval, mismatch)?;
    Ok(format!("clock {}, trace bit {}: {explanation}", mismatch.cycle, mismatch.bit))
}

/// Bits of the model's trace, and whether they decode to the input.
fn decode(design: &Design, source: &Source, learned: &Arc<Learned>) -> Result<(u64, bool)> {
    let mut encoder = Encoder::new(design)?;
    let mut sink = (BitPacker::new(), Account::default());
    for event in source.events(learned)? {
        encoder.event(&event.map_err(unboxed)?, &mut sink)?;
    }
    encoder.flush(&mut sink);
    let (packer, account) = sink;
    let bytes = packer.finish();
    let mut expected = source.events(learned)?;
    let mut equal = true;
    let emit = |event: Event| {
        let wanted = expected.next().transpose().map_err(unboxed)?;
        // A trace knows the lengths of calls only.
        let comparable =
            |event: Event| Event { length: if event.call { event.length } else { 0 }, ..event };
        equal &= wanted.map(comparable) == Some(comparable(event));
        Ok::<(), anyhow::Error>(())
    };
    let mut bits = BitUnpacker::new(bytes.as_slice());
    scheme::decode(design, &learned.program, &mut bits, learned.instructions, emit)?;
    Ok((account.bits, equal && expected.next().is_none()))
}

fn unboxed(error: AnyError) -> anyhow::Error {
    anyhow!(error)
}
