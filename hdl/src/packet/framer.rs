//! Sends markers, headers and what is in packets.

mod registered;

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::encode::record::RecordFormat;
use tracewright_sim::packet::framing::Framing;

use super::checksum::Checksum;
use super::stuffing::Stuffer;
use crate::encode::bit_packer::BitPacker;
use crate::encode::record::{SerialEncoder, piece_most_bits};
use crate::parts::ports::{Headers, Pieces};

pub use registered::RegisteredFramer;

packed! {
    /// A header on its way to its encoder (`tracewright_sim::packet::header`).
    pub Header of (format: &RecordFormat) {
        let layout = |name: &str| format.field_width(name);
    }
    is_end;
    sends_kind;
    sends_loss;
    sends_address;
    sends_cause;
    checksum;
    kind;
    packet_number;
    lost_instructions;
    loss_cause;
    is_after;
    address;
    time;
    keeps_tables;
    context;
    privilege;
    has_cause;
    cause;
}

block! {
    /// Passes the records of a packet on with stuffed zeros; after the last one sends a marker and the next header.
    ///
    /// No packet is open until a header comes.
    pub Framer("framer") of (framing: &Framing, payload_bits: usize) {
        let format = framing.header_format();
        let header_bits = piece_most_bits(&format, false);
        let width = Self::framed_bits(framing, payload_bits) - 1;
        let marker_ones = framing.marker_ones as usize;
        let marker_pieces = (marker_ones + 1).div_ceil(width + 1);
        let checksum_bits = framing.protocol.checksum_bits as usize;
        let checksum_pieces = checksum_bits.div_ceil(header_bits);
        // Bits of each piece of the marker, and its ones.
        let in_piece = |bits: usize, piece: usize| (bits - piece * (width + 1)).min(width + 1);
        let ones = |piece| lowest_ones(width + 1, in_piece(marker_ones, piece));
        let sequence_bits = framing.protocol.number_bits() as usize;
        let count_bits = BitPacker::piece_count_bits(width + 1);
        let piece_counter = index_bits(marker_pieces.max(checksum_pieces + 1) as u32) as usize;
    }
    parameters {
        payload_bits,
        checksum_bits,
        sequence_bits if sequence_bits > 0,
    }

    /// pieces of records; the last one of a packet is marked
    in payload: Pieces(payload_bits);
    in header: Headers(format.bits() as usize);
    out piece: Pieces(width + 1);
    /// no packet is open and no header waits
    out is_idle: 1;
    block header_encoder: SerialEncoder(&format, false, false, false);
    block stuffer: Stuffer(marker_ones, width);
    block checksum: Checksum(checksum_bits, width) if checksum_bits > 0;
    reg state: 2;
    /// the piece of the marker or of the checksum
    reg piece_number: piece_counter;
    /// the number of the packet whose header comes next
    reg packet_number: sequence_bits;
    view waiting: Header(&format);
    local complete: Header(&format);
    local word: width;
    local bits: BitPacker::piece_count_bits(width);
    /// a piece of the packet is sent
    local sends: 1;
    local is_marker: 1;
    local is_header: 1;
    local is_payload: 1;
    param marker_piece = number for number in 0..marker_pieces;
    param marker_word = ones(number) for number in 0..marker_pieces;
    param marker_bits = Word::new(count_bits, in_piece(marker_ones + 1, number) as u64) for number in 0..marker_pieces;
    param last_marker_piece = marker_pieces - 1;
    param has_cause = framing.protocol.cause_bits > 0;
    param has_numbers = sequence_bits > 0;
    param has_checksum = checksum_bits > 0;
    param checksum_pieces = checksum_pieces;
    /// no packet is open, as after reset
    constant state_closed: 2 = 0;
    constant state_marker: 2 = 1;
    constant state_header: 2 = 2;
    constant state_payload: 2 = 3;
}

impl Framer {
    /// The most bits of a piece with a stuffed zero.
    pub fn framed_bits(framing: &Framing, payload_bits: usize) -> usize {
        piece_most_bits(&framing.header_format(), false).max(payload_bits) + 1
    }
}

