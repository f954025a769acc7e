//! Faults in T-raptor and in the back end: what a tired engineer might write.
//!
//! Those that only show where tables are read through registers are in `traptor_registers.rs`.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::event::{Event, Isa, Kind, Machine};
use tracewright_sim::scheme::Design;
use tracewright_sim::synthetic::{Options, Synthetic};

use super::subject::{Fault, Subject, fault};
use crate::straight_runs;

/// The processor of every subject here.
pub const MACHINE: Machine = Machine { isa: Isa::RiscV, alignment: 1, address_bits: 32 };

/// traptor-m4 with a buffer so small that it fills up.
pub fn subject() -> Subject {
    changed(&[], FAULTS)
}

/// traptor-m4 with `changes` and counters so small that they overflow.
pub fn changed(changes: &[(&str, &str)], faults: &'static [Fault]) -> Subject {
    let mut design = Design::preset("traptor-m4").unwrap().for_machine(MACHINE).unwrap();
    let small = [
        ("branch_count_bits", "5"),
        ("instruction_count_bits", "9"),
        ("retire_count_bits", "8"),
        ("outcome_bit_for_jumps", "true"),
    ];
    for (name, value) in small.iter().chain(changes) {
        design.set(name, value).unwrap();
    }
    let mut programs = [events(11), events(12)];
    programs[0].extend(targets(13));
    programs[1].extend(straight_runs::straight_runs(530));
    Subject { design, programs, faults }
}

/// Exceptions, whose targets are always sent, at every distance from the last. They are of no program.
fn targets(seed: u64) -> Vec<Event> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut target = 0u32;
    let mut next = || {
        let bits = random.random_range(1..32);
        let distance = if random.random_range(0..4) == 0 {
            1 << bits
        } else {
            random.random::<u32>() >> (32 - bits)
        };
        let moved = if random.random() {
            target.wrapping_add(distance)
        } else {
            target.wrapping_sub(distance)
        };
        target = moved & !1;
        Event {
            instructions: 1,
            program_counter: 0x8000,
            target: target.into(),
            kind: Kind::Exception,
            call: false,
            is_return: false,
            taken: true,
            length: 4,
            thread: 0,
        }
    };
    (0..4_000).map(|_| next()).collect()
}

/// A synthetic program with exceptions and predicated branches.
pub fn events(seed: u64) -> Vec<Event> {
    let options = Options {
        machine: MACHINE,
        events: 12_000,
        functions: 24,
        predicated: true,
        exceptions: true,
        branch_every_instruction: false,
        predictability: 92,
        code_base: 0x000f_0000,
        code_span: 1 << 21,
        ..Options::from_seed(seed)
    };
    Synthetic::new(options).unwrap().collect()
}

const DIFFERENCE: &str = "_serial_difference";

