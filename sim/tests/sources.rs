//! The source in messages of N-Trace and payloads of E-Trace: where it stands, and that nothing else changes.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use tracewright_sim::e_trace;
use tracewright_sim::message_funnel::{Config, Ends, MessageFunnel, Messages, Source};
use tracewright_sim::n_trace;
use tracewright_sim::scheme::{Design, Scheme};

use crate::common::{encode, learn};
use crate::streams::{design, synthetic};

/// A random design of either standard with a source and a trace port of a byte.
fn named(random: &mut ChaCha8Rng, is_n_trace: bool, (alignment, bits): (u32, u32)) -> Design {
    loop {
        let scheme = match is_n_trace {
            true => Scheme::NTrace(n_trace::arbitrary::config(random, alignment, bits)),
            false => Scheme::ETrace(e_trace::arbitrary::config(random, alignment, bits)),
        };
        let mut design = design(scheme);
        design.set("trace_port_width", "8").unwrap();
        if design.protocol().source_bits > 0 {
            return design;
        }
    }
}

type Changes<'a> = &'a [(&'a str, &'a str)];

/// The same without a source.
fn unnamed(design: &Design) -> Design {
    let mut design = design.clone();
    design.set("source_id", "0").unwrap();
    design.set("source_bits", "0").unwrap();
    design
}

/// A trace without source, with the bytes of one after the first byte of each message, but for idle bytes.
fn with_source(trace: &[u8], design: &Design) -> Vec<u8> {
    let (bits, id) = (design.protocol().source_bits, design.protocol().source_id);
    let is_n_trace = matches!(design.scheme, Scheme::NTrace(_));
    let (messages, source): (_, Vec<u8>) = match is_n_trace {
        true => {
            let bytes = (0..bits).step_by(6).map(|place| ((id >> place & 0x3f) << 2) as u8);
            (Messages::NTrace, bytes.collect())
        }
        false => (Messages::ETrace { source_bytes: 0 }, vec![id as u8]),
    };
    let (mut ends, mut begins, mut all) = (Ends::new(messages), true, Vec::new());
    for byte in trace {
        all.push(*byte);
        let is_idle = if is_n_trace { *byte == 0xff } else { byte & 0x1f == 0 };
        if begins && !is_idle {
            all.extend(&source);
        }
        let was_begin = begins;
        begins = ends.byte(*byte) || was_begin && is_idle;
    }
    all
}

#[test]
fn every_message_and_payload_names_its_source() {
    let mut widths = [0; 13];
    for seed in 0..400 {
        let (machine, mut events) = synthetic(seed, 400);
        learn(machine, &mut events);
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let size = (machine.alignment.into(), machine.address_bits.into());
        let design = named(&mut random, seed % 2 == 0, size);
        let (found, _) = encode(&design, &events, 100);
        let (plain, _) = encode(&unnamed(&design), &events, 100);
        assert!(found == with_source(&plain, &design), "seed {seed}: {design:?}");
        widths[design.protocol().source_bits as usize] += 1;
    }
    assert!([6, 8, 12].iter().all(|bits| widths[*bits as usize] > 20), "{widths:?}");
}

#[test]
fn what_has_no_place_for_a_source_is_refused() {
    let refused = |preset: &str, changes: Changes<'_>| {
        let mut design = Design::preset(preset).unwrap();
        for (name, value) in changes {
            design.set(name, value).unwrap();
        }
        design.validate().unwrap_err().to_string()
    };
    let on = ("enable_pin", "true");
    let cases: [(&str, Changes<'_>, &str); 5] = [
        ("ntrace-htm", &[("source_bits", "6")], "it needs enable_pin = true and framing = none"),
        ("traptor-m4", &[("source_bits", "6")], "the scheme has no place for it in its trace"),
        ("ntrace-htm", &[on, ("source_bits", "8")], "it is 0 or 6 or 12"),
        ("etrace-base", &[on, ("source_bits", "6")], "it is 0 or 8"),
        (
            "etrace-base",
            &[on, ("source_bits", "8"), ("source_id", "256")],
            "it is at most 255, because source_bits = 8",
        ),
    ];
    for (preset, changes, expected) in cases {
        let error = refused(preset, changes);
        assert!(error.contains(expected), "{preset}: {error}");
    }
}

/// Messages of three encoders come out whole and in their order, whoever has to wait; what one discards is ended.
#[test]
fn a_funnel_keeps_messages_whole() {
    let messages = Messages::ETrace { source_bytes: 1 };
    let payload = |source: u8, length: u8| -> Vec<u8> {
        [length, source].into_iter().chain((0..length).map(|at| source << 4 | at)).collect()
    };
    // An idle byte that says something stays before its payload.
    let traces: [Vec<u8>; 3] = [
        [payload(0, 3), vec![0x40], payload(0, 2)].concat(),
        [payload(1, 1), payload(1, 4)].concat(),
        payload(2, 7)[..5].to_vec(),
    ];
    let mut funnel = MessageFunnel::new(Config { sources: 3, messages });
    let (mut places, mut out) = ([0; 3], Vec::new());
    for cycle in 0..400 {
        let sources: Vec<Source> = (0..3)
            .map(|at| {
                // The first one has a byte in some cycles only.
                let shows = at > 0 || cycle % 3 == 0;
                let byte = traces[at].get(places[at]).copied().filter(|_| shows);
                Source { byte, discards: at == 2 && places[2] == 5, ..Source::default() }
            })
            .collect();
        let ready = cycle % 4 != 1;
        out.extend(funnel.offered().filter(|_| ready));
        if let Some(taken) = funnel.clock(&sources, ready) {
            places[taken] += 1;
        }
    }
    assert!(funnel.is_empty());
    let mut of_source: [Vec<u8>; 3] = Default::default();
    let (mut ends, mut message) = (Ends::new(messages), Vec::new());
    for byte in out {
        message.push(byte);
        if ends.byte(byte) {
            let header = message.iter().position(|byte| byte & 0x1f != 0).unwrap();
            of_source[usize::from(message[header + 1])].append(&mut message);
        }
    }
    assert_eq!(message, []);
    let ended = [traces[2].as_slice(), &[0; 4]].concat();
    assert_eq!(of_source, [traces[0].clone(), traces[1].clone(), ended]);
}