/// A word with ones in its lowest bits.
pub(super) fn lowest_ones(width: usize, ones: usize) -> Word {
    let limb = |number: usize| match ones.saturating_sub(64 * number) {
        ones @ 0..64 => (1 << ones) - 1,
        _ => u64::MAX,
    };
    Word::from_limbs(width, &(0..width.div_ceil(64)).map(limb).collect::<Vec<_>>())
}

/// The header at the input, with what the framer alone knows: the checksum of the packet before, and the packet's number.
#[piece]
pub(crate) fn completes_header() {
    waiting = header.word;
    complete = Header {
        is_end: waiting.is_end,
        sends_kind: waiting.sends_kind,
        sends_loss: waiting.sends_loss,
        sends_address: waiting.sends_address,
        checksum: 0,
    };
    if when(has_checksum) {
        complete.checksum = checksum.value;
    }
    complete.kind = waiting.kind;
    if when(has_numbers) {
        complete.packet_number = packet_number.q;
    }
    complete = Header {
        lost_instructions: waiting.lost_instructions,
        loss_cause: waiting.loss_cause,
        is_after: waiting.is_after,
        address: waiting.address,
        time: waiting.time,
        keeps_tables: waiting.keeps_tables,
        context: waiting.context,
        privilege: waiting.privilege,
    };
    if when(has_cause) {
        complete = Header {
            sends_cause: waiting.sends_cause,
            has_cause: waiting.has_cause,
            cause: waiting.cause,
        };
    }
}

#[kernel]
impl Logic for Framer {
    fn update(&mut self) {
        is_marker = state.q == state_marker;
        is_header = state.q == state_header;
        is_payload = state.q == state_payload;
        is_idle = bit(state.q == state_closed) & !header.valid;

        crate::packet::framer::completes_header!();
        header_encoder.record.valid = header.valid & is_header;
        header_encoder.record.word = complete;
        header_encoder.piece.ready = piece.ready & is_header;
        header.ready = header_encoder.record.ready & is_header;
        payload.ready = piece.ready & is_payload;

        // What is in the packet.
        word = resized(header_encoder.piece.word);
        bits = resized(header_encoder.piece.bits);
        piece = Pieces { valid: header_encoder.piece.valid, last: header_encoder.piece.last };
        if is_payload {
            word = resized(payload.word);
            bits = resized(payload.bits);
            piece = Pieces { valid: payload.valid, last: 0 };
        }
        sends = piece.valid & piece.ready;
        stuffer = Stuffer { word, bits, takes: sends, restart: is_marker };
        piece = Pieces { word: stuffer.stuffed, bits: stuffer.stuffed_bits };
        if when(has_checksum) {
            checksum = Checksum { word, bits, takes: sends };
            // The checksum of the packet before is in this header, and not in the checksum of this packet.
            checksum.restart = 0;
            if is_header && piece_number.q != checksum_pieces {
                checksum.takes = 0;
                if piece_number.q == checksum_pieces - 1 {
                    checksum.restart = sends;
                }
            }
        }

        if is_marker {
            piece = Pieces { valid: 1, last: 0 };
            for number in 0..marker_piece.len() {
                if piece_number.q == marker_piece[number] {
                    piece = Pieces { word: marker_word[number], bits: marker_bits[number] };
                }
            }
            if piece.ready {
                piece_number.d = piece_number.q + 1;
                if piece_number.q == last_marker_piece {
                    piece_number.d = 0;
                    state.d = state_header;
                }
            }
        } else if is_header {
            if sends && piece_number.q != checksum_pieces {
                piece_number.d = piece_number.q + 1;
            }
            if header.ready && header.valid {
                piece_number.d = 0;
                if when(has_numbers) {
                    packet_number.d = packet_number.q + 1;
                }
                state.d = state_payload;
                if waiting.is_end {
                    state.d = state_closed;
                }
            }
        } else if is_payload {
            if sends && payload.last {
                state.d = state_closed;
            }
        } else if header.valid {
            state.d = state_marker;
        }
    }
}
