//! The text form, read and written. Its grammar is in the documentation of [`super`].

mod cycles;
mod state;

use std::fmt::Write;

use super::error::{Error, Problem};
use super::extensions::Extensions;
use super::source::Source;
use super::validate::Validator;
use crate::event::{Access, AccessSite, Event, Isa, Item, Kind, Machine};
use crate::program::CallLengths;
pub(super) use cycles::put_cycles;
pub(super) use state::put_state;

/// Far more bytes than an event takes.
const LINE_BYTES_MAX: usize = 4096;

/// Characters of an unexpected word that a message repeats.
const QUOTE_CHARACTERS: usize = 32;

/// True if a file with these first bytes is best explained as text.
pub(super) fn looks_like(first: &[u8]) -> bool {
    let control = |byte: &u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
    !first.is_empty()
        && !first.iter().any(control)
        && std::str::from_utf8(first).map_or_else(
            // A character may go on beyond these bytes.
            |error| error.error_len().is_none(),
            |_| true,
        )
}

/// Gives the items of a text stream.
pub(super) struct Decoder {
    source: Source,
    validator: Validator,
    line: u64,
    lengths: Option<CallLengths>,
}

impl Decoder {
    /// Reads up to and including the machine line.
    pub(super) fn new(mut source: Source) -> Result<Decoder, Error> {
        let mut line = 0;
        let header = next_line(&mut source, &mut line, 0, parse_header)?;
        let Some((machine, extensions)) = header else {
            let problem =
                Problem::Word { expected: "a machine line", found: "the end of the trace".into() };
            return Err(source.error_at_line(line, 0, problem));
        };
        let validator = Validator::new(machine, extensions)
            .map_err(|violation| source.error_at_line(line, 0, violation.into()))?;
        Ok(Decoder { source, validator, line, lengths: None })
    }

    /// The next item, `None` at the end of the stream.
    pub(super) fn next_item(&mut self) -> Result<Option<Item>, Error> {
        let record = self.validator.records();
        let extensions = self.validator.extensions();
        let parse = |words: &mut Words<'_>| parse_item(words, extensions);
        let Some(mut item) = next_line(&mut self.source, &mut self.line, record, parse)? else {
            return Ok(None);
        };
        let checked = match &item {
            Item::Event(event) => self.validator.check(event),
            Item::Access(access) => self.validator.check_access(access),
            Item::State(state) => self.validator.check_state(state),
            Item::Cycles(_) => self.validator.check_cycles(),
        };
        if let Err(violation) = checked {
            return Err(self.source.error_at_line(self.line, record, violation.into()));
        }
        if let Some(lengths) = &self.lengths {
            lengths.complete_items(std::slice::from_mut(&mut item));
        }
        Ok(Some(item))
    }

    /// Gives calls without a length those that were inferred.
    pub(super) fn complete_calls(&mut self, lengths: CallLengths) {
        self.lengths = Some(lengths);
    }

    /// The machine, the totals and the rules.
    pub(super) fn validator(&self) -> &Validator {
        &self.validator
    }

    /// Sets the most lines that the stream may have.
    pub(super) fn limit(&mut self, lines: u64) {
        self.source.limit(lines);
    }

    /// Bytes taken so far.
    pub(super) fn offset(&self) -> u64 {
        self.source.offset()
    }
}

