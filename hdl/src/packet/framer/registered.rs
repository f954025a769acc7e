//! The framer with registers between its steps.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::packet::framing::Framing;

use super::{Framer, Header, lowest_ones};
use crate::encode::bit_packer::BitPacker;
use crate::encode::record::{SerialEncoder, piece_most_bits};
use crate::packet::checksum::Checksum;
use crate::packet::stuffing::{Measure, MeasuredStuffer, PieceMeasure};
use crate::parts::ports::{Headers, Pieces};
use crate::parts::skid_buffer::SkidBuffer;
use crate::parts::word_register::WordRegister;

packed! {
    /// A piece of a header.
    HeaderPiece of (width: usize);
    piece: width;
    bits: BitPacker::piece_count_bits(width);
    last: 1;
}

packed! {
    /// A piece with what it is a piece of.
    Chosen of (width: usize, checksum_bits: usize);
    piece: width;
    bits: BitPacker::piece_count_bits(width);
    last: 1;
    is_marker: 1;
    /// of the checksum of the packet before
    is_checksum: checksum_bits.min(1);
}

packed! {
    /// A piece with what decides about a stuffed zero.
    Measured of (width: usize, measure_bits: usize);
    piece: width;
    bits: BitPacker::piece_count_bits(width);
    last: 1;
    measure: measure_bits;
}

packed! {
    /// A piece with its stuffed zero.
    Stuffed of (width: usize);
    piece: width;
    bits: BitPacker::piece_count_bits(width);
    last: 1;
}

