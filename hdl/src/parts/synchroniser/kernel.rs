//! The behaviour of the synchroniser.

#![allow(
    clippy::collapsible_if,
    reason = "a condition of the configuration guards signals that are not there without it"
)]

use super::*;

#[kernel]
impl Logic for Synchroniser {
    fn update(&mut self) {
        // Where the next instruction is. The pin `retire_taken` has a meaning for branches only.
        is_branch = retire.direct | retire.indirect;
        changes_flow = retire.exception | (is_branch & retire.taken);
        may_change_flow = is_branch | retire.exception;
        retires = retire.valid;
        is_lost = 0;
        if counts == 1 {
            retires = is_shown;
            is_lost = is_shown & !retire.valid;
        }
        next_is_after = is_after.q;
        next_address = address.q;
        if retires {
            has_retired.d = 1;
            next_is_after = !changes_flow;
            next_address = resized(retire.pc >> alignment);
            if changes_flow {
                next_address = resized(retire.target >> alignment);
            }
        }
        is_after.d = next_is_after;
        address.d = next_address;
        if filters == 1 {
            ends_run = retires & may_change_flow;
            begins_at = next_address;
        }

        // A synchronisation is due with a block that may change the flow.
        requested = is_requested.q | sync_request;
        is_requested.d = requested;
        is_due = requested;
        if is_split == 1 {
            // Two blocks in a row do not carry: what a carry leaves in the lower bits and a block are less than the next one.
            low_sum = resized(low_instructions.q) + resized(retire.count);
            low_count = resized(retire.count);
            carries = 0;
            for place in 0..carry.len() {
                last_carry = carries;
                carry[place] = last_carry;
                if low_instructions.q.get_bit(place) && low_count.get_bit(place) {
                    carry[place] = 1;
                } else if !low_instructions.q.get_bit(place) && !low_count.get_bit(place) {
                    carry[place] = 0;
                }
                carries = fitted(carry[place]);
            }
            is_due = requested | bit(instructions.q.get_bit(split_last));
            if (carried.q | carries) && instructions.q == upper_most {
                is_due = 1;
            }
            carried.d = 0;
            if !instructions.q.get_bit(split_last) {
                if carried.q {
                    instructions.d = instructions.q + 1;
                }
                if retire.valid {
                    low_instructions.d = resized(low_sum);
                    carried.d = carries;
                }
            }
        } else if has_interval == 1 {
            counted = instructions.q;
            if !instructions.q.get_bit(last_bit) {
                counted = instructions.q + resized(retire.count);
            }
            is_due = requested | bit(counted.get_bit(last_bit));
            if retire.valid {
                instructions.d = counted;
            }
        }

        if counts_words == 1 {
            if word_leaves && !words.q.get_bit(last_word_bit) {
                words.d = words.q + 1;
            }
            is_due = is_due | bit(words.q.get_bit(last_word_bit));
        }

        if has_state == 1 {
            join(state, tracker.pins);
            tracker.retires = fitted(retires);
            tracker.takes = retire.valid;
            tracker.may_change_flow = may_change_flow;
            tracker.is_exception = fitted(retire.exception);
            // The first packet serves requests before it.
            tracker.clears = fitted(is_due & bit(phase.q == phase_open));
            tracker.is_restarted = fitted(is_restarted.q);
            is_due = is_due | tracker.is_due;
        }

        if has_time == 1 {
            time_keeper.retires = retires;
            time_keeper.timestamp = timestamp;
        }

        // Instructions that are lost; the largest number stands for all that are larger.
        loses = 0;
        if counts == 1 {
            loses = is_losing.q | is_lost;
            next_lost = lost.q;
            next_cause = cause.q;
            sum = resized(lost.q) + resized(retire.count);
            if !is_losing.q {
                sum = resized(retire.count);
            }
            if has_loss_pins == 1 {
                sum = resized(lost.q) + resized(shown_count);
                if !is_losing.q {
                    sum = resized(shown_count);
                }
            }
            if is_lost {
                next_lost = resized(sum);
                if sum.get_bit(most_lost) {
                    next_lost = !resized(0);
                }
                if !is_losing.q {
                    next_cause = cause_not_ready;
                    if phase.q == phase_open {
                        next_cause = cause_no_room;
                    }
                    if filters == 1 {
                        if !passes {
                            next_cause = cause_filtered;
                        }
                    }
                    if is_off {
                        next_cause = cause_off;
                    }
                }
            }
            lost.d = next_lost;
            cause.d = next_cause;
            is_losing.d = loses;
        }
        if filters == 1 {
            ends_loss = is_lost & may_change_flow & !is_off & next_passes;
        }
        if resumes_waits == 1 {
            if retires {
                resumes.d = ends_loss;
            }
        }

        // One header waits.
        if header.ready {
            waiting_valid.d = 0;
        }
        accepts = bit(phase.q == phase_closed) | bit(phase.q == phase_open);
        if counts == 1 {
            accepts = (bit(phase.q == phase_closed) | bit(phase.q == phase_open)) & !is_losing.q;
        }
        if filters == 1 {
            accepts =
                (bit(phase.q == phase_closed) | bit(phase.q == phase_open)) & !is_losing.q & passes;
        }
        flush = 0;
        ends = 0;
        synchronised = 0;
        if restarts == 1 {
            restart = 0;
            hides_address = is_restarted.q;
            if retire.valid {
                is_restarted.d = 0;
            }
        }
        if phase.q == phase_closed {
            if loses {
                phase.d = phase_emptying;
            } else if (retire.valid | trace_ends) && !waiting_valid.q {
                waiting_valid.d = 1;
                waiting_is_after.d = is_after.q;
                waiting_address.d = address.q;
                if has_time == 1 {
                    waiting_time.d = time_keeper.last;
                }
                waiting_kind.d = kind_synchronisation;
                if !has_retired.q {
                    waiting_kind.d = kind_start;
                }
                is_requested.d = 0;
                if counts_words == 1 {
                    words.d = first_word;
                }
                phase.d = phase_open;
                if has_state == 1 {
                    if tracker.asks {
                        phase.d = phase_due;
                    }
                }
                if restarts == 1 {
                    is_ended.d = 0;
                }
            }
        } else if phase.q == phase_open {
            if trace_ends {
                if ready && !waiting_valid.q {
                    flush = 1;
                    ends = 1;
                    waiting_valid.d = 1;
                    waiting_kind.d = kind_end;
                    if has_interval == 1 {
                        instructions.d = 0;
                        low_instructions.d = 0;
                        carried.d = 0;
                    }
                    phase.d = phase_closed;
                    if restarts == 1 {
                        is_ended.d = 1;
                        if keeps_tables == 1 {
                            is_restarted.d = 0;
                        } else {
                            phase.d = phase_emptying;
                        }
                    }
                }
            } else if is_lost || (retire.valid & may_change_flow & is_due) {
                phase.d = phase_due;
            }
        } else if phase.q == phase_due {
            if ready {
                flush = 1;
                phase.d = phase_heading;
                if restarts == 1 {
                    if keeps_tables == 0 || loses {
                        phase.d = phase_emptying;
                    }
                }
                if says_kept == 1 {
                    if tracker.keeps & !loses {
                        phase.d = phase_heading;
                    }
                }
            }
        } else if phase.q == phase_emptying {
            if restarts == 1 {
                if is_empty {
                    restart = 1;
                    is_restarted.d = 1;
                    phase.d = phase_clearing;
                    if in_background == 1 {
                        phase.d = phase_heading;
                        if is_ended.q && !loses {
                            phase.d = phase_closed;
                        }
                    }
                }
            }
        } else if phase.q == phase_clearing {
            if restarts == 1 && in_background == 0 {
                if !is_clearing {
                    phase.d = phase_heading;
                    if is_ended.q && !loses {
                        phase.d = phase_closed;
                    }
                }
            }
        } else if !waiting_valid.q {
            waiting_is_after.d = next_is_after;
            waiting_address.d = next_address;
            if has_time == 1 {
                waiting_time.d = time_keeper.next_last;
            }
            waiting_kind.d = kind_synchronisation;
            synchronised = 1;
            if counts == 1 {
                waiting_lost.d = next_lost;
                waiting_cause.d = next_cause;
                if loses {
                    waiting_kind.d = kind_after_loss;
                    // A loss ends with a block that may change the flow, where the next one could be taken, or with the trace.
                    if resumes_waits == 1 {
                        synchronised = is_restarted.q & (trace_ends | ends_loss | resumes.q);
                    } else if filters == 1 {
                        synchronised = is_restarted.q & (trace_ends | (ends_loss & ready));
                    } else {
                        synchronised = is_restarted.q
                            & (trace_ends | (is_lost & may_change_flow & ready & !is_off));
                    }
                    if !is_restarted.q {
                        phase.d = phase_emptying;
                    }
                }
            }
            if synchronised {
                waiting_valid.d = 1;
                // One that keeps the tables where others clear them serves no request.
                if says_kept == 0 || is_restarted.q {
                    is_requested.d = 0;
                }
                if counts == 1 {
                    is_losing.d = 0;
                }
                if resumes_waits == 1 {
                    resumes.d = 0;
                }
                if restarts == 1 {
                    is_ended.d = 0;
                }
                if has_interval == 1 {
                    if says_kept == 0 || is_restarted.q {
                        instructions.d = 0;
                        low_instructions.d = 0;
                        carried.d = 0;
                    }
                }
                if counts_words == 1 {
                    if says_kept == 0 || is_restarted.q {
                        words.d = first_word;
                    }
                }
                phase.d = phase_open;
            }
        }

        if resumes_waits == 1 {
            skips = !passes | (is_losing.q & !resumes.q);
        } else if filters == 1 {
            skips = 1;
        } else if switches == 1 {
            skips = is_losing.q;
        }

        // What is discarded is lost, and how much that was is not known.
        if switches == 1 {
            if discards {
                waiting_valid.d = 0;
                is_losing.d = 1;
                lost.d = !resized(0);
                cause.d = cause_discarded;
                is_ended.d = 1;
                phase.d = phase_emptying;
                if resumes_waits == 1 {
                    resumes.d = 0;
                }
            }
        }

        formed.is_end = waiting_kind.q == kind_end;
        formed.sends_kind = 1;
        formed.sends_loss = waiting_kind.q == kind_after_loss;
        formed.sends_address =
            bit(waiting_kind.q == kind_synchronisation) | bit(waiting_kind.q == kind_after_loss);
        formed.checksum = 0;
        formed.kind = waiting_kind.q;
        // The framer numbers the packets.
        formed.packet_number = 0;
        formed.lost_instructions = 0;
        formed.loss_cause = 0;
        if counts == 1 {
            formed.lost_instructions = waiting_lost.q;
            formed.loss_cause = waiting_cause.q;
        }
        formed.is_after = waiting_is_after.q;
        formed.address = waiting_address.q;
        formed.time = waiting_time.q;
        if has_state == 1 {
            tracker.begins = synchronised;
            tracker.ends = ends;
            if switches == 1 {
                // The cause of an exception that is discarded is not in the next header.
                tracker.ends = ends | discards;
            }
            formed.keeps_tables = tracker.header_keeps;
            formed.context = tracker.header_context;
            formed.privilege = tracker.header_privilege;
            formed.sends_cause = tracker.header_has_cause;
            formed.has_cause = tracker.header_has_cause;
            formed.cause = tracker.header_cause;
        }
        header.valid = waiting_valid.q;
        header.word = formed;
    }
}
