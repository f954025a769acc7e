//! When the lines of the vectors are shown, as far as the trace says it.

use std::ops::Range;

use rand::Rng;
use tracewright_sim::config::mask;
use tracewright_sim::scheme::EncodeError;
use tracewright_sim::session::{Clock, Detail, Session};

use super::{WAIT_BITS, Writer};
use crate::shown::TESTBENCH_TIME;

/// The cycle after reset in which the testbench shows its first line.
pub(super) const FIRST_CYCLE: u64 = 1;

impl Writer<'_> {
    /// True if headers of packets say a number of cycles, which are not known here: stalls are not. There must be none
    /// then but that of the first packet, which says no time.
    pub(super) fn counts_cycles(&self) -> bool {
        let protocol = self.design.protocol();
        protocol.has_packets() && protocol.time_bits > 0 && protocol.timestamp_bits() == 0
    }

    /// True if payloads without packets say a number of cycles, which are known as long as nothing is stalled.
    pub(super) fn tells_cycles(&self) -> bool {
        let protocol = self.design.protocol();
        protocol.told_time_bits() > 0 && protocol.timestamp_bits() == 0
    }

    /// True if the trace says the cycles of blocks.
    pub(super) fn is_timed(&self) -> bool {
        let terms = self.golden.terms();
        terms.has_time_stamps || terms.times_events || self.tells_cycles()
    }

    /// Tells the golden encoder how long after the block before the next one retires, where the trace has the time of events.
    pub(super) fn cycles(&mut self) {
        if self.golden.terms().times_events {
            let before = std::mem::replace(&mut self.shown_at, self.cycle);
            self.golden.clock(Clock::Event(self.cycle - before), &mut self.trace);
        }
    }

    /// Tells the golden encoder when the block that it was given retired, where payloads say so.
    pub(super) fn time(&mut self) -> Result<(), EncodeError> {
        if self.design.protocol().told_time_bits() > 0 {
            let time = if self.tells_cycles() { self.cycle } else { TESTBENCH_TIME };
            self.golden.detail(Detail::Time(time), &mut self.trace)?;
            self.golden.detail(Detail::Complete, &mut self.trace)?;
        }
        Ok(())
    }

    /// Clocks before the next line in which nothing is shown.
    pub(super) fn wait(&mut self) -> u64 {
        if self.is_timed() {
            // The golden encoder is told the clock of every block, so none may be stalled: what the
            // last one brought has to be out.
            let brought = self.trace.packer.bits() - self.bits_before;
            let wait = self.random.random_range(16..24) + 7 * brought;
            return wait.min(mask(WAIT_BITS as u32));
        }
        if self.random.random_ratio(1, 4) { self.random.random_range(1..9) } else { 0 }
    }

    /// Ends a cycle for these cores.
    pub(super) fn end_of_cycle(&mut self, cores: Range<u32>) {
        if self.golden.terms().has_time_stamps {
            for core in cores {
                let end = Clock::Cycle { core: core as u8, stalled: false };
                self.golden.clock(end, &mut self.trace);
            }
        }
    }
}
