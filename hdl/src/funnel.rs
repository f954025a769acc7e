//! Bytes of several traces in one stream, in frames that say whose they are.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::funnel::{Config, SYNC, WAITING_BYTES};

use crate::encode::fifo::Fifo;

block! {
    /// Bytes of several traces in one stream, in frames of 16 bytes that say whose they are.
    pub Funnel("funnel") of (config: &Config) {
        let sources = config.sources as usize;
        let turn_bits = index_bits(config.turn_bytes + 1) as usize;
        let frame_bits = index_bits(config.sync_frames) as usize;
    }
    parameters {
        sources,
        first_id = config.first_id as usize,
        turn_bytes = config.turn_bytes as usize,
        sync_frames = config.sync_frames as usize,
    }

    /// the next byte of a source
    in source_data: 8 for _ in 0..sources;
    in source_valid: 1 for _ in 0..sources;
    out source_ready: 1 for _ in 0..sources;
    /// level: what waits leaves, although it fills no frame
    in flush: 1;
    /// all that was taken has left, in a whole frame
    out flushed: 1;
    out trace_data: 8;
    out trace_valid: 1;
    in trace_ready: 1;
    block waiting: Fifo(WAITING_BYTES, 0, 8, true) for _ in 0..sources;
    /// place in the frame
    reg position: 4;
    /// bytes of a synchronisation word that are still to come
    reg sync: 3 = SYNC.len() as u64;
    reg frames: frame_bits;
    /// one hot, or 0: whose number came last
    reg current: sources;
    /// the number of the current source came after the last synchronisation word
    reg is_told: 1;
    /// one hot, or 0: whose byte is next at an odd place
    reg odd: sources;
    reg last_byte: 8;
    /// bytes of the current source in its turn
    reg turn: turn_bits;
    reg sent_valid: 1;
    reg sent: 8;
    /// sources with a byte
    local available: sources;
    /// sources with two bytes or more
    local pairs: sources;
    local others: sources;
    /// those of them that are in turn before the first source
    local later: sources;
    /// one hot: the next one in turn
    local following: sources;
    local has_byte: 1;
    local has_other: 1;
    local is_last_even: 1;
    local is_last: 1;
    local is_sync: 1;
    /// the current source keeps its turn
    local stays: 1;
    local at_even: 1;
    local sends_odd: 1;
    local sends_data: 1;
    /// no byte and no number of the current source
    local changes: 1;
    /// the number of the same source again
    local sends_again: 1;
    local sends_id: 1;
    local sends_null: 1;
    local sends: 1;
    /// whose byte is sent
    local takes: sources;
    local head: 8;
    /// whose number is sent
    local named: sources;
    local id: 8;
    local next_byte: 8;
    /// a byte goes to the output register
    local moves: 1;
    /// the bit of this place in the last byte
    local marks: 1;
    /// the current source has a byte that comes after the number of the next one
    local lags: 1;
    local counts: 1;
    constant sync_bytes: 3 = SYNC.len() as u64;
    constant sync_byte: 8 = u64::from(SYNC[0]);
    constant sync_end: 8 = u64::from(SYNC[3]);
    /// nobody's number
    constant null_id: 8 = 1;
    param pair = 2usize;
    param turn_bytes = config.turn_bytes as usize;
    param last_frame = config.sync_frames as usize - 1;
    param id_byte = Word::new(8, u64::from(config.id_byte(source))) for source in 0..sources;
}

