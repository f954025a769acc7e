//! Traces in files: PET1, compressed or not, and a text form that a person can write.
//!
//! [`open`] and [`Reader::new`] read all forms, [`Writer`] writes them.
//!
//! ```
//! use tracewright_sim::trace_io::{Format, Reader, Writer, WriterOptions};
//!
//! let text = "\
//! machine riscv alignment=1 address_bits=64
//! 5 direct-conditional 0x1000 taken 0x1040   # five instructions, the last one branches
//! 3 indirect-jump 0x1044 return taken 0x2000
//! ";
//! let mut reader = Reader::new(text.as_bytes())?;
//! let options = WriterOptions { format: Format::Pet1Zstd, ..WriterOptions::default() };
//! let mut writer = Writer::new(Vec::new(), reader.machine(), options)?;
//! while let Some(event) = reader.next_event()? {
//!     writer.write(&event)?;
//! }
//! let file = writer.finish()?;
//! assert_eq!(Reader::new(std::io::Cursor::new(file))?.count(), 2);
//! # Ok::<(), tracewright_sim::trace_io::Error>(())
//! ```
//!
//! # Trace files
//!
#![doc = include_str!("trace_files.md")]

mod error;
mod extensions;
mod learner;
mod marks;
mod pet1;
mod source;
mod text;
mod validate;
mod varint;
mod violation;
mod writer;

use std::fs::File;
use std::io::Read;
use std::iter::FusedIterator;
use std::path::Path;

pub use error::{Error, Place, Problem};
pub use extensions::Extensions;
pub use learner::{Learner, Repeated};
pub use validate::Validator;
pub use violation::Violation;
pub use writer::{Format, Writer, WriterOptions};

use crate::bits_file::{self, Fingerprint};
use crate::event::{Event, Item, Machine};
use crate::program::CallLengths;
use marks::Marks;
use source::Source;

/// The file name in errors about input or output that has none.
pub const STREAM: &str = "<stream>";

/// A trace being read, whatever form it is in.
///
/// Memory stays bounded whatever the input declares: a zstd window above 128 MiB and a line of
/// text above 4 KiB are errors. Every record is checked against the rules of [`Violation`].
pub struct Reader {
    decoder: Decoder,
    marks: Option<Marks>,
}

enum Decoder {
    Pet1(Box<pet1::Decoder>),
    Text(Box<text::Decoder>),
}

/// Opens a trace file of any form.
///
/// # Errors
///
/// The file cannot be opened, or its header is not that of a trace.
pub fn open(path: impl AsRef<Path>) -> Result<Reader, Error> {
    Reader::open(path)
}

impl Reader {
    /// Opens a trace file of any form.
    ///
    /// # Errors
    ///
    /// The file cannot be opened, or its header is not that of a trace.
    pub fn open(path: impl AsRef<Path>) -> Result<Reader, Error> {
        let path = path.as_ref();
        let name = path.display().to_string();
        match File::open(path) {
            Ok(file) => Reader::named(file, &name),
            Err(error) => Err(Error::new(&name, Place::File, Problem::Open(error))),
        }
    }

    /// Reads a trace of any form from a stream. It buffers for itself.
    ///
    /// # Errors
    ///
    /// The stream cannot be read, or its header is not that of a trace.
    pub fn new(stream: impl Read + Send + 'static) -> Result<Reader, Error> {
        Reader::named(stream, STREAM)
    }

    /// Reads a trace of any form from a stream, calling it `name` in errors.
    ///
    /// # Errors
    ///
    /// The stream cannot be read, or its header is not that of a trace.
    pub fn named(stream: impl Read + Send + 'static, name: &str) -> Result<Reader, Error> {
        let mut source = Source::new(Box::new(stream), name)?;
        source.require(pet1::HEADER_BYTES)?;
        let first = &source.ahead()[..source.available().min(pet1::HEADER_BYTES)];
        let decoder = if first.starts_with(&pet1::MAGIC) {
            Decoder::Pet1(Box::new(pet1::Decoder::new(source)?))
        } else if text::looks_like(first) {
            Decoder::Text(Box::new(text::Decoder::new(source)?))
        } else {
            let problem = match first {
                [] => Problem::Empty,
                _ if first.starts_with(&bits_file::MAGIC) => Problem::Encoded,
                _ if first.starts_with(b"WSET") => Problem::WorkingSet,
                _ if first.starts_with(b"\x7fELF") => Problem::Elf,
                [b'P', b'E', b'T', version, ..] if version.is_ascii_digit() => {
                    Problem::FutureVersion(char::from(*version))
                }
                _ => Problem::UnknownFormat(first[..first.len().min(4)].to_vec()),
            };
            return Err(source.error_at_byte(0, 0, problem));
        };
        Ok(Reader { decoder, marks: None })
    }

    /// Sets the most records, or lines of text, that the trace may have, which is checked whenever the stream is read.
    /// There is no limit at first, and a small compressed file can hold as many as one likes.
    pub fn limit(&mut self, records: u64) {
        match &mut self.decoder {
            Decoder::Pet1(decoder) => decoder.limit(records),
            Decoder::Text(decoder) => decoder.limit(records),
        }
    }

