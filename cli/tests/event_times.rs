//! The time of events: from traces with cycles to the file of times, and what is refused.

use std::fs;

use crate::common::Folder;

/// A loop of two branches and a jump, whose times change now and then. Gives the times of its branches.
fn write_trace(folder: &Folder, pause: u64) -> Vec<(u64, u64)> {
    let mut text = "machine riscv alignment=1 address_bits=32 cycles\n".to_owned();
    let (mut clock, mut events, mut times) = (0, 0, Vec::new());
    let mut add = |cycles: Option<u64>, instructions: u64, line: &str, is_timed: bool| {
        if let Some(cycles) = cycles {
            text.push_str(&format!("cycles {cycles}\n"));
        }
        text.push_str(&format!("{instructions} {line}\n"));
        clock += cycles.unwrap_or(instructions);
        events += 1;
        if is_timed {
            times.push((clock, events));
        }
    };
    add(None, 0, "exception 0x0 taken 0x1000", true);
    for round in 0..200 {
        let slow = if round % 7 == 3 { 40 + round } else { 5 };
        add(Some(slow), 3, "direct-conditional 0x1008", true);
        // Without cycles of its own: as many as instructions.
        add(None, 2, "direct-jump 0x1010 taken 0x1020", false);
        let cycles = if round == 150 { pause } else { 9 };
        add(Some(cycles), 4, "direct-conditional 0x102c taken 0x1000", true);
    }
    fs::write(folder.path("run.txt"), text).expect("written");
    times
}

fn times(folder: &Folder) -> Vec<(u64, u64)> {
    let text = folder.text("times.csv");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("core,cycle,events"));
    let line = |line: &str| {
        let numbers: Vec<u64> =
            line.split(',').map(|text| text.parse().expect("a number")).collect();
        (numbers[1], numbers[2])
    };
    lines.map(line).collect()
}

const TIMED: &str = "encode talon-m run.txt -o run.bits --set time_mode=exact";
const DECODE: &str = "decode run.bits --program run.txt -o back.txt --times times.csv";

#[test]
fn the_cycle_of_every_branch_comes_back() {
    let folder = Folder::new();
    let expected = write_trace(&folder, 1_000);
    folder.succeed(TIMED);
    folder.succeed(DECODE);
    assert_eq!(times(&folder), expected);
    let without_cycles = |name: &str| {
        let text = folder.text(name);
        text.lines()
            .skip(1)
            .filter(|line| !line.starts_with("cycles"))
            .collect::<Vec<_>>()
            .join("\n")
    };
    assert_eq!(without_cycles("back.txt"), without_cycles("run.txt"));
    // The trace file keeps its cycles in its other forms, and as a table.
    for (form, verb) in [("run.pet.zst", "convert"), ("run.csv", "import"), ("run.jsonl", "import")]
    {
        folder.succeed(&format!("trace convert run.txt -o {form}"));
        folder.succeed(&format!("trace {verb} {form} -o again.txt"));
        assert_eq!(folder.text("again.txt"), folder.text("run.txt"), "{form}");
    }
    folder.succeed("encode talon-m run.txt -o run.bits");
    let done = folder.run(DECODE);
    assert!(done.status != 0 && done.stderr.contains("no time stamps"), "{}", done.stderr);
}

#[test]
fn a_counter_that_is_full_is_told() {
    let folder = Folder::new();
    let pause = 5_000_000;
    let expected = write_trace(&folder, pause);
    folder.succeed(TIMED);
    let done = folder.run(DECODE);
    assert_eq!(done.status, 0, "{}", done.stderr);
    assert!(done.stderr.contains("the time of event 454"), "{}", done.stderr);
    let lost = pause + 2 - ((1 << 20) - 1);
    let full = expected.iter().position(|(clock, _)| *clock > pause).expect("a pause");
    let held = |(at, (clock, events)): (usize, &(u64, u64))| {
        (if at < full { *clock } else { clock - lost }, *events)
    };
    assert_eq!(times(&folder), expected.iter().enumerate().map(held).collect::<Vec<_>>());
}

#[test]
fn what_does_not_go_with_times_is_refused() {
    let folder = Folder::new();
    write_trace(&folder, 9);
    for (command, expected) in [
        ("generate talon-m --set time_mode=exact --set framing=packets", "`time_mode` = exact"),
        ("generate talon-m --set time_mode=exact --set memory_style=synchronous", "memory_style"),
        ("generate talon-m --set time_mode=exact --ingress rvfi", "time_mode"),
        ("generate talon-m --set time_mode=exact --control apb", "time_mode"),
        ("encode talon-s run.txt -o run.bits --set time_mode=exact", "most_confidence"),
    ] {
        let done = folder.run(command);
        assert!(done.status != 0 && done.stderr.contains(expected), "{command}: {}", done.stderr);
    }
}
