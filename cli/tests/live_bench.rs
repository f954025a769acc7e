//! The small core of testbench/live with generated files in a plain Verilog test bench, whose bus master has nothing
//! but the table of steps in docs/control.md; every decoded address is compared with the core's own log.

use std::path::Path;
use std::process::Command;

use crate::common::{Folder, is_long};

const DESIGN: &str = "traptor-m4 --set framing=packets --set enable_pin=true --set trace_port_width=8 \
                      --set alignment=2";

const OFTEN: &str = "--set sync_interval=1024";

/// Bits of trRamControl for a ring that stops.
const STOPS: &str = "+settings=256";

fn file(name: &str) -> String {
    let live = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testbench/live");
    live.join(name).display().to_string()
}

/// Runs a tool, which has to succeed; what it prints.
fn tool(folder: &Folder, name: &str, arguments: &[&str]) -> String {
    let output = Command::new(name).args(arguments).current_dir(folder.path(".")).output();
    let output = output.unwrap_or_else(|error| panic!("{name}: {error}"));
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name} {arguments:?}: {printed}{errors}");
    printed
}

/// What is generated and how the core is connected.
#[derive(Clone, Copy)]
struct Connected {
    tip: bool,
    wide: bool,
    bus: &'static str,
    bytes: u32,
    /// Parameters of the design besides.
    changes: &'static str,
}

impl Connected {
    fn port(self) -> &'static str {
        if self.tip { "tip" } else { "rvfi" }
    }

    /// Generates the module.
    fn generate(self, folder: &Folder) {
        let lanes = match (self.tip, self.wide) {
            (_, false) => "",
            (true, true) => "--blocks-per-cycle 2",
            (false, true) => "--nret 2",
        };
        folder.succeed(&format!(
            "generate {DESIGN} {} --ingress {} {lanes} --control {} --ram-sink {} -o build",
            self.changes,
            self.port(),
            self.bus,
            self.bytes
        ));
    }

    /// Macros and files for a simulator.
    fn sources(self) -> Vec<String> {
        let port = self.port();
        let mut words =
            vec![format!("-DTOP=traptor_m4_{port}_control"), format!("-DRING={}", self.bytes)];
        let macros = [("TIP", self.tip), ("WIDE", self.wide), ("AXI", self.bus == "axi-lite")];
        words.extend(
            macros.iter().filter(|(_, is_set)| *is_set).map(|(name, _)| format!("-D{name}")),
        );
        words.extend(["minimal_core.v", "minimal_instruction.v", "minimal_bench.v"].map(file));
        for suffix in [String::new(), format!("_{port}"), format!("_{port}_control")] {
            words.push(format!("build/traptor-m4/traptor_m4{suffix}.v"));
        }
        words
    }
}

/// Puts the words of a program's memory into a file of hexadecimal numbers.
pub fn load(folder: &Folder, program: &str) -> String {
    let elf = file(&format!("programs/minimal-{program}.elf"));
    let sections = ["-j", ".text", "-j", ".data", "-j", ".edge", "-j", ".last"];
    let words = ["-O", "binary", "--gap-fill", "0", "--pad-to", "0x30000"];
    let arguments = [&words[..], &sections[..], &[elf.as_str(), "memory.bin"]].concat();
    tool(folder, "riscv64-unknown-elf-objcopy", &arguments);
    let lines = folder.read("memory.bin");
    let words = lines.chunks(4).map(|word| {
        let bytes = std::array::from_fn(|at| word.get(at).copied().unwrap_or(0));
        format!("{:08x}\n", u32::from_le_bytes(bytes))
    });
    folder.write("memory.hex", words.collect::<String>());
    elf
}

/// An instruction in the core's log.
struct Line {
    address: u64,
    word: u32,
    trapped: bool,
}

/// What a simulation left.
struct Ran {
    log: Vec<Line>,
    /// The memory of the sink, and trRamWPLow.
    memory: Vec<u8>,
    pointer: usize,
    /// Lines of the log when tracing was switched off.
    switched_off: usize,
}

