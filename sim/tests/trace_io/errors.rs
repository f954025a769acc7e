//! What is wrong with a trace is said in one sentence, with its place.

use std::io::Cursor;

use tracewright_sim::event::{Event, Machine};
use tracewright_sim::synthetic::{Options, Synthetic};
use tracewright_sim::trace_io::{
    Extensions, Format, Place, Problem, Reader, Writer, WriterOptions, open,
};

use super::{RISCV, read, write};

/// Texts, `H` the machine line, and their errors.
const MALFORMED_TEXTS: [(&str, &str); 23] = [
    ("machine", "line 1, record 0: expected arm, riscv or x86, found the end of the line"),
    ("maschine", "line 1, record 0: expected a machine line, found \"maschine\""),
    ("# nothing\n", "line 1, record 0: expected a machine line, found the end of the trace"),
    ("machine mips", "line 1, record 0: expected arm, riscv or x86, found \"mips\""),
    (
        "machine arm alignment=x",
        "line 1, record 0: expected alignment=0, 1 or 2, found \"alignment=x\"",
    ),
    (
        "machine arm alignment=3 address_bits=32",
        "line 1, record 0: expected an alignment from 0 to 2, found 3",
    ),
    (
        "machine arm alignment=2 address_bits=33",
        "line 1, record 0: expected 32 or 64 address bits, found 33",
    ),
    (
        "machine arm alignment=2 address_bits=32 length",
        "line 1, record 0: expected lengths, data, threads, states, cycles or the end of the line, found \"length\"",
    ),
    (
        "machine arm alignment=2 address_bits=32 lengths x",
        "line 1, record 0: expected lengths, data, threads, states, cycles or the end of the line, found \"x\"",
    ),
    (
        "machine arm alignment=2 address_bits=32 threads lengths threads",
        "line 1, record 0: expected threads once, found it twice",
    ),
    ("H\n+1 direct-jump", "line 2, record 0: expected a number of instructions, found \"+1\""),
    (
        "H\n18446744073709551616 direct-jump",
        "line 2, record 0: expected a number of instructions, found \"18446744073709551616\"",
    ),
    (
        "H\n1 direct",
        "line 2, record 0: expected a kind, such as direct-conditional, found \"direct\"",
    ),
    ("H\n1 direct-jump 16", "line 2, record 0: expected an address, such as 0x1000, found \"16\""),
    ("H\n1 direct-jump 0x", "line 2, record 0: expected an address, such as 0x1000, found \"0x\""),
    (
        "H\n1 direct-jump 0x10000000000000000",
        "line 2, record 0: expected an address, such as 0x1000, found \"0x10000000000000000\"",
    ),
    (
        "H\n1 direct-jump 0x10 taken",
        "line 2, record 0: expected the address of the target, such as 0x1000, found the end of the line",
    ),
    (
        "H\n1 direct-jump 0x10 not-taken",
        "line 2, record 0: expected call, return, length=, thread=, taken or the end of the line, found \"not-taken\"",
    ),
    ("H\n1 direct-jump 0x10 call call", "line 2, record 0: expected call once, found it twice"),
    (
        "H\n1 direct-jump 0x10 thread=x",
        "line 2, record 0: expected thread=0 to thread=7, found \"thread=x\"",
    ),
    (
        "H\n1 direct-jump 0x10 call length=4 taken 0x20",
        "line 2, record 0: expected no length, because the machine line does not end with `lengths`, found length=4",
    ),
    (
        "H lengths\n1 direct-jump 0x10 length=x",
        "line 2, record 0: expected length=1 to length=15, found \"length=x\"",
    ),
    (
        "H\n1 direct-conditional 0x10\n\n1 aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "line 4, record 1: expected a kind, such as direct-conditional, found \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\" and more",
    ),
];

#[test]
fn every_malformed_text_is_named() {
    let header = "machine riscv alignment=1 address_bits=64";
    for (text, message) in MALFORMED_TEXTS {
        let text = text.replacen('H', header, 1);
        let error = read(text.as_bytes()).expect_err(&text).to_string();
        assert_eq!(error, format!("<stream>, {message}"));
    }
    let long = format!("{header}\n1 direct-jump 0x10 taken 0x20 # {}\n", "x".repeat(5000));
    let error = read(long.as_bytes()).expect_err("a long line").to_string();
    assert_eq!(
        error,
        "<stream>, line 2, record 0: expected a line of at most 4096 bytes, found a longer one"
    );
    let latin = [header.as_bytes(), b"\n1 direct-jump \xe9"].concat();
    let error = read(&latin).expect_err("not UTF-8").to_string();
    assert_eq!(
        error,
        "<stream>, line 2, record 0: expected text, found \"1 direct-jump \u{fffd}\""
    );
}

