//! Traces of packets through files: whole, cut, damaged, and from a ring buffer.

use crate::common::Folder;
use serde_json::Value;
use tracewright_sim::encode::bit_packer::BitPacker;
use tracewright_sim::event::Event;
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::program::ProgramBuilder;
use tracewright_sim::scheme::{Design, Encoder};
use tracewright_sim::trace_io;

const SETTINGS: &str = "--set framing=packets --set sync_interval=1024 --set checksum_bits=16";
const RAW: &str = "--raw --design traptor-m4";

/// The bytes of the trace port for the run in the folder, and its events.
fn pins(folder: &Folder) -> (Vec<u8>, Vec<Event>) {
    let reader = trace_io::open(folder.path("run.pet.zst")).unwrap();
    let machine = reader.machine();
    let mut events: Vec<Event> = reader.collect::<Result<_, _>>().unwrap();
    let mut builder = ProgramBuilder::new(machine);
    events.iter().for_each(|event| builder.event(event).unwrap());
    let program = builder.finish().unwrap();
    for event in events.iter_mut().filter(|event| event.call) {
        event.length = program.call_length(event.program_counter).unwrap();
    }
    let mut design = Design::preset("traptor-m4").unwrap();
    for setting in SETTINGS.split("--set ").skip(1) {
        let (name, value) = setting.trim().split_once('=').unwrap();
        design.set(name, value).unwrap();
    }
    let mut encoder = Encoder::new(&design.for_machine(machine).unwrap()).unwrap();
    let mut packer = BitPacker::new();
    events.iter().for_each(|event| encoder.event(event, &mut packer).unwrap());
    encoder.flush(&mut packer);
    (packer.finish(), events)
}

/// The lines of a trace's text that are events.
fn lines(folder: &Folder, file: &str) -> Vec<String> {
    let text = folder.succeed(&format!("trace dump {file}"));
    text.lines().filter(|line| !line.starts_with("machine")).map(str::to_owned).collect()
}

/// Decodes with gaps.
fn incomplete(folder: &Folder, arguments: &str) -> Value {
    let done = folder.run(&format!("{arguments} --json"));
    assert_eq!(done.status, 3, "{arguments}: {}", done.stderr);
    assert!(done.stderr.contains("events were decoded"), "{}", done.stderr);
    serde_json::from_str(&done.stdout).unwrap()
}

/// The events of the parts are those of the run without what is missing; gives the number of the last one.
fn check_parts(folder: &Folder, done: &Value) -> usize {
    let run = lines(folder, "run.pet.zst");
    let mut at = 0;
    for part in done["parts"].as_array().unwrap() {
        let part = lines(folder, part["output"].as_str().unwrap());
        // A part that begins in the middle begins with an exception that leads there, where the address is known.
        let own = part[0].starts_with("0 exception 0x0 taken");
        let events = &part[usize::from(own)..];
        let found = run[at..].windows(events.len()).position(|window| window == events);
        at += found.unwrap_or_else(|| panic!("{} is not of the run", part[0])) + events.len();
    }
    at
}

#[test]
fn a_trace_of_packets_comes_back() {
    let folder = Folder::with_run();
    for design in ["traptor-m4", "talon-s", "stream-rbase-128", "nexs"] {
        folder.succeed(&format!("encode {design} run.pet.zst -o run.bits {SETTINGS}"));
        let done = folder.json("decode run.bits --program run.pet.zst -o back.pet.zst --json");
        assert_eq!((&done["verified"], &done["complete"]), (&true.into(), &true.into()));
        assert_eq!(done["gaps"], Value::Array(Vec::new()));
        assert!(folder.read("back.pet.zst") == folder.read("run.pet.zst"), "{design}");
    }
    let text = folder.succeed("decode run.bits --program run.pet.zst -o -");
    assert_eq!(text, folder.succeed("trace dump run.pet.zst"));
    let measured =
        folder.json(&format!("measure --design traptor-m4 run.pet.zst {SETTINGS} --json"));
    assert!(measured[0]["fields"]["marker"].as_u64().unwrap() > 17);
}

