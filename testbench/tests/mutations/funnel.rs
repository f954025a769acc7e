//! Faults in the funnel of several traces.

use tracewright_testbench::BuildOptions;
use tracewright_testbench::sinks::funnel::run_at_random;

use super::subject::{Fault, fault};
use crate::funnel::{build, designs, generated};

/// Puts every fault into a funnel of three sources, whose turns and intervals are short.
pub fn find_every_fault() {
    let (config, style) = designs().swap_remove(1);
    super::find_each("trace_funnel", &generated(&config, &style), FAULTS, 20, |verilog, cache| {
        let options = BuildOptions { cache: Some(cache.clone()), ..BuildOptions::default() };
        let run = run_at_random(&build(verilog, &options), &config, 1);
        run.err().map(|failure| failure.to_string())
    });
}

const TOP: &str = ".v";

const FAULTS: &[Fault] = &[
    fault(
        "a source is looked at with one byte",
        TOP,
        "waiting_1_level >= 2'd2",
        "waiting_1_level >= 2'd1",
    ),
    fault("the current source is another one, too", TOP, "available & ~current", "available"),
    fault("the first source is always next", TOP, "(|later) ? later & (~later + 3'd1) : ", ""),
    fault("a turn does not end", TOP, "!turn | !has_other", "1'b1"),
    fault("a turn ends for nobody", TOP, "!turn | !has_other", "!turn"),
    fault("there is no synchronisation word", TOP, "is_sync = |sync", "is_sync = 1'b0"),
    fault("a synchronisation word has no end", TOP, "sync == 3'd1", "sync == 3'd0"),
    fault("a frame has a byte less", TOP, "is_last = &position", "is_last = position == 4'd14"),
    fault("the last even place waits for two bytes", TOP, " | is_last_even)", ")"),
    fault("a flush leaves a byte", TOP, "flush & (has_byte | (|position))", "flush & (|position)"),
    fault(
        "a flush does not fill a frame up",
        TOP,
        "flush & (has_byte | (|position))",
        "flush & has_byte",
    ),
    fault("frames are filled up without a flush", TOP, "!has_other & flush &", "!has_other &"),
    fault("a byte is sent before the last one left", TOP, "(!sent_valid | trace_ready)", "1'b1"),
    fault(
        "a byte is taken from another source",
        TOP,
        "sends_data ? current :",
        "sends_data ? odd :",
    ),
    fault("a source has another number", TOP, "named[1] ? 8'd5", "named[1] ? 8'd7"),
    fault("bit 0 of data stays in its place", TOP, "{head[7:1], 1'b0}", "head"),
    fault("bit 0 of data is lost", TOP, "sends_data ? head[0] :", "sends_data ? 1'b0 :"),
    fault("a number holds at once", TOP, "(sends_id | sends_null) & lags", "1'b0"),
    fault("the byte after a number is the new source's", TOP, "if (lags) begin", "if (1'b0) begin"),
    fault("the last even place has a byte after it", TOP, "is_told & !is_last_even", "is_told"),
    fault(
        "the last byte is not cleared",
        TOP,
        "last_byte <= 8'd0;\n                    frames",
        "frames",
    ),
    fault("flushed comes before the last byte", TOP, "flush & !sent_valid", "flush"),
    fault("flushed comes before what waits", TOP, " & !(|available)", ""),
    fault(
        "a turn counts on",
        TOP,
        "turn <= 1'b0;\n                end\n            end",
        "end\n            end",
    ),
    fault("the number is not said again", TOP, "is_told <= 1'b0;\n                    end", "end"),
    fault("another number is said again", TOP, "sends_again ? current", "sends_again ? following"),
];
