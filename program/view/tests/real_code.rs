//! Random walks through the code of real programs: whatever way an execution takes, every instruction is counted once.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::common::{Random, walk};
use tracewright_image::Image;
use tracewright_sim::event::Event;
use tracewright_view::functions::{FunctionCount, Functions};
use tracewright_view::lines::Lines;
use tracewright_view::listing::{Listing, Window};
use tracewright_view::profile::Counts;
use tracewright_view::timeline::{Limits, Timeline};
use tracewright_view::{OfContext, Seen, Views, Walker, annotate, coverage, loops};

const EVENTS: usize = 5000;

fn image(name: &str) -> Arc<Image> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../workloads").join(name);
    Arc::new(Image::open(&path, 0).unwrap_or_else(|error| panic!("{error}")))
}

#[test]
fn every_view_has_every_instruction() {
    for name in ["rv32imac-traps.elf", "rv32imac-interpreter.elf", "rv64imac-sort.elf"] {
        for seed in 0..4 {
            check(&image(name), seed);
        }
    }
}

/// The program of all contexts.
fn only(image: &Arc<Image>) -> OfContext {
    OfContext { context: None, image: image.clone(), entry: image.entry() }
}

fn check(image: &Arc<Image>, seed: u64) {
    let starts: Vec<u64> = image.functions().map(|symbol| symbol.address).collect();
    let (events, walked) = walk(&**image, &starts, EVENTS, &mut Random(seed));

    let mut walker = Walker::new(image.clone(), None);
    let mut found = Vec::new();
    for event in &events {
        let step = walker.step(event).unwrap_or_else(|error| panic!("{error}"));
        found.extend(walker.program_counters(&step));
    }
    assert!(found == walked);

    let everything = Window::From { from: 0, count: u64::MAX };
    let limits = Limits { depth: 30, shortest: 2 };
    let timeline = Timeline::new(Vec::new(), "walk", limits).expect("a timeline");
    let listing = Listing::new(Vec::new(), [&**image], everything);
    let mut views = Views::new(&[only(image)], false, Some(listing), Some(timeline));
    for event in &events {
        views.event(event).unwrap_or_else(|error| panic!("{error}"));
    }
    let mut seen = views.finish().unwrap_or_else(|error| panic!("{error}"));

    let counts = &seen.counts[0];
    assert_counts_are_of(counts, &walked);
    let executed: u64 = counts.sites.iter().map(|site| site.executed).sum();
    assert!(executed < EVENTS as u64 && executed + counts.exceptions >= EVENTS as u64 - 1);
    let listing = text(seen.listing.take().expect("a listing"));
    let listed = listing.lines().filter(|line| {
        line.split_whitespace().next().is_some_and(|word| word.parse::<u64>().is_ok())
    });
    assert_eq!(listed.count(), walked.len());

    let folded = seen.tree.folded(&seen.names);
    let count = |line: &str| line.rsplit_once(' ').and_then(|(_, count)| count.parse::<u64>().ok());
    assert_eq!(folded.iter().filter_map(|line| count(line)).sum::<u64>(), walked.len() as u64);

    let timeline = seen.timeline.take().expect("a timeline").finish().expect("a whole timeline");
    assert_is_nested(&text(timeline));
    assert_functions_have(image, &seen, walked.len() as u64);
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("text")
}

/// The numbered lines of a listing of a walk that ends before its last branch, without the remarks about branches.
fn listed(image: &Arc<Image>, events: &[Event], window: Window) -> (Vec<String>, Counts) {
    let listing = Listing::new(Vec::new(), [&**image], window);
    let mut views = Views::<_, Vec<u8>>::new(&[only(image)], false, Some(listing), None);
    let (last, before) = events.split_last().expect("events");
    for event in before {
        views.event(event).unwrap_or_else(|error| panic!("{error}"));
    }
    views.trail(last.instructions - 1).unwrap_or_else(|error| panic!("{error}"));
    let seen = views.finish().unwrap_or_else(|error| panic!("{error}"));
    let text = text(seen.listing.expect("a listing"));
    let is_numbered = |line: &&str| line.trim_start().starts_with(|c: char| c.is_ascii_digit());
    let lines = text.lines().filter(is_numbered);
    (
        lines.map(|line| line.split("  ;").next().unwrap_or(line).to_owned()).collect(),
        seen.counts[0].clone(),
    )
}

