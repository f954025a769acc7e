//! Traces that begin anywhere, and traces with wrong bits.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::packet::part::Reason;

use super::{gaps_of, load, packets, presets};
use crate::common::is_long;
use crate::common::packet_damage::{Marked, Verdict, decode_from, marked};

fn flipped(bytes: &[u8], bit: u64) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[(bit / 8) as usize] ^= 1 << (bit % 8);
    bytes
}

/// The number of the packet that has a bit.
fn packet_of(trace: &Marked, bit: u64) -> usize {
    trace.packets.partition_point(|(marker, _)| *marker <= bit) - 1
}

#[test]
fn a_trace_decodes_from_its_next_synchronisation_on() {
    let workload = load("arm-fft-head", 20_000);
    for (preset, checksum) in [("traptor-m4", "0"), ("talon-s", "16"), ("nexus-n1", "8")] {
        let design = packets(preset, workload.machine, &[("checksum_bits", checksum)]);
        let trace = marked(&design, &workload.events);
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let markers = trace.packets.iter().skip(1).map(|(marker, _)| *marker).collect::<Vec<_>>();
        let anywhere = (0..200).map(|_| random.random_range(1..trace.bits - 100));
        let bits = anywhere.chain(markers).collect::<Vec<_>>();
        for bit in bits {
            let (parts, _) = decode_from(&design, &workload.program, &trace.bytes, bit);
            let next = trace.packets.partition_point(|(marker, _)| *marker < bit);
            let verdict = trace.judge(&workload.events, &parts);
            assert_eq!(verdict, Verdict::Right { lost_packets: 0 }, "{preset} from bit {bit}");
            let gaps = gaps_of(&parts);
            let marker = trace.packets[next].0;
            assert_eq!((gaps.len(), &gaps[0].bits), (1, &(bit..marker)), "{preset} from bit {bit}");
            assert_eq!(gaps[0].reason, Reason::Beginning, "{preset} from bit {bit}");
        }
    }
}

#[test]
fn a_wrong_bit_costs_the_packets_that_it_is_in() {
    let workload = load("arm-fft-head", 20_000);
    let flips = if is_long() { 300 } else { 90 };
    for preset in ["traptor-m4", "stream-rbase-128", "talon-s"] {
        let design = packets(preset, workload.machine, &[("checksum_bits", "16")]);
        let trace = marked(&design, &workload.events);
        let mut random = ChaCha8Rng::seed_from_u64(2);
        let (mut one, mut two) = (0, 0);
        for _ in 0..flips {
            let bit = random.random_range(0..trace.bits);
            let bytes = flipped(&trace.bytes, bit);
            let (parts, _) = decode_from(&design, &workload.program, &bytes, 0);
            let gaps = gaps_of(&parts);
            let Verdict::Right { lost_packets } = trace.judge(&workload.events, &parts) else {
                panic!("{preset}: bit {bit} gives a wrong event: {gaps:?}");
            };
            // A bit of a marker belongs to the packets on both sides of it, one of a checksum to the packet before.
            let packet = packet_of(&trace, bit);
            let lost = packet.saturating_sub(1)..=packet;
            let markers = gaps.iter().flat_map(|gap| {
                trace
                    .packets
                    .iter()
                    .enumerate()
                    .filter(|(_, (marker, _))| gap.bits.contains(marker))
            });
            for (number, _) in markers {
                assert!(lost.contains(&number), "{preset}: bit {bit} costs packet {number}");
            }
            one += u32::from(lost_packets == 1);
            two += u32::from(lost_packets == 2);
        }
        let is_usual = 3 * one > 2 * flips && 15 * two < 2 * flips;
        assert!(is_usual, "{preset}: {one} times one packet, {two} times two");
    }
}

#[test]
fn the_tables_are_kept_until_the_first_gap() {
    let workload = load("arm-fft-head", 20_000);
    let settings = [("sync_keeps_tables", "true"), ("checksum_bits", "16")];
    let design = packets("traptor-m4", workload.machine, &settings);
    let trace = marked(&design, &workload.events);
    let damaged = trace.packets.len() / 2;
    let bytes = flipped(&trace.bytes, trace.packets[damaged].0 + 60);
    let (parts, recovered) = decode_from(&design, &workload.program, &bytes, 0);
    assert_eq!(recovered.events as usize, trace.packets[damaged].1);
    let gaps = gaps_of(&parts);
    assert_eq!(gaps.len(), 2, "{gaps:?}");
    assert_eq!((&gaps[1].reason, gaps[1].goes_on), (&Reason::TablesUnknown, None));
    // Without the beginning nothing can be decoded.
    let (_, recovered) = decode_from(&design, &workload.program, &trace.bytes, 1);
    assert_eq!((recovered.events, recovered.gaps), (0, 2));
}

#[test]
fn any_bits_are_decoded_to_something() {
    let workload = load("arm-stringsearch", 5_000);
    let mut random = ChaCha8Rng::seed_from_u64(3);
    for preset in presets().iter().step_by(7) {
        let design = packets(preset, workload.machine, &[]);
        for ones in [1, 8, 15] {
            let bytes: Vec<u8> = (0..4000)
                .map(|_| (0..8).map(|at| u8::from(random.random_ratio(ones, 16)) << at).sum())
                .collect();
            decode_from(&design, &workload.program, &bytes, 0);
        }
        decode_from(&design, &workload.program, &[0xff; 4000], 0);
    }
}
