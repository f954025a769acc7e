//! What `cva6_rvfi` makes of CVA6's commit ports, against a program that the test runs itself. Needs no CVA6.

use std::sync::Arc;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::rvfi::Retirement;
use tracewright_testbench::{BuildOptions, Library, Model, ModelSource, Port, VerilogFile};

const MODULE: &str = include_str!("../live/cva6_rvfi.sv");

/// Pins of a width that models can have.
const PINS: &str = "
module pins (
    input wire clock, input wire reset, input wire [1:0] committed, input wire exception, input wire is_interrupt,
    input wire [63:0] insn, input wire [63:0] pc_0, input wire [63:0] pc_1, input wire [1:0] resolved,
    input wire [63:0] target_0, input wire [63:0] target_1,
    output wire [1:0] valid, output wire [63:0] rvfi_insn, output wire [1:0] trap, output wire [1:0] intr,
    output wire [63:0] pc_rdata_0, output wire [63:0] pc_rdata_1,
    output wire [63:0] pc_wdata_0, output wire [63:0] pc_wdata_1
);
    cva6_rvfi rvfi (
        .clock(clock), .reset(reset), .committed(committed), .exception(exception), .interrupt(is_interrupt),
        .insn(insn), .pc({pc_1, pc_0}), .resolved(resolved), .target({target_1, target_0}),
        .rvfi_valid(valid), .rvfi_insn(rvfi_insn), .rvfi_trap(trap), .rvfi_intr(intr),
        .rvfi_pc_rdata({pc_rdata_1, pc_rdata_0}), .rvfi_pc_wdata({pc_wdata_1, pc_wdata_0})
    );
endmodule
";

fn library(module: &str) -> Arc<Library> {
    let inputs = [
        ("clock", 1),
        ("reset", 1),
        ("committed", 2),
        ("exception", 1),
        ("is_interrupt", 1),
        ("insn", 64),
        ("pc_0", 64),
        ("pc_1", 64),
        ("resolved", 2),
        ("target_0", 64),
        ("target_1", 64),
    ];
    let outputs = [
        ("valid", 2),
        ("rvfi_insn", 64),
        ("trap", 2),
        ("intr", 2),
        ("pc_rdata_0", 64),
        ("pc_rdata_1", 64),
        ("pc_wdata_0", 64),
        ("pc_wdata_1", 64),
    ];
    let ports = inputs.map(|(name, width)| Port::input(name, width)).into_iter();
    let source = ModelSource {
        files: vec![VerilogFile::new("cva6_rvfi.sv", module), VerilogFile::new("pins.v", PINS)],
        top: "pins".into(),
        clock: Some("clock".into()),
        ports: ports.chain(outputs.map(|(name, width)| Port::output(name, width))).collect(),
    };
    source.build(&BuildOptions::default()).expect("a model")
}

/// What a commit port shows.
#[derive(Clone, Copy)]
struct Shown {
    instruction: u32,
    pc: u64,
    resolved: bool,
    target: u64,
}

/// A core that runs a random program.
struct Core {
    model: Model,
    random: ChaCha8Rng,
    pc: u64,
    in_handler: bool,
}

impl Core {
    fn new(library: &Arc<Library>, seed: u64) -> Core {
        let mut model = Model::new(library, seed).expect("a model");
        model.reset(2).expect("a reset");
        Core { model, random: ChaCha8Rng::seed_from_u64(seed), pc: 0x8000, in_handler: false }
    }

    fn set(&mut self, pin: &str, value: u64) {
        let pin = self.model.library().input_of_any_width(pin).expect("a pin").0;
        self.model.set(pin, value);
    }

    fn get(&self, pin: &str) -> u64 {
        self.model.get(self.model.library().output_of_any_width(pin).expect("a pin").0)
    }

    /// Any instruction at an address.
    fn shown(&mut self, pc: u64) -> Shown {
        let (instruction, target) = (self.random.random(), self.random.random::<u64>() & !1);
        Shown { instruction, pc, resolved: self.random.random_bool(0.4), target }
    }

