//! Targets that Talon's stack and target buffer know, and what an exception to one of them costs.

use tracewright_sim::event::{Event, Kind};
use tracewright_sim::scheme::{Design, Scheme};
use tracewright_sim::talon::config::Config;
use tracewright_sim::talon::regions::Regions;
use tracewright_sim::talon::single_target_buffer::SingleTargetBuffer;

use super::encode;
use crate::common::{MACHINE, event};

fn changed(changes: &[(&str, &str)]) -> Config {
    let mut design = Design::of_scheme("small", "talon").unwrap().for_machine(MACHINE).unwrap();
    for (name, value) in changes {
        design.set(name, value).unwrap();
    }
    let Scheme::Talon(config) = design.scheme else { panic!("talon is another scheme") };
    config
}

fn bits(config: &Config, events: &[Event]) -> u64 {
    encode(config, events).1.bits
}

/// The bits that the last of so many exceptions to one target adds, `instructions` after the one before.
fn exception_bits(config: &Config, instructions: u64) -> u64 {
    let exception = event(Kind::Exception, instructions, 0x8000, Some(0x8100));
    bits(config, &[exception; 8]) - bits(config, &[exception; 7])
}

/// The code of 16 bits, ones, and two bits that say what the escape is; the coder holds the count back.
#[test]
fn an_exception_to_the_last_target_is_short() {
    for (ones, whole) in [("1", 19), ("3", 21), ("9", 27)] {
        let config = changed(&[("escape_ones", ones), ("guard_bits", "6")]);
        assert_eq!(exception_bits(&config, 0), whole, "{ones}");
        assert_eq!(exception_bits(&config, 63), whole, "{ones}");
        // A count of 10 bits, 3 bits for chunks, and an address of 6 bits, which are held back too.
        assert_eq!(exception_bits(&config, 64), whole + 10 + 3, "{ones}");
    }
}

/// A function that calls itself more often than the stack has entries.
fn recursion(depth: usize) -> Vec<Event> {
    let call = Event { call: true, ..event(Kind::DirectJump, 3, 0x8010, Some(0x8000)) };
    let back = Event { is_return: true, ..event(Kind::IndirectJump, 3, 0x8020, Some(0x8014)) };
    [vec![call; depth], vec![back; depth]].concat()
}

#[test]
fn a_stack_that_wraps_returns_from_deep_recursions() {
    let missed = |wraps| {
        let config = changed(&[("return_address_stack_wraps", wraps)]);
        bits(&config, &recursion(40)) - bits(&config, &recursion(6))
    };
    assert!(missed("true") <= 1, "{} bits", missed("true"));
    assert!(missed("false") > 34 * 8, "{} bits", missed("false"));
}

/// A return before any call has no address to go to, whatever the stack's memory has.
#[test]
fn a_stack_that_wraps_begins_empty() {
    let back = Event { is_return: true, ..event(Kind::IndirectJump, 3, 0x8020, Some(0x8014)) };
    let wraps = |wraps| bits(&changed(&[("return_address_stack_wraps", wraps)]), &[back; 20]);
    assert_eq!(wraps("true"), wraps("false"));
}

#[test]
fn a_branch_with_two_targets_has_both_entries_of_its_set() {
    let mut buffer = SingleTargetBuffer::new(&changed(&[("target_buffer_sets", "1")]));
    let mut learn = |address, target| {
        let (place, found) = buffer.look_up(address);
        buffer.learn(&place, target, true);
        found.map(|found| (found.targets, found.has_two, found.recent, found.confidence))
    };
    assert_eq!(learn(0, 100), None);
    assert_eq!(learn(0, 200), Some(([100, 0], false, false, 0)));
    assert_eq!(learn(0, 100), Some(([100, 200], true, true, 0)));
    assert_eq!(learn(0, 100), Some(([100, 200], true, false, 1)));
    // Another branch takes the entry that was not used last.
    assert_eq!(learn(1, 300), None);
    assert_eq!(learn(0, 100), Some(([100, 300], false, false, 2)));
    assert_eq!(learn(1, 300), Some(([300, 300], false, true, 0)));
    // A second target does not take the entry of another branch that is sure.
    assert_eq!(learn(0, 400), Some(([100, 300], false, false, 3)));
    assert_eq!(learn(0, 100), Some(([100, 300], false, false, 1)));
}

/// Misses of a buffer on jumps, after as many to learn them.
fn misses(changes: &[(&str, &str)], jumps: &[(u64, u64)]) -> usize {
    let mut buffer = SingleTargetBuffer::new(&changed(changes));
    let mut misses = |jumps: &[(u64, u64)]| {
        let mut missed = |&(address, target): &(u64, u64)| {
            let (place, found) = buffer.look_up(address);
            let is_known = found.is_some_and(|found| found.targets.contains(&target));
            buffer.learn(&place, target, true);
            !is_known
        };
        jumps.iter().filter(|jump| missed(jump)).count()
    };
    misses(jumps);
    misses(jumps)
}

#[test]
fn a_jump_with_many_targets_in_turn_is_found_by_the_last_ones() {
    let jumps: Vec<_> = (0..1200).map(|step| (0x40, 0x100 + 0x13 * (step % 6))).collect();
    let by =
        |history| misses(&[("target_buffer_sets", "64"), ("target_history_bits", history)], &jumps);
    assert!(by("0") > 300, "{}", by("0"));
    assert!(by("10") < 60, "{}", by("10"));
}

