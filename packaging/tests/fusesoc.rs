//! FuseSoC runs the generated cores.

use std::process::Command;

use crate::common::{Done, Folder, for_each, run};

/// Of different schemes.
const PRESETS: [&str; 3] = ["traptor-m4", "stream-rbase-128", "mctraptor-small-n4"];

fn fusesoc(folder: &Folder, target: &str) -> Done {
    let mut command = Command::new("fusesoc");
    // Neither cores nor settings of the user.
    let home = folder.path(&format!("home-{target}"));
    std::fs::create_dir_all(&home).expect("a directory");
    command
        .current_dir(&home)
        .envs(["HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"].map(|of| (of, &home)));
    command.arg("--cores-root").arg(folder.path("")).args(["run", "--target", target]);
    run(command.arg(format!("tracewright:trace:{}", folder.design.name)))
}

fn check(preset: &str, target: &str, says: &str) -> Result<(), String> {
    let done = fusesoc(&Folder::of_preset(preset), target);
    let clean = !done.output.contains("WARNING") && !done.output.contains("%Warning");
    let good = done.success && clean && done.output.contains(says);
    if good { Ok(()) } else { Err(format!("{preset}, {target}: {}", done.output)) }
}

#[test]
fn lint_and_simulation_pass() {
    let runs: Vec<_> = PRESETS
        .iter()
        .flat_map(|preset| [(*preset, "lint", ""), (*preset, "sim", "PASS: ")])
        .collect();
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

#[test]
#[ignore = "half a minute: make packages"]
fn verilator_and_icestorm_pass() {
    check("traptor-s0", "sim_verilator", "PASS: ").expect("passes");
    check("traptor-s0", "icestorm", "Max frequency").expect("passes");
}
