//! `tracewright trace info --standard`: prints what dumps of other encoders contain.

use std::collections::BTreeMap;
use std::fmt::Write;

use anyhow::{Context, Result};
use serde::Serialize;
use serde_json::{Map, Value};
use tracewright_import::e_trace::{Encoder, Field, Frames, Payload};
use tracewright_import::n_trace::{self, Messages};

use super::info::Arguments;
use crate::pipeline::paths::Input;
use crate::pipeline::print::{self, grouped, ratio};
use crate::pipeline::standard::{Parameters, Standard};
use crate::pipeline::table::{self, Table};

/// Payloads that are printed at a time.
const PRINTED: usize = 4096;

/// Columns before the name of a payload.
const BEFORE_NAME: usize = 16;

#[derive(Serialize)]
struct Dump {
    dump: String,
    standard: &'static str,
    #[serde(skip)]
    form: &'static str,
    is_text: bool,
    bytes: u64,
    payloads: u64,
    idle_bytes: u64,
    /// Payloads of other kinds than instructions.
    other_payloads: u64,
    /// Payloads whose fields cannot be read.
    bad_payloads: u64,
    /// Payloads of each source.
    sources: BTreeMap<u32, u64>,
    kinds: Vec<Kind>,
    /// The first thing that is wrong.
    damage: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    list: Option<Vec<Listed>>,
}

/// Payloads of a kind.
#[derive(Clone, Copy, Serialize)]
struct Kind {
    payload: &'static str,
    format: u8,
    subformat: Option<u8>,
    count: u64,
    /// Their bytes, without headers.
    bytes: u64,
}

/// A payload of the list.
#[derive(Serialize)]
struct Listed {
    byte: u64,
    source: u32,
    flow: u8,
    timestamp: Option<u64>,
    payload: &'static str,
    fields: Map<String, Value>,
}

/// Runs the command.
///
/// # Errors
/// When a dump or the file of parameters is bad.
pub fn run(arguments: &Arguments, standard: Standard) -> Result<()> {
    let encoder = standard.parameters(&arguments.encoder)?;
    let mut dumps = Vec::new();
    for (index, dump) in arguments.traces.iter().enumerate() {
        let read = read(dump, &encoder, arguments)?;
        if !arguments.json {
            print::text(format_args!("{}{}", if index > 0 { "\n" } else { "" }, show(&read)))?;
        }
        dumps.push(read);
    }
    if arguments.json { print::json(&dumps) } else { Ok(()) }
}

