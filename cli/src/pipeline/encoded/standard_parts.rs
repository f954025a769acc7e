//! The parts of an execution, and the gaps between them, in payloads of a standard without packets around them.

use anyhow::{Result, anyhow};
use tracewright_image::Image;
use tracewright_import::e_trace as import;
use tracewright_import::e_trace::{Options, Receiver};
use tracewright_sim::event::{Event, Item, Kind};
use tracewright_sim::packet::part::{self, Part, Reason, Recovered};
use tracewright_sim::program::Place;
use tracewright_sim::trace_io;

use super::{Encoded, PROGRESS_EVENTS, Packets};
use crate::pipeline::limits;
use crate::pipeline::progress::{self, Progress};
use crate::pipeline::ring::RamSink;
use crate::pipeline::standard::{self, Standard};

impl Encoded<'_> {
    /// Decodes a trace of [`standard`](Self::standard) and gives its parts to `take`.
    ///
    /// # Errors
    /// When the file cannot be read, or nothing of it is of the program, and the errors of `take`.
    pub fn standard_parts(
        mut self,
        standard: Standard,
        image: &Image,
        take: impl FnMut(Part) -> Result<()>,
    ) -> Result<Packets> {
        let (file, machine) = (self.file, image.machine());
        let encoder = standard::of_design(&self.design, standard)?;
        let encoder = encoder.for_addresses(machine.address_bits);
        let (sink, dump) = self.payloads()?;
        let options = Options {
            hart: None,
            address_bits: machine.address_bits,
            thread_max: 0,
            has_states: self.design.protocol().traces_state(),
            begins_in_the_middle: sink.is_some_and(RamSink::has_wrapped),
            events_max: limits::events().of_bytes(dump.len() as u64),
        };
        let first = encoder.first(&dump, image, &options);
        let mut parts = Parts {
            take,
            first_byte: first as u64,
            leads_to: None,
            recovered: Recovered::default(),
            progress: progress::bar(0, "events"),
            failure: None,
        };
        let decoded = encoder.decode(&dump[first..], image, &options, &mut parts);
        if let Some(failure) = parts.failure {
            return Err(failure);
        }
        let summary = decoded.map_err(|error| anyhow!("{}: {error}", file.display()))?;
        let recovered = Recovered {
            instructions: summary.instructions,
            trailing_instructions: summary.left_out,
            packets: summary.payloads,
            ..parts.recovered
        };
        Ok(Packets { recovered, is_verified: false, damage: None, doubt: None })
    }
}

/// Passes on what a decoder of a standard gives.
struct Parts<F> {
    take: F,
    /// The byte of the dump at which its first payload begins.
    first_byte: u64,
    /// The address at which the execution goes on after a gap, until the next event.
    leads_to: Option<u64>,
    recovered: Recovered,
    progress: Progress,
    /// Why `take` has taken no more.
    failure: Option<anyhow::Error>,
}

impl<F: FnMut(Part) -> Result<()>> Parts<F> {
    fn pass(&mut self, part: Part) {
        if self.failure.is_none() {
            self.failure = (self.take)(part).err();
        }
    }
}

impl<F: FnMut(Part) -> Result<()>> Receiver for Parts<F> {
    fn item(&mut self, item: &Item) -> Result<(), trace_io::Error> {
        match item {
            Item::Event(event) if only_says_where(event, self.leads_to.take()) => {}
            Item::Event(event) => {
                self.recovered.events += 1;
                if self.recovered.events.is_multiple_of(PROGRESS_EVENTS) {
                    self.progress.add(PROGRESS_EVENTS);
                }
                self.pass(Part::Event(*event));
            }
            Item::State(state) => {
                self.recovered.states += 1;
                self.pass(Part::State(*state));
            }
            Item::Access(_) | Item::Cycles(_) => {}
        }
        Ok(())
    }

    fn gap(&mut self, gap: &import::Gap) -> Result<(), trace_io::Error> {
        let gap_of_all = of_standard(gap, self.first_byte);
        self.leads_to = gap.goes_on;
        self.recovered.gaps += 1;
        // What came while tracing was off was not to be traced.
        self.recovered.filtered_gaps += u64::from(gap.reason == import::Reason::Off);
        let bits = &gap_of_all.bits;
        self.recovered.gap_bits += bits.end.saturating_sub(bits.start);
        self.pass(Part::Gap(gap_of_all));
        Ok(())
    }
}

/// True for the exception by which a decoder of a standard says where the execution goes on after a gap.
pub fn only_says_where(event: &Event, leads_to: Option<u64>) -> bool {
    let is_exception = event.kind == Kind::Exception && event.instructions == 0;
    is_exception && event.taken && leads_to == Some(event.target)
}

/// A gap of payloads of a standard, the first of which is at this byte.
pub fn of_standard(gap: &import::Gap, first_byte: u64) -> part::Gap {
    part::Gap {
        bits: 8 * (first_byte + gap.offset)..8 * (first_byte + gap.end),
        reason: Reason::OfStandard { name: gap.reason.name(), says: gap.reason.to_string() },
        trailing_instructions: gap.trailing_instructions,
        unverified_events: 0,
        goes_on: gap.goes_on.map(Place::At),
        context: 0,
        missing_packets: 0,
    }
}
