//! The Verilog of docs/integration.md is good Verilog.

use crate::common::Folder;
use tracewright_hdl::unit::ingress_adapter;
use tracewright_packaging::funnel;
use tracewright_sim::funnel::Config;
use tracewright_sim::rvfi::{self, Xlen};
use tracewright_sim::unit::Ingress;
use tracewright_sim::{blocks, tip};
use tracewright_testbench::VerilogFile;
use tracewright_testbench::lint::lint;

#[test]
fn its_modules_make_three_tools_silent() {
    let guide = include_str!("../../docs/integration.md");
    let modules: Vec<&str> = guide
        .split("```verilog\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap_or_default())
        .collect();
    assert_eq!(modules.len(), 4);
    let folder = Folder::of_preset("traptor-m4");
    let generated = tracewright_hdl::generate(&folder.design).expect("a good design");
    for block in modules {
        let name = block.split_whitespace().nth(1).expect("a module");
        let mut files = vec![VerilogFile::new(format!("{name}.v"), block)];
        if block.contains("traptor_m4_axis") {
            let (name, text) = generated.one_file();
            files.push(VerilogFile::new(name, text));
            files.push(VerilogFile::new("traptor_m4_axis.v", folder.text("traptor_m4_axis.v")));
        }
        if block.contains("trace_funnel funnel") {
            let style = folder.design.port();
            let files_of =
                funnel("trace_funnel", &Config::default(), style, None).expect("a funnel");
            files.push(VerilogFile::new("trace_funnel.v", &files_of["trace_funnel.v"]));
        }
        let rvfi = Ingress::Rvfi(rvfi::Config::new(Xlen::Rv32, 1));
        let tip = Ingress::Tip(tip::Config::default());
        let several = Ingress::Blocks(blocks::Config::new(2));
        let tops =
            [("traptor_m4_rvfi", rvfi), ("traptor_m4_tip", tip), ("traptor_m4_blocks", several)];
        for (top, ingress) in tops {
            if block.contains(top) {
                let adapter = ingress_adapter(&folder.design, &generated, ingress);
                let adapter = adapter.expect("it traces control flow").one_file();
                let both = [generated.one_file(), adapter].into_iter();
                files.extend(both.map(|(name, text)| VerilogFile::new(name, text)));
            }
        }
        let findings = lint(&files, name).expect("the tools are installed");
        assert!(findings.is_empty(), "{name}: {}", findings[0]);
    }
}
