//! `tracewright report`: what it writes, and what it refuses.

use crate::common::Folder;

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

#[test]
fn the_figures_of_the_papers() {
    let folder = Folder::new();
    folder.succeed("report --papers -o figures.md");
    folder.succeed("report --papers --check figures.md");
    let page = folder.text("figures.md");
    assert!(page.contains("| 4,846 | 4,846 | 1.00 |"));
    // Made by another Yosys, other figures of synthesis are right, and other printed ones are not.
    let other = page.replace("Synthesized by Yosys", "Synthesized by another Yosys");
    let line = other.lines().find(|line| line.contains("`traptor-m4` |")).expect("a line");
    let cut = line.rsplit_once("| ").expect("cells").0;
    folder.write("other.md", other.replace(line, &format!("{cut}| 9.99 |")));
    folder.succeed("report --papers --check other.md");
    folder.write("wrong.md", page.replace("| 4,846 | 4,846 |", "| 4,847 | 4,846 |"));
    let done = folder.run("report --papers --check wrong.md");
    assert_eq!(done.status, 1);
    assert!(done.stdout.contains("\n-| C") && done.stderr.contains("wrong.md differs from what"));
}
