//! The instructions of a cycle in the order of the program, where lanes are in another one.

use tracewright_elaborate::prelude::*;
use tracewright_sim::rvfi::{Compressed, Config};

/// Bits of the number of an instruction: twice as many instructions as can come in a cycle.
pub const NUMBER_BITS: usize = 3;

packed! {
    /// What a lane shows of an instruction.
    pub Shown of (config: &Config, byte_bits: usize) {
        let next_bits = if config.pins.next { byte_bits } else { 0 };
    }
    insn: 32;
    trap: usize::from(config.pins.trap);
    interrupt: usize::from(config.pins.interrupt);
    compressed: usize::from(config.compressed == Compressed::Pin);
    pc: byte_bits;
    next_pc: next_bits;
}

block! {
    /// Sorts the instructions of a cycle by their numbers, the oldest first.
    pub Order("order") of (lanes: usize, width: usize);
    parameters {
        lanes,
        width,
    }

    /// an instruction retires in this lane
    in valid: 1 for _ in 0..lanes;
    /// its number in the order of the program
    in number: NUMBER_BITS for _ in 0..lanes;
    in word: width for _ in 0..lanes;
    /// there is an instruction of this place
    out is_there: 1 for _ in 0..lanes;
    out ordered: width for _ in 0..lanes;
    /// one hot: the place of a lane's instruction, one more than the number of older ones
    local place: lanes for _ in 0..lanes;
    local distance: NUMBER_BITS;
    param older = NUMBER_BITS - 1;
}

#[kernel]
impl Logic for Order {
    fn update(&mut self) {
        for lane in 0..valid.len() {
            place[lane] = 1;
            for other in 0..valid.len() {
                // Of numbers that are less than half of them apart, the older one is the lower.
                distance = number[other] - number[lane];
                if valid[other] && distance.get_bit(older) {
                    place[lane] = place[lane] << 1;
                }
            }
        }
        for at in 0..valid.len() {
            is_there[at] = 0;
            ordered[at] = word[0];
            for lane in 0..valid.len() {
                if valid[lane] && place[lane].get_bit(at) {
                    is_there[at] = 1;
                    ordered[at] = word[lane];
                }
            }
        }
    }
}
