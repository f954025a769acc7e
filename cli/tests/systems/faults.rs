//! Faults put by hand into what joins the parts of a system, each of which is found where it is.

use std::fs;

use super::{PAIR, in_memory, with};
use crate::common::{Folder, is_long, without_columns};

/// A fault in the Verilog of a system: what it changes, into what, and what is said of it.
const FAULTS: [(&str, &str, &str, &str); 9] = [
    (
        "the funnel changes the hart in the middle of a message",
        "is_open <= !ends;",
        "is_open <= 1'd0;",
        "funnel, cycle ",
    ),
    (
        "the funnel sends another byte",
        "sent <= next_byte;",
        "sent <= ~next_byte;",
        "funnel, cycle ",
    ),
    (
        "words of the ring are passed over",
        "writes_at <= writes_at + 14'd1;",
        "writes_at <= writes_at + 14'd2;",
        "ring, cycle ",
    ),
    (
        "a register of the second hart reads as another one",
        "access_read = 32'h60090000",
        "access_read = 32'h60080000",
        "registers, cycle ",
    ),
    (
        "the bus selects the wrong hart",
        ".psel (unit_select[1])",
        ".psel (unit_select[0])",
        "registers, cycle ",
    ),
    (
        "software switches the wrong hart off",
        ".disabled (trFunnelDisInput)",
        ".disabled ({trFunnelDisInput[0], trFunnelDisInput[1]})",
        "funnel, cycle ",
    ),
    (
        "the funnel cannot be switched off",
        ".enable (trFunnelEnable)",
        ".enable (1'd1)",
        "funnel, cycle ",
    ),
    (
        "the funnel does not say what is in it",
        ".trFunnelEmpty_value (trFunnelEmpty_value)",
        ".trFunnelEmpty_value (1'd0)",
        "registers, cycle ",
    ),
    (
        "one hart stands for all that have ended",
        ".source_is_empty ({small_is_empty, big_is_empty})",
        ".source_is_empty ({big_is_empty, big_is_empty})",
        "funnel, cycle ",
    ),
];

/// The same with a trace bus.
const FAULTS_ON_BUS: [(&str, &str, &str, &str); 6] = [
    (
        "a bit of the bus is another one",
        ".atdata (atdata)",
        ".atdata ({atdata[0], atdata[7:1]})",
        "sink, cycle ",
    ),
    ("the source has no number", ".trace_id (trAtbBridgeID)", ".trace_id (7'd1)", "sink, cycle "),
    (
        "the bus cannot end the trace",
        ".sink_flush (sink_flush)",
        ".sink_flush (1'd0)",
        "unit, cycle ",
    ),
    (
        "the bus is told too early that all has left",
        ".trace_flushed (all_has_left)",
        ".trace_flushed (1'd1)",
        "sink, cycle ",
    ),
    ("a byte is taken twice", ".beat_ready (beat_ready)", ".beat_ready ()", "sink, cycle "),
    (
        "a bridge that is off does not say so",
        ".trAtbBridgeEmpty_value (trAtbBridgeEmpty_value)",
        ".trAtbBridgeEmpty_value (1'd0)",
        "registers, cycle ",
    ),
];

/// The same with an AXI4-Stream.
const FAULTS_ON_STREAM: [(&str, &str, &str, &str); 2] = [
    (
        "no beat is the last one",
        ".trace_flushed (all_has_left)",
        ".trace_flushed (1'd0)",
        "sink, cycle ",
    ),
    (
        "a beat is lost while it is not taken",
        ".m_axis_tready (m_axis_tready)",
        ".m_axis_tready (1'd1)",
        "sink, cycle ",
    ),
];

/// The same with the ring in the memory of the system, and an AXI4-Lite.
const FAULTS_IN_MEMORY: [(&str, &str, &str, &str); 4] = [
    (
        "the ring ends where it begins",
        ".limit ({trRamLimitHigh, trRamLimitLow})",
        ".limit ({trRamLimitHigh, trRamStartLow})",
        "ring in system memory, cycle ",
    ),
    (
        "a word is written twice",
        "assign m_axi_wvalid = memory_data_valid & !reset;",
        "assign m_axi_wvalid = !reset;",
        "ring in system memory, cycle ",
    ),
    (
        "the write pointer says another place",
        ".write_pointer (write_pointer)",
        ".write_pointer ({write_pointer[0], write_pointer[36:1]})",
        "ring in system memory, cycle ",
    ),
    (
        "reads are of the address of writes",
        "assign paddr = is_write ? write_address : read_address;",
        "assign paddr = write_address;",
        "registers, cycle ",
    ),
];

#[test]
fn a_fault_is_found_in_its_part() {
    find_in(PAIR, &FAULTS);
    find_in(&in_memory(PAIR), &FAULTS_IN_MEMORY);
    let port = |port: &str| with(&format!("sink = {{ port = \"{port}\" }}"), PAIR);
    find_in(&port("atb"), &FAULTS_ON_BUS);
    find_in(&port("axi-stream"), &FAULTS_ON_STREAM);
    let data = (
        "bits are at other pins",
        ".pin_data (pin_data)",
        ".pin_data ({pin_data[0], pin_data[7:1]})",
        "sink, cycle ",
    );
    find_in(&port("pins"), &[data]);
}

fn find_in(system: &str, faults: &[(&str, &str, &str, &str)]) {
    let folder = Folder::new();
    folder.write("pair.toml", system);
    // Each of them compiles a model; those of joints are tried by another test, too.
    let step = if is_long() { 1 } else { 4 };
    for (what, from, to, says) in faults.iter().step_by(step) {
        folder.succeed("generate pair.toml --force -o out");
        let text = without_columns(&folder.text("out/pair/pair.v"));
        assert!(text.contains(from), "{what}: {from} is not there");
        fs::write(folder.path("out/pair/pair.v"), text.replacen(from, to, 1)).expect("a file");
        let done =
            folder.run("cosim pair.toml --synthetic 4,5 --limit 1500 --stall random --verilog out");
        assert!(
            done.status == 1 && done.stderr.contains(says),
            "{what}: {}{}",
            done.stdout,
            done.stderr
        );
    }
}
