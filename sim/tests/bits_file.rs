//! The container of an encoded trace: round trips, and every way in which a file can be bad.

use std::error::Error as _;
use std::io::{self, Read};

use proptest::prelude::*;
use tracewright_sim::bits_file::{BitsReader, BitsWriter, Error, Header, Problem, Totals};
use tracewright_sim::event::{Event, Isa, Kind, Machine};
use tracewright_sim::field::{Field, Sink};
use tracewright_sim::scheme::Design;

const FIELD: Field = Field { name: "test", doc: "" };
const MACHINE: Machine = Machine { isa: Isa::RiscV, alignment: 1, address_bits: 64 };

fn header() -> Header {
    let mut design = Design::preset("traptor-m4").unwrap();
    design.set("address_width", "64").unwrap();
    design.set("gshare_entries", "2048").unwrap();
    design.set("alignment", "1").unwrap();
    design.set("elided_upper_bits", "auto").unwrap();
    Header { design: design.for_machine(MACHINE).unwrap(), machine: MACHINE }
}

fn event(instructions: u64) -> Event {
    Event {
        instructions,
        program_counter: 0x8000_1000,
        target: 0x8000_2000,
        kind: Kind::DirectJump,
        call: false,
        is_return: false,
        taken: true,
        length: 0,
        thread: 0,
    }
}

/// A file of these bytes, and one event for every byte.
fn write(payload: &[u8]) -> (Vec<u8>, Totals) {
    let mut writer = BitsWriter::new(Vec::new(), "test.bits", &header()).unwrap();
    for byte in payload {
        writer.put(&FIELD, u64::from(*byte), 8);
        writer.event(&event(u64::from(*byte))).unwrap();
    }
    writer.put(&FIELD, 1, 1);
    writer.align(16);
    writer.finish().unwrap()
}

fn read(file: &[u8]) -> Result<(Vec<u8>, Totals), Error> {
    let mut reader = BitsReader::new(file, "test.bits")?;
    assert_eq!(*reader.header(), header());
    let mut payload = Vec::new();
    match reader.read_to_end(&mut payload) {
        Ok(_) => Ok((payload, reader.totals().expect("totals follow the end"))),
        Err(error) => Err(*error.into_inner().unwrap().downcast().expect("an error of the room")),
    }
}

fn problem(file: &[u8]) -> String {
    read(file).expect_err("the file is bad").to_string()
}

#[test]
fn several_frames_come_back() {
    let payload: Vec<u8> = (0..200_000u32).map(|i| (i ^ i >> 7) as u8).collect();
    let (file, totals) = write(&payload);
    let (back, read_totals) = read(&file).unwrap();
    assert_eq!(back[..payload.len()], payload);
    assert_eq!(back[payload.len()..], [1, 0]);
    assert_eq!(read_totals, totals);
    assert_eq!((totals.bits, totals.padding, totals.events), (1_600_001, 15, 200_000));
    assert_eq!(totals.instructions, payload.iter().map(|byte| u64::from(*byte)).sum());
    assert!(file.len() < payload.len() + 2000, "{}", file.len());
}

#[test]
fn an_opened_file_says_its_instructions_beforehand() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.bits");
    let (file, totals) = write(&[7; 100]);
    std::fs::write(&path, &file).unwrap();
    let mut reader = BitsReader::open(&path).unwrap();
    assert_eq!(reader.most_instructions(), totals.instructions);
    assert_eq!(reader.read_to_end(&mut Vec::new()).unwrap(), 102);
    assert_eq!(reader.totals(), Some(totals));

    std::fs::write(&path, &file[..file.len() - 1]).unwrap();
    let error = BitsReader::open(&path).unwrap_err();
    assert!(matches!(error.problem, Problem::NoTrailer), "{error}");
    let error = BitsReader::open(folder.path().join("none")).unwrap_err();
    assert!(matches!(error.problem, Problem::Open(_)), "{error}");
    let error = BitsReader::open(folder.path()).unwrap_err();
    assert!(matches!(error.problem, Problem::Read(_)), "{error}");
}

