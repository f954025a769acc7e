//! `tracewright advise`: what it chooses, prints and writes, and what it refuses. Designs are named, so that few are
//! synthesized; `exploration/src/advice` tests the choice among others.

use std::fs;
use std::path::PathBuf;
use std::sync::Once;

use serde_json::Value;
use tracewright_exploration::Setup;
use tracewright_exploration::advice::{By, Finalist, Subject, survey};
use tracewright_sim::scheme::Design;
use tracewright_verification::measurement::measure;
use tracewright_verification::{Progress, Shard};

use crate::common::Folder;

/// Designs that other tests synthesize, too.
const DESIGNS: &str = "--design nexs,traptor-s0,traptor-s1";

/// Two commands at once would both synthesize the designs.
static SYNTHESIZED: Once = Once::new();

/// A folder with two short traces, one of them with a blank in its name.
fn folder() -> Folder {
    let folder = Folder::new();
    SYNTHESIZED.call_once(|| drop(folder.succeed("gates nexs traptor-s0 traptor-s1")));
    folder.take_head("arm-stringsearch", 5_000, "search.pet.zst");
    folder.take_head("arm-fft-head", 5_000, "fast fourier.pet.zst");
    folder
}

/// The words of a command line on both traces.
fn words<'a>(more: &'a str, traces: &[&'a str]) -> Vec<&'a str> {
    let own = ["advise"].into_iter().chain(DESIGNS.split(' '));
    own.chain(more.split_whitespace()).chain(traces.iter().copied()).collect()
}

const BOTH: [&str; 2] = ["search.pet.zst", "fast fourier.pet.zst"];

fn json(folder: &Folder, more: &str, traces: &[&str]) -> Value {
    let done = folder.run_words(&words(&format!("{more} --json"), traces));
    assert_eq!((done.status, done.stderr.as_str()), (0, ""), "{more}");
    serde_json::from_str(&done.stdout).expect("JSON")
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("a number, not {value}"))
}

/// Figures are those of `measure` and `gates`, and the choice follows from them.
#[test]
fn the_worst_program_decides() {
    let folder = folder();
    let advice = json(&folder, "", &BOTH);
    let designs = advice["designs"].as_array().expect("designs");
    assert_eq!(designs.len(), 3);
    for design in designs {
        let name = design["design"].as_str().expect("a name");
        let traces = BOTH.map(|trace| {
            let done = folder.run_words(&["measure", "--design", name, trace, "--json"]);
            serde_json::from_str::<Value>(&done.stdout).expect("JSON")[0].clone()
        });
        let bits = |trace: &Value| number(&trace["bits_per_instruction"]);
        let worst = traces.iter().map(bits).fold(0.0, f64::max);
        assert_eq!(number(&design["worst_bits_per_instruction"]), worst, "{name}");
        let sum = |field: &str| traces.iter().map(|trace| number(&trace[field])).sum::<f64>();
        assert_eq!(number(&design["bits_per_instruction"]), sum("bits") / sum("instructions"));
        let needed = traces.iter().map(|trace| number(&trace["fifo_needed_bits"]));
        assert_eq!(number(&design["fifo_needed_bits"]), needed.fold(0.0, f64::max));
        let gates = folder.json(&format!("gates {name} --json"));
        for field in ["total_ge", "flip_flop_implementation_ge"] {
            assert_eq!(design[field], gates[0][field], "{name}");
        }
    }
    let product = |design: &Value| {
        number(&design["total_ge"]) * number(&design["worst_bits_per_instruction"])
    };
    let least = designs.iter().min_by(|one, other| product(one).total_cmp(&product(other)));
    assert_eq!(advice["chosen"], least.expect("a design")["design"]);
    assert_eq!(advice["recommendations"][0]["design"], advice["chosen"]);
    assert_eq!(advice["left_out"].as_array().map(Vec::len), Some(2));
}

