//! Reading most records of PET1: events of few instructions and with short differences, in a trace without accesses and of
//! no more than four threads.

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

impl Decoder {
    /// Appends the next events of one thread until there are so many items, or a record is not a plain one.
    pub(super) fn plain_events(&mut self, items: &mut Vec<Item>, most: usize) {
        let Extensions { lengths, data, threads, .. } = self.validator.extensions();
        let mut ahead = self.source.ahead();
        let available = ahead.len();
        let thread = ahead.get(1).map_or(0, |kind_byte| kind_byte >> KIND_THREAD);
        if data | threads {
            return;
        }
        let rules = Rules {
            lengths,
            bad_address_bits: self.validator.bad_address_bits(),
            bad_length_bits: self.validator.bad_length_bits(),
            thread,
        };
        let program_counter = self.previous.program_counters[usize::from(thread)];
        let mut run = Run { program_counter, ..Run::default() };
        while items.len() < most
            && let Some(bytes) = ahead.first_chunk()
            && let Some((event, size)) = rules.event(bytes, run.program_counter)
        {
            items.push(Item::Event(event));
            ahead = &ahead[size..];
            run.add(&event);
        }
        if run.events > 0 {
            self.previous.program_counters[usize::from(thread)] = run.program_counter;
            self.validator.accept(thread, &run);
        }
        let taken = available - ahead.len();
        self.source.advance(taken);
    }
}
