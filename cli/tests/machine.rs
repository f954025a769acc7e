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

/// The bit of a cause in a trace that marks an interrupt.
const INTERRUPT: u64 = 1 << 7;

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

/// An instruction that retired.
#[derive(Clone, Copy, Debug)]
struct Step {
    address: u64,
    privilege: u64,
    /// It ends a run of instructions, as its event says.
    ends: bool,
    /// An exception that is no interrupt leads away after it: one of the next instruction.
    is_led: bool,
}

/// Captures a machine while QEMU writes its log: what the command says of it as JSON, and the address and privilege level
/// of each block that began on the processor that is traced.
fn captured(folder: &Folder, options: &str, machine: &str) -> (serde_json::Value, Vec<(u64, u64)>) {
    let words = format!(
        "capture --system --json -o run.pet.zst --images run.images {options} -- {machine} -d exec,nochain"
    );
    let words: Vec<&str> = words.split_whitespace().collect();
    let said = std::fs::File::create(folder.path("said")).expect("a file");
    let mut command = folder.command(&words);
    let mut child = command.stdout(said).stderr(Stdio::piped()).spawn().expect("the command");
    let log = BufReader::new(child.stderr.take().expect("a pipe"));
    let (mut blocks, mut others) = (Vec::<(u64, u64)>::new(), String::new());
    let (mut is_left, mut is_own) = (false, true);
    let hart = options.split_once("--hart ").map_or("0", |(_, hart)| hart);
    let begins = format!("Trace {hart}: ");
    for line in log.lines().map_while(Result::ok) {
        if line.starts_with("Trace ") {
            is_own = line.starts_with(&begins);
        }
        if !is_own {
            continue;
        }
        if let Some(block) = block_of(&line) {
            // A block that was left at its first instruction begins again.
            blocks.pop_if(|(address, _)| is_left && *address == block.0);
            is_left = false;
            blocks.push(block);
        } else if line.starts_with("Stopped execution") {
            blocks.pop();
        } else if line.starts_with("cpu_io_recompile") {
            is_left = true;
        } else {
            others += &line;
        }
    }
    assert!(child.wait().expect("its end").success(), "{others}");
    let said = String::from_utf8_lossy(&folder.read("said")).into_owned();
    let last = said.lines().last().expect("a line");
    (serde_json::from_str(last).expect("JSON"), blocks)
}

/// The block of a line such as `Trace 0: 0x7f9aa0000100 [0000000000000000/0000000080000000/00209003/ff020201]`, whose
/// third number in brackets has the privilege level in its lowest bits.
fn block_of(line: &str) -> Option<(u64, u64)> {
    let mut numbers = line.strip_prefix("Trace ")?.split(['/', ']']).skip(1);
    let mut number = || u64::from_str_radix(numbers.next()?, 16).ok();
    Some((number()?, number()? & 3))
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
                let step = |address| Step { address, privilege, ends: false, is_led: false };
                steps.extend(run.map(step));
                if let Some(last) = steps.last_mut() {
                    last.ends = true;
                    last.is_led |= event.kind == Kind::Exception && event.taken;
                }
            }
            Item::State(state) => {
                privilege = state.privilege.into();
                if let (Some(cause), Some(last)) = (state.cause, steps.last_mut()) {
                    last.is_led &= cause & INTERRUPT == 0;
                }
            }
            Item::Access(_) | Item::Cycles(_) => {}
        }
    }
    steps
}

