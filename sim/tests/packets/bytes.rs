//! Synchronisations after so many bytes of the trace.

use super::{load, packets, presets, round_trip};
use crate::common::packet_damage::marked;

/// More than the records of an event, a flush record and a header have.
const MOST_BITS_OF_AN_EVENT: u64 = 600;

/// Packets are as long as is said, up to the next event that may change the flow, and come back.
#[test]
fn packets_have_as_many_bytes_as_is_said() {
    let workload = load("rv32imac-traps", 20_000);
    for preset in presets() {
        for (bytes, keeps) in [(16, "true"), (256, "false"), (1000, "true")] {
            let settings = [
                ("sync_interval", "0"),
                ("sync_bytes", &bytes.to_string()),
                ("sync_keeps_tables", keeps),
            ];
            let design = packets(&preset, workload.machine, &settings);
            round_trip(&design, &workload, &format!("{preset}, {bytes}"));
            let trace = marked(&design, &workload.events);
            let markers: Vec<u64> = trace.packets.iter().map(|(marker, _)| *marker).collect();
            let lengths = markers.windows(2).map(|pair| pair[1] - pair[0]).collect::<Vec<_>>();
            let (_, whole) = lengths.split_last().unwrap();
            assert!(!whole.is_empty(), "{preset}, {bytes} bytes: {} bits", trace.bits);
            let allowed = 8 * bytes..8 * bytes + MOST_BITS_OF_AN_EVENT;
            for length in whole {
                assert!(allowed.contains(length), "{preset}, {bytes} bytes: {length} bits");
            }
        }
    }
}

/// Both intervals hold: what is over first makes the packet, and both begin anew.
#[test]
fn instructions_and_bytes_are_counted_together() {
    let workload = load("arm-fft-head", 20_000);
    let count = |interval: &str, bytes: &str| {
        let settings = [("sync_interval", interval), ("sync_bytes", bytes)];
        let design = packets("traptor-m4", workload.machine, &settings);
        marked(&design, &workload.events).packets.len()
    };
    let (instructions, bytes) = (count("4096", "0"), count("0", "100"));
    let both = count("4096", "100");
    assert!(instructions > 10 && bytes > 10, "{instructions}, {bytes}");
    assert!(both > instructions.max(bytes) && both < instructions + bytes, "{both}");
}

#[test]
fn fewer_bytes_than_a_header_are_refused() {
    let mut design = packets("traptor-m4", load("arm-fft-head", 10).machine, &[]);
    design.set("sync_bytes", "15").unwrap();
    let error = design.validate().unwrap_err().to_string();
    assert_eq!(error, "`sync_bytes` = 15 does not fit: it is 0 or from 16 to 16777216");
}
