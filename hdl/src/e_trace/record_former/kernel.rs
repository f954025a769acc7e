//! The kernel of the record former.

use tracewright_elaborate::prelude::*;

use super::RecordFormer;

#[kernel]
impl Logic for RecordFormer {
    fn update(&mut self) {
        pc_units = resized(retire.pc >> alignment);
        target_units = resized(retire.target >> alignment);
        // What is open, and what the block closes.
        is_nothing = pending.q == nothing;
        is_reset = pending.q == reset;
        is_first = pending.q == first;
        is_target = pending.q == target;
        is_unknown = is_reset | bit(pending.q == ended);
        is_exception = bit(pending.q == handler) | bit(pending.q == start);
        if switches == 1 {
            // Where a start comes next, the trace is as if it had ended.
            is_nothing = bit(pending.q == nothing) & !starts_next.q;
            starts_target = bit(pending.q == target) & starts_next.q;
            is_target = bit(pending.q == target) & !starts_next.q;
            is_ended = bit(pending.q == ended);
            is_unknown = is_reset | is_ended | (bit(pending.q == nothing) & starts_next.q);
            if filters == 1 {
                is_entry = is_ended & has_entry;
                is_unknown = (is_ended & !has_entry) | (bit(pending.q == nothing) & starts_next.q);
            }
        }
        may_change = retire.direct | retire.indirect | retire.exception;
        is_one = retire.count == 1;
        arrives = retire.valid & (bit(retire.count) | has_run.q);
        begins = arrives & is_unknown & may_change;
        traps = arrives & bit(pending.q == handler);
        starts = arrives & (is_first | bit(pending.q == start));
        if switches == 1 {
            starts = arrives & (is_first | bit(pending.q == start) | starts_target);
            if filters == 1 {
                starts = arrives & (is_first | bit(pending.q == start) | starts_target | is_entry);
            }
        }
        reports = arrives & is_target;
        meets = starts | traps | reports;
        resolves = begins | meets;
        // Branches and direct jumps.
        is_there = meets & is_one;
        is_sent = retire.conditional & (begins | is_there);
        joins = reports & is_sent;
        adds = retire.valid & retire.conditional & (!is_sent | joins);
        jumps = retire.valid & retire.direct & !retire.conditional;
        if returns == 1 {
            join(retire, calls.retire);
            calls.target_units = target_units;
            infers = resized(calls.infers, 1);
            jumps = (retire.valid & retire.direct & !retire.conditional) | resized(infers, 1);
        }
        overflows = 0;
        if passes.q == most_passes {
            overflows = jumps & !resolves;
        }
        // Exceptions.
        excepts = retire.valid & retire.exception;
        stands = excepts & !arrives;
        now_reported = (is_reported.q & !arrives) | begins | is_there;
        if predicts == 1 {
            adds = retire.valid & retire.conditional & (!is_sent | joins) & (reports | !counts);
            if is_full {
                overflows = 1;
            }
        }
        marks = excepts & (is_nothing | resolves) & now_reported;
        lasts = excepts & (is_nothing | resolves) & !now_reported;
        leads = stands & is_target;
        if switches == 1 {
            leads = stands & (is_target | starts_target);
        }
        lasts_now = (lasts & !meets) | (leads & !is_reported.q);
        starts_second = (lasts & meets) | (leads & !is_reported.q);
        // Else a decoder of the standard would take it for the last instruction, if it is on the way.
        unfollowed = (flush & is_target) | (reports & excepts & is_one);
        progress.needs_address = unfollowed;
        if switches == 1 {
            changes = 0;
            if tells_state == 1 {
                changes = next_state != state;
            }
            synchronises = retire.valid
                & (retire.direct | retire.indirect)
                & (changes | (is_requested.q & !(begins | starts | traps)));
            unfollowed = (flush & is_target) | (reports & (excepts | synchronises) & is_one);
        }
        // The payload.
        makes_start =
            begins | starts | (stands & is_first) | (flush & ((is_unknown & has_run.q) | is_first));
        if switches == 1 {
            if flush & starts_target {
                makes_start = 1;
            }
        }
        makes_trap = traps
            | (stands & is_exception)
            | (leads & is_reported.q)
            | (has_second.q & second_traps.q)
            | (flush & is_exception);
        ends_last = flush & is_nothing & !is_reported.q;
        makes_report = reports
            | overflows
            | lasts_now
            | (has_second.q & !second_traps.q)
            | ends_last
            | (flush & is_target);
        makes_full = 0;
        if branch_count.q == last_branch {
            makes_full = adds & !reports;
        }
        if predicts == 1 {
            makes_full = ends;
        }
        makes_payload = makes_start | makes_trap | makes_report | makes_full;
        // The map.
        branch = resized(!retire.taken);
        map_added = map.q | (branch << branch_count.q);
        sent_map = map.q;
        sent_count = branch_count.q;
        if joins {
            sent_map = map_added;
            sent_count = branch_count.q + 1;
        }
        if predicts == 1 {
            if counts {
                sent_count = 0;
            }
            if in_steps == 0 {
                payload_cut.counted = counts;
            }
        }
        if makes_report || makes_full {
            map.d = 0;
            branch_count.d = 0;
            if adds & reports & !joins {
                map.d = branch;
                branch_count.d = 1;
            }
        } else if adds {
            map.d = map_added;
            branch_count.d = branch_count.q + 1;
        }
        if switches == 1 {
            lasts_before = synchronises & !(now_reported | makes_full | overflows);
            // The second record has the map until it is taken.
            if has_second.q & !record_ready {
                map.d = map.q;
                branch_count.d = branch_count.q;
            }
        }
        // The address.
        address = pending_address.q;
        if begins | overflows | lasts_now {
            address = pc_units;
        } else if has_second.q | (flush & (is_nothing | is_unknown)) {
            address = program_counter.q;
        }
        if filters == 1 {
            if is_entry {
                address = entry;
            }
        }
        if in_steps == 0 {
            difference = address - last_address.q;
            field = address;
            if makes_report {
                field = difference;
            }
            value = resized(field);
            if makes_full {
                value = resized(map_added);
                if map_added.get_bit(map_top) {
                    value = resized(map_added) | above_map;
                }
            } else if field.get_bit(address_top) {
                value = resized(field) | above_address;
            }
        }
        flow = 0;
        if lasts_now | ends_last {
            flow = resized(passes.q, 3);
        } else if (makes_trap & (is_marked.q | leads)) || (makes_start & is_reset) {
            flow = 1;
        }
        if switches == 1 {
            if has_second.q & second_starts.q {
                flow = resized(passes.q, 3);
            }
            if makes_start & (is_marked.q | is_first) {
                flow = 1;
            }
            if makes_trap & leads & starts_target & !is_marked.q {
                flow = 0;
            }
            synchronised = (makes_start | makes_trap) & record_ready;
        }
        if returns == 1 {
            reports_failed = 0;
            if reports | (flush & is_target) {
                reports_failed = resized(calls.is_failed, 1);
            }
            progress.needs_address = unfollowed | reports_failed;
            if reports_failed {
                flow = resized(passes.q, 3);
            }
            // After a return that was reported, a decoder would not know that it was not inferred.
            if (leads & is_reported.q) && calls.is_failed {
                flow = 2;
            }
            // Nor whether it is that return, or the same one before.
            if has_second.q & second_traps.q {
                flow = behind_jump;
            }
            if in_steps == 0 {
                payload_cut = PayloadCut { irreport: reports_failed, depth: calls.depth };
                if lasts_now {
                    payload_cut.irreport = resized(calls.reports_depth, 1);
                    payload_cut.depth = calls.last_depth;
                } else if ends_last | (has_second.q & !second_traps.q) {
                    payload_cut.irreport = resized(calls.reported_depth, 1);
                    payload_cut.depth = calls.depth_before;
                }
            }
        }
        // How much of it is sent.
        if in_steps == 0 {
            payload_cut = PayloadCut { value, start: makes_start, trap: makes_trap };
            payload_cut = PayloadCut { full: makes_full, map: sent_map };
            payload_cut.branches = 0;
            if makes_report {
                payload_cut.branches = sent_count;
            }
            payload_cut = PayloadCut { notify: overflows, updiscon: unfollowed };
        }
        crate::e_trace::record_former::told::tells!();
        if in_steps == 0 {
            has_rest = payload_cut.rest_bits.any();
        }
        has_flow = flow.any();
        record_valid = makes_payload | flush;
        record = Record { flush, idle: has_flow, sends_payload: makes_payload };
        record = Record { start: makes_start, trap: makes_trap };
        record.synchronises = makes_start | makes_trap;
        record = Record { mapped: 0, branches: makes_full, plain: makes_report };
        if sent_count {
            record = Record { mapped: makes_report, branches: makes_full | makes_report };
            record.plain = 0;
        }
        record.full = makes_full;
        if in_steps == 0 {
            record.sends_address = 0;
            if payload_cut.size {
                record.sends_address = makes_payload & !makes_full;
            }
            record.sends_rest = makes_payload & has_rest;
        }
        record.not_taken = !(retire.valid & retire.taken & is_sent);
        record.handler = traps;
        record.alone = !makes_payload;
        if switches == 1 {
            // The last instruction was reported, and a start would have come next; or nothing was traced.
            if (starts_next.q & !is_marked.q) | is_ended {
                record.alone = 0;
            }
        }
        record.flow = flow;
        if in_steps == 0 {
            record.bytes = payload_cut.bytes;
        }
        record.branch_count = sent_count;
        if makes_full {
            record.branch_count = 0;
        }
        record.map = sent_map;
        if in_steps == 0 {
            record.map_bits = payload_cut.map_bits;
            record = Record { value: payload_cut.kept, value_bits: payload_cut.size };
            record = Record { rest: payload_cut.rest, rest_bits: payload_cut.rest_bits };
        } else {
            crate::e_trace::record_former::planned::plans!();
        }
        progress = Progress { reports, target: pending_address.q, joins };
        collected = Collected { adds, makes_report };
        progress.branch_count = branch_count.q;
        // What stays.
        // The second record may have to wait.
        if in_steps == 0 {
            if (makes_start | makes_trap | makes_report) & record_ready {
                last_address.d = address;
            }
        }
        if retire.valid {
            if retire.count {
                program_counter.d = pc_units;
            }
            if retire.indirect | retire.exception {
                pending_address.d = target_units;
            }
            if leads {
                program_counter.d = pending_address.q;
            }
            if resolves {
                pending.d = nothing;
            }
            if retire.indirect & retire.taken {
                pending.d = target;
            }
            if returns == 1 {
                if infers {
                    pending.d = nothing;
                }
            }
            if excepts {
                pending.d = handler;
                if stands & is_reset {
                    pending.d = first;
                } else if leads {
                    pending.d = start;
                }
            }
            // A full map ends at its last branch, as a full counter does.
            is_reported.d = (now_reported & !excepts) | makes_full | overflows;
            if arrives & is_unknown {
                has_run.d = !may_change;
            }
            if (makes_payload & !makes_full) || retire.conditional {
                passes.d = 0;
            }
            if jumps & !overflows {
                passes.d = passes.q + 1;
                if resolves {
                    passes.d = 1;
                }
            }
        }
        if makes_trap {
            is_marked.d = 0;
        }
        if switches == 1 {
            if makes_start | flush {
                is_marked.d = 0;
            }
        }
        if marks {
            is_marked.d = 1;
        }
        if flush {
            pending.d = ended;
            has_run.d = 0;
        }
        if switches == 1 {
            if (retire.valid & (resolves | excepts)) | flush {
                starts_next.d = 0;
            }
            if synchronises {
                starts_next.d = 1;
                is_reported.d = 1;
                is_marked.d = !lasts_before;
            }
            // A decoder of the standard knows no exception before the first instruction.
            if stands & is_ended {
                pending.d = first;
            }
            if sync_request {
                is_requested.d = 1;
            } else if ((makes_start | makes_trap) & record_ready) | flush {
                is_requested.d = 0;
            }
        }
        if returns == 1 {
            calls = Calls { reports, makes_report, forget: excepts | flush };
        }
        is_busy = has_second.q;
        if record_ready {
            has_second.d = 0;
        }
        if starts_second {
            has_second.d = 1;
            second_traps.d = leads;
        }
        if switches == 1 {
            if starts_second | lasts_before {
                has_second.d = 1;
                second_traps.d = leads;
                second_starts.d = lasts_before;
            }
        }
    }
}
