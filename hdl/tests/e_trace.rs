//! The length of E-Trace's payloads, in RustHDL's simulation, against its twin in the golden model.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_elaborate::prelude::*;
use tracewright_hdl::e_trace::branch_predictor::BranchPredictor;
use tracewright_hdl::e_trace::jump_target_cache::JumpTargetCache;
use tracewright_hdl::e_trace::payload::PayloadCut;
use tracewright_sim::config::{Processor, Protocol, mask};
use tracewright_sim::e_trace::branch_predictor;
use tracewright_sim::e_trace::config::Config;
use tracewright_sim::e_trace::jump_target_cache;
use tracewright_sim::e_trace::layout::Word as Record;
use tracewright_sim::e_trace::payload::{Depth, Ending, TrapValue};

const STEPS: usize = 4_000;

/// A number of any length, of either sign.
fn number(random: &mut impl Rng, width: u32) -> u64 {
    let number = mask(random.random_range(0..=width)) & random.random::<u64>();
    (if random.random() { number } else { !number }) & mask(width)
}

fn extended(value: u64, width: u32, to: u32) -> Word {
    let unused = 64 - width;
    Word::new(to as usize, ((value << unused) as i64 >> unused) as u64 & mask(to))
}

/// What the hardware says of a payload.
fn cut(block: &PayloadCut) -> [u64; 8] {
    [
        block.bytes.val(),
        block.map_bits.val(),
        block.size.val(),
        block.kept.val(),
        block.rest.val(),
        block.rest_bits.val(),
        block.kept_trap_value.val(),
        block.trap_value_size.val(),
    ]
    .map(|word| word.to_u64())
}

/// The same as the model has it.
fn fields(record: &Record) -> [u64; 8] {
    let Record { bytes, map_bits, value_bits, value, rest, rest_bits, .. } = *record;
    let Record { trap_value, trap_value_bits, .. } = *record;
    [bytes, map_bits, value_bits, value, rest, rest_bits, trap_value, trap_value_bits]
}

/// Widths of address and alignment, of the cause, entries of the stack, and bits of the context.
type Sizes = (u32, u32, u32, u32, u32);

/// The sizes of each configuration, and whether its traps end in a value.
const CASES: [(Sizes, bool); 8] = [
    ((32, 1, 6, 0, 0), false),
    ((32, 2, 16, 2, 0), false),
    ((64, 0, 16, 256, 16), false),
    ((64, 1, 15, 8, 0), false),
    ((32, 1, 6, 0, 5), false),
    ((32, 1, 6, 0, 5), true),
    ((64, 0, 16, 256, 16), true),
    ((64, 2, 7, 0, 1), true),
];

fn config(
    (address_width, alignment, trap_cause_bits, entries, context_bits): Sizes,
    trap_values: bool,
) -> Config {
    let processor = Processor { address_width, alignment, ..Processor::default() };
    // With a context there is a cause too, and an interrupt has no `tval`. Both need a switch.
    let cause_bits = if context_bits > 0 { 1 + trap_cause_bits } else { 0 };
    let protocol =
        Protocol { enable_pin: true, context_bits, cause_bits, trap_values, ..Protocol::default() };
    let return_stack_entries = entries;
    Config { processor, protocol, trap_cause_bits, return_stack_entries, ..Config::default() }
}

/// How an address ends, and the stack that it reports.
fn drawn_ending(random: &mut impl Rng, config: &Config) -> (Ending, Option<Depth>) {
    let endings = [Ending::Plain, Ending::Plain, Ending::Notified, Ending::Unfollowed];
    let ending = endings[random.random_range(0..endings.len())];
    let entries = config.return_stack_entries;
    let depth = (entries > 0 && ending != Ending::Notified && random.random()).then(|| Depth {
        depth: random.random_range(0..=entries).into(),
        bits: config.depth_bits(),
    });
    (ending, depth)
}