impl Logic for Funnel {
    #[hdl_gen]
    fn update(&mut self) {
        self.available.next = 0.into();
        self.pairs.next = 0.into();
        for at in 0..self.current.width() {
            self.waiting[at].in_.valid.next = self.source_valid[at].val();
            self.waiting[at].in_.word.next = self.source_data[at].val();
            self.source_ready[at].next = self.waiting[at].in_.ready.val();
            if self.waiting[at].out_.valid.val().any() {
                self.available.next = self.available.val().replace_bit(at, true);
            }
            if self.waiting[at].level.val() >= self.pair.val() {
                self.pairs.next = self.pairs.val().replace_bit(at, true);
            }
        }

        // Whose turn it is.
        self.others.next = self.available.val() & !self.current.q.val();
        self.later.next = self.others.val() & !(self.current.q.val() | (self.current.q.val() - 1));
        self.following.next = self.others.val() & (!self.others.val() + 1);
        if self.later.val().any() {
            self.following.next = self.later.val() & (!self.later.val() + 1);
        }
        self.has_byte.next = bits_to((self.available.val() & self.current.q.val()).any(), 1);
        self.has_other.next = bits_to(self.others.val().any(), 1);
        self.stays.next = !self.has_other.val();
        if self.turn.q.val() != self.turn_bytes.val() {
            self.stays.next = 1.into();
        }

        // What is sent.
        self.is_sync.next = bits_to(self.sync.q.val().any(), 1);
        self.is_last.next = bits_to(self.position.q.val().all(), 1);
        self.is_last_even.next = bits_to(self.position.q.val() == 14, 1);
        self.sends_odd.next = 0.into();
        self.at_even.next = 0.into();
        if !self.is_sync.val().any() && !self.is_last.val().any() {
            self.sends_odd.next = bits_to(self.position.q.val().get_bit(0), 1);
            self.at_even.next = !self.sends_odd.val();
        }
        self.sends_again.next =
            self.at_even.val() & self.has_byte.val() & self.stays.val() & !self.is_told.q.val();
        self.sends_data.next = self.at_even.val()
            & self.has_byte.val()
            & self.stays.val()
            & self.is_told.q.val()
            & (bits_to((self.pairs.val() & self.current.q.val()).any(), 1)
                | self.is_last_even.val());
        self.changes.next = self.at_even.val() & !self.sends_again.val() & !self.sends_data.val();
        self.sends_id.next = self.changes.val() & self.has_other.val();
        self.sends_null.next = self.changes.val()
            & !self.has_other.val()
            & self.flush.val()
            & (self.has_byte.val() | bits_to(self.position.q.val().any(), 1));
        self.sends.next = self.is_sync.val()
            | self.is_last.val()
            | self.sends_odd.val()
            | self.sends_data.val()
            | self.sends_again.val()
            | self.sends_id.val()
            | self.sends_null.val();
        self.moves.next = self.sends.val() & (!self.sent_valid.q.val() | self.trace_ready.val());
        self.takes.next = 0.into();
        if self.sends_odd.val().any() {
            self.takes.next = self.odd.q.val();
        } else if self.sends_data.val().any() {
            self.takes.next = self.current.q.val();
        }
        self.named.next = self.following.val();
        if self.sends_again.val().any() {
            self.named.next = self.current.q.val();
        }
        self.head.next = 0.into();
        self.id.next = self.null_id.val();
        for at in 0..self.current.width() {
            self.waiting[at].out_.ready.next = 0.into();
            if self.takes.val().get_bit(at) {
                self.head.next = self.waiting[at].out_.word.val();
                self.waiting[at].out_.ready.next = self.moves.val();
            }
            if self.named.val().get_bit(at) {
                self.id.next = self.id_byte[at].val();
            }
        }
        self.next_byte.next = self.id.val();
        if self.is_sync.val().any() {
            self.next_byte.next = self.sync_byte.val();
            if self.sync.q.val() == 1 {
                self.next_byte.next = self.sync_end.val();
            }
        } else if self.is_last.val().any() {
            self.next_byte.next = self.last_byte.q.val();
        } else if self.sends_odd.val().any() {
            self.next_byte.next = self.head.val();
        } else if self.sends_data.val().any() {
            self.next_byte.next = self.head.val().replace_bit(0, false);
        }
        self.trace_valid.next = self.sent_valid.q.val();
        self.trace_data.next = self.sent.q.val();
        if self.trace_ready.val().any() {
            self.sent_valid.d.next = 0.into();
        }
        if self.moves.val().any() {
            self.sent_valid.d.next = 1.into();
            self.sent.d.next = self.next_byte.val();
        }

        // Where the frame is then.
        self.lags.next = self.has_byte.val() & self.is_told.q.val() & !self.is_last_even.val();
        self.marks.next = 0.into();
        if self.sends_data.val().any() {
            self.marks.next = bits_to(self.head.val().get_bit(0), 1);
        } else if self.sends_id.val().any() || self.sends_null.val().any() {
            self.marks.next = self.lags.val();
        }
        self.counts.next = self.sends_data.val();
        if self.odd.q.val() == self.current.q.val() {
            self.counts.next = self.sends_data.val() | self.sends_odd.val();
        }
        if self.moves.val().any() {
            if self.is_sync.val().any() {
                self.sync.d.next = self.sync.q.val() - 1;
            } else {
                self.position.d.next = self.position.q.val() + 1;
            }
            for bit in 0..self.last_byte.width() {
                if self.marks.val().any() && self.position.q.val() == (bit * 2) {
                    self.last_byte.d.next = self.last_byte.q.val().replace_bit(bit, true);
                }
            }
            if self.is_last.val().any() && !self.is_sync.val().any() {
                self.last_byte.d.next = 0.into();
                self.frames.d.next = self.frames.q.val() + 1;
                if self.frames.q.val() == self.last_frame.val() {
                    self.frames.d.next = 0.into();
                    self.sync.d.next = self.sync_bytes.val();
                    self.is_told.d.next = 0.into();
                }
            }
            if self.sends_data.val().any() || self.sends_again.val().any() {
                self.odd.d.next = self.current.q.val();
                self.is_told.d.next = 1.into();
            }
            if self.counts.val().any() && self.turn.q.val() != self.turn_bytes.val() {
                self.turn.d.next = self.turn.q.val() + 1;
            }
            if self.sends_id.val().any() || self.sends_null.val().any() {
                self.current.d.next = self.following.val();
                self.is_told.d.next = 1.into();
                self.odd.d.next = self.following.val();
                if self.lags.val().any() {
                    self.odd.d.next = self.current.q.val();
                }
                self.turn.d.next = 0.into();
            }
        }
        self.flushed.next = self.flush.val()
            & !self.sent_valid.q.val()
            & !self.is_sync.val()
            & !bits_to(self.position.q.val().any(), 1)
            & !bits_to(self.available.val().any(), 1);
    }
}
