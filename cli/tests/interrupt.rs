//! Commands that are interrupted at random moments: nothing may stay but what is complete.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use rustix::process::{Pid, Signal, kill_process};

use crate::common::{Folder, is_long, workload};

/// The variable by which the processes that a command starts are found.
const MARK: &str = "TRACEWRIGHT_INTERRUPT_TEST";

/// Every command that writes a file, starts a process or runs long. What it writes is called `out`.
const COMMANDS: [&str; 26] = [
    "encode traptor-m4 long.pet.zst -o out.bits",
    "decode long.bits --program long.pet.zst -o out.txt",
    "measure --design traptor-m4,stream-rbase-128 long.pet.zst",
    "compare --only traptor-m4,tslz,gzip long.pet.zst",
    "trace convert long.pet.zst -o out.txt",
    "trace generate --events 100000000 -o out.pet.zst",
    "trace verify long.pet.zst",
    "trace dump long.pet.zst -o out.txt",
    "cosim traptor-m4,traptor-s0 long.pet.zst",
    "cosim nexs --synthetic 1-4",
    "gates traptor-s0 traptor-s1",
    "fpga traptor-s0",
    "generate ntuple-32x4 -o out",
    "generate --all -o out",
    "regress --quick --workloads traces --junit out.xml",
    "coverage --programs 1",
    "explore space.toml long.pet.zst -o out",
    "fit-talon long.pet.zst -o out.toml",
    "adversary talon-m -o out",
    "reproduce long.pet.zst -o out.html --csv out.csv",
    "report traptor-s0 long.pet.zst -o out.html",
    "wset capture interpreter.elf -o out.wset",
    "wset replay interpreter.wset --data -o out.pet.zst",
    "live traptor-m4 interpreter.elf",
    "capture -o out.pet.zst --images out.images -- sh loop.sh",
    "capture --data -o out.pet.zst -- sh loop.sh",
];

struct Interrupted {
    folder: Folder,
    before: Vec<String>,
    /// The files of a whole generated folder.
    generated: Vec<String>,
    random: StdRng,
}

impl Interrupted {
    /// A folder for every command.
    fn new(seed: u64) -> Interrupted {
        let Interrupted { folder, .. } = Interrupted::empty(seed);
        folder.succeed(
            "trace generate --events 3000000 --isa arm --seed 3 --no-exceptions -o long.pet.zst",
        );
        folder.succeed("encode traptor-m4 --set elided_upper_bits=12 long.pet.zst -o long.bits");
        fs::create_dir(folder.path("traces")).expect("a folder");
        folder.take_head("arm-stringsearch", 20_000, "traces/head.pet.zst");
        folder.write("space.toml", "preset = \"traptor-*\"\n[space]\npc_shift = [2, 3, 4]\n");
        for end in ["elf", "wset"] {
            let from = format!("rv32imac-interpreter.{end}");
            let from = Path::new(&workload("x")).with_file_name(from);
            fs::copy(from, folder.path(format!("interpreter.{end}"))).expect("copied");
        }
        folder.succeed("generate ntuple-32x4 -o whole");
        let generated = names(&folder.path("whole"));
        let before = folder.names();
        Interrupted { folder, before, generated, random: StdRng::seed_from_u64(seed) }
    }

    /// A folder for commands that need no files.
    fn empty(seed: u64) -> Interrupted {
        let folder = Folder::new();
        fs::create_dir(folder.path("temporary")).expect("a folder");
        folder.write("loop.sh", "while :; do :; done\n");
        let (before, random) = (folder.names(), StdRng::seed_from_u64(seed));
        Interrupted { folder, before, generated: Vec::new(), random }
    }