/// Every fault, by module.
const FAULTS: &[Fault] = &[
    fault(
        "gshare's index without history",
        "_gshare",
        "program_counter[12:4] ^ history",
        "program_counter[12:4]",
    ),
    fault(
        "gshare's index shifted by one",
        "_gshare",
        "program_counter[12:4]",
        "program_counter[13:5]",
    ),
    fault(
        "the wrong bit of a counter predicts",
        "_gshare",
        "= counters_entry[1]",
        "= counters_entry[0]",
    ),
    fault("a counter steps by two", "_gshare", "counters_entry + 2'd1", "counters_entry + 2'd2"),
    fault("a counter is cleared to 0", "_gshare", ".clear_entry (2'd1)", ".clear_entry (2'd0)"),
    fault(
        "the counters are not cleared",
        "_table_memory_entries512",
        "writes = write | clear_valid",
        "writes = write",
    ),
    fault("the history takes the inverse outcome", "_gshare", "], taken}", "], !taken}"),
    fault("the history is not reset", "_gshare", "history <= 9'd0", "history <= history"),
    fault("the stack grows by two", "_return_address_stack", "pointer + 3'd1", "pointer + 3'd2"),
    fault(
        "a push writes where the pointer was",
        "_return_address_stack",
        "clear_index[2:0] : pointer_next",
        "clear_index[2:0] : pointer",
    ),
    fault("a pop does not move the pointer", "_return_address_stack", "pointer - 3'd1", "pointer"),
    fault(
        "the other way becomes the oldest",
        "_recency",
        "order_next = used[0] |",
        "order_next = !used[0] &",
    ),
    fault(
        "the set misses a path bit",
        "_indirect_branch_target_buffer",
        "program_counter[8:4]",
        "program_counter[9:5]",
    ),
    fault(
        "the tag ignores the path",
        "_indirect_branch_target_buffer",
        "path_history[7:0] ^ program",
        "program",
    ),
    fault(
        "the path shifts by one",
        "_indirect_branch_target_buffer",
        "{path_history[10:0], 2'd0}",
        "{path_history[11:0], 1'b0}",
    ),
    fault(
        "the wrong way is written",
        "_indirect_branch_target_buffer",
        "ways_0_learn = used[0]",
        "ways_0_learn = used[1]",
    ),
    fault(
        "a target loses its lowest bit",
        "_way",
        "{learned_tag, learned_target}",
        "{learned_tag, learned_target[18:1], 1'd0}",
    ),
    fault(
        "upper bits follow every cycle but updates",
        "_last_value_predictor",
        "if (update)",
        "if (!update)",
    ),
    fault(
        "a part of a target is not compared",
        "_way",
        "entries_entry[18:0] != target",
        "entries_entry[18:8] != target[18:8]",
    ),
    fault("returns train the target buffer", "_target_predictor", "taken & !is_return", "taken"),
    fault("calls not taken push", "_target_predictor", "call & taken", "call"),
    fault("returns not taken pop", "_target_predictor", "is_return & taken", "is_return"),
    fault(
        "a predicted outcome counts as missed",
        "_encoder",
        "predicted_taken ^ retire_taken",
        "predicted_taken & retire_taken",
    ),
    fault(
        "the branch limit comes one late",
        "_record_former",
        "branch_count == 5'd30",
        "branch_count == 5'd31",
    ),
    fault(
        "an overflow beside another record",
        "_record_former",
        "control_flow & !clears",
        "control_flow",
    ),
    fault(
        "no overflow before a record",
        "_record_former",
        "overflow_first = above_range",
        "overflow_first = 1'b0",
    ),
    fault(
        "a sequential overflow is not sent",
        "_record_former",
        "(above_range & !control_flow)",
        "1'b0",
    ),
    fault(
        "the branch itself counts as crossing",
        "_record_former",
        "leaves_more = |total[7:0]",
        "leaves_more = 1'b1",
    ),
    fault("no overflow at control flow", "_record_former", "(halves & upper_half) | ", ""),
    fault("a target with a branch not taken", "_record_former", "indirect & taken)", "indirect)"),
    fault(
        "an exception does not clear the counts",
        "_record_former",
        "(retire & exception) | flush",
        "flush",
    ),
    fault(
        "a full word waits for one bit more",
        "_bit_packer",
        "joined_bits >= 5'd8",
        "joined_bits > 5'd8",
    ),
    fault("bits after a full word are lost", "_bit_packer", "held <= joined[15:8]", "held <= 8'd0"),
    fault(
        "bits after a full word are not counted",
        "_bit_packer",
        "joined_bits[3:0] - 4'd8",
        "4'd0",
    ),
    fault(
        "a piece is taken while the buffer is full",
        "_bit_packer",
        "(word_ready & !padding)",
        "!padding",
    ),
    fault(
        "the word to fill up is forgotten while the buffer is full",
        "_bit_packer",
        "(|held_bits) & !gives",
        "1'b0",
    ),
    fault(
        "the last word is not filled up",
        "_bit_packer",
        "padding <= piece_last",
        "padding <= 1'b0",
    ),
    fault("the buffer takes one word too many", "_fifo_depth10", "held == 4'd10", "held == 4'd11"),
    fault(
        "the buffer wraps one early",
        "_fifo_depth10",
        "read_pointer == 4'd9",
        "read_pointer == 4'd8",
    ),
    fault(
        "the record queue takes one too many",
        "_fifo_depth2",
        "is_full = (write_pointer == read_pointer) & is_filled",
        "is_full = 1'b0",
    ),
    fault(
        "two bits of a word are swapped",
        "_trace_port",
        "trace_data = word[2]",
        "trace_data = word[3]",
    ),
    fault(
        "padding after the first piece of a flush",
        "_serial_encoder",
        "record[0] & is_last & !more",
        "record[0] & !more",
    ),
    fault("a stage is sent for ever", "_serial_encoder", "stages & ~sent", "stages"),
    fault("the target goes too early", "_serial_encoder", "if (current[3])", "if (current[2])"),
    fault(
        "a piece of a target counts that is not taken",
        "_serial_encoder",
        "record_valid & piece_ready",
        "record_valid",
    ),
    fault(
        "the second pass goes on where the first ends",
        "_serial_encoder",
        "if (restart)",
        "if (1'b0)",
    ),
    fault("a borrow is lost", DIFFERENCE, "borrow <= !sum[7]", "borrow <= 1'b0"),
    fault(
        "a difference one too small",
        DIFFERENCE,
        "below ? ~sum[6:0]",
        "below ? ~sum[6:0] - 7'd1",
    ),
    fault("the sign is that of a lower bit", DIFFERENCE, "<= difference[6]", "<= difference[5]"),
    fault("the second pass takes no borrow below", DIFFERENCE, "borrow <= below", "borrow <= 1'b0"),
    fault(
        "the last chunk of the first pass does not count",
        DIFFERENCE,
        "!sending & at_end",
        "!sending & at_last",
    ),
    fault("no sign is sent", DIFFERENCE, "goes_on || below", "goes_on"),
    fault("chunk 0 has bits of chunk 1", DIFFERENCE, "digit_bits = 7'd7", "digit_bits = 7'd127"),
    fault(
        "below, chunks that are full count always",
        DIFFERENCE,
        "!(nonzero & digit_is_full)",
        "1'b1",
    ),
    fault(
        "below, chunks that are zero count never",
        DIFFERENCE,
        "else if (nonzero)",
        "else if (1'b0)",
    ),
    fault(
        "below, chunks are those of a target above",
        DIFFERENCE,
        "below ? last_down : last_up",
        "last_up",
    ),
    fault("the last target is kept in the first pass", DIFFERENCE, "= sending & step", "= step"),
    fault("the last target is not kept", DIFFERENCE, "= sending & step", "= 1'b0"),
    fault(
        "the target before the first is what memory says",
        DIFFERENCE,
        "has_previous ? previous_read_data : 7'd0",
        "previous_read_data",
    ),
    fault("every target is the first", DIFFERENCE, "has_previous <= 1'b1", "has_previous <= 1'b0"),
    fault("a carry above the last chunk is not kept", DIFFERENCE, "!is_sent & is_even", "!is_sent"),
    fault(
        "the next target begins with this one's borrow",
        DIFFERENCE,
        "borrow <= 1'b0;\n                    below",
        "below",
    ),
    fault(
        "the next target knows of this one's chunks",
        DIFFERENCE,
        "nonzero <= 1'b0;\n                    last_up",
        "last_up",
    ),
    fault(
        "the next target has as many chunks as this one",
        DIFFERENCE,
        "last_up <= 3'd0;\n                    last_down",
        "last_down",
    ),
    fault(
        "a chunk takes the wrong bits",
        "_chunk_selector_first3",
        "chunk_1 = value[4:3]",
        "chunk_1 = value[3:2]",
    ),
    fault(
        "a continuation bit looks one chunk too far",
        "_chunk_selector_first2",
        "|value[8:4]",
        "|value[8:6]",
    ),
    fault(
        "no stall when the record queue is full",
        ".v",
        "stall = !(sequencer_tracing & encoder_ready)",
        "stall = !sequencer_tracing",
    ),
    fault(
        "predictors learn from held blocks",
        ".v",
        "retire_decoder_take = !stall",
        "retire_decoder_take = 1'b1",
    ),
    fault(
        "exceptions train the predictors",
        "_encoder",
        "flags_control_flow & !retire_exception",
        "flags_control_flow",
    ),
    fault(
        "indirect branches are not conditional",
        "_retire_decoder",
        "(retire_kind == DIRECT_CONDITIONAL) | (retire_kind == INDIRECT_CONDITIONAL)",
        "retire_kind == DIRECT_CONDITIONAL",
    ),
];
