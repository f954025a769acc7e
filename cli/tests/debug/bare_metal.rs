//! A program of 32-bit RISC-V without an operating system, as a trace and as a working set.

use std::path::Path;

use crate::common::Folder;

use super::linux::SCENES;
use super::script;

/// Compiles the program for the board of docs/working_set.md, and keeps its run both ways.
fn folder() -> Folder {
    let folder = Folder::new();
    script::take_programs(&folder);
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../workloads/programs");
    for name in ["board.c", "board.h"] {
        std::fs::copy(programs.join(name), folder.path(name)).expect("copied");
    }
    let symbols = [
        ("flash", "0x10000"),
        ("flash_size", "0x40000"),
        ("ram", "0x80000"),
        ("ram_size", "0x20000"),
    ];
    let symbols = symbols.map(|(name, value)| format!("-Wl,--defsym=__{name}={value}")).join(" ");
    let options =
        "--specs=picolibc.specs --crt0=minimal -g -O0 -mcmodel=medany -march=rv32imac -mabi=ilp32";
    let files = "-o scenes scenes.c bare.c board.c";
    script::compile(&folder, &format!("riscv64-unknown-elf-gcc {options} {symbols} {files}"));
    folder.succeed("wset capture scenes -o scenes.wset");
    folder.succeed("wset replay scenes.wset -o scenes.pet.zst");
    folder
}

#[test]
fn risc_v_32() {
    let folder = folder();
    for name in SCENES.iter().chain(&["interrupt.txt"]) {
        script::run(&folder, "scenes", "scenes.pet.zst --program scenes", name, &[]);
    }
    // The same from bits.
    folder.succeed("encode talon-m scenes.pet.zst -o scenes.bits");
    script::run(&folder, "scenes", "scenes.bits --program scenes", "recursion.txt", &[]);
    for name in ["registers.txt", "watchpoints.txt"] {
        script::run(&folder, "scenes", "scenes.wset --program scenes", name, &[]);
    }
    assert_eq!(folder.run("debug scenes.wset --design talon-m --program scenes --stdio").status, 2);
}

/// Memory beside a device's registers is that of the run, and a step over a return from a trap is one instruction: GDB
/// is told that there is no operating system.
#[test]
fn beside_devices_and_over_traps() {
    let folder = Folder::new();
    script::take_programs(&folder);
    let options =
        "-march=rv32imac_zicsr -mabi=ilp32 -g -O1 -ffreestanding -nostdlib -mcmodel=medany";
    let place = "-Wl,--no-relax,--no-warn-rwx-segments -Wl,-Ttext=0x80000000,-e_start";
    script::compile(
        &folder,
        &format!("riscv64-unknown-elf-gcc {options} {place} -o beside beside.c"),
    );
    folder.run("wset capture beside -o beside.wset");
    let commands =
        ["break leave", "continue", "stepi", "print $pc == &resumed", "break ended", "continue"];
    let commands: Vec<String> =
        commands.iter().chain(&["print beside"]).map(|line| (*line).into()).collect();
    let said = script::gdb(&folder, "beside", "beside.wset --program beside", &commands);
    assert!(said.contains("$1 = 1\n") && said.contains("$2 = 50\n"), "{said}");
}
