//! The file of what a dump says beside the execution: what the program has written to the trace, events, samples.

use std::fmt::Write as _;
use std::io::Write;

use anyhow::Result;
use serde_json::{Map, Value, json};
use tracewright_import::e_trace::{Field, Told};

use crate::pipeline::output::Output;
use crate::pipeline::paths::OutputFile;

/// The file, as lines of text or, if its name ends with `.json`, in the Trace Event Format.
pub(super) struct Messages {
    output: Output,
    is_json: bool,
}

impl Messages {
    /// Creates the file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn create(path: &OutputFile) -> Result<Self> {
        let is_json = path.extension().is_some_and(|ending| ending == "json");
        let mut output = path.create()?;
        match is_json {
            // The unit is that of `view --perfetto`.
            true => write!(
                output,
                "{{\"displayTimeUnit\":\"ns\",\"otherData\":{{\"unit\":\"1 us is 1 instruction\"}},\"traceEvents\":[\n{}",
                json!({"ph": "M", "pid": 1, "name": "process_name", "args": {"name": "messages"}})
            )?,
            false => writeln!(output, "core,byte,time,instructions,message,fields,text")?,
        }
        Ok(Messages { output, is_json })
    }

    /// Writes a message after so many instructions of its thread.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn write(&mut self, told: &Told, instructions: u64) -> Result<()> {
        let Told { thread, offset, time, name, fields, .. } = told;
        let text = characters(fields);
        if self.is_json {
            let mut args: Map<String, Value> = Map::new();
            args.extend(time.map(|time| ("time".to_owned(), time.into())));
            args.insert("byte".into(), (*offset).into());
            for (name, field) in fields {
                // A message may have several fields of one name.
                let place = (1..).map(|number| match number {
                    1 => (*name).to_owned(),
                    more => format!("{name} {more}"),
                });
                let free = place.into_iter().find(|name| !args.contains_key(name));
                args.insert(free.unwrap_or_default(), shown(field).into());
            }
            args.extend(text.map(|text| ("text".to_owned(), text.into())));
            let tid = u32::from(*thread) + 1;
            let event = json!({
                "ph": "i", "s": "t", "pid": 1, "tid": tid, "ts": instructions, "name": name, "args": args
            });
            write!(self.output, ",\n{event}")?;
            return Ok(());
        }
        let time = time.map_or(String::new(), |time| time.to_string());
        let mut all = String::new();
        for (name, field) in fields {
            let blank = if all.is_empty() { "" } else { " " };
            let _ = write!(all, "{blank}{name}={}", shown(field));
        }
        let text = text.map_or(String::new(), |text| {
            format!("\"{}\"", text.escape_default().to_string().replace("\\\"", "\"\""))
        });
        writeln!(self.output, "{thread},{offset},{time},{instructions},{name},{all},{text}")?;
        Ok(())
    }

    /// Ends the file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn finish(mut self) -> Result<Output> {
        if self.is_json {
            self.output.write_all(b"\n]}\n")?;
        }
        Ok(self.output)
    }
}

fn shown(field: &Field) -> String {
    match field {
        Field::Number(value) => value.to_string(),
        Field::Address(value) => format!("{value:#x}"),
        Field::Difference(value) => value.to_string(),
        Field::Words(words) => words.clone(),
    }
}

/// The characters that a program has written, lowest byte first, if all are some.
fn characters(fields: &[(&str, Field)]) -> Option<String> {
    let data = fields.iter().find(|(name, _)| *name == "DQDATA")?;
    let Field::Address(value) = data.1 else { return None };
    let length = (64 - value.leading_zeros()).div_ceil(8) as usize;
    let bytes = &value.to_le_bytes()[..length];
    let is_text = |byte: &u8| (b' '..=b'~').contains(byte) || matches!(byte, b'\n' | b'\r' | b'\t');
    let is_written = length > 0 && bytes.iter().all(is_text);
    is_written.then(|| String::from_utf8_lossy(bytes).into_owned())
}
