//! One design on one trace: hardware against model, then decoded trace against trace.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use tracewright_hdl::Generated;
use tracewright_sim::encode::bit_packer::{BitPacker, BitUnpacker};
use tracewright_sim::event::{Event, Item};
use tracewright_sim::field::Account;
use tracewright_sim::scheme::{self, Design, Encoder};
use tracewright_testbench::cosim::{self, AnyError, Failure, Report};
use tracewright_testbench::stimulus::Stimulus;
use tracewright_testbench::{BuildOptions, design as models};

use super::events::Learned;
use super::progress::Progress;
use super::source::{Items, Source};

/// Clocks before a failure that are written as waves.
const WAVE_CYCLES: u64 = 1000;

/// Events or accesses after which the progress moves.
const PROGRESS_ITEMS: u64 = 1 << 16;

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
        let items = source.items(learned, design.traces_data())?;
        Ok::<_, anyhow::Error>((Encoder::new(design)?, watched(items, progress)))
    };
    let report = match setup.waves {
        None => {
            let (encoder, items) = start()?;
            cosim::run(&library, encoder, items, &options)?
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

/// The items, with the progress of going through them.
fn watched(items: Items, progress: &Progress) -> Items {
    let (progress, mut count) = (progress.clone(), 0u64);
    Box::new(items.inspect(move |_| {
        count += 1;
        if count.is_multiple_of(PROGRESS_ITEMS) {
            progress.add(PROGRESS_ITEMS);
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
    let items = source.items(learned, design.traces_data())?;
    let explanation = models::explain(design, items, setup.stimulus.flush_interval, mismatch)?;
    Ok(format!("clock {}, trace bit {}: {explanation}", mismatch.cycle, mismatch.bit))
}

/// Bits of the model's trace, and whether they decode to the input.
fn decode(design: &Design, source: &Source, learned: &Arc<Learned>) -> Result<(u64, bool)> {
    let data = design.traces_data();
    let items = || Ok::<_, anyhow::Error>(source.items(learned, data)?.map(unboxed));
    let mut encoder = Encoder::new(design)?;
    let mut sink = (BitPacker::new(), Account::default());
    for item in items()? {
        encoder.item(&item?, &mut sink)?;
    }
    encoder.flush(&mut sink);
    let (packer, account) = sink;
    let bytes = packer.finish();
    let mut expected = items()?;
    let mut equal = true;
    let mut emit = |item: Item| {
        let wanted = expected.next().transpose()?;
        equal &= wanted.map(comparable) == Some(comparable(item));
        Ok::<(), anyhow::Error>(())
    };
    let mut bits = BitUnpacker::new(bytes.as_slice());
    if data {
        let execution = items()?.map(|item| item.map(Item::site));
        scheme::decode_data(design, execution, &mut bits, emit)?;
    } else {
        let emit = |event| emit(Item::Event(event));
        scheme::decode(design, &learned.program, &mut bits, learned.instructions, emit)?;
    }
    Ok((account.bits, equal && expected.next().is_none()))
}

/// An item as a trace has it, which knows the lengths of calls only.
fn comparable(item: Item) -> Item {
    match item {
        Item::Event(event) => {
            Item::Event(Event { length: if event.call { event.length } else { 0 }, ..event })
        }
        access => access,
    }
}

fn unboxed<T>(result: Result<T, AnyError>) -> Result<T> {
    result.map_err(|error| anyhow!(error))
}
