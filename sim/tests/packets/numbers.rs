//! The numbers of packets: their bits, and whole packets that are missing, twice, or elsewhere.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use tracewright_sim::encode::bit_packer::BitPacker;
use tracewright_sim::event::{ExecutionState, Kind};
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::packet::header::{LossCause, Next};
use tracewright_sim::packet::part::{Part, Reason};
use tracewright_sim::packet::reader::Damage;
use tracewright_sim::scheme::{Design, Encoder};
use tracewright_sim::session::{Session, Synchronisation, Turn};

use super::{Workload, events_of, gaps_of, load, packets};
use crate::common::packet_damage::{
    FAMILIES, Piece, damage, decode_from, judge, marked, pieces, shifted,
};
use crate::common::{MACHINE, Text, described, event};

/// Cases of each design family, with kept and with cleared tables, and for each checksum.
const CASES: usize = 50;

/// Literal bits: the number follows the kind, from 0 on, and goes round.
#[test]
fn numbers_bit_for_bit() {
    let first = event(Kind::DirectConditional, 2, 0x104, None);
    let design = packets("traptor-m4", MACHINE, &[("sequence_bits", "2")]);
    let mut encoder = Encoder::new(&design).unwrap();
    let mut text = Text::default();
    encoder.event(&first, &mut text).unwrap();
    (0..4).for_each(|_| encoder.turn(Turn::Synchronise(Synchronisation::Periodic), &mut text));
    let (instructions, cause) = (300, LossCause::Discarded);
    let (next, state) = (Next::At(0xfff8), ExecutionState::default());
    encoder.turn(
        Turn::Synchronise(Synchronisation::AfterLoss { instructions, cause, next, state }),
        &mut text,
    );
    encoder.flush(&mut text);
    let sent = text.0.replace(' ', "");
    let heads: Vec<_> = sent.split(&format!("{}0", "1".repeat(16))).skip(1).collect();
    // Start, four synchronisations, a loss of what was discarded, after which numbers begin anew, and the end.
    let expected = ["00 00", "10 10", "10 01", "10 11", "10 00", "01 00", "11 10"];
    assert_eq!(heads.len(), expected.len());
    for (head, expected) in heads.iter().zip(expected) {
        assert!(head.starts_with(&expected.replace(' ', "")), "{expected}: {head}");
    }
}

/// A trace of a preset, cut into its packets.
fn cut(preset: &str, workload: &Workload, settings: &[(&str, &str)]) -> (Design, Vec<Piece>) {
    let design = packets(preset, workload.machine, settings);
    let trace = marked(&design, &workload.events);
    let cut = pieces(&trace, 0, workload.events.len());
    (design, cut)
}

fn decoded(design: &Design, workload: &Workload, cut: &[Piece]) -> Vec<Part> {
    decode_from(design, &workload.program, &Piece::join(cut).0, 0).0
}

/// The loop of this program makes packets that are alike but for their numbers.
#[test]
fn packets_that_are_missing_are_counted() {
    let workload = load("arm-fft-head", 20_000);
    for (checksum, lost_with_it) in [("0", 0), ("8", 1), ("16", 1)] {
        let settings = [("checksum_bits", checksum), ("sync_keeps_tables", "true")];
        let (design, whole) = cut("ntuple-32x4-memory", &workload, &settings);
        for missing in 1..6 {
            let at = whole.len() / 2;
            let rest = [&whole[..at], &whole[at + missing..]].concat();
            let parts = decoded(&design, &workload, &rest);
            let gaps = gaps_of(&parts);
            // Without a checksum the packet before is used; with one it is with the packet after it.
            let before = whole[at - lost_with_it].events.start;
            assert_eq!(gaps[0].reason, Reason::Missing(missing as u64), "{gaps:?}");
            assert_eq!((gaps[0].missing_packets, gaps[0].goes_on), (missing as u64, None));
            assert_eq!(gaps[1].reason, Reason::TablesUnknown);
            assert_eq!(events_of(&parts).len(), before, "{checksum}, {missing}");
        }
    }
}

