//! What finds faults in the data address compressor.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::event::{Access, AccessSite};
use tracewright_sim::scheme::Design;

use super::subject::Subject;

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
        // The first instruction is at address 0. Those from the sixteenth on differ from the others in one bit.
        let low = match instruction as u64 % 16 {
            number @ 8.. => 4 * number + 32,
            number => 4 * number,
        };
        let program_counter = match instruction as u64 {
            instruction @ 16.. => low | 1 << (instruction - 8),
            _ => low,
        };
        let store = random.random();
        let site = AccessSite { instructions: 1, program_counter, store, thread: 0 };
        accesses.push(Access { site, address });
    }
    accesses
}
