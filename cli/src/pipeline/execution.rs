//! The events of an execution, from a trace or from an encoded file.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::mpsc;
use std::thread;

use anyhow::{Context, Result, anyhow};
use tracewright_sim::bits_file::{BitsReader, Fingerprint};
use tracewright_sim::encode::bit_packer::BitUnpacker;
use tracewright_sim::event::Event;
use tracewright_sim::scheme;

use super::events;
use super::failure::usage;
use super::limits;
use super::memory;
use super::output::is_stdout;
use super::program_files::{Followed, check_processor};
use super::progress;

/// Events between updates of the progress bar.
const PROGRESS_EVENTS: u64 = 1 << 16;

/// Events in a batch that one thread passes to another.
const BATCH_EVENTS: usize = 1 << 13;

/// The largest number of waiting batches.
const BATCHES: usize = 8;

/// Passes every event of `file`, a trace or an encoded file of the program in `program_file`, to `take`.
///
/// # Errors
/// When the file is bad or of another program, and the errors of `take`.
pub fn each_event(
    file: &Path,
    followed: &Followed,
    program_file: &Path,
    take: impl FnMut(Event) -> Result<()>,
) -> Result<()> {
    if is_encoded(file) {
        decoded(file, followed, program_file, take)
    } else {
        traced(file, followed, program_file, take)
    }
}

/// True for an encoded file. A file that cannot be read gives false, and the reader of traces reports the error.
fn is_encoded(path: &Path) -> bool {
    // The first bytes of a pipe could not be read again.
    if is_stdout(path) || events::is_pipe(path) {
        return false;
    }
    let mut first = Vec::new();
    let read = File::open(path).and_then(|file| file.take(6).read_to_end(&mut first));
    read.is_ok() && first == b"TWBITS"
}

fn traced(
    file: &Path,
    followed: &Followed,
    program_file: &Path,
    mut take: impl FnMut(Event) -> Result<()>,
) -> Result<()> {
    let progress = events::progress_of([file], 1);
    let mut reader = events::open(file, &progress)?;
    check_processor((reader.machine(), file), (followed.machine(), program_file))?;
    // Reading takes about as long as processing the events, so each has a thread.
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::sync_channel(BATCHES);
        scope.spawn(move || {
            loop {
                let batch: Vec<_> = reader.by_ref().take(BATCH_EVENTS).collect();
                // After an error the other thread no longer receives.
                if batch.is_empty() || sender.send(batch).is_err() {
                    return;
                }
            }
        });
        receiver.into_iter().flatten().try_for_each(|event| take(event?))
    })
}

fn decoded(
    file: &Path,
    followed: &Followed,
    program_file: &Path,
    mut take: impl FnMut(Event) -> Result<()>,
) -> Result<()> {
    memory::reading(file);
    let mut reader = BitsReader::open(file)?;
    let limit = limits::events().of_bytes(limits::bytes_of(file));
    let (design, machine) = (reader.header().design.clone(), reader.header().machine);
    if design.traces_data() {
        return Err(usage(format!(
            "{} is of {}, which traces data addresses: expected a trace of instructions",
            file.display(),
            design.name
        )));
    }
    let program = followed.program(machine, file, program_file)?;
    let most = reader.most_instructions();
    let progress = progress::bar(if most == u64::MAX { 0 } else { most }, "instructions");
    let mut fingerprint = Fingerprint::default();
    let (mut events, mut instructions, mut shown) = (0u64, 0u64, 0);
    let emit = |event: Event| {
        fingerprint.add(&event);
        events += 1;
        instructions = instructions.wrapping_add(event.instructions);
        if events.is_multiple_of(PROGRESS_EVENTS) {
            limits::check(file, events, limit, "events")?;
            progress.add(instructions.wrapping_sub(shown));
            shown = instructions;
        }
        take(event)
    };
    let mut bits = BitUnpacker::new(&mut reader);
    scheme::decode_timed(&design, &program, &mut bits, most, emit, |_| Ok(()))
        .with_context(|| file.display().to_string())?;
    let name = file.display();
    let totals = reader
        .totals()
        .ok_or_else(|| anyhow!("{name}: the trace ends before the end of the file"))?;
    if (events, instructions, fingerprint.value())
        != (totals.events, totals.instructions, totals.fingerprint)
    {
        return Err(anyhow!(
            "{name} does not decode to the execution that was traced; is {} the program that was traced?",
            program_file.display()
        ));
    }
    Ok(())
}
