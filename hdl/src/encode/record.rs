//! Records of any format into bits: one piece a clock, or one whole record a clock.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::encode::record::{Coding, RecordFormat, Slot};
use tracewright_sim::encode::variable_length::Chunks;

use super::bit_packer::BitPacker;
use super::variable_length::{ChunkSelector, VariableLength, chunk_index_bits};
use crate::target_difference::SerialDifference;

/// The most bits that the encoder hands over in one clock.
pub fn piece_most_bits(format: &RecordFormat, parallel: bool) -> usize {
    (if parallel { format.most_bits() } else { format.piece_bits() }) as usize
}

/// A number that tells formats apart in module names.
fn parameters(format: &RecordFormat) -> [(&'static str, usize); 3] {
    [
        ("slots", format.slots().len()),
        ("record_bits", format.bits() as usize),
        ("most_bits", format.most_bits() as usize),
    ]
}

fn chunked(format: &RecordFormat) -> Vec<(usize, Slot, Chunks)> {
    let chunks = |slot: &Slot| match slot.coding {
        Coding::Chunks(chunks) => Some(chunks),
        _ => None,
    };
    let numbered = format.slots().iter().enumerate();
    numbered.filter_map(|(number, slot)| chunks(slot).map(|c| (number, *slot, c))).collect()
}

fn differences(format: &RecordFormat) -> Vec<(usize, Slot, Chunks)> {
    let chunks = |slot: &Slot| match slot.coding {
        Coding::Difference(chunks) => Some(chunks),
        _ => None,
    };
    let numbered = format.slots().iter().enumerate();
    numbered.filter_map(|(number, slot)| chunks(slot).map(|c| (number, *slot, c))).collect()
}

fn unchunked(format: &RecordFormat) -> Vec<(usize, Slot)> {
    let numbered = format.slots().iter().enumerate();
    numbered
        .filter(|(_, slot)| !matches!(slot.coding, Coding::Chunks(_) | Coding::Difference(_)))
        .map(|(number, slot)| (number, *slot))
        .collect()
}

fn params<T>(of: &[T], value: impl Fn(&T) -> usize) -> Vec<Param> {
    of.iter().map(|one| Param::new(value(one))).collect()
}

/// What a slot that is not cut into chunks sends, and how many bits of it.
///
/// A constant has its bits in `constant` and no value in the record; only a sized one has `is_sized`.
struct Unchunked {
    constant: Vec<Param>,
    is_constant: Vec<Param>,
    is_sized: Vec<Param>,
    place: Vec<Param>,
    size_place: Vec<Param>,
    width: Vec<Param>,
    raw_size: Vec<Wire<Local>>,
    size: Vec<Wire<Local>>,
    value: Vec<Wire<Local>>,
}

impl Unchunked {
    fn new(slots: &[(usize, Slot)], size_bits: usize) -> Self {
        let sized = |slot: &Slot| match slot.coding {
            Coding::Sized { place, width } => Some((place as usize, width as usize)),
            _ => None,
        };
        Self {
            constant: slots
                .iter()
                .map(|(_, slot)| {
                    let bits = if let Coding::Constant(bits) = slot.coding { bits } else { 0 };
                    Param::new(Word::new(slot.width as usize, bits))
                })
                .collect(),
            is_constant: params(slots, |(_, slot)| {
                usize::from(matches!(slot.coding, Coding::Constant(_)))
            }),
            is_sized: params(slots, |(_, slot)| usize::from(sized(slot).is_some())),
            place: params(slots, |(_, slot)| slot.place as usize),
            size_place: params(slots, |(_, slot)| sized(slot).map_or(0, |(place, _)| place)),
            width: slots
                .iter()
                .map(|(_, slot)| Param::new(Word::new(size_bits, slot.width.into())))
                .collect(),
            raw_size: slots
                .iter()
                .map(|(_, slot)| Wire::new(sized(slot).map_or(0, |(_, width)| width)))
                .collect(),
            size: slots.iter().map(|_| Wire::new(size_bits)).collect(),
            value: slots.iter().map(|(_, slot)| Wire::new(slot.width as usize)).collect(),
        }
    }
}

/// Sends a record slot by slot, a large slot piece by piece.
#[derive(LogicBlock)]
pub struct SerialEncoder {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
    /// There is a record.
    pub record_valid: Wire<In>,
    /// The record, which stays until it is taken.
    pub record: Wire<In>,
    /// Its last piece goes.
    pub record_ready: Wire<Out>,
    /// There is a piece.
    pub piece_valid: Wire<Out>,
    /// Its bits, first bit lowest; zero above `piece_bits`.
    pub piece: Wire<Out>,
    /// How many bits it has.
    pub piece_bits: Wire<Out>,
    /// The word that it ends is to be filled up.
    pub piece_last: Wire<Out>,
    /// It is taken.
    pub piece_ready: Wire<In>,
    sent: Reg,
    index: Reg,
    chunks: Vec<ChunkSelector>,
    differences: Vec<SerialDifference>,
    flags: Wire<Local>,
    stages: Wire<Local>,
    pending: Wire<Local>,
    current: Wire<Local>,
    active: Wire<Local>,
    restart: Wire<Local>,
    more: Wire<Local>,
    is_last: Wire<Local>,
    value: Vec<Wire<Local>>,
    raw_size: Vec<Wire<Local>>,
    size: Vec<Wire<Local>>,
    left: Wire<Local>,
    flag_place: Vec<Param>,
    chunk_slot: Vec<Param>,
    chunk_place: Vec<Param>,
    difference_slot: Vec<Param>,
    difference_place: Vec<Param>,
    source_place: Param,
    plain_slot: Vec<Param>,
    plain_place: Vec<Param>,
    constant: Vec<Param>,
    is_constant: Vec<Param>,
    is_sized: Vec<Param>,
    size_place: Vec<Param>,
    width: Vec<Param>,
    pieces: Vec<Param>,
    piece_step: Param,
    pads_place: Param,
    stage: Vec<Param>,
    _slots: usize,
    _chunked: usize,
    _differences: usize,
    _plain: usize,
    _most_pieces: usize,
    _piece_width: usize,
    _left_bits: usize,
    _count_bits: usize,
}

impl SerialEncoder {
    /// The encoder of records of `format`.
    pub fn new(format: &RecordFormat) -> Self {
        let width = piece_most_bits(format, false);
        let (chunked, plain) = (chunked(format), unchunked(format));
        let differences = differences(format);
        let (source_place, source_bits) = format.source();
        let most_width = plain.iter().map(|(_, slot)| slot.width as usize).max().unwrap_or(1);
        let left_bits = index_bits(most_width.max(width) as u32 + 1) as usize;
        let most_pieces = most_width.div_ceil(width).max(1);
        let index = chunked
            .iter()
            .map(|(.., chunks)| chunk_index_bits(chunks))
            .chain(differences.iter().map(|(.., chunks)| SerialDifference::index_bits(chunks)))
            .max()
            .unwrap_or(0);
        let parts = Unchunked::new(&plain, left_bits);
        let (slots, stages) = (format.slots().len(), format.stages() as usize);
        Self {
            kind: Kind::new("serial_encoder", parameters(format)),
            domain: Domain::new(),
            record_valid: Wire::new(1),
            record: Wire::new(format.bits() as usize),
            record_ready: Wire::new(1),
            piece_valid: Wire::new(1),
            piece: Wire::new(width).describe("zero above piece_bits"),
            piece_bits: Wire::new(BitPacker::piece_count_bits(width)),
            piece_last: Wire::new(1).describe("fill the word up"),
            piece_ready: Wire::new(1),
            sent: Reg::new(stages, 0).describe("stages of the record that are out"),
            index: Reg::new(index.max(index_bits(most_pieces as u32) as usize), 0)
                .describe("the piece of the slot"),
            chunks: chunked.iter().map(|(.., chunks)| ChunkSelector::new(chunks, width)).collect(),
            differences: differences
                .iter()
                .map(|(.., chunks)| SerialDifference::new(chunks, source_bits as usize, width))
                .collect(),
            flags: Wire::new(slots).describe("slots that are sent"),
            stages: Wire::new(stages).describe("stages that send one"),
            pending: Wire::new(stages),
            current: Wire::new(stages).describe("one hot"),
            active: Wire::new(slots).describe("one hot: the slot of this clock"),
            restart: Wire::new(1).describe("from the slot's first piece again"),
            more: Wire::new(1).describe("the slot has more pieces"),
            is_last: Wire::new(1).describe("no slot is left"),
            value: parts.value,
            raw_size: parts.raw_size,
            size: parts.size,
            left: Wire::new(left_bits),
            flag_place: params(format.slots(), |slot| slot.flag as usize),
            chunk_slot: params(&chunked, |(number, ..)| *number),
            chunk_place: params(&chunked, |(_, slot, _)| slot.place as usize),
            difference_slot: params(&differences, |(number, ..)| *number),
            difference_place: params(&differences, |(_, slot, _)| slot.place as usize),
            source_place: Param::new(source_place as usize),
            plain_slot: params(&plain, |(number, _)| *number),
            plain_place: parts.place,
            constant: parts.constant,
            is_constant: parts.is_constant,
            is_sized: parts.is_sized,
            size_place: parts.size_place,
            width: parts.width,
            pieces: params(&plain, |(_, slot)| (slot.width as usize).div_ceil(width)),
            piece_step: Param::new(width),
            pads_place: Param::new(format.pads() as usize),
            stage: params(format.slots(), |slot| slot.stage as usize),
            _slots: slots,
            _chunked: chunked.len(),
            _differences: differences.len(),
            _plain: plain.len(),
            _most_pieces: most_pieces,
            _piece_width: width,
            _left_bits: left_bits,
            _count_bits: BitPacker::piece_count_bits(width),
        }
    }
}

impl Logic for SerialEncoder {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, domain, sent, index);
        self.flags.next = 0.into();
        self.stages.next = 0.into();
        for slot in 0..self._slots {
            if self.record.val().get_bit(self.flag_place[slot].val()) {
                self.flags.next = self.flags.val().replace_bit(slot, true);
                self.stages.next = self.stages.val().replace_bit(self.stage[slot].val(), true);
            }
        }
        // The lowest pending stage: adding to the inverse carries up to it.
        self.pending.next = self.stages.val() & !self.sent.q.val();
        self.current.next = self.pending.val() & (!self.pending.val() + 1);
        self.is_last.next = bits_to(self.pending.val() == self.current.val(), 1);
        self.active.next = 0.into();
        for slot in 0..self._slots {
            if self.current.val().get_bit(self.stage[slot].val()) {
                self.active.next =
                    self.active.val().replace_bit(slot, self.flags.val().get_bit(slot));
            }
        }

        self.piece.next = 0.into();
        self.piece_bits.next = 0.into();
        self.more.next = 0.into();
        for each in 0..self._chunked {
            self.chunks[each].value.next =
                unsigned_cast_to_fit(self.record.val() >> self.chunk_place[each].val());
            self.chunks[each].index.next = unsigned_cast_to_fit(self.index.q.val());
            if self.active.val().get_bit(self.chunk_slot[each].val()) {
                self.piece.next = self.chunks[each].piece.val();
                self.piece_bits.next = self.chunks[each].piece_bits.val();
                self.more.next = self.chunks[each].more.val();
            }
        }
        self.restart.next = 0.into();
        for each in 0..self._differences {
            self.differences[each].domain.next = self.domain.val();
            self.differences[each].target.next =
                unsigned_cast_to_fit(self.record.val() >> self.difference_place[each].val());
            self.differences[each].source.next =
                unsigned_cast_to_fit(self.record.val() >> self.source_place.val());
            self.differences[each].index.next = unsigned_cast_to_fit(self.index.q.val());
            self.differences[each].step.next = 0.into();
            if self.active.val().get_bit(self.difference_slot[each].val()) {
                self.differences[each].step.next = self.record_valid.val() & self.piece_ready.val();
                self.piece.next = self.differences[each].piece.val();
                self.piece_bits.next = self.differences[each].piece_bits.val();
                self.more.next = self.differences[each].more.val();
                self.restart.next = self.differences[each].restart.val();
            }
        }
        self.left.next = 0.into();
        for each in 0..self._plain {
            self.value[each].next = self.constant[each].val();
            if self.is_constant[each].val() == 0 {
                self.value[each].next =
                    unsigned_cast_to_fit(self.record.val() >> self.plain_place[each].val());
            }
            self.size[each].next = self.width[each].val();
            if self.is_sized[each].val() == 1 {
                self.raw_size[each].next =
                    unsigned_cast_to_fit(self.record.val() >> self.size_place[each].val());
                self.size[each].next = unsigned_cast_to_fit(self.raw_size[each].val());
            }
            if self.active.val().get_bit(self.plain_slot[each].val()) {
                if self.pieces[each].val() == 1 {
                    self.piece.next = unsigned_cast_to_fit(self.value[each].val());
                    self.piece_bits.next = unsigned_cast_to_fit(self.size[each].val());
                } else {
                    for number in 0..self._most_pieces {
                        if self.pieces[each].val() > number && self.index.q.val() == number {
                            self.piece.next = unsigned_cast_to_fit(
                                self.value[each].val() >> (number * self.piece_step.val()),
                            );
                            self.left.next =
                                self.size[each].val() - (number * self.piece_step.val());
                        }
                    }
                    self.piece_bits.next = unsigned_cast_to_fit(self.left.val());
                    if self.left.val() > self.piece_step.val() {
                        self.piece_bits.next = self.piece_step.val();
                        self.more.next = 1.into();
                    }
                }
            }
        }

        self.piece_valid.next = self.record_valid.val();
        self.record_ready.next = self.piece_ready.val() & self.is_last.val() & !self.more.val();
        self.piece_last.next = bits_to(self.record.val().get_bit(self.pads_place.val()), 1)
            & self.is_last.val()
            & !self.more.val();
        if self.record_valid.val().any() && self.piece_ready.val().any() {
            if self.more.val().any() {
                self.index.d.next = self.index.q.val() + 1;
                if self.restart.val().any() {
                    self.index.d.next = 0.into();
                }
            } else {
                self.index.d.next = 0.into();
                self.sent.d.next = self.sent.q.val() | self.current.val();
                if self.is_last.val().any() {
                    self.sent.d.next = 0.into();
                }
            }
        }
    }
}

