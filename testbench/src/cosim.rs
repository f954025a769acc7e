//! Co-simulation: a trace module's bits against the golden encoder's, bit for bit.

use std::error::Error as StdError;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use tracewright_sim::event::Item;
use tracewright_sim::program::Program;
use tracewright_sim::session::Session;

use crate::driver::{Driver, End};
use crate::error::{Error, Result};
use crate::input::{Accesses, Lossy, OneCore, Packets, SeveralCores};
use crate::library::Library;
use crate::model::Model;
use crate::pins::{DataPins, PacketPins, RetirePins};
use crate::recording::Recording;
use crate::stimulus::Stimulus;

pub use crate::recording::Trace;
pub use crate::report::{Bits, Failure, Mismatch, Report};

/// Any error of someone else's.
pub type AnyError = Box<dyn StdError + Send + Sync>;

/// A file of waves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waves {
    /// The VCD file. A cycle is 10 units, counted from before reset, its rising edge at 5.
    pub path: PathBuf,
    /// The first cycle after reset to write.
    pub first_cycle: u64,
}

/// Waves of a part of a run, to count what changes in it, and of cycles after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Activity {
    /// The VCD file of the part.
    pub running: PathBuf,
    /// Cycles after the reset before it.
    pub warm_up: u64,
    /// Its cycles.
    pub cycles: u64,
    /// The VCD file of cycles after the end, in which nothing is shown.
    pub idle: PathBuf,
    /// How many those are.
    pub idle_cycles: u64,
}

/// How to co-simulate.
#[derive(Clone, Debug)]
pub struct Options {
    /// What the model is shown.
    pub stimulus: Stimulus,
    /// The program, for the addresses of sequential blocks where packets may end after them.
    pub program: Option<Arc<Program>>,
    /// Clocks without a block taken or a beat sent after which it counts as hung.
    pub watchdog_cycles: u64,
    /// Waves to write, by a library built with them.
    pub waves: Option<Waves>,
    /// Activity to write, by a library built with waves.
    pub activity: Option<Activity>,
    /// A file of coverage to write at the end, by a library built with it.
    pub coverage: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            stimulus: Stimulus::default(),
            program: None,
            watchdog_cycles: 1_000_000,
            waves: None,
            activity: None,
            coverage: None,
        }
    }
}

/// Shows every event, or every memory access, to a model built from `library` and compares what it sends with `golden`.
///
/// `golden` starts as reset leaves the hardware. The run ends with a flush, or at the first failure.
/// An error is trouble with the tools or the trace; a model that does the wrong thing is a
/// [`Report`] with a [`Failure`].
///
/// A module of several cores has their pins numbered, `retire_valid_0` and so on. Each core then takes
/// its thread's events at its own pace, and `golden` is given what retires block by block, in the
/// order and in the cycles in which it does. A module with a pin `data_valid` takes the accesses, one per
/// cycle, and no events.
///
/// Beside the bits, the rules of the pins are checked: a beat stays until it is taken, `stall` and
/// the trace do not depend on the inputs of the same cycle, nothing is sent after `flushed`. Pins without a
/// meaning in a cycle carry noise.
pub fn run<G, I, T, E>(
    library: &Arc<Library>,
    mut golden: G,
    items: I,
    options: &Options,
) -> Result<Report>
where
    G: Session<Error: Into<AnyError>>,
    I: IntoIterator<Item = Result<T, E>>,
    T: Into<Item>,
    E: Into<AnyError>,
{
    let start = Instant::now();
    let items = items.into_iter().map(|item| match item {
        Ok(item) => Ok(item.into()),
        Err(error) => Err(Error::Events(error.into())),
    });
    let stimulus = &options.stimulus;
    let model = Model::new(library, stimulus.seed)?;
    let (mut report, ..) = if DataPins::are_there(library) {
        let input = Accesses::new(library)?;
        Driver::new(model, golden, items, options, input)?.run(&End::Items)?
    } else if PacketPins::are_there(library) && golden.terms().protocol.has_packets() {
        let input = Packets::new(library, options, &mut golden)?;
        Driver::new(model, golden, items, options, input)?.run(&End::Items)?
    } else if RetirePins::cores(library) == 0 && !RetirePins::stalls(library) {
        let input = Lossy::new(library, options, &golden)?;
        Driver::new(model, golden, items, options, input)?.run(&End::Items)?
    } else if RetirePins::cores(library) == 0 {
        let input = OneCore::new(library, stimulus, &golden)?;
        Driver::new(model, golden, items, options, input)?.run(&End::Items)?
    } else {
        let input = SeveralCores::new(library, stimulus, &mut golden)?;
        Driver::new(model, golden, items, options, input)?.run(&End::Items)?
    };
    report.elapsed = start.elapsed();
    Ok(report)
}

