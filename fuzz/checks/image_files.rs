//! Any text as a list of a program's files, or as a list of the changes of its code.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use tracewright_image::changes::{self, Change, Changes, Version};
use tracewright_image::{Image, list};
use tracewright_sim::code::{ChangingCode, Code};
use tracewright_sim::decode::error::DecodeError;
use tracewright_sim::encode::bit_packer::{BitPacker, BitUnpacker};
use tracewright_sim::event::{Event, Kind, Machine};
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::packet::part::Part;
use tracewright_sim::program::Program;
use tracewright_sim::scheme::{self, Design, DesignError, Encoder};

/// Programs of 32 and of 64 bits.
static IMAGES: LazyLock<[Image; 2]> = LazyLock::new(|| {
    ["rv32imac-traps.elf", "rv64imac-traps.elf"].map(|name| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
        let mut found = folder.map(|folder| folder.join("workloads").join(name));
        let file = found.find(|file| file.exists()).expect("the workloads");
        Image::open(&file, 0).expect("an ELF file")
    })
});

/// The events of a walk, and the instructions before each.
const EVENTS: u64 = 40;
const INSTRUCTIONS: u64 = 64;

/// Reads the text as the command does, and follows the changes. True if it is valid.
pub fn check(input: &[u8]) -> bool {
    let path = Path::new("run.images");
    if input.starts_with(changes::MAGIC.as_bytes()) {
        let Ok(read) = Changes::read(input, path) else { return false };
        let mut text = Vec::new();
        read.write(&mut text).expect("memory takes all");
        assert_eq!(Changes::read(text.as_slice(), path).expect("what was written"), read);
        IMAGES.iter().for_each(|image| follow(image, &read));
        return true;
    }
    let Ok(text) = std::str::from_utf8(input) else { return false };
    let Ok(files) = list::read(text, path) else { return false };
    let lines: String = files.iter().map(|file| format!("{file}\n")).collect();
    assert_eq!(list::read(&lines, path).expect("what was written"), files);
    true
}

/// The changes with bytes in place of files, which a fuzzer must not open.
fn without_files(changes: &Changes) -> Changes {
    let version = |version: &Version| match version {
        Version::File { path, load_address } => {
            let bytes = path.as_os_str().as_encoded_bytes().to_vec();
            let most = u64::MAX - bytes.len() as u64;
            Version::Bytes { address: most.min(*load_address), bytes, is_patch: false }
        }
        bytes @ Version::Bytes { .. } => bytes.clone(),
    };
    Changes {
        versions: changes.versions.iter().map(version).collect(),
        threads: changes.threads.clone(),
    }
}

fn follow(image: &Image, changes: &Changes) {
    let mut image = image.clone();
    let changes = without_files(changes);
    image.follow(changes.clone()).expect("bytes need no file");
    let image = Arc::new(image);
    for thread in 0..changes.threads.len().min(9) as u8 {
        every_change(&image, &changes, thread);
    }
    walk(&image);
}

/// Each change is there when the thread meets it.
fn every_change(image: &Arc<Image>, changes: &Changes, thread: u8) {
    let mut code = Arc::clone(image).changing(thread).expect("code that changes");
    let list = &changes.threads[usize::from(thread)];
    for (index, Change { event, version }) in list.iter().enumerate() {
        code.advance(*event);
        if list.get(index + 1).is_some_and(|next| next.event == *event) {
            continue;
        }
        let later = list.get(index + 1).map_or(u64::MAX, |next| next.event);
        assert_eq!(code.next_change(), later);
        let Version::Bytes { address, bytes, is_patch } = &changes.versions[*version as usize]
        else {
            continue;
        };
        let address = address & (u64::MAX >> (64 - image.machine().address_bits));
        let end = address + bytes.len() as u64;
        assert!(code.is(address, bytes) && code.read(address, bytes.len()) == *bytes);
        assert!(!code.is_fixed(address..end));
        assert!(*is_patch || code.file(address).is_none());
        for at in [address, address.wrapping_sub(2), end] {
            code.instruction(at);
        }
    }
}

