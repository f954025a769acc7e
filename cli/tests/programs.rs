//! Programs that nobody wrote for this project, and some that do what few programs do: each captured, through three
//! encoders and the decoder, and compared with QEMU's log of one instruction at a time.
//!
//! `make programs-check` runs them and prints the rows of the table in docs/capture.md.

mod log;

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::capture::{DESIGNS, INERT, SINGLE_STEP, Target, capture_saying, command, command_alone};
use crate::common::Folder;
use log::{Log, digests, program_counters};

/// Designs that trace eight threads.
const DESIGNS_OF_THREADS: [&str; 3] = ["mctraptor-small-n8", "mctraptor-large-n8", "nexus-n8"];

/// How program counters are compared with QEMU's log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    /// A capture at full speed with the log of a second run, in which every instruction is a block.
    Steps,
    /// Several threads, or a run that is never the same twice: a capture with the log of the same run, in which every
    /// instruction is a block. The program is also captured at full speed, encoded and decoded.
    Threads,
    /// Not at all: a program of so many instructions that the log would take an hour.
    Nothing,
}

/// A program and the folder in which it runs.
struct Subject<'a> {
    name: String,
    target: Target,
    sysroot: Option<&'a str>,
    /// The program and its arguments.
    words: Vec<String>,
    how: How,
    /// The exit status of the program.
    status: i32,
}

impl Subject<'_> {
    /// Captures, encodes, decodes and compares it, and prints a row of the table.
    fn check(&self, folder: &Folder) {
        let words: Vec<&str> = self.words.iter().map(String::as_str).collect();
        let mut options: Vec<&str> = Vec::new();
        if let Some(sysroot) = self.sysroot {
            options.extend(["--sysroot", sysroot]);
        }
        if self.how != How::Steps {
            options.push("--threads");
        }
        let (said, captured) = capture_saying(folder, &options, &words);
        let seen = (&captured["exit_status"], &captured["unexplained"]);
        assert_eq!(seen, (&self.status.into(), &0.into()), "{}: {captured} {said}", self.name);
        let designs = if self.how == How::Steps { DESIGNS } else { DESIGNS_OF_THREADS };
        for design in designs {
            through(folder, design, self.how != How::Nothing);
        }
        let compared = match self.how {
            How::Steps => self.compare_with_steps(folder, &words),
            How::Threads => self.compare_with_same_run(folder, &options, &words),
            How::Nothing => 0,
        };
        println!(
            "| {} | {} | {} | {} | {} | {compared} |",
            self.name,
            captured["instructions"],
            captured["threads"],
            captured["signals"],
            captured["code_changes"],
        );
    }

    /// The last design's decoded execution with the log of another run. Gives the instructions compared.
    fn compare_with_steps(&self, folder: &Folder, words: &[&str]) -> u64 {
        let log = Log::begin(folder, self.target);
        // The option, because a program can see the variable.
        let mut command = command(self.target.emulator(), INERT);
        command.arg("-singlestep");
        if let Some(sysroot) = self.sysroot {
            command.args(["-L", sysroot]);
        }
        let path = folder.path("log");
        command.args(["-d", "exec,nochain", "-D"]).arg(path).args(words);
        let output = command.current_dir(folder.path(".")).output().expect("setarch");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(self.status), "{}: {said}", self.name);
        let (log, captured) = (log.end(), program_counters(folder, self.target));
        captured[&0].compare(&log[&0], true, &format!("{} thread 0", self.name));
        captured[&0].len()
    }

    /// Another run, which is captured and logged at once, thread by thread. Gives the instructions compared.
    fn compare_with_same_run(&self, folder: &Folder, options: &[&str], words: &[&str]) -> u64 {
        let log = Log::begin(folder, self.target);
        let path = folder.path("log");
        let mut all = vec!["capture", "-o", "run.pet.zst", "--images", "run.images"];
        all.extend(options);
        all.push("--");
        all.extend(words);
        let mut command = command_alone(folder, &all, SINGLE_STEP);
        command.env("QEMU_LOG", "exec,nochain").env("QEMU_LOG_FILENAME", path);
        let output = command.output().expect("setarch");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let log = log.end();
        through(folder, DESIGNS_OF_THREADS[0], true);
        let captured = program_counters(folder, self.target);
        let mut compared = 0;
        for (thread, captured) in &captured {
            let name = format!("{} thread {thread}", self.name);
            captured.compare(&log[thread], log.len() == 1, &name);
            compared += captured.len();
        }
        compared
    }
}

