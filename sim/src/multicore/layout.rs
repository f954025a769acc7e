//! What every record of several cores begins with, stated once (paper E, Table 3 and Figure 7).

use super::config::Config;
use super::module::Module;
use super::sharing::Sharing;
use crate::encode::record::RecordFormat;
use crate::encode::variable_length::Chunks;
use crate::field::Walker;

/// Fields in front of a module's record.
pub mod fields {
    use crate::field::Field;

    /// Ti.
    pub const THREAD: Field = Field { name: "thread", doc: "the core that the record is of" };
    /// diffCC.
    pub const CLOCKS: Field =
        Field { name: "clocks", doc: "clocks since the last record of the same core" };
}

/// The beginning of a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Prefix {
    /// The core.
    pub thread: u64,
    /// Clocks since its last record; `None` is the escape: the counter was full, and nothing follows.
    pub clocks: Option<u64>,
}

/// The layout under one configuration.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    thread_bits: u32,
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

    /// A module's record word with the clocks, as it waits in its core's queue.
    pub fn queued_format(&self, module: &RecordFormat) -> RecordFormat {
        let mut format = match self.clocks {
            Some(chunks) => RecordFormat::new(&["time_overflow"]).value("clocks", chunks.width),
            None => RecordFormat::new(&[]),
        };
        let slots = format.embed(module);
        format.slots_of(&slots)
    }

    /// The records as they leave: a module's word can hold two, the first of which has the clocks.
    pub fn format(&self, module: &RecordFormat) -> RecordFormat {
        let mut format = RecordFormat::new(&["pads", "goes_first", "is_alone", "is_second"])
            .value("thread", self.thread_bits)
            .of_sources("thread");
        let queued = self.queued_format(module);
        let slots = format.embed(&queued);
        let (first, rest) = slots.split_at(module.first_slots());
        let thread = |format: RecordFormat, flag| format.plain(fields::THREAD.name, flag, "thread");
        let clocks = |format: RecordFormat, flag| match self.clocks {
            Some(chunks) => format.chunks(fields::CLOCKS.name, flag, "clocks", chunks),
            None => format,
        };
        let constant =
            |format: RecordFormat, flag, bits, width: &dyn Fn(&Chunks) -> u32| match &self.clocks {
                Some(chunks) => format.constant(fields::CLOCKS.name, flag, bits, width(chunks)),
                None => format,
            };
        if let Some(chunks) = &self.clocks {
            let escape = 1 << chunks.first;
            format =
                constant(thread(format, "time_overflow"), "time_overflow", escape, &|chunks| {
                    chunks.first + chunks.next + 2
                });
        }
        format = clocks(thread(format, "goes_first"), "goes_first").slots_of(first);
        format = clocks(thread(format, "is_alone"), "is_alone");
        format = constant(thread(format, "is_second"), "is_second", 0, &|chunks| chunks.first + 1);
        format.slots_of(rest)
    }

    /// Walks over the beginning of a record.
    #[inline]
    pub fn prefix<W: Walker>(&self, prefix: &mut Prefix, walker: &mut W) -> Result<(), W::Error> {
        if self.thread_bits > 0 {
            walker.bits(&fields::THREAD, self.thread_bits, &mut prefix.thread)?;
        }
        match &self.clocks {
            Some(chunks) => walker.number_or_escape(&fields::CLOCKS, chunks, &mut prefix.clocks),
            None => Ok(()),
        }
    }
}

impl<M: Module> Config<M> {
    /// The module's records with what a core's queue holds beside them.
    pub fn queued_format(&self) -> RecordFormat {
        Layout::new(&self.sharing).queued_format(&self.encoded_module().format())
    }

    /// The records on their way out, thread and clocks in front of the module's.
    pub fn format(&self) -> RecordFormat {
        Layout::new(&self.sharing).format(&self.encoded_module().format())
    }
}
