//! Real programs at the same addresses as contexts that an interrupt switches between, through files.

use std::collections::{BTreeMap, VecDeque};
use std::fs::File;
use std::sync::{Arc, OnceLock};

use crate::common::{Folder, workload};
use serde_json::Value;
use tracewright_image::Image;
use tracewright_sim::event::{Event, ExecutionState, Machine};
use tracewright_sim::trace_io::{self, Extensions, Format, Writer, WriterOptions};
use tracewright_view::Walker;

/// Contexts and their programs; the first and the last have the same one.
const CONTEXTS: [(u64, &str); 3] =
    [(0, "rv32imac-crc"), (7, "rv32imac-interpreter"), (0x12, "rv32imac-crc")];

/// Events of each.
const EVENTS: usize = 20_000;

pub const PROGRAMS: &str = "--program crc.elf --program 7=interpreter.elf";

pub const SETTINGS: &str =
    "--set framing=packets --set sync_interval=1024 --set checksum_bits=8 --set context_bits=5";

/// The beginning of a program's trace. A whole replay takes seconds, so all tests have it from one.
fn beginning(name: &str) -> &'static [u8] {
    static BEGINNINGS: [OnceLock<Vec<u8>>; 2] = [const { OnceLock::new() }; 2];
    let place = usize::from(name == CONTEXTS[1].1);
    BEGINNINGS[place].get_or_init(|| {
        let folder = Folder::new();
        let wset = workload(name).replace(".pet.zst", ".wset");
        folder.succeed(&format!("wset replay {wset} -o whole.pet.zst"));
        folder
            .succeed(&format!("trace convert whole.pet.zst -o beginning.pet.zst --limit {EVENTS}"));
        folder.read("beginning.pet.zst")
    })
}

/// A program of a context, and how far it is.
struct Running {
    context: u64,
    events: std::vec::IntoIter<Event>,
    walker: Walker,
    /// Where it goes on.
    next: u64,
    /// What is left of an event that was interrupted, and the addresses of its instructions.
    rest: Option<(Event, Vec<u64>)>,
}

impl Running {
    fn new(folder: &Folder, context: u64, name: &str) -> (Running, Machine) {
        let program = name.replace("rv32imac-", "");
        let elf = format!("{program}.elf");
        std::fs::copy(workload(name).replace(".pet.zst", ".elf"), folder.path(&elf)).unwrap();
        folder.write(&format!("{program}.pet.zst"), beginning(name));
        let reader = trace_io::open(folder.path(format!("{program}.pet.zst"))).unwrap();
        let machine = reader.machine();
        let events: Vec<Event> = reader.collect::<Result<_, _>>().unwrap();
        let image = Arc::new(Image::open(&folder.path(&elf), 0).unwrap());
        let next = image.entry();
        let walker = Walker::new(image, Some(next));
        let mut running = Running { context, events: events.into_iter(), walker, next, rest: None };
        // An interrupt leads to its first instruction, in place of the exception with which the trace begins.
        let begins = running.events.as_slice().first().is_some_and(|event| event.instructions == 0);
        if context != 0 && begins {
            running.event().unwrap();
        }
        (running, machine)
    }

    /// The next event, and the addresses of its instructions.
    fn event(&mut self) -> Option<(Event, Vec<u64>)> {
        self.rest.take().or_else(|| {
            let event = self.events.next()?;
            let step = self.walker.step(&event).unwrap();
            let addresses = self.walker.program_counters(&step).collect();
            self.next = self.walker.blocks().get(step.next).start;
            Some((event, addresses))
        })
    }

    /// Interrupts the next event in the middle, or before it: instructions since the last event, and the last address.
    fn interrupt(&mut self, last: u64, wanted: usize) -> (u64, u64, u64) {
        let goes_on = self.next;
        let Some((mut event, mut addresses)) = self.event() else { return (0, last, goes_on) };
        if addresses.is_empty() {
            self.rest = Some((event, addresses));
            return (0, last, goes_on);
        }
        let count = wanted % addresses.len();
        let before: Vec<u64> = addresses.drain(..count).collect();
        event.instructions -= count as u64;
        let goes_on = addresses[0];
        self.rest = Some((event, addresses));
        (count as u64, before.last().copied().unwrap_or(last), goes_on)
    }
}

