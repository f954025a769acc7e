//! What the record former does in a cycle.

#![allow(
    clippy::collapsible_if,
    reason = "a condition of the configuration guards signals that are not there without it"
)]

use tracewright_elaborate::prelude::*;

use super::RecordFormer;

#[kernel]
impl Logic for RecordFormer {
    fn update(&mut self) {
        pc_units = resized(retire.pc >> unit_shift);
        target_units = resized(retire.target >> unit_shift);
        may_change = retire.valid & (retire.direct | retire.indirect | retire.exception);
        ran = has_run.q | bit(retire.count);
        starts = may_change & !is_known.q & !ran;
        resumes = ((may_change & ran) | (flush & has_run.q)) & !is_known.q;

        // The code up to here.
        is_call = retire.call & (retire.direct | retire.indirect);
        if when(reads_lengths) {
            units = resized(retire.length >> unit_shift);
            if flush {
                units = last_units.q;
            }
        } else {
            units = least_units;
            if is_call & !flush {
                units = resized(retire.length >> unit_shift);
            }
        }
        counts = (may_change & ran) | (flush & has_run.q);
        at = pc_units;
        if flush {
            at = program_counter.q;
        }
        after = pc_units + resized(units);
        run = 0;
        added = 0;
        if counts {
            added = units;
            if is_known.q {
                run = at - from.q;
            }
        }
        if when(in_steps) {
            // The code of the next block waits with it while a second record is made.
            sum = resized(code_count.q);
            if !has_second.q {
                sum = resized(code_count.q) + resized(code);
            }
        } else {
            sum = resized(code_count.q) + resized(run) + resized(added);
        }
        upper = resized(sum >> count_bits);
        overflows = upper.any();

        // What is sent.
        if when(returns) {
            infers = 0;
            if return_stack.depth && return_stack.top == target_units {
                infers = !retire.conditional & retire.is_return & !retire.call;
            }
        }
        excepts = may_change & retire.exception & !starts;
        jumps = (may_change & retire.indirect & retire.taken) | excepts;
        if when(returns) {
            jumps = (may_change & retire.indirect & retire.taken & !infers) | excepts;
        }
        directs = 0;
        if when(!has_history) {
            directs = may_change & retire.direct & retire.conditional & retire.taken;
        }
        if when(switches) {
            // The trace begins anew with its first message, so the second of the same block needs no synchronisation.
            requested =
                is_requested.q & is_known.q & may_change & (retire.taken | retire.exception);
            jumps = jumps | requested;
            if when(!has_history) {
                syncs_direct = requested & retire.direct;
                directs = directs & !requested;
            }
        }
        // The trace begins with a message of its own.
        holds = resumes & (jumps | directs);
        sends_indirect = (jumps & !resumes) | has_second.q;
        sends_direct = directs & !resumes;
        if when(!has_history) {
            sends_indirect = (jumps & !resumes) | (has_second.q & second_jumps.q);
            sends_direct = (directs & !resumes) | (has_second.q & !second_jumps.q);
        }
        fills = 0;
        if when(has_history) {
            collected = outcomes.q;
            if may_change & retire.conditional {
                collected = (outcomes.q << 1) | resized(retire.taken);
            }
            if collected.get_bit(history_top) {
                fills = !jumps;
            }
        }
        address = target_units;
        if resumes {
            address = at;
        } else if has_second.q {
            address = from.q;
        }

        is_busy = has_second.q;
        record_valid = flush | overflows | starts | resumes | sends_indirect | sends_direct | fills;
        record.flush = flush;
        record.overflows = overflows;
        record.starts = starts;
        record.resumes = resumes;
        record.synchronises = starts | resumes;
        record.indirect = sends_indirect;
        record.direct = sends_direct;
        record.full = fills;
        record.sends_history = sends_indirect | flush;
        record.upper = upper;
        is_exception = excepts | (has_second.q & second_excepts.q);
        record.branch_type = 0;
        if is_exception {
            record.branch_type = exception_type;
        }
        record.count = resized(sum);
        record.address = address;
        if sends_indirect {
            record.address = address ^ last_address.q;
        }
        record.code = full_code;
        record.history = collected;
        if when(switches) {
            record.plain = sends_indirect & !requested;
            record.sync_low = sync_low;
            record.sync_high = sync_high;
            if when(has_history) {
                record.requested = requested;
            } else {
                record.requested = requested & !syncs_direct;
                record.requested_direct = syncs_direct;
                if syncs_direct {
                    record.sync_high = sync_low;
                    record.branch_type = resized(sync_high);
                }
            }
            if requested {
                record.address = address;
            }
            synchronised = record_ready & (starts | resumes | requested);
        }
        if when(drops) {
            record.flush = flush & !loses;
            record.ends = flush;
            record.error = loses;
            record.starts = starts & !is_overrun.q;
            record.resumes = resumes & !is_overrun.q;
            record.overruns = (starts | resumes) & is_overrun.q;
        }
        if when(tells_state) {
            // The first message is at the last instruction of its block.
            goes_on = next_state;
            if resumes {
                goes_on = state;
            } else if has_second.q {
                goes_on = second_state.q;
            }
            differs = bit(goes_on != told.q);
            owns = ((starts | resumes) & !flush) | (sends_indirect & differs) | requested;
            owner = process_format | (resized(goes_on) << format_bits);
            if when(has_context) {
                level = resized(goes_on);
                owner = process_format
                    | (resized(level) << format_bits)
                    | (resized(goes_on >> privilege_bits) << context_shift);
            }
            record.owns = owns;
            record.owner = owner;
        }
        if when(counts_repeats) {
            if when(tells_state) {
                may_repeat = sends_indirect & !is_exception & !requested & !differs;
            } else if when(switches) {
                may_repeat = sends_indirect & !is_exception & !requested;
            } else {
                may_repeat = sends_indirect & !is_exception;
            }
            // While a branch is counted its record is not valid.
            repeats.branches = may_repeat | sends_direct;
            repeats.ends = flush | overflows | starts | resumes | (sends_indirect & !may_repeat);
            repeats.count = resized(sum);
            repeats.ready = record_ready;
            record.branch_again = repeats.branch_again;
            record.times = repeats.times;
            if when(has_history) {
                repeats.same_target = address == last_address.q;
                repeats.fills = fills;
                repeats.history = collected;
                record.earlier_once = repeats.earlier_once;
                record.earlier_again = repeats.earlier_again;
                record.earlier_code = repeats.earlier_code;
                record.earlier = repeats.earlier;
            } else {
                repeats.is_direct = sends_direct;
                repeats.same_target = bit(address == last_address.q) | sends_direct;
            }
            record_valid = repeats.sends;
        }
        if when(stamps) {
            // A full history that may come again waits, and has no time when it is sent.
            is_stamped = sends_indirect | sends_direct | flush;
            if when(!counts_repeats) {
                is_stamped = sends_indirect | sends_direct | flush | fills;
            }
            record.stamps = is_stamped & !resumes;
            record.at_once = flush & resumes;
            record.time = told_time - last_time.q;
            if starts | resumes | requested {
                record.time = told_time;
            }
            if record_ready & record_valid & (is_stamped | starts | resumes) {
                last_time.d = told_time;
            }
        }

        // What stays.
        if record_ready {
            has_second.d = 0;
        }
        if holds {
            has_second.d = 1;
            second_excepts.d = excepts;
            if when(!has_history) {
                second_jumps.d = jumps;
            }
        }
        if may_change {
            has_run.d = 0;
            is_known.d = 1;
            code_count.d = resized(sum);
            from.d = after;
            if retire.taken | retire.exception {
                from.d = target_units;
            }
            if when(has_history) {
                outcomes.d = collected;
            }
        } else if retire.valid {
            has_run.d = 1;
            program_counter.d = pc_units;
            if when(reads_lengths) {
                last_units.d = resized(retire.length >> unit_shift);
            }
        }
        if record_ready & (starts | resumes | sends_indirect) {
            last_address.d = address;
        }
        if (record_ready & (sends_indirect | sends_direct)) | flush {
            code_count.d = 0;
        }
        if when(has_history) {
            if (record_ready & sends_indirect) | fills | flush {
                outcomes.d = has_history;
            }
        }
        if flush {
            is_known.d = 0;
            has_run.d = 0;
        }
        if when(switches) {
            if starts | resumes | requested {
                is_requested.d = 0;
            }
            if sync_request {
                is_requested.d = 1;
            }
        }
        if when(drops) {
            if starts | resumes {
                is_overrun.d = 0;
            }
            if loses {
                is_overrun.d = 1;
            }
        }
        if when(tells_state) {
            if holds {
                second_state.d = next_state;
            }
            if owns & record_ready {
                told.d = goes_on;
            }
        }
        if when(returns) {
            return_stack.return_address = after;
            return_stack.push = may_change & is_call & retire.taken;
            return_stack.pop = 0;
            if return_stack.depth {
                return_stack.pop = may_change
                    & (retire.direct | retire.indirect)
                    & retire.is_return
                    & retire.taken;
            }
            // This comes before a push and a pop. A decoder that replaces the address on top knows more addresses, and never
            // another one.
            return_stack.forget = (may_change & is_call & retire.taken & retire.is_return) | flush;
            if when(switches) {
                return_stack.forget =
                    (may_change & is_call & retire.taken & retire.is_return) | flush | requested;
            }
        }
    }
}
