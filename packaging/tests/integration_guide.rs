//! The Verilog of docs/integration.md is good Verilog.

use crate::common::Folder;
use tracewright_sim::rvfi::{Config, Xlen};
use tracewright_testbench::VerilogFile;
use tracewright_testbench::lint::lint;

#[test]
fn its_modules_make_three_tools_silent() {
    let guide = include_str!("../../docs/integration.md");
    let blocks: Vec<&str> = guide
        .split("```verilog\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap_or_default())
        .collect();
    assert_eq!(blocks.len(), 2);
    let folder = Folder::of_preset("traptor-m4");
    let generated = tracewright_hdl::generate(&folder.design).expect("a good design");
    for block in blocks {
        let name = block.split_whitespace().nth(1).expect("a module");
        let mut files = vec![VerilogFile::new(format!("{name}.v"), block)];
        if block.contains("traptor_m4_axis") {
            files.extend(generated.files.iter().map(|(name, text)| VerilogFile::new(name, text)));
            files.push(VerilogFile::new("traptor_m4_axis.v", folder.text("traptor_m4_axis.v")));
        }
        if block.contains("traptor_m4_rvfi") {
            let config = Config::new(Xlen::Rv32);
            let traced =
                tracewright_packaging::with_rvfi(&folder.design, generated.clone(), &config);
            let traced = traced.expect("it traces control flow").files.into_iter();
            files.extend(traced.map(|(name, text)| VerilogFile::new(name, text)));
        }
        let findings = lint(&files, name).expect("the tools are installed");
        assert!(findings.is_empty(), "{name}: {}", findings[0]);
    }
}
