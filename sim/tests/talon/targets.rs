//! Targets that Talon's stack and target buffer know, and what an exception to one of them costs.

use tracewright_sim::event::{Event, Kind};
use tracewright_sim::scheme::{Design, Scheme};
use tracewright_sim::talon::config::Config;
use tracewright_sim::talon::single_target_buffer::SingleTargetBuffer;

use super::encode;
use crate::common::{MACHINE, event};

fn preset(changes: &[(&str, &str)]) -> Config {
    let mut design = Design::preset("talon-s").unwrap().for_machine(MACHINE).unwrap();
    for (name, value) in changes {
        design.set(name, value).unwrap();
    }
    let Scheme::Talon(config) = design.scheme else { panic!("talon-s is of another scheme") };
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
        let config = preset(&[("escape_ones", ones), ("guard_bits", "6")]);
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
        let config = preset(&[("return_address_stack_wraps", wraps)]);
        bits(&config, &recursion(40)) - bits(&config, &recursion(6))
    };
    assert!(missed("true") <= 1, "{} bits", missed("true"));
    assert!(missed("false") > 34 * 8, "{} bits", missed("false"));
}

/// A return before any call has no address to go to, whatever the stack's memory has.
#[test]
fn a_stack_that_wraps_begins_empty() {
    let back = Event { is_return: true, ..event(Kind::IndirectJump, 3, 0x8020, Some(0x8014)) };
    let wraps = |wraps| bits(&preset(&[("return_address_stack_wraps", wraps)]), &[back; 20]);
    assert_eq!(wraps("true"), wraps("false"));
}

#[test]
fn a_branch_with_two_targets_has_both_entries_of_its_set() {
    let mut buffer = SingleTargetBuffer::new(&preset(&[("target_buffer_sets", "1")]));
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
