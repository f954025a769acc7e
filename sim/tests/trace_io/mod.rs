//! Traces survive every form, and no damage to them does harm.

mod cycles;
mod data;
mod errors;
mod repeats;
mod states;

use std::io::{Cursor, Read};
use std::path::Path;

use proptest::prelude::*;
use tracewright_sim::event::{Event, Isa, Kind, Machine};
use tracewright_sim::synthetic::{Options, Synthetic};
use tracewright_sim::trace_io::{Error, Extensions, Format, Reader, Writer, WriterOptions, open};

const RISCV: Machine = Machine { isa: Isa::RiscV, alignment: 1, address_bits: 64 };
const ARM: Machine = Machine { isa: Isa::Arm, alignment: 2, address_bits: 32 };
const FORMATS: [Format; 3] = [Format::Pet1Zstd, Format::Pet1, Format::Text];

fn write(
    machine: Machine,
    events: &[Event],
    format: Format,
    extensions: Extensions,
) -> Result<Vec<u8>, Error> {
    let options = WriterOptions { format, extensions, level: 3, ..WriterOptions::default() };
    let mut writer = Writer::new(Vec::new(), machine, options)?;
    events.iter().try_for_each(|event| writer.write(event))?;
    writer.finish()
}

fn read(bytes: &[u8]) -> Result<Vec<Event>, Error> {
    Reader::new(Cursor::new(bytes.to_vec()))?.collect()
}

/// Gives a byte at a time, and is interrupted before each.
struct Trickle(Cursor<Vec<u8>>, bool);

impl Read for Trickle {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        self.1 = !self.1;
        if self.1 {
            return Err(std::io::ErrorKind::Interrupted.into());
        }
        let count = into.len().min(1);
        self.0.read(&mut into[..count])
    }
}

/// What a form keeps of the lengths.
fn stored(event: &Event, format: Format, extensions: Extensions) -> Event {
    let kept = extensions.lengths && (event.call || format == Format::Text);
    Event { length: if kept { event.length } else { 0 }, ..*event }
}

#[test]
fn synthetic_traces_round_trip_in_every_form() {
    for seed in 0..12 {
        let threads = 1 + (seed % 8) as u8;
        let options = Options { events: 30_000, threads, ..Options::from_seed(seed) };
        let machine = options.machine;
        let events: Vec<Event> = Synthetic::new(options).expect("legal options").collect();
        for format in FORMATS {
            for lengths in [false, true] {
                let extensions =
                    Extensions { lengths, threads: threads > 4 || lengths, ..Extensions::NONE };
                let bytes = write(machine, &events, format, extensions).expect("valid events");
                let mut reader = Reader::new(Cursor::new(bytes)).expect("a header");
                assert_eq!(reader.machine(), machine);
                assert_eq!(reader.extensions(), extensions);
                for event in &events {
                    let back = reader.next_event().expect("a sound trace");
                    assert_eq!(back, Some(stored(event, format, extensions)));
                }
                assert_eq!(reader.next_event().expect("a sound trace"), None);
                assert_eq!(reader.events(), events.len() as u64);
                let instructions = events.iter().map(|event| event.instructions).sum::<u64>();
                assert_eq!(reader.instructions(), instructions);
            }
        }
    }
}

#[test]
fn the_workloads_are_what_their_table_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../workloads");
    let table = std::fs::read_to_string(folder.join("README.md")).expect("the table of workloads");
    let mut rows = 0;
    for row in table.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let mut reader = open(folder.join(cells[1].trim_matches('`'))).expect("a workload");
        while reader.next_event().expect("a sound trace").is_some() {}
        assert_eq!(reader.events().to_string(), cells[4].replace(',', ""), "{row}");
        assert_eq!(reader.instructions().to_string(), cells[5].replace(',', ""), "{row}");
        rows += 1;
    }
    assert_eq!(rows, 8);
}

#[test]
fn slow_and_interrupted_streams_are_read_whole() {
    let events: Vec<Event> = Synthetic::new(Options { events: 500, ..Options::from_seed(2) })
        .expect("legal options")
        .collect();
    let machine = Options::from_seed(2).machine;
    for format in FORMATS {
        let bytes = write(machine, &events, format, Extensions::NONE).expect("valid events");
        let reader = Reader::new(Trickle(Cursor::new(bytes), false)).expect("a header");
        let back: Result<Vec<Event>, Error> = reader.collect();
        assert_eq!(back.expect("a sound trace").len(), 500);
    }
}

