//! Chunked variable length numbers: one chunk at a time, or the whole number at once.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::encode::variable_length::Chunks;

use super::bit_packer::BitPacker;

/// Bits that hold every chunk number of `chunks`.
pub fn chunk_index_bits(chunks: &Chunks) -> usize {
    index_bits(chunks.most_chunks()) as usize
}

fn parameters(chunks: &Chunks) -> [(&'static str, usize); 4] {
    [
        ("first", chunks.first as usize),
        ("next", chunks.next as usize),
        ("width", chunks.width as usize),
        ("connect_bits", chunks.connect_bits as usize),
    ]
}

/// The connect bits of a chunk when another follows, at the lowest place of a word of `width` bits.
fn connect(chunks: &Chunks, width: usize) -> Word {
    Word::new(width, if chunks.connect_bits == 2 { 3 } else { 1 })
}

/// One chunk of a number with its connect bit, and whether more follow.
#[derive(LogicBlock)]
pub struct ChunkSelector {
    kind: Kind,
    /// The number.
    pub value: Wire<In>,
    /// Which chunk, 0 being the first.
    pub index: Wire<In>,
    /// The chunk and its connect bit, first bit lowest.
    pub piece: Wire<Out>,
    /// Bits of the piece.
    pub piece_bits: Wire<Out>,
    /// The connect bit.
    pub more: Wire<Out>,
    chunk: Vec<Wire<Local>>,
    connect: Vec<Param>,
    value_place: Vec<Param>,
    later_place: Vec<Param>,
    piece_sizes: Vec<Param>,
    _chunks: usize,
}

impl ChunkSelector {
    /// The selector of numbers cut as `chunks` says; its `piece` is `width` wide.
    pub fn new(chunks: &Chunks, width: usize) -> Self {
        let mut kind = parameters(chunks).to_vec();
        kind.push(("piece_width", width));
        let most = chunks.most_chunks();
        let each =
            |f: &dyn Fn(u32) -> u32| (0..most).map(|index| Param::new(f(index) as usize)).collect();
        Self {
            kind: Kind::new("chunk_selector", kind),
            value: Wire::new(chunks.width as usize),
            index: Wire::new(chunk_index_bits(chunks)),
            piece: Wire::new(width).describe("chunk and connect bit"),
            piece_bits: Wire::new(BitPacker::piece_count_bits(width)),
            more: Wire::new(1).describe("the connect bit"),
            chunk: (0..most).map(|index| Wire::new(chunks.chunk_bits(index) as usize)).collect(),
            connect: (0..most)
                .map(|index| {
                    Param::new(connect(chunks, width) << chunks.chunk_bits(index) as usize)
                })
                .collect(),
            value_place: each(&|index| chunks.chunk_offset(index)),
            later_place: each(&|index| chunks.chunk_offset(index + 1)),
            piece_sizes: each(&|index| chunks.chunk_bits(index) + chunks.connect_bits),
            _chunks: most as usize,
        }
    }
}

impl Logic for ChunkSelector {
    #[hdl_gen]
    fn update(&mut self) {
        self.more.next = 0.into();
        self.piece.next = 0.into();
        self.piece_bits.next = 0.into();
        for each in 0..self._chunks {
            self.chunk[each].next =
                unsigned_cast_to_fit(self.value.val() >> self.value_place[each].val());
            if self.index.val() == each {
                self.piece.next = unsigned_cast_to_fit(self.chunk[each].val());
                self.piece_bits.next = self.piece_sizes[each].val();
                if (self.value.val() >> self.later_place[each].val()).any() {
                    self.more.next = 1.into();
                    self.piece.next = self.piece.val() | self.connect[each].val();
                }
            }
        }
    }
}

/// A whole number at once: all its chunks with their connect bits, and how many bits that makes.
#[derive(LogicBlock)]
pub struct VariableLength {
    kind: Kind,
    /// The number.
    pub value: Wire<In>,
    /// Its chunks and connect bits, first bit lowest; zero above `length`.
    pub code: Wire<Out>,
    /// Bits of the code.
    pub length: Wire<Out>,
    chunk: Vec<Wire<Local>>,
    place: Vec<Param>,
    connect: Vec<Param>,
    later_place: Vec<Param>,
    code_bits: Vec<Param>,
    value_place: Vec<Param>,
    _chunks: usize,
}

impl VariableLength {
    /// The encoder of numbers cut as `chunks` says.
    pub fn new(chunks: &Chunks) -> Self {
        let most = chunks.most_chunks();
        let each =
            |f: &dyn Fn(u32) -> u32| (0..most).map(|index| Param::new(f(index) as usize)).collect();
        let (code_width, connect_bits) = (chunks.most_bits() as usize, chunks.connect_bits);
        let begin = |index: u32| chunks.chunk_offset(index) + index * connect_bits;
        let end = |index: u32| begin(index) + chunks.chunk_bits(index) + connect_bits;
        Self {
            kind: Kind::new("variable_length", parameters(chunks)),
            value: Wire::new(chunks.width as usize),
            code: Wire::new(chunks.most_bits() as usize),
            length: Wire::new(Self::length_bits(chunks)),
            chunk: (0..most).map(|index| Wire::new(chunks.chunk_bits(index) as usize)).collect(),
            place: each(&begin),
            connect: (0..most)
                .map(|index| {
                    let place = (begin(index) + chunks.chunk_bits(index)) as usize;
                    Param::new(connect(chunks, code_width) << place)
                })
                .collect(),
            later_place: each(&|index| chunks.chunk_offset(index + 1)),
            code_bits: each(&end),
            value_place: each(&|index| chunks.chunk_offset(index)),
            _chunks: most as usize,
        }
    }

    /// Width of `length`.
    pub fn length_bits(chunks: &Chunks) -> usize {
        index_bits(chunks.most_bits() + 1) as usize
    }
}

impl Logic for VariableLength {
    #[hdl_gen]
    fn update(&mut self) {
        self.code.next = 0.into();
        self.length.next = 0.into();
        for each in 0..self._chunks {
            self.chunk[each].next =
                unsigned_cast_to_fit(self.value.val() >> self.value_place[each].val());
            self.code.next = self.code.val()
                | (unsigned_cast_to_fit(self.chunk[each].val()) << self.place[each].val());
            if each == 0 || (self.value.val() >> self.value_place[each].val()).any() {
                self.length.next = self.code_bits[each].val();
            }
            if (self.value.val() >> self.later_place[each].val()).any() {
                self.code.next = self.code.val() | self.connect[each].val();
            }
        }
    }
}
