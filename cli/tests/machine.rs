//! Whole machines, captured: against QEMU's own log of one instruction at a time, and through encoders and the decoder
//! with the code that the capture has kept.
//!
//! The programs are compiled here from program/capture/tests/machine. With `-icount` a machine does the same each time,
//! because its time is the number of its instructions.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::Folder;
use tracewright_sim::event::{Item, Kind};
use tracewright_sim::trace_io;

const DESIGNS: [&str; 3] = ["traptor-m4", "talon-m", "stream-rbase-128"];

const SETTINGS: &str = "--set framing=packets --set checksum_bits=8 --set context_bits=8 --set privilege_bits=2 \
     --set cause_bits=8 --set address_width=64";

const FREESTANDING: [&str; 10] = [
    "-mcmodel=medany",
    "-O2",
    "-ffreestanding",
    "-nostdlib",
    "-static",
    "-fno-tree-loop-distribute-patterns",
    "-fno-toplevel-reorder",
    "-msmall-data-limit=0",
    "-Wl,--no-relax",
    "-Wl,--build-id=none",
];

/// Compiles a program of program/capture/tests/machine in the folder.
fn compile(folder: &Folder, source: &str, options: &str, output: &str) {
    let source =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../program/capture/tests/machine").join(source);
    let status = Command::new("riscv64-unknown-elf-gcc")
        .args(FREESTANDING)
        .args(options.split_whitespace())
        .arg(source)
        .args(["-o", output])
        .current_dir(folder.path("."))
        .status()
        .expect("riscv64-unknown-elf-gcc of gcc-riscv64-unknown-elf");
    assert!(status.success(), "{output}");
}

/// An instruction: its address, its privilege level, and whether an exception leads away after it.
type Step = (u64, u64, bool);

/// QEMU's log of a machine, by `Trace 0: 0x7f9aa0000100 [0000000000000000/0000000080000000/00209003/ff020201]` for each
/// instruction that begins; the third number has the privilege level in its lowest bits.
fn log_of_single_steps(folder: &Folder, machine: &[&str]) -> Vec<(u64, u64)> {
    let mut child = Command::new(machine[0])
        .args(&machine[1..])
        .args(["-singlestep", "-d", "exec,nochain"])
        .current_dir(folder.path("."))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("qemu-system-misc");
    let mut steps = Vec::new();
    let log = BufReader::new(child.stderr.take().expect("a pipe"));
    for line in log.lines().map_while(Result::ok) {
        let hexadecimal = |text: &str| u64::from_str_radix(text, 16).expect("a number");
        if let Some(rest) = line.strip_prefix("Trace ") {
            let mut numbers = rest.split(['/', ']']).skip(1);
            let (address, flags) = (numbers.next().expect("an address"), numbers.next());
            steps.push((hexadecimal(address), hexadecimal(flags.expect("flags")) & 3));
        } else if line.starts_with("Stopped execution") || line.starts_with("cpu_io_recompile") {
            // The block did not begin, or begins again.
            steps.pop();
        } else {
            panic!("{line}");
        }
    }
    assert!(child.wait().expect("its end").success());
    steps
}

/// Follows the trace that was decoded, whose program counters are in a file.
fn execution(folder: &Folder, trace: &str, counters: &str) -> Vec<Step> {
    let text = folder.text(counters);
    let mut counters = text
        .lines()
        .filter(|line| line.starts_with("0x"))
        .map(|line| u64::from_str_radix(&line[2..], 16).expect("an address"));
    let (mut steps, mut privilege) = (Vec::<Step>::new(), 3);
    for item in trace_io::open(folder.path(trace)).expect("a trace").items() {
        match item.expect("an item") {
            Item::Event(event) => {
                let run = counters.by_ref().take(event.instructions as usize);
                steps.extend(run.map(|address| (address, privilege, false)));
                if let Some(last) = steps.last_mut() {
                    last.2 |= event.kind == Kind::Exception && event.taken;
                }
            }
            Item::State(state) => privilege = state.privilege.into(),
            Item::Access(_) => {}
        }
    }
    steps
}

/// Holds an execution against a log, in which instructions run that are interrupted by a fault and do not retire. The
/// trace ends with the last event, some instructions before the log. Gives how many instructions are equal.
fn compare(steps: &[Step], log: &[(u64, u64)]) -> usize {
    let mut log = log.iter().enumerate();
    for (index, (address, privilege, _)) in steps.iter().enumerate() {
        let (mut line, mut logged) = log.next().expect("more instructions than QEMU logged");
        if (*address, *privilege) != *logged && index > 0 && steps[index - 1].2 {
            (line, logged) = log.next().expect("more instructions than QEMU logged");
        }
        assert!(
            (*address, *privilege) == *logged,
            "instruction {index} is {address:#x} at level {privilege}, QEMU's {line} is {:#x} at {}",
            logged.0,
            logged.1
        );
    }
    assert!(log.len() < 600, "{} instructions after the trace", log.len());
    steps.len()
}