#[test]
fn parts_are_traces_of_their_own() {
    let folder = Folder::with_run();
    let (mut bytes, events) = pins(&folder);
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x10;
    folder.write("pins.bin", &bytes[3..]);
    let command = format!("decode {RAW} {SETTINGS} pins.bin --program run.pet.zst");
    let done = incomplete(&folder, &format!("{command} -o back.pet.zst"));
    assert_eq!(check_parts(&folder, &done), events.len());
    let (gaps, parts) = (done["gaps"].as_array().unwrap(), done["parts"].as_array().unwrap());
    assert_eq!((gaps.len(), parts.len()), (2, 2), "{done}");
    assert_eq!((&gaps[0]["reason"], &gaps[1]["reason"]), (&"beginning".into(), &"damaged".into()));
    let damaged = gaps[1]["first_bit"].as_u64().unwrap()..gaps[1]["end_bit"].as_u64().unwrap();
    assert!(damaged.contains(&(8 * (middle as u64 - 3) + 4)), "{gaps:?}");
    assert!(gaps[1]["goes_on"].as_str().unwrap().contains("0x"), "{gaps:?}");
    assert_eq!(parts[1]["output"], "back.part-2.pet.zst");
    assert!(!folder.names().contains(&"back.pet.zst".to_owned()));

    let done = folder.run(&format!("{command} -o -"));
    assert_eq!(done.status, 1);
    assert!(
        done.stderr.contains("standard output takes only a trace without gaps"),
        "{}",
        done.stderr
    );
    let done = folder.run(&format!("{command} -o back.pet"));
    assert!(done.stdout.starts_with("gap bits 0 to "), "{}", done.stdout);
    assert!(done.stderr.starts_with("error: pins.bin: 2 gaps, "), "{}", done.stderr);
}

#[test]
fn a_ring_buffer_has_the_last_packets() {
    let folder = Folder::with_run();
    let (bytes, events) = pins(&folder);
    let command = format!(
        "decode --ring --design traptor-m4 {SETTINGS} ring.bin --program run.pet.zst -o back.pet"
    );
    for size in [bytes.len() / 2, bytes.len() / 3 + 1] {
        let mut ring = vec![0; size];
        bytes.iter().enumerate().for_each(|(at, byte)| ring[at % size] = *byte);
        folder.write("ring.bin", &ring);
        let pointer = bytes.len() % size;
        let known = incomplete(&folder, &format!("{command} --write-pointer {pointer}"));
        assert_eq!(check_parts(&folder, &known), events.len(), "{size} bytes");
        assert_eq!(known["gaps"].as_array().unwrap().len(), 1, "{known}");
        let found = incomplete(&folder, &command);
        assert_eq!(found["instructions"], known["instructions"], "{size} bytes");
        assert_eq!(check_parts(&folder, &found), events.len(), "{size} bytes");
    }
    let done = folder.run(&format!("{command} --write-pointer 1000000"));
    assert_eq!(done.status, 2);
    assert!(done.stderr.contains("expected less than"), "{}", done.stderr);
}

#[test]
fn what_packets_cannot_do_is_refused() {
    let folder = Folder::with_run();
    for (arguments, status, message) in [
        (
            "generate traptor-m4 --set framing=packets -o out",
            1,
            "for which there is no hardware yet",
        ),
        (
            "encode nexus-n2 run.pet.zst -o x.bits --set framing=packets",
            2,
            "packets are for one core",
        ),
        (
            "encode traptor-m4 run.pet.zst -o x.bits --set checksum_bits=8",
            2,
            "it needs framing = packets",
        ),
        (
            "encode traptor-m4 run.pet.zst -o x.bits --set framing=packets --set sync_interval=1000",
            2,
            "0 or a power of two from 1024",
        ),
        (
            "decode --ring --design traptor-m4 run.bits --program run.pet.zst -o x.pet",
            2,
            "--ring needs a design with framing = packets",
        ),
    ] {
        let done = folder.run(arguments);
        assert_eq!(done.status, status, "{arguments}: {}", done.stderr);
        assert!(done.stderr.contains(message), "{arguments}: {}", done.stderr);
    }
    assert!(!folder.names().contains(&"x.bits".to_owned()));
}
