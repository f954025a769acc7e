//! Classes of traces: searches and fits by the worst ratio to a baseline, and without each class.

use std::fs;

use serde_json::Value;

use crate::common::bad::Bad;
use crate::common::{Folder, is_long};

/// A space of twelve designs.
const SPACE: &str = "\
preset = \"traptor-m4\"
[space]
gshare_entries = { from = 64, to = 512, times = 2 }
indirect_branch_target_buffer_entries = [16, 32, 64]
";

/// The same space, with classes in the file.
const WITH_CLASSES: &str = "\
preset = \"traptor-m4\"
baseline = \"traptor-s1\"
leave_out = []
[classes]
calls = \"calls\"
loops = [\"loops/*.zst\", \"loop.pet.zst\"]
[space]
gshare_entries = { from = 64, to = 512, times = 2 }
indirect_branch_target_buffer_entries = [16, 32, 64]
[objectives]
minimize = [\"worst_ratio\", \"gates\"]
";

/// The arguments that say the same.
const CLASSES: &str = "--class calls=calls --class loops=loops/*.zst --class loops=loop.pet.zst";

/// Programs of two kinds: regular ones with loops, and those with many functions whose branches are hard to predict.
fn folder() -> Folder {
    let folder = Folder::new();
    for class in ["calls", "loops"] {
        fs::create_dir(folder.path(class)).expect("a folder");
    }
    let events = if is_long() { 6000 } else { 3000 };
    let generate = format!(
        "trace generate --isa riscv --no-exceptions --events {events} --code-span 60000 --code-base 65536"
    );
    for (file, seed, options) in [
        ("calls/a.pet.zst", 1, "--functions 60 --predictability 30"),
        ("calls/b.pet.zst", 2, "--functions 90 --predictability 50"),
        ("loops/a.pet.zst", 3, "--functions 2 --predictability 95"),
        ("loop.pet.zst", 4, "--functions 1 --predictability 99"),
    ] {
        folder.succeed(&format!("{generate} --seed {seed} {options} -o {file}"));
    }
    fs::write(folder.path("calls/notes.txt"), "").expect("a file that is no trace");
    folder.write("space.toml", SPACE);
    folder.write("classes.toml", WITH_CLASSES);
    folder
}

fn number(of: &Value, key: &str) -> f64 {
    of[key].as_f64().unwrap_or_else(|| panic!("{key}: {of}"))
}

fn list<'a>(of: &'a Value, key: &str) -> &'a Vec<Value> {
    of[key].as_array().unwrap_or_else(|| panic!("{key}: {of}"))
}

/// Checks that two numbers are the same but for what their text leaves out.
fn same(one: f64, other: f64) -> bool {
    (one - other).abs() < 1e-12
}

/// The largest ratio of a design's bits to those of the baseline on these traces.
fn worst(found: &Value, design: &Value, traces: &[usize]) -> f64 {
    let bits = |of: &Value, trace: usize| number(&list(of, "by_trace")[trace], "bits");
    let ratios = traces.iter().map(|at| bits(design, *at) / bits(&found["baseline"], *at));
    ratios.fold(0.0, f64::max)
}

#[test]
fn the_worst_ratio_over_traces_is_an_objective() {
    let folder = folder();
    let explore = format!("explore space.toml {CLASSES} --baseline traptor-s1 --objective worst");
    let found = folder.json(&format!("{explore} -o results --json"));
    let classes: Vec<&Value> = list(&found, "traces").iter().map(|one| &one["class"]).collect();
    assert_eq!(classes, ["calls", "calls", "loops", "loops"]);
    let rows = list(&found, "configurations");
    assert_eq!((rows.len(), &found["baseline"]["design"]), (12, &"traptor-s1".into()));
    let plot = folder.text("results/front.svg");
    assert!(plot.contains("the worst trace's bits, divided by those of traptor-s1"), "{plot}");
    // The baseline's bits are those of `measure`.
    let measured = folder.json("measure --design traptor-s1 calls/b.pet.zst --json");
    assert_eq!(found["baseline"]["by_trace"][1]["bits"], measured[0]["bits"]);
    let score = |row: &Value| (number(row, "worst_ratio"), number(row, "gates"));
    for row in rows {
        assert!(same(number(row, "worst_ratio"), worst(&found, row, &[0, 1, 2, 3])), "{row}");
        let others = rows.iter().filter(|other| other["design"] != row["design"]);
        let is_beaten = others.map(score).any(|other| {
            let own = score(row);
            other.0 <= own.0 && other.1 <= own.1 && other != own
        });
        assert_eq!(row["is_on_front"], !is_beaten, "{row}");
    }
    // A file says the same as arguments.
    let from_file = folder.json("explore classes.toml -o results-2 --json");
    for key in ["configurations", "baseline", "without_class"] {
        assert_eq!(from_file[key], found[key], "{key}");
    }
    let text = folder.succeed(&format!("{explore} -o results"));
    assert!(text.contains("Chosen without one class, and on that class"), "{text}");
    let table = folder.text("results/all.csv");
    assert!(table.lines().next().is_some_and(|line| line.contains(",worst_ratio,")), "{table}");
}

