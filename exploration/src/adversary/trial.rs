//! One program in one design and its baseline.

use serde::{Deserialize, Serialize};
use tracewright_sim::encode::fifo::Fifo;
use tracewright_sim::event::{Event, Item, Kind as EventKind};
use tracewright_sim::field::{Field, Sink};
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::scheme::{Design, EncodeError, Encoder};
use tracewright_sim::synthetic::script::{MACHINE, Script};
use tracewright_verification::trace::Addresses;

use super::mutation;
use crate::error::{Error, Result};

/// What a run has beside conditional branches and direct jumps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kind {
    /// Returns.
    pub returns: bool,
    /// Other indirect branches.
    pub indirect: bool,
    /// Exceptions.
    pub exceptions: bool,
}

impl Kind {
    pub(super) const COUNT: usize = 8;

    pub(super) fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT).map(|number| Self {
            returns: number & 1 != 0,
            indirect: number & 2 != 0,
            exceptions: number & 4 != 0,
        })
    }

    pub(super) fn number(self) -> usize {
        usize::from(self.returns)
            + 2 * usize::from(self.indirect)
            + 4 * usize::from(self.exceptions)
    }

    fn of(events: &[Event]) -> Self {
        // The reset is an exception, and its end an indirect branch.
        let after_reset = events.get(1..).unwrap_or_default();
        let has = |what: &dyn Fn(&Event) -> bool| after_reset.iter().any(what);
        Self {
            returns: has(&|event| event.is_return),
            indirect: has(&|event| event.kind.is_indirect() && !event.is_return),
            exceptions: has(&|event| event.kind == EventKind::Exception),
        }
    }

    /// Its name, for tables and files.
    pub fn name(self) -> String {
        let parts = [
            (self.returns, "returns"),
            (self.indirect, "indirect"),
            (self.exceptions, "exceptions"),
        ];
        let names: Vec<&str> = parts.into_iter().filter(|part| part.0).map(|part| part.1).collect();
        if names.is_empty() { "branches".into() } else { names.join("-") }
    }
}

/// What a run puts into the output buffer of a design, at one instruction per cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutputLoad {
    /// Bits that a buffer without a limit holds at most.
    pub fifo_needed_bits: u64,
    /// Cycles in which the core waits.
    pub stall_cycles: u64,
}

/// A program and what it costs.
#[derive(Clone, Debug, PartialEq)]
pub struct Worst {
    /// The program.
    pub script: Script,
    /// What its run has.
    pub kind: Kind,
    /// Lines of its text.
    pub lines: usize,
    /// Instructions of its run.
    pub instructions: u64,
    /// Bits of the design, padding aside.
    pub bits: u64,
    /// Bits of the baseline.
    pub baseline_bits: u64,
    /// The load of the design's output.
    pub load: OutputLoad,
}

impl Worst {
    /// The design's bits divided by the baseline's.
    pub fn ratio(&self) -> f64 {
        self.bits as f64 / self.baseline_bits.max(1) as f64
    }

    /// The design's bits per instruction.
    pub fn bits_per_instruction(&self) -> f64 {
        self.bits as f64 / self.instructions.max(1) as f64
    }
}

/// A sink that counts bits, and puts every record into the output buffer in the cycle of its event.
struct Output {
    bits: u64,
    /// Bits up to the last record.
    recorded: u64,
    clock: u64,
    fifo: Fifo,
}

impl Sink for Output {
    fn begin(&mut self, event: &Event) {
        self.clock = self.clock.saturating_add(event.instructions.max(1));
    }

    fn put(&mut self, _: &Field, _: u64, count: u32) {
        self.bits += u64::from(count);
    }

    fn end_record(&mut self) {
        self.fifo.push(self.clock, self.bits - self.recorded);
        self.recorded = self.bits;
    }

    fn align(&mut self, _: u32) {}
}

fn output(design: &Design, addresses: &Addresses, events: &[Event]) -> Result<Output> {
    let design = addresses.fit(design.for_machine(MACHINE)?);
    let mut encoder = Encoder::new(&design)?;
    let port = design.port();
    let fifo = Fifo::new(port.fifo_bits.into(), port.trace_port_width);
    let mut sink = Output { bits: 0, recorded: 0, clock: 0, fifo };
    let of_run = |error: EncodeError| Error::Adversary(error.to_string());
    for event in events {
        sink.begin(event);
        encoder.event(event, &mut sink).map_err(of_run)?;
    }
    encoder.flush(&mut sink);
    Ok(sink)
}

/// Measures a program, which is one.
pub(super) fn trial(
    script: Script,
    design: &Design,
    baseline: &Design,
    events: u64,
) -> Result<Worst> {
    let run = script.run().map_err(|error| Error::Adversary(error.to_string()))?;
    let events: Vec<Event> = run.take(events as usize).collect();
    let mut addresses = Addresses::default();
    events.iter().for_each(|event| addresses.add(&Item::Event(*event)));
    let of_design = output(design, &addresses, &events)?;
    Ok(Worst {
        kind: Kind::of(&events),
        lines: mutation::lines(&script),
        instructions: events.iter().map(|event| event.instructions).sum(),
        bits: of_design.bits,
        baseline_bits: output(baseline, &addresses, &events)?.bits,
        load: OutputLoad {
            fifo_needed_bits: of_design.fifo.needed_bits,
            stall_cycles: of_design.fifo.stall_cycles,
        },
        script,
    })
}
