//! Traces with data records.

use std::io::Cursor;

use proptest::prelude::*;
use tracewright_sim::event::{Access, AccessSite, Event, Item, Machine};
use tracewright_sim::synthetic::{Options, Synthetic};
use tracewright_sim::trace_io::{Error, Extensions, Format, Reader, Writer, WriterOptions};

use super::{FORMATS, RISCV, stored};

const DATA: Extensions = Extensions { data: true, ..Extensions::NONE };

fn write(
    machine: Machine,
    items: &[Item],
    format: Format,
    extensions: Extensions,
) -> Result<Vec<u8>, Error> {
    let options = WriterOptions { format, extensions, level: 3, ..WriterOptions::default() };
    let mut writer = Writer::new(Vec::new(), machine, options)?;
    items.iter().try_for_each(|item| writer.write_item(item))?;
    writer.finish()
}

fn read(bytes: &[u8]) -> Result<Vec<Item>, Error> {
    Reader::new(Cursor::new(bytes.to_vec()))?.items().collect()
}

fn access(instructions: u64, program_counter: u64, address: u64) -> Item {
    let site = AccessSite { instructions, program_counter, store: false, thread: 0 };
    Item::Access(Access { site, address })
}

fn synthetic(seed: u64, data_accesses: u8) -> Options {
    let threads = 1 + (seed % 8) as u8;
    Options { events: 10_000, threads, data_accesses, ..Options::from_seed(seed) }
}

#[test]
fn synthetic_accesses_round_trip_and_change_no_event() {
    for seed in 0..10 {
        let options = synthetic(seed, [5, 30, 100][seed as usize % 3]);
        let machine = options.machine;
        let events: Vec<Event> = Synthetic::new(options.clone()).expect("legal options").collect();
        let items: Vec<Item> = Synthetic::new(options).expect("legal options").items().collect();
        assert!(items.len() > events.len());
        for format in FORMATS {
            let extensions = Extensions { lengths: seed % 2 == 0, threads: true, ..DATA };
            let kept = |event: &Event| stored(event, format, extensions);
            let bytes = write(machine, &items, format, extensions).expect("valid items");
            let mut reader = Reader::new(Cursor::new(bytes.clone())).expect("a header");
            assert_eq!(reader.extensions(), extensions);
            for item in &items {
                let expected = match item {
                    Item::Event(event) => Item::Event(kept(event)),
                    access => *access,
                };
                assert_eq!(reader.next_item().expect("a sound trace"), Some(expected));
            }
            assert_eq!(reader.next_item().expect("a sound trace"), None);
            assert_eq!(reader.events(), events.len() as u64);
            assert_eq!(reader.accesses(), (items.len() - events.len()) as u64);
            let instructions = events.iter().map(|event| event.instructions).sum::<u64>();
            assert_eq!(reader.instructions(), instructions);
            // Who reads events does not see the accesses.
            let back: Vec<Event> = super::read(&bytes).expect("a sound trace");
            assert!(back.iter().copied().eq(events.iter().map(kept)));
        }
    }
}

/// The header flag is what readers refuse that predate data records: they knew flag 1 and took any
/// other for that of a newer version.
#[test]
fn the_layout_of_a_data_record_is_the_documented_one() {
    let text = "machine riscv alignment=1 address_bits=64 data\n\
                2 load 0x1004 0x80 thread=2\n\
                3 store 0x1008 0x7f thread=2\n\
                3 store 0x1008 0xffffffffffffffff thread=2\n\
                3 direct-conditional 0x1008 thread=2\n\
                1 load 0x2000 0x1\n";
    let items = read(text.as_bytes()).expect("a sound trace");
    let bytes = write(RISCV, &items, Format::Pet1, DATA).expect("valid items");
    assert_eq!(bytes[..16], *b"PET1\x01\x01\x40\x02\0\0\0\0\0\0\0\0");
    assert!(bytes[7] & !1 != 0, "what older readers check");
    let records: [&[u8]; 5] = [
        // Offset; thread 2, load; zigzag of 0x1004; zigzag of 0x80.
        &[2, 0b1000_0101, 0x88, 0x40, 0x80, 0x02],
        // Thread 2, store; 4 further; 1 less.
        &[3, 0b1000_1101, 8, 1],
        &[3, 0b1000_1101, 0, 0xff, 0x01],
        // The branch itself.
        &[3, 0b1000_0001, 0],
        // Another thread has other differences.
        &[1, 0b0000_0101, 0x80, 0x80, 0x01, 2],
    ];
    assert_eq!(bytes[16..], records.concat());
    assert_eq!(read(&bytes).expect("a sound trace"), items);
    let again = write(RISCV, &items, Format::Text, DATA).expect("valid items");
    assert_eq!(String::from_utf8_lossy(&again), text);
    // With a byte for the thread, bits 6 and 7 are 0.
    let both = Extensions { threads: true, ..DATA };
    let bytes = write(RISCV, &items, Format::Pet1, both).expect("valid items");
    assert_eq!(bytes[16..24], [2, 5, 2, 0x88, 0x40, 0x80, 0x02, 3]);
}

