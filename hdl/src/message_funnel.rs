//! Whole messages of several traces of a standard in one stream.

use tracewright_elaborate::prelude::*;
use tracewright_elaborate::{Options, elaborate};
use tracewright_sim::config::{TracePort, index_bits};
use tracewright_sim::message_funnel::{Config, LENGTH_BITS, Messages};

use crate::{Error, Generated, collected, options, refused};

block! {
    /// Whole messages of several traces of a standard in one stream, which names their source in each.
    pub MessageFunnel("message_funnel") of (config: &Config) {
        let sources = config.sources as usize;
        let has_lengths = usize::from(config.messages != Messages::NTrace);
        let left_bits = if has_lengths > 0 { index_bits(config.messages.most_left() + 1) as usize } else { 0 };
        let source_bytes = match config.messages {
            Messages::NTrace => 0,
            Messages::ETrace { source_bytes } => source_bytes,
        };
    }
    parameters {
        sources,
        source_bytes = source_bytes as usize if has_lengths > 0,
    }

    /// the next byte of a source
    in source_data: 8 for _ in 0..sources;
    in source_valid: 1 for _ in 0..sources;
    out source_ready: 1 for _ in 0..sources;
    /// level: messages begin
    in enable: 1;
    /// a bit for each source: no message of it begins
    in disabled: sources;
    /// a bit for each source: it discards what is in it, and the rest of a message does not come
    in discards: sources;
    /// a bit for each source: all of its trace has left it
    in source_is_empty: sources;
    /// nothing is in it, and no message is open
    out is_empty: 1;
    /// nothing is in it or in a source that it takes
    out all_has_left: 1;
    out trace_data: 8;
    out trace_valid: 1;
    in trace_ready: 1;
    /// one hot: whose byte came last
    reg current: sources = 1;
    /// its message has not ended
    reg is_open: 1;
    /// bytes of its payload that are still to come
    reg left: left_bits;
    reg sent_valid: 1;
    reg sent: 8;
    /// sources that it takes
    local taken: sources;
    /// those of them with a byte
    local available: sources;
    /// those of them that are in turn before the first source
    local later: sources;
    /// one hot: whose byte is next
    local following: sources;
    local has_byte: 1;
    local head: 8;
    /// the rest of the message does not come
    local fills: 1;
    local has_room: 1;
    /// a byte goes to the output register
    local moves: 1;
    local next_byte: 8;
    /// the message ends with it
    local ends: 1;
    /// bytes of the payload, as a header says
    local size: has_lengths * LENGTH_BITS as usize;
    local length: left_bits;
    param has_lengths = has_lengths;
    param filler = Word::new(8, u64::from(config.messages.filler()));
    param source_bytes = Word::new(left_bits, source_bytes.into());
}

#[kernel]
impl Logic for MessageFunnel {
    fn update(&mut self) {
        taken = 0;
        if enable {
            taken = !disabled;
        }
        available = 0;
        for at in 0..current.width() {
            if source_valid[at] {
                available = available.replace_bit(at, true);
            }
        }
        if is_open.q {
            available = available & (taken | current.q);
        } else {
            available = available & taken;
        }
        // Those after the current source come first, then those from the first one on to the current one.
        later = available & !(current.q | (current.q - 1));
        following = available & (!available + 1);
        if later {
            following = later & (!later + 1);
        }
        if is_open.q {
            following = current.q;
        }
        has_byte = (available & following).any();
        head = 0;
        for at in 0..current.width() {
            if following.get_bit(at) {
                head = source_data[at];
            }
        }
        fills = is_open.q & !has_byte & bit(discards & current.q);
        has_room = !sent_valid.q | trace_ready;
        moves = has_room & (has_byte | fills);
        next_byte = head;
        if fills {
            next_byte = filler;
        }
        for at in 0..current.width() {
            source_ready[at] = 0;
            if following.get_bit(at) {
                source_ready[at] = has_room;
            }
        }

        // Where messages end.
        if when(has_lengths) {
            size = resized(next_byte);
            length = resized(size);
            ends = !bit(next_byte);
            if left.q {
                ends = left.q == 1;
            }
        } else {
            // An idle byte stays before its message.
            ends = bit(next_byte.get_bit(0) & next_byte.get_bit(1))
                & (is_open.q | !bit(next_byte.all()));
        }

        if trace_ready {
            sent_valid.d = 0;
        }
        if moves {
            sent_valid.d = 1;
            sent.d = next_byte;
            current.d = following;
            is_open.d = !ends;
            if when(has_lengths) {
                if left.q {
                    left.d = left.q - 1;
                } else if length {
                    left.d = length + source_bytes;
                }
            }
        }
        is_empty = !sent_valid.q & !is_open.q;
        all_has_left = !sent_valid.q & !is_open.q & bit((source_is_empty | !taken).all());
        trace_valid = sent_valid.q;
        trace_data = sent.q;
    }
}

/// The Verilog of a funnel of whole messages with this name, in the style of a design.
///
/// # Errors
/// When the funnel breaks a constraint, or the name cannot be a module's.
pub fn generate_message_funnel(
    name: &str,
    config: &Config,
    style: &TracePort,
) -> Result<Generated, Error> {
    module(name, config, style, false)
}

pub(crate) fn module(
    name: &str,
    config: &Config,
    style: &TracePort,
    faults: bool,
) -> Result<Generated, Error> {
    config.validate()?;
    let made = format!("{name} of Tracewright, made by `tracewright generate`.");
    let options = Options { faults, ..options(name.to_owned(), made, style) };
    let elaborated = elaborate(&MessageFunnel::new(config), &options);
    Ok(collected(elaborated.map_err(refused(name))?, &options))
}
