//! Working sets from the command line: captured, looked at, replayed, decoded against their program.

use std::process::Command;

use crate::common::Folder;
use serde_json::Value;

/// A file of `workloads/`.
fn workload(name: &str) -> String {
    format!("{}/../workloads/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// A folder with a short working set, `run.wset`, and its program.
fn folder() -> (Folder, String) {
    let folder = Folder::new();
    let program = workload("rv32imac-traps.elf");
    folder.succeed(&format!("wset capture {program} -o run.wset"));
    (folder, program)
}

#[test]
fn a_program_runs_and_its_working_set_says_what_it_did() {
    let folder = Folder::new();
    let (program, input) = (workload("rv64imac-words.elf"), workload("programs/words.txt"));
    let done = folder.json(&format!("wset capture {program} --input {input} -o run.wset --json"));
    for (name, value) in [("status", 0.into()), ("console", Value::from("right\n"))] {
        assert_eq!(done[name], value);
    }
    let info = folder.json("wset info run.wset --compare --json");
    let info = &info[0];
    for name in [
        "instructions",
        "loads",
        "stores",
        "line_bytes",
        "lines",
        "file_bytes",
        "plain_trace_bytes",
    ] {
        assert_eq!(info[name], done[name], "{name}");
    }
    assert_eq!(info["inputs"]["block"], 4);
    assert_eq!(info["registers"]["pc"], 0x10000);
    let bytes = |name: &str| info[name].as_u64().expect("a number");
    assert!(bytes("trace_bytes") < bytes("data_trace_bytes"));
    assert!(bytes("file_bytes") * 100 < bytes("plain_trace_bytes"));
    // Without its input the program finds that out, which is no error of ours.
    let done = folder.json(&format!("wset capture {program} -o run.wset --json"));
    assert_eq!((&done["status"], &done["console"]), (&1.into(), &Value::from("wrong\n")));
}

#[test]
fn a_replay_is_encoded_and_decoded_against_the_program() {
    let (folder, program) = folder();
    let done = folder.json("wset replay run.wset --json");
    assert_eq!((&done["output"], &done["events"]), (&Value::Null, &Value::Null));
    assert!(done["instructions_per_second"].as_f64() > Some(1e6));
    folder.succeed("wset replay run.wset -o run.pet.zst");
    let done = folder.json("wset replay run.wset --data -o data.pet.zst --json");
    let verified = folder.json("trace verify data.pet.zst --json");
    for name in ["instructions", "events", "accesses"] {
        assert_eq!(verified[0][name], done[name], "{name}");
    }
    for design in ["traptor-m4", "stream-rbase-128", "ntuple-32x4"] {
        folder.succeed(&format!("encode {design} run.pet.zst -o run.bits"));
        folder.succeed(&format!("decode run.bits --program {program} -o back.pet.zst"));
        let text = folder.succeed("trace dump back.pet.zst");
        assert!(text == folder.succeed("trace dump run.pet.zst"), "{design}");
    }
    folder.succeed("encode stride-256 data.pet.zst -o data.bits");
    folder.succeed("decode data.bits --program data.pet.zst -o back.pet.zst");
    assert!(folder.read("back.pet.zst") == folder.read("data.pet.zst"));
}

/// The committed trace is what the committed working set gives.
#[test]
fn the_trace_in_workloads_is_current() {
    let folder = Folder::new();
    let working_set = workload("rv32imac-traps.wset");
    folder.succeed(&format!("wset replay {working_set} --data -o run.pet.zst"));
    let kept = workload("rv32imac-traps.pet.zst");
    assert!(
        folder.succeed(&format!("trace dump {kept}")) == folder.succeed("trace dump run.pet.zst"),
        "make workloads"
    );
}

#[test]
fn a_limit_ends_with_a_control_flow_instruction() {
    let (folder, program) = folder();
    let done = folder.json(&format!("wset capture {program} -o head.wset --limit 1000 --json"));
    assert_eq!(done["status"], Value::Null);
    let instructions = done["instructions"].as_u64().expect("a number");
    assert!((1000..1100).contains(&instructions));
    folder.succeed("wset replay head.wset -o head.txt");
    folder.succeed("wset replay run.wset -o run.txt");
    assert!(folder.text("run.txt").starts_with(&folder.text("head.txt")));
}

#[test]
fn bad_input_is_said_in_a_sentence() {
    let (folder, program) = folder();
    let elf = std::fs::read(&program).expect("a program");
    folder.write("cut.elf", &elf[..0x1100]);
    folder.write("headers.elf", &elf[..40]);
    folder.write("empty.elf", b"");
    folder.write("sound.elf", &elf);
    let mut arm = elf.clone();
    arm[18] = 40;
    folder.write("arm.elf", arm);
    let wset = folder.read("run.wset");
    folder.write("cut.wset", &wset[..100]);
    let mut flipped = wset.clone();
    flipped[99] ^= 4;
    folder.write("flipped.wset", flipped);
    let mut said = String::new();
    for arguments in [
        "wset capture cut.elf -o out.wset",
        "wset capture headers.elf -o out.wset",
        "wset capture empty.elf -o out.wset",
        "wset capture arm.elf -o out.wset",
        "wset capture run.wset -o out.wset",
        "wset capture sound.elf -o /dev/full",
        "wset replay run.wset -o /dev/full --format pet",
        "wset capture missing.elf -o out.wset",
        "wset capture cut.elf -o out.wset --line-bytes 24",
        "wset capture cut.elf -o out.wset --limit 0",
        "wset replay cut.wset",
        "wset replay flipped.wset -o out.pet",
        "wset replay cut.elf",
        "wset replay run.wset --data",
        "wset replay run.wset -o out",
        "wset info run.wset cut.wset",
    ] {
        let done = folder.run(arguments);
        assert!(done.status == 1 || done.status == 2, "{arguments}");
        let first = done.stderr.lines().next().unwrap_or_default();
        said += &format!("$ {arguments}\n{}: {first}\n", done.status);
        assert!(!folder.names().iter().any(|name| name.starts_with("out")), "{arguments}");
    }
    insta::assert_snapshot!(said);
}

/// Firmware that was not written for this board: a C library's semihosting, which prints, reads and exits.
#[test]
fn firmware_with_semihosting_runs_and_is_replayed() {
    // This C library's exit says a status only to hosts with an extension; to others whether it is a success.
    for (march, abi) in [("rv32imac", "ilp32"), ("rv64imac", "lp64")] {
        let folder = Folder::new();
        folder.write(
            "echo.c",
            "#include <stdio.h>\n#include <stdlib.h>\nint main(void) { char line[64];\n\
             if (!fgets(line, sizeof line, stdin)) return 9;\nprintf(\"<%s>\\n\", line); exit(3); }\n",
        );
        let (march, abi) = (format!("-march={march}"), format!("-mabi={abi}"));
        let done = std::process::Command::new("riscv64-unknown-elf-gcc")
            .args(["--specs=picolibc.specs", "--oslib=semihost", "--crt0=hosted", &march, &abi])
            .args([
                "-Os",
                "-mcmodel=medany",
                "-Wl,--defsym=__flash=0x80000000",
                "-Wl,--defsym=__flash_size=0x100000",
            ])
            .args(["-Wl,--defsym=__ram=0x80200000", "-Wl,--defsym=__ram_size=0x100000"])
            .args(["echo.c", "-o", "echo.elf"])
            .current_dir(folder.path("."))
            .output()
            .expect("riscv64-unknown-elf-gcc");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        folder.write("line.txt", "a line\n");
        let done = folder.json("wset capture echo.elf --input line.txt -o run.wset --json");
        assert_eq!((&done["status"], &done["console"]), (&1.into(), &Value::from("<a line\n>\n")));
        folder.succeed("wset replay run.wset -o run.pet.zst");
        folder.succeed("trace verify run.pet.zst");
        folder.succeed("encode traptor-m4 run.pet.zst -o run.bits");
        folder.succeed("decode run.bits --program echo.elf -o back.pet.zst");
    }
}

/// A program that the machine cannot go on with is kept until the last jump before, by the limit that the error says.
#[test]
fn a_crash_is_kept_until_the_last_jump() {
    let folder = Folder::new();
    folder.write(
        "crash.s",
        ".globl start\nstart: li t0, 5\nagain: addi t0, t0, -1\nbnez t0, again\nnop\nlw t0, 0(zero)\n",
    );
    let done = Command::new("riscv64-unknown-elf-gcc")
        .args("-march=rv32imac -mabi=ilp32 -nostdlib -Wl,-Ttext=0x10000,-estart".split(' '))
        .args(["-o", "crash.elf", "crash.s"])
        .current_dir(folder.path("."))
        .status();
    assert!(done.is_ok_and(|status| status.success()), "gcc-riscv64-unknown-elf is needed");
    for command in ["wset capture crash.elf -o run.wset", "advise crash.elf --design nexs"] {
        let done = folder.run(command);
        assert_eq!(done.status, 1, "{}", done.stderr);
        assert!(done.stderr.contains("crash.elf: LoadFault"), "{}", done.stderr);
        assert!(done.stderr.contains("after 12 instructions"), "{}", done.stderr);
        let (_, limit) = done.stderr.split_once("; --limit 11 ").expect("a limit");
        assert!(limit.starts_with("keeps what it did until the last jump before"), "{limit}");
        folder.succeed(&format!("{command} --limit 11"));
    }
    assert_eq!(folder.json("wset info run.wset --json")[0]["instructions"], 11);
}