#[test]
fn the_last_instructions_are_listed_with_those_that_have_no_event() {
    let image = image("rv32imac-traps.elf");
    let starts: Vec<u64> = image.functions().map(|symbol| symbol.address).collect();
    let (mut events, mut walked) = walk(&*image, &starts, 500, &mut Random(1));
    while events.last().is_some_and(|event| event.instructions < 4) {
        walked.truncate(walked.len() - events.pop().map_or(0, |event| event.instructions as usize));
    }
    walked.truncate(events.iter().map(|event| event.instructions as usize).sum::<usize>() - 1);
    let (all, counts) = listed(&image, &events, Window::From { from: 0, count: u64::MAX });
    let address = |line: &String| {
        let address = line.split_whitespace().nth(1).map(|word| u64::from_str_radix(word, 16));
        address.expect("an address").expect("an address")
    };
    assert!(all.iter().map(address).eq(walked.iter().copied()));
    assert_counts_are_of(&counts, &walked);
    for count in [0, 1, 2, 50, walked.len() - 1, walked.len(), 2 * walked.len()] {
        let (last, _) = listed(&image, &events, Window::Last(count as u64));
        assert_eq!(last, all[all.len().saturating_sub(count)..], "the last {count}");
    }
}

/// Every instruction of the walk is counted as often as it ran.
fn assert_counts_are_of(counts: &Counts, walked: &[u64]) {
    let mut expected: BTreeMap<u64, u64> = BTreeMap::new();
    for address in walked {
        *expected.entry(*address).or_default() += 1;
    }
    assert!(counts.instructions == expected.into_iter().collect::<Vec<_>>());
    assert_eq!(counts.total, walked.len() as u64);
}

/// The functions, their loops and their annotated code have all instructions.
fn assert_functions_have(image: &Arc<Image>, seen: &Seen<Vec<u8>, Vec<u8>>, instructions: u64) {
    let counts = &seen.counts[0];
    let functions = Functions::new(image, counts);
    let of_functions = FunctionCount::all(seen);
    let own: u64 = of_functions.iter().map(|function| function.instructions).sum();
    assert_eq!(own, instructions);
    let all = |total: u64| total <= instructions;
    assert!(of_functions.iter().all(|one| one.total >= one.instructions && all(one.total)));
    let hot = loops::loops(image, counts, &functions, &mut Lines::of_image(image));
    assert!(hot.iter().all(|one| one.instructions >= one.iterations && one.address <= one.end));

    let mut annotated = Vec::new();
    annotate::annotate(image, counts, &functions, &of_functions, &mut annotated)
        .expect("annotated code");
    let of_line = |line: &str| line.get(..14)?.trim().parse::<u64>().ok();
    assert_eq!(text(annotated).lines().filter_map(of_line).sum::<u64>(), instructions);

    let mut info = Vec::new();
    coverage::lcov(image, counts, &mut info).expect("coverage");
    assert!(text(info).lines().any(|line| line.starts_with("DA:")));
}

/// Calls begin and end in order, one inside the other.
fn assert_is_nested(timeline: &str) {
    let json: serde_json::Value = serde_json::from_str(timeline).expect("JSON");
    let (mut open, mut clock) = (Vec::new(), 0);
    for event in json["traceEvents"].as_array().expect("events") {
        let name = event["name"].as_str().expect("a name");
        let at = event["ts"].as_u64();
        match event["ph"].as_str() {
            Some("B") => open.push((name, at)),
            Some("E") => {
                let (begun, since) = open.pop().expect("a call that began");
                assert_eq!(begun, name);
                assert!(at >= since.map(|since| since + 2));
            }
            _ => continue,
        }
        assert!(at >= Some(clock));
        clock = at.unwrap_or(clock);
    }
    assert!(open.is_empty());
}