    /// Executes an instruction.
    fn execute(&mut self, shown: Shown, trap: bool) -> Retirement {
        let length = if shown.instruction & 3 == 3 { 4 } else { 2 };
        self.pc = if shown.resolved { shown.target } else { shown.pc.wrapping_add(length) };
        Retirement {
            instruction: shown.instruction,
            program_counter: shown.pc,
            next_program_counter: self.pc,
            trap,
            interrupt: std::mem::take(&mut self.in_handler),
            compressed: false,
        }
    }

    /// A cycle: what should be reported in it, and what is.
    fn cycle(&mut self) -> [Vec<Retirement>; 2] {
        let exception = self.random.random_bool(0.2);
        let interrupt = exception && self.random.random_bool(0.5);
        let commits = if exception { 0 } else { self.random.random_range(0..3) };
        let mut expected = Vec::new();
        let pc = self.pc;
        let first = self.shown(pc);
        if commits > 0 || exception && !interrupt {
            expected.push(self.execute(first, exception));
        }
        let somewhere = if commits == 2 { self.pc } else { self.random.random() };
        let second = self.shown(somewhere);
        if commits == 2 {
            expected.push(self.execute(second, false));
        }
        if exception {
            self.in_handler = true;
            self.pc = self.random.random::<u64>() & !1;
        }
        // CVA6 shows an `ecall` at both ports.
        let committed = if exception { self.random.random_range(0..4) } else { (1 << commits) - 1 };
        self.set("committed", committed);
        self.set("exception", exception.into());
        let pending = if exception { interrupt } else { self.random.random() };
        self.set("is_interrupt", pending.into());
        self.set("insn", u64::from(second.instruction) << 32 | u64::from(first.instruction));
        self.set("pc_0", first.pc);
        self.set("pc_1", second.pc);
        self.set("resolved", u64::from(second.resolved) << 1 | u64::from(first.resolved));
        self.set("target_0", first.target);
        self.set("target_1", second.target);
        self.model.cycle().expect("a cycle");
        [expected, self.reported()]
    }

    fn reported(&self) -> Vec<Retirement> {
        let bit = |pin, channel: u32| self.get(pin) >> channel & 1 == 1;
        let channels = (0..2).filter(|channel| bit("valid", *channel));
        let retired = |channel: u32| Retirement {
            instruction: (self.get("rvfi_insn") >> (32 * channel)) as u32,
            program_counter: self.get(&format!("pc_rdata_{channel}")),
            next_program_counter: self.get(&format!("pc_wdata_{channel}")),
            trap: bit("trap", channel),
            interrupt: bit("intr", channel),
            compressed: false,
        };
        channels.map(retired).collect()
    }
}

/// The first cycle in which a module reports something else than it should.
fn first_difference(module: &str, cycles: u64) -> Option<u64> {
    let mut core = Core::new(&library(module), 16);
    (0..cycles).find(|_| {
        let [expected, reported] = core.cycle();
        expected != reported
    })
}

#[test]
fn what_cva6_commits_is_reported() {
    assert_eq!(first_difference(MODULE, 100_000), None);
}

#[test]
fn faults_in_the_report_of_cva6_are_found() {
    let faults = [
        ("handler <= exception |", "handler <= (exception & !interrupt) |"),
        ("(handler & !rvfi_valid[0])", "1'b0"),
        ("{1'b0, !interrupt} : committed", "{1'b0, 1'b1} : committed"),
        ("exception ? {1'b0, !interrupt} : committed", "committed"),
        ("rvfi_trap = {1'b0, exception & !interrupt}", "rvfi_trap = 2'b00"),
        ("rvfi_intr = {1'b0, handler}", "rvfi_intr = {handler, handler}"),
        ("== 2'b11 ? 64'd4", "!= 2'b11 ? 64'd4"),
        ("resolved[i] ? target[64*i +: 64]", "resolved[0] ? target[64*i +: 64]"),
        ("resolved[i] ? target[64*i +: 64]", "resolved[i] ? target[63:0]"),
        ("insn[32*i +: 2]", "insn[0 +: 2]"),
    ];
    for (right, wrong) in faults {
        assert!(MODULE.contains(right), "{right}");
        let found = first_difference(&MODULE.replacen(right, wrong, 1), 1_000);
        assert!(found.is_some(), "not found: {wrong}");
    }
}
