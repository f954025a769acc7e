//! Packets: whole traces come back, cut and damaged ones come back where they are whole.

use crate::common::packet_damage::decode_from;
use crate::common::{described, is_long, learn, workload};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use tracewright_sim::arbitrary;
use tracewright_sim::encode::bit_packer::BitPacker;
use tracewright_sim::event::{Event, Machine};
use tracewright_sim::field::Account;
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::packet::part::{Gap, Part};
use tracewright_sim::parameter::Parameters;
use tracewright_sim::program::Program;
use tracewright_sim::scheme::{Design, Encoder, Scheme};

mod bytes;
mod contexts;
mod cut_off;
mod damage;
mod filters;
mod gaps;
mod numbers;
mod states;
mod times;

/// Workloads with their first events: calls and returns, exceptions, compressed instructions, wide addresses.
const WORKLOADS: [(&str, usize); 4] = [
    ("arm-stringsearch", 20_000),
    ("arm-fft-head", 20_000),
    ("rv32imac-traps", 20_000),
    ("rv64-djpeg", 20_000),
];

/// A workload: its machine, events with the lengths of calls, and program.
struct Workload {
    machine: Machine,
    events: Vec<Event>,
    program: Program,
}

fn load(name: &str, limit: usize) -> Workload {
    let (machine, mut events) = workload(name, limit);
    let program = learn(machine, &mut events);
    Workload { machine, events, program }
}

/// A preset with packets, and what is set besides.
fn packets(preset: &str, machine: Machine, settings: &[(&str, &str)]) -> Design {
    let mut design = Design::preset(preset).unwrap();
    for (name, value) in [("framing", "packets"), ("sync_interval", "1024")].iter().chain(settings)
    {
        design.set(name, value).unwrap();
    }
    if machine.address_bits == 64 {
        design.set("address_width", "64").unwrap();
    }
    design.for_machine(machine).unwrap()
}

/// The trace of these events in bytes, its bits, and their account.
fn encode(design: &Design, events: &[Event]) -> (Vec<u8>, Account) {
    let mut encoder = Encoder::new(design).unwrap();
    let mut sinks = (BitPacker::new(), Account::default());
    events.iter().for_each(|event| encoder.event(event, &mut sinks).unwrap());
    encoder.flush(&mut sinks);
    (sinks.0.finish(), sinks.1)
}

fn events_of(parts: &[Part]) -> Vec<Event> {
    parts
        .iter()
        .filter_map(
            |part| if let Part::Event(event) = part { Some(described(event)) } else { None },
        )
        .collect()
}

fn gaps_of(parts: &[Part]) -> Vec<&Gap> {
    parts
        .iter()
        .filter_map(|part| if let Part::Gap(gap) = part { Some(gap) } else { None })
        .collect()
}

/// A trace of packets comes back whole.
fn round_trip(design: &Design, workload: &Workload, what: &str) -> Account {
    let Workload { events, program, .. } = workload;
    let (bytes, account) = encode(design, events);
    let (parts, recovered) = decode_from(design, program, &bytes, 0);
    assert_eq!(gaps_of(&parts), [] as [&Gap; 0], "{what}");
    let (back, there) = (events_of(&parts), events.iter().map(described).collect::<Vec<_>>());
    let same = back.iter().zip(&there).take_while(|(one, other)| one == other).count();
    assert_eq!(back.get(same), there.get(same), "{what}: event {same}");
    let instructions: u64 = events.iter().map(|event| event.instructions).sum();
    assert_eq!(
        (recovered.instructions, recovered.records),
        (instructions, account.records),
        "{what}"
    );
    account
}

/// Every preset that can have packets.
fn presets() -> Vec<String> {
    let presets = Scheme::presets().into_iter().map(|(preset, _)| preset.name);
    let can = |name: &&str| {
        let mut design = Design::preset(name).unwrap();
        design.set("framing", "packets").unwrap();
        design.validate().is_ok()
    };
    presets.filter(can).map(str::to_owned).collect()
}