/// A folder with the programs, a trace of each, and `run.pet.zst` of all in turns; gives the number of switches.
pub fn folder() -> (Folder, usize) {
    let folder = Folder::new();
    let running = CONTEXTS.map(|(context, name)| Running::new(&folder, context, name));
    let machine = running[0].1;
    let mut running = VecDeque::from(running.map(|(running, _)| running));
    let extensions = Extensions { states: true, ..Extensions::LENGTHS };
    let name = "run.pet.zst".to_owned();
    let options =
        WriterOptions { format: Format::Pet1Zstd, extensions, name, ..WriterOptions::default() };
    let file = File::create(folder.path("run.pet.zst")).unwrap();
    let mut writer = Writer::new(file, machine, options).unwrap();
    let mut goes_on = BTreeMap::new();
    let mut switches = 0;
    while let Some(mut one) = running.pop_front() {
        let mut last = 0;
        for _ in 0..100 + 7 * (switches % 13) {
            let Some((event, _)) = one.event() else { break };
            last = event.program_counter;
            writer.write(&event).unwrap();
        }
        let is_over = one.rest.is_none() && one.events.len() == 0;
        let Some(other) = running.front() else {
            running.extend((!is_over).then_some(one));
            continue;
        };
        let target = *goes_on.get(&other.context).unwrap_or(&other.next);
        let (count, at, back) = match is_over {
            true => (0, last, one.next),
            false => one.interrupt(last, switches),
        };
        goes_on.insert(one.context, back);
        writer.write(&Event::exception(count, at, target)).unwrap();
        let state = ExecutionState { context: other.context, privilege: 0, cause: None };
        writer.write_state(&state).unwrap();
        switches += 1;
        running.extend((!is_over).then_some(one));
    }
    writer.finish().unwrap();
    (folder, switches)
}

#[test]
fn each_context_is_decoded_with_its_program() {
    let (folder, switches) = folder();
    assert!(switches > 50, "{switches} switches");
    for design in ["traptor-m4", "talon-s", "stream-rbase-128"] {
        folder.succeed(&format!("encode {design} run.pet.zst -o run.bits {SETTINGS}"));
        let done = folder.json(&format!("decode run.bits {PROGRAMS} -o back.pet.zst --json"));
        assert_eq!((&done["verified"], &done["states"]), (&true.into(), &switches.into()));
        assert_eq!(
            folder.succeed("trace dump back.pet.zst"),
            folder.succeed("trace dump run.pet.zst")
        );
        for swapped in ["--program interpreter.elf --program 7=crc.elf", "--program crc.elf"] {
            let done = folder.run(&format!("decode run.bits {swapped} -o never.pet.zst"));
            assert_ne!(done.status, 0, "{design}, {swapped}: {}", done.stdout);
            assert!(!folder.names().contains(&"never.pet.zst".to_owned()));
        }
    }
}

/// A trace that begins in the middle goes on in the context that its first usable header says.
#[test]
fn a_cut_trace_goes_on_in_its_context() {
    let (folder, _) = folder();
    folder.succeed(&format!("encode traptor-m4 run.pet.zst -o run.bits {SETTINGS}"));
    let mut file = folder.read("run.bits");
    let middle = file.len() / 2;
    file[middle] ^= 4;
    folder.write("run.bits", file);
    let done = folder.run(&format!("decode run.bits {PROGRAMS} -o back.pet.zst --json"));
    assert_eq!(done.status, 3, "{}", done.stderr);
    let done: Value = serde_json::from_str(&done.stdout).unwrap();
    let parts = done["parts"].as_array().unwrap();
    assert_eq!(parts.len(), 2, "{done}");
    let run = folder.succeed("trace dump run.pet.zst");
    let part = folder.succeed(&format!("trace dump {}", parts[1]["output"].as_str().unwrap()));
    let lines: Vec<&str> = part.lines().collect();
    // Machine, the exception with which the part begins, the state, and then all to the end.
    let (context, rest) = (lines[2].strip_prefix("state context=").unwrap(), &lines[3..]);
    let run: Vec<&str> = run.lines().collect();
    let begins = run.len() - rest.len();
    assert_eq!(run[begins..], *rest);
    let states = run[..begins].iter().rev().filter_map(|line| line.strip_prefix("state context="));
    assert_eq!(states.clone().next(), Some(context));
    let viewed = folder.run(&format!("view run.bits {PROGRAMS} --json --listing run.lst"));
    assert_eq!(viewed.status, 3, "{}", viewed.stderr);
    let viewed: Value = serde_json::from_str(&viewed.stdout).unwrap();
    assert_eq!(viewed["events"], done["events"]);
}

