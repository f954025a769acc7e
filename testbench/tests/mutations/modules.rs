//! The modules and signals whose faults a bench tries, where it tries only some.

/// The modules of T-raptor that are others where tables are read through registers.
pub const READ_THROUGH_REGISTERS: &[&str] = &[
    "predictor_table_entries512",
    "way",
    "stage",
    "encoder",
    "fifo_depth2",
    "word_register",
    "back_end",
    "parallel_encoder",
    "target_difference",
];

/// The modules that only stream caches have.
pub const STREAMS: &[&str] = &[
    "stream",
    "cut_start",
    "last_stream",
    "start_address",
    "one_length",
    "record_former",
    "recency",
];

/// The modules that only an additive predictor, regions and a history of targets need.
pub const ADDITIVE: &[&str] = &[
    "additive_predictor",
    "wide_random_bits",
    "weighted",
    "paired_confidence",
    "regions",
    "target_predictor",
    "single_target_buffer",
];

/// The modules that Talon has of its own where counters of bimodal and gshare decide.
pub const TALON: &[&str] = &[
    "bimodal",
    "confidence",
    "counter_",
    "encoder",
    "gshare",
    "instruction_counter",
    "judge",
    "loop_",
    "match_model",
    "operations",
    "outcome_predictor",
    "predictors",
    "random_bits",
    "return_address_stack",
    "score",
    "target_buffer",
    "target_predictor",
];

/// Those that are others where tables are read through registers, where the coder takes two cycles, or with a stack that wraps.
pub const TALON_THROUGH_REGISTERS: &[&str] = &[
    "coding",
    "confidence",
    "encoder",
    "outcome_predictor",
    "predictors",
    "range_coder",
    "return_address_stack",
    "single_target_buffer",
];

/// What is added there: what waits, what the block before did, and when a step is over.
pub const HELD: &[&str] = &[
    "held_set",
    "held_tag",
    "held_hits",
    "held_evidence",
    "held_place",
    "held_base",
    "held_range",
    "held_sent",
    "held_count",
    "same_set",
    "same_tag",
    "did_replace",
    "hits",
    "early_address",
    "in_stages",
    "is_busy",
    "is_empty",
    "is_predicting",
    "is_plain",
    "second",
    "moves",
    "range",
    "takes",
    "record_valid",
    "full",
    "has_top",
    "has_second",
];

/// The modules that only packets have, or that are others with packets.
pub const PACKETS: &[&str] = &["checksum", "framer", "sequencer", "synchroniser"];

/// The modules of packets that registers stand between.
pub const STEPS: &[&str] =
    &["registered_framer", "registered_bit_packer", "skid_buffer", "block_stage"];

/// The modules that are others where tables are cleared in the background, or where tracing can be switched off.
pub const BACKGROUND: &[&str] = &["sequencer", "synchroniser", "back_end", "top"];

/// The modules that tell contexts, causes and times, or ask for them.
pub const STATES: &[&str] = &["state_tracker", "time_keeper", "synchroniser"];

/// The modules that only E-Trace has.
pub const E_TRACE: &[&str] = &["record_former", "payload_cut", "encoder"];

/// The modules that only implicit return needs.
pub const RETURNS: &[&str] = &["calls", "return_stack"];

/// What implicit return adds to the modules of E-Trace.
pub const DEPTHS: &[&str] = &[
    "infers",
    "jumps",
    "flow",
    "reports_failed",
    "irreport",
    "depth",
    "needs_address",
    "forget",
    "cuts_map",
    "least",
    "depth_found",
    "depth_sign",
    "depth_magnitude",
];

/// What payloads of format 0 add to the modules of E-Trace.
pub const FORMAT_0: &[&str] = &["adds", "overflows", "makes_full", "sent_count", "head", "forgets"];

/// The modules that decide what a branch predictor and a jump target cache hold, when branches are counted, and what is sent
/// of both.
pub const PREDICTIONS: &[&str] =
    &["branch_count", "branch_predictor", "extensions", "jump_target_cache"];