/// Sends a whole record in one piece, through a register.
#[derive(LogicBlock)]
pub struct ParallelEncoder {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
    /// There is a record.
    pub record_valid: Wire<In>,
    /// The record.
    pub record: Wire<In>,
    /// It is taken.
    pub record_ready: Wire<Out>,
    /// There is a piece.
    pub piece_valid: Wire<Out>,
    /// Its bits, first bit lowest; zero above `piece_bits`.
    pub piece: Wire<Out>,
    /// How many bits it has.
    pub piece_bits: Wire<Out>,
    /// The word that it ends is to be filled up.
    pub piece_last: Wire<Out>,
    /// It is taken.
    pub piece_ready: Wire<In>,
    held_valid: Reg,
    held: Reg,
    held_bits: Reg,
    held_last: Reg,
    numbers: Vec<VariableLength>,
    slot_code: Vec<Wire<Local>>,
    slot_length: Vec<Wire<Local>>,
    value: Vec<Wire<Local>>,
    raw_size: Vec<Wire<Local>>,
    size: Vec<Wire<Local>>,
    code: Wire<Local>,
    length: Wire<Local>,
    takes: Wire<Local>,
    flag_place: Vec<Param>,
    chunk_slot: Vec<Param>,
    chunk_place: Vec<Param>,
    plain_slot: Vec<Param>,
    plain_place: Vec<Param>,
    constant: Vec<Param>,
    is_constant: Vec<Param>,
    is_sized: Vec<Param>,
    size_place: Vec<Param>,
    width: Vec<Param>,
    pads_place: Param,
    _slots: usize,
    _chunked: usize,
    _plain: usize,
}

