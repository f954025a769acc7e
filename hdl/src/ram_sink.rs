//! A ring in a memory, which takes the words of a trace.
//!
//! The memory has one port: it is written while the sink is open, and read while it is not.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::ram_sink::{Config, WORD_BITS};

block! {
    /// Keeps the last words of a trace in a ring, for registers that read them.
    ///
    /// A beat goes into a register from above and shifts what came before down, so that a word is complete after its
    /// last beat. When the sink is switched off and its source is empty, beats of zeros fill the last word up.
    ///
    /// A ring that stops does so when only its tail is left, which is for what then comes out of the source. What does not
    /// fit there is taken and dropped.
    pub RamSink("ram_sink") of (config: &Config, registers: bool) {
        let beat_bits = config.port_bits as usize;
        let beats = (WORD_BITS / config.port_bits) as usize;
        let count_bits = index_bits(beats as u32) as usize;
        let words = config.words() as usize;
        let pointer_bits = index_bits(config.words()) as usize;
        let word_bits = WORD_BITS as usize;
        let held_bits = if beats > 1 { word_bits } else { 0 };
        let tail_bits = index_bits(config.tail_words) as usize;
    }
    parameters {
        words,
        tail_words = 1 << tail_bits,
        trace_port_width = beat_bits,
        registers if registers,
    }

    in trace_data: beat_bits;
    in trace_valid: 1;
    out trace_ready: 1;
    /// level: the sink takes the trace
    in enable: 1;
    /// level: everything is as after reset, but for the memory
    in clear: 1;
    /// no bit of the trace will come before `enable` rises
    in source_is_empty: 1;
    /// the sink stops when the tail of the ring is reached, and overwrites nothing
    in stop_when_full: 1;
    /// the last word of the ring
    in limit: pointer_bits;
    /// the sink asks for the end of the trace
    out stopped: 1;
    /// all that was taken is in the memory, and no more is taken
    out is_empty: 1;
    in load_write_pointer: 1;
    in loaded_write_pointer: pointer_bits;
    /// the word that is written next
    out write_pointer: pointer_bits;
    in load_wrapped: 1;
    in loaded_wrapped: 1;
    /// the last word of the ring was written
    out wrapped: 1;
    in load_read_pointer: 1;
    in loaded_read_pointer: pointer_bits;
    /// the word that is read
    out read_pointer: pointer_bits;
    /// the word was read, and the pointer goes on
    in read: 1;
    /// the word at the read pointer, 0 while the sink is not empty
    out read_word: word_bits;
    /// the word is there
    out read_ready: 1;
    memory words: [word_bits; words] { synchronous: true };
    reg is_open: 1;
    /// the last word of a ring that stops was written, and what comes is dropped
    reg is_full: 1;
    reg held: held_bits;
    reg count: count_bits;
    reg writes_at: pointer_bits;
    reg reads_at: pointer_bits;
    reg has_wrapped: 1;
    reg is_read: 1;
    /// the memory has read the word, which then comes into a register
    reg is_addressed: usize::from(registers);
    reg held_word: if registers { word_bits } else { 0 } = undefined;
    /// beats of zeros fill a word up
    local pads: 1;
    local takes: 1;
    local beat: word_bits;
    local completes: 1;
    local full_word: word_bits;
    local address: pointer_bits;
    /// a word is written
    local writes: 1;
    /// words of the ring after this one
    local left: pointer_bits;
    local is_last: 1;
    /// the word that is read is the last one of the ring
    local reads_last: usize::from(registers);
    /// only the tail is left
    local is_tail: 1;
    param has_parts = beats > 1;
    param has_registers = usize::from(registers);
    param beat_bits = beat_bits;
    param rest = word_bits - beat_bits;
    param tail_bits = tail_bits;
}

#[kernel]
impl Logic for RamSink {
    fn update(&mut self) {
        // The beats of a word.
        pads = 0;
        if when(has_parts) {
            pads = is_open.q & !enable & source_is_empty & bit(count.q);
        }
        trace_ready = is_open.q & !pads;
        takes = (trace_ready & trace_valid) | pads;
        beat = 0;
        if !pads {
            beat = resized(trace_data);
        }
        completes = takes;
        full_word = beat;
        if when(has_parts) {
            completes = takes & bit(count.q.all());
            full_word = (beat << rest) | (held.q >> beat_bits);
            if takes {
                held.d = full_word;
                count.d = count.q + 1;
            }
        }

        // The memory, whose only address is that of what is written or read.
        address = writes_at.q;
        if !is_open.q {
            address = reads_at.q;
        }
        writes = completes & !is_full.q;
        words.write_enable = writes;
        words.write_address = address;
        words.write_data = full_word;
        words.read_address = address;
        is_read.d = !is_open.q;
        if when(has_registers) {
            held_word.d = words.read_data;
            is_addressed.d = !is_open.q;
            is_read.d = is_addressed.q & !is_open.q;
        }

        // The ring. The memory ends where a limit is before the pointer.
        if when(has_registers) {
            // For each pointer by itself, so that which one it is comes late.
            left = limit - writes_at.q;
            is_last = bit(writes_at.q == limit) | bit(writes_at.q.all());
            reads_last = bit(reads_at.q == limit) | bit(reads_at.q.all());
        } else {
            left = limit - address;
            is_last = !bit(left) | bit(address.all());
        }
        is_tail = !bit(left >> tail_bits);
        stopped = stop_when_full & ((completes & (is_last | is_tail)) | is_full.q);
        if writes {
            writes_at.d = writes_at.q + 1;
            if is_last {
                writes_at.d = 0;
                has_wrapped.d = 1;
                is_full.d = stop_when_full;
            }
        }
        if enable {
            is_open.d = 1;
        } else if source_is_empty && !(takes & !completes) {
            is_open.d = 0;
            is_full.d = 0;
        }

        // What the registers read and write.
        read_ready = is_open.q | is_read.q | clear;
        read_word = 0;
        if !is_open.q {
            if !clear {
                read_word = words.read_data;
                if when(has_registers) {
                    read_word = held_word.q;
                }
            }
            if read {
                reads_at.d = reads_at.q + 1;
                if when(has_registers) {
                    if reads_last {
                        reads_at.d = 0;
                    }
                } else if is_last {
                    reads_at.d = 0;
                }
                is_read.d = 0;
                if when(has_registers) {
                    is_addressed.d = 0;
                }
            }
            if load_read_pointer {
                reads_at.d = loaded_read_pointer;
                is_read.d = 0;
                if when(has_registers) {
                    is_addressed.d = 0;
                }
            }
        }
        if load_write_pointer {
            writes_at.d = loaded_write_pointer;
        }
        if load_wrapped {
            has_wrapped.d = loaded_wrapped;
        }
        is_empty = !is_open.q & !enable;
        write_pointer = writes_at.q;
        wrapped = has_wrapped.q;
        read_pointer = reads_at.q;

        if clear {
            is_open.d = 0;
            is_full.d = 0;
            writes_at.d = 0;
            reads_at.d = 0;
            has_wrapped.d = 0;
            is_read.d = 0;
            if when(has_registers) {
                is_addressed.d = 0;
            }
            if when(has_parts) {
                count.d = 0;
            }
        }
    }
}