/// What `parse` makes of the next line that has words; `None` at the end of the stream.
fn next_line<T>(
    source: &mut Source,
    line: &mut u64,
    record: u64,
    parse: impl Fn(&mut Words<'_>) -> Result<T, Problem>,
) -> Result<Option<T>, Error> {
    loop {
        let size = line_size(source, *line + 1, record)?;
        if size == 0 {
            return Ok(None);
        }
        *line += 1;
        let parsed = parse_line(&source.ahead()[..size], &parse)
            .map_err(|problem| source.error_at_line(*line, record, problem))?;
        source.advance(size);
        if parsed.is_some() {
            return Ok(parsed);
        }
    }
}

/// Bytes of the next line with its end, which the last line may lack; 0 at the end of the stream.
fn line_size(source: &mut Source, line: u64, record: u64) -> Result<usize, Error> {
    let end = |source: &Source| {
        source.ahead().iter().take(LINE_BYTES_MAX).position(|&byte| byte == b'\n')
    };
    if let Some(end) = end(source) {
        return Ok(end + 1);
    }
    if let Some(problem) = source.too_long(line) {
        return Err(source.error_at_line(line, record, problem));
    }
    let long = source.fill(LINE_BYTES_MAX);
    match end(source) {
        Some(end) => Ok(end + 1),
        None if long => Err(source.error_at_line(line, record, Problem::LongLine)),
        None => {
            source.failure(record)?;
            Ok(source.available())
        }
    }
}

/// What `parse` makes of this line, unless it is blank or a comment.
fn parse_line<T>(
    line: &[u8],
    parse: impl Fn(&mut Words<'_>) -> Result<T, Problem>,
) -> Result<Option<T>, Problem> {
    let line = line.split(|&byte| byte == b'#').next().unwrap_or_default();
    let line = std::str::from_utf8(line)
        .map_err(|_| unexpected("text", Some(&String::from_utf8_lossy(line))))?;
    let mut words = Words(line.split_ascii_whitespace());
    if words.0.clone().next().is_none() { Ok(None) } else { parse(&mut words).map(Some) }
}

/// The words of a line that are still to be read.
struct Words<'line>(std::str::SplitAsciiWhitespace<'line>);

impl<'line> Words<'line> {
    /// What `parse` makes of the next word.
    fn take<T>(
        &mut self,
        expected: &'static str,
        parse: impl FnOnce(&'line str) -> Option<T>,
    ) -> Result<T, Problem> {
        let word = self.0.next();
        word.and_then(parse).ok_or_else(|| unexpected(expected, word))
    }
}

fn unexpected(expected: &'static str, word: Option<&str>) -> Problem {
    let found = match word {
        None => "the end of the line".to_owned(),
        Some(word) if word.chars().nth(QUOTE_CHARACTERS).is_some() => {
            format!("{:?} and more", word.chars().take(QUOTE_CHARACTERS).collect::<String>())
        }
        Some(word) => format!("{word:?}"),
    };
    Problem::Word { expected, found }
}

fn parse_header(words: &mut Words<'_>) -> Result<(Machine, Extensions), Problem> {
    words.take("a machine line", |word| (word == "machine").then_some(()))?;
    let isa = words.take("arm, riscv or x86", |word| {
        [Isa::Arm, Isa::RiscV, Isa::X86].into_iter().find(|isa| spells(isa, word))
    })?;
    let alignment = words.take("alignment=0, 1 or 2", |word| number(word, "alignment="))?;
    let address_bits = words.take("address_bits=32 or 64", |word| number(word, "address_bits="))?;
    let mut flags = 0;
    for word in &mut words.0 {
        let (flag, name) = Extensions::flag(word).ok_or_else(|| {
            unexpected("lengths, data, threads, states, cycles or the end of the line", Some(word))
        })?;
        if flags & flag != 0 {
            return Err(Problem::Repeated(name));
        }
        flags |= flag;
    }
    let extensions = Extensions::from_flags(flags).unwrap_or_default();
    Ok((Machine { isa, alignment, address_bits }, extensions))
}

/// What the second word of a line says that it is.
enum What {
    Event(Kind),
    Access { store: bool },
}

fn parse_item(words: &mut Words<'_>, extensions: Extensions) -> Result<Item, Problem> {
    if words.0.clone().next() == Some(state::WORD) {
        return state::parse(words).map(Item::State);
    }
    if words.0.clone().next() == Some(cycles::WORD) {
        return cycles::parse(words).map(Item::Cycles);
    }
    let instructions = words.take("a number of instructions", decimal)?;
    let what = words.take("a kind, such as direct-conditional", |word| match word {
        "load" => Some(What::Access { store: false }),
        "store" => Some(What::Access { store: true }),
        _ => Kind::ALL.into_iter().find(|kind| spells(kind, word)).map(What::Event),
    })?;
    match what {
        What::Event(kind) => parse_event(instructions, kind, words, extensions).map(Item::Event),
        What::Access { .. } if !extensions.data => Err(Problem::UnannouncedAccess),
        What::Access { store } => parse_access(instructions, store, words).map(Item::Access),
    }
}

fn parse_access(instructions: u64, store: bool, words: &mut Words<'_>) -> Result<Access, Problem> {
    let program_counter = words.take("an address, such as 0x1000", address)?;
    let address = words.take("a data address, such as 0x1000", address)?;
    let thread = match words.0.next() {
        None => 0,
        Some(word) => number(word, "thread=")
            .ok_or_else(|| unexpected("thread=0 to thread=7 or the end of the line", Some(word)))?,
    };
    match words.0.next() {
        None => {
            let site = AccessSite { instructions, program_counter, store, thread };
            Ok(Access { site, address })
        }
        extra => Err(unexpected("the end of the line", extra)),
    }
}

fn parse_event(
    instructions: u64,
    kind: Kind,
    words: &mut Words<'_>,
    extensions: Extensions,
) -> Result<Event, Problem> {
    let mut event = Event {
        instructions,
        kind,
        program_counter: words.take("an address, such as 0x1000", address)?,
        target: 0,
        call: false,
        is_return: false,
        taken: false,
        length: 0,
        thread: 0,
    };
    let mut seen = Vec::new();
    while let Some(word) = words.0.next() {
        let name = match word {
            "call" => {
                event.call = true;
                "call"
            }
            "return" => {
                event.is_return = true;
                "return"
            }
            "taken" => {
                event.taken = true;
                event.target = words.take("the address of the target, such as 0x1000", address)?;
                "taken"
            }
            _ if word.starts_with("length=") => {
                event.length = number(word, "length=")
                    .ok_or_else(|| unexpected("length=1 to length=15", Some(word)))?;
                if !extensions.lengths {
                    return Err(Problem::UnannouncedLength(event.length));
                }
                "length"
            }
            _ if word.starts_with("thread=") => {
                event.thread = number(word, "thread=")
                    .ok_or_else(|| unexpected("thread=0 to thread=7", Some(word)))?;
                "thread"
            }
            _ => {
                let expected = "call, return, length=, thread=, taken or the end of the line";
                return Err(unexpected(expected, Some(word)));
            }
        };
        if seen.contains(&name) {
            return Err(Problem::Repeated(name));
        }
        seen.push(name);
    }
    Ok(event)
}

/// True if the value displays as this word.
fn spells(value: &impl std::fmt::Display, word: &str) -> bool {
    struct Rest<'word>(&'word str);

    impl Write for Rest<'_> {
        fn write_str(&mut self, part: &str) -> std::fmt::Result {
            self.0 = self.0.strip_prefix(part).ok_or(std::fmt::Error)?;
            Ok(())
        }
    }

    let mut rest = Rest(word);
    write!(rest, "{value}").is_ok() && rest.0.is_empty()
}

