//! Faults in stream cache and N-tuple with tables that are read through registers.

use super::streams::{self, design, events};
use super::subject::Subject;
use super::texts::{Fault, fault};

/// What `streams` has of the stream cache, with its tables in memories.
pub fn stream_cache() -> Subject {
    let mut subject = streams::stream_cache();
    subject.design.set("memory_style", "synchronous").unwrap();
    subject
}

/// N-tuple with few short tuples in memories.
pub fn ntuple() -> Subject {
    let design = design(
        "ntuple-32x4-memory",
        &[
            ("memory_style", "synchronous"),
            ("stream_cache_entries", "16"),
            ("stream_length_bits", "5"),
            ("tuple_length", "3"),
            ("tuple_history_entries", "5"),
            ("tuples_per_cycle", "2"),
        ],
    );
    Subject { design, programs: [events(41, 95), events(42, 80)] }
}

const STAGE: &str = "_stream_stage";
const CACHE: &str = "_stream_cache";
const PREDICTOR: &str = "_last_stream_predictor";

pub const STREAM_CACHE: &[Fault] = &[
    fault("a stream that waits is overwritten", STAGE, "later_ready | !held_valid", "1'b1"),
    fault(
        "a stream that waits has the next one's length",
        STAGE,
        "ready ? length :",
        "1'b1 ? length :",
    ),
    fault(
        "a stream that waits has the next one's start",
        STAGE,
        "ready ? start :",
        "1'b1 ? start :",
    ),
    fault(
        "a stream is looked up again",
        STAGE,
        "if (ready) begin\n                held_valid",
        "if (ready & !held_valid) begin\n                held_valid",
    ),
    fault(
        "a stream that waits ends like the next one",
        STAGE,
        "if (ready) begin\n            held_end_code",
        "if (1'b1) begin\n            held_end_code",
    ),
    fault(
        "what the stream before stored is not seen",
        CACHE,
        "(follows && last_used[1]) ? repeats",
        "1'b0 ? repeats",
    ),
    fault(
        "a stream that follows itself is in every way",
        CACHE,
        "(follows && last_used[0]) ? repeats",
        "follows ? repeats",
    ),
    fault(
        "the way of the stream before is looked at in another set",
        CACHE,
        "(set == held_set) & update",
        "update",
    ),
    fault(
        "a stream that waits follows itself",
        CACHE,
        "(set == held_set) & update",
        "set == held_set",
    ),
    fault("a stream is like any other before it", CACHE, "wanted == held_wanted", "1'b1"),
    fault(
        "the order that was just written is not seen",
        CACHE,
        "follows ? last_order",
        "1'b0 ? last_order",
    ),
    fault(
        "the order before the last stream is seen",
        CACHE,
        "last_order <= recency_order_next",
        "last_order <= recency_order",
    ),
    fault(
        "the next stream's set takes the order",
        CACHE,
        ".write_index (held_set)",
        ".write_index (set)",
    ),
    fault(
        "the next stream is stored",
        CACHE,
        ".written     (held_wanted)",
        ".written     (wanted)",
    ),
    fault("the index is in the next stream's set", CACHE, "index = {held_set", "index = {set"),
    fault(
        "the next stream's set has no way 0",
        CACHE,
        "is_set_0 = !(|held_set)",
        "is_set_0 = !(|set)",
    ),
    fault(
        "a table that is written is not read",
        "_table_memory_entries8_width19",
        "!(writes && (changed_index == index))",
        "!writes",
    ),
    fault(
        "a stream that follows itself is not learned in time",
        PREDICTOR,
        "forwards ? previous_index",
        "1'b0 ? previous_index",
    ),
    fault(
        "each stream is predicted to follow itself",
        PREDICTOR,
        "forwards <= index == previous_index",
        "forwards <= 1'b1",
    ),
    fault(
        "a stream is predicted from the one before the last",
        PREDICTOR,
        "later_index = update ? index : previous_index",
        "later_index = previous_index",
    ),
    fault(
        "a stream learns that it follows itself",
        PREDICTOR,
        ".write_index (previous_index)",
        ".write_index (later_index)",
    ),
    fault("a stream is looked up late", "_record_former", "(early_length)", "(length)"),
    fault(
        "a stream is looked up at the start before",
        "_record_former",
        "(early_start)",
        "(start)",
    ),
    fault(
        "a stream does not wait for the queue",
        "_encoder",
        "(record_ready),\n        .early",
        "(1'b1),\n        .early",
    ),
];

pub const NTUPLE: &[Fault] = &[
    fault("a stream is looked up late", "_encoder", "(stage_early_length)", "(stage_later_length)"),
    fault(
        "a stream does not wait for the search",
        "_encoder",
        "goes = record_ready & controller_is_found",
        "goes = record_ready",
    ),
    fault("an empty stage is taken", "_encoder", "take = stage_later_valid & goes", "take = goes"),
    fault(
        "the stream cache stores what an exception breaks off",
        "_encoder",
        "cache_update = take & stage_later_is_whole",
        "cache_update = take",
    ),
    fault(
        "the stream cache stores a stream while it waits",
        "_encoder",
        "cache_update = take & stage_later_is_whole",
        "cache_update = stage_later_valid & stage_later_is_whole",
    ),
    fault(
        "a flush does not wait for the stage",
        "_encoder",
        "is_empty = source_is_empty & !stage_later_valid",
        "is_empty = source_is_empty",
    ),
    fault("a stream that waits is overwritten", STAGE, "later_ready | !held_valid", "1'b1"),
];
