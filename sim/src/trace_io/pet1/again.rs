//! Events that were written before: most events were, after one at the same address, and their bytes need not be made
//! again.

use super::*;
use crate::bits_file::Fingerprint;
use crate::trace_io::marks::Marks;
use crate::trace_io::validate::Run;

/// The most events that are put together.
const RUN_MOST: usize = 64;

/// log2 of the places.
const PLACE_BITS: u32 = 12;

/// The most bytes of a record that is kept.
const KEPT_BYTES_MAX: usize = 16;

/// An event after one at an address, and its record.
#[derive(Clone, Copy)]
struct Put {
    event: Event,
    previous: u64,
    bytes: [u8; KEPT_BYTES_MAX],
    /// 0 for nothing.
    size: usize,
    mix: u64,
}

impl Put {
    /// Of no valid event.
    const NOTHING: Put = Put {
        event: Event { thread: u8::MAX, ..Event::straight_run(0, 0) },
        previous: 0,
        bytes: [0; KEPT_BYTES_MAX],
        size: 0,
        mix: 0,
    };

    /// True if it is of this event.
    #[inline(always)]
    fn is(&self, event: &Event, previous: u64) -> bool {
        let numbers = (event.instructions ^ self.event.instructions)
            | (event.program_counter ^ self.event.program_counter)
            | (event.target ^ self.event.target)
            | (previous ^ self.previous)
            | (said(event) ^ said(&self.event));
        numbers == 0
    }
}

/// All of an event but its numbers.
#[inline(always)]
fn said(event: &Event) -> u64 {
    u64::from_le_bytes([
        event.kind as u8,
        event.call.into(),
        event.is_return.into(),
        event.taken.into(),
        event.length,
        event.thread,
        0,
        0,
    ])
}

/// Events that were written before, each at the place that it hashes to.
#[derive(Default)]
pub(super) struct Again {
    puts: Vec<Put>,
}

#[inline(always)]
fn place(event: &Event, previous: u64) -> usize {
    let mixed = event.program_counter ^ event.target.rotate_left(24) ^ previous.rotate_left(44);
    (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - PLACE_BITS)) as usize
}

impl Encoder {
    /// Puts the first of these items into `bytes` that are events of one thread, each of which was put before, after one at
    /// the same address, until there are so many bytes in all. Gives what they are together.
    pub(in crate::trace_io) fn put_again(
        &mut self,
        items: &[Item],
        bytes: &mut Vec<u8>,
        bytes_most: usize,
        mut marks: Option<&mut Marks>,
    ) -> Run {
        let mut run = Run::default();
        let (Some(Item::Event(Event { thread, .. })), Some(puts)) =
            (items.first(), self.again.puts.first_chunk::<{ 1 << PLACE_BITS }>())
        else {
            return run;
        };
        let (thread, at) = (*thread, usize::from(*thread) % THREADS);
        let mut previous = self.previous.program_counters[at];
        let items = &items[..items.len().min(RUN_MOST)];
        let begin = bytes.len();
        bytes.resize(begin + KEPT_BYTES_MAX * items.len(), 0);
        let mut rest = &mut bytes[begin..];
        let mut size = 0;
        for item in items {
            let Item::Event(event) = item else { break };
            let put = &puts[place(event, previous)];
            let Some(record) = rest.first_chunk_mut() else { break };
            let is_full = begin + size >= bytes_most;
            if is_full || !put.is(event, previous) || event.thread != thread {
                break;
            }
            *record = put.bytes;
            rest = &mut rest[put.size & (2 * KEPT_BYTES_MAX - 1)..];
            size += put.size;
            previous = event.program_counter;
            run.add(event);
            if let Some(marks) = &mut marks {
                marks.fingerprint.take(thread, put.mix);
            }
        }
        bytes.truncate(begin + size);
        self.previous.program_counters[at] = previous;
        run
    }

    /// Keeps an event that is put after one at this address, as the bytes that were put.
    fn keep(&mut self, event: &Event, previous: u64, record: &[u8]) {
        // What there is to check of others depends on what comes before.
        let is_sound_again = event.instructions > 0 && !self.extensions.data;
        if !is_sound_again || record.len() > KEPT_BYTES_MAX {
            return;
        }
        if self.again.puts.is_empty() {
            self.again.puts.resize(1 << PLACE_BITS, Put::NOTHING);
        }
        let mut bytes = [0; KEPT_BYTES_MAX];
        bytes[..record.len()].copy_from_slice(record);
        let (size, mix) = (record.len(), Fingerprint::mix_of(event));
        if let Some(put) = self.again.puts.get_mut(place(event, previous)) {
            *put = Put { event: *event, previous, bytes, size, mix };
        }
    }

    /// Puts a valid event into `bytes`.
    pub(in crate::trace_io) fn put(&mut self, event: &Event, bytes: &mut Vec<u8>) {
        let previous = self.previous.program_counters[usize::from(event.thread) % THREADS];
        let begin = bytes.len();
        self.put_first(event, bytes);
        self.keep(event, previous, &bytes[begin..]);
    }
}
