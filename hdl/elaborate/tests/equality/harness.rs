//! Running what was written: three linters, and simulation against RustHDL's.

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;
use tracewright_elaborate::prelude::*;
use tracewright_elaborate::{Direction, Options, Port, Reset, Verilog, elaborate};

use crate::is_long;

/// Widths around every limb and word boundary; those at a boundary without `LONG_TESTS`.
pub fn widths() -> &'static [usize] {
    if is_long() {
        &[0, 1, 2, 8, 31, 32, 33, 63, 64, 65, 127, 129, 200]
    } else {
        &[0, 1, 2, 32, 33, 64, 65, 200]
    }
}

/// A block whose ports the harness can reach.
pub trait Bench: Block {
    /// The name, the number of bits and the value of each input.
    fn inputs(&mut self) -> Vec<(String, usize, &mut Word)>;
    /// The name and the value of each output.
    fn outputs(&self) -> Vec<(String, Word)>;
}

/// Names the ports of a block for the harness.
#[macro_export]
macro_rules! bench {
    ($block:ident, [$($input:ident),*], [$($output:ident),*]) => {
        impl $crate::harness::Bench for $block {
            fn inputs(&mut self) -> Vec<(String, usize, &mut Word)> {
                vec![$((stringify!($input).to_owned(), self.$input.width(), &mut self.$input.next)),*]
            }

            fn outputs(&self) -> Vec<(String, Word)> {
                vec![$((stringify!($output).to_owned(), self.$output.val())),*]
            }
        }
    };
}

/// The output of a tool, which must be installed and succeed.
pub fn tool(name: &str, arguments: &[&str], directory: &Path) -> String {
    let output = Command::new(name)
        .args(arguments)
        .current_dir(directory)
        .stdin(Stdio::null())
        .output()
        .unwrap_or_else(|error| panic!("these tests need `{name}`, which does not start: {error}"));
    let text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name} {arguments:?} fails:\n{text}");
    text
}

/// Writes the files of a design into a new directory.
pub fn save(verilog: &Verilog) -> (TempDir, Vec<String>) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    for module in &verilog.modules {
        std::fs::write(directory.path().join(&module.file_name), &module.text)
            .expect("a writable directory");
    }
    let files = verilog.modules.iter().map(|module| module.file_name.clone()).collect();
    (directory, files)
}

/// Wants silence from Verilator, Icarus Verilog and Yosys.
pub fn lint(verilog: &Verilog) {
    let (directory, files) = save(verilog);
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let all = files.join(" ");
    let script =
        format!("read_verilog {all}; hierarchy -check -top {}; proc; check -assert", verilog.top);
    let runs = [
        (
            "verilator",
            [&["--lint-only", "-Wall", "--top-module", &verilog.top], files.as_slice()].concat(),
        ),
        (
            "iverilog",
            [&["-g2001", "-Wall", "-o", "/dev/null", "-s", &verilog.top], files.as_slice()]
                .concat(),
        ),
        ("yosys", vec!["-q", "-p", &script]),
    ];
    for (name, arguments) in runs {
        let said = tool(name, &arguments, directory.path());
        let text: String = verilog.modules.iter().map(|module| module.text.as_str()).collect();
        assert!(said.trim().is_empty(), "{name} says:\n{said}\nabout:\n{text}");
    }
}

pub fn random_word(random: &mut StdRng, width: usize) -> Word {
    let limbs: Vec<u64> = (0..width.div_ceil(64))
        .map(|_| match random.random_range(0..6) {
            0 => 0,
            1 => u64::MAX,
            2 => random.random_range(0..4),
            _ => random.random(),
        })
        .collect();
    Word::from_limbs(width, &limbs)
}

/// Random stimulus with what the block answers, one line a cycle.
struct Recording {
    inputs: Vec<(String, usize)>,
    outputs: Vec<(String, usize)>,
    stimulus: String,
    expected: String,
}

/// The words side by side in hexadecimal, the first one at the top.
fn packed(words: &[Word]) -> String {
    let width: usize = words.iter().map(Word::bits).sum();
    let joined = words.iter().fold(Word::zero(width.max(1)), |joined, word| {
        (joined << word.bits()) | bits_to(word.clone(), width.max(1))
    });
    format!("{joined:x}\n")
}

/// In a cycle in which the clock is not enabled nothing changes, unless it is reset.
fn record<B: Bench>(block: B, cycles: usize, clock_enable: bool) -> Recording {
    let mut random = StdRng::seed_from_u64(7);
    let mut simulator = Simulator::new(block).expect("a sound design");
    let mut recording = Recording {
        inputs: Vec::new(),
        outputs: Vec::new(),
        stimulus: String::new(),
        expected: String::new(),
    };
    for cycle in 0..cycles {
        let reset = random.random_range(0..20) == 0;
        let mut words = vec![Word::from(reset).slice(0, 1)];
        let is_enabled = reset || !clock_enable || random.random_range(0..3) > 0;
        if clock_enable {
            words.push(Word::from(is_enabled).slice(0, 1));
            if cycle == 0 {
                recording.inputs.push(("clock_enable".into(), 1));
            }
        }
        simulator.poke(|block| {
            for (name, width, value) in block.inputs() {
                let word = random_word(&mut random, width);
                if cycle == 0 && width > 0 {
                    recording.inputs.push((name, width));
                }
                *value = word.clone();
                words.push(word);
            }
        });
        recording.stimulus.push_str(&packed(&words));
        let outputs = simulator.peek(|block| block.outputs());
        if cycle == 0 {
            let named = outputs.iter().filter(|(_, word)| word.bits() > 0);
            recording.outputs = named.map(|(name, word)| (name.clone(), word.bits())).collect();
        }
        recording
            .expected
            .push_str(&packed(&outputs.into_iter().map(|(_, word)| word).collect::<Vec<_>>()));
        match (reset, is_enabled) {
            (true, _) => simulator.reset(),
            (false, true) => simulator.clock(),
            (false, false) => {}
        }
    }
    recording
}

