//! Faults in several cores whose records come some cycles after their blocks, because tables are read at the clock edge.

use super::multicore;
use super::subject::Subject;
use super::texts::{Fault, fault};

/// What `multicore` has, with queues of one record, so that cores wait while blocks are on their way, and a port that is
/// wide enough for everything else to be empty at a flush.
pub fn subject() -> Subject {
    let mut subject = multicore::subject();
    let changes =
        [("memory_style", "synchronous"), ("record_queue_depth", "1"), ("trace_port_width", "8")];
    changes.iter().for_each(|(name, value)| subject.design.set(name, value).unwrap());
    subject
}

const TIME: &str = "_time_stamps";
const QUEUE: &str = "_fifo_depth1_";
const ORDER: &str = "_fifo_depth15";

/// Every fault, by module.
pub const FAULTS: &[Fault] = &[
    fault(
        "time goes on when the pins say so",
        TIME,
        "was_tracing = past_tracing[3]",
        "was_tracing = tracing",
    ),
    fault(
        "time goes on a cycle early",
        TIME,
        "was_tracing = past_tracing[3]",
        "was_tracing = past_tracing[2]",
    ),
    fault("time goes on for ever", TIME, "was_tracing = past_tracing[3]", "was_tracing = 1'b1"),
    fault(
        "the counter of a core that waits now does not overflow",
        TIME,
        "was_ready = past_ready[3]",
        "was_ready = ready",
    ),
    fault(
        "the counter of a core that waited before does not overflow",
        TIME,
        "was_ready = past_ready[3]",
        "was_ready = past_ready[2]",
    ),
    fault(
        "the counter of a core that waited overflows",
        TIME,
        "was_tracing & was_ready & is_full",
        "was_tracing & is_full",
    ),
    fault(
        "the cycles on their way are forgotten",
        TIME,
        "past_ready <= {past_ready[2:0], ready}",
        "past_ready <= {4{ready}}",
    ),
    fault(
        "a core waits one record late",
        QUEUE,
        "in_ready = held < 3'd1",
        "in_ready = held < 3'd2",
    ),
    fault("a queue has one place less", QUEUE, "write_pointer == 3'd4", "write_pointer == 3'd3"),
    fault(
        "a record of a core that waits is lost",
        QUEUE,
        "if (in_valid) begin\n                write_pointer",
        "if (in_valid && in_ready) begin\n                write_pointer",
    ),
    fault(
        "a record of a core that waits is not counted",
        QUEUE,
        "in_valid > takes",
        "(in_valid & in_ready) > takes",
    ),
    fault(
        "the order has no room for blocks on their way",
        ORDER,
        "puts = in_valid & in_ready",
        "puts = in_valid & in_ready & (write_pointer != read_pointer + 4'd3)",
    ),
    fault(
        "a flush does not wait for the blocks of core 0",
        ".v",
        "back_end_is_empty & encoders_0_is_empty & encoders_1_is_empty &\n        encoders_2_is_empty",
        "back_end_is_empty",
    ),
    fault(
        "core 1 has the stalls of core 0",
        ".v",
        ".ready    (encoders_1_ready)",
        ".ready    (encoders_0_ready)",
    ),
    fault(
        "core 2 flushes as soon as it can",
        ".v",
        "encoders_2_flush = sequencer_record_flush & all_ready",
        "encoders_2_flush = sequencer_record_flush & encoders_2_ready",
    ),
];
