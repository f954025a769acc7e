//! Faults in the RVFI adapter, which is shown a core of its own and not a trace module's blocks.

use tracewright_hdl::Generated;
use tracewright_sim::ingress::Queue;
use tracewright_sim::rvfi::{Config, Xlen};
use tracewright_sim::scheme::Design;
use tracewright_testbench::{BuildOptions, Cache, design::source};

use super::subject::{Fault, fault};
use crate::rvfi_core::{Show, run, run_losses};

/// Puts every fault into the adapters of traptor-m4 for compressed code, with one channel, with three, and in front of a module
/// that loses blocks.
pub fn find_every_fault() {
    find(Config::new(Xlen::Rv32, 1), FAULTS, 25);
    find(Config::new(Xlen::Rv32, 3), FAULTS_OF_CHANNELS, 15);
    find_losses();
}

fn find_losses() {
    let mut design = Design::preset("traptor-m4").unwrap();
    let loses = [("framing", "packets"), ("when_full", "drop"), ("loss_pins", "true")];
    for (name, value) in [("alignment", "1")].into_iter().chain(loses) {
        design.set(name, value).unwrap();
    }
    let config = Config { xlen: Xlen::Rv32, queue: Queue { lanes: 3, depth: 12, slack: 0 } };
    let generated = tracewright_hdl::generate_rvfi_adapter(&design, &config).unwrap();
    let show = Show { seed: 1, clocks: 20_000, bubbles: 0, stalls: 0, diversions: 500, flushes: 0 };
    let shows = [
        show,
        Show { seed: 2, bubbles: 40, diversions: 900, flushes: 10, ..show },
        Show { seed: 3, bubbles: 20, diversions: 100, flushes: 10, ..show },
    ];
    let check = |generated: &Generated, cache: &Cache| {
        let options = BuildOptions { cache: Some(cache.clone()), ..BuildOptions::default() };
        let library = source(generated).build(&options).unwrap();
        shows.iter().find_map(|show| run_losses(&library, &design, &config, *show).err())
    };
    super::find_each("the RVFI adapter with losses", &generated, FAULTS_WITH_LOSSES, 15, check);
}

fn find(config: Config, faults: &[Fault], at_least: usize) {
    let mut design = Design::preset("traptor-m4").unwrap();
    design.set("alignment", "1").unwrap();
    let generated = tracewright_hdl::generate_rvfi_adapter(&design, &config).unwrap();
    let show = Show { seed: 1, clocks: 20_000, bubbles: 0, stalls: 0, diversions: 0, flushes: 0 };
    let shows = [
        show,
        Show { seed: 2, bubbles: 30, stalls: 40, diversions: 50, flushes: 10, ..show },
        Show { seed: 3, bubbles: 5, stalls: 80, diversions: 10, flushes: 10, ..show },
        Show { seed: 4, bubbles: 60, stalls: 50, diversions: 20, flushes: 100, ..show },
    ];
    let check = |generated: &Generated, cache: &Cache| {
        let options = BuildOptions { cache: Some(cache.clone()), ..BuildOptions::default() };
        let library = source(generated).build(&options).unwrap();
        shows.iter().find_map(|show| run(&library, &design, &config, *show).err())
    };
    super::find_each("the RVFI adapter", &generated, faults, at_least, check);
}

const TOP: &str = ".v";
const CLASSIFIER: &str = "_classifier";
const INSTRUCTION: &str = "_instruction";
const RUNS: &str = "_runs";
const QUEUE: &str = "_lane_queue";
const SHEDDER: &str = "_shedder";

