//! The worst programs that searches found for each preset of Talon: what they cost is what docs/worst_case.md says, and
//! the hardware sends what the model does. Each design is co-simulated on one program, and in `make long-tests` on all.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use tracewright_sim::event_limit::EventLimit;
use tracewright_sim::scheme::Design;
use tracewright_sim::synthetic::script::{MACHINE, Script};
use tracewright_sim::trace_io::{Extensions, Writer, WriterOptions};
use tracewright_verification::measurement::measure;
use tracewright_verification::{Progress, Source, cosimulate};

use crate::{is_long, stalled, trace};

const EVENTS: usize = 10_000;
const COSIMULATED: u64 = 4_000;

/// A script: its file, the design for which it is bad, and the ratio that it states.
struct Worst {
    file: String,
    design: String,
    ratio: String,
    script: Script,
}

fn worst() -> Vec<Worst> {
    let folder = fs::read_dir(trace("worst")).expect("the scripts");
    let mut paths: Vec<PathBuf> = folder.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("a script");
        let mut words = text.lines().next().expect("a comment").split(' ').skip(1);
        Worst {
            file: path.file_name().expect("a name").to_string_lossy().into_owned(),
            design: words.next().expect("a design").into(),
            ratio: words.nth(1).expect("a ratio").into(),
            script: text.parse().expect("a script"),
        }
    };
    paths.into_iter().map(read).collect()
}

fn write(script: &Script, folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(name).with_extension("pet");
    let options = WriterOptions { extensions: Extensions::LENGTHS, ..WriterOptions::default() };
    let mut writer =
        Writer::new(File::create(&path).expect("a file"), MACHINE, options).expect("a machine");
    script.run().expect("a program").take(EVENTS).for_each(|event| {
        writer.write(&event).expect("an event");
    });
    writer.finish().expect("a trace");
    path
}

#[test]
fn worst_programs_cost_what_the_page_says() {
    let page = trace("../docs/worst_case.md");
    let page = fs::read_to_string(page).expect("the page");
    let folder = tempfile::tempdir().expect("a folder");
    let mut designs = BTreeSet::new();
    for Worst { file, design, ratio, script } in worst() {
        let path = write(&script, folder.path(), &file);
        let both = [&*design, "traptor-m4"].map(|name| Design::preset(name).expect("a preset"));
        let silent = Progress::silent();
        let traces = std::slice::from_ref(&path);
        let measured = measure(&both, traces, EventLimit::default(), &silent).expect("figures");
        let found = measured[0].bits as f64 / measured[1].bits as f64;
        assert_eq!(format!("{found:.2}"), ratio, "{file}");
        let row = page.lines().find(|line| line.starts_with(&format!("| `{design}` |")));
        let says = row.is_some_and(|row| row.contains(&format!(" {ratio} ")));
        assert!(says, "{file}, {ratio}: {row:?}");
        if designs.insert(design) || is_long() {
            let source = Source::trace(path, Some(COSIMULATED), EventLimit::default());
            let workload = source.learn(&silent).expect("a program");
            let design = workload.design(&both[0]).expect("a design for its machine");
            let done = cosimulate(&stalled(5), &design, &workload, &silent).expect("the tools");
            assert_eq!((done.failure, done.decoded_equal), (None, Some(true)), "{file}");
        }
    }
    assert_eq!(designs.len(), 7, "{designs:?}");
}