    /// Starts a command, with its cache and temporary files in the folder, as if nobody ignored signals.
    fn start(&self, arguments: &str, mark: &str) -> Child {
        let mut command = Command::new("env");
        command.args(["--default-signal=INT", "--default-signal=TERM"]);
        command.arg(env!("CARGO_BIN_EXE_tracewright")).args(arguments.split_whitespace());
        command.env("TRACEWRIGHT_CACHE", self.folder.path("cache"));
        command.env("TMPDIR", self.folder.path("temporary")).env(MARK, mark);
        command.current_dir(self.folder.path(".")).stdin(Stdio::null());
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a command")
    }

    /// Interrupts a command at a random moment and looks for what is left.
    fn once(&mut self, number: usize) {
        let command = COMMANDS[number % COMMANDS.len()];
        let mark = format!("{}-{number}", std::process::id());
        let signal = if self.random.random() { Signal::INT } else { Signal::TERM };
        let most = if is_long() { 1200 } else { 400 };
        let delay = Duration::from_millis(self.random.random_range(0..most));
        let mut child = self.start(command, &mark);
        thread::sleep(delay);
        // It may have ended.
        let _ = kill_process(Pid::from_child(&child), signal);
        let status = wait(&mut child, command);
        let at = format!("{command}, signal {} after {delay:?}: {status}", signal.as_raw());
        self.check(&at, command, status, signal);
        assert_eq!(processes(&mark), Vec::<String>::new(), "{at}");
    }

    fn check(&self, at: &str, command: &str, status: ExitStatus, signal: Signal) {
        let expected = 128 + signal.as_raw();
        // A signal can come before it is handled, or after the end.
        let early = status.signal() == Some(signal.as_raw());
        assert!(early || status.success() || status.code() == Some(expected), "{at}");
        for name in self.folder.names() {
            let known = self.before.contains(&name) || name == "cache";
            // The signal can come after an output has got its name, so what is there must be whole. A search goes on with
            // the measurements that it has.
            assert!(known || name.starts_with("out"), "{at} left {name}");
            if known {
                continue;
            }
            if name == "out.pet.zst" {
                self.folder.succeed("trace verify out.pet.zst");
            }
            let path = self.folder.path(&name);
            if command.starts_with("generate ntuple") {
                // The folder that designs are put in is made before the first of them.
                let (found, whole) = (names(&path), &self.generated);
                assert!(found.is_empty() || found == *whole, "{at} left a part of {name}");
            }
            let removed =
                if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
            removed.expect("removed");
        }
        assert_eq!(names(&self.folder.path("temporary")), Vec::<String>::new(), "{at}");
        for folder in ["cache", "cache/synthesis"] {
            for name in names(&self.folder.path(folder)) {
                let unfinished = name.starts_with('.') || name.ends_with(".lock");
                assert!(!unfinished, "{at} left {name} in the cache");
            }
        }
    }
}

/// Waits for the end of a command, which has to come soon.
fn wait(child: &mut Child, command: &str) -> ExitStatus {
    let begin = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("a child") {
            return status;
        }
        if begin.elapsed() > Duration::from_secs(30) {
            let _ = child.kill();
            panic!("{command} did not end");
        }
        thread::sleep(Duration::from_millis(5));
    }
}

/// The names of the files in a folder; none if it does not exist.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into())
        .collect();
    names.sort();
    names
}

/// The command lines of the running processes with this mark in their environment.
fn processes(mark: &str) -> Vec<String> {
    let mark = format!("{MARK}={mark}\0");
    let has_mark = |process: &Path| {
        let environment = fs::read(process.join("environ")).unwrap_or_default();
        environment.windows(mark.len()).any(|window| window == mark.as_bytes())
    };
    let all =
        fs::read_dir("/proc").expect("processes").map(|entry| entry.expect("an entry").path());
    all.filter(|process| has_mark(process))
        .map(|process| fs::read_to_string(process.join("cmdline")).unwrap_or_default())
        .collect()
}

/// `INTERRUPTS` is the number of interrupts; without it each command is interrupted once.
#[test]
fn nothing_stays_after_an_interrupt() {
    let count = std::env::var("INTERRUPTS").ok().map(|count| count.parse().expect("a number"));
    let mut interrupted = Interrupted::new(7);
    for number in 0..count.unwrap_or(COMMANDS.len()) {
        interrupted.once(number);
    }
}

