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

impl Logic for LostRun {
    #[hdl_gen]
    fn update(&mut self) {
        self.oldest.next = self.word[0].val();
        self.address.next = self.oldest.address.val();
        // The address of an interrupt without an instruction is read only where nothing else has a target.
        self.has_address.next = bits_to(self.oldest.iretire.val().any(), 1)
            | bits_to(bits_to(self.oldest.itype.val(), 4) == self.exception.val(), 1);
        self.next_context.next = self.oldest.context.val();
        self.next_privilege.next = self.oldest.privilege.val();

        self.end_now.next = 0.into();
        self.place_now.next = 0.into();
        self.sum_now.next = 0.into();
        for each in 0..self.word.len() {
            self.place[each].next =
                unsigned_cast_to_fit(self.word[each].val() >> self.end_bits.val());
            self.retires[each].next =
                unsigned_cast_to_fit(self.place[each].val() >> self.retire_place.val());
            self.count[each].next =
                unsigned_cast_to_fit(self.place[each].val() >> self.count_place.val());
            self.end[each].next = self.end_now.val();
            self.last_place[each].next = self.place_now.val();
            self.sum[each].next = self.sum_now.val();
            if self.is_there.val().get_bit(each) {
                self.end[each].next = unsigned_cast_to_fit(self.word[each].val());
                if self.retires[each].val().any() {
                    self.last_place[each].next = self.place[each].val();
                    self.sum[each].next =
                        self.sum_now.val() + unsigned_cast_to_fit(self.count[each].val());
                }
            }
            self.end_now.next = self.end[each].val();
            self.place_now.next = self.last_place[each].val();
            self.sum_now.next = self.sum[each].val();
        }
        self.run.next = (bits_to(self.place_now.val(), self.run.width()) << self.end_bits.val())
            | bits_to(self.end_now.val(), self.run.width());
        self.instructions.next = self.sum_now.val();
    }
}