/// Events, and the rules that they break.
const INVALID_EVENTS: [(&str, &str); 16] = [
    (
        "0 direct-conditional 0x10",
        "expected at least 1 instruction before and with a direct-conditional, found 0",
    ),
    ("0 exception 0x10", "expected at least 1 instruction before and with an exception, found 0"),
    (
        "1 direct-jump 0x11 taken 0x10",
        "expected the program counter to be a multiple of 2, found 0x11",
    ),
    ("1 direct-jump 0x10 taken 0x11", "expected the target to be a multiple of 2, found 0x11"),
    (
        "1 direct-jump 0x100000000 taken 0x10",
        "expected the program counter to have at most 32 bits, found 0x100000000",
    ),
    (
        "1 direct-jump 0x10 taken 0x100000000",
        "expected the target to have at most 32 bits, found 0x100000000",
    ),
    ("1 direct-jump 0x10", "expected a direct-jump to be taken, found it not taken"),
    ("1 indirect-jump 0x10", "expected an indirect-jump to be taken, found it not taken"),
    (
        "1 exception 0x10 call taken 0x20",
        "expected an exception to be no call and no return, found a call",
    ),
    (
        "1 exception 0x10 return",
        "expected an exception to be no call and no return, found a return",
    ),
    ("1 direct-conditional 0x10 thread=4", "expected a thread from 0 to 3, found 4"),
    (
        "1 direct-conditional 0x10 length=16",
        "expected an instruction length from 0 to 15 in steps of 2, found 16",
    ),
    (
        "1 direct-conditional 0x10 length=3",
        "expected an instruction length from 0 to 15 in steps of 2, found 3",
    ),
    (
        "1 direct-jump 0x10 call taken 0x20",
        "expected an instruction length from 2 to 15 in steps of 2, found 0",
    ),
    (
        "1 exception 0x10 thread=1\n1 direct-conditional 0x20\n0 exception 0x10 thread=1 taken 0x30",
        "expected a system call that traps to be one taken exception, found it split in two at 0x10",
    ),
    (
        "1 direct-conditional 0x10\n4294967296 direct-conditional 0x10",
        "expected at most 4294967295 instructions since the event before, found 4294967296",
    ),
];

/// Rules that hold in every form, tried on the text form because that one can be read here.
#[test]
fn every_invalid_event_is_named() {
    for (lines, message) in INVALID_EVENTS {
        let text = format!("machine riscv alignment=1 address_bits=32 lengths\n{lines}\n");
        let before = lines.lines().count() - 1;
        let error = read(text.as_bytes()).expect_err(lines).to_string();
        assert_eq!(error, format!("<stream>, line {}, record {before}: {message}", before + 2));
    }
}

#[test]
fn what_is_close_to_invalid_is_read() {
    let text = "machine riscv alignment=1 address_bits=32\n\
                1 exception 0x10\n0 exception 0x12 taken 0x30\n0 exception 0x12 taken 0x30\n\
                1 exception 0x10 thread=1\n0 exception 0x10 taken 0xfffffffe\n\
                4294967295 direct-conditional 0x0\n";
    assert_eq!(read(text.as_bytes()).expect("a sound trace").len(), 6);
}

const HEADER: &[u8; 16] = b"PET1\x01\x01\x40\0\0\0\0\0\0\0\0\0";

