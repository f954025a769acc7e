//! Logs that Spike itself has written, of a program of workloads/spike, against the run of that program on our board.

use std::path::Path;

use crate::common::Folder;
use tracewright_sim::event::{Event, Kind};
use tracewright_sim::trace_io;

/// The events of a trace after the jump or exception to the program's first instruction.
fn events_of_program(folder: &Folder, name: &str) -> Vec<Event> {
    let events = trace_io::open(folder.path(name)).expect("a trace");
    let events = events.map(|event| event.expect("an event"));
    events.skip_while(|event| event.target != 0x8000_0000).skip(1).collect()
}

/// What both traces say of an exception: how many instructions have retired before it, and where it leads. A system call
/// or breakpoint is an instruction of the run on the board, and none in a log.
fn exception(event: &Event, calls: &[u64]) -> (u64, u64) {
    let calls = u64::from(calls.contains(&event.program_counter));
    (event.instructions - calls, event.target)
}

/// The addresses of system calls and breakpoints that trapped, from the log of `-l`.
fn calls(log: &str) -> Vec<u64> {
    let is_call = |line: &&str| line.contains("ecall, epc") || line.contains("breakpoint, epc");
    let address = |line: &str| u64::from_str_radix(line.rsplit_once("0x")?.1, 16).ok();
    log.lines().filter(is_call).filter_map(address).collect()
}

/// The log has five instructions before the program, of Spike's memory of reset, and goes on at the program's end until
/// Spike looks at `tohost`.
#[test]
fn calls_traps_and_levels() {
    let workloads = Path::new(env!("CARGO_MANIFEST_DIR")).join("../workloads/spike");
    let folder = Folder::new();
    folder.write("traps.elf", std::fs::read(workloads.join("traps.elf")).expect("a file"));
    folder.run("wset capture traps.elf -o traps.wset");
    folder.run("wset replay traps.wset -o run.pet.zst");
    let expected = events_of_program(&folder, "run.pet.zst");
    let log = |name: &str| {
        let log = std::fs::read(workloads.join(name)).expect("a file");
        zstd::decode_all(log.as_slice()).expect("a log")
    };
    let calls = calls(&String::from_utf8(log("traps.log.zst")).expect("text"));
    assert_eq!(calls.len(), 21);
    for name in ["traps.log.zst", "traps_commits.log.zst"] {
        // The log is read as it is kept, compressed.
        folder.write(name, std::fs::read(workloads.join(name)).expect("a file"));
        let done = folder.run(&format!("trace import {name} -o back.pet"));
        assert_eq!(done.status, 0, "{}", done.stderr);
        let found = events_of_program(&folder, "back.pet");
        assert!(found.len() >= expected.len(), "{name}: {} of {}", found.len(), expected.len());
        for (one, other) in found.iter().zip(&expected) {
            match other.kind {
                Kind::Exception => assert_eq!(exception(one, &[]), exception(other, &calls)),
                _ => assert_eq!(one, other, "{name}"),
            }
        }
    }
    assert_eq!(expected.iter().filter(|event| event.kind == Kind::Exception).count(), 40);
}
