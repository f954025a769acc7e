//! The words of a value change dump, which is blanks between words and nothing else.

use std::io::BufRead;

use crate::error::Problem;

/// Far more bytes than the value of a signal has.
const TOKEN_BYTES_MAX: usize = 1 << 20;

/// Gives the words of a file.
pub(super) struct Tokens<R> {
    source: R,
    token: Vec<u8>,
    line: u64,
    is_last: bool,
}

impl<R: BufRead> Tokens<R> {
    pub(super) fn new(source: R) -> Self {
        Tokens { source, token: Vec::new(), line: 1, is_last: false }
    }

    /// The line of the last word, from 1.
    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// The last word.
    pub(super) fn token(&self) -> &[u8] {
        &self.token
    }

    /// The file ends right after the last word, without a blank or the end of a line.
    pub(super) fn is_last(&self) -> bool {
        self.is_last
    }

    /// Goes on to the next word; false at the end.
    pub(super) fn next_token(&mut self) -> Result<bool, Problem> {
        self.token.clear();
        loop {
            let buffer = self.source.fill_buf()?;
            if buffer.is_empty() {
                self.is_last = !self.token.is_empty();
                return Ok(self.is_last);
            }
            let mut begin = 0;
            if self.token.is_empty() {
                while begin < buffer.len() && buffer[begin].is_ascii_whitespace() {
                    self.line += u64::from(buffer[begin] == b'\n');
                    begin += 1;
                }
            }
            let word = &buffer[begin..];
            let end = word.iter().position(|byte| *byte <= b' ').unwrap_or(word.len());
            if let Some(byte) = word.get(end).filter(|byte| !byte.is_ascii_whitespace()) {
                return Err(Problem::NotText(*byte));
            }
            self.token.extend_from_slice(&word[..end]);
            let is_whole = end < word.len() && !self.token.is_empty();
            self.source.consume(begin + end);
            if is_whole {
                return Ok(true);
            }
            if self.token.len() > TOKEN_BYTES_MAX {
                return Err(Problem::LongWord(TOKEN_BYTES_MAX));
            }
        }
    }

    /// Goes on to a word that has to be there.
    pub(super) fn require(&mut self, expected: &'static str) -> Result<(), Problem> {
        if self.next_token()? { Ok(()) } else { Err(Problem::expected_in_file(expected)) }
    }

    /// Passes over the rest of a section, up to `$end`.
    pub(super) fn skip_section(&mut self) -> Result<(), Problem> {
        loop {
            self.require("$end")?;
            if self.token == b"$end" {
                return Ok(());
            }
        }
    }
}
