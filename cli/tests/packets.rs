//! Traces of packets through files: whole, cut, damaged, and from a ring buffer.

use std::collections::BTreeMap;

use crate::common::trace_port::trace_port;
use crate::common::{Folder, workload};
use serde_json::Value;
use tracewright_sim::event::Event;

const SETTINGS: &str = "--set framing=packets --set sync_interval=1024 --set checksum_bits=16";
const RAW: &str = "--raw --design traptor-m4";

/// The bytes of the trace port for the run in the folder, and its events.
fn pins(folder: &Folder) -> (Vec<u8>, Vec<Event>) {
    let settings: Vec<&str> = SETTINGS.split("--set ").skip(1).map(str::trim).collect();
    trace_port(&folder.path("run.pet.zst"), "traptor-m4", &settings)
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
fn a_damaged_file_gives_its_packets() {
    let folder = Folder::with_run();
    folder.succeed(&format!("encode traptor-m4 run.pet.zst -o run.bits {SETTINGS}"));
    let file = folder.read("run.bits");
    let frames = 16 + u32::from_le_bytes(file[8..12].try_into().unwrap()) as usize;
    let flipped = |byte: usize| {
        let mut damaged = file.clone();
        damaged[byte] ^= 0x80;
        damaged
    };
    let events = lines(&folder, "run.pet.zst").len();
    let last_of_payload = file.len() - 49;
    for (damaged, says, reasons) in [
        (flipped((frames + last_of_payload) / 2), "the frame is damaged", vec!["damaged"]),
        // Behind a damaged length, what follows is the rest of the head of the frame, then the trace.
        (flipped(frames + 3), "expected a frame of at most", vec!["beginning", "reset"]),
        (flipped(file.len() - 1), "expected the trailer in the last 48 bytes", vec![]),
        (file[..2 * file.len() / 3].to_vec(), "expected the trailer", vec!["cut-off"]),
    ] {
        folder.write("damaged.bits", &damaged);
        let done = folder.run("decode damaged.bits --program run.pet.zst -o back.pet.zst --json");
        assert_eq!(done.status, 3, "{says}: {}", done.stderr);
        assert!(done.stderr.starts_with("error: damaged.bits, byte "), "{}", done.stderr);
        assert!(done.stderr.contains(says), "{says}: {}", done.stderr);
        assert!(done.stderr.ends_with("events were decoded\n"), "{}", done.stderr);
        let json: Value = serde_json::from_str(&done.stdout).unwrap();
        assert!(json["damage"].as_str().unwrap().contains(says), "{json}");
        let found: Vec<&str> = json["gaps"]
            .as_array()
            .unwrap()
            .iter()
            .map(|gap| gap["reason"].as_str().unwrap())
            .collect();
        assert_eq!(found[..reasons.len()], reasons, "{says}: {json}");
        let at = check_parts(&folder, &json);
        assert!(says.contains("trailer") && !reasons.is_empty() || at == events, "{says}: {json}");
    }
    let mut wrong = flipped(frames + 20);
    wrong[9] ^= 1;
    folder.write("damaged.bits", &wrong);
    let done = folder.run("decode damaged.bits --program run.pet.zst -o other.pet.zst");
    assert_eq!(done.status, 1, "without a header there is no design: {}", done.stderr);
}

/// Folded stacks and their instructions.
fn stacks(folder: &Folder, file: &str) -> BTreeMap<String, u64> {
    let text = folder.text(file);
    let lines = text.lines().map(|line| line.rsplit_once(' ').unwrap());
    lines.map(|(stack, count)| (stack.to_owned(), count.parse().unwrap())).collect()
}

#[test]
fn a_view_has_gaps_and_calls_begin_anew_after_them() {
    let folder = Folder::new();
    let elf = workload("rv32imac-traps").replace(".pet.zst", ".elf");
    std::fs::copy(elf, folder.path("traps.elf")).unwrap();
    std::fs::copy(workload("rv32imac-traps"), folder.path("run.pet.zst")).unwrap();
    folder.succeed(&format!("encode traptor-m4 run.pet.zst -o run.bits {SETTINGS}"));
    let whole = folder.json("view run.bits --program traps.elf --json");
    assert_eq!((&whole["gaps"], &whole["instructions"]), (&Value::Array(vec![]), &529_254.into()));

    let mut file = folder.read("run.bits");
    let middle = file.len() / 2;
    file[middle] ^= 4;
    folder.write("run.bits", &file);
    let decoded = incomplete(&folder, "decode run.bits --program traps.elf -o back.pet");
    let view = "run.bits --program traps.elf --folded run.folded --listing run.lst --count 1000000";
    let viewed = incomplete(&folder, &format!("view {view}"));
    assert_eq!(viewed["gaps"], decoded["gaps"]);
    assert_eq!(viewed["gaps"].as_array().unwrap().len(), 1);
    assert_eq!(viewed["events"], decoded["events"]);
    let text = folder.run("view run.bits --program traps.elf --functions").stdout;
    assert!(text.starts_with("gap bits "), "{text}");

    // The parts, each viewed alone, have the same stacks, so no call goes on over the gap.
    let mut of_parts = BTreeMap::new();
    let mut before = None;
    for part in decoded["parts"].as_array().unwrap() {
        let part = part["output"].as_str().unwrap();
        let part =
            folder.json(&format!("view {part} --program traps.elf --folded part.folded --json"));
        before = before.or(part["instructions"].as_u64());
        stacks(&folder, "part.folded")
            .into_iter()
            .for_each(|(stack, count)| *of_parts.entry(stack).or_default() += count);
    }
    assert_eq!(stacks(&folder, "run.folded"), of_parts);
    assert_eq!(viewed["instructions"], of_parts.values().sum::<u64>());

    let listing = folder.text("run.lst");
    let lines: Vec<&str> = listing.lines().collect();
    let gap = lines.iter().position(|line| line.starts_with("-- gap at bit ")).unwrap();
    let (first_bit, goes_on) = (&decoded["gaps"][0]["first_bit"], &decoded["gaps"][0]["goes_on"]);
    assert!(lines[gap].starts_with(&format!("-- gap at bit {first_bit} of")), "{}", lines[gap]);
    assert!(lines[gap].ends_with(&format!("goes on at {}", goes_on.as_str().unwrap())));
    let last = lines[gap - 1].split_whitespace().next().unwrap().parse::<u64>().unwrap();
    assert_eq!(Some(last + 1), before);
    assert!(lines[gap + 1].starts_with("thread 0, "), "{}", lines[gap + 1]);
}

#[test]
fn a_view_of_a_ring_buffer_has_its_last_instructions() {
    let folder = Folder::new();
    let elf = workload("rv32imac-traps").replace(".pet.zst", ".elf");
    std::fs::copy(elf, folder.path("traps.elf")).unwrap();
    std::fs::copy(workload("rv32imac-traps"), folder.path("run.pet.zst")).unwrap();
    let (bytes, _) = pins(&folder);
    let size = bytes.len() / 3 + 1;
    let mut ring = vec![0; size];
    bytes.iter().enumerate().for_each(|(at, byte)| ring[at % size] = *byte);
    folder.write("ring.bin", &ring);
    let pointer = format!("--write-pointer {}", bytes.len() % size);
    let design = format!("--design traptor-m4 {SETTINGS} --program traps.elf");
    let decoded =
        incomplete(&folder, &format!("decode --ring {pointer} {design} ring.bin -o x.pet"));
    let viewed = incomplete(&folder, &format!("view --ring {design} ring.bin"));
    assert_eq!(viewed["events"], decoded["events"]);
    assert_eq!(viewed["gaps"][0]["reason"], "beginning");
    folder.write("pins.bin", &bytes);
    let raw = folder.json(&format!("view --raw {design} pins.bin --json"));
    assert_eq!(raw["instructions"], 529_254);
    let done = folder.run("view run.pet.zst --design traptor-m4 --program traps.elf");
    assert_eq!(done.status, 2, "{}", done.stderr);
    assert!(done.stderr.contains("expected an encoded file"), "{}", done.stderr);
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
