//! The compressor of one core: blocks in, records out.

use tracewright_elaborate::prelude::*;
use tracewright_sim::e_trace::config::Config;

use super::branch_count::BranchCount;
use super::extensions::Extensions;
use super::jump_target_cache::JumpTargetCache;
use super::loss::Loss;
use super::payload::steps::PayloadSteps;
use super::payload::words::Plan;
use super::record_former::{Progress, RecordFormer};
use super::resync::Resync;
use crate::parts::ports::{Clear, RetiredBlock, Stream};

block! {
    /// A record leaves in the cycle of its block; an exception may make two, and the second leaves in the next cycle.
    ///
    /// With registers between the steps of payloads, records wait here before their payloads are cut.
    pub Encoder("encoder") of (config: &Config, clear_bits: usize);

    in clear: Clear(clear_bits);
    /// every register takes the value that it has after a reset
    in restart_registers: usize::from(config.protocol.restarts_tables() || config.protocol.switches_alone());
    /// there is no table
    in memory_sweep: if config.protocol.clears_in_background() { clear_bits + 2 } else { 0 };
    /// valid is high only while the compressor is ready
    in retire: RetiredBlock(&config.processor);
    /// make a flush record; only when ready
    in flush: 1;
    /// the flush record says that blocks are lost, and not that the trace ends
    in loses: usize::from(config.protocol.drops_alone());
    /// the flush record ends a part of the trace, and not the trace
    in leaves: usize::from(config.protocol.filters_alone());
    /// a start is due
    in sync_request: usize::from(config.protocol.switches_alone());
    /// a start or a trap is made
    out synchronised: usize::from(config.protocol.switches_alone());
    /// where the trace goes on after its end is known
    in has_entry: usize::from(config.protocol.filters_alone());
    in entry: if config.protocol.filters_alone() { config.address_bits() as usize } else { 0 };
    /// privilege level and context in which the block at hand runs
    in state: config.protocol.told_state_bits() as usize;
    /// the same after it
    in next_state: config.protocol.told_state_bits() as usize;
    /// why an exception is taken
    in cause: if config.tells_cause() { config.protocol.cause_bits as usize } else { 0 };
    /// when the last block retired, with the one at hand
    in told_time: config.time_bits() as usize;
    /// what the exception says beside its cause
    in trap_value: config.trap_value_bits() as usize;
    /// a block or a flush is taken
    out ready: 1;
    /// no record waits inside
    out is_empty: 1;
    out record: Stream(config.format().bits());
    block record_former: RecordFormer(config);
    block resync: Resync(config) if config.resynchronises();
    block branch_count: BranchCount(config) if config.predicts_branches();
    block loss: Loss(config) if config.has_parts() && !config.cuts_in_steps();
    block extensions: Extensions(config) if config.has_extensions() && !config.cuts_in_steps();
    block cache: JumpTargetCache(config) if config.caches_targets() && config.cuts_in_steps();
    block payload_steps: PayloadSteps(config) if config.cuts_in_steps();
    local plan: Plan(config);
    view reached: Progress(config);
    /// the trace goes on with a start or a trap
    local forgets: usize::from(config.has_extensions());
    param in_steps = usize::from(config.cuts_in_steps());
    param is_plain = usize::from(!config.has_extensions() && !config.has_parts());
    param has_parts = usize::from(config.has_parts());
    param drops = usize::from(config.protocol.drops_alone());
    param switches = usize::from(config.protocol.switches_alone());
    param resynchronises = usize::from(config.resynchronises());
    param filters = usize::from(config.protocol.filters_alone());
    param tells_state = usize::from(config.tells_state());
    param tells_cause = usize::from(config.tells_cause());
    param tells_trap_values = usize::from(config.tells_trap_values());
    param tells_time = usize::from(config.tells_time());
    param has_extensions = usize::from(config.has_extensions());
    param caches = usize::from(config.caches_targets());
    param predicts = usize::from(config.predicts_branches());
}

#[kernel]
impl Logic for Encoder {
    fn update(&mut self) {
        join(retire, record_former.retire);
        record_former.flush = flush;
        if when(in_steps) {
            ready = payload_steps.planned.ready & !record_former.is_busy;
            is_empty = payload_steps.is_empty & !record_former.is_busy;
            record_former.record_ready = payload_steps.planned.ready;
            plan = Plan { record: record_former.record, cutting: record_former.cutting };
            payload_steps.planned.valid = record_former.record_valid;
            join(payload_steps.record, record);
        } else {
            ready = record.ready & !record_former.is_busy;
            is_empty = !record_former.is_busy;
            record_former.record_ready = record.ready;
            record.valid = record_former.record_valid;
        }
        if when(switches) {
            record_former.sync_request = sync_request;
            synchronised = record_former.synchronised;
        }
        if when(resynchronises) {
            resync.counts = retire.valid & (retire.direct | retire.indirect);
            record_former.sync_request = sync_request | resync.is_due;
        }
        if when(filters) {
            record_former.has_entry = has_entry;
            record_former.entry = entry;
            if when(in_steps) {
                plan.leaves = leaves;
            } else {
                loss.leaves = leaves;
            }
        }
        if when(tells_state) {
            record_former.state = state;
            record_former.next_state = next_state;
        }
        if when(tells_cause) {
            record_former.cause = cause;
        }
        if when(tells_trap_values) {
            record_former.trap_value = trap_value;
        }
        if when(tells_time) {
            record_former.told_time = told_time;
        }
        if when(!in_steps) {
            if when(is_plain) {
                record.word = record_former.record;
            }
            if when(has_parts) {
                loss.plain = record_former.record;
                record.word = loss.record;
            }
        }
        if when(drops) {
            if when(in_steps) {
                plan.loses = loses;
            } else {
                loss.loses = loses;
            }
            synchronised = record_former.synchronised & !loses;
        }
        if when(has_extensions) {
            forgets = (retire.valid & retire.exception) | flush;
            if when(!in_steps) {
                extensions =
                    Extensions { plain: record_former.record, progress: record_former.progress };
                record.word = extensions.record;
            }
        }
        if when(caches) {
            if when(in_steps) {
                reached = record_former.progress;
                cache.keep = reached.reports;
                cache.target = reached.target;
                cache.forget = forgets;
                // An index goes without the bits that say more of an address.
                plan.may_index = reached.reports & cache.hit & !reached.needs_address;
                plan.index = cache.index;
            } else {
                extensions.forget = forgets;
            }
        }
        if when(predicts) {
            join(retire, branch_count.retire);
            branch_count = BranchCount {
                progress: record_former.progress,
                collected: record_former.collected,
                forget: forgets,
            };
            record_former = RecordFormer {
                counts: branch_count.counts,
                ends: branch_count.ends,
                is_full: branch_count.is_full,
            };
            if when(in_steps) {
                plan.counts = branch_count.counts;
                plan.count = branch_count.count;
                plan.fails = branch_count.fails;
                plan.ends_count = branch_count.ends_count;
            } else {
                extensions = Extensions {
                    counts: branch_count.counts,
                    count: branch_count.count,
                    fails: branch_count.fails,
                    ends_count: branch_count.ends_count,
                };
            }
        }
        if when(in_steps) {
            payload_steps.planned.word = plan;
        }
    }
}
