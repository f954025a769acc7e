//! The behaviour of the adapter for the RISC-V formal interface.

#![allow(
    clippy::collapsible_if,
    reason = "a condition of the configuration guards signals that are not there without it"
)]

use super::*;

impl Logic for Rvfi {
    #[hdl_gen]
    fn update(&mut self) {
        for lane in 0..self.queue.word.len() {
            self.runs.rvfi_valid[lane].next = self.rvfi_valid[lane].val();
            self.runs.rvfi_insn[lane].next = self.rvfi_insn[lane].val();
            self.runs.rvfi_trap[lane].next = self.rvfi_trap[lane].val();
            self.runs.rvfi_intr[lane].next = self.rvfi_intr[lane].val();
            self.runs.rvfi_pc_rdata[lane].next = self.rvfi_pc_rdata[lane].val();
            self.runs.rvfi_pc_wdata[lane].next = self.rvfi_pc_wdata[lane].val();
            self.queue.word[lane].next = self.runs.run[lane].val();
        }
        self.queue.arrives.next = self.runs.puts.val();
        self.queue.flush.next = self.flush.val();
        self.queue.holds.next = bits_to(self.instructions.q.val().any(), 1) | self.trapped.q.val();
        if self.sheds.val() == 1 {
            // Of a core that goes on during a flush, the words that came before it have left after some cycles. What they
            // have left is shown in a cycle of its own.
            self.queue.flush.next = 0.into();
            self.shedder.level.next = self.queue.level.val();
            self.shedder.flush.next = self.flush.val();
            self.has_ended.d.next =
                self.shedder.drained.val() & (self.ends.q.val() | self.has_ended.q.val());
            self.drained.next = self.shedder.drained.val() & self.has_ended.q.val();
        } else {
            self.lost.next = self.queue.lost.val();
            self.stall.next = self.queue.stall.val();
            self.drained.next = self.queue.drained.val();
        }

        // The oldest words. What a flush has shown stays as it is, even if the core goes on.
        self.oldest_run.next = self.queue.oldest[0].val();
        self.oldest.next = self.oldest_run.last.val();
        self.follows.next = bits_to(self.queue.is_there.val().get_bit(0), 1) & !self.ends.q.val();
        self.out_diverted.next = self.oldest.diverted.val() & !self.diversion_shown.q.val();
        self.is_sequential.next =
            bits_to(self.oldest.branch_kind.val() == self.sequential.val(), 1);
        self.is_trap.next = bits_to(self.oldest.branch_kind.val() == self.exception.val(), 1);
        self.pends.next = self.returned.q.val() | self.trapped.q.val();
        self.is_interrupted.next = self.oldest.interrupt.val() & self.returned.q.val();
        // One that is only counted, where that is possible.
        self.passes.next = (self.is_sequential.val() & self.counts.val()) | self.is_trap.val();
        self.merges.next = 0.into();
        self.last.next = self.oldest.val();
        self.total.next = self.instructions.q.val();
        if !self.is_trap.val().any() {
            self.total.next = self.instructions.q.val() + 1;
        }
        if self.several.val() == 1 {
            self.second_run.next = self.queue.oldest[1].val();
            self.second.next = self.second_run.last.val();
            self.second_is_trap.next =
                bits_to(self.second.branch_kind.val() == self.exception.val(), 1);
            self.total.next = self.instructions.q.val()
                + bits_to(self.oldest_run.count.val(), self.instructions.width());
            if self.queue.is_there.val().get_bit(1) && !self.second.diverted.val().any() {
                if self.sheds.val() == 1 {
                    self.merges.next = self.is_sequential.val()
                        & self.follows.val()
                        & !self.out_diverted.val()
                        & !self.pends.val();
                } else {
                    self.merges.next = self.is_sequential.val()
                        & self.follows.val()
                        & !self.out_diverted.val()
                        & !self.pends.val()
                        & !self.is_single.q.val();
                }
            }
            if self.merges.val().any() {
                if !self.second_is_trap.val().any() {
                    self.last.next = self.second.val();
                }
                self.total.next = self.instructions.q.val()
                    + bits_to(self.oldest_run.count.val(), self.instructions.width())
                    + bits_to(self.second_run.count.val(), self.instructions.width());
            }
        }
        if self.sheds.val() == 1 {
            self.lost_sum.next = unsigned_cast_to_fit(self.instructions.q.val());
            self.lost_program_counter.next = self.last_program_counter.q.val();
            for each in 0..self.lost_count.len() {
                self.leaving[each].next =
                    unsigned_cast_to_fit(self.queue.oldest[each].val() >> self.count_bits.val());
                self.word_instructions[each].next = 1.into();
                if self.leaving[each].branch_kind.val() == self.exception.val() {
                    self.word_instructions[each].next = 0.into();
                }
                if self.several.val() == 1 {
                    // The count is the lowest field of a word.
                    self.word_instructions[each].next =
                        unsigned_cast_to_fit(self.queue.oldest[each].val()) & self.count_mask.val();
                }
                self.lost_count[each].next = self.lost_sum.val();
                if self.queue.is_there.val().get_bit(each) {
                    self.lost_count[each].next =
                        self.lost_sum.val() + self.word_instructions[each].val();
                    if self.leaving[each].branch_kind.val() != self.exception.val() {
                        self.lost_program_counter.next = self.leaving[each].program_counter.val();
                    }
                    if self.shedder.loses.val().any() {
                        self.last.next = self.leaving[each].val();
                    }
                }
                self.lost_sum.next = self.lost_count[each].val();
            }
            self.retire_lost.next = self.shedder.loses.val();
            self.retire_lost_count.next = self.lost_sum.val();
        }

        // The block.
        self.shows.next = 0.into();
        self.takes.next = self.follows.val();
        self.retire.kind.next = self.sequential.val();
        self.retire.count.next = self.instructions.q.val();
        self.shown_program_counter.next = self.last_program_counter.q.val();
        // What is shown without an instruction does not change when one comes.
        self.shown_target.next = self.return_target.q.val();
        if self.follows.val() > self.pends.val() {
            self.shown_target.next = self.last.target.val();
        }
        if self.pends.val().any() {
            // Where a trap or a return from one went the instruction after it says, if there is one.
            self.shows.next = self.follows.val() | self.queue.ends.val() | self.ends.q.val();
            self.takes.next = 0.into();
            self.retire.kind.next = self.exception.val();
            if self.returned.q.val().any() {
                self.retire.kind.next = self.indirect_jump.val();
            }
            if self.follows.val() > self.is_interrupted.val() {
                self.shown_target.next = self.oldest.program_counter.val();
                self.takes.next = self.passes.val();
            }
        } else if !self.follows.val().any() {
            // Those that are only counted, at the end.
            self.shows.next = (self.queue.ends.val() | self.ends.q.val())
                & bits_to(self.instructions.q.val().any(), 1);
        } else if self.out_diverted.val().any() {
            self.shows.next = 1.into();
            self.retire.kind.next = self.exception.val();
            self.shown_target.next = self.oldest.program_counter.val();
            self.takes.next = self.passes.val();
        } else {
            self.retire.kind.next = self.last.branch_kind.val();
            self.retire.count.next = self.total.val();
            self.shown_program_counter.next = self.last.program_counter.val();
            self.shows.next = bits_to(self.last.branch_kind.val() != self.sequential.val(), 1);
            // As many as a block can have.
            if self.total.val() > self.most_waiting.val() {
                self.shows.next = 1.into();
            }
            if (self.last.trap_return.val() | self.is_trap.val()).any() {
                self.shows.next = 0.into();
            }
        }
        if self.sheds.val() == 1 {
            if self.shedder.loses.val().any() {
                self.shows.next = 1.into();
                self.takes.next = 0.into();
                self.retire.kind.next = self.last.branch_kind.val();
                self.shown_program_counter.next = self.lost_program_counter.val();
                self.shown_target.next = self.last.target.val();
            }
        }
        self.retire.valid.next = self.shows.val();
        self.retire.pc.next = bits_to(self.shown_program_counter.val(), self.retire.pc.width())
            << self.alignment.val();
        self.retire.target.next =
            bits_to(self.shown_target.val(), self.retire.pc.width()) << self.alignment.val();
        self.describes.next = self.follows.val() & !self.pends.val();
        self.retire.call.next = self.last.call.val() & self.describes.val();
        self.retire.is_return.next = self.last.is_return.val() & self.describes.val();
        self.retire.taken.next =
            (self.last.taken.val() & self.describes.val()) | self.returned.q.val();
        self.retire.length.next = 2.into();
        if (self.last.is_long.val() & self.describes.val()).any() {
            self.retire.length.next = 4.into();
        }

        if self.sheds.val() == 1 {
            if self.shedder.loses.val().any() {
                self.retire.taken.next = self.last.taken.val();
            }
        }

        // What is shown waits for the trace module; what is only counted does not.
        self.ends.d.next = 0.into();
        if self.several.val() == 1 && self.sheds.val() == 0 {
            self.is_single.d.next = 0.into();
        }
        if self.sheds.val() == 0 && self.shows.val().any() && self.retire_stall.val().any() {
            self.takes.next = 0.into();
            self.ends.d.next = !self.follows.val();
            if self.several.val() == 1 {
                self.is_single.d.next = !self.merges.val();
            }
        } else {
            if self.shows.val().any() {
                self.instructions.d.next = 0.into();
            }
            if self.pends.val().any() {
                // After a return is where the flow has gone on, unless that is a handler.
                self.diversion_shown.d.next = self.follows.val() & !self.is_interrupted.val();
            } else if self.out_diverted.val().any() {
                self.diversion_shown.d.next = self.follows.val();
            }
            if self.shows.val().any() {
                self.returned.d.next = 0.into();
                self.trapped.d.next = 0.into();
            }
        }
        if self.takes.val().any() {
            self.diversion_shown.d.next = 0.into();
            if !self.is_trap.val().any() {
                self.last_program_counter.d.next = self.last.program_counter.val();
            }
            self.returned.d.next = self.last.trap_return.val();
            self.trapped.d.next = self.is_trap.val();
            self.return_target.d.next = self.last.target.val();
            if self.several.val() == 1 {
                if (self.merges.val() & self.second_is_trap.val()).any() {
                    self.trapped.d.next = 1.into();
                    self.return_target.d.next = self.second.target.val();
                }
            }
            if !self.shows.val().any() {
                self.instructions.d.next = self.total.val();
            } else if self.out_diverted.val().any() || self.pends.val().any() {
                self.instructions.d.next = 0.into();
                if !self.is_trap.val().any() {
                    self.instructions.d.next = 1.into();
                }
            }
        }
        self.queue.takes.next = 0.into();
        if self.takes.val().any() {
            self.queue.takes.next = 1.into();
            if self.merges.val().any() {
                self.queue.takes.next = 3.into();
            }
        }
        if self.sheds.val() == 1 {
            self.ends.d.next =
                self.shedder.drained.val() & !self.ends.q.val() & !self.has_ended.q.val();
            if self.shedder.loses.val().any() {
                self.queue.takes.next = !bits_to(0, self.queue.takes.width());
                self.diversion_shown.d.next = 0.into();
                self.last_program_counter.d.next = self.lost_program_counter.val();
            }
        }
    }
}