/// A payload or a message that is listed.
struct Entry {
    offset: u64,
    source: u32,
    flow: u8,
    timestamp: Option<u64>,
    name: &'static str,
    format: (u8, Option<u8>),
    fields: Vec<(&'static str, Field)>,
    /// Its bytes, without a header.
    length: u64,
}

fn read(input: &Input, parameters: &Parameters, arguments: &Arguments) -> Result<Dump> {
    let bytes = input.bytes()?;
    let mut dump = Dump {
        dump: input.display().to_string(),
        standard: parameters.standard().name(),
        form: "bytes of six bits of messages",
        is_text: false,
        bytes: bytes.len() as u64,
        payloads: 0,
        idle_bytes: 0,
        other_payloads: 0,
        bad_payloads: 0,
        sources: BTreeMap::new(),
        kinds: Vec::new(),
        damage: None,
        list: (arguments.payloads && arguments.json).then(Vec::new),
    };
    // In a pipe each payload is one line.
    let width = table::columns().unwrap_or(usize::MAX);
    let has_sources = parameters.has_sources();
    let name_columns = if dump.standard == Standard::Etrace.name() { 18 } else { 23 };
    let mut lines = Lines { text: String::new(), count: 0, width, has_sources, name_columns };
    let mut list = |dump: &mut Dump, entry: Entry| {
        dump.count(&entry);
        match &mut dump.list {
            Some(list) => list.push(listed(entry)),
            None if arguments.payloads => lines.add(&entry)?,
            None => {}
        }
        Ok(())
    };
    // Without a program the width of addresses is that of the machine for which most are built.
    let named = || input.display().to_string();
    match parameters.clone().for_addresses(64) {
        Parameters::Etrace(encoder) => {
            dump.payloads_of(Frames::of(&bytes, &encoder).with_context(named)?, &encoder, &mut list)
        }
        Parameters::Ntrace(encoder) => {
            dump.messages_of(Messages::of(&bytes, &encoder).with_context(named)?, &mut list)
        }
    }?;
    lines.print()?;
    Ok(dump)
}

/// Takes what is listed.
type List<'a> = &'a mut dyn FnMut(&mut Dump, Entry) -> Result<()>;

impl Dump {
    /// Reads the payloads of E-Trace.
    fn payloads_of(
        &mut self,
        mut frames: Frames<'_>,
        encoder: &Encoder,
        list: List<'_>,
    ) -> Result<()> {
        self.is_text = frames.is_text();
        self.form = if self.is_text { "a payload in each line" } else { "headers with lengths" };
        for frame in &mut frames {
            let frame = match frame {
                Ok(frame) => frame,
                Err(problem) => {
                    self.damage.get_or_insert(problem.to_string());
                    continue;
                }
            };
            if !frame.is_of_instructions {
                self.other_payloads += 1;
                continue;
            }
            self.payloads += 1;
            *self.sources.entry(frame.source).or_default() += 1;
            let payload = match Payload::read(&frame, encoder) {
                Ok(payload) => payload,
                Err(problem) => {
                    self.bad_payloads += 1;
                    self.damage.get_or_insert(format!("byte {}: {problem}", frame.offset));
                    continue;
                }
            };
            let entry = Entry {
                offset: frame.offset,
                source: frame.source,
                flow: frame.flow,
                timestamp: frame.timestamp,
                name: payload.name(),
                format: payload.format(),
                fields: payload.fields(),
                length: frame.bytes.len() as u64,
            };
            list(self, entry)?;
        }
        self.idle_bytes = frames.idle_bytes();
        Ok(())
    }

    /// Reads the messages of N-Trace.
    fn messages_of(&mut self, mut messages: Messages<'_>, list: List<'_>) -> Result<()> {
        for (offset, message) in &mut messages {
            let n_trace::Message { length, source, timestamp, body } = match message {
                Ok(message) => message,
                Err(problem) => {
                    self.payloads += 1;
                    self.bad_payloads += 1;
                    self.damage.get_or_insert(format!("byte {offset}: {problem}"));
                    continue;
                }
            };
            *self.sources.entry(source).or_default() += 1;
            match body.is_of_data() {
                true => self.other_payloads += 1,
                false => self.payloads += 1,
            }
            let entry = Entry {
                offset,
                source,
                flow: 0,
                timestamp,
                name: body.name(),
                format: (body.code(), None),
                fields: body.fields(),
                length: length as u64,
            };
            list(self, entry)?;
        }
        self.idle_bytes = messages.idle_bytes();
        Ok(())
    }

