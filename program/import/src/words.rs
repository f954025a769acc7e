//! The parts of a line.

use crate::error::Problem;

/// A line that is read from left to right.
#[derive(Clone, Copy)]
pub(crate) struct Words<'line>(pub &'line [u8]);

impl<'line> Words<'line> {
    /// Passes over blanks and tabs.
    pub(crate) fn skip_blanks(&mut self) {
        let blanks = self.0.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        self.0 = &self.0[blanks..];
    }

    /// Passes over a text if it comes next.
    pub(crate) fn take(&mut self, text: &[u8]) -> bool {
        let rest = self.0.strip_prefix(text);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    /// Passes over a text that has to come next.
    pub(crate) fn require(&mut self, text: &[u8], expected: &'static str) -> Result<(), Problem> {
        if self.take(text) { Ok(()) } else { Err(Problem::expected(expected, self.0)) }
    }

    /// The next word, up to a blank, which may be empty at the end.
    pub(crate) fn word(&mut self) -> &'line [u8] {
        self.skip_blanks();
        let end = self.0.iter().position(|byte| matches!(byte, b' ' | b'\t'));
        let (word, rest) = self.0.split_at(end.unwrap_or(self.0.len()));
        self.0 = rest;
        word
    }

    /// The hexadecimal digits that come next, as a number, and how many there are: 1 to 16.
    pub(crate) fn hexadecimal(&mut self) -> Option<(u64, usize)> {
        let mut value = 0u64;
        let mut digits = 0;
        for byte in self.0 {
            let digit = match byte {
                b'0'..=b'9' => byte - b'0',
                b'a'..=b'f' => byte - b'a' + 10,
                b'A'..=b'F' => byte - b'A' + 10,
                _ => break,
            };
            digits += 1;
            if digits > 16 {
                return None;
            }
            value = value << 4 | u64::from(digit);
        }
        self.0 = &self.0[digits..];
        (digits > 0).then_some((value, digits))
    }

    /// A hexadecimal number after `0x`.
    pub(crate) fn prefixed(&mut self) -> Option<(u64, usize)> {
        let mut ahead = Words(after_prefix(self.0)?);
        let found = ahead.hexadecimal()?;
        *self = ahead;
        Some(found)
    }

    /// The decimal digits that come next, as a number.
    pub(crate) fn decimal(&mut self) -> Option<u32> {
        let digits = self.0.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (number, rest) = self.0.split_at(digits);
        let number = std::str::from_utf8(number).ok()?.parse().ok()?;
        self.0 = rest;
        Some(number)
    }
}

/// A number that is all of a word: in hexadecimal after `0x`, else decimal.
pub(crate) fn number(word: &[u8]) -> Option<u64> {
    let mut words = Words(word);
    if let Some((value, _)) = words.prefixed() {
        return words.0.is_empty().then_some(value);
    }
    decimal(word)
}

/// What follows `0x` or `0X`.
fn after_prefix(word: &[u8]) -> Option<&[u8]> {
    word.strip_prefix(b"0x").or_else(|| word.strip_prefix(b"0X"))
}

/// A word without `0x` or `0X` at its beginning.
pub(crate) fn without_prefix(word: &[u8]) -> &[u8] {
    after_prefix(word).unwrap_or(word)
}

/// A decimal number that is all of a word.
pub(crate) fn decimal<T: std::str::FromStr>(word: &[u8]) -> Option<T> {
    let is_number = !word.is_empty() && word.iter().all(u8::is_ascii_digit);
    std::str::from_utf8(word).ok().filter(|_| is_number)?.parse().ok()
}

/// A number that is all of a word, in hexadecimal with or without `0x`.
pub(crate) fn hexadecimal(word: &[u8]) -> Option<u64> {
    let mut words = Words(without_prefix(word));
    let (value, _) = words.hexadecimal()?;
    words.0.is_empty().then_some(value)
}

/// A number of at most 32 bits that is all of a word, in hexadecimal with or without `0x`.
pub(crate) fn word_of_32_bits(word: &[u8]) -> Option<u64> {
    hexadecimal(word).filter(|value| u32::try_from(*value).is_ok())
}