#[test]
fn each_class_is_left_out_in_turn() {
    let folder = folder();
    let found = folder.json("explore classes.toml -o results --json");
    let rows = list(&found, "configurations");
    let named = |name: &Value| rows.iter().find(|row| row["design"] == *name).expect("a design");
    for (without, own, others) in [(0, [0, 1], [2, 3]), (1, [2, 3], [0, 1])] {
        let without = &found["without_class"][without];
        let front = list(without, "front");
        for one in front {
            let row = named(&one["design"]);
            assert!(same(number(one, "on_others"), worst(&found, row, &others)), "{one}");
            assert!(same(number(one, "on_class"), worst(&found, row, &own)), "{one}");
            // Nothing of fewer gates is as good on the other classes, and the best on the class is the best.
            for other in rows.iter().filter(|other| number(other, "gates") <= number(one, "gates"))
            {
                let is_cheaper = number(other, "gates") < number(one, "gates");
                let on_others = worst(&found, other, &others);
                assert!(
                    !is_cheaper || on_others > number(one, "on_others") - 1e-12,
                    "{one} {other}"
                );
                let least = number(one, "best_on_class") - 1e-12;
                assert!(worst(&found, other, &own) >= least, "{one} {other}");
            }
            let best = worst(&found, named(&one["best_design"]), &own);
            assert!(same(best, number(one, "best_on_class")), "{one}");
        }
        // The baseline has fewer gates than most designs, and some have no more.
        let least = front.iter().min_by(|one, other| {
            let gates = number(&found["baseline"], "gates");
            let key = |one: &Value| (number(one, "gates") > gates, number(one, "on_others"));
            key(one).partial_cmp(&key(other)).expect("numbers")
        });
        assert_eq!(least.map(|one| &one["design"]), Some(&without["chosen"]), "{without}");
    }
}

#[test]
fn a_class_that_is_left_out_chooses_nothing() {
    let folder = folder();
    let explore = "explore classes.toml -o results --json";
    let without = folder.json(&format!("{explore} --leave-out calls"));
    let loops = folder.json(
        "explore space.toml loops/a.pet.zst loop.pet.zst --baseline traptor-s1 --objective worst -o only --json",
    );
    let front = |found: &Value| -> Vec<(Value, Value)> {
        let rows = list(found, "configurations").iter().filter(|row| row["is_on_front"] == true);
        rows.map(|row| (row["design"].clone(), row["bits_per_instruction"].clone())).collect()
    };
    assert_eq!(front(&without), front(&loops));
    for row in list(&without, "configurations") {
        assert!(same(number(row, "worst_ratio"), worst(&without, row, &[2, 3])), "{row}");
        assert!(same(number(row, "left_out_ratio"), worst(&without, row, &[0, 1])), "{row}");
    }
    let classes: Vec<&Value> =
        list(&without, "without_class").iter().map(|one| &one["class"]).collect();
    assert_eq!(classes, ["calls"]);
}

#[test]
fn shards_of_a_search_with_classes_merge() {
    let folder = folder();
    let explore = "explore classes.toml --objective worst-class --json -o";
    let whole = folder.json(&format!("{explore} whole"));
    let bits = |of: &Value, traces: [usize; 2]| -> f64 {
        traces.iter().map(|trace| number(&list(of, "by_trace")[*trace], "bits")).sum()
    };
    for row in list(&whole, "configurations") {
        let ratios =
            [[0, 1], [2, 3]].map(|class| bits(row, class) / bits(&whole["baseline"], class));
        assert!(same(number(row, "worst_class_ratio"), ratios[0].max(ratios[1])), "{row}");
        let class = if ratios[0] >= ratios[1] { "calls" } else { "loops" };
        assert_eq!(row["worst_class"], class, "{row}");
    }
    for shard in ["1/2", "2/2"] {
        folder.succeed(&format!("{explore} part{} --shard {shard}", &shard[..1]));
    }
    let merged = folder.json("merge part2 part1 -o merged --json");
    for key in ["without_class", "baseline"] {
        assert_eq!(merged[key], whole[key], "{key}");
    }
    assert_eq!(folder.text("merged/all.csv"), folder.text("whole/all.csv"));
}

/// Traces of 32 and of more address bits are traced by one piece of hardware, as in a search.
#[test]
fn tables_are_fitted_to_one_piece_of_hardware() {
    let folder = Folder::new();
    for (isa, name) in
        [("arm", "narrow"), ("x86 --address-bits 64 --code-base 0x550000000000", "wide")]
    {
        let generate =
            format!("trace generate --isa {isa} --seed 3 --events 4000 -o {name}.pet.zst");
        folder.succeed(&generate);
    }
    let fit =
        "fit-talon --design talon-s --set alignment=0 --baseline traptor-m4 --objective worst";
    let words = format!("{fit} narrow.pet.zst wide.pet.zst -o fit.toml --json");
    let done = folder.run(&words);
    assert_eq!(done.status, 0, "{}", done.stderr);
    assert!(done.stderr.contains("every design is taken with address_width=64"), "{}", done.stderr);
    assert!(folder.text("fit.toml").contains("address_width = 64"));
    let fitted: Value = serde_json::from_str(&done.stdout).expect("JSON");
    let measure = "measure --design talon-s --set alignment=0 --set address_width=64";
    let alone = folder.json(&format!("{measure} narrow.pet.zst --json"));
    assert_eq!(fitted["traces"][0]["bits_before"], alone[0]["bits"]);
}