/// The trace of a program that is ended by a signal has what the program did, whatever the program does with the signal.
#[test]
fn a_partial_capture_is_kept() {
    let interrupted = Interrupted::empty(0);
    let stubborn = "trap '' INT TERM\nwhile :; do :; done\n";
    interrupted.folder.write("stubborn.sh", stubborn);
    // A machine below is ended by SIGINT and SIGTERM too.
    let all = [
        ("loop.sh", Signal::INT, 130),
        ("stubborn.sh", Signal::TERM, 143),
        ("loop.sh", Signal::TERM, 143),
    ];
    for (script, signal, status) in all.into_iter().take(if is_long() { 3 } else { 2 }) {
        let mut child =
            interrupted.start(&format!("capture -o out.pet.zst -- sh {script}"), script);
        thread::sleep(Duration::from_millis(if is_long() { 1500 } else { 800 }));
        kill_process(Pid::from_child(&child), signal).expect("a signal");
        assert_eq!(wait(&mut child, script).code(), Some(status), "{script}, {signal:?}");
        assert_eq!(processes(script), Vec::<String>::new());
        let info = interrupted.folder.json("trace verify out.pet.zst --json");
        assert!(info[0]["events"].as_u64() > Some(100_000), "{script}, {signal:?}: {info}");
        fs::remove_file(interrupted.folder.path("out.pet.zst")).expect("a trace");
    }
}

/// QEMU itself ends a machine at a signal, with status 0.
#[test]
fn a_partial_capture_of_a_machine_is_kept() {
    let interrupted = Interrupted::empty(0);
    interrupted.folder.write("loop.s", ".globl _start\n_start: wfi\nj _start\n");
    let status = Command::new("riscv64-unknown-elf-gcc")
        .args(["-nostdlib", "-Wl,-Ttext=0x80000000", "-o", "loop.elf", "loop.s"])
        .current_dir(interrupted.folder.path("."))
        .status();
    assert!(status.expect("gcc-riscv64-unknown-elf is needed").success());
    let machine = "qemu-system-riscv64 -M virt -display none -bios none -kernel loop.elf";
    for (signal, status) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        let capture = format!("capture --system -o out.pet.zst --images out.images -- {machine}");
        let mut child = interrupted.start(&capture, "machine");
        thread::sleep(Duration::from_millis(1000));
        kill_process(Pid::from_child(&child), signal).expect("a signal");
        assert_eq!(wait(&mut child, machine).code(), Some(status), "{signal:?}");
        assert_eq!(processes("machine"), Vec::<String>::new());
        interrupted.folder.succeed("trace verify out.pet.zst");
        for name in ["out.pet.zst", "out.images"] {
            fs::remove_file(interrupted.folder.path(name)).expect(name);
        }
    }
}

/// SIGKILL leaves temporary files, which the next command in the folder removes; those of a running one stay.
#[test]
fn what_a_killed_command_left_is_removed() {
    let folder = Folder::with_run();
    let old = SystemTime::now() - Duration::from_secs(3600);
    let make = |name: &str, time| {
        folder.write(name, "");
        let file = fs::File::options().append(true).open(folder.path(name)).expect("a file");
        file.set_modified(time).expect("a time");
        file
    };
    drop(make(".tracewright-aB3dEf", old));
    drop(make(".tracewright-notes1.txt", old));
    drop(make(".tracewright-young1", SystemTime::now()));
    let held = make(".tracewright-held01", old);
    held.lock().expect("a lock");
    let mut names = folder.names();
    folder.succeed("trace convert run.pet.zst -o out.pet --limit 3");
    names.retain(|name| name != ".tracewright-aB3dEf");
    names.push("out.pet".into());
    names.sort();
    assert_eq!(folder.names(), names);
}
