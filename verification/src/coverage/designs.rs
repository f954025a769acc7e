//! The designs whose coverage is measured.

/// Presets of every scheme and changes to them. Together they have every module. Counters are short, so that they
/// reach their limits in a short run, and numbers narrow, so that all of their chunks are used.
pub(super) const DESIGNS: [(&str, &[(&str, &str)]); 24] = [
    ("traptor-m4", &[("instruction_count_bits", "8"), ("branch_count_bits", "4")]),
    (
        "traptor-b4",
        &[
            ("instruction_count_bits", "8"),
            ("branch_count_bits", "3"),
            ("gshare_entries", "64"),
            ("return_address_stack_depth", "4"),
            ("trace_port_width", "16"),
        ],
    ),
    (
        "traptor-m4",
        &[
            ("instruction_count_bits", "8"),
            ("branch_count_bits", "4"),
            ("gshare_entries", "64"),
            ("memory_style", "synchronous"),
            ("encoder_registers", "true"),
        ],
    ),
    ("traptor-s0", &[("instruction_count_bits", "8"), ("branch_count_bits", "4")]),
    (
        "mctraptor-medium-n2-timed",
        &[("instruction_count_bits", "8"), ("branch_count_bits", "4"), ("time_stamp_bits", "5")],
    ),
    (
        "mctraptor-medium-n2-timed",
        &[
            ("instruction_count_bits", "8"),
            ("branch_count_bits", "4"),
            ("time_stamp_bits", "5"),
            ("memory_style", "synchronous"),
        ],
    ),
    ("mctraptor-small-n1", &[("instruction_count_bits", "8"), ("branch_count_bits", "4")]),
    ("nexus-n2-timed", &[("stream_length_bits", "5"), ("time_stamp_bits", "6")]),
    ("nexs", &[("stream_length_bits", "6")]),
    ("stream-rbase-32", &ONE_LENGTH),
    ("stream-ebase-32", &ONE_LENGTH),
    (
        "stream-base-32",
        &[("stream_length_bits", "6"), ("trace_port_width", "16"), ("memory_style", "synchronous")],
    ),
    ("etrace-base", &[("retire_count_bits", "3")]),
    ("etrace-returns", &[("retire_count_bits", "3"), ("return_stack_entries", "2")]),
    (
        "etrace-full",
        &[
            ("retire_count_bits", "3"),
            ("return_stack_entries", "2"),
            ("jump_target_cache_entries", "8"),
            ("branch_predictor_entries", "8"),
            ("branch_count_bits", "3"),
        ],
    ),
    (
        "ntrace-htm",
        &[
            ("retire_count_bits", "3"),
            ("history_bits", "3"),
            ("count_bits", "8"),
            ("return_stack_entries", "2"),
        ],
    ),
    ("ntrace-btm", &[("retire_count_bits", "3"), ("count_bits", "8")]),
    ("ntuple-32x4", &[("stream_length_bits", "5"), ("tuple_history_entries", "20")]),
    ("ntuple-32x4-memory", &[("stream_length_bits", "5"), ("tuple_history_entries", "21")]),
    (
        "talon-xl",
        &[
            ("bimodal_entries", "64"),
            ("gshare_entries", "64"),
            ("match_history_entries", "64"),
            ("match_pointers", "8"),
            ("confidence_entries", "16"),
            ("return_address_stack_depth", "3"),
            ("target_buffer_sets", "2"),
            ("target_bits", "14"),
            ("range_bits", "7"),
            ("guard_bits", "2"),
            ("most_confidence", "5"),
            ("return_confidence", "5"),
            ("single_target_confidences", "[2, 3, 5, 5]"),
            ("choice_confidences", "[1, 1, 2, 5]"),
            ("instruction_count_bits", "8"),
        ],
    ),
    (
        "talon-m-fpga",
        &[
            ("bimodal_entries", "64"),
            ("gshare_entries", "64"),
            ("match_history_entries", "64"),
            ("confidence_entries", "16"),
            ("target_buffer_tag_bits", "2"),
            ("range_bits", "7"),
            ("guard_bits", "2"),
            ("most_confidence", "5"),
            ("return_confidence", "5"),
            ("single_target_confidences", "[2, 3, 5, 5]"),
            ("choice_confidences", "[1, 1, 2, 5]"),
            ("instruction_count_bits", "8"),
        ],
    ),
    ("stride-256x4", &[("stride_cache_entries", "16"), ("repetition_count_bits", "4")]),
    (
        "stride-256x4",
        &[
            ("stride_cache_entries", "16"),
            ("repetition_count_bits", "4"),
            ("memory_style", "synchronous"),
        ],
    ),
    (
        "talon-d",
        &[
            ("stride_entries", "16"),
            ("address_regions", "2"),
            ("range_bits", "7"),
            ("guard_bits", "2"),
            ("most_confidence", "5"),
            // High from the first access on: the code then carries where random addresses miss.
            ("stride_confidences", "[4, 4, 4, 4, 4, 4, 4, 4]"),
        ],
    ),
];

/// An adaptive size that starts at its maximum and soon reaches its minimum.
const ONE_LENGTH: [(&str, &str); 4] = [
    ("stream_length_bits", "5"),
    ("one_length_start_bits", "3"),
    ("one_length_least_bits", "2"),
    ("one_length_most_bits", "3"),
];
