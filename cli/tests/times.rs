//! The time of payloads: in files of our own, in dumps of a standard, and in their lists.

use std::fs;

use crate::common::{Folder, workload};

/// A switched design whose starts and traps say the time.
const DESIGN: &str =
    "etrace-base run.pet.zst --set enable_pin=true --set resync_max=4 --set time_bits=32";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.take_head("rv32imac-traps", 20_000, "run.pet.zst");
    let elf = workload("rv32imac-traps").replace(".pet.zst", ".elf");
    fs::copy(elf, folder.path("traps.elf")).expect("copied");
    folder
}

/// The times of a file, and the events before each.
fn times(folder: &Folder, file: &str) -> Vec<(u64, u64)> {
    let text = folder.text(file);
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("core,time,events"));
    let number = |text: Option<&str>| text.and_then(|text| text.parse().ok()).expect("a number");
    let line = |line: &str| {
        let mut fields = line.split(',');
        assert_eq!(fields.next(), Some("0"), "{line}");
        (number(fields.next()), number(fields.next()))
    };
    lines.map(line).collect()
}

#[test]
fn every_decoder_gives_the_times_of_starts_and_traps() {
    let folder = folder();
    folder.succeed(&format!("encode {DESIGN} -o run.bits"));
    folder.succeed("decode run.bits --program traps.elf -o own.pet.zst --times own.csv");
    folder
        .succeed(&format!("encode {DESIGN} -o dump.bin --standard etrace --encoder encoder.toml"));
    let parameters = folder.text("encoder.toml");
    assert!(parameters.contains("time_width_p = 32\nnotime_p = 0\n"), "{parameters}");
    let standard = "--standard etrace --encoder encoder.toml dump.bin";
    folder.succeed(&format!(
        "decode {standard} --program traps.elf -o back.pet.zst --times standard.csv"
    ));
    let (own, other) = (times(&folder, "own.csv"), times(&folder, "standard.csv"));
    assert!(own.len() > 500, "{} times", own.len());
    let only_times = |all: &[(u64, u64)]| all.iter().map(|(time, _)| *time).collect::<Vec<_>>();
    assert_eq!(only_times(&own), only_times(&other));
    // One instruction is a cycle, and an event has one at least.
    for all in [&own, &other] {
        assert!(all.is_sorted() && all.iter().all(|(time, events)| time + 1 >= *events), "{all:?}");
    }
    let info = folder.json(&format!("trace info {standard} --payloads --json"));
    let list = info[0]["list"].as_array().expect("a list");
    let listed = list.iter().filter_map(|payload| payload["fields"]["time"].as_u64());
    assert_eq!(listed.collect::<Vec<_>>(), only_times(&own));
}

#[test]
fn times_that_no_payload_says_are_refused() {
    let folder = folder();
    folder.succeed("encode etrace-base run.pet.zst -o dump.bin --standard etrace");
    let done = folder.run(
        "decode --standard etrace dump.bin --program traps.elf -o back.pet.zst --times times.csv",
    );
    let expected =
        "--times: the payloads say no time, expected notime_p = 0 and time_width_p in --encoder";
    assert!(done.status == 2 && done.stderr.contains(expected), "{}", done.stderr);
    assert!(!folder.path("times.csv").exists());
    let done = folder.run("encode etrace-base run.pet.zst -o run.bits --set time_bits=32");
    let expected =
        "`time_bits` = 32 does not fit: it needs enable_pin = true, or framing = packets";
    assert!(done.status != 0 && done.stderr.contains(expected), "{}", done.stderr);
}