/// What cannot be the access of a run is refused wherever it comes from.
#[test]
fn every_invalid_access_is_named() {
    let cases = [
        ("0 load 0x10 0x10", "expected an access after at least 1 instructions, found 0"),
        (
            "3 load 0x10 0x10\n2 load 0xe 0x10",
            "expected an access after at least 3 instructions, found 2",
        ),
        (
            "4294967296 load 0x10 0x10",
            "expected at most 4294967295 instructions since the event before, found 4294967296",
        ),
        (
            "3 load 0x10 0x10\n3 store 0x12 0x10",
            "expected instruction 3 of the run at 0x10, where it made its last access, found it at 0x12",
        ),
        (
            "3 load 0x10 0x10\n2 direct-conditional 0x10",
            "expected at least 3 instructions, as many as the access before counts, found 2",
        ),
        (
            "3 load 0x10 0x10\n3 direct-conditional 0x12",
            "expected instruction 3 of the run at 0x10, where it made its last access, found it at 0x12",
        ),
        ("1 load 0x11 0x10", "expected the program counter to be a multiple of 2, found 0x11"),
        (
            "1 load 0x10 0x100000000",
            "expected the data address to have at most 32 bits, found 0x100000000",
        ),
        ("1 load 0x10 0x10 thread=4", "expected a thread from 0 to 3, found 4"),
        ("1 load 0x10", "expected a data address, such as 0x1000, found the end of the line"),
        (
            "1 load 0x10 0x10 taken",
            "expected thread=0 to thread=7 or the end of the line, found \"taken\"",
        ),
        ("1 load 0x10 0x10 thread=1 x", "expected the end of the line, found \"x\""),
    ];
    for (lines, message) in cases {
        let text = format!("machine riscv alignment=1 address_bits=32 data\n{lines}\n");
        let before = lines.lines().count() - 1;
        let error = read(text.as_bytes()).expect_err(lines).to_string();
        assert_eq!(error, format!("<stream>, line {}, record {before}: {message}", before + 2));
    }
    let unannounced = "machine riscv alignment=1 address_bits=32\n1 load 0x10 0x10\n";
    assert_eq!(
        read(unannounced.as_bytes()).expect_err("no data").to_string(),
        "<stream>, line 2, record 0: expected no data access, because the machine line does not end with `data`"
    );
    let error = write(RISCV, &[access(1, 0x10, 0)], Format::Pet1, Extensions::NONE);
    assert_eq!(
        error.expect_err("no data").to_string(),
        "<stream>, record 0: expected no data access in a trace without data"
    );
}

#[test]
fn accesses_close_to_invalid_are_read() {
    let text = "machine x86 alignment=0 address_bits=32 data\n\
                1 load 0x10 0x0\n1 load 0x10 0xffffffff\n1 store 0x10 0x1\n1 exception 0x10 taken 0x20\n\
                0 exception 0x10 taken 0x30\n\
                1 load 0x30 0x0 thread=1\n2 load 0x31 0x0\n1 direct-conditional 0x30 thread=1\n\
                4294967295 load 0x40 0x7\n";
    assert_eq!(read(text.as_bytes()).expect("a sound trace").len(), 9);
}

#[test]
fn every_malformed_data_record_is_named() {
    let record = |bytes: &[u8]| [b"PET1\x01\x01\x20\x02\0\0\0\0\0\0\0\0", bytes].concat();
    let cases: [(&[u8], &str); 6] = [
        (&[1, 6, 0], "byte 16, record 0: expected a kind code from 0 to 5, found 6"),
        (
            &[1, 0x15, 0, 0],
            "byte 16, record 0: expected bits 4 and 5 of a data record's kind byte to be 0, found 0x15",
        ),
        (
            &[1, 0x25, 0, 0],
            "byte 16, record 0: expected bits 4 and 5 of a data record's kind byte to be 0, found 0x25",
        ),
        (
            &[1, 5, 4, 0, 1, 5, 4],
            "byte 23, record 1: expected the rest of a record, found the end of the trace after 3 of its bytes",
        ),
        (
            &[1, 5, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
            "byte 19, record 0: expected a varint of at most 64 bits for the data address, found a longer one",
        ),
        (
            &[1, 5, 0, 0x80, 0x80, 0x80, 0x80, 0x20],
            "byte 16, record 0: expected a data address that differs by less than 2^32, found +0x100000000",
        ),
    ];
    for (bytes, message) in cases {
        let error = read(&record(bytes)).expect_err(message).to_string();
        assert_eq!(error, format!("<stream>, {message}"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_damage_to_data_ends_in_items_or_an_error(
        seed in 0u64..50,
        at in any::<prop::sample::Index>(),
        bit in 0u8..8,
        cut in any::<bool>(),
    ) {
        let options = Options { events: 40, ..synthetic(seed, 50) };
        let machine = options.machine;
        let items: Vec<Item> = Synthetic::new(options).expect("legal options").items().collect();
        for format in FORMATS {
            let extensions = Extensions { threads: true, ..DATA };
            let mut bytes = write(machine, &items, format, extensions).expect("valid items");
            let at = at.index(bytes.len());
            bytes[at] ^= 1 << bit;
            if cut {
                bytes.truncate(at);
            }
            if let Ok(damaged) = read(&bytes) {
                // What was read can be written.
                let reader = Reader::new(Cursor::new(bytes)).expect("a header");
                let again = write(reader.machine(), &damaged, Format::Pet1, reader.extensions());
                prop_assert_eq!(read(&again.expect("valid items")).expect("a sound trace"), damaged);
            }
        }
    }
}
