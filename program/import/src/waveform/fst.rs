//! Waveforms in the form of GTKWave's fast signal trace (FST), which Verilator and Icarus Verilog write, too.

use std::cell::Cell;
use std::io::{Cursor, Read};
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

use fst_reader::{
    FstFilter, FstHierarchyEntry, FstReader, FstSignalHandle, FstSignalValue, ReadSignalsError,
    ReaderError,
};

use super::header::Header;
use super::lanes::Lanes;
use super::names::Core;
use super::signals::Signals;
use super::step;
use crate::error::Problem;
use crate::port::row::TakeRows;

/// True for the beginning of such a file: a block of type 0 and 329 bytes, or one that is compressed as a whole.
pub(crate) fn is_fst(head: &[u8]) -> bool {
    head.starts_with(b"\0\0\0\0\0\0\0\x01\x49") || head.starts_with(b"\xfe\0\0\0")
}

/// Reads a waveform to its end. The file is kept in memory, as its parts are not in the order of time.
///
/// A simulation that was killed has not written the names of the signals into the file; they are in another one, the
/// `hierarchy`. Then what was written of the changes is read, and the answer is false.
pub(crate) fn read(
    mut source: impl Read,
    hierarchy: Option<Vec<u8>>,
    core: &Core,
    sink: &mut dyn TakeRows,
) -> Result<bool, Problem> {
    let mut bytes = Vec::new();
    source.read_to_end(&mut bytes)?;
    let opened = guarded(move || open(bytes, hierarchy)).unwrap_or(Err(Problem::DamagedWaveform));
    let (mut reader, header, is_ended) = opened?;
    let read = guarded(|| read_changes(&mut reader, &header, core, sink));
    match read.unwrap_or(Err(Problem::DamagedWaveform)) {
        // The last part may not have been written to its end.
        Err(Problem::DamagedWaveform | Problem::Waveform(_) | Problem::Read(_)) if !is_ended => {
            Ok(false)
        }
        read => read.map(|()| is_ended),
    }
}

type Reader = FstReader<Cursor<Vec<u8>>>;

/// The waveform and its signals, and whether the file was ended.
fn open(bytes: Vec<u8>, hierarchy: Option<Vec<u8>>) -> Result<(Reader, Header, bool), Problem> {
    let opened = FstReader::open(Cursor::new(bytes.clone()));
    let (mut reader, is_ended) = match (opened, hierarchy) {
        (Ok(reader), _) => (reader, true),
        (
            Err(ReaderError::MissingGeometry() | ReaderError::MissingHierarchy()),
            Some(hierarchy),
        ) => (FstReader::open_incomplete(Cursor::new(bytes), Cursor::new(hierarchy))?, false),
        (Err(ReaderError::MissingGeometry() | ReaderError::MissingHierarchy()), None) => {
            return Err(Problem::UnfinishedWaveform);
        }
        (Err(error), _) => return Err(error.into()),
    };
    let header = header(&mut reader)?;
    Ok((reader, header, is_ended))
}

fn read_changes(
    reader: &mut Reader,
    header: &Header,
    core: &Core,
    sink: &mut dyn TakeRows,
) -> Result<(), Problem> {
    let mut signals = Signals::default();
    let mut lanes = Lanes::new(core, header, &mut signals)?;
    sink.port(&lanes.port(core))?;
    let mut time = None;
    let handles = signals.identifiers().filter_map(handle).collect();
    let read = reader.read_signals(&FstFilter::filter_signals(handles), |now, handle, value| {
        if let Some(before) = time.replace(now)
            && before != now
        {
            step(&mut signals, &mut lanes, before, sink)?;
        }
        let FstSignalValue::String(value) = value else { return Ok(()) };
        signals.keep_bits(value)?;
        signals.change_to_bits(&identifier(handle))
    });
    match read {
        Ok(()) => step(&mut signals, &mut lanes, time.unwrap_or_default(), sink),
        Err(ReadSignalsError::CallbackError(problem)) => Err(problem),
        Err(ReadSignalsError::ReadError(error)) => Err(error.into()),
    }
}

/// The signals of a waveform.
fn header(reader: &mut Reader) -> Result<Header, Problem> {
    let mut header = Header::default();
    let mut scopes: Vec<String> = Vec::new();
    let mut declared = Ok(());
    reader.read_hierarchy(|entry| match entry {
        FstHierarchyEntry::Scope { name, .. } => scopes.push(name),
        FstHierarchyEntry::UpScope => {
            scopes.pop();
        }
        FstHierarchyEntry::Var { name, length, handle, .. } if length > 0 && declared.is_ok() => {
            declared = header.declare(&scopes, &name, length, &identifier(handle));
        }
        _ => {}
    })?;
    declared.map(|()| header)
}

/// What changes call a signal.
fn identifier(handle: FstSignalHandle) -> [u8; 8] {
    (handle.get_index() as u64).to_le_bytes()
}

/// The signal with this identifier.
fn handle(identifier: &[u8]) -> Option<FstSignalHandle> {
    let index = u64::from_le_bytes(identifier.try_into().ok()?);
    Some(FstSignalHandle::from_index(usize::try_from(index).ok()?))
}

impl From<ReaderError> for Problem {
    fn from(error: ReaderError) -> Problem {
        match error {
            ReaderError::Io(error) => Problem::Read(error),
            error => Problem::Waveform(error.to_string()),
        }
    }
}

thread_local! {
    /// True while this thread runs what may panic.
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Runs what panics where a file is damaged, as the crate `fst-reader` does; `None` if it did. Nothing is printed then.
fn guarded<T>(run: impl FnOnce() -> T) -> Option<T> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let hook = take_hook();
        set_hook(Box::new(move |information| {
            if !IS_GUARDED.get() {
                hook(information);
            }
        }));
    });
    IS_GUARDED.set(true);
    let done = catch_unwind(AssertUnwindSafe(run));
    IS_GUARDED.set(false);
    done.ok()
}
