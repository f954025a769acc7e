//! Real programs, captured: against QEMU's own log of one instruction at a time, and through encoders and the
//! decoder that reads the program's files.
//!
//! The programs are compiled here from program/capture/tests/programs, for every instruction set.

mod aarch64;
mod changes;
mod emulators;
mod linkers;
mod oracle;
mod strangers;

use crate::common;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::{Command, Output};

use crate::common::{Done, Folder};
pub use aarch64::small_program_of_aarch64;
use oracle::Execution;
pub use oracle::{Target, alone as command};
use tracewright_sim::event::Event;
use tracewright_sim::trace_io;

pub const DESIGNS: [&str; 3] = ["traptor-m4", "stream-rbase-128", "nexs"];

/// Makes QEMU run one instruction at a time.
pub const SINGLE_STEP: (&str, &str) = ("QEMU_SINGLESTEP", "1");

/// Does nothing, and is as long.
pub const INERT: (&str, &str) = ("QEMU_SINGLESTE_", "1");

/// Captures a program that writes nothing to standard error.
fn capture(folder: &Folder, options: &[&str], program: &[&str]) -> serde_json::Value {
    let (said, captured) = capture_saying(folder, options, program);
    assert_eq!(said, "", "{program:?}");
    captured
}

/// Captures a program, and gives what it writes to standard error and the last line that the command says of it as JSON.
pub fn capture_saying(
    folder: &Folder,
    options: &[&str],
    program: &[&str],
) -> (String, serde_json::Value) {
    let mut words = vec!["capture", "--json", "-o", "run.pet.zst", "--images", "run.images"];
    words.extend(options);
    words.push("--");
    words.extend(program);
    let done = alone(folder, &words, INERT);
    assert_eq!(done.status, 0, "{words:?}: {}", done.stderr);
    let last = done.stdout.lines().last().expect("a line");
    let captured = serde_json::from_str(last).unwrap_or_else(|error| panic!("{last}: {error}"));
    (done.stderr, captured)
}

/// Runs the command where nothing but one variable differs between two runs.
fn alone(folder: &Folder, words: &[&str], variable: (&str, &str)) -> Done {
    let output = command_alone(folder, words, variable).output().expect("the command starts");
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    common::done(Output { stdout: stdout.into(), ..output })
}

/// The command as [`command`] makes it.
pub fn command_alone(folder: &Folder, words: &[&str], variable: (&str, &str)) -> Command {
    let mut alone = command(folder.command(words).get_program(), variable);
    alone.args(words).current_dir(folder.path("."));
    alone
}

fn events(path: &Path) -> Vec<Event> {
    let trace = trace_io::open(path).unwrap_or_else(|error| panic!("{error}"));
    trace.map(|event| event.expect("an event")).collect()
}

/// Encodes run.pet.zst, decodes it against the files that it ran from, and compares.
fn through_decoder(folder: &Folder, designs: &[&str]) {
    let captured = events(&folder.path("run.pet.zst"));
    for design in designs {
        let encode =
            ["encode", design, "--set", "address_width=64", "run.pet.zst", "-o", "run.bits"];
        let narrow = ["encode", design, "run.pet.zst", "-o", "run.bits"];
        let wide = captured.iter().any(|event| event.target >> 32 != 0);
        let done = if wide { folder.run_words(&encode) } else { folder.run_words(&narrow) };
        // A design that takes elided_upper_bits from the trace says so.
        let only_notes = done.stderr.lines().all(|line| line.starts_with("note: targets of "));
        assert!(done.status == 0 && only_notes, "{design}: {}", done.stderr);
        folder.succeed("decode run.bits --images run.images -o back.pet.zst");
        let back = events(&folder.path("back.pet.zst"));
        // A design of several cores keeps the order of each thread only.
        for thread in 0..8 {
            let of = |event: &&Event| event.thread == thread;
            let same = back.iter().filter(of).eq(captured.iter().filter(of));
            assert!(same, "{design}: other events of thread {thread}");
        }
    }
}