/// Captures a machine, and compares every instruction that each design gives back with the log.
fn check(folder: &Folder, designs: &[&str], machine: &[&str]) -> (serde_json::Value, usize) {
    let mut words =
        vec!["capture", "--system", "--json", "-o", "run.pet.zst", "--images", "run.images", "--"];
    words.extend(machine);
    let done = folder.run_words(&words);
    assert_eq!(done.status, 0, "{}", done.stderr);
    let last = done.stdout.lines().last().expect("a line");
    let captured: serde_json::Value = serde_json::from_str(last).expect("JSON");
    assert_eq!((&captured["unexplained"], &captured["exit_status"]), (&0.into(), &0.into()));
    let log = log_of_single_steps(folder, machine);
    let mut compared = 0;
    for design in designs {
        folder.succeed(&format!("encode {design} run.pet.zst -o run.bits {SETTINGS}"));
        let decode =
            "decode run.bits --images run.images -o back.pet.zst --program-counters run.txt";
        folder.succeed(decode);
        compared = compare(&execution(folder, "back.pet.zst", "run.txt"), &log);
    }
    (captured, compared)
}

fn words(line: &str) -> Vec<&str> {
    line.split(' ').collect()
}

#[test]
fn traps_and_a_timer_of_the_machine_level() {
    for (bits, options) in
        [(64, "-march=rv64imac_zicsr -mabi=lp64"), (32, "-march=rv32imac_zicsr -mabi=ilp32")]
    {
        let folder = Folder::new();
        compile(&folder, "bare.s", &format!("{options} -Wl,-n,-Ttext=0x80000000"), "bare");
        let machine = format!(
            "qemu-system-riscv{bits} -M virt -nographic -icount shift=0 -bios none -kernel bare"
        );
        let designs = if bits == 64 { &DESIGNS[..] } else { &DESIGNS[..1] };
        let (captured, compared) = check(&folder, designs, &words(&machine));
        assert!(captured["traps"].as_u64() > Some(1000) && compared > 100_000, "{captured}");
        assert!(folder.text("run.images").starts_with("bare@0x0 "), "{bits}");
    }
}

/// Compiles the kernel and the programs of user mode.
fn kernel(folder: &Folder, options: &str) {
    const RISCV: &str = "-march=rv64gc -mabi=lp64d";
    for (number, name) in [(1, "a"), (2, "b")] {
        let place = "-Wl,-Ttext=0x10000,-Tbss=0x21000";
        compile(
            folder,
            "program.c",
            &format!("{RISCV} -DPROGRAM={number} {options} {place}"),
            name,
        );
        let mut command = Command::new("riscv64-unknown-elf-objcopy");
        command.args(["-O", "binary", "-j", ".text", name, &format!("{name}.bin")]);
        assert!(command.current_dir(folder.path(".")).status().expect("objcopy").success());
    }
    compile(folder, "kernel.c", &format!("{RISCV} {options} -Wl,-n,-Ttext=0x80200000"), "kernel");
}

/// OpenSBI, a kernel in supervisor mode, and two programs in user mode at the same addresses, in turns of a timer. The
/// firmware's own interrupts come between the kernel's traps and their handler with `sstc=off`.
fn levels(processor: &str, options: &str, designs: &[&str]) {
    let folder = Folder::new();
    kernel(&folder, options);
    let machine = format!(
        "qemu-system-riscv64 -M virt -cpu {processor} -nographic -icount shift=0 -kernel kernel"
    );
    let (captured, compared) = check(&folder, designs, &words(&machine));
    assert!(captured["traps"].as_u64() > Some(300) && captured["contexts"] == 3, "{captured}");
    println!("{compared} instructions, {captured}");
    // The second program is a context's own, and the files of the programs give names.
    assert!(folder.text("run.images").contains("\n2="), "{}", folder.text("run.images"));
    let shown = folder.json(
        "view run.pet.zst --images run.images --json --folded run.folded --flame-graph run.svg",
    );
    assert_eq!(shown["contexts"].as_array().map(Vec::len), Some(3), "{shown}");
    assert!(folder.text("run.folded").contains("context 0x0;"));
}

#[test]
fn levels_and_address_spaces() {
    levels("rv64", "-DROUNDS=8", &DESIGNS[..1]);
}

#[test]
#[ignore = "10 million instructions, one at a time, for each design: make machine-check"]
fn levels_and_address_spaces_at_length() {
    for processor in ["rv64", "rv64,sstc=off"] {
        levels(processor, "-DROUNDS=400", &DESIGNS);
    }
}

#[test]
fn what_is_no_machine_is_said() {
    let folder = Folder::new();
    let capture = "capture --system -o run.pet --";
    for (words, status, said) in [
        ("qemu-system-arm -M virt", 1, "expected qemu-system-riscv64 or qemu-system-riscv32"),
        ("./none/qemu-system-riscv64", 1, "none/qemu-system-riscv64 is missing: install"),
        ("qemu-system-riscv64 -M none_such -nographic", 1, "before the machine ran: expected"),
        ("qemu-system-riscv64 -M virt,aia=aplic,none=1", 1, "before the machine ran: expected"),
    ] {
        let done = folder.run(&format!("{capture} {words}"));
        assert_eq!(done.status, status, "{words}: {}", done.stderr);
        assert!(done.stderr.replace('\n', " ").contains(said), "{words}: {}", done.stderr);
        assert!(folder.names().is_empty());
    }
}
