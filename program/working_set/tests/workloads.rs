//! The programs of `workloads/`: they run, their working sets are what they are said to be, and replays
//! do the same.

use crate::common::{captured, options, program, read, replayed};
use tracewright_sim::event::{Event, Item, Kind};
use tracewright_working_set::{CaptureOptions, Error, What, capture, file, replay};

const PROGRAMS: [&str; 9] =
    ["sort", "crc", "matrix", "search", "interpreter", "lz", "traps", "fft", "words"];

const ISAS: [&str; 2] = ["rv32imac", "rv64imac"];

fn names() -> impl Iterator<Item = String> {
    ISAS.iter().flat_map(|isa| PROGRAMS.iter().map(move |program| format!("{isa}-{program}")))
}

/// The programs check themselves against answers that the same sources gave on another machine.
#[test]
fn the_committed_working_sets_are_those_of_the_committed_programs() {
    for name in names() {
        let captured = capture(&program(&name), &options(), &mut (), |_| {});
        let captured = captured.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(captured.exit, Some(0), "{name}");
        assert_eq!(captured.console, b"right\n", "{name}");
        let bytes = read(&format!("{name}.wset"));
        let kept = file::read(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(kept == captured.working_set, "{name} is not current: make workloads");
        assert!(bytes.len() < 10_000, "{name} has {} bytes", bytes.len());
        replay(&kept, &mut (), |_| {}).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

/// With every size of lines, to the end or a limit.
#[test]
fn a_replay_does_what_the_captured_run_did() {
    for (name, line_bytes) in names().zip([32, 8, 64, 4096, 16, 128].into_iter().cycle()) {
        let options = CaptureOptions { line_bytes, limit: 400_000, ..options() };
        let (captured, items) = captured(&program(&name), &options);
        let working_set = &captured.working_set;
        let totals = working_set.totals;
        let accesses = items.iter().filter(|item| matches!(item, Item::Access(_))).count() as u64;
        assert_eq!(accesses, totals.loads + totals.stores, "{name}");
        let counted: u64 = items.iter().map(instructions).sum();
        assert_eq!(counted, totals.instructions, "{name}");
        let packed = file::write(working_set).expect("a small working set");
        let read = file::read(&packed).expect("what was written");
        assert!(read == *working_set, "{name}");
        assert!(replayed(&read).expect("a whole working set") == items, "{name}");
    }
}

fn instructions(item: &Item) -> u64 {
    match item {
        Item::Event(event) => event.instructions,
        Item::Access(_) | Item::State(_) | Item::Cycles(_) => 0,
    }
}

#[test]
fn a_run_begins_with_a_reset_and_ends_with_an_event() {
    let (captured, items) = captured(&program("rv32imac-traps"), &options());
    let Some(Item::Event(reset)) = items.first() else { panic!("no reset") };
    assert_eq!((reset.kind, reset.instructions, reset.program_counter), (Kind::Exception, 0, 0));
    assert_eq!((reset.taken, reset.target), (true, captured.working_set.registers.program_counter));
    let Some(Item::Event(last)) = items.last() else { panic!("no last event") };
    // The jump to itself after the end.
    assert_eq!((last.kind, last.target), (Kind::DirectJump, last.program_counter));
    // Interrupts, faults and calls: those directly after another event count 0 instructions.
    let traps = items.iter().filter_map(|item| match item {
        Item::Event(event) if event.kind == Kind::Exception => Some(event),
        _ => None,
    });
    let (own, counted): (Vec<&Event>, Vec<&Event>) =
        traps.skip(1).partition(|trap| trap.instructions == 0);
    assert!(own.len() > 100 && counted.len() > 2000, "{} {}", own.len(), counted.len());
}

/// Whichever line is missing, the replay says so, and where.
#[test]
fn a_missing_line_is_named() {
    let (captured, _) = captured(&program("rv64imac-words"), &options());
    let whole = captured.working_set;
    for missing in 0..whole.lines.len() {
        let mut working_set = whole.clone();
        let line = working_set.lines.remove(missing);
        match replayed(&working_set) {
            Err(Error::MissingLine { address, program_counter, number }) => {
                assert_eq!(address, line.address);
                assert!(number >= 1 && number <= whole.totals.instructions);
                assert!(program_counter >= 0x10000);
            }
            other => panic!("{:#x}: {:?}", line.address, other.map(|items| items.len())),
        }
    }
}

/// Inputs that are missing, late or others do not go unnoticed.
#[test]
fn other_inputs_are_found_out() {
    for name in ["rv32imac-words", "rv32imac-traps"] {
        let (captured, _) = captured(&program(name), &options());
        let whole = captured.working_set;
        for place in (0..whole.inputs.len()).step_by(41) {
            let mut working_set = whole.clone();
            working_set.inputs.remove(place);
            assert!(replayed(&working_set).is_err(), "{name} without input {place}");
            // An interrupt that comes one instruction later may lead to the same end.
            if whole.inputs[place].what != What::Interrupt(7) {
                let mut working_set = whole.clone();
                working_set.inputs[place].time += 1;
                assert!(replayed(&working_set).is_err(), "{name} with input {place} late");
            }
        }
    }
}