/// Every instruction in QEMU's log, and none other; and three designs give the trace back.
pub fn corners_of(target: Target) {
    let folder = Folder::new();
    let program = target.compile(&folder, "corners", &[]);
    let captured = capture(&folder, &[], &[&program, "x"]);
    assert_eq!((&captured["exit_status"], &captured["is_whole"]), (&3.into(), &true.into()));
    assert_eq!(captured["unexplained"], 0, "{captured}");
    // Three raised, two unblocked, two faults; the inner one of the two has an event of its own.
    assert!(captured["signals"].as_u64() >= Some(6), "{captured}");
    let log = target.log_of_single_steps(&folder, &[&program, "x"], SINGLE_STEP);
    let execution = Execution::of(&folder, "run.pet.zst", "run.images");
    execution.compare(0, &log[&0], 2);
    through_decoder(&folder, &DESIGNS);
}

/// A program that says that it has no compressed instructions runs with libraries that have them, as those of Go do.
#[test]
fn libraries_with_compressed_instructions() {
    const ROOT: &str = "/usr/riscv64-linux-gnu";
    let folder = Folder::new();
    folder.write("main.c", "int puts(const char *);\nint main(void) { return puts(\"\") < 0; }\n");
    let mut compiler = Command::new("riscv64-linux-gnu-gcc");
    compiler.args(["-march=rv64g", "-o", "program", "main.c"]).current_dir(folder.path("."));
    assert!(compiler.status().expect("a compiler").success());
    let mut program = std::fs::OpenOptions::new();
    let program = program.write(true).open(folder.path("program")).expect("the program");
    // The flags of the ELF header, without the one for compressed instructions.
    program.write_all_at(&[4, 0, 0, 0], 48).expect("written");
    drop(program);
    capture(&folder, &["--sysroot", ROOT], &["./program"]);
    assert_eq!(folder.json("trace info --json run.pet.zst")[0]["alignment"], 1);
    through_decoder(&folder, &DESIGNS[..1]);
}

/// The summary says what decoding needs: as many address bits, and code that is in no file.
#[test]
fn what_a_decoder_needs_is_said() {
    let folder = Folder::new();
    let program = Target::X86_64.compile(&folder, "changing", &[]);
    let done = folder.run_words(&["capture", "-o", "run.pet.zst", "--", &program]);
    assert_eq!(done.status, 0);
    for said in [
        "code that ran from no file, ",
        "code that changed while it ran, ",
        " is needed to decode; --images FILE keeps it\n",
        "addresses have 39 bits: hardware needs --set address_width=39 or more\n",
    ] {
        assert!(done.stderr.contains(said), "{}", done.stderr);
    }
    let narrow = "traptor-m4 --set address_width=39 --set elided_upper_bits=12";
    folder.succeed(&format!("encode {narrow} run.pet.zst -o run.bits"));
}

#[test]
fn what_a_trace_lacks_is_said() {
    let folder = Folder::new();
    let program = Target::X86_64.compile(&folder, "corners", &[]);
    std::fs::copy(folder.path(&program), folder.path("qemu-system-riscv64")).expect("a copy");
    let done = folder.run("capture -o run.pet.zst --skip 1G -- ./qemu-system-riscv64");
    let said = done.stderr.replace('\n', " ");
    assert!(said.contains("--system traces the machine that it emulates"), "{said}");
    assert!(
        said.contains("warning: the trace is empty, because the program ended before"),
        "{said}"
    );
}

/// A program that calls the page `vsyscall` of x86-64 is traced whole: each call is a function of the kernel.
#[test]
fn vsyscall_is_a_function_of_the_kernel() {
    let folder = Folder::new();
    folder.write(
        "main.c",
        "typedef long (*time_of)(long *);\n__attribute__((noinline)) long now(void) {\n\
         time_of volatile f = (time_of)0xffffffffff600400; long t; return f(&t) == t; }\n\
         int main(void) { int n = 0; for (int i = 0; i < 10; i++) n += now(); return n; }\n",
    );
    let mut compiler = Command::new("gcc");
    compiler.args(["-O1", "-static", "-o", "main", "main.c"]).current_dir(folder.path("."));
    assert!(compiler.status().expect("gcc").success());
    let captured = capture(&folder, &[], &["./main"]);
    assert_eq!((&captured["exit_status"], &captured["unexplained"]), (&10.into(), &0.into()));
    assert_eq!(captured["address_bits"], 64);
    through_decoder(&folder, &DESIGNS);
    let view = "view run.pet.zst --images run.images --listing run.lst --count 1M --folded run.folded --json --top 9999";
    let shown = folder.json(view);
    let functions = shown["functions"].as_array().expect("functions");
    let time = functions.iter().find(|one| one["function"] == "vsyscall_time").expect("the call");
    assert_eq!((&time["instructions"], &time["entered"]), (&10.into(), &10.into()));
    assert!(folder.text("run.folded").contains(";main;now;vsyscall_time 10\n"));
    let line = "(vsyscall_time, done by the kernel)  ; returns to now+";
    assert_eq!(folder.text("run.lst").matches(line).count(), 10);
}

