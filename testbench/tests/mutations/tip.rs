//! Faults in the adapter for the trace ingress port, which is shown a hart of its own and not a trace module's blocks.

use tracewright_hdl::Generated;
use tracewright_sim::ingress::Queue;
use tracewright_sim::scheme::Design;
use tracewright_sim::tip::{Config, Retirement};
use tracewright_testbench::{BuildOptions, Cache, design::source};

use super::texts::{Fault, fault, find_each};
use crate::tip_hart::{Show, run, run_losses};

/// Puts every fault into the adapters of two designs: for single instructions with the state of the hart, one or two in
/// a cycle, and for blocks with an `itype` of 3 bits; and into one in front of a module that loses blocks.
pub fn find_every_fault() {
    let state = [
        ("framing", "packets"),
        ("context_bits", "8"),
        ("privilege_bits", "2"),
        ("cause_bits", "6"),
    ];
    find("traptor-m4", &state, Config::default(), FAULTS, 25);
    let block = Config { itype_bits: 3, retirement: Retirement::Block, ..Config::default() };
    find("nexs", &[], block, BLOCK_FAULTS, 6);
    let lanes = Config { queue: Queue::new(2), ..Config::default() };
    find("traptor-m4", &state, lanes, LANE_FAULTS, 10);
    find_losses();
}

fn find_losses() {
    let mut design = Design::preset("traptor-m4").unwrap();
    let loses = [("framing", "packets"), ("when_full", "drop"), ("loss_pins", "true")];
    for (name, value) in [("alignment", "1"), ("cause_bits", "5")].into_iter().chain(loses) {
        design.set(name, value).unwrap();
    }
    let queue = Queue { lanes: 3, depth: 12, slack: 0 };
    let config = Config { retirement: Retirement::Block, queue, ..Config::default() };
    let generated = tracewright_hdl::generate_tip_adapter(&design, &config).unwrap();
    let show = Show { seed: 1, clocks: 20_000, bubbles: 0, stalls: 0, diversions: 500, flushes: 0 };
    let shows = [
        show,
        Show { seed: 2, bubbles: 40, diversions: 900, flushes: 10, ..show },
        Show { seed: 3, bubbles: 60, diversions: 100, flushes: 20, ..show },
    ];
    let check = |generated: &Generated, cache: &Cache| {
        let options = BuildOptions { cache: Some(cache.clone()), ..BuildOptions::default() };
        let library = source(generated).build(&options).unwrap();
        shows.iter().find_map(|show| run_losses(&library, &design, &config, *show).err())
    };
    find_each("the TIP adapter with losses", &generated, FAULTS_WITH_LOSSES, 15, check);
}

fn find(preset: &str, changes: &[(&str, &str)], config: Config, faults: &[Fault], at_least: usize) {
    let mut design = Design::preset(preset).unwrap();
    design.set("alignment", "1").unwrap();
    for (name, value) in changes {
        design.set(name, value).unwrap();
    }
    let generated = tracewright_hdl::generate_tip_adapter(&design, &config).unwrap();
    let show = Show { seed: 1, clocks: 20_000, bubbles: 0, stalls: 0, diversions: 0, flushes: 0 };
    let shows = [
        show,
        Show { seed: 2, bubbles: 30, stalls: 40, diversions: 50, flushes: 10, ..show },
        Show { seed: 3, bubbles: 5, stalls: 80, diversions: 10, flushes: 10, ..show },
        Show { seed: 4, bubbles: 60, diversions: 700, flushes: 10, ..show },
        Show { seed: 5, bubbles: 60, stalls: 50, diversions: 20, flushes: 100, ..show },
    ];
    let check = |generated: &Generated, cache: &Cache| {
        let options = BuildOptions { cache: Some(cache.clone()), ..BuildOptions::default() };
        let library = source(generated).build(&options).unwrap();
        shows.iter().find_map(|show| run(&library, &design, &config, *show).err())
    };
    find_each("the TIP adapter", &generated, faults, at_least, check);
}

const TOP: &str = ".v";
const TERMINATION: &str = "_termination";
const QUEUE: &str = "_lane_queue";
const SHEDDER: &str = "_shedder";
const LOST_RUN: &str = "_lost_run";

