//! Faults in the RVFI adapter, which is shown a core of its own and not a trace module's blocks.

use tracewright_hdl::{Generated, Part};
use tracewright_sim::ingress::Queue;
use tracewright_sim::rvfi::{Config, Xlen};
use tracewright_sim::scheme::Design;
use tracewright_testbench::{BuildOptions, Cache, design::source};

use super::bench::Bench;
use super::texts::{Fault, fault, find_each};
use crate::rvfi_core::{Show, run, run_losses};

const SHOW: Show =
    Show { seed: 1, clocks: 20_000, bubbles: 0, stalls: 0, diversions: 0, flushes: 0 };

fn design(changes: &[(&str, &str)]) -> Design {
    let mut design = Design::preset("traptor-m4").unwrap();
    for (name, value) in [("alignment", "1")].iter().chain(changes) {
        design.set(name, value).unwrap();
    }
    design
}

/// Every fault of the adapter of traptor-m4 for compressed code with one channel.
pub fn bench() -> Bench<'static> {
    of_config("rvfi", Config::new(Xlen::Rv32, 1))
}

/// Every fault of one with three channels.
pub fn bench_of_channels() -> Bench<'static> {
    of_config("rvfi-channels", Config::new(Xlen::Rv32, 3))
}

fn of_config(name: &'static str, config: Config) -> Bench<'static> {
    let design = design(&[]);
    let shows = [
        SHOW,
        Show { seed: 2, bubbles: 30, stalls: 40, diversions: 50, flushes: 10, ..SHOW },
        Show { seed: 3, bubbles: 5, stalls: 80, diversions: 10, flushes: 10, ..SHOW },
        Show { seed: 4, bubbles: 60, stalls: 50, diversions: 20, flushes: 100, ..SHOW },
        Show { seed: 7, clocks: 2_000, bubbles: 90, ..SHOW },
    ];
    let part = (design.clone(), config);
    let check = move |library: &_| {
        shows.iter().find_map(|show| run(library, &design, &config, *show).err())
    };
    Bench::new(name, Part::Rvfi(&part.0, &part.1), Box::new(check))
}

/// Puts faults that are texts into an adapter in front of a module that loses blocks.
pub fn find_losses() {
    let design = design(&[("framing", "packets"), ("when_full", "drop"), ("loss_pins", "true")]);
    let config = Config { xlen: Xlen::Rv32, queue: Queue { lanes: 3, depth: 12, slack: 0 } };
    let generated = tracewright_hdl::generate_rvfi_adapter(&design, &config).unwrap();
    let shows = [
        Show { diversions: 500, ..SHOW },
        Show { seed: 2, bubbles: 40, diversions: 900, flushes: 10, ..SHOW },
        Show { seed: 3, bubbles: 20, diversions: 100, flushes: 10, ..SHOW },
    ];
    let check = |generated: &Generated, cache: &Cache| {
        let options = BuildOptions { cache: Some(cache.clone()), ..BuildOptions::default() };
        let library = source(generated).build(&options).unwrap();
        shows.iter().find_map(|show| run_losses(&library, &design, &config, *show).err())
    };
    find_each("the RVFI adapter with losses", &generated, FAULTS_WITH_LOSSES, 15, check);
}

const TOP: &str = ".v";
const SHEDDER: &str = "_shedder";

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
