//! The server alone, without GDB.

use crate::common::{Folder, workload};
use crate::contexts;

use super::script;

/// Contexts are threads, each with the code and the functions of its own program, from a trace and from packets.
#[test]
fn contexts() {
    let (folder, _) = contexts::folder();
    let encode = format!("encode traptor-m4 {} run.pet.zst -o run.bits", contexts::SETTINGS);
    assert_eq!(folder.run(&encode).status, 0);
    let commands = [
        "monitor first term",
        "maintenance flush register-cache",
        "info threads",
        "monitor callers",
        "print/x *(unsigned char[4] *) 0x102ba",
        "thread 2",
        "print/x *(unsigned char[4] *) 0x102ba",
        "monitor last program",
        "reverse-continue",
    ];
    let commands = commands.map(String::from);
    let mut printed = Vec::new();
    for run in ["run.pet.zst", "run.bits"] {
        let run = format!("{run} {}", contexts::PROGRAMS);
        printed.push(script::gdb(&folder, "crc.elf", &run, &commands));
    }
    assert_eq!(printed[0], printed[1]);
    let text = &printed[0];
    assert!(text.contains(", context 0x7, at ") && text.contains("<term>"), "{text}");
    assert!(text.contains("(context 0x0)") && text.contains("(context 0x7)"), "{text}");
    assert!(text.contains("\nterm, back to ") && text.contains("<expression+"), "{text}");
    let bytes: Vec<&str> = text.lines().filter(|line| line.starts_with('$')).collect();
    let value = |line: &str| line.split_once(" = ").map(|(_, value)| value.to_owned());
    assert!(bytes.len() == 2 && value(bytes[0]) != value(bytes[1]), "{text}");
}

/// A folder with a workload and its run.
fn interpreter() -> Folder {
    let folder = Folder::new();
    let elf = workload("rv32imac-interpreter").replace(".pet.zst", ".elf");
    std::fs::copy(&elf, folder.path("interpreter.elf")).expect("copied");
    folder.succeed(&format!("wset replay {} -o run.pet.zst", elf.replace(".elf", ".wset")));
    folder
}

/// What cannot be is refused in words, and does not hold the run back.
#[test]
fn refused() {
    let folder = interpreter();
    let commands =
        ["watch *(int *) 0x80000", "break term", "continue", "set $pc = 0x10000", "monitor where"];
    let commands = commands.map(String::from);
    let run = "run.pet.zst --program interpreter.elf";
    let said = script::gdb(&folder, "interpreter.elf", run, &commands);
    assert!(said.contains("The watchpoint stops nowhere"), "{said}");
    assert!(said.contains("Breakpoint 2, ") && said.contains("<term"), "{said}");
    assert!(said.contains("registers of a recorded run cannot be written"), "{said}");
}

/// The machine interface, as editors use it.
#[test]
fn machine_interface() {
    let folder = interpreter();
    let server = env!("CARGO_BIN_EXE_tracewright");
    let debug = "debug run.pet.zst --program interpreter.elf --stdio";
    let commands = format!(
        "-target-select remote | {server} {debug}\n-break-insert term\n-exec-continue\n-exec-continue\n\
         -exec-next --reverse\n-exec-continue --reverse\n-stack-info-depth\n-gdb-exit\n"
    );
    folder.write("commands", commands);
    let input = std::fs::File::open(folder.path("commands")).expect("the commands");
    let mut gdb = std::process::Command::new("gdb-multiarch");
    gdb.args(["-nx", "-q", "--interpreter=mi3", "interpreter.elf"]).current_dir(folder.path("."));
    let output = gdb.stdin(input).output().expect("gdb-multiarch");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let stops: Vec<&str> = text.lines().filter(|line| line.starts_with("*stopped,")).collect();
    let reasons = ["", "breakpoint-hit", "breakpoint-hit", "end-stepping-range", "breakpoint-hit"];
    assert_eq!(stops.len(), reasons.len(), "{text}");
    for (stop, reason) in stops.iter().zip(reasons) {
        assert!(stop.contains(reason), "{stop}");
    }
    assert!(text.contains("^done,depth=\""), "{text}");
}

/// `--json` names the port; a debugger that goes away without a word may come again, and one that detaches ends the
/// command.
#[test]
fn port() {
    use std::io::{BufRead, BufReader, Write};
    use std::net::TcpStream;
    use std::process::Stdio;

    let folder = Folder::new();
    script::take_programs(&folder);
    script::compile(&folder, "x86_64-linux-gnu-gcc -O1 -nostdlib -static -o small small.c");
    let done = folder.run("capture -o small.pet.zst -- ./small");
    assert_eq!(done.status, 0, "{}", done.stderr);
    let arguments = ["debug", "small.pet.zst", "--program", "small", "--json"];
    let mut server = folder.command(&arguments).stdout(Stdio::piped()).spawn().expect("a server");
    let mut lines = BufReader::new(server.stdout.take().expect("a pipe")).lines();
    let text: String =
        lines.by_ref().map_while(Result::ok).take_while(|line| line != "}").collect();
    let shown: serde_json::Value = serde_json::from_str(&(text + "}")).expect("JSON");
    assert_eq!((&shown["threads"], &shown["gaps"]), (&1.into(), &0.into()));
    let port = shown["port"].as_u64().expect("a port");
    let connect = || TcpStream::connect(("127.0.0.1", port as u16)).expect("a connection");
    drop(connect());
    connect().write_all(b"GET / HTTP/1.0\r\n\r\n").expect("sent");
    let mut last = connect();
    last.write_all(b"$D#44").expect("sent");
    assert!(server.wait().expect("an end").success());
}