impl ParallelEncoder {
    /// The encoder of records of `format`.
    pub fn new(format: &RecordFormat) -> Self {
        let width = piece_most_bits(format, true);
        let length_width = index_bits(width as u32 + 1) as usize;
        let (chunked, plain) = (chunked(format), unchunked(format));
        let parts = Unchunked::new(&plain, length_width);
        let slots = format.slots().len();
        Self {
            kind: Kind::new("parallel_encoder", parameters(format)),
            domain: Domain::new(),
            record_valid: Wire::new(1),
            record: Wire::new(format.bits() as usize),
            record_ready: Wire::new(1),
            piece_valid: Wire::new(1),
            piece: Wire::new(width).describe("zero above piece_bits"),
            piece_bits: Wire::new(length_width),
            piece_last: Wire::new(1).describe("fill the word up"),
            piece_ready: Wire::new(1),
            held_valid: Reg::new(1, 0),
            held: Reg::new(width, 0),
            held_bits: Reg::new(length_width, 0),
            held_last: Reg::new(1, 0),
            numbers: chunked.iter().map(|(.., chunks)| VariableLength::new(chunks)).collect(),
            slot_code: (0..slots).map(|_| Wire::new(width)).collect(),
            slot_length: (0..slots).map(|_| Wire::new(length_width)).collect(),
            value: parts.value,
            raw_size: parts.raw_size,
            size: parts.size,
            code: Wire::new(width),
            length: Wire::new(length_width),
            takes: Wire::new(1),
            flag_place: params(format.slots(), |slot| slot.flag as usize),
            chunk_slot: params(&chunked, |(number, ..)| *number),
            chunk_place: params(&chunked, |(_, slot, _)| slot.place as usize),
            plain_slot: params(&plain, |(number, _)| *number),
            plain_place: parts.place,
            constant: parts.constant,
            is_constant: parts.is_constant,
            is_sized: parts.is_sized,
            size_place: parts.size_place,
            width: parts.width,
            pads_place: Param::new(format.pads() as usize),
            _slots: slots,
            _chunked: chunked.len(),
            _plain: plain.len(),
        }
    }
}

