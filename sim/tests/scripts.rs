//! Programs as text: their runs are what one program does, and every design can trace them.

use tracewright_sim::event::{Event, Kind};
use tracewright_sim::field::Account;
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::program::Program;
use tracewright_sim::scheme::Design;
use tracewright_sim::synthetic::script::{MACHINE, Script, ScriptError};
use tracewright_sim::talon;
use tracewright_sim::trace_io::{Extensions, Validator};

use crate::common::{event, learn, round_trip};

/// A script with every statement.
pub(crate) const EVERYTHING: &str = "\
function 0x80000000
  loop 3
    straight 1500
    if 10?
      call 1
    end
  end
  switch 012?
  case
    straight 1
  case
    call 10 1 2
  case
    trap 4
  end
  resume 3
end
function 0x80100000
  straight 2
  recurse 12
  call 2
end
function 0x80000000
  straight 300
  if 0001
    unwind 3
  end
end
function 0x90000000
  straight 1
  yield
  call 5
  yield
end
handler 0xa0000000
  straight 4
  call 5
end
function 0xb0000000
  straight 7
end
interrupt 121,3000,7 4
";

fn script(text: &str) -> Script {
    text.parse().unwrap()
}

pub(crate) fn events(text: &str, count: usize) -> Vec<Event> {
    script(text).run().unwrap().take(count).collect()
}

#[test]
fn a_script_is_printed_as_it_is_read() {
    let read = script(EVERYTHING);
    assert_eq!(read.to_string(), EVERYTHING);
    assert_eq!(script(&format!("# a comment\n\n{read}")), read);
}

#[test]
fn a_run_is_what_one_program_does() {
    let mut events = events(EVERYTHING, 20_000);
    let mut validator = Validator::new(MACHINE, Extensions::LENGTHS).unwrap();
    events.iter().for_each(|event| validator.check(event).unwrap());
    let program: Program = learn(MACHINE, &mut events);
    for name in ["traptor-m4", "talon-s", "talon-m", "talon-a", "etrace-base", "stream-base-64"] {
        let design = Design::preset(name).unwrap().for_machine(MACHINE).unwrap();
        round_trip(&design, &program, &events, 7_000, name);
    }
    assert!(Kind::ALL.iter().all(|kind| {
        *kind == Kind::IndirectConditional || events.iter().any(|event| event.kind == *kind)
    }));
}

#[test]
fn what_is_no_script_is_refused() {
    let refusal = |text: &str| text.parse::<Script>().map(|script| script.run().map(drop));
    let line = |text: &str| match refusal(text) {
        Err(ScriptError::Line { line, .. }) => line,
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!(line("function 0\nstraight 0\nend"), 2);
    assert_eq!(line("function 0\nif 12a\nend\nend"), 2);
    assert_eq!(line("function 0\nloop 3\nend"), 3);
    assert_eq!(line("handler 0\nend"), 2);
    assert_eq!(line("function 0\nend\ninterrupt 0 1"), 3);
    assert_eq!(line(&format!("function 0\n{}", "loop 2\n".repeat(20))), 18);
    for text in [
        "function 2\nend",
        "function 0\ncall 0\nend",
        "function 0\ncall 1\nend\nhandler 8\nend",
        "function 0\nswitch 1\ncase\nend\nend",
        "function 0\nrecurse 3\nend",
        "function 0xfffffffc\nstraight 3\nend",
        "function 0\nend\ninterrupt 5 0",
    ] {
        let refused = refusal(text);
        assert!(matches!(refused, Ok(Err(ScriptError::Function { .. }))), "{text}: {refused:?}");
    }
}

/// Bits of a program in talon-m with and without pointers of the match model that stay by chance.
fn with_pointers(text: &str, stay: &str) -> u64 {
    let mut design = Design::preset("talon-m").unwrap().for_machine(MACHINE).unwrap();
    design.set("match_random_pointers", stay).unwrap();
    let mut encoder = tracewright_sim::scheme::Encoder::new(&design).unwrap();
    let mut account = Account::default();
    events(text, 20_000).iter().for_each(|event| encoder.event(event, &mut account).unwrap());
    account.bits
}

/// Where each place from which the match model goes on is the wrong one, for ever, chance finds another.
#[test]
fn talon_finds_what_repeats() {
    let patterns = [
        "function 0x2fc
  if 10011101111110000
    if 1101
    end
  end
end",
        "function 0x1000c
  straight 5
  call 1
  straight 4
  loop 6
    if 0110
    end
    straight 10
  end
end
function 0x102af4
  loop 5
    straight 8
  end
end",
    ];
    for text in patterns {
        let (replaced, stay) = (with_pointers(text, "false"), with_pointers(text, "true"));
        assert!(replaced > 4 * stay, "{text}: {replaced} and {stay}");
    }
}

/// The escapes of a run that ends in a branch or an exception, and their bits.
fn escapes(last: Event) -> (u64, u64, u64) {
    let config = talon::config::Config { instruction_count_bits: 8, ..Default::default() };
    let mut encoder = talon::encoder::Encoder::new(&config).unwrap();
    let mut account = Account::default();
    let Ok(()) = encoder.event(&last, &mut account);
    let bits = |name: &str| {
        account.fields.iter().find(|(field, _)| *field == name).map_or(0, |(_, bits)| *bits)
    };
    let escape = bits("escape") / u64::from(config.escape_code_bits());
    (escape, bits("instruction_count"), account.bits)
}

/// Overflows before a symbol send nothing but where their count leaves its range; an exception after them says how many
/// they were.
#[test]
fn talon_counts_overflows() {
    let branch = |instructions| escapes(event(Kind::DirectConditional, instructions, 0x40, None));
    assert_eq!(branch(1), branch(8192 + 127));
    assert_eq!(branch(8192 + 129).0, 1);
    assert_eq!(branch(2 * 8192 + 129).0, 2);
    let exception = |instructions| escapes(Event::exception(instructions, 0x40, 0x800));
    assert_eq!((exception(255).0, exception(255).1), (1, 8));
    assert_eq!((exception(256).0, exception(256).1), (2, 16));
    assert_eq!(exception(256).2, exception(8192 + 127).2);
    assert_eq!((exception(8192 + 128).0, exception(8192 + 128).1), (2, 16));
    assert_eq!(exception(8192 + 256).0, 3);
}

/// Runs without a branch around every limit of the counts, up to exceptions, branches and flushes.
#[test]
fn talon_says_runs_of_any_length() {
    let text = "\
function 0x1000
  loop 2
    straight 16500
  end
  trap 1
end
handler 0x40000000
  straight 8191
end
interrupt 127,128,129,255,256,257,8191,8192,8193,8319,8320,8321,16383,16384,16385 1
";
    let mut events = events(text, 600);
    let program = learn(MACHINE, &mut events);
    for name in ["talon-s", "talon-m", "talon-a"] {
        let mut design = Design::preset(name).unwrap().for_machine(MACHINE).unwrap();
        for bits in ["8", "9", "11"] {
            design.set("instruction_count_bits", bits).unwrap();
            round_trip(&design, &program, &events, 7, name);
        }
    }
}
