//! What finds faults in the adapter for the trace ingress port, which is shown a hart of its own and not a trace module's
//! blocks.

use tracewright_hdl::{Generated, Part};
use tracewright_sim::ingress::Queue;
use tracewright_sim::scheme::Design;
use tracewright_sim::tip::{Config, Retirement};
use tracewright_testbench::{BuildOptions, Cache, design::source};

use super::bench::Bench;
use super::texts::{Fault, fault, find_each};
use crate::tip_hart::{Show, run, run_losses};

const SHOW: Show =
    Show { seed: 1, clocks: 20_000, bubbles: 0, stalls: 0, diversions: 0, flushes: 0 };

const STATE: &[(&str, &str)] =
    &[("framing", "packets"), ("context_bits", "8"), ("privilege_bits", "2"), ("cause_bits", "6")];

fn design(preset: &str, changes: &[(&str, &str)]) -> Design {
    let mut design = Design::preset(preset).unwrap();
    for (name, value) in [("alignment", "1")].iter().chain(changes) {
        design.set(name, value).unwrap();
    }
    design
}

/// An adapter for single instructions with the state of the hart.
pub fn bench() -> Bench<'static> {
    of_config("tip", design("traptor-m4", STATE), Config::default())
}

/// One for two instructions in a cycle.
pub fn bench_of_lanes() -> Bench<'static> {
    let config = Config { queue: Queue::new(2), ..Config::default() };
    of_config("tip-lanes", design("traptor-m4", STATE), config)
}

/// One for blocks with an `itype` of 3 bits.
pub fn bench_of_blocks() -> Bench<'static> {
    let config = Config { itype_bits: 3, retirement: Retirement::Block, ..Config::default() };
    of_config("tip-blocks", design("nexs", &[]), config)
}

fn of_config(name: &'static str, design: Design, config: Config) -> Bench<'static> {
    let shows = [
        SHOW,
        Show { seed: 2, bubbles: 30, stalls: 40, diversions: 50, flushes: 10, ..SHOW },
        Show { seed: 3, bubbles: 5, stalls: 80, diversions: 10, flushes: 10, ..SHOW },
        Show { seed: 4, bubbles: 60, diversions: 700, flushes: 10, ..SHOW },
        Show { seed: 5, bubbles: 60, stalls: 50, diversions: 20, flushes: 100, ..SHOW },
    ];
    let part = (design.clone(), config);
    let check = move |library: &_| {
        shows.iter().find_map(|show| run(library, &design, &config, *show).err())
    };
    Bench::new(name, Part::Tip(&part.0, &part.1), Box::new(check))
}

/// Puts faults that are texts into one in front of a module that loses blocks.
pub fn find_losses() {
    let loses =
        [("cause_bits", "5"), ("framing", "packets"), ("when_full", "drop"), ("loss_pins", "true")];
    let design = design("traptor-m4", &loses);
    let queue = Queue { lanes: 3, depth: 12, slack: 0 };
    let config = Config { retirement: Retirement::Block, queue, ..Config::default() };
    let generated = tracewright_hdl::generate_tip_adapter(&design, &config).unwrap();
    let shows = [
        Show { diversions: 500, ..SHOW },
        Show { seed: 2, bubbles: 40, diversions: 900, flushes: 10, ..SHOW },
        Show { seed: 3, bubbles: 60, diversions: 100, flushes: 20, ..SHOW },
    ];
    let check = |generated: &Generated, cache: &Cache| {
        let options = BuildOptions { cache: Some(cache.clone()), ..BuildOptions::default() };
        let library = source(generated).build(&options).unwrap();
        shows.iter().find_map(|show| run_losses(&library, &design, &config, *show).err())
    };
    find_each("the TIP adapter with losses", &generated, FAULTS_WITH_LOSSES, 15, check);
}

const TOP: &str = ".v";
const SHEDDER: &str = "_shedder";
const LOST_RUN: &str = "_lost_run";

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
