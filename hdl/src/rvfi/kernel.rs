//! The behaviour of the adapter for the RISC-V formal interface.

#![allow(
    clippy::collapsible_if,
    reason = "a condition of the configuration guards signals that are not there without it"
)]

use super::*;

#[kernel]
impl Logic for Rvfi {
    fn update(&mut self) {
        for lane in 0..queue.word.len() {
            shown[lane] = Shown { insn: insn[lane], pc: pc[lane] };
            if when(traps_are_there) {
                shown[lane].trap = trap[lane];
            }
            if when(has_interrupt) {
                shown[lane].interrupt = interrupt[lane];
            }
            if when(says_next) {
                shown[lane].next_pc = next_pc[lane];
            }
            if when(has_compressed) {
                shown[lane].compressed = compressed[lane];
            }
            if when(is_numbered) {
                order.valid[lane] = valid[lane];
                order.number[lane] = number[lane];
                order.word[lane] = shown[lane];
            } else {
                runs.valid[lane] = valid[lane];
                runs.shown[lane] = shown[lane];
            }
        }
        for lane in 0..queue.word.len() {
            if when(is_numbered) {
                runs.valid[lane] = order.is_there[lane];
                runs.shown[lane] = order.ordered[lane];
            }
            queue.word[lane] = runs.run[lane];
            if when(has_registers) {
                coming_word[lane].d = runs.run[lane];
                queue.word[lane] = coming_word[lane].q;
            }
        }
        runs.flush = flush;
        runs.has_room = queue.level != depth;
        queue.arrives = runs.puts;
        queue.flush = flush;
        queue.holds = bit(instructions.q) | runs.arrives;
        if when(has_registers) {
            runs.has_room = bit(queue.level != depth) & bit(queue.level != almost_full);
            coming.d = runs.puts;
            queue.arrives = coming.q;
            queue.holds = bit(instructions.q) | runs.arrives | bit(coming.q) | bit(runs.puts);
        }
        if sheds == 1 {
            // Words are lost before the queue is full.
            runs.has_room = true;
            queue.holds = 0;
            // Of a core that goes on during a flush, the words that came before it have left after some cycles. What they
            // have left is shown in a cycle of its own.
            queue.flush = 0;
            shedder.level = queue.level;
            shedder.flush = flush;
            has_ended.d = shedder.drained & (ends.q | has_ended.q);
            drained = shedder.drained & has_ended.q;
        } else {
            lost = queue.lost;
            stall = queue.stall;
            drained = queue.drained;
        }

        // The oldest words. What a flush has shown stays as it is, even if the core goes on.
        oldest_run = queue.oldest[0];
        oldest = oldest_run.last;
        follows = bit(queue.is_there.get_bit(0)) & !ends.q;
        waits = oldest_run.diverted & !diversion_shown.q;
        is_sequential = oldest.branch_kind == sequential;
        is_trap = 0;
        // One that is only counted, where that is possible.
        passes = is_sequential & counts;
        if when(traps_are_there) {
            is_trap = bit(oldest.branch_kind == exception);
            passes = (is_sequential & counts) | is_trap;
        }
        merges = 0;
        last = oldest;
        total = instructions.q + 1;
        if several == 1 {
            second_run = queue.oldest[1];
            second = second_run.last;
            total = instructions.q + resized(oldest_run.count);
            if queue.is_there.get_bit(1) && !second_run.diverted {
                if sheds == 1 {
                    merges = is_sequential & follows & !diversion_due.q;
                } else {
                    merges = is_sequential & follows & !diversion_due.q & !is_single.q;
                }
            }
            if merges {
                last = second;
                total = instructions.q + resized(oldest_run.count) + resized(second_run.count);
            }
        }
        if sheds == 1 {
            lost_sum = fitted(instructions.q);
            lost_program_counter = last_program_counter.q;
            if when(tells_lengths) {
                lost_is_long = last_is_long.q;
            }
            for each in 0..lost_count.len() {
                leaving[each] = fitted(queue.oldest[each] >> count_bits);
                word_instructions[each] = 1;
                if several == 1 {
                    // The count is the lowest field of a word.
                    word_instructions[each] = fitted(queue.oldest[each]) & count_mask;
                }
                lost_count[each] = lost_sum;
                if queue.is_there.get_bit(each) {
                    if leaving[each].branch_kind != exception {
                        lost_count[each] = lost_sum + word_instructions[each];
                        lost_program_counter = leaving[each].program_counter;
                        if when(tells_lengths) {
                            lost_is_long = leaving[each].is_long;
                        }
                    }
                    if shedder.loses {
                        last = leaving[each];
                    }
                }
                lost_sum = lost_count[each];
            }
            retire_lost = shedder.loses;
            retire_lost_count = lost_sum;
        }

        // The block.
        shows = 0;
        takes = 0;
        retire.kind = sequential;
        retire.count = instructions.q;
        shown_program_counter = last_program_counter.q;
        if when(tells_lengths) {
            shown_is_long = last_is_long.q;
        }
        shown_target = last.target;
        if !follows {
            // Those that are only counted, at the end.
            shows = (queue.ends | ends.q) & bit(instructions.q);
            if when(has_registers) {
                shows =
                    ((queue.ends & !runs.arrives & !bit(runs.puts)) | ends.q) & bit(instructions.q);
            }
        } else if diversion_due.q {
            shows = 1;
            retire.kind = exception;
            if !(is_trap & oldest.taken) {
                shown_target = oldest.program_counter;
            }
            takes = passes;
        } else {
            retire.kind = last.branch_kind;
            retire.count = total;
            shown_program_counter = last.program_counter;
            if when(tells_lengths) {
                shown_is_long = last.is_long;
            }
            shows = last.branch_kind != sequential;
            // As many as a block can have.
            if total > most_waiting {
                shows = 1;
            }
            takes = 1;
            // The address waits for a register, and not for the word, to say that the block is a diversion.
            if waits {
                shows = 0;
                takes = 0;
            }
        }
        if sheds == 1 {
            if shedder.loses {
                shows = 1;
                takes = 0;
                retire.kind = last.branch_kind;
                shown_program_counter = lost_program_counter;
                if when(tells_lengths) {
                    shown_is_long = lost_is_long;
                }
                shown_target = last.target;
                if when(traps_are_there) {
                    // Of others that do not jump nobody asks where to.
                    if !last.taken {
                        shown_target = last.program_counter;
                    }
                }
            }
        }
        retire.valid = shows;
        retire.pc = resized(shown_program_counter) << alignment;
        retire.target = resized(shown_target) << alignment;
        retire.call = last.call & follows;
        retire.is_return = last.is_return & follows;
        retire.taken = last.taken & follows;
        retire.length = 2;
        if when(tells_lengths) {
            if shown_is_long {
                retire.length = 4;
            }
        } else if last.is_long & follows {
            retire.length = 4;
        }

        if sheds == 1 {
            if shedder.loses {
                retire.taken = last.taken;
            }
        }

        // What is shown waits for the trace module; what is only counted does not.
        ends.d = 0;
        if several == 1 && sheds == 0 {
            is_single.d = 0;
        }
        if sheds == 0 && shows && retire_stall {
            takes = 0;
            ends.d = !follows;
            if several == 1 {
                is_single.d = !merges;
            }
        } else {
            if shows {
                instructions.d = 0;
            }
            if follows {
                diversion_shown.d = 1;
                diversion_due.d = waits;
            }
        }
        if takes {
            diversion_shown.d = 0;
            if !is_trap {
                last_program_counter.d = last.program_counter;
                if when(tells_lengths) {
                    last_is_long.d = last.is_long;
                }
            }
            if !shows {
                instructions.d = total;
            } else if diversion_due.q {
                instructions.d = resized(!is_trap);
            }
        }
        queue.takes = 0;
        if takes {
            queue.takes = 1;
            if merges {
                queue.takes = 3;
            }
        }
        if sheds == 1 {
            ends.d = shedder.drained & !ends.q & !has_ended.q;
            if shedder.loses {
                queue.takes = !resized(0);
                diversion_shown.d = 0;
                diversion_due.d = 0;
                last_program_counter.d = lost_program_counter;
                if when(tells_lengths) {
                    last_is_long.d = lost_is_long;
                }
            }
        }
    }
}
