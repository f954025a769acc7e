//! What is recorded of the blocks, and when.

#![allow(
    clippy::collapsible_if,
    reason = "a condition of the configuration guards signals that are not there without it"
)]

use tracewright_elaborate::prelude::*;
use tracewright_sim::encode::record::RecordFormat;
use tracewright_sim::n_trace::config::{BRANCH_TYPE_BITS, Config, RESOURCE_BITS};
use tracewright_sim::n_trace::layout::HISTORY_FULL;

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
    upper;
    branch_type;
    count;
    address;
    code;
    history;
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
        let unit_bits = 4;
    }
    parameters {
        address_bits,
        count_bits,
    }

    in retire: RetiredBlock(&config.processor);
    /// make a flush record
    in flush: 1;
    /// a record is taken
    in record_ready: 1;
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
    block return_stack: ReturnStack(config.return_stack_entries, address_bits) if returns > 0;
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
    local has_upper: 1;
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
    param unit_shift = config.unit_shift() as usize;
    param count_bits = count_bits;
    param has_history = has_history;
    param returns = returns;
    param least_units = Word::new(unit_bits, config.least_units());
    param history_top = history_width.saturating_sub(1);
    param full_code = Word::new(RESOURCE_BITS as usize, HISTORY_FULL);
    param exception_type = Word::new(BRANCH_TYPE_BITS as usize, 1);
}

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
        units = least_units;
        if is_call & !flush {
            units = resized(retire.length >> unit_shift);
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
        sum = resized(code_count.q) + resized(run) + resized(added);
        upper = resized(sum >> count_bits);
        has_upper = upper.any();
        overflows = counts & has_upper;

        // What is sent.
        if when(returns) {
            infers = 0;
            if return_stack.depth && return_stack.top == target_units {
                infers = retire.indirect & !retire.conditional & retire.is_return & !retire.call;
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
                fills = may_change & !jumps;
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
        record.branch_type = 0;
        if excepts | (has_second.q & second_excepts.q) {
            record.branch_type = exception_type;
        }
        record.count = resized(sum);
        record.address = address;
        if sends_indirect {
            record.address = address ^ last_address.q;
        }
        record.code = full_code;
        record.history = collected;

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
        if when(returns) {
            return_stack.return_address = after;
            return_stack.push = may_change & is_call & retire.taken & !retire.is_return;
            return_stack.pop = 0;
            if return_stack.depth {
                return_stack.pop = may_change
                    & (retire.direct | retire.indirect)
                    & retire.is_return
                    & retire.taken
                    & !retire.call;
            }
            // A decoder that replaces the address on top knows more addresses, and never another one.
            return_stack.forget = (may_change & is_call & retire.taken & retire.is_return) | flush;
        }
    }
}
