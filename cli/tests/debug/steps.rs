//! N steps forward are N instructions, over branches, calls, returns and traps, each where the listing has it.

use crate::common::{Folder, is_long};

use super::script;

/// Steps that are made.
fn number_of_steps() -> usize {
    if is_long() { 3_000 } else { 800 }
}

/// The address of each instruction from one on, by the listing.
fn listed(folder: &Folder, run: &str, from: usize) -> Vec<String> {
    let count = number_of_steps() + 1;
    let done = folder.run(&format!("view {run} --listing - --from {from} --count {count}"));
    assert_eq!(done.status, 0, "{}", done.stderr);
    let number = |line: &str| line.split_whitespace().next().map(|word| word.replace(',', ""));
    let is_instruction =
        |line: &&str| number(line).is_some_and(|word| word.parse::<usize>().is_ok());
    let lines = done.stdout.lines().filter(is_instruction);
    lines.filter_map(|line| line.split_whitespace().nth(1).map(str::to_owned)).collect()
}

/// Steps from an instruction on, and compares where each step ends.
fn steps(folder: &Folder, program: &str, run: &str, from: usize) {
    let steps = number_of_steps();
    let lines = [
        format!("monitor goto {from}"),
        "maintenance flush register-cache".into(),
        format!("set $left = {steps}"),
        "while $left >= 0".into(),
        "printf \"at %lx\\n\", (unsigned long) $pc".into(),
        "stepi".into(),
        "set $left = $left - 1".into(),
        "end".into(),
        "monitor where".into(),
    ];
    folder.write("steps.gdb", lines.join("\n"));
    let said = script::gdb(folder, program, run, &["source steps.gdb".into()]);
    let at: Vec<&str> = said.lines().filter_map(|line| line.strip_prefix("at ")).collect();
    let listed = listed(folder, run, from);
    assert_eq!(listed.len(), steps + 1, "{run}: the run is too short");
    let wrong = at.iter().zip(&listed).position(|(at, listed)| at != listed);
    if let Some(step) = wrong {
        panic!("{run}: step {step} is at {}, expected {}", at[step], listed[step]);
    }
    assert_eq!(at.len(), listed.len(), "{said}");
    let end = format!("instruction {} of ", from + steps + 1);
    assert!(said.lines().any(|line| line.starts_with(&end)), "{end}: {said}");
}

/// A workload's program and run, in a folder.
fn workload(folder: &Folder, name: &str) {
    let path = crate::common::workload(name);
    let (elf, set) = (path.replace(".pet.zst", ".elf"), path.replace(".pet.zst", ".wset"));
    std::fs::copy(&elf, folder.path(format!("{name}.elf"))).expect("copied");
    folder.succeed(&format!("wset replay {set} -o {name}.pet.zst"));
}

#[test]
fn risc_v_without_an_operating_system() {
    let folder = Folder::new();
    let begins = [
        ("rv32imac-sort", 1_000_000),
        ("rv64imac-interpreter", 500_000),
        ("rv32imac-traps", 100_000),
    ];
    for (name, from) in begins {
        workload(&folder, name);
        let run = format!("{name}.pet.zst --program {name}.elf");
        steps(&folder, &format!("{name}.elf"), &run, from);
    }
}

/// `step` and `next` stop at the next line, not at the end of the run.
#[test]
fn lines() {
    let folder = Folder::new();
    workload(&folder, "rv32imac-sort");
    let commands = [
        "monitor goto 1000090",
        "maintenance flush register-cache",
        "step",
        "step",
        "next",
        "monitor where",
    ];
    let commands = commands.map(String::from);
    let run = "rv32imac-sort.pet.zst --program rv32imac-sort.elf";
    let said = script::gdb(&folder, "rv32imac-sort.elf", run, &commands);
    assert!(said.contains("\ninstruction 1000096 of "), "{said}");
}

/// Of Linux, where GDB steps RISC-V by breakpoints of its own.
#[test]
fn programs_of_linux() {
    let compilers = [
        ("riscv64-linux-gnu", "-static"),
        ("arm-linux-gnueabihf", "-static"),
        ("x86_64-linux-gnu", "-static"),
    ];
    for (compiler, options) in compilers {
        let folder = Folder::new();
        script::take_programs(&folder);
        let line = format!("{compiler}-gcc -g -O1 {options} -pthread -o scenes scenes.c main.c");
        script::compile(&folder, &line);
        let done = folder.run("capture -o scenes.pet.zst --images scenes.images -- ./scenes");
        assert_eq!(done.status, 0, "{}", done.stderr);
        let run = "scenes.pet.zst --images scenes.images";
        // GDB cannot unwind the first function of ARM programs.
        steps(&folder, "scenes", run, 4_000);
    }
}
