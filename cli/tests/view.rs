//! What `view` shows of a real program with interrupts and exceptions, and what it says of others.

use std::process::Command;

use crate::common::{Folder, workload};

/// A folder with a trace and its program.
fn folder() -> Folder {
    let folder = Folder::new();
    let elf = workload("rv32imac-traps").replace(".pet.zst", ".elf");
    std::fs::copy(elf, folder.path("traps.elf")).expect("the program");
    std::fs::copy(workload("rv32imac-traps"), folder.path("run.pet.zst")).expect("the trace");
    folder
}

const PROGRAM: &str = "--program traps.elf";

/// The first lines, behind those that come before `from`.
fn part(text: &str, from: &str, lines: usize) -> String {
    let lines = text.lines().skip_while(|line| !line.contains(from)).take(lines);
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn tables() {
    let folder = folder();
    insta::assert_snapshot!(folder.succeed(&format!("view run.pet.zst {PROGRAM} --top 6")));
}

#[test]
fn files() {
    let folder = folder();
    let said = folder.succeed(&format!(
        "view run.pet.zst {PROGRAM} --listing run.lst --count 2000 --annotate run.txt --perfetto \
         run.json --folded run.folded --flame-graph run.svg --lcov run.info"
    ));
    insta::assert_snapshot!("files", said);
    insta::assert_snapshot!("listing", part(&folder.text("run.lst"), "main:", 30));
    insta::assert_snapshot!("annotated", part(&folder.text("run.txt"), "main: ", 30));
    insta::assert_snapshot!("folded", part(&folder.text("run.folded"), "", 12));
    insta::assert_snapshot!("perfetto", part(&folder.text("run.json"), "", 12));
    insta::assert_snapshot!("lcov", part(&folder.text("run.info"), "traps.c", 20));
    assert!(folder.text("run.svg").contains("<title>main ("));
}

#[test]
fn an_encoded_file_shows_the_same() {
    let folder = folder();
    folder.succeed("encode traptor-m4 run.pet.zst -o run.bits");
    let mut traced = folder.json(&format!("view run.pet.zst {PROGRAM} --json"));
    let mut decoded = folder.json(&format!("view run.bits {PROGRAM} --json"));
    assert_eq!(traced["instructions"], 529_254);
    assert_eq!(traced["trace"].take(), "run.pet.zst");
    assert_eq!(decoded["trace"].take(), "run.bits");
    assert_eq!(traced, decoded);
}

#[test]
fn a_stripped_program_is_shown_by_addresses() {
    let folder = folder();
    let strip = Command::new("riscv64-unknown-elf-strip").arg(folder.path("traps.elf")).status();
    assert!(
        strip.is_ok_and(|status| status.success()),
        "riscv64-unknown-elf-strip is needed: apt-get install binutils-riscv64-unknown-elf"
    );
    let named = workload("rv32imac-traps").replace(".pet.zst", ".elf");
    let named = folder.json(&format!("view run.pet.zst --program {named} --json --top 100"));
    let bare = folder.json(&format!(
        "view run.pet.zst {PROGRAM} --json --top 100 --listing run.lst --annotate run.txt --perfetto run.json \
         --folded run.folded --flame-graph run.svg --lcov run.info"
    ));
    assert_eq!(named["branches"]["classes"], bare["branches"]["classes"]);
    let first = bare["functions"][0]["function"].as_str().expect("a function");
    assert!(first.starts_with("traps.elf+0x"), "{first}");
}

#[test]
fn what_does_not_fit_leaves_nothing() {
    let folder = folder();
    let other = workload("rv32imac-sort").replace(".pet.zst", ".elf");
    let wide = workload("rv64imac-traps").replace(".pet.zst", ".elf");
    std::fs::copy(other, folder.path("sort.elf")).expect("a program");
    std::fs::copy(wide, folder.path("wide.elf")).expect("a program");
    let bytes = folder.read("run.pet.zst");
    folder.write("cut.pet.zst", &bytes[..bytes.len() / 2]);
    let before = folder.names();
    let commands = [
        ("view run.pet.zst --program sort.elf --listing out.lst --folded out.folded", 1),
        ("view run.pet.zst --program wide.elf --perfetto out.json", 1),
        ("view cut.pet.zst --program traps.elf --lcov out.info --perfetto out.json", 1),
        ("view run.pet.zst --program run.pet.zst --lcov out.info", 2),
        ("view run.pet.zst --program traps.elf --lcov out --folded out", 2),
        ("view run.pet.zst --program traps.elf --annotate missing/out", 1),
        ("view nothing.pet.zst --program traps.elf --annotate out", 1),
        ("view run.pet.zst --program traps.elf --from 3", 2),
    ];
    let mut said = String::new();
    for (command, status) in commands {
        let done = folder.run(command);
        assert_eq!((done.status, done.stdout.as_str()), (status, ""), "{command}");
        assert_eq!(folder.names(), before, "{command}");
        said += &format!("{command}\n{}\n", done.stderr);
    }
    insta::assert_snapshot!(said);
}

#[test]
fn stacks_find_their_place_again() {
    let folder = Folder::new();
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../program/capture/tests/programs/calls.c")
        .to_owned();
    let program = folder.path("calls");
    let mut compiler = Command::new("riscv64-linux-gnu-gcc");
    let compiled =
        compiler.args(["-O2", "-static", "-pthread", "-o"]).arg(&program).arg(source).status();
    let compiled = compiled.expect("riscv64-linux-gnu-gcc: apt-get install gcc-riscv64-linux-gnu");
    assert!(compiled.success(), "{compiled}");
    let program = program.display();
    folder.run(&format!("capture -o run.pet.zst -- {program}"));
    folder.succeed(&format!("view run.pet.zst --program {program} --folded run.folded"));
    let folded = folder.text("run.folded");
    let stacks: Vec<&str> =
        folded.lines().filter_map(|line| Some(line.rsplit_once(' ')?.0)).collect();
    let ends = |end: &str| stacks.iter().filter(|stack| stack.ends_with(end)).count();
    // Behind longjmp main goes on; a tail call takes the place of its caller; a thread has a stack of its own.
    for stack in
        [";main;middle;leaf", ";main;after", ";main;tail", ";main;last", "start_thread;work;part"]
    {
        assert_eq!(ends(stack), 1, "{stack} in\n{folded}");
    }
    for name in [";after", ";last", ";part"] {
        assert_eq!(ends(name), 1, "{name} in\n{folded}");
    }
    assert!(!stacks.iter().any(|stack| stack.contains(";main;") && stack.contains(";part")));
}
