//! Each of the three tools speaks up about what it alone, or all of them, find wrong.

use crate::common;
use tracewright_testbench::VerilogFile;
use tracewright_testbench::lint::{Finding, lint};

fn findings(text: &str) -> Vec<Finding> {
    lint(&[VerilogFile::new("module_a.v", text)], "module_a").expect("the tools are installed")
}

fn tools(findings: &[Finding]) -> Vec<&'static str> {
    findings.iter().map(|finding| finding.tool).collect()
}

#[test]
fn a_clean_design_makes_all_silent() {
    let files = [VerilogFile::new("counter.v", common::verilog("counter.v"))];
    assert_eq!(lint(&files, "counter").expect("the tools are installed"), []);
}

#[test]
fn a_syntax_error_is_everyones() {
    let findings = findings("module module_a (input wire a;\nendmodule\n");
    assert_eq!(tools(&findings), ["verilator", "iverilog", "yosys"]);
    assert!(
        findings.iter().all(|finding| finding.messages.contains("module_a.v:1")),
        "{findings:?}"
    );
}

#[test]
fn a_width_that_does_not_fit_is_verilators() {
    let text =
        "module module_a (input wire [3:0] a, output wire [4:0] b);\nassign b = a;\nendmodule\n";
    let findings = findings(text);
    assert_eq!(tools(&findings), ["verilator"]);
    assert!(findings[0].to_string().contains("WIDTH"), "{}", findings[0]);
}

#[test]
fn a_wire_with_two_drivers_is_yosys() {
    let text = "module module_a (input wire a, input wire b, output wire c);\n\
                assign c = a;\nassign c = b;\nendmodule\n";
    let findings = findings(text);
    assert!(tools(&findings).contains(&"yosys"), "{findings:?}");
}

#[test]
fn systemverilog_is_not_verilog_2001() {
    let text = "module module_a (input logic a, output logic b);\nassign b = a;\nendmodule\n";
    assert!(tools(&findings(text)).contains(&"iverilog"));
}

#[test]
fn a_module_that_is_missing_is_found() {
    let text =
        "module module_a (input wire a, output wire b);\nother o (.a(a), .b(b));\nendmodule\n";
    assert_eq!(tools(&findings(text)), ["verilator", "iverilog", "yosys"]);
}
