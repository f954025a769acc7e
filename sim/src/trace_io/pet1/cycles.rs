//! Reading the records of PET1 that say how many cycles there are before an event.

use super::*;

/// True if a record begins as those of cycles do: with no instruction, and their kind.
#[inline(always)]
pub(super) fn are_cycles(bytes: &[u8; PADDING]) -> bool {
    bytes[0] == 0 && bytes[1] & KIND_CODE == CYCLES_CODE
}

impl Decoder {
    /// The next record, which begins as those of cycles do.
    #[inline(never)]
    pub(super) fn cycles(&mut self) -> Result<u64, Error> {
        let (bytes, available) = (self.source.window(), self.source.available());
        match parse(bytes, available, self.validator.extensions()) {
            Ok((cycles, size)) => {
                if let Err(violation) = self.validator.check_cycles() {
                    return Err(self.error(0, violation.into()));
                }
                self.source.advance(size);
                Ok(cycles)
            }
            Err((at, problem)) => {
                if matches!(problem, Problem::TruncatedRecord(_)) {
                    self.source.failure(self.validator.records())?;
                }
                Err(self.error(at, problem))
            }
        }
    }
}

/// Cycles and the bytes of their record, or what is wrong at which byte of it.
fn parse(
    bytes: &[u8; PADDING],
    available: usize,
    extensions: Extensions,
) -> Result<(u64, usize), (usize, Problem)> {
    let kind_byte = bytes[1];
    let at = 2 + usize::from(extensions.threads);
    // Cycles are of the only thread.
    let thread = if extensions.threads { bytes[2] } else { 0 };
    if available >= at && (kind_byte & !KIND_CODE | thread) != 0 {
        return Err((1, Problem::CyclesKindByte(kind_byte)));
    }
    let (cycles, size) = varint::take(bytes, at);
    if size == 0 {
        return Err((at, Problem::LongVarint("cycles")));
    }
    if at + size > available {
        return Err((available, Problem::TruncatedRecord(available)));
    }
    Ok((cycles, at + size))
}
