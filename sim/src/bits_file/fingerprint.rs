//! A number that tells executions apart.

use crate::event::{Access, AccessSite, Event};

/// Threads that a trace can have.
const THREADS: usize = 8;

/// A rolling 64-bit hash over every event of each thread of an execution, in order, summed up: the
/// order between threads, which a trace of several cores gives finer than it came, is not in it.
///
/// Two executions that differ in one event never share it, others do by a chance of 2^-64. It
/// covers what a trace always says: instructions, kind, call, return, outcome, thread, program
/// counter and target; of accesses instructions, program counter, data address, store and thread. The
/// length of an instruction, which a trace may leave out, is not in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fingerprint([u64; THREADS]);

impl Fingerprint {
    /// The hash of the events so far.
    pub fn value(self) -> u64 {
        self.0.into_iter().fold(0, u64::wrapping_add)
    }

    /// Takes in the next event.
    #[inline]
    pub fn add(&mut self, event: &Event) {
        self.take(event.thread, Fingerprint::mix_of(event));
    }

    /// Takes in the next memory access, where they are what is traced.
    #[inline]
    pub fn add_access(&mut self, access: &Access) {
        let Access { site, address } = *access;
        // A kind that no event has.
        let flags = 7 | u64::from(site.store) << 3;
        let AccessSite { instructions, program_counter, thread, .. } = site;
        self.take(thread, mix(thread, flags, [instructions, program_counter, address]));
    }

    /// What is taken in of an event.
    #[inline]
    pub(crate) fn mix_of(event: &Event) -> u64 {
        let flags = event.kind as u64
            | u64::from(event.call) << 3
            | u64::from(event.is_return) << 4
            | u64::from(event.taken) << 5;
        let Event { instructions, program_counter, target, thread, .. } = *event;
        mix(thread, flags, [instructions, program_counter, target])
    }

    /// Takes in what there is of the next event of a thread.
    #[inline(always)]
    pub(crate) fn take(&mut self, thread: u8, mix: u64) {
        let state = &mut self.0[usize::from(thread) % THREADS];
        *state = (state.rotate_left(27) ^ mix).wrapping_mul(0x082e_fa98_ec4e_6c89);
    }
}

#[inline]
fn mix(thread: u8, flags: u64, numbers: [u64; 3]) -> u64 {
    let [instructions, program_counter, address] = numbers;
    let flags = flags | u64::from(thread) << 6;
    // The three products do not wait for the state: one multiplication an event is on the
    // critical path. Odd constants, from the digits of pi, keep every step reversible.
    program_counter.wrapping_mul(0x243f_6a88_85a3_08d3)
        ^ address.wrapping_mul(0x1319_8a2e_0370_7345).rotate_left(21)
        ^ (instructions.rotate_left(8) ^ flags).wrapping_mul(0xa409_3822_299f_31d1).rotate_left(42)
}

#[cfg(test)]
mod tests {
    use super::Fingerprint;
    use crate::event::{Access, AccessSite, Event, Kind};

    fn of(events: &[Event]) -> u64 {
        let mut fingerprint = Fingerprint::default();
        events.iter().for_each(|event| fingerprint.add(event));
        fingerprint.value()
    }

    #[test]
    fn every_field_and_the_order_count() {
        let event = Event {
            instructions: 3,
            program_counter: 0x1000,
            target: 0x2000,
            kind: Kind::DirectConditional,
            call: false,
            is_return: false,
            taken: true,
            length: 0,
            thread: 0,
        };
        let others = [
            Event { instructions: 4, ..event },
            Event { program_counter: 0x1004, ..event },
            Event { target: 0x2004, ..event },
            Event { kind: Kind::DirectJump, ..event },
            Event { call: true, ..event },
            Event { is_return: true, ..event },
            Event { taken: false, ..event },
        ];
        for other in others {
            assert_ne!(of(&[event]), of(&[other]), "{other:?}");
            assert_ne!(of(&[event, other]), of(&[other, event]), "{other:?}");
        }
        assert_ne!(of(&[event]), of(&[event, event]));
        let elsewhere = Event { thread: 1, ..event };
        assert_ne!(of(&[event]), of(&[elsewhere]));
        assert_eq!(of(&[event, elsewhere]), of(&[elsewhere, event]));
        assert_eq!(of(&[event]), of(&[Event { length: 4, ..event }]));
    }

    #[test]
    fn every_field_of_an_access_counts() {
        let site = AccessSite { instructions: 3, program_counter: 0x1000, store: false, thread: 0 };
        let access = Access { site, address: 0x2000 };
        let of = |access: Access| {
            let mut fingerprint = Fingerprint::default();
            fingerprint.add_access(&access);
            fingerprint.value()
        };
        for other in [
            Access { address: 0x2001, ..access },
            Access { site: AccessSite { instructions: 4, ..site }, ..access },
            Access { site: AccessSite { program_counter: 0x1004, ..site }, ..access },
            Access { site: AccessSite { store: true, ..site }, ..access },
            Access { site: AccessSite { thread: 1, ..site }, ..access },
        ] {
            assert_ne!(of(access), of(other), "{other:?}");
        }
    }
}