fn run(folder: &Folder, simulator: &[&str], settings: &str) -> Ran {
    let mut words = simulator.to_vec();
    words.extend(["+program=memory.hex", "+log=log", "+ring=ring"]);
    words.extend(settings.split_whitespace());
    let printed = tool(folder, words[0], &words[1..]);
    assert!(printed.lines().any(|line| line == "done"), "{settings}: {printed}");
    let number = |name: &str| {
        let value = printed.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok());
        value.unwrap_or_else(|| panic!("{name} in {printed}"))
    };
    let log = folder.text("log");
    let line = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        let address = u64::from_str_radix(words[0], 16).expect("an address");
        let word = u32::from_str_radix(words[1], 16).expect("a word");
        Line { address, word, trapped: words[2] == "1" }
    };
    let ring = folder.text("ring");
    // What has never been written is unknown.
    let word = |line: &str| u32::from_str_radix(&line.replace('x', "0"), 16).expect("a word");
    Ran {
        log: log.lines().map(line).collect(),
        memory: ring.lines().flat_map(|line| word(line).to_le_bytes()).collect(),
        pointer: number("write_pointer "),
        switched_off: number("instructions "),
    }
}

/// The addresses that the ring has by the command.
fn decode(folder: &Folder, ran: &Ran, elf: &str) -> Vec<u64> {
    folder.write("ring.bin", &ran.memory[..]);
    let view = format!(
        "view --ram-sink {} --design build/traptor-m4 ring.bin --program {elf} --listing -",
        ran.pointer
    );
    let done = folder.run(&view);
    let is_wrapped = ran.pointer & 1 == 1;
    assert_eq!(done.status, if is_wrapped { 3 } else { 0 }, "{}", done.stderr);
    let address = |line: &str| {
        let mut words = line.split_whitespace();
        words.next()?.parse::<u64>().ok()?;
        u64::from_str_radix(words.next()?, 16).ok()
    };
    done.stdout.lines().filter_map(address).collect()
}

/// Compares what was decoded with the core's log. The trace has its end, or all of it, and that up to where tracing
/// was switched off. The trace ingress port does not say of a jump where it leads before the next block.
///
/// A ring that has stopped has the beginning.
fn compare(connected: Connected, ran: &Ran, decoded: &[u64], what: &str) {
    let retired = |lines: &[Line]| -> Vec<u64> {
        lines.iter().filter(|line| !line.trapped).map(|line| line.address).collect()
    };
    let all = retired(&ran.log);
    let before = retired(&ran.log[..ran.switched_off.min(ran.log.len())]).len();
    let is_held =
        |line: &Line| !line.trapped && matches!(line.word & 0x7f, 0x63 | 0x67 | 0x6f | 0x73);
    let held = usize::from(connected.tip && ran.log.last().is_some_and(is_held));
    let is_wrapped = ran.pointer & 1 == 1;
    let is_part = is_wrapped || what.contains(STOPS);
    let least = if is_part { 1 } else { before.saturating_sub(held) };
    assert!(decoded.len() >= least, "{what}: {} of {before} instructions", decoded.len());
    let agrees = if is_wrapped {
        (0..=held).any(|held| all[..all.len() - held].ends_with(decoded))
    } else {
        all.starts_with(decoded)
    };
    let first = all.iter().zip(decoded).position(|(one, other)| one != other);
    assert!(
        agrees,
        "{what}: {} of {} instructions, different from {first:?} on",
        decoded.len(),
        all.len()
    );
}

/// Runs programs in Icarus Verilog; the folder, and how many instructions each ring had.
fn simulate(connected: Connected, runs: &[(&str, &str)]) -> (Folder, Vec<usize>) {
    let folder = Folder::new();
    connected.generate(&folder);
    let sources = connected.sources();
    let mut arguments = vec!["-g2005", "-Wall", "-s", "minimal_bench", "-o", "bench.vvp"];
    arguments.extend(sources.iter().map(String::as_str));
    tool(&folder, "iverilog", &arguments);
    let mut counts = Vec::new();
    for (program, settings) in runs {
        let elf = load(&folder, program);
        let ran = run(&folder, &["vvp", "-n", "bench.vvp"], settings);
        let decoded = decode(&folder, &ran, &elf);
        compare(connected, &ran, &decoded, &format!("{program} {settings}"));
        counts.push(decoded.len());
    }
    (folder, counts)
}

