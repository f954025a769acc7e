//! The reader of trace files that docs/formats.md shows.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::page::{Action, steps};
use crate::common::{Folder, done, with_tools, workload};

/// Lines of a reader that is short enough to be rewritten in another language.
const MOST_LINES: usize = 40;

/// Six threads, states, accesses, lengths, and addresses from one end of the address space to the other.
const ALL_EXTENSIONS: &str = "\
machine x86 alignment=0 address_bits=64 lengths data threads states
0 exception 0x0 taken 0xffffffffff600000
0 exception 0x0 thread=5 taken 0x1000
2 load 0x1003 0xffffffffffffffff thread=5
2 load 0x1003 0x7 thread=5
3 direct-jump 0x1003 call length=15 thread=5 taken 0x2000
4294967295 indirect-jump 0xffffffffff600800 call return length=2 taken 0x7fffffffffffffff
state context=0xffffffffffffffff privilege=7
1 store 0x2000 0x8 thread=5
1 exception 0x2000 thread=5 taken 0x8000000000000000
state context=0x0 privilege=0 cause=0x800000000000000b
6 indirect-conditional 0x8000000000000010 thread=5
1 direct-conditional 0x7fffffffffffffff taken 0x0
1 exception 0x0
";

/// The reader prints what the command prints.
#[test]
fn the_reader_in_python() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/formats.md");
    let page = fs::read_to_string(page).expect("the page");
    let files = steps(&page).into_iter().filter_map(|step| match step.action {
        Action::File(name, text) => Some((name, text)),
        _ => None,
    });
    let [(name, text)] = &files.collect::<Vec<_>>()[..] else { panic!("one file") };
    assert!(text.lines().count() <= MOST_LINES, "{} lines", text.lines().count());
    let folder = Folder::new();
    folder.write(name, text);
    folder.write("all.txt", ALL_EXTENSIONS);
    folder.succeed("trace convert all.txt -o all.pet");
    fs::copy(workload("rv32-synthetic-data"), folder.path("data.pet.zst")).expect("copied");
    folder.take_head("arm-fft-head", 50_000, "arm.pet.zst");
    for trace in ["all.pet", "data.pet.zst", "arm.pet.zst"] {
        let mut reader = Command::new("python3");
        reader.args([name, trace]).current_dir(folder.path(".")).env("PATH", with_tools());
        let read = done(reader.output().expect("python3"));
        assert_eq!((read.status, read.stderr.as_str()), (0, ""), "{trace}");
        let printed = folder.run(&format!("trace dump {trace}")).stdout;
        let different = read.stdout.lines().zip(printed.lines()).find(|(one, other)| one != other);
        assert_eq!(different, None, "{trace}");
        assert_eq!(read.stdout.lines().count(), printed.lines().count(), "{trace}");
    }
    assert_eq!(folder.run("trace dump all.pet").stdout, ALL_EXTENSIONS);
}
