//! Reading most records of PET1: events of few instructions and with short differences, in a trace without accesses and of
//! no more than four threads. Those that came before right after the same event are not worked out again.

use super::memo::{self, Before, KEPT_BYTES_MAX, Known};
use super::*;
use crate::trace_io::validate::Run;

/// What a kind byte says of an event.
#[derive(Clone, Copy)]
struct Said {
    kind: Kind,
    call: bool,
    is_return: bool,
    taken: bool,
}

/// What each kind byte says; `None` where that is no event, or one that is not allowed.
const SAID: [Option<Said>; 256] = {
    let mut all = [None; 256];
    let mut byte = 0;
    while byte < all.len() {
        let [call, is_return, taken] = [
            byte as u8 & KIND_CALL != 0,
            byte as u8 & KIND_RETURN != 0,
            byte as u8 & KIND_TAKEN != 0,
        ];
        let code = byte % (KIND_CODE as usize + 1);
        if code < Kind::ALL.len() && Validator::allows(Kind::ALL[code], call, is_return, taken) {
            all[byte] = Some(Said { kind: Kind::ALL[code], call, is_return, taken });
        }
        byte += 1;
    }
    all
};

/// What all plain records of a run keep.
struct Rules {
    lengths: bool,
    bad_address_bits: u64,
    bad_length_bits: u8,
    thread: u8,
}

impl Rules {
    /// What a plain record says after one before.
    #[inline(never)]
    fn known(
        &self,
        bytes: &[u8; RECORD_BYTES_MAX],
        before: Before,
        calls: Option<&CallLengths>,
    ) -> Option<Known> {
        let (event, size) = self.event(bytes, before.program_counter)?;
        Known::new(bytes, size, before, completed(event, calls))
    }

    /// The event of a plain record after one at an address, and the size of the record. Without the branches that a size
    /// would need, because sizes of varints are hard to predict.
    #[inline(always)]
    fn event(&self, bytes: &[u8; RECORD_BYTES_MAX], before: u64) -> Option<(Event, usize)> {
        let (instructions, kind_byte) = (bytes[0], bytes[1]);
        let Said { kind, call, is_return, taken } = SAID[usize::from(kind_byte)]?;
        let has_length = self.lengths & call;
        let length = if has_length { bytes[2] } else { 0 };
        let counter_at = 2 + usize::from(has_length);
        let (difference, counter_size) = varint::take_up_to_four(bytes, counter_at)?;
        let target_at = counter_at + counter_size;
        let (target_difference, target_size) = varint::take_up_to_four(bytes, target_at)?;
        let program_counter = before.wrapping_add_signed(difference);
        let target = if taken { program_counter.wrapping_add_signed(target_difference) } else { 0 };
        let thread = kind_byte >> KIND_THREAD;
        if ((program_counter | target) & self.bad_address_bits != 0)
            | (instructions.wrapping_sub(1) >= 0x7f)
            | (thread != self.thread)
            | (length & self.bad_length_bits != 0)
            | (has_length & (length == 0))
        {
            return None;
        }
        let instructions = instructions.into();
        let event = Event {
            instructions,
            program_counter,
            target,
            kind,
            call,
            is_return,
            taken,
            length,
            thread,
        };
        Some((event, target_at + if taken { target_size } else { 0 }))
    }
}

/// What is done with the events of a run.
pub(super) trait Taker {
    /// What it fails with.
    type Error;

    /// True until it has enough.
    fn is_hungry(&self) -> bool;

    /// True if it takes this event each time that it comes.
    fn takes_each(&self, event: &Event) -> bool;

    /// Takes a record that came before right after the same event.
    fn known(&mut self, known: &Known);

    /// Takes another one after a run, which ends with `last`.
    fn fresh(&mut self, run: &Run, last: Option<&Event>, known: &Known) -> Result<(), Self::Error>;

    /// Ends a run.
    fn end(&mut self, run: &Run, last: &Event);
}

impl Decoder {
    /// Keeps the next record, which has so many bytes and says this.
    pub(super) fn remember(&mut self, size: usize, event: Event) {
        let at = usize::from(event.thread) % THREADS;
        let program_counter = self.previous.program_counters[at];
        if let Some(leads_to) = self.leads_to[at]
            && let Some(bytes) = self.source.window().first_chunk()
            && let before = (Before { thread: event.thread, program_counter, leads_to })
            && let Some(known) = Known::new(bytes, size, before, event)
        {
            self.memo.keep(bytes, known);
        }
    }

    /// Gives the next events of one thread until there are enough, or a record is not a plain one.
    #[inline(always)]
    pub(super) fn plain_events<T: Taker>(&mut self, taker: &mut T) -> Result<(), T::Error> {
        let Extensions { lengths, data, threads, .. } = self.validator.extensions();
        if data | threads {
            return Ok(());
        }
        let Decoder { source, validator, previous, leads_to: next, memo, lengths: calls, .. } =
            self;
        let mut ahead = source.ahead();
        let available = ahead.len();
        let thread = ahead.get(1).map_or(0, |kind_byte| kind_byte >> KIND_THREAD);
        let at = usize::from(thread);
        let (Some(leads_to), Some(places)) = (next[at], memo.places()) else { return Ok(()) };
        let rules = Rules {
            lengths,
            bad_address_bits: validator.bad_address_bits(),
            bad_length_bits: validator.bad_length_bits(),
            thread,
        };
        let program_counter = previous.program_counters[at];
        let mut before = Before { thread, program_counter, leads_to };
        let mut run = Run::default();
        let (mut last, mut taken) = (0, Ok(()));
        while taker.is_hungry()
            && let Some(bytes) = ahead.first_chunk()
        {
            let place = memo::place(bytes, before);
            let is_known = places[place].is(bytes, before);
            if is_known && !taker.takes_each(&places[place].event) {
                taker.known(&places[place]);
            } else {
                let end = (run.events > 0).then(|| places[last].event);
                if !is_known {
                    let Some(known) = rules.known(bytes, before, calls.as_ref()) else { break };
                    places[place] = known;
                }
                taken = taker.fresh(&run, end.as_ref(), &places[place]);
                if taken.is_err() {
                    break;
                }
            }
            let known = &places[place];
            // With the mask it is known that they are there.
            ahead = &ahead[known.size & (2 * KEPT_BYTES_MAX - 1)..];
            run.add(&known.event);
            (before, last) = (known.after(), place);
        }
        if run.events > 0 {
            let last = &places[last].event;
            taker.end(&run, last);
            previous.program_counters[at] = before.program_counter;
            next[at] = Some(before.leads_to);
            validator.accept(last, &run);
        }
        let used = available - ahead.len();
        source.advance(used);
        taken
    }
}