block! {
    /// Does what the framer does in steps with registers between them: a piece of a marker, a header or a record is chosen,
    /// its ones are counted, a zero is stuffed into it, and it is there for the bit packer.
    ///
    /// A header takes two cycles to come to the choice and one more until the next piece, and is gone from the input before
    /// its pieces.
    pub RegisteredFramer("registered_framer") of (framing: &Framing, payload_bits: usize) {
        let format = framing.header_format();
        let header_bits = piece_most_bits(&format, false);
        let width = Framer::framed_bits(framing, payload_bits) - 1;
        let marker_ones = framing.marker_ones as usize;
        let marker_pieces = (marker_ones + 1).div_ceil(width);
        let checksum_bits = framing.protocol.checksum_bits as usize;
        let checksum_pieces = checksum_bits.div_ceil(header_bits);
        // Bits of each piece of the marker, and its ones.
        let in_piece = |bits: usize, piece: usize| bits.saturating_sub(piece * width).min(width);
        let ones = |piece| lowest_ones(width, in_piece(marker_ones, piece));
        let sequence_bits = framing.protocol.number_bits() as usize;
        let count_bits = BitPacker::piece_count_bits(width);
        let piece_counter = index_bits(marker_pieces.max(checksum_pieces + 1) as u32) as usize;
        let header_piece_bits = HeaderPiece::<View>::new(header_bits).width();
        let chosen_bits = Chosen::<View>::new(width, checksum_bits).width();
        let measure_bits = Measure::<View>::new(marker_ones, width).width();
        let measured_bits = Measured::<View>::new(width, measure_bits).width();
        let stuffed_bits = Stuffed::<View>::new(width + 1).width();
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
    /// no packet is open, no header waits and no piece is inside
    out is_idle: 1;
    block header_encoder: SerialEncoder(&format, true, false, true);
    block header_buffer: SkidBuffer(header_piece_bits);
    block chosen_register: WordRegister(chosen_bits);
    block piece_measure: PieceMeasure(marker_ones, width);
    block checksum: Checksum(checksum_bits, width) if checksum_bits > 0;
    block measured_register: WordRegister(measured_bits);
    block stuffer: MeasuredStuffer(marker_ones, width);
    block stuffed_buffer: SkidBuffer(stuffed_bits);
    reg state: 2;
    /// the header encoder has taken the header
    reg is_taken: 1;
    /// that header ends the trace
    reg ends_trace: 1;
    /// the piece of the marker or of the checksum
    reg piece_number: piece_counter;
    /// the number of the packet whose header comes next
    reg packet_number: sequence_bits;
    view waiting: Header(&format);
    local complete: Header(&format);
    local header_piece: HeaderPiece(header_bits);
    view held_piece: HeaderPiece(header_bits);
    local chosen: Chosen(width, checksum_bits);
    view measuring: Chosen(width, checksum_bits);
    local measured: Measured(width, measure_bits);
    view stuffing: Measured(width, measure_bits);
    local with_zero: Stuffed(width + 1);
    view leaving: Stuffed(width + 1);
    /// there is a piece to choose
    local offers: 1;
    /// it is chosen in this cycle
    local chooses: 1;
    /// a piece of the packet is counted
    local counts: usize::from(checksum_bits > 0);
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

#[kernel]
impl Logic for RegisteredFramer {
    fn update(&mut self) {
        is_marker = state.q == state_marker;
        is_header = state.q == state_header;
        is_payload = state.q == state_payload;

        // A piece is chosen. A checksum is complete when its header is taken: the piece before the last one of the marker,
        // and so each one of the packet before, has gone on from the register then.
        crate::packet::framer::completes_header!();
        header_encoder.record.valid = header.valid & is_header & !is_taken.q;
        header_encoder.record.word = complete;
        header.ready = header_encoder.record.ready & is_header & !is_taken.q;
        header_piece = HeaderPiece {
            piece: header_encoder.piece.word,
            bits: header_encoder.piece.bits,
            last: header_encoder.piece.last,
        };
        header_buffer.in_.valid = header_encoder.piece.valid;
        header_buffer.in_.word = header_piece;
        header_encoder.piece.ready = header_buffer.in_.ready;
        held_piece = header_buffer.out_.word;
        header_buffer.out_.ready = chosen_register.in_.ready & is_header;
        payload.ready = chosen_register.in_.ready & is_payload;
        chosen = Chosen {
            piece: resized(held_piece.piece),
            bits: resized(held_piece.bits),
            last: held_piece.last,
            is_marker,
        };
        offers = header_buffer.out_.valid;
        if when(has_checksum) {
            chosen.is_checksum = is_header & bit(piece_number.q != checksum_pieces);
        }
        if is_payload {
            chosen = Chosen { piece: resized(payload.word), bits: resized(payload.bits), last: 0 };
            offers = payload.valid;
        }
        if is_marker {
            chosen.last = 0;
            offers = 1;
            for number in 0..marker_piece.len() {
                if piece_number.q == marker_piece[number] {
                    chosen.piece = marker_word[number];
                    chosen.bits = marker_bits[number];
                }
            }
        }
        chosen_register.in_.word = chosen;
        chosen_register.in_.valid = offers;
        chooses = offers & chosen_register.in_.ready;

        if is_marker {
            if chooses {
                piece_number.d = piece_number.q + 1;
                if piece_number.q == last_marker_piece {
                    piece_number.d = 0;
                    state.d = state_header;
                }
            }
        } else if is_header {
            if chooses && piece_number.q != checksum_pieces {
                piece_number.d = piece_number.q + 1;
            }
            if header.ready && header.valid {
                is_taken.d = 1;
                ends_trace.d = waiting.is_end;
                if when(has_numbers) {
                    packet_number.d = packet_number.q + 1;
                }
            }
            if is_taken.q & !header_encoder.piece.valid && !header_buffer.out_.valid {
                is_taken.d = 0;
                piece_number.d = 0;
                state.d = state_payload;
                if ends_trace.q {
                    state.d = state_closed;
                }
            }
        } else if is_payload {
            if chooses && payload.last {
                state.d = state_closed;
            }
        } else if header.valid {
            state.d = state_marker;
        }

        // Its ones are counted.
        measuring = chosen_register.out_.word;
        piece_measure = PieceMeasure {
            word: measuring.piece,
            bits: measuring.bits,
            is_marker: measuring.is_marker,
        };
        measured = Measured {
            piece: measuring.piece,
            bits: measuring.bits,
            last: measuring.last,
            measure: piece_measure.measure,
        };
        chosen_register.out_.ready = measured_register.in_.ready;
        measured_register.in_.valid = chosen_register.out_.valid;
        measured_register.in_.word = measured;
        if when(has_checksum) {
            // The checksum of the packet before is in this header, and not in the checksum of this packet.
            counts =
                chosen_register.out_.valid & measured_register.in_.ready & !measuring.is_marker;
            checksum = Checksum {
                word: measuring.piece,
                bits: measuring.bits,
                takes: counts,
                restart: counts & measuring.is_checksum,
            };
        }

        // A zero is stuffed.
        stuffing = measured_register.out_.word;
        stuffer = MeasuredStuffer {
            word: stuffing.piece,
            bits: stuffing.bits,
            measured: stuffing.measure,
            takes: measured_register.out_.valid & stuffed_buffer.in_.ready,
        };
        with_zero =
            Stuffed { piece: stuffer.stuffed, bits: stuffer.stuffed_bits, last: stuffing.last };
        measured_register.out_.ready = stuffed_buffer.in_.ready;
        stuffed_buffer.in_.valid = measured_register.out_.valid;
        stuffed_buffer.in_.word = with_zero;

        leaving = stuffed_buffer.out_.word;
        piece = Pieces {
            valid: stuffed_buffer.out_.valid,
            word: leaving.piece,
            bits: leaving.bits,
            last: leaving.last,
        };
        stuffed_buffer.out_.ready = piece.ready;
        is_idle = bit(state.q == state_closed)
            & !header.valid
            & !chosen_register.out_.valid
            & !measured_register.out_.valid
            & !stuffed_buffer.out_.valid;
    }
}
