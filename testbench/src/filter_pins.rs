//! The pins of a trace module's filter.

use tracewright_sim::filter::{Mode, Settings};
use tracewright_sim::pins::{Pin, module};

use crate::error::Result;
use crate::library::{InputPort, Library, OutputPort};
use crate::model::Model;
use crate::pins::{optional_input, optional_output};

/// The pins that say what is traced; those that a module does not have are `None`.
#[derive(Clone, Debug)]
pub(crate) struct FilterPins {
    /// First and last address of each range.
    ranges: Vec<[InputPort; 2]>,
    includes: Option<InputPort>,
    excludes: Option<InputPort>,
    privilege_excludes: Option<InputPort>,
    has_context: Option<InputPort>,
    context: Option<InputPort>,
    has_window: Option<InputPort>,
    start: Option<InputPort>,
    stop: Option<InputPort>,
    /// A block of this cycle does not pass.
    pub(crate) filtered: Option<OutputPort>,
    /// Instructions are 2^this bytes apart at least.
    pub(crate) alignment: u32,
}

impl FilterPins {
    /// Finds the pins of a module whose instructions have `instruction_bytes` at least.
    pub(crate) fn find(library: &Library, instruction_bytes: u64) -> Result<FilterPins> {
        let find = |pin: &Pin| optional_input(library, pin);
        let numbered = |pin: &Pin, number: usize| {
            let port = library.inputs().iter().find(|port| port.name == pin.numbered(number));
            port.map(|port| library.input_of_any_width(&port.name)).transpose()
        };
        let mut ranges = Vec::new();
        while let (Some((low, _)), Some((high, _))) = (
            numbered(&module::FILTER_LOW, ranges.len())?,
            numbered(&module::FILTER_HIGH, ranges.len())?,
        ) {
            ranges.push([low, high]);
        }
        Ok(FilterPins {
            ranges,
            includes: find(&module::FILTER_INCLUDES)?,
            excludes: find(&module::FILTER_EXCLUDES)?,
            privilege_excludes: find(&module::FILTER_PRIVILEGE_EXCLUDES)?,
            has_context: find(&module::FILTER_HAS_CONTEXT)?,
            context: find(&module::FILTER_CONTEXT)?,
            has_window: find(&module::FILTER_HAS_WINDOW)?,
            start: find(&module::FILTER_START)?,
            stop: find(&module::FILTER_STOP)?,
            filtered: optional_output(library, &module::FILTERED)?,
            alignment: instruction_bytes.trailing_zeros(),
        })
    }

    /// True if there are such pins.
    pub(crate) fn are_there(&self) -> bool {
        self.filtered.is_some()
    }

    /// Sets all pins, with noise on those without a meaning.
    pub(crate) fn show(&self, model: &mut Model, settings: &Settings, noise: u64) {
        let mask_of = |mode| {
            let ranges = settings.ranges.iter().enumerate();
            ranges.fold(0, |mask, (place, range)| mask | u64::from(range.mode == mode) << place)
        };
        let mut set = |pin: Option<InputPort>, value: u64| {
            if let Some(pin) = pin {
                model.set(pin, value);
            }
        };
        for (place, [low, high]) in self.ranges.iter().enumerate() {
            let range = settings.ranges.get(place);
            set(Some(*low), range.map_or(noise.rotate_left(place as u32), |range| range.low));
            set(Some(*high), range.map_or(noise.rotate_right(place as u32), |range| range.high));
        }
        set(self.includes, mask_of(Mode::Include));
        set(self.excludes, mask_of(Mode::Exclude));
        set(self.privilege_excludes, settings.privileges.map_or(0, |levels| u64::from(!levels)));
        set(self.has_context, settings.context.is_some().into());
        set(self.context, settings.context.unwrap_or(noise));
        set(self.has_window, settings.window.is_some().into());
        set(self.start, settings.window.map_or(noise, |window| window.start));
        set(self.stop, settings.window.map_or(!noise, |window| window.stop));
    }
}
