//! `tracewright trace info --standard`: prints what dumps of other encoders contain.

use std::collections::BTreeMap;
use std::fmt::Write;

use anyhow::{Context, Result};
use serde::Serialize;
use serde_json::{Map, Value};
use tracewright_import::e_trace::{Encoder, Field, Frame, Frames, Payload};

use super::info::Arguments;
use crate::pipeline::paths::Input;
use crate::pipeline::print::{self, grouped, ratio};
use crate::pipeline::standard::{self, Standard};
use crate::pipeline::table::{self, Table};

/// Payloads that are printed at a time.
const PRINTED: usize = 4096;

/// Columns before the fields of a payload.
const BEFORE_FIELDS: usize = 34;

#[derive(Serialize)]
struct Dump {
    dump: String,
    standard: &'static str,
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
    let encoder = standard::encoder(arguments.encoder.as_ref())?;
    let mut dumps = Vec::new();
    for (index, dump) in arguments.traces.iter().enumerate() {
        let read = read(dump, standard, &encoder, arguments)?;
        if !arguments.json {
            print::text(format_args!("{}{}", if index > 0 { "\n" } else { "" }, show(&read)))?;
        }
        dumps.push(read);
    }
    if arguments.json { print::json(&dumps) } else { Ok(()) }
}

fn read(
    input: &Input,
    standard: Standard,
    encoder: &Encoder,
    arguments: &Arguments,
) -> Result<Dump> {
    let bytes = input.bytes()?;
    // Without a program the width of addresses is that of the machine for which most are built.
    let encoder = encoder.clone().for_addresses(64);
    let mut frames = Frames::of(&bytes, &encoder).with_context(|| input.display().to_string())?;
    let mut dump = Dump {
        dump: input.display().to_string(),
        standard: standard.name(),
        is_text: frames.is_text(),
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
    let mut lines = Lines { text: String::new(), count: 0, width: table::width() };
    for frame in &mut frames {
        let frame = match frame {
            Ok(frame) => frame,
            Err(problem) => {
                dump.damage.get_or_insert(problem.to_string());
                continue;
            }
        };
        let Some(payload) = dump.count(&frame, &encoder) else { continue };
        match &mut dump.list {
            Some(list) => list.push(listed(&frame, &payload)),
            None if arguments.payloads => lines.add(&frame, &payload, &encoder)?,
            None => {}
        }
    }
    dump.idle_bytes = frames.idle_bytes();
    lines.print()?;
    Ok(dump)
}

impl Dump {
    /// Counts a payload, and gives its fields if they can be read.
    fn count(&mut self, frame: &Frame, encoder: &Encoder) -> Option<Payload> {
        if !frame.is_of_instructions {
            self.other_payloads += 1;
            return None;
        }
        self.payloads += 1;
        *self.sources.entry(frame.source).or_default() += 1;
        let payload = match Payload::read(frame, encoder) {
            Ok(payload) => payload,
            Err(problem) => {
                self.bad_payloads += 1;
                self.damage.get_or_insert(format!("byte {}: {problem}", frame.offset));
                return None;
            }
        };
        let name = payload.name();
        let (format, subformat) = payload.format();
        let place = self.kinds.iter().position(|kind| kind.payload == name);
        let place = place.unwrap_or_else(|| {
            self.kinds.push(Kind { payload: name, format, subformat, count: 0, bytes: 0 });
            self.kinds.len() - 1
        });
        let kind = &mut self.kinds[place];
        kind.count += 1;
        kind.bytes += frame.bytes.len() as u64;
        Some(payload)
    }
}

fn listed(frame: &Frame, payload: &Payload) -> Listed {
    let value = |field| match field {
        Field::Number(value) => value.into(),
        Field::Address(value) => format!("{value:#x}").into(),
        Field::Difference(value) => value.into(),
        Field::Words(words) => words.into(),
    };
    let fields = payload.fields().into_iter();
    Listed {
        byte: frame.offset,
        source: frame.source,
        flow: frame.flow,
        timestamp: frame.timestamp,
        payload: payload.name(),
        fields: fields.map(|(name, field)| (name.to_owned(), value(field))).collect(),
    }
}

/// Payloads as lines that fit the width of what shows them.
struct Lines {
    text: String,
    count: usize,
    width: usize,
}

impl Lines {
    fn add(&mut self, frame: &Frame, payload: &Payload, encoder: &Encoder) -> Result<()> {
        let mut fields = Vec::new();
        if encoder.source_id_width > 0 {
            fields.push(format!("source {}", frame.source));
        }
        if let Some(time) = frame.timestamp {
            fields.push(format!("at {time}"));
        }
        for (name, field) in payload.fields() {
            fields.push(match field {
                Field::Number(1)
                    if matches!(name, "taken" | "interrupt" | "notify" | "updiscon" | "fails") =>
                {
                    name.to_owned()
                }
                Field::Number(value) => format!("{name} {value}"),
                Field::Address(value) => format!("{name} {value:#x}"),
                Field::Difference(value) => {
                    let sign = if value < 0 { '-' } else { '+' };
                    format!("{name} {sign}{:#x}", value.unsigned_abs())
                }
                Field::Words(words) => format!("{name} {words}"),
            });
        }
        let (name, offset) = (payload.name(), grouped(frame.offset));
        let mut line = format!(" {offset:>13}  {name:<18}");
        let blanks = " ".repeat(BEFORE_FIELDS);
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
    let form = if dump.is_text { "a payload in each line" } else { "headers with lengths" };
    let mut lines = vec![
        ("form", form.to_owned()),
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