#[test]
fn packets_are_salvaged_from_damaged_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.bits");
    let mut packets = header();
    packets.design.set("framing", "packets").unwrap();
    let payload: Vec<u8> = (0..70_000u32).map(|i| (i ^ i >> 7) as u8).collect();
    let mut writer = BitsWriter::new(Vec::new(), "test.bits", &packets).unwrap();
    payload.iter().for_each(|byte| writer.put(&FIELD, u64::from(*byte), 8));
    let (file, _) = writer.finish().unwrap();
    let frames = frames_begin(&file);
    let salvaged = |file: &[u8]| {
        std::fs::write(&path, file).unwrap();
        let mut reader = BitsReader::salvage(&path).unwrap();
        let mut there = Vec::new();
        reader.read_to_end(&mut there).unwrap();
        (there, reader.damage().map(ToString::to_string), reader.totals())
    };
    let (there, damage, totals) = salvaged(&file);
    assert_eq!((there, damage), (payload.clone(), None));
    assert!(totals.is_some());

    let with = |at: usize| {
        let mut bad = file.clone();
        bad[at] ^= 0x80;
        bad
    };
    let (there, damage, totals) = salvaged(&with(frames + 8 + 1000));
    assert!(damage.unwrap().contains("the frame is damaged"));
    assert_eq!((there[1000], there.len()), (payload[1000] ^ 0x80, payload.len()));
    assert!(there[1001..] == payload[1001..] && totals.is_some());
    // After a wrong length come the check, the first frame, the head of the second one, the second one and the trailer.
    let (there, damage, totals) = salvaged(&with(frames + 3));
    assert!(damage.unwrap().contains("expected a frame of at most"));
    assert_eq!(there.len(), 4 + payload.len() + 8 + 48);
    assert!(there[4..].starts_with(&payload[..65_536]) && totals.is_none());
    let (there, damage, totals) = salvaged(&with(file.len() - 1));
    assert!(damage.unwrap().contains("expected the trailer"));
    assert_eq!((there, totals), (payload.clone(), None));
    let cut = &file[..frames + 8 + 1000];
    let (there, damage, totals) = salvaged(cut);
    assert!(damage.unwrap().contains("expected the trailer"));
    assert_eq!((there.as_slice(), totals), (&payload[..1000], None));
    // Without packets nothing is given after damage.
    let (file, _) = write(&payload);
    std::fs::write(&path, &file[..file.len() - 1]).unwrap();
    assert!(BitsReader::salvage(&path).is_err());
}

#[test]
fn every_truncation_is_found() {
    let (file, _) = write(&[0x5a; 50]);
    for length in 0..file.len() {
        let error = read(&file[..length]).expect_err("a part is not a whole");
        let ends = matches!(error.problem, Problem::Empty | Problem::Truncated { .. });
        assert!(ends, "{length} bytes: {error}");
        assert!(error.offset <= length as u64, "{length} bytes: {error}");
    }
}

#[test]
fn every_flipped_bit_is_found() {
    let (file, _) = write(&[0x5a; 50]);
    for bit in 0..8 * file.len() {
        let mut bad = file.clone();
        bad[bit / 8] ^= 1 << (bit % 8);
        let error = read(&bad).expect_err("no bit is without meaning");
        let at_end = matches!(error.problem, Problem::Truncated { .. });
        assert!(at_end || error.offset <= (bit / 8) as u64, "bit {bit}: {error}");
    }
}

/// The first frame's place in a file.
fn frames_begin(file: &[u8]) -> usize {
    16 + u32::from_le_bytes(file[8..12].try_into().unwrap()) as usize
}

#[test]
fn messages() {
    let (file, _) = write(&[0x5a; 50]);
    let frames = frames_begin(&file);
    let with = |at: usize, bytes: &[u8]| {
        let mut bad = file.clone();
        bad[at..at + bytes.len()].copy_from_slice(bytes);
        problem(&bad)
    };
    let longer = [&file[..], &[0]].concat();
    let messages = [
        problem(&[]),
        problem(b"PET1 or so"),
        problem(b"TWBITS"),
        with(6, &[2]),
        with(8, &u32::MAX.to_le_bytes()),
        problem(&file[..100]),
        with(40, b"#"),
        with(frames, &u32::MAX.to_le_bytes()),
        with(frames, &65537u32.to_le_bytes()),
        with(frames + 20, &[0]),
        problem(&file[..frames + 2]),
        problem(&file[..frames + 20]),
        problem(&file[..file.len() - 48]),
        problem(&file[..file.len() - 1]),
        with(file.len() - 20, &[9]),
        problem(&longer),
    ];
    insta::assert_snapshot!(messages.join("\n"));
}

