//! Rings of E-Trace and N-Trace without packets: memories of a RAM sink, and what comes by the serial line.

use std::fs;

use crate::common::Folder;
use crate::standard::{events, folder};

/// The memory of a RAM sink that has wrapped begins in the middle of a payload.
#[test]
fn the_memory_of_a_ram_sink_is_decoded_from_its_first_beginning() {
    let folder = folder(20_000);
    let all = events(&folder, "run.pet.zst");
    // `encode` asks N-Trace for no synchronisation, so its memory has not wrapped.
    for (design, standard, wraps) in
        [("etrace-base", "etrace", true), ("ntrace-htm", "ntrace", false)]
    {
        let standard = format!("--standard {standard} --encoder encoder.toml");
        let design = format!("{design} --set trace_port_width=8");
        folder.succeed(&format!("encode {design} run.pet.zst -o dump.bin {standard}"));
        let dump = folder.read("dump.bin");
        let mut memory = if wraps { &dump[dump.len() - 4096..] } else { &dump[..4096] }.to_vec();
        memory.rotate_right(if wraps { 0x7c0 } else { 0 });
        folder.write("memory.bin", &memory);
        let ring = if wraps { "0x7c1" } else { "0x7c0" };
        let rest = format!(
            "--ram-sink {ring} memory.bin --program traps.elf -o back.pet.zst --allow-gaps"
        );
        for given in [&format!("--design {design}"), &standard] {
            let done = folder.run(&format!("decode {given} {rest}"));
            assert_eq!((done.status, done.stderr.as_str()), (0, ""), "{given}");
            let found = events(&folder, "back.part-1.pet.zst");
            assert!(found.len() > 1_000, "{given}: {}", found.len());
            // The first one after a wrap leads to where it begins.
            let is_right = if wraps { all.ends_with(&found[2..]) } else { all.starts_with(&found) };
            assert!(is_right, "{given}");
        }
        let done = folder.run(&format!("decode --design {design} --fingerprint 0x1 {rest}"));
        assert!(done.status == 1 && done.stderr.contains("has the fingerprint"), "{}", done.stderr);
        is_viewed_as_decoded(&folder, &format!("--ram-sink {ring} --design {design} memory.bin"));
    }
}

/// A ring is viewed as the trace that is decoded from it.
#[track_caller]
fn is_viewed_as_decoded(folder: &Folder, ring: &str) {
    let tables = |trace: &str| {
        let shown = folder.succeed(&format!("view {trace} --program traps.elf"));
        let lines = shown.lines().skip_while(|line| !line.starts_with(" function"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let of_ring = tables(&format!("{ring} --allow-gaps"));
    assert_eq!(of_ring, tables("back.part-1.pet.zst"), "{ring}");
    assert!(of_ring.len() > 12, "{ring}: {of_ring:?}");
    let profile = "--allow-gaps --program traps.elf --format callgrind -o ring.out";
    assert!(folder.succeed(&format!("profile {ring} {profile}")).contains("branches taken"));
    let listing = folder.run(&format!("view {ring} --program traps.elf --listing - --last 3"));
    assert!(listing.status == 3 && listing.stderr.contains("1 gap"), "{}", listing.stderr);
    assert!(listing.stdout.trim_end().lines().count() >= 4, "{}", listing.stdout);
}

/// What the serial line of a unit of E-Trace sends is decoded as the memory of its sink is.
#[test]
fn a_ring_comes_by_the_serial_line() {
    let folder = folder(400);
    let unit = "--control apb --ram-sink 4096 --reader uart --set trace_port_width=8";
    folder.succeed(&format!("generate etrace-base {unit} -o build"));
    folder.succeed("encode build/etrace-base run.pet.zst -o dump.bin --standard etrace");
    let manifest: serde_json::Value =
        serde_json::from_str(&folder.text("build/etrace-base/manifest.json")).expect("JSON");
    let fingerprint = manifest["fingerprint"].as_str().expect("a fingerprint");
    let fingerprint = u32::from_str_radix(&fingerprint[2..], 16).expect("hexadecimal");
    let mut memory = fs::read(folder.path("dump.bin")).expect("a dump");
    let pointer = memory.len().next_multiple_of(4) as u32;
    memory.resize(4096, 0);
    let line = |pointer: u32| {
        let head = [fingerprint, pointer, 4096].map(u32::to_le_bytes).concat();
        let content = [head, memory.clone()].concat();
        [&b"noise TWRING1\n"[..], &content, &crc32fast::hash(&content).to_le_bytes()].concat()
    };
    fs::write(folder.path("line.bin"), line(pointer)).expect("written");
    let decode =
        "decode --uart --design build/etrace-base line.bin --program traps.elf -o back.pet.zst";
    folder.succeed(decode);
    assert_eq!(events(&folder, "back.pet.zst"), events(&folder, "run.pet.zst"));
    fs::write(folder.path("line.bin"), line(0)).expect("written");
    let done = folder.run(decode);
    assert!(
        done.status == 1 && done.stderr.contains("line.bin: the ring is empty"),
        "{}",
        done.stderr
    );
}
