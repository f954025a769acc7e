//! How long it takes to find a place in a long run: a table.
//!
//! `cargo bench -p tracewright-debugger --bench seek [-- MILLIONS]`: so many million instructions, 1000 by default, of
//! an interpreter that runs again and again.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a benchmark fails by panicking")]

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use tracewright_debugger::Error;
use tracewright_debugger::recording::{Breakpoints, Player, Recorder};
use tracewright_image::Image;
use tracewright_sim::event::{Access, Event};
use tracewright_view::OfContext;
use tracewright_working_set::{Sink, file, replay};

/// Places that are visited.
const PLACES: u64 = 200;

/// The events of one run.
#[derive(Default)]
struct Events(Vec<Event>);

impl Sink for Events {
    type Error = Error;

    const DATA: bool = false;

    fn event(&mut self, event: &Event) -> Result<(), Error> {
        self.0.push(*event);
        Ok(())
    }

    fn access(&mut self, _: &Access) -> Result<(), Error> {
        Ok(())
    }
}

fn main() {
    let number = std::env::args().skip(1).find_map(|argument| argument.parse().ok());
    // Without it, `cargo test --benches` only wants to see it run.
    let is_measuring = std::env::args().any(|argument| argument == "--bench");
    let millions: u64 = number.unwrap_or(if is_measuring { 1000 } else { 3 });
    let workloads = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../workloads");
    let image = Image::open(&workloads.join("rv32imac-interpreter.elf"), 0).unwrap();
    let working_set = std::fs::read(workloads.join("rv32imac-interpreter.wset")).unwrap();
    let mut events = Events::default();
    replay(&file::read(&working_set).unwrap(), &mut events, |_| {}).unwrap();
    let entry = image.entry();
    let function = image.functions().find(|function| function.name == "program").unwrap().address;
    let program = OfContext { context: None, image: Arc::new(image), entry };

    let begin = Instant::now();
    let mut recorder = Recorder::new(&[program], false);
    let mut instructions = 0;
    while instructions < millions * 1_000_000 {
        for event in &events.0 {
            recorder.event(event).unwrap();
            instructions += event.instructions;
        }
    }
    let recording = recorder.finish().unwrap();
    say("instructions", instructions as f64 / 1e6, "million");
    say("open", begin.elapsed().as_secs_f64(), "s");
    say("kept", recording.size() as f64 / 1e6, "MB");
    seek(&mut Player::new(recording).unwrap(), instructions, function);
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = peak.and_then(|text| text.trim().trim_end_matches(" kB").parse().ok());
    say("memory at most", kilobytes.unwrap_or(f64::NAN) / 1e3, "MB");
}

fn seek(player: &mut Player, instructions: u64, function: u64) {
    let mut slowest = 0f64;
    let begin = Instant::now();
    for place in 0..PLACES {
        let begin = Instant::now();
        player.go_to(place.wrapping_mul(0x9e37_79b9_7f4a_7c15) % instructions).unwrap();
        assert!(!player.open_calls(0).is_empty());
        slowest = slowest.max(begin.elapsed().as_secs_f64());
    }
    say("go to an instruction, mean", begin.elapsed().as_secs_f64() / PLACES as f64 * 1e3, "ms");
    say("go to an instruction, slowest", slowest * 1e3, "ms");
    let mut at = Breakpoints::default();
    at.add(function);
    let begin = Instant::now();
    let found = player.find_back(u64::MAX, &mut at).unwrap().expect("a call");
    player.go_to(found.position).unwrap();
    say("from the end to the last call of a function", begin.elapsed().as_secs_f64() * 1e3, "ms");
    // The first instruction runs once in each run; an address in no block is never found.
    let mut nowhere = Breakpoints::default();
    nowhere.add(1);
    let begin = Instant::now();
    assert_eq!(player.find_back(u64::MAX, &mut nowhere).unwrap(), None);
    say("from the end to the beginning", begin.elapsed().as_secs_f64() * 1e3, "ms");
    player.go_to(instructions / 2).unwrap();
    let begin = Instant::now();
    for step in 1..=PLACES {
        player.go_to(instructions / 2 - step).unwrap();
        player.open_calls(0);
    }
    say("a step back, mean", begin.elapsed().as_secs_f64() / PLACES as f64 * 1e3, "ms");
}

fn say(what: &str, figure: f64, unit: &str) {
    println!("{what:44} {figure:10.3} {unit}");
}
