//! Files of changes, and code that follows them.

use std::path::Path;
use std::sync::Arc;

use tracewright_image::changes::{Change, Changes, Version};
use tracewright_image::{Error, Image};
use tracewright_sim::code::Code;

fn read(text: &str) -> Result<Changes, Error> {
    Changes::read(text.as_bytes(), Path::new("run.images.changes"))
}

fn bytes(address: u64, bytes: &[u8], is_patch: bool) -> Version {
    Version::Bytes { address, bytes: bytes.into(), is_patch }
}

#[test]
fn a_file_comes_back() {
    let mut changes = Changes {
        versions: vec![
            bytes(0x1_0000, &[0x13, 0x05, 0x70, 0x00], false),
            Version::File { path: "/tmp/a b.so".into(), load_address: u64::MAX - 0xfff },
            bytes(u64::MAX - 8, &[1], true),
        ],
        threads: Vec::new(),
    };
    for (thread, event, version) in [(2, 5, 1), (2, 5, 0), (2, u64::MAX, 2), (0, 0, 0)] {
        changes.add(thread, Change { event, version });
    }
    let mut text = Vec::new();
    changes.write(&mut text).expect("written");
    let text = String::from_utf8(text).expect("text");
    assert_eq!(read(&text).expect("changes"), changes);
}

#[test]
fn damaged_lines_are_named() {
    let first = "tracewright-changes 1\n";
    let cases = [
        ("", "line 1: expected a whole line"),
        ("tracewright-changes 2\n", "line 1: expected tracewright-changes 1"),
        ("code 0x10 aabb", "line 2: expected a whole line"),
        ("code 0x10 aab\n", "line 2: expected bytes as pairs of hexadecimal digits"),
        ("code 0x10 zz\n", "line 2: expected bytes as pairs"),
        ("code 10 aa\n", "line 2: expected a hexadecimal address"),
        ("code 0xffffffffffffffff aabb\n", "line 2: expected bytes below the last address"),
        ("moved 0x10 aa\n", "line 2: expected file ADDRESS PATH, patch"),
        ("file 0x10 \n", "line 2: expected file ADDRESS PATH, patch"),
        ("at 0 1 0\n", "line 2: expected the number of a version on a line before"),
        ("code 0x10 aa\nat 0 5 0\nat 0 4 0\n", "line 4: expected the events of a thread in asc"),
        ("code 0x10 aa\nat 256 4 0\n", "line 3: expected at THREAD EVENT VERSION, three numbers"),
    ];
    for (text, said) in cases {
        let text = if text.starts_with("trace") || text.is_empty() {
            text.to_owned()
        } else {
            format!("{first}{text}")
        };
        let error = read(&text).expect_err(said).to_string();
        assert!(error.starts_with(&format!("run.images.changes, {said}")), "{error}");
    }
}

/// Each thread finds its own version, from its event on.
#[test]
fn code_follows_its_changes() {
    let elf =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../workloads").join("rv32imac-traps.elf");
    let mut image = Image::open(&elf, 0).expect("an ELF file");
    let entry = image.entry();
    let before = image.instruction(entry).expect("an instruction");
    // `c.j .` and `ret`.
    let (jump, leave) = ([0x01, 0xa0], [0x67, 0x80, 0x00, 0x00]);
    let mut changes = Changes {
        versions: vec![bytes(entry, &jump, true), bytes(entry, &leave, false)],
        threads: Vec::new(),
    };
    for (thread, event, version) in [(0, 3, 0), (0, 7, 1), (1, 0, 1)] {
        changes.add(thread, Change { event, version });
    }
    image.follow(changes).expect("bytes need no file");
    let image = Arc::new(image);
    let mut first = Arc::clone(&image).changing(0).expect("code that changes");
    assert_eq!((first.next_change(), first.instruction(entry)), (3, Some(before)));
    let file = first.file(entry);
    assert!(file.is_some());
    first.advance(5);
    let found = first.instruction(entry).and_then(|found| found.branch).expect("a jump");
    assert_eq!((found.target, first.next_change(), first.file(entry)), (entry, 7, file));
    assert!(first.is(entry, &jump) && !first.is(entry, &leave));
    first.advance(7);
    let found = first.instruction(entry).and_then(|found| found.branch).expect("a return");
    assert_eq!((found.is_return, first.next_change(), first.file(entry)), (true, u64::MAX, None));
    assert!(!first.is_fixed(entry..entry + 4) && first.is_fixed(entry + 0x10000..entry + 0x10004));
    let second = Arc::clone(&image).changing(1).expect("code that changes");
    assert!(second.is(entry, &leave));
    let third = Arc::clone(&image).changing(2).expect("code that changes");
    assert_eq!(third.instruction(entry), Some(before));
}
