//! The compressor of one core: blocks in, records out.

use tracewright_elaborate::prelude::*;
use tracewright_sim::traptor::config::Config;

use super::gshare::Gshare;
use super::record_former::RecordFormer;
use super::target_predictor::TargetPredictor;
use crate::parts::ports::{Clear, RetiredBlock, Stream};
use crate::parts::predictor_table::Reading;
use crate::parts::stage::Stage;

packed! {
    /// What is known of a block in single bits, on its way to the record former.
    pub Flags of ();
    valid: 1;
    flush: 1;
    control_flow: 1;
    conditional: 1;
    indirect: 1;
    exception: 1;
    taken: 1;
    call: 1;
    is_return: 1;
    /// The outcome or the target was not predicted.
    missed: 1;
}

block! {
    /// Predictors and record former.
    ///
    /// A record leaves in the cycle of its block, or four cycles later where tables are read through registers:
    /// the tables are read in the first cycle, tags and targets are compared in the second, the way is chosen and the
    /// tables learn in the third, and the record is formed in the fourth and leaves in the fifth. A block is taken
    /// every cycle in both cases.
    pub Encoder("encoder") of (config: &Config, clear_bits: usize) {
        let target_bits = config.processor.instruction_address_bits() as usize;
        let count_bits = config.processor.retire_count_bits as usize;
        let reading = Reading::of(config.memory_style, &config.port);
        let sweeps = config.sweeps_by_instruction_count();
        let record_bits = config.format().bits() as usize;
        let flag_bits = Flags::<View>::new().width();
    }

    in clear: Clear(clear_bits);
    /// every register takes the value that it has after a reset
    in restart_registers: usize::from(config.protocol.restarts_tables());
    /// entries of another epoch read as cleared; while nothing else writes, one is written
    in memory_sweep: if config.protocol.clears_in_background() { clear_bits + 2 } else { 0 };
    /// valid is high only while the compressor is ready
    in retire: RetiredBlock(&config.processor);
    /// make a flush record; only when ready
    in flush: 1;
    /// a block or a flush is taken
    out ready: 1;
    /// no record waits inside
    out is_empty: 1;
    out record: Stream(record_bits);
    /// the entry to clear, where the instruction counter numbers them
    out swept: if sweeps { clear_bits } else { 0 };
    /// make a flush record; only when ready
    block gshare: Gshare(config, clear_bits);
    block target_predictor: TargetPredictor(config, clear_bits);
    block record_former: RecordFormer(config, clear_bits);
    block read_stage: Stage(flag_bits, count_bits, target_bits) if reading;
    block compare_stage: Stage(flag_bits, count_bits, target_bits) if reading;
    block record_stage: Stage(flag_bits, count_bits, target_bits) if reading;
    local flags: Flags();
    /// the block whose entries are read
    view read_flags: Flags();
    /// the block whose way is chosen
    view chosen_flags: Flags();
    local learned_flags: Flags();
    /// the block that is recorded
    view record_flags: Flags();
    /// in instruction units
    local target_units: target_bits;
    local read_count: count_bits;
    local read_target: target_bits;
    local chosen_count: count_bits;
    local chosen_target: target_bits;
    local missed: 1;
    local record_count: count_bits;
    local record_target: target_bits;
    stage formed_valid: 1 if reading;
    stage formed: record_bits = undefined if reading;
    param has_stages = reading;
    param sweeps = sweeps;
    param alignment = config.processor.alignment as usize;
}

#[kernel]
impl Logic for Encoder {
    fn update(&mut self) {
        ready = record.ready;
        target_units = resized(retire.target >> alignment);
        flags = Flags {
            valid: retire.valid,
            flush,
            control_flow: retire.direct | retire.indirect | retire.exception,
            conditional: retire.conditional,
            indirect: retire.indirect,
            exception: retire.exception,
            taken: retire.taken,
            call: retire.call,
            is_return: retire.is_return,
            missed: 0,
        };

        // The tables' addresses.
        join(clear, gshare.clear);
        gshare = Gshare {
            update: retire.valid & retire.conditional,
            program_counter: retire.pc,
            taken: retire.taken,
        };
        join(clear, target_predictor.clear);
        target_predictor = TargetPredictor {
            update_path: retire.valid & (retire.conditional | retire.indirect),
            path_taken: retire.taken,
            program_counter: retire.pc,
            length: retire.length,
        };

        // What they say, and what they learn.
        if when(has_stages) {
            read_stage = Stage { flags, count: retire.count, target: target_units };
            read_flags = read_stage.later_flags;
            read_count = read_stage.later_count;
            read_target = read_stage.later_target;
            compare_stage = Stage { flags: read_flags, count: read_count, target: read_target };
            chosen_flags = compare_stage.later_flags;
            chosen_count = compare_stage.later_count;
            chosen_target = compare_stage.later_target;
        } else {
            read_flags = flags;
            read_count = retire.count;
            read_target = target_units;
            chosen_flags = flags;
            chosen_count = retire.count;
            chosen_target = target_units;
        }
        gshare = Gshare {
            learn: chosen_flags.valid & chosen_flags.conditional,
            outcome: chosen_flags.taken,
        };
        target_predictor = TargetPredictor {
            update: read_flags.valid & read_flags.control_flow & !read_flags.exception,
            indirect: read_flags.indirect,
            call: read_flags.call,
            is_return: read_flags.is_return,
            taken: read_flags.taken,
            target: read_target,
        };
        missed = (chosen_flags.conditional & (gshare.predicted_taken ^ chosen_flags.taken))
            | (chosen_flags.indirect & chosen_flags.taken & target_predictor.missed);
        learned_flags = Flags {
            valid: chosen_flags.valid,
            flush: chosen_flags.flush,
            control_flow: chosen_flags.control_flow,
            conditional: chosen_flags.conditional,
            indirect: chosen_flags.indirect,
            exception: chosen_flags.exception,
            taken: chosen_flags.taken,
            call: chosen_flags.call,
            is_return: chosen_flags.is_return,
            missed,
        };

        // The record.
        if when(has_stages) {
            record_stage =
                Stage { flags: learned_flags, count: chosen_count, target: chosen_target };
            record_flags = record_stage.later_flags;
            record_count = record_stage.later_count;
            record_target = record_stage.later_target;
            is_empty = !(read_flags.valid
                | read_flags.flush
                | chosen_flags.valid
                | chosen_flags.flush
                | record_flags.valid
                | record_flags.flush
                | formed_valid.q);
        } else {
            record_flags = learned_flags;
            record_count = chosen_count;
            record_target = chosen_target;
            is_empty = 1;
        }
        if when(sweeps) {
            record_former.clearing = clear.valid;
            swept = record_former.swept;
        }
        record_former = RecordFormer {
            retire: record_flags.valid,
            count: record_count,
            control_flow: record_flags.control_flow,
            counted: record_flags.conditional | record_flags.indirect,
            conditional: record_flags.conditional,
            indirect: record_flags.indirect,
            exception: record_flags.exception,
            taken: record_flags.taken,
            target: record_target,
            missed: record_flags.missed,
            flush: record_flags.flush,
        };
        formed_valid.d = record_former.record_valid;
        formed.d = record_former.record;
        record = Stream { valid: formed_valid.q, word: formed.q };
    }
}
