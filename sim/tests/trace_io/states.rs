//! States in traces.

use std::io::Cursor;

use proptest::prelude::*;
use tracewright_sim::event::{Event, ExecutionState, Item};
use tracewright_sim::trace_io::{Error, Extensions, Format, Reader, Writer, WriterOptions};

use super::{FORMATS, RISCV};

const STATES: Extensions = Extensions { states: true, ..Extensions::NONE };

fn write(items: &[Item], format: Format, extensions: Extensions) -> Result<Vec<u8>, Error> {
    let options = WriterOptions { format, extensions, ..WriterOptions::default() };
    let mut writer = Writer::new(Vec::new(), RISCV, options)?;
    items.iter().try_for_each(|item| writer.write_item(item))?;
    writer.finish()
}

fn read(bytes: &[u8]) -> Result<Vec<Item>, Error> {
    Reader::new(Cursor::new(bytes.to_vec()))?.items().collect()
}

fn state(context: u64, privilege: u8, cause: Option<u64>) -> Item {
    Item::State(ExecutionState { context, privilege, cause })
}

fn exception() -> Item {
    Item::Event(Event::exception(5, 0x1000, 0x80))
}

#[test]
fn the_three_forms_of_states() {
    let text = "\
machine riscv alignment=1 address_bits=64 states
state context=0x0 privilege=3
5 exception 0x1000 taken 0x80
state context=0x83 privilege=1 cause=0x8000000000000007
";
    let items = [state(0, 3, None), exception(), state(0x83, 1, Some(1 << 63 | 7))];
    assert_eq!(read(text.as_bytes()).expect("a sound trace"), items);
    let bytes = write(&items, Format::Pet1, STATES).expect("valid items");
    assert_eq!(bytes[..16], *b"PET1\x01\x01\x40\x08\0\0\0\0\0\0\0\0");
    let records: [&[u8]; 3] = [
        &[0, 6, 0, 3],
        &[5, 4 | 1 << 5, 0x80, 0x40, 0xff, 0x3d],
        &[0, 6 | 1 << 3, 0x83, 1, 1, 0x87, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1],
    ];
    assert_eq!(bytes[16..], records.concat());
    assert_eq!(read(&bytes).expect("a sound trace"), items);
    let again = write(&items, Format::Text, STATES).expect("valid items");
    assert_eq!(String::from_utf8_lossy(&again), text);
}

#[test]
fn what_is_no_state_is_refused() {
    let refused = |header: &str, line: &str| {
        let text = format!("machine riscv alignment=1 address_bits=64{header}\n{line}\n");
        read(text.as_bytes()).expect_err("no state").to_string()
    };
    for (header, line, expected) in [
        ("", "state context=0x3 privilege=1", "expected no state in a trace without states"),
        (" states", "state context=0x3 privilege=8", "privilege level from 0 to 7, found 8"),
        (" states", "state context=3 privilege=1", "a context, such as context=0x3"),
        (" states", "state context=0x3", "a privilege level, such as privilege=1"),
        (" states", "state context=0x3 privilege=1 because=0x1", "a cause, such as cause=0x8"),
        (" states", "state context=0x3 privilege=1 cause=0x1 0", "the end of the line"),
    ] {
        let error = refused(header, line);
        assert!(error.contains(expected) && error.contains("line 2"), "{line}: {error}");
    }
    let error = write(&[state(0, 0, None)], Format::Pet1, Extensions::NONE).unwrap_err();
    assert!(error.to_string().ends_with("expected no state in a trace without states"));
    let whole = write(&[state(1 << 40, 1, Some(7))], Format::Pet1, STATES).expect("a valid state");
    for cut in 17..whole.len() {
        let error = read(&whole[..cut]).expect_err("a record is cut").to_string();
        assert!(error.contains("expected the rest of a record"), "{cut}: {error}");
    }
    let thread = [&whole[..17], &[6 | 1 << 6], &whole[18..]].concat();
    let error = read(&thread).expect_err("states have no thread").to_string();
    assert!(error.contains("found 0x46"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_states_round_trip(
        states in prop::collection::vec((any::<u64>(), 0u8..8, any::<Option<u64>>()), 0..50),
        threads in any::<bool>(),
    ) {
        let items: Vec<Item> = states
            .into_iter()
            .flat_map(|(context, privilege, cause)| [exception(), state(context, privilege, cause)])
            .collect();
        for format in FORMATS {
            let bytes = write(&items, format, Extensions { threads, ..STATES }).expect("valid items");
            prop_assert_eq!(&read(&bytes).expect("a sound trace"), &items);
        }
    }
}
