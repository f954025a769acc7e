//! A predictor without hardware that a program brings to the command: `cli/examples/predictor.rs`.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::common::{Folder, workload};

/// Runs the example, and gives what it prints on standard output and on standard error.
fn example(folder: &Folder, arguments: &str) -> (String, String) {
    let command = Path::new(env!("CARGO_BIN_EXE_tracewright"));
    let example = command.with_file_name("examples").join("predictor");
    let done =
        Command::new(example).args(arguments.split(' ')).current_dir(folder.path(".")).output();
    let done = done.expect("`cargo build --release -p tracewright --example predictor` builds it");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (text(done.stdout), text(done.stderr))
}

fn json(folder: &Folder, arguments: &str) -> Value {
    let (printed, said) = example(folder, arguments);
    serde_json::from_str(&printed).unwrap_or_else(|error| panic!("{arguments}: {error}: {said}"))
}

#[test]
fn it_stands_beside_designs() {
    let (folder, trace) = (Folder::new(), workload("rv32imac-traps"));
    let measured = json(&folder, &format!("measure --design local-history,talon-s {trace} --json"));
    assert_eq!(measured[0]["design"], "talon-s");
    let own = &measured[1];
    assert_eq!((&own["basis"], &own["papers_bits"]), (&"model only".into(), &11_072.into()));
    let bits = own["bits"].as_u64().expect("bits");
    let fields = own["fields"].as_object().expect("fields");
    assert_eq!(fields.values().filter_map(Value::as_u64).sum::<u64>(), bits);
    let compared = json(&folder, &format!("compare --only local-history,gzip {trace} --json"));
    assert_eq!(
        (&compared[0]["name"], &compared[0]["bits"]),
        (&"local-history".into(), &own["bits"])
    );
    assert_eq!(compared[1]["name"], "gzip");
    let larger = format!("measure --design local-history {trace} --set outcomes=10 --json");
    assert!(json(&folder, &larger)[0]["bits"].as_u64() < Some(bits));
    let (printed, _) = example(&folder, &format!("measure --design local-history {trace}"));
    assert!(printed.contains("local-history") && printed.contains('-'), "{printed}");
    let report = format!("report local-history {trace} --csv out.csv --plot out.svg -o out.html");
    let (printed, said) = example(&folder, &report);
    assert!(printed.starts_with(" model only "), "{printed}{said}");
    assert!(
        folder.text("out.csv").contains(&format!("local-history,bits,rv32imac-traps,{bits},bits"))
    );
    assert!(
        folder.text("out.svg").contains("model only")
            && folder.text("out.html").contains("model only")
    );
}

#[test]
fn what_it_cannot_do_is_said() {
    let (folder, trace) = (Folder::new(), workload("arm-adpcm_c"));
    for (arguments, expected) in [
        ("--set outcome=4", "local-history has no parameter `outcome`; it has branches, outcomes"),
        ("--set outcomes=many", "expected a whole number, for a predictor"),
        ("--set outcomes=40", "counters has 1099511627776 entries: expected at most 67108864"),
    ] {
        let (_, said) =
            example(&folder, &format!("measure --design local-history {trace} {arguments}"));
        assert!(said.replace('\n', " ").contains(expected), "{said}");
    }
    let done = folder.run(&format!("measure --design mine.py:LocalHistory {trace}"));
    assert_eq!(done.status, 2);
    assert!(done.stderr.contains("needs the command of the package for Python"), "{}", done.stderr);
}

/// The page of predictors shows the example as it is.
#[test]
fn the_page_has_the_example() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = |name: &str| fs::read_to_string(root.join(name)).expect("a file");
    let (page, example) = (text("../docs/start_predictor.md"), text("examples/predictor.rs"));
    let code = example.split_once("\n\n").expect("a heading").1;
    assert!(
        page.contains(code),
        "docs/start_predictor.md has another text than cli/examples/predictor.rs"
    );
}
