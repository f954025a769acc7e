//! Logs of which each line of an instruction has the same form, as a regular expression with names for what it says:
//!
//! | name | what it matches |
//! |---|---|
//! | `pc` | the address, in hexadecimal, with or without `0x` |
//! | `insn` | the word of the instruction, in hexadecimal |
//! | `expanded` | the word of 32 bits that a compressed instruction stands for: the program says what is there |
//! | `hart` | the number of the hart, decimal |
//! | `valid`, `micro` | 0, and another number than 0: the line is of no instruction |
//! | `trap`, `intr` | what is not 0: the instruction trapped, or is the first one of a handler |

use std::sync::OnceLock;

use regex::bytes::{Captures, Regex};
use tracewright_sim::event::Isa;

use super::LogReader;
use crate::error::Problem;
use crate::follower::{Follower, Logged};
use crate::format::Format;
use crate::words::{decimal, hexadecimal, word_of_32_bits};

/// The names that a pattern may have.
const NAMES: [&str; 8] = ["pc", "insn", "expanded", "hart", "valid", "micro", "trap", "intr"];

/// A form of lines.
#[derive(Clone, Debug)]
pub struct Pattern {
    line: Regex,
    /// What only lines of instructions begin with, where that is known.
    beginning: Option<Regex>,
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.line.as_str() == other.line.as_str()
    }
}

impl Pattern {
    /// The form of this regular expression.
    ///
    /// # Errors
    /// It is none, has no group of the name `pc`, or one of another name than those that are known.
    pub fn new(expression: &str) -> Result<Pattern, Problem> {
        let wrong = |what: String| Problem::Pattern(what);
        let regex = Regex::new(expression).map_err(|error| wrong(error.to_string()))?;
        let mut has_address = false;
        for name in regex.capture_names().flatten() {
            if !NAMES.contains(&name) {
                let known = NAMES.join(", ");
                return Err(wrong(format!(
                    "no group of a line is called {name}: expected {known}"
                )));
            }
            has_address |= name == "pc";
        }
        match has_address {
            true => Ok(Pattern { line: regex, beginning: None }),
            false => Err(wrong("expected a group pc, such as (?<pc>[0-9a-f]+)".into())),
        }
    }

    /// The form of lines of a format, if it has one.
    pub(crate) fn of(format: Format) -> Option<&'static Pattern> {
        static ALL: OnceLock<Vec<(Format, Pattern)>> = OnceLock::new();
        let all = ALL.get_or_init(|| {
            let pattern = |(format, beginning, rest): (Format, &str, &str)| {
                let line = Regex::new(&format!("(?i)^{beginning}{rest}")).ok()?;
                let beginning = Some(Regex::new(&format!("(?i)^{beginning}")).ok()?);
                Some((format, Pattern { line, beginning }))
            };
            READY.into_iter().filter_map(pattern).collect()
        });
        all.iter().find(|(of, _)| *of == format).map(|(_, pattern)| pattern)
    }

    /// The format with lines of such a form.
    pub(crate) fn format_of(line: &[u8]) -> Option<Format> {
        let formats = READY.iter().map(|(format, ..)| *format);
        let is_of = |format: &Format| {
            Pattern::of(*format).is_some_and(|pattern| pattern.line.is_match(line))
        };
        formats.into_iter().find(is_of)
    }

    /// The digits of the address in a line.
    pub(crate) fn digits_of_address(&self, line: &[u8]) -> Option<usize> {
        Some(self.line.captures(line)?.name("pc")?.len())
    }

    /// The hart of a line.
    pub(crate) fn hart_of(&self, line: &[u8]) -> Option<u32> {
        decimal(self.line.captures(line)?.name("hart")?.as_bytes())
    }
}

