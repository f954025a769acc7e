//! The tracers of cores, given what the cores said in simulation: their logs are imported as the instructions that a
//! module beside the core has recorded.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tracewright_sim::code::Code;
use tracewright_sim::event::{Event, Kind};
use tracewright_sim::rvfi::Retirement;
use tracewright_testbench::live::Core;
use tracewright_verification::live::LiveProgram;

use super::{imported, lived};
use crate::common::{Folder, with_tools};
use crate::live::program;

/// Where the sources of a core are.
fn sources(package: &str) -> PathBuf {
    let script = format!("import {package} as core; print(core.data_location)");
    let python = Command::new("python3").args(["-c", &script]).env("PATH", with_tools()).output();
    let location = String::from_utf8(python.expect("python3").stdout).expect("text");
    location.trim().into()
}

/// Compiles a bench in the folder with the files before it.
fn build(folder: &Folder, top: &str, options: &[&str], files: impl Iterator<Item = PathBuf>) {
    let mut verilator = Command::new("verilator");
    verilator.args(["--binary", "--timing", "--timescale", "1ns/1ps", "-Wno-fatal", "-Wno-lint"]);
    verilator.args(["-O0", "--top", top]).args(options).args(files).arg(format!("{top}.sv"));
    verilator.env("MAKEFLAGS", "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0");
    let built = verilator.current_dir(folder.path(".")).output().expect("verilator");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
}

/// Runs the bench.
fn run(folder: &Folder, top: &str, argument: Option<&str>) {
    let mut bench = Command::new(folder.path(format!("obj_dir/V{top}")));
    let done = bench.args(argument).current_dir(folder.path(".")).output();
    assert!(done.expect("the bench").status.success());
}

/// The code of a program for a live core.
fn code_of(name: &str, core: Core) -> LiveProgram {
    LiveProgram::open(Path::new(&program(name)), core).expect("a program")
}

/// The addresses of all instructions of a trace.
fn addresses(events: &[Event], code: &dyn Code) -> Vec<u64> {
    let (mut at, mut addresses) = (0, Vec::new());
    for event in events {
        for _ in 0..event.instructions {
            addresses.push(at);
            at += u64::from(code.instruction(at).expect("code").length);
        }
        if event.taken {
            at = event.target;
        }
    }
    addresses
}

/// Number of exceptions and interrupts.
fn exceptions(events: &[Event]) -> usize {
    events.iter().filter(|event| event.kind == Kind::Exception && event.taken).count()
}

#[test]
#[ignore = "compiles the tracer: make live"]
fn ibex() {
    const PROGRAM: &str = "ibex-interrupts";
    let (retired, recorded) = lived(Core::Ibex, "stream-rbase-32", PROGRAM);
    let folder = Folder::new();
    let line = |one: &Retirement| format!("{:08x} {:08x}\n", one.instruction, one.program_counter);
    folder.write("words", retired.iter().map(line).collect::<String>());
    folder.write("tracer_bench.sv", include_str!("ibex_bench.sv"));
    let rtl = sources("pythondata_cpu_ibex").join("rtl");
    let files = ["ibex_pkg.sv", "ibex_tracer_pkg.sv", "ibex_tracer.sv"];
    build(&folder, "tracer_bench", &[], files.iter().map(|name| rtl.join(name)));
    run(&folder, "tracer_bench", None);
    let events = imported(&folder, "trace_core_00000000.log");
    let program = code_of(PROGRAM, Core::Ibex);
    // Whether a branch right before an interrupt was taken is not in the log, so events may differ.
    let found = addresses(&events, &*program.code);
    let expected = addresses(&recorded, &*program.code);
    assert!(found.len() > expected.len() - 10, "{} of {}", found.len(), expected.len());
    let different = found.iter().zip(&expected).position(|(one, other)| one != other);
    assert_eq!(different, None);
    // An interrupt right after a return from a trap looks as if that had returned to the handler.
    let (found, expected) = (exceptions(&events), exceptions(&recorded));
    assert!(found > 300 && found < expected, "{found} of {expected}");
}

