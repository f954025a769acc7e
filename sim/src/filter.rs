//! What of an execution is traced.
//!
//! A filter decides about whole runs. A run begins after an instruction that may change the flow, and ends with the next
//! one. The decision is made when the run before ends, from what is then known: where the execution goes on, and in which
//! context and privilege level. So it does not depend on how a core divides its runs into blocks (docs/filters.md).

use crate::config::{Protocol, mask};
use crate::event::ExecutionState;
use crate::packet::header::Next;

/// What a range of addresses is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Only what is in it, or in another range of this mode, is traced.
    Include,
    /// What is in it is not traced.
    Exclude,
}

/// A range of byte addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Range {
    /// The first address.
    pub low: u64,
    /// The last address.
    pub high: u64,
    /// What it is for.
    pub mode: Mode,
}

/// Where tracing begins and where it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Window {
    /// The run that begins here is the first that is traced.
    pub start: u64,
    /// The run whose last instruction is here is the last that is traced.
    pub stop: u64,
}

/// The values of a filter's pins; without any of them everything is traced.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Settings {
    /// Ranges of addresses.
    pub ranges: Vec<Range>,
    /// The privilege levels that are traced, a bit for each; `None` for all.
    pub privileges: Option<u8>,
    /// The context that is traced; `None` for all.
    pub context: Option<u64>,
    /// Where tracing begins and ends; `None` for everywhere.
    pub window: Option<Window>,
}

/// A setting for which a design has no pins.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// More ranges than the design has.
    #[error("{given} ranges are given, and the design has filter_ranges = {ranges}")]
    Ranges {
        /// How many are given.
        given: usize,
        /// How many the design has.
        ranges: u32,
    },
    /// A range without an address.
    #[error("the range {low:#x}:{high:#x} ends before it begins")]
    Empty {
        /// Its first address.
        low: u64,
        /// Its last address.
        high: u64,
    },
    /// A filter that the design does not have.
    #[error("the design has no such filter: set {parameter}=true")]
    Missing {
        /// The parameter of that filter.
        parameter: &'static str,
    },
    /// A value has too many bits.
    #[error("the {what} {value:#x} has more than {bits} bits")]
    TooWide {
        /// What it is.
        what: &'static str,
        /// Its value.
        value: u64,
        /// The width that the design has for it.
        bits: u32,
    },
}

impl Settings {
    /// True if everything is traced.
    pub fn is_off(&self) -> bool {
        *self == Self::default()
    }

    /// Checks that a design has the pins, and that they are wide enough.
    ///
    /// # Errors
    /// The first setting that does not fit.
    pub fn validate(&self, protocol: &Protocol, address_width: u32) -> Result<(), SettingsError> {
        let (given, ranges) = (self.ranges.len(), protocol.filter_ranges);
        if given > ranges as usize {
            return Err(SettingsError::Ranges { given, ranges });
        }
        for (is_set, has, parameter) in [
            (self.privileges.is_some(), protocol.filter_privilege, "filter_privilege"),
            (self.context.is_some(), protocol.filter_context, "filter_context"),
            (self.window.is_some(), protocol.filter_window, "filter_window"),
        ] {
            if is_set && !has {
                return Err(SettingsError::Missing { parameter });
            }
        }
        let fits = |what, value, bits| match value & !mask(bits) {
            0 => Ok(()),
            _ => Err(SettingsError::TooWide { what, value, bits }),
        };
        for &Range { low, high, .. } in &self.ranges {
            if low > high {
                return Err(SettingsError::Empty { low, high });
            }
            fits("address", high, address_width)?;
        }
        for address in self.window.iter().flat_map(|window| [window.start, window.stop]) {
            fits("address", address, address_width)?;
        }
        fits("context", self.context.unwrap_or(0), protocol.context_bits)?;
        let levels = 1 << protocol.privilege_bits;
        fits("mask of privilege levels", self.privileges.unwrap_or(0).into(), levels)
    }
}

/// Decides which runs are traced.
#[derive(Clone, Debug)]
pub struct Filter {
    settings: Settings,
    /// Instructions are 2^this bytes apart at least.
    alignment: u32,
    /// A run has begun where tracing begins, and none has ended where it ends.
    window_is_open: bool,
    traces: bool,
}

impl Filter {
    /// A filter as reset leaves the hardware. Up to the first instruction that may change the flow everything is traced.
    pub fn new(settings: Settings, alignment: u32) -> Self {
        Self { settings, alignment, window_is_open: false, traces: true }
    }

    /// True if the run at hand is traced.
    pub fn traces(&self) -> bool {
        self.traces
    }

    /// Decides about the run after an instruction at `last` that may change the flow, which goes on at `next` in `state`.
    pub fn decide(&mut self, last: u64, next: Next, state: &ExecutionState) {
        // Of a branch that is not taken the address is known and the length is not.
        let (Next::At(begin) | Next::After(begin)) = next;
        let is_same = |a: u64, b: u64| a >> self.alignment == b >> self.alignment;
        if let Some(Window { start, stop }) = self.settings.window {
            self.window_is_open &= !is_same(last, stop);
            self.window_is_open |= is_same(begin, start);
        }
        let privileges = self.settings.privileges.unwrap_or(u8::MAX);
        self.traces = self.has(begin)
            && privileges >> state.privilege & 1 != 0
            && self.settings.context.is_none_or(|context| context == state.context)
            && (self.settings.window.is_none() || self.window_is_open);
    }

    /// True if a run that begins at this address passes the ranges.
    fn has(&self, address: u64) -> bool {
        let is_in = |range: &Range| {
            let at = address >> self.alignment;
            (range.low >> self.alignment..=range.high >> self.alignment).contains(&at)
        };
        let of = |mode| self.settings.ranges.iter().filter(move |range| range.mode == mode);
        let includes = of(Mode::Include).next().is_none() || of(Mode::Include).any(is_in);
        includes && !of(Mode::Exclude).any(is_in)
    }
}
