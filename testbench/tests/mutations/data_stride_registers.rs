//! Faults in the data address compressor with a stride cache that is read at the clock edge.

use tracewright_sim::event::Access;

use super::data_stride;
use super::subject::Subject;
use super::texts::{Fault, fault};

/// What `data_stride` has, with the tables in memories and a port that is wide enough for an access to leave right after
/// a miss.
pub fn subject() -> Subject<Access> {
    let mut subject = data_stride::subject();
    let changes =
        [("memory_style", "synchronous"), ("trace_port_width", "16"), ("record_queue_depth", "4")];
    changes.iter().for_each(|(name, value)| subject.design.set(name, value).unwrap());
    subject
}

const CACHE: &str = "_data_address_stride_cache";

/// Every fault, by module.
pub const FAULTS: &[Fault] = &[
    fault(
        "what the access before wrote is not seen",
        CACHE,
        "(follows && last_used[0]) ? last_written",
        "1'b0 ? last_written",
    ),
    fault(
        "what the access before wrote is in every way",
        CACHE,
        "(follows && last_used[1]) ?",
        "follows ?",
    ),
    fault(
        "what the access before wrote is seen in another set",
        CACHE,
        "(early_set == set) & update",
        "update",
    ),
    fault(
        "an access that waits follows itself",
        CACHE,
        "(early_set == set) & update",
        "early_set == set",
    ),
    fault(
        "the order that was just written is not seen",
        CACHE,
        "follows ? last_order",
        "1'b0 ? last_order",
    ),
    fault(
        "the order before the last access is seen",
        CACHE,
        "last_order <= recency_order_next",
        "last_order <= recency_order",
    ),
    fault(
        "the next access's set takes the order",
        CACHE,
        ".write_index (set),\n        .written     (recency_order_next)",
        ".write_index (early_set),\n        .written     (recency_order_next)",
    ),
    fault(
        "the next access's set takes the entry",
        CACHE,
        ".write       (way_tables_0_write),\n        .write_index (set)",
        ".write       (way_tables_0_write),\n        .write_index (early_set)",
    ),
    fault(
        "a way is read late",
        CACHE,
        ".index       (early_set),\n        .entry       (way_tables_1_entry)",
        ".index       (set),\n        .entry       (way_tables_1_entry)",
    ),
    fault(
        "the order is read late",
        CACHE,
        ".index       (early_set),\n        .entry       (order_table_entry)",
        ".index       (set),\n        .entry       (order_table_entry)",
    ),
    fault(
        "a new entry is not seen by the access that follows",
        CACHE,
        "last_used <= used",
        "last_used <= matching",
    ),
    fault(
        "the entry that was read is forwarded",
        CACHE,
        "last_written <= written",
        "last_written <= own",
    ),
    fault(
        "an entry is written when it is read",
        CACHE,
        "way_tables_2_write = used[2] & update",
        "way_tables_2_write = used[2]",
    ),
    fault(
        "a table that is written is not read",
        "_table_memory_width69",
        "!(writes && (changed_index == index))",
        "!writes",
    ),
    fault(
        "an access that waits is overwritten",
        "_encoder",
        "stage_ready = record_ready | !held_valid",
        "stage_ready = 1'b1",
    ),
    fault(
        "an access that waits has the next one's address",
        "_encoder",
        "stage_ready ? buffer_out_word",
        "1'b1 ? buffer_out_word",
    ),
    fault(
        "an access is looked up again",
        "_encoder",
        "if (stage_ready) begin\n                held_valid",
        "if (stage_ready && !held_valid) begin\n                held_valid",
    ),
    fault(
        "an access is looked up while it waits",
        "_encoder",
        "looked_up = record_ready & held_valid",
        "looked_up = held_valid",
    ),
    fault(
        "an empty stage is looked up",
        "_encoder",
        "looked_up = record_ready & held_valid",
        "looked_up = record_ready",
    ),
    fault(
        "a flush does not wait for the stage",
        "_encoder",
        "!buffer_out_valid & !held_valid",
        "!buffer_out_valid",
    ),
    fault(
        "the set of the access that waits is read",
        "_encoder",
        ".early_set   (early_site[1:0])",
        ".early_set   (held_site[1:0])",
    ),
];