#[test]
fn the_layout_of_a_record_is_the_documented_one() {
    let call = Event {
        instructions: 300,
        program_counter: 0x1000,
        target: 0x0ff0,
        kind: Kind::IndirectJump,
        call: true,
        is_return: false,
        taken: true,
        length: 4,
        thread: 2,
    };
    let bytes = write(RISCV, &[call], Format::Pet1, Extensions::LENGTHS).expect("a valid event");
    assert_eq!(bytes[..16], *b"PET1\x01\x01\x40\x01\0\0\0\0\0\0\0\0");
    // 300; thread 2, taken, call, kind 2; the length; zigzag of 0x1000; zigzag of -16.
    assert_eq!(bytes[16..], [0xac, 0x02, 0b1010_1010, 4, 0x80, 0x40, 31]);
    let text = write(RISCV, &[call], Format::Text, Extensions::LENGTHS).expect("a valid event");
    let expected = "machine riscv alignment=1 address_bits=64 lengths\n\
                    300 indirect-jump 0x1000 call length=4 thread=2 taken 0xff0\n";
    assert_eq!(String::from_utf8_lossy(&text), expected);
}

/// With a byte for it the thread goes up to 7; a reader that knows no such byte stops at the header.
#[test]
fn eight_threads_take_a_byte() {
    let text = "machine riscv alignment=1 address_bits=64 threads\n\
                1 exception 0x1000 thread=7\n\
                2 direct-conditional 0x1002 thread=1\n\
                3 exception 0x1004 thread=7\n";
    let events = read(text.as_bytes()).expect("a sound trace");
    let extensions = Extensions { threads: true, ..Extensions::NONE };
    let bytes = write(RISCV, &events, Format::Pet1, extensions).expect("valid events");
    assert_eq!(bytes[..16], *b"PET1\x01\x01\x40\x04\0\0\0\0\0\0\0\0");
    assert_eq!(bytes[16..], [1, 4, 7, 0x80, 0x40, 2, 1, 1, 0x84, 0x40, 3, 4, 7, 8]);
    assert_eq!(read(&bytes).expect("a sound trace"), events);
    assert_eq!(
        write(RISCV, &events, Format::Text, extensions).expect("valid events"),
        text.as_bytes()
    );
    let error = write(RISCV, &events, Format::Pet1, Extensions::NONE).expect_err("thread 7");
    assert_eq!(error.to_string(), "<stream>, record 0: expected a thread from 0 to 3, found 7");
    // Neither the kind byte nor a ninth thread may say anything else.
    for (at, byte, thread) in [(17, 0x44, 15), (18, 8, 8), (18, 0xff, 255)] {
        let mut bytes = bytes.clone();
        bytes[at] = byte;
        let error = read(&bytes).expect_err("no such thread").to_string();
        let expected = format!("expected a thread from 0 to 7, found {thread}");
        assert_eq!(error, format!("<stream>, byte 16, record 0: {expected}"));
    }
}

#[test]
fn differences_wrap_to_the_address_bits() {
    let header = b"PET1\0\x02\x20\0\0\0\0\0\0\0\0\0";
    // pc 0xfffffffc as 4 less than 0, target 0 as 4 more.
    let bytes = [&header[..], &[1, 0b0010_0000, 7, 8]].concat();
    let events = read(&bytes).expect("a sound trace");
    assert_eq!((events[0].program_counter, events[0].target), (0xffff_fffc, 0));
    let again = write(ARM, &events, Format::Pet1, Extensions::NONE).expect("a valid event");
    assert_eq!(read(&again).expect("a sound trace"), events);
}

