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
    assert!(done.stderr.contains(" events decoded"), "{}", done.stderr);
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
    assert!(done.stderr.starts_with("note: pins.bin: 2 gaps, "), "{}", done.stderr);
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
        // After a damaged length, what follows is the rest of the head of the frame, then the trace.
        (flipped(frames + 3), "expected a frame of at most", vec!["beginning", "reset"]),
        (flipped(file.len() - 1), "expected the trailer in the last 48 bytes", vec![]),
        (file[..2 * file.len() / 3].to_vec(), "expected the trailer", vec!["cut-off"]),
    ] {
        folder.write("damaged.bits", &damaged);
        let done = folder.run("decode damaged.bits --program run.pet.zst -o back.pet.zst --json");
        assert_eq!(done.status, 3, "{says}: {}", done.stderr);
        assert!(done.stderr.starts_with("note: damaged.bits, byte "), "{}", done.stderr);
        assert!(done.stderr.contains(says), "{says}: {}", done.stderr);
        assert!(done.stderr.ends_with(" events decoded\n"), "{}", done.stderr);
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
    let design = format!("--design traptor-m4 --set alignment=1 {SETTINGS} --program traps.elf");
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

/// What is there after a decode is of that decode alone.
#[test]
fn an_earlier_decode_leaves_nothing() {
    let folder = Folder::with_run();
    folder.succeed(&format!("encode traptor-m4 run.pet.zst -o good.bits {SETTINGS}"));
    let mut bits = folder.read("good.bits");
    let middle = bits.len() / 2;
    bits[middle..middle + 40].fill(0x55);
    folder.write("bad.bits", bits);
    let before = folder.names();
    let new = |folder: &Folder| -> Vec<String> {
        folder.names().into_iter().filter(|name| !before.contains(name)).collect()
    };
    let good = "decode good.bits --program run.pet.zst -o back.pet.zst";
    let bad = "decode bad.bits --program run.pet.zst -o back.pet.zst";
    folder.succeed(good);
    assert_eq!(new(&folder), ["back.pet.zst"]);
    let parts = incomplete(&folder, bad)["parts"].as_array().unwrap().len();
    assert!(parts > 1);
    let names: Vec<String> = (1..=parts).map(|part| format!("back.part-{part}.pet.zst")).collect();
    assert_eq!(new(&folder), names);
    // One more part of a decode with more gaps, and a file of the user's.
    let more = format!("back.part-{}.pet.zst", parts + 1);
    let notes = format!("back.part-{}.pet.zst", parts + 2);
    std::fs::copy(folder.path(&names[0]), folder.path(&more)).unwrap();
    folder.write(&notes, "what I found in the trace");
    incomplete(&folder, bad);
    let mut with_notes = names;
    with_notes.push(notes.clone());
    assert_eq!(new(&folder), with_notes);
    folder.succeed(good);
    assert_eq!(new(&folder), [notes, "back.pet.zst".into()]);
    // Standard output takes no part of a trace with gaps, under any of its names.
    for name in ["-", "/dev/stdout"] {
        let failed =
            folder.run(&format!("decode bad.bits --program run.pet.zst -o {name} --format txt"));
        assert_eq!(failed.status, 1, "{}", failed.stderr);
        assert!(failed.stderr.contains("standard output takes only"), "{}", failed.stderr);
        assert!(failed.stdout.is_empty(), "{name} has a part");
    }
    // Nor does a device or a pipe.
    let failed = folder.run("decode bad.bits --program run.pet.zst -o /dev/null --format txt");
    assert_eq!(failed.status, 1, "{}", failed.stderr);
    assert!(failed.stderr.contains("/dev/null takes only a trace"), "{}", failed.stderr);
}

/// The memory of a RAM sink of `size` bytes that has taken these, and the value of its register of the write pointer.
fn ram_sink(taken: &[u8], size: usize) -> (Vec<u8>, u32) {
    // What was there before is anything.
    let mut memory: Vec<u8> = (0..size).map(|at| (at * 37) as u8).collect();
    taken.iter().enumerate().for_each(|(at, byte)| memory[at % size] = *byte);
    (memory, (taken.len() % size) as u32 | u32::from(taken.len() >= size))
}

#[test]
fn the_memory_of_a_ram_sink_is_read_by_its_write_pointer() {
    let folder = Folder::with_run();
    let (bytes, events) = pins(&folder);
    let words = bytes.len().next_multiple_of(4);
    let filled = |bytes: &[u8]| {
        let mut filled = bytes.to_vec();
        filled.resize(bytes.len().next_multiple_of(4), 0);
        filled
    };
    let command = |pointer: &str| {
        format!(
            "decode --ram-sink {pointer} --design traptor-m4 {SETTINGS} memory.bin --program run.pet.zst \
             -o back.pet"
        )
    };
    // A ring that has room for all.
    let (memory, pointer) = ram_sink(&filled(&bytes), 2 * words);
    folder.write("memory.bin", &memory);
    let done = folder.json(&format!("{} --json", command(&format!("{pointer:#x}"))));
    assert_eq!(done["events"], events.len());
    // One that has wrapped.
    let size = words / 2 / 4 * 4;
    let (memory, pointer) = ram_sink(&filled(&bytes), size);
    folder.write("memory.bin", &memory);
    assert_eq!(pointer & 1, 1);
    let wrapped = incomplete(&folder, &command(&pointer.to_string()));
    assert_eq!(check_parts(&folder, &wrapped), events.len());
    assert_eq!(wrapped["unverified_events"], 0);
    let done = folder.run(&format!("{} --allow-gaps", command(&pointer.to_string())));
    assert_eq!((done.status, done.stderr.as_str()), (0, ""), "{}", done.stdout);
    assert!(done.stdout.starts_with("gap bits 0 to "), "{}", done.stdout);
    // One that has kept the beginning of a trace, and no end of it: the last packet is cut off.
    let (memory, pointer) = ram_sink(&bytes[..size], size);
    folder.write("memory.bin", &memory);
    assert_eq!(pointer, 1);
    let stopped = incomplete(&folder, &command("1"));
    let unverified = stopped["unverified_events"].as_u64().unwrap();
    assert!(unverified > 0, "{stopped}");
    assert_eq!(stopped["gaps"][0]["unverified_events"], unverified);
    let part = lines(&folder, "back.part-1.pet");
    assert!(lines(&folder, "run.pet.zst").starts_with(&part), "{stopped}");
    assert_eq!(part.len() as u64, stopped["events"].as_u64().unwrap());
    let done = folder.run(&command("1"));
    let text = done.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        text.contains(&format!("; the {unverified} events before it are unverified")),
        "{text}"
    );
    let viewed =
        folder.run(&command("1").replace("decode", "view").replace("-o back.pet", "--json"));
    assert!(
        viewed.status != 0 && viewed.stdout.is_empty(),
        "a learned program has no view: {}",
        viewed.stdout
    );

    for (pointer, says) in [
        ("0x3", "bit 1 is 0"),
        ("write", "expected the value of trRamWPLow"),
        ("0x7ffffff1", "the write pointer is 0x7ffffff0, expected at most"),
    ] {
        let done = folder.run(&command(pointer));
        assert_eq!(done.status, 2, "{pointer}: {}", done.stderr);
        assert!(done.stderr.contains(says), "{pointer}: {}", done.stderr);
    }
}
