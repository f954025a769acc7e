//! Conventions of retirement ports: of cores' logs, and of random programs on cores with drawn conventions.

mod alignment;
mod generator;
mod lanes;

use std::io::Cursor;
use std::path::Path;

use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_image::InstructionSet;
use tracewright_import::Options;
use tracewright_import::port::{Check, Checked, Convention, Kind, Port, Row, check_log};
use tracewright_sim::rvfi::{Compressed, Trapped};

use generator::{Conventions, Next, Rates, Shown, Words};

/// Rows of a random execution.
const ROWS: usize = 2500;

fn check(log: &[u8], options: &Options) -> Checked {
    let log = Box::new(Cursor::new(log.to_vec()));
    check_log(log, "run.log", options).unwrap_or_else(|error| panic!("{error}"))
}

fn refusal(log: &str) -> String {
    let log = Box::new(Cursor::new(log.as_bytes().to_vec()));
    check_log(log, "run.log", &Options::default()).expect_err("a bad log").to_string()
}

fn count(checked: &Checked, convention: Convention) -> u64 {
    checked.report.found(convention).map_or(0, |rows| rows.count)
}

/// A table of what a core shows, with its columns, digits and prefixes as some testbench may write them.
fn table(rows: &[Shown], how: Conventions, is_rvfi: bool, random: &mut impl Rng) -> String {
    let (upper, prefix) = (random.random::<bool>(), random.random::<bool>());
    let number = |value: u32, digits: usize| {
        let text = format!("{value:0digits$x}");
        let text = if upper { text.to_uppercase() } else { text };
        if prefix { format!("0x{text}") } else { text }
    };
    let mut columns: Vec<(&str, &str)> = vec![
        ("rvfi_pc_rdata", "retired_pc"),
        ("rvfi_insn", "retired_word"),
        ("rvfi_pc_wdata", "retired_next_pc"),
        ("rvfi_trap", "retired_trap"),
        ("rvfi_intr", "retired_interrupt"),
        ("rvfi_order", "retired_number"),
        ("rvfi_compressed", "retired_compressed"),
        ("rvfi_valid", "retired_valid"),
    ];
    let has_pin = matches!(how.words, Words::ExpandedWithPin | Words::ExpandedWithWrongPin);
    columns.retain(|(name, _)| match *name {
        "rvfi_pc_wdata" => how.next != Next::Missing,
        "rvfi_trap" => how.trap != generator::Trap::Missing,
        "rvfi_compressed" => has_pin,
        _ => true,
    });
    columns.shuffle(random);
    let name = |(rvfi, retired): &(&str, &str)| if is_rvfi { *rvfi } else { *retired }.to_owned();
    let mut text = columns.iter().map(name).collect::<Vec<_>>().join(",") + "\n";
    for (order, row) in rows.iter().enumerate() {
        let cell = |(column, _): &(&str, &str)| match *column {
            "rvfi_pc_rdata" => number(row.pc, 8),
            "rvfi_insn" => number(row.word, 8),
            "rvfi_pc_wdata" => number(row.next, 8),
            "rvfi_trap" => number(row.trap, 4),
            "rvfi_intr" => u8::from(row.interrupt).to_string(),
            "rvfi_order" => (order + 7).to_string(),
            "rvfi_compressed" => u8::from(row.compressed).to_string(),
            _ => "1".to_owned(),
        };
        text += &columns.iter().map(cell).collect::<Vec<_>>().join(",");
        text.push('\n');
    }
    text
}

/// Every convention that is drawn is found, and no other one.
#[test]
fn drawn_conventions_are_found() {
    let random = &mut ChaCha8Rng::seed_from_u64(55);
    for case in 0..400 {
        let how = Conventions::random(random);
        let rates = Rates {
            interrupts: random.random_range(3..30),
            debugger: if how.next == Next::Delayed { 0 } else { random.random_range(0..30) },
        };
        let executed = generator::execution(case, ROWS, true, rates);
        let rows = generator::shown(&executed, how, random);
        let is_rvfi = how.next != Next::Missing && random.random();
        let checked = check(table(&rows, how, is_rvfi, random).as_bytes(), &Options::default());
        compare(case, how, is_rvfi, &rows, &checked);
    }
}

