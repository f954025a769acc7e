//! What a sink does when tracing is switched off, or discarded, while it takes beats slowly, not at all, or half of a
//! byte: every sink with trace ports of many widths, before a core that waits and one that does not.
//!
//! All benches of a test run in one simulation. `ALL_WIDTHS` in the environment (`make widths`) tries every width from
//! 1 to 64 bits with both cores.

mod case;
mod check;

use std::fmt::Write;
use std::fs;

use tempfile::TempDir;
use tracewright_hdl::Generated;
use tracewright_sim::sinks::Sink;
use tracewright_testbench::stimulus::{Block, Blocks, Stimulus};

use crate::common::{chosen, for_each, run};
use crate::control::traced::Work;
use case::{Case, Layout};
use check::check;

/// Widths that are tried without `ALL_WIDTHS`.
const SOME: [u32; 14] = [1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 31, 32, 33, 64];

/// Benches of one simulation.
const TOGETHER: usize = 12;

/// The pins of a block, which are those of every design here.
fn layout(whole: &Generated) -> Layout {
    let (mut fields, mut bits) = (Vec::new(), 0);
    for port in &whole.ports {
        let name = port.name.trim_end_matches("_0");
        if name.starts_with("retire_") && name != "retire_valid" {
            fields.push((name.to_owned(), bits, port.width));
            bits += port.width;
        }
    }
    (fields, bits)
}

/// The blocks as `$readmemh` reads them.
fn lines(blocks: &[Block], layout: &Layout) -> String {
    let mut text = String::new();
    for block in blocks {
        let mut bits = vec![false; layout.1.next_multiple_of(4)];
        for (name, low, width) in &layout.0 {
            let value = match name.as_str() {
                "retire_count" => block.count,
                "retire_pc" => block.program_counter,
                "retire_length" => block.length,
                "retire_kind" => block.kind,
                "retire_call" => block.call.into(),
                "retire_return" => block.is_return.into(),
                "retire_taken" => block.taken.into(),
                "retire_target" => block.target,
                other => panic!("a pin {other}"),
            };
            for bit in 0..*width {
                bits[low + bit] = value >> bit & 1 == 1;
            }
        }
        for digit in bits.rchunks(4) {
            let value = digit.iter().rev().fold(0, |value, bit| value * 2 + u32::from(*bit));
            text.extend(char::from_digit(value, 16));
        }
        text.push('\n');
    }
    text
}

/// A fault: text of the right hardware, and of the wrong one.
type Fault<'a> = Option<(&'a str, &'a str)>;

/// Runs some cases in one simulation.
fn simulate(cases: &[Case], work: &Work, fault: Fault<'_>) -> Result<(), String> {
    let folder = TempDir::new().expect("a directory");
    let (mut verilog, mut designs, mut benches) = (String::new(), Vec::new(), String::new());
    let mut shown: Option<(Vec<Block>, Layout)> = None;
    for case in cases {
        let design = case.design(work);
        let mut whole = case.whole(&design);
        if let Some((from, to)) = fault {
            let with = whole.files.iter_mut().find(|(_, text)| text.contains(from));
            let (_, text) = with.unwrap_or_else(|| panic!("change this with the hardware: {from}"));
            *text = text.replacen(from, to, 1);
        }
        let (_, layout) = shown.get_or_insert_with(|| {
            let layout = layout(&whole);
            let count = layout.0.iter().find(|(name, _, _)| name == "retire_count");
            let most = (1 << count.expect("a pin").2) - 1;
            let mask = u64::MAX >> (64 - work.machine.address_bits);
            let mut cutter = Blocks::new(&Stimulus::default(), most, mask);
            let mut blocks = Vec::new();
            for event in &work.events {
                cutter.load(event).expect("a good event");
                blocks.extend(std::iter::from_fn(|| cutter.take()));
            }
            (blocks, layout)
        });
        verilog += &case.bench(&whole, layout);
        whole.files.iter().for_each(|(_, text)| verilog += text);
        let _ = writeln!(benches, "    bench_{} bench_{0} ();", case.name());
        designs.push(design);
    }
    let (blocks, layout) = shown.expect("a case");
    let _ = write!(
        verilog,
        "module discards;\n    reg clock = 0;\n    reg [{}:0] blocks [0:{}];\n    integer done = 0;\n    \
         initial $readmemh(\"blocks.hex\", blocks);\n    always #5 clock = !clock;\n    \
         always @(posedge clock) if (done == {}) $finish(0);\n{benches}endmodule\n",
        layout.1 - 1,
        blocks.len() - 1,
        cases.len(),
    );
    let path = |name: &str| folder.path().join(name);
    fs::write(path("blocks.hex"), lines(&blocks, &layout)).expect("written");
    fs::write(path("all.v"), verilog).expect("written");
    let tool = |command: &str| {
        let mut words = command.split(' ');
        let name = words.next().expect("a tool");
        let done = run(std::process::Command::new(name).args(words).current_dir(folder.path()));
        if done.success { Ok(done.output) } else { Err(done.output) }
    };
    tool("iverilog -g2005 -s discards -o all all.v")?;
    let output = tool("vvp -N all")?;
    if let Some(line) = output.lines().find(|line| line.starts_with("FAIL")) {
        return Err(line.to_owned());
    }
    for (case, design) in cases.iter().zip(&designs) {
        let beats = fs::read_to_string(path(&format!("bench_{}.beats", case.name())));
        let beats = beats.map_err(|error| format!("{output}: {error}"))?;
        check(*case, design, work, (&blocks, &output), &beats)
            .map_err(|what| format!("{}: {what}", case.name()))?;
    }
    Ok(())
}

