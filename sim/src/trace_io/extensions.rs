//! What a trace may have beyond the first PET1.

/// What a trace has beyond the events of four threads. Each is a flag of the header that readers
/// which predate it refuse.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Extensions {
    /// Every call has its length, and in text every other instruction may.
    pub lengths: bool,
    /// Memory accesses are recorded, each before the event that ends its run.
    pub data: bool,
    /// Threads are 0 to 7 instead of 0 to 3.
    pub threads: bool,
    /// States are recorded, each after the event from which on it holds.
    pub states: bool,
    /// Cycles are recorded, each number before the event that retires so many after the event before.
    pub cycles: bool,
}

impl Extensions {
    /// Each extension's flag in PET1 and its word in the text form.
    const FLAGS: [(u8, &'static str); 5] =
        [(1, "lengths"), (2, "data"), (4, "threads"), (8, "states"), (16, "cycles")];

    /// Nothing beyond.
    pub const NONE: Extensions =
        Extensions { lengths: false, data: false, threads: false, states: false, cycles: false };

    /// Only the lengths of calls.
    pub const LENGTHS: Extensions = Extensions { lengths: true, ..Extensions::NONE };

    /// The highest thread.
    pub fn thread_max(self) -> u8 {
        if self.threads { 7 } else { 3 }
    }

    /// The flags byte of PET1.
    pub(super) fn flags(self) -> u8 {
        let Extensions { lengths, data, threads, states, cycles } = self;
        let on = [lengths, data, threads, states, cycles];
        let flags = Self::FLAGS.iter().zip(on).filter(|(_, on)| *on);
        flags.map(|((flag, _), _)| flag).sum()
    }

    /// The words of the machine line, each with its space.
    pub(super) fn words(self) -> String {
        let flags = self.flags();
        let on = Self::FLAGS.iter().filter(|(flag, _)| flags & flag != 0);
        on.map(|(_, word)| format!(" {word}")).collect()
    }

    /// The extensions of a flags byte; `None` if one of them is not known.
    pub(super) fn from_flags(flags: u8) -> Option<Extensions> {
        let [lengths, data, threads, states, cycles] =
            Self::FLAGS.map(|(flag, _)| flags & flag != 0);
        let extensions = Extensions { lengths, data, threads, states, cycles };
        (extensions.flags() == flags).then_some(extensions)
    }

    /// The flag of an extension with this word in the text form.
    pub(super) fn flag(word: &str) -> Option<(u8, &'static str)> {
        Self::FLAGS.into_iter().find(|(_, known)| *known == word)
    }
}
