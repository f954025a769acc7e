//! Branch prediction and the jump target cache of E-Trace: loops in which branches are counted, left in every way.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::e_trace::config::Config;
use tracewright_sim::e_trace::encoder::Encoder;
use tracewright_sim::event::{Event, Kind};
use tracewright_sim::scheme::Scheme;

use crate::common::{MACHINE, event, learn, round_trip, sends};
use crate::e_trace::{END, END_ALONE, START};
use crate::streams::design;

/// Where the jumps go: loops of one instruction, which is then that of the address that is sent, and one of two.
const HEADS: [u64; 3] = [0x1000, 0x2000, 0x3000];
const HANDLER: u64 = 0x4000;
/// Rounds around the numbers at which a map or a counter is full.
const ROUNDS: [usize; 12] = [0, 1, 2, 29, 30, 31, 32, 33, 34, 35, 36, 70];

/// Loops of branches, with a jump or an exception between two of them.
fn loops(random: &mut impl Rng, count: usize) -> Vec<Event> {
    let mut at = HEADS[0];
    let mut events = vec![event(Kind::Exception, 0, 0, Some(at))];
    for _ in 0..count {
        let instructions = if at == HEADS[1] { 2 } else { 1 };
        let branch = at + 4 * (instructions - 1);
        let round = event(Kind::DirectConditional, instructions, branch, Some(at));
        let rounds = ROUNDS[random.random_range(0..ROUNDS.len())];
        events.extend(std::iter::repeat_n(round, rounds));
        let next = HEADS[random.random_range(0..HEADS.len())];
        if random.random_range(0..4) == 0 {
            let retired = random.random_range(0..instructions);
            let last = events[events.len() - 1].program_counter;
            let stopped = if retired == 0 { last } else { at };
            events.push(event(Kind::Exception, retired, stopped, Some(HANDLER)));
            events.push(event(Kind::IndirectJump, 1, HANDLER, Some(next)));
        } else {
            events.push(event(Kind::DirectConditional, instructions, branch, None));
            events.push(event(Kind::IndirectJump, 1, branch + 4, Some(next)));
        }
        at = next;
    }
    events
}

#[test]
fn loops_are_given_back_wherever_they_end() {
    let mut bits = [0; 3];
    for seed in 0..40 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut events = loops(&mut random, 120);
        let program = learn(MACHINE, &mut events);
        for (jump_target_cache_entries, branch_predictor_entries) in [(0, 2), (4, 0), (64, 64)] {
            let config = Config {
                jump_target_cache_entries,
                branch_predictor_entries,
                branch_count_bits: random.random_range(2..=4),
                ..Config::default()
            };
            let design = design(Scheme::ETrace(config));
            for interval in [events.len(), 7, 43] {
                let what = format!("{seed}, every {interval}: {design:?}");
                let account = round_trip(&design, &program, &events, interval, &what);
                for (sum, field) in bits.iter_mut().zip(["branch_count", "branch_fmt", "index"]) {
                    let sent = account.fields.iter().find(|(name, _)| *name == field);
                    *sum += sent.map_or(0, |(_, bits)| *bits);
                }
            }
        }
    }
    assert!(bits.iter().all(|bits| *bits > 1_000), "{bits:?}");
}

/// A loop of a branch and a jump to it; the branch ends the loop if it is not taken.
fn rounds(count: usize) -> Vec<Event> {
    let branch = event(Kind::DirectConditional, 1, 0x1000, Some(0x1000));
    vec![branch; count]
}

#[test]
fn a_count_of_predicted_branches_bit_for_bit() {
    let config = Config { branch_predictor_entries: 2, branch_count_bits: 2, ..Config::default() };
    let start = START.replace(" 1 00 0", " 0 00 0");
    let end = END.replace(" 00000000", " 00001000");
    let encoder = || Encoder::new(&config).unwrap();
    let reset = event(Kind::Exception, 0, 0, Some(0x1000));
    let left = event(Kind::DirectConditional, 1, 0x1000, None);
    let after = |count| [&[reset], &rounds(count)[..]].concat();
    // The start has the first branch, and from it the predictor learns that it is taken. 31 and 2 are predicted.
    let events = [&after(34)[..], &[left]].concat();
    let failed = "10000 000 00 010000";
    let alone = END_ALONE.replace(" 00000000", " 00001000");
    sends(encoder(), &events, &[&start, failed, &alone]);
    // A full counter: 31 and 3, with the address of the branch and `notify`; then the end, which needs no other address.
    let full =
        "10010 000 00 11000000000000000000000000000000 01 000000000000000000000000000000 1 11111";
    sends(encoder(), &after(35), &[&start, full, &alone]);
    // The end while branches are counted: 31 and 1.
    let counted = "10100 000 00 10000000000000000000000000000000 01 0000";
    sends(encoder(), &after(33), &[&start, &format!("{counted}{end}")]);
}

#[test]
fn an_index_of_the_jump_target_cache_bit_for_bit() {
    let config = Config { jump_target_cache_entries: 4, ..Config::default() };
    let there = event(Kind::IndirectJump, 4, 0x100c, Some(0x2004));
    let back = event(Kind::IndirectJump, 1, 0x2004, Some(0x1000));
    let branch = event(Kind::DirectConditional, 1, 0x1000, None);
    let again = Event { instructions: 3, ..there };
    let reset = event(Kind::Exception, 0, 0, Some(0x1000));
    let events = [reset, there, back, branch, again, back, branch];
    let records = [
        START,
        // The targets, as differences of 0x401 instructions, the second after a branch.
        "01000 000 01 10000000001000",
        "11000 000 10 10000 1 1111111111011111",
        // Their places, the second before a branch that is the last bit.
        "10000 000 00 10 0000",
        "01000 000 00 00 10000 1 111111",
        &END_ALONE.replace(" 00000000", " 00010000"),
    ];
    sends(Encoder::new(&config).unwrap(), &events, &records);
}
