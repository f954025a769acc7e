//! Faults in N-tuple with its tuples in memories: in the search, and in what waits for it.

use super::streams::{design, events};
use super::subject::Subject;
use super::texts::{Fault, fault};

/// Few short tuples in two memories, one place of which is beyond the history.
pub fn subject() -> Subject {
    let design = design(
        "ntuple-32x4-memory",
        &[
            ("stream_cache_entries", "16"),
            ("stream_length_bits", "5"),
            ("tuple_length", "3"),
            ("tuple_history_entries", "5"),
            ("tuples_per_cycle", "2"),
        ],
    );
    Subject { design, programs: [events(37, 95), events(38, 80)] }
}

const SEARCH: &str = "_tuple_search";

/// Every fault, by module.
pub const FAULTS: &[Fault] = &[
    fault("the newest row is read again", SEARCH, "compares ? next_row : newest_row", "newest_row"),
    fault("rows are read from the oldest on", SEARCH, "row - 2'd1", "row + 2'd1"),
    fault("a row is left out after the first", SEARCH, "next_row <= 2'd2", "next_row <= 2'd1"),
    fault("the oldest tuples are the newest", SEARCH, " & (first_age > 3'd1)", ""),
    fault("a tuple beyond the history is found", SEARCH, "first_age <= 3'd5", "first_age <= 3'd6"),
    fault("the oldest row is not compared", SEARCH, "first_age >= 3'd5", "first_age >= 3'd3"),
    fault("the oldest of equal tuples counts", SEARCH, " | (|matching)", ""),
    fault("rows are one tuple apart", SEARCH, "first_age + 3'd2", "first_age + 3'd1"),
    fault("every tuple is in the first memory", SEARCH, " - {1'b0, lane}", ""),
    fault(
        "a tuple that is not found has the age of the one before",
        SEARCH,
        "is_known <= ends;\n                known_age <= 3'd0",
        "is_known <= ends;\n                known_age <= known_age",
    ),
    fault("the ring begins again after its first row", SEARCH, "2'd2) ? 2'd0", "2'd2) ? 2'd1"),
    fault("a row holds one tuple", SEARCH, "newest_count == 2'd2", "newest_count == 2'd1"),
    fault(
        "the row of the newest tuple stays",
        SEARCH,
        "newest_row <= learned_row",
        "newest_row <= newest_row",
    ),
    fault(
        "a tuple is written into the row before",
        SEARCH,
        "clear_valid ? clear_index : learned_row",
        "clear_valid ? clear_index : newest_row",
    ),
    fault(
        "tuples are not cleared",
        SEARCH,
        "clear_valid | learn : clear_valid",
        "clear_valid | learn : 1'b0",
    ),
    fault("a tuple is sought again while it waits", SEARCH, "seeks & !is_known", "seeks"),
    fault(
        "an age is that of the next tuple, too",
        SEARCH,
        "if (learn) begin\n                    is_known",
        "if (1'b0) begin\n                    is_known",
    ),
    fault(
        "a record does not wait for the search",
        "_trace_output_controller",
        "is_formed = !completes | search_found",
        "is_formed = 1'b1",
    ),
    fault(
        "a stream does not wait for the search",
        "_encoder",
        "goes = record_ready & controller_is_found",
        "goes = record_ready",
    ),
    fault(
        "the history learns a tuple before it is over",
        "_trace_output_controller",
        "search_learn = take & completes",
        "search_learn = completes",
    ),
];
