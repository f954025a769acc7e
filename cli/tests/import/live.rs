//! What simulated cores say, against the traces that modules beside them have recorded.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use tracewright_packaging::{Ingress, with_ingress};
use tracewright_sim::code::Code;
use tracewright_sim::encode::bit_packer::BitUnpacker;
use tracewright_sim::event::{Event, Kind};
use tracewright_sim::program::Program;
use tracewright_sim::rvfi::{Config, Retirement};
use tracewright_sim::scheme::{self, Design};
use tracewright_sim::trace_io;
use tracewright_testbench::BuildOptions;
use tracewright_testbench::live::{self, Core, Options};
use tracewright_testbench::stimulus::Ready;
use tracewright_verification::live::{Disagreement, LiveProgram, core_files};

use crate::common::{Folder, with_tools};
use crate::live::program;

/// What a core said of its instructions, and the trace that a module has recorded beside it.
fn lived(core: Core, design: &str, name: &str) -> (Vec<Retirement>, Vec<Event>) {
    let program = LiveProgram::open(Path::new(&program(name)), core).expect("a program");
    let machine = program.machine();
    let ingress = Ingress::Rvfi(Config::new(core.xlen(), core.channels()));
    let design = Design::preset(design).expect("a preset").for_machine(machine).expect("fits");
    let design = ingress.fit(design).expect("fits");
    let generated = tracewright_hdl::generate(&design).expect("Verilog");
    let traced = with_ingress(&design, generated, ingress).expect("Verilog");
    let files = core_files(core).expect("scripts/setup test");
    let library = live::build(core, files, &traced, &BuildOptions::default()).expect("a model");
    let options = Options {
        seed: 7,
        ready: Ready::Always,
        limit: 1_000_000,
        until_trap: false,
        traps_in_a_row: 1000,
        ring: None,
    };
    let mut retired = Vec::new();
    let run = live::run(core, &library, program.board.clone(), &options, |one| {
        retired.push(*one);
        Ok::<(), tracewright_testbench::Error>(())
    });
    let run = run.expect("a run");
    let code = Arc::clone(&program.code) as Arc<_>;
    let decoder = Program::of_code(machine, code, None).expect("code");
    let mut bits = BitUnpacker::new(run.trace.bytes.as_slice());
    let mut events = Vec::new();
    let each = |event: Event| {
        events.push(Event { length: if event.call { event.length } else { 0 }, ..event });
        Ok::<(), Disagreement>(())
    };
    scheme::decode(&design, &decoder, &mut bits, u64::MAX, each).expect("a trace");
    (retired, events)
}

/// The table of what a core said.
fn table(retired: &[Retirement]) -> String {
    let mut table =
        String::from("rvfi_order,rvfi_insn,rvfi_trap,rvfi_intr,rvfi_pc_rdata,rvfi_pc_wdata\n");
    for (order, one) in retired.iter().enumerate() {
        let Retirement { instruction, program_counter, next_program_counter, trap, interrupt } =
            one;
        let (trap, interrupt) = (u8::from(*trap), u8::from(*interrupt));
        let addresses = format!("{program_counter:08x},{next_program_counter:08x}");
        writeln!(table, "{order},{instruction:08x},{trap},{interrupt},{addresses}")
            .expect("memory");
    }
    table
}

/// The events that a log is imported as.
fn imported(folder: &Folder, log: &str) -> Vec<Event> {
    let done = folder.run(&format!("trace import {log} -o back.pet.zst"));
    assert_eq!(done.status, 0, "{}", done.stderr);
    let events = trace_io::open(folder.path("back.pet.zst")).expect("a trace");
    events.map(|event| event.expect("an event")).collect()
}

/// Interrupts, traps and returns from them: the trace of the table is that of the module.
#[test]
fn the_formal_interface() {
    for (core, design, name) in [
        (Core::Picorv32, "traptor-m4", "picorv32-interrupts"),
        (Core::Minimal, "traptor-m4", "minimal-crashes"),
    ] {
        let (retired, recorded) = lived(core, design, name);
        let folder = Folder::new();
        folder.write("run.csv", table(&retired));
        let events = imported(&folder, "run.csv");
        let different = events.iter().zip(&recorded).find(|(one, other)| one != other);
        assert_eq!(different, None, "{name}");
        assert_eq!(events.len(), recorded.len(), "{name}");
    }
}