/// Runs a module whose trace is made of packets, and resets it and its core in the middle: after each number of cycles
/// in `options.stimulus.resets`, or when the items have ended before. The core then begins its program again.
///
/// `make` gives a golden encoder as reset leaves the hardware, and the items from the first one on, before each part.
/// Gives the sums of events, cycles, blocks, losses, discards and synchronisations of all parts, with everything else
/// of the last one, and all that the sink received.
pub fn run_with_resets<G, I, T, E>(
    library: &Arc<Library>,
    mut make: impl FnMut() -> Result<(G, I)>,
    options: &Options,
) -> Result<(Report, Trace)>
where
    G: Session<Error: Into<AnyError>>,
    I: IntoIterator<Item = Result<T, E>>,
    T: Into<Item>,
    E: Into<AnyError>,
{
    let start = Instant::now();
    let mut model = Model::new(library, options.stimulus.seed)?;
    let (mut recording, mut sum) = (Recording::new(None), Report::default());
    let ends = options.stimulus.resets.iter().map(|cycle| End::Cycle(*cycle)).chain([End::Items]);
    for (part, end) in (0..).zip(ends) {
        let (mut golden, items) = make()?;
        let items = items.into_iter().map(|item| match item {
            Ok(item) => Ok(item.into()),
            Err(error) => Err(Error::Events(error.into())),
        });
        let mut options = options.clone();
        options.stimulus.seed = options.stimulus.seed.wrapping_add(part);
        let input = Packets::new(library, &options, &mut golden)?;
        let mut driver = Driver::new(model, golden, items, &options, input)?;
        driver.record(recording);
        let (report, model_after, received) = driver.run(&end)?;
        (model, recording) = (model_after, received.unwrap_or_default());
        sum = Report {
            events: sum.events + report.events,
            instructions: sum.instructions + report.instructions,
            discards: sum.discards + report.discards,
            blocks: sum.blocks + report.blocks,
            lost_instructions: sum.lost_instructions + report.lost_instructions,
            filtered_instructions: sum.filtered_instructions + report.filtered_instructions,
            synchronisations: sum.synchronisations + report.synchronisations,
            cycles: sum.cycles + report.cycles,
            stall_cycles: sum.stall_cycles + report.stall_cycles,
            ..report
        };
        if sum.failure.is_some() {
            break;
        }
    }
    let trace = recording.finish();
    sum.bits = trace.bits;
    sum.elapsed = start.elapsed();
    Ok((sum, trace))
}

/// Runs, and after a failure runs again and writes the last `cycles` cycles before the failure.
///
/// `library` is built with waves. `make` gives a fresh golden encoder and the same items each time.
/// Both runs use this library, as one built without waves may start with other random bits. Returns
/// the report of the first run; without a failure no file is written.
pub fn run_with_waves<G, I, T, E>(
    library: &Arc<Library>,
    mut make: impl FnMut() -> Result<(G, I)>,
    options: &Options,
    path: PathBuf,
    cycles: u64,
) -> Result<Report>
where
    G: Session<Error: Into<AnyError>>,
    I: IntoIterator<Item = Result<T, E>>,
    T: Into<Item>,
    E: Into<AnyError>,
{
    let (golden, items) = make()?;
    let report = run(library, golden, items, &Options { waves: None, ..options.clone() })?;
    if let Some(failure) = &report.failure {
        let first_cycle = failure.cycle().saturating_sub(cycles);
        let waves = Some(Waves { path, first_cycle });
        let (golden, items) = make()?;
        run(library, golden, items, &Options { waves, ..options.clone() })?;
    }
    Ok(report)
}
