//! The behaviour of the adapter for a trace ingress port.

#![allow(
    clippy::collapsible_if,
    reason = "a condition of the configuration guards signals that are not there without it"
)]

use super::*;

impl Logic for Tip {
    #[hdl_gen]
    fn update(&mut self) {
        // The queue.
        self.arrives.next = 0.into();
        for lane in 0..self.arriving.len() {
            self.code[lane].next = unsigned_cast_to_fit(self.tip_itype[lane].val());
            if self.tip_iretire[lane].val().any()
                || self.code[lane].val() == self.exception.val()
                || self.code[lane].val() == self.interrupt.val()
            {
                self.arrives.next = self.arrives.val().replace_bit(lane, true);
            }
            self.arriving[lane].itype.next = self.tip_itype[lane].val();
            self.arriving[lane].cause.next = self.tip_cause.val();
            self.arriving[lane].privilege.next = self.tip_priv.val();
            self.arriving[lane].context.next = self.tip_context.val();
            self.arriving[lane].address.next =
                unsigned_cast_to_fit(self.tip_iaddr[lane].val() >> self.alignment.val());
            self.arriving[lane].iretire.next = self.tip_iretire[lane].val();
            self.arriving[lane].last_size.next = self.tip_ilastsize[lane].val();
            self.arriving[lane].icount.next = self.tip_icount[lane].val();
            self.queue.word[lane].next = self.arriving[lane].val();
        }
        self.queue.arrives.next = self.arrives.val();
        self.queue.flush.next = self.flush.val();
        if self.sheds.val() == 1 {
            // Of a hart that goes on during a flush, the blocks that came before it have left after some cycles. What is
            // held then is shown in a cycle of its own.
            self.queue.flush.next = 0.into();
            self.shedder.level.next = self.queue.level.val();
            self.shedder.flush.next = self.flush.val();
            self.has_ended.d.next =
                self.shedder.drained.val() & (self.ends.q.val() | self.has_ended.q.val());
            self.lost_run.is_there.next = self.queue.is_there.val();
            for each in 0..self.lost_run.word.len() {
                self.lost_run.word[each].next = self.queue.oldest[each].val();
            }
        } else {
            self.lost.next = self.queue.lost.val();
            self.stall.next = self.queue.stall.val();
        }

        // The oldest block in the queue.
        self.oldest.next = self.queue.oldest[0].val();
        if self.sheds.val() == 1 {
            if self.shedder.loses.val().any() {
                self.oldest.next = self.lost_run.run.val();
            }
        }
        self.termination.itype.next = self.oldest.itype.val();
        self.retires.next = bits_to(self.oldest.iretire.val().any(), 1);
        // The address of an interrupt without an instruction is read only where nothing else has a target.
        self.has_address.next = self.retires.val()
            | bits_to(bits_to(self.oldest.itype.val(), 4) == self.exception.val(), 1);
        if self.sheds.val() == 1 {
            self.has_address.next = self.lost_run.has_address.val();
        }
        self.length.next = 2.into();
        if self.oldest.last_size.val().any() {
            self.length.next = 4.into();
        }
        self.step.next =
            bits_to(self.length.val() >> self.alignment.val(), self.held_program_counter.width());
        if self.is_block.val() == 1 {
            self.step.next =
                (bits_to(self.oldest.iretire.val(), self.held_program_counter.width()) << 1)
                    >> self.alignment.val();
        }
        self.fall_through.next = self.oldest.address.val() + self.step.val();

        // The block that is held, as the oldest one in the queue ends it.
        // What a flush has shown stays as it is, even if the hart goes on.
        if self.sheds.val() == 1 {
            self.follows.next = bits_to(self.queue.is_there.val().get_bit(0), 1)
                & (!self.ends.q.val() | self.shedder.loses.val());
        } else {
            self.follows.next = self.queue.is_there.val() & !self.ends.q.val();
        }
        self.diverted.next = 0.into();
        if self.sheds.val() == 1 {
            if self.lost_run.address.val() != self.held_fall_through.q.val() {
                self.diverted.next =
                    self.held_goes_on.q.val() & self.has_address.val() & self.follows.val();
            }
        } else if self.oldest.address.val() != self.held_fall_through.q.val() {
            self.diverted.next =
                self.held_goes_on.q.val() & self.has_address.val() & self.follows.val();
        }
        self.takes.next = self.follows.val();
        self.branch_kind.next = self.held_kind.q.val();
        self.cause.next = self.held_cause.q.val();
        if self.held_kind.q.val() == self.sequential.val() {
            if !self.held_goes_on.q.val().any() {
                self.branch_kind.next = self.exception_kind.val();
            } else if self.diverted.val().any() {
                // Only three bits leave inferable jumps out.
                self.branch_kind.next = self.exception_kind.val();
                if self.is_short.val() == 1 && self.held_count.q.val().any() {
                    self.branch_kind.next = self.direct_jump.val();
                }
                self.cause.next = 0.into();
            }
        } else if self.diverted.val().any() {
            // The branch first; after it an exception of no instructions is shown.
            self.takes.next = 0.into();
        }
        if self.sheds.val() == 1 {
            self.is_lost.next = self.held_lost.q.val() | self.shedder.loses.val();
            if self.is_lost.val().any() {
                // What is lost needs no block for its branch.
                self.takes.next = self.follows.val();
                if self.diverted.val().any() {
                    self.branch_kind.next = self.exception_kind.val();
                }
            }
            self.retire_lost.next = self.is_lost.val();
            self.retire_lost_count.next =
                bits_to(self.held_count.q.val(), self.retire_lost_count.width());
        }
        self.shows.next =
            bits_to(self.branch_kind.val().any(), 1) | bits_to(self.held_count.q.val().any(), 1);
        self.ends.d.next = 0.into();
        if !self.follows.val().any() {
            // At the end; where a jump has gone is not known then.
            self.shows.next = (self.queue.ends.val() | self.ends.q.val())
                & self.held_goes_on.q.val()
                & bits_to(self.held_count.q.val().any(), 1);
            if self.sheds.val() == 0 {
                self.ends.d.next = self.shows.val() & self.retire_stall.val();
            }
        }
        if self.sheds.val() == 1 {
            self.ends.d.next =
                self.shedder.drained.val() & !self.ends.q.val() & !self.has_ended.q.val();
        }
        self.retire.valid.next = self.shows.val();
        self.retire.kind.next = self.branch_kind.val();
        self.retire.count.next = bits_to(self.held_count.q.val(), self.retire.count.width());
        self.retire.pc.next = bits_to(self.held_program_counter.q.val(), self.retire.pc.width())
            << self.alignment.val();
        self.retire.call.next = self.held_call.q.val();
        self.retire.is_return.next = self.held_return.q.val();
        self.retire.taken.next = !self.held_goes_on.q.val();
        if self.held_kind.q.val() == self.sequential.val() {
            self.retire.taken.next = !self.held_goes_on.q.val() | self.diverted.val();
        }
        if self.sheds.val() == 1 {
            if (self.is_lost.val() & self.diverted.val()).any() {
                self.retire.taken.next = 1.into();
            }
        }
        self.retire.length.next = 2.into();
        if self.held_is_long.q.val().any() {
            self.retire.length.next = 4.into();
        }
        self.retire.target.next = 0.into();
        self.retire_context.next = self.held_context.q.val();
        self.retire_privilege.next = self.held_privilege.q.val();
        if self.sheds.val() == 1 {
            if self.follows.val().any() {
                self.retire.target.next =
                    bits_to(self.lost_run.address.val(), self.retire.pc.width())
                        << self.alignment.val();
                self.retire_context.next = self.lost_run.next_context.val();
                self.retire_privilege.next = self.lost_run.next_privilege.val();
            }
        } else if self.follows.val().any() {
            self.retire.target.next =
                bits_to(self.oldest.address.val(), self.retire.pc.width()) << self.alignment.val();
            self.retire_context.next = self.oldest.context.val();
            self.retire_privilege.next = self.oldest.privilege.val();
        }
        self.retire_cause.next = self.cause.val();

        // What is shown waits for the trace module.
        if self.sheds.val() == 0 && self.shows.val().any() && self.retire_stall.val().any() {
            self.takes.next = 0.into();
        } else if self.shows.val().any() {
            self.held_count.d.next = 0.into();
            self.held_kind.d.next = self.sequential.val();
        }
        if self.takes.val().any() {
            self.held_kind.d.next = self.termination.branch_kind.val();
            self.held_call.d.next = self.termination.call.val();
            self.held_return.d.next = self.termination.is_return.val();
            self.held_goes_on.d.next = !self.termination.taken.val();
            self.held_context.d.next = self.oldest.context.val();
            self.held_privilege.d.next = self.oldest.privilege.val();
            if self.has_cause.val() == 1 {
                self.held_cause.d.next = bits_to(self.oldest.cause.val(), self.cause.width());
                if bits_to(self.oldest.itype.val(), 4) == self.interrupt.val() {
                    self.held_cause.d.next = bits_to(self.oldest.cause.val(), self.cause.width())
                        | (bits_to(self.termination.traps.val(), self.cause.width())
                            << self.code_bits.val());
                }
            }
            self.held_count.d.next = 0.into();
            if self.retires.val().any() {
                self.held_count.d.next = 1.into();
                if self.has_icount.val() == 1 {
                    self.held_count.d.next =
                        bits_to(self.oldest.icount.val(), self.held_count.width());
                } else if self.is_block.val() == 1 {
                    // All instructions have two half-words.
                    self.held_count.d.next =
                        bits_to(self.oldest.iretire.val() >> 1, self.held_count.width());
                }
                self.held_is_long.d.next = self.oldest.last_size.val();
                self.held_fall_through.d.next = self.fall_through.val();
                self.held_program_counter.d.next = self.oldest.address.val();
                if self.is_block.val() == 1 {
                    self.held_program_counter.d.next = self.fall_through.val()
                        - bits_to(
                            self.length.val() >> self.alignment.val(),
                            self.held_program_counter.width(),
                        );
                }
            }
        }
        self.queue.holds.next = self.shows.val();
        if self.sheds.val() == 1 {
            self.queue.takes.next = bits_to(self.takes.val(), self.queue.takes.width());
            if self.takes.val().any() {
                self.held_lost.d.next = self.shedder.loses.val();
                if self.shedder.loses.val().any() {
                    self.held_count.d.next =
                        bits_to(self.lost_run.instructions.val(), self.held_count.width());
                    self.queue.takes.next = !bits_to(0, self.queue.takes.width());
                }
            }
            self.drained.next = self.shedder.drained.val() & self.has_ended.q.val();
        } else {
            self.queue.takes.next = self.takes.val();
            self.drained.next = self.queue.drained.val();
        }
    }
}