/// Folded stacks and their instructions.
fn stacks(folder: &Folder, file: &str) -> BTreeMap<String, u64> {
    let text = folder.text(file);
    let lines = text.lines().map(|line| line.rsplit_once(' ').unwrap());
    lines.map(|(stack, count)| (stack.to_owned(), count.parse().unwrap())).collect()
}

/// Each context has the stacks that its program has when nothing interrupts it.
#[test]
fn each_context_has_its_own_stack() {
    let (folder, _) = folder();
    folder.succeed(&format!("encode traptor-m4 run.pet.zst -o run.bits {SETTINGS}"));
    let files = "--folded run.folded --flame-graph run.svg --perfetto run.json";
    let traced = folder.json(&format!("view run.pet.zst {PROGRAMS} {files} --json"));
    let of_trace = (stacks(&folder, "run.folded"), folder.text("run.json"));
    let decoded = folder.json(&format!("view run.bits {PROGRAMS} {files} --json"));
    assert!((stacks(&folder, "run.folded"), folder.text("run.json")) == of_trace);
    assert_eq!(traced["contexts"], decoded["contexts"]);
    assert_eq!(traced["functions"], decoded["functions"]);
    assert!(folder.text("run.svg").contains("<title>context 0x7 ("));
    for context in ["context 0x0", "context 0x7", "context 0x12"] {
        assert!(of_trace.1.contains(&format!(r#""name":"{context}""#)), "{context}");
    }
    for (number, (context, name)) in CONTEXTS.into_iter().enumerate() {
        let program = name.replace("rv32imac-", "");
        let alone = folder.json(&format!(
            "view {program}.pet.zst --program {program}.elf --folded alone.folded --json"
        ));
        let prefix = format!("context {context:#x};");
        let own: BTreeMap<String, u64> = of_trace
            .0
            .iter()
            .filter_map(|(stack, count)| Some((stack.strip_prefix(&prefix)?.to_owned(), *count)))
            .collect();
        assert_eq!(own, stacks(&folder, "alone.folded"), "{context:#x}");
        let count = &decoded["contexts"][number];
        assert_eq!(
            (&count["context"], &count["instructions"]),
            (&context.into(), &alone["instructions"])
        );
    }
}

/// A context in which only a handler of exceptions runs, as a kernel: each call of it ends where it returns.
#[test]
fn a_handler_in_another_context_returns() {
    let folder = Folder::new();
    let elf = workload("rv32imac-traps").replace(".pet.zst", ".elf");
    let run = folder.succeed(&format!("trace dump {}", workload("rv32imac-traps")));
    folder.write("run.txt", &run);
    let view = format!("--program {elf} --folded run.folded --listing run.lst --count 1000000");
    folder.succeed(&format!("view run.txt {view}"));
    let listing = folder.text("run.lst");
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let returns = listing.lines().map(words).find(|words| words.contains(&"mret".to_owned()));
    let returns = format!("0x{}", returns.expect("a return from an exception")[1]);
    let (mut text, mut depth) = (String::new(), 0);
    for line in run.lines() {
        let (words, is_first) = (words(line), depth == 0);
        let is_machine = words[0] == "machine";
        text += &format!("{line}{}\n", if is_machine { " states" } else { "" });
        // The first exception is the reset; no other one interrupts the handler.
        if words[1] == "exception" && words[2] != "0x0" {
            depth += 1;
            assert_eq!(depth, 1, "{line}");
            text += if is_first { "state context=0x1 privilege=3\n" } else { "" };
        } else if words.get(2) == Some(&returns) {
            depth -= 1;
            text += if depth == 0 { "state context=0x0 privilege=0\n" } else { "" };
        }
    }
    let without = stacks(&folder, "run.folded");
    folder.write("run.txt", text);
    folder.succeed(&format!("view run.txt {view}"));
    let mut expected: BTreeMap<String, u64> = BTreeMap::new();
    for (stack, count) in without {
        // Without contexts, an exception right after a return to elsewhere than where it came from seems to be in the handler.
        let stack = stack.replace(";trap;trap", ";trap");
        let context = match stack.find(";trap") {
            Some(at) => format!("context 0x1{}", &stack[at..]),
            None => format!("context 0x0;{stack}"),
        };
        *expected.entry(context).or_default() += count;
    }
    assert_eq!(stacks(&folder, "run.folded"), expected);
}

#[test]
fn views_say_the_context() {
    let (folder, _) = folder();
    let view = format!("view run.pet.zst {PROGRAMS}");
    let listing = "--listing run.lst --annotate run.txt --lcov run.info";
    insta::assert_snapshot!(
        "tables",
        folder.succeed(&format!("{view} --functions --loops --top 6"))
    );
    folder.succeed(&format!("{view} {listing}"));
    let text = folder.text("run.lst");
    let at = text.find("-- context 0x7").expect("a change of context");
    let lines: Vec<&str> = text[..at].lines().collect();
    let before = lines[lines.len() - 4..].join("\n");
    let after: Vec<&str> = text[at..].lines().take(8).collect();
    insta::assert_snapshot!("listing", format!("{before}\n{}", after.join("\n")));
    let annotated = folder.text("run.txt");
    assert!(annotated.contains("-- other contexts\n") && annotated.contains("-- context 0x7\n"));
    // The last instructions have the same lines.
    folder.succeed(&format!("{view} --listing last.lst --last 3000"));
    folder.succeed(&format!("{view} --listing run.lst --count 1000000"));
    let text = folder.text("run.lst");
    let last = folder.text("last.lst");
    let changes: Vec<&str> = last.lines().filter(|line| line.starts_with("-- context")).collect();
    assert!(!changes.is_empty());
    let all: Vec<&str> = text.lines().filter(|line| line.starts_with("-- context")).collect();
    assert!(all.ends_with(&changes[1..]), "{changes:?}");
}

#[test]
fn programs_that_the_trace_cannot_have_are_refused() {
    let (folder, _) = folder();
    folder.succeed(&format!("encode traptor-m4 run.pet.zst -o run.bits {SETTINGS}"));
    folder.succeed("encode traptor-m4 crc.pet.zst -o plain.bits");
    let mut said = String::new();
    for arguments in [
        "decode run.bits --program crc.elf --program 7=interpreter.elf --program 0x7=interpreter.elf -o x.pet",
        "decode run.bits --program crc.elf --program interpreter.elf -o x.pet",
        "decode run.bits --program 7=interpreter.elf -o x.pet",
        "decode run.bits --program crc.elf --image 7=interpreter.elf@0x1000 -o x.pet",
        "decode run.bits --program crc.elf --program 32=interpreter.elf -o x.pet",
        "decode plain.bits --program crc.elf --program 7=interpreter.elf -o x.pet",
        "view plain.bits --program crc.elf --program 7=interpreter.elf",
        "view crc.pet.zst --program crc.elf --program 7=interpreter.elf",
        "view run.bits --program crc.elf --program 7=interpreter.pet.zst",
    ] {
        let done = folder.run(arguments);
        assert_eq!((done.status, done.stdout.as_str()), (2, ""), "{arguments}: {}", done.stderr);
        said += &format!("{arguments}\n{}\n", done.stderr);
    }
    insta::assert_snapshot!("refused", said);
    assert!(!folder.names().contains(&"x.pet".to_owned()));
}
