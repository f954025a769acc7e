//! The golden encoder: events of all cores in, one trace out.

use std::convert::Infallible;

use super::config::Config;
use super::layout::{Layout, Prefix};
use super::module::Module;
use super::schedule::Schedule;
use super::time_stamps::TimeStamps;
use crate::configuration::Configuration;
use crate::encode::record_sender::RecordSender;
use crate::event::Event;
use crate::field::{Field, Sink};
use crate::golden_encoder::{GoldenEncoder, no_accesses};
use crate::parameter::ParameterError;
use crate::session::{Agreement, Clock, Detail, Session, Terms, Turn};

/// Turns the events of all cores into one trace, bit for bit as the hardware does.
///
/// Events come in the order of the trace: cycle by cycle, and within a cycle by the index of the core.
#[derive(Clone, Debug)]
pub struct Encoder<M: Module> {
    modules: Vec<M::Encoder>,
    prefixes: RecordSender,
    timing: Option<Timing>,
    word_bits: u32,
}

/// The state from which time stamps are made.
#[derive(Clone, Debug)]
struct Timing {
    time_stamps: TimeStamps,
    clock: u64,
    /// The source of the cycle number, unless the caller ends each cycle.
    schedule: Option<Schedule>,
}

impl<M: Module> Encoder<M> {
    /// An encoder as reset leaves the hardware.
    ///
    /// # Errors
    /// When the configuration breaks a constraint.
    pub fn new(config: &Config<M>) -> Result<Self, ParameterError> {
        config.validate()?;
        let (module, sharing) = (config.encoded_module(), &config.sharing);
        let timing = || Timing {
            time_stamps: TimeStamps::new(sharing.cores, sharing.most_clocks()),
            clock: 0,
            schedule: Some(Schedule::new(sharing.cores)),
        };
        Ok(Self {
            modules: (0..sharing.cores).map(|_| module.encoder()).collect::<Result<_, _>>()?,
            prefixes: RecordSender::new::<Prefix>(&Layout::new(sharing).prefix_format()),
            timing: sharing.time_stamps.then(timing),
            word_bits: config.port().word_bits(),
        })
    }

    /// Sends the overflows before this cycle, and those of the cores before this one in it.
    fn overflow_before<S: Sink>(&mut self, clock: u64, core: usize, sink: &mut S) {
        let Self { prefixes, timing, .. } = self;
        if let Some(timing) = timing {
            timing.clock = clock;
            while let Some(full) = timing.time_stamps.overflow_before(clock, core) {
                put_overflow(prefixes, full, sink);
            }
        }
    }
}

impl<M: Module> GoldenEncoder for Encoder<M> {
    type Error = Infallible;

    #[inline]
    fn event<S: Sink>(&mut self, event: &Event, sink: &mut S) -> Result<(), Infallible> {
        let core = usize::from(event.thread);
        if let Some(schedule) = self.timing.as_mut().and_then(|timing| timing.schedule.as_mut()) {
            let clock = schedule.event(event.thread, event.instructions);
            self.overflow_before(clock, core, sink);
        }
        let Self { modules, prefixes, timing, .. } = self;
        modules[core].event(event, &mut Prefixing { prefixes, timing, core, begun: false, sink })
    }

    no_accesses!();

    /// A flush record of every core, in the order of their index.
    fn flush<S: Sink>(&mut self, sink: &mut S) {
        if let Some(schedule) = self.timing.as_mut().and_then(|timing| timing.schedule.as_mut()) {
            let clock = schedule.flush();
            self.overflow_before(clock, 0, sink);
        }
        let Self { modules, prefixes, timing, word_bits } = self;
        for (core, module) in modules.iter_mut().enumerate() {
            module.flush(&mut Prefixing { prefixes, timing, core, begun: false, sink: &mut *sink });
        }
        sink.align(*word_bits);
    }
}

impl<M: Module> Session for Encoder<M> {
    fn terms(&self) -> Terms {
        Terms { has_time_stamps: self.timing.is_some(), ..Terms::default() }
    }

    fn agree(&mut self, agreement: Agreement<'_>) {
        match (agreement, &mut self.timing) {
            (Agreement::Cycles, Some(timing)) => timing.schedule = None,
            (Agreement::Cycles, None) => {}
            // All that retires is traced.
            (Agreement::Filter(_) | Agreement::Synchronisations, _) => {}
        }
    }

    /// The trace says nothing of an event besides what it is, and which cycle it is in.
    #[inline]
    fn detail<S: Sink>(&mut self, _: Detail, _: &mut S) -> Result<(), Infallible> {
        Ok(())
    }

    #[inline]
    fn clock<S: Sink>(&mut self, clock: Clock, sink: &mut S) {
        let Self { modules, prefixes, timing, .. } = self;
        match (clock, timing) {
            (Clock::Cycle { core, stalled }, Some(timing)) => {
                let core = usize::from(core);
                if timing.time_stamps.end_of_clock(core, timing.clock, stalled) {
                    put_overflow(prefixes, core, sink);
                }
                timing.clock += u64::from(core + 1 == modules.len());
            }
            (Clock::Cycle { .. }, None) => {}
            // Time stamps are of cycles that end.
            (Clock::Event(_), _) => {}
        }
    }

    /// The trace cannot break off. The hardware has no pins for it.
    fn turn<S: Sink>(&mut self, _: Turn, _: &mut S) {}
}

/// Sends the records of one core, each after its prefix.
struct Prefixing<'a, S> {
    prefixes: &'a RecordSender,
    timing: &'a mut Option<Timing>,
    core: usize,
    /// The prefix of the current record has been sent.
    begun: bool,
    sink: &'a mut S,
}

impl<S: Sink> Sink for Prefixing<'_, S> {
    #[inline]
    fn put(&mut self, field: &Field, bits: u64, count: u32) {
        if !self.begun {
            self.begun = true;
            let clocks = self
                .timing
                .as_mut()
                .map(|timing| timing.time_stamps.record(self.core, timing.clock))
                .unwrap_or_default();
            let thread = self.core as u64;
            let prefix = Prefix { is_alone: true, thread, clocks, ..Prefix::default() };
            self.prefixes.put(&prefix, self.sink);
        }
        self.sink.put(field, bits, count);
    }

    #[inline]
    fn end_record(&mut self) {
        self.begun = false;
        self.sink.end_record();
    }

    /// A flush fills the trace up after the last core's record only.
    fn align(&mut self, _: u32) {}
}

fn put_overflow<S: Sink>(prefixes: &RecordSender, core: usize, sink: &mut S) {
    let prefix = Prefix { time_overflow: true, thread: core as u64, ..Prefix::default() };
    prefixes.send(&prefix, sink);
}