/// Digits alone: the standard parser would take a sign too.
fn decimal<T: std::str::FromStr>(word: &str) -> Option<T> {
    word.bytes().all(|byte| byte.is_ascii_digit()).then(|| word.parse().ok())?
}

fn number(word: &str, prefix: &str) -> Option<u8> {
    decimal(word.strip_prefix(prefix)?)
}

fn address(word: &str) -> Option<u64> {
    let digits = word.strip_prefix("0x")?;
    let hexadecimal = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    hexadecimal.then(|| u64::from_str_radix(digits, 16).ok())?
}

/// Appends the machine line.
pub(super) fn put_header(machine: Machine, extensions: Extensions, bytes: &mut Vec<u8>) {
    let Machine { isa, alignment, address_bits } = machine;
    let words = extensions.words();
    let line = format!("machine {isa} alignment={alignment} address_bits={address_bits}{words}\n");
    bytes.extend_from_slice(line.as_bytes());
}

/// Appends the line of an event.
pub(super) fn put_event(event: &Event, lengths: bool, bytes: &mut Vec<u8>) {
    let mut line = String::with_capacity(64);
    // Writing to a string cannot fail.
    let _ = write!(line, "{} {} {:#x}", event.instructions, event.kind, event.program_counter);
    if event.call {
        line.push_str(" call");
    }
    if event.is_return {
        line.push_str(" return");
    }
    if lengths && event.length != 0 {
        let _ = write!(line, " length={}", event.length);
    }
    if event.thread != 0 {
        let _ = write!(line, " thread={}", event.thread);
    }
    if event.taken {
        let _ = write!(line, " taken {:#x}", event.target);
    }
    line.push('\n');
    bytes.extend_from_slice(line.as_bytes());
}

/// Appends the line of an access.
pub(super) fn put_access(access: &Access, bytes: &mut Vec<u8>) {
    let Access { site, address } = access;
    let AccessSite { instructions, program_counter, store, thread } = site;
    let what = if *store { "store" } else { "load" };
    let mut line = format!("{instructions} {what} {program_counter:#x} {address:#x}");
    if *thread != 0 {
        // Writing to a string cannot fail.
        let _ = write!(line, " thread={thread}");
    }
    line.push('\n');
    bytes.extend_from_slice(line.as_bytes());
}
