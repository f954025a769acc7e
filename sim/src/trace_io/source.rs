//! Bytes of a trace, decompressed if need be, through one large buffer.

use std::io::{BufRead, BufReader, Chain, Cursor, ErrorKind, Read};

use super::error::{Error, Place, Problem};

/// The first bytes of a zstd frame.
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// log2 of the largest zstd window, which is the memory a frame may ask for: 128 MiB.
const WINDOW_LOG_MAX: u32 = 27;

/// Bytes of the buffer: far more than a record, few enough to stay in the second-level cache.
const CAPACITY: usize = 256 << 10;

/// Zero bytes after the data, so that a record can be decoded before its length is known.
pub(super) const PADDING: usize = 64;

type Stream = Chain<Cursor<Vec<u8>>, Box<dyn Read + Send>>;

enum Bytes {
    Plain(Stream),
    Zstd(Box<zstd::Decoder<'static, BufReader<Stream>>>),
}

/// A buffered, decompressed stream that knows its name and where it stands.
pub(super) struct Source {
    name: String,
    bytes: Bytes,
    buffer: Box<[u8]>,
    begin: usize,
    end: usize,
    /// Bytes of the stream before `buffer[0]`.
    base: u64,
    ended: bool,
    /// The most records that the stream may have.
    most_records: u64,
    /// A failure met while reading ahead, kept until the data before it is used up.
    failure: Option<Problem>,
}

impl Source {
    /// A source over this stream, decompressing it if it begins like a zstd frame.
    pub(super) fn new(mut stream: Box<dyn Read + Send>, name: &str) -> Result<Source, Error> {
        let fail = |error| Error::new(name, Place::File, Problem::Read(error));
        let mut magic = Vec::new();
        (&mut stream).take(ZSTD_MAGIC.len() as u64).read_to_end(&mut magic).map_err(fail)?;
        let compressed = magic == ZSTD_MAGIC;
        let stream = Cursor::new(magic).chain(stream);
        let bytes = if compressed {
            let stream = BufReader::with_capacity(CAPACITY, stream);
            let mut decoder = zstd::Decoder::with_buffer(stream).map_err(fail)?.single_frame();
            decoder.window_log_max(WINDOW_LOG_MAX).map_err(fail)?;
            Bytes::Zstd(Box::new(decoder))
        } else {
            Bytes::Plain(stream)
        };
        Ok(Source {
            name: name.to_owned(),
            bytes,
            buffer: vec![0; CAPACITY + PADDING].into_boxed_slice(),
            begin: 0,
            end: 0,
            base: 0,
            ended: false,
            most_records: u64::MAX,
            failure: None,
        })
    }

    /// Sets the most records, or lines, that the stream may have.
    pub(super) fn limit(&mut self, records: u64) {
        self.most_records = records;
    }

    /// The problem of a stream with this many records, if there are too many.
    pub(super) fn too_long(&self, records: u64) -> Option<Problem> {
        (records > self.most_records).then_some(Problem::TooLong(self.most_records))
    }

    /// Bytes taken so far.
    pub(super) fn offset(&self) -> u64 {
        self.base + self.begin as u64
    }

    /// Bytes that can be taken without reading.
    #[inline(always)]
    pub(super) fn available(&self) -> usize {
        self.end - self.begin
    }

    /// The next bytes, zeros after the available ones.
    #[inline(always)]
    #[expect(clippy::expect_used, reason = "the buffer has `PADDING` bytes after the data")]
    pub(super) fn window(&self) -> &[u8; PADDING] {
        self.buffer[self.begin..].first_chunk().expect("padding")
    }

    /// The bytes that can be taken without reading.
    pub(super) fn ahead(&self) -> &[u8] {
        &self.buffer[self.begin..self.end]
    }

    /// Takes this many of the available bytes.
    #[inline(always)]
    pub(super) fn advance(&mut self, count: usize) {
        self.begin += count;
    }

    /// Reads until `count` bytes are available, the stream ends or it fails; true if they are.
    #[cold]
    #[inline(never)]
    pub(super) fn fill(&mut self, count: usize) -> bool {
        self.buffer.copy_within(self.begin..self.end, 0);
        self.base += self.begin as u64;
        self.end -= self.begin;
        self.begin = 0;
        while self.end < count && !self.ended {
            match self.bytes.read(&mut self.buffer[self.end..CAPACITY]) {
                Ok(0) => {
                    self.ended = true;
                    self.failure = self.bytes.after_end();
                }
                Ok(read) => self.end += read,
                Err(problem) => {
                    self.ended = true;
                    self.failure = Some(problem);
                }
            }
        }
        self.buffer[self.end..self.end + PADDING].fill(0);
        self.end >= count
    }

    /// Makes at least `count` bytes available, unless the stream ends before.
    pub(super) fn require(&mut self, count: usize) -> Result<(), Error> {
        if self.fill(count) { Ok(()) } else { self.failure(0) }
    }

    /// The failure that ended the stream, if one did.
    pub(super) fn failure(&mut self, record: u64) -> Result<(), Error> {
        match self.failure.take() {
            Some(problem) => Err(self.error_at_byte(self.available(), record, problem)),
            None => Ok(()),
        }
    }

    /// A problem this many bytes after those taken. The stream ends with it.
    #[cold]
    pub(super) fn error_at_byte(&mut self, ahead: usize, record: u64, problem: Problem) -> Error {
        let offset = self.offset() + ahead as u64;
        self.stop();
        Error::new(&self.name, Place::Byte { offset, record }, problem)
    }

    /// A problem of a line of text. The stream ends with it.
    #[cold]
    pub(super) fn error_at_line(&mut self, line: u64, record: u64, problem: Problem) -> Error {
        self.stop();
        Error::new(&self.name, Place::Line { line, record }, problem)
    }

    fn stop(&mut self) {
        self.end = self.begin;
        self.ended = true;
        self.failure = None;
    }
}

impl Bytes {
    fn read(&mut self, into: &mut [u8]) -> Result<usize, Problem> {
        loop {
            let (read, compressed) = match self {
                Bytes::Plain(stream) => (stream.read(into), false),
                Bytes::Zstd(decoder) => (decoder.read(into), true),
            };
            match read {
                Ok(count) => return Ok(count),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::UnexpectedEof && compressed => {
                    return Err(Problem::TruncatedFrame);
                }
                // zstd's own errors have no code of the operating system.
                Err(error) if compressed && error.raw_os_error().is_none() => {
                    return Err(Problem::Decompress(error));
                }
                Err(error) => return Err(Problem::Read(error)),
            }
        }
    }

    /// What is wrong with what follows the end of the decompressed data, if anything.
    fn after_end(&mut self) -> Option<Problem> {
        let Bytes::Zstd(decoder) = self else { return None };
        loop {
            match decoder.get_mut().fill_buf() {
                Ok([]) => return None,
                Ok(_) => return Some(Problem::TrailingData),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Some(Problem::Read(error)),
            }
        }
    }
}