#[test]
fn corners_of_risc_v() {
    corners_of(Target::RiscV64);
}

#[test]
fn corners_of_a32() {
    corners_of(Target::A32);
}

#[test]
fn corners_of_thumb() {
    corners_of(Target::Thumb);
}

#[test]
fn corners_of_x86_64() {
    corners_of(Target::X86_64);
}

#[test]
fn a_fault_in_32_bit_risc_v() {
    let folder = Folder::new();
    let target = Target::RiscV32;
    let program = target.compile(&folder, "bare", &[]);
    let captured = capture(&folder, &[], &[&program]);
    assert_eq!((&captured["exit_status"], &captured["signals"]), (&11.into(), &1.into()));
    let log = target.log_of_single_steps(&folder, &[&program], SINGLE_STEP);
    Execution::of(&folder, "run.pet.zst", "run.images").compare(0, &log[&0], 1);
    through_decoder(&folder, &DESIGNS);
}

/// What each thread did, from one run: QEMU writes its log while the plugin looks on.
#[test]
fn threads() {
    Target::ALL.into_iter().for_each(threads_of);
}

/// The same of one target.
pub fn threads_of(target: Target) {
    let folder = Folder::new();
    let program = target.compile(&folder, "threads", &["-pthread"]);
    let log = folder.path("log");
    let log = log.to_str().expect("text");
    let variables =
        [("QEMU_LOG", "exec,nochain"), ("QEMU_LOG_FILENAME", log), ("QEMU_SINGLESTEP", "1")];
    let words = ["capture", "--images", "run.images", "-o", "run.pet.zst", "--", program.as_str()];
    let done = folder.run_with(&variables, &words);
    assert_eq!((done.status, done.stdout.as_str()), (0, "done\n"), "{}", done.stderr);
    assert!(done.stderr.contains("4 threads"), "{}", done.stderr);
    let log = target.read_log(folder.text("log").lines());
    assert_eq!(log.len(), 4);
    let execution = Execution::of(&folder, "run.pet.zst", "run.images");
    for (thread, logged) in &log {
        execution.compare(*thread, logged, 0);
    }
    // And at full speed.
    let captured = capture(&folder, &[], &[&program]);
    // A thread that begins when another has ended may have its number.
    let threads = captured["threads"].as_u64().expect("a number");
    assert!((2..=4).contains(&threads) && captured["unexplained"] == 0, "{captured}");
    through_decoder(&folder, &["mctraptor-small-n4"]);
}

/// Accesses are those of single steps, instruction by instruction.
#[test]
fn accesses() {
    Target::ALL.into_iter().for_each(accesses_of);
}

/// The same of one target.
pub fn accesses_of(target: Target) {
    let folder = Folder::new();
    let program = target.compile(&folder, "corners", &[]);
    capture(&folder, &["--data"], &[&program]);
    let blocks = oracle::accesses(&folder.path("run.pet.zst"));
    let words = ["capture", "--data", "-o", "run.pet.zst", "--", program.as_str()];
    let done = alone(&folder, &words, SINGLE_STEP);
    assert_eq!(done.status, 0, "{}", done.stderr);
    let steps = oracle::accesses(&folder.path("run.pet.zst"));
    assert!(blocks.len() > 10_000);
    let other = blocks.iter().zip(&steps).find(|(block, step)| block != step);
    assert_eq!((other, blocks.len()), (None, steps.len()), "{target:?}");
}

#[test]
fn a_part_of_a_run() {
    let folder = Folder::new();
    let program = Target::RiscV64.compile(&folder, "corners", &[]);
    capture(&folder, &[], &[&program]);
    let whole = events(&folder.path("run.pet.zst"));
    let part = capture(&folder, &["--skip", "5000", "--limit", "20000"], &[&program]);
    let skipped = part["skipped"].as_u64().expect("a number");
    assert!((5000..5600).contains(&skipped), "{part}");
    assert!((20_000..20_600).contains(&part["instructions"].as_u64().expect("a number")));
    assert_eq!((&part["exit_status"], &part["is_whole"]), (&0.into(), &false.into()));
    let part = events(&folder.path("run.pet.zst"));
    // After the exception that begins it, the part is a part of the whole.
    let begin = whole.iter().position(|event| event.program_counter == part[2].program_counter);
    assert!(begin.is_some());
    assert!(whole.windows(part.len() - 2).any(|window| window == &part[2..]));
    through_decoder(&folder, &DESIGNS[..1]);
}