fn test_bench(
    verilog: &Verilog,
    recording: &Recording,
    cycles: usize,
    reset: Reset,
    initial: &str,
) -> String {
    let range = |width: usize| format!("[{}:0]", width - 1);
    let total = |ports: &[(String, usize)]| ports.iter().map(|(_, width)| width).sum::<usize>();
    let (input_bits, output_bits) =
        (total(&recording.inputs) + 1, total(&recording.outputs).max(1));
    let mut text = String::from("module bench;\n  reg clock, active;\n");
    for (name, width) in &recording.inputs {
        writeln!(text, "  reg {} {name};", range(*width)).unwrap();
    }
    for (name, width) in &recording.outputs {
        writeln!(text, "  wire {} {name};", range(*width)).unwrap();
    }
    writeln!(text, "  reg {} stimulus [0:{}];", range(input_bits), cycles - 1).unwrap();
    writeln!(text, "  reg {} expected [0:{}];", range(output_bits), cycles - 1).unwrap();
    let connections: Vec<String> = verilog
        .ports
        .iter()
        .map(|Port { name, .. }| match name.as_str() {
            "reset" => ".reset(active)".into(),
            "reset_n" => ".reset_n(!active)".into(),
            name => format!(".{name}({name})"),
        })
        .collect();
    writeln!(text, "  {} dut ({});", verilog.top, connections.join(", ")).unwrap();
    let inputs: Vec<&str> = recording.inputs.iter().map(|(name, _)| name.as_str()).collect();
    let outputs: Vec<&str> = recording.outputs.iter().map(|(name, _)| name.as_str()).collect();
    let inputs = [&["active"], inputs.as_slice()].concat().join(", ");
    let outputs = if outputs.is_empty() { "1'b0".into() } else { outputs.join(", ") };
    // An asynchronous reset shows before the edge, which the simulator does not model.
    let settled = if reset == Reset::Synchronous { "1'b1" } else { "!active" };
    write!(
        text,
        "  integer cycle;
  initial begin
    $readmemh(\"stimulus.hex\", stimulus);
    $readmemh(\"expected.hex\", expected);
    {initial}
    clock = 0; active = 0; #1 active = 1; #1 clock = 1; #1 clock = 0;
    for (cycle = 0; cycle < {cycles}; cycle = cycle + 1) begin
      {{{inputs}}} = stimulus[cycle];
      #1 if ({settled} && {{{outputs}}} !== expected[cycle]) begin
        $display(\"cycle %0d: inputs %h give %h, not %h\", cycle, stimulus[cycle], {{{outputs}}}, expected[cycle]);
        $finish;
      end
      clock = 1; #1 clock = 0;
    end
    $display(\"equal\");
    $finish;
  end
endmodule
"
    )
    .unwrap();
    text
}

/// Which simulator runs the Verilog.
#[derive(Clone, Copy, PartialEq)]
pub enum Judge {
    Icarus,
    Verilator,
}

/// Lints the block and wants its Verilog equal to RustHDL's simulation in every cycle of random stimulus.
pub fn compare_with<B: Bench>(
    judge: Judge,
    block: B,
    reset: Reset,
    cycles: usize,
    initial: &str,
) -> Verilog {
    compare_as(judge, block, Options { reset, ..Options::new("dut_top") }, cycles, initial)
}

/// The same with any options.
pub fn compare_as<B: Bench>(
    judge: Judge,
    block: B,
    options: Options,
    cycles: usize,
    initial: &str,
) -> Verilog {
    let verilog = elaborate(&block, &options).expect("a sound design");
    lint(&verilog);
    let recording = record(block, cycles, options.clock_enable);
    for port in &verilog.ports {
        let list =
            if port.direction == Direction::Input { &recording.inputs } else { &recording.outputs };
        let is_clock = ["clock", "reset", "reset_n"].contains(&port.name.as_str());
        assert!(
            is_clock || list.contains(&(port.name.clone(), port.width)),
            "{port:?} is not a port of the bench"
        );
    }
    let (directory, mut files) = save(&verilog);
    let path = directory.path();
    for (name, text) in [
        ("bench.v", &test_bench(&verilog, &recording, cycles, options.reset, initial)),
        ("stimulus.hex", &recording.stimulus),
        ("expected.hex", &recording.expected),
    ] {
        std::fs::write(path.join(name), text).expect("a writable directory");
    }
    files.push("bench.v".into());
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let said = if judge == Judge::Icarus {
        tool(
            "iverilog",
            &[&["-g2001", "-s", "bench", "-o", "bench.vvp"], files.as_slice()].concat(),
            path,
        );
        tool("vvp", &["-n", "bench.vvp"], path)
    } else {
        let options = [
            "--binary",
            "-Wno-fatal",
            "-Wno-lint",
            "-CFLAGS",
            "-O0",
            // The run time as well, which takes longer than the test.
            "-MAKEFLAGS",
            "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0",
            "--top-module",
            "bench",
            "--timing",
        ];
        tool("verilator", &[&options, files.as_slice()].concat(), path);
        tool("./obj_dir/Vbench", &[], path)
    };
    let text: String = verilog.modules.iter().map(|module| module.text.as_str()).collect();
    assert!(said.lines().any(|line| line == "equal"), "{said}\nin:\n{text}");
    verilog
}

/// The usual comparison.
pub fn compare<B: Bench>(block: B) -> Verilog {
    compare_with(Judge::Icarus, block, Reset::Synchronous, 400, "")
}