/// Every sink with the widths that it can have.
fn cases() -> Vec<Case> {
    let all = std::env::var_os("ALL_WIDTHS").is_some();
    // A bit, parts of a byte and of a word, and what does not divide them.
    let some = || chosen(SOME, &[0, 1, 3, 6, 7, 11, 13]);
    let every: Vec<u32> = if all { (1..=64).collect() } else { some() };
    let sinks = [None].into_iter().chain(Sink::ALL.map(Some));
    let mut cases = Vec::new();
    for (place, sink) in sinks.enumerate() {
        let fits = |width: &u32| {
            let widths = sink.and_then(Sink::widths);
            widths.is_none_or(|widths| widths.contains(&(*width as usize)))
        };
        for (turn, width) in every.iter().copied().filter(fits).enumerate() {
            for drops in [false, true] {
                if all || drops == ((place + turn) % 2 == 1) {
                    cases.push(Case { sink, width, drops });
                }
            }
        }
    }
    cases
}

#[test]
fn a_trace_ends_whatever_the_sink_does() {
    let work = Work::new(6_000);
    let cases = cases();
    let groups: Vec<Vec<Case>> = (0..cases.len().div_ceil(TOGETHER))
        .map(|first| {
            cases.iter().copied().skip(first).step_by(cases.len().div_ceil(TOGETHER)).collect()
        })
        .collect();
    for_each(&groups, |cases| simulate(cases, &work, None));
}

#[test]
fn every_fault_is_found() {
    let work = Work::new(6_000);
    let case = |sink, width, drops| Case { sink, width, drops };
    let port = case(None, 8, false);
    let narrow = case(Some(Sink::Atb), 2, false);
    let wide = case(Some(Sink::Atb), 8, true);
    let axis = case(Some(Sink::AxiStream), 8, false);
    let faults = [
        (port, "discards = (discard | discarding)", "discards = discard"),
        (narrow, "(all_taken | (trace_flushed & is_discarded))", "all_taken"),
        (case(Some(Sink::Atb), 2, true), " || (trace_flushed & !is_whole)", ""),
        (case(Some(Sink::Atb), 4, false), " || (trace_flushed & !is_whole)", ""),
        (narrow, "all_taken = trace_flushed & !is_whole", "all_taken = trace_flushed"),
        (narrow, "asks & (is_discarded | discard)", "is_discarded | discard"),
        (wide, "(all_taken | (trace_flushed & is_discarded))", "all_taken"),
        (wide, "gathered <= trace_data", "gathered <= trace_data | gathered"),
        (wide, "trace_ready = !count | atready", "trace_ready = 1'b1"),
        (axis, "(!held_valid | is_discarded)", "!held_valid"),
        (axis, " & !held_more)", ")"),
        (axis, " | is_last | held_more", " | is_last"),
        (axis, "held_valid <= trace_flushed & !is_last", "held_valid <= 1'b0"),
        (axis, "(flush | !enable) & (is_discarded | discard)", "is_discarded | discard"),
    ];
    for_each(&faults, |(case, from, to)| match simulate(&[*case], &work, Some((*from, *to))) {
        Ok(()) => Err(format!("not found: {}: {from}: {to}", case.name())),
        Err(_) => Ok(()),
    });
}
