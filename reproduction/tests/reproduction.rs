//! Every table and figure on real traces.

use std::fs::File;
use std::path::{Path, PathBuf};

use tracewright_reproduction::place::Paper;
use tracewright_reproduction::{Artefact, Error, Selection, Settings, csv, page, reproduce};
use tracewright_sim::event_limit::EventLimit;
use tracewright_sim::trace_io::{Format, Reader, Writer, WriterOptions};
use tracewright_verification::Progress;

/// Events of a trace that is cut short.
const EVENTS: u64 = 60_000;

fn workload(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../workloads").join(name)
}

/// The first events of a workload: enough for tables that are not compared with other measurements.
fn head(folder: &tempfile::TempDir, name: &str) -> PathBuf {
    let mut reader = Reader::open(workload(name)).unwrap();
    let options = WriterOptions { format: Format::Pet1Zstd, ..WriterOptions::default() };
    let path = folder.path().join(name);
    let mut writer = Writer::new(File::create(&path).unwrap(), reader.machine(), options).unwrap();
    for _ in 0..EVENTS {
        writer.write(&reader.next_event().unwrap().expect("an event")).unwrap();
    }
    writer.finish().unwrap();
    path
}

fn made(selection: Selection, traces: &[PathBuf]) -> Vec<Artefact> {
    let entries = selection.entries().unwrap();
    let limit = EventLimit::default();
    reproduce(&entries, &Settings::default(), traces, limit, &Progress::silent()).unwrap()
}

fn table(paper: char, number: u32, traces: &[PathBuf]) -> Artefact {
    let selection = Selection { paper: Some(Paper(paper)), table: Some(number), figure: None };
    made(selection, traces).remove(0)
}

/// The value of a row in a column.
fn here(artefact: &Artefact, row: &str, column: &str) -> f64 {
    let row = artefact.rows.iter().find(|one| one.label == row).expect("the row");
    let column = artefact.columns.iter().position(|one| one == column).expect("the column");
    row.cells[column].here.expect("a value")
}

/// Fails unless two values agree to half a percent and half a unit of the last digit that is known.
fn agree(one: f64, other: f64, digit: f64) {
    assert!((one - other).abs() <= 0.005 * other + digit / 2.0, "{one} here, {other} there");
}

#[test]
fn paper_a_agrees_with_an_independent_measurement() {
    let traces = ["arm-stringsearch.pet.zst", "rv64-stringsearch.pet.zst"].map(workload);
    let table = table('A', 2, &traces);
    // The other measurement and this one read the paper in the same way.
    let expected = [
        ("arm-stringsearch", [1.175, 0.791, 0.480, 0.298, 0.304, 0.319]),
        ("rv64-stringsearch", [1.347, 1.074, 0.494, 0.366, 0.347, 0.364]),
    ];
    for (program, values) in expected {
        for (column, value) in table.columns.iter().zip(values) {
            agree(here(&table, program, column), value, 0.001);
        }
    }
    assert_eq!(table.rows[0].cells[2].paper, Some(0.472));
    let [arm, rv64, both, all] = &table.rows[..] else { panic!("two programs and two totals") };
    assert!(!arm.is_total && !rv64.is_total && both.is_total && all.is_total);
    assert_eq!(all.cells[2].paper, Some(0.174));
}

#[test]
fn predictions_agree_with_an_independent_measurement() {
    let table = table('C', 3, &[workload("arm-stringsearch.pet.zst")]);
    let expected = [
        ("outcomes, S", 89.08),
        ("outcomes, M", 91.34),
        ("outcomes, B", 93.60),
        ("targets, M1", 77.0),
        ("targets, M2", 92.3),
        ("targets, M3", 98.8),
        ("targets, M4", 98.8),
    ];
    for (column, value) in expected {
        agree(here(&table, "arm-stringsearch", column), value, 0.1);
    }
}