/// PET1 files with a malformed header, and their errors.
fn malformed_headers() -> Vec<(Vec<u8>, &'static str)> {
    let changed = |at: usize, value: u8| {
        let mut header = HEADER.to_vec();
        header[at] = value;
        header
    };
    vec![
        (vec![], "byte 0, record 0: expected a trace, found nothing"),
        (
            vec![0x7f, b'E', b'L', b'F', 2],
            "byte 0, record 0: expected a trace, found an ELF file, whose execution `tracewright capture` records",
        ),
        (
            b"WSET\x01\0".to_vec(),
            "byte 0, record 0: expected a trace, found a working set, of which `tracewright wset replay` makes a trace",
        ),
        (
            vec![0x7f, b'E', b'L', b'G', 2],
            "byte 0, record 0: expected PET1 (zstd or plain) or text, found a file that begins with [7f, 45, 4c, 47]",
        ),
        (
            changed(3, b'2'),
            "byte 0, record 0: expected PET1, found PET2, which needs a newer version of tracewright",
        ),
        (HEADER[..9].to_vec(), "byte 9, record 0: expected a PET1 header of 16 bytes, found 9"),
        (changed(4, 3), "byte 4, record 0: expected an instruction set code from 0 to 2, found 3"),
        (changed(5, 3), "byte 0, record 0: expected an alignment from 0 to 2, found 3"),
        (changed(6, 48), "byte 0, record 0: expected 32 or 64 address bits, found 48"),
        (
            changed(7, 32),
            "byte 7, record 0: expected header byte 7 to be 0 or a sum of 1 (lengths), 2 (data), 4 (threads), 8 (states) and 16 (cycles), found 0x20, which needs a newer version of tracewright",
        ),
        (
            changed(12, 9),
            "byte 12, record 0: expected header byte 12 to be 0, found 0x09, which needs a newer version of tracewright",
        ),
    ]
}

/// PET1 files with malformed records, and their errors.
fn malformed_records() -> Vec<(Vec<u8>, &'static str)> {
    let record = |bytes: &[u8]| [HEADER, bytes].concat();
    let narrow = |bytes: &[u8]| [b"PET1\x00\x02\x20\0\0\0\0\0\0\0\0\0", bytes].concat();
    let long = [0xff; 10];
    let sound: &[u8] = &[1, 1, 0x20];
    vec![
        (
            record(&[1]),
            "byte 17, record 0: expected the rest of a record, found the end of the trace after 1 of its bytes",
        ),
        (
            record(&[0x80]),
            "byte 17, record 0: expected the rest of a record, found the end of the trace after 1 of its bytes",
        ),
        (
            record(&[sound, &[1, 1]].concat()),
            "byte 21, record 1: expected the rest of a record, found the end of the trace after 2 of its bytes",
        ),
        (
            record(&[sound, &[1, 0x20, 8]].concat()),
            "byte 22, record 1: expected the rest of a record, found the end of the trace after 3 of its bytes",
        ),
        (
            record(&[sound, sound, &[1, 5, 0]].concat()),
            "byte 22, record 2: expected a kind code from 0 to 4, found 5",
        ),
        (record(&[1, 7, 0]), "byte 16, record 0: expected a kind code from 0 to 4, found 7"),
        (
            record(&long),
            "byte 16, record 0: expected a varint of at most 64 bits for the instructions, found a longer one",
        ),
        (
            record(&[&[1, 1], &long[..]].concat()),
            "byte 18, record 0: expected a varint of at most 64 bits for the program counter, found a longer one",
        ),
        (
            record(&[&[1, 0x20, 8], &long[..]].concat()),
            "byte 19, record 0: expected a varint of at most 64 bits for the target, found a longer one",
        ),
        (
            record(&[0, 1, 8]),
            "byte 16, record 0: expected at least 1 instruction before and with a direct-conditional, found 0",
        ),
        (
            record(&[1, 0x20, 2, 0]),
            "byte 16, record 0: expected the program counter to be a multiple of 2, found 0x1",
        ),
        (
            narrow(&[1, 1, 0x80, 0x80, 0x80, 0x80, 0x20]),
            "byte 16, record 0: expected a program counter that differs by less than 2^32, found +0x100000000",
        ),
        (
            narrow(&[1, 0x20, 8, 0x87, 0x80, 0x80, 0x80, 0x20]),
            "byte 16, record 0: expected a target that differs by less than 2^32, found -0x100000004",
        ),
    ]
}

#[test]
fn every_malformed_pet1_is_named() {
    for (bytes, message) in malformed_headers().into_iter().chain(malformed_records()) {
        let error = read(&bytes).expect_err(message).to_string();
        assert_eq!(error, format!("<stream>, {message}"));
    }
}