impl Logic for ParallelEncoder {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, domain, held_valid, held, held_bits, held_last);
        for slot in 0..self._slots {
            for each in 0..self._chunked {
                if self.chunk_slot[each].val() == slot {
                    self.numbers[each].value.next =
                        unsigned_cast_to_fit(self.record.val() >> self.chunk_place[each].val());
                    self.slot_code[slot].next = unsigned_cast_to_fit(self.numbers[each].code.val());
                    self.slot_length[slot].next =
                        unsigned_cast_to_fit(self.numbers[each].length.val());
                }
            }
            for each in 0..self._plain {
                if self.plain_slot[each].val() == slot {
                    self.value[each].next = self.constant[each].val();
                    if self.is_constant[each].val() == 0 {
                        self.value[each].next =
                            unsigned_cast_to_fit(self.record.val() >> self.plain_place[each].val());
                    }
                    self.size[each].next = self.width[each].val();
                    if self.is_sized[each].val() == 1 {
                        self.raw_size[each].next =
                            unsigned_cast_to_fit(self.record.val() >> self.size_place[each].val());
                        self.size[each].next = unsigned_cast_to_fit(self.raw_size[each].val());
                    }
                    self.slot_code[slot].next = unsigned_cast_to_fit(self.value[each].val());
                    self.slot_length[slot].next = unsigned_cast_to_fit(self.size[each].val());
                }
            }
        }

        // Slot after slot, each behind what is there.
        self.code.next = 0.into();
        self.length.next = 0.into();
        for slot in 0..self._slots {
            if self.record.val().get_bit(self.flag_place[slot].val()) {
                self.code.next =
                    self.code.val() | (self.slot_code[slot].val() << self.length.val());
                self.length.next = self.length.val() + self.slot_length[slot].val();
            }
        }

        self.record_ready.next = self.piece_ready.val() | !self.held_valid.q.val();
        self.takes.next = self.record_valid.val() & self.record_ready.val();
        self.piece_valid.next = self.held_valid.q.val();
        self.piece.next = self.held.q.val();
        self.piece_bits.next = self.held_bits.q.val();
        self.piece_last.next = self.held_last.q.val();
        if self.piece_ready.val().any() {
            self.held_valid.d.next = 0.into();
        }
        if self.takes.val().any() {
            self.held_valid.d.next = 1.into();
            self.held.d.next = self.code.val();
            self.held_bits.d.next = self.length.val();
            self.held_last.d.next = bits_to(self.record.val().get_bit(self.pads_place.val()), 1);
        }
    }
}