#[test]
fn every_preset_comes_back() {
    let workloads: Vec<_> =
        WORKLOADS.iter().map(|(name, limit)| (name, load(name, *limit))).collect();
    let presets = presets();
    assert!(presets.len() > 30, "{presets:?}");
    for preset in presets {
        for (name, workload) in &workloads {
            for (keeps, checksum) in [("false", "16"), ("true", "0")] {
                let settings = [("sync_keeps_tables", keeps), ("checksum_bits", checksum)];
                let design = packets(&preset, workload.machine, &settings);
                let account =
                    round_trip(&design, workload, &format!("{preset}, {name}, keeps {keeps}"));
                let marker = account.fields.iter().find(|(field, _)| *field == "marker");
                assert!(marker.unwrap().1 > 10 * 17, "{preset}, {name}");
            }
        }
    }
}

#[test]
fn arbitrary_configurations_come_back() {
    let workloads: Vec<_> =
        WORKLOADS.iter().map(|(name, limit)| (name, load(name, limit / 4))).collect();
    let mut random = ChaCha8Rng::seed_from_u64(15);
    let (rounds, least) = if is_long() { (60, 200) } else { (20, 70) };
    let mut tried = 0;
    for round in 0..rounds {
        for scheme in Scheme::all() {
            let (name, workload) = &workloads[round % workloads.len()];
            let Machine { alignment, address_bits, .. } = workload.machine;
            let scheme = scheme.arbitrary(&mut random, alignment.into(), address_bits.into());
            let mut design = Design::new("any", scheme).unwrap();
            let values = arbitrary::packets(&mut random).values();
            values
                .into_iter()
                .for_each(|(name, value)| design.set(name, &value.to_string()).unwrap());
            // The traces have the lengths of calls alone; schemes of data addresses have no such parameter.
            if design.values().iter().any(|(name, _)| *name == "exact_lengths") {
                design.set("exact_lengths", "false").unwrap();
            }
            if design.validate().is_err() {
                continue;
            }
            tried += 1;
            round_trip(&design, workload, &format!("{name}: {:?}", design.scheme));
        }
    }
    assert!(tried > least, "{tried} configurations");
}

/// The smallest trace: a packet and an end.
#[test]
fn a_trace_without_events_has_packets() {
    let mut workload = load("arm-stringsearch", 100);
    workload.events.clear();
    let design = packets("traptor-m4", workload.machine, &[("checksum_bits", "16")]);
    round_trip(&design, &workload, "nothing");
}

#[test]
fn clearing_in_the_background_needs_tables_that_are_cleared() {
    let design = |settings: &[(&str, &str)]| {
        let mut design = Design::preset("traptor-m4").unwrap();
        settings.iter().for_each(|(name, value)| design.set(name, value).unwrap());
        design
    };
    let on = ("background_clearing", "true");
    let keeps = [("framing", "packets"), ("sync_keeps_tables", "true"), on];
    for (settings, needed) in [
        (&[on][..], "framing = packets"),
        (&keeps, "sync_keeps_tables = false, because nothing else clears the tables here"),
    ] {
        let error = design(settings).validate().unwrap_err().to_string();
        assert_eq!(error, format!("`background_clearing` = true does not fit: it needs {needed}"));
    }
    let drops = [&keeps[..], &[("when_full", "drop")]].concat();
    design(&drops).validate().unwrap();
}

#[test]
fn what_needs_packets_is_refused_without_them() {
    for (name, value) in [
        ("sync_interval", "1024"),
        ("sync_bytes", "1024"),
        ("sync_keeps_tables", "true"),
        ("when_full", "drop"),
        ("checksum_bits", "8"),
        ("sequence_bits", "4"),
        ("context_bits", "16"),
        ("privilege_bits", "2"),
        ("cause_bits", "8"),
        ("time_bits", "32"),
        ("filter_ranges", "1"),
        ("filter_window", "true"),
    ] {
        let mut design = Design::preset("traptor-m4").unwrap();
        design.set(name, value).unwrap();
        let error = design.validate().unwrap_err().to_string();
        assert!(error.starts_with(&format!("`{name}`")), "{error}");
        assert!(error.ends_with("it needs framing = packets"), "{error}");
    }
    for (preset, what) in [
        ("nexus-n2", "one core without time stamps"),
        ("nexus-n1-timed", "one core without time stamps"),
        ("stride-32", "traces of control flow"),
    ] {
        let mut design = Design::preset(preset).unwrap();
        design.set("framing", "packets").unwrap();
        let error = design.validate().unwrap_err().to_string();
        assert!(error.contains(what), "{error}");
    }
}