/// The lines of cva6_bench.sv, of what CVA6 said.
fn lines_for_cva6(retired: &[Retirement]) -> String {
    const ILLEGAL: u64 = 2;
    const BREAKPOINT: u64 = 3;
    const SYSTEM_CALL: u64 = 11;
    const TIMER: u64 = 1 << 63 | 7;
    let mut lines = String::new();
    let mut before: Option<&Retirement> = None;
    for one in retired {
        if let Some(before) = before.filter(|before| one.interrupt && !before.trap) {
            let address = before.next_program_counter;
            lines += &format!("0 0 1 00000013 {address:016x} {TIMER:016x}\n");
        }
        let cause = match (one.trap, one.instruction) {
            (false, _) => 0,
            (true, 0x0000_0073) => SYSTEM_CALL,
            (true, 0x0010_0073 | 0x9002) => BREAKPOINT,
            (true, _) => ILLEGAL,
        };
        let (word, address, trap) = (one.instruction, one.program_counter, u8::from(one.trap));
        lines += &format!("{} {trap} 0 {word:08x} {address:016x} {cause:016x}\n", 1 - trap);
        before = Some(one);
    }
    lines
}

/// Both tracers of CVA6. Two things of the first one are changed for Verilator 5.006: it reads the signals of the
/// interface at the edge and not by `clocking`, and two unnamed `begin` have names.
#[test]
#[ignore = "compiles the tracers: make live"]
fn cva6() {
    const PROGRAM: &str = "cva6-interrupts";
    let (retired, recorded) = lived(Core::Cva6, "stream-rbase-32", PROGRAM);
    let folder = Folder::new();
    folder.write("words", lines_for_cva6(&retired));
    folder.write("cva6_bench.sv", include_str!("cva6_bench.sv"));
    folder.write("config.sv", include_str!("../../../../testbench/live/cva6_config.sv"));
    let system_verilog = sources("pythondata_cpu_cva6");
    let utilities = system_verilog.join("common/local/util");
    let adapted = |name: &str, to: &str, changes: &[(&str, &str)]| {
        let text = fs::read_to_string(utilities.join(name)).expect("a source of CVA6");
        let text = changes.iter().fold(text, |text, (from, to)| text.replace(from, to));
        folder.write(to, text);
    };
    let signals =
        [("@(tracer_if.pck)", "@(posedge tracer_if.clk)"), ("tracer_if.pck.", "tracer_if.")];
    adapted("instr_tracer.sv", "tracer.sv", &signals);
    adapted("instr_tracer_if.sv", "tracer_interface.sv", &[]);
    adapted("ex_trace_item.svh", "ex_trace_item.svh", &[]);
    let names = [("FSQ: begin", "FSQ: begin : store"), ("FLQ: begin", "FLQ: begin : load")];
    adapted("instr_trace_item.svh", "instr_trace_item.svh", &names);
    let packages = [
        "core/include/riscv_pkg.sv",
        "corev_apu/riscv-dbg/src/dm_pkg.sv",
        "core/include/ariane_pkg.sv",
        "core/include/instr_tracer_pkg.sv",
        "corev_apu/tb/rvfi_pkg.sv",
        "corev_apu/tb/rvfi_tracer.sv",
    ];
    let files = std::iter::once("config.sv".into())
        .chain(packages.iter().map(|name| system_verilog.join(name)))
        .chain(["tracer_interface.sv", "tracer.sv"].map(PathBuf::from));
    build(&folder, "cva6_bench", &["-UVERILATOR", "-I."], files);
    let program = code_of(PROGRAM, Core::Cva6);
    let expected = addresses(&recorded, &*program.code);

    run(&folder, "cva6_bench", Some("+first"));
    let events = imported(&folder, "trace_hart_0.log");
    let different = events.iter().zip(&recorded).find(|(one, other)| one != other);
    assert_eq!(different, None);
    assert!(events.len() + 2 > recorded.len(), "{} of {}", events.len(), recorded.len());
    assert!(exceptions(&events) > 300, "{}", exceptions(&events));

    // The second tracer ends the simulation at the first system call, which it says like an instruction that retired.
    run(&folder, "cva6_bench", None);
    let events = imported(&folder, "trace_rvfi_hart_00.dasm");
    let mut found = addresses(&events, &*program.code);
    let call = found.pop();
    assert!(found.len() > 2000, "{}", found.len());
    let different = found.iter().zip(&expected).position(|(one, other)| one != other);
    assert_eq!(different, None);
    let is_call = |one: &&Retirement| one.instruction == 0x73;
    assert_eq!(call, retired.iter().find(is_call).map(|one| one.program_counter));
}
