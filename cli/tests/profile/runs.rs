//! Several runs as one profile, runs with gaps, and where a profile goes.

use std::process::Command;

use super::captured;
use crate::common::Folder;

/// Numbers at the end of lines, each twice as large.
fn doubled(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let (rest, count) = line.rsplit_once(' ').expect("a count");
        format!("{rest} {}\n", 2 * count.parse::<u64>().expect("a number"))
    });
    lines.collect()
}

#[test]
fn runs_are_counted_together() {
    let folder = captured("words", "riscv64-linux-gnu-gcc", &[]);
    folder.succeed(
        "encode traptor-m4 run.pet.zst --set address_width=64 --set alignment=1 -o run.bits",
    );
    let profile = |runs: &str, format: &str| {
        folder.succeed(&format!("profile {runs} --images run.images --format {format} -o out"));
        folder.text("out")
    };
    let one = profile("run.pet.zst", "folded");
    assert_eq!(profile("run.pet.zst run.bits", "folded"), doubled(&one));
    assert_eq!(profile("run.bits", "bolt"), profile("run.pet.zst", "bolt"));
    let counted = |text: &str| -> u64 {
        let lines = text.lines().filter(|line| line.starts_with('F'));
        lines
            .map(|line| line.rsplit(' ').next().expect("a count").parse::<u64>().expect("a number"))
            .sum()
    };
    let (one, two) = (profile("run.bits", "bolt"), profile("run.bits run.bits", "bolt"));
    assert_eq!(2 * counted(&one), counted(&two));
    assert_eq!(one.lines().count(), two.lines().count());
}

/// Folded stacks are those of `view`, and what is read to its first lines only is no error.
#[test]
fn standard_output_has_nothing_but_the_profile() {
    let folder = captured("words", "gcc", &[]);
    folder.succeed("view run.pet.zst --images run.images --folded stacks");
    let profile = "profile run.pet.zst --images run.images --format";
    assert_eq!(folder.succeed(&format!("{profile} folded -o -")), folder.text("stacks"));
    for format in ["bolt", "callgrind", "lcov"] {
        let line =
            format!("{} {profile} {format} -o - | head -1", env!("CARGO_BIN_EXE_tracewright"));
        let mut command = Command::new("bash");
        command.args(["-o", "pipefail", "-c", &line]).current_dir(folder.path("."));
        let done = command.output().expect("bash");
        assert_eq!((done.status.code(), done.stderr.as_slice()), (Some(0), &b""[..]), "{format}");
    }
}

/// speedscope's file has the same stacks.
#[test]
fn speedscope_has_every_instruction() {
    let folder = captured("words", "riscv64-linux-gnu-gcc", &[]);
    let profile = "profile run.pet.zst --images run.images --format";
    let file = folder.json(&format!("{profile} speedscope -o -"));
    let list = |value: &serde_json::Value| value.as_array().expect("a list").clone();
    let frames = list(&file["shared"]["frames"]);
    let name = |frame: &serde_json::Value| {
        let frame = frame.as_u64().expect("a number") as usize;
        frames[frame]["name"].as_str().expect("a name").to_owned()
    };
    let of_file = &file["profiles"][0];
    let stacks = list(&of_file["samples"]).into_iter().zip(list(&of_file["weights"]));
    let mut lines: Vec<String> = stacks
        .map(|(stack, weight)| {
            let names: Vec<String> = list(&stack).iter().map(name).collect();
            format!("{} {weight}\n", names.join(";"))
        })
        .collect();
    lines.sort_unstable();
    let mut folded: Vec<String> = folder
        .succeed(&format!("{profile} folded -o -"))
        .lines()
        .map(|line| format!("{line}\n"))
        .collect();
    folded.sort_unstable();
    assert_eq!(lines, folded);
    assert_eq!(file["$schema"], "https://www.speedscope.app/file-format-schema.json");
}

#[test]
fn a_run_of_another_program_is_refused() {
    let folder = captured("words", "gcc", &[]);
    let other = captured("records", "gcc", &[]);
    folder.write("other", other.read("prog"));
    let refused = folder.run("profile run.pet.zst --program other --format bolt -o out");
    assert_eq!(refused.status, 1);
    assert!(refused.stderr.contains("the program image is wrong or stale"), "{}", refused.stderr);
    assert!(!folder.path("out").exists());
}

/// What is known of a trace with gaps is in the profile, and the exit status says that it is not all.
#[test]
fn a_run_with_a_gap_has_a_profile_of_the_rest() {
    let folder: Folder = captured("words", "riscv64-linux-gnu-gcc", &[]);
    let set = "--set address_width=64 --set alignment=1 \
         --set framing=packets --set sync_interval=4096 --set checksum_bits=16";
    folder.succeed(&format!("encode traptor-m4 run.pet.zst {set} -o run.bits"));
    let mut bits = folder.read("run.bits");
    let middle = bits.len() / 2;
    bits[middle..middle + 40].fill(0x55);
    folder.write("damaged.bits", bits);
    let profile = "damaged.bits --images run.images --format bolt -o out --json";
    let done = folder.run(&format!("profile {profile}"));
    assert_eq!(done.status, 3, "{}", done.stderr);
    let said: serde_json::Value = serde_json::from_str(&done.stdout).expect("JSON");
    assert!(!said["runs"][0]["gaps"].as_array().expect("gaps").is_empty());
    assert!(folder.text("out").lines().count() > 300);
}
