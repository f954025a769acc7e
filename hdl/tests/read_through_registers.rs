//! The target buffer with tables that are read through registers, against the same model.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_elaborate::prelude::*;
use tracewright_hdl::traptor::indirect_branch_target_buffer::IndirectBranchTargetBuffer;
use tracewright_sim as sim;
use tracewright_sim::config::{MemoryStyle, index_bits};
use tracewright_sim::traptor::config::{Config, Replacement};

use crate::steps;

/// A branch on its way through the buffer.
#[derive(Clone, Copy, Default)]
struct Branch {
    address: u64,
    target: u64,
    taken: bool,
    updates: bool,
}

/// A branch every cycle: its address in the first, its target in the second, and what it learns in the third.
///
/// Few sets and targets, so that a branch often finds what one of the two before it learned.
#[test]
fn indirect_branch_target_buffer() {
    let both = [Replacement::LeastRecentlyUsed, Replacement::RoundRobin];
    let drawn = both.map(|replacement| [1, 2, 3].map(|ways| (replacement, ways)));
    for (replacement, ways) in drawn.concat() {
        let config = Config {
            gshare_entries: 4,
            return_address_stack_depth: 4,
            indirect_branch_target_buffer_replacement: replacement,
            indirect_branch_target_buffer_ways: ways,
            indirect_branch_target_buffer_entries: 2 * ways,
            indirect_branch_target_buffer_tag_bits: 2,
            path_history_bits: Some(1),
            memory_style: MemoryStyle::Synchronous,
            ..Config::default()
        };
        let (width, clear_bits) = (config.table_target_bits() as usize, index_bits(4) as usize);
        let mut model =
            sim::traptor::indirect_branch_target_buffer::IndirectBranchTargetBuffer::new(&config);
        let mut hardware =
            Simulator::new(IndirectBranchTargetBuffer::new(&config, clear_bits)).unwrap();
        for index in 0..4 {
            hardware.poke(|block| {
                block.clear.valid.next = true.into();
                block.clear.index.next = Word::new(clear_bits, index);
            });
            hardware.clock();
        }
        hardware.poke(|block| block.clear.valid.next = false.into());
        let mut random = ChaCha8Rng::seed_from_u64(ways.into());
        // The branches of the second and of the third cycle; what the model found for the latter.
        let (mut compared, mut learning) = (Branch::default(), Branch::default());
        for step in 0..steps(4_000, 4) {
            let branch = Branch {
                address: random.random_range(0..4) << 4 | random.random_range(0..4) << 10,
                target: random.random_range(0..3),
                taken: random.random(),
                updates: random.random(),
            };
            hardware.poke(|block| {
                block.program_counter.next = Word::new(32, branch.address);
                block.taken.next = bool::into(branch.taken);
                block.update_path.next = bool::into(branch.updates);
                block.target.next = Word::new(width, compared.target);
                block.learn.next = bool::into(learning.updates && learning.taken);
            });
            if step >= 2 {
                let lookup = model.look_up(learning.address);
                let hit = hardware.peek(|block| block.hit.val()).any();
                let is_wrong = hardware.peek(|block| block.is_wrong.val()).any();
                let held = lookup.target.map(|held| held != learning.target);
                assert_eq!(hit.then_some(is_wrong), held, "{replacement:?}, {ways} ways, {step}");
                if learning.updates {
                    if learning.taken {
                        model.update(lookup, learning.target);
                    }
                    model.update_path(learning.address, learning.taken);
                }
            }
            hardware.clock();
            (learning, compared) = (compared, branch);
        }
    }
}
