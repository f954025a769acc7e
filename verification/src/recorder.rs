//! A golden encoder whose trace is recorded while the hardware is compared with it.

use std::cell::RefCell;
use std::rc::Rc;

use tracewright_sim::encode::bit_packer::BitPacker;
use tracewright_sim::event::{Access, Event};
use tracewright_sim::field::{Field, Sink};
use tracewright_sim::scheme::{Design, DesignError, Encoder};
use tracewright_testbench::BitQueue;
use tracewright_testbench::cosim::{AnyError, Golden};

/// A trace of the golden encoder.
#[derive(Default)]
pub(crate) struct Trace {
    packer: BitPacker,
    padding: u64,
}

impl Trace {
    /// Its bits, padding not counted.
    pub(crate) fn bits(&self) -> u64 {
        self.packer.bits() - self.padding
    }

    /// Its bytes, padding included.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.packer.finish()
    }
}

impl Sink for Trace {
    #[inline]
    fn put(&mut self, _: &Field, bits: u64, count: u32) {
        self.packer.push(bits, count);
    }

    fn align(&mut self, unit: u32) {
        self.padding += u64::from(self.packer.align(unit));
    }
}

/// A golden encoder that also records its trace, because the order of several cores' records is that of the
/// simulation.
pub(crate) struct Recorder {
    encoder: Encoder,
    trace: Rc<RefCell<Trace>>,
}

impl Recorder {
    /// Encodes as `design` does from reset and appends to `trace`.
    pub(crate) fn new(design: &Design, trace: &Rc<RefCell<Trace>>) -> Result<Self, DesignError> {
        Ok(Self { encoder: Encoder::new(design)?, trace: Rc::clone(trace) })
    }
}

impl Golden for Recorder {
    #[inline]
    fn event(&mut self, event: &Event, bits: &mut BitQueue) -> Result<(), AnyError> {
        let mut sinks = (bits, &mut *self.trace.borrow_mut());
        self.encoder.event(event, &mut sinks).map_err(AnyError::from)
    }

    #[inline]
    fn access(&mut self, access: &Access, bits: &mut BitQueue) -> Result<(), AnyError> {
        let mut sinks = (bits, &mut *self.trace.borrow_mut());
        self.encoder.access(access, &mut sinks).map_err(AnyError::from)
    }

    fn flush(&mut self, bits: &mut BitQueue) -> Result<(), AnyError> {
        self.encoder.flush(&mut (bits, &mut *self.trace.borrow_mut()));
        Ok(())
    }

    fn is_timed(&self) -> bool {
        self.encoder.is_timed()
    }

    fn follow_clocks(&mut self) {
        self.encoder.follow_clocks();
    }

    #[inline]
    fn end_of_clock(
        &mut self,
        core: u8,
        stalled: bool,
        bits: &mut BitQueue,
    ) -> Result<(), AnyError> {
        self.encoder.end_of_clock(core, stalled, &mut (bits, &mut *self.trace.borrow_mut()));
        Ok(())
    }
}