/// A file with the lines of this header, rightly checked.
fn with_header(text: &str) -> Vec<u8> {
    let mut file = b"TWBITS\x01\x00".to_vec();
    file.extend((text.len() as u32).to_le_bytes());
    file.extend(text.as_bytes());
    file.extend(crc32fast::hash(&file[6..]).to_le_bytes());
    file
}

#[test]
fn header_messages() {
    let machine = "machine.isa=arm\nmachine.alignment=2\nmachine.address_bits=32\n";
    let begin = format!("design=mine\nscheme=traptor\n{machine}");
    let texts = [
        String::new(),
        "scheme=traptor\n".into(),
        "design=a b\nscheme=traptor\n".into(),
        "design=mine\nscheme=morse\n".into(),
        "design=mine\nscheme=traptor\nmachine.isa=vax\n".into(),
        "design=mine\nscheme=traptor\nmachine.isa=arm\nmachine.alignment=3\n".into(),
        "design=mine\nscheme=traptor\nmachine.isa=arm\nmachine.alignment=2\nmachine.address_bits=33\n".into(),
        format!("{begin}gshare_entries=512\n"),
        format!("{begin}parameter.gshare_entrys=512\n"),
        format!("{begin}parameter.gshare_entries=0\n"),
        format!("{begin}parameter.gshare_entries=500\n"),
    ];
    let messages: Vec<String> = texts
        .iter()
        .map(|text| {
            BitsReader::new(with_header(text).as_slice(), "test.bits")
                .expect_err("a bad header")
                .to_string()
        })
        .collect();
    insta::assert_snapshot!(messages.join("\n"));
}

#[test]
fn frames_may_not_change_places() {
    let payload: Vec<u8> = (0..150_000u32).map(|i| (i >> 9) as u8).collect();
    let (mut file, _) = write(&payload);
    let (first, size) = (frames_begin(&file), 8 + (64 << 10));
    let (left, right) = file[first..first + 2 * size].split_at_mut(size);
    left.swap_with_slice(right);
    let error = read(&file).expect_err("frames know their place");
    assert!(matches!(error.problem, Problem::Damaged { part: "frame", .. }), "{error}");
}

/// A sink that takes so many bytes and then fails.
struct Full(usize);

impl io::Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_is_told_at_the_next_event_or_the_end() {
    assert!(BitsWriter::new(Full(10), "full", &header()).is_err());
    let mut writer = BitsWriter::new(Full(70_000), "full", &header()).unwrap();
    let told = (0..200_000).find_map(|_| {
        writer.put(&FIELD, 0, 8);
        writer.event(&event(1)).err()
    });
    let error = told.expect("200,000 bytes do not fit");
    assert!(matches!(error.problem, Problem::Write(_)) && error.source().is_none(), "{error}");

    let mut writer = BitsWriter::new(Full(2000), "full", &header()).unwrap();
    (0..1500).for_each(|_| writer.put(&FIELD, 0, 8));
    assert!(writer.finish().is_err());
}

proptest! {
    #[test]
    fn any_payload_comes_back(payload in proptest::collection::vec(any::<u8>(), 0..3000)) {
        let (file, totals) = write(&payload);
        let (back, read_totals) = read(&file).unwrap();
        prop_assert_eq!(&back[..payload.len()], &payload[..]);
        prop_assert_eq!(read_totals, totals);
    }

    #[test]
    fn no_bytes_make_it_panic(noise in proptest::collection::vec(any::<u8>(), 0..300), keep in 0usize..1500) {
        let (file, _) = write(&[1, 2, 3]);
        let mut bad = file[..keep.min(file.len())].to_vec();
        bad.extend(noise);
        if bad != file {
            prop_assert!(read(&bad).is_err());
        }
    }
}
