//! Pipes as inputs: what is read once is read from them, of the rest the command says that it must be a file.

use std::path::Path;
use std::process::Command;

use crate::common::{Done, Folder, done, workload};

/// Runs `tracewright` with these arguments in bash, which has `<(...)`; a command that waits for a pipe is ended.
fn bash(folder: &Folder, arguments: &str) -> Done {
    let line = format!("timeout 20 {} {arguments}", env!("CARGO_BIN_EXE_tracewright"));
    let mut command = Command::new("bash");
    done(command.args(["-c", &line]).current_dir(folder.path(".")).output().expect("bash"))
}

/// Runs a command line that has to succeed.
fn succeeds(folder: &Folder, command: &str) {
    let done = bash(folder, command);
    assert_eq!(done.status, 0, "{command}: {}", done.stderr);
}

#[test]
fn what_is_read_twice_must_be_a_file() {
    let folder = Folder::with_run();
    let made = Command::new("mkfifo").arg(folder.path("pipe")).status().expect("mkfifo");
    assert!(made.success());
    for command in [
        // This trace does not have the lengths of calls.
        "encode traptor-m4 <(cat run.pet.zst) -o out.bits",
        "measure --design traptor-m4 <(cat run.pet.zst)",
        "measure --design traptor-m4 pipe",
        "cosim traptor-s0 <(cat run.pet.zst)",
        "cosim traptor-s0 pipe",
        "report traptor-s0 pipe",
    ] {
        let refused = bash(&folder, command);
        assert_eq!(refused.status, 2, "{command}: {}", refused.stderr);
        let expected = "the trace is read twice, so it cannot come from a pipe; expected a file";
        assert!(refused.stderr.contains(expected), "{command}: {}", refused.stderr);
    }
    assert!(!folder.path("out.bits").exists());
}

#[test]
fn what_is_read_once_can_be_a_pipe() {
    let folder = Folder::with_run();
    for command in [
        "trace info <(cat run.pet.zst)",
        "trace verify <(cat run.pet.zst)",
        "trace convert <(cat run.pet.zst) -o out.txt",
        "decode <(cat run.bits) --program run.pet.zst -o back.pet.zst",
    ] {
        succeeds(&folder, command);
    }
    let elf = Path::new(&workload("x")).with_file_name("rv32imac-crc.elf");
    let elf = elf.display();
    folder.succeed(&format!("wset capture {elf} -o crc.wset --limit 50000"));
    folder.succeed("wset replay crc.wset -o crc.pet.zst");
    folder.succeed("encode traptor-m4 crc.pet.zst -o crc.bits");
    for command in [
        "encode traptor-m4 <(cat crc.pet.zst) -o again.bits",
        "decode crc.bits --program <(cat ELF) -o back.pet.zst",
        "view <(cat crc.pet.zst) --program <(cat ELF)",
    ] {
        succeeds(&folder, &command.replace("ELF", &elf.to_string()));
    }
    let refused = bash(&folder, "decode crc.bits --program <(cat crc.pet.zst) -o out.pet.zst");
    assert_eq!(refused.status, 1, "{}", refused.stderr);
    assert!(refused.stderr.contains("ELF"), "{}", refused.stderr);
}
