//! The kernel of the record former.

use tracewright_elaborate::prelude::*;

use super::RecordFormer;

impl Logic for RecordFormer {
    #[hdl_gen]
    fn update(&mut self) {
        self.pc_units.next =
            bits_to(self.retire.pc.val() >> self.alignment.val(), self.pc_units.width());
        self.target_units.next =
            bits_to(self.retire.target.val() >> self.alignment.val(), self.target_units.width());
        // What is open, and what the block closes.
        self.is_nothing.next = bits_to(self.pending.q.val() == self.nothing.val(), 1);
        self.is_reset.next = bits_to(self.pending.q.val() == self.reset.val(), 1);
        self.is_first.next = bits_to(self.pending.q.val() == self.first.val(), 1);
        self.is_target.next = bits_to(self.pending.q.val() == self.target.val(), 1);
        self.is_unknown.next =
            self.is_reset.val() | bits_to(self.pending.q.val() == self.ended.val(), 1);
        self.is_exception.next = bits_to(self.pending.q.val() == self.handler.val(), 1)
            | bits_to(self.pending.q.val() == self.start.val(), 1);
        self.may_change.next =
            self.retire.direct.val() | self.retire.indirect.val() | self.retire.exception.val();
        self.is_one.next = bits_to(self.retire.count.val() == 1, 1);
        self.arrives.next = self.retire.valid.val()
            & (bits_to(self.retire.count.val().any(), 1) | self.has_run.q.val());
        self.begins.next = self.arrives.val() & self.is_unknown.val() & self.may_change.val();
        self.traps.next =
            self.arrives.val() & bits_to(self.pending.q.val() == self.handler.val(), 1);
        self.starts.next = self.arrives.val()
            & (self.is_first.val() | bits_to(self.pending.q.val() == self.start.val(), 1));
        self.reports.next = self.arrives.val() & self.is_target.val();
        self.meets.next = self.starts.val() | self.traps.val() | self.reports.val();
        self.resolves.next = self.begins.val() | self.meets.val();
        // Branches and direct jumps.
        self.is_there.next = self.meets.val() & self.is_one.val();
        self.is_sent.next =
            self.retire.conditional.val() & (self.begins.val() | self.is_there.val());
        self.joins.next = self.reports.val() & self.is_sent.val();
        self.adds.next = self.retire.valid.val()
            & self.retire.conditional.val()
            & (!self.is_sent.val() | self.joins.val());
        self.jumps.next =
            self.retire.valid.val() & self.retire.direct.val() & !self.retire.conditional.val();
        if self.returns.val() == 1 {
            connect::join(&mut self.retire, &mut self.calls.retire);
            self.calls.target_units.next = self.target_units.val();
            self.infers.next = bits_to(self.calls.infers.val(), 1);
            self.jumps.next = (self.retire.valid.val()
                & self.retire.direct.val()
                & !self.retire.conditional.val())
                | bits_to(self.infers.val(), 1);
        }
        self.overflows.next = 0.into();
        if self.passes.q.val() == self.most_passes.val() {
            self.overflows.next = self.jumps.val() & !self.resolves.val();
        }
        // Exceptions.
        self.excepts.next = self.retire.valid.val() & self.retire.exception.val();
        self.stands.next = self.excepts.val() & !self.arrives.val();
        self.now_reported.next = (self.is_reported.q.val() & !self.arrives.val())
            | self.begins.val()
            | self.is_there.val();
        if self.predicts.val() == 1 {
            self.adds.next = self.retire.valid.val()
                & self.retire.conditional.val()
                & (!self.is_sent.val() | self.joins.val())
                & (self.reports.val() | !self.counts.val());
            if self.is_full.val().any() {
                self.overflows.next = 1.into();
            }
        }
        self.marks.next = self.excepts.val()
            & (self.is_nothing.val() | self.resolves.val())
            & self.now_reported.val();
        self.lasts.next = self.excepts.val()
            & (self.is_nothing.val() | self.resolves.val())
            & !self.now_reported.val();
        self.leads.next = self.stands.val() & self.is_target.val();
        self.lasts_now.next =
            (self.lasts.val() & !self.meets.val()) | (self.leads.val() & !self.is_reported.q.val());
        self.starts_second.next =
            (self.lasts.val() & self.meets.val()) | (self.leads.val() & !self.is_reported.q.val());
        // Else a decoder of the standard would take it for the last instruction, if it is on the way.
        self.unfollowed.next = (self.flush.val() & self.is_target.val())
            | (self.reports.val() & self.excepts.val() & self.is_one.val());
        self.progress.needs_address.next = self.unfollowed.val();
        // The payload.
        self.makes_start.next = self.begins.val()
            | self.starts.val()
            | (self.stands.val() & self.is_first.val())
            | (self.flush.val()
                & ((self.is_unknown.val() & self.has_run.q.val()) | self.is_first.val()));
        self.makes_trap.next = self.traps.val()
            | (self.stands.val() & self.is_exception.val())
            | (self.leads.val() & self.is_reported.q.val())
            | (self.has_second.q.val() & self.second_traps.q.val())
            | (self.flush.val() & self.is_exception.val());
        self.ends_last.next = self.flush.val() & self.is_nothing.val() & !self.is_reported.q.val();
        self.makes_report.next = self.reports.val()
            | self.overflows.val()
            | self.lasts_now.val()
            | (self.has_second.q.val() & !self.second_traps.q.val())
            | self.ends_last.val()
            | (self.flush.val() & self.is_target.val());
        self.makes_full.next = 0.into();
        if self.branch_count.q.val() == self.last_branch.val() {
            self.makes_full.next = self.adds.val() & !self.reports.val();
        }
        if self.predicts.val() == 1 {
            self.makes_full.next = self.ends.val();
        }
        self.makes_payload.next = self.makes_start.val()
            | self.makes_trap.val()
            | self.makes_report.val()
            | self.makes_full.val();
        // The map.
        self.branch.next = bits_to(!self.retire.taken.val(), self.branch.width());
        self.map_added.next = self.map.q.val() | (self.branch.val() << self.branch_count.q.val());
        self.sent_map.next = self.map.q.val();
        self.sent_count.next = self.branch_count.q.val();
        if self.joins.val().any() {
            self.sent_map.next = self.map_added.val();
            self.sent_count.next = self.branch_count.q.val() + 1;
        }
        if self.predicts.val() == 1 {
            if self.counts.val().any() {
                self.sent_count.next = 0.into();
            }
            self.payload_cut.counted.next = self.counts.val();
        }
        if self.makes_report.val().any() || self.makes_full.val().any() {
            self.map.d.next = 0.into();
            self.branch_count.d.next = 0.into();
            if (self.adds.val() & self.reports.val() & !self.joins.val()).any() {
                self.map.d.next = self.branch.val();
                self.branch_count.d.next = 1.into();
            }
        } else if self.adds.val().any() {
            self.map.d.next = self.map_added.val();
            self.branch_count.d.next = self.branch_count.q.val() + 1;
        }
        // The address.
        self.address.next = self.pending_address.q.val();
        if (self.begins.val() | self.overflows.val() | self.lasts_now.val()).any() {
            self.address.next = self.pc_units.val();
        } else if (self.has_second.q.val()
            | (self.flush.val() & (self.is_nothing.val() | self.is_unknown.val())))
        .any()
        {
            self.address.next = self.program_counter.q.val();
        }
        self.difference.next = self.address.val() - self.last_address.q.val();
        self.field.next = self.address.val();
        if self.makes_report.val().any() {
            self.field.next = self.difference.val();
        }
        self.value.next = bits_to(self.field.val(), self.value.width());
        if self.makes_full.val().any() {
            self.value.next = bits_to(self.map_added.val(), self.value.width());
            if self.map_added.val().get_bit(self.map_top.val()) {
                self.value.next =
                    bits_to(self.map_added.val(), self.value.width()) | self.above_map.val();
            }
        } else if self.field.val().get_bit(self.address_top.val()) {
            self.value.next =
                bits_to(self.field.val(), self.value.width()) | self.above_address.val();
        }
        self.flow.next = 0.into();
        if (self.lasts_now.val() | self.ends_last.val()).any() {
            self.flow.next = bits_to(self.passes.q.val(), 3);
        } else if (self.makes_trap.val() & (self.is_marked.q.val() | self.leads.val())).any()
            || (self.makes_start.val() & self.is_reset.val()).any()
        {
            self.flow.next = 1.into();
        }
        if self.returns.val() == 1 {
            self.reports_failed.next = 0.into();
            if (self.reports.val() | (self.flush.val() & self.is_target.val())).any() {
                self.reports_failed.next = bits_to(self.calls.is_failed.val(), 1);
            }
            self.progress.needs_address.next = self.unfollowed.val() | self.reports_failed.val();
            if self.reports_failed.val().any() {
                self.flow.next = bits_to(self.passes.q.val(), 3);
            }
            // After a return that was reported, a decoder would not know that it was not inferred.
            if (self.leads.val() & self.is_reported.q.val()).any()
                && self.calls.is_failed.val().any()
            {
                self.flow.next = 2.into();
            }
            // Nor whether it is that return, or the same one before.
            if (self.has_second.q.val() & self.second_traps.q.val()).any() {
                self.flow.next = self.behind_jump.val();
            }
            self.payload_cut.irreport.next = self.reports_failed.val();
            self.payload_cut.depth.next = self.calls.depth.val();
            if self.lasts_now.val().any() {
                self.payload_cut.irreport.next = bits_to(self.calls.reports_depth.val(), 1);
                self.payload_cut.depth.next = self.calls.last_depth.val();
            } else if (self.ends_last.val()
                | (self.has_second.q.val() & !self.second_traps.q.val()))
            .any()
            {
                self.payload_cut.irreport.next = bits_to(self.calls.reported_depth.val(), 1);
                self.payload_cut.depth.next = self.calls.depth_before.val();
            }
        }
        // How much of it is sent.
        self.payload_cut.value.next = self.value.val();
        self.payload_cut.start.next = self.makes_start.val();
        self.payload_cut.trap.next = self.makes_trap.val();
        self.payload_cut.full.next = self.makes_full.val();
        self.payload_cut.map.next = self.sent_map.val();
        self.payload_cut.branches.next = 0.into();
        if self.makes_report.val().any() {
            self.payload_cut.branches.next = self.sent_count.val();
        }
        self.payload_cut.notify.next = self.overflows.val();
        self.payload_cut.updiscon.next = self.unfollowed.val();
        self.has_rest.next = bits_to(self.payload_cut.rest_bits.val().any(), 1);
        self.has_flow.next = bits_to(self.flow.val().any(), 1);
        self.record_valid.next = self.makes_payload.val() | self.flush.val();
        self.record.flush.next = self.flush.val();
        self.record.idle.next = self.has_flow.val();
        self.record.sends_payload.next = self.makes_payload.val();
        self.record.start.next = self.makes_start.val();
        self.record.trap.next = self.makes_trap.val();
        self.record.synchronises.next = self.makes_start.val() | self.makes_trap.val();
        self.record.mapped.next = 0.into();
        self.record.branches.next = self.makes_full.val();
        self.record.plain.next = self.makes_report.val();
        if self.sent_count.val().any() {
            self.record.mapped.next = self.makes_report.val();
            self.record.branches.next = self.makes_full.val() | self.makes_report.val();
            self.record.plain.next = 0.into();
        }
        self.record.full.next = self.makes_full.val();
        self.record.sends_address.next = 0.into();
        if self.payload_cut.size.val().any() {
            self.record.sends_address.next = self.makes_payload.val() & !self.makes_full.val();
        }
        self.record.sends_rest.next = self.makes_payload.val() & self.has_rest.val();
        self.record.not_taken.next =
            !(self.retire.valid.val() & self.retire.taken.val() & self.is_sent.val());
        self.record.handler.next = self.traps.val();
        self.record.alone.next = !self.makes_payload.val();
        self.record.flow.next = self.flow.val();
        self.record.bytes.next = self.payload_cut.bytes.val();
        self.record.branch_count.next = self.sent_count.val();
        if self.makes_full.val().any() {
            self.record.branch_count.next = 0.into();
        }
        self.record.map.next = self.sent_map.val();
        self.record.map_bits.next = self.payload_cut.map_bits.val();
        self.record.value.next = self.payload_cut.kept.val();
        self.record.value_bits.next = self.payload_cut.size.val();
        self.record.rest.next = self.payload_cut.rest.val();
        self.record.rest_bits.next = self.payload_cut.rest_bits.val();
        self.progress.reports.next = self.reports.val();
        self.progress.target.next = self.pending_address.q.val();
        self.progress.joins.next = self.joins.val();
        self.collected.adds.next = self.adds.val();
        self.collected.makes_report.next = self.makes_report.val();
        self.progress.branch_count.next = self.branch_count.q.val();
        // What stays.
        // The second record may have to wait.
        if ((self.makes_start.val() | self.makes_trap.val() | self.makes_report.val())
            & self.record_ready.val())
        .any()
        {
            self.last_address.d.next = self.address.val();
        }
        if self.retire.valid.val().any() {
            if self.retire.count.val().any() {
                self.program_counter.d.next = self.pc_units.val();
            }
            if (self.retire.indirect.val() | self.retire.exception.val()).any() {
                self.pending_address.d.next = self.target_units.val();
            }
            if self.leads.val().any() {
                self.program_counter.d.next = self.pending_address.q.val();
            }
            if self.resolves.val().any() {
                self.pending.d.next = self.nothing.val();
            }
            if (self.retire.indirect.val() & self.retire.taken.val()).any() {
                self.pending.d.next = self.target.val();
            }
            if self.returns.val() == 1 {
                if self.infers.val().any() {
                    self.pending.d.next = self.nothing.val();
                }
            }
            if self.excepts.val().any() {
                self.pending.d.next = self.handler.val();
                if (self.stands.val() & self.is_reset.val()).any() {
                    self.pending.d.next = self.first.val();
                } else if self.leads.val().any() {
                    self.pending.d.next = self.start.val();
                }
            }
            // A full map ends at its last branch, as a full counter does.
            self.is_reported.d.next = (self.now_reported.val() & !self.excepts.val())
                | self.makes_full.val()
                | self.overflows.val();
            if (self.arrives.val() & self.is_unknown.val()).any() {
                self.has_run.d.next = !self.may_change.val();
            }
            if (self.makes_payload.val() & !self.makes_full.val()).any()
                || self.retire.conditional.val().any()
            {
                self.passes.d.next = 0.into();
            }
            if (self.jumps.val() & !self.overflows.val()).any() {
                self.passes.d.next = self.passes.q.val() + 1;
                if self.resolves.val().any() {
                    self.passes.d.next = 1.into();
                }
            }
        }
        if self.makes_trap.val().any() {
            self.is_marked.d.next = 0.into();
        }
        if self.marks.val().any() {
            self.is_marked.d.next = 1.into();
        }
        if self.flush.val().any() {
            self.pending.d.next = self.ended.val();
            self.has_run.d.next = 0.into();
        }
        if self.returns.val() == 1 {
            self.calls.reports.next = self.reports.val();
            self.calls.makes_report.next = self.makes_report.val();
            self.calls.forget.next = self.excepts.val() | self.flush.val();
        }
        self.is_busy.next = self.has_second.q.val();
        if self.record_ready.val().any() {
            self.has_second.d.next = 0.into();
        }
        if self.starts_second.val().any() {
            self.has_second.d.next = 1.into();
            self.second_traps.d.next = self.leads.val();
        }
    }
}
