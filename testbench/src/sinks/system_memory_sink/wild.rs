//! Resets, and what software must not do: registers that change while the sink is on, and resets in the middle of a burst.

use rand::Rng;
use tracewright_sim::pins::sinks;
use tracewright_sim::system_memory_sink::SystemMemorySink;

use super::{Bench, PATIENCE};
use crate::sinks::Failure;
use crate::sinks::memory::Pace;

/// Cycles of a run in which even what software must not do happens.
const WILD_CYCLES: usize = 12_000;

impl Bench {
    /// Any input in any cycle, also what software must not do: the rules of the bus and the ring hold.
    pub(super) fn run_wild(&mut self) -> Result<(), Failure> {
        self.compares = false;
        for cycle in 0..WILD_CYCLES {
            if cycle % 512 == 0 {
                let ready = [5, 30, 100][self.random.random_range(0..3)];
                self.pace = Pace { ready, errors: 5 };
            }
            if self.happens(1) {
                let (start, limit) = self.ring();
                self.set_ring(start, limit)?;
            }
            self.stops = false;
            self.clears = self.happens(1);
            self.enable = !self.clears && self.enable != self.happens(2);
            self.source_is_empty = self.happens(30);
            let stops_when_full = self.happens(20);
            self.set(&sinks::MEMORY_STOP_WHEN_FULL, stops_when_full.into())?;
            let place = self.place((self.golden.start, self.golden.limit));
            if self.happens(5) {
                self.drive_load(place, false)?;
            }
            let data = self.random.random::<u64>() & (u64::MAX >> (64 - self.config.port_bits));
            let comes = self.happens(80);
            self.cycle(comes.then_some(data))?;
            self.end_load()?;
        }
        self.clear()
    }

    /// Clears the sink, perhaps in the middle of a burst, which ends: then all is as after reset.
    fn clear(&mut self) -> Result<(), Failure> {
        self.compares = false;
        self.enable = false;
        self.clears = true;
        self.cycle(None)?;
        self.clears = false;
        // A source need not be empty when its sink is cleared.
        self.cycle(Some(0))?;
        self.source_is_empty = true;
        for _ in 0..PATIENCE {
            self.cycle(None)?;
            if self.get(&sinks::MEMORY_IS_EMPTY)? == 1 {
                break;
            }
        }
        self.check(self.get(&sinks::MEMORY_IS_EMPTY)? == 1, "it becomes empty after a reset")?;
        (0..3).try_for_each(|_| self.cycle(None).map(drop))?;
        let SystemMemorySink { start, limit, stops_when_full, .. } = self.golden;
        self.golden = SystemMemorySink::new(&self.config);
        // Registers of others, which keep their values here.
        (self.golden.start, self.golden.limit) = (start, limit);
        self.golden.stops_when_full = stops_when_full;
        self.compares = true;
        self.check_registers()
    }

    /// Clears the sink while a trace comes.
    pub(super) fn clear_in_session(&mut self) -> Result<(), Failure> {
        self.compares = false;
        (self.enable, self.source_is_empty, self.stops) = (true, false, false);
        for beat in 0..self.random.random_range(1..400) {
            self.cycle(Some(beat & 1))?;
        }
        self.clear()
    }
}
