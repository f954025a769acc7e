//! What is recorded of the blocks, and when.

pub mod code_stage;
mod kernel;

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::mask;
use tracewright_sim::configuration::Configuration;
use tracewright_sim::encode::record::RecordFormat;
use tracewright_sim::n_trace::config::{
    BRANCH_TYPE_BITS, Config, PRIVILEGE_BITS, PROCESS_FORMAT_BITS, RESOURCE_BITS, SYNC_HALF_BITS,
    VIRTUAL_BITS,
};
use tracewright_sim::n_trace::layout::{HISTORY_FULL, REQUESTED};

use super::repeats::Repeats;
use crate::e_trace::return_stack::ReturnStack;
use crate::encode::record::word_layout;
use crate::parts::ports::RetiredBlock;

packed! {
    /// A record of N-Trace on its way to the encoder (`tracewright_sim::n_trace::layout`).
    pub Record of (format: &RecordFormat) {
        let layout = word_layout(format, Self::FIELDS);
    }
    flush;
    overflows;
    starts;
    resumes;
    synchronises;
    indirect;
    direct;
    full;
    sends_history;
    earlier_once;
    earlier_again;
    branch_again;
    plain;
    requested;
    requested_direct;
    ends;
    overruns;
    error;
    owns;
    stamps;
    at_once;
    upper;
    sync_low;
    sync_high;
    branch_type;
    count;
    address;
    code;
    history;
    earlier_code;
    earlier;
    times;
    owner;
    time;
}

block! {
    /// Counts the code, collects the outcomes of branches, and sends both with the addresses that the program does not tell.
    pub RecordFormer("record_former") of (config: &Config) {
        let format = config.format();
        let address_bits = config.address_bits() as usize;
        let count_bits = config.count_bits as usize;
        let sum_bits = address_bits.max(count_bits) + 1;
        let has_history = usize::from(config.branch_history);
        let history_width = config.history_width() as usize;
        let returns = usize::from(config.infers_returns());
        let counts_repeats = usize::from(config.counts_repeats());
        let (switches, drops) = (usize::from(config.switches()), usize::from(config.tells_losses()));
        let state_bits = config.protocol.told_state_bits() as usize;
        let process_bits = if state_bits > 0 { config.process_bits() as usize } else { 0 };
        let (stamps, time_bits) = (usize::from(config.stamps()), config.time_bits() as usize);
        let half_bits = SYNC_HALF_BITS as usize;
        let unit_bits = 4 - config.unit_shift() as usize;
        let reads_lengths = usize::from(config.reads_lengths());
        let in_steps = usize::from(config.has_code_stage());
    }
    parameters {
        address_bits,
        count_bits,
    }

    in retire: RetiredBlock(&config.processor);
    /// make a flush record
    in flush: 1;
    /// the code that the block or the flush ends
    in code: if in_steps > 0 { config.code_bits() as usize } else { 0 };
    /// a record is taken
    in record_ready: 1;
    /// the flush record says that blocks are lost, and not that the trace ends; only with flush
    in loses: drops;
    /// a synchronisation is due
    in sync_request: switches;
    /// a synchronisation is made
    out synchronised: switches;
    /// privilege level and context in which the block at hand runs
    in state: state_bits;
    /// the same after it
    in next_state: state_bits;
    /// when the last block retired, with the one at hand
    in told_time: time_bits;
    /// the second record of a block is made
    out is_busy: 1;
    out record_valid: 1;
    out record: Record(&format);
    /// the trace has begun
    reg is_known: 1;
    /// instructions have retired since the last block that may change the flow
    reg has_run: 1;
    /// of the last of these
    reg program_counter: address_bits;
    /// how long it is
    reg last_units: unit_bits * reads_lengths;
    /// where the code begins that is not counted
    reg from: address_bits;
    /// the code since the last message
    reg code_count: count_bits;
    /// outcomes after a first 1, the newest lowest
    reg outcomes: history_width = has_history;
    /// the last address in a message
    reg last_address: address_bits;
    reg has_second: 1;
    reg second_excepts: 1;
    reg second_jumps: 1 - has_history;
    reg is_requested: switches;
    /// blocks were lost, and the trace has not begun since then
    reg is_overrun: drops;
    /// the state after the block of the second record: blocks that are lost meanwhile may change it
    reg second_state: state_bits;
    /// privilege level and context that were told last
    reg told: state_bits;
    /// the time of the last message that has one
    reg last_time: time_bits;
    block return_stack: ReturnStack(config.return_stack_entries, address_bits) if returns > 0;
    block repeats: Repeats(config) if counts_repeats > 0;
    local pc_units: address_bits;
    local target_units: address_bits;
    /// the block may change the flow
    local may_change: 1;
    /// instructions have retired before it
    local ran: 1;
    local starts: 1;
    local resumes: 1;
    local is_call: 1;
    /// length of the last instruction
    local units: unit_bits;
    /// code is counted
    local counts: 1;
    /// the last instruction
    local at: address_bits;
    local after: address_bits;
    local run: address_bits;
    local added: unit_bits;
    local sum: sum_bits;
    local upper: config.upper_bits() as usize;
    local overflows: 1;
    /// a return to the address on the stack
    local infers: returns;
    local excepts: 1;
    /// an indirect branch or an exception
    local jumps: 1;
    /// a branch sends a message of its own
    local directs: 1;
    local holds: 1;
    local sends_indirect: 1;
    local sends_direct: 1;
    local collected: history_width;
    local fills: 1;
    local address: address_bits;
    local is_exception: 1;
    /// the block's message has a synchronisation
    local requested: switches;
    /// it is one of a direct branch or jump, without a history
    local syncs_direct: switches * (1 - has_history);
    /// in what the execution goes on
    local goes_on: state_bits;
    local owns: usize::from(state_bits > 0);
    /// it is another one than was told
    local differs: usize::from(state_bits > 0);
    local level: if config.protocol.context_bits > 0 { state_bits.min(PRIVILEGE_BITS as usize) } else { 0 };
    local owner: process_bits;
    /// the message ends with the time
    local is_stamped: stamps;
    /// an indirect branch whose message may come again
    local may_repeat: counts_repeats;
    param unit_shift = config.unit_shift() as usize;
    param count_bits = count_bits;
    param has_history = has_history;
    param reads_lengths = reads_lengths;
    param in_steps = in_steps;
    param returns = returns;
    param counts_repeats = counts_repeats;
    param switches = switches;
    param drops = drops;
    param stamps = stamps;
    param tells_state = usize::from(state_bits > 0);
    param has_context = usize::from(config.protocol.context_bits > 0);
    param privilege_bits = PRIVILEGE_BITS as usize;
    param context_shift = (PROCESS_FORMAT_BITS + PRIVILEGE_BITS + VIRTUAL_BITS) as usize;
    param format_bits = PROCESS_FORMAT_BITS as usize;
    param process_format = Word::new(process_bits, config.process_format());
    param sync_low = Word::new(half_bits, REQUESTED & mask(SYNC_HALF_BITS));
    param sync_high = Word::new(half_bits, REQUESTED >> SYNC_HALF_BITS);
    param least_units = Word::new(unit_bits, config.least_units());
    param history_top = history_width.saturating_sub(1);
    param full_code = Word::new(RESOURCE_BITS as usize, HISTORY_FULL);
    param exception_type = Word::new(BRANCH_TYPE_BITS as usize, 1);
}