const FAULTS: &[Fault] = &[
    fault("an interrupt does not trap", TERMINATION, " | (itype == INTERRUPT)", ""),
    fault("a return from a trap is none", TERMINATION, "TRAP_RETURN = 4'd3", "TRAP_RETURN = 4'd7"),
    fault("a taken branch is none", TERMINATION, "NOT_TAKEN, TAKEN_BRANCH:", "NOT_TAKEN:"),
    fault("every jump is inferable", TERMINATION, "itype[0] && ", ""),
    fault("a return is inferable", TERMINATION, " && (itype != BACK)", ""),
    fault("an uninferable call is none", TERMINATION, "(itype == UNINFERABLE_CALL) | ", ""),
    fault("an inferable call is none", TERMINATION, "(itype == INFERABLE_CALL) | ", ""),
    fault("a swap calls nothing", TERMINATION, " | (itype == SWAP);", ";"),
    fault("a swap does not return", TERMINATION, "is_return = (itype == SWAP) | ", "is_return = "),
    fault("every branch is taken", TERMINATION, "(itype != NOT_TAKEN) & ", ""),
    fault(
        "an exception of no instructions is not seen",
        TOP,
        "tip_iretire | (tip_itype == EXCEPTION)",
        "tip_iretire",
    ),
    fault(
        "an interrupt of no instructions is not seen",
        TOP,
        "(tip_itype == EXCEPTION) | (tip_itype == INTERRUPT)",
        "(tip_itype == EXCEPTION)",
    ),
    fault("stall comes late", QUEUE, "level >= 4'd4", "level >= 4'd6"),
    fault("a flush does not stop the hart", QUEUE, "(level >= 4'd4) | flush", "(level >= 4'd4)"),
    fault(
        "the address of an interrupt of no instructions is read",
        TOP,
        "has_address = retires | (oldest_itype == EXCEPTION)",
        "has_address = 1'b1",
    ),
    fault(
        "the address of an exception of no instructions is not read",
        TOP,
        "has_address = retires | (oldest_itype == EXCEPTION)",
        "has_address = retires",
    ),
    fault("two bytes are four", TOP, "oldest_last_size ? 3'd4 : 3'd2", "3'd4"),
    fault("no flow is changed by surprise", TOP, "oldest_address != held_fall_through", "1'b0"),
    fault("a taken block is diverted, too", TOP, "held_goes_on & has_address", "has_address"),
    fault("a stalled block is lost", TOP, "(shows && retire_stall) ? 1'b0", "1'b0 ? 1'b0"),
    fault("an exception hides the branch before it", TOP, "!diverted & follows", "follows"),
    fault("an exception is none", TOP, "(!held_goes_on || diverted)", "diverted"),
    fault("a flush shows nothing", TOP, "(queue_ends | ends)", "1'b0"),
    fault("a flush overtakes the pins", QUEUE, "flush & !arrives", "flush"),
    fault("a flush overtakes the last block", QUEUE, " & !holds", ""),
    fault("what a flush has shown changes", TOP, "queue_is_there & !ends", "queue_is_there"),
    fault("a flush does not last", QUEUE, " | drained_once", ""),
    fault("a flush guesses a target", TOP, " & held_goes_on & (|held_count)", " & (|held_count)"),
    fault(
        "a block is shown twice",
        TOP,
        "held_count <= 4'd0;\n                    held_kind",
        "held_kind",
    ),
    fault(
        "a branch is shown twice",
        TOP,
        "                    held_kind <= SEQUENTIAL;\n                end",
        "                end",
    ),
    fault("the state is that before", TOP, "follows ? oldest_context", "1'b0 ? oldest_context"),
    fault(
        "a surprise has a cause",
        TOP,
        "(held_goes_on && diverted)) ? 6'd0",
        "(held_goes_on && diverted)) ? held_cause",
    ),
    fault(
        "an interrupt is not marked",
        TOP,
        "{termination_traps, oldest_cause}",
        "{1'b0, oldest_cause}",
    ),
];

const BLOCK_FAULTS: &[Fault] = &[
    fault("3 bits know no jump", TERMINATION, "UNINFERABLE_JUMP = 4'd6", "UNINFERABLE_JUMP = 4'd7"),
    fault("a block is an instruction long", TOP, "{26'd0, oldest_iretire}", "{29'd0, length[2:1]}"),
    fault("a block has one instruction", TOP, "held_count <= oldest_icount", "held_count <= 4'd1"),
    fault(
        "the last instruction is the first",
        TOP,
        "fall_through - {29'd0, length[2:1]}",
        "oldest_address",
    ),
    fault(
        "an inferable jump is none",
        TOP,
        "branch_kind = DIRECT_JUMP",
        "branch_kind = SEQUENTIAL",
    ),
    fault("an exception is an inferable jump", TOP, "if (|held_count) begin", "if (1'b1) begin"),
    fault(
        "the address of an exception of no instructions is not read",
        TOP,
        "retires | (oldest_itype == 3'd1)",
        "retires",
    ),
];

