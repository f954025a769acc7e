//! Cycles in traces.

use std::io::Cursor;

use proptest::prelude::*;
use tracewright_sim::event::{Event, Item};
use tracewright_sim::trace_io::{Error, Extensions, Format, Reader, Writer, WriterOptions};

use super::{FORMATS, RISCV};

const CYCLES: Extensions = Extensions { cycles: true, ..Extensions::NONE };

fn write(items: &[Item], format: Format, extensions: Extensions) -> Result<Vec<u8>, Error> {
    let options = WriterOptions { format, extensions, ..WriterOptions::default() };
    let mut writer = Writer::new(Vec::new(), RISCV, options)?;
    items.iter().try_for_each(|item| writer.write_item(item))?;
    writer.finish()
}

fn read(bytes: &[u8]) -> Result<Vec<Item>, Error> {
    Reader::new(Cursor::new(bytes.to_vec()))?.items().collect()
}

fn event() -> Item {
    Item::Event(Event::exception(5, 0x1000, 0x80))
}

#[test]
fn the_three_forms_of_cycles() {
    let text = "\
machine riscv alignment=1 address_bits=64 cycles
cycles 300
5 exception 0x1000 taken 0x80
5 exception 0x1000 taken 0x80
";
    let items = [Item::Cycles(300), event(), event()];
    assert_eq!(read(text.as_bytes()).expect("a sound trace"), items);
    let bytes = write(&items, Format::Pet1, CYCLES).expect("valid items");
    assert_eq!(bytes[..16], *b"PET1\x01\x01\x40\x10\0\0\0\0\0\0\0\0");
    let records: [&[u8]; 3] = [
        &[0, 7, 0xac, 2],
        &[5, 4 | 1 << 5, 0x80, 0x40, 0xff, 0x3d],
        &[5, 4 | 1 << 5, 0, 0xff, 0x3d],
    ];
    assert_eq!(bytes[16..], records.concat());
    assert_eq!(read(&bytes).expect("a sound trace"), items);
    let again = write(&items, Format::Text, CYCLES).expect("valid items");
    assert_eq!(String::from_utf8_lossy(&again), text);
    let events: Result<Vec<Event>, Error> = Reader::new(Cursor::new(bytes)).unwrap().collect();
    assert_eq!(events.expect("a sound trace").len(), 2);
}

#[test]
fn what_are_no_cycles_is_refused() {
    let refused = |header: &str, line: &str| {
        let text = format!("machine riscv alignment=1 address_bits=64{header}\n{line}\n");
        read(text.as_bytes()).expect_err("no cycles").to_string()
    };
    for (header, line, expected) in [
        ("", "cycles 3", "expected no cycles in a trace without cycles"),
        (" cycles", "cycles", "a number of cycles"),
        (" cycles", "cycles -1", "a number of cycles"),
        (" cycles", "cycles 1 2", "the end of the line"),
    ] {
        let error = refused(header, line);
        assert!(error.contains(expected) && error.contains("line 2"), "{line}: {error}");
    }
    let error = write(&[Item::Cycles(0)], Format::Pet1, Extensions::NONE).unwrap_err();
    assert!(error.to_string().ends_with("expected no cycles in a trace without cycles"));
    let whole = write(&[Item::Cycles(1 << 40)], Format::Pet1, CYCLES).expect("valid cycles");
    for cut in 17..whole.len() {
        let error = read(&whole[..cut]).expect_err("a record is cut").to_string();
        assert!(error.contains("expected the rest of a record"), "{cut}: {error}");
    }
    let thread = [&whole[..17], &[7 | 1 << 6], &whole[18..]].concat();
    let error = read(&thread).expect_err("cycles have no thread").to_string();
    assert!(error.contains("expected 0x07 as the kind byte of cycles"), "{error}");
    let unknown = [&whole[..7], &[0], &whole[8..]].concat();
    let error = read(&unknown).expect_err("a record of another version").to_string();
    assert!(error.contains("expected a kind code from 0 to 4, found 7"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_cycles_round_trip(cycles in prop::collection::vec(any::<(u64, u8, bool)>(), 0..100), threads in any::<bool>()) {
        let extensions = Extensions { threads, ..CYCLES };
        let items: Vec<Item> = cycles
            .iter()
            .flat_map(|(cycles, shift, is_said)| {
                let said = is_said.then(|| Item::Cycles(cycles >> (shift % 64)));
                said.into_iter().chain([event()])
            })
            .collect();
        for format in FORMATS {
            let bytes = write(&items, format, extensions).expect("valid items");
            prop_assert_eq!(&read(&bytes).expect("a sound trace"), &items);
        }
    }
}
