//! Code that changes while it runs: written again, made at run time, loaded where other code was.

use std::path::Path;
use std::process::Command;

use super::oracle::{Execution, Target};
use super::{DESIGNS, SINGLE_STEP, capture, through_decoder};
use crate::common::Folder;

/// Every instruction in QEMU's log, whatever was at its address when; and three designs give the trace back.
#[test]
fn code_that_is_written_again() {
    Target::ALL.into_iter().for_each(written_again);
}

/// The same of one target.
pub fn written_again(target: Target) {
    let folder = Folder::new();
    let program = target.compile(&folder, "changing", &[]);
    let captured = capture(&folder, &[], &[&program]);
    assert_eq!((&captured["exit_status"], &captured["unexplained"]), (&0.into(), &0.into()));
    let changes = captured["code_changes"].as_u64().expect("a number");
    assert!((60..400).contains(&changes), "{target:?}: {captured}");
    let log = target.log_of_single_steps(&folder, &[&program], SINGLE_STEP);
    let thumb = u64::from(target == Target::Thumb);
    let execution =
        Execution::of_changing(&folder, "traptor-m4", "run.pet.zst", "run.images", thumb);
    execution.compare(0, &log[&0], 0);
    through_decoder(&folder, &DESIGNS);
    let view = folder.succeed("view run.pet.zst --images run.images --functions --top 500");
    assert!(view.contains("main"), "{view}");
    let measured = folder.succeed("measure --design traptor-m4 --set address_width=64 run.pet.zst");
    assert!(measured.contains("traptor-m4"));
}

/// A library where another was: both have their names.
#[test]
fn a_library_where_another_was() {
    const ROOT: &str = "/usr/arm-linux-gnueabihf";
    let folder = Folder::new();
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../program/capture/tests/programs");
    let compile = |options: &[&str], source: &str| {
        let mut command = Command::new("arm-linux-gnueabihf-gcc");
        command.args(["-O1", "-mthumb"]).args(options).arg(programs.join(source));
        assert!(command.current_dir(folder.path(".")).status().expect("a compiler").success());
    };
    compile(
        &["-shared", "-fPIC", "-DNAME=first_function", "-DNUMBER=3", "-o", "one.so"],
        "plugin.c",
    );
    compile(
        &["-shared", "-fPIC", "-DNAME=second_function", "-DNUMBER=9", "-o", "two.so"],
        "plugin.c",
    );
    compile(&["-o", "plugins"], "plugins.c");
    let captured = capture(&folder, &["--sysroot", ROOT], &["./plugins"]);
    assert_eq!((&captured["exit_status"], &captured["unexplained"]), (&0.into(), &0.into()));
    let changes = folder.text("run.images.changes");
    let loads = changes.lines().filter(|line| line.starts_with("file "));
    let loads: Vec<&str> = loads.collect();
    assert_eq!(loads.len(), 2, "{changes}");
    assert_eq!(loads[0].rsplit_once('/').map(|line| line.1), Some("two.so"));
    assert_eq!(loads[1].rsplit_once('/').map(|line| line.1), Some("one.so"));
    through_decoder(&folder, &DESIGNS);
    let folded = "view run.pet.zst --images run.images --folded run.folded --listing run.lst --count 10000000";
    folder.succeed(folded);
    for name in ["first_function", "second_function"] {
        let stacks = folder.text("run.folded");
        let of = |line: &str| line.contains(&format!(";{name} "));
        let own: u64 = stacks.lines().filter(|line| of(line)).map(last_number).sum();
        assert!(own > 3 * 400, "{name}: {own}\n{stacks}");
        assert!(folder.text("run.lst").contains(&format!("thread 0, {name}:")));
    }
}

fn last_number(line: &str) -> u64 {
    line.rsplit_once(' ').and_then(|(_, number)| number.parse().ok()).expect("a number")
}