#[test]
fn every_malformed_frame_is_named() {
    let events: Vec<Event> =
        Synthetic::new(Options::from_seed(1)).expect("legal options").collect();
    let frame = write(Options::from_seed(1).machine, &events, Format::Pet1Zstd, Extensions::NONE)
        .expect("valid events");
    let plain = zstd::decode_all(&frame[..]).expect("a sound frame").len();

    let truncated = read(&frame[..frame.len() - 1]).expect_err("truncated").to_string();
    let place = format!("byte {plain}, record {}", events.len());
    assert_eq!(
        truncated,
        format!("<stream>, {place}: expected more of the zstd frame, found the end of the file")
    );

    let trailing = read(&[&frame[..], b"x"].concat()).expect_err("trailing").to_string();
    assert_eq!(
        trailing,
        format!(
            "<stream>, {place}: expected the end of the file after the zstd frame, found more data"
        )
    );

    let empty = zstd::encode_all(&b""[..], 3).expect("memory takes all");
    let error = read(&empty).expect_err("empty").to_string();
    assert_eq!(error, "<stream>, byte 0, record 0: expected a trace, found nothing");

    let mut checksum = frame.clone();
    *checksum.last_mut().expect("a byte") ^= 1;
    let error = read(&checksum).expect_err("a wrong checksum").to_string();
    assert!(error.ends_with("at most 128 MiB): Restored data doesn't match checksum"), "{error}");

    // A window of 2 GiB, and a single segment that declares 4 GiB.
    for declared in [&[0x00, 0xa8][..], &[0xa0, 0xff, 0xff, 0xff, 0xff]] {
        let bytes = [&[0x28, 0xb5, 0x2f, 0xfd], declared, &[0x01, 0, 0, 0, 0, 0, 0, 0]].concat();
        let error = read(&bytes).expect_err("too large").to_string();
        let message = "expected a sound zstd frame (window at most 128 MiB): Frame requires too much memory for decoding";
        assert_eq!(error, format!("<stream>, byte 0, record 0: {message}"));
    }
}

#[test]
fn events_before_an_error_are_given_and_none_after() {
    let text = "machine arm alignment=2 address_bits=32\n1 direct-conditional 0x10\n1 nonsense\n1 direct-conditional 0x10\n";
    let mut reader = Reader::new(text.as_bytes()).expect("a header");
    assert!(matches!(reader.next_event(), Ok(Some(_))));
    let error = reader.next_event().expect_err("nonsense");
    assert_eq!(error.place(), Place::Line { line: 3, record: 1 });
    assert!(matches!(error.problem(), Problem::Word { .. }));
    assert!(matches!(reader.next_event(), Ok(None)));

    let bytes = [&b"PET1\x01\x01\x40\0\0\0\0\0\0\0\0\0"[..], &[1, 1, 8, 1, 5, 8, 1, 1, 8]].concat();
    let mut reader = Reader::new(Cursor::new(bytes)).expect("a header");
    assert!(matches!(reader.next_event(), Ok(Some(_))));
    assert_eq!(reader.offset(), 19);
    assert_eq!(
        reader.next_event().expect_err("kind 5").place(),
        Place::Byte { offset: 19, record: 1 }
    );
    assert!(matches!(reader.next_event(), Ok(None)));
}

#[test]
fn files_are_named_in_errors() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.pet.zst");
    let error = open(&path).expect_err("no file").to_string();
    assert_eq!(
        error,
        format!("{}: cannot open: No such file or directory (os error 2)", path.display())
    );
    std::fs::write(&path, b"PET1").expect("a file");
    let error = open(&path).expect_err("a short file");
    assert_eq!(error.file(), path.display().to_string());
    assert!(open(folder.path()).expect_err("a folder").to_string().contains("cannot read: "));
}

#[test]
fn the_writer_refuses_what_the_reader_would() {
    let event =
        read(b"machine riscv alignment=1 address_bits=64\n1 direct-jump 0x10 call taken 0x20\n")
            .expect("a sound trace")[0];
    let error = write(RISCV, &[event], Format::Pet1, Extensions::LENGTHS)
        .expect_err("no length")
        .to_string();
    assert_eq!(
        error,
        "<stream>, record 0: expected an instruction length from 2 to 15 in steps of 2, found 0"
    );
    let odd = Machine { address_bits: 16, ..RISCV };
    let error = write(odd, &[], Format::Text, Extensions::NONE).expect_err("16 bits").to_string();
    assert_eq!(error, "<stream>: expected 32 or 64 address bits, found 16");
    let mut full = [0; 8];
    let options =
        WriterOptions { format: Format::Pet1, name: "full".to_owned(), ..WriterOptions::default() };
    let writer = Writer::new(&mut full[..], RISCV, options).expect("a legal machine");
    let error = writer.finish().expect_err("a full sink").to_string();
    assert_eq!(error, "full, record 0: cannot write: failed to write whole buffer");
}
