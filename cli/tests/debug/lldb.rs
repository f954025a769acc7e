//! LLDB, which asks for other packets than GDB.

use std::process::{Command, Stdio};

use crate::common::Folder;

use super::script;

/// What LLDB says to some commands at a run.
fn lldb(folder: &Folder, program: &str, run: &str, commands: &[&str]) -> String {
    let words: Vec<&str> = ["debug"].into_iter().chain(run.split_whitespace()).collect();
    let mut server = folder.command(&words).stdout(Stdio::piped()).spawn().expect("a server");
    let lines =
        std::io::BufRead::lines(std::io::BufReader::new(server.stdout.take().expect("a pipe")));
    let mut waiting = lines.map_while(Result::ok).filter(|line| line.starts_with("waiting"));
    let line = waiting.next().expect("a port");
    let port = line.rsplit(':').next().expect("a number");
    let mut debugger = Command::new("lldb-19");
    debugger.current_dir(folder.path(".")).stdin(Stdio::null());
    debugger.args(["--no-lldbinit", "--batch", program]);
    let connect = format!("gdb-remote {port}");
    for command in [connect.as_str()].iter().chain(commands).chain(&["process detach"]) {
        debugger.args(["-o", command]);
    }
    let output = debugger.output().expect("lldb-19, which scripts/setup installs");
    assert!(server.wait().expect("an end").success());
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn risc_v() {
    let folder = Folder::new();
    let elf = crate::common::workload("rv32imac-interpreter").replace(".pet.zst", ".elf");
    std::fs::copy(&elf, folder.path("interpreter.elf")).expect("copied");
    folder.succeed(&format!("wset replay {} -o run.pet.zst", elf.replace(".elf", ".wset")));
    let run = "run.pet.zst --program interpreter.elf";
    let commands = [
        "register read pc t0",
        "breakpoint set --file interpreter.c --line 80",
        "process continue",
        "thread backtrace",
        "thread step-inst",
        "register read pc",
    ];
    let said = lldb(&folder, "interpreter.elf", run, &commands);
    assert!(said.contains("pc = 0x00010000") && said.contains("error: unavailable"), "{said}");
    for frame in ["#0: 0x000102a6", "#1: 0x00010310", "#2: 0x000101a4", "#3: 0x00010402"] {
        assert!(said.contains(frame), "{frame}: {said}");
    }
    assert!(said.contains("instruction step into") && said.contains("pc = 0x000102a8"), "{said}");
}

#[test]
fn x86_64() {
    let folder = Folder::new();
    script::take_programs(&folder);
    let line = "x86_64-linux-gnu-gcc -g -O0 -static -pthread -o scenes scenes.c main.c";
    script::compile(&folder, line);
    let done = folder.run("capture -o run.pet.zst --images run.images -- ./scenes");
    assert_eq!(done.status, 0, "{}", done.stderr);
    let run = "run.pet.zst --images run.images";
    let commands =
        ["breakpoint set --name outer", "process continue", "thread backtrace", "thread step-out"];
    let said = lldb(&folder, "scenes", run, &commands);
    for place in ["`outer", "`scenes", "`main"] {
        assert!(said.contains(place), "{place}: {said}");
    }
    assert!(said.contains("stop reason = step out"), "{said}");
}
