//! Executions of which some code is missing: what comes before is there, in every framing.

use std::collections::HashMap;
use std::path::Path;

use crate::common::Folder;

const DESIGNS: [(&str, &str); 4] = [
    ("traptor-m4", ""),
    ("talon-s", ""),
    ("etrace-full", ""),
    ("stream-rbase-128", "--set framing=packets --set sync_interval=4096"),
];

fn workload(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../workloads").join(name);
    path.display().to_string()
}

/// A program of 32 bits without the code at an address: it is 0 there.
fn with_a_hole(program: &[u8], address: u64) -> Vec<u8> {
    let half = |at: usize| u64::from(u16::from_le_bytes([program[at], program[at + 1]]));
    let word = |at: usize| half(at) | half(at + 2) << 16;
    let (headers, size, count) = (word(28), half(42), half(44));
    let mut holed = program.to_vec();
    for header in (0..count).map(|number| (headers + number * size) as usize) {
        let (offset, begin, length) = (word(header + 4), word(header + 8), word(header + 16));
        if word(header) == 1 && (begin..begin + length).contains(&address) {
            let at = (address - begin + offset) as usize;
            holed[at..at + 2].fill(0);
        }
    }
    assert_ne!(holed, program, "{address:#x} is in no segment");
    holed
}

/// The addresses in a file of program counters, and the lines between them.
fn addresses(text: &str) -> (Vec<u64>, Vec<String>) {
    let (remarks, lines): (Vec<&str>, Vec<&str>) =
        text.lines().partition(|line| line.starts_with('#'));
    let address = |line: &str| u64::from_str_radix(&line[2..], 16).expect("an address");
    (lines.into_iter().map(address).collect(), remarks.into_iter().map(str::to_owned).collect())
}

#[test]
fn what_comes_before_missing_code_is_decoded() {
    let folder = Folder::new();
    let (trace, program) = (workload("rv32imac-traps.pet.zst"), workload("rv32imac-traps.elf"));
    let mut whole = None;
    for (design, settings) in DESIGNS {
        folder.succeed(&format!("encode {design} {settings} {trace} -o run.bits"));
        let decode = "decode run.bits -o back.pet.zst --program-counters run.txt --program";
        folder.succeed(&format!("{decode} {program}"));
        let (executed, remarks) = addresses(&folder.text("run.txt"));
        assert!(remarks.len() > 2_000, "{design}: {} exceptions", remarks.len());
        assert!(remarks.iter().all(|line| line.starts_with("# exception before 0x")), "{design}");
        let executed = whole.get_or_insert(executed.clone()) as &Vec<u64>;
        assert_eq!(*executed, addresses(&folder.text("run.txt")).0, "{design}");

        // An instruction that runs late for the first time.
        let mut first = HashMap::new();
        for (number, address) in executed.iter().enumerate() {
            first.entry(*address).or_insert(number);
        }
        let (address, first) = first.into_iter().max_by_key(|(_, number)| *number).expect("one");
        let bytes = std::fs::read(&program).expect("the program");
        folder.write("holed.elf", with_a_hole(&bytes, address));
        std::fs::remove_file(folder.path("back.pet.zst")).expect("a file");
        let done = folder.run(&format!("{decode} holed.elf"));
        assert_eq!(done.status, 3, "{design}: {}", done.stderr);
        let names = folder.names();
        assert!(names.contains(&"back.part-1.pet.zst".to_owned()), "{design}: {names:?}");
        assert!(!names.contains(&"back.pet.zst".to_owned()), "{design}");
        let text = folder.text("run.txt");
        let (before, _) = text.split_once("# gap at bit ").expect("a gap");
        let (found, _) = addresses(before);
        let least = if settings.is_empty() { 1 } else { first / 2 };
        assert!(found.len() >= least, "{design}: {} of {first}", found.len());
        assert_eq!(found[..], executed[..found.len()], "{design}");
        folder.succeed("trace verify back.part-1.pet.zst");

        let done = folder.run("view run.bits --program holed.elf --listing - --last 100");
        assert_eq!(done.status, 3, "{design}: {}", done.stderr);
        assert!(done.stdout.contains("-- gap at bit "), "{design}");
        for part in names.iter().filter(|name| name.contains(".part-")) {
            std::fs::remove_file(folder.path(part)).expect("a file");
        }
    }
}