/// An interpreter that compiles what runs often, and patches its code.
#[test]
fn a_just_in_time_compiler() {
    let folder = Folder::new();
    folder.write(
        "run.lua",
        "local function fib(n) if n < 2 then return n end return fib(n-1) + fib(n-2) end\n\
         local t, s = {}, 0\n\
         for i = 1, 20000 do t[i] = i * 3 % 17 end\n\
         for i = 1, 20000 do s = s + t[i] end\n\
         print(s, fib(18))\n",
    );
    let captured = capture(&folder, &[], &["luajit", "run.lua"]);
    assert_eq!(captured["exit_status"], 0, "{captured}");
    assert!(captured["code_changes"].as_u64() > Some(0), "{captured}");
    through_decoder(&folder, &DESIGNS);
    folder.succeed("view run.pet.zst --images run.images --top 3");
    // The trace has the lengths of calls, so it is encoded in one pass.
    let trace = folder.read("run.pet.zst");
    let words = "encode nexs --set address_width=64 - -o piped.bits";
    assert_eq!(folder.run_with_input(words, &trace).status, 0);
    assert_eq!(folder.read("piped.bits"), folder.read("run.bits"));
    // Without the changes the code contradicts the trace, and the error says so.
    let list = folder.text("run.images");
    let without = list.lines().filter(|line| !line.starts_with("run.images.changes@"));
    folder.write("first.images", without.collect::<Vec<_>>().join("\n"));
    folder.succeed("encode traptor-m4 --set address_width=64 run.pet.zst -o run.bits");
    let done = folder.run("decode run.bits --images first.images -o other.pet.zst");
    // What comes before the contradiction is a part.
    assert_eq!(done.status, 3);
    assert!(folder.path("other.part-1.pet.zst").exists());
    assert!(done.stderr.contains("is this the program that was traced?"), "{}", done.stderr);
}

/// Commands that need a program take it from its files; those that do not go without.
#[test]
fn every_command_takes_code_that_changes() {
    let folder = Folder::new();
    let program = Target::RiscV64.compile(&folder, "changing", &[]);
    capture(&folder, &[], &[&program]);
    let list = folder.text("run.images");
    let without = list.lines().filter(|line| !line.starts_with("run.images.changes@"));
    folder.write("first.images", without.collect::<Vec<_>>().join("\n"));
    folder.succeed("encode traptor-m4 --set address_width=64 run.pet.zst -o run.bits");
    let refused = [
        ("trace verify run.pet.zst", "--images FILE checks against it"),
        ("trace verify run.pet.zst --images first.images", "is impossible"),
        ("decode run.bits --program run.pet.zst -o out.pet.zst", "expected --images with the list"),
    ];
    for (command, said) in refused {
        let done = folder.run(command);
        assert_eq!((done.status, done.stderr.lines().count()), (1, 1), "{command}");
        assert!(done.stderr.contains(said), "{command}: {}", done.stderr);
    }
    let verified = folder.succeed("trace verify run.pet.zst --images run.images");
    assert!(verified.contains("run.pet.zst: consistent with run.images, "), "{verified}");
    let cosim = "cosim traptor-m4 --set address_width=64 run.pet.zst --json";
    let done = folder.run(cosim);
    assert_eq!(done.status, 0, "{}", done.stderr);
    assert!(done.stderr.contains("its code changes while it runs"), "{}", done.stderr);
    let alone: serde_json::Value = serde_json::from_str(&done.stdout).expect("JSON");
    let decoded = folder.json(&format!("{cosim} --images run.images"));
    for (found, equal) in [(alone, serde_json::Value::Null), (decoded, true.into())] {
        assert_eq!((&found[0]["mismatches"], &found[0]["decoded_equal"]), (&0.into(), &equal));
    }
    let several = folder.run("cosim traptor-m4 run.pet.zst run.pet.zst --images run.images");
    assert_eq!(several.status, 2);
    assert!(several.stderr.contains("expected one trace, found several"), "{}", several.stderr);
}

/// A program that closes all descriptors, and one that may open only a few, are traced like others.
#[test]
fn few_descriptors() {
    let folder = Folder::new();
    let program = Target::X86_64.compile(&folder, "closes", &[]);
    let captured = capture(&folder, &[], &[&program]);
    assert_eq!((&captured["exit_status"], &captured["is_whole"]), (&0.into(), &true.into()));
    assert!(captured["instructions"].as_u64() > Some(500_000), "{captured}");
    through_decoder(&folder, &DESIGNS[..1]);
    let tracewright = env!("CARGO_BIN_EXE_tracewright");
    let run = format!("{tracewright} capture --json -o few.pet.zst -- {program}");
    let command = format!("ulimit -n 40; exec {run}");
    let done = Command::new("sh").args(["-c", &command]).current_dir(folder.path(".")).output();
    let done = done.expect("a shell");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let said = String::from_utf8_lossy(&done.stdout);
    let few: serde_json::Value =
        serde_json::from_str(said.lines().last().expect("a line")).expect("JSON");
    assert!(few["instructions"].as_u64() > Some(500_000), "{few}");
}