/// Holds an execution against the blocks that began, which are single instructions if it `is_stepped`. A block goes on
/// to a branch, an exception, or the next block; one whose first instruction faults has none. Where the next block may
/// begin inside a run or after it, both are tried.
fn compare(steps: &[Step], blocks: &[(u64, u64)], is_stepped: bool) {
    let is_at = |index: usize, block: usize| {
        steps.get(index).map(|step| (step.address, step.privilege)) == blocks.get(block).copied()
    };
    let (mut index, mut block) = (0, 0);
    let mut others = Vec::new();
    // Where the attempt that came furthest ended: the first one to be given up says nothing.
    let mut furthest = (0, 0);
    assert!(is_at(0, 0));
    loop {
        let end = (index..steps.len()).find(|index| steps[*index].ends);
        let next = if is_stepped { index + 1 } else { end.map_or(steps.len(), |end| end + 1) };
        if next >= steps.len() {
            return;
        }
        let inside = (index + 1..next).find(|index| is_at(*index, block + 1));
        (index, block) = match (is_at(next, block + 1), inside) {
            (true, inside) => {
                others.extend(inside.map(|inside| (inside, block + 1)));
                (next, block + 1)
            }
            (false, Some(inside)) => (inside, block + 1),
            (false, None) if steps[next - 1].is_led && is_at(next, block + 2) => (next, block + 2),
            (false, None) => {
                furthest = furthest.max((next, block));
                others.pop().unwrap_or_else(|| {
                    let (next, block) = furthest;
                    panic!(
                        "after instruction {next} is {:x?}, but in QEMU {:x?}; before: {:x?} and in QEMU {:x?}",
                        steps[next],
                        blocks.get(block + 1),
                        &steps[next.saturating_sub(40)..next],
                        &blocks[block.saturating_sub(12)..=block]
                    )
                })
            }
        };
    }
}

/// Captures a machine, and compares every instruction that each design gives back with the log of the same run.
fn check(folder: &Folder, designs: &[&str], options: &str, machine: &str) -> serde_json::Value {
    let (captured, blocks) = captured(folder, options, machine);
    assert_eq!(captured["unexplained"], 0, "{captured}");
    let trace = folder.succeed("trace dump run.pet.zst");
    for design in designs {
        folder.succeed(&format!("encode {design} run.pet.zst -o run.bits {SETTINGS}"));
        folder.succeed(
            "decode run.bits --images run.images -o back.pet.zst --program-counters run.txt",
        );
        assert!(folder.succeed("trace dump back.pet.zst") == trace, "{design}");
    }
    let steps = execution(folder, "back.pet.zst", "run.txt");
    assert!(steps.len() as u64 >= captured["instructions"].as_u64().expect("a number"));
    compare(&steps, &blocks, machine.contains("-singlestep"));
    captured
}

#[test]
fn traps_and_a_timer_of_the_machine_level() {
    const OPTIONS: [(u32, &str); 2] =
        [(64, "-march=rv64imac_zicsr -mabi=lp64"), (32, "-march=rv32imac_zicsr -mabi=ilp32")];
    for (bits, options) in OPTIONS {
        let folder = Folder::new();
        compile(&folder, "bare.s", &format!("{options} -Wl,-n,-Ttext=0x80000000"), "bare");
        let machine = format!(
            "qemu-system-riscv{bits} -M virt -nographic -icount shift=0 -bios none -kernel bare"
        );
        for machine in [format!("{machine} -singlestep"), machine] {
            let captured = check(&folder, &DESIGNS[..1], "", &machine);
            assert!(captured["traps"].as_u64() > Some(1000), "{captured}");
            assert_eq!(captured["exit_status"], 0);
            // Only the few instructions of QEMU's memory of reset are of no file.
            assert!(captured["loose_code"].as_u64() < Some(64), "{captured}");
        }
        assert!(folder.text("run.images").starts_with("bare@0x0 "), "{bits}");
    }
}

/// The compiler's options for each width of addresses.
const RISCV: [(u32, &str); 2] =
    [(64, "-march=rv64gc -mabi=lp64d"), (32, "-march=rv32gc -mabi=ilp32d")];

/// Compiles the kernel and the programs of user mode.
fn kernel(folder: &Folder, riscv: &str, options: &str) {
    for (number, name) in [(1, "a"), (2, "b")] {
        let place = "-Wl,-Ttext=0x10000,-Tbss=0x21000";
        compile(
            folder,
            "program.c",
            &format!("{riscv} -DPROGRAM={number} {options} {place}"),
            name,
        );
        let mut command = Command::new("riscv64-unknown-elf-objcopy");
        command.args(["-O", "binary", "-j", ".text", name, &format!("{name}.bin")]);
        assert!(command.current_dir(folder.path(".")).status().expect("objcopy").success());
    }
    compile(folder, "kernel.c", &format!("{riscv} {options} -Wl,-n,-Ttext=0x80200000"), "kernel");
}

