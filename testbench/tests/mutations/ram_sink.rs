//! Faults in the RAM sink.

use tracewright_hdl::Generated;
use tracewright_testbench::sinks::ram_sink::run_at_random;
use tracewright_testbench::{BuildOptions, Cache, design::source};

use super::subject::{Fault, fault};
use crate::ram_sink::sink;

/// Puts every fault into a sink of 16 words after a trace port of 8 bits.
pub fn find_every_fault() {
    let (generated, config) = sink(64, 8, "synchronous");
    let check = |generated: &Generated, cache: &Cache| {
        let options = BuildOptions { cache: Some(cache.clone()), ..BuildOptions::default() };
        let library = source(generated).build(&options).unwrap();
        (1..3).find_map(|seed| {
            run_at_random(&library, config, seed).err().map(|failure| failure.to_string())
        })
    };
    super::find_each("the RAM sink", &generated, FAULTS, 10, check);
}

const TOP: &str = ".v";

const FAULTS: &[Fault] = &[
    fault("a word stays unfinished", TOP, "is_open & !enable & source_is_empty & (|count)", "1'b0"),
    fault(
        "zeros come before the rest",
        TOP,
        "!enable & source_is_empty & (|count)",
        "!enable & (|count)",
    ),
    fault(
        "anything fills a word up",
        TOP,
        "pads ? 32'd0 : {24'd0, trace_data}",
        "{24'd0, trace_data}",
    ),
    fault("a word has three beats", TOP, "takes & (&count)", "takes & count[1]"),
    fault("beats come from above", TOP, "{beat[7:0], held[31:8]}", "{held[23:0], beat[7:0]}"),
    fault("it reads where it writes", TOP, "is_open ? writes_at : reads_at", "writes_at"),
    fault("the memory has no end", TOP, "!(|left) | (&address)", "!(|left)"),
    fault("the ring is the memory", TOP, "!(|left) | (&address)", "(&address)"),
    fault("the words that are left are counted from the end", TOP, "limit - address", "~address"),
    fault("a full ring always stops", TOP, "stopped = stop_when_full & ", "stopped = "),
    fault("it stops after the last word", TOP, "(is_last | is_tail)", "is_last"),
    fault("it does not stop at the end of the memory", TOP, "(is_last | is_tail)", "is_tail"),
    fault(
        "it goes on when it is full",
        TOP,
        "(is_last | is_tail)) | is_full",
        "(is_last | is_tail))",
    ),
    fault("a full ring is written", TOP, "completes & !is_full", "completes"),
    fault("a ring that goes round is full", TOP, "is_full <= stop_when_full", "is_full <= 1'b1"),
    fault(
        "it stays full when it is switched off",
        TOP,
        "is_open <= 1'b0;\n                is_full <= 1'b0;\n            end",
        "is_open <= 1'b0;\n            end",
    ),
    fault(
        "it stays full over a reset",
        TOP,
        "is_full <= 1'b0;\n                writes_at <= 4'd0;",
        "writes_at <= 4'd0;",
    ),
    fault("an open sink is read", TOP, "(is_open || clear) ? 32'd0", "clear ? 32'd0"),
    fault("a read waits for a reset to end", TOP, "is_open | is_read | clear", "is_open | is_read"),
    fault("it is empty when it is switched off", TOP, "!is_open & !enable", "!enable"),
    fault("it never wraps", TOP, "has_wrapped <= 1'b1;", ""),
    fault("it does not wait for the rest", TOP, "source_is_empty && !(takes", "!(takes"),
    fault(
        "what is read does not go around",
        TOP,
        "if (is_last) begin\n                        reads_at",
        "if (&address) begin\n                        reads_at",
    ),
    fault("the word before is read again", TOP, "end\n                    is_read <= 1'b0;", "end"),
    fault(
        "the word of another pointer is read",
        TOP,
        "reads_at <= loaded_read_pointer;\n                    is_read <= 1'b0;",
        "reads_at <= loaded_read_pointer;",
    ),
    fault(
        "the pointer goes on while the sink is open",
        TOP,
        "if (!is_open) begin\n                if (read)",
        "if (1'b1) begin\n                if (read)",
    ),
    fault(
        "a part of a word stays over a reset",
        TOP,
        "is_read <= 1'b0;\n                count <= 2'd0;",
        "is_read <= 1'b0;",
    ),
    fault(
        "the pointer stays over a reset",
        TOP,
        "is_full <= 1'b0;\n                writes_at <= 4'd0;",
        "is_full <= 1'b0;",
    ),
    fault(
        "the flag stays over a reset",
        TOP,
        "reads_at <= 4'd0;\n                has_wrapped <= 1'b0;",
        "reads_at <= 4'd0;",
    ),
];
