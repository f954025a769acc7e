//! The behaviour of the synchroniser.

#![allow(
    clippy::collapsible_if,
    reason = "a condition of the configuration guards signals that are not there without it"
)]

use super::*;

impl Logic for Synchroniser {
    #[hdl_gen]
    fn update(&mut self) {
        // Where the next instruction is. The pin `retire_taken` has a meaning for branches only.
        self.is_branch.next = self.retire.direct.val() | self.retire.indirect.val();
        self.changes_flow.next =
            self.retire.exception.val() | (self.is_branch.val() & self.retire.taken.val());
        self.may_change_flow.next = self.is_branch.val() | self.retire.exception.val();
        self.retires.next = self.retire.valid.val();
        self.is_lost.next = 0.into();
        if self.counts.val() == 1 {
            self.retires.next = self.is_shown.val();
            self.is_lost.next = self.is_shown.val() & !self.retire.valid.val();
        }
        self.next_is_after.next = self.is_after.q.val();
        self.next_address.next = self.address.q.val();
        if self.retires.val().any() {
            self.has_retired.d.next = 1.into();
            self.next_is_after.next = !self.changes_flow.val();
            self.next_address.next =
                bits_to(self.retire.pc.val() >> self.alignment.val(), self.address.width());
            if self.changes_flow.val().any() {
                self.next_address.next =
                    bits_to(self.retire.target.val() >> self.alignment.val(), self.address.width());
            }
        }
        self.is_after.d.next = self.next_is_after.val();
        self.address.d.next = self.next_address.val();
        if self.filters.val() == 1 {
            self.ends_run.next = self.retires.val() & self.may_change_flow.val();
            self.begins_at.next = self.next_address.val();
        }

        // A synchronisation is due with a block that may change the flow.
        self.requested.next = self.is_requested.q.val() | self.sync_request.val();
        self.is_requested.d.next = self.requested.val();
        self.is_due.next = self.requested.val();
        if self.has_interval.val() == 1 {
            self.counted.next = self.instructions.q.val();
            if !self.instructions.q.val().get_bit(self.last_bit.val()) {
                self.counted.next = self.instructions.q.val()
                    + bits_to(self.retire.count.val(), self.counted.width());
            }
            self.is_due.next =
                self.requested.val() | bits_to(self.counted.val().get_bit(self.last_bit.val()), 1);
            if self.retire.valid.val().any() {
                self.instructions.d.next = self.counted.val();
            }
        }

        if self.counts_words.val() == 1 {
            if self.word_leaves.val().any() && !self.words.q.val().get_bit(self.last_word_bit.val())
            {
                self.words.d.next = self.words.q.val() + 1;
            }
            self.is_due.next = self.is_due.val()
                | bits_to(self.words.q.val().get_bit(self.last_word_bit.val()), 1);
        }

        if self.has_state.val() == 1 {
            connect::join(&mut self.state, &mut self.tracker.pins);
            self.tracker.retires.next = unsigned_cast_to_fit(self.retires.val());
            self.tracker.takes.next = self.retire.valid.val();
            self.tracker.may_change_flow.next = self.may_change_flow.val();
            self.tracker.is_exception.next = unsigned_cast_to_fit(self.retire.exception.val());
            // The first packet serves requests before it.
            self.tracker.clears.next = unsigned_cast_to_fit(
                self.is_due.val() & bits_to(self.phase.q.val() == self.phase_open.val(), 1),
            );
            self.tracker.is_restarted.next = unsigned_cast_to_fit(self.is_restarted.q.val());
            self.is_due.next = self.is_due.val() | self.tracker.is_due.val();
        }

        if self.has_time.val() == 1 {
            self.time_keeper.retires.next = self.retires.val();
            self.time_keeper.timestamp.next = self.timestamp.val();
        }

        // Instructions that are lost; the largest number stands for all that are larger.
        self.loses.next = 0.into();
        if self.counts.val() == 1 {
            self.loses.next = self.is_losing.q.val() | self.is_lost.val();
            self.next_lost.next = self.lost.q.val();
            self.next_cause.next = self.cause.q.val();
            self.sum.next = bits_to(self.lost.q.val(), self.sum.width())
                + bits_to(self.retire.count.val(), self.sum.width());
            if !self.is_losing.q.val().any() {
                self.sum.next = bits_to(self.retire.count.val(), self.sum.width());
            }
            if self.has_loss_pins.val() == 1 {
                self.sum.next = bits_to(self.lost.q.val(), self.sum.width())
                    + bits_to(self.shown_count.val(), self.sum.width());
                if !self.is_losing.q.val().any() {
                    self.sum.next = bits_to(self.shown_count.val(), self.sum.width());
                }
            }
            if self.is_lost.val().any() {
                self.next_lost.next = bits_to(self.sum.val(), self.lost.width());
                if self.sum.val().get_bit(self.most_lost.val()) {
                    self.next_lost.next = !bits_to(0, self.lost.width());
                }
                if !self.is_losing.q.val().any() {
                    self.next_cause.next = self.cause_not_ready.val();
                    if self.phase.q.val() == self.phase_open.val() {
                        self.next_cause.next = self.cause_no_room.val();
                    }
                    if self.filters.val() == 1 {
                        if !self.passes.val().any() {
                            self.next_cause.next = self.cause_filtered.val();
                        }
                    }
                    if self.is_off.val().any() {
                        self.next_cause.next = self.cause_off.val();
                    }
                }
            }
            self.lost.d.next = self.next_lost.val();
            self.cause.d.next = self.next_cause.val();
            self.is_losing.d.next = self.loses.val();
        }
        if self.filters.val() == 1 {
            self.ends_loss.next = self.is_lost.val()
                & self.may_change_flow.val()
                & !self.is_off.val()
                & self.next_passes.val();
        }
        if self.resumes_waits.val() == 1 {
            if self.retires.val().any() {
                self.resumes.d.next = self.ends_loss.val();
            }
        }

        // One header waits.
        if self.header.ready.val().any() {
            self.waiting_valid.d.next = 0.into();
        }
        self.accepts.next = bits_to(self.phase.q.val() == self.phase_closed.val(), 1)
            | bits_to(self.phase.q.val() == self.phase_open.val(), 1);
        if self.counts.val() == 1 {
            self.accepts.next = (bits_to(self.phase.q.val() == self.phase_closed.val(), 1)
                | bits_to(self.phase.q.val() == self.phase_open.val(), 1))
                & !self.is_losing.q.val();
        }
        if self.filters.val() == 1 {
            self.accepts.next = (bits_to(self.phase.q.val() == self.phase_closed.val(), 1)
                | bits_to(self.phase.q.val() == self.phase_open.val(), 1))
                & !self.is_losing.q.val()
                & self.passes.val();
        }
        self.flush.next = 0.into();
        self.ends.next = 0.into();
        self.synchronised.next = 0.into();
        if self.restarts.val() == 1 {
            self.restart.next = 0.into();
            self.hides_address.next = self.is_restarted.q.val();
            if self.retire.valid.val().any() {
                self.is_restarted.d.next = 0.into();
            }
        }
        if self.phase.q.val() == self.phase_closed.val() {
            if self.loses.val().any() {
                self.phase.d.next = self.phase_emptying.val();
            } else if (self.retire.valid.val() | self.trace_ends.val()).any()
                && !self.waiting_valid.q.val().any()
            {
                self.waiting_valid.d.next = 1.into();
                self.waiting_is_after.d.next = self.is_after.q.val();
                self.waiting_address.d.next = self.address.q.val();
                if self.has_time.val() == 1 {
                    self.waiting_time.d.next = self.time_keeper.last.val();
                }
                self.waiting_kind.d.next = self.kind_synchronisation.val();
                if !self.has_retired.q.val().any() {
                    self.waiting_kind.d.next = self.kind_start.val();
                }
                self.is_requested.d.next = 0.into();
                if self.counts_words.val() == 1 {
                    self.words.d.next = self.first_word.val();
                }
                self.phase.d.next = self.phase_open.val();
                if self.has_state.val() == 1 {
                    if self.tracker.asks.val().any() {
                        self.phase.d.next = self.phase_due.val();
                    }
                }
                if self.restarts.val() == 1 {
                    self.is_ended.d.next = 0.into();
                }
            }
        } else if self.phase.q.val() == self.phase_open.val() {
            if self.trace_ends.val().any() {
                if self.ready.val().any() && !self.waiting_valid.q.val().any() {
                    self.flush.next = 1.into();
                    self.ends.next = 1.into();
                    self.waiting_valid.d.next = 1.into();
                    self.waiting_kind.d.next = self.kind_end.val();
                    if self.has_interval.val() == 1 {
                        self.instructions.d.next = 0.into();
                    }
                    self.phase.d.next = self.phase_closed.val();
                    if self.restarts.val() == 1 {
                        self.is_ended.d.next = 1.into();
                        if self.keeps_tables.val() == 1 {
                            self.is_restarted.d.next = 0.into();
                        } else {
                            self.phase.d.next = self.phase_emptying.val();
                        }
                    }
                }
            } else if self.is_lost.val().any()
                || (self.retire.valid.val() & self.may_change_flow.val() & self.is_due.val()).any()
            {
                self.phase.d.next = self.phase_due.val();
            }
        } else if self.phase.q.val() == self.phase_due.val() {
            if self.ready.val().any() {
                self.flush.next = 1.into();
                self.phase.d.next = self.phase_heading.val();
                if self.restarts.val() == 1 {
                    if self.keeps_tables.val() == 0 || self.loses.val().any() {
                        self.phase.d.next = self.phase_emptying.val();
                    }
                }
                if self.says_kept.val() == 1 {
                    if (self.tracker.keeps.val() & !self.loses.val()).any() {
                        self.phase.d.next = self.phase_heading.val();
                    }
                }
            }
        } else if self.phase.q.val() == self.phase_emptying.val() {
            if self.restarts.val() == 1 {
                if self.is_empty.val().any() {
                    self.restart.next = 1.into();
                    self.is_restarted.d.next = 1.into();
                    self.phase.d.next = self.phase_clearing.val();
                    if self.in_background.val() == 1 {
                        self.phase.d.next = self.phase_heading.val();
                        if self.is_ended.q.val().any() && !self.loses.val().any() {
                            self.phase.d.next = self.phase_closed.val();
                        }
                    }
                }
            }
        } else if self.phase.q.val() == self.phase_clearing.val() {
            if self.restarts.val() == 1 && self.in_background.val() == 0 {
                if !self.is_clearing.val().any() {
                    self.phase.d.next = self.phase_heading.val();
                    if self.is_ended.q.val().any() && !self.loses.val().any() {
                        self.phase.d.next = self.phase_closed.val();
                    }
                }
            }
        } else if !self.waiting_valid.q.val().any() {
            self.waiting_is_after.d.next = self.next_is_after.val();
            self.waiting_address.d.next = self.next_address.val();
            if self.has_time.val() == 1 {
                self.waiting_time.d.next = self.time_keeper.next_last.val();
            }
            self.waiting_kind.d.next = self.kind_synchronisation.val();
            self.synchronised.next = 1.into();
            if self.counts.val() == 1 {
                self.waiting_lost.d.next = self.next_lost.val();
                self.waiting_cause.d.next = self.next_cause.val();
                if self.loses.val().any() {
                    self.waiting_kind.d.next = self.kind_after_loss.val();
                    // A loss ends with a block that may change the flow, where the next one could be taken, or with the trace.
                    if self.resumes_waits.val() == 1 {
                        self.synchronised.next = self.is_restarted.q.val()
                            & (self.trace_ends.val() | self.ends_loss.val() | self.resumes.q.val());
                    } else if self.filters.val() == 1 {
                        self.synchronised.next = self.is_restarted.q.val()
                            & (self.trace_ends.val() | (self.ends_loss.val() & self.ready.val()));
                    } else {
                        self.synchronised.next = self.is_restarted.q.val()
                            & (self.trace_ends.val()
                                | (self.is_lost.val()
                                    & self.may_change_flow.val()
                                    & self.ready.val()
                                    & !self.is_off.val()));
                    }
                    if !self.is_restarted.q.val().any() {
                        self.phase.d.next = self.phase_emptying.val();
                    }
                }
            }
            if self.synchronised.val().any() {
                self.waiting_valid.d.next = 1.into();
                // One that keeps the tables where others clear them serves no request.
                if self.says_kept.val() == 0 || self.is_restarted.q.val().any() {
                    self.is_requested.d.next = 0.into();
                }
                if self.counts.val() == 1 {
                    self.is_losing.d.next = 0.into();
                }
                if self.resumes_waits.val() == 1 {
                    self.resumes.d.next = 0.into();
                }
                if self.restarts.val() == 1 {
                    self.is_ended.d.next = 0.into();
                }
                if self.has_interval.val() == 1 {
                    if self.says_kept.val() == 0 || self.is_restarted.q.val().any() {
                        self.instructions.d.next = 0.into();
                    }
                }
                if self.counts_words.val() == 1 {
                    if self.says_kept.val() == 0 || self.is_restarted.q.val().any() {
                        self.words.d.next = self.first_word.val();
                    }
                }
                self.phase.d.next = self.phase_open.val();
            }
        }

        if self.resumes_waits.val() == 1 {
            self.skips.next = !self.passes.val() | (self.is_losing.q.val() & !self.resumes.q.val());
        } else if self.filters.val() == 1 {
            self.skips.next = 1.into();
        } else if self.switches.val() == 1 {
            self.skips.next = self.is_losing.q.val();
        }

        // What is discarded is lost, and how much that was is not known.
        if self.switches.val() == 1 {
            if self.discards.val().any() {
                self.waiting_valid.d.next = 0.into();
                self.is_losing.d.next = 1.into();
                self.lost.d.next = !bits_to(0, self.lost.width());
                self.cause.d.next = self.cause_discarded.val();
                self.is_ended.d.next = 1.into();
                self.phase.d.next = self.phase_emptying.val();
                if self.resumes_waits.val() == 1 {
                    self.resumes.d.next = 0.into();
                }
            }
        }

        self.formed.is_end.next = bits_to(self.waiting_kind.q.val() == self.kind_end.val(), 1);
        self.formed.sends_kind.next = 1.into();
        self.formed.sends_loss.next =
            bits_to(self.waiting_kind.q.val() == self.kind_after_loss.val(), 1);
        self.formed.sends_address.next =
            bits_to(self.waiting_kind.q.val() == self.kind_synchronisation.val(), 1)
                | bits_to(self.waiting_kind.q.val() == self.kind_after_loss.val(), 1);
        self.formed.checksum.next = 0.into();
        self.formed.kind.next = self.waiting_kind.q.val();
        // The framer numbers the packets.
        self.formed.packet_number.next = 0.into();
        self.formed.lost_instructions.next = 0.into();
        self.formed.loss_cause.next = 0.into();
        if self.counts.val() == 1 {
            self.formed.lost_instructions.next = self.waiting_lost.q.val();
            self.formed.loss_cause.next = self.waiting_cause.q.val();
        }
        self.formed.is_after.next = self.waiting_is_after.q.val();
        self.formed.address.next = self.waiting_address.q.val();
        self.formed.time.next = self.waiting_time.q.val();
        if self.has_state.val() == 1 {
            self.tracker.begins.next = self.synchronised.val();
            self.tracker.ends.next = self.ends.val();
            if self.switches.val() == 1 {
                // The cause of an exception that is discarded is not in the next header.
                self.tracker.ends.next = self.ends.val() | self.discards.val();
            }
            self.formed.keeps_tables.next = self.tracker.header_keeps.val();
            self.formed.context.next = self.tracker.header_context.val();
            self.formed.privilege.next = self.tracker.header_privilege.val();
            self.formed.sends_cause.next = self.tracker.header_has_cause.val();
            self.formed.has_cause.next = self.tracker.header_has_cause.val();
            self.formed.cause.next = self.tracker.header_cause.val();
        }
        self.header.valid.next = self.waiting_valid.q.val();
        self.header.word.next = self.formed.val();
    }
}