/// An execution that follows the code, which a trace gives back.
fn walk(image: &Arc<Image>) {
    let machine = image.machine();
    let mut events = execution(image);
    let mut design = Design::preset("traptor-m4").expect("a preset");
    design.set("address_width", &machine.address_bits.to_string()).expect("a legal value");
    let design = design.for_machine(machine).expect("a legal design");
    let mut encoder = Encoder::new(&design).expect("a legal design");
    let mut packer = BitPacker::new();
    for event in &events {
        encoder.event(event, &mut packer).expect("a design that fits the machine");
    }
    encoder.flush(&mut packer);
    let bits = packer.finish();
    let code: Arc<dyn Code> = Arc::clone(image) as _;
    let program = Program::of_code(machine, code, Some(image.entry())).expect("a program");
    let mut back = Vec::new();
    let most = EVENTS * INSTRUCTIONS;
    scheme::decode(&design, &program, &mut BitUnpacker::new(bits.as_slice()), most, |event| {
        back.push(event);
        Ok::<(), Wrong>(())
    })
    .expect("the trace of an execution");
    // The decoder gives the lengths of calls only.
    events.iter_mut().filter(|event| !event.call).for_each(|event| event.length = 0);
    assert_eq!(back, events);
    beginning_is_missing(&design, &program, &events);
}

/// Of a trace whose beginning is missing nothing is decoded, because how often the code has changed is not known.
fn beginning_is_missing(design: &Design, program: &Program, events: &[Event]) {
    let mut design = design.clone();
    design.set("framing", "packets").expect("a legal value");
    let mut encoder = Encoder::new(&design).expect("a legal design");
    let (missing, rest) = events.split_at(events.len() / 2);
    for event in missing {
        encoder.event(event, &mut BitPacker::new()).expect("a design that fits the machine");
    }
    encoder.flush(&mut BitPacker::new());
    let mut packer = BitPacker::new();
    for event in rest {
        encoder.event(event, &mut packer).expect("a design that fits the machine");
    }
    encoder.flush(&mut packer);
    let bits = packer.finish();
    let mut decoded = 0;
    let most = EVENTS * INSTRUCTIONS;
    scheme::decode_packets(
        &design,
        program,
        &mut BitUnpacker::new(bits.as_slice()),
        most,
        |part| {
            decoded += u32::from(matches!(part, Part::Event(_)));
            Ok::<(), Wrong>(())
        },
    )
    .expect("a trace");
    assert!(missing.is_empty() || decoded == 0, "{decoded} events");
}

/// What went wrong in a trace that is right.
#[derive(Debug)]
#[expect(dead_code, reason = "for the message of a finding")]
enum Wrong {
    Trace(DecodeError),
    Design(DesignError),
}

impl From<DecodeError> for Wrong {
    fn from(error: DecodeError) -> Self {
        Wrong::Trace(error)
    }
}

impl From<DesignError> for Wrong {
    fn from(error: DesignError) -> Self {
        Wrong::Design(error)
    }
}

/// The first events of thread 0, which takes every second conditional branch and returns to the entry by every
/// indirect one.
fn execution(image: &Arc<Image>) -> Vec<Event> {
    let mut code = Arc::clone(image).changing(0).expect("code that changes");
    let mut at = image.entry();
    let mut events = Vec::new();
    while (events.len() as u64) < EVENTS {
        code.advance(events.len() as u64);
        let taken = events.len() % 2 == 0;
        let Some(event) = next_event(image.machine(), &*code, at, image.entry(), taken) else {
            break;
        };
        at = if event.taken { event.target } else { after(&event) };
        events.push(event);
    }
    events
}

fn after(event: &Event) -> u64 {
    event.program_counter + u64::from(event.length)
}

/// The next branch from an address on, if there is one that an execution can have.
fn next_event(
    machine: Machine,
    code: &dyn ChangingCode,
    start: u64,
    entry: u64,
    taken: bool,
) -> Option<Event> {
    let last = u64::MAX >> (64 - machine.address_bits);
    let mut at = start;
    for instructions in 1..=INSTRUCTIONS {
        let instruction = code.instruction(at)?;
        let length = instruction.length;
        let Some(branch) = instruction.branch else {
            at = at.checked_add(length.into()).filter(|at| *at <= last)?;
            continue;
        };
        let taken = match branch.kind {
            Kind::Exception => false,
            kind => !kind.is_conditional() || taken,
        };
        let target = if branch.kind.is_indirect() { entry } else { branch.target };
        return Some(Event {
            instructions,
            program_counter: at,
            target: if taken { target } else { 0 },
            kind: branch.kind,
            call: branch.call,
            is_return: branch.is_return,
            taken,
            length,
            thread: 0,
        });
    }
    None
}
