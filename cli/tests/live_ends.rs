//! How a run on a real core ends that does not come to the end of its program.

use crate::common::Folder;
use crate::live::assemble;

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
