//! Bytes of several traces in one stream, in frames that say whose they are.

use tracewright_elaborate::prelude::*;
use tracewright_elaborate::{Options, elaborate};
use tracewright_sim::config::{TracePort, index_bits};
use tracewright_sim::funnel::{Config, SYNC, WAITING_BYTES};

use crate::encode::fifo::Fifo;
use crate::{Error, Generated, collected, options, refused};

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

#[kernel]
impl Logic for Funnel {
    fn update(&mut self) {
        available = 0;
        pairs = 0;
        for at in 0..current.width() {
            waiting[at].in_.valid = source_valid[at];
            waiting[at].in_.word = source_data[at];
            source_ready[at] = waiting[at].in_.ready;
            if waiting[at].out_.valid {
                available = available.replace_bit(at, true);
            }
            if waiting[at].level >= pair {
                pairs = pairs.replace_bit(at, true);
            }
        }

        // Whose turn it is.
        others = available & !current.q;
        later = others & !(current.q | (current.q - 1));
        following = others & (!others + 1);
        if later {
            following = later & (!later + 1);
        }
        has_byte = (available & current.q).any();
        has_other = others.any();
        stays = !has_other;
        if turn.q != turn_bytes {
            stays = 1;
        }

        // What is sent.
        is_sync = sync.q.any();
        is_last = position.q.all();
        is_last_even = position.q == 14;
        sends_odd = 0;
        at_even = 0;
        if !is_sync && !is_last {
            sends_odd = position.q.get_bit(0);
            at_even = !sends_odd;
        }
        sends_again = at_even & has_byte & stays & !is_told.q;
        sends_data =
            at_even & has_byte & stays & is_told.q & (bit(pairs & current.q) | is_last_even);
        changes = at_even & !sends_again & !sends_data;
        sends_id = changes & has_other;
        sends_null = changes & !has_other & flush & (has_byte | bit(position.q));
        sends = is_sync | is_last | sends_odd | sends_data | sends_again | sends_id | sends_null;
        moves = sends & (!sent_valid.q | trace_ready);
        takes = 0;
        if sends_odd {
            takes = odd.q;
        } else if sends_data {
            takes = current.q;
        }
        named = following;
        if sends_again {
            named = current.q;
        }
        head = 0;
        id = null_id;
        for at in 0..current.width() {
            waiting[at].out_.ready = 0;
            if takes.get_bit(at) {
                head = waiting[at].out_.word;
                waiting[at].out_.ready = moves;
            }
            if named.get_bit(at) {
                id = id_byte[at];
            }
        }
        next_byte = id;
        if is_sync {
            next_byte = sync_byte;
            if sync.q == 1 {
                next_byte = sync_end;
            }
        } else if is_last {
            next_byte = last_byte.q;
        } else if sends_odd {
            next_byte = head;
        } else if sends_data {
            next_byte = head.replace_bit(0, false);
        }
        trace_valid = sent_valid.q;
        trace_data = sent.q;
        if trace_ready {
            sent_valid.d = 0;
        }
        if moves {
            sent_valid.d = 1;
            sent.d = next_byte;
        }

        // Where the frame is then.
        lags = has_byte & is_told.q & !is_last_even;
        marks = 0;
        if sends_data {
            marks = head.get_bit(0);
        } else if sends_id || sends_null {
            marks = lags;
        }
        counts = sends_data;
        if odd.q == current.q {
            counts = sends_data | sends_odd;
        }
        if moves {
            if is_sync {
                sync.d = sync.q - 1;
            } else {
                position.d = position.q + 1;
            }
            for bit in 0..last_byte.width() {
                if marks && position.q == (bit * 2) {
                    last_byte.d = last_byte.q.replace_bit(bit, true);
                }
            }
            if is_last && !is_sync {
                last_byte.d = 0;
                frames.d = frames.q + 1;
                if frames.q == last_frame {
                    frames.d = 0;
                    sync.d = sync_bytes;
                    is_told.d = 0;
                }
            }
            if sends_data || sends_again {
                odd.d = current.q;
                is_told.d = 1;
            }
            if counts && turn.q != turn_bytes {
                turn.d = turn.q + 1;
            }
            if sends_id || sends_null {
                current.d = following;
                is_told.d = 1;
                odd.d = following;
                if lags {
                    odd.d = current.q;
                }
                turn.d = 0;
            }
        }
        flushed = flush & !sent_valid.q & !is_sync & !bit(position.q) & !bit(available);
    }
}

/// The Verilog of a funnel with this name. `style` is that of a design, of which only reset, clock enable and memories count.
///
/// # Errors
/// When the funnel breaks a constraint, or the name cannot be a module's.
pub fn generate_funnel(name: &str, config: &Config, style: &TracePort) -> Result<Generated, Error> {
    funnel_module(name, config, style, false)
}

pub(crate) fn funnel_module(
    name: &str,
    config: &Config,
    style: &TracePort,
    faults: bool,
) -> Result<Generated, Error> {
    config.validate()?;
    let made = format!("{name} of Tracewright, made by `tracewright funnel`.");
    let options = Options { faults, ..options(name.to_owned(), made, style) };
    let elaborated = elaborate(&Funnel::new(config), &options);
    Ok(collected(elaborated.map_err(refused(name))?, &options))
}