fn compare(case: u64, how: Conventions, is_rvfi: bool, rows: &[Shown], checked: &Checked) {
    let settings = &checked.report.settings;
    // The last row has no next one.
    let rows = &rows[..rows.len() - 1];
    let shows = |is_one: fn(&Shown) -> bool| rows.iter().filter(|row| is_one(row)).count() as u64;
    let context = format!("case {case}, {how:?}: {:#?}", checked.report);
    let compressed = match how.words {
        Words::Raw => Compressed::Raw,
        Words::ExpandedWithPin => Compressed::Pin,
        Words::Expanded | Words::ExpandedWithWrongPin => Compressed::Expanded,
    };
    assert_eq!(settings.compressed, compressed, "{context}");
    let is_expanded = count(checked, Convention::CompressedExpanded) > 0;
    assert_eq!(is_expanded, shows(|row| row.expanded) > 0, "{context}");
    let disagrees = count(checked, Convention::PinDisagrees) > 0;
    assert_eq!(disagrees, how.words == Words::ExpandedWithWrongPin, "{context}");
    let handler = count(checked, Convention::NextHandler);
    let delayed = count(checked, Convention::NextDelayed);
    match how.next {
        Next::Delayed => assert!(delayed > 0 && handler == 0, "{context}"),
        Next::Handler => {
            // A log in which all show the handler is that of a delayed pc.
            let drawn = shows(|row| row.handler_as_next);
            assert!(handler + delayed >= drawn, "{context}");
        }
        Next::Own | Next::Predicted | Next::AfterReturn | Next::Missing => {
            assert_eq!(delayed, 0, "{context}");
        }
    }
    let predicted = count(checked, Convention::NextFallThrough);
    assert_eq!(predicted, shows(|row| row.predicted), "{context}");
    let after_return = count(checked, Convention::NextAfterReturn) > 0;
    assert_eq!(after_return, how.next == Next::AfterReturn, "{context}");
    assert_eq!(count(checked, Convention::NextOther), 0, "{context}");
    let retired = shows(|row| row.retired_with_trap);
    assert_eq!(settings.trap == Trapped::Checked, retired > 0, "{context}");
    let kind = if is_rvfi && delayed == 0 { Kind::Rvfi } else { Kind::Retired };
    assert_eq!(settings.port, kind, "{context}");
    assert_eq!(settings.alignment, 1, "{context}");
    assert!(checked.report.is_traceable(), "{context}");
}

