//! Blocks that leave the queue and are lost.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::{Processor, Protocol};
use tracewright_sim::tip::{Config, EXCEPTION, Retirement};

use super::Waiting;

block! {
    /// As many of the oldest blocks as are there, as one that ends as the newest of them.
    pub LostRun("lost_run") of (config: &Config, processor: &Processor, protocol: &Protocol) {
        let lanes = config.queue.lanes as usize;
        let lost_bits = processor.lost_count_bits() as usize;
        let word = Waiting::<View>::new(config, processor, protocol);
        let word_bits = word.width();
        // How a block ends, and where it is: the latter is nowhere if it has no instruction.
        let end_bits = word.itype.width()
            + word.cause.width()
            + word.privilege.width()
            + word.context.width();
        let place_bits = word_bits - end_bits;
        let retire_bits = word.iretire.width();
        let address_bits = word.address.width();
        let (count_place, count_bits) = match config.retirement {
            Retirement::Single => (address_bits, 1),
            Retirement::Block if word.icount.width() > 0 => {
                (place_bits - word.icount.width(), word.icount.width())
            }
            // All instructions have two half-words.
            Retirement::Block => (address_bits + 1, retire_bits - 1),
        };
    }
    parameters {
        lanes,
        end_width = end_bits,
        place_width = place_bits,
    }

    /// the oldest blocks, as far as there are so many
    in is_there: lanes;
    in word: word_bits for _ in 0..lanes;
    out run: word_bits;
    /// instructions of all
    out instructions: lost_bits;
    /// of the oldest block, which says where the flow has gone on before it
    out address: address_bits;
    out has_address: 1;
    out next_context: protocol.context_bits;
    out next_privilege: protocol.privilege_bits;
    view oldest: Waiting(config, processor, protocol);
    /// where each block is
    local place: place_bits for _ in 0..lanes;
    local retires: retire_bits for _ in 0..lanes;
    local count: count_bits for _ in 0..lanes;
    /// how the newest block up to each ends
    local end: end_bits for _ in 0..lanes;
    local end_now: end_bits;
    /// where the newest one with an instruction is
    local last_place: place_bits for _ in 0..lanes;
    local place_now: place_bits;
    local sum: lost_bits for _ in 0..lanes;
    local sum_now: lost_bits;
    constant exception: 4 = u64::from(EXCEPTION);
    param end_bits = end_bits;
    param retire_place = address_bits;
    param count_place = count_place;
}

#[kernel]
impl Logic for LostRun {
    fn update(&mut self) {
        oldest = word[0];
        address = oldest.address;
        // The address of an interrupt without an instruction is read only where nothing else has a target.
        has_address = bit(oldest.iretire) | bit(resized(oldest.itype, 4) == exception);
        next_context = oldest.context;
        next_privilege = oldest.privilege;

        end_now = 0;
        place_now = 0;
        sum_now = 0;
        for each in 0..word.len() {
            place[each] = fitted(word[each] >> end_bits);
            retires[each] = fitted(place[each] >> retire_place);
            count[each] = fitted(place[each] >> count_place);
            end[each] = end_now;
            last_place[each] = place_now;
            sum[each] = sum_now;
            if is_there.get_bit(each) {
                end[each] = fitted(word[each]);
                if retires[each] {
                    last_place[each] = place[each];
                    sum[each] = sum_now + fitted(count[each]);
                }
            }
            end_now = end[each];
            place_now = last_place[each];
            sum_now = sum[each];
        }
        run = (resized(place_now) << end_bits) | resized(end_now);
        instructions = sum_now;
    }
}
