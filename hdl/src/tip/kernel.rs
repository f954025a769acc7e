//! The behaviour of the adapter for a trace ingress port.

#![allow(
    clippy::collapsible_if,
    reason = "a condition of the configuration guards signals that are not there without it"
)]

use super::*;

#[kernel]
impl Logic for Tip {
    fn update(&mut self) {
        // The queue.
        arrives = 0;
        for lane in 0..arriving.len() {
            code[lane] = fitted(tip_itype[lane]);
            if tip_iretire[lane] || code[lane] == exception || code[lane] == interrupt {
                arrives = arrives.replace_bit(lane, true);
            }
            arriving[lane].itype = tip_itype[lane];
            arriving[lane].cause = tip_cause;
            arriving[lane].privilege = tip_priv;
            arriving[lane].context = tip_context;
            arriving[lane].address = fitted(tip_iaddr[lane] >> alignment);
            arriving[lane].iretire = tip_iretire[lane];
            arriving[lane].last_size = tip_ilastsize[lane];
            arriving[lane].icount = tip_icount[lane];
            queue.word[lane] = arriving[lane];
        }
        queue.arrives = arrives;
        queue.flush = flush;
        if when(sheds) {
            // Of a hart that goes on during a flush, the blocks that came before it have left after some cycles. What is
            // held then is shown in a cycle of its own.
            queue.flush = 0;
            shedder.level = queue.level;
            shedder.flush = flush;
            has_ended.d = shedder.drained & (ends.q | has_ended.q);
            lost_run.is_there = queue.is_there;
            for each in 0..lost_run.word.len() {
                lost_run.word[each] = queue.oldest[each];
            }
        } else {
            lost = queue.lost;
            stall = queue.stall;
        }

        // The oldest block in the queue.
        oldest = queue.oldest[0];
        if when(sheds) {
            if shedder.loses {
                oldest = lost_run.run;
            }
        }
        termination.itype = oldest.itype;
        retires = oldest.iretire.any();
        // The address of an interrupt without an instruction is read only where nothing else has a target.
        has_address = retires | bit(resized(oldest.itype, 4) == exception);
        if when(sheds) {
            has_address = lost_run.has_address;
        }
        length = 2;
        if oldest.last_size {
            length = 4;
        }
        step = resized(length >> alignment);
        if when(is_block) {
            step = (resized(oldest.iretire) << 1) >> alignment;
        }
        fall_through = oldest.address + step;

        // The block that is held, as the oldest one in the queue ends it.
        // What a flush has shown stays as it is, even if the hart goes on.
        if when(sheds) {
            follows = bit(queue.is_there.get_bit(0)) & (!ends.q | shedder.loses);
        } else {
            follows = queue.is_there & !ends.q;
        }
        diverted = 0;
        if when(sheds) {
            if lost_run.address != held_fall_through.q {
                diverted = held_goes_on.q & has_address & follows;
            }
        } else if oldest.address != held_fall_through.q {
            diverted = held_goes_on.q & has_address & follows;
        }
        takes = follows;
        branch_kind = held_kind.q;
        cause = held_cause.q;
        if held_kind.q == sequential {
            if !held_goes_on.q {
                branch_kind = exception_kind;
            } else if diverted {
                // Only three bits leave inferable jumps out.
                branch_kind = exception_kind;
                if is_short == 1 && held_count.q {
                    branch_kind = direct_jump;
                }
                cause = 0;
            }
        } else if diverted {
            // The branch first; after it an exception of no instructions is shown.
            takes = 0;
        }
        if when(sheds) {
            is_lost = held_lost.q | shedder.loses;
            if is_lost {
                // What is lost needs no block for its branch.
                takes = follows;
                if diverted {
                    branch_kind = exception_kind;
                }
            }
            retire_lost = is_lost;
            retire_lost_count = resized(held_count.q);
        }
        shows = bit(branch_kind) | bit(held_count.q);
        ends.d = 0;
        if !follows {
            // At the end; where a jump has gone is not known then.
            shows = (queue.ends | ends.q) & held_goes_on.q & bit(held_count.q);
            if when(!sheds) {
                ends.d = shows & retire_stall;
            }
        }
        if when(sheds) {
            ends.d = shedder.drained & !ends.q & !has_ended.q;
        }
        retire.valid = shows;
        retire.kind = branch_kind;
        retire.count = resized(held_count.q);
        retire.pc = resized(held_program_counter.q) << alignment;
        retire.call = held_call.q;
        retire.is_return = held_return.q;
        retire.taken = !held_goes_on.q;
        if held_kind.q == sequential {
            retire.taken = !held_goes_on.q | diverted;
        }
        if when(sheds) {
            if is_lost & diverted {
                retire.taken = 1;
            }
        }
        retire.length = 2;
        if held_is_long.q {
            retire.length = 4;
        }
        retire.target = 0;
        retire_context = held_context.q;
        retire_privilege = held_privilege.q;
        if when(sheds) {
            if follows {
                retire.target = resized(lost_run.address) << alignment;
                retire_context = lost_run.next_context;
                retire_privilege = lost_run.next_privilege;
            }
        } else if follows {
            retire.target = resized(oldest.address) << alignment;
            retire_context = oldest.context;
            retire_privilege = oldest.privilege;
        }
        retire_cause = cause;

        // What is shown waits for the trace module.
        if sheds == 0 && shows && retire_stall {
            takes = 0;
        } else if shows {
            held_count.d = 0;
            held_kind.d = sequential;
        }
        if takes {
            held_kind.d = termination.branch_kind;
            held_call.d = termination.call;
            held_return.d = termination.is_return;
            held_goes_on.d = !termination.taken;
            held_context.d = oldest.context;
            held_privilege.d = oldest.privilege;
            if when(has_cause) {
                held_cause.d = resized(oldest.cause);
                if resized(oldest.itype, 4) == interrupt {
                    held_cause.d =
                        resized(oldest.cause) | (resized(termination.traps) << code_bits);
                }
            }
            held_count.d = 0;
            if retires {
                if when(has_icount) {
                    held_count.d = resized(oldest.icount);
                } else if when(is_block) {
                    // All instructions have two half-words.
                    held_count.d = resized(oldest.iretire >> 1);
                } else {
                    held_count.d = 1;
                }
                held_is_long.d = oldest.last_size;
                held_fall_through.d = fall_through;
                if when(is_block) {
                    held_program_counter.d =
                        fall_through - resized(length >> alignment, held_program_counter.width());
                } else {
                    held_program_counter.d = oldest.address;
                }
            }
        }
        queue.holds = shows;
        if when(sheds) {
            queue.takes = resized(takes);
            if takes {
                held_lost.d = shedder.loses;
                if shedder.loses {
                    held_count.d = resized(lost_run.instructions);
                    queue.takes = !resized(0);
                }
            }
            drained = shedder.drained & has_ended.q;
        } else {
            queue.takes = takes;
            drained = queue.drained;
        }
    }
}
