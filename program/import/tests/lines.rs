//! Logs whose lines have one form, as the tools write them: a loop of two rounds at 0x80.

use tracewright_image::InstructionSet;
use tracewright_import::{Format, Options, Pattern};

use crate::common::{error, import_with, of_set};

/// The addresses and words of the loop.
const RUN: [(u32, &str); 6] = [
    (0x80, "450d"),
    (0x82, "157d"),
    (0x84, "fd7d"),
    (0x82, "157d"),
    (0x84, "fd7d"),
    (0x86, "0001"),
];

const EVENTS: &str =
    "0 exception 0x0 taken 0x80\n3 direct-conditional 0x84 taken 0x82\n2 direct-conditional 0x84\n";

/// The log in which each instruction is such a line.
fn log(line: impl Fn(usize, u32, &str) -> String) -> String {
    RUN.iter().enumerate().map(|(place, (at, word))| line(place, *at, word) + "\n").collect()
}

#[test]
fn each_form_is_recognised() {
    for (format, log) in [
        (
            "execlog",
            log(|_, at, word| format!("0, {at:#x}, 0x{word}, \"addi            a0,a0,-1\"")),
        ),
        (
            "veer",
            log(|place, at, word| {
                format!("     80 : #{place} 0 {at:08x}     {word} c.addi a0,-1  ; a0=00000002")
            }),
        ),
        (
            "rocket",
            log(|place, at, word| {
                let line = |valid: u8, at: u32, word: &str| {
                    format!(
                        "C0: {place:10} [{valid}] pc=[{at:08x}] W[r 0=00000000][0] R[r30=00000000] \
                         R[r 3=00000001] inst=[{word}] DASM({word})"
                    )
                };
                // Nothing retires in the cycle after it.
                format!("{}\n{}", line(1, at, &format!("0000{word}")), line(0, 0x200, "00000013"))
            }),
        ),
        (
            "neorv32",
            log(|place, at, word| {
                format!("{place} 256630 0x{at:08x} 0x{word}     M c.addi x10, -1")
            }),
        ),
        (
            "sail",
            log(|place, at, word| {
                format!(
                    "[{place}] [M]: 0x{at:08X} (0x{}) c.addi\nx10 <- 0x00000003",
                    word.to_uppercase()
                )
            }),
        ),
        ("renode", log(|_, at, word| format!("0x{at:X}: 0x{}", word.to_uppercase()))),
        (
            "ariane",
            log(|place, at, word| format!("    {place} 0x{at:08x} M (0x0000{word}) c.addi")),
        ),
    ] {
        let (events, _) = import_with(&log, of_set(InstructionSet::RV32))
            .unwrap_or_else(|error| panic!("{format}: {error}"));
        assert_eq!(events, EVENTS, "{format}");
        let named = Format::ALL.into_iter().find(|known| known.name() == format);
        let again = import_with(&log, Options { format: named, ..of_set(InstructionSet::RV32) });
        assert_eq!(again.expect("a log").0, EVENTS, "{format}");
    }
}

/// Digits may be capitals, and a simulator may print the number of a hart with blanks.
#[test]
fn capitals_and_blanks_are_read() {
    let options = || of_set(InstructionSet::RV32);
    let execlog = log(|_, at, word| format!("0, {at:#x}, 0x{}, \"addi\"", word.to_uppercase()));
    assert_eq!(import_with(&execlog, options()).expect("a log").0, EVENTS);
    let veer = log(|place, at, word| {
        let place = format!("#{place}");
        format!("{:10} : {place:>8} 0 {at:08x} {word:0>8}  a0=00000002 ; c.addi", 80)
    });
    assert_eq!(import_with(&veer, options()).expect("a log").0, EVENTS);
    let rocket = log(|place, at, word| {
        format!(
            "C                   0: {place:10} [1] pc=[{at:08X}] W[r 0=0] inst=[0000{word}] DASM({word})"
        )
    });
    assert_eq!(import_with(&rocket, options()).expect("a log").0, EVENTS);
}

/// A line that begins as one of an instruction and does not go on so is no line of the program.
#[test]
fn a_damaged_line_is_refused() {
    let third = |log: String, damage: &dyn Fn(&str) -> String| {
        let lines = log.lines().enumerate();
        lines
            .map(|(place, line)| if place == 2 { damage(line) } else { line.into() } + "\n")
            .collect()
    };
    let cut = |line: &str| line[..line.len() / 2].to_owned();
    let execlog = log(|_, at, word| format!("0, {at:#010x}, 0x{word}, \"addi a0,a0,-1\""));
    let renode = log(|_, at, word| format!("{at:#x}: 0x{word}"));
    let ariane = log(|place, at, word| format!("    {place} 0x{at:08x} M (0x0000{word}) c.addi"));
    for log in [execlog, renode, ariane] {
        let damaged: String = third(log, &|line| cut(&line.replace(": 0x", ":               ")));
        let says = error(damaged, of_set(InstructionSet::RV32));
        assert!(
            says.starts_with("run.log, line 3: expected the whole line of an instruction"),
            "{says}"
        );
    }
    let wide: String = third(log(|_, at, word| format!("{at:#x}: 0x{word}")), &|line| {
        line.replace("0xf", "0x1f0000000f")
    });
    let says = error(wide, of_set(InstructionSet::RV32));
    assert!(says.contains("line 3: expected an instruction's word of at most 32 bits"), "{says}");
}

/// The width of the addresses says the processor, where all have one.
#[test]
fn some_say_their_processor() {
    let veer = log(|place, at, word| format!("80 : #{place} 0 {at:08x} {word} c.addi a0,-1"));
    assert_eq!(import_with(&veer, Options::default()).expect("a log").0, EVENTS);
    let renode = log(|_, at, word| format!("{at:#x}: 0x{word}"));
    assert!(error(renode, Options::default()).contains("does not say which processor"));
}

/// What is no log of a known form can be said by a regular expression.
#[test]
fn a_form_of_ones_own() {
    let log = log(|place, at, word| format!("t={place} at {at:#x} op {word} trap=0"));
    let of = |expression: &str| Options {
        pattern: Some(Pattern::new(expression).expect("a pattern")),
        ..of_set(InstructionSet::RV32)
    };
    let whole = r"at (?<pc>\S+) op (?<insn>\S+) trap=(?<trap>\d)";
    assert_eq!(import_with(&log, of(whole)).expect("a log").0, EVENTS);
    for (expression, says) in [
        (r"at (\S+)", "expected a group pc"),
        (r"at (?<pc>\S+) (?<word>\S+)", "no group of a line is called word"),
        (r"at (?<pc>\S+", "unclosed group"),
    ] {
        let problem = Pattern::new(expression).expect_err("no pattern").to_string();
        assert!(problem.contains(says), "{problem}");
    }
    let says = error(&log, of(r"op (?<pc>\S+) trap=(?<insn>\S+)"));
    assert!(says.starts_with("run.log"), "{says}");
    let says = error(&log, of(r"(?<pc>t=\d)"));
    assert!(says.contains("line 1: expected an address in hexadecimal, as pc, found"), "{says}");
}
