//! `reproduce`: the papers' tables and figures.

use crate::common::bad::Bad;
use crate::common::{Folder, workload};

#[test]
fn a_table_as_text_json_and_files() {
    let folder = Folder::new();
    let trace = workload("arm-stringsearch");
    let text =
        folder.succeed(&format!("reproduce --paper a --table 2 {trace} --csv out.csv --svg plots"));
    assert!(text.contains("Paper A, Table 2"), "{text}");
    // The paper prints 0.472, and an independent measurement of this trace is 0.480.
    assert!(text.contains("0.480 (0.472, x1.02)"), "{text}");
    let csv = folder.text("out.csv");
    assert!(csv.contains("\"Paper A, Table 2\",arm-stringsearch,128,0.4"), "{csv}");
    assert!(folder.text("plots/paper-a-table-2.svg").starts_with("<svg"));
    let json = folder.json(&format!("reproduce --paper a --table 2 {trace} --json"));
    assert_eq!(json[0]["rows"][0]["cells"][2]["paper"], 0.472);
    assert_eq!(json[0]["place"]["number"], 2);
}

#[test]
fn a_paper_as_one_page() {
    let folder = Folder::new();
    let trace = workload("rv64-stringsearch");
    folder.succeed(&format!("reproduce --paper c {trace} -o page.html"));
    let page = folder.text("page.html");
    for place in [
        "Table 1",
        "Table 3",
        "Table 4",
        "Table 5",
        "Figure 5",
        "Figure 7",
        "Figure 9",
        "Figure 10",
    ] {
        assert!(page.contains(&format!("<h2>Paper C, {place}: ")), "{place}");
    }
}

#[test]
fn bad_input() {
    let folder = Folder::with_run();
    let mut bad = Bad::new(folder);
    bad.fails(2, "reproduce --paper d run.pet.zst");
    bad.fails(2, "reproduce --paper a --table 3 run.pet.zst");
    bad.fails(2, "reproduce --table 3 run.pet.zst");
    bad.fails(2, "reproduce --paper a --table 2 --set no_parameter=1 run.pet.zst");
    bad.fails(1, "reproduce --paper a --table 2 missing.pet.zst");
    bad.fails(2, "reproduce -");
    insta::assert_snapshot!(bad.shown);
}