#[test]
fn budgets_are_kept() {
    let folder = folder();
    let all = json(&folder, "", &BOTH);
    let of = |name: &Value, field: &str| {
        let designs = all["designs"].as_array().expect("designs").iter();
        number(&designs.into_iter().find(|one| one["design"] == *name).expect("it")[field])
    };
    // The designs are in the order of their gates.
    let names: Vec<&Value> = [0, 1, 2].map(|at| &all["designs"][at]["design"]).into();
    let within = json(&folder, &format!("--gates-at-most {}", of(names[0], "total_ge")), &BOTH);
    assert_eq!(&within["chosen"], names[0]);
    assert_eq!(within["recommendations"][0]["purpose"], "budget");
    let flip_flops = of(names[0], "flip_flop_implementation_ge");
    let thousands = of(names[0], "total_ge") / 1000.0;
    let same = json(&folder, &format!("--gates-at-most {thousands}K"), &BOTH);
    assert_eq!(same["chosen"], within["chosen"]);
    let within = json(&folder, &format!("--flip-flops --gates-at-most {flip_flops}"), &BOTH);
    assert_eq!((&within["chosen"], &within["memories"]), (names[0], &"flip_flops".into()));
    let most = of(names[0], "worst_bits_per_instruction") * 0.99;
    let within = json(&folder, &format!("--bits-at-most {most}"), &BOTH);
    assert_ne!(&within["chosen"], names[0]);
    let done = folder.run_words(&words("--gates-at-most 100 --bits-at-most 0.5 -o d.toml", &BOTH));
    assert_eq!((done.status, done.stdout.as_str()), (1, ""));
    assert!(done.stderr.contains("no design is within 100 GE and 0.5 bits"), "{}", done.stderr);
    assert!(!folder.path("d.toml").exists());
}

/// For a continuous integration: everything is printed and written, and the status says whether it is enough.
#[test]
fn a_limit_on_bits_is_a_status() {
    let folder = folder();
    let chosen = json(&folder, "", &BOTH);
    let bits = |by: &str| {
        let designs = chosen["designs"].as_array().expect("designs").iter();
        let mut designs = designs.filter(|one| one["design"] == chosen["chosen"]);
        number(&designs.next().expect("it")[by])
    };
    let (worst, total) = (bits("worst_bits_per_instruction"), bits("bits_per_instruction"));
    assert!(total < worst);
    for (more, limit, status) in [
        ("", worst, 0),
        ("", worst * 0.999, 1),
        ("", total, 1),
        ("--by total", total, 0),
        ("--by total", total * 0.999, 1),
    ] {
        let line = format!("{more} --at-most {limit} --json -o design.toml");
        let done = folder.run_words(&words(&line, &BOTH));
        assert_eq!(done.status, status, "{line}: {}", done.stderr);
        let advice: Value = serde_json::from_str(&done.stdout).expect("JSON");
        assert_eq!(advice["is_within"], status == 0, "{line}");
        let is_said = done.stderr.contains("bits per instruction")
            && done.stderr.contains("expected at most");
        assert_eq!(is_said, status == 1, "{}", done.stderr);
        fs::remove_file(folder.path("design.toml")).expect("it is written");
    }
}

/// The design that is written is generated as it was measured, with what it took from the trace.
#[test]
fn the_design_is_one_for_these_traces() {
    let folder = Folder::new();
    folder.succeed(
        "trace generate --seed 11 --isa x86 --address-bits 64 --code-base 0x7f1234500000 --events 3000 -o run.pet.zst",
    );
    let done = folder.run("advise --design nexs run.pet.zst -o design.toml --json");
    assert_eq!(done.status, 0, "{}", done.stderr);
    assert!(done.stderr.contains("every design is taken with address_width=64"), "{}", done.stderr);
    let advice: Value = serde_json::from_str(&done.stdout).expect("JSON");
    let parameters = &advice["designs"][0]["parameters"];
    assert_eq!((&parameters["address_width"], &parameters["alignment"]), (&64.into(), &0.into()));
    folder.succeed("generate design.toml -o build");
    let gates = folder.json("gates build/nexs --json");
    assert_eq!(gates[0]["total_ge"], advice["designs"][0]["total_ge"]);
    let measured = folder.json("measure --design design.toml run.pet.zst --json");
    assert_eq!(measured[0]["bits_per_instruction"], advice["designs"][0]["bits_per_instruction"]);
    // Without a file the same design is that of a command.
    let done = folder.run("advise --design nexs run.pet.zst --json");
    let advice: Value = serde_json::from_str(&done.stdout).expect("JSON");
    let command = advice["command"].as_str().expect("a command");
    let words = command.strip_prefix("tracewright ").and_then(|line| line.strip_suffix(" build"));
    folder.succeed(&format!("{} other", words.expect("a command")));
    let top = |folder_of: &str| folder.text(&format!("{folder_of}/nexs/nexs.v"));
    assert!(top("build") == top("other"));
}

