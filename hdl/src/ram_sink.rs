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
    pub RamSink("ram_sink") of (config: &Config) {
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
    memory words: [word_bits; words];
    reg is_open: 1;
    /// the last word of a ring that stops was written, and what comes is dropped
    reg is_full: 1;
    reg held: held_bits;
    reg count: count_bits;
    reg writes_at: pointer_bits;
    reg reads_at: pointer_bits;
    reg has_wrapped: 1;
    reg is_read: 1;
    reg word_read: word_bits = undefined;
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
    /// only the tail is left
    local is_tail: 1;
    local reads: 1;
    param has_parts = beats > 1;
    param beat_bits = beat_bits;
    param rest = word_bits - beat_bits;
    param tail_bits = tail_bits;
}

impl Logic for RamSink {
    #[hdl_gen]
    fn update(&mut self) {
        // The beats of a word.
        self.pads.next = 0.into();
        if self.has_parts.val() == 1 {
            self.pads.next = self.is_open.q.val()
                & !self.enable.val()
                & self.source_is_empty.val()
                & bits_to(self.count.q.val().any(), 1);
        }
        self.trace_ready.next = self.is_open.q.val() & !self.pads.val();
        self.takes.next = (self.trace_ready.val() & self.trace_valid.val()) | self.pads.val();
        self.beat.next = 0.into();
        if !self.pads.val().any() {
            self.beat.next = bits_to(self.trace_data.val(), self.beat.width());
        }
        self.completes.next = self.takes.val();
        self.full_word.next = self.beat.val();
        if self.has_parts.val() == 1 {
            self.completes.next = self.takes.val() & bits_to(self.count.q.val().all(), 1);
            self.full_word.next =
                (self.beat.val() << self.rest.val()) | (self.held.q.val() >> self.beat_bits.val());
            if self.takes.val().any() {
                self.held.d.next = self.full_word.val();
                self.count.d.next = self.count.q.val() + 1;
            }
        }

        // The memory, whose only address is that of what is written or read.
        self.reads.next = !self.is_open.q.val() & !self.is_read.q.val();
        self.address.next = self.writes_at.q.val();
        if !self.is_open.q.val().any() {
            self.address.next = self.reads_at.q.val();
        }
        self.writes.next = self.completes.val() & !self.is_full.q.val();
        self.words.write_enable.next = self.writes.val();
        self.words.write_address.next = self.address.val();
        self.words.write_data.next = self.full_word.val();
        self.words.read_address.next = self.address.val();
        if self.reads.val().any() {
            self.word_read.d.next = self.words.read_data.val();
        }
        self.is_read.d.next = !self.is_open.q.val();

        // The ring. The memory ends where a limit is before the pointer.
        self.left.next = self.limit.val() - self.address.val();
        self.is_last.next =
            !bits_to(self.left.val().any(), 1) | bits_to(self.address.val().all(), 1);
        self.is_tail.next = !bits_to((self.left.val() >> self.tail_bits.val()).any(), 1);
        self.stopped.next = self.stop_when_full.val()
            & ((self.completes.val() & (self.is_last.val() | self.is_tail.val()))
                | self.is_full.q.val());
        if self.writes.val().any() {
            self.writes_at.d.next = self.writes_at.q.val() + 1;
            if self.is_last.val().any() {
                self.writes_at.d.next = 0.into();
                self.has_wrapped.d.next = 1.into();
                self.is_full.d.next = self.stop_when_full.val();
            }
        }
        if self.enable.val().any() {
            self.is_open.d.next = 1.into();
        } else if self.source_is_empty.val().any()
            && !(self.takes.val() & !self.completes.val()).any()
        {
            self.is_open.d.next = 0.into();
            self.is_full.d.next = 0.into();
        }

        // What the registers read and write.
        self.read_ready.next = self.is_open.q.val() | self.is_read.q.val() | self.clear.val();
        self.read_word.next = 0.into();
        if !self.is_open.q.val().any() {
            if !self.clear.val().any() {
                self.read_word.next = self.word_read.q.val();
            }
            if self.read.val().any() {
                self.reads_at.d.next = self.reads_at.q.val() + 1;
                if self.is_last.val().any() {
                    self.reads_at.d.next = 0.into();
                }
                self.is_read.d.next = 0.into();
            }
            if self.load_read_pointer.val().any() {
                self.reads_at.d.next = self.loaded_read_pointer.val();
                self.is_read.d.next = 0.into();
            }
        }
        if self.load_write_pointer.val().any() {
            self.writes_at.d.next = self.loaded_write_pointer.val();
        }
        if self.load_wrapped.val().any() {
            self.has_wrapped.d.next = self.loaded_wrapped.val();
        }
        self.is_empty.next = !self.is_open.q.val() & !self.enable.val();
        self.write_pointer.next = self.writes_at.q.val();
        self.wrapped.next = self.has_wrapped.q.val();
        self.read_pointer.next = self.reads_at.q.val();

        if self.clear.val().any() {
            self.is_open.d.next = 0.into();
            self.is_full.d.next = 0.into();
            self.writes_at.d.next = 0.into();
            self.reads_at.d.next = 0.into();
            self.has_wrapped.d.next = 0.into();
            self.is_read.d.next = 0.into();
            if self.has_parts.val() == 1 {
                self.count.d.next = 0.into();
            }
        }
    }
}
