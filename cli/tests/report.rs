//! `tracewright report`: what it writes, and what it refuses.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::common::{Done, Folder, done, is_long, with_tools};

#[test]
fn one_design_on_one_trace() {
    let folder = Folder::with_run();
    let report = folder.json(
        "report traptor-s0 run.pet.zst -o report.html --csv report.csv --plot plot.svg --json",
    );
    let design = &report["designs"][0];
    assert_eq!((&design["design"], &design["paper_gates"]), (&"traptor-s0".into(), &1771.into()));
    assert_eq!(design["estimated_gates"], 1771);
    assert_eq!(design["gates"]["design"], "traptor-s0");
    assert_eq!(report["traces"][0]["name"], "run");
    let bits = design["bits_per_instruction"].as_f64().expect("a number");
    let measured = folder.json("measure --design traptor-s0 run.pet.zst --json");
    assert_eq!(measured[0]["bits_per_instruction"], bits);
    let page = folder.text("report.html");
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>"));
    assert!(page.contains("traptor-s0") && page.contains("Yosys"));
    assert!(folder.text("report.csv").contains("traptor-s0,bits,run,"));
    assert!(folder.text("plot.svg").contains("traptor-s0"));
    let text = folder.succeed("report traptor-s0");
    assert!(text.contains("traptor-s0") && text.contains('█'), "{text}");
}

#[test]
fn what_is_refused() {
    let folder = Folder::with_run();
    for (arguments, status, sentence) in [
        ("report nothing", 2, "nothing is neither a design nor a trace"),
        (
            "report traptor-s0 --plot plot.svg",
            2,
            "--plot needs a trace for the bits per instruction",
        ),
        ("report --papers traptor-s0", 2, "cannot be used with"),
        ("report --check run.bits", 2, "--papers"),
        ("report --papers --check missing.md", 1, "cannot read missing.md"),
        ("report traptor-s0 run.bits", 1, "run.bits"),
        ("report traptor-s0 run.pet.zst -o missing/report.html", 1, "cannot write missing"),
    ] {
        let done = folder.run(arguments);
        assert_eq!(done.status, status, "{arguments}: {}", done.stderr);
        assert!(done.stderr.contains(sentence), "{arguments}: {}", done.stderr);
    }
    assert_eq!(folder.names(), ["run.bits", "run.pet.zst"]);
}

/// A stand-in for Yosys, in whose netlists every design is one gate.
const STAND_IN: &str = r#"#!/bin/sh
if [ "$1" = -V ]; then echo 'Yosys 0.0 (a stand-in)'; exit; fi
top=$(sed -n 's/^hierarchy -check -top //p' script.ys)
gate='{"type": "NAND2", "connections": {}}'
echo "{\"modules\": {\"$top\": {\"cells\": {\"gate\": $gate}}}}" | tee before.json > after.json
"#;

/// Runs the command with the stand-in, unless all designs of the papers are to be synthesized again, which `make check`
/// does too.
fn papers(folder: &Folder, arguments: &str) -> Done {
    let words: Vec<&str> = arguments.split(' ').collect();
    let mut command = folder.command(&words);
    if !is_long() {
        let path = [&folder.path("tools").into_os_string(), OsStr::new(":"), &with_tools()];
        command.env("PATH", path.into_iter().collect::<OsString>());
        command.env("TRACEWRIGHT_CACHE", folder.path("cache"));
    }
    done(command.output().expect("the command"))
}

#[test]
fn the_figures_of_the_papers() {
    let folder = Folder::new();
    fs::create_dir(folder.path("tools")).expect("a folder");
    folder.write("tools/yosys", STAND_IN);
    let executable = fs::Permissions::from_mode(0o755);
    fs::set_permissions(folder.path("tools/yosys"), executable).expect("a mode");
    let succeed = |arguments: &str| {
        let done = papers(&folder, arguments);
        assert_eq!((done.status, done.stderr.as_str()), (0, ""), "{arguments}");
    };
    succeed("report --papers -o figures.md");
    succeed("report --papers --check figures.md");
    // The page in docs is of the real Yosys.
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/gate_figures.md");
    succeed(&format!("report --papers --check {}", docs.display()));
    let page = folder.text("figures.md");
    assert!(page.contains("| 4,846 | 4,846 | 1.00 |"));
    // Made by another Yosys, other figures of synthesis are right, and other printed ones are not.
    let other = page.replace("Synthesized by Yosys", "Synthesized by another Yosys");
    let line = other.lines().find(|line| line.contains("`traptor-m4` |")).expect("a line");
    let cut = line.rsplit_once("| ").expect("cells").0;
    folder.write("other.md", other.replace(line, &format!("{cut}| 9.99 |")));
    succeed("report --papers --check other.md");
    folder.write("wrong.md", page.replace("| 4,846 | 4,846 |", "| 4,847 | 4,846 |"));
    let done = papers(&folder, "report --papers --check wrong.md");
    assert_eq!(done.status, 1);
    assert!(done.stdout.contains("\n-| C") && done.stderr.contains("wrong.md differs from what"));
}
