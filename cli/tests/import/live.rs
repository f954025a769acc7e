//! What simulated cores say, against the traces that modules beside them have recorded.

mod tracers;

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use tracewright_hdl::unit::with_ingress;
use tracewright_sim::encode::bit_packer::BitUnpacker;
use tracewright_sim::event::Event;
use tracewright_sim::program::Program;
use tracewright_sim::rvfi::{Config, Retirement};
use tracewright_sim::scheme::{self, Design};
use tracewright_sim::trace_io;
use tracewright_sim::unit::Ingress;
use tracewright_testbench::BuildOptions;
use tracewright_testbench::live::{self, Core, Options};
use tracewright_testbench::stimulus::Ready;
use tracewright_verification::live::{Disagreement, LiveProgram, core_files};

use crate::common::Folder;
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
        let Retirement {
            instruction, program_counter, next_program_counter, trap, interrupt, ..
        } = one;
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
