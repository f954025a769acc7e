//! What is read and written quickly because it came before is what it would be one by one.

use std::io::Cursor;

use tracewright_sim::bits_file::Fingerprint;
use tracewright_sim::event::{Event, Item, Kind, Machine};
use tracewright_sim::program::{CallLengths, ProgramBuilder};
use tracewright_sim::synthetic::{Options, Synthetic};
use tracewright_sim::trace_io::{
    Error, Extensions, Format, Learner, Reader, Repeated, Writer, WriterOptions,
};

use super::{ARM, RISCV, write};

/// Items that are read together, so few that blocks end everywhere.
const BLOCK: usize = 97;

fn synthetic(seed: u64, threads: u8) -> (Machine, Vec<Event>) {
    let options = Options { events: 12_000, threads, ..Options::from_seed(seed) };
    (options.machine, Synthetic::new(options).expect("legal options").collect())
}

fn reader(bytes: &[u8]) -> Reader {
    Reader::new(Cursor::new(bytes.to_vec())).expect("a header")
}

/// All events, and the error after them.
fn one_by_one(bytes: &[u8]) -> (Vec<Item>, Option<String>) {
    let mut items = Vec::new();
    for item in reader(bytes).items() {
        match item {
            Ok(item) => items.push(item),
            Err(error) => return (items, Some(error.to_string())),
        }
    }
    (items, None)
}

/// The same, read in blocks, and the fingerprint of the reader.
fn in_blocks(bytes: &[u8]) -> (Vec<Item>, Option<String>, Fingerprint) {
    let (mut reader, mut block, mut items) = (reader(bytes), Vec::new(), Vec::new());
    reader.follow_fingerprint(false);
    loop {
        let read = reader.read(&mut block, BLOCK);
        items.extend_from_slice(&block);
        let fingerprint = reader.fingerprint().expect("it is followed");
        match read {
            Err(error) => return (items, Some(error.to_string()), fingerprint),
            Ok(()) if block.len() < BLOCK => return (items, None, fingerprint),
            Ok(()) => {}
        }
    }
}

fn fingerprint_of(items: &[Item]) -> Fingerprint {
    let mut fingerprint = Fingerprint::default();
    for item in items {
        if let Item::Event(event) = item {
            fingerprint.add(event);
        }
    }
    fingerprint
}

/// Learns a program and counts.
struct Learning {
    builder: ProgramBuilder,
    events: u64,
    instructions: u64,
    given: u64,
}

impl Learning {
    fn new(machine: Machine) -> Self {
        Self { builder: ProgramBuilder::new(machine), events: 0, instructions: 0, given: 0 }
    }
}

/// What a learner fails with.
#[derive(Debug)]
struct Failure(String);

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure(error.to_string())
    }
}

impl Learner for Learning {
    type Error = Failure;

    fn item(&mut self, item: &Item) -> Result<(), Failure> {
        let Item::Event(event) = item else { return Ok(()) };
        (self.events, self.given) = (self.events + 1, self.given + 1);
        self.instructions += event.instructions;
        self.builder.event(event).map_err(|error| Failure(error.to_string()))
    }

    fn repeated(&mut self, repeated: &Repeated) {
        self.events += repeated.events;
        self.instructions += repeated.instructions;
        self.builder.pass_over(repeated.events, &repeated.last);
    }
}

/// The program of a trace, or its first error; and the events that were given.
fn learned(bytes: &[u8]) -> (Result<String, String>, u64) {
    let mut reader = reader(bytes);
    let mut learning = Learning::new(reader.machine());
    let learned = reader.learn(&mut learning);
    let result = learned.map_err(|Failure(what)| what).and_then(|()| {
        assert_eq!(learning.events, reader.events());
        assert_eq!(learning.instructions, reader.instructions());
        let program = learning.builder.finish().map_err(|error| error.to_string())?;
        Ok(format!("{program:?}"))
    });
    (result, learning.given)
}

/// The same from each event.
fn learned_one_by_one(bytes: &[u8]) -> Result<String, String> {
    let mut reader = reader(bytes);
    let mut builder = ProgramBuilder::new(reader.machine());
    while let Some(event) = reader.next_event().map_err(|error| error.to_string())? {
        builder.event(&event).map_err(|error| error.to_string())?;
    }
    Ok(format!("{:?}", builder.finish().map_err(|error| error.to_string())?))
}

fn check(bytes: &[u8]) {
    let (items, error) = one_by_one(bytes);
    let (blocks, error_of_blocks, fingerprint) = in_blocks(bytes);
    assert!(items == blocks);
    assert_eq!(error, error_of_blocks);
    assert_eq!(fingerprint, fingerprint_of(&items));
    assert_eq!(learned(bytes).0, learned_one_by_one(bytes));
}

#[test]
fn blocks_and_programs_are_those_of_single_events() {
    for seed in 0..10 {
        let threads = 1 + (seed % 5) as u8;
        let (machine, events) = synthetic(seed, threads);
        for extensions in [
            Extensions { threads: threads > 4, ..Extensions::NONE },
            Extensions { lengths: true, threads: threads > 2, ..Extensions::NONE },
        ] {
            check(&write(machine, &events, Format::Pet1, extensions).expect("valid events"));
        }
    }
}