#[test]
fn payloads_are_as_long_as_in_the_model() {
    for (sizes, trap_values) in CASES {
        let config = config(sizes, trap_values);
        let (address_width, _, trap_cause_bits, return_stack_entries, context_bits) = sizes;
        let (width, value_bits) = (config.address_bits(), config.value_bits());
        let mut hardware = Simulator::new(PayloadCut::new(&config)).unwrap();
        let mut random = ChaCha8Rng::seed_from_u64(address_width.into());
        for step in 0..STEPS {
            let value = number(&mut random, width);
            let branches = random.random_range(1..=31);
            let map = number(&mut random, branches);
            let value_or_none = if random.random() { value } else { 0 };
            let (ending, depth) = drawn_ending(&mut random, &config);
            let full = number(&mut random, 31);
            let is_interrupt = config.tells_cause() && random.random();
            let told = number(&mut random, address_width);
            let trap_value = TrapValue::new(told, config.trap_value_bits(), is_interrupt);
            let (expected, whole, own) = match step % 5 {
                0 => (Record::start(value, width, context_bits, false), value, width),
                1 => {
                    let trap = (width, trap_cause_bits + context_bits);
                    (Record::trap(value, trap, trap_value, true, false), value, width)
                }
                2 => (Record::full_map(full), full, 31),
                3 => (Record::report(value, width, (0, 0), ending, depth), value, width),
                _ => {
                    let branches = (branches, map);
                    let report = Record::report(value_or_none, width, branches, ending, depth);
                    (report, value_or_none, width)
                }
            };
            let is_report = step % 5 > 2;
            hardware.poke(|block| {
                block.value.next = extended(whole, own, value_bits);
                block.start.next = expected.start.into();
                block.trap.next = expected.trap.into();
                block.full.next = expected.full.into();
                block.map.next = Word::new(31, expected.map);
                block.branches.next = Word::new(5, expected.branch_count);
                block.notify.next = (is_report && ending == Ending::Notified).into();
                block.updiscon.next = (is_report && ending == Ending::Unfollowed).into();
                if let Some(Depth { depth, bits }) = depth {
                    block.depth.next = Word::new(bits as usize, depth);
                }
                if config.tells_cause() {
                    block.interrupt.next = is_interrupt.into();
                }
                if trap_values {
                    block.trap_value.next = Word::new(address_width as usize, told);
                }
                if return_stack_entries > 0 {
                    block.irreport.next = (is_report && depth.is_some()).into();
                }
            });
            let found = hardware.peek(cut);
            let expected = fields(&expected);
            assert_eq!(found, expected, "step {step}, {value:#x}, {branches} branches of {map:#x}");
        }
    }
}

/// A few addresses that share places, of 31 bits.
fn address(random: &mut impl Rng) -> u64 {
    0x2000_0000 + random.random_range(0..24u64)
}

#[test]
fn the_jump_target_cache_is_that_of_the_model() {
    let processor = Processor { alignment: 1, ..Processor::default() };
    let config = Config { processor, jump_target_cache_entries: 8, ..Config::default() };
    let mut hardware = Simulator::new(JumpTargetCache::new(&config)).unwrap();
    let mut model = jump_target_cache::JumpTargetCache::new(8);
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut hits = 0;
    for step in 0..STEPS {
        let (target, forget) = (address(&mut random), random.random_range(0..50) == 0);
        hardware.poke(|block| {
            block.target.next = Word::new(31, target);
            block.keep.next = true.into();
            block.forget.next = forget.into();
        });
        let found = hardware.peek(|block| (block.hit.val().any(), block.index.val().to_u64()));
        let expected = model.keep(target);
        assert_eq!(found.0.then_some(found.1), expected, "step {step}: {target:#x}");
        hits += u32::from(found.0);
        if forget {
            model.clear();
        }
        hardware.clock();
    }
    assert!(hits > 500, "{hits} hits");
}

#[test]
fn the_branch_predictor_is_that_of_the_model() {
    let processor = Processor { alignment: 1, ..Processor::default() };
    let config = Config { processor, branch_predictor_entries: 8, ..Config::default() };
    let mut hardware = Simulator::new(BranchPredictor::new(&config)).unwrap();
    let mut model = branch_predictor::BranchPredictor::new(8);
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let mut right = 0;
    for step in 0..STEPS {
        let (address, forget) = (address(&mut random), random.random_range(0..50) == 0);
        let taken = address % 3 == 0 || random.random_range(0..4) == 0;
        hardware.poke(|block| {
            block.address.next = Word::new(31, address);
            block.taken.next = taken.into();
            block.learn.next = true.into();
            block.forget.next = forget.into();
        });
        let found = hardware.peek(|block| block.is_right.val().any());
        assert_eq!(found, model.learn(address, taken), "step {step}: {address:#x}");
        right += u32::from(found);
        if forget {
            model.clear();
        }
        hardware.clock();
    }
    assert!(right > 1_000, "{right} right");
}
