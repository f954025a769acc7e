//! The cycles of the events of a file, which has an order but no times.

/// Gives every event of a file a cycle, as if every core retired one instruction per cycle.
///
/// The order of the file is kept: no event has an earlier cycle than the one before it, so a core waits
/// where the file has another core's event first. Within a cycle the cores come in the order of their
/// index, as they do in hardware; an event that would break that order is a cycle later. So is an
/// exception of no instructions, for which a core needs a cycle of its own.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// For each core, the first cycle in which it has not retired.
    own: Vec<u64>,
    /// The earliest cycle of the next event: for this core and those of a higher index; a cycle later for the others.
    clock: u64,
    core: u8,
}

impl Schedule {
    /// The schedule before the first event.
    pub fn new(cores: u32) -> Self {
        Self { own: vec![0; cores as usize], clock: 0, core: 0 }
    }

    /// The cycle of the core's next event, after so many instructions.
    #[inline]
    pub fn event(&mut self, core: u8, instructions: u64) -> u64 {
        let own = &mut self.own[usize::from(core)];
        let earliest = self.clock + u64::from(core < self.core);
        let clock = own.saturating_add(instructions.saturating_sub(1)).max(earliest);
        *own = clock.saturating_add(1);
        (self.clock, self.core) = (clock, core + 1);
        clock
    }

    /// The cycle of a flush, after all events.
    pub fn flush(&mut self) -> u64 {
        self.clock = self.clock.saturating_add(u64::from(self.core > 0));
        self.core = 0;
        self.clock
    }
}

#[cfg(test)]
mod tests {
    use super::Schedule;

    #[test]
    fn one_instruction_a_clock_in_the_order_of_the_file() {
        let mut schedule = Schedule::new(3);
        let events = [(0, 5), (1, 5), (1, 1), (0, 1), (2, 2), (2, 0), (0, 3), (1, 10)];
        let clocks: Vec<u64> = events.iter().map(|(core, n)| schedule.event(*core, *n)).collect();
        // Core 1 retires with core 0, then alone; core 0 waits for it; core 2 was late anyway.
        assert_eq!(clocks, [4, 4, 5, 6, 6, 7, 9, 15]);
        assert_eq!((schedule.flush(), schedule.flush()), (16, 16));
        assert_eq!(schedule.event(0, 1), 16);
    }
}
