//! Losses, ends in the middle, resets, and the bits of headers.

use tracewright_sim::encode::bit_packer::BitPacker;
use tracewright_sim::event::{Event, ExecutionState, Kind};
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::packet::header::{Loss, LossCause, MOST_LOST, Next};
use tracewright_sim::packet::part::{Part, Reason};
use tracewright_sim::program::Place;
use tracewright_sim::scheme::{Design, Encoder};
use tracewright_sim::session::{Session, Synchronisation, Turn};

use super::{Workload, events_of, gaps_of, load, packets, presets};
use crate::common::packet_damage::decode_from;
use crate::common::{MACHINE, Text, described, event};

/// Where the instruction after an event is.
fn after(event: &Event) -> Next {
    if event.taken { Next::At(event.target) } else { Next::After(event.program_counter) }
}

fn is_control_flow(event: &Event) -> bool {
    event.kind != Kind::Exception || event.taken
}

/// Drops events between two control-flow events, and says so.
fn with_loss(design: &Design, workload: &Workload) -> (Vec<Part>, usize, usize, u64) {
    let events = &workload.events;
    let place = |from: usize| from + events[from..].iter().position(is_control_flow).unwrap() + 1;
    let (begin, end) = (place(events.len() / 3), place(events.len() / 2));
    let lost: u64 = events[begin..end].iter().map(|event| event.instructions).sum();
    let mut encoder = Encoder::new(design).unwrap();
    let mut packer = BitPacker::new();
    events[..begin].iter().for_each(|event| encoder.event(event, &mut packer).unwrap());
    let next = after(&events[end - 1]);
    let state = ExecutionState::default();
    let what =
        Synchronisation::AfterLoss { instructions: lost, cause: LossCause::NoRoom, next, state };
    encoder.turn(Turn::Synchronise(what), &mut packer);
    events[end..].iter().for_each(|event| encoder.event(event, &mut packer).unwrap());
    encoder.flush(&mut packer);
    let (parts, _) = decode_from(design, &workload.program, &packer.finish(), 0);
    (parts, begin, end, lost)
}

#[test]
fn a_loss_is_reported_exactly() {
    let workload = load("rv32imac-traps", 8_000);
    for preset in presets() {
        for keeps in ["false", "true"] {
            let settings = [("when_full", "drop"), ("sync_keeps_tables", keeps)];
            let design = packets(&preset, workload.machine, &settings);
            let (parts, begin, end, lost) = with_loss(&design, &workload);
            let gap = parts.iter().position(|part| matches!(part, Part::Gap(_))).unwrap();
            let gaps = gaps_of(&parts);
            assert_eq!((gap, gaps.len()), (begin, 1), "{preset}: {gaps:?}");
            let loss = Loss { instructions: lost.min(MOST_LOST), cause: LossCause::NoRoom };
            assert_eq!(gaps[0].reason, Reason::Lost(loss), "{preset}");
            assert_eq!(gaps[0].goes_on, Some(after(&workload.events[end - 1]).place()), "{preset}");
            let there = workload.events[..begin].iter().chain(&workload.events[end..]);
            assert!(events_of(&parts).into_iter().eq(there.map(described)), "{preset}");
        }
    }
}

#[test]
fn flushes_in_the_middle_are_no_gaps() {
    let workload = load("rv32imac-traps", 8_000);
    for preset in presets() {
        let design = packets(&preset, workload.machine, &[("checksum_bits", "8")]);
        let mut encoder = Encoder::new(&design).unwrap();
        let mut packer = BitPacker::new();
        for part in workload.events.chunks(701) {
            part.iter().for_each(|event| encoder.event(event, &mut packer).unwrap());
            encoder.flush(&mut packer);
        }
        let (parts, _) = decode_from(&design, &workload.program, &packer.finish(), 0);
        assert_eq!(gaps_of(&parts), [] as [&_; 0], "{preset}");
        assert!(
            events_of(&parts).into_iter().eq(workload.events.iter().map(described)),
            "{preset}"
        );
    }
}

#[test]
fn a_reset_is_a_gap_at_which_the_program_begins_again() {
    let workload = load("arm-stringsearch", 3_000);
    let design = packets("traptor-m4", workload.machine, &[]);
    let mut packer = BitPacker::new();
    for _ in 0..2 {
        let mut encoder = Encoder::new(&design).unwrap();
        workload.events.iter().for_each(|event| encoder.event(event, &mut packer).unwrap());
        encoder.flush(&mut packer);
    }
    let (parts, recovered) = decode_from(&design, &workload.program, &packer.finish(), 0);
    let gaps = gaps_of(&parts);
    assert_eq!((gaps.len(), &gaps[0].reason), (1, &Reason::Reset));
    assert_eq!(gaps[0].goes_on, Some(Place::Start(0)));
    assert_eq!(recovered.events as usize, 2 * workload.events.len());
}

