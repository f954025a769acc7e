//! What a log begins with, and its lines, with their numbers.

use std::io::{BufRead, BufReader, Chain, Cursor, Read};

use flate2::read::MultiGzDecoder;

use crate::error::Problem;

/// Far more bytes than a line of any format has.
pub(crate) const LINE_BYTES_MAX: usize = 16 << 10;

/// Bytes at the beginning of a log by which its format and its processor are recognised.
pub(crate) const HEAD_BYTES: usize = 1 << 20;

/// Bytes by which a compressed file is recognised.
const MAGIC_BYTES: usize = 4;

const GZIP: &[u8] = b"\x1f\x8b";

const ZSTD: &[u8] = b"\x28\xb5\x2f\xfd";

/// Bytes read at a time.
const BUFFER_BYTES: usize = 256 << 10;

/// A log whose beginning has been read.
pub(crate) type Source = BufReader<Chain<Cursor<Vec<u8>>, Box<dyn Read + Send>>>;

/// Reads the beginning of a log, which may be compressed by gzip or zstd, and gives it and the whole log.
pub(crate) fn read_ahead(mut file: Box<dyn Read + Send>) -> Result<(Vec<u8>, Source), Problem> {
    let mut magic = Vec::with_capacity(MAGIC_BYTES);
    file.by_ref().take(MAGIC_BYTES as u64).read_to_end(&mut magic)?;
    let is_gzip = magic.starts_with(GZIP);
    let is_zstd = magic == ZSTD;
    let file = Cursor::new(magic).chain(file);
    let mut log: Box<dyn Read + Send> = match (is_gzip, is_zstd) {
        (true, _) => Box::new(MultiGzDecoder::new(file)),
        (_, true) => Box::new(zstd::Decoder::new(file)?),
        _ => Box::new(file),
    };
    let mut head = Vec::with_capacity(HEAD_BYTES);
    log.by_ref().take(HEAD_BYTES as u64).read_to_end(&mut head)?;
    // Spreadsheets write the mark of UTF-8 before the text.
    if head.starts_with(b"\xef\xbb\xbf") {
        head.drain(..3);
    }
    let whole = Cursor::new(head.clone()).chain(log);
    Ok((head, BufReader::with_capacity(BUFFER_BYTES, whole)))
}

/// The lines of a text.
pub(crate) struct Lines<R> {
    source: R,
    line: Vec<u8>,
    number: u64,
}

impl<R: BufRead> Lines<R> {
    pub(crate) fn new(source: R) -> Self {
        Lines { source, line: Vec::new(), number: 0 }
    }

    /// The number of the last line that was read, from 1.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// The next line, without its end.
    pub(crate) fn next_line(&mut self) -> Result<Option<&[u8]>, Problem> {
        self.line.clear();
        let most = LINE_BYTES_MAX as u64 + 1;
        self.source.by_ref().take(most).read_until(b'\n', &mut self.line)?;
        if self.line.is_empty() {
            return Ok(None);
        }
        self.number += 1;
        let is_long = self.line.last() != Some(&b'\n') && self.line.len() > LINE_BYTES_MAX;
        if self.line.last() == Some(&b'\n') {
            self.line.pop();
        }
        if self.line.last() == Some(&b'\r') {
            self.line.pop();
        }
        let is_control = |byte: &&u8| **byte < b' ' && **byte != b'\t';
        match self.line.iter().find(is_control) {
            Some(byte) => Err(Problem::NotText(*byte)),
            None if is_long => Err(Problem::LongLine),
            None => Ok(Some(&self.line)),
        }
    }
}
