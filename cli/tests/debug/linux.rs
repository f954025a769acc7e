//! Programs of Linux, captured in QEMU, on four processors.

use crate::common::Folder;

use super::script;

/// The scripts that need no operating system.
pub const SCENES: [&str; 8] = [
    "break.txt",
    "backtrace.txt",
    "finish.txt",
    "next.txt",
    "step.txt",
    "recursion.txt",
    "longjmp.txt",
    "tail.txt",
];

/// Those that need one.
const SYSTEM: [&str; 2] = ["signal.txt", "ends.txt"];

/// Compiles and captures the programs with a compiler, and runs every script.
fn scripts(compiler: &str, options: &str, code: &[(&str, &str)]) {
    let folder = Folder::new();
    script::take_programs(&folder);
    let options = format!("-g -O0 -static -pthread {options}");
    script::compile(&folder, &format!("{compiler}-gcc {options} -o scenes scenes.c main.c"));
    script::compile(&folder, &format!("{compiler}-g++ {options} -o throws throws.cpp"));
    for program in ["scenes", "throws"] {
        let files = format!("-o {program}.pet.zst --images {program}.images -- ./{program}");
        let done = folder.run(&format!("capture {files}"));
        assert_eq!(done.status, 0, "{}", done.stderr);
    }
    let run = |program: &str, name: &str, replaced: &[(&str, &str)]| {
        let arguments = format!("{program}.pet.zst --images {program}.images");
        script::run(&folder, program, &arguments, name, replaced);
    };
    SCENES.iter().chain(&SYSTEM).for_each(|name| run("scenes", name, &[]));
    // The trace has the events of each thread in their order; which thread's come first depends on the machine's load.
    let when = "view scenes.pet.zst --images scenes.images --when works --json";
    let is_swapped = folder.json(when)["answers"][0]["moments"][0]["thread"] != 0;
    run("scenes", if is_swapped { "threads_swapped.txt" } else { "threads.txt" }, &[]);
    run("throws", "exception.txt", &[]);
    let changes = folder.text("scenes.images.changes");
    let address = changes.split_whitespace().find(|word| word.starts_with("0x"));
    let mut replaced = vec![("CODE", address.expect("code that changes"))];
    replaced.extend(code);
    run("scenes", "changes.txt", &replaced);
}

#[test]
fn risc_v_64() {
    let code = [("OFFSET", "6"), ("FIRST", "li\ta5,1"), ("SECOND", "li\ta5,2")];
    scripts("riscv64-linux-gnu", "", &code);
}

#[test]
fn arm() {
    let code = [("OFFSET", "4"), ("FIRST", "movs\tr3, #1"), ("SECOND", "movs\tr3, #2")];
    scripts("arm-linux-gnueabihf", "", &code);
}

#[test]
fn arm_without_thumb() {
    let code = [("OFFSET", "8"), ("FIRST", "mov\tr3, #1"), ("SECOND", "mov\tr3, #2")];
    scripts("arm-linux-gnueabihf", "-marm", &code);
}

#[test]
#[ignore = "needs g++-aarch64-linux-gnu: make programs-check"]
fn aarch64() {
    let code = [
        ("   0x...", "=> 0x..."),
        ("OFFSET", "0"),
        ("FIRST", "mov\tw0, #0x1                   \t// #1"),
        ("SECOND", "mov\tw0, #0x2                   \t// #2"),
    ];
    for options in ["", "-march=armv8.3-a -mbranch-protection=standard"] {
        scripts("aarch64-linux-gnu", options, &code);
    }
}

#[test]
fn x86_64() {
    let code = [("OFFSET", "4"), ("FIRST", "mov    $0x1,%eax"), ("SECOND", "mov    $0x2,%eax")];
    scripts("x86_64-linux-gnu", "", &code);
}