const FAULTS: &[Fault] = &[
    fault("jal is not known", CLASSIFIER, "OPCODE_JAL = 5'd27", "OPCODE_JAL = 5'd26"),
    fault("any system instruction is a return", CLASSIFIER, " && (insn[19:7] == 13'd0)", ""),
    fault("mret is not known", CLASSIFIER, "12'd770", "12'd771"),
    fault(
        "c.jal is an addition",
        CLASSIFIER,
        "compressed_function == C_JAL",
        "compressed_function == 3'd2",
    ),
    fault("c.mv is a jump", CLASSIFIER, " && (insn[6:2] == 5'd0)", ""),
    fault("c.ebreak is a jump", CLASSIFIER, " && (|insn[11:7])", ""),
    fault("x5 is no link register", CLASSIFIER, " | (destination == 5'd5)", ""),
    fault(
        "jalr x1, x1 is a return",
        CLASSIFIER,
        "(source != destination) & goes_back",
        "goes_back",
    ),
    fault("c.jalr leaves no return address", CLASSIFIER, "{4'd0, insn[12]}", "5'd0"),
    fault(
        "a jump that traps is taken",
        INSTRUCTION,
        "trap ? EXCEPTION : classifier_branch_kind",
        "classifier_branch_kind",
    ),
    fault("branches are always taken", INSTRUCTION, " & (next != fall_through)", ""),
    fault("rvfi_intr is not looked at", INSTRUCTION, "(intr & !after_trap) | !expects", "!expects"),
    fault("nothing is before the first", INSTRUCTION, "(intr & !after_trap) | !expects", "intr"),
    fault("a trap at a flush has two handlers", INSTRUCTION, "intr & !after_trap", "intr"),
    fault("a trap falls through", INSTRUCTION, "(taken | trap) ? next", "taken ? next"),
    fault(
        "a trap is counted",
        TOP,
        "is_trap ? instructions : instructions + 4'd1",
        "instructions + 4'd1",
    ),
    fault(
        "a trap after a diversion is counted",
        TOP,
        "instructions <= {3'd0, !is_trap}",
        "instructions <= 4'd1",
    ),
    fault("a trap has two handlers", TOP, "oldest_interrupt & returned", "oldest_interrupt"),
    fault("a trap is shown as it comes", TOP, "oldest_trap_return | is_trap", "oldest_trap_return"),
    fault("a flush overtakes a trap", TOP, "(|instructions) | trapped", "(|instructions)"),
    fault("a trap is after itself", TOP, "if (!is_trap) begin", "if (1'b1) begin"),
    fault("a trap is a jump", TOP, "if (returned) begin", "if (1'b1) begin"),
    fault("a trap is not shown", TOP, "trapped <= is_trap", "trapped <= 1'b0"),
    fault("a trap is shown twice", TOP, "                    trapped <= 1'b0;", ""),
    fault("only rvfi_intr diverts", INSTRUCTION, "program_counter != expected", "1'b0"),
    fault("stall comes late", QUEUE, "level >= 4'd4", "level >= 4'd6"),
    fault("a flush does not stop the core", QUEUE, "(level >= 4'd4) | flush", "(level >= 4'd4)"),
    fault("no block at the flush", TOP, "(queue_ends | ends) & (|instructions);", "1'b0;"),
    fault("a piece is one too long", TOP, "total > 4'd14", "total > 4'd15"),
    fault(
        "a diversion takes the jump after it",
        TOP,
        "(follows && out_diverted) ? passes",
        "(follows && out_diverted) ? 1'b1",
    ),
    fault("a stalled block is taken", TOP, "(shows && retire_stall) ? 1'b0", "1'b0 ? 1'b0"),
    fault(
        "a diversion is at the handler",
        TOP,
        "out_diverted) ? last_program_counter",
        "1'b0) ? last_program_counter",
    ),
    fault("one diversion hides the next", TOP, "                diversion_shown <= 1'b0;", ""),
    fault(
        "the handler's first is not counted",
        TOP,
        "instructions <= {3'd0, !is_trap}",
        "instructions <= 4'd0",
    ),
    fault(
        "a block does not end the count",
        TOP,
        "instructions <= 4'd0;\n                end",
        "end",
    ),
    fault("a flush overtakes what is counted", QUEUE, " & !holds", ""),
    fault("a flush overtakes the instruction at the pins", QUEUE, "flush & !arrives", "flush"),
    fault("a flush does not last", QUEUE, " | drained_once", ""),
    fault(
        "a return from a trap goes where the core says",
        TOP,
        "if (follows > is_interrupted) begin\n                shown_target",
        "if (1'b0) begin\n                shown_target",
    ),
    fault(
        "a return from a trap goes to the next handler",
        TOP,
        "if (follows > is_interrupted) begin\n                shown_target",
        "if (follows) begin\n                shown_target",
    ),
    fault("a handler after a return is none", TOP, "follows & !is_interrupted", "follows"),
    fault("a return waits at a flush", TOP, "follows | queue_ends | ends;", "follows;"),
    fault("what a flush has shown changes", TOP, "queue_is_there & !ends", "queue_is_there"),
    fault("a piece at a flush calls", TOP, "oldest_call & describes", "oldest_call"),
    fault("a return is shown as it comes", TOP, "oldest_trap_return | is_trap", "is_trap"),
    fault(
        "a return that traps returns",
        INSTRUCTION,
        "classifier_trap_return & !trap",
        "classifier_trap_return",
    ),
];

