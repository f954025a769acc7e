//! Reading an encoded trace, a frame at a time.

use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Read, Seek, SeekFrom};
use std::path::Path;

use super::totals::TRAILER_BYTES;
use super::{
    Error, FRAME_BYTES_MAX, HEADER_BYTES_MAX, Header, MAGIC, PREFIX_BYTES, Problem, Totals,
    VERSION, check,
};

/// The trace of an encoded file, as bytes for a [`BitUnpacker`](crate::encode::bit_packer::BitUnpacker).
///
/// A byte is given only after the check of its frame, and the end only after that of the trailer.
/// What is wrong with the file comes out of [`Read::read`] as an [`io::Error`] around an [`Error`].
#[derive(Debug)]
pub struct BitsReader<R> {
    source: BufReader<R>,
    name: String,
    offset: u64,
    header: Header,
    frame: Box<[u8]>,
    begin: usize,
    end: usize,
    payload_bytes: u64,
    totals: Option<Totals>,
    most_instructions: u64,
    /// True if what is in damaged frames is given too.
    salvages: bool,
    /// The first damage that did not end reading.
    damage: Option<Error>,
    /// True after damage from which on it is not known where frames begin.
    is_lost: bool,
}

impl BitsReader<File> {
    /// Opens a file and, where it can be read from its end, makes sure that it has one.
    ///
    /// # Errors
    /// The file cannot be opened, or has no sound header or trailer.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let mut reader = Self::of_file(path)?;
        reader.look_ahead()?;
        Ok(reader)
    }

    /// Opens a file as [`BitsReader::open`] does. A trace of packets is given although its frames or its trailer are
    /// damaged, because packets find damage themselves; [`BitsReader::damage`] then has it. Where a length is damaged,
    /// all bytes after it are given.
    ///
    /// # Errors
    /// Those of [`BitsReader::open`]; for packets, the file cannot be opened or has no sound header.
    pub fn salvage(path: impl AsRef<Path>) -> Result<Self, Error> {
        let mut reader = Self::of_file(path)?;
        reader.salvages = reader.header.design.framing().is_some();
        if let Err(error) = reader.look_ahead() {
            reader.bear(error)?;
        }
        Ok(reader)
    }

    fn of_file(path: impl AsRef<Path>) -> Result<Self, Error> {
        let name = path.as_ref().display().to_string();
        match File::open(&path) {
            Ok(file) => BitsReader::new(file, &name),
            Err(error) => Err(Error { file: name, offset: 0, problem: Problem::Open(error) }),
        }
    }
}

