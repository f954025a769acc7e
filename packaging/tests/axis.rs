//! The AXI4-Stream wrapper in simulation: the rules of the bus, the same beats as without it, and where a flush ends.

use std::fs;

use crate::common::{Done, Folder, chosen};
use tracewright_sim::scheme::Design;

const COMPILE: &str = "iverilog -g2001 -Wall -y . -s axis_testbench -o axis axis_testbench.v";

fn folder(changes: &[(&str, &str)]) -> Folder {
    let mut design = Design::preset("traptor-m4").expect("a preset");
    for (name, value) in changes {
        design.set(name, value).expect("a good value");
    }
    let folder = Folder::new(design);
    let mut testbench = include_str!("axis_testbench.v").replace("TOP", &folder.top);
    if folder.design.port().clock_enable {
        testbench = testbench.replace("HAS_ENABLE = 0", "HAS_ENABLE = 1");
        testbench = testbench.replace(".aclk (clock),", ".aclk (clock), .aclken (aclken),");
    }
    fs::write(folder.path("axis_testbench.v"), testbench).expect("written");
    folder
}

fn simulate(folder: &Folder) -> Done {
    let done = folder.run("", COMPILE);
    assert!(done.success, "{}", done.output);
    folder.run("", "vvp -N axis")
}

#[test]
fn beats_follow_the_rules_of_the_bus() {
    let designs = [
        &[][..],
        &[("trace_port_width", "8")],
        &[("trace_port_width", "5"), ("reset", "asynchronous")],
        &[("trace_port_width", "8"), ("clock_enable", "true")],
        &[("reset", "asynchronous"), ("clock_enable", "true")],
    ];
    for changes in chosen(designs, &[2, 3]) {
        let done = simulate(&folder(changes));
        assert!(done.output.contains("PASS: "), "{changes:?}: {}", done.output);
    }
}

#[test]
fn the_testbench_notices_faults() {
    let faults = [
        ("aresetn & is_offered", "is_offered", "valid in reset"),
        ("(trace_valid | is_last)", "1'b1", "beat"),
        ("held_last | (trace_flushed & !trace_valid)", "trace_flushed & held_last", ""),
        ("!held_valid | m_axis_tready", "1'b1", "beat"),
        ("trace_flushed & !held_valid", "trace_flushed", "flushed before the last beat"),
    ];
    let enables = [
        (".clock_enable (aclken),\n .trace", ".clock_enable (1'b1),\n .trace", "beat"),
        (".clock_enable (aclken),\n .retire", ".clock_enable (1'b1),\n .retire", "beat"),
    ];
    let plain = faults.map(|fault| (fault, "false"));
    for ((good, bad, expected), enable) in plain.into_iter().chain(enables.map(|f| (f, "true"))) {
        let folder = folder(&[("trace_port_width", "8"), ("clock_enable", enable)]);
        let file = format!("{}_axis.v", folder.top);
        let text = without_columns(&folder.text(&file));
        assert_eq!(text.matches(good).count(), 1, "{good}");
        fs::write(folder.path(&file), text.replace(good, bad)).expect("written");
        let done = simulate(&folder);
        let noticed = done.output.contains("FAIL: ") && done.output.contains(expected);
        assert!(noticed && !done.output.contains("PASS"), "{bad}: {}", done.output);
    }
}

/// A text in which one space stands for several.
fn without_columns(text: &str) -> String {
    let words = |line: &str| {
        let indent = if line.starts_with(' ') { " " } else { "" };
        format!("{indent}{}\n", line.split_whitespace().collect::<Vec<_>>().join(" "))
    };
    text.lines().map(words).collect()
}