#[test]
fn a_branch_with_one_target_needs_no_entry_for_each_history() {
    // A branch with many targets comes between, so that the history is another one each time.
    let jump = |step: u64| match step % 2 {
        0 => (0x40, 0x100 + 0x13 * (step / 2 % 6)),
        _ => (0x85, 0x500),
    };
    let jumps: Vec<_> = (0..1200).map(jump).collect();
    let changes = [("target_buffer_sets", "16"), ("target_history_bits", "6")];
    let mut buffer = SingleTargetBuffer::new(&changed(&changes));
    let mut missed = 0;
    for (address, target) in jumps {
        let (place, found) = buffer.look_up(address);
        let is_wrong = found.is_none_or(|found| found.targets[0] != target);
        missed += usize::from(address == 0x85 && is_wrong);
        buffer.learn(&place, target, true);
    }
    assert!(missed < 5, "{missed}");
}

#[test]
fn branches_that_meet_in_one_way_do_not_in_the_other() {
    // In one set by their addresses: a branch with two targets, and another one.
    let jumps = [(0x10, 0x100), (0x10, 0x200), (0x58, 0x300)].repeat(200);
    let by = |skewed| {
        let changes = [
            ("target_buffer_sets", "8"),
            ("target_buffer_tag_bits", "6"),
            ("target_buffer_ages", "true"),
            ("target_buffer_random_victim", "true"),
            ("target_buffer_skewed", skewed),
        ];
        misses(&changes, &jumps)
    };
    assert!(by("false") > 100, "{}", by("false"));
    assert!(by("true") <= 20, "{}", by("true"));
}

/// A program that calls a library far away so many times, each function through its own pointer, and comes back.
fn calls_between_regions(regions: u64, times: usize) -> Vec<Event> {
    let library = |number: u64| 0x0100_0000 * number + 0x9000;
    let call = |number: u64| {
        let at = 0x8010 + 0x40 * number;
        Event { call: true, ..event(Kind::IndirectJump, 4, at, Some(library(number))) }
    };
    let back = |number: u64| {
        let to = 0x8014 + 0x40 * number;
        Event { is_return: true, ..event(Kind::IndirectJump, 3, library(number) + 8, Some(to)) }
    };
    let each = (1..=regions).flat_map(|number| [call(number), back(number)]);
    each.collect::<Vec<_>>().repeat(times)
}

/// Bits of 100 more rounds, after the buffer knows every call.
fn bits_of_rounds(registers: &str, libraries: u64) -> u64 {
    let set = [("target_regions", registers), ("target_buffer_sets", "64"), ("target_bits", "18")];
    let config = changed(&set);
    let events = |times| calls_between_regions(libraries, times);
    bits(&config, &events(120)) - bits(&config, &events(20))
}

#[test]
fn registers_of_regions_make_far_calls_and_returns_cheap() {
    assert!(bits_of_rounds("0", 1) > 100 * 2 * 10);
    assert!(bits_of_rounds("2", 1) < 20, "{}", bits_of_rounds("2", 1));
    assert!(bits_of_rounds("4", 3) < 60, "{}", bits_of_rounds("4", 3));
    // More regions than registers: each one that is entered takes the register of one that is still used.
    assert!(bits_of_rounds("4", 5) > 100 * 5 * 10, "{}", bits_of_rounds("4", 5));
    assert!(bits_of_rounds("8", 5) < 100, "{}", bits_of_rounds("8", 5));
}

#[test]
fn a_new_region_takes_the_oldest_register() {
    let config = changed(&[("target_regions", "2")]);
    let mut regions = Regions::new(&config);
    // The registers begin with zeros, and the first of them counts.
    assert_eq!(regions.enter(0), (0, true));
    assert_eq!(regions.enter(5), (0, false));
    assert_eq!(regions.enter(7), (1, false));
    assert_eq!(regions.left(), 0);
    assert_eq!(regions.enter(5), (0, true));
    assert_eq!(regions.left(), 1);
    assert_eq!(regions.enter(9), (0, false));
    assert_eq!((regions.upper(0), regions.upper(1)), (9, 7));
}

#[test]
fn a_sure_entry_that_no_branch_uses_gives_way() {
    // The second entry is sure and of another branch; the first branch changes between two targets from now on.
    let misses = |ages| {
        let config = changed(&[
            ("target_buffer_sets", "1"),
            ("target_buffer_tag_bits", "16"),
            ("target_buffer_ages", ages),
        ]);
        let mut buffer = SingleTargetBuffer::new(&config);
        for _ in 0..4 {
            for (address, target) in [(0x40, 0x100), (0x80, 0x200)] {
                let place = buffer.look_up(address).0;
                buffer.learn(&place, target, true);
            }
        }
        let targets = [0x100, 0x300].repeat(20);
        let known = |buffer: &mut SingleTargetBuffer, target| {
            let (place, found) = buffer.look_up(0x40);
            buffer.learn(&place, target, true);
            found.is_some_and(|found| found.targets.contains(&target))
        };
        targets.into_iter().filter(|target| !known(&mut buffer, *target)).count()
    };
    assert!(misses("true") < 10, "{}", misses("true"));
    assert!(misses("false") >= 20, "{}", misses("false"));
}

#[test]
fn a_random_victim_keeps_some_of_three_branches_in_turn() {
    let misses = |random| {
        let config = changed(&[
            ("target_buffer_sets", "1"),
            ("target_buffer_tag_bits", "16"),
            ("target_buffer_random_victim", random),
        ]);
        let mut buffer = SingleTargetBuffer::new(&config);
        let mut missed = 0;
        for address in [0x40, 0x80, 0xc0].repeat(50) {
            let (place, found) = buffer.look_up(address);
            missed += usize::from(found.is_none());
            buffer.learn(&place, address + 8, true);
        }
        missed
    };
    assert!(misses("false") >= 140, "{}", misses("false"));
    assert!(misses("true") < 110, "{}", misses("true"));
}
