//! The log of a recording: a number for each event, and for what lies between them.

/// An entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    /// The next event, by the number of its step among those from its block.
    Event(u32),
    /// The events after it are of the thread with this number.
    Thread(u32),
    /// The execution goes on in another context, by the number of the jump.
    Context(u32),
    /// A part of the execution is not known; it goes on as the jump with this number says.
    Gap(u32),
}

/// The first code of an event.
const EVENTS: u32 = 3;

impl Entry {
    /// Writes it.
    #[inline]
    pub(super) fn write(self, into: &mut Vec<u8>) {
        match self {
            Entry::Event(number) => write(number.saturating_add(EVENTS), into),
            Entry::Thread(number) => pair(0, number, into),
            Entry::Context(number) => pair(1, number, into),
            Entry::Gap(number) => pair(2, number, into),
        }
    }

    /// Reads one and goes on after it; `None` at the end.
    #[inline]
    pub(super) fn read(bytes: &[u8], at: &mut usize) -> Option<Entry> {
        let code = read(bytes, at)?;
        Some(match code {
            0 => Entry::Thread(read(bytes, at)?),
            1 => Entry::Context(read(bytes, at)?),
            2 => Entry::Gap(read(bytes, at)?),
            event => Entry::Event(event - EVENTS),
        })
    }
}

fn pair(code: u32, number: u32, into: &mut Vec<u8>) {
    write(code, into);
    write(number, into);
}

/// Writes a number, seven bits a byte, the lowest first.
#[inline]
fn write(mut number: u32, into: &mut Vec<u8>) {
    while number >= 0x80 {
        into.push(number as u8 | 0x80);
        number >>= 7;
    }
    into.push(number as u8);
}

#[inline]
fn read(bytes: &[u8], at: &mut usize) -> Option<u32> {
    let (mut number, mut shift) = (0u32, 0);
    loop {
        let byte = *bytes.get(*at)?;
        *at += 1;
        number |= u32::from(byte & 0x7f).checked_shl(shift)?;
        if byte < 0x80 {
            return Some(number);
        }
        shift += 7;
    }
}
