//! The wrappers are as clean as what they wrap, for Verilator, Icarus Verilog and Yosys.

use crate::common::{Folder, chosen, for_each};
use tracewright_sim::scheme::Design;
use tracewright_testbench::VerilogFile;
use tracewright_testbench::lint::lint;

#[test]
fn three_tools_are_silent_about_the_wrappers() {
    let designs: [(&str, &[(&str, &str)]); 10] = [
        ("traptor-m4", &[("framing", "packets"), ("when_full", "drop"), ("context_bits", "16")]),
        ("nexs", &[("framing", "packets"), ("privilege_bits", "2"), ("cause_bits", "8")]),
        ("talon-s", &[("framing", "packets"), ("sync_keeps_tables", "true"), ("cause_bits", "3")]),
        ("traptor-m4", &[]),
        ("stream-rbase-32", &[("trace_port_width", "8")]),
        ("ntuple-32x4", &[("reset", "asynchronous"), ("trace_port_width", "12")]),
        ("mctraptor-small-n2-timed", &[("trace_port_width", "64")]),
        ("nexs", &[]),
        ("traptor-m4", &[("clock_enable", "true")]),
        ("stride-64", &[]),
    ];
    // Packets with all states and without, losses, a reset, an enable, several cores, data addresses.
    let designs = chosen(designs, &[0, 1, 4, 6, 8, 9]);
    let wrappers: Vec<_> =
        designs.iter().flat_map(|design| ["axis", "icestorm"].map(|kind| (design, kind))).collect();
    for_each(&wrappers, |((preset, changes), kind)| {
        let mut design = Design::preset(preset).expect("a preset");
        for (name, value) in *changes {
            design.set(name, value).expect("a good value");
        }
        let folder = Folder::new(design);
        let wrapper = format!("{}_{kind}", folder.top);
        let files = [&folder.top, &wrapper].map(|module| {
            let name = format!("{module}.v");
            let text = folder.text(&name);
            VerilogFile::new(name, text)
        });
        let findings = lint(&files, &wrapper).expect("the tools are installed");
        let all: Vec<String> = findings.iter().map(ToString::to_string).collect();
        if all.is_empty() { Ok(()) } else { Err(format!("{wrapper}: {}", all.join("\n"))) }
    });
}