#[test]
fn most_of_a_program_that_loops_is_passed_over() {
    let (machine, events) = synthetic(1, 1);
    let events = events.repeat(3);
    let bytes = write(machine, &events, Format::Pet1, Extensions::NONE).expect("valid events");
    let mut reader = reader(&bytes);
    let mut learning = Learning::new(machine);
    // A program cannot begin anew, which is found where it does.
    let failure = reader.learn(&mut learning).map_err(|Failure(what)| what);
    assert_eq!(failure.err(), learned_one_by_one(&bytes).err());
    assert!(learning.given < 6_000, "{} events of 12,000", learning.given);
}

#[test]
fn damage_is_found_at_the_same_place() {
    let (machine, events) = synthetic(3, 1);
    let bytes = write(machine, &events, Format::Pet1, Extensions::NONE).expect("valid events");
    for step in 0..150 {
        let mut damaged = bytes.clone();
        let at = 16 + (step * 7_919) % (damaged.len() - 16);
        damaged[at] ^= 1 << (step % 8);
        if step % 5 == 0 {
            damaged.truncate(at);
        }
        check(&damaged);
    }
}

/// A taken jump to address 0 is no branch that is not taken, and a jump to the last address is like none.
#[test]
fn where_an_event_leads_to_is_not_mistaken() {
    let machine = Machine { alignment: 0, ..RISCV };
    let branch = |taken, target| Event {
        instructions: 2,
        program_counter: 0x10,
        target,
        kind: Kind::IndirectConditional,
        taken,
        ..Event::straight_run(2, 0x10)
    };
    let after = Event {
        instructions: 3,
        program_counter: 0x20,
        target: 0x8,
        kind: Kind::DirectJump,
        taken: true,
        ..Event::straight_run(3, 0x20)
    };
    let turns = [branch(true, 0), after, branch(false, 0), after, branch(true, u64::MAX), after];
    let events: Vec<Event> = turns.iter().copied().cycle().take(600).collect();
    check(&write(machine, &events, Format::Pet1, Extensions::NONE).expect("valid events"));
}

#[test]
fn calls_get_the_lengths_that_were_inferred() {
    for machine in [RISCV, ARM] {
        let options = Options { events: 5_000, machine, ..Options::from_seed(4) };
        let events: Vec<Event> = Synthetic::new(options).expect("legal options").collect();
        for format in [Format::Pet1, Format::Text] {
            let bytes = write(machine, &events, format, Extensions::NONE).expect("valid events");
            let mut lengths = CallLengths::new(machine);
            let (mut items, _) = one_by_one(&bytes);
            lengths.items(&items);
            lengths.complete_items(&mut items);
            let (mut reader, mut found, mut block) = (reader(&bytes), Vec::new(), Vec::new());
            // What was read before has not been completed.
            reader.read(&mut block, BLOCK).expect("a sound trace");
            let before = block.len();
            reader.complete_calls(lengths);
            loop {
                reader.read(&mut block, BLOCK).expect("a sound trace");
                found.extend_from_slice(&block);
                if block.len() < BLOCK {
                    break;
                }
            }
            assert!(items[before..] == found);
        }
    }
}

#[test]
fn items_that_are_written_together_are_as_one_by_one() {
    for seed in 0..8 {
        let (machine, events) = synthetic(seed, 1 + (seed % 5) as u8);
        let items: Vec<Item> = events.iter().copied().map(Item::Event).collect();
        for format in [Format::Pet1, Format::Text] {
            let extensions =
                Extensions { lengths: seed % 2 == 0, threads: seed % 5 == 4, ..Extensions::NONE };
            let expected = write(machine, &events, format, extensions).expect("valid events");
            let options = WriterOptions { format, extensions, ..WriterOptions::default() };
            let mut writer = Writer::new(Vec::new(), machine, options).expect("a machine");
            writer.follow_fingerprint();
            for block in items.chunks(BLOCK * 3) {
                writer.write_items(block).expect("valid items");
            }
            assert_eq!(writer.events(), events.len() as u64);
            assert_eq!(writer.instructions(), events.iter().map(|one| one.instructions).sum());
            assert_eq!(writer.fingerprint(), Some(fingerprint_of(&items)));
            assert!(writer.finish().expect("memory takes all") == expected);
        }
    }
}

#[test]
fn an_invalid_item_among_others_is_refused_as_alone() {
    let bad = Event::straight_run(0, 0);
    let jump =
        Event { kind: Kind::DirectJump, target: 0x10, taken: true, ..Event::straight_run(1, 0x10) };
    let mut items = vec![Item::Event(jump); 300];
    items[200] = Item::Event(bad);
    let mut one = Writer::new(Vec::new(), RISCV, WriterOptions::default()).expect("a machine");
    let alone = items.iter().try_for_each(|item| one.write_item(item));
    let mut all = Writer::new(Vec::new(), RISCV, WriterOptions::default()).expect("a machine");
    let together = all.write_items(&items);
    assert_eq!(alone.map_err(|e| e.to_string()), together.map_err(|e| e.to_string()));
    assert_eq!(one.events(), all.events());
}
