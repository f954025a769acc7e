//! What is recorded of the blocks, and when.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::{index_bits, mask};
use tracewright_sim::e_trace::config::Config;
use tracewright_sim::e_trace::payload::{BEHIND_JUMP, FULL_MAP, PRIVILEGE_BITS};
use tracewright_sim::encode::record::RecordFormat;

use super::calls::Calls;
use super::payload::PayloadCut;
use super::payload::words::Cutting;
use crate::encode::record::word_layout;
use crate::parts::ports::RetiredBlock;

#[allow(
    clippy::collapsible_if,
    reason = "a condition of the configuration guards signals that are not there without it"
)]
mod kernel;
pub(crate) mod planned;
pub(crate) mod told;

packed! {
    /// A record of E-Trace on its way to the encoder (`tracewright_sim::e_trace::layout`).
    pub Record of (format: &RecordFormat) {
        let layout = word_layout(format, Self::FIELDS);
    }
    flush;
    idle;
    sends_payload;
    start;
    trap;
    synchronises;
    branches;
    plain;
    mapped;
    full;
    sends_address;
    sends_rest;
    not_taken;
    handler;
    alone;
    index_alone;
    index_map;
    count_alone;
    counted;
    fails;
    supports;
    whole;
    sends_trap_value;
    flow;
    bytes;
    branch_count;
    map;
    map_bits;
    value;
    value_bits;
    rest;
    rest_bits;
    index;
    count;
    level;
    cause;
    time;
    context;
    trap_value;
    trap_value_bits;
}

packed! {
    /// What the record former shows to the blocks that make other payloads of its records.
    pub Progress of (config: &Config) {
        let caches = usize::from(config.caches_targets());
        let predicts = usize::from(config.predicts_branches());
    }
    reports: caches.max(predicts);
    needs_address: caches;
    target: caches * config.address_bits() as usize;
    joins: predicts;
    branch_count: 5 * predicts;
}

packed! {
    /// What it makes of branches, once it knows whether they are counted.
    pub Collected of (config: &Config) {
        let predicts = usize::from(config.predicts_branches());
    }
    adds: predicts;
    makes_report: predicts;
}