    /// The next event, accesses left out; `None` at the end, and for ever after the end or an error.
    ///
    /// # Errors
    ///
    /// The stream cannot be read or decompressed, ends inside a record, or holds a record that
    /// breaks a rule of the format or of [`Violation`]. Events before it have all been given.
    pub fn next_event(&mut self) -> Result<Option<Event>, Error> {
        loop {
            match self.next_item()? {
                Some(Item::Event(event)) => return Ok(Some(event)),
                Some(Item::Access(_) | Item::State(_) | Item::Cycles(_)) => {}
                None => return Ok(None),
            }
        }
    }

    /// The next event, access, state or number of cycles; `None` at the end, and for ever after the end or an error.
    ///
    /// # Errors
    ///
    /// Those of [`next_event`](Reader::next_event).
    pub fn next_item(&mut self) -> Result<Option<Item>, Error> {
        let item = match &mut self.decoder {
            Decoder::Pet1(decoder) => decoder.next_item(),
            Decoder::Text(decoder) => decoder.next_item(),
        }?;
        if let (Some(marks), Some(item)) = (&mut self.marks, &item) {
            marks.add(item);
        }
        Ok(item)
    }

    /// Reads the next items into `items`, in place of what is there: `most` of them, fewer only where the stream ends. One
    /// call for many items takes a third of the time of one call for each.
    ///
    /// # Errors
    ///
    /// Those of [`next_event`](Reader::next_event). `items` has what comes before.
    pub fn read(&mut self, items: &mut Vec<Item>, most: usize) -> Result<(), Error> {
        items.clear();
        items.reserve(most);
        match &mut self.decoder {
            Decoder::Pet1(decoder) => decoder.read(items, most, self.marks.as_mut()),
            Decoder::Text(_) => {
                while items.len() < most
                    && let Some(item) = self.next_item()?
                {
                    items.push(item);
                }
                Ok(())
            }
        }
    }

    /// Gives the items that are left to a learner, but for events that teach it nothing new: most of them, where a program
    /// loops.
    ///
    /// # Errors
    ///
    /// Those of [`next_event`](Reader::next_event) and of the learner.
    pub fn learn<L: Learner>(&mut self, learner: &mut L) -> Result<(), L::Error> {
        if let Decoder::Pet1(decoder) = &mut self.decoder {
            return decoder.learn(learner);
        }
        while let Some(item) = self.next_item()? {
            learner.item(&item)?;
        }
        Ok(())
    }

    /// Gives from now on calls without a length the one that was inferred.
    pub fn complete_calls(&mut self, lengths: CallLengths) {
        match &mut self.decoder {
            Decoder::Pet1(decoder) => decoder.complete_calls(lengths),
            Decoder::Text(decoder) => decoder.complete_calls(lengths),
        }
    }

    /// Follows from now on the fingerprint of the events that are given, and of accesses if it is to have them.
    pub fn follow_fingerprint(&mut self, accesses: bool) {
        self.marks = Some(Marks { accesses, ..Marks::default() });
    }

    /// The fingerprint of what was given since it is followed.
    pub fn fingerprint(&self) -> Option<Fingerprint> {
        self.marks.map(|marks| marks.fingerprint)
    }

    /// The events, accesses and states that are left.
    pub fn items(mut self) -> impl Iterator<Item = Result<Item, Error>> {
        std::iter::from_fn(move || self.next_item().transpose()).fuse()
    }

    /// The processor the trace was taken from.
    pub fn machine(&self) -> Machine {
        self.validator().machine()
    }

    /// What the trace has beyond the events of four threads. Without `lengths`, every length is 0.
    pub fn extensions(&self) -> Extensions {
        self.validator().extensions()
    }

    /// Events given so far, so the index of the next one.
    pub fn events(&self) -> u64 {
        self.validator().events()
    }

    /// Memory accesses given or passed over so far.
    pub fn accesses(&self) -> u64 {
        self.validator().accesses()
    }

    /// Instructions of the events given so far, over all threads.
    pub fn instructions(&self) -> u64 {
        self.validator().instructions()
    }

    /// Bytes of the decompressed stream that the records so far, and the header, took.
    pub fn offset(&self) -> u64 {
        match &self.decoder {
            Decoder::Pet1(decoder) => decoder.offset(),
            Decoder::Text(decoder) => decoder.offset(),
        }
    }

    fn validator(&self) -> &Validator {
        match &self.decoder {
            Decoder::Pet1(decoder) => decoder.validator(),
            Decoder::Text(decoder) => decoder.validator(),
        }
    }
}

impl Iterator for Reader {
    type Item = Result<Event, Error>;

    #[inline]
    fn next(&mut self) -> Option<Result<Event, Error>> {
        self.next_event().transpose()
    }
}

impl FusedIterator for Reader {}

impl std::fmt::Debug for Reader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reader")
            .field("machine", &self.machine())
            .field("extensions", &self.extensions())
            .field("events", &self.events())
            .field("accesses", &self.accesses())
            .field("offset", &self.offset())
            .finish_non_exhaustive()
    }
}
