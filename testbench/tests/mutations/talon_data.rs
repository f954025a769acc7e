//! Data addresses with coded confidence with every fault of its own modules.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::event::{Access, AccessSite, Item};
use tracewright_sim::scheme::Design;
use tracewright_testbench::stimulus::{Ready, Stimulus};

use super::bench::Bench;

/// A small table, whose entries instructions share, and all that the scheme has of its own.
pub fn bench() -> Bench<'static> {
    let mut design = Design::preset("talon-d").unwrap();
    for (name, value) in
        [("stride_entries", "16"), ("stride_bits", "8"), ("kept_address_bits", "12")]
    {
        design.set(name, value).unwrap();
    }
    let shown = |seed| Stimulus { seed, ..Stimulus::default() };
    let slow = Stimulus {
        ready: Ready::Random,
        bubble_percent: 20,
        flush_interval: Some(1000),
        ..shown(1)
    };
    let bursts =
        Stimulus { ready: Ready::Bursts, bubble_percent: 60, flush_interval: Some(37), ..shown(3) };
    let runs = vec![
        (slow, accesses(1, 24, 200, 6_000)),
        (bursts, accesses(2, 24, 200, 6_000)),
        (shown(2), accesses(3, 24, 200, 20_000)),
        // With entries of their own instructions come to the highest confidence.
        (shown(4), accesses(4, 3, 20_000, 16_000)),
    ];
    Bench::of_design("talon-data", design, runs).only(&["encoder", "coding", "stride_table"])
}

/// How an instruction's addresses move.
#[derive(Clone, Copy)]
enum Pattern {
    Stride(u64),
    Anywhere,
}

/// Accesses of instructions that mostly keep a stride, begin elsewhere once in so
/// many accesses, in a few regions and in many.
fn accesses(seed: u64, sites: usize, between_jumps: u32, count: usize) -> Vec<Item> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let bases: [u64; 5] = std::array::from_fn(|_| random.random::<u32>().into());
    let mut instructions: Vec<(u64, u64, Pattern)> = (0..sites)
        .map(|_| {
            let pattern = match random.random_range(0..8) {
                0 => Pattern::Anywhere,
                1 => Pattern::Stride(0u64.wrapping_sub(random.random_range(1..40))),
                2 => Pattern::Stride(0),
                _ => Pattern::Stride(random.random_range(1..40)),
            };
            (random.random::<u32>().into(), 0, pattern)
        })
        .collect();
    let access = |_| {
        let (program_counter, address, pattern) = &mut instructions[random.random_range(0..sites)];
        *address = match *pattern {
            _ if random.random_range(0..between_jumps) == 0 => {
                bases[random.random_range(0..bases.len())]
            }
            Pattern::Stride(stride) => address.wrapping_add(stride),
            Pattern::Anywhere => random.random::<u32>().into(),
        } & u64::from(u32::MAX);
        let site = AccessSite {
            instructions: 1,
            program_counter: *program_counter,
            store: random.random(),
            thread: 0,
        };
        Item::Access(Access { site, address: *address })
    };
    (0..count).map(access).collect()
}