/// Every program, to its end and stopped at many places: a program that crashes in every way, one that dies for good,
/// one whose first instruction traps, and interrupts while the core runs on as tracing is switched off.
fn crash(connected: Connected) {
    let mut runs = vec![
        ("wild".to_string(), "+limit=1700".to_string()),
        ("wild".into(), "+limit=700 +running".into()),
        ("first".into(), "+limit=130".into()),
        ("interrupts".into(), "+limit=2000 +running".into()),
    ];
    // The last instruction traps in many of them; an interrupt at each of the first instructions.
    runs.extend((1..60).step_by(26).map(|limit| ("crashes".into(), format!("+limit={limit}"))));
    let interrupted = |at| ("crashes".into(), format!("+limit=120 +interrupt={at}"));
    runs.extend((17..32).step_by(8).map(interrupted));
    if !is_long() {
        // Each of the three connections takes others.
        let first = usize::from(!connected.tip) + usize::from(connected.wide);
        runs = runs.into_iter().skip(first).step_by(3).collect();
        assert_eq!(runs.len(), 3);
    }
    runs.push(("crashes".into(), "+random_interrupts +seed=5".into()));
    let runs: Vec<_> = runs.iter().map(|(program, plus)| (&**program, &**plus)).collect();
    simulate(connected, &runs);
}

#[test]
fn crashes_by_the_trace_ingress_port() {
    crash(Connected { tip: true, wide: false, bus: "apb", bytes: 16384, changes: OFTEN });
}

#[test]
fn crashes_by_the_formal_interface() {
    crash(Connected { tip: false, wide: false, bus: "axi-lite", bytes: 16384, changes: OFTEN });
}

#[test]
fn crashes_by_the_formal_interface_two_instructions_wide() {
    crash(Connected { tip: false, wide: true, bus: "apb", bytes: 16384, changes: OFTEN });
}

/// Two instructions per cycle, AXI4-Lite, a ring that has wrapped: the same in Verilator as in Icarus Verilog.
#[test]
fn a_ring_is_read_in_both_simulators() {
    let connected =
        Connected { tip: true, wide: true, bus: "axi-lite", bytes: 2048, changes: OFTEN };
    let (folder, _) = simulate(connected, &[("crashes", "")]);
    let files = ["log", "ring"].map(|name| folder.text(name));
    let sources = connected.sources();
    let mut arguments = vec!["--binary", "--timing", "-Wno-fatal", "--top", "minimal_bench"];
    arguments.extend(["--Mdir", "verilated", "-o", "bench"]);
    // Compiling takes longer than the run.
    arguments.extend(["-MAKEFLAGS", "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0"]);
    arguments.extend(sources.iter().map(String::as_str));
    tool(&folder, "verilator", &arguments);
    let bench = folder.path("verilated/bench").display().to_string();
    let ran = run(&folder, &[&bench], "");
    assert!(ran.pointer & 1 == 1, "the ring has wrapped");
    assert_eq!(folder.text("log"), files[0]);
    let unknown = |ring: &str| ring.replace('x', "0");
    assert_eq!(unknown(&folder.text("ring")), unknown(&files[1]));
}

/// A ring of 2 KiB that `generate` has chosen the interval for, and a program that runs on after it is full: it wraps,
/// and it stops.
#[test]
fn a_ring_of_two_kibibytes_wraps_and_stops() {
    let connected = Connected { tip: false, wide: false, bus: "apb", bytes: 2048, changes: "" };
    // The ring is full after some 23,700 instructions.
    let runs_on = format!("+limit={}", if is_long() { 40_000 } else { 26_000 });
    let stops = format!("{runs_on} {STOPS}");
    let runs = [("interrupts", runs_on.as_str()), ("interrupts", stops.as_str())];
    let (_, counts) = simulate(connected, &runs);
    assert!(counts.iter().all(|count| *count > 10_000), "{counts:?}");
}