/// The same where nothing but a loss was told before it.
#[test]
fn a_reset_after_a_loss_alone_is_a_gap_too() {
    let workload = load("rv32imac-traps", 3_000);
    for preset in presets() {
        let design = packets(&preset, workload.machine, &[("when_full", "drop")]);
        let mut packer = BitPacker::new();
        let mut lossy = Encoder::new(&design).unwrap();
        let lost = workload.events.iter().position(is_control_flow).unwrap() + 1;
        let instructions = workload.events[..lost].iter().map(|event| event.instructions).sum();
        let (next, state) = (after(&workload.events[lost - 1]), ExecutionState::default());
        let cause = LossCause::NotReady;
        let loss = Synchronisation::AfterLoss { instructions, cause, next, state };
        lossy.turn(Turn::Synchronise(loss), &mut packer);
        lossy.flush(&mut packer);
        let mut encoder = Encoder::new(&design).unwrap();
        workload.events.iter().for_each(|event| encoder.event(event, &mut packer).unwrap());
        encoder.flush(&mut packer);
        let (parts, _) = decode_from(&design, &workload.program, &packer.finish(), 0);
        let reasons: Vec<&Reason> = gaps_of(&parts).into_iter().map(|gap| &gap.reason).collect();
        let lost = Reason::Lost(Loss { instructions, cause });
        assert_eq!(reasons, [&lost, &Reason::Reset], "{preset}");
        assert!(
            events_of(&parts).into_iter().eq(workload.events.iter().map(described)),
            "{preset}"
        );
    }
}

/// Literal bits: first bit first, spaces where the format has borders.
#[test]
fn headers_bit_for_bit() {
    let first = event(Kind::DirectConditional, 2, 0x104, None);
    let settings = [("checksum_bits", "8"), ("sequence_bits", "0")];
    let design = packets("traptor-m4", MACHINE, &settings);
    let mut encoder = Encoder::new(&design).unwrap();
    let mut text = Text::default();
    encoder.event(&first, &mut text).unwrap();
    encoder.turn(Turn::Synchronise(Synchronisation::Periodic), &mut text);
    let (instructions, cause) = (300, LossCause::Off);
    let next = Next::At(0xfff8);
    let state = ExecutionState::default();
    encoder.turn(
        Turn::Synchronise(Synchronisation::AfterLoss { instructions, cause, next, state }),
        &mut text,
    );
    encoder.flush(&mut text);
    let marker = "1111111111111111 0";
    let expected = [
        // No packet is before the first one: 0xff. Start.
        &format!("{marker} 11111111 00"),
        // Flush: the escape of a branch count (3, 1), code 0, an instruction count of 2 in chunks of 2.
        "000 1 0 0 00 01 0",
        // Synchronisation, after the instruction at 0x104 / 4.
        &format!("{marker} CHECK 10 1 100000100000000000000000000000"),
        "000 1 0 0 00 00 0",
        // 300 = 0b1_00101100 in chunks of 8, tracing was off, at 0xfff8 / 4 = 0b11_1111_1111_1110.
        &format!("{marker} CHECK 01 00110100 1 10000000 0 10 0 011111111111110000000000000000"),
        "000 1 0 0 00 00 0",
        &format!("{marker} CHECK 11"),
    ];
    let whole: String = expected.concat().replace(' ', "");
    let sent: String = text.0.replace(' ', "");
    assert_eq!(sent.len(), whole.replace("CHECK", "00000000").len());
    let mut rest = sent.as_str();
    let pieces: Vec<&str> = whole.split("CHECK").collect();
    for (number, piece) in pieces.iter().enumerate() {
        assert!(rest.starts_with(piece), "piece {number}: {rest} {piece}");
        rest = &rest[piece.len()..];
        rest = rest.get(8..).unwrap_or_default();
    }
}

#[test]
fn a_zero_is_stuffed_after_fifteen_ones() {
    let events = [event(Kind::IndirectJump, 2, 0x10c, Some(0x3fffc))];
    let design = packets("traptor-m4", MACHINE, &[("sequence_bits", "0")]);
    let mut encoder = Encoder::new(&design).unwrap();
    let mut text = Text::default();
    encoder.event(&events[0], &mut text).unwrap();
    encoder.turn(Turn::Synchronise(Synchronisation::Periodic), &mut text);
    // 0x3fffc / 4 has 16 ones.
    let header = format!("{}0 10 0 111111111111111 0 1 00000000000000", "1".repeat(16));
    assert!(text.0.replace(' ', "").contains(&header.replace(' ', "")), "{}", text.0);
}

/// A packet that is whole but does not begin where the one before ends is never taken as its continuation.
#[test]
fn packets_that_do_not_fit_together_are_a_gap() {
    let workload = load("arm-stringsearch", 6_000);
    let settings = [("checksum_bits", "0"), ("sync_interval", "0"), ("sequence_bits", "0")];
    let design = packets("traptor-m4", workload.machine, &settings);
    let mut encoder = Encoder::new(&design).unwrap();
    let parts = workload.events.chunks(2_000).map(|part| {
        let mut packer = BitPacker::new();
        part.iter().for_each(|event| encoder.event(event, &mut packer).unwrap());
        encoder.flush(&mut packer);
        packer.finish()
    });
    let parts: Vec<_> = parts.collect();
    let without = [parts[0].as_slice(), &parts[2]].concat();
    let (parts, _) = decode_from(&design, &workload.program, &without, 0);
    let gaps = gaps_of(&parts);
    let (end, begin) = (after(&workload.events[1_999]), after(&workload.events[3_999]));
    let expected = Reason::Elsewhere { end: end.place().to_string(), begin: begin.place() };
    assert_eq!((gaps.len(), &gaps[0].reason), (1, &expected));
    assert!(matches!(parts[2_000], Part::Gap(_)));
    let there = workload.events[..2_000].iter().chain(&workload.events[4_000..]);
    assert!(events_of(&parts).into_iter().eq(there.map(described)));
}
