//! A ring in the memory of the system, which a manager of an AXI4 bus writes.
//!
//! A burst is due, its place is compared with the ring in the next clock, and from then on it is on its way until the
//! memory has answered.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::system_memory_sink::Config;

use crate::encode::fifo::Fifo;

block! {
    /// Writes the words of a trace into a ring in the memory of the system, in bursts on an AXI4 bus.
    ///
    /// A burst goes up to the next address that is a multiple of the longest burst's bytes, or up to the end of the
    /// ring. One that is on its way is always finished, as AXI wants it, also when the sink is cleared.
    pub SystemMemorySink("system_memory_sink") of (config: &Config) {
        let bus = config.bus;
        let port_bits = config.port_bits as usize;
        let word_bits = bus.data_bits as usize;
        let beats = (bus.data_bits / config.port_bits) as usize;
        let count_bits = index_bits(beats as u32) as usize;
        let held_bits = if beats > 1 { word_bits } else { 0 };
        let address_bits = bus.address_bits as usize;
        let place_bits = bus.place_bits() as usize;
        let beat_bits = bus.beat_bits() as usize;
        let waiting_words = config.waiting_words() as usize;
        let tail_bits = index_bits(config.tail_words) as usize;
    }
    parameters {
        address_bits,
        data_bits = word_bits,
        burst_beats = 1 << beat_bits,
        tail_words = 1 << tail_bits,
        trace_port_width = port_bits,
    }

    in trace_data: port_bits;
    in trace_valid: 1;
    out trace_ready: 1;
    /// level: the sink takes the trace
    in enable: 1;
    /// level: everything is as after reset, but for a burst on its way
    in clear: 1;
    /// no bit of the trace will come before `enable` rises
    in source_is_empty: 1;
    /// the sink stops when the tail of the ring is reached, and overwrites nothing
    in stop_when_full: 1;
    /// the first word of the ring
    in start: place_bits;
    /// the last word of the ring
    in limit: place_bits;
    /// the sink asks for the end of the trace
    out stopped: 1;
    /// all that was taken is in the memory, and no more is taken
    out is_empty: 1;
    /// while the sink is empty, the write pointer becomes another one
    in load_write_pointer: 1;
    in loaded_write_pointer: place_bits;
    /// the word that is written next
    out write_pointer: place_bits;
    in load_wrapped: 1;
    in loaded_wrapped: 1;
    /// the last word of the ring was written
    out wrapped: 1;
    /// the response that has ended the trace; 0 without one
    out error_response: 2;
    out m_axi_awaddr: address_bits;
    /// beats of the burst, less one
    out m_axi_awlen: 8;
    out m_axi_awsize: 3;
    out m_axi_awburst: 2;
    out m_axi_awcache: 4;
    out m_axi_awprot: 3;
    out m_axi_awvalid: 1;
    in m_axi_awready: 1;
    out m_axi_wdata: word_bits;
    out m_axi_wstrb: word_bits / 8;
    out m_axi_wlast: 1;
    out m_axi_wvalid: 1;
    in m_axi_wready: 1;
    in m_axi_bresp: 2;
    in m_axi_bvalid: 1;
    out m_axi_bready: 1;
    block waiting: Fifo(waiting_words, 0, word_bits, true);
    reg is_open: 1;
    reg held: held_bits;
    reg count: count_bits;
    reg writes_at: place_bits;
    reg has_wrapped: 1;
    reg response: 2;
    /// a burst is due, and its place is compared with the ring
    reg checks: 1;
    /// the write pointer was outside of the ring and has become its start
    reg is_corrected: 1;
    reg is_writing: 1;
    /// the address of the burst is not taken yet
    reg address_waits: 1;
    /// words of the burst are not taken yet
    reg data_waits: 1;
    /// beats of the burst, less one
    reg length: beat_bits;
    /// those that are not taken yet, less one
    reg beats_left: beat_bits;
    /// the burst has the last word of the ring
    reg ends_ring: 1;
    /// what waits and what comes is dropped until the sink is off
    reg drops: 1;
    /// the sink was cleared, and a burst may still be on its way
    reg resets: 1;
    /// beats of zeros fill a word up
    local pads: 1;
    local takes: 1;
    local beat: word_bits;
    local completes: 1;
    local full_word: word_bits;
    local is_ready: 1;
    /// the end of the ring is in reach of a burst
    local is_near_end: 1;
    local place: beat_bits;
    /// words up to the end of the burst or of the ring, less one
    local room: beat_bits;
    local is_due: 1;
    local is_outside: 1;
    /// words of the ring after this one
    local left: place_bits;
    local is_tail: 1;
    local is_stopping: 1;
    local sends: 1;
    local is_answered: 1;
    local is_idle: 1;
    param has_parts = beats > 1;
    param port_bits = port_bits;
    param rest = word_bits - port_bits;
    param beat_bits = beat_bits;
    param tail_bits = tail_bits;
    param word_shift = address_bits - place_bits;
    constant all_bytes: word_bits / 8 = u64::MAX >> (64 - word_bits / 8);
    constant size: 3 = u64::from(bus.word_bytes().ilog2());
    /// addresses that grow
    constant incrementing: 2 = 1;
    /// normal memory that is not cached; a write may wait in a buffer
    constant bufferable: 4 = 3;
}

