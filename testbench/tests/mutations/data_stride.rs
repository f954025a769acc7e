//! Faults in the data address compressor.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::event::{Access, AccessSite};
use tracewright_sim::scheme::Design;

use super::subject::Subject;
use super::texts::{Fault, fault};

/// A small tagged cache, and short patterns that are counted up to 3.
pub fn subject() -> Subject<Access> {
    let parameters = [
        ("stride_cache_entries", "16"),
        ("pattern_bits", "6"),
        ("repetition_count_bits", "2"),
        ("data_address_buffer_depth", "3"),
    ];
    Subject {
        design: design("stride-256x4", &parameters),
        programs: [accesses(1, 6_000), accesses(2, 6_000)],
    }
}

/// No tags and no repetitions: one record per access.
pub fn inline_subject() -> Subject<Access> {
    let parameters = [("data_repetitions", "false"), ("stride_bits", "5")];
    Subject {
        design: design("stride-32", &parameters),
        programs: [accesses(3, 6_000), accesses(4, 6_000)],
    }
}

fn design(preset: &str, parameters: &[(&str, &str)]) -> Design {
    let mut design = Design::preset(preset).unwrap();
    parameters.iter().for_each(|(name, value)| design.set(name, value).unwrap());
    design
}

/// Accesses of loops over a few instructions each, with strides that change now and then.
fn accesses(seed: u64, count: usize) -> Vec<Access> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut moving = [(0u64, 0u64); 40];
    let mut accesses = Vec::with_capacity(count);
    let (mut first, mut length, mut left) = (0, 1, 0);
    while accesses.len() < count {
        if left == 0 {
            first = random.random_range(0..moving.len());
            length = random.random_range(1..=8);
            left = length * random.random_range(1..=12);
        }
        left -= 1;
        let instruction = (first + 5 * (left % length)) % moving.len();
        let (last, stride) = &mut moving[instruction];
        if random.random_range(0..16) == 0 {
            let strides = [0, 1, 4, 8, 15, 16, 127, 128, 255, 256, -1, -4, -16, -17, -128, -129];
            *stride = strides[random.random_range(0..strides.len())] as u64;
            *last = match random.random_range(0..6) {
                0 => 0xffff_ffff,
                1 => random.random_range(0xffff_ff00..0xffff_ffff),
                _ => random.random(),
            };
        }
        *last = last.wrapping_add(*stride) & 0xffff_ffff;
        let address = if random.random_range(0..60) == 0 { 0xffff_ffff } else { *last };
        let program_counter = 0x8000 + 4 * instruction as u64;
        let store = random.random();
        let site = AccessSite { instructions: 1, program_counter, store, thread: 0 };
        accesses.push(Access { site, address });
    }
    accesses
}

const CACHE: &str = "_data_address_stride_cache";
const REPETITIONS: &str = "_data_repetitions";

/// Every fault, by module.
pub const FAULTS: &[Fault] = &[
    fault("the set comes from the wrong bits", CACHE, "set = site[1:0]", "set = site[2:1]"),
    fault("the tag misses a bit", CACHE, "{1'b1, tag}", "{1'b1, tag[27:1], 1'b0}"),
    fault(
        "an entry is valid that is not",
        CACHE,
        "{wanted, stride_next",
        "{1'b1, 28'd0, stride_next",
    ),
    fault("a hit without an entry", CACHE, "(|matching) & (difference", "(difference"),
    fault("any entry hits", CACHE, "(|matching) & (difference == extended)", "|matching"),
    fault(
        "a way hides the one before",
        CACHE,
        "        ways_1_read_data[68:40] == wanted,",
        "        1'b0,",
    ),
    fault(
        "a way gives another's content",
        CACHE,
        "own = ways_2_read_data",
        "own = ways_1_read_data",
    ),
    fault("strides have no sign", CACHE, "{{24{stride[7]}}, stride}", "{24'd0, stride}"),
    fault("the sign is the wrong bit", CACHE, "{24{stride[7]}}", "{24{stride[6]}}"),
    fault("a difference the wrong way round", CACHE, "address - own[31:0]", "own[31:0] - address"),
    fault(
        "the last address loses a bit",
        CACHE,
        "stride_next, address}",
        "stride_next, address[31:1], 1'b0}",
    ),
    fault(
        "a new entry has a stride",
        CACHE,
        "(|matching) ? difference[7:0] : 8'd0",
        "difference[7:0]",
    ),
    fault("the stride stays", CACHE, "? difference[7:0] :", "? stride :"),
    fault(
        "the first way is always replaced",
        CACHE,
        "matching : recency_oldest",
        "matching : 4'd1",
    ),
    fault(
        "held accesses train the cache",
        CACHE,
        "order_write_enable = update | clear_valid",
        "order_write_enable = 1'b1",
    ),
    fault(
        "a set is not cleared",
        CACHE,
        "order_write_address = clear_valid ? clear_index",
        "order_write_address = clear_valid ? 2'd0",
    ),
    fault("a pattern ends one early", REPETITIONS, "accesses == 3'd5", "accesses == 3'd4"),
    fault(
        "bits of a pattern go on",
        REPETITIONS,
        "open <= 5'd0;\n                accesses",
        "accesses",
    ),
    fault("one repetition too many", REPETITIONS, " & !(&count)", ""),
    fault("a repetition begins with 0", REPETITIONS, "count <= 2'd1", "count <= 2'd0"),
    fault("the pattern stays", REPETITIONS, "repeating <= whole", "repeating <= repeating"),
    fault("a flush does not end a repetition", REPETITIONS, "flush | (complete", "(complete"),
    fault("a flush leaves the count", REPETITIONS, "count <= 2'd0;\n                open", "open"),
    fault(
        "a flush leaves open bits",
        REPETITIONS,
        "accesses <= 3'd0;\n            end\n        end",
        "end\n        end",
    ),
    fault("every access counts as predicted", "_encoder", "looked_up & !cache_hit", "1'b0"),
    fault(
        "a flush before the buffer is empty",
        "_encoder",
        "record_ready & !buffer_out_valid",
        "record_ready",
    ),
    fault(
        "accesses leave the buffer too early",
        "_encoder",
        ".out_ready (record_ready)",
        ".out_ready (1'b1)",
    ),
    fault("the miss before the repetition", "_serial_encoder", "current[3]", "current[1]"),
    fault(
        "no stall when the buffer is full",
        ".v",
        "stall = !(sequencer_tracing & encoder_ready)",
        "stall = !sequencer_tracing",
    ),
    fault("held accesses are taken", ".v", "data_valid & !stall", "data_valid"),
    fault("the instruction's address is not shifted", ".v", "data_pc[31:2]", "data_pc[29:0]"),
];
