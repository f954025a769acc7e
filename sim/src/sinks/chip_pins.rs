//! A trace port at the pins of a chip, with a clock that a probe takes them by, at both of its edges.
//!
//! A value stays at the pins for twice as many cycles as half of its time has, and the pins' clock changes in the middle
//! of it. The pins do not wait for anybody.

use super::Source;

/// What the sink says in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outputs {
    /// The pins' clock.
    pub clock: bool,
    /// The value at the pins, if it is one of the trace.
    pub value: Option<u64>,
    /// A beat of the trace port is taken, if there is one.
    pub takes: bool,
    /// The trace has ended, and its last value was at the pins for its whole time.
    pub is_flushed: bool,
}

/// The sink.
#[derive(Clone, Debug)]
pub struct ChipPins {
    /// Cycles of half of a value.
    half_period: u32,
    /// Cycles for which the value has been at the pins.
    age: u32,
    clock: bool,
    value: Option<u64>,
}

impl ChipPins {
    /// A sink whose values take twice as many cycles, of which it may be 1 to 128.
    pub fn new(half_period: u8) -> Self {
        Self { half_period: half_period.into(), age: 0, clock: false, value: None }
    }

    /// What the sink says.
    pub fn outputs(&self, source: &Source) -> Outputs {
        Outputs {
            clock: self.clock,
            value: self.value,
            takes: self.age + 1 == 2 * self.half_period,
            is_flushed: source.is_flushed && self.value.is_none(),
        }
    }

    /// The end of the cycle.
    pub fn clock(&mut self, source: &Source) {
        self.age += 1;
        self.clock ^= self.age == self.half_period;
        if self.age == 2 * self.half_period {
            (self.age, self.value) = (0, source.beat);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_changes_in_the_middle_of_a_value() {
        let mut sink = ChipPins::new(2);
        let source = Source { beat: Some(5), enable: true, ..Source::default() };
        let shown = (0..12).map(|_| {
            let Outputs { clock, value, .. } = sink.outputs(&source);
            sink.clock(&source);
            (value.is_some(), clock)
        });
        let values = [false, true, true].map(|is_value| [is_value; 4]).concat();
        let clock = [[false, false, true, true], [true, true, false, false]].concat();
        let clock = clock.iter().chain(&clock).copied();
        assert!(shown.eq(values.into_iter().zip(clock)));
    }
}