#[kernel]
impl Logic for SystemMemorySink {
    fn update(&mut self) {
        // The beats of a word, which are taken while there is room for it: when there is none, no part of it is held.
        is_ready = is_open.q & waiting.in_.ready;
        pads = 0;
        if when(has_parts) {
            pads = is_open.q & !enable & source_is_empty & bit(count.q);
        }
        trace_ready = is_ready & !pads;
        takes = (trace_ready & trace_valid) | pads;
        beat = 0;
        if !pads {
            beat = resized(trace_data);
        }
        completes = takes;
        full_word = beat;
        if when(has_parts) {
            completes = takes & bit(count.q.all());
            full_word = (beat << rest) | (held.q >> port_bits);
            if takes {
                held.d = full_word;
                count.d = count.q + 1;
            }
        }
        waiting.in_.valid = completes;
        waiting.in_.word = full_word;

        // The next burst.
        place = resized(writes_at.q);
        is_near_end = bit((limit >> beat_bits) == (writes_at.q >> beat_bits));
        room = !place;
        if is_near_end {
            room = resized(limit, room.width()) - place;
        }
        is_due = (!is_open.q & waiting.out_.valid)
            | bit(waiting.level > resized(room, waiting.level.width()));
        checks.d = is_due & !is_writing.q & !checks.q & !drops.q;
        is_outside = bit(writes_at.q < start) | bit(limit < writes_at.q);
        left = limit - writes_at.q;
        is_tail = !bit(left >> tail_bits);
        is_stopping = 0;
        if checks.q && !clear {
            is_corrected.d = is_outside & !is_corrected.q;
            if is_outside {
                writes_at.d = start;
                // The ring ends before it begins.
                drops.d = is_corrected.q;
            } else {
                is_stopping = stop_when_full & is_tail;
                is_writing.d = 1;
                address_waits.d = 1;
                data_waits.d = 1;
                length.d = room;
                beats_left.d = room;
                ends_ring.d = is_near_end;
                if waiting.level <= resized(room, waiting.level.width()) {
                    length.d = resized(waiting.level - 1);
                    beats_left.d = resized(waiting.level - 1);
                    ends_ring.d = 0;
                }
            }
        }
        stopped = is_stopping | drops.q;

        // The burst on its way.
        m_axi_awvalid = address_waits.q;
        m_axi_awaddr = resized(writes_at.q, m_axi_awaddr.width()) << word_shift;
        m_axi_awlen = resized(length.q);
        m_axi_awsize = size;
        m_axi_awburst = incrementing;
        m_axi_awcache = bufferable;
        m_axi_awprot = 0;
        if address_waits.q & m_axi_awready {
            address_waits.d = 0;
        }
        m_axi_wvalid = data_waits.q;
        m_axi_wdata = waiting.out_.word;
        m_axi_wstrb = all_bytes;
        m_axi_wlast = !bit(beats_left.q);
        sends = data_waits.q & m_axi_wready;
        if sends {
            beats_left.d = beats_left.q - 1;
            if m_axi_wlast {
                data_waits.d = 0;
            }
        }
        waiting.out_.ready = sends | (drops.q & !is_writing.q);
        m_axi_bready = is_writing.q;
        is_answered = m_axi_bready & m_axi_bvalid;
        if is_answered {
            is_writing.d = 0;
            if m_axi_bresp.get_bit(1) {
                response.d = m_axi_bresp;
                drops.d = 1;
            } else if ends_ring.q {
                writes_at.d = start;
                has_wrapped.d = 1;
                if stop_when_full {
                    drops.d = 1;
                }
            } else {
                writes_at.d = writes_at.q + resized(length.q, writes_at.width()) + 1;
            }
        }

        // On and off, and what the registers read and write.
        is_idle = !is_open.q & !waiting.out_.valid & !is_writing.q;
        is_empty = is_idle & !enable;
        if is_empty {
            drops.d = 0;
            if load_write_pointer {
                writes_at.d = loaded_write_pointer;
            }
            if load_wrapped {
                has_wrapped.d = loaded_wrapped;
            }
        }
        if enable {
            is_open.d = 1;
            if !is_open.q {
                response.d = 0;
            }
        } else if source_is_empty && (completes | !takes) {
            is_open.d = 0;
        }
        if resets.q && !is_writing.q {
            resets.d = 0;
            writes_at.d = 0;
            has_wrapped.d = 0;
            response.d = 0;
            is_corrected.d = 0;
        }
        if clear {
            is_open.d = 0;
            if when(has_parts) {
                count.d = 0;
            }
            checks.d = 0;
            drops.d = 1;
            resets.d = 1;
        }
        write_pointer = writes_at.q;
        wrapped = has_wrapped.q;
        error_response = response.q;
    }
}
