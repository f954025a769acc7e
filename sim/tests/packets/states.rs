//! Contexts, privilege levels and causes of exceptions.

use tracewright_sim::encode::bit_packer::BitPacker;
use tracewright_sim::event::{Event, ExecutionState, Item, Kind};
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::packet::part::Part;
use tracewright_sim::scheme::{Design, Encoder};
use tracewright_sim::session::{Detail, Session};
use tracewright_sim::synthetic::states::States;

use super::{Workload, load, packets, presets};
use crate::common::packet_damage::decode_from;
use crate::common::{MACHINE, Text, described, event, is_long};

const SETTINGS: [(&str, &str); 4] =
    [("checksum_bits", "16"), ("context_bits", "16"), ("privilege_bits", "2"), ("cause_bits", "8")];

/// The events with states after some of them.
fn with_states(design: &Design, events: &[Event]) -> Vec<Item> {
    let mut states = States::new(3, design.protocol()).unwrap();
    let item = |event: &Event| {
        let state = states.after(event);
        std::iter::once(Item::Event(*event)).chain(state.map(Item::State))
    };
    events.iter().flat_map(item).collect()
}

pub(super) fn encode(design: &Design, items: &[Item]) -> Vec<u8> {
    let mut encoder = Encoder::new(design).unwrap();
    let mut packer = BitPacker::new();
    items.iter().for_each(|item| encoder.item(item, &mut packer).unwrap());
    encoder.flush(&mut packer);
    packer.finish()
}

/// Events and states, without the lengths that a trace does not have.
pub(super) fn items_of(parts: &[Part]) -> Vec<Item> {
    let item = |part: &Part| match part {
        Part::Event(event) => Item::Event(described(event)),
        Part::State(state) => Item::State(*state),
        Part::Time(_) | Part::Unverified | Part::Gap(_) => panic!("{part:?}"),
    };
    parts.iter().map(item).collect()
}

pub(super) fn expected(items: &[Item]) -> Vec<Item> {
    let item = |item: &Item| match item {
        Item::Event(event) => Item::Event(described(event)),
        other => *other,
    };
    items.iter().map(item).collect()
}

#[test]
fn states_come_back_where_they_change() {
    let workload = load("rv32imac-traps", 20_000);
    for preset in presets() {
        for keeps in ["false", "true"] {
            let settings = [&SETTINGS[..], &[("sync_keeps_tables", keeps)]].concat();
            let design = packets(&preset, workload.machine, &settings);
            let items = with_states(&design, &workload.events);
            let states = items.iter().filter(|item| matches!(item, Item::State(_))).count();
            assert!(states > 500, "{states} states");
            let bytes = encode(&design, &items);
            let (parts, recovered) = decode_from(&design, &workload.program, &bytes, 0);
            assert!(items_of(&parts) == expected(&items), "{preset}, keeps {keeps}");
            assert_eq!(recovered.states, states as u64);
        }
    }
}

/// Where the interval is over and the state changes, the tables are cleared; elsewhere a change keeps them, and the
/// interval goes on.
#[test]
fn intervals_go_on_over_changes_of_state() {
    let count = if is_long() { 20_000 } else { 6_000 };
    let Workload { machine, events, program } = load("rv32imac-traps", count);
    let restarts = |settings: &[(&str, &str)]| {
        let design = packets("traptor-m4", machine, settings);
        let items = match design.protocol().traces_state() {
            true => with_states(&design, &events),
            false => events.iter().map(|event| Item::Event(*event)).collect(),
        };
        let bytes = encode(&design, &items);
        // From any bit on a decoder begins with the next packet that clears the tables.
        let starts = (0..bytes.len() as u64 * 8).step_by(64).map(|from| {
            let (parts, _) = decode_from(&design, &program, &bytes, from);
            parts.iter().filter(|part| matches!(part, Part::Event(_))).count()
        });
        let mut starts: Vec<usize> = starts.collect();
        starts.dedup();
        starts
    };
    let without = restarts(&[("checksum_bits", "16")]);
    assert!(without.len() > 5, "{without:?}");
    assert_eq!(restarts(&SETTINGS), without);
}

/// A header after an exception, and one after a change of privilege level.
#[test]
fn states_bit_for_bit() {
    let settings = [
        ("context_bits", "4"),
        ("privilege_bits", "2"),
        ("cause_bits", "3"),
        ("sequence_bits", "0"),
    ];
    let design = packets("traptor-m4", MACHINE, &settings);
    let mut encoder = Encoder::new(&design).unwrap();
    let mut text = Text::default();
    let trap = event(Kind::Exception, 2, 0x104, Some(0x40));
    encoder.event(&trap, &mut text).unwrap();
    let state = ExecutionState { context: 9, privilege: 1, cause: Some(6) };
    encoder.detail(Detail::State(state), &mut text).unwrap();
    let back = event(Kind::IndirectJump, 1, 0x40, Some(0x108));
    encoder.event(&back, &mut text).unwrap();
    let state = ExecutionState { context: 9, privilege: 0, cause: None };
    encoder.detail(Detail::State(state), &mut text).unwrap();
    encoder.flush(&mut text);
    // Marker, kind, is_after, address in instructions, keeps_tables, context, privilege, has_cause, cause.
    let headers = [
        "1111111111111111 0 10 0 000010000000000000000000000000 1 1001 10 1 011",
        "1111111111111111 0 10 0 010000100000000000000000000000 1 1001 00 0",
    ];
    let mut rest = text.0.replace(' ', "");
    for header in headers {
        let header = header.replace(' ', "");
        let place = rest.find(&header).unwrap_or_else(|| panic!("{header} in {rest}"));
        rest = rest.split_off(place + header.len());
    }
}

#[test]
fn a_state_that_does_not_fit_is_refused() {
    let design = packets("traptor-m4", MACHINE, &SETTINGS);
    let mut encoder = Encoder::new(&design).unwrap();
    let state = ExecutionState { context: 1 << 16, privilege: 3, cause: None };
    let (state, mut text) = (Detail::State(state), Text::default());
    let error = encoder.detail(state, &mut text).unwrap_err().to_string();
    assert_eq!(error, "after event 0: context 0x10000 does not fit context_bits = 16");
    let untraced = packets("traptor-m4", MACHINE, &[("cause_bits", "8")]);
    Encoder::new(&untraced).unwrap().detail(state, &mut text).unwrap();
}