/// The forms that are known: what only lines of instructions begin with, and how these go on.
const READY: [(Format, &str, &str); 9] = [
    (Format::Execlog, r"(?<hart>\d+), 0x", r#"(?<pc>[0-9a-f]+), 0x(?<insn>[0-9a-f]+), ""#),
    (Format::Veer, r" *\d+ : +#\d+ ", r"+(?<hart>\d+) (?<pc>[0-9a-f]{8}) +(?<insn>[0-9a-f]{4,8}) "),
    (
        Format::Rocket,
        r"C *(?<hart>\d+): +\d+ \[",
        r"(?<valid>[01])\] pc=\[(?<pc>[0-9a-f]+)\] .*inst=\[(?<insn>[0-9a-f]+)\]",
    ),
    (Format::Neorv32, r"\d+ \d+ 0x", r"(?<pc>[0-9a-f]{8}) 0x(?<insn>[0-9a-f]{4,8}) "),
    (Format::Sail, r"\[\d+\] \[", r"[A-Z]+\]: 0x(?<pc>[0-9A-F]+) \(0x(?<insn>[0-9A-F]+)\)"),
    (Format::Renode, r"0x(?<pc>[0-9a-f]+):", r" 0x(?<insn>[0-9a-f]+)\s*$"),
    (
        Format::Gem5,
        r" *\d+: \S+: (?:A\d+ )?T(?<hart>\d+) : ",
        r"0x(?<pc>[0-9a-f]+)(?: @\S+?)?(?:\. *(?<micro>\d+))? +:",
    ),
    (Format::Ariane, r" *\d+ 0x(?<pc>[0-9a-f]+) [MSUD] ", r"\(0x(?<insn>[0-9a-f]+)\)"),
    (
        Format::Cv32e40p,
        r" *[0-9.]+ ?(?:[munpf]?s)? +\d+ ",
        r"(?<pc>[0-9a-f]{8}) (?<expanded>[0-9a-f]{8}) ",
    ),
];

/// Reads lines of a form.
pub(crate) struct Lines<'p>(pub &'p Pattern);

impl Lines<'_> {
    fn number(
        &self,
        found: &Captures<'_>,
        name: &str,
        expected: &'static str,
    ) -> Result<Option<u64>, Problem> {
        let Some(text) = found.name(name) else { return Ok(None) };
        let text = text.as_bytes();
        hexadecimal(text).map(Some).ok_or_else(|| Problem::expected(expected, text))
    }
}

impl LogReader for Lines<'_> {
    fn line(&mut self, line: &[u8], follower: &mut Follower<'_>) -> Result<bool, Problem> {
        let Some(found) = self.0.line.captures(line) else {
            let is_damaged = self.0.beginning.as_ref().is_some_and(|one| one.is_match(line));
            let expected = "the whole line of an instruction, as its beginning says";
            return if is_damaged { Err(Problem::expected(expected, line)) } else { Ok(false) };
        };
        let is_zero = |name: &str| {
            found.name(name).map(|text| text.as_bytes().iter().all(|byte| *byte == b'0'))
        };
        if is_zero("valid") == Some(true) || is_zero("micro") == Some(false) {
            return Ok(true);
        }
        let hart = match found.name("hart") {
            Some(text) => decimal(text.as_bytes())
                .ok_or_else(|| Problem::expected("the number of a hart", text.as_bytes()))?,
            None => 0,
        };
        let Some(thread) = follower.thread(hart)? else { return Ok(true) };
        let address = self.number(&found, "pc", "an address in hexadecimal, as pc")?;
        let program_counter =
            address.ok_or_else(|| Problem::expected("an address in hexadecimal, as pc", line))?;
        let word = self.number(&found, "insn", "an instruction's word in hexadecimal, as insn")?;
        // Of other processors the program has the code.
        let is_risc_v = follower.code.set().isa() == Isa::RiscV;
        if let Some(text) = found.name("insn").filter(|_| is_risc_v)
            && word_of_32_bits(text.as_bytes()).is_none()
        {
            let expected = "an instruction's word of at most 32 bits, as insn";
            return Err(Problem::expected(expected, text.as_bytes()));
        }
        let logged = Logged {
            program_counter,
            word: word.filter(|_| is_risc_v).map(|word| word as u32),
            traps: is_zero("trap") == Some(false),
            is_handler: is_zero("intr") == Some(false),
            ..Logged::default()
        };
        follower.instruction(thread, &logged).map(|()| true)
    }

    fn finish(&mut self, _: &mut Follower<'_>) -> Result<(), Problem> {
        Ok(())
    }

    fn marks_exceptions(&self) -> bool {
        let has = |name: &str| self.0.line.capture_names().flatten().any(|found| found == name);
        has("trap") && has("intr")
    }
}
