//! Sends markers, headers and what is in packets.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::encode::record::RecordFormat;
use tracewright_sim::packet::framing::Framing;

use super::checksum::Checksum;
use super::stuffing::Stuffer;
use crate::encode::bit_packer::BitPacker;
use crate::encode::record::{SerialEncoder, piece_most_bits};
use crate::parts::ports::{Headers, Pieces};

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
    block header_encoder: SerialEncoder(&format, false, false);
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
fn lowest_ones(width: usize, ones: usize) -> Word {
    let limb = |number: usize| match ones.saturating_sub(64 * number) {
        ones @ 0..64 => (1 << ones) - 1,
        _ => u64::MAX,
    };
    Word::from_limbs(width, &(0..width.div_ceil(64)).map(limb).collect::<Vec<_>>())
}

impl Logic for Framer {
    #[hdl_gen]
    fn update(&mut self) {
        self.is_marker.next = bits_to(self.state.q.val() == self.state_marker.val(), 1);
        self.is_header.next = bits_to(self.state.q.val() == self.state_header.val(), 1);
        self.is_payload.next = bits_to(self.state.q.val() == self.state_payload.val(), 1);
        self.is_idle.next =
            bits_to(self.state.q.val() == self.state_closed.val(), 1) & !self.header.valid.val();

        self.waiting.next = self.header.word.val();
        self.complete.is_end.next = self.waiting.is_end.val();
        self.complete.sends_kind.next = self.waiting.sends_kind.val();
        self.complete.sends_loss.next = self.waiting.sends_loss.val();
        self.complete.sends_address.next = self.waiting.sends_address.val();
        self.complete.checksum.next = 0.into();
        if self.has_checksum.val() == 1 {
            self.complete.checksum.next = self.checksum.value.val();
        }
        self.complete.kind.next = self.waiting.kind.val();
        if self.has_numbers.val() == 1 {
            self.complete.packet_number.next = self.packet_number.q.val();
        }
        self.complete.lost_instructions.next = self.waiting.lost_instructions.val();
        self.complete.loss_cause.next = self.waiting.loss_cause.val();
        self.complete.is_after.next = self.waiting.is_after.val();
        self.complete.address.next = self.waiting.address.val();
        self.complete.time.next = self.waiting.time.val();
        self.complete.keeps_tables.next = self.waiting.keeps_tables.val();
        self.complete.context.next = self.waiting.context.val();
        self.complete.privilege.next = self.waiting.privilege.val();
        if self.has_cause.val() == 1 {
            self.complete.sends_cause.next = self.waiting.sends_cause.val();
            self.complete.has_cause.next = self.waiting.has_cause.val();
            self.complete.cause.next = self.waiting.cause.val();
        }
        self.header_encoder.record.valid.next = self.header.valid.val() & self.is_header.val();
        self.header_encoder.record.word.next = self.complete.val();
        self.header_encoder.piece.ready.next = self.piece.ready.val() & self.is_header.val();
        self.header.ready.next = self.header_encoder.record.ready.val() & self.is_header.val();
        self.payload.ready.next = self.piece.ready.val() & self.is_payload.val();

        // What is in the packet.
        self.word.next = bits_to(self.header_encoder.piece.word.val(), self.word.width());
        self.bits.next = bits_to(self.header_encoder.piece.bits.val(), self.bits.width());
        self.piece.valid.next = self.header_encoder.piece.valid.val();
        self.piece.last.next = self.header_encoder.piece.last.val();
        if self.is_payload.val().any() {
            self.word.next = bits_to(self.payload.word.val(), self.word.width());
            self.bits.next = bits_to(self.payload.bits.val(), self.bits.width());
            self.piece.valid.next = self.payload.valid.val();
            self.piece.last.next = 0.into();
        }
        self.sends.next = self.piece.valid.val() & self.piece.ready.val();
        self.stuffer.word.next = self.word.val();
        self.stuffer.bits.next = self.bits.val();
        self.stuffer.takes.next = self.sends.val();
        self.stuffer.restart.next = self.is_marker.val();
        self.piece.word.next = self.stuffer.stuffed.val();
        self.piece.bits.next = self.stuffer.stuffed_bits.val();
        if self.has_checksum.val() == 1 {
            self.checksum.word.next = self.word.val();
            self.checksum.bits.next = self.bits.val();
            self.checksum.takes.next = self.sends.val();
            // The checksum of the packet before is in this header, and not in the checksum of this packet.
            self.checksum.restart.next = 0.into();
            if self.is_header.val().any() && self.piece_number.q.val() != self.checksum_pieces.val()
            {
                self.checksum.takes.next = 0.into();
                if self.piece_number.q.val() == self.checksum_pieces.val() - 1 {
                    self.checksum.restart.next = self.sends.val();
                }
            }
        }

        if self.is_marker.val().any() {
            self.piece.valid.next = 1.into();
            self.piece.last.next = 0.into();
            for number in 0..self.marker_piece.len() {
                if self.piece_number.q.val() == self.marker_piece[number].val() {
                    self.piece.word.next = self.marker_word[number].val();
                    self.piece.bits.next = self.marker_bits[number].val();
                }
            }
            if self.piece.ready.val().any() {
                self.piece_number.d.next = self.piece_number.q.val() + 1;
                if self.piece_number.q.val() == self.last_marker_piece.val() {
                    self.piece_number.d.next = 0.into();
                    self.state.d.next = self.state_header.val();
                }
            }
        } else if self.is_header.val().any() {
            if self.sends.val().any() && self.piece_number.q.val() != self.checksum_pieces.val() {
                self.piece_number.d.next = self.piece_number.q.val() + 1;
            }
            if self.header.ready.val().any() && self.header.valid.val().any() {
                self.piece_number.d.next = 0.into();
                if self.has_numbers.val() == 1 {
                    self.packet_number.d.next = self.packet_number.q.val() + 1;
                }
                self.state.d.next = self.state_payload.val();
                if self.waiting.is_end.val().any() {
                    self.state.d.next = self.state_closed.val();
                }
            }
        } else if self.is_payload.val().any() {
            if self.sends.val().any() && self.payload.last.val().any() {
                self.state.d.next = self.state_closed.val();
            }
        } else if self.header.valid.val().any() {
            self.state.d.next = self.state_marker.val();
        }
    }
}
