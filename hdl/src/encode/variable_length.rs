//! Chunked variable length numbers: one chunk at a time, or the whole number at once.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::encode::variable_length::Chunks;

use super::bit_packer::BitPacker;

/// Bits that hold every chunk number of `chunks`.
pub fn chunk_index_bits(chunks: &Chunks) -> usize {
    index_bits(chunks.most_chunks()) as usize
}

fn parameters(chunks: &Chunks) -> Vec<(&'static str, usize)> {
    let mut parameters = vec![
        ("first", chunks.first as usize),
        ("next", chunks.next as usize),
        ("width", chunks.width as usize),
        ("continuation_bits", chunks.continuation_bits as usize),
    ];
    if chunks.end != 0 {
        parameters.push(("end", chunks.end as usize));
    }
    parameters
}

/// The continuation bits of a chunk when another follows, at the lowest place of a word of `width` bits.
fn continuation(chunks: &Chunks, width: usize) -> Word {
    Word::new(width, if chunks.continuation_bits == 2 { 3 } else { 1 })
}

block! {
    /// One chunk of a number with its continuation bit, and whether more follow.
    pub ChunkSelector("chunk_selector") of (chunks: &Chunks, width: usize, registers: bool) {
        let most = chunks.most_chunks();
        let held = |bits| if registers { bits } else { 0 };
    }
    parameters {
        ..parameters(chunks),
        piece_width = width,
        registers if registers,
    }

    /// the number
    in value: chunks.width as usize;
    /// number of the chunk, 0 for the first
    in index: chunk_index_bits(chunks);
    /// the next number comes
    in load: held(1);
    in next_value: held(chunks.width as usize);
    /// chunk and continuation bit
    out piece: width;
    /// bits of the piece
    out piece_bits: BitPacker::piece_count_bits(width);
    /// the continuation bit
    out more: 1;
    /// the last chunk of the number
    reg last: held(chunk_index_bits(chunks)) = undefined;
    local chunk: chunks.chunk_bits(index) as usize for index in 0..most;
    param continuation = continuation(chunks, width) << chunks.chunk_bits(index) as usize for index in 0..most;
    param value_place = chunks.chunk_offset(index) for index in 0..most;
    param later_place = chunks.chunk_offset(index + 1) for index in 0..most;
    param piece_sizes = chunks.chunk_bits(index) + chunks.continuation_bits for index in 0..most;
    param chunk_number = Word::new(chunk_index_bits(chunks), index.into()) for index in 0..most;
    param has_registers = usize::from(registers);
    param leads = usize::from(chunks.end != 0);
    param leading_bits = chunks.leading_bits();
    param end = Word::new(width, chunks.end);
}

#[kernel]
impl Logic for ChunkSelector {
    fn update(&mut self) {
        more = 0;
        if when(has_registers) {
            more = index != last.q;
            if load {
                last.d = 0;
                for each in 1..chunk.len() {
                    if next_value >> value_place[each] {
                        last.d = fitted(chunk_number[each]);
                    }
                }
            }
        }
        piece = 0;
        piece_bits = 0;
        for each in 0..chunk.len() {
            chunk[each] = fitted(value >> value_place[each]);
            if index == each {
                piece = fitted(chunk[each]);
                piece_bits = piece_sizes[each];
                if when(leads) {
                    piece = fitted(chunk[each]) << leading_bits;
                    if when(has_registers) {
                        if !more {
                            piece = piece | end;
                        }
                    } else if value >> later_place[each] {
                        more = 1;
                    } else {
                        piece = piece | end;
                    }
                } else if when(has_registers) {
                    if more {
                        piece = piece | continuation[each];
                    }
                } else if value >> later_place[each] {
                    more = 1;
                    piece = piece | continuation[each];
                }
            }
        }
    }
}

block! {
    /// A whole number at once: all its chunks with their continuation bits, and how many bits that makes.
    pub VariableLength("variable_length") of (chunks: &Chunks) {
        let most = chunks.most_chunks();
        let (code_width, continuation_bits) = (chunks.most_bits() as usize, chunks.continuation_bits);
        let leads = chunks.end != 0;
        let begin = |index: u32| chunks.chunk_offset(index) + index * continuation_bits;
        let end = |index: u32| begin(index) + chunks.chunk_bits(index) + continuation_bits;
    }
    parameters {
        ..parameters(chunks),
    }

    /// the number
    in value: chunks.width as usize;
    /// chunks and continuation bits, first bit lowest; zero above length
    out code: chunks.most_bits() as usize;
    /// bits of the code
    out length: Self::length_bits(chunks);
    local chunk: chunks.chunk_bits(index) as usize for index in 0..most;
    param place = begin(index) + chunks.leading_bits() for index in 0..most;
    param continuation = continuation(chunks, code_width) << (begin(index) + chunks.chunk_bits(index)) as usize for index in 0..most;
    param later_place = chunks.chunk_offset(index + 1) for index in 0..most;
    param code_bits = end(index) for index in 0..most;
    param value_place = chunks.chunk_offset(index) for index in 0..most;
    /// control bits before the last chunk
    local ends: if leads { code_width } else { 0 };
    param leads = usize::from(leads);
    param end = Word::new(code_width, chunks.end) << begin(index) as usize for index in 0..most;
}

impl VariableLength {
    /// Width of `length`.
    pub fn length_bits(chunks: &Chunks) -> usize {
        index_bits(chunks.most_bits() + 1) as usize
    }
}

#[kernel]
impl Logic for VariableLength {
    fn update(&mut self) {
        code = 0;
        length = 0;
        for each in 0..chunk.len() {
            chunk[each] = fitted(value >> value_place[each]);
            code = code | (fitted(chunk[each]) << place[each]);
            if each == 0 || (value >> value_place[each]) {
                length = code_bits[each];
                if when(leads) {
                    ends = end[each];
                }
            }
            if when(!leads) {
                if value >> later_place[each] {
                    code = code | continuation[each];
                }
            }
        }
        if when(leads) {
            code = code | ends;
        }
    }
}