#[test]
fn a_program_that_is_killed() {
    let folder = Folder::new();
    let program = Target::A32.compile(&folder, "corners", &[]);
    capture(&folder, &[], &[&program, "x"]);
    let whole = events(&folder.path("run.pet.zst"));
    let killed = capture(&folder, &[], &[&program, "die"]);
    assert_eq!((&killed["signal"], &killed["is_whole"]), (&9.into(), &false.into()));
    let events = events(&folder.path("run.pet.zst"));
    assert!(events.len() > whole.len() * 9 / 10);
    through_decoder(&folder, &DESIGNS[..1]);
    let done = folder.run_words(&["capture", "-o", "run.pet", "--", &program, "die"]);
    assert_eq!(done.status, 0);
    assert!(
        done.stderr.contains("was ended by signal 9; the trace ends before that"),
        "{}",
        done.stderr
    );
}

#[test]
fn a_full_disk_leaves_nothing() {
    let folder = Folder::new();
    let program = Target::X86_64.compile(&folder, "corners", &[]);
    std::os::unix::fs::symlink("/dev/full", folder.path("full.pet")).expect("a link");
    let done = folder.run_words(&["capture", "-o", "full.pet", "--", &program]);
    assert_eq!(done.status, 1);
    assert!(done.stderr.contains("No space left on device"), "{}", done.stderr);
    assert!(!folder.names().iter().any(|name| name.starts_with(".tracewright")));
}

#[test]
fn what_is_missing_is_said() {
    let folder = Folder::new();
    let program = Target::RiscV64.compile(&folder, "threads", &["-pthread"]);
    folder.write("words.txt", "nothing to run");
    folder.write("script.sh", "#!/bin/sh -e\necho\n");
    let source = "int main(void) { return 0; }";
    folder.write("main.c", source);
    let compiled = Command::new("arm-linux-gnueabihf-gcc")
        .args(["main.c", "-o", "dynamic"])
        .current_dir(folder.path("."))
        .status();
    assert!(compiled.expect("a compiler").success());
    let cases: [(&[&str], &[&str], i32, &str); 7] = [
        (&[], &["./script.sh"], 1, "script.sh is a script: run it by its interpreter, /bin/sh -e"),
        (&[], &["./dynamic"], 1, "needs /lib/ld-linux-armhf.so.3, which does not exist: expected"),
        (&["--isa", "arm"], &[&program], 2, "is a 64-bit RISC-V program, expected ARM"),
        (&["--plugin", "none.so"], &[&program], 1, "none.so is missing; without --plugin"),
        (
            &["--plugin", "words.txt"],
            &[&program],
            1,
            "ended (exit status: 1) before the program ran",
        ),
        (&[], &["./words.txt"], 1, "expected an ELF file"),
        (&[], &["./none"], 1, "cannot find the program ./none"),
    ];
    for (options, program, status, said) in cases {
        let mut words = vec!["capture", "-o", "run.pet"];
        words.extend(options);
        words.push("--");
        words.extend(program);
        let done = folder.run_words(&words);
        assert_eq!(done.status, status, "{words:?}: {}", done.stderr);
        assert!(done.stderr.contains(said), "{words:?}: {}", done.stderr);
        assert!(!folder.path("run.pet").exists());
    }
    let words = ["capture", "-o", "run.pet", "--", program.as_str()];
    let done = folder.run_with(&[("PATH", "/nowhere")], &words);
    assert_eq!(done.status, 1);
    assert!(done.stderr.contains("qemu-riscv64 is missing: install"), "{}", done.stderr);
}

#[test]
fn the_compilers_are_those_of_debian() {
    for target in Target::ALL {
        let (compiler, package) = target.compiler();
        let done = Command::new(compiler).arg("--version").output();
        assert!(done.is_ok(), "{compiler} is missing: apt-get install {package}");
    }
}
