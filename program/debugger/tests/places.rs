//! Every kind of search, against all instructions of a run in their order.

use std::path::Path;
use std::sync::Arc;

use tracewright_debugger::Error;
use tracewright_debugger::recording::{Breakpoints, Found, Player, Recorder, Recording};
use tracewright_image::Image;
use tracewright_sim::event::{Access, Event};
use tracewright_view::{OfContext, Walker};
use tracewright_working_set::{Sink, WorkingSet, file, replay};

/// A run, and the address of each of its instructions.
struct Whole {
    events: Vec<Event>,
    addresses: Vec<u64>,
    walker: Walker,
}

impl Sink for Whole {
    type Error = Error;

    const DATA: bool = false;

    fn event(&mut self, event: &Event) -> Result<(), Error> {
        self.events.push(*event);
        let step = self.walker.step(event).unwrap();
        self.addresses.extend(self.walker.program_counters(&step));
        Ok(())
    }

    fn access(&mut self, _: &Access) -> Result<(), Error> {
        Ok(())
    }
}

fn workload(name: &str) -> (OfContext, WorkingSet) {
    let workloads = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../workloads");
    let image = Image::open(&workloads.join(format!("{name}.elf")), 0).unwrap();
    let entry = image.entry();
    let bytes = std::fs::read(workloads.join(format!("{name}.wset"))).unwrap();
    let program = OfContext { context: None, image: Arc::new(image), entry };
    (program, file::read(&bytes).unwrap())
}

fn whole(program: &OfContext, working_set: &WorkingSet) -> Whole {
    let walker = Walker::new(program.image.clone(), Some(program.entry));
    let mut whole = Whole { events: Vec::new(), addresses: Vec::new(), walker };
    replay(working_set, &mut whole, |_| {}).unwrap();
    whole
}

fn recorded(program: &OfContext, whole: &Whole) -> Recording {
    let mut recorder = Recorder::new(std::slice::from_ref(program), false);
    whole.events.iter().for_each(|event| recorder.event(event).unwrap());
    recorder.finish().unwrap()
}

/// Places all over a run, in no order, and some next to each other.
fn positions(instructions: u64) -> Vec<u64> {
    let spread = (0..60u64).map(|place| place.wrapping_mul(0x9e37_79b9_7f4a_7c15) % instructions);
    let near = |place: u64| [place, place.saturating_sub(1), place + 1, place.saturating_sub(900)];
    spread.flat_map(near).chain([0, instructions - 1, instructions, 0]).collect()
}

#[test]
fn every_place_is_found() {
    let (program, working_set) = workload("rv32imac-interpreter");
    let whole = whole(&program, &working_set);
    let recording = recorded(&program, &whole);
    let instructions = recording.instructions();
    assert_eq!(instructions, whole.addresses.len() as u64);
    let mut player = Player::new(recording).unwrap();
    for position in positions(instructions) {
        player.go_to(position).unwrap();
        let expected = whole.addresses.get(position as usize).copied();
        assert!(expected.is_none() || player.program_counter(0) == expected, "{position}");
        assert_eq!(player.position(), position.min(instructions));
    }
}

/// The open calls are the same whichever way a place is come to.
#[test]
fn calls_do_not_depend_on_the_way() {
    let (program, working_set) = workload("rv32imac-traps");
    let whole = whole(&program, &working_set);
    let recording = || recorded(&program, &whole);
    let (mut near, mut far) =
        (Player::new(recording()).unwrap(), Player::new(recording()).unwrap());
    let instructions = near.recording().instructions();
    for position in positions(instructions) {
        near.go_to(position.saturating_sub(3)).unwrap();
        near.go_to(position).unwrap();
        far.go_to(instructions).unwrap();
        far.go_to(position).unwrap();
        assert_eq!(near.open_calls(0), far.open_calls(0), "{position}");
    }
}

#[test]
fn breakpoints_are_found_in_both_directions() {
    let (program, working_set) = workload("rv32imac-interpreter");
    let whole = whole(&program, &working_set);
    let recording = recorded(&program, &whole);
    let instructions = recording.instructions();
    let mut player = Player::new(recording).unwrap();
    for place in positions(instructions).into_iter().step_by(12) {
        let Some(address) = whole.addresses.get(place as usize) else { continue };
        let mut at = Breakpoints::default();
        assert!(at.add(*address) && !at.add(*address));
        for from in [0, place, place + 1, instructions] {
            let (before, after) = whole.addresses.split_at(from as usize);
            let next = after.iter().position(|it| it == address).map(|it| it as u64 + from);
            let last = before.iter().rposition(|it| it == address).map(|it| it as u64);
            let found = |position| Found { position, number: 0 };
            assert_eq!(player.find(from, &mut at).unwrap(), next.map(found));
            assert_eq!(player.find_back(from, &mut at).unwrap(), last.map(found));
        }
    }
}

/// Two threads in turns: each position is of the thread that retires its instruction.
#[test]
fn threads_in_turns() {
    let (program, working_set) = workload("rv32imac-traps");
    let whole = whole(&program, &working_set);
    let mut recorder = Recorder::new(std::slice::from_ref(&program), false);
    let mut order = Vec::new();
    let parts = whole.events.chunks(37).flat_map(|part| [(0, part), (1, part)]);
    for (thread, part) in parts.take(400) {
        for event in part {
            recorder.event(&Event { thread, ..*event }).unwrap();
            order.extend((0..event.instructions).map(|_| usize::from(thread)));
        }
    }
    let mut player = Player::new(recorder.finish().unwrap()).unwrap();
    for position in positions(order.len() as u64) {
        player.go_to(position).unwrap();
        let Some(number) = order.get(position as usize) else { continue };
        assert_eq!(player.here().number, *number, "{position}");
        let other = 1 - number;
        let (before, after) = order.split_at(position as usize);
        let next = after.iter().position(|it| *it == other).map(|it| it as u64 + position);
        let last = before.iter().rposition(|it| *it == other).map(|it| it as u64);
        assert_eq!(player.next_of(other, position).unwrap(), next);
        assert_eq!(player.last_of(other, position).unwrap(), last);
    }
}

#[test]
fn nothing_cannot_be_debugged() {
    let (program, _) = workload("rv32imac-traps");
    let recorder = Recorder::new(&[program], false);
    assert!(matches!(recorder.finish(), Err(Error::Empty)));
}