/// A design of a file is written as what differs from its scheme.
#[test]
fn a_design_of_a_file_is_written_whole() {
    let folder = folder();
    folder.write("mine.toml", "preset = \"nexs\"\nname = \"mine\"\nfifo_bits = 400\n");
    let text = folder.succeed("advise --design mine.toml search.pet.zst -o out.toml");
    assert!(text.starts_with("Take mine, the only design that was given: "), "{text}");
    assert!(folder.text("out.toml").contains("scheme = \"nexus\"\nname = \"mine\"\n"));
    let parameters =
        |file: &str| folder.json(&format!("designs {file} --json"))[0]["parameters"].clone();
    assert_eq!(parameters("out.toml"), parameters("mine.toml"));
    let measured =
        |file: &str| folder.succeed(&format!("measure --design {file} search.pet.zst --json"));
    assert_eq!(measured("out.toml"), measured("mine.toml"));
}

/// Without `--design`, few of the presets are worth a synthesis: no other one makes them needless.
#[test]
fn few_of_the_presets_are_left() {
    let folder = Folder::new();
    folder.take_head("rv64-stringsearch", 20_000, "run.pet.zst");
    let (traces, limit) = ([folder.path("run.pet.zst")], Default::default());
    let subject = Subject::of(&traces, limit, &Progress::silent()).expect("a subject");
    assert_eq!((subject.cores, subject.is_riscv, subject.has_data), (1, true, false));
    let presets: Vec<Design> =
        subject.designs().iter().map(|design| subject.pinned(design).expect("it fits")).collect();
    let has = |name: &str| presets.iter().any(|preset| preset.name == name);
    assert!(has("talon-g") && has("etrace-base") && has("stream-base-32") && has("nexs"));
    assert!(!has("talon-m-fpga") && !has("stride-32") && !has("mctraptor-small-n1"));
    let left = |near: bool| {
        let progress = Progress::silent();
        let setup = Setup { shard: Shard::WHOLE, limit, progress };
        let kept = folder.path(if near { "near" } else { "presets" });
        let which = (false, near);
        survey(&presets, &traces, By::Worst, which, &kept, &setup).expect("a survey")
    };
    let (alone, near) = (left(false), left(true));
    let bits = |design: &Design| {
        let measured = measure(std::slice::from_ref(design), &traces, limit, &Progress::silent());
        measured.expect("bits")[0].bits
    };
    let fewest = presets.iter().min_by_key(|preset| bits(preset)).expect("a preset");
    assert!(alone.iter().any(|one| one.design.name == fewest.name), "{}", fewest.name);
    let smallest = presets.iter().min_by_key(|preset| preset.estimated_gates()).expect("a preset");
    assert!(alone.iter().any(|one| one.design.name == smallest.name), "{}", smallest.name);
    let standard = alone.iter().filter(|one| one.design.name.starts_with("etrace-")).count();
    assert!((1..=3).contains(&standard) && (3..=7).contains(&(alone.len() - standard)));
    // What is beside presets comes after them, under a name of its own.
    let names =
        |all: &[Finalist]| all.iter().map(|one| one.design.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&near)[..alone.len()], names(&alone));
    for one in &near[alone.len()..] {
        assert!(one.is_neighbour() && one.design.name == format!("{}-tuned", one.of.name));
        let product = |design: &Design| bits(design) * u64::from(design.estimated_gates());
        assert!(product(&one.design) * 100 <= product(&one.of) * 95, "{}", one.design.name);
    }
}

/// Programs and working sets are run, and called by their own names.
#[test]
fn programs_are_run() {
    let folder = Folder::new();
    let workloads = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../workloads");
    for (from, to) in [("traps.elf", "state machine.elf"), ("traps.wset", "traps.wset")] {
        fs::copy(workloads.join(format!("rv32imac-{from}")), folder.path(to)).expect("copied");
    }
    let before = folder.names();
    let design = ["advise", "--design", "nexs", "--json"];
    let line = [&design[..], &["state machine.elf", "traps.wset"]].concat();
    let done = folder.run_words(&line);
    assert_eq!(done.status, 0, "{}", done.stderr);
    assert_eq!(folder.names(), before);
    let advice: Value = serde_json::from_str(&done.stdout).expect("JSON");
    let traces = &advice["traces"];
    assert_eq!(
        (&traces[0]["trace"], &traces[1]["trace"]),
        (&"state machine.elf".into(), &"traps.wset".into())
    );
    // The working set is of the same run.
    assert_eq!(traces[0]["instructions"], traces[1]["instructions"]);
    assert_eq!(traces[0]["is_cut"], false);
    let line = [&design[..], &["state machine.elf", "--limit", "20k"]].concat();
    let cut: Value = serde_json::from_str(&folder.run_words(&line).stdout).expect("JSON");
    assert_eq!(cut["traces"][0]["is_cut"], true);
    assert!(cut["notes"].to_string().contains("up to the limit (--limit)"), "{cut}");
    assert!(cut["notes"].to_string().contains("only one trace"), "{cut}");
}