#[test]
fn tables_of_storage_and_streams_match_the_paper() {
    let trace = [workload("arm-stringsearch.pet.zst")];
    let storage = table('B', 5, &trace);
    assert_eq!(here(&storage, "total", "bytes"), 7629.0);
    let streams = table('A', 1, &trace);
    // 3.8 million instructions in streams of 6.8, where the paper's program has 4 million in streams of 6.0.
    for cell in &streams.rows[0].cells {
        let ratio = cell.ratio().unwrap();
        assert!(ratio > 0.5 && ratio < 1.5, "{cell:?}");
    }
}

#[test]
fn chunk_search_finds_the_chunks_of_the_preset() {
    // The chunk sizes of a preset are the best over a set of programs, so one program may save a little.
    let chunks = table('C', 4, &[workload("arm-fft-head.pet.zst")]);
    for preset in ["S0", "M1", "M4", "B4"] {
        let more = here(&chunks, preset, "preset, % more for bCnt");
        assert!((0.0..12.0).contains(&more), "{preset}: {more} %");
    }
}

#[test]
fn cores_share_the_work() {
    let paper = Selection { paper: Some(Paper('E')), ..Selection::default() };
    let folder = tempfile::tempdir().unwrap();
    let all = made(paper, &[head(&folder, "arm-stringsearch.pet.zst")]);
    let place = |name: &str| all.iter().find(|one| one.place.to_string() == name).unwrap();
    let functional = place("Paper E, Table 5");
    let nexus = |cores: &str| here(functional, "arm-stringsearch", &format!("NX_b, N = {cores}"));
    // A core's index takes a bit more with every doubling of the cores.
    assert!(nexus("1") < nexus("2") && nexus("2") < nexus("4") && nexus("4") < nexus("8"));
    let row = &place("Paper E, Figure 14").rows[0];
    assert_eq!((row.label.as_str(), row.cells.len()), ("arm-stringsearch: tNX_b", 64));
    let mean = row.cells.iter().filter_map(|cell| cell.here).sum::<f64>() / 64.0;
    // As many bits in the parts as in the whole.
    let timed = place("Paper E, Table 6");
    agree(mean, 8.0 * here(timed, "arm-stringsearch", "tNX_b, N = 8"), 0.2);
}

#[test]
fn everything_becomes_one_page() {
    let folder = tempfile::tempdir().unwrap();
    let artefacts = made(Selection::default(), &[head(&folder, "rv64-stringsearch.pet.zst")]);
    assert_eq!(artefacts.len(), 28);
    let page = page::html(&artefacts, "Made by a test.").unwrap();
    for artefact in &artefacts {
        assert!(page.contains(&artefact.place.to_string()), "{}", artefact.place);
        assert!(!artefact.rows.is_empty(), "{} is empty", artefact.place);
        let svg = page::svg(artefact);
        assert!(svg.starts_with("<svg") && svg.contains("<style>"), "{}", artefact.place);
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{}", artefact.place);
    }
    let mut values = Vec::new();
    csv::write(&artefacts, &mut values).unwrap();
    let values = String::from_utf8(values).unwrap();
    assert!(values.starts_with("place,row,column,here,paper,ratio,unit\n"));
    assert!(!values.contains("NaN"));
}

#[test]
fn what_does_not_exist_is_refused() {
    let selection = Selection { paper: Some(Paper('A')), table: Some(3), figure: None };
    let error = selection.entries().unwrap_err().to_string();
    assert!(error.starts_with("Paper A, Table 3 is not one of those"), "{error}");
    assert!(error.contains("Paper A, Table 2"), "{error}");
    let unnamed = Selection { table: Some(1), ..Selection::default() }.entries();
    assert!(matches!(unnamed, Err(Error::NumberWithoutPaper)));
    assert!(matches!("f".parse::<Paper>(), Err(Error::NoPaper(_))));
    let nothing: &[PathBuf] = &[];
    let entries = Selection::default().entries().unwrap();
    let none = reproduce(
        &entries,
        &Settings::default(),
        nothing,
        EventLimit::default(),
        &Progress::silent(),
    );
    assert!(matches!(none, Err(Error::NoTraces)));
}
