//! Faults in the adapter for several blocks in a cycle.

use tracewright_hdl::Generated;
use tracewright_sim::blocks::Config;
use tracewright_sim::scheme::Design;
use tracewright_testbench::{BuildOptions, Cache, design::source};

use super::subject::{Fault, fault};
use crate::blocks_core::{Show, run};

/// Puts every fault into the adapter of traptor-m4 for three blocks in a cycle, and others into one that loses blocks.
pub fn find_every_fault() {
    find_in("the adapter for several blocks", &[("alignment", "1")], FAULTS, 15);
    let drop = [("framing", "packets"), ("when_full", "drop"), ("loss_pins", "true")];
    find_in("the adapter that loses blocks", &drop, FAULTS_WITH_LOSSES, 10);
}

fn find_in(name: &str, changes: &[(&str, &str)], faults: &[Fault], least: usize) {
    let mut design = Design::preset("traptor-m4").unwrap();
    for (parameter, value) in changes {
        design.set(parameter, value).unwrap();
    }
    let config = Config { lanes: 3, depth: 12 };
    let generated = tracewright_hdl::generate_blocks_adapter(&design, &config).unwrap();
    let show = Show { seed: 1, clocks: 10_000, bubbles: 0, stalls: 0, flushes: 0 };
    let shows = [
        show,
        Show { seed: 2, bubbles: 40, stalls: 30, flushes: 20, ..show },
        Show { seed: 3, bubbles: 80, stalls: 20, flushes: 50, ..show },
    ];
    let check = |generated: &Generated, cache: &Cache| {
        let options = BuildOptions { cache: Some(cache.clone()), ..BuildOptions::default() };
        let library = source(generated).build(&options).unwrap();
        shows.iter().find_map(|show| run(&library, &design, &config, *show).err())
    };
    super::find_each(name, &generated, faults, least, check);
}

const TOP: &str = ".v";
const QUEUE: &str = "_lane_queue";
const BANK: &str = "_fifo";
const SHEDDER: &str = "_shedder";

const FAULTS: &[Fault] = &[
    fault("a block that is stalled is taken", TOP, "lane_valid_1 > stall", "lane_valid_1"),
    fault("a lane is never taken", TOP, "lane_valid_2 > stall", "1'b0"),
    fault("the trace module's stall is not looked at", TOP, "retire_stall ? 2'd0", "1'b0 ? 2'd0"),
    fault("a flush does not stop the core", TOP, "ends <= flush", "ends <= 1'b0"),
    fault("a flush stops the core at once", TOP, ".flush    (ends)", ".flush    (flush)"),
    fault("a lane has the kind of another", TOP, "        lane_kind_1,", "        lane_kind_0,"),
    fault(
        "a lane has the count of another",
        TOP,
        "        lane_count_2\n",
        "        lane_count_1\n",
    ),
    fault("a target loses a bit", TOP, "lane_target_0[31:1]", "{1'b0, lane_target_0[30:1]}"),
    fault("a call is a return", TOP, "retire_call = last_call", "retire_call = last_is_return"),
    fault("the address is the target", TOP, "assign pc = last_pc", "assign pc = last_target"),
    fault("a jump is joined with what follows it", TOP, "!((|oldest_kind) | sum[4])", "!sum[4]"),
    fault("a joined count overflows", TOP, "!((|oldest_kind) | sum[4])", "!(|oldest_kind)"),
    fault("a stalled block grows", TOP, " & !is_single", ""),
    fault("a joined block stays", TOP, "joins ? 2'd3", "joins ? 2'd1"),
    fault("only the last of two blocks counts", TOP, "joins ? sum[3:0]", "joins ? second_count"),
    fault("the second block is the oldest", QUEUE, "from_1 = next_from", "from_1 = from_0"),
    fault("stall comes late", QUEUE, "level >= 4'd10", "level >= 4'd11"),
    fault("stall comes early", QUEUE, "level >= 4'd10", "level >= 4'd9"),
    fault("the middle lane is lost", QUEUE, "(arrives[1] && place_1[0]) ? word_1", "1'b0 ? word_1"),
    fault("lanes without a block have a place", QUEUE, "if (arrives[0]) begin", "if (1'b1) begin"),
    fault("the banks take no turns", QUEUE, "write_bank <= bank", "write_bank <= 3'd1"),
    fault(
        "words leave one bank",
        QUEUE,
        "read_bank <= {from_0[1:0], from_0[2]}",
        "read_bank <= from_0",
    ),
    fault("a bank is not counted", QUEUE, "sum + {1'b0, banks_1_level}", "sum"),
    fault(
        "the last bank is not read",
        QUEUE,
        "from_0[2] ? banks_2_out_word",
        "1'b0 ? banks_2_out_word",
    ),
    fault("a flush overtakes the queue", QUEUE, "ends & !(|is_there)", "ends"),
    fault(
        "a bank writes one place",
        BANK,
        "write_pointer <= write_pointer + ",
        "write_pointer <= 2'd0 & ",
    ),
];

const FAULTS_WITH_LOSSES: &[Fault] = &[
    fault("nothing is lost", SHEDDER, "loses = is_shedding | (level >= 4'd8)", "loses = 1'b0"),
    fault("blocks are lost late", SHEDDER, "level >= 4'd8", "level >= 4'd9"),
    fault("blocks are lost early", SHEDDER, "level >= 4'd8", "level >= 4'd7"),
    fault("a loss ends before those that waited have left", SHEDDER, "is_shedding | ", ""),
    fault("a loss has no end", SHEDDER, "loses & (level > 4'd3)", "loses"),
    fault("a loss is not told", TOP, ".loses   (retire_lost)", ".loses   ()"),
    fault("the second block is not counted", TOP, "lost_count_1 = lost_sum + ", "lost_count_1 = "),
    fault(
        "the last block is not counted",
        TOP,
        "lost_sum = lost_count_2;",
        "lost_sum = lost_count_1;",
    ),
    fault("a loss takes one block", TOP, "? 3'd7", "? 3'd1"),
    fault("a loss takes two blocks", TOP, "? 3'd7", "? 3'd3"),
    fault("the last block is the second", TOP, "last = queue_oldest_2", "last = second"),
    fault("a flush comes at once", SHEDDER, "flush & (cycles == 4'd12)", "flush"),
    fault("a flush never comes", SHEDDER, "flush & (cycles == 4'd12)", "1'b0"),
    fault("a second flush comes at once", SHEDDER, "cycles <= 4'd0;\n            if", "if"),
];