/// One of two equal packets is used, and nothing is missing, whether tables are kept or not.
#[test]
fn a_packet_that_is_there_twice_is_a_gap_of_its_own() {
    let workload = load("arm-fft-head", 20_000);
    for (preset, checksum, keeps) in
        [("traptor-m4", "0", "true"), ("talon-s", "8", "true"), ("nexs", "16", "false")]
    {
        let settings = [("checksum_bits", checksum), ("sync_keeps_tables", keeps)];
        let (design, mut cut) = cut(preset, &workload, &settings);
        let at = cut.len() / 3;
        cut.insert(at, cut[at].clone());
        let parts = decoded(&design, &workload, &cut);
        let gaps = gaps_of(&parts);
        assert_eq!(gaps.len(), 1, "{preset}: {gaps:?}");
        assert_eq!(gaps[0].reason.name(), "repeated");
        assert!(matches!(gaps[0].reason, Reason::Damaged(Damage::Repeated { .. })));
        assert!(gaps[0].goes_on.is_some());
        let there = workload.events.iter().map(described);
        assert!(events_of(&parts).into_iter().eq(there), "{preset}");
    }
}

/// After a discard numbers begin anew, so nothing is said to be missing, and what is missing after it is told.
#[test]
fn numbers_begin_anew_after_a_discard() {
    let workload = load("rv32imac-traps", 8_000);
    let settings = [("enable_pin", "true"), ("sync_interval", "1024")];
    let design = packets("traptor-m4", workload.machine, &settings);
    let flows = |event: &tracewright_sim::event::Event| event.taken;
    let place = |from: usize| from + workload.events[from..].iter().position(flows).unwrap() + 1;
    let (begin, end) = (place(2_000), place(3_000));
    let mut encoder = Encoder::new(&design).unwrap();
    let mut packer = BitPacker::new();
    for (number, event) in workload.events.iter().enumerate() {
        if number == end {
            let next = Next::At(workload.events[end - 1].target);
            let (cause, state) = (LossCause::Discarded, ExecutionState::default());
            let instructions = u64::MAX;
            let what = Synchronisation::AfterLoss { instructions, cause, next, state };
            encoder.turn(Turn::Synchronise(what), &mut packer);
        }
        if !(begin..end).contains(&number) {
            encoder.event(event, &mut packer).unwrap();
        }
    }
    encoder.flush(&mut packer);
    let (parts, _) = decode_from(&design, &workload.program, &packer.finish(), 0);
    let reasons: Vec<_> = gaps_of(&parts).iter().map(|gap| gap.reason.name()).collect();
    assert_eq!(reasons, ["lost"]);
}

/// Of packets that are dropped, repeated, swapped, or are of another trace, no event is wrong, and nothing is missing
/// without a gap.
#[test]
fn whole_packets_give_no_wrong_event() {
    let workloads = [load("arm-fft-head", 5_000), load("rv64-djpeg", 5_000)];
    let mut random = ChaCha8Rng::seed_from_u64(31);
    for (number, preset) in FAMILIES.iter().enumerate() {
        let workload = &workloads[number % 2];
        let both = [&workload.events[..], &workload.events].concat();
        for (keeps, checksum) in [("false", "8"), ("true", "8"), ("false", "16"), ("true", "16")] {
            let settings = [("checksum_bits", checksum), ("sync_keeps_tables", keeps)];
            let (design, whole) = cut(preset, workload, &settings);
            let other = shifted(&design, &workload.events, 777);
            for case in 0..CASES {
                let (what, damaged) = damage(&mut random, case, &whole, &other);
                let (bytes, places) = Piece::join(&damaged);
                let (parts, _) = decode_from(&design, &workload.program, &bytes, 0);
                let wrong = judge(&both, &places, &parts);
                assert_eq!(wrong, None, "{preset}, {keeps}, {checksum}, case {case}: {what}");
            }
        }
    }
}
