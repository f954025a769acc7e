//! What takes a trace from the pins of a chip: a value at each edge of their clock.

/// The receiver.
#[derive(Clone, Debug, Default)]
pub struct PinReceiver {
    clock_before: bool,
}

impl PinReceiver {
    /// The beat that is taken in this cycle, from the level of the pins' clock and the value of the trace, if there is one.
    pub fn take(&self, clock: bool, value: Option<u64>) -> Option<u64> {
        value.filter(|_| clock != self.clock_before)
    }

    /// The end of the cycle.
    pub fn clock(&mut self, clock: bool) {
        self.clock_before = clock;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sinks::Source;
    use crate::sinks::chip_pins::ChipPins;

    #[test]
    fn every_beat_at_the_pins_is_taken_once() {
        for half_period in [1, 3] {
            let (mut sink, mut receiver) = (ChipPins::new(half_period), PinReceiver::default());
            let mut beats = (0..9).collect::<std::collections::VecDeque<u64>>();
            let mut taken = Vec::new();
            for _ in 0..100 {
                let source = Source { beat: beats.front().copied(), ..Source::default() };
                let outputs = sink.outputs(&source);
                taken.extend(receiver.take(outputs.clock, outputs.value));
                receiver.clock(outputs.clock);
                sink.clock(&source);
                beats.drain(..usize::from(outputs.takes && !beats.is_empty()));
            }
            assert_eq!(taken, (0..9).collect::<Vec<u64>>());
        }
    }
}
