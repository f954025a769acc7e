//! Dumps of encoders of others: their parameters, what they say beside the execution, and the program counters.

use std::fs;

use crate::common::{Folder, workload};
use crate::standard::folder;

/// The lines of a file that are no remarks.
fn counters(folder: &Folder, file: &str) -> Vec<String> {
    let text = folder.text(file);
    text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect()
}

#[test]
fn program_counters_of_a_dump_are_those_of_the_trace() {
    let folder = folder(5_000);
    for (design, standard) in [("etrace-full", "etrace"), ("ntrace-htm", "ntrace")] {
        let encoder = format!("--standard {standard} --encoder encoder.toml");
        let design = format!("{design} run.pet.zst --set trace_port_width=8");
        folder.succeed(&format!("encode {design} -o dump.bin {encoder}"));
        folder.succeed(&format!("encode {design} -o run.bits"));
        let program = "--program traps.elf -o back.pet.zst --program-counters";
        folder.succeed(&format!("decode run.bits {program} own.txt"));
        folder.succeed(&format!("decode {encoder} dump.bin {program} other.txt"));
        assert_eq!(counters(&folder, "own.txt"), counters(&folder, "other.txt"), "{standard}");
    }
    // After a gap they go on, and the gap is told.
    let dump = folder.read("dump.bin");
    folder.write("cut.bin", &dump[..dump.len() - 1]);
    let decode = "decode --standard ntrace --encoder encoder.toml cut.bin --program traps.elf -o back.pet.zst";
    assert_eq!(folder.run(&format!("{decode} --program-counters cut.txt")).status, 3);
    let text = folder.text("cut.txt");
    assert!(text.contains("# gap at bit") && text.contains("the dump ends in a message"), "{text}");
}

/// Messages of N-Trace with times, as an encoder sends them.
const WRITTEN: [&[u8]; 5] = [
    // ProgTraceSync, SYNC 5, I-CNT 0, F-ADDR 0x10000, at 1000.
    &[0x24, 0x15, 0x00, 0x00, 0x21, 0xa0, 0x3f],
    // DataAcquisition, IDTAG 0, DQDATA "Hi", 24 later.
    &[0x1c, 0x01, 0x20, 0x94, 0x19, 0x63],
    // ProgTraceSync, SYNC 0 (an external trigger), F-ADDR 0x10000, at 1030.
    &[0x24, 0x01, 0x00, 0x00, 0x21, 0x18, 0x43],
    // InCircuitTrace, CKSRC 15, CKDATA 0x10, 7 later.
    &[0x88, 0x3c, 0x21, 0x1f],
    // ProgTraceCorrelation, EVCODE 4, I-CNT 0, 3 later.
    &[0x84, 0x10, 0x01, 0x0f],
];

#[test]
fn what_is_said_beside_the_execution_is_written() {
    let folder = Folder::new();
    let elf = workload("rv32imac-traps").replace(".pet.zst", ".elf");
    fs::copy(elf, folder.path("traps.elf")).expect("copied");
    folder.write("dump.bin", WRITTEN.concat());
    folder.write("alone.bin", WRITTEN[1]);
    let decode = "decode --standard ntrace --program traps.elf -o back.pet.zst";
    folder.succeed(&format!("{decode} alone.bin --messages alone.csv"));
    let head = "core,byte,time,instructions,message,fields,text\n";
    let alone = "0,0,,0,DataAcquisition,IDTAG=0 DQDATA=0x6948,\"Hi\"\n";
    assert_eq!(folder.text("alone.csv"), format!("{head}{alone}"));
    // Nothing retires between the messages, so that nothing is decoded.
    folder.run(&format!("{decode} dump.bin --messages said.json --times times.csv"));
    let listed = folder.succeed("trace info --standard ntrace dump.bin --payloads");
    for says in ["at 24, IDTAG 0, DQDATA 0x6948", "at 1030, SYNC 0,", "at 7, CKSRC 15, CKDATA 0x10"]
    {
        assert!(listed.contains(says), "{says}: {listed}");
    }
}

/// A word, a file and a single parameter: each takes the place of what comes before it.
#[test]
fn parameters_of_an_encoder_are_put_together() {
    let folder = folder(2_000);
    folder.succeed(
        "encode ntrace-htm run.pet.zst -o dump.bin --standard ntrace --encoder encoder.toml --set trace_port_width=8",
    );
    let decode = "decode --standard ntrace --program traps.elf -o back.pet.zst dump.bin";
    for encoder in [
        "--encoder sifive --encoder taken_half_words=1",
        "--encoder taken_half_words=0 --encoder encoder.toml",
        "--encoder encoder.toml --encoder address_width=32 --encoder sifive --encoder encoder.toml",
    ] {
        let done = folder.json(&format!("{decode} {encoder} --json"));
        assert_eq!(done["events"], 2_000, "{encoder}");
    }
    for (encoder, status, says) in [
        ("sifiv", 2, "--encoder sifiv: expected a file, a parameter or sifive"),
        ("there.toml", 1, "cannot read there.toml"),
        ("trTeSrcBit=1", 1, "the nearest is trTeSrcBits"),
        ("trTeSrcBits=13", 1, "trTeSrcBits is 13, expected 0 to 12"),
        ("trTeSrcBits=x", 1, "--encoder trTeSrcBits=x"),
    ] {
        let done = folder.run(&format!("{decode} --encoder {encoder}"));
        assert_eq!(done.status, status, "{encoder}: {}", done.stderr);
        assert!(done.stderr.contains(says), "{encoder}: {}", done.stderr);
    }
}

/// In a pipe each payload is a line.
#[test]
fn a_payload_is_one_line() {
    let folder = folder(2_000);
    let info = "trace info --standard etrace --encoder encoder.toml dump.bin --payloads";
    let list = folder.json(&format!("{info} --json"))[0]["list"].as_array().map_or(0, Vec::len);
    let listed = folder.succeed(info);
    let is_payload = |line: &&str| line.starts_with("  ") && line.contains("  ");
    let lines = listed.split("dump.bin\n").next().unwrap_or("").lines();
    assert_eq!(lines.filter(is_payload).count(), list);
}
