//! How a run on a real core ends that does not come to the end of its program, and a ring that has only its end.

use crate::common::Folder;
use crate::live::{assemble, program};

/// A core that stops at its first instruction, and a program that traps for ever.
#[test]
fn a_program_that_does_not_end_says_why() {
    let folder = Folder::new();
    let elf = assemble(&folder, "stops", "    .globl _start\n_start:\n    unimp\n");
    let done = folder.run(&format!("live traptor-m4 {elf}"));
    assert_eq!(done.status, 1, "{}", done.stdout);
    assert!(done.stdout.contains("trap at 0x10000"), "{}", done.stdout);
    assert!(
        done.stderr.contains("picorv32 stopped for good at 0x10000, after "),
        "{}",
        done.stderr
    );
    let elf = assemble(&folder, "turns", "    .globl _start\n_start:\n    j _start\n");
    let done = folder.run(&format!("live traptor-m4 {elf} --limit 30000"));
    assert_eq!((done.status, done.stderr.as_str()), (0, ""));
    assert!(done.stdout.contains("limit"), "{}", done.stdout);
}

/// An instruction that traps before a handler is set: the end of the run says so, and a ring that has nothing but these
/// traps agrees with the core.
#[test]
fn a_trap_that_repeats_ends_the_run() {
    let folder = Folder::new();
    let elf = assemble(&folder, "null", "    .globl _start\n_start:\n    jr zero\n");
    let done = folder.run(&format!("live stream-rbase-32 {elf} --core ibex"));
    assert_eq!(done.status, 1, "{}", done.stdout);
    assert!(done.stderr.contains("trapped 1000 times"), "{}", done.stderr);
    let design =
        "traptor-m4 --set framing=packets --set sync_bytes=64 --set sync_keeps_tables=false";
    let ring = folder.run(&format!(
        "live {design} {elf} --core ibex --ring 256 --limit 20000 -o ring.bin --json"
    ));
    let lived: serde_json::Value = serde_json::from_str(&ring.stdout).expect("JSON");
    assert_eq!(lived[0]["decoded_equal"], true, "{lived:#}");
    // The same exception, again and again, is one line of the listing.
    let listing = folder.run(&format!(
        "view --ring --design {design} --set alignment=1 ring.bin --program {elf} --listing - --last 4"
    ));
    assert!(listing.stdout.contains(" times in a row\n"), "{}{}", listing.stdout, listing.stderr);
    assert!(listing.stdout.lines().count() < 12, "{}", listing.stdout);
}

/// An option prevails over the ring of a file, and over what that sets. A file for another port is told.
#[test]
fn a_smaller_ring_than_that_of_the_file() {
    let folder = Folder::new();
    let unit = "preset = \"traptor-m4\"\nname = \"unit\"\n[ingress]\nport = \"tip\"\nlanes = 2\n[control]\n\
                bus = \"apb\"\n[ram_sink]\nbytes = 65536\n";
    folder.write("unit.toml", unit);
    let elf = program("minimal-interrupts");
    let done = folder.run(&format!(
        "live unit.toml {elf} --core minimal --ram-sink 1024 --limit 20k -o ring.bin"
    ));
    let note = "rvfi with lanes = 1, and not on that of its file, tip with";
    assert!(done.status == 0 && done.stderr.contains(note), "{}", done.stderr);
    let said = done.stdout.replace('\n', " ");
    let (has, value) =
        said.split_once("with 1 gap; --ram-sink ").unwrap_or_else(|| panic!("{said}"));
    let command =
        format!("decode ring.bin --design unit.toml --ram-sink {} --program {elf}", value.trim());
    let decoded = folder.json(&format!("{command} --allow-gaps -o back.pet --json"));
    let instructions = decoded["instructions"].as_u64().unwrap_or_default();
    assert!(
        instructions > 1_000 && has.replace(',', "").contains(&format!("has {instructions} of")),
        "{has}"
    );
}

/// A program without calls and indirect jumps: N-Trace synchronises at its branches, so that what a wrapped ring of the whole
/// unit has is decoded.
#[test]
fn a_wrapped_ring_of_a_program_that_only_branches() {
    let folder = Folder::new();
    let code = "    .option norvc\n    .globl _start\n_start:\n    li s0, 2000\n    li s1, 0\n\
                1:  addi s1, s1, 1\n    andi t0, s1, 3\n    beqz t0, 2f\n    xori t1, s1, 5\n\
                2:  andi t2, s1, 4\n    bnez t2, 3f\n    addi t1, t1, 1\n    bltz t1, 3f\n    addi t1, t1, -2\n\
                3:  addi s0, s0, -1\n    bnez s0, 1b\n    lui a0, 0x10000\n    sw zero, 4(a0)\n4:  j 4b\n";
    let elf = assemble(&folder, "branches", code);
    for design in ["ntrace-btm", "ntrace-htm"] {
        let unit = format!("{design} --set framing=packets --control apb --ram-sink 512");
        let done = folder.run(&format!("live {unit} {elf} --core minimal -o ring.bin"));
        assert_eq!(done.status, 0, "{}", done.stderr);
        assert!(done.stdout.contains(" equal "), "{}", done.stdout);
        let (_, kept) = done.stdout.split_once("512 bytes has ").expect("a ring that has wrapped");
        let words: Vec<&str> = kept.split_whitespace().collect();
        let (found, last) = (words[0].replace(',', ""), words[4].replace(',', ""));
        assert_eq!(found, last, "{kept}");
        assert!(found.parse::<u64>().expect("a number") > 900, "{kept}");
    }
}