#[test]
fn text_is_forgiving_in_layout_only() {
    let text = "# a comment first\r\n\n  machine\tarm alignment=2 address_bits=32 lengths # and here\r\n\
                5 direct-conditional 0x1000\n\
                \t2  direct-jump 0x01004 taken 0xFFC thread=3 length=4 call return # ünï\n\
                0 exception 0x1004 taken 0x0 thread=3";
    let events = read(text.as_bytes()).expect("a sound trace");
    assert_eq!(events.len(), 3);
    assert_eq!((events[1].target, events[1].thread, events[1].length), (0xffc, 3, 4));
    assert!(events[1].call && events[1].is_return && events[1].taken);
    let written = write(ARM, &events, Format::Text, Extensions::LENGTHS).expect("valid events");
    assert_eq!(read(&written).expect("a sound trace"), events);
}

fn any_machine() -> impl Strategy<Value = Machine> {
    let isa = prop::sample::select(vec![Isa::Arm, Isa::RiscV, Isa::X86]);
    let address_bits = prop::sample::select(vec![32u8, 64]);
    (isa, 0u8..=2, address_bits).prop_map(|(isa, alignment, address_bits)| Machine {
        isa,
        alignment,
        address_bits,
    })
}

/// Any valid event; of a call, the length is known.
fn any_event(machine: Machine, extensions: Extensions) -> impl Strategy<Value = Event> {
    let mask = (u64::MAX >> (64 - machine.address_bits)) & (u64::MAX << machine.alignment);
    let count = prop_oneof![9 => 1u64..300, 1 => 1u64..1 << 32];
    let address = prop_oneof![0u64..0x10_0000, any::<u64>()];
    let step = 1u8 << machine.alignment;
    (
        count,
        address.clone(),
        address,
        0usize..5,
        any::<[bool; 3]>(),
        1..=15 / step,
        0..=extensions.thread_max(),
    )
        .prop_map(
            move |(
                instructions,
                program_counter,
                target,
                kind,
                [call, is_return, taken],
                length,
                thread,
            )| {
                let kind = Kind::ALL[kind];
                let plain = kind != Kind::Exception;
                let taken = taken || matches!(kind, Kind::DirectJump | Kind::IndirectJump);
                Event {
                    instructions,
                    program_counter: program_counter & mask,
                    target: if taken { target & mask } else { 0 },
                    kind,
                    call: call && plain,
                    is_return: is_return && plain,
                    taken,
                    length: length * step,
                    thread,
                }
            },
        )
}

fn any_trace() -> impl Strategy<Value = (Machine, Extensions, Vec<Event>)> {
    let extensions = any::<[bool; 5]>().prop_map(|[lengths, data, threads, states, cycles]| {
        Extensions { lengths, data, threads, states, cycles }
    });
    (any_machine(), extensions).prop_flat_map(|(machine, extensions)| {
        let events = prop::collection::vec(any_event(machine, extensions), 0..200);
        (Just(machine), Just(extensions), events)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_trace_round_trips((machine, extensions, events) in any_trace()) {
        for format in FORMATS {
            let bytes = write(machine, &events, format, extensions).expect("valid events");
            let expected: Vec<Event> = events.iter().map(|event| stored(event, format, extensions)).collect();
            prop_assert_eq!(read(&bytes).expect("a sound trace"), expected);
        }
    }

    #[test]
    fn any_damage_ends_in_events_or_an_error(
        (machine, extensions, events) in any_trace(),
        at in any::<prop::sample::Index>(),
        bit in 0u8..8,
        cut in any::<bool>(),
    ) {
        for format in FORMATS {
            let mut bytes = write(machine, &events, format, extensions).expect("valid events");
            let at = at.index(bytes.len());
            bytes[at] ^= 1 << bit;
            if cut {
                bytes.truncate(at);
            }
            let damaged = read(&bytes);
            prop_assert!(format != Format::Pet1Zstd || damaged.is_err() || damaged.is_ok_and(|back| back.len() == events.len()));
        }
    }

    #[test]
    fn any_bytes_end_in_events_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..300), flags in 0u8..32) {
        let _ = read(&bytes);
        let header = [b'P', b'E', b'T', b'1', 1, 0, 64, flags, 0, 0, 0, 0, 0, 0, 0, 0];
        let _ = read(&[&header[..], &bytes].concat());
        let header = b"machine x86 alignment=0 address_bits=32 lengths\n";
        let _ = read(&[&header[..], &bytes].concat());
    }
}
