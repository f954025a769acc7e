//! What passes a filter, where the trace has no packets.

use tracewright_sim::config::Protocol;
use tracewright_sim::event::{Event, ExecutionState};
use tracewright_sim::filter::{Filter, Settings};
use tracewright_sim::packet::header::{LossCause, Next};
use tracewright_sim::session::Synchronisation;
use tracewright_sim::session::course::Course;

use crate::error::Result;
use crate::filter_pins::FilterPins;
use crate::library::Library;
use crate::model::Model;
use crate::stimulus::Stimulus;

/// Any state that pins can say.
const ANY_STATE: (u32, u32) = (64, 3);

/// The pins of a filter, and what passes it.
#[derive(Debug)]
pub(super) struct Qualified {
    pins: FilterPins,
    settings: Settings,
    pub(super) course: Course,
    /// Where the trace goes on, after a block that was left out.
    entry: Option<Next>,
}

impl Qualified {
    /// Finds the pins; the execution begins in `state`.
    pub(super) fn find(
        library: &Library,
        stimulus: &Stimulus,
        state: &ExecutionState,
    ) -> Result<Self> {
        let pins = FilterPins::find(library, stimulus.instruction_bytes)?;
        let settings = stimulus.filter.clone();
        let (context_bits, privilege_bits) = ANY_STATE;
        let protocol = Protocol { context_bits, privilege_bits, ..Protocol::default() };
        let filter = Filter::new(settings.clone(), pins.alignment);
        let mut course = Course::new(filter, &protocol);
        course.state(state);
        Ok(Qualified { pins, settings, course, entry: None })
    }

    /// Sets the pins before the first cycle.
    pub(super) fn show(&self, model: &mut Model, cycle: u64, noise: u64) {
        if cycle == 0 {
            self.pins.show(model, &self.settings, noise);
        }
    }

    /// The pin `filtered` does not say whether a block of this cycle passes.
    pub(super) fn is_broken(&self, model: &Model) -> bool {
        let is_filtered = |pin| model.get(pin) != 0;
        self.pins.filtered.map(is_filtered).is_some_and(|is| is == self.course.passes())
    }

    /// A block retires, and the execution goes on in `state`; true if it was taken and the trace ends after it.
    pub(super) fn retire(
        &mut self,
        block: &Event,
        state: &ExecutionState,
        takes: bool,
        is_off: bool,
    ) -> bool {
        let passed = self.course.passes();
        self.course.retire(block);
        self.course.state(state);
        let next = self.course.decide();
        let passes = self.course.passes();
        let enters = !takes && !is_off && !passed && passes;
        self.entry = next.filter(|_| enters);
        takes && !passes
    }

    /// Nothing retires between the last block and the end of the trace.
    pub(super) fn end(&mut self) {
        self.entry = None;
    }

    /// Where the trace goes on, if the block before was left out and says so.
    pub(super) fn enter(&mut self) -> Option<Synchronisation> {
        let next @ Next::At(_) = self.entry.take()? else { return None };
        let (cause, state) = (LossCause::Filtered, ExecutionState::default());
        Some(Synchronisation::AfterLoss { instructions: 0, cause, next, state })
    }
}
