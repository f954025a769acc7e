//! Reading the state records of PET1.

use super::*;

/// True if a record begins as those of states do: with no instruction, and their kind.
#[inline(always)]
pub(super) fn is_state(bytes: &[u8; PADDING]) -> bool {
    bytes[0] == 0 && bytes[1] & KIND_CODE == STATE_CODE
}

impl Decoder {
    /// The next record, which begins as those of states do.
    #[cold]
    #[inline(never)]
    pub(super) fn state(&mut self) -> Result<ExecutionState, Error> {
        let (bytes, available) = (self.source.window(), self.source.available());
        match parse(bytes, available, self.validator.extensions()) {
            Ok((state, size)) => {
                if let Err(violation) = self.validator.check_state(&state) {
                    return Err(self.error(0, violation.into()));
                }
                self.source.advance(size);
                Ok(state)
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

/// A state and the bytes of its record, or what is wrong at which byte of it.
fn parse(
    bytes: &[u8; PADDING],
    available: usize,
    extensions: Extensions,
) -> Result<(ExecutionState, usize), (usize, Problem)> {
    let kind_byte = bytes[1];
    let mut at = 2 + usize::from(extensions.threads);
    // States are of the only thread.
    let reserved = kind_byte & !(KIND_CODE | STATE_CAUSE);
    let thread = if extensions.threads { bytes[2] } else { 0 };
    if available >= at && (reserved | thread) != 0 {
        return Err((1, Problem::StateKindByte(kind_byte)));
    }
    let varint = |at: &mut usize, field| {
        let (value, size) = varint::take(bytes, *at);
        if size == 0 {
            return Err((*at, Problem::LongVarint(field)));
        }
        *at += size;
        Ok(value)
    };
    let context = varint(&mut at, "context")?;
    let privilege = bytes[at];
    at += 1;
    let has_cause = kind_byte & STATE_CAUSE != 0;
    let cause = if has_cause { Some(varint(&mut at, "cause")?) } else { None };
    if at > available {
        return Err((available, Problem::TruncatedRecord(available)));
    }
    Ok((ExecutionState { context, privilege, cause }, at))
}