    /// Counts the kind of a payload.
    fn count(&mut self, entry: &Entry) {
        let (name, (format, subformat)) = (entry.name, entry.format);
        let place = self.kinds.iter().position(|kind| kind.payload == name);
        let place = place.unwrap_or_else(|| {
            self.kinds.push(Kind { payload: name, format, subformat, count: 0, bytes: 0 });
            self.kinds.len() - 1
        });
        let kind = &mut self.kinds[place];
        kind.count += 1;
        kind.bytes += entry.length;
    }
}

fn listed(entry: Entry) -> Listed {
    let value = |field| match field {
        Field::Number(value) => value.into(),
        Field::Address(value) => format!("{value:#x}").into(),
        Field::Difference(value) => value.into(),
        Field::Words(words) => words.into(),
    };
    let fields = entry.fields.into_iter();
    Listed {
        byte: entry.offset,
        source: entry.source,
        flow: entry.flow,
        timestamp: entry.timestamp,
        payload: entry.name,
        fields: fields.map(|(name, field)| (name.to_owned(), value(field))).collect(),
    }
}

/// Payloads as lines that fit the width of what shows them.
struct Lines {
    text: String,
    count: usize,
    width: usize,
    has_sources: bool,
    name_columns: usize,
}

impl Lines {
    fn add(&mut self, entry: &Entry) -> Result<()> {
        let mut fields = Vec::new();
        if self.has_sources {
            fields.push(format!("source {}", entry.source));
        }
        if let Some(time) = entry.timestamp {
            fields.push(format!("at {time}"));
        }
        for (name, field) in &entry.fields {
            fields.push(match field {
                Field::Number(1)
                    if matches!(*name, "taken" | "interrupt" | "notify" | "updiscon" | "fails") =>
                {
                    (*name).to_owned()
                }
                Field::Number(value) => format!("{name} {value}"),
                Field::Address(value) => format!("{name} {value:#x}"),
                Field::Difference(value) => {
                    let sign = if *value < 0 { '-' } else { '+' };
                    format!("{name} {sign}{:#x}", value.unsigned_abs())
                }
                Field::Words(words) => format!("{name} {words}"),
            });
        }
        let (name, offset) = (entry.name, grouped(entry.offset));
        let columns = self.name_columns;
        let mut line = format!(" {offset:>13}  {name:<columns$}");
        let blanks = " ".repeat(BEFORE_NAME + columns);
        for (place, field) in fields.iter().enumerate() {
            let comma = if place + 1 < fields.len() { "," } else { "" };
            let needed = line.chars().count() + field.len() + comma.len() + 1;
            if place > 0 && needed > self.width {
                let _ = writeln!(self.text, "{}", line.trim_end());
                line.clone_from(&blanks);
            } else if place > 0 {
                line.push(' ');
            }
            line += field;
            line += comma;
        }
        let _ = writeln!(self.text, "{}", line.trim_end());
        self.count += 1;
        if self.count.is_multiple_of(PRINTED) { self.print() } else { Ok(()) }
    }

    fn print(&mut self) -> Result<()> {
        let text = std::mem::take(&mut self.text);
        if text.is_empty() { Ok(()) } else { print::text(text) }
    }
}

fn show(dump: &Dump) -> String {
    let mut lines = vec![
        ("form", dump.form.to_owned()),
        ("bytes", grouped(dump.bytes)),
        ("payloads", {
            let bytes: u64 = dump.kinds.iter().map(|kind| kind.bytes).sum();
            format!("{}, {:.2} bytes each", grouped(dump.payloads), ratio(bytes, dump.payloads))
        }),
    ];
    if dump.idle_bytes > 0 {
        lines.push(("idle bytes", grouped(dump.idle_bytes)));
    }
    if dump.other_payloads > 0 {
        lines.push(("other payloads", grouped(dump.other_payloads)));
    }
    if dump.sources.keys().any(|source| *source != 0) {
        let source = |(source, count): (&u32, &u64)| format!("{source}: {}", grouped(*count));
        lines.push(("sources", dump.sources.iter().map(source).collect::<Vec<_>>().join(", ")));
    }
    if dump.bad_payloads > 0 {
        lines.push(("bad payloads", grouped(dump.bad_payloads)));
    }
    if let Some(damage) = &dump.damage {
        lines.push(("damage", damage.clone()));
    }
    let mut kinds = dump.kinds.clone();
    kinds.sort_by_key(|kind| (kind.format, kind.subformat, kind.payload));
    let mut table = Table::new(&["payload", "format", "payloads", "bytes"], 2);
    for Kind { payload, format, subformat, count, bytes } in kinds {
        let subformat = subformat.map_or(String::new(), |subformat| format!(".{subformat}"));
        table.add_row([
            payload.to_owned(),
            format!("{format}{subformat}"),
            grouped(count),
            grouped(bytes),
        ]);
    }
    format!("{}\n{}", table::pairs(&dump.dump, &lines), table.to_text())
}
