//! Traces that end in the middle of a packet.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::encode::bit_packer::BitPacker;
use tracewright_sim::packet::part::{Part, Reason};
use tracewright_sim::packet::reader::Damage;

use super::{Workload, events_of, gaps_of, load, packets, presets};
use crate::common::packet_damage::{Marked, decode_from, marked};
use crate::common::{described, is_long};

/// The first bits of a trace, filled up with zeros to a byte and then with so many bytes of zeros.
fn cut(trace: &Marked, bits: u64, zeros: usize) -> Vec<u8> {
    let mut bytes = trace.bytes[..bits.div_ceil(8) as usize].to_vec();
    if let Some(last) = bytes.last_mut().filter(|_| !bits.is_multiple_of(8)) {
        *last &= (1 << (bits % 8)) - 1;
    }
    bytes.resize(bytes.len() + zeros, 0);
    bytes
}

/// Cuts a trace and compares every event. Gives the events that were unverified, and those of the packet that was cut.
fn check(trace: &Marked, parts: &[Part], workload: &Workload, bits: u64, what: &str) -> [usize; 2] {
    let events = events_of(parts);
    let there = workload.events.iter().map(described);
    let same = events.iter().zip(there).take_while(|(one, other)| **one == *other).count();
    assert_eq!(same, events.len(), "{what}: event {same} is {:?}", events[same]);
    let next = trace.packets.partition_point(|(marker, _)| *marker <= bits);
    let known = trace.packets[next - 1].1;
    assert!(events.len() >= trace.packets[next.saturating_sub(2)].1, "{what}: whole packets");
    let announced = parts.iter().position(|part| matches!(part, Part::Unverified));
    let unverified = announced.map_or(&[][..], |place| &parts[place..]);
    let unverified = unverified.iter().filter(|part| matches!(part, Part::Event(_))).count();
    let whole = trace.packets.get(next).map_or(workload.events.len(), |(_, before)| *before);
    [unverified, whole - known]
}

/// Whatever is decoded of a trace that ends anywhere is what was traced, and nothing is made of zeros after it.
#[test]
fn a_cut_off_packet_gives_its_events() {
    let names = ["arm-stringsearch", "arm-fft-head", "rv32imac-traps", "rv64-djpeg"];
    let workloads = names.map(|name| load(name, 6_000));
    let mut random = ChaCha8Rng::seed_from_u64(31);
    for (number, preset) in presets().iter().enumerate() {
        let settings = [("false", "16"), ("true", "0"), ("false", "8")];
        let settings = if is_long() { &settings[..] } else { &settings[number % 3..=number % 3] };
        for (keeps, checksum) in settings.iter().copied() {
            let workload = &workloads[(number + checksum.len()) % workloads.len()];
            let settings = [("sync_keeps_tables", keeps), ("checksum_bits", checksum)];
            let design = packets(preset, workload.machine, &settings);
            let trace = marked(&design, &workload.events);
            let (mut found, mut all) = (0, 0);
            for _ in 0..40 {
                let bits = random.random_range(1..trace.bits - 1);
                let zeros = random.random_range(0..60usize).saturating_sub(20);
                let bytes = cut(&trace, bits, zeros);
                let (parts, recovered) = decode_from(&design, &workload.program, &bytes, 0);
                let what = format!("{preset}, {checksum}, cut at bit {bits}, {zeros} zero bytes");
                let [unverified, of_packet] = check(&trace, &parts, workload, bits, &what);
                (found, all) = (found + unverified, all + of_packet);
                assert_eq!(recovered.unverified_events, unverified as u64, "{what}");
                let instructions: u64 =
                    events_of(&parts).iter().map(|event| event.instructions).sum();
                let trailing: u64 =
                    gaps_of(&parts).iter().map(|gap| gap.trailing_instructions).sum();
                assert_eq!(recovered.instructions, instructions + trailing, "{what}");
            }
            // Cuts are anywhere, so about half of the events of a packet come before the cut.
            assert!(5 * found > all, "{preset}, {checksum}: {found} of {all} events");
        }
    }
}

/// At every bit of a packet: from its marker to the header after it.
#[test]
fn a_packet_can_be_cut_at_each_of_its_bits() {
    let workload = load("arm-fft-head", 3_000);
    for (preset, checksum) in [("traptor-m4", "16"), ("talon-s", "8"), ("etrace-full", "0")] {
        let design = packets(preset, workload.machine, &[("checksum_bits", checksum)]);
        let trace = marked(&design, &workload.events);
        let middle = trace.packets.len() / 2;
        let mut most = 0;
        for bits in trace.packets[middle].0 + 1..trace.packets[middle + 1].0 + 40 {
            let bytes = cut(&trace, bits, 4);
            let (parts, _) = decode_from(&design, &workload.program, &bytes, 0);
            let what = format!("{preset}, cut at bit {bits}");
            check(&trace, &parts, &workload, bits, &what);
            let gaps = gaps_of(&parts);
            let [gap] = gaps.as_slice() else { panic!("{what}: {gaps:?}") };
            let is_cut =
                matches!(&gap.reason, Reason::Damaged(Damage::CutOff | Damage::Checksum { .. }));
            assert!(is_cut, "{what}: {}", gap.reason);
            // The events of a cut that comes later are those of the one before, and more.
            let events = events_of(&parts).len();
            let is_checksum = matches!(gap.reason, Reason::Damaged(Damage::Checksum { .. }));
            assert!(events >= most || is_checksum, "{what}: {events} events, {most} before");
            most = most.max(events);
        }
        assert_eq!(most, trace.packets[middle + 1].1, "{preset}");
    }
}

/// A marker right after a marker, as damage makes it, hides the checksum of the packet before. Nothing is unverified
/// in the middle of a trace.
#[test]
fn only_the_end_of_a_trace_is_unverified() {
    let workload = load("rv64-djpeg", 6_000);
    let design = packets("traptor-m4", workload.machine, &[("checksum_bits", "16")]);
    let trace = marked(&design, &workload.events);
    let marker_bits = u64::from(design.framing().unwrap().marker_ones) + 1;
    let bit = |place: u64| u64::from(trace.bytes[(place / 8) as usize] >> (place % 8) & 1);
    let (begin, known) = trace.packets[trace.packets.len() / 2];
    for between in 0..16 {
        let mut damaged = BitPacker::new();
        (0..begin + marker_bits).for_each(|place| damaged.push(bit(place), 1));
        damaged.push(0, between);
        (begin..trace.bits).for_each(|place| damaged.push(bit(place), 1));
        let (parts, recovered) = decode_from(&design, &workload.program, &damaged.finish(), 0);
        assert!(!parts.contains(&Part::Unverified), "{between} bits");
        let gaps = gaps_of(&parts);
        assert_eq!((gaps.len(), gaps[0].unverified_events), (1, 0), "{between} bits: {gaps:?}");
        assert!(recovered.unverified_events == 0 && events_of(&parts).len() > known);
    }
}
