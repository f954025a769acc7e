//! What every record of several cores begins with, stated once (paper E, Table 3 and Figure 7).

use super::config::Config;
use super::module::Module;
use super::sharing::Sharing;
use crate::encode::record::RecordFormat;
use crate::encode::variable_length::Chunks;
use crate::record_word;

/// Fields in front of a module's record.
pub mod fields {
    use crate::field::Field;

    /// Ti.
    pub const THREAD: Field = Field { name: "thread", doc: "index of the core" };
    /// diffCC.
    pub const CLOCKS: Field =
        Field { name: "clocks", doc: "cycles since the last record of the same core" };
}

record_word! {
    /// The fields before a module's record.
    pub struct Prefix {
        flags {
            /// The core's cycle counter was full; no record follows.
            time_overflow,
            /// A record of the module follows.
            is_alone,
        }
        values {
            /// The core.
            thread: u64,
            /// Cycles since the core's last record.
            clocks: u64,
        }
    }
}

/// The layout under one configuration.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    thread_bits: u32,
    /// `None` without time stamps.
    clocks: Option<Chunks>,
}

impl Layout {
    /// The layout that `sharing` makes.
    pub fn new(sharing: &Sharing) -> Self {
        Self {
            thread_bits: sharing.thread_bits(),
            clocks: sharing.time_stamps.then(|| sharing.time_stamp_chunks()),
        }
    }

    /// A module's record word with its time stamp, as it waits in its core's queue.
    pub fn queued_format(&self, module: &RecordFormat) -> RecordFormat {
        let mut format = match self.clocks {
            Some(chunks) => RecordFormat::new(&["time_overflow"]).value("clocks", chunks.width),
            None => RecordFormat::new(&[]),
        };
        let slots = format.embed(module);
        format.slots_of(&slots)
    }

    /// The fields at the beginning of every record.
    pub fn prefix_format(&self) -> RecordFormat {
        self.format(&RecordFormat::new(&[]))
    }

    /// The records in the trace: a module's word can hold two, the first of which has the time stamp.
    pub fn format(&self, module: &RecordFormat) -> RecordFormat {
        let mut format = RecordFormat::new(&["pads", "goes_first", "is_alone", "is_second"])
            .value("thread", self.thread_bits)
            .of_sources("thread");
        let queued = self.queued_format(module);
        let slots = format.embed(&queued);
        let (first, rest) = slots.split_at(module.first_slots());
        let thread = |format: RecordFormat, flag| format.plain(fields::THREAD, flag, "thread");
        let clocks = |format: RecordFormat, flag| match self.clocks {
            Some(chunks) => format.chunks(fields::CLOCKS, flag, "clocks", chunks),
            None => format,
        };
        if let Some(chunks) = self.clocks {
            let escape = [fields::CLOCKS.escape(chunks)];
            format = thread(format, "time_overflow").constant("time_overflow", escape);
        }
        format = clocks(thread(format, "goes_first"), "goes_first").slots_of(first);
        format = clocks(thread(format, "is_alone"), "is_alone");
        format = thread(format, "is_second");
        if let Some(chunks) = self.clocks {
            format = format.constant("is_second", [fields::CLOCKS.number(0, chunks)]);
        }
        format.slots_of(rest)
    }
}

impl<M: Module> Config<M> {
    /// The module's records with the time stamps, as a core's queue holds them.
    pub fn queued_format(&self) -> RecordFormat {
        Layout::new(&self.sharing).queued_format(&self.encoded_module().format())
    }

    /// The records in the trace: the core's index and the time stamp, then the module's record.
    pub fn format(&self) -> RecordFormat {
        Layout::new(&self.sharing).format(&self.encoded_module().format())
    }
}
