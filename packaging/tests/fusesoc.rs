//! FuseSoC runs the generated cores.

use std::process::Command;

use crate::common::{Done, Folder, chosen, for_each, run};

/// Of different schemes.
const PRESETS: [&str; 3] = ["traptor-m4", "stream-rbase-128", "mctraptor-small-n4"];

fn fusesoc(folder: &Folder, target: &str) -> Done {
    fusesoc_core(folder, target, &format!("tracewright:trace:{}", folder.design.name))
}

fn fusesoc_core(folder: &Folder, target: &str, core: &str) -> Done {
    let mut command = Command::new("fusesoc");
    // Neither cores nor settings of the user.
    let home = folder.path(&format!("home-{target}"));
    std::fs::create_dir_all(&home).expect("a directory");
    command
        .current_dir(&home)
        .envs(["HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"].map(|of| (of, &home)));
    command.arg("--cores-root").arg(folder.path("")).args(["run", "--target", target]);
    run(command.arg(core))
}

fn check(preset: &str, target: &str, says: &str) -> Result<(), String> {
    let done = fusesoc(&Folder::of_preset(preset), target);
    let clean = !done.output.contains("WARNING") && !done.output.contains("%Warning");
    let good = done.success && clean && done.output.contains(says);
    if good { Ok(()) } else { Err(format!("{preset}, {target}: {}", done.output)) }
}

#[test]
fn lint_and_simulation_pass() {
    // One core and several.
    let presets = chosen(PRESETS, &[0, 2]).into_iter();
    let runs = presets.flat_map(|preset| [(preset, "lint", ""), (preset, "sim", "PASS: ")]);
    let runs: Vec<_> = runs.collect();
    for_each(&runs, |(preset, target, says)| check(preset, target, says));
}

#[test]
fn a_failing_simulation_fails() {
    let folder = Folder::of_preset("traptor-s0");
    let expected = folder.path("testbench/expected.hex");
    let text = std::fs::read_to_string(&expected).expect("a file");
    let changed = if text.starts_with('0') { '1' } else { '0' };
    std::fs::write(&expected, format!("{changed}{}", &text[1..])).expect("written");
    let done = fusesoc(&folder, "sim");
    assert!(!done.success && done.output.contains("FAIL: bit "), "{}", done.output);
}

/// A system on chip as docs/integration.md has it: a core of its own that depends on the generated one.
#[test]
fn a_core_that_depends_on_it_builds() {
    let folder = Folder::of_preset("traptor-m4");
    let guide = include_str!("../../docs/integration.md");
    let block = guide.split("```verilog\n").skip(1).find(|block| block.contains("traptor_m4_axis"));
    let module = block.and_then(|block| block.split("```").next()).expect("a module");
    let own = folder.path("own");
    std::fs::create_dir_all(&own).expect("a directory");
    std::fs::write(own.join("soc_trace.v"), module).expect("written");
    let core = "CAPI=2:\nname: example:soc:soc_trace:1.0\nfilesets:\n  rtl:\n    files: [soc_trace.v]\n    \
                file_type: verilogSource\n    depend: [\"tracewright:trace:traptor-m4\"]\ntargets:\n  lint:\n    \
                filesets: [rtl]\n    toplevel: soc_trace\n    flow: lint\n    flow_options:\n      \
                tool: verilator\n      verilator_options: [-Wall, -Wno-DECLFILENAME]\n";
    std::fs::write(own.join("soc_trace.core"), core).expect("written");
    let done = fusesoc_core(&folder, "lint", "example:soc:soc_trace");
    assert!(done.success && !done.output.contains("%Warning"), "{}", done.output);
}

#[test]
#[ignore = "half a minute: make packages"]
fn verilator_and_icestorm_pass() {
    check("traptor-s0", "sim_verilator", "PASS: ").expect("passes");
    check("traptor-s0", "icestorm", "Max frequency").expect("passes");
}