#[test]
fn tables_are_fitted_by_the_worst_ratio() {
    let folder = folder();
    let fit = |goal: &str, file: &str| {
        let fit = format!("fit-talon {CLASSES} --baseline traptor-m4 --objective {goal}");
        folder.json(&format!("{fit} -o {file}.toml --json"))
    };
    let (total, worst, worst_class) =
        (fit("total", "total"), fit("worst", "worst"), fit("worst-class", "class"));
    let ratio = |one: &Value| number(one, "bits_after") / number(one, "bits_of_baseline");
    let largest = |found: &Value| list(found, "traces").iter().map(ratio).fold(0.0, f64::max);
    assert!(largest(&worst) < largest(&total), "{worst} {total}");
    assert!(same(largest(&worst), number(&worst, "worst_ratio")));
    let sum = |found: &Value| -> f64 {
        list(found, "traces").iter().map(|one| number(one, "bits_after")).sum()
    };
    assert!(sum(&total) < sum(&worst), "{total} {worst}");
    let of_class = |found: &Value, class: &str| {
        let own = || list(found, "traces").iter().filter(|one| one["class"] == class);
        let sum = |key: &str| -> f64 { own().map(|one| number(one, key)).sum() };
        sum("bits_after") / sum("bits_of_baseline")
    };
    let largest_class = |found: &Value| of_class(found, "calls").max(of_class(found, "loops"));
    assert!(largest_class(&worst_class) <= largest_class(&total), "{worst_class} {total}");

    // The bits are those of `measure`, and the file says which program is the worst.
    let measured = folder.json("measure --design worst.toml,traptor-m4 calls/a.pet.zst --json");
    assert_eq!(worst["traces"][0]["bits_after"], measured[0]["bits"]);
    assert_eq!(worst["traces"][0]["bits_of_baseline"], measured[1]["bits"]);
    let program = worst["worst_trace"].as_str().expect("a trace");
    assert!(folder.text("worst.toml").contains(&format!("# The worst program is \"{program}\"")));

    for (found, is_trace) in [(&worst, true), (&worst_class, false)] {
        let without = list(found, "without_class");
        assert_eq!(without.len(), 2, "{found}");
        for one in without {
            // A class's own tables suit it best, but for what the counts leave out.
            assert!(number(one, "ratio_by_class") <= 1.01 * number(one, "ratio_by_others"));
            let class = one["class"].as_str().expect("a class");
            let of_traces = list(found, "traces").iter().filter(|one| one["class"] == class);
            let worst = of_traces.map(ratio).fold(0.0, f64::max);
            let expected = if is_trace { worst } else { of_class(found, class) };
            assert!((number(one, "ratio_by_all") - expected).abs() < 1e-12, "{one} {expected}");
        }
    }
}

#[test]
fn bad_classes_are_said_in_a_sentence() {
    let folder = folder();
    fs::create_dir(folder.path("empty")).expect("a folder");
    folder.write("several.toml", "preset = [\"traptor-m4\", \"traptor-s1\"]\n");
    let classes = |text: &str| format!("{text}\n{SPACE}");
    folder.write("no-class.toml", classes("leave_out = [\"calls\"]"));
    folder.write("no-design.toml", classes("baseline = \"traptor-m5\""));
    folder.write("no-path.toml", classes("classes.calls = \"missing/*\""));
    folder.write("number.toml", classes("classes.calls = 3"));
    let mut bad = Bad::new(folder);
    bad.fails(2, "explore space.toml -o out");
    bad.fails(2, "explore space.toml --class calls=empty -o out");
    bad.fails(2, "explore space.toml --class calls=calls/*.txt* --class calls=gone-* -o out");
    bad.fails(2, "explore space.toml --class calls=calls --class loops=calls/a* -o results");
    bad.fails(2, "explore classes.toml --leave-out ghosts -o results");
    bad.fails(2, "explore classes.toml --leave-out calls --leave-out loops -o results");
    bad.fails(2, "explore several.toml loop.pet.zst --objective worst -o results");
    bad.fails(2, "explore space.toml loop.pet.zst --baseline traptor-m5 -o out");
    for file in ["no-class", "no-design", "no-path", "number"] {
        bad.fails(2, &format!("explore {file}.toml loop.pet.zst -o results"));
    }
    bad.fails(2, "fit-talon -o out.toml");
    bad.fails(2, "fit-talon --class calls=empty -o out.toml");
    bad.fails(2, "fit-talon loop.pet.zst --baseline missing -o out.toml");
    insta::assert_snapshot!(bad.shown);
}
