//! Faults in the RVFI adapter, which is shown a core of its own and not a trace module's blocks.

use tracewright_hdl::Generated;
use tracewright_sim::rvfi::{Config, Xlen};
use tracewright_sim::scheme::Design;
use tracewright_testbench::{BuildOptions, Cache, design::source};

use super::subject::{Fault, fault};
use crate::rvfi_core::{Show, run};

/// Puts every fault into the adapter of traptor-m4 for compressed code.
pub fn find_every_fault() {
    let mut design = Design::preset("traptor-m4").unwrap();
    design.set("alignment", "1").unwrap();
    let config = Config::new(Xlen::Rv32);
    let generated = tracewright_hdl::generate_rvfi_adapter(&design, &config).unwrap();
    let show = Show { seed: 1, clocks: 20_000, bubbles: 0, stalls: 0, diversions: 0, flushes: 0 };
    let shows = [
        show,
        Show { seed: 2, bubbles: 30, stalls: 40, diversions: 50, flushes: 10, ..show },
        Show { seed: 3, bubbles: 5, stalls: 80, diversions: 10, flushes: 10, ..show },
    ];
    let check = |generated: &Generated, cache: &Cache| {
        let options = BuildOptions { cache: Some(cache.clone()), ..BuildOptions::default() };
        let library = source(generated).build(&options).unwrap();
        shows.iter().find_map(|show| run(&library, &design, &config, *show).err())
    };
    super::find_each("the RVFI adapter", &generated, FAULTS, 25, check);
}

const TOP: &str = ".v";
const CLASSIFIER: &str = "_classifier";

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
        TOP,
        "rvfi_trap ? SEQUENTIAL : classifier_branch_kind",
        "classifier_branch_kind",
    ),
    fault("branches are always taken", TOP, " & (next != fall_through)", ""),
    fault("rvfi_intr is not looked at", TOP, "rvfi_intr | !expects", "!expects"),
    fault("nothing follows a trap", TOP, "rvfi_intr | !expects", "rvfi_intr"),
    fault("only rvfi_intr diverts", TOP, "program_counter != expected", "1'b0"),
    fault("stall comes late", TOP, "queue_level >= 4'd4", "queue_level >= 4'd6"),
    fault(
        "a flush does not stop the core",
        TOP,
        "(queue_level >= 4'd4) | flush",
        "(queue_level >= 4'd4)",
    ),
    fault("no block at the flush", TOP, "flush & (|instructions);", "1'b0;"),
    fault("a piece is one too long", TOP, "instructions == 4'd14", "instructions == 4'd15"),
    fault(
        "a diversion takes the jump behind it",
        TOP,
        "(queue_out_valid && out_diverted) ? is_sequential",
        "(queue_out_valid && out_diverted) ? 1'b1",
    ),
    fault("a stalled block is taken", TOP, "(shows && retire_stall) ? 1'b0", "1'b0 ? 1'b0"),
    fault(
        "a diversion is at the handler",
        TOP,
        "out_diverted) ? last_program_counter",
        "out_diverted) ? oldest_program_counter",
    ),
    fault("one diversion hides the next", TOP, "                diversion_shown <= 1'b0;", ""),
    fault(
        "the handler's first is not counted",
        TOP,
        "instructions <= 4'd1",
        "instructions <= 4'd0",
    ),
    fault(
        "a block does not end the count",
        TOP,
        "instructions <= 4'd0;\n                end",
        "end",
    ),
    fault(
        "a flush overtakes what is counted",
        TOP,
        " & !(|instructions) & !rvfi_valid",
        " & !rvfi_valid",
    ),
    fault(
        "a flush overtakes the instruction at the pins",
        TOP,
        "!(|instructions) & !rvfi_valid",
        "!(|instructions)",
    ),
    fault("a flush does not last", TOP, " | drained_once", ""),
    fault(
        "a return from a trap goes where the core says",
        TOP,
        "if (queue_out_valid > oldest_interrupt) begin\n                shown_target",
        "if (1'b0) begin\n                shown_target",
    ),
    fault(
        "a return from a trap goes to the next handler",
        TOP,
        "if (queue_out_valid > oldest_interrupt) begin\n                shown_target",
        "if (queue_out_valid) begin\n                shown_target",
    ),
    fault(
        "a handler behind a return is none",
        TOP,
        "queue_out_valid & !oldest_interrupt",
        "queue_out_valid",
    ),
    fault(
        "a return waits at a flush",
        TOP,
        "queue_out_valid | (flush & !rvfi_valid)",
        "queue_out_valid",
    ),
    fault("a return does not wait at a flush", TOP, "(flush & !rvfi_valid)", "flush"),
    fault("a return is shown as it comes", TOP, "!oldest_trap_return & ", ""),
    fault(
        "a return that traps returns",
        TOP,
        "classifier_trap_return & !rvfi_trap",
        "classifier_trap_return",
    ),
];