/// A log of a core, of which a part was kept.
fn log(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/port").join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// What cores say in simulation.
#[test]
fn cores() {
    use Convention as C;
    let expected: [(&str, &[C], &[C], &str); 8] = [
        ("hazard3.csv.zst", &[C::NextHandler, C::InterruptUnmarked], &[C::NextDelayed], ""),
        (
            "cv32e40x.csv.zst",
            &[C::TrapRetired, C::DebugEntry],
            &[C::NextOther],
            "trap = \"checked\"\n",
        ),
        (
            "neorv32.csv.zst",
            &[C::CompressedExpanded],
            &[C::TrapRetired],
            "compressed = \"expanded\"\n",
        ),
        (
            "serv.csv.zst",
            &[C::CompressedExpanded],
            &[C::TrapRetired],
            "compressed = \"expanded\"\n",
        ),
        ("vexriscv.csv.zst", &[C::NextDelayed], &[C::NextHandler], "pins = []\n"),
        ("veer.csv.zst", &[C::NextDelayed], &[C::NextHandler], "pins = []\n"),
        ("hazard3_natural.csv.zst", &[C::NextOwn], &[C::NextHandler, C::NextDelayed], ""),
        ("neorv32_raw.csv.zst", &[C::InterruptMarked], &[C::CompressedExpanded], ""),
    ];
    for (name, found, absent, settings) in expected {
        let checked = check(&log(name), &Options::default());
        let context = format!("{name}: {:#?}", checked.report);
        assert!(found.iter().all(|one| count(&checked, *one) > 0), "{context}");
        assert!(absent.iter().all(|one| count(&checked, *one) == 0), "{context}");
        let port = if settings.starts_with("pins") { "retired" } else { "rvfi" };
        let toml = format!(
            "preset = \"traptor-m4\"\nname = \"unit\"\nalignment = 1\n\n[ingress]\nport = \"{port}\"\n{settings}"
        );
        assert_eq!(checked.report.settings.to_toml("unit"), toml, "{context}");
        assert!(checked.report.is_traceable(), "{context}");
    }
}

const HEAD: &str = "rvfi_order,rvfi_insn,rvfi_pc_rdata,rvfi_pc_wdata\n";

/// What cannot be traced is said with the row that shows it.
#[test]
fn obstacles() {
    let cases: [(&str, Convention, u64); 5] = [
        ("0,13,100,104\n2,13,108,10c\n3,13,10c,110\n", Convention::OrderGap, 3),
        ("0,13,100,104\n1,13,104,108\n1,13,104,108\n", Convention::OrderAgain, 4),
        ("0,13,100,104\n2,13,108,10c\n1,13,104,108\n3,13,10c,110\n", Convention::LanesMixed, 4),
        ("0,xxxxxxxx,100,104\n1,13,104,108\n", Convention::WordMissing, 2),
        (
            "0,b842,100,102\n1,be42,200,204\n2,13,200,204\n3,13,204,208\n",
            Convention::PopAtTarget,
            3,
        ),
    ];
    for (rows, convention, line) in cases {
        let checked = check(format!("{HEAD}{rows}").as_bytes(), &Options::default());
        let context = format!("{rows}{:#?}", checked.report);
        let rows = checked.report.found(convention).unwrap_or_else(|| panic!("{context}"));
        assert_eq!(rows.first, [line], "{context}");
        let told = |one: &tracewright_import::port::Sentence| one.convention == Some(convention);
        assert!(checked.report.obstacles.iter().any(told), "{context}");
    }
}

/// PicoRV32 returns from interrupts by an opcode of its own; VeeR repeats an instruction where an interrupt comes.
#[test]
fn peculiar_cores() {
    let log = "rvfi_insn,rvfi_pc_rdata,rvfi_pc_wdata,rvfi_intr\n\
        13,100,104,0\n13,10,14,1\n0400000b,14,104,0\n13,104,108,0\n";
    let checked = check(log.as_bytes(), &Options::default());
    assert_eq!(count(&checked, Convention::CustomJump), 1, "{:#?}", checked.report);
    assert_eq!(count(&checked, Convention::NextHandler), 0);
    assert!(checked.report.is_traceable());
    let log = "retired_word,retired_pc,retired_interrupt\n13,100,0\n13,104,0\n13,104,1\n13,10,0\n";
    let checked = check(log.as_bytes(), &Options::default());
    let rows = checked.report.found(Convention::InterruptRepeats).expect("evidence");
    assert_eq!(rows.first, [4]);
    assert!(!checked.report.is_traceable());
}

/// A jump to an odd address after which something else retires.
#[test]
fn jumps_to_nowhere() {
    let log = format!("{HEAD}0,00008067,100,dead\n1,13,80,84\n");
    let checked = check(log.as_bytes(), &Options::default());
    assert_eq!(count(&checked, Convention::JumpNowhere), 1);
    assert!(!checked.report.is_traceable());
}

/// Instructions that retire after a request to stop.
#[test]
fn slack() {
    let mut log = String::from("rvfi_valid,rvfi_insn,rvfi_pc_rdata,rvfi_pc_wdata,stall\n");
    let mut at = 0x100;
    for (stalled, rows) in [(0, 20), (1, 11), (0, 5), (1, 3)] {
        for _ in 0..rows {
            log += &format!("1,00000013,{at:x},{:x},{stalled}\n", at + 4);
            at += 4;
        }
        log += &format!("0,0,0,0,{stalled}\n");
    }
    let checked = check(log.as_bytes(), &Options::default());
    assert_eq!(checked.report.settings.slack, Some(11), "{:#?}", checked.report);
}

/// Records of any width, numbers with a prefix, unknown bits in rows that trap, and columns in any case.
#[test]
fn cells() {
    let log = "RVFI_PC_RDATA,RVFI_INSN,RVFI_TRAP,RVFI_ORDER,RVFI_PC_WDATA,RVFI_INTR\n\
        0X00000100,0X00000013,00000000000000000000,0x9,0x104,0\n\
        0x104,xxxxxxxx,00000000000000000805,0xa,0x80,0\n\
        0x80,0x00000013,0,0xb,0x84,005b\n";
    let checked = check(log.as_bytes(), &Options::default());
    assert!(checked.report.is_traceable(), "{:#?}", checked.report);
    let counts = [Convention::Trap, Convention::TrapRecord, Convention::InterruptMarked];
    assert_eq!(counts.map(|one| count(&checked, one)), [1, 1, 0]);
}

/// Words are compared with those of the program, if there is one.
#[test]
fn programs() {
    let crc = || crate::common::of_program("rv32imac-crc.elf");
    let entry = crc().program.expect("a program").entry();
    let rows = |from: u64, word: u32| {
        let row = |place: u64| format!("{:x},{word:x}\n", from + 4 * place);
        format!("pc,insn\n{}", (0..100).map(row).collect::<String>())
    };
    let cases = [
        (rows(entry, 0xdead_beef), Some(Convention::ProgramOther)),
        (rows(0x4000_0000, 0x13), Some(Convention::ProgramOutside)),
    ];
    for (log, expected) in cases {
        let checked = check(log.as_bytes(), &crc());
        let told = checked.report.obstacles.first().and_then(|one| one.convention);
        assert_eq!(told, expected, "{:#?}", checked.report);
    }
}

/// Rows of any values are looked at without a panic.
#[test]
fn any_rows() {
    let random = &mut ChaCha8Rng::seed_from_u64(9);
    let words = [0x13, 0x73, 0x3020_0073, 0x7b20_0073, 0x0000_006f, 0xfe05_1ee3, 0xbe42, 0, !0];
    for _ in 0..300 {
        let flags: [bool; 7] = random.random();
        let [word, next, trap, interrupt, compressed, number, stall] = flags;
        let lanes = random.random_range(0..9);
        let kind = if random.random() { Kind::Rvfi } else { Kind::Retired };
        let port = Port { kind, lanes, word, next, trap, interrupt, compressed, number, stall };
        let set = if random.random() { InstructionSet::RV32 } else { InstructionSet::RV64 };
        let mut check = Check::new(port, set, None);
        for place in 0..200 {
            let any = |random: &mut ChaCha8Rng| match random.random_range(0..3) {
                0 => random.random_range(0..16),
                1 => u64::MAX - random.random_range(0..16),
                _ => random.random(),
            };
            check.row(&Row {
                place,
                cycle: random.random::<bool>().then(|| any(random)),
                program_counter: any(random),
                word: word.then(|| words[random.random_range(0..words.len())]),
                next: next.then(|| any(random)),
                trap: any(random),
                interrupt: any(random),
                compressed: compressed.then(|| random.random()),
                number: number.then(|| any(random)),
                stalled: random.random(),
                ..Row::default()
            });
        }
        let report = check.finish();
        assert_eq!(report.rows, 200);
        assert!(report.settings.to_toml("unit").starts_with("preset"));
    }
}

/// What is no log of a port.
#[test]
fn refusals() {
    let cases = [
        ("", "run.log: expected a log, found nothing"),
        (
            "core   0: 0x80000000 (0x00a00513) li      a0, 10\n",
            "run.log: expected a table of the RISC-V formal interface or of the port retired, a table of program \
             counters, or a waveform, found a log of Spike (-l, --log-commits)",
        ),
        (
            "rvfi_insn,rvfi_pc_rdata\n13,zz\n",
            "run.log, line 2: expected an address in hexadecimal, such as 0x80000000, found \"zz\"",
        ),
        (
            "rvfi_insn,rvfi_pc_rdata\n",
            "run.log: expected a table of the RISC-V formal interface, found no line of one",
        ),
        (
            "$date $end\n",
            "run.log: the log does not say which processor it is of: expected --program FILE or --isa NAME",
        ),
    ];
    for (log, expected) in cases {
        assert_eq!(refusal(log), expected);
    }
}
