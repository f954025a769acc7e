//! The fill level of the output buffer: an ideal FIFO of bits between an encoder and a trace port.
//!
//! The papers size their buffers with such a model (paper C, section 5.4): a record enters as a
//! whole in the cycle in which it is made, and the port takes its width in every cycle. The hardware adds the latency
//! of its encoder; co-simulation reports the real level.

/// An ideal FIFO of bits, with statistics.
#[derive(Clone, Debug)]
pub struct Fifo {
    capacity: u64,
    port_width: u64,
    level: u64,
    unlimited_level: u64,
    clock: u64,
    /// The most bits that a FIFO without limit would have held: with this capacity there are no stalls.
    pub needed_bits: u64,
    /// The most bits that the FIFO held.
    pub high_water_bits: u64,
    /// Cycles in which the processor would have waited for space.
    pub stall_cycles: u64,
}

impl Fifo {
    /// A FIFO of `capacity` bits from which `port_width` bits are taken per cycle.
    pub fn new(capacity: u64, port_width: u32) -> Self {
        Self {
            capacity,
            port_width: port_width.into(),
            level: 0,
            unlimited_level: 0,
            clock: 0,
            needed_bits: 0,
            high_water_bits: 0,
            stall_cycles: 0,
        }
    }

    /// Bits in the FIFO after the last record.
    pub fn level(&self) -> u64 {
        self.level
    }

    /// Puts in a record of `bits` at cycle `clock` of the processor without stalls; cycles never decrease.
    pub fn push(&mut self, clock: u64, bits: u64) {
        let elapsed = clock - self.clock;
        self.clock = clock;
        let drained = elapsed.saturating_mul(self.port_width);
        self.unlimited_level = self.unlimited_level.saturating_sub(drained) + bits;
        self.needed_bits = self.needed_bits.max(self.unlimited_level);
        self.level = self.level.saturating_sub(drained) + bits;
        // A record that does not fit waits at the door, and the processor with it.
        if self.level > self.capacity {
            let wait = (self.level - self.capacity).div_ceil(self.port_width);
            self.stall_cycles += wait;
            self.level = self.level.saturating_sub(wait * self.port_width);
        }
        self.high_water_bits = self.high_water_bits.max(self.level);
    }
}

#[cfg(test)]
mod tests {
    use super::Fifo;

    #[test]
    fn fills_drains_and_stalls() {
        let mut fifo = Fifo::new(10, 1);
        fifo.push(0, 8);
        fifo.push(4, 6);
        assert_eq!((fifo.high_water_bits, fifo.stall_cycles), (10, 0));
        fifo.push(5, 3);
        assert_eq!((fifo.high_water_bits, fifo.stall_cycles), (10, 2));
        fifo.push(1000, 1);
        assert_eq!((fifo.high_water_bits, fifo.needed_bits), (10, 12));
    }
}
