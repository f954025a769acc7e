//! Writing PET1.

use super::*;

/// Turns events and accesses into PET1 bytes.
pub(in crate::trace_io) struct Encoder {
    pub(super) extensions: Extensions,
    pub(super) previous: Previous,
    pub(super) again: again::Again,
}

impl Encoder {
    /// An encoder that has put the header into `bytes`.
    pub(in crate::trace_io) fn new(
        machine: Machine,
        extensions: Extensions,
        bytes: &mut Vec<u8>,
    ) -> Encoder {
        let mut header = [0; HEADER_BYTES];
        header[..4].copy_from_slice(&MAGIC);
        header[4] = machine.isa as u8;
        header[5] = machine.alignment;
        header[6] = machine.address_bits;
        header[7] = extensions.flags();
        bytes.extend_from_slice(&header);
        Encoder { extensions, previous: Previous::default(), again: again::Again::default() }
    }

    /// Puts a valid event that was not put before into `bytes`.
    pub(super) fn put_first(&mut self, event: &Event, bytes: &mut Vec<u8>) {
        let flag = |set, bit| if set { bit } else { 0 };
        let kind_byte = event.kind as u8
            | flag(event.call, KIND_CALL)
            | flag(event.is_return, KIND_RETURN)
            | flag(event.taken, KIND_TAKEN);
        let previous = &mut self.previous.program_counters[usize::from(event.thread) % THREADS];
        let difference = |to: u64, from: u64| varint::to_zigzag(to.wrapping_sub(from) as i64);
        let counter_difference = difference(event.program_counter, *previous);
        let target_difference =
            if event.taken { difference(event.target, event.program_counter) } else { 0 };
        *previous = event.program_counter;
        let has_length = self.extensions.lengths && event.call;
        let is_short = event.instructions < 0x80 && !self.extensions.threads;
        if is_short && (counter_difference | target_difference) < varint::SHORT_END {
            let differences = [counter_difference as u32, target_difference as u32];
            return put_short(event, kind_byte, has_length, differences, bytes);
        }
        // All but the rarest records fit into a register, whose bytes are appended together: a look at
        // the capacity for every byte would cost more than all the rest.
        let mut record = Short::default();
        record.varint(event.instructions);
        record.byte(if self.extensions.threads {
            kind_byte
        } else {
            kind_byte | event.thread << KIND_THREAD
        });
        if self.extensions.threads {
            record.byte(event.thread);
        }
        if has_length {
            record.byte(event.length);
        }
        record.varint(counter_difference);
        if event.taken {
            record.varint(target_difference);
        }
        if record.fits {
            let end = bytes.len() + record.size as usize;
            bytes.extend_from_slice(&record.bytes.to_le_bytes());
            bytes.truncate(end);
            return;
        }
        varint::put(bytes, event.instructions);
        self.put_kind(kind_byte, event.thread, bytes);
        if has_length {
            bytes.push(event.length);
        }
        varint::put(bytes, counter_difference);
        if event.taken {
            varint::put(bytes, target_difference);
        }
    }

    /// Puts a valid access into `bytes`.
    pub(in crate::trace_io) fn put_access(&mut self, access: &Access, bytes: &mut Vec<u8>) {
        let Access { site, address } = *access;
        varint::put(bytes, site.instructions);
        self.put_kind(DATA_CODE | if site.store { KIND_STORE } else { 0 }, site.thread, bytes);
        let at = usize::from(site.thread);
        let previous = &mut self.previous;
        put_difference(site.program_counter, previous.program_counters[at], bytes);
        put_difference(address, previous.data_addresses[at], bytes);
        previous.program_counters[at] = site.program_counter;
        previous.data_addresses[at] = address;
    }

    /// Puts a valid state into `bytes`.
    pub(in crate::trace_io) fn put_state(&mut self, state: &ExecutionState, bytes: &mut Vec<u8>) {
        let ExecutionState { context, privilege, cause } = *state;
        varint::put(bytes, 0);
        self.put_kind(STATE_CODE | if cause.is_some() { STATE_CAUSE } else { 0 }, 0, bytes);
        varint::put(bytes, context);
        bytes.push(privilege);
        if let Some(cause) = cause {
            varint::put(bytes, cause);
        }
    }

    /// Puts the cycles before the next event into `bytes`.
    pub(in crate::trace_io) fn put_cycles(&mut self, cycles: u64, bytes: &mut Vec<u8>) {
        varint::put(bytes, 0);
        self.put_kind(CYCLES_CODE, 0, bytes);
        varint::put(bytes, cycles);
    }

    fn put_kind(&self, kind_byte: u8, thread: u8, bytes: &mut Vec<u8>) {
        if self.extensions.threads {
            bytes.extend([kind_byte, thread]);
        } else {
            bytes.push(kind_byte | thread << KIND_THREAD);
        }
    }
}

/// Puts an event of few instructions and short differences, which is most events.
#[inline(always)]
fn put_short(
    event: &Event,
    kind_byte: u8,
    has_length: bool,
    [counter, target]: [u32; 2],
    bytes: &mut Vec<u8>,
) {
    let mut head = event.instructions | u64::from(kind_byte | event.thread << KIND_THREAD) << 8;
    let mut head_size = 2;
    if has_length {
        (head, head_size) = (head | u64::from(event.length) << 16, 3);
    }
    let (counter, counter_size) = varint::spread_up_to_four(counter);
    let (target, target_size) = varint::spread_up_to_four(target);
    let first = bytes.len() + head_size + counter_size;
    bytes.extend_from_slice(&(head | u64::from(counter) << (8 * head_size)).to_le_bytes());
    bytes.truncate(first);
    bytes.extend_from_slice(&target.to_le_bytes());
    bytes.truncate(first + if event.taken { target_size } else { 0 });
}

/// A record of at most 16 bytes in the making.
struct Short {
    bytes: u128,
    size: u32,
    /// False once it has become too long.
    fits: bool,
}

impl Default for Short {
    fn default() -> Short {
        Short { bytes: 0, size: 0, fits: true }
    }
}

impl Short {
    #[inline(always)]
    fn byte(&mut self, byte: u8) {
        self.add(byte.into(), 1);
    }

    #[inline(always)]
    fn varint(&mut self, value: u64) {
        let (word, size) = varint::spread(value % varint::SPREAD_END);
        self.fits &= value < varint::SPREAD_END;
        self.add(word, size);
    }

    #[inline(always)]
    fn add(&mut self, word: u64, size: u32) {
        self.bytes |= u128::from(word).wrapping_shl(8 * self.size);
        self.size += size;
        self.fits &= self.size <= 16;
    }
}

fn put_difference(to: u64, from: u64, bytes: &mut Vec<u8>) {
    varint::put(bytes, varint::to_zigzag(to.wrapping_sub(from) as i64));
}