/// Encodes run.pet.zst, decodes it against the program's files, and compares it thread by thread. With `counters`, the
/// program counters go to run.txt.
fn through(folder: &Folder, design: &str, counters: bool) {
    let encode = format!("encode {design} --set address_width=64 run.pet.zst -o run.bits");
    let narrow = format!("encode {design} run.pet.zst -o run.bits");
    let is_wide = folder.json("trace info --json run.pet.zst")[0]["address_bits"] == 64;
    folder.succeed(if is_wide { &encode } else { &narrow });
    let counters = if counters { " --program-counters run.txt" } else { "" };
    folder.succeed(&format!("decode run.bits --images run.images -o back.pet.zst{counters}"));
    let (run, back) = (folder.path("run.pet.zst"), folder.path("back.pet.zst"));
    assert_eq!(digests(&run), digests(&back), "{design}");
}

/// The folder of programs/inputs, copied.
fn inputs() -> Folder {
    let folder = Folder::new();
    let inputs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/inputs");
    for file in std::fs::read_dir(inputs).expect("the inputs") {
        let file = file.expect("a file");
        std::fs::copy(file.path(), folder.path(file.file_name())).expect("copied");
    }
    let words = folder.text("words.txt");
    folder.write("large.txt", words.repeat(12));
    // More blocks than the eight threads that are traced.
    folder.write("blocks.txt", words.repeat(250));
    folder
}

/// The folder in which `make debian-programs` has unpacked the packages.
fn debian() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../build/debian");
    root.canonicalize().expect("build/debian, which `make debian-programs` makes")
}

fn programs_of_debian(architecture: &str, target: Target) {
    let sysroot = debian().join(architecture).display().to_string();
    let list = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/debian.list");
    let list = std::fs::read_to_string(list).expect("the list");
    let only = std::env::var("TRACEWRIGHT_PROGRAM").unwrap_or_default();
    for line in list.lines().filter(|line| !line.starts_with('#') && line.contains(&only)) {
        let mut columns = line.split_whitespace();
        let mut column = || columns.next().expect("four columns");
        let (on, package, how) = (column(), column(), column());
        if on != "all" && !on.split(',').any(|on| on == architecture) {
            continue;
        }
        let (how, status) = match how {
            "steps" => (How::Steps, 0),
            "steps:1" => (How::Steps, 1),
            "threads" => (How::Threads, 0),
            "nothing" => (How::Nothing, 0),
            other => panic!("{line}: expected steps, steps:1, threads or nothing, found {other}"),
        };
        let mut words: Vec<String> = columns.map(str::to_owned).collect();
        words[0] = format!("{sysroot}/{}", words[0]);
        let name = format!("{package} {architecture}");
        Subject { name, target, sysroot: Some(&sysroot), words, how, status }.check(&inputs());
    }
}

/// Compiles a program of this folder for this machine.
fn compiled(folder: &Folder, compiler: &[&str], source: &str) -> String {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(source);
    let program = folder.path("program");
    let mut command = Command::new(compiler[0]);
    command.args(&compiler[1..]).arg(source).arg("-o").arg(&program);
    assert!(command.status().expect(compiler[0]).success());
    program.display().to_string()
}

/// What few programs do: exceptions and panics that unwind the stack, stacks that are switched, 31 threads.
#[test]
#[ignore = "takes a minute: make programs-check"]
fn of_our_own() {
    let check = |name: &str, target: Target, how: How, folder: &Folder, program: String| {
        let name = format!("{name} {target:?}");
        Subject { name, target, sysroot: None, words: vec![program], how, status: 0 }.check(folder);
    };
    for target in Target::ALL.into_iter().chain([Target::AArch64]) {
        for (source, how) in [("contexts", How::Steps), ("many", How::Threads)] {
            let folder = inputs();
            let program = target.compile(&folder, source, &["-pthread"]);
            check(source, target, how, &folder, program);
        }
    }
    let folder = inputs();
    let program = compiled(&folder, &["g++", "-O1"], "throwing.cpp");
    check("throwing.cpp", Target::X86_64, How::Steps, &folder, program);
    let program = compiled(&folder, &["rustc", "-O"], "unwinding.rs");
    check("unwinding.rs", Target::X86_64, How::Threads, &folder, program);
}

#[test]
#[ignore = "needs the packages: make programs-check"]
fn of_amd64() {
    programs_of_debian("amd64", Target::X86_64);
}

#[test]
#[ignore = "needs the packages: make programs-check"]
fn of_arm64() {
    programs_of_debian("arm64", Target::AArch64);
}

#[test]
#[ignore = "needs the packages: make programs-check"]
fn of_armel() {
    programs_of_debian("armel", Target::A32);
}

#[test]
#[ignore = "needs the packages: make programs-check"]
fn of_armhf() {
    programs_of_debian("armhf", Target::Thumb);
}

#[test]
#[ignore = "needs the packages: make programs-check"]
fn of_riscv64() {
    programs_of_debian("riscv64", Target::RiscV64);
}