/// Firmware, a kernel in supervisor mode, and two programs in user mode at the same addresses, in turns of a timer.
fn levels(folder: &Folder, designs: &[&str], options: &str, machine: &str) {
    let captured = check(folder, designs, options, machine);
    println!("{machine}: {captured}");
    assert!(captured["traps"].as_u64() > Some(100) && captured["contexts"] == 3, "{captured}");
    // One of the programs is of its context alone.
    assert!(folder.text("run.images").contains("\n2="), "{}", folder.text("run.images"));
}

#[test]
fn levels_and_address_spaces() {
    let folder = Folder::new();
    kernel(&folder, RISCV[0].1, "-DROUNDS=8");
    let machine = "qemu-system-riscv64 -M spike -nographic -icount shift=0 -kernel kernel";
    levels(&folder, &DESIGNS[..1], "--image a --image b --limit 4800000 --stop", machine);
    let views = "view run.pet.zst --images run.images --json --folded run.folded";
    let shown = folder.json(views);
    assert_eq!(shown["contexts"].as_array().map(Vec::len), Some(3), "{shown}");
    let stacks = folder.text("run.folded");
    for stack in ["context 0x0;", ";sort", ";nodes;nodes", "trap;turn"] {
        assert!(stacks.contains(stack), "{stack}");
    }
}

/// The same kernel with page tables of 32 bits, on firmware of our own.
#[test]
fn levels_and_address_spaces_of_32_bits() {
    let folder = Folder::new();
    kernel(&folder, RISCV[1].1, "-DROUNDS=8");
    let place = "-Wl,-n,-Ttext=0x80000000";
    compile(&folder, "firmware.s", &format!("{} {place}", RISCV[1].1), "firmware");
    let machine =
        "qemu-system-riscv32 -M virt -nographic -icount shift=0 -bios firmware -kernel kernel";
    for machine in [machine.into(), format!("{machine} -singlestep")] {
        levels(&folder, &DESIGNS[..1], "--image a --image b", &machine);
    }
    // Each of two processors has its own contexts and causes: the other one counts in the firmware, interrupted by its timer.
    let machine = format!("{machine} -smp 2");
    levels(&folder, &DESIGNS[..1], "--image a --image b --hart 0", &machine);
    let captured = check(&folder, &DESIGNS[..1], "--hart 1", &machine);
    assert!(captured["traps"].as_u64() > Some(10) && captured["contexts"] == 1, "{captured}");
    let none = folder.run(&format!("capture --system --hart 2 -o none.pet -- {machine}"));
    let said = none.stderr.replace('\n', " ");
    assert!(none.status == 1 && said.contains("expected a number less than 2"), "{said}");
}

/// Over ten million instructions; with `sstc=off` the firmware's interrupts come into the kernel, too.
#[test]
#[ignore = "minutes: make machine-check"]
fn levels_and_address_spaces_at_length() {
    for processor in ["rv64", "rv64,sstc=off"] {
        let folder = Folder::new();
        kernel(&folder, RISCV[0].1, "-DROUNDS=400");
        let machine = format!("qemu-system-riscv64 -M virt -cpu {processor} -nographic");
        let machine = format!("{machine} -icount shift=0 -kernel kernel");
        levels(&folder, &DESIGNS, "", &machine);
        levels(&folder, &DESIGNS[..1], "", &format!("{machine} -singlestep"));
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
        (
            "qemu-system-riscv64 -nographic -M virt -kernel none",
            1,
            "before the machine ran: expected",
        ),
    ] {
        let done = folder.run(&format!("{capture} {words}"));
        assert_eq!(done.status, status, "{words}: {}", done.stderr);
        assert!(done.stderr.replace('\n', " ").contains(said), "{words}: {}", done.stderr);
        assert!(folder.names().is_empty());
    }
}