/// Ibex' own tracer, given what Ibex said: its log is imported as the instructions that the module has recorded.
#[test]
#[ignore = "compiles the tracer: make live"]
fn the_tracer_of_ibex() {
    const PROGRAM: &str = "ibex-interrupts";
    let (retired, recorded) = lived(Core::Ibex, "stream-rbase-32", PROGRAM);
    let folder = Folder::new();
    let words = retired.iter().fold(String::new(), |mut words, one| {
        let Retirement { instruction, program_counter, .. } = one;
        writeln!(words, "{instruction:08x} {program_counter:08x}").expect("memory");
        words
    });
    folder.write("words", words);
    folder.write("tracer_bench.sv", TRACER_BENCH);
    let tracer = |name: &str| {
        let script = "import pythondata_cpu_ibex as ibex; print(ibex.data_location)";
        let python =
            Command::new("python3").args(["-c", script]).env("PATH", with_tools()).output();
        let location = String::from_utf8(python.expect("python3").stdout).expect("text");
        Path::new(location.trim()).join("rtl").join(name)
    };
    let mut verilator = Command::new("verilator");
    verilator.args([
        "--binary",
        "--timing",
        "-Wno-fatal",
        "-Wno-lint",
        "-O0",
        "--top",
        "tracer_bench",
    ]);
    verilator.args(["ibex_pkg.sv", "ibex_tracer_pkg.sv", "ibex_tracer.sv"].map(tracer));
    verilator.arg("tracer_bench.sv").env("MAKEFLAGS", "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0");
    let built = verilator.current_dir(folder.path(".")).output().expect("verilator");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let bench =
        Command::new(folder.path("obj_dir/Vtracer_bench")).current_dir(folder.path(".")).output();
    assert!(bench.expect("the bench").status.success());
    let events = imported(&folder, "trace_core_00000000.log");
    let program = LiveProgram::open(Path::new(&program(PROGRAM)), Core::Ibex).expect("a program");
    // Whether a branch right before an interrupt was taken is not in the log, so events may differ.
    let found = addresses(&events, &*program.code);
    let expected = addresses(&recorded, &*program.code);
    assert!(found.len() > expected.len() - 10, "{} of {}", found.len(), expected.len());
    let different = found.iter().zip(&expected).position(|(one, other)| one != other);
    assert_eq!(different, None);
    let exceptions = |events: &[Event]| {
        events.iter().filter(|event| event.kind == Kind::Exception && event.taken).count()
    };
    // An interrupt right after a return from a trap looks as if that had returned to the handler.
    let (found, expected) = (exceptions(&events), exceptions(&recorded));
    assert!(found > 300 && found < expected, "{found} of {expected}");
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

/// Shows the tracer an instruction per cycle.
const TRACER_BENCH: &str = "\
module tracer_bench;
    reg clock = 1'b0;
    reg valid = 1'b0;
    reg [31:0] word, address;
    integer file, count;
    reg [31:0] next_word, next_address;
    ibex_tracer tracer (
        .clk_i(clock), .rst_ni(1'b1), .hart_id_i(32'd0), .rvfi_valid(valid), .rvfi_order(64'd0), .rvfi_insn(word),
        .rvfi_trap(1'b0), .rvfi_halt(1'b0), .rvfi_intr(1'b0), .rvfi_mode(2'd3), .rvfi_ixl(2'd1),
        .rvfi_rs1_addr(5'd0), .rvfi_rs2_addr(5'd0), .rvfi_rs3_addr(5'd0), .rvfi_rs1_rdata(32'd0),
        .rvfi_rs2_rdata(32'd0), .rvfi_rs3_rdata(32'd0), .rvfi_rd_addr(5'd0), .rvfi_rd_wdata(32'd0),
        .rvfi_pc_rdata(address), .rvfi_pc_wdata(32'd0), .rvfi_mem_addr(32'd16), .rvfi_mem_rmask(4'd0),
        .rvfi_mem_wmask(4'd0), .rvfi_mem_rdata(32'd0), .rvfi_mem_wdata(32'd0)
    );
    initial begin
        file = $fopen(\"words\", \"r\");
        count = $fscanf(file, \"%h %h\", next_word, next_address);
        valid = 1'b1;
        while (count == 2) begin
            word = next_word;
            address = next_address;
            #1 clock = 1'b1;
            #1 clock = 1'b0;
            count = $fscanf(file, \"%h %h\", next_word, next_address);
        end
        $finish;
    end
endmodule
";