block! {
    /// Collects the outcomes of branches, and sends the addresses that the program does not tell.
    ///
    /// An address is sent with the block that retires there, because the payload says whether a taken branch is there.
    pub RecordFormer("record_former") of (config: &Config) {
        let in_steps = config.cuts_in_steps();
        let format = if in_steps { config.planned_format() } else { config.plain_format() };
        let steps = usize::from(in_steps);
        let address_bits = config.address_bits() as usize;
        let value_bits = config.value_bits() as usize;
        let map_width = FULL_MAP as usize;
        let returns = usize::from(config.infers_returns());
        let predicts = usize::from(config.predicts_branches());
        let switches = usize::from(config.protocol.switches_alone());
        let filters = usize::from(config.protocol.filters_alone());
        let state_bits = config.protocol.told_state_bits() as usize;
        let splits_state = usize::from(config.splits_state());
        let tells_cause = usize::from(config.tells_cause());
        let trap_value_bits = config.trap_value_bits() as usize;
        let pin_bits = tells_cause * config.protocol.cause_bits as usize;
        let cause_bits = tells_cause * (config.trap_cause_bits as usize + 1);
        let code_bits = pin_bits.saturating_sub(1);
        let passes_bits = index_bits(config.most_passes() as u32 + 1) as usize;
        let above = |bits: u32| Word::new(value_bits, mask(config.value_bits()) & !mask(bits));
    }
    parameters {
        address_bits,
        trap_cause_bits = config.trap_cause_bits as usize,
    }

    in retire: RetiredBlock(&config.processor);
    /// make a flush record
    in flush: 1;
    /// a record is taken
    in record_ready: 1;
    /// branches are counted, and are in no map
    in counts: predicts;
    /// a payload of branches without an address is sent
    in ends: predicts;
    /// the address of the branch is sent, as no more are counted
    in is_full: predicts;
    /// a start is due
    in sync_request: switches;
    /// where the trace goes on after its end is known
    in has_entry: filters;
    in entry: filters * address_bits;
    /// a start or a trap is made
    out synchronised: switches;
    /// privilege level and context in which the block runs
    in state: state_bits;
    /// the same after it
    in next_state: state_bits;
    /// why an exception is taken, below a bit that marks interrupts
    in cause: pin_bits;
    /// when the last block retired, with the one at hand
    in told_time: config.time_bits() as usize;
    /// what it says beside that
    in trap_value: trap_value_bits;
    /// the second record of an exception is made
    out is_busy: 1;
    out record_valid: 1;
    out record: Record(&format);
    /// where the payload is cut in steps, what it is made of
    out cutting: Cutting(config);
    out progress: Progress(config);
    out collected: Collected(config);
    /// what the last block leaves open
    reg pending: 3 = if switches > 0 { 2u64 } else { 1 };
    /// where it leads to
    reg pending_address: address_bits;
    /// of the last payload
    reg last_address: if in_steps { 0 } else { address_bits };
    /// of the last instruction; of the second record
    reg program_counter: address_bits;
    /// instructions have retired since the trace began, and it has no address of them
    reg has_run: 1;
    /// the last payload has the address of the last instruction, or ends at it
    reg is_reported: 1;
    /// one instruction has retired between the last address and the exception that is pending
    reg is_marked: 1;
    reg branch_count: 5;
    /// a bit for each branch, 1 if it was not taken
    reg map: map_width;
    /// direct jumps since the last branch or address
    reg passes: passes_bits;
    reg has_second: 1;
    reg second_traps: 1;
    /// the cause of the exception that is pending
    reg held_cause: cause_bits;
    /// what it says beside that
    reg held_trap_value: trap_value_bits;
    /// privilege level and context before it
    reg interrupted: state_bits;
    /// a start was asked for
    reg is_requested: switches;
    /// the last instruction is in the trace, and a start comes next
    reg starts_next: switches;
    /// the second record reports the last instruction before a start
    reg second_starts: switches;
    block payload_cut: PayloadCut(config) if !in_steps;
    block calls: Calls(config) if config.infers_returns();
    /// as a trap says it
    local new_cause: cause_bits;
    local sent_cause: cause_bits;
    local sent_trap_value: trap_value_bits;
    /// the block leads to another level or context
    local changes: switches;
    /// a start follows the block
    local synchronises: switches;
    /// the trace was ended
    local is_ended: switches;
    /// and it is known where it goes on
    local is_entry: filters;
    /// a start comes next, at the target of a jump
    local starts_target: switches;
    /// the last instruction is reported before it
    local lasts_before: switches;
    /// privilege level and context that the record says
    local told_state: splits_state * state_bits;
    /// a return to the address on the stack
    local infers: returns;
    /// the target of a return that was not inferred is sent
    local reports_failed: returns;
    local pc_units: address_bits;
    local target_units: address_bits;
    local is_nothing: 1;
    local is_reset: 1;
    local is_first: 1;
    local is_target: 1;
    /// at reset, or after a flush
    local is_unknown: 1;
    /// an exception's handler
    local is_exception: 1;
    local may_change: 1;
    local is_one: 1;
    /// instructions retire, or have retired before an exception
    local arrives: 1;
    /// the trace begins
    local begins: 1;
    /// a start, a trap or a target is sent
    local starts: 1;
    local traps: 1;
    local reports: 1;
    local meets: 1;
    local resolves: 1;
    /// the branch is at the address that is sent
    local is_there: 1;
    local is_sent: 1;
    /// it is in the map that is sent
    local joins: 1;
    local adds: 1;
    local jumps: 1;
    local overflows: 1;
    local excepts: 1;
    /// an exception after no instruction
    local stands: 1;
    local now_reported: 1;
    local marks: 1;
    /// the last instruction before an exception is reported
    local lasts: 1;
    local lasts_now: 1;
    /// the exception comes at the target of a jump
    local leads: 1;
    /// the trace ends at a jump's target, or one instruction retires there before an exception
    local unfollowed: 1;
    local starts_second: 1;
    /// payloads of any cause
    local makes_start: 1;
    local makes_trap: 1;
    local makes_report: 1;
    local makes_full: 1;
    local makes_payload: 1;
    local ends_last: 1;
    local map_added: map_width;
    local branch: map_width;
    local sent_map: map_width;
    local sent_count: 5;
    local address: address_bits;
    local difference: (1 - steps) * address_bits;
    local field: (1 - steps) * address_bits;
    local value: (1 - steps) * value_bits;
    local flow: 3;
    local has_flow: 1;
    local has_rest: 1 - steps;
    param in_steps = steps;
    param returns = returns;
    param switches = switches;
    param filters = filters;
    param tells_state = usize::from(state_bits > 0);
    param tells_time = usize::from(config.tells_time());
    param tells_trap_values = usize::from(config.tells_trap_values());
    param splits_state = splits_state;
    param privilege_bits = PRIVILEGE_BITS as usize;
    param tells_cause = tells_cause;
    param all_code = Word::new(pin_bits, mask(code_bits as u32));
    param code_bits = code_bits;
    param interrupt_place = cause_bits.saturating_sub(1);
    param predicts = predicts;
    param behind_jump = Word::new(3, BEHIND_JUMP);
    param alignment = config.processor.alignment as usize;
    param above_address = above(config.address_bits());
    param above_map = above(FULL_MAP);
    param address_top = address_bits - 1;
    param map_top = map_width - 1;
    constant nothing: 3 = 0;
    constant reset: 3 = 1;
    constant ended: 3 = 2;
    constant first: 3 = 3;
    constant handler: 3 = 4;
    constant start: 3 = 5;
    constant target: 3 = 6;
    constant most_passes: passes_bits = config.most_passes() as usize;
    constant last_branch: 5 = FULL_MAP as usize - 1;
}
