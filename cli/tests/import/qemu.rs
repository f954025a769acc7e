//! Logs of QEMU against what `capture` records of the same program.

use crate::capture::{Target, command};
use crate::common::Folder;

/// Runs a program with QEMU's log of blocks, and with `capture`.
fn logged(target: Target, name: &str, options: &[&str]) -> (Folder, String) {
    let folder = Folder::new();
    let program = target.compile(&folder, name, options);
    let ours = env!("CARGO_BIN_EXE_tracewright");
    let capture = ["capture", "-o", "run.pet.zst", "--", &program];
    let captured = command(ours, ("A", "1")).args(capture).current_dir(folder.path(".")).output();
    let captured = captured.expect("setarch of util-linux");
    assert!(captured.status.success(), "{}", String::from_utf8_lossy(&captured.stderr));
    for (items, log) in [("exec,nochain,in_asm", "listed.log"), ("exec,nochain", "plain.log")] {
        let words = ["-d", items, "-D", log, &program];
        let done = command(target.emulator(), ("A", "1"))
            .args(words)
            .current_dir(folder.path("."))
            .output();
        done.expect("QEMU");
    }
    (folder, program)
}

/// The trace of the log is that of the capture, with the instructions of the log and with those of the program.
fn is_captured(target: Target, name: &str, options: &[&str]) {
    let (folder, program) = logged(target, name, options);
    let captured = folder.succeed("trace dump run.pet.zst");
    for log in ["listed.log", "plain.log"] {
        let done = folder.run(&format!("trace import {log} --program {program} -o back.pet.zst"));
        assert_eq!(done.status, 0, "{}", done.stderr);
        assert!(done.stderr.contains("note: "), "{}", done.stderr);
        let imported = folder.succeed("trace dump back.pet.zst");
        let different = captured.lines().zip(imported.lines()).find(|(one, other)| one != other);
        assert_eq!(different, None, "{target:?}, {log}");
        assert_eq!(captured.len(), imported.len(), "{target:?}, {log}");
    }
}

#[test]
fn risc_v() {
    is_captured(Target::RiscV64, "sorting", &[]);
}

#[test]
fn arm() {
    is_captured(Target::A32, "sorting", &[]);
    is_captured(Target::Thumb, "sorting", &[]);
}

#[test]
#[ignore = "needs gcc-aarch64-linux-gnu: make programs-check"]
fn aarch64() {
    is_captured(Target::AArch64, "sorting", &[]);
}

#[test]
fn x86() {
    is_captured(Target::X86_64, "sorting", &[]);
}

/// Without a program the instruction set has to be named. The program takes a signal, which the log does not show.
#[test]
fn without_a_program() {
    let (folder, _) = logged(Target::RiscV32, "bare", &[]);
    let done = folder.run("trace import listed.log -o back.pet.zst");
    assert_eq!(done.status, 1);
    assert!(done.stderr.contains("expected --program FILE or --isa NAME"), "{}", done.stderr);
    let done = folder.run("trace import listed.log --isa rv32 -o back.pet.zst --json");
    assert_eq!(done.status, 0, "{}", done.stderr);
    let shown: serde_json::Value = serde_json::from_str(&done.stdout).expect("JSON");
    assert_eq!(shown["exceptions"], 1, "{shown:#}");
    let done = folder.run("trace import plain.log --isa rv32 -o back.pet.zst");
    assert_eq!(done.status, 1);
    assert!(
        done.stderr
            .contains("plain.log, line 1: the log does not have the instructions of the block")
    );
}