impl<R: Read> BitsReader<R> {
    /// Reads the header; errors call the file `name`.
    ///
    /// # Errors
    /// The source cannot be read, or does not begin like an encoded trace of this version.
    pub fn new(source: R, name: &str) -> Result<Self, Error> {
        let fail =
            |offset: usize, problem| Error { file: name.into(), offset: offset as u64, problem };
        let mut source = BufReader::with_capacity(FRAME_BYTES_MAX, source);
        let mut prefix = [0; PREFIX_BYTES];
        let there =
            fill(&mut source, &mut prefix).map_err(|error| fail(0, Problem::Read(error)))?;
        let magic = &prefix[..there.min(MAGIC.len())];
        if magic.is_empty() {
            return Err(fail(0, Problem::Empty));
        }
        if magic != &MAGIC[..magic.len()] {
            return Err(fail(0, Problem::Magic(magic.into())));
        }
        if there < PREFIX_BYTES {
            return Err(fail(there, Problem::Truncated { part: "header" }));
        }
        let [.., v0, v1, l0, l1, l2, l3] = prefix;
        let (version, length) =
            (u16::from_le_bytes([v0, v1]), u32::from_le_bytes([l0, l1, l2, l3]));
        if version != VERSION {
            return Err(fail(MAGIC.len(), Problem::FutureVersion(version)));
        }
        if length as usize > HEADER_BYTES_MAX {
            return Err(fail(PREFIX_BYTES - 4, Problem::LongHeader(length)));
        }
        let mut text = vec![0; length as usize + 4];
        let there = fill(&mut source, &mut text)
            .map_err(|error| fail(PREFIX_BYTES, Problem::Read(error)))?;
        if there < text.len() {
            return Err(fail(PREFIX_BYTES + there, Problem::Truncated { part: "header" }));
        }
        let (text, sum) = text.split_at(length as usize);
        let found = sum.iter().rev().fold(0, |value, byte| value << 8 | u32::from(*byte));
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&prefix[MAGIC.len()..]);
        hasher.update(text);
        let expected = hasher.finalize();
        if expected != found {
            return Err(fail(0, Problem::Damaged { part: "header", expected, found }));
        }
        let header = Header::from_text(text).map_err(|problem| fail(PREFIX_BYTES, problem))?;
        Ok(Self {
            source,
            name: name.into(),
            offset: (PREFIX_BYTES + text.len() + sum.len()) as u64,
            header,
            frame: vec![0; FRAME_BYTES_MAX].into(),
            begin: 0,
            end: 0,
            payload_bytes: 0,
            totals: None,
            most_instructions: u64::MAX,
            salvages: false,
            damage: None,
            is_lost: false,
        })
    }

    /// The design and the machine.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The totals, once everything has been read.
    pub fn totals(&self) -> Option<Totals> {
        self.totals
    }

    /// Instructions that were traced where that is known beforehand, else [`u64::MAX`].
    pub fn most_instructions(&self) -> u64 {
        self.most_instructions
    }

    /// The first damage that [`BitsReader::salvage`] has met so far.
    pub fn damage(&self) -> Option<&Error> {
        self.damage.as_ref()
    }

    /// Reads the next frame, or what can be had of it.
    fn refill(&mut self) -> Result<(), Error> {
        if self.is_lost {
            return self.rest();
        }
        let Err(error) = self.next_frame() else { return Ok(()) };
        let is_lost = !matches!(error.problem, Problem::Damaged { part: "frame", .. });
        self.bear(error)?;
        self.is_lost = is_lost;
        if self.begin == self.end { self.rest() } else { Ok(()) }
    }

    /// Keeps the first damage, if damage does not end reading.
    fn bear(&mut self, error: Error) -> Result<(), Error> {
        if !self.salvages || matches!(error.problem, Problem::Read(_)) {
            self.end = self.begin;
            return Err(error);
        }
        self.damage.get_or_insert(error);
        Ok(())
    }

    /// Takes the next bytes as bytes of the trace, because it is not known where frames begin.
    fn rest(&mut self) -> Result<(), Error> {
        let there = fill(&mut self.source, &mut self.frame);
        let there = there.map_err(|error| self.error(self.offset, Problem::Read(error)))?;
        self.offset += there as u64;
        (self.begin, self.end) = (0, there);
        Ok(())
    }

    /// Reads the next frame; at the trailer the frame stays empty.
    fn next_frame(&mut self) -> Result<(), Error> {
        let frame_offset = self.offset;
        let mut head = [0; 8];
        self.take(&mut head[..4], "frames and the trailer")?;
        let length = u32::from_le_bytes([head[0], head[1], head[2], head[3]]);
        if length == 0 {
            return self.trailer(frame_offset);
        }
        if length as usize > FRAME_BYTES_MAX {
            return Err(self.error(frame_offset, Problem::LongFrame(length)));
        }
        self.take(&mut head[4..], "frame")?;
        let found = u32::from_le_bytes([head[4], head[5], head[6], head[7]]);
        let mut frame = std::mem::take(&mut self.frame);
        let content_offset = self.offset;
        let taken = self.take(&mut frame[..length as usize], "frame");
        self.frame = frame;
        (self.begin, self.end) = (0, (self.offset - content_offset) as usize);
        self.payload_bytes += u64::from(length);
        taken?;
        let expected = check(frame_offset, length, &self.frame[..length as usize]);
        if expected != found {
            return Err(
                self.error(frame_offset, Problem::Damaged { part: "frame", expected, found })
            );
        }
        Ok(())
    }

    /// Reads the rest of the trailer and makes sure that it is the end.
    fn trailer(&mut self, offset: u64) -> Result<(), Error> {
        let mut trailer = [0; TRAILER_BYTES];
        self.take(&mut trailer[4..], "trailer")?;
        let totals = Totals::from_trailer(&trailer, offset).map_err(|(expected, found)| {
            self.error(offset, Problem::Damaged { part: "trailer", expected, found })
        })?;
        let (expected, found) = (totals.payload_bytes(), self.payload_bytes);
        if expected != found {
            return Err(self.error(offset, Problem::Disagreement { expected, found }));
        }
        match fill(&mut self.source, &mut [0]) {
            Ok(0) => {}
            Ok(_) => return Err(self.error(self.offset, Problem::TrailingData)),
            Err(error) => return Err(self.error(self.offset, Problem::Read(error))),
        }
        self.totals = Some(totals);
        Ok(())
    }

    fn take(&mut self, into: &mut [u8], part: &'static str) -> Result<(), Error> {
        let taken = fill(&mut self.source, into)
            .map_err(|error| self.error(self.offset, Problem::Read(error)))?;
        self.offset += taken as u64;
        if taken < into.len() {
            Err(self.error(self.offset, Problem::Truncated { part }))
        } else {
            Ok(())
        }
    }

    fn error(&self, offset: u64, problem: Problem) -> Error {
        Error { file: self.name.clone(), offset, problem }
    }
}

impl<R: Read + Seek> BitsReader<R> {
    /// Reads the trailer from the end of the source, unless it is one that cannot seek.
    fn look_ahead(&mut self) -> Result<(), Error> {
        let Ok(end) = self.source.seek(SeekFrom::End(0)) else {
            return Ok(());
        };
        let begin = self.offset.max(end.saturating_sub(TRAILER_BYTES as u64));
        let mut trailer = [0; TRAILER_BYTES];
        let there = self
            .source
            .seek(SeekFrom::Start(begin))
            .and_then(|_| fill(&mut self.source, &mut trailer));
        let there = there.map_err(|error| self.error(begin, Problem::Read(error)))?;
        let totals = Totals::from_trailer(&trailer, begin).ok().filter(|_| there == TRAILER_BYTES);
        let back = self.source.seek(SeekFrom::Start(self.offset));
        back.map_err(|error| self.error(self.offset, Problem::Read(error)))?;
        let totals = totals.ok_or_else(|| self.error(begin, Problem::NoTrailer))?;
        self.most_instructions = totals.instructions;
        Ok(())
    }
}

impl<R: Read> Read for BitsReader<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.begin == self.end && self.totals.is_none() {
            self.refill().map_err(|error| io::Error::new(ErrorKind::InvalidData, error))?;
        }
        let count = into.len().min(self.end - self.begin);
        into[..count].copy_from_slice(&self.frame[self.begin..self.begin + count]);
        self.begin += count;
        Ok(count)
    }
}

/// Reads until `into` is full or the source ends, and says how much there was.
fn fill(source: &mut impl Read, into: &mut [u8]) -> io::Result<usize> {
    let mut there = 0;
    while there < into.len() {
        match source.read(&mut into[there..]) {
            Ok(0) => break,
            Ok(count) => there += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(there)
}