const FAULTS_OF_CHANNELS: &[Fault] = &[
    fault(
        "a diverted instruction is counted with the one before",
        RUNS,
        "instruction_1_waiting_diverted | after_return_now",
        "after_return_now",
    ),
    fault(
        "the instruction after a return is counted with the next one",
        RUNS,
        "instruction_1_waiting_diverted | after_return_now;",
        "instruction_1_waiting_diverted;",
    ),
    fault(
        "a return is forgotten with its cycle",
        RUNS,
        "after_return <= after_return_now",
        "after_return <= 1'b0",
    ),
    fault("what is counted waits, too", RUNS, "puts_now & ~before_now", "puts_now"),
    fault(
        "two instructions are one",
        RUNS,
        "run_1_count = counted_now + 2'd1",
        "run_1_count = 2'd1",
    ),
    fault(
        "a jump is only counted",
        RUNS,
        "is_plain_1 = (instruction_1_waiting_branch_kind == SEQUENTIAL) & ",
        "is_plain_1 = ",
    ),
    fault(
        "a channel does not know the one before",
        RUNS,
        "expected_now = instruction_0_after",
        "expected_now = expected",
    ),
    fault(
        "a trap is counted with the one before it",
        RUNS,
        "is_alone_1 = 1'b1",
        "is_alone_1 = 1'b0",
    ),
    fault(
        "the instruction after a trap is counted with the next one",
        RUNS,
        "instruction_0_waiting_trap_return | is_trap_0",
        "instruction_0_waiting_trap_return",
    ),
    fault("a trap is counted", RUNS, "run_1_count = 2'd0", "run_1_count = 2'd1"),
    fault("a merged trap is counted as a block", TOP, "(!merges || second_is_trap)", "!merges"),
    fault("a merged trap is not shown", TOP, "trapped <= 1'b1", "trapped <= 1'b0"),
    fault(
        "a merged trap goes where the one before it does",
        TOP,
        "return_target <= second_target",
        "return_target <= last_target",
    ),
    fault("a diversion is merged", TOP, " & !second_diverted", ""),
    fault("a word is merged after a return", TOP, " & !pends & !is_single", " & !is_single"),
    fault("a stalled block grows", TOP, " & !is_single", ""),
    fault("a jump is merged with what follows it", TOP, "(is_sequential & follows", "(follows"),
    fault("a merged word is not counted", TOP, " + {2'd0, second_run_count}", ""),
    fault("a merged word stays", TOP, "merges ? 2'd3", "merges ? 2'd1"),
    fault("counts overflow", TOP, "total > 4'd9", "total > 4'd13"),
    fault("the last lane is lost", QUEUE, "(arrives[2] && place_2[0]) ? word_2", "1'b0 ? word_2"),
    fault("the banks take no turns", QUEUE, "write_bank <= bank", "write_bank <= 3'd1"),
    fault("a bank is not counted", QUEUE, "sum + {1'b0, banks_2_level}", "sum"),
    fault("stall comes late", QUEUE, "level >= 5'd10", "level >= 5'd14"),
    fault("the second word is the oldest", QUEUE, "from_1 = next_from", "from_1 = from_0"),
];

const FAULTS_WITH_LOSSES: &[Fault] = &[
    fault("nothing is lost", SHEDDER, "loses = is_shedding | (level >= 4'd7)", "loses = 1'b0"),
    fault("words are lost late", SHEDDER, "level >= 4'd7", "level >= 4'd9"),
    fault("words are lost early", SHEDDER, "level >= 4'd7", "level >= 4'd4"),
    fault(
        "what was counted is not lost",
        TOP,
        "lost_sum = {2'd0, instructions}",
        "lost_sum = 6'd0",
    ),
    fault(
        "the second word is not counted",
        TOP,
        "lost_count_1 = lost_sum + word_instructions_1",
        "lost_count_1 = lost_sum",
    ),
    fault(
        "a word has one instruction",
        TOP,
        "word_instructions_1 = second_run[5:0] & COUNT_MASK",
        "word_instructions_1 = 6'd1",
    ),
    fault("a loss takes two words", TOP, "retire_lost ? 3'd7", "retire_lost ? 3'd3"),
    fault("a loss ends in its second word", TOP, "last = leaving_2", "last = leaving_1"),
    fault("a lost jump is not taken", TOP, "retire_lost ? last_taken", "retire_lost ? 1'b0"),
    fault(
        "a lost jump is sequential",
        TOP,
        "retire_kind = last_branch_kind;\n        end\n    end",
        "end\n    end",
    ),
    fault(
        "a loss goes on where it begins",
        TOP,
        "shown_target = last_target;\n        end\n    end",
        "shown_target = oldest_program_counter;\n        end\n    end",
    ),
    fault(
        "a diversion after a loss is not shown",
        TOP,
        "if (retire_lost) begin\n                diversion_shown <= 1'b0;",
        "if (retire_lost) begin",
    ),
    fault(
        "a diversion after a loss is before it",
        TOP,
        "last_program_counter <= lost_program_counter;",
        "",
    ),
    fault("a loss is at what trapped", TOP, "(leaving_2_branch_kind != EXCEPTION)", "1'b1"),
    fault("a flush comes at once", SHEDDER, "flush & (cycles == 5'd24)", "flush"),
    fault("a flush never comes", SHEDDER, "flush & (cycles == 5'd24)", "1'b0"),
    fault(
        "a flush does not wait for what is counted",
        TOP,
        "shedder_drained & has_ended",
        "shedder_drained",
    ),
    fault("a flush leaves what is counted", TOP, "(queue_ends | ends) & (|instructions)", "1'b0"),
];
