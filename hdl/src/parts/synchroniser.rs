//! Where packets begin and end.

mod kernel;

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::packet::framing::Framing;
use tracewright_sim::packet::header::{LOST_INSTRUCTIONS, LossCause, loss_cause_bits};

use super::ports::{Headers, RetiredBlock, StatePins};
use super::state_tracker::StateTracker;
use super::time_keeper::TimeKeeper;
use crate::packet::framer::Header;

block! {
    /// Counts instructions, keeps the address of the last one, and asks the compressor for a flush record where a packet
    /// ends. It makes the header of the packet that follows (docs/packets.md).
    ///
    /// A synchronisation follows the first block that may change the flow, once as many instructions as the interval
    /// has have retired since the last one, as many words of the trace have left the module, or one is requested. One that keeps the tables follows the first that says another
    /// context or privilege level, or has a cause. The next block waits until the packet has begun. If the core cannot wait,
    /// blocks are counted instead, up to one that may change the flow.
    pub Synchroniser("synchroniser") of (framing: &Framing, registers: bool) {
        let (protocol, processor) = (&framing.protocol, &framing.processor);
        let interval = protocol.interval();
        // A bit more than the interval needs: it stays once the interval is over.
        let counter_bits = if interval == 0 { 0 } else { index_bits(interval) as usize + 1 };
        // With registers the lower bits are added first, and what they carry a cycle later.
        let low_bits = processor.retire_count_bits as usize + 1;
        let is_split = registers && counter_bits > low_bits + 1;
        let address_bits = processor.instruction_address_bits() as usize;
        let format = framing.header_format();
        let (counts, restarts) = (protocol.counts_losses(), protocol.restarts_tables());
        let switches = protocol.enable_pin;
        let in_background = protocol.clears_in_background();
        let lost_bits = if counts { LOST_INSTRUCTIONS.width as usize } else { 0 };
        let time_bits = protocol.time_bits as usize;
        // Counts up to a bit that stays once so many words have left.
        let sync_words = framing.sync_words();
        let counts_words = sync_words > 0;
        let word_bits = if counts_words { index_bits(sync_words) as usize + 1 } else { 0 };
        let first_word = if counts_words { (1u64 << (word_bits - 1)) - u64::from(sync_words) } else { 0 };
        let cause_bits = if counts { loss_cause_bits(protocol) as usize } else { 0 };
        let filters = protocol.filters();
        // The core can wait until a loss has ended.
        let resumes = filters && !protocol.drops_blocks();
    }
    parameters {
        sync_interval = interval as usize,
        keeps_tables = usize::from(protocol.sync_keeps_tables),
        counts_losses = usize::from(counts),
        switches if switches,
        in_background if in_background,
        filters if filters,
        sync_words = sync_words as usize if counts_words,
        loss_pins = usize::from(protocol.loss_pins) if protocol.loss_pins,
        registers if registers,
    }

    /// the block at the pins; valid if it is taken
    in retire: RetiredBlock(processor);
    in state: StatePins(protocol);
    in timestamp: protocol.timestamp_bits();
    /// a block is at the pins, taken or not
    in is_shown: usize::from(counts);
    /// instructions of the block at the pins, or of all that are lost with it in front of the module
    in shown_count: if protocol.loss_pins { processor.lost_count_bits() } else { 0 };
    /// a synchronisation is due
    in sync_request: 1;
    /// a word of the trace leaves the module
    in word_leaves: usize::from(counts_words);
    /// the trace ends here
    in trace_ends: 1;
    /// tracing is off
    in is_off: usize::from(counts);
    /// what is in the module is discarded
    in discards: usize::from(switches);
    /// blocks are lost until the trace goes on
    out skips: usize::from(switches || filters);
    /// the run at hand passes the filter
    in passes: usize::from(filters);
    /// the run after the block at the pins passes the filter
    in next_passes: usize::from(filters);
    /// a run ends with the block at the pins
    out ends_run: usize::from(filters);
    /// in instruction units: where the next run begins, or the branch before it that is not taken
    out begins_at: if filters { address_bits } else { 0 };
    /// the tables are being cleared
    in is_clearing: usize::from(restarts && !in_background);
    /// the compressor can make a flush record
    in ready: 1;
    /// the compressor is empty, and what is after it and the tables can be restarted
    in is_empty: usize::from(restarts);
    /// blocks may be taken
    out accepts: 1;
    /// the compressor makes its flush record in this cycle
    out flush: 1;
    /// the flush record of this cycle ends the trace
    out ends: 1;
    /// the tables and the registers of the compressor are cleared
    out restart: usize::from(restarts);
    /// the first block of a packet does not follow an instruction that its decoder knows
    out hides_address: usize::from(restarts);
    /// a packet begins after a synchronisation or a loss
    out synchronised: 1;
    out header: Headers(format.bits() as usize);
    block tracker: StateTracker(protocol) if protocol.traces_state();
    block time_keeper: TimeKeeper(protocol) if time_bits > 0;
    reg phase: 3;
    reg is_requested: 1;
    /// instructions since the last synchronisation; the highest bit says that the interval is over
    reg instructions: if is_split { counter_bits - low_bits } else { counter_bits };
    reg low_instructions: if is_split { low_bits } else { 0 };
    /// the lower bits carried in the cycle before
    reg carried: usize::from(is_split);
    /// words that have left since the last synchronisation; the highest bit says that they are as many as make the next one due
    reg words: word_bits = first_word;
    /// something has retired since reset
    reg has_retired: 1;
    /// the flow did not change at the last instruction
    reg is_after: 1;
    /// in instruction units: where the flow changed to, or the last instruction
    reg address: address_bits;
    /// the compressor was cleared and has taken no block since then
    reg is_restarted: usize::from(restarts);
    /// the trace has ended, and no packet has begun since then
    reg is_ended: usize::from(restarts);
    /// blocks were lost since the last packet
    reg is_losing: usize::from(counts);
    reg lost: lost_bits;
    reg cause: cause_bits;
    /// a run that passes comes after what was lost, and the core waits until the trace goes on
    reg resumes: usize::from(resumes);
    reg waiting_valid: 1;
    reg waiting_kind: 2 = undefined;
    reg waiting_is_after: 1 = undefined;
    reg waiting_address: address_bits = undefined;
    reg waiting_lost: lost_bits = undefined;
    reg waiting_cause: cause_bits = undefined;
    reg waiting_time: time_bits = undefined;
    local formed: Header(&format);
    local is_branch: 1;
    local changes_flow: 1;
    local may_change_flow: 1;
    /// a block retires and is not taken
    local is_lost: 1;
    local retires: 1;
    local next_is_after: 1;
    local next_address: address_bits;
    local counted: if is_split { 0 } else { counter_bits };
    local low_sum: if is_split { low_bits } else { 0 };
    local low_count: if is_split { low_bits } else { 0 };
    /// the carry out of each of the lower bits, in gates: those for adders are slow where only the last one counts
    local carry: 1 for _ in 0..if is_split { low_bits } else { 0 };
    local carries: usize::from(is_split);
    local last_carry: usize::from(is_split);
    local requested: 1;
    local is_due: 1;
    local sum: if counts { lost_bits + 1 } else { 0 };
    local next_lost: lost_bits;
    local next_cause: cause_bits;
    local loses: 1;
    /// a loss ends here, as far as the blocks are concerned
    local ends_loss: usize::from(filters);
    param has_interval = interval > 0;
    param last_bit = counter_bits.saturating_sub(1);
    param counts_words = counts_words;
    param first_word = Word::new(word_bits, first_word);
    param last_word_bit = word_bits.saturating_sub(1);
    param alignment = processor.alignment as usize;
    param counts = counts;
    param switches = usize::from(switches);
    param restarts = restarts;
    param is_split = usize::from(is_split);
    param low_bits = low_bits;
    param split_last = counter_bits.saturating_sub(low_bits + 1);
    param upper_most = Word::new((counter_bits.saturating_sub(low_bits)).max(1), (1u64 << counter_bits.saturating_sub(low_bits + 1)) - 1);
    param in_background = usize::from(in_background);
    param keeps_tables = protocol.sync_keeps_tables;
    param has_state = protocol.traces_state();
    param has_loss_pins = protocol.loss_pins;
    param has_time = time_bits > 0;
    param says_kept = protocol.says_if_tables_are_kept();
    param most_lost = lost_bits;
    param filters = filters;
    param resumes_waits = resumes;
    /// no packet is open, as after reset
    constant phase_closed: 3 = 0;
    constant phase_open: 3 = 1;
    /// the packet ends as soon as the compressor can make its flush record
    constant phase_due: 3 = 2;
    /// the compressor has records
    constant phase_emptying: 3 = 3;
    constant phase_clearing: 3 = 4;
    /// the next packet begins as soon as its header can wait, and no block is lost
    constant phase_heading: 3 = 5;
    /// the first packet after reset
    constant kind_start: 2 = 0;
    constant kind_synchronisation: 2 = 1;
    constant kind_after_loss: 2 = 2;
    constant kind_end: 2 = 3;
    constant cause_no_room: cause_bits = LossCause::NoRoom as u64;
    constant cause_off: cause_bits = LossCause::Off as u64;
    constant cause_not_ready: cause_bits = LossCause::NotReady as u64;
    constant cause_discarded: cause_bits = LossCause::Discarded as u64;
    constant cause_filtered: if filters { cause_bits } else { 0 } = if filters { LossCause::Filtered as u64 } else { 0 };
}