const LANE_FAULTS: &[Fault] = &[
    fault(
        "a lane has the address of another",
        TOP,
        "tip_iaddr_lane1[31:1]",
        "tip_iaddr_lane0[31:1]",
    ),
    fault("a lane ends as another", TOP, "        tip_itype_lane1\n", "        tip_itype_lane0\n"),
    fault(
        "a lane is as long as another",
        TOP,
        "tip_ilastsize_lane1,\n        tip_iretire",
        "tip_ilastsize_lane0,\n        tip_iretire",
    ),
    fault(
        "a lane retires with another",
        TOP,
        "tip_iretire_lane1,\n        tip_iaddr",
        "tip_iretire_lane0,\n        tip_iaddr",
    ),
    fault(
        "an exception of no instructions is not seen in the second lane",
        TOP,
        "(tip_itype_lane1 == EXCEPTION)",
        "1'b0",
    ),
    fault("both lanes go to one bank", QUEUE, "place_1 = bank", "place_1 = place_0"),
    fault("the banks take no turns", QUEUE, "write_bank <= bank", "write_bank <= 2'd1"),
    fault(
        "words leave one bank",
        QUEUE,
        "read_bank <= {from_0[0], from_0[1]}",
        "read_bank <= 2'd1",
    ),
    fault("a bank is not counted", QUEUE, "sum + {1'b0, banks_1_level}", "sum"),
    fault("stall comes late", QUEUE, "level >= 5'd7", "level >= 5'd10"),
    fault("the second lane is lost", QUEUE, "(arrives[1] && place_1[1]) ? word_1", "1'b0 ? word_1"),
    fault("a flush overtakes the second lane", QUEUE, "flush & !(|arrives)", "flush & !arrives[0]"),
];

const FAULTS_WITH_LOSSES: &[Fault] = &[
    fault("blocks are lost late", SHEDDER, "level >= 4'd7", "level >= 4'd8"),
    fault("blocks are lost early", SHEDDER, "level >= 4'd7", "level >= 4'd6"),
    fault("a loss ends before those that waited have left", SHEDDER, "is_shedding | ", ""),
    fault("a loss has no end", SHEDDER, "loses & (level > 4'd3)", "loses"),
    fault(
        "an exception without an instruction has a place",
        LOST_RUN,
        "if (|retires_1) begin\n                last_place_1",
        "if (1'b1) begin\n                last_place_1",
    ),
    fault(
        "a loss is at its second block",
        LOST_RUN,
        "last_place_2 = place_2",
        "last_place_2 = place_1",
    ),
    fault(
        "the second block is not counted",
        LOST_RUN,
        "sum_1 = sum_now + {2'd0, count_1}",
        "sum_1 = sum_now",
    ),
    fault("a loss ends as it begins", LOST_RUN, "end_2 = word_2[7:0]", "end_2 = word_0[7:0]"),
    fault("a loss takes two blocks", TOP, "shedder_loses) ? 3'd7", "shedder_loses) ? 3'd3"),
    fault(
        "the last block of a loss is traced",
        TOP,
        "is_lost = held_lost | shedder_loses",
        "is_lost = shedder_loses",
    ),
    fault(
        "a loss begins after the block that is held",
        TOP,
        "is_lost = held_lost | shedder_loses",
        "is_lost = held_lost",
    ),
    fault(
        "only one instruction is lost",
        TOP,
        "held_count <= lost_run_instructions",
        "held_count <= 6'd1",
    ),
    fault("a lost branch waits for its diversion", TOP, "is_lost ? follows :", "1'b0 ? follows :"),
    fault("a diversion after a loss is none", TOP, "(is_lost & diverted) ? 1'b1", "1'b0 ? 1'b1"),
    fault(
        "a loss goes on where it ends",
        TOP,
        "follows ? {lost_run_address",
        "follows ? {oldest_address",
    ),
    fault(
        "a flush does not show what is held",
        TOP,
        "(queue_ends | ends) & held_goes_on",
        "queue_ends & held_goes_on",
    ),
    fault(
        "a flush does not wait for what is held",
        TOP,
        "shedder_drained & has_ended;",
        "shedder_drained;",
    ),
];
