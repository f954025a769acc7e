//! Imports as text.

use std::path::Path;
use std::sync::Arc;

use tracewright_image::{Image, InstructionSet};
use tracewright_import::{Error, Import, Options, Summary};
use tracewright_sim::trace_io::{Format, Writer, WriterOptions};

/// The trace of a log as text, without the line of the machine, and what was imported.
pub fn import_with(log: &str, options: Options) -> Result<(String, Summary), Error> {
    let (whole, summary) = whole(log.as_bytes(), options)?;
    let (_, events) = whole.split_once('\n').expect("the line of the machine");
    Ok((events.to_owned(), summary))
}

/// The trace of a log as text.
pub fn whole(log: &[u8], options: Options) -> Result<(String, Summary), Error> {
    let import = Import::new(Box::new(std::io::Cursor::new(log.to_vec())), "run.log", options)?;
    let writer = WriterOptions {
        format: Format::Text,
        extensions: import.extensions(),
        ..WriterOptions::default()
    };
    let mut writer = Writer::new(Vec::new(), import.machine(), writer).expect("a machine");
    let summary = import.run(&mut |item| writer.write_item(item))?;
    let text = writer.finish().expect("memory");
    Ok((String::from_utf8(text).expect("text"), summary))
}

/// The trace of a log that is right, without the line of the machine.
pub fn import(log: &str) -> String {
    let (events, _) =
        import_with(log, Options::default()).unwrap_or_else(|error| panic!("{error}"));
    events
}

/// Options for a log of this instruction set.
pub fn of_set(set: InstructionSet) -> Options {
    Options { instruction_set: Some(set), ..Options::default() }
}

/// Options with a program of the repository.
pub fn of_program(name: &str) -> Options {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../workloads").join(name);
    let image = Image::open(&path, 0).expect("a program");
    Options { program: Some(Arc::new(image)), ..Options::default() }
}

/// What is wrong with a log.
pub fn error(log: impl AsRef<[u8]>, options: Options) -> String {
    match whole(log.as_ref(), options) {
        Ok((trace, _)) => panic!("expected an error, found the trace {trace}"),
        Err(error) => error.to_string(),
    }
}