#[test]
fn pages_and_files_are_the_same_again() {
    let folder = folder();
    let run = |date: &str| {
        let line = words("-o design.toml --html advice.html", &BOTH);
        let done = folder.run_with(&[("SOURCE_DATE_EPOCH", date)], &line);
        assert_eq!((done.status, done.stderr.as_str()), (0, ""));
        (done.stdout, folder.text("design.toml"), folder.text("advice.html"))
    };
    let first = run("86400");
    assert!(first == run("86400"));
    let (_, toml, page) = &first;
    assert!(toml.contains("#   \"fast fourier.pet.zst\"\npreset = \""), "{toml}");
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>"), "{page}");
    assert!(page.contains("1970-01-02") && !run("100000000").2.contains("1970-01-02"));
    let place = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text} in {page}"));
    assert!(place("<h1>Trace module for 2 programs</h1>") < place("class=\"take\""));
    assert!(place("class=\"take\"") < place("<svg") && place("<svg") < place("<table"));
    // Nothing is loaded, and there are no figures of others.
    assert!(!page.contains("http://www.w3.org/1999/xlink") && !page.contains("src="), "{page}");
    assert!(!page.contains("paper C") && !page.contains("CoreSight"), "{page}");
    assert_eq!(page.matches("<svg").count(), 2);
    for svg in page.split("<svg").skip(1) {
        let ticks = |anchor: &str| {
            let line = |line: &&str| line.contains("class=\"tick\"") && line.contains(anchor);
            svg.lines().filter(line).count()
        };
        assert!(ticks("\"middle\"") >= 4 && ticks("\"end\"") >= 4, "{svg}");
    }
}

#[test]
fn what_is_refused_leaves_nothing() {
    let folder = folder();
    folder.succeed("trace generate --seed 3 --cores 4 --events 2000 -o four.pet.zst");
    folder.write("empty.txt", "machine arm alignment=2 address_bits=32\n");
    folder.write("text.txt", "no trace\n");
    folder.write("broken.elf", b"\x7fELF and nothing else");
    let before = folder.names();
    for (arguments, status, sentence) in [
        ("", 2, "required"),
        ("missing.pet.zst", 1, "missing.pet.zst"),
        ("text.txt", 1, "text.txt"),
        ("broken.elf", 1, "broken.elf"),
        (
            "empty.txt",
            1,
            "empty.txt: expected a trace of a program, found one without an instruction",
        ),
        ("search.pet.zst empty.txt", 1, "empty.txt: expected a trace of a program"),
        ("--design nexs four.pet.zst", 2, "nexs traces 1 core, and the traces are of 4"),
        (
            "--design stride-32 search.pet.zst",
            2,
            "stride-32: expected a design that traces control flow",
        ),
        ("--design nothing search.pet.zst", 2, "no design is called `nothing`"),
        ("--design nexs --set alignment=3 search.pet.zst", 2, "alignment"),
        ("--design nexs --gates-at-most 0 search.pet.zst", 2, "expected a number above 0"),
        ("--design nexs --gates-at-most 4q search.pet.zst", 2, "such as 0.05, 4000 or 4K"),
        ("--design nexs --at-most nan search.pet.zst", 2, "expected a number above 0"),
        (
            "--design nexs search.pet.zst -- argument",
            2,
            "arguments after -- are for one Linux program",
        ),
        ("--design nexs -", 2, "cannot come from standard input"),
        ("--design nexs search.pet.zst -o missing/design.toml", 1, "cannot write missing"),
        ("--design nexs search.pet.zst --html missing/page.html", 1, "cannot write missing"),
        (
            "--design nexs search.pet.zst -o new.toml --html missing/page.html",
            1,
            "cannot write missing",
        ),
    ] {
        let done = folder.run(&format!("advise {arguments}"));
        assert_eq!(done.status, status, "{arguments}: {}", done.stderr);
        assert!(
            done.stderr.contains(sentence) && done.stdout.is_empty(),
            "{arguments}: {}",
            done.stderr
        );
        assert_eq!(folder.names(), before, "{arguments}");
    }
}

/// Standard output is that of one output alone.
#[test]
fn a_file_can_be_standard_output() {
    let folder = folder();
    let done = folder.run("advise --design nexs search.pet.zst -o -");
    assert_eq!((done.status, done.stderr.as_str()), (0, ""));
    folder.write("design.toml", &done.stdout);
    folder.succeed("designs design.toml");
    let page = folder.succeed("advise --design nexs search.pet.zst --html -");
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>"), "{page}");
}
